//! Tests whose checks read what nobody has written: a private member that its class leaves without a value. Valgrind
//! sees that, where it is installed.

use super::{ORIGINAL_LIMIT, Prover, Side, said};
use crate::build::{Flavor, ProjectObjects, Sanitizer};
use crate::emit::write::WrittenTest;
use anyhow::{Context, Result};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// How valgrind begins to say that a branch depends on such a value.
const FOUND: &str = "depends on uninitialised value";

impl Prover<'_> {
    /// Of these tests of a file those with such a check. None where there is no valgrind, or it says nothing.
    pub(super) fn unwritten(&self, side: &Side<'_>, tests: &[&WrittenTest]) -> Result<Vec<(String, String)>> {
        static IS_INSTALLED: OnceLock<bool> = OnceLock::new();
        let is_there = || {
            let mut version = Command::new("valgrind");
            version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        };
        if tests.is_empty() || !*IS_INSTALLED.get_or_init(is_there) {
            return Ok(Vec::new());
        }
        let test = self.builder.compile(&self.test_job(side)).map_err(|f| said("the test", &f))?;
        let objects = ProjectObjects::clone(&self.objects(Flavor::Plain));
        let program = self.link(side, &test, &objects, "watched")?;
        // (It gives up on newer debug information.)
        let stripped = Command::new("strip").arg("-g").arg(&program.path).status().context("running strip")?;
        anyhow::ensure!(stripped.success(), "strip failed");
        let row = self.project.framework(side.file.case.language);
        let mut found = Vec::new();
        for test in tests {
            let mut command = Command::new("valgrind");
            command.args(["-q", "--leak-check=no", "--num-callers=40"]).arg(&program.path);
            command.args(row.arguments(&test.filter)).env("GTEST_COLOR", "no").env_remove("GTEST_FILTER");
            // (Valgrind wants as much room as a sanitizer.)
            let done = self.run_confined(&command, Flavor::Sanitized(Sanitizer::Address), ORIGINAL_LIMIT)?;
            if blocks(&done.stderr).iter().any(|block| is_of_check(block)) {
                let why = "it checks what nobody has given a value, as valgrind says".to_owned();
                found.push((test.mutant_id.clone(), why));
            }
        }
        Ok(found)
    }
}

/// What valgrind says, report by report, without the number of the process that begins each line.
fn blocks(said: &str) -> Vec<String> {
    let line = |line: &str| line.strip_prefix("==").and_then(|rest| Some(rest.split_once("== ")?.1.to_owned()));
    let lines: Vec<String> = said.lines().map(|text| line(text).unwrap_or_default()).collect();
    lines.split(|line| line.trim().is_empty()).filter(|block| !block.is_empty()).map(|b| b.join("\n")).collect()
}

/// Whether the branch is that of a check: nothing but the framework and the libraries stand between it and the test.
fn is_of_check(block: &str) -> bool {
    let frames = block.lines().filter_map(|line| line.split_once(": ").map(|(_, function)| function));
    let is_of_framework = |function: &str| {
        let names = ["testing::", "std::", "Catch::", "doctest::", "boost::", "operator=="];
        names.iter().any(|name| name_of(function).starts_with(name))
    };
    let is_test = |function: &str| {
        let names = ["::TestBody()", "::testBody()", "::test_method()", "INTERNAL_TEST", "DOCTEST_ANON"];
        function.starts_with("test_") || names.iter().any(|name| function.contains(name))
    };
    block.contains(FOUND) && frames.into_iter().find(|function| !is_of_framework(function)).is_some_and(is_test)
}

/// The name of a function, without its result, its parameters and the arguments of templates.
fn name_of(function: &str) -> String {
    let mut depth = 0;
    let mut plain = String::new();
    for c in function.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 => break,
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.rsplit(' ').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_of_what_nobody_has_written_is_told_from_such_a_branch_of_the_code() {
        let of_code = "==7== Conditional jump or move depends on uninitialised value(s)\n\
                       ==7==    at 0x11: Board::read(std::istream&) (in /x/board)\n\
                       ==7==    by 0x12: Board_read_Test::TestBody() (in /x/board)\n==7== \n";
        let of_check = "==7== Conditional jump or move depends on uninitialised value(s)\n\
                        ==7==    at 0x11: testing::AssertionResult testing::internal::CmpHelperEQ<double, double>(char \
                        const*) (in /x/board)\n==7==    by 0x12: Board_read_Test::TestBody() (in /x/board)\n==7== \n";
        let found = |said: &str| blocks(said).iter().filter(|block| is_of_check(block)).count();
        assert_eq!([found(of_code), found(of_check), found(&format!("{of_code}{of_check}"))], [0, 1, 1]);
    }
}
