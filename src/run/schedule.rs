//! Decides which unit is searched next under a budget of the whole run, and how long: units with the best recent
//! yield first, none forgotten.
//!
//! No clock is read here. Costs are numbers, microseconds or inputs; with inputs, the same searches give the same
//! schedule.

/// This fraction of the budget goes to all units by their live mutants, before yield counts.
const FAIR_PART: u64 = 4;
/// A slice is this fraction of what is left per unit: long at first, shorter towards the end.
const SLICE_PART: u64 = 4;
/// The weight of a kill, of a mutant that changes a value for the first time, and of new coverage.
const WORTH: (f64, f64, f64) = (16.0, 4.0, 0.5);
/// The most inputs with new coverage that count.
const COVERAGE_MOST: u64 = 16;

/// The yield of a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Yield {
    /// Killed mutants.
    pub kills: u64,
    /// Mutants that changed a value for the first time.
    pub infections: u64,
    /// Inputs that brought new coverage of the original.
    pub coverage: u64,
}

impl Yield {
    fn worth(self) -> f64 {
        let (kill, infection, coverage) = WORTH;
        let new = self.coverage.min(COVERAGE_MOST);
        kill * self.kills as f64 + infection * self.infections as f64 + coverage * new as f64
    }
}

#[derive(Debug)]
struct Unit {
    live: u64,
    spent: u64,
    /// Its yield; older yield is halved with each slice.
    recent: f64,
    /// The cost since its last yield.
    in_vain: u64,
    running: bool,
}

/// The units of a sliced search, by number.
#[derive(Debug)]
pub struct Schedule {
    units: Vec<Unit>,
    /// The minimum length of a slice: continuing a search has a cost too.
    least: u64,
}

impl Schedule {
    /// No slice is shorter than `least`, unless less is left.
    pub fn new(least: u64) -> Self {
        Self { units: Vec::new(), least: least.max(1) }
    }

    /// Adds a unit after its first slice; its number is the count before. Without live mutants it is never scheduled.
    pub fn add(&mut self, live: u64, spent: u64, brought: Yield) {
        self.units.push(Unit { live, spent: 0, recent: 0.0, in_vain: 0, running: true });
        self.came_back(self.units.len() - 1, live, spent, brought);
    }

    /// The next unit, and its slice of `left`, at most `most`; `None` if no unit can be searched.
    pub fn next(&mut self, left: u64, most: u64) -> Option<(usize, u64)> {
        let open = self.units.iter().filter(|unit| unit.live > 0);
        let (count, live) = open.fold((0, 0), |(count, live), unit| (count + 1, live + unit.live));
        if left == 0 || count == 0 {
            return None;
        }
        let all = left.saturating_add(self.units.iter().map(|unit| unit.spent).sum());
        let fair = |unit: &Unit| mul_div(all / FAIR_PART, unit.live, live);
        let idle = self.units.iter().enumerate().filter(|(_, unit)| unit.live > 0 && !unit.running);
        // The first among equals: the order must not depend on anything else.
        let rank = |unit: &Unit| (unit.spent < fair(unit), self.rate(unit));
        let next = idle.reduce(|best, other| if rank(other.1) > rank(best.1) { other } else { best })?.0;
        let slice = (left / (SLICE_PART * count)).max(self.least).min(left).min(most);
        if slice == 0 {
            return None;
        }
        self.units[next].running = true;
        Some((next, slice))
    }

    /// Whether a unit in progress may come back with live mutants.
    pub fn may_go_on(&self) -> bool {
        self.units.iter().any(|unit| unit.running && unit.live > 0)
    }

    /// Records a slice: live mutants, cost and yield. Without live mutants the unit is finished.
    pub fn came_back(&mut self, number: usize, live: u64, spent: u64, brought: Yield) {
        let unit = &mut self.units[number];
        unit.running = false;
        unit.live = live;
        unit.spent += spent;
        unit.recent = unit.recent / 2.0 + brought.worth();
        unit.in_vain = if brought == Yield::default() { unit.in_vain + spent } else { 0 };
    }

