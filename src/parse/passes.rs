//! Members that a body of C passes to functions, which may keep, free or move what they lead to: `free(item->name)`,
//! `item_delete(list->all[i])`.

use super::nullness::through;
use clang::{Entity, EntityKind, TypeKind};

/// What stands around a member without changing it.
const AROUND: [EntityKind; 3] = [EntityKind::ParenExpr, EntityKind::UnexposedExpr, EntityKind::CStyleCastExpr];

/// The members that are pointers, or elements of an array of such, among the arguments of a call, with their places.
pub(super) fn passed<'tu>(arguments: &[Entity<'tu>]) -> Vec<(Entity<'tu>, usize)> {
    let passed = arguments.iter().enumerate().filter_map(|(place, argument)| {
        let at = through(*argument, &AROUND)?;
        let is_element = at.get_kind() == EntityKind::ArraySubscriptExpr;
        let at = if is_element { through(*at.get_children().first()?, &AROUND)? } else { at };
        let member = at.get_reference().filter(|_| at.get_kind() == EntityKind::MemberRefExpr)?;
        (member.get_kind() == EntityKind::FieldDecl && leads_on(member, is_element)).then_some((member, place))
    });
    passed.collect()
}

/// Whether a member is a pointer, or an array of such of which an element is meant.
fn leads_on(member: Entity<'_>, is_element: bool) -> bool {
    let Some(ty) = member.get_type().map(|ty| ty.get_canonical_type()) else { return false };
    let is_array = matches!(ty.get_kind(), TypeKind::ConstantArray | TypeKind::IncompleteArray);
    let leads_to = if is_array { ty.get_element_type().map(|ty| ty.get_canonical_type()) } else { Some(ty) };
    is_array == is_element && leads_to.is_some_and(|ty| ty.get_kind() == TypeKind::Pointer)
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn members_that_lead_somewhere_are_noted_where_a_function_gets_them() {
        let model = read_c(
            "#include <stdlib.h>\nvoid *xrealloc(void *old, unsigned long n);\n\
             struct item { char *name; int *data; char *kept; };\n\
             void rename(struct item *it, char *name) { free(it->name); it->name = name; it->kept = name; }\n\
             struct list { struct item *all[4]; int n; };\nvoid item_delete(int n, struct item *it);\n\
             void clear(struct list *l) { for (int i = 0; i < l->n; i++) item_delete(l->n, l->all[i]); }\n\
             struct names { char **all; };\n\
             void empty(struct names *n) { free(n->all[0]); }\n\
             void grow(struct item *it, unsigned long n) { it->data = (int *)xrealloc((void *)(it->data), n); }\n",
        );
        let of = |unit: &str| {
            let function = model.functions.values().find(|f| f.name == unit).expect("it is there");
            let passes = &function.definition.as_ref().expect("it has a body").passes;
            let name = |usr: &str| usr.rsplit('@').next().unwrap_or_default().to_owned();
            passes
                .iter()
                .map(|(member, to, place)| format!("{} {} {place}", name(member), name(to)))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("rename"), ["name free 0"]);
        assert_eq!(of("grow"), ["data xrealloc 0"]);
        assert_eq!(of("clear"), ["all item_delete 1"]);
        assert_eq!(of("empty"), [""; 0]);
    }
}
