//! The operators for C++.

use super::{Operator, Surroundings};
use crate::mutant::made::Change;
use crate::tree::Body;

pub(super) const OPERATORS: &[Operator] = &[];

pub(super) fn collect(_: &Body, _: &Surroundings<'_>, _: &dyn Fn(&str) -> bool, _: &mut Vec<Change>) {}
