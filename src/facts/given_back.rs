//! Parameters whose memory a function gives back: `free(list)`, in its own body or in one that it passes them to.
//! Memory of the caller's own, on its stack say, would end the program there.

use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, Model, Param, Usr};
use std::collections::{BTreeSet, VecDeque};

/// So many callees are asked.
const CALLEES: usize = 64;
/// How the names end of functions that move what they are given, as those of the C library (C11 7.22.3).
const MOVES: &str = "realloc";

/// Whether the memory behind `param` may be given back, or moved, by its function or by those that it passes it to
/// unchanged. A function says so by its name where its body is not known, and where that passes the parameter to no
/// function that is: `hooks.deallocate(item)`.
pub fn is_given_back(model: &Model, lexicon: &Lexicon, param: &Param) -> bool {
    let mut seen = BTreeSet::new();
    let mut ahead: VecDeque<(&Usr, usize)> = param.handed_to.iter().map(|(callee, place)| (callee, *place)).collect();
    while let Some((callee, place)) = ahead.pop_front().filter(|_| seen.len() < CALLEES) {
        if !seen.insert((callee, place)) {
            continue;
        }
        match own_of(model, callee, place).filter(|there| !there.handed_to.is_empty()) {
            Some(there) => ahead.extend(there.handed_to.iter().map(|(callee, place)| (callee, *place))),
            None if says_so(model, lexicon, callee, place) => return true,
            None => {}
        }
    }
    false
}

/// Whether a function gives back what its parameter at `place` leads to.
pub fn gives_back(model: &Model, lexicon: &Lexicon, callee: &Usr, place: usize) -> bool {
    match own_of(model, callee, place).filter(|param| !param.handed_to.is_empty()) {
        Some(param) => is_given_back(model, lexicon, param),
        None => says_so(model, lexicon, callee, place),
    }
}

/// How many calls away a function gives back its first parameter, or what members of that lead to; none where it does
/// not, or nobody sees that it does.
pub fn frees_after(model: &Model, lexicon: &Lexicon, function: &Function) -> Option<usize> {
    let mut seen = BTreeSet::new();
    let mut ahead = VecDeque::from([(function, 0)]);
    while let Some((function, calls)) = ahead.pop_front().filter(|_| seen.len() < CALLEES) {
        let Some(body) = &function.definition else { continue };
        let of_members = body.passes.iter().any(|(_, to, place)| gives_back(model, lexicon, to, *place));
        if of_members || gives_back(model, lexicon, &function.usr, 0) {
            return Some(calls);
        }
        let handed = function.params.first().into_iter().flat_map(|param| &param.handed_to);
        let callees = handed.filter(|(_, place)| *place == 0).filter_map(|(callee, _)| model.functions.get(callee));
        ahead.extend(callees.filter(|callee| seen.insert(&callee.usr)).map(|callee| (callee, calls + 1)));
    }
    None
}

/// The parameter of a function that has a body.
fn own_of<'m>(model: &'m Model, callee: &Usr, place: usize) -> Option<&'m Param> {
    model.functions.get(callee).filter(|f| f.definition.is_some())?.params.get(place)
}

/// Whether a function frees its first argument, or moves it, by its name.
fn says_so(model: &Model, lexicon: &Lexicon, callee: &Usr, place: usize) -> bool {
    let name = model.functions.get(callee).map_or_else(|| name_in(callee), |function| &function.name);
    place == 0 && (name.ends_with(MOVES) || lexicon.says(name, Role::Ends))
}

/// The name of a function of C that only calls of it are known of: `c:@F@free`.
fn name_in(usr: &str) -> &str {
    usr.rsplit('@').next().unwrap_or(usr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_c;

    #[test]
    fn what_a_body_or_its_callee_frees_is_given_back() {
        let model = read_c(
            "#include <stdlib.h>\n#include <string.h>\nstruct item { int n; char *name; };\n\
             void item_close(struct item *it);\n\
             void drop(struct item *it) { if (it != NULL) { free(it->name); free(it); } }\n\
             void drop_all(struct item *all, struct item *kept) { drop(all); kept->n = 0; }\n\
             int *grown(int *numbers, int n) { return realloc(numbers, n * sizeof *numbers); }\n\
             void shut(struct item *it) { item_close(it); }\n\
             void kfree(const void *old);\nvoid dropped(struct item *it) { kfree(it); }\n\
             static void (*hook)(void *);\nvoid xfree(void *old) { free(old); }\n\
             void item_delete(struct item *it) { hook(it); }\n\
             void leave(struct item *it, struct item *other) { xfree(it); item_delete(other); }\n\
             void closed(struct item *it) { it->n = 0; }\nvoid clear(struct item *it);\n\
             void ended(struct item *it) { clear(it); it->n = 0; }\n\
             void clear(struct item *it) { free(it->name); memset(it, 0, sizeof *it); }\n",
        );
        let of = |unit: &str| {
            let function = model.functions.values().find(|f| f.name == unit).expect("it is there");
            let given = |param: &&Param| is_given_back(&model, &Lexicon::default(), param);
            function.params.iter().filter(given).map(|param| param.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of("drop"), ["it"]);
        assert_eq!(of("drop_all"), ["all"]);
        assert_eq!(of("grown"), ["numbers"]);
        assert_eq!(of("shut"), ["it"]);
        assert_eq!(of("dropped"), ["it"]);
        assert_eq!(of("leave"), ["it", "other"]);
        assert_eq!(of("clear"), [""; 0]);
        let after = |unit: &str| {
            let function = model.functions.values().find(|f| f.name == unit).expect("it is there");
            frees_after(&model, &Lexicon::default(), function)
        };
        assert_eq!((after("clear"), after("ended"), after("leave")), (Some(0), Some(1), Some(0)));
        assert_eq!((after("item_close"), after("closed")), (None, None));
    }
}
