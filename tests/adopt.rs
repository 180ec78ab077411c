//! `adopt`: proved tests in the project's own test tree and its build.

use crate::support::{Project, Run, takes_all};
use std::fs;
use std::path::Path;
use std::process::Command;

const FILES: [(&str, &str); 5] = [
    ("CMakeLists.txt", include_str!("sources/adopt/CMakeLists.txt")),
    ("src/clock.hpp", include_str!("sources/adopt/src/clock.hpp")),
    ("src/clock.cpp", include_str!("sources/adopt/src/clock.cpp")),
    ("test/CMakeLists.txt", include_str!("sources/adopt/test/CMakeLists.txt")),
    ("test/clock_test.cpp", include_str!("sources/adopt/test/clock_test.cpp")),
];
const BUDGET: [&str; 9] =
    ["fuzz", "-p", "build", "--file", "src/clock.cpp", "--budget", "20000x", "--sanitizer", "none"];

/// So many mutants of the clock, some in each function; all of them in `make test-all`.
fn some() -> &'static [&'static str] {
    if takes_all() { &[] } else { &["--sample", "12"] }
}

/// A project whose mutants have fallen.
fn searched() -> Project {
    let project = Project::new();
    for (file, text) in FILES {
        project.write(file, text);
    }
    project.configure();
    project.run(BUDGET.iter().chain(some())).ends_with(0);
    project
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let output = Command::new("git").args(who).args(arguments).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether the project's own tests pass.
fn passes(project: &Project) -> bool {
    project.configure();
    let build = Command::new("cmake").args(["--build", "build"]).current_dir(project.root()).output().unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stdout));
    Command::new("ctest").args(["--test-dir", "build"]).current_dir(project.root()).output().unwrap().status.success()
}

fn adopted(project: &Project) -> Vec<String> {
    let ours = |name: &String| name.ends_with("_test.cpp") && name != "clock_test.cpp";
    let mut files: Vec<String> = crate::support::files_below(&project.root().join("test"));
    files.retain(ours);
    files
}

#[test]
fn tests_are_adopted_once_kept_where_edited_updated_on_demand_and_removed_when_superfluous() {
    let project = searched();
    let adopt = |more: &[&str]| project.run(["adopt", "--into", "test"].iter().chain(more));
    fs::remove_dir_all(project.root().join("build/CMakeFiles")).unwrap();
    git(project.root(), &["init", "-q"]);
    fs::write(project.root().join(".gitignore"), "build/\nmotif.out/\n").unwrap();
    git(project.root(), &["add", "-A"]);
    git(project.root(), &["commit", "-qm", "x"]);

    // A patch that git takes, and nothing else.
    let patch = adopt(&["--dry-run", "--requirement", "R-7"]);
    patch.ends_with(0);
    assert_eq!(git(project.root(), &["status", "--porcelain"]), "");
    let file = project.root().join("motif.out/adopt.patch");
    fs::write(&file, &patch.stdout).unwrap();
    git(project.root(), &["apply", "--check", "motif.out/adopt.patch"]);

    adopt(&["--requirement", "R-7", "--reviewed-by", "A. Person */"]).ends_with(0);
    let files = adopted(&project);
    assert!(!files.is_empty());
    let lists = project.read("test/CMakeLists.txt");
    for file in &files {
        assert!(lists.contains(&format!("\n  {file}\n")) || lists.contains(&format!("\n  {file}  #")), "{lists}");
        let text = project.read(format!("test/{file}"));
        assert!(text.contains("#include \"gtest/gtest.h\"\n") && text.contains("#include \"clock.hpp\"\n"), "{text}");
        assert_eq!(text.matches("// Requirement: R-7\n").count(), text.matches("\nTEST(").count(), "{text}");
        assert!(text.contains("// Reviewed by: A. Person * /\nTEST("), "{text}");
    }
    assert!(passes(&project));
    let outcome = project.outcome();
    let killed: Vec<&str> = outcome.mutants().into_keys().filter(|id| outcome.verified(id)).collect();
    // Each is a build of the project: one is enough to see that its own tests fail now, all were proved before.
    for id in if takes_all() { &killed[..] } else { &killed[..1] } {
        project.write("src/clock.cpp", &project.read(format!("motif.out/mutants/{id}")));
        assert!(!passes(&project), "{id} lives");
    }
    project.write("src/clock.cpp", FILES[2].1);

    // What is there stays as it is.
    git(project.root(), &["add", "-A"]);
    git(project.root(), &["commit", "-qm", "adopted"]);
    let again = adopt(&[]);
    again.ends_with(0);
    assert!(again.stderr.contains("0 tests are adopted"), "{}", again.stderr);
    assert_eq!(git(project.root(), &["status", "--porcelain"]), "");

    // The code changes, and with it what a test expects: shown, and written when that is accepted.
    project.write("src/clock.cpp", &FILES[2].1.replace("return -1", "return -2"));
    project.run(BUDGET.iter().chain(some())).ends_with(0);
    let shown = adopt(&[]);
    shown.ends_with(0);
    assert!(shown.stderr.contains("--update") && shown.stderr.contains("-2"), "{}", shown.stderr);
    let before = git(project.root(), &["status", "--porcelain", "test"]);
    // (Tests that are not written again fall to those that are, and expect what the code no longer does.)
    adopt(&["--update", "--prune"]).ends_with(0);
    assert_ne!(git(project.root(), &["status", "--porcelain", "test"]), before);
    assert!(passes(&project));
    let hour = files.iter().find(|file| file.contains("hour")).unwrap();
    let updated = project.read(format!("test/{hour}"));
    assert!(updated.contains("-2") && updated.contains("// Requirement: R-7"), "{updated}");

    // An edit is never overwritten.
    let edited = format!("{updated}\n// Mine.\n");
    project.write(&format!("test/{hour}"), &edited);
    project.write("src/clock.cpp", FILES[2].1);
    project.run(BUDGET.iter().chain(some())).ends_with(0);
    let kept = adopt(&["--update", "--prune"]);
    kept.ends_with(0);
    assert!(kept.stderr.contains("was edited since it was adopted"), "{}", kept.stderr);
    assert_eq!(project.read(format!("test/{hour}")), edited);
    project.write(&format!("test/{hour}"), &updated);

    // The mutants of a function are gone.
    project.write("src/clock.cpp", &FILES[2].1.replace("minutes_ / 60", "static_cast<int>(minutes_ / 60.0)"));
    let replaced = FILES[2]
        .1
        .replace("if (minutes_ < 0 || minutes_ >= 1440) return -1;\n  return minutes_ / 60;", "return minutes_ + 7;");
    project.write("src/clock.cpp", &replaced);
    project.run(BUDGET.iter().chain(some())).ends_with(0);
    let told = adopt(&[]);
    assert!(told.stderr.contains("superfluous") && told.stderr.contains("`--prune`"), "{}", told.stderr);
    adopt(&["--prune"]).ends_with(0);
    assert!(!project.root().join("test").join(hour).exists());
    assert!(!project.read("test/CMakeLists.txt").contains(&format!("{hour}\n")));
}

