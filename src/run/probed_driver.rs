//! Compiles a unit's driver with probes in the original's text; with fewer or none if that does not build.

use super::shared::Shared;
use crate::build::{CompileFailure, CompileJob};
use crate::plan::UnitPlan;
use crate::probes::{self, Level, POINTS_MOST, UnitProbes, Watched};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The notes about each mutant, by its index.
type Watching = BTreeMap<usize, Watched>;

/// The driver's object, with as many probes as it can have; their notes are numbered from `from`.
pub(super) fn compiled(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    job: &CompileJob<'_>,
    from: usize,
) -> Result<(PathBuf, Watching), CompileFailure> {
    let Some(probes) = shared.probes.get(&plan.unit) else {
        return Ok((shared.builder.compile(job)?, BTreeMap::new()));
    };
    let failed = match noting(shared, plan, job, probes, Level::Infected, from) {
        Ok(built) => return Ok(built),
        Err(why) => why,
    };
    // Is it the probes at all?
    let plain = shared.builder.compile(job)?;
    shared.context.ui.detail(format_args!("{}: no probes in its expressions: {failed}", plan.id));
    for level in [Level::Reached, Level::Entered] {
        if let Ok(built) = noting(shared, plan, job, probes, level, from) {
            return Ok(built);
        }
    }
    shared.context.ui.detail(format_args!("{}: no probes at all: its mutants run on every input", plan.id));
    Ok((plain, BTreeMap::new()))
}

fn noting(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    job: &CompileJob<'_>,
    probes: &UnitProbes,
    level: Level,
    from: usize,
) -> Result<(PathBuf, Watching), String> {
    let folder = shared.session.options.output.join("cache").join("probes");
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    let noted = probes::noted(&[probes], level, from);
    if noted.points > POINTS_MOST {
        return Err(format!("{} places are more than fit", noted.points));
    }
    std::fs::create_dir_all(&folder).map_err(io)?;
    let source = std::fs::read(&probes.file).map_err(io)?;
    let text = folder.join(&plan.slug);
    std::fs::write(&text, noted.text(&source)).map_err(io)?;
    let header = shared.build_session.runtime.join("motif_probe.h").display().to_string();
    let job = job.clone().replacing(&probes.file, &text).with(["-include".to_owned(), header]);
    let object = shared.builder.compile(&job).map_err(|failure| failure.to_string())?;
    Ok((object, noted.mutants))
}
