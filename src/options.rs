//! Low-level arguments and configuration to what they mean.
