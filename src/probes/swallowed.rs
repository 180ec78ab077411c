//! Where a difference ended: two runs with marks, in a sentence.

use super::trail::{Goes, Mark, Marked, What, quoted};
use std::collections::BTreeSet;

/// How far a difference got, by the sums of the values at each mark in the original and in the mutant (0: never come
/// by); none where nothing differs, or it is not clear.
pub fn sentence(marks: &[Mark], marked: &Marked, sums: [&[u32]; 2]) -> Option<String> {
    Runs { marks, marked, sums }.sentence()
}

/// The value that the change is in, where it was the same in both runs.
pub fn unchanged(marks: &[Mark], marked: &Marked, sums: [&[u32]; 2]) -> Option<String> {
    let runs = Runs { marks, marked, sums };
    let around = marked.around.filter(|around| runs.is_same(*around))?;
    Some(format!("{}, where the change is, was the same", shown(&marks[around])))
}

struct Runs<'r> {
    marks: &'r [Mark],
    marked: &'r Marked,
    sums: [&'r [u32]; 2],
}

/// Where a difference can't be followed, or is gone.
enum End<'r> {
    /// It is in this value, and what is computed from it is the same.
    Swallowed(&'r Mark, &'r Mark),
    /// The result is of a type that has no room for it.
    Converted(&'r Mark),
    /// A variable has it, and nobody reads it then.
    Unread(&'r Mark),
    /// It is not seen what becomes of it.
    Open(&'r Mark, &'static str),
}

impl<'r> Runs<'r> {
    fn sum(&self, run: usize, mark: usize) -> u32 {
        self.sums[run].get(mark).copied().unwrap_or_default()
    }

    fn differs(&self, mark: usize) -> bool {
        let (original, mutant) = (self.sum(0, mark), self.sum(1, mark));
        // What only one of them has come by is no value to compare.
        self.marked.common.contains(&mark) && original != mutant && original != 0 && mutant != 0
    }

    fn is_same(&self, mark: usize) -> bool {
        self.marked.common.contains(&mark) && self.sum(0, mark) == self.sum(1, mark) && self.sum(0, mark) != 0
    }

    fn sentence(&self) -> Option<String> {
        let differing: Vec<usize> = (0..self.marks.len()).filter(|mark| self.differs(*mark)).collect();
        let decides = |mark: &&usize| self.marks[**mark].goes == Goes::Decides;
        if let Some(first) = differing.iter().find(decides) {
            // From here on the two runs have not the same marks to compare.
            let mark = &self.marks[*first];
            // Another number may be as true as before, and of a `switch` lead to the same label.
            let what = if mark.is_truth {
                "came out otherwise, and both ways lead to the same"
            } else {
                "differed where it decides which way is taken, and it led to the same"
            };
            return Some(format!("{} {what}", shown(mark)));
        }
        let ends: Vec<End<'_>> = differing.iter().filter_map(|mark| self.end(*mark)).collect();
        let last = |which: &dyn Fn(&End<'_>) -> bool| {
            ends.iter().filter(|end| which(end)).max_by_key(|end| match end {
                End::Swallowed(_, mark) | End::Converted(mark) | End::Unread(mark) | End::Open(mark, _) => mark.offset,
            })
        };
        let open = last(&|end| matches!(end, End::Open(..)));
        let gone = last(&|end| matches!(end, End::Swallowed(..) | End::Converted(_)));
        match open.or(gone).or_else(|| last(&|_| true))? {
            End::Open(mark, what) => Some(format!("it got as far as {}, {what}", shown(mark))),
            End::Swallowed(mark, by) => {
                Some(format!("{} differed, and {} was the same: {}", shown(mark), shown(by), swallows(by)))
            }
            End::Converted(mark) => {
                Some(format!("{} differed, and its conversion to the result's type hid it", shown(mark)))
            }
            End::Unread(mark) => Some(format!("{} held it, and was not read while it did", shown(mark))),
        }
    }

    /// What becomes of the difference in a mark; none where it goes on.
    fn end(&self, number: usize) -> Option<End<'r>> {
        let mark = &self.marks[number];
        match &mark.goes {
            Goes::Into(by) if self.differs(*by) => None,
            Goes::Into(by) if self.is_same(*by) => Some(End::Swallowed(mark, &self.marks[*by])),
            Goes::Returned(true) => Some(End::Converted(mark)),
            Goes::Returned(false) => Some(End::Open(mark, "which is returned")),
            Goes::Passed => Some(End::Open(mark, "which is passed on to a function")),
            Goes::Kept => self.kept(number),
            Goes::Into(_) | Goes::Unknown | Goes::Decides => Some(End::Open(mark, "and is not followed from there")),
        }
    }

    fn kept(&self, number: usize) -> Option<End<'r>> {
        let mark = &self.marks[number];
        let unfollowed = Some(End::Open(mark, "and is not followed from there"));
        let (What::Write(Some(variable)) | What::Update(Some(variable))) = &mark.what else { return unfollowed };
        let reads = |what: &What| match what {
            What::Read(Some(read)) | What::Update(Some(read)) => read == variable,
            _ => false,
        };
        let readers: BTreeSet<usize> =
            (0..self.marks.len()).filter(|other| *other != number && reads(&self.marks[*other].what)).collect();
        if readers.iter().any(|reader| self.differs(*reader)) {
            return None;
        }
        // One that computes with it and stores it again may have met it or not.
        let unclear = readers.iter().any(|reader| {
            !self.marked.common.contains(reader)
                || matches!(self.marks[*reader].what, What::Update(_)) && self.is_same(*reader)
        });
        if self.marked.untraced.contains(variable) || unclear { unfollowed } else { Some(End::Unread(mark)) }
    }
}

