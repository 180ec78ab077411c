//! Bodies of functions as trees of statements and expressions, as plain data: what the mutation operators look at.
//!
//! `parse` makes them from libclang's cursors, one file at a time; nothing here knows libclang. Offsets are bytes of
//! the file as it is on disk. What stands within a macro expansion is in the tree, so that conditions and types are
//! complete, but marked: no operator may touch it.
//!
//! Below a node that is not marked, children lie within their parent, in order, and do not overlap. What a macro
//! expands to has the whole expansion as its span; several nodes of one expansion in a row are below one
//! `Other("Macro")`.

use crate::model::{Type, Usr};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The bodies that one file defines, as read within one translation unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trees {
    /// The file, absolute.
    pub file: PathBuf,
    /// The types that nodes have, each once.
    pub types: Vec<Type>,
    /// The bodies, in order of their place.
    pub bodies: Vec<Body>,
}

/// The definition of one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The function; the key into the model.
    pub unit: Usr,
    /// Of a constructor: its initialisers as written, in order.
    pub initializers: Vec<Initializer>,
    /// The compound statement (of a function-try-block: the `try`).
    pub root: Node,
}

/// An initialiser of a constructor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Initializer {
    /// The name of the member, base or class as written.
    pub name: String,
    /// The initialised member or base.
    pub of: Initialized,
    /// From the name to the closing parenthesis or brace.
    pub span: Span,
    /// The values.
    pub values: Vec<Node>,
}

/// The target of an initialiser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Initialized {
    /// A member of this type (index into [`Trees::types`]).
    Member {
        /// Its USR.
        usr: Usr,
        /// Its type.
        ty: Option<u32>,
    },
    /// A base class.
    Base,
    /// The class itself: a delegating constructor.
    Delegate,
}

/// Bytes `start..end` of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

/// A statement or an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Its role in its parent.
    pub role: Role,
    /// Its text; a statement's includes the `;` that ends it.
    pub span: Span,
    /// Some of its text is (part of) a macro expansion, and not the whole of one: not to be touched. Statements below
    /// it that are not marked themselves (the body of a loop whose head is a macro) stand as they are written.
    pub in_macro: bool,
    /// An expression's type, an index into [`Trees::types`], before any implicit conversion and with `const` as the
    /// expression has it; a declared variable's type. None where it depends on a template's parameters, or where clang
    /// has none (the name of a method).
    pub ty: Option<u32>,
    /// Its children, in order of the source. Implicit conversions and other nodes that nobody wrote are left out:
    /// their operand stands in their place.
    pub children: Vec<Node>,
}

/// The role of a node in its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Nothing special: a statement of a block, an element of a list.
    #[default]
    Part,
    /// The condition of `if`, `while`, `do`, `for`, `?:`, `switch`; the value of `case`.
    Condition,
    /// The statement before the first `;` of `for`, `if`, `switch`; the initialiser of a declared variable.
    Init,
    /// The third part of a `for`.
    Step,
    /// `if`'s and `?:`'s first branch; the body of a loop, `switch`, `case`, label, `try`, `catch`, lambda.
    Then,
    /// The other branch.
    Else,
    /// Left operand; the array of an index.
    Left,
    /// Right operand; the index.
    Right,
    /// Operand of a unary operator, cast, parentheses, `return`, `throw`, `delete`; the expression of an expression
    /// statement; what a range-based `for` runs over.
    Operand,
    /// The callee: the name, or the member expression.
    Callee,
    /// The object of a member expression.
    Object,
    /// An argument of a call or construction.
    Argument,
    /// A variable or array length in a declaration; the array length of `new`; the index of a designated initialiser.
    Declared,
}

/// The kind of entity that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Entity {
    Local,
    Parameter,
    Field,
    /// A variable at namespace level, a static member, a static local.
    Global,
    Function,
    Method,
    Enumerator,
    Other,
}

