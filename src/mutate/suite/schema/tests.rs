//! Places of alternatives, and their text.

use super::*;
use crate::mutant::made::{Edit, Standing};
use crate::parse;
use crate::parse::testing::Small;

/// The schema of one file with a mutant for each `(old, new)`; `old` occurs once in the source.
fn schema(file: &str, source: &str, changes: &[(&str, &str)]) -> Schema {
    let small = Small::new(&[(file, source)], if file.ends_with(".c") { "-std=gnu11" } else { "-std=c++17" });
    let model = small.model();
    let path = small.root.join(file);
    let trees = parse::trees(&small.database.commands[0], std::slice::from_ref(&path), &small.database, &small.options)
        .unwrap();
    let made: Vec<Made> = changes
        .iter()
        .map(|(old, new)| {
            assert_eq!(source.matches(old).count(), 1, "{old}");
            let start = source.find(old).unwrap() as u32;
            let edit = Edit { start, end: start + old.len() as u32, text: (*new).into() };
            Made {
                id: String::new(),
                file: path.clone(),
                line: 0,
                column: 0,
                unit: model.function_at(&path, start).unwrap().usr.clone(),
                unit_id: String::new(),
                change: Change { operator: String::new(), edits: vec![edit] },
                standing: Standing::New,
                reason: None,
            }
        })
        .collect();
    let mutants: Vec<(usize, &Made)> = made.iter().enumerate().collect();
    let fixed = |unit: &str| model.functions[unit].is_constexpr;
    Schema::new(source.as_bytes().to_vec(), &trees[0], &mutants, &fixed)
}

/// The text of all mutants after the preamble.
fn text(schema: &Schema, lines: Lines) -> String {
    let text = String::from_utf8(schema.write(&|_| true, 1, 9, lines).bytes).unwrap();
    text.split_once("#endif\n#line 1\n").map_or(text.clone(), |(_, behind)| behind.to_owned())
}

#[test]
fn statements_and_conditions_stand_side_by_side_under_their_own_lines() {
    let source = "int f(int a) {\n  while (a > 9)\n    a -= 2;\n  return a;\n}\n";
    let schema =
        schema("a.c", source, &[("a > 9", "a >= 9"), ("a > 9)\n    a -= 2;", "0);"), ("a -= 2;", ";"), ("-=", "+=")]);
    let expected = "\
int f(int a) {
  { if (motif_at(1u, 1u)) { {\u{20}
#line 2
while (0);
 } } else {\u{20}
#line 2
while ((motif_at(2u, 1u) ? (((
#line 2
a >= 9
) ? 1 : 0)) : ((
#line 2
a > 9) ? 1 : 0)))
    { if (motif_at(3u, 2u)) { if (motif_is(3u)) {\u{20}
#line 3
;
 } else {\u{20}
#line 3
a += 2;
 } } else {\u{20}
#line 3
a -= 2; } } } }
  return a;
}
";
    assert_eq!(text(&schema, Lines::AsInTheSource), expected);
}

#[test]
fn a_line_of_the_plain_text_is_about_one_alternative() {
    let source = "int g;\nint f(int a) {\n  a++;\n  return a;\n}\n";
    let schema = schema("a.c", source, &[("a++;", "a--;"), ("a++;\n", "\n"), ("return a", "return b")]);
    let text = schema.write(&|_| true, 1, 4, Lines::AsTheyStand);
    let about = |word: &str| {
        let at = text.bytes.windows(word.len()).position(|window| window == word.as_bytes()).unwrap();
        text.about(1 + text.bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u32)
    };
    assert_eq!(about("a--;"), [0]);
    assert_eq!(about("return b"), [2]);
    assert_eq!(about("int g"), [] as [usize; 0]);
    assert!(!String::from_utf8_lossy(&text.bytes).contains("#line"));
}

