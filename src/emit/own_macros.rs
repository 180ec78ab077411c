//! Macros of the code under test that have the name of a framework's: a project with a small framework of its own has a
//! `TEST` or an `EXPECT_EQ` in a header that its sources include. The framework's are kept while the code is included.

use super::framework::Row;
use crate::model::Language;
use std::collections::BTreeSet;

/// Those of the code's macros that a framework calls so.
pub fn of_frameworks<'m>(defined: impl IntoIterator<Item = &'m str>) -> BTreeSet<String> {
    let names: BTreeSet<&str> = Row::all().iter().flat_map(words).collect();
    defined.into_iter().filter(|name| names.contains(name)).map(str::to_owned).collect()
}

/// The lines before and behind the includes of the code.
#[derive(Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Kept {
    before: String,
    behind: String,
}

/// What keeps the macros of a framework from `own` ones of the code.
pub fn kept(row: &Row, own: &BTreeSet<String>) -> Kept {
    let names: BTreeSet<&str> = words(row).filter(|name| own.contains(*name)).collect();
    if names.is_empty() {
        return Kept::default();
    }
    let lines = |of: &dyn Fn(&str) -> String| names.iter().map(|name| of(name)).collect::<Vec<_>>().join("\n");
    let remark = match row.language {
        Language::C => "/* The code has macros of its own by these names. */\n",
        Language::Cxx => "// The code has macros of its own by these names.\n",
    };
    let undefined = |name: &str| format!("#undef {name}");
    if row.include_last {
        return Kept { before: String::new(), behind: format!("{remark}{}", lines(&undefined)) };
    }
    let put_aside = |name: &str| format!("#pragma push_macro(\"{name}\")\n#undef {name}");
    let put_back = |name: &str| format!("#pragma pop_macro(\"{name}\")");
    Kept { before: format!("{remark}{}", lines(&put_aside)), behind: lines(&put_back) }
}

/// The names in what a framework's tests are written with, short ones of C among them.
fn words(row: &Row) -> impl Iterator<Item = &'static str> {
    let pairs = [row.equal, row.unequal, row.integers, row.text].into_iter().flatten().flatten();
    let texts = [row.opens, row.closes, row.begins, row.ends, row.is_true, row.requires, row.is_false];
    let all = texts.into_iter().chain(row.throws).chain(row.fails).chain(pairs);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let names = all.flat_map(move |text| text.split(move |letter| !is_part(letter)));
    let is_macro = |name: &&str| {
        let is_loud = name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
        is_loud || name.starts_with("assert")
    };
    names.filter(is_macro)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Framework;

    #[test]
    fn macros_of_the_code_are_put_aside_where_the_framework_has_them_too() {
        let own = of_frameworks(["TEST", "EXPECT_EQ", "CHECK", "LOG", "assert"]);
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(own, all(&["TEST", "EXPECT_EQ", "CHECK", "assert"]));
        let Kept { before, behind } = kept(Row::of(Framework::Gtest), &own);
        assert_eq!(
            before.lines().skip(1).collect::<Vec<_>>(),
            ["#pragma push_macro(\"EXPECT_EQ\")", "#undef EXPECT_EQ", "#pragma push_macro(\"TEST\")", "#undef TEST"]
        );
        assert_eq!(behind, "#pragma pop_macro(\"EXPECT_EQ\")\n#pragma pop_macro(\"TEST\")");
        let Kept { before, behind } = kept(Row::of(Framework::Cpputest), &own);
        assert_eq!((before.as_str(), behind.lines().last()), ("", Some("#undef TEST")));
        assert_eq!(kept(Row::of(Framework::Gtest), &all(&["CHECK"])), Kept::default());
    }
}
