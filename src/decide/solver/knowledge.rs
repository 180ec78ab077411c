//! What the solver may be trusted with, which is data: `utility-overrides/builtin/solver.yaml`.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// Functions that it has exactly.
    functions: BTreeSet<String>,
    /// Mathematical functions by the number of their arguments.
    alike: BTreeMap<usize, BTreeSet<String>>,
    /// Classes of the C++ library that it has.
    classes: BTreeSet<String>,
    /// Beginnings of options that give the code another meaning.
    options: BTreeSet<String>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../../utility-overrides/builtin/solver.yaml")).expect("a test reads it")
});

/// Whether the solver has the library's function of this name exactly.
pub fn has_function(name: &str) -> bool {
    let name = name.strip_prefix("std::").unwrap_or(name);
    KNOWN.functions.contains(name.strip_prefix("__builtin_").unwrap_or(name))
}

/// The number of arguments of a mathematical function of which the solver is only to know that it is one, and their
/// type, which is the result's as well.
pub fn alike(name: &str) -> Option<(usize, &'static str)> {
    let arguments = |name: &str| {
        let mut all = KNOWN.alike.iter();
        all.find(|(_, names)| names.contains(name)).map(|(arguments, _)| *arguments)
    };
    let double = arguments(name).map(|arguments| (arguments, "double"));
    double.or_else(|| Some((arguments(name.strip_suffix('f')?)?, "float")))
}

/// Whether the USR is of a member of a class of the C++ library that the solver has, or of an operator of it.
pub fn has_member(usr: &str) -> bool {
    let inside = ["c:@N@std@", "c:@N@__gnu_cxx@"].iter().find_map(|start| usr.strip_prefix(start));
    let Some(rest) = inside else { return false };
    // Inline namespaces of the library's own.
    let rest = ["N@__cxx11@", "N@__1@", "N@__ndk1@"].iter().find_map(|inner| rest.strip_prefix(inner)).unwrap_or(rest);
    if rest.starts_with("F@operator") || rest.starts_with("FT@") && rest.contains("operator") {
        return true;
    }
    // A template's parameters stand before its name, the arguments of an instance behind it.
    let class = rest.strip_prefix("S@").or_else(|| Some(rest.split_once('@')?.1).filter(|_| rest.starts_with("ST")));
    class.is_some_and(|class| KNOWN.classes.contains(class.split(['@', '>']).next().unwrap_or_default()))
}

/// The option that gives the code another meaning than the solver's, if there is one.
pub fn odd_option(options: &[String]) -> Option<&str> {
    let is_odd = |option: &&String| KNOWN.options.iter().any(|start| option.starts_with(start.as_str()));
    options.iter().find(is_odd).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_members_and_options_are_known_by_their_names() {
        assert!(has_function("memcpy") && has_function("__builtin_fabs") && has_function("std::max"));
        assert!(!has_function("sin") && !has_function("printf") && !has_function(""));
        assert_eq!((alike("sqrt"), alike("powf"), alike("sqrtl")), (Some((1, "double")), Some((2, "float")), None));
        assert_eq!((alike("erf"), alike("erff"), alike("f")), (Some((1, "double")), Some((1, "float")), None));
        assert!(has_member("c:@N@std@S@vector>#I#@F@push_back#&1I#"));
        assert!(has_member("c:@N@std@N@__cxx11@S@basic_string>#C#@F@size#1"));
        assert!(has_member("c:@N@__gnu_cxx@ST>2#T#T@__normal_iterator@F@operator*#1"));
        assert!(!has_member("c:@N@std@S@map>#I#I@F@size#1") && !has_member("c:@S@vector@F@size#1"));
        let options = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(odd_option(&options("-O2 -ffast-math")), Some("-ffast-math"));
        assert_eq!(odd_option(&options("-O2 -DN=3 -Wall -ffp-contract=off")), None);
    }
}
