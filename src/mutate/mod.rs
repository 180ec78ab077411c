//! Mutants of our own: made by the operators, narrowed to a scope, and rid of those that are not worth trying.
//!
//! Data goes one way: `make` (trees → changes → [`Made`](crate::mutant::made::Made)) → `scope` → `filter` (what does not
//! compile, what compiles to the same code) → `sample` → `suite` (the project's own tests) → `list` (`mutants.json`).

pub mod suite;
