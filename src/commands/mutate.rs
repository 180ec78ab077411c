//! `mutate`: mutants of the built-in operators, as a list for `fuzz` and other tools.

use super::{Context, print, report};
use crate::choices::ListFormat;
use crate::cli::MutateArgs;
use crate::context::shown;
use crate::diag::{Exit, Problem};
use crate::judgements::Judgements;
use crate::mutant::made::{Made, Standing};
use crate::mutate::choose::{Selection, choose, say_emptied, worth_trying};
use crate::mutate::list::{self, Counts, FILE_NAME, FOLDER, List, is_to_be_tried};
use crate::mutate::suite::SuiteReport;
use crate::mutate::suite_verdicts::{Tested, tested};
use crate::options::Options;
use crate::outcome::{ShardOutcome, Suite};
use crate::report::json::{self, write_whole};
use crate::report::{count, percent, plural, seconds};
use crate::run::{Identity, Lock};
use crate::session::Session;
use crate::ui::{Tone, paint, printable};
use std::fmt::Write;
use std::path::{Component, Path};

/// The most survivors that are listed.
const MOST_SURVIVORS: usize = 40;
/// The most characters of source text in a line of the list.
const MOST_SHOWN: usize = 48;

/// Makes the mutants, filters them, runs the project's own tests if requested, and writes the list.
///
/// # Errors
///
/// Bad input, a missing tool, an output folder that cannot be written.
pub fn run(context: &Context, args: &MutateArgs) -> anyhow::Result<Exit> {
    let options = Options::for_mutate(&context.root, args, context.config.clone())?;
    let judgements = Judgements::read(&options.root, None)?;
    let session = Session::open(context, options)?;
    let done = if args.list {
        listed(context, &session, args.format.unwrap_or_default())?
    } else {
        written(context, &session, &judgements, args.files)?
    };
    Ok(done)
}

/// Only prints them: nothing is compiled and nothing written.
fn listed(context: &Context, session: &Session, format: ListFormat) -> anyhow::Result<Exit> {
    let selection = choose(context, session, &mut |_| Ok(()))?;
    if selection.mutants.is_empty() {
        say_emptied(context, session, &selection.steps);
    }
    let text = match format {
        ListFormat::Json => serde_json::to_string_pretty(&list::list(&selection, None, session))? + "\n",
        ListFormat::Text => selection.mutants.iter().map(|mutant| line(context, &selection, mutant) + "\n").collect(),
    };
    print(text.as_bytes())
}

fn line(context: &Context, selection: &Selection, mutant: &Made) -> String {
    let short = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    };
    let source = selection.sources.get(&mutant.file).map(|source| source.bytes.as_slice()).unwrap_or_default();
    let edits: Vec<String> = mutant
        .change
        .edits
        .iter()
        .map(|edit| {
            let old = short(source.get(edit.start as usize..edit.end as usize).unwrap_or_default());
            match (old.is_empty(), edit.text.trim_ascii().is_empty()) {
                (true, _) => format!("insert `{}`", short(&edit.text)),
                (false, true) => format!("delete `{old}`"),
                (false, false) => format!("`{old}` → `{}`", short(&edit.text)),
            }
        })
        .collect();
    let file = shown(&context.root, &mutant.file);
    let Made { line, column, unit_id, .. } = mutant;
    printable(&format!("{file}:{line}:{column}: {} in {unit_id}: {}", mutant.change.operator, edits.join(", ")))
}

