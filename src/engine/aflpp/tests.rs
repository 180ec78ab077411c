//! AFL++ on a small C unit with mutants of every kind.

use super::*;
use crate::build::{AflFlavor, Builder, Compiler, Coverage, Libraries, Sanitizer};
use crate::compdb::CompileCommand;
use crate::engine::Side;
use crate::model::Language;
use crate::outcome::Home;
use crate::tools::{Surroundings, Toolchain};
use clap::ValueEnum;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const UNIT: &str = r#"
#include <stdlib.h>
int helper(int x);
static int calls;
#ifdef HOLDS_HEAP
static char *held;
#endif
int unit(int x, double y) {
  calls++;
#ifdef HOLDS_HEAP
  free(held);
  held = malloc(16 + 64 * calls);
#endif
  if (x == 77777) abort();
  return helper(x) + (y > 2.5);
}
"#;

const DRIVER: &str = r#"
#include "motif.h"
#include "unit.c"
#include <stdlib.h>
#include <string.h>
int motif_mutant;
void motif_set_mutant(int mutant) { motif_mutant = mutant; }
static int mut_unit(int x, double y) {
  calls++;
  switch (motif_mutant) {
  case 1: return helper(x) + (y > 2.5) + 1;
  case 2: return helper(x) + (y > 2.5) + (x > 100 && x % 7 == 3);
  case 3: return 0 + helper(x) + (y > 2.5);
  case 4: if (x > 9000) *(volatile int *)0 = 1; return helper(x) + (y > 2.5);
  case 5: while (x < -9000) calls = 3; return helper(x) + (y > 2.5);
  case 7: {
    /* What grows with each call of one process, and is no variable. */
    char grown[16] = "";
    if (getenv("GROWN")) strcpy(grown, getenv("GROWN"));
    if (strlen(grown) > 9) abort();
    setenv("GROWN", strcat(grown, "x"), 1);
    return helper(x) + (y > 2.5) + (x == 31337);
  }
  case 6: if (x > 12345) exit(0); return helper(x) + (y > 2.5);
  default: return helper(x) + (y > 2.5);
  }
}
static void drive(int (*side)(int, double), motif_input *in, motif_record *record) {
  int x;
  double y;
  motif_take(in, MOTIF_INT32, &x, sizeof x);
  motif_take(in, MOTIF_DOUBLE, &y, sizeof y);
  motif_enter(record);
  int result = side(x, y);
  motif_leave(record);
  motif_open(record, "return", MOTIF_OUTPUT);
  motif_value(record, MOTIF_INT32, &result, sizeof result);
  motif_close(record);
#ifdef RECORD_STATE
  motif_open(record, "calls", MOTIF_STATE);
  motif_value(record, MOTIF_INT32, &calls, sizeof calls);
  motif_close(record);
#endif
}
static void original(motif_input *in, motif_record *record) { drive(unit, in, record); }
#ifdef NO_COPY
const motif_unit motif_the_unit = {MOTIF_ABI, "unit(int, double)", 0, original, 0, 0};
#else
static void copy(motif_input *in, motif_record *record) { drive(mut_unit, in, record); }
const motif_unit motif_the_unit = {MOTIF_ABI, "unit(int, double)", 7, original, copy, 0};
#endif
"#;

struct Subject {
    root: tempfile::TempDir,
    tools: Toolchain,
    mode: AflMode,
    builder: Builder,
    commands: Vec<CompileCommand>,
}

