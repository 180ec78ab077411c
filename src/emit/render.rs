//! One test as text: comments, statements and assertions, in the words of its framework.

use super::comment;
use super::framework::{Pair, Row};
use super::{Check, CheckKind, TestCase};
use crate::cpp::string_literal;
use crate::generate::expect::OUTPUT_ENDS;
use crate::generate::expect::observers::{CAUGHT, is_of_exception};
use crate::generate::failing_calls::FAILING;
use crate::generate::lower::files::READS;
use crate::model::Language;
use crate::outcome::How;
use anyhow::{Result, bail};

/// Where a statement is broken, if it can be.
const WIDTH: usize = 100;

/// The lines of the test's body, without indentation.
pub fn body(case: &TestCase, row: &Row) -> Result<Vec<String>> {
    let mut lines: Vec<String> = split(&case.statements).into_iter().map(|line| required(row, line)).collect();
    let throws = case.checks.iter().find_map(|check| match check {
        Check::Throws { ty, what, exactly } => Some((ty, what, *exactly)),
        Check::Equal { .. } => None,
    });
    let call = case.call.iter().flat_map(|c| split(std::slice::from_ref(c))).collect::<Vec<_>>();
    let (of_exception, checks): (Vec<&Check>, Vec<&Check>) = case.checks.iter().partition(|check| match check {
        Check::Equal { actual, .. } => throws.is_some() && is_of_exception(actual),
        Check::Throws { .. } => false,
    });
    let of_exception: Vec<String> =
        of_exception.into_iter().flat_map(|check| assertion(row, case.language, check)).collect();
    let call_lines = match throws {
        Some(_) if case.language == Language::C => bail!("a C test can't expect an exception"),
        Some((type_name, what, exactly)) => {
            let call = if call.is_empty() { std::mem::take(&mut lines) } else { call };
            throwing(row, &call, type_name, what.as_deref(), exactly, &of_exception)
        }
        // (Where values are checked, these tell it too.)
        None if case.how == How::Exception && case.checks.is_empty() => not_throwing(row, call),
        None => call,
    };
    push_block(&mut lines, call_lines);
    let behind = case.behind_call.iter().flat_map(|text| text.lines());
    let is_needed = |line: &&str| line.ends_with(OUTPUT_ENDS) || makes_calls_fail(case);
    lines.extend(behind.filter(is_needed).map(str::to_owned));
    let (mut assertions, mut of_files) = (Vec::new(), Vec::new());
    for check in checks {
        let is_of_file = matches!(check, Check::Equal { actual, .. } if actual.starts_with(READS));
        let to = if is_of_file { &mut of_files } else { &mut assertions };
        to.extend(assertion(row, case.language, check));
    }
    push_block(&mut lines, assertions);
    if !of_files.is_empty() && case.language == Language::Cxx && !lines.is_empty() {
        // An object may write the rest of its file when it ends.
        lines = [vec!["{".to_owned()], indented(&lines, "  "), vec!["}".to_owned()]].concat();
    }
    push_block(&mut lines, of_files);
    push_block(&mut lines, split(&case.take_down));
    Ok(lines)
}

/// The lines that check a value; none for an exception.
fn assertion(row: &Row, language: Language, check: &Check) -> Vec<String> {
    match (check, language) {
        (Check::Throws { .. }, _) => Vec::new(),
        (Check::Equal { actual, expected, kind }, Language::Cxx) => in_cxx(row, actual, expected, *kind),
        (Check::Equal { actual, expected, kind }, Language::C) => in_c(row, actual, expected, *kind),
    }
}

fn split(texts: &[String]) -> Vec<String> {
    texts.iter().flat_map(|t| t.split('\n')).map(|line| line.trim_end().to_owned()).collect()
}

/// A statement that ends the test where a condition is not true, in the words of the framework.
fn required(row: &Row, line: String) -> String {
    let condition = ["ASSERT_TRUE(", "assert("].iter().find_map(|opens| line.strip_prefix(opens));
    condition.map(|condition| format!("{}({condition}", row.requires)).unwrap_or(line)
}

