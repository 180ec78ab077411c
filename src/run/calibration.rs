//! Calibration: builds a driver, runs the original on the seeds, and adjusts the plan to its behaviour.

use super::unit::{Finished, GivenUp, Shared, Work};
use super::unit_build::Built;
use crate::compdb::CompileCommand;
use crate::engine::Side;
use crate::generate::Making;
use crate::outcome::Copy;
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

/// An adjustment of the plan, which returns whether it changed anything, and the condition on the seeds that it must
/// achieve.
type Attempt<'a> = (fn(&mut UnitPlan) -> bool, &'a dyn Fn(&OnSeeds) -> bool);

/// A driver that was built and run on the seeds.
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

impl Shared<'_> {
    /// Builds a driver and adjusts the plan to the original's behaviour on the seeds; adjustments are noted in
    /// `finished`.
    ///
    /// # Errors
    ///
    /// No driver can be built.
    pub(super) fn settle(
        &self,
        plan: &mut UnitPlan,
        command: &CompileCommand,
        work: &Work,
        finished: &mut Finished,
    ) -> Result<Tried, GivenUp> {
        // An edited utility class names the original only, so its mutants need images.
        let copy = !self.edited.contains_key(&plan.slug);
        let best = if copy { Making::Copy } else { Making::InPlace };
        if copy && let Some(tried) = self.tried_together(plan, work, finished)? {
            return Ok(tried);
        }
        let mut tried = self.tried(plan, command, work, best, finished)?;
        if !copy {
            return Ok(tried);
        }
        // A length that is more than there is sends the original astray, or is none.
        let failing = tried.on.failing;
        if failing > 0 {
            let fails_less = |on: &OnSeeds| on.failing < failing;
            finished.changes.bounds_lengths =
                self.helps((UnitPlan::bound_lengths, &fails_less), &mut tried, plan, command, work, finished)?;
        }
        let comes_back = |on: &OnSeeds| !on.fails && !on.late;
        if tried.on.fails || tried.on.late {
            finished.changes.skips_stub_arguments =
                self.helps((UnitPlan::skip_stub_arguments, &comes_back), &mut tried, plan, command, work, finished)?;
        }
        let goes_on = |on: &OnSeeds| !on.fails;
        if tried.on.fails {
            finished.changes.transfers_ownership =
                self.helps((UnitPlan::transfer_ownership, &goes_on), &mut tried, plan, command, work, finished)?;
        }
        // The callee may own an argument, or hand it to whoever removes it.
        if tried.on.fails || tried.on.late {
            finished.changes.skips_paired_setup =
                self.helps((UnitPlan::skip_paired_setup, &comes_back), &mut tried, plan, command, work, finished)?;
        }
        if tried.on.fails && !finished.changes.skips_paired_setup {
            let change = UnitPlan::transfer_ownership_only;
            let helped = self.helps((change, &goes_on), &mut tried, plan, command, work, finished)?;
            finished.changes.skips_paired_setup |= helped;
            finished.changes.transfers_ownership |= helped;
        }
        // An empty container hides that its elements are deleted, so this does not show on every seed.
        if (tried.on.failing > 0 || tried.on.late) && plan.clone().transfer_elements() {
            let never_fails = |on: &OnSeeds| on.failing == 0 && !on.late;
            finished.changes.transfers_elements =
                self.helps((UnitPlan::transfer_elements, &never_fails), &mut tried, plan, command, work, finished)?;
        }
        if tried.on.fails && tried.on.late {
            finished.changes.skips_destruction =
                self.helps((UnitPlan::skip_destruction, &goes_on), &mut tried, plan, command, work, finished)?;
        }
        // Calls before the unit may leave a state that it cannot work with, or that varies.
        if tried.on.fails || tried.on.late || !tried.on.differs.is_empty() || !tried.on.unlike.is_empty() {
            let is_well = |on: &OnSeeds| !on.fails && !on.late && on.differs.is_empty() && on.unlike.is_empty();
            finished.changes.ignores_file_state =
                self.helps((UnitPlan::ignore_file_state, &is_well), &mut tried, plan, command, work, finished)?;
        }
        if !tried.on.differs.is_empty() {
            let members = self.unsteady_members(plan, &tried.on.differs, &tried, "");
            if plan.leave_out(members.iter().cloned()) {
                finished.changes.excluded_members = members;
                tried = self.tried(plan, command, work, best, finished)?;
            }
        }
        // The arguments of a stub may be uninitialised, so the copy may differ there.
        if !tried.on.unlike.is_empty() && plan.clone().skip_stub_arguments() {
            let members = self.unsteady_members(plan, &tried.on.unlike, &tried, ARGUMENTS);
            if plan.leave_out(members.iter().cloned()) {
                finished.changes.excluded_members.extend(members);
                tried = self.tried(plan, command, work, best, finished)?;
            }
        }
        if !tried.on.differs.is_empty() || !tried.on.unlike.is_empty() {
            let is_steady = |on: &OnSeeds| on.differs.is_empty() && on.unlike.is_empty();
            finished.changes.skips_stub_arguments |=
                self.helps((UnitPlan::skip_stub_arguments, &is_steady), &mut tried, plan, command, work, finished)?;
        }
        let differs = tried.on.differs.iter();
        let unsound: BTreeSet<usize> = differs.filter_map(|seed| seeds::way(plan, &tried.seeds[*seed])).collect();
        if !unsound.is_empty() && unsound.len() < plan.entries.len() {
            plan.exclude_entries(&unsound);
            let what = "entries are not deterministic and are left out";
            self.context.ui.detail(format_args!("{}: {} {what}", plan.id, unsound.len()));
            finished.changes.excluded_entries = unsound;
            tried = self.tried(plan, command, work, best, finished)?;
        }
        // The copy does not behave like the original. Mutants in place may; else only images of the mutated files
        // will.
        while !tried.on.unlike.is_empty() && tried.built.is_to_be_a_twin() {
            let next = if tried.built.generated.copy == Copy::Image { Making::Images } else { Making::InPlace };
            let what = "the text with the mutants differs from the original with none of them active";
            self.context.ui.detail(format_args!("{}: {what}; trying another kind", plan.id));
            tried = self.tried(plan, command, work, next, finished)?;
        }
        Ok(tried)
    }

    /// Whether an adjustment makes the seeds behave as wanted; only then it is kept.
    fn helps(
        &self,
        (change, wanted): Attempt<'_>,
        tried: &mut Tried,
        plan: &mut UnitPlan,
        command: &CompileCommand,
        work: &Work,
        finished: &mut Finished,
    ) -> Result<bool, GivenUp> {
        let kept = plan.clone();
        if !change(plan) {
            return Ok(false);
        }
        let changed = self.tried(plan, command, work, Making::Copy, finished);
        if let Ok(changed) = changed
            && wanted(&changed.on)
        {
            *tried = changed;
            return Ok(true);
        }
        // It did not help, or does not compile: restore the plan and build as before.
        *plan = kept;
        *tried = self.tried(plan, command, work, Making::Copy, finished)?;
        Ok(false)
    }

    /// The draft that the unit shares with others, if original and copy behave there.
    fn tried_together(&self, plan: &UnitPlan, work: &Work, finished: &mut Finished) -> Result<Option<Tried>, GivenUp> {
        let Some(built) = self.build_together(plan, work, finished)? else { return Ok(None) };
        let seeds = seeds::all(plan);
        // A shared draft that does not run at all may run alone.
        let Some(on) = self.on_seeds(&built, plan, &seeds, finished) else { return Ok(None) };
        finished.search_seconds += on.cpu_seconds;
        let looks = on.late && plan.clone().skip_stub_arguments();
        let gives = (on.failing > 0 || on.late) && plan.clone().transfer_elements();
        let astray = on.failing > 0 && plan.clone().bound_lengths();
        let plain = !on.fails && !looks && !gives && !astray && on.differs.is_empty() && on.unlike.is_empty();
        Ok(plain.then_some(Tried { built, seeds, on }))
    }

    fn tried(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        work: &Work,
        best: Making,
        finished: &mut Finished,
    ) -> Result<Tried, GivenUp> {
        let built = self.build(plan, command, work, best, finished)?;
        let seeds = seeds::all(plan);
        let on = self.on_seeds(&built, plan, &seeds, finished).unwrap_or_default();
        finished.search_seconds += on.cpu_seconds;
        Ok(Tried { built, seeds, on })
    }

    /// The unstable members on these seeds whose record path starts with the prefix.
    fn unsteady_members(
        &self,
        plan: &UnitPlan,
        seeds: &BTreeSet<usize>,
        tried: &Tried,
        beginning: &str,
    ) -> Vec<(String, String)> {
        let folder = self.build_session.folder(plan).join("seeds");
        let Session { model, hierarchy, .. } = self.session;
        let mut members = Vec::new();
        for number in seeds {
            let seed = folder.join(format!("seed-{number:03}"));
            let places = unsteady(&self.build_session.worker, &tried.built.unit_so, &seed).unwrap_or_default();
            let places = places.iter().filter(|place| place.starts_with(beginning));
            members.extend(places.filter_map(|place| member_at(model, hierarchy, plan, place)));
        }
        members
    }

    /// Runs original and copy on the seeds. Seeds on which the original fails are suspected faults, however soon the
    /// search ends.
    fn on_seeds(&self, built: &Built, plan: &UnitPlan, seeds: &[Vec<u8>], finished: &mut Finished) -> Option<OnSeeds> {
        let folder = self.build_session.folder(plan).join("seeds");
        let mut paths = Vec::new();
        std::fs::create_dir_all(&folder).ok()?;
        for (number, seed) in seeds.iter().enumerate() {
            let path = folder.join(format!("seed-{number:03}"));
            std::fs::write(&path, seed).ok()?;
            paths.push(path);
        }
        let twin = built.slots.iter().map(|slot| &slot.side).find(|side| matches!(side, Side::InPlace(_)));
        let seen = baseline(&self.build_session.worker, &built.unit_so, twin, &paths).ok()?;
        finished.outcome.suspected_faults.clear();
        finished.lacks = seen.lacks();
        finished.throws = seen.throws();
        let came_back = || seen.inputs.iter().enumerate().filter(|(_, run)| run.failure().is_none());
        // If other seeds return, a hang needs a longer wait to be believed, at the search's end.
        let ended = |(seed, run): (usize, &SeedRun)| (run.outcome.ending == Ending::Hung).then_some(seed);
        let hung: BTreeSet<usize> = match came_back().next() {
            Some(_) => seen.inputs.iter().enumerate().filter_map(ended).collect(),
            None => BTreeSet::new(),
        };
        let mut failing = 0;
        for (number, (seed, run)) in seeds.iter().zip(&seen.inputs).enumerate() {
            let Some(what) = run.failure().filter(|_| !hung.contains(&number)) else { continue };
            failing += 1;
            self.suspect(plan, seed, what, finished).ok()?;
        }
        Some(OnSeeds {
            fails: fails_throughout(&seen.inputs),
            failing,
            hung,
            late: came_back().any(|(_, run)| run.outcome.late),
            differs: came_back().filter(|(_, run)| !run.deterministic).map(|(seed, _)| seed).collect(),
            stale: came_back().any(|(_, run)| run.deterministic && !run.steady),
            unlike: came_back()
                .filter(|(_, run)| run.deterministic && !run.copy_agrees)
                .map(|(seed, _)| seed)
                .collect(),
            cpu_seconds: seen.cpu_seconds,
        })
    }
}
