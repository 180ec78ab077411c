//! `analyze --build`: every driver built and run, original against original.

use crate::support::Project;
use serde_json::Value;
use std::collections::BTreeMap;

const TEXT: &str = "#include <cstdlib>\n#include <ctime>\n\nint small(int a) {\n  if (a > 3) return a;\n  return -a;\n}\n\n\
    int narrow(unsigned a) {\n  if (a == 0x7f3a91c5u && (a & 1) == 0) return 1;\n  return 2;\n}\n\n\
    long now() { return (long)clock() + rand() + (long)(size_t)malloc(1); }\n\nvoid never() { std::abort(); }\n\n\
    struct Shell {\n  const char *text = nullptr;\n  int size() const {\n    if (!text) return 0;\n    int n = 0;\n    \
    while (text[n]) ++n;\n    return n;\n  }\n};\n\ntypedef void *Handle;\nint handle(Handle h) { return h != nullptr; }\n\
    struct Node {\n  int n;\n  virtual ~Node();\n};\nint number(void *node) {\n  \
    return static_cast<Node *>(node)->n + static_cast<Shell **>(node)[0]->size();\n}\n";

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
    let project = Project::of(&[("a.cpp", TEXT)]);
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
    let project = Project::of(&[("a.cpp", TEXT)]);
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

/// A class behind an interface of handles: what a handle is, only the interface's source knows.
const HANDLES: &[(&str, &str)] = &[
    (
        "api.h",
        "#pragma once\ntypedef struct handle_t handle_t;\nhandle_t *handle_open(int size);\nint handle_run(handle_t *handle, int a);\n",
    ),
    (
        "inner.h",
        "#pragma once\n#include \"api.h\"\nclass Inner {\n  friend int handle_run(handle_t *handle, int a);\n  int hidden(int a);\n};\n",
    ),
    (
        "api.cpp",
        "#include \"inner.h\"\n#include <cstdlib>\nstruct handle_t {\n  Inner *rep;\n};\n\
        handle_t *handle_open(int) { return new handle_t{new Inner()}; }\n\
        int handle_run(handle_t *handle, int a) { return handle->rep->hidden(a); }\n",
    ),
    (
        "inner.cpp",
        "#include \"inner.h\"\n#include <cstdlib>\nint Inner::hidden(int a) {\n  if (a > 3) std::abort();\n  std::abort();\n}\n",
    ),
];

#[test]
fn a_driver_that_builds_is_kept_where_giving_its_objects_away_would_not_build_or_help() {
    let project = Project::of(HANDLES);
    let (_, units) = units(&project, &["Inner::hidden(int)", "--build", "--budget", "200ms"]);
    let hidden = &units["Inner::hidden(int)"];
    assert_eq!(hidden["build"]["compiles"], true, "{hidden}");
    assert!(hidden["reason"].as_str().unwrap().contains("fails on every input"), "{hidden}");
}

#[test]
fn what_keeps_objects_from_being_made_is_said_of_units_that_nothing_gets_into() {
    let text = "#include <stdexcept>\nclass Model {\n  int n_;\n public:\n  \
                explicit Model(int n) : n_(n) { throw std::runtime_error(\"no licence\"); }\n  int size() const { return n_; }\n};\n\
                typedef double T;\nstatic bool alike(T x, T y) { return x == y; }\nbool use() { return alike(1, 2); }\n";
    let project = Project::of(&[("model.cpp", text)]);
    let (_, analysed) = units(&project, &["--build", "--budget", "1s"]);
    let reason = analysed["Model::size() const"]["reason"].as_str().unwrap();
    assert!(reason.contains("constructing its objects throws `std::runtime_error` (no licence)"), "{reason}");
    // Its types are called like the parameters of what is written around its call.
    assert_eq!(analysed["alike(T, T)"]["build"]["runs"], true, "{}", analysed["alike(T, T)"]);
    project.write("mutants/model.mut.6.1_1_1.ICR.size.cpp", &text.replace("return n_;", "return n_ + 1;"));
    project.fuzz(&["--budget", "1s"]);
    let outcome = project.outcome();
    let reason = outcome.reason("model.mut.6.1_1_1.ICR.size.cpp");
    assert!(reason.contains("throws `std::runtime_error` (no licence)"), "{reason}");
}
