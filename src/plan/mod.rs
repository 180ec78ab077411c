//! For every value a recipe: how to construct and fill it; or the reason why none exists.
//!
//! Pure and deterministic: the same model and overrides give the same plan. What the recipes turn into
//! is `generate`'s: the same recipe becomes code that reads the fuzzer's bytes in a driver, and code with
//! literals in a regression test.

pub mod adjustments;
pub mod array_lengths;
pub mod c_lifecycle;
pub mod callbacks;
pub mod construct;
pub mod construction_graph;
pub mod entry;
mod file_state;
mod function_templates;
mod histories;
mod hooks;
mod installed;
pub mod iterators;
mod names;
mod non_empty;
mod nullness;
mod option_structs;
mod paired_setup;
pub mod private_constructors;
mod receiver_iterators;
pub mod record_paths;
pub mod seeds;
mod setup_calls;
mod setup_calls_c;
mod standard;
pub mod stubs;
mod template_arguments;
mod template_constraints;
pub mod undefined_symbols;
pub mod values;
pub mod variadic;

use crate::model::{Language, Literal, Type, Usr};
use serde::Serialize;
use std::path::PathBuf;

pub use crate::facts::factories::Yield;
pub use adjustments::Adjustments;
pub use entry::{OTHER_WAYS, plan_directly, plan_otherwise, plan_unit};
pub use file_state::{Global, UnitState};
pub use paired_setup::{Given, PairedSetup};

/// Elements in a C array of unknown length (papers, section 3.1).
pub const ARRAY_LENGTH: u64 = 100;
/// The most elements that a growing container is filled with.
pub const SEQUENCE_LENGTH: u64 = 8;
/// The most elements of an initializer list: each is a name of its own.
pub const LIST_LENGTH: u64 = 3;
/// The longest string that is made, in bytes.
pub const STRING_LENGTH: u64 = 64;

/// Why something can't be driven, and what would open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// What is missing, in one sentence.
    pub what: String,
    /// Override keys that would open it.
    pub needs: Vec<String>,
}

impl Reason {
    /// A reason without an override that would help.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), needs: Vec::new() }
    }

    /// Names an override key that would help.
    #[must_use]
    pub fn needs(mut self, key: impl Into<String>) -> Self {
        self.needs.push(key.into());
        self
    }
}

/// A named value: a parameter, a field, an element.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slot {
    /// Its name, unique among its siblings and fit as a variable name.
    pub name: String,
    /// Its type as declared.
    pub ty: Type,
    /// How it is made.
    pub recipe: Recipe,
    /// A pointer that is null now and then: whoever takes it is prepared for that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nullable: bool,
}

impl Slot {
    /// Of so many, one pointer is null that may be.
    pub const NULLS: u64 = 8;
}

