//! `testgen`: tests are written again from the kills of a run.

use crate::support::{Project, files_below};
use std::fs;
use std::process::Command;

#[test]
fn tests_are_written_again_from_the_stored_kills_and_only_where_nothing_is_lost() {
    let project = Project::sample("tpos");
    project.fuzz(&["T_TRACK_BitWidth", "--budget", "20000x", "--sanitizer", "none"]).ends_with(0);
    let (outcome, folder) = (project.outcome(), project.root().join("motif.out/tests"));
    let tests = files_below(&folder);
    assert!(tests.iter().any(|file| file.ends_with(".c")), "{tests:?}");
    let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let before: Vec<String> = tests.iter().map(|file| text(file)).collect();

    fs::remove_dir_all(&folder).unwrap();
    let run = project.run(["testgen", "-p", "build"]);
    run.ends_with(0);
    assert!(run.stderr.contains("proved: motif.out/tests"), "{}", run.stderr);
    assert_eq!(tests.iter().map(|file| text(file)).collect::<Vec<_>>(), before);
    assert_eq!(project.outcome().0, outcome.0, "the result is as it was");

    project.run(["testgen", "-p", "build", "--into", "regression"]).ends_with(0);
    let other = project.root().join("regression");
    assert_eq!(files_below(&other), tests);
    let lists = fs::read_to_string(other.join("CMakeLists.txt")).unwrap();
    assert!(!lists.contains("motif.out"), "{lists}");

    let sources = files_below(&project.root().join("src"));
    let refused = project.run(["testgen", "-p", "build", "--into", "src"]);
    refused.ends_with(2);
    assert!(refused.stderr.contains("output-taken"), "{}", refused.stderr);
    project.write("notes", "mine");
    let refused = project.run(["testgen", "-p", "build", "--into", "notes"]);
    refused.ends_with(2);
    assert!(refused.stderr.contains("it is no folder"), "{}", refused.stderr);
    project.run(["testgen", "-p", "build", "-o", "never"]).ends_with(2);
    assert!(!project.root().join("never").exists(), "nothing is left where no run was");
    assert_eq!(files_below(&project.root().join("src")), sources);
    project.run(["testgen", "-o", "nowhere"]).ends_with(2);
}

#[test]
#[ignore = "a long run; make test-all"]
fn units_become_fuzz_targets_that_build_and_run_on_their_corpora() {
    for (sample, unit) in [("tpos", "T_TRACK_BitWidth"), ("satellite", "*isAutonomous*")] {
        let project = Project::sample(sample);
        project.fuzz(&[unit, "--budget", "2000x", "--sanitizer", "none"]).ends_with(0);
        let tests = files_below(&project.root().join("motif.out/tests"));
        project.run(["testgen", "-p", "build", "--as-fuzz-target"]).ends_with(0);
        assert_eq!(files_below(&project.root().join("motif.out/tests")), tests, "{sample}: tests stay");
        let folder = project.root().join("motif.out/fuzz");
        let lists = fs::read_to_string(folder.join("targets.list")).unwrap();
        let name = lists.lines().find(|line| !line.starts_with('#')).unwrap().split(" | ").next().unwrap();
        let driver = files_below(&folder.join(name)).into_iter().find(|file| file.starts_with("driver.")).unwrap();
        let text = fs::read_to_string(folder.join(name).join(driver)).unwrap();
        assert!(!text.contains(project.root().to_str().unwrap()) && !text.contains("mut_copy"), "{text}");
        let ran = |command: &mut Command| {
            let output = command.current_dir(&folder).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{sample}: {}{said}", String::from_utf8_lossy(&output.stdout));
            said
        };
        ran(Command::new("cmake").args(["-B", "build", "-G", "Ninja"]));
        ran(Command::new("cmake").args(["--build", "build"]));
        let said =
            ran(Command::new(folder.join("build").join(name)).arg(folder.join(name).join("corpus")).arg("-runs=500"));
        assert!(said.contains("INITED cov: ") && said.contains("Done 500 runs"), "{said}");
    }
}
