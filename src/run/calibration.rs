//! Calibration: builds a driver, runs the original on the seeds, and adjusts the plan to its behaviour.

use super::shared::Shared;
use super::unit_build;
use super::unit_build::Built;
use super::unit_result::{Finished, GivenUp, Work};
use crate::compdb::CompileCommand;
use crate::outcome::{Copy, Home};
use crate::plan::record_paths::{ARGUMENTS, member_at};
use crate::plan::{UnitPlan, seeds};
use crate::session::Session;
use crate::triage::{Ending, SeedRun, baseline, fails_throughout, unsteady};
use std::collections::BTreeSet;

/// The original's behaviour on the seeds.
#[derive(Default)]
struct OnSeeds {
    /// It fails on every seed, or its objects cannot be destroyed afterwards.
    fails: bool,
    /// The number of seeds on which it fails, hangs excluded.
    failing: usize,
    /// On some seeds the call succeeds, and its objects cannot be destroyed afterwards.
    late: bool,
    /// Seeds on which it hangs, or takes much longer than on others.
    hung: BTreeSet<usize>,
    /// Seeds on which it differs from itself.
    differs: BTreeSet<usize>,
    /// On some seeds it shows uninitialised memory.
    stale: bool,
    /// Seeds on which the copy differs from it with no active mutant.
    unlike: BTreeSet<usize>,
    /// The cost of running it.
    cpu_seconds: f64,
}

/// A driver that was tried.
pub(super) struct Tried {
    pub built: Built,
    pub seeds: Vec<Vec<u8>>,
    on: OnSeeds,
}

impl Tried {
    /// Whether objects can be destroyed after some inputs: then inputs after which they cannot need not be accepted.
    pub fn can_be_taken_down(&self) -> bool {
        !self.on.fails
    }

    /// Whether uninitialised memory shows in the comparison.
    pub fn looks_at_stale_memory(&self) -> bool {
        self.on.stale
    }

    /// The seeds that the search starts with, and those that hang.
    pub fn seeds_and_hung(&self) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let (hung, others): (Vec<_>, Vec<_>) =
            self.seeds.iter().cloned().enumerate().partition(|(seed, _)| self.on.hung.contains(seed));
        let inputs = |seeds: Vec<(usize, Vec<u8>)>| seeds.into_iter().map(|(_, input)| input).collect();
        (inputs(others), inputs(hung))
    }
}

/// Builds, and changes the plan by what the original does on the seeds; what was changed is in `finished`.
///
/// # Errors
/// No driver can be built.
pub(super) fn calibrate(
    shared: &Shared<'_>,
    plan: &mut UnitPlan,
    command: &CompileCommand,
    work: &Work,
    finished: &mut Finished,
) -> Result<Tried, GivenUp> {
    // An edited utility class knows the original's names only, which is what an image has.
    if shared.edited.contains_key(&plan.slug) {
        return tried(shared, plan, command, work, Home::InPlace, finished);
    }
    if let Some(tried) = tried_together(shared, plan, work, finished)? {
        return Ok(tried);
    }
    let tried = tried(shared, plan, command, work, Home::Copy, finished)?;
    let mut calibration = Calibration { shared, plan, command, work, finished, tried };
    calibration.ask_less()?;
    calibration.choose_owners()?;
    calibration.choose_surroundings()?;
    calibration.leave_out_unsteady_members()?;
    calibration.leave_out_unsteady_entries()?;
    calibration.choose_making()?;
    Ok(calibration.tried)
}

/// Builds a plan as it was calibrated before.
///
/// # Errors
/// No driver can be built.
pub(super) fn as_planned(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    work: &Work,
    finished: &mut Finished,
) -> Result<Tried, GivenUp> {
    let best = if shared.edited.contains_key(&plan.slug) { Home::InPlace } else { Home::Copy };
    let tried = tried(shared, plan, command, work, best, finished)?;
    let plan = &mut plan.clone();
    let mut calibration = Calibration { shared, plan, command, work, finished, tried };
    calibration.choose_making()?;
    Ok(calibration.tried)
}