/// How a value is made from the fuzzer's bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Recipe {
    /// An arithmetic value; within bounds where an override gives them.
    Prim {
        /// The type without `const` and references.
        ty: Type,
        /// Inclusive bounds as C++ expressions.
        range: Option<(String, String)>,
    },
    /// An enumerator, now and then any value of the underlying type.
    Enum {
        /// The enumeration.
        ty: Type,
        /// Its enumerators as they can be pasted, and their values.
        values: Vec<(String, i128)>,
    },
    /// One of several expressions, such as functions of the project.
    OneOf {
        /// The value's type.
        ty: Type,
        /// C++ or C expressions; at least one.
        expressions: Vec<String>,
    },
    /// A NUL-terminated string of at most `most` bytes.
    CString {
        /// The pointer's type (`const char *`).
        ty: Type,
        /// The most bytes before the NUL.
        most: u64,
    },
    /// `std::string`.
    StdString {
        /// `std::string`, or a view of one.
        ty: Type,
    },
    /// A standard sequence or set whose elements are made one by one.
    Sequence {
        /// The container.
        ty: Type,
        /// The element.
        element: Box<Slot>,
        /// The least elements.
        least: u64,
        /// The most elements.
        most: u64,
    },
    /// Rows and columns of an installed library, whose elements are set one by one.
    Grid {
        /// Its class.
        ty: Type,
        /// The element.
        element: Box<Slot>,
        /// The most rows, and the most columns, where it has none at first.
        most: u64,
        /// It has as many elements as its class says.
        fixed: bool,
    },
    /// `std::array`, or an array of fixed length.
    Array {
        /// The array's type; for a pointer into an array: the pointer.
        ty: Type,
        /// The element.
        element: Box<Slot>,
        /// How many.
        length: u64,
        /// It is text: its last element stays zero.
        text: bool,
    },
    /// How many elements the array parameter `of` has that are to be used: 0 to its length.
    Length {
        /// The integer type.
        ty: Type,
        /// The most.
        most: u64,
        /// One less than none as well, which nobody should ask for.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        below: bool,
    },
    /// A pointer into the array of the parameter before it: 0 to all of its elements lie between the two.
    End {
        /// The pointer's type.
        ty: Type,
        /// How many elements the array has.
        most: u64,
    },
    /// An iterator to the first element of a container of its own, or one that appends to it.
    Iterator {
        /// The iterator's type.
        ty: Type,
        /// The container.
        range: Box<Slot>,
        /// What it does there.
        approach: crate::types::iterators::Approach,
    },
    /// The end of the container that the iterator of the parameter before it points into.
    Behind {
        /// The iterator's type.
        ty: Type,
    },
    /// The object that the unit is called on, for what points into it.
    Itself {
        /// Its type.
        ty: Type,
    },
    /// `std::initializer_list` of the first few of some values: as many as the data says.
    List {
        /// The list's type.
        ty: Type,
        /// The values; all are made.
        elements: Vec<Slot>,
    },
    /// A standard stream over memory: with text to read, or empty to be written to.
    Stream {
        /// The stream's type.
        ty: Type,
        /// Its text comes from the data.
        reads: bool,
        /// What was written to it is part of the comparison.
        writes: bool,
    },
    /// A C file over memory, with text to read; what it holds afterwards is part of the comparison.
    File {
        /// The pointer's type.
        ty: Type,
    },
    /// A structure filled field by field.
    Fields {
        /// The structure.
        ty: Type,
        /// Its fields.
        fields: Vec<Slot>,
        /// Statements that initialise pointer fields, from an override; `$it` stands for the structure.
        statements: Vec<String>,
    },
    /// Raw storage: a union, or what an override declares as such.
    Bytes {
        /// The type.
        ty: Type,
    },
    /// A constructor call.
    Construct {
        /// The class, with template arguments.
        ty: Type,
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
        /// The class that is yielded.
        ty: Type,
        /// The function or method.
        function: Usr,
        /// How the function is called: qualified, or the method's name.
        callee: String,
        /// The object whose method it is.
        object: Option<Box<Slot>>,
        /// Its arguments.
        args: Vec<Slot>,
        /// What it returns.
        yields: Yield,
    },
    /// One of several, by the data: concrete subtypes of `ty`.
    Choice {
        /// The common (base) type.
        ty: Type,
        /// The alternatives.
        among: Vec<Slot>,
    },
    /// A pointer to a value of its own.
    Pointer {
        /// The pointer's type.
        ty: Type,
        /// What it points to.
        to: Box<Slot>,
        /// Whoever gets it owns the value from then on.
        given: bool,
    },
    /// `std::unique_ptr`, `std::shared_ptr`.
    Smart {
        /// The smart pointer's type.
        ty: Type,
        /// What it owns.
        to: Box<Slot>,
    },
    /// `std::pair`, `std::tuple` and other classes of the standard library that a constructor makes of some values.
    Pair {
        /// The class.
        ty: Type,
        /// Its arguments.
        parts: Vec<Slot>,
    },
    /// `std::optional`.
    Optional {
        /// The optional's type.
        ty: Type,
        /// The value, where there is one.
        value: Box<Slot>,
    },
    /// An object of a class that is made up for an interface: it notes its calls, and answers with data.
    Stub {
        /// The interface.
        ty: Type,
        /// What the interface's own constructor asks for.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        args: Vec<Slot>,
        /// What it must implement.
        methods: Vec<stubs::StubMethod>,
    },
    /// `std::variant`: one of its types, by the data.
    Variant {
        /// The variant's type.
        ty: Type,
        /// A value of each of its types.
        among: Vec<Slot>,
    },
    /// An object and then calls that bring it into a state worth testing: a document that has parsed text, a
    /// container with elements. The data picks how many and which.
    SetUp {
        /// The object's class.
        ty: Type,
        /// How the object comes to be.
        object: Box<Slot>,
        /// The calls to choose among.
        calls: Vec<SetUpCall>,
        /// The most calls.
        most: u64,
    },
    /// Text that a regular expression describes, from an override.
    Pattern {
        /// A character pointer, or a string class.
        ty: Type,
        /// The regular expression.
        pattern: String,
    },
    /// An object and then statements on it, from an override; `$it` stands for the object.
    Then {
        /// The object's class.
        ty: Type,
        /// How the object comes to be.
        object: Box<Slot>,
        /// C++ statements.
        statements: Vec<String>,
    },
    /// As a test or an example of the project makes it: constructions and calls in their order, with data in the place
    /// of what is written there.
    Mined {
        /// The object's class.
        ty: Type,
        /// The steps.
        steps: Vec<MinedStep>,
        /// The step that yields the object.
        object: usize,
        /// Where that stands: file and line.
        from: String,
    },
    /// What an earlier step of the same history has yielded.
    Same {
        /// Its class; of an owner that is handed on, the owner's.
        ty: Type,
        /// The step.
        step: usize,
        /// The smart pointer itself.
        owner: bool,
    },
    /// A fixed expression: an override's, or a default argument.
    Fixed {
        /// The type.
        ty: Type,
        /// The expression.
        expression: String,
    },
}

