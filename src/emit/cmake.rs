//! The `CMakeLists.txt` that builds the emitted tests against the project.

use super::project::{Flag, Project, flags, link_flags, with_test_standard};
use super::write::TestFile;
use crate::compdb::CompileCommand;
use crate::model::Language;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Seconds after which CTest ends a test: a mutant may never come back.
const TIME_LIMIT: u32 = 20;

/// The text of the lists file that stands in `folder` beside `files`.
pub fn lists(folder: &Path, files: &[TestFile<'_>], project: &Project) -> Result<String> {
    let sanitizers: BTreeSet<Option<String>> = files.iter().map(|f| f.case.sanitizer.map(|s| s.to_string())).collect();
    let (mut doubles, mut sources): (Vec<_>, Vec<_>) =
        project.sources.iter().partition(|source| project.doubles.contains(&source.file));
    // The functions that they replace are in programs, which nobody links.
    if sources.is_empty() {
        std::mem::swap(&mut sources, &mut doubles);
    }
    let paths = |sources: &[&CompileCommand]| sources.iter().map(|s| path(&s.file, project)).collect::<Vec<_>>();
    let library =
        |sanitizer: &Option<String>| json!({ "name": library_name(sanitizer.as_deref()), "sanitizer": sanitizer });
    let mut names = BTreeSet::new();
    let lists = json!({
        "compilers": compilers(files, project),
        "finds": finds(files, project),
        "root": root(folder, &project.home),
        "sources": paths(&sources),
        "doubles": paths(&doubles),
        "programs": paths(&project.programs.iter().collect::<Vec<_>>()),
        "headers": project.headers.iter().map(|h| path(h, project)).collect::<Vec<_>>(),
        "groups": groups(project),
        "libraries": sanitizers.iter().map(library).collect::<Vec<_>>(),
        // After the project's own code, which may define functions of the same names.
        "linked": project.libraries.iter().map(|l| quoted(l, project)).chain(["m".to_owned()]).collect::<Vec<_>>(),
        "missing": (!project.missing.is_empty()).then_some(MISSING),
        "tests": files.iter().map(|f| test(f, project, &mut names)).collect::<Vec<_>>(),
        "time_limit": TIME_LIMIT,
    });
    let mut tera = tera::Tera::default();
    tera.add_raw_template("lists", include_str!("../../cpp-templates/CMakeLists.tests.tera"))?;
    Ok(tera.render("lists", &tera::Context::from_serialize(lists)?)?)
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
    for source in &project.sources {
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

/// One program of tests. `names` are those that the lists file has already.
fn test(file: &TestFile<'_>, project: &Project, names: &mut BTreeSet<String>) -> Value {
    let own = project.source(&file.case.command_file).map(flags).unwrap_or_default();
    let link = link_flags(&own);
    let own = with_test_standard(own, file.case.language);
    let mut flags = words(&own, project);
    // Includes in the tests are spelled from the project's root.
    flags.push("-iquote \"${PROJECT_ROOT}\"".to_owned());
    let name = file.name.rsplit_once('.').map_or(file.name.as_str(), |(stem, _)| stem).to_owned();
    let row = project.framework(file.case.language);
    // Mutants that one test kills share it.
    let filters: BTreeSet<&str> = file.tests.iter().filter_map(|test| test.filter.as_deref()).collect();
    let mut case = |filter: &str| {
        let unique = if names.insert(filter.to_owned()) { filter.to_owned() } else { format!("{name}.{filter}") };
        json!({ "name": unique, "argument": format!(" {}", row.arguments(filter).join(" ")) })
    };
    let cases: Vec<Value> = match filters.is_empty() {
        true => vec![json!({ "name": name, "argument": "" })],
        false => filters.into_iter().map(&mut case).collect(),
    };
    json!({
        "name": name,
        "file": file.name.clone(),
        "flags": flags,
        "link_flags": link.iter().map(|f| quoted(f, project)).collect::<Vec<_>>(),
        "target": if project.shipped_header(row).is_none() { row.target } else { "" },
        "discovers": row.discovers,
        "cases": cases,
        "private_access": file.case.private_access,
        "library": library_name(file.case.sanitizer.map(|s| s.to_string()).as_deref()),
    })
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
fn root(folder: &Path, root: &Path) -> String {
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
