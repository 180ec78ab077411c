//! `report`: renders the stored outcome again.

use super::{Context, print};
use crate::choices::ReportFormat;
use crate::cli::ReportArgs;
use crate::diag::Exit;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::report::{html, json, text};

/// Renders the stored outcome: text and JSON to standard output, the page to the output folder.
pub fn run(context: &Context, args: &ReportArgs) -> anyhow::Result<Exit> {
    let options = Options::for_report(&context.root, args, context.config.clone())?;
    let outcome = json::read(&options.output)?;
    match args.format {
        ReportFormat::Text => print(text::render(&outcome, context.ui.colors_output()).as_bytes())?,
        ReportFormat::Json => print(json::render(&outcome)?.as_bytes())?,
        ReportFormat::Html => {
            let path = html::write(&outcome, &options.output)?;
            print(format!("{}\n", path.display()).as_bytes())?
        }
    };
    Ok(exit(&outcome, options.fail_under.map(|percent| percent.0)))
}

/// Compares the score with `--fail-under`; no score is below every limit.
pub fn exit(outcome: &Outcome, fail_under: Option<f64>) -> Exit {
    match (outcome.summary.score, fail_under) {
        (Some(score), Some(least)) if score * 100.0 < least => Exit::Below,
        _ => Exit::Done,
    }
}
