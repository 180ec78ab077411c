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
    let folder = worker_folder(tools, own);
    let (worker, name) = (folder.join("worker"), folder.file_name().unwrap_or_default().to_string_lossy());
    let Some(store) = store else { return build_worker(tools, own) };
    if worker.is_file() || store.program(&name).is_some_and(|kept| copy(&kept, &worker).is_ok()) {
        return Ok(worker);
    }
    let built = build_worker(tools, own)?;
    let _ = store.keep(&built, &name);
    Ok(built)
}
