//! libclang's types to the model's: how they are spelled, so that the spelling can be pasted, and what they are.

use super::arguments::is_dependent;
use super::names::is_reserved;
use super::read::Reader;
use crate::model::{Language, ParamNames, Prim, TemplateArg, Type, TypeKind};
use clang::{Entity, EntityKind, ExceptionSpecification, TypeKind as Kind};

/// Deeper types than this are not described.
pub(super) const DEEPEST: usize = 16;

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

/// The arithmetic type of a canonical kind.
pub(super) fn prim(kind: Kind) -> Option<Prim> {
    Some(match kind {
        Kind::Bool => Prim::Bool,
        Kind::CharS | Kind::CharU => Prim::Char,
        Kind::SChar => Prim::SChar,
        Kind::UChar => Prim::UChar,
        Kind::WChar => Prim::WChar,
        Kind::Char16 => Prim::Char16,
        Kind::Char32 => Prim::Char32,
        Kind::Short => Prim::Short,
        Kind::UShort => Prim::UShort,
        Kind::Int => Prim::Int,
        Kind::UInt => Prim::UInt,
        Kind::Long => Prim::Long,
        Kind::ULong => Prim::ULong,
        Kind::LongLong => Prim::LongLong,
        Kind::ULongLong => Prim::ULongLong,
        Kind::Int128 => Prim::Int128,
        Kind::UInt128 => Prim::UInt128,
        Kind::Float => Prim::Float,
        Kind::Double => Prim::Double,
        Kind::LongDouble => Prim::LongDouble,
        _ => return None,
    })
}

pub(super) fn is_class(kind: EntityKind) -> bool {
    use EntityKind::*;
    matches!(kind, StructDecl | ClassDecl | UnionDecl | ClassTemplate | ClassTemplatePartialSpecialization)
}

impl<'tu> Reader<'tu> {
    /// A type for the model.
    pub(super) fn ty(&mut self, ty: clang::Type<'tu>) -> Type {
        self.ty_at(ty, 0)
    }

    pub(super) fn ty_at(&mut self, ty: clang::Type<'tu>, depth: usize) -> Type {
        if depth > DEEPEST {
            let spelling = ty.get_display_name();
            return Type { spelling, is_const: false, kind: TypeKind::Unknown("too deep".into()), size: None };
        }
        let spelling = self.declare(ty, "", Quals::default(), depth);
        let canonical = ty.get_canonical_type();
        let mut kind = self.kind_of(ty, canonical, depth);
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

    fn kind_of(&mut self, ty: clang::Type<'tu>, canonical: clang::Type<'tu>, depth: usize) -> TypeKind {
        let kind = canonical.get_kind();
        if let Some(prim) = prim(kind) {
            return if prim == Prim::UChar && canonical.get_display_name().ends_with("char8_t") {
                TypeKind::Prim(Prim::Char8)
            } else {
                TypeKind::Prim(prim)
            };
        }
        let outer = structural(ty, 0);
        let inner = |reader: &mut Self, ty: Option<clang::Type<'tu>>| match ty {
            Some(ty) => Box::new(reader.ty_at(ty, depth + 1)),
            None => Box::new(unknown("no pointee")),
        };
        match kind {
            Kind::Void => TypeKind::Void,
            Kind::Nullptr => TypeKind::NullPtr,
            Kind::Pointer => TypeKind::Pointer(inner(self, outer.get_pointee_type())),
            Kind::LValueReference => TypeKind::LvalueRef(inner(self, outer.get_pointee_type())),
            Kind::RValueReference => TypeKind::RvalueRef(inner(self, outer.get_pointee_type())),
            Kind::ConstantArray => {
                TypeKind::Array(inner(self, outer.get_element_type()), canonical.get_size().map(|size| size as u64))
            }
            Kind::IncompleteArray => TypeKind::Array(inner(self, outer.get_element_type()), None),
            Kind::FunctionPrototype | Kind::FunctionNoPrototype => TypeKind::Function {
                result: inner(self, outer.get_result_type()),
                params: outer
                    .get_argument_types()
                    .unwrap_or_default()
                    .into_iter()
                    .map(|param| self.ty_at(param, depth + 1))
                    .collect(),
                is_variadic: outer.is_variadic() && kind == Kind::FunctionPrototype,
                is_noexcept: is_noexcept(outer),
                names: ParamNames::default(),
            },
            Kind::MemberPointer => TypeKind::MemberPointer,
            Kind::Enum => match canonical.get_declaration() {
                Some(declaration) => {
                    self.installed_enumeration(declaration);
                    TypeKind::Enum(self.usr(declaration))
                }
                None => TypeKind::Unknown("an enumeration without declaration".into()),
            },
            _ => match canonical.get_declaration() {
                Some(declaration) if is_class(declaration.get_kind()) => self.record(ty, canonical, declaration, depth),
                Some(template) if template.get_kind() == EntityKind::TemplateTemplateParameter => {
                    let written = applied(ty, 0).unwrap_or(canonical);
                    let args = self.template_args(written, depth);
                    let named = written.get_declaration().unwrap_or(template);
                    // What class that comes to, the parameter's argument says.
                    TypeKind::Record { usr: String::new(), name: named.get_name().unwrap_or_default(), args }
                }
                _ if matches!(kind, Kind::Unexposed | Kind::Dependent | Kind::DependentSizedArray) => {
                    let name = canonical.get_display_name();
                    if name.starts_with("_Atomic") || name.starts_with("_Complex") || name.starts_with("_BitInt") {
                        TypeKind::Unknown(name)
                    } else {
                        TypeKind::Dependent(ty.get_display_name())
                    }
                }
                _ => TypeKind::Unknown(format!("{kind:?}")),
            },
        }
    }

