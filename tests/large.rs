//! Structures of many thousand bytes, of which a unit names a few.

use crate::support::{Project, all_die};

const RECEIVER: &str = "#include <string.h>\n\
    struct common { int kind; int flags; };\n\
    struct receiver {\n  struct common base;\n  double history[20000];\n  unsigned char *buffer;\n  unsigned length;\n  int mode;\n  \
    double other[20000];\n  int steps;\n};\n\
    static int is_open(const struct receiver *r) { return r->mode == 3; }\n\
    int step(struct receiver *r, const double *gain, int n) {\n  if (!is_open(r)) return -1;\n  if (n > 2 && gain[2] > 1) r->steps += n;\n  \
    return r->steps > 100 ? 1 : 0;\n}\n\
    void mark(struct receiver *r, int by) { r->buffer[0] = (unsigned char)by; }\n\
    int of_kind(struct receiver *r) {\n  struct common *base = (struct common *)r;\n  if (base->kind == 3) return 5;\n  base->flags = 1;\n  return 2;\n}\n\
    void copy(struct receiver *to, const struct receiver *from) { *to = *from; }\n";

#[test]
fn only_what_the_unit_names_is_made_and_mutants_behind_it_die() {
    let project = Project::of(&[("receiver.c", RECEIVER)]);
    let named = "receiver.mut.15.1_1_1.AOR.step.c";
    let outcome = all_die(
        &project,
        "2s",
        &[
            (named, "r->steps += n", "r->steps -= n"),
            ("receiver.mut.12.1_1_1.ICR.is_open.c", "r->mode == 3", "r->mode == 4"),
            // A pointer that is named says little without its length.
            ("receiver.mut.18.1_1_1.AOR.mark.c", "(unsigned char)by", "(unsigned char)(by + 1)"),
            // What is taken for what it begins with.
            ("receiver.mut.22.1_1_1.SDL.of_kind.c", "  base->flags = 1;\n", "  ;\n"),
            ("receiver.mut.25.1_1_1.SDL.copy.c", "*to = *from;", ";"),
        ],
    );
    let text = project.test_of(&outcome, named);
    assert!(text.contains("r.mode = 3;") && text.contains("r.steps"), "{text}");
    assert!(!text.contains("history") && !text.contains("other"), "{text}");
}
