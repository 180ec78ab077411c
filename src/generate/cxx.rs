//! The files of a C++ unit.

use super::failing_calls::{self, Asker};
use super::function_pointers::{pointer, pointer_to};
use super::job::{Job, include_path, renamed_classes, render};
use super::lower::calls::Call;
use super::lower::{Lowering, Made, NOTES, Source, position_in};
use super::lower::{Values, choices, exact, override_values, owned, ownership, paired_setup};
use super::name_clashes::{Hidden, is_taken};
use super::observe::{self, Observing};
use super::places::places;
use super::{edit_hints, undefined_symbols};
use crate::facts::handles;
use crate::model::{Function, FunctionKind, Model, Param, Type, TypeKind};
use crate::plan::{Entry, Kind};
use crate::types::spelling::{replace_word, value_type};
use std::collections::BTreeMap;

/// The type `T` for original and copy, and the names that follow from it.
struct Versions {
    original: String,
    mutant: String,
    what: String,
    /// `using` declarations within TestUtil.
    aliases: Vec<String>,
    /// Definitions before it.
    text: String,
    /// Spelling to alias, for the lowering.
    map: Vec<(String, String)>,
    /// Names that mean something else in the driver.
    hidden: Hidden,
    /// Expression that calls a free function under test, per entry.
    targets: Vec<Option<String>>,
}

/// The text of a unit's driver, for the skeletons.
pub(super) struct Written<'m> {
    pub context: tera::Context,
    /// The classes that are observed.
    pub classes: Vec<observe::Observed<'m>>,
    /// Headers that the plan needs and the source does not bring.
    pub headers: Vec<String>,
}

/// All files; `driver.cpp` first.
///
/// # Errors
/// The plan does not lower to statements.
pub fn files(job: &Job<'_>) -> Result<Vec<(String, String)>, String> {
    let Written { mut context, classes, headers } = written(job)?;
    let renames = renamed_classes(job.copied);
    context.insert("seen", observe::seen(&classes));
    let observing = Observing::new(&job.plan.lexicon, job.model, &job.plan.excluded, &classes);
    let observers = observing.cxx(&classes, &renames);
    let body = context.get("body").and_then(tera::Value::as_str).unwrap_or_default();
    // (What observers name of the standard library the runtime includes, but for this.)
    let body =
        if observers.contains("std::ostringstream") { format!("{body}std::ostringstream") } else { body.to_owned() };
    context.insert("includes", &crate::types::library::headers(&body));
    context.insert("observers", &observers);
    let undefined = job.undefined([body.as_str(), &observers]);
    let utility = render("TestUtil.hpp", &context)?;
    context.insert("includes", &headers);
    let language = job.plan.language;
    let entry = job.plan.entries.first().ok_or("no way in")?;
    let missing = super::stand_ins::definitions(&job.plan.lexicon, job.model, entry, language);
    let failing = failing_calls::definitions(entry, language, Asker::Driver);
    context.insert("system_includes", &undefined_symbols::system_headers(entry, language, missing.as_deref()));
    let outside: Vec<String> = missing.into_iter().chain(failing).collect();
    context.insert("outside", &(undefined + &outside.join("\n")));
    let mut files = job.render(context, ["driver.cpp", "original.hpp", "mut_copy.hpp"])?;
    files.insert(2, ("TestUtil.hpp".into(), utility));
    Ok(files)
}

/// # Errors
/// The plan does not lower to statements.
pub(super) fn written<'m>(job: &Job<'m>) -> Result<Written<'m>, String> {
    let all = versions(job, &|_| true);
    let mut body = String::new();
    for line in body_lines(job, &all)? {
        if !line.is_empty() {
            body.push_str(&super::layout::folded(&format!("    {line}")));
        }
        body.push('\n');
    }
    // Names that no statement uses would only be in a reader's way.
    let versions = versions(job, &|name| replace_word(&body, name, "") != body);
    let mut context = job.context();
    context.insert("written_out", &super::header_units::definition(job, &versions.original, &versions.hidden));
    context.insert("original", &versions.original);
    context.insert("mutant", &versions.mutant);
    context.insert("what_t", &versions.what);
    context.insert("versions", &versions.text);
    context.insert("aliases", &versions.aliases);
    context.insert("includes", &crate::types::library::headers(&body));
    context.insert("body", &body);
    context.insert("guided", &job.guided);
    let headers = super::headers::missing(job.model, job.plan).iter().map(|p| include_path(p)).collect();
    Ok(Written { context, classes: observe::observed(job.model, job.plan), headers })
}

