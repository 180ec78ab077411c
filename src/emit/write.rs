//! Tests as files: which tests share a file or a body, their names, and the text of the file.

use super::comment::{safe, wrap};
use super::format::Formatter;
use super::framework::Row;
use super::project::Project;
use super::{TestCase, cmake, conditions, own_macros, render};
use crate::diag::Problem;
use crate::generate::failing_calls::WRAP;
use crate::generate::hiding_macros;
use crate::generate::stand_ins::StandIns;
use crate::model::Language;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The longest file name stem; file systems end at 255 bytes.
const LONGEST_STEM: usize = 160;

/// A mutant's test as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTest {
    /// The mutant.
    pub mutant_id: String,
    /// The test for `outcomes.json`, relative to the output folder: `tests/FILE#Suite.Name`, in C `tests/FILE#Name`; in
    /// `unproved/` where it could not be proved.
    pub reference: String,
    /// The file's name within `tests/`.
    pub file: String,
    /// `Suite.Name` of a C++ test, the name of a C test.
    pub filter: String,
}

/// A helper that only declares: `R f(P);`, perhaps within namespaces.
fn is_declaration(helper: &str) -> bool {
    // It stands in for a name at global scope.
    if helper.contains(WRAP) {
        return true;
    }
    let inner = helper.trim_end_matches([' ', '}']);
    inner.ends_with(");") && (helper.starts_with("namespace ") || inner.len() == helper.len()) && !helper.contains('\n')
}

/// The function that a helper defines for the bodies of tests alone: without one that calls it, it says nothing.
fn own_function(helper: &str) -> Option<&str> {
    let is_own = ["static ", "template <"].iter().any(|begin| helper.starts_with(begin));
    let head = helper.lines().find(|line| line.ends_with(") {")).filter(|_| is_own && !helper.contains(WRAP))?;
    head.split_once('(')?.0.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// A file of tests before it is on disk.
#[derive(Clone, Debug)]
pub struct TestFile<'c> {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its text as it is proved: a program with a `main` of its own runs the test that its argument names.
    pub text_for_proof: String,
    /// Its first case; how it is built is the same for all.
    pub case: &'c TestCase,
    /// The tests in it, one for each mutant.
    pub tests: Vec<WrittenTest>,
    /// The mutants, each with its original.
    pub mutants: Vec<(&'c str, &'c Path)>,
}

/// Writes the tests of `cases` and a `CMakeLists.txt` that builds them to `folder`, in place of what is there. A
/// unit's tests share a file; mutants that one and the same test kills share it. Gives one entry for each case, in
/// their order.
pub fn write(folder: &Path, cases: &[TestCase], project: &Project) -> Result<Vec<WrittenTest>> {
    let files = files(cases, project)?;
    let formatter = Formatter::of(&project.home);
    let text = |file: &TestFile<'_>| match &formatter {
        Some(formatter) => formatter.layout(&file.name, &file.text),
        None => file.text.clone(),
    };
    anew(folder, files.iter().map(|file| (file.name.as_str(), text(file))))?;
    if !files.is_empty() {
        if !project.missing.is_empty() {
            let text = crate::build::source_for_tests(&project.missing, &project.missing_in_threads);
            fs::write(folder.join(cmake::MISSING), text).map_err(|error| trouble(folder, &error))?;
        }
        for (name, text) in cmake::lists(folder, &files, project)? {
            fs::write(folder.join(name), text).map_err(|error| trouble(folder, &error))?;
        }
    }
    Ok(in_order(files, cases))
}

/// Writes the tests of `cases` that could not be proved to `folder`, in place of what is there, each file headed by
/// why: the `reasons`, in the cases' order. Gives one entry for each case, in their order.
pub fn write_unproved(
    folder: &Path,
    cases: &[TestCase],
    reasons: &[String],
    project: &Project,
) -> Result<Vec<WrittenTest>> {
    let mut files = files(cases, project)?;
    for file in &mut files {
        let language = file.case.language;
        let why = |test: &WrittenTest| {
            let case = cases.iter().position(|case| case.mutant_id == test.mutant_id);
            let why = case.and_then(|case| reasons.get(case)).map_or("", String::as_str);
            wrap(&format!("Not proved for {}: {why}", test.mutant_id), 96)
        };
        let lines = file.tests.iter().flat_map(why).map(|line| safe(&line, language));
        let (begin, end) = if language == Language::C { ("/* ", " */") } else { ("// ", "") };
        let head: String = lines.map(|line| format!("{begin}{line}{end}\n")).collect();
        file.text = format!("{head}\n{}", file.text);
        for test in &mut file.tests {
            test.reference = test.reference.replacen("tests/", "unproved/", 1);
        }
    }
    anew(folder, files.iter().map(|file| (file.name.as_str(), file.text.clone())))?;
    Ok(in_order(files, cases))
}

