//! Which functions differ between two revisions, each with the newer file in which the older body stands.

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
    /// The same with the older body in it.
    pub mixed: Vec<u8>,
}

/// A function that can't be compared: its id, and why.
pub struct Apart {
    /// The id in the revision that has it.
    pub id: String,
    /// What is told of it.
    pub why: String,
}

/// The functions of two revisions.
#[derive(Default)]
pub struct Comparison<'m> {
    /// Those to compare, by file and line.
    pub changed: Vec<Changed<'m>>,
    /// Those whose older body calls what is gone. A C compiler would take the call for one of an unknown function.
    pub unfit: Vec<Apart>,
    /// Those whose signature changed, and those that appeared or went.
    pub apart: Vec<Apart>,
}

/// A function with the part that may differ: from the `:` of its initialisers, or from `{`, to `}`.
struct Part<'m> {
    function: &'m Function,
    definition: &'m Definition,
    file: &'m Path,
    start: u32,
}

/// The functions of one revision.
struct Side<'m> {
    parts: BTreeMap<&'m Usr, Part<'m>>,
    texts: BTreeMap<&'m Path, Text>,
}

impl<'m> Side<'m> {
    fn new(model: &'m Model, root: &Path) -> Self {
        let mut side = Self { parts: BTreeMap::new(), texts: BTreeMap::new() };
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
}

/// Compares the functions of two models whose roots are given.
pub fn compare<'m>(older: (&'m Model, &Path), newer: (&'m Model, &Path)) -> Comparison<'m> {
    let (old, new) = (Side::new(older.0, older.1), Side::new(newer.0, newer.1));
    let mut found = Comparison::default();
    let mut lost: BTreeSet<&Usr> = old.parts.keys().copied().filter(|usr| !new.parts.contains_key(usr)).collect();
    for (usr, part) in &new.parts {
        let id = || part.function.id.clone();
        let Some(before) = old.parts.get(usr) else {
            // The same name with other parameters is the same function to a reader.
            let twin = lost.iter().copied().find(|usr| old.parts[usr].function.qualified == part.function.qualified);
            let why = match twin {
                Some(usr) => format!("signature changed from `{}`", signature(old.parts[usr].function)),
                None => "new".to_owned(),
            };
            twin.map(|usr| lost.remove(usr));
            found.apart.push(Apart { id: id(), why });
            continue;
        };
        let was = signature(before.function);
        if was != signature(part.function) {
            found.apart.push(Apart { id: id(), why: format!("signature changed from `{was}`") });
        } else if old.tokens(before) != new.tokens(part) {
            let is_gone = |usr: &&Usr| old.parts.contains_key(usr) && !newer.0.functions.contains_key(*usr);
            match before.definition.calls.iter().find(is_gone) {
                Some(usr) => {
                    let why = format!("its older body calls `{}`, which is gone", old.parts[usr].function.id);
                    found.unfit.push(Apart { id: id(), why });
                }
                None => found.changed.push(changed(&old, before, &new, part)),
            }
        }
    }
    let gone = lost.into_iter().map(|usr| Apart { id: old.parts[usr].function.id.clone(), why: "gone".to_owned() });
    found.apart.extend(gone);
    let place =
        |it: &Changed| (it.file.clone(), it.function.definition.as_ref().map(|definition| definition.body.start));
    found.changed.sort_by_cached_key(place);
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

fn changed<'m>(old: &Side, before: &Part, new: &Side, part: &Part<'m>) -> Changed<'m> {
    let newer = new.texts[part.file].bytes.clone();
    let (start, end) = (part.start as usize, part.definition.body.end as usize);
    let body = renamed(&old.texts[before.file], before, part.function);
    let mixed = [&newer[..start], &body, &newer[end..]].concat();
    Changed { function: part.function, file: part.file.to_path_buf(), newer, mixed }
}

/// The older body, with parameters called as in the newer function.
fn renamed(text: &Text, before: &Part, after: &Function) -> Vec<u8> {
    let pairs = before.function.params.iter().zip(&after.params);
    let names: BTreeMap<&[u8], &[u8]> = pairs
        .filter(|(old, new)| old.name != new.name && !old.name.is_empty() && !new.name.is_empty())
        .map(|(old, new)| (old.name.as_bytes(), new.name.as_bytes()))
        .collect();
    let (mut out, mut at) = (Vec::new(), before.start as usize);
    let mut last: &[u8] = b"";
    for token in text.within(before.start, before.definition.body.end) {
        let word = text.word(token);
        let is_member = matches!(last, b"." | b"->" | b"::");
        if let Some(name) = names.get(word).filter(|_| !is_member) {
            out.extend_from_slice(&text.bytes[at..token.start as usize]);
            out.extend_from_slice(name);
            at = token.end as usize;
        }
        last = word;
    }
    out.extend_from_slice(&text.bytes[at..before.definition.body.end as usize]);
    out
}
