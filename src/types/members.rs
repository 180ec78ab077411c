//! Types that are named by way of others: `typename Container::value_type`, `typename Outer<T>::Inner`. While they depend on a
//! template's parameters libclang leaves them as they are written; with arguments for those, the aliases of the classes say what
//! they are.

use crate::model::{Class, Model, Scope, TemplateArg, Type, TypeKind};
use crate::types::arithmetic::{primitive, simple_type};
use crate::types::records::record_type;
use crate::types::spelling::split_arguments;
use crate::types::spelling::value_type;
use crate::types::substitution::Substitution;

/// Aliases of aliases of aliases are followed so far.
pub(crate) const DEEPEST: u8 = 12;

/// One part of a qualified name, with the arguments behind it.
struct Part<'t> {
    name: &'t str,
    args: Option<Vec<String>>,
}

impl Substitution<'_> {
    /// What `text` names, with this put in the place of parameters; none where that can't be said.
    pub(crate) fn resolved(&self, text: &str) -> Option<Type> {
        let deeper = self.deeper()?;
        let text = text.trim();
        if let Some(inner) = text.strip_suffix("&&") {
            return Some(pointing(deeper.resolved(inner)?, "&&", TypeKind::RvalueRef));
        }
        if let Some(inner) = text.strip_suffix('&') {
            return Some(pointing(deeper.resolved(inner)?, "&", TypeKind::LvalueRef));
        }
        if let Some(inner) = text.strip_suffix('*') {
            return Some(pointing(deeper.resolved(inner)?, "*", TypeKind::Pointer));
        }
        if let Some(inner) = text.strip_prefix("const ") {
            return Some(crate::types::substitution::constant(&deeper.resolved(inner)?));
        }
        let text = text.trim_start_matches("typename ").trim();
        if let Some(ty) = self.named(text).or_else(|| crate::types::traits::member(text, &|text| deeper.resolved(text)))
        {
            return Some(ty);
        }
        let parts = parts(text)?;
        (1..=parts.len()).rev().find_map(|count| {
            let (head, rest) = parts.split_at(count);
            let first = deeper.first(head)?;
            rest.iter().try_fold(first, |ty, part| match part.args {
                None => deeper.member(&ty, part.name),
                Some(_) => None,
            })
        })
    }

    /// What the beginning of a qualified name stands for by itself.
    fn first(&self, parts: &[Part<'_>]) -> Option<Type> {
        let last = parts.last()?;
        if parts.iter().rev().skip(1).any(|part| part.args.is_some()) {
            return None;
        }
        if let ([_], None) = (parts, &last.args)
            && let Some(ty) = self.named(last.name)
        {
            return Some(ty);
        }
        let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
        let name = names.join("::");
        let args = match &last.args {
            Some(args) => {
                let lists = args.iter().map(|arg| match arg.ends_with("...") {
                    true => self.elements(arg),
                    false => self.argument(arg).map(|arg| vec![arg]),
                });
                lists.collect::<Option<Vec<_>>>()?.concat()
            }
            None => Vec::new(),
        };
        if name.starts_with("std::") && !args.is_empty() {
            let list: Vec<&str> = args.iter().map(spelled).collect();
            let spelling = format!("{name}<{}>", list.join(", "));
            return Some(Type {
                spelling,
                is_const: false,
                kind: TypeKind::Record { usr: name.clone(), name, args },
                size: None,
            });
        }
        let model = self.model()?;
        if let ([_], None, Some(inside)) = (parts, &last.args, self.inside()) {
            let outer = inside.scopes.iter().rev().filter_map(|scope| match scope {
                Scope::Class(usr) => model.classes.get(usr),
                Scope::Namespace { .. } => None,
            });
            let mut around = std::iter::once(inside).chain(outer);
            if let Some(ty) = around.find_map(|class| self.own_member(model, class, last.name)) {
                return Some(ty);
            }
        }
        let class = self.class_called(model, &name)?;
        // Within a template its name alone means the template's own parameters.
        if args.is_empty() && class.template.is_some() {
            let is_around = self.inside().is_some_and(|inside| {
                inside.usr == class.usr
                    || inside.scopes.iter().any(|scope| matches!(scope, Scope::Class(usr) if *usr == class.usr))
            });
            return self.arguments_of(model, class).filter(|_| is_around).map(|args| record_type(model, class, args));
        }
        let all = crate::types::records::params_of(model, class);
        let (params, given) = (all.len(), args.len());
        let has_pack = all.iter().any(|param| param.is_pack());
        ((given <= params || has_pack) && (given > 0) == (params > 0)).then(|| record_type(model, class, args))
    }

    /// The class that a name means here.
    fn class_called<'a>(&self, model: &'a Model, name: &str) -> Option<&'a Class> {
        let mut scope = self.inside().map(|class| class.qualified.as_str()).unwrap_or_default();
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

    fn argument(&self, text: &str) -> Option<TemplateArg> {
        if let Some(value) = self.value(text.trim()) {
            return Some(TemplateArg::Value(value.to_owned()));
        }
        if text.trim().starts_with(|c: char| c.is_ascii_digit() || c == '-') || matches!(text.trim(), "true" | "false")
        {
            return Some(TemplateArg::Value(text.trim().to_owned()));
        }
        self.resolved(text).map(TemplateArg::Type)
    }

    /// The type `name` of `of`.
    fn member(&self, of: &Type, name: &str) -> Option<Type> {
        let TypeKind::Record { usr, name: class, args } = &of.kind else { return None };
        let model = self.model()?;
        match model.classes.get(usr) {
            Some(class) => {
                let mut with = Substitution::of(model, class, args);
                with.go_deeper(self)?;
                with.own_member(model, class, name)
            }
            None => of_standard(of, class, args, name),
        }
    }

    /// The type `name` of the class whose parameters these are.
    fn own_member(&self, model: &Model, class: &Class, name: &str) -> Option<Type> {
        let with = self.deeper()?;
        // The USR of a typedef begins with the file's name, that of an alias doesn't.
        let file = class.definition.as_ref().and_then(|at| at.file.file_name()).unwrap_or_default().to_string_lossy();
        let behind = class.usr.strip_prefix("c:").unwrap_or(&class.usr);
        let usrs = [format!("c:{behind}@{name}"), format!("c:{file}{behind}@T@{name}"), format!("c:{behind}@T@{name}")];
        if let Some(alias) = usrs.iter().find_map(|usr| model.aliases.get(usr)) {
            return Some(with.apply(&alias.target)).filter(|ty| !is_open(ty));
        }
        let nested = class.nested.iter().filter_map(|usr| model.classes.get(usr));
        if let Some(nested) = nested.into_iter().find(|nested| nested.name == name && nested.template.is_none()) {
            return Some(record_type(model, nested, with.arguments_of(model, class)?));
        }
        let qualified = format!("{}::{name}", class.qualified);
        let is_plain =
            class.template.is_none() && class.scopes.iter().all(|scope| matches!(scope, Scope::Namespace { .. }));
        if is_plain && let Some(found) = model.enums.values().find(|e| e.qualified == qualified) {
            let kind = TypeKind::Enum(found.usr.clone());
            return Some(Type { spelling: qualified, is_const: false, kind, size: None });
        }
        class.bases.iter().find_map(|base| with.member(&with.apply(&base.ty), name))
    }

    /// What stands for the parameters of `class`.
    fn arguments_of(&self, model: &Model, class: &Class) -> Option<Vec<TemplateArg>> {
        let argument = |name: &str| match self.value(name) {
            Some(value) => Some(TemplateArg::Value(value.to_owned())),
            None => self.named(name).map(TemplateArg::Type),
        };
        let of = |param: &crate::model::TemplateParam| match self.packs.get(&param.name) {
            Some(list) if param.is_pack() => Some(list.clone()),
            _ => argument(&param.name).map(|arg| vec![arg]),
        };
        let lists: Option<Vec<_>> = crate::types::records::params_of(model, class).into_iter().map(of).collect();
        Some(lists?.concat())
    }
}

