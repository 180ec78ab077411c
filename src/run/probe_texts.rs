//! Probes for the mutants of a run: each file with mutants is read once, with all versions of its bodies in one text.

use super::unit_result::Work;
use crate::context::Context;
use crate::model::Usr;
use crate::mutant::Mutant;
use crate::parse;
use crate::probes::{self, UnitProbes, Versions};
use crate::session::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Probes by unit. Units without probes are left out: their mutants run on every input.
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
