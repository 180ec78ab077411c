//! Numbers of tests that the code takes for characters, as such: `is_space('\n')` where its body compares `ch == ' '`.

use super::named_constants::{Switches, arguments, path_before, path_from, text};
use crate::generate::expect::TestBody;
use crate::generate::literal::character;
use crate::lex::{self, Kind};
use crate::model::Function;
use std::collections::BTreeSet;

/// Writes the arguments of the call that the function compares with characters.
pub(super) fn write(callee: &Function, body: &mut TestBody) {
    let Some(own) = callee.definition.as_ref().and_then(|definition| text(&definition.extent)) else { return };
    let compared = compared(&own);
    for (param, at) in arguments(&body.call, callee).into_iter().rev() {
        let number = body.call[at.clone()].parse::<u8>().ok().filter(|number| is_readable(*number));
        if let Some(number) = number.filter(|_| compared.contains(param)) {
            body.call.replace_range(at, &character(number));
        }
    }
}

fn is_readable(number: u8) -> bool {
    (b' '..=b'~').contains(&number) || b"\t\n\r".contains(&number)
}

/// The parameters and their members that are compared with a character.
fn compared(body: &[u8]) -> BTreeSet<String> {
    const SIGNS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];
    let tokens = lex::tokens(body);
    let is_sign = |token: &lex::Token| SIGNS.iter().any(|sign| token.is(body, sign));
    let mut found = BTreeSet::new();
    let mut switches = Switches::default();
    for (at, token) in tokens.iter().enumerate() {
        switches.pass(token.text(body), || path_from(body, &tokens, at + 2).map(|(path, _)| path));
        if token.kind != Kind::Char || at == 0 {
            continue;
        }
        let before = &tokens[at - 1];
        if before.is(body, "case") {
            found.extend(switches.subject());
        } else if is_sign(before) {
            let begins = path_before(body, &tokens, at - 1);
            found.extend(begins.and_then(|begin| path_from(body, &tokens, begin)).map(|(path, _)| path));
        } else if tokens.get(at + 1).is_some_and(is_sign) {
            found.extend(path_from(body, &tokens, at + 2).map(|(path, _)| path));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_with_characters_is_one() {
        let body =
            b"{ if (ch == ' ' || 'a' <= low) return 1; switch (kind) { case 'x': n = 'c'; } return f('q') + d[3]; }";
        assert_eq!(compared(body), ["ch", "kind", "low"].map(str::to_owned).into());
        assert!(is_readable(b'\n') && !is_readable(0) && !is_readable(200));
    }
}
