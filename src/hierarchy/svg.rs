//! The class hierarchy as a picture, for those who have no Graphviz.

use super::{Derives, Hierarchy, Node};
use crate::model::Access;
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use petgraph::visit::EdgeRef;
use std::collections::HashMap;

/// Half of the room that a character needs, and of that around a label.
const HALF: (f64, f64) = (4.5, 14.0);

impl Hierarchy {
    /// The class hierarchy as SVG: bases stand above what derives from them, abstract classes have round corners.
    pub fn svg(&self) -> String {
        let mut picture = VisualGraph::new(Orientation::TopToBottom);
        let drawn = self.graph.node_indices().filter(|node| self.is_drawn(*node));
        let boxes: HashMap<_, _> = drawn.map(|node| (node, picture.add_node(of_class(&self.graph[node])))).collect();
        for edge in self.graph.edge_references() {
            if let (Some(class), Some(base)) = (boxes.get(&edge.source()), boxes.get(&edge.target())) {
                picture.add_edge(of_base(edge.weight()), *base, *class);
            }
        }
        let mut writer = SVGWriter::new();
        if !boxes.is_empty() {
            picture.do_it(false, false, false, &mut writer);
        }
        writer.finalize()
    }
}

fn look(rounded: usize) -> StyleAttr {
    StyleAttr::new(Color::fast("black"), 1, Some(Color::fast("white")), rounded, 14)
}

fn of_class(node: &Node) -> Element {
    let width = 2.0 * (HALF.0 * node.label.chars().count() as f64 + HALF.1);
    let shape = ShapeKind::new_box(&node.label);
    let rounded = if node.is_abstract { 12 } else { 0 };
    Element::create(shape, look(rounded), Orientation::TopToBottom, Point::new(width, 2.0 * HALF.1))
}

/// The arrow stands at the base, which is where the edge begins.
fn of_base(how: &Derives) -> Arrow {
    let (text, line) = match how {
        Derives { is_virtual: true, .. } => ("virtual", LineStyleKind::Normal),
        Derives { access: Access::Protected, .. } => ("protected", LineStyleKind::Dashed),
        Derives { access: Access::Private, .. } => ("private", LineStyleKind::Dashed),
        Derives { .. } => ("", LineStyleKind::Normal),
    };
    Arrow::new(LineEndKind::Arrow, LineEndKind::None, line, text, &look(0), &None, &None)
}
