//! From a place in a record to the C++ expression that a test asks for it with.

use super::check::{Root, path_of};
use crate::generate::derived_members::way_down;
use crate::generate::observe::tellers::leads_to;
use crate::model::library::Index;
use crate::model::{Access, Class, Function, Language, Model, Prim, TemplateArg, Type, TypeKind};
use crate::plan::UnitPlan;
use crate::plan::record_paths::{DISTANCE, ELEMENTS, RANGE};
use crate::types::bases::bases;
use crate::types::compose::text as text_type;
use crate::types::library::{own_row, row_of};
use crate::types::standard::{COMPLEX, element_type, has_elements, is_of_library, smart_pointee};
use crate::types::substitution::Substitution;
use serde_json::Value;

/// Adds the types that derived classes have under their names in a record, where it has any.
pub(super) fn add_derived(model: &Model, plan: &UnitPlan, record: &[Value], roots: &mut Vec<Root>) {
    if !record.iter().any(|entry| path_of(entry).contains(".<")) {
        return;
    }
    let observed = crate::generate::observe::observed(model, plan).into_iter();
    let root = |ty: Type| Root {
        name: crate::plan::record_paths::derived(&ty.spelling),
        made: crate::generate::lower::Made::expression("*this"),
        ty,
    };
    roots.extend(observed.map(|observed| root(observed.ty)));
}

/// The expression for a path of the record, and its type.
pub(super) fn expression(model: &Model, path: &str, roots: &[Root], private: &mut bool) -> Option<(String, Type)> {
    let steps = steps(path);
    let Some((Step::Member(root), rest)) = steps.split_first() else { return None };
    let root = roots.iter().find(|r| r.name == *root)?;
    let (text, ty) = (root.made.object.clone(), root.ty.clone());
    let mut walk = Walk { model, private, text, ty, arrow: false, meant: None };
    let mut rest = rest.iter();
    while let Some(step) = rest.next() {
        if walk.counts(step) {
            continue;
        }
        walk.follow(step);
        if matches!(step, Step::Index(_)) || *step == Step::Member("size".into()) {
            walk.inherited_elements();
        }
        match step {
            Step::Member(name) => match roots.iter().find(|r| r.name == *name && name.starts_with('<')) {
                Some(class) => walk.class(&class.ty)?,
                None => walk.member(name)?,
            },
            Step::Index(index) => walk.index(*index, &mut rest)?,
        }
    }
    walk.inherited_elements();
    let Walk { text, ty, .. } = walk;
    // A macro would take it for two arguments.
    let mut depth = 0;
    let parts = text.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    Some((if parts { format!("({text})") } else { text }, ty.without_ref().clone()))
}

/// The way along a path.
struct Walk<'w> {
    model: &'w Model,
    private: &'w mut bool,
    /// The expression so far, and its type.
    text: String,
    ty: Type,
    /// The expression is a pointer to what has that type.
    arrow: bool,
    /// The base whose member is meant, where the object has another one of that name: what leads to its members, and
    /// the base.
    meant: Option<(String, String)>,
}

