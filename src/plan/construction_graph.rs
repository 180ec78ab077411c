//! The costs of objects of all classes: an AND/OR graph over constructors, factories, subtypes and
//! aggregates, solved once.
//!
//! A class can be made by any of its ways (OR), a way needs objects of other classes (AND). The cheapest ways of all
//! classes together are the least fixed point of their costs (D. E. Knuth, "A Generalization of Dijkstra's
//! Algorithm", 1977); a way is dearer than everything that it needs, so following cheapest ways never goes in circles.

mod builder;

use super::Yield;
use crate::facts::factories::produced;
use crate::facts::out_params::out_param;
use crate::hierarchy::Hierarchy;
use crate::lexicon::Lexicon;
use crate::model::{Access, Class, Function, FunctionKind, Language, Model, TemplateArg, Type, Usr};
use crate::overrides::Overrides;
use crate::plan::usual_arguments::{Specialized, usual_args};
pub(super) use builder::{Builder, NOTHING};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A cost that nothing has.
pub const NEVER: u32 = u32::MAX;
/// Cost of a value of no information: a default-constructed object is an empty shell.
const SHELL: u32 = 12;

/// A way to an object.
#[derive(Clone, Debug)]
pub enum Way<'m> {
    /// A constructor; none for an implicit default one.
    Constructor(Option<&'m Function>),
    /// A function that yields the object.
    Factory(&'m Function, Yield),
    /// An object of a subclass.
    Subtype(Type),
    /// For a handle, one of a derived class.
    Derived(Type),
    /// A class that is made up to implement it.
    Stub,
    /// Field by field.
    Fields,
    /// As a person has said.
    Said,
}

/// The rules, as far as the graph asks them: they know what a value costs beside how it is made.
#[derive(Clone, Copy)]
pub struct CostRules {
    /// The cost of a value of a type; none where there is no way to one.
    pub value: fn(&mut Builder<'_, '_>, &Type) -> Option<Need>,
    /// The ways to an object of a class, each rule's after those of the rules before it.
    pub ways: &'static [WaysRule],
}

/// Adds the ways to an object that one rule knows.
pub type WaysRule = for<'m> fn(&mut Builder<'_, 'm>, Object<'_, 'm>, &mut Vec<Edge<'m>>);

/// A type of objects that the graph has a node for.
#[derive(Clone, Copy)]
pub struct Object<'o, 'm> {
    /// The type.
    pub ty: &'o Type,
    /// Its class.
    pub class: &'m Class,
}

impl Object<'_, '_> {
    /// Whether it is rows and columns of an installed library.
    pub fn is_grid(self) -> bool {
        let installed = self.class.installed.as_ref();
        self.class.definition.is_some() && installed.is_some_and(|installed| installed.grid.is_some())
    }

    /// Whether it is constructed: a class of C++ that is defined. A grid is made in a way of its own.
    pub fn is_constructed(self) -> bool {
        self.class.definition.is_some()
            && !self.is_grid()
            && (self.class.language != Language::C || self.class.is_polymorphic)
    }
}

/// The needs of a value: a cost of its own, and objects of classes, by their nodes.
#[derive(Clone, Debug, Default)]
pub struct Need {
    /// The cost of the value alone.
    pub cost: u32,
    /// The objects that it is made of.
    pub nodes: Vec<usize>,
}

/// A way to an object of one class, with what it needs.
pub struct Edge<'m> {
    /// The node that it leads to.
    pub of: usize,
    /// The way.
    pub way: Way<'m>,
    /// Its needs.
    pub need: Need,
    /// It leaves an empty shell.
    pub shell: bool,
    /// Objects that are only asked to make this one: shells will do.
    pub services: Vec<usize>,
    /// The source files that alone can use it.
    pub homes: Vec<&'m Path>,
}

/// The cost of a class: of an object with something in it, and of any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    good: u32,
    any: u32,
}

impl Cost {
    const NEVER: Cost = Cost { good: NEVER, any: NEVER };
}

/// The costs of all nodes for drivers in one translation unit, by node.
pub struct Costs(Vec<Cost>);

/// The inputs of the graph.
pub struct Facts<'m> {
    /// The project.
    pub model: &'m Model,
    /// Its classes as a graph.
    pub hierarchy: &'m Hierarchy,
    /// The override files.
    pub overrides: &'m Overrides,
    rules: CostRules,
    /// The arguments that class templates have explicit specialisations for.
    specialized: Specialized<'m>,
    /// By the class that is yielded.
    factories: HashMap<&'m str, Vec<(&'m Function, Yield)>>,
    /// Source files that are compiled themselves.
    mains: HashSet<&'m Path>,
    /// Files that no translation unit reads without an error.
    broken: HashSet<&'m Path>,
}

/// Types with their constructions.
#[derive(Default)]
struct Nodes<'m> {
    /// By class and arguments.
    index: HashMap<(Usr, String), usize>,
    /// By node: its edges.
    edges_of: Vec<Vec<usize>>,
    edges: Vec<Edge<'m>>,
}

