//! Why a mutant lives: how far the search got with it, and which condition no input met.

use crate::engine::{SearchResult, SlotEffort};
use crate::probes::Watched;
use crate::report::count;
use std::collections::BTreeMap;

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
        _ => None,
    }
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
    fn what_differed_inside_is_counted_and_what_nobody_looked_at_is_unknown() {
        let why = |effort| why(None, Some(&effort), &SearchResult::default());
        assert_eq!(
            why(effort(true, Some(1234))).as_deref(),
            Some("changed an intermediate value in 1,234 inputs, but never the result or the state")
        );
        assert_eq!(why(effort(true, Some(0))), None);
        assert_eq!((infected(false, Some(&effort(true, None))), infected(true, None)), (None, Some(true)));
        assert_eq!(infected(false, Some(&effort(true, Some(0)))), Some(false));
    }
}
