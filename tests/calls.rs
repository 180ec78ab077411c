//! Calls that take more than a list of arguments: `...`, `va_list`, exceptions that have no name outside their
//! function. Each on a project of a few lines, through the real command, to a test that is proved.

use crate::support::{Project, all_die};

#[test]
fn what_is_read_by_a_format_is_called_with_values_that_the_format_says() {
    let text = "#include <cstdarg>\n\
                #include <cstdio>\n\
                #include <stdexcept>\n\
                #include <string>\n\
                class Printer {\n\
                \x20 int calls_ = 0;\n\
                \n\
                \x20public:\n\
                \x20 int print(const char *format, va_list args) {\n\
                \x20   char to[512];\n\
                \x20   calls_ += 2;\n\
                \x20   return vsnprintf(to, sizeof to, format, args) + 1;\n\
                \x20 }\n\
                \x20 int log(const char *fmt, ...) {\n\
                \x20   va_list args;\n\
                \x20   va_start(args, fmt);\n\
                \x20   const int n = print(fmt, args) * 2;\n\
                \x20   va_end(args);\n\
                \x20   return n + calls_;\n\
                \x20 }\n\
                };\n\
                int measured(int least, const char *format, va_list args) {\n\
                \x20 char to[512];\n\
                \x20 const int n = vsnprintf(to, sizeof to, format, args);\n\
                \x20 return n < least ? least : n + 3;\n\
                }\n\
                std::string say(int level, const char *msg, ...) {\n\
                \x20 char to[512];\n\
                \x20 va_list args;\n\
                \x20 va_start(args, msg);\n\
                \x20 vsnprintf(to, sizeof to, msg, args);\n\
                \x20 va_end(args);\n\
                \x20 return level > 3 ? std::string(to) + \"!\" : to;\n\
                }\n\
                template <class... Args> int width(const char *format, Args... args) {\n\
                \x20 char to[512];\n\
                \x20 return snprintf(to, sizeof to, format, args...) + 4;\n\
                }\n\
                int use() { return width(\"%d %s\", 1, \"a\"); }\n";
    let project = Project::of(&[("print.cpp", text)]);
    let mutants = [
        ("print.mut.11.1_1_1.ICR.print.cpp", "calls_ += 2", "calls_ += 3"),
        ("print.mut.17.1_1_1.AOR.log.cpp", "args) * 2", "args) + 2"),
        ("print.mut.25.1_1_1.ICR.measured.cpp", "n + 3", "n + 4"),
        ("print.mut.33.1_1_1.LVR.say.cpp", "\"!\"", "\"?\""),
        ("print.mut.37.1_1_1.ICR.width.cpp", "args...) + 4", "args...) + 5"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[2].0);
    assert!(test.contains("va_start(va_arguments, va_count);"), "{test}");
}

#[test]
fn a_c_function_that_takes_a_va_list_is_called_through_one_that_has_more_arguments() {
    let text = "#include <stdarg.h>\n\
                #include <stdio.h>\n\
                int measure(int width, const char *fmt, va_list args) {\n\
                \x20 char to[512];\n\
                \x20 int n = vsnprintf(to, sizeof to, fmt, args);\n\
                \x20 return n < width ? width : n + 1;\n\
                }\n\
                int report(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));\n\
                int report(int level, const char *fmt, ...) {\n\
                \x20 char to[512];\n\
                \x20 int n;\n\
                \x20 va_list args;\n\
                \x20 va_start(args, fmt);\n\
                \x20 n = vsnprintf(to, sizeof to, fmt, args);\n\
                \x20 va_end(args);\n\
                \x20 return level > 2 ? n * 2 : n;\n\
                }\n";
    let project = Project::of(&[("report.c", text)]);
    let mutants = [
        ("report.mut.6.1_1_1.ICR.measure.c", "n + 1", "n + 2"),
        ("report.mut.16.1_1_1.AOR.report.c", "n * 2", "n + 2"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(test.contains("call_with_list(measure, "), "{test}");
}

#[test]
fn an_exception_that_only_its_function_or_file_can_name_is_caught_as_its_base_or_as_anything() {
    let text = "#include <stdexcept>\n\
                #include <string>\n\
                int checked(int n) {\n\
                \x20 class Bad : public std::runtime_error {\n\
                \x20  public:\n\
                \x20   explicit Bad(int by) : std::runtime_error(\"bad \" + std::to_string(by)) {}\n\
                \x20 };\n\
                \x20 if (n > 2) throw Bad(n + 3);\n\
                \x20 return n;\n\
                }\n\
                namespace {\n\
                struct Stop {\n\
                \x20 int at;\n\
                };\n\
                }  // namespace\n\
                int stopped(int n) {\n\
                \x20 if (n > 100) throw Stop{n};\n\
                \x20 return n * 2;\n\
                }\n";
    let project = Project::of(&[("local.cpp", text)]);
    let mutants = [
        ("local.mut.8.1_1_1.AOR.checked.cpp", "n + 3", "n - 3"),
        ("local.mut.17.1_1_1.ROR.stopped.cpp", "n > 100", "n < -2000000000"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(test.contains("catch (const std::exception &error)"), "{test}");
}
