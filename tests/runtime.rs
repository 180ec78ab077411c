//! The runtime, the worker, the default engine and triage, on units written by hand.

use motif_cpp::engine::libfuzzer::LibFuzzer;
use motif_cpp::engine::worker::{WorkerTools, build_worker, write_runtime};
use motif_cpp::engine::{Answer, Budget, DictEntry, Engine, Probe, SearchJob, SearchResult, Side, Slot, SlotEffort};
use motif_cpp::outcome::Home;
use motif_cpp::outcome::{By, How};
use motif_cpp::switches::{Feature, Probing, Switches};
use motif_cpp::triage::{Judge, Observation, Refusal, Replay, Replayed, Seen, Taken, Verdict, baseline};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod endings;
mod following;
mod misbehaving;
mod probes;
mod surroundings;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources/runtime")
}

fn cache() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The versions of clang that are installed.
fn versions() -> Vec<&'static str> {
    ["14", "19"]
        .into_iter()
        .filter(|version| Command::new(format!("clang++-{version}")).arg("--version").output().is_ok())
        .collect()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

fn fuzzer_library(version: &str) -> PathBuf {
    let output = Command::new(format!("clang-{version}")).arg("-print-resource-dir").output().expect("clang runs");
    let dir = PathBuf::from(String::from_utf8(output.stdout).expect("a path").trim());
    let candidates =
        ["lib/linux/libclang_rt.fuzzer_no_main-x86_64.a", "lib/linux/libclang_rt.fuzzer_no_main-aarch64.a"];
    candidates.iter().map(|name| dir.join(name)).find(|path| path.is_file()).expect("compiler-rt is installed")
}

fn runtime() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = cache().join("runtime");
        write_runtime(&dir).unwrap();
        dir
    })
}

fn tools(version: &str) -> WorkerTools {
    WorkerTools {
        clang: format!("clang-{version}").into(),
        clangxx: format!("clang++-{version}").into(),
        fuzzer: fuzzer_library(version),
        flags: vec![],
    }
}

fn worker_of(version: &str) -> PathBuf {
    build_worker(&tools(version), cache()).unwrap()
}

fn worker() -> &'static Path {
    static WORKER: OnceLock<PathBuf> = OnceLock::new();
    WORKER.get_or_init(|| worker_of(versions().first().expect("a clang is installed")))
}

/// Builds a unit's shared object as the tool does.
fn unit(dir: &Path, source: &str, version: &str, flags: &[&str]) -> PathBuf {
    let map = dir.join("unit.map");
    std::fs::write(&map, "{ global: motif_the_unit; motif_mutant; motif_set_mutant; local: *; };").unwrap();
    let ignore = dir.join("ignore.txt");
    std::fs::write(&ignore, "fun:*mut_*\nfun:*motif_*\nfun:*MOTIF*\n").unwrap();
    let out = dir.join("unit.so");
    let cxx = source.ends_with(".cpp");
    run(Command::new(format!("clang{}-{version}", if cxx { "++" } else { "" }))
        .args(["-O1", "-g", "-fPIC", "-shared", "-fsanitize=fuzzer-no-link", "-Wall", "-Wextra", "-Werror"])
        .arg(if cxx { "-std=c++17" } else { "-std=c11" })
        .arg(format!("-fsanitize-coverage-ignorelist={}", ignore.display()))
        .arg("-I")
        .arg(runtime())
        .arg(sources().join(source))
        .args(flags)
        .args(["-Wl,-Bsymbolic", "-Wl,-z,now"])
        .arg(format!("-Wl,--version-script={}", map.display()))
        .arg("-Wl,--wrap=exit,--wrap=_exit,--wrap=_Exit,--wrap=abort,--wrap=quick_exit")
        .arg("-o")
        .arg(&out));
    out
}

fn lab(dir: &Path, name: &str, mutants: u32, more: &[&str]) -> PathBuf {
    let mut flags = vec![format!("-DUNIT={name}"), format!("-DMUTANTS={mutants}")];
    flags.extend(more.iter().map(|flag| flag.to_string()));
    flags.push("-Wno-unused-function".to_string());
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    unit(dir, "unit.cpp", versions()[0], &flags)
}

