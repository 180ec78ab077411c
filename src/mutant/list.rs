//! Reading the mutants that were given.
