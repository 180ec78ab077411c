//! Trees as a person can check them, and what holds for every tree.

use crate::compdb::Database;
use crate::parse::testing::Small;
use crate::parse::{ParseOptions, project, trees};
use crate::tree::{Body, Entity, Initialized, Kind, Node, Role, Trees};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The trees of one small file.
fn read(name: &str, flags: &str, text: &str) -> Trees {
    let small = Small::new(&[(name, text)], flags);
    let file = small.root.join(name);
    let trees = trees(&small.database.commands[0], &[file], &small.database, &small.options).unwrap();
    let faults = faults(&trees[0], text.as_bytes());
    assert!(faults.is_empty(), "{faults:#?}");
    trees.into_iter().next().unwrap()
}

/// What a node is, without its place.
fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Binary { op, .. } => format!("Binary {op}"),
        Kind::Assign { op, .. } => format!("Assign {op}"),
        Kind::OperatorCall { op, .. } => format!("OperatorCall {op}"),
        Kind::Unary { op, postfix } => format!("Unary {}{op}", if *postfix { "_" } else { "" }),
        Kind::Variable { name, .. } => format!("Variable {name}"),
        Kind::Name { of, qualifier, .. } => {
            format!("Name {of:?}{}{qualifier}", if qualifier.is_empty() { "" } else { " " })
        }
        Kind::Member { name, of, arrow, .. } => format!("Member {}{name} {of:?}", if *arrow { "->" } else { "." }),
        Kind::Call { name, is_virtual, .. } => format!("Call {name}{}", if *is_virtual { " virtual" } else { "" }),
        Kind::Construct { target } => format!("Construct{}", if target.is_empty() { " ?" } else { "" }),
        Kind::New { class, .. } => format!("New{}", if class.is_some() { " class" } else { "" }),
        other => format!("{other:?}"),
    }
}

fn print(node: &Node, trees: &Trees, source: &[u8], depth: usize, out: &mut String) {
    let role = if node.role == Role::Part { String::new() } else { format!("{:?}: ", node.role) };
    let mark = if node.in_macro { "! " } else { "" };
    let ty = node.ty.map(|ty| format!(" : {}", trees.types[ty as usize].spelling)).unwrap_or_default();
    let text = String::from_utf8_lossy(node.span.text(source)).replace('\r', "\\r").replace('\n', "\\n");
    let text = if text.chars().count() > 60 {
        let head: String = text.chars().take(28).collect();
        let tail: String = text.chars().rev().take(28).collect::<Vec<_>>().into_iter().rev().collect();
        format!("{head}…{tail}")
    } else {
        text
    };
    writeln!(out, "{}{mark}{role}{}{ty}  `{text}`", "  ".repeat(depth), kind(&node.kind)).unwrap();
    for child in &node.children {
        print(child, trees, source, depth + 1, out);
    }
}

fn print_body(body: &Body, trees: &Trees, source: &[u8], out: &mut String) {
    for initializer in &body.initializers {
        let of = match &initializer.of {
            Initialized::Member { ty, .. } => {
                format!(
                    "Member{}",
                    ty.map(|ty| format!(" : {}", trees.types[ty as usize].spelling)).unwrap_or_default()
                )
            }
            other => format!("{other:?}"),
        };
        let text = String::from_utf8_lossy(initializer.span.text(source));
        writeln!(out, "initializer {} {of}  `{text}`", initializer.name).unwrap();
        for value in &initializer.values {
            print(value, trees, source, 1, out);
        }
    }
    print(&body.root, trees, source, 0, out);
}

/// What is wrong with trees of `source`, by line.
fn faults(trees: &Trees, source: &[u8]) -> Vec<String> {
    let mut faults = Vec::new();
    for body in &trees.bodies {
        fault_below(&body.root, trees, source, &mut faults);
        for initializer in &body.initializers {
            for value in &initializer.values {
                if value.span.start < initializer.span.start || initializer.span.end < value.span.end {
                    faults.push(format!("{}: {} outside its initialiser", body.unit, kind(&value.kind)));
                }
                fault_below(value, trees, source, &mut faults);
            }
        }
    }
    faults
}

