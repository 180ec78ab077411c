//! What different sources call alike: `struct context` of one and of another file of C, `usage()` of two programs, the
//! real `adc_read()` and the one that tests put in its place. clang has one name for both; in a model of the whole
//! project they are two things.

use super::job::from_json;
use crate::model::{Extent, Model, Namesake, Namesakes, Usr};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
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
            found.push(Namesake { from: usr.clone(), to: format!("{usr}#{}", file.display()), with_members });
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

fn is_within(usr: &str, of: &str) -> bool {
    usr.strip_prefix(of).is_some_and(|rest| rest.starts_with('@'))
}

/// A value with the names that it has in the model.
pub(super) fn renamed<T: Serialize + DeserializeOwned + Send>(value: T, names: &[Namesake]) -> T {
    let Ok(mut text) = serde_json::to_string(&value) else { return value };
    for Namesake { from, to, with_members } in names {
        let quoted = |usr: &str| serde_json::to_string(usr).unwrap_or_default().trim_end_matches('"').to_owned();
        let (from, to) = (quoted(from), quoted(to));
        text = text.replace(&format!("{from}\""), &format!("{to}\""));
        if *with_members {
            text = text.replace(&format!("{from}@"), &format!("{to}@"));
        }
    }
    from_json(text.as_bytes()).unwrap_or(value)
}
