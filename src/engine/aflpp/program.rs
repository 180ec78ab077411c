//! Builds the program of a unit for AFL++.

use crate::build::{
    AflFlavor, Builder, CompileFailure, CompileJob, Coverage, Flavor, Libraries, Linked, ProjectObjects, WRAPPED,
};
use crate::choices::AflMode;
use crate::compdb::CompileCommand;
use crate::model::Language;
use std::path::{Path, PathBuf};

/// The main program, and the code that restores variables.
const MAIN: [(&str, &str); 3] = [
    ("afl_main.c", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/afl_main.c"))),
    ("afl_variables.c", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/afl_variables.c"))),
    ("afl_variables.h", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/afl_variables.h"))),
];

/// The parts of a program.
#[derive(Clone, Debug)]
pub struct Parts<'p> {
    /// The generated driver.
    pub driver: &'p Path,
    /// The compile command of the unit's source file.
    pub command: &'p CompileCommand,
    /// Options that the driver needs (`-I` of the runtime, `-fno-access-control`…).
    pub extra: Vec<String>,
    /// The whole compile database.
    pub commands: &'p [CompileCommand],
    /// Source files that the driver includes; their objects are not linked.
    pub excluded: Vec<&'p Path>,
    /// Libraries of the project.
    pub libraries: &'p Libraries,
    /// The folder with the runtime's files (`motif.h`, `motif.c`…).
    pub runtime: &'p Path,
    /// The mutant's side, if no copy has it.
    pub image: Option<Image<'p>>,
    /// How inputs reach it. In persistent mode the unit is a shared object, so that its variables can be told from
    /// those of the program and the sanitizer.
    pub mode: AflMode,
}

/// The same driver against the mutated file.
#[derive(Clone, Debug)]
pub struct Image<'p> {
    /// The driver, without copies.
    pub driver: &'p Path,
    /// The original file.
    pub original: &'p Path,
    /// The mutated file.
    pub mutated: &'p Path,
}

/// The path of the program with the comparison log.
pub(super) fn cmplog(program: &Path) -> PathBuf {
    beside(program, "cmplog")
}

/// `program.ending`.
fn beside(program: &Path, ending: &str) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// A program that was built.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where it is.
    pub linked: Linked,
    /// CPU seconds spent now on shared work: the project's objects and the runtime. They count for no thread.
    pub shared_seconds: f64,
}

/// Builds the program of a unit at `out`; with `cmplog` coverage a second one beside it.
///
/// # Errors
///
/// The driver or the runtime does not compile, or the program does not link. Other files of the project that do not
/// compile only show as unresolved symbols.
pub fn program(builder: &Builder, flavor: AflFlavor, parts: &Parts<'_>, out: &Path) -> Result<Program, CompileFailure> {
    let mut made = one(builder, Flavor::Afl(flavor), parts, out)?;
    if flavor.coverage == Coverage::Cmplog {
        made.shared_seconds += one(builder, Flavor::AflCmplog(flavor), parts, &cmplog(out))?.shared_seconds;
    }
    Ok(made)
}

fn one(builder: &Builder, flavor: Flavor, parts: &Parts<'_>, out: &Path) -> Result<Program, CompileFailure> {
    // LAF can take minutes per file: a file that the driver includes is not compiled again.
    let others = parts.commands.iter().filter(|command| !parts.excluded.contains(&command.file.as_path()));
    let others: Vec<CompileCommand> = others.cloned().collect();
    let project =
        builder.project_objects(&others, &|command| builder.compile(&CompileJob::project(command, flavor)), &|_| {});
    let archive = builder.archive(&project, &parts.command.file, &parts.excluded)?;
    let driver = CompileJob::generated(parts.driver, parts.command, flavor).with(parts.extra.iter().cloned());
    let mut unit = vec![builder.compile(&driver)?];
    let mut archive = Some(archive);
    if parts.mode == AflMode::Persistent {
        let own = beside(out, "unit.so");
        unit = vec![builder.link_unit(&unit, archive.as_deref(), parts.libraries, flavor, &own)?.path];
        archive = None;
    }
    let (mut objects, runtime_seconds) = runtime(builder, flavor, parts)?;
    objects.extend(unit);
    if let Some(image) = &parts.image {
        objects.push(self::image(builder, flavor, parts, image, &project, out)?);
    }
    let wraps: Vec<String> = WRAPPED.iter().map(|name| format!("-Wl,--wrap={name}")).collect();
    let linked = builder.link_program(&objects, archive.as_deref(), parts.libraries, flavor, &wraps, out)?;
    Ok(Program { linked, shared_seconds: project.cpu_seconds + runtime_seconds })
}

