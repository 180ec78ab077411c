//! Objects that have something in them, beside those that are made of nothing.
//!
//! Factories come in several forms: `polygon(dimension)` makes an empty one, `polygon(ring)` one that has something in
//! it.
//!
//! The cheapest form asks for least, so that objects of it are shells on which every method returns at once. Where
//! another form of the same name takes text, elements or objects, the data chooses between the two: what is empty is
//! worth a try as well.

use crate::facts::text_readers::takes_text;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Access, Class, Function, FunctionKind, Model, Type, TypeKind, Usr};
use crate::plan::construction_graph::Way;
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, Yield};
use crate::types::standard::holds_elements;

/// So many fuller forms are tried.
const FORMS: usize = 3;
/// A form that costs more is too far from the arguments of the class.
const FARTHEST: u32 = 100;

/// An object of `class` from a fuller form of the factory that `made` comes from; none where there is none, or nothing
/// to choose. The class is being made, and nothing else is.
pub(in crate::plan) fn fuller(scope: &UnitScope<'_>, ty: &Type, made: &Recipe, request: Request<'_>) -> Option<Recipe> {
    let inside = request.objects_open();
    let is_shell = matches!(&made.kind, Kind::Construct { args, .. } if args.is_empty()) && inside <= 2;
    let is_form = matches!(made.kind, Kind::Factory { .. }) && inside <= 1;
    if !is_shell && !is_form {
        return None;
    }
    let said = ty
        .record()
        .and_then(|usr| scope.model.classes.get(usr))
        .is_some_and(|class| scope.overrides.makes(&class.qualified));
    if said || request.non_empty || request.without_setup {
        return None;
    }
    let ways = scope.ways(ty, false);
    let forms: Vec<_> = if let Kind::Factory { function, .. } = &made.kind {
        let empty = scope.model.functions.get(function)?;
        let mut forms: Vec<_> = ways.iter().filter_map(|(_, way)| fuller_form(scope.model, empty, way)).collect();
        forms.sort_by_key(|(form, _)| vagueness(scope.model, form));
        forms
    } else {
        let class = scope.model.classes.get(ty.record()?)?;
        let near = ways.iter().filter(|(cost, _)| *cost <= FARTHEST);
        near.filter_map(|(_, way)| maker(scope, class, way)).collect()
    };
    let mut forms = forms.into_iter().take(FORMS);
    let request = Request { non_empty: true, ..request };

    forms.find_map(|(form, yields)| scope.factory(ty, form, yields, request).ok())
}

/// Where objects of a class that can be made of nothing come from in earnest: a program from what compiles it, a
/// document from what reads it.
fn maker<'m>(scope: &UnitScope<'m>, class: &Class, way: &Way<'m>) -> Option<(&'m Function, Yield)> {
    let Way::Factory(function, yields) = way else { return None };
    let is_kin = |owner: &Usr| *owner == class.usr || scope.hierarchy.ancestors(&class.usr).contains(owner);
    let takes_itself = || function.params.iter().any(|param| mentions(&param.ty, &class.usr));
    let is_lent = match &function.result.kind {
        TypeKind::Pointer(to) => to.is_const,
        TypeKind::LvalueRef(_) => true,
        _ => false,
    };
    let in_earnest = match function.kind {
        FunctionKind::Function | FunctionKind::StaticMethod => {
            fills(scope.model, function) && !function.name.starts_with("operator")
        }
        FunctionKind::Method => {
            !function.owner.as_ref().is_some_and(is_kin) && makes_of_itself(scope.lexicon(), &function.name)
        }
        _ => false,
    };
    (in_earnest && !is_lent && !takes_itself()).then_some((*function, *yields))
}

/// Within a fuller object the parts are fuller, too: what makes an empty one goes behind its fuller form.
pub(in crate::plan) fn fuller_first<'m>(scope: &UnitScope<'m>, ways: &mut [(u32, Way<'m>)], request: Request<'_>) {
    let Some((_, Way::Factory(empty, _))) = ways.first().filter(|_| request.non_empty) else { return };
    let forms =
        ways.iter().enumerate().filter_map(|(at, (_, way))| Some((at, fuller_form(scope.model, empty, way)?.0)));
    let fullest = forms.min_by_key(|(at, form)| (vagueness(scope.model, form), *at)).map(|(at, _)| at);
    // An object that is read from text has in it whatever the text says.
    let reads = |(cost, way): &(u32, Way<'m>)| *cost <= FARTHEST && reads_text(scope.lexicon(), scope.model, way);
    if let Some(at) = fullest.or_else(|| ways.iter().position(reads)) {
        ways[..=at].rotate_right(1);
    }
}

fn mentions(ty: &Type, usr: &Usr) -> bool {
    let mut found = false;
    ty.walk(&mut |part| found |= part.record() == Some(usr));
    found
}

/// Whether a method of that name makes something new, and does not look something up in its object.
fn makes_of_itself(lexicon: &Lexicon, name: &str) -> bool {
    let works_on_a_shell = crate::facts::factories::works_on_a_shell(lexicon, name);
    works_on_a_shell && !name.starts_with("operator") || lexicon.begins(name, Role::Converts)
}

/// Whether a function parses a text, or what a text is made into as it is passed.
fn reads_text(lexicon: &Lexicon, model: &Model, way: &Way<'_>) -> bool {
    let Way::Factory(function, _) = way else { return false };
    lexicon.begins(&function.name, Role::Reads) && takes_text(model, function)
}

/// A form of the same factory that has something to put into its object, where `empty` has not.
fn fuller_form<'m>(model: &Model, empty: &Function, way: &Way<'m>) -> Option<(&'m Function, Yield)> {
    let Way::Factory(function, yields) = way else { return None };
    let is_form = function.name == empty.name && function.owner == empty.owner && function.scopes == empty.scopes;
    (is_form && !fills(model, empty) && fills(model, function)).then_some((function, *yields))
}

/// Whether a function takes text, elements, or objects.
fn fills(model: &Model, function: &Function) -> bool {
    function.params.iter().any(|param| {
        let mut found = false;
        param.ty.walk(&mut |ty| {
            let of_project =
                ty.record().and_then(|usr| model.classes.get(usr)).is_some_and(|class| class.definition.is_some());
            found |= of_project || holds_elements(model, ty);
        });
        found
    })
}

/// How little a form says of what it takes: elements of classes that can be made as they are, then objects of such,
/// then anything of a kind.
fn vagueness(model: &Model, function: &Function) -> u32 {
    let mut vague = 2;
    for param in &function.params {
        let (mut elements, mut is_abstract) = (false, false);
        param.ty.walk(&mut |ty| {
            elements |= holds_elements(model, ty);
            is_abstract |= ty.record().and_then(|usr| model.classes.get(usr)).is_some_and(|class| class.is_abstract);
        });
        vague = vague.min(if is_abstract { 2 } else { u32::from(!elements) });
    }
    vague
}

/// Whether objects of the class can be made of elements.
pub(in crate::plan) fn takes_elements(model: &Model, ty: &Type) -> bool {
    let class = ty.record().and_then(|usr| model.classes.get(usr));
    let open = |ctor: &&Function| ctor.access == Some(Access::Public) && !ctor.is_deleted;
    class.is_some_and(|class| {
        class
            .constructors(model)
            .filter(open)
            .any(|ctor| ctor.params.iter().any(|param| holds_elements(model, param.ty.without_ref())))
    })
}
