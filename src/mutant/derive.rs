//! Pairs built-in mutants without parsing the mutated file: the mutant is known to compile, so the pairing follows
//! from the model of the original and the text of the change.
//!
//! A large project has thousands of mutants, and parsing a file takes a good part of a second. Uncertain cases (a
//! name that the function does not use otherwise) are left to the comparison.

use super::Pairing;
use super::made::common;
use crate::lex::{self, Kind, Text, Token};
use crate::model::{Definition, Function, Literal, Model, Reference, SourceFile, Usr};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The data about an original that its mutants need.
pub struct Base<'m> {
    text: &'m Text<&'m [u8]>,
    file: Option<&'m SourceFile>,
    /// Functions of the file, none nested, in order; each with the start of the part that may differ.
    functions: Vec<(u32, &'m Function, &'m Definition)>,
}

/// The derived data of a mutant.
pub struct Derived {
    /// The pairing.
    pub pairing: Pairing,
    /// The line of the first changed token.
    pub line: u32,
}

impl<'m> Base<'m> {
    /// Reads the model for `file` with this text.
    pub fn new(file: &Path, text: &'m Text<&'m [u8]>, model: &'m Model) -> Self {
        Self { text, file: model.files.get(file), functions: outermost(model, file, text) }
    }

    /// The pairing of a mutated text that compiles; `None` if only a comparison can tell.
    pub fn derive(&self, mutated: &[u8]) -> Option<Derived> {
        let source = self.text.bytes;
        let (front, back) = common(source, mutated);
        let (function, definition) = self.function_around(front as u32, (source.len() - back) as u32)?;
        let grown = mutated.len() as i64 - source.len() as i64;
        let moved = |offset: u32| u32::try_from(i64::from(offset) + grown).ok();
        let extent = (definition.extent.start, definition.extent.end);
        let end = moved(extent.1)?;

        let old = self.text.within(extent.0, extent.1);
        let at = |token: Token| Token { start: token.start + extent.0, end: token.end + extent.0, ..token };
        let new = lex::tokens(mutated.get(extent.0 as usize..end as usize)?);
        let new: Vec<Token> = new.into_iter().map(at).collect();
        let equal = |(a, b): &(&Token, &Token)| a.kind == b.kind && a.text(source) == b.text(mutated);
        let head = old.iter().zip(&new).take_while(equal).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(equal).count();
        let (gone, come) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
        if gone.is_empty() && come.is_empty() {
            return None;
        }
        // Text after the change has moved; inside the change there is nothing to map.
        let change_start = gone.first().or(old.get(head)).map_or(extent.1, |token| token.start);
        let change_end = gone.last().map_or(change_start, |token| token.end);
        let follow = |offset: u32| match offset {
            offset if offset <= change_start => Some(offset),
            offset if offset >= change_end => moved(offset),
            _ => None,
        };
        let in_initializers = change_start < definition.body.start;
        let body = (
            if in_initializers { moved(definition.body.start)? } else { definition.body.start },
            moved(definition.body.end)?,
        );
        let is_brace = |offset: u32, brace: u8| mutated.get(offset as usize) == Some(&brace);
        if !is_brace(body.1.checked_sub(1)?, b'}')
            || source.get(definition.body.start as usize) != mutated.get(body.0 as usize)
        {
            return None;
        }
        let initializers = match &definition.initializers {
            None => None,
            Some(initializers) => {
                // If the last of them goes, the colon goes too.
                let start = follow(initializers.start).unwrap_or(change_start);
                let left = new.iter().any(|token| start <= token.start && token.end <= body.0);
                left.then_some((start, body.0))
            }
        };
        let mut references: BTreeSet<Reference> = self
            .references(extent)
            .filter(|reference| reference.offset < change_start || reference.offset >= change_end)
            .filter_map(|reference| Some(Reference { offset: follow(reference.offset)?, ..reference.clone() }))
            .collect();
        references.extend(self.names(extent, old, come, mutated)?);
        let words: BTreeSet<&[u8]> = new.iter().filter(|t| t.kind == Kind::Word).map(|t| t.text(mutated)).collect();
        let pairing = Pairing {
            unit: function.usr.clone(),
            body,
            initializers,
            in_initializers,
            is_whole: false,
            references: references.into_iter().collect(),
            labels: definition.labels.iter().filter(|label| words.contains(label.as_bytes())).cloned().collect(),
            literals: literals(come, mutated).filter(|literal| !definition.literals.contains(literal)).collect(),
        };
        Some(Derived { pairing, line: self.text.line(change_start) })
    }

