//! Pointers that a body takes for pointers to something else: the types that it casts a parameter to, or a member that
//! is a `void *`.

use super::nullness::{parameter, through};
use super::variables::key;
use clang::{Entity, EntityKind, Type, TypeKind};

/// What a body takes a parameter or a member for.
pub(super) struct Seen<'tu> {
    /// Which pointer.
    pub of: Of<'tu>,
    /// What it becomes.
    pub ty: Type<'tu>,
    /// It is so, whatever was passed: a `void *`, or a structure that every call of the function casts.
    pub for_certain: bool,
}

/// The pointer that a body takes for something.
pub(super) enum Of<'tu> {
    /// The parameter with this key.
    Parameter(String),
    /// A member of a structure.
    Member(Entity<'tu>),
}

/// The parameter or member that `entity`, below `parents`, makes a pointer to something else of.
pub(super) fn seen_as<'tu>(entity: Entity<'tu>, parents: &[Entity<'tu>]) -> Option<Seen<'tu>> {
    let is_cast = matches!(
        entity.get_kind(),
        EntityKind::CStyleCastExpr
            | EntityKind::StaticCastExpr
            | EntityKind::ReinterpretCastExpr
            // In C it needs no cast.
            | EntityKind::VarDecl
            | EntityKind::BinaryOperator
    );
    let ty = entity.get_type().filter(|_| is_cast)?;
    let pointee = ty.get_canonical_type().get_pointee_type()?;
    if matches!(pointee.get_kind(), TypeKind::Void | TypeKind::FunctionPrototype) {
        return None;
    }
    let from = entity.get_children().into_iter().rev().find(|child| child.is_expression())?;
    if let Some(member) = untyped_member(from) {
        return Some(Seen { of: Of::Member(member), ty, for_certain: false });
    }
    // Bytes are what any memory is looked at as; of a parameter, assignments say nothing for certain.
    let is_bytes = matches!(pointee.get_kind(), TypeKind::CharS | TypeKind::CharU | TypeKind::SChar | TypeKind::UChar);
    if is_bytes || entity.get_kind() == EntityKind::BinaryOperator {
        return None;
    }
    let from = parameter(from)?;
    let declared = from.get_type()?.get_canonical_type().get_pointee_type()?;
    let for_certain = match declared.get_kind() {
        TypeKind::Void => true,
        TypeKind::Record if entity.get_kind() != EntityKind::VarDecl && is_within(declared, pointee) => {
            is_always_evaluated(entity, parents)
        }
        _ => return None,
    };
    Some(Seen { of: Of::Parameter(key(from)?), ty, for_certain })
}

/// What a statement returns as a pointer to something else: a pointer to a structure, `return (Handle)made;`. None in
/// it where it returns another pointer; what returns null, or no pointer, is none at all.
pub(super) fn returned(statement: Entity<'_>) -> Option<Option<Type<'_>>> {
    if statement.get_kind() != EntityKind::ReturnStmt {
        return None;
    }
    let value = statement.get_children().into_iter().next()?;
    let is_pointer = value.get_type()?.get_canonical_type().get_kind() == TypeKind::Pointer;
    let mut made = value;
    while matches!(made.get_kind(), EntityKind::ParenExpr | EntityKind::UnexposedExpr | EntityKind::CStyleCastExpr) {
        // (The type that is cast to is a child as well.)
        made = made.get_children().into_iter().rfind(|child| child.is_expression())?;
    }
    let is_null = matches!(made.get_kind(), EntityKind::IntegerLiteral | EntityKind::GNUNullExpr);
    (is_pointer && !is_null).then(|| structure_behind(value, made))
}

/// The pointer to a structure that `made` is, where it stands in `value`, which is a pointer to something else.
fn structure_behind<'tu>(value: Entity<'tu>, made: Entity<'tu>) -> Option<Type<'tu>> {
    let structure = |of: Entity<'_>| {
        let to = of.get_type()?.get_canonical_type().get_pointee_type()?.get_canonical_type();
        to.get_declaration().filter(|_| to.get_kind() == TypeKind::Record)?.get_usr()
    };
    // (Of a place within a structure, what is returned is another thing.)
    let is_named =
        matches!(made.get_kind(), EntityKind::DeclRefExpr | EntityKind::MemberRefExpr | EntityKind::CallExpr);
    let behind = structure(made).filter(|behind| is_named && structure(value).as_ref() != Some(behind))?;
    let is_constant = made.get_type()?.get_canonical_type().get_pointee_type()?.is_const_qualified();
    (!behind.0.is_empty() && !is_constant).then(|| made.get_type()).flatten()
}

/// The member that an expression names, where it is a `void *`.
fn untyped_member(from: Entity<'_>) -> Option<Entity<'_>> {
    let at = through(from, &[EntityKind::ParenExpr, EntityKind::UnexposedExpr])?;
    let member = at.get_reference().filter(|_| at.get_kind() == EntityKind::MemberRefExpr)?;
    let to = member.get_type()?.get_canonical_type().get_pointee_type()?;
    (member.get_kind() == EntityKind::FieldDecl && to.get_kind() == TypeKind::Void).then_some(member)
}

/// Whether an object of one structure can be (the beginning of) one of another: nobody knows what is in it, or there is
/// room for it. C has no other inheritance, and no other way to keep a type to itself.
fn is_within(part: Type<'_>, whole: Type<'_>) -> bool {
    let is_derived = |ty: Type<'_>| {
        let bases = ty.get_declaration().map(|class| class.get_children()).unwrap_or_default();
        bases.iter().any(|child| child.get_kind() == EntityKind::BaseSpecifier)
    };
    let is_another = whole.get_kind() == TypeKind::Record
        && whole.get_declaration().map(|to| to.get_usr()) != part.get_declaration().map(|from| from.get_usr());
    let room = whole.get_sizeof().ok().filter(|_| is_another && !is_derived(whole));
    room.is_some_and(|room| part.get_sizeof().map_or(true, |size| size <= room))
}

/// Whether an expression below these parents is evaluated in every call: it initialises a variable, or is assigned, in
/// a statement of the body, and none before it leaves the body, but for one that looks at no member and calls nothing:
/// that one may ask for null, and not for the kind of an object.
fn is_always_evaluated<'tu>(entity: Entity<'tu>, parents: &[Entity<'tu>]) -> bool {
    let is_assignment = |parent: &Entity<'_>| {
        parent.get_kind() == EntityKind::BinaryOperator
            && parent.get_children().first().is_some_and(|left| left.get_type() == parent.get_type())
    };
    let is_plain = |parent: &Entity<'_>| {
        use EntityKind::{DeclStmt, ParenExpr, UnexposedExpr, VarDecl};
        matches!(parent.get_kind(), VarDecl | DeclStmt | ParenExpr | UnexposedExpr) || is_assignment(parent)
    };
    let Some(at) = parents.iter().rposition(|parent| !is_plain(parent)) else { return false };
    let is_body = parents[at].get_kind() == EntityKind::CompoundStmt
        && at.checked_sub(1).is_some_and(|outer| !parents[outer].is_statement() && !parents[outer].is_expression());
    let statement = parents.get(at + 1).copied().unwrap_or(entity);
    let before = parents[at].get_children().into_iter().take_while(|other| *other != statement);
    is_body && !before.into_iter().any(|other| leaves_by_kind(other))
}

