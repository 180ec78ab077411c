//! The files of a C unit: a C driver is C.

use super::failing_calls::{self, Asker};
use super::job::{Job, include_path};
use super::lower::calls::Call;
use super::lower::{Lowering, Made, Source, exact};
use super::lower::{Values, override_values, paired_setup};
use super::name_clashes::{self, Hidden};
use super::observe::{self, Observing};
use super::places::places;
use super::undefined_symbols;
use crate::facts::allocates::allocates;
use crate::facts::given_back::is_given_back;
use crate::facts::handles;
use crate::lexicon::Role;
use crate::model::{Function, Prim, Type, TypeKind};
use crate::plan::{Entry, Kind, Slot};

/// All files; `driver.c` first.
///
/// # Errors
/// The plan does not lower to statements.
pub fn files(job: &Job<'_>) -> Result<Vec<(String, String)>, String> {
    let entry = job.plan.entries.first().ok_or("no way in")?;
    let callee = &job.model.functions[&entry.callee];
    let classes = observe::observed(job.model, job.plan);
    let unit = job.model.unit_compiling(&job.plan.source);
    let observing = Observing::new(&job.plan.lexicon, job.model, &job.plan.excluded, &classes).within(unit);
    let observing = observing.following(&job.plan.untyped);
    let mut lines = body_lines(job, entry, callee, &observing)?;
    let mut observers = observing.c(&classes, &lines);
    if lines.iter().map(String::as_str).chain([observers.as_str()]).any(|text| text.contains("motif_follow(")) {
        if observers.contains("motif_visit(") {
            observers.insert_str(0, observe::C_VISITS);
            lines.insert(0, "motif_inside = 0;".into());
        }
        observers.insert_str(0, observe::C_FOLLOWS);
        lines.insert(0, "motif_depth = 0;".into());
        follow_anew(&mut lines);
    }
    let mut body = String::new();
    for line in lines {
        body.push_str(&super::layout::folded(&format!("  {line}")));
        body.push('\n');
    }
    let mut context = job.context();
    let free = |name: &str| name_clashes::free_in_c(job.model, name);
    for name in ["drive", "drive_original", "drive_copy", "compare", "unit_function"] {
        context.insert(name, &free(name));
    }
    let stand_ins: String = super::variadic_callbacks::stand_ins(entry, callee, job.plan.language)
        .iter()
        .map(|text| format!("{text}\n\n"))
        .collect();
    let missing = super::stand_ins::definitions(&job.plan.lexicon, job.model, entry, job.plan.language);
    let failing = failing_calls::definitions(entry, job.plan.language, Asker::Driver);
    context.insert("system_includes", &undefined_symbols::system_headers(entry, job.plan.language, missing.as_deref()));
    let missing: String = missing.into_iter().chain(failing).map(|text| format!("{text}\n")).collect();
    let aliases = match Hidden::in_c(job.model).aliases() {
        none if none.is_empty() => none,
        some => format!("/* Variables below have the names of these types. */\n{some}\n"),
    };
    let undefined = job.undefined([body.as_str(), &missing, &stand_ins, &observers]);
    context.insert("observers", &format!("{undefined}{aliases}{missing}{stand_ins}{observers}"));
    context.insert(
        "pointer_type",
        &super::function_pointers::pointer(callee, &free("unit_function")).replace("()", "(void)"),
    );
    context.insert("original", &callee.name);
    context.insert("mutant", job.copy_of(&entry.callee).unwrap_or(&callee.name));
    context.insert("body", &body);
    context.insert("features", &job.features());
    let headers: Vec<String> = super::headers::missing(job.model, job.plan).iter().map(|p| include_path(p)).collect();
    context.insert("includes", &headers);
    job.render(context, ["driver.c", "original.h", "mut_copy.h"])
}

/// Each value that is recorded is followed as far as if it were alone.
fn follow_anew(lines: &mut Vec<String>) {
    let is_followed = |value: &[String]| {
        let mut value = value.iter().take_while(|line| !line.starts_with("motif_close(record);"));
        value.any(|line| line.contains("observe_") || line.contains("motif_follow("))
    };
    for at in (0..lines.len()).rev() {
        if lines[at].starts_with("motif_open(record,") && is_followed(&lines[at..]) {
            lines.insert(at, "memset(motif_followed, 0, sizeof motif_followed);".into());
        }
    }
}

