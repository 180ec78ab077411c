//! Shared drafts: several units of one source file are compiled and linked together.
//!
//! A unit uses its shared draft as long as its plan is the first one and the original behaves on the seeds. Otherwise
//! it is built alone, like every optimised driver.

use super::drafts::Draft;
use super::shared::Shared;
use super::unit_build;
use super::unit_result::Work;
use crate::build::{CompileFailure, CompileJob};
use crate::build_session::write_files;
use crate::generate::headers::missing;
use crate::generate::joint_driver::{Member, Together, fits, fits_in_place, together};
use crate::model::{Model, Usr};
use crate::mutant::Mutant;
use crate::outcome::Home;
use crate::plan::{self, UnitPlan};
use crate::probes::{self, Level, POINTS_MOST, UnitProbes, Watched};
use crate::session::Session;
use crate::switches::Feature;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a unit's own part of a driver takes to compile, in what the source and its headers take, by and large.
const OWN: f64 = 0.15;
/// The most attempts to build a draft without the units that break it.
const TRIES: usize = 4;

/// The draft that a unit shares with others; the first that asks builds it for all.
pub(super) fn draft<'s>(shared: &'s Shared<'_>, plan: &UnitPlan) -> Option<&'s Draft> {
    let number = *shared.groups.of.get(&plan.unit)?;
    let group = &shared.groups.groups[number];
    let drafts = group.drafts.get_or_init(|| drafts(shared, number, &group.works));
    drafts.get(&plan.unit).filter(|draft| draft.plan == *plan)
}

fn drafts(shared: &Shared<'_>, number: usize, works: &[usize]) -> BTreeMap<Usr, Draft> {
    // What this thread has compiled so far is its unit's own.
    let own = shared.builder.thread_cpu_seconds();
    let drafts = built_together(shared, number, works);
    let spent = shared.builder.thread_cpu_seconds();
    // What came to nothing is of the unit that asked.
    shared.builder.add_thread_cpu_seconds(if drafts.is_empty() { own + spent } else { own });
    let units = drafts.len().max(1) as f64;
    let alone = spent * (1.0 + OWN) / (1.0 + OWN * units);
    let shares = |draft| Draft { share: spent / units, alone, ..draft };
    drafts.into_iter().map(|(unit, draft)| (unit, shares(draft))).collect()
}

/// With a copy in common, and those that keep such a driver from compiling with their mutants in place.
fn built_together(shared: &Shared<'_>, number: usize, works: &[usize]) -> BTreeMap<Usr, Draft> {
    let mut left = members(shared, works);
    let mut drafts = BTreeMap::new();
    let shown =
        |(plan, _): &(UnitPlan, &Work)| crate::context::shown(&shared.session.options.root, &plan.source).to_string();
    let file = left.first().map(shown);
    for best in [Home::Copy, Home::InPlace] {
        if best == Home::InPlace && !shared.session.switches.has(Feature::InPlace) {
            break;
        }
        if best == Home::InPlace {
            left.retain(|(plan, work)| {
                let member = Member { plan, mutants: mutants_of(shared, work) };
                unit_build::may_be_in_place(shared, &plan.unit) && fits_in_place(&shared.session.model, &member)
            });
        }
        let tried = tried_so(shared, number, left, best);
        let (file, count) = (file.as_deref().unwrap_or_default(), tried.drafts.len());
        match best {
            _ if count == 0 => {}
            Home::Copy => shared.context.ui.detail(format_args!("{file}: a draft for {count} units")),
            _ => shared.context.ui.detail(format_args!("{file}: a draft for {count} units, their mutants in place")),
        }
        if let Some(why) = tried.why.filter(|_| !tried.left.is_empty()) {
            shared
                .context
                .ui
                .detail(format_args!("{file}: {} units have no draft in common yet: {why}", tried.left.len()));
        }
        drafts.extend(tried.drafts);
        left = tried.left;
    }
    drafts
}

