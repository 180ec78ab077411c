//! Which units the user means by `UNIT…`.

use crate::diag::{Problem, nearest};
use crate::model::{Function, Model};
use std::collections::BTreeSet;

/// The functions with a body in the project, in the order of their files and lines.
pub fn units(model: &Model) -> Vec<&Function> {
    let mut units: Vec<&Function> = model.functions.values().filter(|function| function.definition.is_some()).collect();
    units.sort_by_key(|function| {
        let extent = &function.definition.as_ref().expect("filtered above").extent;
        (&extent.file, extent.start, &function.usr)
    });
    units
}

/// Those of `units` that `wanted` names: by id, qualified name or own name, or by a pattern with `*`.
/// All of them where nothing is wanted.
pub fn select<'m>(units: &[&'m Function], wanted: &[String]) -> Result<Vec<&'m Function>, Vec<Problem>> {
    if wanted.is_empty() {
        return Ok(units.to_vec());
    }
    let mut chosen = BTreeSet::new();
    let mut problems = Vec::new();
    for name in wanted {
        let found: Vec<usize> = (0..units.len()).filter(|at| is_meant(units[*at], name)).collect();
        if found.is_empty() {
            problems.push(unknown(units, name));
        }
        chosen.extend(found);
    }
    if problems.is_empty() { Ok(chosen.into_iter().map(|at| units[at]).collect()) } else { Err(problems) }
}

/// Whether a name as users write it means the unit.
pub fn is_meant(unit: &Function, name: &str) -> bool {
    let names = [&unit.id, &unit.qualified, &unit.name];
    if name.contains('*') && !names.iter().any(|own| *own == name) {
        return matches(name, &unit.id) || matches(name, &unit.qualified);
    }
    names.iter().any(|own| *own == name)
}

fn unknown(units: &[&Function], name: &str) -> Problem {
    let is_file = |unit: &&&Function| unit.definition.as_ref().is_some_and(|it| it.extent.file.ends_with(name));
    if units.iter().any(|unit| is_file(&unit)) {
        let fix = format!("it is a file: write `--file {name}`");
        return Problem::usage("unit-unknown", format!("no unit of the project is called `{name}`"), fix);
    }
    let names = units.iter().flat_map(|unit| [unit.id.as_str(), unit.qualified.as_str(), unit.name.as_str()]);
    let fix = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`motif-cpp analyze` lists the units of the project".into(),
    };
    Problem::usage("unit-unknown", format!("no unit of the project is called `{name}`"), fix)
}

/// Whether `text` matches `pattern`, in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn an_asterisk_stands_for_anything() {
        assert!(matches("sat::*", "sat::Mission::abort()"));
        assert!(matches("*Mission*abort*", "sat::Mission::abort()"));
        assert!(matches("*", ""));
        assert!(!matches("sat::*", "geo::Mission"));
        assert!(!matches("*abort", "sat::Mission::abort()"));
        assert!(!matches("ab*ba", "aba"));
    }
}
