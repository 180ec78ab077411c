//! Template arguments that need no unit: those that the project uses, and the simplest.

use crate::lexicon::{Lexicon, Role};
use crate::model::{
    Access, Class, Enum, Function, Model, TemplateArg, TemplateParam, TemplateParamKind, Type, TypeKind, Usr,
};
use crate::types::records::{is_dependent, outer_template, params_of};
use crate::types::substitution::Substitution;
use std::collections::BTreeMap;
use std::path::Path;

/// Class templates with the arguments that they are specialised for.
pub type Specialized<'m> = BTreeMap<&'m Usr, Vec<&'m [TemplateArg]>>;

/// The template arguments of the class that a unit belongs to, and its own; each with the template that it
/// is for. None where the template has no parameters, or a person has said what stands for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chosen {
    pub(super) of: Option<(Usr, Vec<TemplateArg>)>,
    pub(super) own: Option<(Usr, Vec<TemplateArg>)>,
}

impl Chosen {
    /// The arguments of a template, if it is one of the two.
    pub fn of(&self, template: &Usr) -> Option<&Vec<TemplateArg>> {
        self.of.iter().chain(&self.own).find(|(usr, _)| usr == template).map(|(_, args)| args)
    }
}

/// By the header that a template stands in and its parameter's name: what stands for it, and how often.
pub(super) type Namesakes<'m> = BTreeMap<(&'m Path, &'m str), BTreeMap<&'m Type, usize>>;

pub(super) fn namesakes(model: &Model) -> Namesakes<'_> {
    let mut found = Namesakes::default();
    let classes = model
        .classes
        .values()
        .filter_map(|class| Some((&class.usr, class.definition.as_ref()?.file.as_path(), class.template.as_deref()?)));
    let functions = model.functions.values().filter_map(|function| {
        let at = function.definition.as_ref()?;
        Some((&function.usr, at.extent.file.as_path(), function.template.as_deref()?))
    });
    for (usr, file, params) in classes.chain(functions) {
        for args in
            known(model, usr).filter(|args| args.len() == params.len() && !params.iter().any(TemplateParam::is_pack))
        {
            for (param, arg) in params.iter().zip(args) {
                // `T` means something else each time.
                if let TemplateArg::Type(ty) = arg
                    && param.name.len() > 2
                    && !is_dependent(arg)
                {
                    *found.entry((file, param.name.as_str())).or_default().entry(ty).or_default() += 1;
                }
            }
        }
    }
    found
}

/// The lists that the project uses a template with: first those that somebody wrote down.
pub(super) fn known<'m>(model: &'m Model, template: &Usr) -> impl Iterator<Item = &'m Vec<TemplateArg>> {
    let written = model.instantiations.get(template).into_iter().flatten();
    written.chain(model.inner_instantiations.get(template).into_iter().flatten())
}

/// Arguments for a constructor template of the class that `with` has the parameters of: those that the project uses it
/// with or, where the class has no other constructor, places in text for what is called an iterator. None for a plain
/// constructor.
pub(super) fn of_constructor(
    lexicon: &Lexicon,
    model: &Model,
    constructor: &Function,
    with: &Substitution,
) -> Option<Vec<TemplateArg>> {
    if let Some(first) = used_with(model, constructor, with).first() {
        return Some((*first).clone());
    }
    let params = constructor.template.as_deref().filter(|params| are_deduced(constructor, params))?;
    let class = model.classes.get(constructor.owner.as_ref()?)?;
    let is_of_template = !params_of(model, class).is_empty();
    let is_another = |other: &Function| {
        other.template.is_none() && !other.is_copy_or_move && !other.is_deleted && other.access == Some(Access::Public)
    };
    let open: Vec<&TemplateParam> = params.iter().filter(|param| param.default.is_none()).collect();
    let places = open.iter().all(|param| {
        param.kind == TemplateParamKind::Type && !param.is_pack() && lexicon.says(&param.name, Role::Iterator)
    });
    let is_guessed = places && !open.is_empty() && !is_of_template && !class.constructors(model).any(is_another);
    is_guessed.then(|| open.iter().map(|param| TemplateArg::Type(simplest_type(lexicon, &param.name))).collect())
}

/// The lists of arguments that the project uses a constructor template with, each once.
pub(super) fn used_with<'m>(
    model: &'m Model,
    constructor: &Function,
    with: &Substitution,
) -> Vec<&'m Vec<TemplateArg>> {
    let params = constructor.template.as_deref().filter(|params| are_deduced(constructor, params));
    let class = constructor.owner.as_ref().and_then(|owner| model.classes.get(owner));
    let (Some(params), Some(class)) = (params, class) else { return Vec::new() };
    let used = model.used_of.get(&constructor.usr).into_iter().flatten();
    // Which arguments went with which of the class's is known where there was no choice.
    let is_seen = params_of(model, class).is_empty()
        || used.clone().count() == 1 && used.clone().all(|of| with.is_for(&params_of(model, class), of));
    let is_itself =
        |arg: &TemplateArg| matches!(arg, TemplateArg::Type(ty) if ty.without_ref().record() == Some(&class.usr));
    let usable = |args: &&Vec<TemplateArg>| {
        crate::types::packs::fits(params, args.len(), true) && !args.iter().any(|a| is_dependent(a) || is_itself(a))
    };
    let mut found: Vec<&Vec<TemplateArg>> = Vec::new();
    for list in known(model, &constructor.usr).filter(|_| is_seen).filter(usable) {
        if !found.contains(&list) {
            found.push(list);
        }
    }
    found
}

/// The default of a template parameter, if it depends on no other.
pub(super) fn said(model: &Model, param: &TemplateParam) -> Option<Type> {
    Substitution::none(model).resolved(param.default.as_deref()?)
}

