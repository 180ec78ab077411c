//! The requested operators, by name and by group.

use crate::diag::{Problem, nearest};
use crate::operators::{Group, Operator};
use std::collections::BTreeSet;

/// The requested operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen(BTreeSet<String>);

/// The groups' names on the command line.
const GROUPS: [(&str, Group); 3] =
    [("sufficient", Group::Sufficient), ("deletion", Group::Deletion), ("cxx", Group::Cxx)];

impl Chosen {
    /// The operators of `list`: names and groups, `-` excludes; all if the list is empty or starts with an exclusion.
    /// Given mutants may have operators of other tools.
    ///
    /// # Errors
    ///
    /// An unknown name, or nothing left.
    pub fn of(list: &[String], foreign: &[String]) -> Result<Self, Problem> {
        Self::among(&crate::operators::all(), list, foreign)
    }

    fn among(registry: &[Operator], list: &[String], foreign: &[String]) -> Result<Self, Problem> {
        let all: BTreeSet<String> =
            registry.iter().map(|operator| operator.name.to_owned()).chain(foreign.iter().cloned()).collect();
        let mut chosen = match list.first() {
            Some(first) if !first.starts_with('-') => BTreeSet::new(),
            _ => all.clone(),
        };
        for word in list {
            let (name, wanted) = word.strip_prefix('-').map_or((word.as_str(), true), |name| (name, false));
            let meant = meant(registry, &all, name).ok_or_else(|| unknown(registry, &all, name))?;
            if wanted {
                chosen.extend(meant);
            } else {
                chosen.retain(|name| !meant.contains(name));
            }
        }
        if chosen.is_empty() && !all.is_empty() {
            let what = format!("`--operators {}` leaves no operator", list.join(","));
            return Err(Problem::usage("operators-none", what, known(registry, &all)));
        }
        Ok(Self(chosen))
    }

    /// Whether the operator is requested.
    pub fn takes(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

fn meant(registry: &[Operator], all: &BTreeSet<String>, name: &str) -> Option<BTreeSet<String>> {
    if name.eq_ignore_ascii_case("all") {
        return Some(all.clone());
    }
    if let Some((_, group)) = GROUPS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(registry.iter().filter(|o| o.group == group).map(|o| o.name.to_owned()).collect());
    }
    let found: BTreeSet<String> = all.iter().filter(|known| known.eq_ignore_ascii_case(name)).cloned().collect();
    (!found.is_empty()).then_some(found)
}

fn unknown(registry: &[Operator], all: &BTreeSet<String>, name: &str) -> Problem {
    let upper = name.to_uppercase();
    let words = all.iter().map(String::as_str).chain(["sufficient", "deletion", "cxx", "all"]);
    let near = nearest(&upper, all.iter().map(String::as_str)).or_else(|| nearest(name, words));
    let list = known(registry, all);
    let fix = match near {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    };
    Problem::usage("operator-unknown", format!("there is no operator `{name}`"), fix)
}

fn known(registry: &[Operator], all: &BTreeSet<String>) -> String {
    let groups = GROUPS.map(|(name, group)| {
        let names: Vec<&str> = registry.iter().filter(|o| o.group == group).map(|o| o.name).collect();
        format!("{name} ({})", names.join(", "))
    });
    let ours: BTreeSet<&str> = registry.iter().map(|operator| operator.name).collect();
    let others: Vec<&str> = all.iter().map(String::as_str).filter(|name| !ours.contains(name)).collect();
    let others = if others.is_empty() { String::new() } else { format!("; given: {}", others.join(", ")) };
    format!("known: all, {}{others}", groups.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: [Operator; 4] = {
        const fn operator(name: &'static str, group: Group) -> Operator {
            Operator { name, group }
        }
        [
            operator("ABS", Group::Sufficient),
            operator("ROR", Group::Sufficient),
            operator("ROD", Group::Deletion),
            operator("MCO", Group::Cxx),
        ]
    };

    fn chosen(list: &str) -> Result<Vec<String>, Problem> {
        let list: Vec<String> = list.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Chosen::among(&REGISTRY, &list, &["XYZ".into()]).map(|chosen| chosen.0.into_iter().collect())
    }

    #[test]
    fn names_and_groups_are_added_and_left_out_in_turn() {
        assert_eq!(chosen("").unwrap(), ["ABS", "MCO", "ROD", "ROR", "XYZ"]);
        assert_eq!(chosen("ror,XYZ").unwrap(), ["ROR", "XYZ"]);
        assert_eq!(chosen("sufficient,-ABS").unwrap(), ["ROR"]);
        assert_eq!(chosen("-sufficient").unwrap(), ["MCO", "ROD", "XYZ"]);
        assert_eq!(chosen("all,-cxx,-XYZ").unwrap(), ["ABS", "ROD", "ROR"]);
        assert_eq!(chosen("-all,ROD").unwrap(), ["ROD"]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_and_the_list() {
        let problem = chosen("ROR,RRO").unwrap_err();
        assert_eq!((problem.code, problem.exit), ("operator-unknown", crate::diag::Exit::Usage));
        assert!(problem.fix.starts_with("did you mean `RO"), "{problem}");
        for word in ["sufficient (ABS, ROR)", "deletion (ROD)", "cxx (MCO)", "given: XYZ"] {
            assert!(problem.fix.contains(word), "{problem}");
        }
        assert!(chosen("sufficent").unwrap_err().fix.starts_with("did you mean `sufficient`"));
        assert_eq!(chosen("ROR,-ROR").unwrap_err().code, "operators-none");
    }
}
