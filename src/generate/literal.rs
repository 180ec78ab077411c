//! Values as C and C++ literals: exact, of the right type, and as short as that allows.

use crate::model::{Language, Prim, Type};
use serde::Deserialize;

/// A scalar as the runtime describes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Scalar {
    /// The runtime's name of the kind (`double`, `int32`…).
    #[serde(default)]
    pub kind: String,
    /// The value's bytes in hexadecimal, in memory order.
    #[serde(default)]
    pub bytes: String,
    /// Decimal text.
    #[serde(default)]
    pub text: String,
    /// Hexadecimal floating-point text.
    #[serde(default)]
    pub hex: String,
}

impl Scalar {
    /// The bytes in memory order.
    pub fn raw(&self) -> Vec<u8> {
        unhex(&self.bytes)
    }

    /// The value as an integer, where it is one.
    pub fn integer(&self) -> Option<i128> {
        self.text.parse().ok()
    }

    /// All bits are zero.
    pub fn is_zero(&self) -> bool {
        self.raw().iter().all(|b| *b == 0)
    }

    /// The value of a `double`.
    pub fn f64(&self) -> Option<f64> {
        Some(f64::from_le_bytes(self.raw().try_into().ok()?))
    }

    /// The value of a `float`.
    pub fn f32(&self) -> Option<f32> {
        Some(f32::from_le_bytes(self.raw().try_into().ok()?))
    }

    /// Any NaN.
    pub fn is_nan(&self) -> bool {
        match self.kind.as_str() {
            "float" => self.f32().is_some_and(f32::is_nan),
            "double" => self.f64().is_some_and(f64::is_nan),
            _ => self.text.contains("nan"),
        }
    }
}

/// Bytes from hexadecimal text; an odd rest is dropped.
pub fn unhex(text: &str) -> Vec<u8> {
    text.as_bytes()
        .chunks_exact(2)
        .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// A literal of type `prim`.
pub fn scalar(value: &Scalar, prim: Prim, language: Language) -> String {
    match prim {
        Prim::Bool => match (value.is_zero(), language) {
            (true, Language::Cxx) => "false".into(),
            (false, Language::Cxx) => "true".into(),
            (true, Language::C) => "0".into(),
            (false, Language::C) => "1".into(),
        },
        Prim::Float | Prim::Double | Prim::LongDouble => float(value, prim, language),
        Prim::Char => value.integer().map_or_else(|| "0".into(), |v| character(v as u8)),
        _ => value.integer().map_or_else(|| value.text.clone(), |v| whole(v, prim, language)),
    }
}

fn float(value: &Scalar, prim: Prim, language: Language) -> String {
    let long = if value.hex.is_empty() { &value.text } else { &value.hex };
    // The number, whether it is negative, and how it is spelled.
    let (number, negative, text) = match (prim, value.f32(), value.f64()) {
        (Prim::Float, Some(v), _) => (f64::from(v), v.is_sign_negative(), format!("{v:?}f")),
        (Prim::Double, _, Some(v)) => (v, v.is_sign_negative(), format!("{v:?}")),
        (Prim::LongDouble, ..) if value.text.contains("nan") => (f64::NAN, value.text.starts_with('-'), String::new()),
        (Prim::LongDouble, ..) if value.text.contains("inf") => {
            (f64::INFINITY, value.text.starts_with('-'), String::new())
        }
        (Prim::LongDouble, ..) => return format!("{long}L"),
        _ => return value.text.clone(),
    };
    if number.is_finite() {
        return text;
    }
    let ty = match prim {
        Prim::Float => "float",
        Prim::Double => "double",
        _ => "long double",
    };
    let sign = if negative { "-" } else { "" };
    match (language, number.is_nan()) {
        (Language::Cxx, true) => format!("{sign}std::numeric_limits<{ty}>::quiet_NaN()"),
        (Language::Cxx, false) => format!("{sign}std::numeric_limits<{ty}>::infinity()"),
        (Language::C, true) => format!("{sign}NAN"),
        (Language::C, false) => format!("{sign}INFINITY"),
    }
}

/// A character literal.
pub fn character(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".into(),
        b'\\' => "'\\\\'".into(),
        b'\n' => "'\\n'".into(),
        b'\t' => "'\\t'".into(),
        b'\r' => "'\\r'".into(),
        0 => "'\\0'".into(),
        0x20..=0x7e => format!("'{}'", byte as char),
        _ => format!("'\\x{byte:02x}'"),
    }
}

/// An integer literal for a place of type `prim`. In C, where nothing is chosen by a type, small ones have no suffix.
pub fn whole(value: i128, prim: Prim, language: Language) -> String {
    let is_small = value.abs() <= i128::from(i32::MAX);
    if language == Language::C && is_small { value.to_string() } else { integer(value, prim) }
}

/// So far below the end of its type a number is one that wrapped around.
const WRAPPED: i128 = 16;

