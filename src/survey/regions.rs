//! Regions of a body, as in source-based coverage: its beginning, the branches of conditions, the code after an early
//! return. An instrumented copy of the text notes the entered regions.

use crate::tree::{Body, Kind, Node, Role, Span};

/// Code that runs to its end once it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its start.
    pub start: u32,
    /// It only leaves the enclosing code: a `return`, a `throw`, a `break` and no more.
    pub leaves: bool,
}

/// The regions of one body, the first being the body itself, and the insertions that note them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// In order of discovery.
    pub all: Vec<Region>,
    /// Offset, kind of insertion, text; in this order.
    insertions: Vec<(u32, Place, String)>,
}

/// The kind of an insertion at an offset: closing ones come before opening ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Closes,
    Follows,
    Opens,
}

/// How a body is instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noting {
    /// C++.
    pub cxx: bool,
    /// The compiler may evaluate the body: it must not note anything then.
    pub constant: bool,
}

impl Noting {
    fn expression(self, number: usize) -> String {
        let scope = if self.cxx { "::" } else { "" };
        let note = format!("{scope}motif_regions[{number}] = 1");
        if self.constant { format!("(__builtin_is_constant_evaluated() ? 0 : ({note}))") } else { format!("({note})") }
    }
}

impl Regions {
    /// The regions of `body` in a file with the text `source`.
    pub fn of(body: &Body, source: &[u8], noting: Noting) -> Self {
        let mut finder = Finder { source, noting, regions: Self::default() };
        // The body of a function-try-block is below the `try`.
        let block = if body.root.kind == Kind::Try { body.root.child(Role::Then) } else { Some(&body.root) };
        match block {
            Some(block) if finder.is_block(block) => {
                finder.inside(block, false);
                finder.walk(&body.root);
            }
            _ => {}
        }
        finder.regions.insertions.sort_by_key(|(offset, place, _)| (*offset, *place));
        finder.regions
    }

    /// The instrumented text; no line is moved.
    pub fn noted(&self, source: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(source.len() + self.insertions.len() * 32);
        let mut at = 0;
        for (offset, _, text) in &self.insertions {
            let offset = *offset as usize;
            out.extend_from_slice(source.get(at..offset).unwrap_or_default());
            out.extend_from_slice(text.as_bytes());
            at = offset;
        }
        out.extend_from_slice(source.get(at..).unwrap_or_default());
        out
    }

    /// Whether an entered region is beyond the first branch, other than an immediate return.
    pub fn is_deep(&self, entered: &[bool]) -> bool {
        let was = |at: usize| entered.get(at).copied().unwrap_or_default();
        let beyond: Vec<usize> = (1..self.all.len()).collect();
        let inner: Vec<usize> = beyond.iter().copied().filter(|at| !self.all[*at].leaves).collect();
        match (beyond.is_empty(), inner.is_empty()) {
            (true, _) => was(0),
            // The body only chooses between returns.
            (false, true) => beyond.into_iter().any(was),
            (false, false) => inner.into_iter().any(was),
        }
    }
}

struct Finder<'s> {
    source: &'s [u8],
    noting: Noting,
    regions: Regions,
}

