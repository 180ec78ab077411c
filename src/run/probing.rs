//! Probes for the mutants of a run: every file with mutants is read once, all versions of its bodies in one text.

use super::unit::Work;
use crate::context::Context;
use crate::model::Usr;
use crate::mutant::Mutant;
use crate::parse;
use crate::probes::{self, UnitProbes, Versions};
use crate::session::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is made of probes in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// Mutants run where their probes fire.
    On,
    /// There are none: for measuring what they bring.
    Off,
    /// Mutants run everywhere, and a kill that probes did not foresee is told.
    Check,
    /// There are none, and no mutant is ever active: the copy is searched for differences from the original all the same, and
    /// each kill is a false one.
    Idle,
}

/// The environment variable that says so: `off`, `check` or `idle`. It is for measuring and testing, and no option.
const VARIABLE: &str = "MOTIF_PROBES";

impl Probing {
    /// As the environment says.
    pub fn of_process() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Ok("off") => Self::Off,
            Ok("check") => Self::Check,
            Ok("idle") => Self::Idle,
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
        let own = work.mutants.iter().map(|index| (*index, &mutants[*index]));
        let Some((file, versions)) = probes::versions(&session.model, &work.unit, own) else { continue };
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
        let read = probes::of_file(&session.model, &session.database, &options, file, versions, &text);
        read.unwrap_or_else(|error| {
            let shown = crate::context::shown(&session.options.root, file);
            context.ui.detail(format_args!("{shown}: its mutants have no probes: {error:#}"));
            Vec::new()
        })
    });
    Ok(done.into_iter().flatten().collect())
}
