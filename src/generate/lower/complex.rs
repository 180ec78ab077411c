//! Complex numbers of C: two numbers that are one value.

use super::scalars;
use super::writer::{Lowered, Lowering, Values};
use crate::plan::Slot;

/// The number: in a driver of numbers that are taken from the input, in a test as people write it,
/// `1.5f + 2.0f * _Complex_I`.
pub(super) fn expression(lowering: &mut Lowering<'_>, slots: &[Slot]) -> Lowered<String> {
    if lowering.from_input() {
        let made = lowering.slots(slots)?;
        return Ok(builtin(made.into_iter().map(|made| made.object).collect()));
    }
    let parts: Lowered<Vec<String>> = slots.iter().map(|slot| scalars::expression(lowering, &slot.recipe)).collect();
    let parts = parts?;
    let number = |text: &String| text.trim_end_matches(['f', 'F', 'l', 'L']).parse::<f64>().ok();
    let numbers: Option<Vec<f64>> = parts.iter().map(number).collect();
    // A product with infinity is no number, and a sum with zero is not negative.
    let is_plain = |value: &f64| value.is_finite() && (*value != 0.0 || value.is_sign_positive());
    Ok(match (parts.as_slice(), numbers) {
        ([real, imaginary], Some(numbers)) if numbers.iter().all(is_plain) => {
            match (imaginary.strip_prefix('-'), numbers[1] == 0.0) {
                (_, true) => real.clone(),
                (Some(positive), _) => format!("{real} - {positive} * _Complex_I"),
                (None, _) => format!("{real} + {imaginary} * _Complex_I"),
            }
        }
        // (`NAN` is a `float` in C, and both are to be of one type.)
        _ => builtin(parts.iter().zip(slots).map(|(part, slot)| format!("({}){part}", slot.ty.spelling)).collect()),
    })
}

fn builtin(parts: Vec<String>) -> String {
    format!("__builtin_complex({})", parts.join(", "))
}
