//! Unified diffs, coloured on a terminal.

use crate::mutant::made::diff;
use crate::ui::{Tone, paint, printable};
use std::path::Path;

/// A unified diff; a side that does not exist is `/dev/null`, as in git's.
pub fn unified(old: Option<(&Path, &str)>, new: Option<(&Path, &str)>) -> String {
    let text = |side: Option<(&Path, &str)>| side.map_or(String::new(), |(_, text)| text.to_owned());
    let Some(any) = new.or(old) else { return String::new() };
    let body = diff(any.0, text(old).as_bytes(), text(new).as_bytes());
    let lines = body.split_once("+++ ").and_then(|(_, rest)| rest.split_once('\n')).map_or("", |(_, lines)| lines);
    let head = |side: Option<(&Path, &str)>, letter: char| match side {
        Some((path, _)) => format!("{letter}/{}", path.display()),
        None => "/dev/null".to_owned(),
    };
    format!("--- {}\n+++ {}\n{lines}", head(old, 'a'), head(new, 'b'))
}

/// The diff with coloured lines.
pub fn painted(diff: &str, color: bool) -> String {
    let line = |line: &str| {
        let text = printable(line);
        match line.as_bytes().first() {
            _ if line.starts_with("--- ") || line.starts_with("+++ ") => paint(color, Tone::Strong, text),
            Some(b'+') => paint(color, Tone::Good, text),
            Some(b'-') => paint(color, Tone::Error, text),
            Some(b'@') => paint(color, Tone::Dim, text),
            _ => text,
        }
    };
    diff.lines().map(line).fold(String::new(), |all, line| all + &line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_has_no_old_side() {
        let path = Path::new("a/b.hpp");
        assert_eq!(unified(None, Some((path, "x\n"))), "--- /dev/null\n+++ b/a/b.hpp\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(unified(Some((path, "x\n")), None), "--- a/a/b.hpp\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    }

    #[test]
    fn colours_tell_the_sides_apart() {
        assert_eq!(painted("-a\n+b\n c\n", true), "\x1b[1;31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n c\n");
    }
}
