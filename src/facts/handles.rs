//! Handles: the project's own smart pointers (`nn<std::shared_ptr<T>>`, `ref_ptr<T>`, `ShapePtr`). What one of them
//! leads to can be had wherever a function returns it, and one of a derived class stands in for one of its base.

use crate::hierarchy::Hierarchy;
use crate::lexicon::Lexicon;
use crate::model::library::{Owner, Shape};
use crate::model::{Access, Class, Function, FunctionKind, Model, TemplateArg, Type, TypeKind, Usr};
use crate::types::substitution::Substitution;

/// Bases and arguments further in than this belong to no handle.
const DEEPEST: usize = 4;
/// Bases further up than this are not looked at: a template that derives from other instances of itself has no end that
/// the model knows.
const FURTHEST_BASE: usize = 8;
/// The most derived classes whose handles stand in for one of a base.
const DERIVED: usize = 12;

/// The class type that a handle leads to by `->`, if `ty` is one: a class of the project with `->` and `*` that can't
/// be moved on, as an iterator can.
pub(crate) fn target(model: &Model, ty: &Type) -> Option<Type> {
    led_to(model, ty, 0)
}

fn led_to(model: &Model, ty: &Type, depth: usize) -> Option<Type> {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return None };
    let class = model.classes.get(usr).filter(|_| depth < DEEPEST)?;
    let with = Substitution::of(model, class, args);
    let Some(arrow) = operator(model, class, "operator->") else {
        return class.bases.iter().find_map(|base| led_to(model, &with.apply(&base.ty), depth + 1));
    };
    if operator(model, class, "operator*").is_none() || operator(model, class, "operator++").is_some() {
        return None;
    }
    let known = |to: &Type| to.record().is_some_and(|usr| model.classes.contains_key(usr));
    match with.apply(&arrow.result) {
        // A result that is computed from the arguments is taken for the pointee of the first.
        result if !known(result.pointee().unwrap_or(&result)) => match args.first()? {
            TemplateArg::Type(first) => innermost(model, first, depth + 1).filter(known),
            TemplateArg::Value(_) => None,
        },
        result => innermost(model, &result, depth + 1).filter(known),
    }
}

/// The innermost pointee of a type, through pointers and handles.
pub(crate) fn innermost(model: &Model, ty: &Type, depth: usize) -> Option<Type> {
    match &ty.kind {
        _ if depth > DEEPEST => None,
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => innermost(model, to, depth + 1),
        _ => match crate::types::standard::smart_pointee(model, ty) {
            Some(to) => innermost(model, to, depth + 1),
            None => led_to(model, ty, depth + 1).or_else(|| Some(ty.clone())),
        },
    }
}

/// Whether `ty` is a handle that can be made of nothing, and leads nowhere then.
pub(crate) fn may_be_empty(model: &Model, ty: &Type) -> bool {
    let class = ty.record().and_then(|usr| model.classes.get(usr));
    let of_nothing = |class: &Class| {
        let mut declared = class.constructors(model).peekable();
        let usual = |c: &Function| c.access == Some(Access::Public) && c.params.iter().all(|p| p.default.is_some());
        (declared.peek().is_none() || declared.any(|c| !c.is_copy_or_move && usual(c)))
            && crate::facts::default_construction::is_default_constructible(model, class)
    };
    class.is_some_and(|class| of_nothing(class) && is_assignable(model, class)) && target(model, ty).is_some()
}

/// Whether a copy of such a value leads to the same objects as the value itself, and to objects that can be changed: a
/// caller sees there what became of them.
pub fn leads_on(lexicon: &Lexicon, model: &Model, ty: &Type) -> bool {
    leads_on_within(lexicon, model, ty, 0, 0)
}

/// So many members in, and there so many bases up.
fn leads_on_within(lexicon: &Lexicon, model: &Model, ty: &Type, depth: usize, up: usize) -> bool {
    let TypeKind::Record { usr, name, args } = &ty.kind else {
        let (TypeKind::Pointer(to) | TypeKind::LvalueRef(to)) = &ty.kind else { return false };
        let is_object = to.record().is_some_and(|usr| model.classes.contains_key(usr));
        return is_object && depth > 0 && !to.is_const;
    };
    if depth > DEEPEST || up > FURTHEST_BASE {
        return false;
    }
    let types = || args.iter().filter_map(|arg| if let TemplateArg::Type(ty) = arg { Some(ty) } else { None });
    if crate::types::standard::is_of_library(model, name) {
        let row = crate::types::library::row(model, name);
        return match row.and_then(|row| row.owner) {
            Some(Owner::Sole) => false,
            Some(Owner::Shared | Owner::Lent) => types().next().is_some_and(|to| !to.is_const),
            None if row.is_some_and(|row| row.shape == Shape::Function) => false,
            None => types().any(|ty| leads_on_within(lexicon, model, ty, depth + 1, 0)),
        };
    }
    let Some(class) = model.classes.get(usr) else { return false };
    let with = Substitution::of(model, class, args);
    let fields = class.fields.iter().filter(|field| !field.is_static).map(|field| (&field.ty, depth + 1, 0));
    let parts = fields.chain(class.bases.iter().map(|base| (&base.ty, depth, up + 1)));
    target(model, ty).is_some_and(|to| !to.is_const)
        || crate::facts::member_lengths::leads_to_numbers(lexicon, class, &with)
        || parts.into_iter().any(|(part, depth, up)| leads_on_within(lexicon, model, &with.apply(part), depth, up))
}

