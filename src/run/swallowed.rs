//! Survivors that changed a value and never the result: how far the difference got, by runs with marks.

use super::exhaustion::{UNDECIDED, survivors};
use super::shared::Shared;
use super::unit_build;
use super::unit_result::Finished;
use crate::build::{CompileJob, Flavor};
use crate::choices::Decide;
use crate::engine::Side;
use crate::model::Language;
use crate::outcome::{Home, Status};
use crate::parse;
use crate::plan::UnitPlan;
use crate::probes::{self, Composite, Surroundings, Trail, View, sentence, unchanged};
use crate::report::plural;
use crate::switches::Feature;
use crate::triage::{Judge, Observation, Replay, Replayed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// So many mutants of a unit are followed.
const MUTANTS_MOST: usize = 48;
/// So many inputs are run for each, until so many show the difference.
const INPUTS_MOST: usize = 48;
const SHOWN_MOST: usize = 4;
/// Stands before what is said here.
const INSIDE: &str = "; inside, ";

/// Says of each survivor that changed a value how far the difference got, where that is clear.
pub(super) fn tell(shared: &Shared<'_>, finished: &mut [Finished]) {
    let session = shared.session;
    let wanted = session.options.decide != Decide::None && session.switches.has(Feature::Decide);
    if !wanted || shared.afl.is_some() {
        return;
    }
    let numbers: Vec<usize> = (0..finished.len()).filter(|number| !open(&finished[*number]).is_empty()).collect();
    if numbers.is_empty() {
        return;
    }
    let stage = shared.context.ui.stage("following", numbers.len());
    let places: Vec<Mutex<&mut Finished>> = finished.iter_mut().map(Mutex::new).collect();
    shared.builder.in_parallel(&numbers, |number| {
        let finished = &mut **places[*number].lock().unwrap_or_else(PoisonError::into_inner);
        let open = open(finished);
        let Some(plan) = finished.plan.clone() else { return };
        if shared.context.is_interrupted() || shared.journal.failed().is_some() {
            return;
        }
        shared.builder.thread_cpu_seconds();
        let told = Unit { shared, plan: &plan }.tell(&open, finished);
        shared.count_build(finished);
        match told {
            Ok(told) => {
                for (mutant, said) in told {
                    add(finished, mutant, &said);
                }
                shared.write_down(&shared.works[*number], finished);
            }
            Err(why) => shared.context.ui.detail(format_args!("{}: no difference is followed: {why}", plan.id)),
        }
        stage.advance(&plan.id);
    });
}

/// The survivors that changed a value, or may have, and of which nothing is said yet.
fn open(finished: &Finished) -> Vec<usize> {
    let may_differ = |mutant: &usize| {
        finished.efforts.get(mutant).is_some_and(|effort| effort.reached && effort.infected != Some(false))
    };
    let untold = |mutant: &usize| {
        let reason = finished.statuses.get(mutant).and_then(|(_, reason)| reason.as_deref());
        !reason.is_some_and(|reason| reason.contains(INSIDE))
    };
    survivors(finished).into_iter().filter(|mutant| may_differ(mutant) && untold(mutant)).take(MUTANTS_MOST).collect()
}

/// Puts what was seen behind what the search has seen, and before why nothing is proved.
fn add(finished: &mut Finished, mutant: usize, said: &str) {
    if let Some((Status::Live, reason)) = finished.statuses.get_mut(&mutant) {
        let reason = reason.get_or_insert_with(|| "no input told it from the original".into());
        let at = reason.find(UNDECIDED).unwrap_or(reason.len());
        reason.insert_str(at, &format!("{INSIDE}{said}"));
    }
}

struct Unit<'u> {
    shared: &'u Shared<'u>,
    plan: &'u UnitPlan,
}

