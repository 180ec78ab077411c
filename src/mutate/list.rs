//! `mutants.json`: the chosen mutants, each with its diff and status, and their counts.

use super::make::{Selection, Skipped};
use super::suite_verdicts::Tested;
use crate::model::Model;
use crate::mutant::fingerprint::{self, Place, Source, Statement};
use crate::mutant::made::{ListedEdit, Made, Standing};
use crate::mutant::patch::{Listed, apply};
use crate::options::Sample;
use crate::outcome::ShardOutcome;
use crate::session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the list in the output folder.
pub const FILE_NAME: &str = "mutants.json";
/// The folder of whole mutated files beside it.
pub const FOLDER: &str = "mutants";

/// The content of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct List {
    /// The schema version of this file.
    pub schema: u32,
    /// The tool that wrote it.
    pub tool: String,
    /// The seed of the sample.
    pub seed: u64,
    /// How the sample was drawn; `None` if it has all mutants.
    pub sample: Option<Sampled>,
    /// The part of a run that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardOutcome>,
    /// The mutants, by file and place.
    pub mutants: Vec<Listed>,
    /// Counts by operator.
    pub operators: BTreeMap<String, Counts>,
    /// Uncompilable mutants by operator.
    pub dropped: BTreeMap<String, usize>,
    /// The results of the project's own tests, if they were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tested>,
    /// Mutants excluded by `motif: skip`.
    pub skipped: Vec<Skipped>,
}

/// The counts of an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Counts {
    pub made: usize,
    pub unbuildable: usize,
    pub equivalent: usize,
    pub duplicate: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub killed_by_tests: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub live: usize,
    /// Mutants to try.
    pub new: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// How a sample was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sampled {
    /// The number of mutants to draw from.
    pub of: usize,
    /// The requested number or share.
    pub asked: String,
    /// The stratification.
    pub stratify: String,
}

impl Counts {
    /// Counts mutants.
    pub fn of<'m>(mutants: impl IntoIterator<Item = &'m Made>) -> Self {
        let mut counts = Self::default();
        for mutant in mutants {
            counts.made += 1;
            *match mutant.standing {
                Standing::New => &mut counts.new,
                Standing::Equivalent => &mut counts.equivalent,
                Standing::Duplicate => &mut counts.duplicate,
                Standing::Unbuildable => &mut counts.unbuildable,
                Standing::KilledByTests => &mut counts.killed_by_tests,
                Standing::Live => &mut counts.live,
            } += 1;
        }
        counts
    }

    /// Counts mutants by operator.
    pub fn by_operator(mutants: &[Made]) -> BTreeMap<String, Self> {
        let mut by_operator: BTreeMap<&str, Vec<&Made>> = BTreeMap::new();
        mutants.iter().for_each(|mutant| by_operator.entry(&mutant.change.operator).or_default().push(mutant));
        by_operator.into_iter().map(|(operator, mutants)| (operator.to_owned(), Self::of(mutants))).collect()
    }
}

/// The list of a selection.
pub fn list(selection: &Selection, tests: Option<&Tested>, session: &Session) -> List {
    let options = &session.options;
    let scope = &options.scope;
    let named = selection.mutants.iter().zip(fingerprints(selection, &session.model));
    let operators = Counts::by_operator(&selection.mutants);
    let dropped = operators.iter().filter(|(_, counts)| counts.unbuildable > 0);
    let skipped = |mark: &Skipped| Skipped { file: relative(&options.root, &mark.file), ..mark.clone() };
    List {
        schema: 1,
        tool: format!("motif-cpp {}", env!("CARGO_PKG_VERSION")),
        seed: options.seed,
        sample: scope.sample.as_ref().map(|sample| Sampled {
            of: selection.made,
            asked: match sample {
                Sample::Number(number) => number.to_string(),
                Sample::Rate(rate) => rate.to_string(),
            },
            stratify: scope.stratify.to_string(),
        }),
        shard: None,
        mutants: named
            .map(|(mutant, fingerprint)| Listed { fingerprint, ..listed(selection, &options.root, mutant) })
            .collect(),
        dropped: dropped.map(|(operator, counts)| (operator.clone(), counts.unbuildable)).collect(),
        operators,
        tests: tests.cloned(),
        skipped: selection.skipped.iter().map(skipped).collect(),
    }
}

/// The fingerprints of the mutants, in order.
fn fingerprints(selection: &Selection, model: &Model) -> Vec<String> {
    let mut sources: BTreeMap<&Path, Source> = BTreeMap::new();
    let located: Vec<(Place<'_>, Statement)> = selection
        .mutants
        .iter()
        .map(|mutant| {
            let file = mutant.file.as_path();
            let text = || selection.sources.get(file).map(|source| source.bytes.clone()).unwrap_or_default();
            let source = sources.entry(file).or_insert_with(|| Source::new(text()));
            let function = model.functions.get(&mutant.unit);
            let extent = function.and_then(|function| Some(&function.definition.as_ref()?.extent));
            let range = extent.filter(|extent| extent.file == file).map_or((0, u32::MAX), |e| (e.start, e.end));
            let statement = source.statement(&mutant.change.apply(source.bytes()), range);
            let (qualified, id) = function.map_or(("", ""), |it| (it.qualified.as_str(), it.id.as_str()));
            (Place { qualified, id, file }, statement)
        })
        .collect();
    fingerprint::fingerprints(&located)
}

/// A mutant as it is listed, without its fingerprint.
pub fn listed(selection: &Selection, root: &Path, mutant: &Made) -> Listed {
    let file = relative(root, &mutant.file);
    let source = selection.sources.get(&mutant.file);
    let diff = source.map(|source| source.diff(&file, &mutant.change)).unwrap_or_default();
    let is_vague = diff.contains(char::REPLACEMENT_CHARACTER)
        && source.is_some_and(|source| apply(&source.bytes, &diff) != Some(mutant.change.apply(&source.bytes)));
    let edits = if is_vague { mutant.change.edits.iter().map(ListedEdit::from).collect() } else { Vec::new() };
    Listed {
        whole: None,
        id: mutant.id.clone(),
        file,
        line: Some(mutant.line),
        column: Some(mutant.column),
        operator: Some(mutant.change.operator.clone()),
        unit: Some(mutant.unit_id.clone()),
        status: Some(mutant.standing),
        reason: mutant.reason.clone(),
        fingerprint: String::new(),
        diff,
        edits,
    }
}

fn relative(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_path_buf()
}

/// The mutated text of a mutant.
pub fn mutated(selection: &Selection, mutant: &Made) -> Vec<u8> {
    selection.sources.get(&mutant.file).map(|source| mutant.change.apply(&source.bytes)).unwrap_or_default()
}

/// Whether a mutant is to be tried.
pub fn is_to_be_tried(mutant: &Made) -> bool {
    matches!(mutant.standing, Standing::New | Standing::Live)
}
