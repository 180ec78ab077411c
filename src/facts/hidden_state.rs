//! Classes of the project whose state can't be reached through members: it is behind a pointer to a class that only
//! one source defines, or in a union of which nothing says what is alive. They are compared by what their public const
//! member functions without parameters return, like those of other libraries.

use super::anonymous_members::{has_gaps, holds_pointer};
use crate::model::{Access, Class, ClassKind, Function, FunctionKind, Language, Model, Type, TypeKind};
use crate::types::standard::smart_pointee;
use crate::types::substitution::Substitution;
use std::path::Path;

/// Whether some of an object's state can't be seen through its members.
pub fn is_hidden(model: &Model, class: &Class) -> bool {
    let is_project = class.installed.is_none() && class.definition.is_some() && !model.is_foreign(class);
    is_project
        && class.language == Language::Cxx
        && class.kind != ClassKind::Union
        && class.fields.iter().any(|field| !field.is_static && hides(model, &field.ty))
}

fn hides(model: &Model, ty: &Type) -> bool {
    let smart = smart_pointee(model, ty);
    let to = ty.pointee().or(smart);
    if let Some(to) = to {
        return matches!(to.kind, TypeKind::Record { .. })
            && model.class_of(to).is_some_and(|class| class.installed.is_none() && is_local(model, class));
    }
    let union = model.class_of(ty).filter(|class| class.kind == ClassKind::Union);
    union.is_some_and(|union| holds_pointer(model, union) || has_gaps(model, union))
}

/// Whether no header says what the class has.
fn is_local(model: &Model, class: &Class) -> bool {
    let is_source = |file: &Path| model.units.iter().any(|unit| unit.main_file == file);
    class.definition.as_ref().is_none_or(|at| is_source(&at.file))
}

/// Whether the method takes nothing and changes nothing, so that any object may be asked by it.
pub fn asks(method: &Function) -> bool {
    method.kind == FunctionKind::Method
        && method.is_const
        && !method.is_deleted
        && method.access == Some(Access::Public)
        && method.params.is_empty()
        && method.template.is_none()
        && method.asks.is_none()
        && method.wants.is_empty()
        && method.ref_qualifier.as_deref() != Some("&&")
}

/// The type of what lies between the results of `begin()` and `end()`, where an object of the class has both; `with`
/// are the arguments of its template.
pub fn elements(model: &Model, class: &Class, with: &Substitution) -> Option<Type> {
    let all = |name: &'static str| class.functions(model).filter(move |method| method.name == name);
    let named = |name| all(name).find(|method| asks(method) && method.definition.is_some());
    let (begin, end) = (named("begin")?, named("end")?);
    // A test asks the object itself, which may have others for those who may change it: then both are such.
    let same = |one: &Function, other: &Function| one.result.canonical() == other.result.canonical();
    if !same(begin, end) || all("begin").count() != all("end").count() {
        return None;
    }
    let from = with.apply(begin.result.without_ref());
    let element = match &from.kind {
        TypeKind::Pointer(to) => (**to).clone(),
        // An iterator of the library has its element, or a pointer to it, as its first argument.
        TypeKind::Record { name, .. } if name.starts_with("std::") || name.starts_with("__gnu_cxx::") => {
            let first = from.args().iter().find_map(|arg| arg.ty())?;
            first.pointee().unwrap_or(first).clone()
        }
        _ => return None,
    };
    let is_known = !matches!(element.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_));
    is_known.then_some(element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn what_hides_its_state_is_asked_by_what_any_object_answers() {
        let model = read_cpp(
            "struct Held; template <class C> class Text { Held *held; public: const C *begin() const { return 0; }\n\
             const C *end() const { return 0; } };\n\
             class Odd { Held *held; public: const char *begin() const { return 0; } char *end() const { return 0; }\n\
             };\n\
             class Variant { union { int n; char *s; } u; public: template <class T> bool is() const { return 1; }\n\
             int number() const { return 1; } int take() const && { return 1; } int set(int n) { return n; }};\n\
             class Plain { int n; public: int get() const { return n; } };\n\
             int f(Text<char> &t, Odd &o, Variant &v, Plain &p) { return p.get(); }",
        );
        let class = |name: &str| model.classes.values().find(|class| class.name == name).unwrap();
        assert!(["Text", "Odd", "Variant"].iter().all(|name| is_hidden(&model, class(name))));
        assert!(!is_hidden(&model, class("Plain")));
        let asked = class("Variant").functions(&model).filter(|method| asks(method)).map(|method| method.name.as_str());
        assert_eq!(asked.collect::<Vec<_>>(), ["number"]);
        assert_eq!(elements(&model, class("Odd"), &Substitution::default()), None);
        assert_eq!(elements(&model, class("Text"), &Substitution::default()), None);
        let unit = model.functions.values().find(|function| function.name == "f").unwrap();
        let of = Substitution::of(&model, class("Text"), unit.params[0].ty.without_ref().args());
        assert_eq!(elements(&model, class("Text"), &of).unwrap().bare_spelling(), "char");
    }
}
