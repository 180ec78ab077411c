//! A unit's shared object: with a copy of what is mutated where that works, else with images of the mutated files.

use super::unit::{Finished, GivenUp, Shared, Work};
use crate::build::{CompileFailure, CompileJob, Flavor};
use crate::compdb::CompileCommand;
use crate::engine::aflpp::{AflPlusPlus, Image, Parts, program};
use crate::engine::{Probe, SearchJob, Side, Slot};
use crate::generate::{self, Generated};
use crate::mutant::Mutant;
use crate::outcome::{Copy, Status};
use crate::overrides::stamp;
use crate::plan::UnitPlan;
use crate::probes::Watched;
use crate::session::Session;
use crate::switches::{Part, Probing};
use crate::workshop::write_files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A unit that is built and may be searched.
pub(super) struct Built {
    pub generated: Generated,
    pub unit_so: PathBuf,
    pub slots: Vec<Slot>,
    /// For each slot: the mutant's index.
    pub mutants: Vec<usize>,
    /// By the mutant's index: what the unit's text notes about it.
    pub watched: BTreeMap<usize, Watched>,
    /// What building it alone costs, CPU seconds.
    pub alone: f64,
}

impl Shared<'_> {
    /// The draft that the unit shares with others, where it has one.
    pub(super) fn build_together(
        &self,
        plan: &UnitPlan,
        work: &Work,
        finished: &mut Finished,
    ) -> Result<Option<Built>, GivenUp> {
        let Some(draft) = self.draft(plan) else { return Ok(None) };
        let (generated, folder) = self.generated(plan, work, true)?;
        let numbers: Option<Vec<u32>> = generated.sides.iter().map(|side| side.number()).collect();
        let Some(numbers) = numbers else { return Ok(None) };
        let unit_so = draft.place(&folder).map_err(|error| GivenUp::error(error.to_string()))?;
        finished.build_seconds += draft.share;
        let mut watched = draft.watched.clone();
        if draft.reaches_out {
            self.distrust(plan, work, &generated, &mut watched);
        }
        let slot = |(number, index): (u32, &usize)| Slot {
            number: self.active(number),
            id: self.mutants[*index].id.clone(),
            side: Side::Copy,
            probe: watched.get(index).map(|seen| Probe { reached: seen.reached, infected: seen.infected }),
        };
        let slots = numbers.into_iter().zip(&work.mutants).map(slot).collect();
        Ok(Some(Built { generated, unit_so, slots, mutants: work.mutants.clone(), watched, alone: draft.alone }))
    }

    /// How a driver and its images are built first.
    pub(super) fn first_flavors(&self) -> (Flavor, Flavor) {
        if self.session.switches.has(Part::Draft) {
            (Flavor::Draft, Flavor::DraftMutant)
        } else {
            (Flavor::Search, Flavor::Mutant)
        }
    }

    /// The number that the copy is given.
    fn active(&self, number: u32) -> u32 {
        if self.session.switches.probing == Probing::Idle { 0 } else { number }
    }

    /// A unit's files, written into its folder.
    fn generated(&self, plan: &UnitPlan, work: &Work, copy: bool) -> Result<(Generated, PathBuf), GivenUp> {
        let Session { model, hierarchy, .. } = self.session;
        let mutants: Vec<&Mutant> = work.mutants.iter().map(|n| &self.mutants[*n]).collect();
        let mut generated = generate::unit(model, hierarchy, plan, &mutants, copy)
            .map_err(|why| GivenUp::unbuildable(format!("no driver could be written: {why}")))?;
        stamp::put_edited(&self.edited, &plan.slug, &mut generated.files);
        if let Some(why) = &generated.copy_reason {
            self.context.ui.detail(format_args!("{}: {why}", plan.id));
        }
        let folder = self.workshop.folder(plan);
        // What an earlier way of copying has left would only confuse a reader.
        let _ = std::fs::remove_dir_all(&folder);
        write_files(&folder, &generated.files).map_err(GivenUp::error)?;
        Ok((generated, folder))
    }

    /// Takes the notes of dispatched mutants of an inline function away, where callers of it that were compiled elsewhere have
    /// the original's text without notes.
    fn distrust(&self, plan: &UnitPlan, work: &Work, generated: &Generated, watched: &mut BTreeMap<usize, Watched>) {
        let definition = self.session.model.functions.get(&plan.unit).and_then(|f| f.definition.as_ref());
        if definition.is_some_and(|definition| definition.body.file != plan.source) {
            let dispatched = work.mutants.iter().zip(&generated.sides);
            for (index, _) in dispatched.filter(|(_, side)| side.number().is_some()) {
                watched.remove(index);
            }
        }
    }

    /// Generates and builds; with `copy` the source copy is tried first.
    pub(super) fn build(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        work: &Work,
        copy: bool,
        finished: &mut Finished,
    ) -> Result<Built, GivenUp> {
        let (generated, folder) = self.generated(plan, work, copy)?;
        let driver = folder.join(generated.main_file());
        let job = CompileJob::generated(&driver, command, self.first_flavors().0)
            .with(self.workshop.options(plan))
            .beginning_with(self.workshop.prefix());
        let unit_so = folder.join("unit.so");
        let mut watched = BTreeMap::new();
        let linked = self.compiled(plan, &job, 0).and_then(|(object, seen)| {
            watched = seen;
            self.workshop.link(&plan.source, &[object], job.flavor, &unit_so)
        });
        if let Err(failure) = linked {
            if generated.copy != Copy::Image {
                self.context.ui.detail(format_args!("{}: {failure}; building images", plan.id));
                return self.build(plan, command, work, false, finished);
            }
            return Err(GivenUp::unbuildable(failure.to_string()));
        }
        if generated.reaches_out {
            self.distrust(plan, work, &generated, &mut watched);
        }
        let mut slots = Vec::new();
        let mut indexes = Vec::new();
        for (position, side) in generated.sides.iter().enumerate() {
            let index = work.mutants[position];
            let id = self.mutants[index].id.clone();
            let probe = watched.get(&index).map(|seen| Probe { reached: seen.reached, infected: seen.infected });
            match side {
                generate::Side::Dispatch(number) => {
                    slots.push(Slot { number: self.active(*number), id, side: Side::Copy, probe });
                }
                generate::Side::Image if self.session.switches.probing == Probing::Idle => {
                    let why = "its mutant would always be active";
                    finished.statuses.insert(index, (Status::NoDriver, Some(why.into())));
                    continue;
                }
                generate::Side::Image => match self.image(plan, command, index, position, self.first_flavors().1) {
                    Ok(path) => slots.push(Slot { number: position as u32 + 1, id, side: Side::Image(path), probe }),
                    Err(why) => {
                        finished.statuses.insert(index, (Status::NoDriver, Some(why)));
                        continue;
                    }
                },
            }
            indexes.push(index);
        }
        self.count_build(finished);
        let alone = finished.build_seconds;
        Ok(Built { generated, unit_so, slots, mutants: indexes, watched, alone })
    }

    /// Builds a draft once more, optimised, with the images of the `live` slots; each takes its draft's place.
    ///
    /// # Errors
    /// What does not build so; the draft stays usable.
    pub(super) fn optimise(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        built: &Built,
        live: &[usize],
    ) -> Result<(), String> {
        let said = |failure: CompileFailure| failure.to_string();
        let driver = self.workshop.folder(plan).join(built.generated.main_file());
        let job = CompileJob::generated(&driver, command, Flavor::Search)
            .with(self.workshop.options(plan))
            .beginning_with(self.workshop.prefix());
        // As the draft numbers them, which others may share.
        let first = built.watched.values().next().and_then(|watched| watched.way.first());
        let from = first.map_or(0, |(entered, _)| *entered as usize);
        let (object, seen) = self.compiled(plan, &job, from).map_err(said)?;
        let same = |(index, watched): (&usize, &Watched)| seen.get(index) == Some(watched);
        if !built.watched.iter().all(same) {
            return Err("its probes are other ones".into());
        }
        self.workshop.link(&plan.source, &[object], job.flavor, &built.unit_so).map_err(said)?;
        for slot in live {
            if let Side::Image(path) = &built.slots[*slot].side {
                let mutant = &self.mutants[built.mutants[*slot]];
                self.linked_image(plan, command, mutant, Flavor::Mutant, path)?;
            }
        }
        Ok(())
    }

    /// The driver against the mutated file, in a shared object of its own.
    fn image(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        mutant: usize,
        position: usize,
        flavor: Flavor,
    ) -> Result<PathBuf, String> {
        let out = self.workshop.folder(plan).join(format!("image-{}.so", position + 1));
        self.linked_image(plan, command, &self.mutants[mutant], flavor, &out)?;
        Ok(out)
    }

    fn linked_image(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        mutant: &Mutant,
        flavor: Flavor,
        out: &Path,
    ) -> Result<(), String> {
        let said = |failure: CompileFailure| failure.to_string();
        let driver = self.image_driver(plan)?;
        let job = CompileJob::generated(&driver, command, flavor)
            .with(self.workshop.options(plan))
            .beginning_with(self.workshop.prefix())
            .replacing(&mutant.original, &mutant.path);
        let object = self.builder.compile(&job).map_err(said)?;
        self.workshop.link(&plan.source, &[object], flavor, out).map_err(said)?;
        Ok(())
    }

    /// A driver without copies, beside the one with copies where there is one.
    pub(super) fn image_driver(&self, plan: &UnitPlan) -> Result<PathBuf, String> {
        let Session { model, hierarchy, .. } = self.session;
        let mut generated = generate::unit(model, hierarchy, plan, &[], false)?;
        stamp::put_edited(&self.edited, &plan.slug, &mut generated.files);
        let folder = self.workshop.folder(plan).join("image");
        if !folder.is_dir() {
            write_files(&folder, &generated.files)?;
        }
        Ok(folder.join(generated.main_file()))
    }

    /// AFL++'s programs: one for the unit, and one for each mutant that has an image.
    pub(super) fn afl_programs(
        &self,
        plan: &UnitPlan,
        command: &CompileCommand,
        built: &Built,
        afl: &AflPlusPlus,
        job: &mut SearchJob<'_>,
    ) -> Result<(), GivenUp> {
        let folder = self.workshop.folder(plan).join("afl");
        std::fs::create_dir_all(&folder).map_err(|e| GivenUp::unbuildable(e.to_string()))?;
        let driver = self.workshop.folder(plan).join(built.generated.main_file());
        let image_driver = self.image_driver(plan).map_err(GivenUp::unbuildable)?;
        let parts = |image| Parts {
            driver: &driver,
            command,
            extra: self.workshop.options(plan),
            commands: &self.session.database.commands,
            excluded: vec![plan.source.as_path()],
            libraries: self.workshop.libraries,
            runtime: &self.workshop.runtime,
            image,
            mode: afl.mode(),
        };
        let unbuilt = |failure: CompileFailure| GivenUp::unbuildable(failure.to_string());
        let unit = folder.join("unit");
        let made = program(self.builder, afl.flavor(), &parts(None), &unit).map_err(unbuilt)?;
        self.add_afl_shared(made.shared_seconds);
        job.unit_so = unit;
        for (position, slot) in job.slots.iter_mut().enumerate() {
            if let Side::Image(path) = &mut slot.side {
                let mutant = &self.mutants[built.mutants[position]];
                let image = Image { driver: &image_driver, original: &mutant.original, mutated: &mutant.path };
                let out = folder.join(format!("image-{}", position + 1));
                let made = program(self.builder, afl.flavor(), &parts(Some(image)), &out).map_err(unbuilt)?;
                self.add_afl_shared(made.shared_seconds);
                *path = out;
            }
        }
        Ok(())
    }
}
