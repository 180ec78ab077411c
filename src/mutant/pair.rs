//! Pairs a mutant with its unit: the mutated file is parsed in place of the original, and the two are compared
//! function by function. The comparison decides, not names.

use super::derive::{Base, Derived, outermost};
use super::{Given, Mutant, Pairing, Settled};
use crate::compdb::Database;
use crate::lex::{Text, Token};
use crate::model::{Function, Model};
use crate::outcome::Status;
use crate::parse::{self, CompileError, ParseOptions, Version};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Versions of a file per process; more are distributed.
const BATCH: usize = 48;

const SAME: &str = "differs in nothing but comments and white space";

type Unpaired = (Status, String);

/// Pairs every mutant, in order. Each is parsed as part of the translation unit of its original (for a header: of the
/// first that includes it).
pub fn pair(givens: &[Given], model: &Model, database: &Database, options: &ParseOptions) -> Result<Vec<Mutant>> {
    let root = options.root.canonicalize().unwrap_or_else(|_| options.root.clone());
    let mut results: Vec<Option<Mutant>> = vec![None; givens.len()];
    let mut by_original: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (index, given) in givens.iter().enumerate() {
        if let Some(Settled { status, reason, diff }) = &given.settled {
            let unit = given.claim.function.clone();
            results[index] = Some(Mutant { unit, ..mutant(given, diff.clone(), Err((*status, reason.clone()))) });
            continue;
        }
        match readable(given, model, &root) {
            Ok(original) => by_original.entry(original).or_default().push(index),
            Err(unpaired) => results[index] = Some(mutant(given, difference(given, &root), Err(unpaired))),
        }
    }
    let mut batches: Vec<(PathBuf, Vec<usize>)> = Vec::new();
    for (original, members) in by_original {
        let share = members.len().div_ceil(options.jobs.max(1)).clamp(1, BATCH);
        batches.extend(members.chunks(share).map(|chunk| (original.clone(), chunk.to_vec())));
    }
    let done = parse::in_parallel(options.jobs, batches.len(), |at| {
        let (original, members) = &batches[at];
        pair_batch(original, members, givens, model, database, options, &root)
    });
    for batch in done {
        for (index, found) in batch? {
            results[index] = Some(found);
        }
    }
    Ok(results.into_iter().flatten().collect())
}

/// The original, if it is a readable file of the project.
fn readable(given: &Given, model: &Model, root: &Path) -> Result<PathBuf, Unpaired> {
    let not_here = || (Status::Invalid, "no file of this project is its original".to_string());
    let original = given.original.clone().ok_or_else(not_here)?;
    let shown = relative(&original, root);
    let unit = model.unit_of(&original).ok_or_else(|| {
        (Status::Invalid, format!("not of this project: no file of the compile database reads {}", shown.display()))
    })?;
    match unit.errors.first() {
        Some(error) => Err((Status::NoDriver, format!("the original does not parse: {error}"))),
        None => Ok(original),
    }
}

