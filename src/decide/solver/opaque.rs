//! Callees of which the solver is to know one thing only: from equal arguments comes an equal result.
//!
//! A function that computes from its arguments alone is a function in the sense of mathematics. Where the mutant is not
//! in it, what it computes mostly does not matter, and its loops and products are what the solver has no time for. So
//! its body is put aside: the original's calls get any result, and the mutant's calls get the same results for the same
//! arguments (uninterpreted functions; Kroening and Strichman, *Decision Procedures*, chapter 4). From other arguments
//! a function may not even return, so such calls of the mutant count as a difference. What is proved so holds for the
//! real bodies as well. A difference that is seen so need not be one, which replay tells.
//!
//! The texts are C, preprocessed.

use crate::lex::{Kind, Token, closing, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Calls of a function on each side that are told apart.
const CALLS: usize = 3;
/// Elements of an array behind a pointer.
const ELEMENTS: usize = 4;

/// A function that can be put aside, in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// Its name.
    pub name: String,
    /// The type of its result, as it can be spelled there; none for `void`.
    pub result: Option<Number>,
    /// Its parameters; none is called like another.
    pub params: Vec<(String, Passed)>,
    /// It has a body in the project; else the library's is not known to the solver.
    pub has_body: bool,
}

/// A type of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its spelling.
    pub spelling: String,
    /// The unsigned integer as wide as it is, where it is a floating-point type: it is the bits that are compared.
    pub bits: Option<&'static str>,
}

/// How something is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// By value.
    Value(Number),
    /// A pointer to numbers that the function may write, and how many there are: as many as each caller declares
    /// ([`elements`]). The solver checks that it is a whole object of that size.
    Behind(Number, usize),
}

impl Opaque {
    /// The same, with how many elements there are behind each parameter; none where that is not known.
    pub fn with_elements(&self, elements: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let mut known = self.clone();
        for (at, (_, passed)) in known.params.iter_mut().enumerate() {
            if let Passed::Behind(_, many) = passed {
                *many = elements(at)?;
            }
        }
        Some(known)
    }

    /// Whether the function's body is in a text.
    pub fn is_in(&self, text: &str) -> bool {
        let source = text.as_bytes();
        let tokens: Vec<Token> = tokens(source).into_iter().filter(|token| !token.directive).collect();
        body(source, &tokens, &self.name).is_some()
    }

    /// A text with the function's body put aside, as number `index`; none where the body is not in the text.
    pub fn put_aside(&self, text: &str, index: usize) -> Option<String> {
        let source = text.as_bytes();
        let tokens: Vec<Token> = tokens(source).into_iter().filter(|token| !token.directive).collect();
        let (open, close) = body(source, &tokens, &self.name)?;
        let body = &text[tokens[open].start as usize..tokens[close].end as usize];
        // The mutant may be in it.
        if body.contains("motif_mutant") {
            return None;
        }
        let (before, after) = (&text[..tokens[open].start as usize], &text[tokens[close].end as usize..]);
        Some(format!("{before}{}{after}", self.written(index)))
    }

    /// The definition of a function that the library has, to stand behind a text that declares it.
    pub fn defined(&self, index: usize) -> String {
        let params = self.params.iter().map(|(name, passed)| match passed {
            Passed::Value(number) => format!("{} {name}", number.spelling),
            Passed::Behind(number, _) => format!("{} *{name}", number.spelling),
        });
        let result = self.result.as_ref().map_or("void", |result| &result.spelling);
        let params: Vec<String> = params.collect();
        format!("\n{result} {}({}) {}\n", self.name, params.join(", "), self.written(index))
    }

