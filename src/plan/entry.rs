//! Plans of units. A plan is the calls that lead into the unit (`entries`), with what tests show of their objects, with
//! stand-ins for functions that nobody defines, and with the state of the unit's file.

use super::planner::Planner;
use super::request::Request;
use super::rules::RULES;
use super::unit_scope::{Source, UnitScope};
use super::usual_arguments::Chosen;
use super::{Entry, Kind, Reason, UnitPlan};
use crate::facts::field_usage::FieldUsage;
use crate::hierarchy::Hierarchy;
use crate::model::{Function, FunctionKind, Literal, Model, TranslationUnit, Usr};
use crate::overrides::Overrides;
pub use crate::types::records::is_open;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;

/// So many of the cheapest ways to objects are left out at most, one after the other, where no input gets into the
/// unit.
pub const OTHER_WAYS: usize = 3;
/// So many choices of callers are tried, where calling the unit itself comes to nothing.
pub const CALLERS: usize = 3;
/// Texts of other functions that are tried, how long one may be, and how many functions are looked at for them.
const WORDS_MOST: usize = 16;
const WORD_LENGTH: usize = 24;
/// Texts of tests and examples that are tried.
const WORDS_MINED: usize = 12;
const WORDS_LOOKED_FOR: usize = 200;

impl<'m> Planner<'m> {
    /// A planner over `model`, of which everything is defined.
    pub fn new(model: &'m Model, hierarchy: &'m Hierarchy, overrides: &'m Overrides) -> Self {
        Self::with_undefined(model, hierarchy, overrides, BTreeSet::new())
    }

    /// A planner over `model`, of which `undefined` is defined nowhere: units that use it get stand-ins.
    pub fn with_undefined(
        model: &'m Model,
        hierarchy: &'m Hierarchy,
        overrides: &'m Overrides,
        undefined: BTreeSet<Usr>,
    ) -> Self {
        Self::with_rules(model, hierarchy, overrides, undefined, RULES.costs)
    }
}

/// Plans how to drive one function or method.
///
/// # Errors
/// Why it can't be driven, and the override that would open it.
pub fn plan_unit(planner: &Planner<'_>, unit: &Usr) -> Result<UnitPlan, Reason> {
    plan_otherwise(planner, unit, Departure::default())
}

/// How a plan departs from the first one that comes to mind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Departure {
    /// So many of the cheapest ways are left out: of a template to other arguments, then to its objects.
    pub skipped: usize,
    /// Others call the unit, who have made what it takes for granted: the best callers, or the next ones, from one on.
    pub callers: usize,
    /// Objects come from what the unit's own source includes: other headers need not be readable there.
    pub own_headers: bool,
    /// Interfaces are stood in for by stubs, whatever implements them.
    pub stubs: bool,
}

/// As [`plan_unit`], but otherwise.
///
/// # Errors
/// Why it can't be driven, or that there is no other way.
pub fn plan_otherwise(planner: &Planner<'_>, unit: &Usr, departure: Departure) -> Result<UnitPlan, Reason> {
    let function = planner.model.functions.get(unit);
    let function = function.ok_or_else(|| Reason::new("the function is not part of the project"))?;
    let Departure { skipped, callers, own_headers, stubs } = departure;
    let varied =
        |scope: &UnitScope<'_>| with_choices(&UnitScope { callers, own_headers, stubs, ..scope.clone() }, skipped);
    let plan = within(planner, function, varied)??;
    if stubs && plan.entries == plan_otherwise(planner, unit, Departure { stubs: false, ..departure })?.entries {
        return Err(Reason::new("no interface has another stand-in"));
    }
    if callers == 0 || plan.is_through_callers() {
        Ok(plan)
    } else {
        Err(Reason::new("no public function leads to it"))
    }
}