/// Writes `files` into `folder`, where nothing else stays; without files there is no folder.
pub(super) fn anew<'f>(folder: &Path, files: impl ExactSizeIterator<Item = (&'f str, String)>) -> Result<()> {
    // Tests of an earlier run do not belong to this outcome; the folder is disposable.
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(trouble(folder, &error).into()),
        _ => {}
    }
    if files.len() > 0 {
        fs::create_dir_all(folder).map_err(|error| trouble(folder, &error))?;
    }
    for (name, text) in files {
        fs::write(folder.join(name), text).map_err(|error| trouble(folder, &error))?;
    }
    Ok(())
}

fn trouble(folder: &Path, error: &std::io::Error) -> Problem {
    let fix = "make the folder writable, or give another with -o";
    Problem::usage("output-unwritable", error.to_string(), fix).at(folder)
}

fn in_order(files: Vec<TestFile<'_>>, cases: &[TestCase]) -> Vec<WrittenTest> {
    let mut written: Vec<WrittenTest> = files.into_iter().flat_map(|f| f.tests).collect();
    written.sort_by_key(|test| cases.iter().position(|case| case.mutant_id == test.mutant_id));
    written
}

/// The files that hold the tests of `cases`: one for each unit, unless its tests differ in how they are built.
pub fn files<'c>(cases: &'c [TestCase], project: &Project) -> Result<Vec<TestFile<'c>>> {
    let mut by_file: BTreeMap<_, Vec<&TestCase>> = BTreeMap::new();
    for case in cases {
        let wraps = render::makes_calls_fail(case);
        let access = (case.private_access, case.is_quiet, case.calls_stand_ins);
        let how = (case.language, &case.command_file, access, &case.source_include, case.sanitizer, wraps);
        by_file.entry((&case.unit_slug, how)).or_default().push(case);
    }
    let (mut taken, mut names) = (BTreeSet::new(), BTreeSet::new());
    let mut out = Vec::new();
    for cases in by_file.values() {
        let (apart, together): (Vec<_>, Vec<_>) = alike(cases, project)?.into_iter().partition(|g| g.cases[0].apart);
        let stem = identifier(&cases[0].unit_slug);
        let end = match cases[0].language {
            Language::Cxx => ".cpp",
            Language::C => ".c",
        };
        let apart = apart.chunks(1);
        for groups in std::iter::once(together.as_slice()).chain(apart).filter(|groups| !groups.is_empty()) {
            out.push(file(unique(&mut taken, &stem, "_test", end), groups, &mut names, project)?);
        }
    }
    Ok(out)
}

/// Cases whose tests would read alike.
struct Group<'c> {
    cases: Vec<&'c TestCase>,
    body: Vec<String>,
}

fn alike<'c>(cases: &[&'c TestCase], project: &Project) -> Result<Vec<Group<'c>>> {
    let mut groups: Vec<Group<'c>> = Vec::new();
    for case in cases {
        let body = render::body(case, project.framework(case.language))
            .with_context(|| format!("writing the test that kills {}", case.mutant_id))?;
        let same = |g: &&mut Group| {
            // A hanging or crashing mutant has a remark of its own.
            let first = g.cases[0];
            g.body == body && (first.how, first.apart) == (case.how, case.apart) && first.helpers == case.helpers
        };
        match groups.iter_mut().find(same).filter(|_| !project.one_per_mutant) {
            Some(group) => group.cases.push(case),
            None => groups.push(Group { cases: vec![case], body }),
        }
    }
    Ok(groups)
}

