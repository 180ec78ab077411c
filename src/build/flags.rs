//! Turns a project's compile command into ours: options that decide the meaning of the code stay, others go.

use super::flavor::Flavor;
use crate::compdb::CompileCommand;
use crate::model::Language;
use std::collections::BTreeSet;
use std::path::Path;

/// Kept options with a separate value.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-target",
    "--target",
    "-Xpreprocessor",
    "-mllvm",
    "-F",
    "-iframework",
    "-cxx-isystem",
    "-arch",
    "--param",
];

/// Dropped options with a separate value.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-Xlinker",
    "-Xassembler",
    "-T",
    "-u",
    "-z",
    "-include-pch",
    "-dumpbase",
    "-dumpdir",
    "-aux-info",
];

/// Prefixes of dropped options: diagnostics, debug information, instrumentation, linking, dependency files.
const DROPPED: &[&str] = &[
    "-M",
    "-W",
    "-w",
    "-pedantic",
    "-fdiagnostics",
    "-fcolor-diagnostics",
    "-fno-color-diagnostics",
    "-fmessage-length",
    "-flto",
    "-fno-lto",
    "-fuse-ld",
    "-ffat-lto-objects",
    "-fwhole-program",
    "-fuse-linker-plugin",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fno-profile",
    "-fcoverage",
    "-ftest-coverage",
    "--coverage",
    "-coverage",
    "-fauto-profile",
    "-finstrument-functions",
    "-pg",
    "-save-temps",
    "--save-temps",
    "-pipe",
    "-time",
    "-ftime",
    "-fcrash-diagnostics",
    "-fmax-errors",
    "-ferror-limit",
    "-ftemplate-backtrace-limit",
    "-fpic",
    "-fPIC",
    "-fpie",
    "-fPIE",
    "-fno-pic",
    "-fno-PIC",
    "-fno-pie",
    "-fno-PIE",
    "-pie",
    "-no-pie",
    "-static",
    "-shared",
    "-rdynamic",
    "-l",
    "-L",
    "-fanalyzer",
    "-fdump",
    "-fopt-info",
    "-fsave-optimization-record",
    "-fconcepts-diagnostics",
    "-fdebug",
    "-fno-debug",
    "-feliminate-unused",
    "-fmodules-ts",
    "-fmodule-mapper",
    "-fdeps-format",
    "-D_FORTIFY_SOURCE",
    "-U_FORTIFY_SOURCE",
    "-###",
    "-v",
    "-H",
    "-Q",
    "-fsyntax-only",
    "-fvar-tracking",
    "-fno-var-tracking",
    "-Winvalid-pch",
    "-fpch",
    "-fno-pch",
];

/// The options of `command` that decide its meaning, for a compilation as `flavor`. Standard and language are not
/// included.
pub(super) fn kept(command: &CompileCommand, flavor: Flavor) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut args = command.args.iter().peekable();
    while let Some(arg) = args.next() {
        if arg == "-c"
            || arg == "-S"
            || arg == "-E"
            || arg.starts_with("-std=")
            || arg.starts_with("--std=")
            || arg == "-ansi"
        {
            continue;
        }
        if DROPPED_WITH_VALUE.contains(&arg.as_str()) {
            args.next();
        } else if arg == "-Xclang" {
            let value = args.next().map_or("", String::as_str);
            // CMake's precompiled headers: `-Xclang -include-pch -Xclang FILE`; the header itself is also given.
            if value == "-include-pch" {
                args.next();
                args.next();
            } else if !value.is_empty() && !value.starts_with("-fno-pch") {
                kept.extend([arg.clone(), value.to_string()]);
            }
        } else if WITH_VALUE.contains(&arg.as_str()) {
            let value = args.next();
            if let Some(value) = value.filter(|value| !value.starts_with("_FORTIFY_SOURCE")) {
                kept.extend([arg.clone(), value.clone()]);
            }
        } else if is_optimisation(arg) {
            if flavor.keeps_optimisation() {
                kept.push(arg.clone());
            }
        } else if arg.starts_with("-Wp,-D") || arg.starts_with("-Wp,-U") {
            if !arg.contains("_FORTIFY_SOURCE") {
                kept.push(arg.clone());
            }
        } else if is_debug_information(arg) || DROPPED.iter().any(|start| begins(arg, start)) {
            continue;
        } else if arg.starts_with('-') {
            kept.push(arg.clone());
        }
        // The rest is an input or a response file, not ours to compile.
    }
    kept
}

