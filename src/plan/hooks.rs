//! What people have said in override files, applied to values and constructions.

use super::construct::yields;
use super::values::{Planner, Substitution, value_type};
use super::{ARRAY_LENGTH, Reason, Recipe, Slot};
use crate::model::{Class, Function, Param, Type, TypeKind};
use crate::overrides::{ArgumentHook, ConstructHook, FieldHook, ParameterHook, Text, lookup};

impl Planner<'_> {
    /// The recipe that an override gives for a parameter, if one does.
    pub(super) fn overridden_param(&self, unit: &str, name: &str, ty: &Type) -> Result<Option<Recipe>, Reason> {
        if let Some(hook) = self.overrides.parameter(unit, name) {
            self.overridden.set(true);
            return self.hooked(hook, ty);
        }
        if let Some(array) = self.overrides.array_counted_by(unit, name) {
            self.overridden.set(true);
            let most = self.overrides.parameter(unit, array).and_then(|hook| hook.length).unwrap_or(ARRAY_LENGTH);
            return Ok(Some(Recipe::Length { ty: value_type(ty), most }));
        }
        Ok(None)
    }

    fn hooked(&self, hook: &ParameterHook, ty: &Type) -> Result<Option<Recipe>, Reason> {
        if let Some(Text(expression)) = &hook.value {
            return Ok(Some(Recipe::Fixed { ty: value_type(ty), expression: expression.clone() }));
        }
        if let Some(range) = &hook.range {
            let range = Some((range.0.clone(), range.1.clone()));
            return Ok(Some(Recipe::Prim { ty: value_type(ty.without_ref()), range }));
        }
        let length = hook.length.or(hook.pair_with.is_some().then_some(ARRAY_LENGTH));
        self.pointed(ty, hook.pointee.as_deref(), length)
    }

    /// How a hook fills a pointer field; none where it leaves that to its statements.
    pub(super) fn hooked_field(&self, hook: &FieldHook, ty: &Type) -> Result<Option<Recipe>, Reason> {
        self.pointed(ty, hook.pointee.as_deref(), hook.length)
    }

    /// A pointer to `length` elements (or to one), of the type that a person named where there is none.
    fn pointed(&self, ty: &Type, pointee: Option<&str>, length: Option<u64>) -> Result<Option<Recipe>, Reason> {
        let named = match pointee {
            Some(text) => Some(self.named_pointee(text)?),
            None => None,
        };
        let element = match &ty.without_ref().kind {
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => named.as_ref().unwrap_or(to),
            _ => return Ok(None),
        };
        match length {
            Some(length) => self.buffer(ty.without_ref(), element, length).map(Some),
            None if named.is_some() => self.pointer_to_value(ty.without_ref(), element, 0).map(Some),
            None => Ok(None),
        }
    }

    /// The type behind a `void *`, as a person wrote it.
    fn named_pointee(&self, text: &str) -> Result<Type, Reason> {
        let name = lookup::core_of(text);
        let unknown = || Reason::new(format!("the override names the type `{text}`, which is not known here"));
        let stars = text.chars().filter(|c| *c == '*').count();
        let found = lookup::class_named(self.model, name).map(|class| class.qualified.clone());
        let mut ty = self.named_type(found.as_deref().unwrap_or(name)).ok_or_else(unknown)?;
        for _ in 0..stars {
            let spelling = format!("{} *", ty.spelling);
            ty = Type { spelling, is_const: false, kind: TypeKind::Pointer(Box::new(ty)), size: Some(8) };
        }
        Ok(ty)
    }

    /// The construction that an override gives for a class, if one does.
    pub(super) fn overridden_construction(
        &self,
        ty: &Type,
        class: &Class,
        with: &Substitution,
    ) -> Result<Option<Recipe>, Reason> {
        let Some(hook) = self.overrides.constructor_for(&class.qualified, &self.unit.borrow()) else { return Ok(None) };
        self.overridden.set(true);
        if hook.expression.is_some() || hook.factory.is_some() {
            return self.foreign(hook, ty).map(Some);
        }
        let wanted =
            |constructor: &&Function| constructor.params.len() >= hook.args.len() && !constructor.is_copy_or_move;
        let constructor = match &hook.constructor {
            Some(text) => lookup::constructors_like(self.model, class, text).into_iter().next(),
            None => class.constructors(self.model).filter(wanted).min_by_key(|constructor| constructor.params.len()),
        };
        let Some(constructor) = constructor else {
            return match &hook.constructor {
                // The implicit default constructor is not in the model.
                Some(text) if text.trim().ends_with("()") => {
                    Ok(Some(Recipe::Construct { ty: value_type(ty), constructor: None, args: Vec::new() }))
                }
                _ => Err(Reason::new(format!("`{}` has no constructor like the override's", class.qualified))),
            };
        };
        let args = self.hooked_args(&constructor.params, &hook.args, with)?;
        Ok(Some(Recipe::Construct { ty: value_type(ty), constructor: Some(constructor.usr.clone()), args }))
    }

    /// The recipe that an override gives for a class that the project only uses, if one does.
    pub(super) fn overridden_foreign(&self, ty: &Type, name: &str) -> Result<Option<Recipe>, Reason> {
        let Some(hook) = self.overrides.constructor_for(name, &self.unit.borrow()) else { return Ok(None) };
        self.overridden.set(true);
        self.foreign(hook, ty).map(Some)
    }

    fn foreign(&self, hook: &ConstructHook, ty: &Type) -> Result<Recipe, Reason> {
        if let Some(expression) = &hook.expression {
            return Ok(Recipe::Fixed { ty: value_type(ty), expression: expression.clone() });
        }
        let name = hook.factory.as_deref().unwrap_or_default();
        let made = lookup::functions_named(self.model, name).into_iter().next();
        let usr = ty.without_ref().record();
        let (function, yields) =
            made.zip(usr).and_then(|(function, usr)| Some((function, yields(&function.result, usr)?))).ok_or_else(
                || Reason::new(format!("the override's factory `{name}` does not yield a `{}`", ty.spelling)),
            )?;
        let mut recipe = self.factory(ty, function, yields, 0)?;
        if let Recipe::Factory { args, .. } = &mut recipe {
            *args = self.hooked_args(&function.params, &hook.args, &Substitution::default())?;
        }
        Ok(recipe)
    }

    /// Slots for the parameters, the first ones by what a person said.
    fn hooked_args(&self, params: &[Param], hooks: &[ArgumentHook], with: &Substitution) -> Result<Vec<Slot>, Reason> {
        let mut slots = self.params_but(params, with, &|index| match hooks.get(index)? {
            ArgumentHook::Any => None,
            ArgumentHook::Value(expression) => {
                let ty = value_type(with.apply(&params[index].ty).without_ref());
                Some(Recipe::Fixed { ty, expression: expression.clone() })
            }
            ArgumentHook::Range(low, high) => {
                let ty = value_type(with.apply(&params[index].ty).without_ref());
                Some(Recipe::Prim { ty, range: Some((low.clone(), high.clone())) })
            }
        })?;
        // What nobody spoke of and has a default keeps it: a person who lists two of four arguments means that call.
        let spoken = hooks.len().max(params.iter().take_while(|param| param.default.is_none()).count());
        slots.truncate(spoken);
        Ok(slots)
    }
}
