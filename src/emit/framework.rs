//! The frameworks of emitted tests: a row for each says how a test is written, built and run in it.

use crate::choices::Framework;
use crate::model::Language;
use std::path::Path;

/// Folders that hold installed headers.
const INSTALLED: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// What stands before, between and behind two arguments.
pub type Pair = [&'static str; 3];

/// How tests are written, built and run in one framework.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name on the command line. A framework whose versions differ has a row for each, the usual one first.
    pub name: Framework,
    /// The language whose tests it serves.
    pub language: Language,
    /// The header that tells that it is installed; empty where nothing has to be.
    pub header: &'static str,
    /// Beginnings of the headers by which a project's own tests are known to use it.
    pub known_by: &'static [&'static str],
    /// The Debian package.
    pub package: &'static str,
    /// The lines that include it.
    pub include: &'static str,
    /// It stands behind the project's headers, whose names its macros would take.
    pub include_last: bool,
    /// What opens a test named `{suite}` and `{name}`.
    pub opens: &'static str,
    /// What ends it.
    pub closes: &'static str,
    /// The program's `main`, where the tests bring it along: before, for each test (`{name}`) and behind them.
    pub main: Option<Pair>,
    /// The same `main` for a proof, which runs the one test that its first argument (`argv[1]`) names.
    pub main_of_one: Option<Pair>,
    /// What a true condition is given to.
    pub is_true: &'static str,
    /// What a false condition is given to; empty where the condition is negated.
    pub is_false: &'static str,
    /// Two equal values, where there is a way of its own.
    pub equal: Option<Pair>,
    /// Two equal C strings, where there is a way of its own.
    pub text: Option<Pair>,
    /// Operands of `equal` are taken apart at their operators, so that those within must be in parentheses.
    pub takes_apart: bool,
    /// Expected exceptions: of a type, of any, and none.
    pub throws: [&'static str; 3],
    /// What throws may be a statement, not only an expression.
    pub takes_statements: bool,
    /// A failure with a message, before it and behind it.
    pub fails: [&'static str; 2],
    /// What the program is linked with.
    pub link: &'static [&'static str],
    /// The lines of `CMakeLists.txt` that find it.
    pub find: &'static str,
    /// What `CMakeLists.txt` links with.
    pub target: &'static str,
    /// The command of `CMakeLists.txt` that finds the tests in a program; without one, they are listed.
    pub discovers: &'static str,
    /// The argument that runs one test, before the test's name.
    pub filter: &'static str,
}

/// What programs in C do, with `assert`.
const ASSERT: Row = Row {
    name: Framework::Assert,
    language: Language::C,
    header: "",
    known_by: &[],
    package: "",
    include: "/* The checks must stay in every build. */\n#undef NDEBUG\n#include <assert.h>",
    include_last: false,
    opens: "static void test_{name}(void) {",
    closes: "}",
    main: Some(["int main(void) {\n", "  test_{name}();\n", "  return 0;\n}"]),
    main_of_one: Some([
        "int main(int argc, char **argv) {\n  (void)argc;\n",
        "  if (__builtin_strcmp(argv[1], \"{name}\") == 0) { test_{name}(); return 0; }\n",
        "  return 99;\n}",
    ]),
    is_true: "assert",
    is_false: "",
    equal: None,
    text: None,
    takes_apart: false,
    throws: ["", "", ""],
    takes_statements: false,
    fails: ["", ""],
    link: &[],
    find: "",
    target: "",
    discovers: "",
    filter: "",
};

const GTEST: Row = Row {
    name: Framework::Gtest,
    language: Language::Cxx,
    header: "gtest/gtest.h",
    known_by: &["gtest/", "gmock/"],
    package: "libgtest-dev",
    include: "#include <gtest/gtest.h>",
    include_last: false,
    opens: "TEST({suite}, {name}) {",
    closes: "}",
    main: None,
    main_of_one: None,
    is_true: "EXPECT_TRUE",
    is_false: "EXPECT_FALSE",
    equal: Some(["EXPECT_EQ(", ", ", ");"]),
    text: Some(["EXPECT_STREQ(", ", ", ");"]),
    takes_apart: false,
    throws: ["EXPECT_THROW", "EXPECT_ANY_THROW", "EXPECT_NO_THROW"],
    takes_statements: true,
    fails: ["ADD_FAILURE() << ", ";"],
    // The program's `main` first: it needs the rest.
    link: &["-lgtest_main", "-lgtest"],
    find: "find_package(GTest REQUIRED)\ninclude(GoogleTest)",
    target: "GTest::gtest_main",
    discovers: "gtest_discover_tests",
    filter: "--gtest_filter=",
};

const CATCH2: Row = Row {
    name: Framework::Catch2,
    header: "catch2/catch.hpp",
    known_by: &["catch2/", "catch.hpp"],
    package: "catch2",
    include: "#include <catch2/catch.hpp>",
    opens: "TEST_CASE(\"{suite}.{name}\") {",
    is_true: "CHECK",
    is_false: "CHECK_FALSE",
    equal: Some(["CHECK(", " == ", ");"]),
    text: Some(["CHECK(std::string(", ") == ", ");"]),
    takes_apart: true,
    throws: ["CHECK_THROWS_AS", "CHECK_THROWS", "CHECK_NOTHROW"],
    takes_statements: false,
    fails: ["FAIL_CHECK(", ");"],
    link: &["-lCatch2WithMain"],
    find: "find_package(Catch2 2 REQUIRED)",
    target: "Catch2::Catch2WithMain",
    discovers: "",
    filter: "",
    ..GTEST
};

