//! Probes as text: which notes a change gets, and which it must not get.

use super::{Composite, Finder, Level, UnitProbes, Versions, View, Watched};
use crate::model::{Language, TypeKind};
use crate::parse::testing::Small;
use crate::parse::trees_of_version;
use crate::tree::Span;
use std::collections::BTreeMap;

/// A file whose last function is the unit, with mutated texts of the whole file.
struct Probed {
    source: String,
    probes: UnitProbes,
}

impl Probed {
    fn new(name: &str, source: &str, changes: &[(&str, &str)]) -> Self {
        let small = Small::new(&[(name, source)], if name.ends_with(".c") { "-std=c11" } else { "-std=c++17" });
        let model = small.model();
        let file = small.root.join(name);
        let defined = model.functions.values().filter_map(|f| Some((f, f.definition.as_ref()?)));
        let (function, definition) = defined.max_by_key(|(_, definition)| definition.body.end).unwrap();
        let body = Span { start: definition.body.start, end: definition.body.end };
        let own = std::str::from_utf8(body.text(source.as_bytes())).unwrap();
        let mutated = changes.iter().enumerate().map(|(index, (old, new))| {
            assert!(own.contains(old), "{old}");
            (index, own.replacen(old, new, 1).into_bytes())
        });
        let versions = Versions { unit: function.usr.clone(), body, mutated: mutated.collect() };
        let composite = Composite::new(source.as_bytes(), vec![versions]);
        let text = small.root.join("versions");
        std::fs::write(&text, &composite.text).unwrap();
        let command = &small.database.commands[0];
        let trees = trees_of_version(command, &file, &text, &small.database, &small.options).unwrap();
        let view = View::new(&composite.text, &trees.types);
        let found = composite.find(&trees, &function.usr).expect("the bodies are found");
        let by_value = |target: &str, index: usize| {
            let function = model.functions.get(target);
            function.is_some_and(|f| !matches!(f.params[index].ty.kind, TypeKind::LvalueRef(_)))
        };
        let finder = Finder {
            view: &view,
            cxx: function.language == Language::Cxx,
            result: &function.result,
            floats: true,
            shift: found.shift,
            by_value: &by_value,
            line_of: &|offset| 1 + source[..offset as usize].matches('\n').count() as u32,
        };
        let sites: BTreeMap<_, _> =
            found.mutated.iter().map(|(index, body)| (*index, finder.site(found.original, body))).collect();
        assert_eq!(sites.len(), changes.len());
        let cxx = function.language == Language::Cxx;
        Self { source: source.into(), probes: UnitProbes { file, body: body.start, cxx, sites } }
    }

    fn text(&self, level: Level) -> String {
        let text = self.probes.noted(level).text(self.source.as_bytes());
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), self.source.lines().count(), "{text}");
        text.replace("::motif_probes", "p").replace("motif_probes", "p").replace("(unsigned char)", "")
    }

    fn watched(&self, index: usize) -> Watched {
        self.probes.noted(Level::Infected).mutants[&index].clone()
    }
}

/// Whether the value of this change is compared.
fn compares(name: &str, source: &str, old: &str, new: &str) -> bool {
    Probed::new(name, source, &[(old, new)]).watched(0).infected.is_some()
}

#[test]
fn a_changed_condition_is_compared_where_it_stands_and_several_share_the_place() {
    let source = "int f(int a, int b) {\n  if (a > 2 && b < a)\n    return b;\n  return a;\n}\n";
    let probed = Probed::new("a.c", source, &[("a > 2", "a >= 2"), ("b < a", "b <= a"), ("&&", "||")]);
    assert_eq!(
        probed.text(Level::Infected),
        "int f(int a, int b) { p[0] = 1;\n  p[1] = 1; if (((void)(p[2] = 1), \
         (void)(p[3] |= (!(a > 2 && b < a) != !(a >= 2 && b < a))), \
         (void)(p[5] |= (!(a > 2 && b < a) != !(a > 2 && b <= a))), \
         (void)(p[6] |= (!(a > 2 && b < a) != !(a > 2 || b < a))), \
         a > 2 && ((void)(p[4] = 1), (b < a))))\n    return b;\n  return a;\n}\n"
    );
}

