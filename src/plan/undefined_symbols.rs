//! Functions and variables that the project uses and nobody defines: drivers of hardware, an operating system, sources
//! that are built elsewhere. A stand-in takes the place of each: it records its calls and answers with data, as a stub
//! does for an interface.

use super::request::Request;
use super::unit_scope::UnitScope;
use super::{Entry, Kind, Outside, Slot, StandIn, Transfers, Written};
use crate::lexicon::{Lexicon, Role};
use crate::model::{
    ClassKind, Field, Function, FunctionKind, Language, Model, Param, Prim, Type, TypeKind, Usr, Variable,
};
use crate::types::arithmetic::is_integer;
use crate::types::library::row;
use crate::types::spelling::value_type;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Answers that a stand-in gives one after the other, and then again: who waits for one of them gets it.
pub const ANSWERS: u64 = 4;
/// Elements that a stand-in writes to an array that it is given, at most.
pub const WRITTEN: u64 = 16;
/// Bytes with which a stand-in fills buffers, one after the other, and then again.
pub const FILLED: u64 = 64;
/// Elements of an array that have a value from the data, at most.
const ELEMENTS: u64 = 64;
/// Functions that are looked at for calls.
const LOOKED_AT: usize = 400;
/// Stand-ins of one unit.
const MOST: usize = 64;

/// The parameter that says how many elements `params[index]` points to. Of what is called back nobody wrote down more
/// than names, and what is wrong about them reads or writes what is another's: there both must say so.
pub fn length_of(lexicon: &Lexicon, params: &[Param], index: usize, is_callback: bool) -> Option<usize> {
    let next = params.get(index + 1)?;
    if !matches!(next.ty.kind, TypeKind::Prim(prim) if is_integer(prim)) {
        return None;
    }
    let pointer = &params[index].name;
    let is_length = lexicon.is_length(&next.name, Some(pointer))
        && (!is_callback || lexicon.says(pointer, Role::Memory) || lexicon.says(&next.name, Role::OwnLength));
    is_length.then_some(index + 1)
}

/// The parameter that says how many elements of the size `params[length]` there are: `fread(to, size, count, file)`.
pub fn times_of(lexicon: &Lexicon, params: &[Param], length: usize) -> Option<usize> {
    let (size, count) = (&params[length], params.get(length + 1)?);
    let is_count = lexicon.is_length(&count.name, None) && count.ty.canonical() == size.ty.canonical();
    (is_count && lexicon.says(&size.name, Role::Size)).then_some(length + 1)
}

/// Whether a length of that name is one in bytes, whatever is counted.
pub fn counts_bytes(lexicon: &Lexicon, name: &str) -> bool {
    lexicon.says(name, [Role::Size, Role::Bytes])
}

/// Whether what `params[index]` points to is text that ends by itself. What the project declares says so by its type,
/// unless something beside it may be its end; what is called back by its name, and beside numbers that end nothing.
pub fn is_text(lexicon: &Lexicon, params: &[Param], index: usize, is_callback: bool) -> bool {
    let is_text = |param: &Param| {
        param.ty.pointee().is_some_and(|to| to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)))
    };
    let is_number = |param: &Param| matches!(param.ty.kind, TypeKind::Prim(prim) if is_integer(prim));
    if !is_text(&params[index]) || length_of(lexicon, params, index, is_callback).is_some() {
        return false;
    }
    let mut others = params.iter().enumerate().filter(|(at, _)| *at != index);
    if is_callback {
        let is_called_so = |param: &Param| lexicon.says(&param.name, [Role::Text, Role::File]);
        return is_called_so(&params[index])
            && others.all(|(_, other)| match () {
                () if is_text(other) => is_called_so(other),
                () if is_number(other) => lexicon.says(&other.name, Role::Tag),
                () => true,
            });
    }
    others.all(|(at, other)| match () {
        () if is_text(other) && at.abs_diff(index) == 1 => {
            let ends = |name: &str| lexicon.says(name, [Role::RangeEnd, Role::TextEnd]);
            [&params[index].name, &other.name].into_iter().all(|name| !name.is_empty() && !ends(name))
        }
        // A length that is no other pointer's.
        () if is_number(other) => {
            let is_anothers = at > 0
                && at - 1 != index
                && !is_void_pointer(&params[at - 1].ty)
                && params[at - 1].ty.pointee().is_some();
            is_anothers || !(lexicon.says(&other.name, Role::Length) || other.name.is_empty() && at == index + 1)
        }
        () => true,
    })
}

