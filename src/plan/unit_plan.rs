//! The plan of a unit: the ways into it, and what is made, put in and compared on each.

use super::recipe::{Kind, Recipe, SetUpCall, Slot, StubMethod};

use crate::model::{Function, Language, Literal, Model, Type, Usr};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Why something can't be driven, and what would open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The obstacle, in one sentence.
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
    /// The literals that tests and examples call it with, by argument.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_with: Vec<Vec<Option<Literal>>>,
    /// The stand-ins for functions and variables that nobody defines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Outside>,
    /// The state of the unit's file.
    #[serde(skip_serializing_if = "UnitState::is_empty")]
    pub state: UnitState,
    /// How an argument gets into the object before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub put_in: Option<PairedSetup>,
    /// Calls during the one under test that may fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<FailingCalls>,
}

impl Entry {
    /// All values that are made for a call, in their order.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        let besides = self.state.slots().chain(self.put_in.iter().flat_map(PairedSetup::slots));
        let first = self.failing.iter().map(|failing| &failing.which);
        let first = first.chain(self.outside.iter().flat_map(Outside::slots));
        first.chain(&self.object).chain(&self.args).chain(besides)
    }
}

/// Calls of which the data picks one that fails, or none (`--fault`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailingCalls {
    /// The functions, as [`crate::facts::failing_calls::row`] knows them.
    pub functions: Vec<&'static str>,
    /// Which: 0 and what is beyond the last function is none, and each function has [`FailingCalls::CALLS`] numbers.
    pub which: Slot,
}

impl FailingCalls {
    /// So many calls of a function may be the one that fails: the first, the second…
    pub const CALLS: u64 = 4;

    /// The greatest number: on half of the inputs nothing fails.
    pub fn most(functions: usize) -> u64 {
        2 * Self::CALLS * functions as u64
    }

    /// The function and the number of its call that a number stands for.
    pub fn named_by(&self, number: u64) -> Option<(&'static str, u64)> {
        let place = number.checked_sub(1)?;
        let function = self.functions.get(usize::try_from(place / Self::CALLS).ok()?)?;
        Some((function, place % Self::CALLS + 1))
    }
}

/// Under which name a record has what a unit writes to standard output. Where it is left out, it is a member of no
/// class.
pub const STANDARD_OUTPUT: &str = "stdout";

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
    /// The beginnings of sample files of the project, for seeds of what reads.
    #[serde(skip)]
    pub samples: Vec<Vec<u8>>,
    /// An override took part.
    pub overridden: bool,
    /// Statements that put state back between the two calls, from an override.
    pub reset: Vec<String>,
    /// Statements right before the call, from an override; `$object` and `$NAME` stand for what was made.
    pub before: Vec<String>,
    /// Members left out of the comparison: class, field and why; nothing is said of those whose reason is empty.
    pub excluded: Vec<(String, String, String)>,
    /// What the members lead to that are a `void *`, by what the unit takes them for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub untyped: BTreeMap<Usr, Type>,
    /// It may write to standard output, which is compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prints: bool,
    /// For a template: the arguments that were chosen, for the owner class.
    pub owner_args: Vec<crate::model::TemplateArg>,
    /// The words that it was planned by.
    #[serde(skip)]
    pub lexicon: crate::lexicon::Lexicon,
}
impl UnitPlan {
    /// Whether cheaper constructions of its objects were skipped.
    pub fn skips_constructions(&self) -> bool {
        let mut found = false;
        for slot in self.entries.iter().flat_map(Entry::slots) {
            slot.recipe.walk(&mut |recipe| found |= recipe.skipped > 0);
        }
        found
    }

    /// Whether what it writes to standard output is compared.
    pub fn compares_output(&self) -> bool {
        let is_left_out = |(class, name, _): &(String, String, String)| class.is_empty() && name == STANDARD_OUTPUT;
        self.prints && !self.excluded.iter().any(is_left_out)
    }

    /// The parameters behind whose `void *` there are only bytes, since nobody has said what it points to: what may
    /// be the matter where the original fails on every input.
    pub fn opaque(&self) -> String {
        let args = self.entries.iter().flat_map(|entry| &entry.args);
        let is_void = |ty: &Type| ty.pointee().is_some_and(|to| matches!(to.kind, crate::model::TypeKind::Void));
        let guessed = args.filter(|slot| is_void(&slot.ty) && matches!(slot.recipe.kind, Kind::Array { .. }));
        let names: Vec<String> = guessed.map(|slot| format!("parameters.{}.type", slot.name)).collect();
        if names.is_empty() { String::new() } else { format!("; nothing says what it points to: {}", names.join(", ")) }
    }
}

impl UnitPlan {
    /// The methods of stubs that have this label, with the class's others.
    pub fn stubs_called(&self, model: &Model, label: &str) -> Vec<StubMethod> {
        let mut found: Vec<StubMethod> = Vec::new();
        for slot in self.entries.iter().flat_map(Entry::slots) {
            slot.recipe.walk(&mut |recipe| {
                if let Kind::Stub { methods, .. } = &recipe.kind {
                    let named = methods.iter().filter(|method| method.label(model, methods) == label);
                    found.extend(named.cloned());
                }
            });
        }
        found
    }
}

