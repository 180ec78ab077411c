//! Changes to a plan that running the original calls for: found by trying, and kept, since a resumed run and the tests
//! need the very plan that was searched.

use super::planner::Planner;
use super::{Departure, Entry, Kind, Reason, Recipe, Slot, UnitPlan, plan_otherwise};
use crate::facts::text_readers::reads_memory;
use crate::model::{Language, Model, TranslationUnit, Usr};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// How the plan that is driven departs from the one that was made first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Adjustments {
    /// The unit is only entered through its callers: the driver did not build.
    #[serde(default)]
    pub skips_direct_way: bool,
    /// So many of the cheapest ways to its objects are left out: no input got there with them.
    #[serde(default)]
    pub skipped_constructions: usize,
    /// Others call it, the best of them or the next ones, from one on: called directly, the original failed on every
    /// input, or nothing led to what is mutated.
    #[serde(default)]
    pub callers: usize,
    /// Interfaces are stood in for by stubs: with what implements them nothing came of it.
    #[serde(default)]
    pub stubs: bool,
    /// Objects come from what the unit's own source includes: another header did not build.
    #[serde(default)]
    pub own_headers: bool,
    /// Objects are made as if no test showed how: the driver did not build.
    #[serde(default)]
    pub ignores_histories: bool,
    /// Objects behind pointers are given away.
    #[serde(default)]
    pub transfers_ownership: bool,
    /// Objects that containers hold the addresses of are given away.
    #[serde(default)]
    pub transfers_elements: bool,
    /// The object under test is never taken down.
    #[serde(default)]
    pub skips_destruction: bool,
    /// The arguments of stubs are not compared: the original fails, or differs from itself, where they are.
    #[serde(default)]
    pub skips_stub_arguments: bool,
    /// Arguments that the unit removes or looks up are not inserted before: the original fails where they are.
    #[serde(default)]
    pub skips_paired_setup: bool,
    /// A length by its name alone never exceeds its array: the original fails where it does.
    #[serde(default)]
    pub bounds_lengths: bool,
    /// The state of the unit's file is left as it is, and not compared.
    #[serde(default)]
    pub ignores_file_state: bool,
    /// Members (class and name) that are not the same twice, and not compared.
    #[serde(default)]
    pub excluded_members: Vec<(String, String)>,
    /// ConstructionGraph into it, of those first planned, that differ from themselves.
    #[serde(default)]
    pub excluded_entries: BTreeSet<usize>,
}

impl Adjustments {
    /// Plans the unit with them.
    ///
    /// # Errors
    /// It can't be planned any more.
    pub fn plan(&self, planner: &Planner<'_>, unit: &Usr) -> Result<UnitPlan, Reason> {
        let Self { skipped_constructions: skipped, callers, own_headers, stubs, .. } = *self;
        let mut plan = plan_otherwise(planner, unit, Departure { skipped, callers, own_headers, stubs })?;
        if self.skips_direct_way {
            plan.skip_direct_way();
        }
        if self.ignores_histories {
            plan.ignore_histories();
        }
        if self.ignores_file_state {
            plan.ignore_file_state();
        }
        if self.bounds_lengths {
            plan.bound_lengths();
        }
        if self.skips_paired_setup {
            plan.skip_paired_setup();
        }
        if self.transfers_ownership {
            plan.transfer_ownership();
        }
        if self.transfers_elements {
            plan.transfer_elements();
        }
        if self.skips_destruction {
            plan.skip_destruction();
        }
        if self.skips_stub_arguments {
            plan.skip_stub_arguments();
        }
        plan.leave_out(self.excluded_members.iter().cloned());
        plan.exclude_entries(&self.excluded_entries);
        Ok(plan)
    }
}

/// Takes stubs out of the choice where there is something real; false where none was.
fn drop_stubs(recipe: &mut Recipe) -> bool {
    let mut drops = false;
    if let Kind::Choice { among } = &mut recipe.kind {
        let is_stub = |slot: &Slot| matches!(slot.recipe.clone().without_set_up().kind, Kind::Stub { .. });
        let was = among.len();
        if !among.iter().all(is_stub) {
            among.retain(|slot| !is_stub(slot));
        }
        drops = among.len() < was;
    }
    let parts = recipe.parts_mut().into_iter();
    parts.fold(drops, |drops, slot| drop_stubs(&mut slot.recipe) | drops)
}

