//! The mutants of every operator, and those that it must not make.

use super::testing::{C, CXX, check, lines, made, made_of_bytes};
use super::{Group, all};
use std::fmt::Write as _;
use std::process::Command;

#[test]
fn abs_negates_numbers_that_are_used() {
    check(
        "ABS",
        C,
        "double f(double a, int *p, struct S *s, char c);\nint g(int a, double d) {\nint b = a;\nb -=a;\nb = -a;\n\
         if (b) return (int)d;\nf(d, &b, 0, 1);\nreturn 1-a;\n}",
        &["int b = -a;", "b -=-a;", "if (b) return (int)-d;", "f(-d, &b, 0, 1);", "return 1- -a;"],
    );
    check(
        "ABS",
        CXX,
        "void set(int &to); int get(); bool b(); enum E { A };\nint f(E e, short s, unsigned u) {\nint x = e;\n\
         set(x);\nint &r = x;\nbool t = b();\nint w{s};\nx++;\nget();\nreturn get() + (int)u;\n}",
        &["return -get() + (int)u;", "return get() + (int)-u;"],
    );
}

#[test]
fn aor_keeps_types_and_the_way_an_expression_groups() {
    check(
        "AOR",
        C,
        "int f(int a, int b) {\nreturn a - b * 3;\n}",
        &[
            "return a + b * 3;",
            "return a * (b * 3);",
            "return a / (b * 3);",
            "return a % (b * 3);",
            "return a - (b + 3);",
            "return a - (b - 3);",
            "return a - b / 3;",
            "return a - b % 3;",
        ],
    );
    check("AOR", C, "double f(double a) {\na *= 2;\nreturn a;\n}", &["a += 2;", "a -= 2;", "a /= 2;"]);
    check(
        "AOR",
        C,
        "char *f(char *p, char *q) {\nif (q - p) p += 1;\nreturn p+-1;\n}",
        &["if (q - p) p -= 1;", "return p- -1;"],
    );
    check(
        "AOR",
        C,
        "int f(int a, int *p) {\nreturn a+*p + 0;\n}",
        &["return (a+*p) * 0;", "return a-*p + 0;", "return a**p + 0;", "return a/ *p + 0;", "return a%*p + 0;"],
    );
    check(
        "AOR",
        CXX,
        "#include <string>\nstd::string f(std::string a) {\nreturn a + \"x\";\n}\n\
         template <class T> T g(T a, T b) {\na = a + b;\nreturn a * b;\n}",
        &["return a + b;", "return a - b;", "return a / b;"],
    );
}

#[test]
fn lcr_exchanges_logical_and_bitwise_operators() {
    check(
        "LCR",
        C,
        "int f(int a, int b, int c) {\nif (a && b || c) return 1;\nif (c || a && b) return 1;\na &= b;\nreturn a|b;\n}",
        &[
            "if (a || b || c) return 1;",
            "if (a && b && c) return 1;",
            "if (c && (a && b)) return 1;",
            "if (c || (a || b)) return 1;",
            "a |= b;",
            "a ^= b;",
            "return a&b;",
            "return a^b;",
        ],
    );
    check("LCR", CXX, "bool f(bool a, double d) {\nreturn a and d > 1;\n}", &["return a || d > 1;"]);
}

#[test]
fn ror_keeps_pointers_and_templates_comparable() {
    check(
        "ROR",
        C,
        "int f(int a, int b) {\nreturn a < b;\n}",
        &["return a <= b;", "return a > b;", "return a >= b;", "return a == b;", "return a != b;"],
    );
    check(
        "ROR",
        CXX,
        "template <class T> bool f(T a, T b, int *p, bool c) {\nbool r = a == b;\nr = a < b;\nr = p == nullptr;\n\
         return c != r;\n}",
        &["bool r = a != b;", "r = p != nullptr;", "return c == r;"],
    );
}

