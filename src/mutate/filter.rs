//! Finds mutants that do not compile, are equivalent to the original, or duplicate another mutant, as far as
//! compilers can tell ("trivial compiler equivalence", as in MASS). None of these is worth a search.
//!
//! One compilation per mutant and level would take hours. Instead, the functions of a translation unit are compiled
//! with a renamed copy per mutant and two of the original (`schema`), some hundred copies at a time. Errors name the
//! copies that do not compile, and the assembly of the others is compared (`assembly`). If copies cannot be written
//! or do not compile, the mutants are compiled one by one in place of the original (`alone`).
//!
//! Equal code is a proof only within one set-up, so doubts are resolved in favour of "new". The original's two copies
//! must have the same code. Functions that may call themselves are compiled without sight of the original
//! (`recursion`). Templates must be equal in all instantiations of the project. Unrecognised code equals nothing.

mod alone;
mod assembly;
mod batch;
mod kept;
mod messages;
mod recursion;
#[cfg(test)]
mod tests;

use crate::build::{Builder, CompileJob, FailureKind, Flavor};
use crate::compdb::{CompileCommand, Database};
use crate::model::{Function, Model, Usr};
use crate::mutant::made::{Edit, Made, Standing};
use crate::mutate::schema::{Form, MOST, Texts, in_template};
use alone::Loners;
use batch::{Finding, Found, Place, Task};
use recursion::Calls;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The least and the most copies per compilation; fewer if they are long. The rest of the translation unit is
/// compiled each time too, which may cost more than the copies.
const BATCH: std::ops::RangeInclusive<usize> = 200..=800;
/// The most text in the copies of a batch.
const BATCH_BYTES: usize = 1 << 20;
/// The number of mutants that are compiled one by one in a row.
const CHUNK: usize = 25;
/// The most mutants of one translation unit that are compared by whole files.
const WHOLE_FILES: usize = 300;

/// The filter's data about the project.
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    /// The project's code.
    pub model: &'g Model,
    /// Its compile database.
    pub database: &'g Database,
    /// The builder.
    pub builder: &'g Builder,
    /// The folder for texts that are compiled.
    pub cache: &'g Path,
}

/// The result of filtering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Functions that cannot be copied (the unit's id), with reasons: their mutants were compiled one by one.
    pub uncopied: Vec<(String, String)>,
    /// Functions whose code was not compared (the unit's id), and why.
    pub uncompared: Vec<(String, String)>,
    /// Files that do not compile unmodified, with the first error: nothing is known of their mutants.
    pub uncompiled: Vec<(PathBuf, String)>,
    /// CPU seconds of compilers.
    pub cpu_seconds: f64,
    /// Interrupted by the user; the rest is unchanged.
    pub interrupted: bool,
}

/// A function with its mutants, as indexes into the list.
struct Unit<'m> {
    function: &'m Function,
    command: usize,
    form: Result<Form, String>,
    mutants: Vec<usize>,
}

/// Several functions of one translation unit.
struct Batch {
    command: usize,
    /// Indexes of units, with the range of their mutants.
    units: Vec<(usize, std::ops::Range<usize>)>,
}

