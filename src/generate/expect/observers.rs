//! What everybody may ask the objects of a test, where a mutant leaves a difference in private state: accessors,
//! sizes, what `operator<<` writes, and methods that return a value. A program built like the test says which of them
//! shows it.

use super::check::{Check, Root};
use super::plainly::leave_out_sign;
use super::value::check_of;
use crate::generate::installed::PRINT;
use crate::lexicon::{Lexicon, Role};
use crate::model::library::Shape;
use crate::model::{Access, Class, Function, FunctionKind, Model, Prim, Type, TypeKind};
use crate::types::records::record_type;
use crate::types::standard::{Anatomy, anatomy, is_string, is_text};
use crate::types::substitution::Substitution;
use serde_json::Value;

/// The most questions to the objects of one test.
const MOST: usize = 240;
/// How far a question goes: `document.root().name()`.
const DEEPEST: usize = 2;
/// The most calls behind which the questions are asked again.
const MOST_CALLS: usize = 12;

/// What is not called of an object that may hold nothing, or not in a test at all.
const NOT_CALLED: [Role; 8] =
    [Role::Ends, Role::Removes, Role::Drops, Role::Stops, Role::Waits, Role::Locks, Role::Runs, Role::Unsteady];

/// A question to an object that a test has made.
#[derive(Clone, Debug, PartialEq)]
pub struct Observer {
    /// The expression.
    pub expression: String,
    /// The type of its value.
    pub ty: Type,
    /// A function that the test brings along for it.
    pub helper: Option<&'static str>,
    /// What must hold for that: a pointer that is not null, a container that has elements.
    pub through: Option<String>,
    /// Nothing changes by it.
    pub is_const: bool,
    /// The less, the more a person would ask that.
    rank: usize,
}

/// Whether an expression asks the exception that a test catches.
pub fn is_of_exception(expression: &str) -> bool {
    let rest = expression.strip_prefix("printed(").unwrap_or(expression).strip_prefix(CAUGHT);
    rest.is_some_and(|rest| rest.starts_with(['.', '[', ')']))
}

impl Observer {
    /// A question by its expression and the type of the answer.
    pub fn new(expression: impl Into<String>, ty: Type) -> Self {
        Self { expression: expression.into(), ty, helper: None, through: None, is_const: true, rank: 0 }
    }

    /// The check that the answer is as recorded, and not as of the mutant.
    pub fn check(&self, model: &Model, answer: &Value, other: Option<&Value>) -> Option<Check> {
        let language = crate::model::Language::Cxx;
        let mut check = check_of(model, language, self.expression.clone(), self.ty.clone(), answer)?;
        leave_out_sign(&mut check, other);
        Some(check)
    }

    /// Whether it is asked of the exception that the call ends with.
    pub fn is_of_exception(&self) -> bool {
        is_of_exception(&self.expression)
    }
}

/// Questions to the objects of a test, the most natural first, and calls behind which they may be answered otherwise.
/// `setup` are the statements that make its objects, `hidden` the private places that differ, `thrown` is the type of
/// the exception that is caught.
pub(super) fn observers(
    model: &Model,
    lexicon: &Lexicon,
    roots: &[Root],
    setup: &[String],
    hidden: &[String],
    thrown: Option<&str>,
) -> (Vec<Observer>, Vec<String>) {
    let words: Vec<String> = hidden.iter().flat_map(|text| text.split(['.', '>', '(', '['])).map(plain).collect();
    let mut asking = Asking { model, lexicon, words, found: Vec::new(), calls: Vec::new(), through: None, base: 0 };
    for root in roots.iter().filter(|root| !root.name.starts_with('<')) {
        let (text, ty) = match root.ty.pointee() {
            Some(to) => (crate::cpp::dereference(&root.made.object), to),
            None => (root.made.object.clone(), root.ty.without_ref()),
        };
        let of_result = root.name == "return" && root.ty.pointee().is_some();
        asking.through = of_result.then(|| root.made.object.clone());
        asking.object(&text, ty, ty.is_const, 0);
    }
    if let Some(class) = thrown.and_then(|ty| model.class_named(ty)) {
        asking.exception(&record_type(model, class, Vec::new()));
    }
    for (name, written) in setup.iter().filter_map(|line| declared(line)) {
        if !roots.iter().any(|root| root.made.object == name) {
            asking.made_before(name, written);
        }
    }
    asking.found.sort_by_key(|observer| observer.rank);
    asking.found.truncate(MOST);
    asking.calls.sort_by_key(|(rank, _)| *rank);
    asking.calls.truncate(MOST_CALLS);
    (asking.found, asking.calls.into_iter().map(|(_, call)| call).collect())
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
    lexicon: &'m Lexicon,
    words: Vec<String>,
    found: Vec<Observer>,
    /// Statements that change an object, with their ranks.
    calls: Vec<(usize, String)>,
    /// What must hold on the way to the object that is asked.
    through: Option<String>,
    /// How much less than of others a person would ask that of the object.
    base: usize,
}

