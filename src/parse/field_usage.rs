//! Which members of large structures a body names, and which of those structures it takes as a whole.

use crate::model::{LARGE, Usr};
use clang::{Entity, EntityKind, Type, TypeKind};

/// The member that an expression names, or the structure that it reads, copies or hands on as memory as a whole; none
/// of small ones.
pub(super) fn touched(entity: Entity<'_>) -> Option<Usr> {
    let usr = |of: Entity<'_>| of.get_usr().map(|usr| usr.0);
    match entity.get_kind() {
        EntityKind::MemberRefExpr => {
            let field = entity.get_reference().filter(|target| target.get_kind() == EntityKind::FieldDecl)?;
            is_large(field.get_semantic_parent()?.get_type()?).then(|| usr(field)).flatten()
        }
        EntityKind::UnexposedExpr
        | EntityKind::CStyleCastExpr
        | EntityKind::ReinterpretCastExpr
        | EntityKind::CallExpr => {
            let ty = entity.get_type()?.get_canonical_type();
            if ty.get_kind() == TypeKind::Record {
                return is_large(ty).then(|| usr(ty.get_declaration()?)).flatten();
            }
            // A pointer that is cast to another type.
            let from = entity.get_children().into_iter().rfind(|child| child.is_expression())?;
            let (to, from) = (ty.get_pointee_type()?, from.get_type()?.get_canonical_type().get_pointee_type()?);
            let record = from.get_canonical_type();
            let is_another = to.get_canonical_type().get_declaration() != record.get_declaration();
            (is_another && record.get_kind() == TypeKind::Record && is_large(record))
                .then(|| usr(record.get_declaration()?))
                .flatten()
        }
        _ => None,
    }
}

fn is_large(ty: Type<'_>) -> bool {
    ty.get_sizeof().is_ok_and(|size| size as u64 > LARGE)
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn of_large_structures_it_is_known_what_bodies_name_and_what_they_take_whole() {
        let text = "void *memcpy(void *, const void *, unsigned long);\n\
             struct small { int a; }; struct large { int used; char *text; int other[100]; };\n\
             int named(struct large *l, struct small *s) { return l->used + s->a; }\n\
             void copied(struct large *to, const struct large *from) { *to = *from; }\n\
             void memory(struct large *to, const struct large *from) { memcpy(to, from, sizeof *to); }\n\
             int handed(struct large *l) { return named(l, 0); }\n\
             int base(struct large *l) { struct small *s = (struct small *)l; return s->a; }\n";
        let model = read_c(text);
        let told = |name: &str| -> Vec<String> {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            let of = |usr: &String| usr.rsplit('@').next().unwrap().to_owned();
            function.definition.as_ref().unwrap().touches.iter().map(of).collect()
        };
        assert_eq!(told("named"), ["used"]);
        assert_eq!([told("copied"), told("memory")], [["large"], ["large"]]);
        assert!(told("handed").is_empty());
        // A structure that begins with another is taken for that.
        assert_eq!(told("base"), ["large"]);
    }
}
