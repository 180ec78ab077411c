//! Templates that derive from other instances of themselves.

use crate::support::Project;

#[test]
fn drivers_are_generated_for_templates_that_derive_from_themselves_without_end() {
    let project = Project::sources("recursive_bases");
    let run = project.run(["review", "-p", "build", "--all", "--accept"]);
    run.ends_with(0);
    for unit in ["levels", "steps", "height"] {
        assert!(project.root().join("snapshots").join(unit).is_dir(), "{unit}: {}", run.stderr);
    }
}
