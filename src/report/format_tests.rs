//! Every format read back, by readers that are not ours where there are some.

use super::*;
use crate::outcome::{Dismissed, Judgement, MutantOutcome, Outcome, Status};
use changes::Changes;
use serde_json::Value;
use std::process::Command;

/// Names with everything that some format gives a meaning to.
const UNIT: &str = "ns::operator<<(std::map<K, \"a'b\">&&, `%25`|*_[x](y), é𝄞, </script><b>&amp;]]>)";
const FILE: &str = "src/ü %41,a:b/\"x\" <y>&.cpp";
const REASON: &str = "line one\r\nline two\u{1b}[2J ::error::no @all <script>alert(1)</script> <!-- -->";

/// The sample with such names, a baseline, a dismissal, and a mutant that was killed before.
struct Nasty {
    outcome: Outcome,
    old: Outcome,
    folder: tempfile::TempDir,
}

impl Nasty {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        sample::write_details(folder.path());
        let mut outcome = sample::outcome();
        let mut old = sample::outcome();
        (old.mutants[2].status, old.mutants[2].kill) = (Status::Killed, old.mutants[0].kill.clone());
        old.mutants.push(MutantOutcome { fingerprint: "gone".into(), ..old.mutants[3].clone() });
        outcome.units[1].id = UNIT.into();
        outcome.units[1].file = FILE.into();
        let dismissed = Dismissed { judgement: Judgement::Unwanted, reason: REASON.into(), by: Some(UNIT.into()) };
        outcome.mutants[3].dismissed = Some(dismissed);
        for mutant in &mut outcome.mutants {
            mutant.id = format!("{REASON}/{}", mutant.id);
            mutant.file = FILE.into();
            mutant.unit = Some(UNIT.into());
            mutant.operator = "R<O>:R,".into();
            mutant.reason = Some(REASON.into());
            mutant.new = Some(mutant.is_survivor());
        }
        outcome.tests[0].kills = vec![outcome.mutants[0].id.clone()];
        outcome.summary = crate::outcome::Summary::of(&outcome.mutants);
        Self { outcome, old, folder }
    }

    fn view(&self) -> View<'_> {
        let changes = Some(Changes::between(&self.old, &self.outcome));
        View { changes, fails_on_new: true, ..View::new(&self.outcome, self.folder.path(), self.folder.path()) }
    }

    fn text(&self, format: ReportFormat) -> String {
        (Format::of(format).render)(&self.view()).unwrap()
    }

    fn json(&self, format: ReportFormat) -> Value {
        serde_json::from_str(&self.text(format)).unwrap()
    }
}

#[track_caller]
fn fits(schema: &str, document: &Value) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

const ELEMENTS: &str = include_str!("../../tests/schemas/elements.json");
const SARIF: &str = include_str!("../../tests/schemas/sarif-2.1.0.json");

