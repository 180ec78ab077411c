//! The state of growing a tree, and helpers for all its parts.

use super::source::Source;
use crate::parse::names::is_function;
use crate::parse::reader::Reader;
use crate::parse::types;
use crate::tree::{Entity as Of, Kind, Node, Role, Span};
use clang::{Entity, EntityKind, StorageClass};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Cursors that nest deeper than this are not described: nobody's stack is to overflow over a tree.
pub(super) const DEEPEST: usize = 600;

/// Makes the trees of one file.
pub(super) struct Grower<'tu> {
    pub(super) reader: Reader<'tu>,
    pub(super) source: Source,
    pub(super) types: Vec<crate::model::Type>,
    /// Indices into `types`, by how clang spells a type and what it is.
    pub(super) type_names: HashMap<(String, String), Option<u32>>,
    pub(super) depth: usize,
}

/// A cursor and where it stands: its span, and whether all of it is from one macro expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot<'tu> {
    pub(super) entity: Entity<'tu>,
    pub(super) span: Span,
    pub(super) in_macro: bool,
}

impl<'tu> Grower<'tu> {
    /// Where a cursor stands in the file; none where nobody wrote it there.
    pub(super) fn spot(&mut self, entity: Entity<'tu>) -> Option<Spot<'tu>> {
        let [(start, _), (end, in_argument)] = self.reader.files.ends(entity.get_range()?)?;
        let path = &self.source.text.path;
        if start.file.path != *path || end.file.path != *path {
            return None;
        }
        let first = self.source.expansion(start.offset);
        let last = match in_argument {
            true => self.source.expansion(end.offset),
            false => self.source.expansion(end.offset.checked_sub(1)?),
        };
        let span = Span {
            start: first.map_or(start.offset, |first| first.start),
            end: last.map_or(end.offset, |last| last.end),
        };
        let in_macro = first.is_some_and(|first| span.end <= first.end);
        (span.start < span.end).then_some(Spot { entity, span, in_macro })
    }

    /// A node; its children are put in order.
    pub(super) fn node(&mut self, kind: Kind, role: Role, spot: Spot<'tu>, children: Vec<Node>) -> Node {
        let ty = self.ty(spot.entity);
        let children = in_order(children);
        Node { kind, role, span: spot.span, in_macro: spot.in_macro, ty, children }
    }

    /// A part of its parent; marked where it does not look as it must.
    pub(super) fn part(&mut self, kind: Kind, spot: Spot<'tu>, children: Vec<Node>, as_it_must: bool) -> Node {
        checked(self.node(kind, Role::Part, spot, children), as_it_must)
    }

    /// Where the expressions right below a cursor stand.
    pub(super) fn spots(&mut self, entity: Entity<'tu>) -> Vec<Spot<'tu>> {
        expressions_of(entity).into_iter().filter_map(|child| self.spot(child)).collect()
    }

    /// The index of an expression's or variable's type.
    pub(super) fn ty(&mut self, entity: Entity<'tu>) -> Option<u32> {
        let ty = entity.get_type()?;
        let name = ty.get_display_name();
        // `<dependent type>`, `<bound member function type>`.
        if name.is_empty() || name.starts_with('<') || entity.is_statement() {
            return None;
        }
        let key = (name, ty.get_canonical_type().get_display_name());
        if let Some(known) = self.type_names.get(&key) {
            return *known;
        }
        let is_volatile = ty.get_canonical_type().is_volatile_qualified();
        let mut ty = types::model_type(&mut self.reader, ty);
        if is_volatile && !ty.spelling.contains("volatile") {
            // A name that somebody gave to a volatile type does not show it.
            ty.spelling.insert_str(0, "volatile ");
        }
        let index = self.types.iter().position(|known| *known == ty).unwrap_or_else(|| {
            self.types.push(ty);
            self.types.len() - 1
        });
        let index = u32::try_from(index).ok();
        self.type_names.insert(key, index);
        index
    }

    /// USR of what is referred to: of an instantiation, the template's.
    pub(super) fn target(&mut self, reference: Option<Entity<'tu>>) -> String {
        match reference {
            Some(reference) => {
                let primary = self.reader.primary(reference);
                self.reader.usr(primary)
            }
            None => String::new(),
        }
    }

    /// One level deeper, where that is not too deep.
    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        Some(result)
    }
}

/// Nodes in order of the source. Those that share a macro's expansion become one; what lies within another was written
/// by nobody.
pub(super) fn in_order(mut nodes: Vec<Node>) -> Vec<Node> {
    nodes.sort_by_key(|node| (node.span.start, Reverse(node.span.end)));
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let Some(last) = out.last_mut().filter(|last| node.span.start < last.span.end) else {
            out.push(node);
            continue;
        };
        if !last.in_macro && !node.in_macro && node.span.end <= last.span.end {
            continue;
        }
        let end = last.span.end.max(node.span.end);
        if !matches!(&last.kind, Kind::Other(name) if name == "Macro") {
            let whole = Node {
                kind: Kind::Other("Macro".into()),
                role: last.role,
                span: last.span,
                in_macro: true,
                ty: None,
                children: Vec::new(),
            };
            let first = std::mem::replace(last, whole);
            last.children.push(first);
        }
        last.span.end = end;
        last.children.push(node);
        last.children.iter_mut().for_each(mark);
    }
    out
}

/// Marks a node, and what is below it: but for statements that stand as they are written.
pub(super) fn mark(node: &mut Node) {
    node.in_macro = true;
    mark_below(node);
}

pub(super) fn mark_below(node: &mut Node) {
    for child in &mut node.children {
        if !child.kind.is_statement() {
            mark(child);
        } else if child.in_macro {
            mark_below(child);
        }
    }
}

/// Marks the node where it does not look as it must.
pub(super) fn checked(mut node: Node, as_it_must: bool) -> Node {
    if !as_it_must && !node.in_macro {
        mark(&mut node);
    }
    node
}

/// Whether a cursor is an expression (or something newer than what libclang's interface has names for).
pub(super) fn is_expression(entity: Entity<'_>) -> bool {
    entity.is_expression()
}

/// The expressions right below a cursor.
pub(super) fn expressions_of<'tu>(entity: Entity<'tu>) -> Vec<Entity<'tu>> {
    entity.get_children().into_iter().filter(|child| is_expression(*child)).collect()
}

/// The kind of entity that a name refers to.
pub(super) fn entity_of(target: Entity<'_>) -> Of {
    let kind = target.get_template_kind().filter(|_| target.get_kind() == EntityKind::FunctionTemplate);
    match kind.unwrap_or(target.get_kind()) {
        EntityKind::ParmDecl => Of::Parameter,
        EntityKind::FieldDecl => Of::Field,
        EntityKind::EnumConstantDecl => Of::Enumerator,
        EntityKind::FunctionDecl => Of::Function,
        EntityKind::Method | EntityKind::Constructor | EntityKind::Destructor | EntityKind::ConversionFunction => {
            Of::Method
        }
        EntityKind::VarDecl => {
            let in_function = target.get_semantic_parent().is_some_and(|parent| is_function(parent.get_kind()));
            let is_static = matches!(target.get_storage_class(), Some(StorageClass::Static | StorageClass::Extern));
            if in_function && !is_static { Of::Local } else { Of::Global }
        }
        // A name that a structured binding declares.
        EntityKind::UnexposedDecl => Of::Local,
        _ => Of::Other,
    }
}
