//! Pairing a mutant with its unit.
