//! A report and where it is written.

use super::ReportFormat;
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

written_as_text! {
    ReportTo, "`FORMAT` or `FORMAT=PATH`.", {
        let names = <ReportFormat as clap::ValueEnum>::value_variants().iter().map(ToString::to_string);
        format!("^({})(=.+)?$", names.collect::<Vec<_>>().join("|"))
    }
}
