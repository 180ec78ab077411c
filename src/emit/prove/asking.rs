//! Programs that are built like tests and ask instead of checking: what `emit/public.rs` needs of the prover.

use super::{LEAST_LIMIT, Program, Prover, Purpose, Side, flavor};
use crate::build::run::Ended;
use crate::build::{CompileFailure, Flavor};
use crate::emit::TestCase;
use crate::emit::project::Project;
use crate::emit::write::TestFile;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

impl Prover<'_> {
    /// The project that tests are linked against.
    pub(in crate::emit) fn project(&self) -> &Project {
        self.project
    }

    /// Does something for each of `items`, in several threads.
    pub(in crate::emit) fn in_parallel<T: Sync, R: Send>(&self, items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
        self.builder.in_parallel(items, each)
    }

    /// Does something with a program that is built like a test, from a file that is none.
    pub(in crate::emit) fn building<T>(
        &self,
        file: &TestFile<'_>,
        make: impl FnOnce(&Side<'_>) -> Result<T>,
    ) -> Result<T> {
        let file_of = &file.case.command_file;
        let command = self.project.source(file_of).context("no compile command")?;
        let folder = self.folder()?;
        let source = folder.join(&file.name);
        fs::write(&source, &file.text).with_context(|| format!("writing {}", source.display()))?;
        let flavor = flavor(file);
        let side = Side {
            file,
            command,
            source: &source,
            headers: Vec::new(),
            flavor,
            folder: &folder,
            purpose: Purpose::Question,
        };
        let made = make(&side);
        let _ = fs::remove_dir_all(&folder);
        made
    }

    /// Such a program with the original.
    pub(in crate::emit) fn asking(&self, side: &Side<'_>) -> Result<Program, CompileFailure> {
        let object = self.builder.compile(&self.test_job(side))?;
        self.reach(&[&object]);
        self.linked(side, &object, &self.objects(side.flavor), "original")
    }

    /// Such a program with a mutant.
    pub(in crate::emit) fn asking_mutant(
        &self,
        side: &Side<'_>,
        original: &Program,
        case: &TestCase,
    ) -> Result<Program> {
        self.mutant(side, &self.objects(side.flavor), original, case)
    }

    /// What such a program prints, and whether it ends by itself; with `perturb`, memory that nothing was written to is
    /// filled otherwise.
    pub(in crate::emit) fn said(&self, program: &Path, arguments: &[String], perturb: bool) -> Result<(String, bool)> {
        let mut command = Command::new(program);
        command.args(arguments);
        if perturb {
            command.env("MALLOC_PERTURB_", super::FILLED);
        }
        let done = self.run_confined(&command, Flavor::Plain, LEAST_LIMIT)?;
        Ok((done.stdout, matches!(done.ended, Ended::Itself(_))))
    }
}
