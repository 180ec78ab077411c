//! Structures and unions without a name: `struct { int low, high; } limits;` has members of its own, `union { int
//! number; float real; };` gives its members to what it stands in (C11 6.7.2.1, paragraph 13; C++17 12.3.1).

use crate::model::{Class, ClassKind, Field, Model, Prim, Type, TypeKind};

/// Whether it is a structure that has no name.
pub fn is_structure(class: &Class) -> bool {
    class.definition.is_some() && class.name.is_empty() && class.kind != ClassKind::Union && !class.fields.is_empty()
}

/// The structure or union that a member without a name is: its members are those of what it stands in.
pub fn within<'m>(model: &'m Model, field: &Field) -> Option<&'m Class> {
    let is_one = field.name.is_empty() && field.bit_width.is_none() && !field.is_static;
    model.classes.get(field.ty.record()?).filter(|class| is_one && class.name.is_empty())
}

/// The member of that name, of the class or of what in it has no name.
pub fn named<'m>(model: &'m Model, class: &'m Class, name: &str) -> Option<&'m Field> {
    let own = class.fields.iter().find(|field| field.name == name && !field.is_static);
    own.or_else(|| class.fields.iter().filter_map(|field| within(model, field)).find_map(|of| named(model, of, name)))
}

/// The member of a union by which all of it can be set and compared, whichever is alive: a whole number, or a row of
/// them, that is as long as the union. None where an address may be in it.
pub fn whole<'m>(model: &Model, union: &'m Class) -> Option<&'m Field> {
    if union.kind != ClassKind::Union || holds_pointer(model, union) || has_gaps(model, union) {
        return None;
    }
    let is_number = |prim: Prim| {
        let is_byte = matches!(prim, Prim::SChar | Prim::UChar);
        is_byte || crate::types::arithmetic::is_integer(prim)
    };
    let is_whole = |field: &&Field| {
        let numbers = match &field.ty.kind {
            TypeKind::Prim(prim) => is_number(*prim),
            TypeKind::Array(element, Some(_)) => matches!(element.kind, TypeKind::Prim(prim) if is_number(prim)),
            _ => false,
        };
        let length = match &field.ty.kind {
            TypeKind::Array(element, Some(length)) => element.size.map(|size| size * length),
            _ => field.ty.size,
        };
        numbers && field.bit_width.is_none() && !field.name.is_empty() && length.is_some() && length == union.size
    };
    union.fields.iter().find(is_whole)
}

/// A member of a union whose members are all of one type, a number: it is all of it, whichever is alive. `of` fills in
/// the parameters of the template around it.
pub fn of_one_type<'m>(union: &'m Class, of: &dyn Fn(&Type) -> Type) -> Option<&'m Field> {
    let first = union.fields.first().filter(|_| union.kind == ClassKind::Union)?;
    let ty = of(&first.ty);
    let is_number =
        matches!(ty.kind, TypeKind::Prim(prim) if prim != Prim::Bool) || matches!(ty.kind, TypeKind::Enum(_));
    let is_alike =
        |field: &Field| !field.name.is_empty() && !field.is_static && field.bit_width.is_none() && of(&field.ty) == ty;
    (is_number && union.fields.iter().all(is_alike)).then_some(first)
}

/// Whether storage of this class may be an address.
pub fn holds_pointer(model: &Model, class: &Class) -> bool {
    class.fields.iter().any(|f| may_be_address(model, &f.ty, 0))
}

/// Whether a value of this type may be an address, or have one in it.
pub fn may_lead_on(model: &Model, ty: &Type) -> bool {
    may_be_address(model, ty, 0)
}

fn may_be_address(model: &Model, ty: &Type, depth: usize) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) => false,
        TypeKind::Array(element, _) => may_be_address(model, element, depth),
        TypeKind::Record { usr, .. } => match model.classes.get(usr) {
            Some(class) if depth < 8 => {
                class.is_polymorphic
                    || class.fields.iter().filter(|f| !f.is_static).any(|f| may_be_address(model, &f.ty, depth + 1))
                    || class.bases.iter().any(|b| may_be_address(model, &b.ty, depth + 1))
            }
            _ => true,
        },
        _ => true,
    }
}

/// Whether some of its bytes are nobody's: what is between members, or behind a number of the x87. They are anything,
/// and another thing the next time.
pub fn has_gaps(model: &Model, class: &Class) -> bool {
    let sizes = class.fields.iter().filter(|field| !field.is_static).map(|field| field.ty.size);
    let gaps = |ty: &Type| {
        let mut innermost = ty;
        while let TypeKind::Array(element, _) = &innermost.kind {
            innermost = element;
        }
        match &innermost.kind {
            TypeKind::Prim(Prim::LongDouble) => true,
            TypeKind::Record { usr, .. } => model.classes.get(usr).is_none_or(|class| has_gaps(model, class)),
            _ => false,
        }
    };
    let within = class.fields.iter().any(|field| gaps(&field.ty));
    let is_filled = match class.kind {
        ClassKind::Union => true,
        // Bits share what they are in, and are hardly ever all of it.
        _ if class.fields.iter().any(|field| field.bit_width.is_some()) => false,
        _ => class.bases.is_empty() && sizes.sum::<Option<u64>>() == class.size,
    };
    within || !is_filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_c;

    #[test]
    fn a_union_is_seen_as_a_whole_where_numbers_are_as_long_and_no_address_can_be_in_it() {
        let model = read_c(
            "union word { float real; unsigned char bytes[4]; unsigned all; };\n\
                union real { float one; double other; };\n\
             union half { short part; double all; };\nunion any { long number; void *where; };\n\
             union text { char c[4]; int n : 4; };\n\
             union gap { struct { char c; int i; } part; long all; };\n\
             union full { struct { int a, b; } part; long all; };\nunion x87 { long double n; __int128 all; };",
        );
        let of = |name: &str| {
            let class = model.classes.values().find(|class| class.name == name).unwrap();
            whole(&model, class).map(|field| field.name.as_str())
        };
        assert_eq!(of("word"), Some("bytes"));
        assert_eq!([of("real"), of("half"), of("any"), of("text")], [None; 4]);
        assert_eq!([of("gap"), of("x87"), of("full")], [None, None, Some("all")], "between members is anything");
    }
}
