//! Which members of large structures a body names, and which of those structures it takes as a whole.

use crate::model::{BEHIND, LARGE, Usr};
use clang::source::SourceLocation;
use clang::{Entity, EntityKind, Type, TypeKind};

/// The data member that an expression names.
pub(super) fn named(entity: Entity<'_>) -> Option<String> {
    let reference = (entity.get_kind() == EntityKind::MemberRefExpr).then(|| entity.get_reference())?;
    reference.filter(|target| target.get_kind() == EntityKind::FieldDecl)?.get_name()
}

/// The data member that an initialiser of a constructor gives a value.
pub(super) fn initialized(entity: Entity<'_>) -> Option<String> {
    let reference = (entity.get_kind() == EntityKind::MemberRef).then(|| entity.get_reference())?;
    reference.filter(|target| target.get_kind() == EntityKind::FieldDecl)?.get_name()
}

/// The data members that an expression may change: it assigns to one, counts it up or down, calls a method of it that
/// is not `const`, or hands it to something that may.
pub(super) fn changed<'tu>(
    entity: Entity<'tu>,
    mut between: impl FnMut(Option<SourceLocation<'tu>>, Option<SourceLocation<'tu>>) -> Option<String>,
) -> Vec<String> {
    let start = |of: Entity<'tu>| Some(of.get_range()?.get_start());
    let end = |of: Entity<'tu>| Some(of.get_range()?.get_end());
    let children = entity.get_children();
    match (entity.get_kind(), &children[..]) {
        (EntityKind::CompoundAssignOperator, [left, ..]) => places(*left),
        (EntityKind::BinaryOperator, [left, right]) => {
            let assigns = between(end(*left), start(*right)).is_some_and(|operator| operator.trim() == "=");
            if assigns { places(*left) } else { Vec::new() }
        }
        (EntityKind::UnaryOperator, [of]) => {
            let operator = [between(start(entity), start(*of)), between(end(*of), end(entity))];
            let changes = operator.iter().flatten().any(|text| matches!(text.trim(), "++" | "--" | "&"));
            if changes { places(*of) } else { Vec::new() }
        }
        (EntityKind::CallExpr, [callee, ..]) => called(entity, *callee).into_iter().flat_map(places).collect(),
        // `int &rate = rate_;`, `for (int &cell : cells_)`: it may change by that name.
        (EntityKind::VarDecl, [.., from]) if leads_to_change(entity) => places(*from),
        (EntityKind::ForRangeStmt, [.., from, _]) if children.iter().any(|child| leads_to_change(*child)) => {
            places(*from)
        }
        _ => Vec::new(),
    }
}

/// The data members that the condition of `if`, `while`, `do`, `switch` or `? :` asks for.
pub(super) fn asked(entity: Entity<'_>) -> Vec<String> {
    let children = || entity.get_children().into_iter();
    let condition = match entity.get_kind() {
        EntityKind::IfStmt | EntityKind::WhileStmt | EntityKind::SwitchStmt => children().find(Entity::is_expression),
        EntityKind::ConditionalOperator => children().next(),
        EntityKind::DoStmt => children().rfind(Entity::is_expression),
        _ => None,
    };
    let mut found = Vec::new();
    let mut open: Vec<Entity<'_>> = condition.into_iter().collect();
    while let Some(part) = open.pop() {
        found.extend(named(part));
        open.extend(part.get_children());
    }
    found
}

/// Whether an assignment puts its place back to nothing: `open = false`, `count = 0`, `next = nullptr`.
pub(super) fn puts_back<'tu>(
    entity: Entity<'tu>,
    between: impl FnOnce(SourceLocation<'tu>, SourceLocation<'tu>) -> Option<String>,
) -> bool {
    let [_, right] = entity.get_children()[..] else { return false };
    let right = super::nullness::through(right, &[EntityKind::ParenExpr, EntityKind::UnexposedExpr]).unwrap_or(right);
    let is_false =
        || right.get_range().and_then(|at| between(at.get_start(), at.get_end())).is_some_and(|it| it == "false");
    entity.get_kind() == EntityKind::BinaryOperator
        && (super::nullness::is_null(right) || right.get_kind() == EntityKind::BoolLiteralExpr && is_false())
}

