//! What units do beside computing with numbers, callees included.
//!
//! Which can access memory in a way that AddressSanitizer checks: others need no sanitizer build. And which ask or do
//! anything beside their arguments and their result: about others, all arguments say all.
//!
//! If in doubt, a unit does. Bodies are read once per file, and only if the types do not decide.

use crate::bodies;
use crate::decide::pure::is_pure;
use crate::decide::solver::knowledge;
use crate::facts::tables::Tables;
use crate::hierarchy::Hierarchy;
use crate::model::{Function, FunctionKind, Model, Prim, Type, TypeKind, Usr};
use crate::session::Session;
use crate::tree::{Body, Entity, Initialized, Kind, Node, Role, Trees};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// Facts about the bodies of the files that were read.
#[derive(Debug, Default)]
pub struct MemoryEffects {
    files: Mutex<BTreeMap<PathBuf, Arc<BTreeMap<Usr, Doing>>>>,
    tables: OnceLock<Tables>,
}

/// Facts about one body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Doing {
    /// It dereferences or indexes, constructs or destroys something that owns memory, or calls unknown code.
    touches: bool,
    /// The project functions that it calls.
    calls: BTreeSet<Usr>,
    /// The library functions that it calls which are known to do nothing beside.
    pure: BTreeSet<Usr>,
    /// What it asks or does beside its arguments and its result, as far as its tree tells.
    besides: Option<String>,
    /// What a solver does not understand, or has otherwise than the machine.
    strange: Option<String>,
    /// The functions of compilers and libraries that it calls without a declaration that the model has.
    unlisted: BTreeSet<String>,
}

/// A unit and its callees, of which a solver can read all that it has to.
#[derive(Clone, Debug, Default)]
pub struct Trusted {
    /// The files with their bodies.
    pub files: BTreeSet<PathBuf>,
    /// Who calls whom.
    pub calls: BTreeMap<Usr, BTreeSet<Usr>>,
    /// Functions of the library without a body for the solver, which depend on their arguments alone.
    pub library: BTreeSet<Usr>,
    /// Those that name `errno`, which is no argument and no result.
    names_errno: BTreeSet<Usr>,
    /// Those that ask or do anything else beside their arguments and their result.
    besides: BTreeSet<Usr>,
    /// The variables that they name and nobody changes, as long as no mutant does.
    pub tables: BTreeSet<String>,
}

impl Trusted {
    /// Whether the result of a function, and what it writes behind its arguments, are all that it does, whether `unit`
    /// is mutated or not.
    pub fn only_computes(&self, function: &Usr, unit: &Usr) -> bool {
        let mut seen = BTreeSet::from([function]);
        let mut open = vec![function];
        while let Some(one) = open.pop() {
            if self.names_errno.contains(one) || self.besides.contains(one) || one == unit {
                return false;
            }
            open.extend(self.calls.get(one).into_iter().flatten().filter(|next| seen.insert(next)));
        }
        true
    }
}

impl MemoryEffects {
    /// Whether `unit` or its callees can access memory that their caller does not see.
    pub fn can_touch(&self, session: &Session, unit: &Usr) -> bool {
        let (model, hierarchy) = (&session.model, &session.hierarchy);
        let mut seen = BTreeSet::from([unit.clone()]);
        let mut open = vec![unit.clone()];
        while let Some(usr) = open.pop() {
            let Some(function) = model.functions.get(&usr) else { return true };
            let Some(definition) = &function.definition else { return true };
            if !is_of_numbers(model, function) {
                return true;
            }
            let Ok(doing) = self.doing(session, &definition.body.file, &usr) else { return true };
            if doing.touches {
                return true;
            }
            let next = doing.calls.iter().flat_map(|called| with_overriders(hierarchy, called));
            open.extend(next.filter(|next| seen.insert(next.clone())));
        }
        false
    }

    /// What `unit` or its callees ask or do beside their arguments and their result: a variable that outlives the
    /// call, a function of a library that is not known to be pure, what only the dynamic type decides.
    pub fn besides(&self, session: &Session, unit: &Usr) -> Option<String> {
        let model = &session.model;
        let mut seen = BTreeSet::from([unit.clone()]);
        let mut open = vec![unit.clone()];
        while let Some(usr) = open.pop() {
            let nobody = || format!("`{}`, whose body is not known", spoken(&usr));
            let Some(function) = model.functions.get(&usr) else { return Some(nobody()) };
            let Some(definition) = &function.definition else { return Some(nobody()) };
            if let Some(global) = definition.globals.first() {
                return Some(format!("the variable `{global}`"));
            }
            let doing = match self.doing(session, &definition.body.file, &usr) {
                Ok(doing) => doing,
                Err(why) => return Some(why),
            };
            if doing.besides.is_some() {
                return doing.besides;
            }
            // Those in macros have no tree.
            for called in definition.calls.union(&doing.calls) {
                let is_known = model.functions.get(called).is_some_and(|function| function.definition.is_some());
                if !is_known && !doing.pure.contains(called) && !is_pure(name_of(called)) {
                    return Some(format!("`{}`", spoken(called)));
                }
                if is_known && seen.insert(called.clone()) {
                    open.push(called.clone());
                }
            }
        }
        None
    }

