//! Finds the constructions of types: the edges of the graph, layer by layer.

use super::{Cost, Costs, Edge, Facts, Need, Nodes, Object, Way, relax};
use crate::facts::factories::spelled;
use crate::model::{Param, Type, TypeKind, Usr};
use crate::plan::Yield;
use crate::types::substitution::Substitution;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Cost of a null pointer in the place of an object that can't be had.
pub const NOTHING: u32 = 40;
/// The most instantiations of one template that are looked at.
const INSTANCES: usize = 160;

/// Grows a layer of nodes over those of a finished graph.
pub struct Builder<'b, 'm> {
    /// The facts of the project.
    pub facts: &'b Facts<'m>,
    below: &'b Nodes<'m>,
    pub(super) own: Nodes<'m>,
    /// How many nodes of this layer a class has: one, or of a template one for each instantiation.
    instances: HashMap<Usr, usize>,
    /// Nodes whose edges are still to be found.
    pending: Vec<(usize, Type)>,
}

impl<'b, 'm> Builder<'b, 'm> {
    pub(super) fn over(facts: &'b Facts<'m>, below: &'b Nodes<'m>) -> Self {
        Self { facts, below, own: Nodes::default(), instances: HashMap::new(), pending: Vec::new() }
    }

    /// Nodes for all types that the project names.
    pub(super) fn seed(&mut self) {
        let model = self.facts.model;
        for usr in model.classes.keys() {
            if let Some(ty) = self.class_type(usr) {
                self.seed_one(&ty);
            }
        }
        let of_functions = model.functions.values().flat_map(|f| f.params.iter().map(|p| &p.ty).chain([&f.result]));
        let of_fields = model.classes.values().flat_map(|class| &class.fields).map(|field| &field.ty);
        for ty in of_functions.chain(of_fields) {
            ty.walk(&mut |part| {
                if let TypeKind::Record { args, .. } = &part.kind
                    && !args.iter().any(crate::types::records::is_dependent)
                {
                    self.seed_one(part);
                }
            });
        }
    }

    /// A type that the project names counts, however often; only types that follow from it may go on for ever.
    fn seed_one(&mut self, ty: &Type) {
        self.node(ty);
        self.instances.clear();
    }

    pub(super) fn edges_of(&self, node: usize) -> &[usize] {
        let below = self.below.edges_of.len();
        if node < below { &self.below.edges_of[node] } else { &self.own.edges_of[node - below] }
    }

