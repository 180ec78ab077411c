//! Reads how a CMake build folder was configured, so that a copy of the project is configured alike.

use crate::diag::Problem;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A configured build folder.
pub(super) struct Cache {
    /// The folder of the top `CMakeLists.txt`.
    pub source: PathBuf,
    /// `-G`, `-A` and `-T` as given.
    pub generator: Vec<String>,
    /// Name, type and value of cache entries.
    entries: Vec<(String, String, String)>,
    /// Sources that `FetchContent` has fetched: name and folder.
    fetched: Vec<(String, PathBuf)>,
}

/// Entries that are specific to their folder.
const OF_THE_FOLDER: &[&str] = &["CMAKE_HOME_DIRECTORY", "CMAKE_CACHEFILE_DIR", "FETCHCONTENT_BASE_DIR"];

impl Cache {
    /// Reads the cache of `build`; `None` if it is no CMake build folder.
    pub(super) fn read(build: &Path) -> Result<Option<Self>, Problem> {
        let file = build.join("CMakeCache.txt");
        let Ok(bytes) = std::fs::read(&file) else { return Ok(None) };
        let mut cache =
            Self { source: PathBuf::new(), generator: Vec::new(), entries: Vec::new(), fetched: Vec::new() };
        for line in String::from_utf8_lossy(&bytes).lines() {
            let Some((name, kind, value)) = entry(line) else { continue };
            let option = match name {
                "CMAKE_GENERATOR" => "-G",
                "CMAKE_GENERATOR_PLATFORM" => "-A",
                "CMAKE_GENERATOR_TOOLSET" => "-T",
                _ => "",
            };
            if name == "CMAKE_HOME_DIRECTORY" {
                cache.source = PathBuf::from(value);
            } else if !option.is_empty() && !value.is_empty() {
                cache.generator.extend([option.to_owned(), value.to_owned()]);
            } else if !matches!(kind, "INTERNAL" | "STATIC") && !OF_THE_FOLDER.contains(&name) {
                cache.entries.push((name.into(), kind.into(), value.into()));
            }
        }
        if cache.source.as_os_str().is_empty() {
            let what = "this CMake cache does not say where its sources are";
            return Err(Problem::usage("suite-cmake", what, "configure the build again").at(file));
        }
        for entry in std::fs::read_dir(build.join("_deps")).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(name) = name.strip_suffix("-src") {
                cache.fetched.push((name.to_uppercase(), entry.path()));
            }
        }
        cache.fetched.sort();
        Ok(Some(cache))
    }

    /// A script for `cmake -C` with the same settings; paths into the project are redirected to the copy.
    pub(super) fn script(&self, build: &Path, root: &Path, copy: &Path) -> String {
        let mut script = String::from("# How the project was configured, for a copy of it.\n");
        let mut set = |name: &str, kind: &str, value: &str| {
            // The length of a bracket argument's fence depends on its content.
            let mut fence = String::from("=");
            while value.contains(&format!("]{fence}]")) {
                fence.push('=');
            }
            let _ = writeln!(script, "set({name} [{fence}[{value}]{fence}] CACHE {kind} \"\" FORCE)");
        };
        for (name, kind, value) in &self.entries {
            // Paths inside the old build are found again in the new one.
            if mentions(value, build) || name.contains(|c: char| c.is_whitespace() || "()\"#".contains(c)) {
                continue;
            }
            let kind = if kind == "UNINITIALIZED" { "STRING" } else { kind };
            let mut value = replace_path(value, root, copy);
            if matches!(name.as_str(), "CMAKE_C_FLAGS" | "CMAKE_CXX_FLAGS") {
                value += " -w";
            }
            set(name, kind, &value);
        }
        for (name, folder) in &self.fetched {
            set(&format!("FETCHCONTENT_SOURCE_DIR_{name}"), "PATH", &folder.display().to_string());
        }
        script
    }
}

