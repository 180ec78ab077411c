//! What the help of each command ends with: two command lines that people start from.

/// The examples of each command.
pub(super) const EXAMPLES: [(&str, [&str; 2]); 18] = [
    ("doctor", ["motif-cpp doctor", "motif-cpp doctor --format json"]),
    ("analyze", ["motif-cpp analyze -p build", "motif-cpp analyze -p build --build 'geo::*'"]),
    (
        "mutate",
        [
            "motif-cpp mutate -p build --test-command 'ctest --test-dir build'",
            "motif-cpp mutate -p build --file src/clock.cpp --list",
        ],
    ),
    ("scaffold", ["motif-cpp scaffold -p build geo::Clock::tick", "motif-cpp scaffold -p build --check"]),
    ("review", ["motif-cpp review -p build", "motif-cpp review -p build --accept"]),
    (
        "fuzz",
        [
            "motif-cpp fuzz -p build --test-command 'ctest --test-dir build' --since main",
            "motif-cpp fuzz -p build --file src/clock.cpp --budget 5s",
        ],
    ),
    ("compare", ["motif-cpp compare v1.2 -p build", "motif-cpp compare v1.2..v1.3 --fail-on-difference"]),
    (
        "merge",
        [
            "motif-cpp merge shards/1 shards/2 shards/3 -o motif.out",
            "motif-cpp merge shards/1 shards/3 -o motif.out --allow-missing",
        ],
    ),
    ("testgen", ["motif-cpp testgen", "motif-cpp testgen --into test/regression"]),
    (
        "adopt",
        ["motif-cpp adopt --into test --dry-run", "motif-cpp adopt geo::Clock::tick --into test --requirement R-7"],
    ),
    ("report", ["motif-cpp report", "motif-cpp report --format markdown --baseline old/outcomes.json"]),
    ("explain", ["motif-cpp explain src/clock.cpp:41", "motif-cpp explain 41.12_14_1.ROR"]),
    ("dismiss", ["motif-cpp dismiss src/clock.cpp:41 --reason 'only the text of a log'", "motif-cpp dismiss --list"]),
    (
        "serve",
        [
            "motif-cpp serve -- -p build --budget 2s",
            "motif-cpp serve socket --port 4711 -- -p build --total-budget 60s",
        ],
    ),
    ("cache", ["motif-cpp cache", "motif-cpp cache --cache-size 2GiB"]),
    ("schema", ["motif-cpp schema overrides", "motif-cpp schema config > motif.schema.json"]),
    (
        "completions",
        [
            "motif-cpp completions bash > ~/.local/share/bash-completion/completions/motif-cpp",
            "motif-cpp completions zsh > ~/.zfunc/_motif-cpp",
        ],
    ),
    ("man", ["motif-cpp man | man -l -", "motif-cpp man > motif-cpp.1"]),
];

/// The command with its examples at the end of its help.
pub(super) fn add_to(command: clap::Command) -> clap::Command {
    EXAMPLES.into_iter().fold(command, |command, (name, lines)| {
        command.mut_subcommand(name, |command| command.after_help(format!("Examples:\n  {}", lines.join("\n  "))))
    })
}
