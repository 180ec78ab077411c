//! `--executor slurm`: submits a job array, a shard in each job, and waits for it.
//!
//! Slurm says which jobs there are, the file system what they have done: a shard is done when its job has left its
//! exit code beside its output folder. So it does not matter how a job ended, whether its node is still there, or
//! whether the controller was down in between.

use crate::config::Slurm;
use crate::context::Context;
use crate::diag::{Exit, Problem};
use crate::report::plural;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The jobs of an array if nothing is said.
const NODES: u32 = 4;
/// The most that Slurm's `MaxArraySize` can be.
const NODES_MOST: u32 = 4_000_001;
/// Between two looks at the queue.
const INTERVAL: Duration = Duration::from_secs(2);
/// What a node has written may be seen here so much later.
const DELAY: Duration = Duration::from_secs(10);
/// Jobs that are lost on one shard before it is given up.
const LOST_MOST: u32 = 4;
/// Between two notes of progress.
const TOLD: Duration = Duration::from_secs(30);
/// Lines of a job's log that are shown when it fails.
const LOG_LINES: usize = 12;

/// An array of jobs.
pub struct Array<'a> {
    /// Messages, and whether the user wants to stop.
    pub context: &'a Context,
    /// What is asked of Slurm.
    pub asked: &'a Slurm,
    /// The output folder of the whole run.
    pub output: &'a Path,
    /// The tool and its arguments, the subcommand among them.
    pub command: Vec<String>,
    /// Shards that were begun before go on.
    pub resume: bool,
}

/// A shard that is waited for.
struct Waiting {
    number: u32,
    lost: u32,
    /// Its job is not in the queue since then.
    gone: Option<Instant>,
}

