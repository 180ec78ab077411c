//! Lengths that stand before their arrays: `put(size, data)`. Which array there is must be known first, so this comes
//! when all arguments are.

use super::array_lengths::{bounds, counted};
use super::memory::array_length;
use crate::model::{Param, TypeKind};
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Slot};
use crate::types::arithmetic::{is_integer, is_signed, prim_size};

/// Callees in a row that pass both on.
const CALLEES: usize = 4;

/// Bounds lengths among the arguments by the arrays behind them.
pub(super) fn bound(scope: &UnitScope<'_>, params: &[Param], slots: &mut [Slot], is_unit: bool) {
    for at in 0..slots.len().saturating_sub(1) {
        let array = &slots[at + 1];
        let Some(most) = array_length(&array.recipe).map(|length| length.saturating_sub(array.history)) else {
            continue;
        };
        let is_open = is_open(&slots[at]) && counted(params, at).next().is_none();
        if !is_open || !is_named(scope, params, at, at + 1) || has_length_behind(scope, params, at + 1) {
            continue;
        }
        // A name says less than what bodies do with it. Who counts with it may ask whether it is negative.
        let is_variadic = |callee| scope.model.functions.get(callee).is_some_and(|f| f.is_variadic);
        let may_print = params[at].handed_to.iter().any(|(callee, _)| is_variadic(callee));
        let is_shown = !may_print && params[at].asked <= most && bounds(scope, params, at + 1, at, CALLEES);
        let slot = &mut slots[at];
        let below = is_shown && matches!(slot.recipe.ty.kind, TypeKind::Prim(prim) if is_signed(prim));
        let length = Kind::Length { most, free: is_unit && !is_shown, below };
        slot.recipe = length.of(slot.recipe.ty.clone()).by("length before its array");
    }
}

/// Whether any number will do so far: none that something else bounds.
fn is_open(slot: &Slot) -> bool {
    let is_size = |prim| is_integer(prim) && (2..=8).contains(&prim_size(prim));
    let is_any = slot.recipe.rule == "room" || matches!(slot.recipe.kind, Kind::Prim { range: None });
    is_any && matches!(slot.recipe.ty.kind, TypeKind::Prim(prim) if is_size(prim))
}

fn is_named(scope: &UnitScope<'_>, params: &[Param], length: usize, array: usize) -> bool {
    let is_number = matches!(params[length].ty.kind, TypeKind::Prim(prim) if is_integer(prim));
    is_number && scope.lexicon().is_length(&params[length].name, Some(&params[array].name))
}

/// Whether the parameter behind an array says how long it is.
fn has_length_behind(scope: &UnitScope<'_>, params: &[Param], array: usize) -> bool {
    let is_number = |param: &Param| matches!(param.ty.kind, TypeKind::Prim(prim) if is_integer(prim));
    params.get(array + 1).is_some_and(is_number)
        && (is_named(scope, params, array + 1, array) || bounds(scope, params, array, array + 1, CALLEES))
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;
    use crate::plan::Kind;
    use crate::plan::planner::Planner;

    #[test]
    fn a_length_before_its_array_counts_it_unless_one_behind_it_does() {
        let model = read_c(
            "void *memcpy(void *to, const void *from, unsigned long n);\nvoid note(int n);\n\
             int put(int size, const unsigned char *data) { unsigned char to[8]; memcpy(to, data, (unsigned \
             long)size); return to[0]; }\n\
             int look(int size, const unsigned char *data) { note(size); return data[0]; }\n\
             int move(int size, unsigned char *to, const unsigned char *from) { memcpy(to, from, size); return 0; }\n\
             int ask(int size, const unsigned char *data) { unsigned char to[256]; if (size > 256) return 1; \
             memcpy(to, data, size); return 0; }\n\
             int copy(int size, unsigned char *data, int data_len) { return size + data_len + data[0]; }\n",
        );
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let first = |unit: &str| {
            let unit = model.functions.values().find(|f| f.name == unit).unwrap();
            crate::plan::plan_unit(&planner, &unit.usr).unwrap().entries[0].args[0].recipe.kind.clone()
        };
        assert_eq!(first("put"), Kind::Length { most: 100, free: false, below: true });
        assert_eq!(first("look"), Kind::Length { most: 100, free: true, below: false });
        assert_eq!(first("move"), Kind::Length { most: 100, free: false, below: true });
        assert_eq!(first("ask"), Kind::Length { most: 100, free: true, below: false });
        assert_eq!(first("copy"), Kind::Prim { range: None });
    }
}
