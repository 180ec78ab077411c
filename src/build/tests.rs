//! Building small projects with every installed clang.

use super::prefixes::Known;
use super::*;
use crate::compdb::CompileCommand;
use crate::model::Language;
use crate::tools::Surroundings;

struct Project {
    root: tempfile::TempDir,
    builder: Builder,
}

impl Project {
    fn new(tools: &Toolchain) -> Self {
        let root = tempfile::tempdir().unwrap();
        let cache = root.path().join("out/cache");
        let builder = Builder::new(tools, &cache, 2, Arc::default()).unwrap();
        Self { root, builder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.path(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    fn command(&self, name: &str, text: &str, args: &[&str]) -> CompileCommand {
        let file = self.write(name, text);
        let language = if name.ends_with(".c") { Language::C } else { Language::Cxx };
        let args = args.iter().map(|arg| arg.to_string()).collect();
        CompileCommand { directory: self.path(""), file, language, compiler: "clang".into(), args, std: None }
    }

    /// Links objects into a program with the project's own flags, runs it, and returns its output.
    fn output(&self, objects: &[PathBuf], archive: Option<&Path>) -> String {
        let out = self.path("program");
        let libraries = Libraries::default();
        let linked = self.builder.link_program(objects, archive, &libraries, Flavor::Plain, &[], &out).unwrap();
        assert_eq!(linked.unresolved, Vec::<String>::new());
        let done = Command::new(linked.path).output().unwrap();
        assert!(done.status.success());
        String::from_utf8(done.stdout).unwrap()
    }
}

/// Every usable clang of this machine.
fn toolchains() -> Vec<Toolchain> {
    let all = Toolchain::discover(&Surroundings::of_process());
    let usable = all.clangs.iter().filter(|clang| clang.lacks().is_none());
    let only = |clang: &Clang| {
        let mut one = all.clone();
        one.clangs = vec![clang.clone()];
        one
    };
    usable.map(only).collect()
}

fn symbols(object: &Path, options: &[&str]) -> String {
    String::from_utf8(Command::new("nm").args(options).arg(object).output().unwrap().stdout).unwrap()
}

#[test]
fn search_objects_are_instrumented_but_not_the_copies_and_an_image_is_not_at_all() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let text = "namespace n { int permut_(int x) { return x > 3 ? x : 2; } }\n\
                    int mut_f(int x) { return x > 3 ? x : 2; }\n\
                    struct mut_C { int f(int); }; int mut_C::f(int x) { return x > 7 ? x : 2; }\n";
        let command = project.command("a.cpp", text, &["-O3", "-Wall", "-Werror"]);
        let compare = "__sanitizer_cov_trace_const_cmp4";
        let count = |object: &Path| {
            let done = Command::new("objdump").args(["-dr", "--no-show-raw-insn"]).arg(object).output().unwrap();
            String::from_utf8_lossy(&done.stdout).matches(compare).count()
        };
        let object = project.builder.compile(&CompileJob::project(&command, Flavor::Search)).unwrap();
        assert_eq!(count(&object), 1, "only n::permut_ is instrumented");
        let object = project.builder.compile(&CompileJob::project(&command, Flavor::Mutant)).unwrap();
        assert_eq!(count(&object), 0);
    }
}

#[test]
fn an_overlay_shows_the_mutated_file_under_the_originals_name() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        project.write("src/part.h", "#define PART \"part\"\n");
        project.write("src/value.h", "static inline int value(void) { return 1; }\n");
        let text = "#include \"part.h\"\n#include \"../src/value.h\"\n#include <stdio.h>\n\
                    int main(void) { printf(\"%s %s %d\", __FILE__, PART, value() + 10); return 0; }\n";
        let command = project.command("src/a.c", text, &["-std=c99"]);
        let mutated = project.write("mutants/a.mut.c", &text.replace("+ 10", "- 10"));
        let header = project.write("mutants/value.mut.h", "static inline int value(void) { return 7; }\n");
        let source = command.file.display().to_string();
        let job = CompileJob::project(&command, Flavor::Plain);
        let run = |job: &CompileJob<'_>| project.output(&[project.builder.compile(job).unwrap()], None);
        assert_eq!(run(&job), format!("{source} part 11"));
        assert_eq!(run(&job.clone().replacing(&command.file, &mutated)), format!("{source} part -9"));
        let with_header = job.clone().replacing(project.path("src/value.h"), &header);
        assert_eq!(run(&with_header), format!("{source} part 17"));
        // The next mutant under the same name is another object.
        std::fs::write(&header, "static inline int value(void) { return 8; }\n").unwrap();
        assert_eq!(run(&with_header), format!("{source} part 18"));
        assert_eq!(run(&job), format!("{source} part 11"));
    }
}

