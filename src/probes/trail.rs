//! The trail of a difference: marks in the text of a body and its mutants that note each value on its way, so that two
//! runs show how far a changed value got, and where it was the same again.
//!
//! A mark is about a value of arithmetic type: an expression, what a variable holds after it was written, what is read
//! of it. What can't be marked (macros, classes, what is bound to a reference) is known as such: nobody may conclude
//! anything from its silence.

use super::change::Change;
use super::composite::Found;
use super::view::View;
use crate::model::{Prim, Type, TypeKind};
use crate::mutant::made::splice;
use crate::tree::{Entity, Kind, Node, Role};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most marks of a body: each has four of the bytes for notes.
const MARKS_MOST: usize = super::POINTS_MOST / 4;
/// The longest expression that is shown whole.
const SHOWN: usize = 48;

/// What a mark is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The value of an operator, a call or a conversion; in the operator's or the kind's own word.
    Value(String),
    /// What is read of a variable or a place in memory: a local variable's or parameter's USR.
    Read(Option<String>),
    /// What a variable or a place holds once it was written.
    Write(Option<String>),
    /// The same of `+=` and the like, which read it first.
    Update(Option<String>),
}

/// Where a value goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goes {
    /// Into the value of this mark.
    Into(usize),
    /// It decides which way is taken.
    Decides,
    /// It is returned; whether it is converted on the way.
    Returned(bool),
    /// To a function whose result has no mark.
    Passed,
    /// Where writes of a variable go: to those who read it.
    Kept,
    /// Nowhere that is known.
    Unknown,
}

/// A mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line in the file.
    pub line: u32,
    /// The place in the text, for the order.
    pub offset: u32,
    /// The expression or the variable, on one line.
    pub text: String,
    /// What it is about.
    pub what: What,
    /// Where the value goes.
    pub goes: Goes,
    /// It is a floating-point number.
    pub floats: bool,
    /// It is true or false, and nothing else.
    pub is_truth: bool,
}

/// A body and its mutants with marks.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// The file, with a `switch` over the mutants in the body's place.
    pub text: Vec<u8>,
    /// The marks, by number.
    pub marks: Vec<Mark>,
    /// By the mutant's index.
    pub marked: BTreeMap<usize, Marked>,
}

/// A mutant with marks.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// Its number in the switch.
    pub number: u32,
    /// The marks that it has in common with the original.
    pub common: BTreeSet<usize>,
    /// Local variables of which some use has no mark.
    pub untraced: BTreeSet<String>,
    /// The smallest mark that the change is in, among those in common.
    pub around: Option<usize>,
    /// What the change is in, in words, for where nothing around it has a mark.
    pub place: Option<String>,
}

/// What has to be known of the body's surroundings.
pub struct Surroundings<'s> {
    /// The text that the trees were read from.
    pub view: &'s View<'s>,
    /// Its bytes.
    pub composite: &'s [u8],
    /// The unit's result.
    pub result: &'s Type,
    /// Whether an argument of a function is taken by value.
    pub by_value: &'s dyn Fn(&str, usize) -> bool,
    /// The line of an offset in the file.
    pub line_of: &'s dyn Fn(u32) -> u32,
}

/// The place of a node below the body: the number of the child at each level.
type Key = Vec<usize>;

/// A mark before it has a number.
struct Placed<'t> {
    node: &'t Node,
    what: What,
    goes: Going,
    /// Not an expression: it stands behind this declaration.
    behind: Option<u32>,
    text: String,
}

#[derive(Clone, Debug)]
enum Going {
    Into(Key),
    To(Goes),
}

/// How a node is used.
#[derive(Clone)]
struct Use {
    /// As a value, so that it may be marked.
    value: bool,
    goes: Going,
}

