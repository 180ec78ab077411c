//! Joining what several declarations and several translation units say of the same entity.

use crate::model::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn add_missing<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) {
    for item in from {
        if !to.contains(&item) {
            to.push(item);
        }
    }
}

/// Adds a class; its definition wins over its declarations.
pub(super) fn class(model: &mut Model, mut class: Class) {
    let Some(known) = model.classes.get_mut(&class.usr) else {
        model.classes.insert(class.usr.clone(), class);
        return;
    };
    if known.definition.is_none() && class.definition.is_some() {
        std::mem::swap(known, &mut class);
    }
    let file_local = known.is_file_local && class.is_file_local;
    known.is_file_local = if known.definition.is_some() { known.is_file_local } else { file_local };
    // A header for both languages: in C a structure has its keyword, which C++ allows as well.
    let is_plain = |class: &Class| {
        let has_more = !class.methods.is_empty() || !class.bases.is_empty();
        class.language == Language::C || !has_more && (class.is_pod || class.definition.is_none())
    };
    let is_c = known.language == Language::C || class.language == Language::C;
    known.language = if is_c && is_plain(known) && is_plain(&class) { Language::C } else { Language::Cxx };
    add_missing(&mut known.declarations, class.declarations);
    add_missing(&mut known.nested, class.nested);
    add_missing(&mut known.friends, class.friends);
    add_missing(&mut known.aliases, class.aliases);
    for field in class.fields {
        if let Some(known) = known.fields.iter_mut().find(|known| known.usr == field.usr)
            && known.definition.is_none()
        {
            known.definition = field.definition;
        }
    }
}

/// Adds a function; what its declarations say is kept where the definition does not say it.
pub(super) fn function(model: &mut Model, mut function: Function) {
    let Some(known) = model.functions.get_mut(&function.usr) else {
        model.functions.insert(function.usr.clone(), function);
        return;
    };
    if known.definition.is_none() && function.definition.is_some() {
        std::mem::swap(known, &mut function);
    }
    let other = function;
    // What returns something else is of that name in another program.
    if known.language == Language::C && known.definition.is_some() && are_apart(&known.result, &other.result) {
        return;
    }
    known.is_virtual |= other.is_virtual;
    known.is_pure |= other.is_pure;
    known.is_inline |= other.is_inline;
    known.is_constexpr |= other.is_constexpr;
    known.is_noexcept |= other.is_noexcept;
    known.is_explicit |= other.is_explicit;
    known.is_noreturn |= other.is_noreturn;
    known.is_deleted |= other.is_deleted;
    known.is_defaulted |= other.is_defaulted;
    known.is_file_local |= other.is_file_local;
    known.access = known.access.or(other.access);
    if other.kind == FunctionKind::StaticMethod {
        known.kind = FunctionKind::StaticMethod;
    }
    if known.mangled.is_none() {
        known.mangled = other.mangled;
    }
    add_missing(&mut known.overrides, other.overrides);
    add_missing(&mut known.declarations, other.declarations);
    for (known, other) in known.params.iter_mut().zip(other.params) {
        if known.name.is_empty() {
            known.name = other.name;
        }
        if known.default.is_none() {
            known.default = other.default;
        }
        known.tested |= other.tested;
        known.is_passed_on |= other.is_passed_on;
        known.seen_as = known.seen_as.take().or(other.seen_as);
        known.ends = known.ends.or(other.ends);
        known.elements = known.elements.take().or(other.elements);
        known.greatest_index = known.greatest_index.or(other.greatest_index);
        known.handed_to.extend(other.handed_to);
        known.passed_on.extend(other.passed_on);
        known.only_read = known.only_read.take().or(other.only_read);
        // A header may write `T a[]` where the definition writes `T a[4]`.
        if matches!(known.ty.kind, TypeKind::Array(_, None) | TypeKind::Pointer(_))
            && matches!(other.ty.kind, TypeKind::Array(_, Some(_)))
        {
            known.ty = other.ty;
        }
    }
}

/// Whether no two declarations of one function of C can have these results. (An enumeration may be a number.)
fn are_apart(one: &Type, other: &Type) -> bool {
    match (&one.kind, &other.kind) {
        (TypeKind::Pointer(one), TypeKind::Pointer(other)) => are_apart(one, other),
        (TypeKind::Record { usr: one, .. }, TypeKind::Record { usr: other, .. }) => one != other,
        (TypeKind::Prim(one), TypeKind::Prim(other)) => one != other,
        (TypeKind::Void, TypeKind::Void) => false,
        _ => is_plain(one) && is_plain(other),
    }
}

fn is_plain(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Void | TypeKind::Pointer(_) | TypeKind::Record { .. } | TypeKind::Prim(_))
}

fn file(known: &mut SourceFile, other: SourceFile) {
    add_missing(&mut known.includes, other.includes);
    add_missing(&mut known.macros, other.macros);
    known.defines_main |= other.defines_main;
    sorted(&mut known.references, other.references);
    sorted(&mut known.expansions, other.expansions);
}