/// Units that may be driven together.
fn members<'s>(shared: &'s Shared<'_>, works: &[usize]) -> Vec<(UnitPlan, &'s Work)> {
    let mut units: Vec<(UnitPlan, &Work)> = Vec::new();
    for work in works.iter().map(|index| &shared.works[*index]) {
        if shared.past.is_some_and(|past| past.unit(&work.unit).is_some()) {
            continue;
        }
        let Ok(plan) = plan::plan_unit(&shared.planner, &work.unit) else { continue };
        let alike = units.first().is_none_or(|(first, _)| first.source == plan.source && first.command == plan.command);
        let edited = shared.edited.contains_key(&plan.slug);
        let member = Member { plan: &plan, mutants: mutants_of(shared, work) };
        if alike && !edited && fits(&shared.session.model, &member) {
            units.push((plan, work));
        }
    }
    units
}

/// One draft for as many of the units as build in one.
fn tried_so<'w>(shared: &'w Shared<'_>, number: usize, mut units: Vec<(UnitPlan, &'w Work)>, best: Home) -> Tried<'w> {
    let Session { model, hierarchy, .. } = shared.session;
    let mut left = Vec::new();
    let mut why = None;
    for _ in 0..TRIES {
        if units.len() < 2 {
            break;
        }
        let members: Vec<Member<'_>> =
            units.iter().map(|(plan, work)| Member { plan, mutants: mutants_of(shared, work) }).collect();
        let made = match together(model, hierarchy, &members, best) {
            Ok(made) => made,
            Err(reason) => {
                why = Some(reason);
                break;
            }
        };
        match compiled_together(shared, &format!("{number:04}-{best:?}"), &units, &made) {
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

fn mutants_of<'s>(shared: &'s Shared<'_>, work: &Work) -> Vec<&'s Mutant> {
    work.mutants.iter().map(|index| &shared.mutants[*index]).collect()
}

/// Compiles and links a driver.
fn compiled_together(
    shared: &Shared<'_>,
    name: &str,
    units: &[(UnitPlan, &Work)],
    made: &Together,
) -> Result<Objects, CompileFailure> {
    let plan = &units[0].0;
    let cache = shared.session.options.output.join("cache").join("together");
    let folder = cache.join(name);
    let failed = |why: String| CompileFailure::tool(&folder, why);
    let _ = std::fs::remove_dir_all(&folder);
    write_files(&folder, &made.files).map_err(failed)?;
    let driver = folder.join(&made.files[0].0);
    let (flavor, mutated) = unit_build::first_flavors(shared);
    let job = |flavor| {
        CompileJob::generated(&driver, &shared.session.database.commands[plan.command], flavor)
            .with(shared.build_session.options(plan))
            .beginning_with(shared.build_session.prefix())
    };
    // What does not compile with the mutants does so for none of them: it is tried first.
    let mut image = None;
    if !made.in_place.is_empty() {
        let job = unit_build::in_place(shared, job(mutated), &folder, &made.in_place).map_err(failed)?;
        let so = folder.join("image.so");
        shared.build_session.link(&plan.source, &[shared.builder.compile(&job)?], mutated, &so)?;
        image = Some(so);
    }
    let mut job = job(flavor);
    let mut files: BTreeMap<&Path, Vec<&UnitProbes>> = BTreeMap::new();
    for probes in units.iter().filter_map(|(plan, _)| shared.probes.get(&plan.unit)) {
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
        return Err(failed(format!("{points} places are more than fit")));
    }
    if !files.is_empty() {
        job =
            job.with(["-include".to_owned(), shared.build_session.runtime.join("motif_probe.h").display().to_string()]);
    }
    let object = shared.builder.compile(&job)?;
    let so = folder.join("together.so");
    shared.build_session.link(&plan.source, &[object], flavor, &so)?;
    Ok(Objects { so, image, watched })
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
