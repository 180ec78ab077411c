//! What adopting would change: new files, updates of those that were adopted before, lines of the build, the ledger.

use super::Change;
use super::blocks::Blocks;
use super::by_hand::by_hand;
use super::cmake::{self, New, Place};
use super::includes::{Includes, found_from, inner_of};
use super::style::{Style, includes};
use super::trial;
use crate::compdb::{CompileCommand, Database};
use crate::diag::{Problem, nearest};
use crate::emit::cmake::wrapped;
use crate::emit::framework::{Row, included};
use crate::judgements::adopted::{Adopted, AdoptedTest, FILE_NAME, Ledger, digest};
use crate::model::Language;
use crate::outcome::{Adoptable, How, MutantOutcome, Outcome, TestAccess, TestOutcome};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What is to be adopted, and how.
pub struct Wanted<'w> {
    /// The project's root.
    pub root: &'w Path,
    /// The folder that tests go to, absolute.
    pub into: &'w Path,
    /// The output folder of the run, absolute.
    pub output: &'w Path,
    /// Its result.
    pub outcome: &'w Outcome,
    /// The compile database, where it can be read.
    pub database: Option<&'w Database>,
    /// Names of tests, files or mutants; all proved tests where there is none.
    pub tests: &'w [String],
    /// Lines for the comment of each test.
    pub remarks: Vec<String>,
    /// Tests that were adopted and read otherwise now are updated.
    pub update: bool,
    /// Adopted tests that are superfluous are removed.
    pub prune: bool,
    /// Set when the user has had enough.
    pub interrupted: &'w AtomicBool,
}

/// What adopting would do.
#[derive(Debug, Default)]
pub struct Planned {
    /// Files to be written or removed.
    pub changes: Vec<Change>,
    /// Changes of adopted tests that nobody has accepted.
    pub proposed: Vec<Change>,
    /// The tests that are new.
    pub adopted: usize,
    /// What a person should know or do.
    pub notes: Vec<String>,
}

/// Plans it.
///
/// # Errors
///
/// Nothing is proved, a name means no test, or the tests are in another framework than the folder's.
pub fn plan(wanted: &Wanted<'_>) -> anyhow::Result<Planned> {
    let ledger = Ledger::read(wanted.root)?;
    let chosen = chosen(wanted)?;
    let is_ours = |path: &Path| ledger.all.iter().any(|known| wanted.root.join(&known.file) == path);
    let style = Style::of(wanted.into, &is_ours);
    let mut planning = Planning {
        wanted,
        before: ledger.all.len(),
        all: ledger.all.clone(),
        style,
        new: Vec::new(),
        files: BTreeMap::new(),
        planned: Planned::default(),
        found: BTreeSet::new(),
    };
    let mut by_file: BTreeMap<&Path, Vec<&TestOutcome>> = BTreeMap::new();
    for test in &chosen {
        by_file.entry(&test.file).or_default().push(test);
    }
    let mut taken: Vec<&TestOutcome> = Vec::new();
    for (file, tests) in by_file {
        if planning.file(file, &tests)? {
            taken.extend(tests);
        }
    }
    planning.superfluous(&taken);
    planning.done(&ledger)
}

/// The proved tests that are meant.
fn chosen<'o>(wanted: &Wanted<'o>) -> Result<Vec<&'o TestOutcome>, Problem> {
    let proved: Vec<&TestOutcome> = wanted.outcome.tests.iter().filter(|test| test.verified).collect();
    if proved.is_empty() {
        let what = "the last run has no proved test";
        let fix = "run `motif-cpp fuzz`; what it could not prove is in unproved/, each with its reason";
        return Err(Problem::usage("adopt-nothing", what, fix).at(wanted.output));
    }
    if wanted.tests.is_empty() {
        return Ok(proved);
    }
    let mut chosen = Vec::new();
    for word in wanted.tests {
        let is_meant = |test: &&&TestOutcome| {
            let by_file = test.file.ends_with(word) || test.file.file_stem().is_some_and(|stem| stem == word.as_str());
            test.name == *word || by_file || test.unit == *word || test.kills.contains(word)
        };
        let meant: Vec<&TestOutcome> = proved.iter().filter(is_meant).copied().collect();
        if meant.is_empty() {
            let near = nearest(word, proved.iter().map(|test| test.name.as_str()));
            let fix = near.map_or_else(
                || {
                    "give the name or file of a test of `outcomes.json`, a unit, or a mutant that a test kills"
                        .to_owned()
                },
                |near| format!("did you mean `{near}`?"),
            );
            return Err(Problem::usage("test-unknown", format!("no proved test is called `{word}`"), fix));
        }
        for test in meant {
            if !chosen.iter().any(|known: &&TestOutcome| std::ptr::eq(*known, test)) {
                chosen.push(test);
            }
        }
    }
    Ok(chosen)
}