impl Subject {
    /// `None`, with a message, if AFL++ is missing.
    fn new() -> Option<Self> {
        let tools = Toolchain::discover(&Surroundings::of_process());
        if tools.afl.as_ref().is_none_or(|afl| afl.clang.is_none()) {
            println!("skipped: AFL++ is not installed");
            return None;
        }
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = root.path().join(name);
            std::fs::write(&file, text).unwrap();
            file
        };
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
        for name in ["motif.h", "motif.c", "differences.c", "motif_internal.h", "motif_pattern.h", "confine.h"] {
            std::fs::copy(runtime.join(name), root.path().join(name)).unwrap();
        }
        let commands = [("unit.c", UNIT), ("helper.c", "int helper(int x) { return x ^ 5; }\n")].map(|(name, text)| {
            let (file, directory) = (write(name, text), root.path().to_path_buf());
            let (compiler, args) = ("cc".to_string(), vec!["-O2".to_string()]);
            CompileCommand { directory, file, language: Language::C, compiler, args, std: None }
        });
        write("driver.c", DRIVER);
        let builder = Builder::new(&tools, &root.path().join("cache"), 2, Arc::default()).unwrap();
        Some(Self { root, tools, mode: AflMode::File, builder, commands: commands.to_vec() })
    }

    /// Like [`Subject::new`], for inputs in memory.
    fn persistent() -> Option<Self> {
        Some(Self { mode: AflMode::Persistent, ..Self::new()? })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn program(&self, flavor: AflFlavor, name: &str, extra: &[&str], mutated: Option<&Path>) -> PathBuf {
        let driver = self.path("driver.c");
        let runtime = self.root.path();
        let mut extra: Vec<String> = extra.iter().map(|flag| flag.to_string()).collect();
        extra.push(format!("-I{}", runtime.display()));
        let original = &self.commands[0].file;
        let parts = Parts {
            driver: &driver,
            command: &self.commands[0],
            extra,
            commands: &self.commands,
            excluded: vec![original],
            libraries: &Libraries::default(),
            runtime,
            image: mutated.map(|mutated| Image { driver: &driver, original, mutated }),
            mode: self.mode,
        };
        let linked = program(&self.builder, flavor, &parts, &self.path(name)).unwrap().linked;
        assert_eq!(linked.unresolved, Vec::<String>::new());
        linked.path
    }

    fn search(&self, flavor: AflFlavor, unit: &Path, slots: Vec<Slot>, budget: &str, seeds: &[i32]) -> SearchResult {
        self.search_with(flavor, unit, slots, budget, seeds, &mut |_| Ok(Answer::Killed))
    }

    fn search_with(
        &self,
        flavor: AflFlavor,
        unit: &Path,
        slots: Vec<Slot>,
        budget: &str,
        seeds: &[i32],
        confirm: &mut Confirm<'_>,
    ) -> SearchResult {
        let bytes = |x: &i32| x.to_le_bytes().into_iter().chain(0f64.to_le_bytes()).collect();
        let job = SearchJob {
            unit_id: "unit(int, double)".into(),
            dir: self.path("search"),
            unit_so: unit.to_path_buf(),
            slots,
            seeds: seeds.iter().map(bytes).collect(),
            reused: 0,
            dictionary: Vec::new(),
            budget: budget.parse().unwrap(),
            pauses: Vec::new(),
            residual_risk: None,
            before: None,
            seed: 1,
            strict: false,
            fills: false,
            interrupted: &AtomicBool::new(false),
        };
        AflPlusPlus::new(&self.tools, flavor, self.mode).unwrap().search(&job, confirm).unwrap()
    }
}

fn slot(number: u32) -> Slot {
    Slot { number, id: format!("mutant {number}"), side: Side::COPY, probe: None }
}

fn killed(result: &SearchResult) -> Vec<usize> {
    result.kills.iter().map(|kill| kill.slot).collect()
}

