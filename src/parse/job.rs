//! Jobs for one process that reads with libclang, and how they are done.

use super::files::{Files, Text};
use super::read;
use super::reader::Reader;
use super::types;
use crate::compdb::{CompileCommand, DEFERS_BODIES};
use crate::model::{Language, Model, TranslationUnit, Type};
use crate::tree::Trees;
use anyhow::{Context, Result, anyhow};
use clang::diagnostic::{Diagnostic, Severity};
use clang::{Clang, Index, Unsaved};
use clang_sys::{CXErrorCode, CXIndex, CXTranslationUnit, CXTranslationUnit_Flags, CXUnsavedFile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// Work for one process, within the translation unit of `command`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub command: CompileCommand,
    pub roots: Vec<PathBuf>,
    pub task: Task,
}

/// The work itself. The result is a JSON value on a line of its own: one [`Done`], or one [`Version`] for each version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Task {
    /// Read the translation unit.
    Read,
    /// Read `file` with the contents of each of `versions` in its place.
    Versions { file: PathBuf, versions: Vec<PathBuf> },
    /// Read the bodies that `files` define; `replaced` is read in the place of the first of them.
    Trees { files: Vec<PathBuf>, replaced: Option<PathBuf> },
    /// Compile each of `lines` behind the main file; `names` tells which of them name a type that is wanted.
    Ask { lines: Vec<String>, names: Vec<bool> },
}

/// The compiler's answer to a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// No error comes from it.
    pub compiles: bool,
    /// The type that it names.
    pub ty: Option<Type>,
}

/// A result, and every file that was read for it, the system's included.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done<T> {
    pub read: T,
    pub inputs: Vec<PathBuf>,
}

/// An error that the compiler would give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompileError {
    /// Where, absolute.
    pub file: PathBuf,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The compiler's message.
    pub message: String,
    /// The text could not even be read as tokens and syntax.
    pub is_syntax: bool,
}

/// A version of a file as read: its errors, and the model of this file alone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Version {
    /// The errors, in order.
    pub errors: Vec<CompileError>,
    /// The model of the file.
    pub model: Model,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file.display(), self.line, self.column, self.message)
    }
}

/// Does a job, and writes its results to `out`.
pub(super) fn run(job: &Job, out: &mut (dyn Write + Send)) -> Result<()> {
    fn line(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        // Whole: what was written before libclang crashes can be read.
        Ok(out.write_all(&line)?)
    }
    on_big_stack(|| match &job.task {
        Task::Read => line(out, &read(job)?),
        Task::Trees { files, replaced } => line(out, &trees(job, files, replaced.as_deref())?),
        Task::Ask { lines, names } => line(out, &ask(job, lines, names)?),
        Task::Versions { file, versions } => self::versions(job, file, versions, &mut |version| line(out, &version)),
    })
}

/// Writes a file so that readers see it whole or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("no folder")?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Long chains of operators and `else if` nest deeply; libclang and we recurse.
/// Does what may nest as deep as the code that it is of.
pub(super) fn on_big_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    const STACK: usize = 512 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| anyhow!("reading the translation unit failed within this tool"))?
    })
}

/// One libclang at a time in a process.
fn libclang() -> Result<Clang> {
    for _ in 0..3000 {
        match Clang::new() {
            Err(why) if why.contains("already exists") => std::thread::sleep(std::time::Duration::from_millis(20)),
            other => return other.map_err(|why| anyhow!(why)),
        }
    }
    Err(anyhow!("libclang is busy"))
}

type ParseFunction = unsafe extern "C" fn(
    CXIndex,
    *const c_char,
    *const *const c_char,
    c_int,
    *mut CXUnsavedFile,
    c_uint,
    CXTranslationUnit_Flags,
    *mut CXTranslationUnit,
) -> CXErrorCode;

/// libclang's own function, behind [`parse_with_preamble`].
static PARSE: OnceLock<ParseFunction> = OnceLock::new();

