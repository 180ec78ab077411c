//! Whose build folder it is: that of a copied project, a worktree or a restored CI cache may name another copy of the
//! sources, which would be mutated and tested in the project's place.

use crate::diag::Problem;
use std::path::{Path, PathBuf};

/// So many files are compared with the project's.
const COMPARED: usize = 20;

/// Refuses the database of `build` that names no file of the project at `root`, but `files` that the project has a copy
/// of.
pub(super) fn check(build: &Path, root: &Path, files: &[&Path]) -> Result<(), Problem> {
    if files.iter().any(|file| file.starts_with(root)) {
        return Ok(());
    }
    let other = home(build).or_else(|| common(files.iter().filter_map(|file| file.parent()))).unwrap_or_default();
    let has_copy = |file: &&Path| match file.strip_prefix(&other) {
        // All may be in one folder, `src` say, that is a folder of the project too.
        Ok(inside) => {
            let last = other.file_name().map(Path::new).unwrap_or(Path::new(""));
            root.join(inside).is_file() || root.join(last).join(inside).is_file()
        }
        Err(_) => false,
    };
    if root.starts_with(&other) || other.starts_with(root) || !files.iter().take(COMPARED).any(has_copy) {
        return Ok(());
    }
    let (other, root) = (other.display(), root.display());
    let what = format!(
        "this build folder belongs to another copy of the sources: it builds {other}, and the project is {root}"
    );
    let fix = format!(
        "configure a build folder of this copy and name it with -p DIR, or work on the other one with -C {other}"
    );
    Err(Problem::usage("compdb-foreign", what, fix).at(build))
}

/// Whether this machine has the compiler of a command in `directory`.
pub(super) fn has_compiler(directory: &Path, name: &str) -> bool {
    if name.contains('/') {
        return directory.join(name).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Where CMake found the sources of a build folder.
fn home(build: &Path) -> Option<PathBuf> {
    let cache = std::fs::read_to_string(build.join("CMakeCache.txt")).ok()?;
    let home = PathBuf::from(cache.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="))?);
    Some(home.canonicalize().unwrap_or(home))
}

/// The folder that all of these are in.
fn common<'p>(mut folders: impl Iterator<Item = &'p Path>) -> Option<PathBuf> {
    let first = folders.next()?.to_path_buf();
    Some(folders.fold(first, |common, folder| {
        common.iter().zip(folder).take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compdb::Database;

    /// Two copies of a project and the problem that `of` has with the build folder of `built`.
    fn seen(of: &str, built: &str, cmake: bool) -> Result<(), Problem> {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        for project in ["one", "two", "other"] {
            std::fs::create_dir_all(base.join(project).join("src")).unwrap();
            std::fs::create_dir_all(base.join(project).join("build")).unwrap();
            let file = if project == "other" { "src/b.c" } else { "src/a.c" };
            std::fs::write(base.join(project).join(file), "int x;\n").unwrap();
        }
        let of = base.join(of);
        let name = if built == "other" { "src/b.c" } else { "src/a.c" };
        let built = base.join(built);
        let entry = serde_json::json!([{ "directory": built.join("build"), "file": built.join(name),
            "arguments": ["cc", "-c", built.join(name)] }]);
        std::fs::write(of.join("build/compile_commands.json"), entry.to_string()).unwrap();
        if cmake {
            let text = format!("# a cache\nCMAKE_HOME_DIRECTORY:INTERNAL={}\n", built.display());
            std::fs::write(of.join("build/CMakeCache.txt"), text).unwrap();
        }
        Database::load(None, &of).map(drop).map_err(|error| error.downcast().unwrap())
    }

    #[test]
    fn a_build_folder_of_another_copy_is_refused_with_both_paths() {
        for cmake in [true, false] {
            assert_eq!(seen("one", "one", cmake), Ok(()));
            let problem = seen("two", "one", cmake).unwrap_err();
            assert_eq!(problem.code, "compdb-foreign");
            assert!(problem.what.contains("/one") && problem.what.contains("/two"), "{problem}");
        }
    }

    #[test]
    fn sources_that_stand_beside_the_project_are_no_copy_of_it() {
        assert_eq!(seen("two", "other", true), Ok(()));
        assert_eq!(seen("two", "other", false), Ok(()));
    }

    #[test]
    fn a_compiler_is_looked_for_where_the_command_would_find_it() {
        for (name, there) in [("/opt/none/bin/armcc", false), ("/bin/sh", true), ("sh", true), ("no-such-gcc", false)] {
            assert_eq!(has_compiler(Path::new("/"), name), there, "{name}");
        }
        assert!(has_compiler(Path::new("/bin"), "./sh"));
    }
}