/// The file with the tests of these groups. No two tests of a suite have one name, whatever file they are in: they
/// may come to stand in one program.
fn file<'c>(
    name: String,
    groups: &[Group<'c>],
    names: &mut BTreeSet<String>,
    project: &Project,
) -> Result<TestFile<'c>> {
    let case = groups[0].cases[0];
    let row = project.framework(case.language);
    let (mut tests, mut written) = (Vec::new(), Vec::new());
    // A program has each group of tests once, whatever files it is made of.
    let stem = identifier(name.rsplit_once("_test").map_or(name.as_str(), |(stem, _)| stem));
    let in_groups = row.begins.contains("{suite}");
    let begins = row.begins.replace("{suite}", &stem);
    let mut mains = [row.main, row.main_of_one].map(|main| main.map(|[before, ..]| before.to_owned()));
    for group in groups {
        let suite = if in_groups { stem.clone() } else { identifier(&group.cases[0].suite) };
        let first = group.cases[0];
        // (`keeps_count_1_with_count_1` says it twice.)
        let is_said = |condition: &String| condition.strip_prefix("with").is_some_and(|it| first.name.ends_with(it));
        let guard = first.when.clone();
        let values = conditions::condition(first).filter(|condition| !is_said(condition));
        // What the test passes says more to its reader than the branch of the unit that this takes.
        let whole = [&values, &guard].into_iter().flatten().cloned().collect::<Vec<_>>().join("_");
        let ways = [values, guard, Some(whole), conditions::exactly(first)];
        let called = |condition: &str| {
            let outcome = [first.name.as_str(), condition].join("_");
            format!("{suite}.{}", identifier(outcome.trim_end_matches('_')))
        };
        let mut ways = ways.iter().flatten().map(|condition| called(condition));
        let said = ways.clone().find(|name| !names.contains(&name.to_lowercase())).or_else(|| ways.next());
        let full = distinct(names, &said.unwrap_or_else(|| called("")), &first.apart_by);
        let test = full[suite.len() + 1..].to_owned();
        let filter = match case.language {
            Language::Cxx => full,
            Language::C => test.clone(),
        };
        written.extend(group.cases.iter().map(|case| WrittenTest {
            mutant_id: case.mutant_id.clone(),
            reference: format!("tests/{name}#{filter}"),
            file: name.clone(),
            filter: filter.clone(),
        }));
        let remarks = render::remarks(&group.cases);
        let named = |text: &str| text.replace("{suite}", &suite).replace("{name}", &test);
        let (opens, closes) = (named(row.opens), named(row.closes));
        tests.push(json!({ "remarks": remarks, "opens": opens, "closes": closes, "body": group.body }));
        for (main, of_row) in mains.iter_mut().zip([row.main, row.main_of_one]) {
            if let (Some(main), Some([_, each, _])) = (main, of_row) {
                main.push_str(&named(each));
            }
        }
    }
    let [main, of_one] = [0, 1].map(|n| {
        let behind = [row.main, row.main_of_one][n].map_or("", |[.., behind]| behind);
        mains[n].take().map(|main| main + behind).unwrap_or_default()
    });
    let text = page(groups, tests, [&begins, &main], row, project)?;
    let text_for_proof = if main.is_empty() { text.clone() } else { text.replace(&main, &of_one) };
    let mutants = groups.iter().flat_map(|group| &group.cases);
    let mutants = mutants.map(|case| (case.mutant_id.as_str(), case.file.as_path())).collect();
    Ok(TestFile { text, text_for_proof, name, case, tests: written, mutants })
}

/// A program with the bodies of some cases, each opened and closed by what stands with it.
pub(super) fn program(
    cases: Vec<(&TestCase, [String; 2], Vec<String>)>,
    row: &Row,
    project: &Project,
) -> Result<String> {
    let (mut groups, mut tests) = (Vec::new(), Vec::new());
    for (case, [opens, closes], body) in cases {
        tests.push(json!({ "remarks": [], "opens": opens, "closes": closes, "body": body }));
        groups.push(Group { cases: vec![case], body });
    }
    page(&groups, tests, [row.begins, ""], row, project)
}

