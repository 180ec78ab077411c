//! Calls that fail (`--fault`), as text: in drivers and in tests alike the linker is asked to wrap them (`--wrap`), and
//! `failing_malloc_call` says which one is to fail.

use super::lower::{Lowering, Values};
use crate::facts::failing_calls::{Row, row};
use crate::model::Language;
use crate::plan::{Entry, FailingCalls, UnitPlan};
use std::fmt::Write;

/// The beginning of the variables that say which call fails.
pub const FAILING: &str = "failing_";
/// The beginning of what is called in the place of a function, as the linker has it.
pub const WRAP: &str = "__wrap_";
/// The beginning of the function itself, then.
pub const REAL: &str = "__real_";

/// Whether the plan has any.
pub fn has_any(plan: &UnitPlan) -> bool {
    plan.entries.iter().any(|entry| entry.failing.is_some())
}

/// The variable that says which call of a function fails, counted from now; 0: none.
fn variable(row: &Row) -> String {
    format!("{FAILING}{}_call", row.word())
}

/// Whether statements say which call of the function fails.
pub fn is_set(name: &str, statements: &[String]) -> bool {
    let begins = row(name).map(|row| format!("{} = ", variable(row))).unwrap_or_default();
    statements.iter().any(|statement| !begins.is_empty() && statement.trim_start().starts_with(&begins))
}

/// Who asks whether a call fails: a driver or a test.
#[derive(Clone, Copy, PartialEq)]
pub enum Asker {
    /// A driver: only calls during the unit's count.
    Driver,
    /// A test, which sets the variable right before the call.
    Test,
}

/// The definitions, at global scope; nothing where nothing fails.
pub fn definitions(entry: &Entry, language: Language, asker: Asker) -> Option<String> {
    let rows: Vec<&Row> = entry.failing.as_ref()?.functions.iter().filter_map(|name| row(name)).collect();
    if rows.is_empty() {
        return None;
    }
    let texts: Vec<String> = rows.into_iter().map(|row| definition(row, language, asker)).collect();
    Some(texts.join("\n"))
}

fn definition(row: &Row, language: Language, asker: Asker) -> String {
    let (result, params) = row.parts();
    let (variable, symbol, name) = (variable(row), row.symbol(), row.name());
    let taken: Vec<&str> = params.iter().map(|(param, _)| *param).collect();
    let passed: Vec<&str> = params.iter().map(|(_, name)| *name).collect();
    let (taken, passed) = (taken.join(", "), passed.join(", "));
    let space = if result.ends_with('*') { "" } else { " " };
    let is_c = language == Language::C;
    let comment = format!("The call of {name} that fails, counted from now; 0: none. Linked with --wrap={symbol}.");
    let (comment, size) = match is_c {
        true => (format!("/* {comment} */"), "size_t"),
        false => (format!("// {comment}"), "std::size_t"),
    };
    let goes_on = match asker {
        Asker::Driver => format!("!motif_fails(&{variable})"),
        Asker::Test => format!("{variable} == 0 || --{variable} != 0"),
    };
    let ends = match (&row.throws, &row.returns) {
        (Some(thrown), _) => format!("throw {thrown};"),
        (None, Some(value)) if value == "NULL" && !is_c => "return nullptr;".to_owned(),
        (None, value) => format!("return {};", value.as_deref().unwrap_or_default()),
    };
    let sets = row.errno.iter().map(|error| format!("  errno = {error};\n")).collect::<String>();
    let mut text = format!("{comment}\nstatic {size} {variable};\n");
    if !is_c {
        text.push_str("extern \"C\" {\n");
    }
    let _ = writeln!(text, "{result}{space}__real_{symbol}({taken});");
    let _ = writeln!(text, "{result}{space}{WRAP}{symbol}({taken});");
    let _ = writeln!(text, "{result}{space}{WRAP}{symbol}({taken}) {{");
    let _ = writeln!(text, "  if ({goes_on}) return __real_{symbol}({passed});\n{sets}  {ends}\n}}");
    if !is_c {
        text.push_str("}\n");
    }
    text
}

