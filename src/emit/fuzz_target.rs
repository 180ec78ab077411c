//! Drivers as plain libFuzzer targets, each with its corpus, for people who fuzz on.

use super::cmake::{self, MISSING};
use super::project::Project;
use super::write::anew;
use anyhow::{Context, Result};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// A unit's target.
pub struct FuzzTarget {
    /// Its name: that of the folder and of the program.
    pub name: String,
    /// The driver's files, the first of which is compiled.
    pub files: Vec<(String, String)>,
    /// The source file of the unit.
    pub source: PathBuf,
    /// Inputs.
    pub corpus: Vec<Vec<u8>>,
}

/// Writes the targets with what they are built with to `folder`, in place of what is there; `runtime` is what drivers
/// include.
///
/// # Errors
///
/// The folder cannot be written.
pub fn write(folder: &Path, targets: &[FuzzTarget], runtime: &[(&str, &str)], project: &Project) -> Result<()> {
    let values = json!({
        "root": cmake::root(folder, &project.home),
        "missing": (!project.missing.is_empty()).then_some(MISSING),
    });
    let line = |target: &FuzzTarget| {
        let driver = target.files.first().map_or("", |(name, _)| name);
        format!("{} | {driver} | {}\n", target.name, cmake::from_root(&target.source, project))
    };
    let head = "# A target, its driver, and the source whose flags it is compiled with.\n".to_owned();
    let lists = include_str!("../../cpp-templates/fuzz/CMakeLists.txt.tera");
    let mut files = vec![
        ("CMakeLists.txt", cmake::rendered(lists, &values)?),
        ("project.cmake", cmake::code_under_test(project)?),
        ("targets.list", std::iter::once(head).chain(targets.iter().map(line)).collect()),
    ];
    if !project.missing.is_empty() {
        let text = crate::build::source_for_tests(&project.missing, &project.missing_in_threads);
        files.push((MISSING, text));
    }
    anew(folder, files.into_iter())?;
    let put = |path: PathBuf, bytes: &[u8]| -> Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))
    };
    let own = [
        ("fuzz_target.c", include_str!("../../cpp-templates/fuzz/fuzz_target.c")),
        ("fuzz_target.cpp", include_str!("../../cpp-templates/fuzz/fuzz_target.cpp")),
    ];
    for (name, text) in runtime.iter().chain(&own) {
        put(folder.join("runtime").join(name), text.as_bytes())?;
    }
    let root = format!("\"{}/", project.root.display());
    for target in targets {
        let folder = folder.join(&target.name);
        for (name, text) in &target.files {
            // Includes are spelled from the project's root.
            put(folder.join(name), text.replace(&root, "\"").as_bytes())?;
        }
        for (number, input) in target.corpus.iter().enumerate() {
            put(folder.join("corpus").join(format!("{number:06}")), input)?;
        }
    }
    Ok(())
}
