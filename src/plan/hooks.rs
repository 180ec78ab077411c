//! What people have said in override files, applied to values and constructions.

use super::values::{Planner, Substitution};
use super::{Reason, Recipe};
use crate::model::{Class, Type};

impl Planner<'_> {
    /// The recipe that an override gives for a parameter, if one does.
    pub(super) fn overridden_param(&self, _unit: &str, _name: &str, _ty: &Type) -> Result<Option<Recipe>, Reason> {
        Ok(None)
    }

    /// The construction that an override gives for a class, if one does.
    pub(super) fn overridden_construction(
        &self,
        _ty: &Type,
        _class: &Class,
        _with: &Substitution,
    ) -> Result<Option<Recipe>, Reason> {
        Ok(None)
    }
}
