//! The `mut_` copy: the text of the mutated class (or function) and of everything that must follow it, renamed
//! at every reference that the AST gives, with one dispatching body per mutated method (papers, section 4,
//! Listings 5 and 6; all mutants of a unit share one copy, DESIGN section 3).
//!
//! Units of one source file may share a copy as well: each mutated body dispatches on the numbers of its own mutants.

mod closure;
mod foreign;
mod text;

use closure::{Closure, path_to};
use text::*;
pub(in crate::generate) use text::{comment_safe, with_own_labels};

use super::edit::{Edits, Texts};
use super::layout::{Version, dispatching_body};
use crate::hierarchy::Hierarchy;
use crate::lex::words;
use crate::model::{
    Class, Definition, Extent, Function, Language, Model, Reference, Scope, TranslationUnit, Type, TypeKind, Usr,
};
use crate::mutant::Mutant;
use crate::plan::UnitPlan;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::Path;

/// More classes than this and a copy is no longer the readable way.
const MOST_CLASSES: usize = 40;

/// A mutant with its number in the dispatch, from 1.
pub struct Numbered<'m> {
    /// The value of `motif_mutant` when it is active.
    pub number: u32,
    /// The mutant.
    pub mutant: &'m Mutant,
}

/// The copied text and what was renamed in it.
#[derive(Clone, Debug, Default)]
pub struct SourceCopy {
    /// C or C++ text; to be included behind the original source file.
    pub text: String,
    /// Copied classes: USR, qualified name, name of the copy (qualified).
    pub classes: Vec<(Usr, String, String)>,
    /// Copied functions: USR, qualified name, qualified name of the copy.
    pub functions: Vec<(Usr, String, String)>,
    /// Something is copied from a file that the driver does not include: where the copy calls a copied inline function,
    /// the original there has been compiled elsewhere.
    pub reaches_out: bool,
}

/// Old and new name of what is copied.
type Renames = BTreeMap<Usr, (String, String)>;

/// Why a mutant can't be expressed by a dispatching body, if so.
pub fn needs_image(function: &Function, mutant: &Mutant) -> Option<&'static str> {
    let definition = function.definition.as_ref()?;
    let pairing = mutant.pairing.as_ref().ok()?;
    if pairing.in_initializers {
        return Some("it changes a constructor's initialisers, which can't be dispatched");
    }
    if pairing.is_whole {
        return Some("its file is another version as a whole");
    }
    if definition.in_macro {
        return Some("the body comes out of a macro");
    }
    if function.is_constexpr {
        return Some("a constexpr function can't ask which mutant is active");
    }
    None
}

/// A unit of a copy.
pub struct Copied<'m> {
    /// How it is driven.
    pub plan: &'m UnitPlan,
    /// The mutants that its body does, with numbers that no other unit has in the same text.
    pub mutants: &'m [Numbered<'m>],
}

/// Copies the units' classes, or the free functions themselves; all of them in the text of one source file.
///
/// # Errors
/// Why a source copy can't work; an isolated image serves then.
pub fn source_copy(model: &Model, hierarchy: &Hierarchy, units: &[Copied<'_>]) -> Result<SourceCopy, String> {
    let source = &units.first().ok_or("no unit to copy")?.plan.source;
    let files = model.unit_compiling(source).map_or(&[][..], |u| u.files.as_slice());
    let mut closure = Closure {
        model,
        hierarchy,
        files,
        called: BTreeSet::new(),
        classes: BTreeSet::new(),
        functions: BTreeSet::new(),
        variables: BTreeSet::new(),
    };
    for plan in units.iter().map(|copied| copied.plan) {
        let unit = &model.functions[&plan.unit];
        if let Some(owner) = &unit.owner {
            closure.add_class(owner)?;
            continue;
        }
        closure.functions.insert(unit.usr.clone());
        // Ways in lead through callers of the function: they must call the copy.
        for entry in &plan.entries {
            if entry.callee != unit.usr {
                closure.functions.extend(path_to(model, &entry.callee, &unit.usr)?);
            }
        }
    }
    for copied in units {
        closure.add_recipes(copied.plan)?;
    }
    closure.complete()?;
    let mut writer = Writer {
        closure: &closure,
        source,
        units,
        texts: Texts::default(),
        copy: SourceCopy::default(),
        renames: Renames::new(),
        out: Out::default(),
    };
    writer.write()?;
    Ok(writer.copy)
}

/// References within a stretch of a file.
pub(in crate::generate) fn references<'m>(model: &'m Model, extent: &Extent) -> &'m [Reference] {
    let Some(file) = model.files.get(&extent.file) else { return &[] };
    let from = file.references.partition_point(|r| r.offset < extent.start);
    let to = file.references.partition_point(|r| r.offset < extent.end);
    &file.references[from..to.max(from)]
}

