//! Constructions that could leave arguments to their defaults: a search passes all of them.

use super::conditions::arguments;
use super::lines::declared;
use crate::model::{Access, Class, Field, Function, Model, Type, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// The most arguments that are left away.
const MOST: usize = 6;

/// Of the lines that construct an object with arguments which have defaults, or that it could be constructed without:
/// with how many it could do.
pub fn fewer<'l>(model: &Model, lines: impl IntoIterator<Item = &'l String>) -> BTreeMap<String, Vec<usize>> {
    let needed = lines.into_iter().filter_map(|line| {
        let (ty, _, given) = parts(line)?;
        let class = model.class_named(ty.split('<').next().unwrap_or(ty))?;
        let open = class.constructors(model).filter(|made| made.access.is_none_or(|access| access == Access::Public));
        let open: Vec<&Function> = open.filter(|made| !made.is_deleted).collect();
        let needs = |made: &Function| made.params.iter().take_while(|param| param.default.is_none()).count();
        let takes = open.iter().filter(|made| made.params.len() >= given.len());
        let least = takes.map(|made| needs(made)).min()?;
        let mut counts: Vec<usize> = (least..given.len()).rev().take(MOST).collect();
        // (An object that nothing gives a value has that of its default constructor.)
        let gives = |made: &&&Function| needs(made) == 0 && !made.is_copy_or_move && gives_all(class, made);
        if least > 0 && open.iter().any(|made| gives(&made)) {
            counts.push(0);
        }
        counts.reverse();
        (!counts.is_empty()).then(|| (line.clone(), counts))
    });
    needed.collect()
}

/// Whether a constructor gives every member a value, as far as its body shows it: the others would be what their memory
/// was.
fn gives_all(class: &Class, constructor: &Function) -> bool {
    let body = match &constructor.definition {
        Some(body) => Some(body),
        None if constructor.is_defaulted => None,
        None => return true,
    };
    let names = |names: &BTreeSet<String>, field: &Field| names.contains(&field.name);
    let is_given =
        |field: &Field| body.is_some_and(|body| names(&body.members, field) || names(&body.initialized, field));
    let needs = |field: &&Field| !field.is_static && !field.is_initialized && is_plain(&field.ty);
    class.fields.iter().filter(needs).all(is_given)
}

fn is_plain(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => true,
        TypeKind::Array(of, _) => is_plain(of),
        _ => false,
    }
}

/// `T name(one, other);` as `T`, `name` and the arguments.
fn parts(line: &str) -> Option<(&str, &str, Vec<String>)> {
    let name = declared(line).filter(|_| !line.contains('\n') && line.ends_with(");"))?;
    let (ty, _) = line.split_once(&format!(" {name}("))?;
    let is_type = ty.chars().all(|c| c.is_alphanumeric() || "_:<>, ".contains(c)) && !ty.starts_with("const ");
    Some((ty, name, arguments(line)?)).filter(|_| is_type)
}

/// The line with fewer arguments, the fewest first.
pub(super) fn shorter(line: &str, counts: &[usize]) -> Vec<String> {
    let Some((ty, name, given)) = parts(line) else { return Vec::new() };
    let with = |count: usize| match count {
        0 => format!("{ty} {name};"),
        _ => format!("{ty} {name}({});", given[..count].join(", ")),
    };
    counts.iter().filter(|count| **count < given.len()).map(|count| with(*count)).collect()
}

/// The line as one that chooses how many arguments it takes: `ways` are the shorter lines, each with its condition.
pub(super) fn chosen(line: &str, ways: &[(String, &String)]) -> Option<String> {
    let (ty, name, _) = parts(line)?;
    let made = |line: &str| {
        let list = line.strip_prefix(&format!("{ty} {name}"))?.strip_suffix(';')?;
        Some(format!("{ty}{}", if list.is_empty() { "()" } else { list }))
    };
    let mut text = format!("{ty} {name} = ");
    for (condition, shorter) in ways {
        text.push_str(&format!("{condition} ? {} : ", made(shorter)?));
    }
    Some(format!("{text}{};", made(line)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn objects_whose_members_all_have_values_may_be_made_of_nothing() {
        let model = read_cpp(
            "struct Said { Said() : x(0) { y[0] = 1; } Said(int x, int y); int x, y[1], z = 2; };\n\
             struct Half { Half() : x(0) {} Half(int x, int y); int x, y; };",
        );
        let lines = ["Said said(1, 2);".to_owned(), "Half half(1, 2);".to_owned()];
        assert_eq!(fewer(&model, &lines).into_keys().collect::<Vec<_>>(), lines[..1]);
    }

    #[test]
    fn arguments_with_defaults_may_be_left_away() {
        let model = read_cpp(
            "namespace k { struct Joint { explicit Joint(int kind = 0, double scale = 1, double offset = 0); \
             Joint(const char *name); };\nstruct Plain { Plain(int one, int other); };\n\
             struct Vector { Vector(); Vector(int x, int y); };\n\
             struct Raw { Raw() {} Raw(int x, int y); int x; };\n\
             struct Bare { Bare() = default; Bare(int x, int y); int x; }; }",
        );
        let lines = [
            "k::Joint joint(3, 0.0, 0.0);",
            "k::Plain plain(1, 2);",
            "int n(3);",
            "k::Vector v(1, 2);",
            "k::Raw raw(1, 2);",
            "k::Bare bare(1, 2);",
        ];
        let lines = lines.map(str::to_owned);
        let counts: Vec<_> = fewer(&model, &lines).into_iter().collect();
        assert_eq!(counts, [(lines[0].clone(), vec![0, 1, 2]), (lines[3].clone(), vec![0])]);
        let ways = shorter(&lines[0], &[0, 1, 2]);
        assert_eq!(ways, ["k::Joint joint;", "k::Joint joint(3);", "k::Joint joint(3, 0.0);"]);
        let open: Vec<(String, &String)> = ways[..2].iter().map(|way| (format!("c{}", way.len()), way)).collect();
        assert_eq!(
            chosen(&lines[0], &open).unwrap(),
            "k::Joint joint = c15 ? k::Joint() : c18 ? k::Joint(3) : k::Joint(3, 0.0, 0.0);"
        );
    }
}
