//! What git knows of a project.

use std::path::Path;
use std::process::Command;

/// The first line that git prints in `folder`; `None` without git or a repository.
pub fn line(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").current_dir(folder).args(arguments).output().ok().filter(|run| run.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}
