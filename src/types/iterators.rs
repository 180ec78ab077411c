//! Iterators of libraries: which container one points into, and how it moves.

use crate::model::library::{Adapter, Shape};
use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::types::compose;
use crate::types::forms::{Form, Meaning};
use crate::types::library::{containers_of, row};
use crate::types::spelling::value_type;
use serde::Serialize;

/// Whether the name is one of a class whose objects point into containers. Theirs are names of an implementation: the
/// standard has only typedefs for them.
pub fn is_iterator<'m>(model: impl Into<Option<&'m Model>>, name: &str) -> bool {
    let model = model.into();
    row(model, name).is_some_and(|row| row.shape == Shape::Iterator) || !containers_of(model, name).is_empty()
}

/// The iterator of a container `of`, whose template arguments are `args`; the reverse of [`of_container`].
pub fn within(model: Option<&Model>, class: &str, of: &Type, args: &[TemplateArg], is_const: bool) -> Option<Type> {
    let iterators = &row(model, class)?.iterators;
    let constant = || iterators.constant.first();
    let text = if is_const { constant() } else { iterators.mutable.first().or_else(constant) }?;
    // Text goes by a name without arguments.
    let character = [TemplateArg::Type(compose::character()?)];
    let args = if args.is_empty() { &character } else { args };
    Form::read(text).ok()?.made(&Meaning { model, args, itself: of })
}

/// An iterator's container, and what the iterator does with it.
pub fn of_container<'m>(
    model: impl Into<Option<&'m Model>>,
    name: &str,
    args: &[TemplateArg],
) -> Option<(Type, Approach)> {
    let model = model.into();
    match row(model, name).and_then(|row| row.adapts) {
        Some(Adapter::Insert) => return Some((value_type(compose::type_argument(args, 0)?), Approach::Inserts)),
        Some(Adapter::Reverse) => {
            let TypeKind::Record { name, args, .. } = &compose::type_argument(args, 0)?.kind else { return None };
            let (container, approach) = of_container(model, name, args)?;
            return Some((container, approach.backward()?));
        }
        None => {}
    }
    let iterator = compose::class(name, args.to_vec());
    containers_of(model, name).into_iter().find_map(|pointing| {
        let (mut found, mut itself) = (Vec::new(), None);
        if !pointing.form.fits(&iterator, &mut found, &mut itself) {
            return None;
        }
        let container = match itself {
            Some(container) => container,
            None => compose::class_of(&pointing.container, &found.iter().flatten().collect::<Vec<_>>()),
        };
        Some((container, if pointing.is_const { Approach::ForwardConst } else { Approach::Forward }))
    })
}

/// Whether an iterator tells by itself how far it is from the first element.
pub fn jumps(model: &Model, ty: &Type) -> bool {
    let TypeKind::Record { name, .. } = &ty.kind else { return false };
    let containers = containers_of(Some(model), name);
    containers.first().and_then(|of| row(model, &of.container)).is_some_and(|row| row.iterators.jump)
}

/// Whether a parameter of the second type says where the range ends that begins at one of the first.
pub fn are_one_range(model: &Model, from: &Type, to: &Type) -> bool {
    let (from, to) = (from.without_ref(), to.without_ref());
    match (&from.kind, &to.kind) {
        (TypeKind::Record { name: a, args: of_a, .. }, TypeKind::Record { name: b, args: of_b, .. }) => {
            a == b && of_a == of_b && of_container(model, a, of_a).is_some_and(|(_, how)| how.ends().is_some())
        }
        _ => false,
    }
}

/// Steps that an iterator of the project's own goes before it is used, at most.
pub const STEPS: u64 = 4;

/// How an iterator uses its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Approach {
    /// It reads and writes elements.
    Forward,
    /// It only reads them.
    ForwardConst,
    /// It reads and writes them from the last to the first.
    Backward,
    /// It only reads them from the last to the first.
    BackwardConst,
    /// It appends elements.
    Inserts,
    /// It is of a class of the project's: all that is known is that `begin()` and `end()` of its container yield one.
    Own {
        /// The container is a constant one.
        is_const: bool,
        /// How it goes to the next element, where it can and tells when it is at the end.
        steps: Option<Unequal>,
        /// Nothing says where its range ends: it points to an element if there is one.
        alone: bool,
    },
}

/// How two iterators are found to be different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Unequal {
    /// By `!=`.
    Differ,
    /// By `==`, which says the opposite.
    NotSame,
}