/// Parses with the headers kept as a precompiled preamble, so that reading the file again takes a fraction of the
/// time.
///
/// # Safety
///
/// As for `clang_parseTranslationUnit2`, to which every argument goes unchanged but for two flags.
#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn parse_with_preamble(
    index: CXIndex,
    file: *const c_char,
    args: *const *const c_char,
    arg_count: c_int,
    unsaved: *mut CXUnsavedFile,
    unsaved_count: c_uint,
    flags: CXTranslationUnit_Flags,
    out: *mut CXTranslationUnit,
) -> CXErrorCode {
    let Some(parse) = PARSE.get() else { return clang_sys::CXError_Failure };
    let flags = flags
        | clang_sys::CXTranslationUnit_PrecompiledPreamble
        | clang_sys::CXTranslationUnit_CreatePreambleOnFirstParse;
    // SAFETY: the arguments are the caller's, who promises what libclang asks for.
    unsafe { parse(index, file, args, arg_count, unsaved, unsaved_count, flags, out) }
}

/// `clang` has no method for precompiled preambles: its parse function is put behind one that asks for them.
fn keep_preambles() {
    let Some(mut library) = clang_sys::set_library(None) else { return };
    if let Some(library) = Arc::get_mut(&mut library)
        && let Some(parse) = library.functions.clang_parseTranslationUnit2
    {
        PARSE.get_or_init(|| parse);
        library.functions.clang_parseTranslationUnit2 = Some(parse_with_preamble);
    }
    clang_sys::set_library(Some(library));
}

/// The arguments for libclang.
///
/// Bodies of templates are always read, also where the compiler puts them off.
fn arguments(command: &CompileCommand, without: &[String]) -> Vec<String> {
    let mut args = vec![format!("-working-directory={}", command.directory.display())];
    if !command.args.iter().any(|arg| arg.starts_with("-x")) {
        args.extend(["-x".into(), if command.language == Language::C { "c" } else { "c++" }.into()]);
    }
    let own = command.clang_args();
    let mut own = own.iter().peekable();
    while let Some(arg) = own.next() {
        // A precompiled header of another compiler can't be read; the headers themselves follow in the arguments.
        if arg == "-Xclang" && own.peek().is_some_and(|next| *next == "-include-pch") {
            own.by_ref().take(3).for_each(drop);
        } else if arg == "-include-pch" {
            own.next();
        } else if !(without.contains(arg)
            || arg == DEFERS_BODIES
            || arg.starts_with("-Werror")
            || arg.starts_with("-fsanitize")
            || arg.starts_with("-fprofile")
            || arg.starts_with("-fcoverage")
            || arg == "--coverage")
        {
            args.push(arg.clone());
        }
    }
    args.extend(["-w", "-Wno-everything", "-Qunused-arguments"].map(String::from));
    if !args.iter().any(|arg| arg.starts_with("-ferror-limit")) {
        args.push("-ferror-limit=64".into());
    }
    args
}

