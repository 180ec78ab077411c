//! Stand-ins for functions and variables that nobody defines, as text: in drivers and in tests alike, C and C++.
//!
//! What functions answer and note is in one structure, `stand_ins`, of plain numbers and pointers: it is put back like
//! any other global, and a test reads as `stand_ins.adc_read[0] = 700;` and a check of `stand_ins.calls`.

use super::lower::{Lowering, Values, choices, fill};
use crate::cpp;
use crate::lexicon::Lexicon;
use crate::model::library::Shape;
use crate::model::{Access, Function, Language, Model, Prim, Type, TypeKind};
use crate::plan::allocators::{Asked, asked};
use crate::plan::undefined_symbols::{ANSWERS, WRITTEN, counts_bytes, length_of, times_of};
use crate::plan::{Entry, Slot, UnitPlan};
use crate::plan::{Outside, StandIn, Written};
use crate::types::spelling::value_type;
use crate::types::standard::{anatomy, is_string};
use std::borrow::Cow;

/// Where the calls are noted.
pub const CALLS: &str = "stand_ins.calls";
/// Their name in a record.
pub const RECORDED: &str = "stand_in_calls";

/// So many times a stand-in takes or gives all that it is asked for; then there is nothing for some calls.
const ALL: u32 = 64;

/// Names that the bodies use.
const NAMED: &str = "stand_ins stand_in_note stand_in_data stand_in_fill calloc realloc memcpy nothing size_t std \
                     NULL strlen vsnprintf";

/// Whether the plan has any.
pub fn has_any(plan: &UnitPlan) -> bool {
    plan.entries.iter().any(|entry| !entry.outside.is_empty())
}

/// Whether what is stood in for is not everybody's to name.
pub fn is_private(model: &Model, entry: &Entry) -> bool {
    entry.outside.iter().any(|outside| match outside {
        Outside::Function { function, .. } => {
            let function = &model.functions[function];
            let class = model.class_of(function.result.without_ref()).and_then(|class| class.access);
            function.access.into_iter().chain(class).any(|access| access != Access::Public)
        }
        Outside::Callback { .. } | Outside::Variable { .. } => false,
    })
}

/// The headers that the definitions need.
pub fn headers(language: Language, definitions: &str) -> Vec<&'static str> {
    let c = language == Language::C;
    let (mut needed, allocates) = match c {
        true => (vec!["<stdarg.h>", "<stdio.h>", "<string.h>"], "<stdlib.h>"),
        false => (vec!["<cstdarg>", "<cstdio>", "<cstring>"], "<cstdlib>"),
    };
    if ["return calloc(", "return realloc(", "std::calloc(", "std::realloc("]
        .iter()
        .any(|call| definitions.contains(call))
    {
        needed.insert(2, allocates);
    }
    needed
}

/// The headers of a driver with these definitions, and with what makes calls fail.
pub(super) fn system_headers(entry: &Entry, language: Language, definitions: Option<&str>) -> Vec<String> {
    let own = definitions.into_iter().flat_map(|text| headers(language, text)).map(str::to_owned);
    own.chain(super::failing_calls::headers(entry, language)).collect()
}

/// The statement that clears what stand-ins note and answer.
pub fn clears(language: Language) -> &'static str {
    match language {
        Language::C => "memset(&stand_ins, 0, sizeof stand_ins);",
        Language::Cxx => "std::memset(&stand_ins, 0, sizeof stand_ins);",
    }
}

/// The statement that forgets what stand-ins have noted of the set-up, in front of the call.
pub const FORGETS: &str = "stand_ins.calls[0] = '\\0';";

/// Has a driver forget the calls of the set-up: how it goes about its work is nothing that the unit does.
pub(super) fn forget(lowering: &mut Lowering<'_>, entry: &Entry) {
    if !entry.outside.is_empty() {
        lowering.line(FORGETS);
    }
}

