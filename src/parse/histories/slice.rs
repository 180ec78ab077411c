//! Of all that a function does, what made one object what it is.

use super::miner::{Miner, Seen};
use crate::model::history::{Action, By, History, Step, Value};
use std::collections::BTreeSet;

/// Longer histories are cut: a driver is to be read.
const LONGEST: usize = 9;
/// The most histories of one class that one function tells, and one file.
pub(super) const MOST: usize = 100;
/// The most calls that change the object.
const CALLS: usize = 6;

impl Miner<'_, '_> {
    /// Notes the histories of objects as they are now, of those to which something was done since the step `from`.
    pub(super) fn harvest(&mut self, from: usize) {
        for object in touched(&self.steps, from) {
            let Some(yields) = &self.steps[object].step.yields else { continue };
            if yields.is_const {
                continue;
            }
            let class = yields.class.clone();
            if let Some((history, last)) = history(&self.steps, object)
                && last >= from
            {
                let known = self.found.entry(class).or_default();
                if known.len() < MOST && !known.iter().any(|known| known.is_like(&history)) {
                    known.push(history);
                }
            }
        }
    }
}

/// The objects that are made since the step `from`, or to which something was done.
fn touched(all: &[Seen], from: usize) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = (from..all.len()).collect();
    let mut ahead: Vec<usize> =
        all[from.min(all.len())..].iter().flat_map(|seen| seen.changes.iter().copied().chain(seen.part_of)).collect();
    while let Some(index) = ahead.pop() {
        if found.insert(index) {
            ahead.extend(all[index].part_of);
        }
    }
    found
}

/// The history of the object that `object` yields, and its last step; none where there is nothing to it.
fn history(all: &[Seen], object: usize) -> Option<(History, usize)> {
    // References and pointers that it returns are its parts: a change of them changes it.
    let mut parts = BTreeSet::from([object]);
    let mut calls = Vec::new();
    for index in object + 1..all.len() {
        if changes(all, index, &mut parts) {
            calls.push(index);
        }
    }
    calls.truncate(CALLS);
    loop {
        let mut chosen = BTreeSet::new();
        needed(all, object, &mut chosen);
        for call in &calls {
            needed(all, *call, &mut chosen);
        }
        if chosen.len() <= LONGEST {
            return tells(all, object, &chosen).then(|| written(all, object, &chosen));
        }
        calls.pop()?;
    }
}

/// Whether a step changes an object that has these parts; what it hands out of them is one more.
fn changes(all: &[Seen], index: usize, parts: &mut BTreeSet<usize>) -> bool {
    let seen = &all[index];
    let is_change = seen.changes.iter().any(|changed| parts.contains(changed));
    if seen.part_of.is_some_and(|whole| parts.contains(&whole)) {
        parts.insert(index);
        // Without arguments it only hands something out.
        return is_change && !seen.step.args.is_empty();
    }
    is_change
}

/// Whether there is more to it than an object with nothing inside.
fn tells(all: &[Seen], object: usize, chosen: &BTreeSet<usize>) -> bool {
    let is_call = matches!(all[object].step.action, Action::Call { .. });
    chosen.len() > 1 || is_call && !all[object].step.args.is_empty()
}

/// The earlier steps whose objects a step uses.
fn used(step: &Step) -> impl Iterator<Item = usize> + '_ {
    let on = match step.action {
        Action::Call { on, .. } => on,
        Action::Construct { .. } => None,
    };
    let args = step.args.iter().filter_map(|arg| match arg {
        Value::Made(made) => Some(*made),
        _ => None,
    });
    on.into_iter().chain(args)
}

/// Adds a step, what it needs, and what was done to that before.
fn needed(all: &[Seen], index: usize, chosen: &mut BTreeSet<usize>) {
    if chosen.len() > LONGEST || !chosen.insert(index) {
        return;
    }
    for helper in used(&all[index].step) {
        needed(all, helper, chosen);
        let mut parts = BTreeSet::from([helper]);
        for earlier in helper + 1..index {
            if changes(all, earlier, &mut parts) {
                needed(all, earlier, chosen);
            }
        }
    }
}

/// The chosen steps as a history of their own.
fn written(all: &[Seen], object: usize, chosen: &BTreeSet<usize>) -> (History, usize) {
    let place = |index: usize| chosen.iter().position(|known| *known == index);
    let used: BTreeSet<usize> = chosen.iter().flat_map(|index| used(&all[*index].step)).chain([object]).collect();
    let steps = chosen
        .iter()
        .map(|index| {
            let mut step = all[*index].step.clone();
            if let Action::Call { on, .. } = &mut step.action {
                *on = on.and_then(place);
            }
            for arg in &mut step.args {
                if let Value::Made(made) = arg {
                    *arg = place(*made).map_or(Value::Any, Value::Made);
                }
            }
            // An unused reference or pointer need not be kept.
            if !used.contains(index)
                && step.yields.as_ref().is_some_and(|y| y.by != By::Value)
                && matches!(step.action, Action::Call { .. })
            {
                step.yields = None;
            }
            step
        })
        .collect();
    let last = chosen.iter().next_back().copied().unwrap_or(object);
    let history =
        History { file: Default::default(), line: all[last].line, steps, object: place(object).unwrap_or_default() };
    (history, last)
}
