//! The `mut_` copy: the text of the mutated class (or function) and of everything that must follow it, renamed
//! at every reference that the AST gives, with one dispatching body per mutated method (papers, section 4,
//! Listings 5 and 6; all mutants of a unit share one copy, DESIGN section 3).
//!
//! Which declarations are copied is a closure: whatever the copied text uses and whose signature names a
//! copied class must be copied too, or the two versions would mix.

mod foreign;
mod text;

pub(in crate::generate) use text::comment_safe;
use text::*;

use super::edit::{Edits, Texts};
use super::layout::{Version, dispatching_body};
use super::lexer::words;
use crate::hierarchy::Hierarchy;
use crate::model::{Class, Definition, Extent, Function, Language, Model, Reference, Scope, Type, TypeKind, Usr};
use crate::mutant::Mutant;
use crate::plan::{Recipe, UnitPlan};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// More classes than this and a copy is no longer the readable way.
const MOST_CLASSES: usize = 40;

/// A mutant with its number in the dispatch, from 1.
pub struct Numbered<'m> {
    /// What `motif_mutant` is when it is active.
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
    if definition.in_macro {
        return Some("the body comes out of a macro");
    }
    if function.is_constexpr {
        return Some("a constexpr function can't ask which mutant is active");
    }
    None
}

