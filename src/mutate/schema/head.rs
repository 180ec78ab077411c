//! The head of a function's declaration: the places of its specifiers, name and parameters.

use crate::lex::{self, Text, Token};

/// Offsets of the parts of a head.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The start of the specifiers, after `template <…>`, `[[…]]` and `extern "C"`.
    pub specifiers: u32,
    /// `template <…>` with parameters comes first.
    pub is_template: bool,
    /// The range of `template <>` before it.
    pub specialises: Option<(u32, u32)>,
    /// The start of the name with its qualifiers.
    pub qualified: u32,
    /// The range of the name.
    pub name: (u32, u32),
    /// The range of template arguments after the name.
    pub arguments: Option<(u32, u32)>,
    /// Offset of `(`.
    pub open: u32,
    /// Offset of `)`.
    pub close: u32,
    /// There are parameters; `void` does not count.
    pub has_parameters: bool,
    /// Words that only the original may have, such as `virtual`, `override`, `= 0`; their ranges.
    pub dropped: Vec<(u32, u32)>,
    /// The words before the name.
    pub words: Vec<String>,
}

/// Index after the bracket that closes the one at `open`; `<` is balanced with other brackets.
fn behind(text: &Text, tokens: &[Token], open: usize) -> Option<usize> {
    if !tokens.get(open)?.is(&text.bytes, "<") {
        return lex::closing(&text.bytes, tokens, open).map(|close| close + 1);
    }
    let (mut depth, mut at) = (0i32, open);
    while let Some(token) = tokens.get(at) {
        match text.word(token) {
            b"<" => depth += 1,
            b">" => depth -= 1,
            b">>" => depth -= 2,
            b"(" | b"[" | b"{" => {
                at = lex::closing(&text.bytes, tokens, at)? + 1;
                continue;
            }
            b";" => return None,
            _ => {}
        }
        at += 1;
        if depth <= 0 {
            return Some(at);
        }
    }
    None
}

/// The place of the name among the tokens of a declaration: before its parameters.
pub(super) fn find_name(text: &Text, tokens: &[Token], name: &str) -> Option<(u32, u32)> {
    let wanted: Vec<Token> = lex::tokens(name.as_bytes());
    let first = wanted.first()?;
    if first.is(name.as_bytes(), "operator") {
        let at = tokens.iter().position(|token| token.is(&text.bytes, "operator"))?;
        // `operator()` has brackets in its name.
        let called = tokens.get(at + 1)?.is(&text.bytes, "(") && tokens.get(at + 2)?.is(&text.bytes, ")");
        let from = if called { at + 3 } else { at + 1 };
        let open = tokens.iter().skip(from).position(|token| token.is(&text.bytes, "("))? + from;
        return Some((tokens[at].start, tokens[open - 1].end));
    }
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let length = wanted.len();
        let matches = tokens.get(at..at + length).is_some_and(|found| {
            found.iter().zip(&wanted).all(|(found, wanted)| text.word(found) == wanted.text(name.as_bytes()))
        });
        if matches && tokens.get(at + length).is_some_and(|next| next.is(&text.bytes, "(")) {
            return Some((token.start, tokens[at + length - 1].end));
        }
        at = match text.word(token) {
            b"(" | b"[" | b"{" => behind(text, tokens, at)?,
            _ => at + 1,
        };
    }
    None
}

/// Ranges that conditional compilation excludes from a head, directives included. The head starts in a compiled
/// branch, so the others up to `#endif` are not compiled.
pub(super) fn left_out(text: &Text, start: u32, end: u32) -> Result<Vec<(u32, u32)>, &'static str> {
    const ODD: &str = "there is a preprocessor directive in its head";
    let tokens = text.within(start, end);
    let mut found = Vec::new();
    // The start of the excluded part, and the number of conditions opened in it.
    let mut open: Option<(u32, u32)> = None;
    for (at, token) in tokens.iter().enumerate() {
        if !token.directive
            || !token.is(&text.bytes, "#")
            || at > 0 && tokens[at - 1].directive && !ends(&tokens[at - 1])
        {
            continue;
        }
        let line_end = || tokens[at..].iter().find(|token| ends(token)).map(|token| token.end).ok_or(ODD);
        let word = tokens.get(at + 1).map(|word| text.word(word)).unwrap_or_default();
        match (word, &mut open) {
            (b"if" | b"ifdef" | b"ifndef", Some((_, depth))) => *depth += 1,
            (b"endif", Some((from, 0))) => {
                found.push((*from, line_end()?));
                open = None;
            }
            (b"endif", Some((_, depth))) => *depth -= 1,
            (b"else" | b"elif", None) => open = Some((token.start, 0)),
            (b"endif", None) => found.push((token.start, line_end()?)),
            (_, None) => return Err(ODD),
            (_, Some(_)) => {}
        }
    }
    if open.is_some() { Err(ODD) } else { Ok(found) }
}

