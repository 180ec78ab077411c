//! Every way in which a given file is paired or refused.

use super::*;
use crate::model::Literal;
use crate::mutant::list;
use crate::parse::testing::Small;

const HEADER: &str = "#pragma once\nnamespace n { class C { public: C(int a); int twice() const { return 2 * x_; } int other();\n\
                      private: int x_; int y_; }; }\n#define LIMIT 3\n";
const SOURCE: &str = "#include \"c.h\"\n// a comment\nstatic int helper(int a) { return a + 1; }\n\
                      n::C::C(int a) : x_(helper(a)), y_(0) {\n  y_ = a;\n}\n\
                      int n::C::other() {\n  n::C copy(*this);\n  if (x_ > LIMIT) goto out;\n  return copy.x_ + helper(1);\nout:\n  return 0;\n}\n";

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
    let given = list::read(&folder, &small.root, &files, &small.root).unwrap().givens;
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
    assert_eq!(pairing.literals, [Literal::Int(-7), Literal::Int(7)]);
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
        settled: None,
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
    let given =
        Given { id: "m.c".into(), path: small.root.join("a.c"), original, claim, filter: Some('N'), settled: None };
    let paired = pair(&[given], &model, &small.database, &small.options).unwrap();
    let (status, why) = paired[0].pairing.clone().unwrap_err();
    assert_eq!(status, Status::NoDriver);
    assert!(why.contains("b.c:1:"), "{why}");
    assert_eq!(paired[0].filter, Some('N'));
}
