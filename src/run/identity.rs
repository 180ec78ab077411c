//! The identity of a run: everything that its result depends on. A resumed run compares its identity with the
//! original's.

use crate::choices::Framework;
use crate::diag::Problem;
use crate::judgements::adopted::Ledger;
use crate::mutant::Mutant;
use crate::options::{Options, TestOptions};
use crate::session::Session;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The options that decide in which form tests are written.
const FORM: [&str; 2] = ["--framework", "--one-per-mutant"];
/// The options that decide what is found of a unit, and how it is proved; the others decide which units there are.
const DECIDING: [&str; 13] = [
    "--seed",
    "--engine",
    "--compiler",
    "--sanitizer",
    "--coverage",
    "--afl-mode",
    "--fault",
    "--budget",
    "--total-budget",
    FORM[0],
    "link",
    "pkg-config",
    SWITCHED_OFF,
];
const SWITCHED_OFF: &str = "what the environment switches off";

/// What a run goes on with.
#[derive(Clone, Copy, Debug)]
pub enum Before<'b> {
    /// An earlier run, resumed.
    Resumed,
    /// Shards.
    Shards,
    /// A whole run, in this folder.
    Stored(&'b Path),
}

/// Names with values, or with hashes of contents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Options by their names.
    options: BTreeMap<String, String>,
    /// Files of the project by their paths from its root.
    files: BTreeMap<PathBuf, String>,
    /// Other inputs, under names for people.
    rest: BTreeMap<String, String>,
}

impl Identity {
    /// For a run over this project; the mutants are added later.
    pub fn of(session: &Session) -> Self {
        let options = &session.options;
        let mut identity = Self { options: named(options), ..Self::default() };
        identity.options.insert(SWITCHED_OFF.into(), session.switches.to_string());
        let mut outside = Sha256::new();
        let overrides = std::fs::read_dir(options.project.join("utility-overrides")).into_iter().flatten().flatten();
        let overrides: BTreeSet<PathBuf> = overrides.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        // Adopted tests are what a run has made, not what it depends on; nor is what only they include.
        let ledger = Ledger::read(&options.root).unwrap_or_default();
        let adopted: BTreeSet<PathBuf> = ledger.all.iter().map(|known| options.root.join(&known.file)).collect();
        let units = || session.model.units.iter();
        let of_others = units().filter(|unit| !adopted.contains(&unit.main_file)).flat_map(|unit| &unit.files);
        let of_adopted = units().filter(|unit| adopted.contains(&unit.main_file)).flat_map(|unit| &unit.files);
        let of_others: BTreeSet<&PathBuf> = of_others.collect();
        let left_out: BTreeSet<&PathBuf> = of_adopted.filter(|file| !of_others.contains(file)).collect();
        let files = session.model.files.keys().filter(|file| !left_out.contains(file));
        for path in files.chain(&overrides) {
            // A file that cannot be read any more has changed.
            let text = std::fs::read(path).unwrap_or_default();
            match path.strip_prefix(&options.root).or_else(|_| path.strip_prefix(&options.project)) {
                Ok(name) => {
                    identity.files.insert(name.to_path_buf(), hex(Sha256::digest(&text).as_slice()));
                }
                Err(_) => {
                    outside.update(path.as_os_str().as_encoded_bytes());
                    outside.update([0]);
                    outside.update(Sha256::digest(&text));
                }
            }
        }
        let commands = session.database.commands.iter().filter(|command| !adopted.contains(&command.file));
        let commands: Vec<String> = commands.map(|command| format!("{command:?}")).collect();
        identity.rest = BTreeMap::from([
            ("the version of motif-cpp".into(), env!("CARGO_PKG_VERSION").into()),
            ("headers outside the project".into(), hex(outside.finalize().as_slice())),
            ("the compile commands".into(), hash(commands.iter().map(String::as_str))),
        ]);
        identity
    }

    /// Adds the mutants of the run.
    #[must_use]
    pub fn with(mut self, mutants: &[Mutant]) -> Self {
        let hash = hash(mutants.iter().flat_map(|mutant| [mutant.id.as_str(), mutant.diff.as_str()]));
        self.rest.insert("the mutants".into(), hash);
        self
    }

