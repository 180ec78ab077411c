//! Finds the constructions of types: the edges of the graph, layer by layer.

use super::{Cost, Costs, Edge, Facts, Nodes, Way, relax};
use crate::facts::default_construction::is_default_constructible;
use crate::facts::factories::{creates, gives, is_kept, result_of, spelled, works_on_a_shell};
use crate::model::{
    Access, Class, ClassKind, Function, FunctionKind, Language, Param, TemplateArg, Type, TypeKind, Usr,
};
use crate::plan::Yield;
use crate::types::records::is_below;
use crate::types::standard::{Anatomy, anatomy, is_of_library, is_range};
use crate::types::substitution::Substitution;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Cost of a class that is made up: anything real is better.
const STUB: u32 = 60;
/// Cost of an object that nobody but its own class may destroy.
const KEPT: u32 = 10;
/// Cost of a null pointer in the place of an object that can't be had.
const NOTHING: u32 = 40;
/// Cost of memory that nothing says the meaning of.
const MEANINGLESS: u32 = 30;
/// Parameters beyond which a constructor is hardly the cheapest way.
const ARGUMENTS: usize = 12;
/// The most instantiations of one template that are looked at.
const INSTANCES: usize = 160;
/// The most factories of one class that are looked at.
const FACTORIES: usize = 24;

/// Grows a layer of nodes over those of a finished graph.
pub(super) struct Builder<'b, 'm> {
    pub(super) facts: &'b Facts<'m>,
    pub(super) below: &'b Nodes<'m>,
    pub(super) own: Nodes<'m>,
    /// How many nodes of this layer a class has: one, or of a template one for each instantiation.
    pub(super) instances: HashMap<Usr, usize>,
    /// Nodes whose edges are still to be found.
    pub(super) pending: Vec<(usize, Type)>,
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