impl Unequal {
    /// The condition that `one` is not `other`.
    pub fn says(self, one: &str, other: &str) -> String {
        match self {
            Unequal::Differ => format!("{one} != {other}"),
            Unequal::NotSame => format!("!({one} == {other})"),
        }
    }
}

impl Approach {
    /// The container's members that yield the first iterator and the one behind the last element; none of an inserter.
    pub fn ends(self) -> Option<(&'static str, &'static str)> {
        match self {
            Approach::Forward => Some(("begin", "end")),
            Approach::ForwardConst => Some(("cbegin", "cend")),
            Approach::Backward => Some(("rbegin", "rend")),
            Approach::BackwardConst => Some(("crbegin", "crend")),
            Approach::Own { .. } => Some(("begin", "end")),
            Approach::Inserts => None,
        }
    }

    /// Whether its distance from the first element is known without asking it for every step.
    pub fn has_place(self) -> bool {
        !matches!(self, Approach::Own { .. } | Approach::Inserts)
    }

    /// Whether the container may be another after a call that got the iterator.
    pub fn writes(self) -> bool {
        !matches!(self, Approach::ForwardConst | Approach::BackwardConst | Approach::Own { is_const: true, .. })
    }

    fn backward(self) -> Option<Self> {
        match self {
            Approach::Forward => Some(Approach::Backward),
            Approach::ForwardConst => Some(Approach::BackwardConst),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::arithmetic::simple_type;

    fn record(name: &str, args: &[&Type]) -> Type {
        let args = args.iter().map(|ty| TemplateArg::Type((*ty).clone())).collect();
        let kind = TypeKind::Record { usr: String::new(), name: name.into(), args };
        Type::new(name, kind)
    }

    fn seen(name: &str, args: &[&Type]) -> Option<(String, Approach)> {
        let TypeKind::Record { args, .. } = record(name, args).kind else { unreachable!() };
        of_container(None, name, &args).map(|(ty, how)| (ty.spelling, how))
    }

    #[test]
    fn an_iterator_names_the_container_that_it_points_into() {
        let int = simple_type("int");
        let constant = Type { spelling: "const int".into(), is_const: true, ..int.clone() };
        let pointer = |to: &Type| Type { kind: TypeKind::Pointer(Box::new(to.clone())), ..int.clone() };
        let reference = |to: &Type| Type { kind: TypeKind::LvalueRef(Box::new(to.clone())), ..int.clone() };
        let vector = record("std::vector", &[&int]);
        let normal = "__gnu_cxx::__normal_iterator";
        assert_eq!(seen(normal, &[&pointer(&int), &vector]), Some(("std::vector".into(), Approach::Forward)));
        assert_eq!(seen(normal, &[&pointer(&constant), &vector]), Some(("std::vector".into(), Approach::ForwardConst)));
        assert_eq!(seen("std::_List_iterator", &[&int]), Some(("std::list<int>".into(), Approach::Forward)));
        let deque = |to: &Type| seen("std::_Deque_iterator", &[&int, &reference(to), &pointer(to)]);
        assert_eq!(deque(&constant), Some(("std::deque<int>".into(), Approach::ForwardConst)));
        let pair = record("std::pair", &[&constant, &int]);
        let tree = "std::_Rb_tree_iterator";
        assert_eq!(seen(tree, &[&pair]), Some(("std::map<int, int>".into(), Approach::Forward)));
        assert_eq!(
            seen("std::_Rb_tree_const_iterator", &[&int]),
            Some(("std::set<int>".into(), Approach::ForwardConst))
        );
        let inner = record(normal, &[&pointer(&int), &vector]);
        assert_eq!(seen("std::reverse_iterator", &[&inner]), Some(("std::vector".into(), Approach::Backward)));
        assert_eq!(seen("std::reverse_iterator", &[&pointer(&int)]), None);
    }

    #[test]
    fn two_iterators_of_one_type_are_the_ends_of_a_range_and_two_inserters_are_not() {
        let int = simple_type("int");
        let model = Model::default();
        let list = record("std::_List_iterator", &[&int]);
        let other = record("std::_List_const_iterator", &[&int]);
        let inserter = record("std::back_insert_iterator", &[&list]);
        assert!(are_one_range(&model, &list, &list));
        assert!(!are_one_range(&model, &list, &other));
        assert!(!are_one_range(&model, &inserter, &inserter));
    }
}
