//! Writes and proves the tests of all kills, and searches again for those that prove nothing.

use super::enough_room;
use super::guards;
use super::retry_unproved::{self, Again, Replaced};
use super::shared::Shared;
use super::smallest_set::{Candidate, candidates, smallest};
use super::test_cases;
use super::unit_result::{Finished, Killed};
use super::with_source;
use crate::choices::{Engine, Framework};
use crate::emit::framework::Row;
use crate::emit::prove::{Listener, Proof, Prover};
use crate::emit::{Project, TestCase};
use crate::emit::{framework, public};
use crate::model::SourceFile;
use crate::mutate::make::test_files;
use crate::outcome::{Adoptable, TestAccess, TestOutcome};
use crate::plan::UnitPlan;
use crate::report::details::DecodedValue;
use crate::session::Session;
use crate::switches::{Feature, Probing};
use crate::ui::Stage;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Proves kills, with what it needs of the run.
pub(super) struct Proving<'p, 'r> {
    pub prover: Prover<'p>,
    shared: &'p Shared<'r>,
    /// When the mutants' changes matter, for the names of tests.
    when: BTreeMap<usize, String>,
}

/// A proof attempt of one test.
pub(super) struct Attempt {
    pub case: TestCase,
    /// The values of the input, for the report.
    pub values: Vec<DecodedValue>,
    pub proof: Proof,
    /// The test includes the unit's source.
    pub with_source: bool,
}

/// So many kills are proved, or some more, before it is written down which of them are: a resumed run goes on there.
const BATCH: usize = 200;

/// A case as it was before it was made shorter, or asked in public.
struct Before {
    number: usize,
    case: TestCase,
    asked: bool,
}

