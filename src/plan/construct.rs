//! Construction search: the cheapest way to an object that is no empty shell, over constructors, static and
//! free factories, and methods of objects that can be had. What ways there are, and their costs, is `ways`'.

use super::values::Planner;
use super::{Kind, Reason, Recipe, Slot, Yield};
use crate::lexicon::{Lexicon, Role};
use crate::model::{Access, Class, Function, FunctionKind, Model, TemplateArg, Type, TypeKind, Usr};
use crate::plan::construction_graph::{NEVER, Specialized, Way};
use crate::plan::non_empty::takes_elements;
use crate::types::records::{is_below, is_dependent, outer_template, params_of, record_type};
use crate::types::spelling::{value_type, variable};
use crate::types::substitution::Substitution;
use std::path::Path;

/// The most concrete subtypes that one parameter chooses among.
const ALTERNATIVES: usize = 8;
/// The most ways to one object that are tried: the cost says that the first can be gone.
const WAYS: usize = 4;
/// The most instantiations of one class template that are made within one another.
const NESTED: usize = 4;
/// The most things that are said to stand in the way.
const REASONS: usize = 3;

/// So far up a base is looked for.
const DEEPEST_BASE: usize = 4;

impl<'m> Planner<'m> {
    /// An object of class `ty`, or of a concrete subtype.
    ///
    /// # Errors
    /// Why there is no way to one.
    pub fn object(&self, ty: &Type, depth: usize) -> Result<Recipe, Reason> {
        let TypeKind::Record { usr, name, .. } = &ty.kind else {
            return Err(Reason::new(format!("`{}` is not a class", ty.spelling)));
        };
        let class = &self.model.classes[usr];
        if let Some(recipe) = self.installed(ty, class, depth) {
            return Ok(recipe);
        }
        if let Some(named) = self.overrides.subtypes_for(&class.qualified, &self.unit.borrow()) {
            self.overridden.set(true);
            return self.subtypes(ty, &named.iter().filter_map(|n| self.named_type(n)).collect::<Vec<_>>(), depth);
        }
        if class.is_abstract {
            let mut concrete = self.hierarchy.concrete_subtypes(usr);
            concrete.retain(|usr| self.model.classes.get(usr).is_some_and(|sub| is_below(self.model, sub, ty)));
            let stub = || self.stub(ty, class, depth);
            if concrete.is_empty() {
                // What one of its own methods hands out is had from a stub in the first place.
                let ways = self.ways.borrow_mut().to(ty, self.source.get(), false);
                let made = match ways.first() {
                    Some((_, Way::Stub)) => stub().or_else(|_| self.concrete(ty, class, depth)),
                    _ => self.concrete(ty, class, depth).or_else(|_| stub()),
                };
                if let Ok(recipe) = made {
                    return Ok(recipe);
                }
                return Err(Reason::new(format!("`{name}` is abstract and the project has no concrete subtype"))
                    .needs(format!("subtypes.{name}")));
            }
            let types: Vec<Type> = concrete.iter().filter_map(|usr| self.class_type(usr)).collect();
            return self
                .subtypes(ty, &types, depth)
                .or_else(|reason| self.concrete(ty, class, depth).or_else(|_| stub()).map_err(|_| reason))
                .map_err(|reason| Reason { needs: vec![format!("subtypes.{name}")], ..reason });
        }
        self.concrete(ty, class, depth).or_else(|reason| {
            // What only subclasses may construct is constructed by one.
            let made = if super::stubs::is_for_subclasses(self.model, class) {
                self.stub(ty, class, depth)
            } else {
                Err(reason.clone())
            };
            made.map_err(|_| reason)
        })
    }