fn fault_below(node: &Node, trees: &Trees, source: &[u8], faults: &mut Vec<String>) {
    let text = node.span.text(source);
    let mut fault = |what: &str| {
        let line = source[..node.span.start as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
        let name = trees.file.file_name().unwrap_or_default().to_string_lossy();
        faults.push(format!("{name}:{line}: {}: {what}: {}", kind(&node.kind), String::from_utf8_lossy(text)));
    };
    if text.is_empty() {
        fault("has no text");
    }
    if node.ty.is_some_and(|ty| ty as usize >= trees.types.len()) {
        fault("has a type that is not there");
    }
    if !node.in_macro {
        let mut at = node.span.start;
        for child in &node.children {
            if child.span.start < at || child.span.end > node.span.end {
                fault(&format!("its {:?} {} is not in its place", child.role, kind(&child.kind)));
            }
            at = child.span.end;
        }
        let macro_ends_it = node.children.last().is_some_and(|last| last.in_macro && last.span.end == node.span.end);
        if node.kind.is_statement() && !text.ends_with(b";") && !text.ends_with(b"}") && !macro_ends_it {
            fault("does not end as a statement");
        }
        let place = match &node.kind {
            Kind::Binary { op, at } | Kind::Assign { op, at } => Some((op.as_str(), at)),
            Kind::OperatorCall { op, at, .. } => Some((if op == "[]" { "[" } else { op }, at)),
            Kind::Member { name, at, qualifier, .. } => {
                let written = String::from_utf8_lossy(at.text(source)).into_owned();
                if !written.starts_with(qualifier.as_str()) || !written.ends_with(name.as_str()) {
                    fault(&format!("is not `{written}`"));
                }
                None
            }
            _ => None,
        };
        if let Some((op, at)) = place {
            let written = String::from_utf8_lossy(at.text(source)).into_owned();
            if super::expressions::operator(&written) != op {
                fault(&format!("has `{written}` for its operator"));
            }
        }
        let roles: &[Role] = match &node.kind {
            Kind::Binary { .. } | Kind::Assign { .. } | Kind::Index => &[Role::Left, Role::Right],
            Kind::Conditional => &[Role::Condition, Role::Then, Role::Else],
            Kind::Unary { .. } | Kind::Paren | Kind::Cast | Kind::Expression => &[Role::Operand],
            Kind::If | Kind::While | Kind::DoWhile => &[Role::Condition, Role::Then],
            Kind::RangeFor => &[Role::Declared, Role::Operand, Role::Then],
            Kind::For | Kind::Lambda | Kind::Case | Kind::Default | Kind::Label => &[Role::Then],
            Kind::Member { .. } => &[Role::Object],
            _ => &[],
        };
        if let Some(missing) = roles.iter().find(|role| node.child(**role).is_none()) {
            fault(&format!("has no {missing:?}"));
        }
    }
    for child in &node.children {
        fault_below(child, trees, source, faults);
    }
}

/// All trees of a project, each file once: bodies, nodes, marked nodes, and what is wrong with them.
fn check(database: &Database, options: &ParseOptions) -> (usize, usize, usize, Vec<String>) {
    let (model, _) = project(database, options).unwrap();
    let files: BTreeSet<PathBuf> =
        model.functions.values().filter_map(|f| f.definition.as_ref()).map(|d| d.extent.file.clone()).collect();
    let mut by_unit: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        by_unit.entry(model.unit_of(&file).unwrap().command).or_default().push(file);
    }
    let (mut bodies, mut nodes, mut marked) = (0, 0, 0);
    let mut faults = Vec::new();
    for (command, files) in by_unit {
        for found in trees(&database.commands[command], &files, database, options).unwrap() {
            let source = std::fs::read(&found.file).unwrap();
            faults.extend(self::faults(&found, &source));
            for function in model.functions.values() {
                let is_mine = |d: &&crate::model::Definition| d.extent.file == found.file && !d.in_macro;
                let Some(_) = function.definition.as_ref().filter(is_mine) else { continue };
                let count = found.bodies.iter().filter(|body| body.unit == function.usr).count();
                if count != 1 {
                    faults.push(format!("{} has {count} bodies", function.id));
                }
            }
            bodies += found.bodies.len();
            for body in &found.bodies {
                body.root.walk(&mut |node| {
                    nodes += 1;
                    marked += usize::from(node.in_macro);
                });
            }
        }
    }
    (bodies, nodes, marked, faults)
}

fn options(root: &Path) -> ParseOptions {
    ParseOptions {
        libclang: None,
        cache_dir: None,
        jobs: 1,
        root: root.to_path_buf(),
        only: None,
        self_exe: None,
        namesakes: Default::default(),
    }
}

