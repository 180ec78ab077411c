//! `outcomes.json`: written whole or not at all, and read again.

use super::changes::Change;
use super::list;
use super::view::View;
use crate::diag::Problem;
use crate::outcome::Outcome;
use anyhow::Result;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The schema that this version writes and reads.
pub const SCHEMA: u32 = 1;

/// Where the outcome is stored in the output folder.
pub fn path(output: &Path) -> PathBuf {
    output.join("outcomes.json")
}

/// The outcome as text.
pub fn render(outcome: &Outcome) -> Result<String> {
    Ok(serde_json::to_string_pretty(outcome)? + "\n")
}

/// The outcome, with `changes` where it is compared with another one: ids of each kind, those that are gone as they
/// were there.
pub fn report(view: &View) -> Result<String> {
    let Some(changes) = &view.changes else { return render(view.outcome) };
    let mut value = serde_json::to_value(view.outcome)?;
    for change in Change::ALL {
        let ids = view.outcome.mutants.iter().filter(|mutant| changes.of(mutant) == Some(change));
        value["changes"][change.name()] = ids.map(|mutant| mutant.id.as_str()).collect();
    }
    value["changes"]["gone"] = changes.gone.iter().map(|mutant| mutant.id.as_str()).collect();
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

/// Stores the outcome in the output folder; a reader never sees half of it.
pub fn write(outcome: &Outcome, output: &Path) -> Result<PathBuf> {
    let to = path(output);
    write_whole(&to, render(outcome)?.as_bytes())?;
    Ok(to)
}

/// Writes a file beside its destination and renames it: a reader never sees half of it.
///
/// # Errors
///
/// It cannot be written.
pub fn write_whole(to: &Path, bytes: &[u8]) -> Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut draft = tempfile::Builder::new().prefix(".draft-").tempfile_in(folder)?;
        draft.write_all(bytes)?;
        // Temporary files are private to their owner, but everyone who can enter the folder may read a report.
        #[cfg(unix)]
        draft.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
        draft.persist(to).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| {
        let fix = "make the folder writable, or give another with -o";
        Problem::usage("output-unwritable", error.to_string(), fix).at(to).into()
    })
}

/// The outcome that is stored in `output`; the list of `mutate` if there is none.
///
/// # Errors
///
/// There is neither, or it cannot be understood.
pub fn read(output: &Path) -> Result<Outcome> {
    let (path, list) = (path(output), output.join(list::FILE_NAME));
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    // `None` is before every time.
    read_file(if time(&list) > time(&path) { &list } else { &path })
}

/// The outcome in a file, or in an output folder.
///
/// # Errors
///
/// It is not there, was cut off, was written by another version, or is something else.
pub fn read_file(path: &Path) -> Result<Outcome> {
    if path.is_dir() {
        return read(path);
    }
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Problem::usage(
            "outcome-missing",
            "there is no stored outcome",
            "run `motif-cpp fuzz` first, or give its folder with -o",
        )
        .at(path),
        _ => Problem::usage("outcome-unreadable", error.to_string(), "check that the file can be read").at(path),
    })?;
    let problem = |code, what: String, fix: &str| Problem::usage(code, what, fix).at(path);
    let broken = |error: serde_json::Error| {
        let line = error.line() as u32;
        if error.is_eof() {
            let what = format!("the file ends in the middle: {error}");
            return problem("outcome-broken", what, "get the whole file, or run `motif-cpp fuzz` again").line(line);
        }
        let fix = "it is no outcome of motif-cpp, or was changed by hand: run `motif-cpp fuzz` again";
        problem("outcome-broken", error.to_string(), fix).line(line)
    };
    let value: serde_json::Value = serde_json::from_str(&text).map_err(broken)?;
    let schema = value.get("schema").and_then(serde_json::Value::as_u64).unwrap_or(u64::from(SCHEMA));
    if schema != u64::from(SCHEMA) {
        let what = format!("the outcome has schema {schema}; this version reads {SCHEMA}");
        let fix = match schema > u64::from(SCHEMA) {
            true => "a newer motif-cpp wrote it: use that version, or make it again with this one",
            false => "an older motif-cpp wrote it: use that version, or make it again with this one",
        };
        return Err(problem("outcome-schema", what, fix).into());
    }
    let is_list = value.get("summary").is_none() && value.get("mutants").is_some();
    Ok(if is_list { list::outcome(&text) } else { serde_json::from_str(&text) }.map_err(broken)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = sample::outcome();
        write(&outcome, folder.path()).unwrap();
        assert_eq!(read(folder.path()).unwrap(), outcome);
        // No temporary file is left.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_outcome_of_before_fingerprints_is_still_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut value: serde_json::Value = serde_json::from_str(&render(&sample::outcome()).unwrap()).unwrap();
        let mut drop = |of: &str, names: &[&str]| {
            let object = value.pointer_mut(of).unwrap().as_object_mut().unwrap();
            names.iter().for_each(|name| assert!(object.shift_remove(*name).is_some(), "{name}"));
        };
        drop("", &["tests"]);
        drop("/mutants/0", &["equivalence", "fingerprint", "suite", "new", "dismissed"]);
        drop("/summary", &["suite_score", "combined_score", "dismissed", "equal_within_bound"]);
        fs::write(path(folder.path()), value.to_string()).unwrap();
        assert_eq!(read(folder.path()).unwrap().mutants[0].fingerprint, "");
    }

    #[test]
    fn a_missing_a_broken_and_a_foreign_outcome_each_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let code = || read(folder.path()).unwrap_err().downcast::<Problem>().unwrap().code;
        assert_eq!(code(), "outcome-missing");
        fs::write(path(folder.path()), "{").unwrap();
        assert_eq!(code(), "outcome-broken");
        fs::write(path(folder.path()), r#"{"schema": 2}"#).unwrap();
        assert_eq!(code(), "outcome-schema");
    }

    #[test]
    fn the_keys_are_those_of_the_contract() {
        let value: serde_json::Value = serde_json::from_str(&render(&sample::outcome()).unwrap()).unwrap();
        let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let has = |value: &serde_json::Value, names: &[&str]| {
            let keys = keys(value);
            names.iter().for_each(|name| assert!(keys.iter().any(|k| k == name), "{name} in {keys:?}"));
        };
        let contract = [
            "schema",
            "tool",
            "seed",
            "engine",
            "started",
            "wall_seconds",
            "cpu_seconds",
            "units",
            "mutants",
            "tests",
            "summary",
        ];
        has(&value, &contract);
        has(&value["units"][0], &["id", "file", "line", "kind", "driver", "copy", "reason"]);
        has(&value["mutants"][0], &["id", "file", "line", "operator", "unit", "status", "reason", "kill", "effort"]);
        has(&value["mutants"][0], &["equivalence", "fingerprint", "suite", "new", "dismissed"]);
        has(&value["tests"][0], &["file", "name", "unit", "kills", "verified", "access", "adoptable"]);
        let kill = ["how", "by", "input", "seconds", "cpu_seconds", "executions", "test", "verified"];
        has(&value["mutants"][0]["kill"], &kill);
        has(
            &value["mutants"][0]["effort"],
            &["seconds", "cpu_seconds", "executions", "returned", "reached", "infected"],
        );
        has(&value["summary"], &["killed", "live", "no_driver", "baseline_failed", "score"]);
        has(&value["summary"], &["suite_score", "combined_score", "dismissed", "equal_within_bound"]);
    }
}