/// Whether a statement says which call of a function fails, if only where it is not left out.
pub fn sets_failing_call(statement: &str) -> bool {
    statement.contains(FAILING) && statement.contains("_call = ")
}

/// Whether a call fails in a test.
pub fn makes_calls_fail(case: &TestCase) -> bool {
    case.behind_call.is_some() && case.statements.iter().any(|line| sets_failing_call(line))
}

/// What a test in C names that standard C does not have.
pub fn of_posix(text: &str, language: Language) -> Option<&'static str> {
    let names = ["fmemopen", "ssize_t"];
    names.into_iter().find(|name| language == Language::C && has_word(text, name))
}

/// Adds a paragraph, an empty line before it.
fn push_block(lines: &mut Vec<String>, block: Vec<String>) {
    if !lines.is_empty() && !block.is_empty() {
        lines.push(String::new());
    }
    lines.extend(block);
}

fn indented(lines: &[String], by: &str) -> Vec<String> {
    lines.iter().map(|l| if l.is_empty() { String::new() } else { format!("{by}{l}") }).collect()
}

/// Expects the call to throw; `asked` are checks of the exception.
fn throwing(
    row: &Row,
    call: &[String],
    type_name: &str,
    what: Option<&str>,
    exactly: bool,
    asked: &[String],
) -> Vec<String> {
    let is_any = type_name == "...";
    if what.is_none() && !exactly && asked.is_empty() {
        let joined = call.join(" ");
        let single = joined.trim_end_matches(';');
        // Commas outside parentheses would end the macro's argument, so a block is only for several statements.
        if call.len() == 1 && !single.contains(';') && !declares(single) && !has_bare_comma(single) {
            let [of_type, of_any, _] = row.throws;
            let thrown = match row.takes_statements || is_expression(single) {
                true => single.to_owned(),
                false => format!("[&] {{ {single}; }}()"),
            };
            let check = if is_any { of_any } else { of_type };
            if !check.is_empty() {
                return vec![check.replace("{call}", &thrown).replace("{type}", type_name)];
            }
        }
    }
    let name = match is_any {
        true => type_name.to_owned(),
        false if what.is_some() || exactly || !asked.is_empty() => format!("const {type_name} &{CAUGHT}"),
        false => format!("const {type_name} &"),
    };
    let mut lines = vec!["try {".to_owned()];
    lines.extend(indented(call, "  "));
    let missing = if is_any { "nothing was thrown".to_owned() } else { format!("no {type_name} was thrown") };
    let [before, behind] = row.fails;
    lines.push(format!("  {before}{}{behind}", string_literal(missing.as_bytes())));
    lines.push(format!("}} catch ({name}) {{"));
    if exactly {
        lines.push(format!("  {}(typeid(error) == typeid({type_name}));", row.is_true));
    }
    if let (Some(what), Some(text)) = (what, row.text) {
        lines.extend(indented(&ordered(row, text, "error.what()", &string_literal(what.as_bytes())), "  "));
    }
    lines.extend(indented(asked, "  "));
    lines.push("}".to_owned());
    lines
}

fn not_throwing(row: &Row, call: Vec<String>) -> Vec<String> {
    match call.as_slice() {
        [one]
            if !row.throws[2].is_empty()
                && !declares(one)
                && !has_bare_comma(one)
                && (row.takes_statements || is_expression(one)) =>
        {
            vec![row.throws[2].replace("{call}", one.trim_end_matches(';'))]
        }
        _ => call,
    }
}

/// Whether the statement makes a name that later lines may use.
fn declares(statement: &str) -> bool {
    statement.contains(" = ") || statement.starts_with("auto ") || statement.starts_with("const ")
}

