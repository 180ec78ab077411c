//! `explain`: one mutant on one screen.

use super::{Context, print};
use crate::cli::ExplainArgs;
use crate::diag::{Exit, Problem, nearest};
use crate::judgements::Judgements;
use crate::options::Options;
use crate::outcome::{MutantOutcome, Outcome};
use crate::report::{Place, explain, json};

/// The most mutants that a message names.
const MOST_NAMED: usize = 8;

/// Prints the selected mutant.
///
/// # Errors
///
/// There is no stored outcome, or the word selects none or several of its mutants.
pub fn run(context: &Context, args: &ExplainArgs) -> anyhow::Result<Exit> {
    let options = Options::for_explain(&context.root, args, context.config.clone());
    let mut outcome = json::read(&options.output)?;
    Judgements::read(&options.root, None)?.apply(&mut outcome);
    let mutants = found(&outcome, &args.mutant)?;
    let color = context.ui.colors_output();
    let texts: Vec<String> =
        mutants.iter().map(|mutant| explain::render(&outcome, mutant, &options.output, color)).collect();
    print(texts.join("\n").as_bytes())
}

/// The selected mutants: by whole id, by place, or by a unique part of an id.
pub(super) fn found<'o>(outcome: &'o Outcome, word: &str) -> Result<Vec<&'o MutantOutcome>, Problem> {
    let mutants = &outcome.mutants;
    if let Some(exact) = mutants.iter().find(|mutant| mutant.id == word) {
        return Ok(vec![exact]);
    }
    let number = |word: &str| -> Option<(String, u32)> {
        let (rest, number) = word.rsplit_once(':')?;
        Some((rest.to_owned(), number.parse().ok()?))
    };
    // `FILE:LINE:COLUMN` or `FILE:LINE`.
    let place = number(word).map(|(rest, last)| match number(&rest) {
        Some((file, line)) => (file, line, Some(last)),
        None => (rest, last, None),
    });
    let at = |mutant: &&MutantOutcome, column: Option<u32>| {
        column.is_none_or(|column| Place::of(mutant).start.column == column)
    };
    let meant: Vec<&MutantOutcome> = match &place {
        Some((file, line, column)) => {
            let of_line = mutants.iter().filter(|m| m.line == *line && m.file.ends_with(file));
            of_line.filter(|mutant| at(mutant, *column)).collect()
        }
        None => mutants.iter().filter(|m| m.id.contains(word)).collect(),
    };
    let place = place.as_ref().map(|(file, line, _)| (file.as_str(), *line));
    match &meant[..] {
        [_] => Ok(meant),
        [] => Err(unknown(outcome, word, place)),
        several => {
            let what = format!("`{word}` may be any of {} mutants", several.len());
            let names: Vec<String> = several.iter().take(MOST_NAMED).map(|m| format!("`{}`", m.id)).collect();
            let more = if several.len() > MOST_NAMED { ", …" } else { "" };
            Err(Problem::usage("mutant-ambiguous", what, format!("give more of its id: {}{more}", names.join(", "))))
        }
    }
}

fn unknown(outcome: &Outcome, word: &str, place: Option<(&str, u32)>) -> Problem {
    let near: Vec<String> = match place {
        // The nearest mutants of the file.
        Some((file, line)) => {
            let mut of_file: Vec<&MutantOutcome> = outcome.mutants.iter().filter(|m| m.file.ends_with(file)).collect();
            of_file.sort_by_key(|mutant| (mutant.line.abs_diff(line), mutant.line));
            let mut places: Vec<String> =
                of_file.iter().map(|mutant| format!("`{}:{}`", mutant.file.display(), mutant.line)).collect();
            places.dedup();
            places.truncate(MOST_NAMED);
            places
        }
        None => {
            let ids = || outcome.mutants.iter().map(|mutant| mutant.id.as_str());
            let names = ids().filter_map(|id| id.rsplit('/').next());
            nearest(word, ids().chain(names)).map(|near| format!("`{near}`")).into_iter().collect()
        }
    };
    let fix = match near.is_empty() {
        true => "`motif-cpp report --format json` has them all".to_owned(),
        false => format!("near it: {}", near.join(", ")),
    };
    Problem::usage("mutant-unknown", format!("no mutant of the last run is `{word}`"), fix)
}
