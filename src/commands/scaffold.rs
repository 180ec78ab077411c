//! `scaffold`: the editable files of a unit, in the user's repository.

use super::{Context, Problems};
use crate::cli::ScaffoldArgs;
use crate::diag::{Exit, Problem};
use crate::options::Options;
use crate::overrides::FOLDER;
use crate::overrides::stamp::{overloads_of, signature_of, unit_of};
use crate::plan::entry::slug;
use crate::select::{select, units};
use crate::session::Session;
use crate::session::units::Slugs;
use artefact::{Artefact, artefacts};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use step::{Fate, Step};

mod artefact;
mod files;
mod step;
mod stub;

/// Merge bases, below the folder of overrides.
const BASES: &str = ".base";

/// Writes, or with `--check` compares, the utility class and the override stub of the units.
///
/// # Errors
///
/// The project cannot be read, a unit is unknown, or a file cannot be written.
pub fn run(context: &Context, args: &ScaffoldArgs) -> anyhow::Result<Exit> {
    let options = Options::for_scaffold(&context.root, args, context.config.clone())?;
    let session = Session::open_leniently(context, options)?;
    let mut chosen = select(&units(&session.model), &session.options.units).map_err(Problems)?;
    chosen.retain(|function| function.owner.is_some() || function.name != "main");
    let folder = context.root.join(FOLDER);
    let mut work = Scaffold {
        context,
        check: args.check,
        // Without named units, `--check` looks at existing files only: a user may have scaffolded a few units.
        existing_only: args.update || args.check && session.options.units.is_empty(),
        moved: moved(&session, &folder)?,
        folder,
        differing: 0,
        conflicts: 0,
        merged: BTreeSet::new(),
    };
    let planner = session.planner();
    for function in chosen {
        let slug = slug(&session.model, function);
        if work.existing_only && !work.has_files(&slug) {
            continue;
        }
        let mut told = false;
        for artefact in artefacts(context, &session, &planner, function, &slug) {
            work.one(&artefact, &mut told)?;
        }
    }
    work.set_aside(&session.set_aside);
    work.conclude()
}

struct Scaffold<'c> {
    context: &'c Context,
    check: bool,
    existing_only: bool,
    folder: PathBuf,
    /// Files whose unit has another slug now: new name and current name.
    moved: BTreeMap<String, String>,
    /// The number of files that would change.
    differing: usize,
    /// The number of files with conflicts.
    conflicts: usize,
    /// Files that were updated to another signature.
    merged: BTreeSet<PathBuf>,
}

/// Files of units that have another slug now.
fn moved(session: &Session, folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let names = files::names(folder)?;
    let slugs = Slugs::of(&session.model);
    let mut moved = BTreeMap::new();
    for name in &names {
        let Some((old, extension)) = name.rsplit_once('.') else { continue };
        if slugs.get(old).is_some() {
            continue;
        }
        let Some(text) = files::read(&folder.join(name))? else { continue };
        let others = overloads_of(&text);
        let is_there = |slug: &str| names.contains(&format!("{slug}.{extension}"));
        let heir = unit_of(&text).and_then(|id| slugs.heir(id, Some(&others), is_there));
        if let Some((slug, _)) = heir {
            moved.insert(format!("{slug}.{extension}"), name.clone());
        }
    }
    Ok(moved)
}

