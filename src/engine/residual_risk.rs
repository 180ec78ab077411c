//! The chance that as much search again kills a mutant that lives: what `--budget auto` ends a search by.
//!
//! A mutant may fall in two ways, and the chance is that of either.
//!
//! *By inputs like those it has met.* Each mutant is a fault that shows on one input in so many, and how many differs
//! between mutants as it does between the faults of programs: Littlewood's model (*Stochastic reliability growth: a
//! model for fault removal*, IEEE Transactions on Reliability, 1981), rates of a Gamma distribution, so that of the
//! mutants that can fall, the share `n^-SHAPE` is left after `n` inputs. Some never fall: a part `EQUIVALENT` of all.
//!
//! *By inputs that do something new.* What few inputs did says how much no input has done yet: the estimate of unseen
//! species by Good and Toulmin, as Efron and Thisted smooth it (Biometrika 63, 1976), for as much sampling again, as
//! STADS applies it to fuzzing (Böhme, ACM TOSEM 27, 2018). Species are the edges of the original with the class of
//! how often they were taken. Of `seen` species none has killed, so a new one does with the chance `1 / (seen + 2)`
//! (Laplace's rule of succession).
//!
//! Both assume that inputs are drawn alike, from now on as before. A search that builds upon what it has found is
//! better than that at first, so estimates are high then, and what is rare is counted too often later.

/// So many times something is counted at most; the first number is that of all that was seen.
pub const TIMES_MOST: usize = 16;
/// How fast mutants fall: the shape of the distribution of their rates.
const SHAPE: f64 = 0.45;
/// The part of mutants that no input kills.
const EQUIVALENT: f64 = 0.36;
/// The first estimate is made after so many inputs, and the next after a quarter more.
const FIRST: u64 = 1000;
/// Counts above this say nothing of what is unseen: Efron and Thisted's smoothing.
const TERMS: usize = 8;

/// What was done by the original, and how often.
pub type Often = [u64; TIMES_MOST];

/// The chance for a mutant that `met` inputs concerned: that changed its value, or else reached it, or else all.
pub fn chance(met: u64, often: &Often) -> f64 {
    1.0 - (1.0 - by_the_like(met)) * (1.0 - by_new(often))
}

/// After how many inputs the next estimate is made.
pub fn next_look(executions: u64) -> u64 {
    executions.saturating_add(executions / 4).max(FIRST)
}

fn by_the_like(met: u64) -> f64 {
    let left = |inputs: f64| (1.0 - EQUIVALENT) * inputs.powf(-SHAPE);
    let met = met.max(1) as f64;
    (left(met) - left(2.0 * met)) / (EQUIVALENT + left(met))
}

fn by_new(often: &Often) -> f64 {
    let [seen, ..] = *often;
    (new(often) / (seen as f64 + 2.0)).min(1.0)
}

/// How much that no input has done yet as many inputs again will do.
fn new(often: &Often) -> f64 {
    let term = |times: usize| {
        let sign = if times % 2 == 1 { 1.0 } else { -1.0 };
        sign * often[times] as f64 * at_least(times)
    };
    (1..=TERMS).map(term).sum::<f64>().max(0.0)
}

/// The chance of at least `heads` heads among [`TERMS`] fair coins.
fn at_least(heads: usize) -> f64 {
    let choose = |of: usize| (0..of).fold(1.0, |product, i| product * (TERMS - i) as f64 / (i + 1) as f64);
    (heads..=TERMS).map(choose).sum::<f64>() / 2_f64.powi(TERMS as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn often(seen: u64, few: &[u64]) -> Often {
        let mut often = [0; TIMES_MOST];
        often[0] = seen;
        often[1..=few.len()].copy_from_slice(few);
        often
    }

    #[test]
    fn the_chance_falls_with_the_inputs_that_a_mutant_has_survived() {
        let settled = often(100, &[]);
        let chances: Vec<f64> = [0, 10, 1000, 100_000, 10_000_000].map(|met| chance(met, &settled)).to_vec();
        assert!(chances.windows(2).all(|pair| pair[1] <= pair[0]), "{chances:?}");
        // (0.64 * (n^-0.45 - (2 * n)^-0.45)) / (0.36 + 0.64 * n^-0.45)
        for (chance, known) in chances.iter().zip([0.171_493, 0.103_645, 0.019_713, 0.002_652, 0.000_337]) {
            assert!((chance - known).abs() < 1e-6, "{chances:?}");
        }
    }

    #[test]
    fn new_ways_through_the_original_raise_the_chance_by_how_many_are_to_be_expected() {
        // Nothing is rare: nothing is unseen.
        assert_eq!(new(&often(50, &[0, 0, 0])), 0.0);
        // What one input did is twice that of what two did, as where half of all is seen.
        let some = new(&often(50, &[8, 4, 2, 1]));
        assert!((5.0..6.5).contains(&some), "{some}");
        assert!(new(&often(50, &[0, 9])) == 0.0, "less than nothing is nothing");
        let (old, new) = (chance(1_000_000, &often(50, &[])), chance(1_000_000, &often(50, &[8, 4, 2, 1])));
        assert!(old < 0.01 && new > 0.1, "{old} {new}");
        assert!(chance(1_000_000, &often(5000, &[8, 4, 2, 1])) < 0.01, "one kind of 5,000 hardly matters");
    }

    #[test]
    fn estimates_come_at_growing_distances() {
        let looks: Vec<u64> = std::iter::successors(Some(0), |look| Some(next_look(*look))).take(4).collect();
        assert_eq!(looks, [0, 1000, 1250, 1562]);
        assert_eq!(next_look(u64::MAX), u64::MAX);
    }
}
