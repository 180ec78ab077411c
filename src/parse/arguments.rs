//! The arguments of templates: as written, as they default, and where a type has none of its own.

use super::reader::{Reader, class_around};
use super::type_shapes::{DEEPEST, head};
use super::types;
use crate::model::{Language, TemplateArg, TemplateParam, TemplateParamKind, Type, TypeKind};
use clang::{Entity, EntityKind};

/// What stands for the parameters of a template where a type has no arguments of its own: within a template its name
/// alone means the template's own parameters, and a class nested in a template depends on the arguments of that.
pub(super) fn enclosing_args<'tu>(
    reader: &mut Reader<'tu>,
    ty: clang::Type<'tu>,
    declaration: Entity<'tu>,
    depth: usize,
) -> Vec<TemplateArg> {
    if depth > DEEPEST || reader.language == Language::C {
        return Vec::new();
    }
    let display = ty.get_canonical_type().get_display_name();
    let name = declaration.get_name().unwrap_or_default();
    let is_open = ty.get_canonical_type().get_sizeof() == Err(clang::SizeofError::Dependent);
    if is_open && head(&display) == name && display.ends_with('>') {
        return split_args(&display).into_iter().map(parameter).collect();
    }
    outer_args(reader, declaration, depth)
}

/// The arguments of the templates that a class is nested in, the outermost first.
pub(super) fn outer_args<'tu>(reader: &mut Reader<'tu>, declaration: Entity<'tu>, depth: usize) -> Vec<TemplateArg> {
    let parent = class_around(declaration);
    let Some(parent) = parent.filter(|_| depth <= DEEPEST && reader.language != Language::C) else {
        return Vec::new();
    };
    if parent.get_kind() == EntityKind::ClassTemplate {
        let mut args = outer_args(reader, parent, depth + 1);
        args.extend(reader.template_params(parent).into_iter().map(|param| parameter(param.name)));
        return args;
    }
    match parent.get_type() {
        // (As a type it is noted as an instantiation.)
        Some(outer) => match types::model_type_at(reader, outer, depth + 1).kind {
            TypeKind::Record { args, .. } => args,
            _ => Vec::new(),
        },
        None => Vec::new(),
    }
}

/// The template of a type, not a partial specialisation of it.
fn primary(declaration: Entity<'_>) -> Entity<'_> {
    let template = declaration.get_template().unwrap_or(declaration);
    template.get_template().unwrap_or(template)
}

/// The qualified name of a template or constant that is the default of a template's parameter: what is written there
/// names it from where the parameter stands.
fn default_name<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, index: usize, text: &str) -> Option<String> {
    let primary = primary(ty.get_declaration()?);
    use EntityKind::{NonTypeTemplateParameter, TemplateTemplateParameter, TemplateTypeParameter};
    let is_param = |kind| matches!(kind, TemplateTypeParameter | NonTypeTemplateParameter | TemplateTemplateParameter);
    let children = primary.get_children().into_iter();
    let param = children.filter(|child| is_param(child.get_kind())).nth(index)?;
    let names = match param.get_kind() {
        TemplateTemplateParameter => EntityKind::TemplateRef,
        _ => EntityKind::DeclRefExpr,
    };
    let mut names = param.get_children().into_iter().filter(|child| child.get_kind() == names);
    let named = names.find_map(|child| child.get_reference().filter(|to| to.get_name().as_deref() == Some(text)))?;
    Some(reader.qualified(named))
}

/// The template arguments of a specialisation; empty for everything else.
pub(super) fn template_args<'tu>(reader: &mut Reader<'tu>, ty: clang::Type<'tu>, depth: usize) -> Vec<TemplateArg> {
    let written = ty;
    let Some(types) = ty.get_template_argument_types() else { return Vec::new() };
    if types.is_empty() {
        return Vec::new();
    }
    let (mut values, mut defaults) = (Vec::new(), Vec::new());
    if types.iter().any(Option::is_none) {
        // libclang gives no values, and clang leaves out what is the default.
        values = split_args(&ty.get_display_name());
        // `sizeof(Node)` or a name says nothing outside its scope: the canonical type has what it comes to.
        if values.iter().zip(&types).any(|(text, ty)| ty.is_none() && !is_plain_value(text)) {
            let canonical = split_args(&ty.get_canonical_type().get_display_name());
            for (index, text) in values.iter_mut().enumerate() {
                if types.get(index).is_some_and(Option::is_none)
                    && !is_plain_value(text)
                    && let Some(value) = canonical.get(index)
                {
                    text.clone_from(value);
                }
            }
        }
        if values.len() < types.len()
            && let Some(declaration) = ty.get_declaration()
        {
            defaults = reader.template_params(primary(declaration));
        }
    }
    types
        .into_iter()
        .enumerate()
        .map(|(index, ty)| match ty {
            Some(ty) => TemplateArg::Type(types::model_type_at(reader, ty, depth + 1)),
            None => {
                let value = match values.get(index) {
                    Some(value) => value.clone(),
                    None => default_value(&defaults, index).unwrap_or_else(|| "?".into()),
                };
                let is_name = value.chars().all(|c| c.is_alphanumeric() || c == '_') && !is_plain_value(&value);
                let named = is_name.then(|| default_name(reader, written, index, &value)).flatten();
                TemplateArg::Value(named.unwrap_or(value))
            }
        })
        .collect()
}

