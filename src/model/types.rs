//! Types: how they are spelled and what they are.

use super::Usr;
use serde::{Deserialize, Serialize};

/// The arithmetic types, by canonical kind; widths are the target's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Prim {
    Bool,
    Char,
    SChar,
    UChar,
    WChar,
    Char8,
    Char16,
    Char32,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
}

impl Prim {
    /// An integer type, characters excluded.
    pub fn is_integer(self) -> bool {
        use Prim::{Int, Long, LongLong, Short, UInt, ULong, ULongLong, UShort};
        matches!(self, Short | UShort | Int | UInt | Long | ULong | LongLong | ULongLong)
    }
}

/// A type: how it is spelled (typedefs kept, names fully qualified without a leading `::`) and what it is
/// (typedefs and sugar resolved).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Type {
    /// Fully qualified spelling that can be pasted anywhere, with its own `const`.
    pub spelling: String,
    /// Top-level `const`.
    pub is_const: bool,
    /// Its kind.
    pub kind: TypeKind,
    /// `sizeof` in bytes, where the type is complete.
    pub size: Option<u64>,
}

/// The kind of a type, with typedefs resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `std::nullptr_t`.
    NullPtr,
    /// An arithmetic type.
    Prim(Prim),
    /// An enumeration, scoped or not.
    Enum(Usr),
    /// A class, structure or union; `name` is qualified, without template arguments and without inline
    /// namespaces (`std::vector`, `sat::DynamicMission`).
    Record {
        /// USR of the class or of the class template (for an instantiation: of the template).
        usr: Usr,
        /// Qualified name without arguments.
        name: String,
        /// Template arguments, all of them, defaults included.
        args: Vec<TemplateArg>,
    },
    /// `T *`.
    Pointer(Box<Type>),
    /// `T &`.
    LvalueRef(Box<Type>),
    /// `T &&`.
    RvalueRef(Box<Type>),
    /// `T[N]`, or `T[]` with no length.
    Array(Box<Type>, Option<u64>),
    /// A function type (behind a pointer or reference).
    Function {
        /// Result type.
        result: Box<Type>,
        /// Parameter types.
        params: Vec<Type>,
        /// Whether more may follow them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_variadic: bool,
        /// Whether it says that it throws nothing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_noexcept: bool,
        /// The names of the parameters where the type is written.
        #[serde(default, skip_serializing_if = "ParamNames::is_empty")]
        names: ParamNames,
    },
    /// A pointer to member.
    MemberPointer,
    /// A template's own parameter (or a type that depends on one), by its spelling.
    Dependent(String),
    /// Something libclang does not describe; the reason or the kind's name.
    Unknown(String),
}

/// What the parameters of a function type are called where it is written, an empty name for each that has none. Types
/// that differ in them alone are the same: any two compare equal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ParamNames(pub Vec<String>);

impl ParamNames {
    /// Whether none has one.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(String::is_empty)
    }
}

impl PartialEq for ParamNames {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ParamNames {}

impl PartialOrd for ParamNames {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ParamNames {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl std::hash::Hash for ParamNames {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// An argument of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TemplateArg {
    /// A type.
    Type(Type),
    /// A value, as spelled in the display name.
    Value(String),
}

impl TemplateArg {
    /// The type, where it is one.
    pub fn ty(&self) -> Option<&Type> {
        match self {
            TemplateArg::Type(ty) => Some(ty),
            TemplateArg::Value(_) => None,
        }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        match self {
            TemplateArg::Type(ty) => &ty.spelling,
            TemplateArg::Value(value) => value,
        }
    }

    /// Arguments as they stand between angle brackets.
    pub fn list<'a>(args: impl IntoIterator<Item = &'a Self>) -> String {
        args.into_iter().map(Self::text).collect::<Vec<_>>().join(", ")
    }
}

impl Default for Type {
    /// `void`.
    fn default() -> Self {
        Self::new("void", TypeKind::Void)
    }
}

impl Type {
    /// A type that is not `const`, of a size that is not known.
    pub fn new(spelling: impl Into<String>, kind: TypeKind) -> Self {
        Self { spelling: spelling.into(), is_const: false, kind, size: None }
    }

    /// Whether this type, or one that it is made of, passes a test.
    pub fn any(&self, passes: impl Fn(&Type) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |ty| found |= passes(ty));
        found
    }

    /// A number, an enumerator or a pointer.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_))
    }

    /// A reference of either kind.
    pub fn is_reference(&self) -> bool {
        matches!(self.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_))
    }

    /// The type behind one reference, or itself.
    pub fn without_ref(&self) -> &Type {
        match &self.kind {
            TypeKind::LvalueRef(inner) | TypeKind::RvalueRef(inner) => inner,
            _ => self,
        }
    }

    /// The type behind one pointer.
    pub fn pointee(&self) -> Option<&Type> {
        match &self.kind {
            TypeKind::Pointer(inner) => Some(inner),
            _ => None,
        }
    }

    /// USR of the class this names directly (no pointer or reference).
    pub fn record(&self) -> Option<&Usr> {
        match &self.kind {
            TypeKind::Record { usr, .. } => Some(usr),
            _ => None,
        }
    }

    /// The template arguments of a class; empty for all other types.
    pub fn args(&self) -> &[TemplateArg] {
        match &self.kind {
            TypeKind::Record { args, .. } => args,
            _ => &[],
        }
    }

    /// Spelling without a leading `const `.
    pub fn bare_spelling(&self) -> &str {
        if self.is_const { self.spelling.strip_prefix("const ").unwrap_or(&self.spelling) } else { &self.spelling }
    }

    /// A name that is the same for the same type, by whatever aliases it is spelled, without `const` at the top.
    pub fn canonical(&self) -> String {
        let whole = |ty: &Type| {
            let constant = if ty.is_const { "const " } else { "" };
            format!("{constant}{}", ty.canonical())
        };
        match &self.kind {
            TypeKind::Pointer(to) => format!("{} *", whole(to)),
            TypeKind::LvalueRef(to) => format!("{} &", whole(to)),
            TypeKind::RvalueRef(to) => format!("{} &&", whole(to)),
            TypeKind::Record { name, args, .. } if !args.is_empty() => {
                let args = args.iter().map(|arg| match arg {
                    TemplateArg::Type(ty) => whole(ty),
                    TemplateArg::Value(text) => text.clone(),
                });
                format!("{name}<{}>", args.collect::<Vec<_>>().join(", "))
            }
            TypeKind::Record { name, .. } => name.clone(),
            TypeKind::Prim(prim) => format!("{prim:?}"),
            TypeKind::Enum(usr) => usr.clone(),
            _ => self.bare_spelling().to_owned(),
        }
    }

    /// Visits this type and every type it is made of.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Type)) {
        visit(self);
        match &self.kind {
            TypeKind::Pointer(t) | TypeKind::LvalueRef(t) | TypeKind::RvalueRef(t) | TypeKind::Array(t, _) => {
                t.walk(visit)
            }
            TypeKind::Function { result, params, .. } => {
                result.walk(visit);
                params.iter().for_each(|p| p.walk(visit));
            }
            TypeKind::Record { args, .. } => args.iter().filter_map(TemplateArg::ty).for_each(|t| t.walk(visit)),
            _ => {}
        }
    }
}