#[test]
fn every_name_comes_through_every_format_unharmed() {
    let nasty = Nasty::new();
    let json = nasty.json(ReportFormat::Json);
    assert_eq!((&json["mutants"][2]["unit"], &json["mutants"][2]["reason"]), (&UNIT.into(), &REASON.into()));

    let elements = nasty.json(ReportFormat::Elements);
    fits(ELEMENTS, &elements);
    let live = &elements["files"][FILE]["mutants"][2];
    assert_eq!((&live["id"], &live["status"]), (&nasty.outcome.mutants[2].id.as_str().into(), &"Survived".into()));
    assert!(live["description"].as_str().unwrap().contains(UNIT));

    fits(SARIF, &nasty.json(ReportFormat::Sarif));
    let log: serde_sarif::sarif::Sarif = serde_json::from_str(&nasty.text(ReportFormat::Sarif)).unwrap();
    let results = log.runs[0].results.as_ref().unwrap();
    assert!(results[0].message.text.as_ref().unwrap().contains(REASON));
    let place = results[0].locations.as_ref().unwrap()[0].physical_location.as_ref().unwrap();
    let uri = place.artifact_location.as_ref().unwrap().uri.as_deref().unwrap();
    assert_eq!(uri, "src/%C3%BC%20%2541%2Ca%3Ab/%22x%22%20%3Cy%3E%26.cpp");

    let junit = junit_parser::from_reader(nasty.text(ReportFormat::Junit).as_bytes()).unwrap();
    let suite = junit.suites.iter().find(|suite| suite.name == FILE).unwrap();
    assert_eq!((suite.cases[0].original_name.as_str(), suite.cases[0].file.as_deref()), (UNIT, Some(FILE)));
    let junit_parser::TestStatus::Failure(failure) = &suite.cases[0].status else { panic!("no failure") };
    assert!(failure.text.contains("<script>alert(1)</script>"), "{failure:?}");

    for (format, place, text) in [
        (ReportFormat::Gitlab, "/0/location/path", "/0/description"),
        (ReportFormat::Sonar, "/issues/0/primaryLocation/filePath", "/issues/0/primaryLocation/message"),
    ] {
        let report = nasty.json(format);
        assert_eq!(report.pointer(place).unwrap(), FILE);
        let text = report.pointer(text).unwrap().as_str().unwrap();
        assert!(text.contains(UNIT) && text.contains(REASON), "{text}");
    }
    assert_eq!(nasty.json(ReportFormat::Badge)["message"], "50.0 %");

    let github = nasty.text(ReportFormat::Github);
    let (head, message) = github.lines().next().unwrap()[2..].split_once("::").unwrap();
    let decode = |text: &str| {
        [("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let file = head.split("file=").nth(1).unwrap().split(',').next().unwrap();
    assert_eq!(decode(file), FILE);
    assert!(decode(message).contains(REASON), "{message}");
    assert!(github.lines().all(|line| line.starts_with("::")), "{github}");

    let lines = nasty.text(ReportFormat::Lines);
    assert_eq!(lines.lines().count(), nasty.outcome.mutants.len() + 1);
    assert!(lines.lines().nth(1).unwrap().starts_with(FILE) && lines.contains(UNIT), "{lines}");

    let markdown = nasty.text(ReportFormat::Markdown);
    assert!(markdown.contains(&format!("``{}``", UNIT)), "{markdown}");
    for (format, text) in [(ReportFormat::Markdown, markdown), (ReportFormat::Html, nasty.text(ReportFormat::Html))] {
        assert!(!text.contains("<script>alert") && !text.contains("<!--"), "{format}: {text}");
    }
    for format in [ReportFormat::Text, ReportFormat::Lines, ReportFormat::Markdown, ReportFormat::Junit] {
        let text = nasty.text(format);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{format}: {text:?}");
    }
}

#[test]
fn what_changed_is_said_by_every_format_that_can_say_it() {
    let nasty = Nasty::new();
    for (format, words) in [
        (ReportFormat::Text, "0 newly killed, 1 newly live, 0 new, 1 gone"),
        (ReportFormat::Markdown, "0 newly killed, 1 newly live, 0 new, 1 gone"),
        (ReportFormat::Junit, "0 newly killed, 1 newly live, 0 new, 1 gone"),
        (ReportFormat::Lines, "[newly live]"),
        (ReportFormat::Lines, ": gone ROR"),
        (ReportFormat::Html, "newly live"),
        (ReportFormat::Sarif, "\"baselineState\": \"updated\""),
        (ReportFormat::Sarif, "\"baselineState\": \"absent\""),
    ] {
        assert!(nasty.text(format).contains(words), "{format}: {}", nasty.text(format));
    }
    let changes = &nasty.json(ReportFormat::Json)["changes"];
    assert_eq!(changes["newly_live"][0], nasty.outcome.mutants[2].id);
    assert_eq!(changes["gone"].as_array().unwrap().len(), 1);
}

#[test]
fn the_tests_are_a_patch_that_git_applies() {
    let nasty = Nasty::new();
    let patch = markdown::patch(&nasty.view());
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("x.patch"), patch).unwrap();
    let applied = Command::new("git").args(["apply", "x.patch"]).current_dir(project.path()).output().unwrap();
    assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stderr));
    let file = &nasty.outcome.tests[0].file;
    let read = |folder: &Path| std::fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(read(project.path()), read(nasty.folder.path()));
}

#[test]
fn a_survivor_is_shown_once_it_is_new_and_dismissed_ones_are_listed_apart() {
    let mut nasty = Nasty::new();
    let count = |nasty: &Nasty, format, word: &str| nasty.text(format).matches(word).count();
    assert_eq!(count(&nasty, ReportFormat::Github, "::error "), 1);
    assert_eq!(count(&nasty, ReportFormat::Markdown, "dismissed as unwanted"), 1);
    assert_eq!(count(&nasty, ReportFormat::Text, "dismissed as unwanted"), 1);
    assert_eq!(count(&nasty, ReportFormat::Sarif, "suppressions"), 1);
    nasty.outcome.mutants[2].new = Some(false);
    assert_eq!(count(&nasty, ReportFormat::Github, "::error "), 0);
    assert!(nasty.text(ReportFormat::Markdown).contains("No new survivors."));
    assert!(nasty.text(ReportFormat::Junit).contains("failures=\"0\" errors"));
}

