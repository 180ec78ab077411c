//! A report and where it is written.

use super::ReportFormat;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// `FORMAT`, or `FORMAT=PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportTo {
    /// The form.
    pub format: ReportFormat,
    /// The file; `-` is standard output. Without it, a file in `report/` of the output folder.
    pub path: Option<PathBuf>,
}

impl FromStr for ReportTo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, path) = text.split_once('=').map_or((text, None), |(name, path)| (name, Some(path)));
        let known = <ReportFormat as clap::ValueEnum>::value_variants();
        let format = known.iter().find(|format| format.to_string() == name).ok_or_else(|| {
            let names: Vec<String> = known.iter().map(ToString::to_string).collect();
            let near = crate::diag::nearest(name, names.iter().map(String::as_str));
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            format!("`{name}` is no form of a report: {near}known: {}", names.join(", "))
        })?;
        if path == Some("") {
            return Err(format!("`{text}` names no file: write `{name}=PATH`, or `{name}` alone"));
        }
        Ok(Self { format: *format, path: path.map(PathBuf::from) })
    }
}

impl fmt::Display for ReportTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.format)?;
        self.path.as_ref().map_or(Ok(()), |path| write!(f, "={}", path.display()))
    }
}

impl Serialize for ReportTo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ReportTo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for ReportTo {
    fn schema_name() -> Cow<'static, str> {
        "ReportTo".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<String> =
            <ReportFormat as clap::ValueEnum>::value_variants().iter().map(ToString::to_string).collect();
        json_schema!({
            "type": "string",
            "description": "`FORMAT` or `FORMAT=PATH`.",
            "pattern": format!("^({})(=.+)?$", names.join("|"))
        })
    }
}
