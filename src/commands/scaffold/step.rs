//! What is to be done about one file: what is there, what it was generated as, and what would be generated now.

use super::artefact::Artefact;
use crate::overrides::merge::merge;
use crate::overrides::stamp::{State, digest, generated_digest, stamp, stamp_edited, state, unstamped};

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is not there yet.
    Write,
    /// It is there as an older version was generated.
    Update,
    /// It is there as it would be generated now.
    Keep,
    /// A person has edited it, and what would be generated is what the edit was made on.
    Edited,
    /// A person wrote it from the start.
    Own,
    /// A person has edited it, and what has changed since fits beside the edit.
    Merged,
    /// A person has edited it, and what has changed since does not fit.
    Conflict,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What becomes of the file.
    pub fate: Fate,
    /// What is to be written.
    pub text: Option<String>,
    /// What is to be kept as what the file was generated as.
    pub base: Option<String>,
    /// Lines of the new text on which conflicts begin.
    pub conflicts: Vec<u32>,
}

/// Looks at the file (`old`) and at what it was generated as (`base`).
pub fn decide(old: Option<&str>, base: Option<&str>, new: &Artefact) -> Step {
    let generated = stamp(&new.text, new.comment);
    let kept = (base != Some(new.text.as_str())).then(|| new.text.clone());
    let step = |fate, text| Step { fate, text, base: kept.clone(), conflicts: Vec::new() };
    let Some(old) = old else { return step(Fate::Write, Some(generated)) };
    if state(old) == State::AsGenerated {
        return match old.replace("\r\n", "\n") == generated {
            true => step(Fate::Keep, None),
            false => step(Fate::Update, Some(generated)),
        };
    }
    let Some(was) = generated_digest(old) else {
        return Step { fate: Fate::Own, text: None, base: None, conflicts: Vec::new() };
    };
    if was == digest(&new.text) {
        return step(Fate::Edited, None);
    }
    // A base that is not what the file was generated as would merge into something that nobody wrote.
    let base = base.map(|base| base.replace("\r\n", "\n")).filter(|base| digest(base) == was);
    let foreign_ends = old.contains("\r\n");
    let merged = merge(base.as_deref(), &unstamped(old).replace("\r\n", "\n"), &new.text);
    let text = stamp_edited(&merged.text, &new.text, new.comment);
    let text = if foreign_ends { text.replace('\n', "\r\n") } else { text };
    let fate = if merged.conflicts.is_empty() { Fate::Merged } else { Fate::Conflict };
    // The first line is the stamp.
    Step { conflicts: merged.conflicts.iter().map(|line| line + 1).collect(), ..step(fate, Some(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "class A {\n  int a;\n  int b;\n  int c;\n};\n";

    fn artefact(text: &str) -> Artefact {
        Artefact {
            name: "a.hpp".into(),
            id: "a()".into(),
            signature: "void a()".into(),
            text: text.into(),
            comment: "//",
        }
    }

    fn fate(old: Option<&str>, base: Option<&str>, new: &str) -> Fate {
        decide(old, base, &artefact(new)).fate
    }

    #[test]
    fn what_nobody_edited_is_written_and_brought_up_to_date() {
        let first = stamp(FIRST, "//");
        let second = FIRST.replace("int c", "long c");
        assert_eq!(fate(None, None, FIRST), Fate::Write);
        assert_eq!(fate(Some(&first), Some(FIRST), FIRST), Fate::Keep);
        assert_eq!(fate(Some(&first), Some(FIRST), &second), Fate::Update);
        assert_eq!(decide(Some(&first), Some(FIRST), &artefact(FIRST)).base, None);
        assert_eq!(decide(Some(&first), None, &artefact(FIRST)).base.as_deref(), Some(FIRST));
    }

    #[test]
    fn an_edit_is_kept_and_what_changed_elsewhere_is_merged_into_it() {
        let edited = stamp(FIRST, "//").replace("int a", "int mine");
        let step = decide(Some(&edited), Some(FIRST), &artefact(FIRST));
        assert_eq!((step.fate, step.text, step.base), (Fate::Edited, None, None));
        let second = FIRST.replace("int c", "long c");
        let step = decide(Some(&edited), Some(FIRST), &artefact(&second));
        let text = step.text.unwrap();
        assert_eq!((step.fate, unstamped(&text)), (Fate::Merged, "class A {\n  int mine;\n  int b;\n  long c;\n};\n"));
        assert_eq!(step.base.as_deref(), Some(second.as_str()));
        // Once merged, there is nothing more to do.
        assert_eq!(fate(Some(&text), Some(&second), &second), Fate::Edited);
        // And a third version finds the second one as its ancestor.
        let third = second.replace("};", "  int d;\n};");
        let step = decide(Some(&text), Some(&second), &artefact(&third));
        assert!(step.fate == Fate::Merged && step.text.unwrap().contains("int mine;"));
    }

    #[test]
    fn an_edit_of_what_has_changed_is_a_conflict_with_both_sides() {
        let edited = stamp(FIRST, "//").replace("int b", "int mine");
        let step = decide(Some(&edited), Some(FIRST), &artefact(&FIRST.replace("int b", "long b")));
        let text = step.text.unwrap();
        assert_eq!(step.fate, Fate::Conflict);
        assert_eq!(text.lines().nth(step.conflicts[0] as usize - 1), Some("<<<<<<< yours"));
        assert!(text.contains("int mine;") && text.contains("long b;"), "{text}");
    }

    #[test]
    fn an_ancestor_that_is_missing_or_another_one_is_not_merged_with() {
        let edited = stamp(FIRST, "//").replace("int a", "int mine");
        let second = FIRST.replace("int c", "long c");
        for base in [None, Some("class B;\n")] {
            let step = decide(Some(&edited), base, &artefact(&second));
            assert_eq!((step.fate, step.conflicts.len()), (Fate::Conflict, 2));
        }
    }

    #[test]
    fn line_ends_of_another_system_stay() {
        let edited = stamp(FIRST, "//").replace("int a", "int mine").replace('\n', "\r\n");
        let step = decide(Some(&edited), Some(FIRST), &artefact(&FIRST.replace("int c", "long c")));
        assert_eq!(step.fate, Fate::Merged);
        assert!(step.text.unwrap().ends_with("  int mine;\r\n  int b;\r\n  long c;\r\n};\r\n"));
    }

    #[test]
    fn what_a_person_wrote_from_the_start_is_left_alone() {
        let step = decide(Some("class Mine;\n"), None, &artefact(FIRST));
        assert_eq!((step.fate, step.text, step.base), (Fate::Own, None, None));
    }

    #[test]
    fn an_edit_that_is_generated_now_is_an_edit_no_more() {
        let edited = stamp(FIRST, "//").replace("int a", "long a");
        let second = FIRST.replace("int a", "long a");
        let text = decide(Some(&edited), Some(FIRST), &artefact(&second)).text.unwrap();
        assert_eq!(fate(Some(&text), Some(&second), &second), Fate::Keep);
    }
}
