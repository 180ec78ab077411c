//! Libraries that the project's own build links, from the files that CMake, Meson or another generator wrote beside
//! the compile database: `build.ninja`, or a `link.txt` per target.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum depth at which `link.txt` files are searched.
const DEEPEST: usize = 8;
/// Excluded libraries: every program has them, they contain a `main`, or they are a sanitizer's and have a function of
/// their own for many of other libraries.
const OTHERS: [&str; 24] = [
    "c",
    "m",
    "gcc",
    "gcc_s",
    "asan",
    "hwasan",
    "lsan",
    "tsan",
    "ubsan",
    "stdc++",
    "c++",
    "gtest",
    "gtest_main",
    "gmock",
    "gmock_main",
    "Catch2",
    "Catch2Main",
    "boost_unit_test_framework",
    "benchmark",
    "cmocka",
    "CppUTest",
    "CppUTestExt",
    "Catch2WithMain",
    "fl",
];

/// Entries for `link:`, in order: installed libraries that are neither the project's own nor a test framework.
/// Libraries that `compiler` finds are names, others paths.
pub fn libraries(build_dir: &Path, root: &Path, compiler: &Path) -> Vec<String> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut searched = BTreeSet::new();
    for word in words(build_dir) {
        let is_own = || {
            let path = Path::new(&word);
            path.starts_with(build_dir) || path.starts_with(root)
        };
        if word.starts_with('/') && is_own() || !searched.insert(word.clone()) {
            continue;
        }
        if let Some(entry) = entry(&word, compiler).filter(|entry| seen.insert(entry.clone())) {
            found.push(entry);
        }
    }
    found
}

/// A linker argument as an entry for `link:`; `None` if it is not an existing library.
fn entry(word: &str, compiler: &Path) -> Option<String> {
    if word == "-pthread" {
        return Some(word.to_owned());
    }
    if let Some(name) = word.strip_prefix("-l") {
        let is_other = is_everywhere(name);
        let is_there = || [".so", ".a"].iter().any(|end| search(compiler, &format!("lib{name}{end}")).is_some());
        return (!is_other && is_there()).then(|| name.to_owned());
    }
    let file = Path::new(word).file_name()?.to_str()?;
    let (name, _) =
        file.strip_prefix("lib")?.split_once(".so").or_else(|| file.strip_prefix("lib")?.split_once(".a"))?;
    if !word.starts_with('/') || OTHERS.contains(&name) || !Path::new(word).is_file() {
        return None;
    }
    let same = |found: PathBuf| found.canonicalize().ok() == Path::new(word).canonicalize().ok();
    let by_name = search(compiler, file).is_some_and(same) && (file.ends_with(".so") || file.ends_with(".a"));
    Some(if by_name { name.to_owned() } else { word.to_owned() })
}

/// Whether a library is the compiler's or a test framework's: each program has its own.
pub(super) fn is_everywhere(name: &str) -> bool {
    OTHERS.contains(&name) || name.starts_with("clang_rt")
}

/// Where the compiler finds a library.
fn search(compiler: &Path, file: &str) -> Option<PathBuf> {
    let output = Command::new(compiler).arg(format!("-print-file-name={file}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.is_absolute().then_some(path)
}

/// All words of the recorded link commands.
fn words(build_dir: &Path) -> Vec<String> {
    if let Ok(text) = std::fs::read_to_string(build_dir.join("build.ninja")) {
        let lines = text.lines().filter_map(|line| line.trim_start().split_once(" = "));
        let linked = lines.filter(|(name, _)| matches!(*name, "LINK_LIBRARIES" | "LINK_ARGS"));
        // Ninja escapes blanks, colons and dollars.
        let plain = linked.map(|(_, value)| value.replace("$ ", "\\ ").replace("$:", ":").replace("$$", "$"));
        return plain.filter_map(|value| shell_words::split(&value).ok()).flatten().collect();
    }
    let mut found = Vec::new();
    collect(build_dir, 0, &mut found);
    found.sort();
    let texts = found.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter_map(|text| shell_words::split(&text).ok()).flatten().collect()
}

/// The `link.txt` files under a folder.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < DEEPEST {
            collect(&entry.path(), depth + 1, found);
        } else if kind.is_file() && entry.file_name() == "link.txt" {
            found.push(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let build = folder.path().join("build");
        for (name, text) in files {
            let path = build.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.replace("BUILD", &build.display().to_string())).unwrap();
        }
        libraries(&build, folder.path(), Path::new("gcc"))
    }

    #[test]
    fn what_ninja_links_is_named_but_for_the_projects_own_frameworks_and_what_is_not_there() {
        let ninja = "build lib/libown.so: CXX_SHARED a.o\n  LINK_FLAGS = -shared\n  \
                     LINK_LIBRARIES = -Wl,-rpath,BUILD/lib:  -lm  -ldl  BUILD/lib/libown.so lib/libown.so -lgtest \
                     -lnowhere /no/where/libz.so -pthread\n\
                     build t: CXX_EXECUTABLE\n  LINK_LIBRARIES = -ldl -lrt\n";
        assert_eq!(found(&[("build.ninja", ninja), ("lib/libown.so", "")]), ["dl", "-pthread", "rt"]);
    }

    #[test]
    fn without_ninja_each_target_has_its_command() {
        let one = "/usr/bin/c++ -shared -Wl,-soname,libown.so -o libown.so CMakeFiles/own.dir/a.cpp.o -ldl\n";
        let other = "/usr/bin/c++ -o tool CMakeFiles/tool.dir/main.cpp.o libown.so -lrt BUILD/libown.so\n";
        let files =
            [("CMakeFiles/own.dir/link.txt", one), ("sub/CMakeFiles/tool.dir/link.txt", other), ("libown.so", "")];
        assert_eq!(found(&files), ["dl", "rt"]);
        assert!(found(&[("compile_commands.json", "[]")]).is_empty());
    }
}
