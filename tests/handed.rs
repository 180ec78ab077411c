//! Objects that functions leave in a parameter: `int Table::Open(…, Table **table)`, `int ring_create(…, struct ring
//! **out)`.

use crate::support::{Project, all_die};

const TABLE_H: &str = "#pragma once\n#include <memory>\n#include <string>\nclass Table {\n public:\n  \
    static int Open(int blocks, const std::string &name, Table **table);\n  ~Table();\n  int find(int key) const;\n\n private:\n  \
    explicit Table(int blocks);\n  int blocks_;\n  int *room_;\n};\nclass Map {\n public:\n  int at(int key) const;\n\n private:\n  \
    friend bool loadMap(const char *text, std::unique_ptr<Map> *map);\n  Map() = default;\n  int scale_ = 3;\n};\n\
    bool loadMap(const char *text, std::unique_ptr<Map> *map);\nint adopt(Table *table);\n";
const TABLE: &str = "#include \"table.h\"\nTable::Table(int blocks) : blocks_(blocks), room_(new int[4]()) {}\n\
    Table::~Table() { delete[] room_; }\n\
    int Table::Open(int blocks, const std::string &name, Table **table) {\n  *table = nullptr;\n  if (name.empty()) return 1;\n  \
    *table = new Table(blocks & 0xff);\n  return 0;\n}\n\
    int Table::find(int key) const {\n  return key > blocks_ ? -1 : key * 2;\n}\n\
    bool loadMap(const char *text, std::unique_ptr<Map> *map) {\n  if (!text || !*text) return false;\n  map->reset(new Map());\n  \
    return true;\n}\nint Map::at(int key) const {\n  return key * scale_;\n}\n\
    int adopt(Table *table) {\n  const int n = table->find(1);\n  delete table;\n  return n + 1;\n}\n";
const RING_H: &str = "#ifndef RING_H\n#define RING_H\nstruct ring;\nint ring_create(int room, struct ring **out);\n\
    int ring_room(const struct ring *ring, int less);\nvoid ring_destroy(struct ring *ring);\n#endif\n";
const RING: &str = "#include \"ring.h\"\n#include <stdlib.h>\nstruct ring {\n  int room;\n  int *items;\n};\n\
    int ring_create(int room, struct ring **out) {\n  struct ring *made;\n  if (room < 0 || room > 100) return -1;\n  \
    made = malloc(sizeof *made);\n  made->room = room;\n  made->items = calloc((size_t)room + 1, sizeof(int));\n  *out = made;\n  \
    return 0;\n}\nint ring_room(const struct ring *ring, int less) {\n  return ring->room - ring->items[0] - less;\n}\n\
    void ring_destroy(struct ring *ring) {\n  free(ring->items);\n  free(ring);\n}\n";

#[test]
fn objects_that_a_function_leaves_behind_a_pointer_are_made_so_and_taken_down_by_whoever_owns_them() {
    let project = Project::of(&[("table.h", TABLE_H), ("table.cpp", TABLE)]);
    let outcome = all_die(
        &project,
        "2s",
        &[
            ("table.mut.11.1_1_1.ROR.find.cpp", "key > blocks_", "key >= blocks_"),
            ("table.mut.19.1_1_1.AOR.at.cpp", "key * scale_", "key + scale_"),
            // Its argument is its own from then on: on most inputs it would be deleted twice.
            ("table.mut.24.1_1_1.AOR.adopt.cpp", "n + 1", "n - 1"),
        ],
    );
    let test = |mutant: &str| {
        let test = outcome.mutants()[mutant]["kill"]["test"].as_str().unwrap().to_owned();
        let (file, _) = test.split_once('#').unwrap();
        project.read(format!("motif.out/{file}"))
    };
    let find = test("table.mut.11.1_1_1.ROR.find.cpp");
    assert!(find.contains("Table *object = nullptr;") && find.contains("&object));"), "{find}");
    assert!(find.contains("const std::unique_ptr<Table> object_owner(object);"), "{find}");
    let at = test("table.mut.19.1_1_1.AOR.at.cpp");
    assert!(at.contains("std::unique_ptr<Map> object;"), "{at}");
    let adopt = test("table.mut.24.1_1_1.AOR.adopt.cpp");
    assert!(!adopt.contains("_owner"), "{adopt}");
}