/// Adds to a list that is in order and has each item once.
fn sorted<T: Ord>(known: &mut Vec<T>, more: Vec<T>) {
    known.extend(more);
    known.sort();
    known.dedup();
}

/// Adds what is not known yet.
fn first<T>(known: &mut BTreeMap<Usr, T>, part: BTreeMap<Usr, T>) {
    for (usr, found) in part {
        known.entry(usr).or_insert(found);
    }
}

/// Adds to each list.
fn all<T, L>(known: &mut BTreeMap<Usr, L>, part: BTreeMap<Usr, L>)
where
    L: Default + Extend<T> + IntoIterator<Item = T>,
{
    for (usr, found) in part {
        known.entry(usr).or_default().extend(found);
    }
}

/// Adds what one translation unit gave.
pub(super) fn unit(model: &mut Model, part: Model) {
    for (_, found) in part.classes {
        class(model, found);
    }
    let main = part.units.first().map(|unit| unit.main_file.clone());
    let number = model.units.len();
    for (usr, found) in part.functions {
        if found.definition.as_ref().is_some_and(|at| Some(&at.extent.file) != main.as_ref()) {
            model.sightings.entry(usr).or_default().push(number);
        }
        function(model, found);
    }
    first(&mut model.enums, part.enums);
    first(&mut model.aliases, part.aliases);
    for (usr, found) in part.variables {
        let known = model.variables.entry(usr).or_insert_with(|| found.clone());
        known.defined_in = known.defined_in.take().or(found.defined_in);
    }
    for (path, found) in part.files {
        match model.files.get_mut(&path) {
            Some(known) if *known == found => {}
            Some(known) => file(known, found),
            None => {
                model.files.insert(path, found);
            }
        }
    }
    for (usr, shown) in part.elements {
        super::elements::add(model.elements.entry(usr).or_default(), &shown);
    }
    all(&mut model.union_tags, part.union_tags);
    model.lent_out.extend(part.lent_out);
    all(&mut model.instantiations, part.instantiations);
    all(&mut model.inner_instantiations, part.inner_instantiations);
    all(&mut model.returned, part.returned);
    all(&mut model.used_of, part.used_of);
    all(&mut model.histories, part.histories);
    model.units.extend(part.units);
}

/// Changes the classes for which something holds; whether there were any.
fn change(model: &mut Model, holds: impl Fn(&Model, &Class) -> bool, change: impl Fn(&mut Class)) -> bool {
    let found: Vec<Usr> =
        model.classes.values().filter(|class| holds(model, class)).map(|class| class.usr.clone()).collect();
    found.iter().filter_map(|usr| model.classes.get_mut(usr).map(&change)).count() > 0
}

/// Completes the model of the whole project: polymorphism through bases, abstract templates, ids that two units share.
pub(super) fn finish(model: &mut Model, root: &Path) {
    let inherits = |model: &Model, class: &Class| {
        let mut bases = class.bases.iter().filter_map(|base| model.class_of(&base.ty));
        !class.is_polymorphic && bases.any(|base| base.is_polymorphic)
    };
    let polymorphic = |class: &mut Class| (class.is_polymorphic, class.is_aggregate) = (true, false);
    while change(model, inherits, polymorphic) {}
    let is_open = |model: &Model, class: &Class| {
        class.template.is_some() && class.definition.is_some() && !class.is_abstract && has_pure(model, class)
    };
    change(model, is_open, |class| class.is_abstract = true);
    let is_closed = |model: &Model, class: &Class| class.is_abstract && is_for_its_base_to_say(model, class);
    change(model, is_closed, |class| class.is_abstract = false);
    model.select_partial();
    super::callee_elements::hand_on(model);
    super::table_indices::hand_on(model);
    super::opened_files::tell(model);
    super::nullness::hand_on(model);
    model.homes = homes(model);
    tell_apart(model, root);
    super::histories::keep(model, root);
}

/// Of headers the translation unit that sees most of their bodies, and of several the one that defines most of what
/// they declare, that is called like the header, or that is the first; one that can be read.
fn homes(model: &Model) -> BTreeMap<PathBuf, usize> {
    let mains: BTreeMap<&Path, usize> =
        model.units.iter().enumerate().rev().map(|(index, unit)| (unit.main_file.as_path(), index)).collect();
    let mut seen: BTreeMap<&Path, BTreeMap<usize, (usize, usize)>> = BTreeMap::new();
    for function in model.functions.values() {
        let Some(definition) = &function.definition else { continue };
        let file = definition.extent.file.as_path();
        let sightings = model.sightings.get(&function.usr).filter(|_| !mains.contains_key(file));
        for unit in sightings.into_iter().flatten() {
            seen.entry(file).or_default().entry(*unit).or_default().0 += 1;
        }
        let Some(&unit) = mains.get(file) else { continue };
        for header in function.declarations.iter().map(|at| at.file.as_path()) {
            if !mains.contains_key(header) {
                seen.entry(header).or_default().entry(unit).or_default().1 += 1;
            }
        }
    }
    let best = |(header, units): (&Path, BTreeMap<usize, (usize, usize)>)| {
        let readable = units.into_iter().filter(|(unit, _)| model.units[*unit].errors.is_empty());
        let named = |unit: usize| model.units[unit].main_file.file_stem() == header.file_stem();
        let home = readable.max_by_key(|(unit, count)| (*count, named(*unit), Reverse(*unit)));
        home.map(|(unit, _)| (header.to_path_buf(), unit))
    };
    seen.into_iter().filter_map(best).collect()
}

