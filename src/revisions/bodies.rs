//! Which functions differ between two revisions, each with the newer file in which the older body stands.

use super::layout;
use crate::lex::Text;
use crate::model::{Definition, Function, Model, Usr};
use crate::mutant::outermost;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A function whose body changed and whose signature did not.
pub struct Changed<'m> {
    /// The newer function.
    pub function: &'m Function,
    /// Its file, relative to the root.
    pub file: PathBuf,
    /// The text of the newer file.
    pub newer: Vec<u8>,
    /// The same with the older body in it, or why there is no such text.
    pub mixed: Result<Vec<u8>, String>,
    /// The older file as a whole, for where the older body needs more of it. None for a header with a type of another
    /// layout: what includes it would have to be of the same revision.
    pub whole: Option<Vec<u8>>,
}

/// A function that can't be compared, and why.
pub struct Apart<'m> {
    /// The function in the revision that has it, the newer one where both have.
    pub function: &'m Function,
    /// Its file there, relative to the root.
    pub file: PathBuf,
    /// What is told of it.
    pub why: String,
}

/// A file that has errors in a revision: what was read of it may be wrong.
pub struct Unread {
    /// Relative to the root.
    pub file: PathBuf,
    /// The first error.
    pub why: String,
    /// The functions of it that are known, by id.
    pub functions: BTreeSet<String>,
}

/// The functions of two revisions.
#[derive(Default)]
pub struct Comparison<'m> {
    /// Those to compare, by file and line.
    pub changed: Vec<Changed<'m>>,
    /// Those whose older body does not fit into the newer function: it calls what is gone, which a C compiler would
    /// take for an unknown function, or a name would mean something else; and no whole file could stand for it.
    pub unfit: Vec<Apart<'m>>,
    /// Those whose signature changed, and those that appeared or went.
    pub apart: Vec<Apart<'m>>,
    /// The files whose functions are not compared.
    pub unread: Vec<Unread>,
    /// The files that differ in more than functions, relative to the root.
    pub outside: Vec<PathBuf>,
}

/// A function with the part that may differ: from the `:` of its initialisers, or from `{`, to `}`.
struct Part<'m> {
    function: &'m Function,
    definition: &'m Definition,
    file: &'m Path,
    start: u32,
}

impl<'m> Part<'m> {
    fn apart(&self, why: impl Into<String>) -> Apart<'m> {
        Apart { function: self.function, file: self.file.to_path_buf(), why: why.into() }
    }
}

/// The functions of one revision.
struct Side<'m> {
    model: &'m Model,
    root: &'m Path,
    parts: BTreeMap<&'m Usr, Part<'m>>,
    texts: BTreeMap<&'m Path, Text>,
    /// Files with errors, each with the first.
    unread: BTreeMap<&'m Path, &'m str>,
}

impl<'m> Side<'m> {
    fn new(model: &'m Model, root: &'m Path) -> Self {
        let unread = unread(model, root);
        let mut side = Self { model, root, parts: BTreeMap::new(), texts: BTreeMap::new(), unread };
        for (path, bytes) in model.files.keys().filter_map(|path| Some((path, std::fs::read(path).ok()?))) {
            let Ok(file) = path.strip_prefix(root) else { continue };
            let text = Text::new(bytes.as_slice());
            for (start, function, definition) in outermost(model, path, &text) {
                side.parts.insert(&function.usr, Part { function, definition, file, start });
            }
            side.texts.insert(file, Text { tokens: text.tokens, bytes });
        }
        side
    }

    fn tokens(&self, part: &Part) -> Vec<&[u8]> {
        let text = &self.texts[part.file];
        text.within(part.start, part.definition.body.end).iter().map(|token| text.word(token)).collect()
    }

