//! What the samples promise without running anything: a mutant is one changed line, and each is accounted for.

use crate::support;
use std::collections::BTreeSet;

#[test]
fn every_mutant_of_the_samples_is_expected_and_every_expected_one_is_there() {
    for name in ["satellite", "tpos"] {
        let expected = support::expected(name);
        let listed: BTreeSet<String> = expected.iter().map(|mutant| mutant.id.clone()).collect();
        assert_eq!(listed.len(), expected.len(), "{name}: an id is listed twice");
        let found = support::files_below(&support::sample(name).join("mutants"));
        assert_eq!(listed, found.into_iter().collect(), "{name}: run samples/make-mutants again");
        assert!(expected.iter().all(|mutant| !mutant.why.is_empty()), "{name}: a reason is missing");
    }
}

#[test]
fn every_mutant_of_the_samples_differs_from_its_original_in_the_line_of_its_name() {
    for name in ["satellite", "tpos"] {
        let sample = support::sample(name);
        let sources: Vec<String> =
            support::files_below(&sample).into_iter().filter(|file| !file.starts_with("mutants/")).collect();
        for id in support::files_below(&sample.join("mutants")) {
            let file = id.rsplit('/').next().unwrap();
            let (stem, rest) = file.split_once(".mut.").unwrap();
            let line: usize = rest.split('.').next().unwrap().parse().unwrap();
            let original = format!("{stem}.{}", rest.rsplit('.').next().unwrap());
            let of = |path: &str| path.rsplit('/').next() == Some(original.as_str());
            let folder = id.rsplit_once('/').map(|(folder, _)| folder.rsplit_once('/').unwrap().0);
            let original = sources
                .iter()
                .find(|path| of(path) && folder.is_none_or(|folder| path.starts_with(&format!("{folder}/"))))
                .unwrap_or_else(|| panic!("{id} has no original"));
            let original = std::fs::read_to_string(sample.join(original)).unwrap();
            let mutated = std::fs::read_to_string(sample.join("mutants").join(&id)).unwrap();
            assert_eq!(original.lines().count(), mutated.lines().count(), "{id}");
            let differing: Vec<usize> = (1..)
                .zip(original.lines().zip(mutated.lines()))
                .filter(|(_, (before, after))| before != after)
                .map(|(number, _)| number)
                .collect();
            assert_eq!(differing, [line], "{id}: run samples/make-mutants again");
        }
    }
}
