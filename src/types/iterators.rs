//! Iterators of the standard library: which container one points into, and how it moves.

use crate::model::{TemplateArg, Type, TypeKind};
use crate::types::spelling::value_type;
use crate::types::standard::{Anatomy, Shape};
use serde::Serialize;

/// Whether the name is one of a class whose objects point into containers. Theirs are names of an implementation: the standard
/// has only typedefs for them.
pub fn is_iterator(name: &str) -> bool {
    matches!(
        name,
        "__gnu_cxx::__normal_iterator"
            | "std::reverse_iterator"
            | "std::back_insert_iterator"
            | "std::_List_iterator"
            | "std::_List_const_iterator"
            | "std::_Rb_tree_iterator"
            | "std::_Rb_tree_const_iterator"
            | "std::_Deque_iterator"
            | "std::_Fwd_list_iterator"
            | "std::_Fwd_list_const_iterator"
            | "std::__detail::_Node_iterator"
            | "std::__detail::_Node_const_iterator"
    )
}

/// The class of the iterators of a container `of` of the standard's, and its arguments; the reverse of [`of_container`].
pub fn within(class: &str, of: &Type, element: Type, is_const: bool) -> Option<(&'static str, Vec<Type>)> {
    use super::members::pointing;
    let held = || if is_const { crate::types::substitution::constant(&element) } else { element.clone() };
    let either = |one, other| if is_const { other } else { one };
    let pointer = || pointing(held(), "*", TypeKind::Pointer);
    Some(match class {
        "std::vector" | "std::basic_string" => ("__gnu_cxx::__normal_iterator", vec![pointer(), value_type(of)]),
        "std::deque" => {
            ("std::_Deque_iterator", vec![element.clone(), pointing(held(), "&", TypeKind::LvalueRef), pointer()])
        }
        "std::list" => (either("std::_List_iterator", "std::_List_const_iterator"), vec![element]),
        "std::forward_list" => (either("std::_Fwd_list_iterator", "std::_Fwd_list_const_iterator"), vec![element]),
        "std::map" | "std::multimap" => {
            (either("std::_Rb_tree_iterator", "std::_Rb_tree_const_iterator"), vec![element])
        }
        "std::set" | "std::multiset" => ("std::_Rb_tree_const_iterator", vec![element]),
        "std::unordered_map" | "std::unordered_multimap" => {
            (either("std::__detail::_Node_iterator", "std::__detail::_Node_const_iterator"), vec![element])
        }
        "std::unordered_set" | "std::unordered_multiset" => ("std::__detail::_Node_const_iterator", vec![element]),
        _ => return None,
    })
}

/// An iterator's container, and what the iterator does with it.
pub fn of_container(name: &str, args: &[TemplateArg]) -> Option<(Type, Approach)> {
    let argument = |index: usize| match args.get(index) {
        Some(TemplateArg::Type(ty)) => Some(ty),
        _ => None,
    };
    let reads = |is_const| if is_const { Approach::ForwardConst } else { Approach::Forward };
    let first = argument(0)?;
    match name {
        "__gnu_cxx::__normal_iterator" => Some((value_type(argument(1)?), reads(first.pointee()?.is_const))),
        "std::back_insert_iterator" => Some((value_type(first), Approach::Inserts)),
        "std::_List_iterator" => Some((container("list", &[first]), Approach::Forward)),
        "std::_List_const_iterator" => Some((container("list", &[first]), Approach::ForwardConst)),
        "std::_Deque_iterator" => {
            Some((container("deque", &[first]), reads(argument(1).is_some_and(|to| to.without_ref().is_const))))
        }
        "std::_Fwd_list_iterator" => Some((container("forward_list", &[first]), Approach::Forward)),
        "std::_Fwd_list_const_iterator" => Some((container("forward_list", &[first]), Approach::ForwardConst)),
        "std::_Rb_tree_iterator"
        | "std::_Rb_tree_const_iterator"
        | "std::__detail::_Node_iterator"
        | "std::__detail::_Node_const_iterator" => {
            let is_const = name.ends_with("_const_iterator");
            let is_tree = name.starts_with("std::_Rb_tree");
            // A map holds pairs whose first half nobody may change.
            if let TypeKind::Record { name, args, .. } = &first.kind
                && name == "std::pair"
                && let [TemplateArg::Type(key), TemplateArg::Type(value), ..] = args.as_slice()
                && key.is_const
            {
                let map = if is_tree { "map" } else { "unordered_map" };
                return Some((container(map, &[&value_type(key), value]), reads(is_const)));
            }
            Some((container(if is_tree { "set" } else { "unordered_set" }, &[first]), Approach::ForwardConst))
        }
        "std::reverse_iterator" => {
            let TypeKind::Record { name, args, .. } = &first.kind else { return None };
            let (container, approach) = of_container(name, args)?;
            Some((container, approach.backward()?))
        }
        _ => None,
    }
}

/// `std::NAME<of…>`.
pub(crate) fn container(name: &str, of: &[&Type]) -> Type {
    let spellings: Vec<&str> = of.iter().map(|ty| ty.spelling.as_str()).collect();
    let spelling = format!("std::{name}<{}>", spellings.join(", "));
    let name = format!("std::{name}");
    let args = of.iter().map(|ty| TemplateArg::Type((*ty).clone())).collect();
    Type { spelling, is_const: false, kind: TypeKind::Record { usr: name.clone(), name, args }, size: None }
}

/// The parts of an iterator: its container.
pub fn anatomy(name: &str, args: &[TemplateArg]) -> Option<Anatomy> {
    let (ty, _) = of_container(name, args)?;
    Some(Anatomy { shape: Shape::Iterator, parts: vec![("range".into(), ty)] })
}

/// Whether a parameter of the second type says where the range ends that begins at one of the first.
pub fn are_one_range(from: &Type, to: &Type) -> bool {
    let (from, to) = (from.without_ref(), to.without_ref());
    match (&from.kind, &to.kind) {
        (TypeKind::Record { name: a, args: of_a, .. }, TypeKind::Record { name: b, args: of_b, .. }) => {
            a == b && of_a == of_b && of_container(a, of_a).is_some_and(|(_, how)| how.ends().is_some())
        }
        _ => false,
    }
}

/// Steps that an iterator of the project's own goes before it is used, at most.
pub const STEPS: u64 = 4;

/// What an iterator does with its container.
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
        Type { spelling: name.into(), is_const: false, kind, size: None }
    }

    fn seen(name: &str, args: &[&Type]) -> Option<(String, Approach)> {
        let TypeKind::Record { args, .. } = record(name, args).kind else { unreachable!() };
        of_container(name, &args).map(|(ty, how)| (ty.spelling, how))
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
        let list = record("std::_List_iterator", &[&int]);
        let other = record("std::_List_const_iterator", &[&int]);
        let inserter = record("std::back_insert_iterator", &[&list]);
        assert!(are_one_range(&list, &list));
        assert!(!are_one_range(&list, &other));
        assert!(!are_one_range(&inserter, &inserter));
    }
}
