//! What is generated for the samples: every unit that has a mutant is planned and generated; the files are snapshots
//! to be read in one go, compile without a warning under every clang that is installed, and on the unit's seeds the
//! copy with no mutant active does what the original does.

use crate::support;
use motif_cpp::build::store::Store;
use motif_cpp::build::{Builder, CompileJob, Flavor, Libraries, ProjectObjects};
use motif_cpp::compdb::Database;
use motif_cpp::engine::Side;
use motif_cpp::engine::worker::{WorkerTools, build_worker, prefix, write_runtime};
use motif_cpp::generate::joint_driver::{Member, fits, together};
use motif_cpp::generate::{self, Generated};
use motif_cpp::hierarchy::Hierarchy;
use motif_cpp::model::{Language, Model, Usr};
use motif_cpp::mutant::{Mutant, list, pair};
use motif_cpp::outcome::{Copy, Home};
use motif_cpp::overrides::Overrides;
use motif_cpp::parse::{self, ParseOptions};
use motif_cpp::plan::planner::Planner;
use motif_cpp::plan::{self, UnitPlan, seeds};
use motif_cpp::probes::{self, Level, UnitProbes, Versions};
use motif_cpp::tools::{Surroundings, Toolchain};
use motif_cpp::triage::{Replay, Replayed, baseline, replay};
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A sample, read and paired with its mutants.
struct Sample {
    project: support::Project,
    root: PathBuf,
    database: Database,
    model: Model,
    hierarchy: Hierarchy,
    overrides: Overrides,
    mutants: Vec<Mutant>,
    options: ParseOptions,
}

/// A unit with its driver.
struct Unit<'s> {
    plan: UnitPlan,
    mutants: Vec<&'s Mutant>,
    generated: Generated,
    probes: Option<UnitProbes>,
}

impl Sample {
    fn read(name: &str) -> Self {
        Self::of(support::Project::sample(name))
    }

    /// Code without mutants, which shows what parameters can be of.
    fn values() -> Self {
        Self::of(support::Project::sources("values"))
    }

    /// A library with tests that show how its objects are made.
    fn shelf() -> Self {
        let project = support::Project::sources("shelf");
        let mutants = [
            ("shelf.mut.17.1_1_1.AOR.between.cpp", "pages_) + right_", "pages_) - right_"),
            ("shelf.mut.66.1_1_1.ROR.weigh.cpp", "pages() > 300", "pages() >= 300"),
        ];
        support::write_mutants(&project, &mutants);
        Self::of(project)
    }

    fn of(project: support::Project) -> Self {
        let root = project.root().canonicalize().unwrap();
        let tools = Toolchain::discover(&Surroundings::of_process());
        let options = ParseOptions {
            libclang: tools.clang().unwrap().libclang.clone(),
            cache_dir: Some(root.join("cache")),
            jobs: 2,
            root: root.clone(),
            only: None,
            self_exe: Some(env!("CARGO_BIN_EXE_motif-cpp").into()),
            namesakes: Default::default(),
        };
        let database = Database::load(Some(&root.join("build")), &root).unwrap();
        let (model, problems) = parse::project(&database, &options).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let mut overrides = Overrides::load(&root).unwrap();
        overrides.resolve(&model).unwrap();
        let files: Vec<PathBuf> = model.files.keys().cloned().collect();
        let mutants = match root.join("mutants") {
            folder if folder.exists() => {
                let givens = list::read(&folder, &root, &files, &root.join("scratch")).unwrap();
                pair::pair(&givens, &model, &database, &options).unwrap()
            }
            _ => Vec::new(),
        };
        let hierarchy = Hierarchy::new(&model);
        Self { project, root, database, model, hierarchy, overrides, mutants, options }
    }

