//! Finds how to notice a change: a place that control passes before it, the conditions on the way and, if it is an
//! expression that may be evaluated once more, the two expressions.

use super::change::{Change, is_expression};
use super::safe::Pure;
use super::view::View;
use crate::model::{Prim, Type, TypeKind};
use crate::tree::{Entity, Kind, Node, Role, Span};
use std::collections::BTreeSet;

/// A place for a note; offsets of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// After the `{` of a block, or after a statement.
    Behind(u32),
    /// Before a statement of a block.
    Before(u32),
    /// Before a single statement, which gets braces.
    Around(Span),
    /// Before an operand is evaluated.
    Operand(Span),
}

/// A condition on the way to a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The note that is set if the condition was met.
    pub spot: Spot,
    /// The message if it never was.
    pub missed: String,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compared {
    /// As truth values.
    Truth,
    /// Integers, enumerators, pointers.
    Value,
    /// `float`, by its bits.
    Float,
    /// `double`, by its bits.
    Double,
}

/// An expression and the mutant's replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The place of the original.
    pub span: Span,
    /// The original on one line.
    pub original: String,
    /// The mutated one on one line.
    pub mutated: String,
    /// How they are compared.
    pub compared: Compared,
    /// Evaluating it may set floating-point flags.
    pub floats: bool,
}

/// A mutant's change, from the original's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The conditions on the way, outermost first.
    pub way: Vec<Step>,
    /// Control passes here before anything differs.
    pub reached: Spot,
    /// Set only if it may be evaluated beside the original.
    pub replaced: Option<Replaced>,
}

/// Finds a unit's sites.
pub struct Finder<'f> {
    /// The text of all versions.
    pub view: &'f View<'f>,
    /// C++.
    pub cxx: bool,
    /// The unit's result type.
    pub result: &'f Type,
    /// Floating-point values may be compared: the compiler rounds them alike everywhere.
    pub floats: bool,
    /// Turns offsets within the original's body into those of the file.
    pub shift: i64,
    /// Whether a parameter of a function takes a value and not a reference.
    pub by_value: &'f dyn Fn(&str, usize) -> bool,
    /// The line of an offset in the file.
    pub line_of: &'f dyn Fn(u32) -> u32,
}

type Path<'t> = [(&'t Node, &'t Node)];