/// The bodies of `text` as a snapshot to be read by people.
fn shown(name: &str, file: &str, flags: &str, text: &str) {
    let trees = read(file, flags, text);
    let mut out = String::new();
    for body in &trees.bodies {
        print_body(body, &trees, text.as_bytes(), &mut out);
        out.push('\n');
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("trees_{name}"), out));
}

/// The first node of a function that `wanted` takes.
fn find(trees: &Trees, wanted: impl Fn(&Node) -> bool) -> &Node {
    let mut found = None;
    for body in &trees.bodies {
        body.root.walk(&mut |node| found = found.or(wanted(node).then_some(node)));
    }
    found.expect("no such node")
}

fn texts<'s>(trees: &Trees, source: &'s str, wanted: impl Fn(&Node) -> bool) -> Vec<&'s str> {
    let mut found = Vec::new();
    for body in &trees.bodies {
        body.root.walk(&mut |node| {
            if wanted(node) {
                found.push(&source[node.span.start as usize..node.span.end as usize]);
            }
        });
    }
    found
}

#[test]
fn statements_have_their_parts() {
    shown(
        "statements",
        "a.c",
        "-std=gnu11",
        "int g(int);\n\
         int loops(int n) {\n  for (;;) break;\n  for (int i = 0; i < n; ++i) n -= i;\n  for (n = 1; n < 9;) { \
         continue; }\n\
         \x20 for (;; n++) if (n) break;\n  while (n > 0) n--;\n  do n = g(n); while (!n);\n  do { ; } while (0)\n  \
         ;\n  return n;\n}\n\
         int branches(int a, int b) {\n  if (a) if (b) return 1; else return 2;\n  if (a) { if (b) return 3; } else \
         return 4;\n\
         \x20 if (a) ; else if (b) ; else { }\n\
         \x20 switch (a) { int unused; case 1: case 2 ... 4: b = 1; break; default: g(b); g(a); }\n\
         \x20 if (a) goto end;\n  return a ? b ? 1 : 2 : a ?: 3;\nend: return -1;\n}\n\
         void old(a, b) int a; char *b; { int i, *p = &a, t[3][2] = { { 1 }, [2] = { 2, 3 } }; static int calls = 0; \
         extern int far; ; }\n",
    );
}

#[test]
fn expressions_of_c_have_their_parts() {
    shown(
        "expressions_c",
        "a.c",
        "-std=gnu11",
        "struct point { int x, y; struct point *next; int in[4]; union { int i; float f; }; };\n\
         int g(int, ...);\n\
         double f(struct point *p, unsigned char c, double d, int (*call)(int)) {\n\
         \x20 p->x = p->next->in[c + 1] << 2 | ~c & 7;\n  (*p).y += -p->x++ - --p->y;\n  p->i = (int)d % 3, g(1, c, \
         \"a\" \"b\");\n\
         \x20 d *= c && d >= .5 || !(c ^ 0x1Fu) ? 1e3 : 'x';\n  call(3) + (*call)(4);\n  *p = (struct point) { .x = 1, \
         .in[2] = 3 };\n\
         \x20 int n = sizeof(c) + sizeof c + _Alignof(int);\n  n = ({ int r = n; r + 1; });\n  n = _Generic(c, int: 1, \
         default: 2);\n\
         \x20 return d == 1. - L'c';\n}\n",
    );
}

