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
mod scene;
mod types;

use super::{Group, Operator, Surroundings};
use crate::model::Language;
use crate::mutant::made::Change;
use crate::tree::{Body, Kind, Node};
use scene::{Edits, Scene, Site};

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

/// The changes of one body by those of the operators that are wanted.
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

#[cfg(test)]
mod tests;
