//! The programs that the solver reads: a unit's driver with the mutants in place, and the original with notes.
//!
//! C is given to it preprocessed, as the project compiles it, with the system's own headers.

use super::memory_effects::Trusted;
use super::opaque_callees;
use super::read_alike::Own;
use super::shared::Shared;
use super::unit_build;
use super::unit_result::Work;
use crate::build::{CompileJob, Flavor, preprocess, standard};
use crate::compdb::CompileCommand;
use crate::decide::numbers::Numbers;
use crate::decide::solver::Program;
use crate::decide::solver::flat::Flat;
use crate::decide::solver::knowledge;
use crate::generate;
use crate::lex;
use crate::model::Language;
use crate::outcome::Home;
use crate::plan::{UnitPlan, seeds};
use crate::probes::{self, Level, POINTS_MOST};
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Values that a record has room for.
const CELLS: usize = 512;
/// Bytes of an input that has texts, arrays or objects; numbers alone have all that they need.
const BYTES: usize = 40;
/// No input of numbers alone is longer.
const BYTES_MOST: usize = 256;

/// What the solver is asked about a unit.
pub(super) struct Programs {
    /// Both sides in one program.
    pub both: Program,
    /// The same with callees put aside.
    pub aside: Vec<Program>,
    /// Mutants that name what the original does not: of what they call then nothing is known.
    pub strangers: BTreeSet<usize>,
    /// Mutants that may write to a table that the original only reads.
    pub writers: BTreeSet<usize>,
    /// The number of each mutant in it, by its index; the others cannot stand beside the original.
    pub numbers: BTreeMap<usize, u32>,
    /// The original with notes, and each mutant's.
    pub noted: Option<(Program, BTreeMap<usize, u32>)>,
    /// The arguments are numbers and nothing else: the driver makes all of them.
    pub is_of_numbers: bool,
}

/// Writes the programs of a unit into `folder`.
///
/// # Errors
/// Why there are none.
pub(super) fn programs(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    trusted: &Trusted,
    folder: &Path,
) -> Result<Programs, String> {
    let Session { model, hierarchy, database, .. } = shared.session;
    let others = others(shared, plan, &trusted.files)?;
    let command = &database.commands[plan.command];
    for command in others.iter().copied().chain([command]) {
        if let Some(option) = knowledge::odd_option(&command.args) {
            return Err(format!("`{option}` gives numbers another meaning than the solver's"));
        }
    }
    let mutants: Vec<_> = work.mutants.iter().map(|index| &shared.mutants[*index]).collect();
    let generated = generate::unit(model, hierarchy, plan, &mutants, Home::InPlace)?;
    let calls = ["motif_allocated(", "motif_trailing(", "member_allocated(", "motif_distance(", "member_distance("];
    let compares_memory = |(_, text): &(String, String)| calls.iter().any(|call| text.contains(call));
    if plan.compares_output() {
        return Err("what is written to standard output is not followed".into());
    }
    if generated.files.iter().any(compares_memory) {
        return Err("how much memory stands behind its pointers only the allocator knows".into());
    }
    if generated.in_place.is_empty() {
        return Err(generated.copy_reason.unwrap_or_else(|| "its mutants cannot stand beside the original".into()));
    }
    let alone = Numbers::alone(plan);
    let is_of_numbers = alone.is_some();
    let longest = seeds::all(plan).iter().map(Vec::len).max().unwrap_or(0);
    let bytes = (longest + 8).min(if is_of_numbers { BYTES_MOST } else { BYTES });
    let read = if alone.is_some_and(|numbers| numbers.are_of_one_length()) { longest.min(bytes) } else { bytes };
    let driver = unit_build::image_driver(shared, plan)?;
    let writer = Writer { shared, plan, command, driver: &driver, folder, bytes, read };
    let others = writer.others(&others)?;
    let both = writer.program("both", 1, &generated.in_place, others.clone())?;
    let opaque_callees::Programs { both, aside } = opaque_callees::programs(model, plan, trusted, both, folder)?;
    let numbers = work.mutants.iter().zip(&generated.sides).filter(|(_, (home, _))| *home == Home::InPlace);
    let numbers = numbers.map(|(index, (_, number))| (*index, *number)).collect();
    let noted = shared.probes.get(&plan.unit).filter(|_| both.aside.is_empty()).and_then(|found| {
        let noted = probes::noted(&[found], Level::Infected, 0);
        let source = std::fs::read(&found.file).ok().filter(|_| noted.points <= POINTS_MOST)?;
        let instrumented = [(found.file.clone(), noted.text(&source))];
        let program = writer.program("noted", noted.points, &instrumented, others);
        let notes = noted.mutants.iter().map(|(index, seen)| (*index, seen.infected.unwrap_or(seen.reached)));
        Some((program.ok()?, notes.collect()))
    });
    let tables: BTreeSet<&[u8]> = trusted.tables.iter().map(|name| last_name(name).as_bytes()).collect();
    let words: Vec<(usize, Option<[Words; 2]>)> =
        work.mutants.iter().map(|index| (*index, words(shared, plan, *index, &tables))).collect();
    let those = |is: fn(&[Words; 2]) -> bool| -> BTreeSet<usize> {
        words.iter().filter(|(_, words)| words.as_ref().is_none_or(is)).map(|(index, _)| *index).collect()
    };
    let strangers = those(|[original, mutated]| !mutated.names.is_subset(&original.names));
    let mut writers = those(|[original, mutated]| mutated.write_more(original));
    if tables.is_empty() {
        writers.clear();
    }
    Ok(Programs { both, aside, strangers, writers, numbers, noted, is_of_numbers })
}

