//! Which references objects of the project keep: what is passed for one must live on.

use crate::model::{Model, Type, TypeKind};
use crate::types::standard::is_text;

/// What objects of the project may hold on to where it is passed by reference.
pub(super) fn kept_references(model: &Model) -> Vec<Type> {
    let referent = |ty: &Type| match &ty.kind {
        // A pointer may be to what a reference was to.
        TypeKind::LvalueRef(to) | TypeKind::Pointer(to) if to.is_const => Some((**to).clone()),
        TypeKind::Record { name, .. } if is_text(name) && name.ends_with("_view") => Some(ty.clone()),
        _ => None,
    };
    let own = model.classes.values().filter(|class| class.installed.is_none());
    let mut kept: Vec<Type> = Vec::new();
    for ty in own.flat_map(|class| &class.fields).filter_map(|field| referent(&field.ty)) {
        if !kept.iter().any(|known| known.kind == ty.kind) {
            kept.push(ty);
        }
    }
    kept
}

/// Whether a reference to `kept` may be one to a value of type `ty`.
pub(super) fn may_be(kept: &Type, ty: &Type) -> bool {
    let is_of_text = |ty: &Type| matches!(&ty.kind, TypeKind::Record { name, .. } if is_text(name));
    match (&kept.kind, &ty.kind) {
        (TypeKind::Prim(one), TypeKind::Prim(other)) => one == other,
        (TypeKind::Enum(one), TypeKind::Enum(other)) => one == other,
        (TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) | TypeKind::Array(..), _) => false,
        (TypeKind::Record { .. }, TypeKind::Record { .. }) => is_of_text(kept) && is_of_text(ty),
        (TypeKind::Record { .. }, _) => false,
        // A parameter of a template may be anything.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Prim;
    use crate::parse::testing::read_cpp;

    #[test]
    fn an_object_keeps_what_a_member_of_just_that_type_may_refer_to() {
        let model = read_cpp(
            "struct Log { int lines; };\nstruct Sink { const Log &log; const float &scale; const double *last; };\n\
             void use(Sink &, double, float, int);\n",
        );
        let kept = kept_references(&model);
        let of = |prim: Prim| Type::new("", TypeKind::Prim(prim));
        let is_kept = |ty: &Type| kept.iter().any(|known| may_be(known, ty));
        assert_eq!([Prim::Float, Prim::Double, Prim::Int].map(|prim| is_kept(&of(prim))), [true, true, false]);
    }
}