    /// Every unit that has a mutant.
    fn units(&self) -> Vec<Unit<'_>> {
        let mut units: BTreeMap<&Usr, Vec<&Mutant>> = BTreeMap::new();
        for mutant in &self.mutants {
            let pairing = mutant.pairing.as_ref().unwrap_or_else(|(_, why)| panic!("{}: {why}", mutant.id));
            units.entry(&pairing.unit).or_default().push(mutant);
        }
        if self.mutants.is_empty() {
            let bodies = self.model.functions.values().filter(|f| f.definition.is_some());
            units.extend(bodies.map(|f| (&f.usr, Vec::new())));
        }
        let planner = Planner::new(&self.model, &self.hierarchy, &self.overrides);
        let mut probes = self.probes(&units);
        units
            .into_iter()
            .map(|(usr, mutants)| {
                let id = &self.model.functions[usr].id;
                let plan = plan::plan_unit(&planner, usr).unwrap_or_else(|why| panic!("{id}: {}", why.what));
                let generated = generate::unit(&self.model, &self.hierarchy, &plan, &mutants, Home::Copy)
                    .unwrap_or_else(|why| panic!("{id}: {why}"));
                let probes = probes.remove(usr);
                Unit { plan, mutants, generated, probes }
            })
            .collect()
    }

    /// What can be noted of each unit's mutants.
    fn probes(&self, units: &BTreeMap<&Usr, Vec<&Mutant>>) -> BTreeMap<Usr, UnitProbes> {
        let mut files: BTreeMap<PathBuf, Vec<Versions>> = BTreeMap::new();
        for (unit, mutants) in units {
            let mutants = mutants.iter().enumerate().map(|(index, mutant)| (index, *mutant));
            if let Some((file, versions)) = probes::versions(&self.model, unit, mutants) {
                files.entry(file).or_default().push(versions);
            }
        }
        let text = self.root.join("versions");
        let read = |(file, versions): (PathBuf, Vec<Versions>)| {
            probes::of_file(&self.model, &self.database, &self.options, &file, &versions, &text).unwrap()
        };
        files.into_iter().flat_map(read).collect()
    }

    /// The generated files of each unit are as the snapshots say.
    fn snapshots(&self, sample: &str, units: &[Unit<'_>]) {
        let root = self.root.to_str().unwrap();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        for Unit { plan, generated, .. } in units {
            let mut text = format!("{} ({:?} copy)\n", plan.id, generated.copy);
            for (name, content) in &generated.files {
                assert!(!content.contains("\n\n\n"), "{}: two blank lines in {name}:\n{content}", plan.id);
                assert!(content.ends_with('\n') && !content.ends_with("\n\n"), "{}: the end of {name}", plan.id);
                text.push_str(&format!("\n======== {name}\n{}", content.replace(root, "[project]")));
            }
            settings.bind(|| insta::assert_snapshot!(format!("generated_{sample}_{}", plan.slug), text));
        }
    }

    /// What drivers are built and run with, by one clang.
    fn bench(&self, clang: &str, flavor: Flavor) -> Bench {
        let surroundings = Surroundings { clang: Some(clang.into()), ..Surroundings::of_process() };
        let tools = Toolchain::discover(&surroundings);
        let clang = tools.clang().unwrap();
        let worker_tools = WorkerTools {
            fuzzer: clang.fuzzer.clone().unwrap(),
            clang: clang.clang.clone(),
            clangxx: clang.clangxx.clone(),
            flags: Vec::new(),
        };
        let worker = build_worker(&worker_tools, Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        let out = self.project.root().join(format!("out-{}", clang.major));
        let runtime = out.join("runtime");
        write_runtime(&runtime).unwrap();
        let store = Store::open(Path::new(support::CACHE)).ok().map(Arc::new);
        let prefix = prefix(store.as_deref(), &runtime);
        let builder = Builder::new(&tools, &out.join("cache"), 2, Arc::default()).unwrap().sharing(store);
        let objects = builder.project_objects(
            &self.database.commands,
            &|command| builder.compile(&CompileJob::project(command, flavor)),
            &|_| {},
        );
        assert!(objects.failures.is_empty(), "{:?}", objects.failures);
        Bench { clang: clang.major, worker, out, runtime, prefix, builder, objects }
    }

    /// Compiles, links and runs every driver with one clang.
    fn behaves<'s>(&'s self, units: &[impl Borrow<Unit<'s>> + Sync], clang: &str, flavor: Flavor) {
        let Bench { clang, worker, out, runtime, prefix, builder, objects } = self.bench(clang, flavor);
        let wrong = builder.in_parallel(units, |unit| {
            let Unit { plan, generated, probes, .. } = unit.borrow();
            let folder = out.join(&plan.slug);
            std::fs::create_dir_all(&folder).unwrap();
            for (name, text) in &generated.files {
                std::fs::write(folder.join(name), text).unwrap();
            }
            let mut extra = vec![format!("-I{}", runtime.display()), "-fno-builtin".into()];
            extra.extend(["-Wall", "-Wextra", "-Werror"].map(String::from));
            if plan.language == Language::Cxx {
                extra.push("-fno-access-control".into());
            }
            let command = &self.database.commands[plan.command];
            let mut job = CompileJob::generated(folder.join(generated.main_file()), command, flavor)
                .with(extra)
                .beginning_with(&prefix);
            if let Some(probes) = probes {
                let source = std::fs::read(&probes.file).unwrap();
                let text = folder.join("noted");
                std::fs::write(&text, probes.noted(Level::Infected).text(&source)).unwrap();
                let header = runtime.join("motif_probe.h").display().to_string();
                job = job.replacing(&probes.file, &text).with(["-include".to_owned(), header]);
            }
            let unit_so = folder.join("unit.so");
            let built = builder.compile(&job).and_then(|object| {
                let archive = builder.archive(&objects, plan.source.as_path(), &[plan.source.as_path()])?;
                builder.link_unit(&[object], Some(&archive), &Libraries::default(), flavor, &unit_so)
            });
            if let Err(failure) = built {
                return Some(format!("{}: {}", plan.id, failure.stderr));
            }
            let seeds: Vec<PathBuf> = (0..)
                .map(|n| folder.join(format!("seed-{n}")))
                .zip(seeds::all(plan))
                .map(|(path, bytes)| {
                    std::fs::write(&path, bytes).unwrap();
                    path
                })
                .collect();
            let seen = baseline(&worker, &unit_so, None, &seeds).unwrap();
            assert_eq!(seen.inputs.len(), seeds.len());
            let differs = |run: &motif_cpp::triage::SeedRun| {
                generated.copy != Copy::Image && run.deterministic && run.failure().is_none() && !run.copy_agrees
            };
            let failed = seen.inputs.iter().filter(|run| run.failure().is_some()).count();
            if let Some(seed) = seen.inputs.iter().position(differs) {
                return Some(format!("{}: the copy is not the original's twin on seed {seed}", plan.id));
            }
            (failed == seeds.len()).then(|| format!("{}: the original fails on every seed", plan.id))
        });
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        assert!(wrong.is_empty(), "clang {clang}:\n{}", wrong.join("\n"));
    }

    /// The same with units of one source in one driver, their mutants in a copy or in place; how many units were in
    /// such.
    fn behaves_together(&self, units: &[Unit<'_>], clang: &str, best: Home) -> usize {
        let Bench { clang, worker, out, runtime, prefix, builder, objects } = self.bench(clang, Flavor::Draft);
        let mut sources: BTreeMap<(PathBuf, bool), Vec<&Unit<'_>>> = BTreeMap::new();
        for unit in units {
            if fits(&self.model, &Member { plan: &unit.plan, mutants: unit.mutants.clone() }) {
                let is_method = self.model.functions[&unit.plan.unit].owner.is_some();
                sources.entry((unit.plan.source.clone(), is_method)).or_default().push(unit);
            }
        }
        sources.retain(|_, units| units.len() > 1);
        let mut killed = 0;
        for (place, ((source, _), units)) in sources.iter().enumerate() {
            let members: Vec<Member<'_>> =
                units.iter().map(|unit| Member { plan: &unit.plan, mutants: unit.mutants.clone() }).collect();
            let made = together(&self.model, &self.hierarchy, &members, best).unwrap();
            let folder = out.join(format!("together-{place}-{best:?}"));
            std::fs::create_dir_all(&folder).unwrap();
            for (name, text) in &made.files {
                std::fs::write(folder.join(name), text).unwrap();
            }
            let mut extra =
                vec![format!("-I{}", runtime.display()), "-fno-builtin".into(), "-fno-access-control".into()];
            extra.extend(["-Wall", "-Wextra", "-Werror"].map(String::from));
            extra.extend(["-include".into(), runtime.join("motif_probe.h").display().to_string()]);
            let command = &self.database.commands[units[0].plan.command];
            let mut job = CompileJob::generated(folder.join(&made.files[0].0), command, Flavor::Draft)
                .with(extra)
                .beginning_with(&prefix);
            let mut image = job.clone();
            assert_eq!(made.in_place.is_empty(), best == Home::Copy);
            for (number, (file, text)) in made.in_place.iter().enumerate() {
                let path = folder.join(format!("in-place-{number}"));
                std::fs::write(&path, text).unwrap();
                image = image.replacing(file, &path);
            }
            let mut files: BTreeMap<&Path, Vec<&UnitProbes>> = BTreeMap::new();
            for probes in units.iter().filter_map(|unit| unit.probes.as_ref()) {
                files.entry(&probes.file).or_default().push(probes);
            }
            let mut points = 0;
            for (number, (file, probes)) in files.iter().enumerate() {
                let noted = probes::noted(probes, Level::Infected, points);
                assert!(noted.points > points);
                points = noted.points;
                let text = folder.join(format!("noted-{number}"));
                std::fs::write(&text, noted.text(&std::fs::read(file).unwrap())).unwrap();
                job = job.replacing(*file, &text);
            }
            let so = folder.join("together.so");
            for (job, so) in [(&job, &so), (&image, &folder.join("image.so"))] {
                let built = builder.compile(job).and_then(|object| {
                    let archive = builder.archive(&objects, source.as_path(), &[source.as_path()])?;
                    builder.link_unit(&[object], Some(&archive), &Libraries::default(), Flavor::Draft, so)
                });
                if let Err(failure) = built {
                    panic!("clang {clang}, {}: {}", source.display(), failure.stderr);
                }
            }
            for (index, unit) in units.iter().enumerate() {
                let own = folder.join(format!("unit.{}.so", index + 1));
                std::fs::hard_link(&so, &own).unwrap();
                let seeds: Vec<PathBuf> = (0..)
                    .map(|n| folder.join(format!("seed-{index}-{n}")))
                    .zip(seeds::all(&unit.plan))
                    .map(|(path, bytes)| {
                        std::fs::write(&path, bytes).unwrap();
                        path
                    })
                    .collect();
                let seen = baseline(&worker, &own, None, &seeds).unwrap();
                if best == Home::InPlace {
                    let image = folder.join(format!("image.{}.so", index + 1));
                    std::fs::hard_link(folder.join("image.so"), &image).unwrap();
                    let side = |number| Replayed::Mutant(Side::of(Home::InPlace, image.clone()), number);
                    let seen = |side: &Replayed, seed: &Path| {
                        let seen = replay(&worker, &own, side, seed, Replay::default()).unwrap();
                        (seen.outcome, seen.record)
                    };
                    for seed in &seeds {
                        let as_none = seen(&side(0), seed);
                        assert_eq!(as_none, seen(&Replayed::Original, seed), "clang {clang}, {}", unit.plan.id);
                    }
                    let differs = (1..=unit.mutants.len() as u32)
                        .any(|number| seeds.iter().any(|s| seen(&side(number), s) != seen(&Replayed::Original, s)));
                    killed += usize::from(differs);
                    continue;
                }
                let agrees = |run: &motif_cpp::triage::SeedRun| run.failure().is_none() && run.copy_agrees;
                assert!(seen.inputs.iter().any(agrees), "clang {clang}, {}", unit.plan.id);
                let last =
                    replay(&worker, &own, &Replayed::copy(unit.mutants.len() as u32), &seeds[0], Replay::default());
                assert!(last.is_ok(), "clang {clang}, {}: {last:?}", unit.plan.id);
                let none =
                    replay(&worker, &own, &Replayed::copy(unit.mutants.len() as u32 + 1), &seeds[0], Replay::default());
                assert!(none.is_err(), "clang {clang}, {}: a mutant of another unit", unit.plan.id);
            }
        }
        let units = sources.values().map(Vec::len).sum();
        // Seeds kill most mutants.
        assert!(best == Home::Copy || killed * 2 > units, "clang {clang}: mutants of {killed} units of {units}");
        units
    }
}

/// What drivers are built and run with.
struct Bench {
    clang: u32,
    worker: PathBuf,
    out: PathBuf,
    runtime: PathBuf,
    prefix: PathBuf,
    builder: Builder,
    objects: ProjectObjects,
}

/// Reading and planning a sample takes longer than most of what is asked of it.
#[test]
fn drivers_of_satellite_are_as_accepted_compile_without_warnings_and_their_copies_behave_like_the_original() {
    let sample = Sample::read("satellite");
    let units = sample.units();
    sample.snapshots("satellite", &units);
    most_copies_are_made_from_the_source(&units);
    of_many_mutants_the_values_are_compared(&units);
    let all = support::takes_all();
    sample.behaves(&units.iter().step_by(if all { 1 } else { 4 }).collect::<Vec<_>>(), usual(), Flavor::Draft);
    for best in if all { &[Home::Copy, Home::InPlace][..] } else { &[Home::InPlace] } {
        let best = *best;
        let units = sample.behaves_together(&units, usual(), best);
        assert!(units >= 10, "{units} units share a driver");
    }
}

#[test]
fn drivers_of_tpos_are_as_accepted_compile_without_warnings_and_their_copies_behave_like_the_original() {
    let sample = Sample::read("tpos");
    let units = sample.units();
    sample.snapshots("tpos", &units);
    most_copies_are_made_from_the_source(&units);
    of_many_mutants_the_values_are_compared(&units);
    sample.behaves(&units, usual(), Flavor::Draft);
}

fn most_copies_are_made_from_the_source(units: &[Unit<'_>]) {
    let images = units.iter().filter(|unit| unit.generated.copy == Copy::Image).count();
    assert!(images * 10 <= units.len(), "{images} of {} units have images", units.len());
}

fn of_many_mutants_the_values_are_compared(units: &[Unit<'_>]) {
    let noted = units.iter().filter_map(|unit| unit.probes.as_ref()).map(|probes| probes.noted(Level::Infected));
    let watched: Vec<_> = noted.flat_map(|noted| noted.mutants.into_values()).collect();
    let compared = watched.iter().filter(|watched| watched.infected.is_some()).count();
    assert!(compared * 5 > watched.len() * 2, "{compared} of {} are compared", watched.len());
}

/// The clang that drivers are built with by default; the others are for `make test-all`.
fn usual() -> &'static str {
    support::clangs().pop().expect("a clang is installed")
}

#[test]
#[ignore = "builds every driver of the samples again with each clang; make test-all"]
fn with_each_clang_that_is_installed_drivers_compile_and_copies_behave_like_the_original() {
    for sample in [Sample::read("satellite"), Sample::read("tpos"), Sample::values()] {
        let units = sample.units();
        for clang in support::clangs() {
            sample.behaves(&units, clang, Flavor::Search);
        }
    }
    let sample = Sample::read("satellite");
    let units = sample.units();
    for clang in support::clangs() {
        for best in [Home::Copy, Home::InPlace] {
            assert!(sample.behaves_together(&units, clang, best) >= 10);
        }
    }
}

#[test]
fn a_driver_for_every_kind_of_parameter_compiles_without_warnings_and_runs() {
    let values = Sample::values();
    let mut units = values.units();
    // The others are built where all drivers are, with each clang.
    let slice: Vec<&Unit<'_>> = units.iter().step_by(3).collect();
    values.behaves(&slice, usual(), Flavor::Draft);
    let shown = [
        "lib_feed",
        "lib_sum",
        "lib_twice",
        "lib_copied",
        "lib_chosen",
        "lib_Bag_get",
        "lib_weighed",
        "lib_spelled",
        "lib_Scale_Row_sum",
        "lib_counted",
    ];
    units.retain(|unit| shown.contains(&unit.plan.slug.as_str()));
    values.snapshots("values", &units);
}

/// Of what is compiled with each clang that is installed, the slice that is in `make test`.
#[test]
fn drivers_that_make_objects_as_tests_do_compile_without_warnings_and_run_with_each_clang_that_is_installed() {
    let shelf = Sample::shelf();
    let units = shelf.units();
    for clang in support::clangs() {
        shelf.behaves(&units, clang, Flavor::Draft);
    }
    shelf.snapshots("shelf", &units);
}
