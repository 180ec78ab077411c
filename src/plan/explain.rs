//! Why a plan is as it is: the rule that made each value, and the constructions of each object with what they cost.

use super::construction_graph::{Costs, Way};
use super::planner::Planner;
use super::{Entry, Kind, Reason, Slot, UnitPlan};
use crate::model::Usr;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// The plan of a unit, for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The unit's id.
    pub unit: String,
    /// The calls that drive it; the data picks where there are several.
    pub entries: Vec<ExplainedEntry>,
}

/// One way into a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedEntry {
    /// The function that is called.
    pub calls: String,
    /// The values that are made for the call, in their order.
    pub values: Vec<ExplainedValue>,
}

/// A value, and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedValue {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The rule that made it, as `plan::rules` lists them.
    pub rule: &'static str,
    /// The constructor, the factory or the test that it is made by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// An override says that it is made so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
    /// Of an object: its constructions, the cheapest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub considered: Vec<Considered>,
    /// Its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ExplainedValue>,
}

/// A construction that was considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Considered {
    /// Its cost, with everything that it needs.
    pub cost: u32,
    /// The construction.
    pub construction: String,
}

/// Says why the plan is as it is.
///
/// # Errors
/// The unit has no translation unit any more.
pub fn explain(planner: &Planner<'_>, plan: &UnitPlan) -> Result<Explanation, Reason> {
    let unit = planner.model.functions.get(&plan.unit).and_then(|function| planner.model.unit_of_function(function));
    let unit = unit.ok_or_else(|| Reason::new("no translation unit of the compile database includes its file"))?;
    let files: HashSet<&Path> = unit.files.iter().map(|known| known.as_path()).collect();
    let explainer = Explainer { planner, costs: planner.graph.costs(&files), files };
    let entry = |entry: &Entry| ExplainedEntry {
        calls: explainer.id(&entry.callee),
        values: entry.slots().map(|slot| explainer.value(slot)).collect(),
    };
    Ok(Explanation { unit: plan.id.clone(), entries: plan.entries.iter().map(entry).collect() })
}

struct Explainer<'m> {
    planner: &'m Planner<'m>,
    costs: Costs,
    files: HashSet<&'m Path>,
}

impl Explainer<'_> {
    fn value(&self, slot: &Slot) -> ExplainedValue {
        let recipe = &slot.recipe;
        let by = match &recipe.kind {
            Kind::Construct { constructor: Some(constructor), .. } => Some(self.id(constructor)),
            Kind::Construct { constructor: None, .. } => Some("default constructor".to_owned()),
            Kind::Factory { function, .. } => Some(self.id(function)),
            Kind::Mined { from, .. } => Some(from.clone()),
            Kind::SetUp { calls, .. } => {
                Some(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>().join(", "))
            }
            _ => None,
        };
        let rule = match &recipe.kind {
            _ if !recipe.rule.is_empty() => recipe.rule,
            Kind::Mined { .. } => "as in a test",
            Kind::SetUp { .. } => "set-up calls",
            Kind::Choice { .. } => "choice",
            Kind::Stub { .. } => "stub",
            _ => "value of its type",
        };
        let is_object = matches!(recipe.kind, Kind::Construct { .. } | Kind::Factory { .. } | Kind::Stub { .. });
        let ways =
            if is_object { self.planner.graph.ways(&recipe.ty, &self.costs, &self.files, false) } else { Vec::new() };
        let considered = |(cost, way): (u32, Way<'_>)| Considered { cost, construction: construction(&way) };
        ExplainedValue {
            name: slot.name.clone(),
            ty: slot.ty.spelling.clone(),
            rule,
            by,
            overridden: recipe.overridden,
            considered: ways.into_iter().map(considered).collect(),
            parts: recipe.parts().into_iter().map(|part| self.value(part)).collect(),
        }
    }

    fn id(&self, function: &Usr) -> String {
        self.planner.model.functions.get(function).map_or_else(|| function.clone(), |function| function.id.clone())
    }
}

fn construction(way: &Way<'_>) -> String {
    match way {
        Way::Constructor(Some(function)) => format!("constructor {}", function.id),
        Way::Constructor(None) => "default constructor".to_owned(),
        Way::Factory(function, _) => format!("factory {}", function.id),
        Way::Subtype(ty) => format!("subtype {}", ty.spelling),
        Way::Derived(ty) => format!("handle of a derived class {}", ty.spelling),
        Way::Stub => "stub".to_owned(),
        Way::Fields => "field by field".to_owned(),
        Way::Said => "override".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;

    #[test]
    fn an_explanation_says_which_rule_made_an_object_and_what_its_constructions_cost() {
        let model = read_cpp(
            "class Doc { int n_; public: Doc(); Doc(int a, int b); int size(const char *text, unsigned length) const \
                { return n_; } };\n\
             Doc load(const char *text);",
        );
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == "size").unwrap();
        let plan = crate::plan::plan_unit(&planner, &unit.usr).unwrap();
        let explained = explain(&planner, &plan).unwrap();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("plan_explained", serde_yaml::to_string(&explained).unwrap()));
    }
}