/// Whether an object of the class can be given the value of another.
pub(crate) fn is_assignable(model: &Model, class: &Class) -> bool {
    let methods = || class.methods.iter().filter_map(|usr| model.functions.get(usr));
    let own = |f: &Function| matches!(f.params.as_slice(), [p] if p.ty.without_ref().record() == Some(&class.usr));
    let mut declared = methods().filter(|method| method.name == "operator=" && own(method)).peekable();
    if declared.peek().is_some() {
        return declared.any(|method| !method.is_deleted && method.access == Some(Access::Public));
    }
    let moves =
        |c: &Function| c.is_copy_or_move && c.params.iter().any(|p| matches!(p.ty.kind, TypeKind::RvalueRef(_)));
    let fixed = |ty: &Type| ty.is_const || matches!(ty.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_));
    !class.constructors(model).any(moves) && !class.fields.iter().any(|f| !f.is_static && fixed(&f.ty))
}

/// How what a handle leads to is had from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grip {
    /// `->` yields the pointer itself, not a proxy or another handle.
    pub is_raw: bool,
    /// It says whether it leads anywhere.
    pub says: bool,
}

/// How the object behind a handle of type `ty` is had.
pub fn grip(model: &Model, ty: &Type) -> Grip {
    let Some(class) = ty.record().and_then(|usr| model.classes.get(usr)) else { return Grip::default() };
    let says = ["operator bool", "operator!"].iter().any(|name| operator(model, class, name).is_some());
    match operator(model, class, "operator->") {
        Some(arrow) => Grip { is_raw: arrow.result.pointee().is_some(), says },
        None => {
            let grips = class.other_bases().map(|base| grip(model, &base.ty));
            let below =
                grips.fold(Grip::default(), |a, b| Grip { is_raw: a.is_raw || b.is_raw, says: a.says || b.says });
            Grip { says: says || below.says, ..below }
        }
    }
}

/// Whether a pointer of this type, handed to a constructor of a handle to `to`, is the handle's from then on: it leads
/// to what the handle leads to.
pub(crate) fn takes_over(ty: &Type, to: &Type) -> bool {
    ty.pointee().is_some_and(|pointee| pointee.record() == to.record())
}

/// The open operator of a class.
fn operator<'m>(model: &'m Model, class: &Class, name: &str) -> Option<&'m Function> {
    let methods = class.methods.iter().filter_map(|usr| model.functions.get(usr));
    methods
        .filter(|method| method.access == Some(Access::Public) && !method.is_deleted && method.params.is_empty())
        .filter(|method| method.name == name)
        // The one for objects that may change comes before the one for looking.
        .min_by_key(|method| method.is_const)
}

/// The class that the handle leads to which a function returns, by value or for looking at.
pub(crate) fn handle_target(model: &Model, function: &Function) -> Option<Usr> {
    let result = match &function.result.kind {
        TypeKind::LvalueRef(to) if to.is_const => to,
        TypeKind::Record { .. } => &function.result,
        _ => return None,
    };
    // A `const` pointee is no object for others.
    target(model, result).filter(|to| !to.is_const)?.record().cloned()
}

/// Handles of derived classes, each of which converts to `ty`, a handle of a base: `ref_ptr<Circle>` to
/// `ref_ptr<Shape>`.
pub(crate) fn of_derived(model: &Model, hierarchy: &Hierarchy, ty: &Type) -> Vec<Type> {
    let TypeKind::Record { usr, args, name } = &ty.kind else { return Vec::new() };
    let Some(base) = target(model, ty) else { return Vec::new() };
    let (Some(of), Some(class)) = (base.record(), model.classes.get(usr)) else { return Vec::new() };
    // A template with one argument names the class there.
    let [TemplateArg::Type(first)] = args.as_slice() else { return Vec::new() };
    if !is_convertible(model, class, 0) {
        return Vec::new();
    }
    let derived = hierarchy.concrete_subtypes(of).into_iter().filter(|sub| sub != of);
    let handle = |sub: Usr| {
        let sub = model.classes.get(&sub).filter(|sub| sub.template.is_none())?;
        let to = crate::types::records::record_type(model, sub, Vec::new());
        let args = vec![TemplateArg::Type(replaced(first, of, &to)?)];
        let spelling = crate::types::records::record_type(model, class, args.clone()).spelling;
        let kind = TypeKind::Record { usr: usr.clone(), name: name.clone(), args };
        Some(Type { spelling, is_const: false, kind, size: ty.size })
    };
    derived.filter_map(handle).take(DERIVED).collect()
}

