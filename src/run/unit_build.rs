//! Builds a unit's shared object: with a copy of the mutated code if that works, else with images of the mutated
//! files.

use super::batch_drafts;
use super::drafts::Placed;
use super::probed_driver;
use super::shared::Shared;
use super::unit_result::{Finished, GivenUp, Work};
use crate::build::{CompileFailure, CompileJob, Flavor};
use crate::build_session::write_files;
use crate::compdb::CompileCommand;
use crate::engine::aflpp::{AflPlusPlus, Image, Parts, program};
use crate::engine::{Probe, SearchJob, Side, Slot};
use crate::generate::{self, Generated};
use crate::model::Usr;
use crate::mutant::Mutant;
use crate::outcome::{Copy, Home, Status};
use crate::overrides::stamp;
use crate::plan::UnitPlan;
use crate::probes::Watched;
use crate::session::Session;
use crate::switches::{Feature, Probing};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A unit that is built and ready for a search.
pub(super) struct Built {
    pub generated: Generated,
    pub unit_so: PathBuf,
    pub slots: Vec<Slot>,
    /// The mutant's index, by slot.
    pub mutants: Vec<usize>,
    /// The notes in the unit's text, by the mutant's index.
    pub watched: BTreeMap<usize, Watched>,
    /// CPU seconds to build it alone.
    pub alone: f64,
}

impl Built {
    /// Whether one text contains all mutants, which must behave like the original while none is active.
    pub fn is_to_be_a_twin(&self) -> bool {
        self.slots.iter().any(|slot| slot.side.home != Home::Image)
    }
}

/// The draft that the unit shares with others, where it has one.
pub(super) fn build_together(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    finished: &mut Finished,
) -> Result<Option<Built>, GivenUp> {
    let Some(draft) = batch_drafts::draft(shared, plan) else { return Ok(None) };
    let (generated, folder) = generate_driver(shared, plan, work, draft.making())?;
    if generated.sides.iter().any(|(home, _)| *home == Home::Image) {
        return Ok(None);
    }
    let Placed { unit_so, side } = draft.place(&folder).map_err(|error| GivenUp::error(error.to_string()))?;
    finished.build_seconds += draft.share;
    let mut watched = draft.watched.clone();
    if draft.reaches_out {
        distrust(shared, plan, work, &generated, &mut watched);
    }
    let slot = |(number, index): (u32, &usize)| Slot {
        number: active(shared, number),
        id: shared.mutants[*index].id.clone(),
        side: side.clone(),
        probe: watched.get(index).map(|seen| Probe { reached: seen.reached, infected: seen.infected }),
    };
    let numbers = generated.sides.iter().map(|(_, number)| *number);
    let slots = numbers.zip(&work.mutants).map(slot).collect();
    Ok(Some(Built { generated, unit_so, slots, mutants: work.mutants.clone(), watched, alone: draft.alone }))
}

/// How a driver and its images are built first.
pub(super) fn first_flavors(shared: &Shared<'_>) -> (Flavor, Flavor) {
    if shared.session.switches.has(Feature::Draft) {
        (Flavor::Draft, Flavor::DraftMutant)
    } else {
        (Flavor::Search, Flavor::Mutant)
    }
}

/// Whether mutants of the unit may be in place: while an image is loaded none of them is active.
pub(super) fn may_be_in_place(shared: &Shared<'_>, unit: &Usr) -> bool {
    shared.session.switches.has(Feature::InPlace) && !shared.at_load.contains(unit)
}

/// The number that the copy is given.
fn active(shared: &Shared<'_>, number: u32) -> u32 {
    if shared.session.switches.probing == Probing::Idle { 0 } else { number }
}

/// A unit's files.
fn generated(shared: &Shared<'_>, plan: &UnitPlan, work: &Work, best: Home) -> Result<Generated, String> {
    let Session { model, hierarchy, .. } = shared.session;
    let mutants: Vec<&Mutant> = work.mutants.iter().map(|n| &shared.mutants[*n]).collect();
    let generated = generate::unit(model, hierarchy, plan, &mutants, best)
        .map_err(|why| format!("no driver could be written: {why}"))?;
    if !generated.in_place.is_empty() && !may_be_in_place(shared, &plan.unit) {
        return self::generated(shared, plan, work, Home::Image);
    }
    Ok(generated)
}

