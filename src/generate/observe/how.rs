//! How a member is compared.

use super::observed::Observed;
use super::tellers::tellers;
use crate::facts::anonymous_members::{self, has_gaps, holds_pointer};
use crate::facts::union_numbers::has_numbers;
use crate::lexicon::Lexicon;
use crate::model::library::Shape;
use crate::model::{Class, Field, Function, Model, Prim, TranslationUnit, Type, TypeKind, Usr};
use crate::types::library::row_of;
use std::collections::{BTreeMap, BTreeSet};

/// Why such a union is left out: its bytes may be an address, and nothing says when.
const UNION_OF_POINTERS: &str = "a union that may hold a pointer: which member is alive is not known";

/// Why such a union is left out.
const UNION_WITH_GAPS: &str = "a union of which some bytes are between members: which member is alive is not known";

/// Why a structure is left out that only its own source knows.
pub(super) const OPAQUE: &str = "nothing says what it holds";

/// How a member is compared.
pub(super) enum How<'m> {
    /// By its type.
    Value,
    /// An object that it refers to, which may lead back to where it is referred to.
    Reference,
    /// Its members are those of what it stands in.
    Inside(&'m Class),
    /// A union, by a member that is all of it.
    Whole(&'m Field),
    /// Null or not: what it points to is not known to be one readable object.
    Nullness,
    /// As many numbers as were allocated, if they were.
    Allocated(Prim),
    /// Storage of so many bytes (an anonymous union).
    Storage(String, u64),
    /// The numbers of a union in which an address may be; why not all of it.
    Numbers(&'m Class, &'static str),
    /// Left out, with the reason.
    Skip(&'static str),
}

/// Why the bytes of a union, or of another class without a name, can't be compared.
pub(super) fn obscure(model: &Model, class: &Class) -> Option<&'static str> {
    let pointers = holds_pointer(model, class).then_some(UNION_OF_POINTERS);
    pointers.or_else(|| has_gaps(model, class).then_some(UNION_WITH_GAPS))
}

/// Whether elements of the type are recorded one by one.
pub(super) fn is_recorded(prim: Prim, element: &Type) -> bool {
    !matches!(prim, Prim::Int128 | Prim::UInt128) && !element.spelling.contains("volatile")
}

/// Whether the type is a container or a text of the standard library.
fn holds_elements(model: &Model, ty: &Type) -> bool {
    let shape = row_of(model, ty).map(|row| row.shape);
    matches!(shape, Some(Shape::Text | Shape::Sequence | Shape::Map))
}

/// The input for writing observers.
#[derive(Clone)]
pub struct Observing<'o> {
    pub(super) lexicon: &'o Lexicon,
    pub(super) model: &'o Model,
    /// Members that are left out: class, member and reason.
    pub(super) excluded: &'o [(String, String, String)],
    /// The classes that have an observer.
    known: BTreeSet<String>,
    /// The same, whatever their arguments.
    classes: BTreeSet<&'o Usr>,
    /// Where the observers stand: what its files declare can be called.
    unit: Option<&'o TranslationUnit>,
    /// What a `void *` among the members leads to.
    untyped: Option<&'o BTreeMap<Usr, Type>>,
}

impl<'o> Observing<'o> {
    /// Observers of `classes`.
    pub fn new(
        lexicon: &'o Lexicon,
        model: &'o Model,
        excluded: &'o [(String, String, String)],
        classes: &[Observed<'o>],
    ) -> Self {
        let known = classes.iter().map(|observed| observed.ty.canonical()).collect();
        let classes = classes.iter().map(|observed| &observed.class.usr).collect();
        Self { lexicon, model, excluded, known, classes, unit: None, untyped: None }
    }

    /// Whether the class, of C, has an observer.
    pub(super) fn observes(&self, class: &Class) -> bool {
        self.classes.contains(&class.usr)
    }

    /// The same in a translation unit.
    #[must_use]
    pub fn within(self, unit: Option<&'o TranslationUnit>) -> Self {
        Self { unit, ..self }
    }

    /// The same, where members that are a `void *` lead to these.
    #[must_use]
    pub fn following(self, untyped: &'o BTreeMap<Usr, Type>) -> Self {
        Self { untyped: Some(untyped), ..self }
    }

    /// What is behind a `void *` and has an observer.
    pub(super) fn behind(&self, field: &Field) -> Option<&'o Type> {
        let to = self.untyped?.get(&field.usr)?;
        self.model.class_of(to).is_some_and(|class| self.observes(class)).then_some(to)
    }

