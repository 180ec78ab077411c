//! The `motif-cpp` command.

fn main() {}
