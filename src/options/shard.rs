//! `--shard auto`: which part of the run a job array gives this job.

use crate::choices::{Shard, ShardChoice};
use crate::diag::Problem;

/// For systems that tell a job nothing of the kind: the number of the shard from 1, and how many there are.
const INDEX: &str = "MOTIF_SHARD_INDEX";
const TOTAL: &str = "MOTIF_SHARD_TOTAL";

/// The shard that was asked for, `environment` telling `auto` which one it is.
///
/// # Errors
///
/// `auto`, and the environment names none.
pub(super) fn resolve(
    choice: Option<ShardChoice>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Option<Shard>, Problem> {
    match choice {
        None => Ok(None),
        Some(ShardChoice::Given(shard)) => Ok(Some(shard)),
        Some(ShardChoice::Auto) => automatic(environment).map(Some),
    }
}

fn automatic(environment: impl Fn(&str) -> Option<String>) -> Result<Shard, Problem> {
    let text = |name: &str| environment(name).filter(|value| !value.is_empty());
    let refuse = |what: String| {
        let fix = format!("write `--shard K/N`, or set {INDEX} (from 1) and {TOTAL}");
        Problem::usage("shard-unknown", what, fix)
    };
    let number = |name: &str| match text(name).map(|value| (value.parse::<u32>(), value)) {
        None => Err(refuse(format!("`--shard auto`: {name} is not set"))),
        Some((Ok(number), _)) => Ok(number),
        Some((Err(_), value)) => Err(refuse(format!("`--shard auto`: {name} is `{value}`, which is no number"))),
    };
    let (number, of) = if text(INDEX).is_some() {
        (number(INDEX)?, number(TOTAL)?)
    } else if text("SLURM_ARRAY_TASK_ID").is_some() {
        let step = number("SLURM_ARRAY_TASK_STEP").unwrap_or(1).max(1);
        let first = number("SLURM_ARRAY_TASK_MIN").unwrap_or(1);
        let place = number("SLURM_ARRAY_TASK_ID")?.saturating_sub(first) / step;
        (place.saturating_add(1), number("SLURM_ARRAY_TASK_COUNT")?)
    } else if text("CI_NODE_INDEX").is_some() {
        (number("CI_NODE_INDEX")?, number("CI_NODE_TOTAL")?)
    } else if text("JOB_COMPLETION_INDEX").is_some() {
        // Kubernetes counts from 0, and does not say how many there are.
        (number("JOB_COMPLETION_INDEX")?.saturating_add(1), number(TOTAL)?)
    } else {
        return Err(refuse("`--shard auto` finds no job array of Slurm, GitLab, GitHub or Kubernetes".into()));
    };
    Shard::new(number, of).map_err(|why| refuse(format!("`--shard auto`: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(variables: &[(&str, &str)]) -> Result<String, Problem> {
        let environment =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        resolve(Some(ShardChoice::Auto), environment).map(|shard| shard.unwrap().to_string())
    }

    #[test]
    fn each_system_names_the_shard_in_its_own_way() {
        let slurm = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "4"), ("SLURM_ARRAY_TASK_MIN", "0")];
        assert_eq!(auto(&slurm).unwrap(), "4/4");
        assert_eq!(auto(&slurm[..2]).unwrap(), "3/4");
        let odd = [("SLURM_ARRAY_TASK_ID", "5"), ("SLURM_ARRAY_TASK_COUNT", "4"), ("SLURM_ARRAY_TASK_STEP", "2")];
        assert_eq!(auto(&odd).unwrap(), "3/4");
        assert_eq!(auto(&[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]).unwrap(), "2/3");
        assert_eq!(auto(&[(INDEX, "2"), (TOTAL, "3"), ("CI_NODE_INDEX", "9")]).unwrap(), "2/3");
        assert_eq!(auto(&[("JOB_COMPLETION_INDEX", "0"), (TOTAL, "3")]).unwrap(), "1/3");
    }

    #[test]
    fn what_is_not_said_is_an_error_that_names_the_variable() {
        for (variables, word) in [
            (&[][..], "Kubernetes"),
            (&[("JOB_COMPLETION_INDEX", "0")], TOTAL),
            (&[("CI_NODE_INDEX", "x"), ("CI_NODE_TOTAL", "3")], "`x`"),
            (&[("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "3")], "`3/3`"),
            // An array of single numbers: the last is the fifth of two.
            (&[("SLURM_ARRAY_TASK_ID", "5"), ("SLURM_ARRAY_TASK_COUNT", "2")], "`2/2`"),
        ] {
            let problem = auto(variables).unwrap_err();
            assert!(problem.what.contains(word) && problem.fix.contains("--shard K/N"), "{problem}");
        }
    }
}
