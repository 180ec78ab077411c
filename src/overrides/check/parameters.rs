//! Checks hooks for a function's parameters and result.

use super::base::{Check, Place, is_number, suggestion};
use crate::model::library::Shape;
use crate::model::{Function, Type, TypeKind};
use crate::overrides::file::{ParameterHook, ValueHook};
use crate::overrides::names_function;
use crate::types::library::row;

/// The most elements that a hook may request.
const MOST_ELEMENTS: u64 = 1000;

impl<'m> Check<'m> {
    /// The callers of a unit must exist, be unique, and lead to it.
    pub(super) fn through(&mut self, place: &Place<'_>, units: &[&'m Function]) {
        let source = place.source;
        if source.file.through.is_empty() {
            return;
        }
        if source.file.function.is_none() {
            let fix = "name the function that is called through them with `function:` at the top of the file";
            return self.report(place, "override-target", "what is called through these functions?", fix);
        }
        for name in &source.file.through {
            let place = place.word(name);
            let found = crate::overrides::lookup::functions_named(self.model, name);
            if found.is_empty() {
                self.unknown_function(&place, name, self.model.functions.values());
            }
            self.called(&place, name, &found, &[]);
            if units.iter().any(|unit| names_function(name, &unit.id)) {
                let what = format!("`{name}` is the function itself");
                self.report(&place, "override-target", what, "name a function that calls it");
            }
        }
    }

    pub(super) fn parameter(&mut self, place: &Place<'_>, units: &[&'m Function], name: &str, hook: &ParameterHook) {
        if place.source.file.function.is_none() && place.source.file.class.is_none() {
            let fix = "add `function:` or `class:` at the top of the file";
            return self.report(place, "override-target", format!("which function's parameter is `{name}`?"), fix);
        }
        if units.is_empty() {
            return; // The target is unknown, which has been said.
        }
        let having: Vec<_> = units.iter().filter(|unit| unit.params.iter().any(|param| param.name == name)).collect();
        let Some(unit) = having.first() else {
            return self.unknown_parameter(place, units, name);
        };
        let Some(param) = unit.params.iter().find(|param| param.name == name) else { return };
        let value = hook.value_hook();
        let pointing = [
            (hook.length.is_some(), "length"),
            (hook.least_length.is_some(), "least_length"),
            (hook.pair_with.is_some(), "pair_with"),
        ];
        let others = pointing.iter().any(|(said, _)| *said) || hook.pointee.is_some() || hook.size.is_some();
        let said = value != ValueHook::default();
        if said && others {
            let what = format!("`{name}` sets a value, which excludes every other key");
            let fix = "leave out `value`, `range`, `one_of`, `pattern` and `format`, or the rest";
            return self.report(place, "override-parameter", what, fix);
        }
        if *hook == ParameterHook::default() {
            let fix = "set `value`, `range`, `one_of`, `pattern`, `format`, `length`, `least_length`, `type`, \
            `pair_with` or `size`";
            return self.report(place, "override-empty", format!("`{name}` sets nothing"), fix);
        }
        for (_, key) in pointing.into_iter().filter(|(said, _)| *said) {
            self.points(place, name, &param.ty, key);
        }
        if let Some([least, most]) = hook.size {
            let kind = &param.ty.without_ref().kind;
            let fits = match kind {
                TypeKind::Record { name, .. } => {
                    row(self.model, name).is_some_and(|row| matches!(row.shape, Shape::Sequence | Shape::Map))
                }
                other => matches!(other, TypeKind::Dependent(_) | TypeKind::Unknown(_)),
            };
            if !fits {
                let ty = &param.ty.spelling;
                let what = format!("`size` is for containers of the standard library, and `{name}` is a `{ty}`");
                self.report(place, "override-parameter", what, "leave it out; arrays have a `length`");
            } else if least > most || most > MOST_ELEMENTS {
                let what = format!("`{name}` can't have {least} to {most} elements");
                self.report(place, "override-parameter", what, format!("`[least, most]`, {MOST_ELEMENTS} at most"));
            }
        }
        if said && let Some(told) = self.one_thing(place, name, &value) {
            self.fits(place, "override-parameter", &format!("`{name}`"), &param.ty, &told);
        }
        if let Some(pointee) = &hook.pointee {
            self.void_pointer(place, name, &param.ty, pointee);
        }
        if let Some(length) = &hook.pair_with {
            match unit.params.iter().find(|param| param.name == *length) {
                Some(counter) if is_number(&counter.ty) => {}
                Some(counter) => {
                    let what = format!("`{length}` is a `{}`: no length", counter.ty.spelling);
                    self.report(&place.word(length), "override-parameter", what, "name the parameter that counts");
                }
                None => self.unknown_parameter(&place.word(length), &[unit], length),
            }
        }
    }

    fn unknown_parameter(&mut self, place: &Place<'_>, units: &[&Function], name: &str) {
        let names = units.iter().flat_map(|unit| unit.params.iter().map(|param| param.name.as_str()));
        let fix = suggestion(name, names, &format!("its id: {}", units[0].id));
        let what = format!("`{}` has no parameter `{name}`", units[0].qualified);
        self.report(place, "override-unknown-parameter", what, fix);
    }

    pub(super) fn result(&mut self, place: &Place<'_>, units: &[&'m Function], has_length: bool) {
        if place.source.file.function.is_none() {
            let fix = "add `function:` at the top of the file";
            return self.report(place, "override-target", "whose result?", fix);
        }
        if let (true, Some(unit)) = (has_length, units.first()) {
            self.points(place, "result", &unit.result, "least_length");
        }
    }

    pub(super) fn points(&mut self, place: &Place<'_>, name: &str, ty: &Type, key: &str) {
        let kind = &ty.without_ref().kind;
        let fits =
            matches!(kind, TypeKind::Pointer(_) | TypeKind::Array(..) | TypeKind::Dependent(_) | TypeKind::Unknown(_));
        if !fits {
            let what = format!("`{key}` is for pointers and arrays, and `{name}` is a `{}`", ty.spelling);
            self.report(place, "override-parameter", what, "leave it out");
        }
    }

    pub(super) fn void_pointer(&mut self, place: &Place<'_>, name: &str, ty: &Type, pointee: &str) {
        let is_void = |ty: &Type| matches!(ty.kind, TypeKind::Void);
        let target = ty.without_ref().pointee();
        // The callee returns memory through a `void **`.
        if !target.is_some_and(|to| is_void(to) || to.pointee().is_some_and(is_void)) {
            let what = format!("`type` is for `void *`, and `{name}` is a `{}`", ty.spelling);
            self.report(place, "override-parameter", what, "leave it out");
        }
        self.known_type(&place.word(pointee), pointee);
    }
}