#[test]
fn a_second_compilation_comes_from_the_cache_until_a_header_changes() {
    let tools = toolchains().remove(0);
    let project = Project::new(&tools);
    project.write("a.h", "#define N 1\n");
    let command = project.command("a.c", "#include \"a.h\"\nint n = N;\n", &[]);
    let job = CompileJob::project(&command, Flavor::Plain);
    let first = project.builder.compile(&job).unwrap();
    let spent = project.builder.cpu_seconds();
    assert!(spent > 0.0);
    assert_eq!(project.builder.compile(&job).unwrap(), first);
    assert_eq!(project.builder.cpu_seconds(), spent);
    project.write("a.h", "#define N 22\n");
    assert_ne!(project.builder.compile(&job).unwrap(), first);
    assert!(project.builder.cpu_seconds() > spent);
}

#[test]
fn options_of_gcc_that_clang_does_not_know_are_left_out() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let args = ["-fno-tree-sra", "-fexcess-precision=nonsense", "-mno-such-thing", "-DN=1", "-fipa-pta"];
        let command = project.command("a.c", "int n = N;\n", &args);
        project.builder.compile(&CompileJob::project(&command, Flavor::Search)).unwrap();
    }
}

#[test]
fn what_older_compilers_only_warn_about_is_accepted_whatever_the_clang() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let text = "int f(void) { return undeclared(1); }\nimplicit(void) { char *p = 7; return *p; }\n";
        let command = project.command("a.c", text, &["-std=gnu11"]);
        project.builder.compile(&CompileJob::project(&command, Flavor::Search)).unwrap();
        let text = "int g(int x) { register int y = x; char c[] = {x, 1}; return y + c[0]; }\n";
        let command = project.command("b.cpp", text, &["-std=c++17"]);
        project.builder.compile(&CompileJob::project(&command, Flavor::Search)).unwrap();
    }
}

#[test]
fn a_generated_driver_in_an_old_project_is_compiled_as_cpp14_with_warnings() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let mut command = project.command("a.cpp", "int x;\n", &["-std=c++98", "-Werror", "-w"]);
        command.std = Some("c++98".into());
        let good = project.write("driver.cpp", "auto f() { return 1; }\nint g() { return f(); }\n");
        project.builder.compile(&CompileJob::generated(good, &command, Flavor::Search)).unwrap();
        let bad = project.write("driver2.cpp", "static int unused;\n");
        let job = CompileJob::generated(bad, &command, Flavor::Search).with(["-Werror"]);
        let failure = project.builder.compile(&job).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused);
        assert!(failure.first_error.contains("unused"), "{failure}");
    }
}

