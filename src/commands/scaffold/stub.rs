//! The override stub: what can be said about a unit, ready to be uncommented.

use crate::model::{Class, Function, Model, Type, TypeKind};
use crate::overrides::lookup;
use crate::plan::{Reason, UnitPlan};
use crate::session::Session;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The stub's text. Only the target is said; everything else is a comment.
pub fn text(session: &Session, function: &Function, plan: Result<&UnitPlan, &Reason>) -> String {
    let model = &session.model;
    let mut out = String::new();
    let _ = writeln!(out, "# What people know better about this function. Uncomment what is to be said; the rest is");
    let _ = writeln!(out, "# planned by motif-cpp. `motif-cpp analyze` shows whether a driver can be made.");
    if let Err(reason) = plan {
        let _ = writeln!(out, "#\n# It can't be driven yet: {}", comment(&reason.what));
        for need in &reason.needs {
            let _ = writeln!(out, "# What would help: {}", comment(need));
        }
    }
    let _ = writeln!(out, "function: {}", scalar(&function.id));
    let classes = classes(model, function);
    let concrete = |base: &Class| -> Vec<String> {
        let subtypes = model.classes.values().filter(|class| !class.is_abstract && class.definition.is_some());
        let subtypes = subtypes.filter(|class| lookup::derives_from(model, class, &base.qualified));
        subtypes.map(|class| scalar(&class.qualified)).collect()
    };
    section(
        &mut out,
        "The concrete subtypes that stand in for a class",
        "subtypes",
        classes.iter().filter(|class| class.is_polymorphic || class.is_abstract).filter_map(|class| {
            let subtypes = concrete(class);
            let list = if subtypes.is_empty() { "SUBTYPE".into() } else { subtypes.join(", ") };
            (class.is_abstract || !subtypes.is_empty()).then(|| format!("{}: [{list}]", scalar(&class.qualified)))
        }),
    );
    section(
        &mut out,
        "The arguments of a class template",
        "templates",
        classes.iter().filter_map(|class| {
            let params: Vec<String> = class.template.as_ref()?.iter().map(|param| scalar(&param.text)).collect();
            Some(format!("{}: [{}]", scalar(&class.qualified), params.join(", ")))
        }),
    );
    section(
        &mut out,
        "How an object is made: `constructor` (or `factory`) with `args`, or an `expression`",
        "construct",
        classes.iter().filter(|class| !class.is_abstract).filter_map(|class| {
            let usable = |constructor: &&Function| !constructor.is_copy_or_move && !constructor.params.is_empty();
            let constructor = class.constructors(model).find(usable)?;
            let args: Vec<String> = constructor.params.iter().map(|param| scalar(&param.ty.spelling)).collect();
            let signature = scalar(&lookup::signature(constructor));
            Some(format!("{}: {{constructor: {signature}, args: [{}]}}", scalar(&class.qualified), args.join(", ")))
        }),
    );
    section(
        &mut out,
        "How an argument is made: `value`, `range`, `length`, `least_length`, `type` (of a void *), `pair_with`",
        "parameters",
        function.params.iter().filter(|param| !param.name.is_empty()).map(|param| {
            let example = match &param.ty.without_ref().kind {
                TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Void) => "type: TYPE, length: 1",
                TypeKind::Pointer(_) | TypeKind::Array(..) => "length: 100",
                TypeKind::Prim(_) => "range: [0, 100]",
                _ => "value: EXPRESSION",
            };
            format!("{}: {{{example}}} # {}", scalar(&param.name), comment(&param.ty.spelling))
        }),
    );
    section(
        &mut out,
        "How pointer fields of a structure are filled; `$it` is the structure",
        "fields",
        classes.iter().filter_map(|class| {
            let pointer = class.fields.iter().find(|field| field.ty.pointee().is_some() && !field.is_static)?;
            Some(format!("{}: {{{}: {{length: 16, init: []}}}}", scalar(&class.qualified), scalar(&pointer.name)))
        }),
    );
    section(
        &mut out,
        "Fields left out of the comparison, and why",
        "exclude",
        classes.iter().filter_map(|class| {
            let field = class.fields.iter().find(|field| !field.is_static && !field.name.is_empty())?;
            Some(format!("{}: WHY", scalar(&format!("{}::{}", class.qualified, field.name))))
        }),
    );
    let _ = writeln!(out, "\n# Statements that put global state back between the two calls\n# reset: []");
    out
}

fn section(out: &mut String, about: &str, key: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.collect();
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n# {about}\n# {key}:");
    for entry in entries {
        let _ = writeln!(out, "#   {entry}");
    }
}

/// The project's classes that the function's object, parameters and result are made of.
fn classes<'m>(model: &'m Model, function: &Function) -> Vec<&'m Class> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    if let Some(owner) = function.owner.as_ref().and_then(|usr| model.classes.get(usr)) {
        found.insert(&owner.usr);
    }
    let mut see = |ty: &Type| {
        ty.walk(&mut |part| {
            if let TypeKind::Record { usr, .. } = &part.kind
                && let Some(class) = model.classes.get(usr)
            {
                found.insert(&class.usr);
            }
        });
    };
    function.params.iter().for_each(|param| see(&param.ty));
    found.into_iter().filter_map(|usr| model.classes.get(usr)).filter(|class| !class.qualified.is_empty()).collect()
}

/// `text` as a YAML scalar: quoted only where YAML would take it for something else.
fn scalar(text: &str) -> String {
    let plain = !text.is_empty()
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_:<>() .=~".contains(c))
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    if plain { text.to_owned() } else { serde_json::to_string(text).unwrap_or_default() }
}

/// `text` on one line.
fn comment(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::scalar;

    #[test]
    fn scalars_are_quoted_only_where_yaml_needs_it() {
        assert_eq!(scalar("sat::f(int) const"), "sat::f(int) const");
        assert_eq!(scalar("sat::f(const char *, int)"), "\"sat::f(const char *, int)\"");
        assert_eq!(scalar("(double)"), "\"(double)\"");
        assert_eq!(scalar("operator: x"), "\"operator: x\"");
        assert_eq!(scalar("no"), "\"no\"");
        for text in ["sat::A<int>::f()", "a\"b", "x::operator[](int)", "sat::~A()", "it's", "# x"] {
            assert_eq!(serde_yaml::from_str::<String>(&scalar(text)).unwrap(), text);
        }
    }
}
