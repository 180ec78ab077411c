//! Whether code asks the compiler what can be constructed, assigned or converted: `-fno-access-control` would change
//! the answer.

use crate::lex::{Kind, Token};

/// Whether one of the constructible/assignable/convertible family of traits is named.
pub(super) fn used(source: &[u8], tokens: &[Token]) -> bool {
    tokens.iter().filter(|token| token.kind == Kind::Word).any(|token| {
        let Ok(name) = std::str::from_utf8(token.text(source)) else { return false };
        let Some(name) = name.trim_start_matches('_').strip_prefix("is_") else { return matches!(name, "requires") };
        ["constructible", "assignable", "convertible", "destructible", "swappable", "invocable"]
            .iter()
            .any(|family| name.trim_end_matches("_v").ends_with(family))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::tokens;

    #[test]
    fn the_traits_that_access_decides_are_found_outside_comments() {
        let found = |source: &str| used(source.as_bytes(), &tokens(source.as_bytes()));
        assert!(found("static_assert(std::is_nothrow_move_constructible_v<T>);"));
        assert!(found("__is_convertible(A, B)"));
        assert!(!found("// is_constructible\nbool is_empty();"));
    }
}
