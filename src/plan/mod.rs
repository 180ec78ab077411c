//! For every value a recipe: how to construct and fill it; or the reason why none exists.
//!
//! Pure and deterministic: the same model and overrides give the same plan. `generate` turns a recipe into code: in a
//! driver it reads the fuzzer's bytes, in a regression test it has literals.
//!
//! In the order of reading:
//!
//! 1. [`planner`]: the facts that all units share. [`entry`]: a plan for one unit. `entries`: the calls that lead into
//!    it, each with a receiver and arguments. `unit_scope`: the unit, as rules see it.
//! 2. `request`: how a value is asked for. [`rules`]: which rule makes it, in which order. [`recipe`]: the answer.
//! 3. [`construction_graph`]: the costs of objects of all classes, solved once, by the same rules.
//! 4. `template_arguments` and its neighbours: the template arguments that a unit is driven with.
//! 5. Beside the values: `histories` (objects as tests make them), `paired_setup`, `file_state`, [`undefined_symbols`].
//! 6. After the plan: [`adjustments`] by calibration, [`seeds`], [`explain`].

pub mod adjustments;
pub mod allocators;
pub(crate) mod byte_layout;
pub mod class_arguments;
pub mod construction_graph;
mod entries;
pub mod entry;
pub mod explain;
mod failing_calls;
mod file_state;
mod function_templates;
mod histories;
mod member_constraints;
mod names;
mod paired_setup;
pub mod planner;
mod receiver_iterators;
pub mod recipe;
pub mod record_paths;
mod request;
pub mod rules;
pub mod sample_files;
pub mod seeds;
mod standard_output;
mod template_arguments;
mod template_constraints;
pub mod undefined_symbols;
pub mod unit_plan;
mod unit_scope;
mod usual_arguments;
pub mod variadic;

pub use crate::facts::factories::Yield;
pub use adjustments::Adjustments;
pub use entry::{CALLERS, Departure, OTHER_WAYS, plan_otherwise, plan_unit};

pub use recipe::{
    ARRAY_LENGTH, Answer, BufferLength, FILE_CHOICES, FILE_LENGTH, FILE_NONE, FILE_TEXT, Kind, LIST_LENGTH, MinedStep,
    Recipe, SEQUENCE_LENGTH, STRING_LENGTH, SetUpCall, Slot, StubMethod,
};
pub use rules::{array_lengths, c_lifecycle, private_constructors, stubs};
pub use unit_plan::{
    Entry, FailingCalls, Given, Global, Outside, PairedSetup, Reason, StandIn, Transfers, UnitPlan, UnitState, Written,
};

#[cfg(test)]
mod agreement_tests;
