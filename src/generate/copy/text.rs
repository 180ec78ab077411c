//! The copied text itself: renaming, labels, macros, namespaces.

use super::*;

/// Opens and closes namespaces as the text goes on.
#[derive(Default)]
pub(super) struct Namespaces(Vec<Scope>);

impl Namespaces {
    pub(super) fn enter(&mut self, text: &mut String, scopes: &[Scope]) {
        let wanted: Vec<Scope> = scopes.iter().filter(|s| matches!(s, Scope::Namespace { .. })).cloned().collect();
        if self.0 == wanted {
            return;
        }
        if !self.0.is_empty() {
            let names = self.0.iter().filter_map(|scope| match scope {
                Scope::Namespace { name, .. } if !name.is_empty() => Some(name.as_str()),
                _ => None,
            });
            let names: Vec<&str> = names.collect();
            let what = if names.is_empty() { String::new() } else { format!(" {}", names.join("::")) };
            let _ = writeln!(text, "\n{}  // namespace{what}", "}".repeat(self.0.len()));
        }
        if !wanted.is_empty() {
            text.push('\n');
            for scope in &wanted {
                let Scope::Namespace { name, inline } = scope else { continue };
                let word = if *inline { "inline namespace" } else { "namespace" };
                let gap = if name.is_empty() { "" } else { " " };
                let _ = write!(text, "{word}{gap}{name} {{ ");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        self.0 = wanted;
    }
}

pub(super) fn forward(class: &Class, name: &str) -> String {
    let key = match class.kind {
        crate::model::ClassKind::Class => "class",
        crate::model::ClassKind::Struct => "struct",
        crate::model::ClassKind::Union => "union",
    };
    match &class.template {
        None => format!("{key} {name};\n"),
        Some(params) => {
            // Default arguments may stand only once: they stay with the definition unless it comes without.
            let list: Vec<String> = params
                .iter()
                .map(|p| match &p.default {
                    Some(_) => p.text.split('=').next().unwrap_or(&p.text).trim().to_owned(),
                    None => p.text.clone(),
                })
                .collect();
            format!("template <{}> {key} {name};\n", list.join(", "))
        }
    }
}

/// The edits that rename every reference in `start..end`; identifiers without a reference in the AST (macro
/// arguments, dependent names) are renamed by name where they can't be members of something else.
pub(super) fn rename_edits(
    source: &str,
    start: u32,
    end: u32,
    references: &[Reference],
    renames: &Renames,
) -> Vec<(u32, u32, String)> {
    let by_offset: BTreeMap<u32, &Reference> = references.iter().map(|r| (r.offset, r)).collect();
    let by_name: BTreeMap<&str, &str> = renames.values().map(|(old, new)| (old.as_str(), new.as_str())).collect();
    let Some(text) = source.get(start as usize..end as usize) else { return Vec::new() };
    words(text)
        .into_iter()
        .filter_map(|word| {
            let new = by_name.get(word.text)?;
            let at = start + word.start as u32;
            let renamed = match by_offset.get(&at) {
                Some(reference) => renames.contains_key(&reference.target),
                None => !word.is_member && !word.in_directive,
            };
            renamed.then(|| (at, at + word.text.len() as u32, (*new).to_owned()))
        })
        .collect()
}

/// Keeps the labels of one body to itself: a function may have each label only once, and a macro may jump to one by its
/// name.
pub(in crate::generate) fn with_own_labels(body: &str, labels: &[String]) -> String {
    // A mutant may have lost one.
    let is_there = |label: &&String| {
        let behind =
            words(body).into_iter().filter(|w| w.text == label.as_str()).map(|w| &body[w.start + w.text.len()..]);
        behind.map(str::trim_start).any(|behind| behind.starts_with(':') && !behind.starts_with("::"))
    };
    let labels: BTreeSet<&str> = labels.iter().filter(is_there).map(String::as_str).collect();
    let declared = format!("{{ __label__ {};", labels.iter().copied().collect::<Vec<_>>().join(", "));
    match body.strip_prefix('{') {
        _ if labels.is_empty() => body.to_owned(),
        Some(rest) => declared + rest,
        // The body of a function is a `try`.
        None => format!("{declared} {body} }}"),
    }
}

/// A line with those that a backslash joins to it.
pub(super) fn logical_line(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    text[..end].trim_end()
}

/// Whether the file says `#undef name`.
pub(super) fn is_taken_back(source: &str, name: &str) -> bool {
    source.lines().any(|line| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start).and_then(|l| l.strip_prefix("undef"));
        rest.is_some_and(|rest| rest.split_whitespace().next() == Some(name))
    })
}

/// Functions that others call by a name of the language or of the standard library.
pub(super) fn is_found_by_lookup(name: &str) -> bool {
    name.starts_with("operator")
        || matches!(name, "swap" | "begin" | "end" | "size" | "data" | "hash_value" | "to_string" | "get" | "abs")
}

/// An operator's symbol as part of a name.
pub(super) fn operator_word(symbol: &str) -> String {
    let word = match symbol.trim() {
        "==" => "equal",
        "!=" => "unequal",
        "<" => "less",
        ">" => "greater",
        "<=" => "less_equal",
        ">=" => "greater_equal",
        "+" => "plus",
        "-" => "minus",
        "*" => "times",
        "/" => "divided_by",
        "<<" => "shift_left",
        ">>" => "shift_right",
        other => return other.bytes().map(|b| format!("{b:02x}")).collect(),
    };
    word.to_owned()
}

pub(super) fn requalify(qualified: &str, old: &str, new: &str) -> String {
    match qualified.strip_suffix(old) {
        Some(scope) => format!("{scope}{new}"),
        None => new.to_owned(),
    }
}

/// Text for a `//` comment: one line, no backslash at its end.
pub(in crate::generate) fn comment_safe(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim_end_matches('\\').to_owned()
}