#[test]
fn fewer_notes_are_made_where_more_do_not_build() {
    let source = "int f(int a) {\n  while (a > 3)\n    a = a / 2 + 1;\n  return a;\n}\n";
    let probed = Probed::new("a.cpp", source, &[("2 + 1", "2 - 1")]);
    assert_eq!(
        probed.text(Level::Reached),
        "int f(int a) { p[0] = 1;\n  while (a > 3)\n    { p[1] = 1; a = a / 2 + 1; }\n  return a;\n}\n"
    );
    assert_eq!(probed.text(Level::Entered), source.replace("{\n  while", "{ p[0] = 1;\n  while"));
    assert!(probed.text(Level::Infected).contains("p[3] |= ((a / 2 + 1) != (a / 2 - 1))"));
}

#[test]
fn what_has_effects_or_may_trap_is_only_noted_as_reached() {
    let source = "int g(int); int v(int &);\n\
        int f(int a, int b, int *p, int *q, double d) {\n  int unset;\n  volatile int w = a;\n  \
        int c = a + b;\n  c += g(a) + b;\n  c += p[1] + a;\n  if (p && *p > a) c++;\n  c += v(a);\n  c += w;\n  \
        c += b % 7;\n  c += d > 2;\n  unset = 3;\n  return c + unset;\n}\n";
    let compares = |old: &str, new: &str| compares("a.cpp", source, old, new);
    // Safe.
    assert!(compares("int c = a + b", "int c = a - b"));
    assert!(compares("g(a) + b", "g(b) + b"));
    assert!(compares("p[1] + a", "p[1] - a"));
    assert!(compares("*p > a", "*p >= a"));
    assert!(compares("b % 7", "b / 7"));
    // The original has no division, call, other dereference or shift.
    for (old, new) in [
        ("int c = a + b", "int c = a / b"),
        ("int c = a + b", "int c = a % b"),
        ("int c = a + b", "int c = a << b"),
        ("int c = a + b", "int c = g(a)"),
        ("int c = a + b", "int c = a++"),
        ("int c = a + b", "int c = unset"),
        ("int c = a + b", "int c = (int)d"),
        ("g(a) + b", "g(a) - b"),
        ("p[1] + a", "p[1] + *q"),
        // No longer guarded by `p`.
        ("p && *p > a", "p || *p > a"),
        ("p && *p > a", "*p > a"),
        // A reference to another variable is not another value.
        ("v(a)", "v(b)"),
        ("c += w", "c += w + 1"),
        ("unset = 3", "c = 3"),
    ] {
        assert!(!compares(old, new), "{old} -> {new}");
    }
}

#[test]
fn a_guard_that_both_have_protects_both() {
    let source =
        "struct N { int v; N *next; };\nint f(N *n, int a) {\n  return n && n->next && n->next->v > a ? 1 : 2;\n}\n";
    assert!(compares("a.cpp", source, "n->next->v > a", "n->next->v < a"));
    // If the guards have equal truth, the guarded code is evaluated alike.
    assert!(compares("a.cpp", source, "n && n->next &&", "n && n &&"));
    let swapped = "int f(int *n, int a) {\n  return !n || a < 1 || *n > a;\n}\n";
    assert!(compares("a.cpp", swapped, "*n > a", "*n == a"));
    assert!(compares("a.cpp", swapped, "a < 1 ||", "a <= 1 ||"));
}

