//! Checks override files against the model: every name must exist and be of the right kind.

mod base;
mod override_values;
mod parameters;
mod rows;

use super::file::{ArgumentHook, ConstructHook, FieldHook};
use super::lookup::{self, constructors_like, functions_named};
use super::{Overrides, Source, names_function};
use crate::diag::{Problem, nearest};
use crate::lexicon::arid::wrong;
use crate::lexicon::{Role, Row};
use crate::model::{Function, Model, TemplateParamKind, Type, TypeKind};
use crate::yaml::line_of_key;
use base::{Check, Named, Place, quoted, suggestion};
use std::collections::{BTreeMap, BTreeSet};

impl Overrides {
    /// Checks every hook against the model and qualifies class names, so that look-ups find them.
    ///
    /// # Errors
    ///
    /// Every name that does not exist or is of the wrong kind.
    pub fn resolve(&mut self, model: &Model) -> Result<(), Vec<Problem>> {
        let mut check =
            Check { model, mentioned: mentioned_classes(model), problems: Vec::new(), seen: BTreeMap::new() };
        for source in &mut self.files {
            check.source(source);
        }
        if check.problems.is_empty() { Ok(()) } else { Err(check.problems) }
    }

    /// Like `resolve`, but skips a file with a problem and returns the problem: for commands that update files to
    /// changed code. References to an old signature are resolved to the new one.
    pub fn resolve_what_fits(&mut self, model: &Model) -> Vec<Problem> {
        let mut told = Vec::new();
        for source in &mut self.files {
            let Some(name) = source.file.function.clone() else { continue };
            let Some(now) = successor(model, &name) else { continue };
            let what = format!("no function of the project is called `{name}`");
            let fix = format!("did you mean `{now}`?");
            told.push(Place::of(source, &["function"]).problem("override-unknown-function", what, fix));
            source.file.function = Some(now.to_owned());
        }
        if let Err(problems) = self.resolve(model) {
            self.files.retain(|source| !problems.iter().any(|problem| problem.file.as_ref() == Some(&source.path)));
            told.extend(problems);
        }
        told
    }
}

/// The id of the only function with the name of `id`, if no function has the id.
fn successor<'m>(model: &'m Model, id: &str) -> Option<&'m str> {
    let bodies = || model.functions.values().filter(|function| function.definition.is_some());
    let (name, _) = id.split_once('(')?;
    if bodies().any(|function| names_function(id, &function.id)) {
        return None;
    }
    let mut same = bodies().filter(|function| function.qualified == name.trim());
    match (same.next(), same.next()) {
        (Some(only), None) => Some(&only.id),
        _ => None,
    }
}

impl<'m> Check<'m> {
    fn source(&mut self, source: &mut Source) {
        let units = self.target(source);
        self.duplicates(source);
        // The text is needed for line numbers while names are qualified: check a copy, change the original.
        let said = source.clone();
        source.file.subtypes = self.renamed(&said, "subtypes", &said.file.subtypes, |check, class, place, names| {
            for name in &names.0 {
                check.subtype(&place.word(name), class, name);
            }
        });
        source.file.templates = self.renamed(&said, "templates", &said.file.templates, |check, class, place, args| {
            check.template(place, class, &args.0);
        });
        source.file.construct = self.renamed(&said, "construct", &said.file.construct, |check, class, place, hook| {
            check.construction(place, class, hook);
        });
        source.file.fields = self.renamed(&said, "fields", &said.file.fields, |check, class, place, fields| {
            for (name, hook) in fields {
                let line = line_of_key(&said.text, name, place.line).unwrap_or(place.line);
                check.field(&Place { source: &said, line }, class, name, hook);
            }
        });
        source.file.exclude = said
            .file
            .exclude
            .iter()
            .map(|(name, why)| (self.excluded(&Place::of(&said, &["exclude", name]), name, why), why.clone()))
            .collect();
        for (name, hook) in &said.file.parameters {
            self.parameter(&Place::of(&said, &["parameters", name]), &units, name, hook);
        }
        source.file.sequences = self.renamed(&said, "sequences", &said.file.sequences, |check, class, place, hook| {
            check.sequence(place, class, hook);
        });
        source.file.library = self.renamed(&said, "library", &said.file.library, |check, class, place, row| {
            check.row(place, class, row);
        });
        for (name, hook) in &said.file.types {
            self.type_hook(&Place::of(&said, &["types", name]), name, hook);
        }
        self.lexicon(&said);
        self.arid(&said);
        self.through(&Place::of(&said, &["through"]), &units);
        let targeted = said.file.function.is_some() || said.file.class.is_some();
        self.before(&Place::of(&said, &["before"]), targeted, &units, &said.file.before);
        self.statements(&Place::of(&said, &["reset"]), &said.file.reset, &[]);
        if let Some(hook) = &said.file.result {
            self.result(&Place::of(&said, &["result"]), &units, hook.least_length.is_some());
        }
    }

