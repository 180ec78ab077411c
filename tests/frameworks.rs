//! Tests in each framework, from a run of the tool to what CTest says of them.

use crate::emit_project::{Mini, cases};
use crate::support::{Project, takes_all};
use motif_cpp::build::{Builder, Libraries};
use motif_cpp::choices::Framework;
use motif_cpp::emit::{self, prove::Prover};
use motif_cpp::tools::{Surroundings, Toolchain};
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

/// What a command printed, which must succeed.
fn ran(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}\n{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// A whole run, whose tests CMake builds and CTest runs. Each file of tests includes `header`.
fn serves(project: &Project, framework: &str, units: &[&str], header: &str) {
    let options = ["--budget", "20000x", "--sanitizer", "none", "--framework", framework];
    project.fuzz(&[&options, units].concat()).ends_with(0);
    let outcome = project.outcome();
    let killed: Vec<_> = outcome.mutants().into_keys().filter(|id| outcome.status(id) == "killed").collect();
    assert!(killed.len() > 1, "{framework}: {killed:?}");
    for id in killed {
        assert!(outcome.verified(id), "{framework}: {id}: {}", outcome.reason(id));
        assert!(project.root().join("motif.out/mutants").join(id).is_file(), "{id}");
        assert!(project.test_of(&outcome, id).contains(header), "{framework}: {id}");
    }
    let [tests, build] = ["motif.out/tests", "built"].map(|folder| project.root().join(folder));
    ran(Command::new("cmake").arg("-S").arg(&tests).arg("-B").arg(&build).args(["-G", "Ninja"]));
    ran(Command::new("cmake").arg("--build").arg(&build));
    let said = ran(Command::new("ctest").arg("--test-dir").arg(&build));
    assert!(said.contains("100% tests passed") && !said.contains("No tests"), "{framework}: {said}");
}

#[test]
#[ignore = "a whole run; every check of each framework is proved anyway; make test-all"]
fn tests_in_catch2_are_proved_built_and_run() {
    serves(&Project::sample("satellite"), "catch2", &["isAutonomous", "longerThan"], "#include <catch2/catch");
}

#[test]
#[ignore = "a whole run; every check of each framework is proved anyway; make test-all"]
fn tests_in_doctest_are_proved_built_and_run() {
    serves(&Project::sample("satellite"), "doctest", &["isAutonomous", "longerThan"], "#include <doctest/doctest.h>");
}

#[test]
#[ignore = "a whole run; every check of each framework is proved anyway; make test-all"]
fn tests_in_boost_test_are_proved_built_and_run() {
    let header = "#include <boost/test/unit_test.hpp>";
    serves(&Project::sample("satellite"), "boost", &["isAutonomous", "longerThan"], header);
}

#[test]
#[ignore = "a whole run; every check of each framework is proved anyway; make test-all"]
fn tests_in_cpputest_are_proved_built_and_run() {
    let header = "#include <CppUTest/TestHarness.h>";
    serves(&Project::sample("satellite"), "cpputest", &["isAutonomous", "longerThan"], header);
}

#[test]
fn tests_in_cmocka_are_proved_built_and_run() {
    let header = "#include <cmocka.h>";
    serves(&Project::sample("tpos"), "cmocka", &["checksum", "T_POS_IsConstraintValid"], header);
    // Names that the framework, or what is written in it, has as well.
    let project = Project::of(&[("relay.c", "int fail(int state, int tests) { return state > 3 ? tests : -1; }\n")]);
    let mutant = "int fail(int state, int tests) { return state > 4 ? tests : -1; }\n";
    project.write("mutants/relay.mut.1.1.ICR.fail.c", mutant);
    project.write("mutants/relay.mut.1.2.ICR.fail.c", &mutant.replace("4", "2"));
    serves(&project, "cmocka", &["fail"], header);
}

#[test]
fn every_kind_of_check_is_proved_in_every_framework_and_reads_well() {
    let mini = Mini::new();
    let tools = Toolchain::discover(&Surroundings::of_process());
    let builder = Builder::new(&tools, &mini.root().join("cache"), 2, Arc::default()).unwrap();
    let libraries = Libraries::default();
    let cases = cases(&mini);
    let in_cxx = [Framework::Doctest, Framework::Boost, Framework::Cpputest].map(|framework| vec![framework]);
    for frameworks in [vec![Framework::Catch2, Framework::Cmocka]].into_iter().chain(in_cxx) {
        let mut project = mini.project();
        project.frameworks = frameworks;
        let files = emit::write::files(&cases, &project).unwrap();
        let shown = ["sat_Module_charge_test.cpp", "sat_Module_label_test.cpp", "pos_encode_test.c"];
        let texts: Vec<_> = files.iter().filter(|file| shown.contains(&file.name.as_str())).collect();
        for file in texts.iter().filter(|file| file.name.ends_with("pp") || project.frameworks.len() > 1) {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path("../snapshots");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            let framework = if file.name.ends_with(".c") { Framework::Cmocka } else { project.frameworks[0] };
            let name = format!("emitted_in_{framework}_{}", file.name.replace('.', "_"));
            settings.bind(|| insta::assert_snapshot!(name, file.text));
        }
        // The first have both languages; the others are proved in `make test-all`.
        if project.frameworks.len() == 1 && !takes_all() {
            continue;
        }
        let prover = Prover::new(&builder, &project, &libraries, &mini.root(), Arc::default());
        for proof in prover.prove(&cases, &|_| {}).unwrap() {
            assert!(proof.verified, "{}: {}: {}", project.frameworks[0], proof.mutant_id, proof.reason);
            assert!(!proof.reason.starts_with("exit status"), "{}: {}", project.frameworks[0], proof.reason);
        }
    }
}

#[test]
#[ignore = "a long run; make test-all"]
fn code_with_its_tests_in_its_own_file_is_tried_and_those_are_not_mutated() {
    let project = Project::sources("tests_inside");
    let database = |sources: &[&str]| {
        project.database(sources);
        let long_names = "\"c++\",\"-DDOCTEST_CONFIG_NO_SHORT_MACRO_NAMES\"";
        project.write(
            "build/compile_commands.json",
            &project.read("build/compile_commands.json").replace("\"c++\"", long_names),
        );
    };
    let tried = |header: &str, opens: &str| {
        project.run(["fuzz", "-p", "build", "--budget", "2000x", "--sanitizer", "none"]).ends_with(0);
        let outcome = project.outcome();
        let units: BTreeSet<_> = outcome.mutants().values().filter_map(|mutant| mutant["unit"].as_str()).collect();
        let expected = ["gauge::clamp(int, int)", "shown(int)"];
        assert!(units.iter().all(|unit| expected.contains(unit) || unit.is_empty()), "{units:?}");
        let killed: Vec<_> = outcome.mutants().into_keys().filter(|id| outcome.status(id) == "killed").collect();
        assert!(killed.iter().any(|id| id.starts_with("gauge/")), "{killed:?}");
        for id in killed {
            assert!(outcome.verified(id), "{id}: {}", outcome.reason(id));
            let test = project.test_of(&outcome, id);
            assert!(test.contains(header) && test.contains(opens), "{test}");
        }
    };
    // A test would have what runs tests twice.
    database(&["gauge.cpp", "show.cpp", "runner.cpp"]);
    tried("#include <gtest/gtest.h>", "\nTEST(");
    database(&["gauge.cpp", "show.cpp"]);
    tried("#include <doctest/doctest.h>", "\nDOCTEST_TEST_CASE(");
}
