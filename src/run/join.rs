//! The output folders of shards as one run that is resumed: everything is done but what needs all of them.

use super::earlier_run::{Event, Past, Spent};
use super::identity::Identity;
use super::journal::Lock;
pub use super::journal::NAME as JOURNAL;
use super::mutants::none_is_valid;
use crate::diag::Problem;
use crate::options::Options;
use crate::outcome::{CpuSeconds, Merged, MutantOutcome, Outcome, ShardOutcome, Status};
use crate::report::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The output folder of a shard.
pub struct Part {
    /// Where it is.
    pub folder: PathBuf,
    shard: ShardOutcome,
    /// Its result.
    pub outcome: Outcome,
    past: Past,
}

/// What shards have found, as the run that merges them takes it over.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// Their mutants, in the order of one run.
    pub mutants: Vec<MutantOutcome>,
    /// Those of them that were searched, or were to be.
    pub tried: BTreeSet<String>,
    /// Which there were.
    pub merged: Merged,
    /// The folder of the whole run that this is, where there are no shards.
    pub stored: Option<PathBuf>,
    /// What they have cost beyond their units.
    pub cpu_seconds: CpuSeconds,
}

const AGAIN: &str = "run that shard again, or finish it with the same command and `--resume`; `--allow-missing` goes \
                     on without it";

/// So many missing shards are named.
const NAMED: usize = 20;
/// More missing shards than this are no part of a result: somebody has mistaken the number.
const MISSING_MOST: usize = 100_000;

impl Part {
    /// Reads the result of a shard.
    ///
    /// # Errors
    ///
    /// It never ran, is not finished, its journal is cut off, or it is no shard.
    pub fn read(folder: &Path) -> Result<Self, Problem> {
        let refuse = |code, what: String| Problem::usage(code, what, AGAIN).at(folder);
        let journal = folder.join(JOURNAL);
        if !journal.is_file() {
            return Err(refuse("shard-missing", "there is no result of a shard in it: it never ran".into()));
        }
        let past = Past::read(folder).map_err(|problem| refuse("shard-broken", problem.what))?;
        let length = fs::metadata(&journal).map_or(0, |file| file.len());
        if past.whole < length || !past.ended {
            let what = match past.whole < length {
                true => "its journal is truncated: it ends in the middle of a line",
                false if past.interrupted => "this shard was interrupted before it was done",
                false => "its journal has no end: the shard was cut off, or still runs",
            };
            return Err(refuse("shard-unfinished", what.into()));
        }
        let outcome =
            json::read_file(&json::path(folder)).map_err(|error| refuse("shard-broken", error.to_string()))?;
        let Some(shard) = outcome.shard.clone() else {
            let fix = "give the output folders of runs with `--shard K/N`";
            return Err(
                Problem::usage("shard-none", "this is the result of a whole run, not of a shard", fix).at(folder)
            );
        };
        Ok(Self { folder: folder.to_path_buf(), shard, outcome, past })
    }

    /// Reads what a run has found so far, for tests to be written from.
    ///
    /// # Errors
    ///
    /// There is no run.
    pub fn whole(folder: &Path) -> anyhow::Result<Self> {
        let outcome = json::read_file(&json::path(folder))?;
        let past = Past::read(folder)?;
        let mut files: Vec<PathBuf> = Vec::new();
        for mutant in &outcome.mutants {
            if !files.contains(&mutant.file) {
                files.push(mutant.file.clone());
            }
        }
        let (options, sources) = past.identity.digests();
        let shard = ShardOutcome { number: 1, of: 1, options, sources, files };
        Ok(Self { folder: folder.to_path_buf(), shard, outcome, past })
    }

    /// The command that made it.
    pub fn command(&self) -> &str {
        &self.outcome.command
    }

