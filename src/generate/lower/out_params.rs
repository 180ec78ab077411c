//! Objects that a function leaves in a parameter (`plan::handed`).

use super::*;
use crate::facts::factories::is_kept;

impl Lowering<'_> {
    /// An object that stays with the one who asked for it, and is taken down at the end.
    pub(super) fn handed_out(&mut self, recipe: &Recipe, place: usize, name: &str) -> Lowered<Made> {
        let (name, is_smart) = self.left_behind(recipe, place, name)?;
        if is_smart {
            return Ok(Made::smart(&name));
        }
        // In C the pointer to it says who ends it.
        if !self.is_c() && self.may_be_deleted(&recipe.ty) {
            if self.scoped && self.from_input() {
                self.line(format!("keep({name});"));
            } else {
                let owner = self.name(&format!("{name}_owner"));
                let ty = self.ty(&recipe.ty);
                self.line(format!("const std::unique_ptr<{ty}> {owner}({name});"));
            }
        }
        Ok(Made::pointer(&name))
    }

    /// An object that whoever is called with it makes its own.
    pub(super) fn handed_over(&mut self, recipe: &Recipe, place: usize, name: &str) -> Lowered<String> {
        let (name, is_smart) = self.left_behind(recipe, place, name)?;
        if !is_smart {
            return Ok(name);
        }
        let is_unique =
            self.out_type(recipe, place).is_some_and(|ty| crate::types::standard::owns_alone(self.model, ty));
        Ok(if is_unique { format!("{name}.release()") } else { format!("new {}(*{name})", self.ty(&recipe.ty)) })
    }

    /// A structure that a function makes ready where it stands.
    pub(super) fn made_ready(&mut self, recipe: &Recipe, place: usize, name: &str) -> Lowered<Made> {
        let function = self.function_of(recipe).ok_or("a factory that the project does not have")?;
        let (says, called) = (function.result.kind != TypeKind::Void, function.name.clone());
        // A variable of that name would hide it.
        self.reserve(&called);
        let (name, ty, lasts) = (self.name(name), self.ty(&recipe.ty), self.scoped && self.from_input());
        match (self.is_c(), lasts) {
            (true, true) => self.line(format!("{ty} *{name} = motif_allocate(in, sizeof *{name});")),
            (true, false) => {
                let declaration = self.declare(&recipe.ty, &name);
                self.line(format!("{declaration};"));
                self.line(format!("memset(&{name}, 0, sizeof {name});"));
            }
            (false, true) => self.line(format!("auto &{name} = keep(new {ty}());")),
            (false, false) => self.line(format!("{ty} {name}{{}};")),
        }
        let made = if self.is_c() && lasts { Made::pointer(&name) } else { Made::variable(&name) };
        let call = self.factory_call(recipe, Some((place, made.address())))?;
        self.line(match (says, self.is_c()) {
            (false, _) => format!("{call};"),
            (true, true) => format!("(void){call};"),
            (true, false) => format!("static_cast<void>({call});"),
        });
        Ok(made)
    }

    /// Writes the call; the name of the variable that has the object then, and whether that is a smart pointer.
    fn left_behind(&mut self, recipe: &Recipe, place: usize, name: &str) -> Lowered<(String, bool)> {
        let to = self.out_type(recipe, place).ok_or("a factory that the project does not have")?.clone();
        let is_smart = to.record().is_some();
        let name = self.name(name);
        let ty = if is_smart { self.ty(&to) } else { self.ty(&recipe.ty) };
        match (is_smart, self.scoped && self.from_input()) {
            (true, true) => self.line(format!("auto &{name} = keep(new {ty}());")),
            (true, false) => self.line(format!("{ty} {name};")),
            (false, _) => self.line(format!("{ty} *{name} = {};", if self.is_c() { "NULL" } else { "nullptr" })),
        }
        let function = self.function_of(recipe).ok_or("a factory that the project does not have")?;
        let by_address = function.params[place].ty.pointee().is_some();
        let says = function.result.kind != TypeKind::Void;
        let out = if by_address { address_of(&name) } else { name.clone() };
        let made = self.factory_call(recipe, Some((place, out)))?;
        // Whether it could, the object itself says.
        self.line(match (says, self.is_c()) {
            (false, _) => format!("{made};"),
            (true, true) => format!("(void){made};"),
            (true, false) => format!("static_cast<void>({made});"),
        });
        self.give_up_on_null(&if crate::types::standard::is_unconditional(self.model, &to) {
            format!("{name}.get()")
        } else {
            name.clone()
        });
        Ok((name, is_smart))
    }

    fn function_of(&self, recipe: &Recipe) -> Option<&'_ Function> {
        let Kind::Factory { function, .. } = &recipe.kind else { return None };
        self.model.functions.get(function)
    }

    /// What stands behind the parameter: a pointer, plain or smart.
    fn out_type(&self, recipe: &Recipe, place: usize) -> Option<&'_ Type> {
        let ty = &self.function_of(recipe)?.params.get(place)?.ty;
        ty.pointee().or(Some(ty.without_ref()))
    }

    /// Whether `delete` takes all of such an object down.
    fn may_be_deleted(&self, ty: &Type) -> bool {
        let class = ty.record().and_then(|usr| self.model.classes.get(usr));
        class.is_some_and(|class| {
            let destructor = class.methods.iter().filter_map(|usr| self.model.functions.get(usr));
            let is_virtual = destructor.filter(|f| f.kind == FunctionKind::Destructor).any(|f| f.is_virtual);
            self.is_defined(ty)
                && !is_kept(self.model, class)
                && (is_virtual || !class.is_polymorphic || !class.bases.is_empty())
        })
    }
}
