//! From all possible mutants to those worth trying: scope, sample, compiler filter.

use super::draw;
use super::filter::{self, filter};
pub use super::make::Selection;
use super::make::{Ground, ground, make};
use super::sample::{Key, order};
use super::scope::{Step, emptied};
use super::shards;
use crate::build::Builder;
use crate::choices::{Rate, Stratify};
use crate::context::Context;
use crate::diag::Problem;
use crate::model::Function;
use crate::mutant::made::{Made, Standing};
use crate::options::Sample;
use crate::session::{Session, interrupted};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// For each mutant of a sample so many places are drawn first. They show how many have a mutant.
const PLACES_EACH: usize = 4;
/// So often more of them are drawn, where that were too few.
const ROUNDS: u32 = 4;

/// Sets the standing of new mutants.
pub type Judge<'f> = dyn FnMut(&mut [Made]) -> anyhow::Result<()> + 'f;

/// Makes and chooses mutants; `filter` finds those not worth trying.
///
/// # Errors
///
/// A name in the scope does not exist, the scope is empty, a stage failed, or the user interrupted.
pub fn choose(context: &Context, session: &Session, filter: &mut Judge<'_>) -> anyhow::Result<Selection> {
    let ground = ground(context, session)?;
    let scope = &session.options.scope;
    let mut selection = match drawn_first(context, session, &ground, filter)? {
        Some(selection) => selection,
        None => {
            let mut selection = make(context, session, &ground.scope, &ground.files, ground.steps)?;
            if let Some(sample) = scope.sample.filter(|_| !selection.mutants.is_empty()) {
                let places = order(selection.mutants.iter().map(Key::from), session.options.seed, scope.stratify);
                // What replaces what the filter takes out is known to all shards only if each asks it.
                selection.mutants = drawn(selection.mutants, &places, sample, filter)?;
                cut(session, &mut selection);
            } else {
                cut(session, &mut selection);
                filter(&mut selection.mutants)?;
            }
            selection
        }
    };
    if context.is_interrupted() {
        return Err(interrupted().into());
    }
    let number = |standing| selection.mutants.iter().filter(|mutant| mutant.standing == standing).count();
    let what = format!(
        "what does not compile ({}), is equivalent ({}) or a duplicate ({})",
        number(Standing::Unbuildable),
        number(Standing::Equivalent),
        number(Standing::Duplicate)
    );
    let left = number(Standing::New);
    selection.steps.push(Step { what, left, noun: "mutant" });
    Ok(selection)
}

/// A sample of a project with many files, drawn before any is read; none where all files have to be, or nearly all.
fn drawn_first(
    context: &Context,
    session: &Session,
    ground: &Ground<'_>,
    filter: &mut Judge<'_>,
) -> anyhow::Result<Option<Selection>> {
    let (options, scope) = (&session.options, &session.options.scope);
    let whole = scope.lines.is_empty() && scope.since.is_none() && scope.coverage_file.is_none();
    let Some(Sample::Number(wanted)) =
        scope.sample.filter(|_| whole && scope.stratify == Stratify::Uniform && session.draws_first())
    else {
        return Ok(None);
    };
    let size = |function: &Function| function.definition.as_ref().map_or(0, |d| d.extent.end - d.extent.start);
    let mut whole = Selection::default();
    let mut known: HashSet<&str> = HashSet::new();
    let mut count = wanted.get().saturating_add(1).saturating_mul(PLACES_EACH);
    // About a quarter of the mutants is not worth trying.
    let mut needed = wanted.get().saturating_mul(4) / 3 + 4;
    for _ in 0..ROUNDS {
        let functions = ground.files.values().flatten().map(|function| (&function.usr, size(function)));
        let places = draw::places(functions, options.seed, count);
        let units: HashSet<&str> = places.iter().map(|place| place.unit.as_str()).collect();
        let taken = ground.files.values().filter(|functions| functions.iter().any(|f| units.contains(f.usr.as_str())));
        let taken = taken.count();
        if taken * 2 > ground.files.len() || taken == 0 {
            return Ok(None);
        }
        // What an earlier round has read is not read again.
        let mut files = ground.files.clone();
        files.retain(|_, functions| {
            functions.retain(|f| units.contains(f.usr.as_str()) && !known.contains(f.usr.as_str()));
            !functions.is_empty()
        });
        known.extend(files.values().flatten().map(|function| function.usr.as_str()));
        let step = Step { what: "what was drawn for the sample".into(), left: taken, noun: "file" };
        let steps = ground.steps.iter().cloned().chain([step]).collect();
        whole.join(make(context, session, &ground.scope, &files, steps)?);
        let order = draw::at(&places, &whole.mutants, options.seed);
        if order.len() >= needed {
            let mutants = drawn(whole.mutants.clone(), &order, Sample::Number(wanted), filter)?;
            if mutants.iter().filter(|mutant| mutant.standing == Standing::New).count() >= wanted.get() {
                whole.mutants = mutants;
                cut(session, &mut whole);
                return Ok(Some(whole));
            }
            needed = needed.saturating_mul(2);
        }
        // As many places as bring enough mutants, after what these have brought.
        count = places.len().saturating_mul(needed + needed / 8) / order.len().max(1);
    }
    Ok(None)
}