struct Searched {
    result: SearchResult,
    kills: BTreeMap<u32, (How, Observation, Observation)>,
}

struct Searching<'a> {
    dir: &'a Path,
    so: PathBuf,
    slots: Vec<Slot>,
    seeds: Vec<Vec<u8>>,
    dictionary: Vec<DictEntry>,
    budget: Budget,
    seed: u64,
    worker: PathBuf,
    switches: Switches,
    pause: Option<Budget>,
    residual_risk: Option<f64>,
    before: Option<SearchResult>,
    /// Nobody believes what these kill.
    disbelieved: Vec<Vec<u8>>,
}

impl<'a> Searching<'a> {
    fn new(dir: &'a Path, so: PathBuf, mutants: u32) -> Self {
        let slots = (1..=mutants)
            .map(|number| Slot { number, id: format!("m{number}"), side: Side::COPY, probe: None })
            .collect();
        let worker = worker().to_path_buf();
        Self {
            dir,
            so,
            slots,
            seeds: vec![vec![]],
            dictionary: vec![],
            budget: Budget::Executions(20_000),
            seed: 1,
            worker,
            switches: Switches::default(),
            pause: None,
            residual_risk: None,
            before: None,
            disbelieved: vec![],
        }
    }

    fn run(self) -> Searched {
        let interrupted = AtomicBool::new(false);
        self.run_until(&interrupted)
    }

    fn run_until(self, interrupted: &AtomicBool) -> Searched {
        let job = SearchJob {
            unit_id: "unit".into(),
            dir: self.dir.join("search"),
            unit_so: self.so.clone(),
            slots: self.slots,
            seeds: self.seeds,
            reused: 0,
            dictionary: self.dictionary,
            budget: self.budget,
            pauses: self.pause.into_iter().collect(),
            residual_risk: self.residual_risk,
            before: self.before,
            seed: self.seed,
            interrupted,
            strict: false,
            fills: false,
        };
        std::fs::create_dir_all(&job.dir).unwrap();
        let mut judge = Judge::new(&self.worker, &self.so, &self.dir.join("triage")).unwrap();
        let mut kills = BTreeMap::new();
        let engine = LibFuzzer { worker: self.worker, limit_memory: true, found_first: false, switches: self.switches };
        let result = engine
            .search(&job, &mut |candidate| {
                let number = job.slots[candidate.slot].number;
                if self.disbelieved.contains(&candidate.input) {
                    return Ok(Answer::Refuted { reason: "nobody believes it".into(), whole_unit: false });
                }
                judge.confirm(&job, candidate, &mut |how, original, mutant| {
                    kills.insert(number, (how, original, mutant));
                })
            })
            .unwrap();
        Searched { result, kills }
    }
}

fn dead(searched: &Searched) -> Vec<u32> {
    searched.kills.keys().copied().collect()
}