/// A unit's files, written into its folder.
fn generate_driver(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    best: Home,
) -> Result<(Generated, PathBuf), GivenUp> {
    let mut generated = generated(shared, plan, work, best).map_err(GivenUp::unbuildable)?;
    stamp::put_edited(&shared.edited, &plan.slug, &mut generated.files);
    if let Some(why) = &generated.copy_reason {
        shared.context.ui.detail(format_args!("{}: {why}", plan.id));
    }
    let folder = shared.build_session.folder(plan);
    // What an earlier way of copying has left would only confuse a reader.
    let _ = std::fs::remove_dir_all(&folder);
    write_files(&folder, &generated.files).map_err(GivenUp::error)?;
    Ok((generated, folder))
}

/// Takes the notes of dispatched mutants of an inline function away, where callers of it that were compiled elsewhere
/// have the original's text without notes.
fn distrust(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    generated: &Generated,
    watched: &mut BTreeMap<usize, Watched>,
) {
    let definition = shared.session.model.functions.get(&plan.unit).and_then(|f| f.definition.as_ref());
    if definition.is_some_and(|definition| definition.body.file != plan.source) {
        let dispatched = work.mutants.iter().zip(&generated.sides);
        for (index, _) in dispatched.filter(|(_, (home, _))| *home != Home::Image) {
            watched.remove(index);
        }
    }
}

/// Generates and builds; what does not build so is built in the next best way.
pub(super) fn build(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    work: &Work,
    best: Home,
    finished: &mut Finished,
) -> Result<Built, GivenUp> {
    let (generated, folder) = generate_driver(shared, plan, work, best)?;
    let driver = folder.join(generated.main_file());
    let job = CompileJob::generated(&driver, command, first_flavors(shared).0)
        .with(shared.build_session.options(plan))
        .beginning_with(shared.build_session.prefix());
    let unit_so = folder.join("unit.so");
    let mut watched = BTreeMap::new();
    let linked = probed_driver::compiled(shared, plan, &job, 0).and_then(|(object, seen)| {
        watched = seen;
        shared.build_session.link(&plan.source, &[object], job.flavor, &unit_so)
    });
    if let Err(failure) = linked {
        if generated.copy != Copy::Image {
            shared.context.ui.detail(format_args!("{}: {failure}; its mutants are put in place", plan.id));
            return build(shared, plan, command, work, Home::InPlace, finished);
        }
        return Err(GivenUp::uncompiled(&failure, &shared.session.options.root));
    }
    if generated.reaches_out {
        distrust(shared, plan, work, &generated, &mut watched);
    }
    let in_place = Side::of(Home::InPlace, folder.join("image.so"));
    if !generated.in_place.is_empty()
        && let Err(why) = linked_image(shared, plan, command, &generated, &in_place, None, first_flavors(shared).1)
    {
        shared
            .context
            .ui
            .detail(format_args!("{}: its mutants do not build in place: {why}; building an image of each", plan.id));
        return build(shared, plan, command, work, Home::Image, finished);
    }
    let mut slots = Vec::new();
    let mut indexes = Vec::new();
    for (position, (home, number)) in generated.sides.iter().enumerate() {
        let index = work.mutants[position];
        let (side, number) = match home {
            Home::Copy => (Side::COPY, active(shared, *number)),
            Home::InPlace => (in_place.clone(), active(shared, *number)),
            Home::Image if shared.session.switches.probing == Probing::Idle => {
                let why = "its mutant would always be active";
                finished.statuses.insert(index, (Status::NoDriver, Some(why.into())));
                continue;
            }
            Home::Image => {
                let side = Side::of(Home::Image, folder.join(format!("image-{}.so", position + 1)));
                let flavor = first_flavors(shared).1;
                let linked =
                    linked_image(shared, plan, command, &generated, &side, Some(&shared.mutants[index]), flavor);
                if let Err(why) = linked {
                    finished.statuses.insert(index, (Status::NoDriver, Some(why)));
                    continue;
                }
                (side, position as u32 + 1)
            }
        };
        let id = shared.mutants[index].id.clone();
        let probe = watched.get(&index).map(|seen| Probe { reached: seen.reached, infected: seen.infected });
        slots.push(Slot { number, id, side, probe });
        indexes.push(index);
    }
    shared.count_build(finished);
    let alone = finished.build_seconds;
    Ok(Built { generated, unit_so, slots, mutants: indexes, watched, alone })
}

