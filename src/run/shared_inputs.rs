//! Shares killing inputs between units of the same signature in one file; `meeting` does so between files.
//!
//! An input is the values of one plan in order. Units of the same class with the same parameters mostly take the same
//! values, and a boundary of one is often a boundary of the other.

use crate::model::Function;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most inputs that are kept per signature.
pub(super) const MOST: usize = 64;

/// The killing inputs of a run, by signature.
#[derive(Debug, Default)]
pub struct Alike(Mutex<BTreeMap<String, Vec<Vec<u8>>>>);

impl Alike {
    /// Adds inputs that killed mutants of a unit with this signature.
    pub fn add<'i>(&self, signature: &str, inputs: impl Iterator<Item = &'i Vec<u8>>) {
        let mut all = self.lock();
        let known = all.entry(signature.to_owned()).or_default();
        for input in inputs {
            if known.len() < MOST && !known.contains(input) {
                known.push(input.clone());
            }
        }
    }

    /// The inputs of a signature that are not in `seeds`.
    pub fn new_to(&self, signature: &str, seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let all = self.lock();
        let known = all.get(signature).into_iter().flatten();
        known.filter(|input| !seeds.contains(input)).cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Vec<u8>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The receiver and parameter types of a unit, with typedefs resolved.
pub fn signature(unit: &Function) -> String {
    let params: Vec<_> = unit.params.iter().map(|param| &param.ty.kind).collect();
    format!("{:?} {params:?}", unit.owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killing_inputs_meet_units_of_the_same_signature_once() {
        let alike = Alike::default();
        let (one, other) = (vec![1], vec![2]);
        alike.add("f(double)", [&one, &other, &one].into_iter());
        assert_eq!(alike.new_to("f(double)", &[]), [one.clone(), other.clone()]);
        assert_eq!(alike.new_to("f(double)", &[one]), [other]);
        assert!(alike.new_to("f(int)", &[]).is_empty());
        let many: Vec<Vec<u8>> = (0..200).map(|byte| vec![byte]).collect();
        alike.add("f(int)", many.iter());
        assert_eq!(alike.new_to("f(int)", &[]).len(), MOST);
    }
}