/// Whether a variable is a reference or a pointer through which something can be changed.
fn leads_to_change(variable: Entity<'_>) -> bool {
    let to = variable.get_type().and_then(|ty| ty.get_canonical_type().get_pointee_type());
    variable.get_kind() == EntityKind::VarDecl && to.is_some_and(|to| !to.is_const_qualified())
}

/// The data member that a call goes through: `parser->processor(parser)`, `(*parser->processor)(parser)`.
pub(super) fn called_through(call: Entity<'_>) -> Option<Entity<'_>> {
    const AROUND: [EntityKind; 3] = [EntityKind::ParenExpr, EntityKind::UnexposedExpr, EntityKind::UnaryOperator];
    let callee = super::nullness::through(*call.get_children().first()?, &AROUND)?;
    let member = callee.get_reference().filter(|_| callee.get_kind() == EntityKind::MemberRefExpr)?;
    Some(member).filter(|member| member.get_kind() == EntityKind::FieldDecl)
}

/// A data member, and the number that an expression compares it with: `message->length != 460`.
pub(super) fn compared<'tu>(
    entity: Entity<'tu>,
    mut between: impl FnMut(Option<SourceLocation<'tu>>, Option<SourceLocation<'tu>>) -> Option<String>,
) -> Option<(Entity<'tu>, i64)> {
    if entity.get_kind() != EntityKind::BinaryOperator {
        return None;
    }
    let [left, right] = entity.get_children()[..] else { return None };
    let member = |mut side: Entity<'tu>| {
        while matches!(side.get_kind(), EntityKind::UnexposedExpr | EntityKind::ParenExpr) {
            side = side.get_child(0)?;
        }
        let field = (side.get_kind() == EntityKind::MemberRefExpr).then(|| side.get_reference())?;
        field.filter(|field| field.get_kind() == EntityKind::FieldDecl)
    };
    let (field, other) = member(left).map(|field| (field, right)).or_else(|| Some((member(right)?, left)))?;
    let operator = between(Some(left.get_range()?.get_end()), Some(right.get_range()?.get_start()))?;
    let is_asked = ["==", "!=", "<", "<=", ">", ">="].contains(&operator.trim());
    let number = is_asked.then(|| super::literals::integer(other))??;
    Some((field, i64::try_from(number).ok()?))
}

/// The receiver and the arguments of a call that it may change.
fn called<'tu>(call: Entity<'tu>, callee: Entity<'tu>) -> Vec<Entity<'tu>> {
    // In a template nobody knows yet what is called.
    let Some(function) = call.get_reference() else { return callee.get_child(0).into_iter().collect() };
    let mut args = call.get_arguments().unwrap_or_default().into_iter();
    let mut found = Vec::new();
    if function.get_kind() == EntityKind::Method && !function.is_static_method() {
        // An operator that is a method has its receiver among the arguments.
        let is_operator = function.get_name().is_some_and(|name| name.starts_with("operator"));
        let receiver = if is_operator { args.next() } else { callee.get_child(0) };
        found.extend(receiver.filter(|_| !function.is_const_method()));
    }
    let params = function.get_arguments().unwrap_or_default();
    let may_change = |param: &Entity<'_>| {
        let to = param.get_type().and_then(|ty| ty.get_canonical_type().get_pointee_type());
        to.is_some_and(|to| !to.is_const_qualified())
    };
    found.extend(args.zip(params).filter(|(_, param)| may_change(param)).map(|(arg, _)| arg));
    found
}

