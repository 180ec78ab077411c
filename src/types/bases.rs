//! What a class type derives from.

use crate::model::{Access, Model, Type};
use crate::types::substitution::Substitution;

/// The types that a class type derives from, the nearest first, and whether everybody may know of each. Of a template
/// that derives from other instances of itself, those are left out: only a specialisation says where such a chain ends.
pub fn bases(model: &Model, ty: &Type) -> Vec<(Type, bool)> {
    /// So many are followed, in case a chain never ends.
    const MOST: usize = 64;
    let mut found: Vec<(Type, bool)> = Vec::new();
    let mut next = Some((ty.clone(), true));
    let mut at = 0;
    while let Some((from, is_public)) = next {
        if let Some(class) = model.class_of(&from) {
            let with = Substitution::of(model, class, from.without_ref().args());
            let own = class.other_bases();
            found.extend(own.map(|base| (with.apply(&base.ty), is_public && base.access == Access::Public)));
        }
        next = found.get(at).cloned().filter(|_| at < MOST);
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::records::record_type;

    #[test]
    fn bases_are_found_with_their_arguments_and_a_chain_of_one_template_ends() {
        let model = crate::parse::testing::read_cpp(
            "template <class T> struct Root { T t; }; template <class T> struct Mid : private Root<T *> {};\n\
             struct Leaf : Mid<int> {};\n\
             template <int N> struct Level : Level<N - 1> { int v; }; template <> struct Level<0> {};\n\
             template <class T> struct Ping; template <class T> struct Pong : Ping<T *> {};\n\
             template <class T> struct Ping : Pong<T *> {}; int use(Leaf leaf, Level<3> level);",
        );
        let of = |name: &str| {
            let class = model.classes.values().find(|class| class.name == name).expect(name);
            let ty = record_type(&model, class, Vec::new());
            bases(&model, &ty).into_iter().map(|(ty, is_public)| (ty.spelling, is_public)).collect::<Vec<_>>()
        };
        assert_eq!(of("Leaf"), [("Mid<int>".to_owned(), true), ("Root<int *>".to_owned(), false)]);
        assert_eq!(of("Level"), []);
        assert!(of("Pong").len() > 60);
    }
}
