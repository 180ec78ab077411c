//! The mutation operators: from the syntax tree of a body to changes.
//!
//! An operator looks at the tree and at the model, never at text within macros; it keeps the types, so that its
//! mutants compile. `docs/operators.md` has every operator with its source.

mod binding;
mod context;
mod cxx;
mod deletion;
mod flow;
#[cfg(test)]
mod flow_tests;
mod kinds;
mod literals;
mod operator;
mod site;
mod statements;
mod sufficient;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use crate::mutant::made::{Change, splice};
use crate::tree::Body;
use site::{Edits, Scene, Site};
use std::collections::HashSet;

pub use operator::{Group, Operator, Surroundings};

/// An operator with its implementation, which makes the changes of one node.
struct Rule {
    operator: Operator,
    make: fn(&Site<'_>, &mut Edits<'_>),
}

const fn rule(name: &'static str, group: Group, make: fn(&Site<'_>, &mut Edits<'_>)) -> Rule {
    Rule { operator: Operator { name, group }, make }
}

const RULES: &[Rule] = &[
    rule("ABS", Group::Sufficient, sufficient::abs),
    rule("AOR", Group::Sufficient, sufficient::aor),
    rule("ICR", Group::Sufficient, literals::icr),
    rule("LCR", Group::Sufficient, sufficient::lcr),
    rule("ROR", Group::Sufficient, sufficient::ror),
    rule("UOI", Group::Sufficient, sufficient::uoi),
    rule("SDL", Group::Sufficient, statements::sdl),
    rule("AOD", Group::Deletion, deletion::aod),
    rule("LOD", Group::Deletion, deletion::lod),
    rule("ROD", Group::Deletion, deletion::rod),
    rule("BOD", Group::Deletion, deletion::bod),
    rule("SOD", Group::Deletion, deletion::sod),
    rule("LVR", Group::Deletion, literals::lvr),
    rule("IOD", Group::Cxx, cxx::inheritance::iod),
    rule("IOP", Group::Cxx, cxx::inheritance::iop),
    rule("ISI", Group::Cxx, cxx::inheritance::isi),
    rule("ISD", Group::Cxx, cxx::inheritance::isd),
    rule("PNC", Group::Cxx, cxx::construction::pnc),
    rule("IPC", Group::Cxx, cxx::construction::ipc),
    rule("CID", Group::Cxx, cxx::construction::cid),
    rule("CIS", Group::Cxx, cxx::construction::cis),
    rule("CTD", Group::Cxx, cxx::calls::ctd),
    rule("CAD", Group::Cxx, cxx::calls::cad),
    rule("OAN", Group::Cxx, cxx::overloads::oan),
    rule("OAO", Group::Cxx, cxx::overloads::oao),
    rule("OMR", Group::Cxx, cxx::overloads::omr),
    rule("OCC", Group::Cxx, cxx::overloads::occ),
    rule("OOR", Group::Cxx, cxx::overloads::oor),
    rule("EAM", Group::Cxx, cxx::calls::eam),
    rule("EMM", Group::Cxx, cxx::calls::emm),
    rule("MCO", Group::Cxx, cxx::calls::mco),
    rule("TSD", Group::Cxx, cxx::exceptions::tsd),
    rule("EHR", Group::Cxx, cxx::exceptions::ehr),
    rule("EHC", Group::Cxx, cxx::exceptions::ehc),
    rule("EXS", Group::Cxx, cxx::exceptions::exs),
    rule("LIB", Group::Cxx, cxx::library::lib),
    rule("BES", Group::Cxx, cxx::library::bes),
    rule("NCN", Group::Cxx, cxx::library::ncn),
    rule("MVD", Group::Cxx, cxx::modern::mvd),
    rule("FWD", Group::Cxx, cxx::modern::fwd),
    rule("FOR", Group::Cxx, cxx::modern::range_for),
    rule("LMB", Group::Cxx, cxx::modern::lmb),
    rule("INI", Group::Cxx, cxx::modern::ini),
];

/// All operators, in the order in which they are documented.
pub fn all() -> Vec<Operator> {
    RULES.iter().map(|rule| rule.operator).collect()
}

/// The changes of one body by the requested operators, without duplicates, in order of place.
///
/// If two operators produce the same text, the one listed first keeps it.
pub fn changes(body: &Body, around: &Surroundings<'_>, wanted: &dyn Fn(&Operator) -> bool) -> Vec<Change> {
    let Some(scene) = Scene::new(body, around) else { return Vec::new() };
    let suits = |operator: &Operator| wanted(operator) && (scene.cxx || operator.group != Group::Cxx);
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| suits(&rule.operator)).collect();
    let mut made = Vec::new();
    scene.visit(&mut |site| {
        for rule in &rules {
            (rule.make)(site, &mut Edits { operator: rule.operator.name, out: &mut made });
        }
    });
    let rank = |change: &Change| RULES.iter().position(|rule| rule.operator.name == change.operator);
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
    let edits = change.edits.iter().map(|edit| (edit.start, edit.end, &edit.text));
    let mut new = splice(source, (start as u32, end as u32), edits);
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