fn is_optimisation(arg: &str) -> bool {
    arg.starts_with("-O") && arg != "-ObjC"
}

/// `-g`, `-ggdb3`, `-gdwarf-4`, `-gz`…; not `-gcc-toolchain`.
fn is_debug_information(arg: &str) -> bool {
    arg.starts_with("-g") && !arg.starts_with("-gcc")
}

/// Whether `arg` is or starts with the option `start`; short options with many relatives match exactly.
fn begins(arg: &str, start: &str) -> bool {
    match start {
        "-v" | "-H" | "-Q" | "-w" | "-time" | "-pg" | "-pie" | "-pipe" => arg == start,
        "-static" => arg == start || arg.starts_with("-static-lib"),
        _ => arg.starts_with(start),
    }
}

/// No optimisation, for AFL++ when it would take too long.
pub(super) const UNOPTIMISED: &[&str] = &["-O0"];

/// Endless loops of a mutant must stay: without this, the compiler may remove them.
const KEEPS_LOOPS: &str = "-fno-finite-loops";

/// The options of `flavor`, before those of the caller.
pub(super) fn added(flavor: Flavor, ignorelist: &Path) -> Vec<String> {
    let mut args: Vec<String> = match flavor {
        Flavor::Search | Flavor::Draft => {
            let level = if flavor == Flavor::Draft { "-O0" } else { "-O1" };
            [level, "-fPIC", KEEPS_LOOPS].into_iter().map(str::to_owned).chain(instrumented(ignorelist)).collect()
        }
        Flavor::Tested => std::iter::once("-fPIC".to_owned()).chain(instrumented(ignorelist)).collect(),
        Flavor::DraftMutant => vec!["-O0".into(), "-fPIC".into(), KEEPS_LOOPS.into()],
        Flavor::Mutant => vec!["-O1".into(), "-fPIC".into(), KEEPS_LOOPS.into()],
        // It runs few inputs, so optimising would not pay. And no error is optimised away.
        Flavor::Checked(_) => vec!["-O0".into(), "-fPIC".into(), KEEPS_LOOPS.into()],
        Flavor::Plain | Flavor::Sanitized(_) => vec!["-fPIC".into()],
        // afl-clang-fast adds -O3 -g itself, as in the papers.
        Flavor::Afl(_) | Flavor::AflCmplog(_) => vec!["-fPIC".into(), KEEPS_LOOPS.into()],
    };
    args.extend(flavor.sanitizer_flags().iter().map(|flag| flag.to_string()));
    args
}

/// Instrumentation for libFuzzer.
fn instrumented(ignorelist: &Path) -> [String; 2] {
    ["-fsanitize=fuzzer-no-link".into(), format!("-fsanitize-coverage-ignorelist={}", ignorelist.display())]
}

/// Errors of newer clangs that older compilers, gcc among them, only warn about: code that the project's own compiler
/// accepts must be accepted.
pub(super) const LENIENT: &[&str] = &[
    "-Wno-unknown-warning-option",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=c++11-narrowing",
    "-Wno-error=register",
    "-Wno-error=reserved-user-defined-literal",
    "-Wno-error=enum-constexpr-conversion",
];