    fn record(
        &mut self,
        ty: clang::Type<'tu>,
        canonical: clang::Type<'tu>,
        declaration: Entity<'tu>,
        depth: usize,
    ) -> TypeKind {
        let primary = self.primary(declaration);
        let usr = self.usr(primary);
        let name = self.qualified(primary);
        let mut args = self.template_args(canonical, depth);
        let mut outer = 0;
        if args.is_empty() {
            args = self.enclosing_args(ty, declaration, depth);
        } else {
            // What is nested in a template has the arguments of that in front of its own.
            let around = self.outer_args(declaration, depth);
            outer = around.len();
            args.splice(..0, around);
        }
        let dependent = args.iter().any(is_dependent);
        if args.is_empty() && !self.is_project(primary) {
            self.foreign(primary);
        }
        // (A value that is a default need not be known.)
        let is_open = canonical.get_sizeof() == Err(clang::SizeofError::Dependent)
            || args.iter().any(|arg| matches!(arg, TemplateArg::Type(_)) && is_dependent(arg));
        let instance = if args.is_empty() || is_open { None } else { self.installed_instance(canonical, declaration) };
        let usr = instance.unwrap_or(usr);
        let is_local = args.iter().any(super::arguments::is_local);
        if !args.is_empty() && self.is_project(primary) && !dependent && !is_local {
            self.instantiated(usr.clone(), args.clone());
        }
        // As written the arguments keep their typedefs, and a template's parameters their names.
        if let Some(written) = specialization(ty, 0).filter(|_| !args.is_empty()) {
            let written = self.template_args(written, depth);
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
    fn declare(&mut self, ty: clang::Type<'tu>, name: &str, quals: Quals, depth: usize) -> String {
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
        let pointer = |reader: &mut Self, mark: &str, pointee: Option<clang::Type<'tu>>| match pointee {
            Some(pointee) => {
                let own = quals.text();
                let inner =
                    if name.is_empty() { format!("{mark}{}", own.trim_end()) } else { format!("{mark}{own}{name}") };
                reader.declare(pointee, &bracketed(inner, pointee), Quals::default(), depth + 1)
            }
            None => ty.get_display_name(),
        };
        match ty.get_kind() {
            Kind::Pointer => pointer(self, "*", ty.get_pointee_type()),
            Kind::LValueReference => pointer(self, "&", ty.get_pointee_type()),
            Kind::RValueReference => pointer(self, "&&", ty.get_pointee_type()),
            Kind::MemberPointer => {
                let class = ty.get_class_type().map(|class| self.declare(class, "", Quals::default(), depth + 1));
                pointer(self, &format!("{}::*", class.unwrap_or_default()), ty.get_pointee_type())
            }
            Kind::ConstantArray | Kind::IncompleteArray => match ty.get_element_type() {
                Some(element) => {
                    let size = ty.get_size().map(|size| size.to_string()).unwrap_or_default();
                    self.declare(element, &format!("{name}[{size}]"), quals, depth + 1)
                }
                None => ty.get_display_name(),
            },
            Kind::FunctionPrototype | Kind::FunctionNoPrototype => {
                let mut params: Vec<String> = ty
                    .get_argument_types()
                    .unwrap_or_default()
                    .into_iter()
                    .map(|param| self.declare(param, "", Quals::default(), depth + 1))
                    .collect();
                // What says nothing of its parameters counts as one that takes any.
                if ty.is_variadic() && ty.get_kind() == Kind::FunctionPrototype {
                    params.push("...".into());
                }
                if params.is_empty() && self.language == Language::C && ty.get_kind() == Kind::FunctionPrototype {
                    params.push("void".into());
                }
                let noexcept = if is_noexcept(ty) { " noexcept" } else { "" };
                let inner = format!("{name}({}){noexcept}", params.join(", "));
                match ty.get_result_type() {
                    Some(result) => self.declare(result, &inner, Quals::default(), depth + 1),
                    None => ty.get_display_name(),
                }
            }
            Kind::Elaborated => match ty.get_elaborated_type() {
                Some(named) => self.declare(named, name, quals, depth + 1),
                None => ty.get_display_name(),
            },
            Kind::Typedef => match self.typedef_name(ty) {
                Ok(base) => join(quals, &base, name),
                Err(underlying) => self.declare(underlying, name, quals, depth + 1),
            },
            Kind::Enum | Kind::Record => {
                let base = self.record_spelling(ty, depth);
                join(quals, &base, name)
            }
            kind if prim(kind).is_some() || kind == Kind::Void => {
                let display = ty.get_display_name();
                let base = display.trim_start_matches("const ").trim_start_matches("volatile ");
                join(quals, if base == "_Bool" { "bool" } else { base }, name)
            }
            Kind::Nullptr => join(quals, "std::nullptr_t", name),
            Kind::Unexposed => self.declare_unexposed(ty, name, quals, depth),
            _ => {
                let canonical = ty.get_canonical_type();
                if canonical == ty || canonical.get_kind() == Kind::Unexposed {
                    join(Quals::default(), &ty.get_display_name(), name)
                } else {
                    self.declare(canonical, name, quals, depth + 1)
                }
            }
        }
    }

    /// Template specialisations, injected class names, `decltype`, parenthesised and attributed types, parameters.
    fn declare_unexposed(&mut self, ty: clang::Type<'tu>, name: &str, quals: Quals, depth: usize) -> String {
        let canonical = ty.get_canonical_type();
        if is_specialization(ty) {
            let base = self.record_spelling(ty, depth);
            return join(quals, &base, name);
        }
        if canonical != ty && !matches!(canonical.get_kind(), Kind::Unexposed | Kind::Dependent) {
            return self.declare(canonical, name, quals, depth + 1);
        }
        let display = ty.get_display_name();
        // The pattern of a pack is text: its qualifiers are nobody else's.
        if display.ends_with("...") {
            return join(Quals::default(), &display, name);
        }
        let bare = display.trim_start_matches("const ").trim_start_matches("volatile ").to_string();
        join(quals, &bare, name)
    }

    /// A typedef's name where it can be written anywhere, else the type to spell instead.
    fn typedef_name(&mut self, ty: clang::Type<'tu>) -> Result<String, clang::Type<'tu>> {
        let canonical = ty.get_canonical_type();
        let Some(declaration) = ty.get_declaration() else { return Err(canonical) };
        let dependent = matches!(canonical.get_kind(), Kind::Unexposed | Kind::Dependent);
        let reserved = declaration.get_name().is_none_or(|name| is_reserved(&name));
        let under = declaration.get_typedef_underlying_type();
        let mut scope = declaration.get_semantic_parent();
        let (mut local, mut in_template, mut reserved_scope, mut in_instance) = (false, false, false, false);
        while let Some(parent) = scope {
            use EntityKind::*;
            match parent.get_kind() {
                ClassTemplate | ClassTemplatePartialSpecialization => in_template = true,
                StructDecl | ClassDecl | UnionDecl => {
                    in_instance |= parent.get_template().is_some();
                    // What a standard library has its containers made of, with arguments that nobody writes.
                    reserved_scope |= parent.get_name().is_some_and(|name| is_reserved(&name));
                }
                FunctionDecl | Method | Constructor | Destructor | FunctionTemplate | ConversionFunction => {
                    local = true
                }
                Namespace if !parent.is_inline_namespace() => {
                    reserved_scope |= parent.get_name().is_some_and(|name| is_reserved(&name));
                }
                _ => {}
            }
            scope = parent.get_semantic_parent();
        }
        if reserved || local || reserved_scope {
            // Within an instantiation the underlying type may still be written in terms of the parameters.
            let usable = under.filter(|under| {
                !in_instance && !matches!(under.get_canonical_type().get_kind(), Kind::Unexposed | Kind::Dependent)
            });
            return Err(usable.unwrap_or(canonical));
        }
        if in_template {
            return if dependent {
                let name = self.spelled(declaration, 0);
                Ok(if name.contains("::") { format!("typename {name}") } else { name })
            } else {
                Err(canonical)
            };
        }
        Ok(self.spelled(declaration, 0))
    }

    fn record_spelling(&mut self, ty: clang::Type<'tu>, depth: usize) -> String {
        let Some(declaration) = ty.get_declaration() else { return ty.get_display_name() };
        let args = self.template_args(ty, depth);
        // A default that nobody can say is left to the template.
        if args.iter().any(|arg| matches!(arg, TemplateArg::Value(text) if text == "?")) {
            let display = ty.get_canonical_type().get_display_name();
            return display.trim_start_matches("const ").trim_start_matches("volatile ").to_owned();
        }
        self.spelled_with(declaration, &args, depth)
    }

    /// A declaration's name with its scopes and, for a specialisation, its arguments.
    pub(super) fn spelled(&mut self, entity: Entity<'tu>, depth: usize) -> String {
        let args = match entity.get_type() {
            Some(ty) if is_class(entity.get_kind()) && depth <= DEEPEST => self.template_args(ty, depth + 1),
            _ => Vec::new(),
        };
        self.spelled_with(entity, &args, depth)
    }

    fn spelled_with(&mut self, entity: Entity<'tu>, args: &[TemplateArg], depth: usize) -> String {
        let name = self.own_name(entity);
        let scope = self.scope_spelling(entity, depth);
        let tag = match entity.get_kind() {
            _ if self.language != Language::C || name.is_empty() || self.named_by_typedef(entity) => "",
            EntityKind::StructDecl => "struct ",
            EntityKind::UnionDecl => "union ",
            EntityKind::EnumDecl => "enum ",
            _ => "",
        };
        let name = if name.is_empty() { "(unnamed)".to_string() } else { name };
        let args = if args.is_empty() && entity.get_kind() == EntityKind::ClassTemplate {
            let params: Vec<String> = self.template_params(entity).into_iter().map(|param| param.name).collect();
            params
        } else {
            args.iter().map(arg_text).collect()
        };
        tidy(&format!("{tag}{scope}{name}"), args)
    }

    /// The scopes of an entity with `::` behind each, template arguments included.
    fn scope_spelling(&mut self, entity: Entity<'tu>, depth: usize) -> String {
        let Some(parent) = entity.get_semantic_parent().filter(|_| depth <= DEEPEST) else { return String::new() };
        use EntityKind::*;
        match parent.get_kind() {
            Namespace => {
                let outer = self.scope_spelling(parent, depth + 1);
                match parent.get_name().filter(|name| !name.is_empty() && !name.starts_with('(')) {
                    Some(name) if !parent.is_inline_namespace() => format!("{outer}{name}::"),
                    _ => outer,
                }
            }
            StructDecl | ClassDecl | UnionDecl | ClassTemplate | ClassTemplatePartialSpecialization => {
                if self.own_name(parent).is_empty() {
                    self.scope_spelling(parent, depth + 1)
                } else {
                    format!("{}::", self.spelled(parent, depth + 1))
                }
            }
            EnumDecl | LinkageSpec | UnexposedDecl => self.scope_spelling(parent, depth + 1),
            _ => String::new(),
        }
    }
}

fn unknown(why: &str) -> Type {
    Type { spelling: String::new(), is_const: false, kind: TypeKind::Unknown(why.into()), size: None }
}

fn join(quals: Quals, base: &str, name: &str) -> String {
    let space = if name.is_empty() { "" } else { " " };
    format!("{}{base}{space}{name}", quals.text())
}

/// The last component of a type's display name, without qualifiers and arguments.
pub(super) fn head(display: &str) -> &str {
    let mut depth = 0;
    let mut end = display.len();
    for (at, c) in display.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => {
                depth -= 1;
                if depth == 0 {
                    end = at;
                    break;
                }
            }
            _ => {}
        }
    }
    let plain = &display[..end];
    plain.rsplit([':', ' ']).next().unwrap_or(plain)
}

