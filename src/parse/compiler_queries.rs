//! What only a compiler can say of classes of installed libraries, whose templates no declaration explains: is this an
//! expression, and of which type? Behind the text of a source file that knows the class stands one line for each
//! question; where an error touches a line, the answer is no.

use super::cache::Stamps;
use super::job::{Answer, Job, Task};
use super::options::ParseOptions;
use super::parallel::in_parallel;
use super::process;
use crate::compdb::Database;
use crate::model::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The most translation units that are asked.
const UNITS: usize = 8;
/// The most classes that are asked about.
const CLASSES: usize = 120;
/// The most arguments of one sort that a constructor is tried with.
const ARGUMENTS: usize = 4;

/// A question about a class.
#[derive(Clone, Debug, PartialEq)]
enum Question {
    /// The result of a method without parameters.
    Getter(String),
    /// The elements of rows and columns; then whether one can be made and set.
    Element,
    Grid,
    /// Whether it has nothing to take down, and owns no memory.
    Fixed,
    /// The elements between its beginning and its end, where it has them; whether it leads to something.
    Range,
    Pointer,
    /// Whether it is written to a stream.
    Printed,
    /// Whether it can be made of such arguments, or read from text.
    Made(Vec<&'static str>),
    Parsed,
    /// Whether it can hold more of its own sort.
    Grows,
    /// Its `value_type`; whether it can be constructed from so many of them.
    Held,
    MadeOf(usize),
}

impl Question {
    /// The line that asks it of the class spelled `it`; `name` is one that nothing else has.
    fn line(&self, it: &str, name: &str) -> String {
        let params = |types: &[&str]| {
            types.iter().enumerate().map(|(n, ty)| format!("{ty} a{n}")).collect::<Vec<_>>().join(", ")
        };
        let names = |count: usize| (0..count).map(|n| format!("a{n}")).collect::<Vec<_>>().join(", ");
        match self {
            Question::Getter(method) => format!("typedef decltype(std::declval<const {it} &>().{method}()) {name};"),
            Question::Element => {
                format!("typedef std::decay<decltype(std::declval<const {it} &>()(0, 0))>::type {name};")
            }
            Question::Grid => format!(
                "void {name}(const {it} &it) {{ {it} made; made.resize(made.rows(), made.cols()); made(0, 0) = it(0, \
                    0); {it} copy(made); (void)copy; }}"
            ),
            Question::Fixed => format!("static_assert(std::is_trivially_destructible<{it}>::value, \"\");"),
            Question::Range => format!(
                "typedef std::decay<decltype(std::declval<const {it} &>().begin() != std::declval<const {it} \
                    &>().end(), *std::declval<const {it} &>().begin())>::type {name};"
            ),
            Question::Pointer => format!("void {name}(const {it} &it) {{ (void)it.operator->(); }}"),
            Question::Printed => format!("void {name}(std::ostream &out, const {it} &it) {{ out << it; }}"),
            Question::Made(types) if types.is_empty() => format!("void {name}() {{ {it} made; (void)made; }}"),
            Question::Made(types) => {
                format!("void {name}({}) {{ {it} made({}); (void)made; }}", params(types), names(types.len()))
            }
            Question::Parsed => {
                format!("void {name}(const std::string &text) {{ {it} made({it}::parse(text)); (void)made; }}")
            }
            Question::Grows => format!("void {name}({it} &it, const {it} &other) {{ it.push_back(other); }}"),
            Question::Held => format!("typedef {it}::value_type {name};"),
            Question::MadeOf(count) => {
                let held = format!("const {it}::value_type &");
                let types = vec![held.as_str(); *count];
                format!("void {name}({}) {{ {it} made({}); (void)made; }}", params(&types), names(*count))
            }
        }
    }

