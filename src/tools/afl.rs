//! Finding AFL++ and what its compilers are built on.

use super::{Surroundings, version_in};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// AFL++ as installed.
#[derive(Clone, Debug)]
pub struct Afl {
    /// `afl-fuzz`.
    pub fuzz: PathBuf,
    /// Its version, such as `4.04c`.
    pub version: String,
    /// `afl-clang-fast` and `afl-clang-fast++`.
    pub clang: Option<(PathBuf, PathBuf)>,
    /// `afl-gcc-fast` or, where that refuses the installed gcc, `afl-gcc`; with the C++ compiler.
    pub gcc: Option<(PathBuf, PathBuf)>,
    /// `afl-gcc-fast` is there but does not work with the installed gcc.
    pub gcc_plugin_refused: bool,
    /// The clang that `afl-clang-fast` runs, as it says.
    pub built_with: OnceLock<Option<String>>,
}

impl Afl {
    pub(super) fn discover(surroundings: &Surroundings) -> Option<Self> {
        let fuzz = surroundings.find("afl-fuzz")?;
        let pair = |c: &str, cxx: &str| Some((surroundings.find(c)?, surroundings.find(cxx)?));
        let fast = pair("afl-gcc-fast", "afl-g++-fast");
        let works = fast.as_ref().is_some_and(|(c, _)| compiles(c));
        let gcc = if works { fast.clone() } else { pair("afl-gcc", "afl-g++").filter(|(c, _)| compiles(c)) };
        Some(Self {
            version: banner(&fuzz).unwrap_or_default(),
            clang: pair("afl-clang-fast", "afl-clang-fast++"),
            gcc,
            gcc_plugin_refused: fast.is_some() && !works,
            built_with: OnceLock::new(),
            fuzz,
        })
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

    /// Whether gcc is instrumented by AFL++'s plugin (and not in its assembly).
    pub fn has_gcc_plugin(&self) -> bool {
        self.gcc.as_ref().is_some_and(|(c, _)| c.ends_with("afl-gcc-fast"))
    }

    pub(super) fn note(&self) -> Option<String> {
        let clang = self.clang_version().map(|version| format!("compiles with clang {version}"));
        let gcc = self
            .gcc_plugin_refused
            .then(|| "afl-gcc-fast refuses the installed gcc, afl-gcc takes its place".to_string());
        let notes: Vec<String> = clang.into_iter().chain(gcc).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

/// `afl-fuzz++4.04c based on afl …`, with colours, on either stream; it has no option that prints only that.
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
