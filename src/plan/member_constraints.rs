//! Types that have the members that a function template names (`parse/wanted_members.rs`): an `int` has none.

use super::unit_scope::UnitScope;
use crate::model::{Class, Function, TemplateParam, Type};

/// Classes of the project with all members that the template wants of this parameter, those that are soonest made
/// first; none where it wants nothing. Whether the driver can name them is not looked at.
pub(super) fn fitting(scope: &UnitScope<'_>, function: &Function, param: &TemplateParam) -> Vec<Type> {
    let Some(wanted) = function.wants.get(&param.name) else { return Vec::new() };
    let usable = |class: &&Class| class.definition.is_some() && class.specializes.is_none() && !class.name.is_empty();
    let has_all = |class: &&Class| {
        let mut lineage = scope.hierarchy.ancestors(&class.usr);
        lineage.insert(class.usr.clone());
        let lineage: Vec<&Class> = lineage.iter().filter_map(|usr| scope.model.classes.get(usr)).collect();
        wanted.iter().all(|name| lineage.iter().any(|class| has(scope, class, name)))
    };
    let mut fitting: Vec<&Class> = scope.model.classes.values().filter(usable).filter(has_all).collect();
    // What is abstract can only be derived from.
    fitting.sort_by_key(|class| (class.is_abstract, class.template.is_some(), class.methods.len(), &class.qualified));
    fitting.into_iter().filter_map(|class| super::class_arguments::class_type(scope, &class.usr)).collect()
}

/// Whether a class itself has a member or a type of that name.
fn has(scope: &UnitScope<'_>, class: &Class, name: &str) -> bool {
    let mut methods = class.methods.iter().filter_map(|usr| scope.model.functions.get(usr));
    let qualified = format!("{}::{name}", class.qualified);
    class.fields.iter().any(|field| field.name == name)
        || methods.any(|method| method.name == name)
        || scope.model.classes.values().any(|other| other.qualified == qualified)
        || scope.model.aliases.values().any(|other| other.qualified == qualified)
        || scope.model.enums.values().any(|other| other.qualified == qualified)
}
