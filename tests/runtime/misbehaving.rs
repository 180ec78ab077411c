//! Mutants and originals that hang, crash, end their process or would do harm.

use super::*;

/// Mutants of tests/sources/runtime/misbehave.cpp.
mod harm {
    pub const STAY: u32 = 9;
    pub const THREAD: u32 = 19;
    /// What is kept from happening, and so can't be told from the original.
    pub const KEPT: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 17];
    pub const MEMORY: u32 = 16;
    pub const ENDS: [(u32, super::How); 8] = [
        (10, super::How::Hang),
        (11, super::How::Crash),
        // The end of a thread passes through the frames as an exception does.
        (12, super::How::Exception),
        (13, super::How::Crash),
        (14, super::How::Crash),
        (15, super::How::Crash),
        (18, super::How::Crash),
        (20, super::How::Crash),
    ];
    pub const LOOP: u32 = 21;
}

/// A unit that misbehaves, and the file that it is after.
fn misbehaving(dir: &Path, original: Option<u32>) -> (PathBuf, PathBuf) {
    let outside = dir.join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    let victim = outside.join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let mut flags = vec![format!("-DVICTIM=\"{}\"", victim.display()), "-Wno-infinite-recursion".into()];
    flags.extend(["-Wno-implicit-fallthrough", "-Wno-unknown-warning-option"].map(String::from));
    flags.extend(original.map(|what| format!("-DORIGINAL={what}")));
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    (unit(dir, "misbehave.cpp", versions()[0], &flags), victim)
}

#[track_caller]
fn is_unharmed(victim: &Path) {
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(victim.parent().unwrap()).unwrap().count(), 1, "something was left outside");
    let own = worker().with_file_name("own");
    assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0, "something was left in {}", own.display());
}

#[test]
fn a_mutant_that_would_do_harm_does_none_and_the_search_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let (so, victim) = misbehaving(dir.path(), None);
    let mut searching = Searching::new(dir.path(), so, harm::LOOP);
    searching.slots.retain(|slot| harm::KEPT.contains(&slot.number) || slot.number == harm::STAY);
    searching.budget = Budget::Executions(100);
    let searched = searching.run();
    assert_eq!(dead(&searched), [harm::STAY], "what can't be done makes no difference");
    assert!(searched.result.effort.iter().all(|effort| effort.reason.is_none()), "{:?}", searched.result.effort);
    is_unharmed(&victim);
}

#[test]
fn a_mutant_that_ends_hangs_or_damages_its_process_is_killed_as_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let (so, victim) = misbehaving(dir.path(), None);
    let mut searching = Searching::new(dir.path(), so, harm::LOOP);
    let ends = harm::ENDS.map(|(number, _)| number);
    searching.slots.retain(|slot| ends.contains(&slot.number) || slot.number == harm::LOOP);
    searching.budget = Budget::Executions(200);
    let searched = searching.run();
    for (number, how) in harm::ENDS.into_iter().chain([(harm::LOOP, How::Hang)]) {
        let found = searched.kills.get(&number).map(|kill| kill.0);
        assert_eq!(found, Some(how), "mutant {number}; faults of the original: {:?}", searched.result.faults);
    }
    is_unharmed(&victim);
}

#[test]
fn what_kills_is_made_plainer_as_long_as_all_that_it_killed_still_differ() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let mut seed = 7.5f64.to_le_bytes().to_vec();
    seed.extend(3i32.to_le_bytes());
    seed.extend([0xAA; 20]);
    let input = |name: &str, switches: Switches, disbelieved: &[Vec<u8>]| {
        let dir = dir.path().join(name);
        std::fs::create_dir(&dir).unwrap();
        let mut searching = Searching::new(&dir, so.clone(), 8);
        searching.seeds = vec![seed.clone()];
        searching.slots.retain(|slot| slot.number == 6);
        searching.switches = switches;
        searching.disbelieved = disbelieved.to_vec();
        searching.run().result.kills[0].input.clone()
    };
    // It asks for a number above another that is not zero; nobody asks for what comes behind them.
    // (2 is more than 1.)
    let plain = [&2.0f64.to_le_bytes()[..], &[1]].concat();
    assert_eq!(input("plainer", Switches::default(), &[]), plain);
    assert_eq!(input("as found", Switches::without([Feature::Plain]), &[]), seed);
    assert_eq!(input("not believed", Switches::default(), std::slice::from_ref(&plain)), seed);
}

#[test]
fn elements_and_characters_that_a_kill_does_not_need_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), unit(dir.path(), "shorten.c", versions()[0], &[]), 1);
    let numbers = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    searching.seeds = vec![[&[3][..], &numbers(&[1, 9, 77, 5, 2, 8]), b"abcxyz"].concat()];
    // One element, the least that is above 50, and one character.
    let plain = [&[1][..], &numbers(&[51, 0]), b"x"].concat();
    assert_eq!(searching.run().result.kills[0].input, plain);
}

#[test]
fn a_length_counts_no_more_than_what_is_needed_and_no_nought_stands_before_a_letter() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), unit(dir.path(), "counted.c", versions()[0], &[]), 1);
    let input = |bytes: &[u8], count: u8, behind: &[u8]| {
        let mut all = bytes.to_vec();
        all.resize(20, 0);
        [all, vec![count], behind.to_vec()].concat()
    };
    searching.seeds = vec![input(b"..\x07..\x01\"", 18, &[7; 8])];
    assert_eq!(searching.run().result.kills[0].input, input(b"a\"", 2, &[]));
}

