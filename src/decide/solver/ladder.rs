//! The questions about one mutant, cheap ones first, with loops of few rounds before loops of many.
//!
//! Can the mutated place make a difference there? Can that difference be seen? A "no" whose loops all end is a proof;
//! a "no" that leaves longer runs out holds within that bound; a "yes" is an input, which replay judges.

use super::opaque;
use super::query::{ASKED, Answer, Checks, Failure, Query, Said, UNSEEN, ask};
use anyhow::Result;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rounds of loops, one attempt after the other.
const ROUNDS: [u32; 2] = [12, 70];
/// The share of the time for the question whether the place makes a difference.
const INFECTS_SHARE: f64 = 0.4;
/// So many inputs that replay refutes are ruled out, one after the other.
const REFUTED_MOST: usize = 3;
/// The share of the time for each set of functions that are put aside, and for all of them.
const ASIDE_SHARE: (f64, f64) = (0.3, 0.85);
/// Less time than this is not worth a run.
const LEAST: f64 = 0.3;

/// A program without its last function, which asks the question.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text.
    pub text: String,
    /// The extension of its language.
    pub extension: &'static str,
    /// The project's other files that it calls.
    pub others: Vec<PathBuf>,
    /// Options of its language.
    pub options: Vec<String>,
    /// Bytes of its input.
    pub bytes: usize,
    /// No input is read beyond so many bytes.
    pub read: usize,
    /// Values of its record.
    pub cells: usize,
    /// Functions whose bodies are put aside, by number and name.
    pub aside: Vec<(usize, String)>,
    /// So many variables have the same value on both sides before anybody writes them.
    pub variables: usize,
}

/// What is asked about a mutant.
pub struct Asked<'a> {
    /// The solver's program.
    pub solver: &'a Path,
    /// Both sides, with no more put aside than the solver lacks.
    pub both: &'a Program,
    /// The same with functions put aside, those that leave least first.
    pub aside: &'a [Program],
    /// The mutant's number in it.
    pub number: u32,
    /// The original with notes, and the number of the note that the mutant's value differs, or that its place is
    /// reached.
    pub noted: Option<(&'a Program, u32)>,
    /// CPU time.
    pub budget: Duration,
    /// A folder for this mutant.
    pub folder: &'a Path,
    /// Whether an input kills the mutant.
    pub kills: &'a dyn Fn(&[u8]) -> Result<bool>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// No input makes a difference.
    Same(Seen),
    /// None does within a bound.
    Within(Seen, Bound),
    /// This one does, and replay says so too.
    Differs(Vec<u8>),
    /// Not known, and why.
    Open(String),
}

/// What a proof leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// Loops of more rounds.
    pub rounds: Option<u32>,
    /// Longer inputs.
    pub bytes: Option<usize>,
    /// Sums and shifts that the language does not define.
    pub defined: bool,
}

/// How a mutant's calls of functions that are put aside get the results of the original's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// There are none.
    None,
    /// The first call that of the first, and so on: both are to call them alike.
    InStep,
    /// Any call that of one with the same arguments.
    Any,
}

/// Where a difference was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Where the mutated place is.
    There,
    /// In what a caller sees.
    Outside,
}

/// A decision and its cost.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// Inputs that make a difference at the changed place, or that it believed to show one.
    pub inputs: Vec<Vec<u8>>,
    /// The functions of which it is taken for granted that equal arguments give equal results.
    pub aside: Vec<String>,
    /// CPU seconds.
    pub cpu_seconds: f64,
}

impl Decided {
    /// Nothing was asked, and why.
    pub fn open(why: String) -> Self {
        Self { decision: Decision::Open(why), inputs: Vec::new(), aside: Vec::new(), cpu_seconds: 0.0 }
    }
}

