//! The unit that is planned, as rules know it, and the four ways in which a rule asks for other values.

use super::construction_graph::{CostRules, Costs, Way};
use super::planner::Planner;
use super::request::Request;
use super::usual_arguments::Chosen;
use super::{Reason, Recipe, Slot, Yield};
use crate::facts::field_usage::FieldUsage;
use crate::hierarchy::Hierarchy;
use crate::lexicon::Lexicon;
use crate::model::{Class, Function, Language, Model, Param, TranslationUnit, Type};
use crate::overrides::Overrides;
use crate::types::substitution::Substitution;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The translation unit that a driver becomes part of, and what objects cost there.
pub struct Source<'m> {
    /// The translation unit.
    pub unit: &'m TranslationUnit,
    /// The files that it reads.
    pub files: HashSet<&'m Path>,
    /// The headers that clash with it.
    pub clashing: BTreeSet<&'m Path>,
    /// The cost of objects of each class for drivers in it.
    pub costs: Costs,
}

/// Everything that is fixed while one unit is planned.
#[derive(Clone)]
pub struct UnitScope<'m> {
    /// Facts that all units share.
    pub planner: &'m Planner<'m>,
    /// The project.
    pub model: &'m Model,
    /// Its classes as a graph.
    pub hierarchy: &'m Hierarchy,
    /// The override files.
    pub overrides: &'m Overrides,
    /// The unit.
    pub function: &'m Function,
    /// Where its driver stands.
    pub source: &'m Source<'m>,
    /// The members of large structures that it uses.
    pub field_usage: &'m FieldUsage,
    /// The arguments of the templates around it.
    pub(super) chosen: Chosen,
    /// So many of the cheapest constructions of its own objects are skipped.
    pub skipped: usize,
    /// Others call it, and it is not called directly: the best callers, or the next ones, from one on.
    pub(super) callers: usize,
    /// Objects come from what its own source includes.
    pub(super) own_headers: bool,
    /// Interfaces are stood in for by stubs, whatever implements them.
    pub(super) stubs: bool,
    /// The rules that recursion goes through.
    pub(super) rules: &'m Rules,
}

/// Makes arguments for parameters; with a unit, its overrides hold.
pub type ParamsRule =
    fn(&UnitScope<'_>, &[Param], &Substitution, Option<&str>, Request<'_>) -> Result<Vec<Slot>, Reason>;

/// The entries of the rules for those files that the rules themselves are built on.
pub struct Rules {
    /// A value of a type.
    pub value: fn(&UnitScope<'_>, &Type, Request<'_>) -> Result<Recipe, Reason>,
    /// An object of a class.
    pub object: fn(&UnitScope<'_>, &Type, Request<'_>) -> Result<Recipe, Reason>,
    /// Arguments for parameters.
    pub params: ParamsRule,
    /// An object that a function yields.
    pub factory: fn(&UnitScope<'_>, &Type, &Function, Yield, Request<'_>) -> Result<Recipe, Reason>,
    /// The costs of all of these.
    pub costs: CostRules,
}

impl<'m> UnitScope<'m> {
    /// A value of type `ty`.
    ///
    /// # Errors
    /// Why there is none.
    pub fn value(&self, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
        (self.rules.value)(self, ty, request)
    }

    /// An object of class `ty`, or of a concrete subtype.
    ///
    /// # Errors
    /// Why there is no way to one.
    pub fn object(&self, ty: &Type, request: Request<'_>) -> Result<Recipe, Reason> {
        (self.rules.object)(self, ty, request)
    }

    /// Slots for all parameters of a function, template parameters filled in by `with`; `unit` names the unit whose own
    /// parameters they are.
    ///
    /// # Errors
    /// The first parameter that can't be made, with its name.
    pub fn params(
        &self,
        params: &[Param],
        with: &Substitution,
        unit: Option<&str>,
        request: Request<'_>,
    ) -> Result<Vec<Slot>, Reason> {
        (self.rules.params)(self, params, with, unit, request)
    }

    /// An object of class `ty` that `function` yields.
    ///
    /// # Errors
    /// The receiver or an argument can't be made.
    pub fn factory(
        &self,
        ty: &Type,
        function: &Function,
        yields: Yield,
        request: Request<'_>,
    ) -> Result<Recipe, Reason> {
        (self.rules.factory)(self, ty, function, yields, request)
    }

    /// The words of this project, and what they suggest.
    pub fn lexicon(&self) -> &'m Lexicon {
        self.overrides.lexicon()
    }

    /// The unit's id, for overrides that name one.
    pub fn id(&self) -> &'m str {
        &self.function.id
    }

    /// Whether the driver is written in C.
    pub fn is_in_c(&self) -> bool {
        self.source.unit.language == Language::C
    }

    /// Whether the unit's translation unit includes `file`.
    pub fn sees(&self, file: &Path) -> bool {
        self.source.files.contains(file)
    }

    /// Whether a driver of the unit can name the class: one that a source file keeps to itself is out of reach of the
    /// drivers of other files.
    pub fn in_reach(&self, class: &Class) -> bool {
        if self.model.is_foreign(class) {
            return self.source.unit.foreign.contains(&class.usr);
        }
        let graph = &self.planner.graph;
        let is_read = |file: &Path| {
            let is_usable = graph.is_sound(file) && !self.source.clashing.contains(file);
            is_usable && (!self.own_headers || self.sees(file))
        };
        class.definition.as_ref().is_none_or(|at| is_read(&at.file))
            && graph.home(class).is_none_or(|file| self.sees(file))
    }

    /// Whether a driver can name a type of the class, with its arguments.
    pub fn reaches(&self, ty: &Type, class: &Class) -> bool {
        let is_out = |ty: &Type| self.model.class_of(ty).is_some_and(|class| !self.in_reach(class));
        self.in_reach(class) && !(self.own_headers && ty.any(is_out))
    }

    /// Why a class is not in reach.
    pub fn out_of_reach(&self, class: &Class) -> Reason {
        let file = class.definition.as_ref().and_then(|extent| extent.file.file_name()).unwrap_or_default();
        Reason::new(format!("`{}` is {}'s own", class.qualified, file.to_string_lossy()))
    }

    /// Whether a driver of the unit can call the function: it is declared in a header, or in what the driver sees.
    pub fn is_declared(&self, function: &Function) -> bool {
        let graph = &self.planner.graph;
        let mut places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
        let is_usable = |file: &Path| graph.is_sound(file) && !self.source.clashing.contains(file);
        let in_header = |file: &Path| !self.own_headers && !graph.is_main(file) && is_usable(file);
        places.any(|extent| in_header(&extent.file) || self.sees(&extent.file))
    }

    /// The constructions of an object of class `ty`, the cheapest first, with what they cost. With `service` the object
    /// is only asked to make another.
    pub fn ways(&self, ty: &Type, service: bool) -> Vec<(u32, Way<'m>)> {
        let mut ways = self.planner.graph.ways(ty, &self.source.costs, &self.source.files, service);
        if self.own_headers {
            ways.retain(|(_, way)| !matches!(way, Way::Factory(function, _) if !self.is_declared(function)));
        }
        ways
    }

    /// The cost of a value of type `ty`; `NEVER` where it can't be made.
    pub fn cost_of(&self, ty: &Type) -> u32 {
        self.planner.graph.cost_of(ty, &self.source.costs, &self.source.files)
    }
}