    /// The same, with no member left out.
    pub(super) fn with_all_members(self) -> Self {
        Self { excluded: &[], ..self }
    }

    /// What an object is asked that C knows nothing else of.
    pub(super) fn tellers(&self, class: &'o Class) -> Vec<&'o Function> {
        let is_seen = |function: &&Function| {
            self.unit.is_some_and(|unit| function.declarations.iter().any(|at| unit.files.contains(&at.file)))
        };
        let is_wanted = |function: &&Function| self.reason(class, &format!("{}()", function.name)).is_none();
        tellers(self.lexicon, self.model, class).filter(is_seen).filter(is_wanted).collect()
    }

    /// Values that stand in no class.
    pub fn values(lexicon: &'o Lexicon, model: &'o Model) -> Self {
        Self::new(lexicon, model, &[], &[])
    }

    /// Whether the class has an observer.
    pub(super) fn knows(&self, ty: &Type) -> bool {
        self.known.contains(&ty.canonical())
    }

    /// Why a member is left out, if somebody says so; an empty reason is not to be repeated.
    pub(super) fn reason(&self, class: &Class, member: &str) -> Option<&'o str> {
        let is_it = |(of, name, _): &&(String, String, String)| *of == class.qualified && name == member;
        self.excluded.iter().find(is_it).map(|(_, _, why)| why.as_str())
    }

    pub(super) fn how(&self, class: &Class, field: &Field, ty: &Type) -> How<'o> {
        let model = self.model;
        if field.name.is_empty() {
            let inner = model.class_of(ty);
            let structure = anonymous_members::within(model, field).filter(|c| anonymous_members::is_structure(c));
            if field.bit_width.is_some() {
                return How::Skip("");
            } else if let Some(structure) = structure {
                return How::Inside(structure);
            } else if let Some(whole) = inner.and_then(|union| anonymous_members::whole(model, union)) {
                return How::Whole(whole);
            } else if let Some((union, why)) = inner.and_then(|union| Some((union, obscure(model, union)?))) {
                return if has_numbers(model, union) { How::Numbers(union, why) } else { How::Skip(why) };
            }
            let first = inner.and_then(|class| class.fields.iter().find(|f| !f.name.is_empty()));
            return match (first, inner.and_then(|c| c.size)) {
                (Some(first), Some(size)) => How::Storage(first.name.clone(), size),
                _ => How::Skip("an unnamed member"),
            };
        }
        let is_plain = class.is_aggregate || class.language == crate::model::Language::C;
        match &ty.kind {
            // (What another library's object points to need not be an object any more.)
            TypeKind::Pointer(to) => match model.class_of(to) {
                Some(of) if of.installed.is_none() && class.installed.is_none() && self.knows(to) => How::Value,
                _ if class.installed.is_none() && holds_elements(model, to) => How::Value,
                _ => match to.kind {
                    TypeKind::Prim(prim) if class.installed.is_none() && is_recorded(prim, to) => How::Allocated(prim),
                    _ => How::Nullness,
                },
            },
            TypeKind::Array(_, None | Some(0)) => How::Skip("an array of unknown length"),
            TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) => match to.record() {
                Some(_) if model.class_of(to).is_none_or(|class| class.definition.is_none()) => {
                    How::Skip("a reference to a type of another library")
                }
                Some(_) if !to.spelling.contains("volatile") => How::Reference,
                _ => How::Value,
            },
            TypeKind::MemberPointer => How::Skip("a pointer to member"),
            // Fixed room for pointers is hardly ever full, and what is not in use need not be initialised.
            TypeKind::Array(element, _) if !is_plain && matches!(element.kind, TypeKind::Pointer(_)) => {
                How::Skip("an array of pointers, which need not be initialised")
            }
            _ => How::Value,
        }
    }
}
