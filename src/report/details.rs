//! Details that a report reads from the output folder: the test that kills a mutant, and the killing input as values.
//! Both are optional.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The longest part of a file that is shown.
const MOST_SHOWN: u64 = 256 << 10;

/// A value of a decoded input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecodedValue {
    /// Its name: a parameter or a member.
    pub name: String,
    /// Its type.
    #[serde(default)]
    pub kind: String,
    /// As a literal.
    pub value: String,
}

/// The file with the values of an input: the input's path with `.json` appended.
pub fn decoded_path(input: &Path) -> PathBuf {
    let mut name = input.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Stores the values of the raw input at `input`.
///
/// # Errors
///
/// The file cannot be written.
pub fn write_decoded(input: &Path, values: &[DecodedValue]) -> io::Result<()> {
    fs::write(decoded_path(input), serde_json::to_string_pretty(values)? + "\n")
}

/// The values of an input, named as in the outcome; `None` if they were not stored.
pub fn decoded(output: &Path, input: &Path) -> Option<Vec<DecodedValue>> {
    serde_json::from_str(&read(output, &decoded_path(input))?).ok()
}

/// The first bytes of an input in hexadecimal, and its length.
pub fn bytes(output: &Path, input: &Path) -> Option<(String, usize)> {
    let raw = fs::read(inside(output, input)?).ok()?;
    let hex: Vec<String> = raw.iter().take(64).map(|byte| format!("{byte:02x}")).collect();
    let more = if raw.len() > 64 { " …" } else { "" };
    Some((format!("{}{more}", hex.join(" ")), raw.len()))
}

/// The source of a test (`tests/FILE#Suite.Name`, or `tests/FILE` for the whole file).
pub fn test_source(output: &Path, test: &str) -> Option<String> {
    let (file, name) = match test.split_once('#') {
        Some((file, name)) => (file, Some(name)),
        None => (test, None),
    };
    let text = read(output, Path::new(file))?;
    match name {
        None => Some(text),
        Some(name) => one_test(&text, name.rsplit('.').next()?),
    }
}

/// The test called `name` with the comment above it, in whatever framework: it begins with an unindented line that has
/// the name, and ends with a brace at the margin.
fn one_test(text: &str, name: &str) -> Option<String> {
    let in_c = format!("test_{name}");
    let is_apart = |c: char| !c.is_alphanumeric() && c != '_';
    let names = |line: &str| line.split(is_apart).any(|word| word == name || word == in_c);
    let quoted = format!(".{name}\")");
    let is_head = |line: &str| line.ends_with('{') && !line.starts_with([' ', '/']);
    let begins = |line: &&str| is_head(line) && (names(line) || line.contains(&quoted));
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(begins)?;
    let start = match lines[..at].last() {
        Some(&" */") => lines[..at].iter().rposition(|line| *line == "/*").unwrap_or(at),
        _ => lines[..at].iter().rposition(|line| !line.starts_with("//")).map_or(0, |before| before + 1),
    };
    let end = at + lines[at..].iter().position(|line| *line == "}")?;
    Some(lines[start..=end].join("\n") + "\n")
}

fn read(output: &Path, file: &Path) -> Option<String> {
    let path = inside(output, file)?;
    let size = fs::metadata(&path).ok()?.len();
    (size <= MOST_SHOWN).then(|| fs::read_to_string(path).ok()).flatten()
}

/// `file` within `output`; a name that leaves the folder is not followed.
fn inside(output: &Path, file: &Path) -> Option<PathBuf> {
    file.components().all(|part| matches!(part, Component::Normal(_))).then(|| output.join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_test_is_shown_with_its_comment_and_without_its_neighbours() {
        let text = "#include <x>\n\n// Kills a\nTEST(S, A) {\n  f();\n}\n\n// Kills b\nTEST(S, B) {\n}\n";
        assert_eq!(one_test(text, "A").unwrap(), "// Kills a\nTEST(S, A) {\n  f();\n}\n");
        assert_eq!(one_test(text, "C"), None);
        let of_a = "/*\n * Kills a\n */\nstatic void test_A(void) {\n  f();\n}\n";
        let in_c = format!("/*\n * Tests of all.\n */\n\n{of_a}\nint main(void) {{\n  test_A();\n}}\n");
        assert_eq!(one_test(&in_c, "A").unwrap(), of_a);
        let quoted = "// Kills a\nTEST_CASE(\"S.A\") {\n  f();\n}\n";
        assert_eq!(one_test(quoted, "A").unwrap(), quoted);
    }

    #[test]
    fn a_name_that_leaves_the_output_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        fs::create_dir(&output).unwrap();
        fs::write(folder.path().join("secret"), "x").unwrap();
        assert_eq!(test_source(&output, "../secret"), None);
        assert_eq!(test_source(&output, folder.path().join("secret").to_str().unwrap()), None);
    }

    #[test]
    fn a_decoded_input_stands_beside_the_raw_one() {
        let folder = tempfile::tempdir().unwrap();
        let values = vec![DecodedValue { name: "x".into(), kind: "double".into(), value: "-0.0".into() }];
        fs::write(folder.path().join("a.bin"), [0, 255]).unwrap();
        write_decoded(&folder.path().join("a.bin"), &values).unwrap();
        assert_eq!(decoded(folder.path(), Path::new("a.bin")), Some(values));
        assert_eq!(bytes(folder.path(), Path::new("a.bin")), Some(("00 ff".into(), 2)));
    }
}
