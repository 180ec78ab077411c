//! Tests that a file runs one after the other in one process.

use super::{ORIGINAL_LIMIT, Prover, Purpose, Side, flavor};
use crate::emit::TestCase;
use crate::emit::write::{TestFile, files};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;

impl Prover<'_> {
    /// The cases whose tests do not pass on the original behind the others of their file, as a program that runs
    /// them all: by their mutants.
    pub fn not_together(&self, cases: &[TestCase]) -> Result<BTreeSet<String>> {
        let files = files(cases, self.project)?;
        let together = |file: &TestFile<'_>| -> Result<bool> {
            let command = self.project.source(&file.case.command_file).context("it has no compile command")?;
            let folder = self.folder()?;
            let source = folder.join(&file.name);
            fs::write(&source, &file.text).with_context(|| format!("writing {}", source.display()))?;
            let headers = self.headers(file);
            let flavor = flavor(file);
            let purpose = Purpose::Proof;
            let side = Side { file, command, source: &source, headers, flavor, folder: &folder, purpose };
            let (program, _) = self.original(&side)?;
            let passes = self.run(&program, None, &side, ORIGINAL_LIMIT * 2).is_ok_and(|ran| ran.failure().is_none());
            let _ = fs::remove_dir_all(&folder);
            Ok(passes)
        };
        let several: Vec<&TestFile<'_>> =
            files.iter().filter(|file| file.tests.iter().any(|test| test.filter != file.tests[0].filter)).collect();
        let passed = self.builder.in_parallel(&several, |file| together(file).unwrap_or(false));
        // What was cut short says nothing.
        if self.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(BTreeSet::new());
        }
        let fell = several.iter().zip(passed).filter(|(_, passed)| !passed).map(|(file, _)| file);
        Ok(fell.flat_map(|file| &file.tests).map(|test| test.mutant_id.clone()).collect())
    }
}