/// The graph over all types of a project. It never changes: a query for another type gets a layer of its own.
pub struct ConstructionGraph<'m> {
    facts: Facts<'m>,
    nodes: Nodes<'m>,
    /// Edges that only some source files can use.
    private: Vec<usize>,
    /// The costs of the nodes for drivers that can use none of those.
    costs: Vec<Cost>,
}

impl<'m> ConstructionGraph<'m> {
    /// The graph of a project.
    pub fn new(facts: Facts<'m>) -> Self {
        let below = Nodes::default();
        let mut builder = Builder::over(&facts, &below);
        builder.seed();
        builder.grow();
        let nodes = builder.own;
        let private = (0..nodes.edges.len()).filter(|edge| !nodes.edges[*edge].homes.is_empty()).collect();
        let mut costs = vec![Cost::NEVER; nodes.edges_of.len()];
        let shared = |edge: &Edge<'_>| edge.homes.is_empty();
        relax(&mut costs, nodes.edges.iter().filter(|edge| shared(edge)));
        Self { facts, nodes, private, costs }
    }

    /// The costs of the nodes for drivers that see `files`.
    pub fn costs(&self, files: &HashSet<&Path>) -> Costs {
        let mut costs = self.costs.clone();
        // More constructions make nothing dearer: what is known without them is a start.
        if self.private.iter().any(|edge| self.nodes.edges[*edge].is_open(files)) {
            relax(&mut costs, self.nodes.edges.iter().filter(|edge| edge.is_open(files)));
        }
        Costs(costs)
    }

    /// The ways to an object of class `ty` for drivers that see `files`, the cheapest first, with what they cost; what
    /// can't be gone is left out. With `service` the object is only asked to make another: a shell will do.
    pub fn ways(&self, ty: &Type, costs: &Costs, files: &HashSet<&Path>, service: bool) -> Vec<(u32, Way<'m>)> {
        let mut layer = Builder::over(&self.facts, &self.nodes);
        let Some(node) = layer.node(ty) else { return Vec::new() };
        let costs = layer.solve(costs, files);
        let of = |edge: &usize| layer.edge(*edge);
        let mut found: Vec<(u32, usize)> = layer
            .edges_of(node)
            .iter()
            .filter(|edge| of(edge).is_open(files))
            .map(|edge| {
                let cost = of(edge).cost(&costs);
                (if service { cost.any } else { cost.good }, *edge)
            })
            .filter(|(cost, _)| *cost != NEVER)
            .collect();
        found.sort();
        found.into_iter().map(|(cost, edge)| (cost, of(&edge).way.clone())).collect()
    }

    /// The cost of a value of type `ty` for drivers that see `files`; `NEVER` where it can't be made.
    pub fn cost_of(&self, ty: &Type, costs: &Costs, files: &HashSet<&Path>) -> u32 {
        let mut layer = Builder::over(&self.facts, &self.nodes);
        let Some(need) = layer.value(ty) else { return NEVER };
        let costs = layer.solve(costs, files);
        need.nodes.iter().fold(need.cost, |sum, node| sum.saturating_add(costs[*node].good))
    }

    /// Whether a driver can read `file` at all: a header whose own includes are missing is read by no translation unit
    /// without an error, and would take along every unit that is driven with what it has.
    pub fn is_sound(&self, file: &Path) -> bool {
        self.facts.is_sound(file)
    }

    /// Whether `file` is compiled itself.
    pub fn is_main(&self, file: &Path) -> bool {
        self.facts.is_main(file)
    }

    /// The source file that alone knows the class, if it is no header that defines it.
    pub fn home<'c>(&self, class: &'c Class) -> Option<&'c Path> {
        self.facts.home(class)
    }

    /// The arguments that class templates have explicit specialisations for.
    pub fn specialized(&self) -> &Specialized<'m> {
        &self.facts.specialized
    }
}

