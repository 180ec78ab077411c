//! Override files against a small hand-made project: `sat::Mission` with its subtypes, a template, a structure.

use super::Overrides;
use crate::diag::{Exit, Problem};
use crate::model::*;
use std::path::{Path, PathBuf};

fn ty(spelling: &str, kind: TypeKind) -> Type {
    Type::new(spelling, kind)
}

fn int() -> Type {
    ty("int", TypeKind::Prim(Prim::Int))
}

fn double() -> Type {
    ty("double", TypeKind::Prim(Prim::Double))
}

fn record(name: &str) -> Type {
    ty(name, TypeKind::Record { usr: format!("c:{name}"), name: name.into(), args: Vec::new() })
}

fn pointer(to: Type) -> Type {
    ty(&format!("{} *", to.spelling), TypeKind::Pointer(Box::new(to)))
}

fn extent() -> Extent {
    Extent { file: "/p/a.cpp".into(), start: 0, end: 1, line: 1, column: 1, end_line: 1 }
}

fn function(
    qualified: &str,
    kind: FunctionKind,
    owner: Option<&str>,
    params: Vec<(&str, Type)>,
    result: Type,
) -> Function {
    let types: Vec<&str> = params.iter().map(|(_, ty)| ty.spelling.as_str()).collect();
    let id = format!("{qualified}({})", types.join(", "));
    let params = params.into_iter().map(|(name, ty)| Param::new(name, ty)).collect();
    Function {
        usr: format!("f:{id}"),
        name: qualified.rsplit("::").next().unwrap().into(),
        id,
        kind,
        owner: owner.map(|owner| format!("c:{owner}")),
        access: owner.map(|_| Access::Public),
        is_file_local: false,
        definition: Some(Definition {
            extent: extent(),
            body: extent(),
            initializers: None,
            name_offset: 0,
            name_len: 1,
            in_macro: false,
            labels: Vec::new(),
            literals: Vec::new(),
            calls: Default::default(),
            hands_on: Default::default(),
            touches: Default::default(),
            members: Default::default(),
            member_types: Default::default(),
            passes: Default::default(),
            calls_members: Default::default(),
            initialized: Default::default(),
            compared: Default::default(),
            changes: Default::default(),
            sets: Default::default(),
            asked: Default::default(),
            globals: Default::default(),
            returns: None,
            only_read: Default::default(),
            is_hook: false,
        }),
        ..Function::made_up(qualified, params, result, Language::Cxx)
    }
}

fn class(qualified: &str, bases: &[&str]) -> Class {
    let base = |name: &&str| Base { ty: record(name), access: Access::Public, is_virtual: false };
    Class {
        usr: format!("c:{qualified}"),
        name: qualified.rsplit("::").next().unwrap().into(),
        qualified: qualified.into(),
        scopes: Vec::new(),
        kind: ClassKind::Class,
        language: Language::Cxx,
        access: None,
        template: None,
        specializes: None,
        specialized_for: Vec::new(),
        pattern: Vec::new(),
        definition: Some(extent()),
        name_offset: None,
        declarations: Vec::new(),
        inherits: Vec::new(),
        bases: bases.iter().map(base).collect(),
        fields: Vec::new(),
        methods: Vec::new(),
        nested: Vec::new(),
        friends: Vec::new(),
        is_abstract: false,
        is_polymorphic: false,
        is_final: false,
        is_pod: false,
        is_aggregate: false,
        size: None,
        align: None,
        is_file_local: false,
        aliases: Vec::new(),
        installed: None,
    }
}

fn field(name: &str, ty: Type) -> Field {
    Field {
        usr: format!("d:{name}"),
        name: name.into(),
        ty,
        access: Access::Private,
        offset_bits: None,
        bit_width: None,
        is_static: false,
        is_mutable: false,
        is_initialized: false,
        definition: None,
    }
}