    /// One of several subtypes, by the data; the further inside, the fewer, and those the cheapest.
    fn subtypes(&self, base: &Type, concrete: &[Type], depth: usize) -> Result<Recipe, Reason> {
        let most = match self.open.borrow().len() {
            0 => ALTERNATIVES,
            1 => 3,
            _ => 1,
        };
        let source = self.source.get();
        let mut possible: Vec<(u32, &Type)> =
            concrete.iter().map(|ty| (self.ways.borrow_mut().cost_of(ty, source), ty)).collect();
        if possible.len() > most {
            possible.sort_by_key(|(cost, ty)| (self.full.get() && !takes_elements(self.model, ty), *cost));
        }
        let mut among = Vec::new();
        let mut failed = Vec::new();
        for (cost, ty) in possible {
            let TypeKind::Record { usr, .. } = &ty.kind else { continue };
            if among.len() == most || cost == NEVER && !(among.is_empty() && failed.len() < REASONS) {
                continue;
            }
            let class = &self.model.classes[usr];
            // Only declared, it is no subtype of anything, even where a function hands it out.
            let made =
                if self.in_reach(class) { self.concrete(ty, class, depth + 1) } else { Err(self.out_of_reach(class)) };
            match made {
                Ok(recipe) => {
                    among.push(Slot { name: variable(&ty.spelling), ty: ty.clone(), recipe, nullable: false })
                }
                Err(reason) => failed.push(format!("{}: {}", ty.spelling, reason.what)),
            }
        }
        if among.is_empty() {
            return Err(Reason::new(format!(
                "no concrete subtype of `{}` can be constructed ({})",
                base.spelling,
                failed.join("; ")
            )));
        }
        Ok(Kind::Choice { among }.of(value_type(base)))
    }

    /// The class as a type; a template gets arguments that the project uses, or the simplest.
    pub fn class_type(&self, usr: &Usr) -> Option<Type> {
        let class = self.model.classes.get(usr)?;
        let args = self.template_args(class)?;
        Some(record_type(self.model, class, args))
    }

    /// Arguments for a class template: an override's, those of the first instantiation in the project, else `int`
    /// for types and 4 for values. Empty for a plain class.
    pub fn template_args(&self, class: &Class) -> Option<Vec<TemplateArg>> {
        if class.template.is_none() {
            return match outer_template(self.model, class) {
                Some(outer) => self.template_args(outer),
                None => Some(Vec::new()),
            };
        }
        if let Some(named) = self.overrides.template_args_for(&class.qualified, &self.unit.borrow()) {
            self.overridden.set(true);
            return Some(named.iter().map(|text| self.named_argument(text)).collect());
        }
        if let Some(args) = self.chosen.borrow().of(&class.usr) {
            return Some(args.clone());
        }
        usual_args(self.lexicon(), self.model, self.ways.borrow().specialized(), class)
    }

