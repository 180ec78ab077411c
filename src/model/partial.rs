//! Which partial specialisation of a template the arguments of a type select.
//!
//! Of what is instantiated clang says so. A type that is only named, or made of a pattern and arguments, refers to the
//! template, which may have no members of its own: `template <int N, class T> struct vec;`.

use super::{Class, Model, TemplateArg, Type, TypeKind, Usr};
use std::collections::BTreeMap;

type Bound = BTreeMap<String, String>;

/// Whether arguments select the partial specialisation, as far as the types say so.
pub fn selects(class: &Class, args: &[TemplateArg]) -> bool {
    !class.pattern.is_empty() && Matching { class, of_pattern: false }.are_of(&class.pattern, args, &mut Bound::new())
}

/// Whether all that selects `one` would select `other` as well (C++17 17.5.5.2).
fn is_more_special(one: &Class, other: &Class) -> bool {
    let matches = |pattern: &Class, args: &Class| {
        Matching { class: pattern, of_pattern: true }.are_of(&pattern.pattern, &args.pattern, &mut Bound::new())
    };
    matches(other, one) && !matches(one, other)
}

struct Matching<'m> {
    class: &'m Class,
    /// The arguments are a pattern as well: its parameters stand for types of their own.
    of_pattern: bool,
}

impl Matching<'_> {
    fn are_of(&self, patterns: &[TemplateArg], args: &[TemplateArg], bound: &mut Bound) -> bool {
        patterns.len() == args.len()
            && patterns.iter().zip(args).all(|(pattern, arg)| match (pattern, arg) {
                (TemplateArg::Type(pattern), TemplateArg::Type(actual)) => self.is_of(pattern, actual, bound),
                (TemplateArg::Value(pattern), TemplateArg::Value(value)) => match self.is_parameter(pattern) {
                    true => bound.entry(pattern.clone()).or_insert_with(|| value.clone()) == value,
                    false => pattern == value,
                },
                _ => false,
            })
    }

    fn is_of(&self, pattern: &Type, actual: &Type, bound: &mut Bound) -> bool {
        use TypeKind::{Dependent, Function, LvalueRef, Pointer, Record, RvalueRef};
        match (&pattern.kind, &actual.kind) {
            (_, Dependent(_)) if !self.of_pattern => false,
            // (What is constant in the pattern is constant, and no part of what the parameter stands for.)
            (Dependent(_), _) if pattern.is_const && !actual.is_const => false,
            (Dependent(name), _) => {
                let stands_for = if pattern.is_const { actual.bare_spelling() } else { &actual.spelling };
                let known = bound.entry(name.clone()).or_insert_with(|| stands_for.to_owned());
                is_name(name) && known.as_str() == stands_for
            }
            (Pointer(pattern), Pointer(actual))
            | (LvalueRef(pattern), LvalueRef(actual))
            | (RvalueRef(pattern), RvalueRef(actual)) => self.is_of(pattern, actual, bound),
            (Record { name: of, args: patterns, .. }, Record { name, args, .. }) => {
                of == name && pattern.is_const == actual.is_const && self.are_of(patterns, args, bound)
            }
            (
                Function { result: of, params: patterns, is_variadic: more, is_noexcept: silent, .. },
                Function { result, params, is_variadic, is_noexcept, .. },
            ) => {
                // (Of a pack there may be any number.)
                let is_pack = |ty: &&Type| matches!(&ty.kind, Dependent(name) if name.ends_with("..."));
                let rest = patterns.last().filter(is_pack).map_or(patterns.len(), |_| patterns.len() - 1);
                let behind = |ty: &Type| ty.spelling.rsplit(')').next().unwrap_or_default().trim().to_owned();
                (more, silent, behind(pattern)) == (is_variadic, is_noexcept, behind(actual))
                    && self.is_of(of, result, bound)
                    && params.len() >= rest
                    && (params.len() == rest || rest < patterns.len())
                    && patterns[..rest].iter().zip(params).all(|(pattern, actual)| self.is_of(pattern, actual, bound))
            }
            _ => pattern.spelling == actual.spelling,
        }
    }

    /// Whether a value stands for whatever is given.
    fn is_parameter(&self, name: &str) -> bool {
        self.class.template.iter().flatten().any(|param| param.name == name)
    }
}

/// Whether a text is the name of a parameter alone.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
}

impl Model {
    /// The partial specialisation of a template that arguments select; none where several do, and none is the most
    /// special.
    pub fn selected(&self, template: &Usr, args: &[TemplateArg]) -> Option<&Class> {
        let partial = self.partial.get(template)?.iter().filter_map(|usr| self.classes.get(usr));
        let selected: Vec<&Class> = partial.filter(|class| selects(class, args)).collect();
        let is_best =
            |one: &&&Class| selected.iter().all(|other| std::ptr::eq(**one, *other) || is_more_special(one, other));
        selected.iter().find(is_best).copied()
    }