/// Whether the statement is surely an expression: a call of what is named without blanks, not an object's definition.
fn is_expression(statement: &str) -> bool {
    let called = statement.split('(').next().unwrap_or_default();
    let plain = |c: char| c.is_alphanumeric() || "_.:->".contains(c);
    !called.is_empty() && called.chars().all(plain) && !matches!(called, "if" | "for" | "while" | "switch")
}

/// Whether there is a comma that the preprocessor would take as the end of a macro's argument.
fn has_bare_comma(text: &str) -> bool {
    let mut depth = 0;
    let mut quote = None;
    let mut escaped = false;
    for c in text.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// An expression fit as a macro's argument.
fn argument(text: &str) -> String {
    if has_bare_comma(text) { format!("({text})") } else { text.to_owned() }
}

/// A call of two arguments, the second under the first where one line is too long.
fn pair([before, between, behind]: Pair, first: &str, second: &str) -> Vec<String> {
    let (first, second) = (argument(first), argument(second));
    let line = format!("{before}{first}{between}{second}{behind}");
    if line.len() <= WIDTH { vec![line] } else { under(before, &first, between, &second, behind) }
}

/// The same, with the expected value where the framework wants it.
fn ordered(row: &Row, by: Pair, actual: &str, expected: &str) -> Vec<String> {
    if row.expected_first { pair(by, expected, actual) } else { pair(by, actual, expected) }
}

/// `head`, `first`, and the lines of `second` under it.
fn under(head: &str, first: &str, between: &str, second: &str, end: &str) -> Vec<String> {
    let gap = " ".repeat(head.rfind('(').map_or(0, |at| at + 1));
    let mut lines = vec![format!("{head}{first}{}", between.trim_end())];
    lines.extend(text_lines(second).into_iter().map(|line| format!("{gap}{line}")));
    if let Some(last) = lines.last_mut() {
        last.push_str(end);
    }
    lines
}

/// So many lines of a text have a literal each; of more, short ones share one.
const LINES_ALONE: usize = 16;
/// What several short lines have together.
const LINES_TOGETHER: usize = 72;

/// A text of several lines as a literal for each of them; anything else as it is.
fn text_lines(literal: &str) -> Vec<String> {
    let Some(inner) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return vec![literal.to_owned()];
    };
    let (mut lines, mut line, mut escaped) = (Vec::new(), String::new(), false);
    for c in inner.chars() {
        line.push(c);
        if escaped && c == 'n' {
            lines.push(format!("\"{}\"", std::mem::take(&mut line)));
        }
        // A text of several literals would have bare quotes.
        if c == '"' && !escaped {
            return vec![literal.to_owned()];
        }
        escaped = c == '\\' && !escaped;
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(format!("\"{line}\""));
    }
    if lines.len() <= LINES_ALONE {
        return lines;
    }
    let mut shared: Vec<String> = Vec::new();
    for line in lines {
        match shared.last_mut().filter(|last| last.len() + line.len() <= LINES_TOGETHER) {
            Some(last) => last.replace_range(last.len() - 1.., &line[1..]),
            None => shared.push(line),
        }
    }
    shared
}

/// How a value is compared: `==` says nothing of the sign of a zero, and no NaN equals itself.
enum Comparison {
    Truth(bool),
    Nan,
    Zero { negative: bool },
    Equal,
}

fn comparison(expected: &str, kind: CheckKind) -> Comparison {
    let lower = expected.to_ascii_lowercase();
    match kind {
        CheckKind::Bool if matches!(expected, "true" | "1") => Comparison::Truth(true),
        CheckKind::Bool if matches!(expected, "false" | "0") => Comparison::Truth(false),
        CheckKind::Float | CheckKind::Double | CheckKind::LongDouble if lower.contains("nan") => Comparison::Nan,
        CheckKind::Float | CheckKind::Double | CheckKind::LongDouble if is_zero(&lower) => {
            Comparison::Zero { negative: lower.starts_with('-') }
        }
        _ => Comparison::Equal,
    }
}

