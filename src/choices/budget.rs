//! `--budget`: how much to search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How much to search: a time, or a number of executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// `10s`, `5m`, `1h 30m`.
    Time(Duration),
    /// `200000x`.
    Executions(u64),
}

impl Default for Budget {
    fn default() -> Self {
        Budget::Time(Duration::from_secs(10))
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "a time such as `10s` or `5m`, or a number of executions such as `200000x`";
        let text = text.trim();
        let budget = if let Some(count) = text.strip_suffix('x') {
            Budget::Executions(count.parse().map_err(|_| format!("`{text}` is not a budget: {expected}"))?)
        } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("`{text}` has no unit: {expected}"));
        } else {
            Budget::Time(humantime::parse_duration(text).map_err(|_| format!("`{text}` is not a budget: {expected}"))?)
        };
        match budget {
            Budget::Time(Duration::ZERO) | Budget::Executions(0) => Err("an empty budget searches nothing".into()),
            _ => Ok(budget),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Time(time) => write!(f, "{}", humantime::format_duration(*time)),
            Budget::Executions(count) => write!(f, "{count}x"),
        }
    }
}

written_as_text! {
    Budget, "A time (`10s`, `5m`) or a number of executions (`200000x`).",
    "^\\s*([0-9]+x|[0-9]+\\s*[a-z]+(\\s*[0-9]+\\s*[a-z]+)*)\\s*$"
}

/// The budget of a mutant: given, or found while the unit is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetChoice {
    /// This much.
    Given(Budget),
    /// Until an estimate says that more search would hardly find more; never more than the default budget.
    Auto,
}

impl FromStr for BudgetChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "auto" { Ok(Self::Auto) } else { text.parse().map(Self::Given) }
    }
}

impl fmt::Display for BudgetChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(budget) => budget.fmt(f),
            Self::Auto => f.write_str("auto"),
        }
    }
}

written_as_text! {
    BudgetChoice, "A time (`10s`, `5m`), a number of executions (`200000x`), or `auto`.",
    "^\\s*(auto|[0-9]+x|[0-9]+\\s*[a-z]+(\\s*[0-9]+\\s*[a-z]+)*)\\s*$"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_time_or_a_number_of_executions() {
        assert_eq!("10s".parse(), Ok(Budget::Time(Duration::from_secs(10))));
        assert_eq!("1m 30s".parse(), Ok(Budget::Time(Duration::from_secs(90))));
        assert_eq!("200000x".parse(), Ok(Budget::Executions(200_000)));
    }

    #[test]
    fn a_budget_without_a_unit_or_of_nothing_is_refused() {
        for text in ["10", "x", "-3s", "ten", "0s", "0x", "1.5x", "", "99999999999999999999999x"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_budget_is_written_as_it_is_read() {
        for text in ["10s", "5m", "1m 30s", "200000x"] {
            assert_eq!(text.parse::<Budget>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_mutants_budget_may_be_left_to_the_search() {
        assert_eq!("auto".parse(), Ok(BudgetChoice::Auto));
        assert_eq!("5s".parse(), Ok(BudgetChoice::Given(Budget::Time(Duration::from_secs(5)))));
        assert_eq!(BudgetChoice::Auto.to_string(), "auto");
        for text in ["automatic", "", "10"] {
            assert!(text.parse::<BudgetChoice>().is_err(), "{text}");
        }
    }
}
