//! The state of reading a translation unit: its files, the model's part that has been read, and what is known of
//! its entities.

use super::files::{Files, Place, Text};
use super::type_shapes::is_class;
use super::waiting::Waiting;
use crate::model::*;
use clang::{Accessibility, Entity, Linkage};
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
    /// Its entry in the model.
    pub definition: Definition,
}

/// Reads one translation unit.
#[derive(Default)]
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
    /// The body of an instantiation is being read.
    pub(super) in_instance: bool,
    pub(super) primaries: HashMap<Entity<'tu>, Entity<'tu>>,
    /// The definitions, where somebody asks for them.
    pub(super) written: Option<Vec<Written<'tu>>>,
    /// What the entity that is being scanned stands in, outermost first.
    pub(super) parents: Vec<Entity<'tu>>,
    /// Histories of objects are wanted.
    pub(super) mines: bool,
    /// Classes of installed libraries that are still to be read.
    pub(super) installed: Waiting<'tu>,
    main_file: PathBuf,
    /// Only what stands in these files is wanted.
    pub(super) only: Option<Vec<PathBuf>>,
    /// All files included, the system's as well.
    pub(super) included: Vec<Rc<Text>>,
}

impl<'tu> Reader<'tu> {
    /// `bool` means `_Bool` here: C has the word from <stdbool.h> only, and old code has a type of its own called so.
    pub(super) fn has_bool(&self) -> bool {
        self.language != Language::C || self.included.iter().any(|text| text.path.ends_with("stdbool.h"))
    }

    pub(super) fn new(language: Language, files: Files, main_file: PathBuf, only: Option<Vec<PathBuf>>) -> Self {
        Self { language, files, main_file, only, ..Self::default() }
    }

    /// Every file that was included, the system's as well.
    pub(super) fn included(&self) -> &[Rc<Text>] {
        &self.included
    }

    /// The file that is compiled.
    pub(super) fn main_file(&self) -> &PathBuf {
        &self.main_file
    }

    /// Where an entity stands.
    pub(super) fn place(&mut self, entity: Entity<'tu>) -> Option<Place> {
        self.files.at(entity.get_location()?)
    }

    /// The extent of an entity, macros taken where they were used, and whether an end of it comes from a macro.
    pub(super) fn extent(&mut self, entity: Entity<'tu>) -> Option<(Extent, Rc<Text>, bool)> {
        self.files.extent(entity.get_range()?)
    }

    /// Whether the entity is declared in a file of its own accord: neither in the project nor by the compiler.
    pub(super) fn is_elsewhere(&mut self, entity: Entity<'tu>) -> bool {
        self.place(entity).is_some_and(|place| !place.file.project)
    }

    pub(super) fn is_wanted(&mut self, entity: Entity<'tu>) -> bool {
        let Some(place) = self.place(entity) else { return false };
        place.file.project && self.only.as_ref().is_none_or(|only| only.contains(&place.file.path))
    }

    /// Whether the entity is declared in a file of the project.
    pub(super) fn is_project(&mut self, entity: Entity<'tu>) -> bool {
        self.place(entity).is_some_and(|place| place.file.project)
    }

    /// The text that an entity covers, where no macro is in play.
    pub(super) fn source_of(&mut self, entity: Entity<'tu>) -> Option<String> {
        let (extent, text, _) = self.extent(entity)?;
        Some(String::from_utf8_lossy(text.slice(extent.start, extent.end)).into_owned())
    }

    /// Notes where an entity's own name stands.
    pub(super) fn declare(&mut self, entity: Entity<'tu>, name: &str, target: &str) {
        let place = self.place(entity);
        self.declare_name(place.as_ref(), name, target);
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

pub(super) fn access_of(entity: Entity<'_>) -> Option<Access> {
    entity.get_accessibility().map(|access| match access {
        Accessibility::Public => Access::Public,
        Accessibility::Protected => Access::Protected,
        Accessibility::Private => Access::Private,
    })
}

/// The class that an entity is a member of.
pub(super) fn class_around(entity: Entity<'_>) -> Option<Entity<'_>> {
    entity.get_semantic_parent().filter(|parent| is_class(parent.get_kind()))
}

/// Notes the compiler's facts about a defined class: size, alignment, whether it is a POD.
pub(super) fn measure(entity: Entity<'_>, class: &mut Class) {
    let Some(ty) = entity.get_type() else { return };
    class.is_pod = ty.is_pod();
    class.size = ty.get_sizeof().ok().map(|size| size as u64);
    class.align = ty.get_alignof().ok().map(|align| align as u64);
}

/// Says whether a class is polymorphic, and an aggregate, once its members are known.
pub(super) fn sum_up(reader: &Reader<'_>, class: &mut Class, is_plain: bool) {
    let has_virtual = class.functions(&reader.model).any(|method| method.is_virtual);
    class.is_polymorphic = has_virtual;
    class.is_aggregate = is_plain && class.bases.is_empty() && !class.is_polymorphic;
}

pub(super) fn is_internal(entity: Entity<'_>) -> bool {
    matches!(entity.get_linkage(), Some(Linkage::Internal | Linkage::UniqueExternal))
}

/// An extent by offsets; lines and columns are counted in the text.
pub(super) fn place_extent(text: &Text, start: u32, end: u32) -> Extent {
    let (line, column) = text.line_column(start);
    Extent { file: text.path.clone(), start, end, line, column, end_line: text.line_column(end).0 }
}