fn page(
    groups: &[Group<'_>],
    tests: Vec<Value>,
    [begins, main]: [&str; 2],
    row: &Row,
    project: &Project,
) -> Result<String> {
    let first = groups[0].cases[0];
    let language = first.language;
    let is_c = language == Language::C;
    let mut includes: Vec<&str> = Vec::new();
    let mut helpers: Vec<String> = Vec::new();
    for case in groups.iter().flat_map(|g| &g.cases) {
        for include in &case.includes {
            if !includes.contains(&include.as_str()) {
                includes.push(include);
            }
        }
        for helper in &case.helpers {
            let helper = helper.trim_end().to_owned();
            if !helpers.contains(&helper) {
                helpers.push(helper);
            }
        }
    }
    let bodies: String = groups.iter().flat_map(|g| &g.body).map(|line| format!("{line}\n")).collect();
    let called = |name: &str| render::has_word(&bodies, name);
    let others = |helper: &String, name: &str| helpers.iter().any(|o| o != helper && render::has_word(o, name));
    let wraps = groups.iter().any(|group| group.cases.iter().any(|case| render::makes_calls_fail(case)));
    let is_needed = |helper: &&String| match own_function(helper) {
        Some(name) => called(name) || others(helper, name),
        None => wraps || !helper.contains(WRAP),
    };
    let mut helpers: Vec<String> = helpers.iter().filter(is_needed).cloned().collect();
    let mut declarations: Vec<String> = Vec::new();
    let mut stand_ins: Vec<&StandIns> =
        groups.iter().flat_map(|g| &g.cases).filter_map(|c| c.stand_ins.as_ref()).collect();
    stand_ins.dedup();
    for stand_ins in stand_ins {
        let is_used = |name: &str| called(name) || helpers.iter().any(|helper| render::has_word(helper, name));
        let are_called = groups.iter().flat_map(|group| &group.cases).any(|case| case.calls_stand_ins);
        let text = match first.is_quiet {
            true => stand_ins.quiet(are_called, &is_used),
            false => Some(stand_ins.noting(&is_used)),
        };
        // The project's own names are defined at global scope, as they are declared.
        let to = if is_c { &mut helpers } else { &mut declarations };
        to.extend(text.map(|text| text.trim_end().to_owned()));
    }
    let defined = helpers.iter().chain(&declarations);
    let text = bodies + &defined.map(|helper| format!("{helper}\n")).collect::<String>();
    let mut system: BTreeSet<String> =
        includes.iter().filter(|i| i.starts_with('<')).map(|i| (*i).to_owned()).collect();
    system.extend(render::needed_headers(&text, language).into_iter().map(str::to_owned));
    if !first.has_bool {
        system.remove("<stdbool.h>");
    }
    system.retain(|i| !row.include.lines().any(|line| line.strip_prefix("#include ") == Some(i)));
    let cases = || groups.iter().flat_map(|g| &g.cases);
    let macros = cases().flat_map(|case| &case.hiding_macros).cloned().collect();
    let own_macros = cases().flat_map(|case| &case.own_macros).cloned().collect();
    let source = first.source_include.as_ref();
    let source =
        source.map(|path| json!({ "include": quoted(path, project), "defines_main": first.source_defines_main }));
    let mut header = wrap(&format!("Regression tests for {}", safe(&first.unit_id, language)), 96);
    header.push(String::new());
    header.extend(wrap(PURPOSE, 96));
    header.push("Written by motif-cpp.".to_owned());
    // Declarations of the project's functions that no header declares are never in an anonymous namespace.
    let (declared, mut helpers): (Vec<_>, Vec<_>) =
        helpers.into_iter().partition(|helper| !is_c && is_declaration(helper));
    // (A source has its own standard, which may hide the function: without a declaration its result is an `int`.)
    if source.is_some() && render::of_posix(&text, language) == Some("fmemopen") {
        helpers.insert(0, "FILE *fmemopen(void *buffer, size_t size, const char *mode);".to_owned());
    }
    declarations.extend(declared);
    let own = includes.iter().filter(|include| !include.starts_with('<'));
    let framework = project.framework_include(row);
    let page = json!({
        "header": header,
        // (A source has the macros that it needs.)
        "posix": source.is_none().then(|| render::of_posix(&text, language)),
        "framework": (!row.include_last).then_some(&framework),
        "framework_last": row.include_last.then_some(&framework),
        "own": own_macros::kept(row, &own_macros),
        "system_includes": system,
        "project_includes": own.map(|include| project_include(include, project)).collect::<Vec<_>>(),
        "source": source,
        "undefined": hiding_macros::undefined(&macros, [text.as_str()], language),
        "declarations": declarations,
        "helpers": helpers,
        "begins": begins,
        "ends": row.ends,
        "tests": tests,
        "main": main,
    });
    let template = if is_c { "test.c" } else { "test.cpp" };
    let text = templates()?.render(template, &tera::Context::from_serialize(page)?)?;
    let text: String = text.lines().flat_map(super::wrap::lines_of).map(|line| line + "\n").collect();
    let args = project.source(&first.command_file).map_or(&[][..], |command| &command.args);
    Ok(row.prefixed(tidy(&text), args))
}

/// What the head of every file says.
const PURPOSE: &str = "Each test passes on the code as it is and fails with the change that is named above it. What \
                       it expects is what the code does today: an engineer has to confirm it against the \
                       specification.";

/// `"header"`, from the project's root where the include is an absolute path below it.
fn project_include(include: &str, project: &Project) -> String {
    let inner = include.trim_matches('"');
    if Path::new(inner).is_absolute() { quoted(Path::new(inner), project) } else { format!("\"{inner}\"") }
}

fn quoted(path: &Path, project: &Project) -> String {
    format!("\"{}\"", project.relative(path).unwrap_or(path).display())
}

/// No blanks at the ends of lines, never two empty lines in a row, one newline at the end.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = true;
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && empty) {
            out.push_str(line);
            out.push('\n');
        }
        empty = line.is_empty();
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}

