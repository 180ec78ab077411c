//! How values are made: a type, and the kind of way that leads to a value of it.

use super::unit_plan::Written;
use crate::facts::factories::Yield;
use crate::model::history::Table;
use crate::model::{Literal, Model, Type, TypeKind, Usr};
use crate::types::spelling::variable;
use serde::Serialize;

/// Elements in a C array of unknown length (papers, section 3.1).
pub const ARRAY_LENGTH: u64 = 100;
/// The most elements that a growing container is filled with.
pub const SEQUENCE_LENGTH: u64 = 8;
/// The most elements of an initializer list: each is a name of its own.
pub const LIST_LENGTH: u64 = 3;
/// The longest string that is made, in bytes.
pub const STRING_LENGTH: u64 = 64;
/// The most bytes in a file whose name is passed.
pub const FILE_LENGTH: u64 = 1024;
/// So many choices has such a name: mostly, a file is there.
pub const FILE_CHOICES: u64 = 4;
/// There is none by the name.
pub const FILE_NONE: u64 = 2;
/// Any text is the name.
pub const FILE_TEXT: u64 = 3;

/// A named value: a parameter, a field, an element.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slot {
    /// Its name, unique among its siblings and fit as a variable name.
    pub name: String,
    /// Its type as declared, or what the body of the callee takes it for.
    pub ty: Type,
    /// Its type as declared, where that is a pointer to something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<Type>,
    /// How it is made.
    pub recipe: Recipe,
    /// A pointer that is null now and then: whoever takes it is prepared for that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nullable: bool,
    /// So many elements of its array stand before the one that is passed: a filter's history.
    #[serde(skip_serializing_if = "is_none")]
    pub history: u64,
}

impl Slot {
    /// Of so many, one pointer is null that may be.
    pub const NULLS: u64 = 8;

    /// A value that is never null.
    pub fn new(name: impl Into<String>, ty: Type, recipe: Recipe) -> Self {
        Self { name: name.into(), ty, declared: None, recipe, nullable: false, history: 0 }
    }

    /// What is made is what the callee's body takes it for, and not what the callee declares.
    pub fn is_made_as_seen(&self) -> bool {
        let record = |ty: &Type| ty.pointee().and_then(Type::record).cloned();
        self.declared.as_ref().is_some_and(|declared| record(declared) != record(&self.recipe.ty))
    }

    /// An object that is called after its type.
    pub fn object(ty: Type, recipe: Recipe) -> Self {
        Self::new(variable(&ty.spelling), ty, recipe)
    }
}

/// How a value is made from the fuzzer's bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recipe {
    /// The type of the value, without `const` and references where it does not matter.
    pub ty: Type,
    /// How it is made.
    #[serde(flatten)]
    pub kind: Kind,
    /// The rule that made it, as `rules` calls it; empty for parts that say nothing of themselves.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub rule: &'static str,
    /// An override says that it is made so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
    /// So many cheaper constructions were skipped, since no input got anywhere with them.
    #[serde(skip_serializing_if = "is_none")]
    pub skipped: usize,
}

fn is_none<N: Default + PartialEq>(count: &N) -> bool {
    *count == N::default()
}

