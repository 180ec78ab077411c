//! `compile_commands.json` to translation units; no libclang.