    /// Words hold for all names; pairs are for the ends of ranges, and for nothing else.
    fn lexicon(&mut self, said: &Source) {
        let place = Place::of(said, &["lexicon"]);
        let file = &said.file;
        if !file.lexicon.is_empty() && (file.function.is_some() || file.class.is_some()) {
            let fix = "move `lexicon:` to a file without `function:` and `class:`";
            self.report(&place, "override-lexicon", "words of names hold for the whole project", fix);
        }
        for (role, rows) in &file.lexicon {
            for row in rows.iter().filter(|row| matches!(row, Row::Pair(..)) != (*role == Role::RangeEnds)) {
                let fix = "`range_ends` has pairs (`begin..end`), every other role has words";
                self.report(
                    &place.word(&row.to_string()),
                    "override-lexicon",
                    format!("`{row}` does not suit the role"),
                    fix,
                );
            }
        }
    }

    fn arid(&mut self, said: &Source) {
        let place = Place::of(said, &["arid"]);
        if !said.file.arid.is_empty() && (said.file.function.is_some() || said.file.class.is_some()) {
            let fix = "move `arid:` to a file without `function:` and `class:`";
            self.report(&place, "override-arid", "these patterns hold for the whole project", fix);
        }
        for pattern in said.file.arid.values().flatten() {
            if let Some(why) = wrong(pattern) {
                let what = format!("`{pattern}` is no pattern: {why}");
                self.report(&place.word(pattern), "override-arid", what, "write it as `audit::*`");
            }
        }
    }

