//! `compare`: the behaviour of two revisions, function by function. The older body is a mutant of the newer function.

use super::{Context, fuzz, report};
use crate::build::recorded;
use crate::choices::Executor;
use crate::cli::{CompareArgs, FuzzArgs, ScopeArgs};
use crate::compdb::Database;
use crate::diag::{Exit, Problem};
use crate::judgements::Judgements;
use crate::model::Function;
use crate::mutant::made::diff;
use crate::mutate::scope::Scope;
use crate::options::{Options, ScopeOptions, SurvivorOptions};
use crate::outcome::{MutantOutcome, Outcome, Status};
use crate::parse;
use crate::report::explain::{clean, input};
use crate::report::{json, plural, words};
use crate::revisions::{Apart, Changed, Comparison, Tree, Unread, compare, revisions};
use crate::run::Lock;
use crate::select::is_meant;
use crate::session::{self, Session};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What stands for the operator of a mutant.
const OPERATOR: &str = "OLDER";

/// Compares, and prints what differs.
///
/// # Errors
///
/// No repository, no such revision, and whatever `fuzz` may end with.
pub fn run(context: &Context, args: &CompareArgs) -> anyhow::Result<Exit> {
    let mut options = options(context, args)?;
    let wanted = revisions(&context.root, &args.revisions)?;
    let database = Database::load(options.build_dir.as_deref(), &options.root)?;
    session::output::check(&options, &database)?;
    // It is an output folder from here on, however this ends.
    let lock = Lock::take(&options.output)?;
    let folder = options.output.join("cache").join("compare");
    let written = |commit: &str, name: &str| {
        Tree::write(&wanted.top, commit, &context.root, &database, (&options.output, &folder.join(name)))
    };
    let older = written(&wanted.older, "older")?;
    if let Some(commit) = &wanted.newer {
        let newer = written(commit, "newer")?;
        let build = database.path.parent().unwrap_or(&context.root);
        let clang = crate::tools::Toolchain::discover(&crate::tools::Surroundings::of_process()).clang()?.clone();
        options.link.extend(recorded::libraries(build, &context.root, &clang.clangxx));
        (options.root, options.build_dir) = (newer.root, Some(newer.build));
        options.commit = Some(commit.clone());
    }
    drop(lock);
    let mutants = folder.join("mutants.json");
    options.mutants = Some(mutants.clone());
    // Overrides are those of the present files, and need not fit another revision.
    let session = match &options.commit {
        Some(_) => Session::open_leniently(context, options)?,
        None => Session::open(context, options)?,
    };
    session.set_aside.iter().for_each(|problem| context.ui.warn(problem));
    let read =
        parse::ParseOptions { root: older.root.clone(), namesakes: Default::default(), ..session.parse_options()? };
    let (before, problems) = parse::project(&Database::load(Some(&older.build), &older.root)?, &read)?;
    problems.iter().for_each(|problem| context.ui.warn(problem));
    let found = compare((&before, &older.root), (&session.model, &session.options.root));
    let found = asked(&session, found)?;
    context.ui.note(plural(found.changed.len(), "changed function"));
    let done = if found.changed.is_empty() {
        crate::run::nothing(&session)
    } else {
        std::fs::write(&mutants, serde_json::to_vec_pretty(&json!({ "mutants": listed(&found) }))?)?;
        fuzz::warn_of_what_is_open(context);
        crate::run::fuzz(context, &session, &Judgements::read(&context.root, None)?, None)
    };
    // Where nothing could be tested, there is a result nevertheless, and more to tell.
    let untested =
        |error: &anyhow::Error| error.downcast_ref::<Problem>().is_some_and(|it| it.code == "nothing-tested");
    let (outcome, failure) = match done {
        Ok(outcome) => (outcome, None),
        Err(error) if untested(&error) => (json::read_file(&json::path(&session.options.output))?, Some(error)),
        Err(error) => return Err(fuzz::explained(error, &session.options)),
    };
    report::summary(&session.options, &told(&found, &outcome, &session.options.output))?;
    let view = report::view(context, &session.options, &outcome);
    report::write(context, &view, &session.options.reports)?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(match outcome.interrupted {
        true => Exit::Interrupted,
        false if args.fail_on_difference && outcome.mutants.iter().any(differs) => Exit::Below,
        false => Exit::Done,
    })
}

/// The options of the search. What selects or judges mutants in the configuration is not about revisions.
fn options(context: &Context, args: &CompareArgs) -> anyhow::Result<Options> {
    let fuzz = FuzzArgs {
        project: args.project.clone(),
        scope: ScopeArgs {
            file: args.file.clone(),
            exclude: args.exclude.clone(),
            unit: args.unit.clone(),
            ..ScopeArgs::default()
        },
        budget: args.budget,
        residual_risk: args.residual_risk,
        total_budget: args.total_budget,
        seed: args.seed,
        decide: args.decide,
        framework: args.framework,
        report: args.report.clone(),
        ..FuzzArgs::default()
    };
    let options = Options::for_fuzz(&context.root, &fuzz, context.config.clone())?;
    let ScopeOptions { files, exclude, .. } = options.scope;
    Ok(Options {
        scope: ScopeOptions { files, exclude, ..ScopeOptions::default() },
        are_revisions: true,
        tests: None,
        fail_under: None,
        survivors: SurvivorOptions::default(),
        resume: false,
        shard: None,
        executor: Executor::default(),
        ..options
    })
}

