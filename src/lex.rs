//! Tokens of C and C++ source text, as the compiler's first phases see them. Enough for finding names, brackets
//! and differences in text that libclang has already understood; it never decides what a program means.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string, with prefix and suffix.
    Str,
    /// A character constant.
    Char,
    /// An operator or bracket.
    Punct,
    /// The end of a preprocessor directive's line, without text.
    DirectiveEnd,
}

/// A token by its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset behind its last byte.
    pub end: u32,
    /// It belongs to a preprocessor directive.
    pub directive: bool,
}

impl Token {
    /// Its bytes.
    pub fn text<'t>(&self, source: &'t [u8]) -> &'t [u8] {
        &source[self.start as usize..self.end as usize]
    }

    /// Whether its text is `text`.
    pub fn is(&self, source: &[u8], text: &str) -> bool {
        self.text(source) == text.as_bytes()
    }
}

const PUNCTUATORS: &[&str] = &[
    "<<=", ">>=", "<=>", "...", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", ".*",
];

/// The tokens of `source`; comments and white space are left out. Bytes that start no token are tokens of their own.
pub fn tokens(source: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer { source, at: 0, directive: false, fresh: true, out: Vec::with_capacity(source.len() / 5) };
    lexer.run();
    lexer.out
}

/// The length of the whole directives that `source` begins with, comments among them; 0 where none includes a file.
/// Pragmas end it: not all of them have an effect from a precompiled header.
pub fn preamble(source: &[u8]) -> usize {
    let (mut open, mut end, mut includes) = (0_usize, 0, false);
    let tokens = tokens(source);
    for line in tokens.split_inclusive(|token| token.kind == Kind::DirectiveEnd) {
        let [hash, word, .., last] = line else { break };
        if !hash.directive {
            break;
        }
        match word.text(source) {
            b"pragma" => break,
            b"if" | b"ifdef" | b"ifndef" => open += 1,
            b"endif" => open = open.saturating_sub(1),
            // A macro may name the file itself.
            word if word.starts_with(b"include") => match line.get(2).map(|token| source[token.start as usize]) {
                Some(b'"' | b'<') => includes = true,
                _ => break,
            },
            _ => {}
        }
        if open == 0 {
            end = source.len().min(last.end as usize + 1);
        }
    }
    if includes { end } else { 0 }
}

struct Lexer<'s> {
    source: &'s [u8],
    at: usize,
    directive: bool,
    /// Nothing but white space since the line began.
    fresh: bool,
    out: Vec<Token>,
}

fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.out.push(Token { kind, start: start as u32, end: self.at as u32, directive: self.directive });
    }

    fn end_directive(&mut self) {
        if self.directive {
            let at = self.at;
            self.push(Kind::DirectiveEnd, at);
            self.directive = false;
        }
    }

    fn run(&mut self) {
        while self.at < self.source.len() {
            let byte = self.peek(0);
            match byte {
                b'\n' => {
                    self.end_directive();
                    self.fresh = true;
                    self.at += 1;
                }
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.peek(1) == b'/' => self.line_comment(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                _ => self.token(byte),
            }
        }
        self.end_directive();
    }

    fn line_comment(&mut self) {
        while self.at < self.source.len() && self.peek(0) != b'\n' {
            // A backslash at the end of the line carries the comment on.
            self.at += if self.peek(0) == b'\\' && self.peek(1) == b'\n' { 2 } else { 1 };
        }
        self.at = self.at.min(self.source.len());
    }

    fn block_comment(&mut self) {
        self.at += 2;
        while self.at < self.source.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.source.len());
    }

    fn token(&mut self, byte: u8) {
        let start = self.at;
        if byte == b'#' && self.fresh {
            self.directive = true;
        }
        self.fresh = false;
        if byte.is_ascii_digit() || (byte == b'.' && self.peek(1).is_ascii_digit()) {
            self.number();
            self.push(Kind::Number, start);
        } else if word_byte(byte) {
            while self.at < self.source.len() && word_byte(self.peek(0)) {
                self.at += 1;
            }
            let prefix = &self.source[start..self.at];
            match (prefix, self.peek(0)) {
                (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') => {
                    self.raw_string();
                    self.push(Kind::Str, start);
                }
                (b"L" | b"u" | b"U" | b"u8", b'"') => self.quoted(b'"', Kind::Str, start),
                (b"L" | b"u" | b"U" | b"u8", b'\'') => self.quoted(b'\'', Kind::Char, start),
                _ => self.push(Kind::Word, start),
            }
        } else if byte == b'"' {
            self.quoted(b'"', Kind::Str, start);
        } else if byte == b'\'' {
            self.quoted(b'\'', Kind::Char, start);
        } else {
            let rest = &self.source[start..];
            let len = PUNCTUATORS.iter().find(|p| rest.starts_with(p.as_bytes())).map_or(1, |p| p.len());
            self.at += len;
            self.push(Kind::Punct, start);
        }
    }

    fn number(&mut self) {
        while self.at < self.source.len() {
            let byte = self.peek(0);
            let sign_may_follow = matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.peek(1), b'+' | b'-');
            let hex = self.source[..self.at].ends_with(b"0x") || self.source[..self.at].ends_with(b"0X");
            if sign_may_follow && !hex {
                // In a hexadecimal integer `e` is a digit and a sign behind it an operator.
                let number_is_hex = self.number_is_hex();
                self.at += if number_is_hex && matches!(byte, b'e' | b'E') { 1 } else { 2 };
            } else if word_byte(byte) || byte == b'.' || (byte == b'\'' && word_byte(self.peek(1))) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn number_is_hex(&self) -> bool {
        let mut start = self.at;
        while start > 0 && (word_byte(self.source[start - 1]) || matches!(self.source[start - 1], b'.' | b'\'')) {
            start -= 1;
        }
        self.source[start..].starts_with(b"0x") || self.source[start..].starts_with(b"0X")
    }

    fn quoted(&mut self, quote: u8, kind: Kind, start: usize) {
        self.at += 1;
        while self.at < self.source.len() && self.peek(0) != quote && self.peek(0) != b'\n' {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        if self.peek(0) == quote {
            self.at += 1;
            // A user-defined literal's suffix belongs to it.
            while word_byte(self.peek(0)) && self.at < self.source.len() {
                self.at += 1;
            }
        }
        self.at = self.at.min(self.source.len());
        self.push(kind, start);
    }

    fn raw_string(&mut self) {
        let open = self.at + 1;
        let Some(paren) = self.source[open..].iter().take(18).position(|&b| b == b'(') else {
            self.at += 1;
            return;
        };
        let mut close = vec![b')'];
        close.extend_from_slice(&self.source[open..open + paren]);
        close.push(b'"');
        let body = open + paren + 1;
        let end = self.source[body..].windows(close.len()).position(|window| window == close);
        self.at = end.map_or(self.source.len(), |end| body + end + close.len());
    }
}

/// The bytes that a string as written stands for, as far as the source says them: of a wide one the plain characters.
pub fn string_bytes(written: &[u8]) -> Vec<u8> {
    let Some(quote) = written.iter().position(|byte| *byte == b'"') else { return Vec::new() };
    let inner = &written[quote + 1..];
    if written[..quote].ends_with(b"R") {
        let begin = inner.iter().position(|byte| *byte == b'(').map_or(inner.len(), |paren| paren + 1);
        let end = inner.iter().rposition(|byte| *byte == b')').unwrap_or(begin);
        return inner.get(begin..end).unwrap_or_default().to_vec();
    }
    let end = inner.iter().rposition(|byte| *byte == b'"').unwrap_or(inner.len());
    let (mut bytes, mut rest) = (Vec::with_capacity(end), &inner[..end]);
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let number = |rest: &mut &[u8], base: u32, most: usize| {
            let digits = rest.iter().take(most).take_while(|byte| char::from(**byte).is_digit(base)).count();
            let text = String::from_utf8_lossy(&rest[..digits]).into_owned();
            *rest = &rest[digits..];
            u32::from_str_radix(&text, base).unwrap_or_default()
        };
        match rest {
            [b'x', behind @ ..] => {
                rest = behind;
                bytes.push(number(&mut rest, 16, 2) as u8);
            }
            [b'0'..=b'7', ..] => bytes.push(number(&mut rest, 8, 3) as u8),
            [b'\r', b'\n', behind @ ..] | [b'\n', behind @ ..] => rest = behind,
            [b'u' | b'U', behind @ ..] => {
                let digits = if rest[0] == b'u' { 4 } else { 8 };
                rest = behind;
                let of = char::from_u32(number(&mut rest, 16, digits)).unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend(of.to_string().bytes());
            }
            [other, behind @ ..] => {
                let plain = b"abfnrtv".iter().position(|known| known == other);
                bytes.push(plain.map_or(*other, |at| b"\x07\x08\x0c\n\r\t\x0b"[at]));
                rest = behind;
            }
            [] => {}
        }
    }
    bytes
}

/// A text with its tokens.
#[derive(Clone, Debug)]
pub struct Text<B = Vec<u8>> {
    /// The text.
    pub bytes: B,
    /// Its tokens.
    pub tokens: Vec<Token>,
}

impl<B: AsRef<[u8]>> Text<B> {
    /// Reads the tokens of a text.
    pub fn new(bytes: B) -> Self {
        Self { tokens: tokens(bytes.as_ref()), bytes }
    }

    /// The bytes of one of its tokens.
    pub fn word(&self, token: &Token) -> &[u8] {
        token.text(self.bytes.as_ref())
    }

    /// The tokens that start in `start..end`.
    pub fn within(&self, start: u32, end: u32) -> &[Token] {
        let from = self.tokens.partition_point(|token| token.start < start);
        let to = self.tokens.partition_point(|token| token.start < end);
        &self.tokens[from..to.max(from)]
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        line_of(self.bytes.as_ref(), offset)
    }
}

/// The line of an offset, from 1.
pub fn line_of(text: &[u8], offset: u32) -> u32 {
    let before = text.iter().take(offset as usize);
    1 + before.filter(|byte| **byte == b'\n').count() as u32
}

