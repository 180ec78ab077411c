//! The command line as typed: one definition of each option makes parsing, help, man page and completions. `options`
//! decides what the arguments mean, together with the configuration.

mod adopt;
mod compare;
mod examples;
mod mutants;
mod serve;

pub use adopt::AdoptArgs;
pub use compare::CompareArgs;
pub use mutants::{DismissArgs, ExplainArgs, MutateArgs, ScopeArgs, SurvivorArgs, TestArgs};
pub use serve::ServeArgs;

use crate::choices::{
    AflMode, Budget, BudgetChoice, Color, Compiler, Coverage, Decide, Emit, Engine, Executor, Fault, Framework,
    GraphFormat, Limit, ListFormat, Percent, ReportFormat, ReportTo, Sanitizer, SchemaOf, Size, numbers,
};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Writes the tests that kill surviving C and C++ mutants.
///
/// For every mutant that survives a test suite, motif-cpp generates a driver that calls the original and the mutated
/// function with the same values, and searches for values on which they differ. It writes each find as a regression
/// test that is proved to pass on the original and to fail on the mutant.
#[derive(Debug, Parser)]
#[command(name = "motif-cpp", bin_name = "motif-cpp", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = EXIT_CODES)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    done, but below --fail-under, or --check, review, --fail-on-new or --fail-on-difference found
       something
  2    wrong command line, configuration, override, compile database or mutants
  3    a tool that is needed is missing or too old
  4    no unit could be tested
  130  interrupted; what was found is kept, `fuzz --resume` goes on";

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Change to DIR first; it is the project's root
    #[arg(short = 'C', value_name = "DIR", global = true, value_hint = ValueHint::DirPath)]
    #[arg(overrides_with = "directory")]
    pub directory: Option<PathBuf>,
    /// Read this configuration instead of motif.yaml
    #[arg(long, value_name = "FILE", global = true, value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Print more
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print problems only
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true)]
    pub color: Option<Color>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the external tools that were found, and how to install what is missing
    Doctor(DoctorArgs),
    /// List every function and method with how it would be driven, or why it cannot be
    Analyze(AnalyzeArgs),
    /// Make mutants with the built-in operators, without those not worth trying
    Mutate(MutateArgs),
    /// Write the editable utility class and override stub of a unit into utility-overrides/
    Scaffold(ScaffoldArgs),
    /// Compare what would be generated now with the accepted drivers in snapshots/
    Review(ReviewArgs),
    /// Search for inputs that kill the mutants, and write tests that prove it
    Fuzz(Box<FuzzArgs>),
    /// Compare the behaviour of two revisions, function by function
    Compare(CompareArgs),
    /// Join the results of shards into one, with the smallest set of tests over all
    Merge(MergeArgs),
    /// Write the tests again from the kills of the last run, in another framework or folder
    Testgen(TestgenArgs),
    /// Put proved tests into your own test tree and its build
    Adopt(AdoptArgs),
    /// Render the stored outcome of the last run again
    Report(ReportArgs),
    /// Show one mutant of the last run: its change and its status
    Explain(ExplainArgs),
    /// Record your own verdict on a mutant in motif-dismissed.yaml
    Dismiss(DismissArgs),
    /// Answer an editor: the Mutation Server Protocol on standard input and output
    Serve(ServeArgs),
    /// Show, bound or clear what is kept for all your runs
    Cache(CacheArgs),
    /// Print the JSON Schema of override files or of motif.yaml, for editors
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}

/// Where the project's build is and where output goes.
#[derive(Clone, Debug, Default, Args)]
pub struct ProjectArgs {
    /// Where compile_commands.json is [default: the project's root or build/ in it]
    #[arg(short = 'p', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub build_dir: Option<PathBuf>,
    /// The output folder [default: motif.out]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, overrides_with = "output")]
    pub output: Option<PathBuf>,
    /// Local workers [default: one per core]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::jobs)]
    pub jobs: Option<NonZeroUsize>,
    /// Keep the user's cache below this size; what was used longest ago goes first [default: 10GiB]
    #[arg(long, value_name = "SIZE")]
    pub cache_size: Option<Size>,
    /// Write what happens to standard output, as JSON lines
    #[arg(long, action = ArgAction::SetTrue)]
    pub json_events: bool,
}

