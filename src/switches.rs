//! Parts of the default engine that can be switched off, to see what each brings; read from the environment in one
//! place.
//!
//! They are for measuring and testing, and no options: whoever wants mutants dead wants all of them on.

use crate::diag::Problem;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;

/// The variable that names parts to be switched off, separated by commas.
const OFF: &str = "MOTIF_OFF";
/// The variable that says what is made of probes.
const PROBES: &str = "MOTIF_PROBES";
/// The variable that, with `off`, starts each compiler anew.
const WARM: &str = "MOTIF_WARM";

/// The variable that, with `off`, leaves survivors undecided.
const DECIDE: &str = "MOTIF_DECIDE";

/// A part that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Mutants whose test proves nothing are searched again.
    Again,
    /// Mutations give texts the characters that the original compared theirs with.
    Comparisons,
    /// Survivors get a verdict.
    Decide,
    /// Literals of the unit and its mutants are at hand for mutations.
    Dictionary,
    /// A driver is searched unoptimised first.
    Draft,
    /// A sample is drawn before files are mutated.
    DrawFirst,
    /// What no copy can express is done in place, all mutants in one image.
    InPlace,
    /// Mutations know the types of what they change; else they are libFuzzer's.
    Mutator,
    /// Objects of the project's own build are taken where they serve.
    OwnBuild,
    /// What kills is made plainer before it is told: noughts for what need not be otherwise.
    Plain,
    /// What killed meets other mutants: those of units with the same signature, and those behind one that took the
    /// worker along.
    Reuse,
    /// Units of one source file share a draft.
    Together,
    /// Compilers and linkers stand by.
    Warm,
}

impl Feature {
    /// All of them, by their names.
    pub const ALL: [(&'static str, Self); 13] = [
        ("again", Self::Again),
        ("comparisons", Self::Comparisons),
        ("decide", Self::Decide),
        ("dictionary", Self::Dictionary),
        ("draft", Self::Draft),
        ("draw-first", Self::DrawFirst),
        ("in-place", Self::InPlace),
        ("mutator", Self::Mutator),
        ("own-build", Self::OwnBuild),
        ("plain", Self::Plain),
        ("reuse", Self::Reuse),
        ("together", Self::Together),
        ("warm", Self::Warm),
    ];
}

/// What is made of probes in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Probing {
    /// Mutants run where their probes fire.
    #[default]
    On,
    /// There are none: for measuring what they bring.
    Off,
    /// Mutants run everywhere, and a kill that probes did not foresee is told.
    Check,
    /// There are none, and no mutant is ever active: the copy is searched for differences from the original all the
    /// same, and each kill is a false one.
    Idle,
}

impl Probing {
    const ALL: [(&'static str, Self); 4] =
        [("on", Self::On), ("off", Self::Off), ("check", Self::Check), ("idle", Self::Idle)];
}

/// What is switched off; by default nothing is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    off: BTreeSet<Feature>,
    /// What is made of probes.
    pub probing: Probing,
}

impl Switches {
    /// As the environment says.
    ///
    /// # Errors
    /// A word that means nothing (exit 2).
    pub fn of_process() -> Result<Self, Problem> {
        Self::read(|name| std::env::var_os(name))
    }

    /// With these parts off.
    pub fn without(parts: impl IntoIterator<Item = Feature>) -> Self {
        Self { off: parts.into_iter().collect(), ..Self::default() }
    }

    /// The same with one more part off.
    pub fn and_without(mut self, part: Feature) -> Self {
        self.off.insert(part);
        self
    }

    /// Whether a part is on.
    pub fn has(&self, part: Feature) -> bool {
        !self.off.contains(&part)
    }

    fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, Problem> {
        let words = |name: &'static str| -> Vec<String> {
            let value = variable(name).unwrap_or_default();
            let words = value.to_string_lossy().split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>();
            words.into_iter().filter(|word| !word.is_empty()).collect()
        };
        let mut switches = Self::default();
        for word in words(OFF) {
            switches.off.insert(meant(OFF, &word, &Feature::ALL)?);
        }
        for word in words(PROBES) {
            switches.probing = meant(PROBES, &word, &Probing::ALL)?;
        }
        for (variable, part) in [(WARM, Feature::Warm), (DECIDE, Feature::Decide)] {
            for word in words(variable) {
                if !meant(variable, &word, &[("on", true), ("off", false)])? {
                    switches.off.insert(part);
                }
            }
        }
        Ok(switches)
    }
}

/// What a word stands for.
fn meant<T: Copy>(variable: &str, word: &str, all: &[(&str, T)]) -> Result<T, Problem> {
    all.iter().find(|(name, _)| *name == word).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let fix = format!("unset it, or give what there is: {}", names.join(", "));
        Problem::usage("switch-unknown", format!("{variable} in the environment says `{word}`, which is nothing"), fix)
    })
}

/// The parts that are off, by name; nothing where all are on. Verdicts are left out: they come after everything else,
/// and a run that goes on may want them or not.
impl fmt::Display for Switches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_off = |part| !self.has(part) && part != Feature::Decide;
        let parts = Feature::ALL.iter().filter(|(_, part)| is_off(*part)).map(|(name, _)| (*name).to_owned());
        let probes = Probing::ALL.iter().filter(|(_, probing)| *probing != Probing::On && *probing == self.probing);
        let all: Vec<String> = parts.chain(probes.map(|(name, _)| format!("probes {name}"))).collect();
        f.write_str(&all.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Switches, Problem> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Switches::read(|name| find(name).map(|(_, value)| OsString::from(value)))
    }

    #[test]
    fn parts_are_switched_off_by_their_names_and_nothing_is_by_default() {
        let all = read(&[]).unwrap();
        assert!(
            Feature::ALL.iter().all(|(_, part)| all.has(*part))
                && all.probing == Probing::On
                && all == Switches::default()
        );
        let some = read(&[(OFF, "draft, mutator,"), (PROBES, "check"), (WARM, "off")]).unwrap();
        assert!(
            !some.has(Feature::Draft)
                && !some.has(Feature::Mutator)
                && !some.has(Feature::Warm)
                && some.has(Feature::Reuse)
        );
        assert_eq!((some.probing, some.to_string().as_str()), (Probing::Check, "draft,mutator,warm,probes check"));
        for (name, part) in Feature::ALL {
            assert_eq!(read(&[(OFF, name)]).unwrap(), Switches::without([part]));
        }
        assert_eq!(read(&[(OFF, ""), (WARM, "on"), (PROBES, "on")]).unwrap().to_string(), "");
    }

    #[test]
    fn a_word_that_means_nothing_is_an_error_that_names_what_there_is() {
        for variable in [OFF, PROBES, WARM, DECIDE] {
            let problem = read(&[(variable, "of")]).unwrap_err();
            assert_eq!(problem.code, "switch-unknown");
            assert!(problem.what.contains(variable) && problem.what.contains("`of`"), "{}", problem.what);
        }
        let fix = read(&[(OFF, "draft,drat")]).unwrap_err().fix;
        assert!(fix.contains("comparisons, decide, dictionary, draft, draw-first, in-place, mutator"), "{fix}");
    }
}
