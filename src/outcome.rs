//! The result of a run as plain data: what `outcomes.json` holds and every report is made from.

mod classes;
mod shards;
mod verdicts;

pub use classes::ClassOutcome;
pub use shards::{Merged, ShardOutcome};
pub use verdicts::{Adoptable, Dismissed, Equivalence, Judgement, Proof, Suite, TestAccess, TestOutcome};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The JSON Schema of `outcomes.json`.
pub fn schema() -> serde_json::Value {
    serde_json::to_value(schemars::schema_for!(Outcome)).unwrap_or_default()
}

/// The status of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A replayed input distinguishes it from the original.
    Killed,
    /// Not distinguished.
    Live,
    /// Compiles to the same code as the original.
    Equivalent,
    /// Compiles to the same code as another mutant.
    Duplicate,
    /// The given file is not a mutant of one function of the project.
    Invalid,
    /// The mutated file fails under the project's own compile command.
    Unbuildable,
    /// No driver could be planned or built for its unit.
    NoDriver,
    /// Its unit's original crashes on every input.
    BaselineFailed,
    /// The tool failed on it.
    Error,
}

impl Status {
    /// All of them in the order of the summary.
    pub const ALL: [Status; 9] = [
        Status::Killed,
        Status::Live,
        Status::Equivalent,
        Status::Duplicate,
        Status::Invalid,
        Status::Unbuildable,
        Status::NoDriver,
        Status::BaselineFailed,
        Status::Error,
    ];

    /// Whether the score counts it: it should have been killed.
    pub fn is_tried(self) -> bool {
        use Status::{BaselineFailed, Error, Killed, Live, NoDriver};
        matches!(self, Killed | Live | NoDriver | BaselineFailed | Error)
    }

    /// The name used in `outcomes.json`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Killed => "killed",
            Status::Live => "live",
            Status::Equivalent => "equivalent",
            Status::Duplicate => "duplicate",
            Status::Invalid => "invalid",
            Status::Unbuildable => "unbuildable",
            Status::NoDriver => "no_driver",
            Status::BaselineFailed => "baseline_failed",
            Status::Error => "error",
        }
    }
}

/// The kind of difference between mutant and original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum How {
    Output,
    State,
    Exception,
    Crash,
    Sanitizer,
    Hang,
}

/// Where the killing input came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum By {
    Seed,
    Search,
    Reuse,
    Exhaustion,
    Symbolic,
}

/// How a unit is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Driver {
    /// Planned and generated without help.
    Generated,
    /// An override file was used.
    Overridden,
    /// The user's edited utility class was used.
    Edited,
    /// No plan was found.
    Unplannable,
    /// Its code does not compile or link.
    Unbuildable,
}

/// Where a mutant lives, the best way last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Home {
    /// In an image of its own: the driver is built once more, with the mutated file in the original's place.
    Image,
    /// With others in an image: the driver is built once more for all of them, against the text with the mutants in
    /// place.
    InPlace,
    /// In a copy of what is mutated, which the driver has beside the original.
    Copy,
}

/// How the `mut_` version was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Copy {
    /// A renamed copy of the class.
    Class,
    /// The mutated source file, built as an image.
    Image,
    /// A renamed copy of the function.
    Function,
}

/// A proved kill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kill {
    /// The kind of difference.
    pub how: How,
    /// Where the input came from.
    pub by: By,
    /// The raw input, relative to the output folder.
    pub input: PathBuf,
    /// Seconds of the unit's search until this kill, as a budget in time counts them.
    pub seconds: f64,
    /// CPU seconds the unit had spent, building and searching, when this mutant was killed.
    pub cpu_seconds: f64,
    /// Inputs tried until then.
    pub executions: u64,
    /// The regression test, relative to the output folder (`tests/FILE#Suite.Name`, in C `tests/FILE#Name`).
    pub test: Option<String>,
    /// The emitted test passed on the original and failed on the mutant, without any generated copy.
    pub verified: bool,
}