#[test]
#[ignore = "compiles with LAF; make test-all"]
fn the_papers_best_configuration_kills_by_seed_and_by_search() {
    let Some(subject) = Subject::new() else { return };
    let program = subject.program(AflFlavor::BEST, "unit", &[], None);
    let slots = [1, 2, 4, 5, 6].map(slot).to_vec();
    let result = subject.search(AflFlavor::BEST, &program, slots, "30s", &[-1, 0, 1]);
    assert_eq!(killed(&result), [0, 1, 2, 3, 4], "{result:?}");
    let by: Vec<(By, How)> = result.kills.iter().map(|kill| (kill.by, kill.hint)).collect();
    assert_eq!(by[0], (By::Seed, How::Output));
    assert_eq!(by[1], (By::Search, How::Output));
    assert!(matches!(by[2], (By::Search, How::Crash | How::Sanitizer)), "{by:?}");
    assert_eq!(by[3], (By::Search, How::Hang));
    assert_eq!(by[4].0, By::Search);
    assert!(result.returned && !result.interrupted && !result.forked);
    // The cost of each until its kill, the running `afl-fuzz` included; together at most the whole.
    let own: Vec<f64> = result.effort.iter().filter_map(|effort| effort.cpu_seconds).collect();
    assert!(own.len() == 5 && own.iter().all(|seconds| *seconds > 0.0), "{own:?}");
    assert!(own[3] > 0.2, "{own:?}: a hang is found by letting it run");
    assert!(own.iter().sum::<f64>() <= result.cpu_seconds, "{own:?} of {}", result.cpu_seconds);
    let fell: Vec<f64> = result.kills.iter().map(|kill| kill.cpu_seconds).collect();
    assert!(fell.is_sorted() && fell[4] <= result.cpu_seconds, "{fell:?}");
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn a_mutant_that_lives_is_searched_until_its_budget_is_spent() {
    let Some(subject) = Subject::new() else { return };
    let program = subject.program(PLAIN, "unit", &[], None);
    let result = subject.search(PLAIN, &program, vec![slot(3)], "4s", &[-1, 0, 1]);
    // The rate of inputs is for `make bench` to measure.
    assert!(result.executions > 0 && result.kills.is_empty(), "{result:?}");
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn an_original_that_fails_is_a_suspected_fault_and_no_kill() {
    let Some(subject) = Subject::new() else { return };
    let flavor = AflFlavor { compiler: Compiler::Clang, sanitizer: Sanitizer::None, coverage: Coverage::Edge };
    let program = subject.program(flavor, "unit", &[], None);
    let result = subject.search(flavor, &program, vec![slot(3)], "300x", &[77777, 0]);
    assert_eq!(killed(&result), [0; 0]);
    assert_eq!(result.faults.iter().map(|fault| fault.what.as_str()).collect::<Vec<_>>(), ["SIGABRT"]);
    assert_eq!(result.faults[0].input[..4], 77777i32.to_le_bytes());
    assert!(result.effort[0].executions >= 300, "{result:?}");
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn refuted_candidates_leave_the_mutant_live_with_the_reason() {
    let Some(subject) = Subject::new() else { return };
    let flavor = AflFlavor { compiler: Compiler::Clang, sanitizer: Sanitizer::None, coverage: Coverage::Edge };
    let program = subject.program(flavor, "unit", &[], None);
    let refute = &mut |_: &Candidate| Ok(Answer::Refuted { reason: "not so".into(), whole_unit: true });
    let result = subject.search_with(flavor, &program, vec![slot(1), slot(2)], "5s", &[0], refute);
    assert_eq!(killed(&result), [0; 0]);
    let reasons: Vec<Option<&str>> = result.effort.iter().map(|effort| effort.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("not so"), Some("not so")]);
}

#[test]
fn a_unit_that_changes_global_state_runs_its_original_in_a_child() {
    let Some(subject) = Subject::new() else { return };
    let flavor = AflFlavor { compiler: Compiler::Clang, sanitizer: Sanitizer::None, coverage: Coverage::Edge };
    let program = subject.program(flavor, "unit", &["-DRECORD_STATE"], None);
    let result = subject.search(flavor, &program, vec![slot(1), slot(3)], "300x", &[0]);
    assert!(result.forked && result.changes_state && !result.copy_differs);
    assert_eq!(killed(&result), [0]);
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn a_mutant_that_no_copy_expresses_is_searched_through_its_image() {
    let Some(subject) = Subject::new() else { return };
    let flavor = AflFlavor { compiler: Compiler::Clang, sanitizer: Sanitizer::Address, coverage: Coverage::Edge };
    let mutated = subject.path("unit.mut.c");
    std::fs::write(&mutated, UNIT.replace("helper(x) + (y > 2.5)", "helper(x) + (y > 2.5) + (x == 41)")).unwrap();
    let program = subject.program(flavor, "image", &["-DNO_COPY", "-Wno-unused-function"], Some(&mutated));
    let image = Slot { number: 9, id: "image".into(), side: Side::of(Home::Image, program.clone()), probe: None };
    let result = subject.search(flavor, &program, vec![image.clone()], "20s", &[40, 42]);
    assert_eq!(killed(&result), [0], "{result:?}");
    assert_eq!(result.kills[0].input[..4], 41i32.to_le_bytes());
}

/// Clang, no sanitizer.
const PLAIN: AflFlavor = AflFlavor { compiler: Compiler::Clang, sanitizer: Sanitizer::None, coverage: Coverage::Edge };

#[test]
fn inputs_in_memory_kill_what_inputs_in_files_do() {
    let Some(subject) = Subject::persistent() else { return };
    let flavor = AflFlavor { sanitizer: Sanitizer::Address, ..PLAIN };
    let program = subject.program(flavor, "unit", &[], None);
    let slots = [1, 2, 4, 5, 6].map(slot).to_vec();
    let result = subject.search(flavor, &program, slots, "30s", &[-1, 0, 1]);
    assert_eq!(killed(&result), [0, 1, 2, 3, 4], "{result:?}");
    assert_eq!(result.notes, [""; 0]);
    let hints: Vec<How> = result.kills.iter().map(|kill| kill.hint).collect();
    assert_eq!(hints[3], How::Hang, "{hints:?}");
    assert!(matches!(hints[2], How::Crash | How::Sanitizer), "{hints:?}");
}

#[test]
fn variables_are_put_back_between_the_sides_and_the_inputs_of_one_process() {
    let Some(subject) = Subject::persistent() else { return };
    let program = subject.program(PLAIN, "unit", &["-DRECORD_STATE"], None);
    let result = subject.search(PLAIN, &program, vec![slot(1), slot(3)], "20000x", &[0]);
    assert!(result.changes_state && !result.forked && !result.copy_differs, "{result:?}");
    assert_eq!((killed(&result), result.notes.len()), (vec![0], 0), "{result:?}");
    assert!(result.effort[1].executions >= 20_000 && result.effort[1].reason.is_none(), "{result:?}");
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn a_unit_whose_variables_hold_memory_is_run_in_file_mode_and_says_so() {
    let Some(subject) = Subject::persistent() else { return };
    let program = subject.program(PLAIN, "unit", &["-DRECORD_STATE", "-DHOLDS_HEAP"], None);
    let result = subject.search(PLAIN, &program, vec![slot(1), slot(3)], "300x", &[0]);
    assert!(result.forked && result.effort[1].executions >= 300, "{result:?}");
    assert_eq!(killed(&result), [0], "{result:?}");
    assert!(matches!(&result.notes[..], [note] if note.contains("own heap memory")), "{:?}", result.notes);
}

#[test]
#[ignore = "in file mode each of thousands of inputs is a process; make test-all"]
fn a_mutant_that_crashes_only_behind_other_inputs_is_searched_on_in_file_mode() {
    let Some(subject) = Subject::persistent() else { return };
    let program = subject.program(PLAIN, "unit", &[], None);
    let result = subject.search(PLAIN, &program, vec![slot(7), slot(3)], "3000x", &[0]);
    assert_eq!(killed(&result), [0; 0], "{result:?}");
    assert!(matches!(&result.notes[..], [note] if note.starts_with("mutant 7")), "{:?}", result.notes);
    assert!(result.effort[0].executions >= 3000, "{result:?}");
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn an_image_is_searched_with_inputs_in_memory_as_well() {
    let Some(subject) = Subject::persistent() else { return };
    let mutated = subject.path("unit.mut.c");
    std::fs::write(&mutated, UNIT.replace("helper(x) + (y > 2.5)", "helper(x) + (y > 2.5) + (x == 41)")).unwrap();
    let flavor = PLAIN;
    let defined = ["-DNO_COPY", "-DRECORD_STATE", "-Wno-unused-function"];
    let program = subject.program(flavor, "image", &defined, Some(&mutated));
    let image = Slot { number: 9, id: "image".into(), side: Side::of(Home::Image, program.clone()), probe: None };
    let result = subject.search(flavor, &program, vec![image], "20s", &[40, 42]);
    assert_eq!((killed(&result), result.notes.len()), (vec![0], 0), "{result:?}");
    assert_eq!(result.kills[0].input[..4], 41i32.to_le_bytes());
}

#[test]
#[ignore = "a search by AFL++; make test-all"]
fn what_kills_one_mutant_meets_those_that_live() {
    let Some(subject) = Subject::new() else { return };
    let program = subject.program(PLAIN, "unit", &[], None);
    // Pretends that the first mutant's own search finds nothing.
    let confirm = &mut |candidate: &Candidate| {
        let refuted = Answer::Refuted { reason: "not so".into(), whole_unit: false };
        Ok(if (candidate.slot, candidate.by) == (0, By::Search) { refuted } else { Answer::Killed })
    };
    let result = subject.search_with(PLAIN, &program, vec![slot(4), slot(6)], "2000x", &[0], confirm);
    let by: Vec<(usize, By)> = result.kills.iter().map(|kill| (kill.slot, kill.by)).collect();
    assert_eq!(by, [(1, By::Search), (0, By::Reuse)], "{result:?}");
}

/// Builds and runs combinations of `compiler` and `sanitizer` with a coverage, the common ones in both modes;
/// combinations that do not exist are refused with their reason. With `MOTIF_TEST_ALL` in the environment these are all
/// combinations; else each sanitizer and each coverage once, and the papers' best of both.
fn every_coverage_of(compiler: Compiler, sanitizer: Sanitizer) {
    let Some(subject) = Subject::new() else { return };
    // LAF makes the optimiser take half a minute over the runtime; other tests wait for it.
    let builder = subject.builder.optimising_at_most(Duration::from_secs(2));
    let mut subject = Subject { builder, ..subject };
    for coverage in Coverage::value_variants() {
        let flavor = AflFlavor { compiler, sanitizer, coverage: *coverage };
        if let Err(problem) = flavor.check() {
            assert_eq!((problem.exit, compiler), (crate::diag::Exit::Usage, Compiler::Gcc), "{problem}");
            continue;
        }
        let usual = sanitizer == Sanitizer::None || matches!(coverage, Coverage::Edge);
        let best = (sanitizer, *coverage) == (Sanitizer::Address, Coverage::Laf);
        if !usual && !best && std::env::var_os("MOTIF_TEST_ALL").is_none() {
            continue;
        }
        let both = matches!(
            (sanitizer, coverage),
            (Sanitizer::None, Coverage::Edge)
                | (Sanitizer::Address, Coverage::Laf)
                | (Sanitizer::Memory, Coverage::Edge)
        );
        for mode in AflMode::value_variants().iter().filter(|mode| both || **mode == AflMode::File) {
            subject.mode = *mode;
            if let Err(problem) = AflPlusPlus::new(&subject.tools, flavor, *mode) {
                let plugin = compiler == Compiler::Gcc && *mode == AflMode::Persistent;
                assert!(plugin && problem.code == "afl-gcc-plugin", "{flavor:?} {mode}: {problem}");
                continue;
            }
            let program = subject.program(flavor, &format!("unit-{coverage}-{mode}"), &[], None);
            let result = subject.search(flavor, &program, vec![slot(1), slot(3)], "100x", &[-1, 0, 1]);
            assert_eq!((killed(&result), result.notes.len()), (vec![0], 0), "{flavor:?} {mode}: {result:?}");
            let lives = &result.effort[1];
            assert!(lives.executions >= 100 && lives.reason.is_none(), "{flavor:?} {mode}: {result:?}");
        }
    }
}

#[test]
#[ignore = "builds and searches once for each coverage of AFL++; make test-all"]
fn clang_without_a_sanitizer_searches_under_every_coverage() {
    every_coverage_of(Compiler::Clang, Sanitizer::None);
}

#[test]
#[ignore = "builds and searches once for each coverage of AFL++; make test-all"]
fn clang_with_the_address_sanitizer_searches_under_every_coverage() {
    every_coverage_of(Compiler::Clang, Sanitizer::Address);
}

#[test]
#[ignore = "builds and searches once for each coverage of AFL++; make test-all"]
fn clang_with_the_sanitizer_of_undefined_behaviour_searches_under_every_coverage() {
    every_coverage_of(Compiler::Clang, Sanitizer::Undefined);
}

#[test]
#[ignore = "builds and searches once for each coverage of AFL++; make test-all"]
fn clang_with_the_leak_sanitizer_searches_under_every_coverage() {
    every_coverage_of(Compiler::Clang, Sanitizer::Leak);
}

#[test]
#[ignore = "builds and searches once for each coverage of AFL++; make test-all"]
fn clang_with_the_memory_sanitizer_searches_under_every_coverage() {
    every_coverage_of(Compiler::Clang, Sanitizer::Memory);
}

#[test]
#[ignore = "builds and searches once for each coverage of AFL++; make test-all"]
fn gcc_searches_under_every_sanitizer_it_has() {
    let tools = Toolchain::discover(&Surroundings::of_process());
    if tools.afl.as_ref().is_some_and(|afl| afl.gcc().is_none()) {
        println!("skipped: AFL++ has no compiler for the installed gcc");
        return;
    }
    for sanitizer in Sanitizer::value_variants() {
        every_coverage_of(Compiler::Gcc, *sanitizer);
    }
}
