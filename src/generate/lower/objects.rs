//! Objects: constructed, set up by calls, chosen among subtypes, yielded by factories; and the call under test.

use super::*;
use crate::model::Access;
use crate::model::library::{Ability, Owner};
use crate::plan::StubMethod;
use crate::types::standard::{is_of_library, is_unconditional, owner, owns_alone};

impl Lowering<'_> {
    /// Calls that bring an object into a state: in a driver a loop over what the data picks, in a test those that
    /// were picked.
    pub(super) fn set_up(&mut self, object: Option<&Made>, calls: &[SetUpCall], most: u64) -> Lowered<()> {
        if self.from_input() {
            let counter = self.name("calls");
            let (ty, size) = if self.is_c() { ("size_t", "motif_take_size(in, ") } else { ("std::size_t", "in.size(") };
            self.line(format!("for ({ty} {counter} = {size}0, {most}); {counter} > 0; --{counter}) {{"));
            self.indent += 1;
            if let [only] = calls {
                let names = self.names.clone();
                let outer = std::mem::replace(&mut self.scoped, true);
                self.set_up_call(object, only)?;
                self.scoped = outer;
                self.names = names;
            } else {
                self.alternatives(calls, true, &mut |this, call| this.set_up_call(object, call))?;
            }
            self.indent -= 1;
            self.line("}");
            return Ok(());
        }
        let Draw::Size(count) = self.draw()? else { return Err("the replay took no number of calls".into()) };
        for _ in 0..count {
            let index = match calls {
                [_] => 0,
                _ => match self.draw()? {
                    Draw::Pick(index) if (index as usize) < calls.len() => index as usize,
                    other => return Err(format!("the replay took {other:?} where the plan has calls")),
                },
            };
            self.set_up_call(object, &calls[index])?;
        }
        Ok(())
    }

    pub(super) fn set_up_call(&mut self, object: Option<&Made>, step: &SetUpCall) -> Lowered<()> {
        let made = self.slots(&step.args)?;
        let mut list = self.pass_to(Some(&step.method), &step.args, &made);
        // What has no class takes the object before everything else.
        // A variable that anybody may write to.
        if self.model.variables.contains_key(&step.method) {
            let value = list.first().map(print).unwrap_or_default();
            let name = if self.is_c() { step.name.clone() } else { format!("::{}", step.name) };
            self.line(format!("{name} = {value};"));
            return Ok(());
        }
        let member = object.filter(|_| self.model.functions.get(&step.method).is_some_and(|f| f.owner.is_some()));
        if let Some(object) = member {
            self.line(format!("{};", print(&call(object.member(&step.name), &list))));
        } else {
            list.splice(..0, object.map(|object| raw(object.address())));
            let version = self.versions.as_ref().filter(|(usr, _)| *usr == step.method).map(|(_, name)| *name);
            let callee = version.map_or_else(|| self.spell(&step.name), str::to_owned);
            self.line(format!("{};", print(&call(raw(callee), &list))));
        }
        Ok(())
    }

    /// Calls of functions beside the unit that may change what their file remembers.
    ///
    /// # Errors
    /// The trace does not fit the plan.
    pub fn remember(&mut self, state: &crate::plan::UnitState) -> Lowered<()> {
        if state.calls.is_empty() {
            return Ok(());
        }
        self.set_up(None, &state.calls, crate::plan::UnitState::MOST)
    }

    /// Arguments as they are passed to a parameter of each slot's type.
    pub fn pass(&self, slots: &[Slot], made: &[Made]) -> Vec<proc_macro2::TokenStream> {
        slots
            .iter()
            .zip(made)
            .map(|(slot, made)| {
                let moves = matches!(slot.ty.kind, TypeKind::RvalueRef(_)) || self.is_move_only(&slot.ty);
                let text = if moves { format!("std::move({})", made.object) } else { made.object.clone() };
                raw(match &made.unless {
                    Some(none) => format!("{none} ? {} : {text}", if self.is_c() { "NULL" } else { "nullptr" }),
                    None => text,
                })
            })
            .collect()
    }

    /// Whether values of this type can't be copied: they own something, or say so.
    pub(in crate::generate) fn is_move_only(&self, ty: &Type) -> bool {
        let TypeKind::Record { name, args, usr } = &ty.kind else { return false };
        if is_of_library(self.model, name) {
            let inner = |arg: &TemplateArg| matches!(arg, TemplateArg::Type(ty) if self.is_move_only(ty));
            let copies = crate::types::library::row(self.model, name).map(|row| row.copies).unwrap_or_default();
            let lives_once = copies == Ability::Never || owns_alone(self.model, ty);
            return lives_once || copies != Ability::Always && args.iter().any(inner);
        }
        let Some(class) = self.model.classes.get(usr) else { return false };
        let copies = |f: &&Function| f.is_copy_or_move && f.params.iter().any(|p| p.ty.without_ref().is_const);
        let moves =
            |f: &&Function| f.is_copy_or_move && f.params.iter().any(|p| matches!(p.ty.kind, TypeKind::RvalueRef(_)));
        match class.constructors(self.model).find(copies) {
            Some(copy) => copy.is_deleted,
            // Who says how it is moved, and not how it is copied, is not copied.
            None if class.constructors(self.model).any(|f| moves(&f)) => true,
            None => class.fields.iter().any(|f| !f.is_static && f.ty != *ty && self.is_move_only(&f.ty)),
        }
    }

    pub(super) fn construct(
        &mut self,
        ty: &Type,
        constructor: Option<&Usr>,
        args: &[Slot],
        kept: bool,
        name: &str,
    ) -> Lowered<Made> {
        let made = self.slots(args)?;
        let list = self.pass_to(constructor, args, &made);
        let name = self.name(name);
        let ty = self.ty(ty);
        let args = print(&call(raw(""), &list));
        if kept {
            self.line(format!("{ty} &{name} = *new {ty}{args};"));
        } else if self.scoped && self.from_input() {
            self.line(format!("auto &{name} = keep(new {ty}{args});"));
        } else if list.is_empty() {
            self.line(format!("{ty} {name};"));
        } else {
            self.line(format!("{ty} {name}{args};"));
        }
        Ok(Made::variable(&name))
    }

    /// An expression that yields a pointer which the receiver owns.
    pub fn owned(&mut self, recipe: &Recipe, name: &str) -> Lowered<String> {
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Construct { constructor, args, .. } => {
                let made = self.slots(args)?;
                let list = self.pass_to(constructor.as_ref(), args, &made);
                let ty = self.ty(ty);
                Ok(format!("new {}", print(&call(raw(ty), &list))))
            }
            Kind::Choice { among } => {
                if !self.from_input() || among.len() == 1 {
                    let index = if self.from_input() || among.len() == 1 {
                        self.only_pick(among)?
                    } else {
                        self.picked(among)?
                    };
                    return self.owned(&among[index].recipe, name);
                }
                let name = self.name(name);
                let base = self.ty(ty);
                self.line(format!("{base} *{name} = nullptr;"));
                self.alternatives(among, true, &mut |this, slot| {
                    let made = this.owned(&slot.recipe, &slot.name)?;
                    this.line(format!("{name} = {made};"));
                    Ok(())
                })?;
                Ok(name)
            }
            Kind::Then { object, statements } => {
                let made = self.owned(&object.recipe, name)?;
                let name = self.name(name);
                let ty = self.ty(ty);
                self.line(format!("{ty} *{name} = {made};"));
                self.told(statements, &[("$it", &Made::pointer(&name))]);
                Ok(name)
            }
            Kind::SetUp { object, calls, most } => {
                let made = self.owned(&object.recipe, name)?;
                let name = self.name(name);
                let ty = self.ty(ty);
                self.line(format!("{ty} *{name} = {made};"));
                self.set_up(Some(&Made::pointer(&name)), calls, *most)?;
                Ok(name)
            }
            Kind::Stub { args, methods } => self.owned_stub(ty, args, methods, name),
            // It is the receiver's, or can't be copied for it.
            Kind::Factory { yields: yields @ (Yield::Owned | Yield::Borrowed), .. }
                if *yields == Yield::Owned
                    || self.is_abstract(ty)
                    || !self.is_defined(ty)
                    || !self.can_be_copied(ty) =>
            {
                Ok(self.factory(recipe, name)?.address())
            }
            Kind::Factory { yields: Yield::Through(place), .. } => self.handed_over(recipe, *place, name),
            Kind::Factory { yields: Yield::Smart, function, .. } if self.gives_unique(function) => {
                let made = self.value(recipe, name)?;
                Ok(format!("{}.release()", made.object.trim_start_matches('*')))
            }
            // It is open, and is closed by whoever owns it.
            Kind::File => Ok(self.file(ty, name)?.object),
            _ => {
                let made = self.value(recipe, name)?;
                Ok(format!("new {}({})", self.ty(&recipe.ty), made.object))
            }
        }
    }

    /// What a shared owner is made of that leads to what somebody else owns: it owns nothing. None for what can be made anew, or copied.
    pub(super) fn lent(&mut self, ty: &Type, recipe: &Recipe, name: &str) -> Lowered<Option<String>> {
        let is_shared = owner(self.model, ty) == Some(Owner::Shared);
        let is_lent = |recipe: &Recipe| {
            let lends = |yields: &Yield| matches!(yields, Yield::Handle | Yield::Reference | Yield::Borrowed);
            match &recipe.kind {
                Kind::SetUp { object, .. } | Kind::Then { object, .. } => {
                    matches!(&object.recipe.kind, Kind::Factory { yields, .. } if lends(yields))
                }
                Kind::Factory { yields, .. } => lends(yields),
                _ => false,
            }
        };
        if !is_shared || !is_lent(recipe) || self.is_copied(&recipe.ty) {
            return Ok(None);
        }
        let made = self.value(recipe, name)?;
        Ok(Some(format!("std::shared_ptr<void>(), {}", made.address())))
    }

    /// Whether everybody may copy objects of the class.
    fn is_copied(&self, ty: &Type) -> bool {
        let Some(class) = ty.record().and_then(|usr| self.model.classes.get(usr)) else { return true };
        let copies = |f: &&Function| f.is_copy_or_move && f.params.iter().any(|p| p.ty.without_ref().is_const);
        let is_open = class.constructors(self.model).find(copies).is_none_or(|f| f.access == Some(Access::Public));
        let bases = class.other_bases().all(|base| self.is_copied(&base.ty));
        is_open && bases && !class.is_abstract && !self.is_move_only(ty)
    }

    /// Whether a driver can copy objects of the class. It may what only the class may; but what is declared for nobody to call has no
    /// body either.
    fn can_be_copied(&self, ty: &Type) -> bool {
        let Some(class) = ty.record().and_then(|usr| self.model.classes.get(usr)) else { return true };
        let copies = |f: &&Function| f.is_copy_or_move && f.params.iter().any(|p| p.ty.without_ref().is_const);
        let has_body = |f: &Function| {
            !f.is_deleted && (f.access == Some(Access::Public) || f.is_defaulted || f.definition.is_some())
        };
        match class.constructors(self.model).find(copies) {
            Some(copy) => has_body(copy),
            None => class.other_bases().all(|base| self.can_be_copied(&base.ty)) && !self.is_move_only(ty),
        }
    }

    fn is_abstract(&self, ty: &Type) -> bool {
        ty.record().and_then(|usr| self.model.classes.get(usr)).is_some_and(|class| class.is_abstract)
    }

    /// Whether the class is more than declared where this is written: a handle's structure may be known to one source only.
    pub(super) fn is_defined(&self, ty: &Type) -> bool {
        let class = ty.record().and_then(|usr| self.model.classes.get(usr));
        let Some((class, files)) = class.zip(self.files) else { return true };
        let at = class.definition.as_ref();
        let is_main = |file: &PathBuf| self.model.units.iter().any(|unit| unit.main_file == *file);
        at.is_some_and(|at| files.contains(&at.file) || !is_main(&at.file))
    }

    /// The function returns a smart pointer that can let go of its object.
    fn gives_unique(&self, function: &str) -> bool {
        self.model.functions.get(function).is_some_and(|f| owns_alone(self.model, &f.result))
    }

    pub(super) fn only_pick(&mut self, among: &[Slot]) -> Lowered<usize> {
        debug_assert_eq!(among.len(), 1, "one alternative is taken without a draw");
        Ok(0)
    }

    pub(super) fn picked(&mut self, among: &[Slot]) -> Lowered<usize> {
        match self.draw()? {
            Draw::Pick(index) if (index as usize) < among.len() => Ok(index as usize),
            other => Err(format!("the replay took {other:?} where the plan has alternatives")),
        }
    }

    /// A `switch` over alternatives, by the data; with `lasting` what is made in one is used behind the `switch`.
    pub fn alternatives<T>(
        &mut self,
        among: &[T],
        lasting: bool,
        write: &mut dyn FnMut(&mut Self, &T) -> Lowered<()>,
    ) -> Lowered<()> {
        let pick = if self.is_c() {
            format!("motif_take_pick(in, {})", among.len())
        } else {
            format!("in.pick({})", among.len())
        };
        self.line(format!("switch ({pick}) {{"));
        for (index, alternative) in among.iter().enumerate() {
            let label = if index + 1 == among.len() { "default".to_owned() } else { format!("case {index}") };
            self.line(format!("  {label}: {{"));
            self.indent += 2;
            let outer = self.scoped;
            self.scoped |= lasting;
            let names = self.names.clone();
            write(self, alternative)?;
            self.names = names;
            self.scoped = outer;
            self.line("break;");
            self.indent -= 2;
            self.line("  }");
        }
        self.line("}");
        Ok(())
    }

    pub(super) fn choice(&mut self, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
        if among.len() == 1 {
            return self.value(&among[0].recipe, name);
        }
        if !self.from_input() {
            let index = self.picked(among)?;
            return self.value(&among[index].recipe, name);
        }
        let name = self.name(name);
        let base = self.ty(ty);
        let null = if self.is_c() { "NULL" } else { "nullptr" };
        self.line(format!("{base} *{name} = {null};"));
        self.alternatives(among, true, &mut |this, slot| {
            let made = this.value(&slot.recipe, &slot.name)?;
            this.line(format!("{name} = {};", made.address()));
            Ok(())
        })?;
        Ok(Made::pointer(&name))
    }

    /// The call that yields an object, or of which nobody keeps what it yields; with `out` a text for the argument at an index
    /// that no recipe makes.
    pub(super) fn factory_call(&mut self, recipe: &Recipe, out: Option<(usize, String)>) -> Lowered<String> {
        let Kind::Factory { function, callee, object, args, .. } = &recipe.kind else {
            unreachable!("called for factories")
        };
        let object = match object {
            Some(slot) => Some(self.value(&slot.recipe, &slot.name)?),
            None => None,
        };
        let made = self.slots(args)?;
        let mut list = self.pass_to(Some(function).filter(|_| out.is_none()), args, &made);
        if let Some((place, out)) = out.filter(|(place, _)| *place <= list.len()) {
            list.insert(place, raw(out));
        }
        let function = self.model.functions.get(function);
        Ok(match (object, function.filter(|_| callee.starts_with("operator"))) {
            (Some(object), Some(function)) if function.kind == FunctionKind::Method => {
                operator(function, &object, &list)
            }
            // Its name is a type, which its class need not spell in full.
            (Some(object), Some(function)) if !crate::plan::entry::is_open(&function.result) => {
                let name = format!("operator {}", self.ty(&function.result));
                print(&call(object.member(&name), &list))
            }
            (Some(object), _) => print(&call(object.member(callee), &list)),
            (None, _) => print(&call(raw(self.spell(callee)), &list)),
        })
    }

    pub(super) fn factory(&mut self, recipe: &Recipe, name: &str) -> Lowered<Made> {
        let Recipe { ty, kind: Kind::Factory { function, yields, .. }, .. } = recipe else {
            unreachable!("called for factories")
        };
        match yields {
            Yield::Through(place) => return self.handed_out(recipe, *place, name),
            Yield::InPlace(place) => return self.made_ready(recipe, *place, name),
            _ => {}
        }
        let made = self.factory_call(recipe, None)?;
        let name = self.name(name);
        let result = self.model.functions.get(function).map(|f| &f.result);
        // Only looked at through the factory's own `const`, or the caller's promise not to change it is dropped:
        // the object itself is not const.
        let yields_const = result.and_then(|r| r.pointee().or(Some(r.without_ref()))).is_some_and(|to| to.is_const);
        let drops_const =
            yields_const && !ty.is_const && !matches!(yields, Yield::Value | Yield::Smart | Yield::Handle);
        let ty = self.ty(ty);
        let mark = if *yields == Yield::Reference { '&' } else { '*' };
        let made = match (drops_const, self.is_c()) {
            (false, _) => made,
            (true, true) => format!("({ty} {mark}){made}"),
            (true, false) => format!("const_cast<{ty} {mark}>({made})"),
        };
        match yields {
            Yield::Value if self.scoped && self.from_input() => {
                self.line(format!("auto &{name} = keep(new {ty}({made}));"));
                Ok(Made::variable(&name))
            }
            Yield::Value => {
                self.line(format!("{ty} {name} = {made};"));
                Ok(Made::variable(&name))
            }
            Yield::Reference => {
                self.line(format!("{ty} &{name} = {made};"));
                Ok(Made::variable(&name))
            }
            Yield::Borrowed | Yield::Owned => {
                self.line(format!("{ty} *{name} = {made};"));
                self.give_up_on_null(&name);
                Ok(Made::pointer(&name))
            }
            Yield::Smart => {
                if self.scoped && self.from_input() {
                    let smart = result.map_or_else(String::new, |r| self.ty(&value_type(r.without_ref())));
                    self.line(format!("auto &{name} = keep(new {smart}({made}));"));
                } else {
                    self.line(format!("auto {name} = {made};"));
                }
                let of_old = result.is_some_and(|r| is_unconditional(self.model, r.without_ref()));
                self.give_up_on_null(&if of_old { format!("{name}.get()") } else { name.clone() });
                Ok(Made::smart(&name))
            }
            Yield::Handle => {
                let handle = self.name(&format!("{name}_handle"));
                let is_looked_at = result.is_some_and(|r| matches!(r.kind, TypeKind::LvalueRef(_)));
                if is_looked_at {
                    self.line(format!("const auto &{handle} = {made};"));
                } else if self.scoped && self.from_input() {
                    let smart = result.map_or_else(String::new, |r| self.ty(&value_type(r.without_ref())));
                    self.line(format!("auto &{handle} = keep(new {smart}({made}));"));
                } else {
                    self.line(format!("auto {handle} = {made};"));
                }
                if !self.from_input() {
                    self.line(format!("{ty} &{name} = *{handle};"));
                    return Ok(Made::variable(&name));
                }
                let grip = result.map_or_else(Default::default, |r| handles::grip(self.model, r.without_ref()));
                if grip.says {
                    self.line(format!("if (!{handle}) return;"));
                }
                let arrow = if grip.is_raw { format!("{handle}.operator->()") } else { format!("&*{handle}") };
                self.line(format!("{ty} *{name} = {arrow};"));
                self.give_up_on_null(&name);
                Ok(Made::pointer(&name))
            }
            Yield::Through(_) | Yield::InPlace(_) => unreachable!("written above"),
        }
    }

    pub(super) fn give_up_on_null(&mut self, name: &str) {
        if self.from_input() {
            self.line(format!("if (!{name}) return;"));
        } else if self.is_c() {
            self.line(format!("assert({name} != NULL);"));
        } else {
            self.line(format!("ASSERT_TRUE({name} != nullptr);"));
        }
    }

    /// Whether every object that the recipe makes has an overrider of the function.
    fn is_always_overridden(&self, function: &Function, recipe: &Recipe) -> bool {
        if !function.is_virtual || function.kind != FunctionKind::Method {
            return false;
        }
        let ty = &recipe.ty;
        match &recipe.kind {
            Kind::Construct { .. } | Kind::Factory { .. } | Kind::Mined { .. } => {
                let class = ty.record().and_then(|usr| self.model.classes.get(usr));
                class.is_some_and(|class| self.overrides(class, function))
            }
            Kind::SetUp { object, .. } | Kind::Then { object, .. } => {
                self.is_always_overridden(function, &object.recipe)
            }
            Kind::Choice { among, .. } => among.iter().all(|slot| self.is_always_overridden(function, &slot.recipe)),
            _ => false,
        }
    }

    /// Whether the object that the recipe makes is of a subclass with a method of that name, which is found first. Every class
    /// has an assignment of its own.
    fn is_hidden(&self, function: &Function, recipe: &Recipe) -> bool {
        let of = match &recipe.kind {
            Kind::SetUp { object, .. } | Kind::Then { object, .. } => {
                return self.is_hidden(function, &object.recipe);
            }
            Kind::Choice { among, .. } if among.len() == 1 || !self.from_input() => {
                return among.iter().any(|slot| self.is_hidden(function, &slot.recipe));
            }
            // What it implements hides the interface's other methods of that name.
            Kind::Stub { methods, .. } => {
                let name = |stub: &StubMethod| self.model.functions.get(&stub.method).map(|method| &method.name);
                return function.name == "operator=" || methods.iter().any(|stub| name(stub) == Some(&function.name));
            }
            _ => recipe.ty.record(),
        };
        of.and_then(|usr| self.model.classes.get(usr)).is_some_and(|class| self.hides(class, function))
    }

    /// Whether the class, or a base between it and the function's owner, has another method of that name.
    fn hides(&self, class: &crate::model::Class, function: &Function) -> bool {
        if function.owner.as_ref() == Some(&class.usr) {
            return false;
        }
        let mut methods = class.methods.iter().filter_map(|usr| self.model.functions.get(usr));
        let mut bases = class.other_bases().filter_map(|base| self.model.classes.get(base.ty.record()?));
        function.name == "operator="
            || methods.any(|method| method.name == function.name && !method.overrides.contains(&function.usr))
            || bases.any(|base| self.hides(base, function))
    }

    /// Whether the class, or a base of it that has the function from its owner, overrides it.
    fn overrides(&self, class: &crate::model::Class, function: &Function) -> bool {
        let mut methods = class.methods.iter().filter_map(|usr| self.model.functions.get(usr));
        let mut bases = class.other_bases().filter_map(|base| self.model.classes.get(base.ty.record()?));
        methods.any(|method| method.overrides.contains(&function.usr))
            || bases.any(|base| self.overrides(base, function))
    }

    /// The call of `function`, as a person would write it.
    pub fn call(
        &self,
        function: &Function,
        object: Option<&Made>,
        entry: &Entry,
        made: &[Made],
        target: Option<&str>,
    ) -> String {
        // A function under test goes by its very address mostly.
        let args = self.pass_to(Some(&function.usr).filter(|_| target.is_none()), &entry.args, made);
        if let Some(at) = crate::plan::variadic::list_at(function).filter(|at| *at <= args.len()) {
            let (fixed, listed) = args.split_at(at);
            return self.call_with_list(function, object, entry, fixed, listed, target);
        }
        self.plain_call(function, object, entry, &args, target)
    }

    /// The call of a function that takes a `va_list`, which only a function with `...` can make.
    fn call_with_list(
        &self,
        function: &Function,
        object: Option<&Made>,
        entry: &Entry,
        fixed: &[proc_macro2::TokenStream],
        listed: &[proc_macro2::TokenStream],
        target: Option<&str>,
    ) -> String {
        if self.language == Language::C {
            let callee = raw(target.unwrap_or(&function.qualified));
            let args: Vec<_> = [callee].iter().chain(fixed).chain(listed).cloned().collect();
            return print(&call(raw(super::super::variadic_callbacks::WITH_LIST), &args));
        }
        let with: Vec<_> = fixed.iter().cloned().chain([raw("va_arguments")]).collect();
        let inner = self.plain_call(function, object, entry, &with, target);
        let listed: Vec<String> = listed.iter().map(print).collect();
        let returns = entry.result.as_ref().map(|ty| self.ty(ty));
        let arrow = returns.as_ref().map(|ty| format!(" -> {ty}")).unwrap_or_default();
        let (keep, give) = match &returns {
            Some(ty) => (format!("{} = ", crate::cpp::declare(ty, "result")), "return result; "),
            None => (String::new(), ""),
        };
        format!(
            "[&](int va_count, ...){arrow} {{ va_list va_arguments; va_start(va_arguments, va_count); {keep}{inner}; \
             va_end(va_arguments); {give}}}({}, {})",
            listed.len(),
            listed.join(", ")
        )
    }

    /// The call with arguments that are there.
    fn plain_call(
        &self,
        function: &Function,
        object: Option<&Made>,
        entry: &Entry,
        args: &[proc_macro2::TokenStream],
        target: Option<&str>,
    ) -> String {
        if let Some(target) = target {
            return print(&call(raw(target), args));
        }
        let hidden = entry.object.as_ref().is_some_and(|slot| self.is_hidden(function, &slot.recipe));
        let constant = object.filter(|_| self.has_twin_that_is_not_const(function)).and_then(|object| {
            let class = self.spell(&entry.class.as_ref()?.spelling);
            Some(Made::expression(format!("static_cast<const {class} &>({})", object.object)))
        });
        let object = constant.as_ref().or(object);
        match (function.kind, object) {
            (FunctionKind::Conversion, Some(object)) => {
                let to = entry.result.as_ref().unwrap_or(&function.result);
                format!("static_cast<{}>({})", self.ty(to), object.object)
            }
            (FunctionKind::Method, Some(object)) if function.name.starts_with("operator") && !hidden => {
                operator(function, object, args)
            }
            (_, Some(object)) => {
                let name = entry.with_arguments(&function.name);
                // The class of the object is a driver's template parameter.
                let dependent = name != function.name && self.from_input();
                let name = if dependent { format!("template {name}") } else { name };
                let name = match (&entry.class, &entry.object) {
                    // Else the call would never come to the function's own body.
                    (Some(class), Some(slot)) if hidden || self.is_always_overridden(function, &slot.recipe) => {
                        self.spell(&format!("{}::{name}", class.spelling))
                    }
                    _ => self.member(&name),
                };
                print(&call(object.member(&name), args))
            }
            (FunctionKind::StaticMethod, None) => {
                let class = entry.class.as_ref().map(|class| self.spell(&class.spelling)).unwrap_or_default();
                let name = self.member(&entry.with_arguments(&function.name));
                let dependent = name != function.name && self.from_input();
                let keyword = if dependent { "template " } else { "" };
                print(&call(raw(format!("{class}::{keyword}{name}")), args))
            }
            (FunctionKind::Function, None) if function.name.starts_with("operator") => {
                let list: Vec<String> = args.iter().map(print).collect();
                let symbol = function.name.trim_start_matches("operator").trim();
                if let [only] = list.as_slice() { format!("{symbol}{only}") } else { list.join(&format!(" {symbol} ")) }
            }
            // Only its arguments lead to it.
            (_, None) if entry.by_arguments => print(&call(raw(function.name.clone()), args)),
            (_, None) => print(&call(raw(self.spell(&entry.with_arguments(&function.qualified))), args)),
        }
    }
}

