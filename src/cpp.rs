//! Typed C and C++ fragments made with `quote`, and the one printer that owns their spacing.
//!
//! `quote` builds expressions and statements from parts, so that precedence, commas and parentheses can't go
//! wrong. What Rust's tokens can't say (hex floats, qualified names, prefixed strings) enters through
//! [`raw`], which the printer writes as it is. Skeletons with comments and `#` lines are Tera's.

use crate::model::Language;
use proc_macro2::{Delimiter, Literal, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// Marks a string literal that the printer writes without quotes.
const RAW: char = '\u{1}';

/// Text that is written as it stands: a type's spelling, a qualified name, a literal.
pub fn raw(text: impl AsRef<str>) -> TokenStream {
    Literal::string(&format!("{RAW}{}", text.as_ref())).into_token_stream()
}

/// A call: `callee(args…)`.
pub fn call(callee: TokenStream, args: &[TokenStream]) -> TokenStream {
    quote!(#callee ( #(#args),* ))
}

/// A member: `object.name`, or `object->name` for a pointer.
pub fn member(object: TokenStream, is_pointer: bool, name: &str) -> TokenStream {
    let name = raw(name);
    if is_pointer { quote!(#object -> #name) } else { quote!(#object . #name) }
}

/// `&operand`, without the pair in `&*p`.
pub fn address_of(operand: &str) -> String {
    match operand.strip_prefix('*') {
        Some(pointer) if is_primary(pointer) => pointer.to_owned(),
        _ => format!("&{}", parenthesised(operand)),
    }
}

/// `*operand`, without the pair in `*&x`.
pub fn dereference(operand: &str) -> String {
    match operand.strip_prefix('&') {
        Some(object) if is_primary(object) => object.to_owned(),
        _ => format!("*{}", parenthesised(operand)),
    }
}

fn parenthesised(operand: &str) -> String {
    if is_primary(operand) || operand.starts_with('*') && is_primary(&operand[1..]) {
        operand.to_owned()
    } else {
        format!("({operand})")
    }
}

/// Whether an expression names an object: a variable, a member of one, an element.
pub fn is_path(text: &str) -> bool {
    let rest = text.replace("->", ".");
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    !matches!(text, "" | "NULL" | "nullptr")
        && !rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.chars().all(named)
}

/// An expression that binds tighter than any prefix operator: names, calls, members, subscripts.
fn is_primary(text: &str) -> bool {
    let mut depth = 0i32;
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if depth > 0 => {}
            '>' if previous == '-' => {}
            '-' => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '<' | ',' | '>') => {}
            _ => return false,
        }
        if depth == 0 && c == '-' && !text.contains("->") {
            return false;
        }
        previous = c;
    }
    !text.is_empty()
}

/// `spelling name` as a declarator: the name goes inside `(*)` of pointers to functions and arrays, and before the
/// lengths of arrays.
pub fn declare(spelling: &str, name: &str) -> String {
    for (at, _) in spelling.match_indices('(') {
        let mut end = at + 1;
        // `(*`, `(**`, `(*const`: the innermost is the one with nothing else in it. `int (*(*)(int))(int)` points to
        // what returns a pointer.
        while let Some(mark) =
            ["*", "&", " ", "const", "volatile"].into_iter().find(|mark| spelling[end..].starts_with(mark))
        {
            end += mark.len();
        }
        if spelling[at + 1..].starts_with(['*', '&']) && spelling[end..].starts_with([')', '[']) {
            let (before, after) = spelling.split_at(end);
            let gap = if before.ends_with(|c: char| c.is_alphabetic()) { " " } else { "" };
            return format!("{before}{gap}{name}{after}");
        }
    }
    let mut element = spelling;
    while let Some(at) = element.rfind('[').filter(|_| element.ends_with(']')) {
        element = element[..at].trim_end();
    }
    let lengths = spelling[element.len()..].trim_start();
    let gap = if element.ends_with(['*', '&']) { "" } else { " " };
    format!("{element}{gap}{name}{lengths}")
}

/// The null pointer.
pub fn null(language: Language) -> &'static str {
    if language == Language::C { "NULL" } else { "nullptr" }
}

/// A function of the C library.
pub fn of_c_library(language: Language, name: &str) -> String {
    if language == Language::C { name.to_owned() } else { format!("std::{name}") }
}