    /// The new body, and behind it what the calls are remembered in. Of `int f(int x)`, for one call of each side:
    ///
    /// ```c
    /// {
    ///   if (!motif_side) {                                  // the original
    ///     switch (motif_calls_0_first++) {
    ///     case 0: { in_0 = x; int motif_result = result; return motif_result; }
    ///     default: __ESBMC_assert(0, "motif: room");
    ///     }
    ///   }
    ///   if (motif_in_step) {                                // the mutant's first call is to be that one
    ///     switch (motif_calls_0_second++) {
    ///     case 0: { motif_matched &= motif_calls_0_first > 0 && in_0 == x; int motif_result = result; return … }
    ///     …
    ///   }
    ///   if (motif_calls_0_first > 0 && in_0 == x) { int motif_result = result; return motif_result; }
    ///   motif_matched = 0; …                                // the original made no such call
    /// }
    /// int in_0, result;                                     // `result` is any value: `motif_any_call_0`
    /// ```
    fn written(&self, index: usize) -> String {
        let name = |call: usize, what: &str| format!("motif_call_{index}_{call}_{what}");
        let (first, second) = (format!("motif_calls_{index}_first"), format!("motif_calls_{index}_second"));
        // The values that go in and those that come out: what each is called, its type, and where it is.
        let (mut ins, mut outs, mut begin) = (Vec::new(), Vec::new(), String::new());
        for (number, (param, passed)) in self.params.iter().enumerate() {
            match passed {
                Passed::Value(of) => ins.push((format!("in_{number}"), of, param.clone())),
                Passed::Behind(of, elements) => {
                    let _ = writeln!(
                        begin,
                        "  __ESBMC_assert(__ESBMC_POINTER_OFFSET({param}) == 0 \
                         && __ESBMC_r_ok({param}, {elements} * sizeof *{param}) \
                         && !__ESBMC_r_ok({param}, {elements} * sizeof *{param} + 1), \"motif: room\");"
                    );
                    for at in 0..*elements {
                        let local = format!("motif_in_{number}_{at}");
                        let _ = writeln!(begin, "  {} {local} = {param}[{at}];", of.spelling);
                        ins.push((format!("in_{number}_{at}"), of, local));
                        outs.push((format!("out_{number}_{at}"), of, format!("{param}[{at}]")));
                    }
                }
            }
        }
        // Two pointers to one array are another call than pointers to two.
        let behind: Vec<&String> = self
            .params
            .iter()
            .filter(|(_, passed)| matches!(passed, Passed::Behind(..)))
            .map(|(name, _)| name)
            .collect();
        for (at, one) in behind.iter().enumerate() {
            for other in &behind[at + 1..] {
                let _ = writeln!(begin, "  __ESBMC_assert((const void *){one} != {other}, \"motif: room\");");
            }
        }
        if let Some(result) = &self.result {
            outs.push(("result".to_owned(), result, format!("{} motif_result", result.spelling)));
        }
        let give = |call: usize| -> String {
            let given = outs.iter().map(|(what, _, place)| format!("{place} = {};", name(call, what)));
            let end = if self.result.is_some() { " return motif_result;" } else { " return;" };
            format!("{}{end}", given.collect::<Vec<_>>().join(" "))
        };
        let same = |call: usize| -> String {
            let same = ins.iter().map(|(what, of, place)| {
                let kept = name(call, what);
                of.bits.map_or_else(
                    || format!("{kept} == {place}"),
                    |bits| format!("*({bits} *)&{kept} == *({bits} *)&{place}"),
                )
            });
            std::iter::once(format!("{first} > {call}")).chain(same).collect::<Vec<_>>().join(" && ")
        };
        let mut text = format!("{{\n  extern int motif_side, motif_in_step, motif_matched, {first}, {second};\n");
        let mut kept = format!("\nint {first}, {second};\n");
        let mut any = format!("void motif_any_call_{index}(void) {{\n");
        for call in 0..CALLS {
            for (what, of, _) in ins.iter().chain(&outs) {
                let (name, ty) = (name(call, what), &of.spelling);
                let _ = writeln!(text, "  extern {ty} {name};");
                let _ = writeln!(kept, "{ty} {name};");
            }
            for (what, of, _) in &outs {
                let name = name(call, what);
                let _ = writeln!(any, "  {} any_{name}; {name} = any_{name};", of.spelling);
            }
        }
        text += &begin;
        let cases = |counter: &str, body: &dyn Fn(usize) -> String| -> String {
            let cases = (0..CALLS).map(|call| format!("    case {call}: {{ {} {} }}\n", body(call), give(call)));
            format!(
                "    switch ({counter}++) {{\n{}    default: __ESBMC_assert(0, \"motif: room\");\n    }}\n",
                cases.collect::<String>()
            )
        };
        let note = |call: usize| -> String {
            ins.iter().map(|(what, _, place)| format!("{} = {place}; ", name(call, what))).collect()
        };
        let _ = write!(text, "  if (!motif_side) {{\n{}  }}\n", cases(&first, &note));
        let step = |call: usize| format!("motif_matched &= {};", same(call));
        let _ = write!(text, "  if (motif_in_step) {{\n{}  }}\n", cases(&second, &step));
        for call in 0..CALLS {
            let _ = writeln!(text, "  if ({}) {{ {} }}", same(call), give(call));
        }
        // Nobody knows whether it returns from such a call.
        format!("{text}  motif_matched = 0;\n  {}\n}}\n{kept}{any}}}\n", give(0))
    }
}

