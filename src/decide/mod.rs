//! Verdicts on what the search has left alive: proofs that a mutant behaves like the original, or an input on which it
//! does not.

pub mod exhaustion;
pub mod numbers;
pub mod pure;
pub mod solver;
