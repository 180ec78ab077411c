//! Classes of C++ that belong to no file of the project: those of installed libraries. What the project's signatures,
//! members and bases mention of them is read as far as anybody may use it, and what that mentions in turn, not far; no
//! body is.

use super::files::Place;
use super::names::{class_head, is_function, is_reserved};
use super::reader::{Reader, access_of, measure, sum_up};
use super::signatures;
use super::type_shapes::is_class;
use super::types;
use super::waiting::Mentioned;
use crate::model::*;
use clang::{Entity, EntityKind, EntityVisitResult};
use std::collections::{HashMap, HashSet};

/// The most classes that one translation unit reads.
const MOST: usize = 160;
/// The most classes that are looked for of those that derive from one.
const DERIVED: usize = 8;
/// The most of these in one translation unit.
const DERIVED_IN_ALL: usize = 32;
/// The most methods that are read of one class.
const METHODS: usize = 200;
/// The most methods of a template, and of what it derives from, that an instantiation may be asked by.
const GETTERS: usize = 40;
/// How many bases of bases of a template are looked at.
const BASES: usize = 4;

/// Reads what was mentioned, the nearest first.
pub(super) fn read_installed<'tu>(reader: &mut Reader<'tu>, root: Entity<'tu>) {
    reader.installed.is_reading = true;
    let mut read = 0;
    // What the project mentions itself comes first; then what derives from that.
    let mut is_asked = false;
    while read < MOST {
        let next = reader.installed.queue.pop_front();
        if !is_asked && next.as_ref().is_none_or(|(_, depth)| *depth > 0) {
            is_asked = true;
            next.into_iter().for_each(|it| reader.installed.queue.push_front(it));
            derived(reader, root);
            continue;
        }
        let Some((what, depth)) = next else { break };
        read += 1;
        reader.installed.depth = Some(depth);
        match what {
            Mentioned::Class(declaration) => read_class(reader, declaration),
            Mentioned::Instance(ty, declaration) => read_instantiation(reader, ty, declaration),
        }
    }
    reader.installed.is_reading = false;
}

/// Puts before what waits the classes that derive from an abstract one of those that were read: no signature of the
/// project need mention what its callers hand over (a stream of bytes, where it takes any stream).
fn derived<'tu>(reader: &mut Reader<'tu>, root: Entity<'tu>) {
    let installed = reader.model.classes.values().filter(|class| class.installed.is_some() && class.is_abstract);
    let mut bases: HashMap<Usr, usize> = installed.map(|class| (class.usr.clone(), 0)).collect();
    if bases.is_empty() {
        return;
    }
    let classes = reader.model.classes.values().filter(|class| bases.contains_key(&class.usr));
    let scope = |class: &Class| class.qualified.rsplit_once("::").map_or("", |(scope, _)| scope).to_owned();
    let scopes: HashSet<String> = classes.map(scope).collect();
    let mut found = Vec::new();
    within(reader, root, "", &scopes, &mut |reader, class| {
        let mut above: Vec<Usr> = Vec::new();
        // (Bases stand first.)
        class.visit_children(|child, _| {
            let is_base = child.get_kind() == EntityKind::BaseSpecifier;
            if is_base && access_of(child) == Some(Access::Public) {
                let base = child.get_type().and_then(|ty| ty.get_canonical_type().get_declaration());
                above.extend(base.map(|base| reader.usr(base)));
            }
            match is_base || child.get_kind() == EntityKind::FinalAttr {
                true => EntityVisitResult::Continue,
                false => EntityVisitResult::Break,
            }
        });
        let Some(known) = above.iter().find_map(|usr| bases.get(usr).map(|_| usr.clone())) else { return };
        if found.len() == DERIVED_IN_ALL || bases[&known] == DERIVED || !super::mentions::is_installed(reader, class) {
            return;
        }
        *bases.entry(known).or_default() += 1;
        found.push(class);
        if class.is_abstract_record() {
            bases.insert(reader.usr(class), 0);
        }
    });
    for class in found.into_iter().rev() {
        super::mentions::derived_class(reader, class);
    }
}

/// Hands over the classes that a translation unit has in the namespaces `scopes`; the empty name is its top.
fn within<'tu>(
    reader: &mut Reader<'tu>,
    scope: Entity<'tu>,
    qualified: &str,
    scopes: &HashSet<String>,
    each: &mut impl FnMut(&mut Reader<'tu>, Entity<'tu>),
) {
    for child in scope.get_children() {
        match child.get_kind() {
            EntityKind::Namespace => {
                let name = child.get_name().unwrap_or_default();
                let name = if qualified.is_empty() { name } else { format!("{qualified}::{name}") };
                if scopes.iter().any(|known| {
                    known.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
                }) {
                    within(reader, child, &name, scopes, each);
                }
            }
            EntityKind::ClassDecl | EntityKind::StructDecl if scopes.contains(qualified) && child.is_definition() => {
                each(reader, child);
            }
            _ => {}
        }
    }
}

