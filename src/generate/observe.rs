//! Comparing objects member by member, through private state: one observer per class that a unit can show.
//!
//! An observer names every member to the record; how a member is compared is decided by its type
//! (`motif.hpp`). What can't be compared is said in the record, never guessed.

mod c;
mod distances;
mod how;
mod observed;
mod shown_classes;
pub mod tellers;
mod unions;
mod written;

pub use c::{C_FOLLOWS, C_VISITS, c_name};
pub use how::Observing;
pub use observed::Observed;
pub use shown_classes::observed;

use super::derived_members::Version;
use super::name_clashes::Hidden;
use crate::cpp::string_literal;
use crate::facts::anonymous_members;
use crate::facts::member_lengths::{element, ends, shown};
use crate::lexicon::{Lexicon, Role};
use crate::model::{Class, ClassKind, Field, Function, Model, Prim, Type, TypeKind};
use crate::plan::array_lengths::usual;
use crate::plan::record_paths::{RANGE, derived};
use crate::types::substitution::Substitution;
use how::{How, obscure};
use observed::{DERIVED, is_seen};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use written::Written;

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

/// Whether objects of any type convert to the class, by a constructor that takes what its template's parameter says.
fn from_anything(model: &Model, class: &Class) -> bool {
    let takes_any = |own: &&Function| {
        let of = own.template.as_deref().unwrap_or_default();
        let [first, rest @ ..] = own.params.as_slice() else { return false };
        let named = first.ty.without_ref().bare_spelling();
        rest.iter().all(|param| param.default.is_some()) && of.iter().any(|param| param.name == named)
    };
    let is_implicit = |own: &&Function| !own.is_explicit && !own.is_deleted;
    class.constructors(model).filter(is_implicit).any(|own| takes_any(&own))
}

/// The statement that records what became of a file that the unit was given; `of` is the driver's input and record.
pub fn stream(of: &str, name: &str, file: &str) -> String {
    format!("motif_record_stream({of}, {file}, \"{name}\", \"{}\");", position(name))
}

/// What the record calls the place where a file stands.
pub fn position(name: &str) -> String {
    format!("position of {name}")
}

