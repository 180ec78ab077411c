//! `motif-cpp` writes the tests that kill surviving C and C++ mutants, after the MOTIF papers
//! (mutation testing with fuzzing, for C and C++).
//!
//! Data flows one way, and a module knows only those before it:
//! compile database → parse → model → hierarchy → mutants → plan → generate → build → search →
//! triage → emit → report. `docs/architecture.md` has the whole picture.

pub mod diag;

pub mod compdb;
pub mod tools;

pub mod lex;
pub mod model;
pub mod parse;
pub mod tree;

pub mod facts;
pub mod hierarchy;
pub mod lexicon;
pub mod mutant;
pub mod operators;
pub mod overrides;
pub mod plan;
pub mod probes;
pub mod types;

pub mod cpp;
pub mod generate;

pub mod build;
pub mod decide;
pub mod engine;
pub mod supervise;
pub mod triage;

pub mod mutate;

pub mod emit;
pub mod outcome;
pub mod report;
pub mod revisions;

pub mod adopt;
pub mod bodies;
pub mod build_session;
pub mod choices;
pub mod cli;
pub mod cluster;
pub mod commands;
pub mod config;
pub mod context;
pub mod judgements;
pub mod options;
pub mod run;
pub mod select;
pub mod session;
pub mod survey;
pub mod switches;
pub mod ui;
pub mod yaml;
