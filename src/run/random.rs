//! Units that draw random numbers: their tests begin where a fresh process would, in whatever order they run.

use crate::emit::TestCase;
use crate::model::{Language, Model, Usr};
use std::collections::BTreeSet;

/// How deep below the unit a call is looked for.
const DEEP: usize = 8;

/// Seeds the generator of the C library, where the unit comes to draw from it: with 1, as if nothing had seeded it.
pub(super) fn seed(model: &Model, unit: &Usr, case: &mut TestCase) {
    if !draws(model, unit) {
        return;
    }
    let (line, header) = match case.language {
        Language::C => ("srand(1);", "<stdlib.h>"),
        Language::Cxx => ("std::srand(1);", "<cstdlib>"),
    };
    case.statements.insert(0, line.to_owned());
    if !case.includes.iter().any(|include| include == header) {
        case.includes.push(header.to_owned());
    }
}

fn draws(model: &Model, unit: &Usr) -> bool {
    // (A function of the project's own of that name is another one.)
    let is_own = |usr: &Usr| model.functions.get(usr).is_some_and(|function| function.definition.is_some());
    let is_draw = |usr: &Usr| ["c:@F@rand", "c:@F@random"].contains(&usr.as_str()) && !is_own(usr);
    let (mut level, mut seen) = (vec![unit], BTreeSet::from([unit]));
    for _ in 0..DEEP {
        let bodies = level.iter().filter_map(|usr| model.functions.get(*usr)?.definition.as_ref());
        let called: Vec<&Usr> = bodies.flat_map(|body| &body.calls).collect();
        if called.iter().any(|usr| is_draw(usr)) {
            return true;
        }
        level = called.into_iter().filter(|usr| seen.insert(usr)).collect();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_c;

    #[test]
    fn a_test_of_what_draws_random_numbers_seeds_them() {
        let model = read_c(
            "#include <stdlib.h>\nstatic int dice(void) { return rand() % 6; }\n\
             int throw_twice(void) { return dice() + dice(); }\nint fixed(void) { return 4; }\n",
        );
        let lines = |name: &str| {
            let function = model.functions.values().find(|function| function.name == name).unwrap();
            let mut case = TestCase { language: Language::C, ..TestCase::sample("m") };
            seed(&model, &function.usr, &mut case);
            case.statements
        };
        assert_eq!(lines("throw_twice").first().map(String::as_str), Some("srand(1);"));
        assert!(!lines("fixed").iter().any(|line| line.contains("srand")));
    }
}
