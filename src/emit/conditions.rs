//! What is special about a test's inputs, in words for its name: `for_6_colon`, `with_longitude_1000`. What a minimised
//! input is not zero in, or empty, is what the mutant needs; and so is an argument that the changed line names.

use super::lines::declared;
use super::render::has_word;
use super::{Check, CheckKind, TestCase, comment, naming};
use std::collections::BTreeSet;

/// The longest condition.
const LONGEST: usize = 40;
/// More values than these are no condition that a name could tell.
const MOST: usize = 2;
/// The longest number that a name tells; `exactly` tells longer ones.
const MOST_DIGITS: usize = 6;
/// The most groups of equal signs of a text that a name spells out.
const SIGNS: usize = 2;
/// How many of a kind there are, from two on.
const COUNTS: [&str; 4] = ["two", "three", "four", "five"];

/// A value of a test, in words.
#[derive(Clone, Debug, PartialEq)]
struct Value {
    /// Of what, if that has a name.
    of: Option<String>,
    /// The literal.
    text: String,
    words: String,
    /// It says by itself what it is: a text, an enumerator, null.
    is_plain: bool,
    /// It is zero, empty, or false.
    is_nothing: bool,
    /// The argument is a literal, of a parameter that the changed line names.
    decides: bool,
    /// The argument is a variable that the test looks at afterwards.
    comes_out: bool,
}

impl Value {
    fn is_number(&self) -> bool {
        !self.is_plain && self.words != "true"
    }
}

/// The condition under which the test shows what it shows; none where too much, or nothing, is special, or where only a
/// long number is.
pub(super) fn condition(case: &TestCase) -> Option<String> {
    let is_long = |word: &str| {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        digits.len() > MOST_DIGITS && word.starts_with(|c: char| c.is_ascii_digit())
    };
    told(case, false).filter(|told| !told.split('_').any(is_long))
}

/// The condition, with all digits of its numbers: what tells tests of one name apart.
pub(super) fn exactly(case: &TestCase) -> Option<String> {
    told(case, true)
}

fn told(case: &TestCase, exactly: bool) -> Option<String> {
    let call = case.call.as_ref()?.lines().next()?;
    // (An operator has none.)
    let arguments = arguments(call).unwrap_or_default();
    let lines = comment::change(&case.diff).concat();
    let words = lines.split(|c: char| !c.is_alphanumeric() && c != '_').map(bare);
    let changed: BTreeSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let tells = |check: &Check, name: &str| matches!(check, Check::Equal { actual, .. } if has_word(actual, name));
    let is_only_read = |name: &str| !case.checks.iter().any(|check| tells(check, name));
    let passed: Vec<Option<Value>> = arguments
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let known = case.parameters.get(at);
            let of = known.map(|known| known.name.clone()).filter(|name| !name.is_empty());
            let decides = of.as_deref().is_some_and(|name| changed.contains(bare(name)));
            let value = argument(case, of, text)?;
            let is_least = known.is_some_and(|known| known.least.as_deref() == Some(value.words.as_str()));
            // How long something is says less than what it is, but for that it is empty.
            let counts = known.is_some_and(|known| known.counts) && !decides;
            let is_nothing = value.is_nothing || is_least || counts;
            let decides = decides && value.text == *text || counts && value.is_nothing && arguments.len() > 1;
            Some(Value { is_nothing, decides, comes_out: !is_only_read(text.trim_start_matches('&')), ..value })
        })
        .collect();
    let special = |values: &mut dyn Iterator<Item = Value>| {
        values.filter(|value| value.decides || !value.is_nothing).collect::<Vec<_>>()
    };
    let mut of_call = special(&mut passed.iter().flatten().cloned());
    // Null is what nobody looks at (whoever does has a branch for it, which tells), and what comes out is there to be
    // overwritten, where there is another value.
    of_call.retain(|value| value.words != "null");
    if of_call.iter().any(|value| !value.comes_out) {
        of_call.retain(|value| !value.comes_out);
    }
    let deciding: Vec<Value> = of_call.iter().filter(|value| value.decides).cloned().collect();
    let told = match (of_call.as_slice(), passed.as_slice()) {
        // (A variable may be there to be written.)
        ([], [Some(only)])
            if only.words != "null"
                && (arguments[0] == only.text || is_only_read(arguments[0].trim_start_matches('&'))) =>
        {
            format!("for_{}", only.words)
        }
        ([one], [_]) => format!("for_{}", one.words),
        ([one, other], [_, _]) if one.is_number() && other.is_number() => match one.words == other.words {
            true => format!("for_twice_{}", one.words),
            false => format!("for_{}_and_{}", one.words, other.words),
        },
        (some, _) => {
            let is_passed = |line: &String| {
                declared(line).is_some_and(|name| arguments.iter().any(|text| text.trim_start_matches('&') == name))
            };
            let others = case.statements.iter().filter(|line| !is_passed(line));
            let set: Vec<Value> = special(&mut others.filter_map(|line| set(line)));
            let both = [some, &set].concat();
            // The text that an object has been given tells more than a number beside it.
            let texts: Vec<Value> = both.iter().filter(|value| value.is_plain).cloned().collect();
            // (Only one of the arguments is a text, and it is empty. Null is what nobody looks at, too.)
            let is_empty = |value: &Value| value.words == "empty_text";
            let mut empty = passed.iter().flatten().filter(|value| is_empty(value) && arguments.contains(&value.text));
            let empty = match (both.is_empty(), empty.next(), empty.next()) {
                (true, Some(only), None) => std::slice::from_ref(only),
                _ => &[],
            };
            [&both, some, &deciding, &texts, empty].into_iter().find_map(|values| phrase(values, exactly))?
        }
    };
    (told.len() <= LONGEST).then_some(told)
}

