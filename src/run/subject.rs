//! What a run was about, for the reports: project, revision, command line, machine.

use crate::options::Options;
use crate::outcome::Subject;
use std::path::Path;
use std::process::Command;

/// The subject of this process.
pub(super) fn subject(options: &Options) -> Subject {
    let name = options.root.file_name().map(|name| name.to_string_lossy().into_owned());
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let system = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let system = system.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|name| name.trim_matches('"'));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let noun = if cores == 1 { "processor" } else { "processors" };
    Subject {
        project: name.unwrap_or_default(),
        revision: revision(&options.root),
        command: shell_words::join(std::iter::once("motif-cpp".to_owned()).chain(words)),
        machine: format!("{}, {cores} {noun}", system.unwrap_or(std::env::consts::OS)),
    }
}

/// The commit, with `+` if tracked files have changed; `None` outside of a repository.
fn revision(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(root).args(arguments).env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0");
        let output = command.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let is_dirty = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|text| !text.is_empty());
    Some(commit + if is_dirty { "+" } else { "" })
}
