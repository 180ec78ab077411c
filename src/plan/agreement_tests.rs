//! The construction graph and the planner agree on all types of real models: the graph says that there is a value if
//! and only if the planner makes one, and the planner makes it by the way that costs least.

use super::class_arguments::class_type;
use super::construction_graph::{NEVER, Way};
use super::entry::within;
use super::planner::Planner;
use super::request::Request;
use super::rules::derived::derived_from_itself;
use super::unit_scope::UnitScope;
use super::{Kind, Recipe};
use crate::compdb::Database;
use crate::hierarchy::Hierarchy;
use crate::model::{Model, TranslationUnit, Type};
use crate::overrides::Overrides;
use crate::parse::testing::Small;
use crate::types::records::is_open;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names the root of a project with `compile_commands.json` in it or in `build`, whose types are compared as well.
const PROJECT: &str = "MOTIF_AGREEMENT";

/// `make test` takes one in so many of the cases; `make test-all` takes all.
const SLICE: usize = 6;

/// Last resorts: the graph counts with none of them, so that no other object is made by them.
const BEYOND_THE_GRAPH: &[&str] = &["private constructor", "own iterator"];

#[derive(Default)]
struct Found {
    types: usize,
    wrong: Vec<String>,
}

/// Compares cost and recipe of every type that a translation unit names.
fn compare(model: &Model) -> Found {
    let (hierarchy, overrides) = (Hierarchy::new(model), Overrides::default());
    let planner = Planner::new(model, &hierarchy, &overrides);
    let mut found = Found::default();
    for unit in &model.units {
        let in_unit = |f: &&crate::model::Function| {
            model.unit_of_function(f).is_some_and(|of| of.main_file == unit.main_file) && f.name != "main"
        };
        for function in model.functions.values().filter(in_unit) {
            if within(&planner, function, |scope| compare_types(scope, unit, &mut found)).is_ok() {
                break;
            }
        }
    }
    found
}

fn compare_types(scope: &UnitScope<'_>, unit: &TranslationUnit, found: &mut Found) {
    for ty in types_of(scope, unit).into_values() {
        found.types += 1;
        // Within an object a pointer may be null.
        let (usr, request) = (String::new(), Request::default());
        let open = request.opening(&usr);
        let within_object = |_| scope.value(&ty, request.inside(&open));
        let (cost, made) = (scope.cost_of(&ty), scope.value(&ty, request).or_else(within_object));
        let problem = match &made {
            Err(reason) if cost != NEVER => format!("costs {cost}, but there is none: {}", reason.what),
            Ok(recipe) if cost == NEVER && !BEYOND_THE_GRAPH.contains(&maker(recipe)) => {
                format!("can't be had, but is made by {}", maker(recipe))
            }
            Ok(recipe) => match best_way(scope, &ty) {
                Some(way) if !BEYOND_THE_GRAPH.contains(&maker(recipe)) && !is_by(recipe, &way) => {
                    format!("is had by {}, but is made by {}", name_of(&way), maker(recipe))
                }
                _ => continue,
            },
            Err(_) => continue,
        };
        found.wrong.push(format!("{}: `{}` {problem}", unit.main_file.display(), ty.spelling));
    }
}

/// The way that is taken: the fields of a structure and the concrete subtypes of an abstract class come first, whatever
/// a function that yields one costs; else it is the cheapest. A base that is told its derived class is had as that is.
fn best_way<'m>(scope: &UnitScope<'m>, ty: &Type) -> Option<Way<'m>> {
    let ways = scope.ways(&derived_from_itself(scope.model, ty).unwrap_or_else(|| ty.clone()), false);
    let is_abstract = ty.record().and_then(|usr| scope.model.classes.get(usr)).is_none_or(|class| class.is_abstract);
    let is_first = |(_, way): &(u32, Way<'_>)| match way {
        Way::Fields => true,
        Way::Subtype(_) => is_abstract,
        _ => false,
    };
    let first = ways.iter().position(is_first).unwrap_or(0);
    ways.into_iter().nth(first).map(|(_, way)| way)
}

/// The types of parameters, results, members and classes that a driver in the translation unit can name.
fn types_of(scope: &UnitScope<'_>, unit: &TranslationUnit) -> BTreeMap<String, Type> {
    let model = scope.model;
    let of_unit = |usr: &&crate::model::Function| {
        model.unit_of_function(usr).is_some_and(|of| of.main_file == unit.main_file) && usr.template.is_none()
    };
    let functions = model.functions.values().filter(of_unit);
    let mut all: Vec<Type> = functions
        .flat_map(|f| {
            let owner = f.owner.as_ref().and_then(|usr| class_type(scope, usr));
            f.params.iter().map(|param| param.ty.clone()).chain([f.result.clone()]).chain(owner)
        })
        .collect();
    let sees = |class: &&crate::model::Class| {
        class.definition.as_ref().is_some_and(|at| scope.sees(&at.file)) && class.installed.is_none()
    };
    for class in model.classes.values().filter(sees) {
        all.extend(class_type(scope, &class.usr));
        all.extend(class.fields.iter().map(|field| field.ty.clone()));
    }
    let plain = all.into_iter().map(|ty| ty.without_ref().clone()).filter(|ty| !is_open(ty));
    plain.filter(|ty| ty.kind != crate::model::TypeKind::Void).map(|ty| (ty.canonical(), ty)).collect()
}

