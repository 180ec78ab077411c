//! `fuzz`: the main job.

use super::{merge, report};
use crate::choices::{Executor, ReportFormat};
use crate::cli::{FuzzArgs, MergeArgs, ProjectArgs};
use crate::cluster::slurm::Array;
use crate::context::{Context, Problems};
use crate::diag::{Exit, Problem};
use crate::judgements::Judgements;
use crate::options::{Options, ScopeOptions};
use crate::outcome::Outcome;
use crate::report::Format;
use crate::run::{Lock, Past, full, is_full};
use crate::session::Session;
use crate::supervise::Guards;

/// Reads the project, runs the job, prints the summary.
///
/// # Errors
///
/// Bad input, a missing tool, nothing that could be tested.
pub fn run(context: &Context, args: &FuzzArgs) -> anyhow::Result<Exit> {
    let options = Options::for_fuzz(&context.root, args, context.config.clone())?;
    if options.executor == Executor::Slurm {
        return on_slurm(context, args, &options);
    }
    if options.resume {
        // Checked before the project is read, which may take a while.
        Past::read(&options.output)?;
    }
    let judgements = Judgements::read(&options.root, options.survivors.baseline.as_deref())?;
    let session = Session::open(context, options)?;
    warn_of_what_is_open(context);
    let done = crate::run::fuzz(context, &session, &judgements, None);
    finish(context, &session, &judgements, done)
}

/// The shards in a job array, then their results as one.
fn on_slurm(context: &Context, args: &FuzzArgs, options: &Options) -> anyhow::Result<Exit> {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let mut command = vec![std::env::current_exe()?.display().to_string()];
    // A shard that has not begun has nothing to go on with: each job looks for itself whether it has.
    command.extend(arguments.filter(|argument| argument != "--resume"));
    let array =
        Array { context, asked: &context.config.slurm, output: &options.output, command, resume: options.resume };
    let project = ProjectArgs { output: Some(options.output.clone()), ..args.project.clone() };
    // The jobs of an earlier run are removed: not of a folder that is another's.
    let lock = Lock::take(&options.output)?;
    let folders = array.run()?;
    drop(lock);
    merge::run(context, &MergeArgs { folders, project, ..MergeArgs::default() })
}

/// Prints the summary of a run, writes its reports, and says how it ended.
///
/// # Errors
///
/// The run's own, and a report that cannot be written.
pub fn finish(
    context: &Context,
    session: &Session,
    judgements: &Judgements,
    done: anyhow::Result<Outcome>,
) -> anyhow::Result<Exit> {
    let outcome = done.map_err(|error| explained(error, &session.options))?;
    let options = &session.options;
    let view = report::view(context, options, &outcome);
    report::summary(options, &(Format::of(ReportFormat::Text).render)(&view)?)?;
    let all = options.shard.is_none() && outcome.merged.as_ref().is_none_or(|merged| merged.missing.is_empty());
    let scope = options.scope == ScopeOptions::default() && options.units.is_empty();
    let whole = all && scope && options.mutants.is_none();
    if let Some(problem) = judgements.gone(&outcome, whole) {
        context.ui.warn(&problem);
    }
    let page = options.output.join("report").join("index.html");
    context.ui.note(format_args!("report: {}", crate::context::shown(&context.root, &page)));
    report::write(context, &view, &options.reports)?;
    if outcome.interrupted {
        context.ui.note("interrupted; the same command with `--resume` continues from here");
    }
    Ok(if outcome.interrupted { Exit::Interrupted } else { report::exit(options, &outcome) })
}

/// Code under test will be called with made-up arguments: the user should know what it can reach.
pub fn warn_of_what_is_open(context: &Context) {
    let open: Vec<String> =
        Guards::of_this_machine().open().iter().map(|guard| format!("{}: {}", guard.name, guard.how)).collect();
    if !open.is_empty() {
        let what = format!("the code under test is not fully confined here ({})", open.join("; "));
        let fix = "run it in a container or a virtual machine if it might do harm; `motif-cpp doctor` lists the guards";
        context.ui.warn(&Problem::usage("sandbox-incomplete", what, fix));
    }
}

/// A file that cannot be written is a problem like others, with a code and help.
pub fn explained(error: anyhow::Error, options: &Options) -> anyhow::Error {
    let problem = error.downcast_ref::<Problem>();
    if problem.is_some_and(|problem| problem.code != "disk-full" && is_full(&problem.what)) {
        return full(&error.to_string()).at(&options.output).into();
    }
    let known = problem.is_some() || error.downcast_ref::<Problems>().is_some();
    if known || !error.chain().any(|cause| cause.is::<std::io::Error>()) {
        return error;
    }
    let what = format!("{error:#}");
    if is_full(&what) {
        return full(&what).at(&options.output).into();
    }
    let fix = "the disk may be full, or the folder not writable; give another with -o";
    Problem::usage("output-unwritable", what, fix).at(&options.output).into()
}
