//! Arrays of numbers whose lengths stand somewhere else among the parameters, by what bodies do with them.

use crate::support::{Project, all_die};

const SUMS: &str = "#include <math.h>\n\
    double weighted(int points, double scale, const double *x, const double *w) {\n  double s = 0;\n  int i;\n  if (points <= 0) return -1;\n  \
    for (i = 0; i < points; ++i) s += w[i] * x[i];\n  return s * scale;\n}\n\
    static void axpy(int m, double by, const double *from, double *to) {\n  int k;\n  for (k = 0; k < m; k++) to[k] += by * from[k];\n}\n\
    int step(double dt, double *state, const double *rate, int dimension) {\n  axpy(dimension, dt, rate, state);\n  return dimension > 2 ? 1 : 0;\n}\n\
    double trace(const double *a, int rows, int columns) {\n  double s = 0;\n  int r;\n  \
    for (r = 0; r < rows && r < columns; r++) s += a[r * columns + r];\n  return s;\n}\n\
    double norm3(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }\n\
    int largest(int *n, const float *x) {\n  int i, at = 0;\n  for (i = 1; i < *n; ++i)\n    if (x[i] > x[at]) at = i;\n  return at;\n}\n";

fn mutants() -> Vec<(&'static str, &'static str, &'static str)> {
    vec![
        ("sums.mut.5.1_1_1.ROR.weighted.c", "points <= 0", "points == 0"),
        ("sums.mut.6.1_1_1.AOR.weighted.c", "w[i] * x[i]", "w[i] + x[i]"),
        ("sums.mut.6.2_1_1.ICR.weighted.c", "for (i = 0; i < points", "for (i = 1; i < points"),
        ("sums.mut.11.1_1_1.AOR.axpy.c", "to[k] += by", "to[k] -= by"),
        ("sums.mut.14.1_1_1.SDL.step.c", "  axpy(dimension, dt, rate, state);\n", "  ;\n"),
        ("sums.mut.20.1_1_1.ROR.trace.c", "r < rows && r < columns", "r < rows && r <= columns"),
        ("sums.mut.20.2_1_1.AOR.trace.c", "a[r * columns + r]", "a[r * columns]"),
        ("sums.mut.23.1_1_1.AOR.norm3.c", "+ v[2] * v[2]", "- v[2] * v[2]"),
        ("sums.mut.27.1_1_1.ROR.largest.c", "x[i] > x[at]", "x[i] >= x[at]"),
    ]
}

#[test]
fn in_c_they_are_as_long_as_their_parameters_say() {
    let project = Project::of(&[("sums.c", SUMS)]);
    let outcome = all_die(&project, "2s", &mutants());
    let text = project.test_of(&outcome, "sums.mut.6.1_1_1.AOR.weighted.c");
    assert!(text.contains("double x[16] = {") && text.contains("weighted(points, scale, x, w)"), "{text}");
}

#[test]
fn in_cxx_as_well_and_of_methods() {
    let text = "class Filter {\n public:\n  explicit Filter(double gain) : gain_(gain) {}\n  \
        double peak(const double *samples, double least, unsigned till) const {\n    double most = least;\n    \
        for (unsigned n = 0; n != till; ++n)\n      if (samples[n] * gain_ > most) most = samples[n] * gain_;\n    return most;\n  }\n  \
        void scale(unsigned till, float *all) const {\n    for (unsigned n = 0; n < till; ++n) all[n] *= static_cast<float>(gain_);\n  }\n\n \
        private:\n  double gain_;\n};\n";
    let project = Project::of(&[("filter.cpp", text)]);
    all_die(
        &project,
        "1s",
        &[
            ("filter.mut.6.1_1_1.ICR.peak.cpp", "unsigned n = 0; n != till", "unsigned n = 1; n != till"),
            ("filter.mut.7.1_1_1.AOR.peak.cpp", "most = samples[n] * gain_", "most = samples[n] + gain_"),
            ("filter.mut.11.1_1_1.AOR.scale.cpp", "all[n] *=", "all[n] +="),
        ],
    );
}