    fn named_argument(&self, text: &str) -> TemplateArg {
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'') || text == "true" || text == "false"
        {
            return TemplateArg::Value(text.to_owned());
        }
        TemplateArg::Type(self.named_type(text).unwrap_or_else(|| crate::types::arithmetic::simple_type(text)))
    }

    /// A type by the name that a person wrote.
    pub fn named_type(&self, text: &str) -> Option<Type> {
        let text = text.trim();
        let (name, args) = match text.split_once('<') {
            Some((name, rest)) => (name.trim(), Some(rest.strip_suffix('>')?)),
            None => (text, None),
        };
        if let Some(class) = self.model.class_named(name) {
            let args = match args {
                Some(args) => {
                    crate::types::spelling::split_arguments(args).iter().map(|a| self.named_argument(a)).collect()
                }
                None => self.template_args(class)?,
            };
            return Some(record_type(self.model, class, args));
        }
        if let Some(found) = self.model.enums.values().find(|e| e.qualified == name) {
            let kind = TypeKind::Enum(found.usr.clone());
            return Some(Type { spelling: found.qualified.clone(), is_const: false, kind, size: None });
        }
        if let Some(alias) = self.model.aliases.values().find(|a| a.qualified == name) {
            return Some(alias.target.clone());
        }
        crate::types::arithmetic::primitive(text)
    }

    fn concrete(&self, ty: &Type, class: &'m Class, depth: usize) -> Result<Recipe, Reason> {
        if self.is_underway(ty, class) {
            return Err(Reason::new(format!("making a `{}` needs another one", class.qualified)));
        }
        let only_declared = || {
            Reason::new(format!("`{}` is only declared, and no function yields one that can be had", class.qualified))
                .needs(format!("construct.{}", class.qualified))
        };
        let in_reach = self.in_reach(class);
        if !in_reach && self.ways.borrow_mut().to(ty, self.source.get(), true).is_empty() {
            return Err(self.out_of_reach(class));
        }
        if self.others.get() == 0
            && let Some(recipe) = self.own_iterator(ty, class, depth)
        {
            return Ok(recipe);
        }
        self.open.borrow_mut().push(class.usr.clone());
        self.instances.borrow_mut().push(ty.spelling.clone());
        let best = self.cheapest(ty, class, depth);
        let fuller = best.as_ref().ok().and_then(|made| self.fuller(ty, made, depth));
        self.instances.borrow_mut().pop();
        self.open.borrow_mut().pop();
        match best {
            Ok(recipe) if class.definition.is_some() => {
                let made = self.prepared(recipe, class)?;
                Ok(match fuller {
                    Some(fuller) => crate::plan::option_structs::either(ty, made, fuller),
                    None => made,
                })
            }
            Err(_) if class.definition.is_none() => Err(only_declared()),
            other => other,
        }
    }

    /// Whether an object of this type is being made already. Of a template, one instantiation may need another: a handle to
    /// what is made of handles to something else.
    fn is_underway(&self, ty: &Type, class: &Class) -> bool {
        let of_class = self.open.borrow().iter().filter(|usr| **usr == class.usr).count();
        let is_plain = class.template.is_none() || self.instances.borrow().contains(&ty.spelling);
        of_class > if is_plain { 0 } else { NESTED }
    }

    fn out_of_reach(&self, class: &Class) -> Reason {
        let file = class.definition.as_ref().and_then(|extent| extent.file.file_name()).unwrap_or_default();
        Reason::new(format!("`{}` is {}'s own", class.qualified, file.to_string_lossy()))
    }

    fn cheapest(&self, ty: &Type, class: &'m Class, depth: usize) -> Result<Recipe, Reason> {
        let TypeKind::Record { args, .. } = &ty.kind else { unreachable!("only classes are constructed") };
        let with = Substitution::of(self.model, class, args);
        if let Some(recipe) = self.overridden_construction(ty, class, &with)? {
            return Ok(recipe);
        }
        let ways = self.ways.borrow_mut().to(ty, self.source.get(), self.service.take());
        let mut failed: Vec<String> = Vec::new();
        let mut direct: Vec<_> = ways
            .into_iter()
            .filter(|(_, way)| matches!(way, Way::Constructor(_) | Way::Factory(..) | Way::Derived(_)))
            .collect();
        // What the unit itself is called with; what that is made of stays.
        let others = if self.open.borrow().len() == 1 { self.others.get() } else { 0 };
        if others > 0 && direct.len() > others {
            direct.drain(..others);
            self.went_otherwise.set(true);
        }
        self.fuller_first(&mut direct);
        let direct = direct.into_iter();
        for (_, way) in direct.take(WAYS) {
            let (name, made) = match way {
                Way::Constructor(None) => {
                    let kept = crate::facts::factories::is_kept(self.model, class);
                    return Ok(Kind::Construct { constructor: None, args: Vec::new(), kept }.of(value_type(ty)));
                }
                Way::Constructor(Some(ctor)) => {
                    let own = crate::plan::template_arguments::of_constructor(self.lexicon(), self.model, ctor, &with)
                        .unwrap_or_default();
                    let made =
                        self.params(&ctor.params, &with.clone().and(ctor, Some(class), &own), None).map(|mut args| {
                            self.hand_over(ty, &mut args);
                            Kind::Construct {
                                constructor: Some(ctor.usr.clone()),
                                args,
                                kept: crate::facts::factories::is_kept(self.model, class),
                            }
                            .of(value_type(ty))
                        });
                    (format!("constructor {}", signature(ctor)), made)
                }
                Way::Factory(function, yields) => {
                    (function.qualified.clone(), self.factory(ty, function, yields, depth))
                }
                Way::Derived(derived) => {
                    let made = self.object(&derived, depth + 1).map(|recipe| {
                        let name = variable(&derived.spelling);
                        let args = vec![Slot { name, ty: derived.clone(), recipe, nullable: false }];
                        Kind::Construct { constructor: None, args, kept: false }.of(value_type(ty))
                    });
                    (derived.spelling.clone(), made)
                }
                Way::Subtype(_) | Way::Stub | Way::Fields | Way::Said => continue,
            };
            match made {
                Ok(recipe) => return Ok(recipe),
                Err(reason) => failed.push(format!("{name}: {}", reason.what)),
            }
        }
        if failed.is_empty() {
            failed = self.obstacles(class, &with);
        }
        if let Some(recipe) = self.by_hidden_constructor(ty, class, &with) {
            return Ok(recipe);
        }
        let tried = if failed.is_empty() { "no public constructor or factory".to_owned() } else { failed.join("; ") };
        Err(Reason::new(format!("no `{}` can be constructed: {tried}", class.qualified))
            .needs(format!("construct.{}", class.qualified)))
    }

    /// For an instantiation of a base that is told its derived class (`Shape<Square>`, of which `Square` is one): that class, where it is one
    /// that derives so and is not abstract. The base alone is no object that its own code could work on.
    pub(super) fn derived_from_itself(&self, ty: &Type) -> Option<Type> {
        let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
        let arguments = args.iter().filter_map(|arg| match arg {
            TemplateArg::Type(ty) => Some(ty),
            TemplateArg::Value(_) => None,
        });
        arguments.filter(|derived| derived.record().is_some_and(|own| own != usr)).find_map(|derived| {
            let class = self.model.classes.get(derived.record()?)?;
            (!class.is_abstract && self.has_base(derived, &ty.canonical(), 0)).then(|| value_type(derived))
        })
    }

    fn has_base(&self, ty: &Type, base: &str, depth: usize) -> bool {
        let TypeKind::Record { usr, args, .. } = &ty.kind else { return false };
        let Some(class) = self.model.classes.get(usr).filter(|_| depth < DEEPEST_BASE) else { return false };
        let with = Substitution::of(self.model, class, args);
        let mut bases = class.bases.iter().map(|base| with.apply(&base.ty));
        bases.any(|of| of.canonical() == base || self.has_base(&of, base, depth + 1))
    }

    /// What the constructor of a handle is given for it to lead to is the handle's from then on.
    fn hand_over(&self, ty: &Type, args: &mut [Slot]) {
        let Some(to) = crate::facts::handles::target(self.model, ty) else { return };
        for slot in args.iter_mut().filter(|slot| crate::facts::handles::takes_over(&slot.ty, &to)) {
            // Whether it leads nowhere is the handle's own matter.
            slot.nullable = false;
            if let Kind::Pointer { given, to, .. } = &mut slot.recipe.kind
                && is_new(self.model, &to.recipe)
            {
                *given = true;
            }
        }
    }

    /// What stands in the way of each constructor; further inside of the first alone.
    fn obstacles(&self, class: &'m Class, with: &Substitution) -> Vec<String> {
        let most = if self.open.borrow().len() > 1 { 1 } else { REASONS };
        let usable = |c: &&Function| !c.is_deleted && !c.is_copy_or_move && c.access == Some(Access::Public);
        let mut found = Vec::new();
        for ctor in class.constructors(self.model).filter(|c| c.template.is_none()).filter(usable).take(most) {
            if let Err(reason) = self.params(&ctor.params, with, None) {
                found.push(format!("constructor {}: {}", signature(ctor), reason.what));
            }
        }
        found
    }

    /// Whether a driver of the unit can name the class: one that a source file keeps to itself is out of reach of
    /// the drivers of other files.
    pub(super) fn in_reach(&self, class: &'m Class) -> bool {
        if self.model.is_foreign(class) {
            let unit = self.source.get().and_then(|index| self.model.units.get(index));
            return unit.is_none_or(|unit| unit.foreign.contains(&class.usr));
        }
        let home = self.ways.borrow().home(class);
        let is_sound = class.definition.as_ref().is_none_or(|at| self.ways.borrow().is_sound(&at.file));
        is_sound && home.is_none_or(|file| self.sees(file))
    }

    /// Whether a driver of the unit can call the function: it is declared in a header, or in what the driver sees.
    pub(super) fn is_declared(&self, function: &Function) -> bool {
        let mut places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
        let in_header = |file: &Path| !self.ways.borrow().is_main(file) && self.ways.borrow().is_sound(file);
        places.any(|extent| in_header(&extent.file) || self.sees(&extent.file))
    }

    /// Whether the unit's translation unit includes `file`.
    pub(super) fn sees(&self, file: &Path) -> bool {
        self.ways.borrow().sees(self.source.get(), file)
    }

    pub(super) fn factory(
        &self,
        ty: &Type,
        function: &Function,
        yields: Yield,
        depth: usize,
    ) -> Result<Recipe, Reason> {
        let mut with = Substitution::none(self.model);
        let owner = function.owner.as_ref().and_then(|owner| self.model.classes.get(owner));
        if let Some(class) = owner.filter(|class| class.installed.is_some() && !self.in_reach(class)) {
            return Err(self.out_of_reach(class));
        }
        if let Some(class) = function.owner.as_ref().and_then(|owner| self.model.classes.get(owner))
            && let Some(args) = self.template_args(class)
        {
            with = Substitution::of(self.model, class, &args);
        }
        let (callee, object) = if function.kind == FunctionKind::Method || function.kind == FunctionKind::Conversion {
            let owner = function.owner.as_ref().and_then(|o| self.class_type(o));
            let owner = owner.ok_or_else(|| Reason::new("its class is not known"))?;
            let works_on_a_shell = crate::facts::factories::works_on_a_shell(self.lexicon(), &function.name);
            self.service.set(works_on_a_shell);
            // Who makes it need have nothing in it, but for what it is made into.
            // What an object has in it counts where it is turned into something else.
            let turns = self.lexicon().begins(&function.name, Role::Converts);
            let full = self.full.replace(self.full.get() && turns);
            let recipe = self.object(&owner, depth + 1);
            self.full.set(full);
            self.service.set(false);
            let mut recipe = recipe?;
            let lends = matches!(yields, Yield::Borrowed | Yield::Reference) && !works_on_a_shell;
            if let Some(class) = owner.record().and_then(|usr| self.model.classes.get(usr)).filter(|_| lends) {
                recipe = self.to_be_asked(recipe, class);
            }
            (
                function.name.clone(),
                Some(Box::new(Slot { name: variable(&owner.spelling), ty: owner, recipe, nullable: false })),
            )
        } else {
            let by_arguments = self.model.is_only_a_friend(function);
            (if by_arguments { &function.name } else { &function.qualified }.clone(), None)
        };
        let args = match yields {
            Yield::Through(place) | Yield::InPlace(place) => {
                self.params(&crate::facts::out_params::without(&function.params, place), &with, None)?
            }
            _ => self.params(&function.params, &with, None)?,
        };
        Ok(Kind::Factory { function: function.usr.clone(), callee, object, args, yields }.of(value_type(ty)))
    }
}

