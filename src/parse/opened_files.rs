//! Which functions open files, themselves or by what they call: their parameters may name one.

use crate::model::{Model, Usr};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    /// Functions, and classes whose constructors take a name.
    opens: BTreeSet<String>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../utility-overrides/builtin/files.yaml")).expect("a test reads it")
});

/// Notes of the parameters of all functions whether files are opened there.
pub(super) fn tell(model: &mut Model) {
    let mut opening: BTreeSet<Usr> = BTreeSet::new();
    loop {
        let is_new = |usr: &&Usr| !opening.contains(*usr);
        let opens = |usr: &Usr| opening.contains(usr) || is_opener(usr);
        let calls_one = |usr: &&Usr| {
            model.functions[*usr].definition.as_ref().is_some_and(|definition| definition.calls.iter().any(opens))
        };
        let more: Vec<Usr> = model.functions.keys().filter(is_new).filter(calls_one).cloned().collect();
        if more.is_empty() {
            break;
        }
        opening.extend(more);
    }
    for usr in &opening {
        let params = model.functions.get_mut(usr).map(|function| function.params.as_mut_slice());
        params.unwrap_or_default().iter_mut().for_each(|param| param.opened = true);
    }
}

/// Whether it is one of those of the library, by its USR: `c:@F@fopen`, `c:@N@std@S@basic_filebuf@F@open#`…
fn is_opener(usr: &Usr) -> bool {
    let Some((scope, rest)) = usr.rsplit_once("@F@").or_else(|| usr.rsplit_once("@FT@")) else { return false };
    let is_of_library = scope == "c:" || scope.starts_with("c:@N@std@");
    // A template's name stands behind its parameters: `>2#T#Tbasic_ifstream#`.
    let mut parts = rest.split(['#', '@', '<']).map(|part| part.strip_prefix('T').unwrap_or(part));
    is_of_library && parts.any(|name| NAMES.opens.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_cpp;

    #[test]
    fn functions_that_open_files_or_call_one_that_does_are_known() {
        let model = read_cpp(
            "#include <cstdio>\n#include <filesystem>\n#include <fstream>\n\
             bool load(const char *path) { FILE *f = fopen(path, \"r\"); return f && fclose(f) == 0; }\n\
             bool reload(const char *path) { return load(path); }\n\
             int length(const char *path) { int n = 0; while (path[n]) ++n; return n; }\n\
             int first(const std::filesystem::path &path) { std::ifstream in(path); return in.get(); }\n\
             struct Writer { std::ofstream out; Writer(const char *path) : out(path) {} };\n\
             struct Door { bool open(const char *path) { return path[0]; } };\n\
             int enter(const char *path) { Door door; return door.open(path); }\n\
             struct Reader { std::ifstream in; void open_it(const std::string &path) { in.open(path); } };\n",
        );
        let opened = |name: &str| model.functions.values().find(|f| f.name == name).unwrap().params[0].opened;
        assert!(["load", "reload", "first", "Writer", "open_it"].into_iter().all(opened));
        assert!(!opened("length") && !opened("enter"));
    }
}
