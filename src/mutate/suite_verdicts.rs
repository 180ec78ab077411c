//! Runs the project's own tests over the chosen mutants: all of them, or in random order until the score is known
//! well enough.

use super::sample::{Key, interval, order};
use super::suite::{self, Event, Project, SuiteOptions, SuiteReport};
use crate::bodies;
use crate::context::Context;
use crate::mutant::made::{Made, Standing};
use crate::options::TestOptions;
use crate::session::Session;
use serde::Serialize;
use std::ops::ControlFlow;

/// The results of the project's own tests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// The command that ran them.
    pub command: String,
    /// Mutants on which they fail.
    pub killed: usize,
    /// Mutants on which they pass.
    pub live: usize,
    /// Of these, mutants that no test reaches.
    pub unreached: usize,
    /// killed / (killed + live); `None` over nothing.
    pub score: Option<f64>,
    /// For a sample: the 95 % confidence interval of the score over all mutants.
    pub interval: Option<(f64, f64)>,
    /// The width, in percentage points, at which the run stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// Runs the tests against the new mutants, and sets their standing.
///
/// # Errors
///
/// No mutants, or tests that cannot decide: see [`suite::run`].
pub fn tested(
    context: &Context,
    session: &Session,
    tests: &TestOptions,
    mutants: &mut [Made],
) -> anyhow::Result<(Tested, SuiteReport)> {
    let options = &session.options;
    let which = match tests.confidence {
        Some(_) => order(mutants.iter().map(Key::from), options.seed, options.scope.stratify),
        None => (0..mutants.len()).collect(),
    };
    let suite_options = SuiteOptions {
        test_command: tests.command.clone(),
        build_command: tests.build_command.clone(),
        timeout: tests.timeout.map(|limit| limit.0),
        jobs: options.jobs.get(),
        enough: tests.confidence.map(|width| enough(width.0)),
    };
    let project = Project {
        root: &options.root,
        output: &options.output,
        database: &session.database,
        model: &session.model,
        interrupted: &context.interrupted,
    };
    // Mutants that no test reaches are judged without a run.
    let all = mutants.iter().filter(|mutant| mutant.standing == Standing::New).count();
    let mut stage = None;
    let mut score = (0, 0);
    let report = suite::run(
        mutants,
        &which,
        &project,
        &suite_options,
        // Mutants of what can't be read are built one by one.
        &mut |file| bodies::of_file(session, file).unwrap_or_default(),
        &mut |event| {
            match event {
                Event::Stage(what) => context.ui.note(what),
                Event::Testing(number) => {
                    context.ui.detail(format_args!("{number} mutants are to be tested"));
                    stage.get_or_insert_with(|| context.ui.stage("testing", all));
                }
                Event::Judged { standing, reason, .. } => {
                    score.0 += usize::from(standing == Standing::KilledByTests);
                    score.1 += usize::from(matches!(standing, Standing::KilledByTests | Standing::Live));
                    if let Some(stage) = &stage {
                        stage.advance(format_args!(
                            "{} of {} killed; {}",
                            score.0,
                            score.1,
                            reason.unwrap_or_default()
                        ));
                    }
                }
            }
            if tests.confidence.is_some_and(|width| is_known(score, width.0)) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    )?;
    drop(stage);
    let tried = report.killed + report.live;
    let is_sample = tests.confidence.is_some() || options.scope.sample.is_some();
    let tested = Tested {
        command: tests.command.clone(),
        killed: report.killed,
        live: report.live,
        unreached: report.unreached,
        score: (tried > 0).then(|| report.killed as f64 / tried as f64),
        interval: is_sample.then(|| interval(report.killed, tried)),
        confidence: tests.confidence.map(|width| width.0),
    };
    Ok((tested, report))
}

/// The number of mutants that makes the interval narrow enough for any score (one in the middle needs the most), with
/// some spare for those that do not build.
fn enough(width: f64) -> usize {
    let share = width / 100.0;
    // The normal approximation, and what Clopper and Pearson add to it.
    let tried = (1.96 / share).powi(2) + 2.0 / share;
    (tried * 1.1) as usize + 1
}

/// Whether the interval is at most this many percentage points wide.
fn is_known((killed, tried): (usize, usize), width: f64) -> bool {
    let (low, high) = interval(killed, tried);
    tried > 0 && (high - low) * 100.0 <= width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_known_when_its_interval_is_narrow_enough() {
        assert!(!is_known((0, 0), 99.0));
        assert!(!is_known((50, 100), 10.0));
        assert!(is_known((190, 380), 10.5));
        // A score near the ends needs fewer.
        assert!(is_known((150, 150), 10.0) && !is_known((75, 150), 10.0));
    }

    #[test]
    fn no_more_mutants_are_built_than_any_score_needs() {
        for width in [5.0, 10.0, 30.0, 100.0] {
            let number = enough(width);
            assert!((0..=number).step_by(7).all(|killed| is_known((killed, number), width)), "{width}: {number}");
            // A little less is not enough for a score in the middle.
            let less = number * 4 / 5;
            assert!(width == 100.0 || !is_known((less / 2, less), width), "{width}: {number}");
        }
        assert!((390..460).contains(&enough(10.0)), "{}", enough(10.0));
    }
}