/// A plan that is changed until the original does well on the seeds.
struct Calibration<'c, 'r> {
    shared: &'c Shared<'r>,
    plan: &'c mut UnitPlan,
    command: &'c CompileCommand,
    work: &'c Work,
    finished: &'c mut Finished,
    tried: Tried,
}

impl Calibration<'_, '_> {
    /// Who deletes what: the original fails, or what it leaves can't be taken down, where that is wrong.
    fn choose_owners(&mut self) -> Result<(), GivenUp> {
        let comes_back = |on: &OnSeeds| !on.fails && !on.late;
        let goes_on = |on: &OnSeeds| !on.fails;
        // A name may suggest a length where more than the array's length makes the original crash.
        let failing = self.tried.on.failing;
        if failing > 0 {
            self.finished.changes.bounds_lengths =
                self.keep_if_it_helps(UnitPlan::bound_lengths, |on| on.failing < failing)?;
        }
        if self.tried.on.fails || self.tried.on.late {
            self.finished.changes.skips_stub_arguments =
                self.keep_if_it_helps(UnitPlan::skip_stub_arguments, comes_back)?;
        }
        if self.tried.on.fails {
            self.finished.changes.transfers_ownership = self.keep_if_it_helps(UnitPlan::transfer_ownership, goes_on)?;
        }
        // Whoever is given an object may leave it to nobody, or to the one who takes it out.
        if self.tried.on.fails || self.tried.on.late {
            self.finished.changes.skips_paired_setup =
                self.keep_if_it_helps(UnitPlan::skip_paired_setup, comes_back)?;
        }
        if self.tried.on.fails && !self.finished.changes.skips_paired_setup {
            let helped = self.keep_if_it_helps(UnitPlan::transfer_ownership_only, goes_on)?;
            self.finished.changes.skips_paired_setup |= helped;
            self.finished.changes.transfers_ownership |= helped;
        }
        // Where a container is empty, nobody deletes what is in it: that is not on every seed.
        if (self.tried.on.failing > 0 || self.tried.on.late) && self.plan.clone().transfer_elements() {
            let never_fails = |on: &OnSeeds| on.failing == 0 && !on.late;
            self.finished.changes.transfers_elements =
                self.keep_if_it_helps(UnitPlan::transfer_elements, never_fails)?;
        }
        if self.tried.on.fails && self.tried.on.late {
            self.finished.changes.skips_destruction = self.keep_if_it_helps(UnitPlan::skip_destruction, goes_on)?;
        }
        Ok(())
    }

    /// The original may die of a question to an object that does not allow it.
    fn ask_less(&mut self) -> Result<(), GivenUp> {
        let failing = self.tried.on.failing;
        let questions = match failing {
            0 => Vec::new(),
            _ => crate::generate::installed::asked_of_project(&self.shared.session.model, self.plan),
        };
        let kept = self.plan.clone();
        if !self.plan.leave_out(questions.iter().cloned()) {
            return Ok(());
        }
        if let Ok(changed) = self.built(Home::Copy)
            && changed.on.failing < failing
        {
            self.tried = changed;
            self.finished.changes.excluded_members.extend(questions);
            return Ok(());
        }
        *self.plan = kept;
        self.rebuild(Home::Copy)
    }

    /// What functions beside it leave behind may be none of what it can work with, or not the same twice.
    fn choose_surroundings(&mut self) -> Result<(), GivenUp> {
        let is_well = |on: &OnSeeds| !on.fails && !on.late && on.differs.is_empty() && on.unlike.is_empty();
        if !is_well(&self.tried.on) {
            self.finished.changes.ignores_file_state = self.keep_if_it_helps(UnitPlan::ignore_file_state, is_well)?;
        }
        Ok(())
    }

