//! A history on its way to a recipe: its steps, and the arguments of one more.

use crate::lexicon::Role;
use crate::model::history::{History, Value};
use crate::model::library::Owner;
use crate::model::{Access, Class, Function, Literal, Param, Type, TypeKind, Usr};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, MinedStep, Recipe, STRING_LENGTH, Slot, Yield};
use crate::types::library::row;
use crate::types::records::reachable_class;
use crate::types::spelling::{identifier, null_of, value_type};
use crate::types::substitution::Substitution;

/// The longest text that a history's becomes in the data; longer ones stay as they are written, up to a length.
pub(super) const TEXT: usize = 200;
const LONGEST_TEXT: usize = 400;
/// The most parts of an argument of which nothing is known.
const PARTS: usize = 12;

/// Calls that print, wait, run everything there is, or end the program: a test may, a search had better not.
pub(super) const TAKES_TIME: [Role; 4] = [Role::Prints, Role::Waits, Role::Runs, Role::Stops];

/// A recipe under construction, step by step.
pub(super) struct Draft<'d, 'm> {
    pub(super) scope: &'d UnitScope<'m>,
    pub(super) history: &'d History,
    pub(super) steps: Vec<MinedStep>,
    /// By step of the history: the step of the recipe.
    pub(super) places: Vec<Option<usize>>,
}

impl Draft<'_, '_> {
    /// The step of the recipe for a step of the history.
    pub(super) fn place(&self, step: usize) -> Option<usize> {
        self.places.get(step).copied().flatten()
    }

    /// The arguments of a step, which may be of the class `of`, and the literals in their places.
    pub(super) fn args(
        &self,
        of: Option<&Usr>,
        params: &[Param],
        values: &[Value],
    ) -> Option<(Vec<Slot>, Vec<Option<Literal>>)> {
        let scope = self.scope;
        let required = params.iter().take_while(|param| param.default.is_none()).count();
        if values.len() > params.len() || values.len() < required {
            return None;
        }
        let params = &params[..values.len()];
        // (How long a table is has to be its own length.)
        let is_table = |at: usize| matches!(values.get(at), Some(Value::Table(_)));
        let may_be_length = |at: usize| {
            matches!(values[at], Value::Any) && matches!(params[at].ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_))
        };
        if (0..values.len()).any(|at| may_be_length(at) && (is_table(at + 1) || at > 0 && is_table(at - 1))) {
            return None;
        }
        // (Nobody has made a variable ready that is only looked at.)
        let is_known = |value: &Value| match value {
            Value::Made(made) => self.place(*made).is_some() || !self.scope.is_in_c(),
            other => matches!(other, Value::Null | Value::Table(_)),
        };
        // An object for the call may be made by one of this class: the circle is cut here.
        let request = Request::default();
        let open = of.map(|usr| request.opening(usr));
        let inside = open.as_ref().map_or(request.without_setup(), |open| request.without_setup().inside(open));
        // (Those that stand together and are not known may have to agree: an array, and how long it is.)
        let all: Vec<(&Param, bool)> =
            params.iter().zip(values).map(|(param, value)| (param, is_known(value))).collect();
        let mut planned = Vec::new();
        for run in all.chunk_by(|one, next| one.1 == next.1).filter(|run| !run[0].1) {
            let unknown: Vec<Param> = run.iter().map(|(param, _)| (*param).clone()).collect();
            planned.extend(scope.params(&unknown, &Substitution::default(), None, inside).ok()?);
        }
        let mut planned = planned.into_iter();
        let slots = params.iter().zip(values).map(|(param, value)| {
            if !is_known(value) {
                return planned.next();
            }
            let recipe = Kind::Fixed { expression: null_of(&param.ty, scope.is_in_c()) }.of(value_type(&param.ty));
            Some(Slot::new(identifier(&param.name, "argument"), param.ty.clone(), recipe))
        });
        let mut slots = slots.collect::<Option<Vec<Slot>>>()?;
        let literals = slots.iter_mut().zip(values).map(|(slot, value)| self.fill(slot, value));
        let literals = literals.collect::<Option<Vec<_>>>()?;
        Some((slots, literals))
    }

    /// Gives an argument the value that it has in the history. Returns its literal, if it is one; none where the value
    /// can't be had.
    fn fill(&self, slot: &mut Slot, value: &Value) -> Option<Option<Literal>> {
        match value {
            Value::Made(made) if self.place(*made).is_none() && self.scope.is_in_c() => return Some(None),
            Value::Made(made) => slot.recipe = same(&slot.ty, self.place(*made)?, &self.steps)?,
            Value::Table(table) => {
                let class = slot.ty.pointee().and_then(|to| self.scope.model.class_of(to))?;
                if !self.scope.is_in_c() || !self.scope.in_reach(class) {
                    return None;
                }
                slot.recipe = Kind::Table { table: table.clone() }.of(slot.ty.clone());
            }
            Value::Null if slot.ty.pointee().is_none() => return None,
            Value::Literal(Literal::Str(text)) if text.len() > LONGEST_TEXT => return None,
            Value::Literal(written) => fit(slot, written),
            Value::Null => {}
            Value::Any => {
                let mut parts = 0;
                slot.recipe.walk(&mut |_| parts += 1);
                return (parts <= PARTS).then_some(None);
            }
        }
        slot.nullable = false;
        Some(match value {
            Value::Literal(written) => Some(written.clone()),
            _ => None,
        })
    }
}

