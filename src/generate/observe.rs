//! Comparing objects member by member, through private state: one observer per class that a unit can show.
//!
//! An observer names every member to the record; how a member is compared is decided by its type
//! (`motif.hpp`). What can't be compared is said in the record, never guessed.

mod c;

pub use c::{C_DEPTH, c, c_name, c_value};

use super::derived_members::{Heirs, Version};
use super::name_clashes::Hidden;
use crate::facts::anonymous_members;
use crate::facts::anonymous_members::holds_pointer;
use crate::facts::member_lengths::{element, ends, shown};
use crate::model::{
    Access, Class, ClassKind, Field, Language, Model, Prim, TemplateArg, TranslationUnit, Type, TypeKind, Usr,
};
use crate::plan::array_lengths::usual;
use crate::plan::record_paths::derived;
use crate::plan::{Kind, UnitPlan};
use crate::types::library::{own_row, types};
use crate::types::records::record_type;
use crate::types::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The most classes that one driver observes; what lies deeper is compared by null-ness.
const MOST: usize = 60;

/// A class that is observed, with its template arguments.
#[derive(Clone, Debug)]
pub struct Observed<'m> {
    /// The class.
    pub class: &'m Class,
    /// As a type.
    pub ty: Type,
}

/// The classes that a unit can show: through its results, arguments and the object's members, nearest first.
pub fn observed<'m>(model: &'m Model, plan: &UnitPlan) -> Vec<Observed<'m>> {
    let source = model.units.iter().find(|unit| unit.main_file == plan.source);
    let included = super::headers::missing(model, plan);
    let mut found = Found { model, source, included, seen: BTreeSet::new(), order: Vec::new() };
    for entry in &plan.entries {
        for slot in entry.object.iter().chain(&entry.args) {
            found.reach(&slot.ty);
            slot.recipe.walk(&mut |recipe| found.reach(&recipe.ty));
        }
        if let Some(result) = &entry.result {
            found.reach(result);
        }
        for (_, variable, ty) in super::undefined_symbols::variables(model, entry) {
            found.reach_unnamed(ty, &variable, "");
            found.reach(ty);
        }
        for slot in entry.slots() {
            slot.recipe.walk(&mut |recipe| {
                if let Kind::Stub { methods, .. } = &recipe.kind {
                    let seen = methods.iter().flat_map(|method| method.params.iter().zip(&method.looks));
                    seen.filter(|(_, looks)| **looks).for_each(|(ty, _)| found.reach(ty));
                }
            });
        }
    }
    found.complete(0);
    // What objects are beside what they are seen as comes behind all that is seen for certain.
    let heirs = Heirs::new(model);
    let mut base = 0;
    while base < found.order.len() && found.order.len() < MOST {
        let known = found.order.len();
        for class in heirs.of(&found.order[base].clone()) {
            found.reach(&record_type(model, class, Vec::new()));
        }
        found.complete(known);
        base += 1;
    }
    found.order
}

struct Found<'m> {
    model: &'m Model,
    /// What the driver is part of: classes that another source file keeps to itself can't be named in it.
    source: Option<&'m TranslationUnit>,
    /// What the driver includes beside it.
    included: Vec<PathBuf>,
    seen: BTreeSet<String>,
    order: Vec<Observed<'m>>,
}

