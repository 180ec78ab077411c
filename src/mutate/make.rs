//! Makes mutants: every body in scope, walked by every requested operator.

pub mod test_files;

use super::arid;
use super::name::{self, name};
use super::scope::{Place, Scope, Step};
use super::skip_comments::{self, Mark};
use super::source::Source;
use crate::bodies;
use crate::context::{Context, shown};
use crate::diag::Problem;
use crate::lex;
use crate::model::{Function, FunctionKind, Model};
use crate::mutant::made::{Made, Standing};
use crate::operators::{self, Surroundings};
use crate::session::Session;
use crate::tree::Trees;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The mutants of a scope.
#[derive(Default)]
pub struct Selection {
    /// The mutants, by file and place.
    pub mutants: Vec<Made>,
    /// Marks that exclude mutants.
    pub skipped: Vec<Skipped>,
    /// The files that have mutants.
    pub sources: BTreeMap<PathBuf, Source>,
    /// The number of mutants before any filter.
    pub made: usize,
    /// The number left by each filter.
    pub steps: Vec<Step>,
    /// Of a shard: the files with mutants of all shards, relative to the project.
    pub files: Vec<PathBuf>,
}

impl Selection {
    /// Adds what was made of other functions, also of the same files.
    pub fn join(&mut self, other: Self) {
        self.mutants.extend(other.mutants);
        let mut begins: HashMap<&str, u32> = HashMap::new();
        for mutant in &self.mutants {
            let start = mutant.change.edits.first().map_or(0, |edit| edit.start);
            begins.entry(&mutant.unit).and_modify(|begin| *begin = start.min(*begin)).or_insert(start);
        }
        let begins: HashMap<String, u32> = begins.into_iter().map(|(unit, at)| (unit.to_owned(), at)).collect();
        self.mutants.sort_by_cached_key(|mutant| (mutant.file.clone(), begins[mutant.unit.as_str()]));
        for mark in other.skipped {
            let is_it = |known: &&mut Skipped| (&known.file, known.line) == (&mark.file, mark.line);
            match self.skipped.iter_mut().filter(is_it).find(|known| known.reason == mark.reason) {
                Some(known) => known.mutants += mark.mutants,
                None => self.skipped.push(mark),
            }
        }
        self.sources.extend(other.sources);
        self.made += other.made;
        let before = std::mem::replace(&mut self.steps, other.steps);
        for step in self.steps.iter_mut().filter(|step| step.noun == "mutant") {
            step.left += before.iter().find(|known| known.what == step.what).map_or(0, |known| known.left);
        }
    }
}

/// A mark, and the number of mutants it excluded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The file; relative to the project in lists.
    pub file: PathBuf,
    /// The line of the mark.
    pub line: u32,
    /// The reason.
    pub reason: String,
    /// The number of mutants.
    pub mutants: usize,
}

impl Skipped {
    /// No person's mark: nobody asserts on the code.
    pub fn is_arid(&self) -> bool {
        self.reason.ends_with(arid::ARID)
    }
}

/// The mutants of one file.
struct FileMutants {
    file: PathBuf,
    source: Source,
    mutants: Vec<Made>,
    skipped: Vec<Skipped>,
    problems: Vec<Problem>,
}

/// Functions by file.
pub type Files<'m> = BTreeMap<PathBuf, Vec<&'m Function>>;

/// The functions of the project that can have mutants.
fn candidates(model: &Model) -> Files<'_> {
    let mut by_file = Files::new();
    for function in model.functions.values() {
        let Some(definition) = &function.definition else { continue };
        let is_main = function.name == "main" && function.kind == FunctionKind::Function && function.scopes.is_empty();
        if !definition.in_macro && !function.is_defaulted && !function.is_deleted && !is_main {
            by_file.entry(definition.extent.file.clone()).or_default().push(function);
        }
    }
    by_file
}

/// What mutants can be made of: the scope, the functions in it by file, and what each filter of files has left.
pub struct Ground<'m> {
    /// The scope.
    pub scope: Scope,
    /// The functions.
    pub files: Files<'m>,
    /// The number of files left by each filter.
    pub steps: Vec<Step>,
}

/// Finds the functions in scope.
///
/// # Errors
///
/// A name in the scope does not exist, or the scope is empty.
pub fn ground<'s>(context: &Context, session: &'s Session) -> anyhow::Result<Ground<'s>> {
    let mut files = candidates(&session.model);
    let names: Vec<PathBuf> = files.keys().cloned().collect();
    let scope = Scope::resolve(session, &names, &[])?;
    let mut steps = vec![Step { what: "of the project".into(), left: files.len(), noun: "file" }];
    let step = |what: String, files: &Files<'_>| Step { what, left: files.len(), noun: "file" };
    leave_out_generated(context, session, &scope, &mut files);
    leave_out_tests(context, session, &scope, &mut files);
    if files.len() < steps[0].left {
        steps.push(step("leaving out tests and generated code".into(), &files));
    }
    if !scope.files_in_words().is_empty() {
        files.retain(|file, _| scope.takes_file(file));
        steps.push(step(scope.files_in_words().join(", "), &files));
    }
    if !session.options.units.is_empty() {
        files.retain(|_, functions| {
            functions.retain(|function| scope.takes_unit(&function.usr));
            !functions.is_empty()
        });
        steps.push(step(scope.units_in_words(), &files));
    }
    if !files.is_empty() {
        scope.narrow_files(&mut files, &mut steps);
    }
    Ok(Ground { scope, files, steps })
}