/// The header of the C library that defines a type of that name, as `#include` names it (C11 7.19, 7.20, 7.21, 7.27;
/// what is not of the C library: POSIX's base definitions, chapter 13).
pub fn header_of(name: &str, language: Language) -> Option<&'static str> {
    let bits = name.trim_start_matches('u').strip_prefix("int").and_then(|rest| rest.strip_suffix("_t"));
    match name {
        _ if bits.is_some_and(|bits| {
            let bits = bits.strip_prefix("_fast").or(bits.strip_prefix("_least")).unwrap_or(bits);
            ["8", "16", "32", "64", "max", "ptr"].contains(&bits)
        }) =>
        {
            Some("<stdint.h>")
        }
        "wchar_t" if language == Language::C => Some("<stddef.h>"),
        "size_t" | "ptrdiff_t" => Some("<stddef.h>"),
        "bool" if language == Language::C => Some("<stdbool.h>"),
        "FILE" => Some("<stdio.h>"),
        "time_t" | "clock_t" | "tm" | "timespec" => Some("<time.h>"),
        "timeval" => Some("<sys/time.h>"),
        "iovec" => Some("<sys/uio.h>"),
        "stat" => Some("<sys/stat.h>"),
        "pollfd" => Some("<poll.h>"),
        "sockaddr" | "msghdr" => Some("<sys/socket.h>"),
        "in_addr" | "sockaddr_in" | "sockaddr_in6" => Some("<netinet/in.h>"),
        "ssize_t" | "off_t" | "mode_t" | "pid_t" | "uid_t" | "gid_t" => Some("<sys/types.h>"),
        _ => None,
    }
}

/// A string literal in C and C++: escapes that both read alike, never a trigraph.
pub fn string_literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    let mut after_hex = false;
    for (at, &byte) in bytes.iter().enumerate() {
        // A hex digit after \xNN would be read as part of it.
        if after_hex && byte.is_ascii_hexdigit() {
            text.push_str("\" \"");
        }
        after_hex = false;
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'?' if text.ends_with('?') => text.push_str("\\?"),
            0x20..=0x7e => text.push(byte as char),
            // A digit after it would be read as part of it.
            0 if !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => text.push_str("\\0"),
            _ => {
                text.push_str(&format!("\\x{byte:02x}"));
                after_hex = true;
            }
        }
    }
    text.push('"');
    text
}

/// Whether a string literal that [`string_literal`] made has a NUL.
pub fn holds_nul(literal: &str) -> bool {
    let mut escaped = false;
    literal.char_indices().any(|(at, c)| {
        let is_nul = escaped && (c == '0' || literal[at..].starts_with("x00"));
        escaped = c == '\\' && !escaped;
        is_nul
    })
}

/// How many characters a string literal that [`string_literal`] made stands for.
pub fn literal_length(literal: &str) -> usize {
    let joined = literal.replace("\" \"", "");
    let inner = joined.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&joined);
    let mut chars = inner.chars();
    let mut length = 0;
    while let Some(c) = chars.next() {
        length += 1;
        // `\xNN`, or one character.
        if c == '\\' && chars.next() == Some('x') {
            chars.nth(1);
        }
    }
    length
}

/// Prints tokens the way the generated code is laid out: the same on every machine.
pub fn print(tokens: &TokenStream) -> String {
    let mut out = String::new();
    write(tokens.clone(), &mut out, &mut false);
    out
}

/// `glue`: the next token stands right behind what was written.
fn write(tokens: TokenStream, out: &mut String, glue: &mut bool) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                // Calls and subscripts stand against what they apply to; so do braces of a typed initialiser.
                out.push_str(open);
                *glue = true;
                write(group.stream(), out, glue);
                out.push_str(close);
                *glue = false;
            }
            TokenTree::Punct(punct) => {
                let c = punct.as_char();
                match c {
                    ',' | ';' => {
                        out.push(c);
                        *glue = false;
                    }
                    '.' | ':' => {
                        out.push(c);
                        *glue = true;
                    }
                    '-' if punct.spacing() == Spacing::Joint => {
                        out.push(c);
                        *glue = true;
                    }
                    '>' if out.ends_with('-') => {
                        out.push(c);
                        *glue = true;
                    }
                    _ => {
                        if !*glue && !out.is_empty() && !out.ends_with(['(', ' ']) {
                            out.push(' ');
                        }
                        out.push(c);
                        *glue = matches!(c, '&' | '*' | '!' | '~');
                    }
                }
            }
            TokenTree::Ident(ident) => word(&ident.to_string(), out, glue),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                word(&verbatim(&text).unwrap_or(text), out, glue);
            }
        }
    }
}

