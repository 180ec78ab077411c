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
pub trait Named {
    /// A unique id.
    fn id(&self) -> &str;
    /// The function.
    fn function(&self) -> &str;
    /// The operator.
    fn operator(&self) -> &str;
}

impl Named for Made {
    fn id(&self) -> &str {
        &self.id
    }

    fn function(&self) -> &str {
        &self.unit
    }

    fn operator(&self) -> &str {
        &self.change.operator
    }
}

/// A random order of `mutants`. With strata, every prefix has its share of each stratum.
pub fn order<M: Named>(mutants: &[M], seed: u64, stratify: Stratify) -> Vec<usize> {
    let mut ranks: Vec<([u8; 32], usize)> = (0..).zip(mutants).map(|(at, m)| (rank(seed, m.id()), at)).collect();
    ranks.sort_unstable();
    if stratify == Stratify::Uniform {
        return ranks.into_iter().map(|(_, at)| at).collect();
    }
    let stratum = |at: usize| {
        let (function, operator) = (mutants[at].function(), mutants[at].operator());
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

fn rank(seed: u64, id: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update(id.as_bytes());
    hash.finalize().into()
}

/// The 95 % confidence interval of a proportion with `hits` of `tried`, after Clopper and Pearson: its coverage is at
/// least 95 %.
pub fn interval(hits: usize, tried: usize) -> (f64, f64) {
    const TAIL: f64 = 0.025;
    if tried == 0 {
        return (0.0, 1.0);
    }
    let (k, n) = (hits as f64, tried as f64);
    let low = if hits == 0 { 0.0 } else { beta_quantile(TAIL, k, n - k + 1.0) };
    let high = if hits == tried { 1.0 } else { beta_quantile(1.0 - TAIL, k + 1.0, n - k) };
    (low, high)
}

/// The point where the regularised incomplete beta function reaches `p`.
fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if incomplete_beta(middle, a, b) < p { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularised incomplete beta function by its continued fraction (Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges fast on one side of the mean only; the function mirrors.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let tiny = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut fraction, mut c, mut d) = (1.0, 1.0, 0.0);
    for step in 0..2000 {
        let m = f64::from(step / 2);
        let numerator = if step == 0 {
            1.0
        } else if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / tiny(1.0 + numerator * d);
        c = tiny(1.0 + numerator / c);
        fraction *= c * d;
        if (1.0 - c * d).abs() < 1e-12 {
            break;
        }
    }
    front * (fraction - 1.0)
}

/// The logarithm of the gamma function of a positive number, after Lanczos.
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.5203681218851,
        -1259.1392167224028,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507343278686905,
        -0.13857109526572012,
        9.984_369_578_019_572e-6,
        1.5056327351493116e-7,
    ];
    let x = x - 1.0;
    let sum = (1..).zip(TERMS).fold(0.999_999_999_999_809_9, |sum, (i, term)| sum + term / (x + f64::from(i)));
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(String, &'static str, &'static str);

    impl Named for One {
        fn id(&self) -> &str {
            &self.0
        }

        fn function(&self) -> &str {
            self.1
        }

        fn operator(&self) -> &str {
            self.2
        }
    }

    fn many() -> Vec<One> {
        let of = |n: usize, f, op| (0..n).map(move |i| One(format!("{f}.{op}.{i}"), f, op));
        of(60, "f", "ROR").chain(of(30, "g", "ROR")).chain(of(10, "g", "ABS")).collect()
    }

    #[test]
    fn the_seed_alone_fixes_the_order() {
        let mutants = many();
        let chosen = |seed| order(&mutants, seed, Stratify::Uniform);
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        let mut all = chosen(1);
        all.sort_unstable();
        assert_eq!(all, (0..mutants.len()).collect::<Vec<_>>());
        // Removing one mutant keeps the order of the others.
        let without: Vec<One> = many().into_iter().skip(1).collect();
        let names = |mutants: &[One]| {
            order(mutants, 1, Stratify::Uniform).into_iter().map(|at| mutants[at].0.clone()).collect::<Vec<_>>()
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
            let chosen = &order(&mutants, 7, stratify)[..20];
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
