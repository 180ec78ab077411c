//! Keeps the killing inputs of each unit in the output folder, for a later run with another engine.
//!
//! Only the inputs of *other* engines are reused, so repeating a run into the same folder gives the same result.

use super::reach;
use super::shared::Shared;
use super::unit_result::Finished;
use crate::plan::UnitPlan;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// The name of the folder.
const NAME: &str = "corpus";
/// The most inputs that are reused: each meets each mutant.
const TAKEN_MOST: usize = 64;

/// The killing inputs of one unit and one driver.
pub(super) struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    /// The corpus of the unit with this slug. Bytes have a meaning only for the driver they were found with, which
    /// `layout` identifies.
    fn new(output: &Path, slug: &str, layout: &str) -> Self {
        Self { folder: output.join(NAME).join(slug).join(layout) }
    }

    /// The inputs of other engines, in an order that depends on the inputs alone.
    fn of_others(&self, engine: &str) -> Vec<Vec<u8>> {
        let entries = |folder: &Path| {
            let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
            found.map(|entry| (entry.file_name(), entry.path()))
        };
        let others = entries(&self.folder).filter(|(name, _)| name.as_os_str() != engine);
        let mut files: Vec<_> = others.flat_map(|(_, folder)| entries(&folder).collect::<Vec<_>>()).collect();
        files.sort();
        // Two engines may have found the same input.
        files.dedup_by(|one, other| one.0 == other.0);
        files.truncate(TAKEN_MOST);
        files.iter().filter_map(|(_, path)| std::fs::read(path).ok()).collect()
    }

    /// Stores an input with which this engine has killed.
    fn keep(&self, engine: &str, input: &[u8]) -> io::Result<()> {
        let folder = self.folder.join(engine);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(hex(Sha256::digest(input).as_slice())), input)
    }
}

/// The unit's corpus; none where nothing says how its bytes are read.
pub(super) fn corpus(shared: &Shared<'_>, plan: &UnitPlan) -> Option<Corpus> {
    let mut layout = Sha256::new();
    layout.update(env!("CARGO_PKG_VERSION"));
    for (name, text) in &reach::driver(shared.session, &shared.edited, plan)? {
        layout.update(name.as_bytes());
        layout.update([0]);
        layout.update(text);
        layout.update([0]);
    }
    Some(Corpus::new(&shared.session.options.output, &plan.slug, &hex(layout.finalize().as_slice())))
}

/// What other engines have killed mutants of the unit with, but for what is among `known`.
pub(super) fn inputs_of_others(shared: &Shared<'_>, corpus: Option<&Corpus>, known: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut inputs = corpus.map(|corpus| corpus.of_others(&shared.session.options.engine.to_string()));
    inputs.iter_mut().for_each(|inputs| inputs.retain(|input| !known.contains(input)));
    inputs.unwrap_or_default()
}

/// Leaves the inputs by which the unit's mutants fell.
pub(super) fn leave_for_others(shared: &Shared<'_>, corpus: Option<&Corpus>, finished: &Finished) {
    let Some(corpus) = corpus else { return };
    let options = &shared.session.options;
    for kill in &finished.kills {
        let kept = std::fs::read(options.output.join(&kill.outcome.input))
            .and_then(|input| corpus.keep(&options.engine.to_string(), &input));
        if let Err(error) = kept {
            // Nothing of this run hangs on it, unless there is no room for that either.
            shared.context.ui.detail(format_args!("{}: left no input for other engines: {error}", finished.outcome.id));
            return;
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_takes_what_others_left_and_not_its_own() {
        let output = tempfile::tempdir().unwrap();
        let corpus = Corpus::new(output.path(), "unit", "a");
        for (engine, input) in [("libfuzzer", "one"), ("libfuzzer", "two"), ("libfuzzer", "two"), ("afl++", "two")] {
            corpus.keep(engine, input.as_bytes()).unwrap();
        }
        let mut taken = corpus.of_others("afl++");
        taken.sort();
        assert_eq!(taken, [b"one", b"two"]);
        assert_eq!(corpus.of_others("libfuzzer"), [b"two"]);
        assert_eq!(corpus.of_others("symbolic").len(), 2, "what two have found is one input");
    }

    #[test]
    fn what_another_driver_was_killed_with_means_nothing() {
        let output = tempfile::tempdir().unwrap();
        Corpus::new(output.path(), "unit", "a").keep("afl++", b"one").unwrap();
        assert_eq!(Corpus::new(output.path(), "unit", "b").of_others("libfuzzer"), Vec::<Vec<u8>>::new());
        assert_eq!(Corpus::new(output.path(), "other", "a").of_others("libfuzzer"), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn a_corpus_that_has_grown_large_is_taken_in_part_and_the_same_part_each_time() {
        let output = tempfile::tempdir().unwrap();
        let corpus = Corpus::new(output.path(), "unit", "a");
        for number in 0..TAKEN_MOST as u32 + 9 {
            corpus.keep("afl++", &number.to_le_bytes()).unwrap();
        }
        assert_eq!(corpus.of_others("libfuzzer").len(), TAKEN_MOST);
        assert_eq!(corpus.of_others("libfuzzer"), corpus.of_others("libfuzzer"));
    }
}
