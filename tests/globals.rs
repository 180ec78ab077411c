//! What a file remembers between calls: variables that functions leave changed, and those that earlier calls have set.

use crate::support::{Project, all_die};

const MODE: &str = "#include <stdlib.h>\nint verbose;\nstatic int mode = 2;\nstatic unsigned short samples[4];\nstatic unsigned used;\n\
    void set_mode(int m) {\n  mode = m & 7;\n}\nint moded(int x) {\n  return mode == 5 ? x * 2 : x;\n}\n\
    int level(int x) {\n  return x > 3 ? verbose * x : x;\n}\n\
    void add_sample(unsigned short raw) {\n  if (used < 4) samples[used++] = raw;\n}\n\
    int average(void) {\n  long sum = 0;\n  if (used == 0) return -1;\n  if (used > 4) abort();\n  \
    for (unsigned i = 0; i < used; ++i) sum += samples[i];\n  return (int)(sum / used);\n}\n";

#[test]
fn in_c_what_functions_beside_it_have_left_is_there_when_a_unit_is_called_and_what_it_leaves_is_compared() {
    let project = Project::of(&[("mode.c", MODE)]);
    let mutants = [
        ("mode.mut.7.1_1_1.ICR.set_mode.c", "m & 7", "m & 6"),
        ("mode.mut.10.1_1_1.AOR.moded.c", "x * 2", "x * 3"),
        ("mode.mut.13.1_1_1.AOR.level.c", "verbose * x", "verbose + x"),
        ("mode.mut.16.1_1_1.UOI.add_sample.c", "= raw;", "= ~raw;"),
        ("mode.mut.22.1_1_1.AOR.average.c", "sum / used", "sum + used"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = project.test_of(&outcome, mutants[0].0);
    assert!(test.contains("#include \"mode.c\"") && test.contains("assert(mode == "), "{test}");
}

const CHANNELS: &str = "#include <stdint.h>\ntypedef enum { IDLE, ARMED } state_t;\n\
    typedef struct {\n  uint16_t raw[4];\n  unsigned used;\n  struct {\n    int low, high;\n  } limits;\n  unsigned flags : 3;\n} channel_t;\n\
    static struct {\n  state_t state;\n  channel_t channels[2];\n  uint32_t errors;\n} telemetry;\n\
    void forget(void) {\n  telemetry.errors = 0;\n}\n\
    int limit(unsigned at, int low, int high) {\n  if (at > 1 || low > high) {\n    telemetry.errors++;\n    return -1;\n  }\n  \
    telemetry.channels[at].limits.low = low;\n  telemetry.channels[at].limits.high = high;\n  return 0;\n}\n\
    int sample(unsigned at, uint16_t raw) {\n  channel_t *c = &telemetry.channels[at & 1];\n  c->raw[c->used % 4] = raw;\n  c->used = c->used + 1;\n  \
    c->flags = raw & 5;\n  if (c->limits.high && raw > c->limits.high) telemetry.state = ARMED;\n  return 0;\n}\n\
    long sum(unsigned at) {\n  const channel_t *c = &telemetry.channels[at & 1];\n  long sum = 0;\n  \
    for (unsigned i = 0; i < 4 && i < c->used; ++i) sum += c->raw[i];\n  return sum * 2;\n}\n";

#[test]
fn structures_are_compared_member_by_member_and_filled_by_several_calls_the_units_own_as_well() {
    let project = Project::of(&[("channels.c", CHANNELS)]);
    let mutants = [
        ("channels.mut.17.1_1_1.SDL.forget.c", "telemetry.errors = 0;", ";"),
        ("channels.mut.21.1_1_1.SDL.limit.c", "telemetry.errors++;", ";"),
        ("channels.mut.24.1_1_1.AOR.limit.c", ".limits.low = low", ".limits.low = -low"),
        ("channels.mut.30.1_1_1.ICR.sample.c", "c->used % 4", "c->used % 5"),
        ("channels.mut.32.1_1_1.ICR.sample.c", "raw & 5", "raw & 4"),
        ("channels.mut.33.1_1_1.ROR.sample.c", "raw > c->limits.high", "raw < c->limits.high"),
        ("channels.mut.39.1_1_1.AOR.sum.c", "sum += c->raw[i]", "sum -= c->raw[i]"),
    ];
    let outcome = all_die(&project, "3s", &mutants);
    let test = project.test_of(&outcome, mutants[2].0);
    assert!(test.contains("].limits.low == "), "{test}");
}

#[test]
fn functions_of_unnamed_namespaces_have_state_and_what_tells_the_time_has_none() {
    let text = "#include <ctime>\nnamespace dev {\nnamespace {\nint mode = 1;\nvoid choose(int m) { mode = m & 3; }\nint scale(int v) { return mode == 2 ? v * 2 : v; }\n}\n\
                int both(int m, int v) {\n  choose(m);\n  return scale(v);\n}\nlong at = 0;\nvoid touch(int by) {\n  at = std::time(nullptr) + by;\n}\n}\n";
    let project = Project::of(&[("dev.cpp", text)]);
    let mutants =
        [("dev.mut.5.1_1_1.ICR.choose.cpp", "m & 3", "m & 1"), ("dev.mut.6.1_1_1.AOR.scale.cpp", "v * 2", "v * 3")];
    all_die(&project, "1s", &mutants);
    project.write("mutants/dev.mut.15.1_1_1.SDL.touch.cpp", &text.replace("at = std::time(nullptr) + by;", ";"));
    project.fuzz(&["--budget", "2000x"]).ends_with(0);
    assert_eq!(
        project.outcome().status("dev.mut.15.1_1_1.SDL.touch.cpp"),
        "live",
        "a test of it would fail a second later"
    );
}
