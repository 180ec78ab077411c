//! What lives after the search meets a sanitizer: damage that changes nothing visible is a kill, and what the original
//! does itself is none.

mod support;

use support::{Outcome, Project};

/// The changes below: a buffer one byte too short, a read of what was freed, a block that is freed twice, the wrong
/// delete, and nothing that matters.
const NOTES: &str = "\
#include <cstdlib>
#include <cstring>

unsigned total(unsigned count) {
  count &= 7;
  unsigned char *steps = new unsigned char[count + 1];
  unsigned sum = 0;
  for (unsigned i = 0; i <= count; ++i) steps[i] = static_cast<unsigned char>(i * 3);
  for (unsigned i = 0; i <= count; ++i) sum += steps[i];
  delete[] steps;
  return sum;
}

unsigned last(unsigned seed) {
  unsigned char *bytes = static_cast<unsigned char *>(malloc(24));
  if (!bytes) return 0;
  memset(bytes, static_cast<int>(seed & 15), 24);
  unsigned found = bytes[20];
  free(bytes);
  return found + (seed & 1 ? 1 : 0);
}

int once(int value) {
  int *kept = static_cast<int *>(malloc(sizeof(int)));
  if (!kept) return 0;
  *kept = value;
  const int result = *kept;
  if (value > 10) free(kept);
  else free(kept);
  return result;
}

int faulty(int at) {
  char *text = new char[4];
  memset(text, 1, 4);
  const int index = at & 7;
  volatile char found = text[index];
  const int result = found * 0 + index;
  delete[] text;
  return result;
}
";

/// Of each: the mutant's name, what is put in the place of what, and how it ends.
const MUTANTS: [(&str, &str, &str, &str); 6] = [
    ("notes.mut.6.1_1_1.ICR.total.cpp", "char[count + 1]", "char[count]", "sanitizer"),
    ("notes.mut.10.1_1_1.SDL.total.cpp", "delete[] steps", "delete steps", "sanitizer"),
    ("notes.mut.8.1_1_1.AOR.total.cpp", "sum += steps[i]", "sum = sum + steps[i]", "none"),
    (
        "notes.mut.18.1_1_1.SDL.last.cpp",
        "unsigned found = bytes[20];\n  free(bytes);",
        "free(bytes);\n  unsigned found = bytes[20];",
        "sanitizer",
    ),
    ("notes.mut.28.1_1_1.SDL.once.cpp", "if (value > 10) free(kept);\n  else free", "if (value > 10) free(kept);\n  free", "any"),
    ("notes.mut.37.1_1_1.ICR.faulty.cpp", "found * 0", "found * 0 * 2", "none"),
];

fn project() -> Project {
    let mutated: Vec<(String, String)> = MUTANTS
        .iter()
        .map(|(name, from, to, _)| {
            assert!(NOTES.contains(from), "{name}");
            (format!("mutants/{name}"), NOTES.replace(from, to))
        })
        .collect();
    let mut files = vec![("notes.cpp", NOTES)];
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

#[test]
fn damage_that_nobody_sees_is_a_kill_and_what_the_original_does_itself_is_none() {
    let project = project();
    let run = project.fuzz(&["--budget", "2000x", "-v"]);
    println!("{}\n{}", run.stdout, run.stderr);
    run.ends_with(0);
    let outcome = project.outcome();
    for (id, _, _, expected) in MUTANTS {
        let how = outcome.mutants()[id]["kill"]["how"].as_str().unwrap_or("none").to_string();
        assert!(how == expected || expected == "any" && how != "none", "{id}: {how}, {}", outcome.reason(id));
        assert!(how == "none" || outcome.verified(id), "{id}: {}", outcome.reason(id));
    }
    assert_eq!(faults(&outcome, "faulty(int)"), ["sanitizer: heap-buffer-overflow"]);
}

#[test]
fn without_a_sanitizer_they_live() {
    let project = project();
    project.fuzz(&["--budget", "2000x", "--sanitizer", "none"]).ends_with(0);
    let outcome = project.outcome();
    for (id, _, _, expected) in MUTANTS.iter().filter(|(.., expected)| *expected != "any") {
        assert_eq!(outcome.status(id), "live", "{id}, {expected}");
    }
    assert!(faults(&outcome, "faulty(int)").is_empty());
}
