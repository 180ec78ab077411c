//! From checks of private state to questions that everybody may ask: a program like the tests asks them all, of the
//! original and of the mutant, and the first answer that differs is what the test checks.

use super::framework::{GTEST, Row};
use super::prove::Prover;
use super::write::{TestFile, program};
use super::{Check, CheckKind, TestCase, naming, render};
use crate::generate::expect::observers::{CAUGHT, Observer};
use crate::generate::literal::unhex;
use crate::lexicon::words;
use crate::model::{Language, Model};
use crate::outcome::How;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// How often questions that do not compile are left out before none is asked.
const ATTEMPTS: usize = 3;

/// How often a program is started again behind the question that ended it.
const STARTS: usize = 8;

/// How a program asks. Tests may start no processes, so all questions share one.
const ASK: &str = include_str!("../../runtime/ask.hpp");

/// What a case's answers are, by the number of the question; none where it throws or dies.
type Answers = BTreeMap<usize, Value>;

/// What the original and a mutant answer behind a call, which is none of them if it is 0.
struct Asked {
    further: usize,
    /// What the original answers before the call, where that is asked.
    before: Answers,
    original: Answers,
    mutant: Answers,
}

impl Asked {
    /// Whether the call under test has changed the answer.
    fn is_changed(&self, case: &TestCase, observer: &Observer) -> bool {
        let at = case.observers.iter().position(|known| known == observer);
        let before = at.and_then(|at| self.before.get(&at));
        self.further == 0 && before.is_some() && before != at.and_then(|at| self.original.get(&at))
    }

    /// The check by the answer of the original that says most, for a mutant that comes to no answer: rather no zero and
    /// nothing empty, and nothing that the test has just set.
    fn most_saying<'c>(&self, case: &'c TestCase, model: &Model) -> Option<(&'c Observer, Check)> {
        let said = self.original.iter().filter(|(_, answer)| answer.get("null").is_none());
        let said = said.filter_map(|(at, answer)| {
            let observer = case.observers.get(*at)?;
            // (What an object says of itself before the call too is noise.)
            let is_new = match is_before_asked(case) || case.unkept.is_none() {
                true => self.before.get(at) != Some(answer),
                false => mentions_result(&observer.expression),
            };
            let is_new = is_new || is_about(&case.method, &observer.expression);
            let check = is_new.then(|| observer.check(model, answer, None)).flatten()?;
            Some((says_little(answer), observer, check))
        });
        // (A text may have been trimmed, or ended.)
        let is_set = |check: &Check| match check {
            Check::Equal { expected, kind: CheckKind::Text, .. } => {
                let text = expected.trim_matches('"').trim();
                case.statements.iter().any(|line| line.contains(&format!("\"{text}")))
            }
            Check::Equal { .. } | Check::Throws { .. } => false,
        };
        let said = said.map(|(little, observer, check)| {
            let is_about = is_about(&case.method, &observer.expression);
            ((little || is_set(&check), !is_about), observer, check)
        });
        said.min_by_key(|(rank, ..)| *rank).map(|(_, observer, check)| (observer, check))
    }

    /// The checks by the questions that are answered otherwise, with the places of these.
    fn telling<'c>(&'c self, case: &'c TestCase, model: &'c Model) -> impl Iterator<Item = (&'c Observer, Check)> {
        self.original.iter().filter(|(at, answer)| self.mutant.get(at) != Some(answer)).filter_map(|(at, answer)| {
            // (What the mutant has nothing to ask of would end its test.)
            let is_there = |asked: &&Observer| asked.through.is_none() || self.mutant.contains_key(at);
            let observer = case.observers.get(*at).filter(is_there)?;
            Some((observer, observer.check(model, answer, self.mutant.get(at))?))
        })
    }
}

/// Where the numbers of calls begin, among those of questions.
const CALLS: usize = 1000;

/// The number of the further call that stands for none at all, not even the call under test.
const BEFORE: usize = 999;

/// How many questions are asked first. The others are only asked where none of these tells.
const FIRST: usize = 60;

