//! Which declarations are copied: whatever the copied text uses and whose signature names a copied class must be copied
//! too, or the two versions would mix.

use super::{MOST_CLASSES, references};
use crate::hierarchy::Hierarchy;
use crate::model::{Class, Definition, Extent, Function, Model, Type, Usr};
use crate::plan::{Kind, UnitPlan};
use std::collections::BTreeSet;

/// The free functions on a call path from `from` to `to`, both included.
pub(super) fn path_to(model: &Model, from: &Usr, to: &Usr) -> Result<Vec<Usr>, String> {
    let mut queue = std::collections::VecDeque::from([vec![from.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = queue.pop_front() {
        let last = path.last().expect("paths are not empty");
        if last == to {
            return Ok(path);
        }
        if !seen.insert(last.clone()) {
            continue;
        }
        let Some(definition) = model.functions.get(last).and_then(|f| f.definition.as_ref()) else { continue };
        for next in &definition.calls {
            if model.functions.get(next).is_some_and(|f| f.owner.is_none() && f.definition.is_some()) {
                let mut longer = path.clone();
                longer.push(next.clone());
                queue.push_back(longer);
            }
        }
    }
    Err("no path of plain functions leads from the public caller to the unit".into())
}

/// The set of copied declarations.
pub(super) struct Closure<'m> {
    pub(super) model: &'m Model,
    pub(super) hierarchy: &'m Hierarchy,
    /// The files whose text the driver sees: what is defined elsewhere may lean on names that are local there.
    pub(super) files: &'m [std::path::PathBuf],
    /// Classes whose members the plan calls by itself: those must be there, wherever they are defined.
    pub(super) called: BTreeSet<Usr>,
    pub(super) classes: BTreeSet<Usr>,
    pub(super) functions: BTreeSet<Usr>,
    /// Variables at namespace level.
    pub(super) variables: BTreeSet<Usr>,
}

impl<'m> Closure<'m> {
    fn outermost(&self, class: &Usr) -> Result<&'m Class, String> {
        let class = self.model.classes.get(class).ok_or("a class that must be copied is not part of the project")?;
        Ok(class.around(self.model).last().unwrap_or(class))
    }

    pub(super) fn add_class(&mut self, usr: &Usr) -> Result<(), String> {
        let class = self.outermost(usr)?;
        if class.definition.is_none() || class.name.is_empty() {
            return Err(format!("`{}` has no definition that could be copied", class.qualified));
        }
        if class.specializes.is_some() {
            return Err(format!("`{}` is a specialisation", class.qualified));
        }
        self.classes.insert(class.usr.clone());
        if self.classes.len() > MOST_CLASSES {
            return Err(format!("more than {MOST_CLASSES} classes would have to be copied"));
        }
        Ok(())
    }

    fn is_copied(&self, usr: &Usr) -> bool {
        self.model.classes.contains_key(usr) && self.outermost(usr).is_ok_and(|c| self.classes.contains(&c.usr))
    }

    fn mentions(&self, ty: &Type) -> bool {
        ty.any(|part| part.record().is_some_and(|usr| self.is_copied(usr)))
    }

    pub(super) fn mentions_params(&self, function: &Function) -> bool {
        function.params.iter().any(|p| self.mentions(&p.ty))
    }

    fn signature_mentions(&self, function: &Function) -> bool {
        self.mentions(&function.result) || function.params.iter().any(|p| self.mentions(&p.ty))
    }

    /// Classes that the plan makes and that derive from a copied one, and functions it calls that name one.
    pub(super) fn add_recipes(&mut self, plan: &UnitPlan) -> Result<(), String> {
        loop {
            let before = (self.classes.len(), self.functions.len());
            let mut used: Vec<Usr> = Vec::new();
            let mut called: Vec<Usr> = plan.entries.iter().map(|e| e.callee.clone()).collect();
            for slot in plan.entries.iter().flat_map(|e| e.object.iter().chain(&e.args)) {
                slot.ty.walk(&mut |t| used.extend(t.record().cloned()));
                slot.recipe.walk(&mut |recipe| {
                    recipe.ty.walk(&mut |t| used.extend(t.record().cloned()));
                    match &recipe.kind {
                        Kind::Construct { constructor, .. } => called.extend(constructor.clone()),
                        Kind::Factory { function, .. } => called.push(function.clone()),
                        Kind::SetUp { calls, .. } => called.extend(calls.iter().map(|c| c.method.clone())),
                        _ => {}
                    }
                });
            }
            for usr in used {
                self.consider_class(&usr)?;
            }
            for usr in called {
                self.consider_function(&usr)?;
                self.called.extend(self.model.functions.get(&usr).and_then(|f| f.owner.clone()));
            }
            if before == (self.classes.len(), self.functions.len()) {
                return Ok(());
            }
        }
    }

    fn consider_class(&mut self, usr: &Usr) -> Result<(), String> {
        let Some(class) = self.model.classes.get(usr).filter(|_| !self.is_copied(usr)) else { return Ok(()) };
        // Conversions leave no name in the text, and a declaration with arguments only the class's: what is made
        // of copied objects must follow them, be it by a constructor or by its members.
        let made_of = || {
            class.constructors(self.model).any(|c| self.mentions_params(c))
                || class.fields.iter().any(|f| !f.is_static && self.mentions(&f.ty))
                // Algorithms call function objects without naming the operator.
                || class
                    .methods
                    .iter()
                    .filter_map(|usr| self.model.functions.get(usr))
                    .any(|f| f.name == "operator()" && self.signature_mentions(f))
        };
        if self.hierarchy.ancestors(usr).iter().any(|base| self.is_copied(base)) || made_of() {
            self.add_class(usr)?;
        }
        Ok(())
    }

    fn consider_function(&mut self, usr: &Usr) -> Result<(), String> {
        let Some(function) = self.model.functions.get(usr) else { return Ok(()) };
        let owner_is_copied = function.owner.as_ref().is_some_and(|o| self.is_copied(o));
        if owner_is_copied || !self.signature_mentions(function) {
            return Ok(());
        }
        match &function.owner {
            Some(owner) => self.add_class(owner),
            None if function.definition.as_ref().is_some_and(|d| self.files.contains(&d.extent.file)) => {
                self.functions.insert(usr.clone());
                Ok(())
            }
            None => Err(format!("`{}` names a copied class and its body is not in the same source", function.id)),
        }
    }

    /// A global of a copied type: each version has its own.
    fn consider_variable(&mut self, usr: &Usr) {
        if let Some(variable) = self.model.variables.get(usr)
            && self.mentions(&variable.ty)
            && self.files.contains(&variable.extent.file)
            && !self.model.classes.values().any(|c| c.fields.iter().any(|f| f.usr == *usr))
        {
            self.variables.insert(usr.clone());
        }
    }

    /// Every stretch of text that is to be copied as of now.
    fn stretches(&self) -> Vec<Extent> {
        let mut all: Vec<Extent> =
            self.classes.iter().filter_map(|usr| self.model.classes[usr].definition.clone()).collect();
        all.extend(self.detached().filter_map(|class| class.definition.clone()));
        all.extend(self.members().into_iter().map(|f| f.1.extent.clone()));
        all.extend(
            self.functions.iter().filter_map(|f| self.model.functions[f].definition.as_ref()).map(|d| d.extent.clone()),
        );
        all
    }

    /// Classes within copied ones that are defined behind them (`struct Reader::Impl { … };`).
    pub(super) fn detached(&self) -> impl Iterator<Item = &'m Class> {
        let is_within = |class: &Class, extent: &Extent| {
            class.definition.as_ref().is_some_and(|whole| {
                whole.file == extent.file && whole.start <= extent.start && extent.end <= whole.end
            })
        };
        let inner = self.model.classes.values().filter(|class| class.around(self.model).next().is_some());
        inner.filter(move |class| {
            let is_copied = !self.classes.contains(&class.usr) && self.is_copied(&class.usr);
            let extent = class.definition.as_ref().filter(|_| is_copied);
            extent.is_some_and(|extent| {
                self.files.contains(&extent.file) && !class.around(self.model).any(|outer| is_within(outer, extent))
            })
        })
    }

    /// Members of copied classes that are defined out of line.
    pub(super) fn members(&self) -> Vec<(&'m Function, &'m Definition)> {
        let classes = self.classes.iter().map(|usr| &self.model.classes[usr]).chain(self.detached());
        let classes: Vec<&Extent> = classes.filter_map(|class| class.definition.as_ref()).collect();
        let inside = |extent: &Extent| {
            let is_in =
                |class: &&Extent| class.file == extent.file && class.start <= extent.start && extent.end <= class.end;
            classes.iter().any(is_in)
        };
        self.model
            .functions
            .values()
            .filter(|f| f.owner.as_ref().is_some_and(|o| self.is_copied(o)))
            .filter_map(|f| Some((f, f.definition.as_ref()?)))
            // A member that is defined in another source file stays undefined, unless the plan needs its class: calls
            // to it, if there are any, end in a stub that aborts, and then the copy is no twin of the original.
            .filter(|(f, d)| {
                let called = f.owner.as_ref().is_some_and(|owner| self.called.contains(owner));
                !inside(&d.extent) && (called || self.files.contains(&d.extent.file))
            })
            .collect()
    }

    pub(super) fn complete(&mut self) -> Result<(), String> {
        if self.classes.is_empty() {
            return Ok(());
        }
        loop {
            let before = (self.classes.len(), self.functions.len());
            for stretch in self.stretches() {
                let targets: BTreeSet<&Usr> = references(self.model, &stretch).iter().map(|r| &r.target).collect();
                for target in targets {
                    self.consider_class(target)?;
                    self.consider_function(target)?;
                    self.consider_variable(target);
                }
            }
            if before == (self.classes.len(), self.functions.len()) {
                return Ok(());
            }
        }
    }
}
