//! Rows that make types known: the standard library's that few use, and containers of a project's own.

use crate::support::Project;

#[test]
fn a_row_that_does_not_fit_the_class_is_an_error_with_its_line() {
    let project = Project::case("own_container_row");
    let refuses = |row: &str, mentions: &[&str]| {
        project.write("utility-overrides/own_container_row.yaml", &format!("library:\n  lab::ring:\n{row}"));
        project.refuses(&project.run(["analyze"]), 2, mentions);
    };
    let parts = "    parts: {element: $1}\n";
    refuses(
        &format!("    shape: sequense\n{parts}"),
        &["own_container_row.yaml:3", "sequense", "did you mean `sequence`?"],
    );
    refuses(&format!("    shap: sequence\n{parts}"), &["own_container_row.yaml:3", "shap", "did you mean `shape`?"]);
    let misspelled = format!("    shape: sequence\n{parts}    fill: apend\n");
    refuses(&misspelled, &["own_container_row.yaml:5", "no public method `apend`", "did you mean `append`?"]);
    refuses("    shape: map\n    parts: {key: $1}\n    fill: append\n", &["own_container_row.yaml:4", "two parts"]);
    let unknown = "    shape: sequence\n    parts: {element: lab::rung<$1>}\n    fill: append\n";
    refuses(unknown, &["own_container_row.yaml:4", "lab::rung", "lab::ring"]);
    project.write("utility-overrides/own_container_row.yaml", "library:\n  lab::rink: {shape: empty}\n");
    project.refuses(&project.run(["analyze"]), 2, &["own_container_row.yaml:2", "lab::rink", "lab::ring"]);
}
