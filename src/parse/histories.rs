//! What tests and examples do to the library's objects, read from the bodies of their functions.
//!
//! A body is walked once, in the order of the source. Constructions and calls of what the project declares elsewhere
//! become steps; variables stand for the steps that gave them their value, or for a literal. What happens in one branch
//! only is seen by the histories that end there, a loop's body happens once, and what changes in a loop is not known.

mod keep;
mod slice;

#[cfg(test)]
mod tests;

pub(super) use keep::keep;

use super::body::string_of;
use super::names::{is_class, is_function};
use super::read::Reader;
use crate::model::history::{Action, By, History, Step, Value, Yielded};
use crate::model::{Language, Literal, Usr};
use clang::{Entity, EntityKind, EvaluationResult};
use std::collections::HashMap;

/// A function with more steps than this is read no further.
const STEPS: usize = 1200;
/// Expressions and statements that nest deeper are not looked into.
const DEEPEST: usize = 200;

/// A step with what only its function tells.
#[derive(Clone)]
pub(super) struct Seen {
    step: Step,
    line: u32,
    /// Steps whose objects it may change.
    changes: Vec<usize>,
    /// The step whose object it is a part of.
    part_of: Option<usize>,
}

impl<'tu> Reader<'tu> {
    /// Notes the histories of a function of the main file, as far as users of the library have such functions.
    pub(super) fn mine(&mut self, function: Entity<'tu>, body: Entity<'tu>) {
        if !self.mines || self.language != Language::Cxx || function.get_kind() == EntityKind::FunctionTemplate {
            return;
        }
        let Some(place) = self.place(function).filter(|place| place.file.path == *self.main_file()) else { return };
        // What a header declares is the library's own, unless the file says that it is a test.
        let declared_here = self.is_in_main_file(function.get_canonical_entity());
        if !declared_here && !keep::names_a_test(&place.file.path) {
            return;
        }
        let mut miner = Miner { reader: self, steps: Vec::new(), known: HashMap::new(), found: Vec::new(), depth: 0 };
        miner.statement(body);
        miner.harvest(0);
        let found = std::mem::take(&mut miner.found);
        for (class, history) in found {
            let all = self.model.histories.entry(class).or_default();
            if !all.iter().any(|known| known.is_like(&history)) {
                all.push(History { file: place.file.path.clone(), ..history });
            }
        }
    }

    fn is_in_main_file(&mut self, entity: Entity<'tu>) -> bool {
        self.place(entity).is_some_and(|place| place.file.path == *self.main_file())
    }
}

struct Miner<'r, 'tu> {
    reader: &'r mut Reader<'tu>,
    steps: Vec<Seen>,
    /// What variables stand for.
    known: HashMap<Entity<'tu>, Value>,
    found: Vec<(Usr, History)>,
    depth: usize,
}