fn model() -> Model {
    let mut model = Model::default();
    let mission = Class { is_abstract: true, ..class("sat::Mission", &[]) };
    let mut battery = class("sat::Battery", &[]);
    let constructor = function(
        "sat::Battery::Battery",
        FunctionKind::Constructor,
        Some("sat::Battery"),
        vec![("charge", double()), ("cells", int())],
        ty("void", TypeKind::Void),
    );
    battery.methods.push(constructor.usr.clone());
    battery.methods.push("f:sat::Battery::drain(double)".into());
    let mut ring = class("sat::Ring", &[]);
    let param = |name: &str, text: &str, kind, default: Option<&str>| TemplateParam {
        name: name.into(),
        text: text.into(),
        kind,
        default: default.map(Into::into),
    };
    ring.template = Some(vec![
        param("T", "typename T", TemplateParamKind::Type, None),
        param("N", "int N = 4", TemplateParamKind::Value, Some("4")),
    ]);
    let mut frame = class("Frame", &[]);
    frame.fields = vec![field("samples", pointer(double())), field("count", int())];
    let classes = [
        mission,
        Class { is_abstract: true, ..class("sat::TimedMission", &["sat::Mission"]) },
        class("sat::StaticMission", &["sat::TimedMission"]),
        class("sat::Landmark", &[]),
        battery,
        ring,
        frame,
    ];
    model.classes = classes.into_iter().map(|class| (class.usr.clone(), class)).collect();
    let void = || ty("void", TypeKind::Void);
    let functions = [
        constructor,
        function(
            "sat::send",
            FunctionKind::Function,
            None,
            vec![
                ("buffer", pointer(int())),
                ("size", int()),
                ("payload", pointer(void())),
                ("gain", double()),
                ("by", record("lib::Radio")),
                ("mode", ty("sat::Mode", TypeKind::Enum("e:sat::Mode".into()))),
                ("note", pointer(Type { is_const: true, ..ty("char", TypeKind::Prim(Prim::Char)) })),
            ],
            pointer(double()),
        ),
        function("sat::charged", FunctionKind::Function, None, vec![("level", double())], record("sat::Battery")),
        function("sat::Battery::drain", FunctionKind::Method, Some("sat::Battery"), vec![("by", double())], void()),
    ];
    let mode = Enum {
        usr: "e:sat::Mode".into(),
        qualified: "sat::Mode".into(),
        enumerators: vec![("sat::Mode::Safe".into(), 0), ("sat::Mode::Active".into(), 1)],
        scopes: Vec::new(),
        scoped: true,
        underlying: Prim::Int,
        access: None,
        definition: Some(extent()),
    };
    model.enums.insert(mode.usr.clone(), mode);
    model.functions = functions.into_iter().map(|function| (function.usr.clone(), function)).collect();
    model
}

fn resolve(text: &str) -> Result<Overrides, Vec<Problem>> {
    let mut overrides = Overrides::parse(Path::new("o.yaml"), text).map_err(|problem| vec![problem])?;
    overrides.resolve(&model()).map(|()| overrides)
}

/// The only problem of `text`: its code, line and message.
#[track_caller]
fn problem(text: &str) -> (&'static str, Option<u32>, String) {
    let problems = resolve(text).expect_err("should be refused");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].exit, Exit::Usage);
    assert_eq!(problems[0].file, Some(PathBuf::from("o.yaml")));
    (problems[0].code, problems[0].line, format!("{} / {}", problems[0].what, problems[0].fix))
}

#[test]
fn hooks_that_fit_the_project_are_accepted() {
    let overrides = resolve(
        "function: sat::send\n\
         subtypes: {sat::Mission: sat::StaticMission}\n\
         templates: {sat::Ring: [sat::Landmark, 8]}\n\
         construct:\n  sat::Battery: {constructor: '(double,int)', args: [[0, 1]]}\n  lib::Radio: {expression: \
         'lib::Radio::any()'}\n\
         parameters:\n  buffer: {length: 8, pair_with: size}\n  payload: {type: Frame}\n  gain: {range: [0, 1]}\n\
         result: {least_length: 2}\n\
         fields: {Frame: {samples: {length: 4, init: ['$it.count = 4;']}}}\n\
         exclude: {Frame::count: a counter of calls}\n",
    )
    .unwrap();
    assert_eq!(overrides.excluded(), [("Frame".into(), "count".into(), "a counter of calls".into())]);
}

#[test]
fn names_without_namespaces_are_written_out_where_they_are_unique() {
    let overrides = resolve("class: Battery\nsubtypes: {Mission: StaticMission}\n").unwrap();
    assert!(overrides.subtypes_for("sat::Mission", "sat::Battery::drain(double)").is_some());
    assert!(overrides.subtypes_for("sat::Mission", "sat::send(int)").is_none());
}

#[test]
fn an_unknown_class_is_named_with_its_line_and_the_nearest_one() {
    let (code, line, text) = problem("subtypes:\n  # sat::Misson\n  sat::Misson: [sat::StaticMission]\n");
    assert_eq!((code, line), ("override-unknown-class", Some(3)));
    assert!(text.contains("did you mean `sat::Mission`?"), "{text}");
}

#[test]
fn a_class_in_the_wrong_namespace_is_suggested_in_the_right_one() {
    let (_, _, text) = problem("subtypes:\n  geo::Mission: [sat::StaticMission]\n");
    assert!(text.contains("did you mean `sat::Mission`?"), "{text}");
}