#[test]
fn what_can_not_be_adopted_is_refused_and_nothing_is_written() {
    let project = Project::new();
    for (file, text) in FILES {
        project.write(file, text);
    }
    project.configure();
    let told = |run: &Run, words: &[&str]| {
        run.ends_with(2);
        words.iter().for_each(|word| assert!(run.stderr.contains(word), "`{word}`: {}", run.stderr));
    };
    let refuses = |arguments: &[&str], words: &[&str]| told(&project.run(arguments), words);
    project.run(["adopt", "--into", "test"]).ends_with(2);
    project.run(BUDGET.iter().chain(&["--sample", "6", "--unit", "Clock::hour"])).ends_with(0);
    refuses(&["adopt", "--into", "test", "Clock.None"], &["test-unknown", "`Clock.None`"]);
    refuses(&["adopt", "--into", "/"], &["adopt-into", "not in the project"]);
    refuses(&["adopt", "--into", "motif.out/tests"], &["adopt-into", "output folder"]);
    refuses(&["adopt", "--into", "CMakeLists.txt"], &["adopt-into", "is a file"]);
    // No file may grow, as in a tree that is read-only.
    let full = project.run_with_small_files(0, ["adopt", "--into", "test"]);
    told(&full, &["adopt-unwritable", "`--dry-run`"]);
    assert!(adopted(&project).is_empty());
    // The tests there are in another framework.
    project.write("test/clock_test.cpp", "#include <doctest/doctest.h>\n");
    refuses(&["adopt", "--into", "test"], &["framework-differs", "testgen --framework doctest"]);
    project.write("test/clock_test.cpp", FILES[4].1);
    // A ledger that is none.
    project.write("motif-adopted.yaml", "- file: 7\n  what: x\n");
    refuses(&["adopt", "--into", "test"], &["adopted-invalid"]);
    fs::remove_file(project.root().join("motif-adopted.yaml")).unwrap();
    // A test of the run that somebody has removed.
    fs::remove_dir_all(project.root().join("motif.out/tests")).unwrap();
    refuses(&["adopt", "--into", "test"], &["tests-missing", "motif-cpp testgen"]);
}

