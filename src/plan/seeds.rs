//! Seed inputs and the dictionary: Table 1 of the papers per type, boundaries, and what the unit's own literals
//! suggest.
//!
//! A seed is the bytes that a driver takes, in order; the encoding of sizes, picks and enumerators is that of
//! `runtime/motif.h`.

use super::{Entry, MinedStep, Recipe, Slot, UnitPlan};
use crate::model::{Literal, Prim, TypeKind};
use crate::plan::entry::prim_size;
use std::cell::Cell;

/// Values of Table 1 for `double`, read as numbers and as bit patterns (the table prints both as decimals).
const DOUBLES: [f64; 3] = [13_826_050_856_027_422_720.0, 0.0, 4_602_891_378_046_628_864.0];
const DOUBLE_BITS: [u64; 3] = [13_826_050_856_027_422_720, 0, 4_602_891_378_046_628_864];
/// The same for `float`.
const FLOATS: [f32; 3] = [-3_230_283_776.0, 0.0, 1_072_693_248.0];
const FLOAT_BITS: [u32; 3] = [3_230_283_776, 0, 1_072_693_248];

/// Text as usual formats have it: markup, objects, expressions, numbers, settings.
const TEXTS: [&str; 7] =
    ["<a b=\"1\">c</a>", "<a><b/>true<!--c--></a>", "{\"a\": [1, \"b\"]}", "a+2*(3-b)", "12", "-0.5", "a=1"];

/// The most seeds, and the most that make objects as tests do.
const MOST: usize = 256;
const MOST_MINED: usize = 64;

/// So many pointers that may be null have a seed of their own.
const NULLS_MOST: usize = 6;

/// How a seed fills its scalars.
#[derive(Clone, Copy)]
enum Style {
    /// Column of Table 1; the flag reads its decimals as bit patterns.
    Table(usize, bool),
    /// Small plain numbers.
    Ones,
    /// The largest values of each type.
    Most,
    /// Text of a usual format, for what parses text; ones elsewhere.
    Text(usize),
    /// The n-th literal of the unit in every scalar that can hold it.
    Literal(usize),
    /// The unit's literals that fit a byte, in the order of the source: as text, and one scalar after the other.
    Bytes,
    /// Small plain numbers, and the n-th pointer that may be null is so.
    Null(usize),
    /// What the n-th call in a test has, and small plain numbers.
    Called(usize),
}

impl Style {
    /// For what only sets an object up.
    fn of_set_up(self) -> Self {
        match self {
            Style::Table(..) | Style::Most => Style::Ones,
            other => other,
        }
    }
}

/// Only the seeds of Table 1, at most three (papers, section 3.2).
pub fn table(plan: &UnitPlan) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    for column in 0..3 {
        let seed = encode(plan, 0, Style::Table(column, true), 0);
        if !out.contains(&seed) {
            out.push(seed);
        }
    }
    out
}

/// The seeds by the original tool's filter of a mutant list: `N` negative, `Z` zero, `P` positive, else all.
pub fn filtered(seeds: Vec<Vec<u8>>, filter: Option<char>) -> Vec<Vec<u8>> {
    let index = match filter {
        Some('N') => 0,
        Some('Z') => 1,
        Some('P') => 2,
        _ => return seeds,
    };
    match seeds.get(index) {
        Some(seed) => vec![seed.clone()],
        None => seeds,
    }
}

/// All seeds of a unit, each once: every way in and every alternative occurs.
pub fn all(plan: &UnitPlan) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    let mut styles: Vec<Style> = (0..3).flat_map(|c| [Style::Table(c, true), Style::Table(c, false)]).collect();
    styles.extend([Style::Ones, Style::Most]);
    styles.extend((0..most_nullable(plan)).map(Style::Null));
    if plan.entries.iter().any(takes_text) {
        styles.extend((0..TEXTS.len()).map(Style::Text));
    }
    if bytes_of(&plan.literals).len() > 1 {
        styles.push(Style::Bytes);
    }
    styles.extend((0..plan.literals.len().min(24)).map(Style::Literal));
    for way in 0..plan.entries.len() {
        let alternatives = plan.entries[way]
            .object
            .iter()
            .chain(&plan.entries[way].args)
            .map(|slot| most_alternatives(&slot.recipe))
            .max()
            .unwrap_or(1);
        for pick in 0..alternatives.max(2) {
            for style in &styles {
                let seed = encode(plan, way, *style, pick);
                if !out.contains(&seed) && out.len() < MOST {
                    out.push(seed);
                }
            }
        }
    }
    as_tests_have_it(plan, &mut out);
    out
}

