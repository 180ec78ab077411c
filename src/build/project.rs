//! The rest of the project: objects of the files of the compile database, and archives of them.

use super::{Builder, CompileFailure, cache, elf};
use crate::compdb::CompileCommand;
use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The project's objects of one flavor.
#[derive(Clone, Debug, Default)]
pub struct ProjectObjects {
    /// Source file and object, in the order of the database, without files that define `main`.
    pub objects: Vec<(PathBuf, PathBuf)>,
    /// The source files that define `main`.
    pub mains: Vec<PathBuf>,
    /// The files that do not compile; only code that needs them is lost.
    pub failures: Vec<CompileFailure>,
    /// CPU seconds spent now; zero for cached objects. They count for no thread.
    pub cpu_seconds: f64,
    /// The sources that define what another source defines as well: two variants of a library in one project.
    pub rivals: BTreeSet<PathBuf>,
}

impl ProjectObjects {
    /// The object of a source file.
    pub fn object_of(&self, source: &Path) -> Option<&Path> {
        self.objects.iter().find(|(file, _)| file == source).map(|(_, object)| object.as_path())
    }

    /// The objects without those of `excluded`, in the order in which a linker is to look into them for what is near
    /// `source`: of rivals the nearest come first.
    fn chosen(&self, source: &Path, excluded: &[&Path]) -> Vec<&Path> {
        let mut chosen: Vec<&(PathBuf, PathBuf)> =
            self.objects.iter().filter(|(file, _)| !excluded.contains(&file.as_path())).collect();
        let shared = |file: &Path| file.components().zip(source.components()).take_while(|(a, b)| a == b).count();
        chosen.sort_by_cached_key(|(file, _)| self.rivals.contains(file).then(|| shared(file)).map(std::cmp::Reverse));
        chosen.into_iter().map(|(_, object)| object.as_path()).collect()
    }

    /// Whether `source` was tried, however that ended.
    pub fn has(&self, source: &Path) -> bool {
        let failed = || self.failures.iter().any(|failure| failure.what == source);
        self.object_of(source).is_some() || self.mains.iter().any(|file| file == source) || failed()
    }

    /// Adds from `more` what is not known yet. The objects are in the order of `commands` then.
    pub fn join(&mut self, more: Self, commands: &[CompileCommand]) {
        let mut new = more;
        new.objects.retain(|(file, _)| !self.has(file));
        new.mains.retain(|file| !self.has(file));
        new.failures.retain(|failure| !self.has(&failure.what));
        self.objects.append(&mut new.objects);
        self.mains.append(&mut new.mains);
        self.failures.append(&mut new.failures);
        self.cpu_seconds += new.cpu_seconds;
        self.rivals.append(&mut new.rivals);
        let places: BTreeMap<&Path, usize> =
            commands.iter().enumerate().map(|(place, command)| (command.file.as_path(), place)).collect();
        self.objects.sort_by_key(|(file, _)| places.get(file.as_path()).copied());
    }
}

impl Builder {
    /// The objects of every file of the database, which `compile` makes, `jobs` in parallel; calls `done` after each.
    /// After an interruption the rest is among the failures.
    pub fn project_objects(
        &self,
        commands: &[CompileCommand],
        compile: &(dyn Fn(&CompileCommand) -> Result<PathBuf, CompileFailure> + Sync),
        done: &(dyn Fn(&Path) + Sync),
    ) -> ProjectObjects {
        let mut seen = BTreeSet::new();
        let commands: Vec<&CompileCommand> = commands.iter().filter(|command| seen.insert(&command.file)).collect();
        let results = self.in_parallel(&commands, |command| {
            let result = compile(command);
            done(&command.file);
            (result, self.thread_cpu_seconds())
        });
        let mut project = ProjectObjects::default();
        for (command, (result, cpu_seconds)) in commands.iter().zip(results) {
            project.cpu_seconds += cpu_seconds;
            match result {
                Ok(object) if elf::defines(&object, "main") => project.mains.push(command.file.clone()),
                Ok(object) => project.objects.push((command.file.clone(), object)),
                Err(failure) => project.failures.push(failure),
            }
        }
        project
    }

    /// Runs `work` on every item, `jobs` in parallel; results are in the items' order.
    pub fn in_parallel<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let (results, spent) = in_parallel(self.jobs, items, work, || self.thread_cpu_seconds());
        spent.into_iter().for_each(|spent| self.add_thread_cpu_seconds(spent));
        results
    }

    /// Archives the objects without those of the `excluded` sources, for what is linked with `source`. The same
    /// selection gives the same archive.
    pub fn archive(
        &self,
        project: &ProjectObjects,
        source: &Path,
        excluded: &[&Path],
    ) -> Result<PathBuf, CompileFailure> {
        let chosen = project.chosen(source, excluded);
        let name = cache::key(chosen.iter().map(|object| object.as_os_str().as_encoded_bytes()));
        let archive = self.cache.result(&name, "a");
        if archive.is_file() {
            return Ok(archive);
        }
        let io = |error: std::io::Error| CompileFailure::tool(&archive, error);
        let member = |object: &&Path| {
            let name = object.to_str().ok_or_else(|| format!("{} is no text in UTF-8", object.display()))?;
            let file = std::fs::File::open(object).map_err(|error| format!("{name}: {error}"))?;
            // SAFETY: nobody changes an object in the cache; one that is made anew is another file.
            let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|error| format!("{name}: {error}"))?;
            Ok(NewArchiveMember::new(map, &DEFAULT_OBJECT_READER, name.to_owned()))
        };
        let members: Result<Vec<NewArchiveMember<'_>>, String> = chosen.iter().map(member).collect();
        let members = members.map_err(|error| CompileFailure::tool(&archive, error))?;
        let draft = self.cache.scratch("a");
        let mut file = std::io::BufWriter::new(std::fs::File::create(&draft).map_err(io)?);
        // A thin archive: the objects stay where they are.
        write_archive_to_stream(&mut file, &members, ArchiveKind::Gnu, true, None).map_err(io)?;
        file.flush().map_err(io)?;
        std::fs::rename(&draft, &archive).map_err(io)?;
        Ok(archive)
    }

    /// Whether the run was interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// `work` on every item, `jobs` at a time, the results in the items' order; and what each thread says at its end.
pub fn in_parallel<T: Sync, R: Send, S: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    at_end: impl Fn() -> S + Sync,
) -> (Vec<R>, Vec<S>) {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let ends = std::thread::scope(|scope| {
        let work_on = || {
            while let Some((item, slot)) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                items.get(index).zip(results.get(index))
            } {
                let result = work(item);
                if let Ok(mut slot) = slot.lock() {
                    *slot = Some(result);
                }
            }
            at_end()
        };
        let threads: Vec<_> = (0..jobs.min(items.len())).map(|_| scope.spawn(work_on)).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    // A panic in `work` has come through by now: every slot is filled.
    (results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect(), ends)
}
