//! Names of tests, by behaviour: the method and its outcome, in words of the code under test. Lines, operators and
//! numbers of mutants are in no name: it stays as it is while the source is edited.

use super::{Check, CheckKind};
use crate::generate::expect::OUTPUT;
use crate::generate::expect::TYPE_OF;
use crate::generate::lower::files::READS;
use crate::generate::undefined_symbols::CALLS;
use crate::outcome::How;

/// The longest outcome.
const LONGEST: usize = 56;
/// The longest text that a name tells.
const LONGEST_TEXT: usize = 24;
/// The digits of a number that a name tells.
const DIGITS: usize = 6;

/// Below this a number that is not short is what calculations leave of nothing.
const LEAST: f64 = 1e-30;
/// Above this it is about to overflow.
const GREATEST: f64 = 1e30;

/// The most signs that a name spells out.
const SIGNS_TOLD: usize = 3;

/// A text that a name can't tell whole.
const UNREADABLE: &str = "the_text";

/// Signs in words.
const SIGNS: [(u8, &str); 32] = [
    (b' ', "a_blank"),
    (b'\n', "a_newline"),
    (b'\t', "a_tab"),
    (b'"', "a_quote"),
    (b'\\', "a_backslash"),
    (b'!', "an_exclamation_mark"),
    (b'#', "a_hash"),
    (b'$', "a_dollar"),
    (b'%', "a_percent_sign"),
    (b'&', "an_ampersand"),
    (b'\'', "an_apostrophe"),
    (b'(', "an_opening_parenthesis"),
    (b')', "a_closing_parenthesis"),
    (b'*', "an_asterisk"),
    (b'+', "a_plus"),
    (b',', "a_comma"),
    (b'-', "a_minus"),
    (b'.', "a_point"),
    (b'/', "a_slash"),
    (b':', "a_colon"),
    (b';', "a_semicolon"),
    (b'<', "a_less_sign"),
    (b'=', "an_equals_sign"),
    (b'>', "a_greater_sign"),
    (b'?', "a_question_mark"),
    (b'@', "an_at_sign"),
    (b'[', "an_opening_bracket"),
    (b']', "a_closing_bracket"),
    (b'_', "an_underscore"),
    (b'{', "an_opening_brace"),
    (b'|', "a_bar"),
    (b'}', "a_closing_brace"),
];

/// Operators in words.
const OPERATORS: [(&str, &str); 38] = [
    ("==", "equality"),
    ("!=", "inequality"),
    ("<=>", "three_way_comparison"),
    ("<=", "less_or_equal"),
    (">=", "greater_or_equal"),
    ("<<=", "left_shift_assignment"),
    (">>=", "right_shift_assignment"),
    ("<<", "left_shift"),
    (">>", "right_shift"),
    ("->*", "member_pointer"),
    ("->", "arrow"),
    ("<", "less"),
    (">", "greater"),
    ("+=", "plus_assignment"),
    ("-=", "minus_assignment"),
    ("*=", "times_assignment"),
    ("/=", "division_assignment"),
    ("%=", "modulo_assignment"),
    ("&=", "and_assignment"),
    ("|=", "or_assignment"),
    ("^=", "xor_assignment"),
    ("++", "increment"),
    ("--", "decrement"),
    ("+", "plus"),
    ("-", "minus"),
    ("*", "times"),
    ("/", "division"),
    ("%", "modulo"),
    ("=", "assignment"),
    ("()", "call"),
    ("[]", "subscript"),
    ("&&", "logical_and"),
    ("||", "logical_or"),
    ("!", "negation"),
    ("&", "bitwise_and"),
    ("|", "bitwise_or"),
    ("^", "bitwise_xor"),
    ("~", "complement"),
];

