//! `review`: generated drivers under version control.

use crate::support;
use crate::support::{Project, Run};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;
use std::process::{Command, Stdio};

const SOURCE: &str = include_str!("sources/review/battery.cpp");
const CELL: &str = include_str!("sources/review/cell.hpp");

fn project() -> Project {
    let project = Project::of(&[("battery.cpp", SOURCE), ("cell.hpp", CELL)]);
    project.database(&["battery.cpp"]);
    project
}

fn review(project: &Project, more: &[&str]) -> Run {
    project.run(["review", "-p", "build"].iter().chain(more).copied())
}

/// Every file below a folder with its text.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for name in support::files_below(folder) {
        found.insert(name.clone(), std::fs::read_to_string(folder.join(name)).unwrap());
    }
    found
}

#[test]
fn without_anything_accepted_there_is_nothing_to_review() {
    let project = project();
    let run = review(&project, &[]);
    run.ends_with(2);
    assert!(run.stderr.contains("error[review-nothing]") && run.stderr.contains("--accept"), "{}", run.stderr);
}

#[test]
fn what_is_accepted_is_as_accepted_until_the_code_changes() {
    let project = project();
    // Not accepted yet: in CI that is a difference.
    let run = review(&project, &["sat::Battery::drain"]);
    run.ends_with(1);
    assert!(run.stdout.contains("--- /dev/null\n+++ b/snapshots/sat_Battery_drain/TestUtil.hpp"), "{}", run.stdout);
    assert!(!project.root().join("snapshots").exists());
    review(&project, &["sat::Battery::*", "--accept"]).ends_with(0);
    let run = review(&project, &[]);
    run.ends_with(0);
    assert!(run.stdout.is_empty() && run.stderr.contains("3 drivers, all as accepted"), "{}{}", run.stdout, run.stderr);

    project.write("cell.hpp", &CELL.replace("int number;", "int number; double age;"));
    let run = review(&project, &[]);
    run.ends_with(1);
    for part in [
        "# sat::Battery::load(const Cell &)",
        "+    cell.age = in.take<double>();",
        "--- a/snapshots/sat_Battery_load/TestUtil.hpp",
    ] {
        assert!(run.stdout.contains(part), "no `{part}` in\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("sat_Battery_drain"), "{}", run.stdout);
    // Only what is named is accepted.
    review(&project, &["sat::Battery::drain", "--accept"]).ends_with(0);
    review(&project, &[]).ends_with(1);
    review(&project, &["sat::Battery::load", "--accept"]).ends_with(0);
    review(&project, &[]).ends_with(0);
}

#[test]
fn a_rejected_change_stays_a_difference_and_is_said_to_be_rejected() {
    let project = project();
    review(&project, &["--all", "--accept"]).ends_with(0);
    let before = tree(&project.root().join("snapshots"));
    project.write("cell.hpp", &CELL.replace("int number;", "int number; double age;"));
    review(&project, &["--reject"]).ends_with(0);
    let run = review(&project, &[]);
    run.ends_with(1);
    assert!(run.stderr.contains("was rejected before"), "{}", run.stderr);
    let mut after = tree(&project.root().join("snapshots"));
    assert_eq!(after.remove("sat_Battery_load/.rejected").map(|text| text.len()), Some(17));
    assert_eq!(before, after);
    // The edited utility class brings the driver back to what is wanted.
    project.run(["scaffold", "-p", "build", "sat::Battery::load"]).ends_with(0);
    project.write("utility-overrides/sat_Battery_load.hpp", &before["sat_Battery_load/TestUtil.hpp"]);
    review(&project, &[]).ends_with(0);
}

#[test]
fn a_unit_that_is_gone_or_renamed_is_shown_and_its_files_follow() {
    let project = project();
    review(&project, &["--all", "--accept"]).ends_with(0);
    project.write(
        "battery.cpp",
        &SOURCE
            .replace("double drain(double by)", "double drain(int) { return 0; }\n  double drain(double by)")
            .replace("halved", "quartered"),
    );
    let run = review(&project, &[]);
    run.ends_with(1);
    assert!(
        run.stdout.contains("# snapshots/sat_Battery_drain would become snapshots/sat_Battery_drain_"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("# would not be generated: there is no such unit any more"), "{}", run.stdout);
    review(&project, &["--accept"]).ends_with(0);
    assert!(!project.root().join("snapshots/sat_halved").exists());
    assert!(!project.root().join("snapshots/sat_Battery_drain").exists());
    review(&project, &[]).ends_with(0);
    // New units are not looked at until they are named, or all are.
    review(&project, &["--all"]).ends_with(1);
}

#[test]
fn what_others_keep_in_the_folder_is_left_alone() {
    let project = project();
    project.write("snapshots/ours.snap", "mine\n");
    project.write("snapshots/pictures/a.txt", "mine\n");
    review(&project, &["--all", "--accept"]).ends_with(0);
    assert_eq!(project.read("snapshots/ours.snap"), "mine\n");
    assert_eq!(project.read("snapshots/pictures/a.txt"), "mine\n");
}

#[test]
fn an_edited_utility_class_is_what_is_reviewed() {
    let project = project();
    project.run(["scaffold", "-p", "build", "sat::Battery::drain"]).ends_with(0);
    review(&project, &["sat::Battery::drain", "--accept"]).ends_with(0);
    let path = "utility-overrides/sat_Battery_drain.hpp";
    project.write(path, &project.read(path).replace("auto by = in.take<double>();", "auto by = 1.0;"));
    let run = review(&project, &[]);
    run.ends_with(1);
    assert!(run.stdout.contains("+    auto by = 1.0;"), "{}", run.stdout);
}

/// The same project in two places, its sources in another order, its build elsewhere, read by another number of jobs.
#[test]
fn what_is_generated_depends_on_the_code_alone() {
    let sources = [
        ("battery.cpp", SOURCE),
        ("cell.hpp", CELL),
        ("shape.hpp", include_str!("sources/review/shape.hpp")),
        ("round.cpp", include_str!("sources/review/round.cpp")),
        ("square.cpp", include_str!("sources/review/square.cpp")),
        ("plain.c", include_str!("sources/review/plain.c")),
    ];
    let mut trees = Vec::new();
    for (names, jobs, build) in [
        (["battery.cpp", "round.cpp", "square.cpp", "plain.c"], "1", "build"),
        (["plain.c", "square.cpp", "round.cpp", "battery.cpp"], "2", "elsewhere"),
    ] {
        let project = Project::of(&sources);
        project.database(&names);
        if build != "build" {
            std::fs::rename(project.root().join("build"), project.root().join(build)).unwrap();
        }
        project.run(["review", "-p", build, "-j", jobs, "--all", "--accept"]).ends_with(0);
        let accepted = tree(&project.root().join("snapshots"));
        let root = project.root().to_str().unwrap();
        for (name, text) in &accepted {
            assert!(!text.contains(root) && !name.contains(root), "{name} names a path of this machine:\n{text}");
        }
        assert!(
            accepted.contains_key("plain/driver.c") && accepted.contains_key("sum/TestUtil.hpp"),
            "{:?}",
            accepted.keys()
        );
        trees.push(accepted);
    }
    assert_eq!(trees[0].keys().collect::<Vec<_>>(), trees[1].keys().collect::<Vec<_>>());
    for (name, text) in &trees[0] {
        assert_eq!(*text, trees[1][name], "{name}");
    }
}

/// Runs `review` on a terminal on which somebody types.
fn on_a_terminal(project: &Project, typed: &str) -> (Option<i32>, String) {
    let (mut ours, mut theirs) = (0, 0);
    // SAFETY: both descriptors are written by the call and owned here from then on; no name, modes or size is asked
    // for.
    let (ours, theirs) = unsafe {
        let null = std::ptr::null_mut();
        assert_eq!(libc::openpty(&mut ours, &mut theirs, null, null.cast(), null.cast()), 0);
        (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    };
    let side = || Stdio::from(theirs.try_clone().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_motif-cpp"))
        .arg("-C")
        .arg(project.root())
        .args(["review", "-p", "build", "--color", "never"])
        .stdin(side())
        .stdout(side())
        .stderr(side())
        .spawn()
        .unwrap();
    drop(theirs);
    let mut terminal = std::fs::File::from(ours);
    assert!(terminal.as_raw_fd() > 2);
    terminal.write_all(typed.as_bytes()).unwrap();
    let mut said = Vec::new();
    // The terminal answers with an error, not with an end, once nobody holds the other side.
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = terminal.read(&mut part) {
        said.extend_from_slice(&part[..count]);
    }
    (child.wait().unwrap().code(), String::from_utf8_lossy(&said).replace("\r\n", "\n"))
}

#[test]
fn on_a_terminal_each_change_is_asked_about() {
    let project = project();
    review(&project, &["--all", "--accept"]).ends_with(0);
    let accepted = tree(&project.root().join("snapshots"));
    project.write("cell.hpp", &CELL.replace("int number;", "int number; double age;"));
    let text = project.read("battery.cpp").replace("int halved(int x)", "int halved(long x)");
    project.write("battery.cpp", &text);
    let now = || tree(&project.root().join("snapshots"));

    let (code, said) = on_a_terminal(&project, "s\nq\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("(1 of 2) accept sat::Battery::load(const Cell &) const? [y/n/s/a/r/q, ? for help]"),
        "{said}"
    );
    assert!(said.contains("+    cell.age = in.take<double>();"), "{said}");
    assert_eq!(now(), accepted);

    let (code, said) = on_a_terminal(&project, "y\nn\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("accepted snapshots/sat_Battery_load") && said.contains("rejected snapshots/sat_halved"),
        "{said}"
    );
    assert!(now()["sat_Battery_load/TestUtil.hpp"].contains("cell.age"));
    assert_eq!(now()["sat_halved/TestUtil.hpp"], accepted["sat_halved/TestUtil.hpp"]);

    // What was rejected is not asked about again.
    let (code, said) = on_a_terminal(&project, "");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("1 rejected before") && !said.contains("(1 of"), "{said}");
    review(&project, &["--accept"]).ends_with(0);
    let (code, said) = on_a_terminal(&project, "");
    assert_eq!(code, Some(0), "{said}");
}
