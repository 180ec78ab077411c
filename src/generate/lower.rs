//! Recipes to statements: the same walk writes a driver, which takes its values from the fuzzer's bytes, and a
//! regression test, which has them as literals (the draws of a replay tell which).

use super::literal;
use super::trace::{Draw, Trace};
use crate::cpp::{address_of, call, member, print, raw, string_literal};
use crate::model::{Function, FunctionKind, Language, Model, Prim, Type, TypeKind};
use crate::plan::values::{is_integer, replace_word};
use crate::plan::{Entry, Recipe, SetUpCall, Slot, Yield};
use std::collections::BTreeSet;

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
}

impl Made {
    fn variable(name: &str) -> Self {
        Self { object: name.to_owned(), by_pointer: false }
    }

    fn pointer(name: &str) -> Self {
        Self { object: format!("*{name}"), by_pointer: true }
    }

    /// An expression for its address.
    pub fn address(&self) -> String {
        address_of(&self.object)
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
    language: Language,
    source: Source,
    /// Type names that a driver writes another way, so that it fits both versions: spelling, alias.
    aliases: Vec<(String, String)>,
    lines: Vec<String>,
    indent: usize,
    names: BTreeSet<String>,
    /// Objects must outlive the block that makes them: `keep` owns them.
    scoped: bool,
}

/// Why a test can't be written from a trace.
const RAN_DRY: &str = "the replay took fewer values than the plan asks for";

type Lowered<T> = Result<T, String>;

impl<'m> Lowering<'m> {
    /// A writer of statements in `language`.
    pub fn new(model: &'m Model, language: Language, source: Source, aliases: Vec<(String, String)>) -> Self {
        let names = ["in", "record", "keep", "result"].into_iter().map(str::to_owned).collect();
        Self { model, language, source, aliases, lines: Vec::new(), indent: 0, names, scoped: false }
    }

    /// The statements so far, without a common indentation.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
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

    fn draw(&mut self) -> Lowered<Draw> {
        match &mut self.source {
            Source::Trace(trace) => trace.next_draw().ok_or_else(|| RAN_DRY.to_owned()),
            Source::Input => Err("a driver draws nothing when it is written".into()),
        }
    }

    /// A type's spelling, with the aliases that stand for either version.
    pub fn ty(&self, ty: &Type) -> String {
        self.spell(&ty.spelling)
    }

    /// Text with the aliases put in.
    pub fn spell(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (spelling, alias) in &self.aliases {
            out = replace_word(&out, spelling, alias);
        }
        if out != text
            && self.aliases.iter().any(|(_, alias)| out.trim_start_matches("const ").starts_with(&format!("{alias}::")))
        {
            out = match out.strip_prefix("const ") {
                Some(rest) => format!("const typename {rest}"),
                None => format!("typename {out}"),
            };
        }
        out
    }

    fn name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        name
    }

    /// `T name` as a declarator, arrays and pointers to arrays included.
    pub fn declare(&self, ty: &Type, name: &str) -> String {
        match &ty.kind {
            TypeKind::Array(element, length) => {
                let length = length.map_or_else(String::new, |n| n.to_string());
                self.declare(element, &format!("{name}[{length}]"))
            }
            _ => crate::cpp::declare(&self.ty(ty), name),
        }
    }

