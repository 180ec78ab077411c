//! Arguments of function templates that ask something of them: `std::enable_if`, traits, `requires`, concepts. What is
//! asked is only read, by the names of traits; whether an argument will do the compiler says.

use super::unit_scope::UnitScope;
use crate::lexicon::Role;
use crate::model::{Class, Function, TemplateArg, TemplateParam, TemplateParamKind, Type, TypeKind};
use crate::plan::function_templates::simplest_for;
use crate::plan::usual_arguments::simplest_value;

/// So many classes are offered to what asks for something that only the project knows.
const CLASSES: usize = 2;

/// Lists of arguments for a template that asks something of them, what is likeliest to do first. None where it asks for
/// nothing.
pub(super) fn asked_for(scope: &UnitScope<'_>, function: &Function, params: &[TemplateParam]) -> Vec<Vec<TemplateArg>> {
    let Some(head) = &function.asks else { return Vec::new() };
    let open = params.iter().take_while(|param| param.default.is_none() && !param.is_pack());
    let open: Vec<&TemplateParam> = open.filter(|param| !is_condition(param)).collect();
    let candidates: Vec<(usize, Vec<Type>)> = (open.iter().enumerate())
        .filter(|(_, param)| param.kind == TemplateParamKind::Type && !param.name.is_empty())
        .map(|(at, param)| (at, candidates(scope, head, &param.name)))
        .filter(|(_, types)| !types.is_empty())
        .collect();
    let most = candidates.iter().map(|(_, types)| types.len()).max().unwrap_or_default();
    let list = |number: usize| -> Option<Vec<TemplateArg>> {
        let argument = |(at, param): (usize, &&TemplateParam)| {
            let asked = candidates.iter().find(|(place, _)| *place == at);
            match (asked, param.kind) {
                (Some((_, types)), _) => Some(TemplateArg::Type(types[number.min(types.len() - 1)].clone())),
                (None, TemplateParamKind::Type) => simplest_for(scope.lexicon(), param).map(TemplateArg::Type),
                (None, TemplateParamKind::Value) => Some(simplest_value(scope.model, param)),
                (None, TemplateParamKind::Template) => None,
            }
        };
        open.iter().enumerate().map(argument).collect()
    };
    (0..most).filter_map(list).collect()
}

/// Types for one parameter.
fn candidates(scope: &UnitScope<'_>, head: &str, param: &str) -> Vec<Type> {
    let mut found = Vec::new();
    for Asked { name, with, negated } in asked(head, param) {
        if negated {
            continue;
        }
        let simple = |spelling: &str| vec![crate::types::arithmetic::simple_type(spelling)];
        let short = name.rsplit("::").next().unwrap_or_default();
        let says = |role: Role| scope.lexicon().says(short, role);
        let types = match () {
            () if says(Role::SameType) => with.iter().filter_map(|other| type_said(scope, other)).collect(),
            () if says(Role::Floating) => simple("double"),
            () if says(Role::Unsigned) => simple("unsigned"),
            () if says(Role::Enumeration) => enumerations(scope),
            () if says(Role::Pointer) => vec![pointer_to_int()],
            () if says(Role::Number) => simple("int"),
            () if says(Role::Container) => {
                vec![crate::types::compose::vector(&crate::types::arithmetic::simple_type("int"))]
            }
            () if says(Role::String) => vec![crate::types::compose::text()],
            () if name.starts_with("std::") => Vec::new(),
            () => of_the_projects(scope, &name),
        };
        found.extend(types);
    }
    let mut unique: Vec<Type> = Vec::new();
    for ty in found {
        if !unique.contains(&ty) && super::function_templates::can_name(scope, &TemplateArg::Type(ty.clone())) {
            unique.push(ty);
        }
    }
    unique
}

/// The types that a trait of the project is specialised for; for other constraints of the project, classes that are
/// easily made.
fn of_the_projects(scope: &UnitScope<'_>, name: &str) -> Vec<Type> {
    let short = name.rsplit("::").next().unwrap_or(name);
    let special = scope.model.classes.values().filter(|class| class.specializes.is_some() && class.name == short);
    let first = special.filter_map(|class| match class.specialized_for.first() {
        Some(TemplateArg::Type(ty)) => Some(ty.clone()),
        _ => None,
    });
    let known: Vec<Type> = first.collect();
    if !known.is_empty() || scope.model.classes.values().any(|class| class.name == short) {
        return known;
    }
    let is_plain = |class: &&Class| {
        class.definition.is_some()
            && class.template.is_none()
            && class.specializes.is_none()
            && !class.name.is_empty()
            && !class.is_abstract
            && !class.is_file_local
            && !scope.model.is_foreign(class)
    };
    let plain = scope.model.classes.values().filter(is_plain).take(CLASSES);
    plain.map(|class| crate::types::records::record_type(scope.model, class, Vec::new())).collect()
}

