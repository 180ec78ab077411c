//! Where statements are written to: the names that are taken, where values come from, and what is known of them so
//! far.

use crate::cpp::{address_of, member, raw, string_literal};
use crate::generate::literal::Scalar;
use crate::generate::name_clashes::{Hidden, types};
use crate::generate::trace::{Draw, Trace};
use crate::lexicon::Lexicon;
use crate::model::{Language, Model, Prim, Type, TypeKind, Usr};
use crate::plan::{Recipe, Slot};
use crate::types::iterators::Approach;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the values come from.
pub enum Source {
    /// The fuzzer's bytes, through the variable `in`.
    Input,
    /// The draws of a replay.
    Trace(Trace),
}

/// A value that statements have made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// An expression for the object itself.
    pub object: String,
    /// The variable is a pointer to it.
    pub by_pointer: bool,
    /// That pointer is a smart one.
    pub smart: bool,
    /// The variable that is true where null is passed in its place.
    pub unless: Option<String>,
    /// It is null.
    pub is_null: bool,
    /// The container that it points into.
    pub range: Option<Range>,
}

impl Made {
    pub(super) fn variable(name: &str) -> Self {
        Self::expression(name)
    }

    pub(super) fn pointer(name: &str) -> Self {
        Self { by_pointer: true, ..Self::expression(format!("*{name}")) }
    }

    /// What a smart pointer points to.
    pub fn smart(name: &str) -> Self {
        Self { smart: true, ..Self::pointer(name) }
    }

    /// The value of an expression.
    pub fn expression(text: impl Into<String>) -> Self {
        Self { object: text.into(), by_pointer: false, smart: false, unless: None, is_null: false, range: None }
    }

    /// An expression for its address.
    pub fn address(&self) -> String {
        if self.smart { format!("{}.get()", self.object.trim_start_matches('*')) } else { address_of(&self.object) }
    }

    /// `object.name` or `pointer->name`.
    pub fn member(&self, name: &str) -> proc_macro2::TokenStream {
        if self.by_pointer {
            member(raw(self.object.trim_start_matches('*')), true, name)
        } else {
            member(raw(&self.object), false, name)
        }
    }
}

/// A file that a test has passed the name of.
pub struct MadeFile {
    /// Its name.
    pub name: String,
    /// The name is one that nobody else has: the test removes it in any case.
    pub is_ours: bool,
}

/// What a unit, or an object of it, may write to: a stream, or a container that an iterator writes into.
#[derive(Clone, Debug)]
pub struct Sink {
    /// Its name in records.
    pub path: String,
    /// What has been written, as an expression; none where a test does not make it.
    pub written: Option<String>,
    /// The type of that.
    pub ty: Type,
}

/// Writes statements.
pub struct Lowering<'m> {
    pub(super) model: &'m Model,
    pub(super) lexicon: Lexicon,
    pub(super) language: Language,
    pub(super) source: Source,
    /// The project's files that the driver's or test's source reads; not known where nothing depends on it.
    pub(super) files: Option<&'m [PathBuf]>,
    /// Type names that a driver writes another way, so that it fits both versions: spelling, alias.
    pub(super) aliases: Vec<(String, String)>,
    /// Names of the project's that mean something else there.
    pub hidden: Hidden,
    pub(super) lines: Vec<String>,
    pub(super) indent: usize,
    pub(super) names: BTreeSet<String>,
    /// Types of the project's that a variable's name would hide.
    pub(super) types: BTreeSet<&'m str>,
    /// Objects must outlive the block that makes them: `keep` owns them.
    pub(super) scoped: bool,
    /// The value being made is handed on by its address, which whoever gets it may hold on to.
    pub(super) by_address: bool,
    /// What is filled has other values than zeros before.
    pub(super) says_zeros: bool,
    /// Arguments stand in the calls, where they can.
    pub(super) inlines: bool,
    /// What objects may hold on to where it is passed to them by reference.
    pub(super) kept_references: Vec<Type>,
    /// The notes of stubs have a NaN.
    pub hears_nan: bool,
    /// Arguments that have a name in any case, as checks ask for them.
    pub named: BTreeSet<String>,
    /// A stub was made.
    pub(super) stubs: bool,
    /// Parts of the objects that stubs are called with, which a test notes.
    pub(super) noted: Vec<Noted>,
    /// The methods of stubs that are called, where that is known.
    pub(super) heard: Option<BTreeSet<String>>,
    /// The value that was made last.
    pub(super) before: Option<Made>,
    /// The object that the unit is called on, once it is made.
    pub(super) itself: Option<Made>,
    /// Statements that end what was made, the last first.
    pub(super) at_end: Vec<String>,
    /// The same of what was given away, so that others may have ended it.
    pub may_end: Vec<String>,
    /// The files that a test has passed the names of.
    pub made_files: Vec<MadeFile>,
    /// What somebody may have written to, the arguments themselves among them.
    pub sinks: Vec<Sink>,
    /// What the last constructor whose object somebody owns was given.
    pub constructed_of: Vec<Made>,
    /// How far the statements of an entry are indented.
    pub(super) entry_indent: usize,
    /// A null pointer is a variable, as a person's statements name it.
    pub names_null: bool,
    /// The results of the history's steps so far.
    pub(super) steps: Vec<Made>,
    /// A function of which a driver has two versions, and how it calls the one that it drives.
    pub versions: Option<(Usr, &'static str)>,
}

