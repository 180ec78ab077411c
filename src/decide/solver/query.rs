//! One run of the solver: its command line, its limits, and what its answer says.

use crate::supervise::{self, Confinement, Runs};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The condition that a program asserts; nothing else that holds is an answer.
pub const ASKED: &str = "motif: same";
/// No run gets to the condition: all have loops of more rounds.
pub const UNSEEN: &str = "it does not say that it looked at the question";
/// Conditions of the runtime: the input was too short, the record too small.
const INPUT: &str = "motif: input";
const ROOM: &str = "motif: room";
/// Stands before each variable of the system's C library; what it decides is none the less so.
const ANOTHER_LIBRARY: &str = "ERROR: conflicting definition for variable";
/// Bytes of memory of a run.
const MEMORY: u64 = 4 << 30;
/// Wall seconds for a CPU second: a machine may be busy.
const PATIENCE: u32 = 4;
/// The loops of the runtime (`runtime/motif_solver.h`), which are as long as what they work on.
const OWN_LOOPS: [&str; 10] = [
    "motif_any_input",
    "motif_number",
    "motif_take",
    "motif_take_array",
    "motif_allocate",
    "motif_take_cstring",
    "motif_value",
    "motif_text",
    "motif_behind",
    "motif_fill",
];

/// What is asked of the solver.
#[derive(Clone, Debug)]
pub struct Query<'q> {
    /// The program, and the project's other files that it calls.
    pub files: &'q [PathBuf],
    /// Options of the language: folders, macros, the standard.
    pub options: &'q [String],
    /// The rounds of a loop, and the depth of a recursion.
    pub unwind: u32,
    /// The rounds of the runtime's own loops.
    pub own_unwind: usize,
    /// Loops are to end within these rounds; else, longer runs are not looked at.
    pub closes: bool,
    /// What may not happen.
    pub checks: Checks,
    /// CPU time.
    pub time: Duration,
    /// What that is the rest of: all questions about a mutant together.
    pub of: Duration,
}

/// What may not happen, of what the language leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Anything may.
    None,
    /// No access to what is no object, and no division by nought.
    Memory,
    /// Nor shifts that are not defined.
    All,
}

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The one that was asked.
    Asked,
    /// A loop or a recursion goes on.
    Unwinding,
    /// The input may be longer than the program's.
    Input,
    /// The record is longer than the program has room for.
    Room,
    /// A sum or a shift is not defined, in the solver's words.
    Arithmetic(String),
    /// Something else, in the solver's words.
    Other(String),
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// It holds, as far as was looked.
    Holds,
    /// It does not, with the input.
    Fails(Failure, Vec<u8>),
    /// No answer: out of time or memory, a crash, words that are not understood.
    Nothing(String),
}

/// The answer and its cost.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub said: Said,
    /// Functions without a body that were called: their results were free, and their effects are missing.
    pub bodiless: BTreeSet<String>,
    /// CPU seconds.
    pub cpu_seconds: f64,
}

/// Runs the solver in `folder`, which is its own.
///
/// # Errors
/// It can't be started.
pub fn ask(program: &Path, query: &Query<'_>, folder: &Path) -> Result<Answer> {
    let mut command = Command::new(program);
    // Floating-point numbers are bits, so that unions and copies of bytes are seen through.
    command.args(query.options).args(query.files).args(["--fp2bv", "--bitwuzla", "--quiet", "--no-align-check"]);
    command.arg("--unwind").arg(query.unwind.to_string());
    let own: Vec<String> = OWN_LOOPS.iter().map(|name| format!("{name}:0:{}", query.own_unwind)).collect();
    command.arg("--unwindsetname").arg(own.join(","));
    if !query.closes {
        command.arg("--no-unwinding-assertions");
    }
    match query.checks {
        Checks::All => _ = command.arg("--ub-shift-check"),
        Checks::Memory => {}
        Checks::None => _ = command.args(["--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check"]),
    }
    let confinement = Confinement {
        time: Some(query.time),
        memory: Some(MEMORY),
        ..Confinement::new(Runs::Program, &folder.join("own"))?
    };
    let finished = supervise::run(&command, query.time * PATIENCE + Duration::from_secs(2), &confinement)?;
    let ended = finished.ended;
    let text = [finished.stdout, finished.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let (said, bodiless) = read(&text);
    let out_of_time = finished.timed_out || matches!(ended.signal, Some(libc::SIGXCPU | libc::SIGKILL));
    let said = match (ended.code, said) {
        _ if out_of_time => Said::Nothing(format!("no answer in {} s", query.of.as_secs_f64())),
        (Some(0), Said::Holds) => Said::Holds,
        (Some(1), said @ Said::Fails(..)) => said,
        (_, said @ Said::Nothing(_)) if ended.signal.is_none() => said,
        _ => {
            let how = match (ended.code, ended.signal) {
                (_, Some(signal)) => supervise::signal_name(signal),
                (code, None) => format!("exit code {}", code.unwrap_or(-1)),
            };
            Said::Nothing(format!("it ended with {how}"))
        }
    };
    Ok(Answer { said, bodiless, cpu_seconds: ended.cpu_seconds })
}

/// What the solver's output says, and which functions have no body.
fn read(text: &str) -> (Said, BTreeSet<String>) {
    let bodiless = text.lines().filter_map(|line| line.strip_prefix("WARNING: no body for function "));
    let bodiless = bodiless.map(|name| name.trim().to_owned()).collect();
    let verdict = text.lines().rev().find(|line| line.starts_with("VERIFICATION "));
    let said = match verdict.map(str::trim_end) {
        Some("VERIFICATION SUCCESSFUL") => {
            let told = results(text, "PASSED").any(|what| what == ASKED);
            if told { Said::Holds } else { Said::Nothing(UNSEEN.into()) }
        }
        Some("VERIFICATION FAILED") => failed(text),
        _ => {
            let is_error = |line: &&str| line.starts_with("ERROR") || line.contains(" error: ");
            // It has a C library of its own, and says of each program that it is another than the system's.
            let error = text.lines().filter(|line| !line.starts_with(ANOTHER_LIBRARY)).find(is_error);
            let error = error.map_or_else(|| "it gave no verdict".to_owned(), |line| line.trim().to_owned());
            Said::Nothing(error)
        }
    };
    (said, bodiless)
}

/// The conditions of the list at the end, of those with that result.
fn results<'t>(text: &'t str, result: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| {
        let rest = line.trim_start().strip_prefix(result)?.trim_start().strip_prefix('[')?;
        let rest = rest.split_once(']')?.1.trim_start().strip_prefix("line")?.trim_start();
        Some(rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim())
    })
}