/// Reads the public part of a class.
fn read_class<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>) {
    let Some(definition) = declaration.get_definition() else {
        if let Some(class) = described(reader, declaration, None) {
            reader.model.classes.insert(class.usr.clone(), class);
        }
        return;
    };
    let Some(mut class) = described(reader, definition, None) else { return };
    let depth = reader.installed.depth;
    let (mut own_constructor, mut hidden, mut converts, mut methods) = (false, false, false, 0);
    for child in definition.get_children() {
        let is_public = access_of(child) == Some(Access::Public);
        match child.get_kind() {
            EntityKind::BaseSpecifier => {
                class.bases.extend(types::base(reader, child));
            }
            EntityKind::FieldDecl => {
                // Whether an object can be made of nothing, and copied, depends on those that nobody sees.
                reader.installed.depth = depth.filter(|_| is_public);
                class.fields.push(types::field(reader, child));
                reader.installed.depth = depth;
                hidden |= !is_public;
            }
            kind if is_function(kind) => {
                let kind = child.get_template_kind().unwrap_or(kind);
                own_constructor |= kind == EntityKind::Constructor && !child.is_defaulted();
                converts |= kind == EntityKind::ConversionFunction && is_public && becomes_pointer(reader, child);
                let is_made = matches!(kind, EntityKind::Constructor | EntityKind::Destructor);
                let is_open = is_public && child.get_kind() != EntityKind::FunctionTemplate && is_usable(child);
                if (is_made || child.is_pure_virtual_method() || is_open) && methods < METHODS {
                    methods += 1;
                    reader.installed.depth = depth.filter(|_| is_public);
                    class.methods.extend(declared(reader, child));
                    reader.installed.depth = depth;
                }
            }
            EntityKind::FinalAttr => class.is_final = true,
            _ => {}
        }
    }
    sum_up(reader, &mut class, !own_constructor && !hidden);
    if let Some(installed) = &mut class.installed {
        installed.converts = converts;
    }
    reader.model.classes.insert(class.usr.clone(), class);
}

/// A class with nothing in it.
fn described<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, spelling: Option<String>) -> Option<Class> {
    let (extent, ..) = reader.extent(entity)?;
    let is_defined = entity.is_definition();
    let kind = entity.get_template_kind().unwrap_or(entity.get_kind());
    let mut class = Class {
        kind: if kind == EntityKind::ClassDecl { ClassKind::Class } else { ClassKind::Struct },
        definition: is_defined.then(|| extent.clone()),
        declarations: (!is_defined).then_some(extent).into_iter().collect(),
        installed: Some(Box::new(Installed { spelling, ..Installed::default() })),
        ..class_head(reader, entity)
    };
    measure(entity, &mut class);
    Some(class)
}

/// Puts a method into the model, without its body.
fn declared<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> Option<Usr> {
    let usr = reader.usr(entity);
    let (extent, text, _) = reader.extent(entity)?;
    let place: Place = reader.place(entity)?;
    let mut function = signatures::signature(reader, entity, &usr, (&text, &extent), &place);
    function.declarations.push(extent);
    reader.model.functions.insert(usr.clone(), function);
    Some(usr)
}

/// Whether a conversion leads to a pointer, and need not be asked for.
fn becomes_pointer<'tu>(reader: &mut Reader<'tu>, conversion: Entity<'tu>) -> bool {
    let to = conversion.get_result_type().map(|ty| ty.get_canonical_type().get_kind());
    let says = reader.source_of(conversion).unwrap_or_default();
    to == Some(clang::TypeKind::Pointer) && !says.trim_start().starts_with("explicit")
}

/// An instantiation of a class template: of its members libclang shows the data alone. What else it has, the compiler
/// is asked for.
fn read_instantiation<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, declaration: Entity<'tu>) {
    let display = ty.get_display_name();
    let spelling = display.trim_start_matches("const ").trim_start_matches("volatile ");
    // Local and private types can't be spelled.
    if ["(lambda", "(anonymous", "(unnamed", "type-parameter"].iter().any(|no| spelling.contains(no)) {
        return;
    }
    let Some(mut class) = described(reader, declaration, Some(spelling.to_owned())) else { return };
    // (An instantiation that nobody needed whole is none yet.)
    let Some(template) = declaration.get_template() else { return };
    let Some(pattern) = template.get_definition() else { return };
    class.definition = reader.extent(pattern).map(|(extent, ..)| extent);
    class.declarations.clear();
    for child in ty.get_fields().unwrap_or_default() {
        if access_of(child) == Some(Access::Public) && child.get_name().is_some() {
            class.fields.push(types::field(reader, child));
        }
    }
    let mut getters = Vec::new();
    let converts = getters_of(reader, pattern, BASES, &mut getters);
    if let Some(installed) = &mut class.installed {
        installed.getters = getters;
        installed.converts = converts;
    }
    reader.model.classes.insert(class.usr.clone(), class);
}