/// Sets the standing of every new mutant; calls `done` with numbers of finished mutants.
///
/// # Errors
///
/// The compiler cannot be run, or the cache cannot be written.
pub fn filter(mutants: &mut [Made], ground: &Ground<'_>, done: &(dyn Fn(usize) + Sync)) -> anyhow::Result<Report> {
    let before = ground.builder.cpu_seconds();
    let mut texts = Texts::default();
    let mut report = Report::default();
    let mut units = units(mutants, ground, &mut texts);
    let commands = &ground.database.commands;
    let prints = fingerprints(&units, ground);
    for (command, print) in &prints {
        match print {
            Err(failure) if failure.kind == FailureKind::Interrupted => report.interrupted = true,
            Err(failure) => report.uncompiled.push((commands[*command].file.clone(), failure.first_error.clone())),
            Ok(_) => {}
        }
    }
    let lost: usize =
        units.iter().filter(|unit| !matches!(prints.get(&unit.command), Some(Ok(_)))).map(|u| u.mutants.len()).sum();
    done(lost);
    units.retain(|unit| matches!(prints.get(&unit.command), Some(Ok(_))));
    let print = |command: usize| prints.get(&command).and_then(|print| print.as_ref().ok()).map_or("", String::as_str);

    let calls = Calls::new(ground.model);
    let tasks: Vec<Option<Task<'_>>> = units.iter().map(|unit| task(unit, &units, mutants, &calls)).collect();
    let kept = kept::Kept::new(ground.builder, ground.cache)?;
    let mut findings: Vec<Option<Finding>> = vec![None; mutants.len()];
    let failed: OnceLock<batch::Stop> = OnceLock::new();
    let batches = batches(&units);
    let results = ground.builder.in_parallel(&batches, |batch| {
        if ground.builder.is_interrupted() {
            return None;
        }
        let chosen: Vec<Task<'_>> = batch
            .units
            .iter()
            .filter_map(|(unit, range)| {
                let task = tasks[*unit].as_ref()?;
                Some(Task { mutants: task.mutants[range.clone()].to_vec(), ..task.clone() })
            })
            .collect();
        let command: &CompileCommand = &commands[batch.command];
        let text = batch::text(&chosen, command, &texts);
        let key = kept::key(&[print(batch.command).as_bytes(), &text]);
        let found: Result<Vec<Found>, _> = kept.get(&key, |folder| {
            batch::run(&chosen, &Place { builder: ground.builder, command, texts: &texts, folder })
        });
        done(chosen.iter().map(|task| task.mutants.len()).sum());
        found.inspect_err(|failure| drop(failed.set(failure.clone()))).ok()
    });
    for (batch, found) in batches.iter().zip(results) {
        let Some(found) = found else { continue };
        for ((unit, range), found) in batch.units.iter().zip(found) {
            let unit = &units[*unit];
            let id = &unit.function.id;
            report.uncopied.extend(found.uncopied.map(|why| (id.clone(), why)));
            report.uncompared.extend(found.uncompared.map(|why| (id.clone(), why)));
            for (index, finding) in unit.mutants[range.clone()].iter().zip(found.mutants) {
                findings[*index] = Some(match finding {
                    Finding::Duplicate(of) => Finding::Duplicate(unit.mutants[range.start + of]),
                    other => other,
                });
            }
        }
    }
    let uncopied = units.iter().filter_map(|unit| Some((unit.function.id.clone(), unit.form.as_ref().err()?.clone())));
    report.uncopied.extend(uncopied);
    let doubtful = loners(&units, &findings, mutants, &texts, &tasks, ground);
    let results = ground.builder.in_parallel(&doubtful, |(command, loners)| {
        if ground.builder.is_interrupted() {
            return None;
        }
        let mut parts: Vec<Vec<u8>> = vec![print(*command).into(), vec![u8::from(loners.comparable)]];
        parts.push(loners.file.as_os_str().as_encoded_bytes().to_vec());
        parts.extend(loners.mutants.iter().map(|(_, edits)| format!("{edits:?}").into_bytes()));
        let key = kept::key(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let found: Result<Vec<Finding>, _> =
            kept.get(&key, |folder| alone::run(loners, ground.builder, &commands[*command], &folder));
        found.inspect_err(|failure| drop(failed.set(failure.clone()))).ok()
    });
    for ((_, loners), found) in doubtful.iter().zip(results) {
        for ((index, _), finding) in loners.mutants.iter().zip(found.into_iter().flatten()) {
            // The finding of its copy holds, if the mutant compiles at all.
            let known = findings[*index].take();
            findings[*index] = Some(match (known, finding) {
                (Some(known @ (Finding::Equivalent | Finding::Duplicate(_))), Finding::New) => known,
                (_, Finding::Duplicate(of)) => Finding::Duplicate(loners.mutants[of].0),
                (_, finding) => finding,
            });
        }
    }
    if let Some(failure) = failed.into_inner() {
        if failure.kind != FailureKind::Interrupted {
            return Err(failure.into());
        }
        report.interrupted = true;
    }
    report.interrupted |= ground.builder.is_interrupted();
    settle(mutants, &findings);
    report.cpu_seconds = ground.builder.cpu_seconds() - before;
    Ok(report)
}

/// The functions of the new mutants, in order of their files and places.
fn units<'m>(mutants: &[Made], ground: &Ground<'m>, texts: &mut Texts) -> Vec<Unit<'m>> {
    let mut by_function: BTreeMap<(&Path, &Usr), Vec<usize>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate().filter(|(_, mutant)| mutant.standing == Standing::New) {
        by_function.entry((&mutant.file, &mutant.unit)).or_default().push(index);
    }
    let mut units = Vec::new();
    for ((file, usr), indices) in by_function {
        let Some(function) = ground.model.functions.get(usr) else { continue };
        let Some(unit) = ground.model.unit_of(file) else { continue };
        let Some(command) = ground.database.commands.get(unit.command) else { continue };
        let form = Form::of(function, ground.model, texts).and_then(|form| {
            let inside = |edit: &Edit| form.span.0 <= edit.start && edit.end <= form.span.1;
            let all_inside = indices.iter().all(|index| mutants[*index].change.edits.iter().all(inside));
            let fits = form.file == file && all_inside && indices.len() < MOST as usize / 2;
            fits.then_some(form).ok_or_else(|| "a mutant changes something outside of its definition".to_string())
        });
        let readable = texts.read(file).is_ok() && texts.read(&command.file).is_ok();
        if readable {
            units.push(Unit { function, command: unit.command, form, mutants: indices });
        }
    }
    let place = |unit: &Unit<'_>| {
        let extent = unit.function.definition.as_ref().map(|definition| &definition.extent);
        (unit.command, extent.map(|extent| (extent.file.clone(), extent.start)))
    };
    units.sort_by_key(place);
    units
}