fn word(text: &str, out: &mut String, glue: &mut bool) {
    if !*glue && !out.is_empty() && !out.ends_with(['(', '[', '{', ' ']) {
        out.push(' ');
    }
    out.push_str(text);
    *glue = false;
}

/// The text behind a [`raw`] literal.
fn verbatim(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?.strip_prefix("\\u{1}")?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            'u' => {
                let code: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                out.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)?);
            }
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_members_and_arguments_are_spaced_as_by_hand() {
        let object = raw("module");
        let callee = member(object, false, "isAutonomous");
        assert_eq!(
            print(&call(callee, &[raw("*mission"), raw("0x1.8p+1")])),
            "module.isAutonomous(*mission, 0x1.8p+1)"
        );
        let arrow = member(raw("element"), true, "Name");
        assert_eq!(print(&call(arrow, &[])), "element->Name()");
    }

    #[test]
    fn raw_text_survives_quotes_and_backslashes() {
        assert_eq!(print(&raw("\"a\\n\\\"b\"")), "\"a\\n\\\"b\"");
    }

    #[test]
    fn names_stand_inside_the_declarators_of_functions_and_arrays() {
        assert_eq!(declare("void (*)(int)", "callback"), "void (*callback)(int)");
        assert_eq!(declare("const double (&)[3]", "axis"), "const double (&axis)[3]");
        assert_eq!(declare("char *", "text"), "char *text");
        assert_eq!(declare("int", "n"), "int n");
        assert_eq!(declare("void (**)(const char *)", "to"), "void (**to)(const char *)");
        assert_eq!(declare("void (*const)(int)", "to"), "void (*const to)(int)");
        assert_eq!(declare("int (*(*)(int))(char)", "made"), "int (*(*made)(int))(char)");
        assert_eq!(declare("int (*[3])(int)", "all"), "int (*all[3])(int)");
        assert_eq!(declare("const int [16]", "table"), "const int table[16]");
        assert_eq!(declare("char[64][4]", "(*)"), "char (*)[64][4]");
        assert_eq!(declare("const char *[3]", "names"), "const char *names[3]");
        assert_eq!(declare("Row<int[3]>", "row"), "Row<int[3]> row");
    }

    #[test]
    fn address_and_dereference_cancel() {
        assert_eq!(address_of("*p"), "p");
        assert_eq!(dereference("&x"), "x");
        assert_eq!(dereference("a + b"), "*(a + b)");
        assert_eq!(address_of("box.value"), "&box.value");
    }

    #[test]
    fn string_literals_never_join_a_hex_escape_with_a_digit_and_hold_no_trigraph() {
        assert_eq!(string_literal(b"a\0b\x001"), "\"a\\0b\\x00\" \"1\"");
        assert!(holds_nul(&string_literal(b"a\0")) && holds_nul(&string_literal(b"\x001")));
        assert!(!holds_nul(&string_literal(b"\\0 0x00")));
        for text in [&b""[..], b"a\0b\x001", b"\xff\"\\n\n??/", b"\x01f"] {
            assert_eq!(literal_length(&string_literal(text)), text.len(), "{text:?}");
        }
        assert_eq!(string_literal(b"\x01f??/"), "\"\\x01\" \"f?\\?/\"");
    }

    #[test]
    fn types_of_the_c_library_have_headers_and_those_of_the_project_have_none() {
        let of = |name| header_of(name, Language::C);
        assert_eq!([of("uint16_t"), of("intptr_t"), of("uint_fast8_t")], [Some("<stdint.h>"); 3]);
        assert_eq!(
            [of("size_t"), of("bool"), of("FILE")],
            [Some("<stddef.h>"), Some("<stdbool.h>"), Some("<stdio.h>")]
        );
        assert_eq!([of("int"), of("uint16"), of("print_t"), of("point")], [None; 4]);
        assert_eq!([header_of("bool", Language::Cxx), header_of("wchar_t", Language::Cxx)], [None; 2]);
    }
}