#[test]
fn ror_makes_conditions_true_false_and_negated() {
    check(
        "ROR",
        C,
        "int f(int a, int b) {\nwhile (a) b++;\nreturn b ? 1 : 2;\n}",
        &["while (0) b++;", "while (!a) b++;", "return 1 ? 1 : 2;", "return 0 ? 1 : 2;", "return !b ? 1 : 2;"],
    );
    check(
        "ROR",
        CXX,
        "int f(bool a, bool b) {\nif (a && b) return 1;\nif (!a) return 2;\nwhile (a) { if (!b) break; }\n\
         if (int x = 3) return x;\nreturn 0;\n}",
        &[
            "if (true) return 1;",
            "if (false) return 1;",
            "if (!(a && b)) return 1;",
            "if (a) return 2;",
            "if (true) return 2;",
            "if (false) return 2;",
            "while (true) { if (!b) break; }",
            "while (false) { if (!b) break; }",
            "while (!a) { if (!b) break; }",
            "while (a) { if (b) break; }",
            "while (a) { if (true) break; }",
            "while (a) { if (false) break; }",
        ],
    );
    check("ROR", CXX, "template <class T> int f() {\nif constexpr (sizeof(T) == 4) return 1;\nreturn 0;\n}", &[]);
}

#[test]
fn uoi_changes_what_may_be_written_and_is_written_once() {
    check(
        "UOI",
        C,
        "int f(int a, const int b, int *p) {\nint c = a+b;\nc = c + 1;\np = &a;\nreturn c;\n}",
        &[
            "int c = ++a+b;",
            "int c = --a+b;",
            "int c = a++ +b;",
            "int c = a--+b;",
            "int c = ~a+b;",
            "int c = a+~b;",
            "c = ~c + 1;",
            "return ++c;",
            "return --c;",
            "return ~c;",
        ],
    );
    check(
        "UOI",
        CXX,
        "void set(int &to); enum E { A };\nstruct S { int n; bool b;\nint get(E e) const {\nint x = e;\nset(x);\n\
         if (b) return n;\nbool c = b;\nreturn 1;\n} };",
        &["if (b) return ~n;", "bool c = !b;"],
    );
}

#[test]
fn uoi_writes_nothing_twice_without_an_order() {
    // The assignment is unordered with writes in its right side, however deep.
    let text = "struct S { int n; };\nint f(int v, int w, int *a, struct S *s) {\nv = w && v;\nw = v ? w : 1;\n\
    if (v > 0 && v < w) v = 2;\na[v] = (w > 1 || v) + 3;\ns->n = w + s->n;\nfor (; v < w; v = v - 1) w = 0;\n\
    return 0;\n}";
    let made: Vec<String> = lines(C, text, &["UOI"]).into_iter().filter(|line| line.contains("++")).collect();
    let expected = [
        "v = ++w && v;",
        "v = w++ && v;",
        "w = ++v ? w : 1;",
        "w = v++ ? w : 1;",
        "if (++v > 0 && v < w) v = 2;",
        "if (v++ > 0 && v < w) v = 2;",
        "if (v > 0 && ++v < w) v = 2;",
        "if (v > 0 && v++ < w) v = 2;",
        "if (v > 0 && v < ++w) v = 2;",
        "if (v > 0 && v < w++) v = 2;",
        "a[v] = (++w > 1 || v) + 3;",
        "a[v] = (w++ > 1 || v) + 3;",
        "s->n = ++w + s->n;",
        "s->n = w++ + s->n;",
        "for (; ++v < w; v = v - 1) w = 0;",
        "for (; v++ < w; v = v - 1) w = 0;",
        "for (; v < ++w; v = v - 1) w = 0;",
        "for (; v < w++; v = v - 1) w = 0;",
    ];
    assert_eq!(made, expected.map(|line| format!("UOI: {line}")));
    check(
        "UOI",
        CXX,
        "struct S { int n;\nint f() {\nn = this->n - 1;\nreturn n + this->n;\n} };",
        &["n = ~this->n - 1;", "return ~n + this->n;", "return n + ~this->n;"],
    );
}

