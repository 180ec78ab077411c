//! What one Rust file says, as far as the rules of the house ask: what it imports, defines and implements.

use std::collections::BTreeSet;

/// A word, a sign or an (empty) literal of a file, and the line that it stands on.
#[derive(Debug, Clone)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

/// A path as it is written, by its segments.
pub type Path = Vec<String>;

/// A name that a `use` brings into the file.
#[derive(Debug)]
pub struct Import {
    pub name: String,
    pub path: Path,
    pub line: usize,
    /// `pub use`: no import of this file, but a way for others.
    pub is_reexport: bool,
}

/// An `impl` block.
#[derive(Debug)]
pub struct Impl {
    pub of: Path,
    pub is_inherent: bool,
    /// With the line of each.
    pub methods: Vec<(String, usize)>,
    /// Its first line and its last.
    pub line: usize,
    pub end: usize,
}

/// A file without its comments, literals and tests.
#[derive(Debug, Default)]
pub struct Source {
    pub tokens: Vec<Token>,
    pub imports: Vec<Import>,
    pub defined: BTreeSet<String>,
    pub impls: Vec<Impl>,
    /// Paths of code, with the line of each; one of a single segment too, since a `pub use` may name it.
    pub paths: Vec<(Path, usize)>,
    pub calls: Vec<Call>,
}

/// A method that is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The word before the name, as it is written: `self`, `Self`, a type, a variable or a field.
    pub receiver: String,
    pub name: String,
    pub line: usize,
}

impl Source {
    pub fn read(text: &str) -> Source {
        let tokens = without_tests(tokens(text));
        let mut source = Source { tokens, ..Source::default() };
        source.scan();
        source
    }

