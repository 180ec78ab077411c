//! The option values that select mutants.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Lines `first..=last` of a file, or of the only file in scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lines {
    /// The file as given.
    pub file: Option<String>,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` names no lines: expected `A-B` or `FILE:A-B`, such as `src/a.c:10-20`");
        let (file, range) = match text.rsplit_once(':') {
            Some(("", _)) => return Err(wrong()),
            Some((file, range)) => (Some(file.to_owned()), range),
            None => (None, text),
        };
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|line| *line > 0);
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(first), number(last)),
            None => (number(range), number(range)),
        };
        match (first, last) {
            (Some(first), Some(last)) if first <= last => Ok(Self { file, first, last }),
            (Some(first), Some(last)) => Err(format!("`{text}` names no lines: {last} comes before {first}")),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        write!(f, "{}-{}", self.first, self.last)
    }
}

/// A share of the mutants, above 0 and up to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rate(pub f64);

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a share of the mutants: expected `10%` or `0.1`");
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
        let share = match text.trim().strip_suffix('%') {
            Some(percent) => number(percent)? / 100.0,
            None => match number(text)? {
                1.0 => return Err("`1` is ambiguous: write `100%` or `1%`".into()),
                share if share < 1.0 => share,
                percent => percent / 100.0,
            },
        };
        if share > 0.0 && share <= 1.0 { Ok(Self(share)) } else { Err(wrong()) }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0 * 100.0)
    }
}

/// The width of a confidence interval in percentage points.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Width(pub f64);

impl FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let points = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>().ok();
        match points.filter(|points| *points > 0.0 && *points < 100.0) {
            Some(points) => Ok(Self(points)),
            None => Err(format!("`{text}` is not a width: expected percentage points between 0 and 100, such as `10`")),
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(pub Duration);

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let time = humantime::parse_duration(text.trim()).ok().filter(|time| !time.is_zero());
        time.map(Self).ok_or_else(|| format!("`{text}` is not a time limit: expected a time such as `30s` or `5m`"))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", humantime::format_duration(self.0))
    }
}

/// A size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
        let unit = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => Some(1),
            unit => ["k", "m", "g", "t"].iter().position(|begins| unit.starts_with(begins)).and_then(|at| {
                let power = at as u32 + 1;
                match &unit[1..] {
                    "" | "ib" => Some(1024_u64.pow(power)),
                    "b" => Some(1000_u64.pow(power)),
                    _ => None,
                }
            }),
        };
        let size = number.parse::<f64>().ok().zip(unit).map(|(number, unit)| Self((number * unit as f64) as u64));
        size.ok_or_else(|| format!("`{text}` is not a size: expected one such as `10GiB` or `500M`"))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A value with a number, which YAML may not give as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Number(serde_yaml::Number),
    Text(String),
}

/// The configuration accepts the spelling of the command line, with or without quotes.
macro_rules! written_as_on_the_command_line {
    ($($word:ident, $description:literal;)+) => {
        $(impl Serialize for $word {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $word {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = match Scalar::deserialize(deserializer)? {
                    Scalar::Number(number) => number.to_string(),
                    Scalar::Text(text) => text,
                };
                text.parse().map_err(de::Error::custom)
            }
        }

        impl JsonSchema for $word {
            fn schema_name() -> Cow<'static, str> {
                stringify!($word).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": ["string", "number"], "description": $description })
            }
        })+
    };
}

written_as_on_the_command_line! {
    Lines, "Lines of a file: `A-B` or `FILE:A-B`.";
    Rate, "A share of the mutants: `10%` or `0.1`.";
    Width, "Percentage points between 0 and 100.";
    Limit, "A time: `30s`, `5m`.";
    Size, "A size: `10GiB`, `500M`, or a number of bytes.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_one_or_a_range_with_or_without_their_file() {
        let lines = |file: Option<&str>, first, last| Ok(Lines { file: file.map(str::to_owned), first, last });
        assert_eq!("7".parse(), lines(None, 7, 7));
        assert_eq!("7-9".parse(), lines(None, 7, 9));
        assert_eq!("src/a.c:7-9".parse(), lines(Some("src/a.c"), 7, 9));
        for text in ["", "0", "9-7", ":7", "a.c", "a.c:", "7-", "-7", "a.c:7-x"] {
            assert!(text.parse::<Lines>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_rate_is_a_percentage_or_a_fraction_and_never_both() {
        assert_eq!("10%".parse(), Ok(Rate(0.1)));
        assert_eq!("0.1".parse(), Ok(Rate(0.1)));
        assert_eq!("25".parse(), Ok(Rate(0.25)));
        assert_eq!("100%".parse(), Ok(Rate(1.0)));
        for text in ["1", "0", "101%", "-5", "half", "nan", "0%"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_width_lies_between_0_and_100_points() {
        assert_eq!("10".parse(), Ok(Width(10.0)));
        assert_eq!("2.5%".parse(), Ok(Width(2.5)));
        for text in ["0", "100", "-1", "inf", "narrow"] {
            assert!(text.parse::<Width>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_size_has_a_unit_of_1024_or_1000_or_is_in_bytes() {
        for (text, bytes) in [
            ("7", 7),
            ("10GiB", 10 << 30),
            ("500M", 500 << 20),
            ("1.5 kB", 1500),
            ("0", 0),
            ("2t", 2 << 40),
            ("9 B", 9),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "G", "-1", "10 apples", "1e3", "10mm", "1.2.3G"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_configuration_takes_numbers_and_texts() {
        assert_eq!(serde_yaml::from_str::<Rate>("0.1").unwrap(), Rate(0.1));
        assert_eq!(serde_yaml::from_str::<Rate>("10%").unwrap(), Rate(0.1));
        assert_eq!(serde_yaml::from_str::<Lines>("7").unwrap().first, 7);
        assert_eq!(serde_yaml::from_str::<Width>("5").unwrap(), Width(5.0));
        assert!(serde_yaml::from_str::<Limit>("30").is_err());
        assert_eq!(serde_yaml::from_str::<Limit>("30s").unwrap().to_string(), "30s");
    }
}