/// Whether a driver can name the class, and make one without knowing more.
pub(super) fn is_open<'m>(scope: &UnitScope<'m>, class: &'m Class) -> bool {
    class.template.is_none() && class.specializes.is_none() && class.definition.is_some() && scope.in_reach(class)
}

pub(super) fn is_callable(scope: &UnitScope<'_>, function: &Function) -> bool {
    let owner = function.owner.as_ref().and_then(|usr| scope.model.classes.get(usr));
    matches!(function.access, None | Some(Access::Public))
        && !function.is_deleted
        && !function.is_variadic
        && function.template.is_none()
        && owner.is_none_or(|owner| is_open(scope, owner))
        && reachable_class(scope.model, function)
        && scope.is_declared(function)
}

/// The object of an earlier step, as an argument of type `ty`.
fn same(ty: &Type, step: usize, before: &[MinedStep]) -> Option<Recipe> {
    let made = &before[step].slot;
    let object = Kind::Same { step, owner: false }.of(made.ty.clone());
    match &ty.kind {
        TypeKind::Pointer(to) if to.record().is_some() => {
            let to = Slot::new(made.name.clone(), made.ty.clone(), object);
            Some(Kind::Pointer { to: Box::new(to), given: false }.of(value_type(ty)))
        }
        TypeKind::Record { name, .. } if row(None, name).is_some_and(|row| row.owner == Some(Owner::Shared)) => {
            let is_owner = matches!(made.recipe.kind, Kind::Factory { yields: Yield::Smart, .. });
            is_owner.then(|| Kind::Same { step, owner: true }.of(ty.clone()))
        }
        // Whoever gets it is the only one who has it from then on.
        TypeKind::Record { name, .. } if name.starts_with("std::") => None,
        TypeKind::Record { .. } => Some(object),
        TypeKind::LvalueRef(to) => match &to.kind {
            TypeKind::Record { name, .. } if !name.starts_with("std::") => Some(object),
            _ => None,
        },
        _ => None,
    }
}

/// Makes room for a text; one that is too long for the data stays as it is.
fn fit(slot: &mut Slot, literal: &Literal) {
    let Literal::Str(text) = literal else { return };
    if text.len() as u64 <= STRING_LENGTH {
        return;
    }
    match &mut slot.recipe.kind {
        Kind::CString { most } | Kind::StdString { most } if text.len() <= TEXT => {
            *most = (*most).max(text.len() as u64)
        }
        Kind::CString { .. } | Kind::StdString { .. } => {
            let expressions = vec![quoted(text)];
            slot.recipe = Kind::OneOf { expressions }.of(slot.recipe.ty.clone());
        }
        _ => {}
    }
}

/// A text as a literal, as a person would write it.
fn quoted(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in text {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'"' | b'\\' => out.extend(['\\', char::from(*byte)]),
            // No trigraphs.
            b'?' if out.ends_with('?') => out.push_str("\\?"),
            0x20..=0x7e => out.push(char::from(*byte)),
            // By its octal number, which ends by itself.
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_text_is_quoted_as_a_person_would() {
        assert_eq!(quoted(b"a \"b\"\\\n??="), r#""a \"b\"\\\n?\?=""#);
        assert_eq!(quoted(b"\x01\xff1"), r#""\001\3771""#);
    }
}
