//! Recognises test files: their mutants are not worth trying. A file of code that has its tests in it is no test file.

use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, Model, Scope, SourceFile};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    "minunit.h",
    "munit.h",
    "greatest.h",
    "acutest.h",
    "utest.h",
    "cxxtest/",
    "UnitTest++/",
    "lest/lest.hpp",
];

/// A framework's own files, where a project brings it along: folders by names that nothing else has, and headers.
const BUNDLED: &[&str] = &["gtest/", "gmock/", "catch2/", "CppUTest/", "catch.hpp", "doctest.h", "unity.h", "cmocka.h"];

/// Why `file`, relative to the project, counts as a test; `None` if it does not. It `is_used` if other code than tests
/// uses its functions.
pub fn recognised(lexicon: &Lexicon, file: &Path, source: &SourceFile, is_used: impl Fn() -> bool) -> Option<String> {
    let path = file.to_string_lossy();
    if BUNDLED.iter().any(|known| path.starts_with(known) || path.contains(&format!("/{known}"))) {
        return Some("is part of a test framework".to_owned());
    }
    if let Some(header) = framework(source).filter(|_| !is_used()) {
        return Some(format!("includes {header}"));
    }
    let folders = file.parent().into_iter().flat_map(Path::components);
    // (`api_test`, `test_programs`: in the middle of a name the word says too little.)
    let is_of_tests = |name: &&str| lexicon.begins(name, Role::Test) || lexicon.ends(name, Role::Test);
    let folder = folders.filter_map(|part| part.as_os_str().to_str()).find(is_of_tests);
    if let Some(folder) = folder {
        return Some(format!("is in {folder}/"));
    }
    // A program whose name says so; of other files a name says too little.
    let named = lexicon.says(file.file_stem()?.to_str()?, Role::Test);
    (named && source.defines_main).then(|| "is a program of tests by its name".to_owned())
}

/// Whether a function is there for tests: the target of a fuzzer, or in a namespace of that name within another one.
pub fn is_for_tests(lexicon: &Lexicon, function: &Function) -> bool {
    let mut scopes = function.scopes.iter().skip(1);
    function.name == "LLVMFuzzerTestOneInput"
        || scopes.any(|scope| matches!(scope, Scope::Namespace { name, .. } if lexicon.is(name, Role::Test)))
}

/// The header of a test framework that a file includes.
pub fn framework(source: &SourceFile) -> Option<&str> {
    source.includes.iter().find_map(|(written, _)| {
        let header = written.trim_matches(['<', '>', '"', ' ']);
        FRAMEWORKS.iter().any(|known| header.starts_with(known)).then_some(header)
    })
}

/// Whether a source without tests has a header that declares what `file` defines.
pub fn is_used(model: &Model, file: &Path) -> bool {
    let has_tests = |path: &Path| model.files.get(path).is_some_and(|source| framework(source).is_some());
    let is_here = |function: &&Function| function.definition.as_ref().is_some_and(|at| at.extent.file == file);
    let declared = model.functions.values().filter(is_here).flat_map(|function| &function.declarations);
    let headers: BTreeSet<&Path> = declared.map(|at| &*at.file).filter(|header| *header != file).collect();
    let includes = |files: &[PathBuf]| files.iter().any(|known| headers.contains(known.as_path()));
    // What is behind a header of tests is for tests.
    let is_code = |files: &[PathBuf]| !files.iter().any(|known| has_tests(known));
    !headers.is_empty() && model.units.iter().any(|unit| includes(&unit.files) && is_code(&unit.files))
}

/// Whether a function of a file has the name that stands in its text: a macro makes that of a test.
pub fn is_named_in(text: &[u8], function: &Function) -> bool {
    let name = function.name.split([' ', '<']).next().unwrap_or_default();
    let at = function.definition.as_ref().map_or(0, |definition| definition.name_offset as usize);
    text.get(at..).is_some_and(|rest| rest.starts_with(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, include: &str, defines_main: bool) -> Option<String> {
        let source =
            SourceFile { includes: vec![(include.into(), "/x".into())], defines_main, ..SourceFile::default() };
        recognised(&Lexicon::default(), Path::new(path), &source, || false)
    }

    #[test]
    fn a_test_is_known_by_its_framework_its_folder_or_its_name() {
        assert_eq!(file("src/a.cpp", "<gtest/gtest.h>", false).unwrap(), "includes gtest/gtest.h");
        assert_eq!(file("src/Tests/a.cpp", "<vector>", false).unwrap(), "is in Tests/");
        assert_eq!(file("third_party/catch2/catch.hpp", "<vector>", false).unwrap(), "is part of a test framework");
        assert_eq!(file("doctest.h", "<vector>", false).unwrap(), "is part of a test framework");
        assert_eq!(file("api_test/cplusplus.cpp", "<vector>", false).unwrap(), "is in api_test/");
        assert!(file("xmltest.cpp", "<vector>", true).is_some());
        assert!(file("test_a.c", "\"a.h\"", true).is_some());
    }

    #[test]
    fn what_only_sounds_like_a_test_is_none() {
        assert_eq!(file("src/contest.cpp", "<vector>", false), None);
        assert_eq!(file("latest/main.cpp", "\"test.h\"", true), None);
        assert_eq!(file("src/testable.cpp", "<vector>", false), None);
        assert_eq!(file("contest/a.cpp", "<vector>", false), None);
        assert_eq!(file("src/community.h", "<vector>", false), None);
    }
}
