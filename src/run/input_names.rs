//! Where inputs are kept in the output folder.

use std::path::PathBuf;

/// Where a mutant's killing input is kept, relative to the output folder.
pub(super) fn input_of(id: &str) -> PathBuf {
    PathBuf::from("inputs").join(safe_name(id))
}

/// A mutant's id as a relative path that stays where it is put.
fn safe_name(id: &str) -> PathBuf {
    let parts = id.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let path: PathBuf = parts.map(|part| part.replace(|c: char| c.is_control(), "_")).collect();
    if path.as_os_str().is_empty() { PathBuf::from("mutant") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_id_stays_in_the_inputs_folder() {
        assert_eq!(safe_name("../../etc/pass\nwd"), PathBuf::from("etc/pass_wd"));
        assert_eq!(safe_name("src/a.mut.1.cpp"), PathBuf::from("src/a.mut.1.cpp"));
        assert_eq!(safe_name("../.."), PathBuf::from("mutant"));
    }
}
