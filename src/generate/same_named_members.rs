//! Members of one object that have the same name: a derived class and its base both have a `value_`, or two of its
//! bases. In a record those of the base stand under the base's name (`object.<Base>.value_`), and a test asks for them
//! by it (`object.Base::value_`).

use crate::model::{Base, Class, Model, Type, TypeKind, Usr};
use crate::types::substitution::Substitution;

/// Bases further up than this are not looked into.
const DEEPEST: usize = 8;

/// A member that an object of some class has.
struct Member {
    name: String,
    class: Usr,
    /// There is one of it however often the class is among the bases.
    is_shared: bool,
}

fn members(model: &Model, ty: &Type, is_shared: bool, depth: usize, found: &mut Vec<Member>) {
    let TypeKind::Record { usr, args, .. } = &ty.kind else { return };
    let Some(class) = model.classes.get(usr).filter(|_| depth < DEEPEST) else { return };
    let with = Substitution::of(model, class, args);
    own(class, is_shared, found);
    for base in &class.bases {
        members(model, &with.apply(&base.ty), is_shared || base.is_virtual, depth + 1, found);
    }
}

fn own(class: &Class, is_shared: bool, found: &mut Vec<Member>) {
    let fields = class.fields.iter().filter(|field| !field.is_static && !field.name.is_empty());
    found.extend(fields.map(|field| Member { name: field.name.clone(), class: class.usr.clone(), is_shared }));
}

fn meet(one: &[Member], others: &[Member]) -> bool {
    let same = |a: &Member, b: &Member| a.name == b.name && !(a.class == b.class && a.is_shared && b.is_shared);
    one.iter().any(|a| others.iter().any(|b| same(a, b)))
}

/// Whether a name in what the base at `place` among the bases of a class makes of an object stands for something else
/// in it as well.
pub(super) fn is_hidden(model: &Model, class: &Class, with: &Substitution, place: usize) -> bool {
    let of_base = |place: usize| {
        let (base, mut found) = (&class.bases[place], Vec::new());
        members(model, &with.apply(&base.ty), base.is_virtual, 0, &mut found);
        found
    };
    let mut others = Vec::new();
    own(class, false, &mut others);
    (0..class.bases.len()).filter(|other| *other != place).for_each(|other| others.extend(of_base(other)));
    meet(&of_base(place), &others)
}

/// Whether a name that is none of the class's own may stand for members of two of its bases: nobody can ask for it
/// then.
pub(super) fn is_ambiguous(model: &Model, class: &Class, with: &Substitution, name: &str) -> bool {
    let of_base = |base: &Base| {
        let mut found = Vec::new();
        members(model, &with.apply(&base.ty), base.is_virtual, 0, &mut found);
        found.retain(|member| member.name == name);
        found
    };
    let all: Vec<Vec<Member>> = class.bases.iter().map(of_base).collect();
    all.iter().enumerate().any(|(place, one)| all[place + 1..].iter().any(|other| meet(one, other)))
}

/// Whether a class's own members have names that others of these classes have too.
pub(super) fn is_among(model: &Model, class: &Type, others: &[Type]) -> bool {
    let own_of = |ty: &Type| {
        let mut found = Vec::new();
        model.class_of(ty).into_iter().for_each(|class| own(class, false, &mut found));
        found
    };
    let is_other = |ty: &&Type| ty.canonical() != class.canonical();
    others.iter().filter(is_other).any(|other| meet(&own_of(class), &own_of(other)))
}