/// The form of the program.
const ASKING: Row = Row {
    include: ASK,
    include_last: true,
    requires: "MOTIF_ASK::need",
    // An exception is no answer.
    throws: ["", "", ""],
    ..GTEST
};

/// Whether an answer is a zero, or empty.
fn says_little(answer: &Value) -> bool {
    let text = answer.pointer("/value/text").or_else(|| answer.get("text")).and_then(Value::as_str);
    text.is_none_or(|text| matches!(text, "" | "0" | "false" | "-0"))
}

/// Whether a question is about what a method works on: `GetStr()` behind `SetStr`, by a word other than the verb.
fn is_about(method: &str, question: &str) -> bool {
    let asked = question.rfind('(').map_or(question, |at| &question[..at]);
    let asked = words(asked.rsplit(['.', '>', ':']).next().unwrap_or(asked));
    let of_method = words(method);
    of_method.iter().skip(usize::from(of_method.len() > 1)).any(|word| asked.contains(word))
}

/// Adds a check of what comes out to tests that would only show that nothing is thrown, or that nothing crashes. Gives
/// the places of the cases that were changed, with what they were.
///
/// # Errors
/// The folder of the proofs cannot be written.
pub fn ask_what_comes_out(
    prover: &Prover<'_>,
    model: &Model,
    cases: &mut [TestCase],
) -> Result<Vec<(usize, TestCase)>> {
    ask(prover, model, cases, &is_unchecked)
}

/// Replaces checks of private state where a question that everybody may ask tells the mutant from the original too.
/// Gives the places of the cases that were changed, with what they were.
///
/// # Errors
/// The folder of the proofs cannot be written.
pub fn ask_in_public(
    prover: &Prover<'_>,
    model: &Model,
    cases: &mut [TestCase],
    is_private: &dyn Fn(&TestCase) -> bool,
) -> Result<Vec<(usize, TestCase)>> {
    let is_open = |case: &TestCase| is_open(case) && !is_private(case);
    for case in cases.iter_mut().filter(|case| is_open(case)) {
        case.further.extend(repeated(case));
    }
    ask(prover, model, cases, &is_open)
}

/// Asks the questions of all cases that are open, in one program for each unit.
fn ask(
    prover: &Prover<'_>,
    model: &Model,
    cases: &mut [TestCase],
    is_open: &dyn Fn(&TestCase) -> bool,
) -> Result<Vec<(usize, TestCase)>> {
    let mut changed = Vec::new();
    for window in [0..FIRST, FIRST..usize::MAX] {
        let mut programs: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let is_asked = |case: &TestCase| is_open(case) && case.observers.len() > window.start;
        for (number, case) in cases.iter().enumerate().filter(|(_, case)| is_asked(case)) {
            let built = (case.command_file.clone(), case.calls_private, case.source_include.clone());
            programs.entry((built, case.unit_slug.clone())).or_default().push(number);
        }
        let programs: Vec<Vec<usize>> = programs.into_values().collect();
        let asked = prover.in_parallel(&programs, |numbers| {
            let of_it: Vec<&TestCase> = numbers.iter().map(|number| &cases[*number]).collect();
            of_it.first().into_iter().for_each(|case| prover.listener.tell(&case.unit_id));
            answers(prover, model, &of_it, &window).unwrap_or_default()
        });
        for (numbers, answers) in programs.iter().zip(asked) {
            for (number, asked) in numbers.iter().zip(answers) {
                let case = &mut cases[*number];
                if let Some(open) = checked_in_public(case, model, &asked) {
                    changed.push((*number, std::mem::replace(case, open)));
                }
            }
        }
    }
    Ok(changed)
}

