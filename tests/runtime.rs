//! The runtime, the worker, the default engine and triage, on units written by hand.

use motif_cpp::engine::libfuzzer::LibFuzzer;
use motif_cpp::engine::worker::{WorkerTools, build_worker, write_runtime};
use motif_cpp::engine::{Answer, Budget, DictEntry, Engine, Probe, SearchJob, SearchResult, Side, Slot};
use motif_cpp::outcome::{By, How};
use motif_cpp::switches::{Feature, Probing, Switches};
use motif_cpp::triage::{Judge, Observation, Refusal, Replay, Replayed, Seen, Taken, Verdict, baseline};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime")
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
    before: Option<SearchResult>,
    /// Nobody believes what these kill.
    disbelieved: Vec<Vec<u8>>,
}

impl<'a> Searching<'a> {
    fn new(dir: &'a Path, so: PathBuf, mutants: u32) -> Self {
        let slots = (1..=mutants)
            .map(|number| Slot { number, id: format!("m{number}"), side: Side::Copy, probe: None })
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
            pause: self.pause,
            before: self.before,
            seed: self.seed,
            interrupted,
            strict: false,
            fills: false,
        };
        std::fs::create_dir_all(&job.dir).unwrap();
        let mut judge = Judge::new(&self.worker, &self.so, &self.dir.join("triage")).unwrap();
        let mut kills = BTreeMap::new();
        let engine = LibFuzzer { worker: self.worker, limit_memory: true, switches: self.switches };
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
    let text = "#include \"motif.hpp\"\nvoid go(motif_input *in, motif_record *raw) {\n  MOTIF::Input input(in);\n  \
                MOTIF::Record record(raw);\n  const int x = input.take<int>();\n  record.returned(\"return\", [&] { return x; });\n}\n";
    std::fs::write(&source, text).unwrap();
    run(Command::new(format!("clang++-{}", versions()[0]))
        .args(["-std=c++14", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror", "-c", "-I"])
        .arg(runtime())
        .arg(&source)
        .arg("-o")
        .arg(dir.path().join("plain.o")));
}

#[test]
fn a_search_that_pauses_goes_on_from_what_it_has_found() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let searching = |pause, before| {
        let mut searching = Searching::new(dir.path(), so.clone(), 8);
        searching.dictionary = vec![DictEntry::Float(1234.5f64.to_bits()), DictEntry::Int(20030417)];
        searching.budget = Budget::Executions(100_000);
        (searching.pause, searching.before) = (pause, before);
        searching.run()
    };
    let first = searching(Some(Budget::Executions(50)), None);
    assert_eq!(first.result.executions, 50);
    let fell = dead(&first);
    assert!(!fell.is_empty() && fell.len() < 7, "{fell:?}");
    let second = searching(None, Some(first.result.clone()));
    assert!(dead(&second).iter().all(|number| !fell.contains(number)), "what fell is not searched for again");
    let all: BTreeSet<usize> = second.result.kills.iter().map(|kill| kill.slot + 1).collect();
    assert_eq!(all, BTreeSet::from([1, 2, 3, 4, 6, 7, 8]));
    let equivalent = |searched: &Searched| searched.result.effort[4].executions;
    assert!(second.result.executions >= 100_000 && equivalent(&second) > equivalent(&first));
    let later = second.result.kills.iter().filter(|kill| !fell.contains(&(kill.slot as u32 + 1)));
    assert!(later.into_iter().all(|kill| kill.executions >= 50 && kill.cpu_seconds >= first.result.cpu_seconds));
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
    assert_eq!(searched.result.kills[0].input, [&seed[..8], &[1]].concat(), "any number but nought will do");
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
fn state_that_owns_heap_memory_gets_a_child_for_each_side() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "remember", 2, &[]), 2);
    searching.dictionary = vec![DictEntry::Int(77)];
    searching.budget = Budget::Executions(3_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [1]);
    assert!(searched.result.forked);
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
    assert_eq!(searched.result.effort[0].reason.as_deref(), Some(Refusal::OriginalDiffers.reason()));
    assert!(searched.result.original_differs);
}