    /// The words of a file outside functions.
    fn outside(&self, file: &Path) -> Vec<&[u8]> {
        let text = &self.texts[file];
        let extents = self.parts.values().filter(|part| part.file == file).map(|part| &part.definition.extent);
        let mut extents: Vec<(u32, u32)> = extents.map(|extent| (extent.start, extent.end)).collect();
        extents.sort_unstable();
        let is_outside = |offset: u32| {
            let before = extents.partition_point(|(start, _)| *start <= offset);
            before == 0 || extents[before - 1].1 <= offset
        };
        text.tokens.iter().filter(|token| is_outside(token.start)).map(|token| text.word(token)).collect()
    }

    /// Whether a file is compiled by itself.
    fn is_source(&self, file: &Path) -> bool {
        self.model.units.iter().any(|unit| unit.main_file.strip_prefix(self.root) == Ok(file))
    }

    /// Whether there is such a function without a text that another could replace.
    fn is_without_body(&self, usr: &Usr) -> bool {
        let in_macro = |function: &Function| function.definition.as_ref().is_some_and(|it| it.in_macro);
        let bare = |function: &Function| function.is_defaulted || function.is_deleted || in_macro(function);
        self.model.functions.get(usr).is_some_and(bare)
    }
}

/// The files that were read with errors only, each with the first.
fn unread<'m>(model: &'m Model, root: &Path) -> BTreeMap<&'m Path, &'m str> {
    let (good, bad): (Vec<_>, Vec<_>) = model.units.iter().partition(|unit| unit.errors.is_empty());
    let good: BTreeSet<&PathBuf> = good.iter().flat_map(|unit| &unit.files).collect();
    let files = bad.iter().rev().flat_map(|unit| {
        let files = unit.files.iter().chain([&unit.main_file]);
        files.filter_map(|file| Some((file, unit.errors.first()?.as_str())))
    });
    let files = files.filter(|(file, _)| !good.contains(file));
    files.filter_map(|(file, why)| Some((file.strip_prefix(root).ok()?, why))).collect()
}

/// Compares the functions of two models whose roots are given.
pub fn compare<'m>(older: (&'m Model, &'m Path), newer: (&'m Model, &'m Path)) -> Comparison<'m> {
    let (mut old, mut new) = (Side::new(older.0, older.1), Side::new(newer.0, newer.1));
    let mut found = Comparison { unread: leave_out_unread(&mut old, &mut new), ..Comparison::default() };
    let predecessors = predecessors(&old, &new);
    let heirs: BTreeMap<&Usr, &Part> = predecessors.iter().map(|(usr, before)| (*before, &new.parts[*usr])).collect();
    let mut lost: BTreeSet<&Usr> = old.parts.keys().copied().filter(|usr| !heirs.contains_key(usr)).collect();
    for (usr, part) in &new.parts {
        let Some(before) = predecessors.get(usr).map(|usr| &old.parts[*usr]) else {
            if old.is_without_body(usr) {
                found.unfit.push(part.apart("the older revision has no body for it"));
                continue;
            }
            // The same name with other parameters is the same function to a reader.
            let twin = lost.iter().copied().find(|usr| old.parts[usr].function.qualified == part.function.qualified);
            let why = match twin {
                Some(usr) => format!("signature changed from `{}`", signature(old.parts[usr].function)),
                None => "new".to_owned(),
            };
            twin.map(|usr| lost.remove(usr));
            found.apart.push(part.apart(why));
            continue;
        };
        let was = signature(before.function);
        if was != signature(part.function) {
            found.apart.push(part.apart(format!("signature changed from `{was}`")));
            continue;
        }
        if old.tokens(before) == new.tokens(part) {
            continue;
        }
        let other = match new.is_source(part.file) {
            true => None,
            false => layout::differs(older.0, &old.root.join(before.file), newer.0),
        };
        let whole = other.is_none().then(|| old.texts[before.file].bytes.clone());
        let mut take = |mixed: Result<Vec<u8>, String>| match (mixed, other) {
            (Err(why), Some(ty)) => {
                found.unfit.push(part.apart(format!("{why}; `{ty}`, which its header declares, has another meaning")));
            }
            (mixed, _) => found.changed.push(changed(mixed, whole.clone(), &new, part)),
        };
        let Some(body) = renamed(&old.texts[before.file], before, part.function) else {
            let why = "its parameters were renamed, and a name would mean something else in the older body";
            take(Err(why.to_owned()));
            continue;
        };
        let renamed = Text::new(body.as_slice());
        if renamed.tokens.iter().map(|token| renamed.word(token)).eq(new.tokens(part)) {
            continue;
        }
        // A function that has moved to another file is there for the older body if the newer one calls it.
        let is_there = |heir: &&Part| heir.file == part.file || part.definition.calls.contains(&heir.function.usr);
        let is_gone = |usr: &&Usr| {
            let is_known = newer.0.functions.contains_key(*usr) || heirs.get(usr).is_some_and(is_there);
            old.parts.contains_key(usr) && !is_known
        };
        take(match before.definition.calls.iter().find(is_gone) {
            Some(usr) => Err(format!("its older body calls `{}`, which is gone", old.parts[usr].function.id)),
            None => Ok(body),
        });
    }
    for usr in lost {
        let part = &old.parts[usr];
        match new.is_without_body(usr) {
            true => found.unfit.push(part.apart("the newer revision has no body for it")),
            false => found.apart.push(part.apart("gone")),
        }
    }
    let both = new.texts.keys().filter(|file| old.texts.contains_key(*file) && !is_unread(&old, &new, file));
    found.outside = both.filter(|file| old.outside(file) != new.outside(file)).map(|file| file.to_path_buf()).collect();
    let place =
        |it: &Changed| (it.file.clone(), it.function.definition.as_ref().map(|definition| definition.body.start));
    found.changed.sort_by_cached_key(place);
    found
}

