//! What different sources call alike: `struct context` of one and of another file of C, `usage()` of two programs, the
//! real `adc_read()` and the one that tests put in its place. clang has one name for both; in a model of the whole
//! project they are two things.

use super::job::from_json;
use crate::model::{Extent, Model, Namesake, Namesakes, Usr};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The definitions so far, and their places.
#[derive(Default)]
pub(super) struct Defined {
    first: HashMap<Usr, Extent>,
    texts: HashMap<PathBuf, Vec<u8>>,
    pub found: Namesakes,
}

impl Defined {
    /// The translation unit's part with names of its own for what was defined before, elsewhere and differently.
    pub fn tell_apart(&mut self, part: Model, root: &Path) -> Model {
        let mut found: Vec<Namesake> = Vec::new();
        for (usr, extent, with_members) in definitions(&part) {
            let is_member = |known: &Namesake| known.with_members && is_within(usr, &known.from);
            if found.iter().any(is_member) {
                continue;
            }
            let Some(first) = self.first.get(usr).cloned() else {
                self.first.insert(usr.clone(), extent.clone());
                continue;
            };
            if first.file == extent.file || self.text(&first) == self.text(extent) {
                continue;
            }
            let file = extent.file.strip_prefix(root).unwrap_or(&extent.file);
            let to = format!("{usr}#{}", file.display());
            found.push(Namesake { from: usr.clone(), to, with_members, is_elsewhere: false });
        }
        if found.is_empty() {
            return part;
        }
        let main = part.units.first().map(|unit| unit.main_file.clone());
        let part = renamed(part, &found);
        self.found.extend(main.map(|main| (main, found)));
        part
    }

    /// The text of an extent without white space.
    fn text(&mut self, extent: &Extent) -> Vec<u8> {
        let bytes =
            self.texts.entry(extent.file.clone()).or_insert_with_key(|path| std::fs::read(path).unwrap_or_default());
        let end = (extent.end as usize).min(bytes.len());
        let text = &bytes[(extent.start as usize).min(end)..end];
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    }
}

/// All that a part defines: classes before their members, which go with them.
fn definitions(part: &Model) -> impl Iterator<Item = (&Usr, &Extent, bool)> {
    let classes = part.classes.iter().filter_map(|(usr, class)| Some((usr, class.definition.as_ref()?, true)));
    let enums = part.enums.iter().filter_map(|(usr, of)| Some((usr, of.definition.as_ref()?, true)));
    let aliases = part.aliases.iter().map(|(usr, alias)| (usr, &alias.definition, false));
    let functions = part.functions.iter().filter_map(|(usr, f)| Some((usr, &f.definition.as_ref()?.extent, false)));
    classes.chain(enums).chain(aliases).chain(functions)
}

/// Of functions that several sources define alike, variants of a library mostly, a body calls the one that stands
/// nearest: the linker knows which, a model of the whole project has to guess.
pub(super) fn link_calls(model: &mut Model) {
    let mut variants: BTreeMap<Usr, Vec<(Usr, PathBuf)>> = BTreeMap::new();
    let file = |usr: &Usr| Some(model.functions.get(usr)?.definition.as_ref()?.extent.file.to_path_buf());
    for Namesake { from, to, .. } in model.namesakes.values().flatten() {
        let (Some(first), Some(other)) = (file(from), file(to)) else { continue };
        let known = variants.entry(from.clone()).or_insert_with(|| vec![(from.clone(), first)]);
        if known.iter().all(|(usr, _)| usr != to) {
            known.push((to.clone(), other));
        }
    }
    if variants.is_empty() {
        return;
    }
    let nearest = |usr: &Usr, here: &Path| {
        let near = |(_, file): &&(Usr, PathBuf)| here.iter().zip(file).take_while(|(a, b)| a == b).count();
        // (The first of those that are as near.)
        let best = variants.get(usr)?.iter().rev().max_by_key(near)?;
        Some(best.0.clone()).filter(|best| best != usr)
    };
    let mut linked: BTreeMap<PathBuf, BTreeMap<Usr, Usr>> = BTreeMap::new();
    // (What a header calls depends on who includes it.)
    let mains: BTreeSet<PathBuf> = model.units.iter().map(|unit| unit.main_file.clone()).collect();
    for body in model.functions.values_mut().filter_map(|function| function.definition.as_mut()) {
        let here = body.extent.file.to_path_buf();
        if !mains.contains(&here) {
            continue;
        }
        for calls in [&mut body.calls, &mut body.hands_on] {
            let moved: Vec<(Usr, Usr)> =
                calls.iter().filter_map(|usr| Some((usr.clone(), nearest(usr, &here)?))).collect();
            for (from, to) in moved {
                calls.remove(&from);
                calls.insert(to.clone());
                linked.entry(here.clone()).or_default().insert(from, to);
            }
        }
    }
    for (file, moved) in linked {
        for reference in model.files.get_mut(&file).into_iter().flat_map(|file| &mut file.references) {
            if let Some(to) = moved.get(&reference.target) {
                reference.target = to.clone();
            }
        }
        // Whoever reads the source again finds the same.
        let known = model.namesakes.entry(file).or_default();
        let news = moved.into_iter().filter(|(from, _)| known.iter().all(|it| it.from != *from));
        let news: Vec<Namesake> =
            news.map(|(from, to)| Namesake { from, to, with_members: false, is_elsewhere: true }).collect();
        known.extend(news);
    }
}

fn is_within(usr: &str, of: &str) -> bool {
    usr.strip_prefix(of).is_some_and(|rest| rest.starts_with('@'))
}

/// A value with the names that it has in the model.
pub(super) fn renamed<T: Serialize + DeserializeOwned + Send>(value: T, names: &[Namesake]) -> T {
    let Ok(mut text) = serde_json::to_string(&value) else { return value };
    for Namesake { from, to, with_members, .. } in names {
        let quoted = |usr: &str| serde_json::to_string(usr).unwrap_or_default().trim_end_matches('"').to_owned();
        let (from, to) = (quoted(from), quoted(to));
        text = text.replace(&format!("{from}\""), &format!("{to}\""));
        if *with_members {
            text = text.replace(&format!("{from}@"), &format!("{to}@"));
        }
    }
    from_json(text.as_bytes()).unwrap_or(value)
}