fn failed(text: &str) -> Said {
    let all: Vec<&str> = results(text, "FAILED").collect();
    let has = |words: &str| all.iter().any(|what| what.contains(words));
    let failure = if all.contains(&ASKED) {
        Failure::Asked
    } else if has(ROOM) {
        Failure::Room
    } else if all.iter().all(|what| *what == INPUT) && !all.is_empty() {
        Failure::Input
    } else if has("unwinding assertion") {
        Failure::Unwinding
    } else if let Some(first) = all.iter().find(|what| !is_arithmetic(what)) {
        Failure::Other((*first).to_owned())
    } else if let Some(first) = all.first() {
        Failure::Arithmetic((*first).to_owned())
    } else {
        return Said::Nothing("it does not say what fails".into());
    };
    Said::Fails(failure, input(text))
}

fn is_arithmetic(what: &str) -> bool {
    what.starts_with("arithmetic overflow") || what.contains("on shift operation")
}

/// The bytes of the input in the solver's trace; what it does not tell is 0.
fn input(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text.lines() {
        let Some(rest) = line.trim_start().strip_prefix("motif_byte[") else { continue };
        let Some((index, rest)) = rest.split_once(']') else { continue };
        let digits = index.trim_start_matches("(signed long int)");
        let value = rest.trim_start().strip_prefix('=').and_then(|rest| rest.split_whitespace().next());
        let (Ok(index), Some(Ok(value))) = (digits.parse::<usize>(), value.map(str::parse::<u8>)) else { continue };
        // No program has a longer input.
        if index < 1 << 16 {
            bytes.resize(bytes.len().max(index + 1), 0);
            bytes[index] = value;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_verdict_on_the_question_that_was_asked_is_an_answer() {
        let holds = "** Results:\n  PASSED       [main.assertion.1]  line 14  motif: same\n\nVERIFICATION SUCCESSFUL\n";
        assert_eq!(read(holds).0, Said::Holds);
        assert!(matches!(read("VERIFICATION SUCCESSFUL\n").0, Said::Nothing(_)), "of what?");
        assert!(matches!(read("ERROR: CONVERSION ERROR\n").0, Said::Nothing(why) if why.contains("CONVERSION")));
        let other = format!("{ANOTHER_LIBRARY} 'stdin'\nERROR: Out of memory\n");
        assert_eq!(read(&other).0, Said::Nothing("ERROR: Out of memory".into()));
        assert!(matches!(read("").0, Said::Nothing(_)));
        assert!(matches!(read("VERIFICATION FAILED\n").0, Said::Nothing(_)));
    }

    #[test]
    fn what_fails_is_told_apart_and_the_input_is_read_from_the_trace() {
        let trace =
            "  motif_byte[0] = 7 (00000111)\n  motif_byte[3] = 128 (10000000)\nWARNING: no body for function g\n";
        let fails =
            |what: &str| read(&format!("{trace}  FAILED       [f.x.1]  line  9  {what}\nVERIFICATION FAILED\n"));
        let (said, bodiless) = fails("motif: same");
        assert_eq!(said, Said::Fails(Failure::Asked, vec![7, 0, 0, 128]));
        assert_eq!(bodiless, BTreeSet::from(["g".to_owned()]));
        let failure = |what: &str| match fails(what).0 {
            Said::Fails(failure, _) => failure,
            other => panic!("{other:?}"),
        };
        assert_eq!(failure("unwinding assertion loop 49"), Failure::Unwinding);
        assert_eq!(failure("recursion unwinding assertion"), Failure::Unwinding);
        assert_eq!((failure("motif: input"), failure("motif: room")), (Failure::Input, Failure::Room));
        assert_eq!(failure("division by zero"), Failure::Other("division by zero".into()));
    }
}
