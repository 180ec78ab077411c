//! Values that need no variable of their own.

use super::complex;
use super::spelling::lasting_variable;
use super::writer::{Lowered, Lowering, Made, kind, lasts_in_c, take_into};
use crate::cpp::string_literal;
use crate::generate::literal;
use crate::generate::trace::Draw;
use crate::model::{Type, TypeKind};
use crate::plan::{Kind, Recipe};
use crate::types::arithmetic::is_integer;
use crate::types::standard::complex_part;

/// A scalar's expression: what is taken, or the literal.
pub(super) fn scalar(lowering: &mut Lowering<'_>, ty: &Type) -> Lowered<String> {
    let TypeKind::Prim(prim) = ty.kind else { return Err(format!("`{}` is not a scalar", ty.spelling)) };
    if lowering.from_input() {
        return Ok(format!("in.take<{}>()", lowering.ty(ty)));
    }
    match lowering.draw()? {
        Draw::Value(value) => Ok(literal::scalar(&value, prim, lowering.language)),
        other => Err(format!("the replay took {other:?} where the plan has a scalar")),
    }
}

/// A variable that has the value.
pub(super) fn variable(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let value = expression(lowering, recipe)?;
    let text = crate::types::compose::text();
    let ty = if matches!(recipe.kind, Kind::StdString { .. }) { &text } else { &recipe.ty };
    let made = match &recipe.kind {
        Kind::Prim { .. } if lowering.is_c() && lowering.from_input() => {
            let made = if lasts_in_c(lowering) {
                lasting_variable(lowering, &name, ty)
            } else {
                lowering.line(format!("{};", lowering.declare(ty, &name)));
                Made::variable(&name)
            };
            lowering.line(take_into(&made.object, ty));
            made
        }
        // It lives as long as the input.
        Kind::CString { .. } => {
            lowering.line(format!("{} = {value};", lowering.declare(ty, &name)));
            Made::variable(&name)
        }
        // The expression that takes a value names its type already.
        _ if lowering.from_input() && !lowering.is_c() && !lowering.lasts() => {
            lowering.line(format!("auto {name} = {value};"));
            Made::variable(&name)
        }
        _ => lowering.set_variable(&name, ty, &value),
    };
    if let Kind::Prim { range: Some((low, high)) } = &recipe.kind {
        let it = &made.object;
        lowering.line(format!("if (!({it} >= {low})) {it} = {low};"));
        lowering.line(format!("if (!({it} <= {high})) {it} = {high};"));
    }
    Ok(made)
}

/// A value that needs no variable of its own.
pub(super) fn expression(lowering: &mut Lowering<'_>, recipe: &Recipe) -> Lowered<String> {
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Prim { .. } => scalar(lowering, ty),
        Kind::Pair { parts } if complex_part(ty).is_some() => complex::expression(lowering, parts),
        Kind::Enum { values } => enumerator(lowering, ty, values),
        Kind::Length { most, free: true, .. } => match (lowering.from_input(), lowering.is_c(), &ty.kind) {
            (true, true, TypeKind::Prim(prim)) => {
                let (ty, kind) = (lowering.ty(ty), kind(*prim));
                Ok(format!("({ty})motif_take_length(in, {most}, {kind}, sizeof({ty}))"))
            }
            (true, ..) => Ok(format!("in.length<{}>({most})", lowering.ty(ty))),
            (false, ..) => scalar(lowering, ty),
        },
        Kind::Length { most, below, .. } => {
            if lowering.from_input() {
                let ty = lowering.ty(ty);
                return Ok(match (lowering.is_c(), below) {
                    (true, false) => format!("({ty})motif_take_size(in, 0, {most})"),
                    (true, true) => format!("({ty})motif_take_size_or_less(in, {most})"),
                    (false, false) => format!("static_cast<{ty}>(in.size(0, {most}))"),
                    (false, true) => format!("static_cast<{ty}>(in.size_or_less({most}))"),
                });
            }
            let length = lowering.draw_size("a length")?;
            Ok(match &ty.kind {
                TypeKind::Prim(prim) if is_integer(*prim) => literal::whole(
                    if *below && length > *most { -1 } else { i128::from(length) },
                    *prim,
                    lowering.language,
                ),
                _ => length.to_string(),
            })
        }
        Kind::CString { most, .. } => {
            if !lowering.from_input() {
                return lowering.draw_text("a string");
            }
            Ok(if lowering.is_c() { format!("motif_take_cstring(in, {most})") } else { format!("in.cstring({most})") })
        }
        Kind::StdString { most } => {
            if lowering.from_input() {
                return Ok(format!("in.text<std::string>({most})"));
            }
            lowering.draw_size("the length of a string")?;
            let bytes: Vec<u8> = lowering.draw_array("a string")?.iter().flat_map(literal::Scalar::raw).collect();
            let text = string_literal(&bytes);
            Ok(if bytes.contains(&0) { format!("std::string({text}, {})", bytes.len()) } else { text })
        }
        _ => Err("this value needs a variable".into()),
    }
}

/// An enumerator of C, where structures are no scopes.
fn in_c(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// The cast to an enumeration of C; none to one without a name, which numbers become by themselves.
fn cast_in_c(spelled: &str) -> String {
    if spelled.contains("(unnamed") || spelled.contains("(anonymous") { String::new() } else { format!("({spelled})") }
}

fn enumerator(lowering: &mut Lowering<'_>, ty: &Type, values: &[(String, i128)]) -> Lowered<String> {
    let spelled = lowering.ty(ty);
    if lowering.from_input() {
        if lowering.is_c() {
            let list: Vec<&str> = values.iter().map(|(name, _)| in_c(name)).collect();
            let taken = if list.is_empty() {
                "motif_take_enum(in, NULL, 0)".to_owned()
            } else {
                format!("motif_take_enum(in, (const long long[]){{{}}}, {})", list.join(", "), list.len())
            };
            return Ok(format!("{}{taken}", cast_in_c(&spelled)));
        }
        let list: Vec<String> = values.iter().map(|(name, _)| lowering.spell(name)).collect();
        return Ok(format!("in.enumerator<{spelled}>({{{}}})", list.join(", ")));
    }
    match lowering.draw()? {
        Draw::Enum(_, Some(index)) if index < values.len() && lowering.is_c() => Ok(in_c(&values[index].0).to_owned()),
        Draw::Enum(_, Some(index)) if index < values.len() => Ok(values[index].0.clone()),
        Draw::Enum(value, _) => Ok(match values.iter().find(|(_, v)| *v == value) {
            Some((name, _)) if lowering.is_c() => in_c(name).to_owned(),
            Some((name, _)) => name.clone(),
            None if lowering.is_c() => format!("{}{value}", cast_in_c(&spelled)),
            None => format!("static_cast<{spelled}>({value})"),
        }),
        other => Err(format!("the replay took {other:?} where the plan has an enumerator")),
    }
}

/// How far the end of a range is from its beginning.
pub(super) fn length(lowering: &mut Lowering<'_>, most: u64) -> Lowered<String> {
    if lowering.from_input() {
        return Ok(lowering.take_size(most));
    }
    Ok(lowering.draw_size("the end of a range")?.to_string())
}
