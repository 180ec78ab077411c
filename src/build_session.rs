//! What units are built and run in: the project's objects, the worker and the runtime, made once for a whole run.

use crate::build::{Builder, CompileFailure, CompileJob, Flavor, Libraries, Linked, Sanitizer, WhatLinks};
use crate::context::{Context, shown};
use crate::diag::Problem;
use crate::engine::kept::kept_worker;
use crate::engine::worker::{WorkerTools, prefix, write_runtime};
use crate::model::Language;
use crate::plan::UnitPlan;
use crate::session::{Session, cpu_seconds};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// So many names of what is missing are told.
const NAMED: usize = 6;

/// Where units are built and run.
pub struct BuildSession<'s> {
    /// The user's terminal, and whether they want to stop.
    pub context: &'s Context,
    /// The project.
    pub session: &'s Session,
    /// Compiles and links.
    pub builder: &'s Builder,
    /// What every unit is linked against.
    pub libraries: Libraries,
    /// Installed libraries among these that nobody named: entries as for `link:`.
    pub found_libraries: Vec<String>,
    /// What of the project is compiled, for searching.
    pub what_links: WhatLinks,
    /// Symbols that the project's objects ask for and nobody defines.
    pub missing: BTreeSet<String>,
    /// The executable that runs units.
    pub worker: PathBuf,
    /// The folder of the runtime's headers.
    pub runtime: PathBuf,
    prefix: PathBuf,
    /// CPU seconds of building the worker, which no builder knows of.
    pub worker_seconds: f64,
    /// The worker that is built with the sanitizer; made when the first unit asks for it.
    listening: Mutex<Option<Result<PathBuf, String>>>,
    /// What was built with the sanitizer, by the source file; none where it does not build so.
    checked: Mutex<BTreeMap<PathBuf, Option<PathBuf>>>,
}

impl<'s> BuildSession<'s> {
    /// Builds the worker, and of the project's own code what the units of `sources` need. Of what is made of `mutated`
    /// files nothing is taken from the project's own build.
    ///
    /// # Errors
    /// The output folder can't be written, or the worker not be built.
    pub fn open(
        context: &'s Context,
        session: &'s Session,
        builder: &'s Builder,
        mut libraries: Libraries,
        sources: &BTreeSet<PathBuf>,
        mutated: &BTreeSet<PathBuf>,
    ) -> anyhow::Result<Self> {
        let output = &session.options.output;
        let runtime = output.join("drivers").join("runtime");
        write_runtime(&runtime)?;
        let before = cpu_seconds();
        let worker = worker_of(session, builder, &[])?;
        let worker_seconds = cpu_seconds() - before;
        let what_links = WhatLinks::new(
            &session.model,
            &session.database.commands,
            session.only_declared(),
            session.own_build(mutated),
        );
        let stage = context.ui.stage("building", 0);
        let done = |file: &Path| stage.advance(shown(&session.options.root, file));
        what_links.add(builder, sources, &done);
        let (missing, found_libraries) = missing(context, session, builder, &mut libraries, &what_links, &done);
        drop(stage);
        if !found_libraries.is_empty() {
            let list = found_libraries.join(" ");
            context.ui.detail(format_args!("linked, since they define what the project asks for: {list}"));
        }
        if let taken @ 1.. = what_links.taken_from_own_build() {
            context.ui.detail(format_args!("objects of the project's own build, used as they are: {taken}"));
        }
        for failure in what_links.objects().failures.iter().filter(|_| !context.is_interrupted()) {
            let what = format!("does not build and is left out: {}", failure.first_error);
            context.ui.warn(&Problem::untestable("source-unbuildable", what, "").at(&failure.what));
        }
        if let Some(problem) = undefined(session, &missing).filter(|_| !context.is_interrupted()) {
            context.ui.warn(&problem);
        }
        Ok(Self {
            context,
            session,
            builder,
            libraries,
            found_libraries,
            what_links,
            missing,
            worker,
            prefix: prefix(builder.store(), &runtime),
            runtime,
            worker_seconds,
            listening: Mutex::default(),
            checked: Mutex::default(),
        })
    }