    /// Whether the answer is a type.
    fn names_a_type(&self) -> bool {
        matches!(self, Question::Getter(_) | Question::Element | Question::Range | Question::Held)
    }
}

/// What classes other than instantiations are made of is read; these are asked how they are made.
fn questions(model: &Model, class: &Class) -> Vec<Question> {
    let Some(installed) = &class.installed else { return Vec::new() };
    let mut all = vec![Question::Printed, Question::Range, Question::Pointer];
    // Everything else says what it has, but for operators: of these no declaration is read.
    let says_all = installed.spelling.is_none() && !class.bases.iter().any(|base| is_instance(model, &base.ty));
    if !says_all || class.functions(model).any(|function| function.name == "resize") {
        all.extend([Question::Element, Question::Grid, Question::Fixed]);
    }
    if installed.spelling.is_some() {
        all.extend(installed.getters.iter().map(|name| Question::Getter(name.clone())));
        all.extend(
            [vec![], vec!["bool"], vec!["int"], vec!["double"], vec!["const std::string &"]].map(Question::Made),
        );
        all.extend([Question::Parsed, Question::Grows, Question::Held]);
        all.extend((1..=ARGUMENTS).map(Question::MadeOf));
    }
    all
}

fn is_instance(model: &Model, ty: &Type) -> bool {
    let class = model.class_of(ty);
    class.and_then(|class| class.installed.as_ref()).is_some_and(|installed| installed.spelling.is_some())
}

/// How the class is written.
fn spelled(class: &Class) -> &str {
    class.installed.as_ref().and_then(|installed| installed.spelling.as_deref()).unwrap_or(&class.qualified)
}

/// Asks about all classes of installed libraries that the model has.
pub(super) fn ask(model: &mut Model, database: &Database, roots: &[PathBuf], options: &ParseOptions, stamps: &Stamps) {
    let is_known = |class: &&Class| class.installed.is_some() && class.definition.is_some();
    let mut open: BTreeSet<Usr> =
        model.classes.values().filter(is_known).map(|class| class.usr.clone()).take(CLASSES).collect();
    let mut asked: Vec<(usize, Vec<Usr>)> = Vec::new();
    while !open.is_empty() && asked.len() < UNITS {
        let readable = model.units.iter().enumerate().filter(|(_, unit)| unit.errors.is_empty());
        let covers = |unit: &TranslationUnit| unit.foreign.iter().filter(|usr| open.contains(*usr)).count();
        let best = readable.map(|(at, unit)| (covers(unit), std::cmp::Reverse(at))).max();
        let Some((1.., std::cmp::Reverse(at))) = best else { break };
        let known: Vec<Usr> = model.units[at].foreign.iter().filter(|usr| open.contains(*usr)).cloned().collect();
        known.iter().for_each(|usr| _ = open.remove(usr));
        asked.push((at, known));
    }
    let answers = in_parallel(options.jobs, asked.len(), |at| {
        let (unit, classes) = &asked[at];
        let command = &database.commands[model.units[*unit].command];
        let list: Vec<(&Class, Question)> = classes
            .iter()
            .filter_map(|usr| model.classes.get(usr))
            .flat_map(|class| questions(model, class).into_iter().map(move |question| (class, question)))
            .collect();
        let line = |(at, (class, question)): (usize, &(&Class, Question))| {
            question.line(spelled(class), &format!("motif_asks_{at}"))
        };
        let lines: Vec<String> = list.iter().enumerate().map(line).collect();
        let names = list.iter().map(|(_, question)| question.names_a_type()).collect();
        let job = Job { command: command.clone(), roots: roots.to_vec(), task: Task::Ask { lines, names } };
        let answers: Vec<Answer> = process::kept(&job, options, stamps).map(|done| done.read).unwrap_or_default();
        list.into_iter().map(|(class, question)| (class.usr.clone(), question)).zip(answers).collect::<Vec<_>>()
    });
    let mut by_class: BTreeMap<Usr, Vec<(Question, Answer)>> = BTreeMap::new();
    for ((usr, question), answer) in answers.into_iter().flatten() {
        by_class.entry(usr).or_default().push((question, answer));
    }
    for (usr, answers) in by_class {
        answered(model, &usr, &answers);
    }
    // A class for which no constructor compiles can't be constructed, whatever it looks like.
    let is_made = |class: &Class| class.constructors(model).next().is_some();
    let is_instance = |class: &&Class| class.installed.as_ref().is_some_and(|installed| installed.spelling.is_some());
    let never = model.classes.values().filter(|class| is_instance(class) && !is_made(class));
    let never: Vec<Function> =
        never.map(|class| Function { is_deleted: true, ..constructor(spelled(class), class, Vec::new()) }).collect();
    for function in never {
        let class = function.owner.as_ref().and_then(|owner| model.classes.get_mut(owner));
        class.into_iter().for_each(|class| class.methods.push(function.usr.clone()));
        model.functions.insert(function.usr.clone(), function);
    }
}

/// Puts into the model what the answers say of a class.
fn answered(model: &mut Model, usr: &Usr, answers: &[(Question, Answer)]) {
    let yes = |question: &Question| answers.iter().any(|(other, answer)| other == question && answer.compiles);
    let named = |question: &Question| {
        answers
            .iter()
            .find(|(other, answer)| other == question && answer.compiles)
            .and_then(|(_, answer)| answer.ty.clone())
    };
    let is_number = |ty: &Type| matches!(ty.kind, TypeKind::Prim(_));
    let Some(class) = model.classes.get_mut(usr) else { return };
    let own = spelled(class).to_owned();
    let Some(installed) = &mut class.installed else { return };
    installed.grid = named(&Question::Element).filter(|ty| is_number(ty) && yes(&Question::Grid));
    installed.is_fixed = installed.grid.is_some() && yes(&Question::Fixed);
    // (What is a range of itself ends nowhere.)
    installed.elements = named(&Question::Range).filter(|ty| ty.record() != Some(usr));
    installed.holds = named(&Question::Held);
    installed.leads_on = yes(&Question::Pointer);
    // A pointer, or a class that converts, prints something else than itself.
    installed.is_printed = yes(&Question::Printed) && !installed.converts && !yes(&Question::Pointer);
    let (is_instance, is_grid) = (installed.spelling.is_some(), installed.grid.is_some());
    let held = installed.holds.clone();
    installed.getters.clear();
    let class = &*class;
    if !is_instance {
        return;
    }
    let mut made: Vec<Function> = Vec::new();
    let is_made = |types: &[&'static str]| yes(&Question::Made(types.to_vec()));
    if is_made(&[]) {
        made.push(constructor(&own, class, Vec::new()));
    }
    if !is_grid {
        let plain = |text: &str| simple(text);
        // What holds anything can be made of each; others convert what they get to what they hold.
        match held.filter(|ty| can_be_taken(ty, usr)) {
            Some(held) => {
                let counts = (1..=ARGUMENTS).filter(|count| yes(&Question::MadeOf(*count)));
                made.extend(counts.map(|count| constructor(&own, class, vec![held.clone(); count])));
            }
            None => {
                for text in ["bool", "int", "double", "const std::string &"] {
                    if is_made(&[text]) {
                        made.push(constructor(&own, class, vec![plain(text)]));
                    }
                }
            }
        }
        if yes(&Question::Parsed) {
            let result = Type { spelling: own.clone(), is_const: false, kind: record(class), size: class.size };
            let mut parse =
                function(&own, class, "parse", FunctionKind::StaticMethod, vec![simple("const std::string &")]);
            parse.result = result;
            made.push(parse);
        }
        if yes(&Question::Grows) {
            let other = Type { spelling: own.clone(), is_const: false, kind: record(class), size: class.size };
            made.push(function(&own, class, "push_back", FunctionKind::Method, vec![other]));
        }
        for (question, answer) in answers {
            if let (Question::Getter(name), true, Some(ty)) = (question, answer.compiles, &answer.ty) {
                let mut getter = function(&own, class, name, FunctionKind::Method, Vec::new());
                (getter.result, getter.is_const) = (ty.clone(), true);
                made.push(getter);
            }
        }
    }
    if let Some(class) = model.classes.get_mut(usr) {
        class.methods = made.iter().map(|function| function.usr.clone()).collect();
    }
    model.functions.extend(made.into_iter().map(|function| (function.usr.clone(), function)));
}

/// Whether a value of the type can be made for a constructor: a number, text, or another class than its own.
fn can_be_taken(ty: &Type, own: &Usr) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        TypeKind::Record { usr, .. } => usr != own,
        _ => false,
    }
}

