//! Survivors before a bounded model checker, and a solver that is missing, broken or lying.

use crate::support::{Project, path_without, write_mutants};
use std::path::{Path, PathBuf};

/// The solver; none where the tests may run without it (`MOTIF_WITHOUT_SOLVER=1`).
fn solver() -> Option<PathBuf> {
    if std::env::var_os("MOTIF_WITHOUT_SOLVER").is_some_and(|value| value == "1") {
        return None;
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let own = cache.map(|cache| cache.join("motif-cpp/solver/esbmc"));
    let folders = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let on_path = folders.into_iter().flatten().map(|folder| folder.join("esbmc"));
    let found = own.into_iter().chain(on_path).find(|path| path.is_file());
    Some(found.expect("no `esbmc`: run `make setup-solver`, or set MOTIF_WITHOUT_SOLVER=1"))
}

fn project(solver: &Path, of: &str) -> Project {
    let mut project = Project::sources(of);
    project.environment.push(("MOTIF_DECIDE".into(), "on".into()));
    project.environment.push(("MOTIF_SOLVER".into(), solver.display().to_string()));
    project
}

const FUZZ: [&str; 6] = ["--budget", "300x", "--sanitizer", "none", "--decide", "solver"];

/// Whether a mutant can be told from the original.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Same,
    Differs,
}
use Known::{Differs, Same};

/// File, line, function, what stands there, what the mutant has, and what is known of it.
type Row = (&'static str, &'static str, &'static str, &'static str, Known);