/// The kinds of ways to a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
pub enum Kind {
    /// An arithmetic value; within bounds where an override gives them.
    Prim {
        /// Inclusive bounds as C++ expressions.
        range: Option<(String, String)>,
    },
    /// An enumerator, now and then any value of the underlying type.
    Enum {
        /// Its enumerators as they can be pasted, and their values.
        values: Vec<(String, i128)>,
    },
    /// One of several expressions, such as functions of the project.
    OneOf {
        /// C++ or C expressions; at least one.
        expressions: Vec<String>,
    },
    /// A NUL-terminated string of at most `most` bytes.
    CString {
        /// The most bytes before the NUL.
        most: u64,
    },
    /// `std::string` of at most `most` bytes.
    StdString {
        /// The most bytes.
        most: u64,
    },
    /// A standard sequence or set whose elements are made one by one.
    Sequence {
        /// The element.
        element: Box<Slot>,
        /// The least elements.
        least: u64,
        /// The most elements.
        most: u64,
    },
    /// A class of the project that is told how many elements it has as it is constructed, and hands out references to
    /// them: they are set one by one.
    Elements {
        /// The element.
        element: Box<Slot>,
        /// The constructor that is told how many there are.
        constructor: Usr,
        /// The types of what its constructor is told: a length, or rows and columns.
        lengths: Vec<Type>,
        /// The type of what an element is asked for by, for each of these.
        indices: Vec<Type>,
        /// How an element is asked for: `object[0]`, and not `object(0)`.
        brackets: bool,
        /// The most elements each way.
        most: u64,
    },
    /// Rows and columns of an installed library, whose elements are set one by one.
    Grid {
        /// The element.
        element: Box<Slot>,
        /// The most rows, and the most columns, where it has none at first.
        most: u64,
        /// It has as many elements as its class says.
        fixed: bool,
    },
    /// `std::array`, or an array of fixed length.
    Array {
        /// The element.
        element: Box<Slot>,
        /// How many.
        length: u64,
        /// Whoever looks for its end finds a zero: in text the last of its elements. Of others there are up to so many,
        /// by the data, and one of zeros behind them: a table.
        text: bool,
    },
    /// How many elements the array parameter `of` has that are to be used: 0 to its length.
    Length {
        /// The most.
        most: u64,
        /// Only its name says so: now and then it is any value of its type.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        free: bool,
        /// One less than none as well, which nobody should ask for.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        below: bool,
    },
    /// A pointer into the array of the parameter before it: 0 to all of its elements lie between the two.
    End {
        /// How many elements the array has.
        most: u64,
    },
    /// An iterator to the first element of a container of its own, or one that appends to it.
    Iterator {
        /// The container.
        range: Box<Slot>,
        /// How it is used there.
        approach: crate::types::iterators::Approach,
    },
    /// The end of the container that the iterator of the parameter before it points into.
    Behind,
    /// The object that the unit is called on, for what points into it.
    Itself,
    /// `std::initializer_list` of the first few of some values: as many as the data says.
    List {
        /// The values; all are made.
        elements: Vec<Slot>,
    },
    /// A standard stream over memory: with text to read, or empty to be written to.
    Stream {
        /// Its text comes from the data.
        reads: bool,
        /// The text that is written to it is part of the comparison.
        writes: bool,
    },
    /// A C file over memory, with text to read; what it holds afterwards is part of the comparison.
    File,
    /// The name of a file with up to [`FILE_LENGTH`] bytes, whose content is compared; now and then any text.
    FileName {
        /// The name.
        name: String,
    },
    /// A structure filled field by field.
    Fields {
        /// Its fields.
        fields: Vec<Slot>,
        /// Statements that initialise pointer fields, from an override; `$it` stands for the structure.
        statements: Vec<String>,
    },
    /// Raw storage: a union, or what an override declares as such.
    Bytes,
    /// A constructor call.
    Construct {
        /// The constructor; none for an implicit default one.
        constructor: Option<Usr>,
        /// Its arguments.
        args: Vec<Slot>,
        /// It is never taken down: only its own class may do so, or it can't be in the state in which it is left.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        kept: bool,
    },
    /// A function that yields the value.
    Factory {
        /// The function or method.
        function: Usr,
        /// How the function is called: qualified, or the method's name.
        callee: String,
        /// The object whose method it is.
        object: Option<Box<Slot>>,
        /// Its arguments.
        args: Vec<Slot>,
        /// Its result.
        yields: Yield,
    },
    /// One of several, by the data: concrete subtypes of `ty`.
    Choice {
        /// The alternatives.
        among: Vec<Slot>,
    },
    /// A pointer to a value of its own.
    Pointer {
        /// The value that it points to.
        to: Box<Slot>,
        /// Whoever gets it owns the value from then on.
        given: bool,
    },
    /// `std::unique_ptr`, `std::shared_ptr`.
    Smart {
        /// The value that it owns.
        to: Box<Slot>,
    },
    /// `std::pair`, `std::tuple` and other classes of the standard library that a constructor makes of some values.
    Pair {
        /// Its arguments.
        parts: Vec<Slot>,
    },
    /// `std::optional`.
    Optional {
        /// The value, where there is one.
        value: Box<Slot>,
    },
    /// An object of a class that is made up for an interface: it notes its calls, and answers with data.
    Stub {
        /// The arguments of the interface's own constructor.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        args: Vec<Slot>,
        /// The methods that it must implement.
        methods: Vec<StubMethod>,
    },
    /// `std::variant`: one of its types, by the data.
    Variant {
        /// A value of each of its types.
        among: Vec<Slot>,
    },
    /// An object and then calls that bring it into a state worth testing: a document that has parsed text, a
    /// container with elements. The data picks how many and which.
    SetUp {
        /// How the object comes to be.
        object: Box<Slot>,
        /// The calls to choose among.
        calls: Vec<SetUpCall>,
        /// The most calls.
        most: u64,
    },
    /// An array of structures as a program of C has written it down.
    Table {
        /// What stands there.
        table: Table,
    },
    /// Text that a regular expression describes, from an override.
    Pattern {
        /// The regular expression.
        pattern: String,
    },
    /// An object and then statements on it, from an override; `$it` stands for the object.
    Then {
        /// How the object comes to be.
        object: Box<Slot>,
        /// C++ statements.
        statements: Vec<String>,
    },
    /// As a test or an example of the project makes it: constructions and calls in their order, with data in the place
    /// of what is written there.
    Mined {
        /// The steps.
        steps: Vec<MinedStep>,
        /// The step that yields the object.
        object: usize,
        /// Where that stands: file and line.
        from: String,
    },
    /// The object that an earlier step of the same history yields.
    Same {
        /// The step.
        step: usize,
        /// The smart pointer itself.
        owner: bool,
    },
    /// A fixed expression: an override's, or a default argument.
    Fixed {
        /// The expression.
        expression: String,
    },
}

