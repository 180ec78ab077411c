//! What of large structures a unit may look at: the rest of them stays as initialisation leaves it. Programs in C keep all their state in
//! structures of many thousand bytes; bytes for all of that would starve the few that count, and hide them from the search.

use crate::hierarchy::Hierarchy;
use crate::model::{Access, Class, ClassKind, Field, Function, LARGE, Language, Literal, Model, Type, TypeKind, Usr};
use std::collections::BTreeSet;

/// Members that are named, and structures that are taken as a whole, by a unit and all that it may call.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    named: BTreeSet<Usr>,
    /// Numbers in the unit's own text.
    numbers: BTreeSet<i128>,
}

impl Touched {
    /// What `unit` touches.
    pub fn by(model: &Model, hierarchy: &Hierarchy, unit: &Function) -> Self {
        let literals = unit.definition.iter().flat_map(|definition| &definition.literals);
        let number = |literal: &Literal| if let Literal::Int(number) = literal { Some(*number) } else { None };
        let mut found = Self { named: BTreeSet::new(), numbers: literals.filter_map(number).collect() };
        let mut open: Vec<Usr> = vec![unit.usr.clone()];
        // It is entered through one of those that call it.
        if unit.access.is_some_and(|access| access != Access::Public) {
            let calls = |f: &&Function| f.definition.as_ref().is_some_and(|d| d.calls.contains(&unit.usr));
            open.extend(model.functions.values().filter(calls).map(|f| f.usr.clone()));
        }
        let mut seen: BTreeSet<Usr> = BTreeSet::new();
        while let Some(usr) = open.pop() {
            let Some(function) = model.functions.get(&usr).filter(|_| seen.insert(usr.clone())) else { continue };
            open.extend(hierarchy.overriders(&usr));
            match &function.definition {
                Some(definition) => {
                    definition.touches.iter().for_each(|usr| found.add(model, usr));
                    open.extend(definition.calls.iter().cloned());
                }
                // Nobody knows what it looks at.
                None => function.params.iter().for_each(|param| found.add_whole(model, &param.ty)),
            }
        }
        found
    }

    fn add(&mut self, model: &Model, usr: &Usr) {
        if self.named.insert(usr.clone())
            && let Some(class) = model.classes.get(usr)
        {
            class.fields.iter().for_each(|field| self.add_whole(model, &field.ty));
        }
    }

    /// A structure, and all that it leads to.
    fn add_whole(&mut self, model: &Model, ty: &Type) {
        match &ty.kind {
            TypeKind::Pointer(to) | TypeKind::Array(to, _) | TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) => {
                self.add_whole(model, to);
            }
            TypeKind::Record { usr, .. } => self.add(model, usr),
            _ => {}
        }
    }

    /// Whether the unit may ask whether there are more than `most`: `count > 6`, `count >= 7`.
    pub fn knows(&self, most: u64) -> bool {
        [most, most + 1].iter().any(|number| self.numbers.contains(&i128::from(*number)))
    }

    /// Whether a member of a large structure is of no account.
    pub fn leaves_out(&self, model: &Model, class: &Class, field: &Field) -> bool {
        let can_be = class.kind != ClassKind::Union && (class.language == Language::C || class.is_aggregate);
        class.size.is_some_and(|size| size > LARGE)
            && can_be
            && super::unnamed::within(model, field).is_none()
            && !self.named.contains(&class.usr)
            && !self.named.contains(&field.usr)
    }

    /// Members of structures of C that need not be compared either: what nobody names nobody changes. Class, field, and no reason.
    pub fn not_compared(&self, model: &Model) -> Vec<(String, String, String)> {
        let classes = model.classes.values().filter(|class| class.language == Language::C);
        let of = |class: &Class| -> Vec<(String, String, String)> {
            let left_out = class.fields.iter().filter(|field| self.leaves_out(model, class, field));
            left_out.map(|field| (class.qualified.clone(), field.name.clone(), String::new())).collect()
        };
        classes.flat_map(of).collect()
    }
}
