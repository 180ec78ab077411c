//! Functions, methods, constructors and their definitions.

use super::body::Facts;
use super::files::{Place, Text};
use super::names::{default_of, is_class};
use super::read::{Reader, Written, access_of, is_internal, place_extent, void};
use crate::model::*;
use clang::{Entity, EntityKind};

impl<'tu> Reader<'tu> {
    pub(super) fn function(&mut self, entity: Entity<'tu>) {
        let usr = self.usr(entity);
        let Some((extent, text, _)) = entity.get_range().and_then(|range| self.files.extent(range)) else {
            return;
        };
        let Some(place) = self.place(entity) else { return };
        if usr.is_empty() || self.is_explicit_instantiation(entity) {
            self.scan_children(entity, &mut None);
            return;
        }
        let parent = entity.get_semantic_parent().filter(|parent| is_class(parent.get_kind()));
        // A member that is specialised for one instantiation alone belongs to the template all the same.
        let template = parent.map(|parent| self.primary(parent));
        if template != parent
            && let Some(ty) = parent.and_then(|parent| parent.get_type())
            && let TypeKind::Record { args, .. } = self.ty(ty).kind
        {
            self.model.used_of.entry(usr.clone()).or_default().insert(args);
        }
        let mut function = self.signature(entity, &usr, (&text, &extent), &place);
        let kind = function.kind;
        let target = match (&function.owner, kind) {
            (Some(owner), FunctionKind::Constructor | FunctionKind::Destructor) => owner.clone(),
            _ => usr.clone(),
        };
        self.declare_name(Some(&place), function.name.trim_start_matches('~'), &target);
        let body = entity
            .get_children()
            .into_iter()
            .filter(|child| matches!(child.get_kind(), EntityKind::CompoundStmt | EntityKind::TryStmt))
            // What is defaulted has a body that nobody wrote.
            .rfind(|_| !function.is_defaulted);
        let mut facts = body.map(|_| Facts::default());
        self.scan_children(entity, &mut facts);
        match (body, facts) {
            (Some(body), Some(mut facts)) => {
                self.mine(entity, body);
                for param in &mut function.params {
                    param.tested = facts.tested.contains(&param.name);
                    param.seen_as = match facts.seen_as.get(&param.name).map(Vec::as_slice) {
                        Some([only]) => Some(only.clone()),
                        _ => None,
                    };
                }
                facts.places.tell(&mut function.params);
                facts.places.tell_of_members(&mut self.model.elements);
                let names: Vec<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
                let at = |name: &String| names.iter().position(|param| param == name);
                let ends: Vec<_> = facts.pointers.ends(&names).iter().map(|(to, from)| (at(to), at(from))).collect();
                for (end, begin) in ends {
                    if let Some(end) = end {
                        function.params[end].ends = begin;
                    }
                }
                if let Some(definition) = self.definition(&text, extent, body, &place, kind, facts) {
                    if let Some(written) = &mut self.written {
                        written.push(Written { usr, entity, body, definition: definition.clone() });
                    }
                    function.definition = Some(definition);
                }
            }
            _ if self.leans_on_main(entity, &extent) => {}
            _ => function.declarations.push(extent),
        }
        if function.name == "main" && function.scopes.is_empty() && function.definition.is_some() {
            self.model.files.entry(text.path.clone()).or_default().defines_main = true;
        }
        super::merge::function(&mut self.model, function);
    }

