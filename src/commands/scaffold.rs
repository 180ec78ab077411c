//! `scaffold`: the editable artefacts of a unit, in the user's repository.

use super::{Context, Problems};
use crate::cli::ScaffoldArgs;
use crate::diag::{Exit, Problem};
use crate::generate;
use crate::model::{Function, Language};
use crate::options::Options;
use crate::overrides::FOLDER;
use crate::overrides::stamp::{State, digest, generated_digest, stamp, state};
use crate::plan::entry::slug;
use crate::plan::plan_unit;
use crate::plan::values::Planner;
use crate::select::{select, units};
use crate::session::Session;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

mod stub;

/// What is to be done about one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is not there yet.
    Write,
    /// It is there as an older version was generated.
    Update,
    /// It is there as it would be generated now.
    Keep,
    /// A person has edited it.
    Edited,
    /// A person has edited it, and the code underneath has moved since.
    Moved,
}

/// Writes, or with `--check` compares, the utility class and the override stub of the units.
///
/// # Errors
/// The project can't be read, a unit is unknown, or a file can't be written.
pub fn run(context: &Context, args: &ScaffoldArgs) -> anyhow::Result<Exit> {
    let options = Options::for_scaffold(&context.root, args, context.config.clone())?;
    let session = Session::open(context, options)?;
    let mut chosen = select(&units(&session.model), &session.options.units).map_err(Problems)?;
    chosen.retain(|function| function.owner.is_some() || function.name != "main");
    let planner = session.planner();
    let folder = context.root.join(FOLDER);
    let mut differing = 0;
    for function in chosen {
        for (path, text) in artefacts(context, &session, &planner, function) {
            let path = folder.join(path);
            let fate = fate(&path, &text)?;
            // Whoever scaffolds a few units only does not miss the files of the others.
            if args.check && fate == Fate::Write && session.options.units.is_empty() {
                continue;
            }
            if matches!(fate, Fate::Write | Fate::Update) {
                differing += 1;
                if !args.check {
                    write(&path, &text)?;
                }
            }
            tell(context, &path, fate, args.check);
        }
    }
    if args.check && differing > 0 {
        context.ui.note(format_args!("{differing} files differ; `motif-cpp scaffold` writes them"));
        return Ok(Exit::Below);
    }
    Ok(Exit::Done)
}

/// The files of a unit, stamped: name and text.
fn artefacts(
    context: &Context,
    session: &Session,
    planner: &Planner<'_>,
    function: &Function,
) -> Vec<(PathBuf, String)> {
    let slug = slug(&session.model, function);
    let plan = plan_unit(planner, &function.usr);
    let mut files = Vec::new();
    let say = |problem: Problem| match session.options.units.is_empty() {
        true => context.ui.detail(&problem),
        false => context.ui.warn(&problem),
    };
    match &plan {
        // A C driver is one function; there is no class to edit.
        Ok(plan) if plan.language == Language::C => {}
        Ok(plan) => match generate::unit(&session.model, &session.hierarchy, plan, &[], false) {
            Ok(generated) => {
                let utility = generated.files.into_iter().find(|(name, _)| name == "TestUtil.hpp");
                files.extend(utility.map(|(_, text)| (format!("{slug}.hpp").into(), stamp(&text, "//"))));
            }
            Err(why) => say(no_utility(function, &why)),
        },
        Err(reason) => say(no_utility(function, &reason.what)),
    }
    let stub = stub::text(session, function, plan.as_ref());
    files.push((format!("{slug}.yaml").into(), stamp(&stub, "#")));
    files
}

fn no_utility(function: &Function, why: &str) -> Problem {
    let what = format!("`{}` has no utility class: {why}", function.id);
    Problem::usage("unit-unplannable", what, "an override may help; its stub lists what can be said")
}

fn fate(path: &Path, text: &str) -> anyhow::Result<Fate> {
    let old = match std::fs::read_to_string(path) {
        Ok(old) => old,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Fate::Write),
        Err(error) => return Err(unusable(path, &error).into()),
    };
    let new = text.split_once('\n').map_or("", |(_, text)| text);
    Ok(match state(&old) {
        State::AsGenerated if old.replace("\r\n", "\n") == text => Fate::Keep,
        State::AsGenerated => Fate::Update,
        State::Edited if generated_digest(&old).is_some_and(|was| was != digest(new)) => Fate::Moved,
        State::Edited => Fate::Edited,
    })
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let put = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        // Whole or not at all: an interruption leaves no half a file.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o644))?;
        file.persist(path)?;
        Ok(())
    };
    put().map_err(|error| unusable(path, &error).into())
}

fn unusable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage("scaffold-file", error.to_string(), "check the file's permissions").at(path)
}

fn tell(context: &Context, path: &Path, fate: Fate, check: bool) {
    let shown = crate::context::shown(&context.root, path);
    match (fate, check) {
        (Fate::Write, false) => context.ui.note(format_args!("wrote {shown}")),
        (Fate::Update, false) => context.ui.note(format_args!("updated {shown}")),
        (Fate::Write, true) => context.ui.note(format_args!("{shown} is missing")),
        (Fate::Update, true) => context.ui.note(format_args!("{shown} differs from what would be generated")),
        (Fate::Keep, _) => context.ui.detail(format_args!("{shown} is up to date")),
        (Fate::Edited, _) => context.ui.note(format_args!("{shown} is edited, kept")),
        (Fate::Moved, _) => context
            .ui
            .note(format_args!("{shown} is edited, kept; the code has moved since: see whether the edit still fits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/a.hpp");
        let first = stamp("class A {};\n", "//");
        assert_eq!(fate(&path, &first).unwrap(), Fate::Write);
        write(&path, &first).unwrap();
        assert_eq!(fate(&path, &first).unwrap(), Fate::Keep);
        let second = stamp("class A { int b; };\n", "//");
        assert_eq!(fate(&path, &second).unwrap(), Fate::Update);
        std::fs::write(&path, first.replace("{}", "{ int mine; }")).unwrap();
        assert_eq!(fate(&path, &first).unwrap(), Fate::Edited);
        assert_eq!(fate(&path, &second).unwrap(), Fate::Moved);
        std::fs::write(&path, "class Mine;\n").unwrap();
        assert_eq!(fate(&path, &second).unwrap(), Fate::Edited);
    }
}
