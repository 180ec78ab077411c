//! Survivors before the solver: what it proves, within which bound, and what it finds.

use super::earlier_run::{Asked as Told, Proved};
use super::exhaustion::{survivors, undecided};
use super::shared::Shared;
use super::slices::Underway;
use super::solver_programs::{Programs, programs};
use super::unit_build::{self, Built};
use super::unit_result::{Finished, Killed, Work};
use crate::build::in_parallel;
use crate::choices::{Decide, Engine};
use crate::decide::solver::{Asked, Bound, Decided, Decision, Seen, Solver};
use crate::diag::Problem;
use crate::engine::Candidate;
use crate::outcome::{By, Copy, Driver, Equivalence, Home, How, Proof, Status};
use crate::plan::{UnitPlan, seeds};
use crate::report::plural;
use crate::session::Session;
use crate::switches::Feature;
use crate::triage::{Judge, Observation, Replayed, Verdict};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many mutants of a unit that died are shown to the solver as well, where it says that others are equivalent.
const DEAD: usize = 2;
/// CPU time for each of these.
const DEAD_TIME: Duration = Duration::from_secs(10);
/// So many inputs are held against each claim that a mutant is equivalent.
const RECORDED_MOST: usize = 32;
/// Why it was not asked to the end.
const INTERRUPTED: &str = "interrupted";

/// A difference that replay has confirmed.
type Found = (How, Box<Observation>, Box<Observation>);

/// Decides what can be decided; returns its CPU seconds. What goes wrong here leaves the mutants alive.
pub(super) fn decide(shared: &Shared<'_>, finished: &mut [Finished]) -> f64 {
    let waiting: usize = finished.iter().map(|unit| open(unit).len()).sum();
    let Some(solver) = opened(shared, waiting) else { return 0.0 };
    let mut seconds = 0.0;
    let stage = shared.context.ui.stage("solving", waiting);
    for (work, finished) in shared.works.iter().zip(finished) {
        let open = open(finished);
        let Some(asked) = asked(shared, &solver, work, &open, finished) else { continue };
        seconds += asked.cpu_seconds;
        for (mutant, why) in asked.left {
            undecided(shared, &asked.plan, &[mutant], &why, finished);
        }
        shared.write_down(work, finished);
        stage.advance_by(open.len(), &asked.plan.id);
    }
    seconds
}

/// A unit, and what there is to go on with.
type Begun<'r> = (Finished, Option<Underway<'r>>);

/// The solver's turn between two parts of a search (`--engine hybrid`): what lives is decided, or the search goes on
/// with the inputs that the solver finds. Returns its CPU seconds as well.
pub(super) fn between<'r>(shared: &Shared<'_>, mut begun: Vec<Begun<'r>>) -> (Vec<Begun<'r>>, f64) {
    if shared.session.options.engine != Engine::Hybrid {
        return (begun, 0.0);
    }
    let waiting: usize = begun.iter().filter_map(|(_, underway)| Some(underway.as_ref()?.open().len())).sum();
    let Some(solver) = opened(shared, waiting) else { return (begun, 0.0) };
    let (mut seconds, clock) = (0.0, Instant::now());
    let stage = shared.context.ui.stage("solving", waiting);
    for (work, (finished, underway)) in shared.works.iter().zip(&mut begun) {
        let Some(underway) = underway else { continue };
        let open = underway.open();
        underway.count_so_far(finished);
        let asked = asked(shared, &solver, work, &open, finished);
        underway.uncount_so_far(finished);
        let Some(asked) = asked else { continue };
        seconds += asked.cpu_seconds;
        finished.solver_seconds += asked.cpu_seconds;
        finished.asked.extend(asked.left);
        underway.take_up(asked.inputs, finished);
        stage.advance_by(open.len(), &asked.plan.id);
    }
    // It has a budget of its own.
    shared.deadline.put_off(clock.elapsed());
    (begun, seconds)
}

