//! Calls as a person would write them: of the unit, of what sets objects up, of factories.

use super::exact;
use super::writer::{Lowering, Made};
use crate::cpp::{self, print, raw};
use crate::generate::literal;
use crate::model::{Function, FunctionKind, Language, TypeKind};
use crate::plan::{Entry, Kind, Recipe, StubMethod};
use proc_macro2::TokenStream;

/// Whether every object that the recipe makes has an overrider of the function.
fn is_always_overridden(lowering: &Lowering<'_>, function: &Function, recipe: &Recipe) -> bool {
    if !function.is_virtual || function.kind != FunctionKind::Method {
        return false;
    }
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Construct { .. } | Kind::Factory { .. } | Kind::Mined { .. } => {
            let class = lowering.model.class_of(ty);
            class.is_some_and(|class| overrides(lowering, class, function))
        }
        Kind::SetUp { object, .. } | Kind::Then { object, .. } => {
            is_always_overridden(lowering, function, &object.recipe)
        }
        Kind::Choice { among, .. } => among.iter().all(|slot| is_always_overridden(lowering, function, &slot.recipe)),
        _ => false,
    }
}

/// Whether the object that the recipe makes is of a subclass with a method of that name, which is found first. Every
/// class has an assignment of its own.
fn is_hidden(lowering: &Lowering<'_>, function: &Function, recipe: &Recipe) -> bool {
    let of = match &recipe.kind {
        Kind::SetUp { object, .. } | Kind::Then { object, .. } => {
            return is_hidden(lowering, function, &object.recipe);
        }
        Kind::Choice { among, .. } if among.len() == 1 || !lowering.from_input() => {
            return among.iter().any(|slot| is_hidden(lowering, function, &slot.recipe));
        }
        // The methods of a stub hide the interface's other methods of that name.
        Kind::Stub { methods, .. } => {
            let name = |stub: &StubMethod| lowering.model.functions.get(&stub.method).map(|method| &method.name);
            return function.name == "operator=" || methods.iter().any(|stub| name(stub) == Some(&function.name));
        }
        _ => recipe.ty.record(),
    };
    of.and_then(|usr| lowering.model.classes.get(usr)).is_some_and(|class| hides(lowering, class, function))
}

/// Whether the class, or a base between it and the function's owner, has another method of that name.
fn hides(lowering: &Lowering<'_>, class: &crate::model::Class, function: &Function) -> bool {
    if function.owner.as_ref() == Some(&class.usr) {
        return false;
    }
    let mut methods = class.functions(lowering.model);
    let mut bases = class.other_bases().filter_map(|base| lowering.model.class_of(&base.ty));
    function.name == "operator="
        || methods.any(|method| method.name == function.name && !method.overrides.contains(&function.usr))
        || bases.any(|base| hides(lowering, base, function))
}

/// Whether the class, or a base of it that has the function from its owner, overrides it.
fn overrides(lowering: &Lowering<'_>, class: &crate::model::Class, function: &Function) -> bool {
    let mut methods = class.functions(lowering.model);
    let mut bases = class.other_bases().filter_map(|base| lowering.model.class_of(&base.ty));
    methods.any(|method| method.overrides.contains(&function.usr))
        || bases.any(|base| overrides(lowering, base, function))
}

/// A call of a function as a person would write it.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// Where it is written.
    pub lowering: &'c Lowering<'c>,
    /// The function.
    pub function: &'c Function,
    /// The way into the unit that it is.
    pub entry: &'c Entry,
    /// The object that it is called on.
    pub object: Option<&'c Made>,
    /// The expression that is called instead of the function's name, if any.
    pub target: Option<&'c str>,
}

