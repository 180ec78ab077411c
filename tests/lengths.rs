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
