//! Which mutants are killed, where that takes more than one run or a look at the whole outcome: the rest are cases.

use crate::support::{Project, all_die, write_mutants};

#[test]
#[ignore = "a long run; make test-all"]
fn calls_that_never_return_do_not_use_up_the_search() {
    let project = Project::sources("calls_that_hang");
    let outcome = all_die(&project, "100000x", &[("pile.mut.18.1_1_1.ICR.level.cpp", "return 1;", "return 2;")]);
    // What hangs takes as long as thousands of others: a budget in time would tell, but on an idle machine only.
    let hangs = outcome.0["units"][0]["hangs"].as_u64().unwrap();
    assert!((1..40).contains(&hangs), "{hangs} inputs hung");
}

#[test]
fn objects_are_constructed_as_the_projects_own_tests_do() {
    let project = Project::sources("shelf");
    let mutants = [
        ("shelf.mut.17.1_1_1.AOR.between.cpp", "pages_) + right_", "pages_) - right_"),
        ("shelf.mut.66.1_1_1.ROR.weigh.cpp", "pages() > 300", "pages() >= 300"),
    ];
    // Nothing that can be read without the tests tells the word.
    project.database(&["shelf.cpp"]);
    write_mutants(&project, &mutants);
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    for (id, ..) in mutants {
        assert_eq!(project.outcome().status(id), "live");
    }
    project.database(&["shelf.cpp", "shelf_test.cpp"]);
    let listed = project.run(["analyze", "-p", "build", "shelf::Book::between() const"]);
    assert!(listed.stdout.contains("objects as in shelf_test.cpp:16\n"), "{}", listed.stdout);
    let outcome = all_die(&project, "2s", &mutants);
    // The test reads like the one that it was learned from.
    let test = project.test_of(&outcome, mutants[0].0);
    let statements = ["shelf::Shelf shelf;", "shelf.unlock(", "shelf::Book *book = shelf.first();", "= book->next();"];
    for statement in statements {
        assert!(test.contains(statement), "`{statement}` is not in\n{test}");
    }
    let driver = std::fs::read_dir(project.root().join("motif.out/drivers")).unwrap();
    let driver = driver.flatten().find(|entry| entry.file_name().to_string_lossy().contains("between")).unwrap();
    let driver = std::fs::read_to_string(driver.path().join("driver.cpp")).unwrap();
    assert!(driver.contains("a shelf::Book as in shelf_test.cpp:"), "{driver}");
}

#[test]
fn objects_with_which_no_input_enters_a_unit_are_constructed_in_another_way() {
    let project = Project::sources("adjusted_objects");
    let id = "book.mut.24.1_1_1.AOR.weigh.cpp";
    let outcome = all_die(&project, "1s", &[(id, "cell->key + by", "cell->key - by")]);
    let test = project.test_of(&outcome, id);
    assert!(test.contains(".first()"), "{test}");
    // A resumed run constructs them in the same way.
    project.fuzz(&["--budget", "1s", "--resume"]).ends_with(0);
    assert!(project.outcome().verified(id));
}

#[test]
fn seeds_that_never_return_are_reported_and_no_search_waits_for_them_again() {
    let project = Project::sources("seeds_that_hang");
    write_mutants(&project, &[("half.mut.4.1_1_1.EQ.half.cpp", "n / 2", "n / 2 + 0")]);
    project.fuzz(&["--budget", "4x"]).ends_with(0);
    let outcome = project.outcome();
    let unit = &outcome.0["units"][0];
    assert_eq!(unit["hangs"].as_u64().unwrap_or(0), 0, "{unit}");
    let faults = unit["suspected_faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault["what"] == "hang"), "{unit}");
}

#[test]
fn a_test_reads_no_member_of_an_argument_that_is_null() {
    let project = Project::sources("null_argument");
    let mutants = [("list.mut.15.1_1_1.SDL.node_join.c", "if (first == NULL || second == NULL) return -1;", ";")];
    let outcome = all_die(&project, "1s", &mutants);
    let text = project.test_of(&outcome, mutants[0].0);
    let passed = [("first", "node_join(NULL, "), ("second", ", NULL);")];
    let null: Vec<&str> = passed.into_iter().filter(|(_, call)| text.contains(call)).map(|(name, _)| name).collect();
    assert!(!null.is_empty() && null.iter().all(|name| !text.contains(&format!("{name}->"))), "{text}");
}
