//! Several functions of one translation unit, with all their mutants, in a few compilations.

use super::assembly;
use super::messages::{self, Complaint};
use crate::build::{Builder, CompileFailure, CompileJob, FailureKind, Flavor, gcc_version};
use crate::compdb::CompileCommand;
use crate::mutant::made::Edit;
use crate::mutate::schema::{Copied, Copy, Form, Owner, Schema, Texts};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The optimisation levels at which clang's code is compared, in order. Mutants found equal at one are not compiled
/// at the next. On newlib's mathematics, `-O1` finds 97 %, `-O3` the rest; `-O2` and `-Os` find nothing more, and
/// each level costs the same.
pub(super) const LEVELS: &[&str] = &["-O1", "-O3"];
/// The level at which gcc's code is compared.
pub(super) const GCC_LEVEL: &str = "-O2";

/// A function with its mutants.
#[derive(Clone, Debug)]
pub(super) struct Task<'m> {
    /// How its copies are written.
    pub form: &'m Form,
    /// Name of its file, for messages.
    pub file: String,
    /// The mutants' edits.
    pub mutants: Vec<&'m [Edit]>,
    /// The compiler must not see the original's body.
    pub opaque: bool,
    /// Its code can be compared.
    pub comparable: bool,
    /// Its body has effects outside itself, so that every mutant must also be compiled in place of the original.
    pub leaks: bool,
}

/// The finding of one mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Finding {
    /// Nothing: worth trying.
    #[default]
    New,
    /// The compiler's first error.
    Unbuildable(String),
    /// The original's code.
    Equivalent,
    /// The code of the mutant at this index of the same function.
    Duplicate(usize),
    /// To be compiled in place of the original: a copy tells too little.
    Doubtful,
}

/// The findings of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    /// By mutant.
    pub mutants: Vec<Finding>,
    /// Why the function cannot be copied.
    pub uncopied: Option<String>,
    /// Why its code was not compared.
    pub uncompared: Option<String>,
}

/// Where and how to compile.
pub(super) struct Place<'p> {
    pub builder: &'p Builder,
    pub command: &'p CompileCommand,
    pub texts: &'p Texts,
    /// A folder for the schema's files.
    pub folder: PathBuf,
}

impl Place<'_> {
    /// Saves a text in the folder, with the extension of `file`.
    fn save(&self, name: &str, file: &Path, text: &[u8]) -> Result<PathBuf, Stop> {
        let path = self.folder.join(name).with_extension(file.extension().unwrap_or_default());
        let saved = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, text));
        saved.map_err(|error| CompileFailure::tool(&path, error))?;
        Ok(path)
    }
}

/// The state of a function during its batch.
struct State<'t, 'm> {
    task: &'t Task<'m>,
    /// Number of the first copy: the original's; the next is the original's too, then come the mutants'.
    first: u32,
    opaque: bool,
    comparable: bool,
    /// An instantiation is private and cannot be named where access is checked.
    hidden: bool,
    /// By mutant: it takes part in the next compilation.
    alive: Vec<bool>,
    /// By mutant: its equivalence class; 0 is the original's.
    equal_to: Vec<Option<usize>>,
    found: Found,
}

/// Interrupted, or the compiler cannot be run.
pub(super) type Stop = CompileFailure;

impl<'t, 'm> State<'t, 'm> {
    fn new(task: &'t Task<'m>, first: u32) -> Self {
        let count = task.mutants.len();
        Self {
            task,
            first,
            opaque: task.opaque && task.form.can_be_opaque,
            comparable: task.comparable,
            hidden: task.form.is_private,
            alive: vec![true; count],
            equal_to: vec![None; count],
            found: Found { mutants: vec![Finding::New; count], ..Found::default() },
        }
    }