impl Asked<'_> {
    /// Asks until there is an answer, or the time is over.
    ///
    /// # Errors
    /// The solver can't be started, or an input not be replayed.
    pub fn decide(&self) -> Result<Decided> {
        std::fs::create_dir_all(self.folder)?;
        let mut spent = 0.0;
        let mut within = None;
        let mut inputs = Vec::new();
        if let Some((program, note)) = self.noted {
            let share = if self.aside.is_empty() { INFECTS_SHARE } else { INFECTS_SHARE / 2.0 };
            let until = self.budget.as_secs_f64() * share;
            for rounds in ROUNDS {
                // Where the original does what is undefined is of no interest, so nothing is checked.
                let short =
                    self.ask(program, "infects", &infects(note, false), rounds, Checks::None, until, &mut spent)?;
                if is_unseen(&short.said) {
                    continue;
                }
                if let Said::Fails(Failure::Asked, input) = &short.said {
                    inputs.push(input.clone());
                }
                if short.said != Said::Holds || lacks(&short).is_some() {
                    break;
                }
                let whole =
                    self.ask(program, "infects", &infects(note, true), rounds, Checks::None, until, &mut spent)?;
                if whole.said == Said::Holds {
                    let decision = Decision::Same(Seen::There);
                    return Ok(Decided { decision, inputs, aside: Vec::new(), cpu_seconds: spent });
                }
                if self.comes_to_its_end(program, &infects(note, false), rounds, until, &mut spent)? {
                    let bound = Bound { rounds: Some(rounds), bytes: Some(program.bytes), defined: false };
                    within = Some((Seen::There, bound));
                }
                // More rounds are of no use.
                if !matches!(whole.said, Said::Fails(Failure::Unwinding, _)) {
                    break;
                }
            }
        }
        let mut kept = None;
        for program in self.aside {
            let budget = self.budget.as_secs_f64();
            for calls in [Calls::InStep, Calls::Any] {
                let until = (spent + budget * ASIDE_SHARE.0).min(budget * ASIDE_SHARE.1);
                let decision = self.shows((program, calls), until, &mut None, &mut inputs, &mut spent)?;
                let aside = || program.aside.iter().map(|(_, name)| name.clone()).collect();
                match decision {
                    Decision::Same(_) => return Ok(Decided { decision, inputs, aside: aside(), cpu_seconds: spent }),
                    Decision::Differs(_) => {
                        return Ok(Decided { decision, inputs, aside: Vec::new(), cpu_seconds: spent });
                    }
                    Decision::Within(..) if kept.is_none() => kept = Some((decision, aside())),
                    // Another question takes no less.
                    Decision::Open(_) if spent >= until - LEAST => break,
                    Decision::Within(..) | Decision::Open(_) => {}
                }
            }
        }
        let until = self.budget.as_secs_f64();
        let calls = if self.both.aside.is_empty() { Calls::None } else { Calls::Any };
        let decision = self.shows((self.both, calls), until, &mut within, &mut inputs, &mut spent)?;
        let lacking = self.both.aside.iter().map(|(_, name)| name.clone()).collect();
        let (decision, aside) = match (decision, kept, within) {
            (Decision::Open(_), Some(kept), _) => kept,
            (Decision::Open(_), None, Some((seen, bound))) => (Decision::Within(seen, bound), lacking),
            (decision, ..) => (decision, lacking),
        };
        Ok(Decided { decision, inputs, aside, cpu_seconds: spent })
    }

    /// Whether a difference can be seen outside.
    fn shows(
        &self,
        (program, calls): (&Program, Calls),
        until: f64,
        within: &mut Option<(Seen, Bound)>,
        inputs: &mut Vec<Vec<u8>>,
        spent: &mut f64,
    ) -> Result<Decision> {
        let aside: BTreeSet<usize> = program.aside.iter().map(|(index, _)| *index).collect();
        let (declared, begun) = match calls {
            Calls::None => (String::new(), String::new()),
            _ => (
                opaque::declared(&aside, program.variables, calls == Calls::InStep),
                opaque::begun(&aside, program.variables),
            ),
        };
        let parts = Parts { declared: &declared, begun: &begun, has_sides: calls != Calls::None };
        let shows = |number, refuted: &[Vec<u8>], closes| shows(number, refuted, closes, &parts);
        let mut refuted: Vec<Vec<u8>> = Vec::new();
        let mut last = String::new();
        'rounds: for rounds in ROUNDS {
            loop {
                let tail = shows(self.number, &refuted, false);
                let short = self.ask(program, "shows", &tail, rounds, Checks::None, until, spent)?;
                match &short.said {
                    Said::Holds => {}
                    said @ Said::Nothing(why) if is_unseen(said) => {
                        last = why.clone();
                        continue 'rounds;
                    }
                    Said::Nothing(why) => return Ok(Decision::Open(why.clone())),
                    Said::Fails(Failure::Asked, input) => {
                        if (self.kills)(input)? {
                            return Ok(Decision::Differs(input.clone()));
                        }
                        let named = lacks(&short);
                        inputs.push(input.clone());
                        // What the trace leaves out is 0, in the replay as well: this input is ruled out, no other.
                        let mut whole = input.clone();
                        whole.resize(program.read, 0);
                        refuted.push(whole);
                        if refuted.len() >= REFUTED_MOST {
                            let why = "the differences that it sees do not show in a fresh process";
                            return Ok(Decision::Open(named.unwrap_or_else(|| why.to_owned())));
                        }
                        continue;
                    }
                    Said::Fails(failure, _) => return Ok(Decision::Open(words(failure))),
                }
                if let Some(why) = lacks(&short) {
                    return Ok(Decision::Open(why));
                }
                break;
            }
            // What was ruled out was seen to be the same by replay.
            let ask = |closes: bool, checks, spent: &mut f64| {
                let tail = shows(self.number, &refuted, closes);
                self.ask(program, "shows", &tail, rounds, checks, until, spent)
            };
            let mut checks = Checks::All;
            let mut whole = ask(true, checks, spent)?.said;
            if matches!(&whole, Said::Fails(Failure::Arithmetic(_), input) if !(self.kills)(input)?) {
                checks = Checks::Memory;
                whole = ask(true, checks, spent)?.said;
            }
            let defined = checks == Checks::Memory;
            match whole {
                Said::Holds if defined => {
                    return Ok(Decision::Within(Seen::Outside, Bound { defined, ..Bound::default() }));
                }
                Said::Holds => return Ok(Decision::Same(Seen::Outside)),
                Said::Nothing(why) => return Ok(Decision::Open(why)),
                Said::Fails(failure @ (Failure::Unwinding | Failure::Input), _) => {
                    // Is everything well within this bound?
                    let mut checked = ask(false, checks, spent)?.said;
                    let mut defined = defined;
                    if matches!(checked, Said::Fails(Failure::Arithmetic(_), _)) {
                        defined = true;
                        checked = ask(false, Checks::Memory, spent)?.said;
                    }
                    if let Said::Fails(failure, _) = &checked {
                        return Ok(Decision::Open(words(failure)));
                    }
                    let tail = shows(self.number, &refuted, false);
                    if checked == Said::Holds && self.comes_to_its_end(program, &tail, rounds, until, spent)? {
                        let bound = Bound { rounds: Some(rounds), bytes: Some(program.bytes), defined };
                        *within = Some((Seen::Outside, bound));
                    }
                    last = words(&failure);
                    if failure == Failure::Input {
                        break;
                    }
                }
                Said::Fails(failure, input) => {
                    if (self.kills)(&input)? {
                        return Ok(Decision::Differs(input));
                    }
                    return Ok(Decision::Open(words(&failure)));
                }
            }
        }
        Ok(Decision::Open(last))
    }

    /// Whether any run comes to the question with loops of so many rounds: if none does, it holds and says nothing.
    fn comes_to_its_end(
        &self,
        program: &Program,
        tail: &str,
        rounds: u32,
        until: f64,
        spent: &mut f64,
    ) -> Result<bool> {
        let said = self.ask(program, "ends", &ends(tail), rounds, Checks::None, until, spent)?.said;
        Ok(matches!(said, Said::Fails(Failure::Asked, _)))
    }

    #[expect(clippy::too_many_arguments, reason = "each of them is what a run is about")]
    fn ask(
        &self,
        program: &Program,
        name: &str,
        tail: &str,
        rounds: u32,
        checks: Checks,
        until: f64,
        spent: &mut f64,
    ) -> Result<Answer> {
        let left = until - *spent;
        if left < LEAST {
            let said = Said::Nothing(format!("no answer in {} s", self.budget.as_secs_f64()));
            return Ok(Answer { said, bodiless: Default::default(), cpu_seconds: 0.0 });
        }
        let file = self.folder.join(name).with_extension(program.extension);
        std::fs::write(&file, format!("{}\n{tail}", program.text))?;
        let files: Vec<PathBuf> = std::iter::once(file).chain(program.others.iter().cloned()).collect();
        let query = Query {
            files: &files,
            options: &program.options,
            unwind: rounds,
            own_unwind: program.bytes.max(program.cells) + 2,
            closes: tail.contains(CLOSES),
            checks,
            time: Duration::from_secs_f64(left),
            of: self.budget,
        };
        let answer = ask(self.solver, &query, self.folder)?;
        *spent += answer.cpu_seconds;
        Ok(answer)
    }
}

