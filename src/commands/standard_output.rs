//! Where results go.

use crate::diag::Exit;
use std::io::Write;

/// Writes a result to standard output.
pub fn print(bytes: &[u8]) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Done)
}
