//! Shared drafts: several units of one source file are compiled and linked together.
//!
//! A unit uses its shared draft as long as its plan is the first one and the original behaves on the seeds. Otherwise
//! it is built alone, like every optimised driver.

use super::unit::{Shared, Work};
use crate::build::{CompileFailure, CompileJob};
use crate::build_session::write_files;
use crate::engine::Side;
use crate::generate::Making;
use crate::generate::headers::missing;
use crate::generate::joint_driver::{Member, Together, fits, fits_in_place, together};
use crate::model::{Language, Model, Usr};
use crate::mutant::Mutant;
use crate::plan::{self, UnitPlan};
use crate::probes::{self, Level, POINTS_MOST, UnitProbes, Watched};
use crate::session::Session;
use crate::switches::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The most units per draft: all of them wait for it.
const UNITS_MOST: usize = 24;
/// The most mutants per draft, roughly.
const MUTANTS_MOST: usize = 256;
/// The cost of compiling a unit's own part, relative to the source and its headers.
const OWN: f64 = 0.15;
/// The most attempts to build a draft without the units that break it.
const TRIES: usize = 4;

/// The units of a run, grouped by shared draft.
#[derive(Default)]
pub struct Groups {
    groups: Vec<Group>,
    of: BTreeMap<Usr, usize>,
}

struct Group {
    /// Indexes into the run's works.
    works: Vec<usize>,
    drafts: OnceLock<BTreeMap<Usr, Draft>>,
}

/// A unit's part of a shared draft.
pub struct Draft {
    /// The plan that it was built for.
    plan: UnitPlan,
    /// The shared object, and the unit's number in it, from 1.
    so: PathBuf,
    number: usize,
    /// The image with the mutants in place, if there is no copy.
    image: Option<PathBuf>,
    /// The notes in the text about its mutants.
    pub watched: BTreeMap<usize, Watched>,
    /// The copy may call functions that the driver does not compile for the original.
    pub reaches_out: bool,
    /// This unit's share of the cost, in CPU seconds.
    pub share: f64,
    /// The estimated cost of building it alone.
    pub alone: f64,
}

/// A draft, placed in the folder of a unit.
pub struct Placed {
    /// The unit's shared object.
    pub unit_so: PathBuf,
    /// The side of its mutants.
    pub side: Side,
}

impl Draft {
    /// How its mutants were made.
    pub fn making(&self) -> Making {
        if self.image.is_some() { Making::InPlace } else { Making::Copy }
    }

    /// Places the shared objects in a unit's folder; their names contain the unit's number.
    pub fn place(&self, folder: &Path) -> std::io::Result<Placed> {
        let put = |so: &Path, name: &str| {
            let path = folder.join(format!("{name}.{}.so", self.number));
            let _ = std::fs::remove_file(&path);
            std::fs::hard_link(so, &path).or_else(|_| std::fs::copy(so, &path).map(drop))?;
            std::io::Result::Ok(path)
        };
        let side = match &self.image {
            None => Side::Copy,
            Some(image) => Side::InPlace(put(image, "image")?),
        };
        Ok(Placed { unit_so: put(&self.so, "unit")?, side })
    }
}

impl Groups {
    /// Groups units whose bodies are in one file, in the order of the run.
    pub fn new(session: &Session, works: &[Work]) -> Self {
        // A function's copy takes the original's arguments, a method's takes copied objects: they cannot share a
        // draft.
        let mut files: BTreeMap<(&Path, bool), Vec<usize>> = BTreeMap::new();
        for (index, work) in works.iter().enumerate() {
            let function = &session.model.functions[&work.unit];
            if let Some(definition) = function.definition.as_ref().filter(|_| function.language == Language::Cxx) {
                files.entry((&definition.body.file, function.owner.is_some())).or_default().push(index);
            }
        }
        let mut groups = Self::default();
        for all in files.into_values() {
            let mutants: usize = all.iter().map(|index| works[*index].mutants.len()).sum();
            let parts = all.len().div_ceil(UNITS_MOST).max(mutants.div_ceil(MUTANTS_MOST)).max(1);
            // Groups of similar size, since each pays for the common part.
            for own in all.chunks(all.len().div_ceil(parts)).filter(|own| own.len() > 1) {
                groups.of.extend(own.iter().map(|index| (works[*index].unit.clone(), groups.groups.len())));
                groups.groups.push(Group { works: own.to_vec(), drafts: OnceLock::new() });
            }
        }
        groups
    }
}

