//! Pointers among the members of a class of which another member says how much lies behind them: `data` and `size`,
//! `name` and `name_len`, `bytes`, `len` and `capacity`.

use crate::facts::flexible_members::flexible;
use crate::lexicon::{Lexicon, Role, words};
use crate::model::{Class, Elements, Field, Model, Type, TypeKind};
use crate::types::arithmetic::is_integer;
use crate::types::substitution::Substitution;

/// A pointer, and what says how many elements are behind it. Places among the members of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The pointer, or the smart pointer to an array.
    pub memory: usize,
    /// How many elements are in use.
    pub count: usize,
    /// How many there is room for.
    pub room: Option<usize>,
}

/// Pointers among the members of a class with their counts, where the names leave no doubt.
pub fn extents(lexicon: &Lexicon, class: &Class, with: &Substitution) -> Vec<Extent> {
    named(lexicon, class, |ty| element(&with.apply(ty)))
}

/// The same for a flexible array member.
pub fn trailing(lexicon: &Lexicon, class: &Class) -> Option<Extent> {
    let flexible = flexible(class)?;
    let element = |ty: &Type| (ty == &flexible.field.ty).then(|| flexible.element.clone());
    named(lexicon, class, element).into_iter().next()
}

fn named(lexicon: &Lexicon, class: &Class, element: impl Fn(&Type) -> Option<Type>) -> Vec<Extent> {
    let fields: Vec<(usize, &Field)> =
        class.fields.iter().enumerate().filter(|(_, f)| !f.is_static && !f.name.is_empty()).collect();
    let memory: Vec<(usize, &str)> = (fields.iter())
        .filter(|(_, field)| element(&field.ty).is_some())
        .map(|(index, field)| (*index, field.name.as_str()))
        .collect();
    let numbers = fields.iter().filter(|(_, field)| {
        let counts = matches!(field.ty.kind, TypeKind::Prim(prim) if is_integer(prim)) && field.bit_width.is_none();
        // (References are counted as well, and nothing lies behind those.)
        counts && !lexicon.says(&field.name, Role::ReferenceCount)
    });
    let is_a_memorys = |name: &str| memory.iter().any(|(_, memory)| lexicon.is_length(name, Some(memory)));
    let (room, counts): (Vec<_>, Vec<_>) = numbers
        .map(|(index, field)| (*index, field.name.as_str()))
        .filter(|(_, name)| lexicon.says(name, [Role::Length, Role::Room]) || is_a_memorys(name))
        .partition(|(_, name)| lexicon.says(name, Role::Room));
    let is_all = |parts: usize| fields.len() == parts;
    let is_counted_in_bytes = |memory: usize, name: &str| {
        lexicon.says(name, Role::Bytes) && !element(&class.fields[memory].ty).is_some_and(|to| is_byte(&to))
    };
    let mut found = Vec::new();
    for (index, name) in &memory {
        let whole = words(name).concat();
        let is_named_after =
            |count: &str| words(count).concat().strip_prefix(whole.as_str()).is_some_and(|rest| !rest.is_empty());
        let of_its_name: Vec<&(usize, &str)> =
            counts.iter().filter(|(_, count)| whole.len() > 1 && is_named_after(count)).collect();
        let means_memory = lexicon.is(name, Role::Memory);
        let count = match (of_its_name.as_slice(), memory.as_slice(), counts.as_slice()) {
            ([own], ..) => *own,
            ([], [_], [only]) if means_memory || is_all(2 + room.len().min(1)) => only,
            _ => continue,
        };
        if is_counted_in_bytes(*index, count.1) {
            continue;
        }
        let room = match room.as_slice() {
            [(place, _)] if memory.len() == 1 => Some(*place),
            _ => None,
        };
        found.push(Extent { memory: *index, count: count.0, room });
    }
    found
}

/// The idiom of a range that two pointers hold the ends of. Gives begin and end.
pub fn ends<'c>(lexicon: &Lexicon, class: &'c Class, with: &Substitution) -> Option<(&'c Field, &'c Field)> {
    let mut ends = class.fields.iter().filter(|f| !f.is_static && !f.name.is_empty()).filter(|f| {
        let ty = with.apply(&f.ty);
        ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Prim(_)))
    });
    let (Some(begin), Some(end), None) = (ends.next(), ends.next(), ends.next()) else { return None };
    let kind = |field: &Field| with.apply(&field.ty).pointee().map(|to| to.kind.clone());
    let is_range = lexicon.begins_and_ends(&begin.name, &end.name);
    (is_range && kind(begin) == kind(end)).then_some((begin, end))
}

/// Whether somebody who has a copy of an object can change what lies behind the pointers of it that say how much that
/// is.
pub(crate) fn leads_to_numbers(lexicon: &Lexicon, class: &Class, with: &Substitution) -> bool {
    let behind = extents(lexicon, class, with).into_iter().map(|extent| &class.fields[extent.memory]);
    let between = ends(lexicon, class, with).map(|(begin, _)| begin);
    behind.chain(between).filter_map(|field| element(&with.apply(&field.ty))).any(|to| !to.is_const)
}

