//! The files that build the emitted tests: a `CMakeLists.txt` that is as long for one test as for a thousand, what it
//! includes, and the lists that it reads.

use super::project::{Flag, Project, flags, link_flags};
use super::write::TestFile;
use crate::compdb::CompileCommand;
use crate::generate::failing_calls::{REAL, WRAP};
use crate::model::Language;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Seconds after which CTest ends a test: a mutant may never come back.
const TIME_LIMIT: u32 = 20;

/// The list of the tests.
pub const TESTS: &str = "tests.list";

/// The files that stand in `folder` beside `files`: names and texts.
pub fn lists(folder: &Path, files: &[TestFile<'_>], project: &Project) -> Result<Vec<(&'static str, String)>> {
    let sanitizers: BTreeSet<Option<String>> = files.iter().map(|f| f.case.sanitizer.map(|s| s.to_string())).collect();
    // The plain one is there for those who use the lists in a build of their own.
    let libraries = sanitizers.into_iter().chain([None]).map(|sanitizer| library_name(sanitizer.as_deref()));
    let values = json!({
        "folder": folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        "compilers": compilers(files, project),
        "finds": finds(files, project),
        "frameworks": frameworks(files, project),
        "root": root(folder, &project.home),
        "libraries": libraries.collect::<BTreeSet<_>>().iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
        "missing": (!project.missing.is_empty()).then_some(MISSING),
        "time_limit": TIME_LIMIT,
    });
    let mut out = vec![("project.cmake", code_under_test(project)?)];
    for (name, template) in [
        ("CMakeLists.txt", include_str!("../../cpp-templates/tests/CMakeLists.txt.tera")),
        ("regression_tests.cmake", include_str!("../../cpp-templates/tests/regression_tests.cmake.tera")),
    ] {
        out.push((name, rendered(template, &values)?));
    }
    out.push(("mutant.cmake", include_str!("../../cpp-templates/tests/mutant.cmake").to_owned()));
    out.push((TESTS, tests(files, project)));
    out.push(("mutants.list", mutants(files, project)));
    Ok(out)
}

pub(super) fn rendered(template: &str, values: &Value) -> Result<String> {
    let mut tera = tera::Tera::default();
    tera.add_raw_template("file", template)?;
    Ok(tera.render("file", &tera::Context::from_serialize(values)?)?)
}

/// `project.cmake`: the code under test.
pub(super) fn code_under_test(project: &Project) -> Result<String> {
    let (mut doubles, mut sources): (Vec<_>, Vec<_>) =
        project.sources.iter().partition(|source| project.doubles.contains(&source.file));
    // The functions that they replace are in programs, which nobody links.
    if sources.is_empty() {
        std::mem::swap(&mut sources, &mut doubles);
    }
    let paths = |sources: &[&CompileCommand]| sources.iter().map(|s| path(&s.file, project)).collect::<Vec<_>>();
    let link_flags: BTreeSet<Vec<String>> = project.sources.iter().map(|source| link_flags(&flags(source))).collect();
    let mut link: Vec<&String> = Vec::new();
    for flag in link_flags.iter().flatten() {
        if !link.contains(&flag) {
            link.push(flag);
        }
    }
    let header = |header: &std::path::PathBuf| {
        let includers = project.affected(header);
        json!({ "path": path(header, project), "includers": paths(&includers) })
    };
    let values = json!({
        "sources": paths(&sources),
        "doubles": paths(&doubles),
        "programs": paths(&project.programs.iter().collect::<Vec<_>>()),
        "headers": project.headers.iter().map(header).collect::<Vec<_>>(),
        "groups": groups(project),
        // After the project's own code, which may define functions of the same names.
        "linked": project.libraries.iter().map(|l| quoted(l, project)).chain(["m".to_owned()]).collect::<Vec<_>>(),
        "link_flags": link.iter().map(|flag| quoted(flag, project)).collect::<Vec<_>>(),
    });
    rendered(include_str!("../../cpp-templates/tests/project.cmake.tera"), &values)
}

/// The lines of `tests.list`.
fn tests(files: &[TestFile<'_>], project: &Project) -> String {
    let line = |file: &TestFile<'_>| {
        let access = if file.case.private_access { "private" } else { "public" };
        let source = file.case.source_include.as_ref().map(|_| "includes_source".to_owned());
        let sanitizer = file.case.sanitizer.map(|sanitizer| sanitizer.to_string());
        let wraps = wrapped(&file.text).into_iter().map(|symbol| format!("wrap={symbol}"));
        let needs: Vec<String> =
            std::iter::once(access.to_owned()).chain(source).chain(sanitizer).chain(wraps).collect();
        format!("{} | {} | {}\n", file.name, from_root(&file.case.command_file, project), needs.join(" "))
    };
    let head = "# A test, the source whose flags it is compiled with, and what else it needs.\n";
    std::iter::once(head.to_owned()).chain(files.iter().map(line)).collect()
}

/// The symbols that a test has defined in the place of others, by the linker's `--wrap`.
pub fn wrapped(text: &str) -> BTreeSet<&str> {
    let behind = text.split(WRAP).skip(1);
    let names = behind.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
    names.filter(|name| text.contains(&format!("{REAL}{name}("))).collect()
}

/// The lines of `mutants.list`.
fn mutants(files: &[TestFile<'_>], project: &Project) -> String {
    let lines = files.iter().flat_map(|file| &file.mutants);
    let lines = lines.map(|(id, original)| format!("{id} | {}\n", from_root(original, project)));
    std::iter::once("# A mutant, and its original.\n".to_owned()).chain(lines).collect()
}

/// A path as lists have it.
pub(super) fn from_root(path: &Path, project: &Project) -> String {
    project.relative(path).unwrap_or(path).display().to_string()
}

/// The file that stands in for what nobody defines: a test that calls such a function has a stand-in of its own.
pub const MISSING: &str = "missing.c";

fn library_name(sanitizer: Option<&str>) -> String {
    let suffix = sanitizer.map(|s| format!("_{}", super::write::identifier(s))).unwrap_or_default();
    format!("code_under_test{suffix}")
}

fn compilers(files: &[TestFile<'_>], project: &Project) -> Vec<Value> {
    let used: BTreeSet<Language> =
        project.sources.iter().map(|s| s.language).chain(files.iter().map(|f| f.case.language)).collect();
    // Stand-ins for missing code are C.
    let stands_in = (!project.missing.is_empty()).then_some(Language::C);
    let used: BTreeSet<Language> = used.into_iter().chain(stands_in).collect();
    used.into_iter()
        .map(|language| {
            let of_project = project.sources.iter().find(|s| s.language == language).map(|s| s.compiler.as_str());
            let (name, variable, usual) = match language {
                Language::C => ("C", "CC", "cc"),
                Language::Cxx => ("CXX", "CXX", "c++"),
            };
            json!({ "language": name, "variable": variable, "name": quoted(of_project.unwrap_or(usual), project) })
        })
        .collect()
}

/// The lines that find the frameworks of the tests.
fn finds(files: &[TestFile<'_>], project: &Project) -> BTreeSet<&'static str> {
    let rows = files.iter().map(|file| project.framework(file.case.language));
    let finds = rows.filter(|row| project.shipped_header(row).is_none()).map(|row| row.find);
    finds.filter(|find| !find.is_empty()).collect()
}

/// The sources by their flags.
fn groups(project: &Project) -> Vec<Value> {
    let mut by_flags: BTreeMap<(Vec<Flag>, Option<&'static str>), Vec<String>> = BTreeMap::new();
    for source in project.sources.iter().chain(&project.programs) {
        by_flags.entry((flags(source), unusual_language(source))).or_default().push(path(&source.file, project));
    }
    by_flags
        .into_iter()
        .filter(|((flags, language), _)| !flags.is_empty() || language.is_some())
        .map(|((flags, language), files)| (files, words(&flags, project), language))
        .map(|(files, flags, language)| json!({ "files": files, "flags": flags, "language": language }))
        .collect()
}

/// The language where the file's name says another.
fn unusual_language(source: &CompileCommand) -> Option<&'static str> {
    let by_name = match source.file.extension().and_then(|e| e.to_str()) {
        Some("c") => Some(Language::C),
        Some("cpp" | "cc" | "cxx" | "C" | "c++" | "CPP" | "mpp") => Some(Language::Cxx),
        _ => None,
    };
    match (by_name == Some(source.language), source.language) {
        (true, _) => None,
        (_, Language::C) => Some("C"),
        (_, Language::Cxx) => Some("CXX"),
    }
}

/// How the tests in each language are linked and found.
fn frameworks(files: &[TestFile<'_>], project: &Project) -> Vec<Value> {
    let languages: BTreeSet<Language> = files.iter().map(|file| file.case.language).collect();
    let of = |language: Language| {
        let (name, row) = (if language == Language::C { "C" } else { "CXX" }, project.framework(language));
        let target = if project.shipped_header(row).is_none() { row.target } else { "" };
        json!({ "language": name, "target": target, "discovers": row.discovers })
    };
    languages.into_iter().map(of).collect()
}

/// Flags as quoted words, paths from the project's root where they lie below it.
fn words(flags: &[Flag], project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    for flag in flags {
        match flag {
            Flag::Plain(arg) => out.push(quoted(arg, project)),
            Flag::Pair(name, value) => out.push(format!("{} {}", quoted(name, project), quoted(value, project))),
            Flag::Path { flag, path: to, apart: true } => out.push(format!("{flag} {}", path(to, project))),
            Flag::Path { flag, path: to, apart: false } => {
                out.push(format!("\"{flag}{}\"", path(to, project).trim_matches('"')));
            }
        }
    }
    out
}

/// A path as a quoted argument.
fn path(path: &Path, project: &Project) -> String {
    match project.relative(path) {
        Some(relative) if relative.as_os_str().is_empty() => "\"${PROJECT_ROOT}\"".to_owned(),
        Some(relative) => format!("\"${{PROJECT_ROOT}}/{}\"", escaped(&relative.display().to_string())),
        None => format!("\"{}\"", escaped(&path.display().to_string())),
    }
}

/// A word as a quoted argument; bare where it needs no quotes.
fn quoted(word: &str, project: &Project) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:".contains(c);
    let root = format!("{}/", project.root.display());
    if word.contains(&root) && root.len() > 1 {
        let parts: Vec<String> = word.split(&root).map(escaped).collect();
        format!("\"{}\"", parts.join("${PROJECT_ROOT}/"))
    } else if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("\"{}\"", escaped(word))
    }
}

/// The inside of a quoted argument: no variable, no list separator, no generator expression.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // `$<` would open a generator expression; one that yields `$` stands for it.
            '$' if chars.peek() == Some(&'<') => out.push_str("$<1:$>"),
            '\\' | '"' | '$' | ';' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Where the root is, seen from the lists file.
pub(super) fn root(folder: &Path, root: &Path) -> String {
    match folder.strip_prefix(root) {
        Ok(below) => {
            let up = vec![".."; below.components().count()].join("/");
            format!("\"${{CMAKE_CURRENT_SOURCE_DIR}}/{up}\"")
        }
        Err(_) => format!("\"{}\"", escaped(&root.display().to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Project {
        Project { root: "/p".into(), ..Project::default() }
    }

    #[test]
    fn paths_below_the_root_follow_the_root() {
        assert_eq!(path(Path::new("/p/src/a b.cpp"), &project()), "\"${PROJECT_ROOT}/src/a b.cpp\"");
        assert_eq!(path(Path::new("/usr/include"), &project()), "\"/usr/include\"");
        assert_eq!(quoted("-DDATA=\"/p/data\"", &project()), "\"-DDATA=\\\"${PROJECT_ROOT}/data\\\"\"");
        assert_eq!(root(Path::new("/p/motif.out/tests"), Path::new("/p")), "\"${CMAKE_CURRENT_SOURCE_DIR}/../..\"");
    }

    #[test]
    fn nothing_in_a_flag_is_taken_for_cmake() {
        assert_eq!(quoted("-DX=${HOME};y", &project()), "\"-DX=\\${HOME}\\;y\"");
        assert_eq!(quoted("-DX=a$<b", &project()), "\"-DX=a$<1:$><b\"");
        assert_eq!(quoted("-O2", &project()), "-O2");
    }
}
