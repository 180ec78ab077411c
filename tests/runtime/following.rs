//! Inputs that follow from what the original compared them with.

use super::*;

#[test]
fn a_chain_of_names_and_numbers_is_followed_from_one_to_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let listens = "-Wl,--wrap=__sanitizer_cov_trace_const_cmp4";
    let so = unit(dir.path(), "chain.c", versions()[0], &["-fno-builtin", listens]);
    let fell = |off: &[Feature]| {
        let mut searching = Searching::new(dir.path(), so.clone(), 2);
        // Nothing tells the names from the rest: each may stand in two hundred places.
        searching.seeds = (0..64).map(|kind| [vec![kind], vec![7; 200]].concat()).collect();
        searching.budget = Budget::Executions(500);
        searching.switches = Switches::without(off.iter().copied());
        dead(&searching.run())
    };
    // One crashes on the way, which is where its worker ends.
    assert_eq!(fell(&[]), [1, 2]);
    assert_eq!(fell(&[Feature::Comparisons]), [0; 0]);
}