    /// The bodies of `unit` and of what it calls, where the solver may be trusted with all of it. Mathematical
    /// functions of the library may be put aside, where nobody asks for `errno` (`decide/solver/opaque.rs`).
    ///
    /// # Errors
    /// What it may not be trusted with.
    pub fn of_solver(&self, session: &Session, unit: &Usr) -> Result<Trusted, String> {
        let (model, hierarchy) = (&session.model, &session.hierarchy);
        let mut found = Trusted::default();
        let mut seen = BTreeSet::from([unit.clone()]);
        let mut open = vec![unit.clone()];
        let trusted = knowledge::has_function;
        while let Some(usr) = open.pop() {
            let nobody = || format!("`{}`, whose body is not known", spoken(&usr));
            let function = model.functions.get(&usr).ok_or_else(nobody)?;
            let definition = function.definition.as_ref().ok_or_else(nobody)?;
            let tables = self.tables.get_or_init(|| Tables::new(model));
            if let Some(global) = definition.globals.iter().find(|name| !tables.has(name)) {
                return Err(format!("the variable `{global}`"));
            }
            found.tables.extend(definition.globals.iter().cloned());
            found.files.insert(definition.body.file.clone());
            let doing = self.doing(session, &definition.body.file, &usr)?;
            if let Some(strange) = doing.strange {
                return Err(strange);
            }
            if let Some(name) = doing.unlisted.iter().find(|name| !trusted(name)) {
                return Err(format!("`{name}`"));
            }
            let named = doing.unlisted.iter().map(String::as_str).chain(definition.calls.iter().map(name_of));
            if named.into_iter().any(|name| matches!(name, "__errno" | "__errno_location")) {
                found.names_errno.insert(usr.clone());
            }
            if doing.besides.is_some() {
                found.besides.insert(usr.clone());
            }
            let called = definition.calls.union(&doing.calls).flat_map(|called| with_overriders(hierarchy, called));
            for called in called {
                found.calls.entry(usr.clone()).or_default().insert(called.clone());
                let known = model.functions.get(&called);
                if known.is_some_and(|function| function.definition.is_some()) {
                    if seen.insert(called.clone()) {
                        open.push(called);
                    }
                    continue;
                }
                // Virtual functions without a body are somebody else's to implement: the driver's stubs do.
                let is_pure_virtual = known.is_some_and(|function| function.is_pure);
                let is_implicit = known.is_some_and(|function| function.is_defaulted);
                let trusted = trusted(name_of(&called)) || knowledge::has_member(called.as_str());
                if is_pure_virtual || is_implicit || trusted {
                    continue;
                }
                if knowledge::alike(name_of(&called)).is_none() {
                    return Err(format!("`{}`", spoken(&called)));
                }
                found.library.insert(called);
            }
        }
        match found.library.first() {
            // They may set it.
            Some(first) if !found.names_errno.is_empty() => Err(format!("`{}`", spoken(first))),
            _ => Ok(found),
        }
    }

    /// The facts about a body.
    ///
    /// # Errors
    /// Why there are none, in words that follow "trusted with". What could not be read this time may be the next.
    fn doing(&self, session: &Session, file: &Path, unit: &Usr) -> Result<Doing, String> {
        let read = self.of_file(session, file).map_err(|error| {
            let shown = file.strip_prefix(&session.options.root).unwrap_or(file).display();
            format!("{shown}, which cannot be read: {error:#}")
        })?;
        read.get(unit).cloned().ok_or_else(|| format!("`{}`, whose body is not known", spoken(unit)))
    }

    fn of_file(&self, session: &Session, file: &Path) -> anyhow::Result<Arc<BTreeMap<Usr, Doing>>> {
        let mut files = self.files.lock().unwrap_or_else(|p| p.into_inner());
        if let Some(known) = files.get(file) {
            return Ok(known.clone());
        }
        let trees = bodies::of_file(session, file)?;
        let bodies = trees.iter().flat_map(|trees| trees.bodies.iter().map(move |body| (trees, body)));
        let read: BTreeMap<Usr, Doing> =
            bodies.map(|(trees, body)| (body.unit.clone(), doing(&session.model, trees, body))).collect();
        let read = Arc::new(read);
        files.insert(file.to_path_buf(), read.clone());
        Ok(read)
    }
}

