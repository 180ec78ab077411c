//! Adapters: a class of the project that implements all of an interface with methods that do nothing. The stub of a
//! test derives from it, and has only the methods that something is asked of.

use super::stub::is_heard;
use super::writer::Lowering;
use crate::facts::default_construction::is_default_constructible;
use crate::model::{Class, Function, Type};
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
        let mut own = class.methods.iter().filter_map(|usr| model.functions.get(usr));
        own.any(|method| method.overrides.contains(&stub.method) && does_nothing(method))
    };
    let derives = |class: &&Class| class.bases.iter().any(|base| base.ty.record() == Some(&interface.usr));
    let mut classes = model.classes.values().filter(derives);
    classes.find(|class| {
        !silent.is_empty()
            && !class.is_abstract
            && !class.is_final
            && !class.is_file_local
            && class.access.is_none()
            && class.template.is_none()
            && place(class) == place(interface)
            && is_default_constructible(model, class)
            && silent.iter().all(|method| implements(class, method))
    })
}

fn does_nothing(method: &Function) -> bool {
    method.definition.as_ref().is_some_and(|definition| definition.is_hook)
}