/// Writes the tests of all kills and proves them. Returns the written tests.
///
/// # Errors
///
/// The output folder cannot be written.
pub(super) fn prove(shared: &Shared<'_>, finished: &mut [Finished]) -> anyhow::Result<Vec<TestOutcome>> {
    let Shared { context, session, .. } = shared;
    let options = &session.options;
    let mut project = project(shared);
    let when = guards::read(shared, finished);
    let mut cases = test_cases::of(session, shared.mutants, &when, finished);
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let mut proved = Vec::new();
    if !context.is_interrupted() {
        let scratch = options.output.join("cache").join("prove");
        let libraries = &shared.build_session.libraries;
        let stage = context.ui.stage("proving", cases.len());
        let tell = |what: &str| stage.advance_by(0, what);
        let prover = Prover::new(shared.builder, &project, libraries, &scratch, context.interrupted.clone())
            .linking(&shared.build_session.what_links, Listener::new(&tell, &options.root));
        let proving = Proving { prover, shared, when };
        let past = |case: &TestCase| Some(shared.past?.proof(&case.mutant_id)?.0.clone());
        let is_private = |case: &TestCase| past(case).is_some_and(|proof| proof.private);
        let known = |case: &TestCase| past(case).map(|proof| (proof.left_out, proof.quiet));
        let (mut proofs, mut whole) = (Vec::new(), Vec::new());
        for batch in batches(&cases) {
            if context.is_interrupted() {
                break;
            }
            let cases = &mut cases[batch];
            let asked = public::ask_in_public(&proving.prover, &session.model, cases, &is_private)?;
            whole.extend(cases.to_vec());
            let longer = proving.prover.shorten(cases, &known)?;
            // What asks in public may have to say more before it has to ask for private state.
            // (The values of these are minimised before.)
            let mut said = public::ask_what_comes_out(&proving.prover, &session.model, cases)?;
            said.retain(|(number, _)| longer.iter().all(|(known, _)| known != number));
            let longer = longer.into_iter().chain(said);
            let longer = longer.map(|(number, case)| Before { number, case, asked: false });
            let asked = asked.into_iter().map(|(number, case)| Before { number, case, asked: true });
            let before = longer.chain(asked).collect();
            proofs.extend(proving.all(cases, before, &stage)?);
        }
        stage.end();
        take(&proofs, shared, finished);
        let mut tests = candidates(&cases, &proofs);
        let mut tried = Vec::new();
        let mut faults = proving.leave_out_faulty(&cases, &mut tests, &mut tried)?;
        // As they were before anything was left out, and without what ends their objects.
        let longer = proving.otherwise(&whole, &|proof| proof.longer = true, &mut faults, &mut cases)?;
        let ends = cases.iter().filter(|case| !case.take_down.is_empty());
        let unended: Vec<TestCase> = ends.map(unended).collect();
        let unended = proving.otherwise(&unended, &|proof| proof.unended = true, &mut faults, &mut cases)?;
        tests.extend(candidates(&cases, &longer).into_iter().chain(candidates(&cases, &unended)));
        take(&faulty(&mut proofs, &faults), shared, finished);
        let again = proving.again(&proofs, &mut cases, finished)?;
        tests.extend(candidates(&cases, &again));
        // The choice must not depend on when a test was found.
        tests.sort_by_key(|test| test.place(&cases));
        let faults = proving.leave_out_faulty(&cases, &mut tests, &mut tried)?;
        take(&faulty(&mut proofs, &faults), shared, finished);
        proved = smallest(&cases, &tests);
        let fell = proving.prover.not_together(&proved)?;
        proved.iter_mut().for_each(|case| case.apart = fell.contains(&case.mutant_id));
    }
    let linked = shared.build_session.what_links.objects();
    project.sources.retain(|source| linked.object_of(&source.file).is_some());
    let why = |case: &TestCase| {
        let mut kills = finished.iter().flat_map(|unit| &unit.kills);
        let kill = kills.find(|kill| shared.mutants[kill.mutant].id == case.mutant_id)?;
        let cut_off = "the run was interrupted before it was tried";
        (!kill.outcome.verified).then(|| kill.unproved.clone().unwrap_or_else(|| cut_off.to_owned()))
    };
    let (unproved, reasons): (Vec<TestCase>, Vec<String>) =
        cases.iter().filter_map(|case| Some((case.clone(), why(case)?))).unzip();
    let mut all = crate::emit::write(&options.tests_folder, &proved, &project)?;
    all.extend(crate::emit::write_unproved(&options.output.join("unproved"), &unproved, &reasons, &project)?);
    mutated_files(&options.output.join("mutants"), &proved)?;
    let mut tests: BTreeMap<String, TestOutcome> = BTreeMap::new();
    for written in all {
        for kill in finished.iter_mut().flat_map(|f| &mut f.kills) {
            if shared.mutants[kill.mutant].id == written.mutant_id {
                kill.outcome.test = Some(written.reference.clone());
                let mut of_all = proved.iter().chain(&unproved);
                let Some(case) = of_all.find(|case| case.mutant_id == written.mutant_id) else { continue };
                let test = tests.entry(written.reference.clone()).or_insert_with(|| test(&written.reference, case));
                test.kills.push(written.mutant_id.clone());
                test.verified &= kill.outcome.verified;
            }
        }
    }
    Ok(tests.into_values().collect())
}

/// Cases that are proved together, and whose proofs are written down then: a unit's are never parted.
fn batches(cases: &[TestCase]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for unit in cases.chunk_by(|one, other| one.unit_slug == other.unit_slug) {
        match found.last_mut().filter(|batch| batch.len() < BATCH) {
            Some(batch) => batch.end += unit.len(),
            None => found.push(start..start + unit.len()),
        }
        start += unit.len();
    }
    found
}

/// Leaves the mutated file of each mutant that a test names, to see the test fail with.
fn mutated_files(folder: &Path, cases: &[TestCase]) -> anyhow::Result<()> {
    for case in cases {
        let to = folder.join(&case.mutant_id);
        // The mutants may have been given there.
        let is_there = to.canonicalize().is_ok_and(|to| case.mutated.canonicalize().is_ok_and(|from| from == to));
        if is_there || !case.mutated.is_file() {
            continue;
        }
        std::fs::create_dir_all(to.parent().unwrap_or(folder))?;
        std::fs::copy(&case.mutated, &to)?;
    }
    Ok(())
}

