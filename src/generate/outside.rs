//! Stand-ins for functions and variables that nobody defines, as text: in drivers and in tests alike, C and C++.
//!
//! All their state is in one structure, `outside`, of plain numbers and pointers: it is put back like any other global, and a
//! test reads as `outside.adc_read[0] = 700;` and a check of `outside.calls`.

use super::lower::Lowering;
use crate::cpp;
use crate::model::{Function, Language, Model, Prim, Type, TypeKind};
use crate::plan::outside::{ANSWERS, Outside, Written, length_of};
use crate::plan::values::value_type;
use crate::plan::{Entry, Slot, UnitPlan};

/// Where the calls are noted.
pub const CALLS: &str = "outside.calls";
/// What they are in a record.
pub const RECORDED: &str = "outside_calls";

const NOTE: &str = "static void outside_note(const char *format, ...) {
  const size_t length = strlen(outside.calls);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(outside.calls + length, sizeof outside.calls - length, format, arguments);
  va_end(arguments);
}";
const DATA: &str = "static void outside_data(const void *data, size_t size) {
  size_t at;
  outside_note(data ? \"{\" : \"{null\");
  for (at = 0; data && at < size && at < 64; at++) {
    outside_note(at ? \" %02x\" : \"%02x\", ((const unsigned char *)data)[at]);
  }
  outside_note(\"}\");
}";

/// Whether the plan has any.
pub fn has_any(plan: &UnitPlan) -> bool {
    plan.entries.iter().any(|entry| !entry.outside.is_empty())
}

/// The headers that the definitions need.
pub fn headers(language: Language) -> [&'static str; 3] {
    match language {
        Language::C => ["<stdarg.h>", "<stdio.h>", "<string.h>"],
        Language::Cxx => ["<cstdarg>", "<cstdio>", "<cstring>"],
    }
}

/// The definitions, at file scope; nothing where the entry has none.
pub fn definitions(model: &Model, entry: &Entry, language: Language) -> Option<String> {
    if entry.outside.is_empty() {
        return None;
    }
    let writer = Writer { model, language };
    let mut members = vec!["char calls[2048];".to_owned()];
    let mut text = String::new();
    for outside in &entry.outside {
        match outside {
            Outside::Function { function, name, answer, writes } => {
                let function = model.functions.get(function)?;
                members.extend(writer.members(name, answer.as_ref(), writes));
                text.push_str(&format!("\n{}\n", writer.function(function, name, answer.as_ref(), writes)));
            }
            Outside::Variable { variable, value } => {
                let variable = model.variables.get(variable)?;
                members.extend(value.iter().map(|slot| writer.member(slot)));
                text.push_str(&format!("\n{};\n", declared(&variable.ty, &variable.qualified)));
            }
        }
    }
    let c = language == Language::C;
    let comment =
        "What the project uses and nobody defines: it notes how it is called, and answers what is in `outside`.";
    let comment = if c { format!("/* {comment} */") } else { format!("// {comment}") };
    let members: String = members.iter().map(|member| format!("  {member}\n")).collect();
    let attribute = "__attribute__((format(printf, 1, 2), unused))";
    let data = if text.contains("outside_data(") { format!("\n\n{DATA}") } else { String::new() };
    Some(format!("{comment}\nstatic struct {{\n{members}}} outside;\n\n{attribute}\n{NOTE}{data}\n{text}"))
}

/// Statements that put the values of one call in their places.
///
/// # Errors
/// The trace does not fit the plan.
pub fn set_up(lowering: &mut Lowering<'_>, model: &Model, entry: &Entry, language: Language) -> Result<(), String> {
    if entry.outside.is_empty() {
        return Ok(());
    }
    lowering.line(match language {
        Language::C => "memset(&outside, 0, sizeof outside);",
        Language::Cxx => "std::memset(&outside, 0, sizeof outside);",
    });
    for outside in &entry.outside {
        for slot in outside.slots() {
            let target = format!("outside.{}", slot.name);
            match &slot.ty.kind {
                TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Array(..) => lowering.fill(&slot.recipe, &target)?,
                TypeKind::Pointer(_) => {
                    let made = lowering.value(&slot.recipe, &slot.name)?;
                    lowering.line(format!("{target} = {};", passed(slot, &made)));
                }
                _ => {
                    let made = lowering.value(&slot.recipe, &slot.name)?;
                    lowering.line(format!("{target} = {};", made.address()));
                }
            }
        }
        if let Outside::Variable { variable, value } = outside
            && let Some(variable) = model.variables.get(variable)
        {
            match value {
                Some(slot) => lowering.line(format!("{} = outside.{};", variable.qualified, slot.name)),
                None if language == Language::C => {
                    let name = &variable.qualified;
                    lowering.line(format!("memset((void *)&{name}, 0, sizeof {name});"));
                }
                None => {}
            }
        }
    }
    Ok(())
}

/// The variables that a call may have changed: their names in a record, the variables themselves, and their types.
pub fn variables<'m>(model: &'m Model, entry: &'m Entry) -> Vec<(&'m str, &'m str, &'m Type)> {
    let kept = entry.outside.iter().filter_map(|outside| match outside {
        Outside::Variable { variable, value: Some(slot) } => {
            Some((slot.name.as_str(), model.variables.get(variable)?.qualified.as_str(), &slot.ty))
        }
        _ => None,
    });
    kept.collect()
}

/// A pointer as it is given on.
fn passed(slot: &Slot, made: &super::lower::Made) -> String {
    match &slot.recipe {
        crate::plan::Recipe::Pointer { .. } => made.address(),
        _ => made.object.clone(),
    }
}

fn declared(ty: &Type, name: &str) -> String {
    match &ty.kind {
        TypeKind::Array(element, length) => declared(element, &format!("{name}[{}]", length.unwrap_or(ANSWERS))),
        _ => cpp::declare(&ty.spelling, name),
    }
}

struct Writer<'m> {
    model: &'m Model,
    language: Language,
}

