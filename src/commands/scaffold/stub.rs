//! The override stub: all keys that apply to a unit, as comments.

use crate::model::{Access, Class, Function, FunctionKind, Model, Prim, Type, TypeKind};
use crate::overrides::lookup;
use crate::plan::{Reason, UnitPlan};
use crate::session::Session;
use crate::types::standard::is_range;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The stub's text. Only the target is set; everything else is a comment.
pub fn text(session: &Session, function: &Function, plan: Result<&UnitPlan, &Reason>) -> String {
    let model = &session.model;
    let mut out = String::new();
    let _ = writeln!(out, "# Overrides for this function. Uncomment what you want to set; the rest is");
    let _ = writeln!(out, "# planned by motif-cpp. `motif-cpp analyze` shows whether a driver can be made.");
    if let Err(reason) = plan {
        let _ = writeln!(out, "#\n# It can't be driven yet: {}", comment(&reason.what));
        for need in &reason.needs {
            let _ = writeln!(out, "# What would help: {}", comment(need));
        }
    }
    let _ = writeln!(out, "function: {}", scalar(&function.id));
    if matches!(function.access, Some(Access::Private | Access::Protected)) {
        let callers = session.hierarchy.public_callers(&function.usr);
        let callers: Vec<String> = callers
            .iter()
            .filter_map(|usr| model.functions.get(usr))
            .map(|caller| scalar(&caller.id))
            .take(4)
            .collect();
        if !callers.is_empty() {
            let _ = writeln!(
                out,
                "\n# The public functions through which it is called\n# through: [{}]",
                callers.join(", ")
            );
        }
    }
    let classes = classes(model, function);
    let concrete = |base: &Class| -> Vec<String> {
        let subtypes = model.classes.values().filter(|class| !class.is_abstract && class.definition.is_some());
        let subtypes = subtypes.filter(|class| lookup::derives_from(model, class, &base.qualified));
        subtypes.map(|class| scalar(&class.qualified)).collect()
    };
    section(
        &mut out,
        "The concrete subtypes to use for a class",
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
        "The construction of an object: `constructor` (or `factory`) with `args`, or an `expression`; `then`: \
         statements on `$it`",
        "construct",
        classes.iter().flat_map(|class| made(model, class)).filter_map(|class| {
            let usable = |constructor: &&Function| !constructor.is_copy_or_move && !constructor.params.is_empty();
            let constructor = class.constructors(model).find(usable)?;
            let args: Vec<&str> = constructor.params.iter().map(|param| argument(&param.ty)).collect();
            let names: Vec<String> = constructor.params.iter().map(|param| comment(&param.name)).collect();
            let signature = scalar(&lookup::signature(constructor));
            Some(format!(
                "{}: {{constructor: {signature}, args: [{}]}} # {}",
                scalar(&class.qualified),
                args.join(", "),
                names.join(", ")
            ))
        }),
    );
    section(
        &mut out,
        "Calls on an object before it is used; the data chooses which and how many (`most`)",
        "sequences",
        classes.iter().flat_map(|class| made(model, class)).filter_map(|class| {
            let methods = class.methods.iter().filter_map(|usr| model.functions.get(usr)).filter(|method| {
                method.kind == FunctionKind::Method
                    && method.access == Some(Access::Public)
                    && !method.is_const
                    && !method.name.starts_with("operator")
                    && method.usr != function.usr
            });
            let names: BTreeSet<String> = methods
                .map(|method| match lookup::methods_named(model, class, &method.name).len() {
                    1 => scalar(&method.name),
                    _ => scalar(&format!("{}{}", method.name, lookup::signature(method))),
                })
                .collect();
            let names: Vec<String> = names.into_iter().take(4).collect();
            (!names.is_empty())
                .then(|| format!("{}: {{calls: [{}], most: 4}}", scalar(&class.qualified), names.join(", ")))
        }),
    );
    section(
        &mut out,
        "An argument: `value`, `range`, `one_of`, `pattern` or `format` (of text); `length`, `least_length`,\n# \
         `pair_with` (of arrays), `type` (of a void *)",
        "parameters",
        function.params.iter().filter(|param| !param.name.is_empty()).map(|param| {
            let example = match &param.ty.without_ref().kind {
                TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Void) => "type: TYPE, length: 1".to_owned(),
                TypeKind::Pointer(to) if is_text(to) => "pattern: \"[A-Z]{3}-[0-9]+\"".to_owned(),
                TypeKind::Pointer(_) | TypeKind::Array(..) => match counter(function, &param.name) {
                    Some(count) => format!("length: 100, pair_with: {}", scalar(count)),
                    None => "length: 100".to_owned(),
                },
                TypeKind::Record { name, .. } if crate::types::standard::is_text(name) => "format: iso8601".to_owned(),
                TypeKind::Record { .. } if is_range(model, param.ty.without_ref()) => "size: [0, 8]".to_owned(),
                TypeKind::Enum(usr) => match model.enums.get(usr) {
                    Some(own) => {
                        let names: Vec<String> = own.enumerators.iter().take(8).map(|(name, _)| scalar(name)).collect();
                        format!("one_of: [{}]", names.join(", "))
                    }
                    None => "value: EXPRESSION".to_owned(),
                },
                TypeKind::Prim(Prim::Bool) => "value: true".to_owned(),
                TypeKind::Prim(_) => "range: [0, 100]".to_owned(),
                _ => "value: EXPRESSION".to_owned(),
            };
            format!("{}: {{{example}}} # {}", scalar(&param.name), comment(&param.ty.spelling))
        }),
    );
    section(
        &mut out,
        "Values of a type, wherever one is needed",
        "types",
        types(model, function).into_iter().map(|(name, example)| format!("{}: {{{example}}}", scalar(name))),
    );
    section(
        &mut out,
        "Values of a structure's pointer fields; `$it` is the structure",
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
    if matches!(function.result.kind, TypeKind::Pointer(_)) {
        let _ =
            writeln!(out, "\n# The minimum number of elements in the returned array\n# result: {{least_length: 1}}");
    }
    let object = if function.kind == FunctionKind::Method { "`$object` is the object, " } else { "" };
    let _ = writeln!(out, "\n# Statements right before the call; {object}`$NAME` an argument\n# before: []");
    let _ = writeln!(out, "\n# Statements that reset global state between the two calls\n# reset: []");
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

/// The project's classes in the function's receiver, parameters and result.
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

/// The classes of objects that stand for `class`: itself, or its concrete subtypes.
fn made<'m>(model: &'m Model, class: &'m Class) -> Vec<&'m Class> {
    if !class.is_abstract {
        return vec![class];
    }
    let subtypes = model.classes.values().filter(|other| !other.is_abstract && other.definition.is_some());
    subtypes.filter(|other| lookup::derives_from(model, other, &class.qualified)).take(8).collect()
}

/// An example for an argument of this type.
fn argument(ty: &Type) -> &'static str {
    match &ty.without_ref().kind {
        TypeKind::Prim(Prim::Bool) => "true",
        TypeKind::Prim(_) => "[0, 100]",
        _ => "null",
    }
}

