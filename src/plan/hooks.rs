//! What people have said in override files, applied to parameters and constructions.

use super::values::Planner;
use super::{ARRAY_LENGTH, Kind, Reason, Recipe, SetUpCall, Slot, Yield};
use crate::model::{Class, Function, FunctionKind, Prim, Type, TypeKind};
use crate::overrides::{ArgumentHook, ConstructHook, OverrideValue, ParameterHook, SequenceHook, lookup};
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// The most calls of a sequence that does not say how many.
const SEQUENCE: u64 = 4;

impl<'m> Planner<'m> {
    /// The recipe that an override gives for a parameter, if one does.
    ///
    /// # Errors
    /// The override does not fit the parameter's type.
    pub(super) fn overridden_param(
        &self,
        unit: &str,
        name: &str,
        ty: &Type,
        before: &[Slot],
    ) -> Result<Option<Recipe>, Reason> {
        if let Some(array) = self.overrides.array_counted_by(unit, name)
            // The array may come behind its length: then it will have as many elements as is said of it.
            && let Some(length) = before.iter().find(|s| s.name == array).map_or_else(
                || self.overrides.parameter(unit, array).map(|hook| hook.length.unwrap_or(ARRAY_LENGTH)),
                |s| length_of(&s.recipe),
            )
        {
            self.overridden.set(true);
            return Ok(Some(Kind::Length { most: length, free: false, below: false }.of(value_type(ty))));
        }
        let Some(hook) = self.overrides.parameter(unit, name) else { return Ok(None) };
        let ParameterHook { length, least_length, pointee, pair_with, .. } = hook;
        // What has a length parameter of its own is an array.
        let length = &length.or(pair_with.as_ref().map(|_| ARRAY_LENGTH));
        self.overridden.set(true);
        if let Some(told) = hook.value_hook().told() {
            return self.told(ty, &told).map(Some);
        }
        if let Some([least, most]) = hook.size {
            return match self.value(ty.without_ref(), 0)? {
                Recipe { ty, kind: Kind::Sequence { element, .. }, .. } => {
                    Ok(Some(Kind::Sequence { element, least, most }.of(ty)))
                }
                other => Err(Reason::new(format!("`size` is for containers, not for {}", other.ty.spelling))),
            };
        }
        if let Some(pointee) = pointee {
            let to = self.named_pointee(pointee)?;
            return self.behind(ty, &to, *length).map(Some);
        }
        if let Some(length) = length
            && let Some(to) = ty.pointee()
        {
            return self.behind(ty, to, Some(*length)).map(Some);
        }
        if let Some(length) = length
            && let TypeKind::Array(to, _) = &ty.kind
        {
            return self.behind(ty, to, Some(*length)).map(Some);
        }
        // The callee hands out an array through `T **`: what the pointer is before does not matter.
        if least_length.is_some() {
            return self.value(ty, 0).map(Some);
        }
        Ok(None)
    }

    fn behind(&self, ty: &Type, to: &Type, length: Option<u64>) -> Result<Recipe, Reason> {
        match length {
            Some(length) => {
                let to = value_type(to);
                self.buffer(ty, &to, length)
            }
            None => {
                let recipe = self.value(to, 1)?;
                let slot = Slot { name: "value".into(), ty: to.clone(), recipe, nullable: false };
                Ok(Kind::Pointer { to: Box::new(slot), given: false }.of(value_type(ty)))
            }
        }
    }

