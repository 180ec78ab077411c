//! Which units are of numbers alone, and what their inputs are called.

use crate::model::{Prim, TypeKind};
use crate::plan::UnitPlan;
use crate::plan::recipe::{Kind, Slot};

/// The most inputs that are all tried: 32 bits.
pub const MOST: u128 = 1 << 32;

/// The value of an enumeration that is no enumerator, as the worker takes it (`runtime/exhaust.cpp`).
const OTHER: i128 = 0x7fff_ffff;

/// The values that an input is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Their names, in the order in which they are read.
    names: Vec<String>,
    /// Those that are enumerations.
    enumerations: Vec<String>,
    inputs: u128,
}

impl Numbers {
    /// Of a function whose arguments are numbers, given by value, with no more than [`MOST`] values; none of any other.
    /// What has a receiver, and what is reached through references and pointers, has states, dynamic types and
    /// aliases that one driver does not make.
    ///
    /// A `bool` has two values, an enumeration its enumerators and one more.
    pub fn of(plan: &UnitPlan) -> Option<Self> {
        Self::alone(plan).filter(|numbers| numbers.inputs <= MOST)
    }

    /// Whether all inputs are of one length: an enumeration's other value takes more bytes.
    pub fn are_of_one_length(&self) -> bool {
        self.enumerations.is_empty()
    }

    /// The same, however many values there are.
    pub fn alone(plan: &UnitPlan) -> Option<Self> {
        let [entry] = plan.entries.as_slice() else { return None };
        let nothing_fails = entry.failing.is_none();
        let plain = nothing_fails && entry.outside.is_empty() && entry.state.is_empty() && entry.put_in.is_none();
        if !plain || entry.object.is_some() || !plan.reset.is_empty() || !plan.before.is_empty() {
            return None;
        }
        let mut numbers = Self { inputs: 1, ..Self::default() };
        for slot in entry.slots() {
            // An array as a parameter is a pointer.
            if matches!(slot.recipe.kind, Kind::Array { .. }) {
                return None;
            }
            numbers.add(slot, &slot.name)?;
        }
        (!numbers.names.is_empty()).then_some(numbers)
    }

