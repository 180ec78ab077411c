//! One translation unit as a part of the model: declarations. What stands in bodies is read in `body`.

use super::files::{Files, Place, Text};
use super::names::{is_class, is_function};
use super::types::prim;
use crate::model::*;
use clang::{Accessibility, Entity, EntityKind, EntityVisitResult, Linkage};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

/// USR and name of what a reference is to.
pub(super) type Target = (Rc<str>, Rc<str>);

/// A definition as the model has it, with its cursors.
#[derive(Clone)]
pub(super) struct Written<'tu> {
    /// The function.
    pub usr: Usr,
    /// The whole definition.
    pub entity: Entity<'tu>,
    /// The compound statement or `try`.
    pub body: Entity<'tu>,
    /// What the model says.
    pub definition: Definition,
}

/// Reads one translation unit.
pub(super) struct Reader<'tu> {
    pub(super) language: Language,
    pub(super) files: Files,
    pub(super) model: Model,
    pub(super) usrs: HashMap<Entity<'tu>, Rc<str>>,
    pub(super) qualified: HashMap<Entity<'tu>, Rc<str>>,
    pub(super) targets: HashMap<Entity<'tu>, Option<Target>>,
    pub(super) references: BTreeMap<PathBuf, BTreeSet<Reference>>,
    pub(super) harvested: HashSet<String>,
    /// Functions whose template arguments were looked at.
    pub(super) harvested_functions: HashSet<Entity<'tu>>,
    /// Instantiations of functions of the project whose bodies are still to be read.
    pub(super) instances: Vec<Entity<'tu>>,
    /// What is being read stands in the body of an instantiation.
    pub(super) in_instance: bool,
    pub(super) primaries: HashMap<Entity<'tu>, Entity<'tu>>,
    /// The definitions, where somebody asks for them.
    pub(super) written: Option<Vec<Written<'tu>>>,
    /// Histories of objects are wanted.
    pub(super) mines: bool,
    /// Classes of installed libraries that are still to be read.
    pub(super) installed: super::installed::Waiting<'tu>,
    main_file: PathBuf,
    /// Only what stands in these files is wanted.
    only: Option<Vec<PathBuf>>,
    /// All files included, the system's as well.
    included: Vec<Rc<Text>>,
}

pub(super) fn access_of(entity: Entity<'_>) -> Option<Access> {
    entity.get_accessibility().map(|access| match access {
        Accessibility::Public => Access::Public,
        Accessibility::Protected => Access::Protected,
        Accessibility::Private => Access::Private,
    })
}

pub(super) fn is_internal(entity: Entity<'_>) -> bool {
    matches!(entity.get_linkage(), Some(Linkage::Internal | Linkage::UniqueExternal))
}

impl<'tu> Reader<'tu> {
    pub(super) fn new(language: Language, files: Files, main_file: PathBuf, only: Option<Vec<PathBuf>>) -> Self {
        Self {
            language,
            files,
            model: Model::default(),
            usrs: HashMap::new(),
            qualified: HashMap::new(),
            targets: HashMap::new(),
            references: BTreeMap::new(),
            harvested: HashSet::new(),
            harvested_functions: HashSet::new(),
            instances: Vec::new(),
            in_instance: false,
            primaries: HashMap::new(),
            written: None,
            mines: false,
            installed: super::installed::Waiting::default(),
            main_file,
            only,
            included: Vec::new(),
        }
    }

    /// Reads the whole unit; gives the model's part and every file that was included.
    pub(super) fn run(mut self, root: Entity<'tu>) -> (Model, Vec<Rc<Text>>) {
        self.read(root);
        self.read_instances();
        if self.only.is_none() {
            self.read_installed();
        }
        (self.model, self.included)
    }

    /// Every file that was included, the system's as well.
    pub(super) fn included(&self) -> &[Rc<Text>] {
        &self.included
    }

    /// Reads the whole unit.
    pub(super) fn read(&mut self, root: Entity<'tu>) {
        let main = self.files.named(self.main_file.clone(), || false);
        if let Some(main) = &main {
            self.included.push(main.clone());
            self.model.files.entry(main.path.clone()).or_default();
        }
        let mut wanted = Vec::new();
        root.visit_children(|child, _| {
            if matches!(child.get_kind(), EntityKind::InclusionDirective) || self.is_wanted(child) {
                wanted.push(child);
            }
            EntityVisitResult::Continue
        });
        for child in wanted {
            self.top(child);
        }
        for (path, references) in std::mem::take(&mut self.references) {
            self.model.files.entry(path).or_default().references = references.into_iter().collect();
        }
    }

