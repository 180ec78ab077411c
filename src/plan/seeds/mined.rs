//! Seeds that have the values of tests and examples.

use super::encode_as;
use super::encoder::Style;
use crate::plan::{Kind, Recipe, Slot, UnitPlan};

/// The most of them.
const MOST: usize = 64;

/// Seeds that make objects as tests and examples do, with what is written there.
pub(super) fn seeds(plan: &UnitPlan, out: &mut Vec<Vec<u8>>) {
    let most = out.len() + MOST;
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

pub(super) fn is_mined(slot: &Slot) -> bool {
    matches!(slot.recipe.kind, Kind::Mined { .. })
}

/// The most histories that one object chooses among.
fn most_histories(recipe: &Recipe) -> usize {
    let mut most = usize::from(matches!(recipe.kind, Kind::Mined { .. }));
    recipe.walk(&mut |r| {
        if let Kind::Choice { among, .. } = &r.kind {
            most = most.max(among.iter().filter(|slot| is_mined(slot)).count());
        }
    });
    most
}

/// The most alternatives that are no histories.
fn most_subtypes(recipe: &Recipe) -> usize {
    let mut most = 1;
    recipe.walk(&mut |r| {
        if let Kind::Choice { among, .. } = &r.kind {
            most = most.max(among.iter().filter(|slot| !is_mined(slot)).count());
        }
    });
    most
}
