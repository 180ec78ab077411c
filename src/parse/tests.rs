//! Models of small sources.

use super::testing::{Small, read_c, read_cpp};
use crate::model::*;

fn function<'m>(model: &'m Model, qualified: &str) -> &'m Function {
    let mut found = model.functions.values().filter(|function| function.qualified == qualified);
    let first = found.next().unwrap_or_else(|| panic!("no function {qualified}"));
    assert!(found.next().is_none(), "several functions {qualified}");
    first
}

fn class<'m>(model: &'m Model, qualified: &str) -> &'m Class {
    model.classes.values().find(|class| class.qualified == qualified).unwrap_or_else(|| panic!("no class {qualified}"))
}

fn param_types(function: &Function) -> Vec<&str> {
    function.params.iter().map(|param| param.ty.spelling.as_str()).collect()
}

fn text<'s>(source: &'s str, extent: &Extent) -> &'s str {
    &source[extent.start as usize..extent.end as usize]
}

#[test]
fn types_are_spelled_so_that_they_can_be_pasted() {
    let model = read_cpp(
        "#include <string>\n#include <vector>\n#include <map>\n#include <memory>\n#include <array>\n\
            #include <functional>\n\
         namespace n { inline namespace v1 { struct S { struct In {}; enum E { a }; typedef int num; }; } using P = S \
         *;\n\
         template <class T, int N = 3> struct A { T t[N]; };\n\
         void f(const std::string &, std::vector<S>, std::map<int, S::In *>, std::unique_ptr<S>, P, S::num, S::E,\n\
                const A<S> &, A<int, 4> *, std::array<std::string, 2>, int (*)(const S &), int (&)[3],\n\
                int S::*, const char *const *, std::vector<std::vector<int>>::size_type, std::function<int(S)>,\n\
                unsigned long long, std::size_t); }",
    );
    assert_eq!(
        param_types(function(&model, "n::f")),
        [
            "const std::string &",
            "std::vector<n::S>",
            "std::map<int, n::S::In *>",
            "std::unique_ptr<n::S>",
            "n::P",
            "n::S::num",
            "n::S::E",
            "const n::A<n::S> &",
            "n::A<int, 4> *",
            "std::array<std::string, 2>",
            "int (*)(const n::S &)",
            "int (&)[3]",
            "int n::S::*",
            "const char *const *",
            "std::vector<std::vector<int>>::size_type",
            "std::function<int (n::S)>",
            "unsigned long long",
            "std::size_t",
        ]
    );
    let f = function(&model, "n::f");
    let TypeKind::Record { name, args, .. } = &f.params[0].ty.without_ref().kind else { panic!() };
    assert_eq!((name.as_str(), args.len()), ("std::basic_string", 3));
    let TypeKind::Record { name, args, .. } = &f.params[8].ty.pointee().unwrap().kind else { panic!() };
    assert_eq!(name, "n::A");
    assert!(matches!(&args[1], TemplateArg::Value(value) if value == "4"), "{args:?}");
    assert!(matches!(&f.params[4].ty.kind, TypeKind::Pointer(to) if to.spelling == "n::S"));
    let instances = &model.instantiations[&class(&model, "n::A").usr];
    assert_eq!(instances.len(), 2);
    assert_eq!(f.id.split_once('(').unwrap().1.split(',').next(), Some("const std::string &"));
}

#[test]
fn c_structures_have_their_tags_and_typedefs() {
    let model = read_c(
        "typedef struct { int x; union { int i; float f; } u; } T_POS;\n\
            struct node { struct node *next; T_POS at[2]; };\n\
         enum color { RED, GREEN = 5 };\ntypedef enum { A = -1 } kind_t;\n\
         int f(T_POS *p, const struct node *n, enum color c, kind_t k, double v[3], unsigned char buf[], int \
         (*cb)(void));\n",
    );
    let f = function(&model, "f");
    assert_eq!(
        param_types(f),
        ["T_POS *", "const struct node *", "enum color", "kind_t", "double [3]", "unsigned char []", "int (*)(void)"]
    );
    assert_eq!(f.id, "f");
    assert_eq!(f.params[4].ty.kind_array(), Some(Some(3)));
    let pos = class(&model, "T_POS");
    assert_eq!((pos.name.as_str(), pos.size, &pos.aliases), ("T_POS", Some(8), &vec!["T_POS".to_string()]));
    assert_eq!(
        pos.fields.iter().map(|f| (f.name.as_str(), f.offset_bits)).collect::<Vec<_>>(),
        [("x", Some(0)), ("u", Some(32))]
    );
    let node = class(&model, "node");
    assert_eq!(node.fields[1].ty.spelling, "T_POS [2]");
    let mut enums: Vec<_> = model.enums.values().map(|e| (e.qualified.as_str(), e.enumerators.clone())).collect();
    enums.sort();
    assert_eq!(enums[0], ("color", vec![("RED".into(), 0), ("GREEN".into(), 5)]));
    assert_eq!(enums[1], ("kind_t", vec![("A".into(), -1)]));
}

