//! What the lines of a test say: what they declare, what they mention, what they hold between quotes.

use super::render::has_word;
use super::{Check, TestCase};

/// The variables of a test.
pub(super) fn names(case: &TestCase) -> Vec<String> {
    case.statements.iter().filter_map(|line| declared(line)).map(str::to_owned).collect()
}

/// All that a test's body is made of.
pub(super) fn text(case: &TestCase) -> impl Iterator<Item = String> {
    let checks = case.checks.iter().map(|check| match check {
        Check::Equal { actual, .. } => actual.clone(),
        Check::Throws { .. } => String::new(),
    });
    let lines = case.statements.iter().chain(&case.call).chain(&case.behind_call).chain(&case.take_down);
    lines.cloned().chain(checks)
}

/// Whether a word stands between quotes.
pub(super) fn is_in_text(line: &str, word: &str) -> bool {
    by_quotes(line).skip(1).step_by(2).any(|part| has_word(part, word))
}

/// What a line says without its texts.
pub(super) fn without_texts(line: &str) -> String {
    by_quotes(line).step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// What stands outside of quotes, between them, outside again.
pub(super) fn by_quotes(line: &str) -> impl Iterator<Item = &str> {
    let (mut escaped, mut open) = (false, None);
    line.split(move |c: char| {
        let is_plain = !escaped;
        escaped = c == '\\' && is_plain && open.is_some();
        let is_quote = is_plain && if open.is_some() { open == Some(c) } else { matches!(c, '"' | '\'') };
        if is_quote {
            open = if open.is_some() { None } else { Some(c) };
        }
        is_quote
    })
}

/// What the checks of a test ask for, and what they expect, without texts.
pub(super) fn asked(case: &TestCase) -> String {
    let said = |check: &Check| match check {
        Check::Equal { actual, expected, .. } => format!("{} {} ", without_texts(actual), without_texts(expected)),
        Check::Throws { ty, .. } => format!("{ty} "),
    };
    case.checks.iter().map(said).collect()
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a variable stands in a line; a member of that name is another thing.
pub(super) fn mentions(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + name.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part) && !before.ends_with('.') && !before.ends_with("->")
    })
}

/// The variable that a line declares, where that is a pointer to a function.
pub(super) fn pointer_to_function(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("(*").filter(|(ty, _)| ty.ends_with([' ', '*']) && !ty.contains(['=', '(']))?;
    rest.split_once(")(").filter(|(name, rest)| is_name(name) && rest.contains(") = ")).map(|(name, _)| name)
}

/// The variable that a line declares.
pub(super) fn declared(line: &str) -> Option<&str> {
    // `void *(*allocate)(size_t) = &malloc;`
    if let Some(name) = pointer_to_function(line) {
        return Some(name);
    }
    let head = line[..line.find(['=', '(', '{', '[', ';'])?].trim_end();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let from = head.rfind(|c| !is_part(c))? + 1;
    let (ty, name) = head.split_at(from);
    let begins = ty.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_type = begins && ty.ends_with([' ', '*', '&']) && !ty.contains('.');
    (is_type && !name.is_empty() && !line.contains('\n')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_declares_may_be_of_a_type_with_an_underscore_before_its_name() {
        assert_eq!(declared("_cmsSubAllocator memPool = {0};"), Some("memPool"));
        assert_eq!(declared("_Vamp::Plugin *plugin = made();"), Some("plugin"));
        assert_eq!(declared("int numbers[2] = {0};"), Some("numbers"));
        for other in ["h.Block = block;", "_exit(1);", "*_out = 1;", "list[0] = 1;"] {
            assert_eq!(declared(other), None, "{other}");
        }
    }
}
