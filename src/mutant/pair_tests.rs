//! Every way in which a given file is paired or refused.

use super::*;
use crate::model::Literal;
use crate::mutant::list;
use crate::parse::testing::Small;

const HEADER: &str = "#pragma once\nnamespace n { class C { public: C(int a); int twice() const { return 2 * x_; } \
int other();\n\
                      private: int x_; int y_; }; }\n#define LIMIT 3\n";
const SOURCE: &str = "#include \"c.h\"\n// a comment\nstatic int helper(int a) { return a + 1; }\n\
                      n::C::C(int a) : x_(helper(a)), y_(0) {\n  y_ = a;\n}\n\
                      int n::C::other() {\n  n::C copy(*this);\n  if (x_ > LIMIT) goto out;\n  return copy.x_ + \
                      helper(1);\nout:\n  return 0;\n}\n";

/// Pairs one mutant of `file`, in which `from` is replaced by `to`.
fn pair_one(file: &str, from: &str, to: &str) -> Mutant {
    let small = Small::new(&[("c.h", HEADER), ("c.cpp", SOURCE)], "-std=c++17");
    let model = small.model();
    let text = std::fs::read_to_string(small.root.join(file)).unwrap();
    assert!(text.contains(from), "{from}");
    let folder = small.root.join("mutants");
    std::fs::create_dir(&folder).unwrap();
    let (stem, ending) = file.split_once('.').unwrap();
    std::fs::write(folder.join(format!("{stem}.mut.99.1_1.ROR.wrong.{ending}")), text.replace(from, to)).unwrap();
    let files: Vec<_> = model.files.keys().cloned().collect();
    let given = list::read(&folder, &small.root, &files, &small.root).unwrap();
    let mut paired = pair(&given, &model, &small.database, &small.options).unwrap();
    assert_eq!(paired.len(), 1);
    let mut mutant = paired.remove(0);
    if let Ok(pairing) = &mut mutant.pairing {
        let text = std::fs::read_to_string(&mutant.path).unwrap();
        for reference in &pairing.references {
            let name = &text[reference.offset as usize..(reference.offset + reference.len) as usize];
            assert!(["C", "other", "twice", "helper"].contains(&name), "{name}");
        }
        assert_eq!(&text[pairing.body.0 as usize..][..1], "{");
        assert_eq!(&text[pairing.body.1 as usize - 1..][..1], "}");
        pairing.unit = model.functions[&pairing.unit].id.clone();
    }
    mutant
}

fn refused(file: &str, from: &str, to: &str) -> (Status, String) {
    pair_one(file, from, to).pairing.unwrap_err()
}

#[test]
fn a_changed_body_is_paired_with_its_function_whatever_the_name_says() {
    let mutant = pair_one("c.cpp", "copy.x_ + helper(1)", "copy.x_ - helper(-7)");
    let pairing = mutant.pairing.unwrap();
    assert_eq!(pairing.unit, "n::C::other()");
    assert_eq!((mutant.line, mutant.operator.as_str()), (10, "ROR"));
    assert_eq!(pairing.labels, ["out"]);
    assert_eq!(pairing.literals, [Literal::Int(7), Literal::Int(-7)]);
    assert!(pairing.initializers.is_none() && !pairing.in_initializers);
    // The class in the qualified name, twice in the body; the method's own name; the helper.
    assert!(pairing.references.len() >= 4, "{:?}", pairing.references);
    assert!(mutant.diff.starts_with("--- a/c.cpp\n+++ b/c.cpp\n@@"), "{}", mutant.diff);
    assert!(mutant.diff.contains("\n-  return copy.x_ + helper(1);\n+  return copy.x_ - helper(-7);\n"));
}

#[test]
fn a_changed_initialiser_is_the_constructors() {
    let mutant = pair_one("c.cpp", "y_(0)", "y_(1)");
    let pairing = mutant.pairing.unwrap();
    assert_eq!(pairing.unit, "n::C::C(int)");
    assert!(pairing.in_initializers);
    let text = pair_one("c.cpp", "y_ = a;", "y_ = -a;").pairing.unwrap();
    assert!(!text.in_initializers && text.initializers.is_some());
    let removed = pair_one("c.cpp", " : x_(helper(a)), y_(0)", "").pairing.unwrap();
    assert!(removed.in_initializers && removed.initializers.is_none());
}

#[test]
fn a_headers_mutant_is_read_with_a_source_that_includes_it() {
    let mutant = pair_one("c.h", "2 * x_", "2 + x_");
    assert_eq!(mutant.pairing.unwrap().unit, "n::C::twice() const");
    assert_eq!(mutant.line, 2);
}

#[test]
fn a_difference_in_comments_is_none() {
    let (status, why) = refused("c.cpp", "// a comment\n", "/* another */\n\n");
    assert_eq!(status, Status::Invalid);
    assert_eq!(why, "differs in nothing but comments and white space");
}