#[test]
#[ignore = "builds the worker three times; make test-all"]
fn a_worker_that_many_build_at_once_is_the_same_for_all_and_whole() {
    let folder = tempfile::tempdir().unwrap();
    let tools = &tools(versions().first().expect("a clang is installed"));
    let begun = |number: usize| std::fs::read_dir(folder.path()).is_ok_and(|entries| entries.count() >= number);
    let built: Vec<PathBuf> = std::thread::scope(|scope| {
        // One after the other, so that the first has done while the others are still compiling.
        let one = |number: usize| -> PathBuf {
            let until = Instant::now() + Duration::from_secs(60);
            while !begun(number) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(2));
            }
            build_worker(tools, folder.path()).unwrap()
        };
        let jobs: Vec<_> = (0..3).map(|number| scope.spawn(move || one(number))).collect();
        jobs.into_iter().map(|job| job.join().unwrap()).collect()
    });
    assert!(built.iter().all(|worker| worker == &built[0] && worker.is_file()), "{built:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn values_of_every_sort_are_taken_and_observed_under_every_compiler() {
    let dir = tempfile::tempdir().unwrap();
    let mut builds: Vec<(String, &str)> = vec![("g++".into(), "-std=c++17")];
    for version in versions() {
        builds.push((format!("clang++-{version}"), "-std=c++14"));
    }
    builds.push((format!("clang++-{}", versions().last().unwrap()), "-std=c++20"));
    for (compiler, standard) in builds {
        let (object, program) = (dir.path().join("motif.o"), dir.path().join("observe"));
        let c = compiler.replace("clang++", "clang").replace("g++", "gcc");
        run(Command::new(c)
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-c"])
            .arg(runtime().join("motif.c"))
            .arg("-o")
            .arg(&object));
        run(Command::new(&compiler)
            .args([standard, "-Wall", "-Wextra", "-Werror", "-I"])
            .arg(runtime())
            .arg(sources().join("observe.cpp"))
            .arg(&object)
            .arg("-o")
            .arg(&program));
        run(&mut Command::new(&program));
    }
}

#[test]
fn a_driver_builds_without_exceptions_and_without_rtti() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("plain.cpp");
    let text = include_str!("sources/runtime/plain.cpp");
    std::fs::write(&source, text).unwrap();
    run(Command::new(format!("clang++-{}", versions()[0]))
        .args(["-std=c++14", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror", "-c", "-I"])
        .arg(runtime())
        .arg(&source)
        .arg("-o")
        .arg(dir.path().join("plain.o")));
}

#[test]
fn every_killable_mutant_of_a_c_function_dies_and_the_equivalent_one_lives() {
    for version in versions() {
        let dir = tempfile::tempdir().unwrap();
        let mut searching = Searching::new(dir.path(), unit(dir.path(), "unit.c", version, &[]), 8);
        searching.worker = worker_of(version);
        searching.dictionary = vec![DictEntry::Float(1234.5f64.to_bits()), DictEntry::Int(20030417)];
        searching.budget = Budget::Executions(100_000);
        let searched = searching.run();
        assert_eq!(dead(&searched), [1, 2, 3, 4, 6, 7, 8], "clang {version}");
        let how = |number| searched.kills[&number].0;
        assert_eq!((how(1), how(2), how(3)), (How::Output, How::Crash, How::Hang));
        assert_eq!((how(4), how(6), how(7), how(8)), (How::Crash, How::Output, How::Crash, How::Output));
        assert!(searched.result.returned && !searched.result.forked && !searched.result.copy_differs);
        assert!(searched.result.effort[4].reached && searched.result.effort[4].executions > 1000);
        // What was taken and what was seen is told with types.
        let (_, original, mutant) = &searched.kills[&6];
        let [Taken::Value { value }, Taken::Value { value: limit }] = &original.trace[..] else {
            panic!("{original:?}")
        };
        assert!(value.double().is_some() && limit.int().is_some());
        let Seen::Value(returned) = &original.record[0].seen else { panic!("{original:?}") };
        let Seen::Value(mutated) = &mutant.record[0].seen else { panic!("{mutant:?}") };
        assert_eq!(returned.double(), mutated.double().map(|value| -value));
    }
}

#[test]
fn the_same_seed_and_a_budget_in_executions_find_the_same() {
    let search = || {
        let dir = tempfile::tempdir().unwrap();
        let mut searching = Searching::new(dir.path(), unit(dir.path(), "unit.c", versions()[0], &[]), 8);
        searching.dictionary = vec![DictEntry::Float(1234.5f64.to_bits())];
        searching.seed = 42;
        searching.slots.retain(|slot| slot.number != 3);
        let searched = searching.run();
        searched.result.kills.into_iter().map(|kill| (kill.slot, kill.input, kill.executions)).collect::<Vec<_>>()
    };
    let first = search();
    assert!(first.len() >= 5, "{first:?}");
    assert_eq!(first, search());
}

#[test]
fn a_kill_by_a_seed_is_told_from_one_by_search() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), unit(dir.path(), "unit.c", versions()[0], &[]), 8);
    let mut seed = 7.5f64.to_le_bytes().to_vec();
    seed.extend(3i32.to_le_bytes());
    searching.seeds = vec![seed.clone()];
    searching.slots.retain(|slot| slot.number == 6);
    let searched = searching.run();
    assert_eq!(searched.result.kills[0].by, By::Seed);
    assert_eq!(searched.result.kills[0].input, [&2.0f64.to_le_bytes()[..], &[1]].concat(), "a small number");
    assert_eq!(searched.result.executions, 1, "nothing is searched once all are dead");
}

