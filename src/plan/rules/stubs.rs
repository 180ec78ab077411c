//! Stubs: an interface that nothing of the project implements, or nothing that can be had, is stood in for by a class
//! that notes how it is called and answers with data. The notes are part of what is compared.

use super::setup_calls::is_simple;
use crate::facts::default_construction::is_default_constructible;
use crate::facts::handles::is_assignable;
use crate::facts::implementable::{
    asked_for, can_be_written, constructor, hooks, is_for_subclasses, is_listener, to_implement,
};
use crate::lexicon::Role;
use crate::model::library::Ability;
use crate::model::{Access, Class, ClassKind, Function, Model, Param, Prim, TemplateArg, Type, TypeKind, Usr};
use crate::plan::construction_graph::{Builder, Edge, Need, Object, Way};
use crate::plan::recipe::plain_name;
use crate::plan::request::Request;
use crate::plan::undefined_symbols::{FILLED, WRITTEN, counts_bytes, length_of, times_of, written};
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Answer, BufferLength, Kind, Reason, Recipe, Slot, StubMethod, Written};
use crate::types::library::row;
use crate::types::standard::{has_elements, holds_values, is_of_library, is_string, is_text, may_be_nothing};
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Cost of a class that is made up: anything real is better.
const STUB: u32 = 60;
/// The most answers of one method that come from the data; after them a value of no information.
const ANSWERS: u64 = 4;

/// A stub for an abstract class, or for one that only subclasses may construct.
pub(in crate::plan) fn ways<'m>(graph: &mut Builder<'_, 'm>, object: Object<'_, 'm>, edges: &mut Vec<Edge<'m>>) {
    let (class, facts) = (object.class, graph.facts);
    let is_possible = if class.is_abstract {
        let ancestors = facts.hierarchy.ancestors(&class.usr).into_iter().collect();
        to_implement(facts.model, &ancestors, class).is_ok()
    } else {
        is_for_subclasses(facts.model, class)
    };
    if object.is_constructed() && is_possible {
        edges.push(Edge::new(Way::Stub, Need::of(STUB)));
    }
}

/// How deep inside an argument listeners still get a stub beside their real subtypes.
const HEARD: usize = 1;

/// A stub beside the real objects of a listener: those may well do nothing that anybody sees, the stub notes what it is
/// told. None where the class is no listener.
pub(in crate::plan) fn listener(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    request: Request<'_>,
) -> Option<Recipe> {
    let ancestors = scope.hierarchy.ancestors(&class.usr);
    let hears = request.objects_open() <= HEARD
        && !request.without_setup
        && class.template.is_none()
        && scope.in_reach(class)
        && is_listener(scope.model, &ancestors, class);
    if hears && !is_of_the_receiver(scope, class) { stub(scope, ty, class, request).ok() } else { None }
}

/// Whether the unit is a method of the class or of one of its bases: a stub would be asked instead of the unit.
pub(in crate::plan) fn is_of_the_receiver(scope: &UnitScope<'_>, class: &Class) -> bool {
    let owner = scope.function.owner.as_ref();
    owner.is_some_and(|owner| *owner == class.usr || scope.hierarchy.ancestors(&class.usr).contains(owner))
}

/// The place of a stub method's argument, by its name in a record: `argument1` is the first.
pub fn parameter(name: &str) -> Option<usize> {
    name.strip_prefix("argument")?.parse::<usize>().ok()?.checked_sub(1)
}

/// An object of a class that is made up to implement `class`.
///
/// # Errors
/// Why there is none.
pub(in crate::plan) fn stub(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let ancestors: BTreeSet<Usr> = scope.hierarchy.ancestors(&class.usr).into_iter().collect();
    // A stub gets no answer from another stub of its kind, which would have to answer the same.
    let is_kin = |other: &Usr| {
        *other == class.usr || ancestors.contains(other) || scope.hierarchy.ancestors(other).contains(&class.usr)
    };
    if request.stubs().any(is_kin) {
        return Err(Reason::new(format!("`{}` is what is being made", class.qualified)));
    }
    let open = request.opening_stub(&class.usr);
    let request = request.inside(&open);

    implementing(scope, ty, class, &ancestors, request)
}

