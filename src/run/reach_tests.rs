//! Which changes of a project change the digest of a unit, and which do not.

use super::*;
use crate::parse::testing::Small;

/// The digest for a driver that calls `call`, with the source `a.cpp` in it.
fn digest(files: &[(&str, &str)], call: &str) -> Option<String> {
    let small = Small::new(files, "");
    // Each is in a folder of its own, which is in its commands.
    let mut commands = small.database.commands.clone();
    commands.iter_mut().for_each(|command| command.directory = "/".into());
    let model = small.model();
    let reach = Reach::new(&model, &Hierarchy::new(&model), &small.root, &commands, "base".into());
    // The order of commands is that of the files.
    let home = commands.iter().find(|command| command.file.ends_with("a.cpp")).unwrap();
    let home = CompileCommand { file: "a.cpp".into(), ..home.clone() };
    let strip = |mut reach: Reach| {
        reach.commands.values_mut().flatten().for_each(|text| *text = text.replace(small.root.to_str().unwrap(), ""));
        reach
    };
    strip(reach).digest(&[("driver.cpp".into(), format!("#include \"a.cpp\"\nvoid go() {{ {call}; }}\n"))], &home)
}

/// Whether the unit of `call` is the same before and after `from` has become `to`.
fn holds(files: &[(&str, &str)], call: &str, from: &str, to: &str) -> bool {
    let changed: Vec<(&str, String)> = files.iter().map(|(name, text)| (*name, text.replace(from, to))).collect();
    let changed: Vec<(&str, &str)> = changed.iter().map(|(name, text)| (*name, text.as_str())).collect();
    assert!(files.iter().any(|(_, text)| text.contains(from)), "there is no `{from}`");
    let before = digest(files, call);
    assert!(before.is_some() && before == digest(files, call), "it is the same each time");
    before == digest(&changed, call)
}

const PLAIN: &str = "
    static int half(int x) { return x / 2; }
    int thrice(int x) { return 3 * x; }
    int both(int x) { return half(x) + thrice(x); }
    int lone(int x) { return x & 3; }
";

#[test]
fn a_unit_holds_while_no_body_changes_that_it_reaches() {
    let plain = [("a.cpp", PLAIN)];
    assert!(holds(&plain, "lone(1)", "x / 2", "x / 4"));
    assert!(holds(&plain, "thrice(1)", "x / 2", "x / 4"));
    assert!(!holds(&plain, "both(1)", "x / 2", "x / 4"));
    assert!(!holds(&plain, "lone(1)", "x & 3", "x & 1"));
    // White space, comments and other places are no change.
    assert!(holds(&plain, "both(1)", "int thrice", "\n\n/* three times */ int\n thrice"));
    // What stands around all bodies is seen by all.
    assert!(!holds(&plain, "lone(1)", "static int half", "typedef long big;\nstatic int half"));
}

#[test]
fn a_declaration_outside_classes_matters_to_what_its_name_is_reached_by() {
    let header = ("a.h", "int with(int x = 1);\nstruct S { int m(); };\n");
    let source = "#include \"a.h\"\nint lone(int x) { return x & 3; }\nint user() { return with(); }\n";
    let files = [header, ("a.cpp", source), ("b.cpp", "#include \"a.h\"\nint with(int x) { return x; }\n")];
    let (one, two) = ("int with(int x = 1);", "int with(int x = 1);\nint other(int);");
    assert!(holds(&files, "lone(1)", one, two) && holds(&files, "user()", one, two));
    assert!(holds(&files, "lone(1)", "x = 1", "x = 2") && !holds(&files, "user()", "x = 1", "x = 2"));
    assert!(!holds(&files, "user()", one, "int with(int x = 1);\nint with(long);"));
    assert!(!holds(&files, "lone(1)", "int m();", "int m(); int n();"));
}