/// A description of what is compared of these classes' objects.
pub fn seen(classes: &[Observed<'_>]) -> &'static str {
    if classes.iter().all(|observed| observed.class.installed.is_some()) {
        "what everybody may see of it"
    } else {
        "every member, the private ones too"
    }
}

impl Observing<'_> {
    /// The observers as C++ text for namespace MOTIF. `copies` maps qualified names of classes to those of their
    /// copies: a copied class gets a second observer.
    pub fn cxx(&self, classes: &[Observed<'_>], copies: &BTreeMap<String, String>) -> String {
        let rename = |text: &str| {
            copies.iter().fold(text.to_owned(), |t, (old, new)| crate::types::spelling::replace_word(&t, old, new))
        };
        let hidden = Hidden::of(self.model);
        let mut versions = Vec::new();
        for observed in classes {
            let spelling = observed.ty.spelling.clone();
            let renamed = rename(&spelling);
            let is_copied = renamed != spelling;
            let from_anything = from_anything(self.model, observed.class);
            versions.push(Version { observed, spelling: hidden.spell(&spelling), is_copy: false, from_anything });
            if is_copied {
                versions.push(Version { observed, spelling: hidden.spell(&renamed), is_copy: true, from_anything });
            }
        }
        let (mut derived, mut asked) = (Vec::new(), BTreeSet::new());
        for base in &versions {
            let (text, own) = super::derived_members::cxx(self.model, base, &versions);
            asked.extend(own);
            derived.push(text);
        }
        let mut written = Written::default();
        for (version, derived) in versions.iter().zip(derived) {
            let Version { observed, spelling, is_copy, .. } = version;
            let spell = |text: &str| if *is_copy { rename(text) } else { text.to_owned() };
            let (bases, own) = self.cxx_body(observed, &|base| hidden.spell(&spell(base)));
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

    /// The statement of an observer for a member.
    fn cxx_member(&self, class: &Class, field: &Field, with: &Substitution) -> String {
        let name = &field.name;
        let union = anonymous_members::within(self.model, field);
        let only = union.and_then(|union| anonymous_members::of_one_type(union, &|ty| with.apply(ty)));
        let how = only.map_or_else(|| self.how(class, field, &with.apply(&field.ty)), How::Whole);
        let line = match how {
            How::Value => format!("record.member(\"{name}\", it.{name});"),
            How::Reference => format!("record.member_reference(\"{name}\", it.{name});"),
            How::Whole(whole) => format!("record.member(\"{0}\", it.{0});", whole.name),
            How::Inside(inner) => {
                let fields = inner.fields.iter().filter(|field| !field.is_static);
                return fields.map(|field| self.cxx_member(inner, field, with)).collect();
            }
            How::Nullness => format!("record.member(\"{name}\", it.{name} != nullptr);"),
            How::Allocated(_) => format!("record.member_allocated(\"{name}\", it.{name});"),
            How::Storage(first, size) => format!(
                "record.member_array(\"{first}\", reinterpret_cast<const unsigned char *>(&it.{first}), {size});"
            ),
            How::Numbers(union, why) => {
                return format!("  record.skip_member(\"\", \"{why}\");\n{}", self.cxx_numbers(class, union));
            }
            How::Skip("") => return String::new(),
            How::Skip(why) => format!("record.skip_member(\"{name}\", \"{why}\");"),
        };
        format!("  {line}\n")
    }

    /// The statements of an observer for the bases of a class, and for its own members.
    fn cxx_body(&self, observed: &Observed<'_>, spell: &dyn Fn(&str) -> String) -> (String, String) {
        let (class, model, lexicon) = (observed.class, self.model, self.lexicon);
        let with = Substitution::of(model, class, observed.ty.args());
        if class.kind == ClassKind::Union {
            let line = match (obscure(model, class), anonymous_members::whole(model, class)) {
                (Some(why), _) => {
                    let numbers = self.cxx_numbers(class, class);
                    format!("motif_skip(record.raw(), \"{why}\");\n{numbers}").trim_end().to_owned()
                }
                (None, Some(whole)) => format!("record.member(\"{0}\", it.{0});", whole.name),
                (None, None) => "motif_text(record.raw(), reinterpret_cast<const char *>(&it), sizeof it);".to_owned(),
            };
            return (String::new(), format!("  {line}\n"));
        }
        let mut bases = String::new();
        for (place, base) in class.bases.iter().enumerate().filter(|(_, base)| is_seen(class, base.access)) {
            let base = with.apply(&base.ty);
            let bare = base.bare_spelling();
            if !self.knows(&base) {
                if crate::types::standard::has_elements(model, &base) {
                    let _ = writeln!(bases, "  observe(record, static_cast<const {} &>(it));", spell(bare));
                }
                continue;
            }
            let observed = format!("observe_members(record, static_cast<const {} &>(it));", spell(bare));
            if super::same_named_members::is_hidden(model, class, &with, place) {
                let name = string_literal(derived(bare).as_bytes());
                let _ = writeln!(bases, "  record.beside({name}, [&] {{ {observed} }});");
            } else {
                let _ = writeln!(bases, "  {observed}");
            }
        }
        let mut body = super::installed::questions(lexicon, model, class, &with, self.excluded);
        let growable = growable(lexicon, class, &with);
        let range = ends(lexicon, class, &with);
        let (extents, structures) =
            if growable.is_some() { Default::default() } else { shown(lexicon, model, class, &with) };
        for (place, field) in class.fields.iter().enumerate().filter(|(_, f)| !f.is_static && is_seen(class, f.access))
        {
            let (name, ty) = (&field.name, with.apply(&field.ty));
            let is = |other: &Field| field.usr == other.usr;
            let count = |index: usize| format!("static_cast<std::size_t>(it.{})", class.fields[index].name);
            let extent = extents.iter().find(|extent| extent.memory == place);
            let structure = structures.iter().find(|extent| extent.memory == place);
            let structure = structure.filter(|_| matches!(self.how(class, field, &ty), How::Value));
            let line = if let Some(why) = self.reason(class, name) {
                if why.is_empty() {
                    continue;
                }
                format!("record.skip_member(\"{name}\", {});", string_literal(why.as_bytes()))
            } else if let Some((begin, end)) = range.filter(|(begin, end)| is(begin) || is(end)) {
                if is(end) {
                    continue;
                }
                let (from, to) = (&begin.name, &end.name);
                if element(&ty).is_some_and(|to| matches!(to.kind, TypeKind::Prim(Prim::Char))) {
                    format!("record.member_range(\"{from}{RANGE}{to}\", it.{from}, it.{to});")
                } else {
                    format!("record.member_between(\"{from}\", it.{from}, it.{to});")
                }
            } else if let Some((extent, to)) = extent.zip(element(&ty)) {
                let get = if field.ty.pointee().is_some() { "" } else { ".get()" };
                let (how, label) = match to.kind {
                    TypeKind::Prim(Prim::Char) => {
                        ("member_text", format!("{name}{RANGE}{}", class.fields[extent.count].name))
                    }
                    _ => ("member_behind", name.clone()),
                };
                format!("record.{how}(\"{label}\", it.{name}{get}, {});", count(extent.count))
            } else if let Some((extent, to)) = structure.zip(ty.pointee()) {
                format!("record.member_array(\"{name}\", it.{name}, {}, {});", count(extent.count), usual(to))
            } else if let Some((_, used)) = growable.filter(|(memory, _)| is(memory)) {
                let used = format!("static_cast<std::size_t>(it.{})", used.name);
                format!("if (it.{name}) record.member_array(\"{name}\", it.{name}, {used});")
            } else if growable.is_some_and(|(memory, _)| is_room(&with.apply(&memory.ty), &ty)) {
                continue;
            } else {
                body.push_str(&self.cxx_member(class, field, &with));
                continue;
            };
            let _ = writeln!(body, "  {line}");
        }
        for (field, from) in distances::distances(class, &with) {
            let is_left_out =
                |member: &&Field| !is_seen(class, member.access) || self.reason(class, &member.name).is_some();
            let is_range = range.is_some_and(|(begin, end)| begin.usr == from.usr && end.usr == field.usr);
            let is_unsteady = self.reason(class, &distances::label(field, from)).is_some();
            if !is_range && !is_unsteady && ![field, from].iter().any(is_left_out) {
                let (label, field, from) = (distances::label(field, from), &field.name, &from.name);
                let _ = writeln!(body, "  record.member_distance(\"{label}\", it.{field}, it.{from});");
            }
        }
        (bases, body)
    }
}

/// Whether a member is storage inside the object for what `memory` points to, used or not: the elements in use were
/// seen through the pointer. (A length that depends on a template's parameter leaves an array only its spelling.)
fn is_room(memory: &Type, member: &Type) -> bool {
    let element = member.spelling.split_once('[').map(|(element, _)| element.trim());
    memory.pointee().is_some_and(|to| element == Some(to.spelling.as_str()))
}
