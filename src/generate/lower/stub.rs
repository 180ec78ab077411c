//! Stubs: a local class that implements an interface, notes its calls and answers with data.

use super::writer::{Lowered, Lowering, Made, NOTES, Noted, SoFar, Values, name_as};
use super::{adapter, exact};
use crate::cpp::print;
use crate::facts::default_construction::is_default_constructible;
use crate::model::{FunctionKind, Prim, Type, TypeKind};
use crate::plan::{Answer, BufferLength, Kind, Recipe, Slot, StubMethod, Written};

/// A stub; with `owned` one that the receiver owns.
pub(super) fn stub(lowering: &mut Lowering<'_>, recipe: &Recipe, owned: bool, name: &str) -> Lowered<Made> {
    let Recipe { ty, kind: Kind::Stub { args, methods }, .. } = recipe else { unreachable!("called for stubs") };
    let (class, list) = stub_class(lowering, ty, args, methods)?;
    let name = lowering.name(name);
    let made = if owned {
        lowering.line(format!("auto *{name} = new {class}({list});"));
        Made::pointer(&name)
    } else {
        lowering.object(&name, &format!("{class}({list})"), format!("{class} {name}({list});"))
    };
    stub_answers(lowering, methods, &made)?;
    Ok(made)
}

fn stub_answers(lowering: &mut Lowering<'_>, methods: &[StubMethod], stub: &Made) -> Lowered<()> {
    for (method, slot) in methods.iter().flat_map(|method| method.slots().map(move |slot| (method, slot))) {
        let before = SoFar::of(lowering);
        let made = lowering.value(&slot.recipe, &slot.name)?;
        if is_never_called(lowering, method) {
            before.restore(lowering);
            continue;
        }
        let member = print(&stub.member(&slot.name));
        // Its elements need not be such that one can be given to another.
        lowering.line(format!("{member} = std::move({});", made.object));
    }
    Ok(())
}

/// Writes the class; its name, and what its constructor is given.
fn stub_class(
    lowering: &mut Lowering<'_>,
    ty: &Type,
    args: &[Slot],
    methods: &[StubMethod],
) -> Lowered<(String, String)> {
    lowering.stubs = true;
    let made = lowering.slots(args)?;
    let given = exact::pass(lowering, args, &made);
    let list: Vec<String> = std::iter::once(NOTES.to_owned()).chain(given.iter().map(print)).collect();
    // In a list of bases `typename` is implied.
    let interface = lowering.ty(ty);
    let interface = interface.trim_start_matches("typename ").to_owned();
    // (With arguments for its base, or in a driver, it derives from the interface itself.)
    let adapter = if args.is_empty() && !lowering.from_input() { adapter::of(lowering, ty, methods) } else { None };
    let interface = adapter.map_or(interface, |adapter| adapter.qualified.clone());
    let bare = ty.spelling.split('<').next().unwrap_or(&ty.spelling);
    let short = bare.rsplit("::").next().unwrap_or(bare).to_owned();
    let class = name_as(lowering, &format!("{short}Stub"));
    lowering.line(format!("// Implements {}: notes its calls, answers with data.", ty.spelling));
    lowering.line(format!("struct {class} : {interface} {{"));
    lowering.indent += 1;
    stub_constructor(lowering, &class, &interface, args);
    for method in methods {
        if is_never_called(lowering, method) {
            if lowering.model.functions[&method.method].is_pure {
                refusing(lowering, method);
            }
        } else if is_heard(lowering, method) {
            stub_method(lowering, &class, method, &method.label(lowering.model, methods));
        } else if adapter.is_none() && lowering.model.functions[&method.method].is_pure {
            let head = overrider(lowering, method, &vec![String::new(); method.params.len()]);
            lowering.line(format!("{head} override {{}}"));
        }
    }
    for method in methods.iter().filter(|method| !is_never_called(lowering, method)).collect::<Vec<_>>() {
        let repeats = matches!(method.answer, Answer::Values { repeats: true, .. });
        for (index, slot) in method.slots().enumerate() {
            let vector = lowering.ty(&slot.ty);
            lowering.line(format!("mutable {vector} {};", slot.name));
            if index > 0 || !repeats {
                lowering.line(format!("mutable std::size_t {}_given = 0;", slot.name));
            }
        }
    }
    lowering.line("std::vector<std::string> &notes_of_calls;");
    lowering.indent -= 1;
    lowering.line("};");
    Ok((class, list.join(", ")))
}

