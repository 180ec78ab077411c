//! Construction search: the cheapest way to an object that is no empty shell, over constructors, static and
//! free factories, and methods of objects that can be had; cycles are cut.

use super::values::{Planner, Substitution, value_type};
use super::{Reason, Recipe, Slot, Yield};
use crate::model::{Access, Class, Function, FunctionKind, TemplateArg, Type, TypeKind, Usr};
use std::path::Path;

/// The most concrete subtypes that one parameter chooses among.
const ALTERNATIVES: usize = 8;
/// Parameters beyond which a constructor is hardly the cheapest way.
const ARGUMENTS: usize = 12;

/// Cost of a value of no information: a default-constructed object is an empty shell.
const SHELL: u32 = 12;

impl<'m> Planner<'m> {
    /// An object of class `ty`, or of a concrete subtype.
    ///
    /// # Errors
    /// Why there is no way to one.
    pub fn object(&self, ty: &Type, depth: usize) -> Result<Recipe, Reason> {
        let TypeKind::Record { usr, name, .. } = &ty.kind else {
            return Err(Reason::new(format!("`{}` is not a class", ty.spelling)));
        };
        let class = &self.model.classes[usr];
        if let Some(named) = self.overrides.subtypes_for(&class.qualified, &self.unit.borrow()) {
            self.overridden.set(true);
            return self.subtypes(ty, &named.iter().filter_map(|n| self.named_type(n)).collect::<Vec<_>>(), depth);
        }
        if class.is_abstract {
            let concrete = self.hierarchy.concrete_subtypes(usr);
            if concrete.is_empty() {
                return Err(Reason::new(format!("`{name}` is abstract and the project has no concrete subtype"))
                    .needs(format!("subtypes.{name}")));
            }
            let types: Vec<Type> = concrete.iter().filter_map(|usr| self.class_type(usr)).collect();
            return self
                .subtypes(ty, &types, depth)
                .map_err(|reason| Reason { needs: vec![format!("subtypes.{name}")], ..reason });
        }
        self.concrete(ty, class, depth)
    }

    fn subtypes(&self, base: &Type, concrete: &[Type], depth: usize) -> Result<Recipe, Reason> {
        let mut among = Vec::new();
        let mut failed = Vec::new();
        for ty in concrete {
            let TypeKind::Record { usr, .. } = &ty.kind else { continue };
            match self.concrete(ty, &self.model.classes[usr], depth + 1) {
                Ok(recipe) if among.len() < ALTERNATIVES => {
                    among.push(Slot { name: variable(&ty.spelling), ty: ty.clone(), recipe });
                }
                Ok(_) => {}
                Err(reason) => failed.push(format!("{}: {}", ty.spelling, reason.what)),
            }
        }
        if among.is_empty() {
            return Err(Reason::new(format!(
                "no concrete subtype of `{}` can be constructed ({})",
                base.spelling,
                failed.join("; ")
            )));
        }
        Ok(Recipe::Choice { ty: value_type(base), among })
    }

    /// The class as a type; a template gets arguments that the project uses, or the simplest.
    pub fn class_type(&self, usr: &Usr) -> Option<Type> {
        let class = self.model.classes.get(usr)?;
        let args = self.template_args(class)?;
        Some(record_type(class, args))
    }

    /// Arguments for a class template: an override's, those of the first instantiation in the project, else `int`
    /// for types and 4 for values. Empty for a plain class.
    pub fn template_args(&self, class: &Class) -> Option<Vec<TemplateArg>> {
        let Some(params) = &class.template else { return Some(Vec::new()) };
        if let Some(named) = self.overrides.template_args_for(&class.qualified, &self.unit.borrow()) {
            self.overridden.set(true);
            return Some(named.iter().map(|text| self.named_argument(text)).collect());
        }
        // What is specialised has another body than the template's.
        let special = self.specialized.get(&class.usr);
        let is_special = |args: &[TemplateArg]| special.is_some_and(|all| all.contains(&args));
        if let Some(args) = self
            .model
            .instantiations
            .get(&class.usr)
            .and_then(|all| all.iter().find(|args| !args.iter().any(is_dependent) && !is_special(args)))
        {
            return Some(args.clone());
        }
        params
            .iter()
            .map(|param| match param.kind {
                crate::model::TemplateParamKind::Type => Some(self.named_argument("int")),
                crate::model::TemplateParamKind::Value => Some(TemplateArg::Value("4".into())),
                crate::model::TemplateParamKind::Template => None,
            })
            .collect()
    }