/// What may be written through `params[index]`, an out parameter: the type of its elements, and the parameter that says
/// how many there are.
pub(super) fn written<'p>(
    lexicon: &Lexicon,
    params: &'p [Param],
    index: usize,
    is_callback: bool,
) -> Option<(&'p Type, Option<usize>)> {
    let (to, is_pointer) = match &params[index].ty.kind {
        TypeKind::Pointer(to) | TypeKind::Array(to, _) if !to.is_const => (&**to, true),
        TypeKind::LvalueRef(to) if !to.is_const => (&**to, false),
        _ => return None,
    };
    let length = if is_pointer { length_of(lexicon, params, index, is_callback) } else { None };
    (!to.spelling.contains("volatile")).then_some((to, length))
}

fn is_void_pointer(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Void))
}

/// Functions and variables that are used and of which there are only declarations, by the symbols that objects know
/// them by. Whether a library or an assembler file has them only a linker knows.
pub fn only_declared(model: &Model) -> BTreeMap<String, Usr> {
    let bodies = || model.functions.values().filter_map(|f| f.definition.as_ref());
    let called: BTreeSet<&Usr> = bodies().flat_map(|body| &body.calls).collect();
    let named: BTreeSet<&String> = bodies().flat_map(|body| &body.globals).collect();
    let functions = called.into_iter().filter_map(|usr| model.functions.get(usr));
    // The files of an installed library define its declarations.
    let is_installed = |f: &Function| {
        let owner = f.owner.as_ref().and_then(|owner| model.classes.get(owner));
        owner.is_some_and(|class| class.installed.is_some())
    };
    let functions = functions.filter(|f| f.definition.is_none() && !is_installed(f) && can_be_written(model, f));
    let functions = functions.filter_map(|f| Some((symbol(f)?, f.usr.clone())));
    // Bodies do not say which constants they name.
    let is_sized = |ty: &Type| match &ty.kind {
        TypeKind::Array(element, _) => element.size.is_some(),
        _ => ty.size.is_some(),
    };
    let named = |v: &&Variable| if v.ty.is_const { is_sized(&v.ty) } else { named.contains(&v.qualified) };
    let variables = model.variables.values().filter(|v| !v.is_file_local && is_plain(model, &v.ty)).filter(named);
    functions.chain(variables.map(|v| (variable_symbol(v), v.usr.clone()))).collect()
}

fn symbol(function: &Function) -> Option<String> {
    function.mangled.clone().or_else(|| (function.language == Language::C).then(|| function.name.clone()))
}

/// As the Itanium C++ ABI mangles names (section 5.1): plain where it is in no namespace.
fn variable_symbol(variable: &Variable) -> String {
    if !variable.qualified.contains("::") {
        return variable.qualified.clone();
    }
    let parts = variable.qualified.split("::").map(|part| format!("{}{part}", part.len()));
    format!("_ZN{}E", parts.collect::<String>())
}

/// Whether a definition can be written for the function.
fn can_be_written(model: &Model, function: &Function) -> bool {
    let owner = function.owner.as_ref().map(|usr| model.classes.get(usr));
    matches!(function.kind, FunctionKind::Function | FunctionKind::Method | FunctionKind::StaticMethod)
        && function.template.is_none()
        && !is_detector(model, function)
        && !(function.is_pure || function.is_deleted || function.is_defaulted || function.is_noreturn)
        && !(function.is_file_local || function.is_inline || function.name.starts_with("operator"))
        && owner.is_none_or(|class| class.is_some_and(|c| c.template.is_none() && c.specializes.is_none()))
        && function.specialized_for.is_empty()
        && function.params.iter().map(|p| &p.ty).chain([&function.result]).all(can_be_said)
}

/// Whether it is the overload of C++ that takes what no other takes: only its type is asked for.
fn is_detector(model: &Model, function: &Function) -> bool {
    let is_overload = |other: &Function| other.usr != function.usr && other.qualified == function.qualified;
    function.language == Language::Cxx
        && function.is_variadic
        && function.params.is_empty()
        && function.mangled.as_ref().is_some_and(|symbol| *symbol != function.name)
        && model.functions.values().any(is_overload)
}