impl Lowering<'_> {
    /// Of two overloads that differ in `const` alone an object that is not const picks the other one.
    fn has_twin_that_is_not_const(&self, function: &Function) -> bool {
        let Some(class) = function.owner.as_ref().filter(|_| function.is_const).and_then(|o| self.model.classes.get(o))
        else {
            return false;
        };
        let types = |f: &Function| f.params.iter().map(|p| p.ty.spelling.clone()).collect::<Vec<_>>();
        class.methods.iter().filter_map(|usr| self.model.functions.get(usr)).any(|other| {
            other.name == function.name && !other.is_const && !other.is_deleted && types(other) == types(function)
        })
    }
}

/// A method operator the way it is written between its operands.
fn operator(function: &Function, object: &Made, args: &[proc_macro2::TokenStream]) -> String {
    let symbol = function.name.trim_start_matches("operator").trim();
    let of = if object.by_pointer { format!("({})", object.object) } else { object.object.clone() };
    let list: Vec<String> = args.iter().map(print).collect();
    match (symbol, list.as_slice()) {
        ("()", _) => format!("{of}({})", list.join(", ")),
        ("[]", [index]) => format!("{of}[{index}]"),
        ("++" | "--", [_]) => format!("{of}{symbol}"),
        ("->", []) => format!("{of}.operator->()"),
        (_, []) => format!("{symbol}{of}"),
        (_, [right]) if symbol.chars().all(|c| c.is_ascii_punctuation()) => format!("{of} {symbol} {right}"),
        _ => format!("{of}.{}({})", function.name, list.join(", ")),
    }
}