/// Copies the unit's class, or the free function itself.
///
/// # Errors
/// Why a source copy can't work; an isolated image serves then.
pub fn source_copy(
    model: &Model,
    hierarchy: &Hierarchy,
    plan: &UnitPlan,
    mutants: &[Numbered<'_>],
) -> Result<SourceCopy, String> {
    let unit = &model.functions[&plan.unit];
    let files = model.units.iter().find(|u| u.main_file == plan.source).map_or(&[][..], |u| u.files.as_slice());
    let mut closure = Closure {
        model,
        hierarchy,
        files,
        called: BTreeSet::new(),
        classes: BTreeSet::new(),
        functions: BTreeSet::new(),
        variables: BTreeSet::new(),
    };
    match &unit.owner {
        Some(owner) => closure.add_class(owner)?,
        None => {
            closure.functions.insert(unit.usr.clone());
        }
    }
    if unit.owner.is_none() {
        // Ways in lead through callers of the function: they must call the copy.
        for entry in &plan.entries {
            if entry.callee != unit.usr {
                closure.functions.extend(path_to(model, &entry.callee, &unit.usr)?);
            }
        }
    }
    closure.add_recipes(plan)?;
    closure.complete()?;
    Writer { closure: &closure, plan, mutants, unit, texts: Texts::default() }.write()
}

/// The free functions on a call path from `from` to `to`, both included.
fn path_to(model: &Model, from: &Usr, to: &Usr) -> Result<Vec<Usr>, String> {
    let mut queue = std::collections::VecDeque::from([vec![from.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = queue.pop_front() {
        let last = path.last().expect("paths are not empty");
        if last == to {
            return Ok(path);
        }
        if !seen.insert(last.clone()) {
            continue;
        }
        let Some(definition) = model.functions.get(last).and_then(|f| f.definition.as_ref()) else { continue };
        for next in &definition.calls {
            if model.functions.get(next).is_some_and(|f| f.owner.is_none() && f.definition.is_some()) {
                let mut longer = path.clone();
                longer.push(next.clone());
                queue.push_back(longer);
            }
        }
    }
    Err("no path of plain functions leads from the public caller to the unit".into())
}

struct Closure<'m> {
    model: &'m Model,
    hierarchy: &'m Hierarchy,
    /// The files whose text the driver sees: what is defined elsewhere may lean on names that are local there.
    files: &'m [std::path::PathBuf],
    /// Classes whose members the plan calls by itself: those must be there, wherever they are defined.
    called: BTreeSet<Usr>,
    classes: BTreeSet<Usr>,
    functions: BTreeSet<Usr>,
    /// Variables at namespace level.
    variables: BTreeSet<Usr>,
}

impl<'m> Closure<'m> {
    fn outermost(&self, class: &Usr) -> Result<&'m Class, String> {
        let mut class =
            self.model.classes.get(class).ok_or("a class that must be copied is not part of the project")?;
        while let Some(outer) = class.scopes.iter().rev().find_map(|s| match s {
            Scope::Class(usr) => self.model.classes.get(usr),
            Scope::Namespace { .. } => None,
        }) {
            class = outer;
        }
        Ok(class)
    }

    fn add_class(&mut self, usr: &Usr) -> Result<(), String> {
        let class = self.outermost(usr)?;
        if class.definition.is_none() || class.name.is_empty() {
            return Err(format!("`{}` has no definition that could be copied", class.qualified));
        }
        if class.specializes.is_some() {
            return Err(format!("`{}` is a specialisation", class.qualified));
        }
        self.classes.insert(class.usr.clone());
        if self.classes.len() > MOST_CLASSES {
            return Err(format!("more than {MOST_CLASSES} classes would have to be copied"));
        }
        Ok(())
    }

    fn is_copied(&self, usr: &Usr) -> bool {
        self.model.classes.contains_key(usr) && self.outermost(usr).is_ok_and(|c| self.classes.contains(&c.usr))
    }

    fn mentions(&self, ty: &Type) -> bool {
        let mut found = false;
        ty.walk(&mut |t| found |= t.record().is_some_and(|usr| self.is_copied(usr)));
        found
    }

    fn mentions_params(&self, function: &Function) -> bool {
        function.params.iter().any(|p| self.mentions(&p.ty))
    }

    fn signature_mentions(&self, function: &Function) -> bool {
        self.mentions(&function.result) || function.params.iter().any(|p| self.mentions(&p.ty))
    }

    /// Classes that the plan makes and that derive from a copied one, and functions it calls that name one.
    fn add_recipes(&mut self, plan: &UnitPlan) -> Result<(), String> {
        loop {
            let before = (self.classes.len(), self.functions.len());
            let mut used: Vec<Usr> = Vec::new();
            let mut called: Vec<Usr> = plan.entries.iter().map(|e| e.callee.clone()).collect();
            for slot in plan.entries.iter().flat_map(|e| e.object.iter().chain(&e.args)) {
                slot.ty.walk(&mut |t| used.extend(t.record().cloned()));
                slot.recipe.walk(&mut |recipe| {
                    recipe.ty().walk(&mut |t| used.extend(t.record().cloned()));
                    match recipe {
                        Recipe::Construct { constructor, .. } => called.extend(constructor.clone()),
                        Recipe::Factory { function, .. } => called.push(function.clone()),
                        Recipe::SetUp { calls, .. } => called.extend(calls.iter().map(|c| c.method.clone())),
                        _ => {}
                    }
                });
            }
            for usr in used {
                self.consider_class(&usr)?;
            }
            for usr in called {
                self.consider_function(&usr)?;
                self.called.extend(self.model.functions.get(&usr).and_then(|f| f.owner.clone()));
            }
            if before == (self.classes.len(), self.functions.len()) {
                return Ok(());
            }
        }
    }

    fn consider_class(&mut self, usr: &Usr) -> Result<(), String> {
        let Some(class) = self.model.classes.get(usr).filter(|_| !self.is_copied(usr)) else { return Ok(()) };
        // Conversions leave no name in the text, and a declaration with arguments only the class's: what is made
        // of copied objects must follow them, be it by a constructor or by its members.
        let made_of = || {
            class.constructors(self.model).any(|c| self.mentions_params(c))
                || class.fields.iter().any(|f| !f.is_static && self.mentions(&f.ty))
                // Algorithms call function objects without naming the operator.
                || class
                    .methods
                    .iter()
                    .filter_map(|usr| self.model.functions.get(usr))
                    .any(|f| f.name == "operator()" && self.signature_mentions(f))
        };
        if self.hierarchy.ancestors(usr).iter().any(|base| self.is_copied(base)) || made_of() {
            self.add_class(usr)?;
        }
        Ok(())
    }

    fn consider_function(&mut self, usr: &Usr) -> Result<(), String> {
        let Some(function) = self.model.functions.get(usr) else { return Ok(()) };
        let owner_is_copied = function.owner.as_ref().is_some_and(|o| self.is_copied(o));
        if owner_is_copied || !self.signature_mentions(function) {
            return Ok(());
        }
        match &function.owner {
            Some(owner) => self.add_class(owner),
            None if function.definition.as_ref().is_some_and(|d| self.files.contains(&d.extent.file)) => {
                self.functions.insert(usr.clone());
                Ok(())
            }
            None => Err(format!("`{}` names a copied class and its body is not in the same source", function.id)),
        }
    }

    /// A global of a copied type: each version has its own.
    fn consider_variable(&mut self, usr: &Usr) {
        if let Some(variable) = self.model.variables.get(usr)
            && self.mentions(&variable.ty)
            && self.files.contains(&variable.extent.file)
            && !self.model.classes.values().any(|c| c.fields.iter().any(|f| f.usr == *usr))
        {
            self.variables.insert(usr.clone());
        }
    }

    /// Every stretch of text that is to be copied as of now.
    fn stretches(&self) -> Vec<Extent> {
        let mut all: Vec<Extent> =
            self.classes.iter().filter_map(|usr| self.model.classes[usr].definition.clone()).collect();
        all.extend(self.members().into_iter().map(|f| f.1.extent.clone()));
        all.extend(
            self.functions.iter().filter_map(|f| self.model.functions[f].definition.as_ref()).map(|d| d.extent.clone()),
        );
        all
    }

    /// Members of copied classes that are defined out of line.
    fn members(&self) -> Vec<(&'m Function, &'m Definition)> {
        let inside = |extent: &Extent| {
            self.classes
                .iter()
                .filter_map(|usr| self.model.classes[usr].definition.as_ref())
                .any(|class| class.file == extent.file && class.start <= extent.start && extent.end <= class.end)
        };
        self.model
            .functions
            .values()
            .filter(|f| f.owner.as_ref().is_some_and(|o| self.is_copied(o)))
            .filter_map(|f| Some((f, f.definition.as_ref()?)))
            // A member that is defined in another source file stays undefined, unless the plan needs its class: calls
            // to it, if there are any, end in a stub that aborts, and then the copy is no twin of the original.
            .filter(|(f, d)| {
                let called = f.owner.as_ref().is_some_and(|owner| self.called.contains(owner));
                !inside(&d.extent) && (called || self.files.contains(&d.extent.file))
            })
            .collect()
    }

    fn complete(&mut self) -> Result<(), String> {
        if self.classes.is_empty() {
            return Ok(());
        }
        loop {
            let before = (self.classes.len(), self.functions.len());
            for stretch in self.stretches() {
                let targets: BTreeSet<&Usr> = references(self.model, &stretch).iter().map(|r| &r.target).collect();
                for target in targets {
                    self.consider_class(target)?;
                    self.consider_function(target)?;
                    self.consider_variable(target);
                }
            }
            if before == (self.classes.len(), self.functions.len()) {
                return Ok(());
            }
        }
    }
}

/// References within a stretch of a file.
fn references<'m>(model: &'m Model, extent: &Extent) -> &'m [Reference] {
    let Some(file) = model.files.get(&extent.file) else { return &[] };
    let from = file.references.partition_point(|r| r.offset < extent.start);
    let to = file.references.partition_point(|r| r.offset < extent.end);
    &file.references[from..to.max(from)]
}