/// A member that leads to many or has them, and the numbers among the other members that bound its places, as bodies
/// show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The place of the pointer or the array among the members of the class.
    pub memory: usize,
    /// Those of the numbers.
    pub counts: Vec<usize>,
    /// The bounds that bodies show.
    pub shown: Elements,
}

/// Arrays among the members of a class with the members that bound their indices in bodies.
pub fn counted(model: &Model, class: &Class) -> Vec<Counted> {
    let of = |(memory, field): (usize, &Field)| {
        let shown = model.elements.get(&field.usr)?;
        let is_count = |field: &Field| {
            let counts = matches!(field.ty.kind, TypeKind::Prim(prim) if is_integer(prim));
            counts && !field.is_static && shown.counted_by_members.contains(&field.usr)
        };
        let counts: Vec<usize> =
            (class.fields.iter().enumerate()).filter_map(|(place, field)| is_count(field).then_some(place)).collect();
        (!counts.is_empty() && !field.is_static).then(|| Counted { memory, counts, shown: shown.clone() })
    };
    class.fields.iter().enumerate().filter_map(of).collect()
}

/// Pointers of which one other member says how much lies behind them, by their names or by what bodies do with the two:
/// first to numbers, then to structures.
pub fn shown(lexicon: &Lexicon, model: &Model, class: &Class, with: &Substitution) -> (Vec<Extent>, Vec<Extent>) {
    let mut numbers = extents(lexicon, class, with);
    let alone = |counted: Counted| {
        let is_in_use = |place: &&usize| !lexicon.says(&class.fields[**place].name, Role::Room);
        let in_use: Vec<usize> = match counted.counts[..] {
            [only] => vec![only],
            _ => counted.counts.iter().filter(is_in_use).copied().collect(),
        };
        match in_use[..] {
            // (What is written to the place that it names lies behind what it counts.)
            [count] if !counted.shown.in_rows && !counted.shown.beyond => {
                Some(Extent { memory: counted.memory, count, room: None })
            }
            _ => None,
        }
    };
    let mut structures = Vec::new();
    for extent in counted(model, class).into_iter().filter_map(alone) {
        match class.fields[extent.memory].ty.pointee().map(|to| &to.kind) {
            Some(TypeKind::Prim(_)) if numbers.iter().all(|known| known.memory != extent.memory) => {
                numbers.push(extent)
            }
            Some(TypeKind::Record { usr, .. }) if model.classes.contains_key(usr) => structures.push(extent),
            _ => {}
        }
    }
    (numbers, structures)
}

/// The element type behind such a pointer: numbers or characters.
pub fn element(ty: &Type) -> Option<Type> {
    let to = match &ty.kind {
        TypeKind::Pointer(to) => (**to).clone(),
        _ => match &crate::types::standard::smart_pointee(None, ty)?.kind {
            TypeKind::Array(to, None) => (**to).clone(),
            _ => return None,
        },
    };
    matches!(to.kind, TypeKind::Prim(_)).then_some(to)
}

fn is_byte(element: &Type) -> bool {
    use crate::model::Prim::{Char, Char8, SChar, UChar};
    matches!(element.kind, TypeKind::Prim(Char | Char8 | SChar | UChar))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(String, String)> {
        let model = crate::parse::testing::read_cpp(&format!("struct S {{ {text} }};"));
        let class = model.classes.values().find(|class| class.name == "S").expect("it is there");
        let name = |place: usize| class.fields[place].name.clone();
        let with = Substitution::of(&model, class, &[]);
        extents(&Lexicon::default(), class, &with).iter().map(|found| (name(found.memory), name(found.count))).collect()
    }

    #[test]
    fn a_length_belongs_to_the_only_memory_or_to_the_one_that_it_is_named_after() {
        let pair = |memory: &str, count: &str| vec![(memory.to_owned(), count.to_owned())];
        assert_eq!(of("const char *data; unsigned long size;"), pair("data", "size"));
        assert_eq!(of("int count; const double *values;"), pair("values", "count"));
        assert_eq!(of("unsigned char *bytes; int len; int capacity;"), pair("bytes", "len"));
        assert_eq!(of("const char *what_; int what_len_; int id; char *other;"), pair("what_", "what_len_"));
        assert_eq!(of("bool ok; char *m_buf; int m_size;"), pair("m_buf", "m_size"));
    }

    #[test]
    fn what_may_count_something_else_says_nothing() {
        assert_eq!(of("const char *name; int id; int count;"), []);
        assert_eq!(of("char *data; int ref_count;"), []);
        assert_eq!(of("int *data; int byte_size;"), []);
        assert_eq!(of("char *data; int width_size; int height_size;"), []);
    }
}
