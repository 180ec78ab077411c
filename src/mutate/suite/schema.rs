//! One file with all its mutants, each switchable at run time.
//!
//! Lines keep their numbers (`#line`), so that the code's own line numbers stay true. To find the mutant of a compile
//! error, the same text is written with blank lines for these directives: then each line belongs to one alternative.

use super::places::{Form, Place, Places};
use crate::lex::line_of;
use crate::mutant::made::{Change, Made, splice};
use crate::tree::{Span, Trees};

const PREAMBLE: &str = include_str!("preamble.h");

/// One file with its mutants.
pub(super) struct Schema {
    source: Vec<u8>,
    entries: Vec<Entry>,
    /// The file has no `#line` directives; otherwise its line numbers are its own business.
    numbered: bool,
    /// The file stays unmodified: not even its execution can be recorded.
    untouched: bool,
}

/// A mutant of the file.
struct Entry {
    /// Its index among all mutants.
    index: usize,
    change: Change,
    /// Its possible places, the smallest last.
    places: Vec<Place>,
}

/// The text of a schema.
pub(super) struct Text {
    /// The compiled text.
    pub bytes: Vec<u8>,
    /// The number of lines before those of the file.
    pub preamble: u32,
    /// The lines of `bytes` and their mutants; inner ones come later.
    regions: Vec<Region>,
    /// The alternatives: the number of the first, and the mutants' indexes.
    pub points: Vec<(u32, Vec<usize>)>,
}

struct Region {
    first: u32,
    last: u32,
    mutants: Vec<usize>,
}

/// A place with its mutants.
struct Point<'a> {
    place: &'a Place,
    number: u32,
    entries: Vec<&'a Entry>,
}

impl Schema {
    /// The file with the switchable mutants of `mutants`; others, and those in functions for which `fixed` is true
    /// (the compiler may call them), are left out. Even without mutants, execution is recorded.
    pub(super) fn new(
        source: Vec<u8>,
        trees: &Trees,
        mutants: &[(usize, &Made)],
        fixed: &dyn Fn(&str) -> bool,
    ) -> Self {
        let places = Places::new(&source, trees);
        let mut of_bodies: Vec<Option<Vec<Place>>> = vec![None; trees.bodies.len()];
        let mut entries = Vec::new();
        for &(index, made) in mutants.iter().filter(|(_, made)| !fixed(&made.unit)) {
            let Some(span) = reach(&made.change) else { continue };
            let mut around = Vec::new();
            for (number, body) in trees.bodies.iter().enumerate().filter(|(_, body)| body.unit == made.unit) {
                let places = of_bodies[number].get_or_insert_with(|| places.of(body));
                around.extend(places.iter().filter(|place| fits(place, span, &source, &made.change)).cloned());
            }
            around.sort_by_key(|place| std::cmp::Reverse(place.span.end - place.span.start));
            if !around.is_empty() {
                entries.push(Entry { index, change: made.change.clone(), places: around });
            }
        }
        let numbered = !has_line_directives(&source);
        Self { source, entries, numbered, untouched: false }
    }