/// A test as the outcome lists it, before its kills are known.
fn test(reference: &str, case: &TestCase) -> TestOutcome {
    let (file, name) = reference.split_once('#').unwrap_or((reference, ""));
    let (file, name) = (std::path::PathBuf::from(file), name.to_owned());
    let access = if case.private_access { TestAccess::Private } else { TestAccess::Public };
    let adoptable = match (case.source_include.is_some(), case.private_access) {
        (true, _) => Adoptable::IncludesSource,
        (false, true) => Adoptable::NeedsPrivate,
        (false, false) => Adoptable::AsIs,
    };
    TestOutcome { file, name, unit: case.unit_id.clone(), kills: Vec::new(), verified: true, access, adoptable }
}

/// The project that tests are linked against.
pub(super) fn project(shared: &Shared<'_>) -> Project {
    let session = shared.session;
    let sources = session.database.commands.iter().cloned();
    let linked = shared.build_session.what_links.objects();
    let broken = linked.failures.iter().map(|failure| failure.what.as_path());
    let mut project = Project::new(&session.options.root, sources, &session.model).without(broken);
    // Its `main` may come from a macro.
    project.are_programs(&linked.mains);
    project.headers = shared
        .mutants
        .iter()
        .map(|m| m.original.clone())
        .filter(|file| session.database.command_of(file).is_none())
        .collect();
    project.one_per_mutant = session.options.one_per_mutant;
    project.frameworks = session.options.framework.map_or_else(|| own_frameworks(session), |wanted| vec![wanted]);
    project.shipped = shipped(session);
    project.headers.sort();
    project.headers.dedup();
    project.home.clone_from(&session.options.project);
    project.libraries = [&session.options.link[..], &shared.build_session.found_libraries].concat();
    project.missing = shared.build_session.missing.iter().cloned().collect();
    project.missing_in_threads = shared.build_session.builder.missing_in_threads();
    project
}

/// The frameworks that the project has among its files.
fn shipped(session: &Session) -> BTreeMap<Framework, PathBuf> {
    framework::shipped(session.model.files.keys().map(PathBuf::as_path))
}

/// The frameworks that the project's own tests include; where no source does, those of a header that they share. None
/// that the code under test has in it: a test would have it twice.
pub(super) fn own_frameworks(session: &Session) -> Vec<Framework> {
    let (files, shipped) = (&session.model.files, shipped(session));
    let sources = session.database.commands.iter().filter_map(|command| files.get(&command.file));
    let used = |of: &mut dyn Iterator<Item = &SourceFile>| {
        framework::used(of.flat_map(|file| &file.includes).map(|(written, _)| written.as_str()), &shipped)
    };
    let by_sources = used(&mut sources.into_iter());
    let headers = files.iter().filter(|(path, _)| path.starts_with(&session.options.root));
    let mut found = if by_sources.is_empty() { used(&mut headers.map(|(_, file)| file)) } else { by_sources };
    let implements = |row: &Row, file: &SourceFile| {
        let is_it = |(name, _): &(String, u32)| !row.implements.is_empty() && name == row.implements;
        !file.defines_main && file.macros.iter().any(is_it)
    };
    let has_tests = |row: &Row, path: &Path, file: &SourceFile| {
        file.includes.iter().any(|(written, _)| row.is_known_by(written)) && test_files::is_used(&session.model, path)
    };
    let is_inside = |row: &Row| {
        files.values().any(|file| implements(row, file)) && files.iter().any(|(path, file)| has_tests(row, path, file))
    };
    found.retain(|name| !is_inside(Row::of(*name)));
    found
}

/// A test that does not end what it made; files are closed and removed all the same.
fn unended(case: &TestCase) -> TestCase {
    let is_of_file = |line: &&String| ["remove(", "std::remove(", "fclose("].iter().any(|head| line.starts_with(head));
    let take_down = case.take_down.iter().filter(is_of_file).cloned().collect();
    TestCase { take_down, ..case.clone() }
}

