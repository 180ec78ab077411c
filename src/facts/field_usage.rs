//! The members of large structures that a unit may use: the rest stays as initialisation leaves it. Programs in C keep
//! all their state in structures of many thousand bytes; bytes for all of that would starve the few that count, and
//! hide them from the search.

use crate::facts::given_back::gives_back;
use crate::facts::{anonymous_members, member_lengths};
use crate::hierarchy::Hierarchy;
use crate::lexicon::Lexicon;
use crate::model::{
    Access, BEHIND, Class, ClassKind, Field, Function, LARGE, Language, Literal, Model, Type, TypeKind, Usr,
};
use crate::types::standard::smart_pointee;
use crate::types::substitution::Substitution;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What it is worth that a method itself sets a member that the unit names; with each call between half as much.
const NEAR: u32 = 64;
/// After so many calls it is worth the same.
const FARTHEST: u32 = 6;
/// So many times that where a condition of the unit asks for it.
const ASKED: u32 = 16;

/// Members that are named, and structures that are taken as a whole, by a unit and all that it may call.
#[derive(Clone, Debug, Default)]
pub struct FieldUsage {
    named: BTreeSet<Usr>,
    /// The names of all members that are named, of whatever class.
    members: BTreeSet<String>,
    /// Those that the unit itself names, and of these what its conditions ask for.
    own: BTreeSet<String>,
    asked: BTreeSet<String>,
    /// Numbers in the unit's own text.
    numbers: BTreeSet<i128>,
    /// By the members that the unit and its callees compare with numbers: these.
    compared: BTreeMap<Usr, BTreeSet<i64>>,
    /// By the members that are a `void *`: what the unit and its callees take them for.
    taken_for: BTreeMap<Usr, Vec<Type>>,
    /// Members whose memory the unit or its callees give back.
    freed: BTreeSet<Usr>,
}