#[test]
fn alternatives_stand_in_the_smallest_place_that_can_be_doubled() {
    // File, source, the text replaced by `0`, the start of the place (none: a build of its own), its form.
    use Form::{Condition, Discarded, Statement, Value};
    let cases = [
        ("a.c", "int f(int a) { a = 1; return a; }", "1", Some(("a = 1;", Statement))),
        ("a.c", "int f(int a) { int b = a + 1; return b; }", "1", Some(("a + 1", Value))),
        ("a.c", "int f(int a) { const int b = 3; int c[b]; return c[0]; }", "3", Some(("{ const", Statement))),
        ("a.c", "int f(int a) { static int b = 3; return b; }", "3", Some(("{ static", Statement))),
        ("a.c", "int f(int a) { int b[] = {1, 2}; return b[0]; }", "2", Some(("{ int b", Statement))),
        ("a.c", "int f(int a) { for (int i = 1; i < 2; i += 3) a++; return a; }", "1", Some(("1", Value))),
        ("a.c", "int f(int a) { for (int i = 1; i < 2; i += 3) a++; return a; }", "2", Some(("i < 2", Condition))),
        ("a.c", "int f(int a) { for (int i = 1; i < 2; i += 3) a++; return a; }", "3", Some(("i += 3", Discarded))),
        ("a.c", "int f(int a) { do a++; while (a < 2); return a; }", "2", Some(("a < 2", Condition))),
        ("a.c", "int f(int a) { switch (a) { case 1: a = 7; } return a; }", "7", Some(("a = 7;", Statement))),
        ("a.c", "int f(int a) { switch (a) { case 1: a = 7; } return a; }", "1", Some(("switch", Statement))),
        ("a.c", "int f(int a) { x: a = 7; if (a) goto x; return a; }", "7", Some(("a = 7;", Statement))),
        ("a.c", "int f(int a) { { x: a = 7; int b[] = {9}; } goto x; }", "9", Some(("{ { x", Statement))),
        ("a.c", "int f(int a) { return ({ int b[] = {5}; b[0]; }); }", "5", Some(("return", Statement))),
        (
            "a.c",
            "int f(int a) {\n#ifdef X\n if (a)\n#else\n if (!a)\n#endif\n { int b[] = {5}; a = b[0]; }\n return a; }",
            "5",
            Some(("{ int b", Statement)),
        ),
        ("a.c", "int f(int a) {\n#define N 4\n int b[N] = {5};\n return b[0]; }", "5", None),
        ("a.cpp", "int f(int a) { auto b = 3; return b; }", "3", Some(("{ auto", Statement))),
        ("a.cpp", "int f(int a) { const int &b = 3; return b; }", "3", Some(("{ const", Statement))),
        ("a.cpp", "int f(int a) { if (int b = 3) return b; return a; }", "3", Some(("3", Value))),
        (
            "a.cpp",
            "int f(int a) { auto g = [=] { int b[] = {5}; return b[0]; }; return g(); }",
            "5",
            Some(("{ int b", Statement)),
        ),
        ("a.cpp", "struct S { S(int *p) : a_(3), b_(p[4]) {} int a_; const int &b_; };", "3", Some(("3", Value))),
        ("a.cpp", "struct S { S(int *p) : a_(3), b_(p[4]) {} int a_; const int &b_; };", "4", None),
        (
            "a.cpp",
            "struct S { S() try : a_(3) { a_ = 5; } catch (...) { } int a_; };",
            "5",
            Some(("a_ = 5;", Statement)),
        ),
        ("a.cpp", "constexpr int f(int a) { return a + 3; }", "3", None),
        (
            "a.cpp",
            "int f(int a) { try { throw 3; } catch (int b) { return b; } return 0; }",
            "3",
            Some(("throw 3;", Statement)),
        ),
    ];
    for (file, source, old, expected) in cases {
        let schema = schema(file, source, &[(old, "0")]);
        let place = schema.entries.first().and_then(|entry| entry.places.last());
        let found =
            place.map(|place| (String::from_utf8_lossy(place.span.text(source.as_bytes())).into_owned(), place.form));
        match (&found, expected) {
            (None, None) => {}
            (Some((text, form)), Some((start, expected))) if text.starts_with(start) && *form == expected => {}
            _ => panic!("`{old}` in `{source}`: {found:?}"),
        }
    }
}

#[test]
fn a_file_keeps_its_byte_order_mark_in_front_and_its_line_ends() {
    let source = "\u{feff}int f(int a)\r\n{\r\n  return a + 1;\r\n}";
    let schema = schema("a.c", source, &[("1", "2")]);
    let text = String::from_utf8(schema.write(&|_| true, 1, 2, Lines::AsInTheSource).bytes).unwrap();
    assert!(text.starts_with("\u{feff}#define MOTIF_NOTES 2UL\n"));
    assert!(text.contains("#line 1\nint f(int a)\r\n") && text.ends_with("return a + 1; } }\r\n}"), "{text}");
}

#[test]
fn a_file_that_numbers_its_own_lines_is_left_to_it() {
    let schema = schema("a.c", "#line 70 \"a.y\"\nint f(int a) {\n  return a + 1;\n}\n", &[("1", "2")]);
    let text = String::from_utf8(schema.write(&|_| true, 1, 2, Lines::AsInTheSource).bytes).unwrap();
    assert_eq!(text.matches("#line").count(), 1);
}
