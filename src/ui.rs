//! Messages to the user: problems, notes and progress on standard error; standard output is for results.

pub mod events;
mod progress;

pub use progress::Stage;

use crate::choices::Color;
use crate::diag::Problem;
use crate::options::Talk;
use indicatif::MultiProgress;
use progress::Board;
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The one place that writes to standard error.
pub struct Ui {
    talk: Talk,
    color: bool,
    board: Arc<Board>,
    /// The root; paths below it are printed relative to it.
    root: PathBuf,
}

/// How a word is highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tone {
    Error,
    Warning,
    Good,
    Dim,
    Strong,
}

impl Ui {
    /// For a project at `root`; colours and bars depend on the terminal and on the options.
    pub fn new(talk: Talk, root: impl Into<PathBuf>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let color = use_color(talk.color, terminal);
        let bars = (terminal && !talk.quiet && term_is_capable()).then(MultiProgress::new);
        Self { talk, color, board: Board::new(talk.quiet, talk.verbose, bars), root: root.into() }
    }

    /// Whether standard output is coloured.
    pub fn colors_output(&self) -> bool {
        use_color(self.talk.color, std::io::stdout().is_terminal())
    }

    /// `text` in the tone's colour, if standard error has colours.
    pub fn paint(&self, tone: Tone, text: impl Display) -> String {
        paint(self.color, tone, text)
    }

    /// Prints a note unless quiet.
    pub fn note(&self, text: impl Display) {
        let text = text.to_string();
        events::text("note", &text);
        if !self.talk.quiet {
            self.line(&text);
        }
    }

    /// Prints a detail if verbose.
    pub fn detail(&self, text: impl Display) {
        if self.talk.verbose {
            self.line(&self.paint(Tone::Dim, text));
        }
    }

    /// Prints a problem that affects a part of the run.
    pub fn warn(&self, problem: &Problem) {
        events::problem("warning", problem);
        self.line(&self.problem(Tone::Warning, "warning", problem));
    }

    /// Prints a problem that ends the run.
    pub fn error(&self, problem: &Problem) {
        events::problem("error", problem);
        self.line(&self.problem(Tone::Error, "error", problem));
    }

    /// Prints a failure that has no code.
    pub fn failure(&self, text: impl Display) {
        events::text("error", &text.to_string());
        self.line(&format!("{}: {text}", self.paint(Tone::Error, "error")));
    }

    fn problem(&self, tone: Tone, word: &str, problem: &Problem) -> String {
        let mut text = format!("{}: ", self.paint(tone, format_args!("{word}[{}]", problem.code)));
        if let Some(file) = &problem.file {
            text += &printable(&shown(&self.root, file).to_string());
            if let Some(line) = problem.line {
                text += &format!(":{line}");
            }
            text += ": ";
        }
        text += &printable(&problem.what);
        if !problem.fix.is_empty() {
            text += &format!("\n  {} {}", self.paint(Tone::Strong, "= help:"), printable(&problem.fix));
        }
        text
    }

    fn line(&self, text: &str) {
        self.board.line(text);
    }

    /// Begins a stage of `total` steps, 0 where nobody knows: a bar on a terminal, plain lines elsewhere.
    pub fn stage(&self, name: &str, total: usize) -> Stage {
        self.board.begin(name, total)
    }

    /// Counts a mutant that was killed.
    pub fn killed(&self, mutant: &str, unit: &str) {
        self.board.killed(mutant, unit);
    }
}

/// Colours `text` if `color` is set.
pub fn paint(color: bool, tone: Tone, text: impl Display) -> String {
    let code = match tone {
        Tone::Error => "1;31",
        Tone::Warning => "1;33",
        Tone::Good => "32",
        Tone::Dim => "2",
        Tone::Strong => "1",
    };
    if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
}

/// File names and source text are data: control characters in them must not reach the terminal.
pub fn printable(text: &str) -> String {
    let harmless = |c: char| !c.is_control() || c == '\n' || c == '\t';
    text.chars().map(|c| if harmless(c) { c } else { '\u{fffd}' }).collect()
}

fn term_is_capable() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// `auto` honours <https://no-color.org> and dumb terminals.
fn use_color(color: Color, terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && term_is_capable() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}

/// `path` as seen from `root`, for the user.
pub fn shown<'p>(root: &Path, path: &'p Path) -> std::path::Display<'p> {
    match path.strip_prefix(root).unwrap_or(path) {
        same if same.as_os_str().is_empty() => Path::new(".").display(),
        below => below.display(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ui(color: Color) -> Ui {
        Ui::new(Talk { color, ..Talk::default() }, "/project")
    }

    #[test]
    fn a_problem_is_shown_with_a_path_relative_to_the_project() {
        let problem =
            Problem::usage("config-invalid", "unknown key `x`", "known: `y`").at("/project/motif.yaml").line(3);
        let text = ui(Color::Never).problem(Tone::Error, "error", &problem);
        assert_eq!(text, "error[config-invalid]: motif.yaml:3: unknown key `x`\n  = help: known: `y`");
    }

    #[test]
    fn the_project_itself_is_shown_as_a_point() {
        let text = ui(Color::Never).problem(Tone::Error, "error", &Problem::usage("a", "b", "").at("/project"));
        assert_eq!(text, "error[a]: .: b");
    }

    #[test]
    fn colours_are_used_when_asked_for() {
        assert_eq!(ui(Color::Always).paint(Tone::Good, "ok"), "\x1b[32mok\x1b[0m");
        assert_eq!(ui(Color::Never).paint(Tone::Good, "ok"), "ok");
    }

    #[test]
    fn escape_sequences_in_names_do_not_reach_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb"), "a\u{fffd}[2Jb");
    }
}
