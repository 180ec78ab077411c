//! Headers that a driver needs beside the source file that it includes.

use crate::model::{Class, Language, Model, Type, TypeKind};
use crate::plan::Outside;
use crate::plan::c_lifecycle::{ender, is_made};
use crate::plan::{Kind, Slot, UnitPlan};
use crate::types::standard::is_of_library;
use std::path::{Path, PathBuf};

/// How deep members of members are looked at.
const OWNED_DEEP: usize = 4;

/// Headers of the classes that the plan names and that the included source does not bring along.
pub fn missing(model: &Model, plan: &UnitPlan) -> Vec<PathBuf> {
    let known = model.unit_compiling(&plan.source);
    let mut needed: Vec<PathBuf> = Vec::new();
    let mut want = |file: Option<&PathBuf>| {
        // What is no file of the project may be part of a header that is only to be included as a whole; the source has
        // it.
        if let Some(file) = file
            && model.files.contains_key(file)
            && !known.is_some_and(|u| u.files.contains(file))
            && !needed.contains(file)
        {
            needed.push(file.clone());
        }
    };
    let home = |usr: Option<&crate::model::Usr>| {
        usr.and_then(|usr| model.classes.get(usr)).and_then(|c| c.definition.as_ref()).map(|d| &d.file)
    };
    let mut owned = Vec::new();
    let is_main = |path: &PathBuf| model.units.iter().any(|u| u.main_file == *path);
    let declared = |usr: &crate::model::Usr| {
        let function = model.functions.get(usr)?;
        let defined = function.definition.as_ref().map(|definition| &definition.extent.file);
        // The source has it, and may not stand the header: it knows better what a type is that the header keeps to
        // itself.
        if known.is_some_and(|unit| defined.is_some_and(|file| unit.files.contains(file))) {
            return None;
        }
        match &function.owner {
            Some(owner) => home(Some(owner)),
            None => function.declarations.iter().map(|d| &d.file).chain(defined).find(|file| !is_main(file)),
        }
    };
    for entry in &plan.entries {
        want(declared(&entry.callee));
        entry.state.calls.iter().for_each(|call| want(declared(&call.method)));
        want(entry.put_in.as_ref().and_then(|put| declared(&put.method)));
        for outside in &entry.outside {
            match outside {
                Outside::Function { function, .. } => want(declared(function)),
                Outside::Callback { .. } => {}
                Outside::Variable { variable, .. } => want(model.variables.get(variable).map(|v| &v.extent.file)),
            }
        }
        for slot in entry.slots() {
            walk_types(slot, &mut |ty| {
                want(home(ty.record()));
                owned.extend(owned_by(model, ty));
            });
            slot.recipe.walk(&mut |recipe| match &recipe.kind {
                Kind::Factory { function, .. } => want(declared(function)),
                Kind::SetUp { calls, .. } => calls.iter().for_each(|call| want(declared(&call.method))),
                Kind::Pointer { to, .. } if is_made(&to.recipe) => {
                    want(ender(&plan.lexicon, model, &to.ty, &to.recipe).and_then(|end| declared(&end.usr)));
                }
                _ => {}
            });
        }
    }
    owned.iter().for_each(|class: &&Class| want(class.definition.as_ref().map(|at| &at.file)));
    // A source that others include is no header either: it wants their macros.
    needed.retain(|path| !is_main(path) && path.extension().is_none_or(|extension| extension != "c"));
    if plan.language == Language::C && !needed.is_empty() {
        let clashing = model.clashing_headers();
        let clashing = clashing.get(plan.source.as_path());
        needed.retain(|path| !clashing.is_some_and(|clashing| clashing.contains(path.as_path())));
    }
    needed
}

/// How the files of `source`'s translation unit include what brings along `file`, a header of an installed library: the
/// header that stands nearest to it.
pub fn installed(model: &Model, source: &Path, file: &Path) -> Option<String> {
    let unit = model.unit_of(source)?;
    let included = unit.files.iter().filter_map(|file| model.files.get(file)).flat_map(|file| &file.includes);
    let near = |path: &Path| path.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let all = included.filter(|(_, path)| !model.files.contains_key(path));
    let best = all
        .map(|(written, path)| (path.as_path() == file, near(path), written))
        .max_by_key(|(is, near, _)| (*is, *near))?;
    // Of `/usr/include` everything is.
    (best.0 || best.1 > 3).then(|| best.2.clone())
}

fn walk_types(slot: &Slot, visit: &mut dyn FnMut(&crate::model::Type)) {
    slot.ty.walk(visit);
    slot.recipe.walk(&mut |recipe| recipe.ty.walk(visit));
}

/// The classes whose objects an object of type `ty` owns by smart pointers and in containers, or its members do:
/// whoever destroys it needs their definitions, which the header of the class may lack. Of pointers and references,
/// none.
pub fn owned_by<'m>(model: &'m Model, ty: &Type) -> Vec<&'m Class> {
    fn look<'m>(model: &'m Model, ty: &Type, deep: usize, found: &mut Vec<&'m Class>) {
        let class = model.class_of(ty);
        let Some(class) = class.filter(|_| deep > 0) else { return };
        let members = class.fields.iter().filter(|field| !field.is_static).map(|field| &field.ty);
        for member in members.chain(class.bases.iter().map(|base| &base.ty)) {
            look(model, member, deep - 1, found);
            let TypeKind::Record { name, args, .. } = &member.kind else { continue };
            let args = args.iter().filter(|_| is_of_library(model, name));
            found.extend(args.filter_map(|arg| model.class_of(arg.ty()?)));
        }
    }
    let mut found = Vec::new();
    look(model, ty, OWNED_DEEP, &mut found);
    found
}