/// Whether what a class template leaves open may be in the base that is a parameter of it: `template <class Impl> class
/// Graph : public Interface, public Impl`.
fn is_for_its_base_to_say(model: &Model, class: &Class) -> bool {
    let mut own = class.functions(model);
    class.template.is_some()
        && class.bases.iter().any(|base| matches!(base.ty.kind, TypeKind::Dependent(_)))
        && !own.any(|method| method.is_pure)
}

/// Whether a pure method of the class or its bases is left without an overrider on the way down.
fn has_pure(model: &Model, class: &Class) -> bool {
    fn pure_of(model: &Model, class: &Class, depth: usize) -> BTreeSet<Usr> {
        let mut pure = BTreeSet::new();
        if depth > 32 {
            return pure;
        }
        for base in class.bases.iter().filter_map(|base| model.class_of(&base.ty)) {
            pure.extend(pure_of(model, base, depth + 1));
        }
        for method in class.functions(model) {
            for overridden in &method.overrides {
                pure.remove(overridden);
            }
            // Of a base that depends on the parameters nobody says so: an overrider looks alike.
            let is_alike = |other: &Usr| {
                model.functions.get(other).is_some_and(|other| {
                    other.name == method.name
                        && other.params.len() == method.params.len()
                        && other.is_const == method.is_const
                })
            };
            pure.retain(|other| class.template.is_none() || !is_alike(other));
            if method.is_pure {
                pure.insert(method.usr.clone());
            }
        }
        pure
    }
    !pure_of(model, class, 0).is_empty()
}

/// File-local functions of different files, and templates, may share an id: the file is added, and where that is not
/// enough the line.
fn tell_apart(model: &mut Model, root: &Path) {
    let mut by_id: BTreeMap<String, Vec<Usr>> = BTreeMap::new();
    for function in model.functions.values().filter(|function| function.definition.is_some()) {
        by_id.entry(function.id.clone()).or_default().push(function.usr.clone());
    }
    for (id, usrs) in by_id.into_iter().filter(|(_, usrs)| usrs.len() > 1) {
        let file_of = |usr: &Usr| Some(&model.functions.get(usr)?.definition.as_ref()?.extent.file);
        let several = usrs.iter().filter_map(file_of).collect::<BTreeSet<_>>().len() < usrs.len();
        for usr in usrs {
            let Some(function) = model.functions.get_mut(&usr) else { continue };
            if let Some(definition) = &function.definition {
                let extent = &definition.extent;
                let file = extent.file.strip_prefix(root).unwrap_or(&extent.file).display();
                function.id = if several { format!("{id} [{file}:{}]", extent.line) } else { format!("{id} [{file}]") };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::{read_c, read_cpp};

    #[test]
    fn a_structure_that_both_languages_see_is_one_of_c_unless_it_has_methods() {
        let cxx = || read_cpp("struct box { int a; }; struct full { int a; int get() const; };");
        let c = || read_c("struct box { int a; }; struct full { int a; };");
        for (mut first, second) in [(cxx(), c()), (c(), cxx())] {
            second.classes.into_values().for_each(|other| class(&mut first, other));
            let language = |name: &str| first.classes.values().find(|class| class.name == name).unwrap().language;
            assert_eq!((language("box"), language("full")), (Language::C, Language::Cxx));
        }
    }

    #[test]
    fn a_declaration_that_returns_something_else_is_of_another_program() {
        let program = || read_c("struct node { int n; };\nstruct node *make(void) { return 0; }\n");
        let other = || read_c("\n\nvoid make(void);\n");
        let same = || read_c("\n\nstruct node; struct node *make(void);\n");
        let declared = |first: Model, second: Model| {
            let mut model = first;
            second.functions.into_values().for_each(|found| function(&mut model, found));
            let made = model.functions.into_values().next().unwrap();
            (made.definition.is_some(), made.declarations.len())
        };
        let alone = declared(program(), program()).1;
        for others in [declared(program(), other()), declared(other(), program())] {
            assert_eq!(others, (true, alone));
        }
        assert_eq!(declared(same(), program()), (true, alone + 1));
    }
}
