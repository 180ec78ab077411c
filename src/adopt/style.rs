//! How the files of a test folder are named and what they include: new ones are to look like them.

use crate::choices::Framework;
use crate::emit::framework::{self, Row};
use crate::model::Language;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The ends of C++ sources.
const CXX: [&str; 4] = ["cpp", "cc", "cxx", "C"];
/// The most folders below the one with the tests.
const DEPTH: usize = 3;

/// What is known of a folder of tests.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Its sources, absolute, with their texts.
    pub files: Vec<(PathBuf, String)>,
    /// The texts of its headers.
    pub headers: Vec<String>,
}

/// How a file name is made of a stem: what stands before and behind it.
type Pattern = (String, String);

impl Style {
    /// The style of the sources in `folder` that are not `ours`.
    pub fn of(folder: &Path, ours: &dyn Fn(&Path) -> bool) -> Self {
        let mut found = Vec::new();
        collect(folder, 0, &mut found);
        found.sort();
        found.retain(|path| !ours(path));
        let read =
            |path: PathBuf| std::fs::read(&path).ok().map(|bytes| (path, String::from_utf8_lossy(&bytes).into_owned()));
        let is_source = |path: &Path| is_in(path, Language::C) || is_in(path, Language::Cxx);
        let (files, headers): (Vec<_>, Vec<_>) =
            found.into_iter().filter_map(read).partition(|(path, _)| is_source(path));
        Self { files, headers: headers.into_iter().map(|(_, text)| text).collect() }
    }

    /// The sources that are tests in a framework: those that include it, else those that are called like tests, else
    /// all.
    pub fn tests(&self, row: &Row) -> Vec<&(PathBuf, String)> {
        let of_language = || self.files.iter().filter(|(path, _)| is_in(path, row.language));
        let is_known = |operand: &str| row.is_known_by(operand);
        let with: Vec<_> = of_language().filter(|(_, text)| includes(text).any(is_known)).collect();
        let called: Vec<_> = of_language().filter(|(path, _)| stem_of(path).and_then(pattern).is_some()).collect();
        [with, called].into_iter().find(|files| !files.is_empty()).unwrap_or_else(|| of_language().collect())
    }

    /// The tests in a framework beside which a new one stands: where each is a program, only those that are.
    pub fn programs(&self, row: &Row) -> Vec<&PathBuf> {
        let tests = self.tests(row);
        let is_one = |text: &str| crate::emit::render::has_word(text, "main");
        let are_programs = row.main.is_some() && tests.iter().any(|(_, text)| is_one(text));
        tests.into_iter().filter(|(_, text)| !are_programs || is_one(text)).map(|(path, _)| path).collect()
    }

    /// The operands of all includes, as written.
    pub fn includes(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(_, text)| text).chain(&self.headers).flat_map(|text| includes(text))
    }

    /// The frameworks that the folder's tests use, most used first.
    pub fn frameworks(&self) -> Vec<Framework> {
        framework::included(self.includes())
    }

    /// How most of the folder's tests are called; the names of ours where there is no habit.
    pub fn file_name(&self, stem: &str, language: Language) -> String {
        let of_language = |path: &&PathBuf| is_in(path, language);
        let names = self.files.iter().map(|(path, _)| path).filter(of_language);
        let mut habits: BTreeMap<(Pattern, &str), usize> = BTreeMap::new();
        for path in names {
            let (Some(name), Some(end)) = (stem_of(path), path.extension().and_then(|end| end.to_str())) else {
                continue;
            };
            if let Some(pattern) = pattern(name) {
                *habits.entry((pattern, end)).or_default() += 1;
            }
        }
        let usual = || ((String::new(), "_test".to_owned()), if language == Language::C { "c" } else { "cpp" });
        let most = habits.into_iter().max_by_key(|(_, times)| *times).map(|(habit, _)| habit);
        let ends = || self.files.iter().filter(|(path, _)| is_in(path, language));
        let ((before, behind), end) = most.unwrap_or_else(|| {
            // Whatever they are called, they end alike.
            let end = ends().find_map(|(path, _)| path.extension().and_then(|end| end.to_str()));
            let (pattern, usual) = usual();
            (pattern, end.unwrap_or(usual))
        });
        let stem =
            if behind.starts_with('-') || before.ends_with('-') { stem.replace('_', "-") } else { stem.to_owned() };
        format!("{before}{stem}{behind}.{end}")
    }

    /// The `main` that most of the folder's tests bring along; empty where they ask the framework for one.
    pub fn main_of_each(&self, row: &Row) -> Option<String> {
        let defines: Vec<&str> = row.include.lines().filter(|line| line.starts_with("#define ")).collect();
        let main = |text: &str| {
            if defines.iter().any(|line| text.contains(line)) {
                return Some(String::new());
            }
            let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("int main(")).collect();
            let end = lines.iter().position(|line| line.ends_with('}') && !line.starts_with(' '))?;
            Some(lines[..=end].join("\n") + "\n")
        };
        let tests = self.tests(row);
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for main in tests.iter().filter_map(|(_, text)| main(text)) {
            *times.entry(main).or_default() += 1;
        }
        let all: usize = times.values().sum();
        let (most, _) = times.into_iter().max_by_key(|(_, times)| *times)?;
        (all > 1 && all * 2 > tests.len()).then_some(most)
    }
}

