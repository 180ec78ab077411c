//! `motif.yaml`.