#[test]
fn what_a_member_leads_to_is_an_array_where_some_body_takes_it_for_one() {
    let text = "struct limits { const double *least; int strict; };\n\
        static int is_below(const struct limits *limits, const double *x, int dimension) {\n  int i;\n  \
        for (i = 0; i < dimension; ++i)\n    if (x[i] < limits->least[i]) return 1 + i;\n  return 0;\n}\n\
        int checked(const struct limits *limits, int dimension, double by, const double *x) {\n  \
        int found = is_below(limits, x, dimension);\n  return limits->strict ? found : by * found > 2;\n}\n";
    let project = Project::of(&[("limits.c", text)]);
    let id = "limits.mut.5.1_1_1.AOR.is_below.c";
    let outcome = all_die(
        &project,
        "1s",
        &[
            (id, "1 + i", "1 - i"),
            ("limits.mut.5.2_1_1.ROR.is_below.c", "x[i] < limits", "x[i] <= limits"),
            ("limits.mut.10.1_1_1.AOR.checked.c", "by * found", "by + found"),
        ],
    );
    let text = project.test_of(&outcome, id);
    assert!(text.contains("least[16]"), "{text}");
}

#[test]
fn what_a_place_is_computed_from_is_no_length_and_what_guards_a_length_is_asked_for() {
    let text = "int lut(const int *table, int ms) {\n  int at = ms / 10;\n  if (at < 0) at = 0;\n  if (at >= 10) at = 9;\n  \
        return table[at] + (ms > 200);\n}\n\
        int kept(const int *all, const short *room, short n) {\n  short i;\n  int sum = 0;\n  if (n > 40) return -7;\n  \
        for (i = 0; i < n && i < *room; ++i) sum += all[i];\n  return sum;\n}\n";
    let project = Project::of(&[("lut.c", text)]);
    all_die(
        &project,
        "2s",
        &[
            ("lut.mut.3.1_1_1.ROR.lut.c", "at < 0", "at > 0"),
            ("lut.mut.5.1_1_1.ROR.lut.c", "ms > 200", "ms > 100"),
            ("lut.mut.10.1_1_1.ICR.kept.c", "return -7", "return -6"),
            ("lut.mut.11.1_1_1.AOR.kept.c", "sum += all[i]", "sum -= all[i]"),
        ],
    );
}

const TRACKS: &str = "typedef struct { double x, y; } point_t;\n\
    typedef struct { int id; point_t at; } track_t;\n\
    typedef struct { track_t *tracks; int used; int room; } store_t;\n\
    typedef struct { int top; int cells[12]; } shelf_t;\n\
    double area(const point_t *corners, int n) {\n  double sum = 0;\n  int i;\n  if (n < 3) return -1;\n  for (i = 0; i < n; i++) {\n    \
    const point_t *a = &corners[i], *b = &corners[(i + 1) % n];\n    sum += a->x * b->y - b->x * a->y;\n  }\n  return sum / 2;\n}\n\
    void shift(point_t *all, int n, double by) {\n  point_t *p;\n  for (p = all; p < all + n; p++) p->x += by;\n}\n\
    int seen(const store_t *store, int id) {\n  int i, found = 0;\n  for (i = 0; i < store->used; ++i)\n    \
    if (store->tracks[i].id == id) found++;\n  return found;\n}\n\
    int add(store_t *store, const track_t *one) {\n  if (store->used >= store->room) return -1;\n  store->tracks[store->used++] = *one;\n  \
    return store->used;\n}\n\
    int push(shelf_t *s, int value) {\n  if (s->top >= 12) return -1;\n  s->cells[s->top++] = value;\n  return 0;\n}\n\
    int total(const shelf_t *s) {\n  int i, sum = 0;\n  for (i = 0; i < s->top; i++) sum += s->cells[i];\n  return sum;\n}\n\
    unsigned leading(const char *const *names, unsigned count) {\n  unsigned i, best = 0;\n  \
    for (i = 1; i < count; i++)\n    if (names[i][0] > names[best][0]) best = i;\n  return best;\n}\n\
    int least(const int table[8], int at) { return table[at & 7] > 2 ? 1 : 0; }\n\
    int third(char types[][3][4], int row) { return types[0][row & 1][2] == 'x' ? 1 : 2; }\n";