/// Whether more rounds are needed to see anything.
fn is_unseen(said: &Said) -> bool {
    matches!(said, Said::Nothing(why) if why == UNSEEN)
}

/// Why an answer says nothing: what a function without a body does is missing.
fn lacks(answer: &Answer) -> Option<String> {
    answer.bodiless.first().map(|name| format!("it calls `{name}`, whose body is not known"))
}

fn words(failure: &Failure) -> String {
    match failure {
        Failure::Asked => "the differences that it sees do not show in a fresh process".into(),
        Failure::Unwinding => format!("a loop may have more than {} rounds", ROUNDS[ROUNDS.len() - 1]),
        Failure::Input => "the input may be longer than the solver is given".into(),
        Failure::Room => "what is compared is more than the solver is given".into(),
        Failure::Arithmetic(what) | Failure::Other(what) => {
            format!("what the language does not define may happen ({what})")
        }
    }
}

/// With it in a program, it is asked about all inputs, whatever they are long, and loops are to end.
const CLOSES: &str = "  __ESBMC_assert(!motif_is_short, \"motif: input\");\n";

/// The question whether any input sets a note.
fn infects(note: u32, closes: bool) -> String {
    let closes = if closes { CLOSES } else { "" };
    format!(
        "int main(void) {{\n  motif_input in = {{0}};\n  motif_record record = {{0, 0, 0}};\n  motif_any_input();\n  \
         motif_the_unit.original(&in, &record);\n{closes}  __ESBMC_assert(!motif_noted[{note}], \"{ASKED}\");\n  \
         return 0;\n}}\n"
    )
}