/// The case with the check of the first answer that tells the mutant.
fn checked_in_public(case: &TestCase, model: &Model, asked: &[Asked]) -> Option<TestCase> {
    let is_unchecked = is_unchecked(case);
    let (observer, check, asked) = asked.iter().find_map(|asked| {
        let (observer, check) = match is_unchecked {
            true => asked.most_saying(case, model)?,
            false => asked.telling(case, model).next()?,
        };
        Some((observer, check, asked))
    })?;
    let sets = asked.is_changed(case, observer) || naming::sets_all(&case.method);
    let mut open = case.clone();
    open.helpers.extend(observer.helper.map(str::to_owned));
    open.call = match (open.unkept.take(), open.call.take()) {
        (Some(result), Some(call)) if asked_of_result(&check) => Some(format!("{result} = {call}")),
        // Nothing looks at the result any more.
        (None, Some(call)) if !asked_of_result(&check) => Some(without_result(&call)),
        (_, call) => call,
    };
    open.checks.retain(is_thrown);
    open.checks.push(check);
    open.name = format!("{}_{}", case.method, naming::outcome(case.how, &open.checks, None, sets));
    open.private_access = case.calls_private;
    open.reads_private = false;
    if let Some(call) = asked.further.checked_sub(1).and_then(|at| case.further.get(at)) {
        open.call = open.call.take().map(|before| format!("{before}\n{call}"));
    }
    Some(open)
}

/// The call under test once more: what it has left may show in what it does next.
fn repeated(case: &TestCase) -> Option<String> {
    let call = without_result(case.call.as_ref()?);
    let is_call = call.ends_with(");") && !call.contains(['\n', '=']) && call.split('(').next()?.contains(['.', '>']);
    is_call.then_some(call)
}

fn is_thrown(check: &Check) -> bool {
    matches!(check, Check::Throws { .. })
}

/// The type of the exception that the call ends with.
fn thrown(case: &TestCase) -> Option<&str> {
    case.checks.iter().find_map(|check| match check {
        Check::Throws { ty, .. } => Some(ty.as_str()),
        Check::Equal { .. } => None,
    })
}

/// Whether something else than its private checks may tell the mutant.
fn is_open(case: &TestCase) -> bool {
    case.reads_private && !case.observers.is_empty() && case.language == Language::Cxx && case.sanitizer.is_none()
}

/// Whether there is something to ask before the call: it makes no object, and no result.
fn is_before_asked(case: &TestCase) -> bool {
    let makes = |call: &String| super::lines::declared(call).is_some();
    case.unkept.is_none() && thrown(case).is_none() && !case.call.as_ref().is_some_and(makes)
}

/// Whether a test only shows that the original does not end as the mutant does.
fn is_unchecked(case: &TestCase) -> bool {
    let ends_there = matches!(case.how, How::Exception | How::Crash | How::Hang | How::Sanitizer);
    ends_there && case.checks.is_empty() && !case.observers.is_empty() && case.language == Language::Cxx
}

/// Whether a check looks at the variable that keeps the call's result.
fn asked_of_result(check: &Check) -> bool {
    matches!(check, Check::Equal { actual, .. } if mentions_result(actual))
}

fn mentions_result(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "result")
}

/// A call without the variable that keeps its result.
fn without_result(call: &str) -> String {
    match call.split_once(" = ") {
        Some((declared, call)) if [" result", "&result", "*result"].iter().any(|end| declared.ends_with(end)) => {
            call.to_owned()
        }
        _ => call.to_owned(),
    }
}

