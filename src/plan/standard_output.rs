//! Units that write to standard output: for a listing or a dump that is all that they do.

use super::unit_scope::UnitScope;
use crate::model::{Function, Usr};
use std::collections::{BTreeSet, VecDeque};

/// Functions of the C library that write to it, or to the file that they are given (C11 7.21).
const WRITES: [&str; 13] = [
    "printf",
    "vprintf",
    "puts",
    "putchar",
    "putchar_unlocked",
    "fprintf",
    "vfprintf",
    "fputs",
    "fputc",
    "putc",
    "fwrite",
    "write",
    "fputs_unlocked",
];
/// Streams of the C++ library that do.
const STREAMS: [&str; 2] = ["std::cout", "std::wcout"];
/// So many functions are looked at.
const LOOKED_AT: usize = 200;

/// Whether the unit, or what it calls, may do so.
pub(super) fn prints(scope: &UnitScope<'_>, unit: &Function) -> bool {
    let of_library = |usr: &Usr| usr.strip_prefix("c:@F@").is_some_and(|name| WRITES.contains(&name));
    let mut seen: BTreeSet<&Usr> = BTreeSet::new();
    let mut ahead: VecDeque<&Usr> = VecDeque::from([&unit.usr]);
    while let Some(usr) = ahead.pop_front().filter(|_| seen.len() < LOOKED_AT) {
        let Some(definition) = scope.model.functions.get(usr).and_then(|f| f.definition.as_ref()) else { continue };
        let names_one = definition.globals.iter().any(|name| STREAMS.contains(&name.as_str()));
        if names_one || definition.calls.iter().any(of_library) {
            return true;
        }
        ahead.extend(definition.calls.iter().filter(|usr| seen.insert(usr)));
    }
    false
}
