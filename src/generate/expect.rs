//! A killing input as a regression test's statements and expectations: the recipe is walked again with the
//! draws of the replay, and what the original showed becomes what is expected.

mod asking;
mod check;
mod edited_utility;
pub mod observers;
mod path;
mod plainly;
mod rows;
mod stub_calls;
mod thrown;
mod value;
mod whole;
mod written;

use super::lower::calls::Call;
use super::lower::factory_calls::ends;
use super::lower::files::{BY_ANY_NAME, READS};
use super::lower::{Values, exact, override_values, owned, paired_setup};
use crate::plan::unit_plan::STANDARD_OUTPUT;
use asking::Asking;
pub use check::{Check, CheckKind, TYPE_OF};
use check::{Found, Root, path_of};
pub use edited_utility::edited;
use observers::{Observer, observers};
use path::add_derived;
pub use written::{Element, Written};

use super::lower::{Lowering, Made, MadeFile, NOTES, Source, position_in};
use super::places::{Place, places};
use super::trace::{Draw, Trace};
use super::{failing_calls, undefined_symbols};
use crate::facts::factories::{gives_share, gives_up_share};
use crate::model::{Function, FunctionKind, Language, Model, Type, TypeKind};
use crate::plan::c_lifecycle;
use crate::plan::record_paths::DISTANCE;
use crate::plan::{Entry, Kind, Recipe, Slot, UnitPlan};
use crate::types::spelling::value_type;
use serde_json::Value;
use std::collections::HashMap;

/// The pieces of one regression test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestBody {
    /// Statements before the call.
    pub setup: Vec<String>,
    /// The values of the input: the same statements, with a variable for each.
    pub values: Vec<String>,
    /// The call, without a semicolon.
    pub call: String,
    /// The statement right behind the call.
    pub behind_call: Option<String>,
    /// `T result` where the call's value is kept.
    pub result: Option<String>,
    /// The same, where only a question may still ask for it.
    pub unkept: Option<String>,
    /// Statements behind the checks.
    pub take_down: Vec<String>,
    /// Statements that end what was given away, where the callee has not done so.
    pub may_take_down: Vec<String>,
    /// The checks after the call.
    pub checks: Vec<Check>,
    /// The first of the checks that the mutant fails.
    pub telling: Option<usize>,
    /// Places that the call may write, whatever the mutant does to them.
    pub written: Vec<Written>,
    /// The call is of something private.
    pub calls_private: bool,
    /// A check reads private state.
    pub reads_private: bool,
    /// Where only private state differs: what everybody may ask instead.
    pub observers: Vec<Observer>,
    /// Calls behind which they may tell what they do not tell before.
    pub further: Vec<String>,
    /// Differences that could not be put into an expression.
    pub unsaid: usize,
}

/// A kill as its replay shows it.
#[derive(Clone, Copy)]
pub struct Replayed<'k> {
    /// The project.
    pub model: &'k Model,
    /// How the unit is driven.
    pub plan: &'k UnitPlan,
    /// The draws.
    pub trace: &'k [Value],
    /// The record of the original.
    pub original: &'k [Value],
    /// The record of the mutant; none where it crashed or hung.
    pub mutant: Option<&'k [Value]>,
}

/// The way into the unit that the replay chose.
///
/// # Errors
/// The replay does not fit the plan.
pub fn way_in<'p>(plan: &'p UnitPlan, trace: &[Value]) -> Result<&'p Entry, String> {
    match (plan.entries.as_slice(), Trace::parse(trace).next_draw()) {
        ([entry], _) => Ok(entry),
        (several, Some(Draw::Pick(index))) if (index as usize) < several.len() => Ok(&several[index as usize]),
        _ => Err("the replay did not choose a way in".into()),
    }
}

/// Writes the test of one kill.
///
/// # Errors
/// The replay does not fit the plan.
pub fn body(kill: Replayed<'_>) -> Result<TestBody, String> {
    let values = walk(kill, false)?.setup;
    Ok(TestBody { values, ..walk(kill, true)? })
}

