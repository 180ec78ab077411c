//! What a body does with variables that outlive the call and with what its parameters point to: those that it reads and
//! nothing else. A table that nobody writes to is a constant, whether it says so or not.
//!
//! If in doubt, something is written to.

use crate::model::{Function, Language, Model, Type, TypeKind, Usr};
use crate::tree::{Body, Entity, Kind, Node, Role, Trees};
use std::collections::BTreeSet;

/// What one body does with variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// Variables that outlive the call and that it names.
    pub named: BTreeSet<String>,
    /// Variables that it declares.
    pub own: BTreeSet<String>,
    /// Those that it may write to, or whose address goes somewhere.
    pub written: BTreeSet<String>,
    /// Arrays that it hands to a function, with the argument's place.
    pub handed: BTreeSet<(String, Usr, usize)>,
    /// Parameters whose pointers it reads through, and does nothing else with.
    pub reads: BTreeSet<usize>,
    /// Some of it is not in its tree.
    pub is_hidden: bool,
}

/// How the value of an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// It is read.
    Value,
    /// As true or false, or compared.
    Truth,
    /// It leads to an element that is read.
    Place,
    /// It is counted up or down.
    Step,
    /// Not at all.
    Discarded,
    /// Otherwise.
    Other,
}
use How::{Discarded, Other, Place, Step, Truth, Value};

impl Uses {
    /// Those of a body.
    pub fn of(model: &Model, trees: &Trees, body: &Body) -> Self {
        let Some(function) = model.functions.get(&body.unit) else {
            return Self { is_hidden: true, ..Self::default() };
        };
        let mut look = Look { model, trees, function, uses: Self::default(), escaped: BTreeSet::new() };
        look.at(&body.root, Discarded);
        for value in body.initializers.iter().flat_map(|initializer| &initializer.values) {
            look.at(value, Other);
        }
        let Look { mut uses, escaped, .. } = look;
        let is_read = |(_, param): &(usize, &crate::model::Param)| {
            matches!(param.ty.kind, TypeKind::Pointer(_)) && !escaped.contains(&param.name)
        };
        if !uses.is_hidden && !function.is_variadic {
            uses.reads = function.params.iter().enumerate().filter(is_read).map(|(at, _)| at).collect();
        }
        uses
    }

    /// Whether it only reads the variable; `only_reads` says so of a function's parameter.
    pub fn spares(&self, name: &str, only_reads: &dyn Fn(&Usr, usize) -> bool) -> bool {
        let handed = self.handed.iter().filter(|(variable, ..)| variable == name);
        !self.is_hidden
            && self.named.contains(name)
            && !self.written.contains(name)
            && handed.clone().all(|(_, function, at)| only_reads(function, *at))
    }
}

struct Look<'l> {
    model: &'l Model,
    trees: &'l Trees,
    function: &'l Function,
    uses: Uses,
    escaped: BTreeSet<String>,
}