/// Whether a floating-point literal, decimal or hexadecimal, is a zero.
fn is_zero(literal: &str) -> bool {
    let digits = literal.trim_start_matches(['-', '+']);
    let (digits, exponent) = match digits.strip_prefix("0x") {
        Some(hex) => (hex, 'p'),
        None => (digits, 'e'),
    };
    let mantissa = digits.split(exponent).next().unwrap_or_default().trim_end_matches(['f', 'l']);
    mantissa.contains('0') && mantissa.chars().all(|c| c == '0' || c == '.')
}

fn in_cxx(row: &Row, actual: &str, expected: &str, kind: CheckKind) -> Vec<String> {
    let truth = |yes: bool, condition: &str| truth(row, yes, condition);
    let printable = !row.prints || !matches!(kind, CheckKind::Enum | CheckKind::Whole);
    let equal = |expected: &str| match row.equal.filter(|_| printable) {
        Some(equal) if row.takes_apart => pair(equal, &operand(actual), &right_operand(expected)),
        Some(_) if let (CheckKind::Text, Some(text), Some(pointer)) = (kind, row.text, text_at(actual, expected)) => {
            pair(text, pointer, expected)
        }
        Some(equal) => pair(equal, actual, expected),
        None => match (kind, row.integers, row.text, text_at(actual, expected)) {
            (CheckKind::Int, Some(integers), ..) => ordered(row, integers, actual, expected),
            (CheckKind::Text, _, Some(text), Some(pointer)) => ordered(row, text, pointer, expected),
            _ => vec![truth(true, &argument(&format!("{} == {expected}", operand(actual))))],
        },
    };
    match comparison(expected, kind) {
        Comparison::Truth(yes) if let Some(pointer) = actual.strip_suffix(" == nullptr") => {
            match (row.equal, row.unequal) {
                (Some(equal), Some(unequal)) => {
                    let pointer = if row.takes_apart { operand(pointer) } else { pointer.to_owned() };
                    pair(if yes { equal } else { unequal }, &pointer, "nullptr")
                }
                _ => vec![truth(true, &format!("{} {} nullptr", operand(pointer), if yes { "==" } else { "!=" }))],
            }
        }
        Comparison::Truth(yes) => vec![truth(yes, &argument(actual))],
        Comparison::Nan => vec![truth(true, &format!("std::isnan({actual})"))],
        Comparison::Zero { negative } => {
            let mut lines = equal("0.0");
            lines.push(truth(negative, &format!("std::signbit({actual})")));
            lines
        }
        // The framework can't print these.
        Comparison::Equal if expected.contains("__int128") => {
            let condition = format!("{actual} == {expected}");
            vec![truth(true, &if row.takes_apart { format!("({condition})") } else { condition })]
        }
        // A literal would end at its first NUL.
        Comparison::Equal if kind == CheckKind::Text && crate::cpp::holds_nul(expected) => {
            equal(&format!("std::string({expected}, {})", crate::cpp::literal_length(expected)))
        }
        Comparison::Equal => equal(expected),
    }
}

/// The pointer whose text is compared with a plain literal.
fn text_at<'t>(actual: &'t str, expected: &str) -> Option<&'t str> {
    let pointer = actual.strip_prefix("std::string(")?.strip_suffix(')')?;
    (expected.starts_with('"') && !has_bare_comma(pointer)).then_some(pointer)
}

/// A condition that is true, or false.
fn truth(row: &Row, yes: bool, condition: &str) -> String {
    match yes {
        true => format!("{}({condition});", row.is_true),
        false if row.is_false.is_empty() => format!("{}(!{});", row.is_true, operand(condition)),
        false => format!("{}({condition});", row.is_false),
    }
}