/// Whether one instantiation of a template of handles is made of another: by a constructor or a conversion that is a
/// template itself.
fn is_convertible(model: &Model, class: &Class, depth: usize) -> bool {
    let open = |method: &&Function| method.access == Some(Access::Public) && method.template.is_some();
    let takes_one = |f: &Function| f.params.iter().filter(|param| param.default.is_none()).count() == 1;
    let mut methods = class.methods.iter().filter_map(|usr| model.functions.get(usr)).filter(open);
    let inherited = class.inherits.iter().filter_map(|usr| model.classes.get(usr)).filter(|_| depth < DEEPEST);
    methods.any(|method| match method.kind {
        FunctionKind::Constructor => takes_one(method),
        FunctionKind::Conversion => true,
        _ => false,
    }) || inherited.into_iter().any(|base| is_convertible(model, base, depth + 1))
}

/// `ty` with another class in the place of the only one in it.
fn replaced(ty: &Type, of: &Usr, to: &Type) -> Option<Type> {
    match &ty.kind {
        TypeKind::Record { usr, .. } if usr == of => {
            let constant = if ty.is_const { "const " } else { "" };
            Some(Type { spelling: format!("{constant}{}", to.spelling), is_const: ty.is_const, ..to.clone() })
        }
        TypeKind::Pointer(inner) => {
            let inner = replaced(inner, of, to)?;
            let spelling = format!("{} *", inner.spelling);
            Some(Type { spelling, kind: TypeKind::Pointer(Box::new(inner)), ..ty.clone() })
        }
        TypeKind::Record { usr, name, args } => {
            let [TemplateArg::Type(inner)] = args.as_slice() else { return None };
            let inner = replaced(inner, of, to)?;
            // An alias that it is spelled by takes no arguments.
            let constant = if ty.is_const { "const " } else { "" };
            let spelling = format!("{constant}{name}<{}>", inner.spelling);
            let args = vec![TemplateArg::Type(inner)];
            let kind = TypeKind::Record { usr: usr.clone(), name: name.clone(), args };
            Some(Type { spelling, kind, ..ty.clone() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    const POINTERS: &str = "#include <memory>\nstruct Shape { virtual ~Shape(); virtual int area() const = 0; };\n\
        struct Circle : Shape { int area() const override; };\n\
        template <class P> struct element { using type = typename std::pointer_traits<P>::element_type; };\n\
        template <class P> class nn { public: typename element<P>::type &operator*() const; \
        typename element<P>::type *operator->() const; template <class Q> nn(const nn<Q> &other); P p; };\n\
        template <class T> struct Ref { T *operator->() const; T &operator*() const; template <class U> operator \
        Ref<U>() const; T *p; };\n\
        template <class T> struct Strict { explicit Strict(T *p = nullptr); T *operator->() const; T &operator*() \
        const; T *p; };\n\
        using ShapePtr = std::shared_ptr<Shape>;\nstruct Handle { Shape *operator->() const; Shape &operator*() const; \
        };\n\
        struct Derived : Ref<Circle> {};\n\
        struct Cursor { Shape *operator->() const; Shape &operator*() const; Cursor &operator++(); };\n\
        struct Looked { const Shape *operator->() const; const Shape &operator*() const; };\n\
        nn<std::shared_ptr<Circle>> a(); Ref<Circle> b(); Handle c(); const Derived &d(); Cursor e(); Looked f(); \
        Circle g(); nn<Circle *> h();\n\
        int base(const nn<ShapePtr> &shape, const Ref<Shape> &other, Strict<Shape> last);\n";

    #[test]
    fn a_handle_leads_to_what_its_arrow_yields_and_an_iterator_is_none() {
        let model = read_cpp(POINTERS);
        let led = |name: &str| {
            let function = model.functions.values().find(|f| f.qualified == name).unwrap();
            handle_target(&model, function).map(|usr| model.classes[&usr].name.clone())
        };
        for name in ["a", "b", "d", "h"] {
            assert_eq!(led(name).as_deref(), Some("Circle"), "{name}");
        }
        assert_eq!(led("c").as_deref(), Some("Shape"));
        for name in ["e", "f", "g"] {
            assert_eq!(led(name), None, "{name}");
        }
    }

    #[test]
    fn handles_of_derived_classes_stand_in_for_one_of_their_base() {
        let model = read_cpp(POINTERS);
        let hierarchy = Hierarchy::new(&model);
        let function = model.functions.values().find(|f| f.qualified == "base").unwrap();
        let spelled = |at: usize| -> Vec<String> {
            let found = of_derived(&model, &hierarchy, function.params[at].ty.without_ref());
            found.into_iter().map(|ty| ty.spelling).collect()
        };
        assert_eq!(spelled(0), ["nn<std::shared_ptr<Circle>>"]);
        assert_eq!(spelled(1), ["Ref<Circle>"]);
        assert!(spelled(2).is_empty(), "nothing makes one of another");
    }
}
