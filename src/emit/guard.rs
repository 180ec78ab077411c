//! The condition under which a mutant's change matters, in words for the name of its test: `when_count_is_below_4`,
//! `without_next`, `for_JSON_NULL`. It is read from the original's body: of a changed comparison, the values for which
//! the two versions differ; of any other change, the innermost `if` or `case` around it.

use super::{CheckKind, naming};
use crate::model::{Type, TypeKind};
use crate::tree::{Body, Entity, Kind, Node, Role, Span, Trees};
use crate::types::arithmetic::{is_signed, is_unsigned};

/// The longest condition.
const LONGEST: usize = 48;
/// The longest text that a condition tells.
const LONGEST_TEXT: usize = 16;

/// A change: the bytes of the original that differ, and what stands there in the mutant.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'s> {
    /// The original's file.
    source: &'s [u8],
    /// The mutated file.
    mutated: &'s [u8],
    span: Span,
}

impl<'s> Edit<'s> {
    /// Between the two versions of a file; none where they are equal.
    pub fn between(source: &'s [u8], mutated: &'s [u8]) -> Option<Self> {
        let alike = source.iter().zip(mutated).take_while(|(one, other)| one == other).count();
        if alike == source.len().max(mutated.len()) {
            return None;
        }
        let most = source.len().min(mutated.len()) - alike;
        let ends = source.iter().rev().zip(mutated.iter().rev());
        let behind = ends.take(most).take_while(|(one, other)| one == other).count();
        Some(Self { source, mutated, span: Span { start: alike as u32, end: (source.len() - behind) as u32 } })
    }

    /// The mutant's text in the place of a span around the change.
    fn text(&self, of: Span) -> Option<&'s str> {
        let end = (of.end as usize + self.mutated.len()).checked_sub(self.source.len())?;
        std::str::from_utf8(self.mutated.get(of.start as usize..end)?).ok().map(str::trim)
    }

    fn is_in(&self, span: Span) -> bool {
        span.start <= self.span.start && self.span.end <= span.end
    }
}

/// The condition of a change in one of these bodies, as a part of a name: `when_count_is_0`.
pub fn condition(trees: &Trees, edit: &Edit<'_>) -> Option<String> {
    let body = trees.bodies.iter().find(|body| edit.is_in(body.root.span))?;
    Reader { trees, edit }.of_body(body).filter(|told| told.len() <= LONGEST)
}

struct Reader<'r> {
    trees: &'r Trees,
    edit: &'r Edit<'r>,
}