/// `cache`.
#[derive(Clone, Debug, Default, Args)]
pub struct CacheArgs {
    /// Remove everything
    #[arg(long, action = ArgAction::SetTrue, conflicts_with = "cache_size")]
    pub clear: bool,
    /// Remove what was used longest ago until at most so much is left
    #[arg(long, value_name = "SIZE")]
    pub cache_size: Option<Size>,
    /// For people or for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ListFormat,
}

/// `doctor`.
#[derive(Clone, Debug, Default, Args)]
pub struct DoctorArgs {
    /// For people or for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ListFormat,
}

/// `analyze`.
#[derive(Clone, Debug, Default, Args)]
pub struct AnalyzeArgs {
    /// Units: ids, names, or parts of names between asterisks; all units if none is given
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Where the project is built.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// Also build every driver and run it, original against original: on its seeds, then for a short search
    #[arg(long, action = ArgAction::SetTrue, conflicts_with = "graph")]
    pub build: bool,
    /// With --build: what the search of a unit may take, a time or a number of executions [default: 2s]
    #[arg(long, value_name = "B", requires = "build")]
    pub budget: Option<Budget>,
    /// Only this many of the units, drawn at random
    #[arg(long, value_name = "N", value_parser = numbers::sample)]
    pub sample: Option<NonZeroUsize>,
    /// The random seed of the search and the sample [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,
    /// For people or for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ListFormat,
    /// Print the class hierarchy instead
    #[arg(long, value_name = "FORM", conflicts_with = "format")]
    pub graph: Option<GraphFormat>,
    /// Print how each unit is planned instead, and why so
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["format", "graph", "build"])]
    pub emit: Option<Emit>,
}

/// `scaffold`.
#[derive(Clone, Debug, Default, Args)]
pub struct ScaffoldArgs {
    /// Units: ids, names, or parts of names between asterisks; all units if none is given
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Where the project is built.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// Only units that have such files already
    #[arg(long, action = ArgAction::SetTrue)]
    pub update: bool,
    /// Write nothing; print the changes, and exit with 1 if a file would differ
    #[arg(long, action = ArgAction::SetTrue)]
    pub check: bool,
}

/// `review`.
#[derive(Clone, Debug, Default, Args)]
pub struct ReviewArgs {
    /// Units: ids, names, or parts of names between asterisks; those with accepted drivers if none is given
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Where the project is built.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// Every unit that can be driven, accepted before or not
    #[arg(long, action = ArgAction::SetTrue, conflicts_with = "units")]
    pub all: bool,
    /// Accept what would be generated now
    #[arg(long, action = ArgAction::SetTrue, conflicts_with = "reject")]
    pub accept: bool,
    /// Keep the accepted files, and do not ask about this change again
    #[arg(long, action = ArgAction::SetTrue)]
    pub reject: bool,
}

/// `schema`.
#[derive(Clone, Copy, Debug, Args)]
pub struct SchemaArgs {
    /// The kind of files
    #[arg(value_name = "OF")]
    pub of: SchemaOf,
}

