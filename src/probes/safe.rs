//! Whether an expression may be evaluated once more beside the program: it has no side effect, and every operation
//! that might trap (or has no defined value) is also evaluated by the original.

use super::view::View;
use crate::model::{Prim, TypeKind};
use crate::tree::{Entity, Kind, Node, Role};
use std::collections::BTreeSet;

/// A condition that holds where an operation is evaluated: its text, and whether it is true.
type Guard = (String, bool);

/// An operation that may trap, with the conditions under which it is evaluated.
#[derive(Clone, Debug)]
struct Operation {
    text: String,
    guards: Vec<Guard>,
}

/// An expression without side effects.
#[derive(Clone, Debug, Default)]
pub struct Pure {
    operations: Vec<Operation>,
    /// It computes with floating-point numbers.
    pub floats: bool,
}

impl Pure {
    /// `None` if the expression has or may have a side effect. `unset` are local variables that may be uninitialised.
    pub fn of(node: &Node, view: &View<'_>, unset: &BTreeSet<&str>) -> Option<Self> {
        let mut looker = Looker { view, unset, guards: Vec::new(), pure: Self::default() };
        looker.value(node)?;
        Some(looker.pure)
    }

    /// Whether this cannot trap where `original` does not: the original evaluates each of its operations too.
    pub fn is_covered_by(&self, original: &Self) -> bool {
        self.operations.iter().all(|own| {
            let also = |known: &&Operation| {
                known.text == own.text && known.guards.iter().all(|guard| own.guards.contains(guard))
            };
            original.operations.iter().any(|known| also(&known))
        })
    }
}

fn is_object(node: &Node) -> bool {
    matches!(node.kind, Kind::Name { .. } | Kind::Member { .. } | Kind::Text | Kind::Index | Kind::Paren)
}

struct Looker<'l> {
    view: &'l View<'l>,
    unset: &'l BTreeSet<&'l str>,
    guards: Vec<Guard>,
    pure: Pure,
}

