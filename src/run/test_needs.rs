//! The includes and declarations that a test needs.

use super::include_order::{include_operand, included, reaches};
use crate::compdb::CompileCommand;
use crate::generate;
use crate::generate::failing_calls::Asker;
use crate::lexicon::Lexicon;
use crate::model::{Class, Function, Language, Model, Type, TypeKind, Usr};
use crate::plan::Outside;
use crate::plan::c_lifecycle::{self, ender, is_made};
use crate::plan::{Entry, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Reads a file that was passed to the unit.
const TEXT_OF: &str = "static const char *text_of(FILE *file) {
  static char text[4097];
  const long place = ftell(file);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fseek(file, place, SEEK_SET);
  return text;
}";

/// The includes and declarations that a test needs.
pub(super) struct Needs<'m> {
    model: &'m Model,
    command: &'m CompileCommand,
    files: Vec<PathBuf>,
    pub(super) includes: Vec<String>,
    /// Includes that are there for these names alone.
    pub(super) only_for: BTreeMap<String, BTreeSet<String>>,
    pub(super) helpers: Vec<String>,
    /// A name is only visible within its source file.
    pub(super) local: bool,
    /// How headers of installed libraries are included.
    installed: Vec<String>,
    /// The source file of the unit.
    source: &'m Path,
    /// Headers whose content depends on the source file: if a test includes them first, they are empty for it.
    conditional: Vec<PathBuf>,
    /// Headers of what objects own: they must be seen where those are destroyed.
    owned: Vec<PathBuf>,
    /// The names in its text.
    words: &'m BTreeSet<String>,
    /// Classes whose size it has to know.
    whole: BTreeSet<Usr>,
}

impl<'m> Needs<'m> {
    pub(super) fn of(
        lexicon: &Lexicon,
        model: &'m Model,
        entry: &Entry,
        callee: &Function,
        command: &'m CompileCommand,
        words: &'m BTreeSet<String>,
    ) -> Self {
        let mut needs = Needs {
            model,
            command,
            files: Vec::new(),
            includes: Vec::new(),
            only_for: BTreeMap::new(),
            helpers: Vec::new(),
            local: false,
            installed: Vec::new(),
            source: &command.file,
            conditional: Vec::new(),
            owned: Vec::new(),
            words,
            whole: whole(entry),
        };
        needs.function(callee);
        let stand_ins = generate::variadic_callbacks::stand_ins(entry, callee, callee.language);
        // (Of what others answer a test has what it sets.)
        let is_called = |text: &String| {
            let mut called = words.iter().filter(|word| word.starts_with("called_"));
            !text.contains("called_") || called.any(|word| text.contains(&format!("{word}(")))
        };
        needs.helpers.extend(stand_ins.into_iter().filter(is_called));
        needs.helpers.extend(generate::failing_calls::definitions(entry, callee.language, Asker::Test));
        for outside in &entry.outside {
            match outside {
                Outside::Function { function, .. } => needs.function(&model.functions[function]),
                Outside::Callback { .. } => {}
                Outside::Variable { variable, .. } => {
                    let file = &model.variables[variable].extent.file;
                    needs.file((!needs.is_main(file)).then(|| file.clone()));
                }
            }
        }
        for global in &entry.state.globals {
            let file = model.variables.get(&global.variable).map(|variable| variable.extent.file.clone());
            needs.local |= model.variables.get(&global.variable).is_some_and(|variable| variable.is_file_local);
            needs.file(file);
        }
        for call in &entry.state.calls {
            match (model.functions.get(&call.method), model.variables.get(&call.method)) {
                (Some(function), _) => needs.function(function),
                (None, variable) => needs.file(variable.map(|variable| variable.extent.file.clone())),
            }
        }
        let mut types = Vec::new();
        for slot in entry.slots() {
            slot.ty.walk(&mut |t| types.push((t.clone(), false)));
            slot.recipe.walk(&mut |recipe| {
                // Of the ways to make a value the test goes one.
                let function = match &recipe.kind {
                    Kind::Factory { function, .. } => model.functions.get(function),
                    _ => None,
                };
                let function = function.filter(|function| words.contains(&function.name));
                recipe.ty.walk(&mut |t| {
                    if function.is_some() || is_named(model, t, words) {
                        types.push((t.clone(), function.is_none()));
                    }
                });
                if matches!(recipe.kind, Kind::File) && !needs.helpers.iter().any(|known| known == TEXT_OF) {
                    needs.helpers.push(TEXT_OF.to_owned());
                }
                if let Kind::Pointer { to, given: false, .. } = &recipe.kind
                    && is_made(&to.recipe)
                    && let Some(end) = ender(lexicon, model, &to.ty, &to.recipe)
                {
                    needs.function(end);
                }
                if let Some(function) = function {
                    needs.function(function);
                }
            });
        }
        if let Some(end) = c_lifecycle::ends_result(lexicon, model, callee).filter(|end| words.contains(&end.name)) {
            needs.function(end);
        }
        if let Some(result) = &entry.result {
            result.walk(&mut |t| types.push((t.clone(), false)));
        }
        let mut named: BTreeMap<PathBuf, (usize, BTreeSet<String>)> = BTreeMap::new();
        for (ty, is_by_name) in types {
            let from = needs.files.len();
            match &ty.kind {
                TypeKind::Record { usr, .. } => {
                    if let Some(class) = model.classes.get(usr) {
                        needs.class(class);
                    }
                    for class in generate::headers::owned_by(model, &ty) {
                        // A class that is local to a source is destroyed there too.
                        let file = class.definition.as_ref().map(|at| &at.file);
                        needs.owned.extend(file.filter(|file| !needs.is_main(file)).cloned());
                    }
                }
                TypeKind::Enum(usr) => {
                    let file = model.enums.get(usr).and_then(|e| e.definition.as_ref()).map(|d| d.file.clone());
                    let is_own = file.as_ref().is_none_or(|file| model.files.contains_key(file));
                    if is_own { needs.file(file) } else { needs.install(needs.brought_along(file.as_deref())) }
                }
                _ => {}
            }
            for file in needs.files[from..].iter().filter(|_| is_by_name) {
                let (times, names) = named.entry(file.clone()).or_default();
                *times += 1;
                names.extend(names_of(model, &ty));
            }
        }
        let is_all = |file: &Path, times: usize| needs.files.iter().filter(|other| *other == file).count() == times;
        named.retain(|file, (times, names)| is_all(file, *times) && !names.contains(""));
        needs.only_for = named.into_iter().map(|(file, (_, names))| (include_operand(&file, command), names)).collect();
        let mut files = std::mem::take(&mut needs.files);
        let owned = std::mem::take(&mut needs.owned).into_iter();
        files.extend(owned.filter(|file| !files.iter().any(|from| reaches(model, from, file))).collect::<Vec<_>>());
        files.retain(|file| !needs.conditional.contains(file));
        files.sort();
        files.dedup();
        // A header may want what another one declares: in the order of the source the two go together.
        let order = included(model, &command.file);
        files.sort_by_key(|file| order.get(file.as_path()).copied().unwrap_or(order.len()));
        needs.includes = files.iter().map(|file| include_operand(file, command)).collect();
        needs.includes.append(&mut needs.installed);
        needs
    }

