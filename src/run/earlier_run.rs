//! Reads the journal of an earlier part of a run: finished units, and the kills of unfinished ones.

use super::identity::Identity;
use super::input_names::input_of;
use super::unit_result::{Finished, Killed, Manner};
use crate::diag::Problem;
use crate::emit::prove::Proof;
use crate::model::Function;
use crate::mutant::Mutant;
use crate::outcome::{Effort, Equivalence, Kill, Status, UnitOutcome, UnitSeconds};
use crate::plan::Adjustments;
use crate::triage::Observation;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// One line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A run started.
    Started {
        /// When: RFC 3339.
        time: String,
        /// Its identity.
        identity: Identity,
    },
    /// The run was resumed.
    Resumed {
        /// When: RFC 3339.
        time: String,
    },
    /// A confirmed kill; its input is in the output folder.
    Killed { mutant: String, unit: String, kill: Kill },
    /// A slice of a unit's search ended, and the unit is not finished.
    Slice { unit: String, spent: Spent },
    /// What the solver said of a unit's mutants.
    Asked { unit: String, told: Box<Asked> },
    /// A finished unit.
    Unit { done: Box<Done>, spent: Spent },
    /// Proof attempts on original and mutant.
    Proved {
        proofs: Vec<Proof>,
        /// The mutants whose tests include the unit's source.
        with_source: BTreeSet<String>,
    },
    /// The end of the run.
    Ended { interrupted: bool, summary: crate::outcome::Summary },
}

/// The cost of a run up to an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Seconds since its start, without interruptions.
    pub wall: f64,
    /// CPU seconds of compilers and linkers.
    pub build: f64,
    /// Spent of the whole run's budget, in microseconds or inputs.
    #[serde(default)]
    pub budget: u64,
}

/// What the solver said of a unit's mutants, by their ids.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// CPU seconds that it had for each.
    pub budget: f64,
    /// What is proved.
    pub proved: BTreeMap<String, Proved>,
    /// Why it does not know.
    pub open: BTreeMap<String, String>,
    /// Inputs that may be of use to a search.
    pub inputs: Vec<Vec<u8>>,
    /// What it has cost.
    pub cpu_seconds: f64,
}

/// A proof, and how its mutant stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proved {
    pub status: Status,
    pub reason: Option<String>,
    pub proof: Equivalence,
}

/// A finished unit in the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Done {
    usr: String,
    unit: UnitOutcome,
    planned: bool,
    /// The adjustments of the plan.
    changes: Adjustments,
    #[serde(default)]
    manner: Manner,
    #[serde(default)]
    not_compared: Vec<String>,
    mutants: Vec<DoneMutant>,
    #[serde(default)]
    build_seconds: f64,
    search_seconds: f64,
    triage_seconds: f64,
    executions: u64,
    /// Digest of all that its result depends on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reach: Option<String>,
    /// It was not searched in this run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    taken_over: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct DoneMutant {
    id: String,
    status: Status,
    reason: Option<String>,
    effort: Option<Effort>,
    kill: Option<DoneKill>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    equivalence: Option<Equivalence>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct DoneKill {
    kill: Kill,
    original: Observation,
    mutated: Observation,
}

impl Done {
    /// The journal entry of a finished unit.
    pub fn of(usr: &str, finished: &Finished, mutants: &[Mutant], reach: Option<String>) -> Self {
        let mutant = |(number, (status, reason)): (&usize, &(Status, Option<String>))| DoneMutant {
            id: mutants[*number].id.clone(),
            status: *status,
            reason: reason.clone(),
            effort: finished.efforts.get(number).copied(),
            equivalence: finished.equivalences.get(number).cloned(),
            kill: finished.kills.iter().find(|kill| kill.mutant == *number).map(|kill| DoneKill {
                kill: kill.outcome.clone(),
                original: kill.original.clone(),
                mutated: kill.mutated.clone(),
            }),
        };
        Self {
            usr: usr.to_owned(),
            unit: finished.outcome.clone(),
            planned: finished.plan.is_some(),
            changes: finished.changes.clone(),
            manner: finished.manner,
            not_compared: finished.not_compared.clone(),
            mutants: finished.statuses.iter().map(mutant).collect(),
            build_seconds: finished.build_seconds,
            search_seconds: finished.search_seconds,
            triage_seconds: finished.triage_seconds,
            executions: finished.executions,
            reach,
            taken_over: finished.taken_over,
        }
    }