    fn copied(&self, instances: bool) -> Copied<'m> {
        let original = |number| Copy { number, edits: &[] };
        let mutants = self.task.mutants.iter().enumerate().filter(|(index, _)| self.alive[*index]);
        let mutants = mutants.map(|(index, edits)| Copy { number: self.number(index), edits });
        let originals = [original(self.first), original(self.first + 1)];
        let copies = originals.into_iter().chain(mutants).collect();
        Copied { form: self.task.form, copies, opaque: self.opaque, instances: instances && self.comparable }
    }

    fn number(&self, mutant: usize) -> u32 {
        self.first + 2 + mutant as u32
    }

    /// The mutant of the copy with this number; `None` for the original's copies.
    fn mutant(&self, number: u32) -> Option<usize> {
        (number as usize).checked_sub(self.first as usize + 2)
    }

    fn is_done(&self, first_level: bool) -> bool {
        self.found.uncopied.is_some() || !self.alive.contains(&true) || (!first_level && !self.comparable)
    }

    fn uncopied(&mut self, why: &str) {
        self.found.uncopied = Some(why.to_string());
        self.alive.fill(false);
        self.found.mutants.fill(Finding::Doubtful);
    }

    fn uncompared(&mut self, why: &str) {
        self.comparable = false;
        self.found.uncompared.get_or_insert(why.to_string());
    }

    /// Merges equal mutants.
    fn compare(&mut self, codes: &BTreeMap<u32, [u8; 32]>) {
        let mut first: HashMap<&[u8; 32], usize> = HashMap::new();
        let (Some(original), Some(again)) = (codes.get(&self.first), codes.get(&(self.first + 1))) else { return };
        if original != again {
            return;
        }
        first.insert(original, 0);
        for mutant in 0..self.alive.len() {
            let Some(code) = codes.get(&self.number(mutant)).filter(|_| self.alive[mutant]) else { continue };
            match first.get(code) {
                Some(&class) => {
                    self.equal_to[mutant] = Some(class);
                    self.alive[mutant] = false;
                }
                None => {
                    first.insert(code, mutant + 1);
                }
            }
        }
    }

    fn finish(mut self) -> Found {
        for mutant in 0..self.alive.len() {
            // A mutant's class may itself equal an earlier one at another level.
            let mut class = self.equal_to[mutant];
            while let Some(next) = class.filter(|class| *class > 0).and_then(|class| self.equal_to[class - 1]) {
                class = Some(next);
            }
            match class {
                Some(0) => self.found.mutants[mutant] = Finding::Equivalent,
                Some(other) => self.found.mutants[mutant] = Finding::Duplicate(other - 1),
                None => {}
            }
        }
        self.found
    }
}

/// All copies of the batch, as input of a digest: the findings depend on this and on the translation unit.
pub(super) fn text(tasks: &[Task<'_>], command: &CompileCommand, texts: &Texts) -> Vec<u8> {
    let states = states(tasks);
    let copied: Vec<Copied<'_>> = states.iter().map(|state| state.copied(true)).collect();
    let schema = Schema::write(&command.file, &copied, texts).unwrap_or_default();
    let mut out = Vec::new();
    for task in tasks {
        let said = (task.mutants.len(), task.comparable, task.leaks, task.opaque);
        out.extend(format!("{said:?}\n").bytes());
    }
    for (file, written) in &schema.files {
        out.extend_from_slice(file.as_os_str().as_encoded_bytes());
        out.extend_from_slice(&written.text);
    }
    out
}

fn states<'t, 'm>(tasks: &'t [Task<'m>]) -> Vec<State<'t, 'm>> {
    let mut next = 1;
    tasks
        .iter()
        .map(|task| {
            let first = next;
            next += 2 + task.mutants.len() as u32;
            State::new(task, first)
        })
        .collect()
}

