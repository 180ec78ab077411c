//! The arguments of class templates for the unit that is planned, and types by the names that people write.

use super::unit_scope::UnitScope;
use super::usual_arguments::usual_args;
use crate::model::{Class, TemplateArg, Type, TypeKind, Usr};
use crate::types::records::{outer_template, record_type};

/// The class as a type; a template gets arguments that the project uses, or the simplest.
pub fn class_type(scope: &UnitScope<'_>, usr: &Usr) -> Option<Type> {
    let class = scope.model.classes.get(usr)?;
    let args = template_args(scope, class)?;
    Some(record_type(scope.model, class, args))
}

/// Arguments for a class template: an override's, those of the first instantiation in the project, else `int`
/// for types and 4 for values. Empty for a plain class.
pub fn template_args(scope: &UnitScope<'_>, class: &Class) -> Option<Vec<TemplateArg>> {
    if class.template.is_none() {
        return match outer_template(scope.model, class) {
            Some(outer) => template_args(scope, outer),
            None => Some(Vec::new()),
        };
    }
    if let Some(named) = scope.overrides.template_args_for(&class.qualified, scope.id()) {
        return Some(named.iter().map(|text| named_argument(scope, text)).collect());
    }
    if let Some(args) = scope.chosen.of(&class.usr) {
        return Some(args.clone());
    }
    usual_args(scope.lexicon(), scope.model, scope.planner.graph.specialized(), class)
}

fn named_argument(scope: &UnitScope<'_>, text: &str) -> TemplateArg {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'') || text == "true" || text == "false" {
        return TemplateArg::Value(text.to_owned());
    }
    TemplateArg::Type(named_type(scope, text).unwrap_or_else(|| crate::types::arithmetic::simple_type(text)))
}

/// A type by the name that a person wrote.
pub fn named_type(scope: &UnitScope<'_>, text: &str) -> Option<Type> {
    let text = text.trim();
    let (name, args) = match text.split_once('<') {
        Some((name, rest)) => (name.trim(), Some(rest.strip_suffix('>')?)),
        None => (text, None),
    };
    if let Some(class) = scope.model.class_named(name) {
        let args = match args {
            Some(args) => {
                crate::types::spelling::split_arguments(args).iter().map(|a| named_argument(scope, a)).collect()
            }
            None => template_args(scope, class)?,
        };
        return Some(record_type(scope.model, class, args));
    }
    if let Some(found) = scope.model.enums.values().find(|e| e.qualified == name) {
        let kind = TypeKind::Enum(found.usr.clone());
        return Some(Type { spelling: found.qualified.clone(), is_const: false, kind, size: None });
    }
    if let Some(alias) = scope.model.aliases.values().find(|a| a.qualified == name) {
        return Some(alias.target.clone());
    }
    crate::types::arithmetic::primitive(text)
}