/// The name of what was written to standard output, in a test.
pub const OUTPUT: &str = "printed_text";
/// What keeps it from there on, and what ends that.
pub const OUTPUT_BEGINS: &str = "start_of_output();";
/// See [`OUTPUT_BEGINS`].
pub const OUTPUT_ENDS: &str = "end_of_output();";

/// `(NaN)` in a note of a stub, as records have texts.
const NAN_NOTED: &str = "284e614e29";

/// The test of one kill; with `inline`, values are written where they are passed.
fn walk(kill: Replayed<'_>, inline: bool) -> Result<TestBody, String> {
    let Replayed { model, plan, .. } = kill;
    let mut trace = Trace::parse(kill.trace);
    let entry = way_in(plan, kill.trace)?;
    if plan.entries.len() > 1 {
        trace.next_draw();
    }
    let callee = &model.functions[&entry.callee];
    let mut lowering = Lowering::new(model, plan.language, Source::Trace(trace), Vec::new())
        .beside(&plan.source)
        .reading(&plan.lexicon);
    if inline {
        lowering = lowering.inlining();
        lowering.names_null = !plan.before.is_empty();
    }
    if callee.owner.is_none() && callee.scopes.is_empty() {
        lowering.reserve(&callee.name);
    }
    lowering.reserve("stand_ins");
    if plan.language == Language::Cxx {
        lowering.reserve(observers::CAUGHT);
    }
    lowering.reserve(OUTPUT);
    entry.state.names().for_each(|name| lowering.reserve(name));
    let mut test = TestBody { calls_private: entry.private_access, ..TestBody::default() };
    let (told, original) = stub_calls::told(kill, &mut test);
    lowering.note(told);
    lowering.hear(stub_calls::heard(kill));
    lowering.hears_nan = original.iter().any(|entry| entry.to_string().contains(NAN_NOTED));
    let kill = Replayed { original: &original, ..kill };
    let is_recorded = |place: &Place<'_>| original.iter().any(|entry| path_of(entry) == place.label);
    let stands: Vec<Place<'_>> = places(entry).into_iter().filter(is_recorded).collect();
    lowering.named = stands.iter().map(|place| entry.args[place.array].name.clone()).collect();
    let fails = failing_calls::set_up(&mut lowering, entry)?;
    undefined_symbols::set_up(&mut lowering, entry, plan.language)?;
    let mut roots: Vec<Root> = Vec::new();
    match callee.kind {
        FunctionKind::Constructor | FunctionKind::Destructor => {
            constructor(&mut lowering, callee, entry, &mut test, &mut roots)?;
        }
        _ => {
            let object = match &entry.object {
                Some(slot) => Some(lowering.value(&slot.recipe, "object")?),
                None => None,
            };
            lowering.follow(object.as_ref());
            let made = lowering.slots(&entry.args)?;
            paired_setup::before_call(&mut lowering, entry, object.as_ref(), &made)?;
            override_values::before(&mut lowering, &plan.before, object.as_ref(), &entry.args, &made);
            test.call = Call { lowering: &lowering, function: callee, entry, object: object.as_ref(), target: None }
                .with(&made);
            if let (Some(slot), Some(made)) = (&entry.object, object) {
                roots.push(Root { name: "object".into(), made, ty: slot.ty.clone() });
            }
            // (Of what the test does not make, as null is passed, there is nothing to ask.)
            for (slot, made) in entry.args.iter().zip(&made).filter(|(_, made)| !made.is_null) {
                roots.push(argument(slot, &exact::seen(&lowering, slot, made)));
                roots.extend(elements(slot, made));
                roots.extend(position(slot, made));
            }
            for place in &stands {
                let apart = format!("{} - {}", place.pointer(&made, "result"), made[place.array].object);
                let ty = crate::types::arithmetic::simple_type("int");
                roots.push(Root { name: place.label.clone(), made: Made::expression(apart), ty });
            }
            if let Some(place) = position_in(model, entry, &made).and_then(|range| range.position(&test.call)) {
                test.call = place;
                test.result = Some("const std::ptrdiff_t result".into());
                roots.push(returned(distance()));
            } else if let Some(ty) = &entry.result {
                test.result = Some(result_declaration(&lowering, ty));
                roots.push(returned(ty.without_ref().clone()));
            }
        }
    }
    test.setup = lowering.take_lines();
    if let Some([before, behind]) = fails {
        test.setup.push(before);
        test.behind_call = Some(behind);
    }
    test.take_down = lowering.take_down();
    let ended = format!("{}(", callee.name);
    let is_ended = |line: &String| line.starts_with(&ended) || line.contains(&format!("->{ended}"));
    test.may_take_down = lowering.may_end.drain(..).rev().filter(|line| !is_ended(line)).collect();
    let is_new =
        |entry: &Value| path_of(entry) == "return" && entry.get("null").and_then(Value::as_bool) == Some(false);
    if let Some(end) = c_lifecycle::ends_result(&plan.lexicon, model, callee).filter(|_| original.iter().any(is_new)) {
        let to = callee.result.pointee().unwrap_or(&callee.result);
        test.take_down.insert(0, ends(end, to, "result"));
    }
    let is_made = original.iter().any(is_new) && gives_share(&plan.lexicon, callee);
    if lowering.has_stubs() {
        test.setup.insert(0, format!("std::vector<std::string> {NOTES};"));
        roots.push(Root { name: NOTES.into(), made: Made::expression(NOTES), ty: notes_type() });
    }
    roots.extend(outside_roots(model, entry));
    files(kill, &lowering.made_files, &mut test, &mut roots);
    // (Where it is an argument, it is recorded as one.)
    for sink in &lowering.sinks {
        let Some(written) = sink.written.clone().filter(|_| roots.iter().all(|root| root.name != sink.path)) else {
            continue;
        };
        roots.push(Root { name: sink.path.clone(), made: Made::expression(written), ty: sink.ty.clone() });
    }
    let ty = if plan.language == Language::C { c_text() } else { crate::types::compose::text() };
    roots.extend(plan.prints.then(|| Root { name: STANDARD_OUTPUT.into(), made: Made::expression(OUTPUT), ty }));
    checks(kill, roots, &mut test);
    // (Who constructs or destroys makes objects within the call.)
    let is_call = !matches!(callee.kind, FunctionKind::Constructor | FunctionKind::Destructor);
    let forgets = is_call && asks(&test, undefined_symbols::CALLS);
    test.setup.extend(forgets.then(|| undefined_symbols::FORGETS.to_owned()));
    if plan.prints {
        keep_output(plan.language, &mut test);
    }
    let is_asked = |asked: &Observer| mentions_result(&asked.expression);
    let is_taken_down = test.take_down.iter().any(|line| mentions_result(line));
    if !is_taken_down
        && test.checks.iter().all(|c| !matches!(c, Check::Equal { actual, .. } if mentions_result(actual)))
    {
        // Nothing looks at the result: it need not be kept.
        test.unkept = test.result.take().filter(|_| test.checks.is_empty() && test.observers.iter().any(is_asked));
        test.written.retain(|written| !written.is_of_result);
    }
    let to = callee.result.pointee().filter(|_| is_made && test.result.is_some());
    let end = to.and_then(|to| gives_up_share(&plan.lexicon, model, to));
    test.may_take_down.extend(end.map(|end| format!("result->{}();", end.name)));
    Ok(test)
}