/// Seeds that make objects as tests and examples do, with what is written there.
fn as_tests_have_it(plan: &UnitPlan, out: &mut Vec<Vec<u8>>) {
    let most = out.len() + MOST_MINED;
    let mut styles = vec![Style::Ones, Style::Table(1, true), Style::Table(0, true), Style::Most];
    styles.extend((0..plan.literals.len().min(8)).map(Style::Literal));
    for (way, entry) in plan.entries.iter().enumerate() {
        let slots = || entry.object.iter().chain(&entry.args);
        let histories = slots().map(|slot| most_histories(&slot.recipe)).max().unwrap_or(0);
        let subtypes = slots().map(|slot| most_subtypes(&slot.recipe)).max().unwrap_or(1);
        for (call, history) in (0..entry.called_with.len()).flat_map(|call| [(call, 0), (call, histories.min(1))]) {
            let seed = encode_as(plan, way, Style::Called(call), 0, history);
            if !out.contains(&seed) && out.len() < most {
                out.push(seed);
            }
        }
        for style in &styles {
            for (pick, history) in (0..subtypes).flat_map(|pick| (1..=histories).map(move |history| (pick, history))) {
                let seed = encode_as(plan, way, *style, pick, history);
                if !out.contains(&seed) && out.len() < most {
                    out.push(seed);
                }
            }
        }
    }
}

fn is_mined(slot: &Slot) -> bool {
    matches!(slot.recipe, Recipe::Mined { .. })
}

/// The most histories that one object chooses among.
fn most_histories(recipe: &Recipe) -> usize {
    let mut most = usize::from(matches!(recipe, Recipe::Mined { .. }));
    recipe.walk(&mut |r| {
        if let Recipe::Choice { among, .. } = r {
            most = most.max(among.iter().filter(|slot| is_mined(slot)).count());
        }
    });
    most
}

/// The most alternatives that are no histories.
fn most_subtypes(recipe: &Recipe) -> usize {
    let mut most = 1;
    recipe.walk(&mut |r| {
        if let Recipe::Choice { among, .. } = r {
            most = most.max(among.iter().filter(|slot| !is_mined(slot)).count());
        }
    });
    most
}

/// The most pointers of one way in that may be null.
fn most_nullable(plan: &UnitPlan) -> usize {
    let of = |entry: &Entry| {
        let mut count = 0;
        for slot in entry.object.iter().chain(&entry.args) {
            count += usize::from(slot.nullable);
            slot.recipe.walk(&mut |r| count += r.parts().iter().filter(|part| part.nullable).count());
        }
        count.min(NULLS_MOST)
    };
    plan.entries.iter().map(of).max().unwrap_or(0)
}

/// Which of several ways into the unit an input takes.
pub fn way(plan: &UnitPlan, input: &[u8]) -> Option<usize> {
    let first = usize::from(*input.first()?);
    (plan.entries.len() > 1).then(|| first % plan.entries.len())
}

/// The literals that may be bytes of a text: what a parser compares one character after the other.
fn bytes_of(literals: &[Literal]) -> Vec<u8> {
    let byte = |literal: &Literal| match literal {
        Literal::Int(value) => u8::try_from(*value).ok().filter(|byte| *byte > 4),
        _ => None,
    };
    literals.iter().filter_map(byte).collect()
}