    /// Notes the partial specialisations, and lets the types in signatures and members refer to those that they select.
    pub fn select_partial(&mut self) {
        for class in self.classes.values().filter(|class| !class.pattern.is_empty() && class.definition.is_some()) {
            if let Some(template) = &class.specializes {
                self.partial.entry(template.clone()).or_default().push(class.usr.clone());
            }
        }
        if self.partial.is_empty() {
            return;
        }
        let mut functions = std::mem::take(&mut self.functions);
        for function in functions.values_mut() {
            self.select(&mut function.result);
            function.params.iter_mut().for_each(|param| self.select(&mut param.ty));
        }
        self.functions = functions;
        let mut members: Vec<(Usr, Vec<Type>)> = Vec::new();
        for class in self.classes.values() {
            let mut types: Vec<Type> = class.fields.iter().map(|field| field.ty.clone()).collect();
            types.extend(class.bases.iter().map(|base| base.ty.clone()));
            types.iter_mut().for_each(|ty| self.select(ty));
            members.push((class.usr.clone(), types));
        }
        for (usr, types) in members {
            let Some(class) = self.classes.get_mut(&usr) else { continue };
            let places = class.fields.iter_mut().map(|field| &mut field.ty);
            let places = places.chain(class.bases.iter_mut().map(|base| &mut base.ty));
            places.zip(types).for_each(|(place, ty)| *place = ty);
        }
    }

    fn select(&self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Pointer(to) | TypeKind::LvalueRef(to) | TypeKind::RvalueRef(to) | TypeKind::Array(to, _) => {
                self.select(to);
            }
            TypeKind::Function { result, params, .. } => {
                self.select(result);
                params.iter_mut().for_each(|param| self.select(param));
            }
            TypeKind::Record { usr, args, .. } => {
                for arg in args.iter_mut() {
                    if let TemplateArg::Type(ty) = arg {
                        self.select(ty);
                    }
                }
                if let Some(class) = self.selected(usr, args) {
                    usr.clone_from(&class.usr);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_specialisation_is_selected_by_types_of_its_pattern() {
        let model = crate::parse::testing::read_cpp(
            "template <class It, class T> struct Sink {}; template <class T> struct Sink<T *, T> {};\n\
             int use(Sink<char *, char> a, Sink<char *, int> b, Sink<char, char> c);",
        );
        let partial = model.classes.values().find(|class| !class.pattern.is_empty()).unwrap();
        let function = model.functions.values().find(|function| function.name == "use").unwrap();
        let selected = function.params.iter().map(|param| selects(partial, param.ty.args()));
        assert_eq!(selected.collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn of_several_the_most_special_is_selected_and_what_is_constant_is_no_part_of_the_parameter() {
        let model = crate::parse::testing::read_cpp(
            "template <class T> struct view; template <class T> struct view<T *> { int a; };\n\
             template <class T> struct view<const T *> { int a, b; };\n\
             template <class T> struct shown {}; template <class T> struct shown<const T> { int a; };\n\
             int use(view<int *> &a, view<const int *> &b, shown<int> &c, shown<const int> &d);",
        );
        let function = model.functions.values().find(|function| function.name == "use").unwrap();
        let fields = |ty: &Type| model.class_of(ty.without_ref()).map(|class| class.fields.len());
        let found: Vec<Option<usize>> = function.params.iter().map(|param| fields(&param.ty)).collect();
        assert_eq!(found, [Some(1), Some(2), Some(0), Some(1)]);
    }

    #[test]
    fn what_a_condition_selects_is_not_known() {
        let model = crate::parse::testing::read_cpp(
            "template <class...> using void_t = void; template <class T, class = void> struct S {};\n\
             template <class T> struct S<T, void_t<decltype(T::x)>> { int a; };\nint use(S<int> &a);",
        );
        let function = model.functions.values().find(|function| function.name == "use").unwrap();
        assert_eq!(model.class_of(function.params[0].ty.without_ref()).map(|class| class.fields.len()), Some(0));
    }

    #[test]
    fn types_that_are_only_named_refer_to_what_they_select() {
        let model = crate::parse::testing::read_cpp(
            "enum P { high, low }; template <int N, class T, P p> struct row;\n\
             template <class T, P p> struct row<2, T, p> { T x; }; template <class T, P p> struct row<3, T, p> {};\n\
             template <class F> class task; template <class R, class... A> class task<R(A...)> {};\n\
             int use(const row<2, int, high> &a, row<3, float, low> *b, row<4, int, low> &c, task<int(char, int)> &d);",
        );
        let function = model.functions.values().find(|function| function.name == "use").unwrap();
        let class = |ty: &Type| {
            let to = ty.pointee().unwrap_or(ty.without_ref());
            model.class_of(to).map(|class| class.fields.len() + usize::from(class.definition.is_some()))
        };
        let found: Vec<Option<usize>> = function.params.iter().map(|param| class(&param.ty)).collect();
        assert_eq!(found, [Some(2), Some(1), Some(0), Some(1)]);
    }
}
