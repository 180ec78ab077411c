//! The proof of a kill: the emitted test, built without any generated copy and with the project's own options,
//! passes on the original and fails with the mutated file in the original's place, in fresh processes.

mod asking;
mod faults;
mod linked_members;
mod program;
mod proof;
mod ran;
mod ready;
mod shorten;
mod telling;
mod together;
mod unwritten;

use super::project::{Project, flags, link_flags};
use super::write::{TestFile, WrittenTest, files};
use super::{TestCase, choices};
use crate::build::run::{Ended, Finished, run};
use crate::build::{Builder, CompileFailure, CompileJob, Flavor, Libraries, ProjectObjects, WhatLinks};
use crate::compdb::CompileCommand;
use crate::model::Language;
use crate::supervise::{Confinement, Runs, confined, refusal};
use anyhow::{Context, Result, anyhow};
use linked_members::{is_linked, taken};
pub(super) use program::Program;
use program::{Kept, command, keep, ran};
pub use proof::Proof;
use proof::unproved;
use ran::{Ran, TIMED_OUT};
pub(super) use ready::Side;
use ready::{Purpose, Ready, TestText, flavor};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
pub use telling::Listener;

/// No regression test takes longer on the original.
const ORIGINAL_LIMIT: Duration = Duration::from_secs(30);
/// The least that a mutant is given before it counts as one that never comes back.
const LEAST_LIMIT: Duration = Duration::from_secs(3);

/// The same for a test of another mutant, whose end nobody waits for.
const OTHERS_LIMIT: Duration = Duration::from_millis(500);

/// What fills memory of the heap that nothing was written to.
const FILLED: &str = "165";

const PASSES: &str = "the test passes on the mutant as well";

/// The header with what all tests in C++ include first.
const FRAMEWORK: &str = "framework.hpp";

/// So many mutants of one file of tests are proved one after the other.
const PART: usize = 64;

/// The most tests of other mutants that a mutant meets.
const OTHERS_MOST: usize = 48;

/// Proves kills; shared by all threads.
pub struct Prover<'a> {
    builder: &'a Builder,
    project: &'a Project,
    libraries: &'a Libraries,
    scratch: PathBuf,
    interrupted: Arc<AtomicBool>,
    /// The project's objects, compiled when the first test needs them.
    what_links: Option<&'a WhatLinks>,
    /// Is told what is being compiled or tried.
    pub(super) listener: Listener<'a>,
    objects: Mutex<BTreeMap<Flavor, Arc<ProjectObjects>>>,
    /// The header of the framework, to be precompiled; none where it can't be written.
    framework: Option<PathBuf>,
    folders: AtomicUsize,
}

impl<'a> Prover<'a> {
    /// A prover that leaves its files in `scratch`.
    pub fn new(
        builder: &'a Builder,
        project: &'a Project,
        libraries: &'a Libraries,
        scratch: &Path,
        interrupted: Arc<AtomicBool>,
    ) -> Self {
        Self {
            builder,
            project,
            libraries,
            scratch: scratch.to_path_buf(),
            interrupted,
            what_links: None,
            listener: Listener::default(),
            objects: Mutex::default(),
            framework: framework(builder, project, scratch).ok(),
            folders: AtomicUsize::new(0),
        }
    }

    /// Links no more of the project than `what_links` says, and tells that what tests ask for. `listener` is told.
    #[must_use]
    pub fn linking(self, what_links: &'a WhatLinks, listener: Listener<'a>) -> Self {
        Self { what_links: Some(what_links), listener, ..self }
    }

    /// The project as tests are linked against it, without `source`.
    ///
    /// # Errors
    /// The archiver fails.
    pub fn archive_without(&self, source: &Path) -> Result<PathBuf, CompileFailure> {
        self.builder.archive(&self.objects(Flavor::Plain), source, &[source])
    }

