//! `--engine afl++` through the main job: its kills are judged and proved like those of the default engine.

mod support;

use std::process::Command;
use support::Project;

const PICK: &str = "int pick(int at) {\n  int from[4] = {3, 1, 4, 1};\n  volatile int picked = from[at & 3];\n  return picked * 0 + at;\n}\n";

#[test]
fn a_mutant_that_only_a_sanitizer_sees_is_killed_and_proved_under_it_by_afl() {
    if Command::new("afl-fuzz").arg("-h").output().is_err() {
        println!("skipped: AFL++ is not installed");
        return;
    }
    let project = Project::of(&[
        ("pick.c", PICK),
        ("mutants/pick.mut.3.1_1_1.ICR.pick.c", &PICK.replace("[at & 3]", "[at & 7]")),
        ("mutants/pick.mut.4.1_1_1.AOR.pick.c", &PICK.replace("+ at", "- at")),
        ("mutants/pick.mut.4.1_1_2.ICR.pick.c", &PICK.replace("picked * 0", "picked * 0 * 2")),
    ]);
    project
        .fuzz(&[
            "--engine",
            "afl++",
            "--compiler",
            "clang",
            "--sanitizer",
            "address",
            "--coverage",
            "laf",
            "--budget",
            "5s",
        ])
        .ends_with(0);
    let outcome = project.outcome();
    let how = |id: &str| outcome.mutants()[id]["kill"]["how"].as_str().unwrap_or("none").to_string();
    assert_eq!(how("pick.mut.3.1_1_1.ICR.pick.c"), "sanitizer", "{:?}", outcome.mutants());
    assert_eq!(how("pick.mut.4.1_1_1.AOR.pick.c"), "output");
    assert_eq!(how("pick.mut.4.1_1_2.ICR.pick.c"), "none");
    // What it builds is built into a kill's cost: its program, and not the shared object that confirms.
    outcome.costs_add_up();
    let cost = &outcome.0["units"][0]["cpu_seconds"];
    let fell = outcome.mutants()["pick.mut.4.1_1_1.AOR.pick.c"]["kill"]["cpu_seconds"].as_f64().unwrap();
    assert!(cost["build"].as_f64().unwrap() < fell, "{fell} of {cost}");
    let own = |id: &str| outcome.mutants()[id]["effort"]["cpu_seconds"].as_f64().unwrap();
    let (dead, alive) = (own("pick.mut.4.1_1_1.AOR.pick.c"), own("pick.mut.4.1_1_2.ICR.pick.c"));
    assert!(dead < alive, "the one that lives took all of its budget: {alive}, and {dead}");
    for id in ["pick.mut.3.1_1_1.ICR.pick.c", "pick.mut.4.1_1_1.AOR.pick.c"] {
        assert!(outcome.verified(id), "{id}: {}", outcome.reason(id));
    }
}
