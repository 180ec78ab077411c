//! The files of a C unit: a C driver is C.

use super::job::{Job, include_path, skeletons};
use super::lower::{Lowering, Source};
use super::lower::{Values, calls, override_values, paired_setup, setup_calls};
use super::name_clashes::{self, Hidden};
use super::{observe, undefined_symbols};
use crate::cpp::string_literal;
use crate::facts::handles;
use crate::model::{Function, TypeKind};
use crate::plan::{Entry, Kind};

/// All files; `driver.c` first.
///
/// # Errors
/// The plan does not lower to statements.
pub fn files(job: &Job<'_>) -> Result<Vec<(String, String)>, String> {
    let tera = skeletons().map_err(|e| e.to_string())?;
    let render = |name: &str, context: &tera::Context| tera.render(name, context).map_err(|e| format!("{name}: {e}"));
    let entry = job.plan.entries.first().ok_or("no way in")?;
    let callee = &job.model.functions[&entry.callee];
    let classes = observe::observed(job.model, job.plan);
    let mut observers = observe::c(&job.plan.lexicon, job.model, &classes, &job.plan.excluded);
    let mut lines = body_lines(job, entry, callee)?;
    if lines
        .iter()
        .map(String::as_str)
        .chain([observers.as_str()])
        .any(|text| text.contains("motif_depth < MOTIF_DEEPEST"))
    {
        observers.insert_str(0, observe::C_DEPTH);
        lines.insert(0, "motif_depth = 0;".into());
    }
    let mut body = String::new();
    for line in lines {
        body.push_str(&super::layout::folded(&format!("  {line}")));
        body.push('\n');
    }
    let copy_name = job
        .copied
        .and_then(|c| c.functions.iter().find(|(usr, _, _)| *usr == entry.callee))
        .map(|(_, _, new)| new.clone());
    let mut context = tera::Context::new();
    let free = |name: &str| name_clashes::free_in_c(job.model, name);
    for name in ["drive", "drive_original", "drive_copy", "compare", "unit_function"] {
        context.insert(name, &free(name));
    }
    context.insert("id", &super::copy::comment_safe(&job.plan.id).replace("*/", "* /"));
    context.insert("id_literal", &string_literal(job.plan.id.as_bytes()));
    let ways: Vec<String> = job.ways().iter().map(|way| way.replace("*/", "* /")).collect();
    context.insert("ways", &ways);
    context.insert("mutants", &job.mutant_lines());
    context.insert("count", &job.numbered.len());
    context.insert("copy", &job.copied.is_some());
    let stand_ins: String = super::variadic_callbacks::stand_ins(entry, callee, job.plan.language)
        .iter()
        .map(|text| format!("{text}\n\n"))
        .collect();
    let missing = undefined_symbols::definitions(&job.plan.lexicon, job.model, entry, job.plan.language);
    context.insert(
        "system_includes",
        &missing.iter().flat_map(|_| undefined_symbols::headers(job.plan.language)).collect::<Vec<_>>(),
    );
    let missing = missing.map(|text| format!("{text}\n")).unwrap_or_default();
    let aliases = match Hidden::in_c(job.model).aliases() {
        none if none.is_empty() => none,
        some => format!("/* Variables below have the names of these types. */\n{some}\n"),
    };
    context.insert("observers", &format!("{aliases}{missing}{stand_ins}{observers}"));
    context.insert(
        "pointer_type",
        &super::function_pointers::pointer(callee, &free("unit_function")).replace("()", "(void)"),
    );
    context.insert("original", &callee.name);
    context.insert("mutant", &copy_name.unwrap_or_else(|| callee.name.clone()));
    context.insert("body", &body);
    context.insert("has_main", &job.has_main());
    context.insert("features", &job.features());
    context.insert("source", &include_path(&job.plan.source));
    let headers: Vec<String> = super::headers::missing(job.model, job.plan).iter().map(|p| include_path(p)).collect();
    context.insert("includes", &headers);
    let mut files = vec![("driver.c".to_owned(), render("driver.c", &context)?)];
    files.push(("original.h".into(), render("original.h", &context)?));
    if let Some(copied) = job.copied {
        context.insert("text", copied.text.trim());
        files.push(("mut_copy.h".into(), render("mut_copy.h", &context)?));
    }
    Ok(files)
}

