//! Names that different things have in different sources.

use super::Usr;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What one translation unit has under a name that another thing has, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namesake {
    /// clang's name.
    pub from: Usr,
    /// The name in the model.
    pub to: Usr,
    /// Its members are renamed with it.
    pub with_members: bool,
}

/// By main file: what is another thing there.
pub type Namesakes = BTreeMap<PathBuf, Vec<Namesake>>;