impl FieldUsage {
    /// The members that `unit` and its callees name.
    pub fn by(lexicon: &Lexicon, model: &Model, hierarchy: &Hierarchy, unit: &Function) -> Self {
        let literals = unit.definition.iter().flat_map(|definition| &definition.literals);
        let number = |literal: &Literal| if let Literal::Int(number) = literal { Some(*number) } else { None };
        let own = unit.definition.iter().flat_map(|definition| &definition.members).cloned().collect();
        let asked = unit.definition.iter().flat_map(|definition| &definition.asked).cloned().collect();
        let mut found = Self { numbers: literals.filter_map(number).collect(), own, asked, ..Self::default() };
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
                    found.members.extend(definition.members.iter().cloned());
                    open.extend(definition.calls.iter().cloned());
                    let freed =
                        definition.passes.iter().filter(|(_, to, place)| gives_back(model, lexicon, to, *place));
                    found.freed.extend(freed.map(|(member, ..)| member.clone()));
                    for (member, numbers) in &definition.compared {
                        found.compared.entry(member.clone()).or_default().extend(numbers);
                    }
                    for (member, types) in &definition.member_types {
                        found.taken_for.entry(member.clone()).or_default().extend(types.iter().cloned());
                    }
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

    /// The members of a class and its bases that are named, and those of the objects that it has or that its pointers
    /// lead to, such as its implementation; none where no member of its own is.
    pub fn of_class(&self, model: &Model, hierarchy: &Hierarchy, class: &Class) -> Option<ClassUsage> {
        let lineage: BTreeSet<Usr> = hierarchy.ancestors(&class.usr).into_iter().chain([class.usr.clone()]).collect();
        let own = lineage.iter().filter_map(|usr| model.classes.get(usr)).flat_map(|class| &class.fields);
        let own: Vec<&Field> = own.collect();
        let led_to = |field: &&Field| {
            let to = field.ty.pointee().or_else(|| smart_pointee(model, &field.ty)).unwrap_or(&field.ty);
            model.class_of(to).filter(|_| class.language == Language::Cxx)
        };
        let named = |fields: &mut dyn Iterator<Item = &Field>| -> BTreeSet<String> {
            fields.map(|field| &field.name).filter(|name| self.members.contains(*name)).cloned().collect()
        };
        let behind = named(&mut own.iter().filter_map(led_to).flat_map(|class| &class.fields));
        let members = named(&mut own.into_iter());
        let (own, asked) = (self.own.clone(), self.asked.clone());
        (!members.is_empty()).then_some(ClassUsage { lineage, members, behind, own, asked })
    }

    /// What a member that is a `void *` leads to: the largest type that the unit or its callees take it for. None where
    /// there are two structures, where a text has to be as long as a number, and where a size is not known.
    pub fn taken_for(&self, member: &Usr) -> Option<&Type> {
        let types = self.taken_for.get(member)?;
        let size = |ty: &&Type| ty.pointee().and_then(|to| to.size);
        let largest = types.iter().max_by_key(size)?;
        let record = |ty: &Type| ty.pointee().and_then(Type::record).cloned();
        let is_text = |ty: &Type| ty.pointee().is_some_and(crate::types::arithmetic::is_character);
        let agrees = |ty: &Type| match (record(ty), record(largest)) {
            (Some(one), Some(other)) => one == other,
            _ => !is_text(ty) || is_text(largest),
        };
        let is_known = size(&largest).is_some() && types.iter().all(|ty| size(&ty).is_some());
        (is_known && types.iter().all(agrees)).then_some(largest)
    }

    /// Whether the unit or its callees name a member that is called so, of whatever class.
    pub fn names(&self, member: &str) -> bool {
        self.members.contains(member)
    }

    /// Whether the unit may free the memory behind a member, or move it.
    pub fn frees(&self, member: &Usr) -> bool {
        self.freed.contains(member)
    }

    /// The members that are a `void *` and lead to a structure, with that.
    pub fn untyped(&self) -> BTreeMap<Usr, Type> {
        let structure = |usr: &Usr| self.taken_for(usr)?.pointee().filter(|to| to.record().is_some());
        let of = |usr: &Usr| Some((usr.clone(), crate::types::spelling::value_type(structure(usr)?)));
        self.taken_for.keys().filter_map(of).collect()
    }

    /// Whether the unit may ask whether there are more than `most`: `count > 6`, `count >= 7`.
    pub fn knows(&self, most: u64) -> bool {
        [most, most + 1].iter().any(|number| self.numbers.contains(&i128::from(*number)))
    }

    /// Whether the unit may ask whether a member that counts up to `most` is more than that: `if (message->length !=
    /// 460)`, where another array of the message has fewer.
    pub fn asks_beyond(&self, member: &Usr, most: u64) -> bool {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.compared.get(member).is_some_and(|numbers| numbers.iter().any(|number| *number > most))
    }

    /// Whether the unit may ask whether there are fewer than none: `top == -1`, and `top < 0` where that is no place.
    pub fn asks_below(&self, is_place: bool) -> bool {
        self.numbers.contains(&-1) || !is_place && self.numbers.contains(&0)
    }

    /// The places of those members of a large structure that are of no account.
    pub fn left_out(&self, lexicon: &Lexicon, model: &Model, class: &Class) -> BTreeSet<usize> {
        let can_be = class.kind != ClassKind::Union && (class.language == Language::C || class.is_aggregate);
        if class.size.is_none_or(|size| size <= LARGE) || !can_be || self.named.contains(&class.usr) {
            return BTreeSet::new();
        }
        let is_named = |place: usize| self.named.contains(&class.fields[place].usr);
        let is_out =
            |place: &usize| !is_named(*place) && anonymous_members::within(model, &class.fields[*place]).is_none();
        let mut out: BTreeSet<usize> = (0..class.fields.len()).filter(is_out).collect();
        // An array says little without its count.
        let by_name = member_lengths::extents(lexicon, class, &Substitution::of(model, class, &[])).into_iter();
        let by_name = by_name
            .map(|extent| [Some(extent.memory), Some(extent.count), extent.room].into_iter().flatten().collect());
        let by_bodies = member_lengths::counted(model, class).into_iter();
        let by_bodies = by_bodies.map(|counted| counted.counts.into_iter().chain([counted.memory]).collect());
        for pair in by_name.chain(by_bodies).collect::<Vec<Vec<usize>>>() {
            if pair.iter().any(|place| is_named(*place)) {
                out.retain(|place| !pair.contains(place));
            }
        }
        out
    }

    /// Members of structures of C that need not be compared either: what nobody names nobody changes. Class, field, and
    /// no reason.
    pub fn not_compared(&self, lexicon: &Lexicon, model: &Model) -> Vec<(String, String, String)> {
        let classes = model.classes.values().filter(|class| class.language == Language::C);
        let of = |class: &Class| -> Vec<(String, String, String)> {
            let left_out = self.left_out(lexicon, model, class).into_iter().map(|place| &class.fields[place]);
            left_out.map(|field| (class.qualified.clone(), field.name.clone(), String::new())).collect()
        };
        classes.flat_map(of).collect()
    }
}

/// The members of a class that a unit and its callees name.
#[derive(Clone, Debug)]
pub struct ClassUsage {
    /// The class and its bases.
    lineage: BTreeSet<Usr>,
    members: BTreeSet<String>,
    /// Those of the objects that it has, or that its pointers lead to.
    behind: BTreeSet<String>,
    /// Those that the unit itself names, of whatever class, and of these what its conditions ask for.
    own: BTreeSet<String>,
    asked: BTreeSet<String>,
}

/// What a method may change of the members that a unit and its callees name.
#[derive(Clone, Debug, Default)]
pub struct Changed<'m> {
    /// All of them.
    pub members: BTreeSet<&'m String>,
    /// Those that it brings to more than nothing. A method that opens something mostly closes what was open before.
    pub sets: BTreeSet<&'m String>,
    /// Those of `sets` that the unit itself names, with what setting them is worth: most where the unit's conditions
    /// ask for them, and half as much with each call between, since callees of callees seldom do all that they may.
    pub worth_of: BTreeMap<&'m String, u32>,
}

