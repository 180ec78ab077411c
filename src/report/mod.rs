//! Reports: one file per format, each made from the stored outcome alone.

mod badge;
pub mod changes;
pub mod details;
pub mod elements;
pub mod explain;
mod github;
mod gitlab;
pub mod html;
pub mod json;
mod junit;
mod lines;
mod list;
mod markdown;
mod place;
mod sarif;
mod sonar;
mod text;
mod view;
pub mod words;

pub use place::Place;
pub use view::View;
pub use words::{count, pace, percent, plural, seconds};

use crate::choices::ReportFormat;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// A form of the report.
pub struct Format {
    /// Its name.
    pub name: ReportFormat,
    /// The file that it is written to if none is named.
    pub file: &'static str,
    /// The report as text.
    pub render: fn(&View) -> Result<String>,
}

/// All forms.
pub const FORMATS: [Format; 12] = [
    format(ReportFormat::Text, "summary.txt", text::render),
    format(ReportFormat::Json, "outcomes.json", json::report),
    format(ReportFormat::Html, "index.html", html::render),
    format(ReportFormat::Elements, "elements.json", elements::render),
    format(ReportFormat::Sarif, "motif.sarif", sarif::render),
    format(ReportFormat::Junit, "junit.xml", junit::render),
    format(ReportFormat::Gitlab, "gl-code-quality-report.json", gitlab::render),
    format(ReportFormat::Github, "annotations.txt", github::render),
    format(ReportFormat::Markdown, "summary.md", markdown::render),
    format(ReportFormat::Lines, "mutants.txt", lines::render),
    format(ReportFormat::Sonar, "sonar.json", sonar::render),
    format(ReportFormat::Badge, "badge.json", badge::render),
];

const fn format(name: ReportFormat, file: &'static str, render: fn(&View) -> Result<String>) -> Format {
    Format { name, file, render }
}

impl Format {
    /// The form of a name.
    pub fn of(name: ReportFormat) -> &'static Format {
        FORMATS.iter().find(|format| format.name == name).expect("every name is in the table")
    }

    /// Writes the report to `to`, or to its own file in `report/` of the output folder; returns the file.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, view: &View, to: Option<&Path>) -> Result<PathBuf> {
        let own = || view.output.join("report").join(self.file);
        let to = to.map_or_else(own, |path| view.project.join(path));
        json::write_whole(&to, (self.render)(view)?.as_bytes())?;
        Ok(to)
    }
}

#[cfg(test)]
mod format_tests;
#[cfg(test)]
pub(crate) mod sample;
