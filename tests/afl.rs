//! `--engine afl++` through the main job: its kills are judged and proved like those of the default engine.

use crate::support::Project;
use std::process::Command;

const PICK: &str = include_str!("sources/afl/pick.c");

const GATE: &str = include_str!("sources/afl/gate.c");

/// Says so where it is not.
fn afl_is_installed() -> bool {
    let installed = Command::new("afl-fuzz").arg("-h").output().is_ok();
    if !installed {
        println!("skipped: AFL++ is not installed");
    }
    installed
}

#[test]
fn what_one_engine_killed_with_is_a_seed_of_the_other_in_the_same_output_folder() {
    if !afl_is_installed() {
        return;
    }
    let (key, rest) = ("gate.mut.3.1_1_1.ICR.gate.c", "gate.mut.4.1_1_1.ICR.gate.c");
    let project = Project::of(&[
        ("gate.c", GATE),
        (&format!("mutants/{key}"), &GATE.replace("open = 1;", "open = 2;")),
        (&format!("mutants/{rest}"), &GATE.replace("open = 3;", "open = 4;")),
    ]);
    let by = |options: &[&str]| {
        let run = project.fuzz(options);
        run.ends_with(0);
        let outcome = project.outcome();
        [key, rest].map(|id| {
            let by = outcome.mutants()[id]["kill"]["by"].as_str().unwrap_or("nobody").to_owned();
            assert!(by == "nobody" || outcome.verified(id), "{id}: {}", outcome.reason(id));
            by
        })
    };
    let default = ["--budget", "1000x", "-j", "1"];
    // The key stands in the unit's text, whose words the default engine tries; the rest is found by trying much.
    assert_eq!(by(&default), ["seed", "nobody"]);
    assert_eq!(by(&default), ["seed", "nobody"], "an engine takes nothing from itself");
    let persistent = ["--engine", "afl++", "--afl-mode", "persistent", "--budget", "200000x"];
    assert_eq!(by(&persistent), ["reuse", "search"]);
    assert_eq!(by(&default), ["seed", "reuse"]);
    // Another driver reads bytes otherwise.
    project.write("utility-overrides/gate.yaml", "function: gate\nparameters:\n  key:\n    range: [0, 4000000000]\n");
    assert_eq!(by(&default)[1], "nobody");
}

#[test]
fn afl_takes_a_gcc_in_persistent_mode_where_its_plugin_does() {
    if !afl_is_installed() {
        return;
    }
    let project =
        Project::of(&[("pick.c", PICK), ("mutants/pick.mut.4.1_1_1.AOR.pick.c", &PICK.replace("+ at", "- at"))]);
    let run = project.fuzz(&["--engine", "afl++", "--compiler", "gcc", "--afl-mode", "persistent", "--budget", "200x"]);
    if run.code == Some(0) {
        assert!(project.outcome().verified("pick.mut.4.1_1_1.AOR.pick.c"));
    } else {
        project.refuses(&run, 3, &["afl-gcc-plugin", "afl-gcc-fast", "--afl-mode file"]);
    }
}

#[test]
#[ignore = "AFL++ searches each mutant in turn for its whole budget; make test-all"]
fn a_mutant_that_only_a_sanitizer_sees_is_killed_and_proved_under_it_by_afl() {
    if !afl_is_installed() {
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
