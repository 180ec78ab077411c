//! Template parameters and what stands for them: types with every parameter replaced, in structure and spelling.

use super::construct::outer_template;
use super::values::replace_word;
use crate::model::{Class, Model, TemplateArg, Type, TypeKind};
use std::collections::BTreeMap;

/// A type whose name grows longer than this has no end.
const LONGEST_NAME: usize = 8192;

/// Template parameters and what stands for them.
#[derive(Clone, Debug, Default)]
pub struct Substitution(BTreeMap<String, TemplateArg>);

impl Substitution {
    /// The parameters of `class` with `args`.
    pub fn of(model: &Model, class: &Class, args: &[TemplateArg]) -> Self {
        // What is nested in a template has the template's parameters.
        let class = class.template.is_none().then(|| outer_template(model, class)).flatten().unwrap_or(class);
        // Within a template its own name stands for the instantiation, with or without the arguments.
        let params: Vec<&str> = class.template.iter().flatten().map(|p| p.name.as_str()).collect();
        let injected = (!params.is_empty()).then(|| {
            let ty = super::construct::record_type(model, class, args.to_vec());
            (format!("{}<{}>", class.name, params.join(", ")), TemplateArg::Type(ty))
        });
        let names = class.template.iter().flatten().map(|p| p.name.clone());
        // Canonical types call the parameters by their position.
        let positions = (0..args.len()).map(|index| format!("type-parameter-0-{index}"));
        let named = names.zip(args.iter().cloned()).chain(positions.zip(args.iter().cloned()));
        Self(injected.into_iter().chain(named).collect())
    }

    /// Also this one.
    pub(super) fn put(&mut self, name: String, arg: TemplateArg) {
        self.0.insert(name, arg);
    }

    /// The type that a parameter's name, or one that means the same everywhere, stands for.
    fn named(&self, text: &str) -> Option<Type> {
        match self.0.get(text) {
            Some(TemplateArg::Type(ty)) => Some(ty.clone()),
            _ => super::entry::primitive(text),
        }
    }