/// Functions without instrumentation in a `Search` object: mutants and the runtime. A mangled name has the
/// identifier's length before it, which excludes the project's `permut_x`.
pub(super) const IGNORELIST: &str = "fun:mut_*\nfun:*[0-9]mut_*\nfun:*5MOTIF*6Mutant*\nfun:motif_*\nfun:*[0-9]motif_*\n\
                                      fun:_ZN5MOTIF*\nfun:_ZNK5MOTIF*\nfun:_ZZN5MOTIF*\nfun:_ZZNK5MOTIF*\n\
                                      fun:_ZNSt*5MOTIF*\nfun:_ZNKSt*5MOTIF*\nfun:_ZSt*5MOTIF*\n";

/// Standards of C before NAN and `signbit`.
const OLD_C: [&str; 7] = ["c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409", "ansi"];

/// The standard of the code; generated C++ needs C++14 or newer, and generated C has C99.
pub fn standard(command: &CompileCommand, generated: bool) -> Option<String> {
    let given = command.std.clone().or_else(|| {
        let given =
            command.args.iter().rev().find_map(|a| a.strip_prefix("-std=").or_else(|| a.strip_prefix("--std=")));
        given.map(str::to_string)
    });
    let standard = given.or_else(|| default_standard(command).map(str::to_string))?;
    let too_old = ["c++98", "c++03", "c++0x", "c++11", "gnu++98", "gnu++03", "gnu++0x", "gnu++11"];
    if generated && command.language == Language::Cxx && too_old.contains(&standard.as_str()) {
        return Some("gnu++14".into());
    }
    if generated && command.language == Language::C && OLD_C.contains(&standard.as_str()) {
        return Some(if standard.starts_with("gnu") { "gnu99" } else { "c99" }.into());
    }
    Some(standard)
}

/// The default standard of the command's own compiler, if it may differ from clang's.
fn default_standard(command: &CompileCommand) -> Option<&'static str> {
    let name = Path::new(&command.compiler).file_name()?.to_str()?;
    let version = name.rsplit('-').next().and_then(|v| v.split('.').next()?.parse::<u32>().ok());
    let cxx = command.language == Language::Cxx;
    if name.contains("clang") {
        return match version {
            Some(version) if version < 16 => Some(if cxx { "gnu++14" } else { "gnu17" }),
            _ => None,
        };
    }
    // gcc since 11; older ones had gnu++14, whose code also compiles as newer C++.
    let gcc = ["gcc", "g++", "cc", "c++"]
        .iter()
        .any(|end| name.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit() || c == '.').ends_with(end));
    gcc.then_some(if cxx { "gnu++17" } else { "gnu17" })
}

/// The options that a compiler's messages call unknown, to leave out in the next attempt.
pub(super) fn refused(stderr: &str) -> BTreeSet<String> {
    let quoted = |line: &str, marker: &str| -> Option<String> {
        let rest = &line[line.find(marker)? + marker.len()..];
        let rest = rest.trim_start().strip_prefix('\'')?;
        Some(rest[..rest.find('\'')?].to_string())
    };
    let mut refused = BTreeSet::new();
    for line in stderr.lines().filter(|line| line.contains("error:")) {
        let markers =
            ["unknown argument:", "unsupported option", "unrecognized command-line option", "unknown argument"];
        if let Some(option) = markers.iter().find_map(|marker| quoted(line, marker)) {
            refused.insert(option);
        } else if line.contains("unsupported argument") || line.contains("invalid value") || line.contains("bad value")
        {
            // `unsupported argument 'x' to option '-fy='`, `invalid value 'x' in '-fy=x'`
            let option = ["to option", " in ", "for"].iter().find_map(|marker| quoted(line, marker));
            refused.extend(option.filter(|option| option.starts_with('-')));
        }
    }
    refused
}