/// `used` tells which classes of a version need a name of their own.
fn versions(job: &Job<'_>, used: &dyn Fn(&str) -> bool) -> Versions {
    let model = job.model;
    let unit = &model.functions[&job.plan.unit];
    let renames = renamed_classes(job.copied);
    let rename = |text: &str| renames.iter().fold(text.to_owned(), |t, (old, new)| replace_word(&t, old, new));
    let owner = model.owner_of(unit);
    let Some(owner) = owner.filter(|o| !o.name.is_empty()) else { return free_function(job) };
    let original = crate::types::records::record_type(model, owner, job.plan.owner_args.clone()).spelling;
    let hidden = Hidden::of(model);
    let mutant = hidden.spell(&rename(&original));
    let mut map = vec![(original.clone(), "T".to_owned())];
    let mut aliases = Vec::new();
    let mut text = String::new();
    let short_of = |name: &str| {
        let short = name.rsplit("::").next().unwrap_or(name);
        if is_taken(short) { format!("The{short}") } else { short.to_owned() }
    };
    // Other classes of the copy that the statements name: each version has its own.
    let mut peers: BTreeMap<String, String> = BTreeMap::new();
    for slot in job.plan.entries.iter().flat_map(|e| e.slots()) {
        let mut peer = |ty: &Type| {
            if let TypeKind::Record { name, .. } = &ty.kind
                && ty.bare_spelling() != original
                && renames.contains_key(name)
            {
                peers.insert(ty.bare_spelling().to_owned(), short_of(name));
            }
        };
        slot.ty.walk(&mut peer);
        slot.recipe.walk(&mut |recipe| recipe.ty.walk(&mut peer));
    }
    // Nested and enclosing classes of the copy are reached by name as well.
    for old in renames.keys() {
        if *old != original && !original.starts_with(&format!("{old}<")) && !peers.contains_key(old) {
            let class = job
                .copied
                .and_then(|c| c.classes.iter().find(|(_, o, _)| o == old))
                .and_then(|(usr, _, _)| model.classes.get(usr));
            if class.is_some_and(|c| c.template.is_none()) {
                peers.insert(old.clone(), short_of(old));
            }
        }
    }
    peers.retain(|_, short| used(short));
    // Free functions that the statements call: the copy has copies of them.
    let mut functions: Vec<(String, String, String)> = Vec::new();
    for slot in job.plan.entries.iter().flat_map(|e| e.slots()) {
        slot.recipe.walk(&mut |recipe| {
            if let Kind::Factory { function, object: None, .. } = &recipe.kind
                && let (old, Some(new)) = (&model.functions[function].qualified, job.copy_of(function))
                && !functions.iter().any(|(known, _, _)| known == old)
            {
                functions.push((old.clone(), new.to_owned(), pointer(&model.functions[function], &short_of(old))));
            }
        });
    }
    if !peers.is_empty() || !functions.is_empty() {
        text.push_str("// The classes that belong to one version: the project's own, or their copies.\n");
        text.push_str("template <typename T>\nstruct Version;\n");
        for mutated in [false, true] {
            let spell = |s: &str| hidden.spell(&if mutated { rename(s) } else { s.to_owned() });
            text.push_str(&format!("template <>\nstruct Version<{}> {{\n", spell(&original)));
            for (spelling, short) in &peers {
                text.push_str(&format!("  using {short} = {};\n", spell(spelling)));
            }
            for (old, new, pointer) in &functions {
                let (pointer, target) = (spell(pointer), hidden.spell(if mutated { new } else { old }));
                text.push_str(&format!("  static constexpr {pointer} = &{target};\n"));
            }
            text.push_str("};\n");
        }
        for (old, _, _) in &functions {
            map.push((old.clone(), format!("Version<T>::{}", short_of(old))));
        }
        for (spelling, short) in &peers {
            aliases.push(format!("using {short} = typename Version<T>::{short};"));
            map.push((spelling.clone(), short.clone()));
        }
    }
    // Longer spellings first: `Outer::Inner` before `Outer`.
    map.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
    let what = if job.copied.is_some() { format!("{original} or {mutant}") } else { original.clone() };
    let targets = job.plan.entries.iter().map(|_| None).collect();
    let original = hidden.spell(&original);
    Versions { original, mutant, what, aliases, text, map, hidden, targets }
}