impl Type {
    fn kind_array(&self) -> Option<Option<u64>> {
        match self.kind {
            TypeKind::Array(_, length) => Some(length),
            _ => None,
        }
    }
}

#[test]
fn a_definition_is_found_to_the_byte() {
    let source = "namespace n {\nclass C { public: C(int a, int b = 2) noexcept : x(a), y{b} { x++; }\n  int x; int \
        y;\n\
                  template <class T> static T max(T a, T b) { return a < b ? b : a; }\n  bool operator==(const C &o) \
                  const;\n\
                  ~C(); };\n}\n[[nodiscard]] inline bool n::C::operator==(const n::C &o) const { return x == o.x; }\n\
                  n::C::~C() { }\nint t() try { return 1; } catch (...) { return 2; }\n";
    let model = read_cpp(source);
    let constructor = function(&model, "n::C::C");
    let definition = constructor.definition.as_ref().unwrap();
    assert_eq!(text(source, &definition.body), "{ x++; }");
    assert_eq!(text(source, definition.initializers.as_ref().unwrap()), " x(a), y{b} ");
    assert!(constructor.is_noexcept && constructor.params[1].default.as_deref() == Some("2"));
    assert!(!constructor.is_explicit);
    let max = function(&model, "n::C::max");
    let definition = max.definition.as_ref().unwrap();
    assert_eq!(text(source, &definition.extent), "template <class T> static T max(T a, T b) { return a < b ? b : a; }");
    assert_eq!(max.kind, FunctionKind::StaticMethod);
    assert_eq!(max.template.as_ref().unwrap()[0].name, "T");
    let equal = function(&model, "n::C::operator==");
    let definition = equal.definition.as_ref().unwrap();
    assert!(text(source, &definition.extent).starts_with("[[nodiscard]] inline bool"));
    let name = definition.name_offset as usize;
    assert_eq!(&source[name..name + definition.name_len as usize], "operator==");
    assert_eq!(equal.id, "n::C::operator==(const n::C &) const");
    assert_eq!(equal.declarations.len(), 1);
    let destructor = function(&model, "n::C::~C").definition.as_ref().unwrap();
    let name = destructor.name_offset as usize;
    assert_eq!(&source[name..name + destructor.name_len as usize], "~C");
    let tried = function(&model, "t").definition.as_ref().unwrap();
    assert!(text(source, &tried.body).starts_with("try {") && text(source, &tried.body).ends_with("return 2; }"));
}

#[test]
fn references_stand_where_their_names_stand() {
    let source = "namespace n { class C; int free_one(); }\nclass n::C { public: C(); ~C(); C *self(C &o) { return &o; \
        }\n\
                  static int count; friend int n::free_one(); };\nint n::C::count = 0;\n\
                  n::C::C() { count = n::free_one(); }\n\
                  n::C::~C() {}\n#define MAKE new n::C()\nn::C *make() { n::C *c = MAKE; c->~C(); return c; }\n";
    let model = read_cpp(source);
    let class = class(&model, "n::C");
    let file = model.files.values().next().unwrap();
    let to = |target: &str| -> Vec<(usize, bool)> {
        file.references
            .iter()
            .filter(|reference| reference.target == target)
            .map(|reference| (reference.offset as usize, reference.is_declaration))
            .collect()
    };
    let named = |name: &str, found: Vec<(usize, bool)>| {
        let mut all: Vec<usize> = Vec::new();
        let word = |at: Option<char>| at.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let mut from = 0;
        while let Some(at) = source[from..].find(name).map(|at| at + from) {
            let (before, after) = (source[..at].chars().next_back(), source[at + name.len()..].chars().next());
            if !word(before) && !word(after) {
                all.push(at);
            }
            from = at + 1;
        }
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), all, "{name}");
    };
    let in_macro = source.find("new n::C()").unwrap() + "new n::".len();
    let mut classes = to(&class.usr);
    classes.push((in_macro, false));
    classes.sort();
    named("C", classes);
    named("free_one", to(&function(&model, "n::free_one").usr));
    named("count", to(&model.variables.values().find(|v| v.qualified == "n::C::count").unwrap().usr));
    assert_eq!(file.expansions.len(), 1);
    assert!(to(&class.usr).iter().any(|(_, declaration)| *declaration));
    assert_eq!(class.friends, [function(&model, "n::free_one").usr.clone()]);
    assert_eq!(class.declarations.len(), 1);
}

