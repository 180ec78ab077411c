//! The units of a run as plain libFuzzer targets, with the inputs that the run has.

use super::shared::Shared;
use super::unit_build::image_driver;
use super::unit_result::Finished;
use crate::emit::Project;
use crate::emit::fuzz_target::{FuzzTarget, write as write_targets};
use crate::engine::worker::RUNTIME;
use crate::plan::{UnitPlan, seeds};
use std::collections::BTreeSet;
use std::path::Path;

/// The files of the runtime that a driver and its main program are made of.
const NEEDED: [&str; 2] = ["motif.c", "differences.c"];

/// Writes a target for each unit that has a driver. Returns their number.
///
/// # Errors
///
/// The folder cannot be written.
pub(super) fn write(
    shared: &Shared<'_>,
    finished: &[Finished],
    project: &Project,
    folder: &Path,
    searched: &Path,
) -> anyhow::Result<usize> {
    let mut targets = Vec::new();
    for done in finished {
        let Some(plan) = &done.plan else { continue };
        match target(shared, done, plan, searched) {
            Ok(target) => targets.push(target),
            Err(why) => shared.context.ui.note(format_args!("{} is no fuzz target: {why:#}", plan.id)),
        }
    }
    let is_needed = |name: &str| name.ends_with(".h") || name.ends_with(".hpp") || NEEDED.contains(&name);
    let runtime: Vec<(&str, &str)> = RUNTIME.iter().copied().filter(|(name, _)| is_needed(name)).collect();
    write_targets(folder, &targets, &runtime, project)?;
    Ok(targets.len())
}

fn target(shared: &Shared<'_>, done: &Finished, plan: &UnitPlan, searched: &Path) -> anyhow::Result<FuzzTarget> {
    let driver = image_driver(shared, plan).map_err(anyhow::Error::msg)?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = vec![(name(&driver), std::fs::read_to_string(&driver)?)];
    for entry in std::fs::read_dir(driver.parent().unwrap_or(Path::new("")))?.flatten() {
        let path = entry.path();
        if path != driver && path.is_file() && path.extension().is_some_and(|end| end != "so") {
            files.push((name(&path), std::fs::read_to_string(&path)?));
        }
    }
    files[1..].sort();
    let mut corpus: BTreeSet<Vec<u8>> = seeds::all(plan).into_iter().collect();
    let output = &shared.session.options.output;
    corpus.extend(done.kills.iter().filter_map(|kill| std::fs::read(output.join(&kill.outcome.input)).ok()));
    let kept = searched.join("cache").join("search").join(&plan.slug).join("work").join("corpus");
    let kept = std::fs::read_dir(kept).into_iter().flatten().flatten();
    corpus.extend(kept.filter_map(|entry| std::fs::read(entry.path()).ok()));
    let (name, source) = (plan.slug.clone(), plan.source.clone());
    Ok(FuzzTarget { name, files, source, corpus: corpus.into_iter().collect() })
}