fn pair_batch(
    original: &Path,
    members: &[usize],
    givens: &[Given],
    model: &Model,
    database: &Database,
    options: &ParseOptions,
    root: &Path,
) -> Result<Vec<(usize, Mutant)>> {
    let unit = model.unit_of(original).context("a file without a translation unit")?;
    let command = database.commands.get(unit.command).context("a translation unit without a command")?;
    let source = std::fs::read(original).with_context(|| original.display().to_string())?;
    let text = Text::new(source.as_slice());
    let made = |given: &Given, pairing| mutant(given, difference(given, root), pairing);
    let mut found = Vec::new();
    let mut wanted = Vec::new();
    let base = Base::new(original, &text, model);
    let (of_whole, members): (Vec<usize>, Vec<usize>) =
        members.iter().copied().partition(|index| givens[*index].whole.as_ref() == Some(&givens[*index].path));
    for index in members {
        let given = &givens[index];
        match std::fs::read(&given.path) {
            Ok(mutated) if given.is_ours => match base.derive(&mutated) {
                Some(Derived { pairing, line }) => found.push((index, Mutant { line, ..made(given, Ok(pairing)) })),
                None => wanted.push(index),
            },
            // A difference in comments alone needs no parsing.
            Ok(mutated) => {
                let mutated = Text::new(mutated.as_slice());
                if same_tokens(&text, &text.tokens, &mutated, &mutated.tokens) {
                    found.push((index, made(given, Err((Status::Invalid, SAME.into())))));
                } else {
                    wanted.push(index);
                }
            }
            Err(error) => found.push((index, made(given, Err((Status::Invalid, format!("can't be read: {error}")))))),
        }
    }
    if wanted.is_empty() && of_whole.is_empty() {
        return Ok(found);
    }
    let versions = |paths: Vec<&Path>| {
        let paths: Vec<PathBuf> = std::iter::once(original).chain(paths).map(Path::to_path_buf).collect();
        parse::versions(command, original, &paths, database, options)
    };
    let read = versions(wanted.iter().map(|&index| givens[index].path.as_path()).collect())?;
    let (base, rest) = read.split_first().context("nothing was read")?;
    let base = Side::new(original, text, base);
    let mut again: Vec<(usize, Option<String>)> = of_whole.into_iter().map(|index| (index, None)).collect();
    for (&index, version) in wanted.iter().zip(rest) {
        let given = &givens[index];
        let mutated = std::fs::read(&given.path)?;
        let side = Side::new(original, Text::new(&mutated), version);
        let line = first_difference(&base, &side).map(|offset| base.text.line(offset));
        let paired = paired(&base, &side, model, root);
        match paired {
            Err((Status::Invalid | Status::Unbuildable, why)) if given.whole.is_some() => {
                again.push((index, Some(why)))
            }
            paired => {
                let mut result = made(given, paired);
                result.line = line.or(given.claim.line).unwrap_or(1);
                found.push((index, result));
            }
        }
    }
    let wholes: Vec<&Path> = again.iter().filter_map(|(index, _)| givens[*index].whole.as_deref()).collect();
    // The same version of a file serves all of its functions: it is read once.
    let mut texts: Vec<(Vec<u8>, &Path)> = Vec::new();
    let mut place = Vec::new();
    for path in wholes {
        let text = std::fs::read(path)?;
        let known = texts.iter().position(|(known, _)| *known == text);
        place.push(known.unwrap_or(texts.len()));
        if known.is_none() {
            texts.push((text, path));
        }
    }
    let read = if texts.is_empty() { Vec::new() } else { versions(texts.iter().map(|(_, path)| *path).collect())? };
    for ((index, first), at) in again.into_iter().zip(place) {
        let given = &givens[index];
        let (text, path) = &texts[at];
        let version = read.get(at + 1).context("nothing was read")?;
        let side = Side::new(original, Text::new(text), version);
        let given = Given { path: path.to_path_buf(), ..given.clone() };
        let paired =
            whole(&base, &side, given.claim.function.as_deref(), model, root).map_err(|(status, why)| match first {
                Some(first) => (status, format!("{first}; nor does the whole file of that version serve: {why}")),
                None => (status, why),
            });
        found.push((index, made(&given, paired)));
    }
    Ok(found)
}

/// Pairs another version of the whole file with the function of that id.
fn whole(base: &Side, side: &Side, id: Option<&str>, model: &Model, root: &Path) -> Result<Pairing, Unpaired> {
    check(base, side, root)?;
    let is_meant = |part: &&DefinedFunction| Some(part.function.id.as_str()) == id;
    let not_there = || (Status::Unbuildable, "it does not have this function".to_owned());
    let old = base.functions.iter().find(is_meant).ok_or_else(not_there)?;
    let new = side.functions.iter().find(is_meant).ok_or_else(not_there)?;
    Ok(Pairing { is_whole: true, ..pairing(base, side, old, new, model)? })
}

fn relative(path: &Path, root: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_path_buf()
}