fn errors_of(diagnostics: &[Diagnostic<'_>], directory: &Path) -> Vec<CompileError> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.get_severity() >= Severity::Error)
        .map(|diagnostic| {
            let location = diagnostic.get_location().get_file_location();
            let mut formatter = diagnostic.formatter();
            let formatted = formatter.category_name(true).format();
            let name = location.file.map(|file| directory.join(file.get_path()));
            CompileError {
                file: name.map(|name| name.canonicalize().unwrap_or(name)).unwrap_or_default(),
                line: location.line,
                column: location.column,
                message: diagnostic.get_text(),
                is_syntax: formatted.contains("[Parse Issue]") || formatted.contains("[Lexical or Preprocessor Issue]"),
            }
        })
        .collect()
}

/// Parses with `arguments`; those that only another compiler knows are left out one by one.
fn with_unit<T>(
    command: &CompileCommand,
    unsaved: &[Unsaved],
    detailed: bool,
    mut work: impl FnMut(clang::TranslationUnit<'_>) -> Result<T>,
) -> Result<T> {
    let clang = libclang()?;
    // Trees are read once: a preamble would only cost.
    if !unsaved.is_empty() && !detailed {
        keep_preambles();
    }
    let index = Index::new(&clang, false, false);
    let mut without = Vec::new();
    loop {
        let args = arguments(command, &without);
        let mut parser = index.parser(&command.file);
        parser.arguments(&args).unsaved(unsaved).detailed_preprocessing_record(detailed).keep_going(true);
        let unit = parser.parse().map_err(|error| anyhow!("libclang can't read it: {error}"))?;
        let unknown: Vec<String> = unit
            .get_diagnostics()
            .iter()
            .filter(|diagnostic| diagnostic.get_severity() >= Severity::Error)
            .filter_map(|diagnostic| {
                let text = diagnostic.get_text();
                is_of_arguments(&text).then_some(())?;
                text.split('\'').nth(1).map(String::from)
            })
            .filter(|arg| args.contains(arg) && !without.contains(arg))
            .collect();
        if unknown.is_empty() {
            return work(unit);
        }
        without.extend(unknown);
    }
}

/// Whether an error says that clang does not know an argument.
fn is_of_arguments(text: &str) -> bool {
    let known = ["unknown argument", "unsupported option", "unsupported argument", "unknown target CPU"];
    known.iter().any(|start| text.starts_with(start))
}

/// A reader of the unit's files, some of them replaced; `only` limits it to these files.
fn reader<'tu>(job: &Job, replaced: HashMap<PathBuf, Vec<u8>>, only: Option<Vec<PathBuf>>) -> Reader<'tu> {
    let files = Files::new(&job.command.directory, &job.roots, replaced);
    Reader::new(job.command.language, files, job.command.file.clone(), only)
}

/// Reads a translation unit.
fn read(job: &Job) -> Result<Done<Model>> {
    let mut done = with_unit(&job.command, &[], true, |unit| {
        let errors = errors_of(&unit.get_diagnostics(), &job.command.directory);
        let mut reader = reader(job, HashMap::new(), None);
        reader.mines = true;
        let features = super::features::chosen(unit.get_entity(), &mut reader.files);
        let (mut model, included) = read::run(reader, unit.get_entity());
        let project = included.iter().filter(|text| text.project);
        let foreign =
            model.classes.values().filter(|class| model.is_foreign(class)).map(|class| class.usr.clone()).collect();
        model.units.push(TranslationUnit {
            main_file: job.command.file.clone(),
            command: 0,
            language: job.command.language,
            files: project.clone().map(|text| text.path.clone()).collect(),
            errors: errors.iter().take(20).map(ToString::to_string).collect(),
            defers_bodies: false,
            uses_traits: project.clone().any(|text| super::traits::used(text.bytes(), text.tokens())),
            foreign,
            features,
        });
        Ok(Done { read: model, inputs: paths(&included) })
    })?;
    let unit = done.read.units.iter_mut().find(|unit| !unit.errors.is_empty() && unit.language == Language::Cxx);
    if let Some(unit) = unit.filter(|_| is_sound_later(job)) {
        unit.errors.clear();
        unit.defers_bodies = true;
    }
    Ok(done)
}

/// Whether the unit has no error where the bodies of templates are read when they are instantiated, as other compilers
/// do: what is wrong in a body that does not depend on a parameter, clang says at once ([temp.res] leaves both open).
fn is_sound_later(job: &Job) -> bool {
    let Ok(clang) = libclang() else { return false };
    let index = Index::new(&clang, false, false);
    let mut args = arguments(&job.command, &[]);
    args.push(DEFERS_BODIES.into());
    let mut parser = index.parser(&job.command.file);
    let is_error = |one: &Diagnostic<'_>| one.get_severity() >= Severity::Error && !is_of_arguments(&one.get_text());
    let unit = parser.arguments(&args).keep_going(true).parse();
    unit.is_ok_and(|unit| !unit.get_diagnostics().iter().any(is_error))
}

fn paths(included: &[Rc<Text>]) -> Vec<PathBuf> {
    included.iter().map(|text| text.path.clone()).collect()
}

/// Reads the bodies of files.
fn trees(job: &Job, files: &[PathBuf], replaced: Option<&Path>) -> Result<Done<Vec<Trees>>> {
    let (mut unsaved, mut texts) = (Vec::new(), HashMap::new());
    if let (Some(path), Some(file)) = (replaced, files.first()) {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        unsaved.push(Unsaved::new(file, as_text(&bytes)));
        texts.insert(file.clone(), bytes);
    }
    with_unit(&job.command, &unsaved, true, |unit| {
        let reader = reader(job, texts.clone(), Some(files.to_vec()));
        let (trees, included) = super::trees::read(&unit, reader, files);
        Ok(Done { read: trees, inputs: paths(&included) })
    })
}

/// Compiles lines behind a source file.
fn ask(job: &Job, lines: &[String], names: &[bool]) -> Result<Done<Vec<Answer>>> {
    let mut text = std::fs::read(&job.command.file).with_context(|| job.command.file.display().to_string())?;
    text.extend(b"\n#include <ostream>\n#include <string>\n#include <type_traits>\n#include <utility>\n");
    let first = text.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    lines.iter().for_each(|line| text.extend(format!("{line}\n").as_bytes()));
    let unsaved = [Unsaved::new(&job.command.file, as_text(&text))];
    let mut command = job.command.clone();
    // Whatever is wrong with one question must not end all others.
    command.args.extend(["-ferror-limit=0", "-ftemplate-backtrace-limit=0"].map(String::from));
    with_unit(&command, &unsaved, true, |unit| {
        let mut answers = vec![Answer { compiles: true, ty: None }; lines.len()];
        let mut blamed = |diagnostic: &Diagnostic<'_>| {
            let location = diagnostic.get_location().get_expansion_location();
            let name = location.file.map(|file| job.command.directory.join(file.get_path()));
            let line = location.line.checked_sub(first).map(|line| line as usize);
            if let (Some(line), true) =
                (line, name.and_then(|name| name.canonicalize().ok()).as_ref() == Some(&job.command.file))
                && let Some(answer) = answers.get_mut(line)
            {
                answer.compiles = false;
            }
        };
        for diagnostic in unit.get_diagnostics().iter().filter(|one| one.get_severity() >= Severity::Error) {
            blamed(diagnostic);
            diagnostic.get_children().iter().for_each(&mut blamed);
        }
        let mut reader = reader(job, HashMap::from([(job.command.file.clone(), text.clone())]), None);
        let mut inputs = vec![job.command.file.clone()];
        for entity in unit.get_entity().get_children() {
            if entity.get_kind() == clang::EntityKind::InclusionDirective {
                let path = entity.get_file().map(|file| job.command.directory.join(file.get_path()));
                inputs.extend(path.and_then(|path| path.canonicalize().ok()));
                continue;
            }
            let name = entity.get_name().unwrap_or_default();
            let number = name.strip_prefix("motif_asks_").and_then(|number| number.parse::<usize>().ok());
            let wanted = number.filter(|number| names.get(*number) == Some(&true));
            if let (Some(number), Some(ty)) = (wanted, entity.get_typedef_underlying_type())
                && let Some(answer) = answers.get_mut(number).filter(|answer| answer.compiles)
            {
                answer.ty = Some(types::model_type(&mut reader, ty.get_canonical_type()));
            }
        }
        Ok(Done { read: answers, inputs })
    })
}

/// Reads JSON, however deep it nests.
pub(super) fn from_json<T: DeserializeOwned + Send>(bytes: &[u8]) -> Result<T> {
    on_big_stack(|| {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        json.disable_recursion_limit();
        Ok(T::deserialize(&mut json)?)
    })
}

/// Bytes as libclang takes them from memory: UTF-8 without zeros, every offset unchanged.
fn as_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => text.to_string(),
        _ => bytes.iter().map(|&b| if b == 0 || b >= 0x80 { '?' } else { b as char }).collect(),
    }
}