/// Keeps what belongs to the session's shard.
fn cut(session: &Session, selection: &mut Selection) {
    let all = std::mem::take(&mut selection.mutants);
    let before = all.len();
    (selection.mutants, selection.files) = shards::cut(session, all, |mutant| &mutant.file);
    if let Some(shard) = session.options.shard {
        let own: HashSet<&PathBuf> = selection.mutants.iter().map(|mutant| &mutant.file).collect();
        // What is skipped in a file without mutants is told by the first.
        let others: HashSet<PathBuf> = selection.files.iter().map(|file| session.options.root.join(file)).collect();
        let is_own = |file: &PathBuf| own.contains(file) || shard.number == 1 && !others.contains(file);
        selection.skipped.retain(|mark| is_own(&mark.file));
        selection.sources.retain(|file, _| is_own(file));
        let what = format!("shard {shard} of {before}");
        selection.steps.push(Step { what, left: selection.mutants.len(), noun: "mutant" });
    }
}

/// Says that a scope is empty; a shard may well be, where there are fewer files than shards.
pub fn say_emptied(context: &Context, session: &Session, steps: &[Step]) {
    match session.options.shard {
        Some(shard) => context.ui.note(format_args!("shard {shard} has no mutants to try")),
        None => context.ui.warn(&emptied(steps)),
    }
}

/// Finds mutants that do not compile, and those that compile to the code of the original or another mutant.
///
/// # Errors
///
/// A tool is missing, or the output folder cannot be written.
pub fn worth_trying(
    context: &Context,
    session: &Session,
    builder: &Builder,
    mutants: &mut [Made],
) -> anyhow::Result<()> {
    let cache = session.options.output.join("cache").join("filter");
    let ground = filter::Ground { model: &session.model, database: &session.database, builder, cache: &cache };
    let stage = context.ui.stage("filtering", mutants.len());
    let total = mutants.len();
    let done = AtomicUsize::new(0);
    let report = filter(mutants, &ground, &|number| {
        let done = done.fetch_add(number, Ordering::Relaxed) + number;
        stage.advance_by(number, format_args!("{done} of {total} mutants"));
    })?;
    drop(stage);
    for (file, error) in &report.uncompiled {
        let what = format!("does not compile unmodified, so nothing is known of its mutants: {error}");
        context.ui.warn(&Problem::untestable("source-unbuildable", what, "").at(file));
    }
    for (unit, why) in report.uncopied.iter().chain(&report.uncompared) {
        context.ui.detail(format_args!("{unit}: {why}"));
    }
    context.ui.detail(format_args!("filtered {total} mutants in {:.1} CPU seconds", report.cpu_seconds));
    if report.interrupted { Err(interrupted().into()) } else { Ok(()) }
}

/// Draws in the order of `places` until the sample is full, replacing mutants that the filter takes out. The result
/// is in the order of `mutants`.
fn drawn(mutants: Vec<Made>, places: &[usize], sample: Sample, filter: &mut Judge<'_>) -> anyhow::Result<Vec<Made>> {
    let (wanted, most) = match sample {
        Sample::Number(number) => (number.get(), places.len()),
        // A share is of all mutants, so nothing is replaced.
        Sample::Rate(Rate(rate)) => {
            let number = ((mutants.len() as f64 * rate).round() as usize).clamp(1, places.len());
            (number, number)
        }
    };
    let mut slots: Vec<Option<Made>> = mutants.into_iter().map(Some).collect();
    let mut seen: Vec<(usize, Made)> = Vec::new();
    let mut at = 0;
    loop {
        let found = seen.iter().filter(|(_, mutant)| mutant.standing == Standing::New).count();
        if found >= wanted || at >= most {
            break;
        }
        // The filter rarely takes more than a third; each batch costs compilations of its own.
        let missing = wanted - found;
        let end =
            if most == wanted { most } else { missing.saturating_add(missing / 2 + 8).saturating_add(at).min(most) };
        let mut batch: Vec<usize> = places[at..end].to_vec();
        batch.sort_unstable();
        let mut drawn: Vec<Made> = batch.iter().filter_map(|place| slots[*place].take()).collect();
        filter(&mut drawn)?;
        seen.extend(batch.into_iter().zip(drawn));
        at = end;
    }
    let rank: HashMap<usize, usize> = places.iter().enumerate().map(|(rank, place)| (*place, rank)).collect();
    seen.sort_by_key(|(place, _)| rank[place]);
    first_come(&mut seen);
    let mut left = wanted;
    let mut kept: Vec<(usize, Made)> = seen
        .into_iter()
        .take_while(|(_, mutant)| {
            let full = left == 0;
            left -= usize::from(!full && mutant.standing == Standing::New);
            !full
        })
        .collect();
    kept.sort_by_key(|(place, _)| *place);
    Ok(kept.into_iter().map(|(_, mutant)| mutant).collect())
}

