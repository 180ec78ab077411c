//! A new test is compiled as its neighbours are before it is adopted. What only their flags refuse gets options of its
//! own; what does not compile at all is not adopted.

use crate::build::standard;
use crate::compdb::CompileCommand;
use crate::model::Language;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Warnings are no errors.
const NO_ERRORS: &str = "-Wno-error";

/// The options that a file needs beside those of a neighbour. A compiler that can not be run refuses nothing.
///
/// # Errors
///
/// It compiles with none: the compiler's first error.
pub fn options(neighbour: &CompileCommand, folder: &Path, text: &str, given: &[&str]) -> Result<Vec<String>, String> {
    let mut ways = vec![Vec::new(), vec![NO_ERRORS.to_owned()]];
    let own = standard(neighbour, false);
    let newer = standard(neighbour, true).filter(|newer| own.as_ref() != Some(newer));
    ways.extend(newer.map(|newer| vec![format!("-std={newer}"), NO_ERRORS.to_owned()]));
    let mut first = String::new();
    for way in ways {
        let more: Vec<&str> = given.iter().copied().chain(way.iter().map(String::as_str)).collect();
        match refused(neighbour, folder, text, &more) {
            Some(error) if first.is_empty() => first = error,
            Some(_) => {}
            None => return Ok(way),
        }
    }
    Err(first)
}

/// What a compiler says against a text in `folder`.
fn refused(neighbour: &CompileCommand, folder: &Path, text: &str, more: &[&str]) -> Option<String> {
    let language = if neighbour.language == Language::C { "c" } else { "c++" };
    let mut child = Command::new(&neighbour.compiler)
        // (The text's own folder is looked in first, as for a file that stands there.)
        .arg("-iquote")
        .arg(folder)
        .args(&neighbour.args)
        .args(more)
        .args(["-fsyntax-only", "-x", language, "-"])
        .current_dir(&neighbour.directory)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    // From a thread of its own: the compiler may complain before it has read everything.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let done = child.wait_with_output().ok()?;
    let _ = writer.join();
    let said = String::from_utf8_lossy(&done.stderr);
    let error = said.lines().find_map(|line| line.split_once("error: ").map(|(_, error)| error.to_owned()));
    (!done.status.success()).then(|| error.unwrap_or_else(|| "the compiler ends without an error".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(text: &str, args: &[&str]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("unit.h"), "static int used(void) { return 1; }\n").unwrap();
        let neighbour = CompileCommand {
            directory: "/".into(),
            file: "/t/a.c".into(),
            language: Language::C,
            compiler: "cc".into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            std: None,
        };
        options(&neighbour, folder.path(), text, &[])
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
}
