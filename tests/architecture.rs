//! The rooms of the house and who may enter which: data flows one way, so a module knows only those before it.
//!
//! The same holds inside a room, for its files and for the methods that reach around an import. `ROOM=plan cargo test
//! --test all architecture::` checks one room.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

mod room;
mod source;

use room::Room;
use source::Source;

/// Every module of the library with the modules that it may import, in the order of the flow: what stands to the
/// right must stand further up as a module of its own.
const ALLOWED: &[(&str, &[&str])] = &[
    // Words that everything else is said with.
    ("diag", &[]),
    ("yaml", &["diag"]),
    ("choices", &["diag"]),
    ("switches", &["diag"]),
    ("model", &[]),
    ("lexicon", &[]),
    ("tree", &["model"]),
    ("lex", &[]),
    ("outcome", &[]),
    // From the user's files to the model.
    ("compdb", &["diag", "model"]),
    ("tools", &["diag"]),
    ("types", &["model"]),
    ("parse", &["diag", "model", "lexicon", "tree", "lex", "compdb", "types"]),
    ("hierarchy", &["model"]),
    ("facts", &["model", "types", "lexicon", "hierarchy"]),
    ("mutant", &["diag", "model", "lex", "outcome", "compdb", "parse"]),
    ("revisions", &["diag", "model", "lex", "compdb", "tools", "mutant"]),
    ("operators", &["model", "tree", "types", "hierarchy", "mutant"]),
    ("probes", &["model", "tree", "lex", "compdb", "parse", "mutant"]),
    ("overrides", &["diag", "yaml", "model", "types", "lexicon"]),
    // From the model to generated code.
    ("plan", &["model", "lex", "types", "lexicon", "hierarchy", "facts", "overrides"]),
    ("cpp", &["model"]),
    ("generate", &["model", "lex", "types", "lexicon", "outcome", "hierarchy", "facts", "mutant", "plan", "cpp"]),
    // From code to kills.
    ("build", &["diag", "choices", "lex", "model", "compdb", "tools"]),
    ("supervise", &["diag", "build"]),
    (
        "engine",
        &[
            "diag",
            "choices",
            "switches",
            "model",
            "outcome",
            "compdb",
            "tools",
            "mutant",
            "plan",
            "generate",
            "build",
            "supervise",
        ],
    ),
    ("decide", &["lex", "model", "outcome", "plan", "build", "supervise", "engine"]),
    ("triage", &["diag", "model", "outcome", "mutant", "plan", "generate", "build", "supervise", "engine"]),
    // From kills to what the user keeps.
    (
        "emit",
        &[
            "diag",
            "choices",
            "model",
            "tree",
            "lexicon",
            "types",
            "outcome",
            "compdb",
            "tools",
            "plan",
            "cpp",
            "generate",
            "build",
            "supervise",
            "triage",
        ],
    ),
    ("report", &["diag", "outcome", "choices"]),
    ("judgements", &["diag", "yaml", "outcome", "report"]),
    ("adopt", &["diag", "yaml", "choices", "model", "outcome", "compdb", "build", "emit", "judgements"]),
    // The command line.
    ("config", &["diag", "yaml", "choices"]),
    ("cli", &["choices"]),
    ("options", &["diag", "choices", "build", "config", "cli"]),
    ("ui", &["diag", "choices", "options"]),
    ("context", &["diag", "config", "ui"]),
    (
        "session",
        &[
            "diag",
            "switches",
            "model",
            "compdb",
            "tools",
            "parse",
            "hierarchy",
            "overrides",
            "plan",
            "build",
            "options",
            "ui",
            "context",
        ],
    ),
    ("select", &["diag", "model"]),
    ("bodies", &["diag", "model", "tree", "compdb", "parse", "context", "session"]),
    (
        "mutate",
        &[
            "diag",
            "choices",
            "model",
            "lexicon",
            "tree",
            "lex",
            "outcome",
            "compdb",
            "tools",
            "parse",
            "hierarchy",
            "mutant",
            "operators",
            "build",
            "supervise",
            "options",
            "context",
            "session",
            "select",
            "bodies",
        ],
    ),
    ("cluster", &["diag", "config", "report", "context"]),
    ("build_session", &["diag", "model", "plan", "build", "engine", "context", "session"]),
    (
        "survey",
        &[
            "diag",
            "switches",
            "model",
            "tree",
            "outcome",
            "compdb",
            "overrides",
            "plan",
            "cpp",
            "generate",
            "build",
            "engine",
            "triage",
            "context",
            "session",
            "bodies",
            "build_session",
        ],
    ),
    (
        "run",
        &[
            "diag",
            "switches",
            "choices",
            "model",
            "lex",
            "facts",
            "lexicon",
            "outcome",
            "compdb",
            "tools",
            "parse",
            "tree",
            "bodies",
            "hierarchy",
            "mutant",
            "overrides",
            "plan",
            "probes",
            "cpp",
            "generate",
            "build",
            "engine",
            "decide",
            "triage",
            "emit",
            "adopt",
            "report",
            "judgements",
            "options",
            "context",
            "ui",
            "session",
            "select",
            "mutate",
            "build_session",
        ],
    ),
    (
        "commands",
        &[
            "diag",
            "choices",
            "model",
            "types",
            "outcome",
            "compdb",
            "tools",
            "parse",
            "hierarchy",
            "mutant",
            "overrides",
            "plan",
            "generate",
            "build",
            "supervise",
            "engine",
            "triage",
            "emit",
            "adopt",
            "report",
            "judgements",
            "config",
            "cli",
            "options",
            "ui",
            "context",
            "session",
            "select",
            "mutate",
            "operators",
            "bodies",
            "build_session",
            "survey",
            "revisions",
            "run",
            "cluster",
        ],
    ),
];

