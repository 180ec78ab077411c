//! The observation of a replay: the values taken from the input, in order, and everything that a caller can see.

use crate::plan::record_paths::ARGUMENTS;
use crate::supervise::signal_name;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a side ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It returned, or an exception left the call under test.
    Returned,
    /// It ended by a signal.
    Crashed,
    /// It did not end in time.
    Hung,
    /// It called `exit` or a relative.
    Exited,
    /// An exception left the construction of the arguments.
    Uncaught,
    /// A sanitizer reported it.
    Sanitizer,
}

/// How far a side got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It constructs arguments.
    Setup,
    /// It is in the call under test.
    Call,
    /// It observes the results.
    Observe,
}

/// How and where a side ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How.
    pub ending: Ending,
    /// The signal or the exit code.
    pub detail: i32,
    /// Where.
    pub phase: Phase,
    /// It returned, and failed while its results were observed or its objects destroyed.
    #[serde(default)]
    pub late: bool,
}

impl Outcome {
    /// `SIGSEGV`, `hang`, `exit(3)`, … if this ending is a failure of an original.
    pub fn failure(&self) -> Option<String> {
        match self.ending {
            Ending::Returned | Ending::Uncaught => None,
            Ending::Crashed => Some(signal_name(self.detail)),
            Ending::Hung => Some("hang".to_string()),
            Ending::Exited => Some(format!("exit({})", self.detail)),
            Ending::Sanitizer => Some("sanitizer report".to_string()),
        }
    }
}

/// `motif_kind` of runtime/motif.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Kind {
    Bool,
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uint64,
    Int128,
    Uint128,
    Float,
    Double,
    LongDouble,
    Char,
    Bytes,
    Enum,
    Size,
    Pick,
}

/// One value of a fixed width.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scalar {
    /// Its kind.
    pub kind: Kind,
    /// Its bytes in memory, the lowest first; a long double may have fewer than its size.
    #[serde(with = "hex")]
    pub bytes: Vec<u8>,
    /// In decimal, with enough digits to be exact; `nan`, `inf`, `-inf`; empty for bytes.
    pub text: String,
    /// A floating-point number in C's hexadecimal form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
}

impl Scalar {
    /// The bits as a number, zero-extended.
    pub fn bits(&self) -> u128 {
        self.bytes.iter().take(16).rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte))
    }

    /// The value of an integer, character, bool or enumerator; `None` for other kinds, and if it is too large.
    pub fn int(&self) -> Option<i128> {
        match self.kind {
            Kind::Float | Kind::Double | Kind::LongDouble | Kind::Bytes => None,
            _ => self.text.parse().ok(),
        }
    }

    /// The value of a `float`.
    pub fn float(&self) -> Option<f32> {
        (self.kind == Kind::Float).then(|| f32::from_bits(self.bits() as u32))
    }

    /// The value of a `double`.
    pub fn double(&self) -> Option<f64> {
        (self.kind == Kind::Double).then(|| f64::from_bits(self.bits() as u64))
    }
}

/// One call of the input's interface, in the order of the calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "take", rename_all = "snake_case")]
pub enum Taken {
    /// `motif_take`.
    Value {
        /// The value.
        value: Scalar,
    },
    /// `motif_take_array`, also if empty.
    Array {
        /// The kind of the elements.
        kind: Kind,
        /// The elements.
        values: Vec<Scalar>,
    },
    /// `motif_take_size`.
    Size {
        /// The length.
        value: u64,
    },
    /// `motif_take_pick`.
    Pick {
        /// The alternative.
        value: u64,
        /// The number of alternatives.
        choices: u64,
    },
    /// `motif_take_enum`.
    Enum {
        /// The value.
        value: i64,
        /// The enumerator's index; `None` if the value is no enumerator.
        index: Option<u64>,
    },
    /// `motif_take_cstring`.
    Cstring {
        /// The characters, without the NUL.
        #[serde(with = "hex")]
        bytes: Vec<u8>,
    },
}

/// The part of the record that a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// A result or an output parameter.
    Output,
    /// The state of an object after the call.
    State,
    /// An exception.
    Exception,
}

/// One observed item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// A value.
    Value(Scalar),
    /// Text or storage.
    #[serde(with = "hex")]
    Text(Vec<u8>),
    /// Whether a pointer is null.
    Null(bool),
    /// Not observed, with the reason.
    Skip(String),
    /// Memory that cannot be read; nothing follows.
    Unreadable(bool),
}

/// One entry of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// `return`, `mission.duration_`, `list[3]`, `exception.what`.
    pub path: String,
    /// What it is part of.
    pub part: Aspect,
    /// It is an element of a block that the code has allocated, and counts where the other side's block has it too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allocated: bool,
    /// What was seen.
    #[serde(flatten)]
    pub seen: Seen,
}