/// A name without its scopes.
fn last_name(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// What a body has in it.
#[derive(Default)]
struct Words {
    /// Its words.
    names: BTreeSet<Vec<u8>>,
    /// How often each sign stands in it that may be a write; without `++` and `--` on variables that are no tables.
    stores: BTreeMap<Vec<u8>, usize>,
    /// What tables stand in.
    tables: BTreeSet<Vec<Vec<u8>>>,
}

impl Words {
    fn of(text: &[u8], tables: &BTreeSet<&[u8]>) -> Self {
        let signs: Vec<(lex::Kind, &[u8])> =
            lex::tokens(text).into_iter().map(|token| (token.kind, token.text(text))).collect();
        let mut words = Self::default();
        for (at, (kind, sign)) in signs.iter().enumerate() {
            if *kind == lex::Kind::Word {
                words.names.insert(sign.to_vec());
                if tables.contains(sign) {
                    words.tables.insert(around(&signs, at));
                }
            } else if is_store(sign) && !counts(&signs, at, tables) {
                *words.stores.entry(sign.to_vec()).or_default() += 1;
            }
        }
        words
    }

    /// Whether a mutant with these words may write to a table that the `original` only reads.
    fn write_more(&self, original: &Self) -> bool {
        self.stores.iter().any(|(sign, times)| times > original.stores.get(sign).unwrap_or(&0))
            || !self.tables.is_subset(&original.tables)
    }
}

/// The words of the original's body, and those of a mutant's.
fn words(shared: &Shared<'_>, plan: &UnitPlan, mutant: usize, tables: &BTreeSet<&[u8]>) -> Option<[Words; 2]> {
    let mutant = &shared.mutants[mutant];
    let read = |path: &Path, (start, end): (u32, u32)| -> Option<Words> {
        let text = std::fs::read(path).ok()?;
        Some(Words::of(text.get(start as usize..end as usize)?, tables))
    };
    let body = &shared.session.model.functions.get(&plan.unit)?.definition.as_ref()?.body;
    let pairing = mutant.pairing.as_ref().ok()?;
    Some([read(&body.file, (body.start, body.end))?, read(&mutant.path, pairing.body)?])
}

fn is_store(sign: &[u8]) -> bool {
    match sign {
        b"&" | b"++" | b"--" => true,
        b"==" | b"!=" | b"<=" | b">=" => false,
        _ => sign.ends_with(b"="),
    }
}

/// Whether the sign counts a variable up or down that is no table, and no part of one.
fn counts(signs: &[(lex::Kind, &[u8])], at: usize, tables: &BTreeSet<&[u8]>) -> bool {
    let sign = |at: Option<usize>| at.and_then(|at| signs.get(at)).map_or(&b""[..], |(_, sign)| sign);
    let is_name = |at: Option<usize>| {
        let found = at.and_then(|at| signs.get(at));
        found.is_some_and(|(kind, name)| *kind == lex::Kind::Word && !tables.contains(name))
    };
    let leads_on = |sign: &[u8]| matches!(sign, b"[" | b"." | b"->" | b"(" | b"::");
    matches!(sign(Some(at)), b"++" | b"--")
        && (is_name(Some(at + 1)) && !leads_on(sign(Some(at + 2)))
            || is_name(at.checked_sub(1)) && !leads_on(sign(at.checked_sub(2))))
}

/// What a name stands in: the signs beside it, behind its indices, and of a call around it the function and the place.
fn around(signs: &[(lex::Kind, &[u8])], at: usize) -> Vec<Vec<u8>> {
    // One operator that reads is like another.
    let shown = |sign: &[u8]| match sign {
        b"+" | b"-" | b"/" | b"%" | b"^" | b"|" | b"<" | b">" | b"<=" | b">=" | b"==" | b"!=" | b"&&" | b"||"
        | b"<<" | b">>" => b"+".to_vec(),
        other => other.to_vec(),
    };
    let mut next = at + 1;
    let mut deep = 0;
    while let Some((_, sign)) = signs.get(next) {
        deep += i32::from(*sign == b"[") - i32::from(*sign == b"]");
        if deep == 0 && *sign != b"]" {
            break;
        }
        next += 1;
    }
    let (mut deep, mut place) = (0, 0_usize);
    let call = signs[..at].iter().rposition(|(_, sign)| {
        deep += i32::from(matches!(*sign, b")" | b"]" | b"}")) - i32::from(matches!(*sign, b"(" | b"[" | b"{"));
        place += usize::from(deep == 0 && *sign == b",");
        deep < 0
    });
    let sign = |at: Option<usize>| at.and_then(|at| signs.get(at)).map_or_else(Vec::new, |(_, sign)| shown(sign));
    let function = sign(call.and_then(|call| call.checked_sub(1)));
    vec![sign(at.checked_sub(1)), signs[at].1.to_vec(), sign(Some(next)), function, place.to_string().into_bytes()]
}

/// The commands of the project's other files with bodies that the unit comes to.
fn others<'s>(
    shared: &Shared<'s>,
    plan: &UnitPlan,
    files: &BTreeSet<PathBuf>,
) -> Result<Vec<&'s CompileCommand>, String> {
    let Session { model, database, .. } = shared.session;
    let own = model.unit_compiling(&plan.source).map_or(&[][..], |unit| &unit.files);
    let sources: BTreeSet<&Path> = files
        .iter()
        .filter(|file| !own.contains(file) && **file != plan.source)
        .filter_map(|file| model.unit_of(file).map(|unit| unit.main_file.as_path()))
        .collect();
    let command = |source: &Path| {
        if model.files.get(source).is_some_and(|file| file.defines_main) {
            return Err(format!("it calls what stands beside a `main`, in {}", source.display()));
        }
        let found = database.commands.iter().find(|command| command.file == source);
        found.ok_or_else(|| format!("{} is not compiled", source.display()))
    };
    sources.into_iter().map(command).collect()
}

