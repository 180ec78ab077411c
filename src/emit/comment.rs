//! Text for comments: a mutant's change, and nothing that could end or continue the comment.

use crate::model::Language;

/// The most changed lines that a comment shows.
const MOST_LINES: usize = 12;

/// The changed lines of a unified diff, as `- before` and `+ after`, without their common indentation.
pub fn change(diff: &str) -> Vec<String> {
    let mut lines: Vec<(char, &str)> = Vec::new();
    let mut in_hunk = false;
    for line in diff.lines() {
        if line.starts_with("@@") {
            in_hunk = true;
        } else if in_hunk && let Some(sign @ ('-' | '+')) = line.chars().next() {
            lines.push((sign, line[1..].trim_end()));
        }
    }
    let indent = lines
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(_, text)| text.len() - text.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut shown: Vec<String> = lines
        .iter()
        .take(MOST_LINES)
        .map(|(sign, text)| format!("{sign} {}", text.get(indent..).unwrap_or("").replace('\t', "  ")))
        .map(|line| line.trim_end().to_owned())
        .collect();
    if lines.len() > MOST_LINES {
        shown.push(format!("… and {} lines more", lines.len() - MOST_LINES));
    }
    shown
}

/// A line that may stand in a comment of `language`: it neither ends it nor continues it, and warns nowhere.
pub fn safe(line: &str, language: Language) -> String {
    let mut text: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text = text.replace("??/", "? ?/");
    if language == Language::C {
        text = text.replace("*/", "* /").replace("/*", "/ *");
    }
    // A backslash at the end would join the next line to the comment, trailing blanks or not.
    if text.trim_end().ends_with('\\') { format!("{} |", text.trim_end()) } else { text.trim_end().to_owned() }
}

/// `text` broken into lines of at most `width` characters, at blanks.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_reduced_to_its_changed_lines() {
        let diff =
            "--- a/x.cpp\n+++ b/x.cpp\n@@ -1,3 +1,3 @@\n bool f() {\n-    return a <= b;\n+    return a < b;\n }\n";
        assert_eq!(change(diff), ["- return a <= b;", "+ return a < b;"]);
    }

    #[test]
    fn a_removed_decrement_is_no_file_header() {
        let diff = "--- a/x.cpp\n+++ b/x.cpp\n@@ -1 +1 @@\n--- i;\n+++ i;\n";
        assert_eq!(change(diff), ["- -- i;", "+ ++ i;"]);
    }

    #[test]
    fn nothing_in_a_changed_line_ends_or_continues_the_comment() {
        assert_eq!(safe("a /* b */ c", Language::C), "a / * b * / c");
        assert_eq!(safe("#define X \\  ", Language::Cxx), "#define X \\ |");
        assert_eq!(safe("a\rb", Language::C), "a b");
    }
}