/// The answers of the original and of the mutant, for each case: those before further calls, and if these tell
/// nothing, those behind the first that does.
fn answers(prover: &Prover<'_>, model: &Model, cases: &[&TestCase], window: &Range<usize>) -> Result<Vec<Vec<Asked>>> {
    let public: Vec<TestCase> =
        cases.iter().map(|case| TestCase { private_access: case.calls_private, ..(*case).clone() }).collect();
    let mut left_out: Vec<(usize, usize)> = Vec::new();
    for _ in 0..ATTEMPTS {
        let text = text(&public, window, &left_out, prover)?;
        let file = TestFile {
            name: "ask.cpp".to_owned(),
            text_for_proof: text.clone(),
            text,
            case: &public[0],
            tests: Vec::new(),
            mutants: Vec::new(),
        };
        let built = prover.building(&file, |side| {
            let original = match prover.asking(side) {
                Ok(program) => program,
                Err(failure) => return Ok(Err(failure.stderr)),
            };
            let mut all = Vec::new();
            for (number, case) in public.iter().enumerate() {
                // (A mutant that does not come to an answer need not be asked.)
                let is_asked = !is_unchecked(case);
                let mutant = is_asked.then(|| prover.asking_mutant(side, &original, case));
                let ends_there = !is_asked || case.how == How::Exception || thrown(case).is_some() || window.start > 0;
                let further = if ends_there { 0 } else { case.further.len() };
                let mut of_case: Vec<Asked> = Vec::new();
                for further in 0..=further {
                    if left_out.contains(&(number, CALLS + further)) {
                        continue;
                    }
                    let run = |program: &Path, by: Asking| asked(prover, program, [number, further], by);
                    let [once, twice] =
                        [false, true].map(|perturb| run(&original.path, Asking { perturb, is_mutant: false }));
                    let same: Answers = once.into_iter().filter(|(at, answer)| twice.get(at) == Some(answer)).collect();
                    // (A mutant that can't be built answers like the original.)
                    let other = match &mutant {
                        Some(Ok(mutant)) => run(&mutant.path, Asking { perturb: false, is_mutant: true }),
                        Some(Err(_)) => same.clone(),
                        None => Answers::new(),
                    };
                    let mut asked = Asked { further, before: Answers::new(), original: same, mutant: other };
                    let tells = asked.telling(case, model).next().is_some();
                    if is_before_asked(case) && (tells || !is_asked) {
                        let by = Asking { perturb: false, is_mutant: false };
                        asked.before = self::asked(prover, &original.path, [number, BEFORE], by);
                    }
                    // It does not come to the end of the call under test.
                    let is_silent = further == 0 && asked.mutant.is_empty() && !asked.original.is_empty();
                    if tells || further == 0 {
                        of_case.push(asked);
                    }
                    if tells || is_silent {
                        break;
                    }
                }
                all.push(of_case);
            }
            Ok(Ok(all))
        })?;
        match built {
            Ok(all) => return Ok(all),
            Err(stderr) => {
                let bad = not_compiling(&file.text, &stderr);
                if bad.is_empty() {
                    break;
                }
                left_out.extend(bad);
            }
        }
    }
    Ok(Vec::new())
}

/// How a program is asked.
#[derive(Clone, Copy)]
struct Asking {
    /// Memory that nothing was written to is filled otherwise.
    perturb: bool,
    is_mutant: bool,
}

/// What a program answers for a case. What ends it is no answer, and the next question is asked in another process.
fn asked(prover: &Prover<'_>, program: &Path, [case, further]: [usize; 2], by: Asking) -> Answers {
    let mut answers = Answers::new();
    let mut first = 0;
    for _ in 0..STARTS {
        let arguments = [case, first, further].map(|number| number.to_string());
        let Ok((said, ends)) = prover.said(program, &arguments, by.perturb) else { break };
        answers.extend(read(&said));
        let last = said.lines().filter_map(|line| line.strip_prefix("MOTIF ")?.strip_suffix(" asked")).next_back();
        match last.and_then(|number| number.parse::<usize>().ok()) {
            // (A mutant that hangs in one question mostly hangs in the next ones.)
            Some(last) if (ends || !by.is_mutant) && !said.contains("MOTIF end") => first = last + 1,
            _ => break,
        }
    }
    answers
}

