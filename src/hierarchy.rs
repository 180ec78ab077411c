//! The class-hierarchy graph.
use crate::model::{Model, Usr};
use std::collections::BTreeSet;
#[derive(Default)]
#[allow(missing_docs)]
pub struct Hierarchy;
#[allow(missing_docs)]
impl Hierarchy {
    pub fn new(_: &Model) -> Self {
        Hierarchy
    }
    pub fn concrete_subtypes(&self, _: &Usr) -> Vec<Usr> {
        vec![]
    }
    pub fn public_callers(&self, _: &Usr) -> Vec<Usr> {
        vec![]
    }
    pub fn ancestors(&self, _: &Usr) -> BTreeSet<Usr> {
        BTreeSet::new()
    }
    pub fn dot(&self) -> String {
        String::new()
    }
    pub fn mermaid(&self) -> String {
        String::new()
    }
}