/// The rank of what may change the object that it is asked of.
const CHANGES: usize = 30;
/// The rank of the objects that are made for others.
const FOR_OTHERS: usize = 4;

/// What a test calls the exception that it catches.
pub const CAUGHT: &str = "error";

/// The variable that a statement declares, and its type as it is written.
fn declared(line: &str) -> Option<(&str, &str)> {
    let head = line[..line.find(['(', '=', '{', ';'])?].trim_end();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (ty, name) = head.split_at(head.rfind(|c| !is_part(c))? + 1);
    let begins = ty.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_type = ty.ends_with([' ', '*']) && begins && !line.contains('\n');
    (is_type && !name.is_empty()).then_some((name, ty.trim_end()))
}

impl Asking<'_> {
    /// An object that a test makes for others: a stream that they write to, the document that they are in.
    fn made_before(&mut self, name: &str, written: &str) {
        let (written, is_pointer) = written.strip_suffix('*').map_or((written, false), |to| (to.trim_end(), true));
        // (What was written there is what a caller sees.)
        if written.strip_prefix("std::").is_some_and(|name| name.ends_with("stringstream")) {
            self.ask(format!("{name}.str()"), &crate::types::compose::text(), true, 0);
        }
        self.base = FOR_OTHERS;
        let plain = written.strip_prefix("const ").unwrap_or(written);
        let mut known = self.model.classes.values();
        if let Some(class) = known.find(|class| class.qualified == plain && class.template.is_none()) {
            let ty = record_type(self.model, class, Vec::new());
            self.through = is_pointer.then(|| name.to_owned());
            let text = if is_pointer { format!("*{name}") } else { name.to_owned() };
            self.object(&text, &ty, plain != written, 0);
            self.through = None;
        }
        self.base = 0;
    }

    /// The exception that the call ends with.
    fn exception(&mut self, ty: &Type) {
        // (Its members have not been compared.)
        self.base = 1;
        self.object(CAUGHT, ty, true, 0);
        self.base = 0;
    }

    fn object(&mut self, text: &str, ty: &Type, is_const: bool, depth: usize) {
        let Some(class) = self.model.class_of(ty).filter(|class| class.installed.is_none()) else { return };
        let TypeKind::Record { args, .. } = &ty.kind else { return };
        let with = Substitution::of(self.model, class, args);
        for method in class.functions(self.model) {
            self.method(method, &with, text, is_const, depth);
        }
        if depth == 0 && is_printed(self.model, class) {
            let expression = format!("printed({text})");
            let ty = crate::types::compose::text();
            let through = self.through.clone();
            self.found.push(Observer { helper: Some(PRINT), through, rank: 20, ..Observer::new(expression, ty) });
        }
        if depth == 0 {
            self.functions(text, &class.usr);
        }
        // (Those of the test's own objects were compared.)
        let is_compared = depth == 0 && self.base == 0;
        for field in class.fields.iter().filter(|_| !is_compared) {
            let ty = with.apply(&field.ty);
            if field.access == Access::Public && !field.is_static && !field.name.is_empty() && is_plain(&ty) {
                let is_alike = self.words.contains(&plain(&field.name));
                self.ask(format!("{}{}", grip(text), field.name), &ty, true, depth * 4 + if is_alike { 1 } else { 3 });
            }
        }
        let bases: Vec<Type> =
            class.other_bases().filter(|base| base.access == Access::Public).map(|base| with.apply(&base.ty)).collect();
        for base in bases {
            // Through the object itself, whose methods may hide those of the base.
            self.object(text, &base, is_const, depth.max(1));
        }
    }

    /// Functions that everybody may call with the object, and nothing else: `Count(object)`, `Size(&object)`.
    fn functions(&mut self, text: &str, class: &str) {
        for function in self.model.functions.values().filter(|function| tells(function)) {
            let [only] = function.params.as_slice() else { continue };
            let (of, argument) = match only.ty.pointee() {
                Some(to) => (to, text.strip_prefix('*').map_or_else(|| format!("&{text}"), str::to_owned)),
                None => (only.ty.without_ref(), text.to_owned()),
            };
            if of.is_const && of.record().is_some_and(|of| of == class) {
                let is_alike = self.words.contains(&plain(&function.name));
                let rank = if is_alike { 8 } else { 10 };
                self.ask(format!("{}({argument})", function.qualified), &function.result, true, rank);
            }
        }
    }

    fn method(&mut self, method: &Function, with: &Substitution<'_>, text: &str, is_const: bool, depth: usize) {
        let is_index = method.name == "operator[]";
        let may_be_asked = method.access == Some(Access::Public)
            && method.kind == FunctionKind::Method
            && method.template.is_none()
            && !method.is_deleted
            && !method.is_noreturn
            && !method.is_variadic
            && method.ref_qualifier.is_none()
            && (is_index || !method.name.starts_with("operator"))
            && (method.is_const || !is_const);
        let arguments: Option<Vec<String>> =
            method.params.iter().map(|param| argument(self.model, &with.apply(&param.ty))).collect();
        let Some(arguments) = arguments.filter(|list| may_be_asked && list.len() <= 2) else { return };
        let result = with.apply(&method.result);
        let grip = grip(text);
        let asked = |arguments: &[String]| match text.strip_prefix('*') {
            _ if !is_index => format!("{grip}{}({})", method.name, arguments.join(", ")),
            Some(_) => format!("({text})[{}]", arguments.concat()),
            None => format!("{text}[{}]", arguments.concat()),
        };
        let expression = asked(&arguments);
        let is_alike = self.words.contains(&plain(&method.name));
        // By name, else what texts say, which is mostly more than a number.
        let natural = 1 + if is_alike { 0 } else { 1 + usize::from(!is_of_text(&result)) };
        let rank = depth * 4 + arguments.len() * 8 + if method.is_const { 0 } else { CHANGES } + natural;
        let is_pointer = matches!(result.without_ref().kind, TypeKind::Pointer(_));
        if is_plain(&result) || is_pointer && method.is_const {
            self.ask(expression.clone(), &result, method.is_const, rank + usize::from(!is_plain(&result)));
            // Behind the first of several there are others.
            if let [one] = arguments.as_slice()
                && one == "0"
                && method.is_const
            {
                for (index, further) in ["1", "2"].iter().enumerate() {
                    self.ask(asked(&[(*further).to_owned()]), &result, true, rank + 1 + index);
                }
            }
        }
        let is_way = method.is_const || result.is_reference();
        if depth + 1 < DEEPEST && arguments.is_empty() && is_way && !is_plain(&result) {
            let outer = (self.through.clone(), self.base);
            self.base += if method.is_const { 0 } else { CHANGES };
            match result.pointee() {
                Some(to) => {
                    self.through = Some(expression.clone());
                    self.object(&format!("*{expression}"), &to.clone(), to.is_const, depth + 1);
                }
                None => {
                    let to = result.without_ref();
                    self.object(&expression, to, to.is_const, depth + 1);
                    // (Two calls give two copies.)
                    if result.is_reference() {
                        self.first_element(&expression, to, depth + 1);
                    }
                }
            }
            (self.through, self.base) = outer;
        }
        // What is written to a file stays there.
        let names = std::iter::once(&method.name).chain(method.params.iter().map(|param| &param.name));
        let is_of_file = names.into_iter().any(|name| self.lexicon.says(name, Role::File));
        let may_be_called = !is_of_file && !self.lexicon.says(&method.name, NOT_CALLED);
        if depth == 0 && !method.is_const && !is_index && may_be_called && self.through.is_none() {
            self.calls.push((rank, format!("{expression};")));
            let others: Vec<String> =
                arguments.iter().map(|one| if one == "true" { "false".to_owned() } else { one.clone() }).collect();
            if others != arguments {
                self.calls.push((rank + 1, format!("{};", asked(&others))));
            }
        }
    }

    /// The first element of a container, and how many there are.
    fn first_element(&mut self, container: &str, ty: &Type, depth: usize) {
        let Some(Anatomy { shape: shape @ (Shape::Sequence | Shape::Map), parts, row: Some(row) }) =
            anatomy(self.model, ty)
        else {
            return;
        };
        if !row.is_range() {
            return;
        }
        let Some((_, element)) = parts.last() else { return };
        let outer = self.through.replace(format!("{container}.begin() != {container}.end()"));
        let text = match shape {
            Shape::Map => format!("{container}.begin()->second"),
            _ => format!("*{container}.begin()"),
        };
        match element.pointee() {
            _ if is_plain(element) => self.ask(text, element, true, depth * 4 + 2),
            None => self.object(&text, element, true, depth),
            Some(_) => {}
        }
        self.through = outer;
    }

    fn ask(&mut self, expression: String, ty: &Type, is_const: bool, rank: usize) {
        if !self.found.iter().any(|known| known.expression == expression) {
            let through = self.through.clone();
            let ty = ty.without_ref().clone();
            let is_const = is_const && self.base < CHANGES;
            let rank = rank + self.base;
            self.found.push(Observer { through, is_const, rank, ..Observer::new(expression, ty) });
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

/// What stands between an object and its member.
fn grip(text: &str) -> String {
    text.strip_prefix('*').map_or_else(|| format!("{text}."), |pointer| format!("{pointer}->"))
}

/// Whether a function, which other files may call, returns a plain value.
fn tells(function: &Function) -> bool {
    let is_free = function.owner.is_none() && function.kind == FunctionKind::Function;
    let is_static = function.kind == FunctionKind::StaticMethod && function.access == Some(Access::Public);
    (is_free || is_static)
        && function.language == crate::model::Language::Cxx
        && !function.is_file_local
        && (function.is_inline || !function.declarations.is_empty())
        && function.template.is_none()
        && !function.is_variadic
        && !function.is_deleted
        && !function.name.starts_with("operator")
        && is_plain(&function.result)
}

/// Text.
fn is_of_text(ty: &Type) -> bool {
    is_plain(ty) && !matches!(ty.without_ref().kind, TypeKind::Prim(_) | TypeKind::Enum(_))
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
fn argument(model: &Model, ty: &Type) -> Option<String> {
    let value = match &ty.without_ref().kind {
        TypeKind::Prim(Prim::Bool) => "true",
        TypeKind::Prim(Prim::Float | Prim::Double | Prim::LongDouble) => "1.0",
        TypeKind::Prim(Prim::Char) => "'a'",
        TypeKind::Prim(_) => "0",
        TypeKind::Enum(usr) => return model.enums.get(usr)?.enumerators.first().map(|(name, _)| name.clone()),
        TypeKind::Record { name, .. } if is_string(name) || is_text(name) => "\"a\"",
        TypeKind::Pointer(to) if to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)) => "\"a\"",
        _ => return None,
    };
    Some(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_the_set_up_are_known_by_their_statements() {
        let lines = ["A object(1);", "const ns::A *a = b.get();", "std::ostringstream out;", "object.f(1);", "f();"];
        let found: Vec<_> = lines.iter().filter_map(|line| declared(line)).collect();
        assert_eq!(found, [("object", "A"), ("a", "const ns::A *"), ("out", "std::ostringstream")]);
    }
}