#[test]
fn a_failing_file_costs_only_itself_and_main_stays_out() {
    let tools = toolchains().remove(0);
    let project = Project::new(&tools);
    let commands = [
        project.command("good.c", "int good(void) { return 40; }\n", &[]),
        project.command("broken.c", "int broken(void) { return }\n", &[]),
        project.command("main.c", "int main(void) { return 1; }\n", &[]),
        project.command(
            "domain.c",
            "static int main_(void) { return 1; }\nint domain(void) { return main_() + 1; }\n",
            &[],
        ),
    ];
    let told = AtomicU64::new(0);
    let count = |_: &Path| {
        told.fetch_add(1, Ordering::Relaxed);
    };
    let objects = project.builder.project_objects(
        &commands,
        &|command| project.builder.compile(&CompileJob::project(command, Flavor::Plain)),
        &count,
    );
    assert_eq!(told.into_inner(), 4);
    let names: Vec<_> = objects.objects.iter().map(|(file, _)| file.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["good.c", "domain.c"]);
    assert_eq!(objects.mains, [commands[2].file.clone()]);
    let failure = objects.failures.iter().find(|failure| failure.what == commands[1].file).unwrap();
    assert!(failure.first_error.contains("broken.c:1:") && failure.first_error.contains("error:"), "{failure}");
    let text = "#include <stdio.h>\nint good(void), domain(void);\n\
    int main(void) { printf(\"%d\", good() + domain()); return 0; }\n";
    let test = project.write("test.c", text);
    let test = project.builder.compile(&CompileJob::generated(test, &commands[0], Flavor::Plain)).unwrap();
    let archive = project.builder.archive(&objects, &commands[0].file, &[]).unwrap();
    assert_eq!(project.output(&[test], Some(&archive)), "42");
}

#[test]
fn a_unit_shows_only_its_interface_and_leaves_its_own_sources_object_out() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let commands = [
            project.command(
                "unit.cpp",
                "#include \"o.h\"\nstatic int local(int x) { return other(x); }\n\
            int unit(int x) { return local(x); }\n",
                &[],
            ),
            project.command("other.cpp", "#include \"o.h\"\nint other(int x) { return x > 1 ? used() : 2; }\n", &[]),
            project.command("used.cpp", "#include \"o.h\"\n#include <cstdlib>\nint used() { std::exit(3); }\n", &[]),
            project.command("unused.cpp", "#include \"o.h\"\nint unused() { return gone(); }\n", &[]),
        ];
        project.write("o.h", "int other(int); int used(); int gone();\n");
        let driver = "#include \"unit.cpp\"\nextern \"C\" { int motif_mutant; void motif_set_mutant(int m) \
        { motif_mutant = m; }\n\
                      int motif_the_unit(int x) { return local(x); } }\nvoid mut_f() {}\n";
        let driver = project.write("driver.cpp", driver);
        let builder = &project.builder;
        let objects = builder.project_objects(
            &commands,
            &|command| builder.compile(&CompileJob::project(command, Flavor::Search)),
            &|_| {},
        );
        assert_eq!(objects.failures, []);
        let archive = builder.archive(&objects, &commands[0].file, &[&commands[0].file]).unwrap();
        let driver = builder.compile(&CompileJob::generated(driver, &commands[0], Flavor::Search)).unwrap();
        let (out, libraries) = (project.path("unit.so"), Libraries::default());
        let link =
            |objects: &[PathBuf]| builder.link_unit(objects, Some(&archive), &libraries, Flavor::Search, &out).unwrap();
        assert_eq!(link(std::slice::from_ref(&driver)).unresolved, Vec::<String>::new());
        let defined = symbols(&out, &["-D", "--defined-only", "--format=just-symbols"]);
        let mut names: Vec<&str> = defined.lines().collect();
        names.sort_unstable();
        assert_eq!(names, ["motif_mutant", "motif_set_mutant", "motif_the_unit"]);
        assert!(symbols(&out, &["-D", "--undefined-only"]).contains("__wrap_exit"));
        // An undefined function only affects its callers: it is reported, and the rest links.
        let caller = project.write("caller.cpp", "int unused();\nint call() { return unused(); }\n");
        let caller = builder.compile(&CompileJob::generated(caller, &commands[0], Flavor::Search)).unwrap();
        assert_eq!(link(&[driver.clone(), caller]).unresolved, ["_Z4gonev"]);
        let text = "__attribute__((visibility(\"hidden\"))) int gone();\nint call() { return gone(); }\n";
        let caller = project.write("hidden.cpp", text);
        let caller = builder.compile(&CompileJob::generated(caller, &commands[0], Flavor::Search)).unwrap();
        assert_eq!(link(&[driver, caller]).unresolved, ["_Z4gonev"]);
    }
}

