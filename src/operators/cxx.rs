//! Operators for constructs that C does not have: inheritance, overloads, construction, exceptions, the standard
//! library.
//!
//! Operators for classes are those of MuCPP and MuJava, for exceptions those of MuCPP and Derezińska, for C++11 and
//! later those of Parsai et al.; `docs/operators.md` has the sources, and says which are our own.

mod calls;
mod construction;
mod exceptions;
mod inheritance;
mod library;
mod modern;
mod overloads;
mod types;

use super::{Group, Operator, Surroundings};
use crate::model::{Class, Function, Language, Type, Usr};
use crate::mutant::made::{Change, Edit};
use crate::tree::{Body, Entity, Kind, Node, Role, Span};

/// Makes one operator's changes of one node.
type Make = fn(&Site<'_>, &mut Edits<'_>);

/// An operator with its implementation.
struct Rule {
    operator: Operator,
    make: Make,
}

const fn rule(name: &'static str, summary: &'static str, source: &'static str, make: Make) -> Rule {
    Rule { operator: Operator { name, group: Group::Cxx, summary, source }, make }
}

const MUCPP: &str = "MuCPP (Delgado-Pérez, Medina-Bulo, Palomo-Lozano, García-Domínguez, Domínguez-Jiménez 2017)";
const MUJAVA: &str = "MuJava (Ma, Offutt, Kwon 2005)";
const PARSAI: &str = "C++11/14 mutation operators based on common fault patterns (Parsai, Demeyer, De Busser 2018)";
const DEREZINSKA: &str = "operators for C#'s exception handling (Derezińska 2006)";
const STRYKER: &str = "Stryker's method expressions, for the standard library of C++";
const OWN: &str = "our own";

const RULES: &[Rule] = &[
    rule("IOD", "the body of an overriding method becomes a call of the overridden one", MUCPP, inheritance::iod),
    rule("IOP", "the call of the overridden method is moved or deleted", MUCPP, inheritance::iop),
    rule("ISI", "a call of a method calls the base's version", MUCPP, inheritance::isi),
    rule("ISD", "the base's name before a method is deleted", MUCPP, inheritance::isd),
    rule("PNC", "an object of a sibling or child class is made", MUCPP, construction::pnc),
    rule("IPC", "the base's constructor is not called explicitly", MUCPP, construction::ipc),
    rule("CID", "a member's initialiser is deleted", MUCPP, construction::cid),
    rule("CIS", "two members of one type are initialised with each other's values", OWN, construction::cis),
    rule("CTD", "`this->` is deleted where a variable has the member's name", MUCPP, calls::ctd),
    rule("CAD", "an assignment of a member is deleted", OWN, calls::cad),
    rule("OAN", "an argument that has a default, or that an overload lacks, is left out", MUCPP, overloads::oan),
    rule("OAO", "two arguments of one type change places", MUCPP, overloads::oao),
    rule("OMR", "a sibling overload is called", OWN, overloads::omr),
    rule("OCC", "the `const` overload of a method is called", OWN, overloads::occ),
    rule("OOR", "an overloaded operator becomes another that has the same operands", OWN, overloads::oor),
    rule("EAM", "a getter is replaced by the next one of the same type", MUJAVA, calls::eam),
    rule("EMM", "a setter is replaced by the next one of the same type", MUJAVA, calls::emm),
    rule("MCO", "a method is called of another member or variable of the same class", MUCPP, calls::mco),
    rule("TSD", "a `throw` is deleted", OWN, exceptions::tsd),
    rule("EHR", "an exception handler is removed", MUCPP, exceptions::ehr),
    rule("EHC", "an exception handler throws on what it caught", MUCPP, exceptions::ehc),
    rule("EXS", "an exception is swallowed: the handler does nothing", DEREZINSKA, exceptions::exs),
    rule("LIB", "a function of the standard library becomes its counterpart", STRYKER, library::lib),
    rule("BES", "`begin` becomes `end` in a range or comparison, and `end` becomes `begin`", OWN, library::bes),
    rule("NCN", "the check of an optional or smart pointer for nothing is negated", OWN, library::ncn),
    rule("MVD", "`std::move` is deleted", OWN, modern::mvd),
    rule("FWD", "`std::forward` becomes `std::move`", PARSAI, modern::fwd),
    rule("FOR", "a range-based `for` runs over copies", PARSAI, modern::range_for),
    rule("LMB", "a lambda captures by reference", PARSAI, modern::lmb),
    rule("INI", "braces around a container's arguments become parentheses", PARSAI, modern::ini),
];

