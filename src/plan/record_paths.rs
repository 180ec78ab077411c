//! From a path of a record (`object.items_[3].seen_`) back to the member of a class that it names.

use crate::facts::anonymous_members;
use crate::hierarchy::Hierarchy;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Class, Field, Model, TemplateArg, Type, TypeKind};
use crate::plan::UnitPlan;
use crate::plan::unit_plan::STANDARD_OUTPUT;

/// The arguments of stubs stand there, by the number of the call, the method and the argument:
/// `stub_arguments[2].Sink::take.argument1`.
pub const ARGUMENTS: &str = "stub_arguments";

/// Under which name stands what is written of an object to a stream.
pub const PRINTED: &str = "printed()";

/// Under which name stand the elements of an object whose members do not lead to them.
pub const ELEMENTS: &str = "begin()";

/// Between the names of two members that hold the ends of a text, in the name under which it is recorded.
pub const RANGE: char = '~';

/// Between the names of two members whose distance is recorded, in the name under which it is.
pub const DISTANCE: char = '-';

/// Whether a method of this name tells something of an object in every state: neither what may not be there, nor a part
/// that somebody keeps, nor where something is.
pub fn is_told(lexicon: &Lexicon, name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !lexicon.says(name, Role::Unsteady)
}

/// Under which name stands what an object of a derived class has beside the base through which it is seen
/// (`shape.<Circle>.radius_`); no member is called so.
pub fn derived(class: &str) -> String {
    format!("<{class}>")
}

/// The qualified name of the derived class, if that is what the name in a record stands for.
pub fn derived_class<'m>(model: &'m Model, name: &str) -> Option<&'m Class> {
    let class = name.strip_prefix('<')?.strip_suffix('>')?.trim_start_matches("struct ");
    model.classes.values().find(|known| known.qualified == class)
}

/// The class and the name of the innermost member that `path` leads through, if there is one.
pub fn member_at(model: &Model, hierarchy: &Hierarchy, plan: &UnitPlan, path: &str) -> Option<(String, String)> {
    let mut steps = path.split('.').map(|part| part.split('[').next().unwrap_or(part));
    let root = steps.next()?;
    if root == STANDARD_OUTPUT && plan.prints {
        return Some((String::new(), root.to_owned()));
    }
    if root == ARGUMENTS {
        let called = plan.stubs_called(model, steps.next()?);
        let ty = called.first()?.params.get(crate::plan::rules::stubs::parameter(steps.next()?)?)?;
        return along(model, hierarchy, ty.clone(), steps);
    }
    let entry_types = plan.entries.iter().flat_map(|entry| {
        let object = entry.object.iter().map(|slot| ("object", &slot.ty));
        let args = entry.args.iter().map(|slot| (slot.name.as_str(), &slot.ty));
        object.chain(args).chain(entry.result.iter().map(|ty| ("return", ty)))
    });
    let ty = entry_types.filter(|(name, _)| *name == root).map(|(_, ty)| ty.clone()).next()?;
    along(model, hierarchy, ty, steps)
}

/// The innermost member on the way through a value of type `ty`.
fn along<'p>(
    model: &Model,
    hierarchy: &Hierarchy,
    mut ty: Type,
    steps: impl Iterator<Item = &'p str>,
) -> Option<(String, String)> {
    let mut found = None;
    for name in steps {
        if let Some(class) = derived_class(model, name) {
            ty = crate::types::records::record_type(model, class, Vec::new());
            continue;
        }
        let class = record_of(&ty).and_then(|usr| model.classes.get(&usr));
        // What an object says that is asked.
        if let Some(class) = class.filter(|_| name.ends_with("()")) {
            let name = name.split(RANGE).next().unwrap_or(name);
            found = Some((told_by(model, class, name).unwrap_or(class).qualified.clone(), name.to_owned()));
            break;
        }
        // A distance is left out by its own name, the members are not.
        if let Some(class) = class.filter(|_| name.contains(DISTANCE)) {
            found = Some((class.qualified.clone(), name.to_owned()));
            break;
        }
        let name = name.split(RANGE).next().unwrap_or(name);
        let Some((class, field)) = class.and_then(|class| member(model, hierarchy, class, name)) else {
            // A part of a standard type, or of what is not known: the member it stands in is as near as it gets.
            continue;
        };
        found = Some((class.qualified.clone(), field.name.clone()));
        ty = field.ty.clone();
    }
    found
}

/// The class, it or a base, that has a method of its own for what is asked so.
pub fn told_by<'m>(model: &'m Model, class: &'m Class, asked: &str) -> Option<&'m Class> {
    let name = asked.strip_suffix("()")?;
    let mut methods = class.methods.iter().filter_map(|usr| model.functions.get(usr));
    if methods.any(|method| method.name == name && method.params.is_empty()) {
        return Some(class);
    }
    class
        .other_bases()
        .filter_map(|base| model.classes.get(base.ty.record()?))
        .find_map(|base| told_by(model, base, asked))
}

/// The class that a value of this type is made of: behind pointers, in containers.
fn record_of(ty: &Type) -> Option<String> {
    match &ty.kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) | TypeKind::Array(to, _) => {
            record_of(to)
        }
        TypeKind::Record { name, args, usr } if name.starts_with("std::") => args
            .iter()
            .rev()
            .filter_map(|arg| match arg {
                TemplateArg::Type(ty) => record_of(ty).filter(|usr| !usr.starts_with("std::")),
                TemplateArg::Value(_) => None,
            })
            .next()
            .or_else(|| Some(usr.clone())),
        TypeKind::Record { usr, .. } => Some(usr.clone()),
        _ => None,
    }
}

/// A member of the class, of its bases, or of what derives from it.
fn member<'m>(model: &'m Model, hierarchy: &Hierarchy, class: &'m Class, name: &str) -> Option<(&'m Class, &'m Field)> {
    let own = |class: &'m Class| Some((class, anonymous_members::named(model, class, name)?));
    let around = hierarchy.ancestors(&class.usr).into_iter().chain(hierarchy.descendants(&class.usr));
    own(class).or_else(|| around.filter_map(|usr| model.classes.get(&usr)).find_map(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;

    #[test]
    fn a_path_leads_to_the_member_that_it_names_wherever_that_stands() {
        let model = read_cpp(
            "#include <vector>\nstruct Base { char memory_[8]; }; struct Item { void *at_; int n_; };\n\
             struct Deep : Item { long seen_; };\n\
             class Doc : public Base { std::vector<Item *> items_; public: Doc(int); \
             int size(const Item &extra) { return extra.n_; } };\n\
             Item *deep(Deep &d) { return &d; }",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == "size").unwrap();
        let plan = crate::plan::plan_unit(&planner, &unit.usr).unwrap();
        let at =
            |path: &str| member_at(&model, &hierarchy, &plan, path).map(|(class, field)| format!("{class}::{field}"));
        assert_eq!(at("object.memory_").as_deref(), Some("Base::memory_"));
        assert_eq!(at("object.items_[3].n_").as_deref(), Some("Item::n_"));
        assert_eq!(at("object.items_[3].seen_").as_deref(), Some("Deep::seen_"));
        assert_eq!(at("object.items_.size").as_deref(), Some("Doc::items_"));
        assert_eq!(at("extra.n_").as_deref(), Some("Item::n_"));
        assert_eq!(at("return"), None);
    }
}