    /// The file that is compiled.
    pub(super) fn main_file(&self) -> &PathBuf {
        &self.main_file
    }

    /// Where an entity stands.
    pub(super) fn place(&mut self, entity: Entity<'tu>) -> Option<Place> {
        self.files.at(entity.get_location()?)
    }

    /// Whether the entity is declared in a file of its own accord: neither in the project nor by the compiler.
    pub(super) fn is_elsewhere(&mut self, entity: Entity<'tu>) -> bool {
        self.place(entity).is_some_and(|place| !place.file.project)
    }

    fn is_wanted(&mut self, entity: Entity<'tu>) -> bool {
        let Some(place) = self.place(entity) else { return false };
        place.file.project && self.only.as_ref().is_none_or(|only| only.contains(&place.file.path))
    }

    /// Whether the entity is declared in a file of the project.
    pub(super) fn is_project(&mut self, entity: Entity<'tu>) -> bool {
        self.place(entity).is_some_and(|place| place.file.project)
    }

    /// The text that an entity covers, where no macro is in play.
    pub(super) fn source_of(&mut self, entity: Entity<'tu>) -> Option<String> {
        let (extent, text, _) = self.files.extent(entity.get_range()?)?;
        Some(String::from_utf8_lossy(text.slice(extent.start, extent.end)).into_owned())
    }

    fn top(&mut self, entity: Entity<'tu>) {
        match entity.get_kind() {
            EntityKind::InclusionDirective => self.inclusion(entity),
            EntityKind::MacroDefinition => self.macro_definition(entity),
            EntityKind::MacroExpansion => self.macro_expansion(entity),
            _ => self.declaration(entity),
        }
    }

    fn declaration(&mut self, entity: Entity<'tu>) {
        use EntityKind::*;
        match entity.get_kind() {
            Namespace | LinkageSpec | UnexposedDecl => {
                for child in entity.get_children() {
                    if self.is_wanted(child) {
                        self.declaration(child);
                    }
                }
            }
            StructDecl | ClassDecl | UnionDecl | ClassTemplate | ClassTemplatePartialSpecialization => {
                self.class(entity)
            }
            kind if is_function(kind) => self.function(entity),
            EnumDecl => self.enumeration(entity),
            TypedefDecl | TypeAliasDecl => self.alias(entity, entity),
            TypeAliasTemplateDecl => {
                if let Some(inner) = entity.get_children().into_iter().find(|c| c.get_kind() == TypeAliasDecl) {
                    self.alias(entity, inner);
                }
                self.scan_children(entity, &mut None);
            }
            VarDecl => self.variable(entity),
            FriendDecl => self.friend(entity, None),
            _ => self.scan(entity, EntityKind::TranslationUnit, &mut None),
        }
    }

    fn inclusion(&mut self, entity: Entity<'tu>) {
        let Some(file) = entity.get_file() else { return };
        let system = || {
            // Behind a pragma that says so.
            let end = std::fs::metadata(file.get_path()).map_or(0, |meta| meta.len() as u32);
            file.get_offset_location(0).is_in_system_header() || file.get_offset_location(end).is_in_system_header()
        };
        let Some(included) = self.files.named(file.get_path(), system) else { return };
        if !self.included.iter().any(|known| Rc::ptr_eq(known, &included)) {
            self.included.push(included.clone());
        }
        if included.project {
            self.model.files.entry(included.path.clone()).or_default();
        }
        let Some((extent, text, _)) = entity.get_range().and_then(|range| self.files.extent(range)) else { return };
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
        let includes = &mut self.model.files.entry(text.path.clone()).or_default().includes;
        if !includes.contains(&entry) {
            includes.push(entry);
        }
    }

    fn macro_definition(&mut self, entity: Entity<'tu>) {
        if let (Some(place), Some(name)) = (self.place(entity), entity.get_name()) {
            self.model.files.entry(place.file.path.clone()).or_default().macros.push((name, place.offset));
        }
    }

