//! Why a mutant lives: how far the search got with it, and which condition no input met.

use crate::engine::{Failures, SearchResult, SlotEffort};
use crate::probes::Watched;
use crate::report::count;
use std::collections::BTreeMap;

/// So many parts that are not compared are named.
const SHOWN: usize = 3;

/// Whether the mutant ever changed a value; `None` if that was not observable.
pub fn infected(killed: bool, effort: Option<&SlotEffort>) -> Option<bool> {
    if killed { Some(true) } else { effort?.infected.map(|times| times > 0) }
}

/// Whether any input entered the unit; without notes in its text, whether any reached the code before it.
pub fn entered(watched: &BTreeMap<usize, Watched>, result: &SearchResult) -> bool {
    let was = |watched: &Watched| {
        let entry = watched.way.first().and_then(|(place, _)| result.places.get(*place as usize));
        entry.copied().unwrap_or_default()
    };
    result.effort.iter().any(|effort| effort.reached) || watched.values().any(was)
}

/// The reason, beyond the numbers of the effort.
pub fn why(watched: Option<&Watched>, effort: Option<&SlotEffort>, result: &SearchResult) -> Option<String> {
    let effort = effort?;
    if !effort.reached {
        let Some(watched) = watched else {
            return Some(format!("none of {} inputs reached the unit", count(result.executions)));
        };
        let was = |place: u32| result.places.get(place as usize).copied().unwrap_or_default();
        let missed = watched.way.iter().find(|(place, _)| !was(*place));
        let missed = missed.map(|(_, missed)| missed.clone());
        return Some(missed.unwrap_or_else(|| "no input got past the code before it".into()));
    }
    match effort.infected {
        Some(times @ 1..) => {
            Some(format!("changed an intermediate value in {} inputs, but never the result or the state", count(times)))
        }
        Some(0) => Some("the changed expression had the same value whenever it was reached".into()),
        None => None,
    }
}

/// What kept most inputs from saying anything: failures of the original, exceptions; a suffix, empty if nothing did.
pub fn hindered(result: &SearchResult) -> String {
    let Failures { failed_said, thrown, thrown_said, unmade, unmade_said } = &result.failures;
    let failed = result.executions.saturating_sub(result.came_back);
    let most = |part: u64, of: u64| (part > of / 2).then(|| format!("{} %", part * 100 / of.max(1)));
    let rest = if failed > 0 { "the others" } else { "the inputs" };
    let mut said = String::new();
    if let Some(share) = most(failed, result.executions).filter(|_| !failed_said.is_empty()) {
        said += &format!("; the original failed on {share} of the inputs, mostly with {}", plain(failed_said));
    }
    if let Some(share) = most(*unmade, result.came_back).filter(|_| !unmade_said.is_empty()) {
        said += &format!("; constructing its objects throws on {share} of {rest}: `{}`", plain(unmade_said));
    } else if let Some(share) = most(*thrown, result.came_back).filter(|_| !thrown_said.is_empty()) {
        said += &format!("; it throws on {share} of {rest}: `{}`", plain(thrown_said));
    }
    said
}

/// What could have shown the difference, had it been compared; a suffix, empty if there is nothing.
pub fn unseen(effort: Option<&SlotEffort>, not_compared: &[String]) -> String {
    let is_told = effort.is_some_and(|effort| effort.reached && effort.infected != Some(0));
    match not_compared {
        [first, rest @ ..] if is_told => {
            let more = rest.iter().take(SHOWN - 1).map(|path| format!(", {path}")).collect::<String>();
            let others = if rest.len() >= SHOWN { ", …" } else { "" };
            format!("; not compared: {}", plain(&format!("{first}{more}{others}")))
        }
        _ => String::new(),
    }
}