/// A shared object with the mutated file's code under local names, which exports its side of the unit only.
fn image(
    builder: &Builder,
    flavor: Flavor,
    parts: &Parts<'_>,
    image: &Image<'_>,
    project: &ProjectObjects,
    out: &Path,
) -> Result<PathBuf, CompileFailure> {
    const SIDE: &str = "motif_image_unit";
    let against_mutated = |job: CompileJob<'_>| builder.compile(&job.replacing(image.original, image.mutated));
    let driver = CompileJob::generated(image.driver, parts.command, flavor)
        .with(parts.extra.iter().cloned())
        .with([format!("-Dmotif_the_unit={SIDE}")]);
    let driver = against_mutated(driver)?;
    // A mutated header affects other files too: each is compiled with the overlay.
    let is_source = parts.commands.iter().any(|command| command.file == image.original);
    let archive = if is_source {
        builder.archive(project, &parts.command.file, &parts.excluded)?
    } else {
        let wanted = |file: &PathBuf| !project.mains.contains(file) && !parts.excluded.contains(&file.as_path());
        let jobs: Vec<&CompileCommand> = parts.commands.iter().filter(|command| wanted(&command.file)).collect();
        let made = builder.in_parallel(&jobs, |command| against_mutated(CompileJob::project(command, flavor)));
        let mut mutated = ProjectObjects { mains: project.mains.clone(), ..ProjectObjects::default() };
        for (command, result) in jobs.iter().zip(made) {
            match result {
                Ok(object) => mutated.objects.push((command.file.clone(), object)),
                Err(failure) => mutated.failures.push(failure),
            }
        }
        builder.archive(&mutated, &parts.command.file, &parts.excluded)?
    };
    let own = beside(out, "image.so");
    let linked = builder.link_shared(&[driver], Some(&archive), parts.libraries, flavor, &[SIDE], &own)?;
    Ok(linked.path)
}

/// The runtime and the main program, compiled like the rest, with the CPU seconds spent now.
fn runtime(builder: &Builder, flavor: Flavor, parts: &Parts<'_>) -> Result<(Vec<PathBuf>, f64), CompileFailure> {
    let folder = parts.runtime;
    for (name, text) in MAIN {
        let file = folder.join(name);
        if std::fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
            continue; // Left alone, so that its time stays.
        }
        std::fs::write(&file, text).map_err(|error| CompileFailure::tool(&file, error))?;
    }
    let main = folder.join("afl_main.c");
    let command = CompileCommand {
        directory: folder.to_path_buf(),
        file: main.clone(),
        language: Language::C,
        compiler: "clang".into(),
        // A sanitizer's header may be included before the file's first line.
        args: vec!["-D_GNU_SOURCE".into()],
        std: Some("gnu11".into()),
    };
    let persistent = parts.mode == AflMode::Persistent;
    let mut sources = vec![(main, flavor)];
    sources.extend(["motif.c", "differences.c"].map(|name| (folder.join(name), flavor)));
    // Without the sanitizer: it reads what the sanitizer forbids, and is not part of the unit.
    sources.extend(persistent.then(|| (folder.join("afl_variables.c"), Flavor::Mutant)));
    let done = builder.in_parallel(&sources, |(source, flavor)| {
        let defined = (persistent && *source == command.file).then_some("-DMOTIF_PERSISTENT");
        let job = CompileJob { source: source.clone(), ..CompileJob::project(&command, *flavor) }.with(defined);
        (builder.compile(&job), builder.thread_cpu_seconds())
    });
    let cpu_seconds = done.iter().map(|(_, cpu_seconds)| cpu_seconds).sum();
    let objects: Result<Vec<PathBuf>, CompileFailure> = done.into_iter().map(|(object, _)| object).collect();
    Ok((objects?, cpu_seconds))
}