/// How far the search got with a mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effort {
    /// Seconds, as a budget in time counts them.
    pub seconds: f64,
    /// CPU seconds of the search for this mutant, until the kill; of the whole unit's search if its mutants share
    /// one.
    #[serde(default)]
    pub cpu_seconds: f64,
    /// Inputs tried.
    pub executions: u64,
    /// Of those, inputs on which the original returned or threw; `None` if the engine does not say.
    #[serde(default)]
    pub returned: Option<u64>,
    /// The changed place was reached; where that is not noted, the function was.
    pub reached: bool,
    /// On some input the changed expression had another value than in the original; `None` if that was not
    /// observable.
    pub infected: Option<bool>,
    /// The estimated chance, from 0 to 1, that as much search again would kill it; `None` where it does not live, or
    /// the engine does not say.
    #[serde(default)]
    pub residual_risk: Option<f64>,
}

/// A unit under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitOutcome {
    /// `sat::ChargeableModule::isAutonomous(const sat::Mission &) const`.
    pub id: String,
    /// Relative to the project.
    pub file: PathBuf,
    /// Line of the definition.
    pub line: u32,
    /// `method | constructor | operator | static_method | function`.
    pub kind: String,
    /// How it was driven.
    pub driver: Driver,
    /// How its mutants were built.
    pub copy: Option<Copy>,
    /// Why it could not be driven, or why its mutants cannot be killed.
    pub reason: Option<String>,
    /// Its cost.
    #[serde(default)]
    pub cpu_seconds: UnitSeconds,
    /// Inputs on which the original did not return in time, in all searches by the default engine.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hangs: u64,
    /// Inputs on which the original crashed or hung: broken preconditions or faults, relative to the output folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspected_faults: Vec<SuspectedFault>,
}

/// Serde requires this signature.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Serde requires this signature.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_free(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// CPU seconds of one unit, without shared work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitSeconds {
    /// Compiling and linking the engine's programs.
    pub build: f64,
    /// Running them: on seeds, in the search, under a sanitizer.
    pub search: f64,
    /// Confirming candidates in fresh processes.
    pub triage: f64,
}

/// An input on which the original itself failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SuspectedFault {
    /// The raw input, relative to the output folder.
    pub input: PathBuf,
    /// `SIGSEGV`, `hang`, …
    pub what: String,
}

/// A mutant's outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MutantOutcome {
    /// Its path relative to the mutants' folder.
    pub id: String,
    /// The original file, relative to the project.
    pub file: PathBuf,
    /// Line of the first change.
    pub line: u32,
    /// The operator's name (`ROR`).
    pub operator: String,
    /// Id of its unit, where it was paired with one.
    pub unit: Option<String>,
    /// Its status.
    pub status: Status,
    /// The reason, for every status but `killed`.
    pub reason: Option<String>,
    /// The kill.
    pub kill: Option<Kill>,
    /// The effort spent.
    pub effort: Option<Effort>,
    /// Unified diff against the original.
    #[serde(default)]
    pub diff: String,
    /// The proof that it behaves like the original.
    #[serde(default)]
    pub equivalence: Option<Equivalence>,
    /// Stays the same while the mutated statement and the name of its function do.
    #[serde(default)]
    pub fingerprint: String,
    /// The verdict of the project's own tests, where they were run.
    #[serde(default)]
    pub suite: Option<Suite>,
    /// The project's tests leave it, and in the baseline they did not; `None` without a baseline.
    #[serde(default)]
    pub new: Option<bool>,
    /// A person's verdict.
    #[serde(default)]
    pub dismissed: Option<Dismissed>,
    /// A score in percent of how often people adopted tests for mutants of its operator and of its function, rather
    /// than dismissed them; `None` where they did nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usefulness: Option<u8>,
    /// An earlier run has found it, and nothing that it depends on has changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taken_over: bool,
}

/// The reason of a live mutant that none of the project's own tests reaches.
pub const UNREACHED: &str = "no test reaches it";
/// The reason of a live mutant that nothing has been tried on.
pub const UNTRIED: &str = "not tried yet";

