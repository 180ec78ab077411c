//! Schemata: a translation unit with a renamed copy of a function per mutant, each where the original is and sees
//! what it sees.
//!
//! A copy follows the original's definition, after a `#line` that gives `__LINE__` the original's value. A member
//! that is defined outside its class is also declared in it, after the original's declaration and on the same line.
//! Constructors cannot be renamed: they get a first parameter that distinguishes them. Destructors, operators and
//! conversions become ordinary methods. The ranges of copies are recorded, so that compiler messages can be assigned
//! to them.

mod form;
mod head;

pub(crate) use form::{Form, MOST, Texts, in_template, padded_change};

use crate::mutant::made::Edit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One copy of a function: of a mutant or, without edits, of the original.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy<'m> {
    /// Its number, from 1, at most [`MOST`].
    pub number: u32,
    /// The mutant's edits.
    pub edits: &'m [Edit],
}

/// A function with its copies.
#[derive(Clone, Debug)]
pub(crate) struct Copied<'m> {
    /// How they are written.
    pub form: &'m Form,
    /// The copies.
    pub copies: Vec<Copy<'m>>,
    /// The original's body is left out, so that only its declaration is known.
    pub opaque: bool,
    /// The copies are instantiated for the form's instances.
    pub instances: bool,
}

/// The owner of a range of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// The definition of a copy.
    Copy(u32),
    /// The declaration of a copy: the original's with another name.
    Declaration(u32),
    /// The instantiation of a copy.
    Instance(u32),
}

/// A translation unit with copies: the changed files.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The files and their texts.
    pub files: BTreeMap<PathBuf, Written>,
}

/// A file of a schema.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Its text.
    pub text: Vec<u8>,
    /// Ranges that belong to copies, in order.
    regions: Vec<(usize, usize, Owner)>,
    /// Its line starts.
    lines: Vec<usize>,
}

/// `start..end` of a file become text, perhaps a copy's.
struct Piece {
    start: u32,
    end: u32,
    text: Vec<u8>,
    owner: Option<Owner>,
}

impl Schema {
    /// Writes the copies into the translation unit of `main`.
    pub fn write(main: &Path, functions: &[Copied<'_>], texts: &Texts) -> Option<Self> {
        let mut files: BTreeMap<&Path, Vec<Piece>> = BTreeMap::new();
        let mut tail = Vec::new();
        for function in functions {
            let form = function.form;
            let source = &texts.get(&form.file)?.bytes;
            let at = form.span.1;
            let pieces = files.entry(&form.file).or_default();
            if function.opaque {
                pieces.push(Piece { start: form.without.0, end: form.without.1, text: b";".to_vec(), owner: None });
            }
            let plain = |text: String| Piece { start: at, end: at, text: text.into_bytes(), owner: None };
            for copy in &function.copies {
                pieces.push(plain(format!("\n#line {}\n", form.lines.0)));
                let text = form.copy(copy.number, copy.edits, source);
                pieces.push(Piece { start: at, end: at, text, owner: Some(Owner::Copy(copy.number)) });
            }
            pieces.push(plain(format!("\n#line {}\n", form.lines.1)));
            for copy in &function.copies {
                if let Some((file, offset, text)) = form.declaration(copy.number) {
                    files.entry(file).or_default().push(Piece {
                        start: offset,
                        end: offset,
                        text: format!(" {text}").into_bytes(),
                        owner: Some(Owner::Declaration(copy.number)),
                    });
                }
                let wanted = if function.instances { form.instances.len() } else { 0 };
                tail.extend((0..wanted).filter_map(|index| Some((copy.number, form.instance(copy.number, index)?))));
            }
        }
        if !tail.is_empty() {
            let end = texts.get(main)?.bytes.len() as u32;
            let pieces = files.entry(main).or_default();
            for (number, text) in tail {
                pieces.push(Piece { start: end, end, text: b"\n".to_vec(), owner: None });
                pieces.push(Piece { start: end, end, text: text.into_bytes(), owner: Some(Owner::Instance(number)) });
            }
            pieces.push(Piece { start: end, end, text: b"\n".to_vec(), owner: None });
        }
        let mut schema = Self::default();
        for (file, mut pieces) in files {
            // Insertions at one place keep the order of the requests.
            pieces.sort_by_key(|piece| (piece.start, piece.end));
            schema.files.insert(file.to_path_buf(), Written::new(&texts.get(file)?.bytes, &pieces)?);
        }
        Some(schema)
    }

    /// The owner of the place in a message.
    pub fn owner(&self, file: &Path, line: usize, column: usize) -> Option<Owner> {
        self.files.get(file)?.owner(line, column)
    }
}

impl Written {
    fn new(source: &[u8], pieces: &[Piece]) -> Option<Self> {
        let mut written = Self::default();
        let mut at = 0;
        for piece in pieces {
            written.text.extend_from_slice(source.get(at..piece.start as usize)?);
            let start = written.text.len();
            written.text.extend_from_slice(&piece.text);
            if let Some(owner) = piece.owner {
                written.regions.push((start, written.text.len(), owner));
            }
            at = piece.end as usize;
        }
        written.text.extend_from_slice(source.get(at..)?);
        let ends = written.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        written.lines = std::iter::once(0).chain(ends).collect();
        Some(written)
    }

    fn owner(&self, line: usize, column: usize) -> Option<Owner> {
        let offset = self.lines.get(line.checked_sub(1)?)? + column.saturating_sub(1);
        let (start, end, owner) =
            self.regions.get(self.regions.partition_point(|(start, _, _)| *start <= offset).checked_sub(1)?)?;
        // A message about something missing may point after the last byte.
        (*start <= offset && offset <= *end).then_some(*owner)
    }

    /// The line's distance from the start of copy `number`.
    pub fn line_within(&self, number: u32, line: usize) -> Option<usize> {
        let (start, _, _) = self.regions.iter().find(|(_, _, owner)| *owner == Owner::Copy(number))?;
        let first = self.lines.partition_point(|begin| begin <= start);
        line.checked_sub(first)
    }
}
