//! The recipes of `docs/clusters.md`: what they call is run, with the variables that their systems set.

use crate::shards::{results, small};
use crate::support::{self, Project};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

fn recipes() -> BTreeMap<String, String> {
    recipes_of("clusters.md")
}

/// The recipes of a page by their names, without the fences.
pub fn recipes_of(page: &str) -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(format!("{}/docs/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let blocks = page.split("```").skip(1).step_by(2);
    let recipe = |block: &str| {
        let (_, text) = block.split_once('\n')?;
        let text = text.trim_start_matches("//").trim_start();
        let (name, _) = text.trim_start_matches("# ").strip_prefix("recipe: ")?.split_once('\n')?;
        Some((name.to_owned(), text.to_owned()))
    };
    blocks.filter_map(recipe).collect()
}

pub fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

/// Runs shell in a project where `motif-cpp` is the tool.
fn shell(project: &Project, script: &str, variables: &[(&str, &str)]) {
    // A recipe's budget is for real projects; and the project is built as it is to be found at the same place in each.
    let script = script.replace("200000x", "500x -j 1").replace("cmake -S . -B build", "true");
    let (code, said) = try_shell(project, &script, variables);
    assert_eq!(code, Some(0), "{script}\n{said}");
}

/// The same as it stands, but for the time it takes; its exit code, and what it says.
pub fn try_shell(project: &Project, script: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let tool = std::path::Path::new(env!("CARGO_BIN_EXE_motif-cpp")).parent().unwrap();
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap());
    let script = script.replace("--budget 5s", "--budget 500x");
    let mut command = Command::new("sh");
    command.args(["-ec", &script]).current_dir(project.root()).env("PATH", path);
    command.env("MOTIF_CACHE_DIR", support::CACHE).env("MOTIF_DECIDE", "off");
    command.env_remove("GITHUB_ACTIONS").envs(variables.iter().copied());
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (output.status.code(), said)
}

fn whole(project: &Project) {
    shell(project, "motif-cpp fuzz -p build --budget 200000x -o one", &[]);
}

fn is_whole(project: &Project) {
    assert!(results(project, "motif.out") == results(project, "one"), "it is not what one run gives");
}

/// The scripts of a list of steps.
pub fn scripts(steps: &Value, key: &str) -> Vec<String> {
    let all = steps.as_array().unwrap().iter();
    all.filter_map(|step| if key.is_empty() { step.as_str() } else { step[key].as_str() }).map(str::to_owned).collect()
}

#[test]
fn every_system_of_the_page_has_a_recipe() {
    let names: Vec<String> = recipes().into_keys().collect();
    assert_eq!(names, ["github", "gitlab", "kubernetes", "parallel", "slurm"]);
}

#[test]
#[ignore = "a long run; make test-all"]
fn gnu_parallel_runs_shards_and_their_results_are_merged() {
    let project = small();
    whole(&project);
    // This machine, without ssh.
    project.write("hosts", ":\n");
    shell(&project, &recipes()["parallel"], &[]);
    is_whole(&project);
}

#[test]
#[ignore = "three campaigns: make test-all"]
fn the_steps_of_pipelines_and_pods_give_what_one_run_gives() {
    let recipes = recipes();
    let project = small();
    whole(&project);
    let again = || std::fs::remove_dir_all(project.root().join("shards")).unwrap();

    let github = yaml(&recipes["github"]);
    let of = github["jobs"]["shard"]["env"]["MOTIF_SHARD_TOTAL"].to_string();
    for number in github["jobs"]["shard"]["strategy"]["matrix"]["shard"].as_array().unwrap() {
        let variables = [("MOTIF_SHARD_INDEX", &*number.to_string()), ("MOTIF_SHARD_TOTAL", &*of)];
        shell(&project, &scripts(&github["jobs"]["shard"]["steps"], "run").join("\n"), &variables);
    }
    shell(&project, &scripts(&github["jobs"]["merge"]["steps"], "run").join("\n"), &[]);
    is_whole(&project);

    again();
    let gitlab = yaml(&recipes["gitlab"]);
    let of = gitlab["shard"]["parallel"].as_u64().unwrap();
    for number in 1..=of {
        let variables = [("CI_NODE_INDEX", &*number.to_string()), ("CI_NODE_TOTAL", &*of.to_string())];
        shell(&project, &scripts(&gitlab["shard"]["script"], "").join("\n"), &variables);
    }
    shell(&project, &scripts(&gitlab["merge"]["script"], "").join("\n"), &[]);
    is_whole(&project);

    again();
    let job = yaml(&recipes["kubernetes"]);
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let of = container["env"][0]["value"].as_str().unwrap();
    assert_eq!(
        (job["spec"]["completions"].to_string(), &container["env"][0]["name"]),
        (of.into(), &"MOTIF_SHARD_TOTAL".into())
    );
    for index in 0..of.parse::<u32>().unwrap() {
        let variables = [("JOB_COMPLETION_INDEX", &*index.to_string()), ("MOTIF_SHARD_TOTAL", of)];
        shell(&project, container["command"][2].as_str().unwrap(), &variables);
    }
    shell(&project, "motif-cpp merge shards/* -o motif.out", &[]);
    is_whole(&project);
}

#[test]
fn the_kubernetes_manifest_is_one_by_the_schema_that_kubernetes_publishes() {
    let schema: Value = serde_json::from_str(include_str!("schemas/kubernetes-job.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let job = yaml(&recipes()["kubernetes"]);
    let errors: Vec<String> =
        schema.iter_errors(&job).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for (place, key, value) in [
        ("/spec", "completionsMode", Value::from("Indexed")),
        ("/spec", "completions", "three".into()),
        (
            "/spec/template/spec/containers/0",
            "volumeMounts",
            serde_json::json!([{"mountpath": "/mnt", "name": "work"}]),
        ),
    ] {
        let mut wrong = job.clone();
        wrong.pointer_mut(place).unwrap()[key] = value;
        assert!(!schema.is_valid(&wrong), "{place}/{key}");
    }
}
