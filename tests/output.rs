//! What a user sees on the terminal, as snapshots to be read by eye: help, analyses of the samples, problems.

use crate::support::Project;

/// A snapshot with the project's folder left out.
fn snapshot(name: &str, project: &Project, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let root = project.root().canonicalize().unwrap();
    let text = text.replace(root.to_str().unwrap(), "[project]");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn help_of_every_command_is_at_most_100_columns_wide() {
    let project = Project::new();
    let mut text = String::new();
    for command in [
        "",
        "doctor",
        "analyze",
        "mutate",
        "scaffold",
        "review",
        "fuzz",
        "compare",
        "merge",
        "testgen",
        "adopt",
        "report",
        "explain",
        "dismiss",
        "schema",
        "completions",
        "man",
    ] {
        let run = project.run([command, "--help"].iter().filter(|word| !word.is_empty()));
        run.ends_with(0);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{}", run.stdout);
        text.push_str(&format!(
            "$ motif-cpp {}--help\n{}\n",
            if command.is_empty() { String::new() } else { format!("{command} ") },
            run.stdout
        ));
    }
    snapshot("help", &project, &text);
}

#[test]
fn analyses_of_the_samples_name_every_unit_and_how_it_is_driven() {
    for name in ["satellite", "tpos"] {
        let project = Project::sample(name);
        let text = project.run(["analyze", "-p", "build"]);
        text.ends_with(0);
        snapshot(&format!("analyze_{name}_text"), &project, &text.stdout);
        let json = project.run(["analyze", "-p", "build", "--format", "json"]);
        json.ends_with(0);
        snapshot(&format!("analyze_{name}_json"), &project, &json.stdout);
    }
}

#[test]
fn the_class_hierarchy_of_satellite_is_drawn_both_ways() {
    let project = Project::sample("satellite");
    for format in ["dot", "mermaid"] {
        let run = project.run(["analyze", "-p", "build", "--graph", format]);
        run.ends_with(0);
        snapshot(&format!("graph_satellite_{format}"), &project, &run.stdout);
    }
}

#[test]
fn problems_say_where_what_and_what_to_do() {
    let project = Project::of(&[("a.cpp", "int half(int a) { return a / 2; }\n")]);
    let mut text = String::new();
    let mut show = |project: &Project, line: &[&str]| {
        let run = project.run(line);
        text.push_str(&format!("$ motif-cpp {}\n{}[exit {}]\n\n", line.join(" "), run.stderr, run.code.unwrap()));
    };
    show(&project, &["mutate", "--operators", "RORX"]);
    show(&project, &["fuzz", "--mutants", "nowhere"]);
    project.write("mutants/b.mut.1.1_1_1.ROR.half.cpp", "int half(int a) { return a / 3; }\n");
    show(&project, &["fuzz", "--mutants", "mutants"]);
    show(&project, &["fuzz", "--mutants", "mutants", "--coverage", "laf"]);
    show(&project, &["analyze", "-p", "elsewhere"]);
    project.write("motif.yaml", "budget: 1s\nsanitiser: address\n");
    show(&project, &["analyze"]);
    project.write("motif.yaml", "");
    project.write("utility-overrides/a.yaml", "units:\n  half(int):\n    parametres: {}\n");
    show(&project, &["analyze"]);
    snapshot("problems", &project, &text);
}
