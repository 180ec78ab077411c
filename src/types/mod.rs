//! Types: how they are spelled, what template arguments make of them, and what those of libraries are.
//!
//! Imports go one way, but for `members`, `packs` and `substitution`, which need each other.

pub mod arithmetic;
pub mod bases;
pub mod compose;
mod declarators;
mod forms;
pub mod iterators;
pub mod library;
pub mod matching;
mod members;
pub mod packs;
pub mod records;
pub mod spelling;
pub mod standard;
pub mod substitution;
mod traits;
mod typedefs;