    /// The worker built with `sanitizer`, of which a run has one.
    ///
    /// # Errors
    /// It can't be built; the reason is the same each time.
    pub fn worker_under(&self, sanitizer: Sanitizer) -> Result<PathBuf, String> {
        let mut listening = self.listening.lock().unwrap_or_else(|p| p.into_inner());
        let flags = Builder::sanitizer_options(sanitizer);
        let made = listening
            .get_or_insert_with(|| worker_of(self.session, self.builder, flags).map_err(|error| format!("{error:#}")));
        made.clone()
    }

    /// As [`BuildSession::archive`], with the objects of `sources` built with `sanitizer`. Those that do not build so
    /// are as they are for the search.
    ///
    /// # Errors
    /// The archive can't be made.
    pub fn archive_under(
        &self,
        sanitizer: Sanitizer,
        source: &Path,
        sources: &[PathBuf],
    ) -> Result<PathBuf, CompileFailure> {
        let mut objects = self.what_links.objects();
        for (file, object) in &mut objects.objects {
            if file != source
                && sources.contains(file)
                && let Some(checked) = self.object_under(sanitizer, file)
            {
                *object = checked;
            }
        }
        self.builder.archive(&objects, source, &[source])
    }

    fn object_under(&self, sanitizer: Sanitizer, file: &Path) -> Option<PathBuf> {
        let known = |map: &BTreeMap<PathBuf, Option<PathBuf>>| map.get(file).cloned();
        if let Some(known) = known(&self.checked.lock().unwrap_or_else(|p| p.into_inner())) {
            return known;
        }
        // Not locked meanwhile: two threads that build the same would rather do so than wait for all others.
        let command = self.session.database.commands.iter().find(|command| command.file == file)?;
        let made = self.builder.compile(&CompileJob::project(command, Flavor::Checked(sanitizer))).ok();
        self.checked.lock().unwrap_or_else(|p| p.into_inner()).insert(file.to_path_buf(), made.clone());
        made
    }

    /// The project's objects but that of `source`, whose text becomes part of a driver.
    ///
    /// # Errors
    /// The archive can't be made.
    pub fn archive(&self, source: &Path) -> Result<PathBuf, CompileFailure> {
        self.builder.archive(&self.what_links.objects(), source, &[source])
    }

    /// Links a unit whose driver has the text of `source` in it into a shared object.
    ///
    /// # Errors
    /// What the linker says.
    pub fn link(
        &self,
        source: &Path,
        objects: &[PathBuf],
        flavor: Flavor,
        out: &Path,
    ) -> Result<Linked, CompileFailure> {
        let asking: Vec<&Path> = objects.iter().map(PathBuf::as_path).collect();
        self.what_links.reach(self.builder, &asking, &|_| {});
        let link = |archive: &Path| self.builder.link_unit(objects, Some(archive), &self.libraries, flavor, out);
        // One archive for all units: what the source defines is in the driver, so that nothing asks for its object.
        // Where something does, it is defined twice, and an archive without it has to be made.
        let link = || match self.builder.archive(&self.what_links.objects(), source, &[]) {
            Ok(whole) => link(&whole).or_else(|_| link(&self.archive(source)?)),
            Err(_) => link(&self.archive(source)?),
        };
        let linked = link()?;
        // The model does not know every name. What it can't place may be in any file.
        let is_new = |symbol: &String| !self.missing.contains(symbol);
        if linked.unresolved.iter().any(is_new) && self.what_links.add_the_rest(self.builder, &|_| {}) {
            return link();
        }
        Ok(linked)
    }

    /// What every C++ driver includes first.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// The folder of a unit's driver.
    pub fn folder(&self, plan: &UnitPlan) -> PathBuf {
        self.session.options.output.join("drivers").join(&plan.slug)
    }

    /// Options that every driver needs.
    pub fn options(&self, plan: &UnitPlan) -> Vec<String> {
        let mut options = vec![format!("-I{}", self.runtime.display())];
        if plan.language == Language::Cxx {
            options.push("-fno-access-control".into());
        }
        // clang would put its own code in the place of a unit that is called like a builtin.
        options.push("-fno-builtin".into());
        // What overflows does the same wherever the compiler meets it: in the original, in a copy, in a probe.
        options.push("-fno-strict-overflow".into());
        options
    }
}

