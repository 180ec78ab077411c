//! One text with all versions of all bodies of a file: each body becomes `{ {mutant} {mutant} … {original} }`. The
//! compiler's front end reads a file once for all its mutants, and names mean the same in all versions.

use crate::model::Usr;
use crate::tree::{Kind, Node, Span, Trees};

/// A body of the file with its mutated versions.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The function.
    pub unit: Usr,
    /// The original body, braces included.
    pub body: Span,
    /// The text of each mutant's body, braces included, by its index.
    pub mutated: Vec<(usize, Vec<u8>)>,
}

/// The text, with the place of every version.
#[derive(Clone, Debug, Default)]
pub struct Composite {
    /// The text for the front end.
    pub text: Vec<u8>,
    units: Vec<Placed>,
}

#[derive(Clone, Debug)]
struct Placed {
    unit: Usr,
    whole: u32,
    original: Span,
    /// The start of the original body in the file.
    from: u32,
    mutated: Vec<(usize, Span)>,
}

/// The trees of one unit's versions.
pub struct Found<'t> {
    /// The original's body.
    pub original: &'t Node,
    /// Add it to an offset within the original's body in the composite text to get the file's offset.
    pub shift: i64,
    /// The body of each mutant, by its index.
    pub mutated: Vec<(usize, &'t Node)>,
}

impl Composite {
    /// Puts `versions` into `source`; bodies that are no blocks, or are nested, are left alone.
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

    /// The trees of a unit's versions; `None` if the front end did not see its original as written.
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
