//! One file per command.
pub mod doctor;
