//! `TestUtil::compare` is what the drivers compare with: what an edited one leaves out kills nobody.

use crate::support::Project;

const COUNTED: &str = "meter.mut.4.1_1_1.ICR.add.cpp";
const TOTAL: &str = "meter.mut.5.1_1_1.ICR.add.cpp";

fn project() -> Project {
    let source = include_str!("sources/compared/meter.cpp");
    let project = Project::of(&[("meter.hpp", include_str!("sources/compared/meter.hpp")), ("meter.cpp", source)]);
    project.database(&["meter.cpp"]);
    for (id, from, to) in [(COUNTED, "reads_ + 1", "reads_ + 2"), (TOTAL, "0xff", "0x7f")] {
        project.write(&format!("mutants/{id}"), &source.replace(from, to));
    }
    project
}

#[test]
fn an_edited_compare_that_ignores_a_field_leaves_a_mutant_alive_that_died_before() {
    let project = project();
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let before = project.outcome();
    assert_eq!([COUNTED, TOTAL].map(|id| before.status(id)), ["killed", "killed"], "{}", before.reason(COUNTED));
    assert!(project.test_of(&before, COUNTED).contains("reads_"));

    project.run(["scaffold", "-p", "build", "Meter::add"]).ends_with(0);
    let folder = project.root().join("utility-overrides");
    let mut names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let path = format!("utility-overrides/{}", names.find(|name| name.ends_with(".hpp")).unwrap());
    let text = project.read(&path);
    let compares = "return record.differences(other.record);";
    assert!(text.contains(compares), "{text}");
    project.write(&path, &text.replace(compares, "return record.differences(other.record, {\"object.reads_\"});"));

    project.fuzz(&["--budget", "1s", "--fail-under", "0"]);
    let after = project.outcome();
    assert_eq!(after.0["units"][0]["driver"], "edited");
    assert_eq!([COUNTED, TOTAL].map(|id| after.status(id)), ["live", "killed"], "{}", after.reason(COUNTED));
    assert!(!project.test_of(&after, TOTAL).contains("reads_"), "what does not count is not asserted");
}
