//! YAML to typed hooks.
