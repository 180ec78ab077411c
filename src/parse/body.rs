//! The contents of bodies, initialisers and signatures: references, calls, literals, globals, labels.

use super::casts::Of;
use super::elements::Places;
use super::instances;
use super::literals::{number, string_of};
use super::names::is_function;
use super::only_read::{self, Use};
use super::passes;
use super::pointer_ranges::Pointers;
use super::reader::{Reader, Target};
use super::table_indices::Indices;
use super::type_shapes::is_class;
use super::types;
use super::variables::key;
use crate::model::{Language, Literal, NEW, Type, Usr};
use clang::source::SourceLocation;
use clang::{Entity, EntityKind, StorageClass};
use std::collections::{BTreeMap, BTreeSet};

/// Literals, each once, in the order of the source: bytes of one comparison after the other tell more than sorted.
#[derive(Default)]
pub(super) struct Literals {
    known: BTreeSet<Literal>,
    in_order: Vec<Literal>,
}

impl Literals {
    fn insert(&mut self, literal: Literal) {
        if self.known.insert(literal.clone()) {
            self.in_order.push(literal);
        }
    }

    /// All of them.
    pub(super) fn into_vec(self) -> Vec<Literal> {
        self.in_order
    }
}

/// The contents of a definition.
#[derive(Default)]
pub(super) struct Facts {
    pub labels: Vec<String>,
    pub literals: Literals,
    pub calls: BTreeSet<Usr>,
    /// Functions that stand for themselves somewhere, and those that are called.
    pub named: BTreeSet<Usr>,
    pub called: BTreeSet<Usr>,
    pub globals: BTreeSet<String>,
    /// Keys of parameters that are compared with null.
    pub tested: BTreeSet<String>,
    /// Keys of parameters that are passed to functions as they are, and of those that something else is done with.
    pub passed_on: BTreeSet<String>,
    pub used: BTreeSet<String>,
    /// By the keys of pointers among the parameters: what they are cast to.
    pub seen_as: BTreeMap<String, Vec<Type>>,
    /// The pointers to structures that are returned as pointers to something else; none for any other pointer.
    pub returned: Vec<Option<Type>>,
    /// Keys of those that are cast in every call.
    pub seen_for_certain: BTreeSet<String>,
    /// By the members that are a `void *`: what they are taken for.
    pub member_types: BTreeMap<Usr, Vec<Type>>,
    /// Of C: the members that it passes to functions, with these and the places among their parameters.
    pub passes: BTreeSet<(Usr, Usr, usize)>,
    /// Of C: the members that it calls functions through.
    pub calls_members: BTreeSet<Usr>,
    pub compared: BTreeMap<Usr, BTreeSet<i64>>,
    pub pointers: Pointers,
    pub places: Places,
    /// The numbers that it uses as indices into arrays of a said length.
    pub indices: Indices,
    pub touches: BTreeSet<Usr>,
    pub members: BTreeSet<String>,
    pub initialized: BTreeSet<String>,
    pub changes: BTreeSet<String>,
    pub sets: BTreeSet<String>,
    pub asked: BTreeSet<String>,
    /// By the names of variables of this file or function, and by the keys of pointers among the parameters: how the
    /// body uses the variable, or what stands behind the pointer.
    pub uses: BTreeMap<String, Lent>,
}

/// The parameters of functions that something is lent to, where it is only read beside; none where it may be changed.
pub(super) type Lent = Option<BTreeSet<(Usr, usize)>>;

/// What the macro `assert` of C libraries calls: glibc, musl, Darwin and the BSDs, newlib.
const ASSERTS: [&str; 4] = ["__assert_fail", "__assert_rtn", "__assert", "__assert_func"];

impl<'tu> Reader<'tu> {
    /// Reads everything below `entity`.
    pub(super) fn scan_children(&mut self, entity: Entity<'tu>, facts: &mut Option<Facts>) {
        let kind = entity.get_kind();
        self.parents.push(entity);
        for child in entity.get_children() {
            self.scan(child, kind, facts);
        }
        self.parents.pop();
    }

