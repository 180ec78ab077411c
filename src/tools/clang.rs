//! Finds clang and its parts: clang++, libclang, and libFuzzer's library.

use super::{CLANG_VERSIONS, Surroundings, version_in};
use crate::diag::Problem;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A clang and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clang {
    /// Its major version.
    pub major: u32,
    /// Its whole version.
    pub version: String,
    /// The C compiler.
    pub clang: PathBuf,
    /// The C++ compiler.
    pub clangxx: PathBuf,
    /// Its resource folder (builtin headers, runtime libraries).
    pub resource_dir: PathBuf,
    /// libclang's shared library of the same version.
    pub libclang: Option<PathBuf>,
    /// `libclang_rt.fuzzer_no_main`, the archive for this machine.
    pub fuzzer: Option<PathBuf>,
}

impl Clang {
    /// The missing part that a run needs.
    pub fn lacks(&self) -> Option<&'static str> {
        match (&self.libclang, &self.fuzzer) {
            (None, _) => Some("libclang"),
            (_, None) => Some("libFuzzer"),
            _ => None,
        }
    }

    /// Whether it compiles this source.
    pub fn compiles(&self, source: &str, cxx: bool) -> bool {
        let compiler = if cxx { &self.clangxx } else { &self.clang };
        let child = Command::new(compiler)
            .args(["-x", if cxx { "c++" } else { "c" }, "-fsyntax-only", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else { return false };
        let written = child.stdin.take().is_some_and(|mut pipe| pipe.write_all(source.as_bytes()).is_ok());
        child.wait().is_ok_and(|status| status.success()) && written
    }

    /// Identifies the program at `path`; `None` if it is no clang, or too old.
    pub(super) fn at(path: &Path, surroundings: &Surroundings) -> Option<Self> {
        let banner = ask(path, &["--version"])?;
        let first = banner.lines().next().filter(|line| line.contains("clang version"))?;
        let version = version_in(first)?;
        let major = version.split('.').next()?.parse().ok()?;
        if major < *CLANG_VERSIONS.start() {
            return None;
        }
        let resource_dir = PathBuf::from(ask(path, &["-print-resource-dir"])?.trim());
        let fuzzer = fuzzer_library(path, &resource_dir);
        let libclang = libclang(&resource_dir, major, surroundings);
        let clangxx = sibling(path)?;
        Some(Self { major, version, clang: path.to_path_buf(), clangxx, resource_dir, libclang, fuzzer })
    }
}

/// All clangs, best first, and a problem with the requested one.
pub(super) fn discover(surroundings: &Surroundings) -> (Vec<Clang>, Option<Problem>) {
    let mut clangs: Vec<Clang> = Vec::new();
    let names = CLANG_VERSIONS.rev().map(|version| format!("clang-{version}")).chain(["clang".to_string()]);
    for path in names.filter_map(|name| surroundings.find(name)) {
        if let Some(clang) = Clang::at(&path, surroundings)
            && !clangs.iter().any(|known| known.resource_dir == clang.resource_dir)
        {
            clangs.push(clang);
        }
    }
    clangs.sort_by_key(|clang| (clang.lacks().is_some(), std::cmp::Reverse(clang.major)));
    let Some(wanted) = &surroundings.clang else { return (clangs, None) };
    match asked_for(wanted, surroundings) {
        Ok(clang) => {
            clangs.retain(|known| known.resource_dir != clang.resource_dir);
            clangs.insert(0, clang);
            (clangs, None)
        }
        Err(problem) => (clangs, Some(problem)),
    }
}

fn asked_for(wanted: &OsString, surroundings: &Surroundings) -> Result<Clang, Problem> {
    let text = wanted.to_string_lossy();
    let name = if text.chars().all(|c| c.is_ascii_digit()) { format!("clang-{text}").into() } else { wanted.clone() };
    let refuse = |why: &str| {
        Problem::tool(
            "clang-unusable",
            format!("MOTIF_CLANG asks for `{text}`, {why}"),
            "unset MOTIF_CLANG, or set it to a clang of version 14 or newer",
        )
    };
    let path = surroundings.find(&name).ok_or_else(|| refuse("which is not there"))?;
    let clang = Clang::at(&path, surroundings).ok_or_else(|| refuse("which is not a clang of version 14 or newer"))?;
    match clang.lacks() {
        Some(part) => Err(refuse(&format!("which has no {part}"))),
        None => Ok(clang),
    }
}

fn ask(program: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `clang++-N` beside `clang-N`, or `clang++` beside the link's target.
fn sibling(clang: &Path) -> Option<PathBuf> {
    let name = clang.file_name()?.to_str()?;
    let beside = clang.with_file_name(name.replacen("clang", "clang++", 1));
    let real = || clang.canonicalize().ok().map(|real| real.with_file_name("clang++"));
    Some(beside).filter(|file| file.is_file()).or_else(|| real().filter(|file| file.is_file()))
}

/// The archive's name and folder depend on the version and the distribution.
fn fuzzer_library(clang: &Path, resource_dir: &Path) -> Option<PathBuf> {
    let names = [
        "libclang_rt.fuzzer_no_main.a".to_string(),
        format!("libclang_rt.fuzzer_no_main-{}.a", std::env::consts::ARCH),
    ];
    // The plain name occurs only in folders for one architecture, named by a triple.
    let lib = resource_dir.join("lib");
    let own = std::fs::read_dir(&lib).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|folder| {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name == "linux" || name.starts_with(&format!("{}-", std::env::consts::ARCH))
    });
    let mut own: Vec<PathBuf> = own.collect();
    own.sort();
    let within = |folder: &PathBuf| names.iter().map(|name| folder.join(name)).find(|file| file.is_file());
    own.iter().find_map(within).or_else(|| {
        // -print-file-name returns the bare name if there is no such file.
        let asked = names.iter().filter_map(|name| ask(clang, &[&format!("-print-file-name={name}")]));
        asked.map(|answer| PathBuf::from(answer.trim())).find(|file| file.is_absolute() && file.is_file())
    })
}

/// libclang of the same version: in the LLVM tree of the resource folder, else among the system's libraries.
fn libclang(resource_dir: &Path, major: u32, surroundings: &Surroundings) -> Option<PathBuf> {
    let names = [
        format!("libclang-{major}.so.{major}"),
        format!("libclang-{major}.so.1"),
        format!("libclang-{major}.so"),
        "libclang.so.1".into(),
        format!("libclang.so.{major}"),
        "libclang.so".into(),
    ];
    let within =
        |folder: &Path, names: &[String]| names.iter().map(|name| folder.join(name)).find(|file| file.is_file());
    if let Some(wish) = &surroundings.libclang {
        return if wish.is_dir() { within(wish, &names) } else { Some(wish.clone()).filter(|file| file.is_file()) };
    }
    // RESOURCE/lib/clang/VERSION: the third parent is the tree's own `lib`.
    let own = resource_dir.ancestors().nth(2).filter(|folder| folder.ends_with("lib") || folder.ends_with("lib64"));
    let system = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    // Unversioned names of the system's folder may belong to any version.
    own.and_then(|folder| within(folder, &names)).or_else(|| within(Path::new(&system), &names[..3]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn fake(folder: &Path, name: &str, script: &str) -> PathBuf {
        let file = folder.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    /// A fake LLVM tree whose clang answers like version `major`.
    fn tree(root: &Path, major: u32, fuzzer: &str, libclang: &str) -> PathBuf {
        let lib = root.join("lib");
        let resource = lib.join(format!("clang/{major}"));
        let archive = resource.join(fuzzer);
        std::fs::create_dir_all(archive.parent().unwrap()).unwrap();
        std::fs::write(&archive, "").unwrap();
        std::fs::write(lib.join(libclang), "").unwrap();
        let script = format!(
            "case $1 in --version) echo 'clang version {major}.1.2 (x)';; -print-resource-dir) echo {};; \
             -print-file-name=*) echo ${{1#*=}};; -print-target-triple) echo x86_64-pc-linux-gnu;; *) exit 1;; esac",
            resource.display()
        );
        fake(root, &format!("clang++-{major}"), "");
        fake(root, &format!("clang-{major}"), &script)
    }

    #[test]
    fn both_layouts_of_the_runtime_library_are_understood() {
        for (major, archive, library) in [
            (14, "lib/linux/libclang_rt.fuzzer_no_main-x86_64.a", "libclang-14.so.1"),
            (20, "lib/x86_64-pc-linux-gnu/libclang_rt.fuzzer_no_main.a", "libclang.so.20"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let path = tree(root.path(), major, archive, library);
            let clang = Clang::at(&path, &Surroundings::default()).unwrap();
            assert_eq!((clang.major, clang.lacks()), (major, None));
            assert!(clang.clangxx.ends_with(format!("clang++-{major}")));
        }
    }

    #[test]
    fn a_complete_older_clang_is_better_than_a_newer_one_without_libfuzzer() {
        let root = tempfile::tempdir().unwrap();
        let (old, new) = (root.path().join("old"), root.path().join("new"));
        tree(&old, 15, "lib/linux/libclang_rt.fuzzer_no_main-x86_64.a", "libclang-15.so");
        tree(&new, 21, "lib/linux/nothing.a", "libclang.so.21");
        let surroundings = Surroundings { path: vec![new, old], ..Surroundings::default() };
        let (clangs, _) = discover(&surroundings);
        assert_eq!(
            clangs.iter().map(|c| (c.major, c.lacks())).collect::<Vec<_>>(),
            [(15, None), (21, Some("libFuzzer"))]
        );
        let asked = Surroundings { clang: Some("21".into()), ..surroundings };
        assert!(discover(&asked).1.unwrap().what.contains("libFuzzer"));
    }

    #[test]
    fn what_is_older_than_the_floor_or_no_clang_is_passed_over() {
        let root = tempfile::tempdir().unwrap();
        let old = tree(root.path(), 13, "lib/linux/libclang_rt.fuzzer_no_main-x86_64.a", "libclang-13.so");
        assert_eq!(Clang::at(&old, &Surroundings::default()), None);
        let other = fake(root.path(), "clang", "echo 'gcc 12.2.0'");
        assert_eq!(Clang::at(&other, &Surroundings::default()), None);
    }
}
