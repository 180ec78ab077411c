//! Classes of installed libraries: objects of them are made for what takes them, and compared by what everybody may see
//! of them.

use crate::support::{Project, all_die};

/// The library as a whole; its parts are not to be included alone.
const ALL_H: &str = "#pragma once\n#define LIB_ALL\n#include <lib/part.h>\n";
const PART_H: &str = "#pragma once\n#ifndef LIB_ALL\n#error \"include <lib/all.h>\"\n#endif\n#include <ostream>\n#include <stdexcept>\n#include <string>\nnamespace lib {\n\
    enum class Mode { slow, fast };\n\
    class Token {\n public:\n  Token(int number, Mode mode) : number_(number), mode_(mode) {}\n  int number() const { return number_; }\n  Mode mode() const { return mode_; }\n  \
    int broken() const { throw std::runtime_error(\"no\"); }\n  void number(int n) { number_ = n; }\n  void note(int n) { noted_ = n; }\n  int noted(int k) const { return noted_ ^ k; }\n\n \
    private:\n  int number_;\n  Mode mode_;\n  int noted_ = 0;\n};\n\
    class Text {\n public:\n  static Text of(const std::string &text) { return Text(text); }\n  friend std::ostream &operator<<(std::ostream &out, const Text &it) { return out << '<' << it.text_ << '>'; }\n  \
    Text with(const std::string &more) const { return Text(text_ + more); }\n\n private:\n  explicit Text(const std::string &text) : text_(text) {}\n  std::string text_;\n};\n\
    template <class T, int R, int C> class Matrix {\n public:\n  Matrix() : all_() {}\n  int rows() const { return R; }\n  int cols() const { return C; }\n  void resize(int, int) {}\n  \
    T &operator()(int r, int c) { return all_[r][c]; }\n  const T &operator()(int r, int c) const { return all_[r][c]; }\n\n private:\n  T all_[R][C];\n};\n\
    class Rows {\n public:\n  typedef double Scalar;\n  Rows() : rows_(0), cols_(0), all_(nullptr) {}\n  Rows(const Rows &o) : Rows() {\n    resize(o.rows_, o.cols_);\n    for (int i = 0; i < rows_ * cols_; ++i) all_[i] = o.all_[i];\n  }\n  \
    Rows &operator=(const Rows &) = delete;\n  ~Rows() { delete[] all_; }\n  int rows() const { return rows_; }\n  int cols() const { return cols_; }\n  void resize(int r, int c) {\n    delete[] all_;\n    rows_ = r;\n    cols_ = c;\n    all_ = new double[r * c]();\n  }\n  \
    double &operator()(int r, int c) { return all_[r * cols_ + c]; }\n  double operator()(int r, int c) const { return all_[r * cols_ + c]; }\n\n private:\n  int rows_, cols_;\n  double *all_;\n};\n\
    template <class T> class Ratio {\n public:\n  typedef T value_type;\n  Ratio(const T &up, const T &down) : up_(up), down_(down) {}\n  T up() const { return up_; }\n  T down() const { return down_; }\n\n private:\n  T up_, down_;\n};\n\
    template <class T> class Bag {\n public:\n  Bag() : size_(0) {}\n  void put(T it) { if (size_ < 8) all_[size_++] = it; }\n  const T *begin() const { return all_; }\n  const T *end() const { return all_ + size_; }\n\n private:\n  T all_[8];\n  int size_;\n};\n}\n";

const USE_H: &str = "#pragma once\n#include <lib/all.h>\n#include <string>\nint weigh(const lib::Token &token);\nlib::Token next(const lib::Token &token);\nvoid raise(lib::Token &token, int by);\n\
    void note(lib::Token &token, int n);\nlib::Text quoted(const lib::Text &text, int n);\ndouble trace(const lib::Matrix<double, 3, 3> &m);\nlib::Matrix<int, 2, 1> column(int n);\n\
    double corner(const lib::Rows &rows);\nvoid clear(lib::Rows &rows);\nlib::Ratio<int> turned(const lib::Ratio<int> &ratio);\nlib::Bag<int> bagged(int n);\n";
