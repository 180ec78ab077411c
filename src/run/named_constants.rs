//! Numbers of tests in C by the names that the unit gives them: `ERR_CHECKSUM` for 203, where its body returns or
//! assigns that enumerator or macro.

use crate::generate::expect::{Check, CheckKind, TestBody};
use crate::lex::{self, Kind};
use crate::model::{Extent, Function, Language, Model};
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
    // Two names of one number say nothing.
    let mut known: BTreeMap<(&str, i128), Option<Constant>> = BTreeMap::new();
    for given in &given {
        let Some((value, constant)) =
            enumerator(model, is_seen, &given.name).or_else(|| object_like(model, is_seen, &given.name))
        else {
            continue;
        };
        let place = known.entry((&given.to, value)).or_insert_with(|| Some(constant.clone()));
        *place = place.take().filter(|one| one.name == constant.name);
    }
    let mut headers = Vec::new();
    for check in &mut body.checks {
        let Check::Equal { actual, expected, kind: CheckKind::Int } = check else { continue };
        let Ok(number) = expected.trim_end_matches(['u', 'U', 'l', 'L']).parse::<i128>() else { continue };
        let to = actual.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if let Some(Some(constant)) = known.get(&(to, number)) {
            expected.clone_from(&constant.name);
            headers.push(constant.file.clone());
        }
    }
    headers
}

/// A name of a number, with the file that defines it.
#[derive(Clone, Debug, PartialEq)]
struct Constant {
    name: String,
    file: PathBuf,
}

fn enumerator(model: &Model, is_seen: &dyn Fn(&Path) -> bool, name: &str) -> Option<(i128, Constant)> {
    model.enums.values().find_map(|of| {
        let file = of.definition.as_ref().map(|at| &at.file).filter(|file| is_seen(file))?;
        let (name, value) = of.enumerators.iter().find(|(known, _)| known == name)?;
        Some((*value, Constant { name: name.clone(), file: file.clone() }))
    })
}

/// A macro that is a number wherever it is defined: `#define ERR_CHECKSUM (203)`.
fn object_like(model: &Model, is_seen: &dyn Fn(&Path) -> bool, name: &str) -> Option<(i128, Constant)> {
    let mut found: Option<(i128, Constant)> = None;
    for (file, source) in model.files.iter().filter(|(file, _)| is_seen(file)) {
        for (_, offset) in source.macros.iter().filter(|(known, _)| known == name) {
            let text = fs::read(file).ok()?;
            let value = number_behind(text.get(*offset as usize..)?, name)?;
            if found.as_ref().is_some_and(|(known, _)| *known != value) {
                return None;
            }
            found = Some((value, Constant { name: name.to_owned(), file: file.clone() }));
        }
    }
    found
}

/// The number that follows a macro's name in its line, in parentheses or not.
fn number_behind(text: &[u8], name: &str) -> Option<i128> {
    let line = text.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let (_, value) = line.split_once(name)?;
    let value = value.split("/*").next()?.split("//").next()?.trim();
    let value = value.strip_prefix('(').map_or(Some(value), |inner| inner.strip_suffix(')'))?.trim();
    let value = value.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, base) = match value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if value.len() > 1 && value.starts_with('0') => (value, 8),
        None => (value, 10),
    };
    i128::from_str_radix(digits, base).ok()
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
    fn a_macro_is_a_number_where_its_line_says_no_more() {
        assert_eq!(number_behind(b"ERR_FULL (203)  /* no room */\n#define X 2\n", "ERR_FULL"), Some(203));
        assert_eq!(number_behind(b"ERR_FULL -7\n", "ERR_FULL"), Some(-7));
        assert_eq!(number_behind(b"ERR_FULL 0x10u // full\n", "ERR_FULL"), Some(16));
        assert_eq!(number_behind(b"ERR_FULL 010\n", "ERR_FULL"), Some(8));
        for other in ["ERR_FULL (BASE + 3)", "ERR_FULL(x) 3", "ERR_FULL", "ERR_FULL \"3\""] {
            assert_eq!(number_behind(other.as_bytes(), "ERR_FULL"), None, "{other}");
        }
    }

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
