//! Lengths that a test passes: no more than what it has put into the array, where that does.

use super::TestCase;
use super::lines::declared;
use super::render::has_word;
use crate::cpp::literal_length;
use std::ops::Range;

/// What a line could have instead of its numbers, `plainer` and the lengths of the arrays that it names, as they were
/// filled: `parse(it, text, 13);` behind `char text[] = "abc";` is `parse(it, text, 3);`.
pub(super) fn with_lengths(
    case: &TestCase,
    line: &str,
    plainer: impl Iterator<Item = (Range<usize>, Vec<String>)>,
) -> Vec<(Range<usize>, Vec<String>)> {
    let mut all: Vec<(Range<usize>, Vec<String>)> = plainer.collect();
    let filled = case.statements.iter().filter_map(|statement| Some((declared(statement)?, filled(statement)?)));
    for length in filled.filter(|(name, _)| has_word(line, name)).map(|(_, length)| length) {
        for (range, _) in numbers(line).filter(|(_, number)| *number > length) {
            let simpler = length.to_string();
            match all.iter_mut().find(|(known, _)| known.contains(&range.start)) {
                Some((known, ways)) if *known == range && !ways.contains(&simpler) => ways.push(simpler),
                Some(_) => {}
                None => all.push((range, vec![simpler])),
            }
        }
    }
    all
}

/// How many elements of an array its declaration fills: those of a text but the NUL.
fn filled(statement: &str) -> Option<usize> {
    let (_, value) = statement.strip_suffix(';')?.split_once("] = ")?;
    let length = match value.strip_prefix('{').and_then(|list| list.strip_suffix('}')) {
        // (Between quotes, a comma is a letter.)
        Some(list) if !list.contains("','") => list.split(", ").count(),
        None if value.starts_with('"') => literal_length(value),
        _ => return None,
    };
    (length > 0 && value != "{0}" && value != "{}").then_some(length)
}

/// The whole numbers among the arguments of a line's calls, with their places.
fn numbers(line: &str) -> impl Iterator<Item = (Range<usize>, usize)> + '_ {
    let is_start = |at: usize| at > 0 && (line[..at].ends_with('(') || line[..at].ends_with(", "));
    let starts = line.char_indices().filter(move |(at, c)| c.is_ascii_digit() && is_start(*at));
    starts.filter_map(|(from, _)| {
        let end = from + line[from..].find(|c: char| !c.is_ascii_digit())?;
        let is_whole = line[end..].starts_with([')', ',']) && line[..from].matches('"').count().is_multiple_of(2);
        Some((from..end, line[from..end].parse().ok().filter(|_| is_whole)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_may_be_that_of_what_an_array_was_filled_with() {
        let statements = ["char text[100] = \"a, 9\";", "unsigned char list[8] = {0, 216};", "int none[4] = {0};"];
        let case = TestCase { statements: statements.map(str::to_owned).to_vec(), ..TestCase::sample("m") };
        let of = |line: &str, plainer: Vec<(Range<usize>, Vec<String>)>| {
            with_lengths(&case, line, plainer.into_iter())
                .into_iter()
                .map(|(range, ways)| (line[range].to_owned(), ways.join(" ")))
                .collect::<Vec<_>>()
        };
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(of("parse(it, text, 13, 2);", Vec::new()), [pair("13", "4")]);
        assert_eq!(of("f(list, 8, \"(7, \");", vec![(8..9, vec!["0".into()])]), [pair("8", "0 2")]);
        assert_eq!(of("f(none, 4);", Vec::new()), []);
        assert_eq!(of("f(other, 8);", Vec::new()), []);
    }
}