/// A free function has no class: a structure per version names its functions.
fn free_function(job: &Job<'_>) -> Versions {
    let model = job.model;
    let hidden = Hidden::of(model);
    let mut text = String::new();
    let mut targets = Vec::new();
    let several = job.plan.entries.len() > 1;
    let mut members: Vec<(String, String)> = Vec::new();
    for (index, entry) in job.plan.entries.iter().enumerate() {
        let callee = &entry.instance(model);
        let name = if several { format!("call{}", index + 1) } else { "call".to_owned() };
        let copy = job.copy_of(&entry.callee);
        if callee.owner.is_some() {
            targets.push(None);
            continue;
        }
        let to = copy.unwrap_or(&callee.qualified);
        if let Some(symbol) = callee.operator_symbol() {
            members.push(operator_member(&hidden, callee, &name, symbol, copy));
        } else if entry.by_arguments {
            members.push(friend_member(&hidden, callee, &name, copy));
        } else {
            let member = |target: &str| {
                format!("static constexpr {} = &{};", pointer_to(&hidden, callee, &name), hidden.spell(target))
            };
            members.push((member(&entry.with_arguments(&callee.qualified)), member(&entry.with_arguments(to))));
        }
        targets.push(Some(format!("T::{name}")));
    }
    for mutated in [false, true] {
        if mutated && job.copied.is_none() {
            continue;
        }
        let (name, comment) = if mutated {
            ("Mutant", "The copy, which is the mutant that is active.")
        } else {
            ("Original", "The project's own function.")
        };
        text.push_str(&format!("// {comment}\nstruct {name} {{\n"));
        for (original, copy) in &members {
            text.push_str(&format!("  {}\n", if mutated { copy } else { original }));
        }
        text.push_str("};\n");
    }
    Versions {
        original: format!("{}::Original", job.space),
        mutant: format!("{}::Mutant", job.space),
        what: if job.copied.is_some() { "Original or Mutant".into() } else { "Original".into() },
        aliases: Vec::new(),
        text,
        map: Vec::new(),
        hidden,
        targets,
    }
}

/// A static member that calls a function by what `body` says of its parameters, which are called `names`.
fn member(hidden: &Hidden, function: &Function, name: &str, names: &[String], body: &str) -> String {
    let declared = |(p, name): (&Param, &String)| crate::cpp::declare(&hidden.spell(&p.ty.spelling), name);
    let params: Vec<String> = function.params.iter().zip(names).map(declared).collect();
    let result = hidden.spell(&function.result.spelling);
    let head = crate::cpp::declare(&result, &format!("{name}({})", params.join(", ")));
    format!("static {head} {{ return {body}; }}")
}

/// Members that call a free operator and its copy: hidden friends have no address to take.
fn operator_member(
    hidden: &Hidden,
    function: &Function,
    name: &str,
    symbol: &str,
    copy: Option<&str>,
) -> (String, String) {
    let names: Vec<String> =
        (0..function.params.len()).map(|n| ["left", "right"].get(n).unwrap_or(&"more").to_string()).collect();
    let applied = match names.as_slice() {
        [only] => format!("{symbol}{only}"),
        _ => names.join(&format!(" {symbol} ")),
    };
    let copied = copy.map_or_else(|| applied.clone(), |copy| format!("{copy}({})", names.join(", ")));
    let member = |body: &str| member(hidden, function, name, &names, body);
    (member(&applied), member(&copied))
}

/// Members that call a function which only its arguments' class knows, and its copy.
fn friend_member(hidden: &Hidden, function: &Function, name: &str, copy: Option<&str>) -> (String, String) {
    let names: Vec<String> = (1..=function.params.len()).map(|number| format!("argument{number}")).collect();
    let given = function.params.iter().zip(&names).map(|(p, name)| match p.ty.kind {
        TypeKind::LvalueRef(_) | TypeKind::Prim(_) | TypeKind::Pointer(_) | TypeKind::Enum(_) => name.clone(),
        _ => format!("std::move({name})"),
    });
    let given = given.collect::<Vec<_>>().join(", ");
    let member = |callee: &str| member(hidden, function, name, &names, &format!("{callee}({given})"));
    (member(&function.name), member(copy.unwrap_or(&function.name)))
}

