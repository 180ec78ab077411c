//! Classes that are observed.

use crate::model::{Access, Class, Type};

/// A class that is observed, with its template arguments.
#[derive(Clone, Debug)]
pub struct Observed<'m> {
    /// The class.
    pub class: &'m Class,
    /// As a type.
    pub ty: Type,
}

/// Whether what has this access is looked into: of another library's classes only what it shows to everybody.
pub(super) fn is_seen(class: &Class, access: Access) -> bool {
    class.installed.is_none() || access == Access::Public
}

/// The observer of what derived classes have.
pub(super) const DERIVED: &str = "observe_derived";
