//! Names, scopes and USRs of libclang's entities.

use super::reader::{Reader, access_of};
use super::type_shapes::is_class;
use crate::lex::{Kind, Token};
use crate::model::{Class, ClassKind, Scope, TemplateParam, TemplateParamKind, Usr};
use clang::{Entity, EntityKind};
use std::rc::Rc;

/// Whether a name is the implementation's: two underscores in front, or one and a capital.
pub(super) fn is_reserved(name: &str) -> bool {
    name.starts_with("__")
        || name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether the entity is a function of any sort.
pub(super) fn is_function(kind: EntityKind) -> bool {
    use EntityKind::*;
    matches!(kind, FunctionDecl | Method | Constructor | Destructor | ConversionFunction | FunctionTemplate)
}

/// The USR of an unnamed structure or union with its place behind it, where it is not the first in its class: clang has
/// one USR for all of them.
fn told_apart(entity: Entity<'_>, usr: Usr) -> Usr {
    let is_unnamed = is_class(entity.get_kind()) && (usr.ends_with("@Ua") || usr.ends_with("@Sa"));
    let Some(around) = entity.get_semantic_parent().filter(|_| is_unnamed) else { return usr };
    let is_alike = |other: &Entity<'_>| other.get_usr().is_some_and(|other| other.0 == usr);
    let here = entity.get_location();
    let place = around.get_children().into_iter().filter(is_alike).position(|other| other.get_location() == here);
    match place {
        Some(place @ 1..) => format!("{usr}{place}"),
        _ => usr,
    }
}

impl<'tu> Reader<'tu> {
    /// The entity's USR; empty where clang has none.
    pub(super) fn usr(&mut self, entity: Entity<'tu>) -> Usr {
        if let Some(usr) = self.usrs.get(&entity) {
            return usr.to_string();
        }
        let raw = entity.get_usr().map(|usr| usr.0).unwrap_or_default();
        let mut usr = told_apart(entity, raw.clone());
        // What is in one that has another USR has another as well.
        if let Some(around) = entity.get_semantic_parent().filter(|_| raw.contains("@Ua") || raw.contains("@Sa"))
            && is_class(around.get_kind())
        {
            let own = around.get_usr().map(|usr| usr.0).unwrap_or_default();
            let behind = usr.strip_prefix(own.as_str()).filter(|_| !own.is_empty()).map(str::to_owned);
            usr = behind.map_or(usr, |behind| self.usr(around) + &behind);
        }
        let usr: Rc<str> = usr.into();
        self.usrs.insert(entity, usr.clone());
        usr.to_string()
    }

    /// For what was instantiated from a template: the template. Explicit specialisations are their own.
    pub(super) fn primary(&mut self, entity: Entity<'tu>) -> Entity<'tu> {
        if let Some(known) = self.primaries.get(&entity) {
            return *known;
        }
        let mut primary = entity;
        for _ in 0..8 {
            let Some(template) = primary.get_template() else { break };
            let place = |entity: Entity<'tu>| {
                let location = entity.get_location()?.get_expansion_location();
                Some((location.file?.get_id(), location.offset))
            };
            // Where an instantiation stands depends on clang's version: at the template's declaration or definition.
            let here = place(primary);
            let same = here == place(template) || template.get_definition().is_some_and(|own| here == place(own));
            if !same && !self.is_explicit_instantiation(primary) {
                break;
            }
            primary = template;
        }
        self.primaries.insert(entity, primary);
        primary
    }

    /// `template class Foo<int>;`, told from a specialisation by the missing `<` behind `template`. Before that stand
    /// `extern` and macros of the project; where a macro writes all of it, a specialisation has members or a body.
    pub(super) fn is_explicit_instantiation(&mut self, entity: Entity<'tu>) -> bool {
        if entity.get_template().is_none() {
            return false;
        }
        let Some((extent, text, in_macro)) = self.extent(entity) else {
            return false;
        };
        let bytes = text.bytes();
        let is_before = |token: &&Token| token.kind == Kind::Word && !token.is(bytes, "template");
        let mut tokens = text.tokens_in(extent.start, extent.end).iter().skip_while(is_before);
        if tokens.next().is_some_and(|token| token.is(bytes, "template")) {
            return tokens.next().is_some_and(|token| !token.is(bytes, "<"));
        }
        let is_of_body = |child: &Entity<'_>| {
            use EntityKind::*;
            let kind = child.get_kind();
            is_function(kind)
                || is_class(kind)
                || matches!(kind, UsingDeclaration | FriendDecl)
                || matches!(kind, BaseSpecifier | FieldDecl | VarDecl | CompoundStmt | EnumDecl)
                || matches!(kind, TypedefDecl | TypeAliasDecl)
        };
        in_macro && !entity.get_children().iter().any(is_of_body)
    }

    /// The entity's own name: for an unnamed tag the typedef's that names it, else empty.
    pub(super) fn own_name(&self, entity: Entity<'tu>) -> String {
        let name = entity.get_name().unwrap_or_default();
        let unnamed = name.is_empty() || name.contains('(') && !is_function(entity.get_kind());
        if unnamed && (is_class(entity.get_kind()) || entity.get_kind() == EntityKind::EnumDecl) {
            let display = entity.get_type().map(|ty| ty.get_display_name()).unwrap_or_default();
            let display = ["struct ", "union ", "enum ", "class "]
                .iter()
                .find_map(|tag| display.strip_prefix(tag))
                .unwrap_or(&display);
            return if display.contains('(') { String::new() } else { last_component(display).to_string() };
        }
        match entity.get_kind() {
            EntityKind::Constructor | EntityKind::Destructor | EntityKind::FunctionTemplate => without_arguments(&name),
            _ if unnamed && entity.get_kind() == EntityKind::Namespace => String::new(),
            _ => name,
        }
    }

    /// Whether an unnamed tag owes its name to a typedef.
    pub(super) fn named_by_typedef(&self, entity: Entity<'tu>) -> bool {
        let Some(ty) = entity.get_type() else { return false };
        let display = ty.get_display_name();
        (is_class(entity.get_kind()) || entity.get_kind() == EntityKind::EnumDecl)
            && !["struct ", "union ", "enum "].iter().any(|tag| display.starts_with(tag))
    }

    /// Name with scopes, without inline and anonymous namespaces and without arguments.
    pub(super) fn qualified(&mut self, entity: Entity<'tu>) -> String {
        if let Some(name) = self.qualified.get(&entity) {
            return name.to_string();
        }
        let own = self.own_name(entity);
        let outer = self.scope_name(entity);
        let name = match (outer.is_empty(), own.is_empty()) {
            (true, _) => own,
            (false, true) => outer,
            (false, false) => format!("{outer}::{own}"),
        };
        self.qualified.insert(entity, name.as_str().into());
        name
    }

    /// The name of the scope that an entity is in.
    pub(super) fn scope_name(&mut self, entity: Entity<'tu>) -> String {
        let Some(parent) = entity.get_semantic_parent() else { return String::new() };
        match parent.get_kind() {
            EntityKind::Namespace if parent.is_inline_namespace() => self.scope_name(parent),
            EntityKind::EnumDecl | EntityKind::LinkageSpec | EntityKind::UnexposedDecl => self.scope_name(parent),
            kind if kind == EntityKind::Namespace || is_class(kind) => self.qualified(parent),
            _ => String::new(),
        }
    }

    /// The scopes around an entity, outermost first.
    pub(super) fn scopes(&mut self, entity: Entity<'tu>) -> Vec<Scope> {
        let mut scopes = Vec::new();
        let mut parent = entity.get_semantic_parent();
        while let Some(scope) = parent {
            match scope.get_kind() {
                EntityKind::Namespace => {
                    scopes.push(Scope::Namespace { name: self.own_name(scope), inline: scope.is_inline_namespace() })
                }
                kind if is_class(kind) => scopes.push(Scope::Class(self.usr(scope))),
                _ => {}
            }
            parent = scope.get_semantic_parent();
        }
        scopes.reverse();
        scopes
    }

    /// The parameters of a class or function template.
    pub(super) fn template_params(&mut self, entity: Entity<'tu>) -> Vec<TemplateParam> {
        let mut params = self.listed_params(entity);
        // Where a member is defined outside its class, libclang lists the parameters of the templates around it behind
        // its own.
        let first = entity.get_canonical_entity();
        if first != entity {
            params.truncate(first.get_children().iter().filter(|child| param_kind(child.get_kind()).is_some()).count());
        }
        params
    }

    /// What a function template asks of its arguments: all that stands before its body, where that says more than the
    /// names of types.
    pub(super) fn asked_of_arguments(&mut self, entity: Entity<'tu>) -> Option<String> {
        if entity.get_kind() != EntityKind::FunctionTemplate {
            return None;
        }
        let whole = self.source_of(entity)?;
        let body = entity.get_children().into_iter().rfind(|child| child.get_kind() == EntityKind::CompoundStmt);
        let body = body.and_then(|body| self.source_of(body)).unwrap_or_default();
        let head = whole.strip_suffix(body.as_str()).unwrap_or(&whole);
        let says = ["enable_if", "requires", "::value", "_v<", "concept"].iter().any(|word| head.contains(word));
        // `template <Number T>`: a concept stands where `class` would.
        let mut params = entity.get_children().into_iter().filter(|child| param_kind(child.get_kind()).is_some());
        let plain = |text: &str| ["class", "typename", "template"].iter().any(|word| text.starts_with(word));
        let is_concept = params.any(|param| {
            let text = self.source_of(param).unwrap_or_default();
            param.get_kind() == EntityKind::TemplateTypeParameter && !plain(&text)
        });
        (says || is_concept).then(|| head.trim().to_owned())
    }

    /// The types that a function reads by `va_arg`: the macro leaves no name in the tree.
    pub(super) fn read_behind_the_last(&mut self, entity: Entity<'tu>) -> Vec<String> {
        let text = self.source_of(entity).unwrap_or_default();
        let mut found = Vec::new();
        for (at, word) in text.match_indices("va_arg") {
            let list = text[at + word.len()..].trim_start().strip_prefix('(');
            let ty = list.and_then(|list| list.split_once(',')).and_then(|(_, rest)| rest.split_once(')'));
            if let Some((ty, _)) = ty {
                found.push(ty.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
        found
    }

    fn listed_params(&mut self, entity: Entity<'tu>) -> Vec<TemplateParam> {
        let mut params = Vec::new();
        for child in entity.get_children() {
            let Some(kind) = param_kind(child.get_kind()) else { continue };
            let text = self.source_of(child).unwrap_or_default();
            // A constant or a class by its full name: the default is meant wherever the template is named.
            let named = |default: String| {
                let last = default.rsplit("::").next().unwrap_or_default().to_owned();
                let is_meant = |meant: &Entity<'_>| {
                    let is_plain = meant.get_template().is_none() && param_kind(meant.get_kind()).is_none();
                    is_plain && meant.get_name().as_ref() == Some(&last)
                };
                let is_name =
                    |name: &Entity<'_>| matches!(name.get_kind(), EntityKind::DeclRefExpr | EntityKind::TypeRef);
                let with_inner = |part: Entity<'tu>| std::iter::once(part).chain(part.get_children());
                let names = child
                    .get_children()
                    .into_iter()
                    .flat_map(with_inner)
                    .filter(is_name)
                    .filter_map(|name| name.get_reference());
                let meant = names.into_iter().find(is_meant);
                let scope = meant.and_then(|meant| meant.get_semantic_parent()).filter(Entity::is_scoped);
                let named = scope.or(meant).map(|named| self.qualified(named));
                named
                    .map(|name| if scope.is_some() { format!("{name}::{last}") } else { name })
                    .filter(|name| !name.is_empty())
                    .unwrap_or(default)
            };
            let default = default_of(&text).map(named);
            params.push(TemplateParam { name: child.get_name().unwrap_or_default(), text, kind, default });
        }
        params
    }
}

/// A class as its head tells it: its name, kind and scopes.
pub(super) fn class_head<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> Class {
    Class {
        usr: reader.usr(entity),
        name: reader.own_name(entity),
        qualified: reader.qualified(entity),
        scopes: reader.scopes(entity),
        kind: match entity.get_template_kind().unwrap_or(entity.get_kind()) {
            EntityKind::StructDecl => ClassKind::Struct,
            EntityKind::UnionDecl => ClassKind::Union,
            _ => ClassKind::Class,
        },
        language: reader.language,
        access: access_of(entity),
        is_abstract: entity.is_abstract_record(),
        ..Class::default()
    }
}

fn param_kind(kind: EntityKind) -> Option<TemplateParamKind> {
    match kind {
        EntityKind::TemplateTypeParameter => Some(TemplateParamKind::Type),
        EntityKind::NonTypeTemplateParameter => Some(TemplateParamKind::Value),
        EntityKind::TemplateTemplateParameter => Some(TemplateParamKind::Template),
        _ => None,
    }
}

/// The text behind the first `=` outside brackets.
pub(super) fn default_of(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    for token in crate::lex::tokens(bytes) {
        match token.text(bytes) {
            b"(" | b"[" | b"{" | b"<" => depth += 1,
            b")" | b"]" | b"}" | b">" => depth -= 1,
            b"=" if depth <= 0 => return Some(text[token.end as usize..].trim().to_string()),
            _ => {}
        }
    }
    None
}

fn last_component(display: &str) -> &str {
    display.rsplit("::").next().unwrap_or(display)
}

/// `Foo<T>` as clang spells a template's constructor, without its arguments; operators keep theirs.
fn without_arguments(name: &str) -> String {
    if name.starts_with("operator") { name.to_string() } else { name.split('<').next().unwrap_or(name).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_what_stands_behind_the_equals_sign() {
        assert_eq!(default_of("typename T = std::vector<int>").as_deref(), Some("std::vector<int>"));
        assert_eq!(default_of("int n").as_deref(), None);
        assert_eq!(default_of("bool b = a == 1").as_deref(), Some("a == 1"));
    }

    #[test]
    fn the_implementations_names_are_told_from_others() {
        assert!(is_reserved("__x") && is_reserved("_Rep"));
        assert!(!is_reserved("_x") && !is_reserved("x__"));
    }
}