    /// What is written down is looked at, however often; only what follows from it may go on for ever.
    pub(super) fn seed_one(&mut self, ty: &Type) {
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
    pub(super) fn node(&mut self, ty: &Type) -> Option<usize> {
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

    pub(super) fn known(&self, key: &(Usr, String)) -> Option<usize> {
        self.below.index.get(key).or_else(|| self.own.index.get(key)).copied()
    }

    pub(super) fn add(&mut self, key: (Usr, String), edges: Vec<usize>) -> usize {
        let node = self.below.edges_of.len() + self.own.edges_of.len();
        self.own.index.insert(key, node);
        self.own.edges_of.push(edges);
        node
    }

    /// Puts edges of one node in.
    pub(super) fn put(&mut self, node: usize, edges: Vec<Edge<'m>>) {
        let first = self.below.edges.len() + self.own.edges.len();
        let place = node - self.below.edges_of.len();
        self.own.edges_of[place] = (first..first + edges.len()).collect();
        self.own.edges.extend(edges);
    }

    /// The node of a pointer to an object: it may be null where there is no object.
    pub(super) fn pointer_node(&mut self, to: &[usize]) -> Option<usize> {
        let key = (format!("*{to:?}"), String::new());
        if let Some(known) = self.known(&key) {
            return Some(known);
        }
        let of = self.add(key, Vec::new());
        let edge =
            |base, needs| Edge { of, way: Way::Said, base, shell: false, needs, services: vec![], homes: vec![] };
        self.put(of, vec![edge(0, to.to_vec()), edge(NOTHING, Vec::new())]);
        Some(of)
    }

    /// Finds the edges of all nodes, and of those that they lead to.
    pub(super) fn grow(&mut self) {
        while let Some((node, ty)) = self.pending.pop() {
            let TypeKind::Record { usr, args, .. } = &ty.kind else { continue };
            let Some(class) = self.facts.model.classes.get(usr) else { continue };
            let mut edges = self.expand(&ty, class, args, node);
            if let Some(home) = self.facts.home(class) {
                // What is handed out by reference need not be known.
                let handed = |edge: &Edge<'_>| matches!(edge.way, Way::Factory(_, Yield::Borrowed | Yield::Reference));
                edges.iter_mut().filter(|edge| !handed(edge)).for_each(|edge| edge.homes.push(home));
            }
            if class.definition.as_ref().is_some_and(|at| !self.facts.is_sound(&at.file)) {
                edges.retain(|edge| matches!(edge.way, Way::Said));
            }
            self.put(node, edges);
        }
    }

    pub(super) fn expand(&mut self, ty: &Type, class: &'m Class, args: &[TemplateArg], of: usize) -> Vec<Edge<'m>> {
        let edge = |way, base| Edge { of, way, base, shell: false, needs: vec![], services: vec![], homes: vec![] };
        let mut edges = Vec::new();
        if self.facts.overrides.makes(&class.qualified) {
            edges.push(edge(Way::Said, 1));
        }
        if class.definition.is_none() {
            self.yielding(ty, class, of, &mut edges);
            return edges;
        }
        if class.installed.as_ref().is_some_and(|installed| installed.grid.is_some()) {
            edges.push(edge(Way::Fields, 2));
            return edges;
        }
        let with = Substitution::of(self.facts.model, class, args);
        let is_plain = !class.is_polymorphic
            && (class.kind == ClassKind::Union || class.is_aggregate || class.language == Language::C);
        if is_plain {
            let fields = class.fields.iter().filter(|f| !f.is_static && f.ty.pointee().is_none());
            let types: Vec<Type> = fields.map(|f| with.apply(&f.ty)).collect();
            let is_union = class.kind == ClassKind::Union;
            if is_union {
                edges.push(edge(Way::Fields, 1));
            } else if let Some((base, needs)) = self.requirements(&types) {
                edges.push(Edge { needs, ..edge(Way::Fields, 1 + base) });
            }
            if class.language == Language::C {
                return edges;
            }
        }
        if class.is_abstract {
            for usr in self.facts.hierarchy.concrete_subtypes(&class.usr) {
                if self.facts.model.classes.get(&usr).is_some_and(|sub| is_below(self.facts.model, sub, ty))
                    && let Some(sub) = self.class_type(&usr)
                    && let Some(node) = self.node(&sub)
                {
                    // One that is only declared is no subtype of anything there, even where a function hands it out.
                    let homes = self
                        .facts
                        .model
                        .classes
                        .get(&usr)
                        .and_then(|class| self.facts.home(class))
                        .into_iter()
                        .collect();
                    edges.push(Edge { needs: vec![node], homes, ..edge(Way::Subtype(sub), 1) });
                }
            }
            let ancestors = self.facts.hierarchy.ancestors(&class.usr).into_iter().collect();
            if crate::plan::implementable::to_implement(self.facts.model, &ancestors, class).is_ok() {
                edges.push(edge(Way::Stub, STUB));
            }
        } else {
            self.constructors(ty, class, &with, of, &mut edges);
            if crate::plan::implementable::is_for_subclasses(self.facts.model, class) {
                edges.push(edge(Way::Stub, STUB));
            }
        }
        for derived in crate::facts::handles::of_derived(self.facts.model, self.facts.hierarchy, ty) {
            if let Some(node) = self.node(&derived) {
                edges.push(Edge { needs: vec![node], ..edge(Way::Derived(derived), 2) });
            }
        }
        self.yielding(ty, class, of, &mut edges);
        edges
    }

    pub(super) fn constructors(
        &mut self,
        ty: &Type,
        class: &'m Class,
        with: &Substitution,
        of: usize,
        edges: &mut Vec<Edge<'m>>,
    ) {
        let first = edges.len();
        // Such an object is made, and never taken down: what somebody hands out has an owner.
        let kept = if is_kept(self.facts.model, class) { KEPT } else { 0 };
        let declared = class.constructors(self.facts.model).next().is_some();
        // A handle that is made of nothing leads nowhere.
        let leads = crate::facts::handles::target(self.facts.model, ty).is_some();
        let is_form = crate::plan::definitions::is_definition(self.facts.model, class, with);
        let mut fills = Vec::new();
        for ctor in class.constructors(self.facts.model) {
            let own = crate::plan::usual_arguments::of_constructor(
                self.facts.overrides.lexicon(),
                self.facts.model,
                ctor,
                with,
            );
            if ctor.template.is_some() && own.is_none() {
                continue;
            }
            let with = &with.clone().and(ctor, Some(class), own.as_deref().unwrap_or_default());
            let usable = !ctor.is_deleted && !ctor.is_copy_or_move && ctor.access == Some(Access::Public);
            if !usable || ctor.params.len() > ARGUMENTS {
                continue;
            }
            let Some((taken, base, needs)) = self.parameters(&ctor.params, with) else { continue };
            fills.push(ctor.params.iter().any(|p| is_range(self.facts.model, p.ty.without_ref())));
            let way = Way::Constructor(Some(ctor));
            edges.push(Edge {
                of,
                way,
                base: 1 + base + kept + if leads && taken == 0 { NOTHING } else { 0 },
                shell: taken == 0 && !is_form,
                needs,
                services: vec![],
                homes: vec![],
            });
        }
        if !declared && is_default_constructible(self.facts.model, class) {
            let way = Way::Constructor(None);
            edges.push(Edge {
                of,
                way,
                base: 1 + kept + if leads { NOTHING } else { 0 },
                shell: !is_form,
                needs: vec![],
                services: vec![],
                homes: vec![],
            });
            fills.push(false);
        }
        // Where one way fills a container and others leave it empty, those others make shells.
        if fills.contains(&true) {
            for (edge, fills) in edges[first..].iter_mut().zip(fills) {
                edge.shell |= !fills;
            }
        }
    }

    /// Factories of the class.
    pub(super) fn yielding(&mut self, ty: &Type, class: &'m Class, of: usize, edges: &mut Vec<Edge<'m>>) {
        let all = self.facts.factories.get(class.usr.as_str()).cloned().unwrap_or_default();
        let mut all: Vec<_> = all
            .into_iter()
            .filter(|(f, yields)| class.template.is_none() || gives(result_of(f, *yields), ty))
            .collect();
        // What is made for this first, then fewer parameters; a free or static function before a method.
        all.sort_by_key(|(f, _)| {
            let effort = f.params.len() + usize::from(f.kind == FunctionKind::Method) * 2;
            (self.detour(f, class), effort, f.id.clone())
        });
        all.truncate(FACTORIES);
        for (function, yields) in all {
            let owner = function.owner.as_ref();
            let (mut services, mut owners) = (Vec::new(), Vec::new());
            if matches!(function.kind, FunctionKind::Method | FunctionKind::Conversion) {
                let Some(node) = owner.and_then(|o| self.class_type(o)).and_then(|ty| self.node(&ty)) else { continue };
                // What an empty shell is asked for is no better than the shell, unless it makes something new.
                if works_on_a_shell(self.facts.overrides.lexicon(), &function.name) {
                    &mut services
                } else {
                    &mut owners
                }
                .push(node);
            }
            let template =
                owner.and_then(|usr| self.facts.model.classes.get(usr)).filter(|class| class.template.is_some());
            let with = match template.and_then(|class| {
                Some((
                    class,
                    crate::plan::usual_arguments::usual_args(
                        self.facts.overrides.lexicon(),
                        self.facts.model,
                        &self.facts.specialized,
                        class,
                    )?,
                ))
            }) {
                Some((class, args)) => Substitution::of(self.facts.model, class, &args),
                None => Substitution::default(),
            };
            let params = match yields {
                Yield::Through(place) | Yield::InPlace(place) => {
                    Cow::Owned(crate::facts::out_params::without(&function.params, place))
                }
                _ => Cow::Borrowed(&function.params),
            };
            let Some((_, base, mut needs)) = self.parameters(&params, &with) else {
                continue;
            };
            needs.extend(owners);
            let handed = match yields {
                Yield::Borrowed | Yield::Reference => 6,
                // It says whether it could, and leaves nothing where it could not.
                Yield::Through(_) | Yield::InPlace(_) => 8,
                // It may lead nowhere.
                Yield::Handle => 5,
                Yield::Value | Yield::Owned | Yield::Smart => 4,
            };
            let mut homes: Vec<&'m Path> = Vec::new();
            homes.extend(owner.and_then(|o| self.facts.model.classes.get(o)).and_then(|owner| self.facts.home(owner)));
            // What no header declares only its own file can call.
            let places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
            if places.clone().all(|extent| self.facts.mains.contains(extent.file.as_path())) {
                homes.extend(places.map(|extent| extent.file.as_path()).take(1));
            }
            let base = base + handed + self.detour(function, class);
            let way = Way::Factory(function, yields);
            edges.push(Edge { of, way, base, shell: false, needs, services, homes });
        }
    }

    /// What speaks against a factory: a function that creates hardly ever yields null, one that looks something up
    /// often does; a method of a base that yields a subclass is a cast, not a way to an object, and so is a function
    /// that takes nothing but an object of a base.
    pub(super) fn detour(&self, function: &Function, class: &Class) -> u32 {
        let owner = function.owner.as_ref();
        let is_asked = matches!(function.kind, FunctionKind::Method | FunctionKind::Conversion);
        let is_kin = |o: &Usr| *o == class.usr || self.facts.hierarchy.ancestors(&class.usr).contains(o);
        let takes_kin = || match function.params.as_slice() {
            [only] => {
                let to = crate::facts::handles::innermost(self.facts.model, only.ty.without_ref(), 0);
                to.as_ref().and_then(Type::record).is_some_and(is_kin)
            }
            _ => false,
        };
        let makes =
            creates(self.facts.overrides.lexicon(), &function.name) || function.result.record() == Some(&class.usr);
        let is_cast = if is_asked { owner.is_some_and(is_kin) } else { !makes && takes_kin() };
        let is_const = match &function.result.kind {
            TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => to.is_const,
            _ => false,
        };
        let creates = creates(self.facts.overrides.lexicon(), &function.name)
            || !matches!(function.result.kind, TypeKind::Pointer(_));
        u32::from(is_cast) * 40 + u32::from(!creates) * 4 + u32::from(is_const) * 2
    }

    /// How many of the parameters can be given, and what that takes; from a default on, what can't be made is left.
    pub(super) fn parameters(&mut self, params: &[Param], with: &Substitution) -> Option<(usize, u32, Vec<usize>)> {
        let params = &*with.spread_params(params);
        let (mut sum, mut all) = (0, Vec::new());
        for (taken, param) in params.iter().enumerate() {
            match self.requirement(&with.apply(&param.ty)) {
                Some((base, needs)) => {
                    sum += base;
                    all.extend(needs);
                }
                None if param.default.is_some() => return Some((taken, sum, all)),
                None => return None,
            }
        }
        Some((params.len(), sum, all))
    }

    pub(super) fn requirements(&mut self, types: &[Type]) -> Option<(u32, Vec<usize>)> {
        let (mut sum, mut all) = (0, Vec::new());
        for ty in types {
            let (base, needs) = self.requirement(ty)?;
            sum += base;
            all.extend(needs);
        }
        Some((sum, all))
    }

    /// What a value of a type takes: a cost, and objects of classes; none where there is no way to one.
    pub(super) fn requirement(&mut self, ty: &Type) -> Option<(u32, Vec<usize>)> {
        let plus = |cost: u32, inner: Option<(u32, Vec<usize>)>| inner.map(|(base, needs)| (base + cost, needs));
        match &ty.kind {
            TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) => self.requirement(to),
            TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::NullPtr => Some((1, Vec::new())),
            TypeKind::Array(element, _) => plus(2, self.requirement(element)),
            TypeKind::Pointer(to) => match &to.kind {
                TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Function { .. } => Some((2, Vec::new())),
                TypeKind::Record { name, .. } if name == "_IO_FILE" => Some((2, Vec::new())),
                TypeKind::Record { .. } => match self.requirement(to) {
                    Some((base, needs)) if !needs.is_empty() => {
                        let node = self.pointer_node(&needs)?;
                        Some((base + 2, vec![node]))
                    }
                    found => Some(found.map_or((NOTHING, Vec::new()), |(base, needs)| (base + 2, needs))),
                },
                TypeKind::Array(..) => plus(2, self.requirement(to)),
                // Bytes of which nothing says what they are to be.
                TypeKind::Void => Some((MEANINGLESS, Vec::new())),
                TypeKind::Pointer(inner) if !matches!(inner.kind, TypeKind::Function { .. }) => {
                    plus(2, self.requirement(to))
                }
                _ => None,
            },
            TypeKind::Record { name, usr, .. } => {
                if !self.facts.model.classes.contains_key(usr) && self.facts.overrides.makes(name) {
                    return Some((1, Vec::new()));
                }
                // Of what owns one.
                if name == "_IO_FILE" {
                    return Some((2, Vec::new()));
                }
                if is_of_library(self.facts.model, name) {
                    let Anatomy { parts, .. } = anatomy(self.facts.model, ty)?;
                    let types: Vec<Type> = parts.into_iter().map(|(_, ty)| ty).collect();
                    return plus(2, self.requirements(&types));
                }
                self.node(ty).map(|node| (0, vec![node]))
            }
            TypeKind::Void
            | TypeKind::Function { .. }
            | TypeKind::MemberPointer
            | TypeKind::Dependent(_)
            | TypeKind::Unknown(_) => None,
        }
    }

    pub(super) fn class_type(&self, usr: &Usr) -> Option<Type> {
        let class = self.facts.model.classes.get(usr)?;
        let args = crate::plan::usual_arguments::usual_args(
            self.facts.overrides.lexicon(),
            self.facts.model,
            &self.facts.specialized,
            class,
        )?;
        Some(crate::types::records::record_type(self.facts.model, class, args))
    }
}
