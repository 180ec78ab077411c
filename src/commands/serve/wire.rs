//! The frames of the protocol: JSON-RPC 2.0 messages, each behind a `Content-Length` header.

use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::sync::Mutex;

/// No message is larger: a client that says so is not one of this protocol.
const MOST: usize = 64 << 20;

/// The codes of JSON-RPC, and those of the language server protocol for what JSON-RPC leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The text is not JSON, or not in a frame.
    Parse = -32700,
    /// The JSON is no message.
    InvalidRequest = -32600,
    /// There is no such method.
    MethodNotFound = -32601,
    /// The parameters do not fit the method.
    InvalidParams = -32602,
    /// The tool has a problem with the project, which the message names.
    Problem = -32000,
    /// The client has cancelled the request.
    Cancelled = -32800,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The kind.
    pub code: Code,
    /// What is wrong, and what to do.
    pub message: String,
    /// The problem's code, file, line and help, for programs.
    pub data: Option<Value>,
}

impl Refusal {
    /// A refusal without data.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// What a client sends.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    /// It is answered.
    Request {
        /// What the answer is called by.
        id: Value,
        /// What is to be done.
        method: String,
        /// With what.
        params: Value,
    },
    /// It is not answered.
    Notification {
        /// What has happened.
        method: String,
        /// To what.
        params: Value,
    },
    /// What cannot be understood, with the id of the answer as far as it is known.
    Broken(Value, Refusal),
}

/// Reads the next message; none at the end of the stream.
///
/// # Errors
///
/// The stream cannot be read, or has no frames: what follows cannot be told apart.
pub fn read(from: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let unframed = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut length = None;
    let mut begun = false;
    loop {
        let mut line = Vec::new();
        // A header is short; what has no end of a line is none.
        if io::Read::take(&mut *from, 4096).read_until(b'\n', &mut line)? == 0 {
            return if begun { Err(unframed("the stream ends within a header")) } else { Ok(None) };
        }
        let line = String::from_utf8_lossy(&line);
        if !line.ends_with('\n') {
            return Err(unframed("a line of a header has no end"));
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        begun = true;
        let (name, value) = line.split_once(':').ok_or_else(|| unframed("a line of a header has no colon"))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse::<usize>().ok().filter(|number| *number <= MOST);
            length = Some(number.ok_or_else(|| unframed("`Content-Length` is not the length of a message"))?);
        }
    }
    let mut text = vec![0; length.ok_or_else(|| unframed("a header has no `Content-Length`"))?];
    from.read_exact(&mut text)?;
    Ok(Some(understood(&text)))
}

fn understood(text: &[u8]) -> Incoming {
    let message: Value = match serde_json::from_slice(text) {
        Ok(message) => message,
        Err(error) => return Incoming::Broken(Value::Null, Refusal::new(Code::Parse, format!("not JSON: {error}"))),
    };
    let id = message.get("id").cloned();
    let known = id.clone().filter(|id| id.is_string() || id.is_number()).unwrap_or_default();
    let broken = |what: &str| Incoming::Broken(known.clone(), Refusal::new(Code::InvalidRequest, what));
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return broken("not a message of JSON-RPC 2.0; batches are not of this protocol");
    }
    let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else {
        return broken("the message has no method");
    };
    let params = message.get("params").cloned().unwrap_or_else(|| json!({}));
    match id {
        None => Incoming::Notification { method, params },
        Some(_) if known.is_null() => broken("an id is a number or a string"),
        Some(id) => Incoming::Request { id, method, params },
    }
}

/// Where messages go, from any thread.
pub struct Outlet<'w>(Mutex<Box<dyn Write + Send + 'w>>);

impl<'w> Outlet<'w> {
    /// Messages go to this writer, and nothing else does.
    pub fn new(to: impl Write + Send + 'w) -> Self {
        Self(Mutex::new(Box::new(to)))
    }

    /// Answers a request.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub fn answer(&self, id: &Value, answer: Result<Value, Refusal>) -> io::Result<()> {
        self.send(&match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Refusal { code, message, data }) => {
                let mut error = json!({ "code": code as i32, "message": message });
                if let Some(data) = data {
                    error["data"] = data;
                }
                json!({ "jsonrpc": "2.0", "id": id, "error": error })
            }
        })
    }

    /// Tells what needs no answer.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub fn notify(&self, method: &str, params: &Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn send(&self, message: &Value) -> io::Result<()> {
        let text = message.to_string();
        let mut to = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> (Vec<Incoming>, bool) {
        let mut from = io::BufReader::new(bytes);
        let mut found = Vec::new();
        loop {
            match read(&mut from) {
                Ok(Some(message)) => found.push(message),
                Ok(None) => return (found, true),
                Err(_) => return (found, false),
            }
        }
    }

    fn frame(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn messages_are_read_one_after_the_other_whatever_is_in_them() {
        let text = frame(r#"{"jsonrpc":"2.0","id":1,"method":"discover","params":{"files":[{"path":"ü.c"}]}}"#)
            + &frame(r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#).to_lowercase()
            + "Content-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\n[]"
            + &frame("{");
        let (found, ended) = all(text.as_bytes());
        assert!(ended && found.len() == 4, "{found:?}");
        assert!(matches!(&found[0], Incoming::Request { id, method, params }
            if id == 1 && method == "discover" && params["files"][0]["path"] == "ü.c"));
        assert!(matches!(&found[1], Incoming::Notification { method, .. } if method == "$/cancelrequest"));
        assert!(matches!(&found[2], Incoming::Broken(Value::Null, why) if why.code == Code::InvalidRequest));
        assert!(matches!(&found[3], Incoming::Broken(Value::Null, why) if why.code == Code::Parse));
    }

    #[test]
    fn an_id_that_is_none_is_refused_and_a_request_without_a_method_is_named_by_its_id() {
        let refused = |text: &str| match understood(text.as_bytes()) {
            Incoming::Broken(id, why) => (id, why.code),
            other => panic!("{other:?}"),
        };
        let of = |id: Value| (id, Code::InvalidRequest);
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#), of(Value::Null));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":"a"}"#), of("a".into()));
        assert_eq!(refused(r#"{"id":3,"method":"m"}"#), of(3.into()));
    }

    #[test]
    fn a_stream_without_frames_ends() {
        let whole = frame(r#"{"jsonrpc":"2.0","method":"m"}"#);
        for tail in
            ["GET / HTTP/1.1\r\n\r\n", "{\"jsonrpc\"", "Content-Length: -1\r\n\r\n", "Content-Length: 9\r\n\r\n{}"]
        {
            let (found, ended) = all((whole.clone() + tail).as_bytes());
            assert!(found.len() == 1 && !ended, "{tail}: {found:?}");
        }
        let endless = "Content-Length: 99999999999\r\n\r\n".to_owned() + &"x".repeat(10_000);
        assert!(!all(endless.as_bytes()).1);
    }
}