fn body_lines(
    job: &Job<'_>,
    entry: &Entry,
    callee: &Function,
    observing: &Observing<'_>,
) -> Result<Vec<String>, String> {
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
    failing_calls::set_up(&mut lowering, entry)?;
    undefined_symbols::set_up(&mut lowering, entry, job.plan.language)?;
    let made = lowering.slots(&entry.args)?;
    paired_setup::before_call(&mut lowering, entry, None, &made)?;
    override_values::before(&mut lowering, &job.plan.before, None, &entry.args, &made);
    let call = Call { lowering: &lowering, function: callee, entry, object: None, target: Some("unit") }.with(&made);
    if job.plan.compares_output() {
        lowering.line("motif_prints(record);");
    }
    undefined_symbols::forget(&mut lowering, entry);
    lowering.line("motif_enter(record);");
    match &entry.result {
        None => lowering.line(format!("{call};")),
        Some(ty) => {
            let declaration = lowering.declare(&crate::types::spelling::value_type(ty), "result");
            lowering.line(format!("{declaration} = {call};"));
        }
    }
    lowering.line("motif_leave(record);");
    if job.plan.compares_output() {
        lowering.line("motif_printed(record);");
    }
    let made: Vec<Made> = entry.args.iter().zip(&made).map(|(slot, made)| exact::seen(&lowering, slot, made)).collect();
    for place in places(entry) {
        let (pointer, array) = (place.pointer(&made, "result"), &made[place.array].object);
        lowering.line(format!("motif_place(record, \"{}\", {pointer}, {array}, sizeof *{pointer});", place.label));
    }
    let variables = undefined_symbols::variables(job.model, entry);
    let show = |lowering: &mut Lowering<'_>, name: &str, text: String| {
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
            TypeKind::Pointer(to) if least.is_some() => allocated(observing, to, least.unwrap_or_default(), "result"),
            // The pointee of a returned pointer may be an argument, a static or nothing readable.
            TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Prim(crate::model::Prim::Char)) => {
                "  motif_null(record, result == NULL);\n\
                 \x20 if (result != NULL) motif_text(record, result, strnlen(result, 4096));\n"
                    .to_owned()
            }
            TypeKind::Pointer(to) => {
                own_block(job, entry, to, "result").unwrap_or_else(|| observing.c_value(&ty, "result", 0))
            }
            _ => observing.c_value(&ty, "result", 0),
        };
        show(&mut lowering, "return", text);
    }
    let callee = job.model.functions.get(&entry.callee);
    let ends = callee.filter(|callee| job.plan.lexicon.says(&callee.name, Role::Ends));
    let params = ends.map_or(&[][..], |callee| &callee.params);
    let is_freed = |place: usize, slot: &Slot| {
        let is_given = matches!(slot.recipe.kind, Kind::Pointer { given: true, .. });
        is_given && params.get(place).is_some_and(|param| is_given_back(job.model, &job.plan.lexicon, param))
    };
    for (place, (slot, made)) in entry.args.iter().zip(&made).enumerate() {
        let to = match &slot.ty.kind {
            TypeKind::Pointer(to) => &**to,
            TypeKind::Array(element, _) => &**element,
            // The callee has a copy, and the copy leads to the same.
            TypeKind::Record { .. }
                if matches!(slot.recipe.kind, Kind::Fields { .. })
                    && handles::leads_on(&job.plan.lexicon, job.model, &slot.ty) =>
            {
                show(&mut lowering, &slot.name, observing.c_value(&slot.ty, &made.object, 0));
                continue;
            }
            _ => continue,
        };
        if to.is_const
            || matches!(
                slot.recipe.kind,
                Kind::Fixed { .. } | Kind::OneOf { .. } | Kind::CString { .. } | Kind::Pattern { .. }
            )
            || is_given(slot)
            || is_freed(place, slot)
        {
            continue;
        }
        if matches!(slot.recipe.kind, Kind::File) {
            lowering.line(super::observe::stream("in, record", &slot.name, &made.object));
            continue;
        }
        let text = match &slot.recipe.kind {
            Kind::Array { element, length, .. } => {
                let ty = crate::model::Type {
                    spelling: slot.ty.spelling.clone(),
                    is_const: false,
                    kind: TypeKind::Array(Box::new(element.ty.clone()), Some(*length)),
                    size: None,
                };
                observing.c_value(&ty, &made.object, 0)
            }
            _ => {
                let pointed = crate::cpp::dereference(&made.object);
                let least = entry.least_lengths.iter().find(|(name, _)| name.as_deref() == Some(slot.name.as_str()));
                match (&to.kind, least) {
                    (TypeKind::Pointer(element), Some((_, least))) => allocated(observing, element, *least, &pointed),
                    (TypeKind::Pointer(element), None) => {
                        own_block(job, entry, element, &pointed).unwrap_or_else(|| observing.c_value(to, &pointed, 0))
                    }
                    _ => observing.c_value(to, &pointed, 0),
                }
            }
        };
        show(&mut lowering, &slot.name, text);
    }
    for (name, variable, ty) in variables {
        show(&mut lowering, &name, observing.c_value(ty, &variable, 0));
    }
    if !entry.outside.is_empty() {
        show(
            &mut lowering,
            undefined_symbols::RECORDED,
            format!("  motif_text(record, {0}, strlen({0}));", undefined_symbols::CALLS),
        );
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

/// Whether the callee owns the structure or the array from then on, and may have freed it.
fn is_given(slot: &Slot) -> bool {
    let is_memory = |kind: &Kind| matches!(kind, Kind::Fields { .. } | Kind::Array { .. });
    matches!(&slot.recipe.kind, Kind::Pointer { to, given: true } if is_memory(&to.recipe.kind))
}

/// Records the numbers that a pointer leads to as far as they were allocated, if the callee may have done so.
fn own_block(job: &Job<'_>, entry: &Entry, element: &Type, pointer: &str) -> Option<String> {
    let TypeKind::Prim(prim) = element.kind else { return None };
    let is_own = prim != Prim::Char && allocates(job.model, &job.plan.lexicon, &entry.callee);
    let kind = super::lower::kind(prim);
    is_own.then(|| format!("  motif_allocated(record, {kind}, {pointer}, sizeof *({pointer}));\n"))
}

/// Records an array that the callee has allocated, up to the length that it has at least.
fn allocated(observing: &Observing<'_>, element: &crate::model::Type, least: u64, pointer: &str) -> String {
    let kind = TypeKind::Array(Box::new(element.clone()), Some(least));
    let array = crate::model::Type::new(element.spelling.clone(), kind);
    let values = observing.c_value(&array, &format!("({pointer})"), 1);
    format!("  motif_null(record, {pointer} == NULL);\n  if ({pointer} != NULL) {{\n{values}  }}\n")
}
