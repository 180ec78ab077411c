//! Calls that fail, as part of the input: an allocation, a read (`--fault`).

use super::planner::Faults;
use super::unit_scope::UnitScope;
use super::{Entry, FailingCalls, Kind, Slot};
use crate::facts::failing_calls::{Row, reached};
use crate::model::Language;
use crate::types::arithmetic::simple_type;

/// Adds to the ways into the unit `slug` that one of the calls they come to may fail, where the user asks for that. All
/// ways have the same, since one driver has all of them.
pub(super) fn with_failing_calls(scope: &UnitScope<'_>, slug: &str, entries: &mut [Entry]) {
    let Faults { kinds, except } = &scope.planner.faults;
    if kinds.is_empty() || except.contains(slug) {
        return;
    }
    let callees: Vec<_> = entries.iter().map(|entry| entry.callee.clone()).collect();
    let rows = reached(scope.model, scope.hierarchy, scope.lexicon(), callees, kinds).into_iter();
    // C can't throw, whoever does behind it.
    let rows = rows.filter(|row| scope.function.language == Language::Cxx || row.throws.is_none());
    let functions: Vec<&'static str> = rows.map(Row::symbol).collect();
    if functions.is_empty() {
        return;
    }
    let ty = simple_type("unsigned int");
    let most = FailingCalls::most(functions.len());
    let which = Kind::Length { most, free: false, below: false }.of(ty.clone()).by("failing calls");
    let which = Slot::new("failing_call", ty, which);
    let failing = FailingCalls { functions, which };
    entries.iter_mut().for_each(|entry| entry.failing = Some(failing.clone()));
}