    /// The expected yield rate of a unit: never zero, lower with cost since its last yield, higher with more live
    /// mutants.
    fn rate(&self, unit: &Unit) -> f64 {
        (1.0 + unit.recent) * (unit.live as f64).sqrt() / (self.least + unit.in_vain) as f64
    }
}

fn mul_div(value: u64, by: u64, of: u64) -> u64 {
    u64::try_from(u128::from(value) * u128::from(by) / u128::from(of.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Yield = Yield { kills: 0, infections: 0, coverage: 0 };

    /// What each unit gets of a budget if a slice yields `brings`.
    fn shares(live: &[u64], budget: u64, brings: impl Fn(usize, u64) -> Yield) -> Vec<u64> {
        let mut schedule = Schedule::new(100);
        live.iter().for_each(|live| schedule.add(*live, 100, NOTHING));
        let (mut left, mut spent) = (budget, vec![0; live.len()]);
        while let Some((unit, slice)) = schedule.next(left, left) {
            assert!(slice <= left && (slice >= 100 || slice == left));
            left -= slice;
            spent[unit] += slice;
            schedule.came_back(unit, live[unit], slice, brings(unit, spent[unit]));
        }
        assert_eq!(left, 0, "all of it is spent");
        spent
    }

    #[test]
    fn units_that_bring_nothing_get_alike_by_what_lives_in_them() {
        let spent = shares(&[1; 4], 100_000, |_, _| NOTHING);
        assert!(spent.iter().all(|spent| (18_000..33_000).contains(spent)), "{spent:?}");
        let spent = shares(&[1, 16], 100_000, |_, _| NOTHING);
        assert!(spent[1] > 2 * spent[0] && spent[0] > 100_000 / 4 / 17, "{spent:?}");
    }

    #[test]
    fn what_yields_gets_more_as_long_as_it_does_and_the_others_get_their_fair_least() {
        let kills = Yield { kills: 1, ..NOTHING };
        let spent = shares(&[2; 8], 800_000, |unit, _| if unit == 5 { kills } else { NOTHING });
        assert!(spent[5] > 400_000, "{spent:?}");
        assert!(spent.iter().all(|spent| *spent >= 800_000 / 4 / 8), "{spent:?}");
        let dries_up = |unit, spent| if unit == 5 && spent < 50_000 { kills } else { NOTHING };
        let spent = shares(&[2; 8], 800_000, dries_up);
        assert!((90_000..250_000).contains(&spent[5]), "{spent:?}");
    }

    #[test]
    fn a_kill_is_worth_more_than_an_infection_and_that_more_than_coverage() {
        let brought = [
            Yield { coverage: 3, ..NOTHING },
            Yield { infections: 1, ..NOTHING },
            Yield { kills: 1, ..NOTHING },
            NOTHING,
        ];
        let mut schedule = Schedule::new(10);
        brought.iter().for_each(|brought| schedule.add(1, 10_000, *brought));
        let order: Vec<usize> = (0..4).map(|_| schedule.next(40_000, 40_000).unwrap().0).collect();
        assert_eq!(order, [2, 1, 0, 3]);
        assert_eq!(schedule.next(40_000, 40_000), None, "all of them are being searched");
    }

    #[test]
    fn what_is_dead_never_comes_up_and_the_same_searches_give_the_same_order() {
        let mut schedule = Schedule::new(10);
        schedule.add(0, 10, NOTHING);
        assert_eq!(schedule.next(1000, 1000), None);
        schedule.add(3, 10, NOTHING);
        assert_eq!((schedule.next(1000, 1000), schedule.next(1000, 1000)), (Some((1, 250)), None));
        schedule.came_back(1, 0, 250, Yield { kills: 3, ..NOTHING });
        assert_eq!(schedule.next(750, 750), None);
        let order = || {
            shares(&[3, 1, 4, 1, 5], 50_000, |unit, spent| Yield { coverage: spent / 997 % 3 * unit as u64, ..NOTHING })
        };
        assert_eq!(order(), order());
    }
}
