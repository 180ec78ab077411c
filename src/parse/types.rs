//! libclang's types to the model's: how they are spelled, so that the spelling can be pasted, and what they are.

use super::arguments;
use super::arguments::is_dependent;
use super::foreign;
use super::mentions;
use super::names::is_reserved;
use super::reader::Reader;
use super::reader::access_of;
use super::type_shapes::*;
use crate::model::{Access, Base, Field, Language, ParamNames, Prim, TemplateArg, Type, TypeKind};
use clang::{Entity, EntityKind, TypeKind as Kind};

/// `const` and `volatile`.
#[derive(Clone, Copy, Default)]
struct Quals {
    is_const: bool,
    is_volatile: bool,
}

impl Quals {
    fn of(ty: clang::Type<'_>) -> Self {
        Self { is_const: ty.is_const_qualified(), is_volatile: ty.is_volatile_qualified() }
    }

    fn and(self, other: Self) -> Self {
        Self { is_const: self.is_const || other.is_const, is_volatile: self.is_volatile || other.is_volatile }
    }

    /// In front of a name: `const volatile `.
    fn text(self) -> &'static str {
        match (self.is_const, self.is_volatile) {
            (false, false) => "",
            (true, false) => "const ",
            (false, true) => "volatile ",
            (true, true) => "const volatile ",
        }
    }
}

/// A type for the model.
pub(super) fn model_type<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>) -> Type {
    model_type_at(reader, ty, 0)
}

pub(super) fn model_type_at<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, depth: usize) -> Type {
    if depth > DEEPEST {
        let spelling = ty.get_display_name();
        return Type::new(spelling, TypeKind::Unknown("too deep".into()));
    }
    let spelling = declare(reader, ty, "", Quals::default(), depth);
    let canonical = ty.get_canonical_type();
    let mut kind = kind_of(reader, ty, canonical, depth);
    if let Some(declaration) = aliased_function(ty) {
        name_params(&mut kind, declaration);
    }
    if let TypeKind::Dependent(name) = &mut kind {
        let bare = match parameter_behind(ty, 0) {
            Some(parameter) => parameter.get_display_name(),
            None => spelling.clone(),
        };
        *name = bare.trim_start_matches("const ").trim_start_matches("volatile ").to_string();
    }
    let size = match kind {
        TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) | TypeKind::Function { .. } | TypeKind::Void => None,
        _ => canonical.get_sizeof().ok().map(|size| size as u64),
    };
    Type { spelling, is_const: canonical.is_const_qualified(), kind, size }
}

