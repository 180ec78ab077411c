//! Finds where a mutant's body differs from the original's: the path from the body down to the smallest pair of nodes
//! that contains every difference.

use super::view::View;
use crate::tree::{Kind, Node};
use std::ops::Range;

/// Nodes at the same place of the original and the mutated body, from the bodies down to the difference.
pub struct Change<'t> {
    /// The last pair is the smallest that contains the whole difference.
    pub path: Vec<(&'t Node, &'t Node)>,
    /// The children of the last pair that differ.
    pub children: (Range<usize>, Range<usize>),
}

impl<'t> Change<'t> {
    /// `None` if the bodies are equal.
    pub fn between(original: &'t Node, mutated: &'t Node, view: &View<'_>) -> Option<Self> {
        if view.same(original.span, mutated.span) {
            return None;
        }
        let mut path = vec![(original, mutated)];
        loop {
            let (a, b) = path[path.len() - 1];
            let equal = |x: &&Node, y: &&Node| x.role == y.role && alike(x, y) && view.same(x.span, y.span);
            let pairs = || a.children.iter().zip(&b.children);
            let head = pairs().take_while(|(x, y)| equal(x, y)).count();
            let most = a.children.len().min(b.children.len()) - head;
            let tail = a.children.iter().rev().zip(b.children.iter().rev());
            let tail = tail.take(most).take_while(|(x, y)| equal(x, y)).count();
            let children = (head..a.children.len() - tail, head..b.children.len() - tail);
            let only = children.0.len() == 1 && children.1.len() == 1 && own_is_equal(a, b, view);
            let next = only.then(|| (&a.children[head], &b.children[head]));
            match next.filter(|(x, y)| x.role == y.role) {
                Some((x, y)) if alike(a, b) => path.push((x, y)),
                _ => return Some(Self { path, children }),
            }
        }
    }
}

fn alike(a: &Node, b: &Node) -> bool {
    std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind)
}

/// Whether two nodes are equal apart from their children.
fn own_is_equal(a: &Node, b: &Node, view: &View<'_>) -> bool {
    let (Some(own), Some(other)) = (view.own(a), view.own(b)) else { return false };
    own.len() == other.len() && own.iter().zip(&other).all(|(x, y)| view.same(*x, *y))
}

/// Whether a node can be an expression.
pub fn is_expression(node: &Node) -> bool {
    let none = matches!(
        node.kind,
        Kind::Label | Kind::Catch | Kind::Variable { .. } | Kind::InitList | Kind::Lambda | Kind::Other(_)
    );
    !none && !node.kind.is_statement()
}
