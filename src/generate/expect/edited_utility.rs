//! The test of a kill that an edited utility class made: a person's own statements, with the values that were taken in
//! the place of those that take them. Choices that the values made (which alternative, how many elements) are followed,
//! so that only what was done is said.

use super::{Replayed, Root, TestBody, argument, checks, result_declaration, way_in};
use crate::cpp::string_literal;
use crate::generate::literal::{self, Scalar};
use crate::generate::lower::{Lowering, Made, NOTES, Source};
use crate::generate::trace::{Draw, Trace};
use crate::lex::{self, Word};
use crate::model::{FunctionKind, Language, Prim, TypeKind};
use crate::plan::Entry;
use crate::types::arithmetic::primitive;
use crate::types::records::record_type;
use crate::types::spelling::replace_word;

/// Writes the test of one kill by the utility class `text`; further as `body`.
///
/// # Errors
/// The class is written in a way that can't be followed, or took other values than it says.
pub fn edited(kill: Replayed<'_>, text: &str) -> Result<TestBody, String> {
    let Replayed { model, plan, .. } = kill;
    let mut draws = Trace::parse(kill.trace);
    let entry = way_in(plan, kill.trace)?;
    if matches!(model.functions[&entry.callee].kind, FunctionKind::Constructor | FunctionKind::Destructor) {
        return Err("the utility class of a constructor or destructor is edited".into());
    }
    let call = text.find("void call(Input &in)").ok_or("the utility class has no `void call(Input &in)`")?;
    let open = text[call..].find('{').ok_or("`call` has no body")? + call;
    let body = &text[open + 1..closing(text, open).ok_or("the braces of `call` do not match")?];
    let mut follow =
        Follow { draws: &mut draws, lines: Vec::new(), indent: 0, call: None, returns: false, seen: Vec::new() };
    follow.pieces(body)?;
    let Follow { lines, call, returns, seen, .. } = follow;
    if draws.next_draw().is_some() {
        return Err("the edited utility class took values in an order that its text does not tell".into());
    }
    let owner = model.owner_of(&model.functions[&plan.unit]);
    let own = owner.map(|class| record_type(model, class, plan.owner_args.clone()).spelling);
    let callee = entry.with_arguments(&model.functions[&entry.callee].qualified);
    let spelled = |text: String| match &own {
        Some(own) => replace_word(&text, "T", own),
        // A function is the one static member of what stands for it.
        None => replace_word(&text, "T::call", &callee),
    };
    let mut test = TestBody {
        setup: lines.into_iter().map(spelled).collect(),
        call: spelled(call.ok_or("the edited utility class records no call")?),
        calls_private: entry.private_access,
        ..TestBody::default()
    };
    let mut roots = roots(entry, &seen);
    let is_seen = |root: &Root| seen.iter().any(|(name, _)| *name == root.name);
    let stubs = Root { name: NOTES.into(), made: Made::expression(NOTES), ty: super::notes_type() };
    roots.extend(super::outside_roots(model, entry).into_iter().chain([stubs]).filter(is_seen));
    if let Some(ty) = entry.result.as_ref().filter(|_| returns) {
        let lowering = Lowering::new(model, Language::Cxx, Source::Input, Vec::new());
        test.result = Some(result_declaration(&lowering, ty));
        roots.push(super::returned(ty.without_ref().clone()));
    }
    checks(kill, roots, &mut test);
    Ok(test)
}

/// How the name of a container ends that an iterator writes into.
const RANGE_END: &str = "_range>";

/// The values that the class records, with the types that the plan knows.
fn roots(entry: &Entry, seen: &[(String, String)]) -> Vec<Root> {
    seen.iter()
        .filter_map(|(name, value)| {
            let made = Made::expression(value.clone());
            if name == "object" {
                return Some(Root { name: name.clone(), made, ty: entry.object.as_ref()?.ty.clone() });
            }
            // (Of a container nobody says the type.)
            if name.starts_with('<') && !name.ends_with(RANGE_END) {
                return Some(Root { name: name.clone(), made, ty: crate::types::compose::text() });
            }
            let slot = entry.args.iter().find(|slot| slot.name == *name)?;
            Some(Root { made, ..argument(slot, &Made::expression(value.clone())) })
        })
        .collect()
}

/// A statement, or a block with what stands before it.
enum Piece<'t> {
    Plain(&'t str),
    Block(&'t str, &'t str),
}

/// A condition on what the data picks.
#[derive(Clone, Copy)]
struct Choice {
    of: u64,
    equal: bool,
}