    fn leave_out_unsteady_members(&mut self) -> Result<(), GivenUp> {
        if !self.tried.on.differs.is_empty() {
            let members = self.unsteady_members(&self.tried.on.differs, "");
            if self.plan.leave_out(members.iter().cloned()) {
                self.finished.changes.excluded_members.extend(members);
                self.rebuild(Home::Copy)?;
            }
        }
        // Not all of what a stub is handed need have a value: the copy may leave something else there.
        if !self.tried.on.unlike.is_empty() && self.plan.clone().skip_stub_arguments() {
            let members = self.unsteady_members(&self.tried.on.unlike, ARGUMENTS);
            if self.plan.leave_out(members.iter().cloned()) {
                self.finished.changes.excluded_members.extend(members);
                self.rebuild(Home::Copy)?;
            }
        }
        let is_steady = |on: &OnSeeds| on.differs.is_empty() && on.unlike.is_empty();
        if !is_steady(&self.tried.on) {
            self.finished.changes.skips_stub_arguments |=
                self.keep_if_it_helps(UnitPlan::skip_stub_arguments, is_steady)?;
        }
        Ok(())
    }

    /// A way into the unit that differs from itself spoils the others.
    fn leave_out_unsteady_entries(&mut self) -> Result<(), GivenUp> {
        let differs = self.tried.on.differs.iter();
        let unsound: BTreeSet<usize> =
            differs.filter_map(|seed| seeds::way(self.plan, &self.tried.seeds[*seed])).collect();
        if unsound.is_empty() || unsound.len() >= self.plan.entries.len() {
            return Ok(());
        }
        self.plan.exclude_entries(&unsound);
        let what = "ways into it differ from themselves, and are left out";
        self.shared.context.ui.detail(format_args!("{}: {} {what}", self.plan.id, unsound.len()));
        self.finished.changes.excluded_entries = unsound;
        self.rebuild(Home::Copy)
    }

    /// The copy is no twin of the original: the text itself may be one, with the mutants in place; else only the real
    /// thing will do.
    fn choose_making(&mut self) -> Result<(), GivenUp> {
        while !self.tried.on.unlike.is_empty() && self.tried.built.is_to_be_a_twin() {
            let next = if self.tried.built.generated.copy == Copy::Image { Home::Image } else { Home::InPlace };
            let what = "what has the mutants differs from the original with none of them active";
            self.shared.context.ui.detail(format_args!("{}: {what}; they are made otherwise", self.plan.id));
            self.rebuild(next)?;
        }
        Ok(())
    }

    /// Whether the original does on the seeds as `wanted` with a change of the plan, which then stays.
    fn keep_if_it_helps(
        &mut self,
        change: fn(&mut UnitPlan) -> bool,
        wanted: impl Fn(&OnSeeds) -> bool,
    ) -> Result<bool, GivenUp> {
        let kept = self.plan.clone();
        if !change(self.plan) {
            return Ok(false);
        }
        if let Ok(changed) = self.built(Home::Copy)
            && wanted(&changed.on)
        {
            self.tried = changed;
            return Ok(true);
        }
        // That was not the reason, or it can't be written so: what built before builds again.
        *self.plan = kept;
        self.rebuild(Home::Copy)?;
        Ok(false)
    }

    fn rebuild(&mut self, making: Home) -> Result<(), GivenUp> {
        self.tried = self.built(making)?;
        Ok(())
    }

    fn built(&mut self, making: Home) -> Result<Tried, GivenUp> {
        tried(self.shared, self.plan, self.command, self.work, making, self.finished)
    }

    /// The members that are not the same twice on these seeds, of those whose place in the record begins so.
    fn unsteady_members(&self, seeds: &BTreeSet<usize>, beginning: &str) -> Vec<(String, String)> {
        let build_session = self.shared.build_session;
        let folder = build_session.folder(self.plan).join("seeds");
        let Session { model, hierarchy, .. } = self.shared.session;
        let mut members = Vec::new();
        for number in seeds {
            let seed = folder.join(format!("seed-{number:03}"));
            let places = unsteady(&build_session.worker, &self.tried.built.unit_so, &seed).unwrap_or_default();
            let places = places.iter().filter(|place| place.starts_with(beginning));
            members.extend(places.filter_map(|place| member_at(model, hierarchy, self.plan, place)));
        }
        members
    }
}

