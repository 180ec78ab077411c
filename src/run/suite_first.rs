//! The project's own tests, run before the search: what they kill need not be searched.

use crate::context::Context;
use crate::mutant::Mutant;
use crate::mutant::made::{Change, Edit, Made, Standing, common};
use crate::mutate::suite;
use crate::mutate::suite_verdicts::tested;
use crate::outcome::{Status, Suite};
use crate::session::Session;

/// Runs them against the mutants that could be searched, if there is a `--test-command`; returns the CPU seconds. A
/// resumed run keeps the verdicts that it has. After an interruption the rest has no verdict.
///
/// # Errors
///
/// Tests that cannot decide: see [`suite::run`].
pub(super) fn suite_first(context: &Context, session: &Session, mutants: &mut [Mutant]) -> anyhow::Result<f64> {
    let options = &session.options;
    let Some(tests) = &options.tests else { return Ok(0.0) };
    let open = |mutant: &Mutant| mutant.pairing.is_ok() && mutant.suite.is_none();
    // Nothing to do is not an error.
    if !mutants.iter().any(open) {
        return Ok(0.0);
    }
    let places: Vec<usize> = (0..mutants.len()).filter(|at| open(&mutants[*at])).collect();
    let mut made = places.iter().map(|at| made(session, &mutants[*at])).collect::<std::io::Result<Vec<Made>>>()?;
    if options.resume {
        let known = suite::known(&options.output);
        for mutant in &mut made {
            if let Some((standing, reason)) = known.get(&mutant.id) {
                (mutant.standing, mutant.reason) = (*standing, reason.clone());
            }
        }
    }
    let mut seconds = 0.0;
    if made.iter().any(|mutant| mutant.standing == Standing::New) {
        seconds = tested(context, session, tests, &mut made)?.1.cpu_seconds;
    }
    for (at, made) in places.into_iter().zip(made) {
        let mutant = &mut mutants[at];
        mutant.suite = made.standing.suite(made.reason.as_deref());
        let status = match made.standing {
            Standing::KilledByTests => Status::Killed,
            Standing::Unbuildable => Status::Unbuildable,
            _ => continue,
        };
        let unit = mutant.pairing.as_ref().ok().and_then(|pairing| session.model.functions.get(&pairing.unit));
        mutant.unit = unit.map(|unit| unit.id.clone());
        mutant.pairing = Err((status, made.reason.unwrap_or_default()));
    }
    let killed = mutants.iter().filter(|mutant| mutant.suite == Some(Suite::Killed)).count();
    let met = mutants.iter().filter(|mutant| mutant.suite.is_some()).count();
    context.ui.note(format_args!("your tests kill {killed} of {met} mutants; the search is for the others"));
    Ok(seconds)
}

/// The mutant as the stage of the tests knows it: one edit, from the first to the last byte that differs.
fn made(session: &Session, mutant: &Mutant) -> std::io::Result<Made> {
    let (old, new) = (std::fs::read(&mutant.original)?, std::fs::read(&mutant.path)?);
    let (front, back) = common(&old, &new);
    let text = new[front..new.len() - back].to_vec();
    let edit = Edit { start: front as u32, end: (old.len() - back) as u32, text };
    let column = old[..front].iter().rev().take_while(|byte| **byte != b'\n').count() as u32 + 1;
    let unit = mutant.pairing.as_ref().map(|pairing| pairing.unit.clone()).unwrap_or_default();
    Ok(Made {
        id: mutant.id.clone(),
        file: mutant.original.clone(),
        line: mutant.line,
        column,
        unit_id: session.model.functions.get(&unit).map(|unit| unit.id.clone()).unwrap_or_default(),
        unit,
        change: Change { operator: mutant.operator.clone(), edits: vec![edit] },
        standing: Standing::New,
        reason: None,
    })
}