fn kind_of<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, canonical: clang::Type<'tu>, depth: usize) -> TypeKind {
    let kind = canonical.get_kind();
    // (libclang has no kind for it.)
    if kind == Kind::Unexposed && canonical.get_display_name().trim_start_matches("const ") == "char8_t" {
        return TypeKind::Prim(Prim::Char8);
    }
    if let Some(prim) = prim(kind) {
        return if prim == Prim::UChar && canonical.get_display_name().ends_with("char8_t") {
            TypeKind::Prim(Prim::Char8)
        } else {
            TypeKind::Prim(prim)
        };
    }
    let outer = structural(ty, 0);
    let inner = |reader: &mut Reader<'tu>, ty: Option<clang::Type<'tu>>| match ty {
        Some(ty) => Box::new(model_type_at(reader, ty, depth + 1)),
        None => Box::new(unknown("no pointee")),
    };
    match kind {
        Kind::Void => TypeKind::Void,
        Kind::Nullptr => TypeKind::NullPtr,
        Kind::Pointer => TypeKind::Pointer(inner(reader, outer.get_pointee_type())),
        Kind::LValueReference => TypeKind::LvalueRef(inner(reader, outer.get_pointee_type())),
        Kind::RValueReference => TypeKind::RvalueRef(inner(reader, outer.get_pointee_type())),
        Kind::ConstantArray => {
            TypeKind::Array(inner(reader, outer.get_element_type()), canonical.get_size().map(|size| size as u64))
        }
        Kind::IncompleteArray => TypeKind::Array(inner(reader, outer.get_element_type()), None),
        Kind::FunctionPrototype | Kind::FunctionNoPrototype => TypeKind::Function {
            result: inner(reader, outer.get_result_type()),
            params: outer
                .get_argument_types()
                .unwrap_or_default()
                .into_iter()
                .map(|param| model_type_at(reader, param, depth + 1))
                .collect(),
            is_variadic: outer.is_variadic() && kind == Kind::FunctionPrototype,
            is_noexcept: is_noexcept(outer),
            names: ParamNames::default(),
        },
        Kind::MemberPointer => TypeKind::MemberPointer,
        Kind::Enum => match canonical.get_declaration() {
            Some(declaration) => {
                mentions::installed_enumeration(reader, declaration);
                TypeKind::Enum(reader.usr(declaration))
            }
            None => TypeKind::Unknown("an enumeration without declaration".into()),
        },
        _ => match canonical.get_declaration() {
            Some(declaration) if is_class(declaration.get_kind()) => record(reader, ty, canonical, declaration, depth),
            Some(template) if template.get_kind() == EntityKind::TemplateTemplateParameter => {
                let written = applied(ty, 0).unwrap_or(canonical);
                let args = arguments::template_args(reader, written, depth);
                let named = written.get_declaration().unwrap_or(template);
                // The parameter's argument names the class.
                TypeKind::Record { usr: String::new(), name: named.get_name().unwrap_or_default(), args }
            }
            _ if matches!(kind, Kind::Unexposed | Kind::Dependent | Kind::DependentSizedArray) => {
                let name = canonical.get_display_name();
                // (Of integers only GNU has them.)
                let part = name.trim_start_matches("const ").strip_prefix("_Complex ");
                let is_real = |part: &&str| ["float", "double", "long double"].contains(part);
                if let Some(part) = part.filter(is_real).filter(|_| reader.language == Language::C) {
                    let args = vec![TemplateArg::Type(crate::types::arithmetic::simple_type(part))];
                    TypeKind::Record {
                        usr: crate::types::standard::COMPLEX.into(),
                        name: crate::types::standard::COMPLEX.into(),
                        args,
                    }
                } else if name.starts_with("_Atomic") || name.starts_with("_Complex") || name.starts_with("_BitInt") {
                    TypeKind::Unknown(name)
                } else {
                    TypeKind::Dependent(ty.get_display_name())
                }
            }
            _ => TypeKind::Unknown(format!("{kind:?}")),
        },
    }
}

fn record<'tu>(
    reader: &mut Reader<'tu>,
    ty: clang::Type<'tu>,
    canonical: clang::Type<'tu>,
    declaration: Entity<'tu>,
    depth: usize,
) -> TypeKind {
    let primary = reader.primary(declaration);
    let usr = reader.usr(primary);
    let name = reader.qualified(primary);
    let mut args = arguments::template_args(reader, canonical, depth);
    let mut outer = 0;
    if args.is_empty() {
        args = arguments::enclosing_args(reader, ty, declaration, depth);
    } else {
        // A class nested in a template has the template's arguments in front of its own.
        let around = arguments::outer_args(reader, declaration, depth);
        outer = around.len();
        args.splice(..0, around);
    }
    let dependent = args.iter().any(is_dependent);
    if args.is_empty() && !reader.is_project(primary) {
        foreign::foreign(reader, primary);
    }
    // (A value that is a default need not be known.)
    let is_open = canonical.get_sizeof() == Err(clang::SizeofError::Dependent)
        || args.iter().any(|arg| matches!(arg, TemplateArg::Type(_)) && is_dependent(arg));
    let instance =
        if args.is_empty() || is_open { None } else { mentions::installed_instance(reader, canonical, declaration) };
    let usr = instance.unwrap_or(usr);
    let is_local = args.iter().any(super::arguments::is_local);
    if !args.is_empty() && reader.is_project(primary) && !dependent && !is_local {
        mentions::instantiated(reader, usr.clone(), args.clone());
    }
    // As written the arguments keep their typedefs, and a template's parameters their names.
    if let Some(written) = specialization(ty, 0).filter(|_| !args.is_empty()) {
        let written = arguments::template_args(reader, written, depth);
        if dependent {
            args.truncate(outer);
            args.extend(written);
        } else if outer + written.len() <= args.len() {
            let count = written.len();
            args.splice(outer..outer + count, written);
        }
    }
    TypeKind::Record { usr, name, args }
}