/// A method of a stub.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StubMethod {
    /// The pure method that it implements.
    pub method: Usr,
    /// The parameters' types, template arguments filled in.
    pub params: Vec<Type>,
    /// The result's type.
    pub result: Type,
    /// Its result.
    pub answer: Answer,
    /// Which arguments are looked into, member by member, as the parameters.
    pub looks: Vec<bool>,
    /// By parameter: how many elements it points to, where other parameters say so.
    pub lengths: Vec<Option<BufferLength>>,
    /// What it writes to its out parameters.
    pub writes: Vec<Written>,
}

/// How many elements a buffer has, by parameters beside it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BufferLength {
    /// The parameter that says so.
    pub by: usize,
    /// It counts bytes, whatever the elements are.
    pub in_bytes: bool,
    /// The parameter to multiply it with: `read(to, size, count)`.
    pub times: Option<usize>,
}

impl StubMethod {
    /// The values that it needs: its answers, and what it writes.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        let answers = match &self.answer {
            Answer::Values { slot, .. } => Some(&**slot),
            _ => None,
        };
        answers.into_iter().chain(self.writes.iter().map(|written| &written.slot))
    }

    fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        let answers = match &mut self.answer {
            Answer::Values { slot, .. } => Some(&mut **slot),
            _ => None,
        };
        answers.into_iter().chain(self.writes.iter_mut().map(|written| &mut written.slot))
    }

    /// Its name in a record: `Sink::take`, and a number where an earlier method of the same class has that name.
    pub fn label(&self, model: &Model, methods: &[StubMethod]) -> String {
        let name = |method: &StubMethod| {
            let function = &model.functions[&method.method];
            let owner = function.owner.as_ref().and_then(|usr| model.classes.get(usr)).map_or("", |class| &class.name);
            format!("{owner}::{}", plain_name(&function.name))
        };
        let own = name(self);
        let earlier = methods.iter().take_while(|other| other.method != self.method);
        match earlier.filter(|other| name(other) == own).count() {
            0 => own,
            others => format!("{own}{}", others + 1),
        }
    }
}

