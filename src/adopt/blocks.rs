//! The text of a file of tests as its parts: what stands before the tests, each test with the comment above it, and
//! what stands behind.

use crate::emit::framework::Row;
use crate::model::Language;
use std::collections::BTreeSet;
use std::ops::Range;

/// A file of tests, by its lines.
#[derive(Clone, Debug)]
pub struct Blocks {
    lines: Vec<String>,
    tests: Vec<Block>,
}

/// One test.
#[derive(Clone, Debug)]
struct Block {
    /// As the outcome names it: `Suite.Name`, in C `Name`.
    name: String,
    /// Its lines, with the comment.
    lines: Range<usize>,
    /// The first line that is no comment.
    opens: usize,
}

impl Blocks {
    /// The tests in `text` that `names` has.
    pub fn of<'n>(text: &str, row: &Row, names: impl Iterator<Item = &'n str>) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut tests: Vec<Block> = names.filter_map(|name| block(&lines, row, name)).collect();
        tests.sort_by_key(|test| test.opens);
        Self { lines, tests }
    }

    /// The names of the tests that are there, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|test| test.name.as_str())
    }

    /// The lines of one test, with its comment.
    pub fn test(&self, name: &str) -> Option<&[String]> {
        self.tests.iter().find(|test| test.name == name).map(|test| &self.lines[test.lines.clone()])
    }

    /// The lines before the first test.
    pub fn head(&self) -> &[String] {
        &self.lines[..self.tests.first().map_or(self.lines.len(), |test| test.lines.start)]
    }

    /// The text without the tests that are not `kept`; nor are they called.
    pub fn only(&self, kept: &BTreeSet<&str>, row: &Row) -> String {
        let gone: Vec<&Block> = self.tests.iter().filter(|test| !kept.contains(test.name.as_str())).collect();
        let calls: BTreeSet<String> = gone.iter().filter_map(|test| call(row, &test.name)).collect();
        let is_gone =
            |at: usize| gone.iter().any(|test| test.lines.contains(&at)) || calls.contains(self.lines[at].as_str());
        joined((0..self.lines.len()).filter(|at| !is_gone(*at)).map(|at| self.lines[at].as_str()))
    }

    /// The text with `remarks` at the end of each test's comment.
    pub fn remarked(&self, remarks: &[String], language: Language) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if self.tests.iter().any(|test| test.opens == at) {
                let closes = lines.pop_if(|line| language == Language::C && line.trim() == "*/");
                let mark = if language == Language::C { " * " } else { "// " };
                let commented = closes.is_some() || language == Language::Cxx;
                if !commented {
                    lines.push("/*".to_owned());
                }
                lines.extend(remarks.iter().map(|remark| format!("{mark}{remark}")));
                lines.extend(closes.or_else(|| (!commented).then(|| " */".to_owned())));
            }
            lines.push(line.clone());
        }
        joined(lines.iter().map(String::as_str))
    }

    /// The text with other lines for one test.
    pub fn with(&self, name: &str, test: &[String]) -> Self {
        let Some(old) = self.tests.iter().find(|known| known.name == name) else { return self.clone() };
        let (before, behind) = (&self.lines[..old.lines.start], &self.lines[old.lines.end..]);
        let lines: Vec<String> = before.iter().chain(test).chain(behind).cloned().collect();
        let moved = |at: usize| if at >= old.lines.end { at + test.len() - old.lines.len() } else { at };
        let tests = self.tests.iter().map(|known| match known.name == name {
            true => {
                let comment = test.iter().take_while(|line| is_comment(line)).count();
                let start = old.lines.start;
                Block { name: name.to_owned(), lines: start..start + test.len(), opens: start + comment }
            }
            false => Block {
                name: known.name.clone(),
                lines: moved(known.lines.start)..moved(known.lines.end),
                opens: moved(known.opens),
            },
        });
        let tests = tests.collect();
        Self { lines, tests }
    }

    /// The text.
    pub fn text(&self) -> String {
        joined(self.lines.iter().map(String::as_str))
    }
}