/// Where a check asks for what was written to standard output: that is kept around the call.
fn keep_output(language: Language, test: &mut TestBody) {
    if !asks(test, OUTPUT) {
        return;
    }
    let ty = if language == Language::C { "const char *" } else { "const std::string " };
    let behind = format!("{ty}{OUTPUT} = {OUTPUT_ENDS}");
    test.setup.push(OUTPUT_BEGINS.to_owned());
    test.behind_call = Some(test.behind_call.take().map_or_else(|| behind.clone(), |line| format!("{line}\n{behind}")));
}

/// Whether a check asks for what a name stands for.
fn asks(test: &TestBody, name: &str) -> bool {
    test.checks.iter().any(|check| matches!(check, Check::Equal { actual, .. } if actual.contains(name)))
}

/// `std::vector<std::string>`.
fn notes_type() -> Type {
    crate::types::compose::vector(&crate::types::compose::text())
}

/// `const char *`.
fn c_text() -> Type {
    let text = crate::types::arithmetic::simple_type("char");
    Type { kind: TypeKind::Pointer(Box::new(text)), ..crate::types::arithmetic::simple_type("const char *") }
}

/// The notes of stand-ins, and variables that nobody defines.
fn outside_roots(model: &Model, entry: &Entry) -> Vec<Root> {
    let variables = undefined_symbols::variables(model, entry).into_iter();
    let mut roots: Vec<Root> = variables
        .map(|(name, variable, ty)| Root { name: name.into_owned(), made: Made::expression(variable), ty: ty.clone() })
        .collect();
    if !entry.outside.is_empty() {
        roots.push(Root {
            name: undefined_symbols::RECORDED.into(),
            made: Made::expression(undefined_symbols::CALLS),
            ty: c_text(),
        });
    }
    roots
}