/// Likely, how many elements there are behind the argument `at` of calls of `name`: arrays and variables that are
/// declared in the caller, each whole. None where calls disagree, or one does not show it.
pub fn elements<'t>(texts: impl Iterator<Item = &'t str>, name: &str, at: usize) -> Option<usize> {
    let mut found = BTreeSet::new();
    for text in texts {
        let source = text.as_bytes();
        let tokens: Vec<Token> = tokens(source).into_iter().filter(|token| !token.directive).collect();
        for call in (0..tokens.len()).filter(|index| tokens[*index].is(source, name)) {
            let end =
                tokens.get(call + 1).filter(|next| next.is(source, "(")).and(closing(source, &tokens, call + 1))?;
            // A declaration, or the definition.
            let before =
                tokens.get(call.wrapping_sub(1)).filter(|before| before.kind == Kind::Word || before.is(source, "*"));
            if before.is_some_and(|before| !before.is(source, "return")) {
                continue;
            }
            found.insert(match argument(source, &tokens[call + 2..end], at) {
                [and, variable]
                    if and.is(source, "&")
                        && variable.kind == Kind::Word
                        && declared_elements(source, &tokens[..call], variable).is_none() =>
                {
                    1
                }
                [variable] if variable.kind == Kind::Word => declared_elements(source, &tokens[..call], variable)?,
                _ => return None,
            });
        }
    }
    found.first().copied().filter(|many| found.len() == 1 && (1..=ELEMENTS).contains(many))
}

fn argument<'t>(source: &[u8], arguments: &'t [Token], at: usize) -> &'t [Token] {
    let mut depth = 0;
    let mut parts = arguments.split(|token| {
        match token.text(source) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            _ => {}
        }
        depth == 0 && token.is(source, ",")
    });
    parts.nth(at).unwrap_or_default()
}

/// The length of the array of this name that is declared before, in the same function, in no block that has ended.
fn declared_elements(source: &[u8], before: &[Token], variable: &Token) -> Option<usize> {
    let (mut depth, mut visible, mut inside) = (0, Vec::new(), 0);
    for token in before.iter().rev() {
        if token.is(source, "}") {
            depth += 1;
        }
        if depth == 0 {
            visible.push(*token);
        }
        if token.is(source, "{") && depth > 0 {
            depth -= 1;
        } else if token.is(source, "{") {
            inside = visible.len();
        }
    }
    visible.truncate(inside);
    visible.reverse();
    let is_one = |part: &[Token]| {
        let [type_end, name, open, _, close, end] = part else { return false };
        (type_end.kind == Kind::Word || type_end.is(source, ",") || type_end.is(source, "*"))
            && name.text(source) == variable.text(source)
            && open.is(source, "[")
            && close.is(source, "]")
            && [",", ";", "="].iter().any(|after| end.is(source, after))
    };
    let part = visible.windows(6).rev().find(|part| is_one(part))?;
    std::str::from_utf8(part[3].text(source)).ok()?.parse().ok()
}

/// Bytes of a variable that nobody has written yet; longer ones are left as they are.
const BYTES: usize = 16;
/// What begins no declaration whose variable has no value.
const NO_DECLARATION: [&str; 9] = ["return", "goto", "case", "default", "else", "do", "static", "extern", "typedef"];