/// The diff of a given mutant.
fn difference(given: &Given, root: &Path) -> String {
    let Some((original, old)) = given.original.as_ref().and_then(|path| Some((path, std::fs::read(path).ok()?))) else {
        return String::new();
    };
    let new = std::fs::read(&given.path).unwrap_or_default();
    // A mutation tool may change line ends.
    let has_returns = |text: &[u8]| text.windows(2).any(|pair| pair == b"\r\n");
    let without = |text: &[u8]| String::from_utf8_lossy(text).replace("\r\n", "\n").into_bytes();
    let is_mixed = has_returns(&old) != has_returns(&new);
    let (old, new) = if is_mixed { (without(&old), without(&new)) } else { (old, new) };
    super::made::diff(&relative(original, root), &old, &new)
}

fn mutant(given: &Given, diff: String, pairing: Result<Pairing, Unpaired>) -> Mutant {
    Mutant {
        id: given.id.clone(),
        path: given.path.clone(),
        line: given.claim.line.unwrap_or(1),
        operator: given.claim.operator.clone().unwrap_or_else(|| "?".into()),
        filter: given.filter,
        original: given.original.clone().unwrap_or_default(),
        diff,
        unit: None,
        suite: given.suite,
        pairing,
    }
}

fn same_tokens(a: &Text<&[u8]>, a_tokens: &[Token], b: &Text<&[u8]>, b_tokens: &[Token]) -> bool {
    a_tokens.len() == b_tokens.len()
        && a_tokens.iter().zip(b_tokens).all(|(x, y)| x.kind == y.kind && a.word(x) == b.word(y))
}

/// One version of the file.
struct Side<'v> {
    text: Text<&'v [u8]>,
    version: &'v Version,
    file: &'v Path,
    /// The functions defined in the file, none within another, in order.
    functions: Vec<DefinedFunction<'v>>,
}

/// A function and what of it may differ: from the `:` of its initialisers, or from `{`, to `}`.
struct DefinedFunction<'v> {
    function: &'v Function,
    span: (u32, u32),
}

impl<'v> Side<'v> {
    fn new(file: &'v Path, text: Text<&'v [u8]>, version: &'v Version) -> Self {
        let functions = outermost(&version.model, file, &text)
            .into_iter()
            .map(|(start, function, definition)| DefinedFunction { function, span: (start, definition.body.end) })
            .collect();
        Self { text, version, file, functions }
    }

    /// The text outside functions; a function is an empty entry.
    fn outside(&self) -> Vec<(&'v [u8], u32)> {
        let mut out = Vec::new();
        let mut parts = self.functions.iter().peekable();
        for token in &self.text.tokens {
            while let Some(part) = parts.next_if(|part| part.span.0 <= token.start) {
                out.push((&b""[..], part.span.0));
                if token.start >= part.span.1 {
                    continue;
                }
            }
            let inside = self.functions.partition_point(|part| part.span.0 <= token.start);
            if inside == 0 || token.start >= self.functions[inside - 1].span.1 {
                out.push((if token.end > token.start { token.text(self.text.bytes) } else { b"\n" }, token.start));
            }
        }
        out
    }

    fn tokens_in(&self, span: (u32, u32)) -> &[Token] {
        self.text.within(span.0, span.1)
    }
}

/// Offset in the original of the first different token.
fn first_difference(base: &Side, side: &Side) -> Option<u32> {
    let (old, new) = (&base.text, &side.text);
    let pairs = old.tokens.iter().zip(&new.tokens);
    let common = pairs.take_while(|(a, b)| old.word(a) == new.word(b)).count();
    match old.tokens.get(common) {
        Some(token) => Some(token.start),
        None if new.tokens.len() > common => old.tokens.last().map(|token| token.start),
        None => None,
    }
}

