//! Finds AFL++ and the compilers that it wraps.

use super::{Surroundings, version_in};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The installed AFL++.
#[derive(Clone, Debug)]
pub struct Afl {
    /// `afl-fuzz`.
    pub fuzz: PathBuf,
    /// `afl-clang-fast` and `afl-clang-fast++`.
    pub clang: Option<Pair>,
    gcc_fast: Option<Pair>,
    gcc_plain: Option<Pair>,
    // Determined on demand: each costs a run of a compiler.
    gcc: OnceLock<Option<Pair>>,
    version: OnceLock<String>,
    built_with: OnceLock<Option<String>>,
}

/// A C compiler and its C++ companion.
pub type Pair = (PathBuf, PathBuf);

impl Afl {
    pub(super) fn discover(surroundings: &Surroundings) -> Option<Self> {
        let fuzz = surroundings.find("afl-fuzz")?;
        let pair = |c: &str, cxx: &str| Some((surroundings.find(c)?, surroundings.find(cxx)?));
        Some(Self {
            fuzz,
            clang: pair("afl-clang-fast", "afl-clang-fast++"),
            gcc_fast: pair("afl-gcc-fast", "afl-g++-fast"),
            gcc_plain: pair("afl-gcc", "afl-g++"),
            gcc: OnceLock::new(),
            version: OnceLock::new(),
            built_with: OnceLock::new(),
        })
    }

    /// Its version, such as `4.04c`.
    pub fn version(&self) -> &str {
        self.version.get_or_init(|| banner(&self.fuzz).unwrap_or_default())
    }

    /// `afl-gcc-fast` or, if that refuses the installed gcc, `afl-gcc`; with the C++ compiler.
    pub fn gcc(&self) -> Option<&Pair> {
        let choose = || [&self.gcc_fast, &self.gcc_plain].into_iter().flatten().find(|(c, _)| compiles(c)).cloned();
        self.gcc.get_or_init(choose).as_ref()
    }

    /// Whether [`Afl::gcc`] is the plugin, not the fallback.
    pub fn has_gcc_plugin(&self) -> bool {
        self.gcc_fast.is_some() && self.gcc() == self.gcc_fast.as_ref()
    }

    /// Version of the clang behind `afl-clang-fast`.
    pub fn clang_version(&self) -> Option<&str> {
        let ask = || {
            let output = Command::new(&self.clang.as_ref()?.0).arg("--version").stdin(Stdio::null()).output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().find(|line| line.contains("clang version")).and_then(version_in)
        };
        self.built_with.get_or_init(ask).as_deref()
    }

    pub(super) fn note(&self) -> Option<String> {
        let clang = self.clang_version().map(|version| format!("compiles with clang {version}"));
        let refused = self.gcc_fast.is_some() && !self.has_gcc_plugin();
        let instead = if self.gcc().is_some() { "afl-gcc takes its place" } else { "so there is no --compiler gcc" };
        let gcc = refused.then(|| format!("afl-gcc-fast refuses the installed gcc, {instead}"));
        let notes: Vec<String> = clang.into_iter().chain(gcc).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

/// `afl-fuzz++4.04c based on afl …`, with colours, on either stream; no option prints only that.
fn banner(fuzz: &Path) -> Option<String> {
    let output = Command::new(fuzz).arg("-h").env("AFL_NO_COLOR", "1").stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let (_, rest) = text.split_once("afl-fuzz++")?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
    Some(rest[..end].to_string())
}

fn compiles(compiler: &Path) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let source = folder.path().join("try.c");
    let written = std::fs::File::create(&source).and_then(|mut file| file.write_all(b"int f(int x) { return x; }\n"));
    let status = Command::new(compiler)
        .args(["-c", "try.c", "-o", "try.o"])
        .current_dir(folder.path())
        .env("AFL_QUIET", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    written.is_ok() && status.is_ok_and(|status| status.success())
}
