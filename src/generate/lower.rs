//! Recipes to statements: the same walk writes a driver, which takes its values from the fuzzer's bytes, and a
//! regression test, which has them as literals (the draws of a replay tell which).

mod alternatives;
mod exact;
mod fill;
mod histories;
mod iterate;
mod null;
mod objects;
mod out_params;
mod override_values;
mod owners;
mod paired_setup;
mod spelling;
mod stub;

pub use iterate::{Range, position_in};
pub use stub::{NOTES, Noted, is_floating, shown};

use super::literal;
use super::name_clashes::{Hidden, types};
use super::trace::{Draw, Trace};
use crate::cpp::{address_of, call, member, print, raw, string_literal};
use crate::facts::handles;
use crate::lexicon::Lexicon;
use crate::model::{Function, FunctionKind, Language, Model, Prim, TemplateArg, Type, TypeKind, Usr};
use crate::plan::c_lifecycle::{ender, is_made};
use crate::plan::{Entry, Kind, Recipe, SetUpCall, Slot, Yield};
use crate::types::arithmetic::is_integer;
use crate::types::spelling::{replace_word, value_type};
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
    /// What says that null is passed in its place.
    pub unless: Option<String>,
    /// It is null.
    pub is_null: bool,
    /// The container that it points into.
    pub range: Option<Range>,
}

impl Made {
    fn variable(name: &str) -> Self {
        Self::expression(name)
    }

    fn pointer(name: &str) -> Self {
        Self { by_pointer: true, ..Self::expression(format!("*{name}")) }
    }

    fn smart(name: &str) -> Self {
        Self { smart: true, ..Self::pointer(name) }
    }

    /// What an expression says.
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

/// Writes statements.
pub struct Lowering<'m> {
    model: &'m Model,
    lexicon: Lexicon,
    language: Language,
    source: Source,
    /// The project's files that the driver's or test's source reads; not known where nothing depends on it.
    files: Option<&'m [PathBuf]>,
    /// Type names that a driver writes another way, so that it fits both versions: spelling, alias.
    aliases: Vec<(String, String)>,
    /// Names of the project's that mean something else there.
    pub hidden: Hidden,
    lines: Vec<String>,
    indent: usize,
    names: BTreeSet<String>,
    /// Types of the project's that a variable's name would hide.
    types: BTreeSet<&'m str>,
    /// Objects must outlive the block that makes them: `keep` owns them.
    scoped: bool,
    /// The value being made is handed on by its address, which whoever gets it may hold on to.
    by_address: bool,
    /// A stub was made.
    stubs: bool,
    /// What a test tells of the objects that stubs are called with.
    noted: Vec<Noted>,
    /// What was made before the values that are made now.
    before: Option<Made>,
    /// The object that the unit is called on, once it is made.
    itself: Option<Made>,
    /// What takes down what was made, the last first.
    at_end: Vec<String>,
    /// What the steps of the history that is written have yielded so far.
    steps: Vec<Made>,
    /// A function of which a driver has two versions, and how it calls the one that it drives.
    pub versions: Option<(Usr, &'static str)>,
}

/// Why a test can't be written from a trace.
const RAN_DRY: &str = "the replay took fewer values than the plan asks for";

type Lowered<T> = Result<T, String>;

impl<'m> Lowering<'m> {
    /// A writer of statements in `language`.
    pub fn new(model: &'m Model, language: Language, source: Source, aliases: Vec<(String, String)>) -> Self {
        let names = ["in", "record", "keep", "result", NOTES].into_iter().map(str::to_owned).collect();
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
            stubs: false,
            noted: Vec::new(),
            before: None,
            itself: None,
            at_end: Vec::new(),
            steps: Vec::new(),
            versions: None,
        }
    }

    /// It reads names as the plan does.
    pub fn reading(mut self, lexicon: &Lexicon) -> Self {
        self.lexicon = lexicon.clone();
        self
    }

    /// What names suggest.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// What it writes stands beside the text of `source`.
    pub fn beside(mut self, source: &Path) -> Self {
        self.files = self.model.units.iter().find(|unit| unit.main_file == source).map(|unit| unit.files.as_slice());
        self
    }

    /// Stubs note these parts of what they are called with.
    pub fn note(&mut self, noted: Vec<Noted>) {
        self.noted = noted;
    }

