//! What only C sources do: each on a project of a few lines, through the real command, to a test that is proved.

use crate::support::{Project, all_die};

/// `bag_init(&bag)`, and what it has come to hold is let go of at the end; a ring is told where its room is.
#[test]
fn structures_that_a_function_makes_ready_where_they_stand_are_made_so() {
    let text = "#include <stdlib.h>\n#include <string.h>\n\
                typedef struct bag { int *items; size_t used, room; unsigned seal; } bag;\n\
                static unsigned sealed(const bag *b) { return 0x5ea1u ^ (unsigned)b->used ^ (unsigned)b->room; }\n\
                void bag_init(bag *b) {\n  memset(b, 0, sizeof *b);\n  b->room = 2;\n  b->items = calloc(b->room, sizeof *b->items);\n  \
                b->seal = sealed(b);\n}\n\
                int bag_add(bag *b, int item) {\n  if (b->seal != sealed(b)) abort();\n  if (b->used == b->room) {\n    b->room *= 2;\n    \
                b->items = realloc(b->items, b->room * sizeof *b->items);\n  }\n  b->items[b->used++] = item;\n  b->seal = sealed(b);\n  return 0;\n}\n\
                long bag_sum(const bag *b) {\n  long sum = 7;\n  if (b->seal != sealed(b)) abort();\n  \
                for (size_t i = 0; i < b->used; ++i) sum += b->items[i];\n  return sum;\n}\n\
                void bag_free(bag *b) {\n  if (b->seal != sealed(b)) abort();\n  free(b->items);\n}\n\
                struct init { int *slot; int level; };\nstatic int slots[8];\n\
                void init(struct init *it, int level) {\n  it->slot = &slots[level & 7];\n  it->level = level & 7;\n}\n\
                int level_of(struct init *init) { return *init->slot + init->level; }\n\
                typedef struct ring { char *at; unsigned room, used; } ring;\n\
                int ring_setup(ring *r, char *at, unsigned size) {\n  if (at == NULL || size < 2) return -1;\n  r->at = at;\n  r->room = size;\n  \
                r->used = 0;\n  return 0;\n}\n\
                int ring_put(ring *r, char c) {\n  if (r->at == NULL) return -2;\n  if (r->used == r->room) return -3;\n  \
                r->at[r->used++] = c;\n  return (int)r->used + 4;\n}\n";
    let project = Project::of(&[("bag.c", text)]);
    let mutants = [
        ("bag.mut.23.1_1_1.AOR.bag_sum.c", "sum += b->items[i]", "sum -= b->items[i]"),
        ("bag.mut.14.1_1_1.AOR.bag_add.c", "room *= 2", "room += 3"),
        ("bag.mut.48.1_1_1.ICR.ring_put.c", "used + 4", "used + 5"),
        ("bag.mut.39.1_1_1.AOR.level_of.c", "slot + init", "slot - init"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(test.contains("bag_init(&b);") && test.contains("bag_free(&b);"), "{test}");
    for unit in outcome.0["units"].as_array().unwrap() {
        assert!(unit["suspected_faults"].as_array().is_none_or(Vec::is_empty), "{unit}");
    }
}

const LIST: &str = "#include <stdlib.h>\nstruct node {\n  int n;\n  struct node *next;\n};\n\
    struct node *node_new(int n) {\n  struct node *node = calloc(1, sizeof *node);\n  if (node) node->n = n;\n  return node;\n}\n\
    void node_free(struct node *node) { free(node); }\n\
    int node_join(struct node *first, struct node *second) {\n  if (first == NULL || second == NULL) return -1;\n  \
    first->n += second->n;\n  return first->n;\n}\n";

#[test]
fn of_an_object_in_whose_place_null_is_passed_a_test_asks_nothing() {
    let project = Project::of(&[("list.c", LIST)]);
    let mutants = [("list.mut.15.1_1_1.SDL.node_join.c", "if (first == NULL || second == NULL) return -1;", ";")];
    let outcome = all_die(&project, "1s", &mutants);
    let text = project.test_of(&outcome, mutants[0].0);
    let is_null = |name: &&str| text.contains(&format!("{name} = NULL;"));
    let null: Vec<&str> = ["first", "second"].into_iter().filter(is_null).collect();
    assert!(!null.is_empty() && null.iter().all(|name| !text.contains(&format!("{name}->"))), "{text}");
}
