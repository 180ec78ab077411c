//! The scope of mutants: files, units, operators, lines, changes since a revision, coverage.
//!
//! Every requested name is looked up first: an unknown name is an error, not an empty list. Then each filter narrows
//! the result of the previous ones and records the number left, so that an empty scope can be explained.

use super::chosen_mutants::Chosen;
use super::coverage::{Covered, Names};
use super::since::Changed;
use crate::context::{Problems, shown};
use crate::diag::{Problem, nearest};
use crate::model::Usr;
use crate::options::{Options, ScopeOptions};
use crate::select;
use crate::session::Session;
use globset::{GlobBuilder, GlobMatcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The place of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The original.
    pub file: PathBuf,
    /// First and last line of the change.
    pub lines: (u32, u32),
    /// The start column.
    pub column: u32,
    /// The first line of its function.
    pub floor: u32,
    /// The function.
    pub unit: Usr,
    /// The operator.
    pub operator: String,
}

/// A file, and the first and last of some of its lines.
type Lines = (PathBuf, u32, u32);

/// The requested selection, looked up in the project.
pub struct Scope {
    /// The operators.
    pub operators: Chosen,
    files: Option<BTreeSet<PathBuf>>,
    excluded: BTreeSet<PathBuf>,
    units: Option<BTreeSet<Usr>>,
    /// Filters of lines, with their names in messages.
    lines: Option<(String, Vec<Lines>)>,
    since: Option<(String, Changed)>,
    covered: Option<(String, Covered)>,
    asked: ScopeOptions,
    wanted_units: Vec<String>,
}

/// The result of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The filter as on the command line; `made` for the start.
    pub what: String,
    /// The number left.
    pub left: usize,
    /// The counted things.
    pub noun: &'static str,
}

impl Scope {
    /// Looks up the requested names. `candidates` are the files that mutants can be in, `foreign` the operators of
    /// given mutants.
    ///
    /// # Errors
    ///
    /// Unknown names, an unknown revision, a coverage file of other sources.
    pub fn resolve(session: &Session, candidates: &[PathBuf], foreign: &[String]) -> anyhow::Result<Self> {
        let options = &session.options;
        let asked = &options.scope;
        let operators = Chosen::of(&asked.operators, foreign)?;
        let known: Vec<PathBuf> = session.model.files.keys().cloned().collect();
        let all = select::units(&session.model);
        let is_unit = |name: &&String| select::select(&all, std::slice::from_ref(*name)).is_ok();
        let named = |names: &Vec<String>| {
            named(names, &options.root, &known).map_err(|mut problems| {
                for name in names.iter().filter(is_unit) {
                    let mine = problems.iter_mut().filter(|problem| problem.what.ends_with(&format!("`{name}`")));
                    mine.for_each(|problem| problem.fix = format!("it is a unit: write `--unit {name}`"));
                }
                Problems(problems)
            })
        };
        let files = (!asked.files.is_empty()).then(|| named(&asked.files)).transpose()?;
        let excluded = asked
            .exclude
            .iter()
            .map(|name| Pattern::new(name, &options.root))
            .collect::<Result<Vec<_>, _>>()?
            .iter()
            .flat_map(|pattern| candidates.iter().filter(|file| pattern.is(file)).cloned())
            .collect();
        let chosen = |units: &[String]| -> Result<BTreeSet<Usr>, Problems> {
            let chosen = select::select(&all, units).map_err(Problems)?;
            Ok(chosen.iter().map(|function| function.usr.clone()).collect())
        };
        let units = (!options.units.is_empty()).then(|| chosen(&options.units)).transpose()?;
        let mut scope = Self {
            operators,
            files,
            excluded,
            units,
            lines: None,
            since: None,
            covered: None,
            asked: asked.clone(),
            wanted_units: options.units.clone(),
        };
        if !asked.lines.is_empty() {
            let names: Vec<String> = asked.lines.iter().map(|lines| format!("`--lines {lines}`")).collect();
            scope.lines = Some((names.join(", "), scope.line_ranges(session, candidates)?));
        }
        if let Some(revision) = &asked.since {
            let changed = Changed::since(&options.root, revision)?;
            let files =
                if changed.files() == 1 { "1 changed file" } else { &format!("{} changed files", changed.files()) };
            scope.since = Some((format!("`--since {revision}` ({files})"), changed));
        }
        if let Some(path) = &asked.coverage_file {
            scope.covered = Some((format!("`--coverage-file {}`", path.display()), covered(session, path)?));
        }
        Ok(scope)
    }