fn implementing(
    scope: &UnitScope<'_>,
    ty: &Type,
    class: &Class,
    ancestors: &BTreeSet<Usr>,
    request: Request<'_>,
) -> Result<Recipe, Reason> {
    let pure = to_implement(scope.model, ancestors, class).map_err(Reason::new)?;
    let TypeKind::Record { args, .. } = &ty.kind else { return Err(Reason::new("it is no class")) };
    let with = Substitution::of(scope.model, class, args);
    // What need not be overridden is heard too, but never the unit itself.
    let mut heard = hooks(scope.model, ancestors, class);
    heard.retain(|hook| class.template.is_none() && hook.usr != scope.function.usr);
    let all: Vec<&Function> = pure.iter().chain(&heard).copied().collect();
    let mut methods: Vec<StubMethod> = Vec::new();
    let mut names: BTreeSet<String> = all.iter().map(|method| plain_name(&method.name)).collect();
    for (index, method) in all.iter().enumerate() {
        let name = plain_name(&method.name);
        let overload = all[..index].iter().filter(|other| plain_name(&other.name) == name).count();
        let number = if overload == 0 { String::new() } else { (overload + 1).to_string() };
        let slot = unused(&mut names, format!("{name}_answers{number}"));
        let params: Vec<Type> = method.params.iter().map(|p| with.apply(&p.ty)).collect();
        let result = with.apply(&method.result);
        if !can_be_written(params.iter(), &result) {
            return Err(Reason::new(format!("`{}` can't be written again", method.id)));
        }
        let answer = match answer(scope, method, &result, ancestors, class, &slot, request) {
            Ok(answer) => answer,
            Err(_) if !method.is_pure => continue,
            // An exception out of what must not throw would be the end.
            Err(reason) if method.is_noexcept => return Err(reason),
            Err(_) => Answer::Refusal,
        };
        let looks = (0..params.len()).map(|index| is_looked_into(scope, method, &params, index)).collect();
        let named = params.iter().zip(&method.params).map(|(ty, param)| Param::new(param.name.clone(), ty.clone()));
        let named: Vec<Param> = named.collect();
        let lengths = (0..named.len()).map(|index| buffer_length(scope, &named, index)).collect();
        let prefix = format!("{name}{number}");
        let mut written = Vec::new();
        for index in 0..named.len() {
            written.extend(writes(scope, &named, index, (&prefix, &mut names), request));
        }
        let writes = written;
        methods.push(StubMethod { method: method.usr.clone(), params, result, answer, looks, lengths, writes });
    }
    let args = match constructor(scope.model, class).map_err(Reason::new)? {
        Some(constructor) => scope.params(asked_for(constructor), &with, None, request)?,
        None => Vec::new(),
    };
    Ok(Kind::Stub { args, methods }.of(crate::types::spelling::value_type(ty)))
}

/// Whether an argument is an object of which there is more to tell than that it is there, and which has a value when it
/// is handed over.
fn is_looked_into(scope: &UnitScope<'_>, method: &Function, params: &[Type], index: usize) -> bool {
    let (to, is_pointer) = match &params[index].kind {
        TypeKind::Pointer(to) => (&**to, true),
        TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) => (&**to, false),
        _ => (&params[index], false),
    };
    let TypeKind::Record { usr, name, .. } = &to.kind else { return false };
    if to.spelling.contains("volatile")
        || is_pointer
            && crate::plan::undefined_symbols::length_of(scope.lexicon(), &method.params, index, false).is_some()
    {
        return false;
    }
    if is_of_library(scope.model, name) {
        let is_text = is_text(name);
        return is_pointer && is_text || !is_text && holds_values(scope.model, to);
    }
    // An object that the callee fills in need not have a value before.
    let is_to_be_filled =
        !to.is_const && !matches!(params[index].kind, TypeKind::RvalueRef(_) | TypeKind::Record { .. });
    scope
        .model
        .classes
        .get(usr)
        .is_some_and(|class| class.kind != ClassKind::Union && !(is_to_be_filled && class.is_aggregate))
}

/// So many values of a type, as a vector.
fn several(
    scope: &UnitScope<'_>,
    name: &str,
    element: &Type,
    count: RangeInclusive<u64>,
    request: Request<'_>,
) -> Result<Slot, Reason> {
    let element = crate::types::spelling::value_type(element);
    let recipe = scope.value(&element, request.deeper())?;
    let ty = crate::types::compose::vector(&element);
    let element = Box::new(Slot::new("element", element, recipe));
    let recipe = Kind::Sequence { element, least: *count.start(), most: *count.end() }.of(ty.clone());
    Ok(Slot::new(name, ty, recipe))
}

