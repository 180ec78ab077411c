//! Numbers of tests in C by the names that the unit gives them: `ERR_CHECKSUM` for 203, where its body returns or
//! assigns that enumerator.

use crate::generate::expect::{Check, CheckKind, TestBody};
use crate::lex::{self, Kind};
use crate::model::{Enum, Extent, Function, Language, Model};
use crate::plan::Entry;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// What stands before a value that a body gives to its caller.
const GIVES: [&str; 4] = ["return", "=", "?", ":"];

/// Writes the names into the checks. Gives the headers that define them.
pub(super) fn name(model: &Model, entry: &Entry, unit: &Function, body: &mut TestBody) -> Vec<PathBuf> {
    let is_number = |check: &Check| matches!(check, Check::Equal { kind: CheckKind::Int, .. });
    if unit.language != Language::C || !body.checks.iter().any(is_number) {
        return Vec::new();
    }
    let callee = model.functions.get(&entry.callee).filter(|callee| callee.usr != unit.usr);
    let bodies = std::iter::once(unit).chain(callee).filter_map(|function| Some(&function.definition.as_ref()?.extent));
    let given: Vec<String> = bodies.flat_map(given).collect();
    let mut known: BTreeMap<i128, Option<(&str, &Enum)>> = BTreeMap::new();
    for of in model.enums.values().filter(|of| of.definition.is_some()) {
        for (name, value) in of.enumerators.iter().filter(|(name, _)| given.contains(name)) {
            // Two names of one number say nothing.
            let place = known.entry(*value).or_insert(Some((name, of)));
            *place = place.filter(|(one, _)| one == name);
        }
    }
    let mut headers = Vec::new();
    for check in &mut body.checks {
        let Check::Equal { expected, kind: CheckKind::Int, .. } = check else { continue };
        let number = expected.trim_end_matches(['u', 'U', 'l', 'L']).parse();
        if let Some((name, of)) = number.ok().and_then(|number: i128| *known.get(&number)?) {
            *expected = name.to_owned();
            headers.extend(of.definition.iter().map(|at| at.file.clone()));
        }
    }
    headers
}

/// The names that a body returns or assigns.
fn given(at: &Extent) -> Vec<String> {
    let text = fs::read(&at.file).unwrap_or_default();
    names_given(text.get(at.start as usize..at.end as usize).unwrap_or_default())
}

fn names_given(body: &[u8]) -> Vec<String> {
    let tokens = lex::tokens(body);
    let text = |token: &lex::Token| String::from_utf8_lossy(token.text(body)).into_owned();
    let triples = tokens.windows(3).filter(|three| {
        let ends = [";", ":", "?", ","].iter().any(|end| three[2].is(body, end));
        three[1].kind == Kind::Word && ends && GIVES.iter().any(|gives| three[0].is(body, gives))
    });
    triples.map(|three| text(&three[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_body_gives_are_told_from_those_that_it_compares_with() {
        let body = b"{ if (x == BLUE) return ERR_BLUE; *code = x > 1 ? ERR_NONE : ERR_ONE; y = RED + 1; return 0; }";
        assert_eq!(names_given(body), ["ERR_BLUE", "ERR_NONE", "ERR_ONE"]);
    }
}
