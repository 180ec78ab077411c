//! The text of a project in pieces, by the names that stand for them.

use crate::hierarchy::Hierarchy;
use crate::lex::{Kind, Text, Token};
use crate::model::{Class, Extent, Function, Model};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A name of the project, as a number.
pub type Name = u32;

/// Members that a language construct calls without their name: range loops and bindings.
const BY_THE_LANGUAGE: [&str; 6] = ["begin", "end", "get", "size", "tuple_size", "tuple_element"];

/// A piece of text that has a name: the definition of a function, a declaration, a class, a macro.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// The number of its file.
    pub file: usize,
    /// Its text counts for what reaches it, not for what sees its file: a function's definition, or a declaration of a
    /// function outside classes, which means nothing to whom its name means nothing.
    pub is_apart: bool,
    /// Digest of its tokens.
    pub digest: [u8; 32],
    /// Its line.
    pub line: u32,
    /// The names in it.
    pub names: Vec<Name>,
    /// It makes names of parts, or includes a file, so that not all of its names can be read in it.
    pub is_pasted: bool,
}

/// A file of the project.
pub struct File {
    /// Relative to the root where it is below it.
    pub path: PathBuf,
    /// Digest of its tokens outside the pieces that stand apart.
    pub outside: [u8; 32],
    /// Names outside all pieces.
    around: Vec<Name>,
    /// The files that it includes, itself and what they include among them.
    sees: Vec<usize>,
}

/// All pieces of a project.
#[derive(Default)]
pub struct Index {
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// The files.
    pub files: Vec<File>,
    /// Names of what runs whether it is named or not.
    pub always: BTreeSet<Name>,
    names: HashMap<Vec<u8>, Name>,
    by_name: HashMap<Name, Vec<usize>>,
    by_path: HashMap<PathBuf, usize>,
}

impl Index {
    /// Reads the files of a model.
    pub fn new(model: &Model, hierarchy: &Hierarchy, root: &Path) -> Self {
        let mut index = Self::default();
        let texts: BTreeMap<&Path, Text> = model
            .files
            .keys()
            .map(|path| (path.as_path(), Text::new(std::fs::read(path).unwrap_or_default())))
            .collect();
        for (number, path) in texts.keys().enumerate() {
            index.by_path.insert(path.to_path_buf(), number);
        }
        let mut taken: BTreeMap<&Path, Vec<(u32, u32)>> = BTreeMap::new();
        let bodies = index.functions(model, &texts);
        for (path, range) in bodies {
            taken.entry(path).or_default().push(range);
        }
        taken.values_mut().for_each(|ranges| *ranges = merged(std::mem::take(ranges)));
        let declared = index.declarations(model, hierarchy, &texts, &taken);
        for (path, text) in &texts {
            let bodies = taken.get(path).cloned().unwrap_or_default();
            let declared =
                declared.iter().filter(|extent| extent.file == **path).map(|extent| (extent.start, extent.end));
            let all = merged(bodies.iter().copied().chain(declared).collect());
            let macros = index.macros(path, text);
            let outside = outside(text, &bodies);
            let mut around: Vec<&Token> = outside.iter().copied().filter(|token| !is_in(&all, token.start)).collect();
            around.retain(|token| !is_in(&macros, token.start));
            let around = index.words(text, around.into_iter());
            let file = File {
                path: path.strip_prefix(root).unwrap_or(path).to_path_buf(),
                outside: digest(text, outside.into_iter()),
                around,
                sees: Vec::new(),
            };
            index.files.push(file);
        }
        index.includes(model);
        index.load(model, &texts);
        index
    }

    /// The number of a file.
    pub fn file(&self, path: &Path) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The number of a name that the project has.
    pub fn name(&self, name: &[u8]) -> Option<Name> {
        self.names.get(name).copied()
    }

    /// The names of the project in a text.
    pub fn names_in(&self, text: &[u8]) -> Vec<Name> {
        let text = Text::new(text);
        let words = text.tokens.iter().filter(|token| token.kind == Kind::Word);
        words.filter_map(|token| self.name(text.word(token))).collect()
    }