const ROWS: [Row; 60] = [
    ("plain.c", "mask", "| 0u", "^ 0u", Same),
    ("plain.c", "mask", "(a & 255u) | 0u", "(a & 255u) + 0u", Same),
    ("plain.c", "mask", "a & 255u", "a & 127u", Differs),
    ("plain.c", "sign", "a > 0", "a >= 1", Same),
    ("plain.c", "sign", "a < 0", "a <= 0", Differs),
    ("plain.c", "sign", "a < 0", "a != 0", Same),
    ("plain.c", "average", "(a & b) + ((a ^ b) >> 1)", "(a | b) - ((a ^ b) - ((a ^ b) >> 1))", Same),
    ("plain.c", "average", "(a ^ b) >> 1", "(a | b) >> 1", Differs),
    ("plain.c", "average", "(a ^ b) >> 1", "(a ^ b) / 2", Same),
    ("plain.c", "seldom", "b == 4711", "b == 4712", Differs),
    ("plain.c", "seldom", "return 1", "return 2", Differs),
    (
        "plain.c",
        "seldom",
        "a * 2654435761u == 2485173284u && b == 4711",
        "b == 4711 && a * 2654435761u == 2485173284u",
        Same,
    ),
    ("plain.c", "saturated", "sum > 255", "sum >= 255", Same),
    ("plain.c", "saturated", "sum > 255", "sum > 256", Differs),
    ("plain.c", "saturated", "(unsigned)a + b", "(unsigned)b + a", Same),
    ("plain.c", "rotate", "if (by == 0) return a;", "if (by == 1) return a;", Differs),
    ("plain.c", "rotate", "(a << by) | (a >> (32 - by))", "(a << by) ^ (a >> (32 - by))", Same),
    ("plain.c", "rotate", "(a << by) | (a >> (32 - by))", "(a << by) + (a >> (32 - by))", Same),
    ("plain.c", "limited", "x > 1.0f", "x >= 1.0f", Same),
    ("plain.c", "limited", "x < 0.0f", "x <= 0.0f", Differs),
    ("plain.c", "limited", "x * 2.0f", "x + x", Same),
    ("plain.c", "steps", "x < y ? y : x", "x <= y ? y : x", Differs),
    ("plain.c", "steps", "x < y ? y : x", "y > x ? y : x", Same),
    ("plain.c", "steps", "if (x != x) return y;", "if (x != x) return x;", Differs),
    ("plain.c", "bits", "i < 32", "i < 31", Differs),
    ("plain.c", "bits", "i < 32", "i != 32", Same),
    ("plain.c", "bits", "a & (1u << i)", "(a >> i) & 1u", Same),
    ("plain.c", "gcd", "b != 0", "b > 0", Same),
    ("plain.c", "gcd", "b != 0", "b > 1", Differs),
    ("plain.c", "gcd", "a % b", "(unsigned char)(a - a / b * b)", Same),
    ("objects.cpp", "add", "more > 0", "more >= 0", Same),
    ("objects.cpp", "add", "& 1023", "& 63", Differs),
    ("objects.cpp", "add", "more > 0", "more > 1", Differs),
    ("objects.cpp", "doubled", "count_ * 2", "count_ + count_", Same),
    ("objects.cpp", "doubled", "count_ * 2", "count_ << 1", Same),
    ("objects.cpp", "doubled", "count_ * 2", "count_ * 3", Differs),
    ("objects.cpp", "measure", "> 4", ">= 5", Same),
    ("objects.cpp", "measure", "> 4", "> 6", Differs),
    ("objects.cpp", "measure", "> 4", "== 6", Same),
    ("objects.cpp", "greatest", "values[i] > best", "values[i] >= best", Same),
    ("objects.cpp", "greatest", "values[i] > best", "values[i] < best", Differs),
    ("objects.cpp", "greatest", "i = 0", "i = 1", Differs),
    ("objects.cpp", "vowels", "== 'e'", "== 'i'", Differs),
    ("objects.cpp", "vowels", "i < text.size()", "i != text.size()", Same),
    ("objects.cpp", "vowels", "text[i] == 'a' || text[i] == 'e'", "text[i] == 'e' || text[i] == 'a'", Same),
    ("objects.cpp", "distance", "a.x > b.x", "a.x >= b.x", Same),
    ("objects.cpp", "distance", "x < 0", "x <= 0", Same),
    ("objects.cpp", "distance", "(b.x & 255) - (a.x & 255)", "(b.x & 255) - (a.y & 255)", Differs),
    ("objects.cpp", "warmth", "return 2", "return 3", Differs),
    ("objects.cpp", "warmth", "colour == Colour::green", "colour == Colour::blue", Differs),
    ("objects.cpp", "warmth", "if (colour == Colour::green) return 1;", "if (Colour::green == colour) return 1;", Same),
    ("objects.cpp", "product", "static_cast<long long>(a) * b", "static_cast<long long>(b) * a", Same),
    ("objects.cpp", "product", "static_cast<long long>(a) * b", "static_cast<long long>(a) + b", Differs),
    ("objects.cpp", "product", "static_cast<long long>(a) * b", "static_cast<long long>(a) * (b | 1)", Differs),
    ("objects.cpp", "quarter", "i < 4", "i <= 3", Same),
    ("objects.cpp", "quarter", "sum / 4", "sum >> 2", Differs),
    ("objects.cpp", "quarter", "i < 4", "i < 3", Differs),
    ("objects.cpp", "between", "value < low", "value <= low", Differs),
    ("objects.cpp", "between", "value > high", "value >= high", Same),
    ("objects.cpp", "between", "value > high", "value < high", Differs),
];

