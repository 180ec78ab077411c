//! Statements that nobody asserts on: they only log, trace, count or reserve.

use super::skip_comments::Mark;
use super::source::Source;
use crate::lexicon::Arid;
use crate::tree::{Kind, Node, Role, Trees};

/// What the reasons of these marks end with.
pub const ARID: &str = " (arid)";

/// A mark for each such statement, with its kind as the reason.
pub fn marks(trees: &Trees, source: &Source, arid: &Arid) -> Vec<Mark> {
    let mut marks = Vec::new();
    for body in &trees.bodies {
        body.root.walk(&mut |node| {
            if let Some(kind) = kind(node, source, arid) {
                let (start, end) = (node.span.start, node.span.end);
                marks.push(Mark { line: source.line(start), start, end, reason: format!("{kind}{ARID}") });
            }
        });
    }
    marks
}

fn kind<'a>(node: &Node, source: &Source, arid: &'a Arid) -> Option<&'a str> {
    // A call whose result is used is not there to log: `y = log(x);`.
    let is_statement = node.kind == Kind::Expression || node.in_macro && matches!(node.kind, Kind::Other(_));
    if !is_statement {
        return None;
    }
    let called = node.child(Role::Operand).and_then(|operand| match &operand.kind {
        Kind::Call { name, .. } if !operand.in_macro => Some(name.as_str()),
        _ => None,
    });
    let text = String::from_utf8_lossy(node.span.text(&source.bytes)).into_owned();
    let (written, rest) = path(&text);
    let first = rest.strip_prefix('(').map(|rest| format!("{written}({}", path(rest).0));
    [called, Some(written.as_str()), first.as_deref()].into_iter().flatten().find_map(|name| arid.kind(name))
}

/// The name that a text begins with, its parts joined by `::`, and the rest of the text.
fn path(text: &str) -> (String, &str) {
    let (mut name, mut rest) = (String::new(), text.trim_start());
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        name += &rest[..end];
        rest = rest[end..].trim_start();
        let Some(next) = ["::", "->", "."].iter().find_map(|joint| rest.strip_prefix(joint)) else {
            return (name, rest);
        };
        // `::name` is a name of the global scope.
        if !name.is_empty() {
            name += "::";
        }
        rest = next.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_begins_with_a_name_however_its_parts_are_joined() {
        for (text, name, rest) in [
            ("LOG(INFO) << x;", "LOG", "(INFO) << x;"),
            ("  this->log_ -> debug(x);", "this::log_::debug", "(x);"),
            ("::std::cerr << 1;", "std::cerr", "<< 1;"),
            ("(a)(b);", "", "(a)(b);"),
        ] {
            assert_eq!(path(text), (name.to_owned(), rest), "{text}");
        }
    }
}
