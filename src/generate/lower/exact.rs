//! Arguments that are just what a parameter says. Where another overload takes the same without `const`, what is no constant would go
//! to that one, or to neither: `Parameter(double, Limit *, bool)` and `Parameter(double, const Limit *, double)` of `(value, &limit, 0.5)`.

use super::*;

impl Lowering<'_> {
    /// The arguments of a call of `function`, as [`pass`](Self::pass) has them for any.
    pub fn pass_to(&self, function: Option<&Usr>, slots: &[Slot], made: &[Made]) -> Vec<proc_macro2::TokenStream> {
        let mut args = self.pass(slots, made);
        let Some(function) = function.and_then(|usr| self.model.functions.get(usr)) else { return args };
        if self.is_c() {
            return args;
        }
        let overloads: Vec<&Function> = self.overloads(function).collect();
        for (index, (slot, arg)) in slots.iter().zip(&mut args).enumerate() {
            let takes_variable =
                |other: &&Function| other.params.get(index).is_some_and(|param| is_without_const(&param.ty, &slot.ty));
            if overloads.iter().any(takes_variable) {
                *arg = raw(format!("static_cast<{}>({})", self.ty(&slot.ty), print(arg)));
            }
        }
        args
    }

    /// Other functions of that name in the same place.
    fn overloads<'f>(&'f self, function: &'f Function) -> impl Iterator<Item = &'f Function> {
        let class = function.owner.as_ref().and_then(|owner| self.model.classes.get(owner));
        let of_class = class.into_iter().flat_map(|class| &class.methods);
        let members = of_class.filter_map(|usr| self.model.functions.get(usr));
        let is_free = class.is_none();
        let free = self.model.functions.values().filter(move |other| is_free && other.qualified == function.qualified);
        members.chain(free).filter(|other| {
            other.name == function.name && other.kind == function.kind && other.usr != function.usr && !other.is_deleted
        })
    }
}

/// Whether a parameter takes to a variable what the other takes to a constant.
fn is_without_const(param: &Type, other: &Type) -> bool {
    match (&param.kind, &other.kind) {
        (TypeKind::Pointer(one), TypeKind::Pointer(another))
        | (TypeKind::LvalueRef(one), TypeKind::LvalueRef(another)) => {
            !one.is_const && another.is_const && one.kind == another.kind
        }
        _ => false,
    }
}
