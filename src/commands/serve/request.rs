//! What the requests of the protocol do: mutants are made here, and searched by `fuzz` in a process of its own, which
//! can be stopped and cannot take the server with it.

use super::wire::{Code, Refusal};
use crate::cli::FuzzArgs;
use crate::config::Config;
use crate::context::{Context, Problems};
use crate::diag::{Exit, Problem};
use crate::mutate::choose::{choose, worth_trying};
use crate::mutate::list::{self, FILE_NAME};
use crate::options::Options;
use crate::outcome::{MutantOutcome, Outcome};
use crate::report::{View, elements, json};
use crate::run::Lock;
use crate::session::Session;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// The version of the protocol that is spoken.
const VERSION: &str = "1";

/// How `serve` was started.
#[derive(Clone)]
pub struct Settings {
    /// The options of `fuzz` that were given.
    pub fuzz: FuzzArgs,
    /// The same as words, for the process that searches.
    pub words: Vec<String>,
    /// The configuration that was named.
    pub config: Option<PathBuf>,
}

/// `configure`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigureParams {
    config_file_path: Option<PathBuf>,
}

/// `discover`.
#[derive(Deserialize)]
pub struct DiscoverParams {
    files: Option<Vec<FileRange>>,
}

/// `mutationTest`.
#[derive(Deserialize)]
pub struct MutationTestParams {
    files: Option<Vec<FileRange>>,
    mutants: Option<BTreeMap<PathBuf, WantedFile>>,
}

/// A file or folder, or a part of a file.
#[derive(Clone, Deserialize)]
struct FileRange {
    path: PathBuf,
    range: Option<Location>,
}

#[derive(Deserialize)]
struct WantedFile {
    mutants: Vec<Wanted>,
}

#[derive(Deserialize)]
struct Wanted {
    id: String,
}

#[derive(Clone, Copy, Deserialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Position {
    line: u32,
    column: u32,
}

/// The project as the client has configured it.
pub struct Project<'c> {
    context: &'c Context,
    settings: &'c Settings,
    config: Config,
    /// The configuration that the client has named.
    named: Option<PathBuf>,
}

impl<'c> Project<'c> {
    /// As it is before the client has said anything.
    pub fn new(context: &'c Context, settings: &'c Settings) -> Self {
        Self { context, settings, config: context.config.clone(), named: settings.config.clone() }
    }

    /// Takes the client's configuration file.
    ///
    /// # Errors
    ///
    /// It cannot be read or understood.
    pub fn configure(&mut self, params: ConfigureParams) -> Result<Value, Refusal> {
        if let Some(path) = params.config_file_path {
            self.config = Config::load(&self.context.root, Some(&path)).map_err(|problem| refused(&problem))?;
            self.named = Some(path);
        }
        Ok(json!({ "version": VERSION }))
    }

    /// The mutants that could be tried; nothing is compiled or written.
    ///
    /// # Errors
    ///
    /// The project cannot be read.
    pub fn discover(&self, params: DiscoverParams) -> Result<Value, Refusal> {
        let made = self.made(params.files.as_deref(), false).map_err(because)?;
        let view = made.view();
        let mutants = made.outcome.mutants.iter().map(|mutant| {
            let mut shown = elements::one(&view, mutant);
            if let Some(fields) = shown.as_object_mut() {
                let kept = ["id", "location", "description", "mutatorName", "replacement"];
                fields.retain(|name, _| kept.contains(&name.as_str()));
            }
            (mutant, shown)
        });
        Ok(by_file(mutants.filter(|(mutant, shown)| made.is_asked(mutant, shown))))
    }

