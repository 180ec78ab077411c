//! Calls that fail, as part of the input: an allocation, a read (`--fault`).

use super::unit_scope::UnitScope;
use super::{Entry, FailingCalls, Kind, Slot};
use crate::facts::failing_calls::{Row, reached};
use crate::types::arithmetic::simple_type;

/// Adds to the ways into a unit that one of the calls it comes to may fail, where the user asks for that.
pub(super) fn with_failing_calls(scope: &UnitScope<'_>, entries: &mut [Entry]) {
    let kinds = &scope.planner.faults;
    if kinds.is_empty() {
        return;
    }
    for entry in entries {
        let rows = reached(scope.model, scope.hierarchy, scope.lexicon(), &entry.callee, kinds);
        let functions: Vec<&'static str> = rows.into_iter().map(Row::name).collect();
        let ty = simple_type("unsigned int");
        let most = FailingCalls::most(functions.len());
        let which = Kind::Length { most, free: false, below: false }.of(ty.clone()).by("failing calls");
        let which = Slot::new("failing_call", ty, which);
        entry.failing = (!functions.is_empty()).then_some(FailingCalls { functions, which });
    }
}