/// What nobody defines, of what is asked for by objects and by what the project only declares. Where the model can't
/// say who defines a symbol, all of the project is compiled before it counts as missing. What only installed headers
/// declare may be in an installed library that the project's build links, though it says so nowhere: those are added
/// to `libraries`, and given too.
fn missing(
    context: &Context,
    session: &Session,
    builder: &Builder,
    libraries: &mut Libraries,
    what_links: &WhatLinks,
    done: &(dyn Fn(&Path) + Sync),
) -> (BTreeSet<String>, Vec<String>) {
    let mut more = Vec::new();
    let missing = session.stand_in_for(|declared| {
        let drivers_may_ask_for = session.made_by_callers();
        let undefined = |libraries: &Libraries, besides: &BTreeSet<String>| {
            let found = builder.undefined(&what_links.objects(), libraries, declared.union(besides).cloned().collect());
            // What can't be found out is missed where it is called.
            found.unwrap_or_else(|failure| {
                context.ui.detail(format_args!("what nobody defines is not known: {}", failure.first_error));
                BTreeSet::new()
            })
        };
        let named = libraries.clone();
        let own = session.declared_in_project();
        let is_foreign = |symbol: &&String| !own.contains(*symbol) && !what_links.leaves_out(symbol);
        let mut first = undefined(&named, &drivers_may_ask_for);
        more = libraries.add_installed(&first.iter().filter(is_foreign).cloned().collect(), builder);
        first.retain(|symbol| {
            !drivers_may_ask_for.contains(symbol) || declared.contains(symbol) || what_links.is_asked_for(symbol)
        });
        let libraries = &*libraries;
        let undefined = |libraries: &Libraries| undefined(libraries, &BTreeSet::new());
        // One that was found may have a function of the same name as one that only the project declares.
        let with_found = |missing: BTreeSet<String>| match more.is_empty() {
            true => missing,
            false => missing.into_iter().filter(|name| own.contains(name)).chain(undefined(libraries)).collect(),
        };
        let mut found = with_found(first);
        let is_missing = |symbol: &String| !what_links.is_asked_for(symbol) || what_links.has_all_of(symbol);
        if !found.iter().all(is_missing) && what_links.add_the_rest(builder, done) {
            found = with_found(undefined(&named));
        }
        // A variable that nothing asks for yet may be defined by any file that names it.
        let variables = session.declared_variables();
        let may_be_defined = |symbol: &String| {
            let is_open = variables.contains(symbol) && !what_links.is_asked_for(symbol);
            what_links.leaves_out(symbol) || is_open && !what_links.has_all_of(symbol)
        };
        found.retain(|symbol| !may_be_defined(symbol));
        found
    });
    (missing, more)
}

/// What is said of what nobody defines.
fn undefined(session: &Session, missing: &BTreeSet<String>) -> Option<Problem> {
    let names = session.names_of(missing);
    let (count, more) = (names.len(), names.len().saturating_sub(NAMED));
    let verb = if count == 1 { "is" } else { "are" };
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let what = format!(
        "{}{more} {verb} used and defined nowhere: what the project declares of it is stood in for, by code that notes \
            its \
         calls and answers with data; a call of anything else ends the program",
        names[..count.min(NAMED)].join(", ")
    );
    let fix = "fine for hardware and operating systems; to use the real ones, add their sources to the compile \
        database, or \
               their library to `link:` in motif.yaml";
    (count > 0).then(|| Problem::untestable("undefined", what, fix))
}

/// What a worker is built with, and with which flags.
fn worker_tools(builder: &Builder, flags: &[&str]) -> WorkerTools {
    let clang = builder.clang().clone();
    WorkerTools {
        fuzzer: clang.fuzzer.clone().unwrap_or_default(),
        clang: clang.clang,
        clangxx: clang.clangxx,
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
    }
}

/// The worker that is built with `flags`, kept for the user's other runs.
fn worker_of(session: &Session, builder: &Builder, flags: &[&str]) -> anyhow::Result<PathBuf> {
    kept_worker(&worker_tools(builder, flags), builder.store(), &session.options.output.join("cache"))
}

/// Writes files into a folder that may have to be made.
///
/// # Errors
/// What the system says, with the folder's name.
pub fn write_files(folder: &Path, files: &[(String, String)]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, text) in files {
        std::fs::write(folder.join(name), text).map_err(failed)?;
    }
    Ok(())
}
