//! Structures and unions without a name: they are filled and compared member by member, and tests say which.

use crate::support::{Project, all_die};

const BOX: &str = "struct box {\n  union {\n    float real;\n    int number;\n  };\n  struct {\n    int x, y;\n  };\n  \
    struct {\n    int id;\n    char *name;\n  } slots[2];\n  struct {\n    int low, high;\n  } now, before;\n};\n\
    void move(struct box *b, int x, int y) {\n  b->x = x * 2;\n  b->y = y;\n  b->slots[x & 1].id = y + 1;\n  b->number = x;\n  b->before = b->now;\n  b->now.high = y;\n}\n\
    int where(const struct box *b) {\n  return (b->x < -7 ? b->y : 0) + b->slots[1].id + (b->number & 3);\n}\n";

#[test]
fn in_c_their_members_are_those_of_what_has_them() {
    let project = Project::of(&[("box.c", BOX)]);
    let mutants = [
        ("box.mut.18.1_1_1.AOR.move.c", "x * 2", "x * 3"),
        ("box.mut.20.1_1_1.AOR.move.c", "y + 1", "y - 1"),
        ("box.mut.21.1_1_1.UOI.move.c", "number = x", "number = ~x"),
        ("box.mut.22.1_1_1.SDL.move.c", "b->before = b->now;", ";"),
        ("box.mut.23.1_1_1.UOI.move.c", "now.high = y", "now.high = -y"),
        ("box.mut.26.1_1_1.ICR.where.c", "x < -7", "x < -8"),
        ("box.mut.26.2_1_1.ICR.where.c", "number & 3", "number & 2"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[1].0);
    assert!(test.contains(".slots[") && test.contains("].id == "), "{test}");
}

const WINDOW_H: &str = "#pragma once\ntemplate <class T> class Pane {\n public:\n  void put(T at) { place.at = at; }\n  T twice() const { return place.at * 2; }\n\n \
    private:\n  struct {\n    T at;\n    int times = 0;\n  } place = {};\n};\n\
    class Window {\n public:\n  explicit Window(int w) { size.width = w; }\n  void resize(int w, int h);\n  void assign(int at, int id);\n  \
    int area() const;\n  void show(int at);\n\n private:\n  struct {\n    int width = 0, height = 0;\n  } size, shown;\n  \
    struct {\n    int id = 0;\n    bool used = false;\n  } slots[2];\n  union {\n    int number = 0;\n    float real;\n  };\n  struct {\n    int x = 0, y = 0;\n  };\n  \
    Pane<long> pane;\n};\n";
const WINDOW: &str = "#include \"window.h\"\nvoid Window::resize(int w, int h) {\n  size.width = w;\n  size.height = h + 1;\n  x = w;\n  shown.width = h;\n}\n\
    void Window::assign(int at, int id) {\n  slots[at & 1].id = id * 3;\n  number = id;\n}\n\
    int Window::area() const { return size.width * size.height; }\nvoid Window::show(int at) { pane.put(at + 1); }\n";

#[test]
fn in_cpp_they_are_told_apart_by_what_has_them() {
    let project = Project::of(&[("window.h", WINDOW_H), ("window.cpp", WINDOW)]);
    let mutants = [
        ("window.mut.4.1_1_1.AOR.resize.cpp", "h + 1", "h - 1"),
        ("window.mut.5.1_1_1.UOI.resize.cpp", "x = w;\n  shown", "x = ~w;\n  shown"),
        ("window.mut.6.1_1_1.UOI.resize.cpp", "shown.width = h", "shown.width = -h"),
        ("window.mut.9.1_1_1.AOR.assign.cpp", "id * 3", "id * 2"),
        ("window.mut.10.1_1_1.UOI.assign.cpp", "number = id", "number = ~id"),
        ("window.mut.12.1_1_1.AOR.area.cpp", "size.width * size.height", "size.width + size.height"),
        ("window.mut.13.1_1_1.AOR.show.cpp", "at + 1", "at - 1"),
    ];
    all_die(&project, "1s", &mutants);
}