impl Found<'_> {
    /// Bases and members of those found from `next` on.
    fn complete(&mut self, mut next: usize) {
        while next < self.order.len() {
            let Observed { class, ty } = self.order[next].clone();
            let args = match &ty.kind {
                TypeKind::Record { args, .. } => args.clone(),
                _ => Vec::new(),
            };
            let with = Substitution::of(self.model, class, &args);
            for base in class.bases.iter().filter(|base| is_seen(class, base.access)) {
                self.reach(&with.apply(&base.ty));
            }
            self.reach_members(class, &with, ty.bare_spelling());
            next += 1;
        }
    }

    /// The types of a class's members, and of those that it has of structures without a name.
    fn reach_members(&mut self, class: &Class, with: &Substitution, owner: &str) {
        for field in class.fields.iter().filter(|f| !f.is_static && is_seen(class, f.access)) {
            match anonymous_members::within(self.model, field) {
                Some(inner) => self.reach_members(inner, with, owner),
                None => {
                    self.reach_unnamed(&field.ty, &format!("{owner}::{}", field.name), owner);
                    self.reach(&with.apply(&field.ty));
                }
            }
        }
    }

    /// In C++ a structure without a name is the type of what has it: a variable or a member, `place`. Several of an
    /// owner's members may have it.
    fn reach_unnamed(&mut self, ty: &Type, place: &str, owner: &str) {
        let mut innermost = ty;
        while let TypeKind::Array(element, _) = &innermost.kind {
            innermost = element;
        }
        let class = innermost.record().and_then(|usr| self.model.classes.get(usr));
        let Some(class) =
            class.filter(|class| anonymous_members::is_structure(class) && class.language == Language::Cxx)
        else {
            return;
        };
        let spelling = format!("std::remove_all_extents<decltype({place})>::type");
        if self.in_reach(class) && self.order.len() < MOST && self.seen.insert(format!("{} of {owner}", class.usr)) {
            let kind = TypeKind::Record { usr: class.usr.clone(), name: spelling.clone(), args: Vec::new() };
            self.order.push(Observed { class, ty: Type { spelling, is_const: false, kind, size: class.size } });
        }
    }

    fn in_reach(&self, class: &Class) -> bool {
        let (Some(source), Some(extent)) = (self.source, &class.definition) else { return true };
        if self.model.is_foreign(class) {
            return source.foreign.contains(&class.usr);
        }
        // What is only declared there no code of the unit can look into.
        source.files.contains(&extent.file) || !class.is_file_local && self.included.contains(&extent.file)
    }

    fn reach(&mut self, ty: &Type) {
        let mut records: Vec<(Usr, Vec<TemplateArg>)> = Vec::new();
        ty.walk(&mut |t| {
            if let TypeKind::Record { usr, args, .. } = &t.kind {
                records.push((usr.clone(), args.clone()));
            }
        });
        for (usr, args) in records {
            let Some(class) = self.model.classes.get(&usr) else { continue };
            // What a row describes is compared from its beginning to its end.
            if let Some(row) = own_row(self.model, &class.qualified).filter(|row| row.is_range()) {
                let parts = types(row).into_iter().filter_map(|name| self.model.class_named(&name));
                let parts: Vec<Type> = parts.map(|class| record_type(self.model, class, Vec::new())).collect();
                parts.iter().for_each(|part| self.reach(part));
                continue;
            }
            if anonymous_members::is_structure(class) && class.language == Language::C {
                class.fields.iter().for_each(|field| self.reach(&field.ty));
                continue;
            }
            // What is specialised for these very arguments has other members and bases.
            let special = self.model.classes.values().find(|class| {
                class.specializes.as_ref() == Some(&usr) && !args.is_empty() && class.specialized_for == args
            });
            let class = special.unwrap_or(class);
            let count = crate::types::records::params_of(self.model, class).len();
            if !can_be_named(class)
                || !super::installed::shows(self.model, class)
                || !self.in_reach(class)
                || in_template(self.model, class) && args.len() != count
                || self.order.len() >= MOST
            {
                continue;
            }
            if args.iter().any(is_open) || class.template.is_some() && args.is_empty() {
                continue;
            }
            let ty = record_type(self.model, class, args);
            if self.seen.insert(ty.canonical()) {
                self.order.push(Observed { class, ty });
            }
        }
    }
}

fn is_open(arg: &TemplateArg) -> bool {
    match arg {
        TemplateArg::Type(ty) => matches!(ty.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_)),
        // (An expression of parameters that nobody has computed.)
        TemplateArg::Value(value) => value.contains(' '),
    }
}

/// A class nested in a class template: its name needs the arguments of that.
fn in_template(model: &Model, class: &Class) -> bool {
    class.scopes.iter().any(|scope| match scope {
        crate::model::Scope::Class(usr) => {
            model.classes.get(usr).is_some_and(|outer| outer.template.is_some() || in_template(model, outer))
        }
        crate::model::Scope::Namespace { .. } => false,
    })
}

