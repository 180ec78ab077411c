//! Finds mutants that keep a schema from compiling, before anything is built.

use super::cmake::replace_path;
use super::schema::Text;
use crate::build::run;
use crate::compdb::{CompileCommand, DEFERS_BODIES, Family};
use crate::mutate::compiler_messages;
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

/// Runs the project's compiler on one file of the copy at `to`, as on the original at `from`.
pub(super) fn syntax(
    command: &CompileCommand,
    (from, to): (&Path, &Path),
    interrupted: &AtomicBool,
) -> std::io::Result<Checked> {
    let moved = |text: &str| replace_path(text, from, to);
    let folder = PathBuf::from(moved(&command.directory.display().to_string()));
    let mut compiler = Command::new(&command.compiler);
    // (That one is for clang, which the project's own build did not need.)
    let args = command.args.iter().filter(|arg| *arg != DEFERS_BODIES);
    compiler.current_dir(&folder).args(args.map(|arg| moved(arg)));
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
    for read in log.lines().filter_map(compiler_messages::Message::read) {
        let file = folder.join(read.file);
        let file = file.canonicalize().unwrap_or(file);
        if let Some(text) = read.error() {
            let via = std::mem::take(&mut before);
            found.push(Message { file, line: read.line, text: text.to_owned(), via });
        } else if read.text.trim_start().starts_with("required from") {
            before.push((file, read.line));
        } else if read.text.starts_with("note: in instantiation")
            && let Some(last) = found.last_mut()
        {
            last.via.push((file, read.line));
        }
    }
    found
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
