//! Members that a body of C passes to functions, which may keep, free or move what they lead to: `free(item->name)`,
//! `item_delete(list->all[i])`.

use super::nullness::through;
use clang::{Entity, EntityKind, TypeKind};

/// What stands around a member without changing it; of an array, each element may be meant.
const AROUND: [EntityKind; 4] =
    [EntityKind::ParenExpr, EntityKind::UnexposedExpr, EntityKind::CStyleCastExpr, EntityKind::ArraySubscriptExpr];

/// The members that are pointers, or arrays of such, among the arguments of a call, with their places.
pub(super) fn passed<'tu>(arguments: &[Entity<'tu>]) -> impl Iterator<Item = (Entity<'tu>, usize)> {
    let passed = arguments.iter().enumerate().filter_map(|(place, argument)| {
        let at = through(*argument, &AROUND)?;
        let member = at.get_reference().filter(|_| at.get_kind() == EntityKind::MemberRefExpr)?;
        (member.get_kind() == EntityKind::FieldDecl && leads_on(member)).then_some((member, place))
    });
    passed.collect::<Vec<_>>().into_iter()
}

fn leads_on(member: Entity<'_>) -> bool {
    let Some(ty) = member.get_type().map(|ty| ty.get_canonical_type()) else { return false };
    let element = ty.get_element_type().map(|element| element.get_canonical_type());
    element.unwrap_or(ty).get_kind() == TypeKind::Pointer
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
    }
}
