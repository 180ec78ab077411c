//! `scaffold`: what a person edits stays, and what changes underneath is merged into it.

use crate::support::{Project, Run};

const SOURCE: &str = include_str!("sources/scaffold/battery.cpp");

const HPP: &str = "utility-overrides/sat_Battery_drain.hpp";
const YAML: &str = "utility-overrides/sat_Battery_drain.yaml";
const BASE: &str = "utility-overrides/.base/sat_Battery_drain.hpp";

/// The project with the files of `sat::Battery::drain`.
fn scaffolded() -> Project {
    let project = Project::of(&[("battery.cpp", SOURCE)]);
    scaffold(&project, &["sat::Battery::drain"]).ends_with(0);
    project
}

fn scaffold(project: &Project, more: &[&str]) -> Run {
    project.run(["scaffold", "-p", "build"].iter().chain(more).copied())
}

fn edit(project: &Project, path: &str, from: &str, to: &str) {
    let text = project.read(path);
    assert!(text.contains(from), "no `{from}` in\n{text}");
    project.write(path, &text.replace(from, to));
}

#[test]
fn the_utility_class_shows_the_plan_and_where_to_edit() {
    let project = scaffolded();
    let text = project.read(HPP);
    for part in [
        "// Unit: sat::Battery::drain(double)",
        "// Signature: double sat::Battery::drain(double by)",
        "//   sat::Battery::drain on a sat::Battery(double), set up by up to 3 calls of drain with a double",
        "// Edit here: how the object comes to be.",
        "// Edit here: which arguments there are",
        "// Edit here: calls before the one under test",
        "in.take<double>()",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert!(project.read(YAML).contains("function: sat::Battery::drain(double)"), "{}", project.read(YAML));
    // What is generated for a run has no such comments.
    project.run(["review", "-p", "build", "--all", "--accept"]).ends_with(0);
    assert!(!project.read("snapshots/sat_Battery_drain/TestUtil.hpp").contains("Edit here"));
}

#[test]
fn what_was_written_is_up_to_date_and_without_it_the_check_fails() {
    let project = Project::of(&[("battery.cpp", SOURCE)]);
    let check = |code| scaffold(&project, &["sat::Battery::drain", "--check"]).ends_with(code);
    check(1);
    assert!(!project.root().join(HPP).exists(), "--check wrote something");
    scaffold(&project, &["sat::Battery::drain"]).ends_with(0);
    check(0);
    let before = project.read(HPP);
    scaffold(&project, &["sat::Battery::drain"]).ends_with(0);
    assert_eq!(project.read(HPP), before);
    // Without names the check is about the files that are there.
    scaffold(&project, &["--check"]).ends_with(0);
}

#[test]
fn an_edit_is_kept_as_it_is_while_nothing_changes_underneath() {
    let project = scaffolded();
    edit(&project, HPP, "class TestUtil", "/* mine */ class TestUtil");
    let edited = project.read(HPP);
    let run = scaffold(&project, &["sat::Battery::drain"]);
    run.ends_with(0);
    assert!(run.stderr.contains("is edited, kept"), "{}", run.stderr);
    assert_eq!(project.read(HPP), edited);
    scaffold(&project, &["--check"]).ends_with(0);
    let run = project.run(["analyze", "-p", "build"]);
    assert!(run.stdout.contains("edited       sat::Battery::drain"), "{}", run.stdout);
}

#[test]
fn a_change_underneath_is_merged_into_both_edits_and_the_signatures_are_told() {
    let project = scaffolded();
    edit(
        &project,
        HPP,
        "    auto charge = in.take<double>();\n",
        "    // Never empty.\n    auto charge = 1.0 + in.take<double>();\n",
    );
    edit(&project, YAML, "# parameters:\n", "parameters: {by: {range: [0, 100]}}\n# parameters:\n");
    project.write("battery.cpp", &SOURCE.replace("drain(double by)", "drain(double by, int times = 1)"));

    // Until then the old name in the override file is an error that names the new one.
    let run = project.run(["analyze", "-p", "build"]);
    run.ends_with(2);
    assert!(
        run.stderr.contains("override-unknown-function") && run.stderr.contains("drain(double, int)"),
        "{}",
        run.stderr
    );

    let check = scaffold(&project, &["--check"]);
    check.ends_with(1);
    for part in [
        "--- a/utility-overrides/sat_Battery_drain.hpp",
        "+    auto times = in.take<int>();",
        "-function: sat::Battery::drain(double)",
    ] {
        assert!(check.stdout.contains(part), "no `{part}` in\n{}", check.stdout);
    }
    let run = scaffold(&project, &["sat::Battery::drain"]);
    run.ends_with(0);
    for part in [
        "was double sat::Battery::drain(double by)",
        "is  double sat::Battery::drain(double by, int times = ...)",
        "are merged into it",
    ] {
        assert!(run.stderr.contains(part), "no `{part}` in\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("override-unknown-function"), "what was mended is complained of: {}", run.stderr);
    let merged = project.read(HPP);
    assert!(merged.contains("auto charge = 1.0 + in.take<double>();") && merged.contains("in.take<int>()"), "{merged}");
    let stub = project.read(YAML);
    assert!(stub.contains("\nparameters: {by: {range: [0, 100]}}") && stub.contains("drain(double, int)"), "{stub}");
    scaffold(&project, &["--check"]).ends_with(0);
    let run = project.run(["analyze", "-p", "build"]);
    assert!(run.stdout.contains("edited       sat::Battery::drain"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn what_does_not_fit_together_is_left_to_a_person_with_both_sides() {
    let project = scaffolded();
    // An edited argument and a new one beside it go together ...
    edit(&project, HPP, "\n    auto by = in.take<double>();", "\n    auto by = 1.0;");
    project.write("battery.cpp", &SOURCE.replace("double by)", "double by, bool fast)"));
    scaffold(&project, &["sat::Battery::drain", "--check"]).ends_with(1);
    assert!(!scaffold(&project, &["sat::Battery::drain", "--check"]).stdout.contains("<<<<<<<"));
    project.write("battery.cpp", SOURCE);
    edit(&project, HPP, "auto by = 1.0;", "auto by = in.take<float>();");
    // ... but not two changes of one line.
    project.write("battery.cpp", &SOURCE.replace("double by", "long by"));
    let run = scaffold(&project, &["sat::Battery::drain"]);
    run.ends_with(1);
    assert!(
        run.stderr.contains("warning[scaffold-conflict]: utility-overrides/sat_Battery_drain.hpp:"),
        "{}",
        run.stderr
    );
    let text = project.read(HPP);
    for part in [
        "<<<<<<< yours",
        "in.take<float>()",
        "||||||| generated before",
        "in.take<double>()",
        "in.take<long>()",
        ">>>>>>> generated now",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    // Nothing runs on half a merge, and a second run does not bury the first one's conflict under another.
    for command in ["analyze", "scaffold", "review"] {
        let run = project.run([command, "-p", "build"]);
        run.ends_with(2);
        let line = text.lines().position(|line| line.starts_with("<<<<<<<")).unwrap() + 1;
        let told = format!("error[override-conflict]: {HPP}:{line}: ");
        assert!(run.stderr.contains(&told), "{command}: no `{told}` in {}", run.stderr);
    }
    assert_eq!(project.read(HPP), text);
    // Resolved, it is an edit like any other.
    let start = text.find("<<<<<<<").unwrap();
    let end = text.find(">>>>>>> generated now\n").unwrap() + ">>>>>>> generated now\n".len();
    project.write(HPP, &(text[..start].to_owned() + "    long by = in.take<short>();\n" + &text[end..]));
    scaffold(&project, &["--check"]).ends_with(0);
}

#[test]
fn an_edit_without_its_ancestor_is_never_overwritten() {
    let project = scaffolded();
    edit(&project, HPP, "auto charge = in.take<double>();", "auto charge = 2.0;");
    std::fs::remove_dir_all(project.root().join("utility-overrides/.base")).unwrap();
    let run = scaffold(&project, &["--check"]);
    run.ends_with(1);
    assert!(run.stderr.contains("no merge base"), "{}", run.stderr);
    project.write("battery.cpp", &SOURCE.replace("double by", "long by"));
    scaffold(&project, &["sat::Battery::drain"]).ends_with(1);
    let text = project.read(HPP);
    assert!(text.contains("auto charge = 2.0;") && text.contains("auto charge = in.take<double>();"), "{text}");
    assert!(project.root().join(BASE).exists());
}

#[test]
fn the_files_follow_a_unit_that_goes_by_another_name_since_it_is_overloaded() {
    let project = scaffolded();
    edit(&project, HPP, "auto charge = in.take<double>();", "auto charge = 2.0;");
    let more =
        SOURCE.replace(" private:", "  double drain(int by, int at) { return charge_ -= by * at; }\n\n private:");
    project.write("battery.cpp", &more);
    // The edit would silently not be used: that is an error.
    let run = project.run(["analyze", "-p", "build"]);
    run.ends_with(2);
    assert!(
        run.stderr.contains("error[override-orphan]") && run.stderr.contains("scaffold 'sat::Battery::drain(double)'"),
        "{}",
        run.stderr
    );
    let run = scaffold(&project, &["--update"]);
    run.ends_with(0);
    assert!(run.stderr.contains("moved to"), "{}", run.stderr);
    assert!(!project.root().join(HPP).exists() && !project.root().join(BASE).exists());
    let names: Vec<String> = std::fs::read_dir(project.root().join("utility-overrides"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.ends_with(".hpp"))
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(project.read(format!("utility-overrides/{}", names[0])).contains("auto charge = 2.0;"));
    let run = project.run(["analyze", "-p", "build"]);
    assert!(run.stdout.contains("edited       sat::Battery::drain(double)"), "{}{}", run.stdout, run.stderr);
    scaffold(&project, &["--check"]).ends_with(0);
}

#[test]
fn a_stub_that_nobody_edited_stops_nothing_when_its_function_goes() {
    let project = scaffolded();
    project.write("battery.cpp", &SOURCE.replace("drain", "discharge"));
    project.run(["analyze", "-p", "build"]).ends_with(0);
    // One that says something does, and names what is near.
    edit(&project, YAML, "# parameters:\n", "parameters: {by: {range: [0, 1]}}\n# parameters:\n");
    let run = project.run(["analyze", "-p", "build"]);
    run.ends_with(2);
    let told = "error[override-unknown-function]: utility-overrides/sat_Battery_drain.yaml:";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    // Even so other units can be scaffolded; the one that is wrong is told.
    let run = scaffold(&project, &["sat::Battery::discharge"]);
    run.ends_with(0);
    assert!(run.stderr.contains("warning[override-unknown-function]"), "{}", run.stderr);
}

#[test]
fn a_header_of_the_users_own_may_stand_beside_the_utility_classes() {
    let project = scaffolded();
    project.write("utility-overrides/helpers.hpp", "inline double half() { return 0.5; }\n");
    project.run(["analyze", "-p", "build"]).ends_with(0);
    scaffold(&project, &["--check"]).ends_with(0);
}

#[test]
fn an_edit_of_an_overloaded_function_follows_its_new_signature() {
    let two = SOURCE.replace(" private:", "  double drain(int by, int at) { return charge_ -= by * at; }\n\n private:");
    let project = Project::of(&[("battery.cpp", two.as_str())]);
    scaffold(&project, &["sat::Battery::drain(double)"]).ends_with(0);
    let name = |project: &Project| {
        let names = std::fs::read_dir(project.root().join("utility-overrides")).unwrap();
        let mut names = names.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        names.find(|name| name.ends_with(".hpp")).map(|name| format!("utility-overrides/{name}")).unwrap()
    };
    let before = name(&project);
    assert!(
        project.read(&before).contains("// Overloads: sat::Battery::drain(int, int)\n"),
        "{}",
        project.read(&before)
    );
    edit(&project, &before, "auto charge = in.take<double>();", "auto charge = 2.0;");
    project.write("battery.cpp", &two.replace("drain(double by)", "drain(double by, bool fast)"));
    let run = project.run(["analyze", "-p", "build"]);
    run.ends_with(2);
    assert!(run.stderr.contains("scaffold 'sat::Battery::drain(double, bool)'"), "{}", run.stderr);
    scaffold(&project, &["--check"]).ends_with(1);
    let run = scaffold(&project, &["--update"]);
    run.ends_with(0);
    assert!(
        run.stderr.contains("moved to") && run.stderr.contains("is  double sat::Battery::drain(double by, bool fast)"),
        "{}",
        run.stderr
    );
    let after = project.read(name(&project));
    assert!(after.contains("auto charge = 2.0;") && after.contains("auto fast = in.take<bool>();"), "{after}");
    scaffold(&project, &["--check"]).ends_with(0);
    project.run(["analyze", "-p", "build"]).ends_with(0);
}

#[test]
fn the_stub_of_a_private_function_names_those_through_which_it_is_called() {
    let source = SOURCE.replace(
        " private:\n",
        "  double all() { return rest(1); }\n\n private:\n  double rest(int n) { return n * charge_; }\n",
    );
    let project = Project::of(&[("battery.cpp", source.as_str())]);
    scaffold(&project, &["sat::Battery::rest"]).ends_with(0);
    let stub = "utility-overrides/sat_Battery_rest.yaml";
    let text = project.read(stub);
    assert!(text.contains("# through: [sat::Battery::all()]"), "{text}");
    // Uncommented it is taken.
    project.write(stub, &text.replace("# through:", "through:"));
    project.run(["analyze", "-p", "build"]).ends_with(0);
}