#[test]
fn equal_numbers_become_smaller_together_and_what_crashes_is_minimised_for_each_mutant() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), unit(dir.path(), "equal.c", versions()[0], &[]), 3);
    let input = |number: f64, left: i32, right: i32| {
        let numbers = [number.to_le_bytes(), number.to_le_bytes()].concat();
        let mut input = [numbers, left.to_le_bytes().to_vec(), right.to_le_bytes().to_vec()].concat();
        input.truncate(input.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
        input
    };
    searching.seeds = vec![input(4.602891378046629e18, 900, 900)];
    let kills = searching.run().result.kills;
    let found = |slot: usize| kills.iter().find(|kill| kill.slot == slot).map(|kill| kill.input.clone());
    assert_eq!(found(0), Some(input(0.0, 51, 0)));
    assert_eq!(found(1), Some(input(0.0, 0, 71)));
    assert_eq!(found(2), Some(input(2.0, 0, 0)));
}

#[test]
fn a_mutant_meets_the_end_of_its_memory() {
    let dir = tempfile::tempdir().unwrap();
    let (so, _) = misbehaving(dir.path(), None);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    assert_eq!(judge.judge(&Replayed::copy(harm::MEMORY), &[1]).unwrap(), Verdict::Refuted(Refusal::Same));
}

#[test]
fn a_thread_that_a_mutant_leaves_behind_takes_nobody_along() {
    let dir = tempfile::tempdir().unwrap();
    let (so, _) = misbehaving(dir.path(), None);
    let mut searching = Searching::new(dir.path(), so, harm::LOOP);
    searching.slots.retain(|slot| [harm::THREAD, harm::STAY].contains(&slot.number));
    searching.budget = Budget::Executions(2_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [harm::STAY]);
    assert!(searched.result.executions >= 2_000, "{}", searched.result.executions);
    assert!(searched.result.effort.iter().all(|effort| effort.reason.is_none()), "{:?}", searched.result.effort);
}

#[test]
fn an_original_that_misbehaves_on_some_input_is_a_suspected_fault_and_the_search_goes_on() {
    for (what, _) in harm::ENDS.into_iter().chain([(harm::LOOP, How::Hang), (1, How::Output), (6, How::Output)]) {
        let dir = tempfile::tempdir().unwrap();
        let (so, victim) = misbehaving(dir.path(), Some(what));
        let mut searching = Searching::new(dir.path(), so, harm::STAY);
        searching.slots.retain(|slot| slot.number == harm::STAY);
        searching.seeds = vec![77i32.to_le_bytes().to_vec()];
        searching.budget = Budget::Executions(1_000);
        // (Noughts in the place of 77 do no harm.)
        searching.switches = Switches::without([Feature::Plain]);
        let searched = searching.run();
        assert_eq!(dead(&searched), [harm::STAY], "original {what}");
        let faults: Vec<&str> = searched.result.faults.iter().map(|fault| fault.what.as_str()).collect();
        assert_eq!(faults.is_empty(), [1, 6, 12].contains(&what), "original {what}: {faults:?}");
        is_unharmed(&victim);
    }
}

#[test]
fn a_stack_that_overflows_is_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let searched = Searching::new(dir.path(), lab(dir.path(), "depth", 1, &[]), 1).run();
    assert_eq!(searched.kills[&1].0, How::Crash);
    assert_eq!(searched.kills[&1].2.failure().as_deref(), Some("SIGSEGV"));
}

#[test]
fn an_original_that_fails_on_nearly_every_input_costs_no_worker() {
    for name in ["fill_stack", "fill_heap", "fall", "insist"] {
        let dir = tempfile::tempdir().unwrap();
        let mut searching = Searching::new(dir.path(), lab(dir.path(), name, 2, &[]), 2);
        searching.budget = Budget::Executions(30_000);
        let SearchResult { workers, executions, came_back, effort, .. } = searching.run().result;
        assert_eq!(executions, 30_000, "{name}");
        assert!(came_back > 0 && came_back < executions, "{name}: {came_back}");
        // (A new one begins where a mutant has crashed, at that.)
        assert_eq!(workers, 1, "{name}");
        assert!(effort[1].returned == Some(came_back) && effort[1].executions == executions, "{name}: {effort:?}");
    }
}

#[test]
fn memory_that_an_original_gives_away_before_it_fails_is_back_for_the_next_input() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "replace", 1, &[]), 1);
    searching.seeds = [5i32, 101, 7].iter().map(|seed| seed.to_le_bytes().to_vec()).collect();
    searching.budget = Budget::Executions(20_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [1]);
}

#[test]
fn code_that_writes_past_what_it_has_faults_before_it_reaches_what_the_worker_counts() {
    for end in [77i32, 78] {
        let dir = tempfile::tempdir().unwrap();
        let mut searching = Searching::new(dir.path(), lab(dir.path(), "spill", 1, &[]), 1);
        searching.seeds = vec![end.to_le_bytes().to_vec(), vec![]];
        let searched = searching.run();
        let faults: Vec<&str> = searched.result.faults.iter().map(|fault| fault.what.as_str()).collect();
        assert!(faults.iter().any(|what| what.contains("SIGSEGV")), "{end}: {faults:?}");
        assert_eq!(dead(&searched), [1]);
    }
}