/// Makes the mutants of functions.
///
/// # Errors
///
/// The scope is empty, or the user interrupted.
pub fn make(
    context: &Context,
    session: &Session,
    scope: &Scope,
    files: &Files<'_>,
    steps: Vec<Step>,
) -> anyhow::Result<Selection> {
    let parts = parts(context, session, scope, files)?;
    let mut making = Selection { steps, ..Selection::default() };
    for part in parts {
        part.problems.iter().for_each(|problem| context.ui.warn(problem));
        making.mutants.extend(part.mutants);
        making.skipped.extend(part.skipped);
        making.sources.insert(part.file, part.source);
    }
    say_arid(context, &making.skipped);
    narrow(session, scope, &mut making)?;
    let with_mutants: BTreeSet<&PathBuf> = making.mutants.iter().map(|mutant| &mutant.file).collect();
    making.sources.retain(|file, _| with_mutants.contains(file));
    making.made = making.mutants.len();
    Ok(making)
}

/// Says how many mutants were left out because nobody asserts on their code.
fn say_arid(context: &Context, skipped: &[Skipped]) {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in skipped {
        if let Some(kind) = mark.reason.strip_suffix(arid::ARID) {
            *kinds.entry(kind).or_default() += mark.mutants;
        }
    }
    if !kinds.is_empty() {
        let kinds: Vec<String> = kinds.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
        let text = "left out, mutants in code that nobody asserts on";
        context.ui.note(format_args!("{text}: {}", kinds.join(", ")));
    }
}

/// Keeps the mutants on requested lines.
fn narrow(session: &Session, scope: &Scope, making: &mut Selection) -> anyhow::Result<()> {
    let skipped: usize = making.skipped.iter().map(|mark| mark.mutants).sum();
    let made = making.mutants.len();
    making.steps.push(Step { what: "the operators".into(), left: made + skipped, noun: "mutant" });
    if skipped > 0 {
        making.steps.push(Step { what: "`motif: skip` and arid code".into(), left: made, noun: "mutant" });
    }
    let mutants = std::mem::take(&mut making.mutants);
    let sources = &making.sources;
    let place = |mutant: &Made| {
        let floor = session.model.functions.get(&mutant.unit).and_then(|f| f.definition.as_ref());
        Place {
            file: mutant.file.clone(),
            lines: sources.get(&mutant.file).map_or((mutant.line, mutant.line), |s| s.lines_of(&mutant.change)),
            column: mutant.column,
            floor: floor.map_or(1, |definition| definition.extent.line),
            unit: mutant.unit.clone(),
            operator: mutant.change.operator.clone(),
        }
    };
    // Files, units and operators were narrowed before anything was made.
    making.mutants = scope.narrow_lines(mutants, place, &mut making.steps);
    Ok(())
}

/// Files below the build folder and the output folder are generated.
fn leave_out_generated(context: &Context, session: &Session, scope: &Scope, files: &mut Files<'_>) {
    let options = &session.options;
    let build = session.database.path.parent().filter(|build| !options.root.starts_with(build));
    let folders: Vec<&Path> = build.into_iter().chain([options.output.as_path()]).collect();
    let before = files.len();
    files.retain(|file, _| scope.names_file(file) || !folders.iter().any(|folder| file.starts_with(folder)));
    if files.len() < before {
        let number = before - files.len();
        context.ui.detail(format_args!("{number} files below the build folder are generated code, and left out"));
    }
}

fn leave_out_tests(context: &Context, session: &Session, scope: &Scope, files: &mut Files<'_>) {
    let root = &session.options.root;
    let mut first = None;
    let mut left_out = 0;
    let model = &session.model;
    files.retain(|file, functions| {
        let Some(source) = model.files.get(file).filter(|_| !scope.names_file(file)) else { return true };
        let relative = file.strip_prefix(root).unwrap_or(file);
        let lexicon = session.overrides.lexicon();
        let Some(why) = test_files::recognised(lexicon, relative, source, || test_files::is_used(model, file)) else {
            if test_files::framework(source).is_some()
                && let Ok(text) = std::fs::read(file)
            {
                functions.retain(|function| test_files::is_named_in(&text, function));
            }
            functions.retain(|function| !test_files::is_for_tests(lexicon, function));
            if functions.is_empty() {
                first.get_or_insert_with(|| format!("all of {} is for tests", shown(root, file)));
                left_out += 1;
            }
            return !functions.is_empty();
        };
        first.get_or_insert_with(|| format!("{} {why}", shown(root, file)));
        left_out += 1;
        false
    });
    if let Some(first) = first {
        let number = if left_out == 1 { "a file of tests is".into() } else { format!("{left_out} files of tests are") };
        context.ui.note(format_args!("{number} left out ({first}); `--file` takes them nevertheless"));
    }
}