/// The name of a function of C or of namespace `std`, by its USR; the USR itself of any other.
pub(super) fn name_of(usr: &Usr) -> &str {
    let name = ["c:@F@", "c:@N@std@F@"].iter().find_map(|start| usr.as_str().strip_prefix(start));
    name.map_or(usr.as_str(), |name| name.split('#').next().unwrap_or(name))
}

/// A function as people call it, by its USR: `std::max`; the USR itself where it is not read so.
pub(super) fn spoken(usr: &Usr) -> String {
    let mut parts = usr.as_str().strip_prefix("c:").unwrap_or(usr.as_str()).split('@');
    let mut names = Vec::new();
    while let Some(part) = parts.next() {
        match part {
            "N" | "S" | "U" | "E" => names.extend(parts.next()),
            _ if part.starts_with("ST>") => names.extend(parts.next()),
            "F" => names.extend(parts.next().and_then(|name| name.split('#').next())),
            // Behind the number of parameters each of them has its kind, and the last one the name.
            "FT" => {
                let Some((count, rest)) = parts.next().and_then(|name| name.strip_prefix('>')?.split_once('#')) else {
                    break;
                };
                let last =
                    rest.split('#').nth(count.parse::<usize>().unwrap_or(1).saturating_sub(1)).unwrap_or_default();
                names
                    .extend(["pT", "T", "t"].iter().find_map(|kind| last.strip_prefix(kind)).or_else(|| last.get(2..)));
            }
            _ => {}
        }
        if matches!(part, "F" | "FT") {
            break;
        }
    }
    if names.is_empty() { usr.as_str().to_owned() } else { names.join("::") }
}

fn with_overriders(hierarchy: &Hierarchy, called: &Usr) -> Vec<Usr> {
    std::iter::once(called.clone()).chain(hierarchy.overriders(called)).collect()
}

/// Whether the receiver, the parameters and the result are numbers only. An object that owns memory may be left in a
/// state in which it damages that memory later.
fn is_of_numbers(model: &Model, function: &Function) -> bool {
    let owner = function.owner.as_ref().filter(|_| function.kind != FunctionKind::Function);
    let is_plain = |ty: &Type| is_plain(model, behind(ty));
    owner.is_none_or(|owner| is_plain_class(model, owner))
        && !function.is_variadic
        && function.params.iter().all(|param| is_plain(&param.ty))
        && is_plain(&function.result)
}

/// The type without references and pointers.
fn behind(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::Pointer(inner) | TypeKind::LvalueRef(inner) | TypeKind::RvalueRef(inner) => behind(inner),
        _ => ty,
    }
}

/// Numbers, and types made of numbers.
fn is_plain(model: &Model, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Void | TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        TypeKind::Array(inner, _) => is_plain(model, inner),
        TypeKind::Record { usr, args, .. } => args.is_empty() && is_plain_class(model, usr),
        _ => false,
    }
}

fn is_plain_class(model: &Model, usr: &Usr) -> bool {
    let Some(class) = model.classes.get(usr) else { return false };
    let destroys = |usr: &Usr| model.functions.get(usr).is_none_or(|f| f.kind == FunctionKind::Destructor);
    class.definition.is_some()
        && class.template.is_none()
        && class.bases.iter().all(|base| base.ty.record().is_some_and(|base| is_plain_class(model, base)))
        && !class.methods.iter().any(destroys)
        && class.fields.iter().filter(|field| !field.is_static).all(|field| is_plain(model, &field.ty))
}

fn doing(model: &Model, trees: &Trees, body: &Body) -> Doing {
    let mut doing = Doing::default();
    let mut look = |node: &Node| {
        let touches = match &node.kind {
            Kind::Index | Kind::New { .. } | Kind::Delete | Kind::Lambda | Kind::RangeFor | Kind::Text => true,
            Kind::Unary { op, .. } => op == "*",
            Kind::Binary { op, .. } => matches!(op.as_str(), ".*" | "->*") || op.is_empty() && !is_number(trees, node),
            Kind::Member { arrow, .. } => {
                *arrow && node.child(Role::Object).is_some_and(|object| object.kind != Kind::This)
            }
            Kind::Variable { .. } => {
                node.ty.and_then(|ty| trees.types.get(ty as usize)).is_none_or(|ty| !is_plain(model, behind(ty)))
            }
            Kind::Call { target, .. } | Kind::OperatorCall { target, .. } | Kind::Construct { target } => {
                if model.functions.get(target).is_some_and(|function| function.definition.is_some()) {
                    doing.calls.insert(target.clone());
                    false
                } else {
                    // A library function with numbers as arguments computes numbers.
                    let given = node.children.iter().filter(|child| child.role != Role::Callee);
                    target.is_empty() || !is_number(trees, node) || !given.clone().all(|node| is_number(trees, node))
                }
            }
            Kind::Other(name) => name != "Macro",
            _ => false,
        };
        doing.touches |= touches;
        doing.strange = doing.strange.take().or_else(|| strange(trees, node));
        if let Kind::Call { target, name, .. } = &node.kind
            && target.is_empty()
            && !name.is_empty()
        {
            doing.unlisted.insert(name.clone());
        }
        if doing.besides.is_none() {
            doing.besides = besides(model, trees, node, &mut doing.pure);
        }
    };
    body.root.walk(&mut look);
    for initializer in &body.initializers {
        initializer.values.iter().for_each(|value| value.walk(&mut look));
    }
    // Bodies of base and delegated constructors are not visible here.
    doing.touches |= body.initializers.iter().any(|one| !matches!(one.of, Initialized::Member { .. }));
    doing
}