/// Leaves out functions and files that were not asked for.
fn asked<'m>(session: &Session, found: Comparison<'m>) -> anyhow::Result<Comparison<'m>> {
    let options = &session.options;
    let candidates: Vec<PathBuf> = session.model.files.keys().cloned().collect();
    let scope = Scope::resolve(session, &candidates, &[])?;
    let file = |file: &Path| scope.takes_file(&options.root.join(file));
    let is_asked = |function: &Function, path: &Path| {
        let units = &options.units;
        file(path) && (units.is_empty() || units.iter().any(|name| is_meant(function, name)))
    };
    let Comparison { mut changed, mut unfit, mut apart, mut unread, mut outside } = found;
    changed.retain(|changed| is_asked(changed.function, &changed.file));
    unfit.retain(|unfit| is_asked(unfit.function, &unfit.file));
    apart.retain(|apart| is_asked(apart.function, &apart.file));
    unread.retain(|unread| file(&unread.file));
    outside.retain(|path| file(path));
    Ok(Comparison { changed, unfit, apart, unread, outside })
}

fn listed(found: &Comparison) -> Vec<serde_json::Value> {
    let one = |changed: &Changed| {
        let mixed = changed.mixed.as_ref().ok();
        json!({
            "id": id(changed),
            "file": changed.file,
            "line": place(changed).0,
            "operator": OPERATOR,
            "unit": changed.function.id,
            "diff": mixed.map_or_else(String::new, |mixed| diff(&changed.file, &changed.newer, mixed)),
            "whole": whole(changed),
        })
    };
    found.changed.iter().map(one).collect()
}

/// The older file in place of the newer one, as a diff.
fn whole(changed: &Changed) -> Option<String> {
    changed.whole.as_ref().map(|older| diff(&changed.file, &changed.newer, older))
}

/// The line and column of a function.
fn place(changed: &Changed) -> (u32, u32) {
    changed.function.definition.as_ref().map_or((1, 1), |it| (it.extent.line, it.extent.column))
}

/// The name of the mutant that the older body is.
fn id(changed: &Changed) -> String {
    let (line, column) = place(changed);
    let ending = changed.file.extension().unwrap_or_default().to_string_lossy();
    let stem = changed.file.with_extension("");
    format!("{}.mut.{line}.{column}.{OPERATOR}.{}.{ending}", stem.display(), changed.function.name)
}

fn differs(mutant: &MutantOutcome) -> bool {
    mutant.status == Status::Killed
}

/// The result as text: what differs first, then what does not, then what was not compared.
fn told(found: &Comparison, outcome: &Outcome, output: &Path) -> String {
    let mut out = String::new();
    // Where there was no time for a search, nothing is known.
    let is_same = |mutant: &MutantOutcome| match mutant.status {
        Status::Live => mutant.effort.is_some(),
        status => status == Status::Equivalent,
    };
    let (different, rest): (Vec<&MutantOutcome>, Vec<_>) = outcome.mutants.iter().partition(|mutant| differs(mutant));
    let (same, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|mutant| is_same(mutant));
    let _ = writeln!(
        out,
        "{}: {} differ, {} without a difference, {} not compared",
        plural(different.len() + same.len() + rest.len() + found.unfit.len(), "changed function"),
        different.len(),
        same.len(),
        rest.len() + found.unfit.len()
    );
    for mutant in different {
        head(&mut out, "differs", found, mutant);
        if let Some(kill) = &mutant.kill {
            let proof = if kill.verified { "a proved test" } else { "no proof" };
            let _ = writeln!(out, "  by {}, with {proof}", words::difference(kill.how));
            input(&mut out, &kill.input, output);
            if let Some(test) = &kill.test {
                let _ = writeln!(out, "test {}", clean(test));
            }
        }
    }
    for mutant in same {
        head(&mut out, "same", found, mutant);
        let _ = match (&mutant.equivalence, &mutant.effort) {
            (Some(_), _) => writeln!(out, "  proved: {}", clean(mutant.reason.as_deref().unwrap_or_default())),
            (None, Some(effort)) => {
                writeln!(out, "  no difference in {} inputs: {}", words::count(effort.executions), words::reach(effort))
            }
            (None, None) => Ok(()),
        };
    }
    for mutant in rest {
        head(&mut out, "not compared", found, mutant);
        let _ = writeln!(out, "  {}", clean(mutant.reason.as_deref().unwrap_or_default()));
    }
    for Apart { function, why, .. } in &found.unfit {
        let _ = writeln!(out, "\nnot compared: {}\n  {}", clean(&function.id), clean(why));
    }
    for Apart { function, why, .. } in &found.apart {
        let _ = writeln!(out, "\n{}: {}", clean(&function.id), clean(why));
    }
    for Unread { file, why, functions } in &found.unread {
        let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
        let functions = if functions.is_empty() { String::new() } else { format!(" ({})", functions.join(", ")) };
        let _ = writeln!(out, "\nnot read: {}{}\n  {}", file.display(), clean(&functions), clean(why));
    }
    if !found.outside.is_empty() {
        out.push('\n');
    }
    for file in &found.outside {
        let _ = writeln!(out, "changed outside functions: {}", file.display());
    }
    out
}

fn head(out: &mut String, verdict: &str, found: &Comparison, mutant: &MutantOutcome) {
    let changed = found.changed.iter().find(|changed| id(changed) == mutant.id);
    // What could not be paired has no unit.
    let meant = || changed.map(|changed| changed.function.id.as_str());
    let unit = mutant.unit.as_deref().or_else(meant).unwrap_or(&mutant.id);
    let _ = writeln!(out, "\n{verdict}: {} ({}:{})", clean(unit), mutant.file.display(), mutant.line);
    if let Some(Err(why)) = changed.map(|changed| &changed.mixed) {
        let _ = writeln!(out, "  {}", clean(why));
    }
    if changed.and_then(whole).is_some_and(|whole| whole == mutant.diff) {
        let _ = writeln!(out, "  compared with the older file as a whole: what the function calls in it is older too");
    }
}