/// The solver, where it is wanted, there, and right about what is known.
fn opened(shared: &Shared<'_>, waiting: usize) -> Option<Solver> {
    let Session { options, switches, tools, .. } = shared.session;
    let wanted = matches!(options.decide, Decide::All | Decide::Solver) && switches.has(Feature::Decide);
    if !wanted && !options.engine.asks_solver() || shared.afl.is_some() || waiting == 0 {
        return None;
    }
    let path = match tools.solver() {
        Ok(found) => found,
        Err(_) => {
            let what = "the solver `esbmc` would look for what kills them, or prove that nothing does";
            let how = "`motif-cpp doctor` says how to get it";
            shared.context.ui.note(format_args!("{} left: {what}; {how}", plural(waiting, "survivor")));
            return None;
        }
    };
    let known = shared.builder.store().map_or_else(|| folder(shared), |store| store.folder().join("solver"));
    match Solver::open(path.0, path.1.as_deref(), &known) {
        Ok(solver) => Some(solver),
        Err(why) => {
            let fix = "nothing that it says is believed; see `motif-cpp doctor` for another version";
            shared.context.ui.warn(&Problem::tool("solver-wrong", format!("{why:#}"), fix).at(path.0));
            None
        }
    }
}

fn folder(shared: &Shared<'_>) -> PathBuf {
    shared.session.options.output.join("cache").join("solver")
}

/// What came of asking about a unit; what is decided is in its result.
struct Answered {
    plan: UnitPlan,
    /// Why it does not know, of those that are left.
    left: Vec<(usize, String)>,
    /// Inputs that may be of use to a search.
    inputs: Vec<Vec<u8>>,
    cpu_seconds: f64,
}

/// Asks about the `open` mutants of a unit; none where there is nothing to ask, or the run is to end.
fn asked(
    shared: &Shared<'_>,
    solver: &Solver,
    work: &Work,
    open: &[usize],
    finished: &mut Finished,
) -> Option<Answered> {
    let plan = finished.plan.clone().filter(|_| !open.is_empty())?;
    if shared.context.is_interrupted() || shared.journal.failed().is_some() {
        return None;
    }
    let mut answered = Answered { left: Vec::new(), inputs: Vec::new(), cpu_seconds: 0.0, plan: plan.clone() };
    let open = match shared.past.and_then(|past| past.asked(&work.unit)) {
        Some(told) => answered.take_over(told, shared, open, finished),
        None => open.to_vec(),
    };
    if open.is_empty() {
        return Some(answered);
    }
    let unit = Unit { shared, solver, work, plan: &plan, folder: folder(shared).join(&plan.slug) };
    let mut new = Answered { left: Vec::new(), inputs: Vec::new(), cpu_seconds: 0.0, plan: plan.clone() };
    if let Err(why) = unit.decide(&open, &mut new, finished) {
        new.left.extend(open.iter().map(|mutant| (*mutant, format!("{why:#}"))));
    }
    shared.journal.asked(&work.unit, new.told(shared, &open, finished));
    answered.left.append(&mut new.left);
    answered.inputs.append(&mut new.inputs);
    answered.cpu_seconds += new.cpu_seconds;
    Some(answered)
}

impl Answered {
    /// What is written down, so that a run that goes on asks nothing twice.
    fn told(&self, shared: &Shared<'_>, open: &[usize], finished: &Finished) -> Told {
        let id = |mutant: &usize| shared.mutants[*mutant].id.clone();
        let proved = open.iter().filter_map(|mutant| {
            let (status, reason) = finished.statuses.get(mutant)?.clone();
            let proof = finished.equivalences.get(mutant)?.clone();
            Some((id(mutant), Proved { status, reason, proof }))
        });
        let whole = self.left.iter().filter(|(_, why)| !why.ends_with(INTERRUPTED));
        Told {
            budget: shared.session.options.decide_budget.as_secs_f64(),
            proved: proved.collect(),
            open: whole.map(|(mutant, why)| (id(mutant), why.clone())).collect(),
            inputs: self.inputs.clone(),
            cpu_seconds: self.cpu_seconds,
        }
    }