impl Array<'_> {
    /// Runs all shards, and gives their output folders.
    ///
    /// # Errors
    ///
    /// Slurm refuses, no file system is shared with its nodes, a shard fails for a reason that another try has too, or
    /// the user interrupts (130).
    pub fn run(&self) -> anyhow::Result<Vec<PathBuf>> {
        let shards = self.asked.nodes.map_or(NODES, std::num::NonZeroU32::get);
        if shards > NODES_MOST {
            let what = format!("an array of Slurm has at most {NODES_MOST} jobs, and `nodes` is {shards}");
            return Err(Problem::usage("slurm-refused", what, "give fewer `nodes` in `slurm:` of motif.yaml").into());
        }
        let folder = self.folder();
        if !self.resume {
            // Of an earlier run; the folder is disposable.
            let _ = fs::remove_dir_all(&folder);
        }
        fs::create_dir_all(&folder)?;
        let (script, text) = (folder.join("job.sh"), self.script(shards));
        fs::write(&script, text)?;
        let mut jobs: Vec<String> = Vec::new();
        let done = self.check_shared(&mut jobs).and_then(|()| self.wait_for(shards, &script, &mut jobs));
        if done.is_err() && !jobs.is_empty() {
            // They may have ended by themselves.
            let _ = Command::new("scancel").args(&jobs).output();
        }
        done?;
        Ok((1..=shards).map(|number| self.shard(number)).collect())
    }

    fn folder(&self) -> PathBuf {
        self.output.join("shards")
    }

    fn shard(&self, number: u32) -> PathBuf {
        self.folder().join(number.to_string())
    }

    /// The exit code that the last job of a shard left.
    fn exit(&self, number: u32) -> Option<i32> {
        fs::read_to_string(self.folder().join(format!("{number}.exit"))).ok()?.trim().parse().ok()
    }

    fn script(&self, shards: u32) -> String {
        let quoted = |path: &Path| shell_words::quote(&path.display().to_string()).into_owned();
        let folder = quoted(&self.folder());
        let root = quoted(&self.context.root);
        format!(
            "#!/bin/sh\n{prologue}\n# One shard of a run of motif-cpp; what an earlier job has done of it is gone on \
             with.\nnumber=$SLURM_ARRAY_TASK_ID\nfolder={folder}/$number\nresume=\nif grep -qs \
             '\"event\":\"started\"' \"$folder/journal.jsonl\"; then resume=--resume; fi\n{command} --executor local \
             -C {root} --shard \"$number/{shards}\" -o \"$folder\" $resume\ncode=$?\necho $code > \
             \"$folder.exit\"\nexit $code\n",
            prologue = self.asked.prologue,
            command = shell_words::join(&self.command),
        )
    }

    /// Submits a script, and gives the id of the job.
    fn submit(&self, script: &Path, log: &str, more: &[String]) -> Result<String, Problem> {
        let asked = self.asked;
        let mut command = Command::new("sbatch");
        command.args(["--parsable", "--job-name=motif-cpp", "--requeue", "--open-mode=append"]);
        command.arg(format!("--output={}", self.folder().join(log).display()));
        command.arg(format!("--chdir={}", self.context.root.display()));
        let named = [
            ("partition", &asked.partition),
            ("account", &asked.account),
            ("time", &asked.time),
            ("mem", &asked.memory),
        ];
        for (name, value) in named {
            command.args(value.as_ref().map(|value| format!("--{name}={value}")));
        }
        command.args(&asked.options).args(more).arg(script);
        let output = started(command.output())?;
        let said = String::from_utf8_lossy(&output.stdout);
        // `ID`, or `ID;CLUSTER`.
        let id = said.trim().split(';').next().unwrap_or_default();
        if !output.status.success() || id.is_empty() {
            let what = format!("sbatch refuses the job: {}", words(&output));
            return Err(Problem::usage("slurm-refused", what, "check `slurm:` in motif.yaml, and `sinfo`"));
        }
        Ok(id.to_owned())
    }

    /// A node must see what is written here, and the tool: asked before anything is searched.
    fn check_shared(&self, jobs: &mut Vec<String>) -> anyhow::Result<()> {
        let folder = self.folder();
        let (token, seen, script) = (folder.join("token"), folder.join("seen"), folder.join("check.sh"));
        let text = format!("{}-{:?}\n", std::process::id(), std::time::SystemTime::now());
        let _ = fs::remove_file(&seen);
        fs::write(&token, &text)?;
        let quoted = |path: &Path| shell_words::quote(&path.display().to_string()).into_owned();
        let check = format!(
            "#!/bin/sh\n{}\ntest -x {} && cp {} {}\n",
            self.asked.prologue,
            shell_words::quote(self.command.first().map_or("", String::as_str)),
            quoted(&token),
            quoted(&seen)
        );
        fs::write(&script, check)?;
        jobs.push(self.submit(&script, "check.log", &[])?);
        self.context.ui.note("asking a node whether it sees the output folder");
        let mut gone = None;
        while fs::read_to_string(&seen).ok().as_deref() != Some(text.as_str()) {
            self.stop_if_interrupted()?;
            match queue(jobs) {
                Some(open) if open.is_empty() => {
                    if gone.get_or_insert_with(Instant::now).elapsed() > DELAY {
                        let fix = "the project, -o and the tool must be on a file system that all nodes share; \
                                   shards/check.log says more where it is";
                        let what = "a node of Slurm does not see the output folder, or not the tool";
                        return Err(Problem::usage("slurm-not-shared", what, fix).at(&folder).into());
                    }
                }
                _ => gone = None,
            }
            std::thread::sleep(INTERVAL / 4);
        }
        Ok(())
    }

    fn wait_for(&self, shards: u32, script: &Path, jobs: &mut Vec<String>) -> anyhow::Result<()> {
        let is_done = |number: u32| matches!(self.exit(number), Some(0 | 1));
        let open = (1..=shards).filter(|number| !is_done(*number));
        let mut open: Vec<Waiting> = open.map(|number| Waiting { number, lost: 0, gone: None }).collect();
        let stage = self.context.ui.stage("shards", open.len());
        let all: Vec<u32> = open.iter().map(|shard| shard.number).collect();
        jobs.extend(self.submit_shards(script, &all)?);
        let (mut told, mut known) = (Instant::now(), true);
        while !open.is_empty() {
            std::thread::sleep(INTERVAL);
            self.stop_if_interrupted()?;
            if told.elapsed() > TOLD {
                told = Instant::now();
                let left = open.len() as u32;
                let units: usize = (1..=shards).map(|number| units(&self.shard(number))).sum();
                self.context.ui.note(format_args!(
                    "{} of {shards} shards done, {}",
                    shards - left,
                    plural(units, "unit")
                ));
            }
            let queued = queue(jobs);
            if known != queued.is_some() {
                known = queued.is_some();
                let what = if known { "answers again" } else { "does not answer; waiting for it" };
                self.context.ui.note(format_args!("the controller of Slurm {what}"));
            }
            for number in open.iter().map(|shard| shard.number).filter(|number| is_done(*number)) {
                stage.advance(format_args!("shard {number} of {shards}"));
            }
            open.retain(|shard| !is_done(shard.number));
            let Some(queued) = queued else { continue };
            let mut lost = Vec::new();
            for shard in &mut open {
                if queued.contains(&shard.number) {
                    shard.gone = None;
                } else if shard.gone.get_or_insert_with(Instant::now).elapsed() > DELAY {
                    lost.push(shard.number);
                }
            }
            lost.iter().try_for_each(|number| self.may_be_tried_again(*number))?;
            for shard in open.iter_mut().filter(|shard| lost.contains(&shard.number)) {
                (shard.lost, shard.gone) = (shard.lost + 1, None);
                if shard.lost >= LOST_MOST {
                    return Err(self.failed(shard.number, &format!("{} of its jobs were lost", shard.lost)).into());
                }
            }
            if !lost.is_empty() {
                let names: Vec<String> = lost.iter().map(u32::to_string).collect();
                self.context
                    .ui
                    .note(format_args!("the job of shard {} was lost; it goes on in another", names.join(", ")));
                // Where the controller is down by now, they are lost once more, and submitted then.
                jobs.extend(self.submit_shards(script, &lost).unwrap_or_default());
            }
        }
        Ok(())
    }

    fn submit_shards(&self, script: &Path, numbers: &[u32]) -> Result<Option<String>, Problem> {
        if numbers.is_empty() {
            return Ok(None);
        }
        for number in numbers {
            // There is none where the job was lost.
            let _ = fs::remove_file(self.folder().join(format!("{number}.exit")));
        }
        let list: Vec<String> = numbers.iter().map(u32::to_string).collect();
        self.submit(script, "%a.log", &[format!("--array={}", list.join(","))]).map(Some)
    }

    /// What the tool itself refuses, it refuses again.
    fn may_be_tried_again(&self, number: u32) -> Result<(), Problem> {
        match self.exit(number) {
            Some(code @ (2..=4)) => Err(self.failed(number, &format!("it ended with exit code {code}"))),
            _ => Ok(()),
        }
    }

    fn failed(&self, number: u32, why: &str) -> Problem {
        let log = self.folder().join(format!("{number}.log"));
        let text = fs::read_to_string(&log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let end = lines[lines.len().saturating_sub(LOG_LINES)..].join("\n    ");
        let what = format!("shard {number} can not be done: {why}; its log ends with\n    {end}");
        Problem::usage("slurm-failed", what, "mend that, then run the same command with `--resume`").at(&log)
    }

    fn stop_if_interrupted(&self) -> Result<(), Problem> {
        if !self.context.is_interrupted() {
            return Ok(());
        }
        let what = "interrupted; the jobs are cancelled";
        let fix = "the same command with `--resume` goes on with what the shards have";
        Err(Problem { exit: Exit::Interrupted, ..Problem::usage("interrupted", what, fix) })
    }
}

