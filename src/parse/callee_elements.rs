//! What callees show of the arrays that they are passed, said of the parameters of their callers.

use super::elements::{FARTHEST, is_untyped, may_be_array, may_count};
use crate::model::{Elements, Function, Model, Param, Prim, Type, TypeKind, Usr};

/// Rounds of passing facts of callees on to callers.
const ROUNDS: usize = 4;

/// Passes what callees show of their parameters on to the parameters of callers.
pub(super) fn hand_on(model: &mut Model) {
    hand_on_asked(model);
    for _ in 0..ROUNDS {
        let mut told: Vec<(Usr, usize, Elements)> = Vec::new();
        for function in model.functions.values() {
            let leads_on = |param: &Param| may_be_array(&param.ty) || is_untyped(&param.ty);
            for (index, param) in function.params.iter().enumerate().filter(|(_, param)| leads_on(param)) {
                let is_in_bytes = |of: &Param| of.seen_as.is_none() && of.ty.pointee().is_some_and(is_of_byte_size);
                let is_told = |of: &&Param| {
                    let is_typed = !is_untyped(&param.ty) && !is_untyped(&of.ty);
                    is_typed || is_in_bytes(param) && is_in_bytes(of)
                };
                let mut all = param.elements.clone().unwrap_or_default();
                for (callee, place) in &param.handed_to {
                    let Some(callee) = model.functions.get(callee) else { continue };
                    let of = callee.params.get(*place).filter(is_told);
                    let Some(of) = of.and_then(|param| param.elements.as_ref()) else { continue };
                    all.least = all.least.max(of.least);
                    all.many |= of.many;
                    all.in_rows |= of.in_rows;
                    let counts = of.counted_by.iter().filter_map(|count| given(function, callee, *count));
                    all.counted_by.extend(counts);
                }
                for passed in &param.passed_on {
                    let callee = model.functions.get(&passed.callee);
                    let of = callee.and_then(|callee| callee.params.get(passed.place)).filter(is_told);
                    let Some(of) = of.and_then(|param| param.elements.as_ref()) else { continue };
                    let counted = of.counted_by.iter().filter_map(|count| passed.constants.get(count)).max();
                    let counted = counted.map_or(0, |count| count.saturating_add(u64::from(of.beyond)));
                    let least = passed.moved.saturating_add(of.least.max(counted));
                    all.least = all.least.max(if least > FARTHEST { 0 } else { least });
                }
                if all != param.elements.clone().unwrap_or_default() {
                    told.push((function.usr.clone(), index, all));
                }
            }
        }
        if told.is_empty() {
            return;
        }
        for (usr, index, all) in told {
            if let Some(function) = model.functions.get_mut(&usr) {
                function.params[index].elements = Some(all);
            }
        }
    }
}

/// The same for what numbers are compared with.
fn hand_on_asked(model: &mut Model) {
    for _ in 0..ROUNDS {
        let of_callee = |(callee, place): &(Usr, usize)| {
            model.functions.get(callee).and_then(|callee| callee.params.get(*place)).map_or(0, |param| param.asked)
        };
        let mut told: Vec<(Usr, usize, u64)> = Vec::new();
        for function in model.functions.values() {
            for (index, param) in function.params.iter().enumerate().filter(|(_, param)| may_count(&param.ty)) {
                let asked = param.handed_to.iter().map(of_callee).max().filter(|asked| *asked > param.asked);
                told.extend(asked.map(|asked| (function.usr.clone(), index, asked)));
            }
        }
        if told.is_empty() {
            return;
        }
        for (usr, index, asked) in told {
            if let Some(function) = model.functions.get_mut(&usr) {
                function.params[index].asked = asked;
            }
        }
    }
}

/// Which of the caller's parameters the callee has as the one at `place`.
fn given(caller: &Function, callee: &Function, place: usize) -> Option<usize> {
    let is_given = |param: &Param| param.handed_to.iter().any(|(usr, at)| *usr == callee.usr && *at == place);
    caller.params.iter().position(is_given)
}

/// Bytes and characters, and what a `void *` leads to, which is looked at as such.
fn is_of_byte_size(ty: &Type) -> bool {
    matches!(
        ty.kind,
        TypeKind::Void | TypeKind::Prim(Prim::Char | Prim::SChar | Prim::UChar | Prim::Char8 | Prim::Bool)
    )
}