impl Look<'_> {
    fn ty(&self, node: &Node) -> Option<&Type> {
        self.trees.types.get(node.ty? as usize)
    }

    fn is_number(&self, node: &Node) -> bool {
        self.ty(node).is_some_and(|ty| matches!(ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_)))
    }

    fn is_pointer(&self, node: &Node) -> bool {
        self.ty(node).is_some_and(|ty| matches!(ty.kind, TypeKind::Pointer(_)))
    }

    fn is_array(&self, node: &Node) -> bool {
        self.ty(node).is_some_and(|ty| matches!(ty.kind, TypeKind::Array(..)))
    }

    /// How what leads to an element is used, where the element itself is used so.
    fn base(&self, element: &Node, how: How) -> How {
        let is_read = matches!(how, Value | Truth | Discarded) && (self.is_number(element) || self.is_pointer(element));
        if is_read || how == Place { Place } else { Other }
    }

    fn all(&mut self, node: &Node, how: How) {
        node.children.iter().for_each(|child| self.at(child, how));
    }

    /// The name of a variable as bodies list it: of a file's, the qualified one.
    fn name(&self, usr: &Usr, name: &str) -> String {
        let known = self.model.variables.get(usr).filter(|variable| !variable.qualified.contains('('));
        known.map_or(name, |variable| &variable.qualified).to_owned()
    }

    fn at(&mut self, node: &Node, how: How) {
        if node.is_apart() {
            self.uses.is_hidden = true;
            return;
        }
        match &node.kind {
            Kind::Name { target, name, of: Entity::Global, .. } => {
                let name = self.name(target, name);
                let is_read = match how {
                    Value => self.is_number(node) || self.is_pointer(node),
                    Place | Truth | Discarded => true,
                    Step | Other => false,
                };
                self.uses.written.extend((!is_read).then(|| name.clone()));
                self.uses.named.insert(name);
            }
            Kind::Name { name, of: Entity::Parameter, .. } => {
                if !self.is_number(node) && !matches!(how, Place | Step | Truth | Discarded) {
                    self.escaped.insert(name.clone());
                }
            }
            Kind::Variable { name, .. } => {
                self.uses.own.insert(name.clone());
                let refers = self.ty(node).is_none_or(|ty| ty.is_reference());
                self.all(node, if refers { Other } else { Value });
            }
            Kind::Paren => self.all(node, how),
            Kind::InitList if how == Value => self.all(node, Value),
            Kind::Cast => self.all(node, if how != Other && self.is_number(node) { Value } else { Other }),
            Kind::Index => {
                let base = self.base(node, how);
                for child in &node.children {
                    self.at(child, if child.role == Role::Left { base } else { Value });
                }
            }
            Kind::Member { .. } => {
                let base = self.base(node, how);
                self.all(node, base);
            }
            Kind::Unary { op, .. } => {
                let below = match op.as_str() {
                    "*" => self.base(node, how),
                    "++" | "--" if how != Other && how != Value || self.is_number(node) => Step,
                    "-" | "+" | "~" => Value,
                    "!" => Truth,
                    _ => Other,
                };
                self.all(node, below);
            }
            Kind::Binary { op, .. } => match op.as_str() {
                "" => self.all(node, Other),
                "," => node.children.iter().for_each(|child| {
                    self.at(child, if child.role == Role::Left { Discarded } else { how });
                }),
                "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => self.all(node, Truth),
                _ if self.is_number(node) => self.all(node, Value),
                _ => {
                    for child in &node.children {
                        let leads = how == Place && (self.is_pointer(child) || self.is_array(child));
                        let below = if leads { Place } else { Value };
                        self.at(child, below);
                    }
                }
            },
            Kind::Assign { op, .. } => {
                for child in &node.children {
                    let left = if matches!(op.as_str(), "+=" | "-=") && how == Discarded { Step } else { Other };
                    self.at(child, if child.role == Role::Left { left } else { Value });
                }
            }
            Kind::Conditional => {
                for child in &node.children {
                    self.at(child, if child.role == Role::Condition { Truth } else { how });
                }
            }
            Kind::Call { target, .. } => self.call(node, target),
            Kind::Return => {
                let refers = self.function.result.is_reference();
                self.all(node, if refers { Other } else { Value });
            }
            Kind::Unevaluated => {}
            Kind::Other(_) => {
                self.uses.is_hidden = true;
                self.all(node, Other);
            }
            Kind::Expression => self.all(node, Discarded),
            Kind::RangeFor => self.all(node, Other),
            kind if kind.is_statement() => {
                for child in &node.children {
                    self.at(child, if child.role == Role::Condition { Truth } else { Discarded });
                }
            }
            _ => self.all(node, Other),
        }
    }

    fn call(&mut self, node: &Node, target: &Usr) {
        let function = self.model.functions.get(target);
        let mut place = 0;
        for child in &node.children {
            if child.role != Role::Argument {
                self.at(child, Other);
                continue;
            }
            let param = function.and_then(|function| function.params.get(place));
            let is_c = self.function.language == Language::C;
            let by_value = param.map_or(is_c, |param| !param.ty.is_reference());
            match &child.kind {
                Kind::Name { target: variable, name, of: Entity::Global, .. } if by_value && self.is_array(child) => {
                    let name = self.name(variable, name);
                    self.uses.named.insert(name.clone());
                    self.uses.handed.insert((name, target.clone(), place));
                }
                _ => self.at(child, if by_value { Value } else { Other }),
            }
            place += 1;
        }
    }
}