/// The headers that the definitions need.
pub fn headers(entry: &Entry, language: Language) -> Vec<String> {
    let rows = entry.failing.iter().flat_map(|failing| &failing.functions).filter_map(|name| row(name));
    let mut found = Vec::new();
    for row in rows {
        found.push(header(&row.header, language));
        if ["ssize_t", "off_t"].iter().any(|ty| row.call.contains(ty)) {
            found.push("<sys/types.h>".to_owned());
        }
        found.extend(
            row.errno
                .as_ref()
                .or(row.returns.as_ref().filter(|v| v.starts_with('E')))
                .map(|_| header("errno.h", language)),
        );
    }
    if !found.is_empty() {
        found.push(header("string.h", language));
    }
    found.sort();
    found.dedup();
    found
}

/// A header of C's standard library has another name in C++.
fn header(name: &str, language: Language) -> String {
    match (name, language) {
        ("stdlib.h" | "string.h" | "stdio.h" | "errno.h", Language::Cxx) => {
            format!("<c{}>", name.trim_end_matches(".h"))
        }
        _ => format!("<{name}>"),
    }
}

/// Takes from the input which call fails; in a test, the statements before and behind the call.
///
/// # Errors
/// The trace does not fit the plan.
pub fn set_up(lowering: &mut Lowering<'_>, entry: &Entry) -> Result<Option<[String; 2]>, String> {
    let Some(failing) = &entry.failing else { return Ok(None) };
    let rows: Vec<&Row> = failing.functions.iter().filter_map(|name| row(name)).collect();
    if !lowering.from_input() {
        let number = lowering.draw_size("a call that fails")?;
        let named = failing.named_by(number).and_then(|(name, call)| Some((row(name)?, call)));
        return Ok(named.map(|(row, call)| {
            let variable = variable(row);
            [format!("{variable} = {call};"), format!("{variable} = 0;")]
        }));
    }
    rows.iter().for_each(|row| lowering.reserve(&variable(row)));
    let which = lowering.slot(&failing.which)?.object;
    for (place, row) in rows.iter().enumerate() {
        let before = FailingCalls::CALLS * place as u64;
        let number = if before == 0 { which.clone() } else { format!("{which} - {before}") };
        let last = before + FailingCalls::CALLS;
        let variable = variable(row);
        lowering.line(format!("{variable} = {which} > {before} && {which} <= {last} ? {number} : 0;"));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrapped_goes_on_or_fails_as_its_row_says() {
        let text = |name, language, asker| definition(row(name).unwrap(), language, asker);
        let c = text("calloc", Language::C, Asker::Driver);
        let ends = [
            "static size_t failing_calloc_call;",
            "void *__real_calloc(size_t count, size_t size);",
            "void *__wrap_calloc(size_t count, size_t size);",
            "void *__wrap_calloc(size_t count, size_t size) {",
            "  if (!motif_fails(&failing_calloc_call)) return __real_calloc(count, size);",
            "  errno = ENOMEM;",
            "  return NULL;",
            "}",
        ];
        assert_eq!(c.lines().skip(1).collect::<Vec<_>>(), ends);
        let cxx = text("_Znwm", Language::Cxx, Asker::Test);
        let begins = "// The call of operator new that fails, counted from now; 0: none. Linked with --wrap=_Znwm.\n\
                      static std::size_t failing_new_call;\nextern \"C\" {\n";
        assert!(cxx.starts_with(begins) && cxx.contains("  throw std::bad_alloc();\n"), "{cxx}");
        assert!(
            cxx.contains("if (failing_new_call == 0 || --failing_new_call != 0) return __real__Znwm(size);"),
            "{cxx}"
        );
        assert!(text("strdup", Language::Cxx, Asker::Test).contains("  return nullptr;\n"));
    }

    #[test]
    fn a_statement_sets_the_call_of_its_own_function_alone() {
        let statements = ["int n = 0;".to_owned(), "failing_new_array_call = 2;".to_owned()];
        assert!(is_set("_Znam", &statements) && !is_set("_Znwm", &statements));
    }
}
