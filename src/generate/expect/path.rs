//! From a place in a record to the C++ expression that a test asks for it with.

use super::{Root, path_of};
use crate::model::library::Index;
use crate::model::{Access, Class, Model, Scope, TemplateArg, Type, TypeKind};
use crate::plan::UnitPlan;
use crate::types::compose::text as text_type;
use crate::types::library::{own_row, row_of};
use crate::types::standard::{element_type, is_of_library, smart_pointee};
use crate::types::substitution::Substitution;
use serde_json::Value;

/// Adds the types that derived classes have under their names in a record, where it has any.
pub(super) fn add_derived(model: &Model, plan: &UnitPlan, record: &[Value], roots: &mut Vec<Root>) {
    if !record.iter().any(|entry| path_of(entry).contains(".<")) {
        return;
    }
    let observed = crate::generate::observe::observed(model, plan).into_iter();
    let root = |ty: Type| Root {
        name: crate::plan::record_paths::derived(&ty.spelling),
        made: crate::generate::lower::Made::expression("*this"),
        ty,
    };
    roots.extend(observed.map(|observed| root(observed.ty)));
}

/// The expression for a path of the record, and its type.
pub(super) fn expression(model: &Model, path: &str, roots: &[Root], private: &mut bool) -> Option<(String, Type)> {
    let steps = steps(path);
    let (first, rest) = steps.split_first()?;
    let Step::Member(root) = first else { return None };
    let root = roots.iter().find(|r| r.name == *root)?;
    let mut text = root.made.object.clone();
    let mut ty = root.ty.clone();
    // The base whose member is meant, where the object has another one of that name.
    let mut meant: Option<(String, String)> = None;
    let indexed = |ty: &Type| row_of(model, ty.without_ref()).map(|row| row.index).unwrap_or_default();
    let mut steps = rest.iter();
    while let Some(step) = steps.next() {
        // A pointer or smart pointer on the way is followed.
        let mut arrow = false;
        if let Some(to) = ty.pointee() {
            if !matches!(step, Step::Index(_)) {
                ty = to.clone();
                arrow = true;
            }
        } else if let Some(to) = smart_pointee(model, &ty) {
            ty = to.clone();
            arrow = true;
        } else if let Some(way) = row_of(model, ty.without_ref()).and_then(|row| row.target.as_deref())
            && let Some(to) = element_type(model, ty.without_ref())
        {
            arrow = way.ends_with("->");
            text = format!("{text}.{}", way.trim_end_matches(['-', '>', '.']));
            ty = to;
        }
        if let Step::Member(name) = step
            && let Some(derived) = roots.iter().find(|r| r.name == *name && name.starts_with('<'))
        {
            let class = derived.ty.record().and_then(|usr| model.classes.get(usr))?;
            if let Some(way) = crate::generate::derived_members::way_down(model, &derived.ty, ty.without_ref()) {
                *private |= !way.is_public || !is_open(model, class);
                let grip = meant.take().map_or_else(|| grip(&text, arrow), |(grip, _)| grip);
                meant = Some((grip, derived.ty.bare_spelling().to_owned()));
                ty = derived.ty.clone();
                continue;
            }
            let is_public = crate::generate::derived_members::way_down(model, ty.without_ref(), &derived.ty)?.is_public;
            *private |= !is_open(model, class) || !is_public;
            // (Who may not know of the base is not told by `dynamic_cast`.)
            let cast = if is_public { "dynamic_cast" } else { "static_cast" };
            ty = derived.ty.clone();
            let object = if arrow { crate::cpp::dereference(&text) } else { text };
            text = format!("{cast}<const {} &>({object})", ty.spelling);
            continue;
        }
        match (step, &ty.without_ref().kind.clone()) {
            (Step::Member(name), TypeKind::Record { usr, args, name: class_name }) => {
                let grip = match meant.take() {
                    Some((grip, base)) => format!("{grip}{base}::"),
                    None => grip(&text, arrow),
                };
                if is_of_library(model, class_name) {
                    match name.as_str() {
                        "size" if own_row(model, class_name).is_some() => text = distance(&grip),
                        "size" => text = format!("{grip}size()"),
                        "first" | "second" => {
                            let index = usize::from(name == "second");
                            let Some(crate::model::TemplateArg::Type(to)) = args.get(index) else { return None };
                            ty = crate::types::spelling::value_type(to);
                            text = format!("{grip}{name}");
                        }
                        // (Its name is what is asked for.)
                        "category()" => text = format!("{grip}category()"),
                        "value()" => {
                            text = format!("{grip}value()");
                            ty = crate::types::arithmetic::simple_type("int");
                        }
                        "name()" => {
                            text = format!("std::string({grip}name())");
                            ty = text_type();
                        }
                        _ => return None,
                    }
                    continue;
                }
                let class = model.classes.get(usr)?;
                if class.installed.is_some()
                    && let Some((asked, told)) = asked(model, class, name, &text, &grip)
                {
                    (text, ty) = (asked, told);
                    continue;
                }
                let (name, end) = match name.split_once(crate::generate::observe::RANGE) {
                    Some((begin, end)) => (begin, Some(end)),
                    None => (name.as_str(), None),
                };
                let (field_type, is_public) = find_field(model, class, args, name)?;
                *private |= !is_public;
                ty = field_type;
                text = match end {
                    Some(end) => {
                        ty = text_type();
                        format!("std::string({grip}{name}, {grip}{end})")
                    }
                    None => format!("{grip}{name}"),
                };
            }
            (Step::Index(index), TypeKind::Record { usr, .. })
                if indexed(&ty) == Index::None
                    && model.classes.get(usr).is_some_and(|class| class.installed.is_some()) =>
            {
                let installed = model.classes.get(usr)?.installed.as_ref()?;
                let object = if arrow { crate::cpp::dereference(&text) } else { text };
                let grip = if object.starts_with('*') { format!("({object})") } else { object };
                if let Some(element) = &installed.grid {
                    let Some(Step::Index(column)) = steps.next() else { return None };
                    (text, ty) = (format!("{grip}({index}, {column})"), element.clone());
                } else {
                    ty = installed.elements.clone()?;
                    text = format!("*std::next({grip}.begin(), {index})");
                }
            }
            (Step::Index(index), TypeKind::Array(element, _) | TypeKind::Pointer(element)) => {
                text = if text.starts_with('*') { format!("({text})[{index}]") } else { format!("{text}[{index}]") };
                ty = (**element).clone();
            }
            (Step::Index(index), TypeKind::Record { .. }) if indexed(&ty) == Index::Subscript => {
                let to = element_type(model, ty.without_ref())?;
                // What a smart pointer leads to.
                if arrow {
                    text = format!("*{text}");
                }
                text = if text.starts_with('*') { format!("({text})[{index}]") } else { format!("{text}[{index}]") };
                ty = to;
            }
            // Containers without an index of their own, as far as their order is known.
            (Step::Index(index), TypeKind::Record { .. }) if indexed(&ty) == Index::Iterator => {
                let to = element_type(model, ty.without_ref())?;
                let begin = match (text.strip_prefix('*'), arrow) {
                    (Some(pointer), false) => format!("{pointer}->begin()"),
                    (Some(_), true) => format!("({text})->begin()"),
                    (None, true) => format!("{text}->begin()"),
                    (None, false) => format!("{text}.begin()"),
                };
                text = if *index == 0 { format!("*{begin}") } else { format!("*std::next({begin}, {index})") };
                ty = to;
            }
            _ => return None,
        }
    }
    // A macro would take it for two arguments.
    let mut depth = 0;
    let parts = text.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    Some((if parts { format!("({text})") } else { text }, ty.without_ref().clone()))
}

