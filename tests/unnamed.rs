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
