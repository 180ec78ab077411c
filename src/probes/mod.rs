//! Infection probes: instrumentation of the original's text that shows which mutants can differ at all.
//!
//! A mutant does what the original does until its change is evaluated for the first time. So the original notes when
//! that place is reached and, if the change is an expression that may be evaluated once more, whether the mutant's
//! value differs. A mutant whose note is not set need not run. docs/probes.md has the argument and its limits.

mod change;
mod composite;
mod read;
mod safe;
mod site;
mod swallowed;
#[cfg(test)]
mod tests;
mod trail;
mod view;

pub use composite::{Composite, Found, Versions};
pub use read::{of_file, versions};
pub use site::{Compared, Finder, Replaced, Site, Spot, Step};
pub use swallowed::{sentence, unchanged};
pub use trail::{Surroundings, Trail};
pub use view::View;

use crate::mutant::made::splice;
use crate::tree::Span;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most notes of one unit; runtime/shared.h has the same number.
pub const POINTS_MOST: usize = 4096;

/// The detail of the notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The body was entered.
    Entered,
    /// Statements were reached.
    Reached,
    /// A mutant's value differed.
    Infected,
}

/// The sites of one unit's mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitProbes {
    /// The file of the unit's body.
    pub file: PathBuf,
    /// The offset of the body's `{`.
    pub body: u32,
    /// C++.
    pub cxx: bool,
    /// By the mutant's index; `None` if only the beginning of the body is known to be before the change.
    pub sites: BTreeMap<usize, Option<Site>>,
}

/// The numbers of one mutant's notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// The changed place was reached.
    pub reached: u32,
    /// The mutant's value differed there.
    pub infected: Option<u32>,
    /// The conditions on the way, outermost first, each with a message if it was never met.
    pub way: Vec<(u32, String)>,
}

/// Insertions that instrument the unit's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// Offset, order at that offset, text.
    insertions: Vec<(u32, Order, String)>,
    /// The number of notes.
    pub points: usize,
    /// By the mutant's index.
    pub mutants: BTreeMap<usize, Watched>,
}

/// The order of insertions at one offset: closing ones first, and larger ones open before smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Closes,
    Follows,
    Opens(std::cmp::Reverse<u32>),
}

impl UnitProbes {
    /// The insertions for a level of detail.
    pub fn noted(&self, level: Level) -> Noted {
        noted(&[self], level, 0)
    }
}

/// The insertions for units in one file; numbers start at `from`, and [`Noted::points`] is the first free number.
pub fn noted(units: &[&UnitProbes], level: Level, from: usize) -> Noted {
    let cxx = units.iter().any(|unit| unit.cxx);
    let mut writer = Writer { cxx, spots: BTreeMap::new(), groups: BTreeMap::new(), points: from as u32 };
    let mut noted = Noted::default();
    for unit in units {
        let entered = writer.point(Spot::Behind(unit.body + 1));
        for (mutant, site) in &unit.sites {
            let mut watched = Watched { reached: entered, ..Watched::default() };
            watched.way.push((entered, "the function was never entered".into()));
            if let Some(site) = site.as_ref().filter(|_| level > Level::Entered) {
                watched.reached = writer.point(site.reached);
                for step in &site.way {
                    if level == Level::Infected || !matches!(step.spot, Spot::Operand(_)) {
                        watched.way.push((writer.point(step.spot), step.missed.clone()));
                    }
                }
                if let Some(replaced) = site.replaced.as_ref().filter(|_| level == Level::Infected) {
                    let (reached, infected) = writer.group(replaced);
                    (watched.reached, watched.infected) = (reached, Some(infected));
                }
            }
            noted.mutants.insert(*mutant, watched);
        }
    }
    noted.points = writer.points as usize;
    noted.insertions = writer.insertions();
    noted
}