    /// Searches for inputs that kill the mutants, and tells of those that are known as they are.
    ///
    /// # Errors
    ///
    /// The project cannot be read, nothing of it can be tested, or the client does not want the result any more.
    pub fn mutation_test(
        &self,
        params: MutationTestParams,
        progress: &dyn Fn(Value),
        is_unwanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Value, Refusal> {
        let wanted = params.mutants.map(|files| {
            let ids = files.values().flat_map(|file| &file.mutants).map(|mutant| mutant.id.clone()).collect();
            let ranges = files.keys().map(|path| FileRange { path: path.clone(), range: None }).collect();
            (ranges, ids)
        });
        let (files, ids): (Option<Vec<FileRange>>, Option<BTreeSet<String>>) = match wanted {
            Some((files, ids)) => (Some(files), Some(ids)),
            None => (params.files, None),
        };
        let mut made = self.made(files.as_deref(), true).map_err(because)?;
        let view = made.view();
        let is_wanted = |mutant: &&MutantOutcome| {
            ids.as_ref().is_none_or(|ids| ids.contains(&mutant.id))
                && made.is_asked(mutant, &elements::one(&view, mutant))
        };
        let wanted: BTreeSet<String> =
            made.outcome.mutants.iter().filter(is_wanted).map(|mutant| mutant.id.clone()).collect();
        made.keep(&wanted).map_err(because)?;
        if wanted.is_empty() {
            return Ok(by_file(std::iter::empty()));
        }
        // What the compiler says of them is known before anything is searched.
        let view = made.view();
        let known = made.outcome.mutants.iter().filter(|mutant| !mutant.is_untried());
        let known: Vec<_> = known.map(|mutant| (mutant, elements::one(&view, mutant))).collect();
        if !known.is_empty() {
            progress(by_file(known.into_iter()));
        }
        self.search(&made, progress, is_unwanted)
    }

    fn search(
        &self,
        made: &Made,
        progress: &dyn Fn(Value),
        is_unwanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Value, Refusal> {
        let cancelled = || {
            let what = "the request was cancelled; what was found is in the output folder";
            Err(Refusal::new(Code::Cancelled, what))
        };
        if is_unwanted() {
            return cancelled();
        }
        let options = &made.options;
        let stored = json::path(&options.output);
        let before = std::fs::read(&stored).unwrap_or_default();
        let mut problem = None;
        let status = self
            .fuzz(&made.list, is_unwanted, &mut |event| match event["event"].as_str() {
                Some("kill") => {
                    if let Some(mutant) = made.outcome.mutants.iter().find(|mutant| event["mutant"] == mutant.id) {
                        let mut shown = elements::one(&made.view(), mutant);
                        shown["status"] = "Killed".into();
                        shown["statusReason"] = "an input tells it from the original; its test is to be proved".into();
                        progress(by_file(std::iter::once((mutant, shown))));
                    }
                }
                Some("message") if event["level"] == "error" && problem.is_none() => problem = Some(event.clone()),
                _ => {}
            })
            .map_err(|error| because(error.into()))?;
        if is_unwanted() || status.code() == Some(Exit::Interrupted as i32) {
            return cancelled();
        }
        if std::fs::read(&stored).unwrap_or_default() == before {
            return Err(match problem {
                Some(event) => {
                    let [text, help] = ["text", "help"].map(|field| event[field].as_str().unwrap_or_default());
                    let data = json!({
                        "code": event["code"], "file": event["file"], "line": event["line"], "help": event["help"],
                    });
                    Refusal {
                        data: Some(data),
                        ..Refusal::new(Code::Problem, said(event["file"].as_str(), text, help))
                    }
                }
                None => Refusal::new(Code::Problem, format!("the search ended without a result: {status}")),
            });
        }
        let outcome = json::read_file(&stored).map_err(because)?;
        let view = View::new(&outcome, &options.root, &options.output);
        Ok(by_file(outcome.mutants.iter().map(|mutant| (mutant, elements::one(&view, mutant)))))
    }

    /// The mutants of the project in these files, with what the compiler says of them if `judged`.
    fn made(&self, files: Option<&[FileRange]>, judged: bool) -> anyhow::Result<Made> {
        let context = self.context;
        let options = Options::for_fuzz(&context.root, &self.settings.fuzz, self.config.clone())?;
        let mut session = Session::open(context, options)?;
        let root = session.options.root.clone();
        let asked: Option<Vec<(PathBuf, Option<Location>)>> = files.map(|files| {
            let found = files.iter().map(|file| (root.join(&file.path).components().collect::<PathBuf>(), file.range));
            // What is not of the project has no mutants, which is no error.
            let is_known = |path: &Path| session.model.files.keys().any(|known| known.starts_with(path));
            found.filter(|(path, _)| is_known(path)).collect()
        });
        let folder = tempfile::tempdir()?;
        let list = folder.path().join(FILE_NAME);
        if asked.as_ref().is_some_and(Vec::is_empty) {
            let options = session.options;
            return Ok(Made { options, outcome: Outcome::default(), list, asked, _folder: folder });
        }
        if let Some(asked) = &asked {
            session.options.scope.files = asked.iter().map(|(path, _)| path.display().to_string()).collect();
        }
        let session = session;
        let selection = if judged {
            // Objects that say what is equivalent are kept in the output folder.
            let _lock = Lock::take(&session.options.output)?;
            let judge = || {
                let builder = session.builder(context)?;
                choose(context, &session, &mut |mutants| worth_trying(context, &session, &builder, mutants))
            };
            judge().inspect_err(|error| session.give_up(error))?
        } else {
            choose(context, &session, &mut |_| Ok(()))?
        };
        json::write_whole(&list, serde_json::to_string(&list::list(&selection, None, &session))?.as_bytes())?;
        let outcome = json::read_file(&list)?;
        Ok(Made { options: session.options, outcome, list, asked, _folder: folder })
    }

    /// Runs `fuzz` on a list of mutants; it is asked to stop when nobody wants the result.
    fn fuzz(
        &self,
        list: &Path,
        is_unwanted: &(dyn Fn() -> bool + Sync),
        event: &mut dyn FnMut(Value),
    ) -> std::io::Result<ExitStatus> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("-C").arg(&self.context.root);
        if let Some(config) = &self.named {
            command.arg("--config").arg(config);
        }
        command.arg("fuzz").args(&self.settings.words).arg("--json-events").arg("--mutants").arg(list);
        let mut child = end_with_us(command).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let is_done = AtomicBool::new(false);
        let is_over = || is_unwanted() || self.context.is_interrupted();
        std::thread::scope(|scope| {
            let lines = child.stdout.take().map(BufReader::new);
            let id = child.id();
            let (is_done, is_over) = (&is_done, &is_over);
            scope.spawn(move || {
                while !is_done.load(Ordering::Relaxed) {
                    if is_over() {
                        interrupt(id);
                        return;
                    }
                    std::thread::sleep(super::WAIT);
                }
            });
            for line in lines.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
                if let Ok(line) = serde_json::from_str(&line) {
                    event(line);
                }
            }
            // Until here the process has not been waited for, so that its id is its own.
            is_done.store(true, Ordering::Relaxed);
        });
        Child::wait(&mut child)
    }
}

