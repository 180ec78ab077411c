//! Links the program at a fixed address: each stage of a run starts it again to confine what it runs, and a debug build
//! has 200,000 places that would have to be relocated each time.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
}
