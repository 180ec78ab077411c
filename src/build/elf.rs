//! Reads the symbols that an object file defines and needs from its symbol table (64-bit little-endian ELF).

use std::collections::BTreeSet;
use std::path::Path;

const SYMTAB: u32 = 2;
const STT_TLS: u8 = 6;
/// The binding of what a process has once, in objects of gcc.
const UNIQUE: u8 = 10;
/// No table of symbols is larger than so many bytes.
const TABLE_MOST: usize = 1 << 28;

/// Whether the object at `path` exports the function or variable `name`. A file that is no such object exports
/// nothing.
pub(super) fn defines(path: &Path, name: &str) -> bool {
    std::fs::read(path).is_ok_and(|bytes| symbols(&bytes).is_some_and(|found| found.defined.contains(&name)))
}

/// Whether `bytes` are an object that the linker takes for programs of this machine.
pub(super) fn is_object_for_this_machine(bytes: &[u8]) -> bool {
    const RELOCATABLE: u16 = 1;
    let machine = match std::env::consts::ARCH {
        "x86_64" => 62,
        "aarch64" => 183,
        "riscv64" => 243,
        _ => return false,
    };
    u16_at(bytes, 0x10) == Some(RELOCATABLE) && u16_at(bytes, 0x12) == Some(machine) && symbols(bytes).is_some()
}

/// Whether an object needs a symbol of this kind, weakly or not.
pub(super) fn asks_for(bytes: &[u8], kind: impl Fn(&str) -> bool) -> bool {
    symbols(bytes)
        .is_some_and(|found| found.asked.iter().chain(&found.weak).chain(&found.threads).any(|symbol| kind(symbol)))
}

/// What an object defines and what it needs, weak references apart.
#[derive(Default)]
pub(super) struct Names {
    pub(super) defined: Vec<String>,
    pub(super) asked: Vec<String>,
}

/// The symbols of the object at `path`; of a file that is no such object, none.
pub(super) fn names(path: &Path) -> Names {
    let bytes = std::fs::read(path).unwrap_or_default();
    let found = symbols(&bytes).unwrap_or_default();
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut asked = owned(found.asked);
    asked.extend(owned(found.threads));
    Names { defined: owned(found.defined), asked }
}

/// Symbols that objects need, or that are `asked` for, and none defines; and which of them are thread-local. Weak
/// references may stay undefined.
pub(super) fn undefined<'p>(
    objects: impl IntoIterator<Item = &'p Path>,
    mut asked: BTreeSet<String>,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut defined, mut weak, mut threads) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for bytes in objects.into_iter().filter_map(|path| std::fs::read(path).ok()) {
        let Some(found) = symbols(&bytes) else { continue };
        asked.extend(found.asked.into_iter().map(str::to_owned));
        defined.extend(found.defined.into_iter().map(str::to_owned));
        weak.extend(found.weak.into_iter().map(str::to_owned));
        threads.extend(found.threads.into_iter().map(str::to_owned));
    }
    asked.retain(|name| !defined.contains(name) && !weak.contains(name) && !threads.contains(name));
    threads.retain(|name| !defined.contains(name));
    (asked, threads)
}

/// Names of global symbols.
#[derive(Default)]
struct Symbols<'b> {
    /// Defined, weak ones included.
    defined: Vec<&'b str>,
    /// Needed.
    asked: Vec<&'b str>,
    /// Needed by weak references.
    weak: Vec<&'b str>,
    /// Needed as thread-local variables.
    threads: Vec<&'b str>,
}

/// What the shared library at `path` defines for others; of a file that is none, nothing. Only its tables are read.
pub(super) fn exported(path: &Path) -> Option<Vec<String>> {
    const DYNSYM: u32 = 11;
    /// The version of each symbol (System V gABI, GNU extension); of hidden ones this bit is set.
    const VERSIONS: u32 = 0x6fff_ffff;
    const HIDDEN: u16 = 0x8000;
    let file = std::fs::File::open(path).ok()?;
    let read = |at: u64, size: u64| {
        let mut bytes = vec![0; usize::try_from(size).ok().filter(|size| *size <= TABLE_MOST)?];
        std::os::unix::fs::FileExt::read_exact_at(&file, &mut bytes, at).ok()?;
        Some(bytes)
    };
    let header = read(0, 0x40)?;
    if header.get(..6)? != b"\x7fELF\x02\x01" || u16_at(&header, 0x3a)? != 64 {
        return None;
    }
    let sections = read(u64_at(&header, 0x28)?, u64::from(u16_at(&header, 0x3c)?) * 64)?;
    let content = |section: &[u8]| read(u64_at(section, 0x18)?, u64_at(section, 0x20)?);
    let table = sections.chunks_exact(64).find(|section| u32_at(section, 4) == Some(DYNSYM))?;
    let strings = content(sections.chunks_exact(64).nth(u32_at(table, 0x28)? as usize)?)?;
    let symbols = content(table)?;
    let versions = sections.chunks_exact(64).find(|section| u32_at(section, 4) == Some(VERSIONS)).and_then(content);
    // A linker gives nobody a symbol of a hidden version.
    let is_hidden = |number: usize| {
        let version = versions.as_deref().and_then(|versions| u16_at(versions, number * 2));
        version.is_some_and(|version| version & HIDDEN != 0)
    };
    let visible = symbols.chunks_exact(24).enumerate().filter(|(number, _)| !is_hidden(*number));
    Some(visible.filter_map(|(_, symbol)| defined(&strings, symbol)).map(str::to_owned).collect())
}

/// The name of a global symbol that is defined.
fn defined<'s>(strings: &'s [u8], symbol: &[u8]) -> Option<&'s str> {
    if !matches!(symbol[4] >> 4, 1 | 2 | UNIQUE) || u16_at(symbol, 6)? == 0 {
        return None;
    }
    let name = strings.get(u32_at(symbol, 0)? as usize..)?;
    std::str::from_utf8(&name[..name.iter().position(|&byte| byte == 0)?]).ok()
}

fn symbols(bytes: &[u8]) -> Option<Symbols<'_>> {
    if bytes.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let sections = u64_at(bytes, 0x28)? as usize;
    let (entry_size, count) = (u16_at(bytes, 0x3a)? as usize, u16_at(bytes, 0x3c)? as usize);
    if sections > bytes.len() || entry_size != 64 {
        return None;
    }
    // With very many sections the count is in the first section's size.
    let count = if count == 0 { u64_at(bytes, sections + 0x20)? as usize } else { count };
    let section = |index: usize| sections + index * entry_size;
    let table = (0..count.min(bytes.len())).map(section).find(|&at| u32_at(bytes, at + 4) == Some(SYMTAB))?;
    let strings = section(u32_at(bytes, table + 0x28)? as usize);
    let strings = slice(bytes, strings)?;
    let mut found = Symbols::default();
    for symbol in slice(bytes, table)?.chunks_exact(24) {
        let (binding, section) = (symbol[4] >> 4, u16::from_le_bytes([symbol[6], symbol[7]]));
        let list = match (binding, section) {
            (1, 0) if symbol[4] & 0xf == STT_TLS => &mut found.threads,
            (1, 0) => &mut found.asked,
            (2, 0) => &mut found.weak,
            (1 | 2 | UNIQUE, 1..) => &mut found.defined,
            _ => continue,
        };
        let name = strings.get(u32_at(symbol, 0)? as usize..)?;
        let end = name.iter().position(|&byte| byte == 0)?;
        list.extend(std::str::from_utf8(&name[..end]));
    }
    Some(found)
}

/// The content of the section with its header at `header`.
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