/// Whether a test needs to know of the calls of a method, or what it answers: others do nothing.
pub(super) fn is_heard(lowering: &Lowering<'_>, stub: &StubMethod) -> bool {
    let name = &lowering.model.functions[&stub.method].name;
    stub.slots().next().is_some()
        || !matches!(stub.answer, Answer::Nothing)
        || lowering.heard.as_ref().is_none_or(|heard| heard.contains(name))
}

/// Whether a method that answers, or writes to its arguments, is not called in a test.
fn is_never_called(lowering: &Lowering<'_>, stub: &StubMethod) -> bool {
    let method = &lowering.model.functions[&stub.method];
    let answers = stub.slots().next().is_some() || !matches!(stub.answer, Answer::Nothing);
    let can_refuse = !method.is_noexcept || matches!(stub.result.kind, TypeKind::Void);
    answers && can_refuse && lowering.heard.as_ref().is_some_and(|heard| !heard.contains(&method.name))
}

/// Writes a method that nothing is to call.
fn refusing(lowering: &mut Lowering<'_>, stub: &StubMethod) {
    let head = overrider(lowering, stub, &vec![String::new(); stub.params.len()]);
    let class = lowering.model.class_of(&stub.result);
    let is_made_of_nothing = class.is_none_or(|class| is_default_constructible(lowering.model, class));
    // (What takes objects down calls behind the record.)
    let body = match &stub.result.kind {
        TypeKind::Void => "{}".to_owned(),
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => "{ return {}; }".to_owned(),
        TypeKind::Record { .. } if is_made_of_nothing => "{ return {}; }".to_owned(),
        _ => {
            format!("{{ throw std::logic_error(\"{} is not called\"); }}", lowering.model.functions[&stub.method].name)
        }
    };
    lowering.line(format!("{head} override {body}"));
}

/// The next of the values of a slot, or a value of no information where there are no more.
fn next(lowering: &Lowering<'_>, slot: &Slot, ty: &Type) -> String {
    let vector = &slot.name;
    let ty = crate::types::spelling::value_type(ty.without_ref());
    let none = match ty.kind {
        TypeKind::Pointer(_) => "\"\"".to_owned(),
        _ => crate::types::spelling::value_initialized(&ty, &lowering.ty(&ty)),
    };
    format!("{vector}_given < {vector}.size() ? {vector}[{vector}_given++] : {none}")
}

/// Writes the next values to an out parameter: to all elements of a buffer, of which a parameter says how many it has.
fn write(lowering: &mut Lowering<'_>, stub: &StubMethod, written: &Written) {
    let name = format!("argument{}", written.param + 1);
    let (to, is_pointer) = target(&stub.params[written.param]);
    let is_void = matches!(to.kind, TypeKind::Void);
    let is_text = matches!(to.kind, TypeKind::Prim(Prim::Char));
    let element = if is_void { crate::types::arithmetic::simple_type("unsigned char") } else { to.clone() };
    let value = next(lowering, &written.slot, &element);
    match stub.lengths[written.param] {
        Some(length) => {
            let pointer = if is_void { format!("static_cast<unsigned char *>({name})") } else { name.clone() };
            lowering.line(each(to, &name, length));
            // Who is given text looks for its end.
            let value = if is_text { format!("at + 1 == count ? '\\0' : {value}") } else { value };
            lowering.line(format!("  {pointer}[at] = {value};"));
            lowering.line("}");
        }
        None if is_pointer => lowering.line(format!("if ({name}) *{name} = {value};")),
        None => lowering.line(format!("{name} = {value};")),
    }
}

/// What a parameter refers to, and whether it is a pointer.
fn target(ty: &Type) -> (&Type, bool) {
    match &ty.kind {
        TypeKind::Pointer(to) | TypeKind::Array(to, _) => (to, true),
        _ => (ty.without_ref(), false),
    }
}

/// The head of a loop over the elements behind a pointer. A greater number than a buffer has is no length, and neither
/// is one below zero.
fn each(to: &Type, name: &str, length: BufferLength) -> String {
    let mut count = format!("static_cast<unsigned long long>(argument{})", length.by + 1);
    if let Some(times) = length.times {
        count.push_str(&format!(" * static_cast<unsigned long long>(argument{})", times + 1));
    } else if length.in_bytes && !matches!(to.kind, TypeKind::Void) && to.size != Some(1) {
        count.push_str(&format!(" / sizeof *{name}"));
    }
    let goes_on = format!("{name} && count < {GREATEST} && at < count");
    format!("for (unsigned long long at = 0, count = {count}; {goes_on}; ++at) {{")
}

