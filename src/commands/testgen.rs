//! `testgen`: the tests of the stored kills once more, in another framework or folder, without searching.

use super::{fuzz, merge};
use crate::cli::{MergeArgs, ProjectArgs, TestgenArgs};
use crate::context::{Context, shown};
use crate::diag::{Exit, Problem};
use crate::judgements::Judgements;
use crate::options::{DEFAULT_OUTPUT, absolute};
use crate::outcome::{Merged, Outcome};
use crate::report::{json, plural};
use crate::run::join::{self, Part};
use crate::run::{Lock, leave};
use crate::session::Session;
use std::path::Path;

/// The file by which a folder of tests is known.
const LIST: &str = "CMakeLists.txt";

/// Writes and proves the tests; their results take the place of the earlier ones, if they are not for another folder.
///
/// # Errors
///
/// There is no run, its sources have changed, or the folder has something else in it.
pub fn run(context: &Context, args: &TestgenArgs) -> anyhow::Result<Exit> {
    let output = absolute(&context.root, args.project.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT)));
    crate::session::output::is_disposable(&output)?;
    // Nothing is left where there was nothing.
    if !json::path(&output).is_file() {
        json::read_file(&json::path(&output))?;
    }
    if let Some(folder) = &args.into {
        is_free(&absolute(&context.root, folder))?;
    }
    let _lock = Lock::take(&output)?;
    let part = Part::whole(&output)?;
    let scratch = output.join("cache").join("testgen");
    let project = ProjectArgs { output: Some(scratch.clone()), ..args.project.clone() };
    let mut options = merge::options(context, &MergeArgs { project, ..MergeArgs::default() }, part.command())?;
    options.framework = args.framework.or(options.framework);
    options.one_per_mutant |= args.one_per_mutant;
    options.reports.clear();
    options.tests_folder = match &args.into {
        Some(folder) => absolute(&context.root, folder),
        None => output.join("tests"),
    };
    if args.as_fuzz_target {
        let folder = args.into.as_ref().map_or_else(|| output.join("fuzz"), |into| absolute(&context.root, into));
        options.fuzz_targets = Some((folder, output.clone()));
    }
    let mut outcome = part.outcome.clone();
    let joined = join::lay_out(&[part], Merged::default(), &scratch, &options)?;
    let judgements = Judgements::read(&options.root, options.survivors.baseline.as_deref())?;
    let session = Session::open(context, options)?;
    let made = crate::run::fuzz(context, &session, &judgements, Some(&joined))
        .map_err(|error| fuzz::explained(error, &session.options))?;
    if let Some((folder, _)) = &session.options.fuzz_targets {
        let written = std::fs::read_to_string(folder.join("targets.list")).unwrap_or_default();
        let count = written.lines().filter(|line| !line.starts_with('#')).count();
        context.ui.note(format_args!("{}: {}", plural(count, "fuzz target"), shown(&context.root, folder)));
        let _ = std::fs::remove_dir_all(&scratch);
        return Ok(if made.interrupted { Exit::Interrupted } else { Exit::Done });
    }
    if args.into.is_none() {
        take(&mut outcome, &made);
        judgements.apply(&mut outcome);
        leave(&outcome, &session.options, &output)?;
    }
    let (proved, tests) = (made.tests.iter().filter(|test| test.verified).count(), made.tests.len());
    let folder = shown(&context.root, &session.options.tests_folder);
    context.ui.note(format_args!("{}, {proved} proved: {folder}", plural(tests, "test")));
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(if made.interrupted { Exit::Interrupted } else { Exit::Done })
}

/// Refuses a folder that has anything but tests of this tool in it, which would be lost.
fn is_free(folder: &Path) -> Result<(), Problem> {
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !folder.exists(),
    };
    let text = std::fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    if is_empty || text.contains("Written by motif-cpp") {
        return Ok(());
    }
    let fix = "give a new folder; what is written into it replaces all that is there";
    let what = if folder.is_dir() { "there are other files in it" } else { "it is no folder" };
    Err(Problem::usage("output-taken", what, fix).at(folder))
}

/// The tests of `made` in the place of those of `outcome`.
fn take(outcome: &mut Outcome, made: &Outcome) {
    outcome.tests.clone_from(&made.tests);
    for mutant in &mut outcome.mutants {
        let new = made.mutants.iter().find(|other| other.id == mutant.id).and_then(|other| other.kill.as_ref());
        if let (Some(kill), Some(new)) = (&mut mutant.kill, new) {
            kill.test.clone_from(&new.test);
            kill.verified = new.verified;
        }
    }
}