/// Whether all that the type is made of is known by a name.
pub(super) fn has_names(ty: &Type) -> bool {
    let mut known = true;
    ty.walk(&mut |ty| {
        known &= !ty.spelling.contains("(unnamed") && !ty.spelling.contains("(anonymous");
        known &= ty.spelling.contains("va_list") || !matches!(ty.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_));
    });
    known
}

/// Whether the type can be written where a function is defined.
pub(super) fn can_be_said(ty: &Type) -> bool {
    let mut known = has_names(ty);
    ty.walk(&mut |ty| {
        known &= !ty.spelling.contains("va_list") && !matches!(ty.kind, TypeKind::MemberPointer);
    });
    known && !ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Array(..)))
}

/// Whether a variable of the type is all right when its bytes are zero.
fn is_plain(model: &Model, ty: &Type) -> bool {
    can_be_said(ty)
        && match &ty.kind {
            TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => true,
            TypeKind::Array(element, _) => is_plain(model, element),
            TypeKind::Record { usr, .. } => model
                .classes
                .get(usr)
                .is_some_and(|c| c.definition.is_some() && (c.is_pod || c.language == Language::C)),
            _ => false,
        }
}

/// Gives every way in the stand-ins for what the unit comes to call or read.
pub(super) fn with_stand_ins(scope: &UnitScope<'_>, unit: &Usr, entries: &mut [Entry], request: Request<'_>) {
    let mut names = BTreeSet::from(["calls", "data", "note"].map(str::to_owned));
    crate::plan::rules::callbacks::after_parameters(scope, entries);
    add_callbacks(scope, entries, &mut names, request);
    let called = entries.first().map_or_else(Vec::new, |entry| entry.outside.clone());
    let Some(outside) = Some(&scope.planner.undefined).filter(|outside| !outside.is_empty()) else { return };
    // A driver that includes the program's own text has its definitions.
    let main = Some(&scope.source.unit.main_file);
    let is_here = |usr: &Usr| {
        let function = scope.model.functions.get(usr).and_then(|f| f.definition.as_ref()).map(|at| &at.extent.file);
        let variable = scope.model.variables.get(usr).filter(|v| !v.is_only_declared).map(|v| &v.extent.file);
        function == main || variable == main
    };
    let outside = &outside.iter().filter(|usr| !is_here(usr)).cloned().collect::<BTreeSet<_>>();
    // What makes its objects and sets them up calls others as well.
    let mut starts: Vec<Usr> =
        std::iter::once(unit).chain(entries.iter().map(|entry| &entry.callee)).cloned().collect();
    for slot in entries.iter().flat_map(Entry::slots) {
        slot.recipe.walk(&mut |recipe| match &recipe.kind {
            Kind::Construct { constructor, .. } => starts.extend(constructor.clone()),
            Kind::Factory { function, .. } => starts.push(function.clone()),
            Kind::SetUp { calls, .. } => starts.extend(calls.iter().map(|call| call.method.clone())),
            _ => {}
        });
    }
    let (functions, globals) = reached(scope, starts.into(), outside);
    let mut found = called;
    for function in functions.into_iter().filter(|f| scope.is_declared(f)).take(MOST) {
        let does = stand_in(scope, function, &mut names, request);
        found.push(Outside::Function { function: function.usr.clone(), does });
    }
    let variables = outside.iter().filter_map(|usr| scope.model.variables.get(usr));
    // Any constant that the unit's source sees it may read.
    let wanted = variables.filter(|v| globals.contains(&v.qualified) || v.ty.is_const && scope.sees(&v.extent.file));
    for variable in wanted.take(MOST) {
        let plain = crate::types::spelling::identifier(plain_name(&variable.qualified), "value");
        let name = super::names::unused(&plain, &mut names);
        let ty = still(&variable.ty);
        let value = match &ty.kind {
            TypeKind::Prim(_) | TypeKind::Enum(_) => slot_of(scope, &name, &ty, request),
            TypeKind::Array(element, length) if matches!(element.kind, TypeKind::Prim(_) | TypeKind::Enum(_)) => {
                several(scope, &name, &still(element), length.unwrap_or(WRITTEN).min(ELEMENTS), request)
            }
            _ => None,
        };
        let (symbol, variable) = (variable_symbol(variable), variable.usr.clone());
        found.push(Outside::Variable { variable, name, symbol, ty, value });
    }
    entries.iter_mut().for_each(|entry| entry.outside.clone_from(&found));
    add_callbacks(scope, entries, &mut names, request);
}

