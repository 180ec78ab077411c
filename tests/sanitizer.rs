//! What lives after the search meets a sanitizer: damage that changes nothing visible is a kill, and what the original
//! does itself is none.

use crate::support::{Outcome, Project};

/// The changes below: a buffer one byte too short, a read of what was freed, a block that is freed twice, the wrong
/// delete, and nothing that matters.
const NOTES: &str = include_str!("sources/sanitizer/notes.cpp");

/// Of each: the mutant's name, what is put in the place of what, and how it ends.
const MUTANTS: [(&str, &str, &str, &str); 8] = [
    // One input in 24 shows it, and none of them is new to the search.
    ("notes.mut.46.1_1_1.ICR.place.cpp", "% 23u", "% 24u", "sanitizer"),
    ("notes.mut.43.1_1_1.ICR.numbers.cpp", "pair.sum() * 0", "pair.sum() * 0 * 2", "none"),
    ("notes.mut.6.1_1_1.ICR.total.cpp", "char[count + 1]", "char[count]", "sanitizer"),
    ("notes.mut.10.1_1_1.SDL.total.cpp", "delete[] steps", "delete steps", "sanitizer"),
    ("notes.mut.8.1_1_1.AOR.total.cpp", "sum += steps[i]", "sum = sum + steps[i]", "none"),
    (
        "notes.mut.18.1_1_1.SDL.last.cpp",
        "unsigned found = bytes[20];\n  free(bytes);",
        "free(bytes);\n  unsigned found = bytes[20];",
        "sanitizer",
    ),
    (
        "notes.mut.28.1_1_1.SDL.once.cpp",
        "if (value > 10) free(kept);\n  else free",
        "if (value > 10) free(kept);\n  free",
        "any",
    ),
    ("notes.mut.37.1_1_1.ICR.faulty.cpp", "found * 0", "found * 0 * 2", "none"),
];

fn project(file: &str, text: &str, mutants: &[(&str, &str, &str, &str)]) -> Project {
    let mutated: Vec<(String, String)> = mutants
        .iter()
        .map(|(name, from, to, _)| {
            assert!(text.contains(from), "{name}");
            (format!("mutants/{name}"), text.replace(from, to))
        })
        .collect();
    let mut files = vec![(file, text)];
    files.extend(mutated.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    Project::of(&files)
}

/// The suspected faults of a unit's original.
fn faults(outcome: &Outcome, unit: &str) -> Vec<String> {
    let units = outcome.0["units"].as_array().unwrap();
    let unit = units.iter().find(|one| one["id"] == unit).unwrap();
    let faults = unit["suspected_faults"].as_array().into_iter().flatten();
    faults.map(|fault| fault["what"].as_str().unwrap().to_owned()).collect()
}

/// Each mutant ends as it says; what is killed is proved.
#[track_caller]
fn ended(outcome: &Outcome, mutants: &[(&str, &str, &str, &str)]) {
    for (id, _, _, expected) in mutants {
        let how = outcome.mutants()[id]["kill"]["how"].as_str().unwrap_or("none").to_string();
        assert!(how == *expected || *expected == "any" && how != "none", "{id}: {how}, {}", outcome.reason(id));
        assert!(how == "none" || outcome.verified(id), "{id}: {}", outcome.reason(id));
    }
}

#[test]
fn damage_that_nobody_sees_is_a_kill_under_a_sanitizer_only_and_what_the_original_does_itself_is_none() {
    let project = project("notes.cpp", NOTES, &MUTANTS);
    let run = project.fuzz(&["--budget", "2000x", "-v"]);
    run.ends_with(0);
    // Where there are numbers alone, nothing is built for it.
    assert!(run.stderr.contains("numbers(int, Pair): no sanitizer pass: nothing"), "{}", run.stderr);
    let outcome = project.outcome();
    ended(&outcome, &MUTANTS);
    assert_eq!(faults(&outcome, "faulty(int)"), ["sanitizer: heap-buffer-overflow"]);

    project.fuzz(&["--budget", "2000x", "--sanitizer", "none"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _, expected) in MUTANTS.iter().filter(|(.., expected)| *expected != "any") {
        assert_eq!(outcome.status(id), "live", "{id}, {expected}");
    }
    assert!(faults(&outcome, "faulty(int)").is_empty());
}

/// `bit` and `sum` have mutants that the hardware makes the same of, and `faulty` overflows by itself; `lost` leaves a
/// block behind, and a mutant of `kept` does. In C, which is built in no time.
const SUMS: &str = include_str!("sources/sanitizer/sums.cpp");

const UNDEFINED: [(&str, &str, &str, &str); 3] = [
    ("notes.mut.3.1_1_1.ICR.bit.c", "at & 31", "at & 63", "sanitizer"),
    ("notes.mut.6.1_1_1.SDL.sum.c", "(int)((unsigned)one + (unsigned)other)", "one + other", "sanitizer"),
    ("notes.mut.9.1_1_1.ICR.faulty.c", "% 8 * 1", "% 8 * 1 * 1", "none"),
];

const LEAKS: [(&str, &str, &str, &str); 2] = [
    ("notes.mut.16.1_1_1.SDL.kept.c", "  free(block);\n", "", "sanitizer"),
    (
        "notes.mut.24.1_1_1.SDL.lost.c",
        "*block = value;\n  return *block;",
        "*block = value;\n  const int found = *block;\n  return found;",
        "none",
    ),
];

#[test]
fn undefined_behaviour_and_leaks_of_a_mutant_alone_are_kills() {
    let project = project("notes.c", SUMS, &[&UNDEFINED[..], &LEAKS[..]].concat());
    let run = |sanitizer: &str, units: &[&str]| {
        project.fuzz(&[&["--budget", "2000x", "--sanitizer", sanitizer], units].concat()).ends_with(0);
        project.outcome()
    };
    let outcome = run("undefined", &["bit", "sum", "faulty"]);
    ended(&outcome, &UNDEFINED);
    assert_eq!(faults(&outcome, "faulty").len(), 1, "{:?}", faults(&outcome, "faulty"));
    let outcome = run("leak", &["kept", "lost"]);
    ended(&outcome, &LEAKS);
    assert_eq!(faults(&outcome, "lost"), ["sanitizer: memory-leak"]);
}