    fn macro_expansion(&mut self, entity: Entity<'tu>) {
        if let Some((extent, text, _)) = entity.get_range().and_then(|range| self.files.extent(range)) {
            let file = self.model.files.entry(text.path.clone()).or_default();
            file.expansions.push((extent.start, extent.end));
        }
    }

    // ---- classes ------------------------------------------------------------------------------------

    fn class(&mut self, entity: Entity<'tu>) {
        let usr = self.usr(entity);
        let Some((extent, _, in_macro)) = entity.get_range().and_then(|range| self.files.extent(range)) else {
            return;
        };
        if usr.is_empty() || self.is_explicit_instantiation(entity) {
            if let Some(ty) = entity.get_type() {
                self.ty(ty);
            }
            self.scan_children(entity, &mut None);
            return;
        }
        let name = self.own_name(entity);
        let place = self.place(entity);
        self.declare_name(place.as_ref(), &name, &usr);
        let kind = entity.get_template_kind().unwrap_or(entity.get_kind());
        let template =
            matches!(entity.get_kind(), EntityKind::ClassTemplate | EntityKind::ClassTemplatePartialSpecialization)
                .then(|| self.template_params(entity));
        let specializes = entity.get_template().map(|template| self.usr(template));
        let mut class = Class {
            usr: usr.clone(),
            qualified: self.qualified(entity),
            scopes: self.scopes(entity),
            kind: match kind {
                EntityKind::StructDecl => ClassKind::Struct,
                EntityKind::UnionDecl => ClassKind::Union,
                _ => ClassKind::Class,
            },
            language: self.language,
            access: access_of(entity),
            specialized_for: match (&specializes, &template, entity.get_type()) {
                (Some(_), None, Some(ty)) => self.template_args(ty, 0),
                _ => Vec::new(),
            },
            pattern: match entity.get_type() {
                Some(ty) if entity.get_kind() == EntityKind::ClassTemplatePartialSpecialization => {
                    self.template_args(ty, 0)
                }
                _ => Vec::new(),
            },
            template,
            specializes,
            definition: None,
            name_offset: None,
            declarations: Vec::new(),
            bases: Vec::new(),
            inherits: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            nested: Vec::new(),
            friends: Vec::new(),
            is_abstract: entity.is_abstract_record(),
            is_polymorphic: false,
            is_final: false,
            is_pod: false,
            is_aggregate: false,
            size: None,
            align: None,
            is_file_local: extent.file == self.main_file
                || self.scopes(entity).iter().any(|s| matches!(s, Scope::Namespace { name, .. } if name.is_empty())),
            aliases: Vec::new(),
            installed: None,
            name,
        };
        if entity.is_definition() {
            class.name_offset = place.filter(|p| p.file.path == extent.file && !in_macro).map(|p| p.offset);
            class.definition = Some(extent);
            if let Some(ty) = entity.get_type() {
                class.is_pod = ty.is_pod();
                class.size = ty.get_sizeof().ok().map(|size| size as u64);
                class.align = ty.get_alignof().ok().map(|align| align as u64);
            }
            self.members(entity, &mut class);
        } else {
            class.declarations.push(extent);
            self.scan_children(entity, &mut None);
        }
        if let Some(parent) = entity.get_semantic_parent().filter(|parent| is_class(parent.get_kind())) {
            let parent = self.usr(parent);
            if let Some(parent) = self.model.classes.get_mut(&parent)
                && !parent.nested.contains(&usr)
            {
                parent.nested.push(usr.clone());
            }
        }
        super::merge::class(&mut self.model, class);
    }

