//! Which headers a run has precompiled.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Precompiled headers, by what they are compiled with.
#[derive(Debug, Default)]
pub(super) struct Prefixes(pub(super) Mutex<HashMap<String, Known>>);

#[derive(Debug, Clone)]
pub(super) enum Known {
    /// Requested this often.
    Asked(u32),
    /// Precompiled.
    Made(PathBuf),
    /// It does not compile alone.
    Never,
}