/// `object.`, or `pointer->`.
fn grip(text: &str, arrow: bool) -> String {
    match (text.strip_prefix('*'), arrow) {
        (Some(pointer), false) => format!("{pointer}->"),
        (Some(_), true) => format!("({text})->"),
        (None, true) => format!("{text}->"),
        (None, false) => format!("{text}."),
    }
}

/// How many elements are between the beginning and the end.
fn distance(grip: &str) -> String {
    format!("static_cast<std::size_t>(std::distance({grip}begin(), {grip}end()))")
}

/// What an object of another library is asked by, and the type of the answer.
fn asked(model: &Model, class: &Class, name: &str, text: &str, grip: &str) -> Option<(String, Type)> {
    use crate::plan::record_paths::{PRINTED, told_by};
    let installed = class.installed.as_ref()?;
    let simple = crate::types::arithmetic::simple_type;
    if class.fields.iter().any(|field| field.name == name) {
        return None;
    }
    match name {
        PRINTED => {
            let object = if grip.ends_with("->") { crate::cpp::dereference(text) } else { text.to_owned() };
            Some((format!("printed({object})"), text_type()))
        }
        "rows()" | "cols()" if installed.grid.is_some() => Some((format!("{grip}{name}"), simple("long"))),
        "size" if installed.elements.is_some() => Some((distance(grip), simple("std::size_t"))),
        "has_value" => Some((format!("{grip}has_value()"), simple("bool"))),
        "value" => {
            let object = if grip.ends_with("->") { format!("**{}", text) } else { crate::cpp::dereference(text) };
            Some((object, installed.holds.clone()?))
        }
        _ => {
            let method = name.strip_suffix("()")?;
            let methods = told_by(model, class, name)?.methods.iter().filter_map(|usr| model.functions.get(usr));
            let result = methods.into_iter().find(|f| f.name == method && f.params.is_empty())?.result.clone();
            Some((format!("{grip}{name}"), result.without_ref().clone()))
        }
    }
}