/// The files that a test has passed the names of: what is in them can be checked, and they are removed.
fn files(kill: Replayed<'_>, made: &[MadeFile], test: &mut TestBody, roots: &mut Vec<Root>) {
    let language = kill.plan.language;
    let mut is_recorded = kill.original.iter().chain(kill.mutant.into_iter().flatten()).map(path_of);
    // (A name that is any text may be a file of the user's, if the unit does not make it.)
    let is_any_made =
        made.iter().filter(|file| !file.is_ours).count() == 1 && is_recorded.any(|path| path == BY_ANY_NAME);
    let mut known: Vec<&str> = Vec::new();
    for file in made.iter().filter(|file| file.is_ours || is_any_made) {
        if known.contains(&file.name.as_str()) {
            continue;
        }
        known.push(&file.name);
        let removes = if language == Language::C { "remove" } else { "std::remove" };
        let literal = crate::cpp::string_literal(file.name.as_bytes());
        test.take_down.push(format!("{removes}({literal});"));
        let name = if file.is_ours { &file.name } else { BY_ANY_NAME };
        let ty = if language == Language::C { c_text() } else { crate::types::compose::text() };
        roots.push(Root { name: name.to_owned(), made: Made::expression(format!("{READS}{literal})")), ty });
    }
}

/// Whether a place of a record is what the call returned, or where that stands.
fn is_of_result(path: &str) -> bool {
    path.strip_prefix("return").is_some_and(|rest| rest.is_empty() || rest.starts_with(DISTANCE))
}

fn mentions_result(text: &str) -> bool {
    crate::types::spelling::replace_word(text, "result", "") != text
}

fn constructor(
    lowering: &mut Lowering<'_>,
    callee: &Function,
    entry: &Entry,
    test: &mut TestBody,
    roots: &mut Vec<Root>,
) -> Result<(), String> {
    let object = entry.object.as_ref().ok_or("a constructor without an object")?;
    let mut root = Made::expression("object");
    if let Kind::Construct { constructor, args, .. } = &object.recipe.kind {
        // The arguments outlive the object.
        let made = lowering.slots(args)?;
        let list: Vec<String> =
            exact::pass_to(lowering, constructor.as_ref(), args, &made).iter().map(crate::cpp::print).collect();
        let ty = lowering.ty(&object.ty);
        let list = list.join(", ");
        if callee.kind == FunctionKind::Constructor {
            let arguments = if list.is_empty() { String::new() } else { format!("({list})") };
            test.call = format!("{ty} object{arguments}");
        } else {
            test.call =
                if list.is_empty() { format!("{{ {ty} object; }}") } else { format!("{{ {ty} object({list}); }}") };
        }
        for (slot, made) in args.iter().zip(&made).filter(|(_, made)| !made.is_null) {
            roots.push(argument(slot, made));
            roots.extend(position(slot, made));
        }
    } else {
        let made = owned::owned(lowering, &object.recipe, "made")?;
        let ty = lowering.ty(&object.ty);
        if callee.kind == FunctionKind::Constructor {
            test.call = format!("const std::unique_ptr<{ty}> object({made})");
            root = Made::smart("object");
        } else {
            test.call = format!("delete {made}");
        }
    }
    roots.push(Root { name: "object".into(), made: root, ty: object.ty.clone() });
    Ok(())
}

/// How far two iterators are from each other.
fn distance() -> Type {
    crate::types::arithmetic::simple_type("long")
}