struct Writer<'c, 'm> {
    closure: &'c Closure<'m>,
    plan: &'c UnitPlan,
    mutants: &'c [Numbered<'c>],
    unit: &'c Function,
    texts: Texts,
}

impl Writer<'_, '_> {
    fn write(mut self) -> Result<SourceCopy, String> {
        let model = self.closure.model;
        let mut copy = SourceCopy::default();
        let classes = self.class_order();
        let mut renames: Renames = BTreeMap::new();
        for usr in &classes {
            let class = &model.classes[usr];
            let new = format!("mut_{}", class.name);
            let qualified = requalify(&class.qualified, &class.name, &new);
            copy.classes.push((usr.clone(), class.qualified.clone(), qualified));
            renames.insert(usr.clone(), (class.name.clone(), new));
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
            copy.functions.push((
                usr.clone(),
                function.qualified.clone(),
                requalify(&function.qualified, &function.name, &new),
            ));
            if !overload {
                renames.insert(usr.clone(), (function.name.clone(), new));
            }
        }
        for usr in &self.closure.variables {
            let name = model.variables[usr].qualified.rsplit("::").next().unwrap_or_default().to_owned();
            renames.insert(usr.clone(), (name.clone(), format!("mut_{name}")));
        }
        let mut text = String::new();
        let mut space = Namespaces::default();
        for usr in classes.iter().filter(|_| classes.len() > 1 || !self.closure.functions.is_empty()) {
            let class = &model.classes[usr];
            space.enter(&mut text, &class.scopes);
            text.push_str(&forward(class, &renames[usr].1));
        }
        let functions: Vec<(&Function, String)> = copy
            .functions
            .iter()
            .map(|(usr, _, new)| (&model.functions[usr], new.rsplit("::").next().unwrap_or(new).to_owned()))
            .collect();
        // Functions are declared as soon as the classes that their types reach into are there: inline members of
        // the next class may call them.
        let mut heads: Vec<(&Function, String)> =
            functions.iter().map(|(function, name)| (*function, self.head(function, name, &copy))).collect();
        if functions.len() == 1 && classes.is_empty() {
            heads.clear();
        }
        let mut missing: Vec<&str> = copy.classes.iter().map(|(_, _, new)| new.as_str()).collect();
        let mut declare = |missing: &[&str], space: &mut Namespaces, text: &mut String| {
            let waits = |head: &str| missing.iter().any(|class| head.contains(&format!("{class}::")));
            let (later, now) = std::mem::take(&mut heads).into_iter().partition(|(_, head)| waits(head));
            heads = later;
            let now: Vec<(&Function, String)> = now;
            for (function, head) in now {
                space.enter(text, &function.scopes);
                let _ = writeln!(text, "\n{head};");
            }
        };
        declare(&missing, &mut space, &mut text);
        for usr in &classes {
            let class = &model.classes[usr];
            let extent = class.definition.as_ref().expect("checked when it was added");
            space.enter(&mut text, &class.scopes);
            let _ = writeln!(text, "\n{};", self.stretch(extent, &renames)?);
            missing.retain(|new| copy.classes.iter().all(|(known, _, n)| known != usr || n != new));
            declare(&missing, &mut space, &mut text);
        }
        for usr in &classes {
            for field in model.classes[usr].fields.iter().filter(|f| f.is_static) {
                if let Some(extent) = &field.definition {
                    space.enter(&mut text, &model.classes[usr].scopes);
                    let _ = writeln!(text, "\n{};", self.stretch(extent, &renames)?.trim_end_matches(';'));
                }
            }
        }
        for usr in &self.closure.variables {
            let variable = &model.variables[usr];
            // Its namespaces are those of its qualified name.
            let scopes: Vec<Scope> = self.scopes_of(&variable.qualified);
            space.enter(&mut text, &scopes);
            let _ = writeln!(text, "\n{};", self.stretch(&variable.extent, &renames)?.trim_end_matches(';'));
        }
        let mut bodies: Vec<(&Function, &Definition)> = self.closure.members();
        let order = |extent: &Extent| (self.file_order(extent), extent.start);
        bodies.sort_by_key(|(_, d)| order(&d.extent));
        let mut headers: Vec<String> = Vec::new();
        let mut said: BTreeSet<(Vec<Scope>, String)> = BTreeSet::new();
        for (function, definition) in bodies {
            let scopes: Vec<Scope> =
                function.scopes.iter().take_while(|s| matches!(s, Scope::Namespace { .. })).cloned().collect();
            space.enter(&mut text, &scopes);
            let file = &definition.extent.file;
            if !self.is_included(file) {
                copy.reaches_out = true;
                let more = foreign::includes(model, file);
                headers.extend(more.into_iter().filter(|line| !headers.contains(line)).collect::<Vec<_>>());
                for line in foreign::usings(model, file, self.texts.read(file)?) {
                    if said.insert((scopes.clone(), line.clone())) {
                        let _ = writeln!(text, "\n{line}");
                    }
                }
            }
            let _ = writeln!(text, "\n{}", self.stretch(&definition.extent, &renames)?);
        }
        for (function, name) in &functions {
            copy.reaches_out |= function.definition.as_ref().is_some_and(|d| !self.is_included(&d.extent.file));
            space.enter(&mut text, &function.scopes);
            let _ = writeln!(text, "\n{}", self.function(function, name, &copy, &renames)?);
        }
        space.enter(&mut text, &[]);
        let headers = headers.join("\n") + if headers.is_empty() { "" } else { "\n" };
        copy.text = headers + &self.macros(&text)? + &text;
        Ok(copy)
    }

