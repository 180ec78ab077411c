//! Variables of a file that a unit changes or reads: what a module remembers is seen by nobody who only looks at
//! results, and has come about by earlier calls of the module's own functions.

use super::request::Request;
use super::unit_scope::UnitScope;
use super::{Entry, Global, SetUpCall, Slot, UnitState};
use crate::lexicon::{Lexicon, Role};
use crate::model::library::Shape;
use crate::model::{ClassKind, Function, FunctionKind, Language, Scope, Type, TypeKind, Usr, Variable};
use crate::plan::rules::setup_calls::{CHOICES, ENDINGS, SETS_UP};
use crate::types::library::row_of;
use std::collections::{BTreeSet, VecDeque};

/// The most variables that are looked at.
const MOST: usize = 8;
/// The most numbers that all of them have together.
const NUMBERS: u64 = 256;
/// So many functions are looked at for a clock.
const LOOKED_AT: usize = 200;
/// The C library's and POSIX's clocks, as clang names them.
const CLOCKS: [&str; 6] =
    ["c:@F@time", "c:@F@clock", "c:@F@clock_gettime", "c:@F@gettimeofday", "c:@F@timespec_get", "c:@F@ftime"];
/// The names that drivers in C use themselves.
const DRIVERS: [&str; 5] = ["in", "record", "result", "unit", "stand_ins"];
/// A function that asks for more is no step on the way.
const ASKS_FOR: usize = 3;

/// Adds to the ways into a function the variables that it comes to name, and the functions beside it that change them.
pub(super) fn with_globals(scope: &UnitScope<'_>, unit: &Function, entries: &mut [Entry], request: Request<'_>) {
    let is_of_namespace = unit.scopes.iter().all(|scope| matches!(scope, Scope::Namespace { .. }));
    // A test runs at another time.
    if unit.kind != FunctionKind::Function || !is_of_namespace || tells_time(scope, &unit.usr) {
        return;
    }
    let missing = BTreeSet::new();
    let outside = &scope.planner.undefined;
    let ahead: VecDeque<Usr> = std::iter::once(&unit.usr).chain(entries.iter().map(|e| &e.callee)).cloned().collect();
    let (_, named) = super::undefined_symbols::reached(scope, ahead, &missing);
    let own = unit.definition.as_ref().map(|definition| &definition.globals);
    let variables =
        scope.model.variables.values().filter(|v| named.contains(&v.qualified) && !outside.contains(&v.usr));
    let mut seen: Vec<&Variable> = variables
        .filter(|v| is_nameable(scope, v, unit.language) && numbers(scope, &v.ty).is_some_and(|n| n > 0))
        .collect();
    seen.sort_by_key(|v| (!own.is_some_and(|own| own.contains(&v.qualified)), v.usr.clone()));
    let mut left = NUMBERS;
    seen.retain(|v| {
        let without = numbers(scope, &v.ty).and_then(|numbers| left.checked_sub(numbers));
        left = without.unwrap_or(left);
        without.is_some()
    });
    seen.truncate(MOST);
    if seen.is_empty() {
        return;
    }
    let names: BTreeSet<&String> = seen.iter().map(|v| &v.qualified).collect();
    let mut calls = steps_beside(scope, unit, &names, request);
    let (lexicon, otherwise) = (scope.lexicon(), scope.lexicon().ranks(SETS_UP));
    // (Who names a variable may only read it; those that are there to change something come with a word, or yield
    // nothing.)
    let changes = |call: &&SetUpCall| {
        let function = scope.model.functions.get(&call.method);
        call.method != unit.usr && function.and_then(|f| rank(lexicon, f)).is_some_and(|rank| rank <= otherwise)
    };
    let changed: BTreeSet<&String> =
        calls.iter().filter(changes).flat_map(|call| named_by(scope, &call.method)).collect();
    // A variable that everybody may write to, and nobody here does, is assigned.
    let open = seen.iter().filter(|v| !v.is_file_local && !changed.contains(&v.qualified));
    let open = open.filter(|v| own.is_some_and(|own| own.contains(&v.qualified)));
    let assigned: Vec<SetUpCall> = open.filter_map(|v| assigned(scope, v, request)).collect();
    calls.extend(assigned);
    calls.truncate(CHOICES);
    let globals = seen.into_iter().map(global).collect();
    let state = UnitState { globals, calls };
    entries.iter_mut().for_each(|entry| entry.state.clone_from(&state));
}