/// Refuses versions that do not compile.
fn check(base: &Side, side: &Side, root: &Path) -> Result<(), Unpaired> {
    if let Some(error) = base.version.errors.first() {
        return Err((Status::NoDriver, format!("the original does not parse: {}", shown(error, root))));
    }
    if let Some(error) = side.version.errors.first() {
        return Err(match side.version.errors.iter().find(|error| error.is_syntax) {
            _ if error.line == 0 => (Status::Error, error.message.clone()),
            Some(first) => (Status::Invalid, format!("does not parse: {}", shown(first, root))),
            None => (Status::Unbuildable, shown(error, root)),
        });
    }
    Ok(())
}

fn paired(base: &Side, side: &Side, model: &Model, root: &Path) -> Result<Pairing, Unpaired> {
    check(base, side, root)?;
    outside_is_equal(base, side)?;
    let changed: Vec<(&DefinedFunction, &DefinedFunction)> = base
        .functions
        .iter()
        .zip(&side.functions)
        .filter(|(old, new)| {
            let (old, new) = (base.tokens_in(old.span), side.tokens_in(new.span));
            !same_tokens(&base.text, old, &side.text, new)
        })
        .collect();
    match changed[..] {
        [] => Err((Status::Invalid, SAME.into())),
        [(old, new)] => pairing(base, side, old, new, model),
        _ => {
            let ids: Vec<&str> = changed.iter().take(3).map(|(old, _)| old.function.id.as_str()).collect();
            Err((Status::Invalid, format!("changes {} functions: {}", changed.len(), ids.join(", "))))
        }
    }
}

fn shown(error: &CompileError, root: &Path) -> String {
    format!("{}:{}: {}", relative(&error.file, root).display(), error.line, error.message)
}

fn outside_is_equal(base: &Side, side: &Side) -> Result<(), Unpaired> {
    let (old, new) = (base.outside(), side.outside());
    let common = old.iter().zip(&new).take_while(|(a, b)| a.0 == b.0).count();
    if common == old.len() && common == new.len() {
        return Ok(());
    }
    let at = old.get(common).or(old.last()).map_or(0, |(_, offset)| *offset);
    let line = base.text.line(at);
    let head = base
        .functions
        .iter()
        .find(|part| part.function.definition.as_ref().is_some_and(|definition| definition.extent.contains(at)));
    let directive = base.text.tokens.iter().any(|token| token.start == at && token.directive);
    let what = match head {
        _ if directive => format!("changes a preprocessor directive (line {line})"),
        Some(part) => format!("changes the declaration of {} (line {line})", part.function.id),
        None => format!("changes a declaration (line {line}), not the body of a function"),
    };
    Err((Status::Invalid, what))
}

fn pairing(
    base: &Side,
    side: &Side,
    old: &DefinedFunction,
    new: &DefinedFunction,
    model: &Model,
) -> Result<Pairing, Unpaired> {
    let not_known = || (Status::Invalid, format!("{} is not among the project's functions", old.function.id));
    let known = model.functions.get(&old.function.usr).and_then(|function| function.definition.as_ref());
    known.ok_or_else(not_known)?;
    let (Some(before), Some(after)) = (&old.function.definition, &new.function.definition) else {
        return Err(not_known());
    };
    let body = (after.body.start, after.body.end);
    let initializers = after.initializers.as_ref().map(|extent| (extent.start, extent.end));
    let old_head = base.tokens_in((old.span.0, before.body.start));
    let new_head = side.tokens_in((new.span.0, after.body.start));
    let in_initializers = !same_tokens(&base.text, old_head, &side.text, new_head);
    let references = side.version.model.files.get(side.file).map(|file| {
        let inside = file.references.iter().filter(|reference| after.extent.contains(reference.offset));
        inside.cloned().collect()
    });
    Ok(Pairing {
        unit: old.function.usr.clone(),
        body,
        initializers,
        in_initializers,
        is_whole: false,
        references: references.unwrap_or_default(),
        labels: after.labels.clone(),
        literals: after.literals.iter().filter(|literal| !before.literals.contains(literal)).cloned().collect(),
    })
}

#[cfg(test)]
#[path = "pair_tests.rs"]
mod tests;