    pub(super) fn edge(&self, edge: usize) -> &Edge<'m> {
        let below = self.below.edges.len();
        if edge < below { &self.below.edges[edge] } else { &self.own.edges[edge - below] }
    }

    /// Finds the edges of this layer, and returns what its nodes and those below cost.
    pub(super) fn solve<'c>(&mut self, below: &'c Costs, files: &HashSet<&Path>) -> Cow<'c, [Cost]> {
        self.grow();
        if self.own.edges_of.is_empty() {
            return Cow::Borrowed(&below.0);
        }
        // Nodes below do not depend on those of the layer.
        let mut costs = below.0.clone();
        costs.resize(costs.len() + self.own.edges_of.len(), Cost::NEVER);
        relax(&mut costs, self.own.edges.iter().filter(|edge| edge.is_open(files)));
        Cow::Owned(costs)
    }

    /// The node of a class; its edges are found by `grow`.
    pub fn node(&mut self, ty: &Type) -> Option<usize> {
        let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
        self.facts.model.classes.get(usr)?;
        let list: Vec<String> = args.iter().map(spelled).collect();
        let key = (usr.clone(), list.join(", "));
        if let Some(known) = self.known(&key) {
            return Some(known);
        }
        // A template may name ever greater instantiations of itself.
        let instances = self.instances.entry(usr.clone()).or_default();
        *instances += 1;
        if *instances > INSTANCES {
            return None;
        }
        let node = self.add(key, Vec::new());
        self.pending.push((node, ty.clone()));
        Some(node)
    }

    fn known(&self, key: &(Usr, String)) -> Option<usize> {
        self.below.index.get(key).or_else(|| self.own.index.get(key)).copied()
    }

    fn add(&mut self, key: (Usr, String), edges: Vec<usize>) -> usize {
        let node = self.below.edges_of.len() + self.own.edges_of.len();
        self.own.index.insert(key, node);
        self.own.edges_of.push(edges);
        node
    }

    /// Puts edges of one node in.
    fn put(&mut self, node: usize, mut edges: Vec<Edge<'m>>) {
        edges.iter_mut().for_each(|edge| edge.of = node);
        let first = self.below.edges.len() + self.own.edges.len();
        let place = node - self.below.edges_of.len();
        self.own.edges_of[place] = (first..first + edges.len()).collect();
        self.own.edges.extend(edges);
    }

    /// The node of a pointer to an object: it may be null where there is no object.
    fn pointer_node(&mut self, to: &[usize]) -> Option<usize> {
        let key = (format!("*{to:?}"), String::new());
        if let Some(known) = self.known(&key) {
            return Some(known);
        }
        let of = self.add(key, Vec::new());
        let object = Need { cost: 0, nodes: to.to_vec() };
        self.put(of, [object, Need::of(NOTHING)].map(|need| Edge::new(Way::Said, need)).into());
        Some(of)
    }

    /// Finds the edges of all nodes, and of those that they lead to.
    pub(super) fn grow(&mut self) {
        while let Some((node, ty)) = self.pending.pop() {
            let Some(class) = ty.record().and_then(|usr| self.facts.model.classes.get(usr)) else { continue };
            let mut edges = Vec::new();
            for rule in self.facts.rules.ways {
                rule(self, Object { ty: &ty, class }, &mut edges);
            }
            if let Some(home) = self.facts.home(class) {
                // An object that is yielded by reference need not be defined.
                let handed = |edge: &Edge<'_>| matches!(edge.way, Way::Factory(_, Yield::Borrowed | Yield::Reference));
                edges.iter_mut().filter(|edge| !handed(edge)).for_each(|edge| edge.homes.push(home));
            }
            if class.definition.as_ref().is_some_and(|at| !self.facts.is_sound(&at.file)) {
                edges.retain(|edge| matches!(edge.way, Way::Said));
            }
            self.put(node, edges);
        }
    }

    /// The cost of a value of a type, and the objects that it takes; none where there is no way to one.
    pub fn value(&mut self, ty: &Type) -> Option<Need> {
        (self.facts.rules.value)(self, ty)
    }

    /// The cost of values of all of these types.
    pub fn values<'t>(&mut self, types: impl IntoIterator<Item = &'t Type>) -> Option<Need> {
        types.into_iter().try_fold(Need::default(), |sum, ty| Some(sum.and(self.value(ty)?)))
    }

    /// The cost of a pointer to such a value, which may be null where the object can't be made.
    pub fn pointer_to(&mut self, to: &Type) -> Option<Need> {
        match self.value(to) {
            None => Some(Need::of(NOTHING)),
            Some(need) if need.nodes.is_empty() => Some(need.plus(2)),
            Some(need) => Some(Need { cost: need.cost + 2, nodes: vec![self.pointer_node(&need.nodes)?] }),
        }
    }

    /// How many of the parameters can be given, and what that takes; from a default on, what can't be made is left.
    pub fn arguments(&mut self, params: &[Param], with: &Substitution) -> Option<(usize, Need)> {
        let params = &*with.spread_params(params);
        let mut sum = Need::default();
        for (taken, param) in params.iter().enumerate() {
            match self.value(&with.apply(&param.ty)) {
                Some(need) => sum = sum.and(need),
                None if param.default.is_some() => return Some((taken, sum)),
                None => return None,
            }
        }
        Some((params.len(), sum))
    }

    /// The class as a type, with the arguments that need no unit.
    pub fn class_type(&self, usr: &Usr) -> Option<Type> {
        let class = self.facts.model.classes.get(usr)?;
        Some(crate::types::records::record_type(self.facts.model, class, self.facts.usual_args(class)?))
    }
}
