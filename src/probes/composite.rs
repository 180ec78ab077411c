//! One text with all versions of all bodies of a file: `{ {mutant} {mutant} … {original} }` in each body's place, so
//! that the compiler's front end reads a file once for all its mutants, and the same names mean the same in all.

use crate::model::Usr;
use crate::tree::{Kind, Node, Span, Trees};

/// A body of the file with its mutated versions.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The function.
    pub unit: Usr,
    /// The original body, braces included.
    pub body: Span,
    /// By the mutant's index: its body's text, braces included.
    pub mutated: Vec<(usize, Vec<u8>)>,
}

/// The text and where everything is in it.
#[derive(Clone, Debug, Default)]
pub struct Composite {
    /// What the front end reads.
    pub text: Vec<u8>,
    units: Vec<Placed>,
}

#[derive(Clone, Debug)]
struct Placed {
    unit: Usr,
    whole: u32,
    original: Span,
    /// Where the original body starts in the file.
    from: u32,
    mutated: Vec<(usize, Span)>,
}

/// The trees of one unit's versions.
pub struct Found<'t> {
    /// The original's body.
    pub original: &'t Node,
    /// Adds to an offset of the composite text within the original's body to get that of the file.
    pub shift: i64,
    /// By the mutant's index: its body.
    pub mutated: Vec<(usize, &'t Node)>,
}

impl Composite {
    /// Puts `versions` into `source`; bodies that are no blocks, or lie within another, are left alone.
    pub fn new(source: &[u8], mut versions: Vec<Versions>) -> Self {
        versions.sort_by_key(|one| one.body.start);
        let mut made = Self::default();
        let mut at = 0;
        for Versions { unit, body, mutated } in versions {
            let own = body.text(source);
            if (body.start as usize) < at || own.first() != Some(&b'{') || own.last() != Some(&b'}') {
                continue;
            }
            made.text.extend_from_slice(&source[at..body.start as usize]);
            let whole = made.text.len() as u32;
            made.text.push(b'{');
            let mutated = mutated.into_iter().map(|(index, text)| (index, made.put(&text))).collect();
            let original = made.put(own);
            made.text.extend_from_slice(b"\n}");
            made.units.push(Placed { unit, whole, original, from: body.start, mutated });
            at = body.end as usize;
        }
        made.text.extend_from_slice(&source[at.min(source.len())..]);
        made
    }

    fn put(&mut self, text: &[u8]) -> Span {
        self.text.push(b'\n');
        let start = self.text.len() as u32;
        self.text.extend_from_slice(text);
        Span { start, end: self.text.len() as u32 }
    }

    /// The trees of a unit's versions; none where the front end did not see its original as it was put there.
    pub fn find<'t>(&self, trees: &'t Trees, unit: &Usr) -> Option<Found<'t>> {
        let placed = self.units.iter().find(|placed| placed.unit == *unit)?;
        let body = trees.bodies.iter().find(|body| body.unit == *unit && body.root.span.start == placed.whole)?;
        let block = |span: Span| {
            let blocks = body.root.children.iter().filter(|child| child.kind == Kind::Block && !child.in_macro);
            blocks.into_iter().find(|child| child.span == span)
        };
        let original = block(placed.original)?;
        let mutated = placed.mutated.iter().filter_map(|(index, span)| Some((*index, block(*span)?))).collect();
        Some(Found { original, shift: i64::from(placed.from) - i64::from(placed.original.start), mutated })
    }
}
