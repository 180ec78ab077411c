//! The layout of tests as the project's `.clang-format` wants it, where `clang-format` is installed.

use crate::tools::Surroundings;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the style is in, from the root of the project.
const STYLES: [&str; 2] = [".clang-format", "_clang-format"];

/// The project's style, as the tool is told; the first that it knows is taken. The lines of a mutant's change, which
/// stand in comments, stay lines.
const STYLE: [&str; 2] = ["{BasedOnStyle: InheritParentConfig, ReflowComments: false}", "file"];

/// Lays out tests of one project.
pub(super) struct Formatter<'r> {
    tool: PathBuf,
    root: &'r Path,
}

impl<'r> Formatter<'r> {
    /// None where the project has no style, or there is no tool.
    pub(super) fn of(root: &'r Path) -> Option<Self> {
        let has_style = STYLES.iter().any(|style| root.join(style).is_file());
        let tool = has_style.then(|| Surroundings::of_process().find("clang-format")).flatten()?;
        Some(Self { tool, root })
    }

    /// The text in the project's style, or as it is where the tool refuses. What stands up to the last `#include`
    /// keeps its order: a framework may have to be the first or the last.
    pub(super) fn layout(&self, name: &str, text: &str) -> String {
        let laid_out = STYLE.iter().find_map(|style| self.run(style, name, text));
        laid_out.filter(|laid_out| !laid_out.trim().is_empty()).unwrap_or_else(|| text.to_owned())
    }

    fn run(&self, style: &str, name: &str, text: &str) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        let includes = lines.iter().rposition(|line| line.starts_with("#include")).map_or(0, |at| at + 1);
        let mut child = Command::new(&self.tool)
            .args([&format!("--style={style}"), "--fallback-style=none"])
            .arg(format!("--lines={}:{}", includes + 1, lines.len().max(includes + 1)))
            .arg(format!("--assume-filename={}", self.root.join(name).display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut input = child.stdin.take()?;
        let text = text.to_owned();
        // From a thread of its own: the tool may write before it has read everything.
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let done = child.wait_with_output().ok()?;
        writer.join().ok()?.ok()?;
        done.status.success().then(|| String::from_utf8(done.stdout).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_laid_out_as_the_project_wants_it_and_its_includes_stay_in_order() {
        let project = tempfile::tempdir().unwrap();
        assert!(Formatter::of(project.path()).is_none());
        let style =
            "BasedOnStyle: LLVM\nIndentWidth: 4\nBreakBeforeBraces: Allman\nAllowShortFunctionsOnASingleLine: None\n";
        std::fs::write(project.path().join(".clang-format"), style).unwrap();
        // (`make test` installs the tool.)
        let Some(formatter) = Formatter::of(project.path()) else { return };
        let change = format!("//   + return {};", "a_long_name + ".repeat(8));
        let text = |test: &str| format!("#include \"b.h\"\n#include \"a.h\"\n\n{change}\nTEST(A, b){test}");
        assert_eq!(formatter.layout("a_test.cpp", &text(" {\n  f();\n}\n")), text("\n{\n    f();\n}\n"));
    }
}