#[test]
fn global_variables_are_put_back_between_the_sides() {
    let dir = tempfile::tempdir().unwrap();
    let searched = Searching::new(dir.path(), lab(dir.path(), "count", 2, &[]), 2).run();
    assert_eq!(dead(&searched), [1]);
    assert!(searched.result.changes_state && !searched.result.forked);
}

#[test]
fn a_table_made_on_first_use_can_be_wrong_in_a_mutant() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "look_up", 3, &[]), 3);
    searching.seeds = vec![vec![], vec![1], vec![2], vec![3]];
    searching.budget = Budget::Executions(5_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [1, 2]);
    assert!(!searched.result.forked, "once made, the table stays");
}

#[test]
fn a_result_that_is_not_deterministic_kills_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let searched = Searching::new(dir.path(), lab(dir.path(), "roll", 1, &[]), 1).run();
    assert!(searched.kills.is_empty());
    assert_eq!(searched.result.effort[0].reason.as_deref(), Some(Refusal::ByChance.reason()));
    assert!(searched.result.original_differs);
}

#[test]
fn a_variable_that_is_not_set_holds_something_else_each_time() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "leave_unset", 1, &[]);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    let verdict = judge.judge(&Replayed::copy(1), &[7, 0, 0, 0]).unwrap();
    // The same where stale memory holds the same, another thing where it does not: the whole of it was filled.
    assert_eq!(verdict, Verdict::Refuted(Refusal::Stale));
}

#[test]
fn exceptions_kill_and_faults_of_the_original_do_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "parse", 6, &["-DTEXT"]), 6);
    searching.dictionary = vec![DictEntry::Str(b"a literal".to_vec()), DictEntry::Str(b"MT".to_vec())];
    searching.budget = Budget::Executions(100_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [1, 2, 3, 4, 6]);
    assert!((1..=4).all(|number| searched.kills[&number].0 == How::Exception));
    assert_eq!(searched.kills[&2].2.exception(), Some(("std::out_of_range".into(), Some("empty".into()))));
    assert_eq!(searched.kills[&1].1.exception(), Some(("std::invalid_argument".into(), Some("empty".into()))));
    let faults: Vec<&str> = searched.result.faults.iter().map(|fault| fault.what.as_str()).collect();
    assert!(faults.contains(&"SIGSEGV") && faults.contains(&"SIGABRT"), "{faults:?}");
}

#[test]
fn without_the_typed_mutator_literals_are_of_no_use() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "parse", 6, &["-DTEXT"]);
    let fell = |parts: &[Feature]| {
        let mut searching = Searching::new(dir.path(), so.clone(), 6);
        searching.dictionary = vec![DictEntry::Str(b"a literal".to_vec())];
        searching.budget = Budget::Executions(20_000);
        searching.switches = Switches::without(parts.iter().copied());
        let searched = searching.run();
        let last = searched.result.kills.iter().find(|kill| kill.slot == 5).map(|kill| kill.executions);
        (dead(&searched), last)
    };
    let (all, bytes) = (fell(&[]), fell(&[Feature::Mutator]));
    assert!(all.0.contains(&6) && !bytes.0.contains(&6), "{all:?} {bytes:?}");
    assert!(!bytes.0.is_empty(), "what is changed byte by byte finds something all the same");
}

