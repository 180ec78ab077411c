//! The programs that the solver reads: a unit's driver with the mutants in place, and the original with notes.
//!
//! C is given to it preprocessed, as the project compiles it, with the system's own headers.

use super::shared::Shared;
use super::unit_build;
use super::unit_result::Work;
use crate::build::{CompileJob, Flavor};
use crate::compdb::CompileCommand;
use crate::decide::numbers::Numbers;
use crate::decide::solver::Program;
use crate::decide::solver::knowledge;
use crate::generate;
use crate::model::Language;
use crate::outcome::Home;
use crate::plan::{UnitPlan, seeds};
use crate::probes::{self, Level, POINTS_MOST};
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Values that a record has room for.
const CELLS: usize = 512;
/// Bytes of an input that has texts, arrays or objects; numbers alone have all that they need.
const BYTES: usize = 40;
/// No input of numbers alone is longer.
const BYTES_MOST: usize = 256;

/// What the solver is asked about a unit.
pub(super) struct Programs {
    /// Both sides in one program.
    pub both: Program,
    /// The number of each mutant in it, by its index; the others cannot stand beside the original.
    pub numbers: BTreeMap<usize, u32>,
    /// The original with notes, and each mutant's.
    pub noted: Option<(Program, BTreeMap<usize, u32>)>,
    /// The arguments are numbers and nothing else: the driver makes all of them.
    pub is_of_numbers: bool,
}

/// Writes the programs of a unit into `folder`.
///
/// # Errors
/// Why there are none.
pub(super) fn programs(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    files: &BTreeSet<PathBuf>,
    folder: &Path,
) -> Result<Programs, String> {
    let Session { model, hierarchy, database, .. } = shared.session;
    if plan.language != Language::C {
        return Err("it is C++".into());
    }
    let command = &database.commands[plan.command];
    let others = others(shared, plan, files, folder)?;
    for command in others.iter().map(|(command, _)| *command).chain([command]) {
        if let Some(option) = knowledge::odd_option(&command.args) {
            return Err(format!("`{option}` gives numbers another meaning than the solver's"));
        }
    }
    let others: Vec<PathBuf> = others.into_iter().map(|(_, text)| text).collect();
    let mutants: Vec<_> = work.mutants.iter().map(|index| &shared.mutants[*index]).collect();
    let generated = generate::unit(model, hierarchy, plan, &mutants, Home::InPlace)?;
    if generated.in_place.is_empty() {
        return Err(generated.copy_reason.unwrap_or_else(|| "its mutants cannot stand beside the original".into()));
    }
    let driver = unit_build::image_driver(shared, plan)?;
    let is_of_numbers = Numbers::alone(plan).is_some();
    let longest = seeds::all(plan).iter().map(Vec::len).max().unwrap_or(0) + 8;
    let bytes = longest.min(if is_of_numbers { BYTES_MOST } else { BYTES });
    let text = |name: &str, points: usize, overlay: &dyn Fn(CompileJob<'_>) -> Result<PathBuf, String>| {
        let source = folder.join(name).with_extension("c");
        let text = format!(
            "#define MOTIF_BYTES {bytes}\n#define MOTIF_CELLS {CELLS}\n#define MOTIF_POINTS {}\n#include \"{}\"\n\
             #include \"motif_solver.h\"\n",
            points.max(1),
            driver.display()
        );
        std::fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let job = CompileJob::generated(&source, command, Flavor::DraftMutant)
            .with(shared.build_session.options(plan))
            .with(["-DMOTIF_SOLVER"]);
        let out = overlay(job)?;
        let text = std::fs::read(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        Ok::<_, String>(Program {
            text: String::from_utf8(text).map_err(|_| "its text is not UTF-8")?,
            extension: "i",
            others: others.clone(),
            bytes,
            cells: CELLS,
        })
    };
    let preprocessed = |job: &CompileJob<'_>, name: &str| {
        let out = folder.join(name).with_extension("i");
        shared.builder.preprocess(job, &out).map(|()| out).map_err(|failure| failure.to_string())
    };
    let both =
        text("both", 1, &|job| preprocessed(&unit_build::in_place(shared, job, folder, &generated.in_place)?, "both"))?;
    let numbers = work.mutants.iter().zip(&generated.sides).filter(|(_, (home, _))| *home == Home::InPlace);
    let numbers = numbers.map(|(index, (_, number))| (*index, *number)).collect();
    let noted = shared.probes.get(&plan.unit).and_then(|found| {
        let noted = probes::noted(&[found], Level::Infected, 0);
        if noted.points > POINTS_MOST {
            return None;
        }
        let source = std::fs::read(&found.file).ok()?;
        let instrumented = [(found.file.clone(), noted.text(&source))];
        let program = text("noted", noted.points, &|job| {
            preprocessed(&unit_build::in_place(shared, job, folder, &instrumented)?, "noted")
        });
        let notes = noted.mutants.iter().map(|(index, seen)| (*index, seen.infected.unwrap_or(seen.reached)));
        Some((program.ok()?, notes.collect()))
    });
    Ok(Programs { both, numbers, noted, is_of_numbers })
}

/// The project's other files with bodies that the unit comes to, preprocessed.
fn others<'s>(
    shared: &Shared<'s>,
    plan: &UnitPlan,
    files: &BTreeSet<PathBuf>,
    folder: &Path,
) -> Result<Vec<(&'s CompileCommand, PathBuf)>, String> {
    let Session { model, database, .. } = shared.session;
    let own = model.unit_compiling(&plan.source).map_or(&[][..], |unit| &unit.files);
    let sources: BTreeSet<&Path> = files
        .iter()
        .filter(|file| !own.contains(file) && **file != plan.source)
        .filter_map(|file| model.unit_of(file).map(|unit| unit.main_file.as_path()))
        .collect();
    let mut others = Vec::new();
    for (number, source) in sources.into_iter().enumerate() {
        if model.files.get(source).is_some_and(|file| file.defines_main) {
            return Err(format!("it calls what stands beside a `main`, in {}", source.display()));
        }
        let command = database.commands.iter().find(|command| command.file == source);
        let command = command.ok_or_else(|| format!("{} is not compiled", source.display()))?;
        let out = folder.join(format!("other-{number}.i"));
        let job = CompileJob::project(command, Flavor::DraftMutant);
        shared.builder.preprocess(&job, &out).map_err(|failure| failure.to_string())?;
        others.push((command, out));
    }
    Ok(others)
}
