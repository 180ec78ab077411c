//! One unit from plan to kills: calibrated, searched, its candidates judged.

use super::calibration;
use super::earlier_run::Done;
use super::shared::Shared;
use super::slices::{self, Underway};
use super::unit_result::{Finished, GivenUp, Work};
use crate::choices::Engine;
use crate::outcome::{Driver, Status};
use crate::plan::{self, Adjustments, UnitPlan};
use std::collections::BTreeSet;

/// A plan that was tried, what came of it, and what there is to go on with.
struct Attempt<'r> {
    plan: UnitPlan,
    finished: Finished,
    underway: Option<Underway<'r>>,
}

/// Everything for one unit; under a budget of the whole run a first slice of its search, and what there is to go
/// on with. Never fails: what goes wrong is the outcome.
pub(super) fn search<'r>(shared: &Shared<'r>, work: &Work) -> (Finished, Option<Underway<'r>>) {
    if let Some(done) = shared.past.and_then(|past| past.unit(&work.unit)) {
        shared.deadline.had_its_turn(work.mutants.len());
        return (taken_over(shared, work, done), None);
    }
    // What this thread compiled for another unit that came to nothing is not this one's.
    shared.builder.thread_cpu_seconds();
    let (mut finished, underway) = match first_plan(shared, work) {
        Ok(plan) => best_attempt(shared, work, plan),
        Err(finished) => (*finished, None),
    };
    shared.count_build(&mut finished);
    shared.deadline.had_its_turn(work.mutants.len());
    if underway.is_none() {
        shared.write_down(work, &mut finished);
    }
    (finished, underway)
}

/// A unit that an earlier part of the run is done with.
fn taken_over(shared: &Shared<'_>, work: &Work, done: &Done) -> Finished {
    let mut finished = done.finished(&work.mutants, shared.mutants);
    if done.is_planned() {
        finished.plan = adjusted_plan(shared, work, &finished.changes);
    }
    finished
}

fn blank(shared: &Shared<'_>, work: &Work) -> Finished {
    Finished::blank(&shared.session.model.functions[&work.unit], &shared.session.options.root)
}

/// The plan of a unit as it is made first, or the end of a unit that is not tried.
fn first_plan(shared: &Shared<'_>, work: &Work) -> Result<UnitPlan, Box<Finished>> {
    let unplanned = |status, reason: String| {
        let mut finished = blank(shared, work);
        finished.close(work, status, Some(reason));
        Box::new(finished)
    };
    if shared.journal.failed().is_some() {
        return Err(unplanned(Status::Live, "the disk was full before it was searched".into()));
    }
    if shared.context.is_interrupted() {
        return Err(unplanned(Status::Live, "interrupted before it was searched".into()));
    }
    plan::plan_unit(&shared.planner, &work.unit).map_err(|reason| {
        let mut finished = unplanned(Status::NoDriver, reason.what.clone());
        finished.outcome.driver = Driver::Unplannable;
        finished.outcome.reason = Some(reason.what);
        finished
    })
}

/// The first plan, and where it comes to nothing, the plans that may do better.
fn best_attempt<'r>(shared: &Shared<'r>, work: &Work, plan: UnitPlan) -> (Finished, Option<Underway<'r>>) {
    let is_interrupted = || shared.context.is_interrupted();
    let mut plan = plan;
    let skips_direct_way = shared.edited.get(&plan.slug).is_some_and(|utility| plan.follow_utility(utility));
    let mut first = attempt(shared, work, plan.clone(), Adjustments { skips_direct_way, ..Adjustments::default() });
    if first.finished.outcome.driver == Driver::Unbuildable && plan.skip_direct_way() && !is_interrupted() {
        let changes = Adjustments { skips_direct_way: true, ..Adjustments::default() };
        let mut second = attempt(shared, work, plan.clone(), changes);
        second.finished.add_costs_of(&first.finished);
        first = second;
    }
    if first.finished.outcome.driver == Driver::Unbuildable && !is_interrupted() {
        first = simplified(shared, work, plan, first);
    }
    let own = if is_interrupted() { None } else { with_own_headers(shared, work, &mut first) };
    first = own.unwrap_or(first);
    if let Some(second) = without_unsteady(shared, work, &mut first) {
        first = second;
    }
    // Whether another plan gets further is for a search to see.
    if shared.session.options.engine == Engine::Symbolic {
        return first.done();
    }
    match otherwise(shared, work, &mut first) {
        Some(other) => other.done(),
        None => first.done(),
    }
}

/// Without objects as tests make them, where the driver does not build with them.
fn simplified<'r>(shared: &Shared<'r>, work: &Work, mut plan: UnitPlan, first: Attempt<'r>) -> Attempt<'r> {
    if !plan.simplify() {
        return first;
    }
    let what = "its driver does not build with objects as tests make them, or put in; they are made otherwise";
    shared.context.ui.detail(format_args!("{}: {what}", plan.id));
    let changes = Adjustments {
        ignores_histories: true,
        skips_direct_way: first.finished.changes.skips_direct_way,
        skips_paired_setup: true,
        ignores_file_state: true,
        ..Adjustments::default()
    };
    let mut second = attempt(shared, work, plan, changes);
    second.finished.add_costs_of(&first.finished);
    second
}

