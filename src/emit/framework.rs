//! The frameworks of emitted tests: a row for each says how a test is written, built and run in it.

use crate::choices::Framework;
use crate::model::Language;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders that hold installed headers.
pub const INSTALLED: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// What stands before, between and behind two arguments.
pub type Pair = [&'static str; 3];

/// A framework that a project has among its own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The name of its header.
    pub header: &'static str,
    /// The source file beside the header, which the project builds; empty where the header is all.
    pub source: &'static str,
    /// What a program of tests defines before it includes the header.
    pub before: &'static str,
}

/// A macro that a project defines to have a framework's macros under names of their own, and what these begin with.
pub type Prefix = [&'static str; 2];

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
    /// How a project may bring it along; none where it has to be installed.
    pub shipped: Option<Shipped>,
    /// The Debian package.
    pub package: &'static str,
    /// The lines that include it.
    pub include: &'static str,
    /// It stands behind the project's headers, whose names its macros would take.
    pub include_last: bool,
    /// What stands before the first test of a file.
    pub begins: &'static str,
    /// What stands behind the last test of a file.
    pub ends: &'static str,
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
    /// What ends the test where a condition is not true.
    pub requires: &'static str,
    /// What a false condition is given to; empty where the condition is negated.
    pub is_false: &'static str,
    /// Two equal values, where there is a way of its own.
    pub equal: Option<Pair>,
    /// Two values that are not equal, where there is a way of its own.
    pub unequal: Option<Pair>,
    /// `equal` is for numbers and texts alone, as it prints its operands.
    pub prints: bool,
    /// Two equal integers, where `equal` is not for them.
    pub integers: Option<Pair>,
    /// The expected value stands before the actual one.
    pub expected_first: bool,
    /// Two equal C strings, where there is a way of its own.
    pub text: Option<Pair>,
    /// Operands of `equal` are taken apart at their operators, so that those within must be in parentheses.
    pub takes_apart: bool,
    /// `{call}` throws a `{type}`, anything, and nothing; empty where there is no way of its own.
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
    /// The arguments that run one test.
    pub only: &'static [&'static str],
    /// How its macros are called where their names would collide with others.
    pub prefix: Option<Prefix>,
    /// The macro of a source that becomes the framework's implementation, without a `main`; empty where none does.
    pub implements: &'static str,
}

impl Row {
    /// A file of tests in a project that is compiled with `args`, its macros called as they are there.
    pub fn prefixed(&self, text: String, args: &[String]) -> String {
        let defines = |macro_name: &str| {
            let is_it = |arg: &String| arg.trim_start_matches("-D").split('=').next() == Some(macro_name);
            args.iter().any(is_it)
        };
        let Some([_, prefix]) = self.prefix.filter(|[macro_name, _]| defines(macro_name)) else { return text };
        let names = ["TEST_CASE", "CHECK", "REQUIRE", "FAIL"];
        let is_macro = |line: &str| {
            let of = |name: &&str| line.trim_start().strip_prefix(*name);
            let called = |rest: &str| rest.starts_with('(') || rest.starts_with('_') && rest.contains('(');
            names.iter().find_map(of).is_some_and(called)
        };
        let lines = text.split_inclusive('\n').map(|line| {
            let indent = line.len() - line.trim_start_matches(' ').len();
            if is_macro(line) { format!("{}{prefix}{}", &line[..indent], &line[indent..]) } else { line.to_owned() }
        });
        lines.collect()
    }
}

/// What programs in C do, with `assert`.
pub(super) const ASSERT: Row = Row {
    name: Framework::Assert,
    language: Language::C,
    header: "",
    known_by: &[],
    shipped: None,
    package: "",
    include: "/* The checks must stay in every build. */\n#undef NDEBUG\n#include <assert.h>",
    include_last: false,
    begins: "",
    ends: "",
    opens: "static void test_{name}(void) {",
    closes: "}",
    main: Some(["int main(void) {\n", "  test_{name}();\n", "  return 0;\n}"]),
    main_of_one: Some([
        "int main(int argc, char **argv) {\n  (void)argc;\n",
        "  if (__builtin_strcmp(argv[1], \"{name}\") == 0) { test_{name}(); return 0; }\n",
        "  return 99;\n}",
    ]),
    is_true: "assert",
    requires: "assert",
    is_false: "",
    equal: None,
    unequal: None,
    prints: false,
    integers: None,
    expected_first: false,
    text: None,
    takes_apart: false,
    throws: ["", "", ""],
    takes_statements: false,
    fails: ["", ""],
    link: &[],
    find: "",
    target: "",
    discovers: "",
    only: &["{name}"],
    prefix: None,
    implements: "",
};