    fn named_argument(&self, text: &str) -> TemplateArg {
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'') || text == "true" || text == "false"
        {
            return TemplateArg::Value(text.to_owned());
        }
        TemplateArg::Type(self.named_type(text).unwrap_or_else(|| super::entry::simple_type(text)))
    }

    /// A type by the name that a person wrote.
    pub fn named_type(&self, text: &str) -> Option<Type> {
        let text = text.trim();
        let (name, args) = match text.split_once('<') {
            Some((name, rest)) => (name.trim(), Some(rest.strip_suffix('>')?)),
            None => (text, None),
        };
        if let Some(class) = self.model.class_named(name) {
            let args = match args {
                Some(args) => {
                    crate::overrides::lookup::split_arguments(args).iter().map(|a| self.named_argument(a)).collect()
                }
                None => self.template_args(class)?,
            };
            return Some(record_type(class, args));
        }
        if let Some(found) = self.model.enums.values().find(|e| e.qualified == name) {
            let kind = TypeKind::Enum(found.usr.clone());
            return Some(Type { spelling: found.qualified.clone(), is_const: false, kind, size: None });
        }
        if let Some(alias) = self.model.aliases.values().find(|a| a.qualified == name) {
            return Some(alias.target.clone());
        }
        super::entry::primitive(text)
    }

    fn concrete(&self, ty: &Type, class: &'m Class, depth: usize) -> Result<Recipe, Reason> {
        if self.open.borrow().contains(&class.usr) {
            return Err(Reason::new(format!("making a `{}` needs another one", class.qualified)));
        }
        if class.definition.is_none() {
            return Err(Reason::new(format!("`{}` is only declared", class.qualified))
                .needs(format!("construct.{}", class.qualified)));
        }
        if !self.in_reach(class) {
            let file = class.definition.as_ref().and_then(|extent| extent.file.file_name()).unwrap_or_default();
            return Err(Reason::new(format!("`{}` is {}'s own", class.qualified, file.to_string_lossy())));
        }
        self.open.borrow_mut().push(class.usr.clone());
        let best = self.cheapest(ty, class, depth);
        self.open.borrow_mut().pop();
        best.and_then(|recipe| self.prepared(recipe, class))
    }

    fn cheapest(&self, ty: &Type, class: &'m Class, depth: usize) -> Result<Recipe, Reason> {
        let TypeKind::Record { args, .. } = &ty.kind else { unreachable!("only classes are constructed") };
        let with = Substitution::of(class, args);
        let mut found: Vec<(u32, Recipe)> = Vec::new();
        let mut failed: Vec<String> = Vec::new();
        if let Some(recipe) = self.overridden_construction(ty, class, &with)? {
            return Ok(recipe);
        }
        let reachable = !matches!(self.destructor_access(class), Some(Access::Private | Access::Protected));
        let mut declared = false;
        for ctor in class.constructors(self.model).filter(|c| c.template.is_none()) {
            declared |= !ctor.is_copy_or_move;
            if ctor.is_deleted || ctor.is_copy_or_move || ctor.access != Some(Access::Public) || !reachable {
                continue;
            }
            if ctor.params.len() > ARGUMENTS {
                continue;
            }
            match self.params(&ctor.params, &with, None) {
                Ok(args) => {
                    let recipe = Recipe::Construct { ty: value_type(ty), constructor: Some(ctor.usr.clone()), args };
                    found.push((cost(&recipe), recipe));
                }
                Err(reason) => failed.push(format!("constructor {}: {}", signature(ctor), reason.what)),
            }
        }
        if !declared && reachable {
            let recipe = Recipe::Construct { ty: value_type(ty), constructor: None, args: Vec::new() };
            found.push((cost(&recipe), recipe));
        }
        // Factories are looked for only where no constructor serves well: they cost a search each.
        if found.iter().all(|(cost, _)| *cost >= SHELL) && depth < 4 {
            for (function, yields) in self.factories(class) {
                match self.factory(ty, function, yields, depth) {
                    Ok(recipe) => found.push((cost(&recipe) + self.detour(function, class), recipe)),
                    Err(reason) => failed.push(format!("{}: {}", function.qualified, reason.what)),
                }
            }
        }
        // Where one way fills a container and others leave it empty, those others make shells.
        let fills = |recipe: &Recipe| {
            matches!(recipe, Recipe::Construct { .. })
                && recipe.parts().iter().any(|slot| matches!(slot.recipe, Recipe::Sequence { .. }))
        };
        if found.iter().any(|(_, recipe)| fills(recipe)) {
            let shells =
                found.iter_mut().filter(|(_, recipe)| matches!(recipe, Recipe::Construct { .. }) && !fills(recipe));
            shells.for_each(|(cost, _)| *cost += SHELL);
        }
        found.into_iter().min_by_key(|(cost, _)| *cost).map(|(_, recipe)| recipe).ok_or_else(|| {
            let tried =
                if failed.is_empty() { "no public constructor or factory".to_owned() } else { failed.join("; ") };
            Reason::new(format!("no `{}` can be constructed: {tried}", class.qualified))
                .needs(format!("construct.{}", class.qualified))
        })
    }

    /// Whether a driver of the unit can name the class: one that a source file keeps to itself is out of reach of
    /// the drivers of other files.
    pub(super) fn in_reach(&self, class: &Class) -> bool {
        !class.is_file_local || class.definition.as_ref().is_none_or(|extent| self.sees(&extent.file))
    }

    /// Whether a driver of the unit can call the function: it is declared in a header, or in what the driver sees.
    pub(super) fn is_declared(&self, function: &Function) -> bool {
        let places = function.declarations.iter().chain(function.definition.iter().map(|d| &d.extent));
        let is_main = |file: &Path| self.model.units.iter().any(|unit| unit.main_file == file);
        places.into_iter().any(|extent| !is_main(&extent.file) || self.sees(&extent.file))
    }

    /// Whether the unit's translation unit includes `file`.
    pub(super) fn sees(&self, file: &Path) -> bool {
        let unit = self.source.get().and_then(|index| self.model.units.get(index));
        unit.is_none_or(|unit| unit.files.iter().any(|known| known == file))
    }

    fn destructor_access(&self, class: &Class) -> Option<Access> {
        class
            .methods
            .iter()
            .filter_map(|usr| self.model.functions.get(usr))
            .find(|f| f.kind == FunctionKind::Destructor)
            .and_then(|f| if f.is_deleted { Some(Access::Private) } else { f.access })
    }

    /// Functions of the project that yield an object of the class, in a stable order.
    fn factories(&self, class: &Class) -> Vec<(&'m Function, Yield)> {
        let mut all: Vec<_> = self
            .model
            .functions
            .values()
            .filter(|f| f.template.is_none() && !f.is_deleted && !f.is_file_local)
            .filter(|f| f.owner.as_ref().and_then(|o| self.model.classes.get(o)).is_none_or(|o| self.in_reach(o)))
            .filter(|f| matches!(f.access, None | Some(Access::Public)))
            .filter(|f| !matches!(f.kind, FunctionKind::Constructor | FunctionKind::Destructor))
            .filter(|f| f.kind != FunctionKind::Method || !f.name.starts_with("operator"))
            .filter_map(|f| yields(&f.result, &class.usr).map(|y| (f, y)))
            .filter(|(f, _)| self.is_declared(f))
            .collect();
        // What is made for this first, then fewer parameters; a free or static function before a method.
        all.sort_by_key(|(f, _)| {
            let effort = f.params.len() + usize::from(f.kind == FunctionKind::Method) * 2;
            (self.detour(f, class), effort, f.id.clone())
        });
        all.truncate(24);
        all
    }

    /// What speaks against a factory: a function that creates hardly ever yields null, one that looks something up
    /// often does; a method of a base that yields a subclass is a cast, not a way to an object.
    fn detour(&self, function: &Function, class: &Class) -> u32 {
        let owner = function.owner.as_ref();
        let is_cast = owner.is_some_and(|o| *o == class.usr || self.hierarchy.ancestors(&class.usr).contains(o));
        let is_const = match &function.result.kind {
            TypeKind::Pointer(to) | TypeKind::LvalueRef(to) => to.is_const,
            _ => false,
        };
        let creates = creates(&function.name) || !matches!(function.result.kind, TypeKind::Pointer(_));
        u32::from(is_cast) * 40 + u32::from(!creates) * 4 + u32::from(is_const) * 2
    }

    fn factory(&self, ty: &Type, function: &Function, yields: Yield, depth: usize) -> Result<Recipe, Reason> {
        let (callee, object) = if function.kind == FunctionKind::Method || function.kind == FunctionKind::Conversion {
            let owner = function.owner.as_ref().and_then(|o| self.class_type(o));
            let owner = owner.ok_or_else(|| Reason::new("its class is not known"))?;
            let recipe = self.object(&owner, depth + 1)?;
            (function.name.clone(), Some(Box::new(Slot { name: variable(&owner.spelling), ty: owner, recipe })))
        } else {
            (function.qualified.clone(), None)
        };
        let args = self.params(&function.params, &Substitution::default(), None)?;
        Ok(Recipe::Factory { ty: value_type(ty), function: function.usr.clone(), callee, object, args, yields })
    }
}

