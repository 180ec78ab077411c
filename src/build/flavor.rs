//! The flavors of objects: search, image, proof, sanitizer, AFL++.

pub use crate::choices::{Compiler, Coverage, Sanitizer};
use crate::diag::Problem;

/// A configuration of AFL++ as the papers vary it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AflFlavor {
    /// The compiler that AFL++ wraps.
    pub compiler: Compiler,
    /// The sanitizer.
    pub sanitizer: Sanitizer,
    /// The coverage metric.
    pub coverage: Coverage,
}

impl AflFlavor {
    /// The papers' best: clang, ASAN and LAF.
    pub const BEST: Self = Self { compiler: Compiler::Clang, sanitizer: Sanitizer::Address, coverage: Coverage::Laf };

    /// The reason why there is no such configuration (exit 2).
    pub fn check(self) -> Result<(), Problem> {
        let refuse = |option: &str, why: &str| {
            let what = format!("--compiler {} --{option} does not exist: {why}", self.compiler);
            Err(Problem::usage("afl-configuration", what, "use --compiler clang, or leave that option out"))
        };
        if self.compiler == Compiler::Clang {
            return Ok(());
        }
        match (self.sanitizer, self.coverage) {
            (Sanitizer::Memory, _) => refuse("sanitizer memory", "gcc has no MemorySanitizer"),
            (_, Coverage::Laf) => refuse("coverage laf", "AFL++ splits comparisons with a pass of LLVM"),
            (_, Coverage::Ngram) => refuse("coverage ngram", "AFL++ instruments n-grams with a pass of LLVM"),
            (_, Coverage::Ctx) => refuse("coverage ctx", "AFL++ instruments calling contexts with a pass of LLVM"),
            (_, Coverage::Cmplog) => refuse("coverage cmplog", "motif-cpp builds the comparison log with clang only"),
            (_, Coverage::Edge) => Ok(()),
        }
    }

    /// The environment of AFL++'s compilers and fuzzer.
    pub(super) fn environment(self) -> Vec<(&'static str, &'static str)> {
        let mut pairs = vec![("AFL_QUIET", "1")];
        match self.sanitizer {
            Sanitizer::Address => pairs.push(("AFL_USE_ASAN", "1")),
            Sanitizer::Undefined => pairs.push(("AFL_USE_UBSAN", "1")),
            Sanitizer::Leak => pairs.push(("AFL_USE_LSAN", "1")),
            Sanitizer::Memory => pairs.push(("AFL_USE_MSAN", "1")),
            Sanitizer::None => {}
        }
        match self.coverage {
            Coverage::Edge | Coverage::Cmplog => {}
            Coverage::Laf => pairs.push(("AFL_LLVM_LAF_ALL", "1")),
            Coverage::Ngram => pairs.push(("AFL_LLVM_INSTRUMENT", "NGRAM-2")),
            Coverage::Ctx => pairs.push(("AFL_LLVM_INSTRUMENT", "CTX")),
        }
        pairs
    }
}

/// The purpose of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flavor {
    /// The default engine's search: coverage and comparisons instrumented, except generated code.
    Search,
    /// As `Search`, without instrumentation: images of mutants.
    Mutant,
    /// As `Search`, unoptimised: most mutants die before an optimiser would finish.
    Draft,
    /// As `Mutant`, not optimised.
    DraftMutant,
    /// Under a sanitizer, with the fastest build: the pass over survivors.
    Checked(Sanitizer),
    /// The project's own options, nothing added: proofs.
    Plain,
    /// As `Plain`, with coverage and comparisons instrumented: a search for proofs.
    Tested,
    /// The project's own options under a sanitizer: proofs of kills that only it sees.
    Sanitized(Sanitizer),
    /// AFL++'s compilers.
    Afl(AflFlavor),
    /// As `Afl`, with the comparison log that `-c` of `afl-fuzz` takes.
    AflCmplog(AflFlavor),
}

impl Flavor {
    /// The project's own optimisation stays.
    pub(super) fn keeps_optimisation(self) -> bool {
        matches!(self, Self::Plain | Self::Tested | Self::Sanitized(_))
    }

    /// AFL++'s configuration, if it is one.
    pub fn afl(self) -> Option<AflFlavor> {
        match self {
            Self::Afl(flavor) | Self::AflCmplog(flavor) => Some(flavor),
            _ => None,
        }
    }

    /// Compiler and linker options that enable the sanitizer.
    pub(super) fn sanitizer_flags(self) -> &'static [&'static str] {
        let (Self::Sanitized(sanitizer) | Self::Checked(sanitizer)) = self else { return &[] };
        match sanitizer {
            Sanitizer::Address => &["-fsanitize=address", "-fno-omit-frame-pointer"],
            // A report must end the test.
            Sanitizer::Undefined => &["-fsanitize=undefined", "-fno-sanitize-recover=all"],
            Sanitizer::Leak => &["-fsanitize=leak"],
            Sanitizer::Memory => &["-fsanitize=memory", "-fno-omit-frame-pointer"],
            Sanitizer::None => &[],
        }
    }

    /// The environment of its compiler.
    pub(super) fn environment(self) -> Vec<(&'static str, &'static str)> {
        let mut pairs = self.afl().map(AflFlavor::environment).unwrap_or_default();
        if matches!(self, Self::AflCmplog(_)) {
            pairs.push(("AFL_LLVM_CMPLOG", "1"));
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gcc_can_not_do_is_refused_with_the_reason() {
        let gcc = AflFlavor { compiler: Compiler::Gcc, sanitizer: Sanitizer::Address, coverage: Coverage::Edge };
        assert!(gcc.check().is_ok() && AflFlavor::BEST.check().is_ok());
        let memory = AflFlavor { sanitizer: Sanitizer::Memory, ..gcc }.check().unwrap_err();
        assert!(memory.what.contains("gcc has no MemorySanitizer") && memory.exit == crate::diag::Exit::Usage);
        for coverage in [Coverage::Laf, Coverage::Ngram, Coverage::Ctx, Coverage::Cmplog] {
            assert!(AflFlavor { coverage, ..gcc }.check().is_err(), "{coverage}");
        }
    }
}