fn written(context: &Context, session: &Session, judgements: &Judgements, files: bool) -> anyhow::Result<Exit> {
    let options = &session.options;
    let lock = Lock::take(&options.output)?;
    let prepared = || -> anyhow::Result<_> {
        let previous = previous(&options.output, files)?;
        let builder = session.builder(context)?;
        let selection = choose(context, session, &mut |mutants| worth_trying(context, session, &builder, mutants))?;
        Ok((previous, selection))
    };
    let (previous, mut selection) = prepared().inspect_err(|error| session.give_up(error))?;
    let any = selection.mutants.iter().any(is_to_be_tried);
    if !any {
        say_emptied(context, session, &selection.steps);
    }
    // The test logs are kept on failure: the message names them.
    let tests = options.tests.as_ref().filter(|_| any);
    let done = tests.map(|tests| tested(context, session, tests, &mut selection.mutants)).transpose()?;
    write(session, &selection, done.as_ref().map(|(tested, _)| tested), &previous, files)?;
    drop(lock);
    report::summary(options, &summary(context, session, &selection, done.as_ref()))?;
    let path = options.output.join(FILE_NAME);
    context.ui.note(format_args!("mutants: {}", shown(&context.root, &path)));
    if !options.reports.is_empty() || options.tests.is_some() {
        let mut outcome = json::read_file(&path)?;
        judgements.apply(&mut outcome);
        report::write(context, &report::view(context, options, &outcome), &options.reports)?;
    }
    Ok(if context.is_interrupted() { Exit::Interrupted } else { Exit::Done })
}

/// The ids of an existing list; its files are deleted with it.
fn previous(output: &Path, files: bool) -> anyhow::Result<Vec<String>> {
    let list = output.join(FILE_NAME);
    let known = std::fs::read(&list).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
    let folder = output.join(FOLDER);
    if files && known.is_none() && std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let what = "this folder was not written by motif-cpp, and mutated files would be mixed with its content";
        return Err(Problem::usage("mutants-folder-taken", what, "give another output folder with -o")
            .at(folder)
            .into());
    }
    let ids = known.as_ref().and_then(|list| list["mutants"].as_array()).into_iter().flatten();
    Ok(ids.filter_map(|mutant| mutant["id"].as_str().map(str::to_owned)).collect())
}

fn write(
    session: &Session,
    selection: &Selection,
    tests: Option<&Tested>,
    previous: &[String],
    files: bool,
) -> anyhow::Result<()> {
    let options = &session.options;
    let folder = options.output.join(FOLDER);
    let inside = |id: &&String| Path::new(id).components().all(|part| matches!(part, Component::Normal(_)));
    for id in previous.iter().filter(inside) {
        // Most were never written as files.
        let path = folder.join(id);
        if std::fs::remove_file(&path).is_ok() {
            let above = path.ancestors().skip(1).take_while(|above| above.starts_with(&folder));
            // Non-empty folders stay.
            above.take_while(|above| std::fs::remove_dir(above).is_ok()).for_each(drop);
        }
    }
    if files {
        for mutant in selection.mutants.iter().filter(|mutant| is_to_be_tried(mutant)) {
            write_whole(&folder.join(&mutant.id), &list::mutated(selection, mutant))?;
        }
    }
    let shard = options.shard.map(|shard| ShardOutcome::of(shard, &Identity::of(session), &selection.files));
    let list = List { shard, ..list::list(selection, tests, session) };
    let text = serde_json::to_string_pretty(&list)? + "\n";
    write_whole(&options.output.join(FILE_NAME), text.as_bytes())
}

