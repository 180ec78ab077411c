//! The mutation operators: from the syntax tree of a body to changes.
//!
//! An operator looks at the tree and at the model, never at text within macros; it keeps the types, so that its
//! mutants compile. `docs/operators.md` has every operator with its source.

mod cxx;
mod deletion;
mod flow;
#[cfg(test)]
mod flow_tests;
mod kinds;
mod literals;
mod operator;
mod statements;
mod sufficient;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod view;

use crate::mutant::made::Change;
use crate::tree::Body;
use std::collections::HashSet;
use std::sync::LazyLock;

pub use operator::{Group, Operator, Surroundings};

/// The sets for C and C++.
const BOTH: &[Operator] = &[
    sufficient(
        "ABS",
        "a number becomes its negative",
        "Offutt et al. 1996 (absolute value insertion), as {(v, -v)} in MASS",
    ),
    sufficient("AOR", "an arithmetic operator becomes another, also of a compound assignment", "Offutt et al. 1996"),
    sufficient("ICR", "an integer constant i becomes 1, 0, -1, i+1, i-1, -i", "Andrews et al. 2006, MASS"),
    sufficient("LCR", "a logical or bitwise operator becomes another", "Offutt et al. 1996, MASS"),
    sufficient(
        "ROR",
        "a relational operator becomes another; a condition is negated, true or false",
        "Offutt et al. 1996, MASS",
    ),
    sufficient("UOI", "++ or -- is put before or behind a variable, ! or ~ before a value", "Offutt et al. 1996, MASS"),
    sufficient("SDL", "a statement or a block is removed", "Untch 2009, Deng et al. 2013"),
    deletion(
        "AOD",
        "an arithmetic operator and one operand are removed; also - and + before a value",
        "Delamaro et al. 2014, MASS",
    ),
    deletion(
        "LOD",
        "a logical operator and one operand are removed; also ! before a value",
        "Delamaro et al. 2014, MASS",
    ),
    deletion("ROD", "a relational operator and one operand are removed", "Delamaro et al. 2014, MASS"),
    deletion(
        "BOD",
        "a bitwise operator and one operand are removed; also ~ before a value",
        "Delamaro et al. 2014, MASS",
    ),
    deletion("SOD", "a shift operator and one operand are removed", "Delamaro et al. 2014, MASS"),
    deletion("LVR", "a literal becomes another of its type", "MASS (literal value replacement)"),
];

const fn sufficient(name: &'static str, summary: &'static str, source: &'static str) -> Operator {
    Operator { name, group: Group::Sufficient, summary, source }
}

const fn deletion(name: &'static str, summary: &'static str, source: &'static str) -> Operator {
    Operator { name, group: Group::Deletion, summary, source }
}

static ALL: LazyLock<Vec<Operator>> = LazyLock::new(|| BOTH.iter().chain(cxx::OPERATORS).copied().collect());

/// All operators, in the order in which they are documented.
pub fn all() -> &'static [Operator] {
    &ALL
}

/// The changes of one body by the requested operators, without duplicates, in order of place.
///
/// If two operators produce the same text, the one listed first keeps it.
pub fn changes(body: &Body, around: &Surroundings<'_>, wanted: &dyn Fn(&Operator) -> bool) -> Vec<Change> {
    let asked: HashSet<&str> = all().iter().filter(|operator| wanted(operator)).map(|operator| operator.name).collect();
    let wanted = |name: &str| asked.contains(name);
    let mut made = Vec::new();
    let view = view::View::new(body, around);
    for place in view.places() {
        sufficient::collect(&view, &place, &wanted, &mut made);
        literals::collect(&view, &place, &wanted, &mut made);
        statements::collect(&view, &place, &wanted, &mut made);
        deletion::collect(&view, &place, &wanted, &mut made);
    }
    if view.cxx {
        cxx::collect(body, around, &wanted, &mut made);
    }
    let rank = |change: &Change| all().iter().position(|operator| operator.name == change.operator);
    let place = |change: &Change| change.edits.first().map(|edit| (edit.start, edit.end));
    // A stable sort: the changes of one operator at one place keep their order.
    made.sort_by_cached_key(|change| (place(change), rank(change)));
    let mut seen = HashSet::new();
    made.retain(|change| {
        let Some(key) = essence(change, around.source) else { return false };
        !cuts_directive(change, around.source) && seen.insert(key)
    });
    made
}

/// A change reduced to the text that differs, independent of how its edits are written. `None` if only space changes.
fn essence(change: &Change, source: &[u8]) -> Option<(usize, usize, Vec<u8>)> {
    let start = change.edits.first()?.start as usize;
    let mut end = change.edits.last()?.end as usize;
    let mut new = Vec::new();
    let mut at = start;
    for edit in &change.edits {
        new.extend_from_slice(source.get(at..edit.start as usize)?);
        new.extend_from_slice(&edit.text);
        at = edit.end as usize;
    }
    if words(source.get(start..end)?) == words(&new) {
        return None;
    }
    // The common prefix of both texts may extend past the edits.
    let mut same = 0;
    loop {
        let old = source.get(start + same);
        let behind = |at: usize| source.get(end + at);
        let changed = if same < new.len() { new.get(same) } else { behind(same - new.len()) };
        if old.is_none() || old != changed {
            break;
        }
        same += 1;
    }
    if same > new.len() {
        let more = same - new.len();
        new.extend_from_slice(source.get(end..end + more)?);
        end += more;
    }
    if start + same > end {
        let more = start + same - end;
        new.extend_from_slice(source.get(end..end + more)?);
        end += more;
    }
    let start = start + same;
    new.drain(..same.min(new.len()));
    while start < end && new.last().is_some() && new.last() == source.get(end - 1) {
        new.pop();
        end -= 1;
    }
    Some((start, end, new))
}

/// The words of a text.
fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// Whether an edit removes a preprocessor directive, or its text contains one, or edits are in different groups of
/// `#if`: with other macros, half of the change would remain.
fn cuts_directive(change: &Change, source: &[u8]) -> bool {
    let mut at = change.edits.first().map_or(0, |edit| edit.start as usize);
    change.edits.iter().any(|edit| {
        let (start, end) = (edit.start as usize, edit.end as usize);
        let (between, removed) = (source.get(at..start), source.get(start..end));
        at = end;
        directives(removed.unwrap_or_default()).next().is_some()
            || directives(&edit.text).next().is_some()
            || !is_whole(between.unwrap_or_default())
    })
}

/// The preprocessor directives that start in a text: the part after the `#`.
fn directives(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| *byte == b'\n').skip(1);
    lines.filter_map(|line| Some(line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start()))
}

/// Every group of `#if` that starts in a text ends in it, and vice versa.
fn is_whole(text: &[u8]) -> bool {
    let mut depth = 0;
    for directive in directives(text) {
        if directive.starts_with(b"if") {
            depth += 1;
        } else if directive.starts_with(b"el") && depth == 0 {
            return false;
        } else if directive.starts_with(b"endif") {
            depth -= 1;
            if depth < 0 {
                return false;
            }
        }
    }
    depth == 0
}