/// What a rule forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    /// More than three files that all need each other.
    Circle,
    /// An `impl` in a file that the type's own file needs.
    ReachAround,
    /// A cell or a lock in the planner, whose requests go down by value.
    State,
    /// More than 40 methods of one type.
    Methods,
    /// A file of more than 600 lines.
    LongFile,
    /// A line of more than 120 columns (a table of Markdown can't be broken).
    LongLine,
}

/// Files that may need each other: two or three halves of one thing.
const CIRCLE: usize = 3;
const METHODS: usize = 40;
const LINES: usize = 600;
const COLUMNS: usize = 120;
const STATE: &[&str] = &["RefCell", "Cell", "OnceCell", "Mutex", "RwLock"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The module of the library that a file belongs to.
fn module(file: &Path) -> String {
    let first = file.strip_prefix(source()).unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The code of a file without comments, and without its tests (which may use whatever they need).
fn code(file: &Path) -> String {
    if is_for_tests(file) {
        return String::new();
    }
    let text = std::fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The words that follow each `start` in `code`: for `crate::{a::X, b}` as well.
fn words_after(code: &str, start: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(start) {
        let rest = &code[at + start.len()..];
        match rest.strip_prefix('{') {
            None => found.extend([word(rest)]),
            Some(list) => {
                let mut depth = 1;
                let mut part = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 1 => found.extend([word(std::mem::take(&mut part).trim())]),
                        _ => part.push(c),
                    }
                    if depth == 0 {
                        break;
                    }
                }
                found.extend([word(part.trim())]);
            }
        }
    }
    found.remove("");
    found
}

#[test]
fn the_list_itself_goes_one_way() {
    let mut before = BTreeSet::new();
    for (module, imports) in ALLOWED {
        for import in *imports {
            assert!(before.contains(import), "`{module}` may import `{import}`, which does not come before it");
        }
        assert!(before.insert(*module), "`{module}` is listed twice");
    }
}

#[test]
fn modules_import_only_what_they_may() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ALLOWED.iter().map(|(module, imports)| (*module, imports.iter().copied().collect())).collect();
    let mut wrong = Vec::new();
    for file in files(&source()) {
        let module = module(&file);
        if module == "lib" || module == "main" {
            continue;
        }
        let Some(may) = allowed.get(module.as_str()) else {
            wrong.push(format!("{}: the module `{module}` is not on the list", file.display()));
            continue;
        };
        for import in words_after(&code(&file), "crate::") {
            if import != module && !may.contains(import.as_str()) {
                wrong.push(format!("{}: `{module}` may not import `{import}`", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn libclang_is_used_in_one_place_only() {
    let mut users = BTreeSet::new();
    for file in files(&source()) {
        let code = code(&file);
        // `tools` has a room called `clang` of its own, so the crate is told by its words.
        let words =
            ["EntityKind", "clang::Index", "clang::Entity", "clang::get_version", "use clang::{", "clang_sys::"];
        let uses = words.iter().any(|word| code.contains(word));
        if uses {
            users.insert(module(&file));
        }
    }
    assert_eq!(users.into_iter().collect::<Vec<_>>(), ["parse"]);
}

#[test]
fn imports_are_found_in_every_form() {
    let code = "use crate::model::{Type, Usr};\nuse crate::{diag::Problem, plan::{self, Slot}, yaml};\n\
                let x = crate::cpp::f();";
    let found: Vec<_> = words_after(code, "crate::").into_iter().collect();
    assert_eq!(found, ["cpp", "diag", "model", "plan", "yaml"]);
}

#[test]
fn every_file_of_tests_is_part_of_the_program_of_all() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let main = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    let named: BTreeSet<&str> = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_module = path.extension().is_some_and(|extension| extension == "rs") || path.join("mod.rs").exists();
        assert!(name == "main" || !is_module || named.contains(name), "tests/main.rs does not name {}", path.display());
    }
}

/// Whether a file is only there for tests.
fn is_for_tests(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests") || stem == "testing")
}

/// The modules of the library with their files, by module path.
fn rooms() -> BTreeMap<String, Room> {
    let mut rooms: BTreeMap<String, Room> = BTreeMap::new();
    for file in files(&source()).into_iter().filter(|file| !is_for_tests(file)) {
        let path = file.strip_prefix(source()).unwrap().with_extension("");
        let mut parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
        if parts.last() == Some(&"mod") {
            parts.pop();
        }
        let read = Source::read(&std::fs::read_to_string(&file).unwrap());
        rooms.entry(module(&file)).or_default().files.insert(parts.join("::"), read);
    }
    rooms
}

/// Everything that breaks a rule: the room, the rule, what was found.
fn findings() -> Vec<(String, Rule, String)> {
    let mut found = Vec::new();
    for (name, room) in &rooms() {
        found.extend(room.circles(CIRCLE).into_iter().map(|text| (name.clone(), Rule::Circle, text)));
        found.extend(room.reached_around().into_iter().map(|text| (name.clone(), Rule::ReachAround, text)));
        for (of, methods) in room.methods().into_iter().filter(|(_, methods)| *methods > METHODS) {
            found.push((name.clone(), Rule::Methods, format!("`{of}` has {methods} methods")));
        }
        if name == "plan" {
            found.extend(state(room).into_iter().map(|text| (name.clone(), Rule::State, text)));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<(String, PathBuf)> = files(&source()).into_iter().map(|file| (module(&file), file)).collect();
    texts.extend(files(&root.join("tests")).into_iter().map(|file| ("tests".to_owned(), file)));
    texts.extend(pages(root).into_iter().map(|file| ("docs".to_owned(), file)));
    for (name, file) in texts {
        let text = std::fs::read_to_string(&file).unwrap();
        let shown = file.strip_prefix(root).unwrap().display().to_string();
        let lines = text.lines().count();
        if lines > LINES && file.extension().is_some_and(|extension| extension == "rs") {
            found.push((name.clone(), Rule::LongFile, format!("{shown} has {lines} lines")));
        }
        let long: Vec<String> = long_lines(&text).map(|line| line.to_string()).collect();
        if !long.is_empty() {
            found.push((name, Rule::LongLine, format!("{shown}: lines {}", long.join(", "))));
        }
    }
    found
}

/// The pages that people read: those beside the manifest, in `docs`, and beside what they describe.
fn pages(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    folders.extend(["docs", "docs/decisions", "utility-overrides", "samples", "tests"].map(|name| root.join(name)));
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    found.sort();
    found
}

fn state(room: &Room) -> Vec<String> {
    let mut found = Vec::new();
    for (file, source) in &room.files {
        let cells = source.tokens.iter().filter(|token| STATE.contains(&token.text.as_str()));
        found.extend(cells.map(|token| format!("{file}:{}: `{}`", token.line, token.text)));
    }
    found
}

/// The numbers of the lines that are too long.
fn long_lines(text: &str) -> impl Iterator<Item = usize> {
    let numbered = text.lines().enumerate();
    numbered.filter(|(_, line)| line.chars().count() > COLUMNS && !line.starts_with('|')).map(|(at, _)| at + 1)
}

#[test]
fn rooms_are_in_order_inside() {
    let room = std::env::var("ROOM").ok();
    let found = findings().into_iter().filter(|(of, _, _)| room.as_ref().is_none_or(|room| of == room));
    let wrong: Vec<String> = found.map(|(room, rule, what)| format!("{room} ({rule:?}): {what}")).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn cells_are_seen_outside_tests() {
    let text = "use std::cell::RefCell;\nstruct P { m: Mutex<u8>, c: Cellar }\n\
                #[cfg(test)]\nmod tests { use std::cell::Cell; }";
    let room = Room { files: BTreeMap::from([("plan".to_owned(), Source::read(text))]) };
    assert_eq!(state(&room), ["plan:1: `RefCell`", "plan:2: `Mutex`"]);
}

#[test]
fn long_lines_are_seen_outside_tables() {
    let long = "x".repeat(121);
    let text = format!("{long}\n| {long} |\n{}", "é".repeat(120));
    assert_eq!(long_lines(&text).collect::<Vec<_>>(), [1]);
}

/// Files that may name single types of the standard library, each with the reason. None may hold a list of them.
const NAMES_TYPES: &[(&str, &str)] = &[
    ("types/arithmetic.rs", "text by the name that people write it with"),
    ("types/compose.rs", "the types that are made where any would do, each by one function"),
    ("types/typedefs.rs", "what `reverse_iterator` is"),
    ("parse/compiler_queries.rs", "the text that the compiler is asked about"),
    ("plan/rules/callbacks.rs", "a callable's type is taken out of its spelling"),
    ("generate/cxx.rs", "a header that an observer needs"),
    ("generate/lower/alternatives.rs", "code that is written"),
    ("generate/expect/thrown.rs", "what a test expects where the exception has no name"),
];

#[test]
fn types_of_the_standard_library_are_named_in_the_data_and_nowhere_else() {
    let rows = &motif_cpp::types::library::builtin().library;
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for file in files(&source()) {
        let path = file.strip_prefix(source()).unwrap().to_str().unwrap().to_owned();
        for literal in code(&file).split('"').skip(1).step_by(2) {
            if !rows.contains_key(literal) || !literal.contains("::") {
                continue;
            }
            match NAMES_TYPES.iter().find(|(allowed, _)| *allowed == path) {
                Some((allowed, _)) => _ = used.insert(*allowed),
                None => wrong.push(format!("{path}: `{literal}` belongs in utility-overrides/builtin/standard.yaml")),
            }
        }
        // The same without `std::`, in a pattern.
        for line in code(&file).lines().filter(|line| line.contains("\" | \"")) {
            let named = line.split('"').skip(1).step_by(2).filter(|word| rows.contains_key(&format!("std::{word}")));
            if named.clone().count() > 1 {
                wrong.push(format!("{path}: a list of types of the standard library: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unused: Vec<_> = NAMES_TYPES.iter().filter(|(path, _)| !used.contains(path)).collect();
    assert!(unused.is_empty(), "these need no permission: {unused:?}");
}
