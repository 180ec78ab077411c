//! `fuzz`: the main job.

use super::Context;
use crate::cli::FuzzArgs;
use crate::diag::Exit;
use crate::options::Options;

/// Generate, seed, build, search, triage, emit, report.
pub fn run(context: &Context, args: &FuzzArgs) -> anyhow::Result<Exit> {
    let options = Options::for_fuzz(&context.root, args, context.config.clone())?;
    context.ui.detail(format_args!("{options:?}"));
    Ok(Exit::Done)
}
