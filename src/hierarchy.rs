//! The class-hierarchy graph, and who calls, overrides, constructs and returns what.

mod svg;

use crate::model::{Access, Class, Function, Language, Model, Scope, Usr};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write;

/// A class in the graph.
#[derive(Clone, Debug)]
struct Node {
    usr: Usr,
    label: String,
    is_abstract: bool,
    /// Some code other than its own file's can name it, and it can stand for its bases.
    is_concrete: bool,
    is_template: bool,
    /// A class of an installed library.
    is_installed: bool,
}

/// How a class derives from its base.
#[derive(Clone, Copy, Debug)]
struct Derives {
    access: Access,
    is_virtual: bool,
}

/// A function in the call graph.
#[derive(Clone, Debug)]
struct Called {
    is_public: bool,
    overrides: Vec<Usr>,
}

/// The class hierarchy and the call graph of a project.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    /// From each class to its bases.
    graph: DiGraph<Node, Derives>,
    index: HashMap<Usr, NodeIndex>,
    functions: HashMap<Usr, Called>,
    callers: HashMap<Usr, BTreeSet<Usr>>,
    overriders: HashMap<Usr, Vec<Usr>>,
}

impl Hierarchy {
    /// Builds the graphs of a model.
    pub fn new(model: &Model) -> Self {
        let mut hierarchy = Hierarchy::default();
        let mut classes: Vec<&Class> =
            model.classes.values().filter(|class| class.definition.is_some() && !class.name.is_empty()).collect();
        classes.sort_by(|a, b| (&a.qualified, &a.usr).cmp(&(&b.qualified, &b.usr)));
        for class in &classes {
            let node = Node {
                usr: class.usr.clone(),
                label: label(class),
                is_abstract: class.is_abstract,
                is_concrete: !class.is_abstract && !in_function(model, class),
                is_template: class.template.is_some(),
                is_installed: class.installed.is_some(),
            };
            let at = hierarchy.graph.add_node(node);
            hierarchy.index.insert(class.usr.clone(), at);
        }
        for class in &classes {
            for base in &class.bases {
                if let Some(to) = base.ty.record().and_then(|usr| hierarchy.index.get(usr)) {
                    let how = Derives { access: base.access, is_virtual: base.is_virtual };
                    hierarchy.graph.add_edge(hierarchy.index[&class.usr], *to, how);
                }
            }
        }
        for function in model.functions.values() {
            hierarchy.add_function(model, function);
        }
        hierarchy
    }

    fn add_function(&mut self, model: &Model, function: &Function) {
        let called = Called { is_public: is_public(model, function), overrides: function.overrides.clone() };
        self.functions.insert(function.usr.clone(), called);
        for base in &function.overrides {
            self.overriders.entry(base.clone()).or_default().push(function.usr.clone());
        }
        // (In C++ what is handed on is mostly called at once, by an algorithm; in C somebody keeps it.)
        let is_kept = |callee: &Usr| {
            function.language == Language::C && function.definition.iter().any(|d| d.hands_on.contains(callee))
        };
        for callee in function.definition.iter().flat_map(|definition| &definition.calls) {
            if *callee == function.usr || is_kept(callee) {
                continue;
            }
            self.callers.entry(callee.clone()).or_default().insert(function.usr.clone());
        }
    }

    fn reach(&self, usr: &Usr, direction: Direction) -> Vec<NodeIndex> {
        let Some(&start) = self.index.get(usr) else { return Vec::new() };
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([start]);
        let mut order = Vec::new();
        while let Some(at) = queue.pop_front() {
            let mut next: Vec<NodeIndex> = self.graph.neighbors_directed(at, direction).collect();
            next.sort();
            for node in next {
                if seen.insert(node) {
                    order.push(node);
                    queue.push_back(node);
                }
            }
        }
        order
    }

    fn usrs(&self, nodes: Vec<NodeIndex>) -> impl Iterator<Item = Usr> {
        nodes.into_iter().map(|node| self.graph[node].usr.clone())
    }

    /// A class's name with its template parameters, and whether it is abstract.
    pub fn class(&self, usr: &Usr) -> Option<(&str, bool)> {
        let node = &self.graph[*self.index.get(usr)?];
        Some((&node.label, node.is_abstract))
    }

