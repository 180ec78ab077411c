//! Types: how they are spelled, what template arguments make of them, and what the standard library's are.

pub mod arithmetic;
pub mod iterators;
pub mod members;
pub mod packs;
pub mod records;
pub mod spelling;
pub mod standard;
pub mod substitution;
pub mod traits;
