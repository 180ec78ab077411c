//! The includes of an adopted test, spelled as its neighbours spell them.

use super::style::{Style, operand};
use crate::compdb::CompileCommand;
use crate::emit::framework::Row;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where includes lead, from where the test was and from where it goes to.
pub struct Includes<'i> {
    /// The project's root: emitted tests spell includes from there.
    pub root: &'i Path,
    /// The folder that the test goes to.
    pub folder: &'i Path,
    /// The compile command of the unit's source.
    pub source: Option<&'i CompileCommand>,
    /// The compile command of a neighbour.
    pub neighbour: Option<&'i CompileCommand>,
    /// The neighbours.
    pub style: &'i Style,
}

impl Includes<'_> {
    /// `text` with its includes as the neighbours have them. In a program that has a `main` (`joins`), the framework is
    /// not asked for one.
    pub fn respelled(&self, text: &str, row: &Row, joins: bool) -> String {
        let framework = self.framework(row);
        let mut out = String::new();
        let mut in_main = false;
        for line in text.lines() {
            let is_own = row.include.lines().any(|own| own == line);
            let inner = operand(line).map(inner_of);
            let is_known = inner.is_some_and(|inner| row.is_known_by(inner));
            // What the program that is joined has: macros that ask for a `main`, a `main`, and what that needs.
            in_main |= joins && !row.ends.is_empty() && line.starts_with("int main(");
            let is_for_main = line.starts_with("#define ") || is_known && inner != Some(row.header);
            if in_main || joins && is_own && is_for_main {
                in_main &= line != "}";
                continue;
            }
            let spelled = operand(line).and_then(|operand| {
                if is_own {
                    return framework.clone().filter(|_| inner == Some(row.header));
                }
                let inner = operand.strip_prefix('"')?.strip_suffix('"')?;
                self.spelled(&self.file(inner)?)
            });
            match spelled {
                Some(operand) => out.push_str(&format!("#include {operand}")),
                None => out.push_str(line),
            }
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        out + "\n"
    }

    /// How most neighbours include the framework.
    fn framework(&self, row: &Row) -> Option<String> {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for operand in self.style.includes() {
            let inner = inner_of(operand);
            if row.is_known_by(inner) && row.header.ends_with(name_of(inner)) {
                *times.entry(operand).or_default() += 1;
            }
        }
        times.into_iter().max_by_key(|(_, times)| *times).map(|(operand, _)| operand.to_owned())
    }

    /// The file of the project that an emitted test includes.
    pub fn file(&self, inner: &str) -> Option<PathBuf> {
        let folders = self.source.map(folders).unwrap_or_default();
        std::iter::once(self.root.to_path_buf()).chain(folders).map(|folder| folder.join(inner)).find_map(real)
    }

    /// How the test includes a file: as a neighbour does, else as short as the neighbours' flags allow, else by the way
    /// that leads there from the test.
    fn spelled(&self, file: &Path) -> Option<String> {
        let known = self.neighbour.map(folders);
        let by_neighbour = self
            .style
            .files
            .iter()
            .flat_map(|(path, text)| super::style::includes(text).map(move |operand| (path, operand)));
        let leads_there = |(_, operand): &(&PathBuf, &str)| {
            let inner = inner_of(operand);
            let beside = operand.starts_with('"') && real(self.folder.join(inner)).is_some_and(|real| real == file);
            // (A build may leave a copy of a header.)
            let is_it = |real: PathBuf| real == file || name_of(inner) == name_of_path(file) && is_copy(&real, file);
            let found = match &known {
                Some(folders) => folders.iter().find_map(|folder| real(folder.join(inner))).is_some_and(is_it),
                None => !inner.starts_with("..") && file.ends_with(inner),
            };
            beside || found
        };
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, operand) in by_neighbour.filter(leads_there) {
            *times.entry(operand).or_default() += 1;
        }
        if let Some((operand, _)) = times.into_iter().max_by_key(|(_, times)| *times) {
            return Some(operand.to_owned());
        }
        let shortest = known.iter().flatten().filter_map(|folder| file.strip_prefix(folder).ok());
        let shortest = shortest.min_by_key(|inner| inner.as_os_str().len()).map(Path::to_path_buf);
        let inner = shortest.or_else(|| way(self.folder, file))?;
        Some(format!("\"{}\"", inner.display()))
    }
}