    /// Takes over what an earlier part of the run was told, and gives those of `open` that are still to be asked about.
    /// (What kills is among the inputs that the search begins with.)
    fn take_over(&mut self, told: &Told, shared: &Shared<'_>, open: &[usize], finished: &mut Finished) -> Vec<usize> {
        self.cpu_seconds += told.cpu_seconds;
        self.inputs.extend(told.inputs.iter().cloned());
        let has_more_time = shared.session.options.decide_budget.as_secs_f64() > told.budget;
        let mut left = Vec::new();
        for mutant in open {
            let id = &shared.mutants[*mutant].id;
            match (told.proved.get(id), told.open.get(id)) {
                (Some(Proved { status, reason, proof }), _) => {
                    finished.statuses.insert(*mutant, (*status, reason.clone()));
                    finished.equivalences.insert(*mutant, proof.clone());
                }
                (None, Some(why)) if !has_more_time => self.left.push((*mutant, why.clone())),
                _ => left.push(*mutant),
            }
        }
        left
    }
}

/// The survivors of which nothing is known yet.
fn open(finished: &Finished) -> Vec<usize> {
    let is_open = |mutant: &usize| !finished.equivalences.contains_key(mutant) && !finished.asked.contains_key(mutant);
    survivors(finished).into_iter().filter(is_open).collect()
}

struct Unit<'u> {
    shared: &'u Shared<'u>,
    solver: &'u Solver,
    work: &'u Work,
    plan: &'u UnitPlan,
    folder: PathBuf,
}

