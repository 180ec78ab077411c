//! The folder of a user's own.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The folder of what is kept for all runs of a user, after the XDG base directory specification: `MOTIF_CACHE_DIR`,
/// which may be relative to the project's root, `$XDG_CACHE_HOME/motif-cpp` or `$HOME/.cache/motif-cpp`. None where
/// `MOTIF_CACHE_DIR` is empty or `off`, or none of the others is an absolute path.
pub fn users_folder(environment: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(asked) = environment("MOTIF_CACHE_DIR") {
        let asked = Some(asked).filter(|asked| !asked.is_empty() && asked != OsStr::new("off"))?;
        return std::path::absolute(asked).ok();
    }
    let base = absolute(environment("XDG_CACHE_HOME")).or_else(|| {
        Some(absolute(environment("HOME"))?.join(".cache")).filter(|base| base.parent() != Some(Path::new("/")))
    });
    Some(base?.join("motif-cpp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(given: &[(&str, &str)]) -> Option<PathBuf> {
        users_folder(|name| given.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_users_folder_is_the_one_named_or_that_of_the_desktop_standard() {
        let all = [("MOTIF_CACHE_DIR", "/kept"), ("XDG_CACHE_HOME", "/xdg"), ("HOME", "/home/a")];
        assert_eq!(folder_of(&all), Some("/kept".into()));
        assert_eq!(folder_of(&all[1..]), Some("/xdg/motif-cpp".into()));
        assert_eq!(folder_of(&all[2..]), Some("/home/a/.cache/motif-cpp".into()));
        assert_eq!(
            folder_of(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/home/a")]),
            Some("/home/a/.cache/motif-cpp".into())
        );
    }

    #[test]
    fn there_is_no_users_folder_where_it_is_switched_off_or_nobody_has_a_home() {
        for none in [
            &[("MOTIF_CACHE_DIR", "off"), ("HOME", "/home/a")][..],
            &[("MOTIF_CACHE_DIR", ""), ("HOME", "/a")],
            &[],
            &[("HOME", "/")],
        ] {
            assert_eq!(folder_of(none), None, "{none:?}");
        }
    }
}
