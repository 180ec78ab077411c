//! Replay and false kills.