/// A text in which the variables of the function `name` that nobody has written yet have a value, any, on both sides
/// the same: `numbers` has theirs by name. Else, calls that are given a place for a result would seem to be given
/// different things.
pub fn garbage(text: &str, name: &str, numbers: &mut BTreeMap<String, usize>) -> Option<String> {
    let source = text.as_bytes();
    let tokens: Vec<Token> = tokens(source).into_iter().filter(|token| !token.directive).collect();
    let (open, close) = body(source, &tokens, name)?;
    let (mut out, mut copied) = (String::new(), 0);
    let ends = |token: &Token| [";", "{", "}"].iter().any(|end| token.is(source, end));
    let mut begin = open + 1;
    // Others are written before anybody else sees them.
    let is_lent = |name: &str| {
        let pairs = tokens[open..close].windows(2);
        pairs.into_iter().any(|pair| {
            pair[0].is(source, "&") && pair[1].is(source, name) || pair[0].is(source, name) && pair[1].is(source, "[")
        })
    };
    for at in open + 1..close {
        if !ends(&tokens[at]) {
            continue;
        }
        let statement = &tokens[begin..at];
        begin = at + 1;
        if !tokens[at].is(source, ";") {
            continue;
        }
        let mut fill = String::new();
        for declared in unwritten(source, statement).into_iter().filter(|name| is_lent(name)) {
            let number = numbers.len();
            let number = *numbers.entry(declared.to_owned()).or_insert(number);
            let _ = write!(
                fill,
                " {{ extern void motif_fill(int, void *, unsigned long); \
                 motif_fill({number}, (void *)&{declared}, sizeof {declared}); }}"
            );
        }
        if !fill.is_empty() {
            out.push_str(&text[copied..tokens[at].end as usize]);
            out.push_str(&fill);
            copied = tokens[at].end as usize;
        }
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// The variables that a statement declares without a value.
fn unwritten<'t>(source: &'t [u8], statement: &[Token]) -> Vec<&'t str> {
    let is_word = |token: &Token| token.kind == Kind::Word;
    let [first, second, ..] = statement else { return Vec::new() };
    let begins = is_word(first) && (is_word(second) || second.is(source, "*"));
    if !begins || statement.iter().any(|token| NO_DECLARATION.iter().any(|word| token.is(source, word))) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let (mut depth, mut is_value) = (0, false);
    for (at, token) in statement.iter().enumerate() {
        match token.text(source) {
            b"=" if depth == 0 => is_value = true,
            b"," if depth == 0 => is_value = false,
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            _ if depth == 0 && at > 0 && !is_value && is_word(token) => {
                let mut behind = at + 1;
                while statement.get(behind).is_some_and(|next| next.is(source, "[")) {
                    behind = closing(source, statement, behind).map_or(statement.len(), |end| end + 1);
                }
                let before = &statement[at - 1];
                let is_declared = is_word(before) || before.is(source, ",") || before.is(source, "*");
                if is_declared && statement.get(behind).is_none_or(|next| next.is(source, ",")) {
                    found.extend(std::str::from_utf8(token.text(source)).ok());
                }
            }
            _ => {}
        }
    }
    found
}

/// Where the body of the function `name` begins and ends, among the tokens.
fn body(source: &[u8], tokens: &[Token], name: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is(source, "{") {
            at = closing(source, tokens, at)? + 1;
            continue;
        }
        let is_called = tokens.get(at + 1).is_some_and(|next| next.is(source, "("));
        if tokens[at].kind == Kind::Word && tokens[at].is(source, name) && is_called {
            let open = behind_params(source, tokens, closing(source, tokens, at + 1)? + 1);
            if let Some(open) = open {
                return Some((open, closing(source, tokens, open)?));
            }
        }
        at += 1;
    }
    None
}

/// The brace that begins a body behind a list of parameters, which may be declared between them.
fn behind_params(source: &[u8], tokens: &[Token], from: usize) -> Option<usize> {
    let open = (from..tokens.len()).find(|at| tokens[*at].is(source, "{"))?;
    let between = &tokens[from..open];
    let is_old = between.first().is_some_and(|token| token.kind == Kind::Word)
        && between.last().is_some_and(|token| token.is(source, ";"))
        && between.iter().all(|token| {
            matches!(token.kind, Kind::Word | Kind::Number)
                || [",", ";", "*", "[", "]"].iter().any(|p| token.is(source, p))
        });
    (between.is_empty() || is_old).then_some(open)
}

/// What stands before `main` of a question: the sides, any results of the functions with these numbers, and what is in
/// so many variables.
pub fn declared(aside: &BTreeSet<usize>, variables: usize, in_step: bool) -> String {
    let mut text = format!(
        "int motif_side, motif_in_step = {}, motif_matched = 1;\nstatic unsigned char motif_garbage[{}][{BYTES}];\n\
         void motif_fill(int which, void *to, unsigned long size) {{\n  \
         for (unsigned long i = 0; i < size && size <= {BYTES}; ++i)\n    \
         ((unsigned char *)to)[i] = motif_garbage[which][i];\n\
         }}\n",
        u8::from(in_step),
        variables.max(1)
    );
    for index in aside {
        let _ = writeln!(text, "void motif_any_call_{index}(void);");
    }
    text
}

