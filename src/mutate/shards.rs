//! Cuts a run into shards by source file, the same on every machine: nothing but what is in the project counts.

use crate::choices::Budget;
use crate::model::Model;
use crate::session::Session;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a mutant costs without its search, in microseconds: filtering, a part of a driver, its test.
const MUTANT: u64 = 600_000;
/// The share of its budget that a mutant takes on average: most fall at once.
const BUDGET_PART: u64 = 5;
/// Inputs of a search per microsecond of that budget, inverted: about 20,000 a second.
const INPUT: u64 = 50;
/// What a file costs that has mutants: its drivers are compiled whatever their number.
const FILE: u64 = 2_000_000;
/// Microseconds of compiling for each byte of the project that the file's translation unit reads.
const BYTE: u64 = 4;

/// Keeps what belongs to the session's shard. Also returns the files of all shards, in order, relative to the
/// project; none where the run has no shards. What has no file belongs to the first shard.
pub fn cut<T>(session: &Session, all: Vec<T>, file: impl Fn(&T) -> &Path) -> (Vec<T>, Vec<PathBuf>) {
    let Some(shard) = session.options.shard else { return (all, Vec::new()) };
    let mut order: Vec<PathBuf> = Vec::new();
    let mut counts: BTreeMap<PathBuf, u64> = BTreeMap::new();
    for item in &all {
        let file = file(item);
        match counts.get_mut(file) {
            Some(count) => *count += 1,
            None => {
                order.push(file.to_path_buf());
                counts.insert(file.to_path_buf(), 1);
            }
        }
    }
    let nowhere = counts.remove(Path::new("")).is_some();
    let costs = counts.iter().map(|(file, count)| (file.as_path(), cost(session, file, *count))).collect();
    let mut shards = balanced(costs, shard.of);
    if nowhere {
        shards.insert(Path::new(""), 1);
    }
    let own: Vec<T> = all.into_iter().filter(|item| shards.get(file(item)) == Some(&shard.number)).collect();
    let root = &session.options.root;
    order.retain(|file| !file.as_os_str().is_empty());
    (own, order.iter().map(|file| file.strip_prefix(root).unwrap_or(file).to_path_buf()).collect())
}

/// Microseconds that the mutants of a file are expected to cost.
fn cost(session: &Session, file: &Path, mutants: u64) -> u64 {
    let search = match session.options.budget {
        Budget::Time(time) => u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
        Budget::Executions(inputs) => inputs.saturating_mul(INPUT),
    };
    let each = MUTANT.saturating_add(search / BUDGET_PART);
    let compiling = bytes(&session.model, &session.options.root, file).saturating_mul(BYTE);
    mutants.saturating_mul(each).saturating_add(FILE).saturating_add(compiling)
}

/// The size of what the project itself puts into the file's translation unit.
fn bytes(model: &Model, root: &Path, file: &Path) -> u64 {
    let files = model.unit_of(file).map(|unit| unit.files.iter().collect::<Vec<_>>()).unwrap_or_default();
    let own = files.into_iter().filter(|file| file.starts_with(root));
    own.filter_map(|file| std::fs::metadata(file).ok()).map(|file| file.len()).sum()
}

/// Each file to a shard from 1: the most expensive first, each to the shard that has least so far.
fn balanced(mut costs: Vec<(&Path, u64)>, shards: u32) -> BTreeMap<&Path, u32> {
    costs.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    // What is more than there are files gets nothing.
    let filled = shards.min(u32::try_from(costs.len()).unwrap_or(u32::MAX));
    let mut loads: std::collections::BTreeSet<(u64, u32)> = (1..=filled).map(|shard| (0, shard)).collect();
    let mut found = BTreeMap::new();
    for (file, cost) in costs {
        let Some((load, shard)) = loads.pop_first() else { break };
        found.insert(file, shard);
        loads.insert((load.saturating_add(cost), shard));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_spread_by_cost_and_the_order_they_come_in_does_not_matter() {
        let files = ["a", "b", "c", "d", "e"].map(Path::new);
        let costs: Vec<(&Path, u64)> = files.iter().copied().zip([8, 7, 6, 5, 4]).collect();
        let spread = balanced(costs.clone(), 2);
        assert_eq!(spread.values().copied().collect::<Vec<_>>(), [1, 2, 2, 1, 1]);
        let backwards = costs.iter().rev().copied().collect();
        assert_eq!(balanced(backwards, 2), spread);
        assert_eq!(balanced(costs.clone(), 1).values().max(), Some(&1));
        // More shards than files: some have none.
        assert_eq!(balanced(costs.clone(), 9).values().max(), Some(&5));
        assert_eq!(balanced(costs.clone(), u32::MAX), balanced(costs, 9));
    }
}
