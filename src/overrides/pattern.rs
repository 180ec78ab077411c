//! Regular expressions that text values are generated from, and named formats.

use regex_syntax::ast::{Ast, ClassSet, ClassSetItem, GroupKind, Literal, RepetitionKind, RepetitionRange};
use schemars::JsonSchema;
use serde::Deserialize;

/// The longest text of a pattern, in bytes; `runtime/motif_pattern.h` has the same limit.
const LONGEST: u32 = 256;
/// The most repetitions of `*` and `+`; `runtime/motif_pattern.h` has the same limit.
const REPEATED: u32 = 8;

/// A named text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A date and time of ISO 8601: `2031-04-05T06:07:08Z`, sometimes with a fraction or an offset.
    Iso8601,
    /// A date of ISO 8601: `2031-04-05`.
    Iso8601Date,
    /// A time of ISO 8601: `06:07:08`.
    Iso8601Time,
    /// `123e4567-e89b-42d3-a456-426614174000`.
    Uuid,
    /// `192.0.2.1`.
    Ipv4,
    /// `a.b@example.org`.
    Email,
    /// A decimal integer, sometimes with a sign.
    Integer,
    /// A number, sometimes with a point and an exponent.
    Decimal,
    /// Pairs of hexadecimal digits.
    Hex,
    /// A C identifier.
    Identifier,
}

impl Format {
    /// The regular expression of the format.
    pub fn pattern(self) -> &'static str {
        match self {
            Format::Iso8601 => {
                "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\
                 (\\.[0-9]{1,6})?(Z|[+-]0[0-9]:[03]0)"
            }
            Format::Iso8601Date => "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])",
            Format::Iso8601Time => "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
            Format::Uuid => "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
            Format::Ipv4 => "(25[0-5]|1?[0-9]{1,2})(\\.(25[0-5]|1?[0-9]{1,2})){3}",
            Format::Email => "[a-z][a-z0-9]{0,7}(\\.[a-z]{1,8})?@[a-z]{1,8}(\\.[a-z]{2,3}){1,2}",
            Format::Integer => "[+-]?(0|[1-9][0-9]{0,9})",
            Format::Decimal => "[+-]?[0-9]{1,6}(\\.[0-9]{1,6})?(e[+-]?[0-9]{1,3})?",
            Format::Hex => "([0-9a-f]{2}){1,16}",
            Format::Identifier => "[A-Za-z_][A-Za-z0-9_]{0,15}",
        }
    }
}

/// Checks that text can be generated from a pattern, and removes anchors: a text always matches as a whole.
///
/// # Errors
///
/// Its problem.
pub fn checked(text: &str) -> Result<String, String> {
    let text = text.strip_prefix('^').unwrap_or(text);
    let text = text.strip_suffix('$').filter(|rest| !rest.ends_with('\\')).unwrap_or(text);
    let tree = regex_syntax::ast::parse::Parser::new()
        .parse(text)
        .map_err(|error| format!("`{text}` is not a regular expression: {}", error.kind()))?;
    let longest = longest(&tree)?;
    if longest > LONGEST {
        return Err(format!(
            "`{text}` stands for texts of up to {longest} bytes; the longest that are made have {LONGEST}"
        ));
    }
    Ok(text.to_owned())
}

