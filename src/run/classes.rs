//! Where the units stand in the class hierarchy.

use crate::outcome::{ClassOutcome, UnitOutcome};
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The classes of units and all that these derive from, by name. Classes of the same name are one.
pub(super) fn of(session: &Session, units: &[UnitOutcome]) -> Vec<ClassOutcome> {
    let (model, hierarchy) = (&session.model, &session.hierarchy);
    let ids: HashMap<&str, &_> = model.functions.values().map(|function| (function.id.as_str(), function)).collect();
    let mut members: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for unit in units {
        let scopes = ids.get(unit.id.as_str()).map(|function| &function.scopes);
        if let Some(class) = scopes.and_then(|scopes| scopes.last()?.class()) {
            members.entry(class.clone()).or_default().push(unit.id.clone());
        }
    }
    let mut wanted: BTreeSet<_> = members.keys().cloned().collect();
    wanted.extend(members.keys().flat_map(|class| hierarchy.ancestors(class)));
    let mut classes: BTreeMap<String, ClassOutcome> = BTreeMap::new();
    for usr in &wanted {
        let Some((name, is_abstract)) = hierarchy.class(usr) else { continue };
        let blank = || ClassOutcome { name: name.to_owned(), is_abstract, bases: Vec::new(), units: Vec::new() };
        let class = classes.entry(name.to_owned()).or_insert_with(blank);
        for base in hierarchy.bases(usr) {
            if !class.bases.iter().any(|known| known == base) {
                class.bases.push(base.to_owned());
            }
        }
        class.units.extend(members.remove(usr).unwrap_or_default());
    }
    classes.into_values().collect()
}
