//! Calls the linker directly, with the arguments that the compiler driver would pass, asked once, and with a faster
//! linker if there is one. A third of the cost of linking a small driver is the start of a compiler that only starts
//! a linker.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Placeholder for the output.
const OUT: &str = "motif-linked";
/// The driver hands the word behind it to the linker as it is.
const PASSED: &str = "-Xlinker";

/// A linker with its arguments.
#[derive(Debug)]
pub(super) struct FastLinker {
    program: PathBuf,
    /// Placeholder for the objects; the file must exist.
    objects: PathBuf,
    /// The linker's arguments by the compiler's; `None` if they are unknown.
    lines: Mutex<HashMap<Vec<OsString>, Option<Vec<OsString>>>>,
}

impl FastLinker {
    /// `objects` is an empty file that stands for the objects.
    pub fn new(program: PathBuf, objects: PathBuf) -> Self {
        Self { program, objects, lines: Mutex::default() }
    }

    /// The linker.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The command that links `objects` (and archives) into `out`, as `driver` would with `before` and `behind`
    /// around them; `None` if the driver does not tell.
    pub fn command(
        &self,
        driver: &Path,
        before: &[OsString],
        objects: &[&Path],
        behind: &[OsString],
        out: &Path,
    ) -> Option<Command> {
        let mut words: Vec<OsString> = vec![driver.into(), "-###".into()];
        // A word that is passed on differs from link to link (the file of a map), and the driver does not look at it.
        let mut passed: HashMap<OsString, &OsString> = HashMap::new();
        let around = before.iter().map(Some).chain([None]).chain(behind.iter().map(Some));
        for word in around {
            match word {
                Some(word) if words.last().is_some_and(|last| last == PASSED) => {
                    let stands_for = OsString::from(format!("motif-passed-{}", passed.len()));
                    passed.insert(stands_for.clone(), word);
                    words.push(stands_for);
                }
                Some(word) => words.push(word.clone()),
                None => words.push(self.objects.clone().into()),
            }
        }
        words.extend(["-o".into(), OUT.into()]);
        let mut lines = self.lines.lock().unwrap_or_else(|p| p.into_inner());
        let line = lines.entry(words).or_insert_with_key(|words| asked(words)).as_ref()?;
        let mut command = Command::new(&self.program);
        if self.program.file_name().is_some_and(|name| name.to_string_lossy().contains("lld")) {
            // Threads cost more than they gain on a small link.
            command.arg("--threads=1");
        }
        for word in line {
            if word == self.objects.as_os_str() {
                command.args(objects);
            } else if word == OUT {
                command.arg(out);
            } else {
                command.arg(passed.get(word).copied().unwrap_or(word));
            }
        }
        Some(command)
    }
}

/// The linker's arguments, as the driver prints them.
fn asked(words: &[OsString]) -> Option<Vec<OsString>> {
    let done =
        Command::new(&words[0]).args(&words[1..]).env("LC_ALL", "C").output().ok().filter(|o| o.status.success())?;
    linker_line(&String::from_utf8_lossy(&done.stderr))
}

/// The last command that `-###` prints, if it is a linker.
fn linker_line(printed: &str) -> Option<Vec<OsString>> {
    let line = printed.lines().rev().find(|line| line.trim_start().starts_with('"'))?;
    let words = shell_words::split(line).ok()?;
    let (program, rest) = words.split_first()?;
    let name = Path::new(program).file_name().and_then(OsStr::to_str)?;
    let is_linker = name == "ld" || name.starts_with("ld.") || name.ends_with("-ld");
    (is_linker && rest.iter().any(|word| word == OUT)).then(|| rest.iter().map(OsString::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_to_the_linker_differs_from_link_to_link_and_the_driver_is_asked_once() {
        let folder = tempfile::tempdir().unwrap();
        let objects = folder.path().join("objects.o");
        std::fs::write(&objects, "").unwrap();
        let linker = FastLinker::new("/bin/ld".into(), objects);
        let arguments = |map: &str| {
            let before = ["-Xlinker".into(), OsString::from(map), "-shared".into()];
            let (object, out) = (Path::new("a.o"), Path::new("b"));
            let command = linker.command(Path::new("clang"), &before, &[object], &["-lm".into()], out).unwrap();
            command.get_args().map(OsStr::to_owned).collect::<Vec<_>>()
        };
        let (first, second) = (arguments("-Map=1, 2"), arguments("-Map=3"));
        assert!(first.contains(&"-Map=1, 2".into()) && second.contains(&"-Map=3".into()), "{first:?}\n{second:?}");
        assert_eq!(linker.lines.lock().unwrap().len(), 1);
    }

    #[test]
    fn the_linkers_words_are_read_from_what_the_driver_would_do() {
        let printed = "clang version 19\nTarget: x\n \"/usr/bin/ld\" \"-shared\" \"-o\" \"motif-linked\" \"/a \
        \\\"b\\\"/c.o\" \"-lm\"\n";
        let words = linker_line(printed).unwrap();
        assert_eq!(words, ["-shared", "-o", "motif-linked", "/a \"b\"/c.o", "-lm"]);
        assert_eq!(linker_line("clang version 19\n \"/usr/bin/clang\" \"-cc1\" \"-o\" \"motif-linked\"\n"), None);
        assert_eq!(linker_line("error: no such file\n"), None);
    }
}