#[test]
fn the_text_and_the_line_of_an_assertion_are_no_literals() {
    let text = "extern \"C\" void __assert_fail(const char *, const char *, unsigned, const char *);\n\
        #define assert(it) ((it) ? (void)0 : __assert_fail(#it, __FILE__, __LINE__, __func__))\n\
        int f(int n) { assert(n != 7); return n + 3; }";
    let model = super::testing::read_cpp(text);
    let function = model.functions.values().find(|f| f.name == "f").unwrap();
    let literals = &function.definition.as_ref().unwrap().literals;
    assert_eq!(literals[..], [Literal::Int(7), Literal::Int(0), Literal::Int(3)]);
}

#[test]
fn bodies_tell_their_literals_calls_globals_and_labels() {
    let model = read_c(
        "#define LIMIT 0x7ff00000\nstatic const double one = 1.5, halF[2] = {0.5, -0.25};\nstatic int counter;\n\
            int other(void);\n\
         int f(int a) { static int calls; if (a > LIMIT || a == 'x' || a < -7) goto out;\n\
         calls += other(); counter++; return halF[a & 1] + one < 2.5e3; out: return \"te\" \"xt\"[0]; }\n",
    );
    let definition = function(&model, "f").definition.as_ref().unwrap();
    let ints: Vec<i128> =
        definition.literals.iter().filter_map(|l| if let Literal::Int(v) = l { Some(*v) } else { None }).collect();
    // As the source has them; the bound of a constant table is one.
    assert_eq!(ints, [0x7ff0_0000, 120, 7, -7, 2, 1, 0]);
    let floats: Vec<f64> = definition
        .literals
        .iter()
        .filter_map(|l| if let Literal::Float(bits) = l { Some(f64::from_bits(*bits)) } else { None })
        .collect();
    for value in [0.5, 0.25, -0.25, 1.5, 2500.0] {
        assert!(floats.contains(&value), "{value} in {floats:?}");
    }
    assert!(definition.literals.contains(&Literal::Str(b"text".to_vec())));
    assert_eq!(definition.labels, ["out"]);
    assert_eq!(definition.globals.iter().map(String::as_str).collect::<Vec<_>>(), ["calls", "counter"]);
    assert_eq!(definition.calls.len(), 1);
}

#[test]
fn declarations_of_several_files_become_one_function() {
    let small = Small::new(
        &[
            (
                "a.h",
                "#pragma once\nclass C { public: virtual int f(int n = 3); private: int x_ = 0; };\n\
                    int g(double v[4]);\n",
            ),
            (
                "a.cpp",
                "#include \"a.h\"\nint C::f(int) { return 1; }\nstatic int h() { return 1; }\n\
                    int g(double *v) { return h() + (v != nullptr); }\n",
            ),
            ("b.cpp", "#include \"a.h\"\nstatic int h() { return 2; }\nint main() { return C().f() + h(); }\n"),
        ],
        "-std=c++14",
    );
    let model = small.model();
    let f = function(&model, "C::f");
    assert!(f.is_virtual && f.definition.is_some() && f.access == Some(Access::Public));
    assert_eq!((f.params[0].name.as_str(), f.params[0].default.as_deref()), ("n", Some("3")));
    assert_eq!(function(&model, "g").params[0].ty.spelling, "double [4]");
    let mut ids: Vec<&str> = model.functions.values().filter(|f| f.name == "h").map(|f| f.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["h() [a.cpp]", "h() [b.cpp]"]);
    let header = small.root.join("a.h");
    let main = small.root.join("b.cpp");
    assert!(model.files[&main].defines_main && !model.files[&header].defines_main);
    assert_eq!(model.files[&main].includes, [("\"a.h\"".to_string(), header.clone())]);
    assert!(model.unit_of(&header).is_some());
    assert!(!class(&model, "C").is_file_local);
}