#[test]
fn groups_of_the_preprocessor_are_left_whole() {
    let text = "int g(int);\nint f(int a, int b) {\nint c = g(a\n#ifdef X\n+ b\n#endif\n);\nif (a) {\n#if 1\nc = b;\n\
    #else\nc = 7;\n#endif\n}\nreturn c;\n}";
    let all = made(C, text, &[]);
    assert!(!all.is_empty());
    for (change, new) in all {
        let directives =
            |text: &str| text.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(directives(&new), directives(text), "{change:?}");
        let first = change.edits[0].start as usize;
        let last = change.edits[change.edits.len() - 1].end as usize;
        assert!(!text[first..last].contains('#'), "{change:?}");
    }
}

#[test]
fn a_change_does_not_stand_in_two_groups_of_the_preprocessor() {
    // A parenthesis after the group for an operator inside.
    let text = "int f(int a, int b) {\n#ifdef X\nreturn a +\n#else\nreturn a -\n#endif\nb * 3;\n}";
    check("AOR", C, text, &["return a +", "(b + 3);", "(b - 3);", "b / 3;", "b % 3;"]);
    // Around a whole group they are allowed.
    let text = "int f(int a, int b) {\nreturn a - b\n#ifdef X\n* 4\n#endif\n* 3;\n}";
    assert!(lines(C, text, &["AOR"]).iter().any(|line| line.starts_with("AOR: return a * (b")));
}

#[test]
fn bytes_of_a_source_that_is_not_utf_8_stay() {
    let text = b"const char *pick(const char *a, const char *b, int n);\nint len(const char *s);\n\
    int f(int v) {\nconst char *s = pick(\"caf\xe9\", \"\xfcber\", v);\nreturn len(\"na\xefve\") + len(s);\n}\n";
    let all = made_of_bytes(CXX, text, &[]);
    let has = |line: &[u8]| all.iter().any(|(_, new)| new.windows(line.len()).any(|part| part == line));
    assert!(has(b"return -len(\"na\xefve\") + len(s);"));
    assert!(has(b"pick(\"\xfcber\", \"caf\xe9\", v)"));
    assert!(has(b"pick(\"caf\xe9_\", \"\xfcber\", v)"));
    assert!(all.iter().all(|(_, new)| !new.windows(3).any(|part| part == "\u{fffd}".as_bytes())));
}

#[test]
fn icr_gives_other_constants_where_they_may_stand() {
    check(
        "ICR",
        C,
        "int f(int a) {\nreturn a-3;\n}",
        &["return a-1;", "return a-0;", "return a- -1;", "return a-4;", "return a-2;", "return a- -3;"],
    );
    check(
        "ICR",
        C,
        "unsigned long f(int a, char *p) {\np = 0;\nint t[4];\na = t[3];\n\
         switch (a) { case 1: break; case 2: return 0x1FUL; }\na = a / 1;\nreturn a << 31;\n}",
        &[
            "a = t[1];",
            "a = t[0];",
            "a = t[2];",
            "switch (a) { case 0: break; case 2: return 0x1FUL; }",
            "switch (a) { case 1: break; case 0: return 0x1FUL; }",
            "switch (a) { case 1: break; case 3: return 0x1FUL; }",
            "switch (a) { case 1: break; case 2: return 1UL; }",
            "switch (a) { case 1: break; case 2: return 0UL; }",
            "switch (a) { case 1: break; case 2: return -1UL; }",
            "switch (a) { case 1: break; case 2: return 0x20UL; }",
            "switch (a) { case 1: break; case 2: return 0x1eUL; }",
            "switch (a) { case 1: break; case 2: return -0x1fUL; }",
            "a = a / -1;",
            "a = a / 2;",
            "return a << 1;",
            "return a << 0;",
            "return a << 30;",
        ],
    );
    check(
        "ICR",
        CXX,
        "struct S { unsigned n; S() : n{7} {\n} };\nint *f(int *p) {\nunsigned char c{255};\n\
         static const int N = 1;\nif (p == 0) return 0;\nchar t[N + 2];\nreturn p;\n}",
        &[
            "struct S { unsigned n; S() : n{1} {",
            "struct S { unsigned n; S() : n{0} {",
            "struct S { unsigned n; S() : n{8} {",
            "struct S { unsigned n; S() : n{6} {",
            "unsigned char c{1};",
            "unsigned char c{0};",
            "unsigned char c{254};",
            "static const int N = 2;",
        ],
    );
}