fn returned(ty: Type) -> Root {
    Root { name: "return".into(), made: Made::expression("result"), ty }
}

/// The container that an argument points into.
fn elements(slot: &Slot, made: &Made) -> Option<Root> {
    let range = made.range.as_ref()?;
    let made = Made::expression(&range.container);
    Some(Root { name: range.name(&slot.name), made, ty: range.ty.clone() })
}

/// Where a file stands that the function was given.
fn position(slot: &Slot, made: &Made) -> Option<Root> {
    let is_file = matches!(slot.recipe.kind, Kind::File);
    let asked = Made::expression(format!("ftell({})", made.object));
    is_file.then(|| Root { name: super::observe::position(&slot.name), made: asked, ty: distance() })
}

fn argument(slot: &Slot, made: &Made) -> Root {
    if let Some(place) = made.range.as_ref().and_then(|range| range.position(&made.object)) {
        return Root { name: slot.name.clone(), made: Made::expression(place), ty: distance() };
    }
    let (made, ty) = match (&slot.ty.kind, &slot.recipe) {
        (_, Recipe { kind: Kind::Stream { .. }, .. }) => {
            let object = format!("{}.str()", made.object.trim_start_matches('&'));
            (Made::expression(object), crate::types::compose::text())
        }
        (_, Recipe { kind: Kind::File, .. }) => (Made::expression(format!("text_of({})", made.object)), c_text()),
        // `&x` was passed: the value is `x`.
        (TypeKind::Pointer(to), Recipe { kind: Kind::Array { element, length, .. }, .. }) => {
            // Behind a `void *` are bytes.
            let to = if matches!(to.kind, TypeKind::Void) { &element.ty } else { &**to };
            let kind = TypeKind::Array(Box::new(to.clone()), Some(*length));
            (made.clone(), Type { kind, ..value_type(to) })
        }
        (TypeKind::Pointer(to), Recipe { kind: Kind::Pointer { to: made_of, .. }, .. }) => {
            (Made::expression(crate::cpp::dereference(&made.object)), of_its_own_class(to, &made_of.recipe))
        }
        (TypeKind::Pointer(to), _) => (Made::expression(crate::cpp::dereference(&made.object)), (**to).clone()),
        _ => (made.clone(), of_its_own_class(slot.ty.without_ref(), &slot.recipe)),
    };
    Root { name: slot.name.clone(), made, ty }
}

/// The type of an object that is seen as another one, where the statements that make it say so.
fn of_its_own_class(seen_as: &Type, recipe: &Recipe) -> Type {
    let made = match &recipe.kind {
        Kind::Construct { .. } | Kind::Fields { .. } => &recipe.ty,
        Kind::SetUp { object, .. } => return of_its_own_class(seen_as, &object.recipe),
        _ => seen_as,
    };
    let is_another = made.record().is_some() && seen_as.record().is_some() && made.record() != seen_as.record();
    if is_another { made.clone() } else { seen_as.clone() }
}

fn result_declaration(lowering: &Lowering<'_>, ty: &Type) -> String {
    match &ty.kind {
        TypeKind::LvalueRef(to) if to.is_const => "const auto &result".into(),
        TypeKind::LvalueRef(_) => "auto &result".into(),
        TypeKind::Prim(_) | TypeKind::Enum(_) => format!("const {}", lowering.declare(&value_type(ty), "result")),
        _ => lowering.declare(&value_type(ty), "result"),
    }
}

/// The most places that a test checks.
const MOST_CHECKS: usize = 6;