/// Finds out about all mutants of the batch.
pub(super) fn run(tasks: &[Task<'_>], place: &Place<'_>) -> Result<Vec<Found>, Stop> {
    let mut states = states(tasks);
    for state in &mut states {
        if state.task.comparable && state.task.opaque && !state.opaque {
            state.uncompared("it may call itself, and its body cannot be hidden from the compiler");
        }
    }
    let all: Vec<usize> = (0..states.len()).collect();
    for (index, level) in LEVELS.iter().enumerate() {
        compile(&mut states, &all, place, level, index == 0)?;
    }
    if gcc_version().is_some() {
        let simple: Vec<usize> =
            all.into_iter().filter(|at| states[*at].task.form.is_within(&place.command.file)).collect();
        compare_with_gcc(&mut states, &simple, place)?;
    }
    Ok(states.into_iter().map(State::finish).collect())
}

/// Compiles at one level until all remaining copies compile, and compares them. If the culprit of an error is
/// unknown, the functions are split up.
fn compile(
    states: &mut [State<'_, '_>],
    which: &[usize],
    place: &Place<'_>,
    level: &str,
    first_level: bool,
) -> Result<(), Stop> {
    loop {
        let open: Vec<usize> = which.iter().copied().filter(|at| !states[*at].is_done(first_level)).collect();
        if open.is_empty() {
            return Ok(());
        }
        let failure = match attempt(states, &open, place, level, first_level)? {
            Ok(assembly) => {
                compare(states, &open, &assembly);
                return Ok(());
            }
            Err(failure) => failure,
        };
        if blame(states, &open, &failure, place.texts, first_level) {
            continue;
        }
        if let [at] = open[..] {
            let state = &mut states[at];
            let why = failure.1.first().map_or(failure.0, |complaint| complaint.message.clone());
            if !first_level {
                state.uncompared(&why);
            } else if state.opaque {
                // Without it the code cannot be compared, but its copies can still be compiled.
                state.opaque = false;
                state.uncompared(&why);
            } else {
                state.uncopied(&why);
            }
            continue;
        }
        let (first, second) = open.split_at(open.len() / 2);
        compile(states, first, place, level, first_level)?;
        return compile(states, second, place, level, first_level);
    }
}

/// Merges mutants with equal code.
fn compare(states: &mut [State<'_, '_>], open: &[usize], assembly: &str) {
    let codes = assembly::codes(assembly);
    for at in open {
        if states[*at].comparable {
            states[*at].compare(&codes);
        }
    }
}

/// Compares gcc's code, if all text is in the main file: gcc has no file overlay. Mutants that gcc rejects stay
/// unchanged.
fn compare_with_gcc(states: &mut [State<'_, '_>], which: &[usize], place: &Place<'_>) -> Result<(), Stop> {
    let open: Vec<usize> = which.iter().copied().filter(|at| !states[*at].is_done(false)).collect();
    if open.is_empty() {
        return Ok(());
    }
    let copied: Vec<Copied<'_>> = open.iter().map(|at| states[*at].copied(false)).collect();
    let schema = Schema::write(&place.command.file, &copied, place.texts).unwrap_or_default();
    let Some(written) = schema.files.get(&place.command.file) else { return Ok(()) };
    let name = place.save("gcc", &place.command.file, &written.text)?;
    match place.builder.gcc_assembly(place.command, &name, GCC_LEVEL) {
        Ok(assembly) => {
            compare(states, &open, &assembly);
            Ok(())
        }
        Err(failure) if failure.kind == FailureKind::Interrupted => Err(failure),
        // An unknown option, or nothing left to leave out.
        Err(failure) if open.len() == 1 || !failure.first_error.contains(&*name.to_string_lossy()) => Ok(()),
        Err(_) => {
            let (first, second) = open.split_at(open.len() / 2);
            compare_with_gcc(states, first, place)?;
            compare_with_gcc(states, second, place)
        }
    }
}

type Refusal = (String, Vec<Complaint>, Schema);

fn attempt(
    states: &[State<'_, '_>],
    open: &[usize],
    place: &Place<'_>,
    level: &str,
    first_level: bool,
) -> Result<Result<String, Refusal>, Stop> {
    // At the first level access is checked, so private classes cannot be instantiated.
    let copied = |at: &usize| states[*at].copied(!(first_level && states[*at].hidden));
    let copied: Vec<Copied<'_>> = open.iter().map(copied).collect();
    let tool = |why: &str| CompileFailure::tool(&place.command.file, why);
    let schema = Schema::write(&place.command.file, &copied, place.texts).ok_or_else(|| tool("no such place"))?;
    let mut job = CompileJob::project(place.command, Flavor::Mutant)
        .with(messages::OPTIONS.iter().copied())
        .with([level, "-fno-pic"]);
    if !first_level {
        job = job.with(["-fno-access-control"]);
    }
    for (index, (file, written)) in schema.files.iter().enumerate() {
        job = job.replacing(file, place.save(&index.to_string(), file, &written.text)?);
    }
    match place.builder.assembly(&job) {
        Ok(assembly) => Ok(Ok(assembly)),
        Err(failure) => match failure.kind {
            FailureKind::Interrupted | FailureKind::Tool => Err(failure),
            FailureKind::TimedOut => Ok(Err((failure.first_error, Vec::new(), schema))),
            FailureKind::Refused => {
                let complaints = messages::complaints(&failure.stderr, &schema, &place.command.directory);
                Ok(Err((failure.first_error, complaints, schema)))
            }
        },
    }
}

/// Removes the copies that the messages name; returns whether there were any.
fn blame(
    states: &mut [State<'_, '_>],
    open: &[usize],
    (_, complaints, schema): &Refusal,
    texts: &Texts,
    first_level: bool,
) -> bool {
    let mut progress = false;
    // If the original's copy fails, its mutants' failures mean nothing.
    let mut spoilt: BTreeSet<usize> = BTreeSet::new();
    let owner_of = |states: &[State<'_, '_>], number: u32| open.iter().copied().rfind(|at| states[*at].first <= number);
    for complaint in complaints {
        let Some(owner) = complaint.owner else { continue };
        let (Owner::Copy(number) | Owner::Declaration(number) | Owner::Instance(number)) = owner;
        let Some(at) = owner_of(states, number) else { continue };
        let is_original = states[at].mutant(number).is_none();
        match owner {
            Owner::Instance(_) if is_original && spoilt.contains(&at) => {}
            Owner::Instance(_) if is_original && states[at].comparable => {
                if first_level && !states[at].hidden {
                    states[at].hidden = true;
                } else {
                    let why = format!("an instantiation that the project uses can't be named: {}", complaint.message);
                    states[at].uncompared(&why);
                }
                spoilt.insert(at);
                progress = true;
            }
            Owner::Copy(_) if !is_original => {}
            Owner::Declaration(_) | Owner::Copy(_) if spoilt.insert(at) => {
                states[at].uncopied(&complaint.message);
                progress = true;
            }
            _ => {}
        }
    }
    for complaint in complaints {
        let Some(Owner::Copy(number) | Owner::Instance(number)) = complaint.owner else { continue };
        let Some(at) = owner_of(states, number).filter(|at| !spoilt.contains(at)) else { continue };
        let Some(mutant) = states[at].mutant(number) else { continue };
        let state = &mut states[at];
        if !state.alive.get(mutant).copied().unwrap_or(false) {
            continue;
        }
        state.alive[mutant] = false;
        progress = true;
        let is_direct = complaint.is_direct && matches!(complaint.owner, Some(Owner::Copy(_)));
        state.found.mutants[mutant] = if is_direct && is_balanced(state.task.form, state.task.mutants[mutant], texts) {
            let within = schema.files.values().find_map(|written| written.line_within(number, complaint.line));
            let line = state.task.form.lines.0 as usize + within.unwrap_or(0);
            Finding::Unbuildable(format!("{}:{line}: {}", state.task.file, complaint.message))
        } else {
            Finding::Doubtful
        };
    }
    progress
}

/// Whether every bracket of the copy is balanced: otherwise an error may belong to another copy.
fn is_balanced(form: &Form, edits: &[Edit], texts: &Texts) -> bool {
    let copy = texts.get(&form.file).map(|text| form.copy(1, edits, &text.bytes)).unwrap_or_default();
    let mut open = Vec::new();
    for token in crate::lex::tokens(&copy).iter().filter(|token| !token.directive) {
        match token.text(&copy) {
            b"(" => open.push(b")"),
            b"[" => open.push(b"]"),
            b"{" => open.push(b"}"),
            close @ (b")" | b"]" | b"}") if open.pop().is_none_or(|wanted| wanted != close) => return false,
            _ => {}
        }
    }
    open.is_empty()
}
