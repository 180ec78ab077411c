//! Storage of unions of numbers as a test sets it: through the member that the enumerator beside it names, or one that
//! has the bytes.

use super::writer::Lowering;
use crate::generate::literal::{self, Scalar};
use crate::model::{ClassKind, Prim, Type, TypeKind};

/// The most elements of an array member that are set one by one.
const MOST: usize = 8;

/// Sets `target` to the bytes up to the last that is not zero; false where no member has just these.
pub(super) fn set(lowering: &mut Lowering<'_>, ty: &Type, target: &str, bytes: &[u8]) -> bool {
    let model = lowering.model;
    let Some(class) = model.class_of(ty).filter(|class| class.kind == ClassKind::Union) else { return false };
    // What was said before of the same object: `pVal.kind = longitude_PRESENT;`
    let (object, _) = target.rsplit_once(['.', '>']).unwrap_or(("", target));
    let said = lowering.lines.iter().rev().filter_map(|line| line.trim().strip_prefix(object)?.rsplit_once(" = "));
    let said: Vec<String> = said.take(3).map(|(_, value)| value.to_lowercase()).collect();
    let named = |name: &str| !name.is_empty() && said.iter().any(|value| value.contains(&name.to_lowercase()));
    let mut fields: Vec<_> = class.fields.iter().filter(|field| !field.is_static).collect();
    fields.sort_by_key(|field| !named(&field.name));
    for field in fields {
        let place = format!("{target}.{}", field.name);
        if let Some(lines) = member(lowering, &field.ty, &place, bytes, named(&field.name)) {
            lines.into_iter().for_each(|line| lowering.line(line));
            return true;
        }
    }
    false
}

/// The statements that set a member to these bytes, behind which there are zeros.
fn member(lowering: &Lowering<'_>, ty: &Type, place: &str, bytes: &[u8], is_named: bool) -> Option<Vec<String>> {
    match &ty.kind {
        // A number that happens to have the bytes is no value that a reader would look for.
        TypeKind::Prim(prim) if is_named || !is_floating(*prim) => {
            Some(vec![format!("{place} = {};", number(lowering, *prim, bytes)?)])
        }
        TypeKind::Array(element, Some(length)) => {
            let TypeKind::Prim(prim) = element.kind else { return None };
            let width = width(prim)?;
            let elements: Vec<&[u8]> = bytes.chunks(width).collect();
            let set: Vec<_> = elements.iter().enumerate().filter(|(_, part)| part.iter().any(|b| *b != 0)).collect();
            if elements.len() > *length as usize || set.len() > MOST || !is_named {
                return None;
            }
            set.into_iter()
                .map(|(at, part)| Some(format!("{place}[{at}] = {};", number(lowering, prim, part)?)))
                .collect()
        }
        _ => None,
    }
}

fn is_floating(prim: Prim) -> bool {
    matches!(prim, Prim::Float | Prim::Double | Prim::LongDouble)
}

fn width(prim: Prim) -> Option<usize> {
    Some(match prim {
        Prim::Bool | Prim::Char | Prim::SChar | Prim::UChar => 1,
        Prim::Short | Prim::UShort => 2,
        Prim::Int | Prim::UInt | Prim::Float => 4,
        Prim::Long | Prim::ULong | Prim::LongLong | Prim::ULongLong | Prim::Double => 8,
        _ => return None,
    })
}

/// The literal of a number with these bytes, and zeros behind them.
fn number(lowering: &Lowering<'_>, prim: Prim, bytes: &[u8]) -> Option<String> {
    let width = width(prim)?;
    if bytes.len() > width || matches!(prim, Prim::Bool) {
        return None;
    }
    let mut all = bytes.to_vec();
    all.resize(width, 0);
    let signed = matches!(prim, Prim::Char | Prim::SChar | Prim::Short | Prim::Int | Prim::Long | Prim::LongLong);
    let fill = if signed && all[width - 1] >= 0x80 { 0xff } else { 0 };
    let mut wide = [fill; 16];
    wide[..width].copy_from_slice(&all);
    let kind = match prim {
        Prim::Float => "float",
        Prim::Double => "double",
        _ => "integer",
    };
    let value = Scalar {
        kind: kind.to_owned(),
        bytes: all.iter().map(|byte| format!("{byte:02x}")).collect(),
        text: i128::from_le_bytes(wide).to_string(),
        hex: String::new(),
    };
    // No literal has the bits of a NaN.
    (!value.is_nan()).then(|| literal::scalar(&value, prim, lowering.language))
}