/// One screen: counts by operator and status, and what was skipped.
fn summary(
    context: &Context,
    session: &Session,
    selection: &Selection,
    tests: Option<&(Tested, SuiteReport)>,
) -> String {
    let color = context.ui.colors_output();
    let mutants = &selection.mutants;
    let mut units: Vec<&str> = mutants.iter().map(|mutant| mutant.unit.as_str()).collect();
    units.sort_unstable();
    units.dedup();
    let mut out = String::new();
    let sampled = match session.options.scope.sample {
        Some(_) => format!(" of {}", count(selection.made as u64)),
        None => String::new(),
    };
    let _ = writeln!(
        out,
        "{}: {}{sampled} in {} of {}, seed {}\n",
        paint(color, Tone::Strong, concat!("motif-cpp ", env!("CARGO_PKG_VERSION"))),
        plural(mutants.len(), "mutant"),
        plural(units.len(), "function"),
        plural(selection.sources.len(), "file"),
        session.options.seed
    );
    let all = Counts::of(mutants);
    let tested = tests.is_some();
    let mut head = vec!["made", "unbuildable", "equivalent", "duplicate"];
    head.extend(if tested { ["killed", "live", "untried"].as_slice() } else { ["to try"].as_slice() });
    let cells = |counts: &Counts| {
        let mut cells = vec![counts.made, counts.unbuildable, counts.equivalent, counts.duplicate];
        if tested {
            cells.extend([counts.killed_by_tests, counts.live]);
        }
        cells.push(counts.new);
        cells.iter().zip(&head).map(|(n, head)| format!("  {n:>width$}", width = head.len().max(6))).collect::<String>()
    };
    let heads: String = head.iter().map(|head| format!("  {head:>6}")).collect();
    let _ = writeln!(out, "  {}", paint(color, Tone::Dim, format!("{:<12}{heads}", "operator")));
    for (operator, counts) in Counts::by_operator(mutants) {
        let _ = writeln!(out, "  {operator:<12}{}", cells(&counts));
    }
    let _ = writeln!(out, "  {}", paint(color, Tone::Strong, format!("{:<12}{}", "all", cells(&all))));
    let share = |number: usize| percent((all.made > 0).then(|| number as f64 / all.made as f64));
    let _ = writeln!(
        out,
        "\n{} equivalent, {} duplicate, {} unbuildable",
        share(all.equivalent),
        share(all.duplicate),
        share(all.unbuildable)
    );
    if let Some((tested, suite)) = tests {
        let _ = writeln!(out, "{}", tests_in_words(tested, suite));
        out += &survivors(context, session, selection);
    }
    let skipped: Vec<_> = selection.skipped.iter().filter(|mark| !mark.is_arid()).collect();
    if !skipped.is_empty() {
        let number: usize = skipped.iter().map(|mark| mark.mutants).sum();
        let _ = writeln!(out, "skipped by marks: {}", plural(number, "mutant"));
        for mark in skipped.iter().take(8) {
            let file = shown(&context.root, &mark.file);
            let reason = if mark.reason.is_empty() { "(no reason given)" } else { &mark.reason };
            let _ = writeln!(out, "  {file}:{}  {}: {}", mark.line, plural(mark.mutants, "mutant"), printable(reason));
        }
        if skipped.len() > 8 {
            let _ = writeln!(out, "  … and {} more marks", skipped.len() - 8);
        }
    }
    out
}

/// What the tests leave, and what to do about it.
fn survivors(context: &Context, session: &Session, selection: &Selection) -> String {
    let all: Vec<&Made> = selection.mutants.iter().filter(|mutant| mutant.standing == Standing::Live).collect();
    let mut out = String::new();
    if all.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\nsurvivors:");
    for mutant in all.iter().take(MOST_SURVIVORS) {
        let is_covered = mutant.standing.suite(mutant.reason.as_deref()) == Some(Suite::Live);
        let verdict = if is_covered { "survived" } else { "not covered" };
        let _ = writeln!(out, "  {verdict:<11}  {}", line(context, selection, mutant));
    }
    let options = &session.options;
    let output = shown(&context.root, &options.output).to_string();
    if all.len() > MOST_SURVIVORS {
        let more = all.len() - MOST_SURVIVORS;
        let report = shell_words::join(["motif-cpp", "report", "-o", &output, "--format", "lines"]);
        let _ = writeln!(out, "  … and {more} more: `{report}`");
    }
    let mut command = vec!["motif-cpp".to_owned(), "fuzz".to_owned()];
    if let Some(build) = &options.build_dir {
        command.extend(["-p".to_owned(), shown(&context.root, build).to_string()]);
    }
    command.extend(["--mutants".to_owned(), output]);
    let _ = writeln!(out, "\nnext, search for tests that kill them:\n  {}", shell_words::join(command));
    out
}

fn tests_in_words(tested: &Tested, report: &SuiteReport) -> String {
    let interval = match tested.interval {
        Some((low, high)) => format!(", with 95 % confidence {} to {}", percent(Some(low)), percent(Some(high))),
        None => String::new(),
    };
    format!(
        "the project's own tests: score {}{interval}; {} live, {} of them reached by no test; {} killed, {} by \
         timeout; \
         {} wall, {} CPU",
        percent(tested.score),
        tested.live,
        tested.unreached,
        tested.killed,
        report.timed_out,
        seconds(report.wall_seconds),
        seconds(report.cpu_seconds)
    )
}