/// An expression with its line.
fn shown(mark: &Mark) -> String {
    quoted(&mark.text, mark.line)
}

/// What an operator does with a difference that does not show in its value.
fn swallows(by: &Mark) -> String {
    let op = match &by.what {
        What::Value(op) => op.as_str(),
        What::Read(_) => return "another element or member, with the same value".into(),
        What::Write(_) if by.floats => return "it was rounded away".into(),
        What::Write(_) if by.is_truth => return "it is as true as before".into(),
        What::Write(_) => return "its type has no room for it".into(),
        What::Update(_) => return "it was rounded away, or what it held before hid it".into(),
    };
    match op {
        "<" | ">" | "<=" | ">=" | "==" | "!=" => "the comparison came out the same".into(),
        "&&" | "||" | "!" => "it is as true as before".into(),
        "&" => "the mask hid it".into(),
        ">>" | "<<" => "it was shifted out".into(),
        "/" | "%" => "the division hid it".into(),
        "+" | "-" | "*" if by.floats => "it was rounded away, or the other operand hid it".into(),
        "+" | "-" | "*" => "the other operand hid it".into(),
        "?:" => "what was chosen is the same".into(),
        "cast" if by.is_truth => "it is as true as before".into(),
        "cast" => "the conversion hid it".into(),
        call if call.ends_with("()") => format!("`{call}` returned the same"),
        _ => format!("`{op}` hid it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str, what: What, goes: Goes) -> Mark {
        Mark { line: 7, offset: text.len() as u32, text: text.into(), what, goes, floats: false, is_truth: false }
    }

    fn truth(text: &str, what: What, goes: Goes) -> Mark {
        Mark { is_truth: true, ..mark(text, what, goes) }
    }

    fn told(marks: &[Mark], first: &[u32], second: &[u32], untraced: &[&str]) -> Option<String> {
        let marked = Marked {
            number: 1,
            common: (0..marks.len()).collect(),
            untraced: untraced.iter().map(|name| (*name).to_owned()).collect(),
            ..Marked::default()
        };
        sentence(marks, &marked, [first, second])
    }

    #[test]
    fn a_difference_ends_where_what_is_computed_from_it_is_the_same() {
        let value = |op: &str| What::Value(op.into());
        let marks = [mark("a + 1", value("+"), Goes::Into(1)), truth("a + 1 > 3", value(">"), Goes::Decides)];
        let said = told(&marks, &[1, 5], &[2, 5], &[]).unwrap();
        assert_eq!(
            said,
            "`a + 1` in line 7 differed, and `a + 1 > 3` in line 7 was the same: the comparison came out the same"
        );
        let said = told(&marks, &[1, 5], &[2, 6], &[]).unwrap();
        assert!(said.contains("came out otherwise, and both ways"), "{said}");
        assert_eq!(told(&marks, &[1, 5], &[1, 5], &[]), None, "nothing differs");
        assert_eq!(told(&marks, &[1, 5], &[0, 5], &[]), None, "one of them has not come by");
    }

    #[test]
    fn where_nothing_differs_the_value_that_the_change_is_in_was_the_same() {
        let marks = [mark("f(a, 1)", What::Value("f()".into()), Goes::Returned(false))];
        let marked = Marked { common: BTreeSet::from([0]), around: Some(0), ..Marked::default() };
        let said = |first, second| unchanged(&marks, &marked, [&[first], &[second]]);
        assert_eq!(said(7, 7).as_deref(), Some("`f(a, 1)` in line 7, where the change is, was the same"));
        assert_eq!((said(7, 8), said(0, 0)), (None, None), "it differs, or nobody came by");
        assert_eq!(unchanged(&marks, &Marked { around: None, ..marked.clone() }, [&[7], &[7]]), None);
    }

    #[test]
    fn of_a_number_that_decides_no_more_is_said_than_is_known() {
        let decides = mark("bits", What::Read(None), Goes::Decides);
        let said = told(&[decides], &[4], &[8], &[]).unwrap();
        assert_eq!(said, "`bits` in line 7 differed where it decides which way is taken, and it led to the same");
        let read = || mark("n", What::Read(None), Goes::Into(1));
        for (by, how) in [
            (truth("k", What::Write(None), Goes::Kept), "it is as true as before"),
            (mark("k", What::Write(None), Goes::Kept), "its type has no room for it"),
            (mark("n ? 5 : 5", What::Value("?:".into()), Goes::Kept), "what was chosen is the same"),
        ] {
            let said = told(&[read(), by], &[4, 1], &[8, 1], &[]).unwrap();
            assert!(said.ends_with(how), "{said}");
        }
    }

    #[test]
    fn a_variable_is_unread_only_where_every_use_of_it_is_seen() {
        let variable = || Some("c:x".to_owned());
        let marks =
            [mark("x", What::Write(variable()), Goes::Kept), mark("x", What::Read(variable()), Goes::Returned(false))];
        let unread = "`x` in line 7 held it, and was not read while it did";
        assert_eq!(told(&marks, &[1, 5], &[2, 5], &[]).as_deref(), Some(unread));
        let open = told(&marks, &[1, 5], &[2, 5], &["c:x"]).unwrap();
        assert!(open.contains("got as far as") && open.contains("not followed"), "{open}");
        let read = told(&marks, &[1, 5], &[2, 6], &[]).unwrap();
        assert!(read.contains("which is returned"), "{read}");
    }
}