const CALLEES: [Row; 23] = [
    ("callees.c", "sum_of_parts", "parts[0] + parts[1]", "parts[1] + parts[0]", Same),
    ("callees.c", "sum_of_parts", "x <= 100u", "x < 101u", Same),
    ("callees.c", "sum_of_parts", "{0, 0}", "{0, 1}", Differs),
    ("callees.c", "sum_of_parts", "mix(x)", "mix(x + 1u)", Differs),
    ("callees.c", "second_part", "= 7u", "= 3u + 4u", Same),
    ("callees.c", "second_part", "= 7u", "= 8u", Differs),
    ("callees.c", "chosen", "x > y", "x >= y", Same),
    ("callees.c", "chosen", "x > y", "x < y", Differs),
    ("callees.c", "load", ", 1)", ", 2)", Same),
    ("callees.c", "load", ", 1)", ", 0)", Differs),
    ("callees.c", "even", "x * 2u", "x * 2u + (x == 619u)", Differs),
    ("callees.c", "ticked", "through(x);", ";", Differs),
    ("callees.c", "shortened", "cut(&y);", ";", Differs),
    ("callees.c", "folded", "x, 3u", "x, 5u", Differs),
    ("callees.c", "raised", "x + 2u", "x + 3u", Differs),
    ("callees.c", "is_wrong", "checked(x);", ";", Differs),
    ("callees.c", "longest", "a < b", "b > a", Same),
    ("callees.c", "longest", "a < b", "a <= b", Differs),
    ("callees.c", "looked_up", "x & 7u", "7u & x", Same),
    ("callees.c", "looked_up", "x & 7u", "x & 6u", Differs),
    ("callees.c", "looked_up", "7u]", "7u]++", Differs),
    ("callees.c", "placed", "x & 63u", "63u & x", Same),
    ("callees.c", "placed", "8u", "6u", Differs),
];

/// The mutants of these functions, each with its name.
fn mutants(project: &Project, of: &dyn Fn(&str) -> bool) -> Vec<(String, Known)> {
    write_rows(project, &mut ROWS.iter().filter(|row| of(row.1)))
}