#[test]
fn sdl_removes_statements_and_leaves_a_function_that_returns() {
    check(
        "SDL",
        C,
        "int g(void);\nint f(int a) {\nint b;\nb = a;\n(void)a;\nif (a) {\ng();\nreturn 1;\n} else a++;\n\
         for (;;) { a++; break; }\nout: g();\nreturn b;\n}",
        &[";", "if (a) {} else a++;", ";", ";", "} else ;", ";", "for (;;) { ; break; }", "out: ;"],
    );
    check(
        "SDL",
        CXX,
        "struct B { virtual void m(); virtual ~B(); }; struct D : B { void m() override; };\n\
         void D::m() {\nB::m();\nm();\n}\nvoid f(int a) {\nif (a) throw 1;\n\
         switch (a) { case 1: a = 2; break; default: a = 3; }\n}\nint g(int a) {\nif (a) return 1; else return 2;\n}",
        &[
            ";",
            ";",
            "void f(int a) {}",
            ";",
            ";",
            "switch (a) { case 1: ; break; default: a = 3; }",
            "switch (a) { case 1: a = 2; ; default: a = 3; }",
            "switch (a) { case 1: a = 2; break; default: ; }",
        ],
    );
}

#[test]
fn deletions_leave_one_operand() {
    check(
        "AOD",
        C,
        "int f(int a, int b) {\nreturn a + b * -a;\n}",
        &["return b * -a;", "return a;", "return a + -a;", "return a + b;", "return a + b * a;"],
    );
    check("AOD", C, "char *f(char *p, int i) {\nreturn p + i;\n}", &["return p;"]);
    check(
        "LOD",
        C,
        "int f(char *p, int b) {\nif (p && !b) return 1;\nreturn p || b;\n}",
        &["if (!b) return 1;", "if (p) return 1;", "if (p && b) return 1;", "return b;"],
    );
    check(
        "ROD",
        C,
        "int f(int a, char *p) {\nif (a < 3) a = p == 0;\nreturn(a)!=2;\n}",
        &["if (3) a = p == 0;", "if (a) a = p == 0;", "if (a < 3) a = 0;", "return 2;", "return(a);"],
    );
    check("BOD", C, "int f(int a) {\nreturn a & ~3;\n}", &["return ~3;", "return a;", "return a & 3;"]);
    check("SOD", C, "int f(int a) {\nreturn 1 << a;\n}", &["return a;", "return 1;"]);
    check(
        "LOD",
        CXX,
        "struct S { explicit operator bool() const; };\nbool f(S s, bool b, int *p) {\nif (s && b) return p && b;\n\
         return !s;\n}",
        &["if (b) return p && b;", "if (s) return p && b;", "if (s && b) return b;"],
    );
    check(
        "ROD",
        CXX,
        "enum class E { A };\nbool f(E e, int a) {\nif (e == E::A) return bool{a > 1};\nreturn false;\n}",
        &[],
    );
}

