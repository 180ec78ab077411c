//! Reports as a pipeline uses them: formats, baseline, dismissals, and input that is wrong.

use crate::support::{Project, write_mutants};
use serde_json::Value;
use std::process::Command;

const SOURCE: &str =
    "int clamp(int value, int high) {\n  if (value > high) {\n    return high;\n  }\n  return value;\n}\n";
/// Equal where the two values are.
const LIVE: &str = "range.mut.2.1_1_1.ROR.clamp.c";
const KILLED: &str = "range.mut.5.1_1_1.UOI.clamp.c";

fn fuzzed(project: &mut Project, more: &[&str]) -> crate::support::Run {
    write_mutants(project, &[(LIVE, "value > high", "value >= high"), (KILLED, "return value;", "return -value;")]);
    project.fuzz(&[&["--budget", "2000x"], more].concat())
}

#[test]
fn a_pipeline_gets_its_formats_and_fails_on_new_survivors_until_they_are_dismissed() {
    let mut project = Project::of(&[("range.c", SOURCE)]);
    // Nothing survived before there was anything.
    project.write("empty.json", r#"{"mutants": []}"#);
    project.environment.push(("GITHUB_ACTIONS".into(), "true".into()));
    let summary = project.root().join("step.md");
    project.environment.push(("GITHUB_STEP_SUMMARY".into(), summary.display().to_string()));
    let reports = ["--report", "sarif", "--report", "junit=out/units.xml", "--report", "lines=-"];
    let run = fuzzed(&mut project, &[&["--baseline", "empty.json", "--fail-on-new"], &reports[..]].concat());
    run.ends_with(1);
    assert!(run.stdout.starts_with("range.c:2:13: live ROR clamp"), "{}", run.stdout);
    // What reads a report from standard output must not meet annotations.
    assert!(!run.stdout.contains("::error"), "{}", run.stdout);
    assert!(run.stderr.contains("::error file=range.c,line=2,endLine=2,col=13,endColumn=14,"), "{}", run.stderr);
    assert!(project.read("step.md").contains("**1 new survivor**"));
    assert!(project.read("out/units.xml").contains("failures=\"1\""));
    for file in ["motif.sarif", "elements.json", "index.html"] {
        assert!(project.root().join("motif.out/report").join(file).is_file(), "{file}");
    }
    assert_eq!(project.outcome().mutants()[LIVE]["new"], true);

    the_page_shows_it_in_a_browser(&project);

    // With the run itself as the baseline nothing is new.
    project.environment.clear();
    std::fs::copy(project.root().join("motif.out/outcomes.json"), project.root().join("old.json")).unwrap();
    let report = |line: &[&str]| project.run(["report"].iter().chain(line));
    report(&["--baseline", "old.json", "--fail-on-new"]).ends_with(0);
    report(&["--fail-on-new"]).ends_with(2);
    project.write("motif.yaml", "fail-on-new: true\n");
    report(&[]).ends_with(2);
    std::fs::remove_file(project.root().join("motif.yaml")).unwrap();
    report(&["--baseline", "empty.json", "--fail-on-new"]).ends_with(1);
    project.run(["dismiss", "range.c:2:13", "--reason", "equal", "--by", "Ann", "--as", "equivalent"]).ends_with(0);
    project.run(["dismiss", KILLED, "--reason", "equal", "--as", "equivalent"]).ends_with(2);
    report(&["--baseline", "empty.json", "--fail-on-new"]).ends_with(0);
    let json: Value = serde_json::from_str(&report(&["--format", "json", "--diff", "old.json"]).stdout).unwrap();
    let counts = ["killed", "live", "equivalent", "dismissed"].map(|name| json["summary"][name].as_u64().unwrap());
    assert_eq!(counts, [1, 0, 1, 1]);
    assert_eq!(json["changes"]["newly_live"], Value::Array(Vec::new()));
    assert!(report(&["--format", "lines"]).stdout.contains("range.c:2:13: dismissed ROR clamp"));
    assert!(project.run(["dismiss", "--list"]).stdout.contains("equivalent by Ann: equal"));
    project.run(["dismiss", "--remove", "range.c:2"]).ends_with(0);
    report(&["--baseline", "empty.json", "--fail-on-new"]).ends_with(1);

    // A verdict on what is gone is kept, and said once.
    project.run(["dismiss", LIVE, "--reason", "equal"]).ends_with(0);
    let kept = project.read("motif-dismissed.yaml");
    project.write("motif-dismissed.yaml", &kept.replace("fingerprint: ", "fingerprint: gone"));
    let gone = report(&[]);
    gone.ends_with(0);
    assert_eq!(gone.stderr.matches("warning[dismissal-gone]").count(), 1, "{}", gone.stderr);

    // What is wrong is said, with what to do.
    let whole = project.read("old.json");
    for (text, code, words) in [
        (&whole[..whole.len() / 2], "outcome-broken", "ends in the middle"),
        (&whole.replace("\"schema\": 1", "\"schema\": 2"), "outcome-schema", "newer motif-cpp"),
        (&whole.replace("range.c\"", "other.c\""), "outcome-foreign", "another project"),
        ("[]", "outcome-broken", "no outcome of motif-cpp"),
    ] {
        project.write("wrong.json", text);
        for option in ["--baseline", "--diff"] {
            let run = report(&[option, "wrong.json"]);
            run.ends_with(2);
            assert!(run.stderr.contains(code) && run.stderr.contains(words), "{}", run.stderr);
        }
    }
}

/// The page opens from a file, without an error; it filters, follows keys, and a link leads to a mutant or to a source.
fn the_page_shows_it_in_a_browser(project: &Project) {
    let folder = project.root().join("motif.out/report");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let used = page.replace("</body>", &format!("<script>{}</script></body>", include_str!("sources/page/use.js")));
    std::fs::write(folder.join("used.html"), used).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let shown = |link: &str| {
        let mut browser = Command::new("chromium");
        browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
        browser.arg(format!("--user-data-dir={}", profile.path().display()));
        let output = browser.arg(format!("file://{}/{link}", folder.display())).output().ok()?;
        let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!log.contains("CONSOLE"), "{log}");
        // Behind it is the data that everything is made of.
        let (made, rest) = dom.split_once("<script type=\"application/json\"").unwrap();
        Some((made.to_owned(), rest.to_owned()))
    };
    let Some((_, rest)) = shown("used.html") else {
        assert!(std::env::var_os("CI").is_none(), "in CI the page must be tested: Chromium is not installed");
        return eprintln!("SKIPPED: the page needs a browser (chromium)");
    };
    let said = rest.split("<pre id=\"said\">").nth(1).unwrap().split("</pre>").next().unwrap();
    let said: Value = serde_json::from_str(said).unwrap();
    let expected = serde_json::json!({
        "first": "1 of 2 mutants", "buttons": ["all 2", "new survivors 1", "killed 1", "live 1"], "open": 0,
        "killed": 1, "none": 0, "all": 2, "searched": "search", "next": 0, "last": 1, "opened": 1, "closed": 0,
    });
    assert_eq!(said, expected);
    let (killed, _) = shown(&format!("index.html#m={KILLED}")).unwrap();
    for words in ["-  return value;", "passes on the original, fails on the mutant", "assert(", "2 of 2 mutants"] {
        assert!(killed.contains(words), "no `{words}` in:\n{killed}");
    }
    let (source, _) = shown("index.html#f=range.c").unwrap();
    assert!(source.contains("&gt;</mark>"), "{source}");
}

