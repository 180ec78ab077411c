//! What code under test can't do to the machine, whatever its arguments: each guard with and without it.

use crate::support::Project;
use motif_cpp::build::run::Ended;
use motif_cpp::build::{Builder, Resident};
use motif_cpp::supervise::{self, Confinement, Guards, Mounts, Runs, run};
use motif_cpp::tools::{Surroundings, Toolchain};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The program that tries.
fn harm() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| built("harm"))
}

fn built(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/sources/safety/{name}.c"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let built = Command::new("cc").args(["-O1", "-pthread", "-o"]).arg(&program).arg(source).status().unwrap();
    assert!(built.success());
    program
}

struct Tried {
    said: String,
    /// Of the folder outside: its one file, if it is still there.
    left: Option<String>,
    /// What else is there, and in the process's own folder afterwards.
    strays: Vec<String>,
    signal: Option<i32>,
}

impl Tried {
    fn was_done(&self) -> bool {
        assert!(self.said.contains("done") || self.said.contains("refused"), "{}: {:?}", self.said, self.signal);
        self.said.contains("done")
    }

    fn is_unharmed(&self) -> bool {
        self.left.as_deref() == Some("precious") && self.strays.is_empty()
    }
}

/// Lets the program try one thing, on a file or a name in a folder that is not its own.
fn attempt(what: &str, guards: Guards, runs: Runs) -> Tried {
    // As the command does it, not as a program with the library.
    supervise::through(env!("CARGO_BIN_EXE_motif-cpp").as_ref());
    let folder = tempfile::tempdir().unwrap();
    let (own, outside) = (folder.path().join("own"), folder.path().join("outside"));
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("file"), "precious").unwrap();
    let mut command = Command::new(harm());
    let target = if ["write", "folder"].contains(&what) { "new" } else { "file" };
    command.arg(what).arg(outside.join(target));
    let confinement = Confinement { guards, ..Confinement::new(runs, &own).unwrap() };
    let finished = run(&command, Duration::from_secs(20), &confinement).unwrap();
    let names = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    let strays = names(&outside).into_iter().filter(|path| !path.ends_with("file")).chain(names(&own));
    let changed = std::fs::metadata(outside.join("file")).is_ok_and(|data| {
        use std::os::unix::fs::PermissionsExt;
        data.permissions().mode() & 0o700 == 0 || data.modified().unwrap() == std::time::UNIX_EPOCH
    });
    let changed = changed.then(|| "its mode or its time".to_owned());
    Tried {
        said: String::from_utf8_lossy(&finished.stdout).into_owned(),
        strays: strays.map(|path| path.display().to_string()).chain(changed).collect(),
        left: std::fs::read_to_string(outside.join("file")).ok(),
        signal: finished.ended.signal,
    }
}

/// With `guards` it can't be done, without them it can.
#[track_caller]
fn is_kept_from(what: &str, guards: Guards, without: Guards) {
    let kept = attempt(what, guards, Runs::Program);
    assert!(!kept.was_done() && kept.is_unharmed(), "{what}: {} {:?}", kept.said, kept.strays);
    let free = attempt(what, without, Runs::Program);
    assert!(free.was_done(), "{what} can't be done without guards either: the test shows nothing");
}

fn all() -> Guards {
    Guards::of_this_machine()
}

/// Says so where the machine has no such guard, so that nobody takes silence for a pass.
fn is_missing(what: &str, there: bool) -> bool {
    if !there {
        println!("skipped: this machine has no {what}");
    }
    !there
}

const FILES: [&str; 7] = ["delete", "move", "write", "truncate", "folder", "mode", "times"];

#[test]
fn nothing_outside_its_own_folder_is_written_moved_or_deleted() {
    if is_missing("Landlock", all().landlock > 0) || is_missing("seccomp", all().seccomp) {
        return;
    }
    for what in FILES {
        is_kept_from(what, all(), Guards::NONE);
    }
    // Landlock alone keeps all of them but modes and times.
    for what in &FILES[..5] {
        is_kept_from(what, Guards { landlock: all().landlock, ..Guards::NONE }, Guards::NONE);
    }
}

#[test]
fn where_landlock_is_missing_seccomp_keeps_every_file_from_being_written() {
    if is_missing("seccomp", all().seccomp) {
        return;
    }
    for what in FILES.into_iter().chain(["own", "fill"]) {
        is_kept_from(what, Guards { seccomp: true, ..Guards::NONE }, Guards::NONE);
    }
}

#[test]
fn an_older_landlock_still_keeps_files_as_they_are() {
    if is_missing("Landlock", all().landlock > 0) || is_missing("seccomp", all().seccomp) {
        return;
    }
    for landlock in 1..=all().landlock {
        for what in FILES {
            is_kept_from(what, Guards { landlock, ..all() }, Guards::NONE);
        }
    }
}