/// The name of a function in the names of its tests.
pub fn method(name: &str, class: Option<&str>) -> String {
    if class == Some(name) {
        return CONSTRUCTOR.to_owned();
    }
    if name.starts_with('~') {
        return "destructor".to_owned();
    }
    let operator =
        name.strip_prefix("operator").filter(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()));
    match operator.map(str::trim) {
        None => slug(name),
        Some(sign) => match OPERATORS.iter().find(|(known, _)| *known == sign) {
            Some((_, words)) => (*words).to_owned(),
            None => format!("conversion_to_{}", slug(sign)),
        },
    }
}

/// The word for what makes an object, in names of tests.
const CONSTRUCTOR: &str = "constructor";

/// Whether the function sets all that there is to ask of its object.
pub fn sets_all(method: &str) -> bool {
    method == CONSTRUCTOR
}

/// What the test shows: the check that tells the two apart, or how the mutant ends. `sets`: the call has written what
/// that asks for.
pub fn outcome(how: How, checks: &[Check], telling: Option<usize>, sets: bool) -> String {
    let thrown = checks.iter().find_map(|check| match check {
        Check::Throws { ty, .. } => Some(ty),
        Check::Equal { .. } => None,
    });
    if let Some(ty) = thrown {
        let last = ty.rsplit("::").next().unwrap_or_default();
        return if last == "..." { "throws".to_owned() } else { format!("throws_{}", slug(last)) };
    }
    let first = telling.or(Some(0)).and_then(|at| checks.get(at));
    let Some(Check::Equal { actual, expected, kind }) = first else {
        let ends = match how {
            How::Exception => "does_not_throw",
            How::Hang => "returns_in_time",
            How::Sanitizer => "uses_memory_as_allowed",
            // (A test that asks for nothing fails by no other way.)
            _ => "does_not_crash",
        };
        return ends.to_owned();
    };
    let said = match actual.contains(CALLS) && *kind == CheckKind::Text {
        true => calls(expected),
        false => said(actual, &value(expected, *kind), *kind, sets),
    };
    // (Names are of ASCII; none ends within a word.)
    match said.get(..LONGEST).filter(|_| said.len() > LONGEST) {
        Some(cut) => cut.rsplit_once('_').map_or(cut, |(whole, _)| whole).to_owned(),
        None => said,
    }
}

/// Who was called, by what stands in for others: `calls_getc_cb_3_times`.
fn calls(notes: &str) -> String {
    let notes = notes.replace("\" \"", "");
    let lines = notes.trim_matches('"').split("\\n").filter(|line| !line.is_empty());
    let called = |line: &str| {
        let name = line.split('(').next().unwrap_or_default();
        slug(name.strip_prefix("called_").unwrap_or(name).rsplit("::").next().unwrap_or_default())
    };
    let names: Vec<String> = lines.map(called).collect();
    let Some(first) = names.first() else { return "calls_nobody".to_owned() };
    match names.iter().find(|name| *name != first) {
        None if names.len() == 1 => format!("calls_{first}"),
        None => format!("calls_{first}_{}_times", names.len()),
        Some(other) if names.iter().all(|name| name == first || name == other) => format!("calls_{first}_and_{other}"),
        Some(_) => format!("calls_{first}_and_others"),
    }
}

