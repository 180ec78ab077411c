//! Numbers of tests in C by the names that the unit gives them: `ERR_CHECKSUM` for 203, where its body returns or
//! assigns that enumerator or macro, and `.kind = TOKEN_END`, where it compares that member with it.

use crate::generate::expect::{Check, CheckKind, TestBody};
use crate::lex::{self, Kind};
use crate::model::{Extent, Function, Language, Model};
use crate::plan::Entry;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the names into the checks and the statements before the call, where the test sees the file that defines
/// them. Gives these files.
pub(super) fn name(
    model: &Model,
    entry: &Entry,
    unit: &Function,
    is_seen: &dyn Fn(&Path) -> bool,
    body: &mut TestBody,
) -> Vec<PathBuf> {
    if unit.language != Language::C {
        return Vec::new();
    }
    let callee = model.functions.get(&entry.callee);
    let bodies: Vec<Vec<u8>> = std::iter::once(unit)
        .chain(callee.filter(|callee| callee.usr != unit.usr))
        .filter_map(|function| text(&function.definition.as_ref()?.extent))
        .collect();
    let mut headers = Vec::new();
    let given = Constants::of(model, is_seen, bodies.iter().flat_map(|body| names_given(body)));
    for check in &mut body.checks {
        let Check::Equal { actual, expected, kind: CheckKind::Int } = check else { continue };
        if let Some(constant) = given.named(actual, expected) {
            expected.clone_from(&constant.name);
            headers.push(constant.file.clone());
        }
    }
    let compared = Constants::of(model, is_seen, bodies.iter().flat_map(|body| names_compared(body)));
    for statement in body.setup.iter_mut().chain(&mut body.values) {
        let Some((to, value)) = statement.strip_suffix(';').and_then(|statement| statement.split_once(" = ")) else {
            continue;
        };
        if let Some(constant) = compared.named(to, value) {
            *statement = format!("{to} = {};", constant.name);
            headers.push(constant.file.clone());
        }
    }
    if let Some(args) = callee.and_then(|callee| plain_arguments(&body.call, callee)) {
        let constants: Vec<_> = args.iter().map(|(param, value)| compared.named(param, value)).collect();
        let named = constants.iter().zip(&args).map(|(known, (_, value))| known.map_or(*value, |known| &known.name));
        let named = named.collect::<Vec<_>>().join(", ");
        headers.extend(constants.into_iter().flatten().map(|constant| constant.file.clone()));
        let open = body.call.find('(').unwrap_or_default();
        body.call = format!("{}({named})", &body.call[..open]);
    }
    headers
}

/// The arguments of a call by the names of the parameters, where no argument is a call or a text itself.
fn plain_arguments<'c>(call: &'c str, callee: &'c Function) -> Option<Vec<(&'c str, &'c str)>> {
    let (_, list) = call.strip_suffix(')')?.split_once('(')?;
    let args: Vec<&str> = list.split(", ").collect();
    let is_plain = !list.contains(['(', ')', '"', '\'', '{']) && args.len() == callee.params.len();
    is_plain.then(|| callee.params.iter().map(|param| param.name.as_str()).zip(args).collect())
}

/// Constants by the place that holds them and their number.
#[derive(Default)]
struct Constants(BTreeMap<(String, i128), Option<Constant>>);

impl Constants {
    /// Two names of one number say nothing.
    fn of(model: &Model, is_seen: &dyn Fn(&Path) -> bool, all: impl IntoIterator<Item = Given>) -> Self {
        let mut found = Self::default();
        for Given { to, name } in all {
            let Some((value, constant)) =
                enumerator(model, is_seen, &name).or_else(|| object_like(model, is_seen, &name))
            else {
                continue;
            };
            let place = found.0.entry((to, value)).or_insert_with(|| Some(constant.clone()));
            *place = place.take().filter(|one| one.name == constant.name);
        }
        found
    }

    /// The constant for a number that stands where `place` names it by its last word.
    fn named(&self, place: &str, number: &str) -> Option<&Constant> {
        let number = number.trim_end_matches(['u', 'U', 'l', 'L']).parse::<i128>().ok()?;
        let to = place.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        self.0.get(&(to.to_owned(), number))?.as_ref()
    }
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
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Given {
    to: String,
    name: String,
}

fn text(at: &Extent) -> Option<Vec<u8>> {
    Some(fs::read(&at.file).ok()?.get(at.start as usize..at.end as usize)?.to_vec())
}

/// The names that members and parameters are compared with: by `==` and `!=`, or as cases.
fn names_compared(body: &[u8]) -> Vec<Given> {
    let tokens = lex::tokens(body);
    let text = |token: &lex::Token| String::from_utf8_lossy(token.text(body)).into_owned();
    let mut found = Vec::new();
    // What the statements around are about, with the braces around each.
    let mut switches: Vec<(usize, Option<String>)> = Vec::new();
    let mut braces = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let compared = |to: &lex::Token, name: &lex::Token| {
            let are_words = to.kind == Kind::Word && name.kind == Kind::Word;
            are_words.then(|| Given { to: text(to), name: text(name) })
        };
        match token.text(body) {
            b"{" => braces += 1,
            b"}" => {
                braces = braces.saturating_sub(1);
                switches.retain(|(around, _)| *around < braces);
            }
            b"switch" => {
                let subject = tokens[at..].windows(3).find(|three| three[1].is(body, ")") && three[2].is(body, "{"));
                let subject = subject.filter(|three| three[0].kind == Kind::Word).map(|three| text(&three[0]));
                switches.push((braces, subject));
            }
            b"case" => {
                let to = switches.last().and_then(|(_, subject)| subject.clone());
                let is_name = |name: &&lex::Token| {
                    name.kind == Kind::Word && tokens.get(at + 2).is_some_and(|behind| behind.is(body, ":"))
                };
                found.extend(to.zip(next.filter(is_name)).map(|(to, name)| Given { to, name: text(name) }));
            }
            b"==" | b"!=" if at > 0 => {
                let is_step = |at: usize| tokens.get(at).is_some_and(|step| step.is(body, "->") || step.is(body, "."));
                let last = (at + 1..).step_by(2).find(|at| !is_step(at + 1)).and_then(|last| tokens.get(last));
                let (Some(next), Some(last)) = (next, last) else { continue };
                found.extend(compared(&tokens[at - 1], next).filter(|_| next == last));
                found.extend(compared(last, &tokens[at - 1]));
            }
            _ => {}
        }
    }
    found
}

/// The names that a body returns, or assigns.
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

    #[test]
    fn names_that_a_body_compares_with_belong_to_the_member_or_parameter() {
        let body = b"{ if (END == p->token || mode != MODE_FAST) return; switch (q->state) { case OPEN: { break; } \
                     case 3: case (SHUT): switch (f(x)) { case A: } case DONE: g(); } switch (kind) { case K: } }";
        let found: Vec<_> = names_compared(body).into_iter().map(|given| (given.to, given.name)).collect();
        let pairs = [
            ("token", "END"),
            ("mode", "MODE_FAST"),
            ("MODE_FAST", "mode"),
            ("state", "OPEN"),
            ("state", "DONE"),
            ("kind", "K"),
        ];
        assert_eq!(found, pairs.map(|(to, name)| (to.to_owned(), name.to_owned())));
    }
}
