//! The main job on the samples, end to end: what can be killed is killed and proved, what can't is not.

use crate::support;
use crate::support::{Expectation, Project, expected};
use std::collections::BTreeMap;
use std::process::Command;

/// Every mutant of a sample ends as its `expected.yaml` says, but for those of `spared`, a part of their ids.
#[track_caller]
fn ends_as_expected(project: &Project, sample: &str, spared: Option<&str>) {
    let outcome = project.outcome();
    let mutants = outcome.mutants();
    let mut expected = expected(sample);
    expected.retain(|mutant| project.root().join("mutants").join(&mutant.id).exists());
    assert_eq!(mutants.len(), expected.len(), "every mutant has an outcome");
    let mut wrong = Vec::new();
    for mutant in expected.iter().filter(|mutant| spared.is_none_or(|spared| !mutant.id.contains(spared))) {
        let (status, reason) = (outcome.status(&mutant.id), outcome.reason(&mutant.id));
        let right = match mutant.outcome {
            Expectation::Kill => status == "killed" && outcome.verified(&mutant.id),
            Expectation::Equivalent => ["live", "equivalent", "duplicate"].contains(&status),
            Expectation::Undecidable => status == "live" && !reason.is_empty(),
        };
        if !right {
            let verified = outcome.verified(&mutant.id);
            wrong.push(format!("{}: {status} (verified {verified}) {reason}\n    but: {}", mutant.id, mutant.why));
        }
    }
    assert!(wrong.is_empty(), "{} not as expected:\n{}", wrong.len(), wrong.join("\n"));
    for status in ["error", "no_driver", "unbuildable", "invalid", "baseline_failed"] {
        assert_eq!(outcome.count(status), 0, "{status}");
    }
    outcome.costs_add_up();
    let killed = outcome.count("killed") as f64;
    let score = killed / (killed + outcome.count("live") as f64);
    assert!((outcome.0["summary"]["score"].as_f64().unwrap() - score).abs() < 1e-9);
    for (id, mutant) in mutants.iter().filter(|(_, mutant)| mutant["status"] == "killed") {
        for file in ["input", "test"] {
            let path = mutant["kill"][file].as_str().unwrap_or_else(|| panic!("{id} has no {file}"));
            // A test is named with its file: `tests/FILE#Suite.Name`.
            let path = path.split('#').next().unwrap_or(path);
            assert!(project.root().join("motif.out").join(path).is_file(), "{id}: {file} {path} is not there");
        }
    }
    for file in ["report/index.html", "journal.jsonl", "tests/CMakeLists.txt"] {
        assert!(project.root().join("motif.out").join(file).is_file(), "{file} is not there");
    }
}

/// Keeps one in `of` mutants of a sample for `make test`, and all that are not to be killed.
fn slice(project: &Project, sample: &str, of: usize) {
    let to_kill = expected(sample).into_iter().filter(|mutant| mutant.outcome == Expectation::Kill);
    for (_, mutant) in to_kill.enumerate().filter(|(number, _)| !support::takes_all() && number % of != 0) {
        std::fs::remove_file(project.root().join("mutants").join(&mutant.id)).unwrap();
    }
}

#[test]
fn every_killable_mutant_of_the_satellite_is_killed_and_no_other() {
    let project = Project::sample("satellite");
    slice(&project, "satellite", 4);
    let run = project.fuzz(&["--budget", "3s", "--seed", "1"]);
    run.ends_with(0);
    ends_as_expected(&project, "satellite", None);
    let outcome = project.outcome();
    for unit in outcome.0["units"].as_array().unwrap() {
        assert_eq!(unit["driver"], "generated", "{unit}");
    }
    for mutant in expected("satellite").iter().filter(|mutant| mutant.outcome == Expectation::Undecidable) {
        let reason = outcome.reason(&mutant.id);
        assert!(reason.contains("determin") || reason.contains("differs from itself"), "{}: {reason}", mutant.id);
    }
}

/// One of them takes a well-formed input with its checksum, and more executions than `make test` has time for.
const RARE: &str = "ICR.T_POS_Decode";