/// Statements that put the values of one call in their places.
///
/// # Errors
/// The trace does not fit the plan.
pub fn set_up(lowering: &mut Lowering<'_>, entry: &Entry, language: Language) -> Result<(), String> {
    if entry.outside.is_empty() {
        return Ok(());
    }
    lowering.line(clears(language));
    for outside in &entry.outside {
        if let Outside::Variable { name, value, .. } = outside {
            let name = variable(name);
            let (set, place) = if language == Language::C { ("memset", "(void *)&") } else { ("std::memset", "&") };
            lowering.line(format!("{set}({place}{name}, 0, sizeof {name});"));
            if let Some(slot) = value {
                fill::fill(lowering, &slot.recipe, &name)?;
            }
            continue;
        }
        if outside.may_answer_nought() {
            choices::sometimes(lowering, |this| answers(this, outside))?;
        } else {
            answers(lowering, outside)?;
        }
    }
    Ok(())
}

fn answers(lowering: &mut Lowering<'_>, outside: &Outside) -> Result<(), String> {
    for slot in outside.slots() {
        let target = format!("stand_ins.{}", slot.name);
        match &slot.ty.kind {
            TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Array(..) => fill::fill(lowering, &slot.recipe, &target)?,
            kind => {
                // (By its own name the function could not be named any more.)
                let made = lowering.value(&slot.recipe, &format!("{}_result", slot.name))?;
                let is_pointer = matches!(kind, TypeKind::Pointer(_));
                lowering.line(format!("{target} = {};", if is_pointer { made.object } else { made.address() }));
            }
        }
    }
    Ok(())
}

/// The variables that a call may have changed: their names in a record, their stand-ins, and their types.
pub fn variables<'m>(model: &'m Model, entry: &'m Entry) -> Vec<(Cow<'m, str>, String, &'m Type)> {
    let kept = entry.outside.iter().filter_map(|outside| match outside {
        Outside::Variable { variable: usr, name, value: Some(slot), .. } => {
            model.variables.get(usr).filter(|v| !v.ty.is_const)?;
            Some((Cow::from(name), variable(name), &slot.ty))
        }
        _ => None,
    });
    let globals = entry.state.globals.iter().map(|global| {
        let is_c = model.functions.get(&entry.callee).is_some_and(|f| f.language == Language::C);
        let name = if is_c { global.name.clone() } else { format!("::{}", global.name) };
        (label(entry, &global.name), name, &global.ty)
    });
    kept.chain(globals).collect()
}

/// What a record calls a variable: an argument of that name has the name.
fn label<'e>(entry: &'e Entry, name: &'e str) -> Cow<'e, str> {
    if entry.args.iter().any(|slot| slot.name == name) { format!("::{name}").into() } else { name.into() }
}

/// What a record calls the variables that a call may have changed and only their file sees.
pub fn local_state<'e>(model: &Model, entry: &'e Entry) -> impl Iterator<Item = String> + use<'e> {
    let of_file: Vec<bool> = entry
        .state
        .globals
        .iter()
        .map(|global| model.variables.get(&global.variable).is_some_and(|variable| variable.is_file_local))
        .collect();
    let globals = entry.state.globals.iter().zip(of_file).filter(|(_, is_local)| *is_local);
    globals.map(|(global, _)| label(entry, &global.name).into_owned())
}

/// A constant that has another value in each call: compilers put what they define as one into memory that nobody writes
/// to, so an assembler does, under two names.
pub(super) fn constant(ty: &Type, name: &str, symbol: &str, language: Language) -> Option<String> {
    let size = match &ty.kind {
        TypeKind::Array(element, length) => element.size? * length.unwrap_or(WRITTEN),
        _ => ty.size?,
    };
    let names = format!(".globl {symbol}\\n.globl {name}\\n{symbol}:\\n{name}:\\n");
    let external = if language == Language::C { "extern" } else { "extern \"C\"" };
    let room = format!(".pushsection .bss\\n.balign 16\\n{names}.zero {size}\\n.popsection\\n");
    Some(format!("\n__asm__(\"{room}\");\n{external} {};\n", declared(ty, name)))
}

/// The name of a variable's stand-in.
pub(super) fn variable(name: &str) -> String {
    format!("stand_in_{name}")
}

pub(super) fn declared(ty: &Type, name: &str) -> String {
    match &ty.kind {
        TypeKind::Array(element, length) => declared(element, &format!("{name}[{}]", length.unwrap_or(WRITTEN))),
        _ => cpp::declare(&ty.spelling, name),
    }
}

