//! One translation unit as a part of the model: declarations. What stands in bodies is read in `body`.

use super::arguments;
use super::enumerations;
use super::files::Text;
use super::functions;
use super::installed;
use super::instances;
use super::names::{class_head, is_function};
use super::reader::{Reader, class_around, is_internal, measure, sum_up};
use super::type_shapes::is_class;
use super::types;
use crate::model::*;
use clang::{Entity, EntityKind, EntityVisitResult};
use std::rc::Rc;

/// So many instantiations of one translation unit are read.
const MOST: usize = 20_000;

/// Deeper expressions are not followed.
const DEEPEST: usize = 200;

/// Reads the whole unit; gives the model's part and every file that was included.
pub(super) fn run<'tu>(mut reader: Reader<'tu>, root: Entity<'tu>) -> (Model, Vec<Rc<Text>>) {
    read(&mut reader, root);
    read_instances(&mut reader);
    if reader.only.is_none() {
        installed::read_installed(&mut reader, root);
    }
    (reader.model, reader.included)
}

/// Reads the whole unit.
pub(super) fn read<'tu>(reader: &mut Reader<'tu>, root: Entity<'tu>) {
    let main = reader.files.named(reader.main_file().clone(), || false);
    if let Some(main) = &main {
        reader.included.push(main.clone());
        reader.model.files.entry(main.path.clone()).or_default();
    }
    let mut wanted = Vec::new();
    root.visit_children(|child, _| {
        if matches!(child.get_kind(), EntityKind::InclusionDirective) || reader.is_wanted(child) {
            wanted.push(child);
        }
        EntityVisitResult::Continue
    });
    for child in wanted {
        top(reader, child);
    }
    for (path, references) in std::mem::take(&mut reader.references) {
        reader.model.files.entry(path).or_default().references = references.into_iter().collect();
    }
}

fn top<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    match entity.get_kind() {
        EntityKind::InclusionDirective => inclusion(reader, entity),
        EntityKind::MacroDefinition => macro_definition(reader, entity),
        EntityKind::MacroExpansion => macro_expansion(reader, entity),
        _ => declaration(reader, entity),
    }
}

fn declaration<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    use EntityKind::*;
    match entity.get_kind() {
        Namespace | LinkageSpec | UnexposedDecl => {
            for child in entity.get_children() {
                if reader.is_wanted(child) {
                    declaration(reader, child);
                }
            }
        }
        StructDecl | ClassDecl | UnionDecl | ClassTemplate | ClassTemplatePartialSpecialization => {
            self::class(reader, entity)
        }
        kind if is_function(kind) => functions::function(reader, entity),
        EnumDecl => {
            enumerations::enumeration(reader, entity);
            if entity.is_definition() {
                for child in entity.get_children() {
                    reader.scan_children(child, &mut None);
                }
            }
        }
        TypedefDecl | TypeAliasDecl => alias(reader, entity, entity),
        TypeAliasTemplateDecl => {
            if let Some(inner) = entity.get_children().into_iter().find(|c| c.get_kind() == TypeAliasDecl) {
                alias(reader, entity, inner);
            }
            reader.scan_children(entity, &mut None);
        }
        VarDecl => variable(reader, entity),
        FriendDecl => friend(reader, entity, None),
        _ => reader.scan(entity, EntityKind::TranslationUnit, &mut None),
    }
}

fn inclusion<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    let Some(file) = entity.get_file() else { return };
    let system = || {
        // Behind a pragma that says so.
        let end = std::fs::metadata(file.get_path()).map_or(0, |meta| meta.len() as u32);
        file.get_offset_location(0).is_in_system_header() || file.get_offset_location(end).is_in_system_header()
    };
    let Some(included) = reader.files.named(file.get_path(), system) else { return };
    if !reader.included.iter().any(|known| Rc::ptr_eq(known, &included)) {
        reader.included.push(included.clone());
    }
    if included.project {
        reader.model.files.entry(included.path.clone()).or_default();
    }
    let Some((extent, text, _)) = reader.extent(entity) else { return };
    if !text.project {
        return;
    }
    let line = String::from_utf8_lossy(text.slice(extent.start, extent.end)).into_owned();
    let written = match (line.find('<'), line.find('"')) {
        (Some(at), _) => line[at..].find('>').map(|end| line[at..=at + end].to_string()),
        (None, Some(at)) => line[at + 1..].find('"').map(|end| line[at..at + end + 2].to_string()),
        (None, None) => None,
    };
    let written = written.unwrap_or_else(|| format!("\"{}\"", entity.get_name().unwrap_or_default()));
    let entry = (written, included.path.clone());
    let includes = &mut reader.model.files.entry(text.path.clone()).or_default().includes;
    if !includes.contains(&entry) {
        includes.push(entry);
    }
}