impl MutantOutcome {
    /// Nothing has been tried on it: `mutate` made it, and no search or test has met it.
    pub fn is_untried(&self) -> bool {
        self.status == Status::Live && self.effort.is_none() && self.reason.as_deref() == Some(UNTRIED)
    }

    /// The score of the project's own tests counts it: it should have been killed, or they have met it.
    pub fn is_of_score(&self) -> bool {
        (self.status.is_tried() || self.suite.is_some()) && !self.is_untried()
    }

    /// A proved new test kills it.
    pub fn is_proved(&self) -> bool {
        self.kill.as_ref().is_some_and(|kill| kill.verified)
    }

    /// It was tried, nobody and nothing tells it from the original, and nobody has dismissed it.
    pub fn is_survivor(&self) -> bool {
        let killed = self.suite == Some(Suite::Killed);
        self.status == Status::Live && self.dismissed.is_none() && !killed && !self.is_untried()
    }

    /// The project's tests as they are leave it: a survivor, or one that only a new test kills, which they do not have.
    pub fn is_left(&self) -> bool {
        let by_tests = matches!(self.suite, Some(Suite::Live | Suite::NotCovered));
        self.is_survivor() || by_tests && self.status == Status::Killed && self.dismissed.is_none()
    }

    /// It belongs to the survivors that a report lists: what is new there may have a test already.
    pub fn is_listed(&self) -> bool {
        self.is_survivor() || self.new == Some(true)
    }

    /// What names it in another outcome: its fingerprint, or the id in outcomes of before fingerprints.
    pub fn key(&self) -> &str {
        if self.fingerprint.is_empty() { &self.id } else { &self.fingerprint }
    }

    /// A proof within a bound says that it behaves like the original.
    pub fn is_equal_within_bound(&self) -> bool {
        self.status == Status::Live && self.equivalence.as_ref().is_some_and(|proof| proof.bound.is_some())
    }
}

/// CPU seconds by stage, children included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct CpuSeconds {
    pub analyse: f64,
    pub build: f64,
    /// The part of `build` that serves all units, mostly the project's own objects.
    #[serde(default)]
    pub shared: f64,
    pub search: f64,
    /// Verdicts on survivors: every input tried.
    #[serde(default)]
    pub decide: f64,
    pub triage: f64,
    pub prove: f64,
    /// The project's own tests, with what builds them.
    #[serde(default, skip_serializing_if = "is_free")]
    pub suite: f64,
}

impl std::ops::AddAssign for CpuSeconds {
    fn add_assign(&mut self, more: Self) {
        self.analyse += more.analyse;
        self.build += more.build;
        self.shared += more.shared;
        self.search += more.search;
        self.decide += more.decide;
        self.triage += more.triage;
        self.prove += more.prove;
        self.suite += more.suite;
    }
}

/// Counts by status, and the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Summary {
    pub killed: usize,
    pub live: usize,
    pub equivalent: usize,
    pub duplicate: usize,
    pub invalid: usize,
    pub unbuildable: usize,
    pub no_driver: usize,
    pub baseline_failed: usize,
    pub error: usize,
    /// killed / (killed + live + no_driver + baseline_failed + error); none over nothing.
    pub score: Option<f64>,
    /// Killed by the project's own tests / all tried; none where they were not run.
    #[serde(default)]
    pub suite_score: Option<f64>,
    /// Killed by the project's own tests or a proved new one / all tried; none where they were not run.
    #[serde(default)]
    pub combined_score: Option<f64>,
    /// Mutants with a person's verdict.
    #[serde(default)]
    pub dismissed: usize,
    /// Live mutants that are equivalent as far as a bounded proof goes.
    #[serde(default)]
    pub equal_within_bound: usize,
}

