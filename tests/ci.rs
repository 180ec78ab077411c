//! The recipes of `docs/ci.md`: their shell steps are run, in a repository, as their systems run them.

use crate::recipes::{recipes_of, scripts, try_shell, yaml};
use crate::support::Project;
use serde_json::Value;
use std::process::Command;

const LIBRARY: &str =
    "int clamp(int value, int high) {\n  if (value > high) {\n    return high;\n  }\n  return value;\n}\n";
const TEST: &str = "#include <stdlib.h>\nint clamp(int, int);\nint odd(int);\n\
                    int main(void) {\n  if (clamp(9, 3) != 3 || clamp(2, 3) != 2 || clamp(3, 2) != 2) abort();\n  \
                    return 0;\n}\n";
const CHANGE: &str = "int odd(int value) {\n  return value & 1;\n}\n";
const BUILD: &str = "cmake_minimum_required(VERSION 3.13)\nproject(range C)\nenable_testing()\n\
                     add_executable(check range.c check.c)\nadd_test(NAME check COMMAND check)\n";

/// A repository with a suite, of which `origin/main` is the first commit.
fn repository() -> Project {
    let project = Project::new();
    project.write("range.c", LIBRARY);
    project.write("check.c", &TEST.replace("int odd(int);\n", ""));
    project.write("CMakeLists.txt", BUILD);
    project.write(".gitignore", "build\nmotif.out\nmotif.base\n.motif-cache\n");
    commit(&project);
    git(&project, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    project
}

fn git(project: &Project, line: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let output = Command::new("git").args(who).args(line).current_dir(project.root()).output().unwrap();
    assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(project: &Project) {
    git(project, &["init", "-q"]);
    git(project, &["add", "-A"]);
    git(project, &["commit", "-q", "-m", "change"]);
}

/// A pipeline: what builds, what makes the baseline, and what looks at a change.
struct Pipeline {
    build: String,
    baseline: String,
    change: String,
}

fn github() -> Pipeline {
    let steps = &yaml(&recipes_of("ci.md")["github"])["jobs"]["mutants"]["steps"];
    let [build, change, baseline]: [String; 3] = scripts(steps, "run").try_into().unwrap();
    Pipeline { build, baseline, change }
}

fn gitlab() -> Pipeline {
    let page = yaml(&recipes_of("ci.md")["gitlab"]);
    let script = |job: &Value, key: &str| scripts(&job[key], "").join("\n");
    Pipeline {
        build: script(&page[".mutants"], "before_script"),
        baseline: script(&page["mutants-baseline"], "script"),
        change: script(&page["mutants"], "script"),
    }
}

fn jenkins() -> Pipeline {
    let text = recipes_of("ci.md")["jenkins"].clone();
    let [_, baseline, _, change, _]: [&str; 5] = text.split("'''").collect::<Vec<_>>().try_into().unwrap();
    let build = text.split("sh '").nth(1).unwrap().split('\'').next().unwrap();
    Pipeline { build: build.into(), baseline: baseline.into(), change: change.into() }
}

/// The job of a change: its exit code and what it says.
fn merge_request(project: &Project, pipeline: &Pipeline) -> (Option<i32>, String) {
    let variables = [("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"), ("CHANGE_TARGET", "main")];
    try_shell(project, &[pipeline.build.as_str(), &pipeline.change].join("\n"), &variables)
}

fn passes(project: &Project, pipeline: &Pipeline, of: &str) {
    let (code, said) = try_shell(project, &[pipeline.build.as_str(), of].join("\n"), &[]);
    assert_eq!(code, Some(0), "{said}");
}

fn plays_through(pipeline: &Pipeline) {
    let project = repository();
    passes(&project, pipeline, &pipeline.baseline);
    // What changes nothing passes.
    project.write("README", "more\n");
    commit(&project);
    let (code, said) = merge_request(&project, pipeline);
    assert_eq!(code, Some(0), "{said}");

    // A function without a test: the job fails, and has a test that kills what is new.
    project.write("range.c", &(LIBRARY.to_owned() + CHANGE));
    commit(&project);
    let (code, said) = merge_request(&project, pipeline);
    assert_eq!(code, Some(1), "{said}");
    let outcome = project.outcome();
    let new: Vec<Value> = outcome.mutants().into_values().filter(|mutant| mutant["new"] == true).cloned().collect();
    assert!(!new.is_empty() && new.iter().all(|mutant| mutant["unit"] == "odd"), "{new:?}");
    assert!(new.iter().any(|mutant| mutant["kill"]["verified"] == true), "{new:?}");

    // Its test, in words of the project's own: the job passes.
    project.write(
        "check.c",
        &TEST.replace("  return 0;", "  if (odd(3) != 1 || odd(4) != 0 || odd(-2) != 0) abort();\n  return 0;"),
    );
    commit(&project);
    let (code, said) = merge_request(&project, pipeline);
    assert_eq!(code, Some(0), "{said}");

    // The next baseline searches for what has changed only.
    passes(&project, pipeline, &pipeline.baseline);
    let next: Value = serde_json::from_str(&project.read("motif.base/outcomes.json")).unwrap();
    let searched = |mutant: &&Value| !mutant["effort"].is_null() && mutant["taken_over"].is_null();
    let searched: Vec<&Value> = next["mutants"].as_array().unwrap().iter().filter(searched).collect();
    assert!(searched.iter().all(|mutant| mutant["unit"] == "odd"), "{searched:?}");
}

#[test]
fn every_system_of_the_page_has_a_recipe() {
    let names: Vec<String> = recipes_of("ci.md").into_keys().collect();
    assert_eq!(names, ["github", "gitlab", "jenkins", "pre-commit"]);
}

#[test]
fn a_change_without_a_test_fails_on_github_and_passes_with_one() {
    plays_through(&github());
}

#[test]
#[ignore = "eight runs with a suite: make test-all"]
fn a_change_without_a_test_fails_on_gitlab_and_jenkins_too() {
    plays_through(&gitlab());
    plays_through(&jenkins());
}

#[test]
#[ignore = "three runs: make test-all"]
fn the_hook_before_a_push_fails_on_what_is_new() {
    let project = repository();
    passes(&project, &github(), &github().baseline);
    let hook = yaml(&recipes_of("ci.md")["pre-commit"])["repos"][0]["hooks"][0]["entry"].as_str().unwrap().to_owned();
    assert_eq!(try_shell(&project, &hook, &[]).0, Some(0));
    // What only saves time is equal without it, and no compiler sees that.
    let divisor = "unsigned divisor(unsigned a, unsigned b) {\n  if (a == b) return a;\n  while (b) {\n    \
                   unsigned rest = a % b;\n    a = b;\n    b = rest;\n  }\n  return a;\n}\n";
    project.write("range.c", &(LIBRARY.to_owned() + divisor));
    let (code, said) = try_shell(&project, &hook, &[]);
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn the_recipes_fit_the_schemas_that_the_systems_publish() {
    let schema = |text: &str| jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap();
    let github = schema(include_str!("schemas/github-workflow.json"));
    let gitlab = schema(include_str!("schemas/gitlab-ci.json"));
    for page in ["ci.md", "clusters.md"] {
        let recipes = recipes_of(page);
        for (name, schema) in [("github", &github), ("gitlab", &gitlab)] {
            let errors: Vec<String> =
                schema.iter_errors(&yaml(&recipes[name])).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{page}, {name}: {errors:?}");
        }
    }
    assert!(!github.is_valid(&yaml("{name: mutants, on: [push]}")) && !gitlab.is_valid(&yaml("{job: {script: 3}}")));
}
