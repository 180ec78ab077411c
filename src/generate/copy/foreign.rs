//! What members that stand in another source file than the driver's bring along: that file's headers, and the names
//! that it has made usable without their namespaces.

use crate::lex::words;
use crate::model::Model;
use std::path::{Path, PathBuf};

/// The `#include` lines of `file`: the project's headers by their paths, all others as written.
pub(super) fn includes(model: &Model, file: &Path) -> Vec<String> {
    let Some(source) = model.files.get(file) else { return Vec::new() };
    let line = |(written, path): &(String, PathBuf)| {
        let name = if model.files.contains_key(path) { format!("\"{}\"", path.display()) } else { written.clone() };
        format!("#include {name}")
    };
    source.includes.iter().map(line).collect()
}

/// The using-directives, using-declarations and namespace aliases of `file` that stand outside of functions and
/// classes.
pub(super) fn usings(model: &Model, file: &Path, text: &str) -> Vec<String> {
    let bodies = model.functions.values().filter_map(|f| f.definition.as_ref()).map(|d| &d.extent);
    let classes = model.classes.values().filter_map(|c| c.definition.as_ref());
    let inner: Vec<(u32, u32)> = bodies.chain(classes).filter(|e| e.file == file).map(|e| (e.start, e.end)).collect();
    let outside = |at: usize| !inner.iter().any(|(start, end)| (*start as usize) <= at && at < *end as usize);
    let found = words(text);
    let mut lines = Vec::new();
    for (index, word) in found.iter().enumerate() {
        let Some(statement) = text[word.start..].split_inclusive(';').next() else { continue };
        let is_alias = word.text == "namespace"
            && statement.contains('=')
            && !statement.contains('{')
            && index.checked_sub(1).is_none_or(|before| found[before].text != "using");
        let is_using = word.text == "using" && !statement.contains(['=', '{', '\n']);
        if (is_using || is_alias) && !word.in_directive && outside(word.start) {
            let line = statement.split_whitespace().collect::<Vec<_>>().join(" ");
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::Small;

    #[test]
    fn what_a_file_makes_usable_is_found_outside_of_functions_and_classes() {
        let text = "#include <vector>\n#include \"n.h\"\nnamespace fs = n::deep;\nnamespace n {\nusing namespace std;\n\
                    // using namespace hidden;\nusing std::vector;\ntypedef int T;\nusing U = int;\n\
                    struct S : Base { using Base::f; };\nint g() { using namespace deep; return 1; }\n}\n";
        let header = "namespace n { namespace deep {} struct Base { void f(); }; }\n";
        let small = Small::new(&[("a.cpp", text), ("n.h", header)], "-std=c++17");
        let model = small.model();
        let file = small.root.join("a.cpp");
        let found = usings(&model, &file, text);
        assert_eq!(found, ["namespace fs = n::deep;", "using namespace std;", "using std::vector;"]);
        let included = includes(&model, &file);
        assert_eq!(included[0], "#include <vector>");
        assert_eq!(included[1], format!("#include \"{}\"", small.root.join("n.h").display()));
    }
}