/// How many elements a parameter points to, where others say so.
fn buffer_length(scope: &UnitScope<'_>, params: &[Param], index: usize) -> Option<BufferLength> {
    let by = length_of(scope.lexicon(), params, index, false)?;
    let in_bytes = counts_bytes(scope.lexicon(), &params[by].name);
    Some(BufferLength { by, in_bytes, times: times_of(scope.lexicon(), params, by) })
}

/// A name that no member of a stub has, nor what counts the values given of one.
fn unused(names: &mut BTreeSet<String>, wanted: String) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    let is_free = |name: &String| !names.contains(name) && !names.contains(&format!("{name}_given"));
    let free = std::iter::once(wanted.clone()).chain(numbered).find(is_free).unwrap_or_default();
    names.extend([free.clone(), format!("{free}_given")]);
    free
}

/// What a stub writes through a parameter: numbers, text, containers and structures, which whoever calls it wants to
/// know. Objects of classes are their own masters.
fn writes(
    scope: &UnitScope<'_>,
    params: &[Param],
    index: usize,
    (prefix, names): (&str, &mut BTreeSet<String>),
    request: Request<'_>,
) -> Option<Written> {
    let (to, length) = written(scope.lexicon(), params, index, false)?;
    // The end of a range is not to be written to. How much room a buffer beside it has is known to who hands that over:
    // left as it is, all of it was read.
    let name = &params[index].name;
    let is_end = scope.lexicon().says(name, [Role::RangeEnds, Role::RangeEnd, Role::TextEnd]);
    let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten().filter_map(|at| params.get(at));
    let mut buffers = beside.filter(|other| other.ty.pointee().is_some());
    let is_room = |buffer: &Param| scope.lexicon().is_length(name, Some(&buffer.name));
    if is_end || length.is_none() && buffers.any(is_room) {
        return None;
    }
    let byte = crate::types::arithmetic::simple_type("unsigned char");
    let is_buffer = length.is_some();
    let (element, most) = match &to.kind {
        TypeKind::Void if is_buffer => (&byte, FILLED),
        // A text may be a literal.
        TypeKind::Prim(Prim::Char) if !is_buffer && params[index].ty.pointee().is_some() => return None,
        TypeKind::Prim(prim) if !matches!(prim, Prim::Int128 | Prim::UInt128) => {
            (to, if is_buffer { WRITTEN } else { ANSWERS })
        }
        TypeKind::Enum(_) => (to, if is_buffer { WRITTEN } else { ANSWERS }),
        TypeKind::Record { .. } if !is_buffer && can_be_given(scope.model, to, PARTS) => (to, 1),
        _ => return None,
    };
    let number = format!("argument{}", index + 1);
    let name = format!("{prefix}_{}", crate::types::spelling::identifier(&params[index].name, &number));
    let slot = several(scope, &unused(names, name), element, 0..=most, request).ok()?;
    Some(Written { param: index, length, slot })
}

/// How deep parts of a value are looked at.
const PARTS: usize = 4;

/// Whether a value of no information can be made, and another one given to it: numbers, text, containers and plain
/// structures of such.
fn can_be_given(model: &Model, ty: &Type, deep: usize) -> bool {
    if ty.is_const || deep == 0 {
        return false;
    }
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => true,
        TypeKind::Array(element, Some(_)) => can_be_given(model, element, deep - 1),
        TypeKind::Record { name, args, .. } if is_of_library(model, name) => {
            let copies = row(Some(model), name).is_some_and(|row| row.copies != Ability::Never && row.owner.is_none());
            let is_held = |arg: &TemplateArg| arg.ty().is_none_or(|arg| can_be_given(model, arg, deep - 1));
            copies && (is_string(name) || holds_values(model, ty) && args.iter().all(is_held))
        }
        TypeKind::Record { .. } => model.class_of(ty).is_some_and(|class| {
            let mut fields = class.fields.iter().filter(|field| !field.is_static);
            class.is_aggregate
                && class.definition.is_some()
                && is_assignable(model, class)
                && is_default_constructible(model, class)
                && fields.all(|field| can_be_given(model, &field.ty, deep - 1))
        }),
        _ => false,
    }
}