/// What `result` yields of class `usr`, if anything.
fn yields(result: &Type, usr: &Usr) -> Option<Yield> {
    match &result.kind {
        TypeKind::Record { usr: found, name, args } => {
            if found == usr {
                return Some(Yield::Value);
            }
            let smart = matches!(name.as_str(), "std::unique_ptr" | "std::shared_ptr");
            match args.first() {
                Some(TemplateArg::Type(inner)) if smart && inner.record() == Some(usr) && !inner.is_const => {
                    Some(Yield::Smart)
                }
                _ => None,
            }
        }
        TypeKind::Pointer(inner) if inner.record() == Some(usr) => Some(Yield::Borrowed),
        TypeKind::LvalueRef(inner) if inner.record() == Some(usr) => Some(Yield::Reference),
        _ => None,
    }
}

/// The cost of a recipe: bytes of attention, an empty shell being dear.
fn cost(recipe: &Recipe) -> u32 {
    let parts: u32 = recipe.parts().iter().map(|slot| cost(&slot.recipe)).fold(0, u32::saturating_add);
    match recipe {
        Recipe::Construct { args, .. } if args.is_empty() => SHELL,
        Recipe::Construct { .. } => 1 + parts,
        // A factory's object is set up by people who know how; what it needs is the price.
        Recipe::Factory { yields: Yield::Borrowed | Yield::Reference, .. } => 6 + parts,
        Recipe::Factory { .. } => 4 + parts,
        Recipe::Choice { among, .. } => 1 + among.iter().map(|slot| cost(&slot.recipe)).min().unwrap_or(1),
        Recipe::SetUp { object, .. } | Recipe::Then { object, .. } => cost(&object.recipe),
        Recipe::StdString { .. } | Recipe::CString { .. } => 2,
        Recipe::Sequence { .. } | Recipe::Array { .. } => 2 + parts,
        Recipe::Pointer { .. } => 2 + parts,
        Recipe::Fixed { .. } | Recipe::OneOf { .. } => 2,
        Recipe::Fields { .. } | Recipe::Bytes { .. } => 1 + parts,
        _ => 1 + parts,
    }
}

