//! What the body of a function template wants of its arguments: the members that it names, `it.size()` of a parameter
//! `const M &it`, and the types, `typename M::Key`. Only such types will do.

use crate::lex::{Kind, Token, tokens};
use crate::model::{Param, TemplateParam, TemplateParamKind};
use std::collections::{BTreeMap, BTreeSet};

/// The members that are wanted, by the name of the template's parameter. `text` is the whole function.
pub(super) fn wanted(text: &str, template: &[TemplateParam], params: &[Param]) -> BTreeMap<String, BTreeSet<String>> {
    let source = text.as_bytes();
    let tokens = tokens(source);
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(source, text));
    let word = |at: usize| {
        let token: &Token = tokens.get(at).filter(|token| token.kind == Kind::Word)?;
        std::str::from_utf8(token.text(source)).ok()
    };
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for of in template.iter().filter(|of| of.kind == TemplateParamKind::Type && !of.name.is_empty() && !of.is_pack()) {
        let (mut names, mut operators) = (BTreeSet::new(), BTreeSet::new());
        let taken: BTreeSet<&str> = params.iter().filter(|param| is_of(param, &of.name)).map(|p| &*p.name).collect();
        for at in 0..tokens.len() {
            let of_type = word(at) == Some(&of.name) && is(at + 1, "::");
            let is_member = at > 0 && (is(at - 1, ".") || is(at - 1, "->") || is(at - 1, "::"));
            let of_object = word(at).is_some_and(|name| taken.contains(name)) && !is_member && is(at + 1, ".");
            if word(at).is_some_and(|name| taken.contains(name)) && !is_member && is(at + 1, "[") {
                operators.insert("operator[]".to_owned());
            }
            // `it.template get<1>()` is left out.
            if let Some(name) = word(at + 2).filter(|name| (of_type || of_object) && *name != "template") {
                names.insert(name.to_owned());
            }
        }
        // A pointer and an array have the operator, too, and nothing else.
        if !names.is_empty() {
            names.append(&mut operators);
            found.insert(of.name.clone(), names);
        }
    }
    found
}

/// Whether a parameter is of the template's parameter, or refers to one.
fn is_of(param: &Param, name: &str) -> bool {
    param.ty.without_ref().bare_spelling() == name
}

#[cfg(test)]
mod tests {
    use crate::parse::testing::read_cpp;

    #[test]
    fn members_and_types_that_a_body_names_are_wanted() {
        let model = read_cpp(
            "template <class M, class T> T sum(const M &map, T start, int n) {\n\
             typename M::Place at = map.first(); M::count(n);\n\
             for (; !at.last(); ) start += map.values.size() + map[n]; return start; }\n\
             template <class T> T twice(T it) { return it + it; }",
        );
        let of = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            function.wants.iter().map(|(of, names)| format!("{of}: {names:?}")).collect::<Vec<_>>()
        };
        assert_eq!(of("sum"), [r#"M: {"Place", "count", "first", "operator[]", "values"}"#]);
        assert_eq!(of("twice"), [] as [&str; 0]);
    }
}