    fn line_ranges(&self, session: &Session, candidates: &[PathBuf]) -> Result<Vec<Lines>, Problem> {
        let root = &session.options.root;
        let known: Vec<PathBuf> = session.model.files.keys().cloned().collect();
        let mut ranges = Vec::new();
        for lines in &self.asked.lines {
            let files: Vec<PathBuf> = match &lines.file {
                Some(file) => named(std::slice::from_ref(file), root, &known)
                    .map_err(|mut problems| problems.remove(0))?
                    .into_iter()
                    .collect(),
                None => candidates.iter().filter(|file| self.takes_file(file)).cloned().collect(),
            };
            if let [first, _, ..] = &files[..]
                && lines.file.is_none()
            {
                let what = format!("`--lines {lines}` may be of any of {} files", files.len());
                let fix = format!("name the file: `--lines {}:{lines}`", shown(root, first));
                return Err(Problem::usage("lines-ambiguous", what, fix));
            }
            if let [file] = &files[..] {
                let text = std::fs::read(file).unwrap_or_default();
                let last = text.split_inclusive(|byte| *byte == b'\n').count();
                if lines.first as usize > last {
                    let what = format!("`--lines {lines}`: {} ends at line {last}", shown(root, file));
                    return Err(Problem::usage("lines-missing", what, "name lines that the file has"));
                }
            }
            ranges.extend(files.into_iter().map(|file| (file, lines.first, lines.last)));
        }
        Ok(ranges)
    }

    /// Whether the file was named, directly or by a folder or pattern.
    pub fn names_file(&self, file: &Path) -> bool {
        self.files.as_ref().is_some_and(|files| files.contains(file))
    }

    /// Whether mutants in this file are requested.
    pub fn takes_file(&self, file: &Path) -> bool {
        self.files.as_ref().is_none_or(|files| files.contains(file)) && !self.excluded.contains(file)
    }

    /// Whether mutants in this function are requested.
    pub fn takes_unit(&self, unit: &str) -> bool {
        self.units.as_ref().is_none_or(|units| units.contains(unit))
    }

    /// Keeps the files that can have mutants after the line filters: others need not be processed.
    pub fn narrow_files<T>(&self, files: &mut BTreeMap<PathBuf, T>, steps: &mut Vec<Step>) {
        let mut filter = |what: &String, keep: &dyn Fn(&Path) -> bool| {
            files.retain(|file, _| keep(file));
            steps.push(Step { what: what.clone(), left: files.len(), noun: "file" });
        };
        if let Some((what, lines)) = &self.lines {
            filter(what, &|file| lines.iter().any(|(named, ..)| named == file));
        }
        if let Some((what, changed)) = &self.since {
            filter(what, &|file| changed.touches_file(file));
        }
        if let Some((what, covered)) = &self.covered {
            filter(what, &|file| covered.knows(file));
        }
    }

    /// The filters of files and units, in words.
    pub fn files_in_words(&self) -> Vec<String> {
        let list = |option: &str, names: &[String]| names.iter().map(|name| format!("`{option} {name}`")).collect();
        let mut words: Vec<String> = list("--file", &self.asked.files);
        words.extend::<Vec<String>>(list("--exclude", &self.asked.exclude));
        words
    }

    /// The requested units, in words.
    pub fn units_in_words(&self) -> String {
        self.wanted_units.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }

    /// Keeps the requested mutants; the number left by each filter is added to `steps`.
    pub fn narrow<M>(&self, mut mutants: Vec<M>, place: impl Fn(&M) -> Place, steps: &mut Vec<Step>) -> Vec<M> {
        let mut filter = |what: String, keep: &dyn Fn(&Place) -> bool| {
            mutants.retain(|mutant| keep(&place(mutant)));
            steps.push(Step { what, left: mutants.len(), noun: "mutant" });
        };
        if self.files.is_some() || !self.excluded.is_empty() {
            filter(self.files_in_words().join(", "), &|place| self.takes_file(&place.file));
        }
        if self.units.is_some() {
            filter(self.units_in_words(), &|place| self.takes_unit(&place.unit));
        }
        if !self.asked.operators.is_empty() {
            let what = format!("`--operators {}`", self.asked.operators.join(","));
            filter(what, &|place| self.operators.takes(&place.operator));
        }
        self.narrow_lines(mutants, place, steps)
    }