fn enumerations(scope: &UnitScope<'_>) -> Vec<Type> {
    let usable = scope.model.enums.values().filter(|known| !known.qualified.is_empty());
    let typed = usable.map(|known| Type {
        spelling: known.qualified.clone(),
        is_const: false,
        kind: TypeKind::Enum(known.usr.clone()),
        size: None,
    });
    typed.take(CLASSES).collect()
}

fn type_said(scope: &UnitScope<'_>, text: &str) -> Option<Type> {
    if crate::types::standard::is_string(text) {
        Some(crate::types::compose::text())
    } else {
        super::class_arguments::named_type(scope, text)
    }
}

/// A trait or a concept that a parameter is an argument of.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    name: String,
    /// Its other arguments.
    with: Vec<String>,
    negated: bool,
}

/// All that a text asks of a parameter.
fn asked(head: &str, param: &str) -> Vec<Asked> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let mut found = Vec::new();
    for (at, _) in head.match_indices('<') {
        let before = &head[..at];
        let name: String = before[before.trim_end_matches(is_name).len()..].to_owned();
        let Some(arguments) = arguments(&head[at + 1..]) else { continue };
        let is_it = |text: &String| text.trim_start_matches("const ").trim_end_matches(['&', ' ']) == param;
        let chooses = name.contains("enable_if") || name.contains("conditional");
        if name.is_empty() || name == "template" || chooses || !arguments.iter().any(is_it) {
            continue;
        }
        let negated = before.trim_end_matches(is_name).trim_end().ends_with('!');
        found.push(Asked { name, with: arguments.into_iter().filter(|text| !is_it(text)).collect(), negated });
    }
    // `template <std::integral T>`, `template <derived_from<Base> T>`.
    for (at, _) in head.match_indices(param) {
        let is_whole = !head[at + param.len()..].starts_with(is_name);
        let before = head[..at].strip_suffix(' ').unwrap_or_default();
        let start =
            before.rfind(['<', ',', '(']).filter(|_| is_whole && !before.ends_with('>')).map_or(at, |start| start + 1);
        let concept = before.get(start..).unwrap_or_default().trim();
        if !concept.is_empty()
            && concept.chars().all(is_name)
            && !matches!(concept, "class" | "typename" | "auto" | "const")
        {
            found.push(Asked { name: concept.to_owned(), with: Vec::new(), negated: false });
        }
    }
    found
}

/// The arguments of a list whose opening bracket is behind.
fn arguments(text: &str) -> Option<Vec<String>> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' if depth == 0 => {
                found.push(text[start..at].trim().to_owned());
                return Some(found);
            }
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// A parameter that is only there to be a condition: `std::enable_if_t<…> = 0` has a default, `class = …` too.
fn is_condition(param: &TemplateParam) -> bool {
    param.text.contains("enable_if")
}

fn pointer_to_int() -> Type {
    let to = crate::types::arithmetic::simple_type("int");
    Type { spelling: "int *".into(), is_const: false, kind: TypeKind::Pointer(Box::new(to)), size: Some(8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_and_concepts_that_a_parameter_is_asked_for_are_read() {
        let names = |head: &str| asked(head, "T").into_iter().map(|asked| asked.name).collect::<Vec<_>>();
        let head = "template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> int kind(T value)";
        assert_eq!(names(head), ["std::is_floating_point"]);
        assert_eq!(names("template <std::integral T> int sort(T t)"), ["std::integral"]);
        assert_eq!(names("template <class S, class T> requires HasArea<T> int area(const T &s)"), ["HasArea"]);
        let same = asked("template <class T> std::enable_if_t<!std::is_same_v<T, lib::Text>, T> read(int k)", "T");
        let expected = Asked { name: "std::is_same_v".into(), with: vec!["lib::Text".into()], negated: true };
        assert_eq!(same.first(), Some(&expected));
    }
}
