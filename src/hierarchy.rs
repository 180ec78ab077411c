//! The class-hierarchy graph.
