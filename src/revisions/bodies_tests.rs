//! Which functions are compared, with which text, and what is said of the others.

use super::*;
use crate::parse::testing::Small;

/// Compares two sets of files; tells what becomes of each function, and the changed lines of the mixed texts.
fn told(older: &[(&str, &str)], newer: &[(&str, &str)]) -> Vec<String> {
    let read = |files| {
        let small = Small::new(files, "");
        let (model, _) = crate::parse::project(&small.database, &small.options).unwrap();
        (small, model)
    };
    let ((old, before), (new, after)) = (read(older), read(newer));
    let found = compare((&before, &old.root), (&after, &new.root));
    let apart = |word: &'static str| move |it: &Apart| format!("{word} {}: {}", it.function.id, it.why);
    let changed = found.changed.iter().map(|it| {
        let text = match &it.mixed {
            Ok(text) => String::from_utf8(text.clone()).unwrap(),
            Err(why) => return format!("whole {}: {why}", it.function.id),
        };
        let newer = String::from_utf8(it.newer.clone()).unwrap();
        let other: Vec<&str> = text.lines().filter(|line| !newer.contains(line)).collect();
        format!("changed {}: {}", it.function.id, other.join(" "))
    });
    let mut told: Vec<String> = changed.collect();
    told.extend(found.unfit.iter().map(apart("unfit")));
    told.extend(found.apart.iter().map(apart("apart")));
    told.extend(found.unread.iter().map(|it| format!("unread {}: {:?}", it.file.display(), it.functions)));
    told.extend(found.outside.iter().map(|file| format!("outside {}", file.display())));
    told
}

fn told_of(file: &str, older: &str, newer: &str) -> Vec<String> {
    told(&[(file, older)], &[(file, newer)])
}

const RENAMED: &str = "its parameters were renamed, and a name would mean something else in the older body";

#[test]
fn parameters_with_other_names_are_no_change_of_a_body() {
    let older = "int add(int a, int b) { return a - b; }\nint one(int a) { return a; }\nint two(int) { return 2; }";
    let newer = "int add(int b, int a) { return b - a; }\nint one(int x) { return x; }\nint two(int x) { return 2; }";
    assert_eq!(told_of("a.cpp", older, newer), [""; 0]);
    let newer = newer.replace("b - a", "b + a").replace("return x;", "return -x;");
    assert_eq!(
        told_of("a.cpp", older, &newer),
        [
            "changed add(int, int): int add(int b, int a) { return b - a; }",
            "changed one(int): int one(int x) { return x; }"
        ]
    );
}

#[test]
fn a_member_a_tag_and_what_is_initialised_keep_the_name_that_a_parameter_had() {
    let (head, tail) = ("struct node { int node; };\nint f(struct node *", "; }");
    let older = format!("{head}node) {{ return ((struct node *)node)->node{tail}");
    let newer = format!("{head}it) {{ return it->node + 1{tail}");
    assert_eq!(
        told_of("a.c", &older, &newer),
        ["changed f: int f(struct node *it) { return ((struct node *)it)->node; }"]
    );
    let class = "struct C { int x, y; C(int v); };\n";
    let older = format!("{class}C::C(int x) : x(x), y{{x}} {{}}");
    let newer = format!("{class}C::C(int y) : x(y), y(0) {{}}");
    assert_eq!(told_of("a.cpp", &older, &newer), ["changed C::C(int): C::C(int y) : x(y), y{y} {}"]);
}