fn body_lines(job: &Job<'_>, versions: &Versions) -> Result<Vec<String>, String> {
    let mut lowering = Lowering::new(job.model, job.plan.language, Source::Input, versions.map.clone())
        .beside(&job.plan.source)
        .reading(&job.plan.lexicon);
    lowering.hidden = versions.hidden.clone();
    for statement in &job.plan.reset {
        lowering.line(statement);
    }
    if let [entry] = job.plan.entries.as_slice() {
        entry_lines(job, &mut lowering, entry, versions.targets[0].as_deref())?;
    } else {
        let indexes: Vec<usize> = (0..job.plan.entries.len()).collect();
        choices::ways(&mut lowering, job.plan.has_direct_way(), &indexes, &mut |lowering, index| {
            entry_lines(job, lowering, &job.plan.entries[*index], versions.targets[*index].as_deref())
        })?;
    }
    let mut lines = lowering.take_lines();
    if lines.iter().any(|line| line.contains("keep(") || line.contains("keep.values<")) {
        lines.insert(0, "Keeper keep;".into());
    }
    if lowering.has_stubs() {
        lines.insert(0, format!("std::vector<std::string> {NOTES};"));
    }
    if !lines.iter().any(|l| l.contains("in.") || l.contains("(in")) {
        lines.insert(0, "(void)in;".into());
    }
    Ok(lines)
}

fn entry_lines(job: &Job<'_>, lowering: &mut Lowering<'_>, entry: &Entry, target: Option<&str>) -> Result<(), String> {
    // Names that are in scope around these statements, template parameters included.
    ["stand_ins", "T", "U"].iter().for_each(|name| lowering.reserve(name));
    entry.state.names().for_each(|name| lowering.reserve(name));
    failing_calls::set_up(lowering, entry)?;
    undefined_symbols::set_up(lowering, entry, job.plan.language)?;
    lowering.begin_entry();
    entry_call(job, lowering, entry, target)?;
    for (name, variable, _) in undefined_symbols::variables(job.model, entry) {
        lowering.line(format!("record.output(\"{name}\", {variable});"));
    }
    if !entry.outside.is_empty() {
        lowering.line(format!(
            "record.output(\"{}\", std::string({}));",
            undefined_symbols::RECORDED,
            undefined_symbols::CALLS
        ));
    }
    let mut stubs = false;
    for slot in entry.slots() {
        slot.recipe.walk(&mut |recipe| stubs |= matches!(recipe.kind, Kind::Stub { .. }));
    }
    if stubs {
        lowering.line(format!("record.output(\"{NOTES}\", {NOTES});"));
    }
    Ok(())
}

