//! The rules by which values are made.

use super::unit_scope::Rules;

/// Where rules that need other values start anew.
pub(super) static RULES: Rules = Rules {
    value: super::values::value,
    object: super::construct::object,
    params: super::values::params,
    factory: super::construct::factory,
};
