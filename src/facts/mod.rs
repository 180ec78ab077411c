//! Analyses as passes over the model: each a pure function with one result type.

pub mod anonymous_members;
pub mod default_construction;
pub mod factories;
pub mod field_usage;
pub mod handles;
pub mod member_lengths;
pub mod out_params;