/// The result of a stub's method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Answer {
    /// Nothing.
    Nothing,
    /// The stub itself, for the next call.
    Itself,
    /// An exception: nothing of the kind can be made up, and hardly anybody asks.
    Refusal,
    /// The value of value initialisation: a null pointer.
    Default,
    /// One value after the other from a `std::vector`.
    Values {
        /// The vector.
        slot: Box<Slot>,
        /// The last value is given again and again; else a value of no information follows.
        repeats: bool,
    },
}

/// One step of a history: a construction, or a call of a method or function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MinedStep {
    /// The construction or call; a call is a factory's even where nobody keeps its result.
    pub slot: Slot,
    /// Its result has a name.
    pub kept: bool,
    /// By argument: what was written in its place.
    pub literals: Vec<Option<Literal>>,
}

/// A method that sets an object up, with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetUpCall {
    /// The method.
    pub method: Usr,
    /// Its name.
    pub name: String,
    /// Its arguments; what has a default may be missing.
    pub args: Vec<Slot>,
    /// It is a method of the library's container that the class derives from.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fills: bool,
}

impl SetUpCall {
    /// Whether it keeps a value by a name: `element.SetAttribute("length", "3")`.
    pub fn is_by_name(&self) -> bool {
        let is_text = |slot: &Slot| matches!(slot.recipe.kind, Kind::CString { .. } | Kind::StdString { .. });
        self.args.len() == 2 && is_text(&self.args[0])
    }
}

impl Kind {
    /// The most that is drawn for a length of at most `most` that may be something else: beyond `most`, one time in
    /// eight, it is.
    pub fn choices_of_length(most: u64) -> u64 {
        most + (most + 7) / 7
    }

    /// Whether it is an array that ends in an element of zeros, and is no text.
    pub fn is_table(&self) -> bool {
        let is_number = |kind: &Kind| matches!(kind, Kind::Prim { .. } | Kind::Array { .. });
        matches!(self, Kind::Array { element, text: true, .. } if !is_number(&element.recipe.kind))
    }

    /// The recipe for a value of type `ty`.
    pub fn of(self, ty: Type) -> Recipe {
        Recipe { ty, kind: self, rule: "", overridden: false, skipped: 0 }
    }
}

impl Recipe {
    /// The same recipe, made by the rule of that name.
    #[must_use]
    pub fn by(self, rule: &'static str) -> Self {
        Self { rule: if self.rule.is_empty() { rule } else { self.rule }, ..self }
    }

    /// The same recipe, made so since an override says it.
    #[must_use]
    pub fn by_override(self) -> Self {
        Self { overridden: true, ..self }
    }

    /// The slots it is made of.
    pub fn parts(&self) -> Vec<&Slot> {
        match &self.kind {
            Kind::Sequence { element, .. }
            | Kind::Grid { element, .. }
            | Kind::Elements { element, .. }
            | Kind::Array { element, .. } => vec![element],
            Kind::Iterator { range, .. } => vec![range],
            Kind::List { elements, .. } => elements.iter().collect(),
            Kind::Fields { fields, .. } => fields.iter().collect(),
            Kind::Construct { args, .. } => args.iter().collect(),
            Kind::Factory { object, args, .. } => object.iter().map(|o| &**o).chain(args).collect(),
            Kind::Choice { among, .. } | Kind::Variant { among, .. } => among.iter().collect(),
            Kind::Pointer { to, .. } | Kind::Smart { to, .. } => vec![to],
            Kind::Pair { parts, .. } => parts.iter().collect(),
            Kind::Optional { value, .. } => vec![value],
            Kind::Then { object, .. } => vec![object],
            Kind::Mined { steps, .. } => steps.iter().map(|step| &step.slot).collect(),
            Kind::SetUp { object, calls, .. } => {
                std::iter::once(&**object).chain(calls.iter().flat_map(|c| &c.args)).collect()
            }
            Kind::Stub { methods, args, .. } => args.iter().chain(methods.iter().flat_map(StubMethod::slots)).collect(),
            _ => Vec::new(),
        }
    }