/// An integer literal of type `prim`; the smallest values are written so that no warning is due, and those that wrap
/// around as people do: `-1UL`.
pub fn integer(value: i128, prim: Prim) -> String {
    let suffix = match prim {
        Prim::UInt => "u",
        Prim::Long => "L",
        Prim::ULong => "UL",
        Prim::LongLong => "LL",
        Prim::ULongLong => "ULL",
        _ => "",
    };
    if value == i128::from(i32::MIN) && suffix.is_empty() {
        return "(-2147483647 - 1)".into();
    }
    if value == i128::from(i64::MIN) {
        return format!("(-9223372036854775807{suffix} - 1)");
    }
    let end: Option<i128> = match prim {
        Prim::UInt => Some(1 << 32),
        Prim::ULong | Prim::ULongLong => Some(1 << 64),
        _ => None,
    };
    let value = end.map(|end| value - end).filter(|wrapped| -wrapped <= WRAPPED).unwrap_or(value);
    format!("{value}{suffix}")
}

/// A byte of an array as a person would read it, where most of them are signs and letters, or zero, and some are signs:
/// `'{'`.
pub fn as_letter(value: &Scalar, prim: Prim, all: &[Scalar]) -> Option<String> {
    let of = |value: &Scalar| value.raw().first().copied();
    let shown: Vec<u8> = all.iter().filter_map(of).filter(|byte| *byte != 0).collect();
    let is_text = prim == Prim::UChar
        && 2 * shown.iter().filter(|byte| is_sign(**byte)).count() > shown.len()
        && shown.iter().any(u8::is_ascii_punctuation);
    of(value).filter(|byte| is_text && is_sign(*byte)).map(quoted)
}

/// An `unsigned char` that is a sign or a letter: `'0'` and not 48. (Who writes `uint8_t` means a number.)
pub fn sign(value: &Scalar, ty: &Type) -> Option<String> {
    let byte = value.raw().first().copied().filter(|byte| byte.is_ascii_graphic());
    byte.filter(|_| ty.bare_spelling() == "unsigned char").map(quoted)
}

fn is_sign(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

fn quoted(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("'\\{}'", char::from(byte)),
        _ => format!("'{}'", char::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Scalar {
        let bytes = value.to_le_bytes().iter().map(|b| format!("{b:02x}")).collect();
        Scalar { kind: "double".into(), bytes, text: format!("{value}"), hex: String::new() }
    }

    #[test]
    fn doubles_read_back_to_the_same_bits() {
        for value in [0.1, -0.0, 1e300, f64::MIN_POSITIVE, 5e-324, 2.0] {
            let text = scalar(&double(value), Prim::Double, Language::Cxx);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            assert!(text.contains(['.', 'e']), "{text} would be an integer");
        }
    }

    #[test]
    fn what_has_no_literal_gets_its_name() {
        assert_eq!(scalar(&double(f64::NAN), Prim::Double, Language::Cxx), "std::numeric_limits<double>::quiet_NaN()");
        assert_eq!(scalar(&double(f64::NEG_INFINITY), Prim::Double, Language::C), "-INFINITY");
    }

    #[test]
    fn bytes_that_are_signs_and_letters_are_written_so() {
        let byte = |byte: u8| Scalar { bytes: format!("{byte:02x}"), ..double(0.0) };
        let written = |bytes: &[u8]| {
            let all: Vec<Scalar> = bytes.iter().map(|one| byte(*one)).collect();
            all.iter().map(|one| as_letter(one, Prim::UChar, &all).unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(written(b"\0{'"), ["", "'{'", "'\\''"]);
        // Without a sign, or with a byte that nobody types, they are numbers.
        assert_eq!(written(b"ab"), ["", ""]);
        assert_eq!(written(b"{\x01"), ["", ""]);
    }

    #[test]
    fn the_least_integers_are_written_without_overflow() {
        assert_eq!(integer(i128::from(i32::MIN), Prim::Int), "(-2147483647 - 1)");
        assert_eq!(integer(i128::from(i64::MIN), Prim::Long), "(-9223372036854775807L - 1)");
        assert_eq!(integer(7, Prim::UInt), "7u");
        assert_eq!(integer(i128::from(u64::MAX), Prim::ULong), "-1UL");
        assert_eq!(integer(i128::from(u32::MAX) - 15, Prim::UInt), "-16u");
        assert_eq!(integer(i128::from(u32::MAX) - 16, Prim::UInt), "4294967279u");
        assert_eq!(integer(i128::from(u32::MAX), Prim::ULong), "4294967295UL");
        assert_eq!(
            (whole(7, Prim::ULong, Language::C), whole(7, Prim::ULong, Language::Cxx)),
            ("7".into(), "7UL".into())
        );
        assert_eq!(whole(1 << 31, Prim::ULong, Language::C), "2147483648UL");
    }
}
