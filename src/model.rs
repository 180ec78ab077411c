//! The project as plain data: classes, functions, types and files. Knows nothing of libclang.
//!
//! Everything is keyed by USR (clang's Unified Symbol Resolution string), which is the same in every
//! translation unit. What could not be understood stays in the model with its reason.

pub mod history;

mod classes;
mod entity;
mod functions;
mod installed;
pub mod library;
mod lookup;
mod namesake;
mod partial;
mod types;

use history::History;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use classes::{Base, Class, ClassKind, Field, TemplateParam, TemplateParamKind};
pub use entity::{Access, Extent, Language, Scope, Usr};
pub use functions::{
    ASKED, BEHIND, Definition, Elements, Function, FunctionKind, LARGE, Literal, NEW, Param, PassedOn, Returned,
};
pub use installed::Installed;
pub use namesake::{Namesake, Namesakes};
pub(crate) use partial::is_name;
pub use types::{ParamNames, Prim, TemplateArg, Type, TypeKind};

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enum {
    /// Its USR.
    pub usr: Usr,
    /// Qualified name (the typedef's for an anonymous C enum); empty if it has none.
    pub qualified: String,
    /// Enclosing scopes.
    pub scopes: Vec<Scope>,
    /// `enum class`.
    pub scoped: bool,
    /// The underlying type.
    pub underlying: Prim,
    /// Enumerators, qualified so that they can be pasted, with their values.
    pub enumerators: Vec<(String, i128)>,
    /// Access within its enclosing class.
    pub access: Option<Access>,
    /// Where it is defined.
    pub definition: Option<Extent>,
}

/// An alias at namespace or class level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// Its USR.
    pub usr: Usr,
    /// Qualified name.
    pub qualified: String,
    /// Enclosing scopes.
    pub scopes: Vec<Scope>,
    /// The aliased type.
    pub target: Type,
    /// Where it stands.
    pub definition: Extent,
}

/// A variable at namespace level (or a static data member, by its out-of-line definition).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its USR.
    pub usr: Usr,
    /// Qualified name.
    pub qualified: String,
    /// Its type.
    pub ty: Type,
    /// `static` or in an anonymous namespace.
    pub is_file_local: bool,
    /// The declaration or definition.
    pub extent: Extent,
    /// It is no definition.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_only_declared: bool,
    /// The file with the definition, where one was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defined_in: Option<PathBuf>,
}

/// A name in a project file that refers to an entity of the project: what a copy must rename.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// Offset of the identifier in its file.
    pub offset: u32,
    /// Length of the identifier.
    pub len: u32,
    /// The entity (for the name of a constructor or destructor: the class).
    pub target: Usr,
    /// The entity's own name stands here as its declaration or definition.
    pub is_declaration: bool,
}

/// One project file that was read (a main file or a header of the project, never a system header).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Direct `#include`s as written (`<vector>`, `"a.h"`) with the resolved path, in order.
    pub includes: Vec<(String, PathBuf)>,
    /// References to project entities, by offset.
    pub references: Vec<Reference>,
    /// Defines `main`.
    pub defines_main: bool,
    /// Macros it defines, with the offset of the definition.
    pub macros: Vec<(String, u32)>,
    /// Ranges of the file that are macro expansions (start, end).
    pub expansions: Vec<(u32, u32)>,
}

/// A translation unit as read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslationUnit {
    /// The main file.
    pub main_file: PathBuf,
    /// Index of its entry in the compile database.
    pub command: usize,
    /// C or C++.
    pub language: Language,
    /// Project files that it includes, directly or not, the main file first.
    pub files: Vec<PathBuf>,
    /// Why it could not be read: the first error diagnostics (`file:line:col: message`).
    pub errors: Vec<String>,
    /// Clang finds errors in bodies of templates that nobody instantiates, and none where it reads these late: the unit
    /// is compiled with [`crate::compdb::DEFERS_BODIES`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub defers_bodies: bool,
    /// Type traits of the constructible/assignable/convertible family occur in its project files.
    pub uses_traits: bool,
    /// Structures of the system that it has the definitions of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<Usr>,
    /// Feature test macros that it defines before the first header of the system, in order: name and text
    /// (POSIX.1-2024, 2.2.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<(String, String)>,
}

/// What a body says of a union: where a member beside it has a value, one of its members is alive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnionTag {
    /// The member beside the union.
    pub tag: String,
    /// Its value: that of an enumerator, or a number.
    pub value: i64,
    /// The member of the union.
    pub member: String,
}

/// The whole project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Model {
    pub classes: BTreeMap<Usr, Class>,
    pub functions: BTreeMap<Usr, Function>,
    pub enums: BTreeMap<Usr, Enum>,
    pub aliases: BTreeMap<Usr, Alias>,
    pub variables: BTreeMap<Usr, Variable>,
    pub files: BTreeMap<PathBuf, SourceFile>,
    pub units: Vec<TranslationUnit>,
    /// Instantiations of project class and function templates that the project uses, by template: the distinct
    /// argument lists.
    pub instantiations: BTreeMap<Usr, BTreeSet<Vec<TemplateArg>>>,
    /// Those that only instantiations use: what stands in the body of a template has arguments nowhere else.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inner_instantiations: BTreeMap<Usr, BTreeSet<Vec<TemplateArg>>>,
    /// Of functions of class templates the arguments of the classes that the project uses them of.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub used_of: BTreeMap<Usr, BTreeSet<Vec<TemplateArg>>>,
    /// By members that are pointers or arrays: how many elements bodies look at behind them, and what bounds the
    /// places.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<Usr, Elements>,
    /// By members that are unions: what says which of their members are alive.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub union_tags: BTreeMap<Usr, BTreeSet<UnionTag>>,
    /// Variables of a file that something outside bodies may change: an initialiser keeps their address.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub lent_out: BTreeSet<String>,
    /// The partial specialisations of templates, by template.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub partial: BTreeMap<Usr, Vec<Usr>>,
    /// Result types of instantiations of functions that the template's own text does not tell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub returned: BTreeMap<Usr, BTreeSet<Returned>>,
    /// Histories of objects in tests and examples, by class, the richest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub histories: BTreeMap<Usr, Vec<History>>,
    /// Of headers the translation unit that sees and has most of them: an index.
    #[serde(skip)]
    pub homes: BTreeMap<PathBuf, usize>,
    /// Of functions that a header defines the translation units that see the definition: a header may have code for one
    /// source only, behind a macro.
    #[serde(skip)]
    pub sightings: BTreeMap<Usr, Vec<usize>>,
    /// Entities that share a USR across sources, and are told apart here.
    #[serde(skip)]
    pub namesakes: Namesakes,
    /// Types that the user's own rows describe.
    #[serde(skip)]
    pub library: library::Library,
}
