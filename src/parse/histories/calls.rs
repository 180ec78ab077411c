//! Constructions and calls as steps: on which object, with what, and what comes out.

use super::miner::{Miner, Seen, expressions, stripped};
use crate::model::history::{Action, By, Step, Value, Yielded};
use crate::model::{Literal, Usr};
use crate::parse::histories;
use crate::parse::names::is_function;
use crate::parse::type_shapes::is_class;
use crate::types::standard::is_smart;
use clang::{Entity, EntityKind};

impl<'tu> Miner<'_, 'tu> {
    pub(super) fn arguments(&mut self, written: Vec<Entity<'tu>>) -> Vec<Value> {
        // Default arguments are no children of anything that was written.
        let is_default =
            |arg: &Entity<'tu>| arg.get_kind() == EntityKind::UnexposedExpr && arg.get_children().is_empty();
        let written: Vec<Entity<'tu>> = written.into_iter().take_while(|arg| !is_default(arg)).collect();
        written.into_iter().map(|arg| self.value(arg)).collect()
    }

    pub(super) fn construct(
        &mut self,
        at: Entity<'tu>,
        class: Usr,
        constructor: Option<Entity<'tu>>,
        args: Vec<Value>,
        given: bool,
    ) -> Value {
        let changes = self.changed_by(constructor, None, &args);
        let constructor = constructor.filter(|target| !target.is_defaulted()).map(|target| self.reader.usr(target));
        let constructor = constructor.filter(|usr| !usr.is_empty());
        let yields =
            Yielded { class, by: if given { By::Pointer } else { By::Value }, is_const: false, name: String::new() };
        let step = Step { action: Action::Construct { constructor, given }, args, yields: Some(yields) };
        self.push(at, step, changes, None)
    }

    pub(super) fn push(&mut self, at: Entity<'tu>, step: Step, changes: Vec<usize>, part_of: Option<usize>) -> Value {
        let line = self.reader.place(at).map_or(0, |place| place.line);
        self.steps.push(Seen { step, line, changes, part_of });
        Value::Made(self.steps.len() - 1)
    }

    pub(super) fn call(&mut self, entity: Entity<'tu>) -> Value {
        let target = entity.get_reference();
        let parts = expressions(entity);
        let kind = target.map(|target| target.get_template_kind().unwrap_or(target.get_kind()));
        match (target, kind) {
            (Some(target), Some(EntityKind::Constructor)) => self.construction(entity, target, parts),
            (Some(_), Some(EntityKind::ConversionFunction)) => {
                if let Some(callee) = parts.first() {
                    self.object_of(*callee);
                }
                Value::Any
            }
            (Some(target), Some(kind)) if is_function(kind) => self.function_call(entity, target, parts),
            _ => self.each(&parts),
        }
    }

    pub(super) fn construction(&mut self, entity: Entity<'tu>, target: Entity<'tu>, parts: Vec<Entity<'tu>>) -> Value {
        let args = self.arguments(parts);
        let class = entity.get_type().and_then(|ty| self.class_of(ty));
        // A copy, an owner and text stand for what they are made of.
        let is_same = target.is_copy_constructor() || target.is_move_constructor();
        match (class, &args[..]) {
            (Some((_, By::Value, _)) | None, [only]) if is_same => only.clone(),
            (Some((class, By::Value, _)), _) => self.construct(entity, class, Some(target), args, false),
            (None, [first @ Value::Literal(Literal::Str(_)), ..]) => first.clone(),
            _ => Value::Any,
        }
    }

    /// The object of `object.method` or `object->method`; none where it is the caller's own.
    pub(super) fn object_of(&mut self, callee: Entity<'tu>) -> Value {
        let callee = stripped(callee);
        match expressions(callee).first() {
            Some(object) if callee.get_kind() == EntityKind::MemberRefExpr => self.value(*object),
            _ => Value::Any,
        }
    }

    pub(super) fn function_call(&mut self, entity: Entity<'tu>, target: Entity<'tu>, parts: Vec<Entity<'tu>>) -> Value {
        let name = target.get_name().unwrap_or_default();
        let is_method = matches!(target.get_kind(), EntityKind::Method) && !target.is_static_method();
        let is_operator = name
            .strip_prefix("operator")
            .is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_'));
        let is_symbol = |part: &Entity<'tu>| {
            let part = stripped(*part);
            part.get_kind() == EntityKind::DeclRefExpr && part.get_reference() == Some(target)
        };
        let (object, args) = if is_operator && parts.iter().any(is_symbol) {
            let operands: Vec<Entity<'tu>> = parts.into_iter().filter(|part| !is_symbol(part)).collect();
            let mut values = self.arguments(operands);
            let object = (is_method && !values.is_empty()).then(|| values.remove(0));
            (object, values)
        } else {
            let mut parts = parts.into_iter();
            let callee = parts.next();
            let object = if is_method { callee.map(|callee| self.object_of(callee)) } else { None };
            (object, self.arguments(parts.collect()))
        };
        let is_ours = self.reader.is_project(target) && !self.is_users_own(target);
        if !is_ours {
            // `*owner`, `owner->`, `owner.get()` and `std::move(owner)` are what is owned.
            return match (object, &args[..]) {
                (Some(Value::Made(index)), []) if matches!(name.as_str(), "operator->" | "operator*" | "get") => {
                    Value::Made(index)
                }
                (None, [Value::Made(index)]) if name == "move" => Value::Made(*index),
                _ => Value::Any,
            };
        }
        let on = match object {
            None => None,
            Some(Value::Made(index)) => Some(index),
            // On an object of which nothing is known.
            Some(_) => return Value::Any,
        };
        let is_plain = target.get_template().is_none() && target.get_kind() != EntityKind::FunctionTemplate;
        let result = target.get_result_type();
        let class = result.and_then(|ty| self.class_of(ty)).filter(|_| is_plain);
        if !is_plain {
            return Value::Any;
        }
        let function = self.reader.usr(target);
        let changes = self.changed_by(Some(target), on.filter(|_| !has_const_twin(target)), &args);
        let is_reference = result.is_some_and(|ty| ty.get_kind() == clang::TypeKind::LValueReference);
        // `out << a << b` and `a = b` give their own object.
        let chains = is_reference
            && is_operator
            && !["operator[]", "operator()", "operator*", "operator->"].contains(&name.as_str());
        let first = match args.first() {
            Some(Value::Made(first)) => Some(*first),
            _ => None,
        };
        let same = on.or(first).filter(|_| chains);
        let yields =
            class.filter(|_| !chains).map(|(class, by, is_const)| Yielded { class, by, is_const, name: String::new() });
        let part_of = on.filter(|_| yields.as_ref().is_some_and(|y| matches!(y.by, By::Reference | By::Pointer)));
        let is_made = yields.is_some();
        let step = Step { action: Action::Call { function, on }, args, yields };
        let made = self.push(entity, step, changes, part_of);
        match same {
            Some(index) => Value::Made(index),
            None if is_made => made,
            None => Value::Any,
        }
    }

    /// Declared by the file itself: a helper, a fixture.
    pub(super) fn is_users_own(&mut self, target: Entity<'tu>) -> bool {
        histories::is_in_main_file(self.reader, target.get_canonical_entity())
    }

    /// The steps whose objects a call may change: its own, and those that it is given by pointer or reference.
    pub(super) fn changed_by(&mut self, target: Option<Entity<'tu>>, on: Option<usize>, args: &[Value]) -> Vec<usize> {
        let mut changes: Vec<usize> =
            on.filter(|_| target.is_some_and(|target| !target.is_const_method())).into_iter().collect();
        let types = target.and_then(|target| target.get_type()?.get_argument_types()).unwrap_or_default();
        for (index, arg) in args.iter().enumerate() {
            let Value::Made(made) = arg else { continue };
            let may = types.get(index).is_none_or(|ty| {
                let ty = ty.get_canonical_type();
                ty.get_pointee_type().is_some_and(|to| !to.is_const_qualified())
            });
            if may && !changes.contains(made) {
                changes.push(*made);
            }
        }
        changes
    }

    /// The class that a type is about, where it is a plain one that the project defines for others.
    pub(super) fn class_of(&mut self, ty: clang::Type<'tu>) -> Option<(Usr, By, bool)> {
        let canonical = ty.get_canonical_type();
        let (inner, by) = match canonical.get_kind() {
            clang::TypeKind::LValueReference | clang::TypeKind::RValueReference => {
                (canonical.get_pointee_type()?, By::Reference)
            }
            clang::TypeKind::Pointer => (canonical.get_pointee_type()?, By::Pointer),
            _ => (canonical, By::Value),
        };
        let declaration = inner.get_declaration().filter(|declaration| is_class(declaration.get_kind()))?;
        if by == By::Value && declaration.get_name().is_some_and(|name| is_smart(&format!("std::{name}"))) {
            let first = inner.get_template_argument_types()?.into_iter().next().flatten()?;
            let (class, by, is_const) = self.class_of(first)?;
            return (by == By::Value).then_some((class, By::Smart, is_const));
        }
        if declaration.get_template().is_some()
            || !self.reader.is_project(declaration)
            || self.is_users_own(declaration)
        {
            return None;
        }
        let usr = self.reader.usr(declaration);
        (!usr.is_empty()).then(|| (usr, by, inner.is_const_qualified()))
    }
}

/// Whether an overload for constant objects stands beside it: what hands out a part of the object changes nothing.
fn has_const_twin(target: Entity<'_>) -> bool {
    let siblings = target.get_semantic_parent().map(|class| class.get_children()).unwrap_or_default();
    siblings.into_iter().any(|other| other.get_name() == target.get_name() && other.is_const_method())
}
