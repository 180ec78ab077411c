//! Functions that hand out memory: what a library calls instead of `malloc` and `realloc`. Nobody can go on with a null
//! pointer or with data in their place, so what stands in for one of them hands out memory.

use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, Param, Prim, Type, TypeKind};

/// How a function that hands out memory is asked for it, by the places of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The bytes of the block; where there are two, so many of so many bytes each.
    pub sizes: Vec<usize>,
    /// The block that is to grow or shrink.
    pub old: Option<usize>,
}

/// How a function is asked for memory; none where it hands out something else.
pub fn asked(lexicon: &Lexicon, function: &Function) -> Option<Asked> {
    let TypeKind::Pointer(to) = &function.result.kind else { return None };
    // What stands in for a member is called after its structure as well, which says nothing of what it does.
    let name = function.name.split("_of_").next().unwrap_or_default();
    let grows = lexicon.says(name, Role::Reallocates);
    let says_so = grows || lexicon.says(name, Role::Allocates);
    let hands_out = match to.kind {
        TypeKind::Void => true,
        TypeKind::Prim(Prim::Char | Prim::SChar | Prim::UChar) => says_so,
        _ => false,
    };
    let is_size = |ty: &Type| {
        matches!(ty.kind, TypeKind::Prim(Prim::UInt | Prim::Int | Prim::Long | Prim::ULong | Prim::ULongLong))
    };
    let (sizes, others): (Vec<_>, Vec<_>) =
        function.params.iter().enumerate().partition(|(_, param)| is_size(&param.ty));
    let is_opaque = |(_, param): &(usize, &Param)| {
        param.ty.pointee().is_some_and(|to| !to.is_const && matches!(to.kind, TypeKind::Void | TypeKind::Record { .. }))
    };
    if !hands_out || to.is_const || function.is_variadic || !others.iter().all(is_opaque) {
        return None;
    }
    let counts_bytes = |param: &Param| match param.name.as_str() {
        "" => matches!(param.ty.kind, TypeKind::Prim(Prim::ULong | Prim::ULongLong)),
        name => lexicon.says(name, [Role::Length, Role::Size, Role::Bytes]),
    };
    let blocks: Vec<_> =
        others.iter().filter(|(_, param)| param.ty.pointee().is_some_and(is_void)).map(|(place, _)| *place).collect();
    let called_so = blocks.iter().copied().find(|place| lexicon.is(&function.params[*place].name, Role::Block));
    // Two sizes are so many of so many bytes; with a block and what the caller wants to know again, how large the block
    // was and how large it is to be. With a block alone they may be either.
    let was_and_is = sizes.len() == 2 && blocks.len() > 1;
    match sizes[..] {
        [(_, only)] if says_so || counts_bytes(only) => {}
        [(_, was), (_, is)] if was_and_is && (says_so || counts_bytes(was) && counts_bytes(is)) => {}
        [_, _] if says_so && !grows && called_so.is_none() => {}
        _ => return None,
    }
    let sizes: Vec<_> = sizes.iter().map(|(place, _)| *place).collect();
    // Without a name that says so, one alone may be whatever the caller wants to know again. What follows the size is
    // the caller's, too.
    let before = blocks.iter().copied().rfind(|place| sizes.iter().all(|size| place < size));
    let last = before.or(blocks.last().copied()).filter(|_| grows || blocks.len() > 1 && !says_so || was_and_is);
    let old = if says_so && !grows && !was_and_is { None } else { called_so.or(last) };
    let sizes = if was_and_is { sizes[1..].to_vec() } else { sizes };
    Some(Asked { sizes, old })
}

fn is_void(to: &Type) -> bool {
    matches!(to.kind, TypeKind::Void)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_for_bytes_hands_out_memory_and_who_looks_up_does_not() {
        let model = crate::parse::testing::read_c(
            "struct pool; void *my_malloc(unsigned long n); void *called_a(void *, unsigned long);\n\
             void *called_b(void *ctx, void *ptr, unsigned long size);\n\
             void *called_realloc(void *p, unsigned long n);\n\
             void *zalloc(void *opaque, unsigned items, unsigned size);\n\
             void *called_alloc(void *ud, void *ptr, unsigned long osize, unsigned long nsize);\n\
             void *called_regrow(void *, void *, unsigned long, unsigned long);\n\
             void *pool_realloc(void *mem, unsigned long size, void *user);\n\
             void *my_realloc(void *, unsigned long, void *);\n\
             void *reallocarray(void *ptr, unsigned long count, unsigned long size);\n\
             void *called_c(void *block, unsigned long size);\n\
             char *pool_alloc(struct pool *pool, int n); void *item_at(void *list, int index);\n\
             void *find(void *list, unsigned long key); char *name_of(void *it, int length); void *all(void);\n\
             void *copy_of(const void *from, unsigned long size); void called_free(void *p);\n",
        );
        let lexicon = Lexicon::default();
        let of = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            asked(&lexicon, function).map(|Asked { sizes, old }| (sizes, old))
        };
        assert_eq!(of("my_malloc"), Some((vec![0], None)));
        assert_eq!(of("called_a"), Some((vec![1], None)));
        assert_eq!(of("called_b"), Some((vec![2], Some(1))));
        assert_eq!(of("called_c"), Some((vec![1], Some(0))));
        assert_eq!(of("called_realloc"), Some((vec![1], Some(0))));
        assert_eq!(of("zalloc"), Some((vec![1, 2], None)));
        assert_eq!(of("called_alloc"), Some((vec![3], Some(1))));
        assert_eq!(of("called_regrow"), Some((vec![3], Some(1))));
        assert_eq!(of("pool_realloc"), Some((vec![1], Some(0))));
        assert_eq!(of("my_realloc"), Some((vec![1], Some(0))));
        assert_eq!(of("pool_alloc"), Some((vec![1], None)));
        for other in ["item_at", "find", "name_of", "all", "copy_of", "called_free", "reallocarray"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
