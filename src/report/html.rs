//! The report as one self-contained page: no script, style, font or picture from elsewhere.
//!
//! The page's script makes everything from the data in it, and names only ever become text there.

use super::details;
use super::place::{Place, Position};
use super::view::View;
use super::words::{chance, count, percent, plural, reach, seconds, status_words, verdict};
use crate::outcome::{ClassOutcome, Copy, Driver, How, MutantOutcome, Outcome, Status, UnitOutcome};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The page as text.
pub fn render(view: &View) -> Result<String> {
    let title = format!("{} – mutants and their tests", percent(view.score().1));
    // Within a script element only `<` could end it.
    let data = serde_json::to_string(&data(view))?.replace('<', "\\u003c");
    Ok(include_str!("html/page.html")
        .replace("%TITLE%", &title)
        .replace("%STYLE%", include_str!("html/page.css"))
        .replace("%SCRIPT%", include_str!("html/page.js"))
        .replace("%DATA%", &data))
}

fn data(view: &View) -> Value {
    let outcome = view.outcome;
    let files: BTreeSet<&Path> = outcome.mutants.iter().map(|mutant| mutant.file.as_path()).collect();
    let numbers = Numbers {
        files: files.iter().copied().zip(0..).collect(),
        units: outcome.units.iter().map(|unit| unit.id.as_str()).zip(0..).collect(),
        tests: tests_of(outcome),
    };
    let (score_name, score) = view.score();
    let kinds = Status::ALL.map(|status| json!({ "name": status.name(), "words": status_words(status) }));
    let kinds: Vec<Value> = kinds.into_iter().chain([json!({ "name": "dismissed", "words": "dismissed" })]).collect();
    // Survivors first, in the order of the other reports.
    let survivors = view.survivors();
    let rest = outcome.mutants.iter().filter(|mutant| !mutant.is_listed());
    let mut rest: Vec<&MutantOutcome> = rest.collect();
    rest.sort_by(|a, b| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
    let mutants = survivors.into_iter().chain(rest).map(|one| mutant(view, &numbers, one));
    json!({
        "headline": headline(view),
        "about": about(outcome),
        "score": percent(score),
        "scoreName": score_name,
        "interrupted": outcome.interrupted,
        "hasBaseline": view.has_baseline(),
        "facts": facts(view),
        "kinds": kinds,
        "files": files.into_iter().map(|file| json!({ "path": file, "source": view.source(file) })).collect::<Vec<_>>(),
        "units": outcome.units.iter().map(unit).collect::<Vec<_>>(),
        "classes": classes(outcome, &numbers),
        "tests": tests(view),
        "mutants": mutants.collect::<Vec<_>>(),
        "faults": faults(view),
    })
}

/// The places of files, units and tests in their lists.
struct Numbers<'o> {
    files: HashMap<&'o Path, usize>,
    units: HashMap<&'o str, usize>,
    tests: HashMap<&'o str, Vec<usize>>,
}

fn tests_of(outcome: &Outcome) -> HashMap<&str, Vec<usize>> {
    let mut of: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, test) in outcome.tests.iter().enumerate() {
        test.kills.iter().for_each(|mutant| of.entry(mutant).or_default().push(number));
    }
    of
}

fn headline(view: &View) -> String {
    let name = view.project.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{name}: {}", view.headline())
}

fn about(outcome: &Outcome) -> String {
    let revision = outcome.revision.as_ref().map(|revision| format!("revision {revision}")).unwrap_or_default();
    let known = [&outcome.tool, &outcome.started, &revision, &outcome.command];
    known.into_iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" · ")
}

fn facts(view: &View) -> Vec<(&'static str, String)> {
    let (outcome, cpu) = (view.outcome, &view.outcome.cpu_seconds);
    let mut facts = vec![("wall", seconds(outcome.wall_seconds))];
    let stages = [cpu.analyse, cpu.build, cpu.search, cpu.triage, cpu.prove].map(seconds);
    let names = ["CPU analyse", "CPU build", "CPU search", "CPU triage", "CPU prove"];
    facts.extend(names.into_iter().zip(stages));
    facts.extend((cpu.decide > 0.0).then(|| ("CPU verdicts", seconds(cpu.decide))));
    facts.extend((cpu.suite > 0.0).then(|| ("CPU own tests", seconds(cpu.suite))));
    facts.extend([("engine", outcome.engine.clone()), ("seed", outcome.seed.to_string())]);
    facts.extend(outcome.summary.suite_score.map(|score| ("the project's own tests", percent(Some(score)))));
    facts.extend(view.changes.as_ref().map(|changes| ("since the other outcome", changes.words())));
    facts
}