/// The names of methods that an instantiation may be asked by, and whether one converts it.
fn getters_of<'tu>(reader: &mut Reader<'tu>, pattern: Entity<'tu>, deep: usize, names: &mut Vec<String>) -> bool {
    let mut converts = false;
    for child in pattern.get_children() {
        match child.get_kind() {
            EntityKind::BaseSpecifier if deep > 0 && access_of(child) == Some(Access::Public) => {
                // (Its arguments are named there as well.)
                let display = child.get_type().map(|ty| ty.get_display_name()).unwrap_or_default();
                let mut named = child.get_children().into_iter().filter_map(|part| part.get_reference());
                let is_it = |to: &Entity<'tu>| to.get_name().as_deref() == Some(super::type_shapes::head(&display));
                let base = named.find(|to| is_class(to.get_kind()) && is_it(to));
                if let Some(base) = base.and_then(|base| base.get_definition()) {
                    converts |= getters_of(reader, base, deep - 1, names);
                }
            }
            EntityKind::Method
                if access_of(child) == Some(Access::Public)
                    && child.is_const_method()
                    && child.get_arguments().is_some_and(|params| params.is_empty()) =>
            {
                let name = child.get_name().unwrap_or_default();
                let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.starts_with("operator");
                if is_word && names.len() < GETTERS && !names.contains(&name) {
                    names.push(name);
                }
            }
            EntityKind::ConversionFunction => {
                converts |= access_of(child) == Some(Access::Public) && becomes_pointer(reader, child);
            }
            _ => {}
        }
    }
    converts
}

/// Whether a method can be of use to who makes objects, fills or looks at them.
fn is_usable(method: Entity<'_>) -> bool {
    let name = method.get_name().unwrap_or_default();
    let is_operator =
        name.strip_prefix("operator").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    !is_operator && method.get_availability() == clang::Availability::Available && !is_reserved(&name)
}

#[cfg(test)]
mod tests {
    use crate::model::*;
    use crate::parse::testing::Small;

    const HEADER: &str = "#pragma GCC system_header\n#include <ostream>\n#include <string>\nnamespace lib {\n\
        enum class Mode { fast, slow };\n\
        class Inner { public: explicit Inner(int n) : n_(n) {} int n() const { return n_; } private: int n_; };\n\
        class Token { public: Token(const std::string &text, Mode mode); static Token parse(const std::string &text); \
        const Inner &inner() const;\n\
        int size() const; Token &operator++(); bool operator==(const Token &) const; int open; private: int secret_; \
        void hidden(); };\n\
        std::ostream &operator<<(std::ostream &, const Token &);\n\
        template <class T> class Box { public: typedef T value_type; Box() {} Box(const T &a, const T &b) : a_(a), \
        b_(b) {} T sum() const { return a_ + b_; } private: T a_, b_; };\n\
        template <class T, int R> class Grid { public: Grid() : all_() {} int rows() const { return R; } int cols() \
        const { return 2; } void resize(int, int) {}\n\
        T &operator()(int r, int c) { return all_[r][c]; } T operator()(int r, int c) const { return all_[r][c]; } T \
        *begin() { return all_[0]; } private: T all_[R][2]; };\n}\n";

    fn model() -> Model {
        let text = "#include <lib.h>\nint take(const lib::Token &token, const lib::Box<int> &box, const \
            lib::Grid<double, 3> &grid) { return 1; }\n";
        Small::new(&[("lib.h", HEADER), ("a.cpp", text)], "-std=c++17").model()
    }

    #[test]
    fn what_everybody_may_use_of_an_installed_class_is_read_and_no_body() {
        let model = model();
        let class = model.class_named("lib::Token").expect("it is mentioned");
        assert!(model.is_foreign(class));
        let names: Vec<&str> = class.functions(&model).map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["Token", "parse", "inner", "size"]);
        assert!(model.functions.values().filter(|f| f.name != "take").all(|f| f.definition.is_none()));
        assert!(model.class_named("lib::Inner").is_some(), "what it is made of is read too");
        assert_eq!(model.enums.values().find(|e| e.qualified == "lib::Mode").map(|e| e.enumerators.len()), Some(2));
        assert!(class.installed.as_ref().is_some_and(|installed| installed.is_printed && installed.elements.is_none()));
    }

    #[test]
    fn an_instantiation_is_a_class_of_its_own_of_which_the_compiler_says_what_it_has() {
        let model = model();
        let of = |spelling: &str| {
            let is = |class: &&Class| class.installed.as_ref().is_some_and(|i| i.spelling.as_deref() == Some(spelling));
            model.classes.values().find(is).unwrap_or_else(|| panic!("no {spelling}"))
        };
        let made = of("lib::Box<int>").methods.iter().map(|usr| model.functions[usr].id.as_str()).collect::<Vec<_>>();
        assert_eq!(made, ["lib::Box<int>::Box()", "lib::Box<int>::Box(int, int)", "lib::Box<int>::sum()"]);
        let grid = of("lib::Grid<double, 3>").installed.as_ref().and_then(|installed| installed.grid.as_ref());
        assert_eq!(grid.map(|ty| ty.spelling.as_str()), Some("double"));
    }
}
