//! JUnit XML: a suite a file, a case a unit. Survivors are a case's output; new ones are failures if they fail the run.

use super::place::Place;
use super::view::View;
use super::words::{plural, verdict};
use crate::outcome::{Driver, MutantOutcome, Status, UnitOutcome};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The cases.
pub fn render(view: &View) -> Result<String> {
    let mut suites: BTreeMap<&Path, BTreeMap<&str, Case>> = BTreeMap::new();
    for unit in &view.outcome.units {
        suites.entry(&unit.file).or_default().insert(&unit.id, Case { line: unit.line, unit: Some(unit) });
    }
    // Before a search only mutants name units.
    let known: BTreeSet<&str> = view.outcome.units.iter().map(|unit| unit.id.as_str()).collect();
    for mutant in &view.outcome.mutants {
        if let Some(unit) = mutant.unit.as_deref().filter(|unit| !known.contains(unit)) {
            let case = Case { line: mutant.line, unit: None };
            suites.entry(&mutant.file).or_default().entry(unit).or_insert(case);
        }
    }
    let survivors = view.survivors();
    let (mut all, mut text) = (Counts::default(), String::new());
    for (file, units) in suites {
        let (mut counts, mut cases) = (Counts::default(), String::new());
        for (id, case) in units {
            cases += &case.render(view, (file, id), &survivors, &mut counts);
        }
        text += &format!("  <testsuite name=\"{}\" {}>\n{cases}  </testsuite>\n", name(file), counts.attributes());
        all.add(&counts);
    }
    let change = view.changes.as_ref().map(|changes| format!("; since the other outcome: {}", changes.words()));
    let headline = xml(&format!("motif-cpp: {}{}", view.headline(), change.unwrap_or_default()));
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{headline}\" {}>\n{text}</testsuites>\n",
        all.attributes()
    ))
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    skipped: usize,
    seconds: f64,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.skipped += other.skipped;
        self.seconds += other.seconds;
    }

    fn attributes(&self) -> String {
        let Counts { tests, failures, skipped, seconds } = self;
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\"")
    }
}

/// A unit under test.
struct Case<'o> {
    line: u32,
    /// How it was driven; none before a search.
    unit: Option<&'o UnitOutcome>,
}

impl Case<'_> {
    fn render(&self, view: &View, (file, id): (&Path, &str), all: &[&MutantOutcome], counts: &mut Counts) -> String {
        let of_unit = |mutant: &&MutantOutcome| mutant.unit.as_deref() == Some(id);
        let killed =
            view.outcome.mutants.iter().filter(of_unit).filter(|mutant| mutant.status == Status::Killed).count();
        let survivors: Vec<_> = all.iter().copied().filter(of_unit).collect();
        let failing = survivors.iter().filter(|mutant| view.fails_on_new && mutant.new == Some(true)).count();
        let time =
            self.unit.map_or(0.0, |unit| unit.cpu_seconds.build + unit.cpu_seconds.search + unit.cpu_seconds.triage);
        let undriven = self.unit.filter(|unit| matches!(unit.driver, Driver::Unplannable | Driver::Unbuildable));
        let skipped = undriven.is_some();
        counts.add(&Counts {
            tests: 1,
            failures: usize::from(failing > 0),
            skipped: usize::from(skipped && failing == 0),
            seconds: time,
        });
        let list = |mutants: &[&MutantOutcome]| {
            let line = |mutant: &&MutantOutcome| {
                let place = Place::of(mutant);
                let at = format!("{}:{}:{}", mutant.file.display(), place.start.line, place.start.column);
                format!("{at}: {} {}: {}\n", mutant.operator, place.words(), verdict(mutant))
            };
            mutants.iter().map(line).collect::<String>()
        };
        let mut body = String::new();
        if failing > 0 {
            let new: Vec<_> = survivors.iter().copied().filter(|mutant| mutant.new == Some(true)).collect();
            let message = plural(failing, "new survivor");
            body +=
                &format!("      <failure message=\"{message}\" type=\"survivor\">{}</failure>\n", cdata(&list(&new)));
        } else if let Some(unit) = undriven {
            body += &format!("      <skipped message=\"{}\"/>\n", xml(unit.reason.as_deref().unwrap_or("no driver")));
        }
        if !survivors.is_empty() {
            let text = format!("{killed} killed, {}:\n{}", plural(survivors.len(), "survivor"), list(&survivors));
            body += &format!("      <system-out>{}</system-out>\n", cdata(&text));
        }
        format!(
            "    <testcase classname=\"{file}\" name=\"{}\" file=\"{file}\" line=\"{}\" time=\"{time:.3}\">\n{body}    \
         </testcase>\n",
            xml(id),
            self.line,
            file = name(file),
        )
    }
}

fn name(file: &Path) -> String {
    xml(&file.display().to_string())
}

/// Characters that XML can't have are replaced.
fn allowed(c: char) -> char {
    let is_allowed = matches!(c, '\n' | '\t') || !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    if is_allowed { c } else { char::REPLACEMENT_CHARACTER }
}

/// Text of an element as it is; some readers lose the entities of source text.
fn cdata(text: &str) -> String {
    let text: String = text.chars().map(allowed).collect();
    format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}

/// Text of an attribute, where a reader makes line breaks to spaces unless they are written as numbers.
fn xml(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\n' | '\t' => format!("&#{};", u32::from(c)),
        c => allowed(c).to_string(),
    };
    text.chars().map(escape).collect()
}