/// With objects from what the unit's own source includes, where another header does not build there.
fn with_own_headers<'r>(shared: &Shared<'r>, work: &Work, first: &mut Attempt<'r>) -> Option<Attempt<'r>> {
    let reason = first.finished.outcome.reason.as_deref().unwrap_or_default();
    let is_unbuilt = first.finished.outcome.driver == Driver::Unbuildable;
    let (model, root) = (&shared.session.model, &shared.session.options.root);
    if !is_unbuilt || !first.plan.blames_another_header(model, root, reason) {
        return None;
    }
    let changes = Adjustments { own_headers: true, ..first.finished.changes.clone() };
    let mut second = attempt(shared, work, adjusted_plan(shared, work, &changes)?, changes);
    if second.finished.outcome.driver == Driver::Unbuildable {
        first.finished.add_costs_of(&second.finished);
        return None;
    }
    let what = "a header that its source does not include does not build there; its objects come from others";
    shared.context.ui.detail(format_args!("{}: {what}", first.plan.id));
    second.finished.add_costs_of(&first.finished);
    Some(second)
}

/// Without the members that were not the same twice on inputs of the search, where mutants are left. It counts if it
/// kills what the first attempt killed; else only its costs do. A search in slices (`--total-budget`) has no such
/// second attempt.
fn without_unsteady<'r>(shared: &Shared<'r>, work: &Work, first: &mut Attempt<'r>) -> Option<Attempt<'r>> {
    let mut changes = first.finished.changes.clone();
    let known: BTreeSet<_> = changes.excluded_members.iter().cloned().collect();
    let news: Vec<_> = first.finished.unsteady.difference(&known).cloned().collect();
    let is_live = first.finished.statuses.values().any(|(status, _)| *status == Status::Live);
    if news.is_empty() || !is_live || first.underway.is_some() || shared.context.is_interrupted() {
        return None;
    }
    let id = &first.plan.id;
    let named: Vec<String> = news.iter().map(|(class, name)| format!("{class}::{name}")).collect();
    changes.excluded_members.extend(news);
    let what = "members that differ between two runs of the original are left out";
    shared.context.ui.detail(format_args!("{id}: {what}: {}; it is searched again", named.join(", ")));
    let mut second = attempt(shared, work, adjusted_plan(shared, work, &changes)?, changes);
    let killed = |attempt: &Attempt<'_>| attempt.finished.kills.iter().map(|kill| kill.mutant).collect::<BTreeSet<_>>();
    if second.finished.outcome.driver != Driver::Generated || !killed(&second).is_superset(&killed(first)) {
        first.finished.add_costs_of(&second.finished);
        return None;
    }
    second.finished.add_costs_of(&first.finished);
    Some(second)
}

/// By its callers, with other objects, or with stubs for interfaces, where the first plan came to nothing: its driver
/// does not build, no input got into the unit, the original failed on all of them, nothing that is mutated was reached,
/// or less was killed than where a reader of texts leads to it. What was tried in vain is added to the first attempt's
/// costs.
fn otherwise<'r>(shared: &Shared<'r>, work: &Work, first: &mut Attempt<'r>) -> Option<Attempt<'r>> {
    // Not where a person has said how they are made, nor where its source does not build.
    let reason = first.finished.outcome.reason.as_deref().unwrap_or_default();
    let unbuilt = first.finished.outcome.driver == Driver::Unbuildable && !first.plan.is_at_fault(reason);
    let built = first.finished.outcome.driver == Driver::Generated && first.underway.is_none();
    let before = Came::of(&first.finished);
    if !(built || unbuilt) || before == Came::ToKill {
        return None;
    }
    for changes in departures(first, before, unbuilt) {
        if shared.context.is_interrupted() {
            break;
        }
        let Some(plan) = adjusted_plan(shared, work, &changes) else { continue };
        let is_by_comparison = matches!(before, Came::ToMutants | Came::ToSomeKills);
        if is_by_comparison && !plan.is_through_reader(&shared.session.model) {
            continue;
        }
        let (is_by_callers, is_by_stubs) = (changes.callers > 0, changes.stubs);
        let functions = &shared.session.model.functions;
        let called: Vec<&str> = plan.entries.iter().map(|entry| functions[&entry.callee].qualified.as_str()).collect();
        let called = called.join("`, `");
        let mut second = attempt(shared, work, plan, changes);
        let builds = unbuilt && second.finished.outcome.driver == Driver::Generated;
        let came = Came::of(&second.finished);
        let kills_more = second.finished.kills.len() > first.finished.kills.len();
        let is_better = if is_by_comparison { kills_more } else { came > before && came >= Came::Elsewhere };
        if !is_better && !builds {
            first.finished.add_costs_of(&second.finished);
            continue;
        }
        second.finished.add_costs_of(&first.finished);
        let what = match before {
            _ if unbuilt => "its driver does not build with such objects",
            Came::Nowhere => "no input gets there with such objects",
            Came::ToFail => "it fails on every input with such objects",
            Came::Elsewhere => "nothing that is mutated was reached",
            Came::ToMutants => "nothing was killed",
            Came::ToSomeKills | Came::ToKill => "more is killed so",
        };
        let how = match (is_by_callers, is_by_stubs) {
            (true, _) => format!("`{called}` is called, which leads there"),
            (_, true) => "stubs stand in for interfaces".to_owned(),
            _ => "they are made otherwise".to_owned(),
        };
        shared.context.ui.detail(format_args!("{}: {what}; {how}", first.plan.id));
        return Some(second);
    }
    None
}