    fn class(&mut self, class: &Class) {
        // A part of an installed library may be in a header that must be included through another one.
        let place = class.definition.as_ref().or_else(|| class.declarations.first()).map(|at| at.file.as_path());
        if class.installed.is_some() || place.is_some_and(|file| !self.model.files.contains_key(file)) {
            let known = crate::cpp::header_of(&class.qualified, class.language).map(str::to_owned);
            return self.install(known.or_else(|| self.brought_along(place)));
        }
        let defined = class.definition.as_ref().map(|at| &at.file);
        let is_kept = class.language == Language::C && defined.is_some_and(|file| self.is_main(file));
        if let Some(header) = is_kept.then(|| self.handle_header(class)).flatten() {
            return self.files.push(header);
        }
        self.local |= class.is_file_local || is_kept;
        self.file(defined.filter(|_| !is_kept).cloned());
    }

    /// The header that declares a structure of C which a source keeps to itself, where the test only passes it on.
    fn handle_header(&self, class: &Class) -> Option<PathBuf> {
        let asks = self.whole.contains(&class.usr) || class.fields.iter().any(|field| self.words.contains(&field.name));
        let mut declared = class.declarations.iter().map(|at| &at.file);
        declared.find(|file| !asks && !self.is_main(file)).cloned()
    }

    fn brought_along(&self, file: Option<&Path>) -> Option<String> {
        file.and_then(|file| generate::headers::installed(self.model, self.source, file))
    }

    fn install(&mut self, header: Option<String>) {
        self.installed.extend(header.filter(|header| !self.installed.contains(header)));
    }

    fn file(&mut self, file: Option<PathBuf>) {
        let Some(file) = file else { return };
        if self.is_main(&file) {
            self.local = true;
        } else {
            self.files.push(file);
        }
    }

    fn is_main(&self, file: &Path) -> bool {
        is_part(file) || self.model.units.iter().any(|u| u.main_file == file)
    }