    /// Keeps the mutants on requested lines; the number left by each filter is added to `steps`.
    pub fn narrow_lines<M>(&self, mut mutants: Vec<M>, place: impl Fn(&M) -> Place, steps: &mut Vec<Step>) -> Vec<M> {
        let mut filter = |what: &String, keep: &dyn Fn(&Place) -> bool| {
            mutants.retain(|mutant| keep(&place(mutant)));
            steps.push(Step { what: what.clone(), left: mutants.len(), noun: "mutant" });
        };
        if let Some((what, lines)) = &self.lines {
            filter(what, &|place| {
                let (from, to) = place.lines;
                lines.iter().any(|(file, first, last)| *file == place.file && *first <= to && from <= *last)
            });
        }
        if let Some((what, changed)) = &self.since {
            filter(what, &|place| changed.touches(&place.file, place.lines.0, place.lines.1));
        }
        if let Some((what, covered)) = &self.covered {
            filter(what, &|place| covered.covers(&place.file, place.floor, place.lines.0, place.column));
        }
        mutants
    }
}

/// The problem of an empty scope: the filter that emptied it, and the number before it.
pub fn emptied(steps: &[Step]) -> Problem {
    let plural = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let count = |step: &Step| plural(step.left, step.noun);
    let at = steps.iter().position(|step| step.left == 0).unwrap_or(steps.len().saturating_sub(1));
    let told: Vec<String> = steps[..steps.len().min(at + 1)]
        .iter()
        .enumerate()
        .map(|(n, step)| {
            let before = n.checked_sub(1).map(|before| &steps[before]);
            match before {
                None => format!("{} {}", count(step), step.what),
                Some(before) if before.noun != step.noun && step.left == 0 => {
                    format!("{} make no mutants of {}", step.what, count(before))
                }
                Some(before) if before.noun != step.noun => format!("{} make {}", step.what, count(step)),
                Some(before) if step.left == 0 => format!("{} leaves none of {}", step.what, count(before)),
                Some(_) => format!("{} leaves {}", step.what, count(step)),
            }
        })
        .collect();
    let fix = match at {
        0 => "`motif-cpp analyze` lists the functions of the project",
        _ => "widen the scope; `motif-cpp mutate --list` shows all mutants",
    };
    Problem::usage("scope-empty", format!("no mutant is left: {}", told.join("; ")), fix)
}

fn covered(session: &Session, path: &Path) -> Result<Covered, Problem> {
    let options: &Options = &session.options;
    let mut folders: Vec<&Path> = vec![&options.root];
    folders.extend(session.database.path.parent());
    folders.extend(path.parent());
    folders.extend(session.database.commands.iter().map(|command| command.directory.as_path()));
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(*folder));
    Covered::read(path, &Names { folders, files: session.model.files.keys().map(PathBuf::as_path).collect() })
}

/// A file, a folder, or a pattern.
struct Pattern {
    path: PathBuf,
    glob: GlobMatcher,
    root: PathBuf,
    by_name: bool,
}

impl Pattern {
    fn new(text: &str, root: &Path) -> Result<Self, Problem> {
        let wrong = |error: globset::Error| {
            let fix = "`*` is any name, `**` any folders, `[ab]` one of these, `{a,b}` either";
            Problem::usage("file-pattern", format!("`{text}` is not a pattern: {}", error.kind()), fix)
        };
        let glob = GlobBuilder::new(text.trim_start_matches("./")).literal_separator(true).build().map_err(wrong)?;
        let path = crate::options::absolute(root, Path::new(text));
        Ok(Self { path, glob: glob.compile_matcher(), root: root.to_path_buf(), by_name: !text.contains('/') })
    }

    fn is(&self, file: &Path) -> bool {
        file.starts_with(&self.path)
            || self.glob.is_match(file.strip_prefix(&self.root).unwrap_or(file))
            || self.glob.is_match(file)
            || self.by_name && file.file_name().is_some_and(|name| self.glob.is_match(name))
    }
}

