//! Recipes for values of a given type: arithmetic, text, containers, structures, pointers.
//! Objects of classes are `construct`'s.

use super::names::unique;
use super::{ARRAY_LENGTH, Kind, Reason, Recipe, STRING_LENGTH, Slot};
use crate::hierarchy::Hierarchy;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Class, Field, Function, Language, Model, Param, Prim, TemplateArg, Type, TypeKind, Usr};
use crate::overrides::Overrides;
use crate::plan::construction_graph::{ConstructionGraph, NEVER};
use crate::types::arithmetic::{is_character, is_integer, is_plain_void, is_scalar, primitive};
use crate::types::compose::OPAQUE_LENGTH;
pub use crate::types::spelling::identifier;
use crate::types::spelling::{null_of, value_type};
use crate::types::substitution::Substitution;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The most elements that an object is told to make room for when it is set up.
const ROOM: u64 = 255;
/// How deep a value may be made of others before the search gives up on a branch.
const DEPTH: usize = 8;

/// Plans values against one model.
pub struct Planner<'m> {
    /// The project.
    pub model: &'m Model,
    /// Its classes as a graph.
    pub hierarchy: &'m Hierarchy,
    /// What people have said.
    pub overrides: &'m Overrides,
    /// Id of the unit that is planned, for overrides that name one.
    pub unit: RefCell<String>,
    /// The translation unit that the driver becomes part of, an index into the model's.
    pub(super) source: Cell<Option<usize>>,
    /// What every class costs to make.
    pub(super) ways: RefCell<ConstructionGraph<'m>>,
    /// An override took part since this was last cleared.
    pub overridden: Cell<bool>,
    /// Classes under construction, to cut cycles.
    pub(super) open: RefCell<Vec<Usr>>,
    /// The types, as spelled, that ways are being searched for.
    pub(super) instances: RefCell<Vec<String>>,
    /// Interfaces that stubs are being made for.
    pub(super) stubbed: RefCell<Vec<Usr>>,
    /// So many of the cheapest ways to an object are left out, and whether there were more.
    pub(super) others: Cell<usize>,
    pub(super) went_otherwise: Cell<bool>,
    /// What stands for the template parameters of the unit that is planned.
    pub(super) chosen: RefCell<crate::plan::template_arguments::Chosen>,
    /// What stands for template parameters, by the header and their names.
    pub(super) namesakes: OnceCell<crate::plan::template_arguments::Namesakes<'m>>,
    /// Objects are made without calls that set them up: they are arguments of such a call.
    pub(super) bare: Cell<bool>,
    /// What is made now is to have something in it.
    pub(super) full: Cell<bool>,
    /// The object that is made next is only asked to make another.
    pub(super) service: Cell<bool>,
    /// Functions through which the unit runs that is planned, where it is entered by one of them.
    pub(super) runs_unit: RefCell<BTreeSet<Usr>>,
    /// What the unit that is planned looks at of large structures.
    pub(super) touched: RefCell<Option<crate::facts::field_usage::FieldUsage>>,
    /// The folder that all files of the project are in.
    pub(super) home: OnceCell<PathBuf>,
    /// Methods that yield the beginning of a container.
    pub(super) begins: OnceCell<Vec<&'m Function>>,
    /// What is declared, used, and defined nowhere.
    pub(super) outside: Option<&'m BTreeSet<Usr>>,
}

impl<'m> Planner<'m> {
    /// A planner over `model`.
    pub fn new(model: &'m Model, hierarchy: &'m Hierarchy, overrides: &'m Overrides) -> Self {
        Self {
            model,
            hierarchy,
            overrides,
            unit: RefCell::default(),
            source: Cell::default(),
            ways: RefCell::new(ConstructionGraph::new(model, hierarchy, overrides)),
            service: Cell::default(),
            overridden: Cell::new(false),
            open: RefCell::default(),
            instances: RefCell::default(),
            stubbed: RefCell::default(),
            others: Cell::default(),
            went_otherwise: Cell::default(),
            chosen: RefCell::default(),
            namesakes: OnceCell::new(),
            bare: Cell::default(),
            full: Cell::default(),
            begins: OnceCell::new(),
            runs_unit: RefCell::default(),
            touched: RefCell::default(),
            home: OnceCell::new(),
            outside: None,
        }
    }

