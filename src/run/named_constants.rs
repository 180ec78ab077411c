//! Numbers of tests in C by the names that the unit gives them: `ERR_CHECKSUM` for 203, where its body returns or
//! assigns that enumerator or macro, and `.kind = TOKEN_END`, where it compares that member with it.

use crate::generate::expect::{Check, CheckKind, TestBody};
use crate::lex::{self, Kind};
use crate::model::{Extent, Function, Language, Model};
use crate::plan::Entry;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
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
    let through = callee.filter(|callee| callee.usr != unit.usr);
    let body_of = |function: &Function| text(&function.definition.as_ref()?.extent);
    let bodies: Vec<Vec<u8>> = std::iter::once(unit).chain(through).filter_map(body_of).collect();
    let mut headers = Vec::new();
    let given = Constants::of(model, is_seen, bodies.iter().flat_map(|body| names_given(body)));
    for check in &mut body.checks {
        let Check::Equal { actual, expected, kind: CheckKind::Int } = check else { continue };
        if let Some(constant) = given.named(last_word(actual), expected) {
            expected.clone_from(&constant.name);
            headers.push(constant.file.clone());
        }
    }
    // (Of parameters only those that the test passes are meant.)
    let compared = callee.and_then(body_of).map(|body| names_compared(&body)).unwrap_or_default();
    let compared = Constants::of(model, is_seen, compared);
    for statement in &mut body.setup {
        let Some((to, value)) = statement.strip_suffix(';').and_then(|statement| statement.split_once(" = ")) else {
            continue;
        };
        // (`int encoding = 1;` for what the body looks at as `*encoding`.)
        let passed = last_word(to);
        let is_passed = to.contains(' ') && body.call.contains(&format!("&{passed}"));
        let places = [to.replace("->", "."), format!("*{passed}")];
        let place = &places[usize::from(is_passed)];
        if let Some(constant) = compared.named(place, value) {
            *statement = format!("{to} = {};", constant.name);
            headers.push(constant.file.clone());
        }
    }
    let arguments = callee.map_or_else(Vec::new, |callee| arguments(&body.call, callee));
    for (param, at) in arguments.into_iter().rev() {
        if let Some(constant) = compared.named(param, &body.call[at.clone()]) {
            body.call.replace_range(at, &constant.name);
            headers.push(constant.file.clone());
        }
    }
    headers
}

