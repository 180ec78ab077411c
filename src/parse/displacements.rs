//! Arrays that a body passes on from a place within, or with a constant number of elements (`filter(state, out + 40,
//! 120)`): the caller's array is as long as both together.

use super::operands::{Between, bare, constant, is_pointer};
use crate::model::{PassedOn, Usr};
use clang::{Entity, EntityKind};
use std::collections::{BTreeMap, BTreeSet};

/// Deeper expressions are not looked into.
const DEEPEST: usize = 8;
/// So many bytes and more are no place in what a caller has.
const FARTHEST: i64 = u16::MAX as i64;

/// A call whose arguments are parameters and variables, some of them moved on, and constants.
pub(super) struct Call {
    callee: Usr,
    /// The keys of those that are passed.
    args: Vec<Option<String>>,
    moved: Vec<u64>,
    constants: BTreeMap<usize, u64>,
}

impl Call {
    /// None where it gets none of them.
    pub fn of<'tu>(
        callee: Usr,
        args: &[Entity<'tu>],
        key: impl Fn(&Entity<'tu>) -> Option<String>,
        between: &mut Between<'_, 'tu>,
    ) -> Option<Self> {
        let keys: Vec<Option<String>> = args.iter().map(key).collect();
        if keys.iter().all(Option::is_none) {
            return None;
        }
        let moved = args.iter().map(|arg| if is_pointer(bare(*arg)) { moved_by(*arg, between) } else { 0 }).collect();
        let constants = args.iter().enumerate().filter_map(|(place, arg)| Some((place, constant(*arg)?))).collect();
        Some(Self { callee, args: keys, moved, constants })
    }

    /// The places that it is passed at.
    pub fn places(&self, name: &str) -> impl Iterator<Item = (Usr, usize)> {
        let places = self.args.iter().enumerate().filter(move |(_, arg)| arg.as_deref() == Some(name));
        places.map(|(place, _)| (self.callee.clone(), place))
    }

    /// Those of them at which it is moved on, or that constants go with.
    pub fn passed_on(&self, name: &str) -> BTreeSet<PassedOn> {
        let all = self.places(name).map(|(callee, place)| PassedOn {
            callee,
            place,
            moved: self.moved[place],
            constants: self.constants.clone(),
        });
        all.filter(|passed| passed.moved > 0 || !passed.constants.is_empty()).collect()
    }
}

/// By how many elements a pointer is beyond what it was made from (`(out + 12)[3]`), as far as constants say.
pub(super) fn moved_by<'tu>(pointer: Entity<'tu>, between: &mut Between<'_, 'tu>) -> u64 {
    let bytes = bytes_moved(pointer, between, 0);
    element_size(pointer).map_or(0, |size| u64::try_from(bytes).unwrap_or(0) / size.max(1))
}

fn bytes_moved<'tu>(pointer: Entity<'tu>, between: &mut Between<'_, 'tu>, deep: usize) -> i64 {
    let pointer = bare(pointer);
    let inner: Vec<Entity<'tu>> = pointer.get_children().into_iter().filter(|child| child.is_expression()).collect();
    if deep == DEEPEST || !is_pointer(pointer) {
        return 0;
    }
    let size = |pointer: Entity<'_>| element_size(pointer).and_then(|size| i64::try_from(size).ok());
    let bytes = |places: Entity<'_>, pointer: Entity<'_>| {
        let by = constant(places).and_then(|by| i64::try_from(by).ok()?.checked_mul(size(pointer)?));
        by.filter(|by| *by < FARTHEST).unwrap_or(0)
    };
    if let Some((array, place)) = place_in_array(pointer) {
        return bytes(place, array) + bytes_moved(array, between, deep + 1);
    }
    match (pointer.get_kind(), &inner[..]) {
        // (What a pointer to an array leads to begins at the same place.)
        (
            EntityKind::CStyleCastExpr
            | EntityKind::StaticCastExpr
            | EntityKind::ReinterpretCastExpr
            | EntityKind::ConstCastExpr
            | EntityKind::UnaryOperator,
            [.., of],
        ) => bytes_moved(*of, between, deep + 1),
        (EntityKind::BinaryOperator, [one, other]) if is_pointer(*one) && !is_pointer(*other) => {
            let by = bytes(*other, *one);
            // (Within a macro nobody sees the operator: too long an array does no harm.)
            let is_back = between(*one, *other).is_some_and(|text| text.trim() == "-");
            bytes_moved(*one, between, deep + 1) + if is_back { -by } else { by }
        }
        _ => 0,
    }
}

/// `&out[40]`: the array and the place.
pub(super) fn place_in_array<'tu>(pointer: Entity<'tu>) -> Option<(Entity<'tu>, Entity<'tu>)> {
    let of = pointer
        .get_children()
        .first()
        .map(|of| bare(*of))
        .filter(|_| pointer.get_kind() == EntityKind::UnaryOperator)?;
    let [array, place] = of.get_children()[..] else { return None };
    // (`*p[3]` is no place.)
    let is_address = of.get_kind() == EntityKind::ArraySubscriptExpr && element_size(pointer) == size_of(of);
    (is_address && is_pointer(pointer) && is_pointer(array)).then_some((array, place))
}

fn size_of(entity: Entity<'_>) -> Option<u64> {
    entity.get_type()?.get_sizeof().ok().map(|size| size as u64)
}

/// The size of what a pointer points to, in bytes.
pub(super) fn element_size(pointer: Entity<'_>) -> Option<u64> {
    let to = pointer.get_type()?.get_canonical_type();
    let to = to.get_pointee_type().or_else(|| to.get_element_type())?;
    to.get_sizeof().ok().map(|size| size as u64)
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn an_array_is_as_long_as_what_stands_before_a_place_in_it_and_what_is_read_from_there() {
        let model = read_c(
            "#define PART (out + 29 - 13)\n#define HEAD *((short (*)[17])(out + 8))\n\
             static void fill(short *to, int n) { while (n--) *to++ = 1; }\n\
             void whole(short *out) { fill(out, 13); fill(out + 40, 120); }\n\
             void place(short *out) { fill(&out[40], 120); }\n\
             void parts(short *out) { (out + 12)[3] = 1; }\n\
             void named(short *out) { PART[25] = 1; HEAD[1] = 2; }\n\
             void up(short *out) { int i; for (i = 0; i < 160; i++) out[i] = 2; }\n\
             void down(short *out) { int k = 0; for (k = 160; k--; out++) *out = 2; }\n\
             void back(short *out) { (out + 10 - 4)[2] = 1; }\n",
        );
        let least = |name: &str| {
            let function = model.functions.values().find(|function| function.name == name).unwrap();
            function.params[0].elements.as_ref().unwrap().least
        };
        assert_eq!([least("whole"), least("place"), least("parts"), least("back")], [160, 160, 16, 11]);
        assert_eq!([least("up"), least("down")], [160, 161]);
        // At least as many: the sign is not seen there.
        assert!(least("named") >= 42);
    }
}