fn ends(token: &Token) -> bool {
    token.kind == lex::Kind::DirectiveEnd
}

/// Reads the head in `tokens`, up to the body, the initialisers or the `;`.
pub(super) fn read(text: &Text, tokens: &[Token], name: (u32, u32)) -> Result<Head, &'static str> {
    const ODD: &str = "its head has an unknown form";
    if tokens.iter().any(|token| token.directive) {
        return Err("there is a preprocessor directive in its head");
    }
    let is = |at: usize, what: &str| tokens.get(at).is_some_and(|token| token.is(&text.bytes, what));
    let mut at = 0;
    let (mut is_template, mut specialises) = (false, None);
    loop {
        if is(at, "template") && is(at + 1, "<") {
            let end = behind(text, tokens, at + 1).ok_or(ODD)?;
            if end == at + 3 {
                specialises = Some((tokens[at].start, tokens[end - 1].end));
            } else {
                is_template = true;
            }
            at = end;
        } else if is(at, "[") && is(at + 1, "[") {
            at = behind(text, tokens, at).ok_or(ODD)?;
        } else if is(at, "extern") && tokens.get(at + 1).is_some_and(|next| next.kind == lex::Kind::Str) {
            at += 2;
        } else {
            break;
        }
    }
    let specifiers = tokens.get(at).ok_or(ODD)?.start;
    let name_at = tokens.iter().position(|token| token.start == name.0).filter(|found| *found >= at).ok_or(ODD)?;
    let mut dropped = Vec::new();
    let mut words = Vec::new();
    for (index, token) in tokens.iter().enumerate().take(name_at).skip(at) {
        let word = text.word(token);
        words.push(String::from_utf8_lossy(word).into_owned());
        let plain = matches!(word, b"virtual" | b"override") || word == b"explicit" && !is(index + 1, "(");
        if plain {
            dropped.push((token.start, token.end));
        }
    }
    let qualified = qualifier_start(text, tokens, name_at, at);
    let mut next = tokens.iter().position(|token| token.start >= name.1).ok_or(ODD)?;
    let mut arguments = None;
    if is(next, "<") {
        let end = behind(text, tokens, next).ok_or(ODD)?;
        arguments = Some((tokens[next].start, tokens[end - 1].end));
        next = end;
    }
    if !is(next, "(") {
        return Err(ODD);
    }
    let close = lex::closing(&text.bytes, tokens, next).ok_or(ODD)?;
    let between = &tokens[next + 1..close];
    let only_void = between.len() == 1 && between[0].is(&text.bytes, "void");
    tail(text, tokens, close + 1, &mut dropped);
    Ok(Head {
        specifiers,
        is_template,
        specialises,
        qualified,
        name,
        arguments,
        open: tokens[next].start,
        close: tokens[close].start,
        has_parameters: !between.is_empty() && !only_void,
        dropped,
        words,
    })
}

