//! Template parameters and what stands for them: types with every parameter replaced, in structure and spelling.

use crate::model::{Class, Function, Model, Param, TemplateArg, TemplateParam, TemplateParamKind, Type, TypeKind};
use crate::types::compose::{constant, refer};
use crate::types::declarators::{around_arguments, around_declarator};
use crate::types::matching::match_arguments;
use crate::types::records::{levels, record_type, same_argument};
use crate::types::spelling::replace_word;
use crate::types::{arithmetic, members, packs, traits};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A type whose name grows longer than this has no end.
const LONGEST_NAME: usize = 8192;

/// Template parameters and what stands for them.
#[derive(Clone, Debug, Default)]
pub struct Substitution<'m> {
    known: BTreeMap<String, TemplateArg>,
    /// The arguments of parameter packs.
    pub(crate) packs: BTreeMap<String, Vec<TemplateArg>>,
    /// Where names are looked up, and the class whose parameters these are.
    model: Option<&'m Model>,
    inside: Option<&'m Class>,
    /// So many aliases were followed to get here.
    depth: u8,
}

impl<'m> Substitution<'m> {
    /// The parameters of `class` with `args`.
    pub fn of(model: &'m Model, class: &'m Class, args: &[TemplateArg]) -> Self {
        let inside = Some(class);
        let mut with = Self { model: Some(model), inside, ..Self::default() };
        if !class.pattern.is_empty() {
            with.put_matches(class, args);
        }
        let mut rest = args;
        let levels = if class.pattern.is_empty() { levels(model, class) } else { Vec::new() };
        for (depth, level) in levels.iter().enumerate() {
            let params = level.template.as_deref().unwrap_or_default();
            let further = levels[depth + 1..].iter().flat_map(|level| level.template.iter().flatten()).count();
            let (own, behind) = rest.split_at(packs::taken(params, rest.len(), further));
            let upto = args.len() - behind.len();
            rest = behind;
            // Within a template its own name stands for the instantiation, with or without the arguments.
            let names: Vec<String> = params.iter().map(packs::within).collect();
            if !names.is_empty() {
                let ty = record_type(model, level, args[..upto].to_vec());
                with.put(format!("{}<{}>", level.name, names.join(", ")), TemplateArg::Type(ty));
            }
            with.put_all(depth, params, own);
            // An argument that nobody gives is the template's default.
            for (index, param) in params.iter().enumerate().skip(own.len()).filter(|_| !own.is_empty()) {
                let default =
                    param.default.as_deref().and_then(|text| members::resolved(&with, text)).map(TemplateArg::Type);
                let Some(default) = default.filter(|_| param.kind == TemplateParamKind::Type) else { break };
                with.put(format!("type-parameter-{depth}-{index}"), default.clone());
                with.put(param.name.clone(), default);
            }
        }
        with
    }

    /// No parameters yet.
    pub fn none(model: &'m Model) -> Self {
        Self { model: Some(model), ..Self::default() }
    }

    /// The parameters of a partial specialisation: what stands in their places in the arguments that it was selected
    /// for.
    fn put_matches(&mut self, class: &Class, args: &[TemplateArg]) {
        let mut found = BTreeMap::new();
        match_arguments(&class.pattern, args, &mut found);
        for (index, param) in class.template.iter().flatten().enumerate() {
            let position = format!("type-parameter-0-{index}");
            let Some(list) = found.remove(&position).or_else(|| found.remove(&param.name)) else { continue };
            self.put_share(param, position, &list);
        }
    }

    /// Whether these are the arguments that stand for the parameters.
    pub(crate) fn is_for(&self, params: &[&TemplateParam], args: &[TemplateArg]) -> bool {
        let same = |(param, arg): (&&TemplateParam, &TemplateArg)| {
            self.known.get(&param.name).is_some_and(|known| same_argument(known, arg))
        };
        params.len() == args.len() && params.iter().zip(args).all(same)
    }

    /// Adds the argument of a parameter.
    pub(crate) fn put(&mut self, name: String, arg: TemplateArg) {
        self.known.insert(name, arg);
    }

    /// Adds the parameters of a template that is nested in `depth` others.
    pub(crate) fn put_all(&mut self, depth: usize, params: &[TemplateParam], args: &[TemplateArg]) {
        for (index, (param, share)) in packs::shares(params, args).enumerate() {
            // Canonical types call the parameters by their position.
            let position = format!("type-parameter-{depth}-{index}");
            self.put_share(param, position, share);
        }
    }

    /// Adds a parameter with its arguments, by its name and by its position.
    fn put_share(&mut self, param: &TemplateParam, position: String, share: &[TemplateArg]) {
        for name in [param.name.clone(), position] {
            if param.is_pack() {
                self.packs.insert(name, share.to_vec());
            } else if let [only] = share {
                self.put(name, only.clone());
            }
        }
    }

    /// Adds the parameters of a function template, a member of `owner` if that is a template, with `args`.
    #[must_use]
    pub fn and(mut self, function: &Function, owner: Option<&Class>, args: &[TemplateArg]) -> Self {
        let depth = match (self.model, owner) {
            (Some(model), Some(class)) => levels(model, class).len(),
            (_, owner) => usize::from(owner.is_some_and(|class| class.template.is_some())),
        };
        self.put_all(depth, function.template.as_deref().unwrap_or_default(), args);
        self
    }