fn expressions(entity: Entity<'_>) -> Vec<Entity<'_>> {
    entity.get_children().into_iter().filter(Entity::is_expression).collect()
}

/// The cursor without brackets and what nobody wrote.
fn stripped(entity: Entity<'_>) -> Entity<'_> {
    let mut entity = entity;
    while matches!(entity.get_kind(), EntityKind::UnexposedExpr | EntityKind::ParenExpr) {
        match expressions(entity)[..] {
            [inner] => entity = inner,
            _ => break,
        }
    }
    entity
}

impl<'tu> Miner<'_, 'tu> {
    // ---- statements -----------------------------------------------------------------------------------

    fn statement(&mut self, entity: Entity<'tu>) {
        use EntityKind::*;
        if self.depth > DEEPEST || self.steps.len() > STEPS {
            return;
        }
        self.depth += 1;
        match entity.get_kind() {
            VarDecl => self.variable(entity),
            IfStmt => {
                let mut asked = false;
                for child in entity.get_children() {
                    if asked {
                        self.branch(child, true);
                    } else {
                        self.statement(child);
                        asked = child.is_expression();
                    }
                }
            }
            ForStmt | WhileStmt | DoStmt | ForRangeStmt => {
                self.forget_changed(entity, 0);
                self.below(entity);
            }
            // Test macros expect exceptions in a `try` of their own: what is tried there is expected to fail.
            TryStmt if self.is_in_macro(entity) => self.branch(entity, false),
            CatchStmt => self.branch(entity, true),
            LambdaExpr => {}
            _ if entity.is_expression() => {
                self.value(entity);
            }
            kind if is_class(kind) || is_function(kind) => {}
            _ => self.below(entity),
        }
        self.depth -= 1;
    }

    fn below(&mut self, entity: Entity<'tu>) {
        for child in entity.get_children() {
            self.statement(child);
        }
    }

    fn is_in_macro(&mut self, entity: Entity<'tu>) -> bool {
        entity.get_range().and_then(|range| self.reader.files.extent(range)).is_none_or(|(.., in_macro)| in_macro)
    }

    /// What happens here only is forgotten behind it.
    fn branch(&mut self, entity: Entity<'tu>, is_used: bool) {
        let (steps, known) = (self.steps.len(), self.known.clone());
        self.below_or_whole(entity);
        if is_used {
            self.harvest(steps);
        }
        self.steps.truncate(steps);
        self.known = known;
    }

    fn below_or_whole(&mut self, entity: Entity<'tu>) {
        if matches!(entity.get_kind(), EntityKind::CompoundStmt | EntityKind::TryStmt | EntityKind::CatchStmt) {
            self.below(entity);
        } else {
            self.statement(entity);
        }
    }

    /// Numbers and texts that a loop changes are not known from here on.
    fn forget_changed(&mut self, entity: Entity<'tu>, depth: usize) {
        use EntityKind::{BinaryOperator, CompoundAssignOperator, ForRangeStmt, UnaryOperator, VarDecl};
        if depth > DEEPEST {
            return;
        }
        let changed = match entity.get_kind() {
            BinaryOperator | CompoundAssignOperator | UnaryOperator => {
                expressions(entity).first().and_then(|operand| stripped(*operand).get_reference())
            }
            // Declared with a value that it has in the first round only.
            VarDecl if depth == 1 || entity.get_kind() == ForRangeStmt => Some(entity),
            _ => None,
        };
        if let Some(variable) = changed.filter(|target| target.get_kind() == VarDecl) {
            match self.known.get(&variable) {
                Some(Value::Made(_)) => {}
                _ => {
                    self.known.insert(variable, Value::Any);
                }
            }
        }
        for child in entity.get_children() {
            self.forget_changed(child, depth + 1);
        }
    }

    fn variable(&mut self, entity: Entity<'tu>) {
        let class = entity.get_type().and_then(|ty| self.class_of(ty));
        let initial = expressions(entity).into_iter().next_back();
        // Said to change in the loop that it belongs to.
        let is_open = self.known.get(&entity) == Some(&Value::Any);
        let mut value = match initial {
            Some(initial) => self.value(initial),
            None => Value::Any,
        };
        if let Some((class, by, is_const)) = class {
            if initial.is_none() && by == By::Value {
                value = self.construct(entity, class.clone(), None, Vec::new(), false);
            }
            if let Value::Made(index) = value {
                let name = entity.get_name().unwrap_or_default();
                let step = &mut self.steps[index].step;
                if let Some(yields) = step.yields.as_mut().filter(|yields| yields.name.is_empty()) {
                    yields.name = name;
                    // As the variable has it: a copy of what is referred to.
                    if matches!(step.action, Action::Call { .. }) && yields.class == class {
                        yields.is_const |= is_const && by != By::Value;
                        if by == By::Value && yields.by == By::Reference {
                            yields.by = By::Value;
                        }
                    }
                }
            }
        }
        self.known.insert(entity, if is_open && !matches!(value, Value::Made(_)) { Value::Any } else { value });
    }

    // ---- expressions ----------------------------------------------------------------------------------

    /// What an expression stands for; the steps that it takes are noted.
    fn value(&mut self, entity: Entity<'tu>) -> Value {
        if self.depth > DEEPEST || self.steps.len() > STEPS {
            return Value::Any;
        }
        self.depth += 1;
        let value = self.value_of(entity);
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, entity: Entity<'tu>) -> Value {
        use EntityKind::*;
        match entity.get_kind() {
            UnexposedExpr | ParenExpr => self.inside(entity),
            FunctionalCastExpr => self.inside(entity),
            CStyleCastExpr | StaticCastExpr | ConstCastExpr => match self.inside(entity) {
                // Of another class from here on.
                Value::Made(_) => Value::Any,
                value => value,
            },
            IntegerLiteral | FloatingLiteral | CharacterLiteral | BoolLiteralExpr => number(entity),
            StringLiteral => {
                let text = entity.get_name().and_then(|name| string_of(&name));
                text.map_or(Value::Any, |text| Value::Literal(Literal::Str(text)))
            }
            NullPtrLiteralExpr | GNUNullExpr => Value::Null,
            InitListExpr => self.inside(entity),
            UnaryOperator => self.unary(entity),
            BinaryOperator => self.binary(entity),
            CompoundAssignOperator => {
                self.inside(entity);
                self.forget_changed(entity, 0);
                Value::Any
            }
            DeclRefExpr => self.named(entity),
            MemberRefExpr => self.member(entity),
            NewExpr => self.new_object(entity),
            DeleteExpr => {
                if let Value::Made(index) = self.inside(entity)
                    && let Action::Construct { given, .. } = &mut self.steps[index].step.action
                {
                    *given = false;
                }
                Value::Any
            }
            CallExpr => self.call(entity),
            LambdaExpr => Value::Any,
            ConditionalOperator => {
                let parts = expressions(entity);
                if let Some(first) = parts.first() {
                    self.value(*first);
                }
                Value::Any
            }
            _ => {
                self.below(entity);
                Value::Any
            }
        }
    }

    /// What the only expression inside stands for.
    fn inside(&mut self, entity: Entity<'tu>) -> Value {
        match expressions(entity)[..] {
            [only] => self.value(only),
            ref several => {
                for part in several {
                    self.value(*part);
                }
                Value::Any
            }
        }
    }

    fn unary(&mut self, entity: Entity<'tu>) -> Value {
        let [operand] = expressions(entity)[..] else { return self.inside(entity) };
        let is_number = matches!(
            stripped(operand).get_kind(),
            EntityKind::IntegerLiteral | EntityKind::FloatingLiteral | EntityKind::CharacterLiteral
        );
        if is_number {
            return number(entity);
        }
        let value = self.value(operand);
        match (value, self.first_byte(entity)) {
            (Value::Made(index), Some(b'&' | b'*')) => Value::Made(index),
            (Value::Literal(_), Some(b'+' | b'-')) => {
                self.forget_changed(entity, 0);
                Value::Any
            }
            _ => Value::Any,
        }
    }

    fn first_byte(&mut self, entity: Entity<'tu>) -> Option<u8> {
        let place = self.reader.place(entity)?;
        place.file.bytes().get(place.offset as usize).copied()
    }

    fn binary(&mut self, entity: Entity<'tu>) -> Value {
        let [left, right] = expressions(entity)[..] else { return self.inside(entity) };
        let value = self.value(right);
        if !self.is_assignment(left, right) {
            self.value(left);
            return Value::Any;
        }
        match stripped(left).get_reference().filter(|target| target.get_kind() == EntityKind::VarDecl) {
            Some(variable) => {
                self.known.insert(variable, value.clone());
            }
            None => {
                self.value(left);
            }
        }
        value
    }

    /// Whether there is only `=` between the two.
    fn is_assignment(&mut self, left: Entity<'tu>, right: Entity<'tu>) -> bool {
        let end = |entity: Entity<'tu>, files: &mut super::files::Files| files.extent(entity.get_range()?);
        let (Some((left, text, _)), Some((right, ..))) =
            (end(left, &mut self.reader.files), end(right, &mut self.reader.files))
        else {
            return false;
        };
        let between = text.slice(left.end, right.start.max(left.end));
        std::str::from_utf8(between).is_ok_and(|text| text.trim() == "=")
    }

    fn named(&mut self, entity: Entity<'tu>) -> Value {
        let Some(target) = entity.get_reference() else { return Value::Any };
        if let Some(known) = self.known.get(&target) {
            return known.clone();
        }
        match target.get_kind() {
            EntityKind::EnumConstantDecl => target
                .get_enum_constant_value()
                .map_or(Value::Any, |(value, _)| Value::Literal(Literal::Int(value.into()))),
            // A constant of the file.
            EntityKind::VarDecl if target.get_type().is_some_and(|ty| is_constant(ty.get_canonical_type())) => {
                match expressions(target).into_iter().next_back().map(|initial| stripped(initial)) {
                    Some(initial) if initial.is_expression() && initial.get_kind() != EntityKind::CallExpr => {
                        match self.value(initial) {
                            Value::Made(_) => Value::Any,
                            value => value,
                        }
                    }
                    _ => Value::Any,
                }
            }
            _ => Value::Any,
        }
    }

    /// A fixture's member is a variable that all of its tests have.
    fn member(&mut self, entity: Entity<'tu>) -> Value {
        let parts = expressions(entity);
        let is_own = parts.iter().all(|part| stripped(*part).get_kind() == EntityKind::ThisExpr);
        if !is_own {
            for part in parts {
                self.value(part);
            }
            return Value::Any;
        }
        let Some(field) = entity.get_reference().filter(|field| field.get_kind() == EntityKind::FieldDecl) else {
            return Value::Any;
        };
        if let Some(known) = self.known.get(&field) {
            return known.clone();
        }
        let class = field.get_type().and_then(|ty| self.class_of(ty));
        let Some((class, By::Value, _)) = class else { return Value::Any };
        let made = self.construct(field, class, None, Vec::new(), false);
        if let Value::Made(index) = made
            && let Some(yields) = &mut self.steps[index].step.yields
        {
            yields.name = field.get_name().unwrap_or_default();
        }
        self.known.insert(field, made.clone());
        made
    }

    fn new_object(&mut self, entity: Entity<'tu>) -> Value {
        let class = entity.get_type().and_then(|ty| ty.get_pointee_type()).and_then(|ty| self.class_of(ty));
        let parts = expressions(entity);
        let call = parts.iter().find(|part| part.get_kind() == EntityKind::CallExpr);
        match (class, call) {
            (Some((class, By::Value, _)), Some(call)) if parts.len() == 1 => {
                let args = self.arguments(expressions(*call));
                self.construct(entity, class, call.get_reference(), args, true)
            }
            (Some((class, By::Value, _)), None) if parts.is_empty() => {
                self.construct(entity, class, None, Vec::new(), true)
            }
            _ => {
                self.inside(entity);
                Value::Any
            }
        }
    }

    // ---- calls ----------------------------------------------------------------------------------------

    fn arguments(&mut self, written: Vec<Entity<'tu>>) -> Vec<Value> {
        // Default arguments are no children of anything that was written.
        let is_default =
            |arg: &Entity<'tu>| arg.get_kind() == EntityKind::UnexposedExpr && arg.get_children().is_empty();
        let written: Vec<Entity<'tu>> = written.into_iter().take_while(|arg| !is_default(arg)).collect();
        written.into_iter().map(|arg| self.value(arg)).collect()
    }

    fn construct(
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

    fn push(&mut self, at: Entity<'tu>, step: Step, changes: Vec<usize>, part_of: Option<usize>) -> Value {
        let line = self.reader.place(at).map_or(0, |place| place.line);
        self.steps.push(Seen { step, line, changes, part_of });
        Value::Made(self.steps.len() - 1)
    }

    fn call(&mut self, entity: Entity<'tu>) -> Value {
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
            _ => {
                for part in parts {
                    self.value(part);
                }
                Value::Any
            }
        }
    }

    fn construction(&mut self, entity: Entity<'tu>, target: Entity<'tu>, parts: Vec<Entity<'tu>>) -> Value {
        let args = self.arguments(parts);
        let class = entity.get_type().and_then(|ty| self.class_of(ty));
        // What is copied, or made an owner's, is what it was; so is text.
        let is_same = target.is_copy_constructor() || target.is_move_constructor();
        match (class, &args[..]) {
            (Some((_, By::Value, _)) | None, [only]) if is_same => only.clone(),
            (Some((class, By::Value, _)), _) => self.construct(entity, class, Some(target), args, false),
            (None, [first @ Value::Literal(Literal::Str(_)), ..]) => first.clone(),
            _ => Value::Any,
        }
    }

    /// The object of `object.method` or `object->method`; none where it is the caller's own.
    fn object_of(&mut self, callee: Entity<'tu>) -> Value {
        let callee = stripped(callee);
        match expressions(callee).first() {
            Some(object) if callee.get_kind() == EntityKind::MemberRefExpr => self.value(*object),
            _ => Value::Any,
        }
    }

    fn function_call(&mut self, entity: Entity<'tu>, target: Entity<'tu>, parts: Vec<Entity<'tu>>) -> Value {
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
        let same = if chains {
            on.or(match args.first() {
                Some(Value::Made(first)) => Some(*first),
                _ => None,
            })
        } else {
            None
        };
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
    fn is_users_own(&mut self, target: Entity<'tu>) -> bool {
        self.reader.is_in_main_file(target.get_canonical_entity())
    }

    /// The steps whose objects a call may change: its own, and those that it is given by pointer or reference.
    fn changed_by(&mut self, target: Option<Entity<'tu>>, on: Option<usize>, args: &[Value]) -> Vec<usize> {
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
    fn class_of(&mut self, ty: clang::Type<'tu>) -> Option<(Usr, By, bool)> {
        let canonical = ty.get_canonical_type();
        let (inner, by) = match canonical.get_kind() {
            clang::TypeKind::LValueReference | clang::TypeKind::RValueReference => {
                (canonical.get_pointee_type()?, By::Reference)
            }
            clang::TypeKind::Pointer => (canonical.get_pointee_type()?, By::Pointer),
            _ => (canonical, By::Value),
        };
        let declaration = inner.get_declaration().filter(|declaration| is_class(declaration.get_kind()))?;
        if by == By::Value && matches!(declaration.get_name().as_deref(), Some("unique_ptr" | "shared_ptr")) {
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

/// Whether a variable of this type keeps its first value.
fn is_constant(ty: clang::Type<'_>) -> bool {
    ty.is_const_qualified()
        || ty.get_element_type().is_some_and(|element| element.is_const_qualified())
        || ty.get_pointee_type().is_some_and(|to| to.is_const_qualified())
}

fn number(entity: Entity<'_>) -> Value {
    match entity.evaluate() {
        Some(EvaluationResult::SignedInteger(value)) => Value::Literal(Literal::Int(value.into())),
        Some(EvaluationResult::UnsignedInteger(value)) => Value::Literal(Literal::Int(value.into())),
        Some(EvaluationResult::Float(value)) => Value::Literal(Literal::Float(value.to_bits())),
        _ => Value::Any,
    }
}
