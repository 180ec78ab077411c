//! Arguments that are just what a parameter says. Where another overload takes the same without `const`, what is no
//! constant would go to that one, or to neither: `Parameter(double, Limit *, bool)` and `Parameter(double, const
//! Limit *, double)` of `(value, &limit, 0.5)`.

use super::ownership;
use super::writer::{Lowering, Made};
use crate::cpp::{print, raw};
use crate::model::{Function, Prim, Type, TypeKind, Usr};
use crate::plan::{Kind, Slot};
use crate::types::spelling::value_type;

/// Arguments as they are passed to a parameter of each slot's type.
pub(super) fn pass(lowering: &Lowering<'_>, slots: &[Slot], made: &[Made]) -> Vec<proc_macro2::TokenStream> {
    slots
        .iter()
        .zip(made)
        .map(|(slot, made)| {
            let moves = matches!(slot.ty.kind, TypeKind::RvalueRef(_)) || ownership::is_move_only(lowering, &slot.ty);
            let text = match &slot.declared {
                Some(declared) if slot.is_made_as_seen() && !made.is_null => cast(lowering, declared, &made.object),
                _ if moves => format!("std::move({})", made.object),
                None if slot.history > 0 && !made.is_null => format!("{} + {}", made.object, slot.history),
                _ => made.object.clone(),
            };
            raw(match &made.unless {
                Some(none) => format!("{none} ? {} : {text}", lowering.null()),
                None => text,
            })
        })
        .collect()
}

/// A pointer as one of a type that it has nothing in common with.
fn cast(lowering: &Lowering<'_>, ty: &Type, text: &str) -> String {
    let ty = lowering.ty(&value_type(ty));
    if lowering.is_c() { format!("({ty}){text}") } else { format!("reinterpret_cast<{ty}>({text})") }
}

/// What was made for a parameter, as the callee's body sees it.
pub fn seen(lowering: &Lowering<'_>, slot: &Slot, made: &Made) -> Made {
    if slot.declared.is_none() || slot.is_made_as_seen() {
        return made.clone();
    }
    let text = cast(lowering, &slot.ty, &made.object);
    Made { object: if lowering.is_c() { format!("({text})") } else { text }, ..made.clone() }
}

/// One argument as it is passed.
pub(super) fn pass_one(lowering: &Lowering<'_>, slot: &Slot, made: &Made) -> String {
    print(&pass(lowering, std::slice::from_ref(slot), std::slice::from_ref(made))[0])
}

/// The arguments of a call of `function`, as `pass` has them for any.
pub fn pass_to(
    lowering: &Lowering<'_>,
    function: Option<&Usr>,
    slots: &[Slot],
    made: &[Made],
) -> Vec<proc_macro2::TokenStream> {
    let mut args = pass(lowering, slots, made);
    let Some(function) = function.and_then(|usr| lowering.model.functions.get(usr)) else { return args };
    if lowering.is_c() {
        return args;
    }
    let overloads: Vec<&Function> = overloads(lowering, function).collect();
    for (index, (slot, arg)) in slots.iter().zip(&mut args).enumerate() {
        let takes_variable =
            |other: &&Function| other.params.get(index).is_some_and(|param| is_without_const(&param.ty, &slot.ty));
        if overloads.iter().any(takes_variable) {
            *arg = raw(format!("static_cast<{}>({})", lowering.ty(&slot.ty), print(arg)));
        }
        let takes_null = |other: &&Function| other.params.get(index).is_some_and(|param| param.ty.pointee().is_some());
        let is_ambiguous = function.template.is_some() || overloads.iter().any(takes_null);
        if is_ambiguous && made[index].is_null && made[index].object == lowering.null() {
            *arg = raw(format!("static_cast<{}>({})", lowering.ty(&slot.ty), print(arg)));
        }
        // Another overload might take a literal.
        if !overloads.is_empty()
            && matches!(slot.recipe.kind, Kind::StdString { .. })
            && made[index].object.starts_with('"')
        {
            *arg = raw(format!("std::string({})", print(arg)));
        }
    }
    if lowering.inlines && !lowering.from_input() && function.template.is_none() && !function.is_variadic {
        // Nobody writes an argument that is the default, if the call is of the same function without.
        let is_default = |at: usize, arg: &proc_macro2::TokenStream| {
            let default = function.params.get(at).and_then(|param| Some((param, param.default.as_deref()?)));
            let is_taken = |other: &&Function| {
                let has_default = other.params.get(at).is_some_and(|param| param.default.is_some());
                !other.is_copy_or_move && (other.params.len() == at || has_default)
            };
            default.is_some_and(|(param, text)| is_same(&param.ty, text, &print(arg)))
                && !overloads.iter().any(is_taken)
        };
        while let Some(last) = args.len().checked_sub(1).filter(|last| is_default(*last, &args[*last])) {
            args.truncate(last);
        }
    }
    args
}

