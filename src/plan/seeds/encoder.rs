//! Values to the bytes of a seed: the recipe is walked as the driver walks it.

use super::mined::is_mined;
use crate::model::{Literal, Prim, TypeKind};
use crate::plan::byte_layout::Input;
use crate::plan::{Entry, Kind, MinedStep, PairedSetup, Recipe, SetUpCall, Slot, UnitPlan, UnitState};
use crate::types::arithmetic::prim_size;
use crate::types::iterators::{Approach, STEPS};

/// Values of Table 1 for `double`, read as numbers and as bit patterns (the table prints both as decimals).
const DOUBLES: [f64; 3] = [13_826_050_856_027_422_720.0, 0.0, 4_602_891_378_046_628_864.0];
pub(super) const DOUBLE_BITS: [u64; 3] = [13_826_050_856_027_422_720, 0, 4_602_891_378_046_628_864];
/// The same for `float`.
const FLOATS: [f32; 3] = [-3_230_283_776.0, 0.0, 1_072_693_248.0];
pub(super) const FLOAT_BITS: [u32; 3] = [3_230_283_776, 0, 1_072_693_248];

/// Text as usual formats have it: markup, objects, expressions, numbers, settings.
pub(super) const TEXTS: [&str; 7] =
    ["<a b=\"1\">c</a>", "<a><b/>true<!--c--></a>", "{\"a\": [1, \"b\"]}", "a+2*(3-b)", "12", "-0.5", "a=1"];

/// How a seed fills its scalars.
#[derive(Clone, Copy)]
pub(super) enum Style {
    /// Column of Table 1; the flag reads its decimals as bit patterns.
    Table(usize, bool),
    /// Small plain numbers.
    Ones,
    /// The largest values of each type.
    Most,
    /// Text of a usual format, for what parses text; ones elsewhere.
    Text(usize),
    /// The beginning of a file of the project's tests, for what reads; ones elsewhere.
    Sample(usize),
    /// The n-th literal of the unit in every scalar that can hold it.
    Literal(usize),
    /// The unit's literals that fit a byte, in the order of the source: as text, and one scalar after the other.
    Bytes,
    /// Small plain numbers, and the n-th pointer that may be null is so.
    Null(usize),
    /// The arguments of the n-th call in a test, and small plain numbers.
    Called(usize),
    /// What an object keeps by a name gets the unit's own words for names, from the n-th on; for values small numbers,
    /// or each time the word behind it: `attributes.insert("svg:cx", "1")`.
    Named { first: usize, pairs: bool },
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

/// The literals that may be bytes of a text: what a parser compares one character after the other.
pub(super) fn bytes_of(literals: &[Literal]) -> Vec<u8> {
    let byte = |literal: &Literal| match literal {
        Literal::Int(value) => u8::try_from(*value).ok().filter(|byte| *byte > 4),
        _ => None,
    };
    literals.iter().filter_map(byte).collect()
}

/// The literals that may be names of what an object keeps.
pub(super) fn names_of(literals: &[Literal]) -> Vec<&Literal> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-:./".contains(byte);
    let is_name = |text: &[u8]| text.iter().all(is_part) && text.iter().any(u8::is_ascii_alphabetic);
    literals.iter().filter(|literal| matches!(literal, Literal::Str(text) if is_name(text))).collect()
}

/// Writes the bytes that a driver takes for an entry, in the order in which it takes them.
pub(super) struct Encoder<'p> {
    pub(super) out: Input,
    style: Style,
    pick: usize,
    literals: &'p [Literal],
    samples: &'p [Vec<u8>],
    enumerators: usize,
    /// How many pointers that may be null were written.
    nulls: usize,
    /// How many of the literals that fit a byte were used.
    bytes: usize,
    /// How much of the last array of characters is text.
    text_length: Option<u64>,
    /// The literal of a test in the place of the value that is written.
    given: Option<&'p Literal>,
    /// Which history makes objects; none where it is 0.
    history: usize,
    /// The last iterator goes steps, as one behind it does.
    steps: bool,
    /// How many values were kept by their names.
    named: usize,
}

impl<'p> Encoder<'p> {
    pub(super) fn new(plan: &'p UnitPlan, style: Style, pick: usize, history: usize) -> Self {
        Self {
            out: Input::default(),
            style,
            pick,
            literals: &plan.literals,
            samples: &plan.samples,
            enumerators: 0,
            nulls: 0,
            bytes: 0,
            text_length: None,
            given: None,
            history,
            steps: false,
            named: 0,
        }
    }

