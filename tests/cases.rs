//! The cases of `tests/cases/`: a folder each, with sources, a `case.yaml`, and what is expected of its mutants. How to
//! add one: `tests/cases/README.md`.
//!
//! Cases of one language, standard and budget are searched in one run of the tool, each in a folder of its own, as far
//! as they do not define the same names.

use crate::support::{Outcome, Project};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Enough for whatever is found at all; what dies takes less.
const BUDGET: &str = "2s";
/// `make test` takes so many mutants of a case, from all of its length; `make test-all` and `MOTIF_CASE` take all.
const SLICE: usize = 2;
/// `make test` takes one in so many cases; `make test-all` takes all, and `MOTIF_CASE` those that it names.
const CASES: usize = 8;
/// So many tests share the cases in C++, so that they run side by side.
const SHARES: usize = 3;

/// `case.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// What it is for, in a sentence.
    purpose: String,
    standard: Option<String>,
    budget: Option<String>,
    /// More arguments for the compiler.
    #[serde(default)]
    flags: Vec<String>,
    /// What is compiled, in this order; without it, the folder's own sources.
    sources: Option<Vec<String>>,
    /// In a run of its own.
    #[serde(default)]
    alone: bool,
    /// `none`: no input makes the original of any unit fail.
    faults: Option<Faults>,
    mutants: Vec<Edit>,
}

/// What is expected of `units[].suspected_faults`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Faults {
    None,
}

/// A mutant: one text in the place of another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    file: String,
    replace: String,
    with: String,
    /// Which of several, from 1 on; without it there has to be one alone.
    nth: Option<usize>,
    /// The status in the outcome; `killed` without a word, with a proved test.
    expect: Option<String>,
    /// How its unit is driven (`units[].driver`).
    driver: Option<String>,
    /// How its mutated version came to be (`units[].copy`).
    copy: Option<String>,
    /// The unit that it is in (`mutants[].unit`).
    unit: Option<String>,
    /// The test that kills it.
    #[serde(default)]
    test: Text,
    /// The files that are generated for its unit.
    #[serde(default)]
    generated: Text,
    /// The values of the input that kills it, as JSON.
    #[serde(default)]
    input: Text,
}

/// What a text has to have in it, and must not.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    /// All of these.
    #[serde(default)]
    contains: Vec<String>,
    /// At least one of these.
    #[serde(default)]
    any: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
}

impl Text {
    /// Nothing is read of which nothing is expected.
    fn wrong(&self, name: &str, read: impl FnOnce() -> String) -> Vec<String> {
        if self.contains.is_empty() && self.any.is_empty() && self.lacks.is_empty() {
            return Vec::new();
        }
        let text = read();
        let missing = self.contains.iter().filter(|word| !text.contains(*word));
        let mut wrong: Vec<String> = missing.map(|word| format!("its {name} lacks `{word}`")).collect();
        if !self.any.is_empty() && !self.any.iter().any(|word| text.contains(word)) {
            wrong.push(format!("its {name} has none of {:?}", self.any));
        }
        let unwanted = self.lacks.iter().filter(|word| text.contains(*word));
        wrong.extend(unwanted.map(|word| format!("its {name} has `{word}`")));
        wrong.into_iter().map(|why| format!("{why}:\n{text}")).collect()
    }
}

#[derive(Debug)]
struct Case {
    name: String,
    description: Description,
    /// By their path in the case's folder.
    files: BTreeMap<String, String>,
}

