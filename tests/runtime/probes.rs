//! Probes: where mutants run, and what is said of kills that no probe foresaw.

use super::*;

/// A unit with probes: what they are, by mutant.
fn probed<'a>(dir: &'a Path, more: &[&str]) -> Searching<'a> {
    let flags: Vec<&str> = ["-DPROBED"].iter().chain(more).copied().collect();
    let mut searching = Searching::new(dir, lab(dir, "probed", 4, &flags), 4);
    let probe = |reached, infected| Some(Probe { reached, infected });
    let probes = [probe(1, Some(2)), probe(0, Some(3)), probe(0, None), probe(5, Some(6))];
    for (slot, probe) in searching.slots.iter_mut().zip(probes) {
        slot.probe = probe;
    }
    searching.seeds = vec![vec![], 40i32.to_le_bytes().to_vec(), 400i32.to_le_bytes().to_vec()];
    searching.dictionary = vec![DictEntry::Int(50)];
    searching
}

#[test]
fn a_mutant_runs_where_its_probe_fires_and_nowhere_else() {
    let dir = tempfile::tempdir().unwrap();
    let Searched { result, kills } = probed(dir.path(), &[]).run();
    // Mutant 2 differs on most inputs, but no note says so; mutant 4 was noted while the unit was loaded.
    assert_eq!(kills.keys().copied().collect::<Vec<_>>(), [1, 3, 4]);
    let effort = |number: usize| &result.effort[number - 1];
    assert!(effort(2).reached && effort(2).infected == Some(0) && effort(2).executions > 1000, "{:?}", effort(2));
    assert_eq!((effort(1).infected, effort(3).infected), (Some(1), None));
    let noted: Vec<usize> = (0..result.places.len()).filter(|place| result.places[*place]).collect();
    assert_eq!((noted, result.unforeseen.len()), (vec![0, 1, 2], 0));
}

#[test]
fn what_a_child_notes_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = probed(dir.path(), &["-DON_HEAP"]);
    searching.before = Some(surroundings::before_in_children(searching.slots.len()));
    searching.budget = Budget::Executions(2_000);
    let searched = searching.run();
    assert!(searched.result.forked);
    assert_eq!(dead(&searched), [1, 3, 4]);
    assert_eq!(searched.result.effort[1].infected, Some(0));
}

#[test]
fn a_kill_that_no_probe_foresaw_is_told_where_probes_are_not_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = probed(dir.path(), &[]);
    searching.switches.probing = Probing::Check;
    let searched = searching.run();
    assert_eq!(dead(&searched), [1, 2, 3, 4]);
    assert_eq!(searched.result.unforeseen, [1]);
}
