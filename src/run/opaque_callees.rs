//! Which callees of a unit the solver may put aside (`decide/solver/opaque.rs`), and in which sets it is tried.

use super::memory_effects::{Trusted, name_of, spoken};
use crate::decide::solver::Program;
use crate::decide::solver::knowledge;
use crate::decide::solver::opaque::{self, Number, Opaque, Passed};
use crate::model::{Function, FunctionKind, Language, Model, Prim, Type, TypeKind, Usr};
use crate::plan::UnitPlan;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// So many callees are left as they are, one after the other, while all others are put aside.
const LEFT_MOST: usize = 4;

/// A unit's programs.
pub(super) struct Programs {
    /// With no more put aside than the solver lacks.
    pub both: Program,
    /// With callees put aside: all of them, then all but one.
    pub aside: Vec<Program>,
}

/// The programs of a unit, of which `both` is the one as it is. Only C has them.
///
/// # Errors
/// Why the solver can't be asked: it lacks a function that can't be put aside.
pub(super) fn programs(
    model: &Model,
    plan: &UnitPlan,
    trusted: &Trusted,
    both: Program,
    folder: &Path,
) -> Result<Programs, String> {
    let is_c =
        plan.language == Language::C && both.others.iter().all(|other| other.extension().is_some_and(|e| e == "i"));
    let functions: BTreeMap<&Usr, Opaque> = trusted
        .calls
        .values()
        .flatten()
        .filter(|usr| is_c && trusted.only_computes(usr, &plan.unit))
        .filter_map(|usr| {
            let is_library = trusted.library.contains(usr);
            let aside = if is_library { of_library(usr) } else { put_aside(model.functions.get(usr)?) };
            Some((usr, aside?))
        })
        .collect();
    if let Some(lacking) = trusted.library.iter().find(|usr| !functions.contains_key(usr)) {
        return Err(format!("the solver cannot be trusted with `{}`", spoken(lacking)));
    }
    let writer = Writer { model, functions: &functions, trusted, unit: &plan.unit, both: &both, folder };
    let direct = trusted.calls.get(&plan.unit).into_iter().flatten();
    let mut direct: Vec<&Usr> = direct.filter(|usr| functions.get(usr).is_some_and(|one| one.has_body)).collect();
    // Short ones first, of which the solver has soon read all.
    direct.sort_by_cached_key(|usr| {
        let body = model.functions.get(*usr).and_then(|function| Some(&function.definition.as_ref()?.body));
        (trusted.calls.get(*usr).map_or(0, BTreeSet::len), body.map_or(0, |body| body.end - body.start))
    });
    let mut sets: Vec<BTreeSet<&Usr>> = Vec::new();
    if functions.values().any(|function| function.has_body) {
        let all: BTreeSet<&Usr> = functions.keys().copied().collect();
        let but = |left: &&Usr| all.iter().copied().filter(|usr| usr != left).collect();
        sets.extend(direct.iter().take(LEFT_MOST).map(but));
        sets.insert(0, all);
    }
    let aside = sets.iter().filter_map(|set| writer.program(set)).filter(|program| !program.aside.is_empty()).collect();
    let lacking: BTreeSet<&Usr> = trusted.library.iter().collect();
    let both = if lacking.is_empty() { Some(both.clone()) } else { writer.program(&lacking) };
    let both = both.ok_or("the solver cannot be trusted with functions of the library")?;
    Ok(Programs { both, aside })
}

struct Writer<'w> {
    model: &'w Model,
    functions: &'w BTreeMap<&'w Usr, Opaque>,
    trusted: &'w Trusted,
    unit: &'w Usr,
    both: &'w Program,
    folder: &'w Path,
}