/// Whether a record says that stand-ins were called.
pub fn are_called(record: &[serde_json::Value]) -> bool {
    let notes = record.iter().filter(|entry| entry.get("path").and_then(|path| path.as_str()) == Some(RECORDED));
    let text = |entry: &serde_json::Value| entry.get("text").and_then(|text| text.as_str()).map(str::to_owned);
    notes.filter_map(text).next().is_none_or(|text| !text.is_empty())
}

/// Writes what stands in for a function.
pub(super) struct Writer<'m> {
    pub(super) lexicon: &'m Lexicon,
    pub(super) model: &'m Model,
    pub(super) language: Language,
    /// No calls are noted.
    pub(super) is_quiet: bool,
    /// Nothing calls it: it is there to link.
    pub(super) is_uncalled: bool,
}

impl Writer<'_> {
    /// Whether a length of that name is one in bytes, whatever is counted.
    fn counts_bytes(&self, name: &str) -> bool {
        counts_bytes(self.lexicon, name)
    }

    fn is_c(&self) -> bool {
        self.language == Language::C
    }

    fn cast(&self, ty: &str, value: &str) -> String {
        if self.is_c() { format!("({ty}){value}") } else { format!("static_cast<{ty}>({value})") }
    }

    fn member(&self, slot: &Slot) -> String {
        let ty = value_type(&slot.ty);
        match &ty.kind {
            TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Array(..) | TypeKind::Pointer(_) => {
                format!("{};", declared(&ty, &slot.name))
            }
            _ => format!("{};", cpp::declare(&format!("{} *", ty.without_ref().bare_spelling()), &slot.name)),
        }
    }

    pub(super) fn members(&self, outside: &Outside, does: &StandIn) -> Vec<String> {
        let mut all: Vec<String> = outside.slots().map(|slot| self.member(slot)).collect();
        let filled = does.writes.iter().filter(|written| written.length.is_some());
        all.extend(filled.map(|written| format!("size_t {}_at;", written.slot.name)));
        if counts(does) {
            all.push(format!("unsigned {}_calls;", does.name));
        }
        all
    }

    pub(super) fn function(&self, function: &Function, does: &StandIn) -> String {
        let StandIn { name, answer, transfers, writes } = does;
        let mut names: Vec<String> = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let plain = crate::types::spelling::identifier(&param.name, &format!("argument{}", index + 1));
            // A parameter must not hide a name that the body or the parameter list uses.
            let is_named =
                |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == plain);
            let is_taken = NAMED.split(' ').any(|named| named == plain)
                || is_named(&function.result.spelling)
                || function.params.iter().any(|param| is_named(&param.ty.spelling));
            names.push(if names.contains(&plain) || is_taken { format!("argument{}", index + 1) } else { plain });
        }
        let mut body: Vec<String> = Vec::new();
        let mut used = vec![false; names.len()];
        if !self.is_quiet {
            self.note(function, &names, &mut used, &mut body);
        }
        for written in writes {
            used[written.param] = true;
            if let Some(length) = written.length {
                used[length] = true;
                times_of(self.lexicon, &function.params, length).into_iter().for_each(|times| used[times] = true);
            }
            body.extend(self.write(function, &names, written, name));
        }
        if let Some(transfers) = transfers {
            used[transfers.length] = true;
            let all = self.cast(&value_type(&function.result).spelling, &names[transfers.length]);
            let (short, calls) = (&transfers.short.name, format!("stand_ins.{name}_calls"));
            // A loop that goes on while there is more ends, and so does one that waits until there is.
            body.push(format!(
                "if (!stand_ins.{short}) return {calls}++ % {} < {ALL} ? {all} : 0;",
                ALL + 2 * ANSWERS as u32
            ));
        }
        if let (true, Some(Asked { sizes, old })) = (self.is_quiet && !self.is_uncalled, asked(self.lexicon, function))
        {
            sizes.iter().chain(&old).for_each(|place| used[*place] = true);
        }
        let unused = names.iter().zip(&used).filter(|(_, used)| !**used);
        let unused: Vec<String> = unused.map(|(name, _)| name.clone()).collect();
        let has_names = self.is_c() || !self.is_quiet;
        body.splice(0..0, unused.iter().filter(|_| has_names).map(|name| format!("(void){name};")));
        let result = &function.result;
        match answer {
            _ if self.is_uncalled => body.push(if self.is_c() { "abort();" } else { "std::abort();" }.into()),
            Some(slot) if matches!(slot.ty.kind, TypeKind::Array(..)) => {
                let calls = format!("stand_ins.{name}_calls");
                match &result.kind {
                    // A loop that waits for a certain answer ends: after the first calls the answer is a counter,
                    // with 0 and -1 (end of input) in between.
                    TypeKind::Prim(prim) => {
                        let counter = self.cast(&value_type(result).spelling, &calls);
                        let counted = match prim {
                            Prim::Bool => format!("{calls} % 2 == 0"),
                            Prim::Int | Prim::Long | Prim::LongLong => {
                                let third = self.cast(&value_type(result).spelling, &format!("({calls} / 3)"));
                                format!("{calls} % 3 == 0 ? -1 : {calls} % 3 == 1 ? 0 : {third}")
                            }
                            _ => counter,
                        };
                        body.push(format!("if ({calls}++ >= {}) return {counted};", 2 * ANSWERS));
                        body.push(format!("return stand_ins.{}[({calls} - 1) % {ANSWERS}];", slot.name));
                    }
                    _ => body.push(format!("return stand_ins.{}[{calls}++ % {ANSWERS}];", slot.name)),
                }
            }
            other => {
                if counts(does) {
                    body.push(format!("stand_ins.{name}_calls++;"));
                }
                match (other, &result.kind) {
                    (_, TypeKind::Void) => {}
                    (None, TypeKind::Pointer(_)) if self.hands_out(function, &names).is_some() => {
                        body.extend(self.hands_out(function, &names));
                    }
                    // Who asks until there is no more gets to an end.
                    (Some(slot), TypeKind::Pointer(_)) if function.is_made_up() => body.push(format!(
                        "return stand_ins.{name}_calls <= {ANSWERS} ? stand_ins.{} : {};",
                        slot.name,
                        cpp::null(self.language)
                    )),
                    (Some(slot), TypeKind::Pointer(_)) => body.push(format!("return stand_ins.{};", slot.name)),
                    // Nobody else has it.
                    (Some(slot), TypeKind::RvalueRef(_) | TypeKind::Record { .. }) if !self.is_c() => {
                        body.push(format!("return std::move(*stand_ins.{});", slot.name));
                    }
                    (Some(slot), _) => body.push(format!("return *stand_ins.{};", slot.name)),
                    (None, TypeKind::Prim(_)) if self.is_quiet => body.push("return 0;".into()),
                    // Whatever its type is: what is static is all zeroes.
                    (None, _) if self.is_c() => {
                        body.push(format!("static {};", cpp::declare(&value_type(result).spelling, "nothing")));
                        body.push("return nothing;".into());
                    }
                    (None, TypeKind::Pointer(_)) => body.push("return nullptr;".into()),
                    (None, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)) => body.push("std::abort();".into()),
                    // (Nobody says that it can be made of nothing: a test that needs it is not quiet.)
                    (None, TypeKind::Record { .. }) if self.is_quiet => body.push("std::abort();".into()),
                    // By no name that an explicit constructor would not answer to.
                    (None, TypeKind::Record { .. }) => body.push(format!("return {}();", result.bare_spelling())),
                    (None, _) => body.push("return {};".into()),
                }
            }
        }
        let is_named = |name: &String| has_names || !unused.contains(name);
        let params: Vec<String> = function
            .params
            .iter()
            .zip(&names)
            .map(|(param, name)| parameter(&param.ty, if is_named(name) { name } else { "" }).trim_end().to_owned())
            .collect();
        let mut list = params.join(", ");
        if function.is_variadic {
            list.push_str(if list.is_empty() { "..." } else { ", ..." });
        } else if list.is_empty() && self.is_c() {
            list.push_str("void");
        }
        let constant = if function.is_const { " const" } else { "" };
        let reference = function.ref_qualifier.as_ref().map(|q| format!(" {q}")).unwrap_or_default();
        let noexcept = if function.is_noexcept { " noexcept" } else { "" };
        let called = if self.is_c() { &function.name } else { &function.qualified };
        let head = cpp::declare(&result.spelling, &format!("{called}({list})"));
        if body.is_empty() {
            return format!("{head}{constant}{reference}{noexcept} {{}}");
        }
        let body: String = body.iter().map(|line| super::layout::folded(&format!("  {line}")) + "\n").collect();
        format!("{head}{constant}{reference}{noexcept} {{\n{body}}}")
    }

    /// The statement with which a function hands out memory; none where it does not.
    fn hands_out(&self, function: &Function, names: &[String]) -> Option<String> {
        let Asked { sizes, old } = asked(self.lexicon, function)?;
        let all = |places: &[usize]| places.iter().map(|place| names[*place].as_str()).collect::<Vec<_>>().join(", ");
        let prefix = if self.is_c() { "" } else { "std::" };
        // New memory is of noughts; what is behind the end of an old block has any value.
        let made = match (old, sizes.as_slice()) {
            (Some(old), sizes) => format!("{prefix}realloc({}, {})", names[old], all(sizes)),
            (None, [only]) => format!("{prefix}calloc(1, {})", names[*only]),
            (None, sizes) => format!("{prefix}calloc({})", all(sizes)),
        };
        let is_void = function.result.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Void));
        let made =
            if is_void || self.is_c() { made } else { self.cast(&function.result.spelling, &format!("({made})")) };
        Some(format!("return {made};"))
    }

    /// Notes the call: `adc_read(3)`.
    fn note(&self, function: &Function, names: &[String], used: &mut [bool], body: &mut Vec<String>) {
        let mut format = format!("{}(", function.qualified);
        let mut values: Vec<String> = Vec::new();
        let flush = |format: &mut String, values: &mut Vec<String>, body: &mut Vec<String>| {
            let values: String = values.drain(..).map(|value| format!(", {value}")).collect();
            body.push(format!("stand_in_note(\"{}\"{values});", std::mem::take(format)));
        };
        for (index, param) in function.params.iter().enumerate() {
            if index > 0 {
                format.push_str(", ");
            }
            let to = param.ty.pointee().filter(|to| to.is_const && !to.spelling.contains("volatile"));
            let size = to.and_then(|to| match to.kind {
                TypeKind::Void => Some(String::new()),
                TypeKind::Prim(prim) if !matches!(prim, Prim::LongDouble) => {
                    Some(format!(" * sizeof *{}", names[index]))
                }
                _ => None,
            });
            if let (Some(size), Some(length)) =
                (size, length_of(self.lexicon, &function.params, index, function.is_made_up()))
            {
                used[index] = true;
                used[length] = true;
                flush(&mut format, &mut values, body);
                let size = if self.counts_bytes(&names[length]) { String::new() } else { size };
                let count = self.cast("size_t", &names[length]);
                let is_there = self.is_there(function, names, index, length);
                let none = if self.is_c() { "NULL" } else { "nullptr" };
                let data = format!("{is_there} ? {} : {none}", names[index]);
                body.push(format!("stand_in_data({data}, {count}{size});"));
                continue;
            }
            let is_text =
                crate::plan::undefined_symbols::is_text(self.lexicon, &function.params, index, function.is_made_up());
            let (shown, value) = self.shown(&param.ty, &names[index], is_text);
            format.push_str(&shown);
            if let Some(value) = value {
                used[index] = true;
                values.push(value);
            }
        }
        format.push_str(if function.is_variadic { ", ...)\\n" } else { ")\\n" });
        flush(&mut format, &mut values, body);
    }

    /// Whether a pointer leads to as many elements as its length says: it does not where that is negative.
    fn is_there(&self, function: &Function, names: &[String], pointer: usize, length: usize) -> String {
        let is_signed = matches!(
            function.params[length].ty.kind,
            TypeKind::Prim(Prim::Char | Prim::SChar | Prim::Short | Prim::Int | Prim::Long | Prim::LongLong)
        );
        if is_signed { format!("{} && {} > 0", names[pointer], names[length]) } else { names[pointer].clone() }
    }

    /// The format of a value and what is printed; `...` where it can't be said.
    fn shown(&self, ty: &Type, name: &str, is_text: bool) -> (String, Option<String>) {
        // An out parameter need not have a value yet.
        if matches!(&ty.kind, TypeKind::LvalueRef(to) if !to.is_const) {
            return ("...".into(), None);
        }
        let ty = ty.without_ref();
        let number = |format: &str, value: String| (format.to_owned(), Some(value));
        match &ty.kind {
            TypeKind::Prim(Prim::Int128 | Prim::UInt128) => ("...".into(), None),
            // One NaN is like another.
            TypeKind::Prim(Prim::LongDouble) => number("%.17Lg", format!("{name} == {name} ? {name} : 0")),
            TypeKind::Prim(Prim::Float | Prim::Double) => {
                number("%.17g", self.cast("double", &format!("({name} == {name} ? {name} : 0)")))
            }
            TypeKind::Prim(Prim::ULong | Prim::ULongLong) => number("%llu", self.cast("unsigned long long", name)),
            TypeKind::Prim(Prim::Long | Prim::LongLong | Prim::UInt | Prim::Char32) | TypeKind::Enum(_) => {
                number("%lld", self.cast("long long", name))
            }
            TypeKind::Prim(_) => number("%d", self.cast("int", name)),
            TypeKind::Pointer(_) if is_text => number("%.64s", format!("{name} ? {name} : \"null\"")),
            TypeKind::Pointer(_) | TypeKind::Array(..) => number("%s", format!("{name} ? \"&...\" : \"null\"")),
            TypeKind::Record { name: class, .. }
                if is_string(class) && anatomy(self.model, ty).is_some_and(|it| it.shape == Shape::Text) =>
            {
                number("%.64s", format!("{name}.c_str()"))
            }
            TypeKind::Record { usr, .. } => (self.tag(usr), None),
            _ => ("...".into(), None),
        }
    }

    /// The text that a structure is noted as.
    fn tag(&self, usr: &str) -> String {
        self.model.classes.get(usr).map_or_else(|| "...".to_owned(), |class| format!("{}...", class.name))
    }

    /// Statements that write what the data has where a parameter points to.
    fn write(&self, function: &Function, names: &[String], written: &Written, name: &str) -> Vec<String> {
        let (param, values) = (&names[written.param], format!("stand_ins.{}", written.slot.name));
        let ty = &function.params[written.param].ty;
        let is_reference = matches!(ty.kind, TypeKind::LvalueRef(_));
        let is_array = matches!(written.slot.ty.kind, TypeKind::Array(..));
        let value =
            if is_array { format!("{values}[stand_ins.{name}_calls % {ANSWERS}]") } else { format!("*{values}") };
        match written.length {
            Some(length) => {
                // A length that is named after bytes counts bytes.
                let size = self.cast("size_t", &names[length]);
                let size = match times_of(self.lexicon, &function.params, length) {
                    Some(times) => format!("{size} * {}", names[times]),
                    None if self.counts_bytes(&names[length]) => size,
                    None => format!("{size} * sizeof *{values}"),
                };
                let there = self.is_there(function, names, written.param, length);
                vec![format!("if ({there}) stand_in_fill({param}, {size}, {values}, sizeof {values}, &{values}_at);")]
            }
            None if is_reference => vec![format!("{param} = {value};")],
            None if is_array => vec![format!("if ({param}) *{param} = {value};")],
            None => vec![format!("if ({param} && {values}) *{param} = {value};")],
        }
    }
}

/// Whether a stand-in has to know how often it was called.
fn counts(does: &StandIn) -> bool {
    let is_array = |slot: &Slot| matches!(slot.ty.kind, TypeKind::Array(..));
    let is_counted = |slot: &Slot| matches!(slot.ty.kind, TypeKind::Array(..) | TypeKind::Pointer(_));
    does.answer.as_ref().is_some_and(is_counted)
        || does.writes.iter().any(|written| written.length.is_none() && is_array(&written.slot))
}

/// A parameter as it is declared: an array is a pointer.
fn parameter(ty: &Type, name: &str) -> String {
    match &ty.kind {
        TypeKind::Array(element, _) => match &element.kind {
            TypeKind::Array(inner, Some(length)) => format!("{} (*{name})[{length}]", inner.spelling),
            _ => format!("{} *{name}", element.spelling),
        },
        _ => cpp::declare(&ty.spelling, name),
    }
}
