//! The external tools: which were found, at which version, and what is missing.