/// `NAME:TYPE=VALUE`; the name may be quoted.
fn entry(line: &str) -> Option<(&str, &str, &str)> {
    let line = line.trim_end();
    if line.starts_with('#') || line.starts_with("//") {
        return None;
    }
    let (name, rest) = match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\":")?,
        None => line.split_once(':')?,
    };
    let (kind, value) = rest.split_once('=')?;
    Some((name, kind, value))
}

/// Where `text` contains `path` or something below it.
fn places_of(text: &str, path: &Path) -> Vec<usize> {
    let path = path.display().to_string();
    let part = |c: char| c.is_alphanumeric() || "_-.+~/".contains(c);
    let found = text.match_indices(&path).filter(|(at, _)| {
        // An option's letters may precede it, as in `-I/usr`.
        let before = text[..*at].rsplit(|c| !part(c)).next().unwrap_or_default();
        let option = before.strip_prefix('-').is_some_and(|letters| letters.chars().all(char::is_alphabetic));
        let after = text[at + path.len()..].chars().next();
        (before.is_empty() || option) && !after.is_some_and(|c| part(c) && c != '/')
    });
    if path.len() < 2 { Vec::new() } else { found.map(|(at, _)| at).collect() }
}

/// Whether `text` contains `path` or something below it.
pub(super) fn mentions(text: &str, path: &Path) -> bool {
    !places_of(text, path).is_empty()
}

/// `text` with `to` in place of `from` and of paths below it.
pub(super) fn replace_path(text: &str, from: &Path, to: &Path) -> String {
    let (length, to) = (from.display().to_string().len(), to.display().to_string());
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for place in places_of(text, from) {
        out += &text[at..place];
        out += &to;
        at = place + length;
    }
    out + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_replaced_where_it_is_the_whole_of_its_parts() {
        let replaced = |text| replace_path(text, Path::new("/a/b"), Path::new("/c"));
        assert_eq!(replaced("-I/a/b/x;/a/b;/a/bc;/a/b-2;/z/a/b"), "-I/c/x;/c;/a/bc;/a/b-2;/z/a/b");
        assert!(mentions("DIR=/a/b/x", Path::new("/a/b")) && !mentions("/a/b2", Path::new("/a/b")));
    }

    #[test]
    fn a_copy_is_configured_with_what_the_user_has_set() {
        let dir = tempfile::tempdir().unwrap();
        let build = dir.path().join("p/build");
        std::fs::create_dir_all(build.join("_deps/googletest-src")).unwrap();
        let root = dir.path().join("p");
        let (r, b) = (root.display(), build.display());
        std::fs::write(
            build.join("CMakeCache.txt"),
            format!(
                "# x\n//doc\nCMAKE_CXX_FLAGS:STRING=-g -DX=\"a b\"\nWITH:BOOL=ON\nDATA:PATH={r}/data\n\
                 FOUND_DIR:PATH={b}/lib\np_SOURCE_DIR:STATIC={r}\nCMAKE_GENERATOR:INTERNAL=Ninja\n\
                 CMAKE_HOME_DIRECTORY:INTERNAL={r}\n\"ODD:NAME\":STRING=]=]\n"
            ),
        )
        .unwrap();
        let cache = Cache::read(&build).unwrap().unwrap();
        assert_eq!(cache.source, root);
        assert_eq!(cache.generator, ["-G", "Ninja"]);
        let script = cache.script(&build, &root, Path::new("/copy"));
        let lines: Vec<&str> = script.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "set(CMAKE_CXX_FLAGS [=[-g -DX=\"a b\" -w]=] CACHE STRING \"\" FORCE)",
                "set(WITH [=[ON]=] CACHE BOOL \"\" FORCE)",
                "set(DATA [=[/copy/data]=] CACHE PATH \"\" FORCE)",
                "set(ODD:NAME [==[]=]]==] CACHE STRING \"\" FORCE)",
                &format!(
                    "set(FETCHCONTENT_SOURCE_DIR_GOOGLETEST [=[{b}/_deps/googletest-src]=] CACHE PATH \"\" FORCE)"
                ),
            ]
        );
        assert!(Cache::read(&root).unwrap().is_none());
    }
}