#[test]
fn a_declaration_whose_types_are_macros_of_a_source_is_that_sources_alone() {
    let c = "typedef struct Handle_t Handle;\nHandle *make(void);\nint size(void);\n";
    let api = "#include \"writer.h\"\n#define Handle lib::Writer\n#define Handle_t unused\nextern \"C\" {\n\
        #include \"c.h\"\n\
               Handle *make(void) { return new lib::Writer; }\nint size(void) { return 1; }\n}\n";
    let files = [
        ("writer.h", "namespace lib { struct Writer { int n; }; }\n"),
        ("c.h", &c.replace("typedef", "#ifndef Handle\ntypedef").replace("Handle;", "Handle;\n#endif")),
        ("api.cpp", api),
    ];
    let small = Small::new(&files, "-std=c++17");
    let (model, problems) = super::project(&small.database, &small.options).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(function(&model, "make").result.spelling, "lib::Writer *");
    assert!(function(&model, "make").declarations.is_empty());
    assert_eq!(function(&model, "size").declarations.len(), 1);
}

#[test]
fn a_source_that_does_not_parse_costs_its_own_units_only() {
    let small =
        Small::new(&[("a.cpp", "int f() { return 1; }\n"), ("b.cpp", "int g( { return oops; }\n")], "-std=c++17");
    let (model, problems) = super::project(&small.database, &small.options).unwrap();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].file.as_ref().unwrap().ends_with("b.cpp"));
    assert!(function(&model, "f").definition.is_some());
    assert!(model.units.iter().any(|unit| !unit.errors.is_empty() && unit.errors[0].contains("b.cpp:1:")));
    let broken = Small::new(&[("b.cpp", "int g( { return oops; }\n")], "");
    let error = super::project(&broken.database, &broken.options).unwrap_err();
    assert_eq!(error.downcast_ref::<crate::diag::Problem>().unwrap().code, "source-unreadable");
}

#[test]
fn what_was_read_is_kept_until_a_file_changes() {
    let mut small = Small::new(&[("a.h", "int f();\n"), ("a.cpp", "#include \"a.h\"\n")], "");
    small.options.cache_dir = Some(small.root.join("cache"));
    let first = small.model();
    // The file, and the whole.
    assert_eq!(std::fs::read_dir(small.root.join("cache")).unwrap().count(), 2);
    assert_eq!(small.model(), first);
    std::fs::write(small.root.join("a.h"), "int f();\nint g();\n").unwrap();
    assert_eq!(small.model().functions.len(), first.functions.len() + 1);
}

/// The model with what is not written with it.
fn all_of(model: Model) -> impl PartialEq + std::fmt::Debug {
    (model.homes.clone(), model.sightings.clone(), model.namesakes.clone(), model)
}

#[test]
fn what_was_kept_is_all_that_was_read_and_what_was_damaged_is_read_again() {
    let text = "#include \"a.h\"\nstruct s { int b; };\nint f(struct s *p) { return p->b + (int)sizeof(\"a\\tb\"); }\n";
    let other = text.replace("int b", "long b").replace("int f", "int g");
    let mut small = Small::new(&[("a.h", "inline int h() { return 1; }\n"), ("a.cpp", text), ("b.cpp", &other)], "");
    let fresh = all_of(small.model());
    let folder = small.root.join("cache");
    small.options.cache_dir = Some(folder.clone());
    assert_eq!(all_of(small.model()), fresh);
    assert_eq!(all_of(small.model()), fresh, "the whole");
    for turn in 0..3 {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            match turn {
                0 => bytes.truncate(20),
                1 => bytes[5] ^= 1,
                _ => *bytes.last_mut().unwrap() ^= 0x80,
            }
            std::fs::write(&path, bytes).unwrap();
        }
        assert_eq!(all_of(small.model()), fresh);
    }
    small.options.cache_dir = Some(small.root.join("a.h/below"));
    assert_eq!(all_of(small.model()), fresh, "nothing can be kept there");
}