fn takes_text(entry: &Entry) -> bool {
    let mut found = false;
    for slot in entry.object.iter().chain(&entry.args) {
        slot.recipe.walk(&mut |r| {
            found |= match r {
                Recipe::CString { .. }
                | Recipe::StdString { .. }
                | Recipe::File { .. }
                | Recipe::Stream { reads: true, .. } => true,
                Recipe::Array { element, .. } => {
                    matches!(&element.recipe, Recipe::Prim { ty, .. } if is_character(ty))
                }
                _ => false,
            }
        });
    }
    found
}

fn most_alternatives(recipe: &Recipe) -> usize {
    let mut most = 1;
    recipe.walk(&mut |r| {
        if let Recipe::Choice { among, .. } | Recipe::Variant { among, .. } = r {
            most = most.max(among.iter().filter(|slot| !is_mined(slot)).count());
        }
        if let Recipe::SetUp { calls, .. } = r {
            most = most.max(calls.len());
        }
    });
    most
}

/// A byte string for the fuzzer's dictionary.
pub fn dictionary(plan: &UnitPlan) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    for literal in &plan.literals {
        match literal {
            Literal::Int(value) => {
                out.push((*value as i32).to_le_bytes().to_vec());
                out.push((*value as i64).to_le_bytes().to_vec());
                // The high word of a double, as bit-twiddling code compares it.
                out.push((((*value as u64) & 0xffff_ffff) << 32).to_le_bytes().to_vec());
                out.push((*value as f64).to_le_bytes().to_vec());
            }
            Literal::Float(bits) => {
                out.push(bits.to_le_bytes().to_vec());
                out.push((f64::from_bits(*bits) as f32).to_le_bytes().to_vec());
            }
            Literal::Str(bytes) if !bytes.is_empty() => out.push(bytes.clone()),
            Literal::Str(_) => {}
        }
    }
    out.sort();
    out.dedup();
    out
}

fn encode(plan: &UnitPlan, way: usize, style: Style, pick: usize) -> Vec<u8> {
    encode_as(plan, way, style, pick, 0)
}

/// As the n-th history has it, where there are any; none for 0.
fn encode_as(plan: &UnitPlan, way: usize, style: Style, pick: usize, history: usize) -> Vec<u8> {
    let mut encoder = Encoder {
        out: Vec::new(),
        style,
        pick,
        literals: &plan.literals,
        enumerators: 0,
        nulls: 0,
        bytes: Cell::new(0),
        text_length: None,
        given: None,
        history,
    };
    if plan.entries.len() > 1 {
        encoder.choice(way as u64, plan.entries.len() as u64 - 1);
    }
    encoder.entry(&plan.entries[way.min(plan.entries.len() - 1)]);
    encoder.out
}

struct Encoder<'p> {
    out: Vec<u8>,
    style: Style,
    pick: usize,
    literals: &'p [Literal],
    enumerators: usize,
    /// How many pointers that may be null were written.
    nulls: usize,
    /// How many of the literals that fit a byte were used.
    bytes: Cell<usize>,
    /// How much of the last array of characters is text.
    text_length: Option<u64>,
    /// What a test has in the place of the value that is written.
    given: Option<&'p Literal>,
    /// Which history makes objects; none where it is 0.
    history: usize,
}

impl<'p> Encoder<'p> {
    fn entry(&mut self, entry: &'p Entry) {
        let written: &[Option<Literal>] = match self.style {
            Style::Called(call) => entry.called_with.get(call).map_or(&[], Vec::as_slice),
            _ => &[],
        };
        let written = written.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        match &entry.object {
            // Of a constructor they are the object's.
            Some(Slot { recipe: Recipe::Construct { args, .. }, .. }) if entry.args.is_empty() => {
                self.written(args, written);
            }
            object => {
                object.iter().for_each(|slot| self.slot(slot));
                self.written(&entry.args, written);
            }
        }
    }

    /// Arguments, with what is written in a test in their places.
    fn written(&mut self, args: &'p [Slot], written: impl Iterator<Item = Option<&'p Literal>>) {
        for (slot, literal) in args.iter().zip(written) {
            self.given = literal;
            self.slot(slot);
        }
        self.given = None;
    }