impl Case {
    fn read(folder: &Path) -> Self {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let mut files = BTreeMap::new();
        collect(folder, folder, &mut files);
        let text = files.remove("case.yaml").unwrap_or_else(|| panic!("{name} has no case.yaml"));
        let mut description: Description =
            serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}/case.yaml: {error}"));
        assert!(!description.purpose.is_empty() && !description.mutants.is_empty(), "{name} says too little");
        if !crate::support::takes_all() && std::env::var_os("MOTIF_CASE").is_none() {
            description.mutants = sliced(description.mutants);
        }
        Self { name, description, files }
    }

    fn sources(&self) -> Vec<&str> {
        if let Some(sources) = &self.description.sources {
            return sources.iter().map(String::as_str).collect();
        }
        let is_source = |file: &&str| !file.contains('/') && (file.ends_with(".c") || file.ends_with(".cpp"));
        self.files.keys().map(String::as_str).filter(is_source).collect()
    }

    fn is_cxx(&self) -> bool {
        self.sources().iter().any(|file| file.ends_with(".cpp"))
    }

    /// What cases have to have in common to be in one run.
    fn kind(&self) -> (bool, String, String, String) {
        let standard = self.description.standard.clone().unwrap_or_default();
        let budget = self.description.budget.clone().unwrap_or(BUDGET.to_owned());
        let alone = if self.description.alone { self.name.clone() } else { String::new() };
        (self.is_cxx(), standard, budget, alone)
    }

    /// Names that it seems to define for the whole program, a few too many.
    fn defined(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for line in self.files.iter().filter(|(file, _)| !file.ends_with(".yaml")).flat_map(|(_, text)| text.lines()) {
            let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            for pair in words.windows(2).filter(|pair| !pair[1].is_empty()) {
                if ["class", "struct", "union", "enum", "namespace", "using", "define"].contains(&pair[0]) {
                    names.insert(pair[1]);
                }
            }
            // At the beginning of a line: functions, variables and types of C.
            if line.starts_with(|c: char| c.is_alphabetic() || c == '}') {
                let end = line.find(['(', '=', ';', '[']).unwrap_or(line.len());
                names.extend(line[..end].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|w| !w.is_empty()));
            }
        }
        for shared in ["std", "include", "public", "private", "const", "class", "override"] {
            names.remove(shared);
        }
        names
    }

    /// Writes it into its folder of a project.
    fn write(&self, project: &Project) {
        for (file, text) in &self.files {
            match file.strip_prefix("utility-overrides/") {
                Some(file) => project.write(&format!("utility-overrides/{file}"), text),
                None => project.write(&format!("{}/{file}", self.name), text),
            }
        }
        for (number, edit) in self.description.mutants.iter().enumerate() {
            let text = self.files.get(&edit.file).unwrap_or_else(|| panic!("{}: no {}", self.name, edit.file));
            let (mutated, _) = edit.applied(text).unwrap_or_else(|why| panic!("{}: {}: {why}", self.name, edit.file));
            project.write(&format!("mutants/{}", self.id(number)), &mutated);
        }
    }

    /// What the tool calls a mutant.
    fn id(&self, number: usize) -> String {
        let edit = &self.description.mutants[number];
        let line = edit.applied(&self.files[&edit.file]).map_or(0, |(_, line)| line);
        let (stem, extension) = edit.file.rsplit_once('.').unwrap();
        format!("{}/{stem}.mut.{line}.1_1_{number}.EDIT.{}.{extension}", self.name, self.name)
    }

    /// What did not come out as expected.
    fn wrong(&self, project: &Project, outcome: &Outcome) -> Vec<String> {
        let mut wrong = Vec::new();
        for (number, edit) in self.description.mutants.iter().enumerate() {
            let id = self.id(number);
            let mutants = outcome.mutants();
            let Some(mutant) = mutants.get(id.as_str()) else {
                wrong.push(format!("{id} is not in the outcome"));
                continue;
            };
            let expected = edit.expect.as_deref().unwrap_or("killed");
            let mut is = outcome.status(&id).to_owned();
            if is == "killed" && !outcome.verified(&id) {
                is = "killed without a proved test".to_owned();
            }
            let what = format!("{}: `{}` -> `{}`", edit.file, edit.replace, edit.with);
            let mut add = |why: String| wrong.push(format!("{what}: {why}"));
            if is != expected {
                add(format!("expected {expected}, is {is}: {}", outcome.reason(&id)));
                continue;
            }
            let units = outcome.0["units"].as_array().unwrap();
            let unit = units.iter().find(|unit| unit["id"] == mutant["unit"]);
            for (name, expected) in [("driver", &edit.driver), ("copy", &edit.copy), ("id", &edit.unit)] {
                let is = unit.and_then(|unit| unit[name].as_str()).unwrap_or("none");
                if expected.as_deref().is_some_and(|expected| expected != is) {
                    add(format!("the {name} of its unit is {is}"));
                }
            }
            if let (Some(Faults::None), Some(faults)) =
                (self.description.faults, unit.and_then(|unit| unit["suspected_faults"].as_array()))
                && !faults.is_empty()
            {
                add(format!("its unit has suspected faults: {faults:?}"));
            }
            let kill = &mutant["kill"];
            let input = || project.read(format!("motif.out/{}.json", kill["input"].as_str().unwrap()));
            let generated = || generated(project, mutant["unit"].as_str().unwrap());
            edit.test.wrong("test", || project.test_of(outcome, &id)).into_iter().for_each(&mut add);
            edit.generated.wrong("driver", generated).into_iter().for_each(&mut add);
            edit.input.wrong("input", input).into_iter().for_each(&mut add);
        }
        wrong
    }
}

