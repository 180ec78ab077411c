//! Finds functions that may call themselves.
//!
//! A copy calls the original where the mutant would call itself. If the compiler could see the original's body, an
//! endless mutant might seem to return the original's result. So the original's body is hidden for such functions.
//! The analysis is conservative: templates and destructors, whose calls are not written down, may call anything that
//! they could reach.

use crate::model::{Function, FunctionKind, Model, Usr};
use crate::mutate::schema::in_template;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Calls<'m> {
    model: &'m Model,
    overriders: BTreeMap<&'m Usr, Vec<&'m Usr>>,
    from_destructors: BTreeSet<&'m Usr>,
}

impl<'m> Calls<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut overriders: BTreeMap<&Usr, Vec<&Usr>> = BTreeMap::new();
        for function in model.functions.values() {
            for overridden in &function.overrides {
                overriders.entry(overridden).or_default().push(&function.usr);
            }
        }
        let mut calls = Self { model, overriders, from_destructors: BTreeSet::new() };
        let destructors = model.functions.values().filter(|function| function.kind == FunctionKind::Destructor);
        let destructors: Vec<&Usr> = destructors.map(|function| &function.usr).collect();
        calls.from_destructors = calls.reached(destructors);
        calls
    }

    /// Whether the function may, through whatever it calls, call itself.
    pub fn may_recur(&self, function: &'m Function) -> bool {
        if self.is_vague(function) || self.from_destructors.contains(&function.usr) {
            return true;
        }
        let reached = self.reached(self.next(&function.usr));
        reached.contains(&function.usr)
            || reached.iter().filter_map(|usr| self.model.functions.get(*usr)).any(|callee| self.is_vague(callee))
    }

    fn reached(&self, start: Vec<&'m Usr>) -> BTreeSet<&'m Usr> {
        let mut seen = BTreeSet::new();
        let mut open = start;
        while let Some(usr) = open.pop() {
            if seen.insert(usr) {
                open.extend(self.next(usr));
            }
        }
        seen
    }

    fn next(&self, usr: &'m Usr) -> Vec<&'m Usr> {
        let called = self.model.functions.get(usr).and_then(|function| function.definition.as_ref());
        let called = called.into_iter().flat_map(|definition| &definition.calls);
        let overriders = self.overriders.get(usr).into_iter().flatten().copied();
        called.chain(overriders).collect()
    }

    /// Part of a template: what it calls depends on its arguments.
    fn is_vague(&self, function: &Function) -> bool {
        function.definition.is_some() && (function.template.is_some() || in_template(function, self.model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn calls_through_others_overriders_templates_and_destructors_count() {
        let model = read_cpp(
            "struct B { virtual int v(int) { return 0; } virtual ~B(); };\n\
             int straight(int a) { return a; }\n\
             int direct(int a) { return a ? direct(a - 1) : 0; }\n\
             int odd(int); int even(int a) { return odd(a); } int odd(int a) { return even(a); }\n\
             int through(B &b) { return b.v(1); }\n\
             struct D : B { int v(int) override { return through(*this); } };\n\
             template <class F> int call(F f) { return f(); }\n\
             int vague() { return call([] { return 1; }); }\n\
             void swept() {}\n\
             B::~B() { swept(); }\n",
        );
        let calls = Calls::new(&model);
        let may = |name: &str| {
            let function = model.functions.values().find(|function| function.name == name).unwrap();
            calls.may_recur(function)
        };
        assert!(!may("straight"));
        for name in ["direct", "odd", "even", "through", "vague", "swept"] {
            assert!(may(name), "{name}");
        }
    }
}