/// Makes up what is called back by what the entries have so far, stand-ins and their answers included.
fn add_callbacks(scope: &UnitScope<'_>, entries: &mut [Entry], names: &mut BTreeSet<String>, request: Request<'_>) {
    loop {
        let mut called = crate::plan::rules::callbacks::callbacks(scope, entries, names, request);
        if called.is_empty() {
            return;
        }
        called.extend(entries.first().into_iter().flat_map(|entry| entry.outside.iter().cloned()));
        entries.iter_mut().for_each(|entry| entry.outside.clone_from(&called));
    }
}

/// The undefined functions that the functions `ahead` come to call, the nearest first, and the names of the globals
/// that they name.
pub(super) fn reached<'m>(
    scope: &UnitScope<'m>,
    mut ahead: VecDeque<Usr>,
    outside: &BTreeSet<Usr>,
) -> (Vec<&'m Function>, BTreeSet<String>) {
    let mut seen: BTreeSet<Usr> = ahead.iter().cloned().collect();
    let (mut functions, mut globals) = (Vec::new(), BTreeSet::new());
    while let Some(usr) = ahead.pop_front() {
        let Some(function) = scope.model.functions.get(&usr) else { continue };
        if outside.contains(&usr) {
            functions.push(function);
        }
        if let Some(definition) = &function.definition {
            globals.extend(definition.globals.iter().cloned());
            ahead.extend(definition.calls.iter().filter(|usr| seen.insert((*usr).clone())).cloned());
        }
        ahead.extend(scope.hierarchy.overriders(&usr).into_iter().filter(|usr| seen.insert(usr.clone())));
        if seen.len() > LOOKED_AT {
            ahead.retain(|usr| outside.contains(usr));
        }
    }
    (functions, globals)
}

/// What stands in for `function`, with names of its own.
pub(super) fn stand_in(
    scope: &UnitScope<'_>,
    function: &Function,
    names: &mut BTreeSet<String>,
    request: Request<'_>,
) -> StandIn {
    let name =
        super::names::unused(&crate::types::spelling::identifier(plain_name(&function.qualified), "function"), names);
    names.insert(format!("{name}_calls"));
    let answer = match &function.result.kind {
        TypeKind::Void => None,
        // It hands out memory of its own.
        _ if super::allocators::asked(scope.lexicon(), function).is_some() => None,
        TypeKind::Prim(_) | TypeKind::Enum(_) => several(scope, &name, &value_type(&function.result), ANSWERS, request),
        // Made of text that nobody keeps.
        TypeKind::Record { name, .. } if row(None, name).is_some_and(|row| row.view) => None,
        _ => slot_of(scope, &name, &value_type(function.result.without_ref()), request),
    };
    let mut writes = Vec::new();
    for (index, param) in function.params.iter().enumerate() {
        let Some((to, length)) = written(scope.lexicon(), &function.params, index, function.is_made_up()) else {
            continue;
        };
        // Text that is handed over may be a literal, and of two places one may be the end of the other.
        let is_char = matches!(to.kind, TypeKind::Prim(Prim::Char | Prim::SChar | Prim::UChar));
        let has_twin =
            function.params.iter().filter(|other| crate::types::records::alike(&other.ty, &param.ty)).count() > 1;
        if function.is_made_up() && param.ty.pointee().is_some() && length.is_none() && (is_char || has_twin) {
            continue;
        }
        let part =
            format!("{name}_{}", crate::types::spelling::identifier(&param.name, &format!("argument{}", index + 1)));
        let part = super::names::unused(&part, names);
        let slot = match &to.kind {
            // A buffer is filled with bytes.
            TypeKind::Void if length.is_some() => {
                several(scope, &part, &crate::types::arithmetic::simple_type("unsigned char"), FILLED, request)
            }
            TypeKind::Prim(_) | TypeKind::Enum(_) => {
                several(scope, &part, &value_type(to), if length.is_some() { WRITTEN } else { ANSWERS }, request)
            }
            TypeKind::Record { usr, .. } if length.is_none() => {
                let class = scope.model.classes.get(usr).filter(|class| {
                    class.definition.is_some() && class.is_aggregate && class.fields.iter().all(|f| !f.ty.is_const)
                });
                // A callback is asked for a result more than once.
                let is_result = function.is_made_up() && is_of_numbers(scope, to);
                class.and_then(|_| match is_result {
                    true => several(scope, &part, &value_type(to), ANSWERS, request),
                    false => slot_of(scope, &part, &value_type(to), request),
                })
            }
            _ => None,
        };
        names.insert(format!("{part}_at"));
        writes.extend(slot.map(|slot| Written { param: index, length, slot }));
    }
    let transfers = answer.is_some().then(|| transfers(scope, function, &name, names, request)).flatten();
    StandIn { name, answer, transfers, writes }
}