impl Shared<'_> {
    /// The draft that the unit shares with others; the first request builds it for all.
    pub(super) fn draft(&self, plan: &UnitPlan) -> Option<&Draft> {
        let number = *self.groups.of.get(&plan.unit)?;
        let group = &self.groups.groups[number];
        let drafts = group.drafts.get_or_init(|| self.drafts(number, &group.works));
        drafts.get(&plan.unit).filter(|draft| draft.plan == *plan)
    }

    fn drafts(&self, number: usize, works: &[usize]) -> BTreeMap<Usr, Draft> {
        // Compilation of this thread so far belongs to its own unit.
        let own = self.builder.thread_cpu_seconds();
        let drafts = self.built_together(number, works);
        let spent = self.builder.thread_cpu_seconds();
        // A failed draft is paid by the unit that asked.
        self.builder.add_thread_cpu_seconds(if drafts.is_empty() { own + spent } else { own });
        let units = drafts.len().max(1) as f64;
        let alone = spent * (1.0 + OWN) / (1.0 + OWN * units);
        let shares = |draft| Draft { share: spent / units, alone, ..draft };
        drafts.into_iter().map(|(unit, draft)| (unit, shares(draft))).collect()
    }

    /// Builds with a common copy, and with mutants in place for the units that break the copy.
    fn built_together(&self, number: usize, works: &[usize]) -> BTreeMap<Usr, Draft> {
        let mut left = self.members(works);
        let mut drafts = BTreeMap::new();
        let shown =
            |(plan, _): &(UnitPlan, &Work)| crate::context::shown(&self.session.options.root, &plan.source).to_string();
        let file = left.first().map(shown);
        for best in [Making::Copy, Making::InPlace] {
            if best == Making::InPlace && !self.session.switches.has(Part::InPlace) {
                break;
            }
            if best == Making::InPlace {
                left.retain(|(plan, work)| {
                    let member = Member { plan, mutants: self.mutants_of(work) };
                    self.may_be_in_place(&plan.unit) && fits_in_place(&self.session.model, &member)
                });
            }
            let tried = self.tried_so(number, left, best);
            let (file, count) = (file.as_deref().unwrap_or_default(), tried.drafts.len());
            match best {
                _ if count == 0 => {}
                Making::Copy => self.context.ui.detail(format_args!("{file}: a draft for {count} units")),
                _ => self.context.ui.detail(format_args!("{file}: a draft for {count} units, their mutants in place")),
            }
            if let Some(why) = tried.why.filter(|_| !tried.left.is_empty()) {
                self.context.ui.detail(format_args!("{file}: {} units share no draft yet: {why}", tried.left.len()));
            }
            drafts.extend(tried.drafts);
            left = tried.left;
        }
        drafts
    }

    /// The units that may share a draft.
    fn members(&self, works: &[usize]) -> Vec<(UnitPlan, &Work)> {
        let mut units: Vec<(UnitPlan, &Work)> = Vec::new();
        for work in works.iter().map(|index| &self.works[*index]) {
            if self.past.is_some_and(|past| past.unit(&work.unit).is_some()) {
                continue;
            }
            let Ok(plan) = plan::plan_unit(&self.planner, &work.unit) else { continue };
            let alike =
                units.first().is_none_or(|(first, _)| first.source == plan.source && first.command == plan.command);
            let edited = self.edited.contains_key(&plan.slug);
            let member = Member { plan: &plan, mutants: self.mutants_of(work) };
            if alike && !edited && fits(&self.session.model, &member) {
                units.push((plan, work));
            }
        }
        units
    }

    /// Builds one draft for as many of the units as compile together.
    fn tried_so<'w>(&'w self, number: usize, mut units: Vec<(UnitPlan, &'w Work)>, best: Making) -> Tried<'w> {
        let Session { model, hierarchy, .. } = self.session;
        let mut left = Vec::new();
        let mut why = None;
        for _ in 0..TRIES {
            if units.len() < 2 {
                break;
            }
            let members: Vec<Member<'_>> =
                units.iter().map(|(plan, work)| Member { plan, mutants: self.mutants_of(work) }).collect();
            let made = match together(model, hierarchy, &members, best) {
                Ok(made) => made,
                Err(reason) => {
                    why = Some(reason);
                    break;
                }
            };
            match self.compiled_together(&format!("{number:04}-{best:?}"), &units, &made) {
                Ok(objects) => return Tried { drafts: parted(units, &objects, made.reaches_out), left, why },
                Err(failure) => {
                    let guilty = culprits(model, &failure, &units);
                    why = Some(failure.to_string());
                    if guilty.is_empty() {
                        break;
                    }
                    let all = std::mem::take(&mut units).into_iter().enumerate();
                    for (place, unit) in all {
                        if guilty.contains(&(place + 1)) { left.push(unit) } else { units.push(unit) }
                    }
                }
            }
        }
        left.extend(units);
        Tried { drafts: BTreeMap::new(), left, why }
    }

    fn mutants_of(&self, work: &Work) -> Vec<&Mutant> {
        work.mutants.iter().map(|index| &self.mutants[*index]).collect()
    }

    /// Compiles and links a driver.
    fn compiled_together(
        &self,
        name: &str,
        units: &[(UnitPlan, &Work)],
        made: &Together,
    ) -> Result<Objects, CompileFailure> {
        let plan = &units[0].0;
        let cache = self.session.options.output.join("cache").join("together");
        let folder = cache.join(name);
        let failed = |why: String| CompileFailure::tool(&folder, why);
        let _ = std::fs::remove_dir_all(&folder);
        write_files(&folder, &made.files).map_err(failed)?;
        let driver = folder.join(&made.files[0].0);
        let (flavor, mutated) = self.first_flavors();
        let job = |flavor| {
            CompileJob::generated(&driver, &self.session.database.commands[plan.command], flavor)
                .with(self.build_session.options(plan))
                .beginning_with(self.build_session.prefix())
        };
        // Compile the version without mutants first: if it fails, the one with mutants fails too.
        let mut image = None;
        if !made.in_place.is_empty() {
            let job = self.in_place(job(mutated), &folder, &made.in_place).map_err(failed)?;
            let so = folder.join("image.so");
            self.build_session.link(&plan.source, &[self.builder.compile(&job)?], mutated, &so)?;
            image = Some(so);
        }
        let mut job = job(flavor);
        let mut files: BTreeMap<&Path, Vec<&UnitProbes>> = BTreeMap::new();
        for probes in units.iter().filter_map(|(plan, _)| self.probes.get(&plan.unit)) {
            files.entry(&probes.file).or_default().push(probes);
        }
        let mut watched = BTreeMap::new();
        let mut points = 0;
        for (place, (file, probes)) in files.iter().enumerate() {
            let noted = probes::noted(probes, Level::Infected, points);
            points = noted.points;
            let source = std::fs::read(file).map_err(|error| failed(format!("{}: {error}", file.display())))?;
            let text = folder.join(format!("noting-{place}"));
            std::fs::write(&text, noted.text(&source)).map_err(|error| failed(error.to_string()))?;
            job = job.replacing(*file, &text);
            watched.extend(noted.mutants);
        }
        if points > POINTS_MOST {
            return Err(failed(format!("{points} notes are more than fit")));
        }
        if !files.is_empty() {
            job = job
                .with(["-include".to_owned(), self.build_session.runtime.join("motif_probe.h").display().to_string()]);
        }
        let object = self.builder.compile(&job)?;
        let so = folder.join("together.so");
        self.build_session.link(&plan.source, &[object], flavor, &so)?;
        Ok(Objects { so, image, watched })
    }
}