fn macro_definition<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    if let (Some(place), Some(name)) = (reader.place(entity), entity.get_name()) {
        reader.model.files.entry(place.file.path.clone()).or_default().macros.push((name, place.offset));
    }
}

fn macro_expansion<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    if let Some((extent, text, _)) = reader.extent(entity) {
        let file = reader.model.files.entry(text.path.clone()).or_default();
        file.expansions.push((extent.start, extent.end));
    }
}

// ---- classes ------------------------------------------------------------------------------------

fn class<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    let usr = reader.usr(entity);
    let Some((extent, _, in_macro)) = reader.extent(entity) else {
        return;
    };
    if usr.is_empty() || reader.is_explicit_instantiation(entity) {
        if let Some(ty) = entity.get_type() {
            types::model_type(reader, ty);
        }
        reader.scan_children(entity, &mut None);
        return;
    }
    let name = reader.own_name(entity);
    let place = reader.place(entity);
    reader.declare_name(place.as_ref(), &name, &usr);
    let template =
        matches!(entity.get_kind(), EntityKind::ClassTemplate | EntityKind::ClassTemplatePartialSpecialization)
            .then(|| reader.template_params(entity));
    let specializes = entity.get_template().map(|template| reader.usr(template));
    let mut class = Class {
        specialized_for: match (&specializes, &template, entity.get_type()) {
            (Some(_), None, Some(ty)) => arguments::template_args(reader, ty, 0),
            _ => Vec::new(),
        },
        pattern: match entity.get_type() {
            Some(ty) if entity.get_kind() == EntityKind::ClassTemplatePartialSpecialization => {
                let pattern = arguments::template_args(reader, ty, 0);
                let params = template.as_deref().unwrap_or_default();
                if arguments::is_conditional(reader, entity, params, &pattern) { Vec::new() } else { pattern }
            }
            _ => Vec::new(),
        },
        template,
        specializes,
        is_file_local: extent.file == *reader.main_file()
            || reader.scopes(entity).iter().any(|s| matches!(s, Scope::Namespace { name, .. } if name.is_empty())),
        ..class_head(reader, entity)
    };
    if entity.is_definition() {
        class.name_offset = place.filter(|p| p.file.path == extent.file && !in_macro).map(|p| p.offset);
        class.definition = Some(extent);
        measure(entity, &mut class);
        members(reader, entity, &mut class);
    } else {
        class.declarations.push(extent);
        reader.scan_children(entity, &mut None);
    }
    if let Some(parent) = class_around(entity) {
        let parent = reader.usr(parent);
        if let Some(parent) = reader.model.classes.get_mut(&parent)
            && !parent.nested.contains(&usr)
        {
            parent.nested.push(usr.clone());
        }
    }
    super::merge::class(&mut reader.model, class);
}

