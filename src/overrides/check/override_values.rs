//! Checks values, calls and statements.

use super::base::{Check, Named, Place, is_number, last_part, quoted, suggestion};
use crate::model::{Class, Enum, Function, Model, Type, TypeKind};
use crate::overrides::file::{ArgumentHook, OverrideValue, SequenceHook, ValueHook};
use crate::overrides::{lookup, pattern};
use crate::yaml::line_of_key;

/// The most calls that a sequence may have.
const MOST_CALLS: u64 = 64;

impl<'m> Check<'m> {
    /// Checks a hook for a type, which must set exactly one value.
    pub(super) fn type_hook(&mut self, place: &Place<'_>, name: &str, hook: &ValueHook) {
        let Some(told) = self.one_thing(place, name, hook) else { return };
        let before = self.problems.len();
        self.known_type(place, name);
        if self.problems.len() > before {
            return;
        }
        match self.type_named(name) {
            Some(ty) => self.fits(place, "override-type", &format!("`{name}`"), &ty, &told),
            None => self.expressions(place, None, &told),
        }
    }

    /// The only value that is set; a problem for none or several.
    pub(super) fn one_thing(&mut self, place: &Place<'_>, name: &str, hook: &ValueHook) -> Option<OverrideValue> {
        let told = hook.told();
        if told.is_none() {
            let (code, what) = match *hook == ValueHook::default() {
                true => ("override-empty", "nothing"),
                false => ("override-value", "more than one value"),
            };
            let fix = "set one of `value`, `range`, `one_of`, `pattern` and `format`";
            self.report(place, code, format!("`{name}` sets {what}"), fix);
        }
        told
    }

    /// Whether the value fits the type; `whose` names its owner in messages.
    pub(super) fn fits(&mut self, place: &Place<'_>, code: &'static str, whose: &str, ty: &Type, told: &OverrideValue) {
        let plain = ty.without_ref();
        let unknown = matches!(plain.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_));
        match told {
            OverrideValue::Range(..) if !is_number(plain) => {
                let what = format!("`range` is for numbers, and {whose} is a `{}`", ty.spelling);
                self.report(place, code, what, "leave it out, or give a `value` or `one_of`");
            }
            OverrideValue::Pattern(_) if !is_text(plain) && !unknown => {
                let what = format!("`pattern` and `format` are for text, and {whose} is a `{}`", ty.spelling);
                self.report(place, code, what, "leave it out, or give a `value` or `one_of`");
            }
            OverrideValue::Pattern(text) => {
                if let Err(why) = pattern::checked(text) {
                    let fix = "a regular expression of literals, classes, groups, alternatives and repetition";
                    self.report(place, "override-pattern", why, fix);
                }
            }
            _ => self.expressions(place, Some(plain), told),
        }
    }

    /// Expressions in the form of enumerators must exist. Other expressions are C++, which the compiler checks.
    fn expressions(&mut self, place: &Place<'_>, ty: Option<&Type>, told: &OverrideValue) {
        let list = match told {
            OverrideValue::Value(text) => std::slice::from_ref(text),
            OverrideValue::OneOf(list) => list.as_slice(),
            _ => return,
        };
        let wanted = ty.and_then(|ty| match &ty.kind {
            TypeKind::Enum(usr) => self.model.enums.get(usr),
            _ => None,
        });
        for text in list {
            if let Some((of, name)) = missing_enumerator(self.model, wanted, text) {
                let names = of.enumerators.iter().map(|(name, _)| name.as_str());
                let all: Vec<&str> = names.collect();
                let near = crate::diag::nearest(name, all.iter().map(|name| last_part(name)));
                let near = near.and_then(|near| all.iter().find(|full| last_part(full) == near));
                let known = || format!("enumerators of `{}`: {}", of.qualified, quoted(&all));
                let fix = near.map_or_else(known, |near| format!("did you mean `{near}`?"));
                let what = format!("`{}` has no enumerator `{name}`", of.qualified);
                self.report(&place.word(text), "override-unknown-enumerator", what, fix);
            }
        }
    }

    /// Checks what a name means: one function, which takes so many arguments. That there is none has been told.
    pub(super) fn called(&mut self, place: &Place<'_>, name: &str, found: &[&Function], args: &[ArgumentHook]) {
        match found {
            [] => {}
            [function] if args.len() > function.params.len() => {
                let what = format!("`{name}` takes {} arguments, not {}", function.params.len(), args.len());
                self.report(place, "override-arguments", what, format!("its id: {}", function.id));
            }
            [function] => self.arguments(place, function, args),
            several => {
                let ids: Vec<&str> = several.iter().map(|function| function.id.as_str()).collect();
                let fix = format!("say which: {}", quoted(&ids));
                self.report(place, "override-ambiguous", format!("`{name}` is overloaded"), fix);
            }
        }
    }

    /// Checks arguments against their parameters.
    pub(super) fn arguments(&mut self, place: &Place<'_>, function: &Function, args: &[ArgumentHook]) {
        for (arg, param) in args.iter().zip(&function.params) {
            if let ArgumentHook(Some(told)) = arg {
                let whose = match param.name.is_empty() {
                    true => "the argument".to_owned(),
                    false => format!("the argument `{}`", param.name),
                };
                self.fits(place, "override-arguments", &whose, &param.ty, told);
            }
        }
    }

    pub(super) fn sequence(&mut self, place: &Place<'_>, class: &Named<'m>, hook: &SequenceHook) {
        let Named::Own(class) = class else {
            let what = format!("`{}` is not defined in the project: its methods are not known", class.name());
            let fix = "write it as a statement: `before`, or `then` of `construct`";
            return self.report(place, "override-sequence", what, fix);
        };
        if hook.most.is_some_and(|most| !(1..=MOST_CALLS).contains(&most)) {
            let line = line_of_key(&place.source.text, "most", place.line).unwrap_or(place.line);
            let place = Place { source: place.source, line };
            self.report(&place, "override-sequence", "`most` is out of range", format!("1 to {MOST_CALLS} calls"));
        }
        for call in &hook.calls {
            let place = place.word(&call.method);
            let found = lookup::methods_named(self.model, class, &call.method);
            if found.is_empty() {
                let names = methods(self.model, class);
                let fix = suggestion(&call.method, names.iter().map(String::as_str), "it must be public");
                let what = format!("`{}` has no method `{}`", class.qualified, call.method);
                self.report(&place, "override-unknown-method", what, fix);
            }
            self.called(&place, &call.method, &found, &call.args);
        }
    }

    /// Checks the `$` words in statements.
    pub(super) fn statements(&mut self, place: &Place<'_>, statements: &[String], known: &[&str]) {
        for statement in statements {
            let first = statement.lines().next().unwrap_or(statement);
            let place = place.word(first);
            if statement.trim().is_empty() {
                self.report(&place, "override-empty", "there is an empty statement", "leave it out");
            }
            for word in placeholders(statement).filter(|word| !known.contains(word)) {
                let all: Vec<String> = known.iter().map(|name| format!("${name}")).collect();
                let fix = match crate::diag::nearest(word, known.iter().copied()) {
                    Some(near) => format!("did you mean `${near}`?"),
                    None if known.is_empty() => "nothing can be named by `$` here".to_owned(),
                    None => format!("known here: {}", quoted(&all)),
                };
                self.report(&place, "override-placeholder", format!("nothing is called `${word}` here"), fix);
            }
        }
    }

    /// Checks `before`, whose `$` words depend on the unit.
    pub(super) fn before(&mut self, place: &Place<'_>, targeted: bool, units: &[&'m Function], statements: &[String]) {
        if statements.is_empty() {
            return;
        }
        if !targeted {
            let fix = "add `function:` or `class:` at the top of the file";
            return self.report(place, "override-target", "before which call?", fix);
        }
        let mut known: Vec<&str> = units.iter().flat_map(|unit| unit.params.iter().map(|p| p.name.as_str())).collect();
        if units.iter().any(|unit| unit.owner.is_some()) {
            known.push("object");
        }
        if !units.is_empty() {
            self.statements(place, statements, &known);
        }
    }

    /// The type of a name, if the model has it.
    fn type_named(&self, name: &str) -> Option<Type> {
        let kind = if let Some(own) = self.model.enums.values().find(|own| own.qualified == name) {
            TypeKind::Enum(own.usr.clone())
        } else if let Some(class) = lookup::class_named(self.model, name) {
            TypeKind::Record { usr: class.usr.clone(), name: class.qualified.clone(), args: Vec::new() }
        } else if crate::types::standard::is_text(name) {
            TypeKind::Record { usr: name.into(), name: name.into(), args: Vec::new() }
        } else {
            return self.model.aliases.values().find(|own| own.qualified == name).map(|own| own.target.clone());
        };
        Some(Type::new(name.to_owned(), kind))
    }
}