/// The program that asks.
fn text(cases: &[TestCase], window: &Range<usize>, left_out: &[(usize, usize)], prover: &Prover<'_>) -> Result<String> {
    let mut asking = Vec::new();
    let mut called = String::new();
    for (number, case) in cases.iter().enumerate() {
        let mut silent = TestCase { checks: Vec::new(), take_down: Vec::new(), ..case.clone() };
        if let (Some(result), Some(call)) = (&case.unkept, &case.call) {
            silent.call = Some(format!("{result} = {call}"));
        } else if let Some(call) = case.call.as_ref().filter(|_| is_before_asked(case)) {
            silent.call = Some(format!("if (MOTIF_ASK::further() != {BEFORE}) {{ {call} }}"));
        }
        let is_wanted = |at: usize| !left_out.contains(&(number, at));
        let wanted = case.observers.iter().enumerate();
        let wanted = wanted.filter(|(at, _)| window.contains(at) && is_wanted(*at));
        let (of_exception, wanted): (Vec<_>, Vec<_>) = wanted.partition(|(_, asked)| asked.is_of_exception());
        if let Some(ty) = thrown(case) {
            let questions = of_exception.into_iter().map(|(at, asked)| question(number, at, asked) + "\n");
            let questions: String = questions.collect();
            let caught = match questions.is_empty() {
                true => String::new(),
                false => format!("}} catch (const {ty} &{CAUGHT}) {{\n{questions}"),
            };
            silent.call = case.call.as_ref().map(|call| format!("try {{\n  {call}\n{caught}}} catch (...) {{\n}}"));
        }
        let mut body = render::body(&silent, &ASKING)?;
        body.push(String::new());
        let calls = case.further.iter().enumerate().map(|(at, call)| (at + 1, call));
        let calls: Vec<_> = calls.filter(|(at, _)| window.start == 0 && is_wanted(CALLS + at)).collect();
        if !calls.is_empty() {
            body.push("switch (MOTIF_ASK::further()) {".to_owned());
            body.extend(
                calls.iter().map(|(at, call)| marked(&format!("  case {at}: {call} break;"), number, CALLS + at)),
            );
            body.push("}".to_owned());
        }
        body.extend(wanted.into_iter().map(|(at, asked)| question(number, at, asked)));
        let opens = format!("static void case_{number}() {{");
        called.push_str(&format!("    case {number}: case_{number}(); break;\n"));
        asking.push((case, [opens, "}".to_owned()], body));
    }
    let mut text = program(asking, &ASKING, prover.project())?;
    let helpers: std::collections::BTreeSet<&str> =
        cases.iter().flat_map(|case| &case.observers).filter_map(|asked| asked.helper).collect();
    for helper in helpers {
        if text.contains(helper) {
            continue;
        }
        // Before the first case, behind the includes.
        let at = text.find("static void case_0()").unwrap_or(text.len());
        text.insert_str(at, &format!("{helper}\n\n"));
    }
    text.push_str(
        "\nint main(int, char **argv) {\n  MOTIF_ASK::first() = std::atoi(argv[2]);\n  \
         MOTIF_ASK::further() = std::atoi(argv[3]);\n  switch (std::atoi(argv[1])) {\n",
    );
    text.push_str(&called);
    text.push_str("  }\n  std::printf(\"MOTIF end\\n\");\n}\n");
    Ok(text)
}

fn question(case: usize, at: usize, asked: &Observer) -> String {
    let through = asked.through.iter().map(String::as_str);
    // (What changes the object is asked of one that nothing else has changed.)
    let alone = format!("(!MOTIF_ASK::further() || MOTIF_ASK::further() == {BEFORE})");
    let unless_further = (!asked.is_const).then_some(alone.as_str());
    let conditions: Vec<&str> = through.chain(unless_further).collect();
    let condition = if conditions.is_empty() { String::new() } else { format!("if ({}) ", conditions.join(" && ")) };
    // (The answer may be a part of what only lives as long as the expression.)
    let ask = format!("MOTIF_ASK::ask({at}, [&] {{ MOTIF_ASK::say({at}, {}); }});", asked.expression);
    marked(&format!("{condition}{ask}"), case, at)
}

/// A line by which a message of the compiler is known.
fn marked(line: &str, case: usize, at: usize) -> String {
    format!("{line}{MARK}{case}.{at}")
}

const MARK: &str = "  // asked: ";