/// How the next plans depart from the first, by what came of that.
fn departures(first: &Attempt<'_>, before: Came, unbuilt: bool) -> Vec<Adjustments> {
    let Adjustments { skips_direct_way, own_headers, .. } = first.finished.changes;
    let callers = match before {
        _ if unbuilt || first.plan.is_through_callers() => 0,
        // (One that reads a text comes first.)
        Came::ToMutants | Came::ToSomeKills => 1,
        _ => plan::CALLERS,
    };
    let by_callers = (1..=callers).map(|callers| Adjustments { callers, own_headers, ..Adjustments::default() });
    let others = if before >= Came::Elsewhere { 0 } else { plan::OTHER_WAYS };
    let otherwise = (1..=others).map(|others| Adjustments {
        skipped_constructions: others,
        skips_direct_way,
        own_headers,
        ..Adjustments::default()
    });
    let stubs = Adjustments { stubs: true, skips_direct_way, own_headers, ..Adjustments::default() };
    let stubs = Some(stubs).filter(|_| before < Came::Elsewhere);
    by_callers.chain(otherwise).chain(stubs).collect()
}

/// How far the inputs of an attempt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    /// None got into the unit.
    Nowhere,
    /// The original failed on all of them.
    ToFail,
    /// Nothing that is mutated was reached.
    Elsewhere,
    /// Mutants were reached, and none was killed.
    ToMutants,
    /// Some mutants were killed, and others live.
    ToSomeKills,
    /// All were killed, or none was to be had.
    ToKill,
}

impl Came {
    fn of(finished: &Finished) -> Self {
        let mut statuses = finished.statuses.values().map(|(status, _)| *status);
        if statuses.any(|status| status == Status::BaselineFailed) {
            return Self::ToFail;
        }
        if !finished.entered {
            return Self::Nowhere;
        }
        let is_tried = |mutant: &usize| finished.efforts.get(mutant).is_none_or(|effort| effort.reached);
        let is_live = |(status, _): &(Status, Option<String>)| *status == Status::Live;
        match finished.statuses.keys().any(is_tried) {
            false if finished.kills.is_empty() => Self::Elsewhere,
            _ if !finished.statuses.values().any(is_live) => Self::ToKill,
            _ if finished.kills.is_empty() => Self::ToMutants,
            _ => Self::ToSomeKills,
        }
    }
}

fn adjusted_plan(shared: &Shared<'_>, work: &Work, changes: &Adjustments) -> Option<UnitPlan> {
    changes.plan(&shared.planner, &work.unit).ok()
}

impl<'r> Attempt<'r> {
    fn done(self) -> (Finished, Option<Underway<'r>>) {
        (Finished { plan: Some(self.plan), ..self.finished }, self.underway)
    }
}

/// Builds and searches; what goes wrong is the outcome.
fn attempt<'r>(shared: &Shared<'r>, work: &Work, mut plan: UnitPlan, changes: Adjustments) -> Attempt<'r> {
    let mut finished = Finished { changes, ..blank(shared, work) };
    finished.outcome.driver = shared.driver(&plan);
    let underway = calibrate_and_search(shared, &mut plan, work, &mut finished).unwrap_or_else(|given_up| {
        finished.give_up(work, given_up);
        None
    });
    if underway.is_none() {
        finished.close(work, Status::Live, None);
    }
    Attempt { plan, finished, underway }
}

fn calibrate_and_search<'r>(
    shared: &Shared<'r>,
    plan: &mut UnitPlan,
    work: &Work,
    finished: &mut Finished,
) -> Result<Option<Underway<'r>>, GivenUp> {
    let commands = &shared.session.database.commands;
    let command =
        commands.get(plan.command).ok_or_else(|| GivenUp::unbuildable("its source has no compile command"))?;
    let tried = calibration::calibrate(shared, plan, command, work, finished)?;
    finished.outcome.copy = Some(tried.built.generated.copy);
    if tried.built.slots.is_empty() {
        return Err(GivenUp::unbuildable("no mutant of it could be built"));
    }
    shared.count_build(finished);
    let share = shared.deadline.share(work.mutants.len());
    // What has killed before kills again, budget or not.
    if share.is_none() && !shared.has_known_kills(&plan.unit) {
        finished.close(work, Status::Live, Some("the total budget was spent before it was searched".into()));
        return Ok(None);
    }
    slices::begin(shared, plan, command, tried, share.unwrap_or_default(), finished)
}