impl Trail {
    /// The marks of a body and its mutants; none where there are too many, or no mutant is left.
    pub fn new(found: &Found<'_>, around: &Surroundings<'_>) -> Option<Self> {
        let original = Walk::over(found.original, None, around);
        let order: HashMap<Key, usize> =
            original.placed.iter().enumerate().map(|(number, (key, _))| (key.clone(), number)).collect();
        if order.len() > MARKS_MOST {
            return None;
        }
        let mut edits = Edits::default();
        edits.put(original.placed.iter().enumerate().map(|(number, (_, placed))| (number, placed)));
        edits.around(found.original, "default: ", " break; }");
        let mut trail = Self::default();
        let mut first = found.original.span.start;
        for (number, (mutant, body)) in (1..).zip(&found.mutated) {
            let Some(change) = Change::between(found.original, body, around.view) else { continue };
            let own = Walk::over(body, Some(&change), around);
            let common = own.placed.iter().filter_map(|(key, placed)| Some((*order.get(key)?, placed)));
            let common: Vec<_> = common.collect();
            let in_common: BTreeSet<usize> = common.iter().map(|(number, _)| *number).collect();
            let place = place_of(&change);
            let smallest = (0..=place.len()).rev().find_map(|depth| {
                let mark = order.get(&place[..depth]).filter(|mark| in_common.contains(mark))?;
                Some((depth, *mark))
            });
            let marked = Marked {
                number,
                around: smallest.map(|(_, mark)| mark),
                place: given_to(&change, smallest.map_or(0, |(depth, _)| depth))
                    .or_else(|| in_words(&change, found.shift, around)),
                common: in_common,
                untraced: original.untraced.union(&own.untraced).cloned().collect(),
            };
            trail.marked.insert(*mutant, marked);
            edits.put(common.into_iter());
            edits.around(body, &format!("case {number}: "), " break;");
            first = first.min(body.span.start);
        }
        if trail.marked.is_empty() {
            return None;
        }
        edits.all.push((first, 0, 0, "switch (motif_mutant) { ".to_owned()));
        trail.text = edits.text(around.composite);
        let goes = |going: &Going| match going {
            Going::To(goes) => goes.clone(),
            Going::Into(key) => order.get(key).map_or(Goes::Unknown, |number| Goes::Into(*number)),
        };
        trail.marks = original
            .placed
            .iter()
            .map(|(_, placed)| Mark {
                line: (around.line_of)((i64::from(placed.node.span.start) + found.shift).max(0) as u32),
                offset: placed.node.span.start,
                text: placed.text.clone(),
                what: placed.what.clone(),
                goes: goes(&placed.goes),
                floats: around.view.ty(placed.node).is_some_and(is_float),
                is_truth: around.view.ty(placed.node).is_some_and(is_bool) || is_test(&placed.what),
            })
            .collect();
        Some(trail)
    }
}

/// The place of the change in the original.
fn place_of(change: &Change<'_>) -> Key {
    let below = change.path.windows(2).filter_map(|pair| {
        let [(parent, _), (child, _)] = pair else { return None };
        parent.children.iter().position(|other| std::ptr::eq(other, *child))
    });
    let (from, to) = &change.children;
    below.chain((from.len() == 1 && to.len() == 1).then_some(from.start)).collect()
}

/// The smallest piece of the original that the change is in.
fn in_words(change: &Change<'_>, shift: i64, around: &Surroundings<'_>) -> Option<String> {
    let ((last, _), (from, _)) = (change.path.last()?, &change.children);
    let piece = if from.len() == 1 { &last.children[from.start] } else { *last };
    let text = around.view.line(piece.span).filter(|text| !text.is_empty())?;
    let line = (around.line_of)((i64::from(piece.span.start) + shift).max(0) as u32);
    Some(quoted(&text, line))
}

/// A piece of code with its line.
pub(super) fn quoted(code: &str, line: u32) -> String {
    let text: String = code.chars().take(SHOWN).collect();
    let more = if code.chars().count() > SHOWN { "…" } else { "" };
    format!("`{text}{more}` in line {line}")
}

/// The innermost function that the change is an argument of, below so many levels.
fn given_to(change: &Change<'_>, above: usize) -> Option<String> {
    change.path.iter().skip(above + 1).rev().find_map(|(node, _)| match &node.kind {
        Kind::Call { name, .. } if !name.is_empty() => Some(format!("what `{name}()` is given")),
        _ => None,
    })
}

/// Insertions: where, in which order there, and what. What closes stands before what opens.
#[derive(Default)]
struct Edits {
    all: Vec<(u32, u8, u32, String)>,
}

impl Edits {
    fn put<'p, 't: 'p>(&mut self, marks: impl Iterator<Item = (usize, &'p Placed<'t>)>) {
        for (number, placed) in marks {
            let span = placed.node.span;
            match placed.behind {
                Some(at) => {
                    let name = &placed.text;
                    self.all.push((at, 1, 0, format!(" MOTIF_TRAIL_OF({number}, {name});")));
                }
                None => {
                    self.all.push((span.start, 2, u32::MAX - span.end, format!("MOTIF_TRAIL({number}, ")));
                    self.all.push((span.end, 0, u32::MAX - span.start, ")".to_owned()));
                }
            }
        }
    }

    fn around(&mut self, body: &Node, before: &str, behind: &str) {
        self.all.push((body.span.start, 0, 1, before.to_owned()));
        self.all.push((body.span.end, 3, 0, behind.to_owned()));
    }

    fn text(mut self, source: &[u8]) -> Vec<u8> {
        self.all.sort_by_key(|(at, order, within, _)| (*at, *order, *within));
        splice(source, (0, source.len() as u32), self.all.iter().map(|(at, _, _, text)| (*at, *at, text)))
    }
}