/// The operands of the includes of a text, as written.
pub fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(operand)
}

/// The operand of a line that includes.
pub fn operand(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let end = match rest.chars().next()? {
        '<' => rest.find('>')?,
        '"' => rest[1..].find('"')? + 1,
        _ => return None,
    };
    Some(&rest[..=end])
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && depth < DEPTH {
            collect(&path, depth + 1, files);
        } else if is_in(&path, Language::C) || is_in(&path, Language::Cxx) || is_header(&path) {
            files.push(path);
        }
    }
}

fn is_in(path: &Path, language: Language) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    if language == Language::C { end == "c" } else { CXX.contains(&end) }
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["h", "hh", "hpp", "hxx"].iter().any(|known| end == *known))
}

fn stem_of(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

/// The beginning or end of a name that says that it is a test.
fn pattern(name: &str) -> Option<Pattern> {
    for word in ["unittest", "unit", "tests", "test"] {
        for mark in ["_", "-"] {
            if name.ends_with(&format!("{mark}{word}")) {
                return Some((String::new(), format!("{mark}{word}")));
            }
            if name.starts_with(&format!("{word}{mark}")) {
                return Some((format!("{word}{mark}"), String::new()));
            }
        }
    }
    let camel = ["Tests", "Test"].into_iter().find(|word| name.len() > word.len() && name.ends_with(word));
    camel.map(|word| (String::new(), word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(names: &[&str]) -> Style {
        let files = names.iter().map(|name| (PathBuf::from(name), String::new())).collect();
        Style { files, headers: Vec::new() }
    }

    #[test]
    fn new_files_are_called_as_most_of_those_that_are_there() {
        let named = |names: &[&str]| style(names).file_name("Json_Reader_parse", Language::Cxx);
        assert_eq!(named(&[]), "Json_Reader_parse_test.cpp");
        assert_eq!(named(&["/t/main.cc", "/t/a_unittest.cc", "/t/b_unittest.cc"]), "Json_Reader_parse_unittest.cc");
        assert_eq!(named(&["/t/test_a.cpp", "/t/test_b.cpp", "/t/c_test.cpp"]), "test_Json_Reader_parse.cpp");
        assert_eq!(named(&["/t/args-test.cc"]), "Json-Reader-parse-test.cc");
        assert_eq!(named(&["/t/HelpersTest.cpp"]), "Json_Reader_parseTest.cpp");
        assert_eq!(named(&["/t/main.cxx"]), "Json_Reader_parse_test.cxx");
        assert_eq!(style(&["/t/a_test.cc", "/t/b_test.c"]).file_name("f", Language::C), "f_test.c");
    }

    #[test]
    fn sources_beside_tests_are_no_tests() {
        let row = Row::of(Framework::Gtest);
        let names = |style: &Style| style.tests(row).iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        let mut of = style(&["/t/db.cc", "/t/db_test.cc", "/t/odd.cc"]);
        assert_eq!(names(&of), [PathBuf::from("/t/db_test.cc")]);
        of.files[2].1 = "#include \"gtest/gtest.h\"\n".into();
        assert_eq!(names(&of), [PathBuf::from("/t/odd.cc")]);
        assert_eq!(names(&style(&["/t/a.cc"])), [PathBuf::from("/t/a.cc")]);
    }

    #[test]
    fn what_a_line_includes_is_read_as_it_is_written() {
        let text = "#include <a.h>\n  # include \"b/c.h\" // why\n#define include <d.h>\n#include MACRO\n";
        assert_eq!(includes(text).collect::<Vec<_>>(), ["<a.h>", "\"b/c.h\""]);
    }
}