impl Unit<'_> {
    fn decide(&self, open: &[usize], to: &mut Answered, finished: &mut Finished) -> anyhow::Result<()> {
        let Self { shared, plan, work, .. } = self;
        let begun = Instant::now();
        let says_no = |why: String| anyhow::anyhow!("{why}");
        let steady = finished.outcome.reason.is_none() && finished.outcome.driver != Driver::Edited;
        if !steady || finished.manner.fills {
            return Err(says_no("its result is not the same each time".into()));
        }
        if crate::generate::failing_calls::has_any(plan) {
            return Err(says_no("calls may fail (`--fault`), of which the solver knows nothing".into()));
        }
        let trusted = shared.memory.of_solver(shared.session, &plan.unit);
        let trusted = trusted.map_err(|why| says_no(format!("the solver cannot be trusted with {why}")))?;
        std::fs::create_dir_all(&self.folder)?;
        shared.builder.thread_cpu_seconds();
        let programs = programs(shared, plan, work, &trusted, &self.folder).map_err(says_no)?;
        let home = if finished.outcome.copy == Some(Copy::Image) { Home::InPlace } else { Home::Copy };
        let built = unit_build::bare(shared, plan, work, open, home, &self.folder).map_err(says_no)?;
        shared.count_build(finished);
        let mut judge = Judge::new(&shared.build_session.worker, &built.unit_so, &self.folder.join("judge"))?;
        judge.strict = finished.manner.strict;
        let judge = Mutex::new(judge);
        let (answers, _) = in_parallel(
            shared.session.options.jobs.get(),
            &built.mutants,
            |mutant| self.ask(&programs, &built, *mutant, &judge),
            || (),
        );
        let mut answered = Vec::new();
        for (mutant, answer) in built.mutants.iter().zip(answers) {
            match answer {
                Ok((mut decided, found)) => {
                    to.cpu_seconds += decided.cpu_seconds;
                    to.inputs.append(&mut decided.inputs);
                    answered.push((*mutant, decided, found));
                }
                Err(why) => to.left.push((*mutant, format!("{why:#}"))),
            }
        }
        let those = |is_claim: fn(&Decision) -> bool| -> Vec<usize> {
            answered.iter().filter(|(_, decided, _)| is_claim(&decided.decision)).map(|(mutant, ..)| *mutant).collect()
        };
        let claimed = those(|decision| matches!(decision, Decision::Same(_)));
        let bounded = those(|decision| matches!(decision, Decision::Within(..)));
        let mut judge = judge.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut lie = self.refuted(&built, &claimed, &to.inputs, &mut judge)?;
        // Within its bound it saw nothing of what an input shows.
        let mut is_blind = self.differing(&built, &bounded, &to.inputs, &mut judge)?.is_some();
        finished.triage_seconds += judge.cpu_seconds();
        if lie.is_none() && (!claimed.is_empty() || !bounded.is_empty() && !is_blind) {
            let (found, blind, seconds) = self.lie(&programs, finished)?;
            to.cpu_seconds += seconds;
            lie = found;
            is_blind |= blind;
        }
        for (mutant, decided, found) in answered {
            let why = match (&decided.decision, found) {
                (Decision::Differs(input), Some(found)) => {
                    self.killed(mutant, input.clone(), found, begun, &decided, finished)?;
                    continue;
                }
                (Decision::Same(_) | Decision::Within(..), _) if lie.is_some() => lie.clone().unwrap_or_default(),
                (Decision::Same(seen), _) => {
                    self.same(mutant, *seen, programs.is_of_numbers, None, &decided, finished);
                    continue;
                }
                (Decision::Within(..), _) if is_blind => {
                    format!("{}: within its bounds it sees nothing of a mutant that an input kills", self.solver.tool)
                }
                (Decision::Within(seen, bound), _) => {
                    self.same(mutant, *seen, programs.is_of_numbers, Some(*bound), &decided, finished);
                    continue;
                }
                (Decision::Open(why), _) => format!("{}: {why}", self.solver.tool),
                (Decision::Differs(_), None) => "its input was lost".to_owned(),
            };
            to.left.push((mutant, why));
        }
        Ok(())
    }

    /// What the solver says of one mutant.
    fn ask(
        &self,
        programs: &Programs,
        built: &Built,
        mutant: usize,
        judge: &Mutex<Judge>,
    ) -> anyhow::Result<(Decided, Option<Found>)> {
        let found: Mutex<Option<Found>> = Mutex::new(None);
        let slot = built.mutants.iter().position(|one| *one == mutant);
        let kills = |input: &[u8]| {
            let Some(slot) = slot else { return Ok(false) };
            let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
            let verdict = judge.judge(&Replayed::of(&built.slots[slot]), input)?;
            let Verdict::Killed { how, original, mutant } = verdict else { return Ok(false) };
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some((how, original, mutant));
            Ok(true)
        };
        let budget = self.shared.session.options.decide_budget;
        let decided = self.asked(programs, mutant, budget, &kills)?;
        Ok((decided, found.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    fn asked(
        &self,
        programs: &Programs,
        mutant: usize,
        budget: Duration,
        kills: &dyn Fn(&[u8]) -> anyhow::Result<bool>,
    ) -> anyhow::Result<Decided> {
        let Some(number) = programs.numbers.get(&mutant).copied() else {
            let why = "it cannot stand beside the original".to_owned();
            return Ok(Decided::open(why));
        };
        if self.shared.context.is_interrupted() {
            return Ok(Decided::open(INTERRUPTED.into()));
        }
        let is_stranger = programs.strangers.contains(&mutant);
        if is_stranger && !programs.both.aside.is_empty() {
            return Ok(Decided::open("it names what the original does not".into()));
        }
        if programs.writers.contains(&mutant) {
            return Ok(Decided::open("it may change a table that the original only reads".into()));
        }
        let noted = programs.noted.as_ref();
        let folder = self.folder.join(format!("m{number}"));
        let asked = Asked {
            solver: &self.solver.program,
            both: &programs.both,
            aside: if is_stranger { &[] } else { &programs.aside },
            number,
            noted: noted.and_then(|(program, notes)| Some((program, *notes.get(&mutant)?))),
            budget,
            folder: &folder,
            kills,
        };
        let decided = asked.decide();
        // Its programs are large, and can be written again.
        let _ = std::fs::remove_dir_all(&folder);
        decided
    }

    /// What the solver says of mutants that an input kills. If it does not see a difference, nothing that it says of
    /// the unit is believed, and why is told. Whether it sees none within a bound, which then bounds too much; and CPU
    /// seconds.
    fn lie(&self, programs: &Programs, finished: &Finished) -> anyhow::Result<(Option<String>, bool, f64)> {
        let plainly = |kill: &&Killed| matches!(kill.outcome.how, How::Output | How::State | How::Exception);
        let dead = finished.kills.iter().filter(plainly).filter(|kill| programs.numbers.contains_key(&kill.mutant));
        let (mut spent, mut is_blind) = (0.0, false);
        for kill in dead.take(DEAD) {
            let decided = self.asked(programs, kill.mutant, DEAD_TIME, &|_| Ok(true))?;
            spent += decided.cpu_seconds;
            let length = std::fs::metadata(&kill.outcome.input).map_or(0, |file| file.len());
            is_blind |= matches!(decided.decision, Decision::Within(_, bound)
                if bound.bytes.is_none_or(|most| length <= most as u64));
            if matches!(decided.decision, Decision::Same(_)) {
                return Ok((Some(self.is_wrong(kill.mutant, &kill.outcome.input)), is_blind, spent));
            }
        }
        Ok((None, is_blind, spent))
    }

    /// Runs the mutants that it calls equivalent on inputs that no search has shown them: its own, and where there was
    /// no search, those that calibration began with. If one differs, nothing that it says of the unit is believed, and
    /// why is told.
    fn refuted(
        &self,
        built: &Built,
        claimed: &[usize],
        inputs: &[Vec<u8>],
        judge: &mut Judge,
    ) -> anyhow::Result<Option<String>> {
        let Some((mutant, input)) = self.differing(built, claimed, inputs, judge)? else { return Ok(None) };
        let kept = self.folder.join("refutes");
        std::fs::write(&kept, input)?;
        Ok(Some(self.is_wrong(mutant, &kept)))
    }

    /// The first of `mutants` that differs on an input that no search has shown it, and that input.
    fn differing(
        &self,
        built: &Built,
        mutants: &[usize],
        inputs: &[Vec<u8>],
        judge: &mut Judge,
    ) -> anyhow::Result<Option<(usize, Vec<u8>)>> {
        let mut recorded = inputs.to_vec();
        if self.shared.session.options.engine == Engine::Symbolic {
            recorded.extend(seeds::all(self.plan));
        }
        recorded.truncate(RECORDED_MOST);
        for (slot, mutant) in built.slots.iter().zip(&built.mutants).filter(|(_, mutant)| mutants.contains(mutant)) {
            for input in &recorded {
                if matches!(judge.judge(&Replayed::of(slot), input)?, Verdict::Killed { .. }) {
                    return Ok(Some((*mutant, input.clone())));
                }
            }
        }
        Ok(None)
    }

    /// Tells that it calls a mutant equivalent that an input kills.
    fn is_wrong(&self, mutant: usize, input: &Path) -> String {
        let (tool, id) = (&self.solver.tool, &self.shared.mutants[mutant].id);
        let what = format!("{tool} says that {id} is equivalent, and {} kills it", input.display());
        let fix = "nothing that it says of this function is believed; please report it, with both files";
        self.shared.context.ui.warn(&Problem::untestable("solver-wrong", what, fix).at(&self.solver.program));
        format!("{tool} is wrong about {id}, which an input kills")
    }

    fn killed(
        &self,
        mutant: usize,
        input: Vec<u8>,
        found: Found,
        begun: Instant,
        decided: &Decided,
        finished: &mut Finished,
    ) -> anyhow::Result<()> {
        let (how, original, mutated) = found;
        let before = finished.efforts.get(&mutant).copied().unwrap_or_default();
        let candidate = Candidate {
            slot: 0,
            input,
            by: By::Symbolic,
            seconds: before.seconds + begun.elapsed().as_secs_f64(),
            cpu_seconds: decided.cpu_seconds,
            executions: before.executions,
            hint: how,
        };
        let spent = finished.spent();
        let outcome = self.shared.stored(self.plan, mutant, &candidate, how, spent)?;
        finished.kills.push(Killed { mutant, outcome, original: *original, mutated: *mutated, unproved: None });
        finished.statuses.insert(mutant, (Status::Killed, None));
        if let Some(effort) = finished.efforts.get_mut(&mutant) {
            (effort.reached, effort.infected) = (true, Some(true));
        }
        Ok(())
    }

    /// What is proved, in words and for scripts.
    fn same(
        &self,
        mutant: usize,
        seen: Seen,
        all_inputs: bool,
        bound: Option<Bound>,
        decided: &Decided,
        finished: &mut Finished,
    ) {
        let (said, mut proof) = proof(&self.solver.tool, seen, all_inputs, bound, decided.cpu_seconds);
        proof.assumptions.extend(alike(&decided.aside));
        let status = if proof.bound.is_none() { Status::Equivalent } else { Status::Live };
        finished.statuses.insert(mutant, (status, Some(said)));
        finished.equivalences.insert(mutant, proof);
    }
}

fn proof(tool: &str, seen: Seen, all_inputs: bool, bound: Option<Bound>, cpu_seconds: f64) -> (String, Equivalence) {
    let mut bounds = Vec::new();
    let Bound { rounds, bytes, defined } = bound.unwrap_or_default();
    bounds.extend(rounds.map(|rounds| format!("loops of up to {rounds} rounds")));
    bounds.extend(bytes.filter(|_| !all_inputs).map(|bytes| format!("inputs of up to {bytes} bytes")));
    bounds.extend(defined.then(|| "sums and shifts that the language defines".to_owned()));
    bounds.extend((!all_inputs).then(|| "objects, arrays and texts as the driver makes them".to_owned()));
    let bound = (!bounds.is_empty()).then(|| bounds.join("; "));
    let what = match seen {
        Seen::There => "the changed place never has another value",
        Seen::Outside => "the same result for all inputs",
    };
    let within = bound.as_ref().map(|bound| format!(", within a bound: {bound}")).unwrap_or_default();
    let assumptions = [
        "integers that overflow wrap around",
        "memory can always be allocated",
        "rounding is to the nearest, all NaN are alike, and `errno` and floating-point exceptions are not compared",
    ];
    let proof = Equivalence {
        tool: Some(tool.to_owned()),
        bound,
        assumptions: assumptions.map(str::to_owned).to_vec(),
        cpu_seconds,
        ..Equivalence::by(Proof::Solver)
    };
    (format!("{what}, by {tool}{within}"), proof)
}

/// What is taken for granted of functions that were put aside.
fn alike(aside: &[String]) -> Option<String> {
    let names: Vec<String> = aside.iter().map(|name| format!("`{name}`")).collect();
    let names = match names.as_slice() {
        [] => return None,
        [one] => return Some(format!("{one} returns, and gives the same for the same arguments")),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    Some(format!("{names} return, and give the same for the same arguments"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proof_without_a_bound_has_none_and_says_what_was_proved() {
        let (said, whole) = proof("esbmc 1.0", Seen::Outside, true, None, 1.0);
        assert_eq!(said, "the same result for all inputs, by esbmc 1.0");
        assert_eq!((whole.by, whole.bound), (Proof::Solver, None));
        let within = Bound { rounds: Some(12), bytes: Some(40), defined: false };
        let (said, part) = proof("esbmc 1.0", Seen::There, false, Some(within), 1.0);
        let bound =
            "loops of up to 12 rounds; inputs of up to 40 bytes; objects, arrays and texts as the driver makes them";
        assert_eq!(part.bound.as_deref(), Some(bound));
        assert_eq!(said, format!("the changed place never has another value, by esbmc 1.0, within a bound: {bound}"));
    }
}