impl Call<'_> {
    /// Its text, with these arguments.
    pub fn with(self, made: &[Made]) -> String {
        // A function under test goes by its very address mostly.
        let overloaded = Some(&self.function.usr).filter(|_| self.target.is_none());
        let mut args = exact::pass_to(self.lowering, overloaded, &self.entry.args, made);
        if self.lowering.is_c() && !self.lowering.from_input() {
            // (The type of what follows `...` is that of the literal.)
            let least = crate::plan::variadic::list_at(self.function).unwrap_or(self.function.params.len());
            for (slot, arg) in self.entry.args.iter().zip(&mut args).skip(least) {
                let number = print(arg).parse::<i128>().ok();
                if let (TypeKind::Prim(prim), Some(number)) = (&slot.ty.kind, number) {
                    *arg = raw(literal::integer(number, *prim));
                }
            }
        }
        match crate::plan::variadic::list_at(self.function).filter(|at| *at <= args.len()) {
            Some(at) => self.with_list(&args[..at], &args[at..]),
            None => self.plain(&args),
        }
    }

    /// The call of a function that takes a `va_list`, which only a function with `...` can make.
    fn with_list(self, fixed: &[TokenStream], listed: &[TokenStream]) -> String {
        let Self { lowering, function, entry, target, .. } = self;
        if lowering.language == Language::C {
            let callee = raw(target.unwrap_or(&function.qualified));
            let args: Vec<_> = [callee].iter().chain(fixed).chain(listed).cloned().collect();
            return print(&cpp::call(raw(crate::generate::variadic_callbacks::WITH_LIST), &args));
        }
        let with: Vec<_> = fixed.iter().cloned().chain([raw("va_arguments")]).collect();
        let inner = self.plain(&with);
        let listed: Vec<String> = listed.iter().map(print).collect();
        let returns = entry.result.as_ref().map(|ty| lowering.ty(ty));
        let arrow = returns.as_ref().map(|ty| format!(" -> {ty}")).unwrap_or_default();
        let (keep, give) = match &returns {
            Some(ty) => (format!("{} = ", crate::cpp::declare(ty, "result")), "return result; "),
            None => (String::new(), ""),
        };
        format!(
            "[&](int va_count, ...){arrow} {{ va_list va_arguments; va_start(va_arguments, va_count); {keep}{inner}; \
         va_end(va_arguments); {give}}}({}, {})",
            listed.len(),
            listed.join(", ")
        )
    }

    /// The call with arguments that are there.
    fn plain(self, args: &[TokenStream]) -> String {
        let Self { lowering, function, entry, object, target } = self;
        if let Some(target) = target {
            return print(&cpp::call(raw(target), args));
        }
        let hidden = entry.object.as_ref().is_some_and(|slot| is_hidden(lowering, function, &slot.recipe));
        let constant = object.filter(|_| has_twin_that_is_not_const(lowering, function)).and_then(|object| {
            let class = lowering.spell(&entry.class.as_ref()?.spelling);
            Some(Made::expression(format!("static_cast<const {class} &>({})", object.object)))
        });
        let object = constant.as_ref().or(object);
        match (function.kind, object) {
            (FunctionKind::Conversion, Some(object)) => {
                let to = entry.result.as_ref().unwrap_or(&function.result);
                format!("static_cast<{}>({})", lowering.ty(to), object.object)
            }
            (FunctionKind::Method, Some(object)) if function.name.starts_with("operator") && !hidden => {
                operator(function, object, args)
            }
            (_, Some(object)) => {
                let name = entry.with_arguments(&function.name);
                // The class of the object is a driver's template parameter.
                let dependent = name != function.name && lowering.from_input();
                let name = if dependent { format!("template {name}") } else { name };
                let name = match (&entry.class, &entry.object) {
                    // Else the call would never come to the function's own body.
                    (Some(class), Some(slot)) if hidden || is_always_overridden(lowering, function, &slot.recipe) => {
                        lowering.spell(&format!("{}::{name}", class.spelling))
                    }
                    _ => lowering.member(&name),
                };
                print(&cpp::call(object.member(&name), args))
            }
            (FunctionKind::StaticMethod, None) => {
                let class = entry.class.as_ref().map(|class| lowering.spell(&class.spelling)).unwrap_or_default();
                let name = lowering.member(&entry.with_arguments(&function.name));
                let dependent = name != function.name && lowering.from_input();
                let keyword = if dependent { "template " } else { "" };
                print(&cpp::call(raw(format!("{class}::{keyword}{name}")), args))
            }
            (FunctionKind::Function, None) if function.operator_symbol().is_some() => {
                let list: Vec<String> = args.iter().map(print).collect();
                let symbol = function.operator_symbol().unwrap_or_default();
                if let [only] = list.as_slice() { format!("{symbol}{only}") } else { list.join(&format!(" {symbol} ")) }
            }
            // Only its arguments lead to it.
            (_, None) if entry.by_arguments => print(&cpp::call(raw(function.name.clone()), args)),
            (_, None) => print(&cpp::call(raw(lowering.spell(&entry.with_arguments(&function.qualified))), args)),
        }
    }
}

/// Of two overloads that differ in `const` alone an object that is not const picks the other one.
fn has_twin_that_is_not_const(lowering: &Lowering<'_>, function: &Function) -> bool {
    let Some(class) = function.owner.as_ref().filter(|_| function.is_const).and_then(|o| lowering.model.classes.get(o))
    else {
        return false;
    };
    let types = |f: &Function| f.params.iter().map(|p| p.ty.spelling.clone()).collect::<Vec<_>>();
    class.functions(lowering.model).any(|other| {
        other.name == function.name && !other.is_const && !other.is_deleted && types(other) == types(function)
    })
}

/// A method operator the way it is written between its operands.
pub(super) fn operator(function: &Function, object: &Made, args: &[TokenStream]) -> String {
    let symbol = function.name.trim_start_matches("operator").trim();
    let of = if object.by_pointer { format!("({})", object.object) } else { object.object.clone() };
    let list: Vec<String> = args.iter().map(print).collect();
    match (symbol, list.as_slice()) {
        ("()", _) => format!("{of}({})", list.join(", ")),
        ("[]", [index]) => format!("{of}[{index}]"),
        ("++" | "--", [_]) => format!("{of}{symbol}"),
        ("->", []) => format!("{of}.operator->()"),
        (_, []) => format!("{symbol}{of}"),
        (_, [right]) if symbol.chars().all(|c| c.is_ascii_punctuation()) => format!("{of} {symbol} {right}"),
        _ => format!("{of}.{}({})", function.name, list.join(", ")),
    }
}