impl Noted {
    /// The instrumented text of the file; no line is moved.
    pub fn text(&self, source: &[u8]) -> Vec<u8> {
        let end = source.len() as u32;
        let insertions = self.insertions.iter().map(|(offset, _, text)| {
            let at = (*offset).min(end);
            // A label's `:` and a `::` behind it must not become one.
            let is_behind_label = at > 0 && source[at as usize - 1] == b':';
            (at, at, if is_behind_label { format!(" {text}") } else { text.clone() })
        });
        splice(source, (0, end), insertions)
    }
}

/// The mutants of one expression.
struct Group {
    reached: u32,
    /// Text and number of each comparison; whether it computes with floating-point numbers.
    infected: Vec<(String, u32, bool)>,
}

struct Writer {
    cxx: bool,
    spots: BTreeMap<Spot, u32>,
    groups: BTreeMap<Span, Group>,
    points: u32,
}

impl Writer {
    fn point(&mut self, spot: Spot) -> u32 {
        let next = self.points;
        let number = *self.spots.entry(spot).or_insert(next);
        self.points += u32::from(number == next);
        number
    }

    /// The numbers for reaching and infecting an expression.
    fn group(&mut self, replaced: &Replaced) -> (u32, u32) {
        let points = &mut self.points;
        let mut number = || {
            *points += 1;
            *points - 1
        };
        let (original, mutated) = (&replaced.original, &replaced.mutated);
        let differs = match replaced.compared {
            Compared::Truth => format!("!({original}) != !({mutated})"),
            Compared::Value => format!("({original}) != ({mutated})"),
            Compared::Float => format!("motif_float_differs(({original}), ({mutated}))"),
            Compared::Double => format!("motif_double_differs(({original}), ({mutated}))"),
        };
        let group = self.groups.entry(replaced.span);
        let group = group.or_insert_with(|| Group { reached: number(), infected: Vec::new() });
        let known = group.infected.iter().find(|(text, ..)| *text == differs).map(|(_, number, _)| *number);
        let infected = known.unwrap_or_else(|| {
            let number = number();
            group.infected.push((differs, number, replaced.floats));
            number
        });
        (group.reached, infected)
    }

    fn note(&self, number: u32) -> String {
        format!("{}motif_probes[{number}] = 1", if self.cxx { "::" } else { "" })
    }

    fn insertions(&self) -> Vec<(u32, Order, String)> {
        let opens = |end: u32| Order::Opens(std::cmp::Reverse(end));
        let mut out = Vec::new();
        for (spot, number) in &self.spots {
            let note = self.note(*number);
            match spot {
                Spot::Behind(at) => out.push((*at, Order::Follows, format!(" {note};"))),
                // Before anything that opens there.
                Spot::Before(at) => out.push((*at, opens(u32::MAX), format!("{note}; "))),
                Spot::Around(span) => {
                    out.push((span.start, opens(span.end), format!("{{ {note}; ")));
                    out.push((span.end, Order::Closes, " }".into()));
                }
                Spot::Operand(span) => {
                    out.push((span.start, opens(span.end), format!("((void)({note}), (")));
                    out.push((span.end, Order::Closes, "))".into()));
                }
            }
        }
        for (span, group) in &self.groups {
            out.push((span.start, opens(span.end), self.probe(group)));
            out.push((span.end, Order::Closes, ")".into()));
        }
        out.sort_by_key(|(offset, order, _)| (*offset, *order));
        out
    }

    /// The text before an expression that notes whether any mutant's value differs.
    fn probe(&self, group: &Group) -> String {
        let notes = group.infected.iter().map(|(differs, number, _)| {
            let scope = if self.cxx { "::" } else { "" };
            format!("{scope}motif_probes[{number}] |= (unsigned char)({differs})")
        });
        let notes: Vec<String> = notes.collect();
        let reached = self.note(group.reached);
        if group.infected.iter().any(|(.., floats)| *floats) {
            let notes = notes.join("; ");
            return format!(
                "((void)({reached}), __extension__({{ const unsigned motif_flags = motif_floats_kept(); {notes}; \
                 motif_floats_back(motif_flags); }}), "
            );
        }
        let notes: String = notes.iter().map(|note| format!("(void)({note}), ")).collect();
        format!("((void)({reached}), {notes}")
    }
}