impl Edit {
    /// The mutated text, and the line of the edit.
    fn applied(&self, text: &str) -> Result<(String, usize), String> {
        let places: Vec<usize> = text.match_indices(&self.replace).map(|(at, _)| at).collect();
        let at = match (self.nth, places.len()) {
            (_, 0) => return Err(format!("`{}` is not in it", self.replace)),
            (None, 1) => places[0],
            (None, many) => return Err(format!("`{}` is in it {many} times: say which with `nth`", self.replace)),
            (Some(nth), many) => *places
                .get(nth.wrapping_sub(1))
                .ok_or_else(|| format!("`{}` is in it {many} times, not {nth}", self.replace))?,
        };
        let line = text[..at].matches('\n').count() + 1;
        Ok((format!("{}{}{}", &text[..at], self.with, &text[at + self.replace.len()..]), line))
    }
}

/// The slice of a case's mutants that `make test` takes, and those that are not to die.
fn sliced(mutants: Vec<Edit>) -> Vec<Edit> {
    let last = mutants.len() - 1;
    let taken: BTreeSet<usize> = (0..SLICE).map(|part| last * part / (SLICE - 1)).collect();
    let numbered = mutants.into_iter().enumerate();
    let must_not_die = |edit: &Edit| edit.expect.as_deref().is_some_and(|expected| expected != "killed");
    numbered.filter(|(number, edit)| taken.contains(number) || must_not_die(edit)).map(|(_, edit)| edit).collect()
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            files.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// The text of all files that are generated for a unit.
fn generated(project: &Project, unit: &str) -> String {
    let name = unit.split('(').next().unwrap();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("_");
    let mut text = String::new();
    for folder in std::fs::read_dir(project.root().join("motif.out/drivers")).unwrap().flatten() {
        // Where two units would have one name, a digest follows it.
        let is_its = folder
            .file_name()
            .to_str()
            .unwrap()
            .strip_prefix(&slug)
            .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('_').is_some_and(|digest| digest.len() == 6));
        if is_its {
            let files = std::fs::read_dir(folder.path()).unwrap().flatten();
            text.extend(files.filter_map(|file| std::fs::read_to_string(file.path()).ok()));
        }
    }
    text
}

/// All cases, or those that `MOTIF_CASE` names, by their names.
fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let cases = folders.iter().map(|folder| Case::read(folder));
    match std::env::var("MOTIF_CASE") {
        Ok(wanted) => cases.filter(|case| wanted.split(',').any(|name| name == case.name)).collect(),
        Err(_) if crate::support::takes_all() => cases.collect(),
        // (By their names, so that another case changes nothing for the others.)
        Err(_) => cases.filter(|case| case.name.bytes().map(usize::from).sum::<usize>() % CASES == 0).collect(),
    }
}

/// Cases that are searched together: of one kind, and no two define the same name.
fn groups(cases: &[Case]) -> Vec<Vec<&Case>> {
    let mut groups: Vec<(_, BTreeSet<&str>, Vec<&Case>)> = Vec::new();
    for case in cases {
        let (kind, names) = (case.kind(), case.defined());
        let fitting = groups.iter_mut().find(|(other, taken, _)| *other == kind && taken.is_disjoint(&names));
        match fitting {
            Some((_, taken, group)) => {
                taken.extend(names);
                group.push(case);
            }
            None => groups.push((kind, names, vec![case])),
        }
    }
    groups.into_iter().map(|(_, _, group)| group).collect()
}