/// The member of the object at hand that an expression is a part of, and what of those behind pointers: `a` of
/// `a.b[1]`, `impl` and `impl->level` of `impl->level`.
fn places(entity: Entity<'_>) -> Vec<String> {
    let inner = match entity.get_kind() {
        EntityKind::CallExpr => entity.get_arguments().and_then(|args| args.first().copied()),
        _ => entity.get_child(0),
    };
    let mut found = inner.map(places).unwrap_or_default();
    match found.last() {
        None => found.extend(named(entity)),
        // (What `at(index_)` yields is no part of `index_`.)
        Some(to) if inner.is_none_or(|inner| inner.get_kind() != EntityKind::CallExpr || is_pointer(inner)) => {
            found.extend(named(entity).map(|name| format!("{to}{BEHIND}{name}")));
        }
        Some(_) => {}
    }
    found
}

fn is_pointer(of: Entity<'_>) -> bool {
    of.get_type().and_then(|ty| ty.get_canonical_type().get_pointee_type()).is_some()
}

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
    fn it_is_known_which_members_a_body_names_and_which_of_them_it_may_change() {
        let source = "struct Map { int &operator[](int); int at(int) const; void clear(); };\n\
            struct Part { int a[3]; }; void fill(int *to, const int *from);\n\
            struct Box { Map map; Part part; int up, down, read, to[2], from[2]; bool is; mutable int seen;\n\
              void assigns() { map[1] = read; part.a[0] = read; }\n\
              void counts() { ++up; down--; is = !is; if (!is) up += -read; }\n\
              int reads() const { return map.at(read) - part.a[1] * -up; }\n\
              void calls() { map.clear(); fill(to, from); Part *p = &part; p->a[0] = read; }\n\
              int asks() { if (part.a[0] > 1) down = read; return up ? read : is && read; do ; while (!is); }\n\
              void opens() { up = 0; down = (0); is = true; behind = nullptr; seen = up = false;\n\
                read = 0; is = false; }\n\
              Part *behind; void leads() { behind->a[0] = read; (*behind).a[1] = 1; }\n\
              void refers() { int &r = read; r = 1; for (int &x : to) x = up; const int &c = down; up = c; } };\n\
            template <class T> struct Stack { T items; int n; void push(int v) { items.push_back(v); } };";
        let model = crate::parse::testing::read_cpp(source);
        let told = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            let definition = function.definition.as_ref().unwrap();
            let list = |names: &std::collections::BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
            (list(&definition.members), list(&definition.changes))
        };
        assert_eq!(told("assigns"), ("a map part read".into(), "map part part->a".into()));
        assert_eq!(told("counts"), ("down is read up".into(), "down is up".into()));
        assert_eq!(told("reads"), ("a map part read up".into(), String::new()));
        assert_eq!(told("calls"), ("a from map part read to".into(), "a map part to".into()));
        assert_eq!(told("refers").1, "read to up");
        assert_eq!(told("leads").1, "behind behind->a");
        let asks = model.functions.values().find(|f| f.name == "asks").unwrap().definition.as_ref().unwrap();
        assert_eq!(asks.asked.iter().map(String::as_str).collect::<Vec<_>>(), ["a", "is", "part", "up"]);
        let opens = model.functions.values().find(|f| f.name == "opens").unwrap().definition.as_ref().unwrap();
        assert_eq!(opens.changes.len(), 6);
        assert_eq!(opens.sets.iter().map(String::as_str).collect::<Vec<_>>(), ["is", "seen"]);
        assert_eq!(told("push"), ("items".into(), "items".into()));
    }

    #[test]
    fn it_is_known_which_numbers_a_body_compares_a_member_with() {
        let model = read_c(
            "enum { HEAD = 28 };\nstruct message { int length; char flag; } m;\n\
             int ask(struct message *m) { int n = 7; m->length = 9;\n\
             return 460 != m->length || (m->length) < HEAD + 220 || m->flag == 'A' || m->length == n || n > 3; }\n",
        );
        let ask = model.functions.values().find(|f| f.name == "ask").unwrap();
        let compared = &ask.definition.as_ref().unwrap().compared;
        let all: Vec<Vec<i64>> = compared.values().map(|numbers| numbers.iter().copied().collect()).collect();
        assert_eq!(all, [vec![65], vec![248, 460]]);
    }

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