/// The arguments of a class template: those of the first instantiation in the project, else `int` for types (a pointer for what is
/// called an iterator) and 4 for values. Empty for a plain class.
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
    // What is specialised has another body than the template's.
    let special = specialized.get(&class.usr);
    let is_special = |args: &[TemplateArg]| special.is_some_and(|all| all.contains(&args));
    let mut known = crate::plan::template_arguments::known(model, &class.usr);
    if let Some(args) = known.find(|args| !args.iter().any(is_dependent) && !is_special(args)) {
        return Some(args.clone());
    }
    // What arguments select a partial specialisation is another matter.
    if class.specializes.is_some() {
        return None;
    }
    params_of(model, class)
        .into_iter()
        .map(|param| match param.kind {
            crate::model::TemplateParamKind::Type => {
                let said = crate::plan::template_arguments::said(model, param);
                Some(TemplateArg::Type(
                    said.unwrap_or_else(|| crate::plan::function_templates::simplest_type(lexicon, &param.name)),
                ))
            }
            crate::model::TemplateParamKind::Value => Some(TemplateArg::Value("4".into())),
            crate::model::TemplateParamKind::Template => None,
        })
        .collect()
}

/// Whether the recipe makes a new object, which may be another's from then on.
pub(crate) fn is_new(model: &Model, recipe: &Recipe) -> bool {
    let parts = |among: &[Slot]| among.iter().all(|slot| is_new(model, &slot.recipe));
    let on_heap = |ty: &Type| {
        let class = ty.record().and_then(|usr| model.classes.get(usr));
        let methods = class.into_iter().flat_map(|class| &class.methods).filter_map(|usr| model.functions.get(usr));
        !methods.into_iter().any(|method| method.name == "operator new" && method.is_deleted)
    };
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Construct { .. } | Kind::Fields { .. } | Kind::Stub { .. } => on_heap(ty),
        Kind::Choice { among, .. } => parts(among),
        Kind::SetUp { object, .. } | Kind::Then { object, .. } => is_new(model, &object.recipe),
        _ => false,
    }
}

fn signature(function: &Function) -> String {
    let params: Vec<&str> = function.params.iter().map(|p| p.ty.spelling.as_str()).collect();
    format!("({})", params.join(", "))
}