#[test]
fn lvr_changes_literals_of_every_kind() {
    check(
        "LVR",
        C,
        "const char *f(int a, double *d, float *g) {\n*d = 1.5;\n*g = 0.0f;\na = 'x';\na = '\\0';\na = 2;\n\
         return \"abc\";\n}",
        &[
            "*d = -1.5;",
            "*d = 0.0;",
            "*g = 1.0f;",
            "*g = -1.0f;",
            "a = '\\0';",
            "a = 'y';",
            "a = ' ';",
            "a = -2;",
            "a = 0;",
            "return \"\";",
            "return \"abc_\";",
        ],
    );
    check(
        "LVR",
        CXX,
        "const char *f(char c) {\nbool b = true;\nchar t[4] = \"abc\";\n\
         switch (c) { case 'a': return R\"(x)\"; case 'b': b = false; }\nreturn nullptr;\n}",
        &[
            "bool b = false;",
            "char t[4] = \"\";",
            "switch (c) { case 'a': return \"\"; case 'b': b = false; }",
            "switch (c) { case 'a': return R\"(x)\"; case 'b': b = true; }",
        ],
    );
}

#[test]
fn text_of_macros_is_left_alone() {
    let text = "#define MAX(a, b) ((a) < (b) ? (b) : (a))\n#define N 3\n#define EACH(i) for (int i = 0; i < 3; i++)\n\
    int f(int a) {\nint b = MAX(a, 1);\nEACH(i) {\nb += N;\n}\nreturn b;\n}";
    for line in lines(C, text, &[]) {
        assert!(!line.contains("MAX(-") && !line.contains("define") && !line.contains("EACH(j"), "{line}");
        assert!(line.contains("MAX(a, 1)") || !line.contains("int b"), "{line}");
    }
    check("AOR", C, text, &["b -= N;", "b *= N;", "b /= N;", "b %= N;"]);
}

/// C types and functions with many constructs; types come first.
const C_TYPES: &str = r#"#include <string.h>
struct S { unsigned n : 3; double d; char *s; const char *t; };
enum E { A, B };
"#;
const C_FUNCTIONS: &str = r#"static int helper(int *p, double d) {
  static const int table[3] = { 1, 2, 0x3 };
  *p += table[2] % 3;
  return *p ? (int)d : -1;
}
int f(struct S *s, enum E e, unsigned char c) {
  int i, n = 0;
  double half = .5, x = 1e3f;
  struct S other = { .n = 2, .d = 1.0, .s = 0 };
  for (i = 0; i < 10 && s != NULL; ++i) {
    switch (e) {
    case A: n++; break;
    case B: n -= i; /* falls */
    default: if (n > 100) goto out;
    }
    s->d = s->d * half + x / (double)i;
    s->n ^= 1u << i;
    s->s = s->s + strlen(s->t) - 1;
  }
  do { n = n - - i; } while (--i > 0 || !n);
out:
  other.n = ~s->n & 7;
  if (s->s == 0 || *s->s == 'a')
    return helper(&n, -s->d);
  else if (c)
    return c++ + 1;
  return n == 3 ? 'x' : (int)sizeof(struct S) + (int)other.n;
}
"#;

/// The same for C++; the second part may be in a namespace.
const CXX_HEADERS: &str = r#"#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>
"#;
const CXX_CODE: &str = r#"enum class Mode { Off, On };
enum Flags { F1 = 1, F2 = 2 };
struct Base { virtual ~Base() = default; virtual int go(int n) { return n; } };
class Thing : public Base {
  std::vector<int> values_{1, 2, 3};
  std::string name_;
  const unsigned limit_;
  int *p_;
public:
  explicit Thing(std::string name, unsigned limit = 3) : name_(std::move(name)), limit_{limit + 1}, p_(0) {}
  int &at(int i) { return values_[i - 1]; }
  const int &peek() const { return limit_ > 2 ? values_[0] : values_[1]; }
  int go(int n) override {
    auto add = [&](int k) { if (k < 0) return -k; return k + n; };
    for (auto &v : values_) { v += n; if (v > 10) continue; at(1) = add(v); }
    std::map<std::string, short> m{{"a", 1}, {name_, 2}};
    short s = m["a"]; unsigned char c{'x'};
    double d{n * 1.5};
    std::swap(n, values_[1]);
    if (auto it = m.find("b"); it != m.end() && p_ == nullptr) s = it->second;
    try { if (n < 0) throw std::string("bad"); } catch (const std::string &e) { return e.empty() ? 1 : -1; }
    return std::max(s, m["c"]) + static_cast<int>(d) + Base::go(n) + c;
  }
  bool is(Mode m, Flags f) const { return m == Mode::On || (f & F1) != 0 || !name_.empty() || p_; }
};
template <class T> T power(T base, unsigned n) {
  T r = T(1);
  while (n > 0) { if (n & 1) r *= base; base = base * base; n >>= 1; }
  return r < T() ? -r : r;
}
template int power<int>(int, unsigned);
template double power<double>(double, unsigned);
"#;

