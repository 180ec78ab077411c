//! From a place in a record to the C++ expression that a test asks for it with.

use super::Root;
use crate::model::{Model, Type, TypeKind};

/// Under the names that derived classes have in a record, their types.
pub(super) fn derived(model: &Model, plan: &crate::plan::UnitPlan) -> Vec<Root> {
    let observed = crate::generate::observe::observed(model, plan).into_iter();
    let root = |ty: Type| Root {
        name: crate::plan::paths::derived(&ty.spelling),
        made: crate::generate::lower::Made::expression("*this"),
        ty,
    };
    observed.map(|observed| root(observed.ty)).collect()
}

/// The expression for a path of the record, and its type.
pub(super) fn expression(model: &Model, path: &str, roots: &[Root], private: &mut bool) -> Option<(String, Type)> {
    let steps = steps(path);
    let (first, rest) = steps.split_first()?;
    let Step::Member(root) = first else { return None };
    let root = roots.iter().find(|r| r.name == *root)?;
    let mut text = root.made.object.clone();
    let mut ty = root.ty.clone();
    for step in rest {
        // A pointer or smart pointer on the way is followed.
        let mut arrow = false;
        if let Some(to) = ty.pointee() {
            if !matches!(step, Step::Index(_)) {
                ty = to.clone();
                arrow = true;
            }
        } else if let Some(to) = ty.smart_pointee() {
            ty = to.clone();
            arrow = true;
        }
        if let Step::Member(name) = step
            && let Some(derived) = roots.iter().find(|r| r.name == *name && name.starts_with('<'))
        {
            let class = derived.ty.record().and_then(|usr| model.classes.get(usr))?;
            *private |= class.access.is_some_and(|access| access != crate::model::Access::Public);
            ty = derived.ty.clone();
            let object = if arrow { crate::cpp::dereference(&text) } else { text };
            text = format!("dynamic_cast<const {} &>({object})", ty.spelling);
            continue;
        }
        match (step, &ty.without_ref().kind.clone()) {
            (Step::Member(name), TypeKind::Record { usr, args, name: class_name }) => {
                let grip = match (text.strip_prefix('*'), arrow) {
                    (Some(pointer), false) => format!("{pointer}->"),
                    (Some(_), true) => format!("({text})->"),
                    (None, true) => format!("{text}->"),
                    (None, false) => format!("{text}."),
                };
                if class_name.starts_with("std::") {
                    match name.as_str() {
                        "size" => text = format!("{grip}size()"),
                        "first" | "second" => {
                            let index = usize::from(name == "second");
                            let Some(crate::model::TemplateArg::Type(to)) = args.get(index) else { return None };
                            ty = to.clone();
                            text = format!("{grip}{name}");
                        }
                        _ => return None,
                    }
                    continue;
                }
                let class = model.classes.get(usr)?;
                let (name, end) = match name.split_once(crate::generate::observe::RANGE) {
                    Some((begin, end)) => (begin, Some(end)),
                    None => (name.as_str(), None),
                };
                let (field, of) = find_field(model, class, name)?;
                *private |= field.access != crate::model::Access::Public;
                let with = if of.usr == class.usr {
                    crate::plan::substitution::Substitution::of(model, class, args)
                } else {
                    Default::default()
                };
                ty = with.apply(&field.ty);
                text = match end {
                    Some(end) => {
                        ty = crate::plan::entry::simple_type("std::string");
                        format!("std::string({grip}{name}, {grip}{end})")
                    }
                    None => format!("{grip}{name}"),
                };
            }
            (Step::Index(index), TypeKind::Array(element, _) | TypeKind::Pointer(element)) => {
                text = if text.starts_with('*') { format!("({text})[{index}]") } else { format!("{text}[{index}]") };
                ty = (**element).clone();
            }
            (Step::Index(index), TypeKind::Record { name, args, .. })
                if matches!(name.as_str(), "std::vector" | "std::array" | "std::deque") =>
            {
                let Some(crate::model::TemplateArg::Type(to)) = args.first() else { return None };
                // What a smart pointer leads to.
                if arrow {
                    text = format!("*{text}");
                }
                text = if text.starts_with('*') { format!("({text})[{index}]") } else { format!("{text}[{index}]") };
                ty = to.clone();
            }
            // Containers without an index of their own, as far as their order is known.
            (Step::Index(index), TypeKind::Record { name, args, .. })
                if matches!(
                    name.as_str(),
                    "std::list" | "std::set" | "std::multiset" | "std::map" | "std::multimap"
                ) =>
            {
                let Some(crate::model::TemplateArg::Type(first)) = args.first() else { return None };
                let begin = match (text.strip_prefix('*'), arrow) {
                    (Some(pointer), false) => format!("{pointer}->begin()"),
                    (Some(_), true) => format!("({text})->begin()"),
                    (None, true) => format!("{text}->begin()"),
                    (None, false) => format!("{text}.begin()"),
                };
                text = if *index == 0 { format!("*{begin}") } else { format!("*std::next({begin}, {index})") };
                ty = if name.ends_with("map") { pair_of(args) } else { first.clone() };
            }
            _ => return None,
        }
    }
    Some((text, ty.without_ref().clone()))
}

/// What a map holds.
fn pair_of(args: &[crate::model::TemplateArg]) -> Type {
    let args = args.iter().take(2).cloned().collect();
    let kind = TypeKind::Record { usr: String::new(), name: "std::pair".into(), args };
    Type { spelling: "std::pair".into(), is_const: false, kind, size: None }
}

fn find_field<'m>(
    model: &'m Model,
    class: &'m crate::model::Class,
    name: &str,
) -> Option<(&'m crate::model::Field, &'m crate::model::Class)> {
    if let Some(field) = class.fields.iter().find(|f| f.name == name) {
        return Some((field, class));
    }
    class.bases.iter().filter_map(|b| model.classes.get(b.ty.record()?)).find_map(|base| find_field(model, base, name))
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
        let int = crate::plan::entry::simple_type("int");
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
        let double = crate::plan::entry::simple_type("double");
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