/// How many numbers, enumerators and texts a variable is that may change; none where there is anything else in it, or a
/// person could not say which of them counts.
fn numbers(scope: &UnitScope<'_>, ty: &Type) -> Option<u64> {
    let count = match &ty.kind {
        _ if ty.is_const || ty.spelling.contains("volatile") => None,
        TypeKind::Prim(_) | TypeKind::Enum(_) => Some(1),
        TypeKind::Array(element, Some(length)) => numbers(scope, element)?.checked_mul(*length),
        // A text is looked at as a whole.
        TypeKind::Record { .. } if is_text(scope, ty) => Some(1),
        TypeKind::Record { usr, .. } => {
            let class = scope.model.classes.get(usr)?;
            if class.kind == ClassKind::Union {
                let whole = crate::facts::anonymous_members::whole(scope.model, class);
                return whole.and_then(|whole| numbers(scope, &whole.ty));
            }
            // An unnamed bit-field is nothing.
            let fields = class.fields.iter().filter(|f| !f.is_static && (f.bit_width.is_none() || !f.name.is_empty()));
            let is_plain = class.is_aggregate || class.language == Language::C;
            // Of what leads to something that is no object it is seen whether it leads anywhere.
            let of = |field: &crate::model::Field| match &field.ty.kind {
                TypeKind::Pointer(to) if to.record().is_none() => Some(0),
                _ => numbers(scope, &field.ty),
            };
            if is_plain { fields.map(of).sum() } else { None }
        }
        _ => None,
    };
    count.filter(|count| *count <= NUMBERS)
}

/// A text of the standard library.
fn is_text(scope: &UnitScope<'_>, ty: &Type) -> bool {
    row_of(scope.model, ty).is_some_and(|row| row.shape == Shape::Text && !row.view)
}

fn named_by<'m>(scope: &UnitScope<'m>, function: &Usr) -> impl Iterator<Item = &'m String> {
    let definition = scope.model.functions.get(function).and_then(|f| f.definition.as_ref());
    definition.into_iter().flat_map(|definition| &definition.globals)
}

/// A value for a variable, as a call that is given it.
fn assigned(scope: &UnitScope<'_>, variable: &Variable, request: Request<'_>) -> Option<SetUpCall> {
    if matches!(variable.ty.kind, TypeKind::Array(..)) {
        return None;
    }
    let recipe = scope.value(&variable.ty, request.at(0)).ok().filter(crate::plan::rules::setup_calls::is_simple)?;
    let plain = variable.qualified.rsplit("::").next().unwrap_or_default().to_owned();
    let value = Slot::new(format!("{plain}_value"), variable.ty.clone(), recipe);
    Some(SetUpCall { method: variable.usr.clone(), name: variable.qualified.clone(), args: vec![value], fills: false })
}

/// Whether a driver beside the unit's source can say its name: no member, nobody's within a function.
fn is_nameable(scope: &UnitScope<'_>, variable: &Variable, language: Language) -> bool {
    // clang names members by their classes.
    let is_member = ["@S@", "@ST>", "@SP>", "@U@"].iter().any(|class| variable.usr.contains(class));
    let is_hidden = language == Language::C && DRIVERS.contains(&variable.qualified.as_str());
    !is_member && !is_hidden && !variable.qualified.contains('(') && scope.sees(&variable.extent.file)
}