#[test]
fn a_subtype_that_is_not_one_is_refused_with_those_that_are() {
    let (code, line, text) = problem("subtypes:\n  sat::Mission:\n    - sat::StaticMission\n    - sat::Landmark\n");
    assert_eq!((code, line), ("override-not-a-subtype", Some(4)));
    assert!(text.contains("`sat::StaticMission`"), "{text}");
}

#[test]
fn an_abstract_subtype_is_refused() {
    assert_eq!(problem("subtypes: {sat::Mission: sat::TimedMission}\n").0, "override-abstract-subtype");
}

#[test]
fn an_unknown_function_is_named_with_the_nearest_one() {
    let (code, line, text) = problem("# about\nfunction: sat::sent\n");
    assert_eq!((code, line), ("override-unknown-function", Some(2)));
    assert!(text.contains("did you mean `sat::send`?"), "{text}");
}

#[test]
fn an_unknown_parameter_is_named_with_the_nearest_one() {
    let (code, line, text) = problem("function: sat::send\nparameters:\n  bufer: {length: 3}\n");
    assert_eq!((code, line), ("override-unknown-parameter", Some(3)));
    assert!(text.contains("did you mean `buffer`?"), "{text}");
}

#[test]
fn hooks_that_do_not_suit_the_parameter_s_type_are_refused() {
    for hook in [
        "size: {length: 3}",
        "buffer: {type: Frame}",
        "buffer: {range: [0, 1]}",
        "buffer: {length: 2, value: 'p'}",
        "gain: {}",
    ] {
        let yaml = format!("function: sat::send\nparameters:\n  {hook}\n");
        let problems = resolve(&yaml).expect_err(hook);
        assert_eq!(problems[0].line, Some(3), "{hook}");
    }
    let (code, _, text) = problem("function: sat::send\nparameters:\n  buffer: {pair_with: sise}\n");
    assert_eq!(code, "override-unknown-parameter");
    assert!(text.contains("did you mean `size`?"), "{text}");
}

#[test]
fn parameters_need_to_say_whose_they_are() {
    assert_eq!(problem("parameters: {buffer: {length: 3}}\n").0, "override-target");
    assert_eq!(problem("function: sat::send\nclass: sat::Battery\n").0, "override-target");
}

#[test]
fn a_template_gets_as_many_arguments_as_it_takes() {
    assert_eq!(problem("templates: {sat::Ring: [int, 3, 4]}\n").0, "override-template-arguments");
    assert_eq!(problem("templates: {sat::Battery: [int]}\n").0, "override-not-a-template");
    let (code, _, text) = problem("templates: {sat::Ring: [sat::Landmrk]}\n");
    assert_eq!(code, "override-unknown-type");
    assert!(text.contains("did you mean `sat::Landmark`?"), "{text}");
    assert!(resolve("templates: {sat::Ring: ['std::vector<int>']}\n").is_ok());
}

#[test]
fn a_constructor_that_does_not_exist_is_refused_with_those_that_do() {
    let (code, line, text) = problem("construct:\n  sat::Battery:\n    constructor: (float)\n");
    assert_eq!((code, line), ("override-unknown-constructor", Some(3)));
    assert!(text.contains("`(double, int)`"), "{text}");
    assert_eq!(problem("construct: {sat::Battery: {args: [1, 2, 3]}}\n").0, "override-arguments");
    assert_eq!(problem("construct: {sat::Battery: {}}\n").0, "override-construct");
}

#[test]
fn a_factory_must_exist_and_return_the_class() {
    assert!(resolve("construct: {sat::Battery: {factory: sat::charged, args: [0.5]}}\n").is_ok());
    assert_eq!(problem("construct: {sat::Battery: {factory: sat::send}}\n").0, "override-factory");
    let (code, _, text) = problem("construct: {sat::Battery: {factory: sat::charge}}\n");
    assert_eq!(code, "override-unknown-function");
    assert!(text.contains("did you mean `sat::charged(double)`?") || text.contains("`sat::charged(double)`"), "{text}");
    assert_eq!(problem("construct: {sat::Battery: {factory: sat::charged, args: [1, 2]}}\n").0, "override-arguments");
}

#[test]
fn fields_must_exist_and_point_where_a_length_is_given() {
    assert_eq!(problem("fields: {Frame: {sample: {length: 3}}}\n").0, "override-unknown-field");
    assert_eq!(problem("fields: {Frame: {count: {length: 3}}}\n").0, "override-parameter");
    assert_eq!(problem("exclude: {Frame::counts: wrong}\n").0, "override-unknown-field");
    assert_eq!(problem("exclude: {Frame::count: ''}\n").0, "override-exclude");
    assert_eq!(problem("exclude: {count: why}\n").0, "override-exclude");
}

