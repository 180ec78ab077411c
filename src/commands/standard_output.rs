//! Where results go.

use crate::diag::Exit;
use crate::ui::events::{self, Event};
use std::io::Write;

/// Writes a result to standard output; with `--json-events` it is an event like others.
pub fn print(bytes: &[u8]) -> anyhow::Result<Exit> {
    if events::are_on() {
        events::emit(|| Event::Output { text: String::from_utf8_lossy(bytes).into_owned() });
        return Ok(Exit::Done);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Done)
}
