//! A request for a value, passed down from rule to rule. A recipe comes up; nothing is remembered on the way.
//!
//! Take `int Tree::count(Node *node)` as the unit. The planner asks for a `Tree` and a `Node *`, both with the default
//! request: nothing is under construction. The rule that calls `Node::Node(Doc &)` opens `Node` and asks for a `Doc`
//! inside of it. Should the way to a `Doc` ask for a `Node` again, that is a circle, and the way is given up.

use crate::lexicon::{Lexicon, Role};
use crate::model::Usr;

/// How a value is to be made, beside its type. A rule passes a changed copy to the rules that make the parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'r> {
    /// How many parts of parts lie between this value and the argument or buffer that it belongs to: an argument is at
    /// 0, its field at 1. `deeper` counts, each argument and each buffer begins anew with `at(0)`, and `rules::value`
    /// gives up on a branch at `rules::DEPTH`. Circles through arguments are cut by `open`.
    pub depth: usize,
    /// The objects under construction around this value, innermost first; none for a value of the unit itself. They cut
    /// circles, and values far inside get fewer alternatives. `inside` adds one; rules ask through `is_underway` and
    /// `objects_open`.
    pub open: Option<&'r Open<'r>>,
    /// Objects come without calls that set them up, since they are arguments of such a call: `doc` in
    /// `other.merge(doc)`. Set by rules that make such calls, read by `rules::setup_calls` and `setup_calls_c`; objects
    /// that come so have no fuller form either (`non_empty`).
    pub without_setup: bool,
    /// Prefer constructions that leave something in the object: `polygon(ring)`, not `polygon(dimension)`. It holds for
    /// all parts, but for the receivers of factories. Set by `non_empty`, where the data chooses between an empty
    /// object and this one; read by `subtypes` and `factories`.
    pub non_empty: bool,
    /// An empty object will do, since it only makes another one: `doc` in `doc.newElement("a")`. It holds for this
    /// object, not for its parts. Set for the receivers of factories, read by `rules::objects`.
    pub shell_will_do: bool,
    /// What gets the value reads it, so that texts are as long as the project's samples of such. It holds for all
    /// parts. Set where the arguments of a function are made that says so by its name, read by the rules for texts.
    pub is_read: bool,
    /// The object is passed as a handle, so that its members are nobody's but its own functions'. Set where a parameter
    /// is declared as something else than the body takes it for; it does not hold for parts. Read by `setup_calls_c`.
    pub as_handle: bool,
    /// The object stands alone, so that there can be room behind it for a flexible array member. Set where a pointer to
    /// it is made, in C; it does not hold for its parts, which ask `has_room`.
    pub with_room: bool,
}

/// An object under construction: a link in a list on the stack.
#[derive(Debug)]
pub struct Open<'r> {
    class: &'r Usr,
    /// The spelling of the type, where the class may be a template of which one instance needs another.
    instance: Option<&'r str>,
    /// A stub for the class, not an object of it.
    stub: bool,
    /// Another of the class may be made inside: the child of a node.
    once_more: bool,
    with_room: bool,
    outer: Option<&'r Open<'r>>,
}

impl<'r> Request<'r> {
    /// The same for a part of the value.
    #[must_use]
    pub fn deeper(self) -> Self {
        self.at(self.depth + 1)
    }

    /// The same at another depth.
    #[must_use]
    pub fn at(self, depth: usize) -> Self {
        Self { depth, ..self }
    }

    /// The same without calls that set objects up.
    #[must_use]
    pub fn without_setup(self) -> Self {
        Self { without_setup: true, ..self }
    }

    /// The same for the arguments of a function of that name.
    #[must_use]
    pub fn for_function(self, lexicon: &Lexicon, name: &str) -> Self {
        Self { is_read: self.is_read || lexicon.says(name, Role::Reads), ..self }
    }

    /// A link that says that an object of `class` is under construction; see [`Request::inside`].
    pub fn opening(self, class: &'r Usr) -> Open<'r> {
        Open { class, instance: None, stub: false, once_more: false, with_room: self.with_room, outer: self.open }
    }

    /// As [`Request::opening`], for an object of one instance of a template.
    pub fn opening_instance(self, class: &'r Usr, instance: &'r str) -> Open<'r> {
        Open { instance: Some(instance), ..self.opening(class) }
    }

    /// As [`Request::opening`], for a node that may get another one as its child.
    pub fn opening_parent(self, class: &'r Usr) -> Open<'r> {
        Open { once_more: true, ..self.opening(class) }
    }

    /// As [`Request::opening`], for a stub of `class`.
    pub fn opening_stub(self, class: &'r Usr) -> Open<'r> {
        Open { stub: true, ..self.opening(class) }
    }

    /// The request for the parts of the object of `open`.
    #[must_use]
    pub fn inside(self, open: &'r Open<'r>) -> Self {
        Self { open: Some(open), shell_will_do: false, as_handle: false, with_room: false, ..self }
    }

    fn links(self) -> impl Iterator<Item = &'r Open<'r>> {
        std::iter::successors(self.open, |open| open.outer)
    }

    fn objects(self) -> impl Iterator<Item = &'r Open<'r>> {
        self.links().filter(|open| !open.stub)
    }

    /// How many objects are under construction.
    pub fn objects_open(self) -> usize {
        self.objects().count()
    }

    /// Whether it is for an object that the unit itself looks at: its own, or the child of such a node.
    pub fn is_looked_at(self) -> bool {
        self.objects().all(|open| open.once_more)
    }

    /// How many objects of a class are under construction, parents not counted.
    pub fn objects_of(self, class: &Usr) -> usize {
        self.objects().filter(|open| open.class == class && !open.once_more).count()
    }

    /// Whether the object whose parts are being made, of that class, has room behind it.
    pub fn has_room(self, class: &Usr) -> bool {
        self.objects().next().is_some_and(|open| open.with_room && open.class == class)
    }

    /// The class of the object whose parts are being made.
    pub fn innermost(self) -> Option<&'r Usr> {
        self.objects().next().map(|open| open.class)
    }

    /// Whether an object of the class is under construction.
    pub fn is_open(self, class: &Usr) -> bool {
        self.objects_of(class) > 0
    }

    /// Whether an object of this very type is under construction.
    pub fn is_open_instance(self, spelling: &str) -> bool {
        self.objects().any(|open| open.instance == Some(spelling))
    }

    /// The classes that stubs are being made for.
    pub fn stubs(self) -> impl Iterator<Item = &'r Usr> {
        self.links().filter(|open| open.stub).map(|open| open.class)
    }
}
