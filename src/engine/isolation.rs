//! When a search keeps its sides better apart: what the judge refutes, and what ends workers, shows that a call leaves
//! something behind for the next one.

use super::shared::{FORKED, Mapped, set_shared, shared};

/// Refuted candidates of one unit after which sides are kept better apart.
const REFUTED: u32 = 3;
/// Deaths of workers while no mutant ran, after which each side runs in a child.
const DEATHS_ELSEWHERE: u32 = 3;
/// Why a search is slow, for `-v`.
const IN_PROCESSES: &str = "each call ran in a process of its own, which is slow: what a call leaves behind, or finds \
                            in memory that nobody has written to, makes the next one another";

/// What speaks for another way to keep sides apart.
#[derive(Default)]
pub(super) struct Isolation {
    refuted: u32,
    deaths_elsewhere: u32,
    /// The way has changed, for the next worker on.
    pub is_anew: bool,
}

impl Isolation {
    /// A worker starts: what was refuted before says nothing of a new way.
    pub fn begins(&mut self) {
        if std::mem::take(&mut self.is_anew) {
            self.refuted = 0;
        }
    }

    /// A candidate was refuted: what earlier calls have left made it differ, in memory that nobody has written to, or
    /// anywhere. True where from now on the first is alike for each side, which it was not yet, as `fills` says.
    pub fn refuted(&mut self, shared: &mut Mapped, fills: bool) -> bool {
        self.refuted += 1;
        if self.refuted < REFUTED || self.is_anew || shared!(shared, forked) == FORKED {
            return false;
        }
        self.is_anew = true;
        set_shared!(shared, seeds_done = 0);
        let may_fill = !fills && shared!(shared, fills) == 0;
        if may_fill {
            set_shared!(shared, fills = 1);
        } else {
            set_shared!(shared, forked = FORKED);
        }
        may_fill
    }

    /// No mutant ran when the worker died: an earlier one may have damaged the heap or left a thread behind. If that
    /// repeats, each side gets a process of its own.
    pub fn died_elsewhere(&mut self, shared: &mut Mapped) {
        self.deaths_elsewhere += 1;
        if self.deaths_elsewhere == DEATHS_ELSEWHERE && shared!(shared, forked) != FORKED {
            set_shared!(shared, forked = FORKED);
            set_shared!(shared, seeds_done = 0);
        }
    }

    /// Tells who asks for details that the search was slow, once.
    pub fn tell(shared: &Mapped, notes: &mut Vec<String>) {
        if shared!(shared, forked) == FORKED && !notes.iter().any(|note| note == IN_PROCESSES) {
            notes.push(IN_PROCESSES.to_owned());
        }
    }
}
