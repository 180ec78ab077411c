//! Whether the solver reads of the project's files what the compiler reads: both texts, preprocessed, line by line.
//!
//! So no option of a compiler has to be known here: one that changes what is read shows in a line.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// The text of each line of a file, once for each time that the file is included.
type Lines = BTreeMap<(PathBuf, usize), Vec<String>>;

/// The project's files.
pub(super) struct Own<'o> {
    /// The folders that they are in.
    pub folders: &'o [&'o Path],
    /// Where relative names start.
    pub directory: &'o Path,
}

impl Own<'_> {
    /// The first line of the project's files of which two preprocessed texts have not the same.
    pub(super) fn otherwise(&self, compiled: &str, asked: &str) -> Option<(PathBuf, usize)> {
        let (compiled, asked) = (self.lines(compiled), self.lines(asked));
        let differs = |one: &Lines, other: &Lines| {
            one.iter().find(|(place, text)| other.get(*place) != Some(*text)).map(|(place, _)| place.clone())
        };
        let found = [differs(&compiled, &asked), differs(&asked, &compiled)];
        found.into_iter().flatten().min()
    }

    fn lines(&self, text: &str) -> Lines {
        let mut lines = Lines::new();
        let mut known: HashMap<&str, Option<PathBuf>> = HashMap::new();
        let (mut file, mut number) = (None, 1);
        for line in text.lines() {
            if let Some((at, name)) = marker(line) {
                file = known.entry(name).or_insert_with(|| self.own(name)).clone();
                number = at;
                continue;
            }
            if let Some(file) = file.as_ref().filter(|_| !line.trim().is_empty()) {
                let words: Vec<&str> = line.split_whitespace().collect();
                lines.entry((file.clone(), number)).or_default().push(words.join(" "));
            }
            number += 1;
        }
        lines
    }

    fn own(&self, name: &str) -> Option<PathBuf> {
        let path = self.directory.join(name).canonicalize().ok()?;
        self.folders.iter().any(|folder| path.starts_with(folder)).then_some(path)
    }
}

/// The line and the file that a line marker names: `# 12 "a.h" 2`.
fn marker(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    Some((number.parse().ok()?, rest.strip_prefix('"')?.rsplit_once('"')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_project_are_compared_with_what_macros_made_of_them_and_others_are_not() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        std::fs::write(root.join("a.c"), "").unwrap();
        let own = Own { folders: &[&root], directory: &root };
        let text = |at: usize, line: &str, system: &str| {
            let ends = "# 1 \"/usr/include/x.h\" 1";
            format!("# 1 \"<built-in>\" 1\n{system}\n# {at} \"a.c\" 2\n\n  {line}\n{ends}\n{system}\n")
        };
        let differs = |one: &str, other: &str| own.otherwise(one, other).map(|(_, line)| line);
        assert_eq!(differs(&text(3, "int  a;", "x"), &text(3, "int a;", "y")), None);
        assert_eq!(differs(&text(3, "int a;", ""), &text(3, "int b;", "")), Some(4), "another macro");
        assert_eq!(differs(&text(3, "int a;", ""), &text(6, "int a;", "")), Some(4), "another branch");
        assert_eq!(differs(&text(3, "", ""), &text(6, "int a;", "")), Some(7), "in one of them only");
        let twice = text(3, "int a;", "").repeat(2);
        assert_eq!(differs(&text(3, "int a;", ""), &twice), Some(4), "read once more");
    }
}