/// Does something with what is known of the unit.
///
/// # Errors
/// The unit can't be driven, whatever its plan.
pub(super) fn within<'m, T>(
    planner: &Planner<'m>,
    function: &Function,
    then: impl FnOnce(&UnitScope<'_>) -> T,
) -> Result<T, Reason> {
    let unit = home_of(planner.model, function)?;
    let files: HashSet<&Path> = unit.files.iter().map(|known| known.as_path()).collect();
    let clashing = planner.clashing.get(unit.main_file.as_path()).cloned().unwrap_or_default();
    let source = Source { unit, costs: planner.graph.costs(&files), files, clashing };
    Ok(then(&UnitScope {
        planner,
        model: planner.model,
        hierarchy: planner.hierarchy,
        overrides: planner.overrides,
        function,
        source: &source,
        field_usage: &FieldUsage::by(planner.overrides.lexicon(), planner.model, planner.hierarchy, function),
        chosen: Chosen::default(),
        skipped: 0,
        callers: 0,
        own_headers: false,
        stubs: false,
        rules: &RULES,
    }))
}

/// The plan with the first arguments for templates that work out, `others` plans left out; where all are left out, with
/// other objects.
fn with_choices(scope: &UnitScope<'_>, others: usize) -> Result<UnitPlan, Reason> {
    let (mut left, mut first, mut failed) = (others, None, None);
    for chosen in super::template_arguments::choices(scope, scope.function) {
        let scope = UnitScope { chosen, ..scope.clone() };
        match planned(&scope) {
            Ok(plan) if left == 0 => return Ok(plan),
            Ok(_) => {
                left -= 1;
                first.get_or_insert(scope.chosen);
            }
            Err(reason) => {
                failed.get_or_insert(reason);
            }
        }
    }
    let Some(chosen) = first else {
        return Err(failed.unwrap_or_else(|| Reason::new("there are no arguments for its template")));
    };
    let plan = planned(&UnitScope { chosen, skipped: left + 1, ..scope.clone() })?;
    if plan.skips_constructions() { Ok(plan) } else { Err(Reason::new("there is no other way to its objects")) }
}

/// The translation unit that a driver of the function becomes part of.
fn home_of<'m>(model: &'m Model, function: &Function) -> Result<&'m TranslationUnit, Reason> {
    if function.definition.is_none() {
        return Err(Reason::new("it has no body in the project"));
    }
    if function.name == "main" && function.owner.is_none() {
        return Err(Reason::new("main() is the program, not a unit"));
    }
    if function.is_defaulted {
        return Err(Reason::new("it is defaulted: the compiler writes its body"));
    }
    let tu = model
        .unit_of_function(function)
        .ok_or_else(|| Reason::new("no translation unit of the compile database includes its file"))?;
    match tu.errors.first() {
        Some(error) => Err(Reason::new(format!("its source does not parse: {error}"))),
        None => Ok(tu),
    }
}

/// The plan with the arguments that were chosen for templates.
fn planned(scope: &UnitScope<'_>) -> Result<UnitPlan, Reason> {
    let (model, function, tu) = (scope.model, scope.function, scope.source.unit);
    let mut entries = super::entries::entries(scope, function)?;
    for chosen in super::template_arguments::other_values(scope) {
        let others = super::entries::entries(&UnitScope { chosen, ..scope.clone() }, function);
        entries.extend(others.unwrap_or_default());
    }
    super::histories::with_histories(scope, &function.usr, &mut entries);
    super::undefined_symbols::with_stand_ins(scope, &function.usr, &mut entries, Request::default());
    super::file_state::with_globals(scope, function, &mut entries, Request::default());
    let slug = slug(model, function);
    super::failing_calls::with_failing_calls(scope, &slug, &mut entries);
    let owner_args = match function.owner.as_ref().and_then(|o| model.classes.get(o)) {
        Some(class) => super::class_arguments::template_args(scope, class).unwrap_or_default(),
        None => Vec::new(),
    };
    let overridden = is_overridden(scope, &entries);
    Ok(UnitPlan {
        unit: function.usr.clone(),
        id: function.id.clone(),
        slug,
        language: function.language,
        source: tu.main_file.clone(),
        command: tu.command,
        words: words(model, &entries, function),
        entries,
        literals: function.definition.iter().flat_map(|definition| definition.literals.clone()).collect(),
        samples: scope.planner.samples_of(tu, function),
        overridden,
        lexicon: scope.lexicon().clone(),
        reset: scope.overrides.reset(&function.id),
        before: scope.overrides.before(&function.id),
        excluded: [scope.overrides.excluded(), scope.field_usage.not_compared(scope.lexicon(), model)].concat(),
        untyped: scope.field_usage.untyped(),
        prints: super::standard_output::prints(scope, function),
        owner_args,
    })
}

