//! Classes, their bases and members, and the parameters of templates.

use super::entity::{Access, Extent, Language, Scope, Usr};
use super::{Installed, TemplateArg, Type};
use serde::{Deserialize, Serialize};

/// A parameter of a class or function template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateParam {
    /// Its name; may be empty.
    pub name: String,
    /// As written, e.g. `typename T = int`.
    pub text: String,
    /// Type, value or template.
    pub kind: TemplateParamKind,
    /// The default argument as written.
    pub default: Option<String>,
}

impl TemplateParam {
    /// Whether it takes any number of arguments: `class... Ts`, `int... Ns`, `template <class...> class... Cs`.
    pub fn is_pack(&self) -> bool {
        let declared = self.text.split('=').next().unwrap_or_default();
        declared.rsplit('>').next().unwrap_or_default().contains("...")
    }
}

/// The kind of a template parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplateParamKind {
    /// `typename T`.
    Type,
    /// `int N`.
    Value,
    /// `template <…> class C`.
    Template,
}

/// `class`, `struct` or `union`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ClassKind {
    Class,
    #[default]
    Struct,
    Union,
}

/// A base class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// The base as a type, with template arguments.
    pub ty: Type,
    /// Access of the inheritance.
    pub access: Access,
    /// `virtual` inheritance.
    pub is_virtual: bool,
}

/// A data member, static or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its USR.
    pub usr: Usr,
    /// Its name; empty for an anonymous union or structure, or an unnamed bit-field.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its access.
    pub access: Access,
    /// Offset in bits from the start of the class; none for static members and in templates.
    pub offset_bits: Option<u64>,
    /// Width of a bit-field.
    pub bit_width: Option<u32>,
    /// A static data member.
    pub is_static: bool,
    /// `mutable`.
    pub is_mutable: bool,
    /// It has a value of its own where no constructor gives it one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_initialized: bool,
    /// For a static member: where it is defined out of line.
    pub definition: Option<Extent>,
}

/// A class, structure, union, or class template; by default a structure of C with nothing in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// Its USR.
    pub usr: Usr,
    /// Its own name; empty if anonymous. An anonymous C structure with a typedef has the typedef's name.
    pub name: String,
    /// Name with all scopes, without anonymous namespaces, without template arguments.
    pub qualified: String,
    /// Enclosing scopes, outermost first.
    pub scopes: Vec<Scope>,
    /// `class`, `struct`, `union`.
    pub kind: ClassKind,
    /// Language of the translation unit it was read in.
    pub language: Language,
    /// Access within its enclosing class.
    pub access: Option<Access>,
    /// The parameters where it is a template.
    pub template: Option<Vec<TemplateParam>>,
    /// For an explicit or partial specialisation: the template it specialises.
    pub specializes: Option<Usr>,
    /// For an explicit specialisation: its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specialized_for: Vec<TemplateArg>,
    /// Of a partial specialisation: the arguments that it is for, in terms of its own parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pattern: Vec<TemplateArg>,
    /// Where the definition stands (from `template`/`class` to the closing brace, without `;`).
    pub definition: Option<Extent>,
    /// Offset of the name within `definition`.
    pub name_offset: Option<u32>,
    /// Other declarations (forward ones).
    pub declarations: Vec<Extent>,
    /// Direct bases in order.
    pub bases: Vec<Base>,
    /// Bases whose constructors are its own as well (`using Base::Base`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherits: Vec<Usr>,
    /// Data members in order.
    pub fields: Vec<Field>,
    /// Methods, constructors, destructor, operators, member templates, in order.
    pub methods: Vec<Usr>,
    /// Nested classes.
    pub nested: Vec<Usr>,
    /// Friends: USRs of classes and functions named as friends.
    pub friends: Vec<Usr>,
    /// Has a pure virtual method that nothing overrides.
    pub is_abstract: bool,
    /// Has a virtual method, its own or a base's.
    pub is_polymorphic: bool,
    /// `final`.
    pub is_final: bool,
    /// A POD in clang's eyes.
    pub is_pod: bool,
    /// An aggregate: no user-provided constructor, no private or protected non-static data, no bases, no virtuals.
    pub is_aggregate: bool,
    /// `sizeof`.
    pub size: Option<u64>,
    /// `alignof`.
    pub align: Option<u64>,
    /// A name reaching it only within one source file: anonymous namespace, or defined in a main file.
    pub is_file_local: bool,
    /// Typedef names for it at namespace level (`typedef struct {…} T_POS;`).
    pub aliases: Vec<String>,
    /// Of a class of C++ that an installed library has: what is known of it beside its declarations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub installed: Option<Box<Installed>>,
}