/// `ty` as a C declarator around `name`, which is empty for the type alone.
fn declare<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, name: &str, quals: Quals, depth: usize) -> String {
    if depth > DEEPEST {
        return ty.get_display_name();
    }
    let quals = quals.and(Quals::of(ty));
    let bracketed = |inner: String, pointee: clang::Type<'tu>| {
        let needs = matches!(
            pointee.get_canonical_type().get_kind(),
            Kind::FunctionPrototype | Kind::FunctionNoPrototype | Kind::ConstantArray | Kind::IncompleteArray
        ) && !matches!(pointee.get_kind(), Kind::Typedef | Kind::Elaborated);
        if needs { format!("({inner})") } else { inner }
    };
    let pointer = |reader: &mut Reader<'tu>, mark: &str, pointee: Option<clang::Type<'tu>>| match pointee {
        Some(pointee) => {
            let own = quals.text();
            let inner =
                if name.is_empty() { format!("{mark}{}", own.trim_end()) } else { format!("{mark}{own}{name}") };
            declare(reader, pointee, &bracketed(inner, pointee), Quals::default(), depth + 1)
        }
        None => ty.get_display_name(),
    };
    match ty.get_kind() {
        Kind::Pointer => pointer(reader, "*", ty.get_pointee_type()),
        Kind::LValueReference => pointer(reader, "&", ty.get_pointee_type()),
        Kind::RValueReference => pointer(reader, "&&", ty.get_pointee_type()),
        Kind::MemberPointer => {
            let class = ty.get_class_type().map(|class| declare(reader, class, "", Quals::default(), depth + 1));
            pointer(reader, &format!("{}::*", class.unwrap_or_default()), ty.get_pointee_type())
        }
        Kind::ConstantArray | Kind::IncompleteArray => match ty.get_element_type() {
            Some(element) => {
                let size = ty.get_size().map(|size| size.to_string()).unwrap_or_default();
                declare(reader, element, &format!("{name}[{size}]"), quals, depth + 1)
            }
            None => ty.get_display_name(),
        },
        // (Its canonical type has the names that some other template gives to its parameters.)
        Kind::DependentSizedArray => {
            let display = ty.get_display_name();
            match (ty.get_element_type(), first_bound(&display)) {
                (Some(element), Some(size)) => declare(reader, element, &format!("{name}[{size}]"), quals, depth + 1),
                _ => display,
            }
        }
        Kind::FunctionPrototype | Kind::FunctionNoPrototype => {
            let mut params: Vec<String> = ty
                .get_argument_types()
                .unwrap_or_default()
                .into_iter()
                .map(|param| declare(reader, param, "", Quals::default(), depth + 1))
                .collect();
            // A function type without a prototype takes any arguments.
            if ty.is_variadic() && ty.get_kind() == Kind::FunctionPrototype {
                params.push("...".into());
            }
            if params.is_empty() && reader.language == Language::C && ty.get_kind() == Kind::FunctionPrototype {
                params.push("void".into());
            }
            let noexcept = if is_noexcept(ty) { " noexcept" } else { "" };
            let inner = format!("{name}({}){noexcept}", params.join(", "));
            match ty.get_result_type() {
                Some(result) => declare(reader, result, &inner, Quals::default(), depth + 1),
                None => ty.get_display_name(),
            }
        }
        Kind::Elaborated => match ty.get_elaborated_type() {
            Some(named) => declare(reader, named, name, quals, depth + 1),
            None => ty.get_display_name(),
        },
        Kind::Typedef => match typedef_name(reader, ty) {
            Ok(base) => join(quals, &base, name),
            Err(underlying) => declare(reader, underlying, name, quals, depth + 1),
        },
        Kind::Enum | Kind::Record => {
            let base = record_spelling(reader, ty, depth);
            join(quals, &base, name)
        }
        kind if prim(kind).is_some() || kind == Kind::Void => {
            let display = ty.get_display_name();
            let base = display.trim_start_matches("const ").trim_start_matches("volatile ");
            join(quals, if base == "_Bool" && reader.has_bool() { "bool" } else { base }, name)
        }
        Kind::Nullptr => join(quals, "std::nullptr_t", name),
        Kind::Unexposed => declare_unexposed(reader, ty, name, quals, depth),
        _ => {
            let canonical = ty.get_canonical_type();
            if canonical == ty || canonical.get_kind() == Kind::Unexposed {
                join(Quals::default(), &ty.get_display_name(), name)
            } else {
                declare(reader, canonical, name, quals, depth + 1)
            }
        }
    }
}