/// Reads each version of a file.
fn versions(job: &Job, file: &Path, versions: &[PathBuf], each: &mut dyn FnMut(Version) -> Result<()>) -> Result<()> {
    let load = |path: &PathBuf| -> Result<(Vec<u8>, Unsaved)> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let unsaved = Unsaved::new(file, as_text(&bytes));
        Ok((bytes, unsaved))
    };
    let Some(first) = versions.first() else { return Ok(()) };
    // Errors that the original has as well are not the version's.
    let mut known = Vec::new();
    if job.command.args.iter().any(|arg| arg == DEFERS_BODIES) {
        with_unit(&job.command, &[], false, |unit| {
            known = errors_of(&unit.get_diagnostics(), &job.command.directory);
            Ok(())
        })?;
    }
    let is_new = |error: &CompileError| !known.iter().any(|one| one.file == error.file && one.message == error.message);
    let (_, unsaved) = load(first)?;
    with_unit(&job.command, &[unsaved], false, |unit| {
        let mut unit = unit;
        for (index, path) in versions.iter().enumerate() {
            let (bytes, unsaved) = load(path)?;
            if index > 0 {
                unit = unit.reparse(&[unsaved]).map_err(|error| anyhow!("libclang can't read it: {error}"))?;
            }
            let mut errors = errors_of(&unit.get_diagnostics(), &job.command.directory);
            errors.retain(is_new);
            let reader = reader(job, HashMap::from([(file.to_path_buf(), bytes)]), Some(vec![file.to_path_buf()]));
            let (model, _) = read::run(reader, unit.get_entity());
            each(Version { errors, model })?;
        }
        Ok(())
    })
}