#[test]
fn in_c_they_go_to_the_function_that_ends_them() {
    let project = Project::of(&[("ring.h", RING_H), ("ring.c", RING)]);
    let outcome = all_die(
        &project,
        "2s",
        &[
            ("ring.mut.17.1_1_1.AOR.ring_room.c", "- less", "+ less"),
            ("ring.mut.17.2_2_2.AOR.ring_room.c", "ring->room -", "ring->room *"),
        ],
    );
    let test = outcome.mutants()["ring.mut.17.1_1_1.AOR.ring_room.c"]["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    assert!(test.contains("(void)ring_create(") && test.contains("ring_destroy(ring);"), "{test}");
}

const LIST_H: &str = "#ifndef LIST_H\n#define LIST_H\nstruct list;\nstruct list *list_new(int room);\nint list_push(struct list *list, int value);\n\
    void list_scale(struct list *list, double by);\nint list_sum(const struct list *list, int bias);\nvoid list_free(struct list *list);\n#endif\n";
const LIST: &str = "#include \"list.h\"\n#include <stdlib.h>\nstruct list {\n  int n;\n  int room;\n  int *items;\n};\n\
    struct list *list_new(int room) {\n  struct list *made = malloc(sizeof *made);\n  made->n = 0;\n  made->room = room & 15;\n  \
    made->items = calloc(16, sizeof(int));\n  return made;\n}\n\
    int list_push(struct list *list, int value) {\n  if (list->n >= list->room) return -1;\n  list->items[list->n++] = value & 0xffff;\n  \
    return 0;\n}\nvoid list_scale(struct list *list, double by) {\n  int i;\n  for (i = 0; i < list->n; ++i) {\n    \
    list->items[i] = by > 2.0 ? 2 * list->items[i] : 0;\n  }\n}\n\
    int list_sum(const struct list *list, int bias) {\n  int i, sum = bias & 0xff;\n  for (i = 0; i < list->n; ++i) {\n    \
    sum += list->items[i];\n  }\n  return sum;\n}\nvoid list_free(struct list *list) {\n  free(list->items);\n  free(list);\n}\n";

#[test]
fn in_c_functions_that_fill_an_object_are_called_before_the_unit_in_drivers_and_tests() {
    let project = Project::of(&[("list.h", LIST_H), ("list.c", LIST)]);
    let outcome = all_die(
        &project,
        "2s",
        &[
            ("list.mut.30.1_1_1.AOR.list_sum.c", "sum += ", "sum -= "),
            ("list.mut.30.2_2_2.ASR.list_sum.c", "sum += ", "sum ^= "),
        ],
    );
    let test = outcome.mutants()["list.mut.30.1_1_1.AOR.list_sum.c"]["kill"]["test"].as_str().unwrap().to_owned();
    let test = project.read(format!("motif.out/{test}"));
    assert!(
        test.contains("list_new(") && test.contains("list_push(list") && test.contains("list_free(list);"),
        "{test}"
    );
}

#[test]
fn what_a_function_leaves_of_a_text_is_told_though_the_buffer_goes_on_behind_its_end() {
    let text = "#include <stddef.h>\nvoid squeeze(char *text) {\n  char *to = text;\n  if (text == NULL) return;\n  \
                for (; *text; text++) if (*text != ' ') *to++ = *text;\n  *to = 0;\n}\n\
                void blank(char *text) {\n  int n = 0;\n  if (text == NULL) return;\n  \
                while (text[n] && n < 8) n++;\n  text[0] = 0;\n  if (n > 2) text[2] = 'x';\n}\n";
    let project = Project::of(&[("text.c", text)]);
    let mutants = [
        ("text.mut.5.1_1_1.ROR.squeeze.c", "*text != ' '", "*text == ' '"),
        ("text.mut.13.1_1_1.ICR.blank.c", "'x'", "'y'"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = |id: &str| outcome.mutants()[id]["kill"]["test"].as_str().unwrap().to_owned();
    let test = |id: &str| project.read(format!("motif.out/{}", test(id).split('#').next().unwrap()));
    assert!(test(mutants[0].0).contains("assert(strcmp(text, \""), "{}", test(mutants[0].0));
    // No text shows that: it ends before.
    assert!(test(mutants[1].0).contains("memcmp(text, \""), "{}", test(mutants[1].0));
}