#[test]
fn a_link_error_is_told_by_its_first_line() {
    let tools = toolchains().remove(0);
    let project = Project::new(&tools);
    let command = project.command("a.c", "int twice;\nint main(void) { return twice; }\n", &[]);
    let object = project.builder.compile(&CompileJob::project(&command, Flavor::Plain)).unwrap();
    let again = project.path("again.o");
    std::fs::copy(&object, &again).unwrap();
    let out = project.path("program");
    let failure = project
        .builder
        .link_program(&[object, again], None, &Libraries::default(), Flavor::Plain, &[], &out)
        .unwrap_err();
    assert!(
        failure.first_error.contains("multiple definition") || failure.first_error.contains("duplicate symbol"),
        "{failure}"
    );
    assert!(!out.exists());
}

#[test]
fn what_drivers_begin_with_is_compiled_once_for_many_and_makes_no_other_objects() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let header =
            |what: u32| format!("#ifndef FIRST\n#define FIRST\ninline int first() {{ return {what}; }}\n#endif\n");
        let prefix = project.write("first.hpp", &header(1));
        let command = project.command("a.cpp", "int x;\n", &[]);
        let drivers: Vec<PathBuf> = (0..4)
            .map(|n| {
                let text = format!("#include \"first.hpp\"\nint f{n}() {{ return first(); }}\n");
                project.write(&format!("driver{n}.cpp"), &text)
            })
            .collect();
        let compile = |builder: &Builder, driver: &Path| {
            let job = CompileJob::generated(driver, &command, Flavor::Draft).beginning_with(&prefix);
            builder.compile(&job).unwrap()
        };
        let precompiled = || precompiled_in(&project.path("out/cache"));
        let first: Vec<PathBuf> = drivers[..2].iter().map(|driver| compile(&project.builder, driver)).collect();
        assert_eq!(precompiled(), 0, "not for two");
        let more: Vec<PathBuf> = drivers[2..].iter().map(|driver| compile(&project.builder, driver)).collect();
        assert_eq!(precompiled(), 1);
        let again = Builder::new(&tools, &project.path("out/cache"), 2, Arc::default()).unwrap();
        // In the other order, others would be the third and the fourth.
        let mut known: Vec<PathBuf> = drivers.iter().rev().map(|driver| compile(&again, driver)).collect();
        known.reverse();
        assert_eq!(known, [first, more].concat(), "whether it was precompiled is not what an object is known by");
        assert_eq!(again.cpu_seconds(), 0.0, "nothing was compiled");
        project.write("first.hpp", &header(2));
        assert_ne!(compile(&again, &drivers[3]), known[3], "what was precompiled was read as well");
    }
}

/// The headers that were precompiled below a folder.
fn precompiled_in(folder: &Path) -> usize {
    let objects = std::fs::read_dir(folder.join("objects")).unwrap().flatten();
    objects.filter(|file| std::fs::read(file.path()).unwrap().starts_with(b"CPCH")).count()
}

#[test]
fn what_mutants_of_a_source_have_in_common_is_compiled_once_and_they_behave_the_same() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        project.write("deep/near.h", "#define NEAR 5\n");
        let text = "#include \"near.h\"\n#define HERE __LINE__\nint f() { return NEAR * 100 + HERE; }\n";
        let command = project.command("deep/a.cpp", text, &[]);
        let main =
            project.command("main.cpp", "#include <stdio.h>\nint f();\nint main() { printf(\"%d\", f()); }\n", &[]);
        let main = project.builder.compile(&CompileJob::project(&main, Flavor::Plain)).unwrap();
        let mut said = Vec::new();
        for times in [10, 20, 30, 40, 50] {
            // The last one differs where the others are the same.
            let text = match times {
                50 => text.replace("__LINE__", "7"),
                _ => text.replace("100", &times.to_string()),
            };
            let mutated = project.write(&format!("mutant{times}.cpp"), &text);
            let job = CompileJob::project(&command, Flavor::Plain).replacing(project.path("deep/a.cpp"), mutated);
            let object = project.builder.compile(&job).unwrap();
            said.push(project.output(&[main.clone(), object], None));
            assert_eq!(precompiled_in(&project.path("out/cache")), usize::from(times >= 30), "worth it for three");
        }
        assert_eq!(said, ["53", "103", "153", "203", "507"]);
    }
}

