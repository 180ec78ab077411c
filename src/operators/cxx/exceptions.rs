//! Exceptions that are not thrown, not caught, swallowed or rethrown.

use crate::operators::flow::{Changed, breaks_flow};
use crate::operators::site::{Edits, Site};
use crate::tree::{Kind, Node, Role, Span};

/// `throw x;` → `;`
pub fn tsd(site: &Site<'_>, edits: &mut Edits<'_>) {
    let throws = site.node.kind == Kind::Expression
        && site.node.child(Role::Operand).is_some_and(|thrown| thrown.kind == Kind::Throw && !thrown.in_macro);
    if throws && !breaks_flow(site, Changed::Gone(site.node)) {
        edits.replace(site.node.span, ";");
    }
}

/// The handler is deleted; with the last one, the `try`.
pub fn ehr(site: &Site<'_>, edits: &mut Edits<'_>) {
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
                    (Span { start, end: block.span.start }, Vec::new()),
                    (Span { start: block.span.end, end }, Vec::new()),
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

/// The block of a handler, if it is more than `trivial`.
fn handled<'a>(site: &Site<'a>, trivial: &str) -> Option<&'a Node> {
    let block = site.node.child(Role::Then).filter(|block| site.node.kind == Kind::Catch && !block.in_macro)?;
    let text = site.bytes(block.span).iter().filter(|byte| !byte.is_ascii_whitespace());
    (!text.eq(trivial.as_bytes())).then_some(block)
}

/// `catch (…) { … }` → `catch (…) { throw; }`
pub fn ehc(site: &Site<'_>, edits: &mut Edits<'_>) {
    if let Some(block) = handled(site, "{throw;}") {
        edits.replace(block.span, "{ throw; }");
    }
}

/// `catch (…) { … }` → `catch (…) {}`
pub fn exs(site: &Site<'_>, edits: &mut Edits<'_>) {
    if let Some(block) = handled(site, "{}")
        && !block.children.is_empty()
        && !breaks_flow(site, Changed::Gone(block))
    {
        edits.replace(block.span, "{}");
    }
}
