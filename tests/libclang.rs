//! Reading a project through processes of our own: the same model from every libclang that is installed, and a
//! process that dies costs its own translation unit only.

use motif_cpp::compdb::Database;
use motif_cpp::model::Model;
use motif_cpp::parse::{self, ParseOptions};
use std::path::{Path, PathBuf};

const HEADER: &str = include_str!("sources/libclang/n.hpp");
const SOURCE: &str = include_str!("sources/libclang/n.cpp");

fn libraries() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for version in 14..40 {
        // The link without a version is in the development package only.
        let names = ["libclang.so".to_owned(), format!("libclang-{version}.so.1"), "libclang.so.1".to_owned()];
        let mut paths = names.iter().map(|name| PathBuf::from(format!("/usr/lib/llvm-{version}/lib/{name}")));
        found.extend(paths.find(|path| path.exists()));
    }
    found
}

fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut entries = Vec::new();
    for (name, text) in files {
        std::fs::write(root.join(name), text).unwrap();
        if name.ends_with(".cpp") {
            let command = format!("g++ -std=c++17 -fno-tree-vectorize -c {name} -o {name}.o");
            entries.push(serde_json::json!({"directory": root, "file": name, "command": command}));
        }
    }
    std::fs::write(root.join("compile_commands.json"), serde_json::Value::Array(entries).to_string()).unwrap();
    (dir, root)
}

fn read(root: &Path, libclang: Option<PathBuf>, self_exe: &str) -> (Model, usize) {
    let database = Database::load(None, root).unwrap();
    let options = ParseOptions {
        libclang,
        cache_dir: Some(root.join("cache")),
        jobs: 2,
        root: root.to_path_buf(),
        only: None,
        self_exe: Some(self_exe.into()),
        namesakes: Default::default(),
    };
    let (model, problems) = parse::project(&database, &options).unwrap();
    (model, problems.len())
}

#[test]
fn every_installed_libclang_gives_the_same_model() {
    let (_dir, root) = project(&[("n.hpp", HEADER), ("n.cpp", SOURCE)]);
    let libraries = libraries();
    assert!(!libraries.is_empty(), "no libclang below /usr/lib/llvm-*");
    let mut models =
        libraries.iter().map(|libclang| read(&root, Some(libclang.clone()), env!("CARGO_BIN_EXE_motif-cpp")).0);
    let first = models.next().unwrap();
    assert!(
        first
            .functions
            .values()
            .any(|function| function.id
                == "make(const std::map<std::string, n::POS *> &, n::Ring<n::POS> &, std::size_t)")
    );
    for other in models {
        // Compared as text, so that a difference can be read.
        let text = |model: &Model| serde_json::to_string_pretty(model).unwrap();
        let (one, two) = (text(&first), text(&other));
        let diff = similar::TextDiff::from_lines(&one, &two).unified_diff().to_string();
        assert!(diff.is_empty(), "{diff}");
    }
}

#[test]
fn a_reading_process_that_dies_costs_its_own_unit() {
    let (_dir, root) = project(&[("a.cpp", "int f() { return 1; }\n"), ("b.cpp", "int g() { return 2; }\n")]);
    let script = root.join("reader.sh");
    let exe = env!("CARGO_BIN_EXE_motif-cpp");
    let text = format!("#!/bin/sh\nif grep -q b.cpp \"$2\"; then kill -SEGV $$; fi\nexec '{exe}' \"$@\"\n");
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (model, problems) = read(&root, None, script.to_str().unwrap());
    assert_eq!(problems, 1);
    assert!(model.functions.values().any(|function| function.id == "f()"));
    let lost = model.units.iter().find(|unit| unit.main_file.ends_with("b.cpp")).unwrap();
    assert!(lost.errors[0].contains("signal"), "{}", lost.errors[0]);
}
