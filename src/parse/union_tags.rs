//! Which member of a union is alive, as bodies show it: `if (it->type == TEXT) use(it->value.text)` says that it is
//! `text` where `type` is `TEXT`.

use super::literals::integer;
use super::operands::{Between, bare};
use crate::model::{UnionTag, Usr};
use clang::{Entity, EntityKind};
use std::collections::BTreeSet;

/// So many statements around a member are looked at.
const AROUND: usize = 12;
/// What a `switch` is about that is about no member.
const OTHER: &str = "-";

/// A member of a union that is a named member itself.
pub(super) struct OfUnion<'tu> {
    /// The member that is the union.
    pub union: Usr,
    /// The object that has it, as the body names it; none for the object that a method is called on.
    object: Option<Entity<'tu>>,
    /// The name of the member of the union.
    member: String,
}

/// The member of a union that an expression names.
pub(super) fn of_union(entity: Entity<'_>) -> Option<OfUnion<'_>> {
    let field = field(entity)?;
    if field.get_semantic_parent()?.get_kind() != EntityKind::UnionDecl {
        return None;
    }
    let union = bare(*entity.get_children().first()?);
    let object = union.get_children().first().copied();
    let union = self::field(union)?;
    union.get_name()?;
    Some(OfUnion { union: union.get_usr()?.0, object, member: field.get_name()? })
}

impl<'tu> OfUnion<'tu> {
    /// What `entity`, which names it, below `parents`, shows of the union.
    pub fn tags(
        &self,
        entity: Entity<'tu>,
        parents: &[Entity<'tu>],
        between: &mut Between<'_, 'tu>,
    ) -> BTreeSet<UnionTag> {
        let mut reader = Reader { object: self.object, between };
        let (mut found, mut child) = (Vec::new(), entity);
        for around in parents.iter().rev().take(AROUND) {
            // What is written was not alive before.
            if is_written(*around, child, reader.between) || reader.around(*around, child, &mut found) {
                break;
            }
            child = *around;
        }
        // (A `case` of something else.)
        found.retain(|(tag, _): &(String, i64)| !tag.is_empty() && tag != OTHER);
        let tagged = |(tag, value)| UnionTag { tag, value, member: self.member.clone() };
        found.into_iter().map(tagged).collect()
    }
}

/// The member that an expression names.
fn field(entity: Entity<'_>) -> Option<Entity<'_>> {
    if entity.get_kind() != EntityKind::MemberRefExpr {
        return None;
    }
    entity.get_reference().filter(|target| target.get_kind() == EntityKind::FieldDecl)
}

struct Reader<'r, 'b, 'tu> {
    /// The object that has the union.
    object: Option<Entity<'tu>>,
    between: &'r mut Between<'b, 'tu>,
}

impl<'tu> Reader<'_, '_, 'tu> {
    /// What a statement or an expression says of its part; true where what is around that says nothing of it.
    fn around(&mut self, around: Entity<'tu>, part: Entity<'tu>, found: &mut Vec<(String, i64)>) -> bool {
        let children = around.get_children();
        match (around.get_kind(), &children[..]) {
            (EntityKind::IfStmt | EntityKind::ConditionalOperator, [condition, then, ..]) if *then == part => {
                found.extend(self.alone(*condition, "==", "&&"));
            }
            (EntityKind::IfStmt | EntityKind::ConditionalOperator, [condition, _, otherwise]) if *otherwise == part => {
                found.extend(self.alone(*condition, "!=", "||"));
            }
            (EntityKind::BinaryOperator, [left, right]) if *right == part => {
                match (self.between)(*left, *right).as_deref().map(str::trim) {
                    Some("&&") => found.extend(self.alone(*left, "==", "&&")),
                    Some("||") => found.extend(self.alone(*left, "!=", "||")),
                    _ => {}
                }
            }
            (EntityKind::CompoundStmt, statements) => {
                let before = statements.iter().take_while(|statement| **statement != part);
                let before: Vec<_> = before.copied().filter(|_| !is_label(&part)).collect();
                for statement in before.into_iter().rev() {
                    if self.changes(statement) {
                        return true;
                    }
                    // What stands behind a `case` is beside it.
                    if is_label(&statement) {
                        found.extend(case(statement));
                        break;
                    }
                    // `if (it->type != TEXT) return NULL;`
                    if let (EntityKind::IfStmt, [condition, then]) =
                        (statement.get_kind(), &statement.get_children()[..])
                        && leaves(*then)
                    {
                        found.extend(self.alone(*condition, "!=", "||"));
                    }
                }
            }
            (EntityKind::LabelStmt, _) => return true,
            (EntityKind::CaseStmt, _) => found.extend(case(around)),
            (EntityKind::SwitchStmt, [of, ..]) => {
                // The values of its cases were found without a name.
                let tag = self.tag(*of);
                let open = found.iter_mut().filter(|(name, _)| name.is_empty());
                open.for_each(|(name, _)| *name = tag.clone().unwrap_or_else(|| OTHER.to_owned()));
            }
            _ => {}
        }
        false
    }

    /// Whether a statement sets a member beside the union, or a variable that leads to the object.
    fn changes(&mut self, statement: Entity<'tu>) -> bool {
        let children = statement.get_children();
        let sets = match (statement.get_kind(), &children[..]) {
            (EntityKind::BinaryOperator, [left, right]) => {
                let is_set = (self.between)(*left, *right).is_some_and(|text| text.trim() == "=");
                let leads_on = || self.object.is_some_and(|object| is_part(object, *left));
                is_set && (self.tag(*left).is_some() || leads_on())
            }
            _ => false,
        };
        sets || children.into_iter().any(|child| self.changes(child))
    }

    /// The comparison by `how` that an expression is, or that is one of several which `joined` joins.
    fn alone(&mut self, condition: Entity<'tu>, how: &str, joined: &str) -> Vec<(String, i64)> {
        let condition = bare(condition);
        let children = condition.get_children();
        let [left, right] = children[..] else { return Vec::new() };
        if condition.get_kind() != EntityKind::BinaryOperator {
            return Vec::new();
        }
        let text = (self.between)(left, right);
        match text.as_deref().map(str::trim) {
            Some(text) if text == joined => [left, right].map(|side| self.alone(side, how, joined)).concat(),
            Some(text) if text == how => {
                let sides = [(left, right), (right, left)].into_iter();
                let mut told = sides.filter_map(|(of, with)| Some((self.tag(of)?, constant(with)?)));
                told.next().into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The member beside the union that an expression is.
    fn tag(&self, entity: Entity<'tu>) -> Option<String> {
        let entity = bare(entity);
        let field = field(entity)?;
        let is_same = match (entity.get_children().first(), self.object) {
            (Some(one), Some(other)) => is_same(*one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_same.then(|| field.get_name())?
    }
}

/// Whether an expression is written to, as the part of another.
fn is_written<'tu>(around: Entity<'tu>, part: Entity<'tu>, between: &mut Between<'_, 'tu>) -> bool {
    let children = around.get_children();
    let ([left, right], EntityKind::BinaryOperator) = (&children[..], around.get_kind()) else { return false };
    *left == part && between(*left, *right).is_some_and(|text| text.trim() == "=")
}

/// Whether an expression names an object, or is a part of its name.
fn is_part(of: Entity<'_>, part: Entity<'_>) -> bool {
    let of = bare(of);
    is_same(of, part) || of.get_children().into_iter().any(|child| is_part(child, part))
}

/// Whether two expressions name the same object.
fn is_same(one: Entity<'_>, other: Entity<'_>) -> bool {
    let (one, other) = (bare(one), bare(other));
    let is_path = matches!(
        one.get_kind(),
        EntityKind::DeclRefExpr
            | EntityKind::MemberRefExpr
            | EntityKind::ArraySubscriptExpr
            | EntityKind::UnaryOperator
    );
    let (parts, others) = (one.get_children(), other.get_children());
    is_path
        && one.get_kind() == other.get_kind()
        && one.get_reference() == other.get_reference()
        && parts.len() == others.len()
        && parts.iter().zip(&others).all(|(one, other)| is_same(*one, *other))
}

fn is_label(statement: &Entity<'_>) -> bool {
    matches!(statement.get_kind(), EntityKind::CaseStmt | EntityKind::DefaultStmt | EntityKind::LabelStmt)
}

/// The value of a `case`, without what is compared with it.
fn case(statement: Entity<'_>) -> Option<(String, i64)> {
    let is_case = statement.get_kind() == EntityKind::CaseStmt;
    let value = statement.get_children().first().copied().filter(|_| is_case)?;
    Some((String::new(), constant(value)?))
}

/// Whether control does not come past a statement.
fn leaves(statement: Entity<'_>) -> bool {
    match statement.get_kind() {
        EntityKind::ReturnStmt | EntityKind::ContinueStmt | EntityKind::BreakStmt | EntityKind::GotoStmt => true,
        EntityKind::CompoundStmt => statement.get_children().last().is_some_and(|last| leaves(*last)),
        _ => false,
    }
}

/// A number, or an enumerator.
fn constant(entity: Entity<'_>) -> Option<i64> {
    let entity = bare(entity);
    let enumerator = entity.get_reference().filter(|target| target.get_kind() == EntityKind::EnumConstantDecl);
    match enumerator {
        Some(enumerator) => enumerator.get_enum_constant_value().map(|(signed, _)| signed),
        None => i64::try_from(integer(entity)?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn bodies_say_which_member_of_a_union_is_alive() {
        let model = read_c(
            "enum kind { NONE, TEXT, NUMBER, LIST, PAIR };\n\
             struct node { enum kind kind; int line; \
             union { char *text; int number; struct node *first; double x; } as; };\n\
             const char *text(struct node *it) { return it && it->kind == TEXT ? it->as.text : 0; }\n\
             int number(struct node *it) { if (!it || it->kind != NUMBER) return 0; return it->as.number; }\n\
             int any(struct node *it) {\n  switch (it->kind) {\n    case LIST:\n      it->line++;\n\
             return it->as.first != 0;\n    case PAIR: return it->as.x > 1;\n    default: return it->as.number; }\n}\n\
             int next(struct node *it) { return it->kind == LIST && it->as.first->kind == NUMBER ? \
             it->as.first->as.number : 0; }\n\
             double x(struct node *it) { return it->kind == PAIR && it->line ? it->as.x : 0; }\n\
             int odd(struct node *it) { return it->kind == NONE ? it->as.text != 0 : it->as.x > 1; }\n\
             int even(struct node *it) { return it->kind == NONE ? it->as.number : 1; }\n\
             void fill(struct node *it) { if (it->kind == LIST) { it->kind = TEXT; it->as.text = 0; } }\n\
             void empty(struct node *it) { if (it->kind != TEXT) return; it->kind = NUMBER; \
             it->line = it->as.number; }\n\
             int later(struct node *it) { if (it->kind != TEXT) return 0; it = it + 1; return it->as.number; }\n\
             int jump(struct node *it, int op) {\n  switch (op) {\n    case 1: if (it->kind != TEXT) break;\n\
             return 1;\n    case 2: return it->as.number;\n  }\n  return 0;\n}\n",
        );
        let tags: Vec<_> = model.union_tags.values().flatten().collect();
        let tags: Vec<_> = tags.iter().map(|told| (told.tag.as_str(), told.value, told.member.as_str())).collect();
        let (none, others) = tags.split_at(2);
        assert_eq!(none, [("kind", 0, "number"), ("kind", 0, "text")], "two bodies do not agree");
        assert_eq!(others, [("kind", 1, "text"), ("kind", 2, "number"), ("kind", 3, "first"), ("kind", 4, "x")]);
    }
}