impl UnitPlan {
    /// Where the tests and examples stand that show how objects are made, each once.
    pub fn histories_used(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for slot in self.entries.iter().flat_map(|entry| entry.slots()) {
            learnt(&slot.recipe, &mut found);
        }
        found
    }
}

fn learnt<'p>(recipe: &'p Recipe, found: &mut Vec<&'p str>) {
    if let Kind::Mined { from, .. } = &recipe.kind
        && !found.contains(&from.as_str())
    {
        found.push(from);
    }
    recipe.parts().into_iter().for_each(|slot| learnt(&slot.recipe, found));
}

/// A call on the object right before the one under test, with arguments of that: what is to be taken out is put in. The
/// data may leave it out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedSetup {
    /// The method.
    pub method: Usr,
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub args: Vec<Given>,
}

/// An argument of a call that puts something in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Given {
    /// An argument of the call under test, by its place.
    Argument(usize),
    /// A value of its own.
    Own(Box<Slot>),
}

impl PairedSetup {
    /// Of so many inputs one leaves the call out: the one that picks the last.
    pub const CHOICES: u64 = 4;

    /// The values that are made for it.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.args.iter().filter_map(|arg| match arg {
            Given::Own(slot) => Some(&**slot),
            Given::Argument(_) => None,
        })
    }
}

/// The state that a function's file keeps between calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UnitState {
    /// The variables that are compared after the call.
    pub globals: Vec<Global>,
    /// Calls that may change them, of which the data picks some before the call.
    pub calls: Vec<SetUpCall>,
}

/// A variable that the unit comes to name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Global {
    /// The variable.
    pub variable: Usr,
    /// How it is named from anywhere.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

impl UnitState {
    /// The most calls before the one under test.
    pub const MOST: u64 = 6;

    /// Whether nothing is known of it.
    pub fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.calls.is_empty()
    }

    /// The names that its variables and functions are said by: nothing beside them may hide them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let calls = self.calls.iter().map(|call| call.name.as_str());
        self.globals.iter().map(|global| global.name.as_str()).chain(calls)
    }

    /// The values that are made for its calls.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.calls.iter().flat_map(|call| &call.args)
    }
}

/// A function or variable that nobody defines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Outside {
    /// A function.
    Function {
        /// Which.
        function: Usr,
        /// What it does.
        #[serde(flatten)]
        does: StandIn,
    },
    /// A function that is made up for what calls back.
    Callback {
        /// It.
        #[serde(skip)]
        function: Box<Function>,
        /// What it does.
        #[serde(flatten)]
        does: StandIn,
    },
    /// A variable.
    Variable {
        /// Which.
        variable: Usr,
        /// The name of its stand-in.
        name: String,
        /// The symbol that it stands for.
        symbol: String,
        /// Its type, without qualifiers.
        ty: Type,
        /// Its value before the call; none where it stays zero.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Slot>,
    },
}

/// What a function does that stands in for another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandIn {
    /// The name that its parts begin with.
    pub name: String,
    /// Its results: an array of answers, or one value; none where it returns nothing, or nothing can be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Slot>,
    /// Where it returns how many elements it took or gave: all that it was asked for, unless the data says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfers: Option<Transfers>,
    /// The values that it writes behind its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Written>,
}

/// How a stand-in for a function that reads or writes so many elements answers: as `read` and `fwrite` do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transfers {
    /// The parameter that says how many elements there are: the answer if all were read or written.
    pub length: usize,
    /// Whether it answers something else.
    pub short: Slot,
}

/// The values that a stand-in writes behind a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Written {
    /// The parameter's index.
    pub param: usize,
    /// The parameter that says how many elements there are; one where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// The values.
    pub slot: Slot,
}

impl Outside {
    /// Whether the data may leave all its values at nought, which is what most functions answer where nothing is wrong
    /// and most callbacks where the caller is to go on.
    pub fn may_answer_nought(&self) -> bool {
        let is_number = |slot: &Slot| match &slot.recipe.kind {
            Kind::Prim { .. } => true,
            Kind::Array { element, .. } => matches!(element.recipe.kind, Kind::Prim { .. }),
            _ => false,
        };
        // Who is called back may have nothing to hand back.
        let is_handle =
            |does: &StandIn| does.answer.as_ref().is_some_and(|slot| matches!(slot.recipe.kind, Kind::Pointer { .. }));
        match self {
            Outside::Callback { does, .. } if is_handle(does) => true,
            Outside::Function { does, .. } | Outside::Callback { does, .. } => {
                does.transfers.is_none() && does.answer.is_some() && self.slots().all(is_number)
            }
            Outside::Variable { .. } => false,
        }
    }

    /// The values that it takes.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        let (one, short, several) = match self {
            Outside::Function { does, .. } | Outside::Callback { does, .. } => {
                (&does.answer, does.transfers.as_ref().map(|transfers| &transfers.short), does.writes.as_slice())
            }
            Outside::Variable { value, .. } => (value, None, &[][..]),
        };
        one.iter().chain(short).chain(several.iter().map(|written| &written.slot))
    }
}