/// On one line: texts of assertions and exceptions may hold anything.
pub fn plain(said: &str) -> String {
    said.split(char::is_control).collect::<Vec<_>>().join(" ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort(reached: bool, infected: Option<u64>) -> SlotEffort {
        SlotEffort { executions: 10, reached, infected, ..SlotEffort::default() }
    }

    #[test]
    fn the_first_condition_that_no_input_met_is_in_the_way() {
        let way = vec![(0, "the function was never entered".into()), (3, "`a > 2` in line 7 was never true".into())];
        let watched = Watched { reached: 5, infected: Some(6), way };
        let search = |places: &[bool]| SearchResult { places: places.to_vec(), ..SearchResult::default() };
        let why = |places: &[bool]| why(Some(&watched), Some(&effort(false, Some(0))), &search(places));
        assert_eq!(why(&[]).as_deref(), Some("the function was never entered"));
        assert_eq!(why(&[true, false, false, false]).as_deref(), Some("`a > 2` in line 7 was never true"));
        assert_eq!(why(&[true; 4]).as_deref(), Some("no input got past the code before it"));
    }

    #[test]
    fn a_unit_is_entered_where_its_first_place_or_a_mutants_was_reached() {
        let way = vec![(0, "the function was never entered".into()), (3, "`a > 2` in line 7 was never true".into())];
        let watched = BTreeMap::from([(4, Watched { reached: 5, infected: None, way })]);
        let search = |reached, places: &[bool]| SearchResult {
            places: places.to_vec(),
            effort: vec![effort(reached, None)],
            ..SearchResult::default()
        };
        assert!(!entered(&watched, &search(false, &[false; 6])));
        assert!(entered(&watched, &search(false, &[true, false, false, false, false, false])));
        assert!(entered(&BTreeMap::new(), &search(true, &[])));
        assert!(!entered(&BTreeMap::new(), &search(false, &[])));
    }

    #[test]
    fn what_keeps_most_inputs_from_saying_anything_is_told_with_its_text() {
        let failures = Failures {
            failed_said: "SIGABRT: the assertion `n > 0` in a.c:7".into(),
            thrown: 1,
            thrown_said: "std::out_of_range: at".into(),
            unmade: 9,
            unmade_said: "std::length_error: too\nlong".into(),
        };
        let search = |came_back| SearchResult {
            executions: 100,
            came_back,
            failures: failures.clone(),
            ..SearchResult::default()
        };
        let unmade = "; constructing its objects throws on 90 % of the others: `std::length_error: too long`";
        let failed = "; the original failed on 90 % of the inputs, mostly with SIGABRT: the assertion `n > 0` in a.c:7";
        assert_eq!(hindered(&search(10)), format!("{failed}{unmade}"));
        assert_eq!(hindered(&search(90)), "", "most return");
    }

    #[test]
    fn what_is_not_compared_is_named_where_a_value_differed_inside() {
        let paths = ["what is behind state.data", "b", "c", "d"].map(str::to_owned);
        assert_eq!(unseen(Some(&effort(true, Some(3))), &paths[..1]), "; not compared: what is behind state.data");
        assert!(unseen(Some(&effort(true, None)), &paths).ends_with("state.data, b, c, …"));
        assert_eq!(unseen(Some(&effort(true, Some(0))), &paths), "");
        assert_eq!(unseen(Some(&effort(false, None)), &paths), "");
    }

    #[test]
    fn what_differed_inside_is_counted_and_what_nobody_looked_at_is_unknown() {
        let why = |effort| why(None, Some(&effort), &SearchResult::default());
        assert_eq!(
            why(effort(true, Some(1234))).as_deref(),
            Some("changed an intermediate value in 1,234 inputs, but never the result or the state")
        );
        let same = "the changed expression had the same value whenever it was reached";
        assert_eq!(why(effort(true, Some(0))).as_deref(), Some(same));
        assert_eq!(why(effort(true, None)), None);
        assert_eq!((infected(false, Some(&effort(true, None))), infected(true, None)), (None, Some(true)));
        assert_eq!(infected(false, Some(&effort(true, Some(0)))), Some(false));
    }
}