    /// What a declaration says of the function, wherever it stands.
    pub(super) fn signature(
        &mut self,
        entity: Entity<'tu>,
        usr: &Usr,
        (text, extent): (&Text, &Extent),
        place: &Place,
    ) -> Function {
        let template_kind = entity.get_template_kind().filter(|_| entity.get_kind() == EntityKind::FunctionTemplate);
        let kind = match template_kind.unwrap_or(entity.get_kind()) {
            EntityKind::Constructor => FunctionKind::Constructor,
            EntityKind::Destructor => FunctionKind::Destructor,
            EntityKind::ConversionFunction => FunctionKind::Conversion,
            EntityKind::Method if entity.is_static_method() => FunctionKind::StaticMethod,
            EntityKind::Method => FunctionKind::Method,
            _ => FunctionKind::Function,
        };
        let parent = entity.get_semantic_parent().filter(|parent| is_class(parent.get_kind()));
        let owner = parent.map(|parent| self.primary(parent)).map(|template| self.usr(template));
        let name = self.own_name(entity);
        let params = self.params(entity);
        let result = match entity.get_result_type() {
            Some(ty) if !matches!(kind, FunctionKind::Constructor | FunctionKind::Destructor) => self.ty(ty),
            _ => void(),
        };
        let head = super::head::read(text, extent, place.offset, parent.is_some());
        let type_name = entity.get_type().map(|ty| ty.get_display_name()).unwrap_or_default();
        let qualified = self.qualified(entity);
        let is_const = entity.is_const_method();
        let id = self.unit_id(&qualified, &params, entity.is_variadic(), is_const, head.ref_qualifier.as_deref());
        let dependent = entity.get_kind() == EntityKind::FunctionTemplate || self.in_template(entity);
        let overridden = entity.get_overridden_methods().unwrap_or_default();
        let overridden: Vec<Entity<'tu>> = overridden.into_iter().map(|method| self.primary(method)).collect();
        let overrides = overridden.into_iter().map(|method| self.usr(method)).collect();
        Function {
            id,
            qualified,
            scopes: self.scopes(entity),
            kind,
            language: self.language,
            access: access_of(entity),
            result,
            template: (entity.get_kind() == EntityKind::FunctionTemplate).then(|| self.template_params(entity)),
            specialized_for: self.arguments_of(entity).unwrap_or_default(),
            is_virtual: entity.is_virtual_method(),
            is_pure: entity.is_pure_virtual_method(),
            overrides,
            is_const,
            ref_qualifier: head.ref_qualifier,
            is_file_local: is_internal(entity),
            is_inline: entity.is_inline_function() || head.words.contains("inline"),
            is_constexpr: head.words.contains("constexpr") || head.words.contains("consteval"),
            is_noexcept: head.is_noexcept,
            is_deleted: entity.get_availability() == clang::Availability::Unavailable && head.is_deleted,
            is_defaulted: entity.is_defaulted(),
            is_explicit: head.words.contains("explicit")
                || kind == FunctionKind::Constructor
                    && template_kind.is_none()
                    && !params.is_empty()
                    && !entity.is_converting_constructor(),
            is_variadic: entity.is_variadic(),
            is_noreturn: head.words.contains("noreturn")
                || head.words.contains("_Noreturn")
                || type_name.contains("noreturn"),
            is_copy_or_move: kind == FunctionKind::Constructor
                && (entity.is_copy_constructor() || entity.is_move_constructor()),
            friend_of: None,
            asks: self.asked_of_arguments(entity),
            reads: if entity.is_variadic() { self.read_behind_the_last(entity) } else { Vec::new() },
            mangled: (!dependent && template_kind.is_none()).then(|| entity.get_mangled_name()).flatten(),
            declarations: Vec::new(),
            definition: None,
            owner,
            params,
            name,
            usr: usr.clone(),
        }
    }

    /// Whether a header's declaration has names of types from macros of the main file (`#define Handle lib::Writer`, then
    /// `Handle *create(void);`): included elsewhere, the header declares something else.
    fn leans_on_main(&mut self, entity: Entity<'tu>, extent: &Extent) -> bool {
        let main = self.main_file().clone();
        if extent.file == main || entity.get_semantic_parent().is_some_and(|parent| is_class(parent.get_kind())) {
            return false;
        }
        let children = entity.get_children().into_iter();
        let named = children.flat_map(|child| std::iter::once(child).chain(child.get_children()));
        let types = named.filter(|child| matches!(child.get_kind(), EntityKind::TypeRef | EntityKind::TemplateRef));
        let mut places = types.filter_map(|child| child.get_location());
        places.any(|place| self.files.is_written_in(place, &main))
    }