/// Of duplicates, the first one drawn is tried: another one might not be in the sample.
fn first_come(drawn: &mut [(usize, Made)]) {
    let mut first: HashMap<String, String> = HashMap::new();
    for (_, mutant) in drawn {
        let class = match (mutant.standing, &mutant.reason) {
            (Standing::New, _) => mutant.id.clone(),
            (Standing::Duplicate, Some(of)) => of.clone(),
            _ => continue,
        };
        let of = first.entry(class).or_insert_with(|| mutant.id.clone());
        (mutant.standing, mutant.reason) =
            if *of == mutant.id { (Standing::New, None) } else { (Standing::Duplicate, Some(of.clone())) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::made::Change;
    use std::num::NonZeroUsize;

    fn mutants(number: usize) -> Vec<Made> {
        let mutant = |n: usize| Made {
            id: format!("m{n}"),
            file: "/p/a.c".into(),
            line: n as u32 + 1,
            column: 1,
            unit: "c:@F@f".into(),
            unit_id: "f".into(),
            change: Change { operator: "ROR".into(), edits: Vec::new() },
            standing: Standing::New,
            reason: None,
        };
        (0..number).map(mutant).collect()
    }

    fn ids(mutants: &[Made]) -> Vec<&str> {
        mutants.iter().map(|mutant| mutant.id.as_str()).collect()
    }

    #[test]
    fn a_sample_is_drawn_on_for_what_the_filter_takes_out() {
        let number = |n| Sample::Number(NonZeroUsize::new(n).unwrap());
        let places: Vec<usize> = (0..100).rev().collect();
        let mut asked = 0;
        let mut filter = |batch: &mut [Made]| {
            asked += batch.len();
            batch.iter_mut().filter(|m| m.line % 2 == 0).for_each(|m| m.standing = Standing::Equivalent);
            Ok(())
        };
        let found = drawn(mutants(100), &places, number(20), &mut filter).unwrap();
        let new: Vec<&Made> = found.iter().filter(|m| m.standing == Standing::New).collect();
        assert_eq!((new.len(), found.len()), (20, 40));
        assert_eq!((new[0].id.as_str(), new[19].id.as_str()), ("m60", "m98"));
        assert!(asked < 80, "{asked} were compiled");
        // All of them, if there are fewer than requested.
        assert_eq!(drawn(mutants(3), &[2, 0, 1], number(5), &mut |_| Ok(())).unwrap().len(), 3);
    }

    #[test]
    fn a_share_is_one_of_all_that_were_made() {
        let places: Vec<usize> = (0..50).collect();
        let mut calls = 0;
        let found = drawn(mutants(50), &places, Sample::Rate(Rate(0.1)), &mut |batch: &mut [Made]| {
            calls += 1;
            batch[0].standing = Standing::Unbuildable;
            Ok(())
        });
        assert_eq!((ids(&found.unwrap()), calls), (vec!["m0", "m1", "m2", "m3", "m4"], 1));
    }

    #[test]
    fn of_duplicates_the_first_drawn_is_tried() {
        // By place m0 is the first of its kind; the sample draws m9 first and has no room for m0.
        let places = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
        let mut filter = |batch: &mut [Made]| {
            for mutant in batch.iter_mut().filter(|m| ["m9", "m7"].contains(&m.id.as_str())) {
                (mutant.standing, mutant.reason) = (Standing::Duplicate, Some("m0".into()));
            }
            Ok(())
        };
        let found = drawn(mutants(10), &places, Sample::Number(NonZeroUsize::new(3).unwrap()), &mut filter).unwrap();
        assert_eq!(ids(&found), ["m6", "m7", "m8", "m9"]);
        let of = |n: usize| (found[n].standing, found[n].reason.clone());
        assert_eq!(of(3), (Standing::New, None));
        assert_eq!(of(1), (Standing::Duplicate, Some("m9".into())));
    }
}