fn templates() -> Result<tera::Tera> {
    let mut tera = tera::Tera::default();
    tera.add_raw_template("test.cpp", include_str!("../../cpp-templates/test.cpp.tera"))?;
    tera.add_raw_template("test.c", include_str!("../../cpp-templates/test.c.tera"))?;
    Ok(tera)
}

/// `text` as an identifier: what can't stand in one becomes an underscore, of which no two follow each other.
pub fn identifier(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('_') {
            out.push('_');
        }
    }
    let mut out = out.trim_matches('_').to_owned();
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 't');
    }
    out.truncate(LONGEST_STEM);
    out
}

/// `stem`+`middle`+`end`, with a number before `middle` where that is taken.
/// A name of a test that none has yet: with one of `apart_by` behind it where it is taken, else with a number.
fn distinct(taken: &mut BTreeSet<String>, name: &str, apart_by: &[String]) -> String {
    let others = apart_by.iter().map(|by| format!("{name}_{}", identifier(by)));
    let mut all = std::iter::once(name.to_owned()).chain(others);
    all.find(|name| taken.insert(name.to_lowercase())).unwrap_or_else(|| unique(taken, name, "", ""))
}

fn unique(taken: &mut BTreeSet<String>, stem: &str, middle: &str, end: &str) -> String {
    let mut name = format!("{stem}{middle}{end}");
    let mut number = 2;
    while !taken.insert(name.to_lowercase()) {
        name = format!("{stem}_{number}{middle}{end}");
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_says_what_the_test_is_of() {
        let mut taken = BTreeSet::new();
        let by = ["in_parse".to_owned(), "for_long".to_owned()];
        let names: Vec<String> = (0..4).map(|_| distinct(&mut taken, "S.f", &by)).collect();
        assert_eq!(names, ["S.f", "S.f_in_parse", "S.f_for_long", "S.f_2"]);
    }

    #[test]
    fn names_become_identifiers_that_leave_no_folder() {
        assert_eq!(identifier("../../etc/passwd"), "etc_passwd");
        assert_eq!(identifier("operator=="), "operator");
        assert_eq!(identifier("Row<int>__of"), "Row_int_of");
        assert_eq!(identifier("=="), "t");
        assert_eq!(identifier("3d"), "t3d");
    }

    #[test]
    fn names_that_differ_only_in_case_do_not_share_a_file() {
        let mut taken = BTreeSet::new();
        assert_eq!(unique(&mut taken, "Get", "_test", ".cpp"), "Get_test.cpp");
        assert_eq!(unique(&mut taken, "get", "_test", ".cpp"), "get_2_test.cpp");
    }

    #[test]
    fn empty_lines_never_come_in_pairs() {
        assert_eq!(tidy("\na  \n\n\nb\n\n"), "a\nb\n".replace("a\n", "a\n\n"));
    }
}
