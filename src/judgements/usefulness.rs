//! Which mutants are worth a look, by what people did with earlier ones: adopted a test, or dismissed them.

use super::adopted::Adopted;
use super::dismissals::Dismissal;
use crate::outcome::MutantOutcome;
use std::collections::{BTreeSet, HashMap};

/// What people did with mutants of an operator or a function.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Mutants that an adopted test kills.
    adopted: u32,
    /// Mutants that a person dismissed.
    dismissed: u32,
}

/// What people did with earlier mutants, by operator and by function.
#[derive(Clone, Debug, Default)]
pub struct Usefulness {
    operators: HashMap<String, Count>,
    units: HashMap<String, Count>,
}

impl Usefulness {
    /// From the files that a project keeps. `operators` has the operators of the mutants that an outcome names, by
    /// fingerprint; where a mutant is in none, only its function counts.
    pub fn of(adopted: &[Adopted], dismissals: &[Dismissal], operators: &HashMap<String, String>) -> Self {
        let mut all = Self::default();
        let kept = adopted.iter().flat_map(|file| {
            let kills = file.tests.iter().flat_map(|test| &test.kills);
            kills.map(|fingerprint| (file.unit.as_str(), fingerprint))
        });
        // However many tests kill it.
        for (unit, fingerprint) in kept.collect::<BTreeSet<_>>() {
            all.of_both(unit, operators.get(fingerprint), |count| count.adopted += 1);
        }
        for dismissal in dismissals {
            all.of_both(&dismissal.unit, operators.get(&dismissal.fingerprint), |count| count.dismissed += 1);
        }
        all
    }

    fn of_both(&mut self, unit: &str, operator: Option<&String>, add: impl Fn(&mut Count)) {
        add(self.units.entry(unit.to_owned()).or_default());
        if let Some(operator) = operator {
            add(self.operators.entry(operator.clone()).or_default());
        }
    }

    /// A score in percent of how often people adopted tests for mutants like this one rather than dismissed them:
    /// Laplace's rule of succession over those of its operator and those of its function. None where they did nothing.
    pub fn percent(&self, mutant: &MutantOutcome) -> Option<u8> {
        let unit = mutant.unit.as_ref().and_then(|unit| self.units.get(unit));
        let both = self.operators.get(&mutant.operator).into_iter().chain(unit);
        let (adopted, dismissed) =
            both.fold((0, 0), |(adopted, dismissed), count| (adopted + count.adopted, dismissed + count.dismissed));
        let all = adopted + dismissed;
        (all > 0).then(|| u8::try_from(100 * (adopted + 1) / (all + 2)).unwrap_or(100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgements::adopted::AdoptedTest;
    use crate::outcome::Judgement;
    use crate::report::sample;

    #[test]
    fn a_mutant_is_worth_a_look_where_tests_for_its_like_were_adopted_and_less_where_they_were_dismissed() {
        let mutants = sample::outcome().mutants;
        let (kept, dropped) = (&mutants[0], mutants.iter().find(|mutant| mutant.unit != mutants[0].unit).unwrap());
        let test = AdoptedTest { name: "T.t".into(), kills: vec![kept.key().into(), "of no outcome".into()] };
        let adopted = Adopted {
            file: "t.cpp".into(),
            unit: kept.unit.clone().unwrap(),
            written: String::new(),
            tests: vec![test],
        };
        let dismissal = Dismissal {
            mutant: "m".into(),
            unit: dropped.unit.clone().unwrap(),
            change: String::new(),
            fingerprint: dropped.key().into(),
            judgement: Judgement::Unwanted,
            reason: "r".into(),
            by: None,
        };
        let operators = HashMap::from([
            (kept.key().to_owned(), "KEPT".to_owned()),
            (dropped.key().to_owned(), "DROPPED".to_owned()),
        ]);
        let known = Usefulness::of(&[adopted], &[dismissal], &operators);
        let percent = |unit: &Option<String>, operator: &str| {
            known.percent(&MutantOutcome { unit: unit.clone(), operator: operator.into(), ..kept.clone() })
        };
        // Three of three, two of two; one of one; one of three; one dismissed; and nothing known.
        assert_eq!(percent(&kept.unit, "KEPT"), Some(80));
        assert_eq!(percent(&kept.unit, "OTHER"), Some(75));
        assert_eq!(percent(&None, "KEPT"), Some(66));
        assert_eq!(percent(&dropped.unit, "KEPT"), Some(50));
        assert_eq!(percent(&dropped.unit, "DROPPED"), Some(25));
        assert_eq!(percent(&None, "OTHER"), None);
    }
}