/// `fuzz`.
#[derive(Clone, Debug, Default, Args)]
pub struct FuzzArgs {
    /// Units: ids, names, or parts of names between asterisks; all units with mutants if none is given
    #[arg(value_name = "UNIT")]
    pub units: Vec<String>,
    /// Where the project is built.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// The selection of mutants.
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// A folder of mutated source files, a mutants.json, or a list file with one name per line (`name[;F]`) [default:
    /// the built-in operators make them]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub mutants: Option<PathBuf>,
    /// The search engine [default: libfuzzer]
    #[arg(long, value_name = "NAME")]
    pub engine: Option<Engine>,
    /// The compiler of the search [default: clang]
    #[arg(long, value_name = "NAME")]
    pub compiler: Option<Compiler>,
    /// The sanitizer of the pass over survivors; with AFL++, the sanitizer of the search (also `memory`) [default:
    /// address, with AFL++ and `symbolic` none]
    #[arg(long, value_name = "NAME")]
    pub sanitizer: Option<Sanitizer>,
    /// The coverage that guides the search [default: edge]
    #[arg(long, value_name = "KIND")]
    pub coverage: Option<Coverage>,
    /// How inputs reach the program, with AFL++ [default: file]
    #[arg(long, value_name = "MODE")]
    pub afl_mode: Option<AflMode>,
    /// Failures that are inputs: on half of them one call of these kinds fails while the unit runs; the tests wrap what
    /// is to fail, by the linker's `--wrap` [default: none]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub fault: Vec<Fault>,
    /// Search per mutant (the solver has `--decide-budget`): CPU time (10s, 5m), executions (200000x), or `auto`: until
    /// an estimate says that as much again would hardly kill more, for 10s at most [default: 10s]
    #[arg(long, value_name = "B")]
    pub budget: Option<BudgetChoice>,
    /// With `--budget auto`: what lives may have at most this chance to be killed by as much search again, in percent
    /// [default: 1]
    #[arg(long, value_name = "PCT")]
    pub residual_risk: Option<Percent>,
    /// Search for the whole run: a time or executions [default: no limit]
    #[arg(long, value_name = "B")]
    pub total_budget: Option<Budget>,
    /// What is done with survivors after the search, not by AFL++ [default: all]
    #[arg(long, value_name = "WHAT")]
    pub decide: Option<Decide>,
    /// CPU time of the solver for each survivor [default: 30s]
    #[arg(long, value_name = "T")]
    pub decide_budget: Option<Limit>,
    /// CPU time for trying every input of a unit of numbers [default: 3m]
    #[arg(long, value_name = "T")]
    pub exhaustion_budget: Option<Limit>,
    /// The random seed [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,
    /// The form of the emitted tests [default: what the project's tests use, else gtest for C++ and assert for C]
    #[arg(long, value_name = "NAME")]
    pub framework: Option<Framework>,
    /// A test for each mutant instead of the smallest set of tests that kills all
    #[arg(long)]
    pub one_per_mutant: bool,
    /// Exit with 1 when the mutation score is below PCT percent
    #[arg(long, value_name = "PCT")]
    pub fail_under: Option<Percent>,
    /// Also write this report: to PATH, or into report/ of the output folder; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub report: Vec<ReportTo>,
    /// Continue the last run in this output folder; everything else must be unchanged
    #[arg(long, overrides_with = "resume")]
    pub resume: bool,
    /// Where units are searched [default: local]
    #[arg(long, value_name = "WHERE", overrides_with = "executor")]
    pub executor: Option<Executor>,
    /// The project's own tests.
    #[command(flatten)]
    pub tests: TestArgs,
    /// What is shown of survivors.
    #[command(flatten)]
    pub survivors: SurvivorArgs,
}

/// `testgen`.
#[derive(Clone, Debug, Default, Args)]
pub struct TestgenArgs {
    /// Where the kills are.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// The form of the tests [default: that of the run]
    #[arg(long, value_name = "NAME")]
    pub framework: Option<Framework>,
    /// A test for each mutant instead of the smallest set of tests that kills all
    #[arg(long)]
    pub one_per_mutant: bool,
    /// Write no tests, but a libFuzzer target with its corpus for each unit, to fuzz on [default folder: fuzz/ in the
    /// output folder]
    #[arg(long, action = ArgAction::SetTrue, conflicts_with_all = ["framework", "one_per_mutant"])]
    pub as_fuzz_target: bool,
    /// Write the tests here, a folder that is new, empty or was written like this; the result of the run stays as it is
    /// [default: tests/ in the output folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub into: Option<PathBuf>,
}

/// `merge`.
#[derive(Clone, Debug, Default, Args)]
pub struct MergeArgs {
    /// The output folders of the shards
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub folders: Vec<PathBuf>,
    /// Where the project is built, if not where the shards had it.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// Also write this report, in place of those that the shards were to write; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub report: Vec<ReportTo>,
    /// Go on where shards are missing or unfinished; the result says which
    #[arg(long)]
    pub allow_missing: bool,
}

/// `report`.
#[derive(Clone, Debug, Default, Args)]
pub struct ReportArgs {
    /// The output folder of the run [default: motif.out]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ReportFormat,
    /// Say what changed since this outcome: an outcomes.json, or its folder
    #[arg(long, value_name = "OLD", value_hint = ValueHint::AnyPath)]
    pub diff: Option<PathBuf>,
    /// Exit with 1 when the mutation score is below PCT percent
    #[arg(long, value_name = "PCT")]
    pub fail_under: Option<Percent>,
    /// What is shown of survivors.
    #[command(flatten)]
    pub survivors: SurvivorArgs,
}

