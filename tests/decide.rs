//! Survivors of units of numbers are run on every input.

use crate::support::{Project, write_mutants};

const HALF: &str = "numbers.mut.6.1.ROR.half.c";
const SHADE: &str = "numbers.mut.11.1.ICR.shade.c";
const HIDDEN: &str = "numbers.mut.17.1.ICR.hidden.c";
const QUOTIENT: &str = "numbers.mut.23.1.ROR.quotient.c";
const COUNTED: &str = "numbers.mut.29.1.ROR.counted.c";
const SHOWN: &str = "numbers.mut.37.1.ICR.shown.c";
const SAME: &str = "numbers.mut.39.1.ROR.same.c";
const LEVEL: &str = "numbers.mut.42.1.ICR.level.c";
const WIDE: &str = "numbers.mut.32.1.ROR.wide.c";

#[test]
fn what_no_input_of_a_unit_of_numbers_tells_from_the_original_is_equivalent_and_what_one_does_is_killed() {
    let mut project = Project::sources("decide");
    project.environment.push(("MOTIF_DECIDE".into(), "on".into()));
    write_mutants(
        &project,
        &[
            (HALF, "if (b < 0)", "if (b <= 0)"),
            (SHADE, "(int)c & 3", "(int)c & 7"),
            (HIDDEN, "return 1", "return 2"),
            (QUOTIENT, "c > 200", "c > 201"),
            (COUNTED, "a > 126 ?", "a >= 127 ?"),
            (WIDE, "a > 5", "a >= 6"),
            (SHOWN, "a < 100", "a < 101"),
            (SAME, "a == b ?", "0 ?"),
            (LEVEL, "l == 5", "l == 6"),
        ],
    );
    let run = |decide| {
        project.fuzz(&["--budget", "2000x", "--sanitizer", "none", "--decide", decide]).ends_with(0);
        project.outcome()
    };
    let before = run("none");
    for id in [HALF, HIDDEN, QUOTIENT, COUNTED, WIDE] {
        assert_eq!(before.status(id), "live", "{id}");
        assert!(before.mutants()[id]["equivalence"].is_null(), "{id}");
    }
    assert_eq!(before.0["cpu_seconds"]["decide"], 0.0);

    let after = run("all");
    let proof = |id: &str| &after.mutants()[id]["equivalence"];
    for (id, words) in [
        (HALF, "the same result for all 65,536 values of `a`, this build, clang "),
        (QUOTIENT, "; the original fails on 256 of them, which count for nothing"),
    ] {
        assert_eq!((after.status(id), &proof(id)["by"]), ("equivalent", &"exhaustion".into()), "{}", after.reason(id));
        assert!(proof(id)["bound"].is_null() && after.reason(id).contains(words), "{}", after.reason(id));
    }
    // An enumeration has its enumerators and one more, and that one tells them apart.
    assert_eq!(after.status(SHADE), "killed");
    assert!(after.verified(HIDDEN), "{}", after.reason(HIDDEN));
    assert_eq!(after.mutants()[HIDDEN]["kill"]["by"], "exhaustion");
    for (id, besides) in [(COUNTED, "the variable `calls`"), (SHOWN, "`srand`")] {
        let why = format!("; undecided: it asks or does more than its arguments and its result tell: {besides}");
        assert!(after.status(id) == "live" && after.reason(id).ends_with(&why), "{}", after.reason(id));
    }
    assert!(after.status(SAME) == "live" && proof(SAME).is_null(), "two pointers may be one");
    assert!(after.status(LEVEL) != "equivalent" && proof(LEVEL).is_null(), "in a byte there are more values");
    assert!(after.status(WIDE) == "live" && proof(WIDE).is_null(), "64 bits are too many");
    assert!(after.0["cpu_seconds"]["decide"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_difference_that_never_shows_is_followed_to_where_it_ended() {
    let mut project = Project::sources("inside");
    project.environment.push(("MOTIF_DECIDE".into(), "on".into()));
    let told = [
        (
            "ends.mut.3.1.ICR.compared.c",
            ("(a & 15) + 1", "(a & 15) + 2"),
            "`sum` in line 4 differed, and `sum > 20` in line 4 was the same: the comparison came out the same",
        ),
        (
            "ends.mut.9.1.ICR.unread.c",
            ("x = a & 7", "x = a & 3"),
            "`x` in line 9 held it, and was not read while it did",
        ),
        (
            "ends.mut.16.1.ROR.either.c",
            ("a > b", "a >= b"),
            "`a > b` in line 16 came out otherwise, and both ways lead to the same",
        ),
        (
            "ends.mut.21.1.ICR.shifted.c",
            ("| 1u", "| 0u"),
            "`x` in line 22 differed, and `x >> 1` in line 22 was the same: it was shifted out",
        ),
        (
            "ends.mut.26.1.ICR.narrow.c",
            ("* 256u", "* 512u"),
            "differed, and `low` in line 26 was the same: its type has no room for it",
        ),
        (
            "ends.mut.32.1.UOI.counted.c",
            ("left == 9", "--left == 9"),
            "`left` in line 32 differed, and `left == 9` in line 32 was the same: the comparison came out the same",
        ),
        ("ends.mut.37.1.ICR.handed.c", ("*at = a * 2", "*at = a * 3"), "it got as far as `*at` in line 37, and is not"),
        (
            "ends.mut.48.1.ICR.asked.c",
            ("doubled(a, 1)", "doubled(a, 2)"),
            "`doubled(a, 1)` in line 48, where the change is, was the same (in ",
        ),
        (
            "ends.mut.57.1.ICR.given.c",
            ("put(&x, a, 1)", "put(&x, a, 2)"),
            "the change is in what `put()` is given, and is not followed from there",
        ),
        (
            "gauge.mut.11.1.ICR.alarms.cpp",
            ("? 100 : a", "? 99 : a"),
            "`level` in line 12 differed, and `level > 50` in line 12 was the same",
        ),
    ];
    let mutants: Vec<(&str, &str, &str)> = told.iter().map(|(id, (from, to), _)| (*id, *from, *to)).collect();
    write_mutants(&project, &mutants);
    let run = |decide| {
        project.fuzz(&["--budget", "3000x", "--sanitizer", "none", "--decide", decide]).ends_with(0);
        project.outcome()
    };
    let (without, outcome) = (run("none"), run("exhaustion"));
    for (id, _, words) in told {
        assert_eq!(outcome.status(id), "live", "{}", outcome.reason(id));
        assert!(
            outcome.reason(id).contains("; inside, ") && outcome.reason(id).contains(words),
            "{}",
            outcome.reason(id)
        );
        assert!(!without.reason(id).contains("; inside, "), "{}", without.reason(id));
    }
    let explained = project.run(["explain", told[0].0]);
    assert!(explained.stdout.contains(told[0].2), "{}", explained.stdout);
}