impl Reader<'_> {
    fn of_body(&self, body: &Body) -> Option<String> {
        let mut path = vec![&body.root];
        while let Some(next) = path[path.len() - 1].children.iter().find(|child| self.edit.is_in(child.span)) {
            path.push(next);
        }
        let chooses = |at: usize| {
            at > 0 && path[at].role == Role::Condition && matches!(path[at - 1].kind, Kind::Case | Kind::Switch)
        };
        let exact = (0..path.len()).rev().filter(|at| !chooses(*at)).find_map(|at| self.differs(path[at]));
        // What is written in a lambda runs when somebody calls it.
        let own = path.iter().rposition(|node| node.is_apart()).map_or(0, |at| at + 1);
        let guards = || {
            let places = own.min(path.len())..path.len().saturating_sub(1);
            places.rev().find_map(|at| self.guard(&path[..at], path[at], path[at + 1]))
        };
        exact.or_else(guards)
    }

    /// For which values a changed condition is another one.
    fn differs(&self, node: &Node) -> Option<String> {
        let replaced = self.edit.text(node.span)?;
        if let Kind::Binary { op, at } = &node.kind {
            let (left, right) = (node.child(Role::Left)?, node.child(Role::Right)?);
            if self.edit.is_in(*at) {
                let both = relation(op)? ^ relation(self.edit.text(*at)?)?;
                if both.count_ones() > 1 && [left, right].iter().any(|side| self.may_be_unordered(side)) {
                    return None;
                }
                return self.comparison(left, right, both);
            }
            if let Some(told) = relation(op).and_then(|both| self.moved(left, right, both)) {
                return Some(told);
            }
            // (Of `a || b` one operand is left: the other one would have decided.)
            if op == "||" || op == "&&" {
                let is_left = |kept: &Node| kept.span.text(self.edit.source) == replaced.as_bytes();
                let gone = [(left, right), (right, left)].into_iter().find(|(_, kept)| is_left(kept))?.0;
                return self.clause(gone, op == "||");
            }
        }
        if node.role == Role::Condition || self.is_truth(node) {
            let truth = match replaced.trim_matches(['(', ')']).trim() {
                "0" | "false" => true,
                "1" | "true" => false,
                _ => return None,
            };
            return self.clause(node, truth);
        }
        None
    }

    /// For which values a comparison with another number is another one: all between the two, for which the original's
    /// is false or true.
    fn moved(&self, left: &Node, right: &Node, both: u8) -> Option<String> {
        let (left, right, both) = match self.edit.is_in(right.span) {
            true => (left, right, both),
            false => (right, left, swapped(both)),
        };
        let mut bound = right;
        while matches!(bound.kind, Kind::Paren | Kind::Cast) {
            bound = bound.children.last()?;
        }
        let Kind::Integer(_) = bound.kind else { return None };
        if self.may_be_unordered(left) {
            return None;
        }
        let text = |node: &Node| std::str::from_utf8(node.span.text(self.edit.source)).ok().and_then(number);
        let (was, is) = (text(bound)?, self.edit.text(bound.span).and_then(number)?);
        // (A number below zero is a great one beside one without a sign.)
        let is_signed = |node| self.ty(node).is_some_and(|ty| matches!(ty.kind, TypeKind::Prim(of) if is_signed(of)));
        if was.min(is) < 0 && !is_signed(left) {
            return None;
        }
        // (`x < 4` and `x <= 3` are one: the number up to which it is true, or from which.)
        let is_below = both & LESS != 0;
        if both & (LESS | MORE) == LESS | MORE || both == EQUAL {
            return None;
        }
        let least = |bound: i128| bound + i128::from(is_below == (both & EQUAL != 0));
        let (from, to) = (least(was).min(least(is)), least(was).max(least(is)));
        if to - from == 1 {
            return Some(format!("when_{}_is_{}", self.value(left)?, naming::value(&from.to_string(), CheckKind::Int)));
        }
        let is_true = is_below == (was > is);
        self.comparison(left, right, if is_true { both } else { !both })
    }

    /// What is true wherever `parent`, which stands in the last of `around`, leads to `child`.
    fn guard(&self, around: &[&Node], parent: &Node, child: &Node) -> Option<String> {
        let (above, beyond) = (around.last().copied(), around.iter().rev().nth(1).copied());
        let is_label = |node: &Node| matches!(node.kind, Kind::Case | Kind::Default | Kind::Label);
        // (One of several labels in a row.)
        let is_shared = above.is_some_and(is_label);
        match (&parent.kind, child.role) {
            (Kind::If | Kind::Conditional, Role::Then) => self.clause(parent.child(Role::Condition)?, true),
            (Kind::If | Kind::Conditional, Role::Else) => {
                let told = self.clause(parent.child(Role::Condition)?, false)?;
                // (Nearly everything is not what the first of several conditions asks for.)
                let says_little = told.contains("_is_not_") || told.starts_with("when_not_");
                Some(told).filter(|_| child.kind != Kind::If || !says_little)
            }
            (Kind::Case, Role::Then) if !is_label(child) && !is_shared => match above {
                Some(block) if block.kind == Kind::Block => self.label(beyond, block, parent),
                _ => None,
            },
            (Kind::Block, _) => {
                let at = parent.children.iter().position(|other| std::ptr::eq(other, child))?;
                let label = parent.children[..at].iter().rev().find(|other| is_label(other))?;
                (!is_label(child)).then(|| self.label(above, parent, label)).flatten()
            }
            _ => None,
        }
    }

    /// The value of a `case` of a block that stands alone before its statements, where nothing falls through to it.
    fn label(&self, switch: Option<&Node>, block: &Node, case: &Node) -> Option<String> {
        let is_label = |then: &Node| matches!(then.kind, Kind::Case | Kind::Default | Kind::Label);
        let values = case.children.iter().filter(|child| child.role == Role::Condition).count();
        let at = block.children.iter().position(|other| std::ptr::eq(other, case))?;
        let falls = at.checked_sub(1).is_some_and(|before| !leaves(&block.children[before]));
        if case.kind != Kind::Case || values != 1 || falls || case.child(Role::Then).is_some_and(is_label) {
            return None;
        }
        let label = case.child(Role::Condition)?;
        let value = self.value(label)?;
        // A number does not say of what it is.
        match label.kind {
            Kind::Integer(_) => self.value(switch?.child(Role::Condition)?).map(|of| format!("when_{of}_is_{value}")),
            _ => Some(format!("for_{value}")),
        }
    }

    /// A condition, or its opposite.
    fn clause(&self, node: &Node, truth: bool) -> Option<String> {
        let with = |what: String| format!("{}_{what}", if truth { "with" } else { "without" });
        let when = |what: String| format!("when_{}{what}", if truth { "" } else { "not_" });
        match &node.kind {
            Kind::Paren => self.clause(node.children.first()?, truth),
            Kind::Unary { op, .. } if op == "!" => self.clause(node.child(Role::Operand)?, !truth),
            Kind::Binary { op, .. } if relation(op).is_some() => {
                let both = relation(op)?;
                let (left, right) = (node.child(Role::Left)?, node.child(Role::Right)?);
                let is_ordered = [left, right].iter().all(|side| !self.may_be_unordered(side));
                (truth || is_ordered || both == EQUAL || both == ALL ^ EQUAL).then_some(())?;
                self.comparison(left, right, if truth { both } else { !both })
            }
            Kind::OperatorCall { op, .. } if matches!(op.as_str(), "==" | "!=") || truth && relation(op).is_some() => {
                let both = relation(op)?;
                self.comparison(node.child(Role::Left)?, node.child(Role::Right)?, if truth { both } else { !both })
            }
            Kind::Binary { op, .. } if op == "&" => match self.value(node.child(Role::Right)?)? {
                mask if mask.starts_with(|c: char| c.is_ascii_digit()) => {
                    self.value(node).map(|value| format!("when_{value}_is_{}0", if truth { "not_" } else { "" }))
                }
                flag => Some(with(flag)),
            },
            Kind::Binary { op, .. } if (op == "&&" && truth) || (op == "||" && !truth) => {
                // (Each of the two holds, so one alone is no lie.)
                let [one, other] = [Role::Left, Role::Right].map(|side| self.clause(node.child(side)?, truth));
                let (Some(one), Some(other)) = (&one, &other) else { return other.or(one) };
                let whole = within(one, other).unwrap_or_else(|| {
                    let is_when = one.starts_with("when_");
                    format!("{one}_and_{}", other.strip_prefix("when_").filter(|_| is_when).unwrap_or(other))
                });
                Some(if whole.len() <= LONGEST { whole } else { other.clone() })
            }
            Kind::Call { .. } => match self.is_truth(node) {
                true => self.call(node).map(when),
                false => self.call(node).map(with),
            },
            Kind::Name { of, .. } | Kind::Member { of, .. } if !matches!(of, Entity::Function | Entity::Method) => {
                let value = self.value(node)?;
                Some(if self.is_truth(node) { when(value) } else { with(value) })
            }
            Kind::Assign { op, .. } if op == "=" => self.value(node).map(with),
            _ => None,
        }
    }

    /// How two values compare.
    fn comparison(&self, left: &Node, right: &Node, both: u8) -> Option<String> {
        let (left, right, both) = match is_literal(left) && !is_literal(right) {
            true => (right, left, swapped(both)),
            false => (left, right, both),
        };
        let both = both & ALL;
        if self.is_null(right) {
            let of = self.value(left)?;
            return match both {
                EQUAL => Some(format!("without_{of}")),
                _ if both == ALL ^ EQUAL => Some(format!("with_{of}")),
                _ => None,
            };
        }
        // (No number without a sign is below zero.)
        let is_unsigned = |ty: &Type| matches!(ty.kind, TypeKind::Prim(of) if is_unsigned(of));
        let is_zero = std::str::from_utf8(right.span.text(self.edit.source)).ok().and_then(number) == Some(0);
        let is_cut = is_zero && self.ty(left).is_some_and(is_unsigned);
        let both = if is_cut { both & (EQUAL | MORE) } else { both };
        if is_cut && both == EQUAL | MORE {
            return None;
        }
        let word = match both {
            EQUAL => "is",
            LESS => "is_below",
            MORE => "is_above",
            _ if both == LESS | MORE => "is_not",
            _ if both == LESS | EQUAL => "is_at_most",
            _ if both == MORE | EQUAL => "is_at_least",
            _ => return None,
        };
        Some(format!("when_{}_{word}_{}", self.value(left)?, self.value(right)?))
    }

    /// An operand in words.
    fn value(&self, node: &Node) -> Option<String> {
        let text = std::str::from_utf8(node.span.text(self.edit.source)).ok()?;
        let word = |text: &str| Some(bare(text)).filter(|word| !word.is_empty()).map(str::to_owned);
        if node.in_macro || matches!(node.kind, Kind::Other(_)) {
            // A constant by its name.
            let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
            return word(text).filter(|_| is_name && text.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        }
        match &node.kind {
            // Of a body's own variables nobody knows who only calls it.
            Kind::Name { .. } | Kind::Member { .. } if is_own(node) => None,
            Kind::Name { name, of, .. } | Kind::Member { name, of, .. } => {
                word(name.as_str()).filter(|_| !matches!(of, Entity::Function | Entity::Method))
            }
            Kind::Integer(_) | Kind::Floating => {
                let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
                let marks = if is_hexadecimal { &['u', 'U', 'l', 'L'][..] } else { &['u', 'U', 'l', 'L', 'f', 'F'] };
                let digits = text.trim_end_matches(marks);
                let plain = digits.strip_suffix(".0").unwrap_or(digits);
                Some(naming::slug(plain)).filter(|words| !words.is_empty())
            }
            Kind::Boolean(value) => Some(value.to_string()),
            Kind::Null => Some("null".to_owned()),
            Kind::Character => naming::character_of(text),
            Kind::Text => {
                let inner = text.strip_prefix('"')?.strip_suffix('"')?;
                let is_plain = inner.chars().all(|c| c.is_ascii_alphanumeric() || "_- ".contains(c));
                let words = naming::slug(inner);
                (is_plain && !words.is_empty() && words.len() <= LONGEST_TEXT).then_some(words)
            }
            Kind::Paren | Kind::Cast => self.value(node.children.last()?),
            Kind::Unary { op, .. } if op == "-" => {
                self.value(node.child(Role::Operand)?).map(|of| format!("minus_{of}"))
            }
            Kind::Unary { op, .. } if op == "*" => {
                self.value(node.child(Role::Operand)?).map(|of| format!("value_at_{of}"))
            }
            Kind::Assign { op, .. } if op == "=" => self.value(node.child(Role::Left)?),
            Kind::Binary { op, .. } => {
                const WORDS: [(&str, &str); 6] =
                    [("+", "plus"), ("-", "minus"), ("*", "times"), ("/", "by"), ("%", "modulo"), ("&", "and")];
                let (_, word) = WORDS.iter().find(|(sign, _)| sign == op)?;
                let sides = [Role::Left, Role::Right].map(|side| self.value(node.child(side)?));
                let [left, right] = sides;
                Some(format!("{}_{word}_{}", left?, right?))
            }
            Kind::Index => {
                let [array, at] = [Role::Left, Role::Right].map(|side| node.child(side));
                Some(format!("{}_at_{}", self.value(array?)?, self.value(at?)?))
            }
            Kind::Call { .. } => self.call(node),
            _ => None,
        }
    }

    /// A call with one plain argument at most.
    fn call(&self, node: &Node) -> Option<String> {
        let callee = node.child(Role::Callee)?;
        let (name, object) = match &callee.kind {
            Kind::Name { name, of: Entity::Function | Entity::Method, .. } => (bare(name), None),
            Kind::Member { name, of: Entity::Method, .. } => (bare(name), callee.child(Role::Object)),
            _ => return None,
        };
        let mut arguments = node.children.iter().filter(|child| child.role == Role::Argument);
        let (argument, more) = (arguments.next(), arguments.next());
        if more.is_some() || name.is_empty() || callee.in_macro {
            return None;
        }
        let object = object.filter(|object| object.kind != Kind::This).map(|object| self.value(object));
        let of = match argument {
            Some(argument) => format!("_{}", self.value(argument)?),
            None => String::new(),
        };
        match object {
            Some(object) => Some(format!("{}_{name}{of}", object?)),
            None => Some(format!("{name}{of}")),
        }
    }

    fn ty(&self, node: &Node) -> Option<&Type> {
        Some(self.trees.types.get(node.ty? as usize)?.without_ref())
    }

    /// Whether it is a floating-point number, or nobody knows: NaN is neither less than a number nor more.
    fn may_be_unordered(&self, node: &Node) -> bool {
        use crate::model::Prim::{Double, Float, LongDouble};
        self.ty(node).is_none_or(|ty| matches!(ty.kind, TypeKind::Prim(Float | Double | LongDouble)))
    }

    fn is_truth(&self, node: &Node) -> bool {
        self.ty(node).is_some_and(|ty| matches!(ty.kind, TypeKind::Prim(crate::model::Prim::Bool)))
    }

    fn is_null(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Null => true,
            Kind::Paren => node.children.first().is_some_and(|inner| self.is_null(inner)),
            _ => node.in_macro && node.span.text(self.edit.source) == b"NULL",
        }
    }
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const MORE: u8 = 4;
const ALL: u8 = LESS | EQUAL | MORE;