/// Whether a literal is the value of a default argument, as far as their texts tell.
fn is_same(ty: &Type, default: &str, literal: &str) -> bool {
    let default = default.trim_start_matches('=').trim();
    let integer = |text: &str| {
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        // (Another base says another number.)
        let is_octal = digits.trim_start_matches('-').len() > 1 && digits.trim_start_matches('-').starts_with('0');
        digits.parse::<i128>().ok().filter(|_| !is_octal)
    };
    let floating = |text: &str| text.trim_end_matches(['f', 'F']).parse::<f64>().ok().map(f64::to_bits);
    let is_path = default.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    match &ty.kind {
        TypeKind::Pointer(_) if literal == "nullptr" => matches!(default, "0" | "NULL" | "nullptr"),
        // (Of the two spellings, one may say less of where it is.)
        TypeKind::Enum(_) if is_path => literal == default || literal.ends_with(&format!("::{default}")),
        TypeKind::Prim(Prim::Bool) => literal == default,
        TypeKind::Prim(Prim::Float | Prim::Double) => floating(literal).is_some_and(|it| floating(default) == Some(it)),
        TypeKind::Prim(_) => integer(literal).is_some_and(|it| integer(default) == Some(it)),
        _ => literal == default && literal.starts_with('"'),
    }
}

/// Other functions of that name in the same place.
fn overloads<'f>(lowering: &'f Lowering<'_>, function: &'f Function) -> impl Iterator<Item = &'f Function> {
    let class = lowering.model.owner_of(function);
    let of_class = class.into_iter().flat_map(|class| &class.methods);
    let members = of_class.filter_map(|usr| lowering.model.functions.get(usr));
    let is_free = class.is_none();
    let free = lowering.model.functions.values().filter(move |other| is_free && other.qualified == function.qualified);
    members.chain(free).filter(|other| {
        other.name == function.name && other.kind == function.kind && other.usr != function.usr && !other.is_deleted
    })
}

/// Whether a parameter takes to a variable what the other takes to a constant.
fn is_without_const(param: &Type, other: &Type) -> bool {
    match (&param.kind, &other.kind) {
        (TypeKind::Pointer(one), TypeKind::Pointer(another))
        | (TypeKind::LvalueRef(one), TypeKind::LvalueRef(another)) => {
            !one.is_const && another.is_const && one.kind == another.kind
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Usr;
    use crate::types::arithmetic::simple_type;

    #[test]
    fn only_what_is_the_very_default_is_left_out() {
        let same = |ty: &str, default: &str, literal: &str| is_same(&simple_type(ty), default, literal);
        assert!(same("int", "= 0", "0") && same("unsigned long", "3", "3UL") && same("double", "0", "0.0"));
        assert!(same("bool", "false", "false") && same("float", "1.5f", "1.5f"));
        // (Octal; the sign of a zero; more digits than a floating-point number has.)
        assert!(!same("int", "0644", "644") && !same("double", "0.0", "-0.0"));
        assert!(!same("long", "9223372036854775807", "9223372036854775806L"));
        let mode = Type { kind: TypeKind::Enum(Usr::from("u")), ..simple_type("Mode") };
        assert!(is_same(&mode, "kOn", "sat::Mode::kOn") && is_same(&mode, "Mode::kOn", "sat::Mode::kOn"));
        assert!(!is_same(&mode, "Mode::kOn | Mode::kOff", "sat::Mode::kOff"));
        assert!(!is_same(&mode, "Other::kOn", "sat::Mode::kOn"));
    }
}
