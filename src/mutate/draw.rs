//! Drawing a sample before anything is mutated: which functions it is from is drawn by their size, so that only their
//! files are read.
//!
//! Every byte of a body has a number, drawn by the seed, and stands for the mutant of its function that has the same
//! place there, if there is one. Functions have fewer mutants than bytes, so each mutant has the same chance as every
//! other, and which are drawn depends on no other function.

use super::sample::rank;
use crate::model::Usr;
use crate::mutant::made::Made;
use std::collections::HashMap;

/// A place in the order: a function, and the how manyth of its mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub unit: Usr,
    number: usize,
}

/// About `count` places in bodies, in the order that the seed gives. `functions` are names and sizes in bytes.
pub fn places<'m>(functions: impl Iterator<Item = (&'m Usr, u32)>, seed: u64, count: usize) -> Vec<Place> {
    let functions: Vec<(&Usr, u32)> = functions.collect();
    let all: u64 = functions.iter().map(|(_, size)| u64::from(*size)).sum();
    // What is above is so far behind that nobody asks for it.
    let most = (u64::MAX as f64 * (count as f64 / all.max(1) as f64)) as u64;
    let mut drawn: Vec<(u64, &Usr, u32)> = Vec::new();
    for (unit, size) in functions.iter().copied() {
        let own = rank(seed, unit);
        let own = u64::from_le_bytes(own[..8].try_into().unwrap_or_default());
        let of = |number: u32| mixed(own.wrapping_add(u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        drawn.extend((0..size).map(|number| (of(number), unit, number)).filter(|(at, ..)| *at <= most));
    }
    drawn.sort_unstable();
    drawn.into_iter().map(|(_, unit, number)| Place { unit: unit.clone(), number: number as usize }).collect()
}

/// The mutants at these places, by their index.
pub fn at(places: &[Place], mutants: &[Made], seed: u64) -> Vec<usize> {
    let mut by_unit: HashMap<&str, Vec<([u8; 32], usize)>> = HashMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        by_unit.entry(&mutant.unit).or_default().push((rank(seed, &mutant.id), index));
    }
    by_unit.values_mut().for_each(|mutants| mutants.sort_unstable());
    places.iter().filter_map(|place| Some(by_unit.get(place.unit.as_str())?.get(place.number)?.1)).collect()
}

/// The last step of splitmix64: neighbours become strangers.
fn mixed(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::made::{Change, Standing};

    fn mutants(unit: &str, number: usize) -> Vec<Made> {
        let mutant = |n: usize| Made {
            id: format!("{unit}{n}"),
            file: "/p/a.c".into(),
            line: 1,
            column: 1,
            unit: unit.into(),
            unit_id: unit.into(),
            change: Change { operator: "ROR".into(), edits: Vec::new() },
            standing: Standing::New,
            reason: None,
        };
        (0..number).map(mutant).collect()
    }

    fn drawn(functions: &[(&str, u32, usize)], seed: u64, count: usize) -> Vec<String> {
        let names: Vec<(Usr, u32)> = functions.iter().map(|(name, size, _)| ((*name).into(), *size)).collect();
        let places = places(names.iter().map(|(name, size)| (name, *size)), seed, count);
        let all: Vec<Made> = functions.iter().flat_map(|(name, _, number)| mutants(name, *number)).collect();
        at(&places, &all, seed).into_iter().map(|index| all[index].id.clone()).collect()
    }

    #[test]
    fn every_mutant_has_the_same_chance_whatever_the_size_of_its_function() {
        let functions = [("long", 900, 90), ("dense", 50, 45), ("sparse", 400, 15)];
        let mut times: HashMap<String, usize> = HashMap::new();
        for seed in 0..400 {
            drawn(&functions, seed, 300).into_iter().take(20).for_each(|id| *times.entry(id).or_default() += 1);
        }
        let of = |unit: &str| times.iter().filter(|(id, _)| id.starts_with(unit)).map(|(_, n)| n).sum::<usize>() as f64;
        for (unit, _, number) in functions {
            // 20 of 150 mutants, 400 times: 53 each.
            let each = of(unit) / number as f64;
            assert!((46.0..61.0).contains(&each), "{unit}: {each}");
        }
    }

    #[test]
    fn a_larger_sample_has_the_smaller_one_and_other_functions_change_nothing_for_one() {
        let functions = [("f", 300, 30), ("g", 200, 40), ("h", 300, 50)];
        let (few, many) = (drawn(&functions, 3, 100), drawn(&functions, 3, 400));
        assert_eq!(few, many[..few.len()]);
        let of_f = |ids: Vec<String>| ids.into_iter().filter(|id| id.starts_with('f')).collect::<Vec<_>>();
        // The share that is looked at is the same.
        assert_eq!(of_f(drawn(&functions[..1], 3, 150)), of_f(drawn(&functions, 3, 400)));
        assert_ne!(drawn(&functions, 4, 100), few);
        assert_eq!(drawn(&[], 1, 10), Vec::<String>::new());
    }
}