    /// The value that stands for a parameter which is no type.
    fn value_of(&self, ty: &Type) -> Option<&String> {
        let TypeKind::Dependent(name) = &ty.kind else { return None };
        match self.0.get(name) {
            Some(TemplateArg::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// The template that stands for a parameter which is one.
    fn template(&self, name: &str) -> String {
        match self.0.get(name) {
            Some(TemplateArg::Value(template)) => template.clone(),
            _ => String::new(),
        }
    }

    /// `ty` with every parameter replaced, in structure and spelling.
    pub fn apply(&self, ty: &Type) -> Type {
        if self.0.is_empty() {
            return ty.clone();
        }
        let kind = match &ty.kind {
            TypeKind::Dependent(name) => {
                if let Some(TemplateArg::Type(to)) = self.0.get(name.trim_start_matches("const ")) {
                    return if ty.is_const { constant(to) } else { to.clone() };
                }
                if let Some(to) = super::traits::member(name, &|text| self.named(text)) {
                    return if ty.is_const { constant(&to) } else { to };
                }
                ty.kind.clone()
            }
            TypeKind::Pointer(t) => TypeKind::Pointer(Box::new(self.apply(t))),
            TypeKind::LvalueRef(t) => TypeKind::LvalueRef(Box::new(self.apply(t))),
            TypeKind::RvalueRef(t) => TypeKind::RvalueRef(Box::new(self.apply(t))),
            TypeKind::Array(t, n) => TypeKind::Array(Box::new(self.apply(t)), *n),
            TypeKind::Record { usr, name, args } => TypeKind::Record {
                usr: if usr.is_empty() { self.template(name) } else { usr.clone() },
                name: if usr.is_empty() { self.template(name) } else { name.clone() },
                args: args
                    .iter()
                    .map(|arg| match arg {
                        TemplateArg::Type(t) => match self.value_of(t) {
                            // A parameter by its name alone may be a value or a template.
                            Some(value) => TemplateArg::Value(value.clone()),
                            None => TemplateArg::Type(self.apply(t)),
                        },
                        TemplateArg::Value(text) => match self.0.get(text) {
                            Some(TemplateArg::Value(value)) => TemplateArg::Value(value.clone()),
                            _ => arg.clone(),
                        },
                    })
                    .collect(),
            },
            other => other.clone(),
        };
        // The template's own name with its parameters goes before the parameters.
        let mut longest_first: Vec<_> = self.0.iter().collect();
        longest_first.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        // All at once, by way of characters that no code has: an argument may be called like another parameter.
        let stand_in = |index: usize| char::from_u32(0xE000 + index as u32).unwrap_or('\u{E000}').to_string();
        let marked = longest_first
            .iter()
            .enumerate()
            .fold(ty.spelling.clone(), |text, (index, (name, _))| replace_word(&text, name, &stand_in(index)));
        let spelling = longest_first.iter().enumerate().fold(marked, |text, (index, (_, arg))| {
            let to = match arg {
                TemplateArg::Type(t) => t.spelling.as_str(),
                TemplateArg::Value(v) => v.as_str(),
            };
            text.replace(&stand_in(index), to)
        });
        let spelling = around_declarator(ty, &kind).unwrap_or(spelling);
        // Arguments that name their own template grow with each round.
        let kind = if spelling.len() > LONGEST_NAME { TypeKind::Unknown("its name has no end".into()) } else { kind };
        Type { spelling, is_const: ty.is_const, kind, size: None }
    }
}

/// `to` with `const` where a declarator has it.
fn constant(to: &Type) -> Type {
    if to.is_const {
        return to.clone();
    }
    let spelling = if to.spelling.contains("(*)") {
        to.spelling.replacen("(*)", "(*const)", 1)
    } else if to.pointee().is_some() {
        format!("{} const", to.spelling)
    } else {
        format!("const {}", to.spelling)
    };
    Type { spelling, is_const: true, ..to.clone() }
}

/// The spelling of a pointer or reference to a parameter, `ty`, that became one to an array or to something with a function in
/// it, `kind`: the mark goes inside. None for others.
fn around_declarator(ty: &Type, kind: &TypeKind) -> Option<String> {
    let ((TypeKind::Pointer(from), TypeKind::Pointer(to), mark)
    | (TypeKind::LvalueRef(from), TypeKind::LvalueRef(to), mark)
    | (TypeKind::RvalueRef(from), TypeKind::RvalueRef(to), mark)) = (match (&ty.kind, kind) {
        (a @ TypeKind::Pointer(_), b) => (a, b, "*"),
        (a @ TypeKind::LvalueRef(_), b) => (a, b, "&"),
        (a, b) => (a, b, "&&"),
    })
    else {
        return None;
    };
    if !matches!(from.kind, TypeKind::Dependent(_)) || ty.is_const && mark == "*" {
        return None;
    }
    let text = &to.spelling;
    if let Some(at) = text.find("(*") {
        let end = at + text[at..].find(')')?;
        return Some(format!("{}{mark}{}", &text[..end], &text[end..]));
    }
    // A pointer's own `const` stands behind it.
    if from.is_const && to.pointee().is_some() {
        return Some(format!("{text} {mark}"));
    }
    let at = match to.kind {
        TypeKind::Array(..) => text.find('[')?,
        TypeKind::Function { .. } => text.find('(')?,
        _ => return None,
    };
    Some(format!("{} ({mark}){}", text[..at].trim_end(), &text[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::entry::simple_type;

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
        let array = Type { spelling: "int [4]".into(), is_const: false, kind: array, size: None };
        assert_eq!(seen(&array), ["int [4]", "const int (&)[4]"]);
        let function = TypeKind::Function { result: Box::new(int.clone()), params: vec![int] };
        let function = Type { spelling: "int (int)".into(), is_const: false, kind: function, size: None };
        let pointer = TypeKind::Pointer(Box::new(function));
        let pointer = Type { spelling: "int (*)(int)".into(), is_const: false, kind: pointer, size: None };
        assert_eq!(seen(&pointer), ["int (*)(int)", "int (*const&)(int)"]);
    }
}