    fn differs(&self, other: &Self) -> Option<String> {
        if self.shard.of != other.shard.of {
            return Some(format!("it is one of {} shards, not of {}", self.shard.of, other.shard.of));
        }
        let digests = |part: &Self| (part.shard.options.clone(), part.shard.sources.clone(), part.shard.files.clone());
        let named = self.past.identity.clone().whole().difference(&other.past.identity.clone().whole());
        named.or_else(|| (digests(self) != digests(other)).then(|| "the mutants have changed".to_owned()))
    }
}

/// Refuses shards that do not belong together; sorts them by number.
///
/// # Errors
///
/// One is missing (unless that is `allowed`), there twice, or differs: by name.
pub fn checked(mut parts: Vec<Part>, allowed: bool) -> Result<(Vec<Part>, Merged), Problem> {
    parts.sort_by_key(|part| part.shard.number);
    let Some(first) = parts.first() else {
        return Err(Problem::usage("shard-missing", "none of the folders has the result of a shard", AGAIN));
    };
    for part in &parts[1..] {
        if let Some(what) = part.differs(first) {
            let other = first.folder.display();
            let fix = "shards of one run have the same options, sources, tool and mutants: run this one again";
            let what = format!("this shard does not belong to that in {other}: compared with it, {what}");
            return Err(Problem::usage("shard-differs", what, fix).at(&part.folder));
        }
    }
    let of = first.shard.of;
    let numbers: Vec<_> = parts.iter().map(|part| (part.folder.as_path(), &part.shard)).collect();
    let missing = missing(&numbers, allowed)?;
    let known = |file: &&PathBuf| parts.iter().flat_map(|part| &part.outcome.mutants).any(|m| m.file == **file);
    let without_results = match missing.is_empty() {
        true => Vec::new(),
        false => first.shard.files.iter().filter(|file| !known(file)).cloned().collect(),
    };
    Ok((parts, Merged { of, missing, without_results }))
}

/// The numbers of the shards that are not there, of those that are, sorted.
///
/// # Errors
///
/// One is missing (unless that is `allowed`), or there twice.
pub fn missing(shards: &[(&Path, &ShardOutcome)], allowed: bool) -> Result<Vec<u32>, Problem> {
    let Some((_, first)) = shards.first() else {
        return Err(Problem::usage("shard-missing", "none of the folders has the result of a shard", AGAIN));
    };
    if let Some([(one, _), (two, shard)]) = shards.windows(2).find(|pair| pair[0].1.number == pair[1].1.number) {
        let what = format!("shard {} is there twice, also in {}", shard.number, one.display());
        return Err(Problem::usage("shard-doubled", what, "leave one of them out").at(two));
    }
    let has = |number: &u32| shards.iter().any(|(_, shard)| shard.number == *number);
    let missing = || (1..=first.of).filter(|number| !has(number));
    // (Each of them is there once.)
    let count = first.of as usize - shards.len();
    if count > 0 && (!allowed || count > MISSING_MOST) {
        let mut names: Vec<String> = missing().take(NAMED).map(|number| format!("{number}/{}", first.of)).collect();
        if count > NAMED {
            names.push(format!("{} more", count - NAMED));
        }
        return Err(Problem::usage("shard-missing", format!("no result of shard {}", names.join(", ")), AGAIN));
    }
    Ok(missing().collect())
}

/// Refuses shards whose mutants are all invalid, as one run does.
///
/// # Errors
///
/// They are.
pub fn some_are_mutants(parts: &[Part], options: &Options) -> Result<(), Problem> {
    let Some(path) = &options.mutants else { return Ok(()) };
    let mutants: Vec<&MutantOutcome> = parts.iter().flat_map(|part| &part.outcome.mutants).collect();
    if mutants.is_empty() || mutants.iter().any(|mutant| mutant.status != Status::Invalid) {
        return Ok(());
    }
    let ours = mutants.iter().position(|mutant| !mutant.file.as_os_str().is_empty());
    let refused = |mutant: &&MutantOutcome| (mutant.id.clone(), mutant.reason.clone().unwrap_or_default());
    Err(none_is_valid(&mutants.iter().map(refused).collect::<Vec<_>>(), ours, path))
}

