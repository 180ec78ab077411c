//! `review`: compares the drivers that would be generated now with the files that the team has accepted.

use super::{Context, Problems, print};
use crate::cli::ReviewArgs;
use crate::diag::{Exit, Problem};
use crate::model::Function;
use crate::options::Options;
use crate::plan::entry::slug;
use crate::select::{select, units};
use crate::session::Session;
use crate::session::units::Slugs;
use accepted::{Accepted, FOLDER};
use ask::{Answer, Asked};
use change::{Change, Drivers};
use std::collections::BTreeSet;
use std::io::IsTerminal;

mod accepted;
mod ask;
mod change;

/// Shows, accepts or rejects differences from the accepted drivers.
///
/// # Errors
///
/// The project cannot be read, a unit is unknown, or a file cannot be read or written.
pub fn run(context: &Context, args: &ReviewArgs) -> anyhow::Result<Exit> {
    let options = Options::for_review(&context.root, args, context.config.clone());
    let session = Session::open(context, options)?;
    let accepted = Accepted::read(&context.root.join(FOLDER))?;
    let changes = changes(context, &session, &accepted, args)?;
    if changes.seen == 0 {
        let what = format!("no driver has been accepted into {FOLDER}/ yet");
        let fix = "accept some: `motif-cpp review UNIT... --accept`, or `motif-cpp review --all --accept`";
        return Err(Problem::usage("review-nothing", what, fix).into());
    }
    let differing: Vec<&Change> = changes.all.iter().filter(|change| change.differs()).collect();
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let left = match (args.accept, args.reject) {
        (true, _) => {
            for change in &differing {
                accept(context, &accepted, change)?;
            }
            0
        }
        (false, true) => {
            for change in &differing {
                reject(context, &accepted, change)?;
            }
            0
        }
        (false, false) if on_terminal => one_by_one(context, &accepted, &differing)?,
        (false, false) => {
            for change in &differing {
                print(change.shown(context.ui.colors_output()).as_bytes())?;
                if accepted.is_rejected(change) {
                    context.ui.note(format_args!("{}: this change was rejected before", change.id));
                }
            }
            differing.len()
        }
    };
    conclude(context, &changes, differing.len(), left);
    Ok(if left > 0 { Exit::Below } else { Exit::Done })
}

/// The result of the comparison.
struct Changes {
    all: Vec<Change>,
    /// The number of drivers compared.
    seen: usize,
}

fn changes(context: &Context, session: &Session, accepted: &Accepted, args: &ReviewArgs) -> anyhow::Result<Changes> {
    let slugs = Slugs::of(&session.model);
    let drivers = Drivers::new(session, &context.root);
    let wanted = &session.options.units;
    let mut chosen: Vec<&Function> = Vec::new();
    if args.all || !wanted.is_empty() {
        chosen = select(&units(&session.model), wanted).map_err(Problems)?;
    }
    let mut all = Vec::new();
    let mut done: BTreeSet<String> = BTreeSet::new();
    // Accepted drivers, by their current unit.
    for (name, entry) in &accepted.units {
        let heir = || slugs.heir(&entry.id, None, |slug| accepted.units.contains_key(slug)).map(|(_, unit)| unit);
        let unit = slugs.get(name).or_else(heir);
        let is_chosen = |unit: &Function| chosen.iter().any(|function| function.usr == unit.usr);
        if !wanted.is_empty() && !unit.is_some_and(is_chosen) {
            continue;
        }
        let change = match unit {
            Some(unit) => Change::of(&drivers, unit, slug(&session.model, unit), Some((name, entry))),
            None => Change::gone(name, entry, "there is no such unit any more"),
        };
        done.insert(change.slug.clone());
        all.push(change);
    }
    for function in chosen {
        let name = slug(&session.model, function);
        if done.contains(&name) || function.owner.is_none() && function.name == "main" {
            continue;
        }
        let change = Change::of(&drivers, function, name, None);
        match (&change.reason, wanted.is_empty()) {
            (Some(why), false) => {
                let fix = "an override may help: `motif-cpp scaffold` lists the keys";
                let what = format!("`{}` can't be driven: {why}", function.id);
                context.ui.warn(&Problem::usage("unit-unplannable", what, fix));
            }
            (Some(_), true) => {}
            (None, _) => all.push(change),
        }
    }
    let seen = if wanted.is_empty() { all.len() } else { all.len().max(1) };
    Ok(Changes { all, seen })
}

fn accept(context: &Context, accepted: &Accepted, change: &Change) -> anyhow::Result<()> {
    accepted.take(change)?;
    let verb = if change.new.is_empty() { "took away" } else { "accepted" };
    context.ui.note(format_args!("{verb} {FOLDER}/{}  {}", change.slug, change.id));
    Ok(())
}

fn reject(context: &Context, accepted: &Accepted, change: &Change) -> anyhow::Result<()> {
    accepted.refuse(change)?;
    context.ui.note(format_args!("rejected {FOLDER}/{}  {}", change.slug, change.id));
    Ok(())
}

/// Asks about each change; returns how many stay open.
fn one_by_one(context: &Context, accepted: &Accepted, differing: &[&Change]) -> anyhow::Result<usize> {
    let fresh: Vec<&&Change> = differing.iter().filter(|change| !accepted.is_rejected(change)).collect();
    let old = differing.len() - fresh.len();
    if old > 0 {
        context.ui.note(format_args!("{old} rejected before; `--accept` accepts them nevertheless"));
    }
    let mut left = old;
    let mut asked = Asked::new(fresh.len());
    for (number, change) in fresh.iter().enumerate() {
        print(change.shown(context.ui.colors_output()).as_bytes())?;
        match asked.next(&change.id)? {
            Answer::Accept => accept(context, accepted, change)?,
            Answer::Reject => {
                reject(context, accepted, change)?;
                left += 1;
            }
            Answer::Skip => left += 1,
            Answer::Quit => {
                left += fresh.len() - number;
                break;
            }
        }
    }
    Ok(left)
}

fn conclude(context: &Context, changes: &Changes, differing: usize, left: usize) {
    let count = |number: usize| if number == 1 { "1 driver".to_owned() } else { format!("{number} drivers") };
    let seen = count(changes.all.len());
    match (differing, left) {
        (0, _) => context.ui.note(format_args!("{seen}, all as accepted")),
        (_, 0) => context.ui.note(format_args!("{seen}, {differing} of them changed")),
        (_, left) => context.ui.note(format_args!(
            "{seen}, {left} of them not as accepted; `motif-cpp review` asks about each, `--accept` accepts all, and \
             if the generated driver is wrong, `motif-cpp scaffold UNIT` writes an override stub to edit"
        )),
    }
}