impl Walk<'_> {
    /// How many elements an object leads to: from its beginning to its end.
    fn counts(&mut self, step: &Step) -> bool {
        let object = self.text.strip_suffix(ELEMENTS).filter(|_| matches!(step, Step::Member(name) if name == "size"));
        let Some(object) = object.filter(|_| self.ty.pointee().is_some()) else { return false };
        self.text = format!("{object}end() - {object}{ELEMENTS}");
        self.ty = crate::types::arithmetic::simple_type("long");
        true
    }

    /// A pointer or smart pointer on the way is followed.
    fn follow(&mut self, step: &Step) {
        self.arrow = false;
        let ty = self.ty.without_ref();
        if let Some(to) = self.ty.pointee() {
            if matches!(step, Step::Member(_)) {
                (self.ty, self.arrow) = (to.clone(), true);
            }
        } else if let Some(to) = smart_pointee(self.model, &self.ty) {
            (self.ty, self.arrow) = (to.clone(), true);
        } else if let Some(way) = row_of(self.model, ty).and_then(|row| row.target.as_deref())
            && let Some(to) = element_type(self.model, ty)
        {
            self.arrow = way.ends_with("->");
            self.text = format!("{}.{}", self.text, way.trim_end_matches(['-', '>', '.']));
            self.ty = to;
        }
    }

    /// What derives from a container or a text of the library is asked for its elements as that is.
    fn inherited_elements(&mut self) {
        if let Some((base, is_public)) = inherited_container(self.model, self.ty.without_ref()) {
            *self.private |= !is_public;
            self.ty = base;
        }
    }

    /// The part of the object that is of a base, the object as one of a derived class, or what is behind a `void *`.
    fn class(&mut self, to: &Type) -> Option<()> {
        if matches!(self.ty.kind, TypeKind::Void) {
            self.text = format!("*((const {} *){})", to.spelling, self.text);
            self.ty = to.clone();
            return Some(());
        }
        let class = self.model.class_of(to)?;
        if let Some(way) = way_down(self.model, to, self.ty.without_ref()) {
            *self.private |= !way.is_public || !is_open(self.model, class);
            let grip = self.meant.take().map_or_else(|| grip(&self.text, self.arrow), |(grip, _)| grip);
            self.meant = Some((grip, to.bare_spelling().to_owned()));
        } else {
            let is_public = way_down(self.model, self.ty.without_ref(), to)?.is_public;
            *self.private |= !is_open(self.model, class) || !is_public;
            // (Who may not know of the base is not told by `dynamic_cast`.)
            let cast = if is_public { "dynamic_cast" } else { "static_cast" };
            self.text = format!("{cast}<const {} &>({})", to.spelling, self.object());
        }
        self.ty = to.clone();
        Some(())
    }

    fn member(&mut self, name: &str) -> Option<()> {
        let TypeKind::Record { usr, args, name: of } = self.ty.without_ref().kind.clone() else { return None };
        let grip = match self.meant.take() {
            Some((grip, base)) => format!("{grip}{base}::"),
            None => grip(&self.text, self.arrow),
        };
        if is_of_library(self.model, &of) {
            return self.library_member(name, &of, &args, &grip);
        }
        let class = self.model.classes.get(&usr)?;
        if let Some(asked) = asked(self.model, class, &args, name, &self.text, &grip) {
            (self.text, self.ty) = asked;
            return Some(());
        }
        if let Some((at, from)) = name.split_once(DISTANCE) {
            for member in [at, from] {
                *self.private |= !find_field(self.model, class, &args, member)?.1;
            }
            self.text = format!("{grip}{at} - {grip}{from}");
            self.ty = crate::types::arithmetic::simple_type("long");
            return Some(());
        }
        let (name, end) = match name.split_once(RANGE) {
            Some((begin, end)) => (begin, Some(end)),
            None => (name, None),
        };
        let (ty, is_public) = find_field(self.model, class, &args, name)?;
        *self.private |= !is_public;
        (self.text, self.ty) = match end {
            Some(end) => (format!("std::string({grip}{name}, {grip}{end})"), text_type()),
            None => (format!("{grip}{name}"), ty),
        };
        Some(())
    }

    /// The expression for a part of an object of the standard library.
    fn library_member(&mut self, name: &str, class: &str, args: &[TemplateArg], grip: &str) -> Option<()> {
        match name {
            "size" if own_row(self.model, class).is_some() => self.text = distance(grip),
            "size" => self.text = format!("{grip}size()"),
            "first" | "second" => {
                let TemplateArg::Type(to) = args.get(usize::from(name == "second"))? else { return None };
                self.ty = crate::types::spelling::value_type(to);
                self.text = format!("{grip}{name}");
            }
            "has_value" | "good" => {
                self.text = format!("{grip}{name}()");
                self.ty = crate::types::arithmetic::simple_type("bool");
            }
            "index" => {
                self.text = format!("{grip}index()");
                self.ty = crate::types::arithmetic::simple_type("std::size_t");
            }
            "value" => {
                let TemplateArg::Type(held) = args.first()?.clone() else { return None };
                (self.text, self.ty) = (crate::cpp::dereference(&self.object()), held);
            }
            "real" | "imag" if class == COMPLEX => {
                let TemplateArg::Type(part) = args.first()?.clone() else { return None };
                let suffix = match part.kind {
                    TypeKind::Prim(Prim::Float) => "f",
                    TypeKind::Prim(Prim::LongDouble) => "l",
                    _ => "",
                };
                self.text = format!("c{name}{suffix}({})", self.object());
                self.ty = part;
            }
            "real" | "imag" => {
                let TemplateArg::Type(part) = args.first()?.clone() else { return None };
                self.text = format!("{grip}{name}()");
                self.ty = part;
            }
            // (Its name is what is asked for.)
            "category()" => self.text = format!("{grip}category()"),
            "value()" => {
                self.text = format!("{grip}value()");
                self.ty = crate::types::arithmetic::simple_type("int");
            }
            "name()" => {
                self.text = format!("std::string({grip}name())");
                self.ty = text_type();
            }
            _ => return None,
        }
        Some(())
    }

    /// An element; `rest` are the steps behind it.
    fn index(&mut self, index: u64, rest: &mut std::slice::Iter<'_, Step>) -> Option<()> {
        let ty = self.ty.without_ref();
        let by = row_of(self.model, ty).map(|row| row.index).unwrap_or_default();
        (self.text, self.ty) = match (&ty.kind, by) {
            (TypeKind::Array(element, _) | TypeKind::Pointer(element), _) => {
                (subscript(&self.text, index), (**element).clone())
            }
            (TypeKind::Record { usr, .. }, Index::None) => {
                let installed = self.model.classes.get(usr)?.installed.as_ref()?;
                let object = self.object();
                let grip = if object.starts_with('*') { format!("({object})") } else { object };
                if let Some(element) = &installed.grid {
                    let Some(Step::Index(column)) = rest.next() else { return None };
                    (format!("{grip}({index}, {column})"), element.clone())
                } else {
                    (format!("*std::next({grip}.begin(), {index})"), installed.elements.clone()?)
                }
            }
            (TypeKind::Record { .. }, Index::Subscript) => {
                // The pointee of a smart pointer.
                let object = if self.arrow { format!("*{}", self.text) } else { self.text.clone() };
                (subscript(&object, index), element_type(self.model, ty)?)
            }
            (TypeKind::Record { .. }, Index::Bit) => {
                (subscript(&self.object(), index), crate::types::arithmetic::simple_type("bool"))
            }
            (TypeKind::Record { args, .. }, Index::Get) => {
                let TemplateArg::Type(part) = args.get(usize::try_from(index).ok()?)?.clone() else { return None };
                (format!("std::get<{index}>({})", self.object()), part)
            }
            (TypeKind::Record { .. }, Index::Front | Index::Top) if index == 0 => {
                let call = if by == Index::Front { "front" } else { "top" };
                (format!("{}{call}()", grip(&self.text, self.arrow)), element_type(self.model, ty)?)
            }
            // Containers without an index of their own, as far as their order is known.
            (TypeKind::Record { .. }, Index::Iterator) => {
                let begin = format!("{}begin()", grip(&self.text, self.arrow));
                let element = if index == 0 { format!("*{begin}") } else { format!("*std::next({begin}, {index})") };
                (element, element_type(self.model, ty)?)
            }
            _ => return None,
        };
        Some(())
    }

    /// The object itself.
    fn object(&self) -> String {
        if self.arrow { crate::cpp::dereference(&self.text) } else { self.text.clone() }
    }
}