impl UnitPlan {
    /// Whether the last of several ways enters the unit past its callers, which the others go through.
    pub fn has_direct_way(&self) -> bool {
        // What a person has named as a way in is another.
        let is_direct = |entry: &Entry| entry.callee == self.unit && entry.private_access;
        self.is_through_callers() && self.entries.last().is_some_and(is_direct)
    }

    /// Leaves only the callers, if `utility`, a class that a person has edited, chooses among no ways that have the
    /// direct one; false where that is no other plan.
    pub fn follow_utility(&mut self, utility: &std::path::Path) -> bool {
        let knows_it = std::fs::read_to_string(utility).is_ok_and(|text| text.contains("in.way("));
        !knows_it && self.skip_direct_way()
    }

    /// Leaves only the callers; false where that is no other plan.
    pub fn skip_direct_way(&mut self) -> bool {
        let there = self.has_direct_way();
        self.entries.truncate(self.entries.len() - usize::from(there));
        there
    }

    /// Whether callers lead into the unit.
    pub fn is_through_callers(&self) -> bool {
        self.entries.iter().any(|entry| entry.callee != self.unit)
    }

    /// Whether a caller that reads a text leads into the unit.
    pub fn is_through_reader(&self, model: &Model) -> bool {
        let readers = self.entries.iter().filter(|entry| entry.callee != self.unit);
        let mut readers = readers.filter_map(|entry| model.functions.get(&entry.callee));
        readers.any(|caller| reads_memory(&self.lexicon, model, caller))
    }

    /// Whether a driver does not build for other reasons than how its objects are made, by what the compiler says: the
    /// unit's source does not, or a person has said how they are made.
    pub fn is_at_fault(&self, said: &str) -> bool {
        // A template's text may build with other arguments.
        let is_template =
            !self.owner_args.is_empty() || self.entries.iter().any(|entry| !entry.template_args.is_empty());
        self.overridden || !is_template && said.contains(&format!("{}:", self.source.display()))
    }

    /// Whether it is a header of the project that does not build, by what the compiler says, and one that the unit's
    /// own source does not include.
    pub fn blames_another_header(&self, model: &Model, root: &Path, said: &str) -> bool {
        let file = root.join(said.split(':').next().unwrap_or_default());
        let includes = |unit: &&TranslationUnit| unit.files.iter().any(|known| known.as_path() == file);
        let mut readers = model.units.iter().filter(includes).peekable();
        readers.peek().is_some() && readers.all(|unit| unit.command != self.command)
    }

    /// Takes ways into the unit out.
    pub fn exclude_entries(&mut self, ways: &BTreeSet<usize>) {
        let mut way = 0..;
        self.entries.retain(|_| way.next().is_none_or(|way| !ways.contains(&way)));
    }

    /// Makes objects as if no test showed how, and without stubs beside real objects; false where that is no other
    /// plan.
    pub fn ignore_histories(&mut self) -> bool {
        let (was, mut drops) = (self.histories_used().len(), false);
        for entry in &mut self.entries {
            let slots = entry.object.iter_mut().chain(&mut entry.args);
            slots.for_each(|slot| {
                slot.recipe.remove_histories();
                drops |= drop_stubs(&mut slot.recipe);
            });
        }
        drops || self.histories_used().len() < was
    }

    /// The plain plan, where the driver does not build: no histories, no paired setup, no file state.
    /// False where that is no other plan.
    pub fn simplify(&mut self) -> bool {
        let made =
            [self.ignore_histories(), self.skip_paired_setup(), self.ignore_file_state(), self.skip_direct_way()];
        made.contains(&true)
    }

    /// Gives what it is called with away, and puts nothing in before; false where one of the two is no change.
    pub fn transfer_ownership_only(&mut self) -> bool {
        self.skip_paired_setup() && self.transfer_ownership()
    }

