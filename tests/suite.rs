//! The project's own tests against mutants, through one build with all of them: small CMake projects with suites of
//! their own, and mutants made by replacing text.

use motif_cpp::compdb::Database;
use motif_cpp::diag::{Exit, Problem};
use motif_cpp::model::Model;
use motif_cpp::mutant::made::{Change, Edit, Made, Standing};
use motif_cpp::mutate::suite::{Event, Project, SuiteOptions, SuiteReport, run};
use motif_cpp::parse::{self, ParseOptions};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A configured project with its mutants.
struct Subject {
    _folder: tempfile::TempDir,
    root: PathBuf,
    database: Database,
    model: Model,
    parse: ParseOptions,
    mutants: Vec<Made>,
    options: SuiteOptions,
}

impl Subject {
    /// The project of these files, configured by CMake into `build`.
    fn new(files: &[(&str, &str)]) -> Self {
        Self::configured(files, &["-DCMAKE_BUILD_TYPE=Debug"])
    }

    fn configured(files: &[(&str, &str)], arguments: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("motif-suite-").tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut cmake = Command::new("cmake");
        cmake.args(["-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]).args(arguments);
        let done = cmake.current_dir(&root).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let database = Database::load(None, &root).unwrap();
        let parse = ParseOptions {
            libclang: None,
            cache_dir: Some(root.join("motif.out/cache")),
            jobs: 2,
            root: root.clone(),
            only: None,
            self_exe: Some(env!("CARGO_BIN_EXE_motif-cpp").into()),
            namesakes: Default::default(),
        };
        let (model, problems) = parse::project(&database, &parse).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let options = SuiteOptions {
            test_command: "ctest --test-dir build".into(),
            build_command: None,
            timeout: None,
            jobs: 2,
            enough: None,
        };
        Self { _folder: folder, root, database, model, parse, mutants: Vec::new(), options }
    }

    /// Adds the mutant that has `new` in the place of `old`, which must be in `file` once.
    #[track_caller]
    fn mutant(&mut self, file: &str, old: &str, new: &str) -> usize {
        let path = self.root.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {file}");
        let start = text.find(old).unwrap();
        let function = self.model.function_at(&path, start as u32).unwrap_or_else(|| panic!("no function has `{old}`"));
        let edit = Edit { start: start as u32, end: (start + old.len()) as u32, text: new.into() };
        self.mutants.push(Made {
            id: format!("{file}.{}", self.mutants.len()),
            line: 1 + text[..start].matches('\n').count() as u32,
            column: 1,
            unit: function.usr.clone(),
            unit_id: function.id.clone(),
            change: Change { operator: "X".into(), edits: vec![edit] },
            file: path,
            standing: Standing::New,
            reason: None,
        });
        self.mutants.len() - 1
    }

    fn try_run(&mut self) -> anyhow::Result<SuiteReport> {
        self.run_until(&mut |_| ControlFlow::Continue(()))
    }

    fn run_until(&mut self, told: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>) -> anyhow::Result<SuiteReport> {
        self.run_with(&AtomicBool::new(false), told)
    }

    fn run_with(
        &mut self,
        interrupted: &AtomicBool,
        told: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> anyhow::Result<SuiteReport> {
        let output = self.root.join("motif.out");
        let ground =
            Project { root: &self.root, output: &output, database: &self.database, model: &self.model, interrupted };
        let which: Vec<usize> = (0..self.mutants.len()).collect();
        let mut trees = |file: &Path| {
            let command = self
                .database
                .command_of(file)
                .or_else(|| self.model.unit_of(file).and_then(|unit| self.database.command_of(&unit.main_file)));
            parse::trees(command.unwrap(), &[file.to_path_buf()], &self.database, &self.parse).unwrap()
        };
        run(&mut self.mutants, &which, &ground, &self.options, &mut trees, told)
    }

    fn run(&mut self) -> SuiteReport {
        let report = self.try_run().unwrap_or_else(|error| panic!("{error:#}"));
        for made in &self.mutants {
            eprintln!("{} {:?} {:?}", made.id, made.standing, made.reason);
        }
        eprintln!("{report:#?}");
        report
    }

    fn problem(&mut self) -> Problem {
        let error = self.try_run().expect_err("the run is refused");
        error.downcast::<Problem>().unwrap()
    }

    #[track_caller]
    fn is(&self, index: usize, standing: Standing, reason: &str) {
        let made = &self.mutants[index];
        let edit = &made.change.edits[0];
        let text = std::fs::read(&made.file).unwrap();
        let old = String::from_utf8_lossy(&text[edit.start as usize..edit.end as usize]).into_owned();
        assert_eq!(made.standing, standing, "`{old}` -> `{}`: {:?}", String::from_utf8_lossy(&edit.text), made.reason);
        assert!(made.reason.as_deref().unwrap_or_default().contains(reason), "{:?}", made.reason);
    }
}

const CMAKE: &str = include_str!("sources/suite/CMakeLists.txt");

const HEADER: &str = include_str!("sources/suite/calc.hpp");

const SOURCE: &str = include_str!("sources/suite/calc.cpp");

const CHECK: &str = include_str!("sources/suite/check.cpp");

const PLAIN: &str = "int plain(a, b) int a; int b; {\n  /* old */\n  int sum;\n  sum = a + b;\n  return sum;\n}";

fn calc() -> Subject {
    Subject::new(&[
        ("CMakeLists.txt", CMAKE),
        ("calc.hpp", HEADER),
        ("calc.cpp", SOURCE),
        (
            "crlf.cpp",
            "\u{feff}#include \"calc.hpp\"\r\nint carriage(int n)\r\n{\r\n  // ä\r\n  return n *\r\n    2;\r\n}\r\n",
        ),
        ("plain.c", PLAIN),
        ("check.cpp", CHECK),
    ])
}

#[test]
fn every_kind_of_function_is_switched_and_judged_by_the_tests() {
    use Standing::{KilledByTests, Live, Unbuildable};
    let mut it = calc();
    it.options.timeout = Some(Duration::from_secs(10));
    let expected = [
        ("calc.cpp", "int a = 1;", "int a = 2;", KilledByTests, "all fails"),
        ("calc.cpp", "a + __LINE__", "a - __LINE__", KilledByTests, "all fails"),
        ("calc.cpp", "i < n", "i <= n", KilledByTests, ""),
        ("calc.cpp", "i == 3", "i == 4", KilledByTests, ""),
        ("calc.cpp", "if (i == 3) continue;", ";", KilledByTests, ""),
        ("calc.cpp", "sum += i;", "sum -= i;", KilledByTests, ""),
        ("calc.cpp", "++i", "i += 2", KilledByTests, ""),
        ("calc.cpp", "sum > 100", "sum > 101", Live, ""),
        ("calc.cpp", "left = left - 1", "left = left - 0", KilledByTests, "longer than"),
        ("calc.cpp", "r += n;", "r -= n;", KilledByTests, ""),
        ("calc.cpp", "n > 0) {\n    r", "n >= 0) {\n    r", Live, ""),
        ("calc.cpp", "int r = 0;\nagain", "int r = 1;\nagain", KilledByTests, ""),
        ("calc.cpp", "return on ? 0 : *p", "return *p", KilledByTests, "all fails"),
        ("calc.cpp", "n * 2", "n / 2", Live, "no test reaches it"),
        ("calc.cpp", "n += 10", "n -= 10", KilledByTests, ""),
        ("calc.cpp", "default: n++;", "default: n--;", KilledByTests, ""),
        ("calc.cpp", "n + m", "n - m", KilledByTests, ""),
        ("calc.cpp", "calls++;", "calls--;", KilledByTests, ""),
        ("calc.cpp", "int calls = 0", "int calls = 1", KilledByTests, ""),
        ("calc.cpp", "n = n + 1", "n = n - 1", KilledByTests, ""),
        ("calc.cpp", "r += 2;", "r -= 2;", Live, ""),
        ("calc.cpp", "return n;\n}\nint lambdas", "return nothing;\n}\nint lambdas", Unbuildable, "nothing"),
        ("calc.hpp", "value > T()", "value >= T()", Live, ""),
        ("calc.hpp", "T sum = value;", "T sum = value + 1;", KilledByTests, ""),
        ("calc.hpp", "value < 0 ? 0", "value < 0 ? 1", KilledByTests, ""),
        ("calc.hpp", "width + 1", "width - 1", KilledByTests, ""),
        ("calc.hpp", "name + \"!\"", "name", KilledByTests, ""),
        ("calc.hpp", "value * value", "value / value", Unbuildable, ""),
        ("plain.c", "a + b", "a - b", KilledByTests, ""),
        ("crlf.cpp", "n *\r\n", "n +\r\n", KilledByTests, ""),
        ("crlf.cpp", "2;", "3;", KilledByTests, ""),
    ];
    for (file, old, new, _, _) in expected {
        it.mutant(file, old, new);
    }
    let before = std::fs::read(it.root.join("calc.cpp")).unwrap();
    let report = it.run();
    for (index, (_, _, _, standing, reason)) in expected.into_iter().enumerate() {
        it.is(index, standing, reason);
    }
    assert_eq!((report.unreached, report.timed_out, report.untried), (1, 1, 0));
    // The class-type initialiser, what a `case` leads into, the one that does not compile, and `constexpr`.
    assert!(report.built_alone <= 5, "{report:?}");
    assert_eq!(std::fs::read(it.root.join("calc.cpp")).unwrap(), before, "the user's files are left alone");
    let journal = std::fs::read_to_string(it.root.join("motif.out/suite/journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), expected.len());
}

const LIBRARY: &str = "int twice(int n) {\n  return n * 2;\n}\n";

/// One file, and a program whose exit code says whether it is right.
fn small(main: &str) -> Subject {
    let cmake = "cmake_minimum_required(VERSION 3.16)\nproject(small LANGUAGES C)\nenable_testing()\n\
                 add_executable(check lib.c check.c)\nadd_test(NAME check COMMAND check)\n";
    Subject::new(&[("CMakeLists.txt", cmake), ("lib.c", LIBRARY), ("check.c", main)])
}

const RIGHT: &str = "int twice(int);\nint main(void) { return twice(4) != 8; }\n";

#[test]
fn an_original_that_fails_its_tests_is_an_error_that_shows_the_log() {
    let mut it =
        small("#include <stdio.h>\nint twice(int);\nint main(void) { puts(\"seven\"); return twice(4) != 7; }\n");
    it.mutant("lib.c", "n * 2", "n + 2");
    it.options.test_command = "build/check".into();
    let problem = it.problem();
    assert_eq!((problem.code, problem.exit), ("suite-baseline", Exit::Usage));
    assert!(problem.what.contains("exit code 1") && problem.what.contains("| seven"), "{problem}");
    assert!(problem.file.unwrap().ends_with("suite/logs/baseline.log"));
    it.is(0, Standing::New, "");
}

#[test]
fn no_mutants_is_an_error() {
    let problem = small(RIGHT).problem();
    assert_eq!((problem.code, problem.exit), ("suite-empty", Exit::Usage));
}

#[test]
fn a_command_that_tests_something_else_is_an_error() {
    let mut it = small(RIGHT);
    it.mutant("lib.c", "n * 2", "n + 2");
    it.options.test_command = format!("ctest --test-dir {}/build", it.root.display());
    assert_eq!(it.problem().code, "suite-original");
    // Found only when it runs: it passes, whatever is built.
    for command in ["true", "env -i build/check"] {
        it.options.test_command = command.into();
        assert_eq!(it.problem().code, "suite-untouched", "{command}");
    }
    it.is(0, Standing::New, "");
}

#[test]
fn a_command_that_tests_something_else_is_an_error_even_if_nothing_can_be_switched() {
    let mut it = small(RIGHT);
    it.mutant("lib.c", "n * 2", "n + nothing");
    it.options.test_command = "true".into();
    assert_eq!(it.problem().code, "suite-untouched");
}

#[test]
fn an_interruption_keeps_what_was_found() {
    let mut it = small(RIGHT);
    for n in 3..12 {
        it.mutant("lib.c", "n * 2", &format!("n * {n}"));
    }
    let interrupted = AtomicBool::new(false);
    let mut told = |event: Event<'_>| {
        if matches!(event, Event::Judged { .. }) {
            interrupted.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    };
    let report = it.run_with(&interrupted, &mut told).unwrap();
    assert!(report.interrupted && report.killed >= 1 && report.killed + report.untried == 9, "{report:?}");
    let journal = std::fs::read_to_string(it.root.join("motif.out/suite/journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), report.killed);
}

#[test]
fn a_build_that_is_not_known_must_be_said() {
    let mut it = small(RIGHT);
    it.mutant("lib.c", "n * 2", "n + 2");
    it.mutant("lib.c", "return n * 2;", "return 8;");
    std::fs::remove_file(it.root.join("build/CMakeCache.txt")).unwrap();
    assert_eq!(it.problem().code, "suite-build-unknown");
    let make = "all: check\nlib.o: lib.c\n\t$(CC) -Wall -Wextra -Werror -std=c99 -pedantic-errors -c -o $@ lib.c\n\
                check: lib.o check.c\n\t$(CC) -o $@ lib.o check.c\n";
    std::fs::write(it.root.join("Makefile"), make).unwrap();
    it.options.build_command = Some("make".into());
    it.options.test_command = "./check".into();
    it.run();
    it.is(0, Standing::KilledByTests, "exit code 1");
    it.is(1, Standing::Live, "");
}

#[test]
fn a_build_that_fails_is_an_error_that_shows_the_log() {
    let mut it = small("int twice(int);\nint main(void) { return missing(4); }\n");
    it.mutant("lib.c", "n * 2", "n + 2");
    let problem = it.problem();
    assert_eq!((problem.code, problem.exit), ("suite-build", Exit::Usage));
    assert!(problem.what.contains("missing"), "{problem}");
}

#[test]
fn whoever_is_told_may_stop_and_hears_in_order() {
    let mut it = small(RIGHT);
    for n in 3..12 {
        it.mutant("lib.c", "n * 2", &format!("n * {n}"));
    }
    it.options.enough = Some(2);
    let mut heard = Vec::new();
    let report = it.run_until(&mut |event| match event {
        Event::Judged { index, standing, .. } => {
            assert_eq!(standing, Standing::KilledByTests);
            heard.push(index);
            if heard.len() == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    });
    let report = report.unwrap();
    assert_eq!(heard, [0, 1, 2, 3]);
    assert_eq!((report.killed, report.untried, report.builds), (4, 5, 2));
    it.is(5, Standing::New, "");
}

#[test]
fn mutants_that_disturb_the_original_by_their_presence_get_builds_of_their_own() {
    // The program looks at its own source.
    let source = "int twice(int n) {\n  return n * 2;\n}\nint once(int n) {\n  return n + 0;\n}\n";
    let cmake =
        "cmake_minimum_required(VERSION 3.16)\nproject(small LANGUAGES C)\nadd_executable(check lib.c check.c)\n";
    let main = "#include <stdio.h>\n#include <string.h>\nint twice(int); int once(int);\n\
                int main(void) { char line[200]; FILE *f = fopen(\"lib.c\", \"r\"); int bad = 0;\n\
                while (fgets(line, sizeof line, f)) bad |= strstr(line, \"return n + 1\") != 0;\n\
                fclose(f); return bad || twice(4) != 8 || once(3) != 3; }\n";
    let mut it = Subject::new(&[("CMakeLists.txt", cmake), ("lib.c", source), ("check.c", main)]);
    it.options.test_command = "build/check".into();
    it.mutant("lib.c", "n * 2", "n + 2");
    it.mutant("lib.c", "n + 0", "n + 1");
    it.mutant("lib.c", "n + 0", "n - 0");
    it.mutant("lib.c", "return n * 2;", "return 8;");
    let report = it.run();
    for (index, standing) in
        [Standing::KilledByTests, Standing::KilledByTests, Standing::Live, Standing::Live].iter().enumerate()
    {
        it.is(index, *standing, "");
    }
    assert_eq!(report.built_alone, 1, "only the one that disturbs");
}

#[test]
fn what_a_mutant_leaves_behind_does_not_kill_the_next() {
    // A wrong result is written down, and from then on the tests fail.
    let main = include_str!("sources/suite/leaves_a_file.c");
    let mut it = small(main);
    it.options.test_command = "build/check".into();
    it.options.jobs = 1;
    it.mutant("lib.c", "n * 2", "n * 3");
    it.mutant("lib.c", "n * 2", "n + n");
    it.mutant("lib.c", "n * 2", "n * 4");
    it.mutant("lib.c", "n * 2", "n * 5");
    it.mutant("lib.c", "n * 2", "n << 1");
    it.run();
    let standings: Vec<Standing> = it.mutants.iter().map(|made| made.standing).collect();
    let (killed, live) = (Standing::KilledByTests, Standing::Live);
    assert_eq!(standings, [killed, live, killed, killed, live]);
    assert!(it.mutants.iter().all(|made| !made.reason.as_deref().unwrap_or_default().contains("code 3")));
}

#[test]
fn a_file_that_is_included_within_a_class_is_built_as_it_is() {
    let inc = "int twice(int n) const {\n  return n * 2;\n}\n";
    let source =
        "struct Twice {\n#include \"twice.inc\"\n};\nextern \"C\" int twice(int n) {\n  return Twice().twice(n);\n}\n";
    let cmake =
        "cmake_minimum_required(VERSION 3.16)\nproject(small LANGUAGES C CXX)\nadd_executable(check lib.cpp check.c)\n";
    let mut it =
        Subject::new(&[("CMakeLists.txt", cmake), ("twice.inc", inc), ("lib.cpp", source), ("check.c", RIGHT)]);
    it.options.test_command = "build/check".into();
    it.mutant("twice.inc", "n * 2", "n + 2");
    it.mutant("lib.cpp", "twice(n)", "twice(n + 1)");
    let report = it.run();
    it.is(0, Standing::KilledByTests, "");
    it.is(1, Standing::KilledByTests, "");
    assert_eq!(report.built_alone, 1);
}

#[test]
#[ignore = "a long run; make test-all"]
fn googletest_stops_at_the_first_failure_which_is_named() {
    let cmake = "cmake_minimum_required(VERSION 3.16)\nproject(small LANGUAGES C CXX)\nfind_package(GTest REQUIRED)\n\
                 add_executable(check lib.c check.cpp)\ntarget_link_libraries(check GTest::gtest_main)\n";
    let test = "#include <gtest/gtest.h>\nextern \"C\" int twice(int);\n\
                TEST(Twice, Zero) { EXPECT_EQ(twice(0), 0); }\nTEST(Twice, Four) { EXPECT_EQ(twice(4), 8); }\n\
                TEST(Twice, Loops) { if (twice(4) != 8) for (;;) {} }\n";
    let mut it = Subject::new(&[("CMakeLists.txt", cmake), ("lib.c", LIBRARY), ("check.cpp", test)]);
    it.options.test_command = "build/check".into();
    it.mutant("lib.c", "n * 2", "n + n + (n > 0)");
    it.run();
    it.is(0, Standing::KilledByTests, "Twice.Four fails");
}