/// Whether a function type says that it throws nothing: part of the type since C++17 (P0012), and compared where it stands before.
fn is_noexcept(ty: clang::Type<'_>) -> bool {
    use ExceptionSpecification::{BasicNoexcept, ComputedNoexcept, DynamicNone};
    let said = ty.get_exception_specification().or_else(|| ty.get_canonical_type().get_exception_specification());
    matches!(said, Some(BasicNoexcept | ComputedNoexcept | DynamicNone))
}

/// The alias nearest to a function type, or to a pointer to one, that `ty` is written by.
fn aliased_function(ty: clang::Type<'_>) -> Option<Entity<'_>> {
    let ty = match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type()?,
        _ => ty,
    };
    let alias = ty.get_declaration().filter(|_| ty.get_kind() == Kind::Typedef)?;
    let under = alias.get_typedef_underlying_type()?;
    aliased_function(under).or(Some(alias))
}

/// Gives the parameters of a function type, or of what a pointer to one calls, the names that they have where `written` spells it.
pub(super) fn name_params(kind: &mut TypeKind, written: Entity<'_>) {
    let function = match kind {
        TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => &mut to.kind,
        kind => kind,
    };
    if let TypeKind::Function { params, names, .. } = function
        && names.is_empty()
    {
        let told = written.get_children().into_iter().filter(|child| child.get_kind() == EntityKind::ParmDecl);
        let told: Vec<String> = told.map(|param| param.get_name().unwrap_or_default()).collect();
        if told.len() == params.len() {
            *names = ParamNames(told);
        }
    }
}