type Print = Result<String, batch::Stop>;

fn fingerprints(units: &[Unit<'_>], ground: &Ground<'_>) -> BTreeMap<usize, Print> {
    let mut commands: Vec<usize> = units.iter().map(|unit| unit.command).collect();
    commands.sort_unstable();
    commands.dedup();
    let prints = ground.builder.in_parallel(&commands, |command| {
        ground.builder.fingerprint(&CompileJob::project(&ground.database.commands[*command], Flavor::Mutant))
    });
    commands.into_iter().zip(prints).collect()
}

fn task<'t>(unit: &'t Unit<'_>, units: &'t [Unit<'_>], mutants: &'t [Made], calls: &Calls<'t>) -> Option<Task<'t>> {
    let form = unit.form.as_ref().ok()?;
    // A local class may have methods with copies of their own, which the outer copy would lose.
    let is_inside = |other: &Unit<'_>| {
        let other = other.form.as_ref().ok().filter(|other| other.file == form.file);
        other.is_some_and(|other| form.span.0 < other.span.0 && other.span.1 < form.span.1)
    };
    let is_alone = !units.iter().any(is_inside);
    let name = form.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let opaque = calls.may_recur(unit.function);
    Some(Task {
        form,
        file: name,
        mutants: unit.mutants.iter().map(|index| mutants[*index].change.edits.as_slice()).collect(),
        opaque: opaque && is_alone,
        comparable: !form.is_uninstantiated && (is_alone || !opaque),
        leaks: !form.can_be_opaque,
    })
}

/// Units with copies, packed; the mutants of a function stay together if they fit.
fn batches(units: &[Unit<'_>]) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    let all: usize = units.iter().map(|unit| unit.mutants.len() + 2).sum();
    // Many batches for many cores; findings must not depend on the number of cores.
    let largest = (all / 16).clamp(*BATCH.start(), *BATCH.end());
    let (mut count, mut bytes) = (0, 0);
    for (index, unit) in units.iter().enumerate() {
        let Ok(form) = &unit.form else { continue };
        let length = (form.span.1 - form.span.0) as usize;
        let most = (BATCH_BYTES / length.max(1)).clamp(40, largest);
        let mut start = 0;
        while start < unit.mutants.len() {
            let end = (start + most).min(unit.mutants.len());
            let (copies, size) = (end - start + 2, (end - start + 2) * length);
            let full = count + copies > largest || bytes + size > BATCH_BYTES;
            match batches.last_mut().filter(|last| last.command == unit.command && !full) {
                Some(last) => {
                    last.units.push((index, start..end));
                    (count, bytes) = (count + copies, bytes + size);
                }
                None => {
                    batches.push(Batch { command: unit.command, units: vec![(index, start..end)] });
                    (count, bytes) = (copies, size);
                }
            }
            start = end;
        }
    }
    batches
}

/// The mutants that must be compiled in place of the original.
fn loners<'m>(
    units: &'m [Unit<'_>],
    findings: &[Option<Finding>],
    mutants: &'m [Made],
    texts: &'m Texts,
    tasks: &[Option<Task<'_>>],
    ground: &Ground<'_>,
) -> Vec<(usize, Loners<'m>)> {
    let mut out = Vec::new();
    let mut compared: BTreeMap<usize, usize> = BTreeMap::new();
    for (unit, task) in units.iter().zip(tasks) {
        let leaks = task.as_ref().is_some_and(|task| task.leaks);
        let wanted: Vec<usize> = unit
            .mutants
            .iter()
            .copied()
            .filter(|index| match &findings[*index] {
                None => unit.form.is_err(),
                Some(Finding::Doubtful) => true,
                Some(Finding::Unbuildable(_)) => false,
                Some(_) => leaks,
            })
            .collect();
        let Some(definition) = &unit.function.definition else { continue };
        let file = &definition.extent.file;
        let Some(text) = texts.get(file) else { continue };
        // Whole files can be compared only if all code of the function is in this one.
        let command = &ground.database.commands[unit.command];
        let emitted = !unit.function.is_inline || unit.function.is_file_local;
        let whole = *file == command.file
            && emitted
            && unit.function.template.is_none()
            && !in_template(unit.function, ground.model);
        for chunk in wanted.chunks(CHUNK) {
            let so_far = compared.entry(unit.command).or_default();
            let comparable = whole && *so_far + chunk.len() <= WHOLE_FILES;
            *so_far += if comparable { chunk.len() } else { 0 };
            let mutants = chunk.iter().map(|index| (*index, mutants[*index].change.edits.as_slice())).collect();
            out.push((unit.command, Loners { file: file.clone(), source: &text.bytes, mutants, comparable }));
        }
    }
    out
}

/// Writes findings into the mutants. A duplicate of a mutant that is not worth trying takes over its standing.
fn settle(mutants: &mut [Made], findings: &[Option<Finding>]) {
    for index in 0..mutants.len() {
        let (standing, reason) = match &findings[index] {
            Some(Finding::Unbuildable(why)) => (Standing::Unbuildable, Some(why.clone())),
            Some(Finding::Equivalent) => (Standing::Equivalent, None),
            Some(Finding::Duplicate(of)) => match mutants[*of].standing {
                Standing::Duplicate | Standing::Equivalent => (mutants[*of].standing, mutants[*of].reason.clone()),
                Standing::New => (Standing::Duplicate, Some(mutants[*of].id.clone())),
                _ => continue,
            },
            _ => continue,
        };
        (mutants[index].standing, mutants[index].reason) = (standing, reason);
    }
}
