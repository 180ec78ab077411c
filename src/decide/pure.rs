//! Functions of the standard libraries that depend on their arguments alone, and do nothing beside them. Which these
//! are is data: `utility-overrides/builtin/pure.yaml`.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    /// Also with `f` and `l` at the end.
    math: BTreeSet<String>,
    others: BTreeSet<String>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../utility-overrides/builtin/pure.yaml")).expect("a test reads it")
});

/// Whether the library's function of this qualified name is one of them.
pub fn is_pure(name: &str) -> bool {
    let name = name.strip_prefix("std::").unwrap_or(name);
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let is_math = |name: &str| NAMES.math.contains(name);
    NAMES.others.contains(name) || is_math(name) || name.strip_suffix(['f', 'l']).is_some_and(is_math)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_computes_is_pure_and_what_prints_asks_or_remembers_is_not() {
        for name in ["sqrt", "sqrtf", "std::fabs", "__builtin_fabsl", "std::max", "memcpy", "__builtin_expect"] {
            assert!(is_pure(name), "{name}");
        }
        for name in ["printf", "fegetround", "__errno_location", "lgamma", "rand", "std::exit", "time", "f", "", "elf"]
        {
            assert!(!is_pure(name), "{name}");
        }
    }
}