/// Writes texts as the solver reads them.
struct Writer<'w> {
    shared: &'w Shared<'w>,
    plan: &'w UnitPlan,
    command: &'w CompileCommand,
    driver: &'w Path,
    folder: &'w Path,
    bytes: usize,
    read: usize,
}

impl Writer<'_> {
    /// The driver with these texts in the place of files.
    fn program(
        &self,
        name: &str,
        points: usize,
        replaced: &[(PathBuf, Vec<u8>)],
        others: Vec<PathBuf>,
    ) -> Result<Program, String> {
        let is_cxx = self.plan.language == Language::Cxx;
        let source = self.folder.join(name).with_extension(if is_cxx { "cpp" } else { "c" });
        let defined = format!(
            "#define MOTIF_SOLVER\n#define MOTIF_INPUT_BYTES {}\n#define MOTIF_CELLS {CELLS}\n\
             #define MOTIF_POINTS {}\n",
            self.bytes,
            points.max(1),
        );
        let (extension, options) = if is_cxx { ("cpp", cxx_options(self.command)) } else { ("i", Vec::new()) };
        let text = if is_cxx {
            let first = format!("{defined}#include \"motif_probe.h\"\n");
            self.flat(&source, (&first, self.driver), self.command, true, replaced)?
        } else {
            let text = format!("{defined}#include \"{}\"\n#include \"motif_solver.h\"\n", self.driver.display());
            std::fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
            let job = CompileJob::generated(&source, self.command, Flavor::DraftMutant)
                .with(self.shared.build_session.options(self.plan))
                .with(["-DMOTIF_SOLVER"]);
            let job = unit_build::in_place(self.shared, job, self.folder, replaced)?;
            self.preprocessed_c(job, &source.with_extension("i"))?
        };
        Ok(Program {
            text,
            extension,
            others,
            options,
            bytes: self.bytes,
            read: self.read,
            cells: CELLS,
            aside: Vec::new(),
            variables: 0,
        })
    }

    /// The project's other files.
    fn others(&self, commands: &[&CompileCommand]) -> Result<Vec<PathBuf>, String> {
        let mut texts = Vec::new();
        for (number, command) in commands.iter().enumerate() {
            let cxx = command.language == Language::Cxx;
            let out = self.folder.join(format!("other-{number}")).with_extension(if cxx { "cpp" } else { "i" });
            if cxx {
                let text = self.flat(&out, ("", &command.file), command, false, &[])?;
                std::fs::write(&out, text).map_err(|error| format!("{}: {error}", out.display()))?;
            } else {
                self.preprocessed_c(CompileJob::project(command, Flavor::DraftMutant), &out)?;
            }
            texts.push(out);
        }
        Ok(texts)
    }

    /// C, preprocessed to `out`, where it is read as the project compiles it.
    fn preprocessed_c(&self, job: CompileJob<'_>, out: &Path) -> Result<String, String> {
        let asked = self.preprocessed(&job, out)?;
        let compiled = CompileJob { flavor: Flavor::Plain, ..job };
        self.is_read_alike(&compiled, &asked, &out.with_extension("plain.i"))?;
        Ok(asked)
    }

    fn preprocessed(&self, job: &CompileJob<'_>, out: &Path) -> Result<String, String> {
        preprocess(self.shared.builder, job, out).map_err(|failure| failure.to_string())?;
        let text = std::fs::read(out).map_err(|error| format!("{}: {error}", out.display()))?;
        String::from_utf8(text).map_err(|_| format!("{} is not UTF-8", job.source.display()))
    }

    /// Refuses a text of which the solver reads other lines of the project than the compiler does.
    fn is_read_alike(&self, compiled: &CompileJob<'_>, asked: &str, out: &Path) -> Result<(), String> {
        let text = self.preprocessed(compiled, out)?;
        // It is as large as all headers together.
        let _ = std::fs::remove_file(out);
        let root = &self.shared.session.options.root;
        let output = self.output()?;
        let own = Own { folders: &[root, &output], directory: &compiled.command.directory };
        let Some((file, line)) = own.otherwise(&text, asked) else { return Ok(()) };
        let file = file.strip_prefix(root).unwrap_or(&file).display();
        Err(format!("`{file}:{line}` is compiled otherwise for the solver"))
    }

    fn output(&self) -> Result<PathBuf, String> {
        self.shared.session.options.output.canonicalize().map_err(|error| error.to_string())
    }

    /// C++ with the project's headers in it, where it is read as the project compiles it: `main` with a text before
    /// it, put together at `source`. The standard library's headers are the solver's own.
    fn flat(
        &self,
        source: &Path,
        (first, main): (&str, &Path),
        command: &CompileCommand,
        generated: bool,
        replaced: &[(PathBuf, Vec<u8>)],
    ) -> Result<String, String> {
        let runtime = self.shared.build_session.runtime.canonicalize().map_err(|error| error.to_string())?;
        let root = &self.shared.session.options.root;
        let output = self.output()?;
        let mut folders = vec![runtime.join("solver"), runtime];
        folders.extend(values(&command.args, &["-I", "-iquote", "-isystem"]).map(|at| command.directory.join(at)));
        let replaced: BTreeMap<PathBuf, Vec<u8>> = replaced.iter().cloned().collect();
        let is_own = |path: &Path| path.starts_with(root) || path.starts_with(&output);
        let (included, args) = included_first(command);
        let undefined = macros(&command.args).1.into_iter().map(|name| format!("#undef {name}\n"));
        let included = included.iter().map(PathBuf::as_path).chain([main]);
        let included = included.map(|path| format!("#include \"{}\"\n", path.display()));
        let text: String = undefined.chain([first.to_owned()]).chain(included).collect();
        std::fs::write(source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let text = Flat { folders: &folders, replaced: &replaced, is_own: &is_own }.text(source)?;

        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let (flat, out) = [".flat.cpp", ".flat.i"].map(|end| self.folder.join(format!("{name}{end}"))).into();
        std::fs::write(&flat, &text).map_err(|error| format!("{}: {error}", flat.display()))?;
        // The solver has one list of options for all files.
        let mut asked = CompileCommand { args: plain_options(&cxx_options(self.command)), ..self.command.clone() };
        asked.std = None;
        let asked = CompileJob { source: flat.clone(), ..CompileJob::project(&asked, Flavor::Plain) };
        let asked = self.preprocessed(&asked, &out)?;
        let compiled = CompileCommand { args, ..command.clone() };
        let options = self.shared.build_session.options(self.plan);
        let compiled = CompileJob { source: flat, generated, ..CompileJob::project(&compiled, Flavor::Plain) };
        self.is_read_alike(&compiled.with(options), &asked, &out)?;
        Ok(text)
    }
}

