//! Whether an object can be made of nothing: what the compiler deletes without anybody having said so.

use crate::model::{Access, Class, ClassKind, FunctionKind, Language, Model, Type, TypeKind};

/// How deep members of members are looked at.
const DEEP: usize = 6;

/// Whether `Class object{}` compiles; in doubt (what a template's arguments decide, classes that are not the project's)
/// it does.
pub fn is_default_constructible(model: &Model, class: &Class) -> bool {
    class_is(model, class, DEEP)
}

fn class_is(model: &Model, class: &Class, deep: usize) -> bool {
    if deep == 0 || class.language == Language::C || class.definition.is_none() {
        return true;
    }
    let mut declared = class.constructors(model).peekable();
    if declared.peek().is_some() {
        let is_usual = |f: &&crate::model::Function| {
            f.kind == FunctionKind::Constructor && !f.is_copy_or_move && f.params.iter().all(|p| p.default.is_some())
        };
        let members = || parts_are(model, class, deep);
        return declared.filter(is_usual).any(|c| !c.is_deleted && (!c.is_defaulted || members()));
    }
    parts_are(model, class, deep)
}

fn parts_are(model: &Model, class: &Class, deep: usize) -> bool {
    let bases = class
        .bases
        .iter()
        .all(|base| type_is(model, &base.ty, deep - 1) && has_accessible_constructor(model, &base.ty));
    let mut fields = class.fields.iter().filter(|field| !field.is_static && !field.is_initialized);
    bases && (class.kind == ClassKind::Union || fields.all(|field| type_is(model, &field.ty, deep - 1)))
}

/// Whether a subclass may call a constructor of the base that asks for nothing.
fn has_accessible_constructor(model: &Model, base: &Type) -> bool {
    let Some(class) = base.record().and_then(|usr| model.classes.get(usr)) else { return true };
    let mut usual =
        class.constructors(model).filter(|c| !c.is_copy_or_move && c.params.iter().all(|p| p.default.is_some()));
    let is_private = |f: &crate::model::Function| f.access == Some(Access::Private);
    let Some(first) = usual.next() else { return true };
    !is_private(first) || usual.any(|c| !is_private(c))
}

fn type_is(model: &Model, ty: &Type, deep: usize) -> bool {
    match &ty.kind {
        TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) => false,
        TypeKind::Array(of, _) => type_is(model, of, deep),
        TypeKind::Record { usr, .. } => model.classes.get(usr).is_none_or(|class| class_is(model, class, deep)),
        // A constant that nobody gives a value.
        _ => !ty.is_const || matches!(ty.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn an_object_is_made_of_nothing_unless_a_part_of_it_can_not() {
        let model = read_cpp(
            "struct Plain { int a; }; struct Known { Known(int a = 1); }; struct Asks { explicit Asks(int); }; struct \
                Has { Asks asks; }; struct Gives { Asks asks{3}; };\n\
             struct Refers { int &to; }; struct Fixed { const int n; }; struct Under : Asks { using Asks::Asks; }; \
             struct Above : Known { using Known::Known; };\n\
             struct Copied { Copied(const Copied &); }; struct Said { Said() = default; Asks asks; };\n\
             struct Gone { Gone() = delete; }; struct Deep { Has all[2]; };\n\
             class Shut { Shut(); }; struct In : private Shut { int get(); }; class Half { Half(); public: explicit \
             Half(int n = 2); }; struct Out : Half {};\n\
             template <class T> struct Any { T it; }; struct Text { Known known; const char *text; };\n",
        );
        let can = |name: &str| is_default_constructible(&model, model.class_named(name).expect(name));
        let all = ["Plain", "Gives", "Known", "Any", "Text", "Above", "Out"];
        assert_eq!(all.map(can), [true; 7]);
        let none = ["Asks", "Has", "Refers", "Fixed", "Under", "Copied", "Said", "Gone", "Deep", "In"];
        assert_eq!(none.map(can), [false; 10]);
    }
}