/// Checks for what differs, and for the result in any case; private state only where nothing else differs.
fn checks(kill: Replayed<'_>, mut roots: Vec<Root>, test: &mut TestBody) {
    let Replayed { model, plan, original, mutant, .. } = kill;
    add_derived(model, plan, original, &mut roots);
    test.checks.extend(thrown::check(model, original, mutant));
    // (A structure may have a hundred thousand places.)
    let mut of_mutant: HashMap<&str, Vec<&Value>> = HashMap::new();
    for entry in mutant.into_iter().flatten() {
        of_mutant.entry(path_of(entry)).or_default().push(entry);
    }
    let others = |entry: &Value| of_mutant.get(path_of(entry)).map_or(&[][..], Vec::as_slice);
    let same = |entry: &Value| others(entry).contains(&entry);
    let mut wanted: Vec<&Value> = original.iter().filter(|e| !path_of(e).starts_with("exception")).collect();
    wanted.retain(|entry| is_of_result(path_of(entry)) || !same(entry));
    // Where a pointer stands says what the text behind it says.
    let stands: Vec<(&str, bool)> = wanted
        .iter()
        .filter(|entry| roots.iter().any(|root| root.name == path_of(entry)))
        .filter_map(|entry| Some((path_of(entry).split_once(DISTANCE)?.0, mutant.is_some() && !same(entry))))
        .collect();
    wanted.retain(|entry| {
        let stands = stands.iter().find(|(name, _)| *name == path_of(entry));
        stands.is_none_or(|(_, differs)| mutant.is_some() && !same(entry) && !differs)
    });
    // Where the mutant crashed everything differs: the results say enough.
    if mutant.is_none() {
        // (Streams that objects hold have what was written to them before, too.)
        wanted.retain(|entry| {
            entry.get("part").and_then(Value::as_str) == Some("output") && !path_of(entry).starts_with('<')
        });
        // (What stands in for others has noted the calls of the set-up as well.)
        let has_result = wanted.iter().any(|entry| is_of_result(path_of(entry)));
        wanted.retain(|entry| !has_result || path_of(entry) != undefined_symbols::RECORDED);
        plainly::leave_out_parts(&mut wanted);
    }
    // (What a test has put into a file says nothing where it is there still.)
    let is_as_put = |check: &Check| match check {
        Check::Equal { actual, expected, .. } => {
            let bytes = actual.split_once("memcmp(text_of(").and_then(|(_, rest)| rest.split_once("), "));
            let expected = bytes.and_then(|(_, rest)| rest.rsplit_once(", ")).map_or(expected.as_str(), |(put, _)| put);
            mutant.is_none()
                && (bytes.is_some() || actual.starts_with("text_of("))
                && ["fputs", "fwrite"]
                    .map(|puts| format!("{puts}({expected}, "))
                    .iter()
                    .any(|puts| test.setup.iter().any(|line| line.starts_with(puts)))
        }
        Check::Throws { .. } => false,
    };
    // The text of a file is never null.
    let is_file = |path: &str| roots.iter().any(|r| r.name == path && r.made.object.starts_with("text_of("));
    wanted.retain(|entry| entry.get("null").is_none() || !is_file(path_of(entry)));
    // What the mutant does not come to tells less than what it does otherwise.
    let is_missing = |entry: &Value| mutant.is_some() && others(entry).is_empty() && !is_of_result(path_of(entry));
    wanted.sort_by_key(|entry| is_missing(entry));
    // What only the unit's file sees is as private as a member.
    let locals: Vec<String> =
        plan.entries.iter().flat_map(|entry| undefined_symbols::local_state(model, entry)).collect();
    let is_local = |path: &str| {
        let rest = |name: &String| path.strip_prefix(name.as_str());
        locals.iter().filter_map(rest).any(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    // So is a member of a structure of C that a source defines: others have a handle.
    let is_handle = |root: &&Root| {
        let class = root.ty.pointee().and_then(|to| model.class_of(to)).filter(|class| class.language == Language::C);
        class.and_then(|class| class.definition.as_ref()).is_some_and(|at| model.unit_compiling(&at.file).is_some())
    };
    let declared = |slot: &&Slot| slot.declared.is_some() && slot.ty.pointee().is_some_and(|to| to.record().is_some());
    let declared = way_in(plan, kill.trace).into_iter().flat_map(|entry| entry.args.iter().filter(declared));
    let names = roots.iter().filter(is_handle).map(|root| &root.name).chain(declared.map(|slot| &slot.name));
    let handles: Vec<String> = names.map(|name| format!("{name}.")).collect();
    let is_of_nothing = |check: &Check| plainly::is_of_nothing(check, &test.setup, &test.call);
    let mut found: Vec<Found> = Vec::new();
    let mut containers: Vec<&str> = Vec::new();
    for entry in wanted {
        let path = path_of(entry);
        let public = found.iter().filter(|found| found.differs && !found.private).count();
        if public >= MOST_CHECKS || found.len() >= 4 * MOST_CHECKS {
            break;
        }
        let is_within = |place: &&str| path.strip_prefix(place).is_some_and(|rest| rest.starts_with(['[', '.']));
        if containers.iter().any(is_within) {
            continue;
        }
        let mut asking = Asking { model, language: plan.language, roots: &roots, private: false };
        let other = others(entry).first().copied();
        if is_missing(entry) && found.iter().any(|found| found.differs) {
            break;
        }
        let buffer = |asking: &mut Asking<'_>| asking.buffer(entry, other, path).filter(|check| !is_of_nothing(check));
        let differing = |entry| others(entry).first().copied().filter(|_| !same(entry));
        let whole = whole::check(&mut asking, original, path)
            .or_else(|| rows::check(&mut asking, original, &differing, path).filter(|(_, row)| !is_of_nothing(row)));
        let whole = whole.map(|(place, check)| {
            containers.push(place);
            check
        });
        let Some(mut check) = whole.or_else(|| asking.check(entry, path)).or_else(|| buffer(&mut asking)) else {
            test.unsaid += 1;
            continue;
        };
        plainly::leave_out_sign(&mut check, other);
        // (A literal that is passed is not told of itself.)
        let is_literal = matches!(&check, Check::Equal { actual, expected, .. } if actual == expected);
        if !is_literal && !is_as_put(&check) && !found.iter().any(|found| found.check == check) {
            let local = is_local(path) || handles.iter().any(|handle| path.starts_with(handle));
            let differs = mutant.is_some() && !same(entry);
            found.push(Found { check, private: asking.private || local, local, differs });
        }
    }
    // (That only the mutant throws is told by the call.)
    let ends_otherwise = mutant.is_some_and(thrown::throws) && !thrown::throws(original);
    if ends_otherwise || found.iter().any(|found| found.differs && !found.private) {
        found.retain(|found| !found.private);
    } else if plan.language == Language::Cxx && mutant.is_some() && !test.reads_private {
        let hidden = found.iter().filter(|found| found.differs).filter_map(|found| match &found.check {
            Check::Equal { actual, .. } => Some(actual.clone()),
            Check::Throws { .. } => None,
        });
        let hidden: Vec<String> = hidden.collect();
        if !hidden.is_empty() {
            let thrown = test.checks.iter().find_map(|check| match check {
                Check::Throws { ty, .. } => Some(ty.as_str()),
                Check::Equal { .. } => None,
            });
            (test.observers, test.further) = observers(model, &plan.lexicon, &roots, &test.setup, &hidden, thrown);
        }
    }
    plainly::leave_out_calls(&mut found);
    plainly::leave_out_links(&mut found);
    plainly::leave_out_cursors(&mut found);
    plainly::leave_out_null(&mut found);
    plainly::leave_out_answers(&mut found);
    plainly::leave_one_private(&mut found);
    if let (Ok(entry), true) = (way_in(plan, kill.trace), test.checks.is_empty()) {
        let asking = Asking { model, language: plan.language, roots: &roots, private: false };
        let is_hidden = |path: &str| is_local(path) || handles.iter().any(|handle| path.starts_with(handle));
        test.written = written::places(asking, original, entry, &is_hidden);
    }
    let ends_there = mutant.is_none() || ends_otherwise;
    if plan.language == Language::Cxx && ends_there && found.is_empty() && test.checks.is_empty() {
        // A test that is only not to crash, or to throw, still wants to say what comes out: first of the result, and
        // not of what the call could not change.
        let left: Vec<String> = original.iter().map(|entry| path_of(entry).to_owned()).collect();
        roots.retain(|root| !root.ty.pointee().unwrap_or(&root.ty).is_const);
        roots.sort_by_key(|root| root.name != "return");
        (test.observers, _) = observers(model, &plan.lexicon, &roots, &[], &left, None);
    }
    for Found { check, private, local, differs } in found.into_iter().take(MOST_CHECKS) {
        if differs {
            test.telling.get_or_insert(test.checks.len());
        }
        test.checks.push(check);
        test.reads_private |= private && !local;
    }
}
