//! Calls that take more than a list of arguments: `...`, `va_list`, exceptions that have no name outside their function. Each on a
//! project of a few lines, through the real command, to a test that is proved.

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

const VALUES_VA_C: &str = r#"#include <stdarg.h>
#include <stddef.h>
#include <string.h>
int sum(int count, ...) {
  va_list args;
  int total = 0;
  va_start(args, count);
  for (int i = 0; i < count; ++i) total += va_arg(args, int);
  va_end(args);
  return total;
}
size_t log_all(const char *first, ...) {
  va_list args;
  size_t length = 1;
  va_start(args, first);
  for (const char *text = first; text; text = va_arg(args, const char *)) length += strlen(text);
  va_end(args);
  return length;
}
double average(unsigned num, ...) {
  va_list args;
  double total = 0;
  va_start(args, num);
  for (unsigned i = 0; i < num; ++i) total += va_arg(args, double);
  va_end(args);
  return num ? total / num : 8;
}
int tagged(int id, ...) {
  va_list args;
  int seen = 0;
  va_start(args, id);
  seen = id | 16;
  va_end(args);
  return seen;
}
long most(int k, int n, ...) {
  va_list args;
  long best = k;
  va_start(args, n);
  while (n-- > 0) { long v = va_arg(args, long); if (v > best) best = v; }
  va_end(args);
  return best;
}
"#;
const VALUES_VA: &str = r#"#include <cstdarg>
#include <string>
std::string joined(int n, ...) {
  va_list args;
  va_start(args, n);
  std::string all;
  for (int i = 0; i < n; ++i) { all += va_arg(args, const char *); all += ','; }
  va_end(args);
  return all;
}
std::string path(const char *first, const char *second, ...) {
  va_list args;
  va_start(args, second);
  std::string all = first;
  for (const char *part = second; part; part = va_arg(args, char *)) { all += '/'; all += part; }
  va_end(args);
  return all;
}
class Adder {
 public:
  explicit Adder(int start) : start_(start) {}
  int add(int count, ...) {
    va_list args;
    va_start(args, count);
    for (int i = 0; i < count; ++i) start_ += va_arg(args, int);
    va_end(args);
    return start_;
  }
 private:
  int start_;
};
int use(Adder &a) { return a.add(2, 1, 2); }
int plain(double d, ...) { return d > 2 ? 32 : 64; }
"#;

#[test]
fn what_is_read_without_a_format_is_counted_by_a_parameter_or_ended_by_null_or_zero() {
    let project = Project::of(&[("va.c", VALUES_VA_C), ("va.cpp", VALUES_VA)]);
    let mutants = [
        ("va.mut.8.1_1_1.ICR.sum.c", "total += va_arg(args, int)", "total -= va_arg(args, int)"),
        ("va.mut.14.1_1_1.ICR.log_all.c", "length = 1", "length = 2"),
        ("va.mut.16.1_1_1.ICR.log_all.c", "length += strlen", "length -= strlen"),
        ("va.mut.24.1_1_1.ICR.average.c", "total += va_arg(args, double)", "total -= va_arg(args, double)"),
        ("va.mut.32.1_1_1.ICR.tagged.c", "id | 16", "id | 17"),
        ("va.mut.40.1_1_1.ICR.most.c", "v > best", "v < best"),
        ("va.mut.7.1_1_1.ICR.joined.cpp", "','", "';'"),
        ("va.mut.15.1_1_1.ICR.path.cpp", "'/'", "'_'"),
        ("va.mut.25.1_1_1.ICR.add.cpp", "start_ += va_arg", "start_ -= va_arg"),
        ("va.mut.33.1_1_1.ICR.plain.cpp", ": 64", ": 65"),
    ];
    all_die(&project, "1s", &mutants);
}
