//! `--fault`: calls that fail are a part of the input, and of the tests.

use crate::support::{Project, write_mutants};
use std::process::Command;

const MUTANTS: [(&str, &str, &str); 6] = [
    ("ring.mut.9.1_1_1.AOD.ring_push.c", "return -1;", "return 1;"),
    ("ring.mut.20.1_1_1.ICR.ring_name.c", "return 12;", "return 11;"),
    ("ring.mut.23.1_1_1.ICR.ring_name.c", "return 13;", "return 14;"),
    ("ring.mut.31.1_1_1.AOD.ring_load.c", "return -7;", "return 7;"),
    ("tally.mut.18.1_1_1.AOD.widen.cpp", "return -1;", "return 1;"),
    ("tally.mut.27.1_1_1.ICR.ask.cpp", "return 9;", "return 8;"),
];

fn project() -> Project {
    let project = Project::sources("failing_calls");
    project.database(&["ring.c", "tally.cpp"]);
    write_mutants(&project, &MUTANTS);
    project
}

#[test]
fn mutants_behind_a_failed_call_die_where_calls_may_fail_and_live_else() {
    let project = project();
    project.fuzz(&["--budget", "3000x"]).ends_with(0);
    let outcome = project.outcome();
    for (id, ..) in MUTANTS {
        assert_eq!(outcome.status(id), "live", "{id}");
    }
    project.fuzz(&["--budget", "20000x", "--fault", "alloc,io"]).ends_with(0);
    let outcome = project.outcome();
    for (id, ..) in MUTANTS {
        assert!(outcome.verified(id), "{id} is {}: {}", outcome.status(id), outcome.reason(id));
    }
    let said = |number: usize| project.test_of(&outcome, MUTANTS[number].0);
    let [push, name, load, widen, ask] = [0, 2, 3, 4, 5].map(said);
    for (test, statement) in [
        (&push, "failing_realloc_call = 1;"),
        (&name, "failing_malloc_call = 2;"),
        (&load, "failing_fread_call = 1;"),
        (&widen, "failing_new_call = 1;"),
        (&ask, "\n  failing_new"),
    ] {
        assert!(test.contains(statement), "`{statement}` is not in\n{test}");
    }
    // What does not fail is not wrapped: the object is not asked for a second block.
    assert!(ask.contains("__wrap__Znwm(") != ask.contains("__wrap__Znam("), "{ask}");
    let list = project.read("motif.out/tests/tests.list");
    assert!(list.contains("wrap=realloc") && list.contains("wrap=_Znwm"), "{list}");
    let adopted = project.run(["adopt", "--into", "tests", "--dry-run", "-p", "build"]);
    assert!(adopted.stderr.contains("makes calls fail by the linker's --wrap"), "{}", adopted.stderr);
    // Targets that others fuzz on are linked so, too.
    project.run(["testgen", "--as-fuzz-target", "-p", "build"]).ends_with(0);
    for arguments in [["-B", "build", "-G", "Ninja"].as_slice(), &["--build", "build"]] {
        let folder = project.root().join("motif.out/fuzz");
        let made = Command::new("cmake").args(arguments).current_dir(folder).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    }
}

#[test]
fn a_run_whose_calls_may_fail_goes_on_only_as_such_and_not_with_the_solver_as_its_engine() {
    let project = project();
    project.fuzz(&["--budget", "10x", "--fault", "alloc"]).ends_with(0);
    let run = project.fuzz(&["--budget", "10x", "--resume"]);
    assert!(run.stderr.contains("--fault was `alloc`, and is not given"), "{}", run.stderr);
    run.ends_with(2);
    let project = self::project();
    let run = project.fuzz(&["--fault", "io", "--engine", "symbolic"]);
    project.refuses(&run, 2, &["--fault", "--engine symbolic", "leave out `--fault`"]);
    let run = project.fuzz(&["--fault", "disk"]);
    project.refuses(&run, 2, &["disk", "alloc", "io"]);
}
