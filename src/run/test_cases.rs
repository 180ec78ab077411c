//! From kills to test cases: statements from the replay, and the includes and declarations of the test.

use super::decoded_values::decoded;
use super::include_order::include_operand;
use super::test_needs::Needs;
use super::unit_result::{Finished, Killed};
use super::{characters, kept_files, named_constants, with_source};
use crate::emit::fewer_arguments::fewer;
use crate::emit::own_macros::of_frameworks;
use crate::emit::{Parameter, TestCase, naming};
use crate::generate::stand_ins::StandIns;
use crate::generate::{self, expect, hiding_macros, undefined_symbols};
use crate::lexicon::Role;
use crate::model::{Function, Language, Model, Param, Type, TypeKind};
use crate::mutant::Mutant;
use crate::outcome::How;
use crate::overrides::stamp::edited_utilities;
use crate::plan::{Entry, Kind, UnitPlan};
use crate::report::details::{DecodedValue, write_decoded};
use crate::session::Session;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A case for every kill whose replay can be written as statements; `when` has when the mutants' changes matter.
pub fn of(
    session: &Session,
    mutants: &[Mutant],
    when: &BTreeMap<usize, String>,
    finished: &mut [Finished],
) -> Vec<TestCase> {
    let mut cases = Vec::new();
    let edited = edited_utilities(&session.options.project);
    for done in finished.iter_mut() {
        let Some(plan) = &done.plan else { continue };
        let own = own(&edited, plan);
        for kill in &mut done.kills {
            match one(session, plan, own.as_deref(), &mutants[kill.mutant], kill) {
                Ok((case, values)) => {
                    note_values(session, kill, &values);
                    cases.push(TestCase { when: when.get(&kill.mutant).cloned(), ..case });
                }
                Err(why) => kill.unproved = Some(why),
            }
        }
    }
    cases
}

/// Writes the typed values of a killing input beside it.
pub fn note_values(session: &Session, kill: &Killed, values: &[DecodedValue]) {
    // The report works without these values, so a failure does not stop the run.
    let _ = write_decoded(&session.options.output.join(&kill.outcome.input), values);
}

/// The text of a person's edited utility class, if the unit has one.
pub fn own(edited: &BTreeMap<String, PathBuf>, plan: &UnitPlan) -> Option<String> {
    edited.get(&plan.slug).map(|path| std::fs::read_to_string(path).unwrap_or_default())
}

/// The case for one kill, with its values under the names of its test; or the reason why there is none.
pub fn one(
    session: &Session,
    plan: &UnitPlan,
    own: Option<&str>,
    mutant: &Mutant,
    kill: &Killed,
) -> Result<(TestCase, Vec<DecodedValue>), String> {
    let trace = values(&kill.original.trace);
    let original = values(&kill.original.record);
    let mutated = values(&kill.mutated.record);
    let shown = !matches!(kill.outcome.how, How::Crash | How::Hang | How::Sanitizer);
    let mutated = shown.then_some(mutated.as_slice());
    let replayed =
        expect::Replayed { model: &session.model, plan, trace: &trace, original: &original, mutant: mutated };
    let body = match own {
        Some(text) => expect::edited(replayed, text),
        None => expect::body(replayed),
    };
    let mut body = body.map_err(|why| format!("no test could be written: {why}"))?;
    let mut entry = expect::way_in(plan, &trace)?.clone();
    // File state matters only to a test that sets it up or checks it.
    let text = format!("{:?}{:?}", body.setup, body.checks);
    entry.state.globals.retain(|global| text.contains(&global.name));
    entry.state.calls.retain(|call| ["(", " = "].iter().any(|behind| text.contains(&format!("{}{behind}", call.name))));
    // What does not fail in this test is not wrapped.
    if let Some(failing) = &mut entry.failing {
        failing.functions.retain(|name| generate::failing_calls::is_set(name, &body.setup));
    }
    let case = case(session, plan, &entry, mutant, kill.outcome.how, &words(&body));
    let seen = session.model.unit_of(&case.command_file).map_or(&[][..], |unit| &unit.files);
    let of_source = case.source_include.is_some();
    // (Without the source, what that defines has no name.)
    let is_seen = |file: &Path| seen.iter().any(|seen| seen == file) && (of_source || !is_main(&session.model, file));
    let unit = &session.model.functions[&plan.unit];
    let headers = named_constants::name(&session.model, &entry, unit, &is_seen, &mut body);
    // (In C++ a character may be another overload's.)
    if let Some(callee) = session.model.functions.get(&entry.callee).filter(|callee| callee.language == Language::C) {
        characters::write(callee, &mut body);
    }
    let mut case = case.with_body(&body);
    let asks = |check: &expect::Check| match check {
        expect::Check::Equal { actual, .. } => actual.starts_with(expect::TYPE_OF),
        _ => false,
    };
    if body.checks.iter().any(asks) {
        case.helpers.push(DYNAMIC_TYPE_OF.to_owned());
    }
    let prints =
        |check: &expect::Check| matches!(check, expect::Check::Equal { actual, .. } if actual.starts_with("printed("));
    if body.checks.iter().any(prints) {
        case.helpers.push(generate::installed::PRINT.to_owned());
    }
    case.helpers.extend(crate::run::file_helpers::needed(&body, plan.language).map(str::to_owned));
    named(session, plan, &body, &mut case);
    let command = &session.database.commands[plan.command];
    for file in headers.iter().filter(|file| !is_main(&session.model, file)) {
        let include = include_operand(file, command);
        if !case.includes.contains(&include) {
            case.includes.push(include);
        }
    }
    case.by_hand = own.is_some();
    if !case.by_hand {
        super::random::seed(&session.model, &plan.unit, &mut case);
    }
    case.fewer_arguments = fewer(&session.model, &case.statements);
    // (What takes objects down may call them behind the record.)
    let may_call =
        plan.language == Language::Cxx || case.by_hand || !case.take_down.is_empty() || !case.may_take_down.is_empty();
    case.calls_stand_ins = may_call || undefined_symbols::are_called(&original);
    for include in own.iter().flat_map(|text| includes(text)) {
        if !case.includes.contains(&include) {
            case.includes.push(include);
        }
    }
    if case.source_include.is_some() {
        with_source::include_source(session, &mut case);
    }
    let values = if body.values.is_empty() { &body.setup } else { &body.values };
    Ok((case, decoded(values)))
}