/// One step of a history: a construction, or a call of a method or function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MinedStep {
    /// What it makes or calls; a call is a factory's even where nobody keeps what it yields.
    pub slot: Slot,
    /// What it yields has a name.
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
}

impl UnitPlan {
    /// The parameters behind whose `void *` there are only bytes, since nobody has said what it points to: what may
    /// be the matter where the original fails on every input.
    pub fn opaque(&self) -> String {
        let args = self.entries.iter().flat_map(|entry| &entry.args);
        let is_void = |ty: &Type| ty.pointee().is_some_and(|to| matches!(to.kind, crate::model::TypeKind::Void));
        let guessed = args.filter(|slot| is_void(&slot.ty) && matches!(slot.recipe, Recipe::Array { .. }));
        let names: Vec<String> = guessed.map(|slot| format!("parameters.{}.type", slot.name)).collect();
        if names.is_empty() { String::new() } else { format!("; nothing says what it points to: {}", names.join(", ")) }
    }
}

impl Recipe {
    /// The type of the value that is made.
    pub fn ty(&self) -> &Type {
        match self {
            Recipe::Prim { ty, .. }
            | Recipe::Enum { ty, .. }
            | Recipe::CString { ty, .. }
            | Recipe::StdString { ty }
            | Recipe::Sequence { ty, .. }
            | Recipe::Grid { ty, .. }
            | Recipe::Array { ty, .. }
            | Recipe::Length { ty, .. }
            | Recipe::End { ty, .. }
            | Recipe::Iterator { ty, .. }
            | Recipe::Behind { ty }
            | Recipe::Itself { ty }
            | Recipe::List { ty, .. }
            | Recipe::Stream { ty, .. }
            | Recipe::File { ty }
            | Recipe::Fields { ty, .. }
            | Recipe::Bytes { ty }
            | Recipe::Construct { ty, .. }
            | Recipe::Factory { ty, .. }
            | Recipe::Choice { ty, .. }
            | Recipe::Pointer { ty, .. }
            | Recipe::Smart { ty, .. }
            | Recipe::Pair { ty, .. }
            | Recipe::Optional { ty, .. }
            | Recipe::Variant { ty, .. }
            | Recipe::Stub { ty, .. }
            | Recipe::SetUp { ty, .. }
            | Recipe::Pattern { ty, .. }
            | Recipe::Then { ty, .. }
            | Recipe::Mined { ty, .. }
            | Recipe::Same { ty, .. }
            | Recipe::OneOf { ty, .. }
            | Recipe::Fixed { ty, .. } => ty,
        }
    }

