//! Each part that can be switched off is off then, and what is found without it is right.

use crate::support::{Outcome, Project};
use serde_json::Value;

const SHOWN: &str = "keys.mut.2.1_1_1.ICR.shown.cpp";
const HIDDEN: &str = "keys.mut.6.1_1_1.ICR.hidden.cpp";

fn project() -> Project {
    // Two units of one signature, each with a mutant: that of `shown` is killed by a seed, that of `hidden` by the same
    // input, which no search finds: a product of 32 bits has to be one number.
    let project = Project::sources("switches");
    let key = 987_654_u32;
    let product = key.wrapping_mul(2_654_435_761).wrapping_mul(key ^ 0x5bd1_e995);
    let text = project.read("keys.cpp");
    assert!(text.contains(&product.to_string()), "{product}");
    let at = text.rfind("return 1").unwrap();
    project.write(&format!("mutants/{SHOWN}"), &text.replacen("return 1", "return 2", 1));
    project.write(&format!("mutants/{HIDDEN}"), &format!("{}return 2{}", &text[..at], &text[at + 8..]));
    project
}

/// A run with the environment; what is killed must be killed with proof.
#[track_caller]
fn outcome(project: &mut Project, environment: &[(&str, &str)]) -> Outcome {
    project.environment = environment.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    // What the last run has built in one; objects stay.
    let _ = std::fs::remove_dir_all(project.root().join("motif.out/cache/together"));
    project.fuzz(&["--budget", "30000x", "--seed", "1", "-j", "1", "--sanitizer", "none"]).ends_with(0);
    let outcome = project.outcome();
    for (id, mutant) in outcome.mutants() {
        assert!(mutant["status"] != "killed" || outcome.verified(id), "{environment:?}: {mutant}");
    }
    assert!(outcome.verified(SHOWN), "{environment:?}: {}", outcome.reason(SHOWN));
    outcome
}

/// Whether units were built in one, and what the first of them came to.
fn built(project: &Project) -> (bool, Vec<u8>) {
    let folder = |name: &str| std::fs::read_dir(project.root().join("motif.out").join(name));
    let together = folder("cache/together").is_ok_and(|mut entries| entries.next().is_some());
    let shown =
        folder("drivers").unwrap().flatten().find(|entry| entry.file_name().to_string_lossy().contains("shown"));
    let objects = std::fs::read_dir(shown.unwrap().path()).unwrap().flatten().map(|entry| entry.path());
    let object = objects.filter(|path| path.extension().is_some_and(|extension| extension == "so")).min();
    (together, std::fs::read(object.unwrap()).unwrap())
}

/// What mutations of `shown` have at hand.
fn literals(project: &Project) -> String {
    let searches = std::fs::read_dir(project.root().join("motif.out/cache/search")).unwrap().flatten();
    let shown = searches.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("shown")).unwrap();
    std::fs::read_to_string(shown.join("work/dictionary")).unwrap()
}

#[test]
#[ignore = "a long run; make test-all"]
fn drafts_shared_drafts_reuse_and_probes_can_be_switched_off() {
    let mut project = project();
    let all = outcome(&mut project, &[]);
    assert!(all.verified(HIDDEN), "{}", all.reason(HIDDEN));
    assert_eq!(all.mutants()[HIDDEN]["kill"]["by"], "reuse");
    assert_eq!(all.mutants()[HIDDEN]["effort"]["infected"], Value::Bool(true));
    let (together, draft) = built(&project);
    assert!(together);

    let alone = outcome(&mut project, &[("MOTIF_OFF", "together")]);
    assert!(!built(&project).0 && alone.verified(HIDDEN));
    let optimised = outcome(&mut project, &[("MOTIF_OFF", "draft")]);
    // What is optimised at once is not gone on with: nobody asks what others died of.
    assert_eq!(optimised.status(SHOWN), "killed");
    assert!(built(&project).0 && built(&project).1 != draft, "it was compiled as a draft is");
    let own = outcome(&mut project, &[("MOTIF_OFF", "reuse")]);
    assert_eq!(own.status(HIDDEN), "live");
    let everywhere = outcome(&mut project, &[("MOTIF_PROBES", "off"), ("MOTIF_WARM", "off")]);
    assert_eq!(everywhere.mutants()[HIDDEN]["status"], "killed");
    assert!(
        everywhere.mutants()[SHOWN]["effort"]["executions"].as_u64()
            >= all.mutants()[SHOWN]["effort"]["executions"].as_u64()
    );
}

#[test]
fn a_run_does_not_go_on_with_something_else_switched_off_and_unknown_words_are_refused() {
    let mut project = project();
    project.environment = vec![("MOTIF_OFF".into(), "drafts".into())];
    let run = project.fuzz(&[]);
    project.refuses(&run, 2, &["switch-unknown", "MOTIF_OFF", "`drafts`", "draft,"]);
    outcome(&mut project, &[]);
    assert!(literals(&project).contains("i 987654\n"), "{}", literals(&project));
    outcome(&mut project, &[("MOTIF_OFF", "dictionary")]);
    assert_eq!(literals(&project), "");
    project.environment.clear();
    let run = project.fuzz(&["--budget", "30000x", "--seed", "1", "-j", "1", "--sanitizer", "none", "--resume"]);
    run.ends_with(2);
    assert!(run.stderr.contains("what the environment switches off was `dictionary`"), "{}", run.stderr);
}