fn last_word(place: &str) -> &str {
    place.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The arguments of a call that are single numbers, by the names of the parameters.
pub(super) fn arguments<'c>(call: &str, callee: &'c Function) -> Vec<(&'c str, Range<usize>)> {
    let text = call.as_bytes();
    let tokens = lex::tokens(text);
    let (mut place, mut depth, mut found) = (0, 0_usize, Vec::new());
    for three in tokens.windows(3) {
        let [before, token, behind] = three else { continue };
        depth += usize::from(["(", "[", "{"].iter().any(|open| before.is(text, open)));
        depth = depth.saturating_sub(usize::from([")", "]", "}"].iter().any(|close| before.is(text, close))));
        place += usize::from(depth == 1 && before.is(text, ","));
        let is_alone =
            [",", "("].iter().any(|sign| before.is(text, sign)) && (behind.is(text, ",") || behind.is(text, ")"));
        if depth == 1 && is_alone && token.kind == Kind::Number && !found.iter().any(|(known, _)| *known == place) {
            found.push((place, token.start as usize..token.end as usize));
        }
    }
    let named = |(place, at): (usize, Range<usize>)| Some((callee.params.get(place)?.name.as_str(), at));
    found.into_iter().filter_map(named).collect()
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

    /// The constant for a number that stands at `place`.
    fn named(&self, place: &str, number: &str) -> Option<&Constant> {
        let number = number.trim_end_matches(['u', 'U', 'l', 'L']).parse::<i128>().ok()?;
        self.0.get(&(place.to_owned(), number))?.as_ref()
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

pub(super) fn text(at: &Extent) -> Option<Vec<u8>> {
    Some(fs::read(&at.file).ok()?.get(at.start as usize..at.end as usize)?.to_vec())
}

/// What the `switch` statements around a token are about.
#[derive(Default)]
pub(super) struct Switches {
    /// With the number of braces around each; none where it is more than a path.
    open: Vec<(usize, Option<String>)>,
    braces: usize,
}

impl Switches {
    /// Goes past a token; `subject` is the path behind a `switch`, asked for there alone.
    pub(super) fn pass(&mut self, word: &[u8], subject: impl FnOnce() -> Option<String>) {
        match word {
            b"{" => self.braces += 1,
            b"}" => {
                self.braces = self.braces.saturating_sub(1);
                self.open.retain(|(around, _)| *around < self.braces);
            }
            b"switch" => self.open.push((self.braces, subject())),
            _ => {}
        }
    }

    /// What the innermost one is about.
    pub(super) fn subject(&self) -> Option<String> {
        self.open.last().and_then(|(_, subject)| subject.clone())
    }
}

/// The names that parameters and their members are compared with, by paths such as `p.token`: by `==` and `!=`, or as
/// cases. Where an operand is more than a path or a name, nothing is known of it.
fn names_compared(body: &[u8]) -> Vec<Given> {
    let tokens = lex::tokens(body);
    let is_one_of =
        |at: Option<&lex::Token>, signs: &[&str]| at.is_some_and(|token| signs.iter().any(|sign| token.is(body, sign)));
    let mut found = Vec::new();
    let mut switches = Switches::default();
    for (at, token) in tokens.iter().enumerate() {
        switches.pass(token.text(body), || {
            let is_behind = is_one_of(tokens.get(at + 2), &["*"]);
            let path = path_from(body, &tokens, at + 2 + usize::from(is_behind));
            let (path, _) = path.filter(|(_, end)| is_one_of(tokens.get(*end), &[")"]))?;
            Some(if is_behind { format!("*{path}") } else { path })
        });
        match token.text(body) {
            b"case" => {
                let to = switches.subject();
                let name = path_from(body, &tokens, at + 1).filter(|(_, end)| is_one_of(tokens.get(*end), &[":"]));
                found.extend(to.zip(name).map(|(to, (name, _))| Given { to, name }));
            }
            b"==" | b"!=" => {
                let Some(begin) = path_before(body, &tokens, at) else { continue };
                let is_behind = begin > 0 && is_one_of(tokens.get(begin - 1), &["*"]);
                let first = begin - usize::from(is_behind);
                let is_whole =
                    first == 0 || is_one_of(tokens.get(first - 1), &["(", "&&", "||", "?", "{", "return", "="]);
                let (left, right) = (path_from(body, &tokens, begin), path_from(body, &tokens, at + 1));
                let (Some((left, _)), Some((right, end)), true) = (left, right, is_whole) else { continue };
                let left = if is_behind { format!("*{left}") } else { left };
                if is_one_of(tokens.get(end), &[")", "&&", "||", "?", ";", ":"]) {
                    found.push(Given { to: right.clone(), name: left.clone() });
                    found.push(Given { to: left, name: right });
                }
            }
            _ => {}
        }
    }
    // A name is no path.
    found.retain(|given| !given.name.contains(['.', '*']));
    found
}

fn is_step(body: &[u8], token: Option<&lex::Token>) -> bool {
    token.is_some_and(|token| token.is(body, "->") || token.is(body, "."))
}

/// The path `a.b` that begins at a token, and the token behind it.
pub(super) fn path_from(body: &[u8], tokens: &[lex::Token], from: usize) -> Option<(String, usize)> {
    let word = |at: usize| tokens.get(at).filter(|token| token.kind == Kind::Word);
    let mut path = String::from_utf8_lossy(word(from)?.text(body)).into_owned();
    let mut at = from + 1;
    while is_step(body, tokens.get(at)) {
        path = format!("{path}.{}", String::from_utf8_lossy(word(at + 1)?.text(body)));
        at += 2;
    }
    Some((path, at))
}

/// The token that the path begins with which ends before a token.
pub(super) fn path_before(body: &[u8], tokens: &[lex::Token], end: usize) -> Option<usize> {
    let mut at = end.checked_sub(1)?;
    while tokens[at].kind == Kind::Word && at >= 2 && is_step(body, tokens.get(at - 1)) {
        at -= 2;
    }
    (tokens[at].kind == Kind::Word).then_some(at)
}

/// The tokens with `return NAME;` for `return (NAME);`.
fn without_parentheses(body: &[u8], mut tokens: Vec<lex::Token>) -> Vec<lex::Token> {
    let is_around = |five: &[lex::Token]| {
        let is = |at: usize, sign: &str| five[at].is(body, sign);
        is(0, "return") && is(1, "(") && five[2].kind == Kind::Word && is(3, ")") && is(4, ";")
    };
    let found: Vec<usize> = (0..tokens.len().saturating_sub(4)).filter(|at| is_around(&tokens[*at..at + 5])).collect();
    for at in found.into_iter().rev() {
        tokens.remove(at + 3);
        tokens.remove(at + 1);
    }
    tokens
}

/// The names that a body returns, or assigns.
fn names_given(body: &[u8]) -> Vec<Given> {
    let tokens = without_parentheses(body, lex::tokens(body));
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
                     *code = is ? ERR_NONE : ERR_TWO; return is ? A : f(is ? B : C); return (D); return (D + 1); }";
        let given = |to: &str, name: &str| Given { to: to.into(), name: name.into() };
        let expected = [
            given("result", "ERR_BLUE"),
            given("code", "ERR_NONE"),
            given("code", "ERR_NONE"),
            given("code", "ERR_TWO"),
            given("result", "A"),
            given("result", "D"),
        ];
        assert_eq!(names_given(body), expected);
    }

    #[test]
    fn names_that_a_body_compares_with_belong_to_the_member_or_parameter() {
        let body = b"{ if (END == p->token || mode != MODE_FAST) return; \
                     if (used + need == CAPACITY || *at == LAST || i == N + 1) return; \
                     switch (c - base) { case FIRST: break; } switch (q->state) { case OPEN: { break; } \
                     case 3: case (SHUT): switch (f(x)) { case A: } case DONE: g(); } switch (kind) { case K: } \
                     switch (*as) { case WIDE: } if (*as != NARROW || 2 * n == FEW) return; }";
        let found: Vec<_> = names_compared(body).into_iter().map(|given| (given.to, given.name)).collect();
        let pairs = [
            ("p.token", "END"),
            ("MODE_FAST", "mode"),
            ("mode", "MODE_FAST"),
            ("*at", "LAST"),
            ("q.state", "OPEN"),
            ("q.state", "DONE"),
            ("kind", "K"),
            ("*as", "WIDE"),
            ("*as", "NARROW"),
        ];
        assert_eq!(found, pairs.map(|(to, name)| (to.to_owned(), name.to_owned())));
    }
}