#[test]
fn expressions_of_cxx_have_their_parts() {
    shown(
        "expressions_cxx",
        "a.cpp",
        "-std=c++17",
        "void *operator new(decltype(sizeof 0), void *) noexcept;\n\
            struct V {\n  int x;\n  V(); V(int); V(int, int);\n  V operator+(const V &) const; bool operator==(const V \
            &) const; V &operator=(const V &);\n\
         \x20 int &operator[](int); int operator()(int, int); V &operator++(); V operator++(int); V *operator->(); \
         bool operator!() const;\n\
         \x20 explicit operator bool() const; operator int() const;\n  virtual int get(int = 1) const; int at() const; \
         static int made();\n  V *self; };\n\
         V &operator<<(V &, int);\nint take(const V &);\n\
         struct D : V {\n  int get(int n) const override { x; this->x; at(); return V::get(n) + this->get(2) + made() \
         + V::made(); }\n};\n\
         int all(V v, V *p, D &d) {\n  v + v == V(1);\n  v[1] = v(2, 3);\n  ++v; v++; !v;\n  v->at(); p->get(); \
         d.V::get(4); d.get(5);\n  v << 1 << 2;\n\
         \x20 v = V{1, 2}; v = V(); v = 3;\n  take(4); take({5, 6});\n  V a, b(1), c{1, 2}, e = 2, f = V(3), h = {1, \
         2};\n\
         \x20 int n = v, m(2), k{3}; n = int();\n  if (v) n = static_cast<int>(2.5) + int(n) + (int)v + (V)4;\n\
         \x20 auto q = new V(1); q = new V; q = new (q) V{1, 2}; int *t = new int[n + 1]; delete q; delete[] t;\n\
         \x20 int V::*mp = &V::x; p->*mp = true; v.*mp = nullptr == p;\n  operator<<(v, 1); v.operator+(v);\n  \
         v.self->self->x = noexcept(n) + sizeof v;\n\
         \x20 if (not n and n bitor 1 or n not_eq 2) n and_eq compl m;\n  throw V(1);\n}\n",
    );
}

#[test]
fn statements_of_cxx_have_their_parts() {
    shown(
        "statements_cxx",
        "a.cpp",
        "-std=c++17",
        "struct P { int a, b; P *begin(); P *end(); };\nP make();\n\
         int all(P p, int (&t)[3]) {\n  if (int n = t[0]) return n; else return -n;\n  if (int n = 1; n < t[1]) ;\n  \
         if (t[0] = 1; t[1]) { }\n\
         \x20 while (P *q = p.begin()) break;\n  for (int e : t) e++;\n  for (auto &&[x, y] : p) { x = y; }\n  if \
         constexpr (sizeof(int) == 4) t[0] = 1; else t[0] = 2;\n\
         \x20 auto [c, d] = make();\n  try { t[0] = 3; } catch (const P &e) { throw; } catch (...) { }\n\
         \x20 auto f = [&t, c = 1](int n = 2) mutable -> int { return n + c; };\n  f(1); [] { }();\n\
         \x20 struct L { int n; int go() { return n; } } l; using I = int; static_assert(sizeof(I) == 4, \"\");\n  \
         switch (l.go()) { case 1: [[fallthrough]]; default: ; }\n\
         \x20 return d;\n}\n\
         struct Q : P {\n  int m; const char *s; int t[2]; P q;\n  Q() : Q(1) { }\n  Q(int n) : P{n, 2}, m(n + 1), \
         s(\"x\"), t{1, 2}, q(make()) { }\n\
         \x20 Q(char c) try : m{c} { } catch (...) { throw; }\n  ~Q() { m = 0; }\n  operator int() { return m; }\n  \
         Q(const Q &) = default;\n};\n",
    );
}

#[test]
fn templates_keep_what_is_written() {
    shown(
        "templates",
        "a.cpp",
        "-std=c++17",
        "namespace n { template <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; } template \
            <class T> void over(T); void over(int); }\n\
         template <class T> struct Base { T b; void call(); };\n\
         template <class T, int N = 3> struct Q : Base<T> {\n  T a; static int made;\n  Q(T x) : Base<T>(), a(x) { }\n\
         \x20 int h(T x) {\n    T y(x), z = x, w{x};\n    if (x < a && N > 2) return x.foo(3) + bar(x);\n    a = x; \
         this->b += 1; Base<T>::call(); Q<T, N>::made++;\n\
         \x20   for (auto &e : x) e->go();\n    x[1] = n::min(a, x) + n::min<int>(1, 2) + T(3) + T::zz + x.template \
         as<int>();\n    n::over(x); return -*x;\n  }\n\
         \x20 template <class U> U out(U u);\n};\n\
         template <class T, int N> template <class U> U Q<T, N>::out(U u) { return u ? u : U(); }\n\
         template <> int Q<int, 3>::h(int x) { return x; }\n\
         template <class... A> int sum(A... a) { return (a + ... + 0) + sizeof...(a); }\n",
    );
}

