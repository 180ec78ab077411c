//! What a replayed driver took from its input, in order: the recipe is walked again with these draws to write
//! the same values as literals.

use super::literal::{Scalar, unhex};
use serde_json::Value;
use std::collections::VecDeque;

/// One thing taken from the input.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// A scalar.
    Value(Scalar),
    /// Scalars in a row.
    Array(Vec<Scalar>),
    /// A number of elements.
    Size(u64),
    /// An alternative.
    Pick(u64),
    /// An enumerator's value and index; no index for a value outside the enumerators.
    Enum(i128, Option<usize>),
    /// A C string's bytes without the NUL.
    Text(Vec<u8>),
}

/// The draws of one run, consumed from the front.
#[derive(Clone, Debug, Default)]
pub struct Trace(VecDeque<Draw>);

impl Trace {
    /// Reads the runtime's description.
    pub fn parse(entries: &[Value]) -> Self {
        Self(entries.iter().filter_map(draw).collect())
    }

    /// The next draw.
    pub fn next_draw(&mut self) -> Option<Draw> {
        self.0.pop_front()
    }
}

fn draw(entry: &Value) -> Option<Draw> {
    let scalar = |v: &Value| serde_json::from_value::<Scalar>(v.clone()).ok();
    Some(match entry.get("take")?.as_str()? {
        "value" => Draw::Value(scalar(entry.get("value")?)?),
        "array" => Draw::Array(entry.get("values")?.as_array()?.iter().filter_map(scalar).collect()),
        "size" => Draw::Size(entry.get("value")?.as_u64()?),
        "pick" => Draw::Pick(entry.get("value")?.as_u64()?),
        "enum" => Draw::Enum(
            entry.get("value")?.as_i64()?.into(),
            entry.get("index").and_then(Value::as_u64).map(|i| i as usize),
        ),
        "cstring" => Draw::Text(unhex(entry.get("bytes")?.as_str()?)),
        _ => return None,
    })
}