    /// The recipe for what is said of a value of type `ty`.
    ///
    /// # Errors
    /// It does not fit the type.
    fn told(&self, ty: &Type, told: &OverrideValue) -> Result<Recipe, Reason> {
        let plain = ty.without_ref();
        match told {
            OverrideValue::Value(expression) => Ok(Kind::Fixed { expression: expression.clone() }.of(value_type(ty))),
            OverrideValue::OneOf(expressions) => {
                Ok(Kind::OneOf { expressions: expressions.clone() }.of(value_type(plain)))
            }
            OverrideValue::Pattern(pattern) if is_text(plain) => {
                Ok(Kind::Pattern { pattern: pattern.clone() }.of(value_type(plain)))
            }
            OverrideValue::Pattern(_) => Err(Reason::new(format!("a pattern is for text, not for {}", ty.spelling))),
            OverrideValue::Range(low, high) if matches!(plain.kind, TypeKind::Prim(_)) => {
                Ok(Kind::Prim { range: Some((low.clone(), high.clone())) }.of(value_type(plain)))
            }
            OverrideValue::Range(..) => Err(Reason::new(format!("a range is for numbers, not for {}", ty.spelling))),
        }
    }

    /// The recipe that an override gives for every value of a type, if one does.
    ///
    /// # Errors
    /// The override does not fit the type.
    pub(super) fn told_of_type(&self, ty: &Type) -> Result<Option<Recipe>, Reason> {
        if !self.overrides.speaks_of_types() {
            return Ok(None);
        }
        let own = match &ty.kind {
            TypeKind::Enum(usr) => self.model.enums.get(usr).map(|own| own.qualified.as_str()),
            TypeKind::Record { name, .. } => Some(name.as_str()),
            _ => None,
        };
        let names: Vec<&str> = std::iter::once(ty.bare_spelling()).chain(own).collect();
        let Some(told) = self.overrides.type_for(&names, &self.unit.borrow()) else { return Ok(None) };
        self.overridden.set(true);
        self.told(ty, &told).map(Some)
    }

    /// Whether people have said how objects of the class come to be: then it is no plain structure.
    pub(super) fn is_told_of(&self, class: &Class) -> bool {
        let unit = self.unit.borrow();
        self.overrides.constructor_for(&class.qualified, &unit).is_some()
            || self.overrides.sequence_for(&class.qualified, &unit).is_some()
    }

    /// The object with what happens to it before it is used: what people have said, else what its class suggests.
    ///
    /// # Errors
    /// A method's argument can't be made.
    pub(super) fn prepared(&self, recipe: Recipe, class: &'m Class) -> Result<Recipe, Reason> {
        let unit = self.unit.borrow().clone();
        let recipe = match self.overrides.sequence_for(&class.qualified, &unit) {
            Some(hook) => self.told_sequence(recipe, class, hook)?,
            None => self.set_up(recipe, class),
        };
        let then = self.overrides.constructor_for(&class.qualified, &unit).map_or(&[][..], |hook| &hook.then);
        if then.is_empty() {
            return Ok(recipe);
        }
        self.overridden.set(true);
        let ty = recipe.ty.clone();
        let object =
            Slot { name: crate::types::spelling::variable(&ty.spelling), ty: ty.clone(), recipe, nullable: false };
        Ok(Kind::Then { object: Box::new(object), statements: then.to_vec() }.of(ty))
    }

    fn told_sequence(&self, recipe: Recipe, class: &'m Class, hook: &SequenceHook) -> Result<Recipe, Reason> {
        self.overridden.set(true);
        let ty = recipe.ty.clone();
        let args = match &ty.kind {
            TypeKind::Record { args, .. } => args.as_slice(),
            _ => &[],
        };
        let with = Substitution::of(self.model, class, args);
        let mut calls = Vec::new();
        // A method that takes another object of the class must not lead back here.
        self.open.borrow_mut().push(class.usr.clone());
        for call in &hook.calls {
            let made = match lookup::methods_named(self.model, class, &call.method).first() {
                Some(method) => self.hooked_args(method, &with, &call.args).map(|args| (*method, args)),
                None => Err(Reason::new(format!("`{}` has no method `{}`", class.qualified, call.method))),
            };
            match made {
                Ok((method, args)) => {
                    calls.push(SetUpCall { method: method.usr.clone(), name: method.name.clone(), args });
                }
                Err(reason) => {
                    self.open.borrow_mut().pop();
                    return Err(Reason { what: format!("call of `{}`: {}", call.method, reason.what), ..reason });
                }
            }
        }
        self.open.borrow_mut().pop();
        if calls.is_empty() {
            // Nothing is to happen to the object, which is something to say as well.
            return Ok(recipe);
        }
        let object =
            Slot { name: crate::types::spelling::variable(&ty.spelling), ty: ty.clone(), recipe, nullable: false };
        Ok(Kind::SetUp { object: Box::new(object), calls, most: hook.most.unwrap_or(SEQUENCE) }.of(ty))
    }