/// One run for a group; what is wrong with which case.
fn run(group: &[&Case]) -> String {
    let project = Project::new();
    let (_, standard, budget, _) = group[0].kind();
    let mut commands = Vec::new();
    for case in group {
        case.write(&project);
        for source in case.sources() {
            let (compiler, usual) = if source.ends_with(".c") { ("cc", "c11") } else { ("c++", "c++17") };
            let own = (case.is_cxx() == source.ends_with(".cpp") && !standard.is_empty()).then_some(standard.as_str());
            let standard = format!("-std={}", own.unwrap_or(usual));
            let mut arguments = vec![compiler, &standard];
            arguments.extend(case.description.flags.iter().map(String::as_str));
            arguments.extend(["-c", source, "-o", "/dev/null"]);
            commands.push(serde_json::json!({
                "directory": project.root().join(&case.name), "file": source, "arguments": arguments,
            }));
        }
    }
    project.write("build/compile_commands.json", &serde_json::to_string(&commands).unwrap());
    let ran = project.fuzz(&["--budget", &budget]);
    let mut report = String::new();
    let names = group.iter().map(|case| case.name.as_str()).collect::<Vec<_>>().join(", ");
    if ran.code != Some(0) {
        let _ = writeln!(report, "the run of {names} ends with {:?}:\n{}", ran.code, ran.stderr);
        return report;
    }
    let outcome = project.outcome();
    for case in group {
        for wrong in case.wrong(&project, &outcome) {
            let _ = writeln!(report, "{}: {wrong}\n  ({})", case.name, case.description.purpose);
        }
    }
    report
}

/// Those groups of one language that belong to a share of all.
fn end_as_expected(cxx: bool, share: usize, shares: usize) {
    let cases = cases();
    let groups = groups(&cases);
    let of_language = groups.iter().filter(|group| group[0].is_cxx() == cxx);
    let reports: String = of_language.skip(share).step_by(shares).map(|group| run(group)).collect();
    assert!(reports.is_empty(), "not as expected:\n{reports}");
}

#[test]
fn in_c_they_end_as_expected() {
    end_as_expected(false, 0, 1);
}

#[test]
fn in_cxx_they_end_as_expected() {
    end_as_expected(true, 0, SHARES);
}

#[test]
fn in_cxx_they_end_as_expected_the_second_share() {
    end_as_expected(true, 1, SHARES);
}

#[test]
fn in_cxx_they_end_as_expected_the_third_share() {
    end_as_expected(true, 2, SHARES);
}

#[test]
fn a_text_that_is_there_twice_is_no_place_for_a_mutant_unless_it_is_said_which() {
    let edit = |nth| Edit { nth, ..serde_yaml::from_str("{file: a.c, replace: b, with: c}").unwrap() };
    assert_eq!(edit(None).applied("a\nb"), Ok(("a\nc".to_owned(), 2)));
    assert!(edit(None).applied("b b").unwrap_err().contains("nth"));
    assert_eq!(edit(Some(2)).applied("b\nb"), Ok(("b\nc".to_owned(), 2)));
    assert!(edit(Some(3)).applied("b b").is_err() && edit(None).applied("a").is_err());
}

#[test]
fn of_many_mutants_the_first_and_the_last_are_taken_and_all_that_must_not_die() {
    let edit = |(number, expect): (usize, Option<&str>)| Edit {
        nth: Some(number),
        expect: expect.map(str::to_owned),
        ..serde_yaml::from_str("{file: a.c, replace: b, with: c}").unwrap()
    };
    let taken = |edits: Vec<(usize, Option<&str>)>| {
        let edits = edits.into_iter().map(edit).collect();
        sliced(edits).into_iter().map(|edit| edit.nth.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(taken((0..9).map(|number| (number, (number == 6).then_some("live"))).collect()), [0, 6, 8]);
    assert_eq!(taken(vec![(0, None), (1, Some("killed")), (2, None)]), [0, 2]);
    assert_eq!(taken(vec![(0, None)]), [0]);
}

#[test]
fn cases_that_define_the_same_names_are_searched_apart() {
    let case = |name: &str, text: &str| Case {
        name: name.into(),
        description: serde_yaml::from_str("{purpose: p, mutants: []}").unwrap(),
        files: [("a.cpp".to_owned(), text.to_owned())].into(),
    };
    let cases = [
        case("a", "int f(int n) {\n  return n;\n}\n"),
        case("b", "class Box {};\nint g(Box b);\n"),
        case("c", "long f(long n) { return n; }\n"),
        case("d", "struct Box { int n; };\n"),
    ];
    let names: Vec<String> =
        groups(&cases).iter().map(|group| group.iter().map(|case| case.name.as_str()).collect()).collect();
    assert_eq!(names, ["ab", "cd"]);
}
