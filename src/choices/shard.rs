//! `--shard`: which part of a run this machine does.

use std::fmt;
use std::str::FromStr;

/// The part `number` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// Which part, from 1.
    pub number: u32,
    /// The number of parts.
    pub of: u32,
}

/// A part by its number, or the one that a job array gives this job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardChoice {
    /// This one.
    Given(Shard),
    /// As the environment says.
    Auto,
}

impl Shard {
    /// The part `number` of `of`.
    ///
    /// # Errors
    ///
    /// There is no such part: what to write instead.
    pub fn new(number: u32, of: u32) -> Result<Self, String> {
        match (number, of) {
            (_, 0) => Err(format!("`{number}/{of}` is no shard: a run has at least one, so N is from 1")),
            (0, _) => Err(format!("`0/{of}` is no shard: they are counted from 1, so the first is `1/{of}`")),
            _ if number > of => Err(format!("`{number}/{of}` is no shard: the last one is `{of}/{of}`")),
            _ => Ok(Self { number, of }),
        }
    }
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let wrong = || format!("`{text}` is no shard: expected `K/N`, such as `1/4` for the first of four, or `auto`");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let part = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
        Shard::new(part(number)?, part(of)?).map(Self::Given)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl fmt::Display for ShardChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(shard) => shard.fmt(f),
            Self::Auto => f.write_str("auto"),
        }
    }
}

written_as_text! {
    ShardChoice, "A part of the run: `K/N`, K from 1, or `auto`.", "^(auto|[1-9][0-9]*/[1-9][0-9]*)$"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one_and_what_is_none_says_what_to_write() {
        assert_eq!("2/7".parse(), Ok(ShardChoice::Given(Shard { number: 2, of: 7 })));
        assert_eq!("auto".parse(), Ok(ShardChoice::Auto));
        for (text, hint) in [
            ("0/4", "`1/4`"),
            ("5/4", "`4/4`"),
            ("1/0", "from 1"),
            ("3", "`K/N`"),
            ("-1/4", "`K/N`"),
            ("1/4/2", "`K/N`"),
        ] {
            let said = text.parse::<ShardChoice>().unwrap_err();
            assert!(said.contains(hint), "{text}: {said}");
        }
    }
}
