//! Places before what a pointer points to: `x[i - 1]` with `i` from nought, `row[-1]`. A filter looks so at samples
//! that came before those that it is passed.

use super::literals::integer;
use super::operands::{Between, bare, constant, is_pointer, named, names};
use super::pointer_ranges::Pointers;
use super::variables::{canonical_kind, key};
use clang::{Entity, EntityKind};
use std::collections::BTreeSet;

/// So many places before its begin a body may look where a variable says how many.
const HISTORY: u64 = 16;
/// No body looks farther before the begin of what it is given.
const LONGEST_HISTORY: u64 = 64;

/// The places of a body that may be before what pointers point to.
#[derive(Default)]
pub(super) struct History {
    /// By the keys of pointers.
    steps: Vec<(String, Steps)>,
    /// Variables that are set to nought.
    from_nought: BTreeSet<String>,
    /// Variables that are set to something else, or are asked whether they are nought.
    from_elsewhere: BTreeSet<String>,
    /// Pointers that others are made of that are further on, or that are moved on themselves.
    moved: BTreeSet<String>,
}

impl History {
    /// Takes in one expression or declaration of the body.
    pub fn see<'tu>(&mut self, entity: Entity<'tu>, pointers: &Pointers, between: &mut Between<'_, 'tu>) {
        let children = entity.get_children();
        match (entity.get_kind(), &children[..]) {
            (EntityKind::ArraySubscriptExpr, [one, other]) => {
                let (of, place) = if is_pointer(*one) { (*one, *other) } else { (*other, *one) };
                let steps = Steps::of(place, between).filter(|steps| steps.far > 0);
                self.steps.extend(pointers.base(of).zip(steps));
            }
            // `p + i - 1`.
            (EntityKind::BinaryOperator, [sum, by]) if is_pointer(entity) => {
                if is_pointer(*sum) && between(*sum, *by).is_some_and(|text| text.trim() == "=") {
                    self.point(*by, pointers);
                }
                let inner = bare(*sum).get_children();
                if let [of, place] = inner[..]
                    && is_pointer(of)
                    && between(*sum, *by).is_some_and(|text| text.trim() == "-")
                {
                    let counted = Steps::of(place, between).zip(constant(*by));
                    let steps = counted.map(|(steps, by)| Steps { far: steps.far.saturating_add(by), ..steps });
                    self.steps.extend(pointers.base(of).zip(steps));
                }
            }
            (EntityKind::BinaryOperator, [left, right]) => {
                let [one, other] = [*left, *right].map(|of| named(bare(of)));
                match between(*left, *right).as_deref().map(str::trim) {
                    Some("=") => self.begin(one, *right),
                    Some("&&" | "||") => self.from_elsewhere.extend(one.into_iter().chain(other)),
                    // (A loop begins below what it ends at.)
                    Some(said @ ("<" | "<=" | ">" | ">=" | "==" | "!=")) => {
                        let asks = |of: Entity<'_>, is_above: bool| {
                            constant(of).is_some_and(|constant| constant <= 1 || is_above)
                        };
                        self.from_elsewhere.extend(one.filter(|_| asks(*right, said.starts_with('>'))));
                        self.from_elsewhere.extend(other.filter(|_| asks(*left, said.starts_with('<'))));
                    }
                    _ => {}
                }
            }
            (EntityKind::IfStmt | EntityKind::WhileStmt | EntityKind::ConditionalOperator, [asked, ..]) => {
                self.from_elsewhere.extend(named(without_not(*asked)));
            }
            (EntityKind::CompoundAssignOperator, [moved, _]) if is_pointer(*moved) => {
                self.moved.extend(pointers.base(*moved));
            }
            (EntityKind::CompoundAssignOperator, [moved, by]) if constant(*by).is_none() => {
                self.from_elsewhere.extend(named(bare(*moved)));
            }
            (EntityKind::VarDecl, _) if is_pointer(entity) => {
                let value = children.iter().rfind(|child| child.is_expression());
                value.into_iter().for_each(|value| self.point(*value, pointers));
            }
            (EntityKind::VarDecl, _) if !is_pointer(entity) => {
                let value = children.iter().rfind(|child| child.is_expression());
                value.into_iter().for_each(|value| self.begin(key(entity), *value));
            }
            _ => {}
        }
    }

    /// What a pointer is set to.
    fn point(&mut self, value: Entity<'_>, pointers: &Pointers) {
        if bare(value).get_kind() == EntityKind::BinaryOperator {
            self.moved.extend(pointers.base(value));
        }
    }

    /// What a variable is set to.
    fn begin(&mut self, variable: Option<String>, value: Entity<'_>) {
        let to = if integer(value) == Some(0) { &mut self.from_nought } else { &mut self.from_elsewhere };
        to.extend(variable);
    }

    /// How many places before what the pointer points to the body looks at, as far as can be seen. Whether the pointer
    /// is moved, and whether one variable bounds another, others know.
    pub fn longest(&self, pointer: &str, is_moved: bool, is_bounded: &dyn Fn(&String, &String) -> bool) -> u64 {
        let counts_from_nought = |from: &String| self.from_nought.contains(from) && !self.from_elsewhere.contains(from);
        let is_before = |steps: &Steps| match &steps.from {
            // (What is moved along has been somewhere before.)
            None => !is_moved && !self.moved.contains(pointer),
            // (Who takes no more than there is never gets there: `x[i - j]` for `j <= i`.)
            Some(from) => counts_from_nought(from) && !steps.by.iter().any(|by| is_bounded(by, from)),
        };
        let of_it = self.steps.iter().filter(|(of, steps)| of == pointer && is_before(steps));
        of_it.map(|(_, steps)| steps.far).max().unwrap_or_default().min(LONGEST_HISTORY)
    }
}

