//! From kills to test cases: statements from the replay, and the includes and declarations of the test.

use super::decoded_values::decoded;
use super::include_order::{include_operand, included, reaches};
use super::unit_result::{Finished, Killed};
use super::{kept_files, named_constants, with_source};
use crate::compdb::CompileCommand;
use crate::emit::fewer_arguments::fewer;
use crate::emit::own_macros::of_frameworks;
use crate::emit::{TestCase, naming};
use crate::generate::failing_calls::Asker;
use crate::generate::stand_ins::StandIns;
use crate::generate::{self, expect, hiding_macros, undefined_symbols};
use crate::lexicon::Lexicon;
use crate::model::{Class, Function, Language, Model, Type, TypeKind};
use crate::mutant::Mutant;
use crate::outcome::How;
use crate::overrides::stamp::edited_utilities;
use crate::plan::Outside;
use crate::plan::c_lifecycle::{self, destroyer, is_made};
use crate::plan::{Entry, Kind, UnitPlan};
use crate::report::details::{DecodedValue, write_decoded};
use crate::session::Session;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A case for every kill whose replay can be written as statements.
pub fn of(session: &Session, mutants: &[Mutant], finished: &mut [Finished]) -> Vec<TestCase> {
    let mut cases = Vec::new();
    let edited = edited_utilities(&session.options.project);
    for done in finished.iter_mut() {
        let Some(plan) = &done.plan else { continue };
        let own = own(&edited, plan);
        for kill in &mut done.kills {
            match one(session, plan, own.as_deref(), &mutants[kill.mutant], kill) {
                Ok((case, values)) => {
                    note_values(session, kill, &values);
                    cases.push(case);
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
    let stem = plan.source.file_stem().unwrap_or_default().to_string_lossy();
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
        parameters: callee.params.iter().map(|param| (param.name.clone(), least(model, &param.ty))).collect(),
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

/// Reads a file that was passed to the unit.
const TEXT_OF: &str = "static const char *text_of(FILE *file) {
  static char text[4097];
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  return text;
}";

/// The includes and declarations that a test needs.
struct Needs<'m> {
    model: &'m Model,
    command: &'m CompileCommand,
    files: Vec<PathBuf>,
    includes: Vec<String>,
    /// Includes that are there for these names alone.
    only_for: BTreeMap<String, BTreeSet<String>>,
    helpers: Vec<String>,
    /// A name is only visible within its source file.
    local: bool,
    /// How headers of installed libraries are included.
    installed: Vec<String>,
    /// The source file of the unit.
    source: &'m Path,
    /// Headers whose content depends on the source file: if a test includes them first, they are empty for it.
    conditional: Vec<PathBuf>,
    /// Headers of what objects own: they must be seen where those are destroyed.
    owned: Vec<PathBuf>,
}

impl<'m> Needs<'m> {
    fn of(
        lexicon: &Lexicon,
        model: &'m Model,
        entry: &Entry,
        callee: &Function,
        command: &'m CompileCommand,
        words: &BTreeSet<String>,
    ) -> Self {
        let mut needs = Needs {
            model,
            command,
            files: Vec::new(),
            includes: Vec::new(),
            only_for: BTreeMap::new(),
            helpers: Vec::new(),
            local: false,
            installed: Vec::new(),
            source: &command.file,
            conditional: Vec::new(),
            owned: Vec::new(),
        };
        needs.function(callee);
        let stand_ins = generate::variadic_callbacks::stand_ins(entry, callee, callee.language);
        // (Of what others answer a test has what it sets.)
        let is_called = |text: &String| {
            let mut called = words.iter().filter(|word| word.starts_with("called_"));
            !text.contains("called_") || called.any(|word| text.contains(&format!("{word}(")))
        };
        needs.helpers.extend(stand_ins.into_iter().filter(is_called));
        needs.helpers.extend(generate::failing_calls::definitions(entry, callee.language, Asker::Test));
        for outside in &entry.outside {
            match outside {
                Outside::Function { function, .. } => needs.function(&model.functions[function]),
                Outside::Callback { .. } => {}
                Outside::Variable { variable, .. } => {
                    let file = &model.variables[variable].extent.file;
                    needs.file((!needs.is_main(file)).then(|| file.clone()));
                }
            }
        }
        for global in &entry.state.globals {
            let file = model.variables.get(&global.variable).map(|variable| variable.extent.file.clone());
            needs.local |= model.variables.get(&global.variable).is_some_and(|variable| variable.is_file_local);
            needs.file(file);
        }
        for call in &entry.state.calls {
            match (model.functions.get(&call.method), model.variables.get(&call.method)) {
                (Some(function), _) => needs.function(function),
                (None, variable) => needs.file(variable.map(|variable| variable.extent.file.clone())),
            }
        }
        let mut types = Vec::new();
        for slot in entry.slots() {
            slot.ty.walk(&mut |t| types.push((t.clone(), false)));
            slot.recipe.walk(&mut |recipe| {
                // Of the ways to make a value the test goes one.
                let function = match &recipe.kind {
                    Kind::Factory { function, .. } => model.functions.get(function),
                    _ => None,
                };
                let function = function.filter(|function| words.contains(&function.name));
                recipe.ty.walk(&mut |t| {
                    if function.is_some() || is_named(model, t, words) {
                        types.push((t.clone(), function.is_none()));
                    }
                });
                if matches!(recipe.kind, Kind::File) && !needs.helpers.iter().any(|known| known == TEXT_OF) {
                    needs.helpers.push(TEXT_OF.to_owned());
                }
                if let Kind::Pointer { to, given: false, .. } = &recipe.kind
                    && is_made(&to.recipe)
                    && let Some(end) = destroyer(lexicon, model, &to.ty)
                {
                    needs.function(end);
                }
                if let Some(function) = function {
                    needs.function(function);
                }
            });
        }
        if let Some(end) = c_lifecycle::ends_result(lexicon, model, callee).filter(|end| words.contains(&end.name)) {
            needs.function(end);
        }
        if let Some(result) = &entry.result {
            result.walk(&mut |t| types.push((t.clone(), false)));
        }
        let mut named: BTreeMap<PathBuf, (usize, BTreeSet<String>)> = BTreeMap::new();
        for (ty, is_by_name) in types {
            let from = needs.files.len();
            match &ty.kind {
                TypeKind::Record { usr, .. } => {
                    if let Some(class) = model.classes.get(usr) {
                        needs.class(class);
                    }
                    for class in generate::headers::owned_by(model, &ty) {
                        // A class that is local to a source is destroyed there too.
                        let file = class.definition.as_ref().map(|at| &at.file);
                        needs.owned.extend(file.filter(|file| !needs.is_main(file)).cloned());
                    }
                }
                TypeKind::Enum(usr) => {
                    let file = model.enums.get(usr).and_then(|e| e.definition.as_ref()).map(|d| d.file.clone());
                    let is_own = file.as_ref().is_none_or(|file| model.files.contains_key(file));
                    if is_own { needs.file(file) } else { needs.install(needs.brought_along(file.as_deref())) }
                }
                _ => {}
            }
            for file in needs.files[from..].iter().filter(|_| is_by_name) {
                let (times, names) = named.entry(file.clone()).or_default();
                *times += 1;
                names.extend(names_of(model, &ty));
            }
        }
        let is_all = |file: &Path, times: usize| needs.files.iter().filter(|other| *other == file).count() == times;
        named.retain(|file, (times, names)| is_all(file, *times) && !names.contains(""));
        needs.only_for = named.into_iter().map(|(file, (_, names))| (include_operand(&file, command), names)).collect();
        let mut files = std::mem::take(&mut needs.files);
        let owned = std::mem::take(&mut needs.owned).into_iter();
        files.extend(owned.filter(|file| !files.iter().any(|from| reaches(model, from, file))).collect::<Vec<_>>());
        files.retain(|file| !needs.conditional.contains(file));
        files.sort();
        files.dedup();
        // A header may want what another one declares: in the order of the source the two go together.
        let order = included(model, &command.file);
        files.sort_by_key(|file| order.get(file.as_path()).copied().unwrap_or(order.len()));
        needs.includes = files.iter().map(|file| include_operand(file, command)).collect();
        needs.includes.append(&mut needs.installed);
        needs
    }

    fn class(&mut self, class: &Class) {
        // A part of an installed library may be in a header that must be included through another one.
        let place = class.definition.as_ref().or_else(|| class.declarations.first()).map(|at| at.file.as_path());
        if class.installed.is_some() || place.is_some_and(|file| !self.model.files.contains_key(file)) {
            let known = crate::cpp::header_of(&class.qualified, class.language).map(str::to_owned);
            return self.install(known.or_else(|| self.brought_along(place)));
        }
        self.local |= class.is_file_local;
        self.file(class.definition.as_ref().map(|d| d.file.clone()));
    }

    fn brought_along(&self, file: Option<&Path>) -> Option<String> {
        file.and_then(|file| generate::headers::installed(self.model, self.source, file))
    }

    fn install(&mut self, header: Option<String>) {
        self.installed.extend(header.filter(|header| !self.installed.contains(header)));
    }

    fn file(&mut self, file: Option<PathBuf>) {
        let Some(file) = file else { return };
        if self.is_main(&file) {
            self.local = true;
        } else {
            self.files.push(file);
        }
    }

    fn is_main(&self, file: &Path) -> bool {
        self.model.units.iter().any(|u| u.main_file == file)
    }

    fn function(&mut self, function: &Function) {
        // Code that a header has for one source only is available there only.
        if self.model.is_conditional(function) {
            self.conditional.extend(function.definition.as_ref().map(|at| at.extent.file.clone()));
            self.local = true;
            return;
        }
        if function.is_file_local {
            self.local = true;
            return;
        }
        // (A friend is declared where the class template that defines it is declared.)
        let owner = function.owner.as_ref().or(function.friend_of.as_ref());
        if let Some(class) = owner.and_then(|o| self.model.classes.get(o)) {
            self.class(class);
            return;
        }
        let model = self.model;
        let is_main = |file: &Path| model.units.iter().any(|u| u.main_file == file);
        // A template is instantiated where its body is visible.
        if function.template.is_some() && function.definition.as_ref().is_some_and(|d| is_main(&d.extent.file)) {
            self.local = true;
            return;
        }
        let header = function
            .declarations
            .iter()
            .map(|d| &d.file)
            .chain(function.definition.iter().map(|d| &d.extent.file))
            .find(|file| !is_main(file))
            .cloned();
        match header {
            Some(header) => self.files.push(header),
            None => self.declare(function),
        }
    }

    /// Declares a function that no header of the project declares.
    fn declare(&mut self, function: &Function) {
        let mut params: Vec<String> =
            function.params.iter().map(|p| crate::cpp::declare(&p.ty.spelling, &p.name)).collect();
        if function.is_variadic {
            params.push("...".into());
        }
        let params =
            if params.is_empty() && function.language == Language::C { "void".into() } else { params.join(", ") };
        let head = crate::cpp::declare(&function.result.spelling, &format!("{}({params})", function.name));
        let as_c = function.language == Language::Cxx && function.mangled.as_deref() == Some(function.name.as_str());
        let head = if as_c { format!("extern \"C\" {head}") } else { head };
        let spaces: Vec<String> = function
            .scopes
            .iter()
            .filter_map(|s| match s {
                crate::model::Scope::Namespace { name, .. } => Some(format!("namespace {name} {{ ")),
                crate::model::Scope::Class(_) => None,
            })
            .collect();
        let words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
        // (A project with its own `uint8_t` does not need the library's.)
        let is_own = |word: &str| self.model.aliases.values().any(|alias| alias.qualified == word);
        let foreign = words.filter(|word| !is_own(word));
        let headers: Vec<&str> = foreign.filter_map(|word| crate::cpp::header_of(word, function.language)).collect();
        for header in headers {
            if !self.installed.iter().any(|known| known == header) {
                self.installed.push(header.to_owned());
            }
        }
        let line = format!("{}{head};{}", spaces.concat(), " }".repeat(spaces.len()));
        if !self.helpers.contains(&line) {
            self.helpers.push(line);
        }
        let _ = self.command;
    }
}

/// The names in the text of a test.
fn words(body: &expect::TestBody) -> BTreeSet<String> {
    let observers = body.observers.iter().map(|observer| &observer.expression);
    let lines = body.setup.iter().chain(&body.take_down).chain(std::iter::once(&body.call)).chain(&body.result);
    let mut text: String = lines.chain(observers).map(|line| format!("{line}\n")).collect();
    text.push_str(&format!("{:?}", body.checks));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).map(str::to_owned).collect()
}

/// Whether a test names a type.
fn is_named(model: &Model, ty: &Type, words: &BTreeSet<String>) -> bool {
    names_of(model, ty).iter().any(|name| words.contains(name))
}

/// The names that a test can use a type by: its own, the one it is spelled with, its enumerators.
fn names_of(model: &Model, ty: &Type) -> Vec<String> {
    let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let spelled = ty.bare_spelling().split('<').next().unwrap_or_default();
    let spelled = spelled.rsplit([':', ' ']).find(|word| !word.is_empty() && *word != "*" && *word != "&");
    let own = match &ty.kind {
        TypeKind::Record { usr, .. } => model.classes.get(usr).map(|class| class.name.clone()).into_iter().collect(),
        TypeKind::Enum(usr) => model.enums.get(usr).map_or_else(Vec::new, |known| {
            known.enumerators.iter().map(|(name, _)| last(name)).chain([last(&known.qualified)]).collect()
        }),
        _ => return Vec::new(),
    };
    own.into_iter().chain(spelled.map(str::to_owned)).collect()
}
