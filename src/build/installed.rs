//! Installed libraries that define what a project asks for, where its build does not say what it links: an
//! `autoconf` or `make` project whose compile database a recorder wrote has no link commands.

use super::{elf, recorded};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Entries for `link:`: the fewest shared libraries that `compiler` links by name and that define most of `wanted`.
/// The larger part of what is left decides; of equal ones the shortest name, then the first.
pub(super) fn defining(wanted: &BTreeSet<String>, compiler: &Path) -> Vec<String> {
    if wanted.is_empty() {
        return Vec::new();
    }
    choose(
        wanted,
        libraries(&folders(compiler)).into_iter().filter_map(|(name, path)| Some((name, elf::exported(&path)?))),
    )
}

fn choose(wanted: &BTreeSet<String>, libraries: impl Iterator<Item = (String, Vec<String>)>) -> Vec<String> {
    let of = |exported: Vec<String>| exported.into_iter().filter(|symbol| wanted.contains(symbol));
    let having = libraries.map(|(name, exported)| (name, of(exported).collect::<BTreeSet<String>>()));
    let mut having: BTreeMap<String, BTreeSet<String>> = having.filter(|(_, has)| !has.is_empty()).collect();
    let mut chosen = Vec::new();
    while let Some((name, has)) = having
        .iter()
        .filter(|(_, has)| !has.is_empty())
        .max_by_key(|(name, has)| (has.len(), std::cmp::Reverse((name.len(), (*name).clone()))))
        .map(|(name, has)| (name.clone(), has.clone()))
    {
        having.values_mut().for_each(|other| other.retain(|symbol| !has.contains(symbol)));
        // (A name may have a dot, which `link:` takes for a path's.)
        chosen.push(format!("-l{name}"));
    }
    chosen
}

/// Where `compiler` looks for libraries.
fn folders(compiler: &Path) -> Vec<PathBuf> {
    let output = Command::new(compiler).arg("-print-search-dirs").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let folders = text.lines().find_map(|line| line.strip_prefix("libraries: =")).unwrap_or_default();
    folders.split(':').map(PathBuf::from).collect()
}

/// The shared libraries in `folders` that a name stands for, with their files; no part of the compiler, and no test
/// framework.
fn libraries(folders: &[PathBuf]) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for entry in folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten() {
        let file = entry.file_name();
        let name = file.to_str().and_then(|file| file.strip_prefix("lib")?.strip_suffix(".so"));
        if let Some(name) = name.filter(|name| !recorded::is_everywhere(name)) {
            found.entry(name.to_owned()).or_insert_with(|| entry.path());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(symbols: &[&str]) -> BTreeSet<String> {
        symbols.iter().map(|symbol| (*symbol).to_owned()).collect()
    }

    #[test]
    fn the_library_that_defines_most_is_linked_and_another_only_for_the_rest() {
        let library = |name: &str, has: &[&str]| (name.to_owned(), set(has).into_iter().collect());
        let all = [
            library("part", &["a", "b"]),
            library("whole-1.0", &["a", "b", "c", "z"]),
            library("whole-1.0-again", &["a", "b", "c"]),
            library("other", &["d", "a"]),
        ];
        assert_eq!(choose(&set(&["a", "b", "c", "d", "e"]), all.into_iter()), ["-lwhole-1.0", "-lother"]);
        assert!(choose(&set(&["e"]), [library("part", &["a"])].into_iter()).is_empty());
    }

    #[test]
    fn a_library_gives_what_it_defines_in_a_version_that_is_not_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let code = "int asked(void);\nint given(void) { return asked(); }\nint old(void) { return 1; }\n\
                    static int own(void) { return 2; }\nint (*keeps)(void) = own;\n\
                    __asm__(\".symver old, before@V1\");\n";
        std::fs::write(path("a.c"), code).unwrap();
        std::fs::write(path("a.map"), "V1 { global: before; };\nV2 { global: given; keeps; local: *; } V1;\n").unwrap();
        for name in ["libgiven.so", "libstdc++.so", "libgiven.so.1"] {
            let mut command = Command::new("cc");
            command.args(["-shared", "-fPIC", "-o"]).arg(path(name)).arg(path("a.c"));
            let script = format!("-Wl,--version-script={}", path("a.map").display());
            assert!(command.arg(script).status().unwrap().success());
        }
        let found = libraries(&[path("none"), folder.path().to_owned()]);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["given"]);
        let mut exported = elf::exported(&found["given"]).unwrap();
        exported.retain(|name| !name.starts_with('V'));
        exported.sort();
        assert_eq!(exported, ["given", "keeps"]);
        assert!(folders(Path::new("cc")).iter().any(|folder| folder.is_dir()));
        assert_eq!(elf::exported(&path("a.c")), None);
    }
}
