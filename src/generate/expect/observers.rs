//! What everybody may ask the objects of a test, where a mutant leaves a difference in private state: accessors,
//! sizes, what `operator<<` writes, and methods that return a value. A program built like the test says which of them
//! shows it.

use super::check::{Check, Root};
use super::value::check_of;
use crate::generate::installed::PRINT;
use crate::model::{Access, Class, Function, FunctionKind, Model, Prim, Type, TypeKind};
use crate::types::standard::{is_string, is_text};
use crate::types::substitution::Substitution;
use serde_json::Value;

/// The most questions to the objects of one test.
const MOST: usize = 60;
/// How far a question goes: `document.root().name()`.
const DEEPEST: usize = 2;

/// A question to an object that a test has made.
#[derive(Clone, Debug, PartialEq)]
pub struct Observer {
    /// The expression.
    pub expression: String,
    /// The type of its value.
    pub ty: Type,
    /// A function that the test brings along for it.
    pub helper: Option<&'static str>,
    /// The less, the more a person would ask that.
    rank: usize,
}

impl Observer {
    /// A question by its expression and the type of the answer.
    pub fn new(expression: impl Into<String>, ty: Type) -> Self {
        Self { expression: expression.into(), ty, helper: None, rank: 0 }
    }

    /// The check that the answer is as recorded.
    pub fn check(&self, model: &Model, answer: &Value) -> Option<Check> {
        let language = crate::model::Language::Cxx;
        check_of(model, language, self.expression.clone(), self.ty.clone(), answer)
    }
}

/// Questions to the objects of a test, the most natural first. `hidden` are the private places that differ.
pub(super) fn observers(model: &Model, roots: &[Root], hidden: &[String]) -> Vec<Observer> {
    let words: Vec<String> = hidden.iter().flat_map(|text| text.split(['.', '>', '(', '['])).map(plain).collect();
    let mut asking = Asking { model, words, found: Vec::new() };
    for root in roots.iter().filter(|root| !root.name.starts_with('<')) {
        let (text, ty) = match root.ty.pointee() {
            Some(to) => (crate::cpp::dereference(&root.made.object), to),
            None => (root.made.object.clone(), root.ty.without_ref()),
        };
        asking.object(&text, ty, ty.is_const, 0);
    }
    asking.found.sort_by_key(|observer| observer.rank);
    asking.found.truncate(MOST);
    asking.found
}

/// A name as its accessor might have it.
fn plain(name: &str) -> String {
    let name = name.trim_start_matches("m_").trim_start_matches("_");
    let lower: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    ["get", "is", "has"]
        .iter()
        .find_map(|verb| lower.strip_prefix(verb))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(&lower)
        .to_owned()
}

struct Asking<'m> {
    model: &'m Model,
    words: Vec<String>,
    found: Vec<Observer>,
}

impl Asking<'_> {
    fn object(&mut self, text: &str, ty: &Type, is_const: bool, depth: usize) {
        let Some(class) = self.model.class_of(ty).filter(|class| class.installed.is_none()) else { return };
        let TypeKind::Record { args, .. } = &ty.kind else { return };
        let with = Substitution::of(self.model, class, args);
        let grip = match text.strip_prefix('*') {
            Some(pointer) => format!("{pointer}->"),
            None => format!("{text}."),
        };
        for method in class.functions(self.model) {
            self.method(method, &with, &grip, is_const, depth);
        }
        if depth == 0 && is_printed(self.model, class) {
            let expression = format!("printed({text})");
            let ty = crate::types::compose::text();
            self.found.push(Observer { expression, ty, helper: Some(PRINT), rank: 20 });
        }
        let bases: Vec<Type> =
            class.other_bases().filter(|base| base.access == Access::Public).map(|base| with.apply(&base.ty)).collect();
        for base in bases {
            // Through the object itself, whose methods may hide those of the base.
            self.object(text, &base, is_const, depth.max(1));
        }
    }

    fn method(&mut self, method: &Function, with: &Substitution<'_>, grip: &str, is_const: bool, depth: usize) {
        let may_be_asked = method.access == Some(Access::Public)
            && method.kind == FunctionKind::Method
            && method.template.is_none()
            && !method.is_deleted
            && !method.is_noreturn
            && !method.is_variadic
            && method.ref_qualifier.is_none()
            && (method.is_const || !is_const);
        let arguments: Option<Vec<&str>> = method.params.iter().map(|param| argument(&with.apply(&param.ty))).collect();
        let Some(arguments) = arguments.filter(|list| may_be_asked && list.len() <= 2) else { return };
        let result = with.apply(&method.result);
        let expression = format!("{grip}{}({})", method.name, arguments.join(", "));
        let is_alike = self.words.contains(&plain(&method.name));
        let rank =
            depth * 4 + arguments.len() * 8 + if method.is_const { 0 } else { 30 } + if is_alike { 0 } else { 2 };
        if is_plain(&result) {
            if !self.found.iter().any(|known| known.expression == expression) {
                self.found.push(Observer { expression, ty: result.without_ref().clone(), helper: None, rank });
            }
        } else if depth + 1 < DEEPEST && arguments.is_empty() && method.is_const {
            match result.pointee() {
                Some(to) => self.object(&format!("*{expression}"), &to.clone(), to.is_const, depth + 1),
                None => {
                    let to = result.without_ref();
                    self.object(&expression, to, to.is_const, depth + 1);
                }
            }
        }
    }
}

/// Whether `operator<<` writes the class to a stream.
fn is_printed(model: &Model, class: &Class) -> bool {
    model.functions.values().any(|function| {
        function.name == "operator<<"
            && function.owner.is_none()
            && function.template.is_none()
            && function.params.get(1).is_some_and(|param| param.ty.without_ref().record() == Some(&class.usr))
            && function.params.first().is_some_and(|param| param.ty.spelling.contains("ostream"))
    })
}

/// Numbers, enumerators and text.
fn is_plain(ty: &Type) -> bool {
    match &ty.without_ref().kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) => true,
        TypeKind::Pointer(to) => to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Record { name, .. } => is_string(name) || is_text(name),
        _ => false,
    }
}

/// The plainest value of a parameter.
fn argument(ty: &Type) -> Option<&'static str> {
    match &ty.without_ref().kind {
        TypeKind::Prim(Prim::Bool) => Some("true"),
        TypeKind::Prim(Prim::Float | Prim::Double | Prim::LongDouble) => Some("1.0"),
        TypeKind::Prim(Prim::Char) => Some("'a'"),
        TypeKind::Prim(_) => Some("0"),
        TypeKind::Record { name, .. } if is_string(name) || is_text(name) => Some("\"a\""),
        TypeKind::Pointer(to) if to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)) => Some("\"a\""),
        _ => None,
    }
}
