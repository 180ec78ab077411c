//! `analyze --build`: every driver built and run, original against original.

use crate::support::{Project, write_mutants};
use serde_json::Value;
use std::collections::BTreeMap;

fn units(project: &Project, more: &[&str]) -> (Value, BTreeMap<String, Value>) {
    let run = project.run(["analyze", "-p", "build", "--format", "json"].iter().chain(more));
    run.ends_with(0);
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    let units = all["units"].as_array().unwrap().iter();
    let by_id = units.map(|unit| (unit["id"].as_str().unwrap().to_owned(), unit.clone())).collect();
    (all["summary"].clone(), by_id)
}

#[test]
fn every_driver_is_built_and_run_and_what_is_wrong_with_it_is_said() {
    let project = Project::sources("survey");
    let (summary, units) = units(&project, &["--build", "--budget", "1s"]);
    let built = |id: &str| units[id]["build"].clone();
    let small = built("small(int)");
    assert_eq!(
        (&small["compiles"], &small["runs"], &small["deterministic"]),
        (&true.into(), &true.into(), &true.into())
    );
    assert_eq!(small["body_coverage"], 1.0, "{small}");
    let narrow = built("narrow(unsigned int)");
    assert!(narrow["body_coverage"].as_f64().unwrap() < 1.0, "one of its regions can't be entered: {narrow}");
    assert_eq!(built("now()")["deterministic"], false);
    assert!(units["now()"]["reason"].as_str().unwrap().contains("not deterministic"));
    assert_eq!(built("never()")["runs"], false);
    assert!(units["never()"]["reason"].as_str().unwrap().contains("fails on every input"), "{}", units["never()"]);
    let shell = built("Shell::size() const");
    assert_eq!((&shell["runs"], &shell["beyond_first_branch"]), (&true.into(), &true.into()), "{shell}");
    assert!(units["handle(Handle)"]["build"].is_null());
    assert_eq!(units["handle(Handle)"]["driver"], "unplannable");
    let number = units["number(void *)"]["reason"].as_str().unwrap();
    assert!(number.contains("parameters.node.type"), "what would help is said: {number}");
    for (key, count) in
        [("units", 7), ("generated", 6), ("unplannable", 1), ("compiles", 6), ("runs", 4), ("deterministic", 3)]
    {
        assert_eq!(summary[key], count, "{key}: {summary}");
    }
}

#[test]
fn without_build_nothing_is_compiled_and_units_and_samples_narrow_the_list() {
    let project = Project::sources("survey");
    let run = project.run(["analyze", "-p", "build", "--budget", "1s"]);
    project.refuses(&run, 2, &["--build"]);
    let run = project.run(["analyze", "-p", "build", "smal"]);
    project.refuses(&run, 2, &["smal", "small"]);
    let (summary, units_) = units(&project, &["small"]);
    assert_eq!((summary["units"].as_u64(), summary.get("compiles")), (Some(1), None));
    assert!(units_["small(int)"].get("build").is_none());
    let (first, _) = units(&project, &["--sample", "2", "--seed", "1"]);
    assert_eq!(first["units"], 2);
    assert!(!project.root().join("motif.out/drivers").exists());
}

#[test]
fn a_driver_that_builds_is_kept_where_giving_its_objects_away_would_not_build_or_help() {
    let project = Project::sources("handles_of_a_class");
    let (_, units) = units(&project, &["Inner::hidden(int)", "--build", "--budget", "200ms"]);
    let hidden = &units["Inner::hidden(int)"];
    assert_eq!(hidden["build"]["compiles"], true, "{hidden}");
    assert!(hidden["reason"].as_str().unwrap().contains("fails on every input"), "{hidden}");
}

#[test]
fn what_keeps_objects_from_being_made_is_said_of_units_that_nothing_gets_into() {
    let project = Project::sources("failing_constructor");
    let (_, analysed) = units(&project, &["--build", "--budget", "1s"]);
    let reason = analysed["Model::size() const"]["reason"].as_str().unwrap();
    assert!(reason.contains("constructing its objects throws `std::runtime_error` (no licence)"), "{reason}");
    // Its types are called like the parameters of what is written around its call.
    assert_eq!(analysed["alike(T, T)"]["build"]["runs"], true, "{}", analysed["alike(T, T)"]);
    write_mutants(&project, &[("model.mut.6.1_1_1.ICR.size.cpp", "return n_;", "return n_ + 1;")]);
    project.fuzz(&["--budget", "1s"]);
    let outcome = project.outcome();
    let reason = outcome.reason("model.mut.6.1_1_1.ICR.size.cpp");
    let why = "constructing its objects throws on 100 % of the inputs: `std::runtime_error: no licence`";
    assert!(reason.contains(why), "{reason}");
}

#[test]
fn drivers_of_callbacks_of_all_types_build() {
    let project = Project::sources("callback_types");
    let out = project.run(["analyze", "-p", "build", "--build", "--budget", "100ms"]);
    let text = format!("{}{}", out.stdout, out.stderr);
    assert!(!text.contains("unbuildable") && !text.contains("not entered"), "{text}");
    assert!(text.contains("18 units: 17 can be driven, 1 can't"), "{text}");
}

#[test]
fn sources_that_are_installed_have_no_units() {
    let folder = tempfile::tempdir_in("/opt").or_else(|_| tempfile::tempdir_in("/usr/src"));
    // (Only who may install can tell.)
    let Ok(folder) = folder else { return };
    let source = folder.path().join("theirs.cpp");
    std::fs::write(&source, "int theirs(int n) { return n + 1; }\n").unwrap();
    let project = Project::of(&[("own.cpp", "int own(int n) { return n + 2; }\n")]);
    project.database(&["own.cpp", source.to_str().unwrap()]);
    let run = project.run(["analyze", "-p", "build"]);
    assert!(run.stdout.contains("own(int)") && !run.stdout.contains("theirs"), "{}", run.stdout);
}

/// Mutants of these are cases; here nothing is a copy.
#[test]
fn virtual_bodies_and_destructors_of_classes_that_cannot_be_copied_are_entered() {
    let project = Project::case("virtual_in_headers");
    for unit in ["Disc::corners", "Disc::grown", "Disc::~Disc"] {
        let (_, units) = units(&project, &["--build", "--budget", "200ms", unit]);
        let unit = units.values().next().unwrap();
        assert_eq!(unit["build"]["runs"], true, "{unit}");
    }
}