fn can_be_named(class: &Class) -> bool {
    class.definition.is_some()
        && !class.name.is_empty()
        && (class.specializes.is_none() || !class.specialized_for.is_empty())
        && !class.qualified.contains('(')
}

/// Whether what has this access is looked into: of another library's classes only what it shows to everybody.
fn is_seen(class: &Class, access: Access) -> bool {
    class.installed.is_none() || access == Access::Public
}

/// Between the names of two members that hold the ends of a text, in the name under which it is recorded.
pub const RANGE: char = '~';

/// The observer of what derived classes have.
const DERIVED: &str = "observe_derived";

/// Why such a union is left out: its bytes may be an address, and nothing says when.
const UNION_OF_POINTERS: &str = "a union that may hold a pointer: which member is alive is not known";

/// Why such a union is left out.
const UNION_WITH_GAPS: &str = "a union of which some bytes are between members: which member is alive is not known";

/// Why a structure is left out that only its own source knows.
const OPAQUE: &str = "nothing says what it holds";

/// What a member is to the comparison.
enum How<'m> {
    /// By its type.
    Value,
    /// Its members are those of what it stands in.
    Inside(&'m Class),
    /// A union, by a member that is all of it.
    Whole(&'m Field),
    /// Null or not: what it points to is not known to be one readable object.
    Nullness,
    /// Storage of so many bytes (an anonymous union).
    Storage(String, u64),
    /// Left out, with the reason.
    Skip(String),
}

fn how<'m>(model: &'m Model, class: &Class, field: &Field, ty: &Type, known: &BTreeSet<String>) -> How<'m> {
    let is_plain = class.is_aggregate || class.language == crate::model::Language::C;
    if field.name.is_empty() {
        if field.bit_width.is_some() {
            return How::Skip(String::new());
        }
        let inner = ty.record().and_then(|usr| model.classes.get(usr));
        if let Some(inner) =
            anonymous_members::within(model, field).filter(|class| anonymous_members::is_structure(class))
        {
            return How::Inside(inner);
        }
        if let Some(whole) = inner.and_then(|union| anonymous_members::whole(model, union)) {
            return How::Whole(whole);
        }
        let first = inner.and_then(|class| class.fields.iter().find(|f| !f.name.is_empty()));
        if inner.is_some_and(|class| holds_pointer(model, class)) {
            return How::Skip(UNION_OF_POINTERS.into());
        }
        if inner.is_some_and(|class| anonymous_members::has_gaps(model, class)) {
            return How::Skip(UNION_WITH_GAPS.into());
        }
        return match (first, inner.and_then(|c| c.size)) {
            (Some(first), Some(size)) => How::Storage(first.name.clone(), size),
            _ => How::Skip("an unnamed member".into()),
        };
    }
    match &ty.kind {
        TypeKind::Pointer(to) => match &to.kind {
            TypeKind::Record { usr, .. } => {
                // (What another library's object points to need not be an object any more.)
                let of = model.classes.get(usr).filter(|of| of.installed.is_none() && class.installed.is_none());
                let seen = of.is_some() && known.contains(&to.canonical());
                if seen { How::Value } else { How::Nullness }
            }
            _ => How::Nullness,
        },
        TypeKind::Array(_, None | Some(0)) => How::Skip("an array of unknown length".into()),
        TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) => match to.record() {
            Some(usr) if model.classes.get(usr).is_some_and(|c| c.definition.is_some()) => How::Value,
            Some(_) => How::Skip("a reference to a type of another library".into()),
            None => How::Value,
        },
        TypeKind::MemberPointer => How::Skip("a pointer to member".into()),
        // Fixed room for pointers is hardly ever full, and what is not in use need not be initialised.
        TypeKind::Array(element, _) if !is_plain && matches!(element.kind, TypeKind::Pointer(_)) => {
            How::Skip("an array of pointers, which need not be initialised".into())
        }
        _ => How::Value,
    }
}