/// The head of an overrider; a parameter that nothing looks at has no name.
fn overrider(lowering: &Lowering<'_>, stub: &StubMethod, names: &[String]) -> String {
    let method = &lowering.model.functions[&stub.method];
    let params = stub.params.iter().zip(names);
    let params: Vec<String> =
        params.map(|(param, name)| crate::cpp::declare(&lowering.ty(param), name).trim_end().to_owned()).collect();
    let constant = if method.is_const { " const" } else { "" };
    let noexcept = if method.is_noexcept { " noexcept" } else { "" };
    let result = lowering.ty(&stub.result);
    let head = match method.kind {
        FunctionKind::Conversion => format!("operator {result}()"),
        _ => crate::cpp::declare(&result, &format!("{}({})", method.name, params.join(", "))),
    };
    format!("{head}{constant}{noexcept}")
}

/// Hands on what its base asks for.
fn stub_constructor(lowering: &mut Lowering<'_>, class: &str, base: &str, args: &[Slot]) {
    let mut params = vec!["std::vector<std::string> &notes".to_owned()];
    let mut given = Vec::new();
    for (number, slot) in args.iter().enumerate() {
        let (name, ty) = (format!("given{}", number + 1), lowering.ty(&slot.ty));
        params.push(crate::cpp::declare(&ty, &name));
        let plain = matches!(
            slot.ty.kind,
            TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) | TypeKind::LvalueRef(_)
        );
        given.push(if plain { name } else { format!("std::move({name})") });
    }
    let explicit = if args.is_empty() { "explicit " } else { "" };
    let base = if args.is_empty() { String::new() } else { format!("{base}({}), ", given.join(", ")) };
    lowering.line(format!("{explicit}{class}({}) : {base}notes_of_calls(notes) {{}}", params.join(", ")));
}

fn stub_method(lowering: &mut Lowering<'_>, class: &str, stub: &StubMethod, label: &str) {
    let method = &lowering.model.functions[&stub.method];
    let names: Vec<String> = (1..=stub.params.len()).map(|n| format!("argument{n}")).collect();
    // What is written to need not have a value yet.
    let is_set = |index: usize| target(&stub.params[index]).1 || !stub.writes.iter().any(|to| to.param == index);
    let told = stub.params.iter().zip(&names).enumerate();
    // (Most tests hear of no NaN.)
    let is_plain = |ty: &Type| !lowering.from_input() && !lowering.hears_nan && is_floating(ty.without_ref());
    let said = |ty: &Type, name: &str| if is_plain(ty) { Some(name.to_owned()) } else { shown(ty, name) };
    let told: Vec<Option<String>> = told.map(|(at, (ty, n))| said(ty, n).filter(|_| is_set(at))).collect();
    let mut seen: Vec<String> = Vec::new();
    let mut used: Vec<bool> = told.iter().map(Option::is_some).collect();
    for written in &stub.writes {
        used[written.param] = true;
    }
    for length in told_or_written(stub) {
        used[length.by] = true;
        length.times.into_iter().for_each(|times| used[times] = true);
    }
    if lowering.from_input() {
        for (index, name) in names.iter().enumerate().filter(|(index, _)| stub.looks[*index]) {
            used[index] = true;
            let calls = "notes_of_calls.size()";
            seen.push(format!("observe_argument({calls}, \"{label}\", \"{name}\", {name});"));
        }
    }
    let noted: Vec<Noted> = lowering.noted.iter().filter(|noted| noted.label == label).cloned().collect();
    for noted in &noted {
        if let Some(used) = used.get_mut(noted.argument) {
            *used = true;
        }
        let Noted { call, place, shown, .. } = noted;
        seen.push(format!("if (notes_of_calls.size() == {call}) note << \", {place} = \" << {shown};"));
    }
    let named: Vec<String> =
        names.iter().zip(&used).map(|(n, used)| if *used { n.clone() } else { String::new() }).collect();
    let head = overrider(lowering, stub, &named);
    lowering.line(format!("{head} override {{"));
    lowering.indent += 1;
    lowering.line("std::ostringstream note;");
    if stub.params.iter().any(|ty| is_floating(target(ty).0)) || noted.iter().any(|noted| noted.is_floating) {
        lowering.line("note.precision(17);");
    }
    let mut text = format!("note << \"{}(", method.name);
    for (index, (told, name)) in told.iter().zip(&names).enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        match (element(stub, index, name), stub.lengths[index], told) {
            (Some(element), Some(length), _) => {
                lowering.line(format!("{text}{{\";"));
                lowering.line(each(target(&stub.params[index]).0, name, length));
                lowering.line(format!("  if (at < {MOST_NOTED}) note << (at > 0 ? \" \" : \"\") << {element};"));
                lowering.line("}");
                text = "note << \"}".into();
            }
            (.., Some(told)) => text.push_str(&format!("\" << {told} << \"")),
            (.., None) => text.push_str("..."),
        }
    }
    lowering.line(format!("{text})\";"));
    seen.into_iter().for_each(|line| lowering.line(line));
    lowering.line(format!("if (notes_of_calls.size() < {MOST_NOTED}) notes_of_calls.push_back(note.str());"));
    stub.writes.iter().for_each(|written| write(lowering, stub, written));
    match &stub.answer {
        Answer::Nothing => {}
        Answer::Itself if method.is_const && !stub.result.without_ref().is_const => {
            lowering.line(format!("return const_cast<{class} &>(*this);"));
        }
        Answer::Itself => lowering.line("return *this;"),
        Answer::Refusal => lowering.line(format!("throw std::logic_error(\"{}: no answer\");", method.name)),
        Answer::Default => lowering.line("return {};"),
        Answer::Values { slot, repeats: true } => lowering.line(format!("return {}.back();", slot.name)),
        Answer::Values { slot, repeats: false } => {
            let value = next(lowering, slot, &stub.result);
            lowering.line(format!("return {value};"));
        }
    }
    lowering.indent -= 1;
    lowering.line("}");
}

