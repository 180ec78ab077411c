//! Types that have the members that a function template names (`parse/wanted_members.rs`): an `int` has none.

use super::unit_scope::UnitScope;
use crate::model::{Access, Class, Function, TemplateParam, Type};
use std::collections::BTreeSet;

/// Classes of the project with all members that the template wants of this parameter, those that are soonest made
/// first; none where it wants nothing. Whether the driver can name them is not looked at.
pub(super) fn fitting(scope: &UnitScope<'_>, function: &Function, param: &TemplateParam) -> Vec<Type> {
    let Some(wanted) = function.wants.get(&param.name) else { return Vec::new() };
    let wanted: Vec<(&String, BTreeSet<&str>)> = wanted.iter().map(|name| (name, with_type(scope, name))).collect();
    let usable = |class: &&Class| class.definition.is_some() && class.specializes.is_none() && !class.name.is_empty();
    let has_all = |class: &&Class| {
        let mut lineage = scope.hierarchy.ancestors(&class.usr);
        lineage.insert(class.usr.clone());
        let lineage: Vec<&Class> = lineage.iter().filter_map(|usr| scope.model.classes.get(usr)).collect();
        let has = |name: &str, owners: &BTreeSet<&str>| {
            lineage.iter().any(|class| owners.contains(class.qualified.as_str()) || has_member(scope, class, name))
        };
        wanted.iter().all(|(name, owners)| has(name, owners))
    };
    let mut fitting: Vec<&Class> = scope.model.classes.values().filter(usable).filter(has_all).collect();
    // What is abstract can only be derived from; so can what only classes that are derived may make.
    let only_base = |class: &Class| {
        let mut own = class.constructors(scope.model).filter(|own| !own.is_copy_or_move).peekable();
        class.is_abstract || own.peek().is_some() && own.all(|own| own.access != Some(Access::Public))
    };
    fitting.sort_by_key(|class| (only_base(class), class.template.is_some(), class.methods.len(), &class.qualified));
    fitting.into_iter().filter_map(|class| super::class_arguments::class_type(scope, &class.usr)).collect()
}

/// The scopes in which a type of that name stands.
fn with_type<'m>(scope: &UnitScope<'m>, name: &str) -> BTreeSet<&'m str> {
    let model = scope.model;
    let classes = model.classes.values().map(|class| &class.qualified);
    let others = model.aliases.values().map(|alias| &alias.qualified).chain(model.enums.values().map(|e| &e.qualified));
    classes.chain(others).filter_map(|qualified| qualified.strip_suffix(name)?.strip_suffix("::")).collect()
}

/// Whether a class itself has a field or a method of that name.
fn has_member(scope: &UnitScope<'_>, class: &Class, name: &str) -> bool {
    let mut methods = class.methods.iter().filter_map(|usr| scope.model.functions.get(usr));
    class.fields.iter().any(|field| field.name == name) || methods.any(|method| method.name == name)
}