impl ClassUsage {
    /// Whether a member of this name is among them.
    pub fn names(&self, member: &str) -> bool {
        self.members.contains(member)
    }

    /// Those of the members that a method of the class may change, with its callees in the class; in C a function that
    /// takes a pointer to it first. None where bodies are missing and the others change nothing.
    pub fn changed_by<'m>(&self, model: &'m Model, method: &'m Function) -> Option<Changed<'m>> {
        let (mut open, mut seen) = (VecDeque::from([(&method.usr, 0_u32)]), BTreeSet::new());
        let (mut changed, mut is_known) = (Changed::default(), true);
        while let Some((usr, calls)) = open.pop_front() {
            let Some(function) = model.functions.get(usr).filter(|_| seen.insert(usr)) else { continue };
            let takes = || function.params.first().and_then(|first| first.ty.pointee()?.record());
            let of = if function.language == Language::C { takes() } else { function.owner.as_ref() };
            if !of.is_some_and(|of| self.lineage.contains(of)) {
                continue;
            }
            let Some(definition) = &function.definition else {
                is_known = false;
                continue;
            };
            let last = |name: &'m String| name.rsplit_once(BEHIND).map(|(_, last)| last);
            let is_behind = |name| last(name).is_some_and(|last| self.behind.contains(last));
            let is_asked = |name: &&'m String| self.members.contains(*name) || is_behind(name);
            changed.members.extend(definition.changes.iter().filter(is_asked));
            let mut sets: Vec<&String> = definition.sets.iter().filter(is_asked).collect();
            // What it hands out can be changed by whoever gets it.
            if function.result.pointee().is_some_and(|to| !to.is_const)
                || matches!(&function.result.kind, TypeKind::LvalueRef(to) if !to.is_const)
            {
                sets.extend(definition.members.iter().filter(|name| self.members.contains(*name)));
            }
            for name in sets {
                changed.sets.insert(name);
                let named = last(name).unwrap_or(name);
                let worth = if self.asked.contains(named) { ASKED } else { u32::from(self.own.contains(named)) };
                if worth > 0 {
                    changed.worth_of.entry(name).or_insert((worth * NEAR) >> calls.min(FARTHEST));
                }
            }
            open.extend(definition.calls.iter().map(|usr| (usr, calls + 1)));
        }
        changed.members.extend(&changed.sets);
        (is_known || !changed.members.is_empty()).then_some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_c;

    #[test]
    fn members_that_a_unit_and_its_callees_name_are_kept_and_the_rest_of_a_large_structure_is_left_out() {
        let text = "struct state { int used; int callee; int idle; char log[300]; };\n\
                    static int called(struct state *s) { return s->callee; }\n\
                    int unit(struct state *s) { return s->used > 6 ? called(s) : 0; }\n\
                    int whole(struct state *s, struct state *t) { *s = *t; return 0; }\n";
        let model = read_c(text);
        let hierarchy = Hierarchy::new(&model);
        let class = model.class_named("state").unwrap();
        let left_out = |name: &str| {
            let unit = model.functions.values().find(|function| function.name == name).unwrap();
            let usage = FieldUsage::by(&Lexicon::default(), &model, &hierarchy, unit);
            let names = usage
                .left_out(&crate::lexicon::Lexicon::default(), &model, class)
                .into_iter()
                .map(|place| class.fields[place].name.clone());
            (names.collect::<Vec<_>>(), usage.knows(6))
        };
        assert_eq!(left_out("unit"), (vec!["idle".to_owned(), "log".to_owned()], true));
        assert_eq!(left_out("whole"), (Vec::new(), false));
    }
}