    fn slot(&mut self, slot: &'p Slot) {
        self.recipe(&slot.recipe);
        if slot.nullable {
            let is_none = matches!(self.style, Style::Null(n) if n == self.nulls);
            self.nulls += 1;
            self.choice(if is_none { Slot::NULLS - 1 } else { 0 }, Slot::NULLS - 1);
        }
    }

    /// A size or pick of at most `most`, in as many bytes as the runtime takes.
    fn choice(&mut self, value: u64, most: u64) {
        let width = match most {
            0 => 0,
            1..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        };
        self.out.extend_from_slice(&value.min(most).to_le_bytes()[..width]);
    }

    fn recipe(&mut self, recipe: &'p Recipe) {
        match recipe {
            Recipe::Prim { ty, .. } => {
                if let TypeKind::Prim(prim) = ty.kind {
                    self.scalar(prim);
                }
            }
            Recipe::Enum { values, .. } => {
                let given = match self.given {
                    Some(Literal::Int(value)) => values.iter().position(|(_, known)| known == value),
                    _ => None,
                };
                let index = match self.style {
                    _ if given.is_some() => given.unwrap_or_default(),
                    Style::Table(column, _) => column,
                    Style::Literal(n) => n,
                    _ => self.pick + self.enumerators,
                };
                self.enumerators += 1;
                let index = if values.is_empty() { 0 } else { index % values.len() };
                self.out.extend_from_slice(&(index as u16).to_le_bytes());
                if values.is_empty() {
                    self.out.extend_from_slice(&[0; 4]);
                }
            }
            Recipe::CString { .. } | Recipe::File { .. } => {
                let most = match recipe {
                    Recipe::CString { most, .. } => *most,
                    _ => super::STRING_LENGTH,
                };
                let text = self.text(most);
                self.out.extend_from_slice(&text);
                if (text.len() as u64) < most {
                    self.out.push(0);
                }
            }
            // What chooses the text: a byte for each choice, as many as the runtime takes.
            Recipe::Pattern { .. } => {
                let step = self.pick as u8;
                self.out.extend((0..32_u8).map(|n| n.wrapping_mul(step).wrapping_add(step)));
            }
            Recipe::Stream { reads: false, .. } => {}
            Recipe::StdString { .. } | Recipe::Stream { .. } => {
                let text = self.text(super::STRING_LENGTH);
                self.choice(text.len() as u64, super::STRING_LENGTH);
                self.out.extend_from_slice(&text);
            }
            Recipe::Sequence { element, least, most, .. } => {
                let count = match self.style {
                    Style::Table(1, _) => *least,
                    Style::Table(0, _) => (*least + 1).min(*most),
                    _ => (*least + 3).min(*most),
                };
                self.choice(count - least, most - least);
                (0..count).for_each(|_| self.slot(element));
            }
            Recipe::Array { element, length, .. } => {
                let is_text = matches!(&element.recipe, Recipe::Prim { ty, .. } if is_character(ty));
                if is_text && self.has_text() {
                    let text = self.text(*length);
                    self.text_length = Some(text.len() as u64);
                    self.out.extend_from_slice(&text);
                    self.out.resize(self.out.len() + *length as usize - text.len(), 0);
                } else {
                    self.text_length = None;
                    (0..*length).for_each(|_| self.slot(element));
                }
            }
            Recipe::Length { most, .. } | Recipe::End { most, .. } => {
                let length = match self.style {
                    _ if matches!(self.given, Some(Literal::Int(_))) => match self.given {
                        Some(Literal::Int(value)) => u64::try_from(*value).unwrap_or(*most),
                        _ => 0,
                    },
                    Style::Table(1, _) => 0,
                    Style::Table(0, _) | Style::Most => *most,
                    _ => self.text_length.unwrap_or(8).min(*most),
                };
                self.choice(length, *most);
            }
            Recipe::Bytes { ty } => {
                // Repeated ints, as the papers fill what they do not look into.
                let size = ty.size.unwrap_or(8) as usize;
                let word: i32 = match self.style {
                    Style::Table(0, _) => -1,
                    Style::Table(1, _) => 0,
                    _ => 1,
                };
                let bytes: Vec<u8> = word.to_le_bytes().iter().copied().cycle().take(size).collect();
                self.out.extend_from_slice(&bytes);
            }
            Recipe::OneOf { expressions, .. } => {
                if expressions.len() > 1 {
                    let index = self.pick % expressions.len();
                    self.choice(index as u64, expressions.len() as u64 - 1);
                }
            }
            Recipe::Choice { among, .. } | Recipe::Variant { among, .. } => {
                let mined = among.iter().filter(|slot| is_mined(slot)).count();
                let plain = among.len() - mined;
                let index = match self.history {
                    _ if plain == 0 => self.history.saturating_sub(1) % mined,
                    1.. if mined > 0 => plain + (self.history - 1) % mined,
                    _ => self.pick % plain,
                };
                if among.len() > 1 {
                    self.choice(index as u64, among.len() as u64 - 1);
                }
                self.slot(&among[index]);
            }
            Recipe::SetUp { object, calls, most, .. } => {
                self.slot(object);
                let count = match self.style {
                    Style::Table(1, _) => 0,
                    Style::Table(0, _) | Style::Text(_) => 1,
                    _ => *most,
                };
                self.choice(count, *most);
                for index in 0..count as usize {
                    let index = (self.pick + index) % calls.len();
                    self.choice(index as u64, calls.len() as u64 - 1);
                    // Few of the extremes come back from a call that makes room for so many.
                    let style = self.style;
                    self.style = style.of_set_up();
                    calls[index].args.iter().for_each(|slot| self.slot(slot));
                    self.style = style;
                }
            }
            Recipe::Mined { steps, .. } => {
                for step in steps {
                    self.step(step);
                }
            }
            Recipe::Optional { value, .. } => {
                let there = !matches!(self.style, Style::Table(1, _));
                self.choice(there.into(), 1);
                if there {
                    self.slot(value);
                }
            }
            _ => recipe.parts().into_iter().for_each(|slot| self.slot(slot)),
        }
    }