#[test]
fn a_variable_that_is_not_set_holds_something_else_each_time() {
    let dir = tempfile::tempdir().unwrap();
    let so = lab(dir.path(), "leave_unset", 1, &[]);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    let verdict = judge.judge(&Replayed::Copy(1), &[7, 0, 0, 0]).unwrap();
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
fn random_numbers_of_the_library_start_afresh() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = Searching::new(dir.path(), lab(dir.path(), "shuffle", 1, &[]), 1);
    searching.dictionary = vec![DictEntry::Int(1000)];
    let searched = searching.run();
    assert_eq!(dead(&searched), [1]);
    assert!(!searched.result.forked && searched.result.effort[0].reason.is_none());
}

/// What tests/runtime/surroundings.cpp looks at and changes, in its order.
const SURROUNDINGS: [&str; 32] = [
    "setlocale",
    "uselocale",
    "std::locale::global",
    "rounding mode",
    "flags of floating-point exceptions",
    "unmasked floating-point exceptions",
    "flush to zero",
    "registers of the older floating-point unit",
    "rand",
    "srand",
    "initstate with a buffer on the stack",
    "drand48",
    "srand48",
    "lcong48",
    "setenv",
    "putenv",
    "unsetenv",
    "clearenv",
    "environ assigned",
    "a variable's text written to",
    "chdir",
    "umask",
    "signal mask",
    "sigaction",
    "signal",
    "alarm",
    "end of stdin",
    "format of std::cout",
    "end of std::cin",
    "stdout assigned",
    "signal stack",
    "errno",
];

#[test]
fn what_a_unit_changes_around_it_is_put_back_between_the_sides() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "surroundings.cpp", versions()[0], &[]);
    let mut left = Vec::new();
    for (what, name) in SURROUNDINGS.iter().enumerate() {
        let mut searching = Searching::new(dir.path(), so.clone(), 2);
        searching.seeds = vec![(what as i32).to_le_bytes().to_vec()];
        // The seed alone: the original twice, the copy, and each mutant.
        searching.budget = Budget::Executions(1);
        let searched = searching.run();
        let (result, kills) = (&searched.result, dead(&searched));
        if kills != [1] || result.forked || result.copy_differs || result.effort[1].reason.is_some() {
            left.push((*name, kills, result.forked, result.effort[1].reason.clone()));
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn what_mutants_leave_behind_around_them_misleads_no_search() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "surroundings.cpp", versions()[0], &[]);
    let mut searching = Searching::new(dir.path(), so, 2);
    searching.slots.retain(|slot| slot.number == 2);
    searching.seeds = (0..SURROUNDINGS.len() as i32).map(|what| what.to_le_bytes().to_vec()).collect();
    searching.dictionary = (0..SURROUNDINGS.len() as i128).map(DictEntry::Int).collect();
    let Searched { result, kills } = searching.run();
    assert!(kills.is_empty() && !result.forked && !result.original_differs && result.faults.is_empty());
    assert!(result.executions >= 20_000 && result.effort[0].reason.is_none(), "{:?}", result.effort);
}

#[test]
fn numbers_are_told_with_a_point_in_every_locale() {
    let dir = tempfile::tempdir().unwrap();
    let german = dir.path().join("de_DE.UTF-8");
    let made = Command::new("localedef").args(["-f", "UTF-8", "-i", "de_DE"]).arg(&german).output();
    if !made.is_ok_and(|output| output.status.success()) {
        println!("skipped: this machine can't make a German locale");
        return;
    }
    let so = lab(dir.path(), "speak_with_commas", 1, &[&format!("-DLOCALES=\"{}\"", dir.path().display())]);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    let seen = judge.replay(&Replayed::Original, &[1, 0, 0, 0], Replay::default()).unwrap();
    let Seen::Value(returned) = &seen.record[0].seen else { panic!("{seen:?}") };
    assert_eq!((returned.double(), returned.text.as_str()), (Some(1.5), "1.5"), "0.25 more where it has no comma");
}

