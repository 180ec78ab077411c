//! The rooms of the house and who may enter which: data flows one way, so a module knows only those before it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Every module of the library with the modules that it may import, in the order of the flow: what stands to the
/// right must stand further up as a module of its own.
const ALLOWED: &[(&str, &[&str])] = &[
    // Words that everything else is said with.
    ("diag", &[]),
    ("yaml", &["diag"]),
    ("choices", &["diag"]),
    ("switches", &["diag"]),
    ("model", &[]),
    ("tree", &["model"]),
    ("outcome", &[]),
    // From the user's files to the model.
    ("compdb", &["diag", "model"]),
    ("tools", &["diag"]),
    ("types", &["model"]),
    ("parse", &["diag", "model", "tree", "compdb", "types"]),
    ("lexicon", &[]),
    ("hierarchy", &["model"]),
    ("facts", &["model", "types", "lexicon", "hierarchy"]),
    ("mutant", &["diag", "model", "outcome", "compdb", "parse"]),
    ("operators", &["model", "tree", "types", "hierarchy", "mutant"]),
    ("probes", &["model", "tree", "compdb", "parse", "mutant"]),
    ("overrides", &["diag", "yaml", "model", "types"]),
    // From the model to generated code.
    ("plan", &["model", "types", "lexicon", "hierarchy", "facts", "overrides"]),
    ("cpp", &["model"]),
    ("generate", &["model", "types", "outcome", "hierarchy", "facts", "mutant", "plan", "cpp"]),
    // From code to kills.
    ("build", &["diag", "choices", "model", "compdb", "tools"]),
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
    ("triage", &["diag", "model", "outcome", "mutant", "plan", "generate", "build", "supervise", "engine"]),
    // From kills to what the user keeps.
    (
        "emit",
        &[
            "diag",
            "choices",
            "model",
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
            "tree",
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
            "triage",
            "emit",
            "report",
            "options",
            "context",
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
            "report",
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
            "run",
        ],
    ),
];

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
    if file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests") || stem == "testing") {
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
    let code = "use crate::model::{Type, Usr};\nuse crate::{diag::Problem, plan::{self, Slot}, yaml};\nlet x = crate::cpp::f();";
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

/// Files that may name single types of the standard library, each with the reason. None may hold a list of them.
const NAMES_TYPES: &[(&str, &str)] = &[
    ("types/arithmetic.rs", "text by the name that people write it with"),
    ("types/compose.rs", "the types that are made where any would do, each by one function"),
    ("types/typedefs.rs", "what `reverse_iterator` is"),
    ("parse/compiler_queries.rs", "the text that the compiler is asked about"),
    ("plan/callbacks.rs", "a callable's type is taken out of its spelling"),
    ("generate/cxx.rs", "a header that an observer needs"),
    ("generate/lower.rs", "code that is written"),
    ("generate/lower/alternatives.rs", "code that is written"),
    ("generate/expect.rs", "what a test expects where the exception has no name"),
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