fn write_rows(project: &Project, rows: &mut dyn Iterator<Item = &Row>) -> Vec<(String, Known)> {
    let mut named = Vec::new();
    for (number, (file, function, from, to, known)) in rows.enumerate() {
        let text = project.read(file);
        let start = text.find(&format!(" {function}(")).or_else(|| text.find(&format!("::{function}("))).unwrap();
        let at = start + text[start..].find(from).unwrap_or_else(|| panic!("no `{from}` in {function}"));
        let line = text[..at].lines().count();
        let (stem, extension) = file.split_once('.').unwrap();
        let id = format!("{stem}.mut.{line}.{number}.ROR.{function}.{extension}");
        project.write(&format!("mutants/{id}"), &format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        named.push((id, *known));
    }
    named
}

/// Runs the known mutants of these functions; none of the verdicts may be wrong, and at least so many are decided.
#[track_caller]
fn verdicts_are_right(of: &dyn Fn(&str) -> bool, number: usize, least: usize) {
    let Some(solver) = solver() else { return };
    let project = project(&solver, "solver");
    let named = mutants(&project, of);
    assert_eq!(named.len(), number);
    project.fuzz(&FUZZ).ends_with(0);
    let outcome = project.outcome();
    let (mut wrong, mut open, mut decided) = (Vec::new(), Vec::new(), 0);
    for (id, known) in &named {
        let (status, mutant) = (outcome.status(id), outcome.mutants()[id.as_str()]);
        let bounded = !mutant["equivalence"]["bound"].is_null();
        match (known, status) {
            (Same, "killed") | (Differs, "equivalent") => wrong.push(mutant),
            (Differs, "live") if bounded => wrong.push(mutant),
            (_, "killed" | "equivalent") => decided += 1,
            (_, "live") if bounded => decided += 1,
            _ => open.push(format!("{id}: {status} {}", outcome.reason(id))),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(decided >= least, "{decided} decided; open: {open:#?}");
    // What a search of 300 inputs does not find.
    let hidden: Vec<&String> = named.iter().map(|(id, _)| id).filter(|id| id.contains("seldom")).take(2).collect();
    for id in &hidden {
        let mutant = &outcome.mutants()[id.as_str()];
        assert_eq!(mutant["kill"]["by"], "symbolic", "{mutant}");
        assert!(outcome.verified(id), "{id}");
    }
    assert_eq!(hidden.len(), 2);
    let tool = &outcome.mutants()[named[0].0.as_str()]["equivalence"];
    assert!(tool["tool"].as_str().is_none_or(|tool| tool.starts_with("esbmc ")), "{tool}");
    assert!(outcome.0["cpu_seconds"]["decide"].as_f64().unwrap() > 0.0);
}

#[test]
#[ignore = "a long run; make test-all"]
fn of_known_mutants_of_a_few_functions_all_are_decided_rightly() {
    let few = ["mask", "sign", "seldom", "saturated", "add", "warmth"];
    verdicts_are_right(&|function| few.contains(&function), 18, 18);
}

#[test]
#[ignore = "three minutes of the solver: make test-all"]
fn of_sixty_known_mutants_no_verdict_is_wrong_and_fifty_are_decided() {
    verdicts_are_right(&|_| true, ROWS.len(), 50);
}

#[test]
#[ignore = "a long run; make test-all"]
fn what_a_callee_computes_does_not_matter_where_both_sides_call_it_alike() {
    let Some(solver) = solver() else { return };
    let project = project(&solver, "callees");
    let step = if crate::support::takes_all() { 1 } else { 3 };
    let named = write_rows(&project, &mut CALLEES.iter().step_by(step));
    project.fuzz(&[&FUZZ[..], &["--decide-budget", "10s"]].concat()).ends_with(0);
    let outcome = project.outcome();
    for (id, known) in &named {
        let mutant = &outcome.mutants()[id.as_str()];
        let proof = &mutant["equivalence"];
        match known {
            Same => {
                // Calls before may have left something in a file's variables, so proofs about them are bounded.
                let names_tables = ["looked_up", "placed"].iter().any(|function| id.contains(function));
                let status = if names_tables { "live" } else { "equivalent" };
                assert_eq!((outcome.status(id), &proof["by"]), (status, &"solver".into()), "{mutant}");
                assert_eq!(proof["bound"].is_string(), names_tables, "{mutant}");
                let taken = proof["assumptions"].as_array().unwrap().last().unwrap().as_str().unwrap();
                assert!(names_tables || taken.contains("the same for the same arguments"), "{mutant}");
            }
            // The solver follows no file's own variables.
            Differs if id.contains("ticked") => {
                assert_eq!((outcome.status(id), proof), ("live", &serde_json::Value::Null), "{mutant}");
            }
            Differs => assert_eq!(outcome.status(id), "killed", "{mutant}"),
        }
    }
}

#[test]
fn what_a_pointer_is_to_in_a_constant_table_is_seen_by_the_solver_as_by_the_search() {
    let Some(solver) = solver() else { return };
    let project = project(&solver, "places");
    let rows: [Row; 2] = [
        ("places.c", "place", "&widths[1]", "&widths[2]", Differs),
        ("places.c", "place", "b == 4711", "4711 == b", Same),
    ];
    let named = write_rows(&project, &mut rows.iter());
    project.fuzz(&[&FUZZ[..], &["--decide-budget", "20s"]].concat()).ends_with(0);
    let outcome = project.outcome();
    assert_eq!([outcome.status(&named[0].0), outcome.status(&named[1].0)], ["killed", "equivalent"]);
    assert_eq!(outcome.mutants()[named[0].0.as_str()]["kill"]["by"], "symbolic");
}

/// Options of an engine with the solver in it.
fn engine<'a>(name: &'a str, budget: &'a str) -> [&'a str; 6] {
    ["--engine", name, "--budget", "300x", "--decide-budget", budget]
}

#[test]
fn the_solver_alone_kills_and_proves_without_a_search() {
    let Some(solver) = solver() else { return };
    let project = project(&solver, "solver");
    let named = mutants(&project, &|function| ["mask", "seldom"].contains(&function));
    project.fuzz(&engine("symbolic", "20s")).ends_with(0);
    let outcome = project.outcome();
    assert_eq!(outcome.0["engine"], "symbolic");
    // What is found is written as tests, and merged, where no solver is.
    let mut elsewhere = project;
    let bare = path_without(|name| name == "esbmc");
    elsewhere.environment.retain(|(name, _)| name != "MOTIF_SOLVER");
    elsewhere.environment.push(("PATH".into(), bare.path().display().to_string()));
    elsewhere.run(["testgen", "-p", "build"]).ends_with(0);
    for (id, known) in &named {
        let mutant = &outcome.mutants()[id.as_str()];
        if *known == Same {
            assert_eq!(
                (outcome.status(id), &mutant["equivalence"]["by"]),
                ("equivalent", &"solver".into()),
                "{mutant}"
            );
            continue;
        }
        assert_eq!(outcome.status(id), "killed", "{mutant}");
        assert_eq!((&mutant["kill"]["by"], &mutant["kill"]["executions"]), (&"symbolic".into(), &0.into()), "{mutant}");
        assert!(outcome.verified(id), "{id}");
    }
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_bound_within_which_no_run_ends_proves_nothing() {
    let Some(solver) = solver() else { return };
    let project = project(&solver, "solver");
    // The loop has more rounds than are looked at, whatever is passed.
    let text = "unsigned churn(unsigned char more, unsigned x) {\n  \
                for (int i = 0; i < 100 + more; ++i) x = x * 5u + 1u;\n  return x == 12345u ? 2u : 3u;\n}\n";
    project.write("churn.c", text);
    project.database(&["churn.c"]);
    let id = "churn.mut.3.1.CRCR.churn.c";
    project.write(&format!("mutants/{id}"), &text.replace("12345u", "12346u"));
    project.fuzz(&[&FUZZ[..], &["--decide-budget", "10s"]].concat()).ends_with(0);
    let outcome = project.outcome();
    let mutant = &outcome.mutants()[id];
    assert_eq!((&mutant["status"], &mutant["equivalence"]), (&"live".into(), &serde_json::Value::Null), "{mutant}");
}

#[test]
fn search_and_solver_take_turns_and_what_the_solver_reaches_the_search_goes_on_from() {
    let Some(solver) = solver() else { return };
    let project = project(&solver, "solver");
    // The solver finds the way in at once, and not what comes of it.
    let text = "double hard(unsigned a, double x, double y) {\n  if (a * 2654435761u != 2485173284u) return 0;\n  \
                unsigned n = a >> 3;\n  double r = n * (x * x + 1.25) / (y * y + 1.5);\n  \
                r = r * r / (x * x * 3.0 + r + 0.5);\n  return r * 1.75 + x;\n}\n";
    project.write("hard.c", text);
    project.database(&["hard.c", "plain.c"]);
    project.write("mutants/hard.mut.3.1.CRCR.hard.c", &text.replace("a >> 3", "a >> 2"));
    let named = mutants(&project, &|function| function == "seldom");
    project.fuzz(&engine("hybrid", "3s")).ends_with(0);
    let outcome = project.outcome();
    let hard = &outcome.mutants()["hard.mut.3.1.CRCR.hard.c"];
    assert_eq!(outcome.status("hard.mut.3.1.CRCR.hard.c"), "killed", "{hard}");
    assert!(hard["kill"]["executions"].as_u64().unwrap() > 0, "its input came back to the search: {hard}");
    assert_eq!(outcome.status(&named[0].0), "killed");
    assert_eq!(outcome.status(&named[2].0), "equivalent");
}

#[test]
fn engines_with_the_solver_refuse_what_leaves_it_out() {
    let (project, _folder) = stubbed("");
    for (options, words) in [
        (&["--engine", "symbolic", "--decide", "none"][..], "`--engine symbolic` asks the solver"),
        (&["--engine", "hybrid", "--decide", "exhaustion"], "`--engine hybrid` asks the solver"),
        (&["--engine", "symbolic", "--sanitizer", "address"], "needs the inputs of a search"),
        (&["--engine", "symbolic", "--total-budget", "9s"], "`--total-budget 9s` is of a search"),
        (&["--engine", "symbolic", "--afl-mode", "persistent"], "with `--engine symbolic`"),
        (&["--engine", "hybrid", "--compiler", "gcc"], "`--engine hybrid` needs `--compiler clang`"),
    ] {
        let run = project.fuzz(options);
        run.ends_with(2);
        assert!(run.stderr.contains("error[options-conflict]") && run.stderr.contains(words), "{}", run.stderr);
    }
}

// (Of 64 bits, so that not all inputs are tried.)
const LIVE: &str = "plain.mut.12.1.AOR.average.c";
const DEAD: &str = "plain.mut.12.2.LCR.average.c";

/// A project with one equivalent mutant and one that dies, and a solver that is this shell script.
fn stubbed(script: &str) -> (Project, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    rewrite(&folder, script);
    let project = project(&folder.path().join("esbmc"), "solver");
    write_mutants(&project, &[(LIVE, "(a ^ b) >> 1", "(a ^ b) / 2"), (DEAD, "(a ^ b) >> 1", "(a | b) >> 1")]);
    (project, folder)
}

/// Makes the solver in `folder` this script.
fn rewrite(folder: &tempfile::TempDir, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let stub = folder.path().join("esbmc");
    // Canaries are named after what is true of them.
    let script = format!("#!/bin/sh\ncase \"$*\" in --version) echo 'ESBMC version 0.0.1'; exit 0;; esac\n{script}\n");
    std::fs::write(&stub, script).unwrap();
    std::fs::set_permissions(&stub, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Answers to the canaries as a right solver gives them.
const RIGHT: &str = "\
holds() { echo '  PASSED       [main.assertion.1]  line 1  motif: same'; echo 'VERIFICATION SUCCESSFUL'; exit 0; }
fails() { echo '  FAILED       [main.assertion.1]  line 1  motif: same'; echo 'VERIFICATION FAILED'; exit 1; }
case \"$*\" in *_hold.*|*_holds.*) holds;; *canary-*) fails;; esac
";

/// Runs it; nothing is decided, and the reason says so.
#[track_caller]
fn nothing_comes_of(script: &str, warned: &str, why: &str) {
    let (project, _folder) = stubbed(script);
    let run = project.fuzz(&[&FUZZ[..], &["--decide-budget", "2s"]].concat());
    run.ends_with(0);
    assert!(run.stderr.contains(warned), "no `{warned}` in {}", run.stderr);
    let outcome = project.outcome();
    assert_eq!(outcome.status(DEAD), "killed");
    assert_eq!(outcome.status(LIVE), "live", "{}", outcome.reason(LIVE));
    assert!(outcome.mutants()[LIVE]["equivalence"].is_null());
    assert!(outcome.reason(LIVE).contains(why), "{}", outcome.reason(LIVE));
}

#[test]
fn a_solver_that_is_wrong_about_what_is_known_is_not_asked() {
    let lies = "echo '  PASSED       [main.assertion.1]  line 1  motif: same'; echo 'VERIFICATION SUCCESSFUL'";
    nothing_comes_of(lies, "esbmc 0.0.1 is wrong about what is known", "");
}

#[test]
fn a_solver_that_calls_a_dead_mutant_equivalent_is_not_believed_about_others() {
    let script = format!("{RIGHT}holds");
    nothing_comes_of(&script, "says that plain.mut.12.2", "esbmc 0.0.1 is wrong about plain.mut.12.2");
}

#[test]
fn without_a_search_a_claim_is_held_against_the_inputs_that_a_search_begins_with() {
    let (project, _folder) = stubbed(&format!("{RIGHT}holds"));
    let run = project.fuzz(&engine("symbolic", "2s"));
    run.ends_with(0);
    assert!(run.stderr.contains("warning[solver-wrong]") && run.stderr.contains("plain.mut.12.2"), "{}", run.stderr);
    let outcome = project.outcome();
    for id in [LIVE, DEAD] {
        assert_eq!(outcome.status(id), "live", "{}", outcome.reason(id));
        assert!(outcome.reason(id).contains("esbmc 0.0.1 is wrong about plain.mut.12.2"), "{}", outcome.reason(id));
    }
}

#[test]
fn a_run_that_was_cut_off_between_search_and_solver_asks_nothing_twice() {
    let (project, _folder) = stubbed(&format!("{RIGHT}echo 'ERROR: no idea'; exit 6"));
    // The half of a budget that comes first is all of it, where of two mutants one lives.
    std::fs::remove_file(project.root().join("mutants").join(DEAD)).unwrap();
    let hybrid = engine("hybrid", "5s");
    project.fuzz(&hybrid).ends_with(0);
    let reason = project.outcome().reason(LIVE).to_owned();
    assert!(reason.contains("ERROR: no idea"), "{reason}");
    let journal = project.root().join("motif.out/journal.jsonl");
    let asked = |line: &&str| line.starts_with("{\"event\":\"asked\"");
    let times = || std::fs::read_to_string(&journal).unwrap().lines().filter(asked).count();
    // As if it had been killed before the search went on.
    let text = std::fs::read_to_string(&journal).unwrap();
    let until: Vec<&str> = text.lines().take_while(|line| !line.starts_with("{\"event\":\"unit\"")).collect();
    let go_on = |engine: &[&str]| {
        std::fs::write(&journal, until.join("\n") + "\n").unwrap();
        assert_eq!(times(), 1, "{text}");
        project.fuzz(&[engine, &["--resume"]].concat()).ends_with(0);
        (times(), project.outcome().reason(LIVE).to_owned())
    };
    assert_eq!(go_on(&hybrid), (1, reason.clone()));
    // With more time it is worth another try.
    assert_eq!(go_on(&engine("hybrid", "6s")), (2, reason));
}

#[test]
fn a_solver_that_crashes_says_nothing() {
    nothing_comes_of(&format!("{RIGHT}kill -SEGV $$"), "", "undecided: esbmc 0.0.1: it ended with SIGSEGV");
}

#[test]
fn a_proof_of_a_solver_that_is_killed_in_the_middle_is_none() {
    let script =
        format!("{RIGHT}echo '  PASSED [m.1]  line 1  motif: same'; echo 'VERIFICATION SUCCESSFUL'; kill -KILL $$");
    nothing_comes_of(&script, "", "undecided: esbmc 0.0.1: no answer in");
}

#[test]
fn a_solver_without_memory_or_words_says_nothing() {
    let memory = format!("{RIGHT}echo 'ERROR: out of memory'; exit 6");
    nothing_comes_of(&memory, "", "undecided: esbmc 0.0.1: ERROR: out of memory");
    nothing_comes_of(&format!("{RIGHT}exit 0"), "", "undecided: esbmc 0.0.1: it gave no verdict");
}

#[test]
fn a_solver_that_takes_for_ever_is_ended() {
    nothing_comes_of(&format!("{RIGHT}while :; do :; done"), "", "undecided: esbmc 0.0.1: no answer in 2 s");
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_solver_that_prints_without_end_is_ended_and_its_words_are_not_kept() {
    nothing_comes_of(
        &format!("{RIGHT}while :; do echo VERIFICATION SUCCESSFUL; done"),
        "",
        "undecided: esbmc 0.0.1: no answer in",
    );
}

#[test]
fn a_difference_that_does_not_show_in_a_fresh_process_kills_nothing() {
    nothing_comes_of(&format!("{RIGHT}fails"), "", "do not show in a fresh process");
}

#[test]
fn where_no_solver_is_the_run_says_what_it_would_bring_and_asking_for_it_is_an_error() {
    let bare = path_without(|name| name == "esbmc");
    let (mut project, _folder) = stubbed("");
    project.environment.retain(|(name, _)| name != "MOTIF_SOLVER");
    project.environment.push(("PATH".into(), bare.path().display().to_string()));
    let run = project.fuzz(&["--budget", "300x", "--sanitizer", "none", "--decide", "solver"]);
    run.ends_with(3);
    project.fuzz(&engine("symbolic", "1s")).ends_with(3);
    project.fuzz(&engine("hybrid", "1s")).ends_with(3);
    assert!(run.stderr.contains("error[solver-missing]") && run.stderr.contains("setup-solver"), "{}", run.stderr);
    let run = project.fuzz(&["--budget", "300x", "--sanitizer", "none", "--decide-budget", "1s"]);
    run.ends_with(0);
    assert!(run.stderr.contains("the solver `esbmc` would"), "{}", run.stderr);
    let doctor = project.run(["doctor"]);
    assert!(doctor.stdout.contains("absent  esbmc") && doctor.stdout.contains("setup-solver"), "{}", doctor.stdout);
}

/// Functions of which the compiler reads one half, and the other has no mutant.
const TWO_WAYS: &str = include_str!("sources/two_ways/two_ways.c");

/// With these options of the compiler, no mutant of the file's functions that differs is called equivalent. Gives the
/// reasons of those that are alive, by function.
#[track_caller]
fn is_read_as_compiled(file: &str, options: &str, functions: &[&str]) -> Vec<(String, String)> {
    let Some(solver) = solver() else { return Vec::new() };
    let project = project(&solver, "solver");
    let header = "#define MODE 2\n#ifdef __OPTIMIZE__\n#define WEIGHT 3\n#else\n#define WEIGHT 1\n#endif\n";
    project.write("config.h", header);
    project.write(file, TWO_WAYS);
    let command = format!("cc {options} -c {file} -o a.o");
    let root = project.root().display().to_string();
    let command = serde_json::json!([{ "directory": root, "file": file, "command": command }]);
    project.write("build/compile_commands.json", &command.to_string());
    let (stem, extension) = file.split_once('.').unwrap();
    let rows = [
        ("pick", 3, "b * 2"),
        ("strict", 10, "b * 5"),
        ("undone", 17, "b * 9"),
        ("scaled", 24, "b * 4"),
        ("valued", 33, "(WEIGHT - 1)"),
    ];
    let mut ids = Vec::new();
    for (function, line, from) in rows.iter().filter(|(function, ..)| functions.contains(function)) {
        let id = format!("{stem}.mut.{line}.1.AOR.{function}.{extension}");
        let to = if from.starts_with('(') { "(1 - WEIGHT)" } else { "b * 3" };
        project.write(&format!("mutants/{id}"), &TWO_WAYS.replace(from, to));
        ids.push((*function, id));
    }
    project.fuzz(&engine("symbolic", "8s")).ends_with(0);
    let outcome = project.outcome();
    let mut alive = Vec::new();
    for (function, id) in ids {
        assert_ne!(outcome.status(&id), "equivalent", "{file} {options}: {}", outcome.mutants()[id.as_str()]);
        if outcome.status(&id) == "live" {
            alive.push((function.to_owned(), outcome.reason(&id).to_owned()));
        }
    }
    alive
}

#[test]
#[ignore = "a long run; make test-all"]
fn cxx_that_the_solver_would_read_otherwise_than_the_compiler_is_not_its_to_judge() {
    let functions = ["pick", "strict", "undone"];
    let alive = is_read_as_compiled("a.cpp", "-DSMALL -USMALL -std=gnu++17 -include config.h", &functions);
    assert_eq!(alive, [], "the solver is given what these options say");
    let alive = is_read_as_compiled("a.cpp", "-O2 -include config.h", &["scaled", "valued"]);
    assert!(alive.iter().all(|(_, why)| why.contains("is compiled otherwise for the solver")), "{alive:?}");
}

#[test]
fn macros_alone_of_a_file_are_not_overlooked() {
    let alive = is_read_as_compiled("a.cpp", "-imacros config.h", &["pick"]);
    assert!(alive.iter().all(|(_, why)| why.contains("a.cpp:3` is compiled otherwise for the solver")), "{alive:?}");
}

#[test]
#[ignore = "a long run; make test-all"]
fn c_that_an_optimiser_reads_otherwise_is_not_the_solvers_to_judge() {
    let alive = is_read_as_compiled("a.c", "-O2 -include config.h", &["scaled", "valued"]);
    assert!(alive.iter().all(|(_, why)| why.contains("is compiled otherwise for the solver")), "{alive:?}");
    assert!(is_read_as_compiled("a.c", "-include config.h -DSMALL -USMALL", &["pick", "undone"]).is_empty());
}