#[test]
fn an_older_body_in_which_a_new_name_has_a_meaning_is_compared_in_its_own_file_if_layouts_are_the_same() {
    let class = "struct S { int v; int get(int k) const; };\n";
    let older = format!("{class}int S::get(int k) const {{ return v + k; }}");
    let newer = format!("{class}int S::get(int v) const {{ return this->v + v; }}");
    assert_eq!(told_of("a.cpp", &older, &newer), [format!("whole S::get(int) const: {RENAMED}")]);
    let older = "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }";
    let newer = "int sum(int i) { return i * (i - 1) / 2; }";
    assert_eq!(told_of("a.c", older, newer), [format!("whole sum: {RENAMED}")]);
    let (older, newer) = ("int f(int n) { return n; }", "int f(int) { return 0; }");
    assert_eq!(told_of("a.cpp", older, newer), [format!("whole f(int): {RENAMED}")]);
    let source = ("a.cpp", "#include \"a.h\"\n");
    let in_headers = |before: &str, after: &str| {
        let header = |types: &str, function: &str| format!("{types}inline {function}");
        told(&[source, ("a.h", &header(before, older))], &[source, ("a.h", &header(after, newer))])
    };
    assert_eq!(in_headers("", ""), [format!("whole f(int): {RENAMED}")]);
    // Types of one revision alone have no other layout; what is static, a comment or a new method is none either.
    let class = "struct S { int a; static int b; virtual void m(); };\n";
    let outside = "outside a.h".to_owned();
    let (same, gone) = ("struct S { /**/ int a; virtual void m(); int n(); };\n", "struct T { int a; };\n");
    for after in [same, gone] {
        assert_eq!(in_headers(class, after), [format!("whole f(int): {RENAMED}"), outside.clone()]);
    }
    let changes = [
        (class, "struct S { int a, c; virtual void m(); };\n", "S"),
        (class, "struct S { int a; virtual void k(); virtual void m(); };\n", "S"),
        ("template <class T> struct C { T a; };\n", "template <class T> struct C { T *a; };\n", "C"),
        ("enum E { ONE, TWO };\n", "enum E { TWO, ONE };\n", "ONE"),
        ("typedef int real;\n", "typedef long real;\n", "real"),
        ("extern int t[4];\n", "extern int t[8];\n", "t"),
    ];
    for (before, after, name) in changes {
        let why = format!("unfit f(int): {RENAMED}; `{name}`, which its header declares, has another meaning");
        assert_eq!(in_headers(before, after), [why, outside.clone()]);
    }
}

#[test]
fn an_older_body_that_calls_what_is_gone_is_compared_in_its_own_file() {
    let older = "static int twice(int a) { return a + a; }\nint f(int a) { return twice(a); }\n";
    assert_eq!(
        told_of("a.c", older, "int f(int a) { return a * 2; }\n"),
        ["whole f: its older body calls `twice`, which is gone", "apart twice: gone"]
    );
}

#[test]
fn a_function_that_others_see_now_or_that_has_moved_is_the_same_one_and_so_are_its_callers() {
    let older = [("a.c", "static int twice(int a) { return a + a; }\nint f(int a) { return twice(a); }\n")];
    let newer = [
        ("a.c", "int twice(int a);\nint f(int a) { return twice(a) + 1; }\n"),
        ("b.c", "int twice(int a) { return 2 * a; }\n"),
    ];
    assert_eq!(
        told(&older, &newer),
        [
            "changed f: int f(int a) { return twice(a); }",
            "changed twice: int twice(int a) { return a + a; }",
            "outside a.c"
        ]
    );
    let names = |folder: &str| format!("{folder}/a.c");
    let text = "static int twice(int a) { return a + a; }\nint f(int a) { return twice(a); }\n";
    assert_eq!(told(&[(&names("x"), text)], &[(&names("y"), text)]), [""; 0]);
}

#[test]
fn a_destructor_that_the_compiler_writes_now_is_neither_gone_nor_of_another_signature() {
    let rest = "int f() { T t; return 1; }";
    let older = format!("struct T {{ ~T() {{}} int g() {{ return 1; }} }};\n{rest}");
    let newer = older.replace("~T() {}", "~T() = default;").replace("T t; return 1", "T t; return 2");
    assert_eq!(
        told_of("a.cpp", &older, &newer),
        [
            "changed f(): int f() { T t; return 1; }",
            "unfit T::~T(): the newer revision has no body for it",
            "outside a.cpp"
        ]
    );
}

#[test]
fn functions_of_a_file_with_errors_are_not_compared() {
    let header = "typedef long size;\nstatic inline int h(void) { return 1; }\n";
    let source = "#include \"c.h\"\nlong f(size n) { return n; }\n";
    let good = [("a.c", source), ("c.h", header), ("b.c", "int g(void) { return 1; }")];
    let bad = [("a.c", source), ("b.c", "int g(void) { return 2; }")];
    for (older, newer, body) in [(&bad[..], &good[..], 2), (&good, &bad, 1)] {
        let changed = format!("changed g: int g(void) {{ return {body}; }}");
        assert_eq!(told(older, newer), [&changed, "unread a.c: {\"f\"}", "unread c.h: {\"h\"}"]);
    }
}

#[test]
fn changes_of_tables_and_macros_are_told_by_file() {
    let older = "#define MOST 3\nint f(void) { return MOST; }\nint g(void) { return 1; }\n";
    assert_eq!(told_of("a.c", older, &older.replace("T 3", "T 4")), ["outside a.c"]);
    let newer = format!("{older}/* so */ int h(void) {{ return 1; }}\n");
    assert_eq!(told_of("a.c", older, &newer.replace("int g(void)", "static int g(void)")), ["apart h: new"]);
}