/// A walk over one version of the body.
struct Walk<'t, 'w> {
    around: &'w Surroundings<'w>,
    change: Option<&'w Change<'t>>,
    /// What stands in the place of an expression of the original.
    changed: Option<&'t Node>,
    placed: Vec<(Key, Placed<'t>)>,
    untraced: BTreeSet<String>,
}

impl<'t, 'w> Walk<'t, 'w> {
    fn over(body: &'t Node, change: Option<&'w Change<'t>>, around: &'w Surroundings<'w>) -> Self {
        let mut walk = Self { around, change, changed: None, placed: Vec::new(), untraced: BTreeSet::new() };
        walk.statement(body, &mut Vec::new());
        walk
    }

    /// Visits a child with its place; what differs from the original has none.
    fn child(
        &mut self,
        parent: &'t Node,
        at: usize,
        key: &mut Key,
        visit: &mut dyn FnMut(&mut Self, &'t Node, &mut Key),
    ) {
        if self.changed.is_some_and(|changed| std::ptr::eq(changed, parent)) {
            return;
        }
        let mut place = at;
        if let Some(change) = self.change
            && let Some((_, last)) = change.path.last()
            && std::ptr::eq(*last, parent)
        {
            let (from, to) = &change.children;
            if to.contains(&at) {
                self.untraced_below(&parent.children[at]);
                let other = change.path.last().and_then(|(original, _)| original.children.get(from.start));
                let is_one = from.len() == 1 && to.len() == 1;
                if !is_one || !other.is_some_and(|other| self.is_of_one_type(other, &parent.children[at])) {
                    return;
                }
                // An expression in the place of another: its value is comparable, what is below it is not.
                self.changed = Some(&parent.children[at]);
                place = from.start;
            } else if at >= to.end {
                place = at - to.end + from.end;
            }
        }
        key.push(place);
        visit(self, &parent.children[at], key);
        key.pop();
    }

    fn all(&mut self, parent: &'t Node, key: &mut Key, visit: &mut dyn FnMut(&mut Self, &'t Node, &mut Key)) {
        for at in 0..parent.children.len() {
            self.child(parent, at, key, visit);
        }
    }

    /// Nothing below is marked: variables that are named there have uses that nobody sees.
    fn untraced_below(&mut self, node: &'t Node) {
        node.walk(&mut |node| {
            if let Kind::Name { target, of: Entity::Local | Entity::Parameter, .. } = &node.kind {
                self.untraced.insert(target.to_string());
            }
        });
    }

    fn is_number(&self, node: &Node) -> bool {
        let is = |ty: &Type| match &ty.kind {
            TypeKind::Enum(_) => true,
            TypeKind::Prim(prim) => !matches!(prim, Prim::LongDouble | Prim::Int128 | Prim::UInt128),
            _ => false,
        };
        self.around.view.ty(node).is_some_and(is) && !self.around.view.is_volatile(node)
    }

    fn is_of_one_type(&self, one: &Node, other: &Node) -> bool {
        let kind = |node| self.around.view.ty(node).map(|ty| &ty.kind);
        kind(one).is_some() && kind(one) == kind(other)
    }

    /// Marks a node, unless it can't be.
    fn mark(&mut self, node: &'t Node, key: &Key, what: What, goes: Going) -> bool {
        let line = self.around.view.line(node.span).filter(|_| self.is_number(node) && !node.in_macro);
        let Some(text) = line else { return false };
        self.placed.push((key.clone(), Placed { node, what, goes, behind: None, text }));
        true
    }

