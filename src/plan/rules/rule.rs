//! The shapes of rules: each says what its values cost beside how they are made, so that the construction graph and the
//! planner ask the same rule.

use crate::model::Type;
use crate::plan::construction_graph::{Builder, Need};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Reason, Recipe};

/// A rule's answer: a recipe, nothing that it could say, or why there can be none.
pub(super) type Found = Result<Option<Recipe>, Reason>;

/// Makes values of the types that it is for. No other rule is asked.
pub(super) struct ValueRule {
    /// Whether values of this type are its to make.
    pub is_for: fn(&Type) -> bool,
    /// The cost of one, and the objects that it takes; none where there is none.
    pub cost: fn(&mut Builder<'_, '_>, &Type) -> Option<Need>,
    /// How one is made.
    pub recipe: fn(&UnitScope<'_>, &Type, Request<'_>) -> Result<Recipe, Reason>,
}

/// Makes records that it knows; the next rule is asked about others.
pub(super) struct RecordRule {
    /// Its name, for `explain`.
    pub name: &'static str,
    /// The cost of a record, as [`ValueRule::cost`]; none where the rule does not know the type.
    pub cost: fn(&mut Builder<'_, '_>, &Type) -> Option<Option<Need>>,
    /// How one is made; none where the rule does not know the type.
    pub recipe: fn(&UnitScope<'_>, &Type, Request<'_>) -> Found,
}

/// The recipe of the first rule that has something to say; it carries the rule's name.
pub(super) fn first<R>(rules: &[R], name: fn(&R) -> &'static str, apply: impl Fn(&R) -> Found) -> Found {
    for rule in rules {
        if let Some(recipe) = apply(rule)? {
            return Ok(Some(recipe.by(name(rule))));
        }
    }
    Ok(None)
}