/// The file that `file` includes, as its command finds it.
pub fn found_from(file: &Path, inner: &str, command: Option<&CompileCommand>) -> Option<PathBuf> {
    let beside = file.parent().map(Path::to_path_buf);
    beside.into_iter().chain(command.map(folders).unwrap_or_default()).find_map(|folder| real(folder.join(inner)))
}

/// An operand without its quotes.
pub fn inner_of(operand: &str) -> &str {
    operand.trim_matches(['<', '>', '"'])
}

fn name_of(inner: &str) -> &str {
    inner.rsplit('/').next().unwrap_or(inner)
}

fn name_of_path(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn is_copy(one: &Path, other: &Path) -> bool {
    matches!((std::fs::read(one), std::fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

fn real(path: PathBuf) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|path| path.is_file())
}

/// The folders that a command looks up includes in.
fn folders(command: &CompileCommand) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut args = command.args.iter();
    while let Some(arg) = args.next() {
        let option =
            ["-I", "-iquote", "-isystem", "-idirafter"].into_iter().find_map(|option| arg.strip_prefix(option));
        let Some(rest) = option else { continue };
        let folder = if rest.is_empty() { args.next().cloned().unwrap_or_default() } else { rest.to_owned() };
        let folder = command.directory.join(folder);
        found.push(folder.canonicalize().unwrap_or(folder));
    }
    found
}

/// The relative path that leads from a folder to a file.
pub fn way(from: &Path, to: &Path) -> Option<PathBuf> {
    let common = from.ancestors().find(|above| to.starts_with(above))?;
    let up = from.strip_prefix(common).ok()?.components().map(|_| "..");
    Some(up.collect::<PathBuf>().join(to.strip_prefix(common).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Framework;
    use crate::model::Language;
    use std::fs;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (file, text) in [("src/a.h", ""), ("include/lib/b.h", ""), ("include/lib/c.h", ""), ("test/x_test.cc", "")]
        {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        (folder, root)
    }

    fn command(root: &Path, args: &[&str]) -> CompileCommand {
        CompileCommand {
            file: root.join("test/x_test.cc"),
            language: Language::Cxx,
            directory: root.join("test"),
            compiler: "c++".into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            std: None,
        }
    }

    #[test]
    fn includes_are_spelled_as_neighbours_spell_them_or_by_the_way_that_leads_there() {
        let (_folder, root) = project();
        let text = "#include <gtest/gtest.h>\n#include \"src/a.h\"\n#include \"lib/b.h\"\n#include \"lib/c.h\"\n";
        let neighbour = "#include \"gtest/gtest.h\"\n#include <lib/b.h>\n";
        let style = Style { files: vec![(root.join("test/x_test.cc"), neighbour.into())], headers: Vec::new() };
        let source = command(&root, &["-I", "../include"]);
        let known = command(&root, &["-I../include"]);
        let folder = root.join("test");
        let row = Row::of(Framework::Gtest);
        let includes =
            |neighbour| Includes { root: &root, folder: &folder, source: Some(&source), neighbour, style: &style };
        let of_known = includes(Some(&known)).respelled(text, row, true);
        let head = "#include \"gtest/gtest.h\"\n#include \"../src/a.h\"\n#include <lib/b.h>\n";
        assert_eq!(of_known, format!("{head}#include \"lib/c.h\"\n"));
        let of_unknown = includes(None).respelled(text, row, true);
        assert_eq!(of_unknown, format!("{head}#include \"../include/lib/c.h\"\n"));
    }

    #[test]
    fn a_test_that_joins_a_program_brings_no_main() {
        let (_folder, root) = project();
        let row = Row::of(Framework::Doctest);
        let style = Style::default();
        let includes =
            Includes { root: &root, folder: &root.join("test"), source: None, neighbour: None, style: &style };
        let text = format!("{}\n", row.include);
        assert!(!includes.respelled(&text, row, true).contains("IMPLEMENT_WITH_MAIN"));
        assert_eq!(includes.respelled(&text, row, false), text);
    }
}