/// The options of a C++ command that the solver takes: macros, folders, the standard. Private members are open.
fn cxx_options(command: &CompileCommand) -> Vec<String> {
    let standard = standard(command, true).unwrap_or_else(|| "gnu++17".into());
    let mut options = ["-f", "no-access-control", "--std", &standard].map(str::to_owned).to_vec();
    options.extend(macros(&command.args).0.into_iter().flat_map(|value| ["-D".to_owned(), value.to_owned()]));
    for given in [&["-I"][..], &["-isystem"]] {
        let folders = values(&command.args, given).map(|folder| command.directory.join(folder));
        options.extend(folders.flat_map(|folder| ["-I".to_owned(), folder.display().to_string()]));
    }
    options
}

/// The solver's options as the compiler has them.
fn plain_options(options: &[String]) -> Vec<String> {
    let pairs = options.chunks(2).filter_map(|pair| match pair {
        [name, value] if name == "--std" => Some(format!("-std={value}")),
        [name, value] if name != "-f" => Some(format!("{name}{value}")),
        _ => None,
    });
    pairs.chain(["-O0".to_owned()]).collect()
}

/// What `-D` and `-U` come to, the last word on each name: definitions in order, and names without one.
fn macros(args: &[String]) -> (Vec<&str>, Vec<&str>) {
    let name = |definition: &str| definition.split(['=', '(']).next().unwrap_or_default().to_owned();
    let (mut defined, mut undefined) = (Vec::<&str>::new(), Vec::<&str>::new());
    for (at, arg) in args.iter().enumerate() {
        let is_definition = arg.starts_with("-D");
        if !is_definition && !arg.starts_with("-U") {
            continue;
        }
        let Some(value) = Some(&arg[2..]).filter(|value| !value.is_empty()).or(args.get(at + 1).map(String::as_str))
        else {
            continue;
        };
        defined.retain(|other| name(other) != name(value));
        undefined.retain(|other| *other != name(value));
        if is_definition { &mut defined } else { &mut undefined }.push(value);
    }
    (defined, undefined)
}