fn in_c(row: &Row, actual: &str, expected: &str, kind: CheckKind) -> Vec<String> {
    let condition = match comparison(expected, kind) {
        Comparison::Truth(yes) => {
            let pointer = actual.strip_prefix('(').and_then(|inner| inner.strip_suffix(" == NULL)"));
            let said = pointer.map(|pointer| format!("{pointer} {} NULL", if yes { "==" } else { "!=" }));
            return vec![match said {
                Some(condition) => truth(row, true, &condition),
                None => truth(row, yes, &argument(actual)),
            }];
        }
        Comparison::Nan => format!("isnan({actual})"),
        Comparison::Zero { negative } => {
            format!("{} == 0.0 && {}signbit({actual})", operand(actual), if negative { "" } else { "!" })
        }
        Comparison::Equal if let (CheckKind::Text, Some(text)) = (kind, row.text) => {
            return ordered(row, text, actual, expected);
        }
        Comparison::Equal if let (CheckKind::Int | CheckKind::Enum, Some(by)) = (kind, row.integers) => {
            return ordered(row, by, actual, expected);
        }
        Comparison::Equal if kind == CheckKind::Text => {
            let condition = format!("strcmp({actual}, {expected}) == 0");
            if condition.len() + "assert();".len() > WIDTH && text_lines(expected).len() > 1 {
                return under(&format!("{}(strcmp(", row.is_true), actual, ",", expected, ") == 0);");
            }
            condition
        }
        Comparison::Equal => format!("{} == {expected}", operand(actual)),
    };
    vec![truth(row, true, &argument(&condition))]
}

