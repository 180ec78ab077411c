//! What a method takes out, or looks for, was put in before; what is asked for a part was given some.

use crate::support::{Project, all_die};

const GROUP_H: &str = "#pragma once\n#include <map>\n#include <string>\nstruct Member {\n  int weight = 0;\n  Member *next = nullptr;\n};\n\
    class Group {\n public:\n  void add(Member *member);\n  void remove(Member *member);\n  void setRank(const std::string &name, double rank);\n  \
    bool hasRank(const std::string &name) const;\n\n private:\n  Member *first_ = nullptr;\n  int count_ = 0;\n  \
    std::map<std::string, double> ranks_;\n};\n\
    class Attribute {\n public:\n  int length() const;\n\n private:\n  friend class Element;\n  Attribute() = default;\n  \
    std::string value_;\n  const Attribute *before_ = nullptr;\n};\n\
    class Element {\n public:\n  explicit Element(const std::string &name) : name_(name) {}\n  Element(const Element &) = delete;\n  \
    ~Element() { delete attribute_; }\n  void setAttribute(const char *value);\n  Attribute *attribute() { return attribute_; }\n\n \
    private:\n  std::string name_;\n  Attribute *attribute_ = nullptr;\n};\n\
    class Owner {\n public:\n  ~Owner() { delete kept_; }\n  void insert(Member *member);\n  int erase(Member *member);\n\n private:\n  \
    Member *kept_ = nullptr;\n};\n";
const GROUP: &str = "#include \"group.h\"\n#include <cstdlib>\nvoid Group::add(Member *member) {\n  member->next = first_;\n  first_ = member;\n  \
    ++count_;\n}\n\
    void Group::remove(Member *member) {\n  for (Member **at = &first_; *at; at = &(*at)->next) {\n    if (*at != member) continue;\n    \
    *at = member->next;\n    --count_;\n    return;\n  }\n  std::abort();\n}\n\
    void Group::setRank(const std::string &name, double rank) { ranks_[name] = rank; }\n\
    bool Group::hasRank(const std::string &name) const {\n  const auto at = ranks_.find(name);\n  \
    return at != ranks_.end() && at->first.size() > 3;\n}\n\
    int Attribute::length() const {\n  return before_ ? 0 : static_cast<int>(value_.size()) + 1;\n}\n\
    void Element::setAttribute(const char *value) {\n  if (!attribute_) attribute_ = new Attribute();\n  attribute_->value_ = value;\n}\n\
    void Owner::insert(Member *member) {\n  delete kept_;\n  kept_ = member;\n}\n\
    int Owner::erase(Member *member) {\n  if (kept_ != member) return -1;\n  const int weight = member->weight;\n  delete member;\n  \
    kept_ = nullptr;\n  return weight * 2;\n}\n";

#[test]
fn what_is_taken_out_or_looked_for_is_put_in_before_by_the_method_that_does_so() {
    let project = Project::of(&[("group.h", GROUP_H), ("group.cpp", GROUP)]);
    let mutants = [
        // Its original aborts on every member that it does not have.
        ("group.mut.12.1_1_1.UOI.remove.cpp", "--count_", "++count_"),
        ("group.mut.20.1_1_1.ICR.hasRank.cpp", "size() > 3", "size() > 4"),
        ("group.mut.23.1_1_1.AOR.length.cpp", "size()) + 1", "size()) - 1"),
        // Who puts in gives away, and gets it deleted.
        ("group.mut.38.1_1_1.AOR.erase.cpp", "weight * 2", "weight * 3"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let test = |mutant: &str| {
        let test = outcome.mutants()[mutant]["kill"]["test"].as_str().unwrap().to_owned();
        let (file, _) = test.split_once('#').unwrap();
        project.read(format!("motif.out/{file}"))
    };
    let remove = test(mutants[0].0);
    assert!(remove.contains("object.add(&") || remove.contains("object.add(member)"), "{remove}");
    let rank = test(mutants[1].0);
    assert!(rank.contains("object.setRank(name, "), "{rank}");
    let length = test(mutants[2].0);
    assert!(length.contains(".setAttribute(") && length.contains(".attribute()"), "{length}");
}

const TABLE_H: &str = "#ifndef TABLE_H\n#define TABLE_H\n#include <stddef.h>\nstruct table;\nstruct table *table_new(void);\n\
    void table_free(struct table *t);\nint table_set(struct table *t, const char *key, int value);\n\
    int table_get(const struct table *t, const char *key);\n\
    struct handler { int priority; struct handler *next; };\nstruct bus { struct handler *first; size_t count; };\n\
    void bus_register_handler(struct bus *bus, struct handler *handler);\nint bus_unregister_handler(struct bus *bus, struct handler *handler);\n#endif\n";
const TABLE: &str = "#include \"table.h\"\n#include <stdlib.h>\n#include <string.h>\nstruct table {\n  char keys[4][16];\n  int values[4];\n  \
    int used;\n};\nstruct table *table_new(void) { return calloc(1, sizeof(struct table)); }\nvoid table_free(struct table *t) { free(t); }\n\
    int table_set(struct table *t, const char *key, int value) {\n  if (t->used == 4 || strlen(key) > 15) return -1;\n  \
    strcpy(t->keys[t->used], key);\n  t->values[t->used++] = value;\n  return 0;\n}\n\
    int table_get(const struct table *t, const char *key) {\n  for (int i = t->used - 1; i >= 0; --i)\n    \
    if (strcmp(t->keys[i], key) == 0 && strlen(key) > 4) return t->values[i] + 1;\n  return 0;\n}\n\
    void bus_register_handler(struct bus *bus, struct handler *handler) {\n  handler->next = bus->first;\n  bus->first = handler;\n  ++bus->count;\n}\n\
    int bus_unregister_handler(struct bus *bus, struct handler *handler) {\n  struct handler **at = &bus->first;\n  \
    if (bus->count != 1) return -1;\n  if (*at != handler) abort();\n  *at = handler->next;\n  --bus->count;\n  \
    return handler->priority * 2;\n}\n";

#[test]
fn in_c_the_function_that_puts_it_in_is_called_before_the_one_that_takes_it_out_or_looks_for_it() {
    let project = Project::of(&[("table.h", TABLE_H), ("table.c", TABLE)]);
    let mutants = [
        ("table.mut.19.1_1_1.AOR.table_get.c", "values[i] + 1", "values[i] - 1"),
        ("table.mut.19.1_1_1.ICR.table_get.c", "strlen(key) > 4", "strlen(key) > 5"),
        ("table.mut.32.1_1_1.AOR.bus_unregister_handler.c", "priority * 2", "priority * 3"),
    ];
    let outcome = all_die(&project, "2s", &mutants);
    let text = project.test_of(&outcome, mutants[0].0);
    assert!(text.contains("table_set(&t, key, "), "{text}");
}