/// A type without typedefs and other sugar around it, but with the sugar inside kept.
fn structural(ty: clang::Type<'_>, depth: usize) -> clang::Type<'_> {
    let canonical = ty.get_canonical_type();
    let same = |other: clang::Type<'_>| other.get_canonical_type().get_kind() == canonical.get_kind();
    let under = match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type(),
        Kind::Typedef => ty.get_declaration().and_then(|declaration| declaration.get_typedef_underlying_type()),
        kind if kind == canonical.get_kind() => return ty,
        _ => None,
    };
    match under {
        // Within an instantiation a typedef may stand for a type written in terms of the parameters.
        Some(under) if depth < DEEPEST && same(under) && (!mentions_parameters(under) || mentions_parameters(ty)) => {
            structural(under, depth + 1)
        }
        _ => canonical,
    }
}

/// `name<arguments>` of a class template, as written; no alias of one.
fn is_specialization(ty: clang::Type<'_>) -> bool {
    ty.get_template_argument_types().is_some_and(|args| !args.is_empty())
        && ty.get_declaration().is_some_and(|declaration| {
            is_class(declaration.get_kind())
                && head(&ty.get_display_name()) == declaration.get_name().unwrap_or_default()
        })
}

/// The specialisation that a type was written as, behind typedefs.
fn specialization(ty: clang::Type<'_>, depth: usize) -> Option<clang::Type<'_>> {
    let under = match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type(),
        Kind::Typedef => ty
            .get_declaration()
            .and_then(|declaration| declaration.get_typedef_underlying_type())
            .filter(|under| !mentions_parameters(*under) || mentions_parameters(ty)),
        Kind::Unexposed if is_specialization(ty) => return Some(ty),
        _ => None,
    };
    specialization(under.filter(|_| depth < DEEPEST)?, depth + 1)
}

