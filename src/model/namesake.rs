//! Names that different things have in different sources.

use super::Usr;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// An entity of one translation unit whose USR another entity has elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Namesake {
    /// clang's name.
    pub from: Usr,
    /// The name in the model.
    pub to: Usr,
    /// Its members are renamed with it.
    pub with_members: bool,
    /// Another file defines it, and this one calls it.
    #[serde(default)]
    pub is_elsewhere: bool,
}

/// By main file: what is another thing there.
pub type Namesakes = BTreeMap<PathBuf, Vec<Namesake>>;
