//! Which symbols an object file defines, read from its symbol table (64-bit little-endian ELF).

use std::path::Path;

const SYMTAB: u32 = 2;

/// Whether the object at `path` defines the function or variable `name` for others to link with. A file that
/// is no such object defines nothing.
pub(super) fn defines(path: &Path, name: &str) -> bool {
    std::fs::read(path).is_ok_and(|bytes| symbols(&bytes).is_some_and(|found| found.contains(&name)))
}

/// Names of the global and weak symbols that are defined.
fn symbols(bytes: &[u8]) -> Option<Vec<&str>> {
    if bytes.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let sections = u64_at(bytes, 0x28)? as usize;
    let (entry_size, count) = (u16_at(bytes, 0x3a)? as usize, u16_at(bytes, 0x3c)? as usize);
    if sections > bytes.len() || entry_size != 64 {
        return None;
    }
    // With very many sections the count stands in the first section's size.
    let count = if count == 0 { u64_at(bytes, sections + 0x20)? as usize } else { count };
    let section = |index: usize| sections + index * entry_size;
    let table = (0..count.min(bytes.len())).map(section).find(|&at| u32_at(bytes, at + 4) == Some(SYMTAB))?;
    let strings = section(u32_at(bytes, table + 0x28)? as usize);
    let strings = slice(bytes, strings)?;
    let mut found = Vec::new();
    for symbol in slice(bytes, table)?.chunks_exact(24) {
        let (binding, section) = (symbol[4] >> 4, u16::from_le_bytes([symbol[6], symbol[7]]));
        if (binding == 1 || binding == 2) && section != 0 {
            let name = strings.get(u32_at(symbol, 0)? as usize..)?;
            let end = name.iter().position(|&byte| byte == 0)?;
            found.extend(std::str::from_utf8(&name[..end]));
        }
    }
    Some(found)
}

/// The content of the section whose header stands at `header`.
fn slice(bytes: &[u8], header: usize) -> Option<&[u8]> {
    let (offset, size) = (u64_at(bytes, header + 0x18)? as usize, u64_at(bytes, header + 0x20)? as usize);
    bytes.get(offset..offset.checked_add(size)?)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_and_foreign_files_define_nothing() {
        for bytes in [&b""[..], b"\x7fELF", b"\x7fELF\x02\x01", &[0xff; 200]] {
            assert!(symbols(bytes).is_none());
        }
        let mut header = b"\x7fELF\x02\x01".to_vec();
        header.resize(64, 0xff);
        assert!(symbols(&header).is_none());
    }
}