/// A server that is killed takes the search with it; it keeps what it has found.
fn end_with_us(mut command: Command) -> Command {
    use std::os::unix::process::CommandExt;
    // SAFETY: the call is async-signal-safe and touches nothing but the new process.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGINT) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    command
}

fn interrupt(process: u32) {
    // SAFETY: no memory is involved; the process is a child that has not been waited for.
    unsafe { libc::kill(process as libc::pid_t, libc::SIGINT) };
}

/// The mutants of a request.
struct Made {
    options: Options,
    outcome: Outcome,
    list: PathBuf,
    asked: Option<Vec<(PathBuf, Option<Location>)>>,
    _folder: tempfile::TempDir,
}

impl Made {
    fn view(&self) -> View<'_> {
        View::new(&self.outcome, &self.options.root, &self.options.output)
    }

    /// Whether the mutant is in one of the ranges: they share a character.
    fn is_asked(&self, mutant: &MutantOutcome, shown: &Value) -> bool {
        let Some(asked) = &self.asked else { return true };
        let Ok(place) = serde_json::from_value::<Location>(shown["location"].clone()) else { return false };
        let file = self.options.root.join(&mutant.file);
        asked.iter().any(|(path, range)| {
            let overlaps = |range: &Location| {
                let begins = range.start <= place.start && place.start < range.end;
                begins || place.start < range.start && range.start < place.end
            };
            file.starts_with(path) && range.as_ref().is_none_or(overlaps)
        })
    }

    /// Leaves out all mutants but these.
    fn keep(&mut self, ids: &BTreeSet<String>) -> anyhow::Result<()> {
        self.outcome.mutants.retain(|mutant| ids.contains(&mutant.id));
        if ids.is_empty() {
            return Ok(());
        }
        let mut list: Value = serde_json::from_slice(&std::fs::read(&self.list)?)?;
        if let Some(mutants) = list["mutants"].as_array_mut() {
            mutants.retain(|mutant| mutant["id"].as_str().is_some_and(|id| ids.contains(id)));
        }
        json::write_whole(&self.list, list.to_string().as_bytes())
    }
}

/// Mutants as the protocol has them: by their files.
fn by_file<'m>(mutants: impl Iterator<Item = (&'m MutantOutcome, Value)>) -> Value {
    let mut files = Map::new();
    for (mutant, shown) in mutants {
        let file = files.entry(mutant.file.to_string_lossy()).or_insert_with(|| json!({ "mutants": [] }));
        if let Some(mutants) = file["mutants"].as_array_mut() {
            mutants.push(shown);
        }
    }
    json!({ "files": files })
}

/// A problem in one line, as an editor shows it.
fn said(file: Option<&str>, what: &str, help: &str) -> String {
    let place = file.map(|file| format!("{file}: ")).unwrap_or_default();
    let help = if help.is_empty() { String::new() } else { format!("; {help}") };
    format!("{place}{what}{help}")
}

fn refused(problem: &Problem) -> Refusal {
    let data = json!({ "code": problem.code, "file": problem.file, "line": problem.line, "help": problem.fix });
    let file = problem.file.as_ref().map(|file| file.display().to_string());
    Refusal { data: Some(data), ..Refusal::new(Code::Problem, said(file.as_deref(), &problem.what, &problem.fix)) }
}

fn because(error: anyhow::Error) -> Refusal {
    if let Some(Problems(problems)) = error.downcast_ref()
        && let Some(problem) = problems.first()
    {
        return refused(problem);
    }
    match error.downcast_ref::<Problem>() {
        Some(problem) => refused(problem),
        None => Refusal::new(Code::Problem, format!("{error:#}")),
    }
}
