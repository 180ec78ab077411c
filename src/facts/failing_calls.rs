//! Calls that fail where memory or a device does, which `--fault` makes fail: which there are is data
//! (`utility-overrides/builtin/faults.yaml`), and which of them a unit may come to is read from bodies.

use crate::hierarchy::Hierarchy;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Language, Model, NEW, Usr};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A function that may fail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its declaration, without a semicolon.
    pub call: String,
    /// What object files call it, where that is not its name.
    symbol: Option<String>,
    /// Its name as a part of others, where that is not its name.
    word: Option<String>,
    /// The standard library of C++ calls it from its headers.
    #[serde(default)]
    by_library: bool,
    /// Libraries call it through a pointer that their users may set.
    #[serde(default)]
    by_pointer: bool,
    /// The header that declares it, without brackets.
    pub header: String,
    /// What `errno` is when it has failed.
    pub errno: Option<String>,
    /// What it returns then.
    pub returns: Option<String>,
    /// What it throws then.
    pub throws: Option<String>,
}

impl Row {
    /// Its name: `malloc`, `operator new`.
    pub fn name(&self) -> &str {
        let head = self.call.split('(').next().unwrap_or_default();
        head.find("operator ").map_or_else(|| head.rsplit([' ', '*']).next().unwrap_or_default(), |at| &head[at..])
    }

    /// Its name as a part of others: `malloc`, `new`, `new_array`.
    pub fn word(&self) -> String {
        self.word.clone().unwrap_or_else(|| self.name().to_owned())
    }

    /// What object files call it.
    pub fn symbol(&self) -> &str {
        self.symbol.as_deref().unwrap_or(self.name())
    }

    /// Its result, and its parameters with their names.
    pub fn parts(&self) -> (&str, Vec<(&str, &str)>) {
        let (head, params) = self.call.split_once('(').unwrap_or((&self.call, ""));
        let params = params.trim_end_matches(')').split(", ").filter(|param| !param.is_empty());
        let named = params.map(|param| (param, param.rsplit([' ', '*', '&']).next().unwrap_or_default()));
        (head[..head.len() - self.name().len()].trim_end(), named.collect())
    }
}

type Rows = BTreeMap<String, Vec<Row>>;

static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../utility-overrides/builtin/faults.yaml")).expect("a test reads it")
});

/// The row of what object files call so.
pub fn row(symbol: &str) -> Option<&'static Row> {
    ROWS.values().flatten().find(|row| row.symbol() == symbol)
}

/// Which of the `kinds` of calls (`alloc`, `io`) functions may come to, through what it calls in the project.
/// Whose name says that it hands out memory, such as a member `malloc_fcn`, may lead to what does.
pub fn reached(
    model: &Model,
    hierarchy: &Hierarchy,
    lexicon: &Lexicon,
    functions: Vec<Usr>,
    kinds: &BTreeSet<String>,
) -> Vec<&'static Row> {
    let hands_out = |name: &String| lexicon.says(name, [Role::Allocates, Role::Reallocates]);
    let rows: Vec<&Row> = kinds.iter().filter_map(|kind| ROWS.get(kind)).flatten().collect();
    if rows.is_empty() {
        return rows;
    }
    let (mut open, mut seen, mut called) = (functions, BTreeSet::new(), BTreeSet::new());
    let (mut uses_library, mut uses_pointer) = (false, false);
    while let Some(usr) = open.pop() {
        let Some(known) = model.functions.get(&usr).filter(|_| seen.insert(usr.clone())) else { continue };
        open.extend(hierarchy.overriders(&usr));
        let Some(definition) = &known.definition else { continue };
        uses_pointer |= definition.members.iter().chain(&definition.globals).any(hands_out);
        for callee in &definition.calls {
            uses_library |= known.language == Language::Cxx && callee.starts_with("c:@N@std@");
            match model.functions.contains_key(callee) {
                true => open.push(callee.clone()),
                false => drop(called.insert(callee.clone())),
            }
        }
    }
    let is_called = |row: &&Row| match row.symbol {
        None => row.by_pointer && uses_pointer || called.contains(&format!("c:@F@{}", row.name())),
        Some(_) => called.contains(NEW) || row.by_library && uses_library,
    };
    // A project may wrap it itself.
    let is_taken = |row: &&Row| {
        let wrapped = format!("__wrap_{}", row.symbol());
        model.functions.values().any(|function| function.name == wrapped)
    };
    rows.into_iter().filter(is_called).filter(|row| !is_taken(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::{read_c, read_cpp};

    fn of(model: &Model, name: &str, kinds: &[&str]) -> Vec<&'static str> {
        let function = model.functions.values().find(|f| f.name == name).expect("it is there");
        let kinds = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        let (hierarchy, lexicon) = (Hierarchy::new(model), Lexicon::default());
        let rows = reached(model, &hierarchy, &lexicon, vec![function.usr.clone()], &kinds);
        rows.iter().map(|row| row.symbol()).collect()
    }

    #[test]
    fn every_row_says_what_is_called_and_how_it_fails() {
        for row in ROWS.values().flatten() {
            assert!(row.returns.is_some() != row.throws.is_some(), "{row:?}");
            let (result, params) = row.parts();
            assert!(!result.is_empty() && params.iter().all(|(param, name)| param.len() > name.len()), "{row:?}");
        }
        let array = row("_Znam").unwrap();
        assert_eq!((array.word().as_str(), array.name()), ("new_array", "operator new[]"));
        assert_eq!(row("realloc").unwrap().parts().1, [("void *block", "block"), ("size_t size", "size")]);
    }

    #[test]
    fn a_unit_may_come_to_the_calls_that_it_and_its_callees_in_the_project_make() {
        let c = read_c(
            "#include <stdlib.h>\n#include <stdio.h>\nstatic void *room(int n) { return malloc(n); }\n\
             char *text(FILE *f) { char *to = room(8); return fgets(to, 8, f); }\nint none(int n) { return n + 1; }\n",
        );
        assert_eq!(of(&c, "text", &["alloc"]), ["malloc"]);
        assert_eq!(of(&c, "text", &["alloc", "io"]), ["malloc", "fgets"]);
        assert_eq!(of(&c, "none", &["alloc", "io"]), [""; 0]);
        let hooks = read_c(
            "#include <stdlib.h>\nstruct hooks { void *(*malloc_fcn)(size_t size); };\n\
             static struct hooks own = {malloc};\n\
             char *one(void) { return own.malloc_fcn(1); }\nint none(int n) { return n + 1; }\n",
        );
        assert_eq!(of(&hooks, "one", &["alloc"]), ["malloc", "calloc", "realloc"]);
        assert_eq!(of(&hooks, "none", &["alloc"]), [""; 0]);
        let cpp = read_cpp(
            "#include <vector>\n#include <cstdlib>\nstruct A { int n; };\nA *one() { return new A{1}; }\n\
             int *some(int n) { return new int[n]; }\nvoid more(std::vector<int> &to) { to.push_back(1); }\n\
             void *room(int n) { return std::malloc(n); }\nint none(int n) { return n + 1; }\n",
        );
        assert_eq!(of(&cpp, "one", &["alloc"]), ["_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t"]);
        assert_eq!(of(&cpp, "some", &["alloc"]), ["_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t"]);
        assert_eq!(of(&cpp, "more", &["alloc"]), ["_Znwm"]);
        assert_eq!(of(&cpp, "room", &["alloc"]), ["malloc"]);
        assert_eq!(of(&cpp, "none", &["alloc"]), [""; 0]);
    }
}
