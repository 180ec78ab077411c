//! Which pointers among a function's parameters its body compares with null: what it is prepared for.

use super::literals::integer;
use super::variables::canonical_kind;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Model, Param, Usr};
use clang::{Entity, EntityKind, TypeKind};

/// The parameter of which `entity` asks whether it is null; none for all else. `first` tells the byte of the source
/// that an expression begins with.
pub(super) fn tested<'tu>(entity: Entity<'tu>, first: impl FnOnce() -> Option<u8>) -> Option<Entity<'tu>> {
    let children = || entity.get_children();
    match entity.get_kind() {
        // C++ has a conversion to bool wherever a pointer is a condition.
        EntityKind::UnexposedExpr if entity.get_type().is_some_and(|ty| ty.get_kind() == TypeKind::Bool) => {
            pointer(*children().first()?)
        }
        EntityKind::IfStmt | EntityKind::WhileStmt | EntityKind::DoStmt | EntityKind::ForStmt => {
            children().into_iter().filter(|child| child.is_expression()).find_map(pointer)
        }
        EntityKind::ConditionalOperator => pointer(*children().first()?),
        EntityKind::UnaryOperator => {
            let of = *children().first()?;
            pointer(of).filter(|_| first() == Some(b'!'))
        }
        EntityKind::BinaryOperator => {
            let [left, right] = children()[..] else { return None };
            match (pointer(left), pointer(right)) {
                (Some(found), None) if is_null(right) || is_truth(entity) => Some(found),
                (None, Some(found)) if is_null(left) || is_truth(entity) => Some(found),
                _ => None,
            }
        }
        // Smart pointers say it themselves: `if (p)`, `!p`, `p == nullptr`.
        EntityKind::CallExpr => {
            let parts = children();
            match entity.get_name().as_deref() {
                Some("operator bool" | "operator!") => smart(*parts.first()?),
                Some(name)
                    if parts.len() == 1 && is_asked_by(name) && canonical_kind(entity) == Some(TypeKind::Bool) =>
                {
                    smart(parts[0])
                }
                Some("operator==" | "operator!=") if parts.iter().any(|part| is_null(*part)) => {
                    parts.iter().find_map(|part| smart(*part))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an expression that names a parameter is an argument, with these around it, outermost first.
pub(super) fn is_argument<'tu>(name: Entity<'tu>, parents: &[Entity<'tu>]) -> bool {
    let mut inner = name;
    for parent in parents.iter().rev() {
        match parent.get_kind() {
            EntityKind::ParenExpr | EntityKind::UnexposedExpr => inner = *parent,
            // (A call through a pointer tells of no function.)
            EntityKind::CallExpr => {
                let is_function = |callee: Entity<'_>| super::names::is_function(callee.get_kind());
                // (Where a variable is declared, libclang's arguments of a call are not equal to its children.)
                let is_it =
                    |arg: &Entity<'_>| arg.get_kind() == inner.get_kind() && arg.get_range() == inner.get_range();
                return parent.get_reference().is_some_and(is_function)
                    && parent.get_arguments().is_some_and(|args| args.iter().any(is_it));
            }
            _ => return false,
        }
    }
    false
}

/// A function that only passes a pointer on is prepared for null where all are that it passes it to.
pub(super) fn hand_on(model: &mut Model) {
    loop {
        let is_tested = |(callee, place): &(Usr, usize)| {
            model.functions.get(callee).and_then(|callee| callee.params.get(*place)).is_some_and(|param| param.tested)
        };
        let is_prepared = |param: &Param| {
            !param.tested && param.is_passed_on && !param.handed_to.is_empty() && param.handed_to.iter().all(is_tested)
        };
        let functions = model.functions.values();
        let prepared: Vec<(Usr, usize)> = functions
            .flat_map(|function| {
                let params = function.params.iter().enumerate().filter(|(_, param)| is_prepared(param));
                params.map(|(place, _)| (function.usr.clone(), place))
            })
            .collect();
        if prepared.is_empty() {
            return;
        }
        for (usr, place) in prepared {
            model.functions.entry(usr).and_modify(|function| function.params[place].tested = true);
        }
    }
}

/// Whether a smart pointer's method of this name tells whether it leads anywhere: `isNull`, `valid`, `has_value`.
fn is_asked_by(name: &str) -> bool {
    Lexicon::default().says(name, Role::TellsEmptiness)
}

/// Through cursors of these kinds to what they are about.
pub(super) fn through<'tu>(entity: Entity<'tu>, kinds: &[EntityKind]) -> Option<Entity<'tu>> {
    let mut at = entity;
    while kinds.contains(&at.get_kind()) {
        at = *at.get_children().first()?;
    }
    Some(at)
}

/// A parameter that is a pointer, or one that is smart and whose pointer is taken from it: `p.get()`.
fn pointer(entity: Entity<'_>) -> Option<Entity<'_>> {
    let at = through(entity, &[EntityKind::ParenExpr, EntityKind::UnexposedExpr])?;
    match (at.get_kind(), &at.get_children()[..]) {
        (EntityKind::CallExpr, &[member])
            if member.get_kind() == EntityKind::MemberRefExpr && canonical_kind(at) == Some(TypeKind::Pointer) =>
        {
            smart(member)
        }
        _ => parameter(entity),
    }
}

/// Through the member that is called to a parameter that is an object, or a reference to one.
fn smart(entity: Entity<'_>) -> Option<Entity<'_>> {
    let around = [EntityKind::ParenExpr, EntityKind::UnexposedExpr, EntityKind::MemberRefExpr];
    let at = through(entity, &around)?;
    let target = at.get_reference().filter(|_| at.get_kind() == EntityKind::DeclRefExpr)?;
    let ty = target.get_type()?.get_canonical_type();
    let object = match ty.get_kind() {
        TypeKind::LValueReference | TypeKind::RValueReference => ty.get_pointee_type()?,
        _ => ty,
    };
    (target.get_kind() == EntityKind::ParmDecl && object.get_kind() == TypeKind::Record).then_some(target)
}

/// Through parentheses and conversions to a parameter that is a pointer.
pub(super) fn parameter(entity: Entity<'_>) -> Option<Entity<'_>> {
    let at = through(entity, &[EntityKind::ParenExpr, EntityKind::UnexposedExpr])?;
    let target = at.get_reference().filter(|_| at.get_kind() == EntityKind::DeclRefExpr)?;
    let is_pointer = || target.get_type().is_some_and(|ty| ty.get_canonical_type().get_pointee_type().is_some());
    (target.get_kind() == EntityKind::ParmDecl && is_pointer()).then_some(target)
}

pub(super) fn is_null(entity: Entity<'_>) -> bool {
    match entity.get_kind() {
        EntityKind::NullPtrLiteralExpr | EntityKind::GNUNullExpr => true,
        EntityKind::IntegerLiteral => integer(entity) == Some(0),
        EntityKind::ParenExpr | EntityKind::UnexposedExpr | EntityKind::CStyleCastExpr => {
            entity.get_children().into_iter().find(Entity::is_expression).is_some_and(is_null)
        }
        _ => false,
    }
}

/// C has no conversion: `p && n`.
fn is_truth(entity: Entity<'_>) -> bool {
    let kind = entity.get_type().map(|ty| ty.get_kind());
    let sides = entity.get_children();
    let pointers = sides.iter().filter(|side| side.get_type().is_some_and(|ty| ty.get_pointee_type().is_some()));
    matches!(kind, Some(TypeKind::Int | TypeKind::Bool)) && pointers.count() == 1
}

#[cfg(test)]
mod tests {
    use crate::model::{Function, Model};
    use crate::parse::testing::{read_c, read_cpp};

    /// The names of the parameters that the functions test, in the order of the source.
    fn tested(model: &Model) -> Vec<String> {
        let mut functions: Vec<&Function> = model.functions.values().filter(|f| f.definition.is_some()).collect();
        functions.sort_by_key(|f| f.definition.as_ref().map(|d| d.extent.start));
        let names = functions.iter().flat_map(|f| f.params.iter().filter(|p| p.tested).map(|p| p.name.clone()));
        names.collect()
    }

    #[test]
    fn what_is_compared_with_null_in_any_form_is_found_and_what_is_only_used_is_not() {
        let text = "int f(int *a, int *b, int *c, int *d, int *used, int n) {\n  if (a) return 1;\n  \
                    if (!b || c == nullptr) return 2;\n  if (!n || *used == 0) return n;\n  return d != 0 ? *d : *used \
                    + used[n];\n}\n\
                    int g(const char *e, const char *end, int *h) { return e == end ? 0 : (h) ? 1 : -*h; }\n";
        assert_eq!(tested(&read_cpp(text)), ["a", "b", "c", "d", "h"]);
    }

    #[test]
    fn who_only_passes_a_pointer_on_is_prepared_for_null_where_all_are_that_get_it() {
        let text = "int inner(const char *name, int n) { return name ? n : 0; }\nint length(const char *used);\n\
                    int length(const char *used) { return used[0]; }\n\
                    int outer(const char *a) { return inner(a, 1); }\nint most(const char *b) { return outer((b)); }\n\
                    int both(const char *used) { return inner(used, 1) + length(used); }\n\
                    int first(const char *used) { return inner(used, 1) + used[0]; }\n\
                    int kept(const char *c) { int n = inner(c, 1); if (n) n = 2; return n; }\n\
                    static int (*hook)(const char *);\n\
                    int hooked(const char *used) { return inner(used, 1) + hook(used); }\n";
        assert_eq!(tested(&read_c(text)), ["name", "a", "b", "c"]);
        assert_eq!(tested(&read_cpp(text)), ["name", "a", "b", "c"]);
    }

    #[test]
    fn smart_pointers_are_asked_by_their_operators() {
        let text = "#include <memory>\n#include <string>\ntemplate <class T> struct Ref { T *p; explicit operator \
            bool() const; T *operator->() const; };\n\
                    int f(const std::shared_ptr<int> &a, std::unique_ptr<int> b, Ref<int> c, const Ref<int> &d, \
                    std::shared_ptr<int> used, const std::string &s) {\n  \
                    if (a) return 1;\n  if (!b || c) return 2;\n  while (d) return 3;\n  return *used + (s == \"x\" ? \
                    1 : 0);\n}\n\
                    int g(const std::shared_ptr<int> &e, std::unique_ptr<int> h) { return e == nullptr ? 0 : h != \
                    nullptr ? *h : 1; }\n";
        assert_eq!(tested(&read_cpp(text)), ["a", "b", "c", "d", "e", "h"]);
    }

    #[test]
    fn smart_pointers_are_asked_by_what_they_hand_out_and_by_their_own_methods() {
        let text = "#include <memory>\nstruct Node { Node *next() const; bool isValid() const; };\n\
                    template <class T> struct Ref { T *p; T *get() const; bool isNull() const; bool unique() const; T \
                    *operator->() const; };\n\
                    int f(const std::shared_ptr<int> &a, std::unique_ptr<int> b, Ref<int> c, const Ref<int> &d, \
                    Ref<Node> used, Ref<int> one) {\n  \
                    if (a.get() == nullptr) return 1;\n  if (!b.get() || c.isNull()) return 2;\n  while (d.get()) \
                    return 3;\n  \
                    return used->next() == nullptr || used->isValid() || one.unique() ? 4 : *one.get();\n}\n";
        assert_eq!(tested(&read_cpp(text)), ["a", "b", "c", "d"]);
    }

    #[test]
    fn c_has_no_conversion_to_bool() {
        let text = "#include <stddef.h>\nint f(int *a, int *b, int *c, int *d, int *e, int *used, int n) {\n  \
                    if (a) return 1;\n  while (!b) n++;\n  if (c == NULL || n) return 2;\n  if (d && n) return 3;\n  \
                    return e ? *used : -*used + (used - a > 3);\n}\n";
        assert_eq!(tested(&read_c(text)), ["a", "b", "c", "d", "e"]);
    }
}