/// Whether an override took part.
fn is_overridden(scope: &UnitScope<'_>, entries: &[Entry]) -> bool {
    let has_args = |usr: &Usr| {
        let class = scope.model.classes.get(usr);
        class.is_some_and(|class| scope.overrides.template_args_for(&class.qualified, scope.id()).is_some())
    };
    let mut found = !scope.overrides.through(scope.id()).is_empty()
        || scope.function.owner.as_ref().is_some_and(has_args)
        || entries.iter().any(|entry| !entry.least_lengths.is_empty());
    for slot in entries.iter().flat_map(Entry::slots) {
        slot.recipe.walk(&mut |recipe| found |= recipe.overridden || recipe.ty.record().is_some_and(has_args));
    }
    found
}

/// Texts that stand in what leads into the unit and in what it calls, the nearest first: a parser's keywords are seldom
/// its own.
fn words(model: &Model, entries: &[Entry], unit: &Function) -> Vec<Literal> {
    let mut ahead: VecDeque<&Usr> =
        std::iter::once(&unit.usr).chain(entries.iter().map(|entry| &entry.callee)).collect();
    let mut seen: BTreeSet<&Usr> = ahead.iter().copied().collect();
    let own = unit.definition.iter().flat_map(|definition| &definition.literals).collect::<BTreeSet<_>>();
    let mut found = Vec::new();
    let mut mined = |literal: &Literal| {
        if is_word(literal) && !own.contains(literal) && !found.contains(literal) && found.len() < WORDS_MINED {
            found.push(literal.clone());
        }
    };
    for entry in entries {
        entry.called_with.iter().flatten().flatten().for_each(&mut mined);
        for slot in entry.object.iter().chain(&entry.args) {
            slot.recipe.walk(&mut |recipe| {
                if let Kind::Mined { steps, .. } = &recipe.kind {
                    steps.iter().flat_map(|step| &step.literals).flatten().for_each(&mut mined);
                }
            });
        }
    }
    let most = found.len() + WORDS_MOST;
    while let Some(definition) =
        ahead.pop_front().map(|usr| model.functions.get(usr).and_then(|f| f.definition.as_ref()))
    {
        let Some(definition) = definition else { continue };
        for literal in &definition.literals {
            if is_word(literal) && !own.contains(literal) && !found.contains(literal) {
                found.push(literal.clone());
            }
        }
        if found.len() >= most || seen.len() > WORDS_LOOKED_FOR {
            break;
        }
        ahead.extend(definition.calls.iter().filter(|usr| seen.insert(*usr)));
    }
    found.truncate(most);
    found
}

fn is_word(literal: &Literal) -> bool {
    matches!(literal, Literal::Str(text) if (1..=WORD_LENGTH).contains(&text.len()))
}

/// A name for the unit's folder and files: letters, digits and `_`; overloads get a suffix.
pub fn slug(model: &Model, function: &Function) -> String {
    let mut text: String = function
        .qualified
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect::<String>()
        .split('_')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("_");
    text.truncate(80);
    let ambiguous = !function.qualified.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
        || model.functions.values().filter(|f| f.qualified == function.qualified && f.definition.is_some()).count() > 1;
    if ambiguous || text.is_empty() {
        use sha2::Digest;
        let digest = sha2::Sha256::digest(function.usr.as_bytes());
        text.push_str(&format!("_{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2]));
    }
    text
}

/// `method | constructor | operator | static_method | function`, as in `outcomes.json`.
pub fn kind_name(function: &Function) -> &'static str {
    match function.kind {
        FunctionKind::Constructor => "constructor",
        _ if function.name.starts_with("operator") => "operator",
        FunctionKind::Conversion => "operator",
        FunctionKind::StaticMethod => "static_method",
        FunctionKind::Function => "function",
        FunctionKind::Method | FunctionKind::Destructor => "method",
    }
}