#[test]
fn a_stack_that_overflows_is_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let searched = Searching::new(dir.path(), lab(dir.path(), "depth", 1, &[]), 1).run();
    assert_eq!(searched.kills[&1].0, How::Crash);
    assert_eq!(searched.kills[&1].2.failure().as_deref(), Some("SIGSEGV"));
}

/// Mutants of tests/runtime/misbehave.cpp.
mod harm {
    pub const STAY: u32 = 9;
    pub const THREAD: u32 = 19;
    /// What is kept from happening, and so can't be told from the original.
    pub const KEPT: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 17];
    pub const MEMORY: u32 = 16;
    pub const ENDS: [(u32, super::How); 8] = [
        (10, super::How::Hang),
        (11, super::How::Crash),
        // The end of a thread passes through the frames as an exception does.
        (12, super::How::Exception),
        (13, super::How::Crash),
        (14, super::How::Crash),
        (15, super::How::Crash),
        (18, super::How::Crash),
        (20, super::How::Crash),
    ];
    pub const LOOP: u32 = 21;
}

/// A unit that misbehaves, and the file that it is after.
fn misbehaving(dir: &Path, original: Option<u32>) -> (PathBuf, PathBuf) {
    let outside = dir.join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    let victim = outside.join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let mut flags = vec![format!("-DVICTIM=\"{}\"", victim.display()), "-Wno-infinite-recursion".into()];
    flags.extend(["-Wno-implicit-fallthrough", "-Wno-unknown-warning-option"].map(String::from));
    flags.extend(original.map(|what| format!("-DORIGINAL={what}")));
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    (unit(dir, "misbehave.cpp", versions()[0], &flags), victim)
}

#[track_caller]
fn is_unharmed(victim: &Path) {
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(victim.parent().unwrap()).unwrap().count(), 1, "something was left outside");
    let own = worker().with_file_name("own");
    assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0, "something was left in {}", own.display());
}

#[test]
fn a_mutant_that_would_do_harm_does_none_and_the_search_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let (so, victim) = misbehaving(dir.path(), None);
    let mut searching = Searching::new(dir.path(), so, harm::LOOP);
    searching.slots.retain(|slot| harm::KEPT.contains(&slot.number) || slot.number == harm::STAY);
    searching.budget = Budget::Executions(100);
    let searched = searching.run();
    assert_eq!(dead(&searched), [harm::STAY], "what can't be done makes no difference");
    assert!(searched.result.effort.iter().all(|effort| effort.reason.is_none()), "{:?}", searched.result.effort);
    is_unharmed(&victim);
}

#[test]
fn a_mutant_that_ends_hangs_or_damages_its_process_is_killed_as_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let (so, victim) = misbehaving(dir.path(), None);
    let mut searching = Searching::new(dir.path(), so, harm::LOOP);
    let ends = harm::ENDS.map(|(number, _)| number);
    searching.slots.retain(|slot| ends.contains(&slot.number) || slot.number == harm::LOOP);
    searching.budget = Budget::Executions(200);
    let searched = searching.run();
    for (number, how) in harm::ENDS.into_iter().chain([(harm::LOOP, How::Hang)]) {
        let found = searched.kills.get(&number).map(|kill| kill.0);
        assert_eq!(found, Some(how), "mutant {number}; faults of the original: {:?}", searched.result.faults);
    }
    is_unharmed(&victim);
}