/// Whether `arg` is one of the refused options (with any value after `=`).
pub(super) fn is_refused(arg: &str, refused: &BTreeSet<String>) -> bool {
    refused.iter().any(|option| arg == option || (option.ends_with('=') && arg.starts_with(option.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(compiler: &str, language: Language, words: &str) -> CompileCommand {
        CompileCommand {
            directory: "/".into(),
            file: "/a.cpp".into(),
            language,
            compiler: compiler.into(),
            args: words.split(' ').filter(|w| !w.is_empty()).map(str::to_string).collect(),
            std: None,
        }
    }

    #[test]
    fn what_decides_the_meaning_stays_and_the_rest_goes() {
        let words = "-DX=1 -D Y -Iinc -isystem /sys -include pre.h -O3 -g -ggdb3 -gdwarf-4 -Wall -Werror -Wl,-z,now \
        -w -march=native \
                     -mavx2 -ffast-math -fno-builtin -fwrapv -funsigned-char -fPIE -flto=auto -fsanitize=address \
                     --coverage -MD -MF a.d \
                     -std=c++11 -pthread -D _FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=2 -Wp,-DZ -fvisibility=hidden -x \
                     c++ -pipe -fno-exceptions \
                     -Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang a.hxx -static-libgcc @a.modmap";
        let kept = kept(&command("g++", Language::Cxx, words), Flavor::Search).join(" ");
        assert_eq!(
            kept,
            "-DX=1 -D Y -Iinc -isystem /sys -include pre.h -march=native -mavx2 -ffast-math -fno-builtin -fwrapv \
             -funsigned-char \
             -pthread -Wp,-DZ -fvisibility=hidden -fno-exceptions -Xclang -include -Xclang a.hxx"
        );
    }

    #[test]
    fn a_proof_keeps_the_projects_optimisation() {
        let given = command("cc", Language::C, "-O3 -DA");
        assert_eq!(kept(&given, Flavor::Plain), ["-O3", "-DA"]);
        assert_eq!(kept(&given, Flavor::Mutant), ["-DA"]);
        // A search for proofs is built alike, whatever the build of the first search.
        assert_eq!(kept(&given, Flavor::Tested), ["-O3", "-DA"]);
        let added = added(Flavor::Tested, Path::new("/list")).join(" ");
        assert!(added.contains("fuzzer-no-link") && !added.contains("-O") && !added.contains(KEEPS_LOOPS), "{added}");
    }

    #[test]
    fn the_standard_is_the_commands_own_and_drivers_get_at_least_cpp14() {
        let old = command("g++", Language::Cxx, "-std=c++11");
        assert_eq!(standard(&old, false).as_deref(), Some("c++11"));
        assert_eq!(standard(&old, true).as_deref(), Some("gnu++14"));
        assert_eq!(standard(&command("g++", Language::Cxx, "-std=c++20"), true).as_deref(), Some("c++20"));
        assert_eq!(standard(&command("/usr/bin/g++-12", Language::Cxx, ""), true).as_deref(), Some("gnu++17"));
        assert_eq!(standard(&command("x86_64-linux-gnu-gcc", Language::C, ""), true).as_deref(), Some("gnu17"));
        assert_eq!(standard(&command("clang++-14", Language::Cxx, ""), true).as_deref(), Some("gnu++14"));
        assert_eq!(standard(&command("clang++", Language::Cxx, ""), true), None);
        assert_eq!(standard(&command("cc", Language::C, "-std=c99"), true).as_deref(), Some("c99"));
    }

    #[test]
    fn refused_options_are_read_from_clangs_and_gccs_messages() {
        let clang = "clang: error: unknown argument: '-fno-tree-sra'\n\
        error: unsupported argument 'x' to option '-fexcess-precision='\n\
                     a.c:1:1: error: unknown type name 'foo'\n";
        let refused = refused(clang);
        assert_eq!(refused.iter().map(String::as_str).collect::<Vec<_>>(), ["-fexcess-precision=", "-fno-tree-sra"]);
        assert!(is_refused("-fexcess-precision=fast", &refused) && !is_refused("-fno-tree-sra-x", &refused));
        let gcc = "gcc: error: unrecognized command-line option '-fcolor-x'; did you mean '-fcolor-y'?";
        assert_eq!(super::refused(gcc).iter().map(String::as_str).collect::<Vec<_>>(), ["-fcolor-x"]);
    }
}