fn spelled(arg: &TemplateArg) -> &str {
    match arg {
        TemplateArg::Type(ty) => &ty.spelling,
        TemplateArg::Value(value) => value,
    }
}

/// Whether something in a type is still not known.
pub(crate) fn is_open(ty: &Type) -> bool {
    let mut found = false;
    ty.walk(&mut |part| {
        found |= match &part.kind {
            TypeKind::Dependent(_) | TypeKind::Unknown(_) => true,
            TypeKind::Record { usr, .. } => usr.is_empty(),
            _ => false,
        }
    });
    found
}

pub(crate) fn pointing(to: Type, mark: &str, kind: fn(Box<Type>) -> TypeKind) -> Type {
    // A reference to a reference is one.
    if mark != "*" && matches!(to.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_)) {
        return to;
    }
    let gap = if to.spelling.ends_with(['*', '&']) { "" } else { " " };
    Type { spelling: format!("{}{gap}{mark}", to.spelling), is_const: false, kind: kind(Box::new(to)), size: None }
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

/// The member types of the standard library's containers, text and iterators.
fn of_standard(of: &Type, class: &str, args: &[TemplateArg], name: &str) -> Option<Type> {
    let argument = |index: usize| match args.get(index) {
        Some(TemplateArg::Type(ty)) => Some(ty.clone()),
        _ => None,
    };
    let constant = |ty: &Type| crate::types::substitution::constant(ty);
    let is_map = matches!(class, "std::map" | "std::multimap" | "std::unordered_map" | "std::unordered_multimap");
    let is_iterator = crate::types::iterators::is_iterator(class);
    let element = || match is_map {
        true => {
            let (key, value) = (constant(&argument(0)?), argument(1)?);
            let spelling = format!("std::pair<{}, {}>", key.spelling, value.spelling);
            let args = vec![TemplateArg::Type(key), TemplateArg::Type(value)];
            let kind = TypeKind::Record { usr: "std::pair".into(), name: "std::pair".into(), args };
            Some(Type { spelling, is_const: false, kind, size: None })
        }
        false if is_iterator => crate::types::traits::element(of),
        false => argument(0).or_else(|| primitive("char").filter(|_| of.bare_spelling() == "std::string")),
    };
    if !class.starts_with("std::") && !is_iterator {
        return None;
    }
    match name {
        "value_type" | "element_type" => element(),
        "key_type" if is_map || class.ends_with("set") => argument(0),
        "mapped_type" if is_map => argument(1),
        "first_type" if class == "std::pair" => argument(0),
        "second_type" if class == "std::pair" => argument(1),
        "reference" => Some(pointing(element()?, "&", TypeKind::LvalueRef)),
        "const_reference" => Some(pointing(constant(&element()?), "&", TypeKind::LvalueRef)),
        "pointer" => Some(pointing(value_type(&element()?), "*", TypeKind::Pointer)),
        "const_pointer" => Some(pointing(constant(&element()?), "*", TypeKind::Pointer)),
        "size_type" => Some(simple_type("std::size_t")),
        "iterator_type" if is_iterator => argument(0),
        "difference_type" => Some(simple_type("long")),
        "reverse_iterator" | "const_reverse_iterator" => {
            let inner = of_standard(of, class, args, name.replace("reverse_", "").as_str())?;
            crate::types::iterators::of_container(class, args).is_none().then_some(())?;
            let (wrapper, args) = ("std::reverse_iterator".to_owned(), vec![TemplateArg::Type(inner)]);
            let kind = TypeKind::Record { usr: wrapper.clone(), name: wrapper, args };
            Some(Type { spelling: format!("{}::{name}", of.bare_spelling()), is_const: false, kind, size: None })
        }
        "iterator" | "const_iterator" => {
            let (wrapped, args) = crate::types::iterators::within(class, of, element()?, name == "const_iterator")?;
            let args = args.into_iter().map(TemplateArg::Type).collect();
            let kind = TypeKind::Record { usr: wrapped.into(), name: wrapped.into(), args };
            Some(Type { spelling: format!("{}::{name}", of.bare_spelling()), is_const: false, kind, size: None })
        }
        _ => None,
    }
}
