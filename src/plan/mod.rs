//! For every value a recipe: how to construct and fill it; or the reason why none exists.
//!
//! Pure and deterministic: the same model and overrides give the same plan. What the recipes turn into
//! is `generate`'s: the same recipe becomes code that reads the fuzzer's bytes in a driver, and code with
//! literals in a regression test.

pub mod adjustments;
pub(crate) mod byte_layout;
pub mod class_arguments;
pub mod construction_graph;
mod entries;
pub mod entry;
pub mod explain;
mod file_state;
mod function_templates;
mod histories;
mod names;
mod paired_setup;
pub mod planner;
mod receiver_iterators;
pub mod recipe;
pub mod record_paths;
mod request;
pub mod rules;
pub mod seeds;
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
pub use rules::{array_lengths, c_lifecycle, private_constructors, stubs};
pub use unit_plan::{Entry, Given, Global, Outside, PairedSetup, Reason, UnitPlan, UnitState, Written};

#[cfg(test)]
mod agreement_tests;