#[test]
fn its_own_folder_is_small_and_gone_with_the_process() {
    if is_missing("way to mount", all().mounts != Mounts::None) || is_missing("Landlock", all().landlock > 0) {
        return;
    }
    let mut ways = vec![Mounts::UserNamespace];
    if all().mounts == Mounts::Privileged {
        ways.push(Mounts::Privileged);
    }
    for mounts in ways {
        let guards = Guards { mounts, ..all() };
        let made = attempt("own", guards, Runs::Program);
        assert!(made.was_done() && made.is_unharmed(), "{} {:?}", made.said, made.strays);
        is_kept_from("fill", guards, Guards::NONE);
    }
    // Where there is no such folder, there are no files at all.
    let nowhere = Guards { mounts: Mounts::None, ..all() };
    is_kept_from("own", nowhere, Guards::NONE);
    is_kept_from("fill", nowhere, Guards::NONE);
}

#[test]
fn no_process_is_started_however_it_is_asked_for() {
    if is_missing("seccomp", all().seccomp) {
        return;
    }
    for what in ["fork", "spawn", "system", "clone"] {
        is_kept_from(what, all(), Guards { seccomp: false, ..all() });
    }
    assert!(attempt("thread", all(), Runs::Program).was_done(), "threads are welcome");
}

#[test]
fn no_socket_is_opened() {
    if is_missing("seccomp", all().seccomp) {
        return;
    }
    is_kept_from("socket", all(), Guards { seccomp: false, ..all() });
}

#[test]
fn nobody_else_is_signalled_limited_or_joined() {
    if is_missing("seccomp", all().seccomp) {
        return;
    }
    for what in ["parent", "everyone", "group", "limits", "regroup", "segment"] {
        is_kept_from(what, all(), Guards::NONE);
    }
    if !is_missing("Landlock that knows signals", all().landlock >= 6) {
        for what in ["parent", "group"] {
            is_kept_from(what, Guards { landlock: all().landlock, ..Guards::NONE }, Guards::NONE);
        }
    }
    // Itself it may: that is what abort() does.
    assert_eq!(attempt("abort", all(), Runs::Program).signal, Some(libc::SIGABRT));
}

#[test]
fn memory_is_limited() {
    let tried = attempt("memory", all(), Runs::Program);
    assert!(!tried.was_done());
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(harm());
    command.arg("memory");
    let free = Confinement { memory: None, ..Confinement::new(Runs::Program, folder.path()).unwrap() };
    let finished = run(&command, Duration::from_secs(20), &free).unwrap();
    assert!(String::from_utf8_lossy(&finished.stdout).contains("done"));
}

#[test]
fn a_program_that_is_not_there_is_an_error_and_not_a_program_that_failed() {
    supervise::through(env!("CARGO_BIN_EXE_motif-cpp").as_ref());
    let folder = tempfile::tempdir().unwrap();
    let confinement = Confinement::new(Runs::Program, folder.path()).unwrap();
    let error = run(&Command::new("/no/such program"), Duration::from_secs(20), &confinement).unwrap_err();
    assert_eq!(format!("{error:#}"), "starting /no/such program: No such file or directory (os error 2)");
    let missing = confinement.writing(&folder.path().join("missing"), supervise::Access::All);
    let error = run(&Command::new("true"), Duration::from_secs(20), &missing).unwrap_err();
    assert!(format!("{error:#}").contains("missing: No such file"), "{error:#}");
}

#[test]
fn a_program_that_is_kept_between_calls_finds_nothing_of_the_call_before_and_starts_no_process() {
    supervise::through(env!("CARGO_BIN_EXE_motif-cpp").as_ref());
    let folder = tempfile::tempdir().unwrap();
    let tools = Toolchain::discover(&Surroundings::of_process());
    let builder = Builder::new(&tools, &folder.path().join("cache"), 1, Arc::default()).unwrap();
    let program = built("kept");
    let command = |what: &str| {
        let mut command = Command::new(&program);
        command.arg(what);
        command
    };
    let confinement = Confinement::new(Runs::Worker, &folder.path().join("own")).unwrap();
    if confinement.guards.mounts == Mounts::None || !confinement.guards.seccomp {
        return;
    }
    let library = builder.resident_library().unwrap();
    let start = supervise::confined(&command(""), &confinement).unwrap();
    let mut kept = Resident::start(start, &program, library, Duration::from_secs(20), Some(&confinement.own)).unwrap();
    let mut call = |what: &str, set: &[(&str, &str)]| {
        let limit = Duration::from_millis(if what == "hang" { 200 } else { 20_000 });
        kept.run(&command(what), set, limit, &AtomicBool::default()).unwrap()
    };
    let code = |ended: Ended| match ended {
        Ended::Itself(status) => status.code().ok_or(status.signal()),
        other => panic!("{other:?}"),
    };
    let first = call("write", &[("SET", "on")]);
    assert_eq!(first.stdout, "call 1 of write, on, file gone, process refused\n");
    assert_eq!(code(first.ended), Ok(0));
    let second = call("write", &[]);
    assert_eq!(second.stdout, "call 1 of write, unset, file gone, process refused\n");
    assert_eq!(code(second.ended), Ok(0));
    assert_eq!(code(call("crash", &[]).ended), Err(Some(libc::SIGABRT)));
    assert_eq!(call("hang", &[]).ended, Ended::TimedOut);
    let last = call("", &[]);
    assert_eq!((last.stdout.as_str(), code(last.ended)), ("call 1 of , unset, file gone, process refused\n", Ok(7)));
    assert!(last.cpu_seconds < 1.0, "{}", last.cpu_seconds);
}

