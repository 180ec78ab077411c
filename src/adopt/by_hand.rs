//! What a person has to write into a build that is not edited.

use crate::emit::framework::Row;
use std::path::Path;

/// The lines for a new file, and where they belong.
pub fn by_hand(root: &Path, into: &Path, lists: Option<&Path>, file: &Path, row: &Row) -> String {
    let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let find = |name: &str| {
        into.ancestors()
            .take_while(|folder| folder.starts_with(root))
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
    };
    let (stem, own) = (file.file_stem().unwrap_or_default().to_string_lossy(), shown(file));
    let linked = if row.target.is_empty() { String::new() } else { format!(" {}", row.target) };
    if let Some(meson) = find("meson.build") {
        let name = file.strip_prefix(meson.parent().unwrap_or(root)).unwrap_or(file).display().to_string();
        let line = format!("test('{stem}', executable('{stem}', '{name}', dependencies: test_deps))");
        return format!("add to {}: {line}, or '{name}' to the sources of its test program", shown(&meson));
    }
    if let Some(lists) = lists {
        let name = file.strip_prefix(lists.parent().unwrap_or(root)).unwrap_or(file).display().to_string();
        let program = format!("add_executable({stem} {name}), target_link_libraries({stem} YOUR_LIBRARY{linked})");
        let lines = format!("{program}, add_test(NAME {stem} COMMAND {stem})");
        return format!("add to {}: {lines}", shown(lists));
    }
    let make = ["Makefile.am", "Makefile", "makefile", "GNUmakefile"].into_iter().find_map(find);
    match make {
        Some(make) => {
            format!("add {own} to the sources of a test program in {}: no list of tests was found there", shown(&make))
        }
        None => format!("add {own} to the build of the tests: no CMakeLists.txt, meson.build or Makefile was found"),
    }
}
