//! Which pointers among a function's parameters are the ends of others' ranges: the body compares the two or takes one
//! from the other, which only pointers into one array allow, and never looks at what the end points to.

use super::operands::names;
use super::variables::{canonical_kind, key};
use clang::{Entity, EntityKind, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// The pointers of a body, by the keys of the parameters that they come from.
#[derive(Default)]
pub(super) struct Pointers {
    /// Local variables that are set to a parameter, perhaps of another type, and which was the last.
    copies: BTreeMap<String, String>,
    /// Pairs that meet in a comparison or a difference, in the order in which the body has them.
    pairs: BTreeSet<(String, String)>,
    /// Pointers that are dereferenced.
    followed: BTreeSet<String>,
}

impl Pointers {
    /// Takes in one expression or declaration of the body; `between` gives the text between two expressions.
    pub fn see<'tu>(&mut self, entity: Entity<'tu>, between: impl FnOnce(Entity<'tu>, Entity<'tu>) -> Option<String>) {
        let children = || entity.get_children();
        match entity.get_kind() {
            EntityKind::VarDecl if is_pointer(entity) => {
                let value = children().into_iter().rfind(|child| child.is_expression());
                if let (Some(from), Some(name)) = (value.and_then(|value| self.base(value)), key(entity)) {
                    self.copies.insert(name, from);
                }
            }
            // `*p` and `p[n]`; what else there is of unary operators on pointers leaves a pointer.
            EntityKind::UnaryOperator if !is_pointer(entity) => {
                self.followed.extend(children().first().and_then(|of| self.base(*of)));
            }
            EntityKind::ArraySubscriptExpr => {
                self.followed.extend(children().into_iter().find_map(|of| self.base(of)));
            }
            // Declared without a value.
            EntityKind::BinaryOperator if is_pointer(entity) => {
                let [left, right] = children()[..] else { return };
                let target = left.get_reference().filter(|target| target.get_kind() == EntityKind::VarDecl);
                let Some(name) = target.and_then(key).filter(|_| left.get_kind() == EntityKind::DeclRefExpr) else {
                    return;
                };
                if between(left, right).is_none_or(|by| by.trim() != "=") {
                    return;
                }
                let of = names(right);
                let is_same = |known: &String| of.contains(&name) || of.contains(known);
                match self.base(right) {
                    Some(from) => drop(self.copies.insert(name, from)),
                    // (`p = next(p)` may be further on in the same.)
                    None if self.copies.get(&name).is_some_and(|known| !is_same(known)) => {
                        self.copies.remove(&name);
                    }
                    None => {}
                }
            }
            EntityKind::BinaryOperator => {
                let [left, right] = children()[..] else { return };
                let (Some(one), Some(other)) = (self.base(left), self.base(right)) else { return };
                let is_range = |text: String| matches!(text.trim(), "<" | "<=" | ">" | ">=" | "==" | "!=" | "-");
                if one != other && between(left, right).is_some_and(is_range) {
                    self.pairs.insert((one, other));
                }
            }
            _ => {}
        }
    }

    /// For each end of a range among the parameters: where the range begins.
    pub fn ends(&self, params: &[String]) -> BTreeMap<String, String> {
        let place = |name: &String| params.iter().position(|param| param == name);
        let mut ends = BTreeMap::new();
        for (one, other) in &self.pairs {
            let (Some(first), Some(second)) = (place(one), place(other)) else { continue };
            let (begin, end) = if first < second { (one, other) } else { (other, one) };
            if self.followed.contains(begin) && !self.followed.contains(end) {
                ends.insert(end.clone(), begin.clone());
            }
        }
        ends
    }

    /// The parameter that a pointer was made from: itself, moved on, or as another type.
    pub(super) fn base(&self, entity: Entity<'_>) -> Option<String> {
        if !is_pointer(entity) {
            return None;
        }
        let inner = || entity.get_children().into_iter().filter(|child| child.is_expression());
        if let Some((pointer, _)) = super::displacements::place_in_array(entity) {
            return self.base(pointer);
        }
        match entity.get_kind() {
            EntityKind::DeclRefExpr => {
                let target = entity.get_reference()?;
                let name = key(target)?;
                match target.get_kind() {
                    EntityKind::ParmDecl => Some(name),
                    EntityKind::VarDecl => self.copies.get(&name).cloned(),
                    _ => None,
                }
            }
            EntityKind::ParenExpr
            | EntityKind::UnexposedExpr
            | EntityKind::CStyleCastExpr
            | EntityKind::StaticCastExpr
            | EntityKind::ReinterpretCastExpr
            | EntityKind::ConstCastExpr
            | EntityKind::FunctionalCastExpr
            | EntityKind::UnaryOperator => self.base(inner().next()?),
            // Moved: one side is the pointer.
            EntityKind::BinaryOperator => {
                let sides: Vec<_> = inner().collect();
                let pointers: Vec<_> = sides.iter().filter(|side| is_pointer(**side)).collect();
                match pointers[..] {
                    [pointer] => self.base(*pointer),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_pointer(entity: Entity<'_>) -> bool {
    canonical_kind(entity) == Some(TypeKind::Pointer)
}

#[cfg(test)]
mod tests {
    use crate::model::Model;
    use crate::parse::testing::{read_c, read_cpp};

    /// For each function: its ends of ranges, `end after begin`.
    fn ends(model: &Model) -> Vec<String> {
        let mut functions: Vec<_> = model.functions.values().filter(|f| f.definition.is_some()).collect();
        functions.sort_by_key(|f| f.definition.as_ref().map(|d| d.extent.start));
        let told = |f: &&crate::model::Function| -> Vec<String> {
            let end = |p: &crate::model::Param| Some(format!("{}: {} ends {}", f.name, p.name, f.params[p.ends?].name));
            f.params.iter().filter_map(end).collect()
        };
        functions.iter().flat_map(told).collect()
    }

    #[test]
    fn an_end_is_compared_with_what_is_read_and_never_read_itself() {
        let text = "unsigned load(const void *p);\n\
             int direct(const char *p, const char *q) { int n = 0; while (p < q) n += *p++; return n; }\n\
             bool parse(const char *from, int n, const char *to) {\n  const unsigned char *at = reinterpret_cast<const \
             unsigned char *>(from);\n  \
             const unsigned char *limit = (const unsigned char *)to;\n  if (at >= limit) return false;\n  return at[n] \
             != 0;\n}\n\
             long size(const int *a, const int *b) { return *a ? b - a : 0; }\n\
             bool same(const char *a, const char *b) { return *a == *b; }\n\
             void move(char *to, const char *from, int n) { if (to < from) while (n--) *to++ = *from++; }\n";
        assert_eq!(ends(&read_cpp(text)), ["direct: q ends p", "parse: to ends from", "size: b ends a"]);
    }

    #[test]
    fn what_both_have_to_be_is_no_comparison() {
        let text = "int both(char *p, char *q) { return p && q ? *p : 0; }\n\
                    int apart(char *p, char *q) { char *old = p; p = q; return old != q ? *old : 0; }\n";
        assert_eq!(ends(&read_c(text)), ["apart: q ends p"]);
    }
}