fn record(class: &Class) -> TypeKind {
    TypeKind::Record { usr: class.usr.clone(), name: class.qualified.clone(), args: Vec::new() }
}

/// A type that the questions spell.
fn simple(text: &str) -> Type {
    let of = |spelling: &str, kind| Type::new(spelling, kind);
    match text {
        "bool" => of(text, TypeKind::Prim(Prim::Bool)),
        "int" => of(text, TypeKind::Prim(Prim::Int)),
        "double" => of(text, TypeKind::Prim(Prim::Double)),
        _ => {
            let name = "std::basic_string".to_owned();
            let args = vec![TemplateArg::Type(of("char", TypeKind::Prim(Prim::Char)))];
            let string = of("const std::string", TypeKind::Record { usr: name.clone(), name, args });
            of(text, TypeKind::LvalueRef(Box::new(Type { is_const: true, ..string })))
        }
    }
}

fn constructor(own: &str, class: &Class, types: Vec<Type>) -> Function {
    function(own, class, &class.name.clone(), FunctionKind::Constructor, types)
}

/// A member that the compiler has shown to be there.
fn function(own: &str, class: &Class, name: &str, kind: FunctionKind, types: Vec<Type>) -> Function {
    const NAMES: [&str; 4] = ["first", "second", "third", "fourth"];
    let list: Vec<&str> = types.iter().map(|ty| ty.spelling.as_str()).collect();
    let id = format!("{own}::{name}({})", list.join(", "));
    let several = types.len() > 1;
    let named = |(at, ty): (usize, Type)| {
        let name = if several {
            NAMES[at.min(3)]
        } else if ty.spelling.contains("string") {
            "text"
        } else {
            "value"
        };
        Param::new(name, ty)
    };
    let params = types.into_iter().enumerate().map(named).collect();
    let void = Type::default();
    let made = Function::made_up(name, params, void, Language::Cxx);
    Function {
        usr: format!("{}@asked@{id}", class.usr),
        qualified: format!("{own}::{name}"),
        id,
        kind,
        owner: Some(class.usr.clone()),
        access: Some(Access::Public),
        is_file_local: false,
        declarations: class.definition.iter().cloned().collect(),
        ..made
    }
}