#[test]
fn every_killable_mutant_of_tpos_is_killed_and_no_other() {
    let project = Project::sample("tpos");
    project.fuzz(&["--budget", "300000x"]).ends_with(0);
    ends_as_expected(&project, "tpos", Some(RARE));
}

#[test]
#[ignore = "takes six million executions for each clang; make test-all"]
fn with_each_clang_that_is_installed_the_mutant_of_tpos_that_takes_millions_of_inputs_is_killed_as_well() {
    for (seed, clang) in support::clangs().into_iter().enumerate() {
        let mut project = Project::sample("tpos");
        project.environment.push(("MOTIF_CLANG".into(), clang.into()));
        let seed = seed.to_string();
        project.fuzz(&["--budget", "300000x", "--seed", &seed]).ends_with(0);
        ends_as_expected(&project, "tpos", Some(RARE));
        project.fuzz(&["T_POS_Decode", "--budget", "6000000x", "--seed", &seed]).ends_with(0);
        let outcome = project.outcome();
        let rare: Vec<String> =
            expected("tpos").into_iter().map(|mutant| mutant.id).filter(|id| id.contains(RARE)).collect();
        assert!(!rare.is_empty() && rare.iter().all(|id| outcome.verified(id)), "{rare:?}");
    }
}

#[test]
fn the_emitted_tests_pass_on_the_original_and_one_fails_when_its_mutant_is_put_in_place() {
    let project = Project::sample("tpos");
    project.fuzz(&["T_TRACK_Smooth", "T_TRACK_Length", "T_ARR_IsConstraintValid", "--budget", "4s"]).ends_with(0);
    let outcome = project.outcome();
    let killed: Vec<&str> =
        outcome.mutants().into_iter().filter(|(_, mutant)| mutant["status"] == "killed").map(|(id, _)| id).collect();
    assert_eq!(killed.len(), 3, "{:?}", outcome.mutants());
    let tests = project.root().join("motif.out/tests");
    let passes = |build: &str, mutant: Option<&str>| {
        let mut configure = Command::new("cmake");
        configure.args(["-G", "Ninja", "-S"]).arg(&tests).arg("-B").arg(project.root().join(build));
        if let Some(id) = mutant {
            configure.arg(format!("-DMOTIF_MUTANT={}", project.root().join("mutants").join(id).display()));
        }
        let build = project.root().join(build);
        let ran = |command: &mut Command| command.output().expect("cmake is there").status.success();
        assert!(ran(&mut configure), "the tests can't be configured");
        assert!(ran(Command::new("cmake").arg("--build").arg(&build)), "the tests can't be built");
        ran(Command::new("ctest").arg("--test-dir").arg(&build).args(["--timeout", "20"]))
    };
    assert!(passes("tests-original", None), "a test fails on the original");
    assert!(!passes("tests-mutant", Some(killed[0])), "no test notices {}", killed[0]);
}