const USE: &str = "#include \"use.h\"\nint weigh(const lib::Token &token) { return token.number() + (token.mode() == lib::Mode::fast ? 7 : 3); }\n\
    lib::Token next(const lib::Token &token) { return lib::Token(token.number() ^ 5, token.mode()); }\n\
    void raise(lib::Token &token, int by) { token.number(token.number() ^ (by | 1)); }\n\
    void note(lib::Token &token, int n) { token.note(n | 1); }\n\
    lib::Text quoted(const lib::Text &text, int n) { return text.with(n > 4 ? \"a\" : \"b\"); }\n\
    double trace(const lib::Matrix<double, 3, 3> &m) { return m(0, 0) + m(1, 1) * 2 + m(2, 2); }\n\
    lib::Matrix<int, 2, 1> column(int n) {\n  lib::Matrix<int, 2, 1> made;\n  made(1, 0) = n | 8;\n  return made;\n}\n\
    double corner(const lib::Rows &rows) { return rows.rows() > 1 ? rows(1, rows.cols() - 1) : 9; }\n\
    void clear(lib::Rows &rows) {\n  for (int r = 1; r < rows.rows(); ++r) rows(r, 0) = 5;\n}\n\
    lib::Ratio<int> turned(const lib::Ratio<int> &ratio) { return lib::Ratio<int>(ratio.down() ^ 3, ratio.up()); }\n\
    lib::Bag<int> bagged(int n) {\n  lib::Bag<int> bag;\n  bag.put(n ^ 2);\n  return bag;\n}\n";

/// A project whose library is found as one that is installed.
fn project() -> Project {
    let project =
        Project::of(&[("usr/lib/all.h", ALL_H), ("usr/lib/part.h", PART_H), ("use.h", USE_H), ("use.cpp", USE)]);
    let database = "build/compile_commands.json";
    project.write(database, &project.read(database).replace("\"-c\"", "\"-isystem\",\"usr\",\"-c\""));
    project
}

#[test]
fn objects_of_installed_classes_are_made_changed_and_compared_by_what_they_show() {
    let project = project();
    let mutants = [
        ("use.mut.2.1_1_1.ICR.weigh.cpp", "? 7", "? 8"),
        ("use.mut.3.1_1_1.ICR.next.cpp", "^ 5", "^ 4"),
        ("use.mut.4.1_1_1.ICR.raise.cpp", "by | 1", "by | 3"),
        ("use.mut.6.1_1_1.ROR.quoted.cpp", "n > 4", "n < 4"),
        ("use.mut.7.1_1_1.ICR.trace.cpp", "* 2", "* 3"),
        ("use.mut.10.1_1_1.ICR.column.cpp", "n | 8", "n | 9"),
        ("use.mut.13.1_1_1.ICR.corner.cpp", "() - 1) : 9", "() - 1) : 8"),
        ("use.mut.15.1_1_1.ICR.clear.cpp", "int r = 1", "int r = 0"),
        ("use.mut.17.1_1_1.ICR.turned.cpp", "^ 3", "^ 2"),
        ("use.mut.20.1_1_1.ICR.bagged.cpp", "n ^ 2", "n ^ 3"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let checks = [
        ("3.1_1_1.ICR.next", "EXPECT_EQ(result.number(), "),
        ("4.1_1_1.ICR.raise", "EXPECT_EQ(token.number(), "),
        ("6.1_1_1.ROR.quoted", "EXPECT_EQ(printed(result), \"<"),
        ("7.1_1_1.ICR.trace", "  m(1, 1) = "),
        ("10.1_1_1.ICR.column", "EXPECT_EQ(result(1, 0), "),
        ("15.1_1_1.ICR.clear", "  rows.resize("),
        ("17.1_1_1.ICR.turned", "EXPECT_EQ(result.up(), "),
        ("20.1_1_1.ICR.bagged", "EXPECT_EQ(*std::next(result.begin(), 0), "),
    ];
    for (mutant, check) in checks {
        let test = &outcome.mutants()[format!("use.mut.{mutant}.cpp").as_str()]["kill"]["test"];
        let text = project.read(format!("motif.out/{}", test.as_str().unwrap().split_once('#').unwrap().0));
        assert!(text.contains(check), "{check} is not in\n{text}");
        assert!(!text.contains("part.h"), "{text}");
    }
}

#[test]
fn what_an_installed_object_keeps_to_itself_kills_nobody() {
    let project = project();
    let mutant = "use.mut.5.1_1_1.ICR.note.cpp";
    project.write(&format!("mutants/{mutant}"), &USE.replace("n | 1)", "n | 3)"));
    project.fuzz(&["--budget", "500ms"]);
    assert_eq!(project.outcome().status(mutant), "live");
}

#[test]
fn sources_that_are_installed_have_no_units() {
    let folder = tempfile::tempdir_in("/opt").or_else(|_| tempfile::tempdir_in("/usr/src"));
    // (Only who may install can tell.)
    let Ok(folder) = folder else { return };
    let source = folder.path().join("theirs.cpp");
    std::fs::write(&source, "int theirs(int n) { return n + 1; }\n").unwrap();
    let project = Project::of(&[("own.cpp", "int own(int n) { return n + 2; }\n")]);
    project.database(&["own.cpp", source.to_str().unwrap()]);
    let run = project.run(["analyze", "-p", "build"]);
    assert!(run.stdout.contains("own(int)") && !run.stdout.contains("theirs"), "{}", run.stdout);
}
