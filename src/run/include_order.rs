//! How headers are included: in the order in which the source comes to them, by the shortest name.

use crate::compdb::CompileCommand;
use crate::emit::framework::INSTALLED;
use crate::model::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The places of the files of the project that a file includes, in their order.
pub(super) fn included<'m>(model: &'m Model, file: &'m Path) -> BTreeMap<&'m Path, usize> {
    let (mut open, mut order) = (vec![file], BTreeMap::new());
    while let Some(file) = open.pop() {
        if !order.contains_key(file) {
            order.insert(file, order.len());
            let includes = model.files.get(file).map(|file| &file.includes);
            open.extend(includes.into_iter().flatten().rev().map(|(_, path)| path.as_path()));
        }
    }
    order
}

/// Whether a header includes another one, or a header that does.
pub(super) fn reaches(model: &Model, from: &Path, to: &Path) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(file) = open.pop() {
        if file == to {
            return true;
        }
        if seen.insert(file) {
            open.extend(model.files.get(file).iter().flat_map(|file| &file.includes).map(|(_, path)| path.as_path()));
        }
    }
    false
}

/// The operand of `#include` for a file: the shortest that an include path allows, else its path.
pub(super) fn include_operand(file: &Path, command: &CompileCommand) -> String {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut args = command.args.iter();
    while let Some(arg) = args.next() {
        for option in ["-I", "-iquote", "-isystem", "-idirafter"] {
            if let Some(rest) = arg.strip_prefix(option) {
                let folder = if rest.is_empty() {
                    args.next().cloned().unwrap_or_default()
                } else {
                    rest.trim_start().to_owned()
                };
                let folder = command.directory.join(folder);
                folders.push(folder.canonicalize().unwrap_or(folder));
                break;
            }
        }
    }
    let name =
        folders.iter().filter_map(|folder| file.strip_prefix(folder).ok()).min_by_key(|name| name.as_os_str().len());
    let installed = INSTALLED.iter().find_map(|folder| file.strip_prefix(folder).ok());
    let is_hidden = |name: &Path| folders.iter().any(|folder| folder.join(name).exists());
    match (name, installed.filter(|name| !is_hidden(name))) {
        (None, Some(name)) => format!("<{}>", name.display()),
        (name, _) => format!("\"{}\"", name.unwrap_or(file).display()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn headers_stand_in_the_order_in_which_a_source_comes_to_them() {
        let files = [
            ("types.h", "struct place { int at; };\n"),
            ("area.h", "int area_of(struct place *place);\n"),
            ("all.h", "#include \"types.h\"\n#include \"area.h\"\n"),
            ("use.c", "#include \"all.h\"\nint use(struct place *place) { return area_of(place); }\n"),
        ];
        let model = crate::parse::testing::Small::new(&files, "").model();
        let places = super::included(&model, &model.units[0].main_file);
        let mut order: Vec<_> = places.iter().map(|(file, place)| (place, file.file_name().unwrap())).collect();
        order.sort();
        assert!(order.iter().map(|(_, name)| *name).eq(["use.c", "all.h", "types.h", "area.h"]));
    }
}
