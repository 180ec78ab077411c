//! Names that are fit for variables.

use super::Slot;
use std::collections::BTreeSet;

/// What drivers and tests call their own variables and methods.
const OWN: [&str; 6] = ["in", "record", "object", "result", "call", "compare"];
/// The functions of the C library that they call: a variable of this name would hide the function.
const CALLED: [&str; 16] = [
    "abort", "calloc", "fclose", "fmemopen", "fputs", "free", "ftell", "fwrite", "malloc", "memcmp", "memcpy",
    "memset", "rewind", "strcmp", "strlen", "tmpfile",
];

/// `name`, made different from the names of `slots` and from those that drivers use themselves.
pub(super) fn unique(name: &str, slots: &[Slot]) -> String {
    let taken = |n: &str| slots.iter().any(|s| s.name == n) || OWN.contains(&n) || CALLED.contains(&n);
    let mut candidate = name.to_owned();
    let mut number = 2;
    while taken(&candidate) {
        candidate = format!("{name}{number}");
        number += 1;
    }
    candidate
}

/// `name`, made different from those that are in `names`, which gets it.
pub(super) fn unused(name: &str, names: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|candidate| !names.contains(candidate));
    let free = free.unwrap_or_default();
    names.insert(free.clone());
    free
}
