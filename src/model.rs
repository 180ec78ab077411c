//! The project as plain data: classes, functions, types and files. Knows nothing of libclang.
//!
//! Everything is keyed by USR (clang's Unified Symbol Resolution string), which is the same in every
//! translation unit. What could not be understood stays in the model with its reason.

pub mod history;

mod installed;
pub mod library;
mod lookup;
mod namesake;
mod types;

use history::History;
pub use installed::Installed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use namesake::{Namesake, Namesakes};
pub use types::{ParamNames, Prim, TemplateArg, Type, TypeKind};

/// Clang's name for an entity that is the same across translation units.
pub type Usr = String;

/// A stretch of a file. Offsets are bytes from the file's start, half open; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extent {
    /// Absolute path, symbolic links resolved.
    pub file: PathBuf,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
    /// Line of `start`.
    pub line: u32,
    /// Column of `start`.
    pub column: u32,
    /// Line of `end`.
    pub end_line: u32,
}

impl Extent {
    /// Whether `offset` of the same file lies inside.
    pub fn contains(&self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
}

/// C or C++.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Language {
    /// C, any standard.
    #[default]
    C,
    /// C++, any standard.
    Cxx,
}

/// Access of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everybody may use it.
    Public,
    /// The class and its subclasses may.
    Protected,
    /// The class itself may.
    Private,
}

/// One enclosing scope of an entity, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// A namespace; the name is empty for an anonymous one.
    Namespace {
        /// Its name.
        name: String,
        /// Whether it is `inline`.
        inline: bool,
    },
    /// An enclosing class.
    Class(Usr),
}

/// What an instantiation of a function returns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Returned {
    /// The arguments of the class template that it belongs to.
    pub of: Vec<TemplateArg>,
    /// Its own.
    pub own: Vec<TemplateArg>,
    /// The type.
    pub ty: Type,
}

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

/// What a template parameter stands for.
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

impl Class {
    /// The constructors among `methods`.
    pub fn constructors<'m>(&'m self, model: &'m Model) -> impl Iterator<Item = &'m Function> + 'm {
        let of = |class: &'m Class| {
            let methods = class.methods.iter().filter_map(|usr| model.functions.get(usr));
            methods.filter(|f| f.kind == FunctionKind::Constructor)
        };
        let inherited = self.inherits.iter().filter(|usr| **usr != self.usr).filter_map(|usr| model.classes.get(usr));
        of(self).chain(inherited.flat_map(of).filter(|f| !f.is_copy_or_move))
    }
}

/// What sort of function this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FunctionKind {
    /// A free function.
    Function,
    /// A non-static method, also an operator method.
    Method,
    /// A static method.
    StaticMethod,
    /// A constructor.
    Constructor,
    /// A destructor.
    Destructor,
    /// A conversion operator.
    Conversion,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name; may be empty.
    pub name: String,
    /// Its type (arrays not decayed where the source writes an array with a length).
    pub ty: Type,
    /// The default argument as written.
    pub default: Option<String>,
    /// The body compares it with null: a pointer that may be none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tested: bool,
    /// The index of the parameter whose range of elements it is the end of, as far as the body shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<usize>,
    /// Of a `void *`: what the body looks at it as, if that is one type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_as: Option<Type>,
    /// Of a pointer to numbers: what the body shows of how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Elements>,
    /// The parameters of callees that get it as it is.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub handed_to: BTreeSet<(Usr, usize)>,
}

impl Param {
    /// A parameter of which only the name and the type are known: no body has shown anything of it.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Self {
            name: name.into(),
            ty,
            default: None,
            tested: false,
            ends: None,
            seen_as: None,
            elements: None,
            handed_to: BTreeSet::new(),
        }
    }
}