#[test]
fn changes_of_two_functions_are_refused_by_name() {
    let (status, why) =
        refused("c.cpp", "return a + 1; }\nn::C::C(int a) : x_", "return a; }\nn::C::C(int a) : y_(1), x_");
    assert_eq!(status, Status::Unbuildable, "{why}");
    let (status, why) =
        refused("c.cpp", "a + 1; }\nn::C::C(int a) : x_(helper(a)), y_(0)", "a; }\nn::C::C(int a) : x_(a), y_(0)");
    assert_eq!((status, why.as_str()), (Status::Invalid, "changes 2 functions: helper(int), n::C::C(int)"));
}

#[test]
fn declarations_signatures_and_macros_are_refused() {
    let (status, why) = refused("c.h", "int x_; int y_;", "int y_; int x_;");
    assert_eq!((status, why.as_str()), (Status::Invalid, "changes a declaration (line 3), not the body of a function"));
    let (status, why) = refused("c.cpp", "helper(int a)", "helper(long a)");
    assert_eq!((status, why.as_str()), (Status::Invalid, "changes the declaration of helper(int) (line 3)"));
    let (status, why) = refused("c.h", "#define LIMIT 3", "#define LIMIT 4");
    assert_eq!((status, why.as_str()), (Status::Invalid, "changes a preprocessor directive (line 4)"));
}

#[test]
fn what_does_not_parse_is_invalid_and_what_does_not_compile_unbuildable() {
    let (status, why) = refused("c.cpp", "y_ = a;", "y_ = ;");
    assert_eq!((status, why.as_str()), (Status::Invalid, "does not parse: c.cpp:5: expected expression"));
    let (status, why) = refused("c.cpp", "return copy.x_", "return copy.nothing_");
    assert_eq!(status, Status::Unbuildable);
    assert!(why.starts_with("c.cpp:10: no member named 'nothing_'"), "{why}");
}

#[test]
fn a_file_of_no_project_and_a_header_that_nobody_reads_are_refused() {
    let small = Small::new(&[("a.c", "int f(void) { return 1; }\n"), ("lone.h", "int g(void);\n")], "");
    let model = small.model();
    let given = |original: Option<PathBuf>| Given {
        id: "m.c".into(),
        path: small.root.join("a.c"),
        original,
        claim: crate::mutant::Claim::default(),
        filter: None,
        whole: None,
        is_ours: false,
        settled: None,
        suite: None,
    };
    let givens = [given(None), given(Some(small.root.join("lone.h"))), given(Some(small.root.join("a.c")))];
    let paired = pair(&givens, &model, &small.database, &small.options).unwrap();
    let why = |at: usize| paired[at].pairing.clone().unwrap_err();
    assert_eq!(why(0), (Status::Invalid, "no file of this project is its original".into()));
    assert!(why(1).1.starts_with("not of this project"), "{}", why(1).1);
    assert_eq!(why(2).0, Status::Invalid);
    assert_eq!(paired[0].operator, "?");
}

#[test]
fn a_mutant_of_a_source_that_does_not_parse_has_no_driver() {
    let small = Small::new(&[("a.c", "int f(void) { return 1; }\n"), ("b.c", "int g( { return 1; }\n")], "");
    let (model, _) = parse::project(&small.database, &small.options).unwrap();
    let original = Some(small.root.join("b.c"));
    let claim = crate::mutant::Claim::default();
    let given = Given {
        id: "m.c".into(),
        path: small.root.join("a.c"),
        original,
        claim,
        filter: Some('N'),
        whole: None,
        is_ours: false,
        settled: None,
        suite: None,
    };
    let paired = pair(&[given], &model, &small.database, &small.options).unwrap();
    let (status, why) = paired[0].pairing.clone().unwrap_err();
    assert_eq!(status, Status::NoDriver);
    assert!(why.contains("b.c:1:"), "{why}");
    assert_eq!(paired[0].filter, Some('N'));
}

/// Pairs the same change both ways.
fn both(file: &str, from: &str, to: &str) -> (Option<Derived>, Mutant) {
    let small = Small::new(&[("c.h", HEADER), ("c.cpp", SOURCE)], "-std=c++17");
    let model = small.model();
    let path = small.root.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mutated = text.replacen(from, to, 1);
    let derived = Base::new(&path, &Text::new(text.as_bytes()), &model).derive(mutated.as_bytes());
    let mut compared = pair_one(file, from, to);
    if let Ok(pairing) = &mut compared.pairing {
        pairing.unit = model.functions.values().find(|f| f.id == pairing.unit).unwrap().usr.clone();
    }
    (derived, compared)
}