/// Builds a draft once more, optimised, with the images of the `live` slots; each takes its draft's place.
///
/// # Errors
/// What does not build so; the draft stays usable.
pub(super) fn optimise(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    built: &Built,
    live: &[usize],
) -> Result<(), String> {
    let said = |failure: CompileFailure| failure.to_string();
    let driver = shared.build_session.folder(plan).join(built.generated.main_file());
    let job = CompileJob::generated(&driver, command, Flavor::Search)
        .with(shared.build_session.options(plan))
        .beginning_with(shared.build_session.prefix());
    // As the draft numbers them, which others may share.
    let first = built.watched.values().next().and_then(|watched| watched.way.first());
    let from = first.map_or(0, |(entered, _)| *entered as usize);
    let (object, seen) = probed_driver::compiled(shared, plan, &job, from).map_err(said)?;
    let same = |(index, watched): (&usize, &Watched)| seen.get(index) == Some(watched);
    if !built.watched.iter().all(same) {
        return Err("its probes are other ones".into());
    }
    shared.build_session.link(&plan.source, &[object], job.flavor, &built.unit_so).map_err(said)?;
    let mut linked: BTreeSet<&Path> = BTreeSet::new();
    for slot in live {
        let side = &built.slots[*slot].side;
        // What many are in is built once.
        if side.path().is_some_and(|path| linked.insert(path)) {
            let mutant = &shared.mutants[built.mutants[*slot]];
            linked_image(shared, plan, command, &built.generated, side, Some(mutant), Flavor::Mutant)?;
        }
    }
    Ok(())
}

/// The driver of a unit that was searched, optimised and without coverage, with the images of the `open` mutants: in
/// `folder`, beside what the search used.
///
/// # Errors
/// What does not build so.
pub(super) fn bare(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    work: &Work,
    open: &[usize],
    best: Home,
    folder: &Path,
) -> Result<Built, String> {
    let said = |failure: CompileFailure| failure.to_string();
    let command = &shared.session.database.commands[plan.command];
    let generated = generated(shared, plan, work, best)?;
    write_files(folder, &generated.files)?;
    let driver = folder.join(generated.main_file());
    let job = CompileJob::generated(&driver, command, Flavor::Mutant)
        .with(shared.build_session.options(plan))
        .beginning_with(shared.build_session.prefix());
    let (object, mut watched) = probed_driver::compiled(shared, plan, &job, 0).map_err(said)?;
    let unit_so = folder.join("unit.so");
    shared.build_session.link(&plan.source, &[object], job.flavor, &unit_so).map_err(said)?;
    if generated.reaches_out {
        distrust(shared, plan, work, &generated, &mut watched);
    }
    let mut built = Built { generated, unit_so, slots: Vec::new(), mutants: Vec::new(), watched, alone: 0.0 };
    let mut linked = BTreeSet::new();
    for (position, index) in work.mutants.iter().enumerate().filter(|(_, index)| open.contains(index)) {
        let (home, number) = built.generated.sides[position];
        let (side, number) = match home {
            Home::Copy => (Side::COPY, number),
            Home::InPlace => (Side::of(home, folder.join("image.so")), number),
            Home::Image => (Side::of(home, folder.join(format!("image-{}.so", position + 1))), position as u32 + 1),
        };
        let mutant = &shared.mutants[*index];
        if side.path().is_some_and(|path| linked.insert(path.to_path_buf())) {
            linked_image(shared, plan, command, &built.generated, &side, Some(mutant), Flavor::Mutant)?;
        }
        let probe = built.watched.get(index).map(|seen| Probe { reached: seen.reached, infected: seen.infected });
        built.slots.push(Slot { number, id: mutant.id.clone(), side, probe });
        built.mutants.push(*index);
    }
    Ok(built)
}

