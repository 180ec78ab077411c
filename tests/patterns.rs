//! Texts that the runtime makes of regular expressions match them, whatever the bytes choose.

use motif_cpp::overrides::pattern::{Format, checked};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = include_str!("sources/patterns/main.c");

#[test]
fn every_text_that_is_made_matches_its_pattern_and_they_differ() {
    use Format::*;
    let formats = [Iso8601, Iso8601Date, Iso8601Time, Uuid, Ipv4, Email, Integer, Decimal, Hex, Identifier];
    let more = [
        "[A-Z]{3}-\\d+",
        "a|bc|(d|e)f?",
        "[^a-z\"]{2,5}",
        "[]x-]+",
        "[\\]\\\\a-c]*z",
        "(ab{0,2}){3}",
        "\\w+@\\w+\\.(com|org)",
        ".{10}",
        "(?:x|y)+?",
        "",
    ];
    let patterns: Vec<String> =
        formats.iter().map(|format| format.pattern()).chain(more).map(|text| checked(text).unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("main.c");
    std::fs::write(&source, PROGRAM).unwrap();
    let program = folder.path().join("main");
    let built = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime"))
        .args([&source, Path::new("-o"), &program])
        .output()
        .expect("cc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let made = Command::new(&program).args(&patterns).output().unwrap();
    assert!(made.status.success() && made.stderr.is_empty(), "{}", String::from_utf8_lossy(&made.stderr));
    let made = String::from_utf8(made.stdout).unwrap();
    for (number, pattern) in patterns.iter().enumerate() {
        let start = format!("{number} ");
        let texts: Vec<&str> = made.lines().filter_map(|line| line.strip_prefix(&start)).collect();
        assert_eq!(texts.len(), 300, "{pattern}");
        let different: std::collections::BTreeSet<&&str> = texts.iter().collect();
        let least = if pattern.is_empty() { 1 } else { 5 };
        assert!(different.len() >= least, "{pattern} makes only {different:?}");
        let failing = not_matching(pattern, &texts);
        assert!(failing.is_empty(), "{pattern} makes {failing}");
    }
}

/// Those lines that the whole pattern does not match, by an implementation that is not ours.
fn not_matching(pattern: &str, texts: &[&str]) -> String {
    let mut grep = Command::new("grep")
        .args(["-vxP", "-e", pattern])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("grep runs");
    grep.stdin.take().unwrap().write_all((texts.join("\n") + "\n").as_bytes()).unwrap();
    String::from_utf8(grep.wait_with_output().unwrap().stdout).unwrap()
}