/// The observation of a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// How it ended.
    pub outcome: Outcome,
    /// The name of the first sanitizer report, wherever it occurred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// Bytes of the input that were requested.
    pub taken: u64,
    /// The record was full: later entries are missing.
    pub full: bool,
    /// The values taken from the input, one entry for each call.
    pub trace: Vec<Taken>,
    /// Everything that a caller can see.
    pub record: Vec<Entry>,
    /// The notes of marks in the code, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "hex")]
    pub notes: Vec<u8>,
    /// CPU seconds of the process.
    #[serde(default)]
    pub cpu_seconds: f64,
}

impl Observation {
    /// The observation of a process that reported nothing.
    pub(super) fn ended(ending: Ending, detail: i32, cpu_seconds: f64) -> Self {
        Self {
            outcome: Outcome { ending, detail, phase: Phase::Call, late: false },
            report: None,
            taken: 0,
            full: false,
            trace: Vec::new(),
            record: Vec::new(),
            notes: Vec::new(),
            cpu_seconds,
        }
    }

    /// The notes as the sums that marks make.
    pub fn sums(&self) -> Vec<u32> {
        let sum = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        self.notes.chunks(4).map(sum).collect()
    }

    /// What is not compared, by its path: what was left out, and what is behind a pointer that nobody followed.
    pub fn not_compared(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (at, entry) in self.record.iter().enumerate() {
            // A part of it: `data_size` is none of `data`.
            let is_part = |path: &str| {
                let rest = path.strip_prefix(&entry.path);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            let is_followed = || self.record[at + 1..].iter().any(|other| is_part(&other.path));
            match &entry.seen {
                // (What is around it is compared there.)
                Seen::Skip(why) if why.is_empty() => {}
                Seen::Skip(why) => found.push(format!("{} ({why})", entry.path)),
                Seen::Null(false) if !is_followed() => found.push(format!("what is behind {}", entry.path)),
                _ => {}
            }
        }
        found.dedup();
        found
    }

    /// Both without the elements of blocks that the other lacks: how much was allocated is nothing that a caller sees,
    /// and a test can't read them on both sides.
    #[must_use]
    pub fn in_common(&self, other: &Observation) -> [Observation; 2] {
        let (mut one, mut two) = (self.record.iter().peekable(), other.record.iter().peekable());
        let mut common = [Vec::new(), Vec::new()];
        // Before the elements of a block stands whether the pointer is null, so that both sides are in one block, or
        // one of them in none.
        loop {
            match (one.peek(), two.peek()) {
                (Some(left), Some(right)) if left.allocated == right.allocated => {
                    let is_one_place = !left.allocated || left.path == right.path;
                    let both = [one.next(), two.next()];
                    for (to, entry) in common.iter_mut().zip(both).filter(|_| is_one_place) {
                        to.extend(entry.cloned());
                    }
                }
                (Some(left), _) if left.allocated => {
                    one.next();
                }
                (_, Some(right)) if right.allocated => {
                    two.next();
                }
                (None, None) => break,
                _ => {
                    common[0].extend(one.next().cloned());
                    common[1].extend(two.next().cloned());
                }
            }
        }
        let [one, two] = common;
        [Observation { record: one, ..self.clone() }, Observation { record: two, ..other.clone() }]
    }

    /// Whether everything that a caller can see is equal. Skipped items do not count. NaNs are equal: the runtime
    /// normalises them.
    pub fn same(&self, other: &Observation) -> bool {
        self.ended_as(other) && self.record == other.record
    }

    /// It came to the same end, and all of it was recorded or not.
    pub(super) fn ended_as(&self, other: &Observation) -> bool {
        let (one, other_outcome) = (&self.outcome, &other.outcome);
        one.ending == other_outcome.ending && one.detail == other_outcome.detail && self.full == other.full
    }

    /// The places that differ from those of a run with other stale memory; `None` if the two runs took different
    /// paths.
    pub fn stale_beside(&self, other: &Observation) -> Option<BTreeSet<String>> {
        let same_places = self.record.len() == other.record.len()
            && self.record.iter().zip(&other.record).all(|(one, other)| one.path == other.path);
        if !same_places || self.full || other.full || self.outcome != other.outcome {
            return None;
        }
        let pairs = self.record.iter().zip(&other.record);
        Some(pairs.filter(|(one, other)| one != other).map(|(one, _)| one.path.clone()).collect())
    }

    /// The observation without these places; `ARGUMENTS` stands for all arguments of stubs.
    #[must_use]
    pub fn without(mut self, places: &BTreeSet<String>) -> Self {
        if !places.is_empty() {
            let hides_arguments = places.contains(ARGUMENTS);
            let is_hidden = |path: &str| places.contains(path) || hides_arguments && path.starts_with(ARGUMENTS);
            self.record.retain(|entry| !is_hidden(&entry.path));
        }
        self
    }

    /// `SIGSEGV`, `hang`, … if it did not return.
    pub fn failure(&self) -> Option<String> {
        self.outcome.failure()
    }

    /// The exception that left the call: its type and message.
    pub fn exception(&self) -> Option<(String, Option<String>)> {
        let text = |path: &str| {
            self.record.iter().find_map(|entry| match &entry.seen {
                Seen::Text(bytes) if entry.part == Aspect::Exception && entry.path == path => {
                    Some(String::from_utf8_lossy(bytes).into_owned())
                }
                _ => None,
            })
        };
        Some((text("exception.type")?, text("exception.what")))
    }
}

/// Bytes as hexadecimal digits.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.as_bytes();
        if digits.len() % 2 != 0 {
            return Err(D::Error::custom("an odd number of hexadecimal digits"));
        }
        digits
            .chunks(2)
            .map(|pair| {
                let digit = |at: u8| char::from(at).to_digit(16).ok_or_else(|| D::Error::custom("not hexadecimal"));
                Ok((digit(pair[0])? * 16 + digit(pair[1])?) as u8)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: &str = r#"{"unit":"f","outcome":{"ending":"returned","detail":0,"phase":"observe"},
        "taken":12,"full":false,
        "trace":[{"take":"value",
                  "value":{"kind":"double","bytes":"00000000004a9340","text":"1234.5","hex":"0x1.34ap+10"}},
                 {"take":"enum","value":-1,"index":null},{"take":"array","kind":"char","values":[]},
                 {"take":"cstring","bytes":"6162"},{"take":"size","value":3},{"take":"pick","value":1,"choices":2}],
        "record":[{"path":"return","part":"output","value":{"kind":"int8","bytes":"ff","text":"-1"}},
                  {"path":"p","part":"state","null":true},{"path":"s","part":"state","text":"00ff"},
                  {"path":"q","part":"state","skip":"why"},{"path":"r","part":"state","unreadable":true},
                  {"path":"exception.type","part":"exception","text":"46"}]}"#;

    #[test]
    fn what_the_worker_writes_is_read_back_without_loss() {
        let observation: Observation = serde_json::from_str(SEEN).unwrap();
        let Taken::Value { value } = &observation.trace[0] else { panic!("{:?}", observation.trace) };
        assert_eq!(value.double(), Some(1234.5));
        assert_eq!(observation.trace[3], Taken::Cstring { bytes: b"ab".to_vec() });
        let Seen::Value(value) = &observation.record[0].seen else { panic!("{:?}", observation.record) };
        assert_eq!(value.int(), Some(-1));
        assert_eq!(observation.record[1].seen, Seen::Null(true));
        assert_eq!(observation.record[2].seen, Seen::Text(vec![0, 255]));
        assert_eq!(observation.exception(), Some(("F".to_string(), None)));
        let again: Observation = serde_json::from_str(&serde_json::to_string(&observation).unwrap()).unwrap();
        assert_eq!(again, observation);
    }

    #[test]
    fn observations_are_the_same_when_a_caller_sees_the_same() {
        let one: Observation = serde_json::from_str(SEEN).unwrap();
        let mut other = one.clone();
        other.cpu_seconds = 3.0;
        assert!(one.same(&other));
        other.record[1].seen = Seen::Null(false);
        assert!(!one.same(&other));
        let mut crashed = one.clone();
        crashed.outcome.ending = Ending::Crashed;
        assert!(!one.same(&crashed));
    }

    #[test]
    fn elements_of_blocks_count_where_both_sides_have_them() {
        let seen = |elements: &[&str]| {
            let mut seen: Observation = serde_json::from_str(SEEN).unwrap();
            let element = |(at, value): (usize, &&str)| {
                format!(
                    r#"{{"path":"p[{at}]","part":"state","allocated":true,
                         "value":{{"kind":"int8","bytes":"{value}","text":"{value}"}}}}"#
                )
            };
            let elements = elements.iter().enumerate().map(|it| serde_json::from_str(&element(it)).unwrap());
            seen.record.splice(2..2, elements);
            seen
        };
        let are_same = |one: &[&str], other: &[&str]| {
            let [one, other] = seen(one).in_common(&seen(other));
            one.same(&other)
        };
        assert!(are_same(&["01", "02"], &["01"]));
        assert!(are_same(&[], &["01"]));
        assert!(!are_same(&["01", "02"], &["03"]));
        let [one, _] = seen(&["01", "02"]).in_common(&seen(&["03"]));
        assert_eq!(one.record.len(), seen(&["01"]).record.len());
        // What follows a block counts, whichever is longer.
        let mut other = seen(&["01"]);
        other.record[3].seen = Seen::Null(false);
        let [one, other] = seen(&["01", "02"]).in_common(&other);
        assert!(!one.same(&other));
    }
}