    /// Tries to prove every case; one proof each, in their order. `tried` is told each mutant that is done with.
    pub fn prove(&self, cases: &[TestCase], tried: &(dyn Fn(&str) + Sync)) -> Result<Vec<Proof>> {
        // Each file is compiled once; a case that keeps its file from compiling must not take the others along.
        let files = files(cases, self.project)?;
        let whole: Vec<&TestFile<'_>> = files.iter().collect();
        let ready = self.builder.in_parallel(&whole, |file| self.ready(file));
        // The mutants of one large file keep all threads busy.
        let parts = ready.iter().zip(&files).flat_map(|(ready, file)| {
            let most = if ready.is_ok() { PART } else { file.tests.len().max(1) };
            file.tests.chunks(most).map(move |tests| (ready, file, tests))
        });
        let parts: Vec<_> = parts.collect();
        let proofs = self.builder.in_parallel(&parts, |(ready, file, tests)| {
            let of_part = || tests.iter().filter_map(|test| case_of(cases, test));
            match ready {
                Ok(ready) => self
                    .part(ready, tests, cases, tried)
                    .unwrap_or_else(|error| of_part().map(|case| unproved(case, format!("{error:#}"))).collect()),
                Err(error) if file.tests.len() == 1 => {
                    of_part().map(|case| unproved(case, format!("{error:#}"))).collect()
                }
                Err(_) => of_part().map(|case| self.alone(case, tried)).collect(),
            }
        });
        ready.iter().flatten().for_each(|ready| _ = fs::remove_dir_all(&ready.text.folder));
        let proofs: Vec<Proof> = proofs.into_iter().flatten().collect();
        let find = |case: &TestCase| proofs.iter().find(|p| p.mutant_id == case.mutant_id).cloned();
        Ok(cases.iter().map(|case| find(case).unwrap_or_else(|| unproved(case, "no test was written"))).collect())
    }

    /// One case in a file of its own.
    fn alone(&self, case: &TestCase, tried: &(dyn Fn(&str) + Sync)) -> Proof {
        let cases = std::slice::from_ref(case);
        let proofs = files(cases, self.project).and_then(|files| {
            let Some(file) = files.first() else { return Ok(Vec::new()) };
            let ready = self.ready(file)?;
            let proofs = self.part(&ready, &file.tests, cases, tried);
            let _ = fs::remove_dir_all(&ready.text.folder);
            proofs
        });
        match proofs {
            Ok(proofs) => proofs.into_iter().next().unwrap_or_else(|| unproved(case, "no test was written")),
            Err(error) => unproved(case, format!("{error:#}")),
        }
    }

    /// A file of tests that is built and has run on the original. An error is about the whole file.
    fn ready<'f>(&self, file: &'f TestFile<'f>) -> Result<Ready<'f>>
    where
        'a: 'f,
    {
        let command = self
            .project
            .source(&file.case.command_file)
            .with_context(|| format!("{} has no compile command", file.case.command_file.display()))?;
        let folder = self.folder()?;
        let source = folder.join(&file.name);
        fs::write(&source, &file.text_for_proof).with_context(|| format!("writing {}", source.display()))?;
        let headers = self.headers(file);
        let text = TestText { file, command, folder, source, headers };
        let side = text.side(&text.folder);
        let (original, objects) = self.original(&side)?;
        // Tests that several mutants share run once on the original.
        let mut tests: Vec<(&WrittenTest, Result<Duration, String>)> = Vec::new();
        for test in &file.tests {
            if !tests.iter().any(|(known, _)| known.filter == test.filter) {
                let passes = self.passes_twice(&original, test, &side);
                if passes.is_ok() {
                    self.ask_of_resident(&original, test, &side);
                }
                tests.push((test, passes));
            }
        }
        Ok(Ready { text, original, objects, tests })
    }

