//! `serve`, as an editor speaks with it: every message is validated against the protocol's own schema.

use crate::support::{Project, Run};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

const SOURCE: &str =
    "int clamp(int value, int high) {\n  if (value > high) {\n    return high;\n  }\n  return value;\n}\n
int twice(int value) {\n  return value + value;\n}\n";

/// A client of one server.
struct Editor {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    schemas: Value,
    progress: Vec<Value>,
    last: i64,
}

impl Editor {
    fn of(project: &Project, options: &[&str]) -> Self {
        let mut server = project.speak([&["serve", "stdio", "--"], options].concat());
        let text = include_str!("schemas/mutation-server-protocol.json");
        Self {
            to: server.stdin.take(),
            from: BufReader::new(server.stdout.take().unwrap()),
            server,
            schemas: serde_json::from_str(text).unwrap(),
            progress: Vec::new(),
            last: 0,
        }
    }

    fn write(&mut self, text: &str) {
        write!(self.to.as_mut().unwrap(), "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn send(&mut self, method: &str, params: &Value) -> i64 {
        self.last += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).to_string());
        self.last
    }

    /// The next message; nothing else may be on the channel.
    fn read(&mut self) -> Value {
        let mut header = String::new();
        self.from.read_line(&mut header).unwrap();
        let length =
            header.trim_end().strip_prefix("Content-Length: ").unwrap_or_else(|| panic!("no frame: {header:?}"));
        let mut text = vec![0; 2 + length.parse::<usize>().unwrap()];
        self.from.read_exact(&mut text).unwrap();
        let message: Value = serde_json::from_slice(&text[2..]).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    /// The answer to a request, and on the way what is told of its progress.
    fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.read();
            if message.get("id") == Some(&id) {
                return message;
            }
            assert_eq!(message["method"], "reportMutationTestProgress", "{message}");
            self.fits("MutationTestResult", &message["params"]);
            self.progress.push(message["params"].clone());
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, &params);
        let answer = self.answer(id);
        let name = format!("{}{}Result", method[..1].to_uppercase(), &method[1..]);
        let result = answer.get("result").unwrap_or_else(|| panic!("{answer}"));
        self.fits(&name, result);
        result.clone()
    }

    fn error(&mut self, method: &str, params: Value) -> (i64, String) {
        let id = self.send(method, &params);
        let answer = self.answer(id);
        (answer["error"]["code"].as_i64().unwrap(), answer["error"]["message"].as_str().unwrap().to_owned())
    }

    fn fits(&self, name: &str, value: &Value) {
        let schema = jsonschema::validator_for(&self.schemas[name]).unwrap();
        let errors: Vec<String> = schema.iter_errors(value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?} in {value}");
    }

    /// Ends the conversation; how the server ended.
    fn bye(mut self) -> i32 {
        drop(self.to.take());
        let mut rest = String::new();
        self.from.read_to_string(&mut rest).unwrap();
        assert!(rest.is_empty(), "{rest}");
        self.server.wait().unwrap().code().unwrap()
    }
}

fn mutants(result: &Value, file: &str) -> Vec<Value> {
    result["files"][file]["mutants"].as_array().cloned().unwrap_or_default()
}

fn texts(mutants: &[Value], field: &str) -> Vec<String> {
    let mut found: Vec<String> = mutants.iter().map(|mutant| mutant[field].as_str().unwrap().to_owned()).collect();
    found.sort();
    found
}

fn lines(from: u32, to: u32) -> Value {
    json!({"start": {"line": from, "column": 1}, "end": {"line": to, "column": 1}})
}

#[test]
fn an_editor_finds_mutants_tests_them_and_is_told_what_kills_them() {
    let project = Project::of(&[("range.c", SOURCE), ("other.c", "int half(int value) { return value / 2; }\n")]);
    let mut editor = Editor::of(&project, &["-p", "build", "--budget", "500x", "--framework", "assert"]);
    assert_eq!(editor.ask("configure", json!({})), json!({"version": "1"}));

    // Everything, then what is asked for; what is not there is no error.
    let all = editor.ask("discover", json!({}));
    assert!(!mutants(&all, "range.c").is_empty() && !mutants(&all, "other.c").is_empty(), "{all}");
    let missing = json!({"files": [{"path": "no.c"}, {"path": "none/"}]});
    assert_eq!(editor.ask("discover", missing), json!({"files": {}}));
    let range = json!({"files": [{"path": "range.c", "range": lines(8, 11)}]});
    let found = editor.ask("discover", range.clone());
    assert_eq!(found["files"].as_object().unwrap().len(), 1);
    let found = mutants(&found, "range.c");
    assert!(found.iter().all(|mutant| mutant["location"]["start"]["line"] == 9) && !found.is_empty(), "{found:?}");
    assert!(!project.root().join("motif.out").exists(), "discovering writes nothing");

    // All of the range is answered, and nothing but it; kills are told on the way.
    let tested = mutants(&editor.ask("mutationTest", range), "range.c");
    assert_eq!(texts(&tested, "id"), texts(&found, "id"));
    let killed: Vec<_> = tested.iter().filter(|mutant| mutant["status"] == "Killed").collect();
    assert!(!killed.is_empty(), "{tested:?}");
    for mutant in &killed {
        let test = mutant["killedBy"][0].as_str().unwrap_or_else(|| panic!("{mutant}"));
        let (file, _) = test.split_once('#').unwrap();
        assert!(project.root().join("motif.out").join(file).is_file(), "{test}");
    }
    let told: Vec<Value> = editor.progress.iter().flat_map(|partial| mutants(partial, "range.c")).collect();
    let told = told.iter().filter(|mutant| mutant["status"] == "Killed").count();
    assert_eq!(told, killed.len(), "each kill is told once");

    // One mutant that was discovered; an editor sends it as it got it.
    let one = &found[0];
    let wanted = json!({"mutants": {"range.c": {"mutants": [one]}}, "files": [{"path": "other.c"}]});
    let again = editor.ask("mutationTest", wanted);
    assert_eq!(texts(&mutants(&again, "range.c"), "id"), [one["id"].as_str().unwrap()]);
    assert_eq!(again["files"].as_object().unwrap().len(), 1);

    // A file is read as it is saved now.
    project.write("other.c", "int half(int value) { return 1; }\n");
    let other = json!({"files": [{"path": project.root().join("other.c")}]});
    let changed = mutants(&editor.ask("discover", other), "other.c");
    assert_ne!(texts(&changed, "id"), texts(&mutants(&all, "other.c"), "id"));
    assert_eq!(editor.bye(), 0);
}

