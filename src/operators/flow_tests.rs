//! Mutants that are not made because of control flow.

use super::testing::{C, CXX, check, lines};

#[test]
fn a_loop_is_not_made_one_that_nothing_leaves() {
    // The `break` belongs to the `switch`, or to the inner loop; a `throw` is caught in the loop.
    let head = "int g();\nvoid f(int a) {\n";
    for body in [
        "switch (g()) { case 1: break; }",
        "for (;;) break;",
        "try { throw 1; } catch (int) {}",
        "[] { return; }();",
        "struct L { int f() { return 1; } };",
    ] {
        check("ROR", CXX, &format!("{head}while (a) {{\n{body}\n}}\n}}"), &["while (false) {", "while (!a) {"]);
    }
    for body in ["if (g()) break;", "switch (g()) { case 1: return; }", "throw 1;", "try {} catch (int) { throw; }"] {
        let made = lines(CXX, &format!("{head}while (a) {{\n{body}\n}}\n}}"), &["ROR"]);
        assert!(made.contains(&"ROR: while (true) {".to_owned()), "{body}: {made:?}");
    }
    check("ICR", C, "int g(void);\nvoid f(void) {\ndo g(); while (0);\nwhile (g()) g();\n}", &[]);
    check("SDL", CXX, "int g();\nvoid f() {\nwhile (true) {\nif (g()) return;\n}\n}", &[";"]);
    check(
        "SDL",
        CXX,
        "int g();\nvoid f() {\nfor (;;) {\ng();\nif (g()) break;\nif (g()) return;\n}\n}",
        &[";", ";", ";", "if (g()) ;", ";", "if (g()) ;"],
    );
}

#[test]
fn the_end_of_a_function_that_returns_something_is_not_reached() {
    let head = "#include <cstdlib>\n[[noreturn]] void die();\nenum E { A, B };\nint g();\n";
    let sdl = |body: &str| -> Vec<String> {
        let made = lines(CXX, &format!("{head}{body}"), &["SDL"]);
        made.into_iter().map(|line| line.strip_prefix("SDL: ").unwrap().to_owned()).collect()
    };
    let of_f = |body: &str| sdl(&format!("int f(int a) {{\n{body}\n}}"));
    // Statements before one that ends control flow may go; that statement may not.
    for end in [
        "if (g()) return 1; else return 2;",
        "switch (a) { case 1: return 1; default: return 2; }",
        "for (;;) { if (g()) return 1; }",
        "do { if (g()) return 1; } while (true);",
        "throw 1;",
        "die();",
        "std::abort();",
        "{ g(); exit(1); }",
        "try { return g(); } catch (...) { throw; }",
    ] {
        let made = of_f(&format!("if (a) return 3;\n{end}"));
        assert!(made.contains(&";".to_owned()), "{end}: {made:?}");
        assert_eq!(made.iter().filter(|line| *line == ";").count(), 1, "{end}: {made:?}");
    }
    let none: [&str; 0] = [];
    assert_eq!(of_f("if (a) return 1; else return 2;"), none);
    assert_eq!(of_f("for (;;) { if (g()) return 1; }"), none);
    assert_eq!(of_f("if (a) g(); else die();\nreturn 1;"), [";", "if (a) ; else die();", "if (a) g(); else ;"]);
    assert_eq!(
        of_f("while (1) { g(); if (a) continue; return 2; }"),
        [
            "while (1) { ; if (a) continue; return 2; }",
            "while (1) { g(); ; return 2; }",
            "while (1) { g(); if (a) ; return 2; }",
        ]
    );
    assert_eq!(
        of_f("switch (a) { case 1: g(); return 1; default: return 2; }"),
        ["switch (a) { case 1: ; return 1; default: return 2; }", "switch (a) { case 1: g(); ; default: return 2; }",]
    );
    assert_eq!(
        of_f("switch (a) { case 1: g(); break; default: return 2; }\ndie();"),
        [
            ";",
            "switch (a) { case 1: ; break; default: return 2; }",
            "switch (a) { case 1: g(); ; default: return 2; }",
            "switch (a) { case 1: g(); break; default: ; }",
        ]
    );
    // Every enumerator has its `case`; another value may still occur, so the `return` stays.
    assert_eq!(
        sdl("int f(E e) {\ng();\nswitch (e) { case A: g(); return 1; case B: return 2; }\n}"),
        [";", "switch (e) { case A: ; return 1; case B: return 2; }"]
    );
    assert_eq!(sdl("[[noreturn]] void f(int a) {\nif (a) exit(1);\nthrow 1;\n}"), [";", "if (a) ;"]);
    check(
        "LVR",
        CXX,
        "int g();\nint f() {\nwhile (true) {\nif (g()) return 1;\n}\n}",
        &["if (g()) return -1;", "if (g()) return 0;"],
    );
    check(
        "ROR",
        CXX,
        "int f(bool a) {\ndo {\nreturn 1;\n} while (a);\n}\n",
        &["} while (true);", "} while (false);", "} while (!a);"],
    );
    check("TSD", CXX, "void f() {\nauto l = []() -> int { throw 1; };\nl();\n}", &[]);
    check(
        "TSD",
        CXX,
        "int g();\nvoid f() {\nwhile (true) {\nif (g()) throw 1;\n}\n}\n\
         void h(int a) {\nwhile (a) {\nif (g()) throw 2;\n}\n}",
        &["if (g()) ;"],
    );
}

#[test]
fn the_methods_of_a_local_class_are_left_alone() {
    let text = "int *f(int a) {\nstruct L {\nbool is(int n) { if (n) return n > 1; throw true; }\n\
    void go() { this->n = 2; }\nint n;\n};\nL l;\nl.n = 3;\nif (l.is(a)) a++;\nreturn nullptr;\n}";
    let made = lines(CXX, text, &[]);
    assert!(made.iter().all(|line| !line.contains("bool is") && !line.contains("void go")), "{made:#?}");
    assert!(made.contains(&"SDL: if (l.is(a)) ;".to_owned()), "{made:#?}");
}