/// The result of building several units together.
struct Tried<'w> {
    drafts: BTreeMap<Usr, Draft>,
    /// The units without a shared draft.
    left: Vec<(UnitPlan, &'w Work)>,
    /// The reason.
    why: Option<String>,
}

/// The objects of a driver for several units.
struct Objects {
    so: PathBuf,
    image: Option<PathBuf>,
    /// The notes in the text about all mutants.
    watched: BTreeMap<usize, Watched>,
}

/// Splits a shared draft into each unit's part.
fn parted(units: Vec<(UnitPlan, &Work)>, objects: &Objects, reaches_out: bool) -> BTreeMap<Usr, Draft> {
    let of = |(place, (plan, work)): (usize, (UnitPlan, &Work))| {
        let own = work.mutants.iter().filter_map(|index| Some((*index, objects.watched.get(index)?.clone())));
        let watched = own.collect();
        let (so, image, number) = (objects.so.clone(), objects.image.clone(), place + 1);
        (plan.unit.clone(), Draft { plan, so, number, image, watched, reaches_out, share: 0.0, alone: 0.0 })
    };
    units.into_iter().enumerate().map(of).collect()
}

/// The numbers, from 1, of the members with errors in their own part: their own file, a header that only some of them
/// include, or a body.
fn culprits(model: &Model, failure: &CompileFailure, units: &[(UnitPlan, &Work)]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let headers: Vec<Vec<PathBuf>> = units.iter().map(|(plan, _)| missing(model, plan)).collect();
    for (file, line) in failure.stderr.lines().filter_map(place_of_error) {
        let own = file.rsplit_once("/unit_").and_then(|(_, rest)| rest.split('.').next()?.parse::<usize>().ok());
        if let Some(number) = own.filter(|number| (1..=units.len()).contains(number)) {
            found.insert(number);
            continue;
        }
        let file = Path::new(file);
        let has_body = |(plan, _): &(UnitPlan, &Work)| {
            let body = model.functions.get(&plan.unit).and_then(|f| f.definition.as_ref()).map(|d| &d.body);
            body.is_some_and(|body| body.file == file && (body.line..=body.end_line).contains(&line))
        };
        let asked = (0..units.len()).filter(|unit| has_body(&units[*unit]) || headers[*unit].iter().any(|h| h == file));
        let asked: Vec<usize> = asked.map(|unit| unit + 1).collect();
        // An error in a common part is nobody's fault.
        if asked.len() < units.len() {
            found.extend(asked);
        }
    }
    found
}

/// File and line of an error message.
fn place_of_error(line: &str) -> Option<(&str, u32)> {
    let (place, _) = line.split_once(": error:").or_else(|| line.split_once(": fatal error:"))?;
    let (place, _column) = place.rsplit_once(':')?;
    let (file, number) = place.rsplit_once(':')?;
    Some((file, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_an_error_is_read_from_what_the_compiler_says() {
        assert_eq!(place_of_error("/o/unit_3.hpp:12:5: error: no matching function"), Some(("/o/unit_3.hpp", 12)));
        assert_eq!(place_of_error("/o/a.h:1:2: fatal error: 'b.h' file not found"), Some(("/o/a.h", 1)));
        assert_eq!(place_of_error("In file included from /o/together.cpp:9:"), None);
        assert_eq!(place_of_error("/o/unit_3.hpp:14:5: warning: unused"), None);
    }
}