    /// The names of the classes that a class derives from directly, in the order of its definition.
    pub fn bases(&self, usr: &Usr) -> Vec<&str> {
        let Some(&start) = self.index.get(usr) else { return Vec::new() };
        let mut edges: Vec<_> = self.graph.edges_directed(start, Direction::Outgoing).collect();
        edges.sort_by_key(|edge| edge.id());
        edges.into_iter().map(|edge| self.graph[edge.target()].label.as_str()).collect()
    }

    /// All classes that a class derives from, itself not among them.
    pub fn ancestors(&self, usr: &Usr) -> BTreeSet<Usr> {
        self.usrs(self.reach(usr, Direction::Outgoing)).collect()
    }

    /// All classes that derive from a class, nearest first, itself not among them.
    pub fn descendants(&self, usr: &Usr) -> Vec<Usr> {
        self.usrs(self.reach(usr, Direction::Incoming)).collect()
    }

    /// The descendants that objects can be made of, nearest first, then by name; class templates included. What has the
    /// base more than once in it can't stand for it.
    pub fn concrete_subtypes(&self, usr: &Usr) -> Vec<Usr> {
        let Some(&base) = self.index.get(usr) else { return Vec::new() };
        let mut nodes = self.reach(usr, Direction::Incoming);
        // (Of a template several instantiations may be bases; which of them is meant is not known here.)
        let stands_for = |node| self.graph[base].is_template || self.times(base, node, &mut BTreeSet::new()) == 1;
        nodes.retain(|node| self.graph[*node].is_concrete && stands_for(*node));
        self.usrs(nodes).collect()
    }

    /// How many objects of the base are in one of the class.
    fn times(&self, base: NodeIndex, class: NodeIndex, shared: &mut BTreeSet<NodeIndex>) -> usize {
        if class == base {
            return 1;
        }
        let mut count = 0;
        for edge in self.graph.edges_directed(class, Direction::Outgoing) {
            if !edge.weight().is_virtual || shared.insert(edge.target()) {
                count += self.times(base, edge.target(), shared);
            }
        }
        count
    }

    /// All methods that override a method, directly or through another.
    pub fn overriders(&self, method: &Usr) -> Vec<Usr> {
        let mut seen = BTreeSet::new();
        let mut queue = VecDeque::from([method.clone()]);
        let mut order = Vec::new();
        while let Some(at) = queue.pop_front() {
            for next in self.overriders.get(&at).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    order.push(next.clone());
                    queue.push_back(next.clone());
                }
            }
        }
        order
    }

    /// All methods that a method overrides, directly or through another.
    pub fn overridden(&self, method: &Usr) -> Vec<Usr> {
        let mut seen = BTreeSet::new();
        let mut queue = VecDeque::from([method.clone()]);
        let mut order = Vec::new();
        while let Some(at) = queue.pop_front() {
            for next in self.functions.get(&at).into_iter().flat_map(|function| &function.overrides) {
                if seen.insert(next.clone()) {
                    order.push(next.clone());
                    queue.push_back(next.clone());
                }
            }
        }
        order
    }

    /// The functions that call a function by name.
    pub fn callers(&self, function: &Usr) -> impl Iterator<Item = &Usr> {
        self.callers.get(function).into_iter().flatten()
    }

    /// The public methods and free functions through which a function runs, nearest first: its callers and theirs;
    /// for an overrider also the method that it overrides and whoever calls that.
    pub fn public_callers(&self, function: &Usr) -> Vec<Usr> {
        self.public_callers_and(function, |_| Vec::new())
    }

    /// The same, where `also` tells of further callers of a function.
    pub fn public_callers_and(&self, function: &Usr, also: impl Fn(&Usr) -> Vec<Usr>) -> Vec<Usr> {
        const MOST: usize = 256;
        let mut seen = BTreeSet::from([function.clone()]);
        let mut layer = vec![function.clone()];
        let mut found = Vec::new();
        while !layer.is_empty() && found.len() < MOST {
            // A call of an overridden method may be a call of this one: as near as the method itself.
            let mut bases: Vec<Usr> = layer.iter().flat_map(|usr| self.overridden(usr)).collect();
            bases.retain(|usr| seen.insert(usr.clone()));
            found.extend(bases.iter().filter(|usr| self.is_public(usr)).cloned());
            layer.extend(bases);
            let mut next: Vec<Usr> = layer.iter().flat_map(|usr| self.callers(usr)).cloned().collect();
            next.sort();
            // (Those are less certain.)
            next.extend(layer.iter().flat_map(&also));
            next.retain(|usr| seen.insert(usr.clone()));
            found.extend(next.iter().filter(|usr| self.is_public(usr)).cloned());
            layer = next;
        }
        found
    }

    fn is_public(&self, function: &Usr) -> bool {
        self.functions.get(function).is_some_and(|function| function.is_public)
    }

    /// Of installed libraries only what the project's classes derive from.
    fn is_drawn(&self, node: NodeIndex) -> bool {
        let mut below = self.graph.neighbors_directed(node, petgraph::Direction::Incoming);
        !self.graph[node].is_installed || below.any(|class| self.is_drawn(class))
    }

    /// The class hierarchy in Graphviz's language: from each class to its bases.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph classes {\n  rankdir = BT;\n  node [shape = box];\n");
        for node in self.graph.node_indices().filter(|node| self.is_drawn(*node)) {
            let Node { label, is_abstract, .. } = &self.graph[node];
            let style = if *is_abstract { ", style = dashed" } else { "" };
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "  c{} [label = \"{label}\"{style}];", node.index());
        }
        for edge in self.graph.edge_references().filter(|edge| self.is_drawn(edge.source())) {
            let style = match edge.weight() {
                Derives { is_virtual: true, .. } => ", label = \"virtual\"",
                Derives { access: Access::Protected, .. } => ", label = \"protected\"",
                Derives { access: Access::Private, .. } => ", label = \"private\"",
                Derives { .. } => "",
            };
            let (from, to) = (edge.source().index(), edge.target().index());
            let _ = writeln!(out, "  c{from} -> c{to} [arrowhead = onormal{style}];");
        }
        out.push_str("}\n");
        out
    }

    /// The class hierarchy as a Mermaid class diagram.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("classDiagram\n");
        for node in self.graph.node_indices().filter(|node| self.is_drawn(*node)) {
            let Node { label, is_abstract, .. } = &self.graph[node];
            let label = label.replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;");
            let _ = writeln!(out, "  class c{}[\"{label}\"]", node.index());
            if *is_abstract {
                let _ = writeln!(out, "  <<abstract>> c{}", node.index());
            }
        }
        for edge in self.graph.edge_references().filter(|edge| self.is_drawn(edge.source())) {
            let _ = writeln!(out, "  c{} <|-- c{}", edge.target().index(), edge.source().index());
        }
        out
    }
}