/// What a check says of a place.
fn said(actual: &str, value: &str, kind: CheckKind, sets: bool) -> String {
    if let Some(pointer) = actual.strip_suffix(" == nullptr").or_else(|| actual.strip_suffix(" == NULL)")) {
        let verb = if value == "true" || value == "1" { "null" } else { "non_null" };
        return match place(pointer) {
            None => format!("returns_{verb}"),
            Some(place) => format!("leaves_{place}_{verb}"),
        };
    }
    if let Some(held) = actual.strip_suffix("has_value()") {
        let what = if value == "true" { "a_value" } else { "no_value" };
        return match place(held) {
            None if held.contains("result") => format!("returns_{what}"),
            None => format!("leaves_{what}"),
            Some(place) => format!("leaves_{place}_with_{what}"),
        };
    }
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_*".contains(c));
    if let Some((at, from)) = actual.split_once(" - ").filter(|(at, from)| is_name(at) && is_name(from)) {
        let place = if value == "0" { slug(from) } else { format!("{}_plus_{value}", slug(from)) };
        return if at == "result" { format!("returns_{place}") } else { format!("leaves_{}_at_{place}", slug(at)) };
    }
    if actual.starts_with("memcmp(") || actual.starts_with("std::memcmp(") {
        return place(actual).map_or("fills_the_buffer".to_owned(), |place| format!("fills_{place}"));
    }
    if let Some((_, class)) = actual.strip_prefix(TYPE_OF).and_then(|rest| rest.split_once("typeid(")) {
        return format!("leaves_a_{}", slug(class.rsplit("::").next().unwrap_or(class)));
    }
    if let Some(stream) = actual.strip_suffix(".str()").filter(|_| kind == CheckKind::Text) {
        // (A stream that the test made, by no more than its name.)
        if stream.chars().all(|c| c.is_alphanumeric() || c == '_') && !matches!(stream, "object" | "result") {
            return format!("writes_{value}");
        }
    }
    if let Some(file) = actual.strip_prefix("ftell(").and_then(|rest| rest.strip_suffix(')')) {
        return format!("leaves_{}_at_position_{value}", slug(file));
    }
    if actual == OUTPUT && kind == CheckKind::Text {
        return format!("prints_{value}");
    }
    if let Some(file) = actual.strip_prefix(READS) {
        // (Of its own name the test's file says less than what is in it.)
        let is_said = kind == CheckKind::Text && !matches!(value, UNREADABLE | "empty_text");
        let is_own = file.starts_with("\"motif_");
        let named = || place(file).filter(|_| !is_own).unwrap_or_else(|| "the_file".to_owned());
        return format!("writes_{}", if is_said { value.to_owned() } else { named() });
    }
    // (Which element it is says less than what it is an element of.)
    let element = actual.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    let element = element.filter(|(_, at)| !at.is_empty() && at.bytes().all(|digit| digit.is_ascii_digit()));
    if let Some(of) = element.and_then(|(of, _)| place(of)).filter(|_| !actual.contains("result")) {
        let is_long = value.bytes().filter(u8::is_ascii_digit).count() > DIGITS && !value.starts_with("0x");
        return match value == UNREADABLE || is_long {
            true => format!("fills_{of}"),
            false if sets => format!("writes_{value}_to_{of}"),
            false => format!("leaves_{value}_in_{of}"),
        };
    }
    match place(actual) {
        None if !actual.contains("result") => format!("leaves_{value}"),
        None => format!("returns_{value}"),
        Some(place) if actual.contains("result") => match kind {
            CheckKind::Bool if value == "true" => format!("returns_what_is_{place}"),
            _ => format!("returns_{place}_{value}"),
        },
        Some(place) if place == "stub_calls" => "tells_its_listener".to_owned(),
        Some(place) if value == UNREADABLE => format!("fills_{place}"),
        Some(place) if kind == CheckKind::Text && sets => format!("writes_{value}_to_{place}"),
        Some(place) if sets => format!("sets_{place}_to_{value}"),
        Some(place) if kind == CheckKind::Text && value.ends_with(LINES) => format!("leaves_{value}_in_{place}"),
        Some(place) => match kind {
            CheckKind::Bool | CheckKind::Enum | CheckKind::Text => format!("leaves_{place}_{value}"),
            _ => format!("leaves_{place}_at_{value}"),
        },
    }
}