/// The outer bound of an array type as it is displayed: of `Box<int[]>[N][2]` it is `N`.
fn first_bound(display: &str) -> Option<&str> {
    let (mut depth, mut start) = (0, None);
    for (at, c) in display.char_indices() {
        match c {
            '[' if depth == 0 => start = Some(at + 1),
            ']' if depth == 1 && start.is_some() => return display.get(start?..at),
            _ => {}
        }
        depth += i32::from(matches!(c, '[' | '<' | '(')) - i32::from(matches!(c, ']' | '>' | ')'));
    }
    None
}

/// Template specialisations, injected class names, `decltype`, parenthesised and attributed types, parameters.
fn declare_unexposed<'tu>(
    reader: &mut Reader<'tu>,
    ty: clang::Type<'tu>,
    name: &str,
    quals: Quals,
    depth: usize,
) -> String {
    let canonical = ty.get_canonical_type();
    if is_specialization(ty) {
        let base = record_spelling(reader, ty, depth);
        return join(quals, &base, name);
    }
    if canonical != ty && !matches!(canonical.get_kind(), Kind::Unexposed | Kind::Dependent) {
        return declare(reader, canonical, name, quals, depth + 1);
    }
    let display = ty.get_display_name();
    // The pattern of a pack is text: its qualifiers are nobody else's.
    if display.ends_with("...") {
        return join(Quals::default(), &display, name);
    }
    let bare = display.trim_start_matches("const ").trim_start_matches("volatile ").to_string();
    join(quals, &bare, name)
}