/// Index of the bracket that closes the one at `open`; none where it is missing. Only its own sort is counted.
pub fn closing(source: &[u8], tokens: &[Token], open: usize) -> Option<usize> {
    let (opening, closing) = match tokens.get(open)?.text(source) {
        b"(" => ("(", ")"),
        b"[" => ("[", "]"),
        b"{" => ("{", "}"),
        _ => return None,
    };
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.is(source, opening) {
            depth += 1;
        } else if token.is(source, closing) {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// Offset of its first byte.
    pub start: usize,
    /// The name.
    pub text: &'t str,
    /// Stands behind `.` or `->`.
    pub is_member: bool,
    /// Stands on a preprocessor line.
    pub in_directive: bool,
}

/// The names and keywords of `text`, in order.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut is_member = false;
    let mut out = Vec::new();
    for token in tokens(text.as_bytes()) {
        let (start, end) = (token.start as usize, token.end as usize);
        if token.kind == Kind::Word {
            out.push(Word { start, text: &text[start..end], is_member, in_directive: token.directive });
        }
        is_member = matches!(&text.as_bytes()[start..end], b"." | b"->");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        tokens(source.as_bytes())
            .iter()
            .map(|t| String::from_utf8_lossy(t.text(source.as_bytes())).into_owned())
            .collect()
    }

    #[test]
    fn strings_stand_for_what_their_escapes_mean() {
        let written: [(&[u8], &[u8]); 5] = [
            (br#""a\"b\\c\n""#, b"a\"b\\c\n"),
            (br#"u8"\x41z\101\0""#, b"AzA\0"),
            (b"R\"x(a\\n(b))x\"", b"a\\n(b)"),
            (br#""\u00e4""#, "\u{e4}".as_bytes()),
            (b"\"a\\\nb\"", b"ab"),
        ];
        for (text, bytes) in written {
            assert_eq!(string_bytes(text), bytes, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn comments_and_white_space_are_no_tokens() {
        assert_eq!(texts("a/*x*/ +\\\n b // c\n;"), ["a", "+", "b", ";"]);
        assert_eq!(texts("a // on \\\n still\n b"), ["a", "b"]);
    }

    #[test]
    fn strings_hide_what_looks_like_comments_and_brackets() {
        assert_eq!(
            texts(r#"f("//\"{", '"', u8R"x(}")x")"#),
            ["f", "(", r#""//\"{""#, ",", "'\"'", ",", "u8R\"x(}\")x\"", ")"]
        );
    }

    #[test]
    fn comments_and_literals_hold_no_words() {
        let found = words("a /* b */ \"c \\\" d\" 'e' R\"x(f )\" g)x\" 1'000 0x1p-3f 3_km h // i\n#define J\nk");
        assert_eq!(found.iter().map(|word| word.text).collect::<Vec<_>>(), ["a", "h", "define", "J", "k"]);
        let directive: Vec<&str> = found.iter().filter(|word| word.in_directive).map(|word| word.text).collect();
        assert_eq!(directive, ["define", "J"]);
        let members: Vec<&str> = words("a.b c -> d e...f").iter().filter(|w| w.is_member).map(|w| w.text).collect();
        assert_eq!(members, ["b", "d"]);
    }

    #[test]
    fn numbers_keep_their_signs_and_separators() {
        assert_eq!(texts("1e-5f+0x1p-3 - 1'000.5 0xe+1"), ["1e-5f", "+", "0x1p-3", "-", "1'000.5", "0xe", "+", "1"]);
    }

    #[test]
    fn a_directive_is_marked_to_the_end_of_its_last_line() {
        let source = b"#define A \\\n 1\nint a;";
        let marked: Vec<bool> = tokens(source).iter().map(|t| t.directive).collect();
        assert_eq!(marked, [true, true, true, true, true, false, false, false]);
    }

    #[test]
    fn a_bracket_finds_its_partner() {
        let source = b"f((a)[1], b) c";
        let list = tokens(source);
        assert_eq!(closing(source, &list, 1), Some(10));
        assert_eq!(closing(b"(", &tokens(b"("), 0), None);
    }

    #[test]
    fn whole_directives_at_the_beginning_are_a_preamble_if_they_include_a_file() {
        let length = |source: &str, rest: &str| assert_eq!(&source[preamble(source.as_bytes())..], rest);
        length("// a\n#include <b> /*\n*/\n# define C \\\n 1\n\nint d;\n#include <e>\n", "\nint d;\n#include <e>\n");
        length(
            "#ifdef A\n#include <b>\n#endif\n#if C\n#include <d>\nint e;\n#endif\n",
            "#if C\n#include <d>\nint e;\n#endif\n",
        );
        length("#include <a>\n#pragma pack(1)\n#include <b>\n", "#pragma pack(1)\n#include <b>\n");
        length("#define A 1\nint b;\n", "#define A 1\nint b;\n");
        length("#include <a>", "");
        length("#include <a>\n#include NAME\n", "#include NAME\n");
    }
}