#[test]
fn hundreds_of_mutants_are_searched_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "shuffle", 600, &[]), 600);
    // All but the first, which comes last, are the original once more.
    searching.slots.reverse();
    searching.seeds = vec![vec![], 1000_i32.to_le_bytes().to_vec()];
    searching.budget = Budget::Executions(1);
    searching.pause = Some(Budget::Executions(50));
    let searched = searching.run();
    assert_eq!(searched.kills.keys().copied().collect::<Vec<_>>(), [1]);
    assert_eq!(searched.result.kills[0].slot, 599);
    assert!(searched.result.effort[..599].iter().all(|effort| effort.executions > 0 && effort.reason.is_none()));
}

#[test]
fn a_mutant_built_apart_is_searched_beside_the_copy() {
    let dir = tempfile::tempdir().unwrap();
    let apart = dir.path().join("apart");
    std::fs::create_dir(&apart).unwrap();
    // The image's original is the mutant: it doubles by three.
    let text =
        std::fs::read_to_string(sources().join("unit.c")).unwrap().replace("return value * 2;", "return value * 3;");
    let source = apart.join("unit.c");
    std::fs::write(&source, text).unwrap();
    let image = unit(&apart, source.to_str().unwrap(), versions()[0], &[]);
    let mut searching = Searching::new(dir.path(), unit(dir.path(), "unit.c", versions()[0], &[]), 1);
    searching.slots.push(Slot { number: 0, id: "image".into(), side: Side::of(Home::Image, image), probe: None });
    let searched = searching.run();
    assert_eq!(dead(&searched), [0, 1]);
}

#[test]
fn an_input_that_one_mutant_takes_the_worker_along_with_meets_the_others_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "leave", 2, &[]), 2);
    searching.seeds = vec![7i32.to_le_bytes().to_vec()];
    searching.budget = Budget::Executions(10);
    let searched = searching.run();
    assert_eq!(dead(&searched), [1, 2]);
    let by: Vec<By> = searched.result.kills.iter().map(|kill| kill.by).collect();
    assert_eq!(by, [By::Seed, By::Reuse]);
}

#[test]
fn verdicts_come_from_fresh_processes() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    let mut input = 5.0f64.to_le_bytes().to_vec();
    input.extend(5i32.to_le_bytes());
    assert!(matches!(judge.judge(&Replayed::copy(1), &input).unwrap(), Verdict::Killed { how: How::Output, .. }));
    assert_eq!(judge.judge(&Replayed::copy(5), &input).unwrap(), Verdict::Refuted(Refusal::Same));
    assert!(judge.cpu_seconds() > 0.0);
    let seen = judge.replay(&Replayed::copy(0), &input, Replay::default()).unwrap();
    assert_eq!(seen.taken, 12);
    assert!(judge.replay(&Replayed::copy(99), &input, Replay::default()).is_err());
}

#[test]
fn a_unit_that_fails_on_its_seeds_shows_in_the_baseline() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "parse", 6, &["-DTEXT"]);
    let seeds: Vec<PathBuf> = [&b""[..], b"\x01!", b"\x01?", b"\x01-"]
        .iter()
        .enumerate()
        .map(|(index, bytes)| {
            let path = dir.path().join(format!("seed{index}"));
            std::fs::write(&path, bytes).unwrap();
            path
        })
        .collect();
    let seen = baseline(worker(), &so, None, &seeds).unwrap();
    let failures: Vec<Option<String>> = seen.inputs.iter().map(|run| run.failure()).collect();
    assert_eq!(failures, [None, Some("SIGSEGV".into()), Some("SIGABRT".into()), None]);
    assert!(seen.inputs.iter().all(|run| run.deterministic && run.copy_agrees));
    assert!(seen.covered > 0 && seen.covered <= seen.edges);
}