#[test]
fn what_no_name_leads_to_is_reached_by_rule() {
    let cases: [(&str, &str, &str, &str); 12] = [
        // Objects that are destroyed, copied, converted and compared.
        ("struct S { int *p; ~S() { *p = 1; } }; int f(S &s) { S t(s); return 0; }", "f", "*p = 1", "*p = 2"),
        (
            "struct S { S(const S &) { n = 1; } S(); static int n; }; S g(); int f() { g(); return 0; }",
            "f",
            "n = 1",
            "n = 2",
        ),
        (
            "struct S { int v; operator int() const { return 1; } }; S g(); int f() { return g(); }",
            "f",
            "return 1",
            "return 2",
        ),
        (
            "struct S { int v; }; bool operator<(S, S) { return true; } S g(); bool f() { return g() < g(); }",
            "f",
            "true",
            "false",
        ),
        // Members of members, by the class alone.
        ("struct A { ~A() { n = 1; } static int n; }; struct S { A a; }; void f() { S s; }", "f", "n = 1", "n = 2"),
        // What overrides, and what derives.
        (
            "struct B { virtual int v() { return 0; } }; struct D : B { int v() override { return 1; } };\
          int f(B &b) { return b.v(); }",
            "f",
            "return 1",
            "return 2",
        ),
        (
            "struct B { virtual ~B(); }; struct D : B { static int n; ~D() { n = 1; } }; void f(B *b) { delete b; }",
            "f",
            "n = 1",
            "n = 2",
        ),
        // A range loop.
        (
            "struct S { int a[2]; int *begin() { return a; } int *end() { return a + 2; } };\
          int f(S &s) { for (int i : s) return i; return 0; }",
            "f",
            "a + 2",
            "a + 1",
        ),
        // A table of functions, and a macro.
        (
            "int one() { return 1; } int (*table[])() = {one}; int f(int i) { return table[i](); }",
            "f",
            "return 1",
            "return 2",
        ),
        ("int one() { return 1; }\n#define ONE one()\nint f() { return ONE; }", "f", "return 1", "return 2"),
        // A default argument of a declaration.
        (
            "int one() { return 1; } int g(int x = one()); int g(int x) { return x; } int f() { return g(); }",
            "f",
            "return 1",
            "return 2",
        ),
        // What runs while the program is loaded.
        (
            "int state; int set() { return state = 1; } static int once = set(); int f() { return state; }",
            "f",
            "state = 1",
            "state = 2",
        ),
    ];
    for (text, unit, from, to) in cases {
        let text = format!("{text}\nint lone(int x) {{ return x; }}\n");
        let files = [("a.cpp", text.as_str())];
        assert!(!holds(&files, unit, from, to), "{from} in {text}");
    }
}

#[test]
fn names_that_are_made_of_parts_reach_everything_and_what_cannot_be_told_is_not_told() {
    let pasted =
        "int f_one() { return 1; }\n#define CALL(x) f_##x()\nint f() { return CALL(one); }\nint g() { return 2; }\n";
    assert!(!holds(&[("a.cpp", pasted)], "f()", "return 1", "return 3"));
    assert!(!holds(&[("a.cpp", pasted)], "f()", "return 2", "return 3"));
    assert!(holds(&[("a.cpp", pasted)], "g()", "return 1", "return 3"));
    let hidden = "extern \"C\" void *dlsym(void *, const char *);\nvoid *f() { return dlsym(0, \"g\"); }\n\
                  int g() { return 2; }\n";
    assert_eq!(digest(&[("a.cpp", hidden)], "f()"), None);
    assert!(digest(&[("a.cpp", hidden)], "g()").is_some());
}

#[test]
fn lines_matter_only_to_what_asks_for_them() {
    let text = "int g() { return 1; }\nint f() { return __LINE__; }\n";
    assert!(!holds(&[("a.cpp", text)], "f()", "int g", "\nint g"));
    assert!(holds(&[("a.cpp", text)], "g()", "int g", "\nint g"));
}

#[test]
fn other_files_matter_where_they_are_reached_or_seen() {
    let files = [
        ("a.h", "#define SIZE 4\nint far(int);\n"),
        ("a.cpp", "#include \"a.h\"\nint f(int x) { return far(x); }\nint g(int x) { return x; }\n"),
        ("b.cpp", "#include \"b.h\"\nint far(int x) { return x + STEP; }\nint other() { return 1; }\n"),
        ("b.h", "#define STEP 1\n"),
        ("c.h", "#define FREE 1\n"),
        ("c.cpp", "#include \"c.h\"\nint away() { return FREE; }\n"),
    ];
    assert!(!holds(&files, "f(1)", "x + STEP", "x - STEP"));
    assert!(holds(&files, "g(1)", "x + STEP", "x - STEP"));
    assert!(!holds(&files, "f(1)", "STEP 1", "STEP 2"));
    assert!(holds(&files, "g(1)", "STEP 1", "STEP 2"));
    assert!(!holds(&files, "g(1)", "SIZE 4", "SIZE 5"));
    assert!(holds(&files, "f(1)", "FREE 1", "FREE 2"));
    assert!(holds(&files, "f(1)", "return 1", "return 2"));
}