#[test]
fn what_is_derived_is_what_the_comparison_finds() {
    for (file, from, to) in [
        ("c.cpp", "copy.x_ + helper(1)", "copy.x_ - helper(1)"),
        ("c.cpp", "copy.x_ + helper(1)", "helper(-7)"),
        ("c.cpp", "return copy.x_ + helper(1);", ";"),
        ("c.cpp", "x_ > LIMIT", "!(x_ > LIMIT)"),
        ("c.cpp", "if (x_ > LIMIT) goto out;", ""),
        ("c.cpp", "n::C copy(*this);\n  if", "n::C copy(*this); copy.other();\n  if"),
        ("c.cpp", "helper(a)", "helper(a + 3)"),
        ("c.cpp", "x_(helper(a)), y_(0)", "x_(0), y_(helper(a))"),
        ("c.cpp", " : x_(helper(a)), y_(0)", ""),
        ("c.cpp", "y_ = a;", "y_ = -a;"),
        ("c.cpp", "y_ = a;", ""),
        ("c.cpp", "return a + 1;", "return a + 0x1f;"),
        ("c.h", "2 * x_", "2 + x_"),
    ] {
        let (derived, compared) = both(file, from, to);
        let what = format!("{from} → {to}");
        let Some(derived) = derived else { panic!("{what} is not derived") };
        assert_eq!(derived.line, compared.line, "{what}");
        let (mut found, wanted) = (derived.pairing, compared.pairing.unwrap_or_else(|why| panic!("{what}: {why:?}")));
        found.literals = wanted.literals.clone();
        assert_eq!(found, wanted, "{what}");
    }
}

#[test]
fn what_can_not_be_told_for_certain_is_left_to_the_comparison() {
    // A name that the function does not use; another function; outside any; nothing at all.
    for (file, from, to) in [
        ("c.cpp", "y_ = a;", "y_ = twice();"),
        ("c.cpp", "return a + 1; }\nn::C::C(int a) : x_(helper(a))", "return a - 1; }\nn::C::C(int a) : x_(a)"),
        ("c.cpp", "helper(int a)", "helper(long a)"),
        ("c.cpp", "// a comment", "// another"),
        ("c.cpp", "return 0;", "return /* nothing */ 0;"),
    ] {
        let small = Small::new(&[("c.h", HEADER), ("c.cpp", SOURCE)], "-std=c++17");
        let model = small.model();
        let path = small.root.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        let mutated = text.replacen(from, to, 1);
        assert!(
            Base::new(&path, &Text::new(text.as_bytes()), &model).derive(mutated.as_bytes()).is_none(),
            "{from} → {to}"
        );
    }
}

#[test]
fn literals_that_have_come_are_values_to_try() {
    let (derived, _) = both("c.cpp", "y_ = a;", "y_ = -0x10u + 7;");
    assert_eq!(derived.unwrap().pairing.literals, [Literal::Int(-16), Literal::Int(7), Literal::Int(16)]);
}

/// Pairs a mutant of `C::other` whose first text has `from` replaced by `to`; another version of the whole file stands
/// by, where there is one.
fn pair_whole(change: Option<(&str, &str)>, whole: &str) -> (Mutant, Small) {
    let small = Small::new(&[("c.h", HEADER), ("c.cpp", SOURCE)], "-std=c++17");
    let model = small.model();
    let diff = |text: &str| crate::mutant::made::diff(Path::new("c.cpp"), SOURCE.as_bytes(), text.as_bytes());
    let first = change.map_or_else(String::new, |(from, to)| diff(&SOURCE.replace(from, to)));
    let entry = serde_json::json!({"id": "m.cpp", "file": "c.cpp", "unit": "n::C::other()", "line": 7, "diff": first,
        "whole": diff(whole)});
    let list = small.root.join("mutants.json");
    std::fs::write(&list, serde_json::json!({ "mutants": [entry] }).to_string()).unwrap();
    let files: Vec<_> = model.files.keys().cloned().collect();
    let given = list::read(&list, &small.root, &files, &small.root.join("scratch")).unwrap();
    (pair(&given, &model, &small.database, &small.options).unwrap().remove(0), small)
}

#[test]
fn another_version_of_the_whole_file_is_taken_where_the_change_alone_does_not_compile_or_is_not_there() {
    // Its helper had another name.
    let older = SOURCE.replace("helper", "more").replace("more(1)", "more(2)");
    let gone = Some(("helper(1)", "more(2)"));
    for change in [gone, None] {
        let (mutant, _small) = pair_whole(change, &older);
        let pairing = mutant.pairing.unwrap();
        assert!(pairing.is_whole);
        let body = &older[pairing.body.0 as usize..pairing.body.1 as usize];
        assert!(body.starts_with('{') && body.contains("more(2)"), "{body}");
        assert!(mutant.diff.contains("+static int more(int a)") && mutant.line == 7, "{}", mutant.diff);
        assert_eq!(std::fs::read_to_string(&mutant.path).unwrap(), older);
    }
    // What compiles stands alone.
    let (mutant, _small) = pair_whole(Some(("helper(1)", "helper(2)")), &older);
    assert!(!mutant.pairing.unwrap().is_whole && !mutant.diff.contains("more"));
    let (status, why) = pair_whole(gone, "int x = y;\n").0.pairing.unwrap_err();
    assert_eq!(status, Status::Unbuildable);
    assert!(why.contains("'more'") && why.contains("nor does the whole file") && why.contains("'y'"), "{why}");
    let (_, why) = pair_whole(None, "#include \"c.h\"\n").0.pairing.unwrap_err();
    assert_eq!(why, "it does not have this function");
}
