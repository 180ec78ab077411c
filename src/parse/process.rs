//! Starting processes of our own that read with libclang.

use super::cache::{self, Stamps};
use super::job::{self, Done, Job, from_json};
use super::options::ParseOptions;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longer than this no translation unit takes.
const LONGEST: Duration = Duration::from_secs(600);
/// The file with the results, beside the job's.
const RESULTS: &str = "results.jsonl";

/// The result of a job, from an earlier run where nothing that it was read from has changed.
pub(super) fn kept<T: Serialize + DeserializeOwned + Send + Sync>(
    job: &Job,
    options: &ParseOptions,
    stamps: &Stamps,
) -> Result<Done<T>> {
    let key = cache::key(job, options);
    if let Some(done) = options.cache_dir.as_deref().and_then(|dir| cache::load(dir, &key, stamps)) {
        return Ok(done);
    }
    let done: Done<T> = result(job, options)?;
    if let Some(dir) = &options.cache_dir {
        // A result that could not be stored is read again the next time.
        let _ = cache::store(dir, &key, &done.inputs, &done.read, stamps);
    }
    Ok(done)
}

/// The result of a job.
pub(super) fn result<T: DeserializeOwned + Send>(job: &Job, options: &ParseOptions) -> Result<T> {
    let mut done = Vec::new();
    results(job, options, &mut done)?;
    done.pop().context("nothing was read")
}

/// Does a job in a process of our own, or in this one where there is no program for that. Results that were there
/// before a failure are in `done`.
pub(super) fn results<T: DeserializeOwned + Send>(job: &Job, options: &ParseOptions, done: &mut Vec<T>) -> Result<()> {
    let mut text = Vec::new();
    let result = match &options.self_exe {
        None => job::run(job, &mut text),
        Some(exe) => {
            let folder = tempfile::tempdir()?;
            let result = start(exe, job, folder.path(), options);
            text = std::fs::read(folder.path().join(RESULTS)).unwrap_or_default();
            result
        }
    };
    for line in text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        done.push(from_json(line)?);
    }
    result
}

/// Does the job that is in the file `path`; the results are beside it.
pub(super) fn work(path: &Path) -> Result<()> {
    let job = serde_json::from_slice(&std::fs::read(path).with_context(|| path.display().to_string())?)?;
    job::run(&job, &mut std::fs::File::create(path.with_file_name(RESULTS))?)
}

fn start(exe: &Path, job: &Job, folder: &Path, options: &ParseOptions) -> Result<()> {
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
    let status = wait(&mut child, LONGEST)?;
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