/// The replay took something else than the plan says.
fn unexpected<T>(drawn: &Draw, planned: &str) -> Lowered<T> {
    Err(format!("the replay took {drawn:?} where the plan has {planned}"))
}

/// Why a test can't be written from a trace.
pub(super) const RAN_DRY: &str = "the replay took fewer values than the plan asks for";

pub type Lowered<T> = Result<T, String>;

impl<'m> Lowering<'m> {
    /// A writer of statements in `language`.
    pub fn new(model: &'m Model, language: Language, source: Source, aliases: Vec<(String, String)>) -> Self {
        // (A test has none of the variables that every driver has.)
        let of_driver: &[&str] = if matches!(source, Source::Input) { &["in", "record", "keep"] } else { &[] };
        let names = of_driver.iter().chain(&["result", NOTES]).map(|name| (*name).to_owned()).collect();
        Self {
            model,
            lexicon: Lexicon::default(),
            language,
            source,
            files: None,
            aliases,
            hidden: Hidden::default(),
            lines: Vec::new(),
            indent: 0,
            names,
            types: types(model, language).collect(),
            scoped: false,
            by_address: false,
            says_zeros: false,
            inlines: false,
            kept_references: Vec::new(),
            named: BTreeSet::new(),
            hears_nan: false,
            stubs: false,
            noted: Vec::new(),
            before: None,
            itself: None,
            at_end: Vec::new(),
            may_end: Vec::new(),
            made_files: Vec::new(),
            sinks: Vec::new(),
            constructed_of: Vec::new(),
            entry_indent: 0,
            names_null: false,
            heard: None,
            steps: Vec::new(),
            versions: None,
        }
    }

    /// Sets the source file that the statements stand beside.
    pub fn beside(mut self, source: &Path) -> Self {
        self.files = self.model.unit_compiling(source).map(|unit| unit.files.as_slice());
        self
    }

    /// It reads names as the plan does.
    pub fn reading(mut self, lexicon: &Lexicon) -> Self {
        self.lexicon = lexicon.clone();
        self
    }

    /// Numbers, enumerators and texts are written where they are passed.
    pub fn inlining(mut self) -> Self {
        self.inlines = true;
        self.kept_references = super::kept_references::kept_references(self.model);
        self
    }

    /// The lexicon of names.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Stubs note these parts of what they are called with.
    pub fn note(&mut self, noted: Vec<Noted>) {
        self.noted = noted;
    }

    /// Of stubs only these methods are called.
    pub fn hear(&mut self, heard: Option<BTreeSet<String>>) {
        self.heard = heard;
    }

    /// Keeps a name from being a variable's.
    pub fn reserve(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    /// The statements so far, without a common indentation.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// The statements that end what was made, in order.
    pub fn take_down(&mut self) -> Vec<String> {
        self.at_end.drain(..).rev().collect()
    }

    /// Appends a line as it is.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let pad = "  ".repeat(self.indent);
        self.lines.push(if text.as_ref().is_empty() { String::new() } else { format!("{pad}{}", text.as_ref()) });
    }

    pub(super) fn is_c(&self) -> bool {
        self.language == Language::C
    }

    #[allow(clippy::wrong_self_convention, reason = "where values come from; nothing is converted")]
    pub(in crate::generate) fn from_input(&self) -> bool {
        matches!(self.source, Source::Input)
    }

    /// The value being made must outlive the block that makes it: an object that lives on may have its address.
    pub(super) fn lasts(&self) -> bool {
        self.scoped && self.by_address && self.from_input() && !self.is_c()
    }

    /// The object being made must outlive the block that makes it.
    pub(super) fn outlives(&self) -> bool {
        self.scoped && self.from_input()
    }

    /// The next draw of the replay.
    pub(super) fn draw(&mut self) -> Lowered<Draw> {
        match &mut self.source {
            Source::Trace(trace) => trace.next_draw().ok_or_else(|| RAN_DRY.to_owned()),
            Source::Input => Err("a driver draws nothing when it is written".into()),
        }
    }