    /// Visits this recipe and every one inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Recipe)) {
        visit(self);
        self.parts().into_iter().for_each(|slot| slot.recipe.walk(visit));
    }

    /// The slots that it is made of, to be changed; as `parts`.
    pub(super) fn parts_mut(&mut self) -> Vec<&mut Slot> {
        match &mut self.kind {
            Kind::Sequence { element, .. }
            | Kind::Grid { element, .. }
            | Kind::Elements { element, .. }
            | Kind::Array { element, .. } => vec![element],
            Kind::Iterator { range, .. } => vec![range],
            Kind::List { elements, .. } => elements.iter_mut().collect(),
            Kind::Fields { fields, .. } => fields.iter_mut().collect(),
            Kind::Construct { args, .. } => args.iter_mut().collect(),
            Kind::Factory { object, args, .. } => object.iter_mut().map(|o| &mut **o).chain(args).collect(),
            Kind::Choice { among, .. } | Kind::Variant { among, .. } => among.iter_mut().collect(),
            Kind::Pointer { to, .. } | Kind::Smart { to, .. } => vec![to],
            Kind::Pair { parts, .. } => parts.iter_mut().collect(),
            Kind::Optional { value, .. } => vec![value],
            Kind::Then { object, .. } => vec![object],
            Kind::Mined { steps, .. } => steps.iter_mut().map(|step| &mut step.slot).collect(),
            Kind::SetUp { object, calls, .. } => {
                std::iter::once(&mut **object).chain(calls.iter_mut().flat_map(|call| &mut call.args)).collect()
            }
            Kind::Stub { methods, args, .. } => {
                args.iter_mut().chain(methods.iter_mut().flat_map(StubMethod::slots_mut)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Takes out what tests show, where there is another way.
    pub(super) fn remove_histories(&mut self) {
        match &mut self.kind {
            Kind::Pointer { to, .. } => to.recipe.remove_histories(),
            Kind::Construct { args, .. } => args.iter_mut().for_each(|slot| slot.recipe.remove_histories()),
            Kind::Choice { among, .. } => {
                let is_mined = |slot: &Slot| matches!(slot.recipe.kind, Kind::Mined { .. });
                let was = among.len();
                if !among.iter().all(is_mined) {
                    among.retain(|slot| !is_mined(slot));
                }
                among.iter_mut().for_each(|slot| slot.recipe.remove_histories());
                if among.len() == 1
                    && was > 1
                    && let Some(only) = among.pop()
                {
                    *self = only.recipe;
                }
            }
            _ => {}
        }
    }

    /// The bare object, wherever calls set it up.
    #[must_use]
    pub fn without_set_up(self) -> Self {
        match self {
            Recipe { kind: Kind::SetUp { object, .. }, .. } => object.recipe,
            Recipe { kind: Kind::Then { object, .. }, .. } => object.recipe.without_set_up(),
            Recipe { ty, kind: Kind::Choice { among }, .. } => {
                let bare = |slot: Slot| Slot { recipe: slot.recipe.without_set_up(), ..slot };
                Kind::Choice { among: among.into_iter().map(bare).collect() }.of(ty)
            }
            other => other,
        }
    }

    /// An object that its factory yields as `const` stays so: for callers that only read.
    pub fn keep_const(&mut self, model: &Model) {
        if let Recipe { ty, kind: Kind::Factory { function, .. }, .. } = self
            && let Some(function) = model.functions.get(function)
            && let TypeKind::Pointer(to) | TypeKind::LvalueRef(to) = &function.result.kind
            && to.is_const
            && !ty.is_const
        {
            ty.spelling = format!("const {}", ty.spelling);
            ty.is_const = true;
        }
    }
}

/// A method's name as a part of an identifier.
pub(super) fn plain_name(name: &str) -> String {
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if plain == "operator" || plain.is_empty() { "call".into() } else { plain }
}