/// Lines as a text in which no two empty ones follow each other.
fn joined<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut out = String::new();
    let mut empty = true;
    for line in lines {
        if !(line.is_empty() && empty) {
            out.push_str(line);
            out.push('\n');
        }
        empty = line.is_empty();
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// What stands in a framework's row for a test, with its names in place.
fn named(text: &str, name: &str) -> String {
    let (suite, own) = name.split_once('.').unwrap_or(("", name));
    text.replace("{suite}", suite).replace("{name}", own)
}

/// The line that runs a test in a program with a `main` of its own.
fn call(row: &Row, name: &str) -> Option<String> {
    row.main.map(|[_, each, _]| named(each, name).trim_end().to_owned())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") || line.starts_with("/*") || line.starts_with('*')
}

fn block(lines: &[String], row: &Row, name: &str) -> Option<Block> {
    let (opening, closing) = (named(row.opens, name), named(row.closes, name));
    let (opening, closing): (Vec<&str>, Vec<&str>) = (opening.lines().collect(), closing.lines().collect());
    let found = |at: usize, wanted: &[&str]| {
        lines[at..].len() >= wanted.len() && lines[at..].iter().zip(wanted).all(|(line, word)| line == word)
    };
    let opens = (0..lines.len()).find(|at| found(*at, &opening))?;
    let closes = (opens..lines.len()).find(|at| found(*at, &closing))?;
    let comment = lines[..opens].iter().rev().take_while(|line| is_comment(line)).count();
    Some(Block { name: name.to_owned(), lines: opens - comment..closes + closing.len(), opens })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Framework;

    const GTEST: &str = "// Head.\n\n#include <gtest/gtest.h>\n\n// Kills a:\n//   - x\nTEST(S, A) {\n  f();\n}\n\n\
                         // Kills b.\nTEST(S, B) {\n  g();\n}\n";
    const C: &str = "/*\n * Head.\n */\n#include <assert.h>\n\n/*\n * Kills a.\n */\nstatic void test_A(void) {\n  \
                     f();\n}\n\nstatic void test_B(void) {\n  g();\n}\n\nint main(void) {\n  test_A();\n  test_B();\n  \
                     return 0;\n}\n";

    #[test]
    fn a_test_that_is_left_out_goes_with_its_comment_and_its_call() {
        let row = Row::of(Framework::Gtest);
        let blocks = Blocks::of(GTEST, row, ["S.B", "S.A", "S.C"].into_iter());
        assert_eq!(blocks.names().collect::<Vec<_>>(), ["S.A", "S.B"]);
        let text = blocks.only(&["S.B"].into(), row);
        assert_eq!(text, "// Head.\n\n#include <gtest/gtest.h>\n\n// Kills b.\nTEST(S, B) {\n  g();\n}\n");
        let row = Row::of(Framework::Assert);
        let text = Blocks::of(C, row, ["A", "B"].into_iter()).only(&["B"].into(), row);
        assert!(!text.contains("test_A") && !text.contains("Kills a") && text.contains("  test_B();\n  return 0;"));
    }

    #[test]
    fn remarks_stand_at_the_end_of_each_tests_comment() {
        let remarks = ["Requirement: R-1".to_owned()];
        let blocks = Blocks::of(GTEST, Row::of(Framework::Gtest), ["S.A"].into_iter());
        assert!(blocks.remarked(&remarks, Language::Cxx).contains("//   - x\n// Requirement: R-1\nTEST(S, A) {"));
        let text = Blocks::of(C, Row::of(Framework::Assert), ["A", "B"].into_iter()).remarked(&remarks, Language::C);
        assert!(text.contains(" * Kills a.\n * Requirement: R-1\n */\nstatic void test_A(void) {"), "{text}");
        assert!(text.contains("\n/*\n * Requirement: R-1\n */\nstatic void test_B(void) {"), "{text}");
    }

    #[test]
    fn one_test_is_replaced_and_the_others_stay() {
        let blocks = Blocks::of(GTEST, Row::of(Framework::Gtest), ["S.A", "S.B"].into_iter());
        let new: Vec<String> = ["// New.", "TEST(S, A) {", "}"].map(str::to_owned).into();
        let changed = blocks.with("S.A", &new);
        assert_eq!(changed.test("S.A"), Some(new.as_slice()));
        assert_eq!(changed.test("S.B"), blocks.test("S.B"));
        assert_eq!(changed.head(), blocks.head());
    }
}