#[test]
fn all_problems_of_a_file_are_told_at_once() {
    let text = "subtypes:\n  sat::Misson: sat::StaticMission\nfields:\n  Frame: {sample: {length: 1}}\n";
    let lines: Vec<_> = resolve(text).unwrap_err().iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(2), Some(4)]);
}

#[test]
fn the_same_thing_said_in_two_files_for_the_same_code_is_refused() {
    let load = |first: &str, second: &str| {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(super::FOLDER);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("a.yaml"), first).unwrap();
        std::fs::write(folder.join("b.yaml"), second).unwrap();
        Overrides::load(dir.path()).unwrap().resolve(&model())
    };
    let text = "subtypes: {sat::Mission: sat::StaticMission}\n";
    let problems = load(text, text).unwrap_err();
    assert_eq!((problems[0].code, problems[0].line), ("override-twice", Some(1)));
    assert!(problems[0].what.contains("`a.yaml`"), "{}", problems[0].what);
    // A narrower file may differ.
    assert!(load(text, &format!("class: sat::Battery\n{text}")).is_ok());
}

#[test]
fn what_is_said_of_values_types_calls_and_statements_is_accepted_where_it_fits() {
    let overrides = resolve(
        "function: sat::send\n\
         parameters:\n  mode: {one_of: [sat::Mode::Safe, sat::Mode::Active]}\n  note: {format: iso8601}\n  gain: \
         {one_of: [0.5, 1]}\n\
         types: {sat::Mode: {value: 'sat::Mode::Safe'}, double: {range: [0, 1]}, std::string: {pattern: '[A-Z]{3}'}}\n\
         sequences: {sat::Battery: {calls: [drain, {method: 'drain(double)', args: [[0, 1]]}], most: 3}}\n\
         construct: {sat::Battery: {then: ['$it.drain(0.5);']}}\n\
         before: ['sat::prepare($buffer, $size);']\n",
    )
    .unwrap();
    let unit = "sat::send(int *, int, void *, double, lib::Radio, sat::Mode, char *)";
    assert!(overrides.sequence_for("sat::Battery", unit).is_some());
    assert!(overrides.type_for(&["double"], unit).is_some() && overrides.type_for(&["float"], unit).is_none());
    assert_eq!(overrides.before(unit).len(), 1);
}

#[test]
fn an_enumerator_that_does_not_exist_is_answered_with_the_nearest_one() {
    for yaml in [
        "function: sat::send\nparameters:\n  mode: {value: 'sat::Mode::Saef'}\n",
        "function: sat::send\nparameters:\n  mode: {one_of: [sat::Mode::Active, sat::Mode::Saef]}\n",
        "function: sat::send\ntypes:\n  sat::Mode: {value: Saef}\n",
        "function: sat::send\nparameters:\n  gain: {value: 'sat::Mode::Saef'}\n",
    ] {
        let (code, line, text) = problem(yaml);
        assert_eq!((code, line), ("override-unknown-enumerator", Some(3)), "{yaml}");
        assert!(text.contains("did you mean `sat::Mode::Safe`?"), "{text}");
    }
    // A constant of the project is no enumerator, and an expression is C++.
    assert!(resolve("function: sat::send\nparameters: {mode: {value: 'sat::kDefaultMode'}}\n").is_ok());
    assert!(resolve("function: sat::send\nparameters: {mode: {value: 'static_cast<sat::Mode>(7)'}}\n").is_ok());
}

#[test]
fn what_is_said_of_a_value_must_be_one_thing_and_suit_its_type() {
    for (hook, code) in [
        ("gain: {format: iso8601}", "override-parameter"),
        ("mode: {range: [0, 1]}", "override-parameter"),
        ("note: {pattern: '[a-'}", "override-pattern"),
        ("note: {pattern: 'a\\bb'}", "override-pattern"),
        ("gain: {value: 1, range: [0, 1]}", "override-value"),
        ("buffer: {one_of: [p, q], length: 3}", "override-parameter"),
    ] {
        let (found, line, text) = problem(&format!("function: sat::send\nparameters:\n  {hook}\n"));
        assert_eq!((found, line), (code, Some(3)), "{hook}: {text}");
    }
    assert_eq!(problem("types: {sat::Modes: {value: x}}\n").0, "override-unknown-type");
    assert_eq!(problem("types: {double: {}}\n").0, "override-empty");
    assert_eq!(problem("types: {sat::Mode: {range: [0, 1]}}\n").0, "override-type");
}

