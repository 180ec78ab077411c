//! Machines beyond this one: a thin layer over schedulers that exist.

pub mod slurm;