    /// Whether the driver's translation unit includes `file`.
    fn is_included(&self, file: &std::path::Path) -> bool {
        let unit = self.closure.model.units.iter().find(|u| u.main_file == self.plan.source);
        unit.is_none_or(|unit| unit.files.iter().any(|known| known == file))
    }

    /// The namespaces of something that only has its qualified name: those of a class or function beside it.
    fn scopes_of(&self, qualified: &str) -> Vec<Scope> {
        let Some((outer, _)) = qualified.rsplit_once("::") else { return Vec::new() };
        outer.split("::").map(|name| Scope::Namespace { name: name.to_owned(), inline: false }).collect()
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
        let unit = self.closure.model.units.iter().find(|u| u.main_file == self.plan.source);
        let position = unit.and_then(|u| u.files.iter().position(|f| *f == extent.file));
        // The main file stands first in the list, and behind its headers in the text.
        match position {
            Some(0) | None => usize::MAX,
            Some(n) => n,
        }
    }

    /// A stretch of the project's text with renamed references; mutated bodies become dispatching ones.
    fn stretch(&mut self, extent: &Extent, renames: &Renames) -> Result<String, String> {
        let source = self.texts.read(&extent.file)?.clone();
        let mut edits =
            rename_edits(&source, extent.start, extent.end, references(self.closure.model, extent), renames);
        let body = &self.unit.definition.as_ref().expect("a unit has a body").body;
        if body.file == extent.file && extent.start <= body.start && body.end <= extent.end {
            let original =
                Edits(rename_edits(&source, body.start, body.end, references(self.closure.model, body), renames))
                    .apply(&source, body.start, body.end)?;
            let line = source[..body.start as usize].rsplit('\n').next().unwrap_or_default();
            let margin = line[..line.len() - line.trim_start().len()].to_owned();
            let dispatch = self.dispatch(original, &margin, renames)?;
            edits.retain(|(start, end, _)| *end <= body.start || *start >= body.end);
            edits.push((body.start, body.end, dispatch));
        }
        Edits(edits).apply(&source, extent.start, extent.end)
    }