    /// The alternative that the replay took, of `count`; the only one is not taken.
    pub(super) fn draw_pick(&mut self, count: usize, of: &str) -> Lowered<usize> {
        if count == 1 {
            return Ok(0);
        }
        match self.draw()? {
            Draw::Pick(index) if (index as usize) < count => Ok(index as usize),
            other => unexpected(&other, of),
        }
    }

    /// The number that the replay took.
    pub(in crate::generate) fn draw_size(&mut self, of: &str) -> Lowered<u64> {
        match self.draw()? {
            Draw::Size(size) => Ok(size),
            other => unexpected(&other, of),
        }
    }

    /// The text that the replay took, as a literal.
    pub(super) fn draw_text(&mut self, of: &str) -> Lowered<String> {
        match self.draw()? {
            Draw::Text(bytes) => Ok(string_literal(&bytes)),
            other => unexpected(&other, of),
        }
    }

    /// The scalars that the replay took in a row.
    pub(super) fn draw_array(&mut self, of: &str) -> Lowered<Vec<Scalar>> {
        match self.draw()? {
            Draw::Array(values) => Ok(values),
            other => unexpected(&other, of),
        }
    }

    /// An expression that takes one of `count` alternatives from the input.
    pub(super) fn take_pick(&self, count: u64) -> String {
        if self.is_c() { format!("motif_take_pick(in, {count})") } else { format!("in.pick({count})") }
    }

    /// An expression that takes a number from 0 to `most` from the input.
    pub(super) fn take_size(&self, most: u64) -> String {
        if self.is_c() { format!("motif_take_size(in, 0, {most})") } else { format!("in.size(0, {most})") }
    }

    /// The input, as the C part of the runtime takes it.
    pub(super) fn raw_input(&self) -> &'static str {
        if self.is_c() { "in" } else { "in.raw()" }
    }

    /// The null pointer.
    pub(super) fn null(&self) -> &'static str {
        crate::cpp::null(self.language)
    }

    /// Writes a block with its head; `write` writes the statements in it.
    pub(super) fn block(&mut self, head: impl AsRef<str>, write: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.line(head);
        self.indent += 1;
        write(self)?;
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// Does something as in a block whose objects must outlive it.
    pub(super) fn lasting<T>(&mut self, write: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let outer = std::mem::replace(&mut self.scoped, true);
        let written = write(self);
        self.scoped = outer;
        written
    }

    /// Defines a variable: `T name(init);`, or `T name;` where `init` is empty.
    pub(super) fn variable(&mut self, name: &str, ty: &str, init: &str) -> Made {
        self.line(match (self.lasts(), init) {
            (true, _) => kept(name, ty, init),
            (false, "") => format!("{ty} {name};"),
            (false, _) => format!("{ty} {name}({init});"),
        });
        Made::variable(name)
    }

    /// Another way into the unit begins.
    pub fn begin_entry(&mut self) {
        self.sinks.clear();
        self.entry_indent = self.indent;
    }

    /// Defines an object: by `plain`, or in `keep` as `new object` where it must outlive the block.
    pub(super) fn object(&mut self, name: &str, object: &str, plain: String) -> Made {
        self.line(if self.outlives() { format!("auto &{name} = keep(new {object});") } else { plain });
        Made::variable(name)
    }

    pub(super) fn name(&mut self, wanted: &str) -> String {
        let own = (!self.from_input()).then(|| crate::types::spelling::as_variable(wanted));
        name_as(self, own.as_deref().unwrap_or(wanted))
    }

    /// Sets the value that the next one follows: the receiver.
    pub fn follow(&mut self, made: Option<&Made>) {
        self.before = made.cloned();
        self.itself = made.cloned();
    }

    /// Whether the statements so far make a stub.
    pub fn has_stubs(&self) -> bool {
        self.stubs
    }
}

/// Notes what may be written to, for what holds it; the first of its name, and none that is not always there.
pub(super) fn hear_sink(lowering: &mut Lowering<'_>, path: String, written: String, ty: Type) {
    let is_test = !lowering.from_input();
    let is_always_there = is_test || !lowering.scoped && lowering.indent == lowering.entry_indent;
    match lowering.sinks.iter_mut().find(|known| known.path == path) {
        // (Which of the two it is, a test can't tell: one may be of a choice.)
        Some(known) if is_test => known.written = None,
        None if is_always_there => lowering.sinks.push(Sink { path, written: Some(written), ty }),
        _ => {}
    }
}

/// What a test has so far: the draws for what it does without are taken all the same.
pub(super) struct SoFar {
    lines: usize,
    at_end: usize,
    may_end: usize,
    made_files: usize,
    sinks: usize,
    names: BTreeSet<String>,
}

impl SoFar {
    pub(super) fn of(lowering: &Lowering<'_>) -> Self {
        Self {
            lines: lowering.lines.len(),
            at_end: lowering.at_end.len(),
            may_end: lowering.may_end.len(),
            made_files: lowering.made_files.len(),
            sinks: lowering.sinks.len(),
            names: lowering.names.clone(),
        }
    }