#[test]
fn a_header_that_can_not_be_read_twice_is_not_precompiled_for_long() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        project.write("once.hpp", "struct Once {};\n");
        let [framework, once] = ["", "#include \"once.hpp\"\n"].map(|text| project.builder.header(text).unwrap());
        let command = project.command("a.cpp", "int x;\n", &[]);
        for number in 0..5 {
            let test = project.write(&format!("test{number}.cpp"), &format!("#include \"once.hpp\"\nint t{number};\n"));
            let job = CompileJob::generated(test, &command, Flavor::Plain)
                .with(["-iquote".to_owned(), project.path("").display().to_string()])
                .beginning_with(&framework)
                .beginning_with(&once);
            project.builder.compile(&job).unwrap();
        }
        let known = project.builder.prefixes.known().into_iter().filter(|known| matches!(known, Known::Never));
        assert_eq!(known.count(), 1);
        assert_eq!(precompiled_in(&project.path("out/cache")), 1, "the framework's");
    }
}

#[test]
fn headers_in_the_users_store_are_precompiled_for_all_projects_but_one_whose_own_headers_change_them() {
    for tools in toolchains() {
        let users = tempfile::tempdir().unwrap();
        let precompiled = || precompiled_in(&users.path().join("compiled"));
        // Its own header of that name is a thing of the project's own, and so is what the other defines.
        let built = |options: &[&str], says: &str| {
            let mut project = Project::new(&tools);
            let cache = project.path("out/cache");
            project.builder = Builder::new(&tools, &cache, 2, Arc::default())
                .unwrap()
                .sharing(store::Store::open(users.path()).ok().map(Arc::new));
            let store = project.builder.store().unwrap();
            let first = "#ifndef FIRST\n#define FIRST\n#include <string.h>\n#endif\n";
            let header = store.files(&[("first.hpp", first)]).unwrap().join("first.hpp");
            let command = project.command("a.cpp", "int x;\n", options);
            project.write("mine/string.h", "#include_next <string.h>\n#define MINE 1\n");
            let text = format!("{first}#if {says}\nint y;\n#else\n#error other\n#endif\n");
            let driver = project.write("driver.cpp", &text);
            let job = CompileJob::generated(driver, &command, Flavor::Draft).beginning_with(&header);
            project.builder.compile(&job).unwrap();
        };
        built(&["-I", "."], "!MINE");
        assert_eq!(precompiled(), 1);
        built(&["-Imine"], "MINE");
        built(&["-isystem", "mine"], "MINE");
        built(&["-Inone"], "!MINE");
        assert_eq!(precompiled(), 1, "folders do not count where nothing that is included lies in them");
        built(&["-DMORE=1"], "MORE && !MINE");
        assert_eq!(precompiled(), 2, "other options make another header");
    }
}

#[test]
fn objects_of_the_project_serve_every_output_folder_and_a_store_that_is_full_harms_nobody() {
    let tools = toolchains().remove(0);
    let users = tempfile::tempdir().unwrap();
    let mut project = Project::new(&tools);
    let command = project.command("a.c", "int n;\n", &[]);
    let mut built_in = |output: &str, store: store::Store| {
        let cache = project.path(output);
        project.builder = Builder::new(&tools, &cache, 2, Arc::default()).unwrap().sharing(Some(Arc::new(store)));
        let built = project.builder.project_objects(
            std::slice::from_ref(&command),
            &|command| project.builder.compile(&CompileJob::project(command, Flavor::Draft)),
            &|_| {},
        );
        assert!(built.object_of(&command.file).unwrap().starts_with(&cache), "{built:?}");
        built.cpu_seconds
    };
    let open = || store::Store::open(users.path()).unwrap();
    assert!(built_in("one", open()) > 0.0);
    assert_eq!(built_in("two", open()), 0.0);
    open().bound(0);
    assert_eq!(built_in("two", open()), 0.0, "it has what it took");
    assert!(built_in("three", open()) > 0.0);
    // Nothing more can be written.
    let full = open();
    open().bound(0);
    std::fs::remove_dir_all(users.path().join("compiled")).unwrap();
    assert!(built_in("four", full) > 0.0);
}