struct Planning<'p, 'w> {
    wanted: &'p Wanted<'w>,
    /// The files that were adopted before.
    before: usize,
    /// The ledger as it will be: those, then the new ones.
    all: Vec<Adopted>,
    style: Style,
    /// The new files, and the commands of those that they are built like.
    new: Vec<(PathBuf, Option<&'w CompileCommand>)>,
    /// Files as they will be.
    files: BTreeMap<PathBuf, Option<String>>,
    planned: Planned,
    /// Adopted tests that this run has written again: file and name.
    found: BTreeSet<(PathBuf, String)>,
}

/// A new test where it would stand.
struct Fitted<'w> {
    place: Result<Place, Option<PathBuf>>,
    text: String,
    /// What it is compiled with beside the flags of its neighbours.
    options: Vec<String>,
    /// A command of these.
    like: Option<&'w CompileCommand>,
}

impl<'w> Planning<'_, 'w> {
    /// The text of a file, as it is or will be.
    fn text(&self, file: &Path) -> Option<String> {
        match self.files.get(file) {
            Some(planned) => planned.clone(),
            None => std::fs::read_to_string(file).ok(),
        }
    }

    fn note(&mut self, what: impl Into<String>) {
        self.planned.notes.push(what.into());
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.wanted.root).unwrap_or(path).display().to_string()
    }

    /// The fingerprints of the mutants that a test kills.
    fn kills(&self, test: &TestOutcome) -> Vec<String> {
        let of = |id: &String| self.wanted.outcome.mutants.iter().find(|mutant| mutant.id == *id);
        test.kills.iter().map(|id| of(id).map_or(id.clone(), |mutant| mutant.key().to_owned())).collect()
    }

    fn needs_sanitizer(&self, test: &TestOutcome) -> bool {
        let by_it = |mutant: &MutantOutcome| mutant.kill.as_ref().is_some_and(|kill| kill.how == How::Sanitizer);
        let mut killed = self.wanted.outcome.mutants.iter().filter(|mutant| test.kills.contains(&mutant.id));
        killed.all(by_it)
    }

    /// Adopts tests of one emitted file. False where these can't stand in somebody's program.
    fn file(&mut self, emitted: &Path, tests: &[&TestOutcome]) -> anyhow::Result<bool> {
        let path = self.wanted.output.join(emitted);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let fix = "write the tests again with `motif-cpp testgen`";
            Problem::usage("tests-missing", format!("a test of the last run can not be read: {error}"), fix).at(&path)
        })?;
        if !wrapped(&text).is_empty() {
            let what = "is left out: it makes calls fail by the linker's --wrap, which holds for a whole program";
            let fix = "regression_tests.cmake beside it builds it as a program of its own";
            self.note(format!("{} {what}; {fix}", self.shown(&path)));
            return Ok(false);
        }
        let language = if emitted.extension().is_some_and(|end| end == "c") { Language::C } else { Language::Cxx };
        let row = self.row(&text, language)?;
        let of_file = self.wanted.outcome.tests.iter().filter(|test| test.file == emitted);
        let blocks = Blocks::of(&text, row, of_file.map(|test| test.name.as_str()));
        let mut new = Vec::new();
        for test in tests {
            if blocks.test(&test.name).is_none() {
                let what =
                    format!("{} is not in {} as it was written, so it is left out", test.name, self.shown(&path));
                self.note(format!("{what}: `motif-cpp testgen` writes it again"));
            } else if self.wanted.tests.is_empty() && self.needs_sanitizer(test) {
                let what = "is left out: only a sanitizer sees what it tells apart; it is adopted where it is named";
                self.note(format!("{} of {} {what}", test.name, self.shown(&path)));
            } else if !self.is_known(test, &blocks, row, language)? {
                new.push(*test);
            }
        }
        if !new.is_empty() {
            self.adopt(&blocks, emitted, &new, row, language)?;
        }
        Ok(true)
    }

    /// The framework of an emitted file, which is to be that of the folder's tests.
    fn row(&self, text: &str, language: Language) -> Result<&'static Row, Problem> {
        let row = Row::for_language(language, &included(includes(text)));
        let own = self.style.frameworks().into_iter().map(Row::of).find(|own| own.language == language);
        match own {
            Some(own) if own.name != row.name => {
                let what =
                    format!("the tests there are written with {}, those of the last run with {}", own.name, row.name);
                let fix = format!("write them again first: `motif-cpp testgen --framework {}`", own.name);
                Err(Problem::usage("framework-differs", what, fix).at(self.wanted.into))
            }
            _ => Ok(row),
        }
    }

    /// Whether a test was adopted before; if it reads otherwise now, that is an update.
    fn is_known(&mut self, test: &TestOutcome, blocks: &Blocks, row: &Row, language: Language) -> anyhow::Result<bool> {
        let kills = self.kills(test);
        let is_it =
            |known: &AdoptedTest| known.name == test.name || known.kills.iter().any(|kill| kills.contains(kill));
        let found =
            self.all[..self.before].iter().position(|file| file.unit == test.unit && file.tests.iter().any(is_it));
        let Some(number) = found else { return Ok(false) };
        let known = self.all[number].clone();
        let old_name =
            known.tests.iter().find(|known| is_it(known)).map(|known| known.name.clone()).unwrap_or_default();
        self.found.insert((known.file.clone(), old_name.clone()));
        let path = self.wanted.root.join(&known.file);
        let Some(text) = self.text(&path) else {
            self.note(format!("{} was adopted and is gone; its tests are not adopted again", known.file.display()));
            return Ok(true);
        };
        let first = !self.files.contains_key(&path);
        if first && digest(&text) != known.written {
            self.note(format!("{} was edited since it was adopted: it stays as it is", known.file.display()));
            return Ok(true);
        }
        let old = Blocks::of(&text, row, known.tests.iter().map(|test| test.name.as_str()));
        let (Some(before), Some(now)) = (old.test(&old_name), blocks.test(&test.name)) else { return Ok(true) };
        // What people have said of it is kept.
        let is_said = |line: &&String| SAID.iter().any(|word| line.contains(word));
        let mut said: Vec<String> =
            before.iter().filter(is_said).map(|line| line.trim_start_matches(['/', '*', ' ']).to_owned()).collect();
        said.extend(self.wanted.remarks.iter().cloned());
        said.dedup();
        let now = Blocks::of(&now.join("\n"), row, std::iter::once(test.name.as_str())).remarked(&said, language);
        let now: Vec<String> = now.lines().map(str::to_owned).collect();
        if before == now {
            return Ok(true);
        }
        let new_text = self.respelled(&old.with(&old_name, &now).text(), row, &path, true, self.command_of(&path));
        let change = Change { file: known.file.clone(), before: Some(text), after: Some(new_text.clone()) };
        if self.wanted.update {
            let entry = &mut self.all[number];
            entry.written = digest(&new_text);
            for known in entry.tests.iter_mut().filter(|known| known.name == old_name) {
                *known = AdoptedTest { name: test.name.clone(), kills: kills.clone() };
            }
            self.files.insert(path, Some(new_text));
        } else {
            self.planned.proposed.push(change);
        }
        Ok(true)
    }

    /// Adopts tests that are new, as a file of their own.
    fn adopt(
        &mut self,
        blocks: &Blocks,
        emitted: &Path,
        tests: &[&TestOutcome],
        row: &'static Row,
        language: Language,
    ) -> anyhow::Result<()> {
        let stem = emitted.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let stem = stem.strip_suffix("_test").unwrap_or(&stem).to_owned();
        let names: BTreeSet<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        let mut number = 1;
        let file = loop {
            let stem = if number == 1 { stem.clone() } else { format!("{stem}_{number}") };
            let file = self.wanted.into.join(self.style.file_name(&stem, language));
            if self.text(&file).is_none() {
                break file;
            }
            number += 1;
        };
        let kept = Blocks::of(&blocks.only(&names, row), row, names.iter().copied());
        let kept = kept.remarked(&self.wanted.remarks, language);
        let fitted = match self.fitted(&kept, &file, tests, row, language) {
            Ok(fitted) => fitted,
            Err(why) => {
                self.note(format!("{} is not adopted: {why}", emitted.display()));
                return Ok(());
            }
        };
        let Fitted { place, text, options, like } = fitted;
        self.build(place, &file, open(tests), &options, row);
        let tests: Vec<AdoptedTest> =
            tests.iter().map(|test| AdoptedTest { name: test.name.clone(), kills: self.kills(test) }).collect();
        self.planned.adopted += tests.len();
        let unit = self.wanted.outcome.tests.iter().find(|test| test.file == emitted).map(|test| test.unit.clone());
        let relative = file.strip_prefix(self.wanted.root).unwrap_or(&file).to_path_buf();
        self.found.extend(tests.iter().map(|test| (relative.clone(), test.name.clone())));
        let entry = Adopted { file: relative, unit: unit.unwrap_or_default(), written: digest(&text), tests };
        self.all.push(entry);
        self.new.push((file.clone(), like));
        self.files.insert(file, Some(text));
        Ok(())
    }

    /// Finds the place of a new test among neighbours with whose flags it compiles: those that include the same headers
    /// of the project come first.
    fn fitted(
        &self,
        kept: &str,
        file: &Path,
        tests: &[&TestOutcome],
        row: &Row,
        language: Language,
    ) -> Result<Fitted<'w>, String> {
        let (neighbours, alike) = self.neighbours(kept, row);
        let main = self.style.main_of_each(row);
        let is_hang = |mutant: &MutantOutcome| mutant.kill.as_ref().is_some_and(|kill| kill.how == How::Hang);
        let mut killed = self.wanted.outcome.mutants.iter().filter(|mutant| is_hang(mutant));
        let may_hang = killed.any(|mutant| tests.iter().any(|test| test.kills.contains(&mutant.id)));
        let read = |path: &Path| self.text(path);
        let placed = |preferred: &[PathBuf]| {
            let (root, neighbours, brings_main) = (self.wanted.root, &neighbours[..], row.main.is_some());
            match cmake::place(&New { root, file, neighbours, preferred, brings_main, may_hang }, &read) {
                Ok((place, like)) => (Ok(place), like),
                // It is for a person to say.
                Err(nearest) => (Err(nearest), neighbours.to_vec()),
            }
        };
        // Those that are most alike together, then each that is compiled otherwise than those before.
        let alone = neighbours.iter().filter(|path| self.command_of(path).is_some()).map(|path| vec![path.clone()]);
        let mut tried: Vec<&CompileCommand> = Vec::new();
        let (mut refused, mut untried) = (None, None);
        for preferred in std::iter::once(alike).chain(alone) {
            if tried.len() == MOST_TRIED {
                break;
            }
            let (place, like) = placed(&preferred);
            let joins = match &place {
                Ok(Place::Edited { joins, .. }) => *joins,
                // The sources of a glob are one program, if they are no programs themselves.
                Ok(Place::Glob(..)) | Err(_) => row.main.is_none() && main.is_none(),
            };
            if joins && tests.iter().any(|test| test.adoptable == Adoptable::IncludesSource) {
                return Err(
                    "it includes the source of its unit, which the program that it would join has as well".into()
                );
            }
            let first = preferred.iter().filter(|path| like.contains(path));
            let command = first.chain(&like).find_map(|path| self.command_of(path));
            if command.is_some_and(|command| tried.iter().any(|tried| is_alike(tried, command))) {
                continue;
            }
            let mut text = self.respelled(kept, row, file, joins, command);
            if let Some(main) = main.as_ref().filter(|_| !joins && row.main.is_none()) {
                text = format!("{}\n{main}", text.trim_end_matches('\n').to_owned() + "\n");
            }
            let Some(command) = command else {
                untried = untried.or(Some(Fitted { place, text, options: Vec::new(), like: None }));
                continue;
            };
            tried.push(command);
            let folder = file.parent().unwrap_or(self.wanted.into);
            match trial::options(command, folder, (&text, language), open(tests), self.wanted.interrupted) {
                Ok(options) => return Ok(Fitted { place, text, options, like: Some(command) }),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        untried.filter(|_| refused.is_none()).ok_or_else(|| {
            let what = "it does not compile with the flags of the tests that are there";
            format!("{what}: {}", refused.unwrap_or_default())
        })
    }

    /// The tests beside which a new one may stand, and those of them that include most of the project's headers that it
    /// includes.
    fn neighbours(&self, text: &str, row: &Row) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let emitted = self.includes(self.wanted.into, None);
        let own: BTreeSet<PathBuf> = includes(text).filter_map(|operand| emitted.file(inner_of(operand))).collect();
        let shared = |path: &&PathBuf| {
            let (text, command) = (self.text(path).unwrap_or_default(), self.command_of(path));
            let theirs = includes(&text).filter_map(|operand| found_from(path, inner_of(operand), command));
            theirs.collect::<BTreeSet<PathBuf>>().intersection(&own).count()
        };
        let of_style = self.style.programs(row).into_iter();
        let all: Vec<&PathBuf> = of_style.chain(self.new.iter().map(|(path, _)| path)).collect();
        let mut by_shared: BTreeMap<std::cmp::Reverse<usize>, Vec<PathBuf>> = BTreeMap::new();
        for path in all {
            by_shared.entry(std::cmp::Reverse(shared(&path))).or_default().push(path.clone());
        }
        let most = by_shared.iter().next().filter(|(shared, _)| shared.0 > 0).map(|(_, paths)| paths.clone());
        (by_shared.into_values().flatten().collect(), most.unwrap_or_default())
    }

    /// Adds the file to the build, or says what to add.
    fn build(
        &mut self,
        place: Result<Place, Option<PathBuf>>,
        file: &Path,
        private: &[&str],
        options: &[String],
        row: &Row,
    ) {
        let name = |folder: Option<&Path>| {
            folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file).display().to_string()
        };
        let lists = match place {
            Ok(Place::Edited { file: lists, text, .. }) => {
                self.files.insert(lists.clone(), Some(text));
                Some(lists)
            }
            Ok(Place::Glob(lists, line)) => {
                let what = format!(
                    "{}:{line} takes {} as it is: configure the build again",
                    self.shown(&lists),
                    name(Some(self.wanted.into))
                );
                if !self.planned.notes.contains(&what) {
                    self.note(what);
                }
                Some(lists)
            }
            Err(nearest) => {
                let what = by_hand(self.wanted.root, self.wanted.into, nearest.as_deref(), file, row);
                self.note(what);
                None
            }
        };
        let options: Vec<&str> = private.iter().copied().chain(options.iter().map(String::as_str)).collect();
        if options.is_empty() {
            return;
        }
        let head = if private.is_empty() { OPTIONS } else { PRIVATE };
        match lists {
            Some(lists) => {
                let text = self.text(&lists).unwrap_or_default();
                let own = name(lists.parent());
                let joined =
                    if options.len() > 1 { format!("\"{}\"", options.join(";")) } else { options[0].to_owned() };
                let line = format!("set_source_files_properties({own} PROPERTIES COMPILE_OPTIONS {joined})");
                let head = if text.contains(head) { "" } else { head };
                self.files.insert(lists, Some(format!("{}\n{head}{line}\n", text.trim_end())));
            }
            None => {
                let why = if private.is_empty() { "needs options of its own" } else { "reads private state" };
                self.note(format!("{} {why}: compile it with `{}`", self.shown(file), options.join(" ")));
            }
        }
    }

    /// The command by which a test is compiled, or will be.
    fn command_of(&self, file: &Path) -> Option<&'w CompileCommand> {
        let new = self.new.iter().find(|(path, _)| path == file).and_then(|(_, like)| *like);
        new.or_else(|| self.wanted.database?.command_of(file))
    }

    /// A text with its includes as the folder has them; the file is built like one with the command `like`.
    fn respelled(&self, text: &str, row: &Row, file: &Path, joins: bool, like: Option<&CompileCommand>) -> String {
        let neighbour = like.or_else(|| self.style.files.iter().find_map(|(path, _)| self.command_of(path)));
        self.includes(file.parent().unwrap_or(self.wanted.into), neighbour).respelled(text, row, joins)
    }

    fn includes<'i>(&'i self, folder: &'i Path, neighbour: Option<&'i CompileCommand>) -> Includes<'i> {
        let source = self.wanted.database.and_then(|database| {
            let sources = database.commands.iter().filter(|command| !command.file.starts_with(self.wanted.into));
            sources.max_by_key(|command| command.args.len())
        });
        Includes { root: self.wanted.root, folder, source, neighbour, style: &self.style }
    }

    /// Looks for adopted tests whose mutants are gone, or fall to other tests of this run.
    fn superfluous(&mut self, chosen: &[&TestOutcome]) {
        let outcome = self.wanted.outcome;
        let units: BTreeSet<&str> = outcome.mutants.iter().filter_map(|mutant| mutant.unit.as_deref()).collect();
        let falls = |kill: &String| {
            let mutant = outcome.mutants.iter().find(|mutant| mutant.key() == kill);
            mutant.is_none_or(|mutant| chosen.iter().any(|test| test.kills.contains(&mutant.id)))
        };
        for number in 0..self.all.len() {
            let known = self.all[number].clone();
            if !units.contains(known.unit.as_str()) {
                continue;
            }
            let is_gone = |test: &&AdoptedTest| {
                !self.found.contains(&(known.file.clone(), test.name.clone())) && test.kills.iter().all(falls)
            };
            let gone: Vec<AdoptedTest> = known.tests.iter().filter(is_gone).cloned().collect();
            if !gone.is_empty() {
                self.prune(number, &known, &gone);
            }
        }
        self.all.retain(|file| !file.tests.is_empty());
    }

    fn prune(&mut self, number: usize, known: &Adopted, gone: &[AdoptedTest]) {
        let path = self.wanted.root.join(&known.file);
        let Some(text) = self.text(&path) else { return };
        let names: Vec<&str> = gone.iter().map(|test| test.name.as_str()).collect();
        let what = format!("{} is superfluous in {}", names.join(", "), known.file.display());
        if !self.wanted.prune {
            return self.note(format!("{what}: `--prune` removes what is"));
        }
        if digest(&text) != self.all[number].written {
            return self.note(format!("{what}, and stays: the file was edited since it was adopted"));
        }
        self.note(format!("removed: {what}"));
        self.all[number].tests.retain(|test| !names.contains(&test.name.as_str()));
        let left: BTreeSet<&str> =
            known.tests.iter().map(|test| test.name.as_str()).filter(|name| !names.contains(name)).collect();
        if !left.is_empty() {
            let language =
                if known.file.extension().is_some_and(|end| end == "c") { Language::C } else { Language::Cxx };
            let row = Row::for_language(language, &included(includes(&text)));
            let text = Blocks::of(&text, row, known.tests.iter().map(|test| test.name.as_str())).only(&left, row);
            self.all[number].written = digest(&text);
            self.files.insert(path, Some(text));
            return;
        }
        for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(self.wanted.root)) {
            let lists = folder.join("CMakeLists.txt");
            if let Some(text) = self.text(&lists).and_then(|text| cmake::without(&text, folder, &path)) {
                self.files.insert(lists, Some(text));
            }
        }
        self.files.insert(path, None);
    }

    /// The changes, with that of the ledger.
    fn done(mut self, ledger: &Ledger) -> anyhow::Result<Planned> {
        let root = self.wanted.root;
        let text = if self.all == ledger.all {
            Some(ledger.text.clone()).filter(|text| !text.is_empty())
        } else {
            Ledger::rendered(&self.all)?
        };
        self.files.insert(root.join(FILE_NAME), text);
        for (path, after) in std::mem::take(&mut self.files) {
            let before = std::fs::read_to_string(&path).ok();
            if before != after {
                let file = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
                self.planned.changes.push(Change { file, before, after });
            }
        }
        self.planned.notes.dedup();
        Ok(self.planned)
    }
}

/// What stands above the options of tests that read private state.
const PRIVATE: &str = "\n# Tests that read private state.\n";

/// What stands above the options of tests that the flags of their neighbours would refuse.
const OPTIONS: &str = "\n# Tests that are written in a newer C, or that these flags warn of.\n";

/// Opens private members to a test.
const OPEN: &str = "-fno-access-control";

/// The most neighbours with whose flags a test is tried.
const MOST_TRIED: usize = 8;

/// Whether two files are compiled alike.
fn is_alike(one: &CompileCommand, other: &CompileCommand) -> bool {
    let how = |command: &CompileCommand| (command.compiler.clone(), command.directory.clone(), command.args.clone());
    how(one) == how(other)
}

/// The options of tests that read private state.
fn open(tests: &[&TestOutcome]) -> &'static [&'static str] {
    if tests.iter().any(|test| test.access == TestAccess::Private) { &[OPEN] } else { &[] }
}

/// What people's remarks in a test's comment begin with.
pub const SAID: [&str; 2] = ["Requirement: ", "Reviewed by: "];