/// A typedef's name where it can be written anywhere, which a private one can't, else the type to spell instead.
fn typedef_name<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>) -> Result<String, clang::Type<'tu>> {
    let canonical = ty.get_canonical_type();
    let Some(declaration) = ty.get_declaration() else { return Err(canonical) };
    let dependent = matches!(canonical.get_kind(), Kind::Unexposed | Kind::Dependent);
    let reserved = declaration.get_name().is_none_or(|name| is_reserved(&name));
    let under = declaration.get_typedef_underlying_type();
    let mut scope = declaration.get_semantic_parent();
    let (mut local, mut in_template, mut reserved_scope, mut in_instance) = (false, false, false, false);
    let is_closed = |entity: Entity<'_>| access_of(entity).is_some_and(|access| access != Access::Public);
    // A name of the class's own; where it stands for what has no other, there is no way round it.
    let is_named = |entity: Entity<'_>| entity.get_name().is_some() && !entity.is_anonymous();
    let mut innermost = canonical;
    while let Some(inner) = innermost.get_pointee_type().or_else(|| innermost.get_element_type()) {
        innermost = inner;
    }
    let is_own = !dependent && is_closed(declaration) && innermost.get_declaration().is_none_or(is_named);
    while let Some(parent) = scope {
        use EntityKind::*;
        match parent.get_kind() {
            ClassTemplate | ClassTemplatePartialSpecialization => in_template = true,
            StructDecl | ClassDecl | UnionDecl => {
                in_instance |= parent.get_template().is_some();
                // Base classes of a standard library's containers have arguments that nobody writes.
                reserved_scope |= parent.get_name().is_some_and(|name| is_reserved(&name));
            }
            FunctionDecl | Method | Constructor | Destructor | FunctionTemplate | ConversionFunction => local = true,
            Namespace if !parent.is_inline_namespace() => {
                reserved_scope |= parent.get_name().is_some_and(|name| is_reserved(&name));
            }
            _ => {}
        }
        scope = parent.get_semantic_parent();
    }
    if reserved || local || reserved_scope || is_own {
        // Within an instantiation the underlying type may still be written in terms of the parameters.
        let usable = under.filter(|under| {
            !in_instance && !matches!(under.get_canonical_type().get_kind(), Kind::Unexposed | Kind::Dependent)
        });
        return Err(usable.unwrap_or(canonical));
    }
    if in_template {
        return if dependent {
            let name = spelled(reader, declaration, 0);
            Ok(if name.contains("::") { format!("typename {name}") } else { name })
        } else {
            Err(canonical)
        };
    }
    Ok(spelled(reader, declaration, 0))
}

fn record_spelling<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, depth: usize) -> String {
    let Some(declaration) = ty.get_declaration() else { return ty.get_display_name() };
    let args = arguments::template_args(reader, ty, depth);
    // A default that nobody can say is left to the template.
    if args.iter().any(|arg| matches!(arg, TemplateArg::Value(text) if text == "?")) {
        let display = ty.get_canonical_type().get_display_name();
        return display.trim_start_matches("const ").trim_start_matches("volatile ").to_owned();
    }
    spelled_with(reader, declaration, &args, depth)
}

/// A declaration's name with its scopes and, for a specialisation, its arguments.
pub(super) fn spelled<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, depth: usize) -> String {
    let args = match entity.get_type() {
        Some(ty) if is_class(entity.get_kind()) && depth <= DEEPEST => arguments::template_args(reader, ty, depth + 1),
        _ => Vec::new(),
    };
    spelled_with(reader, entity, &args, depth)
}

fn spelled_with<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, args: &[TemplateArg], depth: usize) -> String {
    let name = reader.own_name(entity);
    let scope = scope_spelling(reader, entity, depth);
    if name.is_empty()
        && let Some(holder) = holder_of(reader, entity)
    {
        return format!("decltype({scope}{holder})");
    }
    let tag = match entity.get_kind() {
        _ if reader.language != Language::C || name.is_empty() || reader.named_by_typedef(entity) => "",
        EntityKind::StructDecl => "struct ",
        EntityKind::UnionDecl => "union ",
        EntityKind::EnumDecl => "enum ",
        _ => "",
    };
    let name = if name.is_empty() { "(unnamed)".to_string() } else { name };
    let args = if args.is_empty() && entity.get_kind() == EntityKind::ClassTemplate {
        let params: Vec<String> = reader.template_params(entity).into_iter().map(|param| param.name).collect();
        params
    } else {
        args.iter().map(|arg| arg.text().to_owned()).collect()
    };
    tidy(&format!("{tag}{scope}{name}"), args)
}