/// How `function` answers if it returns the type in which it is told how many elements there are.
fn transfers(
    scope: &UnitScope<'_>,
    function: &Function,
    name: &str,
    names: &mut BTreeSet<String>,
    request: Request<'_>,
) -> Option<Transfers> {
    let lengths = (0..function.params.len())
        .filter_map(|index| length_of(scope.lexicon(), &function.params, index, function.is_made_up()));
    let [length] = lengths.collect::<Vec<_>>()[..] else { return None };
    let length = times_of(scope.lexicon(), &function.params, length).unwrap_or(length);
    let (result, counted) = (&function.result, &function.params[length].ty);
    let is_wide = result.size.is_some_and(|size| size > 1) && result.size == counted.size;
    if !matches!(result.kind, TypeKind::Prim(prim) if is_integer(prim)) || !is_wide {
        return None;
    }
    let flag = if scope.is_in_c() { "_Bool" } else { "bool" };
    let short = super::names::unused(&format!("{name}_short"), names);
    let short = slot_of(scope, &short, &crate::types::arithmetic::simple_type(flag), request)?;
    Some(Transfers { length, short })
}

fn slot_of(scope: &UnitScope<'_>, name: &str, ty: &Type, request: Request<'_>) -> Option<Slot> {
    let recipe = scope.value(ty, request.at(1)).ok()?;
    Some(Slot::new(name, ty.clone(), recipe))
}

/// The most numbers of a structure that a callback gives as its result.
const NUMBERS: usize = 8;

/// An array of values.
fn several(scope: &UnitScope<'_>, name: &str, element: &Type, length: u64, request: Request<'_>) -> Option<Slot> {
    if matches!(element.kind, TypeKind::Prim(Prim::Int128 | Prim::UInt128)) {
        return None;
    }
    let of = slot_of(scope, "element", element, request)?;
    let kind = TypeKind::Array(Box::new(element.clone()), Some(length));
    let ty = Type { spelling: format!("{}[{length}]", element.spelling), is_const: false, kind, size: None };
    let recipe = Kind::Array { element: Box::new(of), length, text: false }.of(ty.clone());
    Some(Slot::new(name, ty, recipe))
}

/// Whether a structure has a few numbers in it and nothing else.
pub(super) fn is_of_numbers(scope: &UnitScope<'_>, ty: &Type) -> bool {
    let class = ty.record().and_then(|usr| scope.model.classes.get(usr));
    class.is_some_and(|class| {
        let is_number =
            |field: &Field| matches!(field.ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_)) && field.bit_width.is_none();
        (class.is_pod || class.language == Language::C)
            && class.kind != ClassKind::Union
            && (1..=NUMBERS).contains(&class.fields.len())
            && class.fields.iter().all(is_number)
    })
}

/// The type of a copy: nobody else changes that.
fn still(ty: &Type) -> Type {
    if let TypeKind::Array(element, length) = &ty.kind {
        let element = still(element);
        let spelling = format!("{}[{}]", element.spelling, length.unwrap_or(WRITTEN));
        return Type { spelling, is_const: false, kind: TypeKind::Array(Box::new(element), *length), size: ty.size };
    }
    let ty = value_type(ty);
    let spelling = ty.spelling.strip_prefix("volatile ").map(str::to_owned);
    Type { spelling: spelling.unwrap_or_else(|| ty.spelling.clone()), ..ty }
}