#[test]
fn an_interruption_ends_a_build_and_is_told_apart() {
    let tools = toolchains().remove(0);
    let root = tempfile::tempdir().unwrap();
    let flag = Arc::new(AtomicBool::new(true));
    let builder = Builder::new(&tools, root.path(), 1, flag).unwrap();
    let project = Project { root, builder };
    let command = project.command("a.c", "int n;\n", &[]);
    let objects = project.builder.project_objects(
        &[command],
        &|command| project.builder.compile(&CompileJob::project(command, Flavor::Plain)),
        &|_| {},
    );
    assert_eq!(objects.failures[0].kind, FailureKind::Interrupted);
}

#[test]
fn the_endless_loop_of_a_mutant_stays_in_its_code() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let text = "#include <csignal>\n#include <cstdio>\n#include <unistd.h>\n\
                    static void alarmed(int) { _exit(write(1, \"hangs\", 5) == 5 ? 0 : 1); }\n\
                    __attribute__((noinline)) static int f(int n) { for (int i = 0; i < n; i -= 0) {} return 7; }\n\
                    int main(int argc, char **) { signal(SIGALRM, alarmed); ualarm(50000, 0); std::printf(\"%d\", \
                    f(argc)); }\n";
        let command = project.command("a.cpp", text, &[]);
        for flavor in [Flavor::Search, Flavor::Mutant, Flavor::Draft, Flavor::DraftMutant] {
            let object = project.builder.compile(&CompileJob::project(&command, flavor)).unwrap();
            let undefined = symbols(&object, &["-u"]);
            // The coverage hooks belong to the worker; here they do nothing.
            let hooks: String = undefined
                .split_whitespace()
                .filter(|name| name.starts_with("__sanitizer_"))
                .map(|name| format!("void {name}(void) {{}}\n"))
                .collect();
            let hooks = format!("__thread unsigned long __sancov_lowest_stack;\n{hooks}");
            let hooks = project.command("hooks.c", &hooks, &["-Wno-everything"]);
            let hooks = project.builder.compile(&CompileJob::project(&hooks, Flavor::Plain)).unwrap();
            assert_eq!(project.output(&[object, hooks], None), "hangs", "{flavor:?}");
        }
    }
}

#[test]
fn what_an_optimiser_would_sit_over_for_ever_is_built_for_afl_without_it() {
    let tools = toolchains().remove(0);
    if tools.afl.as_ref().is_none_or(|afl| afl.clang.is_none()) {
        println!("skipped: AFL++ is not installed");
        return;
    }
    let mut project = Project::new(&tools);
    let text = "static int twice(int x) { return x == 0x1234567 ? 0 : 2 * x; }\nint f(int x) { return twice(x); }\n";
    let command = project.command("a.c", text, &[]);
    // Optimised, the static function is inlined and gone.
    let is_optimised = |builder: &Builder, flavor: AflFlavor| {
        let object = builder.compile(&CompileJob::project(&command, Flavor::Afl(flavor))).unwrap();
        !symbols(&object, &["--defined-only"]).contains(" twice")
    };
    assert!(is_optimised(&project.builder, AflFlavor::BEST));
    project.builder = project.builder.optimising_at_most(Duration::from_millis(1));
    let other = AflFlavor { sanitizer: Sanitizer::None, ..AflFlavor::BEST };
    assert!(!is_optimised(&project.builder, other));
}