#[test]
fn a_fuzzer_makes_processes_and_segments_but_harms_nothing() {
    if is_missing("Landlock that knows signals", all().landlock >= 6) || is_missing("seccomp", all().seccomp) {
        return;
    }
    for what in ["fork", "segment"] {
        let tried = attempt(what, all(), Runs::Fuzzer);
        assert!(tried.was_done() && tried.is_unharmed(), "{what}: {}", tried.said);
    }
    for what in ["delete", "write", "mode", "socket", "parent", "group"] {
        let tried = attempt(what, all(), Runs::Fuzzer);
        assert!(!tried.was_done() && tried.is_unharmed(), "{what}: {}", tried.said);
    }
}

/// A function that does harm on every call, a mutant that is told from it, and one that is not.
fn harmful() -> Project {
    let project = Project::new();
    let victim = project.root().join("outside/victim");
    let text = include_str!("sources/safety/act.c");
    project.write("outside/victim", "precious");
    project.write("act.c", text);
    project.write("mutants/act.mut.16.1_1_1.AOR.act.c", &text.replace("x + 1", "x - 1"));
    project.write("mutants/act.mut.9.1_1_1.SDL.act.c", &text.replace("if (file >= 0) close(file);", ";"));
    let victim = format!("-DVICTIM=\"{}\"", victim.display());
    let arguments = ["cc", "-std=gnu11", &victim, "-c", "act.c", "-o", "/dev/null"];
    let entry = serde_json::json!([{"directory": project.root(), "file": "act.c", "arguments": arguments}]);
    project.write("build/compile_commands.json", &entry.to_string());
    project
}

#[test]
fn no_stage_of_a_run_lets_the_code_under_test_do_harm() {
    if is_missing("Landlock", all().landlock > 0) || is_missing("seccomp", all().seccomp) {
        return;
    }
    let project = harmful();
    let is_unharmed = |stage: &str| {
        assert_eq!(project.read("outside/victim"), "precious", "{stage}");
        assert!(!project.root().join("outside/victim.new").exists(), "{stage}");
    };
    project.run(["analyze", "-p", "build", "--build", "--budget", "2000x"]).ends_with(0);
    is_unharmed("analyze --build");
    let mut engines = vec![("libfuzzer", "file")];
    if Command::new("afl-fuzz").arg("-h").output().is_ok() {
        engines.extend([("afl++", "file"), ("afl++", "persistent")]);
    }
    for (engine, mode) in engines {
        let run = project.fuzz(&["--engine", engine, "--afl-mode", mode, "--budget", "3000x", "-v"]);
        run.ends_with(0);
        is_unharmed(engine);
        assert!(!run.stderr.contains("in file mode"), "one process runs it many times: {}", run.stderr);
        // What lives has met a sanitizer.
        assert_eq!(run.stderr.contains("act: 0 of 1 survivors"), engine == "libfuzzer", "{}", run.stderr);
        let outcome = project.outcome();
        let (id, _) = outcome.mutants().into_iter().next().unwrap();
        // Neither search nor replay nor the proof saw any harm done.
        assert_eq!((outcome.status(id), outcome.verified(id)), ("killed", true), "{engine}: {}", outcome.reason(id));
        let input = outcome.mutants()[id]["kill"]["input"].as_str().unwrap().to_owned();
        assert!(project.root().join("motif.out").join(input).is_file());
    }
}

#[test]
fn doctor_says_which_guards_are_on() {
    let project = Project::new();
    let run = project.run(["doctor", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let told: Vec<(&str, bool)> = report["sandbox"]
        .as_array()
        .unwrap()
        .iter()
        .map(|guard| (guard["name"].as_str().unwrap(), guard["on"].as_bool().unwrap()))
        .collect();
    let there: Vec<(&str, bool)> = all().list().iter().map(|guard| (guard.name, guard.on)).collect();
    assert_eq!(told, there);
    assert!(project.run(["doctor"]).stdout.contains("sandbox"));
}