    fn statement(&mut self, node: &'t Node, key: &mut Key) {
        let says = |word: &str| self.around.view.own_words(node).iter().any(|own| own == word);
        match &node.kind {
            Kind::Declaration if ["static", "constexpr", "extern", "thread_local"].iter().any(|word| says(word)) => {
                self.untraced_below(node);
            }
            Kind::If if says("constexpr") => self.untraced_below(node),
            Kind::Declaration => {
                let end = (!node.in_macro).then_some(node.span.end);
                let is_in_block = self.around.view.text(node).last() == Some(&b';');
                self.all(node, key, &mut |walk, child, key| {
                    walk.variable(child, key, end.filter(|_| is_in_block));
                });
            }
            Kind::Case | Kind::RangeFor | Kind::Catch | Kind::Try => {
                self.all(node, key, &mut |walk, child, key| {
                    if child.kind.is_statement() && child.kind != Kind::Declaration || child.kind == Kind::Catch {
                        walk.statement(child, key);
                    } else {
                        walk.untraced_below(child);
                    }
                });
            }
            _ => self.all(node, key, &mut |walk, child, key| {
                if child.kind.is_statement() || child.kind == Kind::Label {
                    // The head of a `for` is no place for another statement.
                    if child.kind == Kind::Declaration && child.role == Role::Init {
                        return walk.head(child, key);
                    }
                    return walk.statement(child, key);
                }
                if node.in_macro {
                    return walk.untraced_below(child);
                }
                let goes = match (&node.kind, child.role) {
                    (_, Role::Condition) => Goes::Decides,
                    (Kind::Return, _) => Goes::Returned(walk.is_converted(child)),
                    _ => Goes::Unknown,
                };
                if matches!(child.kind, Kind::Variable { .. }) {
                    return walk.variable(child, key, None);
                }
                let value = match (&node.kind, child.role) {
                    (Kind::Return, _) => !walk.around.result.is_reference(),
                    (_, Role::Condition) => true,
                    _ => false,
                };
                walk.expression(child, key, Use { value, goes: Going::To(goes) });
            }),
        }
    }

    fn head(&mut self, node: &'t Node, key: &mut Key) {
        self.all(node, key, &mut |walk, child, key| walk.variable(child, key, None));
    }

    /// Whether what is returned is of another type than the result.
    fn is_converted(&self, node: &Node) -> bool {
        self.around.view.ty(node).is_some_and(|ty| ty.kind != self.around.result.kind)
    }

    fn variable(&mut self, node: &'t Node, key: &mut Key, behind: Option<u32>) {
        let Kind::Variable { usr, name } = &node.kind else { return self.untraced_below(node) };
        let is_value = self.is_number(node) && self.around.view.declared(node).is_some_and(|ty| !ty.is_reference());
        let is_initialised = node.child(Role::Init).is_some();
        let written = What::Write(Some(usr.to_string()));
        let has_place = is_value && is_initialised && behind.is_some() && !node.in_macro;
        if has_place {
            let placed = Placed { node, what: written, goes: Going::To(Goes::Kept), behind, text: name.clone() };
            self.placed.push((key.clone(), placed));
        }
        let own = key.clone();
        self.all(node, key, &mut |walk, child, key| {
            let braced = matches!(child.kind, Kind::InitList | Kind::Construct { .. });
            if child.role != Role::Init || braced || !is_value {
                return walk.untraced_below(child);
            }
            let goes = if has_place { Going::Into(own.clone()) } else { Going::To(Goes::Unknown) };
            walk.expression(child, key, Use { value: true, goes });
        });
    }