    /// A step of a history, with what is written in the test.
    fn step(&mut self, step: &'p MinedStep) {
        let made = match &step.slot.recipe {
            Recipe::Pointer { to, .. } => &to.recipe,
            other => other,
        };
        let (Recipe::Construct { args, .. } | Recipe::Factory { args, .. }) = made else { return };
        let style = self.style;
        self.style = style.of_set_up();
        for (slot, literal) in args.iter().zip(&step.literals) {
            // The unit's own numbers are worth more than those that a test happens to have.
            let own = matches!(style, Style::Literal(_));
            self.given = literal.as_ref().filter(|literal| !own || matches!(literal, Literal::Str(_)));
            self.slot(slot);
        }
        self.given = None;
        self.style = style;
    }

    /// The style has a text of its own.
    fn has_text(&self) -> bool {
        match self.style {
            _ if matches!(self.given, Some(Literal::Str(_))) => true,
            Style::Text(_) | Style::Bytes => true,
            Style::Literal(n) => matches!(self.literals.get(n), Some(Literal::Str(_))),
            _ => false,
        }
    }

    fn text(&self, most: u64) -> Vec<u8> {
        let given = match self.given {
            Some(Literal::Str(text)) => Some(text),
            _ => None,
        };
        let text: Vec<u8> = match self.style {
            _ if given.is_some() => given.into_iter().flatten().copied().filter(|byte| *byte != 0).collect(),
            Style::Table(0, _) => vec![0xff; 4],
            Style::Table(1, _) => Vec::new(),
            Style::Literal(n) => match self.literals.get(n) {
                Some(Literal::Str(bytes)) => bytes.iter().copied().filter(|b| *b != 0).collect(),
                Some(Literal::Int(value)) => value.to_string().into_bytes(),
                Some(Literal::Float(bits)) => f64::from_bits(*bits).to_string().into_bytes(),
                None => b"A".to_vec(),
            },
            Style::Ones | Style::Null(_) | Style::Called(_) => b"a1 b".to_vec(),
            Style::Bytes => bytes_of(self.literals),
            Style::Text(n) => TEXTS[n].as_bytes().to_vec(),
            _ => b"AAAA".to_vec(),
        };
        text.into_iter().take(most as usize).collect()
    }