    /// Leaves the object under test standing, since it can't be taken down as the calls leave it. False where it is
    /// none that a constructor makes.
    pub fn skip_destruction(&mut self) -> bool {
        fn keep(recipe: &mut Recipe, changed: &mut bool) {
            match &mut recipe.kind {
                Kind::Construct { kept, .. } => *changed |= !std::mem::replace(kept, true),
                Kind::SetUp { object, .. } | Kind::Then { object, .. } => keep(&mut object.recipe, changed),
                Kind::Choice { among, .. } => among.iter_mut().for_each(|slot| keep(&mut slot.recipe, changed)),
                Kind::Mined { steps, object, .. } => {
                    steps.get_mut(*object).into_iter().for_each(|step| keep(&mut step.slot.recipe, changed));
                }
                _ => {}
            }
        }
        let mut changed = false;
        for slot in self.entries.iter_mut().filter_map(|entry| entry.object.as_mut()) {
            keep(&mut slot.recipe, &mut changed);
        }
        changed
    }

    /// Gives objects behind pointers away, to whoever is called with them: what takes what it is given for its own
    /// ends in a crash where nobody gave it away. False where there is nothing more to give away.
    pub fn transfer_ownership(&mut self) -> bool {
        let mut changed = false;
        let is_cxx = self.language == Language::Cxx;
        let mut give = |slot: &mut Slot| {
            let is_object = slot.ty.pointee().is_some_and(|to| to.record().is_some() && !to.is_const);
            let is_memory = !is_cxx && slot.ty.pointee().is_some_and(|to| !to.is_const);
            if is_memory && matches!(slot.recipe.kind, Kind::Array { .. }) {
                slot.recipe = crate::plan::rules::memory::on_heap(slot.recipe.clone());
                slot.history = 0;
                changed = true;
            }
            if let Kind::Pointer { given, to, .. } = &mut slot.recipe.kind
                && is_object
                && !*given
                && (is_cxx
                    || matches!(to.recipe.kind, Kind::Fields { .. })
                    || crate::plan::rules::c_lifecycle::is_made(&to.recipe))
            {
                *given = true;
                // An object that somebody else owns is not given away.
                to.recipe.remove_histories();
                changed = true;
            }
        };
        for entry in &mut self.entries {
            entry.args.iter_mut().for_each(&mut give);
            let mut objects: Vec<&mut Recipe> = entry.object.iter_mut().map(|slot| &mut slot.recipe).collect();
            while let Some(recipe) = objects.pop() {
                match &mut recipe.kind {
                    Kind::Construct { args, .. } => args.iter_mut().for_each(&mut give),
                    Kind::SetUp { object, calls, .. } => {
                        calls.iter_mut().flat_map(|call| &mut call.args).for_each(&mut give);
                        objects.push(&mut object.recipe);
                    }
                    // The first is what would be made if no test said how.
                    Kind::Choice { among, .. }
                        if among.iter().any(|slot| matches!(slot.recipe.kind, Kind::Mined { .. })) =>
                    {
                        objects.extend(among.first_mut().map(|slot| &mut slot.recipe));
                    }
                    _ => {}
                }
            }
        }
        changed
    }

    /// Leaves alone what the unit's file remembers; false where it remembers nothing.
    pub fn ignore_file_state(&mut self) -> bool {
        let states = self.entries.iter_mut().map(|entry| std::mem::take(&mut entry.state));
        states.filter(|state| !state.is_empty()).count() > 0
    }

    /// Takes names at their word: what is called a length is no more than there is. False where none was more.
    pub fn bound_lengths(&mut self) -> bool {
        fn bound(slot: &mut Slot) -> bool {
            let was_free = match &mut slot.recipe.kind {
                Kind::Length { free, .. } => std::mem::take(free),
                _ => false,
            };
            slot.recipe.parts_mut().into_iter().fold(was_free, |was, part| bound(part) | was)
        }
        let slots = self.entries.iter_mut().flat_map(|entry| entry.object.iter_mut().chain(&mut entry.args));
        slots.fold(false, |was, slot| bound(slot) | was)
    }

    /// Calls the unit on its object without having put into it what is taken out; false where nothing is put in.
    pub fn skip_paired_setup(&mut self) -> bool {
        let put = self.entries.iter_mut().filter_map(|entry| entry.put_in.take()).count();
        put > 0
    }

