//! Small projects for tests.

use super::{ParseOptions, project};
use crate::compdb::Database;
use crate::model::Model;
use std::path::{Path, PathBuf};

/// A project in a temporary folder, compiled from `files`; every `.c` and `.cpp` file is in its database.
pub(crate) struct Small {
    _dir: tempfile::TempDir,
    pub root: PathBuf,
    pub database: Database,
    pub options: ParseOptions,
}

impl Small {
    pub fn new(files: &[(&str, &str)], flags: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut entries = Vec::new();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            let compiler = match Path::new(name).extension().and_then(|e| e.to_str()) {
                Some("c") => "clang",
                Some("cpp") => "clang++",
                _ => continue,
            };
            entries.push(serde_json::json!({
                "directory": root, "file": name, "command": format!("{compiler} -I. {flags} -c {name}"),
            }));
        }
        let text = serde_json::Value::Array(entries).to_string();
        std::fs::write(root.join("compile_commands.json"), text).unwrap();
        let database = Database::load(None, &root).unwrap();
        let options = ParseOptions {
            libclang: None,
            cache_dir: None,
            jobs: 1,
            root: root.clone(),
            only: None,
            self_exe: None,
            namesakes: Default::default(),
        };
        Self { _dir: dir, root, database, options }
    }

    pub fn model(&self) -> Model {
        let (model, problems) = project(&self.database, &self.options).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        model
    }
}

/// The model of one C++17 file.
pub(crate) fn read_cpp(text: &str) -> Model {
    Small::new(&[("a.cpp", text)], "-std=c++17").model()
}

/// The model of one C11 file.
pub(crate) fn read_c(text: &str) -> Model {
    Small::new(&[("a.c", text)], "-std=c11").model()
}
