//! `scaffold`: the editable artefacts of a unit, in the user's repository.

use super::Context;
use crate::cli::ScaffoldArgs;
use crate::diag::Exit;
use crate::options::Options;

/// Writes, or with `--check` compares, the utility class and the override stub of the units.
pub fn run(context: &Context, args: &ScaffoldArgs) -> anyhow::Result<Exit> {
    let options = Options::for_scaffold(&context.root, args, context.config.clone())?;
    context.ui.detail(format_args!("{options:?}"));
    Ok(Exit::Done)
}