/// A name without the marks of members and parameters.
fn bare(name: &str) -> &str {
    name.strip_prefix("m_").unwrap_or(name).trim_matches('_')
}

/// A few values in words.
fn phrase(values: &[Value], exactly: bool) -> Option<String> {
    if values.is_empty() || values.len() > MOST {
        return None;
    }
    let (plain, named): (Vec<&Value>, Vec<&Value>) = values.iter().partition(|value| value.is_plain);
    let mut told = Vec::new();
    if !plain.is_empty() {
        told.push(format!("for_{}", plain.iter().map(|value| value.words.as_str()).collect::<Vec<_>>().join("_and_")));
    }
    let named: Vec<String> = named
        .iter()
        .map(|value| match (&value.of, value.words.as_str()) {
            (Some(of), "true") => Some(of.clone()),
            (Some(of), words) if words.starts_with("minus_") && !exactly => Some(format!("negative_{of}")),
            (Some(of), words) => Some(format!("{of}_{words}")),
            (None, _) => None,
        })
        .collect::<Option<_>>()?;
    if !named.is_empty() {
        told.push(format!("with_{}", named.join("_and_")));
    }
    Some(told.join("_")).filter(|told| told.len() <= LONGEST)
}

/// An argument of the call: a literal, or a variable that has been given one.
fn argument(case: &TestCase, of: Option<String>, text: &str) -> Option<Value> {
    let name = text.trim_start_matches('&');
    let made = case.statements.iter().find(|line| declared(line) == Some(name));
    match made {
        Some(line) => {
            let (head, value) = line.strip_suffix(';')?.split_once(" = ")?;
            // (What is written to it later is more than this.)
            let is_changed = case.statements.iter().any(|line| line.starts_with(&format!("{name}[")));
            let value = literal(value).filter(|_| !is_changed && !head.contains('\n'))?;
            Some(Value { of, ..value })
        }
        None => Some(Value { of, ..literal(text)? }),
    }
}

/// What a statement sets: `point.x = 1.0;`, `object.SetName("a");`, `int count = 3;`, what a file holds.
fn set(line: &str) -> Option<Value> {
    if let Some((text, _)) = line.strip_prefix("fputs(").and_then(|rest| rest.rsplit_once(", ")) {
        return literal(text);
    }
    if let Some((place, value)) = line.strip_suffix(';').and_then(|line| line.split_once(" = ")) {
        let of = declared(line).unwrap_or_else(|| place.rsplit(['.', '>']).next().unwrap_or(place));
        let of = of.strip_prefix("m_").unwrap_or(of).trim_matches('_');
        let of = (!of.is_empty() && of.chars().all(|c| c.is_alphanumeric() || c == '_')).then(|| of.to_owned());
        return Some(Value { of, ..literal(value)? });
    }
    let arguments = arguments(line).filter(|_| !line.contains("fmemopen("))?;
    let special = arguments.iter().filter_map(|text| literal(text)).filter(|value| !value.is_nothing);
    let special: Vec<Value> = special.collect();
    match special.as_slice() {
        // (Of a number nothing says what it is.)
        [one] if one.text.starts_with('"') => Some(one.clone()),
        _ => None,
    }
}

