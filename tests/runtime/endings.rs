//! Searches that end before their budget does: paused, or settled.

use super::*;

#[test]
fn a_search_that_pauses_goes_on_from_what_it_has_found() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let searching = |pause, before| {
        let mut searching = Searching::new(dir.path(), so.clone(), 8);
        searching.dictionary = vec![DictEntry::Float(1234.5f64.to_bits()), DictEntry::Int(20030417)];
        searching.budget = Budget::Executions(100_000);
        (searching.pause, searching.before) = (pause, before);
        searching.run()
    };
    let first = searching(Some(Budget::Executions(10)), None);
    assert_eq!(first.result.executions, 10);
    let fell = dead(&first);
    assert!(!fell.is_empty() && fell.len() < 7, "{fell:?}");
    let second = searching(None, Some(first.result.clone()));
    assert!(dead(&second).iter().all(|number| !fell.contains(number)), "what fell is not searched for again");
    let all: BTreeSet<usize> = second.result.kills.iter().map(|kill| kill.slot + 1).collect();
    assert_eq!(all, BTreeSet::from([1, 2, 3, 4, 6, 7, 8]));
    let equivalent = |searched: &Searched| searched.result.effort[4].executions;
    assert!(second.result.executions >= 100_000 && equivalent(&second) > equivalent(&first));
    let later = second.result.kills.iter().filter(|kill| !fell.contains(&(kill.slot as u32 + 1)));
    assert!(later.into_iter().all(|kill| kill.executions >= 10 && kill.cpu_seconds >= first.result.cpu_seconds));
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_search_is_settled_after_as_many_inputs_each_time_when_more_would_hardly_kill_more() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let searching = |risk, budget| {
        let mut searching = Searching::new(dir.path(), so.clone(), 8);
        searching.dictionary = vec![DictEntry::Float(1234.5f64.to_bits()), DictEntry::Int(20030417)];
        (searching.budget, searching.residual_risk) = (budget, risk);
        searching.run()
    };
    let most = Budget::Time(Duration::from_secs(120));
    let (once, again) = (searching(Some(0.03), most), searching(Some(0.03), most));
    assert_eq!(dead(&once), [1, 2, 3, 4, 6, 7, 8]);
    assert_eq!((once.result.settled, once.result.executions), (true, again.result.executions));
    let lives = &once.result.effort[4];
    assert!(lives.residual_risk.is_some_and(|risk| risk < 0.03) && once.result.effort[0].residual_risk.is_none());
    let nearer = searching(Some(0.01), most);
    assert!(nearer.result.executions > 2 * once.result.executions, "{}", nearer.result.executions);
    let less = searching(Some(0.001), Budget::Executions(3000));
    assert!(!less.result.settled && less.result.effort[4].residual_risk.is_some_and(|risk| risk > 0.01));
}
