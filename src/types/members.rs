//! Types that are named by way of others: `typename Container::value_type`, `typename Outer<T>::Inner`. While they
//! depend on a template's parameters libclang leaves them as they are written; with arguments for those, the aliases of
//! the classes say what they are.

use crate::model::{Class, Model, Scope, TemplateArg, Type, TypeKind};
use crate::types::compose;
use crate::types::packs::elements;
use crate::types::records::{is_open, params_of, record_type};
use crate::types::spelling::split_arguments;
use crate::types::substitution::Substitution;
use crate::types::typedefs::member_type;

/// Aliases of aliases of aliases are followed so far.
pub(crate) const DEEPEST: u8 = 12;

/// One part of a qualified name, with the arguments behind it.
struct Part<'t> {
    name: &'t str,
    args: Option<Vec<String>>,
}

/// The type that `text` names, with this put in the place of parameters; none where that can't be said.
pub(crate) fn resolved(with: &Substitution, text: &str) -> Option<Type> {
    let deeper = with.deeper()?;
    if let Some((inner, make)) = compose::peeled(text) {
        return resolved(&deeper, inner).map(make);
    }
    let text = text.trim().trim_start_matches("typename ").trim();
    if let Some(ty) =
        with.named(text).or_else(|| crate::types::traits::member(with.model(), text, &|text| resolved(&deeper, text)))
    {
        return Some(ty);
    }
    let parts = parts(text)?;
    (1..=parts.len()).rev().find_map(|count| {
        let (head, rest) = parts.split_at(count);
        let first = first(&deeper, head)?;
        rest.iter().try_fold(first, |ty, part| match part.args {
            None => member(&deeper, &ty, part.name),
            Some(_) => None,
        })
    })
}

/// The type that the beginning of a qualified name stands for by itself.
fn first(with: &Substitution, parts: &[Part<'_>]) -> Option<Type> {
    let last = parts.last()?;
    if parts.iter().rev().skip(1).any(|part| part.args.is_some()) {
        return None;
    }
    if let ([_], None) = (parts, &last.args)
        && let Some(ty) = with.named(last.name)
    {
        return Some(ty);
    }
    let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    let name = names.join("::");
    let args = match &last.args {
        Some(args) => {
            let lists = args.iter().map(|arg| match arg.ends_with("...") {
                true => elements(with, arg),
                false => argument(with, arg).map(|arg| vec![arg]),
            });
            lists.collect::<Option<Vec<_>>>()?.concat()
        }
        None => Vec::new(),
    };
    if name.starts_with("std::") && !args.is_empty() {
        return Some(compose::class(&name, args));
    }
    let model = with.model()?;
    if let ([_], None, Some(inside)) = (parts, &last.args, with.inside()) {
        let mut around = std::iter::once(inside).chain(inside.around(model));
        if let Some(ty) = around.find_map(|class| own_member(with, model, class, last.name)) {
            return Some(ty);
        }
    }
    let class = class_called(with, model, &name)?;
    // Within a template its name alone means the template's own parameters.
    if args.is_empty() && class.template.is_some() {
        let is_around = with.inside().is_some_and(|inside| {
            inside.usr == class.usr || inside.scopes.iter().filter_map(Scope::class).any(|usr| *usr == class.usr)
        });
        return arguments_of(with, model, class).filter(|_| is_around).map(|args| record_type(model, class, args));
    }
    let all = params_of(model, class);
    let (params, given) = (all.len(), args.len());
    let has_pack = all.iter().any(|param| param.is_pack());
    ((given <= params || has_pack) && (given > 0) == (params > 0)).then(|| record_type(model, class, args))
}

/// The class that a name means here.
fn class_called<'a>(with: &Substitution, model: &'a Model, name: &str) -> Option<&'a Class> {
    let mut scope = with.inside().map(|class| class.qualified.as_str()).unwrap_or_default();
    loop {
        let full = if scope.is_empty() { name.to_owned() } else { format!("{scope}::{name}") };
        if let Some(class) = model.classes.values().find(|c| c.qualified == full && c.specializes.is_none()) {
            return Some(class);
        }
        if scope.is_empty() {
            return None;
        }
        scope = scope.rsplit_once("::").map(|(outer, _)| outer).unwrap_or_default();
    }
}