    fn add(&mut self, slot: &Slot, name: &str) -> Option<()> {
        let by_value = !matches!(slot.ty.kind, TypeKind::Pointer(_) | TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_));
        if slot.nullable || !by_value {
            return None;
        }
        let inside = |part: &Slot| format!("{name}.{}", part.name);
        match &slot.recipe.kind {
            Kind::Prim { range: None } => {
                let TypeKind::Prim(prim) = slot.recipe.ty.kind else { return None };
                let bits = if prim == Prim::Bool { 1 } else { 8 * slot.recipe.ty.size? };
                self.count(1_u128.checked_shl(u32::try_from(bits).ok()?)?)?;
                self.names.push(name.to_owned());
            }
            Kind::Enum { values } => {
                // The driver's other value is to be another one, and is cut off in a small type.
                if slot.recipe.ty.size? < 4 || values.iter().any(|(_, value)| *value == OTHER) {
                    return None;
                }
                self.count(values.len() as u128 + 1)?;
                self.names.push(name.to_owned());
                self.enumerations.push(name.to_owned());
            }
            Kind::Array { element, length, text: false } => {
                for index in 0..*length {
                    self.add(element, &format!("{name}[{index}]"))?;
                }
            }
            // (What is between members has values of its own.)
            Kind::Fields { fields, statements } if statements.is_empty() && is_dense(slot, fields) => {
                fields.iter().try_for_each(|field| self.add(field, &inside(field)))?;
            }
            _ => return None,
        }
        Some(())
    }

    fn count(&mut self, values: u128) -> Option<()> {
        self.inputs = self.inputs.saturating_mul(values);
        Some(())
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> u64 {
        u64::try_from(self.inputs).unwrap_or(u64::MAX)
    }

    /// All of them in words: "all 4,294,967,296 values of `x`"; `count` writes a number.
    pub fn words(&self, count: impl Fn(u64) -> String) -> String {
        let quoted = |names: &[String]| {
            let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            match all.as_slice() {
                [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
                _ => all.concat(),
            }
        };
        let of = if self.names.len() > 1 { "combinations" } else { "values" };
        let but = match self.enumerations.as_slice() {
            [] => String::new(),
            some => format!(" (of {} the enumerators and one other value)", quoted(some)),
        };
        format!("all {} {of} of {}{but}", count(self.inputs()), quoted(&self.names))
    }
}

/// Whether the members of a structure are all that it consists of.
fn is_dense(structure: &Slot, members: &[Slot]) -> bool {
    let sizes: Option<u64> = members.iter().map(|member| member.recipe.ty.size).sum();
    sizes.is_some() && sizes == structure.recipe.ty.size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Type;

    fn slot(name: &str, prim: Prim, size: u64) -> Slot {
        let ty = Type { spelling: "t".into(), is_const: false, kind: TypeKind::Prim(prim), size: Some(size) };
        Slot::new(name, ty.clone(), Kind::Prim { range: None }.of(ty))
    }

    fn words(numbers: &Numbers) -> String {
        numbers.words(|number| number.to_string())
    }

    fn numbers(slots: &[Slot]) -> Option<Numbers> {
        let mut numbers = Numbers { inputs: 1, ..Numbers::default() };
        slots.iter().try_for_each(|slot| numbers.add(slot, &slot.name))?;
        Some(numbers).filter(|numbers| numbers.inputs <= MOST)
    }

    #[test]
    fn numbers_of_up_to_32_bits_are_counted_and_named_and_more_are_too_many() {
        let float = slot("x", Prim::Float, 4);
        assert_eq!(words(&numbers(std::slice::from_ref(&float)).unwrap()), "all 4294967296 values of `x`");
        let (short, flag) = (slot("a", Prim::Short, 2), slot("b", Prim::Bool, 1));
        let two = numbers(&[short.clone(), flag]).unwrap();
        assert_eq!((two.inputs(), words(&two).as_str()), (131_072, "all 131072 combinations of `a` and `b`"));
        assert_eq!(numbers(&[float, short]), None);
        assert_eq!(numbers(&[slot("d", Prim::Double, 8)]), None);
    }

    #[test]
    fn an_enumeration_has_its_enumerators_and_one_more_and_what_may_be_null_is_no_number() {
        let mut colour = slot("c", Prim::Int, 4);
        colour.recipe.kind = Kind::Enum { values: vec![("RED".into(), 0), ("BLUE".into(), 7)] };
        let said = "all 3 values of `c` (of `c` the enumerators and one other value)";
        assert_eq!(words(&numbers(std::slice::from_ref(&colour)).unwrap()), said);
        let mut small = colour.clone();
        small.recipe.ty.size = Some(1);
        assert_eq!(numbers(&[small]), None, "in a byte the other value may be an enumerator");
        colour.recipe.kind = Kind::Enum { values: vec![("LAST".into(), 0x7fff_ffff)] };
        assert_eq!(numbers(&[colour]), None);
        let mut behind = slot("r", Prim::Char, 1);
        behind.ty.kind = TypeKind::LvalueRef(Box::new(behind.ty.clone()));
        assert_eq!(numbers(&[behind]), None, "two references may be of one object");
        let structure = |size| {
            let fields = vec![slot("a", Prim::Char, 1), slot("b", Prim::Short, 2)];
            let mut structure = slot("s", Prim::Int, size);
            structure.recipe.kind = Kind::Fields { fields, statements: Vec::new() };
            numbers(&[structure])
        };
        assert_eq!(structure(3).map(|numbers| numbers.inputs()), Some(1 << 24));
        assert_eq!(structure(4), None, "a byte between its members may have any value");
        let null = Slot { nullable: true, ..slot("p", Prim::Char, 1) };
        assert_eq!(numbers(&[null]), None);
    }
}
