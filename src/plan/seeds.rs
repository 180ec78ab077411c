//! Seed inputs: Table 1 of the papers per type, boundaries, and what the unit's own literals
//! suggest.
//!
//! A seed is the bytes that a driver takes, in order: see `byte_layout`.

mod encoder;
mod mined;

use super::byte_layout::{Input, first_pick, first_way};
use super::{Entry, Kind, Recipe, SetUpCall, UnitPlan};
use encoder::{Encoder, Style, TEXTS, bytes_of, is_character, names_of};
use mined::is_mined;

/// The most seeds, those of tests not counted.
const MOST: usize = 256;

/// The most seeds with sample files of the project.
const SAMPLES_MOST: usize = 96;

/// The names of an object's values, from each of so many on: as many as are kept at most, less some.
const NAMES_STEP: usize = 4;
/// So many seeds begin with different names.
const NAMES_MOST: usize = 16;

/// So many pointers that may be null have a seed of their own.
const NULLS_MOST: usize = 6;

/// Only the seeds of Table 1 (papers, section 3.2): at most three, those that one of the mutants asks for. A mutant
/// asks by the filter of its list: `N` negative, `Z` zero, `P` positive, else all.
pub fn table(plan: &UnitPlan, filters: &[Option<char>]) -> Vec<Vec<u8>> {
    let asks = |column: usize| {
        filters.is_empty() || filters.iter().any(|f| f.and_then(|f| "NZP".find(f)).is_none_or(|one| one == column))
    };
    let mut out: Vec<Vec<u8>> = Vec::new();
    for column in (0..3).filter(|column| asks(*column)) {
        let seed = encode(plan, 0, Style::Table(column, true), 0);
        if !out.contains(&seed) {
            out.push(seed);
        }
    }
    out
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
    for way in (0..plan.entries.len()).filter(|way| keeps_by_name(&plan.entries[*way])) {
        for first in (0..names_of(&plan.literals).len()).step_by(NAMES_STEP).take(NAMES_MOST) {
            for pairs in [false, true] {
                let seed = encode(plan, way, Style::Named { first, pairs }, 0);
                if !out.contains(&seed) && out.len() < MOST {
                    out.push(seed);
                }
            }
        }
    }
    for way in 0..plan.entries.len() {
        for pick in 0..most_picks(&plan.entries[way]).max(2) {
            for style in &styles {
                let seed = encode(plan, way, *style, pick);
                if !out.contains(&seed) && out.len() < MOST {
                    out.push(seed);
                }
            }
        }
    }
    samples(plan, &mut out);
    mined::seeds(plan, &mut out);
    out
}

/// Seeds with the beginnings of the project's sample files, in each way in that reads.
fn samples(plan: &UnitPlan, out: &mut Vec<Vec<u8>>) {
    let most = out.len() + SAMPLES_MOST;
    for sample in 0..plan.samples.len() {
        for way in (0..plan.entries.len()).filter(|way| takes_text(&plan.entries[*way])) {
            for pick in 0..most_picks(&plan.entries[way]) {
                let seed = encode(plan, way, Style::Sample(sample), pick);
                if !out.contains(&seed) && out.len() < most {
                    out.push(seed);
                }
            }
        }
    }
}

/// How many alternatives there are in one way in, of a value that has most.
fn most_picks(entry: &Entry) -> usize {
    entry.slots().map(|slot| most_alternatives(&slot.recipe)).max().unwrap_or(1)
}

/// The most pointers of one way in that may be null.
fn most_nullable(plan: &UnitPlan) -> usize {
    let of = |entry: &Entry| {
        let mut count = 0;
        for slot in entry.slots() {
            count += usize::from(slot.nullable);
            slot.recipe.walk(&mut |r| count += r.parts().iter().filter(|part| part.nullable).count());
        }
        count.min(NULLS_MOST)
    };
    plan.entries.iter().map(of).max().unwrap_or(0)
}

/// Which of several ways into the unit an input takes.
pub fn way(plan: &UnitPlan, input: &[u8]) -> Option<usize> {
    match plan.entries.len() {
        ..=1 => None,
        ways if plan.has_direct_way() => first_way(input, ways),
        ways => first_pick(input, ways),
    }
}

/// Whether an object is set up by calls that keep values by their names.
fn keeps_by_name(entry: &Entry) -> bool {
    let mut found = false;
    for slot in entry.slots() {
        slot.recipe.walk(&mut |recipe| {
            found |= matches!(&recipe.kind, Kind::SetUp { calls, .. } if calls.iter().any(SetUpCall::is_by_name));
        });
    }
    found
}

fn takes_text(entry: &Entry) -> bool {
    let mut found = false;
    for slot in entry.slots() {
        slot.recipe.walk(&mut |r| {
            found |= match &r.kind {
                Kind::CString { .. }
                | Kind::StdString { .. }
                | Kind::File
                | Kind::FileName { .. }
                | Kind::Stream { reads: true, .. } => true,
                Kind::Array { element, .. } => {
                    matches!(&element.recipe, Recipe { ty, kind: Kind::Prim { .. }, .. } if is_character(ty))
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
        if let Recipe { kind: Kind::Choice { among, .. }, .. } | Recipe { kind: Kind::Variant { among, .. }, .. } = r {
            most = most.max(among.iter().filter(|slot| !is_mined(slot)).count());
        }
        if let Kind::SetUp { calls, .. } = &r.kind {
            most = most.max(calls.len());
        }
    });
    most
}

fn encode(plan: &UnitPlan, way: usize, style: Style, pick: usize) -> Vec<u8> {
    encode_as(plan, way, style, pick, 0)
}

/// As the n-th history has it, where there are any; none for 0.
fn encode_as(plan: &UnitPlan, way: usize, style: Style, pick: usize, history: usize) -> Vec<u8> {
    written(plan, way, style, pick, history).into_bytes()
}

fn written(plan: &UnitPlan, way: usize, style: Style, pick: usize, history: usize) -> Input {
    let mut encoder = Encoder::new(plan, style, pick, history);
    if plan.has_direct_way() {
        encoder.out.way(way as u64, plan.entries.len() as u64);
    } else if plan.entries.len() > 1 {
        encoder.out.pick(way as u64, plan.entries.len() as u64);
    }
    encoder.entry(&plan.entries[way.min(plan.entries.len() - 1)]);
    encoder.out
}

/// Some seeds, each with the places of what is in it.
#[cfg(test)]
pub(crate) fn laid_out(plan: &UnitPlan) -> Vec<Input> {
    let styles = [Style::Table(0, true), Style::Ones, Style::Most, Style::Text(0), Style::Null(0)];
    let picks = (0..plan.entries.len()).flat_map(|way| (0..4).map(move |pick| (way, pick)));
    picks.flat_map(|(way, pick)| styles.map(|style| written(plan, way, style, pick, pick % 2))).collect()
}

#[cfg(test)]
#[path = "seeds_tests.rs"]
mod tests;