/// The condition `if (in.pick(4) != 3)`, what else it asks (`&& !none`), and what stands behind it.
fn choice(text: &str) -> Option<(Choice, &str, &str)> {
    let (among, rest) = text.strip_prefix("if (in.pick(")?.split_once(") ")?;
    let (sign, rest) = rest.split_once(' ')?;
    let (condition, rest) = rest.split_once(')')?;
    let (of, asks) = condition.split_once(" && ").unwrap_or((condition, ""));
    let equal = match sign {
        "==" => true,
        "!=" => false,
        _ => return None,
    };
    among.parse::<u64>().ok()?;
    (!asks.contains('(')).then_some((Choice { of: of.parse().ok()?, equal }, asks, rest.trim_start()))
}

struct Follow<'d> {
    draws: &'d mut Trace,
    lines: Vec<String>,
    indent: usize,
    /// The call under test, once it was met.
    call: Option<String>,
    returns: bool,
    /// The values that are recorded after the call: name and expression.
    seen: Vec<(String, String)>,
}

impl Follow<'_> {
    fn line(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.lines.push(format!("{}{text}", "  ".repeat(self.indent)));
    }

    fn draw(&mut self, what: &str) -> Result<Draw, String> {
        self.draws.next_draw().ok_or_else(|| format!("no value was taken for `{what}`"))
    }

    fn pieces(&mut self, text: &str) -> Result<(), String> {
        for piece in split(text)? {
            match piece {
                Piece::Plain(statement) => self.statement(statement.trim())?,
                Piece::Block(head, body) => self.block(head.trim(), body)?,
            }
        }
        Ok(())
    }

    fn block(&mut self, head: &str, body: &str) -> Result<(), String> {
        let inside = |start: &str, end: &str| head.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        if ["switch (in.pick(", "switch (in.way("].iter().any(|start| inside(start, "))").is_some()) {
            let Draw::Pick(index) = self.draw(head)? else { return Err(format!("`{head}` did not pick")) };
            let wanted = format!("case {index}:");
            let labels = split(body)?;
            let find = |label: &str| {
                labels.iter().find_map(|piece| match piece {
                    Piece::Block(head, body) if head.trim() == label => Some(*body),
                    _ => None,
                })
            };
            let chosen = find(&wanted).or_else(|| find("default:"));
            return self.pieces(chosen.ok_or_else(|| format!("there is no `{wanted}` in `{head}`"))?);
        }
        if head.starts_with("for (") && ["= in.size(", "= in.calls("].iter().any(|takes| head.contains(takes)) {
            let Draw::Size(times) = self.draw(head)? else { return Err(format!("`{head}` took no size")) };
            if head.matches("in.").count() > 1 {
                return Err(format!("`{head}` takes more than a size"));
            }
            for _ in 0..times {
                self.scope("{", body)?;
            }
            return Ok(());
        }
        if let Some((choice, asks, "")) = choice(head) {
            return match (self.chooses(choice, head)?, asks) {
                (false, _) => Ok(()),
                (true, "") => self.pieces(body),
                (true, asks) => self.scope(&format!("if ({asks}) {{"), body),
            };
        }
        let head = self.taken(head)?;
        self.scope(format!("{head} {{").trim_start(), body)
    }

    /// Whether the data chose what stands behind the condition.
    fn chooses(&mut self, choice: Choice, head: &str) -> Result<bool, String> {
        let Draw::Pick(index) = self.draw(head)? else { return Err(format!("`{head}` did not pick")) };
        Ok((index == choice.of) == choice.equal)
    }

    fn scope(&mut self, head: &str, body: &str) -> Result<(), String> {
        self.line(head);
        self.indent += 1;
        let done = self.pieces(body);
        self.indent -= 1;
        self.line("}");
        done
    }

    fn statement(&mut self, text: &str) -> Result<(), String> {
        let is_of_drivers = ["Keeper ", "observe_argument("].iter().any(|start| text.starts_with(start));
        if matches!(text, "" | "break;" | "(void)in;") || is_of_drivers {
            return Ok(());
        }
        if text.starts_with("record.returned(") || text.starts_with("record.call(") {
            if self.call.is_some() || self.indent > 0 {
                return Err("the edited utility class makes several calls, or one in a block".into());
            }
            let open = text.find('{').ok_or_else(|| format!("no block in `{text}`"))?;
            let inner = closing(text, open).map(|end| &text[open + 1..end]).unwrap_or_default();
            let pieces = split(inner)?;
            let [Piece::Plain(only)] = pieces.as_slice() else {
                return Err("the call under test is more than one statement".into());
            };
            let inner = only.trim().trim_end_matches(';');
            self.returns = text.starts_with("record.returned(");
            let call = inner.strip_prefix("return ").unwrap_or(inner);
            self.call = Some(self.taken(call)?);
            return Ok(());
        }
        if let Some(rest) = text.strip_prefix("record.") {
            let named = rest.split_once("(\"").and_then(|(_, rest)| rest.split_once("\","));
            if let Some((name, value)) = named {
                let value = value.trim().trim_end_matches(';').strip_suffix(')').unwrap_or(value).trim();
                self.seen.push((name.to_owned(), value.to_owned()));
            }
            return Ok(());
        }
        if self.call.is_some() {
            return Err(format!("`{text}` stands behind the call under test"));
        }
        if let Some(args) = text.strip_prefix("in.array(").and_then(|rest| rest.strip_suffix(");")) {
            return self.array(text, args);
        }
        if let Some((choice, asks, rest)) = choice(text) {
            return match (self.chooses(choice, text)?, asks) {
                (false, _) => Ok(()),
                (true, "") => self.statement(rest),
                (true, asks) => self.statement(&format!("if ({asks}) {rest}")),
            };
        }
        let typed = taken_number(text);
        let text = self.taken(text)?;
        let text = match typed {
            // `auto x = in.take<double>();` tells the type no more.
            Some(ty) => text.replacen("auto ", &format!("{ty} "), 1),
            None => text,
        };
        let text = owned(&text).unwrap_or(text);
        if text.contains("keep(") {
            return Err(format!("`{text}` keeps an object in a way that a test can't follow"));
        }
        self.line(&text);
        Ok(())
    }

    /// `in.array(first, count);`: every element by itself.
    fn array(&mut self, text: &str, args: &str) -> Result<(), String> {
        let (target, _) = args.rsplit_once(',').ok_or_else(|| format!("`{text}` has no length"))?;
        let Draw::Array(values) = self.draw(text)? else { return Err(format!("`{text}` took no array")) };
        for (index, value) in values.iter().enumerate() {
            let prim = prim_of(value).ok_or_else(|| format!("`{text}` took what is no number"))?;
            self.line(&format!("{target}[{index}] = {};", literal::scalar(value, prim, Language::Cxx)));
        }
        Ok(())
    }

    /// The text with what was taken in the place of what takes it.
    fn taken(&mut self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = find_taking(rest) {
            out.push_str(&rest[..at]);
            let from = &rest[at + "in.".len()..];
            let name = &from[..from.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(from.len())];
            let open = from.find('(').ok_or_else(|| format!("`in.{name}` without a call"))?;
            let close = closing(from, open).ok_or_else(|| format!("the parentheses of `in.{name}` do not match"))?;
            let template = from[name.len()..open].trim().trim_start_matches('<').trim_end_matches('>').trim();
            out.push_str(&self.value(name, template, &from[open + 1..close])?);
            rest = &from[close + 1..];
        }
        Ok(out + rest)
    }

    fn value(&mut self, name: &str, template: &str, args: &str) -> Result<String, String> {
        let other = |draw: Draw| Err(format!("`in.{name}` took {draw:?}"));
        match (name, self.draw(&format!("in.{name}"))?) {
            ("take", Draw::Value(value)) => {
                let named = primitive(template).and_then(|ty| match ty.kind {
                    TypeKind::Prim(prim) => Some(prim),
                    _ => None,
                });
                let prim = named.or_else(|| prim_of(&value)).ok_or_else(|| format!("`{template}` is no number"))?;
                let text = literal::scalar(&value, prim, Language::Cxx);
                Ok(if named.is_some() { text } else { format!("static_cast<{template}>({text})") })
            }
            ("size" | "calls", Draw::Size(n)) | ("pick", Draw::Pick(n)) => Ok(n.to_string()),
            ("cstring" | "pattern", Draw::Text(bytes)) => Ok(string_literal(&bytes)),
            ("enumerator" | "take_enum", Draw::Enum(value, index)) => {
                let list = args.trim().trim_start_matches('{').trim_end_matches('}');
                let names: Vec<&str> = list.split(',').map(str::trim).collect();
                match index.and_then(|index| names.get(index)) {
                    Some(name) => Ok((*name).to_owned()),
                    None => {
                        let scope = names.first().and_then(|name| name.rsplit_once("::")).map(|(scope, _)| scope);
                        let ty = if template.is_empty() { scope.unwrap_or("int") } else { template };
                        Ok(format!("static_cast<{ty}>({value})"))
                    }
                }
            }
            ("text", Draw::Size(_)) => match self.draw("in.text")? {
                Draw::Array(values) => {
                    let bytes: Vec<u8> = values.iter().flat_map(Scalar::raw).collect();
                    Ok(format!("std::string({}, {})", string_literal(&bytes), bytes.len()))
                }
                draw => other(draw),
            },
            (_, draw) => other(draw),
        }
    }
}