    /// Digest of all that its result depends on.
    pub fn reach(&self) -> Option<&str> {
        self.reach.as_deref()
    }

    /// The adjustments of its plan.
    pub fn changes(&self) -> &Adjustments {
        &self.changes
    }

    /// Whether it has a result of a search for each of these mutants.
    pub fn holds<'i>(&self, mut ids: impl Iterator<Item = &'i &'i str>) -> bool {
        let is_decided = |mutant: &DoneMutant| match mutant.status {
            Status::Killed => mutant.kill.is_some(),
            Status::Equivalent => mutant.equivalence.is_some(),
            Status::Live => mutant.effort.is_some_and(|effort| effort.executions > 0),
            _ => false,
        };
        let known = |id: &&str| self.mutants.iter().any(|mutant| mutant.id == *id && is_decided(mutant));
        self.planned && ids.all(known)
    }

    /// The inputs that it rests on, killing ones with their mutants.
    pub fn inputs(&self) -> impl Iterator<Item = (Option<&str>, &Path)> {
        let kills = self.mutants.iter().filter_map(|mutant| Some((mutant.id.as_str(), mutant.kill.as_ref()?)));
        let kills = kills.map(|(id, kill)| (Some(id), kill.kill.input.as_path()));
        kills.chain(self.unit.suspected_faults.iter().map(|fault| (None, fault.input.as_path())))
    }

    /// The same for another run, in which these mutants have other ids, and which it has cost nothing.
    pub fn renamed(&self, function: &Function, ids: &HashMap<&str, &str>) -> Self {
        let mut other = self.clone();
        other.unit.line = function.definition.as_ref().map_or(0, |definition| definition.extent.line);
        other.unit.cpu_seconds = UnitSeconds::default();
        (other.build_seconds, other.search_seconds, other.triage_seconds) = (0.0, 0.0, 0.0);
        other.taken_over = true;
        other.mutants.retain_mut(|mutant| {
            let Some(id) = ids.get(mutant.id.as_str()) else { return false };
            mutant.id = (*id).to_owned();
            if let Some(DoneKill { kill, .. }) = &mut mutant.kill {
                kill.input = input_of(id);
            }
            true
        });
        other
    }

    /// The ids of its mutants.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.mutants.iter().map(|mutant| mutant.id.as_str())
    }

    /// Whether it had a plan; the plan itself is made again.
    pub fn is_planned(&self) -> bool {
        self.planned
    }

    /// The finished unit, without its plan.
    pub fn finished(&self, mutants: &[usize], all: &[Mutant]) -> Finished {
        let number_of: HashMap<&str, usize> =
            mutants.iter().map(|number| (all[*number].id.as_str(), *number)).collect();
        let mut finished = Finished {
            plan: None,
            manner: self.manner,
            changes: self.changes.clone(),
            entered: true,
            lacks: String::new(),
            not_compared: self.not_compared.clone(),
            unsteady: BTreeSet::default(),
            throws: String::new(),
            outcome: self.unit.clone(),
            statuses: BTreeMap::new(),
            efforts: BTreeMap::new(),
            kills: Vec::new(),
            equivalences: BTreeMap::new(),
            asked: BTreeMap::new(),
            solver_seconds: 0.0,
            build_seconds: self.build_seconds,
            search_seconds: self.search_seconds,
            triage_seconds: self.triage_seconds,
            executions: self.executions,
            taken_over: self.taken_over,
        };
        for mutant in &self.mutants {
            let Some(number) = number_of.get(mutant.id.as_str()).copied() else { continue };
            finished.statuses.insert(number, (mutant.status, mutant.reason.clone()));
            finished.efforts.extend(mutant.effort.map(|effort| (number, effort)));
            finished.equivalences.extend(mutant.equivalence.clone().map(|proof| (number, proof)));
            if let Some(DoneKill { kill, original, mutated }) = &mutant.kill {
                let (original, mutated) = (original.clone(), mutated.clone());
                finished.kills.push(Killed {
                    mutant: number,
                    outcome: kill.clone(),
                    original,
                    mutated,
                    unproved: None,
                });
            }
        }
        finished
    }
}