impl Finder<'_> {
    fn is_block(&self, node: &Node) -> bool {
        node.kind == Kind::Block && !node.in_macro && self.source.get(node.span.start as usize) == Some(&b'{')
    }

    fn region(&mut self, start: u32, leaves: bool) -> String {
        self.regions.all.push(Region { start, leaves });
        self.noting.expression(self.regions.all.len() - 1)
    }

    fn insert(&mut self, offset: u32, place: Place, text: String) {
        self.regions.insertions.push((offset, place, text));
    }

    /// The region of a block.
    fn inside(&mut self, block: &Node, leaves: bool) {
        let note = self.region(block.span.start + 1, leaves);
        self.insert(block.span.start + 1, Place::Follows, format!(" {note};"));
    }

    /// The regions of a condition's branches.
    fn branch(&mut self, node: &Node) {
        let leaves = only_leaves(node);
        if self.is_block(node) {
            self.inside(node, leaves);
        } else if node.kind.is_statement()
            && !matches!(node.kind, Kind::Block | Kind::Declaration | Kind::Case | Kind::Default | Kind::Label)
            && self.stands_alone(node.span)
            && !node.in_macro
        {
            let note = self.region(node.span.start, leaves);
            self.insert(node.span.start, Place::Opens, format!("{{ {note}; "));
            self.insert(node.span.end, Place::Closes, " }".into());
        }
    }

    /// The statement ends where it seems to: with its `;` or `}`.
    fn stands_alone(&self, span: Span) -> bool {
        span.text(self.source).last().is_some_and(|byte| b";}".contains(byte))
    }

    /// Whether a statement may be inserted between `node` and `next`.
    fn may_follow(&self, node: &Node, next: &Node) -> bool {
        !node.in_macro && !next.in_macro && self.stands_alone(node.span) && !is_labelled(next)
    }

    fn walk(&mut self, node: &Node) {
        match node.kind {
            Kind::If if !self.is_constant_if(node) => {
                for child in node.children.iter().filter(|c| matches!(c.role, Role::Then | Role::Else)) {
                    self.branch(child);
                }
            }
            Kind::While | Kind::DoWhile | Kind::For | Kind::RangeFor => {
                if let Some(body) = node.child(Role::Then) {
                    self.branch(body);
                }
            }
            Kind::Case | Kind::Default => {
                if let Some(first) = node.child(Role::Then)
                    && !is_labelled(first)
                    && !first.in_macro
                    && !node.in_macro
                {
                    let note = self.region(first.span.start, only_leaves(first));
                    self.insert(first.span.start, Place::Opens, format!("{note}; "));
                }
            }
            Kind::Catch | Kind::Lambda => {
                if let Some(body) = node.child(Role::Then)
                    && self.is_block(body)
                {
                    self.inside(body, only_leaves(body));
                }
            }
            Kind::Block => {
                for pair in node.children.windows(2) {
                    if is_way_out(&pair[0]) && self.may_follow(&pair[0], &pair[1]) {
                        let note = self.region(pair[1].span.start, only_leaves(&pair[1]));
                        self.insert(pair[0].span.end, Place::Follows, format!(" {note};"));
                    }
                }
            }
            Kind::Binary { ref op, .. } if matches!(op.as_str(), "&&" | "||") && !node.in_macro => {
                if let Some(right) = node.child(Role::Right)
                    && !right.in_macro
                {
                    let note = self.region(right.span.start, false);
                    self.insert(right.span.start, Place::Opens, format!("({note}, ("));
                    self.insert(right.span.end, Place::Closes, "))".into());
                }
            }
            _ => {}
        }
        for child in &node.children {
            if !self.is_constant(node, child) {
                self.walk(child);
            }
        }
    }

    /// Compile-time code cannot note anything.
    fn is_constant(&self, node: &Node, child: &Node) -> bool {
        match (&node.kind, child.role) {
            (Kind::Case, Role::Condition) | (_, Role::Declared) if !matches!(child.kind, Kind::Variable { .. }) => true,
            (Kind::If, Role::Condition) => self.is_constant_if(node),
            (Kind::Declaration, _) => has_word(node.span.text(self.source), &[b"constexpr", b"static"]),
            _ => false,
        }
    }

    /// `if constexpr`: its branches do not depend on data.
    fn is_constant_if(&self, node: &Node) -> bool {
        let head = node.span.text(self.source);
        let head = &head[..head.iter().position(|byte| *byte == b'(').unwrap_or(head.len())];
        has_word(head, &[b"constexpr"])
    }
}

fn has_word(text: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| text.windows(word.len()).any(|at| at == *word))
}

fn is_labelled(node: &Node) -> bool {
    matches!(node.kind, Kind::Case | Kind::Default | Kind::Label)
}