/// Calls that are noted, at most: a loop may go on for long.
pub const MOST_NOTED: usize = 64;
/// No buffer has so many elements.
const GREATEST: usize = 65536;

/// The lengths that the body of a method looks at.
fn told_or_written(stub: &StubMethod) -> impl Iterator<Item = BufferLength> {
    let lengths = stub.lengths.iter().enumerate();
    lengths.filter_map(|(index, length)| {
        let is_told = element(stub, index, "").is_some();
        let is_written = stub.writes.iter().any(|written| written.param == index);
        length.filter(|_| is_told || is_written)
    })
}

/// How an element of a buffer that is handed over is noted; none where it can't be said, or is not there to be read.
fn element(stub: &StubMethod, index: usize, name: &str) -> Option<String> {
    let (to, is_pointer) = target(&stub.params[index]);
    if !is_pointer || !to.is_const || to.spelling.contains("volatile") {
        return None;
    }
    match to.kind {
        TypeKind::Void => Some(format!("static_cast<int>(static_cast<const unsigned char *>({name})[at])")),
        TypeKind::Prim(_) | TypeKind::Enum(_) => shown(to, &format!("{name}[at]")),
        _ => None,
    }
}

/// How an argument is noted; none where it can't be said.
pub fn shown(ty: &Type, name: &str) -> Option<String> {
    let ty = ty.without_ref();
    match &ty.kind {
        TypeKind::Prim(Prim::Bool) => Some(format!("({name} ? \"true\" : \"false\")")),
        TypeKind::Prim(Prim::Int128 | Prim::UInt128) => None,
        TypeKind::Prim(_) if is_floating(ty) => {
            // One NaN is like another.
            Some(format!("({name} == {name} ? {name} : 0) << ({name} == {name} ? \"\" : \" (NaN)\")"))
        }
        TypeKind::Prim(Prim::Char | Prim::SChar | Prim::UChar | Prim::WChar | Prim::Char8 | Prim::Char16) => {
            Some(format!("static_cast<int>({name})"))
        }
        TypeKind::Prim(Prim::Char32) => Some(format!("static_cast<unsigned>({name})")),
        TypeKind::Prim(_) => Some(name.to_owned()),
        TypeKind::Enum(_) => Some(format!("static_cast<long long>({name})")),
        TypeKind::Record { name: class, .. } if crate::types::standard::is_text(class) => Some(name.to_owned()),
        TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Prim(Prim::Char)) && to.is_const => {
            Some(format!("({name} ? {name} : \"nullptr\")"))
        }
        TypeKind::Pointer(_) => Some(format!("({name} ? \"&...\" : \"nullptr\")")),
        _ => None,
    }
}

/// Whether it is a floating-point number.
pub fn is_floating(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Prim(Prim::Float | Prim::Double | Prim::LongDouble))
}