    /// Takes back what has come since.
    pub(super) fn restore(self, lowering: &mut Lowering<'_>) {
        lowering.lines.truncate(self.lines);
        lowering.at_end.truncate(self.at_end);
        lowering.may_end.truncate(self.may_end);
        lowering.made_files.truncate(self.made_files);
        lowering.sinks[self.sinks..].iter_mut().for_each(|made| made.written = None);
        lowering.names = self.names;
    }
}

/// A free name, which is the one that is wanted or that with a number.
pub(super) fn name_as(lowering: &mut Lowering<'_>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while lowering.types.contains(name.as_str()) || !lowering.names.insert(name.clone()) {
        let apart = if wanted.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        name = format!("{wanted}{apart}{number}");
        number += 1;
    }
    name
}

/// Making values of any kind, for kinds that are made of others.
pub trait Values {
    /// Makes all of some values: the statements are in order, the results are expressions.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    fn slots(&mut self, slots: &[Slot]) -> Lowered<Vec<Made>>;
    /// Makes one of them; null now and then, where it may be.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    fn slot(&mut self, slot: &Slot) -> Lowered<Made>;
    /// The same, never null.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    fn there(&mut self, slot: &Slot) -> Lowered<Made>;
    /// Makes one value; `name` is what a person would call it.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    fn value(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made>;
}

/// The container that an iterator points into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// An expression for it.
    pub container: String,
    /// Its type.
    pub ty: Type,
    /// How the iterator uses it.
    pub approach: Approach,
}

impl Range {
    /// Under which name its elements are recorded, by the name of the argument.
    pub fn name(&self, argument: &str) -> String {
        format!("{argument}_range")
    }

    /// How far an iterator is from the first element; none of one that has no place.
    pub fn position(&self, iterator: &str) -> Option<String> {
        let (first, _) = self.approach.ends().filter(|_| self.approach.has_place())?;
        Some(format!("std::distance({}.{first}(), {iterator})", self.container))
    }
}

/// The variable that holds what stubs were called with.
pub const NOTES: &str = "stub_calls";

/// A part of an object that a stub is called with, which a test tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Noted {
    /// The stub's method, as records name it.
    pub label: String,
    /// Which call of stubs it is, from 0.
    pub call: u64,
    /// Which argument.
    pub argument: usize,
    /// An expression for the part, which a note names.
    pub place: String,
    /// The expression that is written to a stream for it.
    pub shown: String,
    /// It is a floating-point number.
    pub is_floating: bool,
}

/// The runtime's name of a scalar's kind.
pub fn kind(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "MOTIF_BOOL",
        Prim::Char => "MOTIF_CHAR",
        Prim::SChar => "MOTIF_INT8",
        Prim::UChar | Prim::Char8 => "MOTIF_UINT8",
        Prim::Short => "MOTIF_INT16",
        Prim::UShort | Prim::Char16 => "MOTIF_UINT16",
        Prim::Int | Prim::WChar => "MOTIF_INT32",
        Prim::UInt | Prim::Char32 => "MOTIF_UINT32",
        Prim::Long | Prim::LongLong => "MOTIF_INT64",
        Prim::ULong | Prim::ULongLong => "MOTIF_UINT64",
        Prim::Int128 => "MOTIF_INT128",
        Prim::UInt128 => "MOTIF_UINT128",
        Prim::Float => "MOTIF_FLOAT",
        Prim::Double => "MOTIF_DOUBLE",
        Prim::LongDouble => "MOTIF_LONG_DOUBLE",
    }
}

/// `auto &name = keep(new T(init));`: a value that outlives the block that makes it.
pub(super) fn kept(name: &str, ty: &str, init: &str) -> String {
    format!("auto &{name} = keep(new {ty}({init}));")
}

/// As `Lowering::lasts`, in C, where the memory of the input has what lasts.
pub(super) fn lasts_in_c(lowering: &Lowering<'_>) -> bool {
    lowering.scoped && lowering.by_address && lowering.from_input() && lowering.is_c()
}

/// Whether what is passed to a parameter of this type stays reachable through it.
pub(super) fn gives_away_its_address(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::LvalueRef(_) | TypeKind::Pointer(_) | TypeKind::Array(..) => true,
        TypeKind::Record { name, .. } => name.ends_with("_view") || name.ends_with("::span"),
        _ => false,
    }
}

pub(super) fn take_into(target: &str, ty: &Type) -> String {
    let kind = match ty.kind {
        TypeKind::Prim(prim) => kind(prim),
        _ => "MOTIF_BYTES",
    };
    format!("motif_take(in, {kind}, {}, sizeof {target});", address_of(target))
}