#[test]
fn arrays_of_structures_are_as_long_as_what_bounds_them_says() {
    let project = Project::of(&[("tracks.c", TRACKS)]);
    let (moved, kept) = ("tracks.mut.18.1_1_1.AOR.shift.c", "tracks.mut.28.1_1_1.SDL.add.c");
    let outcome = all_die(
        &project,
        "2s",
        &[
            ("tracks.mut.8.1_1_1.ICR.area.c", "if (n < 3) return", "if (n < 4) return"),
            ("tracks.mut.11.1_1_1.AOR.area.c", "a->x * b->y - b", "a->x * b->y + b"),
            (moved, "p->x += by", "p->x -= by"),
            ("tracks.mut.23.1_1_1.ROR.seen.c", "].id == id", "].id != id"),
            ("tracks.mut.27.1_1_1.ROR.add.c", "store->used >= store->room", "store->used > store->room"),
            (kept, "  store->tracks[store->used++] = *one;\n", "  store->used++;\n"),
            ("tracks.mut.32.1_1_1.ICR.push.c", "if (s->top >= 12) return -1", "if (s->top >= 12) return 1"),
            ("tracks.mut.38.1_1_1.AOR.total.c", "sum += s->cells[i]", "sum -= s->cells[i]"),
            ("tracks.mut.44.1_1_1.ROR.leading.c", "names[i][0] > names", "names[i][0] < names"),
            ("tracks.mut.47.1_1_1.ROR.least.c", "& 7] > 2", "& 7] < 2"),
            ("tracks.mut.48.1_1_1.ROR.third.c", "[2] == 'x'", "[2] != 'x'"),
        ],
    );
    let text = project.test_of(&outcome, moved);
    assert!(text.contains("point_t all[8];"), "{text}");
    // What was put into the array is asked for.
    let text = project.test_of(&outcome, kept);
    assert!(text.contains("store.tracks["), "{text}");
}

#[test]
fn in_cxx_so_are_arrays_of_objects_that_can_be_made_and_set() {
    let text = "#include <cstddef>\n#include <string>\nnamespace gs {\nstruct Track { int id; std::string name; };\n\
        struct Store { Track *tracks; int used; };\n\
        class Cell {\n public:\n  Cell() = default;\n  explicit Cell(int v) : v_(v) {}\n  int v() const { return v_; }\n\n \
        private:\n  int v_ = 0;\n};\n\
        class Single {\n public:\n  explicit Single(int v) : v_(v) {}\n  int v() const { return v_; }\n\n private:\n  int v_;\n};\n\
        int rename(Store &store, const std::string &to) {\n  int renamed = 0;\n  for (int i = 0; i < store.used; ++i)\n    \
        if (store.tracks[i].name.empty()) {\n      store.tracks[i].name = to;\n      ++renamed;\n    }\n  return renamed;\n}\n\
        int sum(const Cell *cells, std::size_t count) {\n  int s = 0;\n  for (std::size_t k = 0; k < count; ++k) s ^= cells[k].v() + 1;\n  return s;\n}\n\
        int first(const Single *cells, std::size_t count) {\n  int s = 0;\n  for (std::size_t k = 0; k < count; ++k) s ^= cells[k].v() + 1;\n  return s;\n}\n}\n";
    let project = Project::of(&[("cells.cpp", text)]);
    let second = "cells.mut.26.1_1_1.LCR.rename.cpp";
    let outcome = all_die(
        &project,
        "2s",
        &[
            (second, "if (store.tracks[i].name.empty())", "if (i < 1 && store.tracks[i].name.empty())"),
            ("cells.mut.27.1_1_1.SDL.rename.cpp", "store.tracks[i].name = to;", ";"),
            ("cells.mut.28.1_1_1.UOI.rename.cpp", "++renamed", "--renamed"),
            (
                "cells.mut.34.1_1_1.AOR.sum.cpp",
                "int s = 0;\n  for (std::size_t k = 0; k < count; ++k) s ^= cells[k].v() + 1;\n  return s;\n}\nint first",
                "int s = 0;\n  for (std::size_t k = 0; k < count; ++k) s ^= cells[k].v() - 1;\n  return s;\n}\nint first",
            ),
            // There is one of those that can't be made without an argument.
            (
                "cells.mut.39.1_1_1.AOR.first.cpp",
                "s ^= cells[k].v() + 1;\n  return s;\n}\n}",
                "s ^= cells[k].v() - 1;\n  return s;\n}\n}",
            ),
        ],
    );
    let text = project.test_of(&outcome, second);
    assert!(text.contains("gs::Track tracks[8] = {};") && text.contains("EXPECT_EQ(store.tracks["), "{text}");
}