/// Whether a partial specialisation is for more than the types of its pattern tell: a constraint, or an argument that
/// says by way of its parameters whether it is one (`std::void_t<decltype(T::x)>`).
pub(super) fn is_conditional<'tu>(
    reader: &mut Reader<'tu>,
    entity: Entity<'tu>,
    params: &[TemplateParam],
    pattern: &[TemplateArg],
) -> bool {
    let Some((extent, text, _)) = reader.extent(entity) else { return true };
    let head = String::from_utf8_lossy(text.slice(extent.start, extent.end)).into_owned();
    let head = head.split('{').next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let says = |text: &str, word: &str| text.split(|c| !is_part(c)).any(|part| part == word);
    let is_constrained = |param: &TemplateParam| {
        let begins = |word: &str| param.text.trim_start().starts_with(word);
        param.kind == TemplateParamKind::Type && !begins("typename") && !begins("class")
    };
    let named = head.rfind(&reader.own_name(entity)).map_or("", |at| &head[at..]);
    let written = split_args(named.split(" : ").next().unwrap_or_default());
    let hides = |(written, arg): (&String, &TemplateArg)| {
        let is_open = match arg {
            TemplateArg::Type(_) => is_dependent(arg),
            TemplateArg::Value(text) => params.iter().any(|param| says(text, &param.name)),
        };
        !is_open && params.iter().any(|param| !param.name.is_empty() && says(written, &param.name))
    };
    says(head, "requires") || params.iter().any(is_constrained) || written.iter().zip(pattern).any(hides)
}

/// The arguments between the last outermost `<` and `>` of a type's display name.
pub(super) fn split_args(display: &str) -> Vec<String> {
    let (mut depth, mut start, mut parts, mut last) = (0i32, 0, Vec::new(), Vec::new());
    for (at, c) in display.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => {
                depth += 1;
                if depth == 1 {
                    parts = Vec::new();
                    start = at + 1;
                }
            }
            '>' | ')' | ']' | '}' if !display[..at].ends_with('-') => {
                depth -= 1;
                if depth == 0 && c == '>' {
                    parts.push(display[start..at].trim().to_string());
                    last = std::mem::take(&mut parts);
                }
            }
            ',' if depth == 1 => {
                parts.push(display[start..at].trim().to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    if last == [""] { Vec::new() } else { last }
}

/// Whether an argument still depends on a template's parameters.
pub(super) fn is_dependent(arg: &TemplateArg) -> bool {
    match arg {
        TemplateArg::Type(ty) => {
            // Of a template that is a parameter there is no USR.
            ty.any(|part| matches!(part.kind, TypeKind::Dependent(_)) || part.record().is_some_and(String::is_empty))
        }
        TemplateArg::Value(text) => text == "?",
    }
}

/// Whether an argument is a class that only one function knows.
pub(super) fn is_local(arg: &TemplateArg) -> bool {
    let is_local = |part: &Type| {
        let (TypeKind::Record { usr, .. } | TypeKind::Enum(usr)) = &part.kind else { return false };
        usr.contains("@F@") || usr.contains("@FT@")
    };
    arg.ty().is_some_and(|ty| ty.any(is_local))
}

/// A template's parameter as the argument that it is within the template.
fn parameter(name: String) -> TemplateArg {
    TemplateArg::Type(Type::new(name.clone(), TypeKind::Dependent(name)))
}

/// The default of a template's parameter, where it can be written outside the template.
fn default_value(params: &[TemplateParam], index: usize) -> Option<String> {
    let text = params.get(index)?.default.clone()?;
    let words = crate::lex::tokens(text.as_bytes());
    let names_another = words.iter().any(|word| params.iter().any(|param| word.is(text.as_bytes(), &param.name)));
    (!names_another).then_some(text)
}

/// A number, a character, a truth value: the same wherever it is written.
fn is_plain_value(text: &str) -> bool {
    matches!(text, "true" | "false" | "nullptr") || text.starts_with(|c: char| c.is_ascii_digit() || "-'&".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_argument_list_of_a_name_is_split_at_its_own_commas() {
        assert_eq!(split_args("const a::B<int, C<x, 3>>"), ["int", "C<x, 3>"]);
        assert_eq!(split_args("A<1>::B<void (int, int), 'c'>"), ["void (int, int)", "'c'"]);
        assert!(split_args("int").is_empty());
    }
}
