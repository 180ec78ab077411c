//! Values as typed literals: what a person would write, and read back by the compiler to the same bits.

use crate::model::{Language, Prim};

/// A `double`: the shortest decimal that reads back to the same bits.
pub fn double(value: f64, language: Language) -> String {
    special(value.is_nan(), value.is_infinite(), value.is_sign_negative(), "double", language)
        .unwrap_or_else(|| format!("{value:?}"))
}

/// A `float`: the shortest decimal that reads back to the same bits.
pub fn float(value: f32, language: Language) -> String {
    special(value.is_nan(), value.is_infinite(), value.is_sign_negative(), "float", language)
        .unwrap_or_else(|| format!("{value:?}f"))
}

/// A `long double` of the x87 format (the first ten bytes count): a decimal where one is exact, else a
/// hexadecimal literal.
pub fn long_double(bytes: [u8; 16], language: Language) -> String {
    let mut significand = [0; 8];
    significand.copy_from_slice(&bytes[..8]);
    let significand = u64::from_le_bytes(significand);
    let negative = bytes[9] & 0x80 != 0;
    let exponent = i32::from(u16::from_le_bytes([bytes[8], bytes[9] & 0x7f]));
    if exponent == 0x7fff {
        let infinite = significand << 1 == 0;
        return special(!infinite, infinite, negative, "long double", language).unwrap_or_default();
    }
    let sign = if negative { "-" } else { "" };
    if significand == 0 {
        return format!("{sign}0.0L");
    }
    // value = significand * 2^scale; denormals have the scale of the smallest exponent.
    let scale = exponent.max(1) - 16383 - 63;
    let zeros = significand.trailing_zeros();
    let (odd, power) = (significand >> zeros, scale + zeros as i32);
    if odd >> 53 == 0 && (-20..=40).contains(&power) {
        let value = odd as f64 * f64::from(power).exp2();
        let decimal = format!("{value:?}");
        // Only a decimal without rounding means the same number at the greater precision.
        if !decimal.contains('e') && format!("{value:.40}").trim_end_matches('0') == decimal.trim_end_matches('0') {
            return format!("{sign}{decimal}L");
        }
    }
    format!("{sign}0x{odd:x}p{power:+}L")
}

fn special(nan: bool, infinite: bool, negative: bool, ty: &str, language: Language) -> Option<String> {
    let sign = if negative { "-" } else { "" };
    match (language, nan, infinite) {
        (Language::Cxx, true, _) => Some(format!("std::numeric_limits<{ty}>::quiet_NaN()")),
        (Language::Cxx, _, true) => Some(format!("{sign}std::numeric_limits<{ty}>::infinity()")),
        (Language::C, true, _) => Some("NAN".to_owned()),
        (Language::C, _, true) => Some(format!("{sign}INFINITY")),
        _ => None,
    }
}

/// An integer or character of type `prim`, with the suffix that gives it the type's own signedness and width.
pub fn integer(prim: Prim, value: i128, language: Language) -> String {
    match prim {
        Prim::Bool if language == Language::Cxx => if value == 0 { "false" } else { "true" }.to_owned(),
        Prim::Char => character(value),
        Prim::Int | Prim::WChar if value == i128::from(i32::MIN) => least("int", "INT_MIN", language),
        Prim::Long if value == i128::from(i64::MIN) => least("long", "LONG_MIN", language),
        Prim::LongLong if value == i128::from(i64::MIN) => least("long long", "LLONG_MIN", language),
        Prim::UInt | Prim::Char32 => format!("{value}U"),
        Prim::Long => format!("{value}L"),
        Prim::ULong => format!("{}UL", value as u64),
        Prim::LongLong => format!("{value}LL"),
        Prim::ULongLong => format!("{}ULL", value as u64),
        Prim::Int128 | Prim::UInt128 => wide(prim, value, language),
        _ => value.to_string(),
    }
}

fn least(ty: &str, macro_name: &str, language: Language) -> String {
    match language {
        Language::Cxx => format!("std::numeric_limits<{ty}>::min()"),
        Language::C => macro_name.to_owned(),
    }
}

fn character(value: i128) -> String {
    match value as u8 {
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        0 => "'\\0'".to_owned(),
        byte @ 0x20..=0x7e => format!("'{}'", byte as char),
        byte => format!("'\\x{byte:02x}'"),
    }
}