/// A run to resume.
#[derive(Debug, Default)]
pub struct Past {
    /// The identity of its start.
    pub identity: Identity,
    /// When it was started: RFC 3339.
    pub started: String,
    /// Its cost.
    pub spent: Spent,
    /// The length of the journal up to its last whole line.
    pub whole: u64,
    /// It came to its end.
    pub ended: bool,
    /// It was interrupted, and not resumed.
    pub interrupted: bool,
    units: HashMap<String, Done>,
    /// Kills by unit and mutant.
    kills: HashMap<String, BTreeMap<String, Kill>>,
    asked: HashMap<String, Asked>,
    proofs: HashMap<String, Proof>,
    with_source: BTreeSet<String>,
}

impl Past {
    /// Reads the journal of an output folder.
    ///
    /// # Errors
    ///
    /// There is none, or it has nothing to resume from (exit 2).
    pub fn read(output: &Path) -> Result<Self, Problem> {
        let path = output.join(super::journal::NAME);
        let nothing = |why: String| {
            let fix = "start one with `motif-cpp fuzz`, or name its output folder with -o";
            Problem::usage("resume-nothing", format!("there is no run to resume: {why}"), fix).at(&path)
        };
        let bytes = std::fs::read(&path).map_err(|error| nothing(error.to_string()))?;
        let mut past = Self::default();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            // The last line may be torn. Any unreadable line ends the reliable part.
            let Ok(event) = serde_json::from_slice::<Event>(line) else { break };
            if !line.ends_with(b"\n") {
                break;
            }
            past.whole += line.len() as u64;
            past.take(event);
        }
        if past.started.is_empty() {
            return Err(nothing("its journal has no beginning".into()));
        }
        Ok(past)
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Started { time, identity } => (self.started, self.identity) = (time, identity),
            Event::Killed { mutant, unit, kill } => {
                self.kills.entry(unit).or_default().insert(mutant, kill);
            }
            Event::Unit { done, spent } => {
                self.spent = spent;
                self.units.insert(done.usr.clone(), *done);
            }
            Event::Slice { spent, .. } => self.spent = spent,
            Event::Asked { unit, told } => {
                let known = self.asked.entry(unit).or_default();
                known.budget = told.budget;
                known.cpu_seconds += told.cpu_seconds;
                known.inputs.extend(told.inputs);
                known.proved.extend(told.proved);
                known.open.extend(told.open);
            }
            Event::Proved { proofs, with_source } => {
                // A later proof of a mutant belongs to another test.
                self.with_source.retain(|known| !proofs.iter().any(|proof| proof.mutant_id == *known));
                self.with_source.extend(with_source);
                self.proofs.extend(proofs.into_iter().map(|proof| (proof.mutant_id.clone(), proof)));
            }
            Event::Resumed { .. } => (self.ended, self.interrupted) = (false, false),
            Event::Ended { interrupted, .. } => (self.ended, self.interrupted) = (!interrupted, interrupted),
        }
    }

    /// The finished unit.
    pub fn unit(&self, usr: &str) -> Option<&Done> {
        self.units.get(usr)
    }

    /// What the solver said of a unit's mutants.
    pub fn asked(&self, usr: &str) -> Option<&Asked> {
        self.asked.get(usr)
    }

    /// Takes over a unit of another run, with the proofs of its mutants, whose ids were others there.
    pub fn take_over(&mut self, from: &Self, done: Done, ids: &HashMap<&str, &str>) {
        for (old, new) in ids {
            let Some((proof, with_source)) = from.proof(old) else { continue };
            // Its tests are called by mutants, too.
            let tests = proof.tests.iter().filter_map(|test| ids.get(test.as_str()));
            let tests = tests.map(|id| (*id).to_owned()).collect();
            self.proofs.insert((*new).to_owned(), Proof { mutant_id: (*new).to_owned(), tests, ..proof.clone() });
            self.with_source.extend(with_source.then(|| (*new).to_owned()));
        }
        self.units.insert(done.usr.clone(), done);
    }

    /// All of it as a journal has it: units in order, then their proofs.
    pub fn events(&self) -> Vec<Event> {
        let mut units: Vec<&Done> = self.units.values().collect();
        units.sort_by_key(|done| &done.usr);
        let unit = |done: &&Done| Event::Unit { done: Box::new((*done).clone()), spent: Spent::default() };
        let mut events: Vec<Event> = units.iter().map(unit).collect();
        let mut proofs: Vec<Proof> = self.proofs.values().cloned().collect();
        proofs.sort_by(|a, b| a.mutant_id.cmp(&b.mutant_id));
        events.push(Event::Proved { proofs, with_source: self.with_source.clone() });
        events
    }

    /// The number of finished units.
    pub fn units(&self) -> usize {
        self.units.len()
    }

    /// The kills of a unit, by mutant.
    pub fn kills(&self, usr: &str) -> impl Iterator<Item = (&str, &Kill)> {
        self.kills.get(usr).into_iter().flatten().map(|(mutant, kill)| (mutant.as_str(), kill))
    }

    /// The proof of a mutant's test, and whether it includes the unit's source.
    pub fn proof(&self, mutant: &str) -> Option<(&Proof, bool)> {
        Some((self.proofs.get(mutant)?, self.with_source.contains(mutant)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{By, How};

    fn kill(executions: u64) -> Kill {
        let input = "inputs/m".into();
        let (how, by) = (How::Output, By::Search);
        Kill { how, by, input, seconds: 0.5, cpu_seconds: 0.25, executions, test: None, verified: false }
    }

    fn journal(lines: &[String], tail: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(folder.path().join(super::super::journal::NAME), text + tail).unwrap();
        folder
    }

    fn line(event: &Event) -> String {
        serde_json::to_string(event).unwrap()
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_the_rest_is_known() {
        let started = line(&Event::Started { time: "then".into(), identity: Identity::default() });
        let killed = line(&Event::Killed { mutant: "m".into(), unit: "u".into(), kill: kill(7) });
        let lines = [started, killed.clone()];
        for cut in [0, 1, killed.len() / 2, killed.len()] {
            let folder = journal(&lines, &killed[..cut]);
            let past = Past::read(folder.path()).unwrap();
            assert_eq!(past.whole as usize, lines.iter().map(|line| line.len() + 1).sum::<usize>());
            assert_eq!(past.kills("u").collect::<Vec<_>>(), [("m", &kill(7))]);
            assert_eq!(past.kills("v").count(), 0);
        }
    }

    #[test]
    fn what_units_under_way_have_spent_is_known() {
        let started = line(&Event::Started { time: "then".into(), identity: Identity::default() });
        let slice = |budget| {
            let spent = Spent { wall: budget as f64, build: 1.0, budget };
            line(&Event::Slice { unit: "u".into(), spent })
        };
        let past = Past::read(journal(&[started, slice(3), slice(8)], "").path()).unwrap();
        assert_eq!(past.spent, Spent { wall: 8.0, build: 1.0, budget: 8 });
        assert!(past.unit("u").is_none(), "it is not done");
    }

    #[test]
    fn without_a_beginning_there_is_nothing_to_go_on_with() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Past::read(folder.path()).unwrap_err().code, "resume-nothing");
        assert_eq!(Past::read(journal(&[], "{\"event\":\"star").path()).unwrap_err().code, "resume-nothing");
    }
}
