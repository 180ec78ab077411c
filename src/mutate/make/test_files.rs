//! Recognises test files: their mutants are not worth trying.

use crate::lexicon::{Lexicon, Role};
use crate::model::SourceFile;
use std::path::Path;

/// Headers of test frameworks.
const FRAMEWORKS: &[&str] = &[
    "gtest/",
    "gmock/",
    "catch2/",
    "catch.hpp",
    "doctest.h",
    "doctest/",
    "boost/test/",
    "boost/ut.hpp",
    "cppunit/",
    "CppUTest/",
    "unity.h",
    "unity_fixture.h",
    "criterion/",
    "cmocka.h",
    "CUnit/",
    "QtTest",
    "tut/tut.hpp",
];

/// Why `file`, relative to the project, counts as a test; `None` if it does not.
pub fn recognised(lexicon: &Lexicon, file: &Path, source: &SourceFile) -> Option<String> {
    let header = source.includes.iter().find_map(|(written, _)| {
        let header = written.trim_matches(['<', '>', '"', ' ']);
        FRAMEWORKS.iter().any(|known| header.starts_with(known)).then_some(header)
    });
    if let Some(header) = header {
        return Some(format!("includes {header}"));
    }
    let folders = file.parent().into_iter().flat_map(Path::components);
    let folder = folders.filter_map(|part| part.as_os_str().to_str()).find(|name| lexicon.is(name, Role::Test));
    if let Some(folder) = folder {
        return Some(format!("is in {folder}/"));
    }
    // A program whose name says so; of other files a name says too little.
    let named = lexicon.says(file.file_stem()?.to_str()?, Role::Test);
    (named && source.defines_main).then(|| "is a program of tests by its name".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, include: &str, defines_main: bool) -> Option<String> {
        let source =
            SourceFile { includes: vec![(include.into(), "/x".into())], defines_main, ..SourceFile::default() };
        recognised(&Lexicon::default(), Path::new(path), &source)
    }

    #[test]
    fn a_test_is_known_by_its_framework_its_folder_or_its_name() {
        assert_eq!(file("src/a.cpp", "<gtest/gtest.h>", false).unwrap(), "includes gtest/gtest.h");
        assert_eq!(file("src/Tests/a.cpp", "<vector>", false).unwrap(), "is in Tests/");
        assert!(file("xmltest.cpp", "<vector>", true).is_some());
        assert!(file("test_a.c", "\"a.h\"", true).is_some());
    }

    #[test]
    fn what_only_sounds_like_a_test_is_none() {
        assert_eq!(file("src/contest.cpp", "<vector>", false), None);
        assert_eq!(file("latest/main.cpp", "\"test.h\"", true), None);
        assert_eq!(file("src/testable.cpp", "<vector>", false), None);
    }
}