/// The container or text of the library that a class of the project derives from, and whether everybody may know.
fn inherited_container(model: &Model, ty: &Type) -> Option<(Type, bool)> {
    model.class_of(ty).filter(|class| class.installed.is_none())?;
    bases(model, ty).into_iter().find(|(base, _)| has_elements(model, base))
}

/// `object[index]`
fn subscript(object: &str, index: u64) -> String {
    if object.starts_with('*') { format!("({object})[{index}]") } else { format!("{object}[{index}]") }
}

/// `object.`, or `pointer->`.
fn grip(text: &str, arrow: bool) -> String {
    match (text.strip_prefix('*'), arrow) {
        (Some(pointer), false) => format!("{pointer}->"),
        (Some(_), true) => format!("({text})->"),
        (None, true) => format!("{text}->"),
        (None, false) => format!("{text}."),
    }
}

/// How many elements are between the beginning and the end.
fn distance(grip: &str) -> String {
    format!("static_cast<std::size_t>(std::distance({grip}begin(), {grip}end()))")
}

/// The expression for a part of an object of an installed library, and its type.
fn asked(
    model: &Model,
    class: &Class,
    args: &[TemplateArg],
    name: &str,
    text: &str,
    grip: &str,
) -> Option<(String, Type)> {
    use crate::plan::record_paths::PRINTED;
    let simple = crate::types::arithmetic::simple_type;
    if class.fields.iter().any(|field| field.name == name) {
        return None;
    }
    let Some(installed) = &class.installed else { return told(model, class, args, name, grip) };
    match name {
        PRINTED => {
            let object = if grip.ends_with("->") { crate::cpp::dereference(text) } else { text.to_owned() };
            Some((format!("printed({object})"), text_type()))
        }
        "rows()" | "cols()" if installed.grid.is_some() => Some((format!("{grip}{name}"), simple("long"))),
        "size" if installed.elements.is_some() => Some((distance(grip), simple("std::size_t"))),
        "has_value" => Some((format!("{grip}has_value()"), simple("bool"))),
        "value" => {
            let object = if grip.ends_with("->") { format!("**{}", text) } else { crate::cpp::dereference(text) };
            Some((object, installed.holds.clone()?))
        }
        _ => told(model, class, args, name, grip),
    }
}

fn pointer_to(element: Type) -> Type {
    let spelling = format!("{} *", element.spelling);
    Type { spelling, is_const: false, kind: TypeKind::Pointer(Box::new(element)), size: None }
}