    fn members(&mut self, entity: Entity<'tu>, class: &mut Class) {
        use EntityKind::*;
        let record = entity.get_type();
        let (mut user_constructor, mut hidden) = (false, false);
        for child in entity.get_children() {
            match child.get_kind() {
                BaseSpecifier => {
                    if let Some(ty) = child.get_type() {
                        class.bases.push(Base {
                            ty: self.ty(ty),
                            access: access_of(child).unwrap_or(Access::Public),
                            is_virtual: child.is_virtual_base(),
                        });
                    }
                    self.scan_children(child, &mut None);
                }
                FieldDecl => {
                    let mut field = self.field(child);
                    field.offset_bits = child.get_offset_of_field().ok().map(|offset| offset as u64);
                    field.bit_width = child.get_bit_field_width().map(|width| width as u32);
                    field.is_mutable = child.is_mutable();
                    field.is_initialized = self.is_initialized(child);
                    hidden |= field.access != Access::Public;
                    class.fields.push(field);
                    self.scan_children(child, &mut None);
                }
                VarDecl => {
                    let field = Field { is_static: true, ..self.field(child) };
                    let place = self.place(child);
                    self.declare_name(place.as_ref(), &field.name, &field.usr);
                    class.fields.push(field);
                    self.scan_children(child, &mut None);
                }
                kind if is_function(kind) => {
                    let usr = self.usr(child);
                    let kind = child.get_template_kind().unwrap_or(kind);
                    user_constructor |= kind == Constructor && !child.is_defaulted();
                    if !class.methods.contains(&usr) {
                        class.methods.push(usr);
                    }
                    self.function(child);
                }
                kind if is_class(kind) => {
                    let usr = self.usr(child);
                    if kind != ClassTemplate && child.is_anonymous_record_decl() {
                        class.fields.push(self.anonymous_member(child, record));
                    }
                    if !usr.is_empty() && !class.nested.contains(&usr) {
                        class.nested.push(usr);
                    }
                    self.class(child);
                }
                FriendDecl => self.friend(child, Some(class)),
                UsingDeclaration => {
                    class.inherits.extend(self.inherited(child, class));
                    self.scan(child, EntityKind::ClassDecl, &mut None);
                }
                FinalAttr => class.is_final = true,
                EnumDecl | TypedefDecl | TypeAliasDecl | TypeAliasTemplateDecl => self.declaration(child),
                _ => self.scan(child, EntityKind::ClassDecl, &mut None),
            }
        }
        class.is_polymorphic =
            class.methods.iter().any(|usr| self.model.functions.get(usr).is_some_and(|f| f.is_virtual));
        class.is_aggregate = !user_constructor && !hidden && class.bases.is_empty() && !class.is_polymorphic;
    }

    pub(super) fn field(&mut self, entity: Entity<'tu>) -> Field {
        let mut ty = match entity.get_type() {
            Some(ty) => self.ty(ty),
            None => void(),
        };
        super::types::name_params(&mut ty.kind, entity);
        let name = entity.get_name().unwrap_or_default();
        Field {
            usr: self.usr(entity),
            name: if name.contains('(') { String::new() } else { name },
            ty,
            access: access_of(entity).unwrap_or(Access::Public),
            offset_bits: None,
            bit_width: None,
            is_static: false,
            is_mutable: false,
            is_initialized: false,
            definition: None,
        }
    }

    /// The base whose constructors a using declaration in `class` names: it is called like a constructor of the class, or of
    /// the base.
    fn inherited(&mut self, entity: Entity<'tu>, class: &Class) -> Option<Usr> {
        let name = entity.get_name()?;
        let plain = |text: &str| text.split('<').next().and_then(|head| head.rsplit("::").next()).map(str::to_owned);
        let name = plain(&name);
        let children = entity.get_children();
        let named = children.iter().filter_map(|child| child.get_reference()).filter(|to| is_class(to.get_kind()));
        let named: Vec<Usr> =
            named.map(|to| self.primary(to)).collect::<Vec<_>>().into_iter().map(|to| self.usr(to)).collect();
        let bases = class.bases.iter().filter_map(|base| Some((base.ty.record()?, &base.ty.kind)));
        let mut bases = bases.filter(|(usr, _)| named.contains(usr));
        let (base, kind) = bases.next()?;
        let is_base = matches!(kind, TypeKind::Record { name: of, .. } if plain(of) == name);
        (is_base || plain(&class.name) == name).then(|| base.clone())
    }

    /// Whether a value stands behind the member's name.
    fn is_initialized(&mut self, entity: Entity<'tu>) -> bool {
        let Some(name) = entity.get_name() else { return false };
        let mut place = |at: Option<_>| at.and_then(|at| self.files.at(at));
        let (from, to) = (entity.get_location(), entity.get_range().map(|range| range.get_end()));
        let (Some(from), Some(to)) = (place(from), place(to)) else { return false };
        let behind = from.offset as usize + name.len()..to.offset as usize;
        let text = from.file.bytes().get(behind).filter(|_| from.file.path == to.file.path);
        text.is_some_and(|text| text.iter().any(|byte| matches!(byte, b'=' | b'{')))
    }