    fn function(&mut self, function: &Function) {
        // Code that a header has for one source only is available there only.
        if self.model.is_conditional(function) {
            self.conditional.extend(function.definition.as_ref().map(|at| at.extent.file.clone()));
            self.local = true;
            return;
        }
        if function.is_file_local {
            self.local = true;
            return;
        }
        // (A friend is declared where the class template that defines it is declared.)
        let owner = function.owner.as_ref().or(function.friend_of.as_ref());
        if let Some(class) = owner.and_then(|o| self.model.classes.get(o)) {
            self.class(class);
            return;
        }
        let is_main = |file: &Path| self.is_main(file);
        // A template is instantiated where its body is visible.
        if function.template.is_some() && function.definition.as_ref().is_some_and(|d| is_main(&d.extent.file)) {
            self.local = true;
            return;
        }
        let header = function
            .declarations
            .iter()
            .map(|d| &d.file)
            .chain(function.definition.iter().map(|d| &d.extent.file))
            .find(|file| !is_main(file))
            .cloned();
        match header {
            Some(header) => self.files.push(header),
            None => self.declare(function),
        }
    }

    /// Declares a function that no header of the project declares.
    fn declare(&mut self, function: &Function) {
        let mut params: Vec<String> =
            function.params.iter().map(|p| crate::cpp::declare(&p.ty.spelling, &p.name)).collect();
        if function.is_variadic {
            params.push("...".into());
        }
        let params =
            if params.is_empty() && function.language == Language::C { "void".into() } else { params.join(", ") };
        let head = crate::cpp::declare(&function.result.spelling, &format!("{}({params})", function.name));
        let as_c = function.language == Language::Cxx && function.mangled.as_deref() == Some(function.name.as_str());
        let head = if as_c { format!("extern \"C\" {head}") } else { head };
        let spaces: Vec<String> = function
            .scopes
            .iter()
            .filter_map(|s| match s {
                crate::model::Scope::Namespace { name, .. } => Some(format!("namespace {name} {{ ")),
                crate::model::Scope::Class(_) => None,
            })
            .collect();
        let words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
        // (A project with its own `uint8_t` does not need the library's.)
        let is_own = |word: &str| self.model.aliases.values().any(|alias| alias.qualified == word);
        let foreign = words.filter(|word| !is_own(word));
        let headers: Vec<&str> = foreign.filter_map(|word| crate::cpp::header_of(word, function.language)).collect();
        for header in headers {
            if !self.installed.iter().any(|known| known == header) {
                self.installed.push(header.to_owned());
            }
        }
        let line = format!("{}{head};{}", spaces.concat(), " }".repeat(spaces.len()));
        if !self.helpers.contains(&line) {
            self.helpers.push(line);
        }
        let _ = self.command;
    }
}

/// Whether a test names a type.
fn is_named(model: &Model, ty: &Type, words: &BTreeSet<String>) -> bool {
    names_of(model, ty).iter().any(|name| words.contains(name))
}

/// The names that a test can use a type by: its own, the one it is spelled with, its enumerators.
fn names_of(model: &Model, ty: &Type) -> Vec<String> {
    let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let spelled = ty.bare_spelling().split('<').next().unwrap_or_default();
    let spelled = spelled.rsplit([':', ' ']).find(|word| !word.is_empty() && *word != "*" && *word != "&");
    let own = match &ty.kind {
        TypeKind::Record { usr, .. } => model.classes.get(usr).map(|class| class.name.clone()).into_iter().collect(),
        TypeKind::Enum(usr) => model.enums.get(usr).map_or_else(Vec::new, |known| {
            known.enumerators.iter().map(|(name, _)| last(name)).chain([last(&known.qualified)]).collect()
        }),
        _ => return Vec::new(),
    };
    own.into_iter().chain(spelled.map(str::to_owned)).collect()
}

/// Whether a source of C is part of others, which include it under macros of theirs.
fn is_part(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c")
}

/// The classes of which a test makes, passes or gets objects itself: of others it has what functions lead it to.
fn whole(entry: &Entry) -> BTreeSet<Usr> {
    let mut found = BTreeSet::new();
    let mut by_value = |ty: &Type| found.extend(ty.record().cloned());
    for slot in entry.slots() {
        by_value(&slot.ty);
        slot.recipe.walk(&mut |recipe| {
            let is_led_to = matches!(recipe.kind, Kind::Factory { .. } | Kind::SetUp { .. } | Kind::Then { .. });
            if !is_led_to && !matches!(recipe.kind, Kind::Choice { .. } | Kind::Mined { .. } | Kind::Fixed { .. }) {
                by_value(&recipe.ty);
            }
        });
    }
    entry.result.iter().for_each(by_value);
    found
}
