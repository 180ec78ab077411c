//! `merge` of what `mutate --shard` left: one list of mutants, and one folder of mutated files.

use crate::diag::Problem;
use crate::mutate::list::{FILE_NAME, FOLDER};
use crate::outcome::ShardOutcome;
use crate::report::json::write_whole;
use crate::run::{Lock, join};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A shard's list.
struct Part {
    folder: PathBuf,
    shard: ShardOutcome,
    list: Value,
}

/// Whether a folder has a list of mutants, and no search was made in it.
pub fn is_one(folder: &Path) -> bool {
    folder.join(FILE_NAME).is_file() && !folder.join(join::JOURNAL).is_file()
}

/// Merges the lists of `folders` into `output`; gives the number of mutants.
///
/// # Errors
///
/// A list is missing (unless that is `allowed`), there twice, or belongs to another run.
pub fn merge(folders: &[PathBuf], output: &Path, allowed: bool) -> anyhow::Result<usize> {
    let mut parts = Vec::new();
    for folder in folders {
        match read(folder) {
            Ok(part) => parts.push(part),
            Err(problem) if allowed && problem.code == "shard-missing" => {}
            Err(problem) => return Err(problem.into()),
        }
    }
    parts.sort_by_key(|part| part.shard.number);
    let kept = |shard: &ShardOutcome| ShardOutcome { number: 0, ..shard.clone() };
    if let Some(other) = parts.iter().find(|part| kept(&part.shard) != kept(&parts[0].shard)) {
        let what = format!("this shard does not belong to that in {}", parts[0].folder.display());
        let fix = "shards of one run have the same options, sources and tool: run this one again";
        return Err(Problem::usage("shard-differs", what, fix).at(&other.folder).into());
    }
    let numbers: Vec<_> = parts.iter().map(|part| (part.folder.as_path(), &part.shard)).collect();
    let missing = join::missing(&numbers, allowed)?;
    join::is_free(&folders.iter().map(PathBuf::as_path).collect::<Vec<_>>(), output)?;
    let files: BTreeMap<&Path, usize> =
        parts[0].shard.files.iter().enumerate().map(|(place, file)| (file.as_path(), place)).collect();
    let mut all = parts[0].list.clone();
    for part in &parts[1..] {
        add(&mut all, &part.list);
    }
    if let Some(list) = all["mutants"].as_array_mut() {
        let place = |mutant: &Value| files.get(Path::new(mutant["file"].as_str().unwrap_or_default())).copied();
        list.sort_by_key(|mutant| place(mutant).unwrap_or(usize::MAX));
    }
    if let Some(list) = all.as_object_mut() {
        list.shift_remove("shard");
        list.insert("merged".into(), serde_json::json!({"of": parts[0].shard.of, "missing": missing}));
    }
    if let Some(tests) = all["tests"].as_object_mut() {
        let number = |key: &str| tests.get(key).and_then(Value::as_f64).unwrap_or_default();
        let (killed, tried) = (number("killed"), number("killed") + number("live"));
        tests.insert("score".into(), if tried > 0.0 { (killed / tried).into() } else { Value::Null });
    }
    let _lock = Lock::take(output)?;
    for part in &parts {
        join::copy(&part.folder.join(FOLDER), &output.join(FOLDER))?;
    }
    write_whole(&output.join(FILE_NAME), (serde_json::to_string_pretty(&all)? + "\n").as_bytes())?;
    Ok(all["mutants"].as_array().map_or(0, Vec::len))
}

fn read(folder: &Path) -> Result<Part, Problem> {
    let path = folder.join(FILE_NAME);
    let fix = "run `motif-cpp mutate --shard K/N` with this folder, or leave it out with `--allow-missing`";
    let refuse = |code, what: String| Problem::usage(code, what, fix).at(folder);
    let text = std::fs::read(&path)
        .map_err(|_| refuse("shard-missing", "there is no list of mutants in it: it never ran".into()))?;
    let list: Value = serde_json::from_slice(&text).map_err(|error| refuse("shard-broken", error.to_string()))?;
    let shard = serde_json::from_value(list["shard"].clone())
        .map_err(|_| refuse("shard-none", "this is the list of a whole run, not of a shard".into()))?;
    Ok(Part { folder: folder.to_path_buf(), shard, list })
}

/// Adds up numbers, and joins lists; what is said once stays.
fn add(all: &mut Value, more: &Value) {
    match (all, more) {
        (Value::Array(all), Value::Array(more)) => all.extend(more.iter().cloned()),
        (Value::Object(all), Value::Object(more)) => {
            for (key, value) in more {
                match all.get_mut(key) {
                    Some(known) if !matches!(key.as_str(), "schema" | "seed" | "line" | "shard" | "confidence") => {
                        add(known, value);
                    }
                    Some(_) => {}
                    None => drop(all.insert(key.clone(), value.clone())),
                }
            }
        }
        (Value::Number(all), Value::Number(more)) => {
            if let (Some(one), Some(other)) = (all.as_u64(), more.as_u64()) {
                *all = (one + other).into();
            }
        }
        (all @ Value::Null, more) => *all = more.clone(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_are_added_and_lists_joined() {
        let mut all =
            json!({"schema": 1, "tool": "t", "mutants": [1], "operators": {"ROR": {"made": 2}}, "tests": null});
        add(
            &mut all,
            &json!({"schema": 1, "tool": "t", "mutants": [2], "operators": {"ROR": {"made": 3, "live": 1},
            "SDL": {"made": 1}}, "tests": {"killed": 1}}),
        );
        let operators = json!({"ROR": {"made": 5, "live": 1}, "SDL": {"made": 1}});
        let expected =
            json!({"schema": 1, "tool": "t", "mutants": [1, 2], "operators": operators, "tests": {"killed": 1}});
        assert_eq!(all, expected);
    }
}
