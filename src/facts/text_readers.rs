//! Functions that read what a caller has in memory: `parse(const char *text)`, `decode(const void *data, size_t size)`.
//! They are the door through which a library's inner functions get what they rely on.

use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, Model, Param, Prim, Type, TypeKind};
use crate::types::arithmetic::is_integer;
use crate::types::standard::is_text;

/// Whether a function says by its name that it reads, and takes a text, or bytes with their number. The name of a file
/// is not what is read.
pub fn reads_memory(lexicon: &Lexicon, model: &Model, function: &Function) -> bool {
    let names_a_file = |param: &Param| lexicon.says(&param.name, Role::File);
    let is_number = |param: &Param| matches!(param.ty.kind, TypeKind::Prim(prim) if is_integer(prim));
    let is_read = |param: &Param| {
        let is_counted = || is_bytes(&param.ty) && function.params.iter().any(is_number);
        (is_text_for(model, param.ty.without_ref()) || is_counted()) && !names_a_file(param)
    };
    let reads = lexicon.says(&function.name, Role::Reads) && !reads_a_file(lexicon, function);
    reads && function.params.iter().any(is_read)
}

/// Whether a function says by its name that it reads a file: `doc_load_file`, `doc_parse_stdin`.
pub fn reads_a_file(lexicon: &Lexicon, function: &Function) -> bool {
    lexicon.says(&function.name, Role::Reads) && lexicon.says(&function.name, Role::File)
}

/// Whether a function is told a text, or what a text is made into as it is passed.
pub fn takes_text(model: &Model, function: &Function) -> bool {
    function.params.iter().any(|param| is_text_for(model, param.ty.without_ref()))
}

fn is_text_for(model: &Model, ty: &Type) -> bool {
    let is_plain_text = |ty: &Type| match &ty.kind {
        TypeKind::Pointer(to) => to.is_const && matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Record { name, .. } => is_text(name),
        _ => false,
    };
    let class = ty.record().and_then(|usr| model.classes.get(usr));
    let of_text = |ctor: &Function| matches!(&ctor.params[..], [one] if is_plain_text(one.ty.without_ref()));
    is_plain_text(ty) || class.is_some_and(|class| class.constructors(model).any(of_text))
}

/// Bytes that are only read.
fn is_bytes(ty: &Type) -> bool {
    let is_byte = |to: &Type| to.kind == TypeKind::Void || to.size == Some(1) && matches!(to.kind, TypeKind::Prim(_));
    ty.pointee().is_some_and(|to| to.is_const && is_byte(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;

    #[test]
    fn who_reads_a_text_or_counted_bytes_says_so_and_who_is_told_where_a_file_is_reads_something_else() {
        let model = read_c(
            "struct doc { int n; };\nint doc_parse(struct doc *d, const char *content);\n\
             int doc_load(struct doc *d, const char *filename);\n\
             int doc_decode(struct doc *d, const void *data, unsigned long size);\n\
             int doc_read(struct doc *d, const void *data);\nint doc_set(struct doc *d, const char *text);\n\
             int doc_parse_in(struct doc *d, char *out);\nint doc_parse_file(struct doc *d, const char *name);\n",
        );
        let overrides = Overrides::default();
        let reads = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            reads_memory(overrides.lexicon(), &model, function)
        };
        assert!(reads("doc_parse") && reads("doc_decode"));
        for other in ["doc_load", "doc_read", "doc_set", "doc_parse_in", "doc_parse_file"] {
            assert!(!reads(other), "{other}");
        }
    }
}