/// A value for a parameter where nobody says more: its default, the first enumerator, or a small number.
pub(super) fn simplest_value(model: &Model, param: &TemplateParam) -> TemplateArg {
    // One that other parameters are part of means nothing elsewhere.
    let is_known = |text: &str| {
        let is_it = |name: &String| name == text;
        let is_constant = || model.variables.values().any(|variable| is_it(&variable.qualified));
        let is_enumerator = || model.enums.values().any(|all| all.enumerators.iter().any(|(name, _)| is_it(name)));
        let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(char::is_alphanumeric);
        is_number || text == "false" || is_constant() || is_enumerator()
    };
    let default = || param.default.clone().filter(|text| is_known(text));
    let declared = param.text.split('=').next().unwrap_or_default().trim();
    let ty = declared.strip_suffix(param.name.as_str()).unwrap_or(declared).trim();
    // The only enumeration of that name.
    let enumerator = || {
        let is_named = |known: &&Enum| known.qualified == ty || known.qualified.ends_with(&format!("::{ty}"));
        let mut all = model.enums.values().filter(|_| !ty.is_empty()).filter(is_named);
        let (only, None) = (all.next()?, all.next()) else { return None };
        only.enumerators.first().map(|(name, _)| name.clone())
    };
    let number = || if ty == "bool" { "true" } else { "4" }.to_owned();
    TemplateArg::Value(default().or_else(enumerator).unwrap_or_else(number))
}

/// Whether the arguments of a call say what the template's are.
pub(super) fn are_deduced(function: &Function, params: &[TemplateParam]) -> bool {
    params.iter().filter(|param| param.default.is_none()).all(|param| {
        let mut found = false;
        for taken in &function.params {
            taken.ty.walk(&mut |ty| {
                found |= match &ty.kind {
                    TypeKind::Dependent(name) if name.ends_with("...") => crate::types::packs::names(name, &param.name),
                    TypeKind::Dependent(name) => *name == param.name,
                    _ => false,
                }
            });
        }
        found
    })
}

/// The type for a parameter of that name where nobody says more: a number, a character, or a pointer to some.
pub(super) fn simplest_type(lexicon: &Lexicon, name: &str) -> Type {
    if lexicon.says(name, Role::Character) {
        return crate::types::arithmetic::simple_type("char");
    }
    if !lexicon.says(name, Role::Iterator) {
        return crate::types::arithmetic::simple_type("int");
    }
    // The target of a write must not be const.
    let is_const = !lexicon.says(name, Role::Output);
    let plain = crate::types::arithmetic::simple_type("char");
    let spelling = if is_const { "const char" } else { "char" };
    let to = Type { spelling: spelling.into(), is_const, ..plain };
    let spelling = format!("{spelling} *");
    Type { spelling, is_const: false, kind: crate::model::TypeKind::Pointer(Box::new(to)), size: Some(8) }
}

/// The arguments of a class template: those of the first instantiation in the project, else `int` for types (a pointer
/// for what is called an iterator) and 4 for values. Empty for a plain class.
pub(super) fn usual_args(
    lexicon: &Lexicon,
    model: &Model,
    specialized: &Specialized<'_>,
    class: &Class,
) -> Option<Vec<TemplateArg>> {
    if class.template.is_none() {
        return match outer_template(model, class) {
            Some(outer) => usual_args(lexicon, model, specialized, outer),
            None => Some(Vec::new()),
        };
    }
    // A specialisation has another body than the template.
    let special = specialized.get(&class.usr);
    let is_special = |args: &[TemplateArg]| special.is_some_and(|all| all.contains(&args));
    let mut known = known(model, &class.usr);
    if let Some(args) = known.find(|args| !args.iter().any(is_dependent) && !is_special(args)) {
        return Some(args.clone());
    }
    // Other arguments select a partial specialisation.
    if class.specializes.is_some() {
        return None;
    }
    let of_base = of_bases(model, specialized, class);
    let all: Option<Vec<TemplateArg>> = params_of(model, class)
        .into_iter()
        .map(|param| match param.kind {
            _ if of_base.contains_key(param.name.as_str()) => {
                of_base.get(param.name.as_str()).map(|arg| (*arg).clone())
            }
            crate::model::TemplateParamKind::Type => {
                let said = said(model, param);
                Some(TemplateArg::Type(said.unwrap_or_else(|| simplest_type(lexicon, &param.name))))
            }
            crate::model::TemplateParamKind::Value => Some(simplest_value(model, param)),
            crate::model::TemplateParamKind::Template => None,
        })
        .collect();
    // A partial specialisation that they select is another class.
    all.filter(|args| model.selected(&class.usr, args).is_none())
}

/// What stands for the parameters of a template that derives from another (`class Checked<T> : List<T>`), where the
/// project uses that one: its members are meant for such types.
fn of_bases<'m>(
    model: &'m Model,
    specialized: &Specialized<'_>,
    class: &'m Class,
) -> BTreeMap<&'m str, &'m TemplateArg> {
    let mut found = BTreeMap::new();
    for base in &class.bases {
        let TypeKind::Record { usr, args, .. } = &base.ty.kind else { continue };
        let special = specialized.get(usr);
        let usable = |known: &&Vec<TemplateArg>| {
            let is_special = special.is_some_and(|all| all.contains(&known.as_slice()));
            known.len() == args.len() && !known.iter().any(is_dependent) && !is_special
        };
        let Some(known) = known(model, usr).find(usable) else { continue };
        for (param, arg) in args.iter().zip(known) {
            if let TemplateArg::Type(Type { kind: TypeKind::Dependent(name), .. }) = param {
                found.entry(name.as_str()).or_insert(arg);
            }
        }
    }
    found
}