/// The member or variable by which C++ can name the type of an enumeration without a name: `enum { ON, OFF } mode;`.
fn holder_of<'tu>(reader: &Reader<'tu>, entity: Entity<'tu>) -> Option<String> {
    if entity.get_kind() != EntityKind::EnumDecl || reader.language != Language::Cxx {
        return None;
    }
    // (With `const`, it would be another type.)
    let is_of_it = |ty: clang::Type<'tu>| {
        ty.get_canonical_type().get_declaration() == Some(entity)
            && !ty.is_const_qualified()
            && !ty.is_volatile_qualified()
    };
    let parent = entity.get_semantic_parent()?;
    let is_dependent =
        matches!(parent.get_kind(), EntityKind::ClassTemplate | EntityKind::ClassTemplatePartialSpecialization);
    if is_dependent || is_class(parent.get_kind()) && reader.own_name(parent).is_empty() {
        return None;
    }
    let beside = parent.get_children();
    let mut held =
        beside.into_iter().filter(|known| matches!(known.get_kind(), EntityKind::FieldDecl | EntityKind::VarDecl));
    held.find(|known| known.get_type().is_some_and(is_of_it))?.get_name()
}

/// The scopes of an entity with `::` behind each, template arguments included.
fn scope_spelling<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, depth: usize) -> String {
    let Some(parent) = entity.get_semantic_parent().filter(|_| depth <= DEEPEST) else { return String::new() };
    use EntityKind::*;
    match parent.get_kind() {
        Namespace => {
            let outer = scope_spelling(reader, parent, depth + 1);
            match parent.get_name().filter(|name| !name.is_empty() && !name.starts_with('(')) {
                Some(name) if !parent.is_inline_namespace() => format!("{outer}{name}::"),
                _ => outer,
            }
        }
        StructDecl | ClassDecl | UnionDecl | ClassTemplate | ClassTemplatePartialSpecialization => {
            if reader.own_name(parent).is_empty() {
                scope_spelling(reader, parent, depth + 1)
            } else {
                format!("{}::", spelled(reader, parent, depth + 1))
            }
        }
        EnumDecl | LinkageSpec | UnexposedDecl => scope_spelling(reader, parent, depth + 1),
        _ => String::new(),
    }
}

/// A base that a class names.
pub(super) fn base<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> Option<Base> {
    let ty = model_type(reader, entity.get_type()?);
    let access = access_of(entity).unwrap_or(Access::Public);
    Some(Base { ty, access, is_virtual: entity.is_virtual_base() })
}

pub(super) fn field<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> Field {
    let mut ty = match entity.get_type() {
        Some(ty) => model_type(reader, ty),
        None => Type::default(),
    };
    name_params(&mut ty.kind, entity);
    let name = entity.get_name().unwrap_or_default();
    Field {
        usr: reader.usr(entity),
        name: if name.contains('(') { String::new() } else { name },
        ty,
        access: access_of(entity).unwrap_or(Access::Public),
        offset_bits: entity.get_offset_of_field().ok().map(|offset| offset as u64),
        bit_width: entity.get_bit_field_width().map(|width| width as u32),
        is_static: false,
        is_mutable: entity.is_mutable(),
        is_initialized: false,
        definition: None,
    }
}

fn join(quals: Quals, base: &str, name: &str) -> String {
    let space = if name.is_empty() { "" } else { " " };
    format!("{}{base}{space}{name}", quals.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(parts: &[&str]) -> Vec<String> {
        parts.iter().map(|part| part.to_string()).collect()
    }

    #[test]
    fn the_standard_librarys_defaults_are_left_out() {
        let string = ["char", "std::char_traits<char>", "std::allocator<char>"];
        assert_eq!(tidy("std::basic_string", strings(&string)), "std::string");
        let map = ["int", "A", "std::less<int>", "std::allocator<std::pair<const int, A>>"];
        assert_eq!(tidy("std::map", strings(&map)), "std::map<int, A>");
        assert_eq!(tidy("std::unique_ptr", strings(&["A", "std::default_delete<A>"])), "std::unique_ptr<A>");
        assert_eq!(tidy("mine::map", strings(&map[..2])), "mine::map<int, A>");
        assert_eq!(tidy("std::pair", strings(&["int", "int"])), "std::pair<int, int>");
    }

    #[test]
    fn the_head_of_a_name_is_its_last_component() {
        assert_eq!(head("const std::vector<a::B>"), "vector");
        assert_eq!(head("T"), "T");
    }
}