/// Whether copies of a value can be made, as a container with it needs: members and bases included.
fn can_be_copied(model: &Model, ty: &Type, deep: usize) -> bool {
    let TypeKind::Record { name, args, .. } = &ty.kind else { return !ty.is_const };
    if is_of_library(model, name) {
        let copies = row(Some(model), name).is_some_and(|row| row.copies != Ability::Never);
        return copies && args.iter().all(|arg| arg.ty().is_none_or(|arg| can_be_copied(model, arg, deep)));
    }
    let Some(class) = model.class_of(ty).filter(|class| deep > 0 && class.definition.is_some()) else { return false };
    let is_open = |function: &Function| !function.is_deleted && function.access == Some(Access::Public);
    let members = class.fields.iter().filter(|field| !field.is_static).map(|field| &field.ty);
    is_assignable(model, class)
        && class.constructors(model).filter(|made| made.is_copy_or_move).all(is_open)
        && members.chain(class.bases.iter().map(|base| &base.ty)).all(|part| can_be_copied(model, part, deep - 1))
}

/// Whether a part of it is a raw pointer: nobody knows who owns what is behind one that an answer holds.
fn holds_pointer(recipe: &Recipe) -> bool {
    let mut found = false;
    recipe.walk(&mut |part| found |= part.ty.pointee().is_some());
    found
}

