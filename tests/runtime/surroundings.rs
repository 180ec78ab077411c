//! What a unit changes around it: locale, floating-point control, random numbers.

use super::*;

/// What tests/sources/runtime/surroundings.cpp looks at and changes, in its order.
const SURROUNDINGS: [&str; 32] = [
    "setlocale",
    "uselocale",
    "std::locale::global",
    "rounding mode",
    "flags of floating-point exceptions",
    "unmasked floating-point exceptions",
    "flush to zero",
    "registers of the older floating-point unit",
    "rand",
    "srand",
    "initstate with a buffer on the stack",
    "drand48",
    "srand48",
    "lcong48",
    "setenv",
    "putenv",
    "unsetenv",
    "clearenv",
    "environ assigned",
    "a variable's text written to",
    "chdir",
    "umask",
    "signal mask",
    "sigaction",
    "signal",
    "alarm",
    "end of stdin",
    "format of std::cout",
    "end of std::cin",
    "stdout assigned",
    "signal stack",
    "errno",
];

/// An earlier search that needed a child for each side.
pub fn before_in_children(mutants: usize) -> SearchResult {
    SearchResult { forked: true, effort: vec![SlotEffort::default(); mutants], ..SearchResult::default() }
}

#[test]
fn state_that_owns_heap_memory_is_put_back_with_the_heap_or_gets_a_child_for_each_side() {
    for in_children in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let mut searching = Searching::new(dir.path(), lab(dir.path(), "remember", 2, &[]), 2);
        searching.dictionary = vec![DictEntry::Int(77)];
        searching.budget = Budget::Executions(3_000);
        searching.before = in_children.then(|| before_in_children(2));
        let searched = searching.run();
        assert_eq!(dead(&searched), [1]);
        assert_eq!(searched.result.forked, in_children);
    }
}

#[test]
fn what_a_unit_remembers_with_its_thread_is_put_back_like_a_variable() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "remember_in_thread", 2, &[]), 2);
    searching.dictionary = vec![DictEntry::Int(77)];
    searching.budget = Budget::Executions(3_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [1]);
    let result = &searched.result;
    assert!(!result.forked && !result.original_differs && !result.copy_differs);
    assert!(result.faults.is_empty());
}

#[test]
fn what_a_unit_changes_around_it_is_put_back_between_the_sides() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "surroundings.cpp", versions()[0], &[]);
    let mut left = Vec::new();
    for (what, name) in SURROUNDINGS.iter().enumerate() {
        let mut searching = Searching::new(dir.path(), so.clone(), 2);
        searching.seeds = vec![(what as i32).to_le_bytes().to_vec()];
        // The seed alone: the original twice, the copy, and each mutant.
        searching.budget = Budget::Executions(1);
        let searched = searching.run();
        let (result, kills) = (&searched.result, dead(&searched));
        if kills != [1] || result.forked || result.copy_differs || result.effort[1].reason.is_some() {
            left.push((*name, kills, result.forked, result.effort[1].reason.clone()));
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn what_mutants_leave_behind_around_them_misleads_no_search() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "surroundings.cpp", versions()[0], &[]);
    let mut searching = Searching::new(dir.path(), so, 2);
    searching.slots.retain(|slot| slot.number == 2);
    searching.seeds = (0..SURROUNDINGS.len() as i32).map(|what| what.to_le_bytes().to_vec()).collect();
    searching.dictionary = (0..SURROUNDINGS.len() as i128).map(DictEntry::Int).collect();
    let Searched { result, kills } = searching.run();
    assert!(kills.is_empty() && !result.forked && !result.original_differs && result.faults.is_empty());
    assert!(result.executions >= 20_000 && result.effort[0].reason.is_none(), "{:?}", result.effort);
}

#[test]
fn numbers_are_told_with_a_point_in_every_locale() {
    let dir = tempfile::tempdir().unwrap();
    let german = dir.path().join("de_DE.UTF-8");
    let made = Command::new("localedef").args(["-f", "UTF-8", "-i", "de_DE"]).arg(&german).output();
    if !made.is_ok_and(|output| output.status.success()) {
        println!("skipped: this machine can't make a German locale");
        return;
    }
    let so = lab(dir.path(), "speak_with_commas", 1, &[&format!("-DLOCALES=\"{}\"", dir.path().display())]);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    let seen = judge.replay(&Replayed::Original, &[1, 0, 0, 0], Replay::default()).unwrap();
    let Seen::Value(returned) = &seen.record[0].seen else { panic!("{seen:?}") };
    assert_eq!((returned.double(), returned.text.as_str()), (Some(1.5), "1.5"), "0.25 more where it has no comma");
}

#[test]
fn random_numbers_of_the_library_start_afresh() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "shuffle", 1, &[]), 1);
    searching.dictionary = vec![DictEntry::Int(1000)];
    let searched = searching.run();
    assert_eq!(dead(&searched), [1]);
    assert!(!searched.result.forked && searched.result.effort[0].reason.is_none());
}
