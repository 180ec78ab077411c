//! What names suggest makes values likelier, and none impossible.

use crate::support::{Project, all_die};

const CHARGE_C: &str = include_str!("sources/false_friends/charge.c");
const CHARGE_CXX: &str = include_str!("sources/false_friends/charge.cpp");

#[test]
fn what_only_looks_like_a_length_takes_any_value() {
    let project = Project::of(&[("charge.c", CHARGE_C)]);
    all_die(
        &project,
        "3s",
        &[
            ("charge.mut.4.1_1_1.AOR.charge_account.c", "data[0] + 1", "data[0] - 1"),
            ("charge.mut.4.2_1_1.ROR.charge_account.c", "account == 50000", "account != 50000"),
            ("charge.mut.9.1_1_1.AOR.charge_country.c", "data[0] + 2", "data[0] - 2"),
            ("charge.mut.14.1_1_1.AOR.charge_valence.c", "data[0] + 3", "data[0] - 3"),
            ("charge.mut.19.1_1_1.AOR.charge_silent.c", "data[0] + 4", "data[0] - 4"),
            ("charge.mut.24.1_1_1.AOR.charge_calendar.c", "data[0] + 5", "data[0] - 5"),
            ("charge.mut.24.2_1_1.SDL.charge_calendar.c", "  if (calendar == 50004) return data[0] + 5;\n", "  ;\n"),
        ],
    );
}

#[test]
fn a_length_by_its_name_alone_is_now_and_then_more_than_there_is() {
    let project = Project::of(&[("charge.c", CHARGE_C), ("charge.cpp", CHARGE_CXX)]);
    let id = "charge.mut.29.1_1_1.AOR.charge_length.c";
    let outcome = all_die(
        &project,
        "3s",
        &[
            (id, "data[0] + 7", "data[0] - 7"),
            ("charge.mut.30.1_1_1.ROR.charge_length.c", "data[1] > 9", "data[1] >= 9"),
            ("charge.mut.10.1_1_1.AOR.scan.cpp", "data[0] + 2", "data[0] - 2"),
            ("charge.mut.6.1_1_1.AOR.charge.cpp", "data[0] + 1", "data[0] - 1"),
        ],
    );
    let text = project.test_of(&outcome, id);
    assert!(text.contains("charge_length(data, 50000)") || text.contains("length = 50000"), "{text}");
}
