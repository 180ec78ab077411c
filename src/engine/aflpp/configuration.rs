//! AFL++ in one of the papers' configurations, and how it is confined.

use crate::build::AflFlavor;
use crate::choices::AflMode;
use crate::diag::Problem;
use crate::supervise::{Confinement, Runs};
use crate::tools::Toolchain;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// AFL++ in one of the papers' configurations.
///
/// In its [`SearchJob`](crate::engine::SearchJob), `unit_so` and the paths of sides are programs made by
/// [`program()`](super::program()), not shared objects.
#[derive(Clone, Debug)]
pub struct AflPlusPlus {
    pub(super) fuzz: PathBuf,
    pub(super) flavor: AflFlavor,
    pub(super) mode: AflMode,
}

impl AflPlusPlus {
    /// The engine, if AFL++ is there and has the configuration.
    ///
    /// # Errors
    /// Exit 3 where AFL++ or its compiler is missing, 2 where there is no such configuration.
    pub fn new(tools: &Toolchain, flavor: AflFlavor, mode: AflMode) -> Result<Self, Problem> {
        use crate::build::Compiler;
        flavor.check()?;
        let afl = tools.afl()?;
        let there = match flavor.compiler {
            Compiler::Clang => afl.clang.is_some(),
            Compiler::Gcc => afl.gcc().is_some(),
        };
        if !there {
            let what = format!("AFL++ was found, but no working compiler of it for --compiler {:?}", flavor.compiler);
            return Err(Problem::tool("afl-compiler-missing", what.to_lowercase(), "apt-get install afl++ clang g++"));
        }
        if mode == AflMode::Persistent && flavor.compiler == Compiler::Gcc && !afl.has_gcc_plugin() {
            let what = "`--afl-mode persistent --compiler gcc` needs AFL++'s plugin for gcc (afl-gcc-fast), which is \
                        missing or refuses the installed gcc; afl-gcc, which takes its place, has no persistent mode";
            let fix = "take `--compiler clang` or `--afl-mode file`, or install an AFL++ that was built for this gcc";
            return Err(Problem::tool("afl-gcc-plugin", what, fix));
        }
        Ok(Self { fuzz: afl.fuzz.clone(), flavor, mode })
    }

    /// How inputs reach its programs, where the unit allows it.
    pub fn mode(&self) -> AflMode {
        self.mode
    }

    /// Its configuration.
    pub fn flavor(&self) -> AflFlavor {
        self.flavor
    }
}

/// What a program of this flavor, or `afl-fuzz` with it, is kept in.
pub(super) fn confinement(flavor: AflFlavor, runs: Runs, dir: &Path) -> Result<Confinement> {
    Ok(Confinement::new(runs, &dir.join("own"))?.under(flavor.sanitizer))
}
