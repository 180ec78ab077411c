//! Operators for constructs that C does not have: inheritance, overloads, construction, exceptions, the standard
//! library.
//!
//! Operators for classes are those of MuCPP and MuJava, for exceptions those of MuCPP and Derezińska, for C++11 and
//! later those of Parsai et al.; `docs/operators.md` has the sources, and says which are our own.

pub(super) mod calls;
pub(super) mod construction;
pub(super) mod exceptions;
pub(super) mod inheritance;
pub(super) mod library;
pub(super) mod modern;
pub(super) mod overloads;
mod types;

#[cfg(test)]
mod tests;
