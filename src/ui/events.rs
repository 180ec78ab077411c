//! `--json-events`: what happens in a run, as one JSON object a line on standard output, for programs that show it.

use crate::diag::Problem;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

/// One line on standard output. Fields may be added; what a reader does not know it leaves out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Line {
    /// Seconds since the command was started.
    pub seconds: f64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The command has begun.
    Begin {
        /// `motif-cpp X.Y.Z`.
        tool: String,
    },
    /// A stage has begun: `reading`, `mutating`, `building`, `searching`, `proving` and others.
    Stage {
        /// Its name.
        stage: String,
        /// Its steps; 0 where nobody knows.
        total: usize,
    },
    /// A step of a stage is done, or five seconds have passed without one.
    Progress {
        /// The stage.
        stage: String,
        /// Steps that are done.
        done: usize,
        /// All of its steps.
        total: usize,
        /// The last step.
        what: String,
        /// How long the rest of the stage may take, in seconds; null where nobody knows.
        left_seconds: Option<f64>,
    },
    /// A stage has ended.
    StageEnd {
        /// Its name.
        stage: String,
        /// Steps that were done.
        done: usize,
        /// How long it took, in seconds.
        took_seconds: f64,
    },
    /// A mutant is killed; its test is still to be proved.
    Kill {
        /// Its id.
        mutant: String,
        /// The unit's id.
        unit: String,
        /// How many have been killed in this run.
        kills: usize,
    },
    /// What is said on standard error too.
    Message {
        /// `note`, `warning` or `error`.
        level: &'static str,
        /// The problem's code; null for notes.
        code: Option<&'static str>,
        /// The file that it is about.
        file: Option<PathBuf>,
        /// The line in the file.
        line: Option<u32>,
        /// What is said.
        text: String,
        /// What to do about it; empty where nothing is said.
        help: String,
    },
    /// What the command writes to standard output without this option: its result, a summary, a report.
    Output {
        /// The text.
        text: String,
    },
    /// The command is done: always the last line.
    End {
        /// Its exit code.
        exit: u8,
    },
}

/// When the stream began, where there is one.
static BEGUN: OnceLock<Instant> = OnceLock::new();

/// Begins the stream of this process.
pub fn begin() {
    if BEGUN.set(Instant::now()).is_ok() {
        emit(|| Event::Begin { tool: format!("motif-cpp {}", env!("CARGO_PKG_VERSION")) });
    }
}

/// Whether there is a stream.
pub fn are_on() -> bool {
    BEGUN.get().is_some()
}

/// Writes an event, where there is a stream.
pub fn emit(event: impl FnOnce() -> Event) {
    let Some(begun) = BEGUN.get() else { return };
    let line = Line { seconds: (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0, event: event() };
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    text.push('\n');
    let mut out = std::io::stdout().lock();
    // Nobody is left to tell when the reader is gone.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes what is said of a problem.
pub fn problem(level: &'static str, problem: &Problem) {
    emit(|| Event::Message {
        level,
        code: Some(problem.code),
        file: problem.file.clone(),
        line: problem.line,
        text: problem.what.clone(),
        help: problem.fix.clone(),
    });
}

/// Writes a note, or another text without a code.
pub fn text(level: &'static str, text: &str) {
    let text = text.to_owned();
    emit(|| Event::Message { level, code: None, file: None, line: None, text, help: String::new() });
}

/// The JSON Schema of a line.
pub fn schema() -> serde_json::Value {
    serde_json::to_value(schemars::schema_for!(Line)).unwrap_or_default()
}