/// The expression without `!`.
fn without_not(asked: Entity<'_>) -> Entity<'_> {
    let asked = bare(asked);
    match asked.get_children()[..] {
        [inner] if asked.get_kind() == EntityKind::UnaryOperator => bare(inner),
        _ => asked,
    }
}

/// Whether a variable is a parameter, which may begin anywhere.
fn is_parameter(variable: Entity<'_>) -> bool {
    variable.get_reference().is_some_and(|target| target.get_kind() == EntityKind::ParmDecl)
}

/// A place as steps back from a variable, or from the begin.
struct Steps {
    from: Option<String>,
    /// How many, or [`HISTORY`] for each variable that says how many.
    far: u64,
    /// The variables that say so.
    by: BTreeSet<String>,
}

impl Steps {
    fn of<'tu>(place: Entity<'tu>, between: &mut Between<'_, 'tu>) -> Option<Self> {
        let place = bare(place);
        if let Some(number) = integer(place) {
            let far = u64::try_from(number.checked_neg()?).ok()?;
            return Some(Self { from: None, far, by: BTreeSet::new() });
        }
        match (place.get_kind(), &place.get_children()[..]) {
            // (Nought less one of an `unsigned int` is far ahead.)
            (EntityKind::DeclRefExpr, _)
                if canonical_kind(place) != Some(clang::TypeKind::UInt) && !is_parameter(place) =>
            {
                Some(Self { from: Some(named(place)?), far: 0, by: BTreeSet::new() })
            }
            (EntityKind::CStyleCastExpr | EntityKind::StaticCastExpr | EntityKind::FunctionalCastExpr, [.., inner]) => {
                Self::of(*inner, between)
            }
            (EntityKind::BinaryOperator, [left, right])
                if between(*left, *right)?.trim_matches(['(', ')', ' ']) == "-" =>
            {
                let mut steps = Self::of(*left, between)?;
                steps.far = steps.far.saturating_add(constant(*right).unwrap_or(HISTORY));
                steps.by.extend(names(*right));
                Some(steps)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn places_before_the_begin_are_a_history() {
        let text = "void residual(const int *data, int n, int *out) {\n  \
             for (int i = 0; i < n; i++) out[i] = data[i] - 2 * data[i - 1] + data[i-2];\n}\n\
             void predict(const int *x, int n, int order, int *out) {\n  \
             for (int i = 0; i < n; i++) { int s = 0; for (int j = 0; j < order; j++) s += x[i - j - 1]; out[i] = s; \
             }\n}\n\
             int above(const int *row) { return row[0] - row[-1]; }\n\
             int vectors(const int *data, int n) { int s = 0, i; for (i = 0; i < n; i += 4) s += *(const short *)(data \
             + i - 3); return s; }\n\
             int sorted(const int *a, int n) { for (int i = 1; i < n; i++) if (a[i] < a[i - 1]) return 0; return 1; \
             }\n\
             int guarded(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (i > 0) s += a[i - 1]; \
             return s; }\n\
             int asked(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += i ? a[i - 1] : 0; return s; \
             }\n\
             int product(const int *a, int n) {\n  int s = 0;\n  \
             for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s += a[i - j];\n  return s;\n}\n\
             int walked(const char *p) { while (*p) ++p; return p[-1]; }\n\
             int last(const int *a, int n) { return a[n - 1]; }\n\
             int ended(const int *a, int n) { const int *end = a + n; return end[-1]; }\n\
             int jumped(const int *a, int n) { a += n; return a[-1]; }\n\
             int beyond(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (i >= 2) s += a[i - 2]; \
             return s; }\n\
             int negated(const int *a, int n) { int s = 0, i; for (i = 0; i < n; i++) { if (!i) continue; s += a[i - \
             1]; } return s; }\n\
             int reset(const int *a, int n) { if (n > 9) n = 0; return a[n - 1]; }\n\
             int wraps(const int *a, unsigned n) {\n  int s = 0;\n  \
             for (unsigned i = 0; i < n; i++) s += a[i - 1];\n  return s;\n}\n";
        let model = read_c(text);
        let mut functions: Vec<_> = model.functions.values().collect();
        functions.sort_by_key(|function| function.definition.as_ref().map(|body| body.extent.start));
        let histories = functions.iter().flat_map(|function| {
            let before = |param: &crate::model::Param| param.elements.as_ref().map_or(0, |elements| elements.before);
            function
                .params
                .iter()
                .filter(move |param| before(param) > 0)
                .map(move |param| format!("{}: {} after {}", function.name, param.name, before(param)))
        });
        let histories: Vec<String> = histories.collect();
        let expected = ["residual: data after 2", "predict: x after 17", "above: row after 1", "vectors: data after 3"];
        assert_eq!(histories, expected);
    }
}