/// The parameter that a typedef within its template is another name for.
fn parameter_behind(ty: clang::Type<'_>, depth: usize) -> Option<clang::Type<'_>> {
    let under = match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type(),
        Kind::Typedef => ty.get_declaration().and_then(|declaration| declaration.get_typedef_underlying_type()),
        _ if depth > 0 && ty.get_canonical_type().get_display_name().contains("type-parameter-") => {
            let name = ty.get_display_name();
            let bare = name.trim_start_matches("const ");
            return bare.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(ty);
        }
        _ => None,
    };
    parameter_behind(under.filter(|_| depth < DEEPEST)?, depth + 1)
}

/// The type with arguments that a typedef is another name for.
fn applied(ty: clang::Type<'_>, depth: usize) -> Option<clang::Type<'_>> {
    let under = match ty.get_kind() {
        Kind::Elaborated => ty.get_elaborated_type(),
        Kind::Typedef => ty.get_declaration().and_then(|declaration| declaration.get_typedef_underlying_type()),
        _ => return ty.get_template_argument_types().filter(|args| !args.is_empty()).map(|_| ty),
    };
    applied(under.filter(|_| depth < DEEPEST)?, depth + 1)
}

fn mentions_parameters(ty: clang::Type<'_>) -> bool {
    ty.get_sizeof() == Err(clang::SizeofError::Dependent)
        || ty
            .get_pointee_type()
            .or_else(|| ty.get_element_type())
            .is_some_and(|inner| inner.get_sizeof() == Err(clang::SizeofError::Dependent))
}

fn arg_text(arg: &TemplateArg) -> String {
    match arg {
        TemplateArg::Type(ty) => ty.spelling.clone(),
        TemplateArg::Value(text) => text.clone(),
    }
}

/// `name<args>`, the standard library's default arguments left out and its usual short names used.
fn tidy(name: &str, mut args: Vec<String>) -> String {
    if args.is_empty() {
        return name.to_string();
    }
    if name.starts_with("std::") {
        use crate::types::library::row;
        let (first, row) = (args[0].clone(), row(None, name));
        let of_row = row.iter().flat_map(|row| &row.default_arguments);
        let own: Vec<String> = of_row.map(|text| text.replace("$1", &first)).collect();
        // An allocator, an order: of the first argument, or (of a map) of what is made of it.
        let is_usual = |last: &str| {
            let Some((head, of)) = last.split_once('<') else { return false };
            let stands_in = crate::types::library::row(None, head).is_some_and(|row| row.default_argument);
            stands_in && (of.strip_suffix('>') == Some(&first) || head.ends_with("::allocator"))
        };
        while args.len() > 1 && args.last().is_some_and(|last| is_usual(last) || own.contains(last)) {
            args.pop();
        }
        if args.len() == 1
            && let Some(short) = short_name(name, &args[0])
        {
            return short;
        }
    }
    format!("{name}<{}>", args.join(", "))
}

/// `std::string` for `std::basic_string<char>` and its like.
fn short_name(name: &str, char_type: &str) -> Option<String> {
    let rest = name.strip_prefix("std::basic_")?;
    let prefix = match char_type {
        "char" => "",
        "wchar_t" => "w",
        "char8_t" if rest.starts_with("string") => "u8",
        "char16_t" if rest.starts_with("string") => "u16",
        "char32_t" if rest.starts_with("string") => "u32",
        _ => return None,
    };
    Some(format!("std::{prefix}{rest}"))
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