/// Whether a statement may leave the body, or go elsewhere in it, depending on more than the parameters themselves.
fn leaves_by_kind(statement: Entity<'_>) -> bool {
    let any = |kinds: &[EntityKind]| {
        let mut found = kinds.contains(&statement.get_kind());
        statement.visit_children(|child, _| {
            found |= kinds.contains(&child.get_kind());
            if found { clang::EntityVisitResult::Break } else { clang::EntityVisitResult::Recurse }
        });
        found
    };
    any(&[EntityKind::ReturnStmt, EntityKind::GotoStmt, EntityKind::LabelStmt])
        && any(&[EntityKind::MemberRefExpr, EntityKind::CallExpr, EntityKind::SwitchStmt, EntityKind::LabelStmt])
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
    fn a_handle_is_the_structure_that_is_returned_as_it() {
        let model = read_c(
            "struct Hidden; struct Impl { int n; }; struct Other { int n; };\n\
             struct Impl *impl_new(void);\n#define hide(it) ((struct Hidden *)(it))\n\
             struct Hidden *one(void) { struct Impl *it = impl_new(); if (!it) return 0; return hide(it); }\n\
             void *two(void) { struct Impl *it = impl_new(); return it; }\n\
             struct Impl *same(void) { return impl_new(); }\n\
             void *both(int n) { static struct Other o; if (n) return impl_new(); return &o; }\n\
             void *behind(void) { struct Impl *it = impl_new(); return it + 1; }\n\
             long number(void) { return (long)impl_new(); }\nconst char *text(void) { return \"a\"; }\n",
        );
        let mut all: Vec<String> = Vec::new();
        for function in model.functions.values() {
            let returns = function.definition.as_ref().and_then(|body| body.returns.as_ref());
            all.extend(returns.map(|ty| format!("{} {}", function.name, ty.spelling)));
        }
        all.sort();
        assert_eq!(all, ["one struct Impl *", "two struct Impl *"]);
    }

    #[test]
    fn a_void_pointer_is_what_the_body_takes_it_for() {
        let text = "struct S { int n; };\nint f(void *a, const void *b, void *c, void *d, void *e, int *g) {\n  struct \
            S *s = a;\n  \
            const int *i = (const int *)b;\n  char *bytes = c;\n  struct S *t = d;\n  int *u = d;\n  return s->n + *i \
            + *bytes + t->n + *u\n    \
            + ((struct S *)g)->n + (e != 0) + ((struct S *)a)->n;\n}\n";
        assert_eq!(seen(&read_c(text)), ["a struct S *", "b const int *"]);
        let text = "struct Base { int n; };\nstruct Inner { struct Base base; int more; };\nstruct Big { int n[9]; };\n\
            struct Hidden;\ntypedef struct Known { int n; } Known;\n\
            int g(struct Base *a, struct Base *b) {\n  if (!b) return 0;\n  if (a->n) return 1;\n  \
            struct Inner *x = (struct Inner *)a;\n  return x->more;\n}\n\
            int h(struct Base *k) {\n  if (!k) return 0;\n  struct Inner *x = (struct Inner *)k;\n  \
            return x->more;\n}\n\
            int f(struct Base *a, struct Hidden *b, struct Base *c, struct Base *d, struct Big *e, struct Base *g)\n\
            {\n  \
            struct Inner *self = (struct Inner *)a;\n  Known *known;\n  known = (Known *)b;\n  \
            struct Base *same = (struct Base *)g;\n  struct Known *small = (struct Known *)e;\n  \
            if (c) return ((struct Inner *)c)->more;\n  struct Inner *one = (struct Inner *)d;\n  \
            return self->more + known->n + one->more + same->n + small->n + ((struct Known *)d)->n;\n}\n";
        assert_eq!(seen(&read_c(text)), ["a struct Inner *", "b Known *", "k struct Inner *"]);
        let text = "struct S { int n; };\nint f(void *a, void *b) { return static_cast<S *>(a)->n + \
            *reinterpret_cast<long *>(b); }\n";
        assert_eq!(seen(&read_cpp(text)), ["a S *", "b long *"]);
    }
}