fn argument(with: &Substitution, text: &str) -> Option<TemplateArg> {
    if let Some(value) = with.value(text.trim()) {
        return Some(TemplateArg::Value(value.to_owned()));
    }
    if text.trim().starts_with(|c: char| c.is_ascii_digit() || c == '-') || matches!(text.trim(), "true" | "false") {
        return Some(TemplateArg::Value(text.trim().to_owned()));
    }
    resolved(with, text).map(TemplateArg::Type)
}

/// The type `name` of `of`.
fn member(with: &Substitution, of: &Type, name: &str) -> Option<Type> {
    let TypeKind::Record { usr, name: class, args } = &of.kind else { return None };
    let model = with.model()?;
    match model.classes.get(usr) {
        Some(class) => {
            let mut inner = Substitution::of(model, class, args);
            inner.go_deeper(with)?;
            own_member(&inner, model, class, name)
        }
        None => member_type(Some(model), of, class, args, name),
    }
}

/// The type `name` of the class whose parameters these are.
fn own_member(with: &Substitution, model: &Model, class: &Class, name: &str) -> Option<Type> {
    let with = &with.deeper()?;
    // The USR of a typedef begins with the file's name, that of an alias doesn't.
    let file = class.definition.as_ref().and_then(|at| at.file.file_name()).unwrap_or_default().to_string_lossy();
    let behind = class.usr.strip_prefix("c:").unwrap_or(&class.usr);
    let usrs = [format!("c:{behind}@{name}"), format!("c:{file}{behind}@T@{name}"), format!("c:{behind}@T@{name}")];
    if let Some(alias) = usrs.iter().find_map(|usr| model.aliases.get(usr)) {
        return Some(with.apply(&alias.target)).filter(|ty| !is_open(ty));
    }
    let nested = class.nested.iter().filter_map(|usr| model.classes.get(usr));
    if let Some(nested) = nested.into_iter().find(|nested| nested.name == name && nested.template.is_none()) {
        return Some(record_type(model, nested, arguments_of(with, model, class)?));
    }
    let qualified = format!("{}::{name}", class.qualified);
    let is_plain =
        class.template.is_none() && class.scopes.iter().all(|scope| matches!(scope, Scope::Namespace { .. }));
    if is_plain && let Some(found) = model.enums.values().find(|e| e.qualified == qualified) {
        let kind = TypeKind::Enum(found.usr.clone());
        return Some(Type::new(qualified, kind));
    }
    class.bases.iter().find_map(|base| member(with, &with.apply(&base.ty), name))
}

/// The arguments for the parameters of `class`.
fn arguments_of(with: &Substitution, model: &Model, class: &Class) -> Option<Vec<TemplateArg>> {
    let argument = |name: &str| match with.value(name) {
        Some(value) => Some(TemplateArg::Value(value.to_owned())),
        None => with.named(name).map(TemplateArg::Type),
    };
    let of = |param: &crate::model::TemplateParam| match with.packs.get(&param.name) {
        Some(list) if param.is_pack() => Some(list.clone()),
        _ => argument(&param.name).map(|arg| vec![arg]),
    };
    let lists: Option<Vec<_>> = params_of(model, class).into_iter().map(of).collect();
    Some(lists?.concat())
}

/// A qualified name at its `::`; none for what is no name.
fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let (mut depth, mut start, mut found) = (0i32, 0, Vec::new());
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            b':' if depth == 0 && bytes.get(at + 1) == Some(&b':') => {
                found.push(&text[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    let part = |text: &str| -> Option<(usize, Option<Vec<String>>)> {
        let Some(open) = text.find('<') else { return Some((text.len(), None)) };
        let inner = text[open + 1..].trim_end().strip_suffix('>')?;
        Some((open, Some(split_arguments(inner).iter().map(|arg| arg.trim().to_owned()).collect())))
    };
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    let named = found.into_iter().filter(|text| !text.is_empty()).map(|text| {
        let text = text.trim().trim_start_matches("template ");
        let (end, args) = part(text)?;
        let name = text[..end].trim();
        is_name(name).then_some(Part { name, args })
    });
    named.collect()
}