/// The type of `auto NAME = in.take<TYPE>();`.
fn taken_number(text: &str) -> Option<&str> {
    let (name, value) = text.strip_prefix("auto ")?.split_once(" = ")?;
    let ty = value.strip_prefix("in.take<")?.strip_suffix(">();")?;
    (name.chars().all(|c| c.is_alphanumeric() || c == '_') && primitive(ty).is_some()).then_some(ty)
}

/// `T name(args);` of `auto &name = keep(new T(args));`: in a test the object lives as long as anything does.
fn owned(text: &str) -> Option<String> {
    let (name, made) = text.strip_prefix("auto &")?.split_once(" = keep(new ")?;
    let made = made.strip_suffix(");")?;
    let open = made.find('(').filter(|open| closing(made, *open) == Some(made.len() - 1))?;
    let args = &made[open + 1..made.len() - 1];
    let ty = &made[..open];
    Some(if args.trim().is_empty() { format!("{ty} {name}{{}};") } else { format!("{ty} {name}({args});") })
}

/// Where `in.` stands as a word of its own.
fn find_taking(text: &str) -> Option<usize> {
    let is_it = |word: &Word<'_>| {
        let (before, behind) = (&text[..word.start], &text[word.start + word.text.len()..]);
        word.text == "in" && !word.is_member && behind.starts_with('.') && !before.ends_with(':')
    };
    lex::words(text).into_iter().find(is_it).map(|word| word.start)
}