    /// What names suggest in this project.
    pub(super) fn lexicon(&self) -> &'m Lexicon {
        self.overrides.lexicon()
    }

    /// Slots for all parameters of a function, template parameters filled in by `with`.
    ///
    /// # Errors
    /// The first parameter that can't be made, with its name.
    pub fn params(&self, params: &[Param], with: &Substitution, unit: Option<&str>) -> Result<Vec<Slot>, Reason> {
        let params = &*with.spread_params(params);
        let mut slots: Vec<Slot> = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let name = unique(&identifier(&param.name, &format!("argument{}", index + 1)), &slots);
            let mut ty = with.apply(&param.ty);
            if let Some(seen) = param.seen_as.as_ref().filter(|seen| self.is_in_sight(seen))
                && unit.is_none_or(|unit| self.overrides.parameter(unit, &param.name).is_none())
            {
                ty = with.apply(seen);
            }
            let recipe = match self.param(param, &ty, params, with, &slots, unit) {
                Ok(recipe) => recipe,
                // From here on the callee has defaults: better a shorter call than none.
                Err(_) if param.default.is_some() => break,
                Err(reason) => {
                    return Err(Reason {
                        what: format!("parameter `{}` ({}): {}", name, ty.spelling, reason.what),
                        needs: if reason.needs.is_empty() { vec![format!("parameters.{name}")] } else { reason.needs },
                    });
                }
            };
            let nullable = self.may_be_null(param, &recipe, unit);
            if matches!(recipe.kind, Kind::End { .. } | Kind::Behind)
                && let Some(begin) = slots.last_mut()
            {
                begin.nullable = false;
                super::iterators::may_be_empty(&mut begin.recipe);
            }
            slots.push(Slot { name, ty, recipe, nullable });
        }
        Ok(slots)
    }

    /// Whether a driver of the unit can name what a parameter is cast to in a body: that source may be alone in knowing it.
    fn is_in_sight(&self, ty: &Type) -> bool {
        let mut can = true;
        ty.walk(&mut |part| {
            if let TypeKind::Record { usr, name, .. } = &part.kind {
                let class = self.model.classes.get(usr);
                can &= crate::types::standard::is_of_library(self.model, name)
                    || name == "_IO_FILE"
                    || class.is_some_and(|class| self.in_reach(class));
            }
        });
        can
    }

    fn param(
        &self,
        param: &Param,
        ty: &Type,
        params: &[Param],
        with: &Substitution,
        before: &[Slot],
        unit: Option<&str>,
    ) -> Result<Recipe, Reason> {
        if let Some(unit) = unit
            && let Some(recipe) = self.overridden_param(unit, &param.name, ty, before)?
        {
            return Ok(recipe);
        }
        let is_shown = crate::plan::array_lengths::is_shown(params, before.len());
        // A length behind its array: what it counts bounds it.
        if let (TypeKind::Prim(prim), Some(previous), false) = (&ty.kind, before.last(), is_shown)
            && is_integer(*prim)
            && self.lexicon().is_length(&param.name, Some(&previous.name))
            && let Some(most) = array_length(&previous.recipe)
        {
            // A name says less than what bodies do with it, and nothing of what a set-up needs.
            let is_word = crate::types::arithmetic::prim_size(*prim) <= 8;
            let free = unit.is_some() && is_word && !self.is_bounded(params, before.len());
            return Ok(Kind::Length { most, free, below: false }.of(value_type(ty)));
        }
        // How much room an object is to make, where it only has to be set up: four billion elements would take the
        // search up.
        if let TypeKind::Prim(prim) = ty.kind
            && unit.is_none()
            && is_integer(prim)
            && crate::types::arithmetic::prim_size(prim) > 1
            && self.lexicon().says(&param.name, Role::Length)
        {
            return Ok(Kind::Length { most: ROOM, free: false, below: false }.of(value_type(ty)));
        }
        // Beginning and end of one range of scalars.
        let index = before.len();
        let ends = |from: usize| {
            let to = params.get(from + 1)?;
            let (by_use, from) = (to.ends == Some(from), &params[from]);
            let (begins, ends) = (with.apply(&from.ty), with.apply(&to.ty));
            self.are_ends((&from.name, &begins), (&to.name, &ends), by_use).then_some(())
        };
        // A place in the range that the next two parameters are the ends of: its first element.
        let is_place = |at: usize| {
            let kind = |param: &Param| with.apply(&param.ty).without_ref().kind.clone();
            self.lexicon().says(&params[at].name, Role::Place)
                && ends(at + 1).is_some()
                && kind(&params[at]) == kind(&params[at + 1])
        };
        let length_of = |at: usize| before.get(at).and_then(|slot| array_length(&slot.recipe));
        if index.checked_sub(1).is_some_and(|at| is_place(at) && length_of(at).is_some()) {
            return Ok(Kind::End { most: 0 }.of(value_type(ty.without_ref())));
        }
        if let Some(place) = index.checked_sub(2).filter(|at| is_place(*at))
            && let Some(most) = length_of(place)
        {
            return Ok(Kind::End { most }.of(value_type(ty.without_ref())));
        }
        if let Some(pointee) = ty.without_ref().pointee()
            && (ends(index).is_some() || is_place(index))
        {
            return self.range(ty.without_ref(), pointee);
        }
        if let (Some(before_it), Some(previous)) = (index.checked_sub(1), before.last())
            && ends(before_it).is_some()
            && let Some(most) = array_length(&previous.recipe)
        {
            return Ok(Kind::End { most }.of(value_type(ty.without_ref())));
        }
        if let Some(previous) = before.last()
            && matches!(previous.recipe.kind, Kind::Iterator { .. })
            && (crate::types::iterators::are_one_range(self.model, &previous.ty, ty)
                || super::iterators::are_one_own_range(previous, ty))
        {
            return Ok(Kind::Behind.of(value_type(ty.without_ref())));
        }
        // Text with a length behind it is text as well, but may hold NULs: a buffer.
        if let Some(pointee) = ty.pointee()
            && let Some(next) = params.get(index + 1)
            && matches!(next.ty.kind, TypeKind::Prim(prim) if is_integer(prim))
            && self.lexicon().is_length(&next.name, Some(&param.name))
            && is_scalar(pointee)
            && !is_shown
        {
            return self.buffer(ty, pointee, ARRAY_LENGTH);
        }
        match self.as_bodies_show(params, index, ty)? {
            Some(recipe) => Ok(recipe),
            None => self.value(ty, 0),
        }
    }

    /// A recipe for a value of type `ty`.
    ///
    /// # Errors
    /// Why none exists.
    pub fn value(&self, ty: &Type, depth: usize) -> Result<Recipe, Reason> {
        if depth > DEPTH {
            return Err(Reason::new(format!("`{}` is nested too deep", ty.spelling)));
        }
        if let Some(recipe) = self.told_of_type(ty)? {
            return Ok(recipe);
        }
        match &ty.kind {
            TypeKind::LvalueRef(inner) | TypeKind::RvalueRef(inner) => self.object_or_value(inner, depth),
            TypeKind::Prim(_) => Ok(Kind::Prim { range: None }.of(value_type(ty))),
            TypeKind::Enum(usr) => self.enumeration(ty, usr),
            TypeKind::NullPtr => Ok(Kind::Fixed { expression: "nullptr".into() }.of(ty.clone())),
            TypeKind::Array(element, length) => {
                let length = length.unwrap_or(ARRAY_LENGTH);
                Ok(Kind::Array { element: self.element(element, depth)?, length, text: false }.of(value_type(ty)))
            }
            TypeKind::Pointer(to) => self.pointer(ty, to, depth),
            TypeKind::Record { .. } => self.object_or_value(ty, depth),
            TypeKind::Void => Err(Reason::new("a value of type void")),
            TypeKind::Function { .. } => Err(Reason::new("a function can't be made up").needs("parameters.NAME.value")),
            TypeKind::MemberPointer => {
                Err(Reason::new("a pointer to member can't be made up").needs("parameters.NAME.value"))
            }
            TypeKind::Dependent(name) => {
                Err(Reason::new(format!("the template argument for `{name}` is not known")).needs("templates"))
            }
            TypeKind::Unknown(what) => Err(Reason::new(format!("libclang does not describe this type ({what})"))),
        }
    }

    fn enumeration(&self, ty: &Type, usr: &Usr) -> Result<Recipe, Reason> {
        match self.model.enums.get(usr) {
            Some(known) => Ok(Kind::Enum { values: known.enumerators_of(ty, self.model) }.of(value_type(ty))),
            // An opaque or system enumeration: any value of the width.
            None => Ok(Kind::Enum { values: Vec::new() }.of(value_type(ty))),
        }
    }

    fn pointer(&self, ty: &Type, to: &Type, depth: usize) -> Result<Recipe, Reason> {
        match &to.kind {
            TypeKind::Prim(Prim::Char) if to.is_const => Ok(Kind::CString { most: STRING_LENGTH }.of(value_type(ty))),
            // In C++ a single non-const char pointer is a buffer; the callee may write to all of it.
            TypeKind::Prim(_) | TypeKind::Enum(_) => {
                if is_character(to) {
                    self.text_buffer(ty, to)
                } else if matches!(to.kind, TypeKind::Prim(Prim::SChar | Prim::UChar)) {
                    self.buffer(ty, to, ARRAY_LENGTH)
                } else {
                    self.pointer_to_value(ty, to, depth)
                }
            }
            TypeKind::Record { name, .. } if name == "_IO_FILE" => Ok(Kind::File.of(value_type(ty))),
            TypeKind::Record { .. } => self.pointer_to_value(ty, to, depth),
            TypeKind::Pointer(inner) => match &inner.kind {
                TypeKind::Prim(_)
                | TypeKind::Record { .. }
                | TypeKind::Pointer(_)
                | TypeKind::Enum(_)
                | TypeKind::Void => self.pointer_to_value(ty, to, depth),
                _ => Err(Reason::new(format!("nothing is known of what `{}` points to", ty.spelling))),
            },
            TypeKind::Array(..) => self.pointer_to_value(ty, to, depth),
            // What is given so is mostly handed on, kept for somebody else, or looked at byte by byte: any memory will
            // do. A name for a handle is another matter.
            TypeKind::Void if self.is_inside() || is_plain_void(ty) => {
                let byte = primitive("unsigned char").expect("an arithmetic type");
                self.buffer(ty, &byte, OPAQUE_LENGTH)
            }
            TypeKind::Void => Err(Reason::new("nothing says what the handle stands for").needs("parameters.NAME.type")),
            TypeKind::Function { .. } => self.callback(ty),
            _ => Err(Reason::new(format!("nothing is known of what `{}` points to", ty.spelling))
                .needs("parameters.NAME.type")),
        }
    }

    /// Whether what is being made is only for an object, not for the unit under test.
    fn is_inside(&self) -> bool {
        !self.open.borrow().is_empty()
    }

    fn pointer_to_value(&self, ty: &Type, to: &Type, depth: usize) -> Result<Recipe, Reason> {
        // A node's parent, an optional strategy: what can't be had is left out, further inside.
        let is_open = || to.record().is_some_and(|usr| self.open.borrow().contains(usr));
        if to.record().is_some()
            && self.is_inside()
            && (is_open() || self.ways.borrow_mut().cost_of(to, self.source.get()) == NEVER)
        {
            let expression = if self.is_in_c() { "NULL".to_owned() } else { null_of(ty) };
            return Ok(Kind::Fixed { expression }.of(value_type(ty)));
        }
        let told = self.told_of_type(to)?.is_some();
        let made = if told { None } else { self.made_in_c(to, depth) };
        // Of what the unit ends nobody else does.
        let given = made.as_ref().is_some_and(|made| self.is_in_c() && self.unit_ends(to, made));
        let recipe = match made {
            Some(recipe) => recipe,
            None => self.value(to, depth + 1)?,
        };
        let slot = Slot { name: "value".into(), ty: to.clone(), recipe, nullable: false };
        Ok(Kind::Pointer { to: Box::new(slot), given }.of(value_type(ty)))
    }

    /// Whether the driver is written in C.
    fn is_in_c(&self) -> bool {
        let unit = self.source.get().and_then(|index| self.model.units.get(index));
        unit.is_some_and(|unit| unit.language == Language::C)
    }

    /// A pointer into an array of `length` elements of its own.
    pub(super) fn buffer(&self, ty: &Type, element: &Type, length: u64) -> Result<Recipe, Reason> {
        Ok(Kind::Array { element: self.element(element, 0)?, length, text: false }.of(value_type(ty)))
    }

    /// What lies between two pointers; behind text there is a zero, for those who look for one all the same.
    pub(super) fn range(&self, ty: &Type, pointee: &Type) -> Result<Recipe, Reason> {
        if is_character(pointee) { self.text_buffer(ty, pointee) } else { self.buffer(ty, pointee, ARRAY_LENGTH) }
    }

    /// A buffer of characters that whoever looks for its end finds.
    fn text_buffer(&self, ty: &Type, element: &Type) -> Result<Recipe, Reason> {
        let element = self.element(element, 0)?;
        Ok(Kind::Array { element, length: ARRAY_LENGTH, text: true }.of(value_type(ty)))
    }

    pub(super) fn element(&self, ty: &Type, depth: usize) -> Result<Box<Slot>, Reason> {
        let recipe = self.value(ty, depth + 1)?;
        Ok(Box::new(Slot { name: "element".into(), ty: ty.clone(), recipe, nullable: false }))
    }

    /// A record: a standard type, a plain structure, or an object of a class.
    fn object_or_value(&self, ty: &Type, depth: usize) -> Result<Recipe, Reason> {
        let TypeKind::Record { usr, name, args } = &ty.kind else {
            return self.value(ty, depth + 1);
        };
        if let Some(recipe) = self.told_of_type(ty)? {
            return Ok(recipe);
        }
        if self.model.classes.get(usr).is_none_or(|class| class.installed.is_some())
            && let Some(recipe) = self.overridden_foreign(ty, name)?
        {
            return Ok(recipe);
        }
        if let Some(recipe) = self.standard(ty, name, depth)? {
            return Ok(recipe);
        }
        // Its code takes itself for what derives from it.
        if let Some(derived) = self.derived_from_itself(ty) {
            return self.object_or_value(&derived, depth + 1);
        }
        let Some(class) = self.model.classes.get(usr) else {
            return Err(
                Reason::new(format!("`{name}` is not a class of the project")).needs(format!("construct.{name}"))
            );
        };
        if !self.is_told_of(class)
            && !class.is_polymorphic
            && (class.kind == crate::model::ClassKind::Union || class.is_aggregate || class.language == Language::C)
            && class.definition.is_some()
            && self.in_reach(class)
        {
            match self.plain(ty, class, args, depth) {
                Ok(recipe) => return Ok(recipe),
                Err(reason) if class.language == Language::C => return Err(reason),
                Err(_) => {}
            }
        }
        let made = self.object(ty, depth)?;
        Ok(match self.filled(ty, class, depth) {
            Some(filled) if matches!(made.kind, Kind::Construct { .. }) => {
                crate::plan::option_structs::either(ty, made, filled)
            }
            _ => made,
        })
    }

    /// A structure without constructors, field by field; a union as storage.
    fn plain(&self, ty: &Type, class: &Class, args: &[TemplateArg], depth: usize) -> Result<Recipe, Reason> {
        if class.kind == crate::model::ClassKind::Union {
            return Ok(Kind::Bytes.of(value_type(ty)));
        }
        if self.open.borrow().contains(&class.usr) {
            return Err(Reason::new(format!("`{}` contains itself", class.qualified)));
        }
        self.open.borrow_mut().push(class.usr.clone());
        let filled = self.fields(class, &Substitution::of(self.model, class, args), depth);
        self.open.borrow_mut().pop();
        let (fields, statements) = filled?;
        Ok(Kind::Fields { fields, statements }.of(value_type(ty)))
    }

    pub(super) fn fields(
        &self,
        class: &Class,
        with: &Substitution,
        depth: usize,
    ) -> Result<(Vec<Slot>, Vec<String>), Reason> {
        let mut slots: Vec<Slot> = Vec::new();
        let mut statements = Vec::new();
        let left_out = match &*self.touched.borrow() {
            Some(touched) if crate::facts::default_construction::is_default_constructible(self.model, class) => {
                touched.left_out(self.lexicon(), self.model, class)
            }
            _ => Default::default(),
        };
        let mut extents = self.extents(class, with);
        let is_told = |place: usize| self.overrides.field(&class.qualified, &class.fields[place].name).is_some();
        let is_said =
            |place: usize| left_out.contains(&place) || is_told(place) || extents.iter().any(|(at, _)| *at == place);
        let counted = self.counted_members(class, with, depth, is_said);
        extents.extend(counted);
        for (place, field) in class.fields.iter().enumerate().filter(|(_, f)| !f.is_static) {
            if left_out.contains(&place) && !is_told(place) {
                continue;
            }
            if let Some((_, recipe)) = extents.iter().find(|(at, _)| *at == place) {
                let ty = with.apply(&field.ty);
                slots.push(Slot { name: field.name.clone(), ty, recipe: recipe.clone(), nullable: false });
                continue;
            }
            if let Some(hook) = self.overrides.field(&class.qualified, &field.name) {
                self.overridden.set(true);
                statements.extend(hook.init.iter().cloned());
                if hook.length.is_none() && hook.pointee.is_none() {
                    continue;
                }
            }
            if let Some(inner) = crate::facts::anonymous_members::within(self.model, field) {
                slots.extend(self.unnamed(inner, with, depth)?);
                continue;
            }
            let ty = with.apply(&field.ty);
            if let Some(begin) = slots.last_mut()
                && let Slot { name, ty: begins, recipe, .. } = begin
                && self.are_ends((name.as_str(), begins), (field.name.as_str(), &ty), false)
                && let Some(pointee) = begins.pointee()
                && self.overrides.field(&class.qualified, name).is_none()
                && self.overrides.field(&class.qualified, &field.name).is_none()
            {
                *recipe = self.range(begins, pointee)?;
                let recipe = Kind::End { most: ARRAY_LENGTH }.of(value_type(&ty));
                slots.push(Slot { name: field.name.clone(), ty, recipe, nullable: false });
                continue;
            }
            // A length behind its array, as among parameters.
            let told = self.overrides.field(&class.qualified, &field.name).is_some();
            if let (TypeKind::Prim(prim), Some(previous), false) = (&ty.kind, slots.last(), told)
                && is_integer(*prim)
                && field.bit_width.is_none()
                && self.lexicon().is_length(&field.name, Some(&previous.name))
                && previous.ty.pointee().is_some()
                && let Some(most) = array_length(&previous.recipe)
            {
                let recipe = Kind::Length { most, free: false, below: false }.of(value_type(&ty));
                slots.push(Slot { name: field.name.clone(), ty, recipe, nullable: false });
                continue;
            }
            match self.field(class, field, &ty, depth) {
                Ok(Some(recipe)) => slots.push(Slot { name: field.name.clone(), ty, recipe, nullable: false }),
                Ok(None) => {}
                Err(reason) => {
                    return Err(Reason {
                        what: format!("field `{}::{}`: {}", class.qualified, field.name, reason.what),
                        needs: vec![format!("fields.{}.{}", class.qualified, field.name)],
                    });
                }
            }
        }
        Ok((slots, statements))
    }

    /// The members that a class has of a structure or a union without a name.
    fn unnamed(&self, inner: &Class, with: &Substitution, depth: usize) -> Result<Vec<Slot>, Reason> {
        if inner.kind != crate::model::ClassKind::Union {
            return Ok(self.fields(inner, with, depth)?.0);
        }
        let Some(whole) = crate::facts::anonymous_members::whole(self.model, inner) else { return Ok(Vec::new()) };
        let recipe = self.value(&whole.ty, depth + 1)?;
        Ok(vec![Slot { name: whole.name.clone(), ty: whole.ty.clone(), recipe, nullable: false }])
    }

    /// Members that are made together: memory, and what says how much of it there is. By their places in the class.
    fn extents(&self, class: &Class, with: &Substitution) -> Vec<(usize, Recipe)> {
        let mut found = Vec::new();
        let is_told = |place: usize| self.overrides.field(&class.qualified, &class.fields[place].name).is_some();
        for crate::facts::member_lengths::Extent { memory, count, room } in
            crate::facts::member_lengths::extents(self.lexicon(), class, with)
        {
            let ty = with.apply(&class.fields[memory].ty);
            if [Some(memory), Some(count), room].into_iter().flatten().any(is_told) {
                continue;
            }
            let made = match ty.pointee() {
                Some(to) => self.range(&ty, to),
                None => self.value(&ty, 1),
            };
            let Ok(recipe) = made else { continue };
            found.push((memory, recipe));
            let number = |place: usize| value_type(&with.apply(&class.fields[place].ty));
            found.push((count, Kind::Length { most: ARRAY_LENGTH, free: false, below: false }.of(number(count))));
            if let Some(room) = room {
                found.push((room, Kind::Fixed { expression: ARRAY_LENGTH.to_string() }.of(number(room))));
            }
        }
        found
    }

    /// A field's recipe; none where it is left as value initialisation makes it.
    pub(super) fn field(
        &self,
        class: &Class,
        field: &Field,
        ty: &Type,
        depth: usize,
    ) -> Result<Option<Recipe>, Reason> {
        if let Some(hook) = self.overrides.field(&class.qualified, &field.name)
            && let Some(pointee) = ty.pointee()
        {
            let named = hook.pointee.as_ref().and_then(|name| self.named_type(name));
            let pointee = value_type(named.as_ref().unwrap_or(pointee));
            return self.buffer(ty, &pointee, hook.length.unwrap_or(1)).map(Some);
        }
        match &ty.kind {
            // Self-referential nodes (lists, trees) end in NULL.
            TypeKind::Pointer(to) if to.record().is_some_and(|usr| self.open.borrow().contains(usr)) => Ok(None),
            TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Void) => Ok(None),
            // What has no name can't be made.
            TypeKind::Pointer(to)
                if to
                    .record()
                    .and_then(|usr| self.model.classes.get(usr))
                    .is_some_and(|class| class.name.is_empty()) =>
            {
                Ok(None)
            }
            TypeKind::Pointer(to)
                if matches!(to.kind, TypeKind::Function { .. }) && class.language == Language::Cxx =>
            {
                Ok(None)
            }
            // A flexible array member owns no storage in the structure.
            TypeKind::Array(_, None | Some(0)) => Ok(None),
            _ if field.name.is_empty() => Ok(None),
            TypeKind::Pointer(to) => {
                match self.behind_member(field, ty, to).unwrap_or_else(|| self.value(ty, depth + 1)) {
                    // Null as value initialisation leaves it.
                    Ok(Recipe { kind: Kind::Fixed { .. }, .. }) | Err(_) => Ok(None),
                    Ok(recipe) => Ok(Some(recipe)),
                }
            }
            _ => match self.value(ty, depth + 1) {
                // In C a structure is all zeroes at first, and what is not known stays so.
                Err(_) if class.language == Language::C => Ok(None),
                made => made.map(Some),
            },
        }
    }

    /// Whether two pointers, by their names and types, or by use and their types, are the beginning and the end of one range
    /// of scalars.
    fn are_ends(&self, (from, begins): (&str, &Type), (to, ends): (&str, &Type), by_use: bool) -> bool {
        let (Some(begins), Some(ends)) = (begins.without_ref().pointee(), ends.without_ref().pointee()) else {
            return false;
        };
        let is_named = || self.lexicon().are_range_ends(from, to, is_character(begins));
        begins.kind == ends.kind && is_scalar(begins) && (by_use || is_named())
    }
}

pub(super) fn array_length(recipe: &Recipe) -> Option<u64> {
    match &recipe.kind {
        Kind::Array { length, .. } => Some(*length),
        _ => None,
    }
}
