//! Built-in mutants: made by the operators, narrowed to a scope, and filtered.
//!
//! Data goes one way: `make` (trees → changes → [`Made`](crate::mutant::made::Made), within `scope`, which knows
//! files, units, operators, lines, `since` and `covered`) → `sample` → `filter` (compile errors and equal code, by
//! means of a `schema`, the file with a copy of the function per mutant) → `suite` (the project's own tests) →
//! `list` (`mutants.json`). A sample is drawn before the filter runs, and filtered mutants are replaced: a large
//! project has far more mutants than anybody compiles.

mod arid;
pub mod choose;
pub mod chosen_mutants;
mod compiler_messages;
pub mod coverage;
mod draw;
pub mod filter;
pub mod list;
pub mod make;
pub mod name;
pub mod sample;
pub(crate) mod schema;
pub mod scope;
pub mod shards;
pub mod since;
pub mod skip_comments;
pub mod source;
pub mod suite;
pub mod suite_verdicts;
