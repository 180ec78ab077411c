//! A mutant whose test proves nothing is searched once more, in the build in which tests run.

use crate::support::{Project, write_mutants};

/// Signed overflow is undefined: an optimiser sees that a sum with what is not negative is never smaller. In `told` the
/// mutant shows in another way as well, in `silent` it does not.
const TOLD: &str = "sums.mut.2.1_1_1.ICR.told.c";
const SILENT: &str = "sums.mut.7.1_1_1.ICR.silent.c";

/// A project that is optimised, as its tests are and drafts are not.
fn project() -> Project {
    let project = Project::sources("optimised_sums");
    let mutants = [(TOLD, "by = 0", "by = 2000000000"), (SILENT, "by = 1 - 1", "by = 2000000000")];
    write_mutants(&project, &mutants);
    let database = project.read("build/compile_commands.json").replace("\"-std=c11\"", "\"-std=c11\",\"-O2\"");
    project.write("build/compile_commands.json", &database);
    project
}

const OPTIONS: [&str; 6] = ["--budget", "60000x", "--seed", "1", "-j", "1"];

#[test]
fn an_input_whose_test_proves_nothing_costs_no_kill() {
    let project = project();
    project.fuzz(&OPTIONS).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.0["cpu_seconds"]["prove"].as_f64().unwrap() > 0.0);
    let told = outcome.mutants()[TOLD].clone();
    assert!(outcome.verified(TOLD), "{}: {told}", outcome.reason(TOLD));
    // What was found at last is what is kept, everywhere.
    let input = project.read(format!("motif.out/{}.json", told["kill"]["input"].as_str().unwrap()));
    assert!(input.contains("77777"), "{input}");
    let test = told["kill"]["test"].as_str().unwrap().split('#').next().unwrap();
    assert!(project.read(format!("motif.out/{test}")).contains("77777"), "{test}");
    assert!(told["effort"]["executions"].as_u64() >= told["kill"]["executions"].as_u64(), "{told}");
    outcome.costs_add_up();

    let silent = (outcome.status(SILENT), outcome.verified(SILENT));
    assert_eq!(silent, ("killed", false), "{}", outcome.reason(SILENT));
    let reason = outcome.reason(SILENT);
    assert!(reason.contains("passes on the mutant as well; ") && reason.contains("no other input"), "{reason}");

    let journal = project.read("motif.out/journal.jsonl");
    assert_eq!(journal.matches("{\"event\":\"proved\"").count(), 3, "one of all, one for each unit: {journal}");
    // A run that was cut off between the proofs and the second search does it when it goes on.
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let proved = lines.iter().position(|line| line.contains("{\"event\":\"proved\"")).unwrap();
    project.write("motif.out/journal.jsonl", &lines[..=proved].concat());
    let run = project.fuzz(&[&OPTIONS[..], &["--resume", "-v"]].concat());
    run.ends_with(0);
    assert!(run.stderr.contains("searching again: 2"), "{}", run.stderr);
    let outcome = project.outcome();
    assert!(outcome.verified(TOLD), "{}", outcome.reason(TOLD));
    // Whoever goes on takes that over, and does not search once more.
    let found = outcome.mutants().values().map(|mutant| (*mutant).clone()).collect::<Vec<_>>();
    let run = project.fuzz(&[&OPTIONS[..], &["--resume", "-v"]].concat());
    run.ends_with(0);
    assert!(run.stderr.contains("2 units done before"), "{}", run.stderr);
    assert!(!run.stderr.contains("searching again"), "{}", run.stderr);
    assert_eq!(project.outcome().mutants().values().map(|mutant| (*mutant).clone()).collect::<Vec<_>>(), found);
    assert!(project.read(format!("motif.out/{test}")).contains("77777"), "{test}");
}

#[test]
#[ignore = "a long run; make test-all"]
fn a_second_search_is_repeatable_and_has_the_inputs_that_are_known_where_the_whole_budget_is_spent() {
    let kill = |project: &Project| {
        let kill = project.outcome().mutants()[TOLD]["kill"].clone();
        serde_json::json!([kill["input"], kill["executions"], kill["verified"], kill["by"]])
    };
    let project = project();
    project.fuzz(&OPTIONS).ends_with(0);
    let first = kill(&project);
    project.fuzz(&OPTIONS).ends_with(0);
    assert_eq!(kill(&project), first);
    // The literal is among the seeds: nothing else is left of so small a budget.
    project.fuzz(&[&OPTIONS[..], &["--total-budget", "40x"]].concat()).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(TOLD), "{}: {}", outcome.status(TOLD), outcome.reason(TOLD));
    let mut project = project;
    project.environment = vec![("MOTIF_OFF".into(), "again".into())];
    project.fuzz(&OPTIONS).ends_with(0);
    assert!(!project.outcome().verified(TOLD), "it was switched off");
}

#[test]
fn a_test_with_which_the_original_leaves_its_memory_is_no_proof() {
    let project = Project::sources("over_reads");
    let (over, sound) = ("texts.mut.6.1_1_1.ICR.behind.c", "texts.mut.8.1_1_1.ICR.first.c");
    let text = project.read("texts.c");
    for (id, function) in [(over, "int behind("), (sound, "int first(")] {
        let (before, behind) = text.split_once(function).unwrap();
        project.write(&format!("mutants/{id}"), &format!("{before}{function}{}", behind.replacen(": 3", ": 4", 1)));
    }
    project.fuzz(&["--budget", "3000x", "--seed", "1", "--sanitizer", "none"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(sound), "{}", outcome.reason(sound));
    assert_eq!((outcome.status(over), outcome.verified(over)), ("killed", false));
    let reason = outcome.reason(over);
    assert!(reason.contains("buffer-overflow`, as AddressSanitizer says"), "{reason}");
    let test = outcome.mutants()[over]["kill"]["test"].as_str().unwrap().to_owned();
    assert!(test.starts_with("unproved/"), "{test}");
}