/// Lowers costs along edges until nothing changes.
fn relax<'e, 'm: 'e>(costs: &mut [Cost], edges: impl Iterator<Item = &'e Edge<'m>>) {
    let edges: Vec<&Edge<'_>> = edges.collect();
    loop {
        let mut changed = false;
        for edge in &edges {
            let new = edge.cost(costs);
            let known = &mut costs[edge.of];
            if new.good < known.good || new.any < known.any {
                *known = Cost { good: known.good.min(new.good), any: known.any.min(new.any) };
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

impl Need {
    /// A value that takes no objects.
    pub fn of(cost: u32) -> Self {
        Self { cost, nodes: Vec::new() }
    }

    /// The same with a cost on top.
    #[must_use]
    pub fn plus(self, cost: u32) -> Self {
        Self { cost: self.cost + cost, ..self }
    }

    /// Both.
    #[must_use]
    pub fn and(mut self, other: Need) -> Self {
        self.nodes.extend(other.nodes);
        self.plus(other.cost)
    }
}

impl<'m> Edge<'m> {
    /// A way that everybody can use.
    pub fn new(way: Way<'m>, need: Need) -> Self {
        Self { of: 0, way, need, shell: false, services: Vec::new(), homes: Vec::new() }
    }

    /// Whether a driver that sees `files` can go this way.
    fn is_open(&self, files: &HashSet<&Path>) -> bool {
        self.homes.iter().all(|home| files.contains(home))
    }

    fn cost(&self, costs: &[Cost]) -> Cost {
        let sum = |sum: u32, nodes: &[usize], cost: fn(&Cost) -> u32| {
            nodes.iter().fold(sum, |sum, node| sum.saturating_add(cost(&costs[*node])))
        };
        let services = sum(self.need.cost, &self.services, |cost| cost.any);
        let good = sum(services, &self.need.nodes, |cost| cost.good);
        let any = sum(services, &self.need.nodes, |cost| cost.any);
        Cost { good: good.saturating_add(if self.shell { SHELL } else { 0 }), any }
    }
}

impl<'m> Facts<'m> {
    /// The facts of a project. Functions that are `undefined` make nothing.
    pub fn new(
        model: &'m Model,
        hierarchy: &'m Hierarchy,
        overrides: &'m Overrides,
        undefined: &BTreeSet<Usr>,
        rules: CostRules,
    ) -> Self {
        let mut specialized: Specialized<'m> = BTreeMap::new();
        for class in model.classes.values().filter(|class| !class.specialized_for.is_empty()) {
            let Some(template) = &class.specializes else { continue };
            specialized.entry(template).or_default().push(&class.specialized_for);
        }
        let mains = model.units.iter().map(|unit| unit.main_file.as_path()).collect();
        let files_of = |readable: bool| -> HashSet<&Path> {
            let units = model.units.iter().filter(|unit| unit.errors.is_empty() == readable);
            units.flat_map(|unit| &unit.files).map(|file| file.as_path()).collect()
        };
        let broken = &files_of(false) - &files_of(true);
        let factories = HashMap::new();
        let mut facts = Self { model, hierarchy, overrides, rules, specialized, factories, mains, broken };
        for function in model.functions.values().filter(|function| !undefined.contains(&function.usr)) {
            let plain = function.template.is_none() && !function.is_deleted && !function.is_file_local;
            let open = matches!(function.access, None | Some(Access::Public));
            let makes = !matches!(function.kind, FunctionKind::Constructor | FunctionKind::Destructor);
            let named = function.kind != FunctionKind::Method || !function.name.starts_with("operator");
            if plain && facts.can_be_included(function) && open && makes && named {
                let handed = out_param(overrides.lexicon(), function).map(|(usr, place)| (usr, Yield::Through(place)));
                let handled = crate::facts::handles::handle_target(model, function);
                let handled = handled.and_then(|usr| model.classes.get(&usr)).map(|to| (&*to.usr, Yield::Handle));
                for (usr, yields) in produced(model, &function.result).into_iter().chain(handed).chain(handled) {
                    facts.factories.entry(usr).or_default().push((function, yields));
                }
            }
        }
        facts
    }

    /// The words of the project, and what they suggest.
    pub fn lexicon(&self) -> &'m Lexicon {
        self.overrides.lexicon()
    }

    /// The functions that yield objects of a class, and how.
    pub fn factories(&self, class: &Class) -> &[(&'m Function, Yield)] {
        self.factories.get(class.usr.as_str()).map_or(&[], Vec::as_slice)
    }

    /// Whether `file` is compiled itself.
    pub fn is_main(&self, file: &Path) -> bool {
        self.mains.contains(file)
    }

    /// The arguments of a class template that need no unit.
    pub fn usual_args(&self, class: &Class) -> Option<Vec<TemplateArg>> {
        usual_args(self.lexicon(), self.model, &self.specialized, class)
    }

    fn is_sound(&self, file: &Path) -> bool {
        !self.broken.contains(file)
    }

    /// Whether the function is declared or defined where a driver can read it.
    fn can_be_included(&self, function: &Function) -> bool {
        let mut places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
        places.any(|extent| self.is_sound(&extent.file))
    }

    /// The source file that alone knows the class, if it is no header that defines it.
    pub fn home<'c>(&self, class: &'c Class) -> Option<&'c Path> {
        let file = class.definition.as_ref()?.file.as_path();
        // In C every file may define a structure of that name anew; in C++ there is only one.
        let only_here = class.language == Language::Cxx && self.mains.contains(file);
        // A part of sources, which include it under macros of theirs.
        let is_source = file.extension().is_some_and(|extension| extension == "c") && !self.mains.contains(file);
        let is_part = class.language == Language::C && is_source;
        (class.is_file_local || only_here || is_part).then_some(file)
    }
}

#[cfg(test)]
#[path = "construction_graph_tests.rs"]
mod tests;
