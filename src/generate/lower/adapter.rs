//! Adapters: a class of the project that implements all of an interface with methods that do nothing. The stub of a
//! test derives from it, and has only the methods that something is asked of.

use super::stub::is_heard;
use super::writer::Lowering;
use crate::facts::default_construction::is_default_constructible;
use crate::model::{Access, Class, Function, FunctionKind, Model, Type};
use crate::plan::StubMethod;

/// The adapter of an interface, where it saves the stub a method. It stands beside the interface, so who finds the
/// header of one finds that of the other.
pub(super) fn of<'m>(lowering: &Lowering<'m>, ty: &Type, methods: &[StubMethod]) -> Option<&'m Class> {
    let model = lowering.model;
    let interface = model.class_of(ty).filter(|class| class.template.is_none())?;
    let place = |class: &'m Class| class.definition.as_ref().and_then(|at| at.file.parent());
    let silent: Vec<&StubMethod> = methods
        .iter()
        .filter(|method| model.functions[&method.method].is_pure && !is_heard(lowering, method))
        .collect();
    let implements = |class: &Class, stub: &StubMethod| {
        overriders(model, class).any(|method| method.overrides.contains(&stub.method))
    };
    // All that it does is to have the methods that a stub must have, so that the stub may have any of them instead.
    let is_only_that = |class: &Class| {
        overriders(model, class).all(|method| {
            let asked = methods.iter().filter_map(|stub| model.functions.get(&stub.method));
            let mut asked = asked.filter(|asked| asked.is_pure && method.overrides.contains(&asked.usr));
            does_nothing(method)
                && asked.any(|asked| {
                    method.is_noexcept == asked.is_noexcept && method.result.spelling == asked.result.spelling
                })
        })
    };
    let is_public = |function: &Function| function.access.is_none_or(|access| access == Access::Public);
    let is_usable = |class: &Class| {
        let special = |kind: FunctionKind| {
            class.methods.iter().filter_map(|usr| model.functions.get(usr)).filter(move |f| f.kind == kind)
        };
        special(FunctionKind::Destructor).all(|end| is_public(end) && !end.is_deleted)
            && special(FunctionKind::Constructor).filter(|made| made.params.is_empty()).all(is_public)
            && is_default_constructible(model, class)
    };
    let derives = |class: &&Class| {
        let mut bases = class.bases.iter();
        bases.any(|base| base.ty.record() == Some(&interface.usr) && base.access == Access::Public)
    };
    let mut classes = model.classes.values().filter(derives);
    classes.find(|class| {
        !silent.is_empty()
            && !class.is_abstract
            && !class.is_final
            && !class.is_file_local
            && class.access.is_none()
            && class.template.is_none()
            && place(class) == place(interface)
            && is_usable(class)
            && is_only_that(class)
            && silent.iter().all(|method| implements(class, method))
    })
}

/// The methods of a class that override others, its destructor apart.
fn overriders<'m>(model: &'m Model, class: &'m Class) -> impl Iterator<Item = &'m Function> {
    let own = class.methods.iter().filter_map(|usr| model.functions.get(usr));
    own.filter(|method| !method.overrides.is_empty() && method.kind != FunctionKind::Destructor)
}

fn does_nothing(method: &Function) -> bool {
    method.definition.as_ref().is_some_and(|definition| definition.is_hook)
}
