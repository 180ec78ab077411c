//! Recognises test files: their mutants are not worth trying.

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

/// Folders that tests are kept in.
const FOLDERS: &[&str] = &["test", "tests", "unittest", "unittests", "unit_tests", "unit-tests", "testing"];

/// Why `file`, relative to the project, counts as a test; `None` if it does not.
pub fn recognised(file: &Path, source: &SourceFile) -> Option<String> {
    let header = source.includes.iter().find_map(|(written, _)| {
        let header = written.trim_matches(['<', '>', '"', ' ']);
        FRAMEWORKS.iter().any(|known| header.starts_with(known)).then_some(header)
    });
    if let Some(header) = header {
        return Some(format!("includes {header}"));
    }
    let folders = file.parent().into_iter().flat_map(Path::components);
    let folder = folders.filter_map(|part| part.as_os_str().to_str()).find(|name| {
        let name = name.to_lowercase();
        FOLDERS.contains(&name.as_str())
    });
    if let Some(folder) = folder {
        return Some(format!("is in {folder}/"));
    }
    // A program that is named like a test; for other files a name is not enough.
    let stem = file.file_stem()?.to_str()?.to_lowercase();
    let named = ["test", "tests"].iter().any(|word| stem.ends_with(word)) || stem.starts_with("test");
    (named && source.defines_main).then(|| "is a program of tests by its name".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, include: &str, defines_main: bool) -> Option<String> {
        let source =
            SourceFile { includes: vec![(include.into(), "/x".into())], defines_main, ..SourceFile::default() };
        recognised(Path::new(path), &source)
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