pub(super) const GTEST: Row = Row {
    name: Framework::Gtest,
    language: Language::Cxx,
    header: "gtest/gtest.h",
    known_by: &["gtest/", "gmock/"],
    shipped: None,
    package: "libgtest-dev",
    include: "#include <gtest/gtest.h>",
    include_last: false,
    begins: "",
    ends: "",
    opens: "TEST({suite}, {name}) {",
    closes: "}",
    main: None,
    main_of_one: None,
    is_true: "EXPECT_TRUE",
    requires: "ASSERT_TRUE",
    is_false: "EXPECT_FALSE",
    equal: Some(["EXPECT_EQ(", ", ", ");"]),
    unequal: Some(["EXPECT_NE(", ", ", ");"]),
    prints: false,
    integers: None,
    expected_first: false,
    text: Some(["EXPECT_STREQ(", ", ", ");"]),
    takes_apart: false,
    throws: ["EXPECT_THROW({call}, {type});", "EXPECT_ANY_THROW({call});", "EXPECT_NO_THROW({call});"],
    takes_statements: true,
    fails: ["ADD_FAILURE() << ", ";"],
    // The program's `main` first: it needs the rest.
    link: &["-lgtest_main", "-lgtest"],
    find: "find_package(GTest REQUIRED)\ninclude(GoogleTest)",
    target: "GTest::gtest_main",
    discovers: "gtest_discover_tests",
    only: &["--gtest_filter={suite}.{name}"],
    prefix: None,
    implements: "",
};

const CATCH2: Row = Row {
    name: Framework::Catch2,
    header: "catch2/catch.hpp",
    known_by: &["catch2/", "catch.hpp"],
    shipped: Some(Shipped { header: "catch.hpp", source: "", before: "#define CATCH_CONFIG_MAIN\n" }),
    package: "catch2",
    include: "#include <catch2/catch.hpp>",
    opens: "TEST_CASE(\"{suite}.{name}\") {",
    is_true: "CHECK",
    requires: "REQUIRE",
    is_false: "CHECK_FALSE",
    equal: Some(["CHECK(", " == ", ");"]),
    unequal: Some(["CHECK(", " != ", ");"]),
    text: Some(["CHECK(std::string(", ") == ", ");"]),
    takes_apart: true,
    throws: ["CHECK_THROWS_AS({call}, {type});", "CHECK_THROWS({call});", "CHECK_NOTHROW({call});"],
    takes_statements: false,
    fails: ["FAIL_CHECK(", ");"],
    link: &["-lCatch2WithMain"],
    find: "find_package(Catch2 2 REQUIRED)",
    target: "Catch2::Catch2WithMain",
    discovers: "",
    only: &["{suite}.{name}"],
    prefix: Some(["CATCH_CONFIG_PREFIX_ALL", "CATCH_"]),
    implements: "CATCH_CONFIG_RUNNER",
    ..GTEST
};