fn body_lines(job: &Job<'_>, entry: &Entry, callee: &Function) -> Result<Vec<String>, String> {
    let mut lowering =
        Lowering::new(job.model, job.plan.language, Source::Input, Vec::new()).reading(&job.plan.lexicon);
    lowering.hidden = Hidden::in_c(job.model);
    lowering.versions = Some((callee.usr.clone(), "unit"));
    for statement in &job.plan.reset {
        lowering.line(statement);
    }
    lowering.reserve("stand_ins");
    lowering.reserve("unit");
    entry.state.names().for_each(|name| lowering.reserve(name));
    undefined_symbols::set_up(&mut lowering, entry, job.plan.language)?;
    let made = lowering.slots(&entry.args)?;
    setup_calls::remember(&mut lowering, &entry.state)?;
    if let Some(put) = &entry.put_in {
        paired_setup::put_in(&mut lowering, put, None, &entry.args, &made)?;
    }
    override_values::before(&mut lowering, &job.plan.before, None, &entry.args, &made);
    let call = calls::call(&lowering, callee, None, entry, &made, Some("unit"));
    lowering.line("motif_enter(record);");
    match &entry.result {
        None => lowering.line(format!("{call};")),
        Some(ty) => {
            let declaration = lowering.declare(&crate::types::spelling::value_type(ty), "result");
            lowering.line(format!("{declaration} = {call};"));
        }
    }
    lowering.line("motif_leave(record);");
    let variables = undefined_symbols::variables(job.model, entry);
    let mut show = |name: &str, text: String| {
        lowering.line(format!("motif_open(record, \"{name}\", MOTIF_OUTPUT);"));
        for line in text.lines() {
            lowering.line(line.strip_prefix("  ").unwrap_or(line));
        }
        lowering.line("motif_close(record);");
    };
    if let Some(ty) = &entry.result {
        let ty = crate::types::spelling::value_type(ty);
        let least = entry.least_lengths.iter().find(|(name, _)| name.is_none()).map(|(_, least)| *least);
        let text = match &ty.kind {
            // The callee has allocated so many at least: its caller may read them.
            TypeKind::Pointer(to) if least.is_some() => allocated(job, to, least.unwrap_or_default(), "result"),
            // What a returned pointer leads to may be an argument, a static or nothing readable.
            TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Prim(crate::model::Prim::Char)) => {
                "  motif_null(record, result == NULL);\n\
                 \x20 if (result != NULL) motif_text(record, result, strnlen(result, 4096));\n"
                    .to_owned()
            }
            _ => observe::c_value(&job.plan.lexicon, job.model, &ty, "result", false, 0),
        };
        show("return", text);
    }
    for (slot, made) in entry.args.iter().zip(&made) {
        let to = match &slot.ty.kind {
            TypeKind::Pointer(to) => &**to,
            TypeKind::Array(element, _) => &**element,
            // The callee has a copy, and the copy leads to the same.
            TypeKind::Record { .. }
                if matches!(slot.recipe.kind, Kind::Fields { .. })
                    && handles::leads_on(&job.plan.lexicon, job.model, &slot.ty) =>
            {
                show(&slot.name, observe::c_value(&job.plan.lexicon, job.model, &slot.ty, &made.object, false, 0));
                continue;
            }
            _ => continue,
        };
        if to.is_const
            || matches!(
                slot.recipe.kind,
                Kind::Fixed { .. } | Kind::OneOf { .. } | Kind::CString { .. } | Kind::Pattern { .. }
            )
        {
            continue;
        }
        let text = match &slot.recipe.kind {
            Kind::File => {
                let text = format!("motif_file_text(in, {})", made.object);
                format!("  motif_text(record, {text}, strlen({text}));")
            }
            Kind::Array { element, length, .. } => {
                let ty = crate::model::Type {
                    spelling: slot.ty.spelling.clone(),
                    is_const: false,
                    kind: TypeKind::Array(Box::new(element.ty.clone()), Some(*length)),
                    size: None,
                };
                observe::c_value(&job.plan.lexicon, job.model, &ty, &made.object, false, 0)
            }
            _ => {
                let pointed = crate::cpp::dereference(&made.object);
                let least = entry.least_lengths.iter().find(|(name, _)| name.as_deref() == Some(slot.name.as_str()));
                match (&to.kind, least) {
                    (TypeKind::Pointer(element), Some((_, least))) => allocated(job, element, *least, &pointed),
                    _ => observe::c_value(&job.plan.lexicon, job.model, to, &pointed, false, 0),
                }
            }
        };
        show(&slot.name, text);
    }
    for (name, variable, ty) in variables {
        show(&name, observe::c_value(&job.plan.lexicon, job.model, ty, &variable, false, 0));
    }
    if !entry.outside.is_empty() {
        show(undefined_symbols::RECORDED, format!("  motif_text(record, {0}, strlen({0}));", undefined_symbols::CALLS));
    }
    for statement in lowering.take_down() {
        lowering.line(statement);
    }
    let mut lines = lowering.take_lines();
    if !lines.iter().any(|l| l.contains("(in") || l.contains(" in,")) {
        lines.insert(0, "(void)in;".into());
    }
    Ok(lines)
}

/// Records an array that the callee has allocated, up to the length that it has at least.
fn allocated(job: &Job<'_>, element: &crate::model::Type, least: u64, pointer: &str) -> String {
    let kind = TypeKind::Array(Box::new(element.clone()), Some(least));
    let array = crate::model::Type::new(element.spelling.clone(), kind);
    let values = observe::c_value(&job.plan.lexicon, job.model, &array, &format!("({pointer})"), false, 1);
    format!("  motif_null(record, {pointer} == NULL);\n  if ({pointer} != NULL) {{\n{values}  }}\n")
}
