//! The graph of files inside one room: who imports whom, and who reaches around an import through a method.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::source::{Call, Impl, Path, Source};

/// The files of a room by their module path (`run`, `run::unit`).
#[derive(Default)]
pub struct Room {
    pub files: BTreeMap<String, Source>,
}

/// For each pair of files that the first needs the second: the lines that say so.
pub type Edges<'r> = BTreeMap<(&'r str, &'r str), Vec<String>>;

/// A type by its file and its name.
type Type<'r> = (&'r str, String);

/// How many lines are shown for a pair of files.
const SHOWN: usize = 4;

impl Room {
    /// What must not be: circles of more than `most` files.
    pub fn circles(&self, most: usize) -> Vec<String> {
        let edges = self.edges();
        let graph: DiGraphMap<&str, ()> = edges.keys().copied().collect();
        let mut found = Vec::new();
        for circle in tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > most) {
            let inside: BTreeSet<&str> = circle.iter().copied().collect();
            let mut text = format!("circle of {} files:", circle.len());
            for ((from, to), causes) in &edges {
                if inside.contains(from) && inside.contains(to) {
                    let more = if causes.len() > SHOWN { ", and more" } else { "" };
                    let shown = &causes[..causes.len().min(SHOWN)];
                    text += &format!("\n    {from} -> {to}: {}{more}", shown.join(", "));
                }
            }
            found.push(text);
        }
        found
    }

    /// What must not be: an `impl` in a file that the type's own file needs.
    pub fn reached_around(&self) -> Vec<String> {
        let edges = self.edges();
        let mut found = Vec::new();
        for (file, home, block) in self.away_from_home() {
            if let Some(way) = way(&edges, home, file) {
                found.push(format!(
                    "{file}:{}: an `impl` of `{}`, whose file needs this one ({way})",
                    block.line,
                    block.of.join("::")
                ));
            }
        }
        found
    }

    /// The methods of each type, over all its inherent `impl` blocks.
    pub fn methods(&self) -> BTreeMap<String, usize> {
        let mut found = BTreeMap::new();
        for (file, source) in &self.files {
            for block in source.impls.iter().filter(|block| block.is_inherent) {
                let home = self.home(file, &block.of).unwrap_or(file);
                let name = block.of.last().cloned().unwrap_or_default();
                *found.entry(format!("{home}::{name}")).or_default() += block.methods.len();
            }
        }
        found
    }

    pub fn edges(&self) -> Edges<'_> {
        let mut edges = Edges::new();
        let mut add = |from, to, line: usize, what: &str| {
            if from != to {
                let causes: &mut Vec<String> = edges.entry((from, to)).or_default();
                let cause = format!("line {line} `{what}`");
                if !causes.contains(&cause) {
                    causes.push(cause);
                }
            }
        };
        for (file, source) in &self.files {
            for import in source.imports.iter().filter(|import| !import.is_reexport) {
                if let Some(to) = self.home(file, &import.path) {
                    add(file.as_str(), to, import.line, &import.path.join("::"));
                }
            }
            for (path, line) in &source.paths {
                // A word alone says something only where a `pub use` brought it in.
                let is_meant = path.len() > 1 || source.imports.iter().any(|i| i.is_reexport && i.name == path[0]);
                if let Some(to) = self.home(file, path).filter(|_| is_meant) {
                    add(file.as_str(), to, *line, &path.join("::"));
                }
            }
        }
        // A method that lives away from its type is called without an import.
        let strays = self.stray_methods();
        for (file, source) in &self.files {
            for call in &source.calls {
                let Some(of) = self.receiver_type(file, source, call) else { continue };
                if let Some(to) = strays.get(&(of, call.name.clone())) {
                    add(file.as_str(), to, call.line, &format!("{}.{}()", call.receiver, call.name));
                }
            }
        }
        edges
    }

    /// Methods that stand away from the file of their type: the type (file and name) and the method, with their file.
    fn stray_methods(&self) -> BTreeMap<(Type<'_>, String), &str> {
        let mut found = BTreeMap::new();
        for (file, home, block) in self.away_from_home() {
            let of = (home, block.of.last().cloned().unwrap_or_default());
            found.extend(block.methods.iter().map(|(name, _)| ((of.clone(), name.clone()), file)));
        }
        found
    }

    /// The type whose method is called, as far as words tell: the type of the `impl` for `self`, a type by its name,
    /// and a variable or a field by the habit of calling it after its type.
    fn receiver_type(&self, file: &str, source: &Source, call: &Call) -> Option<Type<'_>> {
        let around = source.impls.iter().find(|block| block.line <= call.line && call.line <= block.end);
        if matches!(call.receiver.as_str(), "self" | "Self") {
            let of = &around?.of;
            return Some((self.home(file, of)?, of.last()?.clone()));
        }
        let name: String = call.receiver.split('_').map(capitalised).collect();
        if call.receiver.starts_with(char::is_uppercase) {
            return Some((self.home(file, &vec![name.clone()])?, name));
        }
        let home = self.files.iter().find(|(_, source)| source.defined.contains(&name))?.0;
        Some((home, name))
    }

    /// Inherent `impl` blocks outside the file that defines their type: the block's file, the type's, the block.
    fn away_from_home(&self) -> Vec<(&str, &str, &Impl)> {
        let mut found = Vec::new();
        for (file, source) in &self.files {
            for block in source.impls.iter().filter(|block| block.is_inherent) {
                match self.home(file, &block.of) {
                    Some(home) if home != file => found.push((file.as_str(), home, block)),
                    _ => {}
                }
            }
        }
        found
    }

    /// The file of this room that defines what `path` means in `file`; through every `use` on the way.
    pub fn home(&self, file: &str, path: &Path) -> Option<&str> {
        let mut seen = BTreeSet::new();
        self.resolve(file, path, true, &mut seen)
    }

    fn resolve<'r>(&'r self, file: &str, path: &[String], local: bool, seen: &mut BTreeSet<String>) -> Option<&'r str> {
        if !seen.insert(format!("{file} {}", path.join("::"))) {
            return None;
        }
        let (file, source) = self.files.get_key_value(file)?;
        let Some((first, rest)) = path.split_first() else { return Some(file) };
        match first.as_str() {
            "crate" => {
                // The longest part of the path that is a file; what follows is looked up in there.
                let most = (1..path.len()).rev().find(|n| self.files.contains_key(&path[1..=*n].join("::")))?;
                return self.resolve(&path[1..=most].join("::"), &path[most + 1..], false, seen);
            }
            "super" => return self.resolve(file.rsplit_once("::")?.0, rest, false, seen),
            "self" => return self.resolve(file, rest, false, seen),
            _ => {}
        }
        let child = format!("{file}::{first}");
        if self.files.contains_key(&child) && !(local && rest.is_empty()) {
            return self.resolve(&child, rest, false, seen);
        }
        let imports = source.imports.iter().filter(|import| self.is_ours(file, &import.path));
        if let Some(import) = imports.clone().find(|import| import.name == *first) {
            let whole: Path = import.path.iter().chain(rest).cloned().collect();
            return self.resolve(file, &whole, true, seen);
        }
        if source.defined.contains(first) {
            return Some(file);
        }
        let found = imports.filter(|import| import.name == "*").find_map(|import| {
            let whole: Path = import.path.iter().chain(path).cloned().collect();
            self.resolve(file, &whole, true, seen)
        });
        // In a path from elsewhere, what is not told (a macro's item, say) counts as the file's own.
        found.or((!local && !source.imports.iter().any(|import| import.name == *first)).then_some(file))
    }

    /// Whether an import of `file` may lead to a file of this room, and not to another crate.
    fn is_ours(&self, file: &str, path: &Path) -> bool {
        let Some(first) = path.first() else { return false };
        matches!(first.as_str(), "crate" | "super" | "self") || self.files.contains_key(&format!("{file}::{first}"))
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// How `from` comes to need `to`.
fn way(edges: &Edges, from: &str, to: &str) -> Option<String> {
    let mut ways = vec![vec![from]];
    let mut seen = BTreeSet::from([from]);
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for (_, next) in edges.keys().filter(|(start, _)| Some(start) == way.last()) {
                let whole = [way.as_slice(), &[*next]].concat();
                if *next == to {
                    return Some(whole.join(" -> "));
                }
                if seen.insert(next) {
                    longer.push(whole);
                }
            }
        }
        ways = longer;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(files: &[(&str, &str)]) -> Room {
        Room { files: files.iter().map(|(name, text)| ((*name).to_owned(), Source::read(text))).collect() }
    }

    fn edges(room: &Room) -> Vec<String> {
        room.edges().keys().map(|(from, to)| format!("{from} -> {to}")).collect()
    }

    #[test]
    fn naming_children_and_passing_them_on_imports_nothing() {
        let room = room(&[("r", "mod a;\npub use a::A;"), ("r::a", "use super::B;\npub struct A;")]);
        assert_eq!(edges(&room), ["r::a -> r"]);
    }

    #[test]
    fn an_import_goes_to_the_file_that_defines_the_item() {
        let room = room(&[
            ("r", "mod a;\nmod b;\npub use a::A;\nuse crate::other::O;"),
            ("r::a", "pub struct A;"),
            ("r::b", "use super::{A, O};\nfn f() { crate::r::a::g() }"),
            ("r::c", "fn h() { super::A::new() }"),
        ]);
        assert_eq!(edges(&room), ["r::b -> r::a", "r::c -> r::a"]);
    }

    #[test]
    fn a_parent_that_calls_its_child_needs_it() {
        let room = room(&[("r", "mod a;\npub use a::A;\nfn f(x: A) {}\n"), ("r::a", "pub struct A;")]);
        assert_eq!(edges(&room), ["r -> r::a"]);
    }

    #[test]
    fn a_circle_is_told_with_the_lines_that_make_it() {
        let files = [
            ("r::a", "use super::b::B;\npub struct A;"),
            ("r::b", "\nuse super::c::C;\npub struct B;"),
            ("r::c", "fn f() { super::d::g() }\npub struct C;"),
            ("r::d", "use super::a::A;\nfn g() {}"),
        ];
        let room = room(&[("r", ""), files[0], files[1], files[2], files[3]]);
        let found = room.circles(3);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("circle of 4 files:"), "{}", found[0]);
        assert!(found[0].contains("r::b -> r::c: line 2 `super::c::C`"), "{}", found[0]);
        assert!(room.circles(4).is_empty());
    }

    #[test]
    fn a_method_beside_an_import_reaches_around_it() {
        let home = ("r", "mod a;\nmod b;\npub struct Planner;\nfn f(planner: Planner) { planner.plan() }");
        let room = room(&[home, ("r::a", "use super::Planner;\nimpl Planner { pub fn plan(&self) {} }"), ("r::b", "")]);
        assert_eq!(edges(&room), ["r -> r::a", "r::a -> r"]);
        assert_eq!(room.reached_around(), ["r::a:2: an `impl` of `Planner`, whose file needs this one (r -> r::a)"]);
    }

    #[test]
    fn methods_of_the_standard_library_are_not_taken_for_ours() {
        let home = ("r", "mod a;\npub struct Planner;\nfn f(map: M) { map.values(); Vec::values(); }");
        let room = room(&[home, ("r::a", "use super::Planner;\nimpl Planner { pub fn values(&self) {} }")]);
        assert_eq!(edges(&room), ["r::a -> r"]);
    }

    #[test]
    fn an_impl_further_down_reaches_around_nothing() {
        let room = room(&[("r", "mod a;\npub struct T;"), ("r::a", "use super::T;\nimpl T { pub fn more(&self) {} }")]);
        assert!(room.reached_around().is_empty());
    }

    #[test]
    fn methods_are_counted_over_all_blocks_of_a_type() {
        let room = room(&[
            ("r", "pub struct T;\nimpl T { fn a() {} fn b() {} }\nimpl Clone for T { fn clone() {} }"),
            ("r::a", "use super::T;\nimpl T { fn c() {} }"),
        ]);
        assert_eq!(room.methods(), BTreeMap::from([("r::T".to_owned(), 3)]));
    }
}
