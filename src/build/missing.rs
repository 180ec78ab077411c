//! Definitions for undefined symbols, so that a driver links: a source does not compile, or a library is missing. A
//! call of an undefined function ends the program with its name. While the program is loaded such functions do
//! nothing, or initialisers of unrelated sources would end it.

use std::collections::BTreeSet;

/// The common part for drivers. `motif_missing` belongs to the worker, which ends the side; a test program has none.
const SHARED: &str = "void abort(void);
int atexit(void (*)(void));
extern void motif_missing(const char *) __attribute__((weak));
static volatile int motif_stubs_loaded;
static void motif_stubs_unload(void) { motif_stubs_loaded = 0; }
__attribute__((constructor)) static void motif_stubs_load(void) {
  motif_stubs_loaded = 1;
  atexit(motif_stubs_unload);
}
static void *motif_stub_called(const char *name) {
  if (!motif_stubs_loaded) return 0;
  if (motif_missing) motif_missing(name);
  abort();
}
";

/// The common part for emitted tests.
const SHARED_BY_TESTS: &str = "/*
 * What the code under test uses and nobody defines, so that the tests link. A test that comes to use some of it defines
 * that itself; whoever else calls it, once the program runs, is told by an abort.
 * Written by motif-cpp.
 */
#include <stdio.h>
#include <stdlib.h>

static volatile int motif_stubs_loaded;

static void motif_stubs_unload(void) {
  motif_stubs_loaded = 0;
}

__attribute__((constructor)) static void motif_stubs_load(void) {
  motif_stubs_loaded = 1;
  atexit(motif_stubs_unload);
}

__attribute__((unused)) static void *motif_stub_called(const char *name) {
  if (!motif_stubs_loaded) return NULL;
  fprintf(stderr, \"%s is called, which nobody defines\\n\", name);
  abort();
}

";

/// Entries of a vtable, and the two words before them.
const TABLE: usize = 66;

/// A C source that defines `symbols` for a driver; `threads` are thread-local.
pub(super) fn source(symbols: &[String], threads: &BTreeSet<String>) -> String {
    format!("{SHARED}{}", definitions(symbols, threads, ""))
}

/// The same for emitted tests, one of which may define a symbol itself.
pub fn source_for_tests(symbols: &[String], threads: &BTreeSet<String>) -> String {
    format!("{SHARED_BY_TESTS}{}", definitions(symbols, threads, "__attribute__((weak)) "))
}

/// The definitions, each with the linkage `how`.
fn definitions(symbols: &[String], threads: &BTreeSet<String>, how: &str) -> String {
    let mut source = String::new();
    let mut has_slot = false;
    for (number, symbol) in symbols.iter().enumerate() {
        let name = quoted(symbol);
        let text = match symbol.as_str() {
            // A function cannot take its place: the linker would refuse everything.
            _ if threads.contains(symbol) => {
                format!(
                    "extern __thread long long motif_stub{number}[8] __asm__({name});\n\
                     {how}__thread long long motif_stub{number}[8];\n"
                )
            }
            table if table.starts_with("_ZTV") => {
                if !has_slot {
                    source +=
                        "static void *motif_stub_slot(void) { return motif_stub_called(\"a virtual function\"); }\n";
                    has_slot = true;
                }
                format!(
                    "extern void *motif_stub{number}[{TABLE}] __asm__({name});\n\
                     {how}void *motif_stub{number}[{TABLE}] = {{[2 ... {}] = (void *)motif_stub_slot}};\n",
                    TABLE - 1
                )
            }
            data if is_data(data) => format!(
                "extern char motif_stub{number}[4096] __asm__({name});\n\
                 {how}char motif_stub{number}[4096] __attribute__((aligned(64)));\n"
            ),
            // An object that was constructed lives on: a missing destructor is not worth an abort.
            destructor if is_destructor(destructor) => {
                format!("void motif_stub{number}(void) __asm__({name});\n{how}void motif_stub{number}(void) {{}}\n")
            }
            _ => format!(
                "void *motif_stub{number}(void) __asm__({name});\n\
                 {how}void *motif_stub{number}(void) {{ return motif_stub_called({name}); }}\n"
            ),
        };
        source += &text;
    }
    source
}

/// Whether a mangled name is a variable's: nested plain names and nothing after them, where a function has its
/// parameters (Itanium C++ ABI, section 5.1).
fn is_data(symbol: &str) -> bool {
    // Type information, construction vtables, and guards of static variables.
    if ["_ZTI", "_ZTS", "_ZTT", "_ZGV"].iter().any(|special| symbol.starts_with(special)) {
        return true;
    }
    behind_names(symbol) == Some("E")
}

/// Whether a mangled name is a destructor's.
fn is_destructor(symbol: &str) -> bool {
    matches!(behind_names(symbol), Some("D0Ev" | "D1Ev" | "D2Ev"))
}

/// The rest of a mangled name after its nested names.
fn behind_names(symbol: &str) -> Option<&str> {
    let mut rest = symbol.strip_prefix("_ZN")?;
    loop {
        // Template arguments, or an ABI tag.
        rest = match rest.as_bytes().first()? {
            b'0'..=b'9' => behind_name(rest)?,
            b'B' => behind_name(&rest[1..])?,
            b'I' => behind_arguments(rest)?,
            _ => return Some(rest),
        };
    }
}

/// The rest after a name with its length prefix.
fn behind_name(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(digits + text[..digits].parse::<usize>().ok()?..)
}

/// The rest after template arguments, if these are types and plain values.
fn behind_arguments(text: &str) -> Option<&str> {
    let (mut rest, mut depth) = (text, 0usize);
    loop {
        rest = match *rest.as_bytes().first()? {
            b'0'..=b'9' => behind_name(rest)?,
            b'L' => rest.split_once('E')?.1,
            b'S' => rest[1..].trim_start_matches(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()).get(1..)?,
            b'X' | b'T' | b'D' => return None,
            b'E' if depth == 1 => return Some(&rest[1..]),
            other => {
                match other {
                    b'I' | b'N' | b'F' | b'J' => depth += 1,
                    b'E' => depth -= 1,
                    _ => {}
                }
                &rest[1..]
            }
        };
    }
}

/// A symbol as a C string: it comes from an object file, so it is data.
pub(super) fn quoted(symbol: &str) -> String {
    format!("\"{}\"", symbol.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_told_from_functions_by_their_mangled_names() {
        for data in [
            "_ZN6TagLib6String4nullE",
            "_ZN1n1xE",
            "_ZTIN1n1AE",
            "_ZN4HoldIiE4heldE",
            "_ZN1n4HoldINS_1AESsLi4ESt6vectorIiSaIiEEE4heldE",
            "_ZN1n4nameB5cxx11E",
            "_ZGVZ1fvE1x",
        ] {
            assert!(is_data(data), "{data}");
        }
        let functions =
            ["_ZN1A1fEN1n1BE", "_ZN1A1fEv", "_Z1fv", "plain", "_ZN1AC1Ev", "_ZNK1A1fEv", "_ZN9x", "_ZN4HoldIiE4heldEv"];
        for function in functions {
            assert!(!is_data(function), "{function}");
        }
    }

    #[test]
    fn destructors_are_told_from_what_is_only_called_so() {
        assert!(is_destructor("_ZN5LabelD1Ev") && is_destructor("_ZN4HoldIiED0Ev"));
        assert!(!is_destructor("_ZN1n2D1Ev") && !is_destructor("_ZN5LabelC1Ev"));
    }
}