    fn at(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    fn scan(&mut self) {
        let mut depth = 0;
        let mut at = 0;
        while at < self.tokens.len() {
            let starts_item = at == 0 || matches!(self.at(at - 1), "{" | "}" | ";" | "]" | ")" | "pub" | "unsafe");
            match self.at(at) {
                "{" => depth += 1,
                "}" => depth -= 1,
                "use" if starts_item => {
                    let is_reexport = at > 0 && matches!(self.at(at - 1), "pub" | ")");
                    at = self.import(at + 1, Vec::new(), is_reexport);
                }
                "impl" if depth == 0 && starts_item => self.implementation(at),
                "struct" | "enum" | "trait" | "type" | "fn" | "const" | "static" | "union" | "mod" if depth == 0 => {
                    let name = self.at(at + 1).to_owned();
                    self.defined.insert(name);
                    at += 1;
                }
                text if is_word(text) && (at == 0 || self.at(at - 1) != "::") => at = self.path(at),
                _ => {}
            }
            at += 1;
        }
    }

    /// The tree of a `use` from `at` on, below `path`; the place of its last token.
    fn import(&mut self, mut at: usize, path: Path, is_reexport: bool) -> usize {
        let mut path = path;
        let line = self.tokens[at].line;
        let mut name = None;
        loop {
            match self.at(at) {
                "::" => {}
                "{" => {
                    at += 1;
                    while self.at(at) != "}" {
                        at = self.import(at, path.clone(), is_reexport);
                        if self.at(at) == "," {
                            at += 1;
                        }
                    }
                    return at + 1;
                }
                "as" => {
                    name = Some(self.at(at + 1).to_owned());
                    at += 1;
                }
                text @ ("*" | "self") if !path.is_empty() => {
                    if text == "*" {
                        name = Some("*".to_owned());
                    }
                }
                text if is_word(text) => path.push(text.to_owned()),
                _ => break,
            }
            at += 1;
        }
        let name = name.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
        self.imports.push(Import { name, path, line, is_reexport });
        at
    }

    fn implementation(&mut self, at: usize) {
        let line = self.tokens[at].line;
        let mut next = self.past_generics(at + 1);
        let (mut of, mut after) = self.type_name(next);
        let is_inherent = self.at(after) != "for";
        if !is_inherent {
            next = after + 1;
            (of, after) = self.type_name(next);
        }
        let mut methods = Vec::new();
        let mut depth = 0;
        let mut end = line;
        for place in after..self.tokens.len() {
            match self.at(place) {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        end = self.tokens[place].line;
                        break;
                    }
                }
                "fn" if depth == 1 => methods.push((self.at(place + 1).to_owned(), self.tokens[place].line)),
                _ => {}
            }
        }
        self.impls.push(Impl { of, is_inherent, methods, line, end });
    }

    /// The path of a type in an `impl`, and the place after it and its arguments.
    fn type_name(&self, mut at: usize) -> (Path, usize) {
        while matches!(self.at(at), "&" | "!" | "mut" | "dyn") || self.at(at).starts_with('\'') {
            at += 1;
        }
        let mut path = Vec::new();
        while is_word(self.at(at)) && self.at(at) != "for" {
            path.push(self.at(at).to_owned());
            at = self.past_generics(at + 1);
            if self.at(at) != "::" {
                break;
            }
            at += 1;
        }
        while !matches!(self.at(at), "for" | "{" | "where" | "") {
            at += 1;
        }
        (path, at)
    }

    fn past_generics(&self, at: usize) -> usize {
        let mut depth = 0;
        for place in at.. {
            match self.at(place) {
                "<" => depth += 1,
                ">" => depth -= 1,
                "" => return place,
                _ => {}
            }
            if depth == 0 {
                return if place == at { at } else { place + 1 };
            }
        }
        at
    }

    /// The path that starts at `at`; the place of its last token.
    fn path(&mut self, at: usize) -> usize {
        let line = self.tokens[at].line;
        let mut path = vec![self.at(at).to_owned()];
        let mut last = at;
        while self.at(last + 1) == "::" && is_word(self.at(last + 2)) {
            last += 2;
            path.push(self.at(last).to_owned());
        }
        let is_member = at > 0 && self.at(at - 1) == ".";
        let is_called = self.at(last + 1) == "(" || self.at(last + 1) == "::";
        if is_called && (path.len() > 1 || is_member) {
            let name = path[path.len() - 1].clone();
            let receiver = if path.len() > 1 { &path[path.len() - 2] } else { self.at(at.saturating_sub(2)) };
            self.calls.push(Call { receiver: receiver.to_owned(), name, line });
        }
        // `pub(in crate::room)` says who may see it.
        let is_visibility = at > 1 && self.at(at - 1) == "in" && self.at(at - 2) == "(";
        if !is_member && !is_visibility {
            self.paths.push((path, line));
        }
        last
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The tokens of Rust text: no comments, and literals without what they hold.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let mut found = Vec::new();
    let (mut place, mut line) = (0, 1);
    while place < chars.len() {
        let start = place;
        match at(place) {
            '/' if at(place + 1) == '/' => {
                while place < chars.len() && at(place) != '\n' {
                    place += 1;
                }
                continue;
            }
            '"' => place = end_of_string(&chars, place),
            '\'' if at(place + 1) == '\\' => {
                place += 3;
                while at(place) != '\'' {
                    place += 1;
                }
                place += 1;
            }
            '\'' if at(place + 2) == '\'' => place += 3,
            ':' if at(place + 1) == ':' => place += 2,
            // An arrow closes no generics.
            '-' | '=' if at(place + 1) == '>' => place += 2,
            c if c.is_alphanumeric() || c == '_' || c == '\'' => {
                place += 1;
                while at(place).is_alphanumeric() || at(place) == '_' {
                    place += 1;
                }
                let is_prefix =
                    matches!(chars[start..place].iter().collect::<String>().as_str(), "r" | "b" | "br" | "c");
                if is_prefix && matches!(at(place), '"' | '#') {
                    place = end_of_raw_string(&chars, place);
                }
            }
            _ => place += 1,
        }
        let word: String = chars[start..place].iter().collect();
        if !word.trim().is_empty() {
            let text = if word.contains('"') { "\"\"".to_owned() } else { word.clone() };
            found.push(Token { text, line });
        }
        line += word.matches('\n').count();
    }
    found
}