/// `completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// The first argument of a child process that parses a translation unit; not a command, since it is not for people.
pub const PARSE_WORKER: &str = "__parse";

/// Reads the command line.
///
/// # Errors
///
/// Invalid arguments; or requested help or version.
pub fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let color =
        if colors(arguments.iter().cloned(), true) { clap::ColorChoice::Auto } else { clap::ColorChoice::Never };
    let matches = definition().color(color).try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

/// What `--color` says, before the command line is validated; without it, `terminal` decides.
pub fn colors(arguments: impl Iterator<Item = OsString>, terminal: bool) -> bool {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let given = arguments.iter().enumerate().find_map(|(at, argument)| match argument.strip_prefix("--color") {
        Some("") => arguments.get(at + 1).map(String::as_str),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    });
    match given {
        Some("always") => true,
        Some("never") => false,
        _ => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// The definition, for completions and the manual page.
pub fn definition() -> clap::Command {
    examples::add_to(Cli::command())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        definition().debug_assert();
    }

    #[test]
    fn the_help_of_every_command_ends_with_two_examples_that_are_understood() {
        for command in definition().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let (_, examples) = help.rsplit_once("Examples:\n").unwrap_or_else(|| panic!("{help}"));
            assert_eq!(examples.lines().count(), 2, "{examples}");
            for line in examples.lines() {
                let words = shell_words::split(line).unwrap();
                let end = words.iter().position(|word| word == "|" || word == ">").unwrap_or(words.len());
                let parsed = Cli::try_parse_from(&words[..end]);
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn a_number_that_is_none_is_answered_with_what_to_write() {
        for (line, words) in [
            ("fuzz --seed -5", "from 0 to"),
            ("mutate --seed x", "from 0 to"),
            ("fuzz -j 0", "one worker per core"),
            ("fuzz -j -1", "one worker per core"),
            ("mutate --sample 10%", "`--sample-rate 10%`"),
            ("mutate --sample 0", "from 1"),
        ] {
            let error = Cli::try_parse_from(format!("motif-cpp {line}").split_whitespace()).unwrap_err().to_string();
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn shared_options_are_spelled_alike_in_every_command_that_has_them() {
        let definition = definition();
        for long in ["build-dir", "output", "jobs", "fail-under", "seed", "since", "sample"] {
            let shorts: Vec<_> = definition
                .get_subcommands()
                .flat_map(|command| command.get_arguments().filter(|arg| arg.get_long() == Some(long)))
                .map(|arg| (arg.get_short(), arg.get_value_names().map(|names| names[0].to_string())))
                .collect();
            assert!(shorts.len() > 1 && shorts.windows(2).all(|pair| pair[0] == pair[1]), "{long}: {shorts:?}");
        }
    }

    #[test]
    fn an_argument_list_of_the_contract_is_understood() {
        let cli = Cli::try_parse_from(
            "motif-cpp -C proj fuzz -p build --mutants m --engine afl++ --sanitizer address --coverage laf \
             --budget 10s --total-budget 5m --seed 3 -j 2 --framework gtest --fail-under 80 sat::Mission::abort"
                .split_whitespace(),
        )
        .unwrap();
        let Command::Fuzz(fuzz) = cli.command else { panic!("not fuzz") };
        assert_eq!(fuzz.coverage, Some(Coverage::Laf));
        assert_eq!(fuzz.units, ["sat::Mission::abort"]);
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        for line in [
            "review --accept --reject",
            "review --all f",
            "schema",
            "explain",
            "fuzz --executor kubernetes",
            "merge",
            "fuzz --engine klee",
            "fuzz --framework criterion",
            "analyze --budget 1s",
            "analyze --build --graph dot",
            "report --format sariff",
            "fuzz --report sariff",
            "fuzz --report sarif=",
            "dismiss",
            "dismiss m",
            "dismiss --list --remove m",
            "dismiss m --reason r --as live",
            "analyze --graph png",
            "fuzz --shard 0/2",
            "mutate --mutants m",
            "mutate --list --files",
            "fuzz --sample 0",
            "fuzz --cache-size some",
            "cache --clear --cache-size 1G",
            "fuzz --sample 5 --sample-rate 0.5",
        ] {
            let error = Cli::try_parse_from(format!("motif-cpp {line}").split_whitespace()).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