#[test]
fn what_kills_is_made_plainer_as_long_as_all_that_it_killed_still_differ() {
    let dir = tempfile::tempdir().unwrap();
    let so = unit(dir.path(), "unit.c", versions()[0], &[]);
    let mut seed = 7.5f64.to_le_bytes().to_vec();
    seed.extend(3i32.to_le_bytes());
    seed.extend([0xAA; 20]);
    let input = |name: &str, switches: Switches, disbelieved: &[Vec<u8>]| {
        let dir = dir.path().join(name);
        std::fs::create_dir(&dir).unwrap();
        let mut searching = Searching::new(&dir, so.clone(), 8);
        searching.seeds = vec![seed.clone()];
        searching.slots.retain(|slot| slot.number == 6);
        searching.switches = switches;
        searching.disbelieved = disbelieved.to_vec();
        searching.run().result.kills[0].input.clone()
    };
    // It asks for 7.5 and any number; nobody asks for what comes behind them.
    let plain = [&seed[..8], &[1]].concat();
    assert_eq!(input("plainer", Switches::default(), &[]), plain);
    assert_eq!(input("as found", Switches::without([Feature::Plain]), &[]), seed);
    assert_eq!(input("not believed", Switches::default(), std::slice::from_ref(&plain)), seed);
}

#[test]
fn a_mutant_meets_the_end_of_its_memory() {
    let dir = tempfile::tempdir().unwrap();
    let (so, _) = misbehaving(dir.path(), None);
    let mut judge = Judge::new(worker(), &so, &dir.path().join("triage")).unwrap();
    assert_eq!(judge.judge(&Replayed::Copy(harm::MEMORY), &[1]).unwrap(), Verdict::Refuted(Refusal::Same));
}

#[test]
fn a_thread_that_a_mutant_leaves_behind_takes_nobody_along() {
    let dir = tempfile::tempdir().unwrap();
    let (so, _) = misbehaving(dir.path(), None);
    let mut searching = Searching::new(dir.path(), so, harm::LOOP);
    searching.slots.retain(|slot| [harm::THREAD, harm::STAY].contains(&slot.number));
    searching.budget = Budget::Executions(2_000);
    let searched = searching.run();
    assert_eq!(dead(&searched), [harm::STAY]);
    assert!(searched.result.executions >= 2_000, "{}", searched.result.executions);
    assert!(searched.result.effort.iter().all(|effort| effort.reason.is_none()), "{:?}", searched.result.effort);
}

#[test]
fn an_original_that_misbehaves_on_some_input_is_a_suspected_fault_and_the_search_goes_on() {
    for (what, _) in harm::ENDS.into_iter().chain([(harm::LOOP, How::Hang), (1, How::Output), (6, How::Output)]) {
        let dir = tempfile::tempdir().unwrap();
        let (so, victim) = misbehaving(dir.path(), Some(what));
        let mut searching = Searching::new(dir.path(), so, harm::STAY);
        searching.slots.retain(|slot| slot.number == harm::STAY);
        searching.seeds = vec![77i32.to_le_bytes().to_vec()];
        searching.budget = Budget::Executions(1_000);
        // (Noughts in the place of 77 do no harm.)
        searching.switches = Switches::without([Feature::Plain]);
        let searched = searching.run();
        assert_eq!(dead(&searched), [harm::STAY], "original {what}");
        let faults: Vec<&str> = searched.result.faults.iter().map(|fault| fault.what.as_str()).collect();
        assert_eq!(faults.is_empty(), [1, 6, 12].contains(&what), "original {what}: {faults:?}");
        is_unharmed(&victim);
    }
}

#[test]
fn code_that_writes_past_what_it_has_faults_before_it_reaches_what_the_worker_counts() {
    for end in [77i32, 78] {
        let dir = tempfile::tempdir().unwrap();
        let mut searching = Searching::new(dir.path(), lab(dir.path(), "spill", 1, &[]), 1);
        searching.seeds = vec![end.to_le_bytes().to_vec(), vec![]];
        let searched = searching.run();
        let faults: Vec<&str> = searched.result.faults.iter().map(|fault| fault.what.as_str()).collect();
        assert!(faults.iter().any(|what| what.contains("SIGSEGV")), "{end}: {faults:?}");
        assert_eq!(dead(&searched), [1]);
    }
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
    searching.slots.push(Slot { number: 0, id: "image".into(), side: Side::Image(image), probe: None });
    let searched = searching.run();
    assert_eq!(dead(&searched), [0, 1]);
}

