//! libclang to the model; the only user of libclang.