fn unit(unit: &UnitOutcome) -> Value {
    let reason = unit.reason.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
    let place = format!("{}:{}", unit.file.display(), unit.line);
    json!({
        "id": unit.id,
        "about": format!("{}, {place}{reason}", unit.kind.replace('_', " ")),
        "driver": driver(unit.driver),
        "copy": unit.copy.map_or("–", copy),
    })
}

/// The classes with their units by number.
fn classes(outcome: &Outcome, numbers: &Numbers) -> Vec<Value> {
    let of = |class: &ClassOutcome| {
        let units = class.units.iter().filter_map(|id| numbers.units.get(id.as_str()));
        json!({
            "name": class.name,
            "abstract": class.is_abstract,
            "bases": class.bases,
            "units": units.collect::<Vec<_>>(),
        })
    };
    outcome.classes.iter().map(of).collect()
}

fn tests(view: &View) -> Vec<Value> {
    let of = |test: &crate::outcome::TestOutcome| {
        let named = format!("{}#{}", test.file.display(), test.name);
        // A program has no name within its file.
        let source = details::test_source(view.output, &named).or_else(|| view.test_file(&test.file));
        json!({ "file": test.file, "name": test.name, "verified": test.verified, "source": source })
    };
    view.outcome.tests.iter().map(of).collect()
}

fn mutant(view: &View, numbers: &Numbers, mutant: &MutantOutcome) -> Value {
    let place = Place::of(mutant);
    let position = |at: Position| [at.line, at.column, at.utf16];
    let mut facts = vec![("id", mutant.id.clone())];
    facts.extend(mutant.unit.clone().map(|unit| ("unit", unit)));
    let (mut values, mut bytes) = (Vec::new(), None);
    if let Some(kill) = &mutant.kill {
        facts.push(("after", format!("{}, {}", inputs(kill.executions), seconds(kill.seconds))));
        facts.push(("CPU until then", seconds(kill.cpu_seconds)));
        facts.push(("input", kill.input.display().to_string()));
        values = details::decoded(view.output, &kill.input).unwrap_or_default();
        bytes = details::bytes(view.output, &kill.input);
    } else if let Some(effort) = &mutant.effort {
        facts.push(("tried", format!("{}, {}: {}", inputs(effort.executions), seconds(effort.seconds), reach(effort))));
        let risk = |risk| ("chance", format!("{} that as much search again kills it, by estimate", chance(risk)));
        facts.extend(effort.residual_risk.map(risk));
    }
    facts.extend(Some(("fingerprint", mutant.fingerprint.clone())).filter(|(_, name)| !name.is_empty()));
    let new = mutant.new == Some(true);
    let change = view.change(mutant).map(|change| change.words());
    json!({
        "id": mutant.id,
        "file": numbers.files.get(mutant.file.as_path()),
        "unit": mutant.unit.as_ref().and_then(|unit| numbers.units.get(unit.as_str())),
        "start": position(place.start),
        "end": position(place.end),
        "operator": mutant.operator,
        "status": mutant.status.name(),
        "survives": mutant.is_listed(),
        "words": if mutant.dismissed.is_some() { "dismissed" } else { status_words(mutant.status) },
        "isNew": new,
        "change": change.or(new.then_some("new survivor")),
        "dismissed": mutant.dismissed.is_some(),
        // Source text stands between marks that the page's script looks for.
        "brief": place.words_with(|text| format!("\u{1}{text}\u{1}")),
        "verdict": verdict(mutant),
        "chain": chain(mutant),
        "diff": mutant.diff,
        "tests": numbers.tests.get(mutant.id.as_str()).cloned().unwrap_or_default(),
        "values": values,
        "bytes": bytes,
        "facts": facts,
        "seconds": mutant.kill.as_ref().map(|kill| kill.seconds),
    })
}

fn inputs(number: u64) -> String {
    if number < 1000 { plural(number as usize, "input") } else { format!("{} inputs", count(number)) }
}

