//! Headers that a driver needs beside the source file that it includes.

use crate::model::Model;
use crate::plan::{Recipe, Slot, UnitPlan};
use std::path::PathBuf;

/// Headers of the classes that the plan names and that the included source does not bring along.
pub fn missing(model: &Model, plan: &UnitPlan) -> Vec<PathBuf> {
    let known = model.units.iter().find(|u| u.main_file == plan.source);
    let mut needed: Vec<PathBuf> = Vec::new();
    let mut want = |file: Option<&PathBuf>| {
        if let Some(file) = file
            && !known.is_some_and(|u| u.files.contains(file))
            && !needed.contains(file)
        {
            needed.push(file.clone());
        }
    };
    let home = |usr: Option<&crate::model::Usr>| {
        usr.and_then(|usr| model.classes.get(usr)).and_then(|c| c.definition.as_ref()).map(|d| &d.file)
    };
    let is_main = |path: &PathBuf| model.units.iter().any(|u| u.main_file == *path);
    let declared = |usr: &crate::model::Usr| match model.functions.get(usr) {
        Some(function) if function.owner.is_some() => home(function.owner.as_ref()),
        Some(function) => function.declarations.iter().map(|d| &d.file).find(|file| !is_main(file)),
        None => None,
    };
    for entry in &plan.entries {
        want(declared(&entry.callee));
        for slot in entry.object.iter().chain(&entry.args) {
            walk_types(slot, &mut |ty| want(home(ty.record())));
            slot.recipe.walk(&mut |recipe| {
                if let Recipe::Factory { function, .. } = recipe {
                    want(declared(function));
                }
            });
        }
    }
    needed.retain(|path| !is_main(path));
    needed
}
fn walk_types(slot: &Slot, visit: &mut dyn FnMut(&crate::model::Type)) {
    slot.ty.walk(visit);
    slot.recipe.walk(&mut |recipe| recipe.ty().walk(visit));
}