/// The text so far, and the namespaces that it stands in.
#[derive(Default)]
struct Out {
    text: String,
    space: Namespaces,
}

impl Out {
    fn enter(&mut self, scopes: &[Scope]) {
        self.space.enter(&mut self.text, scopes);
    }

    /// Adds a declaration of these scopes behind an empty line.
    fn put(&mut self, scopes: &[Scope], declaration: String) {
        self.enter(scopes);
        let _ = writeln!(self.text, "\n{declaration}");
    }
}

struct Writer<'c, 'm> {
    closure: &'c Closure<'m>,
    source: &'c Path,
    units: &'c [Copied<'c>],
    texts: Texts,
    copy: SourceCopy,
    renames: Renames,
    out: Out,
}

impl<'m> Writer<'_, 'm> {
    fn write(&mut self) -> Result<(), String> {
        let model = self.closure.model;
        let classes = self.class_order();
        self.name(&classes);
        let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        let functions: Vec<(&Function, String)> =
            self.copy.functions.iter().map(|(usr, _, new)| (&model.functions[usr], last(new))).collect();
        self.forward_declarations(&classes);
        self.classes_and_heads(&functions)?;
        self.variables(&classes)?;
        let headers = self.members()?;
        for (function, name) in &functions {
            let body = &function.definition.as_ref().ok_or("a function without a body")?.body;
            self.copy.reaches_out |= !self.is_included(&body.file);
            let text = self.stretch(body)?;
            let text = format!("{} {text}", self.head(function, name)?);
            self.out.put(&function.scopes, text);
        }
        self.out.enter(&[]);
        let text = std::mem::take(&mut self.out.text);
        self.copy.text = headers + &self.macros(&text)? + &text;
        Ok(())
    }

    /// Chooses the names of the copies.
    fn name(&mut self, classes: &[Usr]) {
        let model = self.closure.model;
        for usr in classes {
            let class = &model.classes[usr];
            let new = format!("mut_{}", class.name);
            let qualified = requalify(&class.qualified, &class.name, &new);
            self.copy.classes.push((usr.clone(), class.qualified.clone(), qualified));
            self.renames.insert(usr.clone(), (class.name.clone(), new));
        }
        for usr in &self.closure.functions {
            let function = &model.functions[usr];
            // An operator on a copied class is an overload, and so is what templates find by argument-dependent
            // lookup; a copied operator on other types becomes a plain function.
            let overload = is_found_by_lookup(&function.name) && self.closure.mentions_params(function);
            let new = match function.name.strip_prefix("operator") {
                _ if overload => function.name.clone(),
                Some(symbol) => format!("mut_operator_{}", operator_word(symbol)),
                None => format!("mut_{}", function.name),
            };
            let qualified = requalify(&function.qualified, &function.name, &new);
            self.copy.functions.push((usr.clone(), function.qualified.clone(), qualified));
            if !overload {
                self.renames.insert(usr.clone(), (function.name.clone(), new));
            }
        }
        for usr in &self.closure.variables {
            let name = model.variables[usr].qualified.rsplit("::").next().unwrap_or_default().to_owned();
            self.renames.insert(usr.clone(), (name.clone(), format!("mut_{name}")));
        }
    }

    /// Declares the classes, where something that comes before a class may name it.
    fn forward_declarations(&mut self, classes: &[Usr]) {
        if classes.len() == 1 && self.closure.functions.is_empty() {
            return;
        }
        for usr in classes {
            let class = &self.closure.model.classes[usr];
            self.out.enter(&class.scopes);
            self.out.text.push_str(&forward(class, &self.renames[usr].1));
        }
    }

    /// The classes, and the declarations of functions: those stand as soon as the classes that their types reach into
    /// are there, since inline members of the next class may call them.
    fn classes_and_heads(&mut self, functions: &[(&Function, String)]) -> Result<(), String> {
        let is_alone = functions.len() == 1 && self.copy.classes.is_empty();
        let mut heads: Vec<(&Function, String)> = Vec::new();
        for (function, name) in functions.iter().filter(|_| !is_alone) {
            let head = self.head(function, name)?;
            // Default arguments of a template may stand only once.
            if function.template.is_none() || !head.contains('=') {
                heads.push((function, head));
            }
        }
        let classes = self.copy.classes.clone();
        let mut declare = |missing: &[(Usr, String, String)], out: &mut Out| {
            let waits = |head: &str| missing.iter().any(|(_, _, class)| head.contains(&format!("{class}::")));
            let (later, now): (Vec<_>, Vec<_>) =
                std::mem::take(&mut heads).into_iter().partition(|(_, head)| waits(head));
            heads = later;
            now.into_iter().for_each(|(function, head)| out.put(&function.scopes, head + ";"));
        };
        declare(&classes, &mut self.out);
        // Those that are defined behind the class they are within stand where they stood.
        let mut detached: Vec<&Class> = self.closure.detached().collect();
        detached.sort_by_key(|class| self.position(class));
        let mut detached = VecDeque::from(detached);
        for (at, (usr, _, _)) in classes.iter().enumerate() {
            let class = &self.closure.model.classes[usr];
            let is_out = |inner: &&Class| {
                let outer = inner.around(self.closure.model).last();
                outer.is_some_and(|outer| classes[..at].iter().any(|(usr, ..)| *usr == outer.usr))
            };
            let here = self.position(class);
            while let Some(inner) = detached.front().copied().filter(is_out).filter(|inner| self.position(inner) < here)
            {
                self.class(inner)?;
                detached.pop_front();
            }
            self.class(class)?;
            declare(&classes[at + 1..], &mut self.out);
        }
        detached.into_iter().try_for_each(|inner| self.class(inner))
    }

    fn position(&self, class: &Class) -> Option<(usize, u32)> {
        class.definition.as_ref().map(|at| (self.file_order(at), at.start))
    }

    /// A class, in the scopes that the outermost class around it stands in.
    fn class(&mut self, class: &Class) -> Result<(), String> {
        let outermost = class.around(self.closure.model).last().unwrap_or(class);
        let extent = class.definition.as_ref().ok_or("a class without a definition")?;
        let text = self.stretch(extent)? + ";";
        self.out.put(&outermost.scopes, text);
        Ok(())
    }

    /// Static members and the variables of namespaces.
    fn variables(&mut self, classes: &[Usr]) -> Result<(), String> {
        let model = self.closure.model;
        for class in classes.iter().map(|usr| &model.classes[usr]) {
            for extent in class.fields.iter().filter(|f| f.is_static).filter_map(|f| f.definition.as_ref()) {
                self.define(&class.scopes, extent)?;
            }
        }
        for variable in self.closure.variables.iter().map(|usr| &model.variables[usr]) {
            // Its namespaces are those of its qualified name.
            let outer = variable.qualified.rsplit_once("::").map(|(outer, _)| outer);
            let names = outer.into_iter().flat_map(|outer| outer.split("::"));
            let scopes: Vec<Scope> =
                names.map(|name| Scope::Namespace { name: name.to_owned(), inline: false }).collect();
            self.define(&scopes, &variable.extent)?;
        }
        Ok(())
    }

    /// The members that are defined out of line; gives the headers that those need which the driver does not include.
    fn members(&mut self) -> Result<String, String> {
        let model = self.closure.model;
        let mut bodies: Vec<(&Function, &Definition)> = self.closure.members();
        bodies.sort_by_key(|(_, d)| (self.file_order(&d.extent), d.extent.start));
        let mut headers: Vec<String> = Vec::new();
        let mut said: BTreeSet<(Vec<Scope>, String)> = BTreeSet::new();
        for (function, definition) in bodies {
            let scopes: Vec<Scope> =
                function.scopes.iter().take_while(|s| matches!(s, Scope::Namespace { .. })).cloned().collect();
            let file = &definition.extent.file;
            if !self.is_included(file) {
                self.copy.reaches_out = true;
                let more = foreign::includes(model, file);
                headers.extend(more.into_iter().filter(|line| !headers.contains(line)).collect::<Vec<_>>());
                for line in foreign::usings(model, file, self.texts.read(file)?) {
                    if said.insert((scopes.clone(), line.clone())) {
                        self.out.put(&scopes, line);
                    }
                }
            }
            let text = self.stretch(&definition.extent)?;
            self.out.put(&scopes, text);
        }
        Ok(headers.into_iter().map(|line| line + "\n").collect())
    }

    /// Adds the definition of a variable.
    fn define(&mut self, scopes: &[Scope], extent: &Extent) -> Result<(), String> {
        let text = format!("{};", self.stretch(extent)?.trim_end_matches(';'));
        self.out.put(scopes, text);
        Ok(())
    }

    /// The translation unit that the driver is part of.
    fn unit(&self) -> Option<&'m TranslationUnit> {
        self.closure.model.unit_compiling(self.source)
    }

    /// Whether the driver's translation unit includes `file`.
    fn is_included(&self, file: &std::path::Path) -> bool {
        self.unit().is_none_or(|unit| unit.files.iter().any(|known| known == file))
    }

    /// Definitions of the macros that the copied text needs and that its file takes back at its end.
    fn macros(&mut self, text: &str) -> Result<String, String> {
        let mut defined = String::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        let mut wanted: Vec<String> = words(text).iter().map(|w| w.text.to_owned()).collect();
        let files: Vec<&std::path::PathBuf> = self.closure.files.iter().collect();
        while let Some(name) = wanted.pop() {
            if !known.insert(name.clone()) {
                continue;
            }
            for file in &files {
                let Some(source) = self.closure.model.files.get(*file) else { continue };
                let Some((_, offset)) = source.macros.iter().rev().find(|(known, _)| *known == name) else { continue };
                let source = self.texts.read(file)?;
                let Some(definition) = source.get(*offset as usize..).map(logical_line) else { continue };
                if !is_taken_back(source, &name) {
                    continue;
                }
                wanted.extend(words(definition).iter().map(|w| w.text.to_owned()));
                let definition =
                    definition.trim_start_matches('#').trim_start().trim_start_matches("define").trim_start();
                let _ = writeln!(defined, "#ifndef {name}\n#define {definition}\n#endif");
                break;
            }
        }
        Ok(defined)
    }

    /// Bases before what derives from them, otherwise as in the files.
    fn class_order(&self) -> Vec<Usr> {
        let model = self.closure.model;
        let mut all: Vec<&Class> = self.closure.classes.iter().map(|usr| &model.classes[usr]).collect();
        all.sort_by_key(|class| class.definition.as_ref().map(|d| (self.file_order(d), d.start)));
        let mut out: Vec<Usr> = Vec::new();
        while out.len() < all.len() {
            let next = all
                .iter()
                .find(|class| {
                    !out.contains(&class.usr)
                        && class
                            .bases
                            .iter()
                            .filter_map(|b| b.ty.record())
                            .all(|base| !self.closure.classes.contains(base) || out.contains(base))
                })
                .or_else(|| all.iter().find(|class| !out.contains(&class.usr)));
            out.extend(next.map(|class| class.usr.clone()));
        }
        out
    }

    fn file_order(&self, extent: &Extent) -> usize {
        let position = self.unit().and_then(|u| u.files.iter().position(|f| *f == extent.file));
        // The main file stands first in the list, and behind its headers in the text.
        match position {
            Some(0) | None => usize::MAX,
            Some(n) => n,
        }
    }

    /// A stretch of the project's text with renamed references; mutated bodies become dispatching ones.
    fn stretch(&mut self, extent: &Extent) -> Result<String, String> {
        let source = self.texts.read(&extent.file)?.clone();
        let references = |extent: &Extent| references(self.closure.model, extent);
        let mut edits = rename_edits(&source, extent.start, extent.end, references(extent), &self.renames);
        for copied in self.units {
            let unit = &self.closure.model.functions[&copied.plan.unit];
            let body = &unit.definition.as_ref().expect("a unit has a body").body;
            if body.file != extent.file || body.start < extent.start || extent.end < body.end {
                continue;
            }
            let renamed = rename_edits(&source, body.start, body.end, references(body), &self.renames);
            let original = Edits(renamed).apply(&source, body.start, body.end)?;
            let line = source[..body.start as usize].rsplit('\n').next().unwrap_or_default();
            let margin = line[..line.len() - line.trim_start().len()].to_owned();
            let dispatch = self.dispatch(unit.language, copied.mutants, original, &margin)?;
            edits.retain(|(start, end, _)| *end <= body.start || *start >= body.end);
            edits.push((body.start, body.end, dispatch));
        }
        Edits(edits).apply(&source, extent.start, extent.end)
    }

    /// A free function's head, written anew from its signature: the text may be old-style C, or spread over
    /// branches of `#if`. A template's is the text: libclang does not say all that is in it.
    fn head(&mut self, function: &Function, name: &str) -> Result<String, String> {
        if function.template.is_some()
            && function.friend_of.is_none()
            && let Some(definition) = &function.definition
        {
            let head = Extent { end: definition.body.start, ..definition.extent.clone() };
            return Ok(self.stretch(&head)?.trim_end().to_owned());
        }
        let spell = |ty: &Type| {
            let classes = self.copy.classes.iter();
            classes.fold(ty.spelling.clone(), |t, (_, old, new)| crate::types::spelling::replace_word(&t, old, new))
        };
        let mut params: Vec<String> = function
            .params
            .iter()
            .map(|p| match &p.ty.kind {
                _ if crate::plan::variadic::is_list(&p.ty) => crate::cpp::declare(&p.ty.spelling, &p.name),
                TypeKind::Array(element, _) => format!("{}[]", crate::cpp::declare(&spell(element), &p.name)),
                _ => crate::cpp::declare(&spell(&p.ty), &p.name),
            })
            .collect();
        if function.is_variadic {
            params.push("...".into());
        }
        let params =
            if params.is_empty() && function.language == Language::C { "void".into() } else { params.join(", ") };
        let head = format!("{name}({params})");
        let noexcept = if function.is_noexcept { " noexcept" } else { "" };
        // An overload may be declared as a friend already, and then it can't be static.
        let linkage = if self.closure.mentions_params(function) { "" } else { "static " };
        Ok(format!("{linkage}{}{noexcept}", crate::cpp::declare(&spell(&function.result), &head)))
    }

    fn dispatch(
        &mut self,
        language: Language,
        mutants: &[Numbered<'_>],
        original: String,
        margin: &str,
    ) -> Result<String, String> {
        let mut versions = Vec::new();
        for numbered in mutants {
            let mutant = numbered.mutant;
            let pairing = mutant.pairing.as_ref().map_err(|(_, why)| why.clone())?;
            let source = self.texts.read(&mutant.path)?.clone();
            let (start, end) = pairing.body;
            let edits = rename_edits(&source, start, end, &pairing.references, &self.renames);
            let body = Edits(edits).apply(&source, start, end)?;
            let place = format!("{}, line {}", mutant.operator, mutant.line);
            versions.push(Version {
                label: format!("case {}", numbered.number),
                comment: comment_safe(&place),
                body: with_own_labels(&body, &pairing.labels),
            });
        }
        versions.push(Version { label: "default".into(), comment: "the original".into(), body: original });
        Ok(dispatching_body(language, margin, &versions))
    }
}
