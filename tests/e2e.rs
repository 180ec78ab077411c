//! The main job on the samples, end to end: what can be killed is killed and proved, what can't is not.

mod support;

use std::collections::BTreeMap;
use std::process::Command;
use support::{Expectation, Project, expected};

/// Every mutant of a sample ends as its `expected.yaml` says.
#[track_caller]
fn ends_as_expected(project: &Project, sample: &str) {
    let outcome = project.outcome();
    let mutants = outcome.mutants();
    let expected = expected(sample);
    assert_eq!(mutants.len(), expected.len(), "every mutant has an outcome");
    let mut wrong = Vec::new();
    for mutant in &expected {
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

#[test]
fn every_killable_mutant_of_the_satellite_is_killed_and_no_other() {
    let project = Project::sample("satellite");
    let run = project.fuzz(&["--budget", "5s", "--seed", "1"]);
    run.ends_with(0);
    ends_as_expected(&project, "satellite");
    let outcome = project.outcome();
    for unit in outcome.0["units"].as_array().unwrap() {
        assert_eq!(unit["driver"], "generated", "{unit}");
    }
    for mutant in expected("satellite").iter().filter(|mutant| mutant.outcome == Expectation::Undecidable) {
        let reason = outcome.reason(&mutant.id);
        assert!(reason.contains("determin") || reason.contains("differs from itself"), "{}: {reason}", mutant.id);
    }
}

#[test]
fn every_killable_mutant_of_tpos_is_killed_and_no_other_with_each_clang_that_is_installed() {
    for (seed, clang) in support::clangs().into_iter().enumerate() {
        let mut project = Project::sample("tpos");
        project.environment.push(("MOTIF_CLANG".into(), clang.into()));
        // One of them takes a well-formed input with its checksum: seconds on an idle machine, more on a busy one.
        let run = project.fuzz(&["--budget", "12s", "--seed", &seed.to_string()]);
        run.ends_with(0);
        ends_as_expected(&project, "tpos");
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
                    let path = project.root().join("motif.out").join(mutant["kill"][name].as_str().unwrap());
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
fn probes_foresee_every_kill() {
    let killed = |sample: &str, units: &[&str], probes: &str| {
        let mut project = Project::sample(sample);
        project.environment.push(("MOTIF_PROBES".into(), probes.into()));
        let run = project.fuzz(&[units, &["--budget", "4000x", "--seed", "3", "-j", "1"]].concat());
        run.ends_with(0);
        assert!(!run.stderr.contains("probe-unsound"), "{sample}, {probes}:\n{}", run.stderr);
        let outcome = project.outcome();
        let killed = outcome.mutants().into_iter().filter(|(_, mutant)| mutant["kill"]["by"] == "seed");
        killed.map(|(id, mutant)| (id.to_owned(), mutant["kill"]["executions"].to_string())).collect::<BTreeMap<_, _>>()
    };
    // What comes after the seeds differs, since a mutant that runs leaves its traces in the coverage of what it calls.
    let units =
        ["checksum", "T_POS_Encode", "T_POS_Decode", "T_POS_IsConstraintValid", "T_TRACK_Smooth", "T_STATS_Send"];
    let foreseen = killed("tpos", &units, "on");
    assert!(foreseen.len() >= 5, "{foreseen:?}");
    assert_eq!(killed("tpos", &units, "check"), foreseen);
    assert_eq!(killed("tpos", &units, "off"), foreseen);
    let units = ["isAutonomous", "pack", "longerThan"];
    assert!(!killed("satellite", &units, "check").is_empty());
}

#[test]
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
    project.fuzz(&["T_TRACK_BitWidth", "--budget", "2s", "--fail-under", "100"]).ends_with(1);
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

#[test]
fn an_array_that_the_callee_allocates_is_compared_up_to_its_least_length_and_only_then() {
    let text = "#include <stdlib.h>\nint *steps(int first) {\n  int *made = malloc(3 * sizeof(int));\n  \
                if (made != NULL) {\n    made[0] = first;\n    made[1] = 2;\n    made[2] = 3;\n  }\n  return made;\n}\n";
    let project = Project::of(&[("steps.c", text)]);
    let id = "steps.mut.6.1_1_1.ICR.steps.c";
    project.write(&format!("mutants/{id}"), &text.replace("made[1] = 2", "made[1] = 4"));
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    assert_eq!(project.outcome().status(id), "live", "nobody said how long the array is");
    project.write("utility-overrides/steps.yaml", "function: steps\nresult: {least_length: 2}\n");
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}: {}", outcome.status(id), outcome.reason(id));
    assert_eq!(outcome.0["units"][0]["driver"], "overridden");
    let input = outcome.mutants()[id]["kill"]["input"].as_str().unwrap().to_owned();
    assert!(project.read(format!("motif.out/{input}.json")).contains("\"first\""));
}

#[test]
fn in_cxx_as_well_an_array_that_the_callee_hands_out_is_compared_up_to_its_least_length() {
    let text = "#include <cstdlib>\nnamespace n {\nint *table(int first) {\n  static int made[3];\n  made[0] = first;\n  \
                made[1] = 2;\n  made[2] = 3;\n  return made;\n}\nint fill(int **out, int first) {\n  static int made[3];\n  \
                made[0] = first;\n  made[1] = 5;\n  *out = made;\n  return 2;\n}\nint lend(int *&out, int first) {\n  \
                static int made[3];\n  made[0] = first;\n  made[1] = 7;\n  out = made;\n  return 2;\n}\n}\n";
    let project = Project::of(&[("n.cpp", text)]);
    let mutants = [
        ("n.mut.6.1_1_1.ICR.table.cpp", "made[1] = 2", "made[1] = 4"),
        ("n.mut.13.1_1_1.ICR.fill.cpp", "made[1] = 5", "made[1] = 6"),
        ("n.mut.20.1_1_1.ICR.lend.cpp", "made[1] = 7", "made[1] = 8"),
    ];
    for (id, from, to) in mutants {
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.write("utility-overrides/table.yaml", "function: n::table\nresult: {least_length: 3}\n");
    for unit in ["fill", "lend"] {
        let said = format!("function: n::{unit}\nparameters: {{out: {{least_length: 2}}}}\n");
        project.write(&format!("utility-overrides/{unit}.yaml"), &said);
    }
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _) in mutants {
        // Proved: the test's declaration of the function, which no header has, is the project's, not a file-local one.
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
}

#[test]
fn members_of_templates_and_specialisations_and_of_classes_spread_over_files_are_driven() {
    let header = "#pragma once\n#include <string>\nnamespace n {\n\
        template <typename T> struct Math {\n  static T twice(T v) { return v + v; }\n};\n\
        template <typename T> struct Info { static bool whole() { return false; } };\n\
        template <> struct Info<int> {\n  static int digits(int n) {\n    return n > 9 ? 2 : 1;\n  }\n};\n\
        template <typename T, typename S> class Token {\n  T value = T();\n public:\n  Token() = default;\n  \
        explicit Token(T v) : value(v) {}\n  Token &assign(const Token &other) {\n    value = other.value + 1;\n    \
        return *this;\n  }\n};\n\
        class Base;\n\
        class Reader {\n  Base *parent;\n  int depth = 0;\n public:\n  explicit Reader(Base *p) : parent(p) {}\n  \
        int step(int by);\n  Base *owner() { return parent; }\n};\n\
        class Base {\n  Reader reader;\n  std::string text;\n public:\n  Base();\n  int length() const;\n  \
        static const Base &instance();\n};\n}\n";
    let base = "#include \"n.h\"\n#include <cassert>\n#include <vector>\nusing namespace std;\nnamespace n {\n\
        Base::Base() : reader(this) {}\nint Base::length() const {\n  vector<int> v(text.size());\n  assert(v.size() < 1000);\n  \
        return static_cast<int>(v.size());\n}\nconst Base &Base::instance() {\n  static const Base only;\n  return only;\n}\n}\n";
    let reader = "#include \"n.h\"\nnamespace n {\nint Reader::step(int by) {\n  depth += by > 3 ? 1 : 2;\n  return depth;\n}\n\
        namespace { struct Own { int reach(Base &b) { return b.length(); } }; }\n\
        Token<double, std::string> token(double v) { return Token<double, std::string>(v); }\n\
        int all(int v) { Own own; Base b; return Math<int>::twice(v) + Info<int>::digits(v) + own.reach(b); }\n}\n";
    let project = Project::of(&[("base.cpp", base), ("reader.cpp", reader), ("n.h", header)]);
    let mutants = [
        ("reader.mut.4.1_1_1.ROR.step.cpp", reader, "by > 3", "by >= 3"),
        ("n.mut.5.1_1_1.AOR.twice.h", header, "v + v", "v - v"),
        ("n.mut.10.1_1_1.ROR.digits.h", header, "n > 9", "n < 9"),
        ("n.mut.19.1_1_1.ICR.assign.h", header, "other.value + 1", "other.value + 2"),
    ];
    for (id, text, from, to) in mutants {
        assert!(text.contains(from), "{from}");
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _, _) in mutants {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
    // The reader's copy brings the class that it points to, with members that need another file's headers and usings.
    let units = outcome.0["units"].as_array().unwrap();
    let step = units.iter().find(|unit| unit["id"].as_str().unwrap().contains("step")).unwrap();
    assert_eq!(step["copy"], "class", "{step}");
}

#[test]
fn what_calls_back_is_driven_with_the_projects_functions_or_a_lambda() {
    let c = "typedef double (*shape)(double);\ndouble up(double x) { return x + 1; }\n\
             double down(double x) { return x - 1; }\ndouble apply(shape f, double x) {\n  return f(x) + 2;\n}\n";
    let cxx = "#include <functional>\nnamespace n {\nint each(const std::function<bool(int)> &keep, int n) {\n  \
               return keep(n) ? n : n + 1;\n}\nlong raw(long (*f)(const char *), long n) {\n  return f(\"a\") + n;\n}\n}\n";
    let project = Project::of(&[("call.c", c), ("n.cpp", cxx)]);
    let mutants = [
        ("call.mut.5.1_1_1.AOR.apply.c", c, "f(x) + 2", "f(x) - 2"),
        ("n.mut.4.1_1_1.ICR.each.cpp", cxx, "n + 1", "n + 2"),
        ("n.mut.7.1_1_1.AOR.raw.cpp", cxx, "+ n", "- n"),
    ];
    for (id, text, from, to) in mutants {
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _, _) in mutants {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
}

#[test]
fn text_that_two_members_hold_the_ends_of_is_compared() {
    let text = "#include <cstring>\nclass Span {\n  char *_start = nullptr;\n  char *_end = nullptr;\n public:\n  \
                ~Span() { delete[] _start; }\n  void set(bool v) {\n    const char *text = v ? \"true\" : \"false\";\n    \
                delete[] _start;\n    _start = new char[8];\n    std::strcpy(_start, text);\n    \
                _end = _start + std::strlen(text);\n  }\n};\nclass Wild {\n  const char *begin = (const char *)16;\n  const char *end = (const char *)32;\n  int n = 0;\n \
                public:\n  void touch(int by) {\n    n += by > 2;\n  }\n};\n";
    let project = Project::of(&[("span.cpp", text)]);
    let (kept, wild) = ("span.mut.8.1_1_1.LVR.set.cpp", "span.mut.20.1_1_1.ROR.touch.cpp");
    project.write(&format!("mutants/{kept}"), &text.replace("\"false\"", "\"fals_\""));
    project.write(&format!("mutants/{wild}"), &text.replace("by > 2", "by >= 2"));
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    for id in [kept, wild] {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
    let test = outcome.mutants()[kept]["kill"]["test"].as_str().unwrap().to_owned();
    let file = test.split('#').next().unwrap();
    assert!(project.read(format!("motif.out/{file}")).contains("std::string(object._start, object._end)"));
}

#[test]
fn what_a_set_up_call_was_given_lives_as_long_as_the_object_and_ends_of_one_range_belong_together() {
    let text = "class Reader {\n  const char *at_ = nullptr;\n  const char *end_ = nullptr;\n  const double *scale_ = nullptr;\n \
                public:\n  void open(const char *begin, const char *end) {\n    at_ = begin;\n    end_ = end;\n  }\n  \
                void scale(const double *by) { scale_ = by; }\n  double left() const {\n    double n = 0;\n    \
                for (const char *p = at_; p != end_; ++p) n += *p == 'x' ? 2 : 1;\n    return scale_ ? n * *scale_ : n;\n  }\n};\n";
    let project = Project::of(&[("reader.cpp", text)]);
    let (read, scaled) = ("reader.mut.14.1_1_1.ICR.left.cpp", "reader.mut.15.1_1_1.AOR.left.cpp");
    project.write(&format!("mutants/{read}"), &text.replace("'x' ? 2", "'x' ? 3"));
    project.write(&format!("mutants/{scaled}"), &text.replace("n * *scale_", "n + *scale_"));
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    for id in [read, scaled] {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
    let unit = &outcome.0["units"][0];
    assert!(unit["suspected_faults"].as_array().is_none_or(Vec::is_empty), "{unit}");
}

#[test]
fn what_is_written_to_a_stream_is_compared_and_what_is_read_comes_from_the_data() {
    let text = "#include <istream>\n#include <ostream>\nclass Log {\n  std::ostream *to_;\n public:\n  \
                explicit Log(std::ostream &to) : to_(&to) {}\n  void note(int n) { *to_ << n + 1; }\n};\n\
                void print(std::ostream &out, int n) {\n  out << \"<\" << n << \">\";\n}\n\
                int sum(std::istream &in) {\n  int n = 0, sum = 0;\n  while (in >> n) sum += n;\n  return sum;\n}\n";
    let project = Project::of(&[("s.cpp", text)]);
    let mutants =
        [("s.mut.10.1_1_1.LVR.print.cpp", "\"<\"", "\"(\""), ("s.mut.14.1_1_1.AOR.sum.cpp", "sum += n", "sum -= n")];
    for (id, from, to) in mutants {
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _) in mutants {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
}

#[test]
fn alternatives_that_a_factory_hands_out_in_a_smart_pointer_are_driven() {
    let text = "#include <memory>\n#include <vector>\nstruct Shape {\n  virtual ~Shape() = default;\n  virtual int area() const = 0;\n};\n\
                class Box : public Shape {\n  int side_;\n  explicit Box(int side) : side_(side) {}\n public:\n  \
                static std::unique_ptr<Box> make(int side) { return std::unique_ptr<Box>(new Box(side)); }\n  \
                int area() const override { return side_; }\n};\n\
                struct Dot : Shape {\n  int area() const override { return 0; }\n};\n\
                int twice(const Shape &shape) {\n  return 2 + shape.area();\n}\n\
                int all(const std::vector<std::unique_ptr<Shape>> &shapes) {\n  int sum = 0;\n  \
                for (const auto &shape : shapes) sum += shape->area();\n  return sum;\n}\n";
    let project = Project::of(&[("shape.cpp", text)]);
    let mutants = [
        ("shape.mut.18.1_1_1.AOR.twice.cpp", "2 + shape.area()", "2 - shape.area()"),
        ("shape.mut.22.1_1_1.AOR.all.cpp", "sum += shape->area()", "sum -= shape->area()"),
    ];
    for (id, from, to) in mutants {
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _) in mutants {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
}

#[test]
fn the_const_one_of_two_overloads_is_driven_as_well_and_members_of_unknown_classes_do_no_harm() {
    let text = "class Rule;\nclass Box {\n  int n_;\n  const Rule &rule_;\n public:\n  \
                Box(int n, const Rule &rule) : n_(n), rule_(rule) {}\n  int &at() { return n_; }\n  \
                int at() const { return n_ + 1; }\n  int operator[](int i) { return i; }\n  \
                int operator[](int i) const { return i - n_; }\n};\nconst Rule &usual();\n";
    let rule =
        "class Rule {\n public:\n  int n = 1;\n};\nconst Rule &usual() {\n  static Rule rule;\n  return rule;\n}\n";
    let project = Project::of(&[("box.cpp", text), ("rule.cpp", rule)]);
    let mutants = [
        ("box.mut.8.1_1_1.AOR.at.cpp", "n_ + 1", "n_ - 1"),
        ("box.mut.10.1_1_1.AOR.operator[].cpp", "i - n_", "i + n_"),
    ];
    for (id, from, to) in mutants {
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _) in mutants {
        assert!(outcome.verified(id), "{id}: {}: {}", outcome.status(id), outcome.reason(id));
    }
}

#[test]
fn a_way_into_a_private_method_that_differs_from_itself_is_left_out_and_the_others_kill() {
    let text = "#include <chrono>\nclass Meter {\n  long sum_ = 0;\n  long bump(long by) {\n    sum_ += by;\n    return sum_ * 2;\n  }\n public:\n  \
                long stamp() { return bump(std::chrono::steady_clock::now().time_since_epoch().count()); }\n  \
                long add(int by) { return bump(by); }\n};\n";
    let project = Project::of(&[("meter.cpp", text)]);
    let id = "meter.mut.6.1_1_1.AOR.bump.cpp";
    project.write(&format!("mutants/{id}"), &text.replace("sum_ * 2", "sum_ + 2"));
    project.fuzz(&["--budget", "2s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}: {}", outcome.status(id), outcome.reason(id));
}

#[test]
fn a_difference_in_a_union_is_asserted_by_its_storage() {
    let text = "typedef struct {\n  int kind;\n  union {\n    double f;\n    long i;\n  } u;\n} pos;\n\
                int put(pos *p, long v) {\n  p->kind = 1;\n  p->u.i = v + 1;\n  return 0;\n}\n";
    let project = Project::of(&[("pos.c", text)]);
    let id = "pos.mut.10.1_1_1.AOR.put.c";
    project.write(&format!("mutants/{id}"), &text.replace("v + 1", "v - 1"));
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}: {}", outcome.status(id), outcome.reason(id));
}
