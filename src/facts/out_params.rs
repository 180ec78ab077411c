//! Objects that functions hand out through a parameter: `static Status Open(const Options &, Table **table)`,
//! `int list_create(struct list **out)`, `bool load(const char *, std::unique_ptr<Map> *map)`.

use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, FunctionKind, Param, Type, TypeKind};
use crate::types::records::points_to;

/// How functions are called that make an object.
const MAKES: [Role; 4] = [Role::Creates, Role::Opens, Role::Initialises, Role::Reads];

/// The class of the object that a function makes and leaves in a parameter, and the index of that. Only what says by
/// its name that it makes something is believed: who looks something up hands out what is another's.
pub fn out_param<'f>(lexicon: &Lexicon, function: &'f Function) -> Option<(&'f str, usize)> {
    let is_maker = !matches!(function.kind, FunctionKind::Constructor | FunctionKind::Destructor)
        && lexicon.says(&function.name, MAKES);
    if !is_maker {
        return None;
    }
    let mut places = function.params.iter().enumerate().filter_map(|(at, param)| Some((place(&param.ty)?, at)));
    let (first, None) = (places.next()?, places.next()) else { return None };
    let usr = first.0.to_owned();
    // Who takes such an object as well, or returns one, puts something else there.
    let takes_one = function.params.iter().any(|param| points_to(&param.ty, &usr)) || points_to(&function.result, &usr);
    (!takes_one).then_some(first)
}

/// The class whose object is left behind a parameter of this type: through a pointer or a reference to a pointer, plain
/// or smart, that the function may set.
fn place(ty: &Type) -> Option<&str> {
    let (TypeKind::Pointer(to) | TypeKind::LvalueRef(to)) = &ty.kind else { return None };
    if to.is_const {
        return None;
    }
    let object =
        to.pointee().or_else(|| crate::types::standard::smart_pointee(None, to)).filter(|object| !object.is_const)?;
    object.record().map(String::as_str)
}

/// The parameters without the one at `place`, which nobody gives a value.
pub(crate) fn without(params: &[Param], place: usize) -> Vec<Param> {
    let others = params.iter().enumerate().filter(|(at, _)| *at != place);
    let moved = |(_, param): (usize, &Param)| {
        let there = |at: usize| (at != place).then(|| at - usize::from(at > place));
        let elements = param.elements.clone().map(|known| {
            let counted_by = known.counted_by.iter().filter_map(|count| there(*count)).collect();
            crate::model::Elements { counted_by, ..known }
        });
        Param { ends: param.ends.and_then(there), elements, ..param.clone() }
    };
    others.map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn a_function_that_makes_an_object_says_so_by_its_name_and_by_one_parameter() {
        let model = read_cpp(
            "#include <memory>\nstruct Table { int n; };\nint openTable(const char *name, Table **out);\n\
             bool load(const char *text, std::unique_ptr<Table> *out);\nvoid create_table(int n, Table *&out);\n\
             bool find(int key, Table **out);\nint makeFrom(Table *other, Table **out);\n\
             int makeTwo(Table **a, Table **b);\n\
             int openConst(Table *const *out);\nTable *newTable(Table **out);\n",
        );
        let out = |name: &str| {
            let function = model.functions.values().find(|f| f.name == name).unwrap();
            out_param(&Lexicon::default(), function).map(|(usr, at)| (model.classes[usr].name.clone(), at))
        };
        let table = |at| Some(("Table".to_owned(), at));
        assert_eq!((out("openTable"), out("load"), out("create_table")), (table(1), table(1), table(1)));
        for name in ["find", "makeFrom", "makeTwo", "openConst", "newTable"] {
            assert_eq!(out(name), None, "{name}");
        }
    }

    #[test]
    fn a_range_is_still_one_when_the_parameter_before_it_is_gone() {
        let model = read_cpp("int open(int **out, const char *begin, const char *end);");
        let mut params = model.functions.values().next().unwrap().params.clone();
        params[2].ends = Some(1);
        let left = without(&params, 0);
        assert_eq!((left.len(), left[1].ends), (2, Some(0)));
        assert_eq!(without(&params, 1)[1].ends, None);
    }
}