    /// The proofs of some of the tests of a file.
    fn part(
        &self,
        ready: &Ready<'_>,
        part: &[WrittenTest],
        cases: &[TestCase],
        tried: &(dyn Fn(&str) + Sync),
    ) -> Result<Vec<Proof>> {
        let Ready { text, original, objects, tests } = ready;
        let folder = self.folder()?;
        let side = text.side(&folder);
        let mut proofs = Vec::new();
        // Which have failed on most mutants so far.
        let mut order: Vec<(usize, usize)> = (0..tests.len()).map(|number| (number, 0)).collect();
        for test in part {
            let Some(case) = case_of(cases, test) else { continue };
            let proof = match self.mutant(&side, objects, original, case) {
                Ok(program) => {
                    program.is_kept_as(original);
                    order.sort_by_key(|(number, fell)| (tests[*number].0.filter != test.filter, Reverse(*fell)));
                    let proof = self.fall(&program, tests, &mut order, case, &side);
                    // Only kept while it is needed: a program of every mutant would fill the disk.
                    let _ = fs::remove_file(&program.path);
                    proof
                }
                Err(error) => unproved(case, format!("{error:#}")),
            };
            proofs.push(proof);
            tried(&case.mutant_id);
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        let _ = fs::remove_dir_all(&folder);
        Ok(proofs)
    }

    /// Which tests fail on a mutant: its own, which comes first in `order`, and others of its file.
    fn fall(
        &self,
        program: &Program,
        tests: &[(&WrittenTest, Result<Duration, String>)],
        order: &mut [(usize, usize)],
        case: &TestCase,
        side: &Side<'_>,
    ) -> Proof {
        let mut proof = Proof { another_may: true, ..unproved(case, "") };
        for (position, (number, fell)) in order.iter_mut().enumerate().take(OTHERS_MOST) {
            let (test, passes) = &tests[*number];
            let fails = passes.clone().and_then(|took| match position {
                0 => self.fails(program, test, case, took, side),
                // (What a proof rests on is started for it.)
                _ => self.fails_soon(program, test, took, side).and_then(|how| match proof.verified {
                    true => Ok(how),
                    false => self.fails(program, test, case, took, side),
                }),
            });
            // What does not come back in time costs as much with each test.
            let is_slow = matches!(&fails, Ok(why) | Err(why) if why == TIMED_OUT);
            match fails {
                Ok(how) => {
                    *fell += 1;
                    proof.tests.push(test.mutant_id.clone());
                    if !proof.verified {
                        proof = Proof { verified: true, another_may: false, reason: how, ..proof };
                    }
                }
                Err(why) if position == 0 => proof.reason = why,
                Err(_) => {}
            }
            if is_slow {
                break;
            }
            if self.interrupted.load(Ordering::Relaxed) || side.file.case.sanitizer.is_some() || self.one_each() {
                break;
            }
        }
        proof
    }

    /// Whether nobody asks what a test kills beside its own mutants.
    fn one_each(&self) -> bool {
        self.project.one_per_mutant
    }

    fn folder(&self) -> Result<PathBuf> {
        let number = self.folders.fetch_add(1, Ordering::Relaxed);
        let folder = self.scratch.join(format!("proof-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        Ok(folder)
    }

    /// The project's objects for `flavor`; whoever comes first compiles them.
    fn objects(&self, flavor: Flavor) -> Arc<ProjectObjects> {
        let chosen = self.what_links.map(WhatLinks::objects);
        let is_chosen = |file: &Path| chosen.as_ref().is_none_or(|chosen| chosen.object_of(file).is_some());
        let mut all = self.objects.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = all.entry(flavor).or_default();
        let wanted = self.project.sources.iter().filter(|source| is_chosen(&source.file) && !known.has(&source.file));
        let wanted: Vec<CompileCommand> = wanted.cloned().collect();
        if !wanted.is_empty() {
            let mut more = ProjectObjects::clone(known);
            let compile = |command: &CompileCommand| match self.what_links {
                Some(what_links) if flavor == Flavor::Plain => what_links.object(self.builder, command),
                _ => self.builder.compile(&CompileJob::project(command, flavor)),
            };
            let objects = self.builder.project_objects(&wanted, &compile, &|file| self.listener.tell_file(file));
            more.join(objects, &self.project.sources);
            more.rivals.extend(chosen.into_iter().flat_map(|chosen| chosen.rivals));
            *known = Arc::new(more);
        }
        known.clone()
    }

    /// Compiles what of the project these objects ask for.
    fn reach(&self, objects: &[&Path]) {
        if let Some(what_links) = self.what_links {
            what_links.reach(self.builder, objects, &|file| self.listener.tell_file(file));
        }
    }

    fn original(&self, side: &Side<'_>) -> Result<(Program, Arc<ProjectObjects>)> {
        let test = self.builder.compile(&self.test_job(side)).map_err(|f| said("the test", &f))?;
        self.reach(&[&test]);
        let objects = self.objects(side.flavor);
        Ok((self.link(side, &test, &objects, "original")?, objects))
    }

    /// The test with `case`'s mutated file in the original's place.
    fn mutant(
        &self,
        side: &Side<'_>,
        objects: &ProjectObjects,
        original: &Program,
        case: &TestCase,
    ) -> Result<Program> {
        let of_project = self.project.source(&case.file).is_some();
        let mut job = self.test_job(side);
        // A header, or the source that the test includes: the test itself reads the mutated file.
        if !of_project || side.file.case.source_include.as_ref() == Some(&case.file) {
            job = job.replacing(&case.file, &case.mutated);
        }
        if !of_project {
            // Its own headers may include the mutated one.
            job.prefix.truncate(1);
        }
        let test = self.builder.compile(&job).map_err(|f| said("the test with the mutant", &f))?;
        let affected = self.project.affected(&case.file);
        let mut objects = objects.clone();
        let mut done: BTreeSet<&Path> = BTreeSet::new();
        let mut map = original.map.clone();
        // Objects that are not linked need not be compiled; the mutant may need more of them.
        loop {
            let wanted: Vec<&CompileCommand> = affected
                .iter()
                .copied()
                .filter(|source| !done.contains(source.file.as_path()))
                .filter(|source| objects.object_of(&source.file).is_some_and(|object| is_linked(&map, object)))
                .collect();
            if wanted.is_empty() && !done.is_empty() {
                break;
            }
            let made = self.builder.in_parallel(&wanted, |source| {
                let job = CompileJob::project(source, side.flavor).replacing(&case.file, &case.mutated);
                self.builder.compile(&job)
            });
            for (source, object) in wanted.iter().zip(made) {
                let object = object.map_err(|f| said("the mutant", &f))?;
                done.insert(&source.file);
                self.reach(&[&object]);
                if let Some(entry) = objects.objects.iter_mut().find(|(file, _)| *file == source.file) {
                    entry.1 = object;
                }
            }
            // A mutant may call what the original does not.
            objects.join(ProjectObjects::clone(&self.objects(side.flavor)), &self.project.sources);
            let program = self.link(side, &test, &objects, "mutant")?;
            if wanted.is_empty() {
                return Ok(program);
            }
            map = program.map;
        }
        Ok(Program::new(side.folder.join("mutant"), map))
    }

    fn test_job<'j>(&self, side: &Side<'j>) -> CompileJob<'j> {
        let mut extra = vec!["-iquote".to_owned(), self.project.root.display().to_string()];
        if side.file.case.private_access {
            extra.push("-fno-access-control".to_owned());
        }
        if side.is_trial() {
            extra.push("-ftrivial-auto-var-init=pattern".to_owned());
            extra.extend(choices::newer_standard(&side.file.text_for_proof, &side.command.args));
        }
        if matches!(side.purpose, Purpose::Trial { quick: true } | Purpose::Check { quick: true }) {
            extra.push("-O0".to_owned());
        }
        let job = CompileJob::generated(side.source, side.command, side.flavor).with(extra);
        match side.file.case.language {
            Language::Cxx => side.headers.iter().fold(job, CompileJob::beginning_with),
            Language::C => job,
        }
    }

    /// What is precompiled for a file of tests, which is most of the work: the framework, then what all tests of one
    /// source include of the project.
    fn headers(&self, file: &TestFile) -> Vec<PathBuf> {
        let is_of_project = |line: &&str| line.starts_with("#include \"");
        let source = file.case.source_include.iter().filter_map(|path| path.file_name()?.to_str());
        let source: Vec<String> = source.map(|name| format!("{name}\"")).collect();
        let includes: String = file
            .text
            .lines()
            .filter(is_of_project)
            .filter(|line| !source.iter().any(|name| line.ends_with(name)))
            .map(|line| format!("{line}\n"))
            .collect();
        let own = (!includes.is_empty()).then(|| self.builder.header(&includes).ok()).flatten();
        self.framework.iter().cloned().chain(own).collect()
    }

    fn link(&self, side: &Side<'_>, test: &Path, objects: &ProjectObjects, name: &str) -> Result<Program> {
        self.linked(side, test, objects, name).map_err(|f| said("the test", &f))
    }

    fn linked(
        &self,
        side: &Side<'_>,
        test: &Path,
        objects: &ProjectObjects,
        name: &str,
    ) -> Result<Program, CompileFailure> {
        let excluded: Vec<&Path> = side.file.case.source_include.iter().map(PathBuf::as_path).collect();
        let archive = self.builder.archive(objects, &side.command.file, &excluded)?;
        let (path, map) = (side.folder.join(name), side.folder.join(format!("{name}.map")));
        let mut extra = link_flags(&flags(side.command));
        // (`-Wl,` would part a name at its commas.)
        extra.extend(["-Xlinker".to_owned(), format!("-Map={}", map.display())]);
        let row = self.project.framework(side.file.case.language);
        if !row.link.is_empty() && side.purpose != Purpose::Question && self.project.shipped_header(row).is_none() {
            // Whole, as options stand before the objects that need them.
            let before = ["-Wl,--push-state", "-Wl,--no-as-needed", "-Wl,--whole-archive"];
            let whole = before.iter().chain(row.link).chain(&["-Wl,--pop-state"]);
            extra.extend(whole.map(|arg| (*arg).to_owned()));
        }
        self.builder.link_program(&[test.to_path_buf()], Some(&archive), self.libraries, side.flavor, &extra, &path)?;
        let text = fs::read(&map).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let _ = fs::remove_file(&map);
        Ok(Program::new(path, taken(&text).to_owned()))
    }

    /// How long the test takes on the original, or why it does not pass there.
    fn passes_twice(&self, program: &Program, test: &WrittenTest, side: &Side<'_>) -> Result<Duration, String> {
        let mut took = Duration::ZERO;
        // In one folder: what the first run leaves there must not matter to the second.
        for _ in 0..2 {
            let start = Instant::now();
            if let Some(failure) = self.run(program, Some(test), side, ORIGINAL_LIMIT)?.failure() {
                return Err(format!("the test fails on the original: {failure}"));
            }
            took = took.max(start.elapsed());
        }
        Ok(took)
    }

    /// How the test fails on the mutant, or that it does not.
    fn fails(
        &self,
        program: &Program,
        test: &WrittenTest,
        case: &TestCase,
        took: Duration,
        side: &Side<'_>,
    ) -> Result<String, String> {
        let limit = LEAST_LIMIT.max(took * 20);
        let mut done = self.run(program, Some(test), side, limit)?;
        // A busy machine is no hang.
        let was_waiting = done.cpu_seconds < limit.as_secs_f64() * 0.75;
        if done.ended == Ended::TimedOut && case.how != crate::outcome::How::Hang && was_waiting {
            done = self.run(program, Some(test), side, limit * 5)?;
        }
        done.failure().ok_or_else(|| PASSES.to_owned())
    }

    /// How the test of another mutant fails on this one, or that it does not: it may have no time to.
    fn fails_soon(
        &self,
        program: &Program,
        test: &WrittenTest,
        took: Duration,
        side: &Side<'_>,
    ) -> Result<String, String> {
        let done = self.run_again(program, test, side, OTHERS_LIMIT.max(took * 20), "")?;
        match done.failure() {
            Some(how) if how != TIMED_OUT => Ok(how),
            Some(slow) => Err(slow),
            None => Err(PASSES.to_owned()),
        }
    }

    /// Runs one test, or all, in a process that is started for it.
    fn run(
        &self,
        program: &Program,
        test: Option<&WrittenTest>,
        side: &Side<'_>,
        limit: Duration,
    ) -> Result<Ran, String> {
        let row = self.project.framework(side.file.case.language);
        let command = command(row, program, test, side);
        let done = self.run_confined(&command, side.flavor, limit);
        ran(done.map_err(|error| format!("the test can't be run: {error:#}"))?)
    }

    /// Runs one test, with choices made in a trial: a program that has run before is kept, and forks.
    fn run_again(
        &self,
        program: &Program,
        test: &WrittenTest,
        side: &Side<'_>,
        limit: Duration,
        made: &str,
    ) -> Result<Ran, String> {
        let row = self.project.framework(side.file.case.language);
        let mut command = command(row, program, Some(test), side);
        if side.flavor == Flavor::Plain {
            let mut kept = program.kept();
            if matches!(*kept, Kept::NotYet) {
                *kept = keep(self.builder, &self.scratch, &command, program).map_or(Kept::Refuses, Kept::Resident);
            }
            if let Kept::Resident(resident) = &mut *kept {
                match resident.run(&command, &[(choices::MADE, made)], limit, &self.interrupted) {
                    Ok(done) => return ran(done),
                    Err(_) => *kept = Kept::Refuses,
                }
            }
        }
        command.env(choices::MADE, made);
        let done = self.run_confined(&command, side.flavor, limit);
        ran(done.map_err(|error| format!("the test can't be run: {error:#}"))?)
    }

    /// A test that passes when the original is started for it, and not when it is kept, is one of a program that has to
    /// be started each time.
    fn ask_of_resident(&self, original: &Program, test: &WrittenTest, side: &Side<'_>) {
        // (Others are not asked of a sanitizer's mutants.)
        if side.flavor != Flavor::Plain || self.one_each() {
            return;
        }
        let ran = self.run_again(original, test, side, ORIGINAL_LIMIT, "");
        if ran.is_ok_and(|ran| ran.failure().is_some()) {
            *original.kept() = Kept::Refuses;
        }
    }

    /// Runs a test in the sandbox: its values are generated, so it may do anything.
    fn run_confined(&self, command: &Command, flavor: Flavor, limit: Duration) -> Result<Finished> {
        let mut confinement = Confinement::new(Runs::Program, &self.scratch.join("own"))?;
        confinement.time = Some(limit * 4);
        if let Flavor::Sanitized(sanitizer) = flavor {
            confinement = confinement.under(sanitizer);
        }
        let done = run(&mut confined(command, &confinement)?, limit, &self.interrupted)?;
        let code = if let Ended::Itself(status) = done.ended { status.code() } else { None };
        refusal(code, done.stderr.as_bytes()).map_or(Ok(done), |why| Err(anyhow!(why)))
    }
}

/// The header of the framework for all tests in C++: in the user's store, or in `scratch`.
fn framework(builder: &Builder, project: &Project, scratch: &Path) -> std::io::Result<PathBuf> {
    let row = project.framework(Language::Cxx);
    if project.shipped_header(row).is_some() {
        return Err(std::io::Error::other("it is a file of the project"));
    }
    let text = format!("{}\n", row.include);
    if let Some(folder) = builder.store().and_then(|store| store.files(&[(FRAMEWORK, &text)]).ok()) {
        return Ok(folder.join(FRAMEWORK));
    }
    let header = scratch.join(FRAMEWORK);
    fs::write(&header, text).map(|()| header)
}

fn case_of<'c>(cases: &'c [TestCase], test: &WrittenTest) -> Option<&'c TestCase> {
    cases.iter().find(|case| case.mutant_id == test.mutant_id)
}

fn said(what: &str, failure: &CompileFailure) -> anyhow::Error {
    anyhow::anyhow!("{what} does not build: {}", failure.first_error)
}