/// There is no literal of 128 bits: the two halves are joined where one would not do.
fn wide(prim: Prim, value: i128, language: Language) -> String {
    let ty = if prim == Prim::Int128 { "__int128" } else { "unsigned __int128" };
    let cast = |text: String| match language {
        Language::Cxx if ty.contains(' ') => format!("({ty}){text}"),
        Language::Cxx => format!("{ty}({text})"),
        Language::C => format!("({ty}){text}"),
    };
    if i64::try_from(value).is_ok_and(|v| v != i64::MIN && (v >= 0 || prim == Prim::Int128)) {
        return cast(format!("{value}"));
    }
    let (high, low) = ((value >> 64) as u64, value as u64);
    let joined = format!("((unsigned __int128)0x{high:x}ULL << 64 | 0x{low:x}ULL)");
    if prim == Prim::UInt128 { joined } else { format!("(__int128){joined}") }
}

/// A string literal: escapes that C and C++ both read alike, never a trigraph.
pub fn text(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    let mut after_hex = false;
    for &byte in bytes {
        // A hex digit after \xNN would be read as part of it.
        if after_hex && byte.is_ascii_hexdigit() {
            out.push_str("\" \"");
        }
        after_hex = false;
        match byte {
            b'"' | b'\\' => out.extend(['\\', byte as char]),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            b'?' if out.ends_with('?') => out.push_str("\\?"),
            0x20..=0x7e => out.push(byte as char),
            _ => {
                out.push_str(&format!("\\x{byte:02x}"));
                after_hex = true;
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x87(significand: u64, exponent: u16, negative: bool) -> [u8; 16] {
        let mut bytes = [0xaa; 16];
        bytes[..8].copy_from_slice(&significand.to_le_bytes());
        bytes[8..10].copy_from_slice(&(exponent | if negative { 0x8000 } else { 0 }).to_le_bytes());
        bytes
    }

    #[test]
    fn doubles_and_floats_are_the_shortest_decimals_that_keep_the_bits() {
        let cases = [0.1, -0.0, 1.0, 1e300, 5e-324, 0.30000000000000004, -123456789.25];
        for value in cases {
            let literal = double(value, Language::C);
            assert_eq!(literal.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{literal}");
        }
        assert_eq!(double(0.1, Language::Cxx), "0.1");
        assert_eq!(double(-0.0, Language::Cxx), "-0.0");
        assert_eq!(float(0.1, Language::Cxx), "0.1f");
        assert_eq!(float(1e-45, Language::C), "1e-45f");
    }

    #[test]
    fn what_has_no_decimal_is_named() {
        assert_eq!(double(f64::NAN, Language::Cxx), "std::numeric_limits<double>::quiet_NaN()");
        assert_eq!(float(f32::NEG_INFINITY, Language::Cxx), "-std::numeric_limits<float>::infinity()");
        assert_eq!(double(f64::INFINITY, Language::C), "INFINITY");
    }

    #[test]
    fn a_long_double_is_decimal_only_where_that_is_exact() {
        assert_eq!(long_double(x87(0xe000_0000_0000_0000, 16384, false), Language::C), "3.5L");
        assert_eq!(long_double(x87(0x8000_0000_0000_0000, 16383, true), Language::C), "-1.0L");
        assert_eq!(long_double(x87(0, 0, true), Language::C), "-0.0L");
        // 0.1L is 0xcccccccccccccccd * 2^-67.
        assert_eq!(long_double(x87(0xcccc_cccc_cccc_cccd, 16379, false), Language::C), "0xcccccccccccccccdp-67L");
        assert_eq!(long_double(x87(1, 0, false), Language::C), "0x1p-16445L");
        assert_eq!(long_double(x87(1 << 63, 0x7fff, true), Language::C), "-INFINITY");
        assert_eq!(long_double(x87(3 << 62, 0x7fff, false), Language::C), "NAN");
    }

    #[test]
    fn integers_carry_the_suffix_of_their_type() {
        assert_eq!(integer(Prim::UInt, 4_294_967_295, Language::C), "4294967295U");
        assert_eq!(integer(Prim::ULong, u64::MAX.into(), Language::C), "18446744073709551615UL");
        assert_eq!(integer(Prim::Int, i32::MIN.into(), Language::C), "INT_MIN");
        assert_eq!(integer(Prim::Int, i32::MIN.into(), Language::Cxx), "std::numeric_limits<int>::min()");
        assert_eq!(integer(Prim::Bool, 1, Language::Cxx), "true");
        assert_eq!(integer(Prim::Bool, 1, Language::C), "1");
        assert_eq!(integer(Prim::Char, 39, Language::C), "'\\''");
        assert_eq!(integer(Prim::Char, -1, Language::C), "'\\xff'");
        assert_eq!(integer(Prim::SChar, -5, Language::C), "-5");
    }

    #[test]
    fn a_128_bit_integer_is_joined_from_halves() {
        assert_eq!(integer(Prim::Int128, -7, Language::Cxx), "__int128(-7)");
        assert_eq!(
            integer(Prim::UInt128, -1, Language::C),
            "((unsigned __int128)0xffffffffffffffffULL << 64 | 0xffffffffffffffffULL)"
        );
    }
}
