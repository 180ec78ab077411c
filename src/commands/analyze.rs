//! `analyze`: every function and method with how it would be driven, or why it can't be.

use super::Context;
use crate::cli::AnalyzeArgs;
use crate::diag::Exit;
use crate::options::Options;

/// Lists the units, or writes the class hierarchy.
pub fn run(context: &Context, args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let options = Options::for_analyze(&context.root, args, context.config.clone())?;
    context.ui.detail(format_args!("{options:?}"));
    Ok(Exit::Done)
}