fn entry_call(job: &Job<'_>, lowering: &mut Lowering<'_>, entry: &Entry, target: Option<&str>) -> Result<(), String> {
    let callee = &job.model.functions[&entry.callee];
    if matches!(callee.kind, FunctionKind::Constructor | FunctionKind::Destructor) {
        let object = entry.object.as_ref().ok_or("a constructor or destructor without an object")?;
        let is_made = callee.kind == FunctionKind::Constructor;
        edit_hints::mark(job, lowering, if is_made { edit_hints::ARGUMENTS } else { edit_hints::OBJECT });
        let made = owned::owned(lowering, &object.recipe, "made")?;
        edit_hints::before_call(job, lowering);
        let ty = lowering.ty(&object.ty);
        if is_made {
            lowering.line(format!("{ty} *object = nullptr;"));
            lowering.line(format!("record.call([&] {{ object = {made}; }});"));
            edit_hints::after_call(job, lowering);
            lowering.line("if (object) record.state(\"object\", *object);");
            written_to_sinks(lowering, None);
            if !matches!(object.recipe.kind, Kind::Construct { kept: true, .. }) {
                lowering.line("delete object;");
            }
        } else {
            lowering.line(format!("{ty} *object = {made};"));
            lowering.line("record.call([&] { delete object; });");
            written_to_sinks(lowering, None);
        }
        constructor_args(lowering, object);
        return Ok(());
    }
    // What a pointer that is returned is kept in.
    let returned = "returned";
    lowering.reserve(returned);
    if entry.object.is_some() {
        edit_hints::mark(job, lowering, edit_hints::OBJECT);
    }
    let object = match &entry.object {
        Some(slot) => Some(lowering.value(&slot.recipe, "object")?),
        None => None,
    };
    if !entry.args.is_empty() {
        edit_hints::mark(job, lowering, edit_hints::ARGUMENTS);
    }
    lowering.follow(object.as_ref());
    let made = edit_hints::slots(job, lowering, &entry.args)?;
    paired_setup::before_call(lowering, entry, object.as_ref(), &made)?;
    edit_hints::before_call(job, lowering);
    override_values::before(lowering, &job.plan.before, object.as_ref(), &entry.args, &made);
    let call = Call { lowering, function: callee, entry, object: object.as_ref(), target }.with(&made);
    // Of an array that the callee allocates a caller may read so many elements at least.
    let least = |name: Option<&str>| entry.least_lengths.iter().find(|(n, _)| n.as_deref() == name).map(|(_, n)| *n);
    let place = position_in(job.model, entry, &made).and_then(|range| range.position(&call));
    let mut stands = places(entry);
    // (Where its elements are compared, or its position, no pointer is kept.)
    let is_kept = least(None).is_none() && position_in(job.model, entry, &made).is_none();
    stands.retain(|place| place.out.is_some() || is_kept);
    undefined_symbols::forget(lowering, entry);
    if job.plan.compares_output() {
        lowering.line("record.prints();");
    }
    match &entry.result {
        None => lowering.line(format!("record.call([&] {{ {call}; }});")),
        Some(ty) if ty.pointee().is_some() && least(None).is_some() => {
            let length = least(None).unwrap_or_default();
            lowering.line(format!("record.call([&] {{ record.output_array(\"return\", {call}, {length}); }});"));
        }
        // An iterator is compared by its position, which says more than the element.
        Some(_) if place.is_some() => {
            let place = place.unwrap_or_default();
            lowering.line(format!("record.returned(\"return\", [&] {{ return {place}; }});"));
        }
        Some(ty) if stands.iter().any(|place| place.out.is_none()) => {
            lowering.line(format!("{} = nullptr;", lowering.declare(&value_type(ty), returned)));
            lowering.line(format!("record.returned(\"return\", [&] {{ return {returned} = {call}; }});"));
        }
        Some(ty) if matches!(ty.kind, TypeKind::LvalueRef(_)) => {
            lowering.line(format!("record.returned(\"return\", [&]() -> decltype(auto) {{ return {call}; }});"));
        }
        Some(_) => lowering.line(format!("record.returned(\"return\", [&] {{ return {call}; }});")),
    }
    edit_hints::after_call(job, lowering);
    if job.plan.compares_output() {
        lowering.line("record.printed();");
    }
    for place in &stands {
        let (pointer, array) = (place.pointer(&made, returned), &made[place.array].object);
        lowering.line(format!("record.place(\"{}\", {pointer}, {array});", place.label));
    }
    for (slot, made) in entry.args.iter().zip(&made) {
        let made = &exact::seen(lowering, slot, made);
        let handed_out = match &slot.ty.kind {
            TypeKind::Pointer(to) if to.pointee().is_some() => Some(crate::cpp::dereference(&made.object)),
            TypeKind::LvalueRef(to) if to.pointee().is_some() => Some(made.object.clone()),
            _ => None,
        };
        if let (Some(array), Some(length)) = (handed_out, least(Some(&slot.name))) {
            lowering.line(format!("record.output_array(\"{}\", {array}, {length});", slot.name));
            continue;
        }
        if let Some(line) = of_copy(job.model, lowering, slot, made) {
            lowering.line(line);
            continue;
        }
        observations(slot, made).into_iter().for_each(|line| lowering.line(line));
    }
    if let (Some(slot), Some(made)) = (&entry.object, &object)
        && !matches!(slot.recipe.kind, Kind::Fixed { .. })
    {
        lowering.line(format!("record.state(\"object\", {});", made.object));
    }
    written_to_sinks(lowering, Some(&made));
    Ok(())
}

/// What has been written to sinks that objects hold: all but `arguments`, which are recorded as such.
fn written_to_sinks(lowering: &mut Lowering<'_>, arguments: Option<&[Made]>) {
    for sink in std::mem::take(&mut lowering.sinks) {
        let Some(written) = sink.written else { continue };
        let is_it = |made: &Made| {
            Some(made.object.trim_start_matches('&')) == written.strip_suffix(".str()")
                || made.range.as_ref().is_some_and(|range| range.container == written)
        };
        if !arguments.unwrap_or_default().iter().any(is_it) {
            lowering.line(format!("record.output(\"{}\", {written});", sink.path));
        }
    }
}