fn prim_of(value: &Scalar) -> Option<Prim> {
    Some(match value.kind.as_str() {
        "bool" => Prim::Bool,
        "char" => Prim::Char,
        "float" => Prim::Float,
        "double" => Prim::Double,
        "int8" => Prim::SChar,
        "uint8" => Prim::UChar,
        "int16" => Prim::Short,
        "uint16" => Prim::UShort,
        "int32" => Prim::Int,
        "uint32" => Prim::UInt,
        "int64" => Prim::Long,
        "uint64" => Prim::ULong,
        _ => return None,
    })
}

/// Where the bracket at `open` is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let tokens = lex::tokens(text.as_bytes());
    let open = tokens.iter().position(|token| token.start as usize == open)?;
    Some(tokens[lex::closing(text.as_bytes(), &tokens, open)?].start as usize)
}

/// The statements and blocks of a text; comments between them are left out.
fn split(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let tokens = lex::tokens(text.as_bytes());
    let slice = |from: u32, to: u32| &text[from as usize..to as usize];
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(token) = tokens.get(at).copied() {
        let from = tokens[start].start;
        if token.directive {
            return Err("a preprocessor line stands in `call`".into());
        }
        let opens = matches!(slice(token.start, token.end), "(" | "[" | "{");
        let end = if opens { lex::closing(text.as_bytes(), &tokens, at).ok_or("brackets do not match")? } else { at };
        let is_block = slice(token.start, token.end) == "{" && opens_block(slice(from, token.start).trim());
        if is_block {
            pieces.push(Piece::Block(slice(from, token.start), slice(token.end, tokens[end].start)));
        } else if slice(token.start, token.end) == ";" {
            pieces.push(Piece::Plain(slice(from, token.end)));
        }
        at = end + 1;
        if is_block || slice(token.start, token.end) == ";" {
            start = at;
        }
    }
    match tokens.get(start) {
        Some(rest) => Err(format!("`{}` is no statement", text[rest.start as usize..].trim())),
        None => Ok(pieces),
    }
}