/// Applies proofs to kills.
fn take(proofs: &[Proof], shared: &Shared<'_>, finished: &mut [Finished]) {
    for proof in proofs {
        for kill in finished.iter_mut().flat_map(|f| &mut f.kills) {
            if shared.mutants[kill.mutant].id == proof.mutant_id {
                kill.outcome.verified = proof.verified;
                kill.unproved = (!proof.verified).then(|| proof.reason.clone());
            }
        }
    }
}

/// The proofs of the mutants whose tests have `faults`: none, but another input may have one.
fn faulty(proofs: &mut [Proof], faults: &BTreeMap<String, String>) -> Vec<Proof> {
    let mut changed = Vec::new();
    for proof in proofs {
        let Some(why) = faults.get(&proof.mutant_id) else { continue };
        *proof = Proof { verified: false, another_may: true, reason: why.clone(), ..proof.clone() };
        changed.push(proof.clone());
    }
    changed
}

impl Proving<'_, '_> {
    /// One proof per case, in order; proofs of an earlier part of the run are reused. `before` are cases that ask for
    /// private state, or say more, where another one has taken their place: they are tried if that proves nothing.
    fn all(&self, cases: &mut [TestCase], before: Vec<Before>, stage: &Stage) -> anyhow::Result<Vec<Proof>> {
        let Shared { context, session, past, .. } = self.shared;
        // Attempts of an earlier part of the run are not repeated, but where the unit has tests that these have not
        // met: shards that are merged kill with each other's inputs.
        let earlier = |case: &TestCase| past.and_then(|past| past.proof(&case.mutant_id));
        let unknown = cases.iter().filter(|case| earlier(case).is_none());
        let grown: BTreeSet<String> = unknown.map(|case| case.unit_slug.clone()).collect();
        let known = |case: &TestCase| earlier(case).filter(|_| !grown.contains(&case.unit_slug));
        let is_new: Vec<bool> = cases.iter().map(|case| known(case).is_none()).collect();
        let open = cases.iter().zip(&is_new).filter(|(_, new)| **new);
        let open: Vec<TestCase> = open.map(|(case, _)| case.clone()).collect();
        (open.len()..cases.len()).for_each(|_| stage.advance("proved before"));
        let mut made = self.prover.prove(&open, &|mutant| stage.advance(mutant))?.into_iter();
        let proof = |case| known(case).map(|(proof, _)| proof.clone()).or_else(|| made.next());
        let mut proofs: Vec<Proof> = cases.iter().filter_map(proof).collect();
        for Before { number: n, case, asked } in before {
            let was_so = !is_new[n] && if asked { proofs[n].private } else { proofs[n].longer };
            if was_so || is_new[n] && !proofs[n].verified {
                cases[n] = case;
            }
            if !is_new[n] || proofs[n].verified {
                continue;
            }
            if let Some(proof) = self.prover.prove(std::slice::from_ref(&cases[n]), &|_| {})?.into_iter().next() {
                proofs[n] = Proof { longer: true, ..proof };
                // What the shorter one told has not been asked of this.
                for other in proofs.iter_mut().filter(|other| other.mutant_id != cases[n].mutant_id) {
                    other.tests.retain(|test| *test != cases[n].mutant_id);
                    if other.verified && other.tests.is_empty() {
                        let reason = "the test that told it had to say more".to_owned();
                        *other = Proof { verified: false, another_may: true, reason, ..other.clone() };
                    }
                }
            }
        }
        // What was proved with its source is written so.
        for case in cases.iter_mut().filter(|case| known(case).is_some_and(|(_, with_source)| with_source)) {
            *case = with_source::with_source(session, case).unwrap_or_else(|| case.clone());
        }
        // A header that does not compile alone needs its source file.
        let open = (0..cases.len()).filter(|n| is_new[*n] && !proofs[*n].verified);
        let (again, retried): (Vec<usize>, Vec<TestCase>) =
            open.filter_map(|n| Some((n, with_source::with_source(session, &cases[n])?))).unzip();
        let mut with_source = BTreeSet::new();
        if !again.is_empty() && !context.is_interrupted() {
            for ((n, proof), case) in again.iter().zip(self.prover.prove(&retried, &|_| {})?).zip(&retried) {
                if proof.verified {
                    with_source.insert(case.mutant_id.clone());
                    let longer = proofs[*n].longer;
                    (proofs[*n], cases[*n]) = (Proof { longer, ..proof }, case.clone());
                } else {
                    let why = &proof.reason;
                    context.ui.detail(format_args!("{}: not with its source included either: {why}", proof.mutant_id));
                }
            }
        }
        // What ends an object need not be prepared for what the unit has made of it, or the driver before.
        for n in 0..cases.len() {
            if cases[n].take_down.is_empty() {
                continue;
            }
            let unended = unended(&cases[n]);
            let fails = !proofs[n].verified && proofs[n].reason.contains("original");
            if !is_new[n] && proofs[n].unended {
                cases[n] = unended;
            } else if is_new[n] && fails && !context.is_interrupted() {
                let proof = self.prover.prove(std::slice::from_ref(&unended), &|_| {})?.into_iter().next();
                if let Some(proof) = proof.filter(|proof| proof.verified) {
                    let longer = proofs[n].longer;
                    (proofs[n], cases[n]) = (Proof { longer, unended: true, ..proof }, unended);
                }
            }
        }
        enough_room(session, proofs.iter().map(|proof| proof.reason.as_str()))?;
        if !context.is_interrupted() {
            let new: Vec<Proof> = proofs.iter().zip(&is_new).filter(|(_, new)| **new).map(|(p, _)| p.clone()).collect();
            self.shared.journal.proved(&new, with_source);
        }
        for proof in &proofs {
            if !proof.verified {
                context.ui.detail(format_args!("{} is not proved: {}", proof.mutant_id, proof.reason));
            }
        }
        Ok(proofs)
    }

