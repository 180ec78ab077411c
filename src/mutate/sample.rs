//! Random sampling of mutants: the seed fixes an order, and a sample is its beginning. Also the confidence interval
//! of a sample's score.
//!
//! A mutant's place in the order depends on its id and the seed alone. So the same seed chooses the same mutants on
//! every machine, a larger sample contains the smaller one, and a change of one function hardly moves the others.

use crate::choices::Stratify;
use crate::mutant::made::Made;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The data that the order depends on.
#[derive(Clone, Copy)]
pub struct Key<'m> {
    /// A unique id.
    pub id: &'m str,
    /// The function.
    pub function: &'m str,
    /// The operator.
    pub operator: &'m str,
}

impl<'m> From<&'m Made> for Key<'m> {
    fn from(mutant: &'m Made) -> Self {
        Self { id: &mutant.id, function: &mutant.unit, operator: &mutant.change.operator }
    }
}

/// A random order of mutants. With strata, every prefix has its share of each stratum.
pub fn order<'m>(mutants: impl IntoIterator<Item = Key<'m>>, seed: u64, stratify: Stratify) -> Vec<usize> {
    let mutants: Vec<Key<'_>> = mutants.into_iter().collect();
    let mut ranks: Vec<([u8; 32], usize)> = (0..).zip(&mutants).map(|(at, m)| (rank(seed, m.id), at)).collect();
    ranks.sort_unstable();
    if stratify == Stratify::Uniform {
        return ranks.into_iter().map(|(_, at)| at).collect();
    }
    let stratum = |at: usize| {
        let Key { function, operator, .. } = mutants[at];
        match stratify {
            Stratify::Function => (function, ""),
            Stratify::Operator => ("", operator),
            Stratify::Both | Stratify::Uniform => (function, operator),
        }
    };
    let mut sizes: HashMap<(&str, &str), usize> = HashMap::new();
    ranks.iter().for_each(|(_, at)| *sizes.entry(stratum(*at)).or_default() += 1);
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    let mut spread: Vec<(f64, usize, usize)> = Vec::with_capacity(ranks.len());
    for (rank, (_, at)) in ranks.into_iter().enumerate() {
        let stratum = stratum(at);
        let before = seen.entry(stratum).or_default();
        // The members of a stratum have equal distances, each in the middle of its share.
        spread.push(((*before as f64 + 0.5) / sizes[&stratum] as f64, rank, at));
        *before += 1;
    }
    spread.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    spread.into_iter().map(|(_, _, at)| at).collect()
}

pub(super) fn rank(seed: u64, id: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update(id.as_bytes());
    hash.finalize().into()
}

/// The 95 % confidence interval of a proportion with `hits` of `tried`, after Clopper and Pearson: its coverage is at
/// least 95 %.
pub fn interval(hits: usize, tried: usize) -> (f64, f64) {
    const TAIL: f64 = 0.025;
    let low = if hits == 0 { 0.0 } else { proportion(hits, tried, TAIL) };
    let high = if hits == tried { 1.0 } else { proportion(hits + 1, tried, 1.0 - TAIL) };
    (low, high)
}

/// The proportion with which at least `hits` of `tried` have this probability.
fn proportion(hits: usize, tried: usize, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if at_least(hits, tried, middle) < probability { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The probability of at least `hits` of `tried`: the upper tail of the binomial distribution. It is summed by
/// logarithms, since its first term may be too small for a number.
fn at_least(hits: usize, tried: usize, proportion: f64) -> f64 {
    let odds = (proportion / (1.0 - proportion)).ln();
    let mut term = tried as f64 * (1.0 - proportion).ln();
    let mut sum = 0.0;
    for k in 0..=tried {
        if k >= hits {
            sum += term.exp();
        }
        term += odds + ((tried - k) as f64 / (k + 1) as f64).ln();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(String, &'static str, &'static str);

    fn keys(mutants: &[One]) -> impl Iterator<Item = Key<'_>> {
        mutants.iter().map(|one| Key { id: &one.0, function: one.1, operator: one.2 })
    }

    fn many() -> Vec<One> {
        let of = |n: usize, f, op| (0..n).map(move |i| One(format!("{f}.{op}.{i}"), f, op));
        of(60, "f", "ROR").chain(of(30, "g", "ROR")).chain(of(10, "g", "ABS")).collect()
    }

    #[test]
    fn the_seed_alone_fixes_the_order() {
        let mutants = many();
        let chosen = |seed| order(keys(&mutants), seed, Stratify::Uniform);
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        let mut all = chosen(1);
        all.sort_unstable();
        assert_eq!(all, (0..mutants.len()).collect::<Vec<_>>());
        // Removing one mutant keeps the order of the others.
        let without: Vec<One> = many().into_iter().skip(1).collect();
        let names = |mutants: &[One]| {
            order(keys(mutants), 1, Stratify::Uniform).into_iter().map(|at| mutants[at].0.clone()).collect::<Vec<_>>()
        };
        let expected: Vec<String> = names(&mutants).into_iter().filter(|id| *id != mutants[0].0).collect();
        assert_eq!(names(&without), expected);
    }

    #[test]
    fn a_stratified_sample_has_its_share_of_every_stratum() {
        let mutants = many();
        for (stratify, wanted) in
            [(Stratify::Function, [12, 8, 0]), (Stratify::Operator, [0, 18, 2]), (Stratify::Both, [12, 6, 2])]
        {
            let chosen = &order(keys(&mutants), 7, stratify)[..20];
            let number = |f: &dyn Fn(&One) -> bool| chosen.iter().filter(|at| f(&mutants[**at])).count();
            let found = match stratify {
                Stratify::Function => [number(&|m| m.1 == "f"), number(&|m| m.1 == "g"), 0],
                Stratify::Operator => [0, number(&|m| m.2 == "ROR"), number(&|m| m.2 == "ABS")],
                _ => [number(&|m| m.1 == "f"), number(&|m| m.1 == "g" && m.2 == "ROR"), number(&|m| m.2 == "ABS")],
            };
            assert_eq!(found, wanted, "{stratify}");
        }
    }

    #[test]
    fn the_interval_is_that_of_the_tables() {
        // Exact intervals from the literature and from R's binom.test.
        for (hits, tried, low, high) in [
            (0, 10, 0.0, 0.3084971),
            (5, 10, 0.1870860, 0.8129140),
            (10, 10, 0.6915029, 1.0),
            (81, 263, 0.2527087, 0.3676657),
            (950, 1000, 0.9346105, 0.9626814),
        ] {
            let found = interval(hits, tried);
            assert!((found.0 - low).abs() < 2e-4 && (found.1 - high).abs() < 2e-4, "{hits}/{tried}: {found:?}");
        }
        assert_eq!(interval(0, 0), (0.0, 1.0));
        let large = interval(50_000, 100_000);
        assert!(large.1 - large.0 < 0.0063 && large.0 < 0.5 && large.1 > 0.5, "{large:?}");
    }
}