/// Includes the headers of types that only the checks name, results and exceptions, and of the bases of stubs.
fn named(session: &Session, plan: &UnitPlan, body: &expect::TestBody, case: &mut TestCase) {
    let model = &session.model;
    let command = &session.database.commands[plan.command];
    let bases = body.setup.iter().filter(|line| line.starts_with("struct "));
    let text = format!("{:?}{:?}", body.checks, bases.collect::<Vec<_>>());
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let names: BTreeSet<&str> = text.split(|c: char| !is_part(c)).collect();
    // An unqualified word may be anything.
    let is_told = |name: &str| [format!("typeid({name})"), format!(" : {name} {{")].iter().any(|t| text.contains(t));
    let is_named = |name: &str| names.contains(name) && (name.contains("::") || is_told(name));
    for class in model.classes.values().filter(|class| is_named(&class.qualified)) {
        let Some(file) = class.definition.as_ref().map(|at| &at.file).filter(|_| class.installed.is_none()) else {
            continue;
        };
        let include = include_operand(file, command);
        if !is_main(model, file) && !case.includes.contains(&include) {
            case.includes.push(include);
        }
    }
}

/// The headers that an edited utility class includes.
fn includes(utility: &str) -> Vec<String> {
    let lines = utility.lines().filter_map(|line| line.trim().strip_prefix("#include"));
    lines.map(|name| name.trim().to_owned()).filter(|name| name.starts_with(['"', '<'])).collect()
}

fn values<T: Serialize>(entries: &[T]) -> Vec<Value> {
    entries.iter().filter_map(|entry| serde_json::to_value(entry).ok()).collect()
}