/// The arguments of the call that a line ends with.
pub(super) fn arguments(line: &str) -> Option<Vec<String>> {
    let (mut open, mut last): (Vec<Vec<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '{' | '[') => open.push(vec![at]),
            (None, ',') => open.last_mut().into_iter().for_each(|places| places.push(at)),
            (None, ')' | '}' | ']') => {
                last = open.pop()?;
                last.push(at);
            }
            _ => {}
        }
    }
    // Where it opens, its commas, and where it closes.
    let (first, end) = (*last.first()?, *last.last()?);
    if !line[first..].starts_with('(') || !matches!(line[end + 1..].trim(), "" | ";") {
        return None;
    }
    let parts = last.windows(2).map(|ends| line[ends[0] + 1..ends[1]].trim().to_owned());
    Some(parts.filter(|part| !part.is_empty()).collect())
}

/// A literal as a value; none of anything else.
fn literal(text: &str) -> Option<Value> {
    let value = |words: String, is_plain: bool, is_nothing: bool| {
        Some(Value { of: None, text: text.to_owned(), words, is_plain, is_nothing, decides: false, comes_out: false })
    };
    let is_one_text = |text: &str| text.len() > 1 && text.ends_with('"') && !text[1..text.len() - 1].contains("\" \"");
    match text {
        "{}" | "{0}" => value("0".to_owned(), false, true),
        "nullptr" | "NULL" => value("null".to_owned(), true, true),
        "\"\"" => value("empty_text".to_owned(), true, true),
        "true" => value("true".to_owned(), false, false),
        "false" => value("false".to_owned(), false, true),
        _ if text.starts_with('"') && is_one_text(text) => value(of_text(&text[1..text.len() - 1])?, true, false),
        _ if text.starts_with('\'') => value(naming::value(text, CheckKind::Int), true, text == "'\\0'"),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            let digits = text.trim_start_matches('-');
            let is_number = |c: char| c.is_ascii_hexdigit() || ".xXuUlLeEpP-+".contains(c);
            if !digits.starts_with(|c: char| c.is_ascii_digit()) || !digits.chars().all(is_number) {
                return None;
            }
            let is_floating = digits.contains('.') || digits.contains(['e', 'p']) && !digits.starts_with("0x");
            let kind = if is_floating { CheckKind::Double } else { CheckKind::Int };
            let words = naming::value(text, kind);
            let is_nothing = matches!(words.as_str(), "0" | "minus_0");
            value(words, false, is_nothing)
        }
        // An enumerator, or a constant.
        _ => {
            let last = text.rsplit("::").next().unwrap_or(text);
            let is_path = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
            let is_constant =
                text.contains("::") || last.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
            (is_path && is_constant).then(|| value(last.to_owned(), true, false))?
        }
    }
}

/// A text in words, its signs by their names; none where a name could not tell it.
fn of_text(inner: &str) -> Option<String> {
    if !inner.is_ascii() {
        return naming::escape(inner);
    }
    if inner.parse::<f64>().is_ok() {
        let kind = if inner.contains(['.', 'e', 'E']) { CheckKind::Double } else { CheckKind::Int };
        return Some(naming::value(inner, kind)).filter(|words| !words.is_empty());
    }
    let Some(text) = unescaped(inner) else { return naming::escape(inner) };
    let is_alone = text.chars().count() == 1;
    let has_words = text.bytes().any(|c| c.is_ascii_alphanumeric());
    let is_of_word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' && has_words;
    let mut words: Vec<String> = Vec::new();
    let mut groups = 0;
    for part in text.as_bytes().chunk_by(|one, other| one == other || [one, other].iter().all(|c| is_of_word(**c))) {
        let (first, times) = (char::from(part[0]), part.len());
        if is_of_word(part[0]) {
            words.push(part.iter().map(|c| char::from(*c)).collect());
        } else if first != ' ' || text.trim().is_empty() {
            groups += 1;
            words.push(match times {
                1 if is_alone => naming::sign(first)?.to_owned(),
                1 => naming::bare_sign(first)?.to_owned(),
                _ => format!("{}_{}", COUNTS.get(times - 2)?, several(naming::bare_sign(first)?)),
            });
        }
    }
    (groups <= SIGNS && !words.is_empty()).then(|| words.join("_"))
}