    /// Refuses to go on with a run that has another identity. Entries that only one of them has are ignored.
    ///
    /// # Errors
    ///
    /// The first difference, by name.
    pub fn check(&self, before: &Self, output: &Path, kind: Before<'_>) -> Result<(), Problem> {
        let Some(what) = self.difference(before) else { return Ok(()) };
        if let Before::Stored(folder) = kind {
            let fix = "run `motif-cpp fuzz` again, or restore what has changed";
            let what = format!("the run that is stored here had other sources: {what}");
            return Err(Problem::usage("run-differs", what, fix).at(folder));
        }
        if matches!(kind, Before::Shards) {
            let fix = "merge where the sources, the build and motif.yaml are as the shards had them";
            return Err(Problem::usage(
                "shard-differs",
                format!("the shards had other sources than this: {what}"),
                fix,
            ));
        }
        let fix = "restore what has changed, or start anew without `--resume`";
        Err(Problem::usage("resume-differs", format!("this is not the same run: {what}"), fix).at(output))
    }

    /// That of the whole run, if this is a shard's.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.options.insert("--shard".into(), String::new());
        self.rest.remove("the mutants");
        self
    }

    /// Takes over the form of tests that `options` ask for; whether it is another one.
    pub fn takes_form(&mut self, options: &Options) -> bool {
        let mut now = named(options);
        let mut take = |name: &str| {
            let now = now.remove(name).unwrap_or_default();
            self.options.insert(name.into(), now.clone()).unwrap_or_default() != now
        };
        let [framework, number] = FORM.map(&mut take);
        framework || number
    }

    /// Digests of the options of the whole run, and of all else but the mutants.
    pub fn digests(&self) -> (String, String) {
        let whole = self.clone().whole();
        let options = hash(whole.options.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]));
        let files = whole.files.iter().map(|(file, digest)| format!("{} {digest}", file.display()));
        let rest = whole.rest.iter().map(|(name, digest)| format!("{name} {digest}"));
        let sources: Vec<String> = files.chain(rest).collect();
        (options, hash(sources.iter().map(String::as_str)))
    }

    /// Digest of what the result of each unit depends on beside the project: how it was searched, and with what.
    pub fn of_results(&self, session: &Session, frameworks: &[Framework]) -> String {
        let options = DECIDING.iter().filter_map(|name| Some(format!("{name} {}", self.options.get(*name)?)));
        let rest = ["the version of motif-cpp", "headers outside the project"].iter();
        let rest = rest.filter_map(|name| self.rest.get(*name).cloned());
        let clang = session.tools.clang().map(|clang| clang.version.to_string()).unwrap_or_default();
        let decide = format!("{:?}", session.options.decide);
        let frameworks = format!("{frameworks:?}");
        let all: Vec<String> = options.chain(rest).chain([clang, decide, frameworks]).collect();
        hash(all.iter().map(String::as_str))
    }

    /// The first difference to another one, by name.
    pub fn difference(&self, before: &Self) -> Option<String> {
        for (name, now) in &self.options {
            match before.options.get(name) {
                Some(then) if then == now => {}
                // An option that is newer than that run.
                None if now.is_empty() => {}
                then => {
                    let said =
                        |value: &str| if value.is_empty() { "not given".to_owned() } else { format!("`{value}`") };
                    let then = said(then.map_or("", String::as_str));
                    return Some(format!("{name} was {then}, and is {}", said(now)));
                }
            }
        }
        let all: BTreeSet<&PathBuf> = self.files.keys().chain(before.files.keys()).collect();
        for name in all {
            let what = match (self.files.get(name), before.files.get(name)) {
                (Some(now), Some(then)) if now == then => continue,
                (Some(_), Some(_)) => "has changed",
                (Some(_), None) => "is new",
                _ => "is gone",
            };
            return Some(format!("{} {what}", name.display()));
        }
        let others = |name: &&String| before.rest.get(*name).is_some_and(|then| then != &self.rest[*name]);
        self.rest.keys().find(others).map(|name| {
            let verb = if name.ends_with('s') { "have" } else { "has" };
            format!("{name} {verb} changed")
        })
    }
}