/// In parentheses, where an operator beside it could bind tighter than what is inside.
fn operand(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_.[](){}->:,*&\"'\\".contains(c);
    let text = text.trim();
    let opens_first = text.starts_with('(') && text.ends_with(')');
    // (A difference is compared as it is.)
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_*".contains(c));
    let is_difference = text.split_once(" - ").is_some_and(|(at, from)| is_name(at) && is_name(from));
    if opens_first
        || is_difference
        || text.chars().all(|c| plain(c) || c == ' ' && text.ends_with(')')) && !text.contains("&&")
    {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// What stands right of a comparison that a framework takes apart.
fn right_operand(text: &str) -> String {
    if text.starts_with('"') { text.to_owned() } else { operand(text) }
}

/// The comment above a test: the mutants it kills, with their changes, and what a reader must know.
pub fn remarks(cases: &[&TestCase]) -> Vec<String> {
    let mut lines = Vec::new();
    for case in cases {
        lines.push(format!("Kills {} ({}, line {}):", case.mutant_id, case.operator, case.line));
        lines.extend(comment::change(&case.diff).into_iter().map(|line| format!("  {line}")));
    }
    let Some(case) = cases.first() else { return lines };
    match case.how {
        How::Crash => lines.push("The mutant crashes.".to_owned()),
        How::Hang => lines.push("The mutant never comes back: only a time limit ends the test.".to_owned()),
        How::Sanitizer => lines.push(format!(
            "Only a sanitizer sees the difference: build with -fsanitize={}.",
            case.sanitizer.unwrap_or(crate::build::Sanitizer::Address)
        )),
        _ => {}
    }
    if case.private_access {
        let why = if case.reads_private { "Reads private state" } else { "Calls what is private" };
        lines.push(format!("{why}: built with -fno-access-control."));
    }
    lines.iter().map(|line| comment::safe(line, case.language)).collect()
}

/// Standard headers that the text uses and that an author would include.
pub fn needed_headers(text: &str, language: Language) -> Vec<&'static str> {
    let table: &[(&[&str], &str)] = match language {
        Language::Cxx => &[
            (&["typeid("], "<typeinfo>"),
            (&["std::bad_alloc"], "<new>"),
            (&["errno"], "<cerrno>"),
            (&["ssize_t", "off_t"], "<sys/types.h>"),
            (&["FILE *", "vsnprintf(", "fflush("], "<cstdio>"),
            (&["abort("], "<cstdlib>"),
            (&["dup("], "<unistd.h>"),
            (&["fcntl("], "<fcntl.h>"),
            (&["va_list"], "<cstdarg>"),
            (&["strlen(", "strcpy("], "<cstring>"),
            (&["fill_n("], "<algorithm>"),
        ],
        Language::C => &[
            (&["assert("], "<assert.h>"),
            (&["INT_M", "LONG_M", "CHAR_M", "SHRT_M"], "<limits.h>"),
            (&["_Complex_I", "creal(", "crealf(", "creall(", "cimag(", "cimagf(", "cimagl("], "<complex.h>"),
            (&["isnan(", "signbit(", "NAN", "INFINITY"], "<math.h>"),
            (&["true", "false", "bool "], "<stdbool.h>"),
            (&["malloc(", "calloc(", "free(", "abort("], "<stdlib.h>"),
            (&["NULL", "static size_t "], "<stddef.h>"),
            (&["errno", "ENOMEM"], "<errno.h>"),
            (&["ssize_t", "off_t"], "<sys/types.h>"),
            (&["FILE *", "vsnprintf(", "fflush("], "<stdio.h>"),
            (&["dup("], "<unistd.h>"),
            (&["fcntl("], "<fcntl.h>"),
            (&["va_list"], "<stdarg.h>"),
            (&["strcmp(", "memcmp(", "memcpy(", "memset(", "strlen(", "strcpy("], "<string.h>"),
        ],
    };
    let mut found: Vec<&str> =
        table.iter().filter(|(words, _)| words.iter().any(|w| has_word(text, w))).map(|(_, header)| *header).collect();
    if language == Language::Cxx {
        found.extend(crate::types::library::headers(text));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether `word` stands in `text`, not as a part of another one.
pub fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let open_end = !word.ends_with(|c: char| c.is_alphanumeric()) || word.ends_with("_M");
        !name(before) && (open_end || !name(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Framework;

    fn assert_h(actual: &str, expected: &str, kind: CheckKind) -> Vec<String> {
        in_c(Row::of(Framework::Assert), actual, expected, kind)
    }

    #[test]
    fn what_a_framework_takes_apart_or_takes_as_an_expression_is_written_so() {
        let row = Row::of(Framework::Catch2);
        assert_eq!(in_cxx(row, "a | b", "x | 1", CheckKind::Int), ["CHECK((a | b) == (x | 1));"]);
        assert_eq!(in_cxx(row, "text", "\"a b\"", CheckKind::Text), ["CHECK(text == \"a b\");"]);
        assert_eq!(in_cxx(row, "x", "-0.0", CheckKind::Double), ["CHECK(x == 0.0);", "CHECK(std::signbit(x));"]);
        let throws = |call: &str| throwing(row, &[call.to_owned()], "E", None, false, &[]).concat();
        assert_eq!(throws("a.f(1);"), "CHECK_THROWS_AS(a.f(1), E);");
        assert_eq!(throws("A a(1, 2);"), "CHECK_THROWS_AS([&] { A a(1, 2); }(), E);");
        assert_eq!(not_throwing(row, vec!["A a(1);".to_owned()]), ["A a(1);"]);
        let row = Row::of(Framework::Cmocka);
        assert_eq!(in_c(row, "f(1)", "0", CheckKind::Bool), ["assert_false(f(1));"]);
        assert_eq!(in_c(row, "s", "\"a\"", CheckKind::Text), ["assert_string_equal(s, \"a\");"]);
    }

    #[test]
    fn a_test_says_whether_it_reads_private_state_or_only_calls_what_is_private() {
        let remark = |calls_private, reads_private| {
            let body = crate::generate::expect::TestBody { calls_private, reads_private, ..Default::default() };
            remarks(&[&TestCase::sample("m").with_body(&body)]).pop().unwrap()
        };
        assert_eq!(remark(true, false), "Calls what is private: built with -fno-access-control.");
        for calls in [true, false] {
            assert_eq!(remark(calls, true), "Reads private state: built with -fno-access-control.");
        }
        assert!(!remark(false, false).contains("private"));
    }

    #[test]
    fn a_comma_between_template_arguments_is_kept_out_of_a_macros_way() {
        assert_eq!(argument("f<int, 3>()"), "(f<int, 3>())");
        assert_eq!(argument("f(1, 2)"), "f(1, 2)");
        assert_eq!(argument("',' + g(\"a, b\")"), "',' + g(\"a, b\")");
    }

    #[test]
    fn a_text_of_several_lines_is_written_in_several_lines() {
        let text = format!("\"{}\"", "called(1, 2)\\n".repeat(8) + "\\\\no \\\"line");
        let lines = pair(["EXPECT_EQ(", ", ", ");"], "std::string(stand_ins.calls)", &text);
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[1], "          \"called(1, 2)\\n\"");
        assert_eq!(lines[9], "          \"\\\\no \\\"line\");");
        assert_eq!(text_lines("f(\"a\\n\")"), ["f(\"a\\n\")"]);
    }

    #[test]
    fn an_exceptions_message_is_checked_and_so_is_its_very_type() {
        let row = Row::of(Framework::Gtest);
        let call = ["module.charge(-1.0);".to_owned()];
        assert_eq!(
            throwing(row, &call, "std::invalid_argument", None, false, &[]),
            ["EXPECT_THROW(module.charge(-1.0), std::invalid_argument);"]
        );
        let lines = throwing(row, &call, "std::invalid_argument", Some("negative"), true, &[]);
        assert_eq!(
            lines.join("\n"),
            "try {\n  module.charge(-1.0);\n  ADD_FAILURE() << \"no std::invalid_argument was thrown\";\n\
             } catch (const std::invalid_argument &error) {\n  \
             EXPECT_TRUE(typeid(error) == typeid(std::invalid_argument));\n  \
             EXPECT_STREQ(error.what(), \"negative\");\n}"
        );
    }

    #[test]
    fn a_condition_is_negated_as_a_whole() {
        assert_eq!(assert_h("a || b", "false", CheckKind::Bool), ["assert(!(a || b));"]);
        assert_eq!(assert_h("valid(&p, 3)", "0", CheckKind::Bool), ["assert(!valid(&p, 3));"]);
    }

    #[test]
    fn zeros_and_nans_are_compared_by_other_means() {
        let double = |text: &str| in_cxx(Row::of(Framework::Gtest), "x", text, CheckKind::Double).concat();
        let zero = |text: &str| format!("EXPECT_EQ(x, 0.0);EXPECT_{text}(std::signbit(x));");
        assert_eq!(double("-0.0"), zero("TRUE"));
        assert_eq!(double("0x0p+0"), zero("FALSE"));
        assert_eq!(double("__builtin_nan(\"\")"), "EXPECT_TRUE(std::isnan(x));");
        assert_eq!(double("-std::numeric_limits<double>::quiet_NaN()"), "EXPECT_TRUE(std::isnan(x));");
        assert_eq!(in_cxx(Row::of(Framework::Gtest), "x", "0.0f", CheckKind::Float).concat(), zero("FALSE"));
        assert_eq!(assert_h("x", "-0x0p+0L", CheckKind::LongDouble), ["assert(x == 0.0 && signbit(x));"]);
        for other in ["10.0", "0x1p+0", "5e-324", "0.5", "0xfp+3"] {
            assert_eq!(double(other), format!("EXPECT_EQ(x, {other});"));
        }
    }

    #[test]
    fn headers_are_found_by_whole_words() {
        assert_eq!(needed_headers("assert(x == INT_MIN);", Language::C), ["<assert.h>", "<limits.h>"]);
        assert!(needed_headers("my_isnan(NANO)", Language::C).is_empty());
        assert_eq!(needed_headers("EXPECT_TRUE(std::isnan(x));", Language::Cxx), ["<cmath>"]);
    }
}