    /// The function whose initialisers or body contain all of `start..end`.
    fn function_around(&self, start: u32, end: u32) -> Option<(&'m Function, &'m Definition)> {
        let at = self.functions.partition_point(|(from, ..)| *from <= start).checked_sub(1)?;
        let (from, function, definition) = self.functions[at];
        // The brackets themselves stay.
        (from <= start && end < definition.body.end).then_some((function, definition))
    }

    fn references(&self, extent: (u32, u32)) -> impl Iterator<Item = &'m Reference> {
        let all = self.file.map(|file| file.references.as_slice()).unwrap_or_default();
        let from = all.partition_point(|reference| reference.offset < extent.0);
        all[from..].iter().take_while(move |reference| reference.offset < extent.1)
    }

    /// The references among the new tokens: names mean what they mean elsewhere in the function.
    fn names(&self, extent: (u32, u32), old: &[Token], come: &[Token], mutated: &[u8]) -> Option<Vec<Reference>> {
        let known: BTreeMap<u32, &Usr> = self.references(extent).map(|r| (r.offset, &r.target)).collect();
        let mut meanings: HashMap<&[u8], BTreeSet<Option<&Usr>>> = HashMap::new();
        for token in old.iter().filter(|token| token.kind == Kind::Word) {
            meanings.entry(self.text.word(token)).or_default().insert(known.get(&token.start).copied());
        }
        let mut found = Vec::new();
        for (n, token) in come.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
            let word = token.text(mutated);
            let of_std = n >= 2 && come[n - 1].is(mutated, "::") && come[n - 2].is(mutated, "std");
            if is_keyword(word) || word == b"std" || of_std {
                continue;
            }
            let mut targets = meanings.get(word)?.iter();
            match (targets.next()?, targets.next()) {
                (Some(target), None) => found.push(Reference {
                    offset: token.start,
                    len: token.end - token.start,
                    target: (*target).clone(),
                    is_declaration: false,
                }),
                (None, None) => {}
                _ => return None,
            }
        }
        Some(found)
    }
}

/// The functions that `file` with this text defines, none nested, in order, each with the start of its part that may
/// differ: the `:` of its initialisers, or its body.
pub fn outermost<'m>(model: &'m Model, file: &Path, text: &Text<&[u8]>) -> Vec<(u32, &'m Function, &'m Definition)> {
    let colon = |offset: u32| {
        let last = text.within(0, offset).last().filter(|token| text.word(token) == b":");
        last.map_or(offset, |token| token.start)
    };
    let start = |definition: &Definition| match &definition.initializers {
        Some(initializers) => colon(initializers.start),
        None => definition.body.start,
    };
    let defined = model.functions.values().filter_map(|function| Some((function, function.definition.as_ref()?)));
    let usable = defined.filter(|(_, definition)| definition.extent.file == file && !definition.in_macro);
    let mut all: Vec<_> = usable.map(|(function, definition)| (start(definition), function, definition)).collect();
    all.sort_by_key(|(start, _, definition)| (*start, std::cmp::Reverse(definition.body.end)));
    let mut end = 0;
    all.retain(|(start, _, definition)| {
        let is_outermost = end <= *start;
        end = if is_outermost { definition.body.end } else { end };
        is_outermost
    });
    all
}

/// Keywords that operators write.
fn is_keyword(word: &[u8]) -> bool {
    const WORDS: &[&str] = &[
        "true", "false", "nullptr", "this", "return", "if", "else", "while", "do", "for", "break", "continue", "const",
        "int", "long", "unsigned", "signed", "short", "char", "bool", "float", "double", "void", "auto", "new",
        "delete", "throw", "sizeof",
    ];
    matches!(word, b"static_cast" | b"const_cast") || WORDS.iter().any(|known| known.as_bytes() == word)
}

/// Numbers among tokens, as values to try.
fn literals(tokens: &[Token], text: &[u8]) -> impl Iterator<Item = Literal> {
    let number = |n: usize, token: &Token| {
        let text = std::str::from_utf8(token.text(text)).ok()?.replace('\'', "").to_lowercase();
        let value = match text.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex.trim_end_matches(['u', 'l', 'z']), 16).ok(),
            None => text.trim_end_matches(['u', 'l', 'z']).parse::<i128>().ok(),
        };
        let is_negative = n > 0;
        Some(match value {
            Some(value) if is_negative => Literal::Int(-value),
            Some(value) => Literal::Int(value),
            None => {
                let value: f64 = text.trim_end_matches(['f', 'l']).parse().ok()?;
                Literal::Float((if is_negative { -value } else { value }).to_bits())
            }
        })
    };
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Number) {
        // After a sign, both values are worth trying.
        let signs = if at > 0 && tokens[at - 1].is(text, "-") { 0..2 } else { 0..1 };
        found.extend(signs.filter_map(|n| number(n, token)));
    }
    found.into_iter()
}
