//! `schema`: the JSON Schemas that editors complete and check with.

use crate::choices::SchemaOf;
use crate::config::Config;
use crate::overrides;

/// The schema as it ships in `utility-overrides/`.
///
/// # Errors
/// It can't be written as JSON.
pub fn text(of: SchemaOf) -> anyhow::Result<String> {
    let schema = match of {
        SchemaOf::Overrides => overrides::schema(),
        SchemaOf::Config => Config::schema(),
        SchemaOf::Builtin => crate::types::library::schema(),
    };
    Ok(format!("{}\n", serde_json::to_string_pretty(&schema)?))
}