/// The ways in which two numbers can compare for which an operator is true.
fn relation(op: &str) -> Option<u8> {
    Some(match op {
        "<" => LESS,
        ">" => MORE,
        "==" => EQUAL,
        "<=" => LESS | EQUAL,
        ">=" => MORE | EQUAL,
        "!=" => LESS | MORE,
        _ => return None,
    })
}

/// The same of the operands in the other order.
fn swapped(both: u8) -> u8 {
    both & EQUAL | if both & LESS != 0 { MORE } else { 0 } | if both & MORE != 0 { LESS } else { 0 }
}

/// Whether it is a variable that the body declares, or a part of one.
fn is_own(node: &Node) -> bool {
    match &node.kind {
        Kind::Name { of, .. } => *of == Entity::Local,
        Kind::Member { .. } => node.child(Role::Object).is_some_and(is_own),
        Kind::Paren | Kind::Cast => node.children.last().is_some_and(is_own),
        Kind::Index => node.child(Role::Left).is_some_and(is_own),
        Kind::Unary { .. } => node.child(Role::Operand).is_some_and(is_own),
        _ => false,
    }
}

fn is_literal(node: &Node) -> bool {
    match &node.kind {
        Kind::Integer(_) | Kind::Floating | Kind::Character | Kind::Boolean(_) | Kind::Null | Kind::Text => true,
        Kind::Name { of, .. } => *of == Entity::Enumerator,
        Kind::Paren | Kind::Unary { .. } => node.children.first().is_some_and(is_literal),
        _ => node.in_macro,
    }
}