    /// Leaves out the tests with which the original leaves its memory, as far as the smallest set has them. Gives what
    /// AddressSanitizer says of the mutants that no other test kills. What was `tried` before is not tried again.
    fn leave_out_faulty(
        &self,
        cases: &[TestCase],
        tests: &mut Vec<Candidate>,
        tried: &mut Vec<TestCase>,
    ) -> anyhow::Result<BTreeMap<String, String>> {
        let mut faults: BTreeMap<String, String> = BTreeMap::new();
        while !self.shared.context.is_interrupted() {
            let new: Vec<TestCase> = smallest(cases, tests).into_iter().filter(|case| !tried.contains(case)).collect();
            let found = self.prover.faults(&new)?;
            tried.extend(new.iter().cloned());
            if found.is_empty() {
                break;
            }
            let is_faulty =
                |test: &Candidate| new.iter().any(|case| found.contains_key(&case.mutant_id) && test.is_test_of(case));
            tests.retain(|test| !is_faulty(test));
            faults.extend(found);
        }
        faults.retain(|mutant, _| !tests.iter().any(|test| test.kills(mutant)));
        Ok(faults)
    }

    /// Tries the tests with `faults` once more as `others` has them: the original may keep to its memory then. Gives
    /// the proofs of those with which it does, each told what its test is; their faults are gone.
    fn otherwise(
        &self,
        others: &[TestCase],
        told: &dyn Fn(&mut Proof),
        faults: &mut BTreeMap<String, String>,
        cases: &mut [TestCase],
    ) -> anyhow::Result<Vec<Proof>> {
        let is_other = |case: &&TestCase| faults.contains_key(&case.mutant_id) && !cases.contains(case);
        let tried: Vec<TestCase> = others.iter().filter(is_other).cloned().collect();
        if tried.is_empty() || self.shared.context.is_interrupted() {
            return Ok(Vec::new());
        }
        let mut proofs = self.prover.prove(&tried, &|_| {})?;
        let sound = |proof: &Proof| proof.verified && proof.tests.contains(&proof.mutant_id);
        let proved = tried.iter().filter(|case| proofs.iter().any(|p| p.mutant_id == case.mutant_id && sound(p)));
        let proved: Vec<TestCase> = proved.cloned().collect();
        let still = self.prover.faults(&proved)?;
        proofs.retain(|proof| sound(proof) && !still.contains_key(&proof.mutant_id));
        for proof in &mut proofs {
            told(proof);
            // (What the others would tell was tried with other tests.)
            proof.tests = vec![proof.mutant_id.clone()];
            faults.remove(&proof.mutant_id);
            let other = proved.iter().find(|case| case.mutant_id == proof.mutant_id);
            let known = cases.iter_mut().find(|case| case.mutant_id == proof.mutant_id);
            if let (Some(other), Some(known)) = (other, known) {
                known.clone_from(other);
            }
        }
        self.shared.journal.proved(&proofs, BTreeSet::new());
        Ok(proofs)
    }

