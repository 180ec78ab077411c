//! How tests and examples construct and use the library's objects, read from the bodies of their functions.
//!
//! A body is walked once, in the order of the source. Constructions and calls of what the project declares elsewhere
//! become steps; variables stand for the steps that gave them their value, or for a literal. What happens in one branch
//! only is seen by the histories that end there, a loop's body happens once, and what changes in a loop is not known.

mod calls;
mod keep;
mod miner;
mod slice;
mod tables;

#[cfg(test)]
mod tests;

pub(super) use keep::keep;

use super::literals::{self, string_of};
use super::names::is_function;
use super::reader::Reader;
use super::type_shapes::is_class;
use crate::model::history::{Action, By, History, Value};
use crate::model::{Language, Literal};
use clang::{Entity, EntityKind};
use miner::{Miner, expressions, stripped};
use std::collections::{BTreeMap, HashMap};

/// A function with more steps than this is read no further.
const STEPS: usize = 1200;
/// Expressions and statements that nest deeper are not looked into.
const DEEPEST: usize = 200;

/// Notes the histories of a function of the main file, as far as users of the library have such functions.
pub(super) fn mine<'tu>(reader: &mut Reader<'tu>, function: Entity<'tu>, body: Entity<'tu>) {
    if !reader.mines || function.get_kind() == EntityKind::FunctionTemplate {
        return;
    }
    let Some(place) = reader.place(function).filter(|place| place.file.path == *reader.main_file()) else { return };
    // A function that a header declares is the library's own, unless the file is a test by its name.
    let declared_here = is_in_main_file(reader, function.get_canonical_entity());
    if !declared_here && !keep::names_a_test(&place.file.path) {
        return;
    }
    let mut miner = Miner { reader, steps: Vec::new(), known: HashMap::new(), found: BTreeMap::new(), depth: 0 };
    miner.statement(body);
    miner.harvest(0);
    let found = std::mem::take(&mut miner.found);
    for (class, histories) in found {
        let all = reader.model.histories.entry(class).or_default();
        for history in histories {
            if all.len() < slice::MOST && !all.iter().any(|known| known.is_like(&history)) {
                all.push(History { file: place.file.path.clone(), ..history });
            }
        }
    }
}

fn is_in_main_file<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> bool {
    reader.place(entity).is_some_and(|place| place.file.path == *reader.main_file())
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
        self.reader.extent(entity).is_none_or(|(.., in_macro)| in_macro)
    }

    /// Steps of a branch are forgotten behind it.
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
        let is_object = |variable: &Entity<'tu>| matches!(self.known.get(variable), Some(Value::Made(_)));
        if let Some(variable) = changed.filter(|target| target.get_kind() == VarDecl && !is_object(target)) {
            self.known.insert(variable, Value::Any);
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
        let table = initial.and_then(|initial| self.table(entity, initial));
        let mut value = match (table, initial) {
            (Some(table), _) => table,
            (None, Some(initial)) => self.value(initial),
            (None, None) => Value::Any,
        };
        if let Some((class, by, is_const)) = class {
            let is_blank = initial.is_none_or(|initial| self.reader.language == Language::C && is_zero(initial));
            if is_blank && by == By::Value {
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

    /// The value of an expression; its steps are noted.
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
            UnexposedExpr | ParenExpr | FunctionalCastExpr | InitListExpr => self.inside(entity),
            CStyleCastExpr | StaticCastExpr | ConstCastExpr => self.converted(entity),
            IntegerLiteral | FloatingLiteral | CharacterLiteral | BoolLiteralExpr => number(entity),
            StringLiteral => {
                let text = entity.get_name().and_then(|name| string_of(&name));
                text.map_or(Value::Any, |text| Value::Literal(Literal::Str(text)))
            }
            NullPtrLiteralExpr | GNUNullExpr => Value::Null,
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
            ConditionalOperator => self.each(expressions(entity).get(..1).unwrap_or_default()),
            _ => {
                self.below(entity);
                Value::Any
            }
        }
    }

    /// The value of the only expression inside.
    fn inside(&mut self, entity: Entity<'tu>) -> Value {
        match expressions(entity)[..] {
            [only] => self.value(only),
            ref several => self.each(several),
        }
    }

    /// Notes the steps of expressions of which nothing is known together.
    pub(super) fn each(&mut self, parts: &[Entity<'tu>]) -> Value {
        for part in parts {
            self.value(*part);
        }
        Value::Any
    }

    fn converted(&mut self, entity: Entity<'tu>) -> Value {
        let value = self.inside(entity);
        let ty = entity.get_type();
        match value {
            // Of another class from here on.
            Value::Made(_) => Value::Any,
            // `NULL` of C.
            Value::Literal(Literal::Int(0)) if ty.is_some_and(|ty| ty.get_pointee_type().is_some()) => Value::Null,
            value => value,
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
            return self.each(&parts);
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
}

/// `{0}`, as C has a structure without anything in it.
fn is_zero(initial: Entity<'_>) -> bool {
    let parts = expressions(initial);
    initial.get_kind() == EntityKind::InitListExpr
        && parts.iter().all(|part| number(stripped(*part)) == Value::Literal(Literal::Int(0)))
}

/// Whether a variable of this type keeps its first value.
fn is_constant(ty: clang::Type<'_>) -> bool {
    ty.is_const_qualified()
        || ty.get_element_type().is_some_and(|element| element.is_const_qualified())
        || ty.get_pointee_type().is_some_and(|to| to.is_const_qualified())
}

fn number(entity: Entity<'_>) -> Value {
    literals::number(entity).map_or(Value::Any, Value::Literal)
}