impl Unit<'_> {
    fn tell(&self, open: &[usize], finished: &mut Finished) -> Result<Vec<(usize, String)>, String> {
        let said = |error: anyhow::Error| format!("{error:#}");
        let output = &self.shared.session.options.output;
        let folder = output.join("cache").join("trail").join(&self.plan.slug);
        let inputs = inputs(&output.join("cache").join("search").join(&self.plan.slug).join("work"));
        if inputs.is_empty() {
            return Ok(Vec::new());
        }
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let trail = self.trail(open, &folder)?;
        let built = self.built(&trail, &folder)?;
        let worker = &self.shared.build_session.worker;
        let mut judge = Judge::new(worker, &built, &folder).map_err(said)?;
        let side = Side::of(Home::InPlace, built);
        let mut originals: BTreeMap<usize, Observation> = BTreeMap::new();
        let how = Replay { notes: true, ..Replay::default() };
        let mut told = Vec::new();
        for (mutant, marked) in &trail.marked {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            let mut same: BTreeMap<String, usize> = BTreeMap::new();
            let mut shown = 0;
            for (number, input) in inputs.iter().enumerate() {
                if shown >= SHOWN_MOST || self.shared.context.is_interrupted() {
                    break;
                }
                let original = match originals.get(&number) {
                    Some(original) => original,
                    None => {
                        let run = judge.replay(&Replayed::Mutant(side.clone(), 0), input, how).map_err(said)?;
                        originals.entry(number).or_insert(run)
                    }
                };
                if original.failure().is_some() {
                    continue;
                }
                let number = marked.number;
                let run = judge.replay(&Replayed::Mutant(side.clone(), number), input, how).map_err(said)?;
                if !original.same(&run) {
                    continue;
                }
                let sums = [original.sums(), run.sums()];
                if let Some(said) = sentence(&trail.marks, marked, [&sums[0], &sums[1]]) {
                    shown += 1;
                    *seen.entry(said).or_default() += 1;
                } else if let Some(said) = unchanged(&trail.marks, marked, [&sums[0], &sums[1]]) {
                    *same.entry(said).or_default() += 1;
                }
            }
            let most = |all: BTreeMap<String, usize>| all.into_iter().max_by_key(|(_, times)| *times);
            if let Some((said, times)) = most(seen) {
                let what = if shown == 1 { "the input" } else { "inputs" };
                told.push((*mutant, format!("{said} (in {times} of {shown} {what} that were followed)")));
            } else if let Some((said, times)) = most(same) {
                told.push((*mutant, format!("{said} (in {} that came by)", plural(times, "input"))));
            } else if let Some(place) = &marked.place {
                told.push((*mutant, format!("the change is in {place}, and is not followed from there")));
            }
        }
        finished.triage_seconds += judge.cpu_seconds();
        // Large, and made again in no time.
        let _ = std::fs::remove_dir_all(&folder);
        Ok(told)
    }

    /// The body and its mutants with marks.
    fn trail(&self, open: &[usize], folder: &Path) -> Result<Trail, String> {
        let session = self.shared.session;
        let model = &session.model;
        let own = open.iter().map(|index| (*index, &self.shared.mutants[*index]));
        let (file, versions) =
            probes::versions(model, &self.plan.unit, own).ok_or("its body has no place for marks")?;
        let source = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let composite = Composite::new(&source, vec![versions]);
        let text = folder.join("versions");
        std::fs::write(&text, &composite.text).map_err(|error| format!("{}: {error}", text.display()))?;
        let command = model.unit_of(&file).and_then(|unit| session.database.commands.get(unit.command));
        let command = command.ok_or("its file is not compiled")?;
        let options = session.parse_options().map_err(|error| format!("{error:#}"))?;
        let trees = parse::trees_of_version(command, &file, &text, &session.database, &options)
            .map_err(|error| format!("{error:#}"))?;
        let function = model.functions.get(&self.plan.unit).ok_or("it is not known")?;
        let has_labels = function.definition.as_ref().is_some_and(|definition| !definition.labels.is_empty());
        let found = composite.find(&trees, &self.plan.unit).filter(|_| !has_labels);
        let found = found.ok_or("its versions cannot stand side by side")?;
        let is_c = function.language == Language::C;
        let by_value = |target: &str, index: usize| {
            let parameter = model.functions.get(target).and_then(|function| function.params.get(index));
            is_c || parameter.is_some_and(|parameter| !parameter.ty.is_reference())
        };
        let ends: Vec<u32> = (0..).zip(&source).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
        let around = Surroundings {
            view: &View::new(&composite.text, &trees.types),
            composite: &composite.text,
            result: &function.result,
            by_value: &by_value,
            line_of: &|offset| 1 + ends.partition_point(|end| *end < offset) as u32,
        };
        Trail::new(&found, &around).ok_or_else(|| "it has no marks, or too many".into())
    }

    fn built(&self, trail: &Trail, folder: &Path) -> Result<PathBuf, String> {
        let Self { shared, plan } = self;
        let session = shared.session;
        let definition = session.model.functions.get(&plan.unit).and_then(|function| function.definition.as_ref());
        let file = &definition.ok_or("it has no body")?.body.file;
        let driver = unit_build::image_driver(shared, plan)?;
        let job = CompileJob::generated(&driver, &session.database.commands[plan.command], Flavor::DraftMutant)
            .with(shared.build_session.options(plan))
            .beginning_with(shared.build_session.prefix());
        let job = unit_build::in_place(shared, job, folder, &[(file.clone(), trail.text.clone())])?;
        let object = shared.builder.compile(&job).map_err(|failure| failure.to_string())?;
        let out = folder.join("trail.so");
        shared
            .build_session
            .link(&plan.source, &[object], Flavor::DraftMutant, &out)
            .map_err(|failure| failure.to_string())?;
        Ok(out)
    }
}

/// What the search has kept: first what made a difference somewhere.
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for part in ["infecting", "corpus"] {
        let files = std::fs::read_dir(folder.join(part)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
        paths.sort();
        all.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
    }
    all.truncate(INPUTS_MOST);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_made_a_difference_is_run_first() {
        let folder = tempfile::tempdir().unwrap();
        for (part, name) in [("corpus", "a"), ("infecting", "b"), ("corpus", "c")] {
            std::fs::create_dir_all(folder.path().join(part)).unwrap();
            std::fs::write(folder.path().join(part).join(name), name).unwrap();
        }
        assert_eq!(inputs(folder.path()), [b"b", b"a", b"c"]);
        assert!(inputs(&folder.path().join("nowhere")).is_empty());
    }
}
