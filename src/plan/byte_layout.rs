//! The bytes that a driver takes, each call of `motif_take…` in runtime/motif.h by its counterpart: seeds are written
//! with these. `generate::byte_layout_tests` runs both against each other.

use super::Kind;

/// The runtime reads so many bytes as the choices of a pattern.
const PATTERN_BYTES: u8 = 32;

/// An input, as far as it is written.
#[derive(Debug, Default)]
pub(crate) struct Input {
    bytes: Vec<u8>,
    /// Each value by its place, its width and what it is.
    #[cfg(test)]
    pub(crate) places: Vec<(usize, usize, Taken)>,
}

/// How the runtime reads a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// A scalar, storage, an element of an array, a character.
    Value,
    /// How many follow.
    Size,
    /// Which of several follows.
    Pick,
    /// Which enumerator it is.
    Enum,
}

impl Input {
    /// The bytes so far.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn put(&mut self, bytes: &[u8], as_what: Taken) {
        #[cfg(test)]
        if !bytes.is_empty() {
            self.places.push((self.bytes.len(), bytes.len(), as_what));
        }
        #[cfg(not(test))]
        let _ = as_what;
        self.bytes.extend_from_slice(bytes);
    }

    /// `motif_take`.
    pub(crate) fn value(&mut self, bytes: &[u8]) {
        self.put(bytes, Taken::Value);
    }

    /// `motif_take_array` of bytes.
    pub(crate) fn characters(&mut self, text: &[u8]) {
        text.iter().for_each(|byte| self.put(&[*byte], Taken::Value));
    }

    /// `motif_take_size`: `least` to `most`.
    pub(crate) fn size(&mut self, size: u64, least: u64, most: u64) {
        self.choice(size.saturating_sub(least), most - least, Taken::Size);
    }

    /// `motif_take_calls`: a number of calls, of which there usually are up to `usual`.
    pub(crate) fn calls(&mut self, count: u64, usual: u64) {
        let most = usual + FURTHER_CALLS;
        self.choice(count.min(most), 4 * (most + 1) - 1, Taken::Size);
    }

    /// `motif_take_length`: 0 to `most`; with none, a value of the type follows.
    pub(crate) fn length(&mut self, length: Option<u64>, most: u64) {
        let choices = Kind::choices_of_length(most);
        self.choice(length.map_or(choices, |length| length.min(most)), choices, Taken::Size);
    }

    /// `motif_take_pick`.
    pub(crate) fn pick(&mut self, index: u64, choices: u64) {
        self.choice(index, choices - 1, Taken::Pick);
    }

    /// `motif_take_way`: the last way only once in [`WAY_CHOICES`].
    pub(crate) fn way(&mut self, index: u64, ways: u64) {
        let last = WAY_CHOICES - 1;
        self.choice(if index + 1 == ways { last } else { index }, last, Taken::Pick);
    }

    /// In as many bytes as the largest needs.
    fn choice(&mut self, value: u64, most: u64, as_what: Taken) {
        self.put(&value.min(most).to_le_bytes()[..width(most)], as_what);
    }

    /// `motif_take_enum`: one of so many. Where there are none, any value follows.
    pub(crate) fn enumerator(&mut self, index: usize, count: usize) {
        let index = if count == 0 { 0 } else { index % count };
        self.put(&(index as u16).to_le_bytes(), Taken::Enum);
        if count == 0 {
            self.value(&[0; 4]);
        }
    }

    /// `motif_take_cstring` of at most `most` characters.
    pub(crate) fn cstring(&mut self, text: &[u8], most: u64) {
        self.characters(text);
        if (text.len() as u64) < most {
            self.bytes.push(0);
        }
    }

    /// `Input::text`: a size, and as many characters.
    pub(crate) fn text(&mut self, text: &[u8], most: u64) {
        self.size(text.len() as u64, 0, most);
        self.characters(text);
    }

    /// `motif_take_pattern`: a byte for each choice, each `step` further than the one before.
    pub(crate) fn pattern(&mut self, step: u8) {
        let choices: Vec<u8> = (1..=PATTERN_BYTES).map(|n| n.wrapping_mul(step)).collect();
        self.characters(&choices);
    }
}

/// How many bytes choose among 0 to `most`.
fn width(most: u64) -> usize {
    match most {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

/// `MOTIF_FURTHER_CALLS`.
const FURTHER_CALLS: u64 = 5;

/// `MOTIF_WAY_CHOICES`.
const WAY_CHOICES: u64 = 8;

/// The first choice of an input, made by `motif_take_way`, of so many ways.
pub(crate) fn first_way(input: &[u8], ways: usize) -> Option<usize> {
    let choice = first_pick(input, WAY_CHOICES as usize)?;
    Some(if choice + 1 == WAY_CHOICES as usize { ways - 1 } else { choice % (ways - 1) })
}

/// The first pick of an input, among so many.
pub(crate) fn first_pick(input: &[u8], choices: usize) -> Option<usize> {
    let width = width(choices as u64 - 1);
    let bytes = input.get(..width).filter(|bytes| !bytes.is_empty())?;
    let value = bytes.iter().rev().fold(0, |value: usize, byte| value << 8 | usize::from(*byte));
    Some(value % choices)
}