/// How many elements lie behind a pointer, as far as a body shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elements {
    /// So many are looked at by their numbers.
    pub least: u64,
    /// Places that are computed are looked at as well.
    pub many: bool,
    /// The indices of the parameters that bound those places.
    pub counted_by: BTreeSet<usize>,
    /// The members that bound them, of the same object or another.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub counted_by_members: BTreeSet<Usr>,
    /// A place is made of several of them: a matrix.
    pub in_rows: bool,
    /// The place that such a member says itself is looked at without a check: the one behind the last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beyond: bool,
}

/// A literal found in a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Literal {
    /// An integer or character, as evaluated (sign from a unary minus before it included as a second entry).
    Int(i128),
    /// A floating-point literal: the bits of its `double` value.
    Float(u64),
    /// A string's bytes.
    Str(Vec<u8>),
}

/// Bytes beyond which it is of account which members of a structure a body names.
pub const LARGE: u64 = 256;

/// The body of a function, where one was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The whole definition, from its first token (`template`, `inline`, the result type…) to the closing brace.
    pub extent: Extent,
    /// The compound statement `{ … }` (for a function-try-block: from `try`).
    pub body: Extent,
    /// Of a constructor: from behind the `:` to before the `{`.
    pub initializers: Option<Extent>,
    /// Offset of the function's name.
    pub name_offset: u32,
    /// Length of the name as written.
    pub name_len: u32,
    /// The body is (part of) a macro expansion: offsets can't be trusted.
    pub in_macro: bool,
    /// Labels (`goto` targets) in the body.
    pub labels: Vec<String>,
    /// Literals in the body, each once.
    pub literals: Vec<Literal>,
    /// Functions that the body calls or names.
    pub calls: BTreeSet<Usr>,
    /// Those of `calls` that are only named, never called here: callbacks that are handed on.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub hands_on: BTreeSet<Usr>,
    /// Of structures of more than [`LARGE`] bytes: the members that it names, and those structures that it takes as a whole.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub touches: BTreeSet<Usr>,
    /// Non-constant globals, static members and static locals that the body names.
    pub globals: BTreeSet<String>,
}

/// A function, method, constructor, operator, or function template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its USR.
    pub usr: Usr,
    /// Its name as called (`isAutonomous`, `operator==`, `~Mission`).
    pub name: String,
    /// Name with scopes, without anonymous namespaces (`sat::ChargeableModule::isAutonomous`).
    pub qualified: String,
    /// The unit's id: qualified name, parameter types and qualifiers
    /// (`sat::ChargeableModule::isAutonomous(const sat::Mission &) const`; in C just the name).
    pub id: String,
    /// Enclosing scopes, outermost first.
    pub scopes: Vec<Scope>,
    /// Sort of function.
    pub kind: FunctionKind,
    /// Language of the translation unit it was read in.
    pub language: Language,
    /// The class it is a member of.
    pub owner: Option<Usr>,
    /// Access as a member.
    pub access: Option<Access>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Result type (`void` for constructors and destructors).
    pub result: Type,
    /// The parameters where it is a template itself.
    pub template: Option<Vec<TemplateParam>>,
    /// Of a function template: what it asks of its arguments, as written before its body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// Of a function that takes `...`: the types as which its body reads them, as written, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// For an explicit specialisation of a function template: its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specialized_for: Vec<TemplateArg>,
    /// Virtual, pure, override.
    pub is_virtual: bool,
    /// `= 0`.
    pub is_pure: bool,
    /// Methods that it overrides directly.
    pub overrides: Vec<Usr>,
    /// `const` method.
    pub is_const: bool,
    /// `&` or `&&` qualified.
    pub ref_qualifier: Option<String>,
    /// `static` at namespace level, or in an anonymous namespace.
    pub is_file_local: bool,
    /// `inline`, written or by standing in the class.
    pub is_inline: bool,
    /// `constexpr` or `consteval`.
    pub is_constexpr: bool,
    /// `noexcept`.
    pub is_noexcept: bool,
    /// `= delete`.
    pub is_deleted: bool,
    /// `= default`.
    pub is_defaulted: bool,
    /// `explicit` constructor or conversion.
    pub is_explicit: bool,
    /// C variadic (`...`).
    pub is_variadic: bool,
    /// `[[noreturn]]` and its like.
    pub is_noreturn: bool,
    /// Copy or move constructor.
    pub is_copy_or_move: bool,
    /// The class template that defines it as its friend: it has the parameters of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friend_of: Option<Usr>,
    /// Mangled name, where clang gives one (the symbol in object files).
    pub mangled: Option<String>,
    /// Every declaration that is not the definition.
    pub declarations: Vec<Extent>,
    /// The definition, where one was seen.
    pub definition: Option<Definition>,
}

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

