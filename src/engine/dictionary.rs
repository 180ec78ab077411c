//! The literals of a unit and its mutants, as the worker is told of them.

use super::DictEntry;

/// One literal a line, as runtime/mutator.cpp reads it.
pub(super) fn text(entries: &[DictEntry]) -> String {
    let mut lines = String::new();
    for entry in entries {
        match entry {
            DictEntry::Int(value) => {
                // Wider ones are no literals of any code.
                if i64::try_from(*value).is_ok() || u64::try_from(*value).is_ok() {
                    lines += &format!("i {value}\n");
                }
            }
            DictEntry::Float(bits) => lines += &format!("f {bits:016x}\n"),
            DictEntry::Str(bytes) => {
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                lines += &format!("s {hex}\n");
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_has_one_literal_a_line() {
        let entries = [
            DictEntry::Int(-3),
            DictEntry::Float(0x3ff0_0000_0000_0000),
            DictEntry::Str(b"a\n".to_vec()),
            DictEntry::Int(i128::MAX),
        ];
        assert_eq!(text(&entries), "i -3\nf 3ff0000000000000\ns 610a\n");
    }
}
