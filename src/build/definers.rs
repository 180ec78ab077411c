//! Which source files define a symbol that an object asks for, as far as the model can tell.
//!
//! A mangled name is read as far as its names go (Itanium C++ ABI, section 5.1), and these are looked up. The answer
//! may have a file too many, where functions share a name; that costs a compilation.

use crate::model::Model;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Sources by the names that they define.
#[derive(Debug, Default)]
pub(super) struct Definers {
    /// `name`, `Class::name`, and `Class::` for all that a class has outside of its definition.
    by_name: HashMap<String, BTreeSet<usize>>,
    /// Files that were read only in part: they may define anything.
    doubtful: BTreeSet<usize>,
    /// Files that define a function that another file defines, too.
    rivals: BTreeSet<usize>,
}

impl Definers {
    /// The definers among `sources`, which are counted from 0.
    pub(super) fn new<'s>(model: &Model, sources: impl IntoIterator<Item = &'s Path>) -> Self {
        let numbers: BTreeMap<&Path, usize> =
            sources.into_iter().enumerate().map(|(number, file)| (file, number)).collect();
        let mut definers = Self::default();
        // What a header defines besides inline functions belongs to the source that includes it.
        let sources_of = |file: &Path| -> BTreeSet<usize> {
            let own = numbers.get(file).copied();
            let including = || {
                let units = model.units.iter().filter(|unit| unit.files.iter().any(|known| known == file));
                units.filter_map(|unit| numbers.get(unit.main_file.as_path()).copied()).collect()
            };
            own.map_or_else(including, |own| [own].into())
        };
        let mut known: BTreeMap<&Path, BTreeSet<usize>> = BTreeMap::new();
        let mut by_symbol: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for function in model.functions.values().filter(|function| !function.is_file_local) {
            let Some(definition) = &function.definition else { continue };
            let file = definition.extent.file.as_path();
            if !numbers.contains_key(file) && (function.is_inline || function.template.is_some()) {
                continue;
            }
            let among = known.entry(file).or_insert_with(|| sources_of(file));
            definers.add(&function.qualified, among);
            if let (Some(own), false) = (numbers.get(file), function.is_inline || function.template.is_some()) {
                by_symbol.entry(function.mangled.as_deref().unwrap_or(&function.name)).or_default().insert(*own);
            }
        }
        definers.rivals = by_symbol.into_values().filter(|own| own.len() > 1).flatten().collect();
        for variable in model.variables.values().filter(|variable| !variable.is_file_local) {
            let Some(file) = variable.defined_in.as_deref() else { continue };
            let among = known.entry(file).or_insert_with(|| sources_of(file));
            definers.add(&variable.qualified, among);
        }
        for unit in model.units.iter().filter(|unit| !unit.errors.is_empty()) {
            definers.doubtful.extend(numbers.get(unit.main_file.as_path()));
        }
        let read: BTreeSet<&Path> = model.units.iter().map(|unit| unit.main_file.as_path()).collect();
        definers.doubtful.extend(numbers.iter().filter(|(file, _)| !read.contains(*file)).map(|(_, number)| number));
        definers
    }

    /// The sources that define what others define as well.
    pub(super) fn rivals(&self) -> &BTreeSet<usize> {
        &self.rivals
    }

    fn add(&mut self, qualified: &str, sources: &BTreeSet<usize>) {
        let mut parts = without_arguments(qualified).rsplit("::").map(str::to_owned).collect::<Vec<_>>().into_iter();
        let (name, scope) = (parts.next().unwrap_or_default(), parts.next());
        let mut put = |key: String| self.by_name.entry(key).or_default().extend(sources);
        if let Some(scope) = scope {
            put(format!("{scope}::{name}"));
            put(format!("{scope}::"));
        }
        put(name);
    }

    /// The sources that may define `symbol`.
    pub(super) fn of(&self, symbol: &str) -> BTreeSet<usize> {
        let get = |key: &str| self.by_name.get(key).into_iter().flatten().copied();
        let Some(encoded) = symbol.strip_prefix("_Z") else { return get(symbol).collect() };
        let named = names(encoded);
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for pair in named.path.windows(2) {
            found.extend(get(&pair.join("::")));
        }
        if let Some(last) = named.path.last() {
            found.extend(get(last));
            if !named.ends_in_a_name {
                found.extend(get(&format!("{last}::")));
            }
        }
        found
    }

    /// Files that may define more than the model knows.
    pub(super) fn doubtful(&self) -> &BTreeSet<usize> {
        &self.doubtful
    }
}

/// The last name in a symbol: what a source calls it.
pub(super) fn name(symbol: &str) -> &str {
    let encoded = symbol.strip_prefix("_Z").map(names);
    encoded.and_then(|names| names.path.last().copied()).unwrap_or(symbol)
}