/// All rows.
static ROWS: [Row; 6] = [
    GTEST,
    ASSERT,
    CATCH2,
    // Its third version is a library with headers of their own.
    Row {
        header: "catch2/catch_test_macros.hpp",
        include: "#include <catch2/catch_test_macros.hpp>",
        link: &["-lCatch2Main", "-lCatch2"],
        find: "find_package(Catch2 3 REQUIRED)",
        ..CATCH2
    },
    Row {
        name: Framework::Doctest,
        header: "doctest/doctest.h",
        known_by: &["doctest/", "doctest.h"],
        package: "doctest-dev",
        include: "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>",
        link: &[],
        find: "find_package(doctest REQUIRED)",
        target: "doctest::doctest",
        filter: "--test-case=",
        ..CATCH2
    },
    Row {
        name: Framework::Cmocka,
        header: "cmocka.h",
        known_by: &["cmocka.h"],
        package: "libcmocka-dev",
        include: "/* cmocka.h needs these first. */\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n\
                  #include <setjmp.h>\n#include <cmocka.h>\n\
                  /* Words that the project may have functions of. */\n#undef fail\n#undef mock\n#undef skip",
        include_last: true,
        opens: "static void test_{name}(void **of_cmocka) {\n  (void)of_cmocka;",
        main: Some([
            "int main(void) {\n  const struct CMUnitTest tests[] = {\n",
            "    cmocka_unit_test(test_{name}),\n",
            "  };\n  return cmocka_run_group_tests(tests, NULL, NULL);\n}",
        ]),
        main_of_one: Some([
            "int main(int argc, char **argv) {\n  (void)argc;\n",
            "  if (__builtin_strcmp(argv[1], \"{name}\") == 0) {\n    \
             const struct CMUnitTest tests[] = {cmocka_unit_test(test_{name})};\n    \
             return cmocka_run_group_tests(tests, NULL, NULL);\n  }\n",
            "  return 99;\n}",
        ]),
        is_true: "assert_true",
        is_false: "assert_false",
        text: Some(["assert_string_equal(", ", ", ");"]),
        link: &["-lcmocka"],
        target: "cmocka",
        ..ASSERT
    },
];

impl Row {
    /// The row of `framework`: of the version that is installed, the usual one if none is.
    pub fn of(framework: Framework) -> &'static Row {
        let mut of_it = ROWS.iter().filter(|row| row.name == framework);
        of_it.clone().find(|row| row.is_installed()).or_else(|| of_it.next()).unwrap_or(&ROWS[0])
    }

    /// What tests in `language` are written in, among `wanted` or without a wish.
    pub fn for_language(language: Language, wanted: &[Framework]) -> &'static Row {
        let usual = match language {
            Language::C => Framework::Assert,
            Language::Cxx => Framework::Gtest,
        };
        wanted.iter().map(|name| Row::of(*name)).find(|row| row.language == language).unwrap_or_else(|| Row::of(usual))
    }

    /// Whether its header is where installed headers are.
    pub fn is_installed(&self) -> bool {
        self.header.is_empty() || INSTALLED.iter().any(|folder| Path::new(folder).join(self.header).is_file())
    }
}

/// The installed frameworks whose headers are among `includes`, as `<…>` or `"…"`, most used first.
pub fn used<'i>(includes: impl Iterator<Item = &'i str>) -> Vec<Framework> {
    included(includes).into_iter().filter(|name| Row::of(*name).is_installed()).collect()
}

/// The same, installed or not.
pub fn included<'i>(includes: impl Iterator<Item = &'i str>) -> Vec<Framework> {
    let mut times = ROWS.each_ref().map(|row| (0, row));
    for include in includes {
        let header = include.trim_matches(['<', '>', '"', ' ']);
        for (times, row) in &mut times {
            *times += usize::from(row.known_by.iter().any(|known| header.starts_with(known)));
        }
    }
    times.sort_by_key(|(times, _)| std::cmp::Reverse(*times));
    let mut found: Vec<_> = times.iter().filter(|(times, _)| *times > 0).map(|(_, row)| row.name).collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_written_in_what_the_projects_own_use_most() {
        let includes = ["<gtest/gtest.h>", "\"doctest/doctest.h\"", "<doctest/doctest.h>", "<cmocka.h>", "<vector>"];
        let found = used(includes.into_iter());
        assert_eq!(found, [Framework::Doctest, Framework::Gtest, Framework::Cmocka]);
        assert_eq!(Row::for_language(Language::Cxx, &found).name, Framework::Doctest);
        assert_eq!(Row::for_language(Language::C, &found).name, Framework::Cmocka);
        assert_eq!(Row::for_language(Language::C, &[]).name, Framework::Assert);
    }

    #[test]
    fn every_framework_has_a_row() {
        for name in <Framework as clap::ValueEnum>::value_variants() {
            assert_eq!(Row::of(*name).name, *name);
        }
    }
}