/// Whether it comes to ask what time it is.
fn tells_time(scope: &UnitScope<'_>, function: &Usr) -> bool {
    let mut seen: BTreeSet<&Usr> = BTreeSet::from([function]);
    let mut ahead = VecDeque::from([function]);
    while let Some(usr) = ahead.pop_front() {
        if CLOCKS.contains(&usr.as_str()) || usr.contains("@N@chrono@") && usr.contains("@F@now") {
            return true;
        }
        let definition = scope.model.functions.get(usr).and_then(|f| f.definition.as_ref());
        ahead.extend(definition.into_iter().flat_map(|d| &d.calls).filter(|usr| seen.insert(usr)));
        if seen.len() > LOOKED_AT {
            return false;
        }
    }
    false
}

/// Functions of the unit's file that name one of the variables, and may leave something in it; the unit is one of them.
fn steps_beside(
    scope: &UnitScope<'_>,
    unit: &Function,
    names: &BTreeSet<&String>,
    request: Request<'_>,
) -> Vec<SetUpCall> {
    let file = unit.definition.as_ref().map(|definition| &definition.extent.file);
    let is_given = |ty: &Type| is_value(ty) || is_text(scope, ty.without_ref());
    let is_step = |f: &&Function| {
        let named = f
            .definition
            .as_ref()
            .is_some_and(|d| Some(&d.extent.file) == file && d.globals.iter().any(|g| names.contains(g)));
        named
            && f.kind == FunctionKind::Function
            && named_scopes(f) == named_scopes(unit)
            && !tells_time(scope, &f.usr)
            && f.language == unit.language
            && f.template.is_none()
            && !f.is_variadic
            && f.name != "main"
            && f.params.len() <= ASKS_FOR
            && !scope.lexicon().says(&f.name, ENDINGS)
            && f.params.iter().all(|p| is_given(&p.ty) && !scope.lexicon().says(&p.name, Role::File))
    };
    // The unit's own earlier call comes first; a function that returns something may change something all the same.
    let rank = |f: &Function| match rank(scope.lexicon(), f) {
        _ if f.usr == unit.usr => Some(0),
        Some(rank) => Some(1 + rank),
        None => (!f.params.is_empty()).then_some(2 + scope.lexicon().ranks(SETS_UP)),
    };
    let mut steps: Vec<(usize, &Function)> =
        scope.model.functions.values().filter(is_step).filter_map(|f| Some((rank(f)?, f))).collect();
    steps.sort_by_key(|(rank, f)| (*rank, f.params.len(), f.id.clone()));
    let made = steps.into_iter().filter_map(|(_, f)| {
        let args = scope.params(&f.params, &Default::default(), None, request.without_setup());
        let args =
            args.ok().filter(|args| args.iter().all(|arg| crate::plan::rules::setup_calls::is_simple(&arg.recipe)))?;
        Some(SetUpCall { method: f.usr.clone(), name: f.qualified.clone(), args, fills: false })
    });
    made.take(CHOICES).collect()
}

/// How surely a function is there to change something: by its name, or because it yields nothing.
fn rank(lexicon: &Lexicon, f: &Function) -> Option<usize> {
    let word = lexicon.rank(&f.name, SETS_UP);
    word.or_else(|| (f.result.kind == TypeKind::Void).then(|| lexicon.ranks(SETS_UP)))
}

fn named_scopes(f: &Function) -> Vec<&Scope> {
    let is_unnamed = |scope: &&Scope| matches!(scope, Scope::Namespace { name, .. } if name.is_empty());
    f.scopes.iter().filter(|scope| !is_unnamed(scope)).collect()
}

fn global(variable: &Variable) -> Global {
    Global { variable: variable.usr.clone(), name: variable.qualified.clone(), ty: variable.ty.clone() }
}

/// A number, or text that is only read.
fn is_value(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        TypeKind::Pointer(to) => to.is_const && matches!(to.kind, TypeKind::Prim(_)),
        _ => false,
    }
}