    /// Keeps a name from being a variable's.
    pub fn reserve(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    /// The statements so far, without a common indentation.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// What takes down what the statements have made, in order.
    pub fn take_down(&mut self) -> Vec<String> {
        self.at_end.drain(..).rev().collect()
    }

    /// Appends a line as it is.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let pad = "  ".repeat(self.indent);
        self.lines.push(if text.as_ref().is_empty() { String::new() } else { format!("{pad}{}", text.as_ref()) });
    }

    fn is_c(&self) -> bool {
        self.language == Language::C
    }

    #[allow(clippy::wrong_self_convention, reason = "where values come from; nothing is converted")]
    fn from_input(&self) -> bool {
        matches!(self.source, Source::Input)
    }

    /// The value being made must outlive the block that makes it: an object that lives on may have its address.
    fn lasts(&self) -> bool {
        self.scoped && self.by_address && self.from_input() && !self.is_c()
    }

    fn draw(&mut self) -> Lowered<Draw> {
        match &mut self.source {
            Source::Trace(trace) => trace.next_draw().ok_or_else(|| RAN_DRY.to_owned()),
            Source::Input => Err("a driver draws nothing when it is written".into()),
        }
    }

    fn name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while self.types.contains(name.as_str()) || !self.names.insert(name.clone()) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        name
    }

    /// Makes all of an entry's values, object first: the statements are in order, the results are expressions.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    pub fn slots(&mut self, slots: &[Slot]) -> Lowered<Vec<Made>> {
        let mut made: Vec<Made> = Vec::new();
        for slot in slots {
            let before = made.last().or(self.before.as_ref()).cloned();
            made.push(match (&slot.recipe, before) {
                (Recipe { kind: Kind::Behind, .. }, Some(Made { range: Some(range), object, .. })) => {
                    self.behind(&range, &object, slot)?
                }
                (Recipe { ty, kind: Kind::End { most }, .. }, Some(start)) => {
                    self.end(ty, *most, &start.object, &slot.name)?
                }
                _ => self.slot(slot)?,
            });
        }
        self.before = made.last().cloned();
        Ok(made)
    }

    /// What is made next follows this.
    pub fn follow(&mut self, made: Option<&Made>) {
        self.before = made.cloned();
        self.itself = made.cloned();
    }

    /// The end of a range that begins at `start`.
    fn end(&mut self, ty: &Type, most: u64, start: &str, name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let declaration = self.declare(ty, &name);
        let length = self.length(most)?;
        self.line(format!("{declaration} = {start} + {length};"));
        Ok(Made::variable(&name))
    }

    /// How far the end of a range is from its beginning.
    fn length(&mut self, most: u64) -> Lowered<String> {
        Ok(match (self.from_input(), self.is_c()) {
            (true, true) => format!("motif_take_size(in, 0, {most})"),
            (true, false) => format!("in.size(0, {most})"),
            (false, _) => match self.draw()? {
                Draw::Size(length) => length.to_string(),
                other => return Err(format!("the replay took {other:?} where the plan has the end of a range")),
            },
        })
    }

    fn slot(&mut self, slot: &Slot) -> Lowered<Made> {
        if slot.nullable { self.nullable(slot) } else { self.there(slot) }
    }

    fn there(&mut self, slot: &Slot) -> Lowered<Made> {
        let outer = std::mem::replace(&mut self.by_address, gives_away_its_address(&slot.ty));
        let made = self.value(&slot.recipe, &slot.name);
        self.by_address = outer;
        let made = made?;
        let TypeKind::LvalueRef(to) = &slot.ty.kind else { return Ok(made) };
        let is_variable = matches!(
            slot.recipe.kind,
            Kind::CString { .. } | Kind::Pattern { .. } | Kind::Fixed { .. } | Kind::OneOf { .. }
        );
        if to.pointee().is_none() || to.is_const || is_variable {
            return Ok(made);
        }
        // A reference to a pointer binds to a pointer that is a variable; an address or an array's name is none.
        let pointer = self.name(&format!("{}_pointer", slot.name));
        if self.lasts() {
            let ty = self.ty(to);
            self.line(kept(&pointer, &ty, &made.object));
        } else {
            let declaration = self.declare(to, &pointer);
            self.line(format!("{declaration} = {};", made.object));
        }
        Ok(Made::variable(&pointer))
    }

    /// Makes one value; `name` is what a person would call it.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    pub fn value(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made> {
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Prim { range } => {
                let name = self.name(name);
                let value = self.scalar(ty)?;
                let declaration = self.declare(ty, &name);
                if self.is_c() && self.from_input() {
                    self.line(format!("{declaration};"));
                    self.line(take_into(&name, ty));
                } else if self.lasts() {
                    let ty = self.ty(ty);
                    self.line(kept(&name, &ty, &value));
                } else if self.from_input() {
                    self.line(format!("auto {name} = {value};"));
                } else {
                    self.line(format!("{declaration} = {value};"));
                }
                if let Some((low, high)) = range {
                    self.line(format!("if (!({name} >= {low})) {name} = {low};"));
                    self.line(format!("if (!({name} <= {high})) {name} = {high};"));
                }
                Ok(Made::variable(&name))
            }
            Kind::Enum { .. } | Kind::Length { .. } => {
                let name = self.name(name);
                let value = self.expression(recipe)?;
                if self.lasts() {
                    let ty = self.ty(ty);
                    self.line(kept(&name, &ty, &value));
                    return Ok(Made::variable(&name));
                }
                // What is taken says its type already.
                let says = self.from_input() && !self.is_c();
                let declaration = if says { format!("auto {name}") } else { self.declare(ty, &name) };
                self.line(format!("{declaration} = {value};"));
                Ok(Made::variable(&name))
            }
            Kind::CString { .. } => {
                let name = self.name(name);
                let value = self.expression(recipe)?;
                let declaration = self.declare(ty, &name);
                self.line(format!("{declaration} = {value};"));
                Ok(Made::variable(&name))
            }
            Kind::StdString => {
                let name = self.name(name);
                let value = self.expression(recipe)?;
                if self.lasts() {
                    self.line(kept(&name, "std::string", &value));
                    return Ok(Made::variable(&name));
                }
                let ty = if self.from_input() { "auto" } else { "std::string" };
                self.line(format!("{ty} {name} = {value};"));
                Ok(Made::variable(&name))
            }
            Kind::Fixed { expression } => {
                if self.is_c() || matches!(ty.kind, TypeKind::NullPtr) {
                    return Ok(Made::variable(expression));
                }
                let name = self.name(name);
                let declaration = self.declare(ty.without_ref(), &name);
                let expression = self.spell(expression);
                self.line(format!("{declaration} = {expression};"));
                Ok(Made::variable(&name))
            }
            Kind::Stream { reads, writes, .. } => self.stream(*reads, *writes, name),
            Kind::File => self.file(ty, name),
            Kind::End { .. } | Kind::Behind => Err("the end of a range without its beginning".into()),
            Kind::Iterator { range, approach, .. } => self.iterator(range, *approach, name),
            Kind::Itself => {
                let of = self.itself.as_ref().ok_or("what points into an object that there is none of")?.object.clone();
                if of.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    return Ok(Made::variable(&of));
                }
                let name = self.name(name);
                self.line(format!("auto &{name} = {of};"));
                Ok(Made::variable(&name))
            }
            Kind::List { elements } => self.list(ty, elements, name),
            Kind::OneOf { expressions } => self.one_of(ty.without_ref(), expressions, name),
            Kind::Array { element, length, text } => self.array(ty, element, *length, *text, name),
            Kind::Fields { fields, statements } if self.asks_for_parts(ty) => self.braced(ty, fields, statements, name),
            Kind::Fields { .. } | Kind::Bytes => {
                let name = self.name(name);
                let declaration = self.declare(ty, &name);
                if self.is_c() {
                    // memset, not `= {0}`: the padding is part of what a union's bytes compare.
                    self.line(format!("{declaration};"));
                    self.line(format!("memset(&{name}, 0, sizeof {name});"));
                } else if self.scoped && self.from_input() {
                    let ty = self.ty(ty);
                    self.line(format!("auto &{name} = keep(new {ty}());"));
                } else {
                    self.line(format!("{declaration}{{}};"));
                }
                self.fill(recipe, &name)?;
                Ok(Made::variable(&name))
            }
            Kind::Sequence { element, least, most } => self.sequence(ty, element, (*least, *most), name),
            Kind::Grid { element, most, fixed } => self.grid(ty, element, *most, *fixed, name),
            Kind::Construct { constructor, args, kept } => self.construct(ty, constructor.as_ref(), args, *kept, name),
            Kind::Factory { .. } => self.factory(recipe, name),
            Kind::Choice { among } => self.choice(ty, among, name),
            Kind::Mined { steps, object, .. } => self.mined(steps, *object),
            Kind::Same { step, owner, .. } => self.same(*step, *owner),
            Kind::Pointer { to, given, .. } if self.is_c() && is_made(&to.recipe) => {
                let made = self.value(&to.recipe, name)?.address();
                if let Some(end) = ender(&self.lexicon, self.model, &to.ty, &to.recipe).filter(|_| !given) {
                    self.at_end.push(format!("{}({made});", end.name));
                }
                Ok(Made::expression(made))
            }
            Kind::Pointer { to, given: true, .. } => {
                let made = self.owned(&to.recipe, &format!("made_{name}"))?;
                let name = self.name(name);
                let ty = self.ty(&value_type(&to.ty));
                self.line(format!("{ty} *{name} = {made};"));
                Ok(Made::variable(&name))
            }
            Kind::Pointer { to, .. } => {
                let made = self.value(&to.recipe, name)?;
                // What is pointed to must be an object: a pointer that is only an expression so far becomes one.
                // What it points to in turn may be of a subtype, which the declared type must not show.
                let is_pointer = match &to.recipe.kind {
                    Kind::Array { .. } => to.recipe.ty.pointee().is_some(),
                    Kind::Pointer { .. } => true,
                    Kind::Fixed { expression } => to.recipe.ty.pointee().is_some() && !crate::cpp::is_path(expression),
                    _ => false,
                };
                if !made.object.starts_with('&') && !is_pointer {
                    return Ok(Made::expression(made.address()));
                }
                let pointer = self.name(&format!("{name}_pointer"));
                let to = value_type(&to.ty);
                if self.lasts() {
                    let ty = self.ty(&to);
                    self.line(kept(&pointer, &ty, &made.object));
                } else {
                    let declaration = self.declare(&to, &pointer);
                    self.line(format!("{declaration} = {};", made.object));
                }
                Ok(Made::expression(address_of(&pointer)))
            }
            Kind::Smart { to } => self.smart(ty, to, name),
            Kind::Pair { parts } => {
                let made = self.slots(parts)?;
                let name = self.name(name);
                let ty = self.ty(ty);
                let list = self.pass(parts, &made).iter().map(print).collect::<Vec<_>>().join(", ");
                self.line(if self.lasts() { kept(&name, &ty, &list) } else { format!("{ty} {name}({list});") });
                Ok(Made::variable(&name))
            }
            Kind::Optional { value } => self.optional(ty, value, name),
            Kind::Variant { among } => self.variant(ty, among, name),
            Kind::Stub { args, methods } => self.stub(ty, args, methods, name),
            Kind::Pattern { pattern } => self.pattern(ty, pattern, name),
            Kind::Then { object, statements, .. } => {
                let made = self.value(&object.recipe, name)?;
                self.told(statements, &[("$it", &made)]);
                Ok(made)
            }
            Kind::SetUp { object, calls, most, .. } => {
                let made = self.value(&object.recipe, name)?;
                self.set_up(Some(&made), calls, *most)?;
                Ok(made)
            }
        }
    }

    /// A scalar's expression: what is taken, or the literal.
    fn scalar(&mut self, ty: &Type) -> Lowered<String> {
        let TypeKind::Prim(prim) = ty.kind else { return Err(format!("`{}` is not a scalar", ty.spelling)) };
        if self.from_input() {
            return Ok(format!("in.take<{}>()", self.ty(ty)));
        }
        match self.draw()? {
            Draw::Value(value) => Ok(literal::scalar(&value, prim, self.language)),
            other => Err(format!("the replay took {other:?} where the plan has a scalar")),
        }
    }

    /// A value that needs no variable of its own.
    fn expression(&mut self, recipe: &Recipe) -> Lowered<String> {
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Prim { .. } => self.scalar(ty),
            Kind::Enum { values } => self.enumerator(ty, values),
            Kind::Length { most, free: true, .. } => match (self.from_input(), self.is_c(), &ty.kind) {
                (true, true, TypeKind::Prim(prim)) => {
                    let (ty, kind) = (self.ty(ty), kind(*prim));
                    Ok(format!("({ty})motif_take_length(in, {most}, {kind}, sizeof({ty}))"))
                }
                (true, ..) => Ok(format!("in.length<{}>({most})", self.ty(ty))),
                (false, ..) => self.scalar(ty),
            },
            Kind::Length { most, below, .. } => {
                if self.from_input() {
                    let (ty, more) = (self.ty(ty), most + 1);
                    return Ok(match (self.is_c(), below) {
                        (true, false) => format!("({ty})motif_take_size(in, 0, {most})"),
                        (true, true) => format!("({ty})((int)motif_take_size(in, 0, {more}) - 1)"),
                        (false, false) => format!("static_cast<{ty}>(in.size(0, {most}))"),
                        (false, true) => format!("static_cast<{ty}>(static_cast<int>(in.size(0, {more})) - 1)"),
                    });
                }
                match (self.draw()?, &ty.kind) {
                    (Draw::Size(n), TypeKind::Prim(prim)) if is_integer(*prim) => {
                        Ok(literal::integer(i128::from(n) - i128::from(*below), *prim))
                    }
                    (Draw::Size(n), _) => Ok(n.to_string()),
                    (other, _) => Err(format!("the replay took {other:?} where the plan has a length")),
                }
            }
            Kind::CString { most, .. } => {
                if self.from_input() {
                    return Ok(if self.is_c() {
                        format!("motif_take_cstring(in, {most})")
                    } else {
                        format!("in.cstring({most})")
                    });
                }
                match self.draw()? {
                    Draw::Text(bytes) => Ok(string_literal(&bytes)),
                    other => Err(format!("the replay took {other:?} where the plan has a string")),
                }
            }
            Kind::StdString => {
                if self.from_input() {
                    return Ok(format!("in.text<std::string>({})", crate::plan::STRING_LENGTH));
                }
                let Draw::Size(_) = self.draw()? else { return Err("the replay took no length of a string".into()) };
                match self.draw()? {
                    Draw::Array(values) => {
                        let bytes: Vec<u8> = values.iter().flat_map(literal::Scalar::raw).collect();
                        let text = string_literal(&bytes);
                        Ok(if bytes.contains(&0) { format!("std::string({text}, {})", bytes.len()) } else { text })
                    }
                    other => Err(format!("the replay took {other:?} where the plan has a string")),
                }
            }
            _ => Err("this value needs a variable".into()),
        }
    }

    fn enumerator(&mut self, ty: &Type, values: &[(String, i128)]) -> Lowered<String> {
        let spelled = self.ty(ty);
        if self.from_input() {
            if self.is_c() {
                let list: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
                return Ok(if list.is_empty() {
                    format!("({spelled})motif_take_enum(in, NULL, 0)")
                } else {
                    format!(
                        "({spelled})motif_take_enum(in, (const long long[]){{{}}}, {})",
                        list.join(", "),
                        list.len()
                    )
                });
            }
            let list: Vec<String> = values.iter().map(|(name, _)| self.spell(name)).collect();
            return Ok(format!("in.enumerator<{spelled}>({{{}}})", list.join(", ")));
        }
        match self.draw()? {
            Draw::Enum(_, Some(index)) if index < values.len() => Ok(values[index].0.clone()),
            Draw::Enum(value, _) => Ok(match values.iter().find(|(_, v)| *v == value) {
                Some((name, _)) => name.clone(),
                None if self.is_c() => format!("({spelled}){value}"),
                None => format!("static_cast<{spelled}>({value})"),
            }),
            other => Err(format!("the replay took {other:?} where the plan has an enumerator")),
        }
    }
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
fn kept(name: &str, ty: &str, init: &str) -> String {
    format!("auto &{name} = keep(new {ty}({init}));")
}

/// Whether what is passed to a parameter of this type stays reachable through it.
fn gives_away_its_address(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::LvalueRef(_) | TypeKind::Pointer(_) | TypeKind::Array(..) => true,
        TypeKind::Record { name, .. } => name.ends_with("_view") || name.ends_with("::span"),
        _ => false,
    }
}

fn take_into(target: &str, ty: &Type) -> String {
    let kind = match ty.kind {
        TypeKind::Prim(prim) => kind(prim),
        _ => "MOTIF_BYTES",
    };
    format!("motif_take(in, {kind}, &{target}, sizeof {target});")
}
