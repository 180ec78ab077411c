//! `--executor slurm`, on a Slurm of its own: controller, node and munge on the loopback, started and stopped here.
//! That takes root; without it the tests are skipped, loudly.

use crate::shards::results;
use crate::support::{self, Project};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A cluster of this machine; gone with the value.
struct Cluster {
    folder: tempfile::TempDir,
}

impl Cluster {
    /// None where it can't be started.
    fn start(number: u16) -> Option<Self> {
        // SAFETY: nothing is passed.
        let is_root = unsafe { libc::geteuid() } == 0;
        let missing = ["slurmctld", "slurmd", "munged", "sbatch"].into_iter().find(|name| !is_installed(name));
        if !is_root || missing.is_some() {
            assert!(
                std::env::var_os("CI").is_none(),
                "in CI these tests must run: root {is_root}, missing {missing:?}"
            );
            eprintln!("SKIPPED: the tests of Slurm need root ({is_root}) and slurm-wlm (missing: {missing:?})");
            return None;
        }
        let cluster = Self { folder: tempfile::Builder::new().prefix("motif-slurm-").tempdir().unwrap() };
        cluster.configure(number);
        let path = |name: &str| cluster.path(name).display().to_string();
        fs::write(path("munge.key"), (0..128_u8).map(|byte| byte ^ number as u8).collect::<Vec<_>>()).unwrap();
        fs::set_permissions(path("munge.key"), std::os::unix::fs::PermissionsExt::from_mode(0o400)).unwrap();
        let (key, socket, pid) = (path("munge.key"), path("munge.sock"), path("munged.pid"));
        let (log, seed) = (path("munged.log"), path("munge.seed"));
        let files =
            ["--key-file", &key, "--socket", &socket, "--pid-file", &pid, "--log-file", &log, "--seed-file", &seed];
        let munged = Command::new("munged").arg("--force").args(files).output().unwrap();
        assert!(munged.status.success(), "{munged:?}");
        cluster.daemon("slurmctld");
        cluster.daemon("slurmd");
        cluster.wait_until("the node is up", || cluster.says("sinfo", &["-h", "-o", "%T"]).contains("idle"));
        Some(cluster)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configure(&self, number: u16) {
        let host = self.says("hostname", &["-s"]);
        let (host, folder) = (host.trim(), self.folder.path().display());
        let port = 16_800 + 10 * number;
        for name in ["state", "spool"] {
            fs::create_dir(self.path(name)).unwrap();
        }
        let text = format!(
            "ClusterName=motif{number}
            SlurmctldHost={host}(127.0.0.1)
            SlurmUser=root
            AuthType=auth/munge
            AuthInfo=socket={folder}/munge.sock
            CredType=cred/munge
            StateSaveLocation={folder}/state
            SlurmdSpoolDir={folder}/spool
            SlurmctldPidFile={folder}/slurmctld.pid
            SlurmdPidFile={folder}/slurmd.pid
            SlurmctldLogFile={folder}/slurmctld.log
            SlurmdLogFile={folder}/slurmd.log
            SlurmctldPort={port}
            SlurmdPort={}
            ProctrackType=proctrack/pgid
            TaskPlugin=task/none
            SwitchType=switch/none
            MpiDefault=none
            SchedulerType=sched/builtin
            SelectType=select/cons_tres
            SelectTypeParameters=CR_Core
            ReturnToService=2
            KillWait=5
            MessageTimeout=5
            NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
            PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            port + 1,
        );
        let text: String = text.lines().map(|line| format!("{}\n", line.trim())).collect();
        fs::write(self.path("slurm.conf"), text).unwrap();
    }

    fn daemon(&self, name: &str) {
        let output = self.command(name).arg("-f").arg(self.path("slurm.conf")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("SLURM_CONF", self.path("slurm.conf")).stdin(Stdio::null());
        command
    }

    fn says(&self, name: &str, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.command(name).args(arguments).output().unwrap().stdout).into_owned()
    }

    fn wait_until(&self, what: &str, is_so: impl Fn() -> bool) {
        let until = Instant::now() + Duration::from_secs(300);
        while !is_so() {
            let log = fs::read_to_string(self.path("slurmctld.log")).unwrap_or_default();
            assert!(Instant::now() < until, "it never was that {what}: {log}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn stop(&self, name: &str) {
        let pid = fs::read_to_string(self.path(&format!("{name}.pid"))).ok().and_then(|pid| pid.trim().parse().ok());
        let Some(pid) = pid else { return };
        // SAFETY: the process was started by this value; nothing but its number is passed.
        unsafe { libc::kill(pid, libc::SIGTERM) };
        let until = Instant::now() + Duration::from_secs(20);
        while Path::new(&format!("/proc/{pid}")).exists() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A project whose runs go to this cluster.
    fn project(&self, sample: &str) -> Project {
        let mut project = Project::sample(sample);
        let cache = support::CACHE;
        project.write(
            "motif.yaml",
            &format!("slurm:\n  nodes: 4\n  partition: all\n  prologue: export MOTIF_CACHE_DIR={cache}\n"),
        );
        project.environment.push(("SLURM_CONF".into(), self.path("slurm.conf").display().to_string()));
        project
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.command("scancel").arg("--user=root").output();
        ["slurmd", "slurmctld", "munged"].into_iter().for_each(|name| self.stop(name));
    }
}

fn is_installed(name: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {name}")]).output().is_ok_and(|found| found.status.success())
}

const OPTIONS: [&str; 4] = ["--budget", "2000x", "-j", "1"];
const ON_SLURM: [&str; 2] = ["--executor", "slurm"];

fn units(project: &Project, shard: u32) -> usize {
    let journal = project.root().join(format!("motif.out/shards/{shard}/journal.jsonl"));
    fs::read_to_string(journal).map_or(0, |text| text.matches("{\"event\":\"unit\"").count())
}

/// The process of a shard: the one that has the lock of its folder.
fn worker(project: &Project, shard: u32) -> Option<i32> {
    let lock = project.root().join(format!("motif.out/shards/{shard}/.lock"));
    let is_its = |entry: &fs::DirEntry| {
        let files = fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file == lock)
    };
    let numbers = fs::read_dir("/proc").ok()?.flatten().filter(is_its);
    numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).next()
}

#[test]
#[ignore = "seven runs through a scheduler; another recipe runs its shards; make test-all"]
fn an_array_of_four_gives_what_one_run_gives_and_a_killed_worker_costs_no_results() {
    let Some(cluster) = Cluster::start(1) else { return };
    for sample in ["tpos", "satellite"] {
        let project = cluster.project(sample);
        project.fuzz(&[&OPTIONS[..], &["-o", "one"]].concat()).ends_with(0);
        if sample == "tpos" {
            project.fuzz(&[&OPTIONS[..], &ON_SLURM].concat()).ends_with(0);
        } else {
            let arguments = [&["fuzz", "-p", "build", "--mutants", "mutants"], &OPTIONS[..], &ON_SLURM].concat();
            let mut run = project.start(arguments);
            cluster.wait_until("a shard is under way", || units(&project, 2) > 0 && worker(&project, 2).is_some());
            // SAFETY: it is a process of the job that this test has submitted.
            unsafe { libc::kill(worker(&project, 2).unwrap(), libc::SIGKILL) };
            assert!(run.wait().unwrap().success());
            let journal = project.read("motif.out/shards/2/journal.jsonl");
            assert!(journal.contains("{\"event\":\"resumed\""), "it was gone on with: {journal}");
        }
        let (many, one) = (results(&project, "motif.out"), results(&project, "one"));
        let differing = many.0.iter().zip(&one.0).find(|(many, one)| many != one);
        assert!(many == one, "{sample}: {differing:?}");
    }
    let project = cluster.project("tpos");
    project.write("motif.yaml", "slurm:\n  partition: none\n");
    let run = project.fuzz(&[&OPTIONS[..], &ON_SLURM].concat());
    run.ends_with(2);
    assert!(run.stderr.contains("slurm-refused") && run.stderr.contains("partition"), "{}", run.stderr);
}

#[test]
#[ignore = "waits for the controller: make test-all"]
fn the_controller_may_go_down_and_come_up_and_an_interrupt_cancels_the_jobs() {
    let Some(cluster) = Cluster::start(2) else { return };
    let project = cluster.project("tpos");
    project.fuzz(&[&OPTIONS[..], &["-o", "one"]].concat()).ends_with(0);
    let arguments = [&["fuzz", "-p", "build", "--mutants", "mutants"], &OPTIONS[..], &ON_SLURM].concat();
    let mut run = project.start(arguments.clone());
    let begun = |shard| project.root().join(format!("motif.out/shards/{shard}/journal.jsonl")).exists();
    cluster.wait_until("a shard has begun", || begun(1));
    cluster.stop("slurmctld");
    std::thread::sleep(Duration::from_secs(8));
    cluster.daemon("slurmctld");
    assert!(run.wait().unwrap().success());
    assert!(results(&project, "motif.out") == results(&project, "one"));

    let mut run = project.start(arguments);
    cluster
        .wait_until("a shard has begun again", || !project.root().join("motif.out/shards/1.exit").exists() && begun(1));
    // SAFETY: our own child.
    unsafe { libc::kill(run.id() as i32, libc::SIGINT) };
    assert_eq!(run.wait().unwrap().code(), Some(130));
    cluster.wait_until("its jobs are gone", || cluster.says("squeue", &["-h"]).trim().is_empty());
    // Shards that were begun go on, the others begin.
    fs::remove_dir_all(project.root().join("motif.out/shards/4")).ok();
    fs::remove_file(project.root().join("motif.out/shards/4.exit")).ok();
    project.fuzz(&[&OPTIONS[..], &ON_SLURM, &["--resume"]].concat()).ends_with(0);
    assert!(results(&project, "motif.out") == results(&project, "one"), "gone on with");
}