/// The place that an expression asks for, in the last of its names that tells something; none of the result itself.
fn place(actual: &str) -> Option<String> {
    const NOT_TOLD: [&str; 20] = [
        "result",
        "object",
        "std",
        "begin",
        "end",
        "static_cast",
        "size_t",
        "string",
        "distance",
        "get",
        "memcmp",
        "const",
        "dynamic_cast",
        "printed",
        "long",
        "this",
        "nullptr",
        "load",
        "lock",
        "time_since_epoch",
    ];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    // How far two pointers are apart.
    if let Some((at, from)) = actual.trim_end_matches(')').split_once(" - ").filter(|_| !actual.contains(['"', ','])) {
        let bare = |word: &str| slug(word.strip_prefix("m_").unwrap_or(word));
        let last = |text: &str| text.rsplit(|c: char| !is_part(c)).next().map(bare).unwrap_or_default();
        return Some(format!("{}_minus_{}", last(at), last(from)));
    }
    // Of what is between two places, and of what is compared from one on, that is the place.
    let heads = ["std::string(", "std::vector<", "std::memcmp(", "memcmp("];
    let inside = heads.iter().find_map(|head| actual.strip_prefix(head));
    let actual = inside.and_then(|range| range.split_once(", ")).map_or(actual, |(from, _)| from);
    let actual = actual.split_once(">(").map_or(actual, |(_, from)| from);
    let words = actual.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    let mut told: Vec<String> = words
        .filter(|word| !NOT_TOLD.contains(word) && !word.starts_with(|c: char| c.is_ascii_digit()))
        .enumerate()
        // (So a test calls a pointer that it passes the place of.)
        .map(|(at, word)| word.strip_suffix("_pointer").filter(|_| at == 0).unwrap_or(word))
        .map(|word| slug(word.strip_prefix("m_").unwrap_or(word)))
        .filter(|word| !word.is_empty())
        .collect();
    let last = told.pop()?;
    // `size` or `x` alone says nothing, where it is not of the result.
    let is_vague =
        last.len() < 3 || matches!(last.as_str(), "size" | "length" | "value" | "first" | "second" | "has_value");
    match (is_vague, told.pop()) {
        (true, Some(of)) => Some(format!("{of}_{last}")),
        _ => Some(last),
    }
}

/// The name of a sign.
pub(super) fn sign(sign: char) -> Option<&'static str> {
    SIGNS.iter().find(|(known, _)| char::from(*known) == sign).map(|(_, name)| *name)
}

/// A literal in a name.
pub(super) fn value(expected: &str, kind: CheckKind) -> String {
    let number = |text: &str| {
        if text.starts_with(char::is_alphabetic) {
            return slug(text);
        }
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("minus_", digits));
        format!("{sign}{}", slug(digits))
    };
    match kind {
        CheckKind::Text => text(expected),
        CheckKind::Bool => slug(expected),
        CheckKind::Enum if expected.contains("static_cast<") || expected.starts_with('(') => {
            number(expected.rsplit(['(', ')']).find(|part| !part.is_empty()).unwrap_or(expected))
        }
        CheckKind::Enum => slug(expected.rsplit("::").next().unwrap_or(expected)),
        CheckKind::Int if expected.starts_with('\'') => character(expected.trim_matches('\'')),
        CheckKind::Int if expected.starts_with("(-") => {
            // The least number of its type is written as a difference.
            "the_least_number".to_owned()
        }
        CheckKind::Int => number(expected),
        CheckKind::Zero => "0".to_owned(),
        CheckKind::Float | CheckKind::Double | CheckKind::LongDouble => floating(expected),
        CheckKind::Whole => elements(expected),
    }
}

/// How many elements a container in braces has.
fn elements(expected: &str) -> String {
    if let Some((_, fill)) = expected.rsplit_once(">(") {
        return format!("{}_elements", fill.split(',').next().unwrap_or_default());
    }
    let inner = expected.split_once('{').map_or("", |(_, inner)| inner.strip_suffix('}').unwrap_or(inner));
    let (mut depth, mut quoted, mut commas) = (0, false, 0);
    let mut before = ' ';
    for c in inner.chars() {
        match c {
            '"' if before != '\\' => quoted = !quoted,
            '{' | '(' if !quoted => depth += 1,
            '}' | ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => commas += 1,
            _ => {}
        }
        before = c;
    }
    match (inner.is_empty(), commas) {
        (true, _) => "empty".to_owned(),
        (_, 0) => "one_element".to_owned(),
        (_, commas) => format!("{}_elements", commas + 1),
    }
}