/// Objects that a constructor was given may show what it, or the destructor, did.
fn constructor_args(lowering: &mut Lowering<'_>, object: &crate::plan::Slot) {
    let Kind::Construct { args, .. } = &object.recipe.kind else { return };
    let made = std::mem::take(&mut lowering.constructed_of);
    let refers = |(slot, _): &(&crate::plan::Slot, Made)| matches!(slot.ty.kind, TypeKind::LvalueRef(_));
    for (slot, made) in args.iter().zip(made).filter(refers) {
        observations(slot, &made).into_iter().for_each(|line| lowering.line(line));
    }
}

/// The statements that record what became of an argument, as far as a callee could change it.
fn observations(slot: &crate::plan::Slot, made: &Made) -> Vec<String> {
    if !matches!(slot.recipe.kind, Kind::Iterator { .. } | Kind::Behind) {
        return observation(slot, made).into_iter().collect();
    }
    let mut lines = Vec::new();
    if let Some(range) = &made.range {
        // The object is looked at as a whole.
        let is_itself =
            matches!(&slot.recipe.kind, Kind::Iterator { range, .. } if matches!(range.recipe.kind, Kind::Itself));
        if range.approach.writes() && !is_itself {
            lines.push(format!("record.output(\"{}\", {});", range.name(&slot.name), range.container));
        }
        if let (TypeKind::LvalueRef(to), Some(place)) = (&slot.ty.kind, range.position(&made.object))
            && !to.is_const
        {
            lines.push(format!("record.output(\"{}\", {place});", slot.name));
        }
    }
    lines
}

/// The statement that records what became of the objects to which a value leads that the callee has a copy of: a shared
/// pointer, a container of such. What was given away may be gone.
fn of_copy(model: &Model, lowering: &Lowering<'_>, slot: &crate::plan::Slot, made: &Made) -> Option<String> {
    // Iterators show what they lead into; what a person has written is theirs.
    if matches!(
        slot.recipe.kind,
        Kind::Iterator { .. } | Kind::Behind | Kind::End { .. } | Kind::Fixed { .. } | Kind::OneOf { .. }
    ) {
        return None;
    }
    let mut given = false;
    slot.recipe.walk(&mut |recipe| given |= matches!(recipe.kind, Kind::Pointer { given: true, .. }));
    let is_observed = handles::leads_on(lowering.lexicon(), model, &slot.ty)
        && !given
        && !ownership::is_move_only(lowering, &slot.ty);
    is_observed.then(|| format!("record.output(\"{}\", {});", slot.name, made.object))
}

/// The statement that records what became of an argument, if a callee could change it.
fn observation(slot: &crate::plan::Slot, made: &Made) -> Option<String> {
    let name = &slot.name;
    let (target, is_pointer) = match &slot.ty.kind {
        TypeKind::LvalueRef(to) => (&**to, false),
        TypeKind::Pointer(to) => (&**to, true),
        TypeKind::Array(element, _) => (&**element, true),
        _ => return None,
    };
    let is_plain = matches!(target.kind, TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Void);
    if target.is_const && is_plain {
        return None;
    }
    // Elements whose ownership was transferred may be gone.
    let mut leads_nowhere = false;
    if matches!(slot.recipe.kind, Kind::Sequence { .. }) {
        slot.recipe.walk(&mut |recipe| leads_nowhere |= matches!(recipe.kind, Kind::Pointer { given: true, .. }));
    }
    match &slot.recipe.kind {
        _ if leads_nowhere => None,
        Kind::CString { .. } | Kind::StdString { .. } | Kind::Pattern { .. } if target.is_const => None,
        Kind::File if is_pointer => Some(super::observe::stream("in.raw(), record.raw()", name, &made.object)),
        Kind::Stream { writes, .. } => {
            writes.then(|| format!("record.output(\"{name}\", {}.str());", made.object.trim_start_matches('&')))
        }
        Kind::Array { length, .. } if is_pointer => {
            Some(format!("record.output_array(\"{name}\", {}, {length});", made.object))
        }
        // It may be gone.
        Kind::Pointer { given: true, .. } => None,
        Kind::Fixed { .. } | Kind::OneOf { .. } | Kind::End { .. } | Kind::Stub { .. } => None,
        _ if is_pointer => Some(format!("record.output(\"{name}\", {});", crate::cpp::dereference(&made.object))),
        _ => Some(format!("record.output(\"{name}\", {});", made.object)),
    }
}
