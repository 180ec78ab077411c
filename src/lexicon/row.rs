//! A row of the lexicon: a word, several in a row, or a pair of them.

use super::words::words;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use std::borrow::Cow;
use std::fmt;

/// What a name has in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// Words in a row.
    Words {
        /// They.
        words: Vec<String>,
        /// The name begins with them.
        first: bool,
        /// The name ends with them.
        last: bool,
    },
    /// A word of one name, and the one that another name has in its place.
    Pair(String, String),
}

impl Row {
    /// Reads a row as it is written.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let word = |text: &str| match words(text).as_slice() {
            [word] if *word == text => Ok(word.clone()),
            _ => Err(format!("`{text}` is not one word in lower case")),
        };
        if let Some((begin, end)) = text.split_once("..") {
            return Ok(Row::Pair(word(begin)?, word(end)?));
        }
        let (plain, first) = text.strip_prefix('^').map_or((text, false), |rest| (rest, true));
        let (plain, last) = plain.strip_suffix('$').map_or((plain, false), |rest| (rest, true));
        let words = plain.split(' ').map(word).collect::<Result<_, _>>()?;
        Ok(Row::Words { words, first, last })
    }

    /// Where in the words of a name the row stands: from which word on, and how many.
    pub(super) fn place(&self, name: &[&str]) -> Option<(usize, usize)> {
        let Row::Words { words, first, last } = self else { return None };
        let places = name.windows(words.len()).enumerate();
        places
            .filter(|(_, part)| *part == words.as_slice())
            .map(|(at, _)| (at, words.len()))
            .find(|(at, length)| (!first || *at == 0) && (!last || at + length == name.len()))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::Pair(begin, end) => write!(f, "{begin}..{end}"),
            Row::Words { words, first, last } => {
                write!(f, "{}{}{}", if *first { "^" } else { "" }, words.join(" "), if *last { "$" } else { "" })
            }
        }
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let expected = "expected a word as names have it (`len`), several with a space between them, with `^` where \
                        a name begins so, with `$` where it ends so, or a pair `begin..end`";
        Row::parse(&text).map_err(|what| de::Error::custom(format!("{what}: {expected}")))
    }
}

impl JsonSchema for Row {
    fn schema_name() -> Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Words as names have them; `^` begins a name, `$` ends it. Of a range: `begin..end`.",
            "type": "string",
            "pattern": r"^(\^?[a-z0-9]+( [a-z0-9]+)*\$?|[a-z0-9]+\.\.[a-z0-9]+)$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stands_where_its_words_do() {
        let place = |row: &str, name: &str| {
            let name = words(name);
            let name: Vec<&str> = name.iter().map(String::as_str).collect();
            Row::parse(row).unwrap().place(&name)
        };
        assert_eq!(place("n bytes", "srcNBytes"), Some((1, 2)));
        assert_eq!(place("^len", "len_of"), Some((0, 1)));
        assert_eq!(place("^len", "max_len"), None);
        assert_eq!(place("len$", "max_len"), Some((1, 1)));
        assert_eq!(place("len$", "len_of"), None);
        assert_eq!(place("^len$", "len"), Some((0, 1)));
        assert_eq!(place("len", "silent"), None);
        assert_eq!(place("it$", "it_at_it"), Some((2, 1)), "the last place counts where the end is asked for");
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for text in ["", "Len", "n_bytes", "a  b", "begin..", "..", "a b..c", "^", "len;"] {
            assert!(Row::parse(text).is_err(), "{text}");
        }
    }
}