/// A qualified name without template arguments.
fn without_arguments(qualified: &str) -> String {
    // (An operator's own angle brackets are no arguments.)
    let (head, operator) = qualified.find("operator").map_or((qualified, ""), |at| qualified.split_at(at));
    let mut depth = 0usize;
    let mut text = String::new();
    for c in head.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text + operator
}

/// The names in an encoding, outermost first.
#[derive(Debug, PartialEq, Eq)]
struct Names<'s> {
    path: Vec<&'s str>,
    /// What is meant is called by the last of them; else it is an operator, a constructor, or a table of that class.
    ends_in_a_name: bool,
}

fn names(encoded: &str) -> Names<'_> {
    let special = ["TV", "TT", "TI", "TS", "GV", "TW", "TH", "Th", "Tv", "Tc"].iter().any(|it| encoded.starts_with(it));
    // A thunk has offsets before the name.
    let is_thunk = ["Th", "Tv", "Tc"].iter().any(|it| encoded.starts_with(it));
    let begin = encoded.find("_N").filter(|_| is_thunk).map_or(encoded, |at| &encoded[at + 1..]);
    let (mut path, mut rest, mut ends_in_a_name) = (Vec::new(), begin, false);
    let mut has_arguments = false;
    let mut depth = 0usize;
    while let Some(&first) = rest.as_bytes().first() {
        if first.is_ascii_digit() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let end = rest[..digits].parse::<usize>().ok().and_then(|length| digits.checked_add(length));
            let Some(name) = end.and_then(|end| rest.get(digits..end)) else { break };
            path.push(name);
            ends_in_a_name = true;
            rest = &rest[digits + name.len()..];
            // A name that is not nested ends with its identifier, but for template arguments.
            if depth == 0 && !special && !rest.starts_with('I') {
                break;
            }
            continue;
        }
        let mut width = 1;
        match first {
            b'N' if path.is_empty() => depth += 1,
            b'I' => has_arguments = true,
            // With arguments, all names are looked up: those of the arguments do no harm.
            b'E' if !has_arguments => break,
            // A constructor or destructor, with a digit.
            b'C' | b'D' if !path.is_empty() => {
                ends_in_a_name = false;
                width = 2;
            }
            // What was said before, or a parameter, with a number.
            b'S' | b'T' if !special || !path.is_empty() => width = behind_number(rest),
            // A value, up to its end.
            b'L' if has_arguments => width = rest.find('E').unwrap_or(0) + 1,
            b'a'..=b'z' if !path.is_empty() => ends_in_a_name = false,
            _ => {}
        }
        rest = rest.get(width..).unwrap_or_default();
    }
    Names { path, ends_in_a_name: ends_in_a_name && !special && !has_arguments }
}

/// The length of `S_`, `S1_`, `T0_`, or of an abbreviation such as `St`.
fn behind_number(text: &str) -> usize {
    let number = text.bytes().skip(1).take_while(|c| c.is_ascii_digit() || c.is_ascii_uppercase()).count();
    2 + if text.as_bytes().get(1 + number) == Some(&b'_') { number } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(symbol: &str) -> (Vec<&str>, bool) {
        let names = names(symbol.strip_prefix("_Z").unwrap());
        (names.path, names.ends_in_a_name)
    }

    #[test]
    fn mangled_names_are_read_up_to_their_parameters() {
        assert_eq!(read("_ZNK4geos4geom8Geometry4areaERKS1_3Box"), (vec!["geos", "geom", "Geometry", "area"], true));
        assert_eq!(read("_Z3addii"), (vec!["add"], true));
        assert_eq!(read("_ZN1n4goneE"), (vec!["n", "gone"], true));
        assert_eq!(read("_ZL4tick3Box"), (vec!["tick"], true));
    }

    #[test]
    fn constructors_operators_and_tables_stand_for_all_of_their_class() {
        for symbol in ["_ZN1n3BoxC1Ei", "_ZN1n3BoxD0Ev", "_ZN1n3BoxplERKS0_", "_ZTVN1n3BoxE", "_ZThn16_N1n3Box4drawEv"]
        {
            let (path, ends_in_a_name) = read(symbol);
            assert_eq!((&path[..2], ends_in_a_name), (&["n", "Box"][..], false), "{symbol}");
        }
    }

    #[test]
    fn of_an_instance_all_names_count() {
        assert_eq!(read("_ZN1n4HoldINS_3BoxEE3putERKS1_"), (vec!["n", "Hold", "Box", "put"], false));
    }

    #[test]
    fn qualified_names_lose_their_arguments_and_keep_their_operators() {
        assert_eq!(without_arguments("n::Hold<n::Box<int>>::put"), "n::Hold::put");
        assert_eq!(without_arguments("n::Box::operator<"), "n::Box::operator<");
    }
}
