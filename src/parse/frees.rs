//! Members whose memory a body gives back or moves: `free(item->name)`, `list->data = realloc(list->data, size)`.

use super::nullness::through;
use clang::{Entity, EntityKind};

/// How the names end of functions that do so to their first argument: the C library's (C11 7.22.3), what projects call
/// in their place, and what destroys a part. One that does something else leaves memory behind in a test, and no more.
const FREES: [&str; 7] = ["free", "realloc", "reallocf", "reallocarray", "delete", "destroy", "release"];

/// The member whose memory a call gives back or moves.
pub(super) fn freed_member<'tu>(call: Entity<'tu>, callee: Entity<'tu>) -> Option<Entity<'tu>> {
    let name = callee.get_name()?.to_ascii_lowercase();
    if !FREES.iter().any(|ends| name.ends_with(ends)) {
        return None;
    }
    let first = call.get_arguments()?.into_iter().next()?;
    // (Of an array, each element may be given back.)
    let within =
        [EntityKind::ParenExpr, EntityKind::UnexposedExpr, EntityKind::CStyleCastExpr, EntityKind::ArraySubscriptExpr];
    let at = through(first, &within)?;
    let member = at.get_reference().filter(|_| at.get_kind() == EntityKind::MemberRefExpr)?;
    (member.get_kind() == EntityKind::FieldDecl).then_some(member)
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn a_member_that_a_body_frees_or_reallocates_is_noted() {
        let model = read_c(
            "#include <stdlib.h>\nvoid *xrealloc(void *old, unsigned long n);\n\
             struct item { char *name; int *data; char *kept; };\n\
             void rename(struct item *it, char *name) { free(it->name); it->name = name; it->kept = name; }\n\
             struct list { struct item *all[4]; };\nvoid item_delete(struct item *it);\n\
             void clear(struct list *l, int n) { for (int i = 0; i < n; i++) item_delete(l->all[i]); }\n\
             void grow(struct item *it, unsigned long n) { it->data = (int *)xrealloc((void *)(it->data), n); }\n",
        );
        let of = |unit: &str, class: &str| {
            let function = model.functions.values().find(|f| f.name == unit).expect("it is there");
            let class = model.classes.values().find(|known| known.name == class).expect("it is there");
            let frees = &function.definition.as_ref().expect("it has a body").frees;
            let names = class.fields.iter().filter(|field| frees.contains(&field.usr)).map(|field| field.name.as_str());
            names.collect::<Vec<_>>()
        };
        assert_eq!(of("rename", "item"), ["name"]);
        assert_eq!(of("grow", "item"), ["data"]);
        assert_eq!(of("clear", "list"), ["all"]);
    }
}
