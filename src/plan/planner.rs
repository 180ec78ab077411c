//! The facts that all units of a project share: made once, never changed, used by several threads at once.

use super::construction_graph::{ConstructionGraph, CostRules, Facts};
use super::sample_files::SampleFiles;
use super::usual_arguments::{Namesakes, namesakes};
use crate::hierarchy::Hierarchy;
use crate::model::{Function, FunctionKind, Model, TranslationUnit, Usr};
use crate::overrides::Overrides;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which calls may fail in which units (`--fault`).
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The kinds of calls: `alloc`, `io`.
    pub kinds: BTreeSet<String>,
    /// The slugs of units in which none does.
    pub except: BTreeSet<String>,
}

/// Plans units of one project.
pub struct Planner<'m> {
    /// The project.
    pub model: &'m Model,
    /// Its classes as a graph.
    pub hierarchy: &'m Hierarchy,
    /// The override files.
    pub overrides: &'m Overrides,
    /// The functions and variables that the project uses and nobody defines.
    pub undefined: BTreeSet<Usr>,
    /// Which calls may fail.
    pub(super) faults: Faults,
    /// The sample files of the project.
    pub(super) samples: Arc<SampleFiles>,
    /// The ways to objects of every class, and their costs.
    pub(super) graph: ConstructionGraph<'m>,
    /// By source of C the headers that clash with it.
    pub(super) clashing: BTreeMap<&'m Path, BTreeSet<&'m Path>>,
    /// The types that stand for template parameters, by the header and their names.
    pub(super) namesakes: Namesakes<'m>,
    /// The folder that all files of the project are in.
    pub(super) home: PathBuf,
    /// The methods `begin()`: the project's own iterators come from their containers.
    pub(super) begins: Vec<&'m Function>,
}

impl<'m> Planner<'m> {
    /// A planner over `model`, by the rules whose costs are `rules`. Of the model `undefined` is defined nowhere.
    pub(super) fn with_rules(
        model: &'m Model,
        hierarchy: &'m Hierarchy,
        overrides: &'m Overrides,
        undefined: BTreeSet<Usr>,
        rules: CostRules,
    ) -> Self {
        let graph = ConstructionGraph::new(Facts::new(model, hierarchy, overrides, &undefined, rules));
        let named = |f: &&Function| f.name == "begin" && f.params.is_empty() && f.template.is_none();
        let methods = model.functions.values().filter(|f| f.kind == FunctionKind::Method);
        let begins = methods.filter(named).collect();
        let (namesakes, home) = (namesakes(model), home(model));
        let (faults, samples) = (Faults::default(), Arc::default());
        let clashing = model.clashing_headers();
        Self { model, hierarchy, overrides, undefined, faults, samples, graph, clashing, namesakes, home, begins }
    }

    /// The same, and these calls may fail.
    #[must_use]
    pub fn failing(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    /// The same, and these files are seeds of what reads.
    #[must_use]
    pub fn sampling(self, samples: Arc<SampleFiles>) -> Self {
        Self { samples, ..self }
    }
}

impl Planner<'_> {
    /// The sample files that are seeds of a unit.
    pub(super) fn samples_of(&self, source: &TranslationUnit, function: &Function) -> Vec<Vec<u8>> {
        let place = source.main_file.strip_prefix(&self.home).unwrap_or(&source.main_file);
        self.samples.of_unit(place, &function.id)
    }
}

/// The folder that all files of the project are in: the plan is the same wherever that is.
fn home(model: &Model) -> PathBuf {
    let mut folders = model.files.keys().filter_map(|file| file.parent());
    let first = folders.next().unwrap_or(Path::new("")).to_path_buf();
    folders.fold(first, |home, folder| {
        let same = home.components().zip(folder.components()).take_while(|(a, b)| a == b);
        same.map(|(part, _)| part).collect()
    })
}