    /// The type behind a `void *`, as a person wrote it.
    fn named_pointee(&self, text: &str) -> Result<Type, Reason> {
        let name = lookup::core_of(text);
        let found = lookup::class_named(self.model, name).map(|class| class.qualified.clone());
        let mut ty = self
            .named_type(found.as_deref().unwrap_or(name))
            .ok_or_else(|| Reason::new(format!("`{text}` is not a type of the project")))?;
        for _ in text.chars().filter(|c| *c == '*') {
            let spelling = format!("{} *", ty.spelling);
            ty = Type { spelling, is_const: false, kind: TypeKind::Pointer(Box::new(ty)), size: Some(8) };
        }
        Ok(ty)
    }

    /// The recipe that an override gives for a class that the project only uses, if one does.
    ///
    /// # Errors
    /// The factory can't be found, or its remaining arguments can't be made.
    pub(super) fn overridden_foreign(&self, ty: &Type, name: &str) -> Result<Option<Recipe>, Reason> {
        let Some(hook) = self.overrides.constructor_for(name, &self.unit.borrow()) else { return Ok(None) };
        self.overridden.set(true);
        match (&hook.expression, &hook.factory) {
            (Some(expression), _) => Ok(Some(Kind::Fixed { expression: expression.clone() }.of(value_type(ty)))),
            (None, Some(factory)) => self.named_factory(ty, factory, hook).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The construction that an override gives for a class, if one does.
    ///
    /// # Errors
    /// The constructor or factory can't be found, or its remaining arguments can't be made.
    pub(super) fn overridden_construction(
        &self,
        ty: &Type,
        class: &'m Class,
        with: &Substitution,
    ) -> Result<Option<Recipe>, Reason> {
        let unit = self.unit.borrow().clone();
        let Some(hook) = self.overrides.constructor_for(&class.qualified, &unit) else { return Ok(None) };
        self.overridden.set(true);
        if hook.constructor.is_none() && hook.factory.is_none() && hook.expression.is_none() && hook.args.is_empty() {
            // Only what follows construction is said.
            return Ok(None);
        }
        if let Some(expression) = &hook.expression {
            return Ok(Some(Kind::Fixed { expression: expression.clone() }.of(value_type(ty))));
        }
        if let Some(factory) = &hook.factory {
            return self.named_factory(ty, factory, hook).map(Some);
        }
        let constructor = self.named_constructor(class, hook)?;
        let args = match constructor {
            Some(function) => self.hooked_args(function, with, &hook.args)?,
            None => Vec::new(),
        };
        let kept = crate::facts::factories::is_kept(self.model, class);
        let constructor = constructor.map(|c| c.usr.clone());
        Ok(Some(Kind::Construct { constructor, args, kept }.of(value_type(ty))))
    }

    fn named_constructor(&self, class: &'m Class, hook: &ConstructHook) -> Result<Option<&'m Function>, Reason> {
        let usable: Vec<&'m Function> = class
            .constructors(self.model)
            .filter(|c| !c.is_deleted && (!c.is_copy_or_move || hook.constructor.is_some()))
            .collect();
        let Some(wanted) = &hook.constructor else {
            let enough = |c: &&Function| c.params.len() >= hook.args.len();
            return Ok(usable.into_iter().filter(enough).min_by_key(|c| c.params.len()));
        };
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let inner = wanted.rsplit_once('(').map_or(wanted.as_str(), |(_, params)| params.trim_end_matches(')'));
        usable
            .into_iter()
            .find(|c| {
                let params: Vec<&str> = c.params.iter().map(|p| p.ty.spelling.as_str()).collect();
                bare(&params.join(",")) == bare(inner)
            })
            .map(Some)
            .ok_or_else(|| Reason::new(format!("`{}` has no constructor ({inner})", class.qualified)))
    }

    fn named_factory(&self, ty: &Type, name: &str, hook: &ConstructHook) -> Result<Recipe, Reason> {
        let wanted = name.trim_end_matches("()");
        let function = self
            .model
            .functions
            .values()
            .find(|f| f.id == name || f.qualified == wanted)
            .ok_or_else(|| Reason::new(format!("there is no function `{name}`")))?;
        let usr = ty.record().map(String::as_str);
        let through = crate::facts::out_params::out_param(self.lexicon(), function)
            .filter(|(of, _)| Some(*of) == usr)
            .map(|(_, place)| place);
        let made_ready =
            ty.record().and_then(|usr| crate::plan::c_lifecycle::made_ready(self.lexicon(), function, usr));
        let yields = match &function.result.kind {
            _ if crate::facts::handles::handle_target(self.model, function).as_ref() == ty.record() => Yield::Handle,
            _ if through.is_some() => Yield::Through(through.unwrap_or_default()),
            _ if made_ready.is_some() => Yield::InPlace(made_ready.unwrap_or_default()),
            TypeKind::Pointer(_) => Yield::Borrowed,
            TypeKind::LvalueRef(_) => Yield::Reference,
            _ if crate::types::standard::smart_pointee(self.model, &function.result).is_some() => Yield::Smart,
            _ => Yield::Value,
        };
        let (callee, object) = match (&function.owner, function.kind) {
            (Some(owner), FunctionKind::Method) => {
                let owner = self.class_type(owner).ok_or_else(|| Reason::new("the factory's class is not known"))?;
                let recipe = self.object(&owner, 1)?;
                let slot = Slot {
                    name: crate::types::spelling::variable(&owner.spelling),
                    ty: owner,
                    recipe,
                    nullable: false,
                };
                (function.name.clone(), Some(Box::new(slot)))
            }
            _ => (function.qualified.clone(), None),
        };
        let params = match yields {
            Yield::Through(place) | Yield::InPlace(place) => crate::facts::out_params::without(&function.params, place),
            _ => function.params.clone(),
        };
        let asked = Function { params, ..function.clone() };
        let args = self.hooked_args(&asked, &Substitution::default(), &hook.args)?;
        Ok(Kind::Factory { function: function.usr.clone(), callee, object, args, yields }.of(value_type(ty)))
    }

    fn hooked_args(
        &self,
        function: &Function,
        with: &Substitution,
        hook: &[ArgumentHook],
    ) -> Result<Vec<Slot>, Reason> {
        let mut slots = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let ty = with.apply(&param.ty);
            let name = crate::types::spelling::identifier(&param.name, &format!("argument{}", index + 1));
            let recipe = match hook.get(index) {
                None | Some(ArgumentHook(None)) => self.value(&ty, 1)?,
                Some(ArgumentHook(Some(told))) => self.told(ty.without_ref(), told)?,
            };
            slots.push(Slot { name, ty, recipe, nullable: false });
        }
        Ok(slots)
    }

    /// The least length of the array that a function returns or hands out, where an override says so.
    pub fn least_length(&self, unit: &str, parameter: Option<&str>) -> Option<u64> {
        let least = match parameter {
            Some(name) => self.overrides.parameter(unit, name).and_then(|hook| hook.least_length),
            None => self.overrides.result(unit).and_then(|hook| hook.least_length),
        };
        if least.is_some() {
            self.overridden.set(true);
        }
        least
    }
}

/// Whether text can be put into it: a character pointer, or a string of `char`.
fn is_text(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Record { name, .. } => crate::types::standard::is_text(name),
        _ => false,
    }
}

fn length_of(recipe: &Recipe) -> Option<u64> {
    match &recipe.kind {
        Kind::Array { length, .. } => Some(*length),
        Kind::CString { most, .. } => Some(*most),
        _ => None,
    }
}