/// A character literal in a condition: `ampersand`, `newline`, `x`.
pub(super) fn character_of(literal: &str) -> Option<String> {
    let inner = literal.split_once('\'')?.1.strip_suffix('\'')?;
    let only = inner.chars().next().filter(|_| inner.chars().count() == 1);
    Some(match (inner, only.and_then(bare_sign)) {
        (_, Some(sign)) => sign.to_owned(),
        ("\\n", _) => "newline".to_owned(),
        ("\\r", _) => "carriage_return".to_owned(),
        ("\\t", _) => "tab".to_owned(),
        ("\\0", _) => "nul".to_owned(),
        ("\\\\", _) => "backslash".to_owned(),
        ("\\'", _) => "apostrophe".to_owned(),
        ("\"", _) => "quote".to_owned(),
        _ if inner.chars().all(|c| c.is_ascii_alphanumeric()) => inner.to_owned(),
        _ => return None,
    })
}

fn character(inner: &str) -> String {
    match inner {
        "\\0" => "0x00".to_owned(),
        "\\n" => "a_newline".to_owned(),
        "\\t" => "a_tab".to_owned(),
        " " => "a_blank".to_owned(),
        _ if inner.starts_with("\\x") => format!("0{}", &inner[1..]),
        _ if inner.chars().all(char::is_alphanumeric) => inner.to_owned(),
        _ => inner.bytes().last().map_or_else(String::new, |byte| format!("0x{byte:02x}")),
    }
}

/// What stands for a text of several lines, behind their number.
const LINES: &str = "_lines";

fn text(literal: &str) -> String {
    let inner = literal.trim_matches('"');
    if inner.is_empty() {
        return "empty_text".to_owned();
    }
    let lines = inner.split("\\n").filter(|line| !line.trim().is_empty()).count();
    if lines > 2 || lines > 1 && slug(&without_escapes(inner)).len() > LONGEST_TEXT {
        return format!("{lines}{LINES}");
    }
    let words = slug(&without_escapes(inner));
    if words.len() > LONGEST_TEXT {
        return UNREADABLE.to_owned();
    }
    match (words.is_empty(), inner.as_bytes()) {
        (false, _) => words,
        (true, [byte]) if let Some(name) = sign(char::from(*byte)) => name.to_owned(),
        (true, _) => escape(inner).or_else(|| signs(inner)).unwrap_or_else(|| UNREADABLE.to_owned()),
    }
}

/// A text of one sign that is written with a backslash: `a_tab`, `0xf0`.
pub(super) fn escape(inner: &str) -> Option<String> {
    let is_byte = |digits: &str| digits.len() == 2 && digits.chars().all(|c| c.is_ascii_hexdigit());
    let is_one = matches!(inner, "\\n" | "\\t") || inner.strip_prefix("\\x").is_some_and(is_byte);
    is_one.then(|| character(inner))
}

/// A text of a few signs, by their names.
fn signs(inner: &str) -> Option<String> {
    let shown = inner.trim_end_matches("\\n").trim();
    let names: Option<Vec<&str>> = shown.chars().map(bare_sign).collect();
    let names = names.filter(|names| (1..=SIGNS_TOLD).contains(&names.len()))?;
    let alone = (names.len() == 1).then(|| shown.chars().next().and_then(sign)).flatten();
    Some(alone.map_or_else(|| names.join("_"), str::to_owned))
}

/// The name of a sign without its article.
pub(super) fn bare_sign(of: char) -> Option<&'static str> {
    sign(of).map(|name| name.split_once('_').map_or(name, |(_, bare)| bare))
}

/// A literal's text with blanks in the place of what nobody can read.
fn without_escapes(inner: &str) -> String {
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(' ');
        if chars.next() == Some('x') {
            chars.nth(1);
        }
    }
    out
}

