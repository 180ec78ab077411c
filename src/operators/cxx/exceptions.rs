//! Exceptions that are not thrown, not caught, swallowed or passed on.

use super::{Edits, Site};
use crate::model::TypeKind;
use crate::tree::{Kind, Node, Role, Span};

impl Site<'_> {
    /// Whether what comes behind this statement is the end of a function that has to return something.
    fn ends_function(&self) -> bool {
        let function = self.scene.function;
        if !self.in_lambda() && matches!(function.result.kind, TypeKind::Void) && !function.is_noreturn {
            return false;
        }
        let mut below: &Node = self.node;
        for node in self.above.iter().rev() {
            match node.kind {
                Kind::Block if node.children.last().is_none_or(|last| !std::ptr::eq(last, below)) => return false,
                Kind::While | Kind::DoWhile | Kind::For | Kind::RangeFor => return false,
                Kind::Lambda => return true,
                _ => {}
            }
            below = node;
        }
        true
    }
}

/// `throw x;` → `;`
pub(super) fn tsd(site: &Site<'_>, edits: &mut Edits<'_>) {
    let throws = site.node.kind == Kind::Expression
        && site.node.child(Role::Operand).is_some_and(|thrown| thrown.kind == Kind::Throw && !thrown.in_macro);
    if throws && !site.ends_function() {
        edits.replace(site.node.span, ";");
    }
}

/// The handler goes; with the last one goes the `try`.
pub(super) fn ehr(site: &Site<'_>, edits: &mut Edits<'_>) {
    if site.node.kind != Kind::Try {
        return;
    }
    let handlers: Vec<&Node> = site.node.children.iter().filter(|child| child.kind == Kind::Catch).collect();
    match &handlers[..] {
        [only] => {
            let is_function_block = site.above.is_empty() && !site.scene.body.initializers.is_empty();
            let Some(block) = site.node.child(Role::Then).filter(|block| !block.in_macro) else { return };
            if !only.in_macro && !is_function_block {
                let (start, end) = (site.node.span.start, site.node.span.end);
                edits.all(vec![
                    (Span { start, end: block.span.start }, String::new()),
                    (Span { start: block.span.end, end }, String::new()),
                ]);
            }
        }
        several => {
            for handler in several.iter().filter(|handler| !handler.in_macro) {
                edits.replace(handler.span, "");
            }
        }
    }
}

/// The block of a handler, where it has more than `trivial` to it.
fn handled<'a>(site: &Site<'a>, trivial: &str) -> Option<&'a Node> {
    let block = site.node.child(Role::Then).filter(|block| site.node.kind == Kind::Catch && !block.in_macro)?;
    let text: String = site.text(block.span).split_whitespace().collect();
    (text != trivial).then_some(block)
}

/// `catch (…) { … }` → `catch (…) { throw; }`
pub(super) fn ehc(site: &Site<'_>, edits: &mut Edits<'_>) {
    if let Some(block) = handled(site, "{throw;}") {
        edits.replace(block.span, "{ throw; }");
    }
}

/// `catch (…) { … }` → `catch (…) {}`
pub(super) fn exs(site: &Site<'_>, edits: &mut Edits<'_>) {
    if let Some(block) = handled(site, "{}")
        && !block.children.is_empty()
        && !site.ends_function()
    {
        edits.replace(block.span, "{}");
    }
}
