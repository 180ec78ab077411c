//! Programs whose answers are known: asked once of each version on each machine, before anything is believed.

use super::query::{Checks, Failure, Query, Said, ask};
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// CPU seconds for each of them.
const TIME: Duration = Duration::from_secs(20);

/// A program and its answer.
struct Canary {
    name: &'static str,
    text: &'static str,
    holds: bool,
    /// Loops have to end within the rounds.
    closes: bool,
}

macro_rules! canaries {
    ($($name:literal $holds:literal $closes:literal,)*) => {
        &[$(Canary {
            name: $name, text: include_str!(concat!("canaries/", $name)), holds: $holds, closes: $closes
        }),*]
    };
}

/// Which of them hold, and whether loops are to end; what does not hold must be told as such.
const ALL: &[Canary] = canaries! {
    "bits_of_floats_hold.c" true true,
    "rounding_holds.c" true true,
    "integers_hold.c" true true,
    "memory_holds.c" true true,
    "payload_of_nan_shows.c" false true,
    "sign_of_nought_shows.c" false true,
    "subnormal_shows.c" false true,
    "wrapped_integer_shows.c" false true,
    "one_value_of_many_shows.c" false true,
    "last_element_shows.c" false true,
    "written_behind_array_shows.c" false true,
    "shift_by_width_shows.c" false true,
    "longer_loop_shows.c" false true,
    "through_pointers_to_functions_shows.c" false true,
    "failing_assertion_shows.c" false true,
    "virtual_functions_hold.cpp" true true,
    "virtual_functions_show.cpp" false true,
    "vectors_hold.cpp" true true,
    "vectors_show.cpp" false true,
    "strings_hold.cpp" true true,
    "strings_show.cpp" false true,
};

/// Asks them all, unless `folder` says that this program has answered them before; gives what it got wrong.
///
/// # Errors
/// It can't be started, or the folder not be written.
pub fn wrong(program: &Path, version: &str, folder: &Path) -> Result<Vec<String>> {
    let known = folder.join(format!("known-{}", key(program, version)?));
    if let Ok(text) = std::fs::read_to_string(&known) {
        return Ok(text.lines().map(str::to_owned).collect());
    }
    let own = tempfile::tempdir_in(folder).context("making a folder for the solver")?;
    let mut wrong = Vec::new();
    for canary in ALL {
        let file = own.path().join(format!("canary-{}", canary.name));
        std::fs::write(&file, canary.text)?;
        let files = [file];
        let query = Query {
            files: &files,
            options: &[],
            unwind: 12,
            own_unwind: 12,
            closes: canary.closes,
            checks: Checks::All,
            time: TIME,
            of: TIME,
        };
        let answer = ask(program, &query, own.path())?;
        let right = match (&answer.said, canary.holds) {
            (Said::Holds, holds) => holds,
            (Said::Fails(..), holds) => !holds,
            (Said::Nothing(_), _) => false,
        };
        if !right {
            let said = match answer.said {
                Said::Holds => "holds".to_owned(),
                Said::Fails(Failure::Asked, _) => "does not hold".to_owned(),
                Said::Fails(Failure::Other(what), _) => what,
                Said::Fails(failure, _) => format!("{failure:?}"),
                Said::Nothing(why) => why,
            };
            wrong.push(format!("{}: {said}", canary.name));
        }
    }
    let mut text = String::new();
    for line in &wrong {
        let _ = writeln!(text, "{}", line.replace('\n', " "));
    }
    let draft = tempfile::NamedTempFile::new_in(folder)?;
    std::fs::write(draft.path(), text)?;
    draft.persist(&known).context("writing down what the solver got right")?;
    Ok(wrong)
}

/// The program by its size, time and version, and the canaries.
fn key(program: &Path, version: &str) -> Result<String> {
    use std::os::unix::fs::MetadataExt;
    let about = std::fs::metadata(program).with_context(|| format!("looking at {}", program.display()))?;
    let mut hash = Sha256::new();
    hash.update(format!("{} {version} {} {}\n", program.display(), about.size(), about.mtime_nsec() + about.mtime()));
    for canary in ALL {
        hash.update(canary.text);
        hash.update([u8::from(canary.holds), u8::from(canary.closes)]);
    }
    Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}