/// The array indices that are still in the queue (0 for a job that is no array); `None` if the controller does not say.
fn queue(jobs: &[String]) -> Option<BTreeSet<u32>> {
    let list = format!("--jobs={}", jobs.join(","));
    let output = Command::new("squeue").args(["--noheader", "--array", "--format=%K", &list]).output().ok()?;
    if !output.status.success() {
        // What has ended a while ago is forgotten.
        return String::from_utf8_lossy(&output.stderr).contains("Invalid job id").then(BTreeSet::new);
    }
    Some(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim().parse().unwrap_or(0)).collect())
}

/// The units that a shard is done with. One that is decided after its search, or gone on with, is written down again.
fn units(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    let named = |line: &str| {
        let rest = line.strip_prefix("{\"event\":\"unit\",\"done\":{\"usr\":\"")?;
        Some(rest.split('"').next().unwrap_or_default().to_owned())
    };
    text.lines().filter_map(named).collect::<BTreeSet<String>>().len()
}

fn started(output: std::io::Result<Output>) -> Result<Output, Problem> {
    output.map_err(|error| {
        let what = format!("`--executor slurm` needs sbatch: {error}");
        Problem::tool(
            "slurm-missing",
            what,
            "run it where Slurm's commands are (Debian: `apt-get install slurm-client`)",
        )
    })
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_that_is_written_down_twice_is_one_unit() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(units(folder.path()), 0, "it has not begun");
        let unit = |usr: &str| format!("{{\"event\":\"unit\",\"done\":{{\"usr\":\"{usr}\",\"unit\":{{}}}}}}\n");
        let lines = ["{\"event\":\"started\"}\n".to_owned(), unit("c:@F@f"), unit("c:@F@g"), unit("c:@F@f")];
        fs::write(folder.path().join("journal.jsonl"), lines.concat()).unwrap();
        assert_eq!(units(folder.path()), 2);
    }
}
