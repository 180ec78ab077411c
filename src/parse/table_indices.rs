//! Numbers that a body uses as indices into arrays of a said length: `RANKS[mode]` says that callers pass less than
//! there are ranks. Whatever the body compares first may be anything.

use super::operands::{Between, bare, constant, named};
use crate::model::{Model, Param, Usr};
use clang::{Entity, EntityKind};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds of passing facts of callees on to callers.
const ROUNDS: usize = 4;

/// The indices of a body, by the keys of parameters and variables.
#[derive(Default)]
pub(super) struct Indices {
    /// The greatest that is an index into each of these arrays.
    greatest: BTreeMap<String, u64>,
    /// What the body sets itself, or compares.
    free: BTreeSet<String>,
}

impl Indices {
    /// Takes in one expression or statement of the body; `between` gives the text between two expressions.
    pub fn see<'tu>(&mut self, entity: Entity<'tu>, between: &mut Between<'_, 'tu>) {
        let kind = entity.get_kind();
        // (To be asked for its children costs.)
        let is_seen = matches!(
            kind,
            EntityKind::ArraySubscriptExpr
                | EntityKind::CompoundAssignOperator
                | EntityKind::UnaryOperator
                | EntityKind::BinaryOperator
                | EntityKind::ConditionalOperator
                | EntityKind::IfStmt
                | EntityKind::WhileStmt
                | EntityKind::SwitchStmt
                | EntityKind::ForStmt
                | EntityKind::DoStmt
        );
        let children = if is_seen { entity.get_children() } else { return };
        match (kind, &children[..]) {
            (EntityKind::ArraySubscriptExpr, [left, right]) => {
                let length = bare(*left).get_type().and_then(|ty| ty.get_canonical_type().get_size());
                let Some((name, offset)) = place(*right, between) else { return };
                let most = length.and_then(|length| (length as u64).checked_sub(offset.checked_add(1)?));
                let Some(most) = most else { return };
                let known = self.greatest.entry(name).or_insert(most);
                *known = most.min(*known);
            }
            (EntityKind::CompoundAssignOperator, [left, _]) => self.free.extend(named(bare(*left))),
            // What counts it up or down is seldom told from what only takes it, as `-n`.
            (EntityKind::UnaryOperator, [of]) => self.free.extend(named(bare(*of))),
            (EntityKind::BinaryOperator, [left, right]) => match between(*left, *right).as_deref().map(str::trim) {
                Some("=") => self.free.extend(named(bare(*left))),
                Some("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | ",") => {}
                // (A comparison, or what a macro stands for.)
                _ => {
                    compared(*left, &mut self.free);
                    compared(*right, &mut self.free);
                }
            },
            // What a condition calls may check it.
            (
                EntityKind::IfStmt
                | EntityKind::WhileStmt
                | EntityKind::ConditionalOperator
                | EntityKind::SwitchStmt
                | EntityKind::ForStmt
                | EntityKind::DoStmt,
                parts,
            ) => parts
                .iter()
                .filter(|part| part.is_expression())
                .take(1)
                .for_each(|part| compared(*part, &mut self.free)),
            _ => {}
        }
    }

    /// Says of the parameters, whose keys are `keys`, what the body shows.
    pub fn tell(&self, params: &mut [Param], keys: &[String]) {
        for (param, key) in params.iter_mut().zip(keys) {
            param.greatest_index = self.greatest.get(key).copied().filter(|_| !self.free.contains(key));
        }
    }
}

/// The variables that an expression is made of, but for the indices in it.
fn compared(entity: Entity<'_>, found: &mut BTreeSet<String>) {
    if entity.get_kind() == EntityKind::ArraySubscriptExpr {
        return;
    }
    found.extend(named(entity));
    entity.get_children().into_iter().for_each(|child| compared(child, found));
}

/// The variable that an index is, and the constant that is added to it.
fn place<'tu>(index: Entity<'tu>, between: &mut Between<'_, 'tu>) -> Option<(String, u64)> {
    let index = bare(index);
    if index.get_kind() != EntityKind::BinaryOperator {
        return Some((named(index)?, 0));
    }
    let children = index.get_children();
    let [left, right] = children[..] else { return None };
    between(left, right).filter(|text| text.trim() == "+")?;
    match (named(bare(left)), named(bare(right))) {
        (Some(name), None) => Some((name, constant(right)?)),
        (None, Some(name)) => Some((name, constant(left)?)),
        _ => None,
    }
}

/// Passes what callees show of their parameters on to the parameters of callers that do nothing else with them.
pub(super) fn hand_on(model: &mut Model) {
    for _ in 0..ROUNDS {
        let of_callee = |(callee, place): &(Usr, usize)| {
            model.functions.get(callee).and_then(|callee| callee.params.get(*place)?.greatest_index)
        };
        let mut told: Vec<(Usr, usize, u64)> = Vec::new();
        for function in model.functions.values() {
            for (at, param) in function.params.iter().enumerate().filter(|(_, param)| param.is_passed_on) {
                // (One that does not index by it may check it.)
                let all: Option<Vec<u64>> = param.handed_to.iter().map(of_callee).collect();
                let greatest = all.and_then(|all| all.into_iter().min());
                let is_new = |greatest: &u64| param.greatest_index.is_none_or(|known| *greatest < known);
                told.extend(greatest.filter(is_new).map(|greatest| (function.usr.clone(), at, greatest)));
            }
        }
        if told.is_empty() {
            return;
        }
        for (usr, at, greatest) in told {
            if let Some(function) = model.functions.get_mut(&usr) {
                function.params[at].greatest_index = Some(greatest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_c;

    #[test]
    fn a_number_that_is_used_as_an_index_without_a_check_is_below_the_length_of_the_array() {
        let model = read_c(
            "static const int ranks[5][8];\nstruct chooser { int counts[7]; };\n\
             int rank(int scheme, int mode) { return ranks[scheme][mode + 1]; }\n\
             void count(struct chooser *it, unsigned mode) { if (it->counts[mode] < 9) it->counts[2] = 0; }\n\
             int checked(int at) { return at >= 0 && at < 5 ? ranks[at][0] : -1; }\n\
             int scaled(int at) { at >>= 2; return ranks[at][0]; }\nint masked(int at) { return ranks[at & 3][0]; }\n\
             int is_mode(int at);\nint asked(int at) { if (!is_mode(at)) return -1; return ranks[at][0]; }\n\
             int counted(int at) { int sum = 0; while (at--) sum += ranks[at][0]; return sum; }\n\
             int behind(const int *table, int at) { return table[at]; }\n\
             int ranked(int scheme, int mode) { return rank(scheme, mode); }\n",
        );
        let greatest = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            function.params.iter().map(|param| param.greatest_index).collect::<Vec<_>>()
        };
        assert_eq!(greatest("rank"), [Some(4), Some(6)]);
        assert_eq!(greatest("count"), [None, Some(6)]);
        assert_eq!(greatest("ranked"), [Some(4), Some(6)]);
        for free in ["checked", "scaled", "masked", "behind", "asked", "counted"] {
            assert!(greatest(free).iter().all(Option::is_none), "{free}");
        }
    }
}