/// The recipe of the object itself, before it is set up, or changed.
fn bare(recipe: &Recipe) -> &Recipe {
    match &recipe.kind {
        Kind::SetUp { object, .. } | Kind::Then { object, .. } => bare(&object.recipe),
        // As it is constructed, or with something in it.
        Kind::Choice { among } if among.iter().all(|slot| slot.name == "made") => bare(&among[0].recipe),
        _ => recipe,
    }
}

fn maker(recipe: &Recipe) -> &'static str {
    match &bare(recipe).kind {
        Kind::Construct { .. } => bare(recipe).rule,
        Kind::Iterator { .. } => "own iterator",
        Kind::Factory { .. } => "factory",
        Kind::Stub { .. } => "stub",
        Kind::Choice { .. } => "subtype",
        Kind::Fields { .. } | Kind::Bytes | Kind::Grid { .. } => "field by field",
        _ => bare(recipe).rule,
    }
}

fn name_of(way: &Way<'_>) -> String {
    match way {
        Way::Constructor(ctor) => ctor.map_or("the default constructor", |ctor| &ctor.id).to_owned(),
        Way::Factory(function, _) => function.id.clone(),
        Way::Subtype(ty) | Way::Derived(ty) => ty.spelling.clone(),
        Way::Stub | Way::Fields | Way::Said => format!("{way:?}"),
    }
}

/// Whether a way of the graph leads to the recipe.
fn is_by(recipe: &Recipe, way: &Way<'_>) -> bool {
    match (way, &bare(recipe).kind) {
        (Way::Constructor(ctor), Kind::Construct { constructor, .. }) => {
            ctor.map(|ctor| &ctor.usr) == constructor.as_ref()
        }
        (Way::Constructor(ctor), Kind::Elements { constructor, .. }) => ctor.map(|ctor| &ctor.usr) == Some(constructor),
        (Way::Factory(factory, _), Kind::Factory { function, .. }) => factory.usr == *function,
        (Way::Subtype(_), Kind::Choice { .. }) | (Way::Stub, Kind::Stub { .. }) => true,
        (Way::Fields, _) => maker(recipe) == "field by field",
        (Way::Derived(_), Kind::Construct { .. }) => maker(recipe) == "handle of a derived class",
        _ => false,
    }
}

/// The part of a `case.yaml` that says how its sources are compiled.
#[derive(Deserialize)]
struct Case {
    standard: Option<String>,
    #[serde(default)]
    flags: Vec<String>,
}

/// The sources of a folder, with its headers, as a project.
fn read(folder: &Path) -> Model {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut ahead = vec![folder.to_path_buf()];
    while let Some(path) = ahead.pop() {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let is_left_out = matches!(name.as_str(), "mutants" | "tests");
            let inside = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            ahead.extend(inside.filter(|_| !is_left_out));
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            files.push((name, text));
        }
    }
    files.sort();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let description = files.iter().find(|(name, _)| *name == "case.yaml").map_or("{}", |(_, text)| text);
    let Case { standard, flags } = serde_yaml::from_str(description).unwrap();
    let standard = standard.map(|standard| format!("-std={standard}"));
    let flags: Vec<String> =
        ["-Iinclude", "-Iinclude/sat"].map(String::from).into_iter().chain(standard).chain(flags).collect();
    let project = Small::new(&files, &flags.join(" "));
    crate::parse::project(&project.database, &project.options).unwrap().0
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_dir(root.join("tests/cases")).unwrap().map(|entry| entry.unwrap().path());
    let samples = ["samples/tpos", "samples/satellite"].map(|name| root.join(name));
    let mut cases: Vec<PathBuf> = cases.filter(|path| path.is_dir()).collect();
    cases.sort();
    let step = if std::env::var_os("MOTIF_TEST_ALL").is_some() { 1 } else { SLICE };
    cases.into_iter().step_by(step).chain(samples).collect()
}

/// The project that the environment names.
fn named() -> Option<Model> {
    let root = PathBuf::from(std::env::var_os(PROJECT)?);
    let mut options = Small::new(&[("a.c", "")], "").options;
    options.root.clone_from(&root);
    Some(crate::parse::project(&Database::load(None, &root).unwrap(), &options).unwrap().0)
}

#[test]
fn the_graph_says_what_the_planner_does_for_every_type_of_the_samples_and_cases() {
    let mut types = 0;
    let mut wrong = Vec::new();
    for model in folders().iter().map(|folder| read(folder)).chain(named()) {
        let found = compare(&model);
        types += found.types;
        wrong.extend(found.wrong);
    }
    assert!(wrong.is_empty(), "{} of {types}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(types > 200, "{types} types are too few to say anything");
}
