//! The statements of a test as the typed values that a report shows.

use crate::report::details::DecodedValue;

/// The values of an input, under the names of its test.
pub(super) fn decoded(setup: &[String]) -> Vec<DecodedValue> {
    setup.iter().map(|statement| value_of(statement)).collect()
}

fn value_of(statement: &str) -> DecodedValue {
    let text = statement.trim().trim_end_matches(';');
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let entry = |kind: &str, name: &str, value: &str| DecodedValue {
        name: name.trim().to_owned(),
        kind: kind.trim().to_owned(),
        value: value.trim().to_owned(),
    };
    if let Some((left, value)) = text.split_once(" = ") {
        let declared = left.trim_end_matches(|c| matches!(c, '[' | ']') || char::is_ascii_digit(&c)).len();
        // An array's length is part of its type. A digit at the end of a plain name is part of the name.
        let at = if left.ends_with(']') { declared } else { left.len() };
        let (head, tail) = left.split_at(at);
        if let Some(space) = head.rfind([' ', '*', '&'])
            && is_name(&head[space + 1..])
        {
            return entry(&format!("{}{tail}", head[..=space].trim()), &head[space + 1..], value);
        }
        return entry("", left, value);
    }
    // `T object(a, b)`
    if let Some(at) = text.find('(')
        && let Some(space) = text[..at].rfind(' ')
        && is_name(&text[space + 1..at])
    {
        return entry(&text[..space], &text[space + 1..at], &text[at..]);
    }
    match text.rsplit_once(' ') {
        Some((kind, name)) if is_name(name) => entry(kind, name, ""),
        _ => entry("", "", text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_decoded_into_named_and_typed_values() {
        let seen = |statement: &str| {
            let DecodedValue { name, kind, value } = value_of(statement);
            [kind, name, value]
        };
        assert_eq!(seen("double reserve2 = -0.5;"), ["double", "reserve2", "-0.5"]);
        assert_eq!(seen("uint8_t buffer[2] = {1, 2};"), ["uint8_t[2]", "buffer", "{1, 2}"]);
        assert_eq!(seen("const char *text = \"a = b\";"), ["const char *", "text", "\"a = b\""]);
        assert_eq!(seen("pVal.kind = anInt_PRESENT;"), ["", "pVal.kind", "anInt_PRESENT"]);
        assert_eq!(seen("sat::Module object(a, b);"), ["sat::Module", "object", "(a, b)"]);
        assert_eq!(seen("T_POS pVal;"), ["T_POS", "pVal", ""]);
        assert_eq!(seen("memset(&pVal, 0, sizeof pVal);"), ["", "", "memset(&pVal, 0, sizeof pVal)"]);
    }
}