/// All rows.
static ROWS: [Row; 9] = [
    GTEST,
    ASSERT,
    CATCH2,
    // Its third version is a library with headers of their own.
    Row {
        header: "catch2/catch_test_macros.hpp",
        shipped: None,
        include: "#include <catch2/catch_test_macros.hpp>",
        link: &["-lCatch2Main", "-lCatch2"],
        find: "find_package(Catch2 3 REQUIRED)",
        ..CATCH2
    },
    Row {
        name: Framework::Doctest,
        header: "doctest/doctest.h",
        known_by: &["doctest/", "doctest.h"],
        shipped: Some(Shipped {
            header: "doctest.h",
            source: "",
            before: "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n",
        }),
        package: "doctest-dev",
        include: "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>",
        link: &[],
        find: "find_package(doctest REQUIRED)",
        target: "doctest::doctest",
        only: &["--test-case={suite}.{name}"],
        prefix: Some(["DOCTEST_CONFIG_NO_SHORT_MACRO_NAMES", "DOCTEST_"]),
        implements: "DOCTEST_CONFIG_IMPLEMENT",
        ..CATCH2
    },
    Row {
        name: Framework::Boost,
        header: "boost/test/unit_test.hpp",
        known_by: &["boost/test/"],
        package: "libboost-test-dev",
        include: "#define BOOST_TEST_MODULE regression\n#define BOOST_TEST_DYN_LINK\n\
                  #include <boost/test/unit_test.hpp>",
        // (A suite is a namespace, and a class may have its name.)
        opens: "BOOST_AUTO_TEST_SUITE({suite}_tests)\n\nBOOST_AUTO_TEST_CASE({name}) {",
        closes: "}\n\nBOOST_AUTO_TEST_SUITE_END()",
        is_true: "BOOST_CHECK",
        requires: "BOOST_REQUIRE",
        is_false: "",
        equal: Some(["BOOST_TEST(", " == ", ");"]),
        unequal: None,
        prints: true,
        text: Some(["BOOST_TEST(std::string(", ") == ", ");"]),
        takes_apart: true,
        throws: ["BOOST_CHECK_THROW({call}, {type});", "", "BOOST_CHECK_NO_THROW({call});"],
        fails: ["BOOST_ERROR(", ");"],
        link: &["-lboost_unit_test_framework"],
        find: "find_package(Boost REQUIRED COMPONENTS unit_test_framework)",
        target: "Boost::unit_test_framework",
        discovers: "",
        only: &["--run_test={suite}_tests/{name}"],
        ..GTEST
    },
    Row {
        name: Framework::Cpputest,
        header: "CppUTest/TestHarness.h",
        known_by: &["CppUTest/", "CppUTestExt/"],
        package: "libcpputest-dev",
        include: "#include <CppUTest/CommandLineTestRunner.h>\n#include <CppUTest/MemoryLeakWarningPlugin.h>\n\
                  #include <CppUTest/TestHarness.h>",
        // It defines `new` as a macro.
        include_last: true,
        opens: "TEST({suite}_tests, {name}) {",
        begins: "TEST_GROUP({suite}_tests) {};",
        ends: "int main(int argc, char **argv) {\n  // What the code under test keeps for later is no leak.\n  \
               MemoryLeakWarningPlugin::turnOffNewDeleteOverloads();\n  return RUN_ALL_TESTS(argc, argv);\n}",
        is_true: "CHECK_TRUE",
        requires: "CHECK_TRUE",
        is_false: "CHECK_FALSE",
        equal: None,
        integers: Some(["LONGS_EQUAL(", ", ", ");"]),
        expected_first: true,
        text: Some(["STRCMP_EQUAL(", ", ", ");"]),
        throws: ["CHECK_THROWS({type}, {call});", "", ""],
        takes_statements: true,
        fails: ["FAIL(", ");"],
        link: &["-lCppUTest"],
        // (The package's own `CppUTestConfig.cmake` names folders that Debian does not have.)
        find: "",
        target: "CppUTest",
        discovers: "",
        only: &["-sg", "{suite}_tests", "-sn", "{name}"],
        ..GTEST
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
        requires: "assert_true",
        is_false: "assert_false",
        text: Some(["assert_string_equal(", ", ", ");"]),
        link: &["-lcmocka"],
        target: "cmocka",
        ..ASSERT
    },
    Row {
        name: Framework::Unity,
        header: "unity.h",
        known_by: &["unity.h"],
        shipped: Some(Shipped { header: "unity.h", source: "unity.c", before: "" }),
        include: "#include <unity.h>",
        include_last: true,
        begins: "void setUp(void) {}\n\nvoid tearDown(void) {}",
        main: Some(["int main(void) {\n  UNITY_BEGIN();\n", "  RUN_TEST(test_{name});\n", "  return UNITY_END();\n}"]),
        main_of_one: Some([
            "int main(int argc, char **argv) {\n  (void)argc;\n  UNITY_BEGIN();\n",
            "  if (__builtin_strcmp(argv[1], \"{name}\") == 0) { RUN_TEST(test_{name}); return UNITY_END(); }\n",
            "  return 99;\n}",
        ]),
        is_true: "TEST_ASSERT_TRUE",
        requires: "TEST_ASSERT_TRUE",
        is_false: "TEST_ASSERT_FALSE",
        integers: Some(["TEST_ASSERT_EQUAL(", ", ", ");"]),
        expected_first: true,
        text: Some(["TEST_ASSERT_EQUAL_STRING(", ", ", ");"]),
        link: &["-lunity"],
        target: "unity",
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

    /// All of them.
    pub fn all() -> &'static [Row] {
        &ROWS
    }

    /// The arguments that run the test `full` alone, which is `SUITE.NAME`.
    pub fn arguments(&self, full: &str) -> Vec<String> {
        let (suite, name) = full.split_once('.').unwrap_or(("", full));
        self.only.iter().map(|part| part.replace("{suite}", suite).replace("{name}", name)).collect()
    }

    /// Whether an include, with or without its quotes, is of it: also of a copy that a project has in a folder of its
    /// own.
    pub fn is_known_by(&self, include: &str) -> bool {
        let header = include.trim_matches(['<', '>', '"', ' ']);
        let is_it = |known: &&str| {
            header.starts_with(*known) || header.strip_suffix(*known).is_some_and(|folder| folder.ends_with('/'))
        };
        self.known_by.iter().any(is_it)
    }

    /// Whether its header is where installed headers are.
    pub fn is_installed(&self) -> bool {
        self.header.is_empty() || INSTALLED.iter().any(|folder| Path::new(folder).join(self.header).is_file())
    }
}