    /// The nameless member that an anonymous union or structure makes.
    fn anonymous_member(&mut self, inner: Entity<'tu>, outer: Option<clang::Type<'tu>>) -> Field {
        let mut field = self.field(inner);
        field.usr.push_str("@anonymous");
        field.name = String::new();
        let first = inner.get_children().into_iter().find(|c| c.get_kind() == EntityKind::FieldDecl);
        field.offset_bits = first
            .and_then(|first| first.get_name())
            .and_then(|name| outer.and_then(|outer| outer.get_offsetof(name).ok()))
            .map(|offset| offset as u64);
        field
    }

    fn friend(&mut self, entity: Entity<'tu>, class: Option<&mut Class>) {
        let mut friends = Vec::new();
        for child in entity.get_children() {
            let kind = child.get_kind();
            if is_function(kind) {
                self.function(child);
                let usr = self.usr(child);
                if let (Some(class), Some(function)) = (&class, self.model.functions.get_mut(&usr))
                    && class.template.is_some()
                    && function.owner.is_none()
                {
                    function.friend_of = Some(class.usr.clone());
                }
                friends.push(usr);
            } else if is_class(kind) {
                self.class(child);
                friends.push(self.usr(child));
            } else if let Some(target) = child.get_reference() {
                let target = self.primary(target);
                friends.push(self.usr(target));
                self.scan(child, EntityKind::FriendDecl, &mut None);
            }
        }
        if let Some(class) = class {
            friends.retain(|usr| !usr.is_empty() && !class.friends.contains(usr));
            class.friends.extend(friends);
        }
    }

    // ---- the rest -----------------------------------------------------------------------------------

    pub(super) fn enumeration(&mut self, entity: Entity<'tu>) {
        let usr = self.usr(entity);
        let extent = entity.get_range().and_then(|range| self.files.extent(range)).map(|(extent, ..)| extent);
        let own = self.own_name(entity);
        let place = self.place(entity);
        self.declare_name(place.as_ref(), &own, &usr);
        if !entity.is_definition() || usr.is_empty() {
            return;
        }
        let underlying = entity
            .get_enum_underlying_type()
            .and_then(|ty| prim(ty.get_canonical_type().get_kind()))
            .unwrap_or(Prim::Int);
        let signed = matches!(
            underlying,
            Prim::Char | Prim::SChar | Prim::Short | Prim::Int | Prim::Long | Prim::LongLong | Prim::WChar
        );
        let qualified = if own.is_empty() { String::new() } else { self.qualified(entity) };
        let prefix = if entity.is_scoped() { format!("{qualified}::") } else { self.scope_prefix(entity) };
        let mut enumerators = Vec::new();
        for child in entity.get_children() {
            if child.get_kind() == EntityKind::EnumConstantDecl
                && let (Some(name), Some((value, unsigned))) = (child.get_name(), child.get_enum_constant_value())
            {
                let value = if signed { i128::from(value) } else { i128::from(unsigned) };
                enumerators.push((format!("{prefix}{name}"), value));
            }
            self.scan_children(child, &mut None);
        }
        let found = Enum {
            usr: usr.clone(),
            qualified,
            scopes: self.scopes(entity),
            scoped: entity.is_scoped(),
            underlying,
            enumerators,
            access: access_of(entity),
            definition: extent,
        };
        self.model.enums.insert(usr, found);
    }

    /// The qualified name of an entity's scope with `::` behind it.
    fn scope_prefix(&mut self, entity: Entity<'tu>) -> String {
        let own = self.own_name(entity);
        let qualified = self.qualified(entity);
        if own.is_empty() {
            return if qualified.is_empty() { String::new() } else { format!("{qualified}::") };
        }
        qualified.strip_suffix(&own).unwrap_or_default().to_string()
    }

