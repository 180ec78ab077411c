//! `schema`: the JSON Schemas for editors, and for what reads results.

use crate::choices::SchemaOf;
use crate::config::Config;
use crate::{outcome, overrides};

/// The schema as shipped in `utility-overrides/`.
///
/// # Errors
///
/// It cannot be written as JSON.
pub fn text(of: SchemaOf) -> anyhow::Result<String> {
    let schema = match of {
        SchemaOf::Overrides => overrides::schema(),
        SchemaOf::Config => Config::schema(),
        SchemaOf::Builtin => crate::types::library::schema(),
        SchemaOf::Outcomes => outcome::schema(),
    };
    Ok(format!("{}\n", serde_json::to_string_pretty(&schema)?))
}
