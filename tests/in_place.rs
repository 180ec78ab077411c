//! Mutants of what can't be copied are put in place, all in one image.

use crate::support::{Outcome, Project, write_mutants};
use std::collections::BTreeSet;

/// `Hub` is named by a function whose body is in another source: a copy of the one would need a copy of the other.
const MUTANTS: [(&str, &str, &str); 6] = [
    ("hub.mut.5.1_1_1.ROR.turn.cpp", "by > 3", "by >= 3"),
    ("hub.mut.6.1_1_1.ASR.turn.cpp", "level_ += by", "level_ -= by"),
    ("hub.mut.11.1_1_1.ROR.check.cpp", "by > 100", "by > 101"),
    ("hub.mut.13.1_1_1.AOR.check.cpp", "(*this) + by", "(*this) - by"),
    ("hub.mut.15.1_1_1.AOR.level.cpp", "{ return level_ + ", "{ return level_ - "),
    (EQUIVALENT, "weigh(*this) + by", "by + weigh(*this)"),
];
const EQUIVALENT: &str = "hub.mut.13.1_1_2.EQ.check.cpp";

fn project() -> Project {
    let project = Project::sources("mutants_in_place");
    write_mutants(&project, &MUTANTS);
    project
}

/// A run with parts switched off: what is equivalent lives, and all else is killed with proof.
#[track_caller]
fn outcome(off: &str) -> (Outcome, BTreeSet<String>) {
    let mut project = project();
    project.environment = vec![("MOTIF_OFF".into(), off.into())];
    project.fuzz(&["--budget", "20000x", "--seed", "1", "-j", "1", "--sanitizer", "none"]).ends_with(0);
    let outcome = project.outcome();
    for (id, ..) in MUTANTS {
        assert_eq!(outcome.verified(id), id != EQUIVALENT, "without {off}: {id}: {}", outcome.reason(id));
    }
    let folders = std::fs::read_dir(project.root().join("motif.out/drivers")).unwrap().flatten();
    let files = folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok()).flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let images = names.filter(|name| name.starts_with("image") && name.ends_with(".so")).collect();
    (outcome, images)
}

#[test]
fn mutants_of_a_class_that_cannot_be_copied_share_an_image_with_those_of_other_units() {
    let (outcome, images) = outcome("again");
    assert_eq!(images, BTreeSet::from(["image.1.so", "image.2.so", "image.3.so"].map(String::from)));
    for unit in outcome.0["units"].as_array().unwrap() {
        assert_eq!(unit["copy"], "image", "{unit}");
    }
}

#[test]
#[ignore = "a long run; make test-all"]
fn without_a_shared_draft_each_unit_has_one_image() {
    let (_, images) = outcome("together");
    assert_eq!(images, BTreeSet::from(["image.so".to_owned()]));
}

#[test]
#[ignore = "a long run; make test-all"]
fn with_mutants_in_place_switched_off_each_mutant_has_an_image() {
    let (_, images) = outcome("in-place");
    assert!(images.contains("image-1.so") && !images.iter().any(|name| name.starts_with("image.")), "{images:?}");
}

/// Each body is such that a second version of it in the same text, or none while an image is loaded, would be another
/// thing.
#[test]
fn what_a_second_version_of_a_body_would_change_is_built_apart() {
    let project = Project::sources("second_versions");
    let mutants = [
        ("odd.mut.7.1_1_1.EQ.Odd.cpp", "n_ = n * 2", "n_ = 2 * n"),
        ("odd.mut.14.1_1_1.AOR.filled.cpp", "k * 3", "k * 4"),
        ("odd.mut.20.1_1_1.EQ.stepped.cpp", "int steps = by", "int steps = 0 + by"),
        ("odd.mut.22.1_1_1.AOR.stepped.cpp", "steps + weigh", "steps - weigh"),
    ];
    write_mutants(&project, &mutants);
    project.fuzz(&["--budget", "3000x", "--seed", "1", "-j", "2", "--sanitizer", "none"]).ends_with(0);
    let outcome = project.outcome();
    for (id, ..) in mutants {
        let status = if id.contains(".EQ.") { "live" } else { "killed" };
        assert_eq!(outcome.status(id), status, "{id}: {}", outcome.reason(id));
        assert_eq!(outcome.verified(id), status == "killed", "{id}");
    }
}
