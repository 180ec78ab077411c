//! Workers in the user's cache: building one takes seconds, and depends on no project.

use super::worker::{WorkerTools, build_worker, worker_folder};
use crate::build::store::{Store, copy};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The worker that `tools` build, in `own`, a folder of this run: copied from the user's store, or built and left there
/// for the next run.
///
/// # Errors
///
/// As [`build_worker`], for `own`.
pub fn kept_worker(tools: &WorkerTools, store: Option<&Store>, own: &Path) -> Result<PathBuf> {
    let worker = worker_folder(tools, own).join("worker");
    let Some(store) = store else { return build_worker(tools, own) };
    let kept = worker_folder(tools, store.folder()).join("worker");
    if worker.is_file() || copy(&kept, &worker).is_ok() {
        return Ok(worker);
    }
    let built = build_worker(tools, own)?;
    let _ = store.keep(&built, &kept);
    Ok(built)
}