    /// Reads `entity`, whose parent is of kind `parent`, and everything below it.
    pub(super) fn scan(&mut self, entity: Entity<'tu>, parent: EntityKind, facts: &mut Option<Facts>) {
        use EntityKind::*;
        let kind = entity.get_kind();
        match kind {
            TypeRef | TemplateRef | NamespaceRef | MemberRef | VariableRef | DeclRefExpr | MemberRefExpr | CallExpr => {
                if let Some(target) = entity.get_reference() {
                    self.refer(entity, target, facts);
                }
                if kind == CallExpr {
                    instances::harvest(self, entity);
                }
            }
            OverloadedDeclRef => self.overloaded(entity, facts),
            IntegerLiteral | FloatingLiteral | CharacterLiteral | StringLiteral => {
                if let Some(facts) = facts {
                    self.literal(entity, parent, facts);
                }
            }
            LabelStmt => {
                if let (Some(facts), Some(name)) = (facts.as_mut(), entity.get_name()) {
                    facts.labels.push(name);
                }
            }
            VarDecl | NewExpr | ParmDecl | FieldDecl => {
                instances::harvest(self, entity);
                if let (NewExpr, Some(facts)) = (kind, facts.as_mut()) {
                    facts.calls.insert(NEW.to_owned());
                }
            }
            _ => {}
        }
        if let (Some(facts), Language::C) = (facts.as_mut(), self.language)
            && let Some(ty) = super::casts::returned(entity)
        {
            let ty = ty.map(|ty| types::model_type(self, ty));
            if !facts.returned.contains(&ty) {
                facts.returned.push(ty);
            }
        }
        if facts.is_some()
            && let Some(seen) = super::casts::seen_as(entity, &self.parents)
        {
            let ty = types::model_type(self, seen.ty);
            for facts in facts.iter_mut() {
                let known = match &seen.of {
                    Of::Parameter(key) => {
                        facts.seen_for_certain.extend(seen.for_certain.then(|| key.clone()));
                        facts.seen_as.entry(key.clone()).or_default()
                    }
                    Of::Member(member) => facts.member_types.entry(self.usr(*member)).or_default(),
                };
                if !known.contains(&ty) {
                    known.push(ty.clone());
                }
            }
        }
        if let Some(facts) = facts {
            let first = || self.place(entity).and_then(|at| at.file.bytes().get(at.offset as usize).copied());
            facts.tested.extend(super::nullness::tested(entity, first).and_then(key));
            facts.touches.extend(super::field_usage::touched(entity));
            facts.members.extend(super::field_usage::named(entity));
            facts.initialized.extend(super::field_usage::initialized(entity));
            facts.asked.extend(super::field_usage::asked(entity));
            let changed = super::field_usage::changed(entity, |from, to| self.text(from?, to?));
            let is_set = !changed.is_empty() && !super::field_usage::puts_back(entity, |from, to| self.text(from, to));
            facts.sets.extend(changed.iter().filter(|_| is_set).cloned());
            facts.changes.extend(changed);
            if let Some((member, number)) = super::field_usage::compared(entity, |from, to| self.text(from?, to?)) {
                facts.compared.entry(self.usr(member)).or_default().insert(number);
            }
            if kind == CallExpr
                && self.language == Language::C
                && let Some(member) = super::field_usage::called_through(entity)
            {
                facts.calls_members.insert(self.usr(member));
            }
            facts.pointers.see(entity, |left, right| self.between(left, right));
            facts.places.see(entity, &facts.pointers, &mut |left, right| self.between(left, right));
            if let Some(loops) =
                super::countdowns::of_loop(entity, &facts.pointers, &mut |of, operands| self.operator(of, operands))
            {
                facts.places.count_down(&loops);
            }
            if let Some(of) = super::union_tags::of_union(entity) {
                let parents = self.parents.clone();
                let tags = of.tags(entity, &parents, &mut |left, right| self.between(left, right));
                self.model.union_tags.entry(of.union).or_default().extend(tags);
            }
            facts.indices.see(entity, &mut |left, right| self.between(left, right));
            if kind == CallExpr
                && let Some(args) = entity.get_arguments()
                && let Some(callee) = entity.get_reference().filter(|callee| is_function(callee.get_kind()))
            {
                let callee = self.primary(callee);
                let callee = self.usr(callee);
                if self.language == Language::C {
                    for (member, place) in passes::passed(&args) {
                        facts.passes.insert((self.usr(member), callee.clone(), place));
                    }
                }
                facts.places.call(callee, &args, &facts.pointers, &mut |left, right| self.between(left, right));
            }
        }
        // The text, file and line of an assertion are for a person to read, and no values of the unit.
        if kind == CallExpr && entity.get_name().is_some_and(|name| ASSERTS.contains(&name.as_str())) {
            return;
        }
        self.scan_children(entity, facts);
    }