/// The name of several such signs: `parentheses`.
fn several(name: &str) -> String {
    match name.strip_suffix("sis") {
        Some(of) => format!("{of}ses"),
        None if name.ends_with("us") => format!("{name}_signs"),
        None if name.ends_with("sh") => format!("{name}es"),
        None => format!("{name}s"),
    }
}

/// A literal's text without its backslashes; none of bytes that nobody can read.
fn unescaped(inner: &str) -> Option<String> {
    let mut chars = inner.chars();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        text.push(match (c, c == '\\') {
            (_, true) => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                same @ ('"' | '\\' | '\'' | '?') => same,
                _ => return None,
            },
            (same, false) => same,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::Parameter;
    use crate::outcome::How;

    fn of_enumeration(name: String) -> Parameter {
        Parameter { name, least: Some("kNone".to_owned()), counts: false }
    }

    fn of(statements: &[&str], call: &str, parameters: &[&str]) -> Option<String> {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        condition(&TestCase {
            how: How::Output,
            statements: owned(statements),
            call: Some(call.to_owned()),
            parameters: owned(parameters).into_iter().map(of_enumeration).collect(),
            ..TestCase::sample("m")
        })
    }

    #[test]
    fn the_arguments_of_a_call_are_its_condition() {
        let told = |call: &str, parameters: &[&str]| of(&[], call, parameters).unwrap_or_default();
        assert_eq!(told("const double result = cbrt(1.0);", &["x"]), "for_1");
        assert_eq!(told("const int result = f(0);", &["x"]), "for_0");
        assert_eq!(told("const double result = fmod(30.0, -11.0);", &["x", "y"]), "for_30_and_minus_11");
        assert_eq!(told("f(0.0, 1000.0, 0.0);", &["latitude", "longitude", "height"]), "with_longitude_1000");
        assert_eq!(told("object.eat(1, true, \"a b\");", &["n", "is_end", "text"]), "for_a_b");
        assert_eq!(told("to_double(\"\", &value);", &["text", "value"]), "for_empty_text");
        assert_eq!(told("object.eat(0, true, \"a b\");", &["n", "is_end", "text"]), "for_a_b_with_is_end");
        assert_eq!(told("object.set(\"a\", true);", &["text", "in_capitals"]), "for_a_with_in_capitals");
        assert_eq!(told("const double result = v.along(sat::Axis::kY);", &["axis"]), "for_kY");
        assert_eq!(told("f((g)(1), \"x\", 0);", &["a", "b", "c"]), "for_x");
        assert_eq!(told("f(1, 0);", &["", ""]), "");
        assert_eq!(told("f(Mode::kNone, 3);", &["mode", "n"]), "with_n_3");
    }

    #[test]
    fn an_argument_that_the_changed_line_names_is_told_when_it_is_zero_too() {
        let told = |line: &str, call: &str, parameters: &[&str]| {
            let diff = format!("@@ -1 +1 @@\n-{line}\n+;\n");
            let named = |name: &&str| Parameter { name: (*name).to_owned(), ..Parameter::default() };
            let parameters = parameters.iter().map(named).collect();
            let case = TestCase { call: Some(call.to_owned()), diff, parameters, ..TestCase::sample("m") };
            condition(&case).unwrap_or_default()
        };
        let create = ["sequence_len", "k", "m", "beta"];
        assert_eq!(told("if (_k < 2 || _k > 80)", "T *result = create(1, 0, 1, 0.0f);", &create), "with_k_0");
        assert_eq!(told("if (_k > 80)", "create(0, 0, 1, 0.0f);", &create), "with_k_0_and_m_1");
        assert_eq!(told("total = beta;", "create(1, 2, 1, 0.0f);", &create), "with_beta_0");
        assert_eq!(told("kept = k_sum;", "create(1, 2, 3, 0.0f);", &create), "");
        assert_eq!(told("*out = n;", "f(0, 0, &out);", &["n", "m", "out"]), "with_n_0");
        assert_eq!(told("if (put(*s, p) < 0)", "f(\"'\", NULL, called_put);", &["s", "p", "put"]), "for_an_apostrophe");
        assert_eq!(told("size = back - front;", "size(nullptr, nullptr);", &["back", "front"]), "");
        assert_eq!(told("*value = n;", "query(nullptr);", &["value"]), "");
    }

    #[test]
    fn how_long_a_buffer_is_says_less_than_what_is_in_it_but_for_that_it_is_empty() {
        let told = |call: &str| {
            let counts = Parameter { name: "len".to_owned(), least: None, counts: true };
            let parameters = vec![Parameter { name: "s".to_owned(), ..Parameter::default() }, counts];
            let call = Some(call.to_owned());
            condition(&TestCase { how: How::Output, call, parameters, ..TestCase::sample("m") })
        };
        assert_eq!(told("parse(\"a,\", 2);").as_deref(), Some("for_a_comma"));
        assert_eq!(told("parse(s, 2);"), None);
        assert_eq!(told("parse(s, 0);").as_deref(), Some("with_len_0"));
    }

    #[test]
    fn what_the_test_has_set_is_the_condition_of_a_call_that_tells_nothing() {
        let text = ["mu::Parser object;", "std::string expression = \"3)\";", "object.SetExpr(expression);"];
        assert_eq!(of(&text, "object.Eval();", &[]).as_deref(), Some("for_3_closing_parenthesis"));
        let members = ["P params{};", "params.eatEnd = true;", "params.m_indent = 2;"];
        assert_eq!(of(&members, "scan(params);", &["params"]).as_deref(), Some("with_eatEnd_and_indent_2"));
        let many = ["P p{};", "p.a = 1;", "p.b = 1;", "p.c = 1;"];
        assert_eq!(of(&many, "f(p);", &["p"]), None);
        let file = ["FILE *fp = fmemopen(nullptr, 4096, \"w+\");", "fputs(\"<R\", fp);", "rewind(fp);"];
        assert_eq!(of(&file, "object.LoadFile(fp);", &["fp"]).as_deref(), Some("for_less_sign_R"));
        assert_eq!(of(&["T object(7);"], "object.get();", &[]), None);
        let differs = ["Place left{};", "Place right{};", "right.longitude = 1.0;"];
        assert_eq!(of(&differs, "const bool result = left == right;", &[]).as_deref(), Some("with_longitude_1"));
        let variable = ["unsigned short id = 0;"];
        assert_eq!(of(&variable, "object.find(id);", &["id"]).as_deref(), Some("for_0"));
        let written = TestCase {
            checks: vec![Check::equal("out", "5", CheckKind::Int)],
            statements: vec!["int out = 0;".to_owned()],
            call: Some("f(&out);".to_owned()),
            ..TestCase::sample("m")
        };
        assert_eq!(condition(&written), None);
        let call = Some("f(\"0\", &out);".to_owned());
        let preset = TestCase { statements: vec!["int out = 7;".to_owned()], call, ..written };
        assert_eq!(condition(&preset).as_deref(), Some("for_0"));
    }

    #[test]
    fn texts_that_a_name_can_not_tell_are_left_out() {
        assert_eq!(of_text("+").as_deref(), Some("a_plus"));
        assert_eq!(of_text("a: b").as_deref(), Some("a_colon_b"));
        assert_eq!(of_text("-0.5").as_deref(), Some("minus_0_5"));
        assert_eq!(of_text("<a b=\"1\">"), None);
        assert_eq!(of_text("\\x01\\x02"), None);
        assert_eq!(of_text("\\\"\\\" a").as_deref(), Some("two_quotes_a"));
        assert_eq!(of_text("a\\n").as_deref(), Some("a_newline"));
        assert_eq!(of_text("((,").as_deref(), Some("two_opening_parentheses_comma"));
        assert_eq!(of_text("(,;"), None);
        assert_eq!(of_text("a--").as_deref(), Some("a_two_minus_signs"));
        assert_eq!(of_text("_").as_deref(), Some("an_underscore"));
        assert_eq!(of_text("a_b").as_deref(), Some("a_b"));
        assert_eq!(of_text("\\xf0").as_deref(), Some("0xf0"));
    }
}