    fn scalar(&mut self, prim: Prim) {
        let size = prim_size(prim) as usize;
        let bytes: Vec<u8> = match prim {
            Prim::Double => self.double().to_le_bytes().to_vec(),
            Prim::Float => self.float().to_le_bytes().to_vec(),
            Prim::LongDouble => {
                let mut bytes = long_double(self.double()).to_vec();
                bytes.resize(size, 0);
                bytes
            }
            _ => (self.integer(prim) as u128).to_le_bytes()[..size].to_vec(),
        };
        self.out.extend_from_slice(&bytes);
    }

    /// The next of the literals that fit a byte, round and round.
    fn next_byte(&self) -> u8 {
        let bytes = bytes_of(self.literals);
        let index = self.bytes.get();
        self.bytes.set(index + 1);
        bytes[index % bytes.len()]
    }

    fn double(&self) -> f64 {
        match self.given {
            Some(Literal::Float(bits)) => return f64::from_bits(*bits),
            Some(Literal::Int(value)) => return *value as f64,
            _ => {}
        }
        match self.style {
            Style::Table(column, true) => f64::from_bits(DOUBLE_BITS[column]),
            Style::Table(column, false) => DOUBLES[column],
            Style::Ones | Style::Null(_) | Style::Called(_) | Style::Text(_) => 1.0,
            Style::Bytes => f64::from(self.next_byte()),
            Style::Most => f64::MAX,
            Style::Literal(n) => match self.literals.get(n) {
                Some(Literal::Float(bits)) => f64::from_bits(*bits),
                // Bit-twiddling code compares the high word.
                Some(Literal::Int(value)) if *value > 0xffff && *value <= 0xffff_ffff => {
                    f64::from_bits((*value as u64) << 32)
                }
                Some(Literal::Int(value)) => *value as f64,
                _ => 0.5,
            },
        }
    }

    fn float(&self) -> f32 {
        if self.given.is_some() {
            return self.double() as f32;
        }
        match self.style {
            Style::Table(column, true) => f32::from_bits(FLOAT_BITS[column]),
            Style::Table(column, false) => FLOATS[column],
            Style::Literal(n) => match self.literals.get(n) {
                Some(Literal::Int(value)) if *value > 0xffff && *value <= 0xffff_ffff => f32::from_bits(*value as u32),
                _ => self.double() as f32,
            },
            Style::Most => f32::MAX,
            Style::Ones | Style::Null(_) | Style::Called(_) | Style::Text(_) => 1.0,
            Style::Bytes => self.next_byte().into(),
        }
    }

    fn integer(&self, prim: Prim) -> i128 {
        let is_byte = prim_size(prim) == 1 && prim != Prim::Bool;
        match self.given {
            Some(Literal::Int(value)) => return *value,
            Some(Literal::Float(bits)) => return f64::from_bits(*bits) as i128,
            _ => {}
        }
        match self.style {
            Style::Table(0, _) => -1,
            Style::Table(1, _) => 0,
            Style::Table(_, _) => {
                if is_byte {
                    0x41
                } else {
                    1
                }
            }
            Style::Ones | Style::Null(_) | Style::Called(_) | Style::Text(_) => 1,
            Style::Bytes => self.next_byte().into(),
            Style::Most => match prim {
                Prim::Bool => 1,
                Prim::Char | Prim::SChar => 0x7f,
                Prim::Short => 0x7fff,
                Prim::Int | Prim::WChar => 0x7fff_ffff,
                Prim::Long | Prim::LongLong => i64::MAX.into(),
                _ => -1,
            },
            Style::Literal(n) => match self.literals.get(n) {
                Some(Literal::Int(value)) => *value,
                Some(Literal::Float(bits)) => f64::from_bits(*bits) as i128,
                _ => 2,
            },
        }
    }
}