#[test]
fn what_a_seed_leaves_behind_is_not_held_against_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "left_behind", 0, &[]);
    let seeds: Vec<PathBuf> = [1i32, 2, -1, 3, -2, 4, 5, 6, 7]
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let path = dir.path().join(format!("seed{index}"));
            std::fs::write(&path, value.to_le_bytes()).unwrap();
            path
        })
        .collect();
    let seen = baseline(worker(), &so, None, &seeds).unwrap();
    assert_eq!(seen.inputs.len(), seeds.len());
    for (input, seed) in seen.inputs.iter().zip(&seeds) {
        assert_eq!(input.failure(), None, "{}", seed.display());
        assert!(input.deterministic && input.steady && input.copy_agrees, "{}: {input:?}", seed.display());
    }
}

#[test]
#[ignore = "a long run; make test-all"]
fn seeds_on_which_a_unit_takes_long_do_not_take_all_the_time_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "slow", 0, &[]);
    let seeds: Vec<PathBuf> = (0..200i32)
        .map(|value| {
            let path = dir.path().join(format!("seed{value}"));
            std::fs::write(&path, value.to_le_bytes()).unwrap();
            path
        })
        .collect();
    let seen = baseline(worker(), &so, None, &seeds).unwrap();
    assert!(seen.inputs[0].failure().is_none(), "{:?}", seen.inputs[0]);
    assert_eq!(seen.inputs[199].failure().as_deref(), Some("hang"), "some are left alone");
    assert!(seen.inputs.iter().all(|input| input.deterministic && input.steady && input.copy_agrees));
}

#[test]
fn seeds_on_which_a_unit_waits_are_few() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "linger", 0, &[]);
    let seed = dir.path().join("seed");
    std::fs::write(&seed, [0; 4]).unwrap();
    let begun = std::time::Instant::now();
    let seen = baseline(worker(), &so, None, &vec![seed; 30]).unwrap();
    assert!(seen.inputs.iter().all(|input| input.failure().as_deref() == Some("hang")), "{:?}", seen.inputs);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn a_budget_in_time_and_an_interruption_end_a_search() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let mut searching = Searching::new(dir.path(), so.clone(), 8);
    searching.slots.retain(|slot| slot.number == 5);
    searching.budget = Budget::Time(Duration::from_millis(500));
    let searched = searching.run();
    assert!(searched.result.seconds >= 0.5 && searched.result.seconds < 3.0, "{}", searched.result.seconds);
    assert!(searched.result.cpu_seconds > 0.1);

    let interrupted = AtomicBool::new(false);
    let started = Instant::now();
    let searched = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(400));
            interrupted.store(true, Ordering::Relaxed);
        });
        let mut searching = Searching::new(dir.path(), so, 8);
        searching.slots.retain(|slot| slot.number == 5 || slot.number == 6);
        searching.budget = Budget::Time(Duration::from_secs(60));
        searching.run_until(&interrupted)
    });
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(searched.result.interrupted);
    assert_eq!(dead(&searched), [6], "what was found is kept");
}

#[test]
fn a_driver_that_does_not_load_is_a_problem_with_its_reason() {
    let dir = tempfile::tempdir().unwrap();
    let so = dir.path().join("unit.so");
    std::fs::write(&so, "no shared object").unwrap();
    let interrupted = AtomicBool::new(false);
    let job = SearchJob {
        unit_id: "f(int)".into(),
        dir: dir.path().join("search"),
        unit_so: so,
        slots: vec![Slot { number: 1, id: "m".into(), side: Side::COPY, probe: None }],
        seeds: vec![],
        reused: 0,
        dictionary: vec![],
        budget: Budget::Executions(10),
        pauses: Vec::new(),
        residual_risk: None,
        before: None,
        seed: 0,
        strict: false,
        fills: false,
        interrupted: &interrupted,
    };
    std::fs::create_dir_all(&job.dir).unwrap();
    let engine = LibFuzzer {
        worker: worker().to_path_buf(),
        limit_memory: true,
        found_first: false,
        switches: Switches::default(),
    };
    let error = engine.search(&job, &mut |_| Ok(Answer::Killed)).unwrap_err().to_string();
    assert!(error.contains("f(int)") && error.contains("file too short") || error.contains("invalid ELF"), "{error}");
}