/// The most bytes that the part generates.
fn longest(tree: &Ast) -> Result<u32, String> {
    let no = |what: &str| Err(format!("no text can be generated from {what}"));
    match tree {
        Ast::Empty(_) => Ok(0),
        Ast::Literal(literal) => plain(literal).map(|()| 1),
        Ast::Dot(_) => Ok(1),
        Ast::ClassPerl(class) if class.negated => no("`\\D`, `\\S` or `\\W`: write the class out"),
        Ast::ClassPerl(_) => Ok(1),
        Ast::ClassBracketed(class) => match &class.kind {
            ClassSet::Item(item) => members(item).map(|()| 1),
            ClassSet::BinaryOp(_) => no("a set operation in a class"),
        },
        Ast::Repetition(repetition) => {
            let times = match &repetition.op.kind {
                RepetitionKind::ZeroOrOne => 1,
                RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => REPEATED,
                RepetitionKind::Range(RepetitionRange::Exactly(n) | RepetitionRange::Bounded(_, n)) => *n,
                RepetitionKind::Range(RepetitionRange::AtLeast(n)) => n.saturating_add(REPEATED),
            };
            Ok(longest(&repetition.ast)?.saturating_mul(times))
        }
        Ast::Group(group) => match &group.kind {
            GroupKind::CaptureIndex(_) => longest(&group.ast),
            GroupKind::NonCapturing(flags) if flags.items.is_empty() => longest(&group.ast),
            _ => no("a group with a name or flags: write `(...)`"),
        },
        Ast::Alternation(parts) => parts.asts.iter().try_fold(0, |most, part| Ok(most.max(longest(part)?))),
        Ast::Concat(parts) => parts.asts.iter().try_fold(0_u32, |sum, part| Ok(sum.saturating_add(longest(part)?))),
        Ast::Assertion(_) => no("`^`, `$` or `\\b` within a pattern"),
        Ast::ClassUnicode(_) => no("`\\p`: write the class out"),
        Ast::Flags(_) => no("flags such as `(?i)`"),
    }
}

fn members(item: &ClassSetItem) -> Result<(), String> {
    match item {
        ClassSetItem::Literal(literal) => plain(literal),
        ClassSetItem::Range(range) => plain(&range.start).and_then(|()| plain(&range.end)),
        ClassSetItem::Perl(class) if !class.negated => Ok(()),
        ClassSetItem::Union(parts) => parts.items.iter().try_for_each(members),
        ClassSetItem::Empty(_) => Ok(()),
        _ => Err("no text can be generated from a class within a class: write its characters out".into()),
    }
}

fn plain(literal: &Literal) -> Result<(), String> {
    use regex_syntax::ast::{LiteralKind, SpecialLiteralKind};
    let fits = match &literal.kind {
        LiteralKind::Verbatim => literal.c.is_ascii() && literal.c != '\0',
        LiteralKind::Meta | LiteralKind::Superfluous => literal.c.is_ascii_punctuation(),
        LiteralKind::Special(kind) => {
            matches!(kind, SpecialLiteralKind::Tab | SpecialLiteralKind::LineFeed | SpecialLiteralKind::CarriageReturn)
        }
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("no text can be generated from `{}`: only ASCII, written as it is", literal.c.escape_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_format_is_a_pattern_of_which_values_can_be_made() {
        use Format::*;
        for format in [Iso8601, Iso8601Date, Iso8601Time, Uuid, Ipv4, Email, Integer, Decimal, Hex, Identifier] {
            assert_eq!(checked(format.pattern()).as_deref(), Ok(format.pattern()), "{format:?}");
        }
    }

    #[test]
    fn anchors_around_a_pattern_say_nothing_new() {
        assert_eq!(checked("^[A-Z]{3}-\\d+$").as_deref(), Ok("[A-Z]{3}-\\d+"));
        assert_eq!(checked("a\\$").as_deref(), Ok("a\\$"));
    }

    #[test]
    fn what_no_value_can_be_made_of_is_refused_with_the_reason() {
        for (pattern, word) in [
            ("[a-", "not a regular expression"),
            ("a\\bb", "`\\b`"),
            ("(?i)a", "flags"),
            ("\\p{Greek}", "\\p"),
            ("\\D", "\\D"),
            ("ä", "ASCII"),
            ("[a-z&&[^b]]", "set operation"),
            ("(a{100}){3}", "300 bytes"),
            ("(?P<name>a)", "name"),
            ("\\x41", "ASCII"),
        ] {
            let why = checked(pattern).expect_err(pattern);
            assert!(why.contains(word), "{pattern}: {why}");
        }
    }
}