/// The idiom of an array that grows: a pointer to the elements, how many are in use, how many there is room for.
/// Gives the pointer and the count.
fn growable<'c>(class: &'c Class, with: &Substitution) -> Option<(&'c Field, &'c Field)> {
    let said = |field: &Field, words: &[&str]| {
        let name = field.name.to_ascii_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let members = || class.fields.iter().filter(|f| !f.is_static && !f.name.is_empty());
    let numbers: Vec<&Field> = members()
        .filter(|f| matches!(f.ty.kind, TypeKind::Prim(prim) if crate::types::arithmetic::is_integer(prim)))
        .collect();
    let is_room = |f: &&&Field| said(f, &["alloc", "capac", "max", "reserved"]);
    let mut room = numbers.iter().filter(is_room);
    let mut used = numbers.iter().filter(|f| !is_room(f) && said(f, &["size", "count", "length", "used", "num"]));
    let mut memory = members().filter(|f| match &with.apply(&f.ty).kind {
        TypeKind::Pointer(to) => !matches!(to.kind, TypeKind::Void | TypeKind::Function { .. }),
        _ => false,
    });
    match (memory.next(), memory.next(), used.next(), used.next(), room.next()) {
        (Some(memory), None, Some(used), None, Some(_)) => Some((memory, used)),
        _ => None,
    }
}

/// What is compared of these classes' objects, in words.
pub fn seen(classes: &[Observed<'_>]) -> &'static str {
    if classes.iter().all(|observed| observed.class.installed.is_some()) {
        "what everybody may see of it"
    } else {
        "every member, the private ones too"
    }
}

/// The observers as C++ text for namespace MOTIF. `copies` maps qualified names of classes to those of their
/// copies: a copied class gets a second observer.
pub fn cxx(
    model: &Model,
    classes: &[Observed<'_>],
    copies: &BTreeMap<String, String>,
    excluded: &[(String, String, String)],
) -> String {
    let known: BTreeSet<String> = classes.iter().map(|o| o.ty.canonical()).collect();
    let rename = |text: &str| {
        copies.iter().fold(text.to_owned(), |t, (old, new)| crate::types::spelling::replace_word(&t, old, new))
    };
    let hidden = Hidden::of(model);
    let mut versions = Vec::new();
    for observed in classes {
        let spelling = observed.ty.spelling.clone();
        let renamed = rename(&spelling);
        let is_copied = renamed != spelling;
        versions.push(Version { observed, spelling: hidden.spell(&spelling), is_copy: false });
        if is_copied {
            versions.push(Version { observed, spelling: hidden.spell(&renamed), is_copy: true });
        }
    }
    let (mut derived, mut asked) = (Vec::new(), BTreeSet::new());
    for base in &versions {
        let (text, own) = super::derived_members::cxx(model, base, &versions);
        asked.extend(own);
        derived.push(text);
    }
    let mut declarations = String::new();
    let mut definitions = String::new();
    let mut define = |name: &str, spelling: &str, body: &str| {
        let head = format!("inline void {name}(Record &record, const {spelling} &it)");
        if name == DERIVED {
            // Without RTTI nobody knows.
            let _ = writeln!(declarations, "#if defined(MOTIF_RTTI)\n{head};\n#endif");
            let _ = writeln!(definitions, "#if defined(MOTIF_RTTI)\n{head} {{\n{body}}}\n#endif\n");
            return;
        }
        let _ = writeln!(declarations, "{head};");
        if body.is_empty() {
            let _ = writeln!(definitions, "inline void {name}(Record &, const {spelling} &) {{}}\n");
            return;
        }
        let it = if body.contains("it.") || body.contains("(it)") { "" } else { "  (void)it;\n" };
        let _ = writeln!(definitions, "{head} {{\n{it}{body}}}\n");
    };
    for (version, derived) in versions.iter().zip(derived) {
        let Version { observed, spelling, is_copy } = version;
        let spell = |text: &str| if *is_copy { rename(text) } else { text.to_owned() };
        let (bases, own) = cxx_body(model, observed, &known, excluded, &|base| hidden.spell(&spell(base)));
        let own = spell(&own);
        if asked.contains(spelling) {
            define("observe_own_members", spelling, &own);
            define("observe_members", spelling, &format!("{bases}  observe_own_members(record, it);\n"));
        } else {
            define("observe_members", spelling, &format!("{bases}{own}"));
        }
        if !derived.is_empty() {
            define(DERIVED, spelling, &derived);
        }
    }
    if classes.len() < 2 {
        // Nothing here calls another observer.
        declarations.clear();
    }
    if declarations.is_empty() { definitions } else { format!("{declarations}\n{definitions}") }
}

/// What an observer says of a member.
fn cxx_member(
    model: &Model,
    class: &Class,
    field: &Field,
    with: &Substitution,
    known: &BTreeSet<String>,
    body: &mut String,
) {
    let name = &field.name;
    let line = match how(model, class, field, &with.apply(&field.ty), known) {
        How::Value => format!("record.member(\"{name}\", it.{name});"),
        How::Whole(whole) => format!("record.member(\"{0}\", it.{0});", whole.name),
        How::Inside(inner) => {
            for field in inner.fields.iter().filter(|field| !field.is_static) {
                cxx_member(model, inner, field, with, known, body);
            }
            return;
        }
        How::Nullness => format!("record.member(\"{name}\", it.{name} != nullptr);"),
        How::Storage(first, size) => {
            format!("record.member_array(\"{first}\", reinterpret_cast<const unsigned char *>(&it.{first}), {size});")
        }
        How::Skip(why) if why.is_empty() => return,
        How::Skip(why) => format!("record.skip_member(\"{name}\", \"{why}\");"),
    };
    let _ = writeln!(body, "  {line}");
}

/// What the observer of a class says of its bases, and of its own members.
fn cxx_body(
    model: &Model,
    observed: &Observed<'_>,
    known: &BTreeSet<String>,
    excluded: &[(String, String, String)],
    spell: &dyn Fn(&str) -> String,
) -> (String, String) {
    let class = observed.class;
    let args = match &observed.ty.kind {
        TypeKind::Record { args, .. } => args.as_slice(),
        _ => &[],
    };
    let with = Substitution::of(model, class, args);
    let (mut bases, mut body) = (String::new(), String::new());
    if class.kind == ClassKind::Union && holds_pointer(model, class) {
        let _ = writeln!(body, "  motif_skip(record.raw(), \"{UNION_OF_POINTERS}\");");
        return (bases, body);
    }
    if class.kind == ClassKind::Union && anonymous_members::has_gaps(model, class) {
        let _ = writeln!(body, "  motif_skip(record.raw(), \"{UNION_WITH_GAPS}\");");
        return (bases, body);
    }
    if let Some(whole) = anonymous_members::whole(model, class) {
        let _ = writeln!(body, "  record.member(\"{0}\", it.{0});", whole.name);
        return (bases, body);
    }
    if class.kind == ClassKind::Union {
        let _ = writeln!(body, "  motif_text(record.raw(), reinterpret_cast<const char *>(&it), sizeof it);");
        return (bases, body);
    }
    for (place, base) in class.bases.iter().enumerate().filter(|(_, base)| is_seen(class, base.access)) {
        let base = with.apply(&base.ty);
        if !known.contains(&base.canonical()) {
            continue;
        }
        let observed = format!("observe_members(record, static_cast<const {} &>(it));", spell(base.bare_spelling()));
        if super::same_named_members::is_hidden(model, class, &with, place) {
            let name = crate::cpp::string_literal(derived(base.bare_spelling()).as_bytes());
            let _ = writeln!(bases, "  record.beside({name}, [&] {{ {observed} }});");
        } else {
            let _ = writeln!(bases, "  {observed}");
        }
    }
    body.push_str(&super::installed::questions(model, class, excluded));
    let growable = growable(class, &with);
    let range = ends(class, &with);
    let (extents, structures) = if growable.is_some() { Default::default() } else { shown(model, class, &with) };
    for (place, field) in class.fields.iter().enumerate().filter(|(_, f)| !f.is_static && is_seen(class, f.access)) {
        let name = &field.name;
        if let Some((_, _, why)) = excluded.iter().find(|(c, f, _)| *c == class.qualified && f == name) {
            if why.is_empty() {
                continue;
            }
            let _ = writeln!(body, "  record.skip_member(\"{name}\", {});", crate::cpp::string_literal(why.as_bytes()));
            continue;
        }
        if let Some((begin, end)) = range {
            if field.usr == begin.usr {
                let (from, to) = (&begin.name, &end.name);
                let is_text =
                    element(&with.apply(&begin.ty)).is_some_and(|to| matches!(to.kind, TypeKind::Prim(Prim::Char)));
                let _ = if is_text {
                    writeln!(body, "  record.member_range(\"{from}{RANGE}{to}\", it.{from}, it.{to});")
                } else {
                    writeln!(body, "  record.member_between(\"{from}\", it.{from}, it.{to});")
                };
                continue;
            }
            if field.usr == end.usr {
                continue;
            }
        }
        if let Some(extent) = extents.iter().find(|extent| extent.memory == place)
            && let Some(to) = element(&with.apply(&field.ty))
        {
            let get = if field.ty.pointee().is_some() { "" } else { ".get()" };
            let count = &class.fields[extent.count].name;
            let (how, label) = match to.kind {
                TypeKind::Prim(Prim::Char) => ("member_text", format!("{name}{RANGE}{count}")),
                _ => ("member_behind", name.clone()),
            };
            let _ =
                writeln!(body, "  record.{how}(\"{label}\", it.{name}{get}, static_cast<std::size_t>(it.{count}));");
            continue;
        }
        if let Some(extent) = structures.iter().find(|extent| extent.memory == place)
            && let Some(to) = with.apply(&field.ty).pointee()
            && matches!(how(model, class, field, &with.apply(&field.ty), known), How::Value)
        {
            let (count, most) = (&class.fields[extent.count].name, usual(to));
            let _ = writeln!(
                body,
                "  record.member_array(\"{name}\", it.{name}, static_cast<std::size_t>(it.{count}), {most});"
            );
            continue;
        }
        if let Some((memory, count)) = growable {
            if field.usr == memory.usr {
                let _ = writeln!(
                    body,
                    "  if (it.{name}) record.member_array(\"{name}\", it.{name}, static_cast<std::size_t>(it.{0}));",
                    count.name
                );
                continue;
            }
            // Storage inside the object, used or not: the elements in use were seen through the pointer.
            // (A length that depends on a template's parameter leaves an array only its spelling.)
            let room = with.apply(&field.ty).spelling;
            if let Some(to) = with.apply(&memory.ty).pointee()
                && room.split_once('[').is_some_and(|(element, _)| element.trim() == to.spelling)
            {
                continue;
            }
        }
        cxx_member(model, class, field, &with, known, &mut body);
    }
    (bases, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_that_grows_shows_the_elements_in_use_and_not_its_spare_room() {
        let model = crate::parse::testing::read_cpp(
            "template <class T, int N> class Dyn { T *_mem; T _pool[N]; int _allocated; int _size; public: Dyn() {} };
             class Names { const char *all[4]; public: Names() {} };
             class User { Dyn<char, 20> text; Names names; public: User() {} int get() { return 1; } };",
        );
        let hierarchy = crate::hierarchy::Hierarchy::new(&model);
        let overrides = crate::overrides::Overrides::default();
        let planner = crate::plan::planner::Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == "get").expect("it is there").usr.clone();
        let plan = crate::plan::plan_unit(&planner, &unit).expect("it can be planned");
        let text = cxx(&model, &observed(&model, &plan), &BTreeMap::new(), &[]);
        assert!(text.contains("record.member_array(\"_mem\", it._mem, static_cast<std::size_t>(it._size));"), "{text}");
        assert!(!text.contains("it._pool"), "{text}");
        assert!(text.contains("record.skip_member(\"all\""), "{text}");
    }
}