/// The options that a result depends on; not the number of jobs or the treatment of the score.
fn named(options: &Options) -> BTreeMap<String, String> {
    let scope = &options.scope;
    let shown = |path: &PathBuf| path.display().to_string();
    let tests = |of: fn(&TestOptions) -> Option<String>| options.tests.as_ref().and_then(of).unwrap_or_default();
    let lines: Vec<String> = scope.lines.iter().map(|lines| format!("{lines:?}")).collect();
    [
        ("--seed", options.seed.to_string()),
        ("--engine", options.engine.to_string()),
        ("--compiler", options.compiler.to_string()),
        ("--sanitizer", options.sanitizer.to_string()),
        ("--coverage", options.coverage.to_string()),
        ("--afl-mode", options.afl_mode.to_string()),
        ("--fault", options.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
        ("--budget", options.budget.to_string()),
        ("--residual-risk", options.residual_risk.map(|risk| risk.0.to_string()).unwrap_or_default()),
        ("--decide", options.decide.to_string()),
        ("--total-budget", options.total_budget.map(|budget| budget.to_string()).unwrap_or_default()),
        ("--mutants", options.mutants.as_ref().map(shown).unwrap_or_default()),
        ("UNIT", options.units.join(" ")),
        ("--file", scope.files.join(" ")),
        ("--exclude", scope.exclude.join(" ")),
        ("--operators", scope.operators.join(",")),
        ("--lines", lines.join(" ")),
        ("--since", scope.since.clone().unwrap_or_default()),
        ("--coverage-file", scope.coverage_file.as_ref().map(shown).unwrap_or_default()),
        ("--sample", scope.sample.map(|sample| format!("{sample:?}")).unwrap_or_default()),
        ("--stratify", format!("{:?}", scope.stratify)),
        ("--test-command", tests(|tests| Some(tests.command.clone()))),
        ("--build-command", tests(|tests| tests.build_command.clone())),
        (FORM[0], options.framework.map(|framework| format!("{framework:?}")).unwrap_or_default()),
        (FORM[1], if options.one_per_mutant { "given" } else { "" }.to_owned()),
        ("--shard", options.shard.map(|shard| shard.to_string()).unwrap_or_default()),
        ("link", options.link.join(" ")),
        ("pkg-config", options.pkg_config.join(" ")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn hash<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    hex(hash.finalize().as_slice())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let map = |key: &str, value: &str| BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let files = |name: &str, hash: &str| BTreeMap::from([(PathBuf::from(name), hash.to_owned())]);
        let one =
            Identity { options: map("--seed", "1"), files: files("src/a.c", "aa"), rest: map("the mutants", "m") };
        let said = |now: &Identity| now.difference(&one);
        assert_eq!(said(&one), None);
        let other = Identity { options: map("--seed", "2"), ..one.clone() };
        assert_eq!(said(&other).unwrap(), "--seed was `1`, and is `2`");
        assert_eq!(said(&Identity { files: files("src/a.c", "bb"), ..one.clone() }).unwrap(), "src/a.c has changed");
        assert_eq!(said(&Identity { files: BTreeMap::new(), ..one.clone() }).unwrap(), "src/a.c is gone");
        assert_eq!(
            said(&Identity { rest: map("the mutants", "n"), ..one.clone() }).unwrap(),
            "the mutants have changed"
        );
        // Before the mutants are known, they are not compared.
        assert_eq!(said(&Identity { rest: BTreeMap::new(), ..one.clone() }), None);
        let code = |kind| {
            let problem = other.check(&one, Path::new("out"), kind).unwrap_err();
            assert_eq!(problem.exit, crate::diag::Exit::Usage);
            problem.code
        };
        assert_eq!(code(Before::Resumed), "resume-differs");
        assert_eq!(code(Before::Shards), "shard-differs");
        assert_eq!(code(Before::Stored(Path::new("out"))), "run-differs");
    }
}
