//! A C++ source with the project's own headers in it, for a solver that has its own of the standard library.
//!
//! Directives stay, so that each compiler does with them what it does; `#include` of a file of the project becomes its
//! text. Files may be replaced on the way: that is how mutants get in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most bytes of such a text.
const MOST: usize = 8 << 20;

/// What becomes of `#include`.
pub struct Flat<'f> {
    /// Where headers are looked for, in order.
    pub folders: &'f [PathBuf],
    /// Texts in the place of files.
    pub replaced: &'f BTreeMap<PathBuf, Vec<u8>>,
    /// Whether a file's text is put in.
    pub is_own: &'f dyn Fn(&Path) -> bool,
}

impl Flat<'_> {
    /// The text of `source` with all that it includes of the project.
    ///
    /// # Errors
    /// A file can't be read, is not text, or all of it is too much.
    pub fn text(&self, source: &Path) -> Result<String, String> {
        let mut out = String::new();
        self.put(source, &mut Vec::new(), &mut out)?;
        Ok(out)
    }

    fn put(&self, file: &Path, within: &mut Vec<PathBuf>, out: &mut String) -> Result<(), String> {
        let bytes = match self.replaced.get(file) {
            Some(bytes) => bytes.clone(),
            None => std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?,
        };
        let text = String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8", file.display()))?;
        let once = text.lines().any(|line| directive(line) == Some("pragma once"));
        if once {
            let guard = name_of(file);
            out.push_str(&format!("#ifndef {guard}\n#define {guard}\n"));
        }
        within.push(file.to_path_buf());
        let place = |line: usize| format!("#line {line} \"{}\"\n", file.display());
        out.push_str(&place(1));
        for (number, line) in text.lines().enumerate() {
            if out.len() > MOST {
                return Err("its text is too long for the solver".into());
            }
            let said = directive(line);
            match said.and_then(included) {
                Some((name, quoted)) => match self.find(name, quoted, file) {
                    // It is being read already, so that its guard leaves nothing of it.
                    Some(found) if within.contains(&found) => out.push('\n'),
                    Some(found) => {
                        self.put(&found, within, out)?;
                        out.push_str(&place(number + 2));
                    }
                    None => out.push_str(&format!("{line}\n")),
                },
                None if said == Some("pragma once") => out.push('\n'),
                None => out.push_str(&format!("{line}\n")),
            }
        }
        within.pop();
        if once {
            out.push_str("#endif\n");
        }
        Ok(())
    }

    /// The file of the project that an `#include` names.
    fn find(&self, name: &str, quoted: bool, from: &Path) -> Option<PathBuf> {
        let own = from.parent().filter(|_| quoted).map(Path::to_path_buf);
        let found = own.iter().chain(self.folders).map(|folder| folder.join(name)).find(|path| path.is_file())?;
        let found = found.canonicalize().ok()?;
        (self.is_own)(&found).then_some(found)
    }
}

/// A preprocessor's directive, without `#` and with single spaces.
fn directive(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix('#')?.trim_start();
    Some(if rest.split_whitespace().eq(["pragma", "once"]) { "pragma once" } else { rest })
}

/// The file that an `include` names, and whether it is quoted.
fn included(directive: &str) -> Option<(&str, bool)> {
    let rest = directive.strip_prefix("include")?.trim_start();
    let (close, quoted) = match rest.chars().next()? {
        '"' => ('"', true),
        '<' => ('>', false),
        _ => return None,
    };
    Some((rest[1..].split_once(close)?.0, quoted))
}

/// A macro's name that stands for a file.
fn name_of(file: &Path) -> String {
    let plain: String =
        file.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("MOTIF_ONCE_{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_project_are_put_in_once_and_others_stay_included() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        write("a.cpp", "#include <vector>\n#include \"b.hpp\"\n# include \"b.hpp\"\nint a;\n");
        write("b.hpp", "#pragma once\n#include \"c.hpp\"\nint b;\n");
        write("c.hpp", "#ifndef C\n#define C\n#include \"b.hpp\"\nint c;\n#endif\n");
        let replaced = BTreeMap::from([(root.join("c.hpp"), b"int replaced;\n".to_vec())]);
        let flat = |replaced: &BTreeMap<PathBuf, Vec<u8>>| {
            let own = |path: &Path| path.starts_with(&root);
            Flat { folders: &[], replaced, is_own: &own }.text(&root.join("a.cpp")).unwrap()
        };
        let text = flat(&BTreeMap::new());
        assert!(text.contains("#include <vector>") && !text.contains("#include \"b.hpp\""), "{text}");
        assert_eq!(text.matches("int b;").count(), 2, "a macro keeps the second one out: {text}");
        assert_eq!(text.matches("#ifndef MOTIF_ONCE_").count(), 2);
        assert!(flat(&replaced).contains("int replaced;") && !flat(&replaced).contains("int c;"));
    }
}