    /// Tries one kill's test, with the unit's source if it does not build without. The inner error says why there is
    /// no test.
    pub(super) fn try_one(&self, plan: &UnitPlan, kill: &Killed) -> anyhow::Result<Result<Attempt, String>> {
        let Shared { session, mutants, edited, .. } = self.shared;
        let own = test_cases::own(edited, plan);
        let (mut case, values) = match test_cases::one(session, plan, own.as_deref(), &mutants[kill.mutant], kill) {
            Ok(made) => made,
            Err(why) => return Ok(Err(why)),
        };
        case.when = self.when.get(&kill.mutant).cloned();
        let prove = |case: &TestCase| -> anyhow::Result<Proof> {
            let proof = self.prover.prove(std::slice::from_ref(case), &|_| {})?.into_iter().next();
            proof.ok_or_else(|| anyhow::anyhow!("no test of {} was tried", case.mutant_id))
        };
        let mut proof = prove(&case)?;
        let unbuilt = !proof.verified && !proof.another_may;
        let included = with_source::with_source(session, &case).filter(|_| unbuilt);
        let with_source = included.is_some();
        if let Some(included) = included {
            proof = prove(&included)?;
            case = included;
        }
        if proof.verified
            && let Some((_, why)) = self.prover.faults(std::slice::from_ref(&case))?.pop_first()
        {
            proof = Proof { verified: false, another_may: true, reason: why, ..proof };
        }
        // (A resumed run has the longer one.)
        proof.longer = true;
        // Where a plainer value means less room than others use, only what nobody would write is made plain.
        for as_found in [true, false].into_iter().filter(|_| proof.verified) {
            let mut shorter = [TestCase { as_found, ..case.clone() }];
            let is_same = self.prover.shorten(&mut shorter, &|_| None)?.is_empty();
            if is_same || prove(&shorter[0])?.verified && self.prover.faults(&shorter)?.is_empty() {
                let [shorter] = shorter;
                case = shorter;
                break;
            }
        }
        Ok(Ok(Attempt { case, values, proof, with_source }))
    }