fn members<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, class: &mut Class) {
    use EntityKind::*;
    let record = entity.get_type();
    let (mut user_constructor, mut hidden) = (false, false);
    for child in entity.get_children() {
        match child.get_kind() {
            BaseSpecifier => {
                class.bases.extend(types::base(reader, child));
                reader.scan_children(child, &mut None);
            }
            FieldDecl => {
                let mut field = types::field(reader, child);
                field.is_initialized = is_initialized(reader, child);
                hidden |= field.access != Access::Public;
                class.fields.push(field);
                reader.scan_children(child, &mut None);
            }
            VarDecl => {
                let field = Field { is_static: true, ..types::field(reader, child) };
                reader.declare(child, &field.name, &field.usr);
                class.fields.push(field);
                reader.scan_children(child, &mut None);
            }
            kind if is_function(kind) => {
                let usr = reader.usr(child);
                let kind = child.get_template_kind().unwrap_or(kind);
                user_constructor |= kind == Constructor && !child.is_defaulted();
                if !class.methods.contains(&usr) {
                    class.methods.push(usr);
                }
                functions::function(reader, child);
            }
            kind if is_class(kind) => {
                let usr = reader.usr(child);
                if kind != ClassTemplate && child.is_anonymous_record_decl() {
                    class.fields.push(anonymous_member(reader, child, record));
                }
                if !usr.is_empty() && !class.nested.contains(&usr) {
                    class.nested.push(usr);
                }
                self::class(reader, child);
            }
            FriendDecl => friend(reader, child, Some(class)),
            UsingDeclaration => {
                class.inherits.extend(inherited(reader, child, class));
                reader.scan(child, EntityKind::ClassDecl, &mut None);
            }
            FinalAttr => class.is_final = true,
            EnumDecl | TypedefDecl | TypeAliasDecl | TypeAliasTemplateDecl => declaration(reader, child),
            _ => reader.scan(child, EntityKind::ClassDecl, &mut None),
        }
    }
    sum_up(reader, class, !user_constructor && !hidden);
}

/// The base whose constructors a using declaration in `class` names: it is called like a constructor of the class, or
/// of the base.
fn inherited<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, class: &Class) -> Option<Usr> {
    let name = entity.get_name()?;
    let plain = |text: &str| text.split('<').next().and_then(|head| head.rsplit("::").next()).map(str::to_owned);
    let name = plain(&name);
    let children = entity.get_children();
    let named = children.iter().filter_map(|child| child.get_reference()).filter(|to| is_class(to.get_kind()));
    let named: Vec<Usr> =
        named.map(|to| reader.primary(to)).collect::<Vec<_>>().into_iter().map(|to| reader.usr(to)).collect();
    let bases = class.bases.iter().filter_map(|base| Some((base.ty.record()?, &base.ty.kind)));
    let mut bases = bases.filter(|(usr, _)| named.contains(usr));
    let (base, kind) = bases.next()?;
    let is_base = matches!(kind, TypeKind::Record { name: of, .. } if plain(of) == name);
    (is_base || plain(&class.name) == name).then(|| base.clone())
}

/// Whether a value stands behind the member's name.
fn is_initialized<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) -> bool {
    let Some(name) = entity.get_name() else { return false };
    let mut place = |at: Option<_>| at.and_then(|at| reader.files.at(at));
    let (from, to) = (entity.get_location(), entity.get_range().map(|range| range.get_end()));
    let (Some(from), Some(to)) = (place(from), place(to)) else { return false };
    let behind = from.offset as usize + name.len()..to.offset as usize;
    let text = from.file.bytes().get(behind).filter(|_| from.file.path == to.file.path);
    text.is_some_and(|text| text.iter().any(|byte| matches!(byte, b'=' | b'{')))
}

/// The nameless member that an anonymous union or structure makes.
fn anonymous_member<'tu>(reader: &mut Reader<'tu>, inner: Entity<'tu>, outer: Option<clang::Type<'tu>>) -> Field {
    let mut field = types::field(reader, inner);
    field.usr.push_str("@anonymous");
    field.name = String::new();
    let first = inner.get_children().into_iter().find(|c| c.get_kind() == EntityKind::FieldDecl);
    field.offset_bits = first
        .and_then(|first| first.get_name())
        .and_then(|name| outer.and_then(|outer| outer.get_offsetof(name).ok()))
        .map(|offset| offset as u64);
    field
}

fn friend<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, class: Option<&mut Class>) {
    let mut friends = Vec::new();
    for child in entity.get_children() {
        let kind = child.get_kind();
        if is_function(kind) {
            functions::function(reader, child);
            let usr = reader.usr(child);
            if let (Some(class), Some(function)) = (&class, reader.model.functions.get_mut(&usr))
                && class.template.is_some()
                && function.owner.is_none()
            {
                function.friend_of = Some(class.usr.clone());
            }
            friends.push(usr);
        } else if is_class(kind) {
            self::class(reader, child);
            friends.push(reader.usr(child));
        } else if let Some(target) = child.get_reference() {
            let target = reader.primary(target);
            friends.push(reader.usr(target));
            reader.scan(child, EntityKind::FriendDecl, &mut None);
        }
    }
    if let Some(class) = class {
        friends.retain(|usr| !usr.is_empty() && !class.friends.contains(usr));
        class.friends.extend(friends);
    }
}