impl Writer<'_> {
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
            _ => format!("{};", cpp::declare(&format!("{} *", ty.spelling), &slot.name)),
        }
    }

    fn members(&self, name: &str, answer: Option<&Slot>, writes: &[Written]) -> Vec<String> {
        let mut all: Vec<String> =
            answer.into_iter().chain(writes.iter().map(|w| &w.slot)).map(|slot| self.member(slot)).collect();
        if counts(answer, writes) {
            all.push(format!("unsigned {name}_calls;"));
        }
        all
    }

    fn function(&self, function: &Function, name: &str, answer: Option<&Slot>, writes: &[Written]) -> String {
        let mut names: Vec<String> = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let plain = crate::plan::values::identifier(&param.name, &format!("argument{}", index + 1));
            names.push(if names.contains(&plain) || plain == "outside" {
                format!("argument{}", index + 1)
            } else {
                plain
            });
        }
        let mut body: Vec<String> = Vec::new();
        let mut used = vec![false; names.len()];
        self.note(function, &names, &mut used, &mut body);
        for written in writes {
            used[written.param] = true;
            if let Some(length) = written.length {
                used[length] = true;
            }
            body.extend(self.write(function, &names, written, name));
        }
        let unused = names.iter().zip(&used).filter(|(_, used)| !**used);
        let unused: Vec<String> = unused.map(|(name, _)| format!("(void){name};")).collect();
        body.splice(0..0, unused);
        let result = &function.result;
        match answer {
            Some(slot) if matches!(slot.ty.kind, TypeKind::Array(..)) => {
                let calls = format!("outside.{name}_calls");
                match &result.kind {
                    // Who waits for an answer gets it at last: behind the first calls it counts.
                    TypeKind::Prim(prim) => {
                        let counted = match prim {
                            Prim::Bool => format!("{calls} % 2 == 0"),
                            _ => self.cast(&value_type(result).spelling, &calls),
                        };
                        body.push(format!("if ({calls}++ >= {}) return {counted};", 2 * ANSWERS));
                        body.push(format!("return outside.{}[({calls} - 1) % {ANSWERS}];", slot.name));
                    }
                    _ => body.push(format!("return outside.{}[{calls}++ % {ANSWERS}];", slot.name)),
                }
            }
            other => {
                if counts(answer, writes) {
                    body.push(format!("outside.{name}_calls++;"));
                }
                match (other, &result.kind) {
                    (_, TypeKind::Void) => {}
                    (Some(slot), TypeKind::Pointer(_)) => body.push(format!("return outside.{};", slot.name)),
                    (Some(slot), TypeKind::RvalueRef(_)) => {
                        body.push(format!("return std::move(*outside.{});", slot.name));
                    }
                    (Some(slot), _) => body.push(format!("return *outside.{};", slot.name)),
                    // Whatever its type is: what is static is all zeroes.
                    (None, _) if self.is_c() => {
                        body.push(format!("static {};", cpp::declare(&value_type(result).spelling, "nothing")));
                        body.push("return nothing;".into());
                    }
                    (None, TypeKind::Pointer(_)) => body.push("return nullptr;".into()),
                    (None, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)) => body.push("std::abort();".into()),
                    (None, _) => body.push("return {};".into()),
                }
            }
        }
        let params: Vec<String> =
            function.params.iter().zip(&names).map(|(param, name)| parameter(&param.ty, name)).collect();
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
        let body: String = body.iter().map(|line| super::layout::folded(&format!("  {line}")) + "\n").collect();
        format!("{head}{constant}{reference}{noexcept} {{\n{body}}}")
    }

    /// Notes the call: `adc_read(3)`.
    fn note(&self, function: &Function, names: &[String], used: &mut [bool], body: &mut Vec<String>) {
        let mut format = format!("{}(", function.qualified);
        let mut values: Vec<String> = Vec::new();
        let flush = |format: &mut String, values: &mut Vec<String>, body: &mut Vec<String>| {
            let values: String = values.drain(..).map(|value| format!(", {value}")).collect();
            body.push(format!("outside_note(\"{}\"{values});", std::mem::take(format)));
        };
        for (index, param) in function.params.iter().enumerate() {
            if index > 0 {
                format.push_str(", ");
            }
            let to = param.ty.pointee().filter(|to| to.is_const);
            let size = to.and_then(|to| match to.kind {
                TypeKind::Void => Some(String::new()),
                TypeKind::Prim(prim) if !matches!(prim, Prim::LongDouble) => {
                    Some(format!(" * sizeof *{}", names[index]))
                }
                _ => None,
            });
            if let (Some(size), Some(length)) = (size, length_of(&function.params, index)) {
                used[index] = true;
                used[length] = true;
                flush(&mut format, &mut values, body);
                let count = self.cast("size_t", &names[length]);
                body.push(format!("outside_data({}, {count}{size});", names[index]));
                continue;
            }
            let (shown, value) = self.shown(&param.ty, &names[index]);
            format.push_str(&shown);
            if let Some(value) = value {
                used[index] = true;
                values.push(value);
            }
        }
        format.push_str(if function.is_variadic { ", ...)\\n" } else { ")\\n" });
        flush(&mut format, &mut values, body);
    }

    /// The format of a value and what is printed; `...` where it can't be said.
    fn shown(&self, ty: &Type, name: &str) -> (String, Option<String>) {
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
            TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Prim(Prim::Char)) && to.is_const => {
                number("%.64s", format!("{name} ? {name} : \"null\""))
            }
            TypeKind::Pointer(_) | TypeKind::Array(..) => number("%s", format!("{name} ? \"&...\" : \"null\"")),
            TypeKind::Record { name: class, .. }
                if class == "std::basic_string" && ty.spelling.contains("std::string") =>
            {
                number("%.64s", format!("{name}.c_str()"))
            }
            TypeKind::Record { usr, .. } => (self.tag(usr), None),
            _ => ("...".into(), None),
        }
    }

    /// What a structure is noted as.
    fn tag(&self, usr: &str) -> String {
        self.model.classes.get(usr).map_or_else(|| "...".to_owned(), |class| format!("{}...", class.name))
    }

    /// Statements that write what the data has where a parameter points to.
    fn write(&self, function: &Function, names: &[String], written: &Written, name: &str) -> Vec<String> {
        let (param, values) = (&names[written.param], format!("outside.{}", written.slot.name));
        let ty = &function.params[written.param].ty;
        let is_reference = matches!(ty.kind, TypeKind::LvalueRef(_));
        let copy = if self.is_c() { "memcpy" } else { "std::memcpy" };
        let is_array = matches!(written.slot.ty.kind, TypeKind::Array(..));
        let value = if is_array { format!("{values}[outside.{name}_calls % {ANSWERS}]") } else { format!("*{values}") };
        match written.length {
            Some(length) => {
                let count = self.cast("size_t", &names[length]);
                let most = format!("sizeof {values} / sizeof *{values}");
                vec![
                    format!("if ({param}) {{"),
                    format!("  const size_t most = {most};"),
                    format!("  const size_t count = {count} < most ? {count} : most;"),
                    format!("  {copy}({param}, {values}, count * sizeof *{values});"),
                    "}".to_owned(),
                ]
            }
            None if is_reference => vec![format!("{param} = {value};")],
            None if is_array => vec![format!("if ({param}) *{param} = {value};")],
            None => vec![format!("if ({param} && {values}) *{param} = {value};")],
        }
    }
}

/// Whether a stand-in has to know how often it was called.
fn counts(answer: Option<&Slot>, writes: &[Written]) -> bool {
    let is_array = |slot: &Slot| matches!(slot.ty.kind, TypeKind::Array(..));
    answer.is_some_and(is_array) || writes.iter().any(|written| written.length.is_none() && is_array(&written.slot))
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
