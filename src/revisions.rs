//! Two revisions of a project: the files of one in a folder of its own, and which functions differ between two.

mod bodies;
mod layout;
mod tree;

pub use bodies::{Apart, Changed, Comparison, Unread, compare};
pub use tree::{Revisions, Tree, revisions};