fn case(
    session: &Session,
    plan: &UnitPlan,
    entry: &Entry,
    mutant: &Mutant,
    how: How,
    words: &BTreeSet<String>,
) -> TestCase {
    let model = &session.model;
    // (Where the unit is private, it is one that calls it.)
    let callee = &model.functions[&entry.callee];
    let command = &session.database.commands[plan.command];
    let needs = Needs::of(&plan.lexicon, model, entry, callee, command, words);
    let owner = callee.owner.as_ref().and_then(|o| model.classes.get(o));
    // (A template's driver may stand in any source that uses it.)
    let defined = callee.definition.as_ref().map_or(&plan.source, |definition| &definition.extent.file);
    let stem = defined.file_stem().unwrap_or_default().to_string_lossy();
    let suite =
        owner.map(|class| class.name.clone()).filter(|name| !name.is_empty()).unwrap_or_else(|| stem.into_owned());
    TestCase {
        mutant_id: mutant.id.clone(),
        mutated: mutant.path.clone(),
        unit_id: plan.id.clone(),
        unit_slug: plan.slug.clone(),
        suite,
        method: naming::method(&callee.name, owner.map(|class| class.name.as_str())),
        name: String::new(),
        parameters: callee
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| parameter(model, plan, entry, at, param))
            .collect(),
        when: None,
        apart_by: apart_by(model, &model.functions[&plan.unit], callee),
        language: plan.language,
        operator: mutant.operator.clone(),
        file: mutant.original.clone(),
        line: mutant.line,
        diff: mutant.diff.clone(),
        how,
        sanitizer: (how == How::Sanitizer).then_some(session.options.sanitizer),
        command_file: command.file.clone(),
        includes: needs.includes,
        only_for: needs.only_for,
        source_defines_main: needs.local && model.files.get(&plan.source).is_some_and(|f| f.defines_main),
        source_include: needs.local.then(|| plan.source.clone()),
        hiding_macros: hiding_macros::hiding(model, &plan.source, needs.local),
        own_macros: of_frameworks(hiding_macros::defined(model, &plan.source, needs.local)),
        has_bool: model.has_bool(&plan.source),
        private_access: false,
        calls_private: entry.private_access
            || generate::undefined_symbols::is_private(model, entry)
            || crate::plan::private_constructors::makes_privately(model, entry),
        reads_private: false,
        helpers: needs.helpers,
        stand_ins: StandIns::of(&plan.lexicon, model, entry, callee.language),
        calls_stand_ins: true,
        is_quiet: false,
        take_down: Vec::new(),
        may_take_down: Vec::new(),
        statements: Vec::new(),
        call: None,
        unkept: None,
        behind_call: None,
        checks: Vec::new(),
        telling: None,
        written: Vec::new(),
        apart: false,
        observers: Vec::new(),
        further: Vec::new(),
        keeps_files: kept_files::may_keep(model, callee),
        fewer_arguments: BTreeMap::new(),
        as_found: false,
        by_hand: false,
        left_out: String::new(),
    }
}

/// What a name tells of the argument at `at`.
fn parameter(model: &Model, plan: &UnitPlan, entry: &Entry, at: usize, param: &Param) -> Parameter {
    let is_length = entry.args.get(at).is_some_and(|slot| matches!(slot.recipe.kind, Kind::Length { .. }));
    let counts = is_length && plan.lexicon.says(&param.name, Role::Length);
    Parameter { name: param.name.clone(), least: least(model, &param.ty), counts }
}

/// The first enumerator of a parameter's type.
fn least(model: &Model, ty: &Type) -> Option<String> {
    let TypeKind::Enum(usr) = &ty.without_ref().kind else { return None };
    let (name, _) = model.enums.get(usr)?.enumerators.first()?;
    name.rsplit("::").next().map(str::to_owned)
}

/// Whether a file has a translation unit of its own.
fn is_main(model: &Model, file: &Path) -> bool {
    model.units.iter().any(|unit| unit.main_file == file)
}

/// What tells a test from another one of that name: the unit, where the test calls it through `callee`, and the types
/// of an overload's parameters.
fn apart_by(model: &Model, unit: &Function, callee: &Function) -> Vec<String> {
    let through = (unit.usr != callee.usr).then(|| format!("in_{}", naming::method(&unit.name, None)));
    let is_another = |other: &&Function| other.qualified == callee.qualified && other.usr != callee.usr;
    let types: Vec<String> = callee.params.iter().map(|param| param.ty.bare_spelling().replace("::", "_")).collect();
    let overload = model.functions.values().find(is_another).map(|_| format!("for_{}", types.join("_")));
    through.into_iter().chain(overload).collect()
}

/// `typeid` of an expression with a call would warn.
const DYNAMIC_TYPE_OF: &str = "template <typename T>
const std::type_info &dynamic_type_of(const T &object) {
  return typeid(object);
}";

/// The names in the text of a test.
fn words(body: &expect::TestBody) -> BTreeSet<String> {
    let observers = body.observers.iter().map(|observer| &observer.expression);
    let lines = body.setup.iter().chain(&body.take_down).chain(std::iter::once(&body.call)).chain(&body.result);
    let mut text: String = lines.chain(observers).map(|line| format!("{line}\n")).collect();
    text.push_str(&format!("{:?}", body.checks));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).map(str::to_owned).collect()
}