    /// The slots it is made of.
    pub fn parts(&self) -> Vec<&Slot> {
        match self {
            Recipe::Sequence { element, .. } | Recipe::Grid { element, .. } | Recipe::Array { element, .. } => {
                vec![element]
            }
            Recipe::Iterator { range, .. } => vec![range],
            Recipe::List { elements, .. } => elements.iter().collect(),
            Recipe::Fields { fields, .. } => fields.iter().collect(),
            Recipe::Construct { args, .. } => args.iter().collect(),
            Recipe::Factory { object, args, .. } => object.iter().map(|o| &**o).chain(args).collect(),
            Recipe::Choice { among, .. } | Recipe::Variant { among, .. } => among.iter().collect(),
            Recipe::Pointer { to, .. } | Recipe::Smart { to, .. } => vec![to],
            Recipe::Pair { parts, .. } => parts.iter().collect(),
            Recipe::Optional { value, .. } => vec![value],
            Recipe::Then { object, .. } => vec![object],
            Recipe::Mined { steps, .. } => steps.iter().map(|step| &step.slot).collect(),
            Recipe::SetUp { object, calls, .. } => {
                std::iter::once(&**object).chain(calls.iter().flat_map(|c| &c.args)).collect()
            }
            Recipe::Stub { methods, args, .. } => {
                let given = methods.iter().filter_map(|method| match &method.answer {
                    stubs::Answer::Values { slot, .. } => Some(&**slot),
                    _ => None,
                });
                args.iter().chain(given).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Visits this recipe and every one inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Recipe)) {
        visit(self);
        self.parts().into_iter().for_each(|slot| slot.recipe.walk(visit));
    }
}

/// One way into the unit: the call that `TestUtil::call()` makes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The function that is called: the unit itself, or a public one through which it runs.
    pub callee: Usr,
    /// The class whose member the callee is, template arguments filled in.
    pub class: Option<Type>,
    /// The object it is called on; for a constructor's unit: the object that is constructed.
    pub object: Option<Slot>,
    /// The arguments.
    pub args: Vec<Slot>,
    /// The result type, template arguments filled in; none where nothing is returned.
    pub result: Option<Type>,
    /// The callee is private or protected and no public one leads to it.
    pub private_access: bool,
    /// Arrays that the callee allocates: the parameter's name (none for the result) and the least length.
    pub least_lengths: Vec<(Option<String>, u64)>,
    /// The arguments of the callee's own template parameters.
    pub template_args: Vec<crate::model::TemplateArg>,
    /// Of a function that a class template defines as its friend: the arguments of the class template.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub friend_args: Vec<crate::model::TemplateArg>,
    /// Only its arguments lead to the function: it is a friend of a class, and nothing else declares it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_arguments: bool,
    /// What tests and examples call it with, by argument.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_with: Vec<Vec<Option<Literal>>>,
    /// What stands in for what nobody defines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<undefined_symbols::Outside>,
    /// What the unit's file remembers.
    #[serde(skip_serializing_if = "UnitState::is_empty")]
    pub state: UnitState,
    /// How an argument gets into the object before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub put_in: Option<PairedSetup>,
}

impl Entry {
    /// All values that are made for a call, in their order.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        let besides = self.state.slots().chain(self.put_in.iter().flat_map(PairedSetup::slots));
        self.outside
            .iter()
            .flat_map(undefined_symbols::Outside::slots)
            .chain(&self.object)
            .chain(&self.args)
            .chain(besides)
    }
}

/// How a unit is driven.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitPlan {
    /// The unit under test.
    pub unit: Usr,
    /// Its id.
    pub id: String,
    /// A file-name-safe, unique short name.
    pub slug: String,
    /// C or C++.
    pub language: Language,
    /// The source file that the driver includes.
    pub source: PathBuf,
    /// Index of the compile command that the driver is built with.
    pub command: usize,
    /// The ways in; the data picks where there are several.
    pub entries: Vec<Entry>,
    /// Literals of the unit, for seeds and the dictionary.
    pub literals: Vec<Literal>,
    /// Texts of the functions around it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Literal>,
    /// An override took part.
    pub overridden: bool,
    /// Statements that put state back between the two calls, from an override.
    pub reset: Vec<String>,
    /// Statements right before the call, from an override; `$object` and `$NAME` stand for what was made.
    pub before: Vec<String>,
    /// Members left out of the comparison: class, field and why; nothing is said of those whose reason is empty.
    pub excluded: Vec<(String, String, String)>,
    /// For a template: the arguments that were chosen, for the owner class.
    pub owner_args: Vec<crate::model::TemplateArg>,
    /// What names suggested when it was made.
    #[serde(skip)]
    pub lexicon: crate::lexicon::Lexicon,
}
