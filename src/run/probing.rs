//! Probes for the mutants of a run: every file with mutants is read once, all versions of its bodies in one text.

use super::unit::Work;
use crate::compdb::CompileCommand;
use crate::context::Context;
use crate::model::{Function, Language, Model, TypeKind, Usr};
use crate::mutant::Mutant;
use crate::parse;
use crate::probes::{Composite, Finder, UnitProbes, Versions, View};
use crate::session::Session;
use crate::tree::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is made of probes in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// Mutants run where their probes fire.
    On,
    /// There are none: for measuring what they bring.
    Off,
    /// Mutants run everywhere, and a kill that probes did not foresee is told.
    Check,
}

/// The environment variable that says so: `off` or `check`. It is for measuring and testing, and no option.
const VARIABLE: &str = "MOTIF_PROBES";

impl Probing {
    /// As the environment says.
    pub fn of_process() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Ok("off") => Self::Off,
            Ok("check") => Self::Check,
            _ => Self::On,
        }
    }
}

/// Probes by unit. What can't have any is not among them: its mutants run on every input.
pub fn read(
    context: &Context,
    session: &Session,
    mutants: &[Mutant],
    works: &[Work],
) -> anyhow::Result<BTreeMap<Usr, UnitProbes>> {
    let mut files: BTreeMap<PathBuf, Vec<Versions>> = BTreeMap::new();
    for work in works {
        let Some((file, versions)) = versions(&session.model, mutants, work) else { continue };
        files.entry(file).or_default().push(versions);
    }
    let files: Vec<(PathBuf, Vec<Versions>)> = files.into_iter().collect();
    let options = session.parse_options()?;
    let scratch = session.options.output.join("cache").join("versions");
    std::fs::create_dir_all(&scratch)?;
    let stage = context.ui.stage("reading changes", files.len());
    let done = parse::in_parallel(session.options.jobs.get(), files.len(), |at| {
        let (file, versions) = &files[at];
        stage.advance(crate::context::shown(&session.options.root, file));
        let text = scratch.join(format!("{at:04}"));
        of_file(session, file, versions, &text, &options).unwrap_or_else(|error| {
            let shown = crate::context::shown(&session.options.root, file);
            context.ui.detail(format_args!("{shown}: its mutants have no probes: {error:#}"));
            Vec::new()
        })
    });
    Ok(done.into_iter().flatten().collect())
}

/// The bodies of one unit's mutants that a probe may tell of.
fn versions(model: &Model, mutants: &[Mutant], work: &Work) -> Option<(PathBuf, Versions)> {
    let function = model.functions.get(&work.unit)?;
    let definition = function.definition.as_ref()?;
    // What the compiler runs itself notes nothing, and leaves its mark all the same.
    if function.is_constexpr || definition.in_macro {
        return None;
    }
    let mut mutated = Vec::new();
    for index in &work.mutants {
        let mutant = &mutants[*index];
        let Ok(pairing) = &mutant.pairing else { continue };
        if pairing.in_initializers || mutant.original != definition.body.file {
            continue;
        }
        let Ok(text) = std::fs::read(&mutant.path) else { continue };
        let Some(body) = text.get(pairing.body.0 as usize..pairing.body.1 as usize) else { continue };
        mutated.push((*index, body.to_vec()));
    }
    let body = Span { start: definition.body.start, end: definition.body.end };
    (!mutated.is_empty()).then(|| (definition.body.file.clone(), Versions { unit: work.unit.clone(), body, mutated }))
}

fn of_file(
    session: &Session,
    file: &Path,
    versions: &[Versions],
    text: &Path,
    options: &parse::ParseOptions,
) -> anyhow::Result<Vec<(Usr, UnitProbes)>> {
    let source = std::fs::read(file)?;
    let model = &session.model;
    // A body that is no block has no beginning where anything could be noted.
    let blocks = versions.iter().filter(|one| source.get(one.body.start as usize) == Some(&b'{'));
    let mut found: BTreeMap<Usr, UnitProbes> = blocks
        .map(|one| {
            let cxx = model.functions.get(&one.unit).is_some_and(|f| f.language == Language::Cxx);
            let sites = one.mutated.iter().map(|(mutant, _)| (*mutant, None)).collect();
            (one.unit.clone(), UnitProbes { file: file.to_path_buf(), body: one.body.start, cxx, sites })
        })
        .collect();
    let composite = Composite::new(&source, versions.to_vec());
    std::fs::write(text, &composite.text)?;
    let command = model.unit_of(file).and_then(|unit| session.database.commands.get(unit.command));
    // Without trees, the bodies' beginnings are still known.
    let Some(command) = command else { return Ok(found.into_iter().collect()) };
    let Ok(trees) = parse::trees_of_version(command, file, text, &session.database, options) else {
        return Ok(found.into_iter().collect());
    };
    let view = View::new(&composite.text, &trees.types);
    let by_value = |target: &str, index: usize| {
        let parameter = model.functions.get(target).and_then(|function| function.params.get(index));
        parameter.is_some_and(|p| !matches!(p.ty.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)))
    };
    let lines = Lines::of(&source);
    for (unit, probes) in &mut found {
        let (Some(function), Some(bodies)) = (model.functions.get(unit), composite.find(&trees, unit)) else {
            continue;
        };
        let finder = Finder {
            view: &view,
            cxx: probes.cxx,
            result: &function.result,
            floats: has_plain_floats(command),
            shift: bodies.shift,
            by_value: &by_value,
            line_of: &|offset| lines.at(offset),
        };
        if has_labels(function) {
            continue;
        }
        for (mutant, body) in &bodies.mutated {
            probes.sites.insert(*mutant, finder.site(bodies.original, body));
        }
    }
    Ok(found.into_iter().collect())
}

/// With labels, several versions of a body can't stand in one function.
fn has_labels(function: &Function) -> bool {
    function.definition.as_ref().is_some_and(|definition| !definition.labels.is_empty())
}

/// Whether the compiler computes a floating-point expression alike wherever it stands: an expression by itself and
/// the same one as part of a larger may be rounded differently otherwise.
fn has_plain_floats(command: &CompileCommand) -> bool {
    const OTHER: &[&str] = &["-Ofast", "-m32", "-mfma", "-mx32"];
    const BEGINNINGS: &[&str] = &[
        "-ffast-math",
        "-funsafe-math",
        "-fassociative-math",
        "-freciprocal-math",
        "-ffinite-math",
        "-fno-signed-zeros",
        "-ffp-",
        "-march=",
        "-mcpu=",
        "-mfpmath",
        "-mavx512",
        "-menable-unsafe",
    ];
    let changes = |arg: &str| OTHER.contains(&arg) || BEGINNINGS.iter().any(|start| arg.starts_with(start));
    cfg!(target_arch = "x86_64") && !command.args.iter().any(|arg| changes(arg))
}

/// Where the lines of a text begin.
struct Lines(Vec<u32>);

impl Lines {
    fn of(source: &[u8]) -> Self {
        let breaks = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1);
        Self(std::iter::once(0).chain(breaks).collect())
    }

    fn at(&self, offset: u32) -> u32 {
        self.0.partition_point(|start| *start <= offset) as u32
    }
}