/// The questions on whose lines the compiler finds errors.
fn not_compiling(text: &str, stderr: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let places = stderr.split("ask.cpp:").skip(1).filter_map(|rest| rest.split(':').next()?.parse::<usize>().ok());
    let mut found: Vec<(usize, usize)> = places
        .filter_map(|line| {
            let (case, at) = lines.get(line.checked_sub(1)?)?.rsplit_once(MARK)?.1.split_once('.')?;
            Some((case.parse().ok()?, at.parse().ok()?))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The answers that a program printed: the number, what it is, and its bytes, text and hexadecimal text.
fn read(said: &str) -> Answers {
    let mut answers = Answers::new();
    for line in said.lines().filter_map(|line| line.strip_prefix("MOTIF ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let Some(number) = words.first().and_then(|word| word.parse().ok()) else { continue };
        let answer = match words[1..] {
            ["null"] => json!({ "null": true }),
            ["object"] => json!({ "null": false }),
            ["text"] => json!({ "text": "" }),
            // Text is data: it is decoded where the check is written.
            ["text", bytes] if unhex(bytes).len() * 2 == bytes.len() => json!({ "text": bytes }),
            ["value", kind, bytes, text, hex] => {
                json!({ "value": { "kind": kind, "bytes": bytes, "text": text, "hex": hex } })
            }
            _ => continue,
        };
        answers.insert(number, answer);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_by_their_numbers() {
        let said =
            "noise\nMOTIF 0 value int32 07000000 7 -\nMOTIF 1 text 6162\nMOTIF 2 null\nMOTIF 3 text\nMOTIF 4 what";
        let answers = read(said);
        assert_eq!(answers.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(answers[&0]["value"]["text"], "7");
        assert_eq!(answers[&1]["text"], "6162");
    }

    #[test]
    fn a_question_that_does_not_compile_is_found_by_its_line() {
        let asked = |text: &str| Observer::new(text, crate::types::arithmetic::simple_type("int"));
        let text = format!("int x;\n  {}\n  {}\n", question(0, 3, &asked("a.b()")), question(1, 4, &asked("a.c()")));
        let stderr = "/tmp/x/ask.cpp:3:20: error: no member\n/tmp/x/ask.cpp:1:1: note: here\n";
        assert_eq!(not_compiling(&text, stderr), [(1, 4)]);
    }

    #[test]
    fn what_tells_in_public_keeps_the_exception_and_a_call_of_a_method_may_be_made_again() {
        let mut case = TestCase::sample("m");
        case.call = Some("const int result = object.next(1);".to_owned());
        case.observers = vec![Observer::new("object.size()", crate::types::arithmetic::simple_type("int"))];
        case.further.extend(repeated(&case));
        assert_eq!(case.further, ["object.next(1);"]);
        let answer = |text: &str| json!({ "value": { "kind": "integer", "bytes": "", "text": text, "hex": "-" } });
        let answers = |text: &str| Answers::from([(0, answer(text))]);
        let asked = |further, other: &str| Asked {
            further,
            before: Answers::new(),
            original: answers("1"),
            mutant: answers(other),
        };
        let model = Model::default();
        assert!(checked_in_public(&case, &model, &[asked(0, "1")]).is_none());
        let open = checked_in_public(&case, &model, &[asked(0, "1"), asked(1, "2")]).unwrap();
        assert_eq!(open.call.as_deref(), Some("object.next(1);\nobject.next(1);"));
        case.checks = vec![Check::Throws { ty: "E".into(), what: None, exactly: false }];
        let open = checked_in_public(&case, &model, &[asked(0, "2")]).unwrap();
        assert!(open.checks.len() == 2 && thrown(&open).is_some() && !open.private_access);
        case.call = Some("A object(1);".to_owned());
        assert_eq!(repeated(&case), None);
    }

    #[test]
    fn a_call_loses_the_variable_that_nobody_reads() {
        assert_eq!(without_result("const int result = f(a = 1);"), "f(a = 1);");
        assert_eq!(without_result("void *result = f();"), "f();");
        assert_eq!(without_result("x = f();"), "x = f();");
    }
}