/// The question whether any run comes to the end of a question.
fn ends(tail: &str) -> String {
    let before = tail.rsplit_once("__ESBMC_assert(").map_or("", |(before, _)| before);
    format!("{before}__ESBMC_assert(0, \"{ASKED}\");\n  return 0;\n}}\n")
}

/// What a question has where functions are put aside.
#[derive(Debug, Default)]
struct Parts<'p> {
    declared: &'p str,
    begun: &'p str,
    has_sides: bool,
}

/// The question whether any input but the `refuted` ones shows a difference between the original and a mutant.
fn shows(number: u32, refuted: &[Vec<u8>], closes: bool, parts: &Parts<'_>) -> String {
    let closes = if closes { CLOSES } else { "" };
    let Parts { declared, begun, has_sides } = parts;
    let (second, matched) = if *has_sides { ("  motif_side = 1;\n", "motif_matched && ") } else { ("", "") };
    let mut but = String::new();
    for input in refuted {
        let same: Vec<String> =
            input.iter().enumerate().map(|(at, byte)| format!("motif_byte[{at}] == {byte}")).collect();
        let same = if same.is_empty() { "1".to_owned() } else { same.join(" && ") };
        let _ = writeln!(but, "  __ESBMC_assume(!({same}));");
    }
    format!(
        "{declared}int main(void) {{\n  motif_input in = {{0}};\n  \
         motif_record first = {{0, 0, 0}}, second = {{0, 1, 0}};\n  \
         motif_any_input();\n{but}{begun}  motif_mutant = 0;\n  motif_the_unit.original(&in, &first);\n  \
         in.offset = 0;\n  motif_errno = 0;\n{second}  motif_mutant = {number};\n  \
         motif_the_unit.original(&in, &second);\n{closes}  \
         __ESBMC_assert({matched}motif_equal && first.used == second.used, \"{ASKED}\");\n  return 0;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_replay_refutes_is_ruled_out() {
        let tail = shows(3, &[vec![1, 2], Vec::new()], true, &Parts::default());
        assert!(tail.contains("__ESBMC_assume(!(motif_byte[0] == 1 && motif_byte[1] == 2));"), "{tail}");
        assert!(tail.contains("motif_mutant = 3;"));
        let end = ends(&tail);
        assert!(end.ends_with("__ESBMC_assert(0, \"motif: same\");\n  return 0;\n}\n") && !end.contains("motif_equal"));
    }
}