impl Function {
    /// Whether it is one that was made up for what calls back.
    pub fn is_made_up(&self) -> bool {
        self.usr.starts_with("made-up:")
    }

    /// A function that stands in no source: a plain one that the file has for itself.
    pub fn made_up(name: &str, params: Vec<Param>, result: Type, language: Language) -> Self {
        Self {
            usr: format!("made-up:{name}"),
            name: name.to_owned(),
            qualified: name.to_owned(),
            id: name.to_owned(),
            scopes: Vec::new(),
            kind: FunctionKind::Function,
            language,
            owner: None,
            access: None,
            params,
            result,
            template: None,
            specialized_for: Vec::new(),
            is_virtual: false,
            is_pure: false,
            overrides: Vec::new(),
            is_const: false,
            ref_qualifier: None,
            is_file_local: true,
            is_inline: false,
            is_constexpr: false,
            is_noexcept: false,
            is_deleted: false,
            is_defaulted: false,
            is_explicit: false,
            is_variadic: false,
            is_noreturn: false,
            is_copy_or_move: false,
            friend_of: None,
            asks: None,
            reads: Vec::new(),
            mangled: None,
            declarations: Vec::new(),
            definition: None,
        }
    }
}

impl Enum {
    /// The enumerators, named within the type as it is spelled: what a class template defines is named by an instantiation.
    /// Empty where the spelling does not say which one.
    pub fn enumerators_of(&self, ty: &Type, model: &Model) -> Vec<(String, i128)> {
        let is_of_template = self.scopes.iter().any(|scope| {
            matches!(scope, Scope::Class(usr) if model.classes.get(usr).is_some_and(|class| class.template.is_some()))
        });
        if !is_of_template {
            return self.enumerators.clone();
        }
        let spelled = ty.without_ref().bare_spelling();
        let scope = if self.scoped { Some(spelled) } else { spelled.rsplit_once("::").map(|(scope, _)| scope) };
        let Some(scope) = scope.filter(|scope| scope.contains('<')) else { return Vec::new() };
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        self.enumerators.iter().map(|(name, value)| (format!("{scope}::{}", last(name)), *value)).collect()
    }
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
    /// What it stands for.
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
}

/// A name in a project file that refers to an entity of the project: what a copy must rename.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// Offset of the identifier in its file.
    pub offset: u32,
    /// Length of the identifier.
    pub len: u32,
    /// What it refers to (for a constructor or destructor name: the class).
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
    /// By members that are pointers or arrays: how many elements bodies look at behind them, and what bounds the places.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<Usr, Elements>,
    /// What instantiations of functions return where the template's own text does not say it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub returned: BTreeMap<Usr, BTreeSet<Returned>>,
    /// What tests and examples do to objects, by class, the richest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub histories: BTreeMap<Usr, Vec<History>>,
    /// Of headers the translation unit that sees and has most of them: an index.
    #[serde(skip)]
    pub homes: BTreeMap<PathBuf, usize>,
    /// Of functions that a header defines the translation units that see the definition: a header may have code for one
    /// source only, behind a macro.
    #[serde(skip)]
    pub sightings: BTreeMap<Usr, Vec<usize>>,
    /// What sources call alike, and is told apart here.
    #[serde(skip)]
    pub namesakes: Namesakes,
    /// Types that the user's own rows describe.
    #[serde(skip)]
    pub library: library::Library,
}
