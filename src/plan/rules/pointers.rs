//! Pointers: to text, to memory, to functions, to objects.

use super::c_lifecycle::{InC, is_made, made_in_c, unit_ends};
use super::memory::{buffer, text_buffer};
use super::rule::ValueRule;
use crate::model::{Literal, Prim, Type, TypeKind};
use crate::plan::construction_graph::{NEVER, Need};
use crate::plan::histories::only_histories;
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{ARRAY_LENGTH, Kind, Reason, Recipe, STRING_LENGTH, Slot};
use crate::types::arithmetic::is_character;
use crate::types::compose::OPAQUE_LENGTH;
use crate::types::spelling::{null_of, value_type};

/// Greater numbers are no lengths of texts, and a text has so many characters more than a number that is one.
const LONGEST: u64 = 512;
const BEYOND: u64 = 8;
/// Cost of memory that nothing says the meaning of.
const MEANINGLESS: u32 = 30;

/// `const char *`: text that ends with NUL.
pub(super) const TEXT: ValueRule = ValueRule {
    is_for: |ty| ty.pointee().is_some_and(|to| to.is_const && to.kind == TypeKind::Prim(Prim::Char)),
    cost: |_, _| Some(Need::of(2)),
    recipe: |scope, ty, request| Ok(Kind::CString { most: longest_text(scope, request) }.of(value_type(ty))),
};

/// Texts are a little longer than what the unit may compare their length with; those that are read, as long as samples.
pub(super) fn longest_text(scope: &UnitScope<'_>, request: Request<'_>) -> u64 {
    let literals = scope.function.definition.iter().flat_map(|definition| &definition.literals);
    let lengths = literals.filter_map(|literal| match literal {
        Literal::Int(number) => u64::try_from(*number).ok().filter(|length| *length <= LONGEST),
        _ => None,
    });
    let sample = if request.is_read { scope.planner.samples.longest() } else { 0 };
    lengths.map(|length| length + BEYOND).max().unwrap_or_default().max(STRING_LENGTH).max(sample)
}

/// `char *`, `unsigned char *`: a buffer, since the callee may write to all of it.
pub(super) const BUFFER: ValueRule = ValueRule {
    is_for: |ty| ty.pointee().is_some_and(|to| is_character(to) || is_byte(to)),
    cost: |_, _| Some(Need::of(2)),
    recipe: |scope, ty, request| match ty.pointee() {
        Some(to) if is_character(to) => text_buffer(scope, ty, to, request),
        Some(to) => buffer(scope, ty, to, ARRAY_LENGTH, request),
        None => Err(unknown(ty)),
    },
};

/// `FILE *`.
pub(super) const FILE: ValueRule = ValueRule {
    is_for: |ty| ty.pointee().is_some_and(crate::types::standard::is_file),
    cost: |_, _| Some(Need::of(2)),
    recipe: |_, ty, _| Ok(Kind::File.of(value_type(ty))),
};

/// A pointer to a function.
pub(super) const CALLBACK: ValueRule = ValueRule {
    is_for: |ty| ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Function { .. })),
    cost: |_, _| Some(Need::of(2)),
    recipe: |scope, ty, _| super::callbacks::callback(scope, ty),
};

/// `void *`: the callee mostly passes it on, keeps it for somebody else, or reads bytes, so that any memory will do.
pub(super) const MEMORY: ValueRule = ValueRule {
    is_for: |ty| ty.pointee().is_some_and(|to| to.kind == TypeKind::Void),
    cost: |_, _| Some(Need::of(MEANINGLESS)),
    recipe: |scope, ty, request| super::memory::bytes(scope, ty, OPAQUE_LENGTH, request),
};

/// A pointer to a value of its own.
pub(super) const OBJECT: ValueRule = ValueRule {
    is_for: |ty| match ty.pointee().map(|to| &to.kind) {
        Some(TypeKind::Pointer(inner)) => matches!(
            inner.kind,
            TypeKind::Prim(_) | TypeKind::Record { .. } | TypeKind::Pointer(_) | TypeKind::Enum(_) | TypeKind::Void
        ),
        Some(kind) => {
            matches!(kind, TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Record { .. } | TypeKind::Array(..))
        }
        None => false,
    },
    cost: |graph, ty| match ty.pointee()? {
        Type { kind: TypeKind::Prim(_) | TypeKind::Enum(_), .. } => Some(Need::of(2)),
        to @ Type { kind: TypeKind::Record { .. }, .. } => graph.pointer_to(to),
        to => Some(graph.value(to)?.plus(2)),
    },
    recipe: to_value,
};

/// `signed char`, `unsigned char`.
fn is_byte(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(Prim::SChar | Prim::UChar))
}

fn unknown(ty: &Type) -> Reason {
    Reason::new(format!("nothing is known of what `{}` points to", ty.spelling)).needs("parameters.NAME.type")
}

/// Whether the value is for an object, not for the unit under test.
fn is_inside(request: Request<'_>) -> bool {
    request.objects_open() > 0
}

fn to_value(scope: &UnitScope<'_>, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
    let to = ty.pointee().ok_or_else(|| unknown(ty))?;
    // A node's parent, an optional strategy: further inside, an object that can't be had is left out.
    let is_open = to.record().is_some_and(|usr| request.is_open(usr))
        && !scope.model.class_of(to).is_some_and(|class| super::fields::leads_on(scope, class, request));
    let told = super::overrides::told_of_type(scope, to)?.is_some();
    let made = if told || is_open { InC::Nothing } else { made_in_c(scope, to, request) };
    let is_never = || made.recipe().is_none() && scope.cost_of(to) == NEVER;
    if to.record().is_some() && is_inside(request) && (is_open || is_never()) {
        let expression = null_of(ty, scope.is_in_c());
        return Ok(Kind::Fixed { expression }.of(value_type(ty)));
    }
    // An object that the unit destroys nobody else destroys, nor what may have become part of another.
    let given = made.recipe().is_some_and(|made| scope.is_in_c() && (is_inside(request) || unit_ends(scope, to, made)));
    let alone = Request { with_room: scope.is_in_c(), ..request.deeper() };
    let recipe = match made {
        InC::Made(recipe) => recipe.by("C lifecycle"),
        InC::Skipped => Recipe { skipped: 1, ..scope.value(to, alone)? },
        InC::Nothing => match scope.value(to, alone) {
            // Who hands one out no name says: the project's own programs may.
            Err(reason) if scope.is_in_c() && !is_inside(request) => only_histories(scope, to).ok_or(reason)?,
            made => made?,
        },
    };
    let given = given || scope.is_in_c() && is_made(&recipe) && unit_ends(scope, to, &recipe);
    Ok(Kind::Pointer { to: Box::new(Slot::new("value", to.clone(), recipe)), given }.of(value_type(ty)))
}