impl Scaffold<'_> {
    fn has_files(&self, slug: &str) -> bool {
        ["hpp", "yaml"].iter().any(|extension| {
            let name = format!("{slug}.{extension}");
            self.moved.contains_key(&name) || self.folder.join(name).exists()
        })
    }

    /// Updates one file, or prints how it differs. `told`: the new signature has been printed.
    fn one(&mut self, artefact: &Artefact, told: &mut bool) -> anyhow::Result<()> {
        let path = self.folder.join(&artefact.name);
        let base_path = self.folder.join(BASES).join(&artefact.name);
        let former =
            self.moved.get(&artefact.name).map(|name| (self.folder.join(name), self.folder.join(BASES).join(name)));
        let (old_path, old_base) = former.as_ref().map_or((&path, &base_path), |(path, base)| (path, base));
        let old = files::read(old_path)?;
        let base = files::read(old_base)?;
        let step = step::decide(old.as_deref(), base.as_deref(), artefact);
        let before = base.as_deref().or(old.as_deref()).and_then(signature_of);
        if let Some(before) = before.filter(|before| *before != artefact.signature && !*told) {
            *told = true;
            self.merged.insert(old_path.clone());
            self.context.ui.note(format_args!(
                "`{}` has another signature:\n  was {before}\n  is  {}",
                artefact.id, artefact.signature
            ));
        } else if before.is_some_and(|before| before != artefact.signature) {
            self.merged.insert(old_path.clone());
        }
        let differs = former.is_some() || step.text.is_some() || step.base.is_some();
        self.differing += usize::from(differs);
        self.conflicts += usize::from(step.fate == Fate::Conflict);
        if self.check {
            self.show(&path, old_path, old.as_deref(), &step)?;
        } else {
            if let Some(text) = step.text.as_ref().or(old.as_ref().filter(|_| former.is_some())) {
                files::write(&path, text)?;
            }
            if let Some(base) = step.base.as_ref().or(base.as_ref().filter(|_| former.is_some())) {
                files::write(&base_path, base)?;
            }
            if let Some((file, base)) = &former {
                files::remove(file)?;
                files::remove(base)?;
            }
        }
        self.tell(&path, old_path, &step);
        Ok(())
    }

    /// Prints the difference to standard output.
    fn show(&self, path: &Path, old_path: &Path, old: Option<&str>, step: &Step) -> anyhow::Result<()> {
        let name = |path: &Path| path.strip_prefix(&self.context.root).unwrap_or(path).to_path_buf();
        let (from, to) = (name(old_path), name(path));
        let Some(new) = step.text.as_deref().or(old).filter(|new| Some(*new) != old || from != to) else {
            return Ok(());
        };
        let diff = super::difference::unified(old.map(|old| (from.as_path(), old)), Some((to.as_path(), new)));
        super::print(super::difference::painted(&diff, self.context.ui.colors_output()).as_bytes())?;
        Ok(())
    }

    fn tell(&self, path: &Path, old_path: &Path, step: &Step) {
        let shown = crate::context::shown(&self.context.root, path);
        let ui = &self.context.ui;
        if path != old_path {
            let verb = if self.check { "would be moved to" } else { "moved to" };
            ui.note(format_args!("{} {verb} {shown}", crate::context::shown(&self.context.root, old_path)));
        }
        match (step.fate, self.check) {
            (Fate::Write, false) => ui.note(format_args!("wrote {shown}")),
            (Fate::Write, true) => ui.note(format_args!("{shown} is missing")),
            (Fate::Update, false) => ui.note(format_args!("updated {shown}")),
            (Fate::Update, true) => ui.note(format_args!("{shown} differs from what would be generated")),
            (Fate::Keep, _) => ui.detail(format_args!("{shown} is up to date")),
            (Fate::Edited | Fate::Own, _) => ui.note(format_args!("{shown} is edited, kept")),
            (Fate::Merged, false) => {
                ui.note(format_args!("{shown} is edited, kept; changes of the code are merged into it"))
            }
            (Fate::Merged, true) => ui.note(format_args!("{shown} is edited, and the code has changed")),
            (Fate::Conflict, _) => {
                let what = match step.conflicts.len() {
                    1 => "the edit conflicts with the generated text in one place".to_owned(),
                    n => format!("the edit conflicts with the generated text in {n} places"),
                };
                let fix = match self.check {
                    true => "`motif-cpp scaffold` writes both sides, with git's markers, for you to choose",
                    false => "both sides are in the file, with git's markers: choose, and remove the markers",
                };
                let line = if self.check { None } else { step.conflicts.first() };
                let problem = Problem::usage("scaffold-conflict", what, fix).at(path);
                ui.warn(&line.map_or(problem.clone(), |line| problem.line(*line)));
            }
        }
        if step.base.is_some() && step.text.is_none() && self.check {
            ui.note(format_args!("{shown} has no merge base in {FOLDER}/{BASES}/; `scaffold` writes it"));
        }
    }

    /// Override files that were skipped. References to an old signature have just been repaired.
    fn set_aside(&mut self, problems: &[Problem]) {
        for problem in problems {
            let mended = problem.code == "override-unknown-function"
                && problem.file.as_ref().is_some_and(|file| self.merged.contains(file));
            if !mended {
                self.context.ui.warn(problem);
            }
        }
    }

    fn conclude(&self) -> anyhow::Result<Exit> {
        if self.check && self.differing > 0 {
            let files =
                if self.differing == 1 { "1 file differs" } else { &format!("{} files differ", self.differing) };
            self.context.ui.note(format_args!("{files}; `motif-cpp scaffold` brings them up to date"));
            return Ok(Exit::Below);
        }
        Ok(if self.conflicts > 0 { Exit::Below } else { Exit::Done })
    }
}