/// The call of a method that tells something of an object, and the type of its result.
fn told(model: &Model, class: &Class, args: &[TemplateArg], name: &str, grip: &str) -> Option<(String, Type)> {
    let (name, end) = name.split_once(RANGE).map_or((name, None), |(begin, end)| (begin, Some(end)));
    let method = name.strip_suffix("()")?;
    if class.language == Language::C {
        let takes_one = |f: &&Function| matches!(&f.params[..], [one] if leads_to(one, class));
        let teller = model.functions.values().filter(|f| f.name == method).find(takes_one)?;
        let object = grip.strip_suffix("->").or_else(|| grip.strip_suffix('.'))?;
        let pointer = if grip.ends_with("->") { object.to_owned() } else { crate::cpp::address_of(object) };
        return Some((format!("{method}({pointer})"), teller.result.clone()));
    }
    let of = crate::plan::record_paths::told_by(model, class, name)?;
    if let Some(end) = end {
        return Some((format!("std::string({grip}{name}, {grip}{end})"), text_type()));
    }
    if name == ELEMENTS {
        // It has a subscript, as a pointer has.
        let element = crate::facts::hidden_state::elements(model, of, &Substitution::of(model, of, args))?;
        return Some((format!("{grip}{name}"), pointer_to(element)));
    }
    let found = of.functions(model).find(|f| f.name == method && crate::facts::hidden_state::asks(f))?;
    Some((format!("{grip}{name}"), found.result.without_ref().clone()))
}

/// The type of a member, its own or a base's, and whether everybody may ask for it.
fn find_field(model: &Model, class: &Class, args: &[TemplateArg], name: &str) -> Option<(Type, bool)> {
    let with = Substitution::of(model, class, args);
    if let Some(field) = class.fields.iter().find(|f| f.name == name) {
        return Some((with.apply(&field.ty), field.access == Access::Public));
    }
    let within = |field| Some((field, crate::facts::anonymous_members::within(model, field)?));
    let unnamed = class.fields.iter().filter_map(within).find_map(|(field, inner)| {
        let (ty, is_public) = find_field(model, inner, &[], name)?;
        Some((with.apply(&ty), is_public && field.access == Access::Public))
    });
    if unnamed.is_some() {
        return unnamed;
    }
    if crate::generate::same_named_members::is_ambiguous(model, class, &with, name) {
        return None;
    }
    class.other_bases().find_map(|base| {
        let ty = with.apply(&base.ty);
        let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
        let (field, is_public) = find_field(model, model.classes.get(usr)?, args, name)?;
        Some((field, is_public && base.access == Access::Public))
    })
}

/// Whether everybody may name the class: it, and all that it stands in.
pub(super) fn is_open(model: &Model, class: &Class) -> bool {
    let open = |class: &Class| class.access.is_none_or(|access| access == Access::Public);
    open(class) && class.around(model).all(open)
}

#[derive(Debug, PartialEq)]
enum Step {
    Member(String),
    Index(u64),
}

/// `a.b[3].c` in steps.
fn steps(path: &str) -> Vec<Step> {
    let mut out = Vec::new();
    for part in path.split('.') {
        let mut pieces = part.split('[');
        if let Some(name) = pieces.next().filter(|n| !n.is_empty()) {
            out.push(Step::Member(name.to_owned()));
        }
        out.extend(pieces.filter_map(|p| p.trim_end_matches(']').parse().ok().map(Step::Index)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::lower::Made;

    #[test]
    fn a_path_falls_apart_into_members_and_indexes() {
        let member = |n: &str| Step::Member(n.into());
        assert_eq!(steps("list[3].x_.y"), [member("list"), Step::Index(3), member("x_"), member("y")]);
        assert_eq!(steps("grid[1][2]"), [member("grid"), Step::Index(1), Step::Index(2)]);
    }

    #[test]
    fn what_a_map_or_a_set_holds_is_asked_for_in_its_order() {
        use crate::model::TemplateArg;
        let int = crate::types::arithmetic::simple_type("int");
        let of = |name: &str, args: &[&Type]| Type {
            spelling: name.into(),
            is_const: false,
            kind: TypeKind::Record {
                usr: String::new(),
                name: name.into(),
                args: args.iter().map(|ty| TemplateArg::Type((*ty).clone())).collect(),
            },
            size: None,
        };
        let double = crate::types::arithmetic::simple_type("double");
        let map = of("std::map", &[&int, &of("std::set", &[&double])]);
        let asked = |ty: &Type, path: &str| {
            let made = Made::expression("held");
            let roots = [Root { name: "held".into(), made, ty: ty.clone() }];
            expression(&Model::default(), path, &roots, &mut false)
        };
        assert_eq!(asked(&map, "held[0].first"), Some(("held.begin()->first".into(), int.clone())));
        let deep = "*std::next(std::next(held.begin(), 1)->second.begin(), 2)";
        assert_eq!(asked(&map, "held[1].second[2]"), Some((deep.into(), double)));
        // The order of these is nobody's promise.
        assert_eq!(asked(&of("std::unordered_set", &[&int]), "held[0]"), None);
    }
}