/// The operators, in their order.
pub(super) const OPERATORS: &[Operator] = &{
    let mut operators = [RULES[0].operator; RULES.len()];
    let mut index = 1;
    while index < RULES.len() {
        operators[index] = RULES[index].operator;
        index += 1;
    }
    operators
};

/// Data about the whole body.
struct Scene<'a> {
    body: &'a Body,
    around: &'a Surroundings<'a>,
    function: &'a Function,
    owner: Option<&'a Class>,
}

/// A node in its place.
struct Site<'a> {
    scene: &'a Scene<'a>,
    node: &'a Node,
    /// Its ancestors, the nearest last.
    above: Vec<&'a Node>,
}

/// Collects changes.
struct Edits<'a> {
    operator: &'static str,
    out: &'a mut Vec<Change>,
}

impl Edits<'_> {
    /// Replaces one span by `text`.
    fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.all(vec![(span, text.into())]);
    }

    /// Replaces several spans at once.
    fn all(&mut self, edits: Vec<(Span, Vec<u8>)>) {
        let mut edits: Vec<Edit> =
            edits.into_iter().map(|(span, text)| Edit { start: span.start, end: span.end, text }).collect();
        edits.sort();
        self.out.push(Change { operator: self.operator.to_string(), edits });
    }
}

/// The changes of one body by the requested operators.
pub(super) fn collect(body: &Body, around: &Surroundings<'_>, wanted: &dyn Fn(&str) -> bool, out: &mut Vec<Change>) {
    let Some(function) = around.model.functions.get(&body.unit).filter(|f| f.language == Language::Cxx) else { return };
    let owner = function.owner.as_ref().and_then(|usr| around.model.classes.get(usr));
    let scene = Scene { body, around, function, owner };
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| wanted(rule.operator.name)).collect();
    if rules.is_empty() {
        return;
    }
    let mut above = Vec::new();
    for value in body.initializers.iter().flat_map(|initializer| &initializer.values) {
        visit(&scene, value, &mut above, &rules, out);
    }
    visit(&scene, &body.root, &mut above, &rules, out);
}

fn visit<'a>(scene: &'a Scene<'a>, node: &'a Node, above: &mut Vec<&'a Node>, rules: &[&Rule], out: &mut Vec<Change>) {
    // The methods of a local class belong to other functions.
    if matches!(node.kind, Kind::Unevaluated) || node.is_local_class() {
        return;
    }
    // A macro argument may be expanded twice, or stringized; a statement there is as written.
    let in_macro = node.in_macro
        || !node.kind.is_statement()
            && above.iter().rev().take_while(|node| !node.kind.is_statement()).any(|node| node.in_macro);
    if !in_macro {
        let site = Site { scene, node, above: above.clone() };
        for rule in rules {
            (rule.make)(&site, &mut Edits { operator: rule.operator.name, out });
        }
    }
    above.push(node);
    for child in &node.children {
        visit(scene, child, above, rules, out);
    }
    above.pop();
}

impl<'a> Scene<'a> {
    /// The text of a span for inspection; empty if it is not UTF-8.
    fn text(&self, span: Span) -> &'a str {
        std::str::from_utf8(self.bytes(span)).unwrap_or_default()
    }

    /// The bytes of a span, to copy elsewhere.
    fn bytes(&self, span: Span) -> &'a [u8] {
        span.text(self.around.source)
    }

    fn ty(&self, node: &Node) -> Option<&'a Type> {
        self.around.trees.types.get(node.ty? as usize)
    }

    fn called(&self, target: &Usr) -> Option<&'a Function> {
        self.around.model.functions.get(target)
    }

    /// The functions `name` in the scope of a free function. Their USRs have a common prefix, up to the parameters.
    fn free_functions(&self, beside: &Function, name: &str) -> Vec<&'a Function> {
        let own = format!("@F@{}#", beside.name);
        let Some(at) = beside.usr.rfind(&own) else { return Vec::new() };
        let prefix = format!("{}@F@{name}#", &beside.usr[..at]);
        let functions = self.around.model.functions.range(prefix.clone()..);
        functions.take_while(|(usr, _)| usr.starts_with(&prefix)).map(|(_, function)| function).collect()
    }

    /// Whether the parameter names are those of the model; a definition may name them differently.
    fn names_parameters(&self) -> bool {
        let Some(definition) = &self.function.definition else { return false };
        let start = definition.name_offset + definition.name_len;
        let end = definition.initializers.as_ref().map_or(definition.body.start, |extent| extent.start);
        let head = self.text(Span { start, end });
        self.function.params.iter().all(|param| !param.name.is_empty() && has_word(head, &param.name))
    }
}

