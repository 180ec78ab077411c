//! The report as one self-contained page: no script, style, font or picture from elsewhere.

use super::details::{self, DecodedValue};
use super::view::View;
use super::words::{count, difference, finder, percent, reach, seconds, status_words};
use crate::outcome::{Copy, Driver, MutantOutcome, Outcome, Status, UnitOutcome};
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Serialize)]
struct Page {
    tool: String,
    engine: String,
    seed: String,
    started: String,
    wall: String,
    interrupted: bool,
    score: String,
    verdict: String,
    bar: Vec<Share>,
    cpu: Vec<(&'static str, String)>,
    units: Vec<Unit>,
    statuses: Vec<Share>,
    mutants: Vec<Mutant>,
    faults: Vec<Fault>,
}

/// The share of a status.
#[derive(Serialize)]
struct Share {
    status: &'static str,
    words: &'static str,
    number: usize,
    percent: String,
}

#[derive(Serialize)]
struct Unit {
    id: String,
    place: String,
    kind: String,
    driver: &'static str,
    copy: &'static str,
    reason: Option<String>,
    killed: usize,
    total: usize,
    bar: Vec<Share>,
}

#[derive(Serialize)]
struct Mutant {
    id: String,
    place: String,
    operator: String,
    unit: String,
    status: &'static str,
    words: &'static str,
    note: String,
    reason: Option<String>,
    diff: Vec<DiffLine>,
    facts: Vec<(&'static str, String)>,
    test: Option<TestText>,
    values: Vec<DecodedValue>,
    bytes: Option<(String, usize)>,
}

#[derive(Serialize)]
struct DiffLine {
    class: &'static str,
    text: String,
}

#[derive(Serialize)]
struct TestText {
    name: String,
    verified: bool,
    source: Option<String>,
}

#[derive(Serialize)]
struct Fault {
    unit: String,
    place: String,
    what: String,
    input: String,
    values: Vec<DecodedValue>,
    bytes: Option<(String, usize)>,
}

/// The page as text.
pub fn render(view: &View) -> Result<String> {
    let (outcome, output) = (view.outcome, view.output);
    let cpu = &outcome.cpu_seconds;
    let stages = [
        ("analyse", cpu.analyse),
        ("build", cpu.build),
        ("search", cpu.search),
        ("triage", cpu.triage),
        ("prove", cpu.prove),
    ];
    let mut mutants: Vec<&MutantOutcome> = outcome.mutants.iter().collect();
    mutants.sort_by(|a, b| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
    let summary = &outcome.summary;
    let tried = summary.killed + summary.live + summary.no_driver + summary.baseline_failed + summary.error;
    let page = Page {
        tool: outcome.tool.clone(),
        engine: outcome.engine.clone(),
        seed: outcome.seed.to_string(),
        started: outcome.started.clone(),
        wall: seconds(outcome.wall_seconds),
        interrupted: outcome.interrupted,
        score: percent(summary.score),
        verdict: format!("{} of {tried} mutants killed", summary.killed),
        bar: shares(outcome.mutants.iter().collect::<Vec<_>>().as_slice()),
        cpu: stages.into_iter().map(|(name, value)| (name, seconds(value))).collect(),
        units: units(outcome),
        statuses: shares(outcome.mutants.iter().collect::<Vec<_>>().as_slice()),
        mutants: mutants.into_iter().map(|m| mutant(m, view)).collect(),
        faults: faults(outcome, output),
    };
    let mut tera = tera::Tera::default();
    // Tera escapes HTML if the template's name ends with `.html`.
    tera.add_raw_template("report.html", include_str!("../../cpp-templates/report.html.tera"))?;
    Ok(tera.render("report.html", &tera::Context::from_serialize(page)?)?)
}

fn shares(mutants: &[&MutantOutcome]) -> Vec<Share> {
    let total = mutants.len().max(1) as f64;
    Status::ALL
        .into_iter()
        .map(|status| (status, mutants.iter().filter(|m| m.status == status).count()))
        .filter(|(_, number)| *number > 0)
        .map(|(status, number)| Share {
            status: status.name(),
            words: status_words(status),
            number,
            percent: format!("{:.3}", number as f64 * 100.0 / total),
        })
        .collect()
}

fn units(outcome: &Outcome) -> Vec<Unit> {
    let mut by_unit: BTreeMap<&str, Vec<&MutantOutcome>> = BTreeMap::new();
    for mutant in &outcome.mutants {
        if let Some(unit) = &mutant.unit {
            by_unit.entry(unit).or_default().push(mutant);
        }
    }
    let mut units: Vec<&UnitOutcome> = outcome.units.iter().collect();
    units.sort_by(|a, b| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
    units
        .into_iter()
        .map(|unit| {
            let mutants = by_unit.get(unit.id.as_str()).map(Vec::as_slice).unwrap_or_default();
            Unit {
                id: unit.id.clone(),
                place: format!("{}:{}", unit.file.display(), unit.line),
                kind: unit.kind.replace('_', " "),
                driver: driver(unit.driver),
                copy: unit.copy.map_or("–", copy),
                reason: unit.reason.clone(),
                killed: mutants.iter().filter(|m| m.status == Status::Killed).count(),
                total: mutants.len(),
                bar: shares(mutants),
            }
        })
        .collect()
}

fn mutant(mutant: &MutantOutcome, view: &View) -> Mutant {
    let output = view.output;
    let mut facts = Vec::new();
    let (mut test, mut values, mut raw) = (None, Vec::new(), None);
    let mut note = view.change(mutant).map(|change| change.words().to_owned()).unwrap_or_default();
    if let Some(kill) = &mutant.kill {
        difference(kill.how).clone_into(&mut note);
        facts.push(("killed by", format!("{}, found by {}", difference(kill.how), finder(kill.by))));
        facts.push(("after", format!("{} inputs, {}", count(kill.executions), seconds(kill.seconds))));
        facts.push(("CPU until then", seconds(kill.cpu_seconds)));
        facts.push(("input", kill.input.display().to_string()));
        values = details::decoded(output, &kill.input).unwrap_or_default();
        raw = details::bytes(output, &kill.input);
        test = kill.test.as_ref().map(|name| TestText {
            name: name.clone(),
            verified: kill.verified,
            source: details::test_source(output, name),
        });
    }
    if let Some(effort) = &mutant.effort {
        if mutant.kill.is_none() {
            facts.push(("tried", format!("{} inputs, {}", count(effort.executions), seconds(effort.seconds))));
        }
        facts.push(("reach", reach(effort).to_owned()));
    }
    Mutant {
        id: mutant.id.clone(),
        place: format!("{}:{}", mutant.file.display(), mutant.line),
        operator: mutant.operator.clone(),
        unit: mutant.unit.clone().unwrap_or_default(),
        status: mutant.status.name(),
        words: status_words(mutant.status),
        note,
        reason: mutant.reason.clone(),
        diff: diff(&mutant.diff),
        facts,
        test,
        values,
        bytes: raw,
    }
}

fn diff(text: &str) -> Vec<DiffLine> {
    let mut in_hunk = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let class = match line.as_bytes().first() {
            _ if line.starts_with("@@") => "hunk",
            Some(b'+') if in_hunk => "add",
            Some(b'-') if in_hunk => "del",
            _ if in_hunk => "same",
            _ => "head",
        };
        in_hunk |= class == "hunk";
        lines.push(DiffLine { class, text: line.to_owned() });
    }
    lines
}

fn faults(outcome: &Outcome, output: &Path) -> Vec<Fault> {
    let of_unit = |unit: &UnitOutcome| {
        let (id, place) = (unit.id.clone(), format!("{}:{}", unit.file.display(), unit.line));
        unit.suspected_faults
            .iter()
            .map(|fault| Fault {
                unit: id.clone(),
                place: place.clone(),
                what: fault.what.clone(),
                input: fault.input.display().to_string(),
                values: details::decoded(output, &fault.input).unwrap_or_default(),
                bytes: details::bytes(output, &fault.input),
            })
            .collect::<Vec<_>>()
    };
    outcome.units.iter().flat_map(of_unit).collect()
}

fn driver(driver: Driver) -> &'static str {
    match driver {
        Driver::Generated => "generated",
        Driver::Overridden => "overridden",
        Driver::Edited => "edited",
        Driver::Unplannable => "unplannable",
        Driver::Unbuildable => "unbuildable",
    }
}

fn copy(copy: Copy) -> &'static str {
    match copy {
        Copy::Class => "class",
        Copy::Image => "image",
        Copy::Function => "function",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn page() -> String {
        let folder = tempfile::tempdir().unwrap();
        sample::write_details(folder.path());
        render(&View::new(&sample::outcome(), folder.path(), folder.path())).unwrap()
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let page = page();
        for mark in ["http://", "https://", "src=", "@import", "url(", "<link"] {
            assert!(!page.contains(mark), "{mark}");
        }
    }

    #[test]
    fn text_of_the_project_is_escaped() {
        let mut outcome = sample::outcome();
        outcome.mutants[2].reason = Some("<script>alert(1)</script>".into());
        outcome.mutants[2].id = "\"><img onerror=x>".into();
        let nowhere = Path::new("/nowhere");
        let page = render(&View::new(&outcome, nowhere, nowhere)).unwrap();
        assert!(!page.contains("<script>alert") && !page.contains("<img"));
        assert!(page.contains("&lt;script&gt;alert"));
    }

    #[test]
    fn every_mutant_every_unit_the_test_the_values_and_the_faults_are_there() {
        let page = page();
        for text in [
            "sat::ChargeableModule::isAutonomous(const sat::Mission &amp;) const",
            "TEST(ChargeableModule, IsAutonomousRorLine41)",
            "sat::StaticMission(3.5)",
            "SIGSEGV",
            "use of undeclared identifier",
            "no input told it apart",
        ] {
            assert!(page.contains(text), "{text}");
        }
        assert_eq!(page.matches("<details class=\"mutant").count(), sample::outcome().mutants.len());
    }

    #[test]
    fn a_page_over_nothing_is_still_a_page() {
        let mut outcome = sample::outcome();
        outcome.mutants.clear();
        outcome.units.clear();
        outcome.summary = Default::default();
        let nowhere = Path::new("/nowhere");
        assert!(render(&View::new(&outcome, nowhere, nowhere)).unwrap().contains("–"));
    }
}