#[test]
fn flags_of_another_compiler_do_not_stop_the_reading() {
    let small = Small::new(&[("a.c", "int f(void) { return 1; }\n")], "-fno-such-thing-here -mno-such-cpu-thing -Wfoo");
    assert!(function(&small.model(), "f").definition.is_some());
}

#[test]
fn the_model_of_a_small_header_is_as_reviewed() {
    let small = Small::new(
        &[
            (
                "mission.hpp",
                "#pragma once\n#include <string>\n#include <vector>\nnamespace sat {\n\
                    enum class Mode : unsigned char { Idle, Burn = 4 };\n\
                 class Mission {\n public:\n  explicit Mission(double duration) : duration_(duration) {}\n  virtual \
                 ~Mission() = default;\n\
                 \x20 virtual bool accepts(Mode mode) const = 0;\n  const std::string &name() const noexcept { return \
                 name_; }\n\
                 \x20 Mission(const Mission &) = delete;\n protected:\n  double duration_;\n private:\n  std::string \
                 name_;\n\
                 \x20 static int count_;\n};\n\
                 template <typename Objective, int Limit = 3>\n\
                 class Dynamic final : public Mission {\n public:\n  Dynamic() : Mission(1.0) {}\n\
                 \x20 bool accepts(Mode) const override { return objectives_.size() < Limit; }\n  void add(Objective \
                 o);\n\
                 private:\n  std::vector<Objective> objectives_;\n};\n\
                 template <typename Objective, int Limit>\nvoid Dynamic<Objective, Limit>::add(Objective o) { \
                 objectives_.push_back(o); }\n}\n",
            ),
            (
                "main.cpp",
                "#include \"mission.hpp\"\nint sat::Mission::count_ = 0;\n\
                    static bool use() { sat::Dynamic<int> d; return d.accepts(sat::Mode::Idle); }\n\
                    bool run() { return use(); }\n",
            ),
        ],
        "-std=c++17",
    );
    let model = small.model();
    let root = small.root.display().to_string();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        let text = serde_json::to_string(&model).unwrap().replace(&root, "ROOT");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        insta::assert_yaml_snapshot!("model_of_a_small_header", value);
    });
}

#[test]
fn a_computed_template_argument_is_its_value_outside_the_scope_it_was_written_in() {
    let model = read_cpp(
        "namespace n { struct Node { int a[3]; }; enum { kMany = 7 }; template <int N> struct Pool { char c[N]; };\n\
         struct Holder { Pool<sizeof(Node)> pool; Pool<kMany> many; }; }",
    );
    let fields = &class(&model, "n::Holder").fields;
    let spelled: Vec<&str> = fields.iter().map(|f| f.ty.spelling.as_str()).collect();
    assert_eq!(spelled, ["n::Pool<12>", "n::Pool<7>"]);
}

#[test]
fn the_length_of_an_array_is_that_of_its_own_template_whatever_another_calls_its_own() {
    let model = read_cpp(
        "template <class U, unsigned long Size> struct Other { U all[Size]; };\n\
         template <class T> struct Box { T *to; };\n\
         template <class T, unsigned long N> struct Ring { T data[N] = {}; T rows[N][2];\n\
           Box<T[]> held[N]; T bits[sizeof(T[2]) * N]; };\nRing<float, 8> ring;\n",
    );
    let fields = &class(&model, "Ring").fields;
    let spelled: Vec<&str> = fields.iter().map(|f| f.ty.spelling.as_str()).collect();
    assert_eq!(spelled, ["T [N]", "T [N][2]", "Box<T []> [N]", "T [sizeof(T[2]) * N]"]);
}