fn floating(literal: &str) -> String {
    let lower = literal.to_ascii_lowercase();
    let sign = if lower.starts_with('-') { "minus_" } else { "" };
    if lower.contains("nan") {
        return "nan".to_owned();
    }
    if lower.contains("inf") {
        return format!("{sign}infinity");
    }
    let digits = lower.trim_start_matches('-').trim_end_matches(['f', 'l']);
    let Some(number) = digits.parse::<f64>().ok().filter(|_| !digits.starts_with("0x")) else {
        return format!("{sign}a_number");
    };
    let is_short = |text: &String| text.chars().filter(char::is_ascii_digit).count() <= DIGITS;
    if let Some(short) = [format!("{number}"), format!("{number:e}")].into_iter().find(is_short) {
        return format!("{sign}{}", slug(&short.replace("e-", "e_minus_")));
    }
    // Nobody reads many digits in a name.
    match number.abs() {
        least if least < LEAST => format!("{sign}a_tiny_number"),
        greatest if greatest > GREATEST => format!("{sign}a_huge_number"),
        _ if number < 0.0 => "a_negative_number".to_owned(),
        0.0..1.0 => "a_fraction".to_owned(),
        _ => "a_positive_number".to_owned(),
    }
}

/// Words of letters and digits, joined by underscores.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(actual: &str, expected: &str, kind: CheckKind) -> String {
        outcome(How::Output, &[Check::equal(actual, expected, kind)], None, false)
    }

    #[test]
    fn calls_of_what_stands_in_for_others_are_counted() {
        let named = |notes: &str| named("stand_ins.calls", notes, CheckKind::Text);
        assert_eq!(named("\"\""), "calls_nobody");
        assert_eq!(named("\"called_put(1)\\n\""), "calls_put");
        assert_eq!(named("\"called_put(1)\\n\" \"called_put(2)\\n\""), "calls_put_2_times");
        assert_eq!(named("\"open()\\nput(1)\\nput(2)\\n\""), "calls_open_and_put");
        assert_eq!(super::said("ftell(in)", "4", CheckKind::Int, false), "leaves_in_at_position_4");
    }

    #[test]
    fn a_name_says_what_comes_out() {
        assert_eq!(named("result", "true", CheckKind::Bool), "returns_true");
        assert_eq!(named("result", "'\\x04'", CheckKind::Int), "returns_0x04");
        assert_eq!(named("result", "-5L", CheckKind::Int), "returns_minus_5");
        assert_eq!(named("result", "-0.1", CheckKind::Double), "returns_minus_0_1");
        assert_eq!(named("result", "0.30000000000000004", CheckKind::Double), "returns_a_fraction");
        assert_eq!(named("result", "\"no \\n such, file\"", CheckKind::Text), "returns_no_such_file");
        assert_eq!(named("result", "\"[\\0\\xff\"", CheckKind::Text), "returns_the_text");
        assert_eq!(named("std::string(pair._start, pair._end)", "\"ab\"", CheckKind::Text), "leaves_start_ab");
        let class = "dynamic_type_of(*node->_next) == typeid(xml::Element)";
        assert_eq!(named(class, "true", CheckKind::Bool), "leaves_a_Element");
        assert_eq!(named("result", "1e-16", CheckKind::Double), "returns_1e_minus_16");
        assert_eq!(named("output", "\"\\xf0\\x90\"", CheckKind::Text), "fills_output");
        assert_eq!(named("result", "sat::Mode::kSafe", CheckKind::Enum), "returns_kSafe");
        assert_eq!(named("result", "ERR_NULL", CheckKind::Int), "returns_ERR_NULL");
        assert_eq!(named("content_of(\"motif_f\")", "\" 10\\n0\\n\"", CheckKind::Text), "writes_10_0");
        assert_eq!(named("content_of(\"motif_f\")", "\"\\xf0\\x90\"", CheckKind::Text), "writes_the_file");
        assert_eq!(named(OUTPUT, "\"Number of tokens:1\\n0\\n\"", CheckKind::Text), "prints_Number_of_tokens_1_0");
        assert_eq!(named("out.str()", "\"TRUE\"", CheckKind::Text), "writes_TRUE");
        let long = "\"3  3r\\n5\\n     0      0   -0.5\\n     0      0    0.5\\n\"";
        assert_eq!(named(OUTPUT, long, CheckKind::Text), "prints_4_lines");
        assert_eq!(named("text_of(fout)", long, CheckKind::Text), "leaves_4_lines_in_fout");
        assert_eq!(named("out.str()", "\"</>\\n\"", CheckKind::Text), "writes_less_sign_slash_greater_sign");
        assert_eq!(named("stream.str()", "\"[\"", CheckKind::Text), "writes_an_opening_bracket");
        assert_eq!(named("result", "static_cast<sat::Mode>(-7)", CheckKind::Enum), "returns_minus_7");
        assert_eq!(named("module.autonomy_", "1.5", CheckKind::Double), "leaves_autonomy_at_1_5");
        assert_eq!(named("list.size()", "2u", CheckKind::Int), "leaves_list_size_at_2");
        assert_eq!(named("object.tally.load()", "2", CheckKind::Int), "leaves_tally_at_2");
        assert_eq!(named("result.has_value()", "true", CheckKind::Bool), "returns_a_value");
        assert_eq!(named("object.name_.has_value()", "false", CheckKind::Bool), "leaves_name_with_no_value");
        assert_eq!(named("center.x", "2.0", CheckKind::Double), "leaves_center_x_at_2");
        assert_eq!(named("object[1]", "2.0", CheckKind::Double), "leaves_2");
        assert_eq!(named("result[0]", "2.0", CheckKind::Double), "returns_2");
        assert_eq!(named("m.v[0].n[2]", "2.0", CheckKind::Double), "leaves_2_in_v_n");
        assert_eq!(named("chars_pointer[0]", "0x97bfu", CheckKind::Int), "leaves_0x97bf_in_chars");
        assert_eq!(named("co[1]", "8.09123e-320", CheckKind::Double), "leaves_a_tiny_number_in_co");
        assert_eq!(named("result", "std::vector<int>{1, 2, 3}", CheckKind::Whole), "returns_3_elements");
        assert_eq!(named("result", "std::vector<int>(100, 255)", CheckKind::Whole), "returns_100_elements");
        assert_eq!(named("result", "std::map<int, int>{{1, 2}}", CheckKind::Whole), "returns_one_element");
        assert_eq!(named("result", "std::vector<std::string>{\"a, b\"}", CheckKind::Whole), "returns_one_element");
        assert_eq!(named("(it.limit - it->at)", "1L", CheckKind::Int), "leaves_limit_minus_at_at_1");
        assert_eq!(named("list.next == nullptr", "true", CheckKind::Bool), "leaves_next_null");
        assert_eq!(named("node->m_parent == nullptr", "false", CheckKind::Bool), "leaves_parent_non_null");
    }

    #[test]
    fn a_name_says_how_it_ends() {
        let thrown = Check::Throws { ty: "std::out_of_range".into(), what: None, exactly: true };
        assert_eq!(outcome(How::Exception, &[thrown], None, false), "throws_out_of_range");
        assert_eq!(outcome(How::Crash, &[], None, false), "does_not_crash");
        assert_eq!(outcome(How::Crash, &[Check::equal("result", "2", CheckKind::Int)], None, false), "returns_2");
        assert_eq!(outcome(How::Exception, &[], None, false), "does_not_throw");
    }

    #[test]
    fn functions_that_have_no_word_get_one() {
        assert_eq!(method("Reader", Some("Reader")), "constructor");
        assert_eq!(method("~Reader", Some("Reader")), "destructor");
        assert_eq!(method("operator==", Some("Reader")), "equality");
        assert_eq!(method("operator bool", Some("Reader")), "conversion_to_bool");
        assert_eq!(method("operators", None), "operators");
        assert_eq!(method("next", Some("Reader")), "next");
    }
}