    /// The type that `text` names, with this put in the place of parameters; none where that can't be said.
    pub(crate) fn resolved(&self, text: &str) -> Option<Type> {
        members::resolved(self, text)
    }

    /// The parameters of a function with one for each element of a pack.
    pub(crate) fn spread_params<'p>(&self, params: &'p [Param]) -> Cow<'p, [Param]> {
        packs::spread_params(self, params)
    }

    /// The arguments that one with `...` behind it comes to; none for every other.
    pub(crate) fn spread_argument(&self, arg: &TemplateArg) -> Option<Vec<TemplateArg>> {
        packs::spread_argument(self, arg)
    }

    /// Where names are looked up.
    pub(crate) fn model(&self) -> Option<&'m Model> {
        self.model
    }

    /// The class whose parameters these are.
    pub(crate) fn inside(&self) -> Option<&'m Class> {
        self.inside
    }

    /// The same, one alias on; none where there were too many.
    pub(crate) fn deeper(&self) -> Option<Self> {
        (self.depth < members::DEEPEST).then(|| Self { depth: self.depth + 1, ..self.clone() })
    }

    /// One alias on from `other`.
    pub(crate) fn go_deeper(&mut self, other: &Self) -> Option<()> {
        self.depth = other.depth + 1;
        (self.depth < members::DEEPEST).then_some(())
    }

    /// The value or template that stands for a parameter.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        match self.known.get(name) {
            Some(TemplateArg::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// The type that a parameter's name, or one that means the same everywhere, stands for.
    pub(crate) fn named(&self, text: &str) -> Option<Type> {
        match self.known.get(text) {
            Some(TemplateArg::Type(ty)) => Some(ty.clone()),
            _ => arithmetic::primitive(text),
        }
    }

    /// The value that stands for a parameter which is no type.
    fn value_of(&self, ty: &Type) -> Option<&str> {
        let TypeKind::Dependent(name) = &ty.kind else { return None };
        self.value(name)
    }

    /// The template that stands for a parameter which is one.
    fn template(&self, name: &str) -> String {
        self.value(name).unwrap_or_default().to_owned()
    }

    /// A sum, difference or product of parameters: `N - 1`.
    fn computed(&self, text: &str) -> Option<String> {
        let number = |text: &str| self.value(text).unwrap_or(text).parse::<i64>().ok();
        let words: Vec<&str> = text.split(' ').collect();
        let [left, operator, right] = words.as_slice() else { return None };
        let (left, right) = (number(left)?, number(right)?);
        let value = match *operator {
            "+" => left.checked_add(right),
            "-" => left.checked_sub(right),
            "*" => left.checked_mul(right),
            _ => None,
        };
        Some(value?.to_string())
    }

    /// An array whose length is a parameter: `T[N]`.
    fn array(&self, name: &str) -> Option<Type> {
        let (element, length) = name.strip_suffix(']')?.rsplit_once('[')?;
        let (is_const, element) = match element.trim().strip_prefix("const ") {
            Some(element) => (true, element),
            None => (false, element.trim()),
        };
        let element = self.named(element).map(|ty| if is_const { constant(&ty) } else { ty })?;
        let length = self.value(length).unwrap_or(length).parse().ok()?;
        let spelling = format!("{} [{length}]", element.spelling);
        Some(Type { spelling, is_const, kind: TypeKind::Array(Box::new(element), Some(length)), size: None })
    }

    /// An argument with every parameter replaced.
    fn apply_argument(&self, arg: &TemplateArg) -> TemplateArg {
        match arg {
            TemplateArg::Type(t) => match self.value_of(t) {
                // A parameter by its name alone may be a value or a template.
                Some(value) => TemplateArg::Value(value.to_owned()),
                None => TemplateArg::Type(self.apply(t)),
            },
            TemplateArg::Value(text) => match self.value(text) {
                Some(value) => TemplateArg::Value(value.to_owned()),
                None => self.computed(text).map_or_else(|| arg.clone(), TemplateArg::Value),
            },
        }
    }

    /// `ty` with every parameter replaced, in structure and spelling.
    pub fn apply(&self, ty: &Type) -> Type {
        if self.known.is_empty() && self.packs.is_empty() {
            return ty.clone();
        }
        let kind = match &ty.kind {
            TypeKind::Dependent(name) => {
                let known = self.known.get(name.trim_start_matches("const ")).and_then(TemplateArg::ty).cloned();
                let found = known
                    .or_else(|| traits::member(self.model, name, &|text| self.named(text)))
                    .or_else(|| members::resolved(self, name))
                    .or_else(|| self.array(name));
                if let Some(to) = found {
                    return if ty.is_const { constant(&to) } else { to };
                }
                ty.kind.clone()
            }
            TypeKind::Pointer(t) => TypeKind::Pointer(Box::new(self.apply(t))),
            TypeKind::LvalueRef(t) => TypeKind::LvalueRef(Box::new(self.apply(t))),
            TypeKind::RvalueRef(t) => TypeKind::RvalueRef(Box::new(self.apply(t))),
            TypeKind::Array(t, n) => TypeKind::Array(Box::new(self.apply(t)), *n),
            TypeKind::Function { result, params, is_variadic, is_noexcept, names } => TypeKind::Function {
                result: Box::new(self.apply(result)),
                params: params
                    .iter()
                    .flat_map(|param| packs::spread(self, param).unwrap_or_else(|| vec![self.apply(param)]))
                    .collect(),
                is_variadic: *is_variadic,
                is_noexcept: *is_noexcept,
                names: names.clone(),
            },
            TypeKind::Record { usr, name, args } => {
                let (usr, name) = match usr.is_empty() {
                    true => (self.template(name), self.template(name)),
                    false => (usr.clone(), name.clone()),
                };
                let spread = |arg| packs::spread_argument(self, arg).unwrap_or_else(|| vec![self.apply_argument(arg)]);
                let args: Vec<TemplateArg> = args.iter().flat_map(spread).collect();
                let selected = self.model.and_then(|model| model.selected(&usr, &args));
                TypeKind::Record { usr: selected.map_or(usr, |class| class.usr.clone()), name, args }
            }
            other => other.clone(),
        };
        // A parameter may be a reference already.
        if let TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) = &kind
            && matches!(to.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_))
        {
            return refer((**to).clone(), if matches!(kind, TypeKind::LvalueRef(_)) { "&" } else { "&&" });
        }
        let (written, spread) = packs::spread_text(self, &ty.spelling);
        // The template's own name with its parameters goes before the parameters.
        let mut longest_first: Vec<_> = self.known.iter().collect();
        longest_first.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        // All at once, by way of characters that no code has: an argument may be called like another parameter.
        let stand_in = |index: usize| char::from_u32(0xE000 + index as u32).unwrap_or('\u{E000}').to_string();
        let marked = longest_first
            .iter()
            .enumerate()
            .fold(written, |text, (index, (name, _))| replace_word(&text, name, &stand_in(index)));
        let put = |text: String, (index, (_, arg)): (usize, &(&String, &TemplateArg))| {
            text.replace(&stand_in(index), arg.text())
        };
        let spelling = longest_first.iter().enumerate().fold(marked, put);
        let spelling = spread.iter().fold(spelling, |text, (stand_in, list)| text.replace(*stand_in, list));
        let spelling = around_declarator(ty, &kind).or_else(|| around_arguments(ty, &kind)).unwrap_or(spelling);
        // Arguments that name their own template grow with each round.
        let kind = if spelling.len() > LONGEST_NAME { TypeKind::Unknown("its name has no end".into()) } else { kind };
        Type { spelling, is_const: ty.is_const, kind, size: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::arithmetic::simple_type;

    #[test]
    fn an_argument_that_is_called_like_a_parameter_is_left_as_it_is() {
        let mut with = Substitution::default();
        let named = |text: &str| TemplateArg::Type(simple_type(text));
        with.put("A".into(), named("pair<B, B>"));
        with.put("B".into(), named("pair<A, A>"));
        let ty = Type { spelling: "map<A, B>".into(), ..simple_type("X") };
        assert_eq!(with.apply(&ty).spelling, "map<pair<B, B>, pair<A, A>>");
    }

    #[test]
    fn what_a_parameter_stands_for_is_spelled_as_a_declarator() {
        let dependent = |spelling: &str, is_const| Type {
            spelling: spelling.into(),
            is_const,
            kind: TypeKind::Dependent("T".into()),
            size: None,
        };
        let reference = |spelling: &str, to: Type| Type {
            spelling: spelling.into(),
            is_const: false,
            kind: TypeKind::LvalueRef(Box::new(to)),
            size: None,
        };
        let seen = |to: &Type| {
            let mut with = Substitution::default();
            with.put("T".into(), TemplateArg::Type(to.clone()));
            let plain = with.apply(&dependent("T", false)).spelling;
            [plain, with.apply(&reference("const T &", dependent("const T", true))).spelling]
        };
        let int = simple_type("int");
        assert_eq!(seen(&int), ["int", "const int &"]);
        let characters = Type { is_const: true, ..simple_type("char") };
        let text =
            Type { spelling: "const char *".into(), kind: TypeKind::Pointer(Box::new(characters)), ..int.clone() };
        assert_eq!(seen(&text), ["const char *", "const char * const &"]);
        let array = TypeKind::Array(Box::new(int.clone()), Some(4));
        let array = Type::new("int [4]", array);
        assert_eq!(seen(&array), ["int [4]", "const int (&)[4]"]);
        let function = TypeKind::Function {
            result: Box::new(int.clone()),
            params: vec![int],
            is_variadic: false,
            is_noexcept: false,
            names: Default::default(),
        };
        let function = Type::new("int (int)", function);
        let pointer = TypeKind::Pointer(Box::new(function));
        let pointer = Type::new("int (*)(int)", pointer);
        assert_eq!(seen(&pointer), ["int (*)(int)", "int (*const&)(int)"]);
    }
}
