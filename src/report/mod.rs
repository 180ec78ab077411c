//! One file per format, from the outcome alone.
