//! `report`: renders the stored outcome again; and how every command that has an outcome ends.

use super::{Context, print};
use crate::choices::{Percent, ReportFormat, ReportTo};
use crate::cli::ReportArgs;
use crate::context::shown;
use crate::diag::Exit;
use crate::judgements::{self, Judgements};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::report::changes::Changes;
use crate::report::{Format, View, json};
use crate::tools::git;
use std::io::Write;
use std::path::Path;

/// Renders the stored outcome to standard output; a page goes to the output folder.
///
/// # Errors
///
/// There is no stored outcome, or it, the baseline, the other outcome or the dismissals cannot be understood.
pub fn run(context: &Context, args: &ReportArgs) -> anyhow::Result<Exit> {
    let options = Options::for_report(&context.root, args, context.config.clone())?;
    let mut outcome = json::read(&options.output)?;
    let judgements = Judgements::read(&options.root, options.survivors.baseline.as_deref())?;
    if let Some(problem) = judgements::foreign(&options.root, &outcome) {
        context.ui.warn(&problem.at(&options.output));
    }
    judgements.apply(&mut outcome);
    if let Some(problem) = judgements.gone(&outcome, false) {
        context.ui.warn(&problem);
    }
    let old = args.diff.as_ref().map(|old| judgements::other(&options.root, &options.root.join(old))).transpose()?;
    let changes = old.map(|old| Changes::between(&old, &outcome));
    let view = View { changes, ..view(context, &options, &outcome) };
    if args.format == ReportFormat::Html {
        let page = Format::of(args.format).write(&view, None)?;
        print(format!("{}\n", page.display()).as_bytes())?;
    } else {
        put(context, &view, args.format, Some(Path::new("-")))?;
    }
    Ok(exit(&options, &outcome))
}

/// An outcome as the options want it shown.
pub fn view<'o>(context: &Context, options: &'o Options, outcome: &'o Outcome) -> View<'o> {
    // Where git knows no prefix, paths stay relative to the root.
    let within = git::line(&context.root, &["rev-parse", "--show-prefix"]).unwrap_or_default();
    View {
        within: within.into(),
        project: &options.project,
        most: options.survivors.most,
        fails_on_new: options.survivors.fail_on_new,
        color: context.ui.colors_output(),
        ..View::new(outcome, &options.root, &options.output)
    }
}

/// Writes the requested reports, and annotations under GitHub Actions: on standard error where standard output has a
/// report. The runner reads both.
///
/// # Errors
///
/// A file cannot be written.
pub fn write(context: &Context, view: &View, reports: &[ReportTo]) -> anyhow::Result<()> {
    // Shards would write the same files; `merge` writes that of all.
    if view.outcome.shard.is_some() {
        return Ok(());
    }
    for report in reports {
        put(context, view, report.format, report.path.as_deref())?;
    }
    let on_github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    if on_github && !reports.iter().any(|report| report.format == ReportFormat::Github) {
        if has_report(reports) {
            step_summary(view)?;
            std::io::stderr().write_all((Format::of(ReportFormat::Github).render)(view)?.as_bytes())?;
        } else {
            put(context, view, ReportFormat::Github, None)?;
        }
    }
    Ok(())
}

/// Whether a report goes to standard output.
fn has_report(reports: &[ReportTo]) -> bool {
    reports.iter().any(|report| report.path.as_deref() == Some(Path::new("-")))
}

/// Appends the Markdown to the summary of the step, if GitHub Actions wants one.
fn step_summary(view: &View) -> anyhow::Result<()> {
    if let Some(summary) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
        let text = (Format::of(ReportFormat::Markdown).render)(view)?;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&summary);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
            let fix = "check GITHUB_STEP_SUMMARY";
            crate::diag::Problem::usage("output-unwritable", error.to_string(), fix).at(&summary)
        })?;
    }
    Ok(())
}

/// Writes one report to a file; to standard output if the path is `-`.
fn put(context: &Context, view: &View, format: ReportFormat, to: Option<&Path>) -> anyhow::Result<()> {
    let is_github = format == ReportFormat::Github;
    if is_github {
        step_summary(view)?;
    }
    // Annotations do not work in a file.
    if to == Some(Path::new("-")) || to.is_none() && is_github {
        print((Format::of(format).render)(view)?.as_bytes())?;
        return Ok(());
    }
    let path = Format::of(format).write(&View { color: false, ..view.clone() }, to)?;
    context.ui.note(format_args!("report: {}", shown(&context.root, &path)));
    Ok(())
}

/// Prints the summary of a run: to standard error where a report goes to standard output, which scripts read.
///
/// # Errors
///
/// It cannot be written.
pub fn summary(options: &Options, text: &str) -> anyhow::Result<()> {
    if has_report(&options.reports) {
        eprint!("{text}");
        return Ok(());
    }
    print(text.as_bytes()).map(|_| ())
}

/// Compares the score with `--fail-under`, the combined one if there is one, and looks for new survivors. Mutants
/// without a score are below every limit; no mutants at all are not.
pub fn exit(options: &Options, outcome: &Outcome) -> Exit {
    let score = outcome.summary.combined_score.or(outcome.summary.score);
    let mutants = !outcome.mutants.is_empty();
    let below = options.fail_under.is_some_and(|least| score.map_or(mutants, |score| is_below(score, least)));
    // A part of the mutants has no score that means anything; `merge` looks at that of all.
    if options.shard.is_some() {
        return Exit::Done;
    }
    let new = options.survivors.fail_on_new && outcome.mutants.iter().any(|mutant| mutant.new == Some(true));
    if below || new { Exit::Below } else { Exit::Done }
}

/// The score is a fraction whose percentage may be off by a rounding: 29 of 100 are not below 29 %.
fn is_below(score: f64, least: Percent) -> bool {
    score < least.0 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_at_the_limit_is_not_below_it() {
        for killed in 0..=100 {
            let score = f64::from(killed) / 100.0;
            assert!(!is_below(score, Percent(f64::from(killed))) && is_below(score, Percent(f64::from(killed) + 0.5)));
        }
    }
}