    /// The mutants that can be switched.
    pub(super) fn mutants(&self) -> impl Iterator<Item = usize> + '_ {
        self.entries.iter().map(|entry| entry.index)
    }

    /// Nothing is left to leave out.
    pub(super) fn is_untouched(&self) -> bool {
        self.untouched
    }

    /// The size of the copies in bytes.
    pub(super) fn weight(&self, index: usize) -> usize {
        let place = self.entries.iter().find(|entry| entry.index == index).and_then(|entry| entry.places.last());
        place.map_or(0, |place| (place.span.end - place.span.start) as usize)
    }

    /// The compiler rejects these mutants. They move to a larger place; if that cannot help (`alone`: the statement
    /// itself is wrong) or there is none, they are left out.
    pub(super) fn widen(&mut self, indices: &[usize]) {
        let alone = indices.len() == 1;
        self.entries.retain_mut(|entry| {
            if !indices.contains(&entry.index) {
                return true;
            }
            let last = entry.places.pop();
            let hopeless = alone && last.is_some_and(|place| place.form == Form::Statement);
            !hopeless && !entry.places.is_empty()
        });
    }

    /// Leaves these mutants out.
    pub(super) fn drop(&mut self, indices: &[usize]) {
        self.entries.retain(|entry| !indices.contains(&entry.index));
    }

    /// Leaves the file as it is.
    pub(super) fn clear(&mut self) {
        self.untouched = true;
        self.entries.clear();
    }

    /// Writes the mutants for which `wanted` is true, numbered from `first`. `notes` is the count of numbers in the
    /// whole build.
    pub(super) fn write(&self, wanted: &dyn Fn(usize) -> bool, first: u32, notes: u32, lines: Lines) -> Text {
        let mut points: Vec<Point<'_>> = Vec::new();
        for entry in self.entries.iter().filter(|entry| wanted(entry.index)) {
            let Some(place) = entry.places.last() else { continue };
            match points.iter_mut().find(|point| point.place == place) {
                Some(point) => point.entries.push(entry),
                None => points.push(Point { place, number: 0, entries: vec![entry] }),
            }
        }
        points.sort_by_key(|point| (point.place.span.start, std::cmp::Reverse(point.place.span.end)));
        let mut number = first;
        for point in &mut points {
            point.number = number;
            number += point.entries.len() as u32;
        }
        let numbered = self.numbered && lines == Lines::AsInTheSource;
        let mut writer = Writer {
            source: &self.source,
            out: Vec::with_capacity(self.source.len() * 2),
            line: 1,
            numbered,
            regions: Vec::new(),
        };
        let body = self.source.strip_prefix(b"\xef\xbb\xbf").map_or(0, |_| 3);
        let mut preamble = 0;
        if !self.untouched {
            writer.push(&self.source[..body]);
            writer.push(format!("#define MOTIF_NOTES {notes}UL\n").as_bytes());
            writer.push(PREAMBLE.as_bytes());
            writer.line_is(1);
            preamble = writer.line - 1;
            writer.range(body as u32, self.source.len() as u32, &points);
        } else {
            writer.push(&self.source);
        }
        let told = points.iter().map(|point| (point.number, point.entries.iter().map(|e| e.index).collect()));
        Text { points: told.collect(), bytes: writer.out, preamble, regions: writer.regions }
    }

    /// The mutants at this line of the original.
    pub(super) fn around_line(&self, line: u32) -> Vec<usize> {
        let line_at = |offset: u32| line_of(&self.source, offset);
        let covers = |place: &Place| (line_at(place.span.start)..=line_at(place.span.end)).contains(&line);
        self.entries.iter().filter(|entry| entry.places.last().is_some_and(covers)).map(|entry| entry.index).collect()
    }
}

/// The line numbers of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// As in the source.
    AsInTheSource,
    /// As in the schema, so that each line belongs to one alternative.
    AsTheyStand,
}

impl Text {
    /// The mutants of a message about this line of the text.
    pub(super) fn about(&self, line: u32) -> &[usize] {
        let around = self.regions.iter().filter(|region| (region.first..=region.last).contains(&line));
        around.min_by_key(|region| region.last - region.first).map_or(&[], |region| &region.mutants)
    }
}

/// From the first edited byte to the end of the last.
fn reach(change: &Change) -> Option<Span> {
    let start = change.edits.first()?.start;
    Some(Span { start, end: change.edits.iter().map(|edit| edit.end).max()? })
}

fn fits(place: &Place, span: Span, source: &[u8], change: &Change) -> bool {
    let within = place.span.start <= span.start && span.end <= place.span.end;
    // An expression must stay an expression.
    within && (place.form == Form::Statement || !mutated(source, place.span, change).trim_ascii().is_empty())
}

