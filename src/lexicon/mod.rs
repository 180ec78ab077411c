//! What names suggest: one tokeniser, one matcher, roles whose words are data.
//!
//! A name is a guess. It may make a value likelier and never impossible; what is certain is a fact's to say.

pub mod arid;
mod role;
mod row;
mod words;

pub use arid::Arid;
pub use role::{MAKES, Role};
pub use row::Row;
pub use words::words;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The words that ship with the tool.
static BUILTIN: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon(Arc::new(builtin().into_iter().map(|(role, known)| (role, known.words)).collect())));

fn builtin() -> BTreeMap<Role, Builtin> {
    serde_yaml::from_str(include_str!("../../utility-overrides/builtin/lexicon.yaml")).expect("a test reads it")
}

/// Every role, and what a name says by it.
pub fn purposes() -> BTreeMap<Role, String> {
    builtin().into_iter().map(|(role, known)| (role, known.purpose)).collect()
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Builtin {
    purpose: String,
    words: Vec<Row>,
}

/// Roles and their words, the likeliest first. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Lexicon(Arc<BTreeMap<Role, Vec<Row>>>);

impl Default for Lexicon {
    /// The words that ship with the tool.
    fn default() -> Self {
        BUILTIN.clone()
    }
}

/// Where a name says a role.
struct Found {
    rank: usize,
    at: usize,
    length: usize,
}

impl Lexicon {
    /// The lexicon with more words, which come behind those that are there.
    #[must_use]
    pub fn with<'r>(mut self, more: impl IntoIterator<Item = (&'r Role, &'r Vec<Row>)>) -> Self {
        for (role, rows) in more {
            let known = Arc::make_mut(&mut self.0).entry(*role).or_default();
            for row in rows.iter().filter(|row| !known.contains(row)).collect::<Vec<_>>() {
                known.push(row.clone());
            }
        }
        self
    }

    fn rows(&self, roles: &impl AsRef<[Role]>) -> impl Iterator<Item = &Row> {
        roles.as_ref().iter().filter_map(|role| self.0.get(role)).flatten()
    }

    /// How many words the roles have together: more than any rank.
    pub fn ranks(&self, roles: impl AsRef<[Role]>) -> usize {
        self.rows(&roles).count()
    }

    fn find(&self, name: &[String], roles: impl AsRef<[Role]>, suits: impl Fn(&Found, usize) -> bool) -> Option<Found> {
        let name: Vec<&str> = name.iter().map(String::as_str).filter(|word| !is_number(word)).collect();
        let found = self.rows(&roles).enumerate().filter_map(|(rank, row)| {
            let (at, length) = row.place(&name)?;
            Some(Found { rank, at, length })
        });
        { found }.find(|found| suits(found, name.len()))
    }

    /// Whether a name has a word of one of the roles.
    pub fn says(&self, name: &str, roles: impl AsRef<[Role]>) -> bool {
        self.rank(name, roles).is_some()
    }

    /// The place of the first word, among those of the roles in their order, that a name has.
    pub fn rank(&self, name: &str, roles: impl AsRef<[Role]>) -> Option<usize> {
        self.find(&words(name), roles, |_, _| true).map(|found| found.rank)
    }

    /// Whether a name begins with a word of one of the roles.
    pub fn begins(&self, name: &str, roles: impl AsRef<[Role]>) -> bool {
        self.first(name, roles).is_some()
    }

    /// As `rank`, for the word that a name begins with, and the words behind it: `child` of `removeChild`.
    pub fn first(&self, name: &str, roles: impl AsRef<[Role]>) -> Option<(usize, Vec<String>)> {
        let words = words(name);
        let found = self.find(&words, roles, |found, _| found.at == 0)?;
        Some((found.rank, words[found.length.min(words.len())..].to_vec()))
    }

    /// As `rank`, and the other words of the name: `ht` of `ht_get`.
    pub fn apart(&self, name: &str, roles: impl AsRef<[Role]>) -> Option<(usize, Vec<String>)> {
        let mut words = words(name);
        words.retain(|word| !is_number(word));
        let found = self.find(&words, roles, |_, _| true)?;
        words.drain(found.at..found.at + found.length);
        Some((found.rank, words))
    }

    /// Whether a name ends with a word of one of the roles.
    pub fn ends(&self, name: &str, roles: impl AsRef<[Role]>) -> bool {
        self.find(&words(name), roles, |found, all| found.at + found.length == all).is_some()
    }

    /// Whether a name is a word of one of the roles, and nothing besides.
    pub fn is(&self, name: &str, roles: impl AsRef<[Role]>) -> bool {
        self.find(&words(name), roles, |found, all| found.length == all).is_some()
    }

    /// Whether a name is that of a length: by itself, or because it is `array`'s with a word for that, even if both are
    /// written in one (`keylen` of `key`).
    pub fn is_length(&self, name: &str, array: Option<&str>) -> bool {
        let joined = words(name).concat();
        let rest = array.map(|array| words(array).concat()).filter(|array| array.len() > 1);
        let rest = rest.and_then(|array| joined.strip_prefix(array.as_str()));
        self.says(name, Role::Length) || rest.is_some_and(|rest| self.is(rest, Role::Length))
    }

    /// Whether two names are those of the ends of a range: they differ in the words for these (`srcBegin`,
    /// `srcEnd`), or the second says by itself that it is an end (`x`, `xEnd`). Text may be short
    /// about it: `s` and `e`.
    pub fn are_range_ends(&self, from: &str, to: &str, is_text: bool) -> bool {
        let (begin, end) = (words(from), words(to));
        if begin.is_empty() || begin == end {
            return false;
        }
        let ends = self.rows(&Role::RangeEnd).filter_map(|row| match row {
            Row::Words { words, .. } => Some(words.concat()),
            Row::Pair(..) => None,
        });
        let (name, other) = (begin.concat(), end.concat());
        let is_named_after = { ends }.any(|word| other == format!("{name}{word}") || other == format!("{word}{name}"));
        let differs: Vec<usize> = (0..begin.len().min(end.len())).filter(|at| begin[*at] != end[*at]).collect();
        let is_pair = match differs[..] {
            [at] if begin.len() == end.len() => self.rows(&Role::RangeEnds).any(|row| match row {
                Row::Pair(first, last) => is_replaced((&begin[at], &end[at]), (first, last)),
                Row::Words { .. } => false,
            }),
            _ => false,
        };
        self.is(to, Role::RangeEnd) || is_text && self.is(to, Role::TextEnd) || is_named_after || is_pair
    }

    /// Whether the first name has a word for the beginning of a range, and the second one for an end.
    pub fn begins_and_ends(&self, from: &str, to: &str) -> bool {
        let (from, to) = (words(from), words(to));
        let has = |name: &[String], word: &String| name.contains(word);
        let (mut begins, mut ends) = (false, false);
        for row in self.rows(&Role::RangeEnds) {
            if let Row::Pair(first, last) = row {
                begins |= has(&from, first);
                ends |= has(&to, last);
            }
        }
        begins && ends
    }
}

/// Whether the two words are the pair's, with the same before or behind them: `srcbegin` and `srcend`.
fn is_replaced((from, to): (&str, &str), (first, last): (&str, &str)) -> bool {
    let before = from.strip_suffix(first).zip(to.strip_suffix(last)).is_some_and(|(one, other)| one == other);
    before || from.strip_prefix(first).zip(to.strip_prefix(last)).is_some_and(|(one, other)| one == other)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
