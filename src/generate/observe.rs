//! Comparing objects member by member, through private state: one observer per class that a unit can show.
//!
//! An observer names every member to the record; how a member is compared is decided by its type
//! (`motif.hpp`). What can't be compared is said in the record, never guessed.

mod c;
mod how;
mod observed;
mod shown_classes;
mod written;

pub use c::{C_DEPTH, c, c_name, c_value};
pub use observed::Observed;
pub use shown_classes::observed;

use super::derived_members::Version;
use super::name_clashes::Hidden;
use crate::facts::anonymous_members;
use crate::facts::anonymous_members::holds_pointer;
use crate::facts::member_lengths::{element, ends, shown};
use crate::lexicon::{Lexicon, Role};
use crate::model::{Class, ClassKind, Field, Model, Prim, TypeKind};
use crate::plan::array_lengths::usual;
use crate::plan::record_paths::derived;
use crate::types::substitution::Substitution;
use how::{How, UNION_OF_POINTERS, UNION_WITH_GAPS, how};
use observed::{DERIVED, is_seen};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use written::Written;

/// Between the names of two members that hold the ends of a text, in the name under which it is recorded.
pub const RANGE: char = '~';

/// The idiom of an array that grows: a pointer to the elements, how many are in use, how many there is room for.
/// Gives the pointer and the count.
fn growable<'c>(lexicon: &Lexicon, class: &'c Class, with: &Substitution) -> Option<(&'c Field, &'c Field)> {
    let members = || class.fields.iter().filter(|f| !f.is_static && !f.name.is_empty());
    let numbers: Vec<&Field> = members()
        .filter(|f| matches!(f.ty.kind, TypeKind::Prim(prim) if crate::types::arithmetic::is_integer(prim)))
        .collect();
    let is_room = |f: &&&Field| lexicon.says(&f.name, Role::Room);
    let mut room = numbers.iter().filter(is_room);
    let mut used = numbers.iter().filter(|f| !is_room(f) && lexicon.says(&f.name, Role::Length));
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
    lexicon: &Lexicon,
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
    let mut written = Written::default();
    for (version, derived) in versions.iter().zip(derived) {
        let Version { observed, spelling, is_copy } = version;
        let spell = |text: &str| if *is_copy { rename(text) } else { text.to_owned() };
        let (bases, own) = cxx_body(lexicon, model, observed, &known, excluded, &|base| hidden.spell(&spell(base)));
        let own = spell(&own);
        if asked.contains(spelling) {
            written.add("observe_own_members", version, own);
            written.add("observe_members", version, format!("{bases}  observe_own_members(record, it);\n"));
        } else {
            written.add("observe_members", version, format!("{bases}{own}"));
        }
        if !derived.is_empty() {
            written.add(DERIVED, version, derived);
        }
    }
    // Where there is one class, nothing here calls another observer.
    if classes.len() < 2 {
        written.definitions()
    } else {
        format!("{}\n{}", written.declarations(), written.definitions())
    }
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
    lexicon: &Lexicon,
    model: &Model,
    observed: &Observed<'_>,
    known: &BTreeSet<String>,
    excluded: &[(String, String, String)],
    spell: &dyn Fn(&str) -> String,
) -> (String, String) {
    let class = observed.class;
    let with = Substitution::of(model, class, observed.ty.args());
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
    body.push_str(&super::installed::questions(lexicon, model, class, excluded));
    let growable = growable(lexicon, class, &with);
    let range = ends(lexicon, class, &with);
    let (extents, structures) =
        if growable.is_some() { Default::default() } else { shown(lexicon, model, class, &with) };
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
        let text = cxx(&plan.lexicon, &model, &observed(&model, &plan), &BTreeMap::new(), &[]);
        assert!(text.contains("record.member_array(\"_mem\", it._mem, static_cast<std::size_t>(it._size));"), "{text}");
        assert!(!text.contains("it._pool"), "{text}");
        assert!(text.contains("record.skip_member(\"all\""), "{text}");
    }
}
