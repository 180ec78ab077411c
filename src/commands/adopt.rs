//! `adopt`: proved tests go into the user's own test tree.

use super::difference::unified;
use super::{Context, print};
use crate::adopt::Change;
use crate::adopt::plan::{Planned, SAID, Wanted, plan};
use crate::cli::AdoptArgs;
use crate::compdb::Database;
use crate::diag::{Exit, Problem};
use crate::options::{DEFAULT_OUTPUT, absolute};
use crate::report::json::{self, write_whole};
use crate::report::plural;
use std::path::Path;

/// Writes the tests, the lines of the build and the ledger; or a patch.
///
/// # Errors
///
/// There is no run, nothing is proved, a name means no test, the framework is another one, or the tree can not be
/// written.
pub fn run(context: &Context, args: &AdoptArgs) -> anyhow::Result<Exit> {
    let root = &context.root;
    let output = args.output.as_ref().or(context.config.output.as_ref()).map_or(Path::new(DEFAULT_OUTPUT), |path| path);
    let output = absolute(root, output);
    let outcome = json::read(&output)?;
    let into = absolute(root, &args.into);
    checked(root, &into, &output)?;
    let build = args.build_dir.as_ref().or(context.config.build_dir.as_ref());
    // Without it, includes are spelled by the way that leads there.
    let database = Database::load(build.map(|path| absolute(root, path)).as_deref(), root).ok();
    let said = [&args.requirement, &args.reviewed_by].into_iter().zip(SAID);
    let remarks = said.filter_map(|(given, word)| Some(format!("{word}{}", one_line(given.as_ref()?))));
    let planned = plan(&Wanted {
        root,
        into: &into,
        output: &output,
        outcome: &outcome,
        database: database.as_ref(),
        tests: &args.tests,
        remarks: remarks.collect(),
        update: args.update,
        prune: args.prune,
        interrupted: &context.interrupted,
    })?;
    if args.dry_run {
        print(patch(&planned.changes).as_bytes())?;
    } else {
        planned.changes.iter().try_for_each(|change| write(root, change))?;
    }
    tell(context, args, &planned)
}

/// Refuses a folder that is not the project's, or is disposable.
fn checked(root: &Path, into: &Path, output: &Path) -> Result<(), Problem> {
    let refuse = |what: &str, fix: &str| Err(Problem::usage("adopt-into", what, fix).at(into));
    if !into.starts_with(root) {
        return refuse("it is not in the project", "give a folder of the project, or its root with -C");
    }
    if into.starts_with(output) {
        return refuse("it is in the output folder, which the next run replaces", "give the folder of your tests");
    }
    if into.exists() && !into.is_dir() {
        return refuse("it is a file", "give the folder of your tests");
    }
    Ok(())
}

/// A text that stays on its line of a comment.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("*/", "* /").trim_end_matches('\\').to_owned()
}

fn patch(changes: &[Change]) -> String {
    changes.iter().map(difference).collect()
}

fn difference(change: &Change) -> String {
    fn side<'c>(file: &'c Path, text: &'c Option<String>) -> Option<(&'c Path, &'c str)> {
        Some((file, text.as_deref()?))
    }
    unified(side(&change.file, &change.before), side(&change.file, &change.after))
}

fn write(root: &Path, change: &Change) -> anyhow::Result<()> {
    let path = root.join(&change.file);
    let trouble = |error: std::io::Error| {
        let fix = "make it writable, or take the patch of `--dry-run` elsewhere";
        Problem::usage("adopt-unwritable", format!("it can not be written: {error}"), fix).at(&path)
    };
    match &change.after {
        Some(text) => {
            let folder = path.parent().unwrap_or(root);
            std::fs::create_dir_all(folder).map_err(trouble)?;
            write_whole(&path, text.as_bytes())
                .map_err(|error| trouble(std::io::Error::other(format!("{error:#}"))))?;
        }
        None => std::fs::remove_file(&path).map_err(trouble)?,
    }
    Ok(())
}

fn tell(context: &Context, args: &AdoptArgs, planned: &Planned) -> anyhow::Result<Exit> {
    let verb = match (args.dry_run, planned.adopted) {
        (true, _) => "would be",
        (false, 1) => "is",
        (false, _) => "are",
    };
    for change in &planned.changes {
        let what = match (&change.before, &change.after) {
            (None, _) => "new",
            (_, None) => "removed",
            _ => "changed",
        };
        context.ui.detail(format_args!("{what}: {}", change.file.display()));
    }
    planned.notes.iter().for_each(|note| context.ui.note(note));
    if !planned.proposed.is_empty() {
        let what =
            "tests that were adopted before read otherwise now, as what they expect has changed; nothing of them";
        context.ui.note(format_args!("{what} is written: `--update` accepts this:"));
        eprint!("{}", patch(&planned.proposed));
    }
    context.ui.note(format_args!("{} {verb} adopted into {}", plural(planned.adopted, "test"), args.into.display()));
    Ok(Exit::Done)
}