/// An `if` without `else` that leaves: the code after it is a region.
fn is_way_out(node: &Node) -> bool {
    node.kind == Kind::If
        && node.child(Role::Else).is_none()
        && node.child(Role::Then).is_some_and(|then| match then.kind {
            Kind::Block => then.children.last().is_some_and(leaves),
            _ => leaves(then),
        })
}

fn leaves(node: &Node) -> bool {
    match node.kind {
        Kind::Return | Kind::Break | Kind::Continue | Kind::Goto => true,
        Kind::Expression => node.child(Role::Operand).is_some_and(|operand| operand.kind == Kind::Throw),
        _ => false,
    }
}

/// A statement that leaves, and nothing before it.
fn only_leaves(node: &Node) -> bool {
    match node.kind {
        Kind::Block => matches!(node.children.as_slice(), [only] if leaves(only)),
        _ => leaves(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::Small;
    use crate::parse::trees;

    /// The instrumented text of the only body, and its regions.
    fn noted(text: &str) -> (String, Regions) {
        let small = Small::new(&[("a.cpp", text)], "-std=c++17");
        small.model();
        let file = small.root.join("a.cpp");
        let trees = trees(&small.database.commands[0], &[file], &small.database, &small.options).unwrap();
        let body = trees[0].bodies.last().expect("it has a body");
        let regions = Regions::of(body, text.as_bytes(), Noting { cxx: false, constant: false });
        (String::from_utf8(regions.noted(text.as_bytes())).unwrap().replace("motif_regions", "r"), regions)
    }

    #[test]
    fn what_a_condition_leads_to_is_a_region_and_what_comes_behind_a_way_out() {
        let (text, regions) = noted("int f(int a) {\n  if (a > 2) return 1;\n  while (a) --a;\n  return a;\n}\n");
        assert_eq!(
            text,
            "int f(int a) { (r[0] = 1);\n  if (a > 2) { (r[2] = 1); return 1; } (r[1] = 1);\n  \
             while (a) { (r[3] = 1); --a; }\n  return a;\n}\n"
        );
        assert_eq!(regions.all.iter().map(|region| region.leaves).collect::<Vec<_>>(), [false, false, true, false]);
    }

    #[test]
    fn what_the_compiler_works_out_is_left_alone() {
        let text = "template <int N> int f(int a) {\n  constexpr bool big = N > 2 && N < 9;\n  \
                    if constexpr (N > 1 && big) a += 1;\n  static const bool s = N && N > 3;\n  return s ? a : 2;\n}\n";
        let (text, regions) = noted(text);
        assert_eq!((regions.all.len(), text.matches("r[").count()), (1, 1), "{text}");
    }

    #[test]
    fn cases_handlers_lambdas_and_right_operands_are_regions() {
        let text = "int f(int a, int b) {\n  switch (a) {\n  case 1:\n  case 2: b = 3; break;\n  default: return \
        b;\n  }\n  \
                    try { b += a; } catch (...) { b = 0; }\n  auto g = [&] { return a || b; };\n  return g() ? a : \
                    b;\n}\n";
        let (text, regions) = noted(text);
        assert_eq!(regions.all.len(), 6, "{text}");
        assert!(text.contains("a || ((r[5] = 1), (b))"), "{text}");
        assert!(text.contains("case 1:\n  case 2: (r[1] = 1); b = 3;"), "{text}");
    }

    #[test]
    fn a_driver_that_leaves_at_once_is_not_deep() {
        let (_, regions) = noted("int f(int *p) {\n  if (!p) return 0;\n  if (*p) ++*p;\n  return *p;\n}\n");
        assert_eq!(regions.all.len(), 4);
        let leaving = regions.all.iter().position(|region| region.leaves).unwrap();
        let mut entered = vec![false; 4];
        entered[0] = true;
        entered[leaving] = true;
        assert!(!regions.is_deep(&entered));
        assert!(regions.is_deep(&[true; 4]));
        let (_, straight) = noted("int f(int a) {\n  return a + 1;\n}\n");
        assert!(straight.is_deep(&[true]) && !straight.is_deep(&[false]));
    }
}
