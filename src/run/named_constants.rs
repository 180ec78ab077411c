//! Numbers of tests in C by the names that the unit gives them: `ERR_CHECKSUM` for 203, where its body returns or
//! assigns that enumerator.

use crate::generate::expect::{Check, CheckKind, TestBody};
use crate::lex::{self, Kind};
use crate::model::{Enum, Extent, Function, Language, Model};
use crate::plan::Entry;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the names into the checks, where the test sees the file that defines them. Gives these files.
pub(super) fn name(
    model: &Model,
    entry: &Entry,
    unit: &Function,
    is_seen: &dyn Fn(&Path) -> bool,
    body: &mut TestBody,
) -> Vec<PathBuf> {
    let is_number = |check: &Check| matches!(check, Check::Equal { kind: CheckKind::Int, .. });
    if unit.language != Language::C || !body.checks.iter().any(is_number) {
        return Vec::new();
    }
    let callee = model.functions.get(&entry.callee).filter(|callee| callee.usr != unit.usr);
    let bodies = std::iter::once(unit).chain(callee).filter_map(|function| Some(&function.definition.as_ref()?.extent));
    let given: Vec<Given> = bodies.flat_map(given).collect();
    let mut known: BTreeMap<(&str, i128), Option<(&str, &Enum)>> = BTreeMap::new();
    for of in model.enums.values().filter(|of| of.definition.as_ref().is_some_and(|at| is_seen(&at.file))) {
        for (name, value) in &of.enumerators {
            for given in given.iter().filter(|given| given.name == *name) {
                // Two names of one number say nothing.
                let place = known.entry((&given.to, *value)).or_insert(Some((name, of)));
                *place = place.filter(|(one, _)| one == name);
            }
        }
    }
    let mut headers = Vec::new();
    for check in &mut body.checks {
        let Check::Equal { actual, expected, kind: CheckKind::Int } = check else { continue };
        let Ok(number) = expected.trim_end_matches(['u', 'U', 'l', 'L']).parse::<i128>() else { continue };
        let to = actual.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if let Some(Some((name, of))) = known.get(&(to, number)) {
            *expected = (*name).to_owned();
            headers.extend(of.definition.iter().map(|at| at.file.clone()));
        }
    }
    headers
}

/// A name that a body gives to its caller, and what a test calls the place.
#[derive(Debug, PartialEq)]
struct Given {
    to: String,
    name: String,
}

/// The names that a body returns, or assigns.
fn given(at: &Extent) -> Vec<Given> {
    let text = fs::read(&at.file).unwrap_or_default();
    names_given(text.get(at.start as usize..at.end as usize).unwrap_or_default())
}

fn names_given(body: &[u8]) -> Vec<Given> {
    let tokens = lex::tokens(body);
    let text = |token: &lex::Token| String::from_utf8_lossy(token.text(body)).into_owned();
    let is_one_of = |token: &lex::Token, signs: &[&str]| signs.iter().any(|sign| token.is(body, sign));
    let mut found = Vec::new();
    // What the statement gives its value to.
    let mut to: Option<String> = None;
    // Within parentheses are conditions and arguments of calls.
    let mut depth = 0_i32;
    for three in tokens.windows(3) {
        let [before, token, behind] = three else { continue };
        depth += i32::from(before.is(body, "(")) - i32::from(before.is(body, ")"));
        if is_one_of(before, &[";", "{", "}"]) {
            to = None;
        }
        if depth > 0 {
            continue;
        }
        if token.is(body, "=") && before.kind == Kind::Word {
            to = Some(text(before));
        } else if before.is(body, "return") {
            to = Some("result".to_owned());
        }
        let is_value =
            token.kind == Kind::Word && is_one_of(before, &["return", "=", "?", ":"]) && is_one_of(behind, &[";", ":"]);
        found.extend(to.clone().filter(|_| is_value).map(|to| Given { to, name: text(token) }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_body_gives_are_told_from_those_that_it_compares_with() {
        let body = b"{ if (x == BLUE) return ERR_BLUE; *code = ERR_NONE; y = RED + 1; z = RED - BLUE; \
                     *code = is ? ERR_NONE : ERR_TWO; return is ? A : f(is ? B : C); }";
        let given = |to: &str, name: &str| Given { to: to.into(), name: name.into() };
        let expected = [
            given("result", "ERR_BLUE"),
            given("code", "ERR_NONE"),
            given("code", "ERR_NONE"),
            given("code", "ERR_TWO"),
            given("result", "A"),
        ];
        assert_eq!(names_given(body), expected);
    }
}