#[test]
fn calls_of_a_sequence_must_be_methods_of_the_class() {
    let (code, line, text) = problem("sequences:\n  sat::Battery:\n    calls: [drian]\n");
    assert_eq!((code, line), ("override-unknown-method", Some(3)));
    assert!(text.contains("did you mean `drain`?"), "{text}");
    let with = |rest: &str| problem(&format!("sequences: {{sat::Battery: {rest}}}\n")).0;
    assert_eq!(with("{calls: [{method: drain, args: [1, 2]}]}"), "override-arguments");
    assert_eq!(with("{calls: [{method: drain, args: [{pattern: x}]}]}"), "override-arguments");
    assert_eq!(with("{calls: [drain], most: 1000}"), "override-sequence");
    assert_eq!(problem("sequences: {lib::Radio: {calls: [on]}}\n").0, "override-sequence");
}

#[test]
fn words_in_statements_must_stand_for_something() {
    let (code, line, text) = problem("function: sat::send\nbefore:\n  - f();\n  - f($bufer);\n");
    assert_eq!((code, line), ("override-placeholder", Some(4)));
    assert!(text.contains("did you mean `$buffer`?"), "{text}");
    // A free function has no receiver.
    assert_eq!(problem("function: sat::send\nbefore: ['$object.f();']\n").0, "override-placeholder");
    assert_eq!(problem("construct: {sat::Battery: {then: ['$this.f();']}}\n").0, "override-placeholder");
    assert_eq!(problem("before: ['f();']\n").0, "override-target");
    assert_eq!(problem("reset: ['$it.clear();']\n").0, "override-placeholder");
}

#[test]
fn types_and_values_of_templates_are_told_apart_also_in_subtypes() {
    assert_eq!(problem("templates: {sat::Ring: [3, 4]}\n").0, "override-template-arguments");
    assert_eq!(problem("templates: {sat::Ring: [int, double]}\n").0, "override-template-arguments");
    let (code, line, _) = problem("subtypes:\n  sat::Mission:\n    - sat::StaticMission<int>\n");
    assert_eq!((code, line), ("override-not-a-template", Some(3)));
}

#[test]
fn arguments_that_may_be_for_several_constructors_are_refused() {
    let mut model = model();
    let second = function(
        "sat::Battery::Battery",
        FunctionKind::Constructor,
        Some("sat::Battery"),
        vec![("cells", int()), ("charge", double())],
        ty("void", TypeKind::Void),
    );
    model.classes.get_mut("c:sat::Battery").unwrap().methods.push(second.usr.clone());
    model.functions.insert(second.usr.clone(), second);
    let mut overrides = Overrides::parse(Path::new("o.yaml"), "construct: {sat::Battery: {args: [1, 2]}}\n").unwrap();
    let problems = overrides.resolve(&model).unwrap_err();
    assert_eq!(problems[0].code, "override-ambiguous");
    assert!(problems[0].fix.contains("`(int, double)`"), "{}", problems[0].fix);
}

#[test]
fn a_file_for_a_function_that_has_another_signature_today_is_read_as_meant_where_that_is_asked_for() {
    let mut overrides =
        Overrides::parse(Path::new("o.yaml"), "function: sat::charged(int)\nparameters: {level: {range: [0, 1]}}\n")
            .unwrap();
    assert!(overrides.clone().resolve(&model()).is_err());
    let told = overrides.resolve_what_fits(&model());
    assert_eq!(told.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["override-unknown-function"]);
    assert!(overrides.parameter("sat::charged(double)", "level").is_some());
}

#[test]
fn a_function_is_called_through_functions_that_exist() {
    assert!(resolve("function: sat::Battery::drain\nthrough: [sat::send]\n").is_ok());
    let (code, line, text) = problem("function: sat::Battery::drain\nthrough:\n  - sat::sned\n");
    assert_eq!((code, line), ("override-unknown-function", Some(3)));
    assert!(text.contains("did you mean `sat::send"), "{text}");
    assert_eq!(problem("through: [sat::send]\n").0, "override-target");
    assert_eq!(problem("function: sat::send\nthrough: [sat::send]\n").0, "override-target");
}

#[test]
fn a_size_is_for_containers() {
    for hook in ["buffer: {size: [1, 2]}", "gain: {size: [1, 2]}"] {
        assert_eq!(problem(&format!("function: sat::send\nparameters:\n  {hook}\n")).0, "override-parameter", "{hook}");
    }
}
