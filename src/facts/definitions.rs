//! Classes that open all their members, and whose constructor only says what these are at first.

use crate::model::{Access, Class, Field, FunctionKind, Model, Type, TypeKind};
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;

/// Members of more than so many are not all set.
const MOST: usize = 24;

/// Whether an object of the class is a form to be filled in.
pub fn is_definition(model: &Model, class: &Class, with: &Substitution) -> bool {
    members_of(model, class, with).is_some_and(|members| !members.is_empty())
}

/// The members of a definition, with the classes that have them and their types; none where the class is no definition.
pub fn members_of<'m>(
    model: &'m Model,
    class: &'m Class,
    with: &Substitution,
) -> Option<Vec<(&'m Class, &'m Field, Type)>> {
    let mut members = Vec::new();
    open_members(model, class, with, &mut members)?;
    let names: BTreeSet<&str> = members.iter().map(|(_, field, _)| field.name.as_str()).collect();
    let mut made = class.constructors(model).filter(|c| !c.is_copy_or_move);
    let is_definition =
        names.len() == members.len() && members.len() <= MOST && made.all(|c| c.params.is_empty() && !c.is_deleted);
    is_definition.then_some(members)
}

/// The members of a class and of its bases, these first, with their types; none where one of them is not open to
/// everybody, can't be assigned to, or the class is asked for more than them.
fn open_members<'m>(
    model: &'m Model,
    class: &'m Class,
    with: &Substitution,
    members: &mut Vec<(&'m Class, &'m Field, Type)>,
) -> Option<()> {
    let methods = class.methods.iter().filter_map(|usr| model.functions.get(usr));
    let mut asked = methods.filter(|f| f.kind == FunctionKind::Method && f.is_const && !f.name.starts_with("operator"));
    if class.is_polymorphic || class.template.is_some() && !class.bases.is_empty() || asked.next().is_some() {
        return None;
    }
    for base in &class.bases {
        let ty = with.apply(&base.ty);
        let of = model.classes.get(ty.record()?).filter(|_| base.access == Access::Public && !base.is_virtual)?;
        let TypeKind::Record { args, .. } = &ty.kind else { return None };
        open_members(model, of, &Substitution::of(model, of, args), members)?;
    }
    for field in class.fields.iter().filter(|field| !field.is_static) {
        let ty = with.apply(&field.ty);
        let is_set = field.access == Access::Public
            && !field.name.is_empty()
            && !ty.is_const
            && !matches!(ty.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) | TypeKind::Dependent(_));
        if !is_set {
            return None;
        }
        members.push((class, field, ty));
    }
    Some(())
}