    /// The operator of an expression with one operand, or with two.
    fn operator(&mut self, entity: Entity<'tu>, operands: &[Entity<'tu>]) -> Option<String> {
        let text = match operands {
            [left, right] => self.between(*left, *right)?,
            [of] => {
                let (all, of) = (entity.get_range()?, of.get_range()?);
                let before = self.text(all.get_start(), of.get_start()).unwrap_or_default();
                before + &self.text(of.get_end(), all.get_end()).unwrap_or_default()
            }
            _ => return None,
        };
        Some(text.trim().to_owned())
    }

    /// The text between two expressions of one file.
    fn between(&mut self, left: Entity<'tu>, right: Entity<'tu>) -> Option<String> {
        self.text(left.get_range()?.get_end(), right.get_range()?.get_start())
    }

    /// The text between two places of one file.
    fn text(&mut self, from: SourceLocation<'tu>, to: SourceLocation<'tu>) -> Option<String> {
        let (from, to) = (self.files.at(from)?, self.files.at(to)?);
        let (start, end) = (from.offset as usize, to.offset as usize);
        let text = from.file.bytes().get(start..end).filter(|_| from.file.path == to.file.path)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn refer(&mut self, entity: Entity<'tu>, target: Entity<'tu>, facts: &mut Option<Facts>) {
        let kind = target.get_kind();
        if is_function(kind) {
            instances::harvest_function(self, target);
        }
        if let Some(facts) = facts {
            if is_function(kind) {
                let function = self.primary(target);
                let usr = self.usr(function);
                if !usr.is_empty() {
                    // The callee of a call that is understood is named as well; other callees are taken for called.
                    let is_name = entity.get_kind() == EntityKind::DeclRefExpr;
                    let by = if is_name { &mut facts.named } else { &mut facts.called };
                    by.insert(usr.clone());
                    facts.calls.insert(usr);
                }
            } else if kind == EntityKind::VarDecl {
                if let Some(name) = self.global(target, facts)
                    && only_read::is_candidate(target)
                {
                    let used = only_read::of_variable(entity, &self.parents);
                    self.used(name, used, facts);
                }
            } else if kind == EntityKind::ParmDecl {
                let by = if super::nullness::is_argument(entity, &self.parents) {
                    &mut facts.passed_on
                } else {
                    &mut facts.used
                };
                by.extend(key(target));
                if let Some(key) = key(target).filter(|_| only_read::is_lent(target)) {
                    let used = only_read::of_target(entity, &self.parents);
                    self.used(key, used, facts);
                }
            } else if kind == EntityKind::EnumConstantDecl
                && let Some((value, _)) = target.get_enum_constant_value()
            {
                facts.literals.insert(Literal::Int(value.into()));
            }
        }
        if facts.is_none() && kind == EntityKind::VarDecl && only_read::is_candidate(target) {
            let used = only_read::of_variable(entity, &self.parents);
            if used != Use::Reads {
                let name = self.qualified(target);
                self.model.lent_out.insert(name);
            }
        }
        let Some((usr, name)) = self.target(target) else { return };
        let Some(mut place) = self.place(entity) else { return };
        if !place.file.project {
            return;
        }
        let text = place.file.clone();
        if text.bytes().get(place.offset as usize) == Some(&b'~') {
            let next = text.token_from(place.offset + 1);
            place.offset = text.tokens().get(next).map_or(place.offset, |token| token.start);
        }
        self.note(&text, place.offset, &name, &usr, false);
    }

    /// A name that is looked up only when the template is instantiated, or that has several meanings.
    fn overloaded(&mut self, entity: Entity<'tu>, facts: &mut Option<Facts>) {
        for target in entity.get_overloaded_declarations().unwrap_or_default() {
            self.refer(entity, target, facts);
        }
    }

    /// USR and name of a project entity that a copy may have to rename; none for all others.
    fn target(&mut self, target: Entity<'tu>) -> Option<Target> {
        if let Some(known) = self.targets.get(&target) {
            return known.clone();
        }
        let found = self.find_target(target);
        self.targets.insert(target, found.clone());
        found
    }

    fn find_target(&mut self, target: Entity<'tu>) -> Option<Target> {
        use EntityKind::*;
        let primary = self.primary(target);
        let kind = primary.get_kind();
        let parent = primary.get_semantic_parent()?;
        // A declaration within a function is copied with it.
        if is_function(parent.get_kind()) {
            return None;
        }
        let entity = match primary.get_template_kind().filter(|_| kind == FunctionTemplate).unwrap_or(kind) {
            Constructor | Destructor => parent,
            VarDecl => primary,
            FunctionDecl
            | Method
            | ConversionFunction
            | TypedefDecl
            | TypeAliasDecl
            | TypeAliasTemplateDecl
            | EnumDecl => primary,
            kind if is_class(kind) => primary,
            _ => return None,
        };
        if !self.is_project(entity) {
            return None;
        }
        let (usr, name) = (self.usr(entity), self.own_name(entity));
        (!usr.is_empty() && !name.is_empty() && !name.starts_with("__builtin_"))
            .then(|| (usr.as_str().into(), name.as_str().into()))
    }

    fn used(&mut self, name: String, used: Use<'tu>, facts: &mut Facts) {
        let lent = match used {
            Use::Reads => Some(None),
            Use::Lends(callee, place) => {
                let callee = self.primary(callee);
                Some(Some((self.usr(callee), place)))
            }
            Use::MayChange => None,
        };
        let known = facts.uses.entry(name).or_insert_with(|| Some(BTreeSet::new()));
        match (known.as_mut(), lent) {
            (Some(known), Some(lent)) => known.extend(lent),
            _ => *known = None,
        }
    }

    /// A variable that outlives the call, and its name; what a constant stands for is a literal.
    fn global(&mut self, target: Entity<'tu>, facts: &mut Facts) -> Option<String> {
        let parent = target.get_semantic_parent()?;
        let in_function = is_function(parent.get_kind());
        let is_static = target.get_storage_class() == Some(StorageClass::Static);
        let ty = target.get_type()?;
        // The canonical type of an array carries the element's `const` itself.
        let mut element = ty.get_canonical_type();
        let mut constant = element.is_const_qualified();
        while let Some(inner) = element.get_element_type() {
            element = inner.get_canonical_type();
            constant |= element.is_const_qualified();
        }
        if constant {
            for child in target.get_children() {
                self.constant(child, EntityKind::VarDecl, facts, 0);
            }
            return None;
        }
        if in_function && !is_static {
            return None;
        }
        // A table without `const` is a table all the same.
        if ty.get_canonical_type().get_element_type().is_some() {
            for child in target.get_children() {
                self.constant(child, EntityKind::VarDecl, facts, 0);
            }
        }
        let name = if in_function { target.get_name().unwrap_or_default() } else { self.qualified(target) };
        facts.globals.insert(name.clone());
        Some(name)
    }

    /// The literals in a constant's initialiser; long tables are cut.
    fn constant(&mut self, entity: Entity<'tu>, parent: EntityKind, facts: &mut Facts, depth: usize) {
        use EntityKind::*;
        match entity.get_kind() {
            IntegerLiteral | FloatingLiteral | CharacterLiteral | StringLiteral => self.literal(entity, parent, facts),
            UnexposedExpr | ParenExpr | UnaryOperator | InitListExpr | CallExpr | FunctionalCastExpr
            | CStyleCastExpr
                if depth < 6 =>
            {
                for child in entity.get_children().into_iter().take(64) {
                    self.constant(child, entity.get_kind(), facts, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn literal(&mut self, entity: Entity<'tu>, parent: EntityKind, facts: &mut Facts) {
        if entity.get_kind() == EntityKind::StringLiteral {
            if let Some(bytes) = entity.get_name().and_then(|name| string_of(&name)) {
                facts.literals.insert(Literal::Str(bytes));
            }
            return;
        }
        let Some(value) = number(entity) else { return };
        facts.literals.insert(value.clone());
        if parent == EntityKind::UnaryOperator {
            facts.literals.insert(match value {
                Literal::Float(bits) => Literal::Float((-f64::from_bits(bits)).to_bits()),
                Literal::Int(value) => Literal::Int(-value),
                text @ Literal::Str(_) => text,
            });
        }
    }
}
