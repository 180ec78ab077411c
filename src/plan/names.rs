//! Names that are fit for variables.

use super::Slot;
use std::collections::BTreeSet;

/// `name`, made different from the names of `slots` and from those that drivers use themselves.
pub(super) fn unique(name: &str, slots: &[Slot]) -> String {
    let taken = |n: &str| {
        slots.iter().any(|s| s.name == n) || matches!(n, "in" | "record" | "object" | "result" | "call" | "compare")
    };
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
