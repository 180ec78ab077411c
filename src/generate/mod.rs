//! Plan to files.