/// What has to happen for a kill, and whether it did; none where it is not known.
fn chain(mutant: &MutantOutcome) -> Vec<(&'static str, Option<bool>)> {
    let killed = mutant.kill.as_ref().map(|kill| kill.how);
    let Some(effort) = mutant.effort.filter(|_| killed.is_some() || mutant.status == Status::Live) else {
        return Vec::new();
    };
    let done = killed.is_some();
    let infected = if done { Some(true) } else { effort.infected };
    let end = match killed {
        Some(How::State) => "changed the state",
        Some(How::Output) => "changed the output",
        Some(How::Exception) => "changed the exception",
        Some(How::Crash) => "crashed",
        Some(How::Sanitizer) => "made a sanitizer report",
        Some(How::Hang) => "hung",
        None => "changed the state or the output",
    };
    let reached = done || effort.reached;
    let mut steps = vec![("reached", Some(reached)), ("changed a value", infected), (end, Some(done))];
    // A difference of the output would have been the one that counts.
    steps.extend((killed == Some(How::State)).then_some(("changed the output", Some(false))));
    // Behind the first step that did not happen nothing can.
    let stopped = steps.iter().position(|(_, step)| *step == Some(false)).unwrap_or(steps.len());
    steps.into_iter().take(stopped + 1).collect()
}

/// Each failure of an original once, however many inputs show it.
fn faults(view: &View) -> Vec<Value> {
    let mut seen: BTreeMap<(PathBuf, &str, String), Value> = BTreeMap::new();
    for unit in &view.outcome.units {
        for fault in &unit.suspected_faults {
            let place = format!("{}:{}", unit.file.display(), unit.line);
            let values = details::decoded(view.output, &fault.input).unwrap_or_default();
            let key = (unit.file.clone(), unit.id.as_str(), fault.what.clone());
            seen.entry(key).or_insert_with(|| {
                json!({
                    "unit": unit.id,
                    "place": place,
                    "what": fault.what,
                    "input": fault.input,
                    "values": values,
                    "bytes": details::bytes(view.output, &fault.input),
                })
            });
        }
    }
    seen.into_values().collect()
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

    fn page(outcome: &Outcome) -> String {
        let folder = tempfile::tempdir().unwrap();
        sample::write_details(folder.path());
        render(&View::new(outcome, folder.path(), folder.path())).unwrap()
    }

    /// The data in the page.
    fn inside(page: &str) -> Value {
        let text = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let page = page(&sample::outcome());
        for mark in ["http://", "https://", "src=", "@import", "url(", "<link"] {
            assert!(!page.contains(mark), "{mark}");
        }
    }

    #[test]
    fn names_of_the_project_end_no_script_and_are_never_markup() {
        let mut outcome = sample::outcome();
        outcome.mutants[2].reason = Some("</script><script>alert(1)</script>".into());
        outcome.mutants[2].id = "\"><img onerror=x>%SCRIPT%".into();
        let page = page(&outcome);
        assert!(!page.contains("<script>alert") && !page.contains("<img"));
        let data = inside(&page);
        assert_eq!(data["mutants"][1]["id"], outcome.mutants[2].id);
        assert!(!include_str!("html/page.js").contains("innerHTML"));
    }

    #[test]
    fn every_mutant_every_unit_the_test_the_values_and_the_faults_are_there() {
        let outcome = sample::outcome();
        let page = page(&outcome);
        for text in ["TEST(ChargeableModule, isAutonomous_returns_false)", "sat::StaticMission(3.5)", "SIGSEGV"] {
            assert!(page.contains(text), "{text}");
        }
        let data = inside(&page);
        let count = |name: &str| data[name].as_array().unwrap().len();
        assert_eq!((count("mutants"), count("units"), count("faults")), (outcome.mutants.len(), 3, 1));
        let first = &data["mutants"][0];
        assert_eq!((&first["status"], &first["chain"][0][0]), (&"live".into(), &"reached".into()));
        let killed = data["mutants"].as_array().unwrap().iter().find(|mutant| mutant["status"] == "killed").unwrap();
        let chargeable = &data["classes"][0];
        assert_eq!((&chargeable["bases"], &chargeable["units"]), (&json!(["sat::Module"]), &json!([0])));
        assert_eq!((&killed["tests"], &killed["chain"][2][1]), (&json!([0]), &true.into()));
    }

    #[test]
    fn a_page_over_nothing_is_still_a_page() {
        let mut outcome = sample::outcome();
        outcome.mutants.clear();
        outcome.units.clear();
        outcome.tests.clear();
        outcome.summary = Default::default();
        assert_eq!(inside(&page(&outcome))["score"], "–");
    }
}