/// The last part of a qualified name.
fn plain_name(qualified: &str) -> &str {
    qualified.rsplit("::").next().unwrap_or(qualified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::{read_c, read_cpp};
    use crate::plan::planner::Planner;

    /// The stand-ins, where nobody defines anything that `model` only declares.
    fn planned(model: &Model, unit: &str) -> Vec<Outside> {
        let hierarchy = Hierarchy::new(model);
        let overrides = Overrides::default();
        let missing = only_declared(model).into_values().collect();
        let planner = Planner::with_undefined(model, &hierarchy, &overrides, missing);
        let unit = model.functions.values().find(|f| f.name == unit && f.definition.is_some()).unwrap();
        crate::plan::plan_unit(&planner, &unit.usr).unwrap().entries[0].outside.clone()
    }

    #[test]
    fn what_is_used_and_only_declared_is_known_by_its_symbol() {
        let model = read_cpp(
            "namespace n { int level(); extern int ticks; class Port { public: bool open() const; }; int unused(); }\n\
             extern \"C\" void hal_start(int); template <typename T> T twice(T); inline int nowhere();\n\
             int run(n::Port &p) { hal_start(n::ticks); return p.open() ? n::level() : twice(2); }",
        );
        let symbols: Vec<String> = only_declared(&model).into_keys().collect();
        assert_eq!(symbols, ["_ZN1n5levelEv", "_ZN1n5ticksE", "_ZNK1n4Port4openEv", "hal_start"]);
    }

    #[test]
    fn text_is_what_is_called_so_and_what_nothing_beside_it_ends() {
        let said = |list: &str, is_callback: bool| {
            let model = read_cpp(&format!("void f({list});\nvoid use() {{ f; }}"));
            let function = model.functions.values().find(|f| f.name == "f").unwrap();
            is_text(&Lexicon::default(), &function.params, 0, is_callback)
        };
        for list in [
            "const char *name",
            "const char *logMsg, int level",
            "const char *fmt, ...",
            "const char *path, const char *title",
        ] {
            assert!(said(list, true) && said(list, false), "{list}");
        }
        for list in [
            "const char *",
            "const char *c",
            "const char *stream, void *context",
            "const char *name, int width",
            "const char *text, const char *rest",
        ] {
            assert!(!said(list, true), "{list}");
        }
        for list in [
            "const char *first, const char *last",
            "const char *line, const char *eol",
            "const char *text, int at, int length",
            "const char *text, void *context, int length",
            "const char *str, unsigned long n",
            "const char *, const char *",
            "const char *, int",
            "char *name",
            "const unsigned char *text",
        ] {
            assert!(!said(list, true) && !said(list, false), "{list}");
        }
        let lengths = |list: &str| {
            let model = read_cpp(&format!("void f({list});\nvoid use() {{ f; }}"));
            let function = model.functions.values().find(|f| f.name == "f").unwrap();
            length_of(&Lexicon::default(), &function.params, 0, true)
        };
        for list in ["const char *data, int count", "char *outBuf, unsigned long size", "const char *name, int nameLen"]
        {
            assert_eq!(lengths(list), Some(1), "{list}");
        }
        for list in [
            "const char *name, long size",
            "const char *msg, int discount",
            "int *item, int item_count",
            "char *to, int flags",
        ] {
            assert_eq!(lengths(list), None, "{list}");
        }
    }

    #[test]
    fn a_stand_in_answers_and_writes_what_the_data_has_and_is_there_for_whatever_the_unit_comes_to_call() {
        let model = read_c(
            "typedef unsigned char byte; int bus_read(int from, byte *to, unsigned length); double now(void); \
                void stop(void);\n\
             extern volatile int ready; int unrelated(void);\n\
             static double since(double t) { return now() - t; }\n\
             int poll(int from) { byte b[4]; if (!ready || since(1.0) < 2.0) return -1; \
             return bus_read(from, b, 4) + b[0]; }\n\
             int other(void) { stop(); return unrelated(); }\n",
        );
        let found = planned(&model, "poll");
        let slots: Vec<(&str, &str)> =
            found.iter().flat_map(Outside::slots).map(|slot| (slot.name.as_str(), slot.ty.spelling.as_str())).collect();
        let expected = [
            ("bus_read", "int[4]"),
            ("bus_read_short", "_Bool"),
            ("bus_read_to", "byte[16]"),
            ("now", "double[4]"),
            ("ready", "int"),
        ];
        assert_eq!(slots, expected);
        assert!(planned(&model, "since").iter().flat_map(Outside::slots).count() == 1);
    }
}