/// A folder of tests in a framework: its CMake file, the source with the `main`, and a test.
struct Folder {
    framework: &'static str,
    lists: &'static str,
    main: &'static str,
    test: (&'static str, &'static str),
    /// What the adopted files are called.
    named: [&'static str; 2],
}

const FOLDERS: [Folder; 4] = [
    Folder {
        framework: "catch2",
        lists: "find_package(Catch2 REQUIRED)\nadd_executable(own main.cpp\n  test_clock.cpp)\n\
                target_link_libraries(own clock Catch2::Catch2)\n",
        main: "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n",
        test: (
            "test_clock.cpp",
            "#include <catch2/catch.hpp>\n#include \"clock.hpp\"\nTEST_CASE(\"a clock stands\", \"[clock]\") {\n  \
             CHECK(Clock(90).minutes() == 90);\n}\n",
        ),
        named: ["test_", ".cpp"],
    },
    Folder {
        framework: "doctest",
        lists: "find_package(doctest REQUIRED)\nfile(GLOB sources *.cpp)\nadd_executable(own ${sources})\n\
                target_link_libraries(own clock doctest::doctest)\n",
        main: "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n",
        test: (
            "clock_tests.cpp",
            "#include <doctest/doctest.h>\n#include \"clock.hpp\"\nTEST_CASE(\"a clock stands\") {\n  \
             CHECK(Clock(90).minutes() == 90);\n}\n",
        ),
        named: ["Clock_", "_tests.cpp"],
    },
    Folder {
        framework: "boost",
        lists: "find_package(Boost REQUIRED COMPONENTS unit_test_framework)\nset(TESTS main.cpp ClockTest.cpp)\n\
                add_executable(own ${TESTS})\ntarget_compile_definitions(own PRIVATE BOOST_TEST_DYN_LINK)\n\
                target_link_libraries(own clock Boost::unit_test_framework)\n",
        main: "#define BOOST_TEST_MODULE clock\n#include <boost/test/unit_test.hpp>\n",
        test: (
            "ClockTest.cpp",
            "#include <boost/test/unit_test.hpp>\n#include \"clock.hpp\"\nBOOST_AUTO_TEST_CASE(a_clock_stands) {\n  \
             BOOST_TEST(Clock(90).minutes() == 90);\n}\n",
        ),
        named: ["Clock_", "Test.cpp"],
    },
    Folder {
        framework: "cpputest",
        // (Beside another program, which has a clock of its own and more tests.)
        lists: "add_executable(own main.cpp clock_test.cpp)\ntarget_link_libraries(own clock CppUTest)\n\
                add_executable(other main.cpp a_test.cpp b_test.cpp)\n\
                target_include_directories(other PRIVATE other)\ntarget_link_libraries(other CppUTest)\n",
        main: "#include <CppUTest/CommandLineTestRunner.h>\nint main(int argc, char **argv) {\n  \
               return RUN_ALL_TESTS(argc, argv);\n}\n",
        test: (
            "clock_test.cpp",
            "#include \"clock.hpp\"\n#include <CppUTest/TestHarness.h>\nTEST_GROUP(Clock) {};\n\
             TEST(Clock, stands) {\n  LONGS_EQUAL(90, Clock(90).minutes());\n}\n",
        ),
        named: ["Clock_", "_test.cpp"],
    },
];

#[test]
#[ignore = "a long run; make test-all"]
fn in_each_framework_adopted_tests_join_the_program_that_is_there() {
    // Of the four folders, two tell most: one with a single source, one with another program in it.
    let chosen =
        FOLDERS.into_iter().filter(|folder| takes_all() || ["doctest", "cpputest"].contains(&folder.framework));
    for Folder { framework, lists, main, test: (name, test), named } in chosen {
        let project = Project::new();
        for (file, text) in &FILES[..3] {
            project.write(file, text);
        }
        let folder = [("CMakeLists.txt", &*format!("{lists}add_test(NAME own COMMAND own)\n")), ("main.cpp", main)];
        let other = "#include \"clock.hpp\"\n#include <CppUTest/TestHarness.h>\n";
        let others = [("other/clock.hpp", ""), ("a_test.cpp", other), ("b_test.cpp", other)];
        let others = others.into_iter().filter(|_| framework == "cpputest");
        for (file, text) in folder.into_iter().chain([(name, test)]).chain(others) {
            project.write(&format!("test/{file}"), text);
        }
        project.configure();
        project.run(BUDGET.iter().chain(&["--sample", "12"])).ends_with(0);
        project.run(["adopt", "--into", "test"].iter()).ends_with(0);
        let files = crate::support::files_below(&project.root().join("test"));
        let [before, behind] = named;
        let ours: Vec<_> =
            files.iter().filter(|file| file.starts_with(before) && file.ends_with(behind) && *file != name).collect();
        assert_eq!(ours.len(), 2, "{framework}: {files:?}");
        assert!(passes(&project), "{framework}");
        let outcome = project.outcome();
        let most = if takes_all() { 3 } else { 1 };
        for id in outcome.mutants().into_keys().filter(|id| outcome.verified(id)).take(most) {
            project.write("src/clock.cpp", &project.read(format!("motif.out/mutants/{id}")));
            assert!(!passes(&project), "{framework}: {id} lives");
        }
        project.write("src/clock.cpp", FILES[2].1);
        let again = project.run(["adopt", "--into", "test"].iter());
        again.ends_with(0);
        assert!(again.stderr.contains("0 tests are adopted"), "{framework}: {}", again.stderr);
        // What was adopted is no other source than the run had; whatever else changes is.
        if framework == "doctest" {
            project.run(["testgen", "-p", "build"]).ends_with(0);
            project.write("src/clock.cpp", &FILES[2].1.replace("return -1", "return -2"));
            let refused = project.run(["testgen", "-p", "build"]);
            refused.ends_with(2);
            for word in ["run-differs", "motif.out", "clock.cpp has changed", "motif-cpp fuzz"] {
                assert!(refused.stderr.contains(word), "{word}: {}", refused.stderr);
            }
        }
    }
}