/// The draft that the unit shares with others, where the original and the copy do nothing unusual in it.
fn tried_together(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    finished: &mut Finished,
) -> Result<Option<Tried>, GivenUp> {
    let Some(built) = unit_build::build_together(shared, plan, work, finished)? else { return Ok(None) };
    let seeds = seeds::all(plan);
    // What does not run at all may run alone.
    let Some(on) = on_seeds(shared, &built, plan, &seeds, finished) else { return Ok(None) };
    finished.search_seconds += on.cpu_seconds;
    let looks = on.late && plan.clone().skip_stub_arguments();
    let gives = (on.failing > 0 || on.late) && plan.clone().transfer_elements();
    let plain = !on.fails && !looks && !gives && on.differs.is_empty() && on.unlike.is_empty();
    Ok(plain.then_some(Tried { built, seeds, on }))
}

fn tried(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    work: &Work,
    best: Home,
    finished: &mut Finished,
) -> Result<Tried, GivenUp> {
    let built = unit_build::build(shared, plan, command, work, best, finished)?;
    let seeds = seeds::all(plan);
    let on = on_seeds(shared, &built, plan, &seeds, finished).unwrap_or_default();
    finished.search_seconds += on.cpu_seconds;
    Ok(Tried { built, seeds, on })
}

/// Runs the original and the copy on the seeds. Those on which the original fails are suspected faults, however
/// soon the search ends.
fn on_seeds(
    shared: &Shared<'_>,
    built: &Built,
    plan: &UnitPlan,
    seeds: &[Vec<u8>],
    finished: &mut Finished,
) -> Option<OnSeeds> {
    let folder = shared.build_session.folder(plan).join("seeds");
    let mut paths = Vec::new();
    std::fs::create_dir_all(&folder).ok()?;
    for (number, seed) in seeds.iter().enumerate() {
        let path = folder.join(format!("seed-{number:03}"));
        std::fs::write(&path, seed).ok()?;
        paths.push(path);
    }
    let twin = built.slots.iter().map(|slot| &slot.side).find(|side| side.home == Home::InPlace);
    let seen = baseline(&shared.build_session.worker, &built.unit_so, twin, &paths).ok()?;
    finished.outcome.suspected_faults.clear();
    finished.lacks = seen.lacks();
    finished.throws = seen.throws();
    let came_back = || seen.inputs.iter().enumerate().filter(|(_, run)| run.failure().is_none());
    // Where others come back, a hang is only one once it was waited for, which is done at the search's end.
    let ended = |(seed, run): (usize, &SeedRun)| (run.outcome.ending == Ending::Hung).then_some(seed);
    let hung: BTreeSet<usize> = match came_back().next() {
        Some(_) => seen.inputs.iter().enumerate().filter_map(ended).collect(),
        None => BTreeSet::new(),
    };
    let mut failing = 0;
    for (number, (seed, run)) in seeds.iter().zip(&seen.inputs).enumerate() {
        let Some(what) = run.failure().filter(|_| !hung.contains(&number)) else { continue };
        failing += 1;
        shared.suspect(plan, seed, what, finished).ok()?;
    }
    Some(OnSeeds {
        fails: fails_throughout(&seen.inputs),
        failing,
        hung,
        late: came_back().any(|(_, run)| run.outcome.late),
        differs: came_back().filter(|(_, run)| !run.deterministic).map(|(seed, _)| seed).collect(),
        stale: came_back().any(|(_, run)| run.deterministic && !run.steady),
        unlike: came_back().filter(|(_, run)| run.deterministic && !run.copy_agrees).map(|(seed, _)| seed).collect(),
        cpu_seconds: seen.cpu_seconds,
    })
}