    pub(super) fn entry(&mut self, entry: &'p Entry) {
        let written: &[Option<Literal>] = match self.style {
            Style::Called(call) => entry.called_with.get(call).map_or(&[], Vec::as_slice),
            _ => &[],
        };
        let written = written.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        entry.failing.iter().for_each(|failing| self.slot(&failing.which));
        for outside in &entry.outside {
            if outside.may_answer_nought() {
                let answers = matches!(self.style, Style::Ones | Style::Most | Style::Table(0, true) | Style::Bytes);
                self.out.pick(answers.into(), 2);
                if !answers {
                    continue;
                }
            }
            outside.slots().for_each(|slot| self.slot(slot));
        }
        match &entry.object {
            // Of a constructor they are the object's.
            Some(Slot { recipe: Recipe { kind: Kind::Construct { args, .. }, .. }, .. }) if entry.args.is_empty() => {
                self.written(args, written);
            }
            object => {
                object.iter().for_each(|slot| self.slot(slot));
                self.written(&entry.args, written);
            }
        }
        if !entry.state.calls.is_empty() {
            self.calls(&entry.state.calls, (UnitState::MOST, false));
        }
        if let Some(put) = &entry.put_in {
            self.out.pick(0, PairedSetup::CHOICES);
            put.slots().for_each(|slot| self.slot(slot));
        }
    }

    fn calls(&mut self, calls: &'p [SetUpCall], (most, is_limit): (u64, bool)) {
        if let Style::Named { first, pairs } = self.style
            && !is_limit
            && let Some((index, call)) = (0..).zip(calls).find(|(_, call)| call.is_by_name())
        {
            let names = names_of(self.literals);
            let names = &names[first.min(names.len())..];
            let count = most.min(names.len() as u64 - u64::from(pairs && !names.is_empty()));
            self.out.calls(count, most);
            for at in 0..count as usize {
                self.out.pick(index, calls.len() as u64);
                self.named = at;
                let value = names.get(at + 1).copied().filter(|_| pairs);
                self.written(&call.args, [Some(names[at]), value].into_iter());
            }
            self.named = 0;
            return;
        }
        let count = match self.style {
            Style::Table(1, _) => 0,
            Style::Table(0, _) | Style::Text(_) | Style::Sample(_) => 1,
            _ => most,
        };
        match is_limit {
            true => self.out.size(count, 0, most),
            false => self.out.calls(count, most),
        }
        for index in 0..count as usize {
            let index = (self.pick + index) % calls.len();
            self.out.pick(index as u64, calls.len() as u64);
            // Few of the extremes come back from a call that makes room for so many.
            let style = self.style;
            self.style = style.of_set_up();
            calls[index].args.iter().for_each(|slot| self.slot(slot));
            self.style = style;
        }
    }

    fn slot(&mut self, slot: &'p Slot) {
        self.recipe(&slot.recipe);
        if slot.nullable {
            let is_none = matches!(self.style, Style::Null(n) if n == self.nulls);
            self.nulls += 1;
            self.out.pick(if is_none { Slot::NULLS - 1 } else { 0 }, Slot::NULLS);
        }
    }