#[test]
fn what_macros_make_is_marked() {
    shown(
        "macros",
        "a.c",
        "-std=c11",
        "#define MAX 10\n#define NEXT x + 1\n#define TWICE(a) ((a) * 2)\n\
            #define CHECK(c) do { if (!(c)) return 1; } while (0)\n#define forever for (;;)\n\
         #define BEGIN {\n#define END }\n#define PLUS +\n#define PAIR 1, 2\n#define BOTH int p = 1; int q = 2\n\
         #define NOTHING\n#define TAIL ; x = 7\n#define GO goto out\n\
         int two(int, int);\nint f(int x) {\n  x = x + MAX;\n  x = MAX * x - TWICE(x + 3) NOTHING;\n  x = NEXT * 2;\n  \
         x = 1 PLUS 2;\n  CHECK(x > MAX);\n  forever { x--; if (x < MAX) break; }\n\
         \x20 while (x > 3) BEGIN x -= 2; END\n  two(PAIR);\n  BOTH;\n  x = 6 TAIL;\n  if (x) GO; else CHECK(1);\n  \
         int t[MAX] = { PAIR, 3 };\n  two(x, TWICE(x)) NOTHING;\nout:\n  return MAX;\n}\n",
    );
}

#[test]
fn groups_that_are_skipped_are_not_there() {
    let source = "int f(int a) {\n  a = a\n#if 0\n    - 1\n#else\n    + 2\n#endif\n#ifdef NEVER\n    * 3\n\
        #endif\n    ;\n\
                  #ifdef NEVER\n  if (a) {\n#else\n  if (a > 1) {\n#endif\n    a--;\n  }\n  return a;\n}\n";
    let trees = read("a.c", "", source);
    let Kind::Binary { op, .. } = &find(&trees, |node| matches!(node.kind, Kind::Binary { .. })).kind else { panic!() };
    assert_eq!(op, "+");
    assert_eq!(texts(&trees, source, |node| node.role == Role::Condition), ["a > 1"]);
    assert!(texts(&trees, source, |node| node.in_macro).is_empty());
}

#[test]
fn offsets_are_bytes_also_behind_other_alphabets_and_line_ends() {
    let source = "/* größer — 大 */\r\nint f(int a) {\r\n  const char *s = \"ä\"; // é\r\n\
         \x20 return a /* ü */ >\r\n    1;\r\n}";
    let trees = read("a.cpp", "", source);
    assert_eq!(texts(&trees, source, |node| matches!(node.kind, Kind::Text)), ["\"ä\""]);
    assert_eq!(texts(&trees, source, |node| node.kind == Kind::Return), ["return a /* ü */ >\r\n    1;"]);
    let Kind::Binary { at, .. } = &find(&trees, |node| matches!(node.kind, Kind::Binary { .. })).kind else { panic!() };
    assert_eq!(at.text(source.as_bytes()), b">");
}

#[test]
fn a_name_has_its_target_and_a_node_its_type() {
    let source = "namespace n { int g; enum E { one }; template <class T> T id(T t) { return t; } }\n\
        struct S { int m; static int s; virtual int v() const; int w(); };\n\
                  int f(const S &p, unsigned short c) { static int k; int l = c; return n::g + n::one + n::id(2) + p.m \
                  + S::s + k + l + c + p.v() + (c ? 1 : 2u); }\n";
    let trees = read("a.cpp", "-std=c++17", source);
    let of = |wanted: &str| {
        let is_it = |node: &Node| matches!(&node.kind, Kind::Name { name, .. } if name == wanted);
        let Kind::Name { of, target, qualifier, .. } = &find(&trees, is_it).kind else { panic!() };
        (*of, target.clone(), qualifier.clone())
    };
    assert_eq!(of("g"), (Entity::Global, "c:@N@n@g".into(), "n::".into()));
    assert_eq!(of("one").0, Entity::Enumerator);
    assert_eq!(of("s").0, Entity::Global);
    assert_eq!(of("k").0, Entity::Global);
    assert_eq!(of("l").0, Entity::Local);
    assert_eq!(of("c").0, Entity::Parameter);
    let id = trees.bodies.iter().find(|body| body.unit.contains("id")).unwrap();
    assert_eq!(of("id"), (Entity::Function, id.unit.clone(), "n::".into()), "the template's, not the instantiation's");
    let ty = |text: &str| {
        let node = find(&trees, |node| node.span.text(source.as_bytes()) == text.as_bytes() && node.ty.is_some());
        trees.types[node.ty.unwrap() as usize].spelling.as_str()
    };
    assert_eq!(ty("p"), "const S");
    assert_eq!(ty("p.m"), "const int");
    assert_eq!(ty("c"), "unsigned short", "before it is converted");
    assert_eq!(ty("(c ? 1 : 2u)"), "unsigned int");
    let call = find(&trees, |node| matches!(&node.kind, Kind::Call { name, .. } if name == "S::v"));
    assert!(matches!(&call.kind, Kind::Call { is_virtual: true, .. }));
}