#[test]
fn what_is_wrong_is_answered_and_the_next_request_is_served() {
    let project = Project::of(&[("range.c", SOURCE)]);
    let mut editor = Editor::of(&project, &["-p", "build", "--budget", "500x"]);
    editor.write("{\"jsonrpc\"");
    assert_eq!(editor.answer(Value::Null)["error"]["code"], -32700);
    editor.write("[]");
    assert_eq!(editor.answer(Value::Null)["error"]["code"], -32600);
    assert_eq!(editor.error("mutate", json!({})).0, -32601);
    assert_eq!(editor.error("discover", json!({"files": "range.c"})).0, -32602);
    let (code, message) = editor.error("configure", json!({"configFilePath": "none.yaml"}));
    assert!(code == -32000 && message.contains("none.yaml"), "{code} {message}");
    project.write("odd.yaml", "file: [none.c]\n");
    editor.ask("configure", json!({"configFilePath": "odd.yaml"}));
    let (code, message) = editor.error("discover", json!({}));
    assert!(code == -32000 && message.contains("no file of the project is `none.c`"), "{code} {message}");
    // A notification is never answered, not even one of an unknown kind.
    editor.write(&json!({"jsonrpc": "2.0", "method": "initialized"}).to_string());
    project.write("plain.yaml", "{}\n");
    editor.ask("configure", json!({"configFilePath": "plain.yaml"}));
    assert_eq!(editor.bye(), 0);

    let refused = |run: &Run, word: &str| {
        run.ends_with(2);
        assert!(run.stdout.is_empty() && run.stderr.contains(word), "{}", run.stderr);
    };
    refused(&project.run(["serve", "--", "--mutants", "m"]), "--mutants");
    refused(&project.run(["serve", "--", "--budgett", "1s"]), "error[serve-options]");
    refused(&project.run(["serve", "socket"]), "--port");
    refused(&project.run(["serve", "pipe"]), "possible values: stdio, socket");
}

#[test]
fn a_request_is_cancelled_while_it_is_served_and_nothing_goes_on_when_the_editor_is_gone() {
    let project = Project::of(&[("range.c", SOURCE)]);
    let mut editor = Editor::of(&project, &["-p", "build", "--budget", "200s"]);
    let begun = Instant::now();
    let searching = |editor: &mut Editor| {
        let id = editor.send("mutationTest", &json!({}));
        // Whatever is told first, the search is under way.
        let first = editor.read();
        assert_eq!(first["method"], "reportMutationTestProgress", "{first}");
        id
    };
    let id = searching(&mut editor);
    let queued = editor.send("discover", &json!({}));
    for id in [queued, id] {
        editor.write(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}).to_string());
    }
    assert_eq!(editor.answer(id)["error"]["code"], -32800);
    assert_eq!(editor.answer(queued)["error"]["code"], -32800);
    searching(&mut editor);
    drop(editor.to.take());
    let mut rest = String::new();
    editor.from.read_to_string(&mut rest).unwrap();
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(150), "it went on searching");
    // The folder is free: the search has ended with the server.
    project.run(["fuzz", "-p", "build", "--budget", "1x"]).ends_with(0);
}

#[test]
fn a_client_of_the_socket_is_served_as_one_of_standard_input_and_a_taken_port_is_refused() {
    let project = Project::of(&[("range.c", SOURCE)]);
    // The system says which port is free.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port().to_string();
    let taken = project.run(["serve", "socket", "--port", &port, "--address", "127.0.0.1"]);
    taken.ends_with(2);
    assert!(taken.stderr.contains("error[serve-socket]"), "{}", taken.stderr);
    drop(free);
    let mut server = project.start(["serve", "socket", "--port", &port, "--address", "127.0.0.1", "--", "-p", "build"]);
    for _ in 0..2 {
        let mut client = (0..200)
            .find_map(|_| {
                std::thread::sleep(Duration::from_millis(50));
                std::net::TcpStream::connect(format!("127.0.0.1:{port}")).ok()
            })
            .expect("the server listens");
        let text = json!({"jsonrpc": "2.0", "id": "a", "method": "configure"}).to_string();
        write!(client, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        client.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.ends_with(r#"{"jsonrpc":"2.0","id":"a","result":{"version":"1"}}"#), "{answer}");
    }
    // SAFETY: no memory is involved; the process is a child that has not been waited for.
    unsafe { libc::kill(server.id() as libc::pid_t, libc::SIGTERM) };
    assert_eq!(server.wait().unwrap().code(), Some(130));
}