    fn recipe(&mut self, recipe: &'p Recipe) {
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Prim { .. } => {
                if let TypeKind::Prim(prim) = ty.kind {
                    self.scalar(prim);
                }
            }
            Kind::Enum { values, .. } => {
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
                self.out.enumerator(index, values.len());
            }
            Kind::CString { most, .. } => {
                let mut text = self.text(*most);
                text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
                self.out.cstring(&text, *most);
            }
            Kind::FileName { .. } => {
                self.out.pick(0, crate::plan::FILE_CHOICES);
                let text = self.text(crate::plan::FILE_LENGTH);
                self.out.text(&text, crate::plan::FILE_LENGTH);
            }
            Kind::Pattern { .. } => self.out.pattern(self.pick as u8),
            Kind::Stream { reads: false, .. } => {}
            Kind::StdString { .. } | Kind::Stream { .. } | Kind::File => {
                let most = match &recipe.kind {
                    Kind::StdString { most } => *most,
                    _ => crate::plan::FILE_LENGTH,
                };
                let text = self.text(most);
                self.out.text(&text, most);
            }
            Kind::Grid { element, most, fixed } => {
                // Two rows of two.
                let (rows, size) = ((*most).min(2), element.ty.size.unwrap_or(1).max(1));
                if !fixed {
                    self.out.size(rows, 0, *most);
                    self.out.size(rows, 0, *most);
                }
                let count = if *fixed { ty.size.unwrap_or(0) / size } else { rows * rows };
                (0..count).for_each(|_| self.slot(element));
            }
            Kind::Elements { element, lengths, most, .. } => {
                let length = match self.style {
                    Style::Table(1, _) => 0,
                    Style::Table(0, _) => 1,
                    _ => 3.min(*most),
                };
                lengths.iter().for_each(|_| self.out.size(length, 0, *most));
                (0..length.pow(lengths.len() as u32)).for_each(|_| self.slot(element));
            }
            Kind::Sequence { element, least, most, .. } => {
                let count = match self.style {
                    Style::Table(1, _) => *least,
                    Style::Table(0, _) => (*least + 1).min(*most),
                    _ => (*least + 3).min(*most),
                };
                self.out.size(count, *least, *most);
                (0..count).for_each(|_| self.slot(element));
            }
            Kind::List { elements, .. } => {
                let most = elements.len() as u64;
                let count = match self.style {
                    Style::Table(1, _) => 0,
                    Style::Table(0, _) => most.min(1),
                    _ => most,
                };
                self.out.size(count, 0, most);
                elements.iter().for_each(|slot| self.slot(slot));
            }
            Kind::Array { element, length, .. } => {
                let is_text = matches!(&element.recipe, Recipe { ty, kind: Kind::Prim { .. }, .. } if is_character(ty));
                if is_text && self.has_text() {
                    let text = self.text(*length);
                    self.text_length = Some(text.len() as u64);
                    self.out.characters(&text);
                    (text.len() as u64..*length).for_each(|_| self.out.characters(&[0]));
                } else {
                    self.text_length = None;
                    let count = match self.style {
                        Style::Table(1, _) if recipe.kind.is_table() => 0,
                        Style::Table(0, _) if recipe.kind.is_table() => 1,
                        _ => *length,
                    };
                    if recipe.kind.is_table() {
                        self.out.size(count, 0, *length);
                    }
                    (0..count).for_each(|_| self.slot(element));
                }
            }
            Kind::Length { most, free: true, .. } if self.beyond(*most) => {
                self.out.length(None, *most);
                if let TypeKind::Prim(prim) = ty.kind {
                    self.scalar(prim);
                }
            }
            Kind::Length { most, .. } | Kind::End { most, .. } => {
                let less = u64::from(matches!(recipe.kind, Kind::Length { below: true, .. }));
                let length = match self.style {
                    _ if matches!(self.given, Some(Literal::Int(_))) => match self.given {
                        Some(Literal::Int(value)) => u64::try_from(*value).unwrap_or(*most + less),
                        _ => 0,
                    },
                    Style::Table(1, _) => 0,
                    Style::Table(0, _) | Style::Most => *most,
                    _ => self.text_length.unwrap_or(8).min(*most),
                };
                match recipe.kind {
                    Kind::Length { free: true, .. } => self.out.length(Some(length), *most),
                    _ => self.out.size(length, 0, *most + less),
                }
            }
            Kind::Bytes => {
                // Repeated ints, as the papers fill what they do not look into.
                let size = ty.size.unwrap_or(8) as usize;
                let word: i32 = match self.style {
                    Style::Table(0, _) => -1,
                    Style::Table(1, _) => 0,
                    _ => 1,
                };
                let bytes: Vec<u8> = word.to_le_bytes().iter().copied().cycle().take(size).collect();
                self.out.value(&bytes);
            }
            Kind::OneOf { expressions, .. } => {
                if expressions.len() > 1 {
                    let index = self.pick % expressions.len();
                    self.out.pick(index as u64, expressions.len() as u64);
                }
            }
            Kind::Choice { among, .. } | Kind::Variant { among, .. } => {
                let mined = among.iter().filter(|slot| is_mined(slot)).count();
                let plain = among.len() - mined;
                let index = match self.history {
                    _ if plain == 0 => self.history.saturating_sub(1) % mined,
                    1.. if mined > 0 => plain + (self.history - 1) % mined,
                    _ => self.pick % plain,
                };
                if among.len() > 1 {
                    self.out.pick(index as u64, among.len() as u64);
                }
                self.slot(&among[index]);
            }
            Kind::SetUp { object, calls, most, .. } => {
                self.slot(object);
                self.calls(calls, (*most, recipe.overridden));
            }
            Kind::Mined { steps, .. } => {
                for step in steps {
                    self.step(step);
                }
            }
            Kind::Optional { value, .. } => {
                let there = !matches!(self.style, Style::Table(1, _));
                self.out.pick(there.into(), 2);
                if there {
                    self.slot(value);
                }
            }
            Kind::Iterator { range, approach, .. } => {
                self.slot(range);
                self.steps = matches!(approach, Approach::Own { steps: Some(_), .. });
                if self.steps {
                    self.out.size(self.pick as u64 % 2, 0, STEPS);
                }
            }
            Kind::Behind if self.steps => self.out.size(0, 0, STEPS),
            _ => recipe.parts().into_iter().for_each(|slot| self.slot(slot)),
        }
    }

    /// A length by its name alone is any number: a literal that no length is, or Table 1's.
    fn beyond(&self, most: u64) -> bool {
        let literal = match self.style {
            Style::Literal(n) => self.literals.get(n),
            _ => None,
        };
        match self.given.or(literal) {
            Some(Literal::Int(value)) => !(0..=i128::from(most)).contains(value),
            _ => matches!(self.style, Style::Table(2, false)),
        }
    }

    /// The style has a text of its own.
    fn has_text(&self) -> bool {
        match self.style {
            _ if matches!(self.given, Some(Literal::Str(_))) => true,
            Style::Text(_) | Style::Sample(_) | Style::Bytes => true,
            Style::Literal(n) => matches!(self.literals.get(n), Some(Literal::Str(_))),
            _ => false,
        }
    }

    fn text(&mut self, most: u64) -> Vec<u8> {
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
            Style::Named { .. } => (self.named + 1).to_string().into_bytes(),
            Style::Bytes => bytes_of(self.literals),
            // One that may be longer than others is so for a number that the unit names.
            Style::Most if most > crate::plan::STRING_LENGTH => vec![b'A'; most as usize],
            Style::Text(n) => TEXTS[n].as_bytes().to_vec(),
            Style::Sample(n) => self.samples[n].clone(),
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
        self.out.value(&bytes);
    }

    /// The next of the literals that fit a byte, round and round.
    fn next_byte(&mut self) -> u8 {
        let bytes = bytes_of(self.literals);
        let index = self.bytes;
        self.bytes += 1;
        bytes[index % bytes.len()]
    }

    fn double(&mut self) -> f64 {
        match self.given {
            Some(Literal::Float(bits)) => return f64::from_bits(*bits),
            Some(Literal::Int(value)) => return *value as f64,
            _ => {}
        }
        match self.style {
            Style::Table(column, true) => f64::from_bits(DOUBLE_BITS[column]),
            Style::Table(column, false) => DOUBLES[column],
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
            // Small plain numbers.
            _ => 1.0,
        }
    }

    fn float(&mut self) -> f32 {
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
            Style::Bytes => self.next_byte().into(),
            // Small plain numbers.
            _ => 1.0,
        }
    }

    fn integer(&mut self, prim: Prim) -> i128 {
        let is_byte = prim_size(prim) == 1 && prim != Prim::Bool;
        match self.given {
            Some(Literal::Int(value)) => return *value,
            Some(Literal::Float(bits)) => return f64::from_bits(*bits) as i128,
            _ => {}
        }
        match self.style {
            Style::Table(0, _) => -1,
            Style::Table(1, _) => 0,
            Style::Table(_, _) if is_byte => 0x41,
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
            // Small plain numbers.
            _ => 1,
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

    /// A step of a history, with what is written in the test.
    fn step(&mut self, step: &'p MinedStep) {
        let made = match &step.slot.recipe {
            Recipe { kind: Kind::Pointer { to, .. }, .. } => &to.recipe,
            other => other,
        };
        let (Recipe { kind: Kind::Construct { args, .. }, .. } | Recipe { kind: Kind::Factory { args, .. }, .. }) =
            made
        else {
            return;
        };
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
}

pub(super) fn is_character(ty: &crate::model::Type) -> bool {
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
        e => (e + (16383 - 1023), 1 << 63 | fraction << 11),
    };
    let mut out = [0; 10];
    out[..8].copy_from_slice(&mantissa.to_le_bytes());
    out[8..].copy_from_slice(&(sign | exponent).to_le_bytes());
    out
}
