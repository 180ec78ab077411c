//! For tests of operators: from text to the changed lines of each mutant.

use super::{Surroundings, changes};
use crate::hierarchy::Hierarchy;
use crate::mutant::made::Change;
use crate::parse::testing::Small;
use crate::parse::trees;

/// A C standard, for tests that do not depend on it.
pub(crate) const C: &str = "-std=c11";
/// A C++ standard.
pub(crate) const CXX: &str = "-std=c++17";

/// Compares the changed lines of one operator's mutants, in order.
pub(crate) fn check(operator: &str, standard: &str, text: &str, expected: &[&str]) {
    let prefix = format!("{operator}: ");
    let made: Vec<String> = lines(standard, text, &[operator])
        .into_iter()
        .map(|line| line.strip_prefix(&prefix).unwrap_or_else(|| panic!("{line} is not {operator}'s")).to_owned())
        .collect();
    assert_eq!(made, expected, "{operator} of\n{text}");
}

/// The changes of all bodies of one file by the named operators (all if none is named), as
/// `OPERATOR: the changed lines`. Lines are joined by ` | ` without indentation; a deleted line is empty. `standard`
/// is a flag such as `-std=c++17`; the file is C if it starts with `-std=c` and has no `++`.
pub(crate) fn lines(standard: &str, text: &str, operators: &[&str]) -> Vec<String> {
    made(standard, text, operators).into_iter().map(|(change, new)| show(&change, text, &new)).collect()
}

/// The changes with their mutated texts.
pub(crate) fn made(standard: &str, text: &str, operators: &[&str]) -> Vec<(Change, String)> {
    let made = made_of_bytes(standard, text.as_bytes(), operators);
    made.into_iter().map(|(change, new)| (change, String::from_utf8(new).unwrap())).collect()
}

/// The same for a text in any encoding.
pub(crate) fn made_of_bytes(standard: &str, source: &[u8], operators: &[&str]) -> Vec<(Change, Vec<u8>)> {
    let name = if standard.contains("++") { "a.cpp" } else { "a.c" };
    let small = Small::new(&[(name, "")], standard);
    std::fs::write(small.root.join(name), source).unwrap();
    let model = small.model();
    let hierarchy = Hierarchy::new(&model);
    let file = small.root.join(name);
    let trees = trees(&small.database.commands[0], &[file], &small.database, &small.options).unwrap();
    let mut out = Vec::new();
    for tree in &trees {
        let around = Surroundings { model: &model, hierarchy: &hierarchy, trees: tree, source };
        for body in &tree.bodies {
            let wanted = |operator: &super::Operator| operators.is_empty() || operators.contains(&operator.name);
            for change in changes(body, &around, &wanted) {
                let new = change.apply(source);
                out.push((change, new));
            }
        }
    }
    out
}

/// The lines of `new` that differ from `old`.
fn show(change: &Change, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let lines: Vec<&str> = new[start..new.len() - end].iter().map(|line| line.trim()).collect();
    format!("{}: {}", change.operator, lines.join(" | "))
}