#[test]
fn all_that_is_made_compiles() {
    let cases =
        [("-std=c99", C_TYPES, C_FUNCTIONS), (CXX, CXX_HEADERS, CXX_CODE), ("-std=c++20", CXX_HEADERS, CXX_CODE)];
    for (standard, head, code) in cases {
        let all = made(standard, &format!("{head}{code}"), &[]);
        assert!(all.len() > 100, "{}", all.len());
        let (mut text, mut ends) = (head.to_owned(), Vec::new());
        for (number, (_, new)) in all.iter().enumerate() {
            let code = &new[head.len()..];
            if standard.contains("++") {
                writeln!(text, "namespace m{number} {{\n{code}\n}}").unwrap();
            } else {
                let rename = ["helper", "f"].map(|name| format!("#undef {name}\n#define {name} {name}_{number}\n"));
                writeln!(text, "{}{code}", rename.concat()).unwrap();
            }
            ends.push(text.lines().count());
        }
        let mut wrong: Vec<_> = errors(standard, &text)
            .into_iter()
            .map(|(line, why)| format!("{:?}: {why}", all[ends.partition_point(|end| *end < line)].0))
            .collect();
        wrong.dedup();
        assert!(wrong.is_empty(), "{standard}, {} in all:\n{}", all.len(), wrong.join("\n"));
    }
}

/// The errors in a text with their lines.
fn errors(standard: &str, text: &str) -> Vec<(usize, String)> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(if standard.contains("++") { "all.cpp" } else { "all.c" });
    std::fs::write(&file, text).unwrap();
    let output = Command::new("clang")
        .args([standard, "-fsyntax-only", "-w", "-ferror-limit=0", "-fno-caret-diagnostics"])
        .arg(&file)
        .output()
        .unwrap();
    let file = format!("{}:", file.display());
    let error = String::from_utf8_lossy(&output.stderr);
    let found: Vec<_> = error
        .lines()
        .filter(|line| line.contains("error: "))
        .map(|line| {
            let place = line.strip_prefix(&file).and_then(|rest| rest.split(':').next()?.parse().ok());
            (place.unwrap_or_else(|| panic!("{line}")), line.split("error: ").last().unwrap().to_owned())
        })
        .collect();
    assert_eq!(output.status.success(), found.is_empty(), "{error}");
    found
}

#[test]
fn the_same_text_is_made_once_and_in_the_same_order() {
    let text = "int f(int a, int b) {\nif (a == 0) return -b;\nreturn a * 2;\n}";
    let all = made(C, text, &[]);
    let mut texts: Vec<&str> = all.iter().map(|(_, new)| new.as_str()).collect();
    texts.sort_unstable();
    let count = texts.len();
    texts.dedup();
    assert_eq!(texts.len(), count);
    let places: Vec<u32> = all.iter().map(|(change, _)| change.edits[0].start).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(all, made(C, text, &[]));
    assert!(all.iter().all(|(_, new)| new != text));
}

#[test]
fn the_documentation_has_every_operator_once() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operators.md");
    let text = std::fs::read_to_string(docs).unwrap();
    let listed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).collect();
    let known: Vec<&str> = all().iter().filter(|o| o.group != Group::Cxx).map(|o| o.name).collect();
    assert_eq!(listed.into_iter().filter(|name| known.contains(name)).collect::<Vec<_>>(), known);
}