/// The whole result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Outcome {
    pub schema: u32,
    pub tool: String,
    pub seed: u64,
    pub engine: String,
    /// RFC 3339.
    pub started: String,
    /// The command line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// The project's revision, as git describes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The commit whose files the run read; none if it read the working tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    pub wall_seconds: f64,
    pub cpu_seconds: CpuSeconds,
    pub units: Vec<UnitOutcome>,
    /// The classes of the units, and all that these derive from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassOutcome>,
    pub mutants: Vec<MutantOutcome>,
    /// The tests that the run wrote.
    #[serde(default)]
    pub tests: Vec<TestOutcome>,
    pub summary: Summary,
    /// The run was interrupted before it was done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// The part of a run that this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardOutcome>,
    /// The parts that were merged into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
}

impl Summary {
    /// Counts `mutants`.
    pub fn of<'m>(mutants: impl IntoIterator<Item = &'m MutantOutcome>) -> Self {
        let mut sum = Summary::default();
        let (mut suite, mut tried, mut met, mut suite_kills, mut kills) = (false, 0usize, 0usize, 0usize, 0usize);
        for mutant in mutants {
            sum.dismissed += usize::from(mutant.dismissed.is_some());
            sum.equal_within_bound += usize::from(mutant.is_equal_within_bound());
            suite |= mutant.suite.is_some();
            tried += usize::from(mutant.status.is_tried() && !mutant.is_untried());
            if mutant.is_of_score() {
                met += 1;
                suite_kills += usize::from(mutant.suite == Some(Suite::Killed));
                kills += usize::from(mutant.suite == Some(Suite::Killed) || mutant.is_proved());
            }
            *match mutant.status {
                Status::Killed => &mut sum.killed,
                Status::Live => &mut sum.live,
                Status::Equivalent => &mut sum.equivalent,
                Status::Duplicate => &mut sum.duplicate,
                Status::Invalid => &mut sum.invalid,
                Status::Unbuildable => &mut sum.unbuildable,
                Status::NoDriver => &mut sum.no_driver,
                Status::BaselineFailed => &mut sum.baseline_failed,
                Status::Error => &mut sum.error,
            } += 1;
        }
        let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
        sum.score = share(sum.killed, tried);
        sum.suite_score = share(suite_kills, met).filter(|_| suite);
        sum.combined_score = share(kills, met).filter(|_| suite);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_projects_tests_have_a_score_of_their_own_and_only_proved_kills_are_added_to_it() {
        let mut outcome = sample::outcome();
        let before = Summary::of(&outcome.mutants);
        assert_eq!((before.suite_score, before.combined_score), (None, None));
        assert_eq!(before.score, Some(0.5));
        // Two killed and two live ones count: the suite kills a live one, and one of the two kills is not proved.
        outcome.mutants[2].suite = Some(Suite::Killed);
        outcome.mutants[3].suite = Some(Suite::NotCovered);
        outcome.mutants[1].kill.as_mut().unwrap().verified = false;
        let after = Summary::of(&outcome.mutants);
        assert_eq!((after.suite_score, after.combined_score, after.score), (Some(0.25), Some(0.5), Some(0.5)));
        // One that they stopped before is not counted, one that was found equivalent behind them is.
        let mut untried = outcome.mutants[3].clone();
        (untried.suite, untried.effort, untried.reason) = (None, None, Some(UNTRIED.to_owned()));
        outcome.mutants.push(MutantOutcome { suite: Some(Suite::Live), status: Status::Equivalent, ..untried.clone() });
        outcome.mutants.push(untried);
        assert_eq!(Summary::of(&outcome.mutants).suite_score, Some(0.2));
    }

    #[test]
    fn a_proof_within_a_bound_and_a_dismissal_are_counted_and_never_as_kills() {
        let mut outcome = sample::outcome();
        let bound = Some("4 iterations".to_owned());
        outcome.mutants[2].equivalence = Some(Equivalence { bound, ..Equivalence::by(Proof::Solver) });
        let verdict = Dismissed { judgement: Judgement::Unwanted, reason: "log text".into(), by: None };
        outcome.mutants[3].dismissed = Some(verdict);
        let sum = Summary::of(&outcome.mutants);
        assert_eq!((sum.equal_within_bound, sum.dismissed, sum.killed, sum.live), (1, 1, 2, 2));
    }
}
