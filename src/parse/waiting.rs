//! Classes of installed libraries that were mentioned, and are not read yet.

use crate::model::Usr;
use clang::Entity;
use std::collections::{HashSet, VecDeque};

/// Classes that were mentioned, and not read yet.
#[derive(Default)]
pub(super) struct Waiting<'tu> {
    pub(super) queue: VecDeque<(Mentioned<'tu>, usize)>,
    pub(super) seen: HashSet<Usr>,
    /// How far away from the project that is which is being read; none where what it mentions is nobody's to use.
    pub(super) depth: Option<usize>,
    pub(super) is_reading: bool,
}

/// A class, or the type that is an instantiation of a class template.
pub(super) enum Mentioned<'tu> {
    Class(Entity<'tu>),
    Instance(clang::Type<'tu>, Entity<'tu>),
}
