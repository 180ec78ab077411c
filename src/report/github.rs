//! Annotations as GitHub Actions reads them from standard output.

use super::place::Place;
use super::view::View;
use super::words::{plural, verdict};
use anyhow::Result;

/// A warning at each survivor that is shown.
pub fn render(view: &View) -> Result<String> {
    let (shown, hidden) = view.shown();
    let mut out = String::new();
    for mutant in shown {
        let place = Place::of(mutant);
        let (start, end) = (place.start, place.end);
        // Columns are only understood within one line.
        let columns = match start.line == end.line && start.column < end.column {
            true => format!(",col={},endColumn={}", start.column, end.column),
            false => String::new(),
        };
        let level = if mutant.new == Some(true) { "error" } else { "warning" };
        let new = if mutant.new == Some(true) { "new survivor" } else { "survivor" };
        let unit = mutant.unit.as_deref().unwrap_or_default();
        out += &format!(
            "::{level} file={},line={},endLine={}{columns},title={}::{}\n",
            property(&view.in_repository(&mutant.file).display().to_string()),
            start.line,
            end.line,
            property(&format!("{new}: {} in {unit}", mutant.operator)),
            data(&format!("{}: {}", place.words(), verdict(mutant))),
        );
    }
    if hidden > 0 {
        out += &format!("::notice::{}\n", data(&format!("{} not shown", plural(hidden, "more survivor"))));
    }
    out += &format!("::notice title=motif-cpp::{}\n", data(&view.headline()));
    Ok(out)
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
