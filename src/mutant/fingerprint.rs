//! Fingerprints: a name for a mutant that outlives edits elsewhere.
//!
//! A mutant is the same while its function's qualified name and the mutated statement are: the statement's tokens
//! before and after, and its place among equal statements of the function. White space, comments, the file's name and
//! the rest of the function do not matter.

use super::made::common;
use crate::lex::{self, Text, Token};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// An original file with its tokens.
pub struct Source(Text);

/// The mutated statement of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// Its tokens.
    original: String,
    /// Its tokens in the mutant.
    mutated: String,
    /// Equal statements of the function before it.
    number: usize,
}

/// The function that a mutant is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'p> {
    /// Its name with scopes.
    pub qualified: &'p str,
    /// Its id, which tells overloads apart.
    pub id: &'p str,
    /// Its file, which tells functions that are local to a file apart.
    pub file: &'p Path,
}

impl Source {
    /// Reads the tokens of a file.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(Text::new(bytes))
    }

    /// Its text.
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The statement in which `mutated` differs, within the function at `function` (offsets of this file).
    pub fn statement(&self, mutated: &[u8], function: (u32, u32)) -> Statement {
        let Text { bytes, tokens } = &self.0;
        let (front, back) = common(bytes, mutated);
        let (start, end) = (front as u32, (bytes.len() - back) as u32);
        let inside = |token: &Token| token.start >= function.0 && token.end <= function.1;
        let first = tokens.iter().position(inside).unwrap_or(0);
        let last = tokens.iter().rposition(inside).map_or(tokens.len(), |last| last + 1);
        let tokens = &tokens[first..last.max(first)];
        let ends = statement_ends(tokens, bytes);
        // The tokens from the first that the change touches to the last, widened to whole statements.
        let from = tokens.iter().position(|token| token.end >= start).unwrap_or(tokens.len());
        let to = tokens.iter().rposition(|token| token.start <= end).map_or(0, |at| at + 1).max(from);
        let from = (0..from).rev().find(|at| ends[*at]).map_or(0, |at| at + 1);
        let to = (to.saturating_sub(1)..tokens.len()).find(|at| ends[*at]).map_or(tokens.len(), |at| at + 1);
        let of = |range: &[Token]| text(range, bytes);
        let original = of(&tokens[from..to.max(from)]);
        let begin = tokens.get(from).map_or(start, |token| token.start) as usize;
        let rest = bytes.len() - tokens[..to].last().map_or(end, |token| token.end.max(end)) as usize;
        let changed = mutated.get(begin.min(mutated.len())..mutated.len().saturating_sub(rest)).unwrap_or_default();
        let mutated = text(&lex::tokens(changed), changed);
        let mut number = 0;
        let mut at = 0;
        for end in (0..from).filter(|at| ends[*at]) {
            number += usize::from(of(&tokens[at..=end]) == original);
            at = end + 1;
        }
        Statement { original, mutated, number }
    }
}

/// Which tokens end a statement: `;`, `{` and `}` whose innermost open bracket is a brace.
fn statement_ends(tokens: &[Token], source: &[u8]) -> Vec<bool> {
    let mut open: Vec<u8> = Vec::new();
    let is_end = |token: &Token| match token.text(source) {
        [b'{'] => {
            open.push(b'{');
            true
        }
        [bracket @ (b'(' | b'[')] => {
            open.push(*bracket);
            false
        }
        [b')' | b']'] => {
            open.pop_if(|bracket| *bracket != b'{');
            false
        }
        [b'}'] => {
            while open.pop().is_some_and(|bracket| bracket != b'{') {}
            true
        }
        [b';'] => open.last().is_none_or(|bracket| *bracket == b'{'),
        _ => false,
    };
    tokens.iter().map(is_end).collect()
}

fn text(tokens: &[Token], source: &[u8]) -> String {
    let words: Vec<_> = tokens.iter().map(|token| String::from_utf8_lossy(token.text(source))).collect();
    words.join(" ")
}