fn opens_block(head: &str) -> bool {
    let word = head.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    head.is_empty()
        || head.ends_with(')') && matches!(word, "for" | "if" | "while" | "switch" | "else")
        || head.ends_with(':') && matches!(word, "case" | "default")
        || matches!(head, "else" | "do" | "try")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use serde_json::json;

    fn followed(body: &str, trace: &[Value]) -> Result<(Vec<String>, Option<String>, bool), String> {
        let mut draws = Trace::parse(trace);
        let mut follow =
            Follow { draws: &mut draws, lines: Vec::new(), indent: 0, call: None, returns: false, seen: Vec::new() };
        follow.pieces(body)?;
        let (lines, call) = (follow.lines, follow.call);
        Ok((lines, call, draws.next_draw().is_none()))
    }

    fn number(kind: &str, text: &str, bytes: &str) -> Value {
        json!({"take": "value", "value": {"kind": kind, "text": text, "bytes": bytes}})
    }

    #[test]
    fn values_take_the_place_of_what_takes_them_and_choices_are_followed() {
        let body = r#"
    Keeper keep;
    // A remark; with a semicolon.
    auto power = in.take<double>();
    T object(power, 2);
    Mission *mission = nullptr;
    switch (in.pick(2)) {
      case 0: {
        auto &other = keep(new Other(in.take<int>()));
        mission = &other;
        break;
      }
      default: {
        std::vector<int> list;
        for (std::size_t n = in.size(0, 8); n > 0; --n) {
          auto element = in.take<int>();
          list.push_back(element);
        }
        auto &mine = keep(new Mine(list));
        mission = &mine;
        break;
      }
    }
    if (!(power >= 0)) power = 0;
    record.returned("return", [&] { return object.f(*mission, "in.x(;"); });
    record.output("mission", *mission);
  "#;
        let trace = [
            number("double", "0.5", "000000000000e03f"),
            json!({"take": "pick", "value": 1}),
            json!({"take": "size", "value": 2}),
            number("int32", "3", "03000000"),
            number("int32", "4", "04000000"),
        ];
        let (lines, call, done) = followed(body, &trace).unwrap();
        assert_eq!(
            lines,
            [
                "double power = 0.5;",
                "T object(power, 2);",
                "Mission *mission = nullptr;",
                "std::vector<int> list;",
                "{",
                "  int element = 3;",
                "  list.push_back(element);",
                "}",
                "{",
                "  int element = 4;",
                "  list.push_back(element);",
                "}",
                "Mine mine(list);",
                "mission = &mine;",
                "if (!(power >= 0)) power = 0;",
            ]
        );
        assert_eq!(call.as_deref(), Some("object.f(*mission, \"in.x(;\")"));
        assert!(done);
    }

    #[test]
    fn what_the_data_leaves_out_before_the_call_is_not_in_the_test() {
        let body = "if (in.pick(4) != 3) object.add(item);\nif (in.pick(4) != 3) {\n  \
                    auto rank = in.take<double>();\n  object.rank(item, rank);\n}\nif (ready) { object.go(); }\n\
                    record.call([&] { object.remove(item); });";
        let pick = |value: u64| json!({"take": "pick", "value": value});
        let with = [pick(0), pick(1), number("double", "0.5", "000000000000e03f")];
        let (lines, call, done) = followed(body, &with).unwrap();
        let go = ["if (ready) {", "  object.go();", "}"];
        assert_eq!(lines[..3], ["object.add(item);", "double rank = 0.5;", "object.rank(item, rank);"]);
        assert_eq!(
            (&lines[3..], call.as_deref(), done),
            (&go.map(String::from)[..], Some("object.remove(item)"), true)
        );
        assert_eq!(followed(body, &[pick(3), pick(3)]).unwrap().0, go);
    }

    #[test]
    fn a_loop_of_a_persons_own_that_takes_values_is_not_guessed_at() {
        let body = "for (int i = 0; i < 2; ++i) { auto x = in.take<int>(); f(x); }\nrecord.call([&] { g(); });";
        let trace = [number("int32", "3", "03000000"), number("int32", "4", "04000000")];
        assert!(!followed(body, &trace).unwrap().2, "a value is left over, so the test is not written");
        assert!(followed("auto x = in.take<int>();", &[]).is_err());
        assert!(followed("record.call([&] { g(); });\nh();", &[]).is_err());
        assert!(followed("{", &[]).is_err());
    }

    #[test]
    fn text_and_enumerators_are_said_as_a_person_would() {
        let body =
            "auto mode = in.enumerator({sat::Mode::A, sat::Mode::B});\nconst char *code = in.pattern(\"[(]+\");\n";
        let trace = [json!({"take": "enum", "value": 1, "index": 1}), json!({"take": "cstring", "bytes": "2828"})];
        assert_eq!(followed(body, &trace).unwrap().0, ["auto mode = sat::Mode::B;", "const char *code = \"((\";"]);
    }
}
