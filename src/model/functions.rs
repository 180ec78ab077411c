//! Functions with their parameters, and what their bodies show.

use super::classes::TemplateParam;
use super::entity::{Access, Extent, Language, Scope, Usr};
use super::{TemplateArg, Type};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The result type of an instantiation of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Returned {
    /// The arguments of the class template that it belongs to.
    pub of: Vec<TemplateArg>,
    /// Its own.
    pub own: Vec<TemplateArg>,
    /// The type.
    pub ty: Type,
}

/// The kind of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FunctionKind {
    /// A free function.
    #[default]
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
    /// The body compares it with null: callers may pass null.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tested: bool,
    /// The body does nothing with it but pass it to functions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_passed_on: bool,
    /// The index of the parameter that begins the range that this one ends, where the body shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<usize>,
    /// Of a `void *`, or a pointer to a structure: the type that the body casts it to, if there is only one. A
    /// structure is cast in every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_as: Option<Type>,
    /// Of a pointer to an array: what bounds the indices that the body uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Elements>,
    /// Of a number: the greatest up to [`ASKED`], sizes of types included, that the body or a callee compares it with.
    #[serde(default, skip_serializing_if = "is_nought")]
    pub asked: u64,
    /// Of a number: the greatest that is an index into every array of a said length that the body, or a callee, uses it
    /// as an index into without a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greatest_index: Option<u64>,
    /// Its function, or a callee, opens files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opened: bool,
    /// The parameters of callees that it is passed to unchanged.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub handed_to: BTreeSet<(Usr, usize)>,
    /// Those of them to which an array is passed from a place within it, or with constants beside it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub passed_on: BTreeSet<PassedOn>,
    /// What stands behind it is only read, here and by those parameters of callees that it is lent to; none where it
    /// may be changed, or that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_read: Option<BTreeSet<(Usr, usize)>>,
}

impl Param {
    /// What the parameter is, as the body takes it: of a handle, the structure behind it.
    pub fn taken(&self) -> &Type {
        self.seen_as.as_ref().unwrap_or(&self.ty)
    }

    /// A parameter without facts from a body.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Self {
            name: name.into(),
            ty,
            default: None,
            tested: false,
            is_passed_on: false,
            ends: None,
            seen_as: None,
            elements: None,
            asked: 0,
            greatest_index: None,
            opened: false,
            handed_to: BTreeSet::new(),
            passed_on: BTreeSet::new(),
            only_read: None,
        }
    }
}

/// How an array is passed on to a callee.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassedOn {
    /// The callee.
    pub callee: Usr,
    /// Which of its parameters gets the array.
    pub place: usize,
    /// So many elements are before the place that is passed.
    pub moved: u64,
    /// What other parameters get, where it is a constant.
    pub constants: BTreeMap<usize, u64>,
}

/// The length of the array behind a pointer, as far as bodies show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elements {
    /// One more than the greatest constant index.
    pub least: u64,
    /// Computed indices are used as well.
    pub many: bool,
    /// The parameters that bound computed indices.
    pub counted_by: BTreeSet<usize>,
    /// The members that bound computed indices, of the same object or another.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub counted_by_members: BTreeSet<Usr>,
    /// An index combines several of them: a matrix.
    pub in_rows: bool,
    /// The body uses the count itself as an index without a check: one past the last element.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beyond: bool,
    /// So many places before the first the body looks at: a filter's history.
    #[serde(default, skip_serializing_if = "is_nought")]
    pub before: u64,
}

/// Greater numbers are no lengths that an array is made for.
pub const ASKED: u64 = 4096;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_nought(number: &u64) -> bool {
    *number == 0
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

/// Structures of more bytes than this are large: for them it matters which members a body names.
pub const LARGE: u64 = 256;

/// What stands between a member that is an object, or leads to one, and a member of that in [`Definition::changes`].
pub const BEHIND: &str = "->";

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
    /// Of structures of more than [`LARGE`] bytes: the members that it names, and those structures that it takes as a
    /// whole.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub touches: BTreeSet<Usr>,
    /// The data members that it names, of whatever class, by their own names.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub members: BTreeSet<String>,
    /// Those that the initialisers of a constructor give a value.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub initialized: BTreeSet<String>,
    /// Those that it may change, and what it may change of what a member is or leads to: `impl->level`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub changes: BTreeSet<String>,
    /// Those of `members` that its conditions ask for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub asked: BTreeSet<String>,
    /// Those of `changes` that the body brings to more than nothing: not only to `false`, zero or a null pointer.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub sets: BTreeSet<String>,
    /// By the members that it reads as pointers and that are declared as `void *`: the types that it takes them for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub member_types: BTreeMap<Usr, Vec<Type>>,
    /// Of C: the members that are pointers, or elements of arrays of such, that it passes to functions: the member, the
    /// function, the place among its parameters.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub passes: BTreeSet<(Usr, Usr, usize)>,
    /// Of C: the members that point to functions, and that it calls these through.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub calls_members: BTreeSet<Usr>,
    /// Of C: the pointer to a structure that the body returns as a pointer to something else, a handle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Type>,
    /// By the members that it compares with integers: those numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub compared: BTreeMap<Usr, BTreeSet<i64>>,
    /// Non-constant globals, static members and static locals that the body names.
    pub globals: BTreeSet<String>,
    /// Those of the file or the function that the body only reads, with the parameters of callees it lends them to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only_read: BTreeMap<String, BTreeSet<(Usr, usize)>>,
    /// The body is empty, returns a constant or only refuses, and subclasses may override it: a hook.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_hook: bool,
}

/// A function, method, constructor, operator, or function template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Of a function template: the members that its body names of what a parameter of the template stands for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub wants: BTreeMap<String, BTreeSet<String>>,
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
    /// `[[nodiscard]]` and its like, on it or on the type of its result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_nodiscard: bool,
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

/// What bodies with a `new` expression call, beside a constructor.
pub const NEW: &str = "c:@F@operator new";

impl Function {
    /// What the function returns, as its body has it: of a handle, the structure behind it.
    pub fn yielded(&self) -> &Type {
        self.definition.as_ref().and_then(|body| body.returns.as_ref()).unwrap_or(&self.result)
    }

    /// Whether it is one that was made up for what calls back.
    pub fn is_made_up(&self) -> bool {
        self.usr.starts_with("made-up:")
    }

    /// The symbol of an operator that is written beside its operands; none of literal operators (`operator""_km`),
    /// which are called by their names.
    pub fn operator_symbol(&self) -> Option<&str> {
        let symbol = self.name.strip_prefix("operator")?.trim();
        Some(symbol).filter(|symbol| !symbol.starts_with('"'))
    }

    /// A function that stands in no source: a plain one that the file has for itself.
    pub fn made_up(name: &str, params: Vec<Param>, result: Type, language: Language) -> Self {
        Self {
            usr: format!("made-up:{name}"),
            name: name.to_owned(),
            qualified: name.to_owned(),
            id: name.to_owned(),
            language,
            params,
            result,
            is_file_local: true,
            ..Self::default()
        }
    }
}