/// The files that a command includes before its source, and its options without these.
fn included_first(command: &CompileCommand) -> (Vec<PathBuf>, Vec<String>) {
    let (mut first, mut others) = (Vec::new(), Vec::new());
    let mut args = command.args.iter().peekable();
    while let Some(arg) = args.next() {
        let named = args.peek().filter(|_| arg == "-include").map(|name| command.directory.join(name));
        match named.filter(|path| path.is_file()).and_then(|path| path.canonicalize().ok()) {
            Some(path) => {
                first.push(path);
                args.next();
            }
            None => others.push(arg.clone()),
        }
    }
    (first, others)
}

/// The values of options, in order: `-IDIR` and `-I DIR`.
fn values<'a>(args: &'a [String], names: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    args.iter().enumerate().filter_map(move |(at, arg)| {
        let name = names.iter().find(|name| arg.starts_with(**name))?;
        let value = &arg[name.len()..];
        if value.is_empty() { args.get(at + 1).map(String::as_str) } else { Some(value) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_options_stand_behind_them_or_after_them() {
        let args = ["-Iinclude", "-I", "src", "-DN=1", "-isystem", "/opt"].map(str::to_owned);
        assert_eq!(values(&args, &["-I"]).collect::<Vec<_>>(), ["include", "src"]);
        assert_eq!(values(&args, &["-I", "-isystem"]).collect::<Vec<_>>(), ["include", "src", "/opt"]);
    }

    #[test]
    fn the_last_word_on_a_macro_counts() {
        let args = ["-DA", "-UA", "-UB", "-D", "B=2", "-DC(x)=x", "-U", "D", "-Umips", "-UC"].map(str::to_owned);
        assert_eq!(macros(&args), (vec!["B=2"], vec!["A", "D", "mips", "C"]));
    }

    #[test]
    fn a_mutant_that_may_write_to_a_table_is_known_by_what_stands_around_it() {
        let tables = BTreeSet::from([&b"limit"[..]]);
        let writes = |original: &str, mutated: &str| {
            let words = |text: &str| Words::of(text.as_bytes(), &tables);
            words(mutated).write_more(&words(original))
        };
        assert!(!writes("return limit[i] < a;", "return limit[i] >= a - 1;"));
        assert!(!writes("return limit[i] + n;", "return limit[i] + n++;"));
        assert!(!writes("f(a, limit, 2);", "f(a, limit, 3);"));
        assert!(writes("return limit[i] + n;", "return limit[i]++ + n;"));
        assert!(writes("return limit[i] + p->n;", "return limit[i] + p->n++;"), "in doubt it may");
        assert!(writes("kept = v; return limit;", "limit = v; return limit;"));
        assert!(writes("memcpy(out, limit, n);", "memcpy(limit, out, n);"));
        assert!(writes("read(limit); fill(out);", "fill(limit); read(out);"));
        assert!(writes("return a == limit;", "return a = limit;"));
    }
}