impl Finder<'_> {
    /// The site of a mutated body; `None` if it equals the original.
    pub fn site(&self, original: &Node, mutated: &Node) -> Option<Site> {
        let change = Change::between(original, mutated, self.view)?;
        let path = &change.path;
        let mut at = path.len() - 1;
        let (last, other) = path[at];
        let (from, to) = (&change.children.0, &change.children.1);
        let labels = last.kind == Kind::Block
            && (last.children[from.clone()].iter().chain(&other.children[to.clone()]).any(Node::is_entered_by_labels));
        let reached = match last.kind {
            Kind::Block if !labels && from.start < last.children.len() => {
                self.before(last, from.start).unwrap_or_else(|| self.statement(path, at))
            }
            Kind::Block if !labels => self.inside(last).unwrap_or_else(|| self.statement(path, at)),
            _ => {
                if labels {
                    at = at.saturating_sub(1);
                }
                self.statement(path, at)
            }
        };
        Some(Site { way: self.way(path, from.start), reached, replaced: self.replaced(path, original) })
    }

    fn at(&self, offset: u32) -> u32 {
        u32::try_from(i64::from(offset) + self.shift).unwrap_or(offset)
    }

    fn moved(&self, span: Span) -> Span {
        Span { start: self.at(span.start), end: self.at(span.end) }
    }

    /// After a block's `{`.
    fn inside(&self, block: &Node) -> Option<Spot> {
        let is_plain = block.kind == Kind::Block && !block.in_macro;
        is_plain.then(|| Spot::Behind(self.at(block.span.start + 1)))
    }

    /// Before a block's child.
    fn before(&self, block: &Node, index: usize) -> Option<Spot> {
        let child = block.children.get(index).filter(|child| !child.in_macro && !child.is_entered_by_labels())?;
        let behind = match index.checked_sub(1) {
            Some(before) => block.children[before].span.end,
            None => block.span.start + 1,
        };
        // Nothing else may be between, such as an attribute or half of an `#if`.
        let alone = behind <= child.span.start && self.view.tokens(behind, child.span.start).is_empty();
        (alone && !block.in_macro).then(|| Spot::Before(self.at(child.span.start)))
    }

    /// A statement that is a branch or the body of a loop.
    fn around(&self, node: &Node) -> Option<Spot> {
        let labelled = matches!(node.kind, Kind::Case | Kind::Default | Kind::Label | Kind::Declaration);
        let ends = self.view.text(node).last().is_some_and(|byte| b";}".contains(byte));
        let alone = node.kind.is_statement() && !labelled && ends && !node.in_macro;
        alone.then(|| Spot::Around(self.moved(node.span)))
    }

    /// Before the statement that contains the node at `at` of the path, or before an enclosing one.
    fn statement(&self, path: &Path<'_>, at: usize) -> Spot {
        for index in (1..=at).rev() {
            let ((node, other), (parent, _)) = (path[index], path[index - 1]);
            if !node.kind.is_statement() || node.is_entered_by_labels() || other.is_entered_by_labels() {
                continue;
            }
            let spot = match (&parent.kind, node.role) {
                (Kind::Block, _) => {
                    let place = parent.children.iter().position(|child| std::ptr::eq(child, node));
                    place.and_then(|place| self.before(parent, place))
                }
                (Kind::Case | Kind::Default, Role::Then) if !node.in_macro && node.kind != Kind::Declaration => {
                    Some(Spot::Before(self.at(node.span.start)))
                }
                (Kind::If | Kind::While | Kind::For | Kind::RangeFor | Kind::DoWhile, Role::Then | Role::Else)
                    if node.kind != Kind::Block =>
                {
                    self.around(node)
                }
                _ => None,
            };
            if let Some(spot) = spot {
                return spot;
            }
        }
        Spot::Behind(self.at(path[0].0.span.start + 1))
    }

    /// The conditions on the way to the end of the path.
    fn way(&self, path: &Path<'_>, child: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut constant = false;
        for (index, (node, _)) in path.iter().enumerate() {
            let next = path.get(index + 1).map(|(next, _)| *next);
            if node.kind == Kind::Block {
                let place = next.and_then(|next| node.children.iter().position(|child| std::ptr::eq(child, next)));
                self.passed(node, place.unwrap_or(child), &mut steps);
            }
            let Some(next) = next else { break };
            constant |= self.is_barred(node, next);
            let condition = || {
                let found = node.child(Role::Condition).or_else(|| node.child(Role::Left));
                self.named(found.or_else(|| node.child(Role::Operand)).map_or(node.span, |found| found.span))
            };
            let spot = || self.inside(next).or_else(|| self.around(next));
            let operand = || {
                let fine = !constant && !next.in_macro && !is_constant(next) && self.is_scalar(next);
                fine.then(|| Spot::Operand(self.moved(next.span)))
            };
            let was_never = |truth: bool| format!("{} was never {truth}", condition());
            let line = || (self.line_of)(self.at(next.span.start));
            let (spot, missed) = match (&node.kind, next.role) {
                (Kind::If | Kind::While | Kind::For, Role::Then) => (spot(), was_never(true)),
                (Kind::If, Role::Else) => (spot(), was_never(false)),
                (Kind::RangeFor, Role::Then) => (spot(), format!("{} was always empty", condition())),
                (Kind::Catch, Role::Then) => (self.inside(next), format!("nothing was caught in line {}", line())),
                (Kind::Lambda, Role::Then) => {
                    (self.inside(next), format!("the lambda was never called in line {}", line()))
                }
                (Kind::Case | Kind::Default, Role::Then) if !next.is_entered_by_labels() && !next.in_macro => {
                    (Some(Spot::Before(self.at(next.span.start))), self.no_case(node))
                }
                (Kind::Binary { op, .. }, Role::Right) if op == "&&" || op == "||" => {
                    (operand(), was_never(op == "&&"))
                }
                (Kind::Conditional, Role::Then) => (operand(), was_never(true)),
                (Kind::Conditional, Role::Else) => (operand(), was_never(false)),
                _ => (None, String::new()),
            };
            steps.extend(spot.map(|spot| Step { spot, missed }));
        }
        steps
    }

    /// A condition in a message.
    fn named(&self, span: Span) -> String {
        let text = self.view.line(span).unwrap_or_else(|| "…".into());
        format!("`{}` in line {}", shortened(&text), (self.line_of)(self.at(span.start)))
    }

    fn no_case(&self, node: &Node) -> String {
        let line = (self.line_of)(self.at(node.span.start));
        let label = match node.child(Role::Condition).and_then(|value| self.view.line(value.span)) {
            Some(value) => format!("case {}", shortened(&value)),
            None => "default".into(),
        };
        format!("nothing led to `{label}` in line {line}")
    }

    /// The conditions in a block before the child `place`: early returns that are not taken, a `case`.
    fn passed(&self, block: &Node, place: usize, steps: &mut Vec<Step>) {
        let before = &block.children[..place.min(block.children.len())];
        let has_label = |child: &Node| matches!(child.kind, Kind::Case | Kind::Default);
        // One with a label of its own need not come by an earlier one.
        if !block.children.get(place).is_some_and(has_label)
            && let Some(label) = before.iter().rev().find(|child| has_label(child))
            && let Some(first) = label.child(Role::Then)
            && !first.is_entered_by_labels()
            && !first.in_macro
            && first.kind != Kind::Declaration
        {
            steps.push(Step { spot: Spot::Before(self.at(first.span.start)), missed: self.no_case(label) });
        }
        for (index, child) in before.iter().enumerate() {
            let leads_out = child.kind == Kind::If
                && child.child(Role::Else).is_none()
                && child.child(Role::Then).is_some_and(|then| match then.kind {
                    Kind::Block => then.children.last().is_some_and(leaves),
                    _ => leaves(then),
                });
            if !leads_out || child.in_macro || index + 1 >= block.children.len() {
                continue;
            }
            if let (Some(spot), Some(condition)) = (self.before(block, index + 1), child.child(Role::Condition)) {
                steps.push(Step { spot, missed: format!("{} was never false", self.named(condition.span)) });
            }
        }
    }

    fn is_scalar(&self, node: &Node) -> bool {
        self.view.ty(node).is_some_and(Type::is_scalar)
    }

    /// The largest expression of the path that may be evaluated beside the original, with its mutated form.
    fn replaced(&self, path: &Path<'_>, body: &Node) -> Option<Replaced> {
        let unset = unset(body);
        let barred = (1..path.len()).find(|index| self.is_barred(path[index - 1].0, path[*index].0));
        let mut best = None;
        for index in (1..barred.unwrap_or(path.len())).rev() {
            let (node, other) = path[index];
            if !is_expression(node) || !is_expression(other) {
                break;
            }
            if let Some(found) = self.replaceable(path, index, &unset) {
                best = Some(found);
            }
        }
        best
    }

    fn replaceable(&self, path: &Path<'_>, index: usize, unset: &BTreeSet<&str>) -> Option<Replaced> {
        let (node, other) = path[index];
        let parent = path[index - 1].0;
        if node.in_macro || other.in_macro || node.role == Role::Callee {
            return None;
        }
        let original = Pure::of(node, self.view, unset)?;
        let mutated = Pure::of(other, self.view, unset)?;
        let floats = original.floats || mutated.floats;
        if !mutated.is_covered_by(&original) || floats && !self.floats {
            return None;
        }
        if (is_named(node) || is_named(other)) && !self.is_value(path, index) {
            return None;
        }
        // A plain 0 may be a null pointer, and select an overload.
        if (is_zero(node) || is_zero(other)) && !self.takes_numbers(parent, node) {
            return None;
        }
        let (ty, other_ty) = (self.view.ty(node)?, self.view.ty(other)?);
        let compared = if is_condition(parent, node) {
            Compared::Truth
        } else {
            match ty.kind {
                _ if !ty.is_scalar() || ty.kind != other_ty.kind => return None,
                TypeKind::Prim(Prim::Float) => Compared::Float,
                TypeKind::Prim(Prim::Double) => Compared::Double,
                _ => Compared::Value,
            }
        };
        let line = |node: &Node| self.view.line(node.span).filter(|text| !text.is_empty());
        Some(Replaced { span: self.moved(node.span), original: line(node)?, mutated: line(other)?, compared, floats })
    }

    /// Whether only the value of a name is used: neither its address nor a reference to it.
    fn is_value(&self, path: &Path<'_>, index: usize) -> bool {
        let (node, parent) = (path[index].0, path[index - 1].0);
        let up = || index >= 2 && self.is_value(path, index - 1);
        match (&parent.kind, node.role) {
            (Kind::Paren, _) | (Kind::Conditional, Role::Then | Role::Else) => up(),
            (Kind::Binary { op, .. }, Role::Right) if op == "," => up(),
            (Kind::Binary { op, .. }, _) => !op.is_empty(),
            (Kind::Unary { op, .. }, _) => matches!(op.as_str(), "-" | "+" | "~" | "!" | "*"),
            (Kind::Assign { .. }, Role::Right) => true,
            (_, Role::Condition) | (Kind::Index | Kind::Expression, _) => true,
            (Kind::Member { arrow, .. }, Role::Object) => *arrow,
            (Kind::Cast, _) => !self.view.own_words(parent).iter().any(|word| word == "&" || word == "&&"),
            (Kind::Return, _) => {
                !self.cxx || !self.result.is_reference() && !path[..index].iter().any(|(node, _)| node.is_apart())
            }
            (Kind::Variable { .. }, Role::Init) => self.view.declared(parent).is_some_and(Type::is_scalar),
            (Kind::Call { target, .. }, Role::Argument) => {
                let place = parent.children.iter().filter(|child| child.role == Role::Argument);
                let place = place.take_while(|child| !std::ptr::eq(*child, node)).count();
                !self.cxx || (self.by_value)(target, place)
            }
            _ => false,
        }
    }

    /// Whether a number is expected in the place of `node`, and no pointer.
    fn takes_numbers(&self, parent: &Node, node: &Node) -> bool {
        let is_number = |ty: Option<&Type>| ty.is_some_and(|ty| matches!(ty.kind, TypeKind::Prim(_)));
        match (&parent.kind, node.role) {
            (Kind::Binary { op, .. }, _) if op != "," => {
                let other = parent.children.iter().find(|child| !std::ptr::eq(*child, node));
                is_number(other.and_then(|other| self.view.ty(other)))
            }
            (Kind::Assign { .. }, Role::Right) => is_number(parent.child(Role::Left).and_then(|n| self.view.ty(n))),
            (Kind::Unary { .. }, _) | (Kind::Index, Role::Right) | (_, Role::Condition) => true,
            (Kind::Variable { .. }, Role::Init) => is_number(self.view.declared(parent)),
            (Kind::Return, _) => is_number(Some(self.result)),
            _ => false,
        }
    }

    /// Whether the declared variable outlives the call, or is a constant.
    fn lasts(&self, declaration: &Node) -> bool {
        let words = ["constexpr", "static", "thread_local", "_Thread_local", "__thread", "constinit"];
        self.view.own_words(declaration).iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether nothing at or below `child` may be evaluated twice or noted: it is a compile-time constant, or a
    /// braced initialiser that must stay one.
    fn is_barred(&self, parent: &Node, child: &Node) -> bool {
        match (&parent.kind, child.role) {
            (Kind::Case, Role::Condition)
            | (Kind::InitList | Kind::New { .. } | Kind::Unevaluated | Kind::Other(_), _) => true,
            (Kind::Lambda, role) => role != Role::Then,
            (_, Role::Declared) => !matches!(child.kind, Kind::Variable { .. }) && !parent.is_local_class(),
            (Kind::If, Role::Condition) => {
                let words = self.view.own_words(parent);
                words.iter().any(|word| word == "constexpr" || word == "consteval")
            }
            (Kind::Declaration, _) => self.lasts(parent),
            // A constant may be needed at compile time later.
            (Kind::Variable { .. }, Role::Init) => {
                self.lasts(parent) || self.view.declared(parent).is_none_or(|ty| ty.is_const)
            }
            (Kind::Construct { .. } | Kind::Cast, _) => self.view.own_words(parent).iter().any(|word| word == "{"),
            _ => false,
        }
    }
}