/// A unit with probes: what they are, by mutant.
fn probed<'a>(dir: &'a Path, more: &[&str]) -> Searching<'a> {
    let flags: Vec<&str> = ["-DPROBED"].iter().chain(more).copied().collect();
    let mut searching = Searching::new(dir, lab(dir, "probed", 4, &flags), 4);
    let probe = |reached, infected| Some(Probe { reached, infected });
    let probes = [probe(1, Some(2)), probe(0, Some(3)), probe(0, None), probe(5, Some(6))];
    for (slot, probe) in searching.slots.iter_mut().zip(probes) {
        slot.probe = probe;
    }
    searching.seeds = vec![vec![], 40i32.to_le_bytes().to_vec(), 400i32.to_le_bytes().to_vec()];
    searching.dictionary = vec![DictEntry::Int(50)];
    searching
}

#[test]
fn a_mutant_runs_where_its_probe_fires_and_nowhere_else() {
    let dir = tempfile::tempdir().unwrap();
    let Searched { result, kills } = probed(dir.path(), &[]).run();
    // Mutant 2 differs on most inputs, but no note says so; mutant 4 was noted while the unit was loaded.
    assert_eq!(kills.keys().copied().collect::<Vec<_>>(), [1, 3, 4]);
    let effort = |number: usize| &result.effort[number - 1];
    assert!(effort(2).reached && effort(2).infected == Some(0) && effort(2).executions > 1000, "{:?}", effort(2));
    assert_eq!((effort(1).infected, effort(3).infected), (Some(1), None));
    let noted: Vec<usize> = (0..result.places.len()).filter(|place| result.places[*place]).collect();
    assert_eq!((noted, result.unforeseen.len()), (vec![0, 1, 2], 0));
}

#[test]
fn what_a_child_notes_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = probed(dir.path(), &["-DON_HEAP"]);
    searching.budget = Budget::Executions(2_000);
    let searched = searching.run();
    assert!(searched.result.forked);
    assert_eq!(dead(&searched), [1, 3, 4]);
    assert_eq!(searched.result.effort[1].infected, Some(0));
}

#[test]
fn a_kill_that_no_probe_foresaw_is_told_where_probes_are_not_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let mut searching = probed(dir.path(), &[]);
    searching.switches.probing = Probing::Check;
    let searched = searching.run();
    assert_eq!(dead(&searched), [1, 2, 3, 4]);
    assert_eq!(searched.result.unforeseen, [1]);
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
    assert!(matches!(judge.judge(&Replayed::Copy(1), &input).unwrap(), Verdict::Killed { how: How::Output, .. }));
    assert_eq!(judge.judge(&Replayed::Copy(5), &input).unwrap(), Verdict::Refuted(Refusal::Same));
    assert!(judge.cpu_seconds() > 0.0);
    let seen = judge.replay(&Replayed::Copy(0), &input, Replay::default()).unwrap();
    assert_eq!(seen.taken, 12);
    assert!(judge.replay(&Replayed::Copy(99), &input, Replay::default()).is_err());
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
        slots: vec![Slot { number: 1, id: "m".into(), side: Side::Copy, probe: None }],
        seeds: vec![],
        reused: 0,
        dictionary: vec![],
        budget: Budget::Executions(10),
        pause: None,
        before: None,
        seed: 0,
        strict: false,
        fills: false,
        interrupted: &interrupted,
    };
    std::fs::create_dir_all(&job.dir).unwrap();
    let engine = LibFuzzer { worker: worker().to_path_buf(), limit_memory: true, switches: Switches::default() };
    let error = engine.search(&job, &mut |_| Ok(Answer::Killed)).unwrap_err().to_string();
    assert!(error.contains("f(int)") && error.contains("file too short") || error.contains("invalid ELF"), "{error}");
}