#[test]
fn reports_are_made_after_mutate_as_after_fuzz() {
    let project = Project::of(&[("range.c", SOURCE)]);
    let run =
        project.run(["mutate", "-p", "build", "--operators", "ROR", "--report", "elements", "--report", "lines=-"]);
    run.ends_with(0);
    assert!(run.stdout.starts_with("range.c:2:7: live ROR clamp"), "{}", run.stdout);
    let elements: Value = serde_json::from_str(&project.read("motif.out/report/elements.json")).unwrap();
    assert_eq!(elements["files"]["range.c"]["source"], SOURCE);
    // A verdict on what `mutate` made holds for what `fuzz` makes.
    let listed: Value = serde_json::from_str(&project.read("motif.out/mutants.json")).unwrap();
    let listed = listed["mutants"][0].clone();
    project.run(["dismiss", listed["id"].as_str().unwrap(), "--reason", "so"]).ends_with(0);
    let kept = format!("fingerprint: {}", listed["fingerprint"].as_str().unwrap());
    assert!(project.read("motif-dismissed.yaml").contains(&kept), "{kept}");
    let github = project.run(["report", "--format", "github"]);
    github.ends_with(0);
    assert_eq!(github.stdout.lines().count(), 1, "nothing has survived anything: {}", github.stdout);
}
