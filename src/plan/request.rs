//! What is asked for, handed down by value from rule to rule. A recipe comes up; nothing is remembered on the way.

use crate::model::Usr;

/// How a value is to be made, beside its type. Each rule passes a changed copy to what it needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'r> {
    /// How many values this one is part of. The search gives up on a branch that gets too deep.
    pub depth: usize,
    /// The classes whose objects are under construction, innermost first. They cut circles.
    pub open: Option<&'r Open<'r>>,
    /// Objects come without calls that set them up: they are arguments of such a call.
    pub bare: bool,
    /// Prefer constructions that leave something in the object.
    pub full: bool,
    /// The object is only asked to make another: an empty one will do.
    pub service: bool,
}

/// An object under construction: a link in a list on the stack.
#[derive(Debug)]
pub struct Open<'r> {
    class: &'r Usr,
    /// The spelling of the type, where the class may be a template of which one instance needs another.
    instance: Option<&'r str>,
    /// A stub for the class, not an object of it.
    stub: bool,
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
    pub fn bare(self) -> Self {
        Self { bare: true, ..self }
    }

    /// A link that says that an object of `class` is under construction; see [`Request::inside`].
    pub fn opening(self, class: &'r Usr) -> Open<'r> {
        Open { class, instance: None, stub: false, outer: self.open }
    }

    /// As [`Request::opening`], for an object of one instance of a template.
    pub fn opening_instance(self, class: &'r Usr, instance: &'r str) -> Open<'r> {
        Open { instance: Some(instance), ..self.opening(class) }
    }

    /// As [`Request::opening`], for a stub of `class`.
    pub fn opening_stub(self, class: &'r Usr) -> Open<'r> {
        Open { stub: true, ..self.opening(class) }
    }

    /// The request for what the object of `open` needs. What an object is needed for says nothing of its parts.
    #[must_use]
    pub fn inside(self, open: &'r Open<'r>) -> Self {
        Self { open: Some(open), service: false, ..self }
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

    /// How many objects of a class are under construction.
    pub fn objects_of(self, class: &Usr) -> usize {
        self.objects().filter(|open| open.class == class).count()
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
