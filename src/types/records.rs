//! Classes as types: template parameters by level, and the type that a class with arguments is.

use crate::model::{
    Access, Class, ClassKind, Function, Language, Model, TemplateArg, TemplateParam, Type, TypeKind, Usr,
};

/// The class template that a class which is none itself is nested in.
pub fn outer_template<'m>(model: &'m Model, class: &Class) -> Option<&'m Class> {
    class.around(model).find(|outer| outer.template.is_some())
}

/// Whether user code can name the function's class at all.
pub fn reachable_class(model: &Model, function: &Function) -> bool {
    let is_open = |class: &Class| !matches!(class.access, Some(Access::Private | Access::Protected));
    model.owner_of(function).is_none_or(|class| is_open(class) && class.around(model).all(is_open))
}

/// The templates whose parameters a class has: those that it is nested in, the outermost first, and itself if it is
/// one.
pub fn levels<'m>(model: &'m Model, class: &'m Class) -> Vec<&'m Class> {
    let mut found: Vec<&Class> = class.template.is_some().then_some(class).into_iter().collect();
    while let Some(outer) = outer_template(model, found.last().copied().unwrap_or(class)) {
        found.push(outer);
    }
    found.reverse();
    found
}

/// All of those parameters.
pub fn params_of<'m>(model: &'m Model, class: &'m Class) -> Vec<&'m TemplateParam> {
    levels(model, class).into_iter().flat_map(|level| level.template.iter().flatten()).collect()
}

/// The type that names `class` with `args`; those of templates that it is nested in stand before its own.
pub fn record_type(model: &Model, class: &Class, args: Vec<TemplateArg>) -> Type {
    if !args.is_empty()
        && class.specialized_for.is_empty()
        && let Some(outer) = outer_template(model, class)
        && let Some(inner) = class.qualified.strip_prefix(&outer.qualified)
    {
        let count = params_of(model, outer).len().min(args.len());
        let list = class.template.as_ref().map(|_| format!("<{}>", TemplateArg::list(&args[count..])));
        let list = list.unwrap_or_default();
        let spelling = format!("{}{inner}{list}", record_type(model, outer, args[..count].to_vec()).spelling);
        return of_class(class, spelling, args);
    }
    if class.specialized_for.is_empty()
        && let Some(outer) = class.around(model).find(|outer| !outer.specialized_for.is_empty())
        && let Some(inner) = class.qualified.strip_prefix(&outer.qualified)
    {
        let list = class.template.as_ref().map(|_| format!("<{}>", TemplateArg::list(&args))).unwrap_or_default();
        let spelling = format!("{}{inner}{list}", record_type(model, outer, Vec::new()).spelling);
        return of_class(class, spelling, args);
    }
    if let Some(spelling) = class.installed.as_ref().and_then(|installed| installed.spelling.clone()) {
        return of_class(class, spelling, args);
    }
    let mut spelling = spelled(class);
    let args = if class.specialized_for.is_empty() { args } else { class.specialized_for.clone() };
    if class.template.is_some() || !class.specialized_for.is_empty() {
        spelling = format!("{spelling}<{}>", TemplateArg::list(&args));
    }
    of_class(class, spelling, args)
}

fn of_class(class: &Class, spelling: String, args: Vec<TemplateArg>) -> Type {
    let kind = TypeKind::Record { usr: class.usr.clone(), name: class.qualified.clone(), args };
    Type { size: class.size, ..Type::new(spelling, kind) }
}

/// A class without template arguments as it is written: in C with its keyword, unless a typedef has the same name.
pub(crate) fn spelled(class: &Class) -> String {
    let keyword = match (class.language, class.kind) {
        _ if class.language == Language::Cxx || class.aliases.contains(&class.name) || class.name.is_empty() => "",
        (_, ClassKind::Union) => "union ",
        _ => "struct ",
    };
    format!("{keyword}{}", class.qualified)
}

/// Whether something in a type is still not known.
pub fn is_open(ty: &Type) -> bool {
    ty.any(|part| match &part.kind {
        TypeKind::Dependent(_) | TypeKind::Unknown(_) => true,
        TypeKind::Record { usr, .. } => usr.is_empty(),
        _ => false,
    })
}

/// Whether a template argument still depends on a template parameter.
pub fn is_dependent(arg: &TemplateArg) -> bool {
    match arg {
        TemplateArg::Type(ty) => is_open(ty),
        // What could be computed is a number: of `N - 1` nobody knows the `N`.
        TemplateArg::Value(text) => {
            let computes = [" - ", " + ", " * ", " / ", " % ", "..."].iter().any(|operator| text.contains(operator));
            text.is_empty() || computes && text.contains(|c: char| c.is_ascii_alphabetic())
        }
    }
}

/// Whether a subclass of a template derives from this very instantiation; in doubt it does.
pub fn is_below(model: &Model, class: &Class, base: &Type) -> bool {
    let TypeKind::Record { usr, args, .. } = &base.kind else { return true };
    if args.is_empty() || class.usr == *usr {
        return true;
    }
    let same = |own: &[TemplateArg]| {
        own.iter().any(is_dependent)
            || own.len() != args.len()
            || own.iter().zip(args).all(|(one, other)| same_argument(one, other))
    };
    class.bases.iter().any(|above| match &above.ty.kind {
        TypeKind::Record { usr: of, args: own, .. } if of == usr => same(own),
        TypeKind::Record { usr: of, .. } => {
            model.classes.get(of).is_none_or(|class| !class.bases.is_empty() && is_below(model, class, base))
        }
        _ => true,
    })
}

/// The same type, however it is spelled.
pub fn alike(a: &Type, b: &Type) -> bool {
    if a.is_const != b.is_const {
        return false;
    }
    match (&a.kind, &b.kind) {
        // Only the spelling says which class and type a member pointer is for.
        (TypeKind::MemberPointer, TypeKind::MemberPointer) => a.bare_spelling() == b.bare_spelling(),
        (TypeKind::Pointer(a), TypeKind::Pointer(b))
        | (TypeKind::LvalueRef(a), TypeKind::LvalueRef(b))
        | (TypeKind::RvalueRef(a), TypeKind::RvalueRef(b)) => alike(a, b),
        (TypeKind::Array(a, n), TypeKind::Array(b, m)) => n == m && alike(a, b),
        (TypeKind::Record { usr: a, args: x, .. }, TypeKind::Record { usr: b, args: y, .. }) => {
            a == b && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same_argument(x, y))
        }
        (
            TypeKind::Function { result: a, params: x, is_variadic: more, .. },
            TypeKind::Function { result: b, params: y, is_variadic: others, .. },
        ) => alike(a, b) && more == others && x.len() == y.len() && x.iter().zip(y).all(|(a, b)| alike(a, b)),
        (TypeKind::Dependent(_) | TypeKind::Unknown(_), _) => false,
        (a, b) => a == b,
    }
}

/// The same argument, however it is spelled.
pub(crate) fn same_argument(a: &TemplateArg, b: &TemplateArg) -> bool {
    match (a, b) {
        (TemplateArg::Type(a), TemplateArg::Type(b)) => alike(a, b),
        (a, b) => a == b,
    }
}

pub(crate) fn points_to(ty: &Type, usr: &Usr) -> bool {
    ty.pointee().is_some_and(|to| to.record() == Some(usr) && !to.is_const)
}

/// Whether it is a pointer to a pointer to the structure.
pub(crate) fn is_place_of(ty: &Type, usr: &Usr) -> bool {
    ty.pointee().is_some_and(|to| !to.is_const && points_to(to, usr))
}
