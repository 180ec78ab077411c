//! Numbers of options, with messages that say what to write.

use std::num::NonZeroUsize;

/// A random seed.
///
/// # Errors
///
/// Anything but a whole number from 0.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// A number of workers.
///
/// # Errors
///
/// Anything but a whole number from 1.
pub fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "give a whole number from 1, or leave it out for one worker per core".into())
}

/// A number of mutants or units to draw.
///
/// # Errors
///
/// Anything but a whole number from 1.
pub fn sample(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| match text.parse::<super::Rate>() {
        Ok(_) if text != "0" => format!("a share of the mutants is `--sample-rate {text}`; this is a whole number"),
        _ => "give a whole number from 1".into(),
    })
}