#[test]
fn what_depends_on_a_templates_parameters_is_no_instantiation_though_it_does_not_look_so() {
    let model = read_cpp(
        "#include <map>\nnamespace n { template <class T, class = void> struct plain {};\n\
         template <class B> struct Ref { B *to; };\n\
         template <template <class, class...> class M = std::map, class N = int, template <class, class> class S = \
         plain>\n\
         class Doc {\n public:\n  using number = N; using object = M<int, N>;\n  struct In { number kept; };\n  \
         Ref<Doc> self(number one, const object &all, In in);\n};\n\
         Doc<> make(Ref<Doc<>> r, Doc<>::In in); }\n",
    );
    let reference = class(&model, "n::Ref");
    let harvested: Vec<_> = model.instantiations[&reference.usr].iter().collect();
    let [TemplateArg::Type(doc)] = harvested[0].as_slice() else { panic!() };
    assert_eq!(harvested.len(), 1, "{harvested:?}");
    assert_eq!(doc.spelling, "n::Doc<std::map, int, n::plain>");
    let itself = function(&model, "n::Doc::self");
    let kinds: Vec<&TypeKind> = itself.params.iter().map(|param| &param.ty.without_ref().kind).collect();
    assert_eq!(*kinds[0], TypeKind::Dependent("N".into()));
    let TypeKind::Record { usr, name, args } = kinds[1] else { panic!("{:?}", kinds[1]) };
    assert_eq!((usr.as_str(), name.as_str(), args.len()), ("", "M", 2));
    let TypeKind::Record { args, .. } = kinds[2] else { panic!("{:?}", kinds[2]) };
    assert_eq!(args.len(), 3, "a nested class has the arguments of the template that it is in");
    let TypeKind::Record { args, .. } = &function(&model, "n::make").params[1].ty.kind else { panic!() };
    let spelled: Vec<&str> = args
        .iter()
        .map(|arg| match arg {
            TemplateArg::Type(ty) => ty.spelling.as_str(),
            TemplateArg::Value(value) => value.as_str(),
        })
        .collect();
    assert_eq!(spelled, ["std::map", "int", "n::plain"]);
}

#[test]
fn a_constant_that_is_a_templates_default_has_its_full_name() {
    let model = read_cpp(
        "namespace n { enum { room = 500 }; constexpr int least = 2;\n\
         template <typename T, int N = room, int M = least, int K = 3> struct Buffer { T held[N]; };\n\
         int use(Buffer<char> &b) { return b.held[0]; } }\n",
    );
    let buffer = model.classes.values().find(|class| class.name == "Buffer" && class.template.is_some()).unwrap();
    let defaults: Vec<_> = buffer.template.iter().flatten().map(|param| param.default.as_deref()).collect();
    assert_eq!(defaults, [None, Some("n::room"), Some("n::least"), Some("3")]);
    let values = |args: &Vec<TemplateArg>| args.contains(&TemplateArg::Value("n::room".into()));
    assert!(model.instantiations[&buffer.usr].iter().any(values), "{:?}", model.instantiations);
}

#[test]
fn an_enumerator_is_the_argument_of_a_template_by_its_name() {
    let model = read_cpp(
        "namespace n { enum class Mode { plain, delta }; enum Way { in, out };\n\
         template <Mode mode, Way way, int N> int code(int value) { return value + N; }\n\
         inline int both(int value) { return code<Mode::plain, out, 2>(value) + code<Mode::delta, in, 3>(value); } }\n",
    );
    let code = function(&model, "n::code");
    let list = |args: &Vec<TemplateArg>| {
        let text = |arg: &TemplateArg| if let TemplateArg::Value(text) = arg { text.clone() } else { String::new() };
        args.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let mut lists: Vec<String> = model.instantiations[&code.usr].iter().map(list).collect();
    lists.sort();
    assert_eq!(lists, ["n::Mode::delta, n::Way::in, 3", "n::Mode::plain, n::Way::out, 2"]);
}

#[test]
fn an_explicit_instantiation_behind_a_macro_or_in_one_is_no_specialisation() {
    let model = read_cpp(
        "#define API extern\n\
         #define INSTANCE(T) template class Row<T>; template T sum<T>(const Row<T> &);\n\
         template <class T> class Row { T *at_; public: Row(int size); int size() const; };\n\
         template <class T> T sum(const Row<T> &row) { return row.size(); }\n\
         API template class Row<double>;\n\
         INSTANCE(int)\n\
         template <> class Row<bool> { int bits_; };\n\
         struct Key {};\n\
         #define KEY(T) template <> class Row<T> { T key_; };\n\
         KEY(Key)",
    );
    let special = model.classes.values().filter(|class| class.specializes.is_some());
    let special: Vec<&str> = special.map(|class| class.fields[0].name.as_str()).collect();
    assert_eq!(special, ["key_", "bits_"]);
    let sums = model.functions.values().filter(|function| function.name == "sum");
    assert_eq!(sums.count(), 1);
}
