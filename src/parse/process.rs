//! Starting processes of our own that read with libclang.

use super::job::{self, Answers, Done, Grown, Job, Version};
use super::options::ParseOptions;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longer than this no translation unit takes.
const LONGEST: Duration = Duration::from_secs(600);

/// Reads a translation unit.
pub(super) fn read(mut job: job::Read, options: &ParseOptions) -> Result<Done> {
    let Some(exe) = &options.self_exe else { return job::read(&job) };
    let folder = tempfile::tempdir()?;
    job.out = folder.path().join("model.json");
    let out = job.out.clone();
    run(exe, &Job::Read(job), folder.path(), options, LONGEST)?;
    Ok(serde_json::from_slice(&std::fs::read(out)?)?)
}

/// Reads the bodies of files.
pub(super) fn trees(mut job: job::TreesOf, options: &ParseOptions) -> Result<Grown> {
    let Some(exe) = &options.self_exe else { return job::on_big_stack(|| job::trees(&job)) };
    let folder = tempfile::tempdir()?;
    job.out = folder.path().join("trees.json");
    let out = job.out.clone();
    run(exe, &Job::Trees(job), folder.path(), options, LONGEST)?;
    job::from_json(&std::fs::read(out)?)
}

/// Compiles lines behind a source file.
pub(super) fn ask(mut job: job::Ask, options: &ParseOptions) -> Result<Answers> {
    let Some(exe) = &options.self_exe else { return job::on_big_stack(|| job::ask(&job)) };
    let folder = tempfile::tempdir()?;
    job.out = folder.path().join("answers.json");
    let out = job.out.clone();
    run(exe, &Job::Ask(job), folder.path(), options, LONGEST)?;
    job::from_json(&std::fs::read(out)?)
}

/// Reads versions of a file; those that were read before a failure are in `done`.
pub(super) fn versions(mut job: job::Versions, options: &ParseOptions, done: &mut Vec<Version>) -> Result<()> {
    let Some(exe) = &options.self_exe else {
        return job::versions(&job, &mut |version| {
            done.push(version);
            Ok(())
        });
    };
    let folder = tempfile::tempdir()?;
    job.out = folder.path().join("versions.jsonl");
    let out = job.out.clone();
    let result = run(exe, &Job::Versions(job), folder.path(), options, LONGEST);
    let text = std::fs::read(out).unwrap_or_default();
    for line in text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        done.push(serde_json::from_slice(line)?);
    }
    result
}

fn run(exe: &Path, job: &Job, folder: &Path, options: &ParseOptions, longest: Duration) -> Result<()> {
    let path = folder.join("job.json");
    std::fs::write(&path, serde_json::to_vec(job)?)?;
    let errors = folder.join("stderr");
    let mut command = Command::new(exe);
    command.arg("__parse").arg(&path).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(std::fs::File::create(&errors)?);
    if let Some(libclang) = &options.libclang {
        command.env("LIBCLANG_PATH", libclang);
    }
    let mut child = command.spawn().with_context(|| format!("{} can't be started", exe.display()))?;
    let status = wait(&mut child, longest)?;
    if !status.success() {
        let text = String::from_utf8_lossy(&std::fs::read(&errors).unwrap_or_default()).into_owned();
        let said = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing").to_string();
        bail!("the process that reads with libclang ended with {status}: {said}");
    }
    Ok(())
}

fn wait(child: &mut Child, longest: Duration) -> Result<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if started.elapsed() > longest {
            child.kill()?;
            child.wait()?;
            bail!("reading with libclang took longer than {} s", longest.as_secs());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