/// The class's name with its template parameters.
fn label(class: &Class) -> String {
    match &class.template {
        Some(params) => {
            let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            format!("{}<{}>", class.qualified, names.join(", "))
        }
        None => class.qualified.clone(),
    }
}

/// A class within a function can't be named outside it: it has no scopes, yet its name stands within a body.
fn in_function(model: &Model, class: &Class) -> bool {
    let Some(definition) = &class.definition else { return false };
    class.scopes.is_empty() && class.is_file_local && {
        let covering = model.function_at(&definition.file, definition.start);
        covering.is_some()
    }
}

/// Whether user code may call the function: public in classes that are public, or free and not confined to its file.
fn is_public(model: &Model, function: &Function) -> bool {
    if function.is_file_local || matches!(function.access, Some(Access::Private | Access::Protected)) {
        return false;
    }
    let mut scopes = &function.scopes;
    while let Some(class) = scopes.iter().rev().find_map(|scope| match scope {
        Scope::Class(usr) => model.classes.get(usr),
        Scope::Namespace { .. } => None,
    }) {
        if matches!(class.access, Some(Access::Private | Access::Protected)) {
            return false;
        }
        scopes = &class.scopes;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    fn usr_of(model: &Model, qualified: &str) -> Usr {
        let class = model.classes.values().find(|class| class.qualified == qualified).map(|class| class.usr.clone());
        class
            .or_else(|| model.functions.values().find(|f| f.qualified == qualified).map(|f| f.usr.clone()))
            .unwrap_or_else(|| panic!("{qualified}"))
    }

    fn names(model: &Model, usrs: impl IntoIterator<Item = Usr>) -> Vec<String> {
        let name = |usr: Usr| match model.classes.get(&usr) {
            Some(class) => class.qualified.clone(),
            None => model.functions[&usr].qualified.clone(),
        };
        usrs.into_iter().map(name).collect()
    }

    const MISSIONS: &str = "
        struct Mission { virtual ~Mission() {} virtual int kind() const = 0; int run() { return step() + 1; }
         protected: virtual int step() { return 0; } };
        struct Static : Mission { int kind() const override { return 1; }
         private: int step() override { return helper(); } int helper() { return 3; } };
        template <class T> struct Dynamic : virtual Mission { int kind() const override { return 2; } T t; };
        struct Middle : Mission { };
        struct Last : private Middle { int kind() const override { return 4; } };
        static int local(Mission &m) { return m.run(); }
        int outer(Mission &m) { return local(m); }
        Static *make() { return new Static; }
    ";

    #[test]
    fn concrete_subtypes_leave_out_what_is_still_abstract() {
        let model = read_cpp(MISSIONS);
        let hierarchy = Hierarchy::new(&model);
        let mission = usr_of(&model, "Mission");
        assert_eq!(names(&model, hierarchy.concrete_subtypes(&mission)), ["Dynamic", "Static", "Last"]);
        assert_eq!(names(&model, hierarchy.descendants(&mission)), ["Dynamic", "Middle", "Static", "Last"]);
        let last = usr_of(&model, "Last");
        assert_eq!(names(&model, hierarchy.ancestors(&last)).len(), 2);
        assert_eq!(hierarchy.bases(&last), ["Middle"]);
        assert_eq!(hierarchy.class(&mission), Some(("Mission", true)));
        assert_eq!(hierarchy.overriders(&usr_of(&model, "Mission::kind")).len(), 3);
    }

    #[test]
    fn what_has_a_base_twice_does_not_stand_for_it_and_what_shares_it_does() {
        let model = read_cpp(
            "struct A { virtual ~A() {} }; struct B : A {}; struct C : A {}; struct Twice : B, C {};\n\
             struct D : virtual A {}; struct E : virtual A {}; struct Shared : D, E {}; struct Both : D, B {};\n\
             template <class T> struct Of { virtual ~Of() {} T t; }; struct Two : Of<int>, Of<long> {};",
        );
        let hierarchy = Hierarchy::new(&model);
        let a = usr_of(&model, "A");
        assert_eq!(names(&model, hierarchy.concrete_subtypes(&a)), ["B", "C", "D", "E", "Shared"]);
        assert_eq!(names(&model, hierarchy.concrete_subtypes(&usr_of(&model, "B"))), ["Both", "Twice"]);
        assert_eq!(names(&model, hierarchy.concrete_subtypes(&usr_of(&model, "Of"))), ["Two"]);
    }

    #[test]
    fn a_private_override_runs_through_the_bases_public_method() {
        let model = read_cpp(MISSIONS);
        let hierarchy = Hierarchy::new(&model);
        let step = usr_of(&model, "Static::step");
        assert_eq!(names(&model, hierarchy.public_callers(&step)), ["Mission::run", "outer"]);
        let helper = usr_of(&model, "Static::helper");
        assert_eq!(names(&model, hierarchy.public_callers(&helper)), ["Mission::run", "outer"]);
    }

    #[test]
    fn the_graph_is_written_for_graphviz_and_mermaid() {
        let model = read_cpp("struct B { virtual int f() = 0; }; template <class T> struct D : virtual B { T t; };");
        let hierarchy = Hierarchy::new(&model);
        assert_eq!(
            hierarchy.dot(),
            "digraph classes {\n  rankdir = BT;\n  node [shape = box];\n  c0 [label = \"B\", style = dashed];\n  \
             c1 [label = \"D<T>\", style = dashed];\n  c1 -> c0 [arrowhead = onormal, label = \"virtual\"];\n}\n"
        );
        assert_eq!(
            hierarchy.mermaid(),
            "classDiagram\n  class c0[\"B\"]\n  <<abstract>> c0\n  class c1[\"D#lt;T#gt;\"]\n  <<abstract>> c1\n  \
             c0 <|-- c1\n"
        );
    }

    #[test]
    fn the_graph_is_a_picture_with_bases_above_what_derives_from_them() {
        let svg = Hierarchy::new(&read_cpp(MISSIONS)).svg();
        let line_of = |name: &str| svg.lines().position(|line| line.contains(&format!(">{name}</tspan>"))).unwrap();
        let height = |name: &str| {
            let (_, y) = svg.lines().nth(line_of(name)).unwrap().split_once(" y=\"").unwrap();
            y.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        for (base, class) in [("Mission", "Static"), ("Mission", "Dynamic&lt;T&gt;"), ("Middle", "Last")] {
            assert!(height(base) < height(class), "{base} over {class} in\n{svg}");
        }
        assert!(svg.contains(">private</") && svg.contains(">virtual</"), "{svg}");
        assert!(Hierarchy::new(&read_cpp("int f();")).svg().trim_end().ends_with("</svg>"));
    }
}
