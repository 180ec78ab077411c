//! One file per command, and shared code.

pub mod adopt;
mod analyze;
pub mod cache;
pub mod compare;
mod difference;
pub mod dismiss;
pub mod doctor;
pub mod explain;
pub mod fuzz;
pub mod merge;
mod merge_lists;
pub mod mutate;
pub mod report;
pub mod review;
pub mod scaffold;
pub mod schema;
pub mod serve;
mod standard_output;
mod testgen;

use crate::cli::{self, Cli, Command};
use crate::config::Config;
pub use crate::context::{Context, Problems};
use crate::diag::{Exit, Problem};
use crate::options::Talk;
use crate::tools::Surroundings;
use crate::ui::Ui;
use crate::ui::events::{self, Event};
use anyhow::Context as _;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use standard_output::print;

/// Runs the command line and says how it ended; problems have been printed.
pub fn run(cli: Cli, interrupted: Arc<AtomicBool>) -> Exit {
    // Until the configuration is read, the command line alone decides about messages.
    let ui = Ui::new(Talk::resolve(&cli.global, &Config::default()), "");
    if wants_events(&cli.command, &Config::default()) {
        events::begin();
    }
    let context = match prepare(&cli, interrupted) {
        Ok(context) => context,
        Err(error) => {
            let exit = fail(&ui, &error);
            events::emit(|| Event::End { exit: exit as u8 });
            return exit;
        }
    };
    let exit = dispatch(cli.command, &context, cli.global.config.as_deref()).unwrap_or_else(|error| {
        let exit = fail(&context.ui, &error);
        // Ctrl-C also reaches our child processes; their failures mean nothing then.
        if context.is_interrupted() { Exit::Interrupted } else { exit }
    });
    events::emit(|| Event::End { exit: exit as u8 });
    exit
}

/// Whether standard output is to have events: of commands on a project, that say so or whose configuration does.
fn wants_events(command: &Command, config: &Config) -> bool {
    let project = match command {
        Command::Analyze(args) => &args.project,
        Command::Mutate(args) => &args.project,
        Command::Scaffold(args) => &args.project,
        Command::Review(args) => &args.project,
        Command::Fuzz(args) => &args.project,
        _ => return false,
    };
    project.json_events || config.json_events.unwrap_or(false)
}

fn prepare(cli: &Cli, interrupted: Arc<AtomicBool>) -> anyhow::Result<Context> {
    let current = std::env::current_dir().context("the current directory is gone")?;
    let wanted = cli.global.directory.as_ref().map_or(current.clone(), |directory| current.join(directory));
    let root = wanted.canonicalize().map_err(|error| {
        Problem::usage("root-missing", format!("cannot enter the project's root: {error}"), "check `-C`").at(&wanted)
    })?;
    std::env::set_current_dir(&root).map_err(|error| {
        Problem::usage("root-missing", format!("cannot enter the project's root: {error}"), "check `-C`").at(&wanted)
    })?;
    let config = match cli.command {
        // These do not read the project, so a broken configuration does not matter.
        Command::Completions(_) | Command::Man | Command::Schema(_) => Config::default(),
        _ => Config::load(&root, cli.global.config.as_deref())?,
    };
    if wants_events(&cli.command, &config) {
        events::begin();
    }
    let ui = Ui::new(Talk::resolve(&cli.global, &config), &root);
    Ok(Context { root, config, ui, interrupted })
}

fn dispatch(command: Command, context: &Context, config: Option<&Path>) -> anyhow::Result<Exit> {
    match command {
        Command::Doctor(args) => {
            let (text, exit) = doctor::run(&Surroundings::of_process(), args.format);
            print(text.as_bytes())?;
            Ok(exit)
        }
        Command::Analyze(args) => analyze::run(context, &args),
        Command::Scaffold(args) => scaffold::run(context, &args),
        Command::Review(args) => review::run(context, &args),
        Command::Serve(args) => serve::run(context, &args, config),
        Command::Cache(args) => cache::run(&context.config, &args),
        Command::Schema(args) => print(schema::text(args.of)?.as_bytes()),
        Command::Mutate(args) => mutate::run(context, &args),
        Command::Fuzz(args) => fuzz::run(context, &args),
        Command::Compare(args) => compare::run(context, &args),
        Command::Merge(args) => merge::run(context, &args),
        Command::Testgen(args) => testgen::run(context, &args),
        Command::Adopt(args) => adopt::run(context, &args),
        Command::Explain(args) => explain::run(context, &args),
        Command::Dismiss(args) => dismiss::run(context, &args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut cli::definition(), "motif-cpp", &mut script);
            print(&script)
        }
        Command::Man => print(&manual()?),
        Command::Report(args) => report::run(context, &args),
    }
}

/// One page: the command, then each subcommand with its options.
fn manual() -> anyhow::Result<Vec<u8>> {
    let mut definition = cli::definition();
    definition.build();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(definition.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in definition.get_subcommands().filter(|command| !command.is_hide_set()) {
        let mut section = Vec::new();
        let man = clap_mangen::Man::new(command.clone());
        man.render_synopsis_section(&mut section)?;
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        // A subcommand's sections become parts of one section with the command's name.
        let section = String::from_utf8_lossy(&section).replace(".SH ", ".SS ");
        writeln!(page, ".SH \"MOTIF\\-CPP {}\"", command.get_name().to_uppercase())?;
        page.write_all(section.as_bytes())?;
    }
    man.render_extra_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// Prints an error and returns its exit code.
fn fail(ui: &Ui, error: &anyhow::Error) -> Exit {
    if is_broken_pipe(error) {
        // The reader closed the pipe (`| head`): no failure.
        return Exit::Done;
    }
    if let Some(Problems(problems)) = error.downcast_ref() {
        problems.iter().for_each(|problem| ui.error(problem));
        return problems.iter().map(|problem| problem.exit).max().unwrap_or(Exit::Usage);
    }
    if let Some(problem) = error.downcast_ref::<Problem>() {
        ui.error(problem);
        return problem.exit;
    }
    ui.failure(format_args!("{error:#}"));
    Exit::NothingTested
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
