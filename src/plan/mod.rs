//! For every value a recipe: how to construct and fill it; or the reason why none exists.
//!
//! Pure and deterministic: the same model and overrides give the same plan. What the recipes turn into
//! is `generate`'s: the same recipe becomes code that reads the fuzzer's bytes in a driver, and code with
//! literals in a regression test.

pub mod adjustments;
pub mod array_lengths;
pub(crate) mod byte_layout;
pub mod c_lifecycle;
pub mod callbacks;
pub mod class_arguments;
pub mod construct;
pub mod construction_graph;
mod definitions;
pub mod entry;
pub mod explain;
mod file_state;
mod function_templates;
mod histories;
mod hooks;
mod implementable;
mod installed;
pub mod iterators;
mod names;
mod non_empty;
mod nullness;
mod option_structs;
mod paired_setup;
pub mod planner;
pub mod private_constructors;
mod receiver_iterators;
pub mod recipe;
pub mod record_paths;
mod request;
mod rules;
pub mod seeds;
mod setup_calls;
mod setup_calls_c;
mod standard;
pub mod stubs;
mod template_arguments;
mod template_constraints;
pub mod undefined_symbols;
pub mod unit_plan;
mod unit_scope;
mod usual_arguments;
pub mod variadic;

pub use crate::facts::factories::Yield;
pub use adjustments::Adjustments;
pub use entry::{OTHER_WAYS, plan_directly, plan_otherwise, plan_unit};
pub use recipe::{
    ARRAY_LENGTH, Answer, Kind, LIST_LENGTH, MinedStep, Recipe, SEQUENCE_LENGTH, STRING_LENGTH, SetUpCall, Slot,
    StubMethod,
};
pub use unit_plan::{Entry, Given, Global, Outside, PairedSetup, Reason, UnitPlan, UnitState, Written};