fn is_unread(old: &Side, new: &Side, file: &Path) -> bool {
    old.unread.contains_key(file) || new.unread.contains_key(file)
}

/// Takes the functions of files out that have errors in either revision.
fn leave_out_unread<'m>(old: &mut Side<'m>, new: &mut Side<'m>) -> Vec<Unread> {
    let mut files: BTreeMap<&Path, &str> = unseen(old, new).into_iter().chain(unseen(new, old)).collect();
    files.extend(old.unread.iter().chain(&new.unread));
    let mut left_out = Vec::new();
    for (file, why) in files {
        let mut functions = BTreeSet::new();
        for parts in [&mut old.parts, &mut new.parts] {
            let of_file = parts.values().filter(|part| part.file == file);
            functions.extend(of_file.map(|part| part.function.id.clone()));
            parts.retain(|_, part| part.file != file);
        }
        left_out.push(Unread { file: file.to_path_buf(), why: why.to_owned(), functions });
    }
    left_out
}

/// The files of a side that the other does not have, where all that read them have errors in the other: these may be
/// why.
fn unseen<'m>(side: &Side<'m>, other: &Side<'m>) -> Vec<(&'m Path, &'m str)> {
    let mut files: BTreeMap<&Path, Option<&str>> = BTreeMap::new();
    for unit in &side.model.units {
        let why = unit.main_file.strip_prefix(side.root).ok().and_then(|main| other.unread.get(main).copied());
        for file in unit.files.iter().filter_map(|file| file.strip_prefix(side.root).ok()) {
            let known = files.entry(file).or_insert(why);
            *known = known.and(why);
        }
    }
    let missing = files.into_iter().filter(|(file, _)| !other.texts.contains_key(file));
    missing.filter_map(|(file, why)| Some((file, why?))).collect()
}

