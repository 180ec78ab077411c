//! What only C sources do: each on a project of a few lines, through the real command, to a test that is proved.

mod support;

use support::{Project, all_die};

#[test]
fn what_a_source_asks_of_the_systems_headers_is_asked_first_in_its_driver_as_well() {
    let config = "#ifndef CONFIG_H\n#define CONFIG_H\n#define _GNU_SOURCE 1\n#endif\n";
    let text = "#ifdef __sun\n#define _XOPEN_SOURCE 500\n#endif\n#include \"config.h\"\n#include <string.h>\n\
                int base_length(const char *path) {\n  const char *last = strrchr(path, '/');\n  \
                return (int)(strchrnul(last ? last : path, '.') - path) + 1;\n}\n";
    let project = Project::of(&[("config.h", config), ("base.c", text)]);
    all_die(&project, "1s", &[("base.mut.8.1_1_1.ICR.base_length.c", "+ 1", "+ 2")]);
}

#[test]
fn pointers_to_null_pointers_opaque_structures_and_pointers_to_functions_among_parameters_build() {
    let text = "#include <stddef.h>\ntypedef struct page page;\n\
                typedef struct node { struct node *next; struct node **link; int n; } node;\n\
                typedef struct module {\n  int (*find)(int n, void (**found)(int));\n  int base;\n} module;\n\
                int chained(const node *it, int k) {\n  if (it->link != NULL && k > 100) return it->n + 2;\n  return it->n - k;\n}\n\
                page *page_of(int n) {\n  static int rooms[4];\n  return (page *)&rooms[n & 3];\n}\n\
                int sized(page *first, int n) { return first == NULL ? n + 4 : n * 3; }\n\
                int looked(module *m, int n) {\n  void (*found)(int) = NULL;\n  return m->find(n, &found) + m->base + 5;\n}\n";
    let project = Project::of(&[("page.c", text)]);
    let mutants = [
        ("page.mut.8.1_1_1.ICR.chained.c", "n + 2", "n + 3"),
        ("page.mut.15.1_1_1.ICR.sized.c", "n * 3", "n * 2"),
        ("page.mut.18.1_1_1.ICR.looked.c", "+ 5", "+ 6"),
    ];
    all_die(&project, "2s", &mutants);
}