/// Whether a function's name says that it makes something.
fn creates(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["new", "create", "make", "build", "clone", "insert", "alloc"].iter().any(|word| name.starts_with(word))
}

fn signature(function: &Function) -> String {
    let params: Vec<&str> = function.params.iter().map(|p| p.ty.spelling.as_str()).collect();
    format!("({})", params.join(", "))
}

fn is_dependent(arg: &TemplateArg) -> bool {
    match arg {
        TemplateArg::Type(ty) => {
            let mut found = false;
            ty.walk(&mut |t| found |= matches!(t.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_)));
            found
        }
        TemplateArg::Value(text) => text.is_empty(),
    }
}

/// The type that names `class` with `args`.
pub fn record_type(class: &Class, args: Vec<TemplateArg>) -> Type {
    let mut spelling = class.qualified.clone();
    let args = if class.specialized_for.is_empty() { args } else { class.specialized_for.clone() };
    if class.template.is_some() || !class.specialized_for.is_empty() {
        let list: Vec<&str> = args
            .iter()
            .map(|a| match a {
                TemplateArg::Type(t) => t.spelling.as_str(),
                TemplateArg::Value(v) => v.as_str(),
            })
            .collect();
        spelling = format!("{spelling}<{}>", list.join(", "));
    }
    let kind = TypeKind::Record { usr: class.usr.clone(), name: class.qualified.clone(), args };
    Type { spelling, is_const: false, kind, size: class.size }
}

/// A variable name after a type: `sat::StaticMission` becomes `staticMission`.
pub fn variable(spelling: &str) -> String {
    let head = spelling.split('<').next().unwrap_or(spelling);
    let last = head.rsplit("::").next().unwrap_or(head).trim();
    let last: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    // XMLDocument → document is beyond us, xmlDocument is not.
    let upper = last.chars().take_while(char::is_ascii_uppercase).count();
    let lower = match upper {
        0 => return format!("{last}_"),
        1 => 1,
        n if n == last.len() => n,
        n => n - 1,
    };
    let name = last[..lower].to_ascii_lowercase() + &last[lower..];
    if name == last.as_str() || is_keyword(&name) { format!("{name}_") } else { name }
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "default"
            | "double"
            | "float"
            | "int"
            | "union"
            | "class"
            | "struct"
            | "operator"
            | "template"
            | "new"
            | "delete"
            | "char"
            | "bool"
            | "case"
            | "switch"
            | "for"
            | "while"
            | "do"
            | "this"
            | "auto"
            | "namespace"
            | "enum"
            | "long"
            | "short"
            | "signed"
            | "unsigned"
            | "void"
            | "return"
            | "public"
            | "private"
            | "protected"
            | "static"
            | "const"
            | "continue"
            | "break"
            | "goto"
            | "if"
            | "else"
            | "in"
            | "record"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_after_their_type() {
        assert_eq!(variable("sat::StaticMission"), "staticMission");
        assert_eq!(variable("tinyxml2::XMLDocument"), "xmlDocument");
        assert_eq!(variable("sat::DynamicMission<sat::Landmark>"), "dynamicMission");
        assert_eq!(variable("elsetrec"), "elsetrec_");
        assert_eq!(variable("Double"), "double_");
    }
}
