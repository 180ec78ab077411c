//! What became of the mutants of a unit when its search is over.

use super::exhaustion::undecided;
use super::shared::Shared;
use super::survivors;
use super::unit_build::Built;
use super::unit_result::Finished;
use crate::diag::Problem;
use crate::engine::SearchResult;
use crate::outcome::{Effort, Status};
use crate::plan::UnitPlan;

/// Whether the search so far has got into the unit.
pub(super) fn look_whether_entered(built: &Built, result: &SearchResult, finished: &mut Finished) {
    finished.entered = !finished.kills.is_empty() || survivors::entered(&built.watched, result);
}

/// What became of the unit's mutants.
pub(super) fn conclude(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    built: &Built,
    result: &SearchResult,
    finished: &mut Finished,
) {
    look_whether_entered(built, result, finished);
    for (position, mutant) in built.mutants.iter().enumerate() {
        let effort = result.effort.get(position);
        let killed = finished.kills.iter().any(|k| k.mutant == *mutant);
        let reached = effort.is_some_and(|e| e.reached) || killed;
        let executions = effort.map_or(result.executions, |e| e.executions);
        finished.efforts.insert(
            *mutant,
            Effort {
                seconds: result.seconds,
                cpu_seconds: effort.and_then(|e| e.cpu_seconds).unwrap_or(result.cpu_seconds),
                executions,
                returned: effort.and_then(|e| e.returned),
                reached,
                infected: survivors::infected(killed, effort),
                residual_risk: effort.and_then(|e| e.residual_risk).filter(|_| !killed),
            },
        );
        let status = if killed {
            // What was proved within a bound lies behind it.
            finished.equivalences.remove(mutant);
            (Status::Killed, None)
        } else if finished.equivalences.contains_key(mutant) {
            // The solver has said what there is to say.
            continue;
        } else if !result.returned && !result.interrupted {
            let first = result.faults.first().map_or("fails", |f| f.what.as_str());
            let often = survivors::plain(&result.failures.failed_said);
            let what = if often.is_empty() { first } else { &often };
            let said = format!("the original fails on every input ({what}){}{}", finished.lacks, plan.opaque());
            (Status::BaselineFailed, Some(said))
        } else {
            let reason = effort.and_then(|e| e.reason.clone());
            let why = || {
                let why = survivors::why(built.watched.get(mutant), effort, result);
                let hindered = survivors::hindered(result) + &survivors::unseen(effort, &finished.not_compared);
                let throws = if finished.entered || !hindered.is_empty() { "" } else { finished.throws.as_str() };
                let why = why.or_else(|| (!hindered.is_empty()).then(|| "it made no difference".to_owned()))?;
                Some(why + &hindered + throws)
            };
            let reason = reason.or_else(why);
            (Status::Live, reason.or_else(|| result.interrupted.then(|| "interrupted".to_owned())))
        };
        finished.statuses.insert(*mutant, status);
    }
    for (mutant, why) in finished.asked.clone() {
        undecided(shared, plan, &[mutant], &why, finished);
    }
    for slot in &result.unforeseen {
        let id = &shared.mutants[built.mutants[*slot]].id;
        let what = format!("{id} was killed on an input on which its probe did not fire");
        shared.context.ui.warn(&Problem::untestable("probe-unsound", what, "a fault of this tool: please report it"));
    }
    if result.original_differs {
        finished.outcome.reason = Some("the original differs from itself: its result is not deterministic".into());
    }
}