/// Whether a statement, or the one that a label stands before, goes elsewhere.
fn leaves(node: &Node) -> bool {
    match node.kind {
        Kind::Return | Kind::Break | Kind::Continue | Kind::Goto => true,
        Kind::Expression => node.child(Role::Operand).is_some_and(|operand| operand.kind == Kind::Throw),
        Kind::Block => node.children.last().is_some_and(leaves),
        Kind::Case | Kind::Default => node.child(Role::Then).is_some_and(leaves),
        _ => false,
    }
}

/// Two bounds of one value: `when_c_is_0x30_to_0x39`.
fn within(one: &str, other: &str) -> Option<String> {
    let (of, least) = one.split_once("_is_at_least_")?;
    let (same, most) = other.split_once("_is_at_most_")?;
    (of == same).then(|| format!("{of}_is_{least}_to_{most}"))
}

/// The value of an integer literal, perhaps with a sign.
fn number(text: &str) -> Option<i128> {
    let text = text.trim_matches(['(', ')']);
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (written, digits) = (digits, digits.trim_end_matches(['u', 'U', 'l', 'L']));
    if sign < 0 && written.contains(['u', 'U'])
        || digits.starts_with(['0']) && digits.bytes().all(|c| c.is_ascii_digit()) && digits != "0"
    {
        return None;
    }
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let value = hexadecimal.map_or_else(|| digits.parse().ok(), |digits| i128::from_str_radix(digits, 16).ok())?;
    Some(sign * value)
}