#[test]
fn a_header_is_read_within_a_unit_that_includes_it() {
    let header = "#pragma once\nstruct H { int get() const { return n; } int n; };\n\
        inline int free_one(H h) { return h.get() + ONE; }\n";
    let main = "#define ONE 1\n#include \"h.hpp\"\nint use(H h) { return free_one(h); }\n";
    let small = Small::new(&[("h.hpp", header), ("a.cpp", main)], "");
    let files = [small.root.join("h.hpp"), small.root.join("a.cpp"), small.root.join("none.hpp")];
    let found = trees(&small.database.commands[0], &files, &small.database, &small.options).unwrap();
    let counts: Vec<usize> = found.iter().map(|trees| trees.bodies.len()).collect();
    assert_eq!((counts, &found[0].file), (vec![2, 1, 0], &files[0]));
    assert_eq!(texts(&found[0], header, |node| node.in_macro), ["ONE"]);
}

#[test]
fn an_operator_that_the_compiler_rewrites_is_the_one_that_is_written() {
    let source = "struct S { int a; bool operator==(const S &o) const { return a == o.a; } };\n\
                  bool f(S x, S y) { return x != y; }\nbool g(const S &s) { return 1 < 2 && S{1} != s; }\n";
    let trees = read("a.cpp", "-std=c++20", source);
    assert_eq!(texts(&trees, source, |node| matches!(node.kind, Kind::OperatorCall { .. })), ["x != y", "S{1} != s"]);
    assert!(texts(&trees, source, |node| node.in_macro).is_empty());
}

#[test]
fn what_was_read_is_kept_until_a_file_changes() {
    let cache = tempfile::tempdir().unwrap();
    let mut small = Small::new(&[("a.c", "int f(void) { return 1; }\n")], "");
    small.options.cache_dir = Some(cache.path().to_path_buf());
    let file = small.root.join("a.c");
    let read = |small: &Small| {
        let files = std::slice::from_ref(&file);
        trees(&small.database.commands[0], files, &small.database, &small.options).unwrap().remove(0)
    };
    let first = read(&small);
    let kept = || std::fs::read_dir(cache.path()).unwrap().next().unwrap().unwrap().metadata().unwrap().ino();
    let written = kept();
    assert_eq!((read(&small), kept()), (first.clone(), written), "from what was kept");
    std::fs::write(&file, "int f(void) { return 1; } int g(void) { return 2; }\n").unwrap();
    assert_eq!((read(&small).bodies.len(), first.bodies.len()), (2, 1));
}

#[test]
fn what_nests_too_deep_is_cut() {
    let deep = format!("int f(int a) {{ return a{}; }}\n", " + a".repeat(2000));
    let small = Small::new(&[("a.c", &deep)], "");
    let cache = tempfile::tempdir().unwrap();
    let options = ParseOptions { cache_dir: Some(cache.path().to_path_buf()), ..small.options.clone() };
    let read = || trees(&small.database.commands[0], &[small.root.join("a.c")], &small.database, &options).unwrap();
    let (first, again) = (read(), read());
    assert_eq!(first, again);
    assert!(find(&first[0], |node| matches!(&node.kind, Kind::Other(name) if name == "TooDeep")).in_macro);
}

#[test]
fn every_body_of_the_samples_is_read() {
    for (sample, standard, bodies) in [("satellite", "c++17", 40), ("tpos", "c11", 5)] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(sample);
        let build = tempfile::tempdir().unwrap();
        let mut entries = Vec::new();
        let mut folders = vec![root.join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
                    let command = format!("clang -std={standard} -Iinclude -Isrc -c {}", path.display());
                    entries.push(serde_json::json!({ "directory": root, "file": path, "command": command }));
                }
            }
        }
        std::fs::write(build.path().join("compile_commands.json"), serde_json::Value::Array(entries).to_string())
            .unwrap();
        let database = Database::load(Some(build.path()), &root).unwrap();
        let (found, _, _, faults) = check(&database, &options(&root));
        assert!(faults.is_empty(), "{faults:#?}");
        assert!(found >= bodies, "{sample}: {found} bodies");
    }
}