/// The text of `span` after the edits.
fn mutated(source: &[u8], span: Span, change: &Change) -> Vec<u8> {
    splice(source, (span.start, span.end), change.edits.iter().map(|edit| (edit.start, edit.end, &edit.text)))
}

fn has_line_directives(source: &[u8]) -> bool {
    let tokens = crate::lex::tokens(source);
    tokens.windows(2).any(|pair| {
        pair[0].directive
            && pair[0].is(source, "#")
            && (pair[1].is(source, "line") || pair[1].text(source)[..].first().is_some_and(u8::is_ascii_digit))
    })
}

struct Writer<'a> {
    source: &'a [u8],
    out: Vec<u8>,
    /// The current line of `out`.
    line: u32,
    numbered: bool,
    regions: Vec<Region>,
}

impl Writer<'_> {
    fn push(&mut self, bytes: &[u8]) {
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.out.extend_from_slice(bytes);
    }

    /// States that the following text is on this line of the source.
    fn line_is(&mut self, line: u32) {
        let fresh = self.out.last().is_none_or(|byte| *byte == b'\n');
        let directive = if self.numbered { format!("#line {line}\n") } else { "\n".to_owned() };
        self.push(if fresh { b"" } else { b"\n" });
        self.push(directive.as_bytes());
    }

    /// The source from `start` to `end`, with the points inside.
    fn range(&mut self, start: u32, end: u32, points: &[Point<'_>]) {
        let mut at = start;
        let mut rest = points;
        while let Some((point, behind)) = rest.split_first() {
            let span = point.place.span;
            self.push(Span { start: at, end: span.start }.text(self.source));
            let inner = behind.iter().take_while(|other| other.place.span.start < span.end).count();
            self.point(point, &behind[..inner]);
            at = span.end;
            rest = &behind[inner..];
        }
        self.push(Span { start: at, end }.text(self.source));
    }

    fn point(&mut self, point: &Point<'_>, inner: &[Point<'_>]) {
        let span = point.place.span;
        let line = line_of(self.source, span.start);
        let statement = point.place.form == Form::Statement;
        let labels = match point.place.labels.as_slice() {
            [] => String::new(),
            labels => format!("__label__ {}; ", labels.join(", ")),
        };
        let (before, behind) = match point.place.form {
            Form::Statement => (format!("{{ {labels}"), " }"),
            Form::Condition => ("((".to_owned(), ") ? 1 : 0)"),
            Form::Discarded => ("(void)(".to_owned(), ")"),
            Form::Value => ("(".to_owned(), ")"),
        };
        let first_line = self.line;
        let at = format!("motif_at({}u, {}u)", point.number, point.entries.len());
        self.push(if statement { format!("{{ if ({at}) {{ ") } else { format!("({at} ? (") }.as_bytes());
        for (nth, entry) in point.entries.iter().enumerate() {
            let number = point.number + nth as u32;
            // The last one needs no check: one of them is active.
            let last = nth + 1 == point.entries.len();
            let text = match (statement, last) {
                (true, false) => format!("if (motif_is({number}u)) "),
                (false, false) => format!("motif_is({number}u) ? "),
                (_, true) => String::new(),
            };
            let here = self.line;
            self.push(text.as_bytes());
            self.push(before.as_bytes());
            self.line_is(line);
            self.push(&mutated(self.source, span, &entry.change));
            self.push(b"\n");
            self.push(behind.as_bytes());
            self.push(if last {
                b""
            } else if statement {
                b" else "
            } else {
                b" : "
            });
            self.regions.push(Region { first: here + 1, last: self.line, mutants: vec![entry.index] });
        }
        self.push(if statement { b" } else " } else { b") : " });
        self.push(before.as_bytes());
        self.line_is(line);
        self.range(span.start, span.end, inner);
        self.push(behind.as_bytes());
        self.push(if statement { b" }" } else { b")" });
        let mutants = point.entries.iter().map(|entry| entry.index).collect();
        self.regions.push(Region { first: first_line, last: self.line, mutants });
    }
}

#[cfg(test)]
mod tests;