/// What a place asks or does beside computing, but for the functions that are called there; those that are known to do
/// nothing beside go to `pure`.
fn besides(model: &Model, trees: &Trees, node: &Node, pure: &mut BTreeSet<Usr>) -> Option<String> {
    let ty = node.ty.and_then(|ty| trees.types.get(ty as usize));
    let plain = || ty.is_some_and(|ty| is_plain(model, behind(ty)));
    let is_defined = |usr: &Usr| model.functions.get(usr).is_some_and(|function| function.definition.is_some());
    match &node.kind {
        Kind::Call { name, is_virtual: true, .. } => Some(format!("a virtual call of `{name}`")),
        Kind::Call { target, name, .. } if !target.is_empty() && (is_defined(target) || is_pure(name)) => {
            pure.extend((!is_defined(target)).then(|| target.clone()));
            None
        }
        Kind::Call { name, .. } if name.is_empty() => Some("a call through a pointer".to_owned()),
        Kind::Call { name, .. } => Some(format!("`{name}`")),
        Kind::OperatorCall { target, op, .. } => (!is_defined(target)).then(|| format!("`operator{op}`")),
        Kind::Construct { .. } | Kind::Variable { .. } | Kind::Binary { .. } => {
            (!plain()).then(|| "an object that is more than numbers".to_owned())
        }
        Kind::Name { of: Entity::Global, name, .. } => {
            // Constant itself, and not what it points to.
            let points = ty.is_none_or(|ty| matches!(ty.kind, TypeKind::Pointer(_)));
            points.then(|| format!("what `{name}` points to"))
        }
        Kind::New { .. } | Kind::Delete | Kind::Lambda => Some("memory or functions that it makes".to_owned()),
        Kind::Other(name) => (name != "Macro").then(|| format!("a place that is not understood ({name})")),
        _ => None,
    }
}

/// What a solver does not understand, or has otherwise than the machine: assembler, and numbers of another width.
fn strange(trees: &Trees, node: &Node) -> Option<String> {
    let ty = node.ty.and_then(|ty| trees.types.get(ty as usize)).map(behind);
    if ty.is_some_and(|ty| matches!(ty.kind, TypeKind::Prim(Prim::LongDouble))) {
        return Some("`long double`, which has another width there".to_owned());
    }
    match &node.kind {
        Kind::Other(name) if name.contains("Asm") => Some(format!("a place that is not understood ({name})")),
        _ => None,
    }
}

fn is_number(trees: &Trees, node: &Node) -> bool {
    let ty = node.ty.and_then(|ty| trees.types.get(ty as usize));
    ty.is_some_and(|ty| matches!(ty.kind, TypeKind::Void | TypeKind::Prim(_) | TypeKind::Enum(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_called_by_their_names_where_a_person_reads() {
        for (usr, name) in [
            ("c:@F@sqrt", "sqrt"),
            ("c:@N@std@FT@>1#Tmax#&1t0.0#S0_#S0_#", "std::max"),
            ("c:@N@std@FT@>2#T#Tswap_ranges#v#", "std::swap_ranges"),
            ("c:@N@std@ST>1#Nl@bitset@F@bitset#l#", "std::bitset::bitset"),
            ("c:@N@Json@S@OurReader@S@Token@F@Token#", "Json::OurReader::Token::Token"),
            ("c:@N@a@S@B@F@get#1", "a::B::get"),
            ("c:Osc.cpp@3275@N@osc@F@ToUInt32#*1C#@U@Osc.cpp", "osc::ToUInt32"),
            ("std::string", "std::string"),
        ] {
            assert_eq!(spoken(&usr.to_owned()), name);
        }
    }
}