    /// Searches again for mutants whose tests were built and prove nothing.
    /// Gives the new proofs.
    fn again(&self, proofs: &[Proof], cases: &mut [TestCase], finished: &mut [Finished]) -> anyhow::Result<Vec<Proof>> {
        let Shared { context, mutants, works, builder, journal, .. } = self.shared;
        // AFL++ is measured as it is. With probes idle no mutant is active, so nothing can be proved.
        let switches = &self.shared.session.switches;
        let off = switches.probing == Probing::Idle || !switches.has(Feature::Again);
        let searches = self.shared.afl.is_none() && self.shared.session.options.engine != Engine::Symbolic;
        let never = !searches || off;
        let may = |kill: &Killed| {
            let own = |proof: &&Proof| proof.mutant_id == mutants[kill.mutant].id;
            proofs.iter().find(own).is_some_and(|proof| proof.another_may)
        };
        let open = |done: &Finished| -> Vec<usize> {
            done.kills.iter().filter(|kill| may(kill)).map(|kill| kill.mutant).collect()
        };
        let numbers: Vec<usize> = (0..finished.len()).filter(|n| !open(&finished[*n]).is_empty()).collect();
        if never || numbers.is_empty() {
            return Ok(Vec::new());
        }
        let stage = context.ui.stage("searching again", numbers.len());
        let places: Vec<Mutex<&mut Finished>> = finished.iter_mut().map(Mutex::new).collect();
        let cases = Mutex::new(cases);
        let all_proofs = Mutex::new(Vec::new());
        builder.in_parallel(&numbers, |number| {
            if context.is_interrupted() || journal.failed().is_some() {
                return;
            }
            let done = &mut **places[*number].lock().unwrap_or_else(PoisonError::into_inner);
            let found = retry_unproved::search_again(self.shared, &works[*number], &open(done), self, done)
                .unwrap_or_else(|error| {
                    context.ui.detail(format_args!("{}: not searched again: {error:#}", done.outcome.id));
                    Again::default()
                });
            stage.advance(&done.outcome.id);
            let mut proofs = Vec::new();
            let mut with_source = BTreeSet::new();
            for Replaced { mut kill, by } in found.replaced {
                let Attempt { case, values, proof, with_source: included } = by;
                let id = &mutants[kill.mutant].id;
                context.ui.detail(format_args!("{id} is proved by another input: {}", proof.reason));
                with_source.extend(included.then(|| id.clone()));
                test_cases::note_values(self.shared.session, &kill, &values);
                kill.outcome.verified = true;
                let mut cases = cases.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(known) = cases.iter_mut().find(|known| known.mutant_id == *id) {
                    *known = case;
                }
                if let Some(known) = done.kills.iter_mut().find(|known| known.mutant == kill.mutant) {
                    *known = kill;
                }
                proofs.push(proof);
            }
            for (mutant, tries) in found.left {
                let Some(kill) = done.kills.iter_mut().find(|kill| kill.mutant == mutant) else { continue };
                let first = kill.unproved.take().unwrap_or_default();
                let reason = format!("{first}; {}", searched_in_vain(tries));
                kill.unproved = Some(reason.clone());
                let mutant_id = mutants[mutant].id.clone();
                proofs.push(Proof {
                    mutant_id,
                    verified: false,
                    reason,
                    another_may: false,
                    tests: Vec::new(),
                    private: false,
                    longer: false,
                    unended: false,
                    quiet: false,
                    left_out: String::new(),
                });
            }
            if !proofs.is_empty() {
                // First the unit, then its proofs: a proof must never be resumed with another kill.
                self.shared.write_down(&works[*number], done);
                if !context.is_interrupted() {
                    journal.proved(&proofs, with_source);
                }
                all_proofs.lock().unwrap_or_else(PoisonError::into_inner).append(&mut proofs);
            }
        });
        Ok(all_proofs.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The attempts on a mutant after its first test.
fn searched_in_vain(tries: u32) -> String {
    match tries {
        0 => "no other input distinguishes it from the original in the build of the test".to_owned(),
        1 => "the test of another input does not prove it either".to_owned(),
        _ => format!("the tests of {tries} other inputs do not prove it either"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_a_unit_are_proved_in_one_batch() {
        let case = |number: usize| TestCase { unit_slug: format!("unit{number}"), ..TestCase::sample("m") };
        let of = |counts: &[usize]| {
            let cases = counts.iter().enumerate().flat_map(|(unit, count)| std::iter::repeat_n(case(unit), *count));
            batches(&cases.collect::<Vec<_>>())
        };
        assert!(of(&[]).is_empty());
        assert!(of(&[3, 1, 2]).iter().eq([&(0..6)]));
        assert_eq!(of(&[150, 100, 300, 10, 5]), [0..250, 250..550, 550..565]);
    }

    #[test]
    fn what_was_tried_in_vain_is_said() {
        assert!(searched_in_vain(0).contains("no other input"));
        assert!(searched_in_vain(1).contains("another input") && searched_in_vain(8).contains("8 other inputs"));
    }
}