    fn expression(&mut self, node: &'t Node, key: &mut Key, used: Use) {
        if node.in_macro {
            return self.untraced_below(node);
        }
        let value = |goes: Going| Use { value: true, goes };
        let place = |goes: Going| Use { value: false, goes };
        let unknown = || Going::To(Goes::Unknown);
        match &node.kind {
            Kind::Paren => self.all(node, key, &mut |walk, child, key| walk.expression(child, key, used.clone())),
            Kind::Name { target, of, .. } => {
                let local = matches!(of, Entity::Local | Entity::Parameter).then(|| target.to_string());
                let is_variable = local.is_some() || matches!(of, Entity::Field | Entity::Global);
                let marked = is_variable && used.value && self.mark(node, key, What::Read(local.clone()), used.goes);
                if !marked {
                    self.untraced.extend(local);
                }
            }
            Kind::Member { of, .. } if *of != Entity::Method => {
                if used.value {
                    self.mark(node, key, What::Read(None), used.goes);
                }
                self.all(node, key, &mut |walk, child, key| walk.expression(child, key, place(unknown())));
            }
            Kind::Index => {
                let marked = used.value && self.mark(node, key, What::Read(None), used.goes);
                let own = if marked { Going::Into(key.clone()) } else { unknown() };
                self.all(node, key, &mut |walk, child, key| {
                    let used = if child.role == Role::Right { value(own.clone()) } else { place(own.clone()) };
                    walk.expression(child, key, used);
                });
            }
            Kind::Assign { op, .. } => {
                let left = node.child(Role::Left);
                // What is used as a value as well goes two ways, of which one is seen.
                let written = left.and_then(local_of).filter(|_| !used.value);
                let what = if op == "=" { What::Write } else { What::Update }(written.clone());
                let marked = self.mark(node, key, what, Going::To(Goes::Kept));
                if let Some((_, placed)) = self.placed.last_mut().filter(|_| marked) {
                    let name = left.and_then(|left| self.around.view.line(left.span));
                    placed.text = name.unwrap_or_else(|| placed.text.clone());
                }
                let own = if marked { Going::Into(key.clone()) } else { unknown() };
                self.all(node, key, &mut |walk, child, key| match child.role {
                    Role::Left if written.is_some() && marked => {}
                    Role::Left => walk.expression(child, key, place(unknown())),
                    _ => walk.expression(child, key, value(own.clone())),
                });
            }
            Kind::Unary { op, .. } if matches!(op.as_str(), "-" | "~" | "!" | "+") => {
                self.operator(node, key, op, used);
            }
            Kind::Unary { op, .. } if matches!(op.as_str(), "++" | "--") => {
                if used.value {
                    self.mark(node, key, What::Value(op.clone()), used.goes);
                }
                self.untraced_below(node);
            }
            Kind::Unary { op, .. } if op == "*" => {
                if used.value {
                    self.mark(node, key, What::Read(None), used.goes);
                }
                self.all(node, key, &mut |walk, child, key| walk.expression(child, key, place(unknown())));
            }
            Kind::Binary { op, .. } if op == "," => {
                self.all(node, key, &mut |walk, child, key| {
                    let is_value = child.role == Role::Right;
                    walk.expression(child, key, if is_value { used.clone() } else { place(unknown()) });
                });
            }
            Kind::Binary { op, .. } if !op.is_empty() && !matches!(op.as_str(), ".*" | "->*") => {
                self.operator(node, key, op, used);
            }
            Kind::Conditional if used.value => self.operator(node, key, "?:", used),
            Kind::Cast if self.is_number(node) && !self.around.view.own_words(node).iter().any(|w| w.contains('&')) => {
                self.operator(node, key, "cast", used);
            }
            Kind::Call { target, name, .. } if !name.is_empty() && !name.starts_with("__builtin") => {
                let marked = used.value && self.mark(node, key, What::Value(format!("{name}()")), used.goes);
                let own = if marked { Going::Into(key.clone()) } else { Going::To(Goes::Passed) };
                let mut number = 0;
                self.all(node, key, &mut |walk, child, key| match child.role {
                    Role::Argument => {
                        let by_value = (walk.around.by_value)(target, number);
                        number += 1;
                        walk.expression(child, key, Use { value: by_value, goes: own.clone() });
                    }
                    Role::Callee if matches!(child.kind, Kind::Name { .. }) => {}
                    _ => walk.untraced_below(child),
                });
            }
            Kind::Integer(_) | Kind::Floating | Kind::Character | Kind::Boolean(_) | Kind::Null | Kind::This => {}
            _ => self.untraced_below(node),
        }
    }

    /// An operator whose operands are values.
    fn operator(&mut self, node: &'t Node, key: &mut Key, op: &str, used: Use) {
        let marked = used.value && self.mark(node, key, What::Value(op.to_owned()), used.goes);
        let own = if marked { Going::Into(key.clone()) } else { Going::To(Goes::Unknown) };
        self.all(node, key, &mut |walk, child, key| {
            // (The type's name in a cast is no child.)
            walk.expression(child, key, Use { value: true, goes: own.clone() });
        });
    }
}

fn is_float(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(Prim::Float | Prim::Double))
}

fn is_bool(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(Prim::Bool))
}

/// C's comparisons are numbers, of which there are two.
fn is_test(what: &What) -> bool {
    matches!(what, What::Value(op) if ["<", ">", "<=", ">=", "==", "!=", "&&", "||", "!"].contains(&op.as_str()))
}

/// The local variable or parameter that an expression names.
fn local_of(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::Paren => local_of(node.child(Role::Operand)?),
        Kind::Name { target, of: Entity::Local | Entity::Parameter, .. } => Some(target.to_string()),
        _ => None,
    }
}