fn is_character(ty: &crate::model::Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(Prim::Char | Prim::SChar | Prim::UChar))
}

/// The x87 extended format of a finite double.
fn long_double(value: f64) -> [u8; 10] {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let exponent = ((bits >> 52) & 0x7ff) as u16;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, mantissa) = match exponent {
        0 => (0, 0),
        0x7ff => (0x7fff, 1 << 63 | fraction << 11),
        e => (e - 1023 + 16383, 1 << 63 | fraction << 11),
    };
    let mut out = [0; 10];
    out[..8].copy_from_slice(&mantissa.to_le_bytes());
    out[8..].copy_from_slice(&(sign | exponent).to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Language, Type};

    fn plan(recipes: Vec<Recipe>) -> UnitPlan {
        let args = recipes
            .into_iter()
            .enumerate()
            .map(|(n, recipe)| Slot { name: format!("p{n}"), ty: recipe.ty().clone(), recipe, nullable: false })
            .collect();
        UnitPlan {
            unit: String::new(),
            id: String::new(),
            slug: String::new(),
            language: Language::C,
            source: Default::default(),
            command: 0,
            entries: vec![Entry {
                callee: String::new(),
                object: None,
                args,
                result: None,
                private_access: false,
                class: None,
                least_lengths: Vec::new(),
                template_args: Vec::new(),
                called_with: Vec::new(),
            }],
            words: Vec::new(),
            literals: vec![Literal::Int(0x7ff0_0000)],
            overridden: false,
            reset: Vec::new(),
            before: Vec::new(),
            excluded: Vec::new(),
            owner_args: Vec::new(),
        }
    }

    fn prim(name: &str) -> Recipe {
        Recipe::Prim { ty: super::super::entry::primitive(name).unwrap(), range: None }
    }

    #[test]
    fn table_one_gives_three_seeds_with_both_words_filled() {
        let seeds = table(&plan(vec![prim("int"), prim("double")]));
        let expected: Vec<Vec<u8>> = [(-1i32, DOUBLE_BITS[0]), (0, 0), (1, DOUBLE_BITS[2])]
            .iter()
            .map(|(i, d)| [i.to_le_bytes().to_vec(), d.to_le_bytes().to_vec()].concat())
            .collect();
        assert_eq!(seeds, expected);
        assert!((f64::from_bits(DOUBLE_BITS[2]) - 0.52).abs() < 0.01);
        assert_eq!(f32::from_bits(FLOAT_BITS[2]), 1.875);
    }

    #[test]
    fn a_filter_of_the_list_picks_its_column() {
        let seeds = table(&plan(vec![prim("int")]));
        assert_eq!(filtered(seeds.clone(), Some('Z')), vec![vec![0; 4]]);
        assert_eq!(filtered(seeds.clone(), Some('A')), seeds);
    }

    #[test]
    fn an_integer_literal_is_tried_as_the_high_word_of_a_double() {
        let seeds = all(&plan(vec![prim("double")]));
        assert!(seeds.contains(&f64::INFINITY.to_le_bytes().to_vec()));
    }

    #[test]
    fn strings_carry_their_length_and_alternatives_their_index() {
        let text = Type { spelling: "std::string".into(), is_const: false, kind: TypeKind::Void, size: None };
        let choice = Recipe::Choice {
            ty: text.clone(),
            among: vec![
                Slot { name: "a".into(), ty: text.clone(), recipe: prim("char"), nullable: false },
                Slot { name: "b".into(), ty: text.clone(), recipe: Recipe::StdString { ty: text }, nullable: false },
            ],
        };
        let seeds = all(&plan(vec![choice]));
        assert!(seeds.contains(&[vec![1, 4], b"AAAA".to_vec()].concat()));
        assert!(seeds.contains(&vec![0, 0x41]));
    }
}