/// The named files; every name must match one.
fn named(names: &[String], root: &Path, known: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Vec<Problem>> {
    let mut found = BTreeSet::new();
    let mut problems = Vec::new();
    for name in names {
        let pattern = match Pattern::new(name, root) {
            Ok(pattern) => pattern,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let before = found.len();
        let meant: Vec<&PathBuf> = known.iter().filter(|file| pattern.is(file)).collect();
        found.extend(meant.iter().map(|file| (*file).clone()));
        if meant.is_empty() && found.len() == before {
            let shown: Vec<String> = known.iter().map(|file| shown(root, file).to_string()).collect();
            let names = known.iter().filter_map(|file| file.file_name()?.to_str());
            let in_folders = |folder: &&str| known.iter().any(|file| file.starts_with(root.join(folder)));
            let folder = name.strip_suffix("/*").filter(in_folders);
            let fix = match (folder, nearest(name, shown.iter().map(String::as_str).chain(names))) {
                (Some(folder), _) => format!("`*` looks into no folder: write `{folder}` for all that is below it"),
                (None, Some(near)) => format!("did you mean `{near}`?"),
                // What is no path is a function's name, as `UNIT` is spelled.
                _ if name.contains("::") || name.contains('(') => format!("it is a unit: write `--unit '{name}'`"),
                _ => "give a file that the compile database builds or includes, a folder, or a pattern".into(),
            };
            problems.push(Problem::usage("file-unknown", format!("no file of the project is `{name}`"), fix));
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<PathBuf> {
        ["/p/a.c", "/p/src/b.c", "/p/src/deep/c.cpp", "/p/src/deep/c.h", "/q/d.c"].iter().map(PathBuf::from).collect()
    }

    fn names(patterns: &[&str]) -> Result<Vec<String>, Vec<Problem>> {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let found = named(&patterns, Path::new("/p"), &files())?;
        Ok(found.iter().map(|file| file.display().to_string()).collect())
    }

    #[test]
    fn a_file_is_meant_by_its_path_its_folder_or_a_pattern() {
        assert_eq!(names(&["a.c"]).unwrap(), ["/p/a.c"]);
        assert_eq!(names(&["./src/b.c", "/q/d.c"]).unwrap(), ["/p/src/b.c", "/q/d.c"]);
        assert_eq!(names(&["src"]).unwrap(), ["/p/src/b.c", "/p/src/deep/c.cpp", "/p/src/deep/c.h"]);
        assert_eq!(names(&["src/*.c"]).unwrap(), ["/p/src/b.c"]);
        assert_eq!(names(&["src/**/*.{cpp,h}"]).unwrap(), ["/p/src/deep/c.cpp", "/p/src/deep/c.h"]);
        assert_eq!(names(&["c.*"]).unwrap(), ["/p/src/deep/c.cpp", "/p/src/deep/c.h"]);
    }

    #[test]
    fn a_name_that_means_nothing_is_an_error_even_beside_one_that_does() {
        let problems = names(&["a.c", "src/d.c", "x[", "nowhere/at/all"]).unwrap_err();
        assert_eq!(
            problems.iter().map(|p| p.code).collect::<Vec<_>>(),
            ["file-unknown", "file-pattern", "file-unknown"]
        );
        assert_eq!(problems[0].fix, "did you mean `src/b.c`?");
        let shallow = named(&["include/*".into()], Path::new("/p"), &["/p/include/lib/a.h".into()]).unwrap_err();
        assert_eq!(shallow[0].fix, "`*` looks into no folder: write `include` for all that is below it");
        assert_eq!(
            names(&["sat::Mission::abort()"]).unwrap_err()[0].fix,
            "it is a unit: write `--unit 'sat::Mission::abort()'`"
        );
    }

    #[test]
    fn an_empty_scope_says_which_filter_emptied_it() {
        let step = |what: &str, left, noun| Step { what: what.into(), left, noun };
        let steps = [
            step("of the project", 12, "file"),
            step("`--file a.c`", 1, "file"),
            step("the operators", 40, "mutant"),
            step("`--since HEAD`", 0, "mutant"),
            step("`--sample 3`", 0, "mutant"),
        ];
        assert_eq!(
            emptied(&steps).what,
            "no mutant is left: 12 files of the project; `--file a.c` leaves 1 file; the operators make 40 mutants; \
             `--since HEAD` leaves none of 40 mutants"
        );
        let nothing = [step("of the project", 1, "file"), step("the operators", 0, "mutant")];
        assert_eq!(
            emptied(&nothing).what,
            "no mutant is left: 1 file of the project; the operators make no mutants of 1 file"
        );
    }
}
