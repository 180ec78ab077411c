//! Proved tests in the user's own test tree: their text, their names, their place in the build, and what is known of
//! those that were adopted before.

pub mod blocks;
pub mod by_hand;
pub mod cmake;
pub mod includes;
pub mod plan;
pub mod style;
pub mod trial;

use std::path::PathBuf;

/// A file that adopting makes, changes or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, from the project's root.
    pub file: PathBuf,
    /// Its text before; none where it is new.
    pub before: Option<String>,
    /// Its text after; none where it is removed.
    pub after: Option<String>,
}
