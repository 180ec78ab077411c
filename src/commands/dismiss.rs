//! `dismiss`: a person's verdict on a mutant, in a file under version control.

use super::explain::found;
use super::{Context, print};
use crate::choices::Judgement as Verdict;
use crate::cli::DismissArgs;
use crate::diag::{Exit, Problem};
use crate::judgements::dismissals::{Dismissal, Dismissals, FILE_NAME};
use crate::options::Options;
use crate::outcome::{Judgement, MutantOutcome, Status};
use crate::report::{Place, json};
use crate::tools::git;
use std::fmt::Write;
use std::path::Path;

/// Lists, adds or removes.
///
/// # Errors
///
/// The word selects no mutant or several, the verdict contradicts a kill, or the file is wrong.
pub fn run(context: &Context, args: &DismissArgs) -> anyhow::Result<Exit> {
    let options = Options::for_dismiss(&context.root, args, context.config.clone());
    let mut dismissals = Dismissals::read(&context.root)?;
    let Some(word) = &args.mutant else { return print(listed(&dismissals).as_bytes()) };
    if args.remove {
        let keys = keys(&dismissals, word, &options)?;
        for key in keys {
            dismissals.remove(&key)?;
        }
        dismissals.write(&context.root)?;
        context.ui.note(format_args!("removed from {FILE_NAME}: {word}"));
        return Ok(Exit::Done);
    }
    let outcome = json::read(&options.output)?;
    for mutant in found(&outcome, word)? {
        let new = dismissal(mutant, args, &context.root)?;
        context.ui.note(format_args!("dismissed as {}: {}", new.judgement.name(), new.mutant));
        dismissals.add(new)?;
    }
    dismissals.write(&context.root)?;
    Ok(Exit::Done)
}

fn dismissal(mutant: &MutantOutcome, args: &DismissArgs, root: &Path) -> Result<Dismissal, Problem> {
    let judgement = match args.judgement {
        Some(Verdict::Equivalent) => Judgement::Equivalent,
        Some(Verdict::Unwanted) | None => Judgement::Unwanted,
    };
    if judgement == Judgement::Equivalent && mutant.status == Status::Killed {
        let what = format!("`{}` is killed by an input, so it is not equivalent", mutant.id);
        let fix = "`--as unwanted` says that nobody wants a test for it; `motif-cpp explain` shows the input";
        return Err(Problem::usage("dismissal-contradicted", what, fix));
    }
    let reason = args.reason.clone().unwrap_or_default();
    if reason.trim().is_empty() {
        return Err(Problem::usage("dismissal-invalid", "a dismissal without a reason", "say why with --reason"));
    }
    Ok(Dismissal {
        mutant: mutant.id.clone(),
        unit: mutant.unit.clone().unwrap_or_default(),
        change: Place::of(mutant).words(),
        fingerprint: mutant.key().to_owned(),
        judgement,
        reason,
        // The name that is in the commits.
        by: args.by.clone().or_else(|| git::line(root, &["config", "user.name"])),
    })
}

/// The fingerprints of the dismissals that a word means: its mutant may be gone.
fn keys(dismissals: &Dismissals, word: &str, options: &Options) -> anyhow::Result<Vec<String>> {
    let all = dismissals.all();
    let meant = all.iter().filter(|known| known.fingerprint == word || known.mutant == word);
    let exact: Vec<String> = meant.map(|known| known.fingerprint.clone()).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let parts: Vec<&Dismissal> = all.iter().filter(|known| known.mutant.contains(word)).collect();
    let known = |key: &str| all.iter().any(|known| known.fingerprint == key);
    match &parts[..] {
        [one] => return Ok(vec![one.fingerprint.clone()]),
        [] => {
            let outcome = json::read(&options.output).ok();
            let mutants = outcome.as_ref().and_then(|outcome| found(outcome, word).ok()).unwrap_or_default();
            let keys: Vec<String> = mutants.iter().map(|mutant| mutant.key().to_owned()).collect();
            if !keys.is_empty() && keys.iter().all(|key| known(key)) {
                return Ok(keys);
            }
        }
        _ => {}
    }
    let what = format!("`{word}` names {} dismissals", if parts.is_empty() { "no" } else { "several" });
    Err(Problem::usage("dismissal-unknown", what, "`motif-cpp dismiss --list` has them").at(FILE_NAME).into())
}

fn listed(dismissals: &Dismissals) -> String {
    let mut out = String::new();
    for Dismissal { mutant, unit, change, fingerprint, judgement, reason, by } in dismissals.all() {
        let by = by.as_ref().map(|name| format!(" by {name}")).unwrap_or_default();
        let _ = writeln!(out, "{mutant}\n  {fingerprint}  {}{by}: {reason}", judgement.name());
        let _ = writeln!(out, "  {change} in {unit}");
    }
    crate::ui::printable(&out)
}
