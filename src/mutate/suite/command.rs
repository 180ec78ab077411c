//! The user's test command: refusals, and how it is made to stop at the first failing test.

use super::cmake::mentions;
use crate::diag::Problem;
use std::path::Path;

/// Refuses a command that would test the original.
pub(super) fn check(name: &str, command: &str, root: &Path, build: &Path) -> Result<(), Problem> {
    if command.trim().is_empty() {
        let what = format!("`--{name}` is empty");
        return Err(Problem::usage("suite-command", what, "give the command that runs the project's tests"));
    }
    for folder in [root, build] {
        if mentions(command, folder) {
            let what = format!("`--{name}` names {}, but the mutants are in a copy of the project", folder.display());
            let fix = "give paths relative to the project's root: the command is run there, in the copy";
            return Err(Problem::usage("suite-original", what, fix));
        }
    }
    Ok(())
}

/// The command with `--stop-on-failure` for each `ctest` in it.
pub(super) fn stopping_early(command: &str) -> String {
    let mut out = String::with_capacity(command.len() + 24);
    let mut word = String::new();
    // Whether the next word is a program's name.
    let mut expects = true;
    let mut quote = None;
    for c in command.chars().chain(['\n']) {
        let ends = quote.is_none() && (c.is_whitespace() || ";|&()".contains(c));
        if ends {
            if !word.is_empty() && expects {
                let plain = word.trim_matches(['"', '\'']);
                let assigns = plain.split_once('=').is_some_and(|(name, _)| !name.contains('/'));
                if plain == "ctest" || plain.ends_with("/ctest") {
                    out += " --stop-on-failure";
                }
                expects = assigns || ["env", "exec", "time", "nice", "xvfb-run"].contains(&plain);
            }
            word.clear();
            expects |= ";|&(\n".contains(c);
        } else {
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), _) if open == c => quote = None,
                _ => {}
            }
            word.push(c);
        }
        out.push(c);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctest_stops_at_the_first_failure_wherever_it_is_called() {
        let cases = [
            ("ctest --test-dir build", "ctest --stop-on-failure --test-dir build"),
            ("ctest", "ctest --stop-on-failure"),
            (
                "cd build && A=1 /usr/bin/ctest -V; echo ctest",
                "cd build && A=1 /usr/bin/ctest --stop-on-failure -V; echo ctest",
            ),
            ("make test", "make test"),
            ("sh -c 'x && ctest'", "sh -c 'x && ctest'"),
        ];
        for (command, expected) in cases {
            assert_eq!(stopping_early(command), expected);
        }
    }

    #[test]
    fn a_command_that_names_the_original_is_refused() {
        let (root, build) = (Path::new("/home/p"), Path::new("/home/p/build"));
        assert!(check("test-command", "cd /home/p/build && ctest", root, build).is_err());
        assert!(check("test-command", " ", root, build).is_err());
        assert!(check("test-command", "/home/p2/run build/tests", root, build).is_ok());
    }
}
