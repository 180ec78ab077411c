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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;
    use std::collections::BTreeSet;

    #[test]
    fn all_ways_into_a_unit_have_the_same_failing_calls_but_for_a_unit_that_a_person_drives() {
        let model = read_cpp(
            "class Pile {\n public:\n  int plain(int n) { return step(n); }\n\
             \x20 int full(int n) { int *one = new int(n); n = *one; delete one; return step(n); }\n\
             \x20private:\n  int step(int n) { return n + 1; }\n};\n",
        );
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let unit = model.functions.values().find(|f| f.name == "step").unwrap().usr.clone();
        let failing = |except: &[&str]| {
            let except = except.iter().map(|slug| (*slug).to_owned()).collect();
            let faults = Faults { kinds: BTreeSet::from(["alloc".to_owned()]), except };
            let planner = Planner::new(&model, &hierarchy, &overrides).failing(faults);
            let plan = crate::plan::plan_unit(&planner, &unit).unwrap();
            plan.entries.iter().map(|entry| entry.failing.as_ref().map(|it| it.functions.clone())).collect::<Vec<_>>()
        };
        let all = Some(vec!["_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t"]);
        // Two callers, and past them.
        assert_eq!(failing(&[]), [all.clone(), all.clone(), all]);
        assert_eq!(failing(&["Pile_step"]), [None, None, None]);
    }
}