/// The type of a member, its own or a base's, and whether everybody may ask for it.
fn find_field(model: &Model, class: &Class, args: &[TemplateArg], name: &str) -> Option<(Type, bool)> {
    let with = Substitution::of(model, class, args);
    if let Some(field) = class.fields.iter().find(|f| f.name == name) {
        return Some((with.apply(&field.ty), field.access == Access::Public));
    }
    let within = |field| Some((field, crate::facts::anonymous_members::within(model, field)?));
    let unnamed = class.fields.iter().filter_map(within).find_map(|(field, inner)| {
        let (ty, is_public) = find_field(model, inner, &[], name)?;
        Some((with.apply(&ty), is_public && field.access == Access::Public))
    });
    if unnamed.is_some() {
        return unnamed;
    }
    if crate::generate::same_named_members::is_ambiguous(model, class, &with, name) {
        return None;
    }
    class.other_bases().find_map(|base| {
        let ty = with.apply(&base.ty);
        let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
        let (field, is_public) = find_field(model, model.classes.get(usr)?, args, name)?;
        Some((field, is_public && base.access == Access::Public))
    })
}

/// Whether everybody may name the class: it, and all that it stands in.
pub(super) fn is_open(model: &Model, class: &Class) -> bool {
    let open = |class: &Class| class.access.is_none_or(|access| access == Access::Public);
    let outer = class.scopes.iter().filter_map(|scope| match scope {
        Scope::Class(usr) => model.classes.get(usr),
        Scope::Namespace { .. } => None,
    });
    open(class) && outer.into_iter().all(open)
}

#[derive(Debug, PartialEq)]
enum Step {
    Member(String),
    Index(u64),
}

/// `a.b[3].c` in steps.
fn steps(path: &str) -> Vec<Step> {
    let mut out = Vec::new();
    for part in path.split('.') {
        let mut pieces = part.split('[');
        if let Some(name) = pieces.next().filter(|n| !n.is_empty()) {
            out.push(Step::Member(name.to_owned()));
        }
        out.extend(pieces.filter_map(|p| p.trim_end_matches(']').parse().ok().map(Step::Index)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::lower::Made;

    #[test]
    fn a_path_falls_apart_into_members_and_indexes() {
        let member = |n: &str| Step::Member(n.into());
        assert_eq!(steps("list[3].x_.y"), [member("list"), Step::Index(3), member("x_"), member("y")]);
        assert_eq!(steps("grid[1][2]"), [member("grid"), Step::Index(1), Step::Index(2)]);
    }

    #[test]
    fn what_a_map_or_a_set_holds_is_asked_for_in_its_order() {
        use crate::model::TemplateArg;
        let int = crate::types::arithmetic::simple_type("int");
        let of = |name: &str, args: &[&Type]| Type {
            spelling: name.into(),
            is_const: false,
            kind: TypeKind::Record {
                usr: String::new(),
                name: name.into(),
                args: args.iter().map(|ty| TemplateArg::Type((*ty).clone())).collect(),
            },
            size: None,
        };
        let double = crate::types::arithmetic::simple_type("double");
        let map = of("std::map", &[&int, &of("std::set", &[&double])]);
        let asked = |ty: &Type, path: &str| {
            let made = Made::expression("held");
            let roots = [Root { name: "held".into(), made, ty: ty.clone() }];
            expression(&Model::default(), path, &roots, &mut false)
        };
        assert_eq!(asked(&map, "held[0].first"), Some(("held.begin()->first".into(), int.clone())));
        let deep = "*std::next(std::next(held.begin(), 1)->second.begin(), 2)";
        assert_eq!(asked(&map, "held[1].second[2]"), Some((deep.into(), double)));
        // The order of these is nobody's promise.
        assert_eq!(asked(&of("std::unordered_set", &[&int]), "held[0]"), None);
    }
}
