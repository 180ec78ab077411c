//! Tests with which the original uses memory that is not its own, or reads what nobody has written: what they expect is
//! what the linker, the allocator or an earlier call happened to put there.

use super::ready::quickly;
use super::{ORIGINAL_LIMIT, Prover, Purpose, Side, flavor, said};
use crate::build::{CompileJob, Flavor, ProjectObjects, Sanitizer};
use crate::emit::TestCase;
use crate::emit::write::{TestFile, WrittenTest, files};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

/// How AddressSanitizer begins to say what it has found.
const FOUND: &str = "AddressSanitizer: ";
/// What of that is a use of memory that is not the program's own: no deep recursion, and no overlap.
const KINDS: [&str; 6] =
    ["buffer-overflow", "buffer-underflow", "use-after-", "SEGV", "double-free", "attempting free"];

impl Prover<'_> {
    /// The cases whose tests fail on the original under AddressSanitizer, with what that says, or which of their checks
    /// fails (there, stack and heap hold other bytes at first): by their mutants. The test and the unit's own source
    /// are instrumented. What does not build so, or ends otherwise, says nothing.
    ///
    /// # Errors
    /// The tests cannot be written.
    pub fn faults(&self, cases: &[TestCase]) -> Result<BTreeMap<String, String>> {
        let files = files(cases, self.project)?;
        let plain: Vec<&TestFile<'_>> = files.iter().filter(|file| flavor(file) == Flavor::Plain).collect();
        let found = self.builder.in_parallel(&plain, |file| self.of_original(file, cases).unwrap_or_default());
        Ok(found.into_iter().flatten().collect())
    }

    fn of_original(&self, file: &TestFile<'_>, cases: &[TestCase]) -> Result<Vec<(String, String)>> {
        let command = self.project.source(&file.case.command_file).context("it has no compile command")?;
        let folder = self.folder()?;
        let source = folder.join(&file.name);
        fs::write(&source, &file.text).with_context(|| format!("writing {}", source.display()))?;
        let headers = self.headers(file);
        let flavor = Flavor::Sanitized(Sanitizer::Address);
        let (mut found, side) = quickly(file, |quick| {
            let (source, headers, folder) = (source.as_path(), headers.clone(), folder.as_path());
            let side = Side { file, command, source, headers, flavor, folder, purpose: Purpose::Check { quick } };
            let found = self.faults_of(&side, cases)?;
            // (What another optimisation computes otherwise is no fault.)
            anyhow::ensure!(!quick || found.is_empty(), "it has faults without optimisation");
            Ok((found, side))
        })?;
        let is_private = |test: &&WrittenTest| {
            let case = cases.iter().find(|case| case.mutant_id == test.mutant_id);
            case.is_some_and(|case| case.reads_private) && !found.iter().any(|(mutant, _)| *mutant == test.mutant_id)
        };
        let private: Vec<&WrittenTest> = file.tests.iter().filter(is_private).collect();
        let plain = Side { flavor: Flavor::Plain, ..side };
        found.extend(self.unwritten(&plain, &private).unwrap_or_default());
        let _ = fs::remove_dir_all(&folder);
        Ok(found)
    }

    fn faults_of(&self, side: &Side<'_>, cases: &[TestCase]) -> Result<Vec<(String, String)>> {
        let test = self.builder.compile(&self.test_job(side)).map_err(|f| said("the test", &f))?;
        self.reach(&[&test]);
        let mut objects = ProjectObjects::clone(&self.objects(Flavor::Plain));
        let of_file = |mutant: &str| side.file.tests.iter().any(|test| test.mutant_id == mutant);
        let mutated = cases.iter().filter(|case| of_file(&case.mutant_id)).map(|case| case.file.as_path());
        let own: BTreeSet<&Path> = mutated.chain([side.file.case.command_file.as_path()]).collect();
        for (source, object) in objects.objects.iter_mut().filter(|(source, _)| own.contains(source.as_path())) {
            let Some(command) = self.project.source(source) else { continue };
            if let Ok(checked) = self.builder.compile(&CompileJob::project(command, side.flavor)) {
                *object = checked;
            }
        }
        let program = self.link(side, &test, &objects, "checked")?;
        let run = |test| self.run(&program, test, side, ORIGINAL_LIMIT).ok();
        let fault = |test| {
            let ran = run(Some(test))?;
            let Some((_, what)) = ran.said.split_once(FOUND) else {
                let line = ran.failed_check()?;
                return Some(format!("its checks fail where memory holds something else: {line}"));
            };
            let what = what.split([' ', '\n']).next().unwrap_or_default();
            let is_fault = KINDS.iter().any(|kind| what.contains(kind));
            is_fault.then(|| format!("with it the original ends by `{what}`, as AddressSanitizer says"))
        };
        // (One that ends the process, or takes all the time, says nothing of the others.)
        if run(None).is_some_and(|ran| ran.failure().is_none()) {
            return Ok(Vec::new());
        }
        // Several mutants may share a test.
        let mut known: BTreeMap<&str, Option<String>> = BTreeMap::new();
        for test in &side.file.tests {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            known.entry(&test.filter).or_insert_with(|| fault(test));
        }
        let found = side
            .file
            .tests
            .iter()
            .filter_map(|test| Some((test.mutant_id.clone(), known.get(test.filter.as_str())?.clone()?)));
        Ok(found.collect())
    }
}