impl<'a> Site<'a> {
    fn text(&self, span: Span) -> &'a str {
        self.scene.text(span)
    }

    fn bytes(&self, span: Span) -> &'a [u8] {
        self.scene.bytes(span)
    }

    fn parent(&self) -> Option<&'a Node> {
        self.above.last().copied()
    }

    fn in_lambda(&self) -> bool {
        self.above.iter().any(|node| node.kind == Kind::Lambda)
    }

    /// The nearest ancestor that is not a parenthesis.
    fn user(&self) -> Option<&'a Node> {
        self.above.iter().rev().find(|node| node.kind != Kind::Paren).copied()
    }

    /// The role of it, or of the parentheses around it.
    fn part(&self) -> Role {
        let mut role = self.node.role;
        for node in self.above.iter().rev() {
            if node.kind != Kind::Paren {
                break;
            }
            role = node.role;
        }
        role
    }

    /// Its value is only read, so that a constant or a temporary will do.
    fn is_read_only(&self) -> bool {
        let part = self.part();
        match self.user() {
            Some(user) => match &user.kind {
                Kind::Expression => part == Role::Operand,
                Kind::Binary { op, .. } => op != ",",
                Kind::Assign { .. } => part == Role::Right,
                Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Switch => part == Role::Condition,
                Kind::Unary { op, .. } => matches!(op.as_str(), "-" | "!" | "~" | "+" | "*"),
                Kind::Conditional => part == Role::Condition,
                Kind::Index => part == Role::Right,
                Kind::Return => {
                    !self.in_lambda()
                        && !matches!(
                            self.scene.function.result.kind,
                            crate::model::TypeKind::LvalueRef(_) | crate::model::TypeKind::RvalueRef(_)
                        )
                }
                Kind::Call { target, .. } if part == Role::Argument => {
                    let index = types::arguments(user).iter().position(|argument| {
                        argument.span.start <= self.node.span.start && self.node.span.end <= argument.span.end
                    });
                    let called = self.scene.called(target).filter(|called| called.template.is_none());
                    called.zip(index).and_then(|(called, index)| called.params.get(index)).is_some_and(|param| {
                        match &param.ty.kind {
                            crate::model::TypeKind::LvalueRef(to) => to.is_const,
                            _ => types::is_object(&param.ty),
                        }
                    })
                }
                Kind::Member { of: Entity::Method, .. } => {
                    // The method called on it must be a const method.
                    let call = self.above.iter().rev().find(|node| matches!(node.kind, Kind::Call { .. }));
                    match call.map(|call| &call.kind) {
                        Some(Kind::Call { target, name, .. }) => match self.scene.called(target) {
                            Some(called) => called.is_const,
                            None => name.starts_with("std::") && CONSTANT.contains(&last(name)),
                        },
                        _ => false,
                    }
                }
                Kind::Variable { .. } => {
                    part == Role::Init
                        && self.scene.ty(user).is_some_and(types::is_object)
                        && !self
                            .above
                            .iter()
                            .rev()
                            .any(|node| node.kind == Kind::Declaration && has_word(self.text(node.span), "auto"))
                }
                _ => false,
            },
            None => false,
        }
    }
}

/// Const methods of the standard library with the same result in all classes.
const CONSTANT: &[&str] = &["size", "length", "empty", "count", "c_str", "compare", "capacity", "has_value"];

/// Whether `text` contains the whole word `word`.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(is_part)
            && !text[at + word.len()..].chars().next().is_some_and(is_part)
    })
}

/// The last component of a qualified name.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

#[cfg(test)]
mod tests;
