//! What the preprocessor makes of a file.

use super::compile::LIMIT;
use super::{Builder, CompileFailure, CompileJob, FailureKind, flags};
use crate::model::Language;
use std::path::Path;
use std::process::Command;

/// Writes the text that a compilation of `job` would see to `out`; options that the compiler does not know are left
/// out.
///
/// # Errors
/// What the compiler says.
pub fn preprocess(builder: &Builder, job: &CompileJob<'_>, out: &Path) -> Result<(), CompileFailure> {
    let cxx = job.command.language == Language::Cxx;
    let tool = |why: String| CompileFailure::tool(&job.source, why);
    let (program, _) = builder.compiler(job.flavor, cxx).map_err(tool)?;
    let args = builder.arguments(job).map_err(|error| tool(error.to_string()))?;
    let mut refused = std::collections::BTreeSet::new();
    loop {
        let mut command = Command::new(&program);
        command.current_dir(&job.command.directory);
        command.args(args.iter().filter(|arg| !flags::is_refused(arg, &refused)));
        command.arg("-E").arg(&job.source).arg("-o").arg(out);
        let failure = match builder.run(&job.source, &mut command, LIMIT) {
            Ok(_) => return Ok(()),
            Err(failure) => failure,
        };
        let before = refused.len();
        refused.extend(flags::refused(&failure.stderr));
        if failure.kind != FailureKind::Refused || refused.len() == before {
            return Err(failure);
        }
    }
}