/// The files by the translation unit that they are read in, with their results.
fn parts(context: &Context, session: &Session, scope: &Scope, files: &Files<'_>) -> anyhow::Result<Vec<FileMutants>> {
    let stage = context.ui.stage("mutating", files.len());
    let names: Vec<PathBuf> = files.keys().cloned().collect();
    let read = bodies::read(context, session, &names, &|trees| {
        stage.advance(shown(&session.options.root, &trees.file));
        part(session, scope, trees, files.get(&trees.file)?)
            .inspect_err(|error| {
                let fix = "check that it can be read";
                let problem = Problem::untestable("source-unreadable", error.to_string(), fix);
                context.ui.warn(&problem.at(&trees.file));
            })
            .ok()
    });
    drop(stage);
    let mut parts = read?;
    parts.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(parts)
}

fn part(session: &Session, scope: &Scope, trees: &Trees, functions: &[&Function]) -> std::io::Result<FileMutants> {
    let model = &session.model;
    let source = Source::read(&trees.file)?;
    let around = Surroundings { model, hierarchy: &session.hierarchy, trees, source: &source.bytes };
    let by_usr: HashMap<&str, &Function> = functions.iter().map(|f| (f.usr.as_str(), *f)).collect();
    let whole = |start: u32| whole(model, trees, &source.bytes, start);
    let (mut marks, problems) = skip_comments::marks(&trees.file, &source, &whole);
    marks.extend(arid::marks(trees, &source, session.overrides.arid()));
    let mut counts = vec![0usize; marks.len()];
    let mut numbers: HashMap<(u32, u32, u32, String), usize> = HashMap::new();
    let mut mutants = Vec::new();
    for body in &trees.bodies {
        let Some(function) = by_usr.get(body.unit.as_str()) else { continue };
        if is_immediate(function, &source.bytes) {
            continue;
        }
        for change in operators::changes(body, &around, &|operator| scope.operators.takes(operator.name)) {
            let (Some(first), Some(last)) = (change.edits.first(), change.edits.last()) else { continue };
            let (start, end) = (first.start, last.end);
            let (line, column) = source.place(start);
            let end_column = source.place(end).1;
            let number = numbers.entry((line, column, end_column, change.operator.clone())).or_default();
            *number += 1;
            if let Some(mark) = skipping(&marks, start) {
                counts[mark] += 1;
                continue;
            }
            let place = name::Place { line, column, end_column, number: *number };
            mutants.push(Made {
                id: name(&session.options.root, &trees.file, place, &change.operator, &function.name),
                file: trees.file.clone(),
                line,
                column,
                unit: function.usr.clone(),
                unit_id: function.id.clone(),
                change,
                standing: Standing::New,
                reason: None,
            });
        }
    }
    let file = trees.file.clone();
    let skipped = marks.into_iter().zip(counts).filter(|(_, mutants)| *mutants > 0);
    let skipped =
        skipped.map(|(mark, mutants)| Skipped { file: file.clone(), line: mark.line, reason: mark.reason, mutants });
    let skipped = skipped.collect();
    Ok(FileMutants { file, source, mutants, skipped, problems })
}

/// The innermost mark that covers `offset`.
fn skipping(marks: &[Mark], offset: u32) -> Option<usize> {
    (0..marks.len())
        .filter(|at| marks[*at].start <= offset && offset < marks[*at].end)
        .min_by_key(|at| marks[*at].end - marks[*at].start)
}

/// `consteval`: it never runs, so its mutants can only be compiled.
fn is_immediate(function: &Function, source: &[u8]) -> bool {
    let Some(definition) = function.definition.as_ref().filter(|_| function.is_constexpr) else { return false };
    let head = source.get(definition.extent.start as usize..definition.name_offset as usize).unwrap_or_default();
    lex::tokens(head).iter().any(|token| token.is(head, "consteval"))
}

/// The end of the function, class or statement that starts at an offset, attributes before it included.
fn whole(model: &Model, trees: &Trees, source: &[u8], start: u32) -> Option<u32> {
    let leads_to = |extent: u32| {
        let between = (extent >= start).then(|| source.get(start as usize..extent as usize)).flatten();
        between.is_some_and(|text| !text.iter().any(|byte| b";{}".contains(byte)))
    };
    let functions = model.functions.values().filter_map(|function| Some(&function.definition.as_ref()?.extent));
    let classes = model.classes.values().filter_map(|class| class.definition.as_ref());
    let definition = functions
        .chain(classes)
        .filter(|extent| extent.file == trees.file && leads_to(extent.start))
        .min_by_key(|extent| (extent.start, std::cmp::Reverse(extent.end)));
    // The outermost statement comes first.
    let mut statement = None;
    for body in trees.bodies.iter().filter(|_| definition.is_none()) {
        body.root.walk(&mut |node| {
            if node.span.start == start {
                statement.get_or_insert(node.span.end);
            }
        });
    }
    definition.map(|extent| extent.end).or(statement)
}