    /// Gives away what containers hold the addresses of: who deletes their elements ends in a crash where they are
    /// somebody else's. False where nothing more can be given away so.
    pub fn transfer_elements(&mut self) -> bool {
        fn give(slot: &mut Slot, is_element: bool, changed: &mut bool) {
            if let Kind::Pointer { given, to, .. } = &mut slot.recipe.kind
                && is_element
                && to.ty.record().is_some()
                && !*given
            {
                *given = true;
                to.recipe.remove_histories();
                *changed = true;
            }
            // The value of a map is in a pair.
            let holds = match &slot.recipe.kind {
                Kind::Sequence { .. } => true,
                Kind::Pair { .. } => is_element,
                _ => false,
            };
            slot.recipe.parts_mut().into_iter().for_each(|part| give(part, holds, changed));
        }
        let mut changed = false;
        if self.language == Language::Cxx {
            for entry in &mut self.entries {
                entry.object.iter_mut().chain(&mut entry.args).for_each(|slot| give(slot, false, &mut changed));
            }
        }
        changed
    }

    /// Leaves alone what stubs are called with; false where nothing looks into it. Objects that are handed over before
    /// they have a value, or behind pointers to what is gone, are not to be read.
    pub fn skip_stub_arguments(&mut self) -> bool {
        fn skip_stub_arguments(slot: &mut Slot, changed: &mut bool) {
            if let Kind::Stub { methods, .. } = &mut slot.recipe.kind {
                let looks = methods.iter_mut().flat_map(|method| &mut method.looks);
                looks.for_each(|looks| *changed |= std::mem::take(looks));
            }
            slot.recipe.parts_mut().into_iter().for_each(|slot| skip_stub_arguments(slot, changed));
        }
        let mut changed = false;
        for entry in &mut self.entries {
            entry.object.iter_mut().chain(&mut entry.args).for_each(|slot| skip_stub_arguments(slot, &mut changed));
        }
        changed
    }

    /// Leaves members out of the comparison that are not the same in two runs of the original, such as memory that
    /// holds addresses; false where there is nothing more to leave out.
    pub fn leave_out(&mut self, members: impl IntoIterator<Item = (String, String)>) -> bool {
        let before = self.excluded.len();
        for (class, field) in members {
            if !self.excluded.iter().any(|(c, f, _)| *c == class && *f == field) {
                self.excluded.push((class, field, "not the same in two runs of the original".into()));
            }
        }
        self.excluded.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;

    #[test]
    fn a_plan_is_made_again_with_what_running_the_original_has_taught() {
        let model = read_cpp(
            "struct Part { int n; }; class Box { public: explicit Box(Part *part) : part_(part) {} \
                ~Box() { delete part_; }\n\
             int first(int a) { return hidden(a); } int second(int a) { return hidden(a) + 1; }\n\
             private: int hidden(int a) { return a + part_->n; } Part *part_; long seen_ = 0; };",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let hidden = model.functions.values().find(|f| f.name == "hidden").unwrap();
        let first = crate::plan::plan_unit(&planner, &hidden.usr).unwrap();
        assert!(first.is_through_callers());
        assert_eq!(first.entries.len(), 3);
        assert!(first.has_direct_way() && first.entries[2].private_access);

        let mut tried = first.clone();
        assert!(tried.skip_direct_way() && !tried.clone().skip_direct_way());
        assert!(tried.transfer_ownership());
        assert!(tried.skip_destruction() && !tried.clone().skip_destruction());
        assert!(tried.leave_out([("Box".to_owned(), "seen_".to_owned())]));
        tried.exclude_entries(&BTreeSet::from([0]));
        assert_eq!(tried.entries.len(), 1);

        let changes = Adjustments {
            skips_direct_way: true,
            skipped_constructions: 0,
            callers: 0,
            own_headers: false,
            stubs: false,
            ignores_histories: false,
            transfers_ownership: true,
            transfers_elements: false,
            skips_destruction: true,
            skips_stub_arguments: false,
            ignores_file_state: false,
            skips_paired_setup: false,
            bounds_lengths: false,
            excluded_members: vec![("Box".into(), "seen_".into())],
            excluded_entries: BTreeSet::from([0]),
        };
        let kept: Adjustments = serde_json::from_str(&serde_json::to_string(&changes).unwrap()).unwrap();
        assert_eq!(kept.plan(&planner, &hidden.usr).unwrap(), tried);
    }
}