fn answer(
    scope: &UnitScope<'_>,
    method: &Function,
    result: &Type,
    ancestors: &BTreeSet<Usr>,
    class: &Class,
    name: &str,
    request: Request<'_>,
) -> Result<Answer, Reason> {
    let values = |element: &Type, least: u64, most: u64| -> Result<Answer, Reason> {
        let slot = several(scope, name, element, least..=most, request)?;
        Ok(Answer::Values { slot: Box::new(slot), repeats: least > 0 })
    };
    let is_bool = |ty: &Type| matches!(ty.kind, TypeKind::Prim(Prim::Bool));
    match &result.kind {
        TypeKind::Void => Ok(Answer::Nothing),
        TypeKind::Prim(_) | TypeKind::Enum(_) => values(result, 0, ANSWERS),
        TypeKind::Pointer(to) if to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)) => {
            values(result, 0, ANSWERS)
        }
        TypeKind::Pointer(_) => Ok(Answer::Default),
        TypeKind::Record { name, .. } if is_string(name) => values(result, 0, ANSWERS),
        TypeKind::Record { .. } if may_be_nothing(scope.model, result) => {
            let holds = has_elements(scope.model, result) && can_be_copied(scope.model, result, PARTS);
            let held = if holds { several(scope, name, result, 1..=1, request).ok() } else { None };
            let held = held.filter(|slot| is_simple(&slot.recipe) && !holds_pointer(&slot.recipe));
            Ok(held.map_or(Answer::Default, |slot| Answer::Values { slot: Box::new(slot), repeats: true }))
        }
        TypeKind::Record { .. } => values(result, 1, 1),
        TypeKind::LvalueRef(to) => {
            if to.record().is_some_and(|usr| *usr == class.usr || ancestors.contains(usr)) {
                return Ok(Answer::Itself);
            }
            let is_abstract = to.record().and_then(|usr| scope.model.classes.get(usr)).is_some_and(|c| c.is_abstract);
            if is_abstract || is_bool(to) || to.pointee().is_some() {
                return Err(Reason::new(format!("`{}` hands out a reference that can't be made up", method.id)));
            }
            values(to, 1, 1)
        }
        _ => Err(Reason::new(format!("nothing can be made up for `{}` to return", method.id))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;

    fn argument(source: &str, unit: &str) -> Result<Recipe, Reason> {
        let model = read_cpp(source);
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
        crate::plan::plan_unit(&planner, &function.usr).map(|plan| plan.entries[0].args[0].recipe.clone())
    }

    #[test]
    fn an_interface_that_nothing_implements_gets_a_stub_with_its_pure_methods_and_empty_ones() {
        let source = "#include <string>\nstruct Base { virtual ~Base() = 0; virtual int size() const = 0; \
            virtual void end() = 0; };\n\
                      struct Sink : Base { void end() override {} virtual bool take(const std::string &text) = 0;\n\
                        virtual Sink &next() = 0; virtual const Base *owner() = 0; };\n\
                      int feed(Sink &sink) { return sink.take(\"a\") ? sink.size() : 0; }";
        let Kind::Stub { methods, .. } = argument(source, "feed").unwrap().kind else { panic!() };
        let kinds: Vec<String> = methods
            .iter()
            .map(|m| match &m.answer {
                Answer::Values { slot, repeats } => format!("{} {} {repeats}", slot.name, slot.ty.spelling),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(
            kinds,
            [
                "take_answers std::vector<bool> false",
                "Itself",
                "Default",
                "size_answers std::vector<int> false",
                "Nothing"
            ]
        );
    }

    #[test]
    fn an_interface_that_is_only_asked_needs_no_stub_beside_a_class_of_the_project() {
        let source = "struct Shape { virtual ~Shape(); virtual int area(int) const = 0; }; \
            struct Own : Shape { int area(int) const override; };\n\
                      int measure(Shape &shape) { return shape.area(1); }";
        assert_eq!(stubs_among(source, "measure"), [Vec::<String>::new()]);
    }

    /// The methods of each alternative: none of a real object.
    fn stubs_among(source: &str, unit: &str) -> Vec<Vec<String>> {
        let Kind::Choice { among } = argument(source, unit).unwrap().kind else { return Vec::new() };
        let methods = |slot: &Slot| match &slot.recipe.kind {
            Kind::Stub { methods, .. } => methods.iter().map(|m| m.method.clone()).collect(),
            _ => Vec::new(),
        };
        among.iter().map(methods).collect()
    }

    #[test]
    fn a_listener_that_does_nothing_has_a_stub_beside_it_that_hears() {
        let source = "struct Listener { virtual ~Listener(); virtual void on(int) = 0; }; \
            struct Deaf : Listener { void on(int) override {} };\n\
                      void tell(Listener &listener) { listener.on(1); }";
        let heard = stubs_among(source, "tell");
        assert_eq!(heard.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_stub_hears_what_a_class_need_not_override_where_nothing_is_done_and_nobody_forbids_it() {
        let source = "struct Visitor { virtual ~Visitor() {}\n\
                        virtual bool enter(int) { return true; } virtual void leave(int) { throw 1; }\n\
                        virtual void end() final {} };\n\
                      void walk(Visitor *visitor) { if (visitor->enter(1)) visitor->leave(2); }";
        let Kind::Pointer { to, .. } =
            argument(&source.replace("virtual void end() final {}", ""), "walk").unwrap().kind
        else {
            panic!()
        };
        let Kind::Choice { among } = to.recipe.kind else { panic!() };
        let Kind::Stub { methods, .. } = &among[1].recipe.kind else { panic!() };
        assert_eq!(methods.len(), 2);
        let Kind::Pointer { to, .. } = argument(source, "walk").unwrap().kind else { panic!() };
        assert!(!matches!(to.recipe.kind, Kind::Choice { .. }), "what it does is not up to subclasses alone");
    }

    #[test]
    fn nobody_derives_from_what_can_not_be_constructed() {
        let source =
            "class Sink { Sink(); public: virtual int take(int) = 0; };\nint feed(Sink &sink) { return sink.take(1); }";
        assert!(argument(source, "feed").unwrap_err().what.contains("no concrete subtype"));
    }

    #[test]
    fn a_stub_gives_its_base_what_it_asks_for_and_refuses_what_it_can_not_make_up() {
        let source = "class Id { Id(); public: int n; }; struct Base { virtual ~Base() {} \
            virtual operator const Id &() const = 0;\n\
                        virtual Base &twin() const = 0; };\n\
                      class Element : public Base { int size; public: explicit Element(int n, bool deep = false) : \
                      size(n + deep) {}\n\
                        Element(int a, int b, int c); int twice() const { return size * 2; } \
                        };\nint weigh(Element &e) { return e.twice(); }";
        let Kind::Stub { methods, args, .. } = argument(source, "weigh").unwrap().kind else { panic!() };
        let answers: Vec<&Answer> = methods.iter().map(|method| &method.answer).collect();
        assert_eq!(answers, [&Answer::Refusal, &Answer::Itself]);
        let given: Vec<&str> = args.iter().map(|slot| slot.ty.spelling.as_str()).collect();
        assert_eq!(given, ["int"]);
    }
}