/// The older functions by the newer ones: those with the same USR, then those with the same signature. The USR of a
/// function that became visible outside its file, or moved with it, is another.
fn predecessors<'m>(old: &Side<'m>, new: &Side<'m>) -> BTreeMap<&'m Usr, &'m Usr> {
    let kept = new.parts.keys().copied().filter(|usr| old.parts.contains_key(usr)).map(|usr| (usr, usr));
    let mut found: BTreeMap<&Usr, &Usr> = kept.collect();
    let lost = old.parts.iter().filter(|(usr, _)| !new.parts.contains_key(*usr) && !new.is_without_body(usr));
    let mut by_signature: BTreeMap<String, Vec<(&Usr, &Path)>> = BTreeMap::new();
    for (usr, part) in lost {
        by_signature.entry(signature(part.function)).or_default().push((usr, part.file));
    }
    for (usr, part) in new.parts.iter().filter(|(usr, _)| !old.parts.contains_key(*usr)) {
        let Some(candidates) = by_signature.get_mut(&signature(part.function)) else { continue };
        let alike = |file: &Path| {
            let pairs = file.components().rev().zip(part.file.components().rev());
            (file == part.file, pairs.take_while(|(a, b)| a == b).count())
        };
        if let Some(best) = (0..candidates.len()).max_by_key(|at| alike(candidates[*at].1)) {
            found.insert(usr, candidates.swap_remove(best).0);
        }
    }
    found
}

/// What callers see of a function.
fn signature(function: &Function) -> String {
    let params: Vec<&str> = function.params.iter().map(|param| param.ty.spelling.as_str()).collect();
    let (head, tail) = function.id.rsplit_once(')').unwrap_or((&function.qualified, ""));
    let name = head.split_once('(').map_or(head, |_| &function.qualified);
    let dots = if function.is_variadic { ", ..." } else { "" };
    format!("{} {name}({}{dots}){tail}", function.result.spelling, params.join(", "))
}

fn changed<'m>(body: Result<Vec<u8>, String>, whole: Option<Vec<u8>>, new: &Side, part: &Part<'m>) -> Changed<'m> {
    let newer = new.texts[part.file].bytes.clone();
    let (start, end) = (part.start as usize, part.definition.body.end as usize);
    let mixed = body.map(|body| [&newer[..start], &body, &newer[end..]].concat());
    Changed { function: part.function, file: part.file.to_path_buf(), newer, mixed, whole }
}

/// The older body, with parameters called as in the newer function; `None` where a new name has a meaning in it
/// already, or a parameter that it uses has no name any more.
fn renamed(text: &Text, before: &Part, after: &Function) -> Option<Vec<u8>> {
    let pairs = before.function.params.iter().zip(&after.params).filter(|(old, new)| old.name != new.name);
    let pairs: Vec<(&[u8], &[u8])> = pairs.map(|(old, new)| (old.name.as_bytes(), new.name.as_bytes())).collect();
    let names: BTreeMap<&[u8], &[u8]> = pairs.iter().copied().filter(|(old, _)| !old.is_empty()).collect();
    let (mut out, mut at) = (Vec::new(), before.start as usize);
    let (mut last, mut depth): (&[u8], i32) = (b"", 0);
    for token in text.within(before.start, before.definition.body.end) {
        let word = text.word(token);
        match word {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            _ => {}
        }
        // A member, a tag, or what an initialiser is for: no parameter is meant.
        let is_member = matches!(last, b"." | b"->" | b"::");
        let is_tag = matches!(last, b"struct" | b"union" | b"enum" | b"class");
        let is_initialised = depth == 0 && token.start < before.definition.body.start;
        last = word;
        if is_member || is_tag || is_initialised {
            continue;
        }
        match names.get(word) {
            Some(&b"") => return None,
            Some(name) => {
                out.extend_from_slice(&text.bytes[at..token.start as usize]);
                out.extend_from_slice(name);
                at = token.end as usize;
            }
            None if pairs.iter().any(|(_, name)| *name == word) && !word.is_empty() => return None,
            None => {}
        }
    }
    out.extend_from_slice(&text.bytes[at..before.definition.body.end as usize]);
    Some(out)
}

#[cfg(test)]
#[path = "bodies_tests.rs"]
mod tests;