#[test]
fn what_the_compiler_works_out_is_left_alone() {
    let source = "int f(int a) {\n  static int s = 3 + 4;\n  const int n = 2 + 1;\n  int list[n] = {a + 1, a};\n  \
                  switch (a) { case 1 + 1: return s; }\n  return list[0];\n}\n";
    for (old, new) in [("3 + 4", "3 - 4"), ("2 + 1", "2 * 1"), ("a + 1", "a - 1"), ("1 + 1", "1 - 1")] {
        assert!(!compares("a.cpp", source, old, new), "{old}");
    }
}

#[test]
fn a_change_of_statements_is_noted_before_the_first_that_differs() {
    let source = "void g(int);\nvoid f(int a) {\n  g(1);\n  if (a)\n    g(2);\n  g(3);\n}\n";
    let probed = Probed::new("a.cpp", source, &[("g(3);", ";"), ("  g(2);", "  {}"), ("g(1);\n", "\n")]);
    assert_eq!(
        probed.text(Level::Reached),
        "void g(int);\nvoid f(int a) { p[0] = 1;\n  p[3] = 1; g(1);\n  if (a)\n    { p[2] = 1; g(2); }\n  p[1] = 1; \
         g(3);\n}\n"
    );
}

#[test]
fn what_a_switch_or_a_label_leads_into_is_noted_around_it() {
    let source =
        "void g(int);\nvoid f(int a) {\n  g(0);\n  switch (a) {\n  case 1: g(1); break;\n  case 2: g(2);\n  }\n}\n";
    let probed = Probed::new("a.cpp", source, &[("case 2:", "case 3:"), ("break;", ";"), ("g(2)", "g(3)")]);
    let text = probed.text(Level::Reached);
    assert!(text.contains("p[1] = 1; switch (a)"), "{text}");
    assert!(text.contains("case 1: p[3] = 1; g(1); p[2] = 1; break;"), "{text}");
    assert!(text.contains("case 2: p[4] = 1; g(2);"), "{text}");
    let tight = Probed::new("a.cpp", &source.replace("2: g", "2:g"), &[("g(2)", "g(3)")]);
    assert!(tight.text(Level::Reached).contains("case 2: p[1] = 1; g(2);"), "{}", tight.text(Level::Reached));
}

#[test]
fn what_a_label_leads_into_is_not_reached_by_the_label_before() {
    let source =
        "void g(int);\nvoid f(int a) {\n  switch (a) {\n  case 1: g(1); break;\n  case 2: { g(2); g(3); }\n  }\n}\n";
    let probed = Probed::new("a.cpp", source, &[("g(3)", "g(4)")]);
    let missed: Vec<String> = probed.watched(0).way.into_iter().map(|(_, missed)| missed).collect();
    assert_eq!(missed, ["the function was never entered", "nothing led to `case 2` in line 5"]);
}

#[test]
fn floating_point_values_are_compared_by_their_bits_and_leave_no_flags() {
    let source = "double f(double a, float b) {\n  return a * b + 1.0;\n}\n";
    let probed = Probed::new("a.c", source, &[("a * b", "a / b")]);
    let text = probed.text(Level::Infected);
    assert!(
        text.contains("const unsigned motif_flags = motif_floats_kept(); p[3] |= (motif_double_differs("),
        "{text}"
    );
    assert!(text.contains("motif_floats_back(motif_flags); }), a * b + 1.0);"), "{text}");
}

#[test]
fn the_way_to_a_change_names_what_leads_there() {
    let source = "int f(int a, int b) {\n  if (a < 0) return 0;\n  for (int i = 0; i < b; ++i) {\n    \
                  if (i == 7) { a += b; } else a -= 1;\n  }\n  return a;\n}\n";
    let probed = Probed::new("a.cpp", source, &[("a -= 1", "a -= 2")]);
    let missed: Vec<String> = probed.watched(0).way.into_iter().map(|(_, missed)| missed).collect();
    assert_eq!(
        missed,
        [
            "the function was never entered",
            "`a < 0` in line 2 was never false",
            "`i < b` in line 3 was never true",
            "`i == 7` in line 4 was never false"
        ]
    );
}