    /// Makes all of an entry's values, object first: the statements are in order, the results are expressions.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    pub fn slots(&mut self, slots: &[Slot]) -> Lowered<Vec<Made>> {
        slots.iter().map(|slot| self.value(&slot.recipe, &slot.name)).collect()
    }

    /// Makes one value; `name` is what a person would call it.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    pub fn value(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made> {
        match recipe {
            Recipe::Prim { ty, range } => {
                let name = self.name(name);
                let value = self.scalar(ty)?;
                let declaration = self.declare(ty, &name);
                if self.is_c() && self.from_input() {
                    self.line(format!("{declaration};"));
                    self.line(take_into(&name, ty));
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
            Recipe::Enum { ty, .. } | Recipe::Length { ty, .. } => {
                let name = self.name(name);
                let value = self.expression(recipe)?;
                // What is taken says its type already.
                let says = self.from_input() && !self.is_c();
                let declaration = if says { format!("auto {name}") } else { self.declare(ty, &name) };
                self.line(format!("{declaration} = {value};"));
                Ok(Made::variable(&name))
            }
            Recipe::CString { ty, .. } => {
                let name = self.name(name);
                let value = self.expression(recipe)?;
                let declaration = self.declare(ty, &name);
                self.line(format!("{declaration} = {value};"));
                Ok(Made::variable(&name))
            }
            Recipe::StdString { .. } => {
                let name = self.name(name);
                let value = self.expression(recipe)?;
                let ty = if self.from_input() { "auto" } else { "std::string" };
                self.line(format!("{ty} {name} = {value};"));
                Ok(Made::variable(&name))
            }
            Recipe::Fixed { ty, expression } => {
                if self.is_c() || matches!(ty.kind, TypeKind::NullPtr) {
                    return Ok(Made::variable(expression));
                }
                let name = self.name(name);
                let declaration = self.declare(ty.without_ref(), &name);
                let expression = self.spell(expression);
                self.line(format!("{declaration} = {expression};"));
                Ok(Made::variable(&name))
            }
            Recipe::Array { ty, element, length } => self.array(ty, element, *length, name),
            Recipe::Fields { ty, .. } | Recipe::Bytes { ty } => {
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
            Recipe::Sequence { ty, element, least, most } => self.sequence(ty, element, (*least, *most), name),
            Recipe::Construct { ty, args, .. } => self.construct(ty, args, name),
            Recipe::Factory { .. } => self.factory(recipe, name),
            Recipe::Choice { ty, among } => self.choice(ty, among, name),
            Recipe::Pointer { ty, to, .. } => {
                let made = self.value(&to.recipe, name)?;
                if to.recipe.ty().pointee().is_none() && !matches!(to.recipe, Recipe::Array { .. }) {
                    return Ok(Made { object: made.address(), by_pointer: false });
                }
                let pointer = self.name(&format!("{name}_pointer"));
                let declaration = self.declare(ty, &pointer);
                self.line(format!("{declaration} = {};", made.address()));
                Ok(Made::variable(&pointer))
            }
            Recipe::Smart { ty, to } => {
                let made = self.owned(&to.recipe, name)?;
                let name = self.name(&format!("{name}_owner"));
                let ty = self.ty(ty);
                self.line(format!("{ty} {name}({made});"));
                Ok(Made::variable(&name))
            }
            Recipe::Pair { ty, parts } => {
                let parts = self.slots(parts)?;
                let name = self.name(name);
                let ty = self.ty(ty);
                let list: Vec<&str> = parts.iter().map(|p| p.object.as_str()).collect();
                self.line(format!("{ty} {name}({});", list.join(", ")));
                Ok(Made::variable(&name))
            }
            Recipe::Optional { ty, value } => self.optional(ty, value, name),
            Recipe::SetUp { object, calls, most, .. } => {
                let made = self.value(&object.recipe, name)?;
                self.set_up(&made, calls, *most)?;
                Ok(made)
            }
        }
    }

    /// Calls that bring an object into a state: in a driver a loop over what the data picks, in a test those that
    /// were picked.
    fn set_up(&mut self, object: &Made, calls: &[SetUpCall], most: u64) -> Lowered<()> {
        if self.from_input() {
            let counter = self.name("calls");
            self.line(format!("for (std::size_t {counter} = in.size(0, {most}); {counter} > 0; --{counter}) {{"));
            self.indent += 1;
            if let [only] = calls {
                let names = self.names.clone();
                let outer = std::mem::replace(&mut self.scoped, true);
                self.set_up_call(object, only)?;
                self.scoped = outer;
                self.names = names;
            } else {
                self.alternatives(calls, &mut |this, call| this.set_up_call(object, call))?;
            }
            self.indent -= 1;
            self.line("}");
            return Ok(());
        }
        let Draw::Size(count) = self.draw()? else { return Err("the replay took no number of calls".into()) };
        for _ in 0..count {
            let index = match calls {
                [_] => 0,
                _ => match self.draw()? {
                    Draw::Pick(index) if (index as usize) < calls.len() => index as usize,
                    other => return Err(format!("the replay took {other:?} where the plan has calls")),
                },
            };
            self.set_up_call(object, &calls[index])?;
        }
        Ok(())
    }

    fn set_up_call(&mut self, object: &Made, step: &SetUpCall) -> Lowered<()> {
        let made = self.slots(&step.args)?;
        let list = self.pass(&step.args, &made);
        self.line(format!("{};", print(&call(object.member(&step.name), &list))));
        Ok(())
    }

    fn optional(&mut self, ty: &Type, value: &Slot, name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let ty = self.ty(ty);
        self.line(format!("{ty} {name};"));
        if self.from_input() {
            self.line("if (in.pick(2) == 1) {");
            self.indent += 1;
            let made = self.value(&value.recipe, &format!("{name}_value"))?;
            self.line(format!("{name} = {};", made.object));
            self.indent -= 1;
            self.line("}");
        } else if self.draw()? == Draw::Pick(1) {
            let made = self.value(&value.recipe, &format!("{name}_value"))?;
            self.line(format!("{name} = {};", made.object));
        }
        Ok(Made::variable(&name))
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
        match recipe {
            Recipe::Prim { ty, .. } => self.scalar(ty),
            Recipe::Enum { ty, values } => self.enumerator(ty, values),
            Recipe::Length { ty, most } => {
                if self.from_input() {
                    return Ok(if self.is_c() {
                        format!("({})motif_take_size(in, 0, {most})", self.ty(ty))
                    } else {
                        format!("static_cast<{}>(in.size(0, {most}))", self.ty(ty))
                    });
                }
                match (self.draw()?, &ty.kind) {
                    (Draw::Size(n), TypeKind::Prim(prim)) if is_integer(*prim) => Ok(literal::integer(n.into(), *prim)),
                    (Draw::Size(n), _) => Ok(n.to_string()),
                    (other, _) => Err(format!("the replay took {other:?} where the plan has a length")),
                }
            }
            Recipe::CString { most, .. } => {
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
            Recipe::StdString { .. } => {
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

    /// Fills an lvalue that exists.
    fn fill(&mut self, recipe: &Recipe, target: &str) -> Lowered<()> {
        match recipe {
            Recipe::Fields { fields, statements, .. } => {
                for field in fields {
                    self.fill(&field.recipe, &format!("{target}.{}", field.name))?;
                }
                for statement in statements {
                    self.line(statement.replace("$it", target));
                }
                Ok(())
            }
            Recipe::Bytes { .. } => {
                if self.from_input() {
                    self.line(format!(
                        "motif_take({}, MOTIF_BYTES, &{target}, sizeof {target});",
                        if self.is_c() { "in" } else { "in.raw()" }
                    ));
                    return Ok(());
                }
                let Draw::Value(value) = self.draw()? else { return Err("the replay took no storage".into()) };
                let bytes = value.raw();
                let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |n| n + 1);
                if used > 0 {
                    let list: Vec<String> = bytes[..used].iter().map(|b| format!("0x{b:02x}")).collect();
                    let name = self.name("storage");
                    self.line(format!("const unsigned char {name}[] = {{{}}};", wrap(&list)));
                    let copy = if self.is_c() { "memcpy" } else { "std::memcpy" };
                    self.line(format!("{copy}(&{target}, {name}, sizeof {name});"));
                }
                Ok(())
            }
            Recipe::Array { ty, element, length } if matches!(ty.kind, TypeKind::Array(..)) || is_std_array(ty) => {
                self.fill_array(element, *length, target, is_std_array(ty))
            }
            Recipe::Prim { ty, range: None } => {
                if self.is_c() && self.from_input() {
                    self.line(take_into(target, ty));
                    return Ok(());
                }
                let value = self.scalar(ty)?;
                if self.from_input()
                    || !matches!(value.as_str(), "0" | "0.0" | "0.0f" | "false" | "'\\0'" | "0u" | "0L" | "0UL")
                {
                    self.line(format!("{target} = {value};"));
                }
                Ok(())
            }
            Recipe::Enum { .. } | Recipe::CString { .. } | Recipe::StdString { .. } | Recipe::Length { .. } => {
                let value = self.expression(recipe)?;
                self.line(format!("{target} = {value};"));
                Ok(())
            }
            _ => {
                let name = target.rsplit(['.', '>']).next().unwrap_or(target).to_owned();
                let name = crate::plan::values::identifier(&name, "value");
                let made = self.value(recipe, &name)?;
                let moved = matches!(recipe, Recipe::Smart { .. });
                self.line(if moved {
                    format!("{target} = std::move({});", made.object)
                } else {
                    format!("{target} = {};", made.object)
                });
                Ok(())
            }
        }
    }

    fn fill_array(&mut self, element: &Slot, length: u64, target: &str, is_class: bool) -> Lowered<()> {
        if let Some((prim, total)) = flat(element, length) {
            if self.from_input() {
                let first = first_element(target, element, is_class);
                let size = format!("sizeof {first}[0]");
                self.line(match (self.is_c(), is_class || first != *target) {
                    (true, _) => format!("motif_take_array(in, {}, {first}, {size}, {total});", kind(prim)),
                    (false, _) => format!("in.array({first}, {total});"),
                });
                return Ok(());
            }
            let Draw::Array(values) = self.draw()? else { return Err("the replay took no array".into()) };
            // The target was value-initialised: only what is not zero is to be said.
            for (index, value) in values.iter().enumerate().filter(|(_, v)| !v.is_zero()) {
                let place = subscript(target, element, index as u64, length);
                let text = literal::scalar(value, prim, self.language);
                self.line(format!("{place} = {text};"));
            }
            return Ok(());
        }
        if self.from_input() {
            let index = self.name("i");
            let counter = if self.is_c() { "size_t" } else { "std::size_t" };
            self.line(format!("for ({counter} {index} = 0; {index} < {length}; ++{index}) {{"));
            self.indent += 1;
            let outer = std::mem::replace(&mut self.scoped, true);
            self.fill(&element.recipe, &format!("{target}[{index}]"))?;
            self.scoped = outer;
            self.indent -= 1;
            self.line("}");
            return Ok(());
        }
        for index in 0..length {
            self.fill(&element.recipe, &format!("{target}[{index}]"))?;
        }
        Ok(())
    }

    fn array(&mut self, ty: &Type, element: &Slot, length: u64, name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let is_class = is_std_array(ty);
        let element_type = crate::plan::values::value_type(&element.ty);
        let declaration =
            if is_class { self.declare(ty, &name) } else { self.declare(&element_type, &format!("{name}[{length}]")) };
        if let (false, Some((prim, _))) = (self.from_input(), flat(element, length)) {
            let Draw::Array(values) = self.draw()? else { return Err("the replay took no array".into()) };
            let used = values.iter().rposition(|v| !v.is_zero()).map_or(0, |n| n + 1);
            if !matches!(element.recipe, Recipe::Array { .. }) {
                let text: Vec<String> =
                    values[..used].iter().map(|v| literal::scalar(v, prim, self.language)).collect();
                let bytes: Vec<u8> = values[..used].iter().flat_map(literal::Scalar::raw).collect();
                let init = if prim == Prim::Char
                    && !is_class
                    && bytes.len() < length as usize
                    && bytes.iter().all(|b| *b != 0)
                {
                    string_literal(&bytes)
                } else if used == 0 {
                    if self.is_c() { "{0}".into() } else { "{}".into() }
                } else {
                    format!("{{{}}}", wrap(&text))
                };
                self.line(format!("{declaration} = {init};"));
                return Ok(Made::variable(&name));
            }
            self.line(format!("{declaration} = {};", if self.is_c() { "{{0}}" } else { "{}" }));
            for (index, value) in values.iter().enumerate().filter(|(_, v)| !v.is_zero()) {
                let place = subscript(&name, element, index as u64, length);
                let text = literal::scalar(value, prim, self.language);
                self.line(format!("{place} = {text};"));
            }
            return Ok(Made::variable(&name));
        }
        if self.is_c() {
            self.line(format!("{declaration};"));
            self.line(format!("memset({name}, 0, sizeof {name});"));
        } else {
            self.line(format!("{declaration} = {{}};"));
        }
        self.fill_array(element, length, &name, is_class)?;
        Ok(Made::variable(&name))
    }

    fn sequence(&mut self, ty: &Type, element: &Slot, (least, most): (u64, u64), name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let spelled = self.ty(ty);
        let container = match &ty.kind {
            TypeKind::Record { name, .. } => name.as_str(),
            _ => "",
        };
        let insert = match container {
            "std::vector" | "std::list" | "std::deque" => "push_back",
            "std::forward_list" => "push_front",
            _ => "insert",
        };
        let moved = matches!(element.recipe, Recipe::Smart { .. });
        if self.from_input() {
            self.line(format!("{spelled} {name};"));
            let counter = self.name("n");
            self.line(format!("for (std::size_t {counter} = in.size({least}, {most}); {counter} > 0; --{counter}) {{"));
            self.indent += 1;
            let outer = std::mem::replace(&mut self.scoped, true);
            let made = self.value(&element.recipe, "element")?;
            self.scoped = outer;
            let value = if moved { format!("std::move({})", made.object) } else { made.object };
            self.line(format!("{name}.{insert}({value});"));
            self.indent -= 1;
            self.line("}");
            return Ok(Made::variable(&name));
        }
        let Draw::Size(count) = self.draw()? else { return Err("the replay took no number of elements".into()) };
        let simple =
            matches!(element.recipe, Recipe::Prim { range: None, .. } | Recipe::Enum { .. } | Recipe::StdString { .. });
        if simple && insert != "push_front" {
            let values: Lowered<Vec<String>> = (0..count).map(|_| self.expression(&element.recipe)).collect();
            let values = values?;
            self.line(if values.is_empty() {
                format!("{spelled} {name};")
            } else {
                format!("{spelled} {name} = {{{}}};", wrap(&values))
            });
            return Ok(Made::variable(&name));
        }
        self.line(format!("{spelled} {name};"));
        for _ in 0..count {
            let made = self.value(&element.recipe, &format!("{name}_element"))?;
            let value = if moved { format!("std::move({})", made.object) } else { made.object };
            self.line(format!("{name}.{insert}({value});"));
        }
        Ok(Made::variable(&name))
    }

    /// Arguments as they are passed to a parameter of each slot's type.
    pub fn pass(&self, slots: &[Slot], made: &[Made]) -> Vec<proc_macro2::TokenStream> {
        slots
            .iter()
            .zip(made)
            .map(|(slot, made)| {
                let moves = matches!(slot.ty.kind, TypeKind::RvalueRef(_))
                    || matches!(&slot.ty.kind, TypeKind::Record { name, .. } if name == "std::unique_ptr");
                raw(if moves { format!("std::move({})", made.object) } else { made.object.clone() })
            })
            .collect()
    }

    fn construct(&mut self, ty: &Type, args: &[Slot], name: &str) -> Lowered<Made> {
        let made = self.slots(args)?;
        let list = self.pass(args, &made);
        let name = self.name(name);
        let ty = self.ty(ty);
        let args = print(&call(raw(""), &list));
        if self.scoped && self.from_input() {
            self.line(format!("auto &{name} = keep(new {ty}{args});"));
        } else if list.is_empty() {
            self.line(format!("{ty} {name};"));
        } else {
            self.line(format!("{ty} {name}{args};"));
        }
        Ok(Made::variable(&name))
    }

    /// An expression that yields a pointer which the receiver owns.
    pub fn owned(&mut self, recipe: &Recipe, name: &str) -> Lowered<String> {
        match recipe {
            Recipe::Construct { ty, args, .. } => {
                let made = self.slots(args)?;
                let list = self.pass(args, &made);
                let ty = self.ty(ty);
                Ok(format!("new {}", print(&call(raw(ty), &list))))
            }
            Recipe::Choice { ty, among } => {
                if !self.from_input() || among.len() == 1 {
                    let index = if self.from_input() || among.len() == 1 {
                        self.only_pick(among)?
                    } else {
                        self.picked(among)?
                    };
                    return self.owned(&among[index].recipe, name);
                }
                let name = self.name(name);
                let base = self.ty(ty);
                self.line(format!("{base} *{name} = nullptr;"));
                self.alternatives(among, &mut |this, slot| {
                    let made = this.owned(&slot.recipe, &slot.name)?;
                    this.line(format!("{name} = {made};"));
                    Ok(())
                })?;
                Ok(name)
            }
            Recipe::SetUp { ty, object, calls, most } => {
                let made = self.owned(&object.recipe, name)?;
                let name = self.name(name);
                let ty = self.ty(ty);
                self.line(format!("{ty} *{name} = {made};"));
                self.set_up(&Made::pointer(&name), calls, *most)?;
                Ok(name)
            }
            _ => {
                let made = self.value(recipe, name)?;
                Ok(format!("new {}({})", self.ty(recipe.ty()), made.object))
            }
        }
    }

    fn only_pick(&mut self, among: &[Slot]) -> Lowered<usize> {
        debug_assert_eq!(among.len(), 1, "one alternative is taken without a draw");
        Ok(0)
    }

    fn picked(&mut self, among: &[Slot]) -> Lowered<usize> {
        match self.draw()? {
            Draw::Pick(index) if (index as usize) < among.len() => Ok(index as usize),
            other => Err(format!("the replay took {other:?} where the plan has alternatives")),
        }
    }

    /// A `switch` over alternatives, by the data.
    pub fn alternatives<T>(&mut self, among: &[T], write: &mut dyn FnMut(&mut Self, &T) -> Lowered<()>) -> Lowered<()> {
        let pick = if self.is_c() {
            format!("motif_take_pick(in, {})", among.len())
        } else {
            format!("in.pick({})", among.len())
        };
        self.line(format!("switch ({pick}) {{"));
        for (index, alternative) in among.iter().enumerate() {
            let label = if index + 1 == among.len() { "default".to_owned() } else { format!("case {index}") };
            self.line(format!("  {label}: {{"));
            self.indent += 2;
            let outer = std::mem::replace(&mut self.scoped, true);
            let names = self.names.clone();
            write(self, alternative)?;
            self.names = names;
            self.scoped = outer;
            self.line("break;");
            self.indent -= 2;
            self.line("  }");
        }
        self.line("}");
        Ok(())
    }

    fn choice(&mut self, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
        if among.len() == 1 {
            return self.value(&among[0].recipe, name);
        }
        if !self.from_input() {
            let index = self.picked(among)?;
            return self.value(&among[index].recipe, name);
        }
        let name = self.name(name);
        let base = self.ty(ty);
        self.line(format!("{base} *{name} = nullptr;"));
        self.alternatives(among, &mut |this, slot| {
            let made = this.value(&slot.recipe, &slot.name)?;
            this.line(format!("{name} = {};", made.address()));
            Ok(())
        })?;
        Ok(Made::pointer(&name))
    }

    fn factory(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made> {
        let Recipe::Factory { ty, function, callee, object, args, yields } = recipe else {
            unreachable!("called for factories")
        };
        let callee = match object {
            Some(slot) => self.value(&slot.recipe, &slot.name)?.member(callee),
            None => raw(self.spell(callee)),
        };
        let made = self.slots(args)?;
        let list = self.pass(args, &made);
        let name = self.name(name);
        let made = print(&call(callee, &list));
        let result = self.model.functions.get(function).map(|f| &f.result);
        // Only looked at through the factory's own `const`, or the caller's promise not to change it is dropped:
        // the object itself is not const.
        let yields_const = result.and_then(|r| r.pointee().or(Some(r.without_ref()))).is_some_and(|to| to.is_const);
        let drops_const = yields_const && !ty.is_const && !matches!(yields, Yield::Value | Yield::Smart);
        let ty = self.ty(ty);
        let mark = if *yields == Yield::Reference { '&' } else { '*' };
        let made = if drops_const { format!("const_cast<{ty} {mark}>({made})") } else { made };
        match yields {
            Yield::Value if self.scoped && self.from_input() => {
                self.line(format!("auto &{name} = keep(new {ty}({made}));"));
                Ok(Made::variable(&name))
            }
            Yield::Value => {
                self.line(format!("{ty} {name} = {made};"));
                Ok(Made::variable(&name))
            }
            Yield::Reference => {
                self.line(format!("{ty} &{name} = {made};"));
                Ok(Made::variable(&name))
            }
            Yield::Borrowed | Yield::Owned => {
                self.line(format!("{ty} *{name} = {made};"));
                self.give_up_on_null(&name);
                Ok(Made::pointer(&name))
            }
            Yield::Smart => {
                if self.scoped && self.from_input() {
                    let smart = result.map_or_else(String::new, |r| self.ty(r));
                    self.line(format!("auto &{name} = keep(new {smart}({made}));"));
                } else {
                    self.line(format!("auto {name} = {made};"));
                }
                self.give_up_on_null(&name);
                Ok(Made::pointer(&name))
            }
        }
    }

    fn give_up_on_null(&mut self, name: &str) {
        if self.from_input() {
            self.line(format!("if (!{name}) return;"));
        } else {
            self.line(format!("ASSERT_TRUE({name} != nullptr);"));
        }
    }

    /// The call of `function`, as a person would write it.
    pub fn call(
        &self,
        function: &Function,
        object: Option<&Made>,
        entry: &Entry,
        made: &[Made],
        target: Option<&str>,
    ) -> String {
        let args = self.pass(&entry.args, made);
        if let Some(target) = target {
            return print(&call(raw(target), &args));
        }
        match (function.kind, object) {
            (FunctionKind::Conversion, Some(object)) => {
                format!("static_cast<{}>({})", self.ty(&function.result), object.object)
            }
            (FunctionKind::Method, Some(object)) if function.name.starts_with("operator") => {
                operator(function, object, &args)
            }
            (_, Some(object)) => print(&call(object.member(&function.name), &args)),
            (FunctionKind::StaticMethod, None) => {
                let class =
                    function.owner.as_ref().and_then(|o| self.model.classes.get(o)).map(|c| c.qualified.clone());
                print(&call(raw(format!("{}::{}", self.spell(&class.unwrap_or_default()), function.name)), &args))
            }
            (FunctionKind::Function, None) if function.name.starts_with("operator") => {
                let list: Vec<String> = args.iter().map(print).collect();
                let symbol = function.name.trim_start_matches("operator").trim();
                if let [only] = list.as_slice() { format!("{symbol}{only}") } else { list.join(&format!(" {symbol} ")) }
            }
            (_, None) => print(&call(raw(self.spell(&function.qualified)), &args)),
        }
    }
}

/// A method operator the way it is written between its operands.
fn operator(function: &Function, object: &Made, args: &[proc_macro2::TokenStream]) -> String {
    let symbol = function.name.trim_start_matches("operator").trim();
    let of = if object.by_pointer { format!("({})", object.object) } else { object.object.clone() };
    let list: Vec<String> = args.iter().map(print).collect();
    match (symbol, list.as_slice()) {
        ("()", _) => format!("{of}({})", list.join(", ")),
        ("[]", [index]) => format!("{of}[{index}]"),
        ("++" | "--", [_]) => format!("{of}{symbol}"),
        ("->", []) => format!("{of}.operator->()"),
        (_, []) => format!("{symbol}{of}"),
        (_, [right]) if symbol.chars().all(|c| c.is_ascii_punctuation()) => format!("{of} {symbol} {right}"),
        _ => format!("{of}.{}({})", function.name, list.join(", ")),
    }
}

/// An array of scalars, nested or not: their type and their total number.
fn flat(element: &Slot, length: u64) -> Option<(Prim, u64)> {
    match &element.recipe {
        Recipe::Prim { ty, range: None } => match ty.kind {
            TypeKind::Prim(prim) => Some((prim, length)),
            _ => None,
        },
        Recipe::Array { ty, element, length: inner } if matches!(ty.kind, TypeKind::Array(..)) => {
            flat(element, *inner).map(|(prim, total)| (prim, total * length))
        }
        _ => None,
    }
}

fn first_element(target: &str, element: &Slot, is_class: bool) -> String {
    let mut text = if is_class { format!("{target}.data()") } else { target.to_owned() };
    let mut inner = element;
    let mut nested = false;
    while let Recipe::Array { element, .. } = &inner.recipe {
        text.push_str("[0]");
        inner = element;
        nested = true;
    }
    let _ = nested;
    text
}

/// `target[i][j]` for the flat `index`.
fn subscript(target: &str, element: &Slot, index: u64, _length: u64) -> String {
    match &element.recipe {
        Recipe::Array { element: inner, length, .. } => {
            let per: u64 = flat(inner, *length).map_or(1, |(_, total)| total);
            subscript(&format!("{target}[{}]", index / per), inner, index % per, *length)
        }
        _ => format!("{target}[{index}]"),
    }
}

fn is_std_array(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Record { name, .. } if name == "std::array")
}

/// A list over several lines where one would be too long.
fn wrap(items: &[String]) -> String {
    let flat = items.join(", ");
    if flat.len() <= 88 {
        return flat;
    }
    let mut out = String::new();
    let mut line = String::from("\n    ");
    for (index, item) in items.iter().enumerate() {
        let last = index + 1 == items.len();
        let piece = if last { item.clone() } else { format!("{item}, ") };
        if line.len() + piece.len() > 100 {
            out.push_str(line.trim_end_matches(' '));
            line = String::from("\n    ");
        }
        line.push_str(&piece);
    }
    out + &line
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

fn take_into(target: &str, ty: &Type) -> String {
    let kind = match ty.kind {
        TypeKind::Prim(prim) => kind(prim),
        _ => "MOTIF_BYTES",
    };
    format!("motif_take(in, {kind}, &{target}, sizeof {target});")
}
