//! Which arguments the project's templates are used with: in plain code, and in the instantiations that come of it.

use super::names::{is_class, is_function};
use super::read::Reader;
use crate::model::{TemplateArg, Type, TypeKind, Usr};
use clang::{Entity, EntityKind, TemplateArgument};
use std::collections::BTreeMap;

/// So many instantiations of one translation unit are read.
const MOST: usize = 20_000;
/// Deeper expressions are not followed.
const DEEPEST: usize = 200;

impl<'tu> Reader<'tu> {
    /// Reads the bodies of the instantiations that were met, and of those that are met there: what a template does to its
    /// parameters only they show, since nobody wrote it down.
    pub(super) fn read_instances(&mut self) {
        self.in_instance = true;
        let mut left = MOST;
        while let Some(instance) = self.instances.pop().filter(|_| left > 0) {
            left -= 1;
            self.read_instance(instance, 0);
        }
        self.in_instance = false;
    }

    fn read_instance(&mut self, entity: Entity<'tu>, depth: usize) {
        use EntityKind::{CallExpr, DeclRefExpr, FieldDecl, MemberRefExpr, NewExpr, ParmDecl, TypeRef, VarDecl};
        for child in entity.get_children() {
            let kind = child.get_kind();
            if matches!(kind, CallExpr | DeclRefExpr | MemberRefExpr)
                && let Some(target) = child.get_reference().filter(|target| is_function(target.get_kind()))
            {
                self.harvest_function(target);
            }
            if matches!(kind, CallExpr | FieldDecl | NewExpr | ParmDecl | TypeRef | VarDecl) {
                self.harvest(child);
            }
            if depth < DEEPEST {
                self.read_instance(child, depth + 1);
            }
        }
    }

    /// Notes an instantiation of a template of the project.
    pub(super) fn instantiated(&mut self, template: Usr, args: Vec<TemplateArg>) {
        let direct = self.model.instantiations.get(&template).is_some_and(|known| known.contains(&args));
        match self.in_instance {
            _ if direct => {}
            true => {
                self.model.inner_instantiations.entry(template).or_default().insert(args);
            }
            false => {
                self.model.instantiations.entry(template).or_default().insert(args);
            }
        }
    }

    /// Notes the instantiations of project templates that the entity's type is made of.
    pub(super) fn harvest(&mut self, entity: Entity<'tu>) {
        let Some(mut ty) = entity.get_type().map(|ty| ty.get_canonical_type()) else { return };
        for _ in 0..4 {
            match ty.get_pointee_type().or_else(|| ty.get_element_type()) {
                Some(inner) => ty = inner,
                None => break,
            }
        }
        let has_arguments = ty.get_template_argument_types().is_some_and(|args| !args.is_empty());
        if (has_arguments || self.in_instance && is_in_instance(ty)) && self.harvested.insert(ty.get_display_name()) {
            self.ty(ty);
        }
    }

    /// Notes the arguments with which a function template of the project is used, or the class that a function is used of.
    pub(super) fn harvest_function(&mut self, target: Entity<'tu>) {
        if !self.harvested_functions.insert(target) {
            return;
        }
        let template = self.primary(target);
        if template == target || !self.is_project(template) {
            return;
        }
        self.instances.push(target);
        let usr = self.usr(template);
        let parent = target.get_semantic_parent().filter(|parent| is_class(parent.get_kind()));
        if let Some(ty) = parent.and_then(|parent| parent.get_type())
            && let TypeKind::Record { args, .. } = self.ty(ty).kind
            && can_be_said(&args)
        {
            self.model.used_of.entry(usr.clone()).or_default().insert(args);
        }
        if let Some(list) = self.arguments_of(target) {
            self.instantiated(usr, list);
        }
    }

    /// The arguments of a function template's specialisation, explicit or not; none where they can't be said.
    pub(super) fn arguments_of(&mut self, target: Entity<'tu>) -> Option<Vec<TemplateArg>> {
        let template = target.get_template().filter(|t| t.get_kind() == EntityKind::FunctionTemplate)?;
        let list = match target.get_template_arguments() {
            Some(args) => args
                .into_iter()
                .map(|arg| match arg {
                    TemplateArgument::Type(ty) => Some(TemplateArg::Type(self.ty(ty))),
                    TemplateArgument::Integral(value, _) => Some(TemplateArg::Value(value.to_string())),
                    _ => None,
                })
                .collect(),
            None => self.deduced(template, target),
        };
        list.filter(|list: &Vec<TemplateArg>| can_be_said(list))
    }

    /// The arguments of a method template's instantiation, which not every libclang tells: what stands in the places of
    /// the parameters.
    fn deduced(&mut self, template: Entity<'tu>, instance: Entity<'tu>) -> Option<Vec<TemplateArg>> {
        let mut found = BTreeMap::new();
        for (pattern, actual) in self.params(template).iter().zip(self.params(instance)) {
            bind(&pattern.ty, &actual.ty, &mut found);
        }
        if let (Some(pattern), Some(actual)) = (template.get_result_type(), instance.get_result_type()) {
            bind(&self.ty(pattern), &self.ty(actual), &mut found);
        }
        let params = self.template_params(template);
        params.iter().map(|param| found.get(&param.name).cloned().map(TemplateArg::Type)).collect()
    }
}

/// Whether a class is nested in an instantiation of a template.
fn is_in_instance(ty: clang::Type<'_>) -> bool {
    let mut scope = ty.get_declaration().and_then(|class| class.get_semantic_parent());
    while let Some(parent) = scope.filter(|parent| is_class(parent.get_kind())) {
        if parent.get_template().is_some() {
            return true;
        }
        scope = parent.get_semantic_parent();
    }
    false
}

/// Whether there are arguments, and all have names outside their function.
fn can_be_said(list: &[TemplateArg]) -> bool {
    let nameless = |arg: &TemplateArg| match arg {
        TemplateArg::Type(ty) => {
            ty.spelling.is_empty() || ["(lambda", "(anonymous", "(unnamed"].iter().any(|no| ty.spelling.contains(no))
        }
        TemplateArg::Value(_) => false,
    };
    let no_name = |arg: &TemplateArg| nameless(arg) || super::arguments::is_local(arg);
    !list.is_empty() && !list.iter().any(|arg| no_name(arg) || super::arguments::is_dependent(arg))
}

/// What stands in `actual` where `pattern` has a template's parameters.
fn bind(pattern: &Type, actual: &Type, found: &mut BTreeMap<String, Type>) {
    use TypeKind::{Array, Dependent, LvalueRef, Pointer, Record, RvalueRef};
    match (&pattern.kind, &actual.kind) {
        (Dependent(name), _) => {
            let mut ty = actual.clone();
            if pattern.is_const && ty.is_const {
                ty.spelling = ty.bare_spelling().to_owned();
                ty.is_const = false;
            }
            found.entry(name.trim_start_matches("const ").to_owned()).or_insert(ty);
        }
        (Pointer(pattern), Pointer(actual))
        | (LvalueRef(pattern), LvalueRef(actual))
        | (RvalueRef(pattern), RvalueRef(actual) | LvalueRef(actual))
        | (Array(pattern, _), Array(actual, _)) => bind(pattern, actual, found),
        (Record { args: patterns, .. }, Record { args, .. }) => {
            for pair in patterns.iter().zip(args) {
                if let (TemplateArg::Type(pattern), TemplateArg::Type(actual)) = pair {
                    bind(pattern, actual, found);
                }
            }
        }
        _ => {}
    }
}
