//! Units that stand in headers and that their driver does not call by name: through tables of virtual functions, or
//! through callers.
//!
//! Every file that includes such a body has a copy of its own, and of all that are linked the first one counts. A
//! driver that only asks a factory for the object would have none, and mutants of it would be in nobody's table. So it
//! has one written out, and comes first.

use super::job::Job;
use super::name_clashes::Hidden;
use crate::cpp::declare;
use crate::model::{Function, FunctionKind, Language, Param, Type, TypeKind};

/// A definition that has the compiler write out the body of the unit; none where the driver does so anyway.
pub(super) fn definition(job: &Job<'_>, original: &str, hidden: &Hidden) -> Option<String> {
    let unit = job.model.functions.get(&job.plan.unit)?;
    // A copy is made by the driver, table and all.
    if job.copied.is_some() || job.plan.language != Language::Cxx || !is_shared(job, unit) {
        return None;
    }
    let spelled = |param: &Param| match &param.ty.kind {
        // An array parameter is a pointer.
        TypeKind::Array(element, _) => format!("{} *", hidden.spell(&element.spelling)),
        TypeKind::Record { .. } => hidden.spell(&crate::types::spelling::value_type(&param.ty).spelling),
        _ => hidden.spell(&param.ty.spelling),
    };
    let names: Vec<String> = (1..=unit.params.len()).map(|number| format!("argument{number}")).collect();
    let params = unit.params.iter().zip(&names).map(|(param, name)| declare(&spelled(param), name));
    let constant = if unit.is_const { "const " } else { "" };
    let object = (unit.kind == FunctionKind::Method).then(|| format!("{constant}{original} &object"));
    let taken: Vec<String> = object.iter().cloned().chain(params).collect();
    let given: Vec<String> = unit.params.iter().zip(&names).map(|(param, name)| passed(param, name)).collect();
    let callee = match unit.kind {
        FunctionKind::Method => format!("object.{original}::{}", unit.name),
        _ => format!("{original}::{}", unit.name),
    };
    let call = format!("(void){callee}({});", given.join(", "));
    let head = format!("[[gnu::used]] void written_out({}) {{", taken.join(", "));
    let lines =
        [super::layout::folded(&head), super::layout::folded(&format!("  {call}"))].map(|l| l.trim_end().to_owned());
    Some(format!(
        "// It stands in a header and is called through a table or another function: theirs would be another file's, \
         so it is\n// written out here, where it may be mutated.\n{}\n{}\n}}\n",
        lines[0], lines[1]
    ))
}

/// Whether what is called may be the body that another file has of it.
fn is_shared(job: &Job<'_>, unit: &Function) -> bool {
    let Some(definition) = &unit.definition else { return false };
    let in_header = definition.extent.file != job.plan.source;
    let is_matrix = |ty: &Type| matches!(&ty.kind, TypeKind::Array(of, _) if matches!(of.kind, TypeKind::Array(..)));
    let is_plain = unit.template.is_none()
        && !unit.params.iter().any(|param| is_matrix(&param.ty))
        && !unit.is_variadic
        && !unit.is_constexpr
        && unit.ref_qualifier.as_deref() != Some("&&")
        && job.plan.owner_args.is_empty();
    let by_table = unit.kind == FunctionKind::Method && unit.is_virtual;
    let by_callers =
        matches!(unit.kind, FunctionKind::Method | FunctionKind::StaticMethod) && job.plan.is_through_callers();
    in_header && is_plain && (by_table || by_callers)
}

fn passed(param: &Param, name: &str) -> String {
    match &param.ty.kind {
        TypeKind::Record { .. } | TypeKind::RvalueRef(_) => format!("std::move({name})"),
        _ => name.to_owned(),
    }
}