/// The place after the string whose quote stands at `place`.
fn end_of_string(chars: &[char], mut place: usize) -> usize {
    place += 1;
    while chars.get(place).is_some_and(|c| *c != '"') {
        place += if chars[place] == '\\' { 2 } else { 1 };
    }
    place + 1
}

/// The place after the string whose prefix (`r`, `b`, `br`) ends at `place`.
fn end_of_raw_string(chars: &[char], place: usize) -> usize {
    let fence = chars[place..].iter().take_while(|c| **c == '#').count();
    if chars.get(place + fence) != Some(&'"') {
        return place; // `r#type`: a name
    }
    if fence == 0 && chars[place - 1] != 'r' {
        return end_of_string(chars, place);
    }
    let mut end = place + fence + 1;
    while end < chars.len() {
        let closes = chars[end] == '"' && chars[end + 1..].iter().take(fence).filter(|c| **c == '#').count() == fence;
        if closes {
            return end + 1 + fence;
        }
        end += 1;
    }
    end
}

/// `tokens` without what stands under `#[cfg(test)]`.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let words: Vec<&str> = tokens[at..].iter().take(7).map(|token| token.text.as_str()).collect();
        if words != ["#", "[", "cfg", "(", "test", ")", "]"] {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += 7;
        let mut depth = 0;
        loop {
            match tokens.get(at).map_or("", |token| token.text.as_str()) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                "" => break,
                _ => {}
            }
            let ends = depth == 0 && matches!(tokens[at].text.as_str(), "}" | ";" | ",");
            at += 1;
            if ends {
                break;
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<String> {
        Source::read(text)
            .imports
            .iter()
            .map(|import| format!("{} = {}", import.name, import.path.join("::")))
            .collect()
    }

    #[test]
    fn imports_are_read_in_every_form() {
        let text = "use super::{a::A as B, c::{self, D}};\npub(super) use e::F;\nuse g::*;";
        let expected = ["B = super::a::A", "c = super::c", "D = super::c::D", "F = e::F", "* = g"];
        assert_eq!(imports(text), expected);
        assert!(Source::read(text).imports[3].is_reexport);
    }

    #[test]
    fn comments_strings_and_tests_say_nothing() {
        let text = "// super::a::f()\nlet x = \"super::b\"; let y = r#\"use super::c; \"{\"#;\nlet z = '\"';\n\
                    #[cfg(test)]\nmod tests { use super::d; }\n#[cfg(test)]\nuse super::e;\nuse super::f;";
        assert_eq!(imports(text), ["f = super::f"]);
        assert!(Source::read(text).paths.iter().all(|(path, _)| path.len() == 1));
    }

    #[test]
    fn implementations_are_read_with_their_methods() {
        let text = "impl<'a, T: Into<X>> super::Planner<'a, T> where T: Y {\n\
                    fn f(&self) { fn inner() {} } pub fn g() {} }\n\
                    impl fmt::Display for Other<'_> { fn fmt() -> X<Y> {} }";
        let found = Source::read(text).impls;
        assert_eq!(found[0].of, ["super", "Planner"]);
        assert!(found[0].is_inherent && !found[1].is_inherent);
        assert_eq!(found[0].methods.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["f", "g"]);
        assert_eq!(found[1].of, ["Other"]);
    }

    #[test]
    fn paths_and_calls_are_read_with_their_lines() {
        let source =
            Source::read("pub(in crate::room) fn f() {\n  super::a::g::<X>(h, self.m(1));\n  vec![crate::b::C]\n}");
        let long: Vec<_> = source.paths.iter().filter(|(path, _)| path.len() > 1).collect();
        assert_eq!(*long[0], (vec!["super".to_owned(), "a".to_owned(), "g".to_owned()], 2));
        assert_eq!(*long[1], (vec!["crate".to_owned(), "b".to_owned(), "C".to_owned()], 3));
        assert!(source.calls.contains(&Call { receiver: "self".to_owned(), name: "m".to_owned(), line: 2 }));
    }
}
