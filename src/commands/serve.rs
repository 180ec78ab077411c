//! `serve`: the Mutation Server Protocol, by which editors ask for mutants and show survivors in place.
//!
//! One thread reads what the client says, so that a request can be cancelled while another is answered; requests are
//! answered one after the other. Nothing but messages goes to the channel; notes and problems go to standard error.

mod request;
mod wire;

use super::Context;
use crate::choices::Channel;
use crate::cli::{self, Command, ServeArgs};
use crate::diag::{Exit, Problem};
use request::{Project, Settings};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wire::{Code, Incoming, Outlet, Refusal};

/// So often it is seen whether the user wants to stop.
const WAIT: Duration = Duration::from_millis(100);

/// What the client does not want any more.
#[derive(Default)]
struct Unwanted {
    ids: Mutex<BTreeSet<String>>,
    all: AtomicBool,
}

impl Unwanted {
    fn add(&self, id: &Value) {
        self.ids.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(id.to_string());
    }

    fn has(&self, id: &Value) -> bool {
        self.ids.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).contains(&id.to_string())
    }

    /// A client that says nothing more still reads what takes no time, but nobody waits for a search.
    fn has_search(&self, id: &Value) -> bool {
        self.all.load(Ordering::Relaxed) || self.has(id)
    }
}

/// Answers clients until they, or the user, have no more to say.
///
/// # Errors
///
/// Options that `fuzz` would refuse, a port that is taken, a channel that breaks.
pub fn run(context: &Context, args: &ServeArgs, config: Option<&Path>) -> anyhow::Result<Exit> {
    let settings = settings(args, config)?;
    if args.channel == Channel::Stdio {
        return converse(context, &settings, std::io::stdin(), std::io::stdout());
    }
    let place = (args.address.as_deref().unwrap_or("localhost"), args.port.unwrap_or_default());
    let taken = |error: std::io::Error| {
        let what = format!("cannot listen at {}:{}: {error}", place.0, place.1);
        Problem::usage("serve-socket", what, "give a free port and an address of this machine")
    };
    let listener = TcpListener::bind(place).map_err(taken)?;
    listener.set_nonblocking(true)?;
    context.ui.note(format_args!("listening at {}", listener.local_addr()?));
    while !context.is_interrupted() {
        match listener.accept() {
            Ok((client, _)) => {
                client.set_nonblocking(false)?;
                // What breaks with one client is no reason not to answer the next.
                if let Err(error) = converse(context, &settings, client.try_clone()?, client) {
                    context.ui.note(format_args!("the client is gone: {error:#}"));
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(WAIT),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Exit::Interrupted)
}

/// The options behind `--`, as `fuzz` understands them.
fn settings(args: &ServeArgs, config: Option<&Path>) -> Result<Settings, Problem> {
    let refuse = |what: String| {
        let fix = "behind `--` stand options of `fuzz`, which `motif-cpp fuzz --help` lists";
        Problem::usage("serve-options", what, fix)
    };
    let words = ["motif-cpp", "fuzz"].into_iter().chain(args.options.iter().map(String::as_str));
    let words: Vec<_> = words.map(Into::into).collect();
    let parsed = cli::parse(&words).map_err(|error| {
        let text = error.to_string();
        let said = text.lines().next().unwrap_or_default();
        refuse(said.trim_start_matches("error: ").to_owned())
    })?;
    let Command::Fuzz(fuzz) = parsed.command else { return Err(refuse("this is another command".into())) };
    let one_run = [
        (fuzz.mutants.is_some(), "--mutants"),
        (fuzz.resume, "--resume"),
        (fuzz.scope.shard.is_some(), "--shard"),
        (fuzz.executor.is_some(), "--executor"),
    ];
    if let Some((_, name)) = one_run.into_iter().find(|(given, _)| *given) {
        return Err(refuse(format!("`{name}` is for one run; here the client says which mutants are tried, and when")));
    }
    Ok(Settings { fuzz: *fuzz, words: args.options.clone(), config: config.map(Path::to_path_buf) })
}

/// One client, from its first message to its last.
fn converse(
    context: &Context,
    settings: &Settings,
    from: impl Read + Send + 'static,
    to: impl Write + Send,
) -> anyhow::Result<Exit> {
    let outlet = Outlet::new(to);
    let unwanted = Arc::new(Unwanted::default());
    let (sender, receiver) = mpsc::channel();
    let reader = Arc::clone(&unwanted);
    // It ends with the stream; a client that says nothing more does not keep the process.
    std::thread::spawn(move || listen(BufReader::new(from), &sender, &reader));
    let mut project = Project::new(context, settings);
    answer_all(context, &mut project, &outlet, &unwanted, &receiver)
}

/// Reads messages until the client is done. Cancellations take effect at once, everything else in turn.
fn listen(mut from: impl BufRead, to: &Sender<Incoming>, unwanted: &Unwanted) {
    loop {
        let message = match wire::read(&mut from) {
            Ok(Some(message)) => message,
            Ok(None) => break,
            Err(error) => {
                let _ = to.send(Incoming::Broken(Value::Null, Refusal::new(Code::Parse, error.to_string())));
                break;
            }
        };
        match &message {
            Incoming::Notification { method, params } if method == "$/cancelRequest" => unwanted.add(&params["id"]),
            Incoming::Notification { method, .. } if method == "exit" => break,
            _ => {
                if to.send(message).is_err() {
                    return;
                }
            }
        }
    }
    unwanted.all.store(true, Ordering::Relaxed);
}

fn answer_all(
    context: &Context,
    project: &mut Project<'_>,
    outlet: &Outlet,
    unwanted: &Unwanted,
    messages: &Receiver<Incoming>,
) -> anyhow::Result<Exit> {
    loop {
        if context.is_interrupted() {
            return Ok(Exit::Interrupted);
        }
        match messages.recv_timeout(WAIT) {
            Ok(Incoming::Request { id, method, params }) => {
                let answer = match unwanted.has(&id) {
                    true => Err(Refusal::new(Code::Cancelled, "the request was cancelled")),
                    false => answer(project, outlet, unwanted, &id, &method, params),
                };
                outlet.answer(&id, answer)?;
            }
            Ok(Incoming::Broken(id, refusal)) => outlet.answer(&id, Err(refusal))?,
            Ok(Incoming::Notification { .. }) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Exit::Done),
        }
    }
}

fn answer(
    project: &mut Project<'_>,
    outlet: &Outlet,
    unwanted: &Unwanted,
    id: &Value,
    method: &str,
    params: Value,
) -> Result<Value, Refusal> {
    match method {
        "configure" => project.configure(understood(params)?),
        "discover" => project.discover(understood(params)?),
        "mutationTest" => {
            let progress = |partial: Value| {
                // A client that is gone is noticed when it is answered.
                let _ = outlet.notify("reportMutationTestProgress", &partial);
            };
            project.mutation_test(understood(params)?, &progress, &|| unwanted.has_search(id))
        }
        _ => {
            let what = format!(
                "there is no method `{method}`; those of the protocol are configure, discover and \
                                mutationTest"
            );
            Err(Refusal::new(Code::MethodNotFound, what))
        }
    }
}

fn understood<P: serde::de::DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    // No parameters at all are none of them given.
    let params = if params.is_null() { Value::Object(serde_json::Map::new()) } else { params };
    serde_json::from_value(params).map_err(|error| Refusal::new(Code::InvalidParams, error.to_string()))
}
