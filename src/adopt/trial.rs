//! A new test is compiled as its neighbours are before it is adopted. What only their flags refuse gets options of its
//! own; what does not compile at all is not adopted.

use crate::build::run::{self, Ended};
use crate::build::standard;
use crate::compdb::CompileCommand;
use crate::emit::project::{Flag, strict_flags};
use crate::model::Language;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A compiler that takes longer refuses the test.
const LIMIT: Duration = Duration::from_secs(120);

/// Warnings are no errors.
const NO_ERRORS: &str = "-Wno-error";

/// The options that a file needs beside those of a neighbour. A compiler that can not be run refuses nothing.
///
/// # Errors
///
/// It compiles with none: the compiler's first error.
pub fn options(
    neighbour: &CompileCommand,
    folder: &Path,
    text: (&str, Language),
    given: &[&str],
    interrupted: &AtomicBool,
) -> Result<Vec<String>, String> {
    let mut ways = vec![Vec::new(), vec![NO_ERRORS.to_owned()]];
    let own = standard(neighbour, false);
    let newer = standard(neighbour, true).filter(|newer| own.as_ref() != Some(newer));
    ways.extend(newer.map(|newer| vec![format!("-std={newer}"), NO_ERRORS.to_owned()]));
    let mut first = String::new();
    for way in ways {
        let more: Vec<&str> = given.iter().copied().chain(way.iter().map(String::as_str)).collect();
        match refused(neighbour, folder, text, &more, interrupted) {
            Some(error) if first.is_empty() => first = error,
            Some(_) => {}
            None => return Ok(way),
        }
    }
    Err(first)
}

/// What a compiler says against a text in `folder`. It runs in a folder of its own: flags may have it write more than
/// objects, beside the directory that it runs in.
fn refused(
    neighbour: &CompileCommand,
    folder: &Path,
    (text, language): (&str, Language),
    more: &[&str],
    interrupted: &AtomicBool,
) -> Option<String> {
    let scratch = tempfile::tempdir().ok()?;
    let (name, language) = if language == Language::C { ("test.c", "c") } else { ("test.cpp", "c++") };
    std::fs::write(scratch.path().join(name), text).ok()?;
    let mut command = Command::new(&neighbour.compiler);
    // (The text's own folder is looked in first, as for a file that stands there.)
    command.arg("-iquote").arg(folder);
    for flag in strict_flags(neighbour) {
        match flag {
            Flag::Plain(word) => command.arg(word),
            Flag::Pair(flag, word) => command.arg(flag).arg(word),
            Flag::Path { flag, path, apart: true } => command.arg(flag).arg(path),
            Flag::Path { flag, path, apart: false } => command.arg(format!("{flag}{}", path.display())),
        };
    }
    command.args(more).args(["-fsyntax-only", "-x", language, name]);
    command.current_dir(scratch.path()).env("LC_ALL", "C");
    let done = run::run(&mut command, LIMIT, interrupted).ok()?;
    let error = done.stderr.lines().find_map(|line| line.split_once("error: ").map(|(_, error)| error.to_owned()));
    match done.ended {
        Ended::Itself(status) if status.success() => None,
        Ended::Itself(_) => Some(error.unwrap_or_else(|| "the compiler ends without an error".to_owned())),
        Ended::TimedOut => Some(format!("the compiler takes longer than {} s", LIMIT.as_secs())),
        Ended::Interrupted => Some("interrupted".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(text: &str, args: &[&str]) -> Result<Vec<String>, String> {
        let (folder, build) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(folder.path().join("unit.h"), "static int used(void) { return 1; }\n").unwrap();
        std::fs::create_dir(build.path().join("made")).unwrap();
        std::fs::write(build.path().join("made/made.h"), "#define MADE 1\n").unwrap();
        let neighbour = CompileCommand {
            directory: build.path().into(),
            file: "/t/a.c".into(),
            language: Language::C,
            compiler: "cc".into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            std: None,
        };
        let done = options(&neighbour, folder.path(), (text, Language::C), &[], &AtomicBool::new(false));
        assert_eq!(std::fs::read_dir(build.path()).unwrap().count(), 1, "the build folder stays as it is");
        done
    }

    #[test]
    fn a_test_brings_options_for_what_only_the_flags_of_its_neighbours_refuse() {
        let late = "#include \"unit.h\"\nint main(void) { used(); int late = 0; return late; }\n";
        assert_eq!(tried(late, &["-std=c99", "-Wall", "-Werror"]), Ok(vec![]));
        let strict = ["-std=c89", "-pedantic", "-Werror"];
        assert_eq!(tried(late, &strict), Ok(vec!["-Wno-error".to_owned()]));
        let newer = "int main(void) { for (int i = 0; i < 1; i++) {} return 0; }\n";
        assert_eq!(tried(newer, &strict), Ok(vec!["-std=c99".to_owned(), "-Wno-error".to_owned()]));
        let error = tried("int main(void) { return nowhere; }\n", &strict).unwrap_err();
        assert!(error.contains("nowhere"), "{error}");
    }

    #[test]
    fn a_trial_leaves_nothing_in_the_build_folder_whose_headers_it_sees() {
        let text = "#include \"unit.h\"\n#include \"made.h\"\nint main(void) { return used() - MADE; }\n";
        let args = ["-Imade", "--coverage", "-fstack-usage", "-fcallgraph-info", "-save-temps", "-fdump-tree-all"];
        assert_eq!(tried(text, &args), Ok(vec![]));
    }
}