impl Writer<'_> {
    /// The program with those of `set` put aside that are called then; none where a body is not where it should be.
    fn program(&self, set: &BTreeSet<&Usr>) -> Option<Program> {
        let mut program = self.both.clone();
        let mut texts: Vec<(PathBuf, String, bool)> = Vec::new();
        for path in &self.both.others {
            texts.push((path.clone(), std::fs::read_to_string(path).ok()?, false));
        }
        let mut numbers = BTreeMap::new();
        let reached = self.reached(set);
        let read = reached.iter().filter(|usr| !set.contains(**usr)).filter_map(|usr| self.model.functions.get(*usr));
        for name in read.map(|function| &function.name) {
            let filled = opaque::garbage(&program.text, name, &mut numbers);
            program.text = filled.unwrap_or(program.text);
            for (_, text, is_changed) in &mut texts {
                if let Some(filled) = opaque::garbage(text, name, &mut numbers) {
                    (*text, *is_changed) = (filled, true);
                }
            }
        }
        program.variables = numbers.len();
        let shown = |function: &Opaque| {
            let all = || std::iter::once(program.text.as_str()).chain(texts.iter().map(|(_, text, _)| text.as_str()));
            function.with_elements(|at| opaque::elements(all(), &function.name, at))
        };
        let aside =
            self.functions.iter().enumerate().filter(|(_, (usr, _))| reached.contains(**usr) && set.contains(**usr));
        let aside: Vec<(usize, &Usr, Option<Opaque>)> =
            aside.map(|(index, (usr, function))| (index, *usr, shown(function))).collect();
        for (index, usr, function) in aside {
            let Some(function) = function else {
                if self.trusted.library.contains(usr) {
                    return None;
                }
                continue;
            };
            let bodies = texts.iter().filter(|(_, text, _)| function.is_in(text)).count();
            if !function.has_body {
                program.text.push_str(&function.defined(index));
            } else if bodies + usize::from(function.is_in(&program.text)) > 1 {
                // Files may have functions of one name each for itself.
                continue;
            } else if let Some(text) = function.put_aside(&program.text, index) {
                program.text = text;
            } else {
                let found = texts.iter_mut().find_map(|other| Some((function.put_aside(&other.1, index)?, other)));
                // The mutant is in it, or a macro hides it.
                let Some((text, other)) = found else {
                    continue;
                };
                (other.1, other.2) = (text, true);
            }
            program.aside.push((index, function.name.clone()));
        }
        let name: String = program.aside.iter().map(|(index, _)| format!("-{index}")).collect();
        for (number, (_, text, is_changed)) in texts.into_iter().enumerate() {
            if is_changed {
                program.others[number] = self.folder.join(format!("other-{number}-aside{name}")).with_extension("i");
                std::fs::write(&program.others[number], text).ok()?;
            }
        }
        Some(program)
    }

    /// The unit, and what it calls up to functions of `set`, these included.
    fn reached<'s>(&'s self, set: &BTreeSet<&Usr>) -> BTreeSet<&'s Usr> {
        let mut seen = BTreeSet::from([self.unit]);
        let mut open = vec![self.unit];
        while let Some(one) = open.pop() {
            let next = self.trusted.calls.get(one).into_iter().flatten().filter(|next| seen.insert(next));
            open.extend(next.filter(|next| !set.contains(next)));
        }
        seen
    }
}

/// How a function is put aside, if its arguments and its result are numbers.
fn put_aside(function: &Function) -> Option<Opaque> {
    let is_plain = function.definition.is_some()
        && function.kind == FunctionKind::Function
        && function.language == Language::C
        && !function.is_variadic;
    if !is_plain {
        return None;
    }
    let result = match &function.result.kind {
        TypeKind::Void => None,
        _ => Some(number(&function.result)?),
    };
    let params = function.params.iter().map(|param| {
        let passed = match &param.ty.kind {
            // What is constant behind a pointer may be written all the same, by a cast.
            TypeKind::Pointer(inner) | TypeKind::Array(inner, _) if inner.is_const => return None,
            TypeKind::Pointer(inner) | TypeKind::Array(inner, _) => Passed::Behind(number(inner)?, 0),
            _ => Passed::Value(number(&param.ty)?),
        };
        Some((param.name.clone(), passed))
    });
    Some(Opaque { name: function.name.clone(), result, params: params.collect::<Option<_>>()?, has_body: true })
}

/// How a function of the library is put aside.
fn of_library(function: &Usr) -> Option<Opaque> {
    let name = name_of(function);
    let (arguments, ty) = knowledge::alike(name)?;
    let number =
        Number { spelling: ty.into(), bits: Some(if ty == "float" { "unsigned int" } else { "unsigned long" }) };
    let params = (0..arguments).map(|at| (format!("motif_{at}"), Passed::Value(number.clone()))).collect();
    Some(Opaque { name: name.to_owned(), result: Some(number), params, has_body: false })
}

fn number(ty: &Type) -> Option<Number> {
    let spelling = ty.spelling.trim_start_matches("const ").to_owned();
    match ty.kind {
        TypeKind::Prim(Prim::LongDouble | Prim::Int128 | Prim::UInt128) => None,
        TypeKind::Prim(Prim::Float) => Some(Number { spelling, bits: Some("unsigned int") }),
        TypeKind::Prim(Prim::Double) => Some(Number { spelling, bits: Some("unsigned long") }),
        TypeKind::Prim(_) | TypeKind::Enum(_) => Some(Number { spelling, bits: None }),
        _ => None,
    }
}