/// Words after the parameters that no ordinary function may have.
fn tail(text: &Text, tokens: &[Token], from: usize, dropped: &mut Vec<(u32, u32)>) {
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match text.word(token) {
            b"override" | b"final" => dropped.push((token.start, token.end)),
            b"=" => {
                if let Some(last) = tokens.last() {
                    dropped.push((token.start, last.end));
                }
                return;
            }
            b"(" | b"[" => {
                if let Some(end) = behind(text, tokens, at) {
                    at = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Offset of the first qualifier before the name at `name`.
fn qualifier_start(text: &Text, tokens: &[Token], name: usize, least: usize) -> u32 {
    let mut at = name;
    while at > least && tokens[at - 1].is(&text.bytes, "::") {
        at -= 1;
        if at > least && (tokens[at - 1].is(&text.bytes, ">") || tokens[at - 1].is(&text.bytes, ">>")) {
            let mut depth = 0i32;
            while at > least {
                at -= 1;
                match text.word(&tokens[at]) {
                    b">" => depth += 1,
                    b">>" => depth += 2,
                    b"<" => depth -= 1,
                    _ => {}
                }
                if depth <= 0 {
                    break;
                }
            }
        }
        if at > least && tokens[at - 1].kind == lex::Kind::Word && !is_specifier(text.word(&tokens[at - 1])) {
            at -= 1;
        }
    }
    tokens[at].start
}

/// Words that end a type, so that a `::` after them starts a new name.
fn is_specifier(word: &[u8]) -> bool {
    const WORDS: &[&str] = &[
        "void", "int", "char", "bool", "float", "double", "long", "short", "unsigned", "signed", "auto", "const",
        "volatile", "inline", "static", "virtual", "explicit", "friend",
    ];
    word == b"constexpr" || WORDS.iter().any(|known| known.as_bytes() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(source: &str, name: &str) -> (Text, Head) {
        let text = Text::new(source.into());
        let name = find_name(&text, &text.tokens, name).unwrap();
        let head = read(&text, &text.tokens, name).unwrap();
        (text, head)
    }

    fn at(text: &Text, span: (u32, u32)) -> String {
        String::from_utf8_lossy(&text.bytes[span.0 as usize..span.1 as usize]).into_owned()
    }

    #[test]
    fn specifiers_begin_behind_templates_and_attributes() {
        let (text, head) =
            head("template <class T, int N = (1 > 0)> [[nodiscard]] static int A<B<T>>::f(void) const override", "f");
        assert!(head.is_template && !head.has_parameters);
        assert_eq!(at(&text, (head.specifiers, head.qualified)), "static int ");
        assert_eq!(at(&text, (head.qualified, head.open)), "A<B<T>>::f");
        assert_eq!(head.dropped.iter().map(|span| at(&text, *span)).collect::<Vec<_>>(), ["override"]);
    }

    #[test]
    fn operators_conversions_and_destructors_have_their_whole_names() {
        for (source, called, name) in [
            ("bool N::C::operator ( ) (int a) const", "operator()", "operator ( )"),
            ("explicit operator const char *() const", "operator const char *", "operator const char *"),
            ("virtual ~C()", "~C", "~C"),
            ("C & operator++ (int)", "operator++", "operator++"),
        ] {
            let (text, head) = head(source, called);
            assert_eq!(at(&text, head.name), name);
        }
    }

    #[test]
    fn what_only_the_original_may_have_is_found() {
        let (text, head) = head("virtual int f(int a = (1, 2)) noexcept(true) final = 0", "f");
        assert_eq!(head.dropped.iter().map(|span| at(&text, *span)).collect::<Vec<_>>(), ["virtual", "final", "= 0"]);
        assert!(head.has_parameters);
    }

    #[test]
    fn a_directive_within_is_refused() {
        let text = Text::new(b"int\n#if A\n f(int)\n#endif\n".to_vec());
        assert!(read(&text, &text.tokens, (13, 14)).is_err());
    }

    #[test]
    fn branches_that_are_not_compiled_are_left_out() {
        let source = "int f(int a)\n#else\nint f(a)\n#if X\nlong a;\n#else\nint a;\n#endif\n#endif\n{ }";
        let text = Text::new(source.into());
        let found = left_out(&text, 0, source.find('{').unwrap() as u32).unwrap();
        assert_eq!(
            found.iter().map(|span| at(&text, *span)).collect::<Vec<_>>(),
            [source[13..source.len() - 4].to_string()]
        );
        let text = Text::new(b"int f(a) int a;\n#endif\n{}".to_vec());
        assert_eq!(left_out(&text, 0, 23), Ok(vec![(16, 22)]));
        let text = Text::new(b"int f(\n#if A\nint a\n#endif\n) {}".to_vec());
        assert!(left_out(&text, 0, 30).is_err());
    }

    #[test]
    fn a_specialisation_has_its_arguments() {
        let (text, head) = head("template <> int g<int>(int a)", "g<int>");
        assert_eq!(head.specialises.map(|span| at(&text, span)).as_deref(), Some("template <>"));
        let name = (16, 17);
        let again = read(&text, &text.tokens, name).unwrap();
        assert_eq!(again.arguments.map(|span| at(&text, span)).as_deref(), Some("<int>"));
    }
}