/// The kind of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Kind {
    // Statements.
    Block,
    /// An expression as a statement: the expression is the `Operand`, without the `;`. Everywhere a statement may
    /// stand; what stands in the head of a `for` or `if` is the bare expression.
    Expression,
    /// `if constexpr` as well.
    If,
    While,
    DoWhile,
    For,
    /// The variable is `Declared` (without initialiser), what it runs over the `Operand`.
    RangeFor,
    Switch,
    /// Its value is the `Condition` (two for a range of values), the labelled statement is `Then`.
    Case,
    Default,
    Return,
    Break,
    Continue,
    Goto,
    Label,
    /// The block is `Then`, the handlers are `Part`s.
    Try,
    /// The variable is `Declared`.
    Catch,
    /// `;` alone.
    Empty,
    /// A declaration statement; its `Declared` children are the variables, with their initialisers below them.
    Declaration,
    /// A declared variable: `Declared` lengths of an array, then `Init`. The name of a structured binding is
    /// `[a, b]`. In the head of `if`, `while`, `for`, `switch` it is the `Condition` itself.
    Variable {
        usr: Usr,
        name: String,
    },

    // Expressions.
    /// `+`, `<`, `&&`, `,`… of built-in types, or of types that a template leaves open; not assignments. `and` is
    /// `&&`; empty where the operator comes from a macro (an assignment is a `Binary`, too, then).
    Binary {
        op: String,
        /// Where the operator stands.
        at: Span,
    },
    /// `=`, `+=`… of built-in types.
    Assign {
        op: String,
        at: Span,
    },
    /// `-`, `!`, `~`, `*`, `&`, `++`, `--`… of built-in types.
    Unary {
        op: String,
        postfix: bool,
    },
    /// `?:`.
    Conditional,
    /// An integer literal with its value, where it fits.
    Integer(Option<i64>),
    /// A floating-point literal.
    Floating,
    /// A character literal.
    Character,
    /// `true`, `false`.
    Boolean(bool),
    /// A string literal.
    Text,
    /// `nullptr`.
    Null,
    This,
    /// A name, also of a member without an object written before it.
    Name {
        target: Usr,
        name: String,
        of: Entity,
        /// As written with its qualifiers, e.g. `Base::`; empty without.
        qualifier: String,
    },
    /// `object.name`, `object->name`; the object is the child.
    Member {
        target: Usr,
        name: String,
        of: Entity,
        arrow: bool,
        /// Where the name stands (with its qualifier).
        at: Span,
        qualifier: String,
    },
    /// `a[i]` of built-in types, or of types that a template leaves open.
    Index,
    /// A call of a function, method or object: `Callee` child, then arguments that are written.
    Call {
        /// The callee, where it is known: of an instantiation, the template.
        target: Usr,
        /// Qualified name without inline namespaces and template arguments (`std::min`); also where a template leaves
        /// open which of several is meant. Empty for what has no name of its own, such as a pointer to a function.
        name: String,
        /// A call of a virtual method that is not qualified.
        is_virtual: bool,
    },
    /// An overloaded operator in operator notation; operands are `Left` and `Right`, or `Operand`. Not `->`, whose
    /// operand is the `Object` of a `Member`, and not `()`, which is a `Call`.
    OperatorCall {
        target: Usr,
        op: String,
        /// Of `[]`: the opening bracket.
        at: Span,
    },
    /// `T(…)`, `T{…}`, or the `(…)` or `{…}` behind a declared variable's name; the values are `Argument`s. The
    /// target is empty where it depends on a template's parameters, and for aggregates.
    Construct {
        target: Usr,
    },
    /// `new T(…)`; with the place of the type's name. Placement arguments are `Part`s, the others `Argument`s.
    New {
        class: Option<Usr>,
        at: Span,
    },
    Delete,
    Throw,
    /// A cast as written.
    Cast,
    Paren,
    /// `{…}` as an expression.
    InitList,
    /// A lambda; its body is `Then`.
    Lambda,
    /// `sizeof`, `alignof`, `typeid`, `noexcept`: operands are not evaluated, and not in the tree.
    Unevaluated,
    /// Anything else, by clang's name.
    Other(String),
}

impl Kind {
    /// Whether this stands where a statement may; what is `Other` is not counted.
    pub fn is_statement(&self) -> bool {
        use Kind::*;
        matches!(
            self,
            Block
                | Expression
                | If
                | While
                | DoWhile
                | For
                | RangeFor
                | Switch
                | Case
                | Default
                | Return
                | Break
                | Continue
                | Goto
                | Label
                | Try
                | Empty
                | Declaration
        )
    }
}

impl Node {
    /// Visits this node and everything below it, parents first.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Node)) {
        visit(self);
        for child in &self.children {
            child.walk(visit);
        }
    }

    /// Whether what is below belongs to a function of its own: a lambda, or a method of a local class.
    pub fn is_apart(&self) -> bool {
        self.kind == Kind::Lambda || self.is_local_class()
    }

    /// Whether outer code may jump into it: to a label, or to a `case` of an outer `switch`.
    pub fn is_entered_by_labels(&self) -> bool {
        fn has_labels(node: &Node, in_switch: bool) -> bool {
            let in_switch = in_switch || node.kind == Kind::Switch;
            match node.kind {
                Kind::Label => true,
                Kind::Case | Kind::Default if !in_switch => true,
                _ => !node.is_apart() && node.children.iter().any(|child| has_labels(child, in_switch)),
            }
        }
        has_labels(self, false)
    }

    /// A class (or another type) that is declared within a function; the bodies of its methods are below it.
    pub fn is_local_class(&self) -> bool {
        self.role == Role::Declared && matches!(self.kind, Kind::Other(_))
    }

    /// The first child with this role.
    pub fn child(&self, role: Role) -> Option<&Node> {
        self.children.iter().find(|child| child.role == role)
    }
}

impl Span {
    /// The text it covers; empty where the file is shorter.
    pub fn text<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}