/// Names of local variables without an initialiser.
fn unset(body: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    body.walk(&mut |node| {
        if let Kind::Variable { name, .. } = &node.kind
            && node.child(Role::Init).is_none()
        {
            found.insert(name.as_str());
        }
    });
    found
}

/// An expression with an address of its own.
fn is_named(node: &Node) -> bool {
    match &node.kind {
        Kind::Name { of, .. } | Kind::Member { of, .. } => *of != Entity::Enumerator,
        Kind::Index | Kind::Text => true,
        Kind::Unary { op, .. } => op == "*",
        Kind::Paren | Kind::Conditional => {
            node.children.iter().any(|child| child.role != Role::Condition && is_named(child))
        }
        Kind::Binary { op, .. } if op == "," => node.child(Role::Right).is_some_and(is_named),
        _ => false,
    }
}

fn is_zero(node: &Node) -> bool {
    match &node.kind {
        Kind::Integer(value) => value.is_none_or(|value| value == 0),
        Kind::Boolean(value) => !value,
        Kind::Null => true,
        Kind::Paren => node.children.iter().all(is_zero),
        _ => false,
    }
}

fn is_constant(node: &Node) -> bool {
    matches!(node.kind, Kind::Integer(_) | Kind::Boolean(_) | Kind::Null | Kind::Character | Kind::Text | Kind::Throw)
        || node.kind == Kind::Paren && node.children.iter().all(is_constant)
}

/// Whether only the truth of `node` matters.
fn is_condition(parent: &Node, node: &Node) -> bool {
    match (&parent.kind, node.role) {
        (Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Conditional, Role::Condition) => true,
        (Kind::Binary { op, .. }, _) => op == "&&" || op == "||",
        (Kind::Unary { op, .. }, _) => op == "!",
        _ => false,
    }
}

fn leaves(node: &Node) -> bool {
    match node.kind {
        Kind::Return | Kind::Break | Kind::Continue | Kind::Goto => true,
        Kind::Expression => node.child(Role::Operand).is_some_and(|operand| operand.kind == Kind::Throw),
        _ => false,
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST - 1).chain(['…']).collect() }
}