/// Refuses to write the result of all into the folder of a shard.
///
/// # Errors
///
/// It is one of them.
pub fn is_free(shards: &[&Path], output: &Path) -> Result<(), Problem> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let Some(taken) = shards.iter().find(|folder| real(folder) == real(output)) else { return Ok(()) };
    let what = "the result of a shard would be overwritten with that of all";
    Err(Problem::usage("output-taken", what, "give another folder with -o").at(taken))
}

/// Lays out the folder of the merged run, so that it can be resumed.
///
/// # Errors
///
/// It cannot be written, or is one of the shards'.
pub fn lay_out(parts: &[Part], merged: Merged, output: &Path, options: &Options) -> anyhow::Result<Joined> {
    is_free(&parts.iter().map(|part| part.folder.as_path()).collect::<Vec<_>>(), output)?;
    let _lock = Lock::take(output)?;
    for name in ["inputs", "drivers", "corpus"] {
        // An earlier result does not belong to this one; the folder is disposable.
        let _ = fs::remove_dir_all(output.join(name));
        for part in parts {
            copy(&part.folder.join(name), &output.join(name))?;
        }
    }
    let stored = (merged.of == 0).then(|| parts[0].folder.clone());
    let mut joined = Joined { merged, stored, ..Joined::default() };
    let mut spent = Spent::default();
    let mut identity = parts[0].past.identity.clone().whole();
    // What was proved in another framework is not proved in this one.
    let proves_anew = identity.takes_form(options);
    let time = parts.iter().map(|part| part.outcome.started.as_str()).min().unwrap_or_default().to_owned();
    let mut journal = fs::File::create(output.join(JOURNAL))?;
    let mut write = |event: &Event| -> anyhow::Result<()> {
        Ok(journal.write_all((serde_json::to_string(event)? + "\n").as_bytes())?)
    };
    write(&Event::Started { time, identity })?;
    for part in parts {
        let before = spent;
        let mut add = |own: Spent| {
            spent = Spent {
                wall: before.wall.max(own.wall),
                build: before.build + own.build,
                budget: before.budget + own.budget,
            };
            spent
        };
        for line in fs::read_to_string(part.folder.join(JOURNAL))?.lines() {
            match serde_json::from_str(line)? {
                Event::Started { .. } | Event::Resumed { .. } | Event::Ended { .. } => {}
                Event::Proved { .. } if proves_anew => {}
                Event::Unit { done, spent } => {
                    joined.tried.extend(done.ids().map(str::to_owned));
                    write(&Event::Unit { done, spent: add(spent) })?;
                }
                Event::Slice { unit, spent } => write(&Event::Slice { unit, spent: add(spent) })?,
                event => write(&event)?,
            }
        }
        let CpuSeconds { analyse, shared, decide, prove, suite, .. } = part.outcome.cpu_seconds;
        joined.cpu_seconds += CpuSeconds { analyse, shared, decide, prove, suite, ..CpuSeconds::default() };
    }
    let files = parts[0].shard.files.iter().enumerate();
    let places: BTreeMap<&Path, usize> = files.map(|(place, file)| (file.as_path(), place)).collect();
    joined.mutants = parts.iter().flat_map(|part| part.outcome.mutants.iter().cloned()).collect();
    joined.mutants.sort_by_key(|mutant| places.get(mutant.file.as_path()).copied().unwrap_or(usize::MAX));
    Ok(joined)
}

/// Copies a folder of a shard, but for shared objects, which can be made again.
///
/// # Errors
///
/// What the system says.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        if entry.is_dir() {
            copy(&entry, &target)?;
        } else if entry.extension().is_none_or(|extension| extension != "so") {
            fs::copy(&entry, target)?;
        }
    }
    Ok(())
}

impl ShardOutcome {
    /// What the outcome says of the shard that it is.
    pub fn of(shard: crate::choices::Shard, identity: &Identity, files: &[PathBuf]) -> Self {
        let (options, sources) = identity.digests();
        Self { number: shard.number, of: shard.of, options, sources, files: files.to_vec() }
    }
}
