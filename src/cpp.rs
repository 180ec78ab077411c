//! Typed C++ fragments.