/// The driver against the mutated text, in a shared object.
fn linked_image(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    generated: &Generated,
    side: &Side,
    mutant: Option<&Mutant>,
    flavor: Flavor,
) -> Result<(), String> {
    let said = |failure: CompileFailure| failure.to_string();
    let driver = image_driver(shared, plan)?;
    let job = CompileJob::generated(&driver, command, flavor)
        .with(shared.build_session.options(plan))
        .beginning_with(shared.build_session.prefix());
    let job = mutated(shared, job, plan, generated, side, mutant)?;
    let object = shared.builder.compile(&job).map_err(said)?;
    if let Some(out) = side.path() {
        shared.build_session.link(&plan.source, &[object], flavor, out).map_err(said)?;
    }
    Ok(())
}

/// What it takes to compile a driver as one that has the mutant on this side of it.
pub(super) fn mutated<'j>(
    shared: &Shared<'_>,
    job: CompileJob<'j>,
    plan: &UnitPlan,
    generated: &Generated,
    side: &Side,
    mutant: Option<&Mutant>,
) -> Result<CompileJob<'j>, String> {
    match (side.home, mutant) {
        (Home::Image, Some(mutant)) => Ok(job.replacing(&mutant.original, &mutant.path)),
        (Home::InPlace, _) => {
            in_place(shared, job, &shared.build_session.folder(plan).join("image"), &generated.in_place)
        }
        _ => Ok(job),
    }
}

/// The job with mutants in place in these files, which are written into `folder`.
pub(super) fn in_place<'j>(
    shared: &Shared<'_>,
    mut job: CompileJob<'j>,
    folder: &Path,
    texts: &[(PathBuf, Vec<u8>)],
) -> Result<CompileJob<'j>, String> {
    for (place, (file, text)) in texts.iter().enumerate() {
        let path = folder.join(format!("in-place-{place}"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        job = job.replacing(file, &path);
    }
    let header = shared.build_session.runtime.join("motif_probe.h").display().to_string();
    Ok(job.with(["-include".to_owned(), header]))
}

/// A driver without copies, beside the one with copies where there is one.
pub(super) fn image_driver(shared: &Shared<'_>, plan: &UnitPlan) -> Result<PathBuf, String> {
    let Session { model, hierarchy, .. } = shared.session;
    let mut generated = generate::unit(model, hierarchy, plan, &[], Home::Image)?;
    stamp::put_edited(&shared.edited, &plan.slug, &mut generated.files);
    let folder = shared.build_session.folder(plan).join("image");
    if !folder.is_dir() {
        write_files(&folder, &generated.files)?;
    }
    Ok(folder.join(generated.main_file()))
}

/// AFL++'s programs: one for the unit, and one for each mutant that has an image.
pub(super) fn afl_programs(
    shared: &Shared<'_>,
    plan: &UnitPlan,
    command: &CompileCommand,
    built: &Built,
    afl: &AflPlusPlus,
    job: &mut SearchJob<'_>,
) -> Result<(), GivenUp> {
    let folder = shared.build_session.folder(plan).join("afl");
    std::fs::create_dir_all(&folder).map_err(|e| GivenUp::unbuildable(e.to_string()))?;
    let driver = shared.build_session.folder(plan).join(built.generated.main_file());
    let image_driver = image_driver(shared, plan).map_err(GivenUp::unbuildable)?;
    let parts = |image| Parts {
        driver: &driver,
        command,
        extra: shared.build_session.options(plan),
        commands: &shared.session.database.commands,
        excluded: vec![plan.source.as_path()],
        libraries: &shared.build_session.libraries,
        runtime: &shared.build_session.runtime,
        image,
        mode: afl.mode(),
    };
    let unbuilt = |failure: CompileFailure| GivenUp::uncompiled(&failure, &shared.session.options.root);
    let unit = folder.join("unit");
    let made = program(shared.builder, afl.flavor(), &parts(None), &unit).map_err(unbuilt)?;
    shared.add_afl_shared(made.shared_seconds);
    job.unit_so = unit;
    for (position, slot) in job.slots.iter_mut().enumerate() {
        if slot.side.path().is_some() {
            let mutant = &shared.mutants[built.mutants[position]];
            let image = Image { driver: &image_driver, original: &mutant.original, mutated: &mutant.path };
            let out = folder.join(format!("image-{}", position + 1));
            let made = program(shared.builder, afl.flavor(), &parts(Some(image)), &out).map_err(unbuilt)?;
            shared.add_afl_shared(made.shared_seconds);
            slot.side = Side::of(Home::Image, out);
        }
    }
    Ok(())
}