#[test]
fn programs_that_stand_by_do_as_those_that_are_started() {
    for tools in toolchains() {
        let project = Project::new(&tools);
        let clang = project.builder.clang().clangxx.clone();
        let call = |words: &[&str], limit: Duration| {
            let mut command = Command::new(&clang);
            command.args(words).current_dir(project.path(""));
            project.builder.run(Path::new("it"), &mut command, limit)
        };
        project.write("a b/good.cpp", "int main() { return 0; }\n");
        project.write("bad.cpp", "int main() { return x; }\n");
        let whole = Duration::from_secs(60);
        let good = ["-c", "a b/good.cpp", "-o", "good.o"];
        for _ in 0..5 {
            let _ = std::fs::remove_file(project.path("good.o"));
            let before = project.builder.thread_cpu_seconds();
            assert!(before >= 0.0);
            let done = call(&good, whole).unwrap();
            assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""));
            assert!(project.path("good.o").is_file());
            assert!(done.cpu_seconds > 0.0 && project.builder.thread_cpu_seconds() >= done.cpu_seconds * 0.99);
            let failed = call(&["-c", "bad.cpp", "-o", "bad.o"], whole).unwrap_err();
            assert_eq!(failed.kind, FailureKind::Refused);
            assert!(failed.first_error.contains("bad.cpp:1:21: error: use of undeclared identifier 'x'"), "{failed}");
            assert_eq!(failed.stderr.lines().count(), 4, "{}", failed.stderr);
        }
        assert!(project.builder.warm.is_standing_by(&clang));
        // A file that never ends.
        let fifo = project.path("never.cpp");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let failed = call(&["-c", "never.cpp", "-o", "never.o"], Duration::from_millis(200)).unwrap_err();
        assert_eq!(failed.kind, FailureKind::TimedOut);
        project.builder.interrupted.store(true, Ordering::Relaxed);
        let failed = call(&["-c", "never.cpp", "-o", "never.o"], whole).unwrap_err();
        assert_eq!(failed.kind, FailureKind::Interrupted);
        project.builder.interrupted.store(false, Ordering::Relaxed);
        assert!(call(&good, whole).is_ok() && project.builder.warm.is_standing_by(&clang));
    }
}

#[test]
fn a_compiler_that_can_not_stand_by_is_started_each_time() {
    let Some(mut tools) = toolchains().pop() else { return };
    let scripts = tempfile::tempdir().unwrap();
    // A wrapper script, as many projects have.
    let script = scripts.path().join("clang++");
    let text = format!("#!/bin/sh\nexec '{}' \"$@\"\n", tools.clangs[0].clangxx.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    tools.clangs[0].clangxx.clone_from(&script);
    let project = Project::new(&tools);
    for number in 0..4 {
        let name = format!("{number}.cpp");
        let command = project.command(&name, "int f() { return 1; }\n", &[]);
        project.builder.compile(&CompileJob::project(&command, Flavor::Plain)).unwrap();
    }
    assert!(!project.builder.warm.is_standing_by(&script));
}

#[test]
fn where_that_is_switched_off_nothing_stands_by() {
    let Some(tools) = toolchains().pop() else { return };
    let mut project = Project::new(&tools);
    let cache = project.path("out/anew");
    project.builder = Builder::new(&tools, &cache, 1, Arc::default()).unwrap().starting_each_anew();
    for number in 0..4 {
        let command = project.command(&format!("{number}.cpp"), "int f() { return 1; }\n", &[]);
        project.builder.compile(&CompileJob::project(&command, Flavor::Plain)).unwrap();
    }
    assert!(project.builder.warm.processes().is_empty());
}

#[test]
fn a_program_that_stands_by_ends_with_its_builder() {
    let Some(tools) = toolchains().pop() else { return };
    let project = Project::new(&tools);
    for number in 0..4 {
        let command = project.command(&format!("{number}.cpp"), "int f() { return 1; }\n", &[]);
        project.builder.compile(&CompileJob::project(&command, Flavor::Plain)).unwrap();
    }
    let servers = project.builder.warm.processes();
    assert_eq!(servers.len(), 1);
    assert!(outstanding_seconds() > 0.0);
    drop(project);
    assert!(servers.iter().all(|process| !Path::new(&format!("/proc/{process}")).exists()));
}
