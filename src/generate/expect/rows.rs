//! Numbers in a row that a test compares at once, instead of one by one.

use super::asking::Asking;
use super::check::{Check, CheckKind, path_of};
use crate::generate::literal::{self, Scalar};
use crate::model::{Language, Prim, Type, TypeKind};
use serde_json::Value;
use std::collections::BTreeMap;

/// From so many on that differ, a row is compared.
const LEAST: usize = 3;
/// The longest list of values that fits a line, in characters.
const LONGEST: usize = 72;

/// A number of a row, as the original has it.
struct Number {
    value: Scalar,
    /// The mutant has another.
    differs: bool,
}

/// The check of all numbers of the row that `path` is one of, from the first that differs to the last, and the place of
/// the row. `other` gives what the mutant has in place of an entry, where that differs.
pub(super) fn check<'p, 'v>(
    asking: &mut Asking<'_>,
    record: &'v [Value],
    other: &dyn Fn(&'v Value) -> Option<&'v Value>,
    path: &'p str,
) -> Option<(&'p str, Check)> {
    let (place, _) = path.strip_suffix(']')?.rsplit_once('[')?;
    let (_, of) = asking.expression(path)?;
    let TypeKind::Prim(prim) = of.kind else { return None };
    let (row, ty) = asking.expression(place)?;
    // (Text is compared as text, and floating-point numbers by their bytes nobody would.)
    let is_floating = matches!(prim, Prim::Float | Prim::Double | Prim::LongDouble);
    let is_apart = matches!(prim, Prim::Bool | Prim::Char) || is_floating && asking.language == Language::C;
    if is_apart || !matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Array(..)) {
        return None;
    }
    let mut numbers: BTreeMap<usize, Number> = BTreeMap::new();
    for entry in record {
        let index = path_of(entry).strip_prefix(place).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
        let Some(index) = index.and_then(|index| index.parse().ok()) else { continue };
        let number = |entry: &Value| serde_json::from_value::<Scalar>(entry.get("value")?.clone()).ok();
        let value = number(entry).filter(|value| !value.is_nan())?;
        let other = other(entry);
        // (Vectors do not compare the signs of zeros.)
        if asking.language == Language::Cxx && other.and_then(number).is_some_and(|other| are_zeros(&value, &other)) {
            return None;
        }
        numbers.insert(index, Number { value, differs: other.is_some() });
    }
    let differing = || numbers.iter().filter(|(_, number)| number.differs).map(|(index, _)| *index);
    let (first, last) = (differing().next()?, differing().next_back()?);
    if differing().count() < LEAST || numbers.range(first..=last).count() != last + 1 - first {
        return None;
    }
    let values = numbers.range(first..=last).map(|(_, number)| literal::scalar(&number.value, prim, asking.language));
    let values = values.collect::<Vec<_>>().join(", ");
    (values.len() <= LONGEST).then(|| (place, compared(asking.language, &row, &of, (first, last), &values)))
}

/// Two zeros that differ in their sign alone.
fn are_zeros(one: &Scalar, other: &Scalar) -> bool {
    let is_zero = |value: &Scalar| matches!(value.text.as_str(), "0" | "-0" | "0.0" | "-0.0");
    is_zero(one) && is_zero(other)
}

fn compared(language: Language, row: &str, of: &Type, (first, last): (usize, usize), values: &str) -> Check {
    let spelled = of.bare_spelling();
    let begin = if first == 0 { row.to_owned() } else { format!("{row} + {first}") };
    let count = last + 1 - first;
    match language {
        Language::C => {
            let actual = format!("memcmp({begin}, (const {spelled}[]){{{values}}}, {count} * sizeof({spelled}))");
            Check::equal(actual, "0", CheckKind::Int)
        }
        Language::Cxx => {
            let actual = format!("std::vector<{spelled}>({begin}, {row} + {})", last + 1);
            Check::equal(actual, format!("std::vector<{spelled}>{{{values}}}"), CheckKind::Whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::expect::check::Root;
    use crate::generate::lower::Made;
    use crate::parse::testing::{read_c, read_cpp};
    use serde_json::json;

    /// The check of a row `name` of five numbers, of which the mutant has others at some places.
    fn told(language: Language, ty: &str, numbers: [&str; 5], differing: &[usize], others: &str) -> Option<Check> {
        let source = format!("void f({ty} *it);\n");
        let model = if language == Language::C { read_c(&source) } else { read_cpp(&source) };
        let pointer = model.functions.values().next().unwrap().params[0].ty.clone();
        let roots = [Root { name: "it".into(), made: Made::expression("it"), ty: pointer }];
        let entry = |at: usize, text: &str| json!({"path": format!("it[{at}]"), "value": {"kind": ty, "text": text}});
        let record: Vec<Value> = numbers.iter().enumerate().map(|(at, text)| entry(at, text)).collect();
        let of_mutant: Vec<(usize, Value)> = differing.iter().map(|at| (*at, entry(*at, others))).collect();
        let other = |it: &Value| of_mutant.iter().find(|(at, _)| path_of(it) == format!("it[{at}]")).map(|(_, v)| v);
        let mut asking = Asking { model: &model, language, roots: &roots, private: false };
        check(&mut asking, &record, &other, "it[1]").map(|(_, check)| check)
    }

    #[test]
    fn three_numbers_that_differ_are_compared_at_once_and_fewer_are_not() {
        let row = ["1", "2", "3", "4", "5"];
        let actual = "memcmp(it + 1, (const int[]){2, 3, 4}, 3 * sizeof(int))";
        assert_eq!(told(Language::C, "int", row, &[1, 2, 3], "9"), Some(Check::equal(actual, "0", CheckKind::Int)));
        let (actual, expected) = ("std::vector<int>(it, it + 4)", "std::vector<int>{1, 2, 3, 4}");
        let whole = Some(Check::equal(actual, expected, CheckKind::Whole));
        assert_eq!(told(Language::Cxx, "int", row, &[0, 1, 3], "9"), whole);
        assert_eq!(told(Language::C, "int", row, &[1, 2], "9"), None);
        for apart in ["char", "double"] {
            assert_eq!(told(Language::C, apart, row, &[1, 2, 3], "9"), None, "{apart}");
        }
    }
}