    /// A free function's head, written anew from its signature: the text may be old-style C, or spread over
    /// branches of `#if`.
    fn head(&self, function: &Function, name: &str, copy: &SourceCopy) -> String {
        let spell = |ty: &Type| {
            copy.classes
                .iter()
                .fold(ty.spelling.clone(), |t, (_, old, new)| crate::plan::values::replace_word(&t, old, new))
        };
        let params: Vec<String> = function
            .params
            .iter()
            .map(|p| match &p.ty.kind {
                TypeKind::Array(element, _) => format!("{}[]", crate::cpp::declare(&spell(element), &p.name)),
                _ => crate::cpp::declare(&spell(&p.ty), &p.name),
            })
            .collect();
        let params =
            if params.is_empty() && function.language == Language::C { "void".into() } else { params.join(", ") };
        let head = format!("{name}({params})");
        let noexcept = if function.is_noexcept { " noexcept" } else { "" };
        // An overload may be declared as a friend already, and then it can't be static.
        let linkage = if self.closure.mentions_params(function) { "" } else { "static " };
        format!("{linkage}{}{noexcept}", crate::cpp::declare(&spell(&function.result), &head))
    }

    /// A free function's copy: head and, where it is the unit, the dispatching body.
    fn function(
        &mut self,
        function: &Function,
        name: &str,
        copy: &SourceCopy,
        renames: &Renames,
    ) -> Result<String, String> {
        let body = &function.definition.as_ref().ok_or("a function without a body")?.body;
        let text = self.stretch(body, renames)?;
        Ok(format!("{} {text}", self.head(function, name, copy)))
    }

    fn dispatch(&mut self, original: String, margin: &str, renames: &Renames) -> Result<String, String> {
        let mut versions = Vec::new();
        for numbered in self.mutants {
            let mutant = numbered.mutant;
            let pairing = mutant.pairing.as_ref().map_err(|(_, why)| why.clone())?;
            let source = self.texts.read(&mutant.path)?.clone();
            let (start, end) = pairing.body;
            let edits = rename_edits(&source, start, end, &pairing.references, renames);
            let body = Edits(edits).apply(&source, start, end)?;
            let place = format!("{}, line {}", mutant.operator, mutant.line);
            versions.push(Version {
                label: format!("case {}", numbered.number),
                comment: comment_safe(&place),
                body: relabel(&body, &pairing.labels, &format!("_{}", numbered.number)),
            });
        }
        versions.push(Version { label: "default".into(), comment: "the original".into(), body: original });
        Ok(dispatching_body(self.unit.language, margin, &versions))
    }
}
