//! All tests of the whole tool, in one program: fifty would be linked one after the other, and run one after the other
//! while a core idles. `cargo test --test all NAME::` runs those of `tests/NAME.rs`.

mod emit_project;
mod support;

mod afl;
mod analyze;
mod architecture;
mod bad_input;
mod bench;
mod budget;
mod cases;
mod cli;
mod compare;
mod e2e;
mod emit;
mod frameworks;
mod generated;
mod in_place;
mod kills;
mod libclang;
mod library_rows;
mod mutate;
mod one_command;
mod output;
mod overridden;
mod patterns;
mod recursive_bases;
mod reports;
mod resume;
mod retry_unproved;
mod review;
mod runtime;
mod safety;
mod samples;
mod sanitizer;
mod scaffold;
mod schemas;
mod shards;
mod slurm;
mod suite;
mod switches;
mod test_doubles;
mod undefined_symbols;
mod user_cache;