/// The parameter that may be the length of the array `name`: the number after it.
fn counter<'f>(function: &'f Function, name: &str) -> Option<&'f str> {
    let at = function.params.iter().position(|param| param.name == name)?;
    let next = function.params.get(at + 1).filter(|next| !next.name.is_empty())?;
    matches!(next.ty.kind, TypeKind::Prim(_)).then_some(next.name.as_str())
}

fn is_text(to: &Type) -> bool {
    to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char))
}

/// The enumerations and named numbers among the parameters, with an example.
fn types<'m>(model: &'m Model, function: &'m Function) -> Vec<(&'m str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for param in &function.params {
        let ty = param.ty.without_ref();
        let entry = match &ty.kind {
            TypeKind::Enum(usr) => model.enums.get(usr).and_then(|own| {
                let (first, _) = own.enumerators.first()?;
                Some((own.qualified.as_str(), format!("one_of: [{}]", scalar(first))))
            }),
            TypeKind::Prim(_) if model.aliases.values().any(|own| own.qualified == ty.bare_spelling()) => {
                Some((ty.bare_spelling(), "range: [0, 100]".to_owned()))
            }
            _ => None,
        };
        found.extend(entry.filter(|(name, _)| !name.is_empty() && !found.iter().any(|(known, _)| known == name)));
    }
    found
}

/// `text` as a YAML scalar, quoted if necessary.
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