    fn definition(
        &mut self,
        text: &Text,
        extent: Extent,
        body: Entity<'tu>,
        place: &Place,
        kind: FunctionKind,
        facts: Facts,
    ) -> Option<Definition> {
        let (mut body, _, body_in_macro) = body.get_range().and_then(|range| self.files.extent(range))?;
        let bytes = text.bytes();
        // A macro in front of the name (an export mark, say) does no harm; one that makes the braces does.
        let mut in_macro = body_in_macro
            || place.file.path != extent.file
            || body.file != extent.file
            || !(extent.start..body.start).contains(&place.offset);
        let mut extent = extent;
        let (mut initializers, mut name_len) = (None, 0);
        if !in_macro {
            if let Some(start) = super::head::function_try(text, place.offset, body.start) {
                body = Extent { start, ..body };
            }
            let opens =
                bytes.get(body.start as usize) == Some(&b'{') || text.slice(body.start, body.end).starts_with(b"try");
            in_macro = !opens || bytes.get(body.end as usize - 1) != Some(&b'}');
            name_len = super::head::name_len(text, place.offset);
            extent.start = super::head::with_attributes(text, extent.start);
            if kind == FunctionKind::Constructor && !in_macro {
                initializers = super::head::initializers(text, place.offset + name_len, body.start)
                    .map(|(start, end)| place_extent(text, start, end));
            }
        }
        let extent = place_extent(text, extent.start, extent.end);
        Some(Definition {
            body: place_extent(text, body.start, body.end),
            extent,
            initializers,
            name_offset: place.offset,
            name_len,
            in_macro,
            labels: facts.labels,
            literals: facts.literals.into_vec(),
            calls: facts.calls,
            hands_on: facts.named.difference(&facts.called).cloned().collect(),
            touches: facts.touches,
            globals: facts.globals,
        })
    }

    pub(super) fn params(&mut self, entity: Entity<'tu>) -> Vec<Param> {
        let params = match entity.get_arguments() {
            Some(arguments) => arguments,
            None => entity.get_children().into_iter().filter(|c| c.get_kind() == EntityKind::ParmDecl).collect(),
        };
        params
            .into_iter()
            .map(|param| {
                let mut ty = match param.get_type() {
                    Some(ty) => self.ty(ty),
                    None => void(),
                };
                super::types::name_params(&mut ty.kind, param);
                let default = self.source_of(param).and_then(|text| default_of(&text));
                Param { default, ..Param::new(param.get_name().unwrap_or_default(), ty) }
            })
            .collect()
    }

    fn unit_id(
        &self,
        qualified: &str,
        params: &[Param],
        variadic: bool,
        is_const: bool,
        reference: Option<&str>,
    ) -> String {
        if self.language == Language::C {
            return qualified.to_string();
        }
        // The parameters' own `const` is no part of a signature.
        let bare = |ty: &'_ Type| match ty.kind {
            TypeKind::Array(..) => ty.spelling.clone(),
            TypeKind::Pointer(_) if ty.is_const => ty.spelling.trim_end_matches("const").to_string(),
            _ => ty.bare_spelling().to_string(),
        };
        let mut types: Vec<String> = params.iter().map(|param| bare(&param.ty)).collect();
        if variadic {
            types.push("...".into());
        }
        let mut id = format!("{qualified}({})", types.join(", "));
        if is_const {
            id.push_str(" const");
        }
        if let Some(reference) = reference {
            id.push(' ');
            id.push_str(reference);
        }
        id
    }

    fn in_template(&self, entity: Entity<'tu>) -> bool {
        let mut parent = entity.get_semantic_parent();
        while let Some(scope) = parent {
            if matches!(scope.get_kind(), EntityKind::ClassTemplate | EntityKind::ClassTemplatePartialSpecialization) {
                return true;
            }
            parent = scope.get_semantic_parent();
        }
        false
    }
}
