//! Finds mutants that keep a schema from compiling, before anything is built.

use super::cmake::replace_path;
use super::schema::Text;
use crate::build::run;
use crate::compdb::{CompileCommand, Family};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The time limit per file, which may have thousands of mutants.
const LIMIT: Duration = Duration::from_secs(600);

/// The place of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub file: PathBuf,
    pub line: u32,
    pub text: String,
    /// Places of instantiation that led there.
    via: Vec<(PathBuf, u32)>,
}

/// The compiler's output about one translation unit.
pub(super) struct Checked {
    pub messages: Vec<Message>,
    pub passed: bool,
    pub cpu_seconds: f64,
}

/// Runs the project's compiler on one file of the copy, as on the original.
pub(super) fn syntax(
    command: &CompileCommand,
    moves: &[(PathBuf, PathBuf)],
    interrupted: &AtomicBool,
) -> std::io::Result<Checked> {
    let moved = |text: &str| moves.iter().fold(text.to_owned(), |text, (from, to)| replace_path(&text, from, to));
    let folder = PathBuf::from(moved(&command.directory.display().to_string()));
    let mut compiler = Command::new(&command.compiler);
    compiler.current_dir(&folder).args(command.args.iter().map(|arg| moved(arg)));
    compiler.args(["-fsyntax-only", "-w"]).env("LC_ALL", "C");
    compiler.arg(match command.family() {
        Family::Clang => "-ferror-limit=0",
        Family::Gcc => "-fmax-errors=0",
    });
    compiler.arg(moved(&command.file.display().to_string()));
    let done = run::run(&mut compiler, LIMIT, interrupted)?;
    let passed = done.success();
    Ok(Checked { messages: messages(&done.stderr, &folder), passed, cpu_seconds: done.cpu_seconds })
}

/// The errors in the output of a compiler or build tool.
pub(super) fn messages(log: &str, folder: &Path) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    // GCC prints the context before an error, clang after it.
    let mut before = Vec::new();
    for line in log.lines() {
        let Some((file, number, rest)) = place(line) else { continue };
        let file = folder.join(file);
        let file = file.canonicalize().unwrap_or(file);
        let text = rest.strip_prefix("error: ").or_else(|| rest.strip_prefix("fatal error: "));
        if let Some(text) = text {
            let via = std::mem::take(&mut before);
            found.push(Message { file, line: number, text: text.to_owned(), via });
        } else if rest.trim_start().starts_with("required from") {
            before.push((file, number));
        } else if rest.starts_with("note: in instantiation")
            && let Some(last) = found.last_mut()
        {
            last.via.push((file, number));
        }
    }
    found
}

/// `FILE:LINE:COLUMN: rest` or `FILE:LINE: rest`.
fn place(line: &str) -> Option<(&str, u32, &str)> {
    let (place, rest) = line.split_once(": ")?;
    let (head, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match head.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Some((file, line, rest)),
        None => Some((head, last, rest)),
    }
}

/// The groups of mutants that the messages are about, and the other messages.
pub(super) fn blame<'t>(
    messages: &'t [Message],
    texts: &'t BTreeMap<PathBuf, Text>,
) -> (Vec<&'t [usize]>, Vec<&'t Message>) {
    let (mut groups, mut unexplained) = (Vec::new(), Vec::new());
    for message in messages {
        let places = std::iter::once((&message.file, message.line)).chain(message.via.iter().map(|(f, l)| (f, *l)));
        let about = places.filter_map(|(file, line)| texts.get(file).map(|text| text.about(line)));
        match about.into_iter().find(|about| !about.is_empty()) {
            Some(about) => groups.push(about),
            None => unexplained.push(message),
        }
    }
    groups.sort();
    groups.dedup();
    (groups, unexplained)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_with_the_places_that_led_to_them() {
        let log = "In file included from x\n\
                   /c/a.hpp:7:3:   required from 'T f(T) [with T = int]'\n\
                   /c/b.cpp:9:5: error: no match\n\
                   /c/b.cpp:9:5: note: candidate\n\
                   d.cpp:3:1: error: bad\n/c/e.cpp:4:2: note: in instantiation of f\n\
                   ninja: error: stopped\n";
        let found = messages(log, Path::new("/c"));
        let short: Vec<_> =
            found.iter().map(|m| (m.file.to_str().unwrap(), m.line, m.text.as_str(), m.via.len())).collect();
        assert_eq!(short, [("/c/b.cpp", 9, "no match", 1), ("/c/d.cpp", 3, "bad", 1)]);
        assert_eq!(found[1].via[0], (PathBuf::from("/c/e.cpp"), 4));
    }
}