/// The frameworks that a project brings along, with their headers. `files` are all of its files.
pub fn shipped<'f>(files: impl Iterator<Item = &'f Path> + Clone) -> BTreeMap<Framework, PathBuf> {
    let mut found = BTreeMap::new();
    for row in &ROWS {
        let Some(shipped) = row.shipped else { continue };
        let is_named = |file: &&Path, name: &str| file.file_name().is_some_and(|of_it| of_it == name);
        let is_complete = |header: &&Path| {
            let source = header.with_file_name(shipped.source);
            shipped.source.is_empty() || files.clone().any(|file| file == source)
        };
        let header = files.clone().filter(|file| is_named(file, shipped.header)).find(is_complete);
        found.extend(header.map(|header| (row.name, header.to_path_buf())));
    }
    found
}

/// The frameworks whose headers are among `includes`, as `<…>` or `"…"`, most used first: those that are installed,
/// or `shipped` with the project.
pub fn used<'i>(includes: impl Iterator<Item = &'i str>, shipped: &BTreeMap<Framework, PathBuf>) -> Vec<Framework> {
    let may_use = |name: &Framework| Row::of(*name).is_installed() || shipped.contains_key(name);
    included(includes).into_iter().filter(may_use).collect()
}

/// The frameworks whose headers are among `includes`, installed or not.
pub fn included<'i>(includes: impl Iterator<Item = &'i str>) -> Vec<Framework> {
    let mut times = ROWS.each_ref().map(|row| (0, row));
    for include in includes {
        for (times, row) in &mut times {
            *times += usize::from(row.is_known_by(include));
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
        let found = used(includes.into_iter(), &BTreeMap::new());
        assert_eq!(found, [Framework::Doctest, Framework::Gtest, Framework::Cmocka]);
        assert_eq!(Row::for_language(Language::Cxx, &found).name, Framework::Doctest);
        assert_eq!(Row::for_language(Language::C, &found).name, Framework::Cmocka);
        assert_eq!(Row::for_language(Language::C, &[]).name, Framework::Assert);
    }

    #[test]
    fn a_framework_that_the_project_brings_along_is_complete_with_its_source() {
        let files = ["/p/lib/unity/unity.h", "/p/lib/unity/unity.c", "/p/old/doctest.h"].map(Path::new);
        let found = shipped(files.into_iter());
        assert_eq!(found[&Framework::Unity], files[0]);
        assert_eq!(found[&Framework::Doctest], files[2]);
        assert!(!shipped(files[..1].iter().copied()).contains_key(&Framework::Unity));
        assert_eq!(used(["\"../lib/unity/unity.h\""].into_iter(), &found), [Framework::Unity]);
        assert!(used(["\"community.h\""].into_iter(), &found).is_empty());
    }

    #[test]
    fn every_framework_has_a_row() {
        for name in <Framework as clap::ValueEnum>::value_variants() {
            assert_eq!(Row::of(*name).name, *name);
        }
    }
}