/// A name without the marks of members and parameters.
fn bare(name: &str) -> &str {
    name.strip_prefix("m_").unwrap_or(name).trim_matches('_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::Small;
    use crate::parse::trees;

    /// The condition of the only change from one text to the other.
    fn told(text: &str, changes: &[(&str, &str)]) -> Vec<String> {
        let small = Small::new(&[("a.cpp", text)], "-std=c++17");
        small.model();
        let file = small.root.join("a.cpp");
        let trees = trees(&small.database.commands[0], &[file], &small.database, &small.options).unwrap();
        let of = |(from, to): &(&str, &str)| {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            let mutated = text.replacen(from, to, 1);
            let edit = Edit::between(text.as_bytes(), mutated.as_bytes()).unwrap();
            condition(&trees[0], &edit).unwrap_or_default()
        };
        changes.iter().map(of).collect()
    }

    #[test]
    fn no_number_without_a_sign_is_said_to_be_at_least_zero() {
        let text = "int f(unsigned n, int m) { while (n > 0) --n; while (m < 0) ++m; return n; }\n";
        let changes = [("n > 0", "n == 0"), ("n > 0", "n >= 0"), ("m < 0", "m == 0")];
        assert_eq!(told(text, &changes), ["", "when_n_is_0", "when_m_is_at_most_0"]);
    }

    const TEXT: &str = "#define END -1\n#define NULL nullptr\n\
        struct N { N *next; int kind_; bool is_open() const; bool m_full; };\nbool is_digit(int c);\n\
        enum K { kNone, kAll };\nint f(int a, unsigned b, N *n, K k, const char *s) {\n\
        if (a < 4) return 1;\n  if (END == a) return 2;\n  if (a >= 0x30 && a <= 57) { b = 3; }\n\
        if (!n) return 4; else b += 5;\n  if (n->next != NULL || n->m_full) return 6;\n\
        if (b & 0x80) return 7;\n  if (n->is_open()) { return 8; }\n  if (is_digit(*s)) return 9;\n\
        switch (k) { case kNone: return 10; case kAll: a = 11; b = 12; break; }\n\
        switch (b) { case 4: a = 40; break; }\n  if (*s == '&') return 13;\n  return a > 6 ? 14 : 15;\n}\n";

    #[test]
    fn what_a_branch_hangs_on_is_the_condition_of_what_stands_in_it() {
        let changes = [("return 1;", ";"), ("return 2;", ";"), ("b = 3", "b = 33"), ("return 4", "return 44")];
        assert_eq!(told(TEXT, &changes), ["when_a_is_below_4", "when_a_is_END", "when_a_is_0x30_to_57", "without_n"]);
        let changes = [("b += 5", "b -= 5"), ("return 6", "return 66"), ("return 7", ""), ("return 8", "return 0")];
        assert_eq!(told(TEXT, &changes), ["with_n", "", "when_b_and_0x80_is_not_0", "when_n_is_open"]);
        let changes = [
            ("return 9", ""),
            ("return 10", ""),
            ("b = 12", "b = 0"),
            ("return 13", ""),
            ("15;", "16;"),
            ("a = 40", ""),
        ];
        let expected = [
            "when_is_digit_value_at_s",
            "for_kNone",
            "for_kAll",
            "when_value_at_s_is_ampersand",
            "when_a_is_at_most_6",
            "when_b_is_4",
        ];
        assert_eq!(told(TEXT, &changes), expected);
    }

    #[test]
    fn no_condition_tells_of_a_variable_that_the_body_declares() {
        let text = "struct N { int kind; };\nN *next();\nint f(int a, N *n) {\n  int r = a + 2; N *it = next();\n  \
                    if (r == 9) return 1;\n  if (it->kind == 8) return 2;\n  if (n->kind == 7) return 3;\n  return \
                    4;\n}\n";
        let changes = [("return 1", "return 0"), ("return 2", "return 0"), ("return 3", "return 0")];
        assert_eq!(told(text, &changes), ["", "", "when_kind_is_7"]);
    }

    #[test]
    fn a_changed_comparison_is_about_the_values_for_which_it_is_another() {
        let changes = [("a < 4", "a <= 4"), ("a < 4", "a != 4"), ("a < 4", "true"), ("END == a", "END != a")];
        assert_eq!(told(TEXT, &changes), ["when_a_is_4", "when_a_is_above_4", "when_a_is_at_least_4", ""]);
        let changes = [("n->next != NULL ||", ""), ("a >= 0x30 &&", ""), ("*s == '&'", "0"), ("a <= 57", "a == 57")];
        assert_eq!(
            told(TEXT, &changes),
            ["with_next", "when_a_is_below_0x30", "when_value_at_s_is_ampersand", "when_a_is_below_57"]
        );
        let changes = [("a < 4", "a < 5"), ("a < 4", "a < -1"), ("a <= 57", "a <= 56"), ("a >= 0x30", "a >= 0x40")];
        assert_eq!(
            told(TEXT, &changes),
            ["when_a_is_4", "when_a_is_below_4", "when_a_is_57", "when_a_is_at_least_0x30"]
        );
        let changes = [("a >= 0x30", "a >= 1"), ("END == a", "2 == a"), ("a > 6", "a > 5")];
        assert_eq!(told(TEXT, &changes), ["when_a_is_below_0x30", "", "when_a_is_6"]);
        let other = "int f(double d, int o) { if (d < 4) return 1; if (o < 010) return 2; return 3; }";
        assert_eq!(told(other, &[("d < 4", "d < 5"), ("o < 010", "o < 9")]), ["", ""]);
    }
}
