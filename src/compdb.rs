//! `compile_commands.json` to translation units; no libclang.

use crate::model::Language;
use std::path::PathBuf;

/// One entry of the compile database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileCommand {
    /// Where the compiler runs.
    pub directory: PathBuf,
    /// The source file, absolute.
    pub file: PathBuf,
    /// C or C++.
    pub language: Language,
    /// The compiler as written.
    pub compiler: String,
    /// The options, without compiler, `-c`, `-o` and the input.
    pub args: Vec<String>,
    /// The standard, where the command gives one.
    pub std: Option<String>,
}
