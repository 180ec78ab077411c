//! Who calls a C function through a member that points to functions of its type: `parser->processor(parser, text)`.

use crate::model::{Function, Language, Model, Type, TypeKind, Usr};
use crate::types::records::alike;
use std::collections::BTreeSet;

/// The functions whose bodies call through a member of the type of `function`, where somebody hands that on.
pub fn callers_by_members(model: &Model, function: &Function) -> Vec<Usr> {
    let bodies = || model.functions.values().filter_map(|other| Some((other, other.definition.as_ref()?)));
    if function.language != Language::C || !bodies().any(|(_, body)| body.hands_on.contains(&function.usr)) {
        return Vec::new();
    }
    let fields = model.classes.values().flat_map(|class| &class.fields);
    let members: BTreeSet<&Usr> =
        fields.filter(|field| leads_to(&field.ty, function)).map(|field| &field.usr).collect();
    let calls = bodies().filter(|(_, body)| body.calls_members.iter().any(|member| members.contains(member)));
    calls.map(|(other, _)| other.usr.clone()).filter(|usr| *usr != function.usr).collect()
}

/// Whether a member of this type can point to the function.
fn leads_to(ty: &Type, function: &Function) -> bool {
    let Some(Type { kind: TypeKind::Function { result, params, .. }, .. }) = ty.pointee() else { return false };
    let own = function.params.iter().map(|param| &param.ty);
    alike(result, &function.result) && params.len() == own.len() && params.iter().zip(own).all(|(a, b)| alike(a, b))
}

#[cfg(test)]
mod tests {
    use super::callers_by_members;
    use crate::parse::testing::read_c;

    #[test]
    fn who_calls_through_a_member_is_a_caller_and_who_only_sets_it_is_none() {
        let model = read_c(
            "struct parser;\ntypedef int step(struct parser *it, const char *text);\n\
             struct parser { step *processor; int (*other)(int); };\n\
             static int begin(struct parser *it, const char *text) { return text[0] == '<'; }\n\
             static int unused(struct parser *it, const char *text) { return text[0] == '>'; }\n\
             static int single(int n) { return n; }\n\
             void init(struct parser *it) { it->processor = begin; it->other = single; }\n\
             static int end(struct parser *it, const char *text) { return text == 0; }\n\
             int parse(struct parser *it, const char *text) { int n = it->processor(it, text); it->processor = end; \
             return n; }\n\
             int again(struct parser *it, const char *text) { return (*it->processor)(it, text); }\n\
             int beside(struct parser *it) { return it->other(3); }\n",
        );
        let of = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).expect("it is there");
            let callers = callers_by_members(&model, function);
            callers.iter().map(|usr| model.functions[usr].name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            (of("begin"), of("single")),
            (vec!["again".to_owned(), "parse".to_owned()], vec!["beside".to_owned()])
        );
        assert_eq!(of("unused"), [""; 0]);
    }
}
