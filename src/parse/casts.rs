//! `void *` parameters: the one type that a body casts each to.

use super::nullness::parameter;
use super::variables::key;
use clang::{Entity, EntityKind, Type, TypeKind};

/// The key of a parameter that `entity` makes a pointer to something else of, and what it becomes.
pub(super) fn seen_as(entity: Entity<'_>) -> Option<(String, Type<'_>)> {
    let is_cast = matches!(
        entity.get_kind(),
        EntityKind::CStyleCastExpr
            | EntityKind::StaticCastExpr
            | EntityKind::ReinterpretCastExpr
            // In C it needs no cast.
            | EntityKind::VarDecl
    );
    let ty = entity.get_type().filter(|_| is_cast)?;
    let pointee = ty.get_canonical_type().get_pointee_type()?;
    // Bytes are what any memory is looked at as.
    let is_bytes = matches!(pointee.get_kind(), TypeKind::CharS | TypeKind::CharU | TypeKind::SChar | TypeKind::UChar);
    if is_bytes || matches!(pointee.get_kind(), TypeKind::Void | TypeKind::FunctionPrototype) {
        return None;
    }
    let from = entity.get_children().into_iter().rev().find(|child| child.is_expression())?;
    let from = parameter(from)?;
    let is_void = from.get_type()?.get_canonical_type().get_pointee_type()?.get_kind() == TypeKind::Void;
    Some((key(from)?, ty)).filter(|_| is_void)
}

#[cfg(test)]
mod tests {
    use crate::model::Model;
    use crate::parse::testing::{read_c, read_cpp};

    fn seen(model: &Model) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for function in model.functions.values() {
            let known =
                function.params.iter().filter_map(|p| Some(format!("{} {}", p.name, p.seen_as.as_ref()?.spelling)));
            all.extend(known);
        }
        all.sort();
        all
    }

    #[test]
    fn a_void_pointer_is_what_the_body_takes_it_for() {
        let text = "struct S { int n; };\nint f(void *a, const void *b, void *c, void *d, void *e, int *g) {\n  struct \
            S *s = a;\n  \
            const int *i = (const int *)b;\n  char *bytes = c;\n  struct S *t = d;\n  int *u = d;\n  return s->n + *i \
            + *bytes + t->n + *u\n    \
            + ((struct S *)g)->n + (e != 0) + ((struct S *)a)->n;\n}\n";
        assert_eq!(seen(&read_c(text)), ["a struct S *", "b const int *"]);
        let text = "struct S { int n; };\nint f(void *a, void *b) { return static_cast<S *>(a)->n + \
            *reinterpret_cast<long *>(b); }\n";
        assert_eq!(seen(&read_cpp(text)), ["a S *", "b long *"]);
    }
}