#[test]
fn at_most_so_many_survivors_of_a_function_are_shown_those_first_that_the_search_came_nearest_to() {
    let mut outcome = sample::outcome();
    let mut live = outcome.mutants[2].clone();
    for (number, infected) in [(1, Some(false)), (2, None), (3, Some(true))] {
        live.id = format!("m{number}");
        live.effort.as_mut().unwrap().infected = infected;
        outcome.mutants.push(live.clone());
    }
    let nowhere = Path::new("/nowhere");
    let of_unit = |outcome: &Outcome| {
        let view = View { most: Some(2), ..View::new(outcome, nowhere, nowhere) };
        let (shown, hidden) = view.shown();
        assert_eq!(hidden, 2);
        let of_unit = shown.iter().filter(|m| m.unit == live.unit).map(|m| m.id.clone());
        of_unit.collect::<Vec<String>>()
    };
    let (m2, first) = ("m2".to_owned(), outcome.mutants[2].id.clone());
    assert_eq!(of_unit(&outcome), ["m3".to_owned(), m2.clone().min(first)]);
    // Of two that are equally near, the one for whose like people adopted tests; nothing known is as likely as not.
    let first = of_unit(&outcome).remove(1);
    for (usefulness, comes_second) in [(Some(80), true), (None, first == m2), (Some(25), false)] {
        outcome.mutants.iter_mut().filter(|m| m.id == "m2").for_each(|m| m.usefulness = usefulness);
        assert_eq!(of_unit(&outcome)[1] == m2, comes_second, "{usefulness:?}");
    }
    let view = View { most: Some(2), ..View::new(&outcome, nowhere, nowhere) };
    assert!(github::render(&view).unwrap().contains("2 more survivors not shown"));
}

#[test]
fn a_comment_stays_within_the_limit_of_forges_however_many_survive() {
    let mut outcome = sample::outcome();
    let live = outcome.mutants[2].clone();
    let many = (0..2000).map(|number| MutantOutcome { id: format!("m{number}"), ..live.clone() });
    let verdict = Dismissed { judgement: Judgement::Unwanted, reason: REASON.into(), by: None };
    let dismissed = many.clone().map(|mutant| MutantOutcome { dismissed: Some(verdict.clone()), ..mutant });
    outcome.mutants.extend(many.chain(dismissed));
    let nowhere = Path::new("/nowhere");
    let text = (Format::of(ReportFormat::Markdown).render)(&View::new(&outcome, nowhere, nowhere)).unwrap();
    assert!(text.len() < 65_536 && text.contains("more survivors not shown"), "{}", text.len());
}

#[test]
fn forges_get_paths_from_the_top_of_the_repository() {
    let outcome = sample::outcome();
    let nowhere = Path::new("/nowhere");
    let view = View { within: "libs/geo/".into(), ..View::new(&outcome, nowhere, nowhere) };
    for name in [ReportFormat::Github, ReportFormat::Gitlab, ReportFormat::Sarif] {
        let text = (Format::of(name).render)(&view).unwrap();
        let file = outcome.mutants[2].file.display();
        assert!(text.contains(&format!("libs/geo/{file}")), "{name}: {text}");
    }
}

#[test]
fn every_format_is_made_of_what_mutate_wrote_and_of_nothing_at_all() {
    let listed = r#"{"mutants": [
        {"id": "a", "file": "a.c", "line": 3, "column": 1, "operator": "ROR", "unit": "f", "status": "new", "diff": ""},
        {"id": "b", "file": "a.c", "line": 4, "column": 1, "operator": "ROR", "unit": "f", "status": "live", "diff": ""}
    ]}"#;
    let nowhere = Path::new("/nowhere");
    for list in [listed, r#"{"mutants": []}"#] {
        let outcome = list::outcome(list).unwrap();
        let view = View::new(&outcome, nowhere, nowhere);
        let text = |name| (Format::of(name).render)(&view).unwrap();
        FORMATS.iter().for_each(|format| drop(text(format.name)));
        let elements: Value = serde_json::from_str(&text(ReportFormat::Elements)).unwrap();
        fits(ELEMENTS, &elements);
        fits(SARIF, &serde_json::from_str(&text(ReportFormat::Sarif)).unwrap());
        let junit = junit_parser::from_reader(text(ReportFormat::Junit).as_bytes()).unwrap();
        if !outcome.mutants.is_empty() {
            let mutants = &elements["files"]["a.c"]["mutants"];
            assert_eq!((&mutants[0]["status"], &mutants[1]["status"]), (&"Pending".into(), &"Survived".into()));
            assert_eq!((view.survivors().len(), junit.suites[0].cases.len()), (1, 1));
            assert!(junit.suites[0].cases[0].system_out.as_ref().unwrap().contains("a.c:4:"));
        }
    }
}