    /// The functions that the file speaks for.
    fn target(&mut self, source: &mut Source) -> Vec<&'m Function> {
        let bodies = || self.model.functions.values().filter(|function| function.definition.is_some());
        match (source.file.function.clone(), source.file.class.clone()) {
            (Some(_), Some(_)) => {
                let fix = "leave one out: `class:` is for all methods of a class";
                self.report(&Place::of(source, &["class"]), "override-target", "both `function:` and `class:`", fix);
                Vec::new()
            }
            (Some(name), None) => {
                let meant: Vec<_> = bodies().filter(|function| names_function(&name, &function.id)).collect();
                if meant.is_empty() {
                    self.unknown_function(&Place::of(source, &["function"]), &name, bodies());
                }
                meant
            }
            (None, Some(name)) => {
                let place = Place::of(source, &["class"]);
                let found = self.class(&place, &name);
                let Some(class) = found else { return Vec::new() };
                source.file.class = Some(class.qualified.clone());
                bodies().filter(|function| function.owner.as_ref() == Some(&class.usr)).collect()
            }
            (None, None) => Vec::new(),
        }
    }

    fn duplicates(&mut self, source: &Source) {
        let file = &source.file;
        let target = file.function.clone().or(file.class.clone()).unwrap_or_default();
        fn keys<H>(section: &'static str, hooks: &BTreeMap<String, H>) -> Vec<(&'static str, String)> {
            hooks.keys().map(|key| (section, key.clone())).collect()
        }
        let said = [
            keys("library", &file.library),
            keys("types", &file.types),
            keys("sequences", &file.sequences),
            keys("subtypes", &file.subtypes),
            keys("templates", &file.templates),
            keys("construct", &file.construct),
            keys("parameters", &file.parameters),
        ];
        for (section, key) in said.concat() {
            let name = source.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(other) = self.seen.insert((target.clone(), section, key.clone()), name) {
                let what = format!("`{section}: {key}` is already set in `{other}` for the same code");
                let place = Place::of(source, &[section, &key]);
                self.report(&place, "override-twice", what, "set it in one of the files");
            }
        }
    }

    /// The section with qualified class names; `look` checks each entry whose class is known.
    fn renamed<H: Clone>(
        &mut self,
        source: &Source,
        section: &str,
        hooks: &BTreeMap<String, H>,
        mut look: impl FnMut(&mut Self, &Named<'m>, &Place<'_>, &H),
    ) -> BTreeMap<String, H> {
        let mut renamed = BTreeMap::new();
        for (name, hook) in hooks {
            let place = Place::of(source, &[section, name]);
            if let Some(class) = self.named(&place, name) {
                look(self, &class, &place, hook);
                renamed.insert(class.name().to_owned(), hook.clone());
            }
        }
        renamed
    }

    fn subtype(&mut self, place: &Place<'_>, base: &Named<'m>, name: &str) {
        let Some(class) = self.class(place, lookup::without_arguments(name)) else { return };
        if let Some((_, list)) = name.split_once('<') {
            let args = crate::types::spelling::split_arguments(list.trim_end().strip_suffix('>').unwrap_or(list));
            self.template(place, &Named::Own(class), &args);
        }
        if class.qualified == base.name() {
            if class.is_abstract {
                let what = format!("`{name}` is abstract itself");
                self.report(place, "override-abstract-subtype", what, "name a concrete subtype");
            }
            return;
        }
        let known = concrete_subtypes(self.model, base.name());
        let fix = match known.as_slice() {
            [] => "the project has no concrete subtype of it".to_owned(),
            known => format!("concrete subtypes of `{}`: {}", base.name(), quoted(known)),
        };
        if !lookup::derives_from(self.model, class, base.name()) {
            let what = format!("`{name}` is not a subtype of `{}`", base.name());
            self.report(place, "override-not-a-subtype", what, fix);
        } else if class.is_abstract {
            self.report(place, "override-abstract-subtype", format!("`{name}` is abstract itself"), fix);
        }
    }

    fn template(&mut self, place: &Place<'_>, class: &Named<'m>, args: &[String]) {
        let Named::Own(class) = class else { return };
        let Some(params) = &class.template else {
            let what = format!("`{}` is not a template", class.qualified);
            return self.report(place, "override-not-a-template", what, "leave it out");
        };
        let least = params.iter().filter(|param| param.default.is_none() && !param.is_pack()).count();
        let most = if params.iter().any(|param| param.is_pack()) { usize::MAX } else { params.len() };
        if args.len() < least || args.len() > most {
            let list: Vec<&str> = params.iter().map(|param| param.text.as_str()).collect();
            let what = format!("`{}` takes {} template arguments, not {}", class.qualified, params.len(), args.len());
            let fix = format!("its parameters: {}", list.join(", "));
            return self.report(place, "override-template-arguments", what, fix);
        }
        for (arg, param) in args.iter().zip(params) {
            let is_value = arg.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '\''))
                || matches!(arg.as_str(), "true" | "false");
            let place = place.word(arg);
            match param.kind {
                TemplateParamKind::Type if is_value => {
                    let what = format!("`{arg}` is a value, and `{}` wants a type", param.text);
                    self.report(&place, "override-template-arguments", what, "name a type");
                }
                TemplateParamKind::Type => self.known_type(&place, arg),
                TemplateParamKind::Value
                    if lookup::is_builtin(arg) || lookup::class_named(self.model, arg).is_some() =>
                {
                    let what = format!("`{arg}` is a type, and `{}` wants a value", param.text);
                    self.report(&place, "override-template-arguments", what, "give a value");
                }
                _ => {}
            }
        }
    }

    fn construction(&mut self, place: &Place<'_>, class: &Named<'m>, hook: &ConstructHook) {
        let ways = [&hook.constructor, &hook.factory, &hook.expression].into_iter().flatten().count();
        if ways > 1 || hook.expression.is_some() && !hook.args.is_empty() {
            let fix = "give one of `constructor` (with `args`), `factory` (with `args`) and `expression`";
            return self.report(place, "override-construct", "more than one way to construct the object is given", fix);
        }
        self.statements(place, &hook.then, &["it"]);
        if ways == 0 && hook.args.is_empty() && !hook.then.is_empty() {
            return;
        }
        if ways == 0 && hook.args.is_empty() {
            let fix = "set `constructor`, `factory`, `expression`, `args` or `then`";
            return self.report(place, "override-construct", "no way to construct the object is given", fix);
        }
        if let Some(name) = &hook.factory {
            return self.factory(&place.word(name), class, name, &hook.args);
        }
        if hook.expression.is_some() {
            return;
        }
        let Named::Own(class) = class else {
            let what = format!("`{}` is not defined in the project: its constructors are not known", class.name());
            let fix = "give a `factory` of the project, or an `expression`";
            return self.report(place, "override-construct", what, fix);
        };
        let all: Vec<&Function> = class.constructors(self.model).collect();
        let list: Vec<String> = all.iter().map(|constructor| lookup::signature(constructor)).collect();
        let fix = format!("constructors of `{}`: {}", class.qualified, quoted(&list));
        match &hook.constructor {
            Some(wanted) => match constructors_like(self.model, class, wanted).as_slice() {
                [] => {
                    let what = format!("`{}` has no constructor `{wanted}`", class.qualified);
                    self.report(&place.word(wanted), "override-unknown-constructor", what, fix);
                }
                [constructor, ..] if hook.args.len() > constructor.params.len() => {
                    let what =
                        format!("`{wanted}` takes {} arguments, not {}", constructor.params.len(), hook.args.len());
                    self.report(place, "override-arguments", what, fix);
                }
                [constructor, ..] => self.arguments(place, constructor, &hook.args),
            },
            None if all.iter().all(|constructor| constructor.params.len() < hook.args.len()) => {
                let what = format!("`{}` has no constructor of {} arguments", class.qualified, hook.args.len());
                self.report(place, "override-arguments", what, fix);
            }
            None => {
                // The planner's choice: the shortest that takes the arguments.
                let usable = all.iter().filter(|c| !c.is_deleted && !c.is_copy_or_move);
                let fitting: Vec<_> = usable.filter(|c| c.params.len() >= hook.args.len()).collect();
                let least = fitting.iter().map(|c| c.params.len()).min();
                let shortest: Vec<_> = fitting.into_iter().filter(|c| Some(c.params.len()) == least).collect();
                match shortest.as_slice() {
                    [only] => self.arguments(place, only, &hook.args),
                    [] => {}
                    several => {
                        let list: Vec<String> = several.iter().map(|c| lookup::signature(c)).collect();
                        let what = format!("the arguments may be for several constructors of `{}`", class.qualified);
                        let fix = format!("choose one with `constructor`: {}", quoted(&list));
                        self.report(place, "override-ambiguous", what, fix);
                    }
                }
            }
        }
    }

    fn factory(&mut self, place: &Place<'_>, class: &Named<'m>, name: &str, args: &[ArgumentHook]) {
        match functions_named(self.model, name).as_slice() {
            [] => {
                let yielding = self.model.functions.values().filter(|function| self.yields(function, class.name()));
                let list: Vec<&str> = yielding.map(|function| function.id.as_str()).collect();
                let fix = match nearest(name, list.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if list.is_empty() => format!("nothing in the project returns a `{}`", class.name()),
                    None => format!("these return a `{}`: {}", class.name(), quoted(&list)),
                };
                let what = format!("no function of the project is called `{name}`");
                self.report(place, "override-unknown-function", what, fix);
            }
            [function] if !self.yields(function, class.name()) => {
                let what = format!("`{name}` returns `{}`, not a `{}`", function.result.spelling, class.name());
                self.report(place, "override-factory", what, "name a function that returns it, or a pointer to it");
            }
            found => self.called(place, name, found, args),
        }
    }

    /// Whether the function returns `class`, a subtype, or a pointer to it.
    fn yields(&self, function: &Function, class: &str) -> bool {
        let derives =
            |ty: &Type| self.model.class_of(ty).is_some_and(|own| lookup::derives_from(self.model, own, class));
        let is_it = |ty: &Type| matches!(&ty.kind, TypeKind::Record { name, .. } if name == class);
        function.result.any(|ty| is_it(ty) || derives(ty))
    }

    fn field(&mut self, place: &Place<'_>, class: &Named<'m>, name: &str, hook: &FieldHook) {
        let Named::Own(class) = class else {
            let what = format!("`{}` is not defined in the project", class.name());
            let fix = "fields can be filled in the project's own classes only";
            return self.report(place, "override-unknown-class", what, fix);
        };
        let Some(field) = class.fields.iter().find(|field| field.name == name) else {
            let names = class.fields.iter().map(|field| field.name.as_str());
            let fix = suggestion(name, names, &format!("`{}` has no such field", class.qualified));
            let what = format!("`{}` has no field `{name}`", class.qualified);
            return self.report(place, "override-unknown-field", what, fix);
        };
        if hook.length.is_some() {
            self.points(place, name, &field.ty, "length");
        }
        if let Some(pointee) = &hook.pointee {
            self.void_pointer(place, name, &field.ty, pointee);
        }
        self.statements(place, &hook.init, &["it"]);
        if *hook == FieldHook::default() {
            self.report(place, "override-empty", format!("`{name}` sets nothing"), "set `length`, `type` or `init`");
        }
    }

    /// The qualified name.
    fn excluded(&mut self, place: &Place<'_>, name: &str, why: &str) -> String {
        if why.trim().is_empty() {
            let what = format!("`{name}` is excluded without a reason");
            self.report(place, "override-exclude", what, "give the reason, which the report shows");
        }
        let Some((class_name, field)) = name.rsplit_once("::") else {
            let fix = "write the class and the field: `CLASS::FIELD`";
            self.report(place, "override-exclude", format!("`{name}` does not name the field's class"), fix);
            return name.to_owned();
        };
        let Some(class) = self.class(place, class_name) else { return name.to_owned() };
        if !class.fields.iter().any(|own| own.name == field) {
            let names = class.fields.iter().map(|field| field.name.as_str());
            let fix = suggestion(field, names, "an inherited field belongs to the class that declares it");
            let what = format!("`{}` has no field `{field}`", class.qualified);
            self.report(place, "override-unknown-field", what, fix);
        }
        format!("{}::{field}", class.qualified)
    }
}

fn concrete_subtypes(model: &Model, base: &str) -> Vec<String> {
    let concrete = model.classes.values().filter(|class| !class.is_abstract && class.definition.is_some());
    concrete.filter(|class| lookup::derives_from(model, class, base)).map(|class| class.qualified.clone()).collect()
}

/// Names of all classes in signatures, fields and bases.
fn mentioned_classes(model: &Model) -> BTreeSet<&str> {
    let mut types: Vec<&Type> = Vec::new();
    for function in model.functions.values() {
        types.push(&function.result);
        types.extend(function.params.iter().map(|param| &param.ty));
    }
    for class in model.classes.values() {
        types.extend(class.fields.iter().map(|field| &field.ty));
        types.extend(class.bases.iter().map(|base| &base.ty));
    }
    let mut names = BTreeSet::new();
    for ty in types {
        ty.walk(&mut |part| {
            if let TypeKind::Record { name, .. } = &part.kind {
                names.insert(name.as_str());
            }
        });
    }
    names
}
