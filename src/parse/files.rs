//! The files that libclang reads: their true paths, their text, and whether they are the project's.

use crate::lex::{self, Token};
use crate::model::Extent;
use clang::source::{File, Location, SourceLocation, SourceRange};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file as read.
pub(super) struct Text {
    /// Absolute, symbolic links resolved.
    pub path: PathBuf,
    /// Part of the project.
    pub project: bool,
    bytes: OnceCell<Vec<u8>>,
    tokens: OnceCell<Vec<Token>>,
    lines: OnceCell<Vec<u32>>,
    replaced: Option<Vec<u8>>,
}

impl Text {
    /// The contents; what stands in for the file where it was replaced.
    pub fn bytes(&self) -> &[u8] {
        match &self.replaced {
            Some(bytes) => bytes,
            None => self.bytes.get_or_init(|| std::fs::read(&self.path).unwrap_or_default()),
        }
    }

    /// The tokens of the contents.
    pub fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| lex::tokens(self.bytes()))
    }

    /// Line and column of an offset, both from 1.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let starts = self.lines.get_or_init(|| {
            let ends = self.bytes().iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect()
        });
        let line = starts.partition_point(|start| *start <= offset);
        (line as u32, offset - starts[line - 1] + 1)
    }

    /// Bytes `start..end`, cut to what there is.
    pub fn slice(&self, start: u32, end: u32) -> &[u8] {
        let bytes = self.bytes();
        let end = (end as usize).min(bytes.len());
        &bytes[(start as usize).min(end)..end]
    }

    /// Index of the first token that starts at `offset` or later.
    pub fn token_from(&self, offset: u32) -> usize {
        self.tokens().partition_point(|token| token.start < offset)
    }

    /// The tokens that stand wholly in `start..end`.
    pub fn tokens_in(&self, start: u32, end: u32) -> &[Token] {
        let from = self.token_from(start);
        let tokens = &self.tokens()[from..];
        &tokens[..tokens.partition_point(|token| token.end <= end)]
    }
}

/// A place in a file.
#[derive(Clone)]
pub(super) struct Place {
    pub file: Rc<Text>,
    pub offset: u32,
    pub line: u32,
    pub column: u32,
}

/// All files of one translation unit.
#[derive(Default)]
pub(super) struct Files {
    directory: PathBuf,
    roots: Vec<PathBuf>,
    replaced: HashMap<PathBuf, Vec<u8>>,
    by_name: HashMap<PathBuf, Option<Rc<Text>>>,
    by_path: HashMap<PathBuf, Rc<Text>>,
}

impl Files {
    /// Relative names start in `directory`; files below one of `roots` are the project's.
    pub fn new(directory: &Path, roots: &[PathBuf], replaced: HashMap<PathBuf, Vec<u8>>) -> Self {
        Self { directory: directory.to_path_buf(), roots: roots.to_vec(), replaced, ..Self::default() }
    }

    /// The file under the name that libclang has for it; none for its built-in buffers.
    pub fn named(&mut self, name: PathBuf, system: impl FnOnce() -> bool) -> Option<Rc<Text>> {
        if let Some(known) = self.by_name.get(&name) {
            return known.clone();
        }
        let found = self.directory.join(&name).canonicalize().ok().map(|path| match self.by_path.get(&path) {
            Some(text) => text.clone(),
            None => {
                let text = Rc::new(Text {
                    project: !system() && is_project(&path, &self.roots),
                    replaced: self.replaced.get(&path).cloned(),
                    bytes: OnceCell::new(),
                    tokens: OnceCell::new(),
                    lines: OnceCell::new(),
                    path: path.clone(),
                });
                self.by_path.insert(path, text.clone());
                text
            }
        });
        self.by_name.insert(name, found.clone());
        found
    }

    fn file(&mut self, file: Option<File<'_>>, system: impl FnOnce() -> bool) -> Option<Rc<Text>> {
        self.named(file?.get_path(), system)
    }

    fn place(&mut self, location: Location<'_>, system: impl FnOnce() -> bool) -> Option<Place> {
        let file = self.file(location.file, system)?;
        Some(Place { file, offset: location.offset, line: location.line, column: location.column })
    }

    /// Where `location` stands in a file: a macro's argument where it was written, its body where it was used.
    pub fn at(&mut self, location: SourceLocation<'_>) -> Option<Place> {
        self.place(location.get_file_location(), || location.is_in_system_header())
    }

    /// Where `location` stands, macros taken where they were used.
    fn used(&mut self, location: SourceLocation<'_>) -> Option<Place> {
        self.place(location.get_expansion_location(), || location.is_in_system_header())
    }

    /// Where `range` begins and ends, macros taken where they were used, and for each whether it is in a macro's
    /// argument: the place is then only somewhere in the expansion. None where the range is nothing that is written.
    pub fn ends(&mut self, range: SourceRange<'_>) -> Option<[(Place, bool); 2]> {
        let mut end = |location: SourceLocation<'_>| {
            let place = self.used(location)?;
            let written = location.get_file_location();
            let in_argument =
                written.offset != place.offset || self.file(written.file, || false)?.path != place.file.path;
            Some((place, in_argument))
        };
        Some([end(range.get_start())?, end(range.get_end())?])
    }

    /// Whether what stands at `location` was written in `path`, which is where a macro's body was.
    pub fn is_written_in(&mut self, location: SourceLocation<'_>, path: &Path) -> bool {
        let spelled = location.get_spelling_location();
        self.file(spelled.file, || location.is_in_system_header()).is_some_and(|file| file.path == path)
    }

    /// `range` as an extent, macros taken where they were used, and whether an end of it comes from a macro.
    pub fn extent(&mut self, range: SourceRange<'_>) -> Option<(Extent, Rc<Text>, bool)> {
        let (from, to) = (range.get_start(), range.get_end());
        let (start, end) = (self.used(from)?, self.used(to)?);
        if start.file.path != end.file.path || end.offset < start.offset {
            return None;
        }
        let mut in_macro = |location: SourceLocation<'_>, place: &Place| {
            !self.is_written_in(location, &place.file.path) || location.get_spelling_location().offset != place.offset
        };
        let in_macro = in_macro(from, &start) || in_macro(to, &end);
        let extent = Extent {
            file: start.file.path.clone(),
            start: start.offset,
            end: end.offset,
            line: start.line,
            column: start.column,
            end_line: end.line,
        };
        Some((extent, start.file, in_macro))
    }
}

/// Whether a file that is no system header belongs to the project. A project that is itself below `/usr` is one.
fn is_project(path: &Path, roots: &[PathBuf]) -> bool {
    roots.iter().any(|root| path.starts_with(root) && (!path.starts_with("/usr") || root.starts_with("/usr/")))
}