/// What stands in `main` before the first side.
pub fn begun(aside: &BTreeSet<usize>, variables: usize) -> String {
    let mut text = String::new();
    for index in aside {
        let _ = writeln!(text, "  motif_any_call_{index}();");
    }
    for variable in 0..variables {
        for at in 0..BYTES {
            let _ = writeln!(text, "  motif_garbage[{variable}][{at}] = nondet_uchar();");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(spelling: &str) -> Number {
        let bits = (spelling == "float").then_some("unsigned int");
        Number { spelling: spelling.into(), bits }
    }

    fn opaque() -> Opaque {
        let params =
            vec![("x".to_owned(), Passed::Value(number("float"))), ("y".to_owned(), Passed::Behind(number("int"), 3))];
        Opaque { name: "f".into(), result: Some(number("int")), params, has_body: true }
    }

    #[test]
    fn a_body_is_found_behind_declarations_and_calls_of_its_name() {
        let texts = [
            "int f(float, int *);\nint g(void) { return f(1, 0); }\n\
             static int f(float x, int *y) { return f(x, y); }\n",
            "int f();\nint f(x, y) float x; int *y; { return 1; }\n",
        ];
        for text in texts {
            let aside = opaque().put_aside(text, 7).unwrap();
            let (before, rest) = aside.split_once("{\n  extern int motif_side").unwrap();
            assert!(text.starts_with(before) && rest.contains("motif_calls_7_first"), "{aside}");
            assert!(!aside.contains("return f(x, y)") && !aside.contains("return 1;"), "{aside}");
        }
        assert_eq!(opaque().put_aside("int f(float, int *);\nint h(void) { return 1; }\n", 0), None);
        assert_eq!(opaque().put_aside("int f(float x, int *y) { switch (motif_mutant) {} }\n", 0), None);
    }

    #[test]
    fn variables_that_are_declared_without_a_value_have_the_same_one_on_both_sides() {
        let declared = |statement: &str| {
            let source = statement.to_owned().into_bytes();
            let tokens = tokens(&source);
            unwritten(&source, &tokens).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(declared("float y[2], z = 0.0, t"), ["y", "t"]);
        assert_eq!(declared("unsigned int n"), ["n"]);
        assert_eq!(declared("const int *p, q[3][4]"), ["p", "q"]);
        for none in [
            "unsigned r = c ? 1 : x * y",
            "return y",
            "x = a, y",
            "f(a, b)",
            "static int count",
            "y[0] = 1",
            "int a = g(b, c)",
            "goto end",
        ] {
            assert_eq!(declared(none), [] as [&str; 0], "{none}");
        }
        let mut numbers = BTreeMap::new();
        let text = "int g(int *);\nint f(void) { int y; g(&y); return y; }\n";
        let filled = garbage(text, "f", &mut numbers).unwrap();
        assert!(
            filled.contains("int y; { extern void motif_fill(int, void *, unsigned long); motif_fill(0, "),
            "{filled}"
        );
    }

    #[test]
    fn how_much_is_behind_an_argument_is_what_its_callers_declare() {
        let many = |text: &str| elements(std::iter::once(text), "f", 1);
        assert_eq!(
            many("int f(int, float *); void g(void) { float y[2], z; f(g(1, 2), y); return f(z, y); }"),
            Some(2)
        );
        assert_eq!(many("void g(void) { float y[2]; f(1, y); f(1, y + 1); }"), None);
        assert_eq!(many("void g(void) { int y; f(1, &y); }"), Some(1));
        assert_eq!(many("void g(void) { int y[2], x[3]; f(1, x); f(1, y); }"), None);
        assert_eq!(many("void g(int *y) { f(1, y); }"), None);
        assert_eq!(many("void h(void) { int y[2]; } void g(int *y) { { int y[2]; } f(1, y); }"), None);
        assert_eq!(many("void g(void) { int y[2]; f(1, &y); }"), None);
    }

    #[test]
    fn calls_are_compared_by_what_goes_in_and_give_what_comes_out() {
        let text = opaque().put_aside("int f(float x, int *y) { return 1; }", 0).unwrap();
        for part in [
            "*(unsigned int *)&motif_call_0_1_in_0 == *(unsigned int *)&x && motif_call_0_1_in_1_0 == motif_in_1_0",
            "y[2] = motif_call_0_2_out_1_2;",
            "int motif_result = motif_call_0_0_result; return motif_result;",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
