//! The fingerprints of a run's mutants.

use crate::model::Function;
use crate::mutant::Mutant;
use crate::mutant::fingerprint::{self, Place, Source, Statement};
use crate::mutant::patch;
use crate::session::Session;
use std::collections::HashMap;
use std::path::Path;

/// One per mutant, in order.
pub(super) fn fingerprints(session: &Session, mutants: &[Mutant]) -> Vec<String> {
    let model = &session.model;
    let by_id: HashMap<&str, &Function> = model.functions.values().map(|f| (f.id.as_str(), f)).collect();
    let mut sources: HashMap<&Path, Source> = HashMap::new();
    let located: Vec<(Place<'_>, Statement)> = mutants
        .iter()
        .map(|mutant| {
            let function = match &mutant.pairing {
                Ok(pairing) => model.functions.get(&pairing.unit),
                Err(_) => mutant.unit.as_deref().and_then(|id| by_id.get(id).copied()),
            };
            let file = mutant.original.as_path();
            let source = sources.entry(file).or_insert_with(|| Source::new(std::fs::read(file).unwrap_or_default()));
            let extent = function.and_then(|f| f.definition.as_ref()).map(|definition| &definition.extent);
            let range = extent.filter(|extent| extent.file == file).map_or((0, u32::MAX), |e| (e.start, e.end));
            // A settled mutant has no file.
            let mutated = patch::apply(source.bytes(), &mutant.diff).or_else(|| std::fs::read(&mutant.path).ok());
            let statement = source.statement(&mutated.unwrap_or_default(), range);
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let (qualified, id) = function.map_or((name, ""), |f| (f.qualified.as_str(), f.id.as_str()));
            (Place { qualified, id, file }, statement)
        })
        .collect();
    fingerprint::fingerprints(&located)
}