    /// The project's files whose paths a text has as strings.
    pub fn included_by(&self, text: &str) -> Vec<usize> {
        let named = text.lines().filter_map(|line| line.trim_start().strip_prefix("#include"));
        let named = named.map(|rest| rest.trim().trim_matches(['"', '<', '>']));
        // A driver writes what it includes in full or as the project does.
        let is = |path: &Path, name: &str| !name.is_empty() && path.ends_with(name.trim_start_matches("../"));
        let found = named.flat_map(|name| self.by_path.iter().filter(move |(path, _)| is(path, name)));
        found.map(|(_, number)| *number).collect()
    }

    /// The pieces that a name stands for.
    pub fn pieces_of(&self, name: Name) -> &[usize] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The files whose text a file sees.
    pub fn seen_from(&self, file: usize) -> &[usize] {
        &self.files[file].sees
    }

    /// The names in a file that are in no piece of it.
    pub fn around(&self, file: usize) -> &[Name] {
        &self.files[file].around
    }

    fn named(&mut self, name: &[u8]) -> Name {
        let next = self.names.len() as Name;
        *self.names.entry(name.to_vec()).or_insert(next)
    }

    fn words<'t>(&mut self, text: &Text, tokens: impl Iterator<Item = &'t Token>) -> Vec<Name> {
        let words = tokens.filter(|token| token.kind == Kind::Word);
        let names: BTreeSet<Name> = words.map(|token| self.named(text.word(token))).collect();
        names.into_iter().collect()
    }

    /// Adds a piece under the names that stand for it.
    fn add(&mut self, text: &Text, file: usize, tokens: &[&Token], names: &[Name], line: u32, is_apart: bool) {
        let is_pasted = tokens.windows(2).any(|pair| {
            let [one, two] = [pair[0], pair[1]].map(|token| text.word(token));
            one == b"##" || one == b"#" && two.starts_with(b"include")
        });
        let words = self.words(text, tokens.iter().copied());
        let digest = digest(text, tokens.iter().copied());
        self.pieces.push(Piece { file, is_apart, digest, line, names: words, is_pasted });
        for name in names {
            self.by_name.entry(*name).or_default().push(self.pieces.len() - 1);
        }
    }

    /// The functions; where those pieces stand that are apart.
    fn functions<'m>(&mut self, model: &'m Model, texts: &BTreeMap<&Path, Text>) -> Vec<(&'m Path, (u32, u32))> {
        let classes: BTreeSet<&[u8]> = model.classes.values().map(|class| class.name.as_bytes()).collect();
        let mut extents = Vec::new();
        for function in model.functions.values() {
            let definition = function.definition.as_ref();
            let declared = function.declarations.iter().map(|extent| (extent, false));
            let parts = definition.map(|definition| (&definition.extent, true)).into_iter().chain(declared);
            for (extent, is_body) in parts {
                let Some((text, file)) = texts.get(extent.file.as_path()).zip(self.file(&extent.file)) else {
                    continue;
                };
                let tokens: Vec<&Token> = text.within(extent.start, extent.end).iter().collect();
                let head = definition.filter(|_| is_body).map_or(extent.end, |definition| definition.body.start);
                let head = tokens.iter().filter(|token| token.start < head && token.kind == Kind::Word);
                let mentioned = head.map(|token| text.word(token)).filter(|word| classes.contains(word)).collect();
                let names = self.stand_for(model, function, mentioned);
                let is_plain = function.owner.is_none() && !tokens.iter().any(|token| token.directive);
                self.add(text, file, &tokens, &names, extent.line, is_body || is_plain);
                if is_body || is_plain {
                    // What ends a declaration goes with it.
                    let next = text.within(extent.end, u32::MAX).first().filter(|token| text.word(token) == b";");
                    let end = next.filter(|_| !is_body).map_or(extent.end, |token| token.end);
                    extents.push((extent.file.as_path(), (extent.start, end)));
                }
            }
        }
        extents
    }

    /// The names that lead to a function: its own, and where the language calls it without that, its class or the
    /// classes in its head.
    fn stand_for(&mut self, model: &Model, function: &Function, mentioned: Vec<&[u8]>) -> Vec<Name> {
        let end = function.name.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '~' || c == '$'));
        let plain = &function.name[..end.unwrap_or(function.name.len())];
        let owner = function.owner.as_ref().and_then(|usr| model.classes.get(usr)).map(|class| class.name.clone());
        let mut names = vec![self.named(plain.as_bytes())];
        let is_operator = plain == "operator";
        let is_of_life = owner.as_ref().is_some_and(|owner| plain.trim_start_matches('~') == owner);
        if is_operator || is_of_life || plain.starts_with('~') || BY_THE_LANGUAGE.contains(&plain) {
            let (owned, free) = (owner.is_some(), mentioned.is_empty());
            names.extend(owner.map(|owner| self.named(owner.as_bytes())));
            names.extend(mentioned.into_iter().map(|class| self.named(class)));
            if is_operator && free && !owned {
                // `operator new`, a literal's suffix: nothing names what they are for.
                self.always.insert(names[0]);
            }
        }
        names
    }

    /// Classes, other types and variables; where they stand.
    fn declarations<'m>(
        &mut self,
        model: &'m Model,
        hierarchy: &Hierarchy,
        texts: &BTreeMap<&Path, Text>,
        bodies: &BTreeMap<&Path, Vec<(u32, u32)>>,
    ) -> Vec<&'m Extent> {
        let last = |qualified: &'m str| qualified.rsplit("::").next().unwrap_or(qualified);
        let mut all: Vec<(&'m Extent, Vec<&'m str>)> = Vec::new();
        for class in model.classes.values() {
            let mut names = vec![class.name.as_str()];
            // An object of a derived class may stand for one of the base.
            let bases = hierarchy.ancestors(&class.usr);
            names.extend(bases.iter().filter_map(|usr| model.classes.get(usr)).map(|class| class.name.as_str()));
            names.extend(class.fields.iter().filter(|_| class.name.is_empty()).map(|field| field.name.as_str()));
            all.extend(class.definition.iter().map(|extent| (extent, names.clone())));
            all.extend(class.declarations.iter().map(|extent| (extent, vec![class.name.as_str()])));
            all.extend(statics(class).map(|(extent, name)| (extent, vec![name])));
        }
        for known in model.enums.values() {
            let enumerators = known.enumerators.iter().map(|(name, _)| name.as_str());
            let names: Vec<&str> = enumerators.chain([last(&known.qualified)]).collect();
            all.extend(known.definition.iter().map(|extent| (extent, names.clone())));
        }
        all.extend(model.aliases.values().map(|alias| (&alias.definition, vec![last(&alias.qualified)])));
        all.extend(model.variables.values().map(|variable| (&variable.extent, vec![last(&variable.qualified)])));
        for (extent, names) in &all {
            let Some((text, file)) = texts.get(extent.file.as_path()).zip(self.file(&extent.file)) else { continue };
            let taken = bodies.get(extent.file.as_path()).map_or(&[][..], Vec::as_slice);
            let tokens = text.within(extent.start, extent.end).iter();
            let tokens: Vec<&Token> = tokens.filter(|token| !is_in(taken, token.start)).collect();
            let names: Vec<Name> = names.iter().map(|name| self.named(name.as_bytes())).collect();
            self.add(text, file, &tokens, &names, extent.line, false);
        }
        // A declaration of a function is a piece already.
        let heads = model.functions.values().flat_map(|function| &function.declarations);
        all.into_iter().map(|(extent, _)| extent).chain(heads).collect()
    }

    /// The macros of a file; where they stand.
    fn macros(&mut self, path: &Path, text: &Text) -> Vec<(u32, u32)> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut found = Vec::new();
        for line in text.tokens.split_inclusive(|token| token.kind == Kind::DirectiveEnd) {
            let Some(hash) = line.iter().position(|token| token.directive) else { continue };
            let [_, word, name, rest @ .., last] = &line[hash..] else { continue };
            if text.word(word) != b"define" {
                continue;
            }
            let tokens: Vec<&Token> = rest.iter().collect();
            let stands_for = self.named(text.word(name));
            self.add(text, file, &tokens, &[stands_for], 0, false);
            found.push((line[hash].start, last.start + 1));
        }
        merged(found)
    }

    /// Which files see which.
    fn includes(&mut self, model: &Model) {
        let direct: Vec<Vec<usize>> = model
            .files
            .values()
            .map(|file| file.includes.iter().filter_map(|(_, path)| self.file(path)).collect())
            .collect();
        for number in 0..self.files.len() {
            let (mut seen, mut open) = (BTreeSet::new(), vec![number]);
            while let Some(file) = open.pop() {
                if seen.insert(file) {
                    open.extend(&direct[file]);
                }
            }
            self.files[number].sees = seen.into_iter().collect();
        }
    }

    /// What runs while a program is loaded: it may change what a unit reads, and nothing names it.
    fn load(&mut self, model: &Model, texts: &BTreeMap<&Path, Text>) {
        let made: BTreeSet<&[u8]> = model
            .classes
            .values()
            .filter(|class| class.constructors(model).next().is_some())
            .map(|class| class.name.as_bytes())
            .collect();
        // The objects of programs are not linked.
        let is_program = |path: &Path| model.files.get(path).is_some_and(|file| file.defines_main);
        let statics = model.classes.values().flat_map(statics).map(|(extent, _)| extent);
        let variables = model.variables.values().map(|variable| &variable.extent);
        let mut found = Vec::new();
        for extent in variables.chain(statics).filter(|extent| !is_program(&extent.file)) {
            let Some(text) = texts.get(extent.file.as_path()) else { continue };
            let tokens = text.within(extent.start, extent.end);
            if tokens.iter().any(|token| text.word(token) == b"(" || made.contains(text.word(token))) {
                found.extend(self.words(text, tokens.iter()));
            }
        }
        for (path, text) in texts.iter().filter(|(path, _)| !is_program(path)) {
            // `__attribute__((constructor))`: what it stands at is not looked for.
            let is_hook = |three: &[Token]| {
                let [one, _, two] = three else { return false };
                text.word(one) == b"(" && text.word(two) == b"constructor" || text.word(two) == b"ifunc"
            };
            if text.tokens.windows(3).any(is_hook)
                && let Some(file) = self.file(path)
            {
                let of_file = self.pieces.iter().filter(|piece| piece.file == file);
                found.extend(of_file.flat_map(|piece| &piece.names));
            }
        }
        self.always.extend(found);
    }
}

/// The definitions of a class's static members outside it.
fn statics(class: &Class) -> impl Iterator<Item = (&Extent, &str)> {
    class.fields.iter().filter_map(|field| Some((field.definition.as_ref()?, field.name.as_str())))
}

fn digest<'t>(text: &Text, tokens: impl Iterator<Item = &'t Token>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for token in tokens {
        hash.update(text.word(token));
        hash.update([0]);
    }
    hash.finalize().into()
}

fn outside<'t>(text: &'t Text, ranges: &[(u32, u32)]) -> Vec<&'t Token> {
    text.tokens.iter().filter(|token| !is_in(ranges, token.start)).collect()
}

/// Whether an offset is in one of the ranges, which are sorted and apart.
fn is_in(ranges: &[(u32, u32)], offset: u32) -> bool {
    let before = ranges.partition_point(|(start, _)| *start <= offset);
    before > 0 && offset < ranges[before - 1].1
}

fn merged(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut out: Vec<(u32, u32)> = Vec::new();
    for (start, end) in ranges {
        match out.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    out
}