/// `$name` words of a statement.
fn placeholders(statement: &str) -> impl Iterator<Item = &str> {
    statement.split('$').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Whether it can hold text.
fn is_text(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => matches!(to.kind, TypeKind::Prim(crate::model::Prim::Char)),
        TypeKind::Record { name, .. } => crate::types::standard::is_text(name),
        _ => false,
    }
}

/// The enumeration and the name, if an expression has the form of an enumerator that does not exist.
fn missing_enumerator<'m, 't>(
    model: &'m Model,
    wanted: Option<&'m Enum>,
    text: &'t str,
) -> Option<(&'m Enum, &'t str)> {
    let text = text.trim();
    let is_path =
        text.split("::").all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'));
    if !is_path || text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let scope = text.rsplit_once("::").map(|(scope, _)| scope.trim_start_matches("::"));
    let of = match scope {
        Some(scope) => model.enums.values().find(|own| own.qualified == scope)?,
        // A plain name may be a constant of the project, unless it is close to an enumerator.
        None => wanted.filter(|own| {
            let names = own.enumerators.iter().map(|(name, _)| last_part(name));
            crate::diag::nearest(text, names).is_some()
        })?,
    };
    let name = last_part(text);
    let known = of.enumerators.iter().any(|(own, _)| own == text || scope.is_some() && last_part(own) == name);
    (!known && !of.enumerators.is_empty()).then_some((of, name))
}

/// The names of the public methods of a class and its bases.
fn methods(model: &Model, class: &Class) -> Vec<String> {
    let is_base = |other: &Class| other.usr == class.usr || lookup::derives_from(model, class, &other.qualified);
    let functions = model.functions.values().filter(|function| {
        function.access == Some(crate::model::Access::Public) && model.owner_of(function).is_some_and(is_base)
    });
    functions.map(|function| function.name.clone()).collect()
}