/// `whole` is the declaration, `inner` the alias itself where it is a template's.
fn alias<'tu>(reader: &mut Reader<'tu>, whole: Entity<'tu>, inner: Entity<'tu>) {
    let usr = reader.usr(whole);
    let name = inner.get_name().unwrap_or_default();
    reader.declare(inner, &name, &usr);
    let extent = reader.extent(whole).map(|(extent, ..)| extent);
    let (Some(under), Some(definition)) = (inner.get_typedef_underlying_type(), extent) else { return };
    let target = types::model_type(reader, under);
    let qualified = reader.qualified(inner);
    if let Some(class) = target.record().and_then(|usr| reader.model.classes.get_mut(usr))
        && !class.aliases.contains(&qualified)
    {
        class.aliases.push(qualified.clone());
    }
    let alias = Alias { usr: usr.clone(), qualified, scopes: reader.scopes(inner), target, definition };
    reader.model.aliases.insert(usr, alias);
    for child in inner.get_children() {
        // A tag defined within the typedef has been read already.
        if !is_class(child.get_kind()) && child.get_kind() != EntityKind::EnumDecl {
            reader.scan(child, EntityKind::TypedefDecl, &mut None);
        }
    }
}

fn variable<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>) {
    let usr = reader.usr(entity);
    reader.declare(entity, &entity.get_name().unwrap_or_default(), &usr);
    let extent = reader.extent(entity).map(|(extent, ..)| extent);
    if let (Some(ty), Some(extent), false) = (entity.get_type(), extent, usr.is_empty()) {
        let ty = types::model_type(reader, ty);
        let class = class_around(entity);
        let owner = class.map(|owner| reader.usr(owner)).and_then(|owner| reader.model.classes.get_mut(&owner));
        if let Some(field) = owner.and_then(|class| class.fields.iter_mut().find(|field| field.usr == usr)) {
            field.definition = Some(extent.clone());
        }
        let qualified = reader.qualified(entity);
        // `int verbose;` of C is a definition where no other one comes.
        let is_extern = entity.get_storage_class() == Some(clang::StorageClass::Extern);
        let is_only_declared = is_extern && !entity.is_definition();
        let is_file_local = is_internal(entity);
        let is_defined = entity.is_definition() || !is_extern && class.is_none();
        let defined_in = is_defined.then(|| extent.file.clone());
        let found = Variable { usr: usr.clone(), qualified, ty, is_file_local, extent, is_only_declared, defined_in };
        if entity.is_definition() || !reader.model.variables.contains_key(&usr) {
            reader.model.variables.insert(usr, found);
        }
    }
    reader.scan_children(entity, &mut None);
}

/// Reads the bodies of the instantiations that were met, and of those that are met there: what a template does to its
/// parameters only they show, since nobody wrote it down.
pub(super) fn read_instances(reader: &mut Reader<'_>) {
    reader.in_instance = true;
    let mut left = MOST;
    while let Some(instance) = reader.instances.pop().filter(|_| left > 0) {
        left -= 1;
        read_instance(reader, instance, 0);
    }
    reader.in_instance = false;
}

fn read_instance<'tu>(reader: &mut Reader<'tu>, entity: Entity<'tu>, depth: usize) {
    use EntityKind::{CallExpr, DeclRefExpr, FieldDecl, MemberRefExpr, NewExpr, ParmDecl, TypeRef, VarDecl};
    for child in entity.get_children() {
        let kind = child.get_kind();
        if matches!(kind, CallExpr | DeclRefExpr | MemberRefExpr)
            && let Some(target) = child.get_reference().filter(|target| is_function(target.get_kind()))
        {
            instances::harvest_function(reader, target);
        }
        if matches!(kind, CallExpr | FieldDecl | NewExpr | ParmDecl | TypeRef | VarDecl) {
            instances::harvest(reader, child);
        }
        if depth < DEEPEST {
            read_instance(reader, child, depth + 1);
        }
    }
}
