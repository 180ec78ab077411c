//! Functions that allocate, themselves or in a callee: how much is behind a pointer that they hand out, the allocator
//! knows. Of others a pointer to numbers may well be to the first member of a structure.

use crate::lexicon::{Lexicon, Role};
use crate::model::{Model, Usr};
use std::collections::{BTreeSet, VecDeque};

/// So many calls from the function somebody allocates at most.
const FARTHEST: usize = 2;

/// Whether the function calls what is called like an allocator, or one of its callees does.
pub fn allocates(model: &Model, lexicon: &Lexicon, function: &Usr) -> bool {
    let (mut seen, mut ahead) = (BTreeSet::new(), VecDeque::from([(function, 0)]));
    while let Some((usr, calls)) = ahead.pop_front() {
        let body = model.functions.get(usr).and_then(|function| function.definition.as_ref());
        let Some(body) = body.filter(|_| calls <= FARTHEST && seen.insert(usr)) else { continue };
        if body.calls.iter().any(|callee| lexicon.says(name_of(callee), [Role::Allocates, Role::Reallocates])) {
            return true;
        }
        ahead.extend(body.calls.iter().map(|callee| (callee, calls + 1)));
    }
    false
}

/// The name of a function of C by its USR, as clang writes these: `c:@F@malloc`, `c:ring.c@F@grow`.
fn name_of(usr: &Usr) -> &str {
    usr.rsplit('@').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_c;

    #[test]
    fn who_calls_an_allocator_or_whose_callee_does_allocates() {
        let model = read_c(
            "void *malloc(unsigned long); struct s { int n; };\n\
             static int *inner(int n) { return malloc(n); } int *outer(int n) { return inner(n); }\n\
             int *member(struct s *s) { return &s->n; }\n",
        );
        let lexicon = Lexicon::default();
        let told = |name: &str| {
            let function = model.functions.values().find(|function| function.name == name).unwrap();
            allocates(&model, &lexicon, &function.usr)
        };
        assert_eq!(["inner", "outer", "member"].map(told), [true, true, false]);
    }
}