    /// `whole` is the declaration, `inner` the alias itself where it is a template's.
    fn alias(&mut self, whole: Entity<'tu>, inner: Entity<'tu>) {
        let usr = self.usr(whole);
        let name = inner.get_name().unwrap_or_default();
        let place = self.place(inner);
        self.declare_name(place.as_ref(), &name, &usr);
        let extent = whole.get_range().and_then(|range| self.files.extent(range)).map(|(extent, ..)| extent);
        let (Some(under), Some(definition)) = (inner.get_typedef_underlying_type(), extent) else { return };
        let target = self.ty(under);
        let qualified = self.qualified(inner);
        if let Some(class) = target.record().and_then(|usr| self.model.classes.get_mut(usr))
            && !class.aliases.contains(&qualified)
        {
            class.aliases.push(qualified.clone());
        }
        let alias = Alias { usr: usr.clone(), qualified, scopes: self.scopes(inner), target, definition };
        self.model.aliases.insert(usr, alias);
        for child in inner.get_children() {
            // A tag defined within the typedef has been read already.
            if !is_class(child.get_kind()) && child.get_kind() != EntityKind::EnumDecl {
                self.scan(child, EntityKind::TypedefDecl, &mut None);
            }
        }
    }

    fn variable(&mut self, entity: Entity<'tu>) {
        let usr = self.usr(entity);
        let name = entity.get_name().unwrap_or_default();
        let place = self.place(entity);
        self.declare_name(place.as_ref(), &name, &usr);
        let extent = entity.get_range().and_then(|range| self.files.extent(range)).map(|(extent, ..)| extent);
        if let (Some(ty), Some(extent), false) = (entity.get_type(), extent, usr.is_empty()) {
            let ty = self.ty(ty);
            let owner = entity.get_semantic_parent().filter(|parent| is_class(parent.get_kind()));
            if let Some(owner) = owner {
                let owner = self.usr(owner);
                if let Some(class) = self.model.classes.get_mut(&owner)
                    && let Some(field) = class.fields.iter_mut().find(|field| field.usr == usr)
                {
                    field.definition = Some(extent.clone());
                }
            }
            let qualified = self.qualified(entity);
            // `int verbose;` of C is a definition where no other one comes.
            let is_extern = entity.get_storage_class() == Some(clang::StorageClass::Extern);
            let is_only_declared = is_extern && !entity.is_definition();
            let is_file_local = is_internal(entity);
            let found = Variable { usr: usr.clone(), qualified, ty, is_file_local, extent, is_only_declared };
            if entity.is_definition() || !self.model.variables.contains_key(&usr) {
                self.model.variables.insert(usr, found);
            }
        }
        self.scan_children(entity, &mut None);
    }

    /// Notes that an entity's own name stands here.
    pub(super) fn declare_name(&mut self, place: Option<&Place>, name: &str, target: &str) {
        let Some(place) = place.filter(|place| place.file.project && !name.is_empty() && !target.is_empty()) else {
            return;
        };
        let mut offset = place.offset;
        let bytes = place.file.bytes();
        if bytes.get(offset as usize) == Some(&b'~') {
            let next = place.file.token_from(offset + 1);
            offset = place.file.tokens().get(next).map_or(offset, |token| token.start);
        }
        self.note(&place.file.clone(), offset, name, target, true);
    }

    /// Adds a reference where `name` really stands at `offset`.
    pub(super) fn note(&mut self, text: &Text, offset: u32, name: &str, target: &str, is_declaration: bool) {
        let end = offset + name.len() as u32;
        let bytes = text.bytes();
        let word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if name.is_empty()
            || text.slice(offset, end) != name.as_bytes()
            || word(bytes.get(end as usize))
            || (offset > 0 && word(bytes.get(offset as usize - 1)))
            || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80)
        {
            return;
        }
        let reference = Reference { offset, len: name.len() as u32, target: target.to_string(), is_declaration };
        let references = self.references.entry(text.path.clone()).or_default();
        if is_declaration {
            references.remove(&Reference { is_declaration: false, ..reference.clone() });
        } else if references.contains(&Reference { is_declaration: true, ..reference.clone() }) {
            return;
        }
        references.insert(reference);
    }
}

/// `void`.
pub(super) fn void() -> Type {
    Type { spelling: "void".into(), is_const: false, kind: TypeKind::Void, size: None }
}

/// An extent by offsets; lines and columns are counted in the text.
pub(super) fn place_extent(text: &Text, start: u32, end: u32) -> Extent {
    let (line, column) = text.line_column(start);
    Extent { file: text.path.clone(), start, end, line, column, end_line: text.line_column(end).0 }
}