/// One fingerprint per mutant, in order. Functions that share a name are numbered where their statements are equal.
pub fn fingerprints(mutants: &[(Place<'_>, Statement)]) -> Vec<String> {
    let mut functions: BTreeMap<(&str, &Statement), Vec<(&str, &Path)>> = BTreeMap::new();
    for (place, statement) in mutants {
        functions.entry((place.qualified, statement)).or_default().push((place.id, place.file));
    }
    for places in functions.values_mut() {
        places.sort_unstable();
        places.dedup();
    }
    let fingerprint = |(place, statement): &(Place<'_>, Statement)| {
        let places = &functions[&(place.qualified, statement)];
        let function = places.iter().position(|known| *known == (place.id, place.file)).unwrap_or(0);
        let mut hash = Sha256::new();
        for part in [place.qualified, &statement.original, &statement.mutated] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.update((statement.number as u64).to_le_bytes());
        hash.update((function as u64).to_le_bytes());
        hash.finalize().iter().take(10).map(|byte| format!("{byte:02x}")).collect()
    };
    mutants.iter().map(fingerprint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str = "int f(int a) {\n  if (a > 0) {\n    return a + 1;\n  }\n  return a + 1;\n}\n";

    fn fingerprint_in(file: &str, id: &str, original: &str, mutated: &str) -> String {
        let source = Source::new(original.into());
        let statement = source.statement(mutated.as_bytes(), (0, original.len() as u32));
        fingerprints(&[(Place { qualified: "ns::f", id, file: Path::new(file) }, statement)]).remove(0)
    }

    fn fingerprint(original: &str, from: &str, to: &str) -> String {
        assert!(original.contains(from));
        fingerprint_in("a.cpp", "ns::f(int)", original, &original.replacen(from, to, 1))
    }

    #[test]
    fn edits_elsewhere_white_space_comments_and_renames_of_the_file_do_not_change_it() {
        let before = fingerprint(ORIGINAL, "a > 0", "a >= 0");
        let spread = ORIGINAL.replace("if (a > 0)", "if (a   // positive\n   > 0)");
        let after = spread.replacen("> 0", ">= 0", 1);
        assert_eq!(before, fingerprint_in("a.cpp", "ns::f(int)", &spread, &after));
        let edited = format!("#include <x>\nint g();\n{}", ORIGINAL.replace("{\n  if", "{\n  a *= g();\n  if"));
        assert_eq!(before, fingerprint(&edited, "a > 0", "a >= 0"));
        assert_eq!(before, fingerprint_in("b.cpp", "ns::f(int)", ORIGINAL, &ORIGINAL.replace("a > 0", "a >= 0")));
        // A parameter's type is no part of the name.
        assert_eq!(before, fingerprint_in("a.cpp", "ns::f(long)", ORIGINAL, &ORIGINAL.replace("a > 0", "a >= 0")));
    }

    #[test]
    fn another_change_another_statement_and_another_place_among_equals_change_it() {
        let all = [
            fingerprint(ORIGINAL, "a > 0", "a >= 0"),
            fingerprint(ORIGINAL, "a > 0", "a < 0"),
            fingerprint(&ORIGINAL.replace("a > 0", "a > 1"), "a > 1", "a >= 1"),
            fingerprint(ORIGINAL, "return a + 1", "return a - 1"),
            fingerprint(ORIGINAL, "}\n  return a + 1", "}\n  return a - 1"),
            fingerprint(ORIGINAL, "    return a + 1;\n", "    ;\n"),
            fingerprint(ORIGINAL, "if (a > 0) {\n    return a + 1;\n  }", ""),
        ];
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "{all:?}");
    }

    #[test]
    fn a_loop_header_is_one_statement_and_a_lambda_has_statements_of_its_own() {
        let loops = "void f() { for (int i = 0; i < 3; ++i) { g([&] { h(i); return 1; }, i); } }";
        let source = Source::new(loops.into());
        let of = |from: &str, to: &str| {
            source.statement(loops.replacen(from, to, 1).as_bytes(), (0, loops.len() as u32)).original
        };
        assert_eq!(of("i < 3", "i <= 3"), "for ( int i = 0 ; i < 3 ; ++ i ) {");
        assert_eq!(of("return 1", "return 0"), "return 1 ;");
    }

    #[test]
    fn overloads_with_the_same_statement_are_told_apart() {
        let source = Source::new(b"return 1;".to_vec());
        let statement = source.statement(b"return 0;", (0, 9));
        let place = |id| Place { qualified: "f", id, file: Path::new("a.c") };
        let both = fingerprints(&[
            (place("f(int)"), statement.clone()),
            (place("f(long)"), statement.clone()),
            (place("f(int)"), statement),
        ]);
        assert_ne!(both[0], both[1]);
        // The same change by two operators is the same mutant.
        assert_eq!(both[0], both[2]);
    }

    #[test]
    fn any_two_texts_have_a_fingerprint() {
        for (old, new) in [("", "x"), ("x", ""), ("}{)(", "{"), ("a;", "a;b;"), ("f(;", "f();"), ("é", "è")] {
            assert_eq!(fingerprint_in("a", "f", old, new).len(), 20);
        }
    }
}