impl Looker<'_> {
    fn operation(&mut self, node: &Node) -> Option<()> {
        let text = self.view.line(node.span)?;
        self.pure.operations.push(Operation { text, guards: self.guards.clone() });
        Some(())
    }

    /// An expression with a value of a scalar type.
    fn value(&mut self, node: &Node) -> Option<()> {
        match &self.view.ty(node)?.kind {
            TypeKind::Prim(Prim::LongDouble | Prim::Int128 | Prim::UInt128) => return None,
            TypeKind::Prim(prim) => self.pure.floats |= matches!(prim, Prim::Float | Prim::Double),
            TypeKind::Enum(_) | TypeKind::Pointer(_) => {}
            // An array decays to a pointer to its first element.
            TypeKind::Array(..) if is_object(node) => {}
            _ => return None,
        }
        self.looked(node)
    }

    fn looked(&mut self, node: &Node) -> Option<()> {
        if self.view.is_volatile(node) {
            return None;
        }
        match &node.kind {
            Kind::Integer(_)
            | Kind::Floating
            | Kind::Character
            | Kind::Boolean(_)
            | Kind::Null
            | Kind::Text
            | Kind::This
            | Kind::Unevaluated => Some(()),
            Kind::Name { of, name, .. } => match of {
                Entity::Local if self.unset.contains(name.as_str()) => self.operation(node),
                Entity::Local | Entity::Parameter | Entity::Field | Entity::Global | Entity::Enumerator => Some(()),
                Entity::Function | Entity::Method | Entity::Other => None,
            },
            Kind::Member { of, arrow, .. } => {
                if !matches!(of, Entity::Field | Entity::Global | Entity::Enumerator) {
                    return None;
                }
                let Some(object) = node.child(Role::Object) else { return Some(()) };
                match arrow {
                    true => {
                        self.value(object)?;
                        if object.kind == Kind::This { Some(()) } else { self.operation(node) }
                    }
                    false => self.object(object, node),
                }
            }
            Kind::Index => {
                self.operation(node)?;
                self.value(node.child(Role::Left)?)?;
                self.value(node.child(Role::Right)?)
            }
            Kind::Paren => self.value(node.child(Role::Operand)?),
            Kind::Cast => self.cast(node),
            Kind::Unary { op, .. } => {
                let operand = node.child(Role::Operand)?;
                match op.as_str() {
                    "+" | "-" | "~" | "!" => self.value(operand),
                    "*" => {
                        self.operation(node)?;
                        self.value(operand)
                    }
                    "&" if !matches!(operand.kind, Kind::Name { of: Entity::Function | Entity::Method, .. }) => {
                        self.looked(operand)
                    }
                    _ => None,
                }
            }
            Kind::Binary { op, .. } => self.binary(node, op),
            Kind::Conditional => {
                let condition = node.child(Role::Condition)?;
                self.value(condition)?;
                self.under(condition, true, node.child(Role::Then)?)?;
                self.under(condition, false, node.child(Role::Else)?)
            }
            _ => None,
        }
    }

    /// The left side of a `.`: an object, or a dereferenced pointer.
    fn object(&mut self, object: &Node, member: &Node) -> Option<()> {
        match &object.kind {
            // A local object may be uninitialised.
            Kind::Name { of: Entity::Local, name, .. } if self.unset.contains(name.as_str()) => self.operation(member),
            Kind::Name { of: Entity::Local | Entity::Parameter | Entity::Field | Entity::Global, .. } => Some(()),
            Kind::Member { .. } | Kind::Index => self.looked(object),
            Kind::Unary { op, .. } if op == "*" => self.looked(object),
            Kind::Paren => self.object(object.child(Role::Operand)?, member),
            _ => None,
        }
    }

    fn cast(&mut self, node: &Node) -> Option<()> {
        let operand = node.child(Role::Operand)?;
        let own = self.view.own_words(node);
        // A dynamic cast may throw; a cast to a reference is another name for its operand.
        if own.iter().any(|word| matches!(word.as_str(), "dynamic_cast" | "&" | "&&" | "{")) {
            return None;
        }
        let is_float = |node: &Node| {
            self.view.ty(node).is_some_and(|ty| matches!(ty.kind, TypeKind::Prim(Prim::Float | Prim::Double)))
        };
        if is_float(operand) && !is_float(node) {
            // Out of the type's range the value is not defined.
            self.operation(node)?;
        }
        self.value(operand)
    }

    fn binary(&mut self, node: &Node, op: &str) -> Option<()> {
        let (left, right) = (node.child(Role::Left)?, node.child(Role::Right)?);
        match op {
            "&&" | "||" => {
                self.value(left)?;
                return self.under(left, op == "&&", right);
            }
            "/" | "%" => {
                let is_float = |ty: &TypeKind| matches!(ty, TypeKind::Prim(Prim::Float | Prim::Double));
                let by_number = matches!(right.kind, Kind::Integer(Some(1..)));
                if !by_number && !is_float(&self.view.ty(node)?.kind) {
                    self.operation(node)?;
                }
            }
            "<<" | ">>" => {
                let narrow = self.view.ty(node)?.size.unwrap_or(0) * 8;
                let in_range = matches!(right.kind, Kind::Integer(Some(by)) if by >= 0 && (by as u64) < narrow);
                if !in_range {
                    self.operation(node)?;
                }
            }
            "+" | "-" | "*" | "<" | ">" | "<=" | ">=" | "==" | "!=" | "&" | "|" | "^" | "," => {}
            _ => return None,
        }
        self.value(left)?;
        self.value(right)
    }

    /// Adds what is evaluated only if `condition` is `truth`.
    fn under(&mut self, condition: &Node, truth: bool, node: &Node) -> Option<()> {
        let before = self.guards.len();
        self.assume(condition, truth)?;
        self.value(node)?;
        self.guards.truncate(before);
        Some(())
    }

    fn assume(&mut self, condition: &Node, truth: bool) -> Option<()> {
        match (&condition.kind, truth) {
            (Kind::Paren, _) => self.assume(condition.child(Role::Operand)?, truth),
            (Kind::Unary { op, .. }, _) if op == "!" => self.assume(condition.child(Role::Operand)?, !truth),
            (Kind::Binary { op, .. }, true) if op == "&&" => {
                self.assume(condition.child(Role::Left)?, true)?;
                self.assume(condition.child(Role::Right)?, true)
            }
            (Kind::Binary { op, .. }, false) if op == "||" => {
                self.assume(condition.child(Role::Left)?, false)?;
                self.assume(condition.child(Role::Right)?, false)
            }
            _ => {
                self.guards.push((self.view.line(condition.span)?, truth));
                Some(())
            }
        }
    }
}