#[test]
fn the_same_seed_with_one_job_and_a_budget_in_executions_gives_the_same_kills_inputs_and_tests() {
    let runs = [0, 1].map(|_| {
        let project = Project::sample("tpos");
        let units = ["T_TRACK_Clamp", "T_TRACK_Smooth", "put32", "T_STATS_Record"];
        let run = project.fuzz(&[&units[..], &["--budget", "50000x", "--seed", "7", "-j", "1"]].concat());
        run.ends_with(0);
        let outcome = project.outcome();
        let kills: Vec<(String, String, String)> = outcome
            .mutants()
            .into_iter()
            .filter(|(_, mutant)| mutant["status"] == "killed")
            .map(|(id, mutant)| {
                let read = |name: &str| {
                    let file = mutant["kill"][name].as_str().unwrap().split('#').next().unwrap();
                    let path = project.root().join("motif.out").join(file);
                    String::from_utf8_lossy(&std::fs::read(path).unwrap()).replace(project.root().to_str().unwrap(), "")
                };
                (id.to_owned(), read("input"), read("test"))
            })
            .collect();
        assert!(!kills.is_empty());
        kills
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
#[ignore = "a long run; make test-all"]
fn probes_foresee_every_kill() {
    let killed = |project: &mut Project, units: &[&str], probes: &str| {
        project.environment = vec![("MOTIF_PROBES".into(), probes.into())];
        let run =
            project.fuzz(&[units, &["--budget", "4000x", "--seed", "3", "-j", "1", "--sanitizer", "none"]].concat());
        run.ends_with(0);
        assert!(!run.stderr.contains("probe-unsound"), "{units:?}, {probes}:\n{}", run.stderr);
        let outcome = project.outcome();
        let killed = outcome.mutants().into_iter().filter(|(_, mutant)| mutant["kill"]["by"] == "seed");
        killed.map(|(id, mutant)| (id.to_owned(), mutant["kill"]["executions"].to_string())).collect::<BTreeMap<_, _>>()
    };
    // What comes after the seeds differs, since a mutant that runs leaves its traces in the coverage of what it calls.
    let units =
        ["T_POS_Encode", "T_POS_IsConstraintValid", "T_POS_Decode", "checksum", "T_TRACK_Smooth", "T_STATS_Send"];
    let units = if crate::support::takes_all() { &units[..] } else { &units[..3] };
    let mut tpos = Project::sample("tpos");
    let foreseen = killed(&mut tpos, units, "on");
    assert!(foreseen.len() >= 5, "{foreseen:?}");
    assert_eq!(killed(&mut tpos, units, "check"), foreseen);
    assert_eq!(killed(&mut tpos, units, "off"), foreseen);
    // Of classes a slice: all of them are for `make test-all`.
    assert!(!killed(&mut Project::sample("satellite"), &["pack", "longerThan"], "check").is_empty());
}

#[test]
#[ignore = "searches every class of the samples; make test-all"]
fn probes_foresee_every_kill_in_classes() {
    let mut satellite = Project::sample("satellite");
    satellite.environment = vec![("MOTIF_PROBES".into(), "check".into())];
    let run = satellite.fuzz(&["--budget", "4000x", "--seed", "3", "-j", "1", "--sanitizer", "none"]);
    run.ends_with(0);
    assert!(!run.stderr.contains("probe-unsound"), "{}", run.stderr);
    assert!(satellite.outcome().count("killed") > 20);
}

/// Of some units only: all of them are for `make test-all`.
#[test]
#[ignore = "a long run; make test-all"]
fn copies_in_which_no_mutant_is_active_are_not_killed() {
    no_idle_copy_is_killed("satellite", &["isAutonomous", "pack", "longerThan", "consume"]);
    no_idle_copy_is_killed("tpos", &["checksum", "T_POS_Encode", "T_POS_Decode", "T_TRACK_Smooth", "T_STATS_Send"]);
}

#[test]
#[ignore = "searches every copy of the samples; make test-all"]
fn no_copy_of_the_samples_in_which_no_mutant_is_active_is_killed() {
    no_idle_copy_is_killed("satellite", &[]);
    no_idle_copy_is_killed("tpos", &[]);
}

fn no_idle_copy_is_killed(sample: &str, units: &[&str]) {
    let mut project = Project::sample(sample);
    project.environment.push(("MOTIF_PROBES".into(), "idle".into()));
    let run = project.fuzz(&[units, &["--budget", "1000x", "--seed", "5", "--sanitizer", "none"]].concat());
    run.ends_with(0);
    let outcome = project.outcome();
    let mutants = outcome.mutants();
    let killed: Vec<_> = mutants.iter().filter(|(_, mutant)| mutant["status"] == "killed").collect();
    assert!(killed.is_empty(), "{sample}: {killed:?}");
    // Nor was anything taken for a kill and refused since the copy itself differs.
    let refused =
        |mutant: &&&serde_json::Value| mutant["reason"].as_str().is_some_and(|why| why.contains("the copy differs"));
    let refused: Vec<_> = mutants.values().filter(refused).collect();
    assert!(refused.is_empty(), "{sample}: {refused:?}");
    let ran = mutants.values().filter(|mutant| mutant["effort"]["executions"].as_u64() > Some(0)).count();
    assert!(ran * 2 > mutants.len(), "{sample}: {ran} of {} were run", mutants.len());
}

#[test]
#[ignore = "AFL++ searches each mutant in turn for its whole budget; make test-all"]
fn afl_kills_with_the_papers_best_configuration_at_a_fair_speed() {
    let project = Project::sample("tpos");
    let arguments = ["--engine", "afl++", "--sanitizer", "address", "--coverage", "laf", "--budget", "4s"];
    project.fuzz(&[&["T_TRACK_BitWidth", "T_TRACK_Smooth"][..], &arguments].concat()).ends_with(0);
    let outcome = project.outcome();
    for mutant in
        expected("tpos").iter().filter(|mutant| mutant.id.contains("BitWidth") || mutant.id.contains("Smooth"))
    {
        let killed = outcome.status(&mutant.id) == "killed";
        assert_eq!(killed, mutant.outcome == Expectation::Kill, "{}: {}", mutant.id, outcome.status(&mutant.id));
        if !killed {
            let effort = &outcome.mutants()[mutant.id.as_str()]["effort"];
            assert!(effort["executions"].as_f64().unwrap() > 0.0, "{effort}");
        }
    }
}

#[test]
fn a_list_file_chooses_the_mutants_and_units_on_the_command_line_choose_among_them() {
    let project = Project::sample("tpos");
    let track: Vec<String> =
        expected("tpos").into_iter().map(|mutant| mutant.id).filter(|id| id.starts_with("track.mut.")).collect();
    let chosen: Vec<&String> = track.iter().filter(|id| id.contains("Smooth") || id.contains("Length")).collect();
    let list: String = chosen.iter().map(|id| format!("{id};A\n")).collect();
    project.write("mutants/list.txt", &list);
    let run = project.run(["fuzz", "-p", "build", "--mutants", "mutants/list.txt", "--budget", "2s", "T_TRACK_Smooth"]);
    run.ends_with(0);
    let outcome = project.outcome();
    let smooth = chosen.iter().find(|id| id.contains("Smooth")).unwrap();
    assert_eq!(outcome.status(smooth), "killed");
    assert!(outcome.mutants().keys().all(|id| id.contains("Smooth")), "{:?}", outcome.mutants().keys());
}

#[test]
fn a_score_below_the_limit_ends_with_one_and_the_report_can_be_had_again() {
    let project = Project::sample("tpos");
    project.fuzz(&["T_TRACK_BitWidth", "--budget", "2s", "--fail-under", "100", "--sanitizer", "none"]).ends_with(1);
    let json = project.run(["report", "--format", "json"]);
    json.ends_with(0);
    let printed: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(printed["summary"], project.outcome().0["summary"]);
    project.run(["report", "--fail-under", "100"]).ends_with(1);
}

#[test]
fn a_utility_class_that_a_person_has_edited_is_used_and_kept() {
    let project = Project::sample("satellite");
    let unit = "sat::SatelliteModule::consume";
    project.run(["scaffold", "-p", "build", unit]).ends_with(0);
    let folder = project.root().join("utility-overrides");
    let paths = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let utility = paths.into_iter().find(|path| path.extension().is_some_and(|e| e == "hpp")).unwrap();
    let text = std::fs::read_to_string(&utility).unwrap();
    let edited = text.replace("  void call(Input &in) {\n", "  void call(Input &in) {\n    // Mine.\n");
    assert_ne!(edited, text, "{text}");
    std::fs::write(&utility, &edited).unwrap();
    project.fuzz(&[unit, "--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    assert_eq!(outcome.0["units"][0]["driver"], "edited");
    assert_eq!(outcome.count("killed"), 1, "{:?}", outcome.mutants());
    let slug = utility.file_stem().unwrap().to_str().unwrap();
    let used = project.read(format!("motif.out/drivers/{slug}/TestUtil.hpp"));
    assert!(used.contains("// Mine."), "{used}");
    project.run(["scaffold", "-p", "build", unit]).ends_with(0);
    assert_eq!(std::fs::read_to_string(&utility).unwrap(), edited);
}
