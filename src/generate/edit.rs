//! Texts of source files, and replacements in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Source texts, each read once.
#[derive(Default)]
pub struct Texts(BTreeMap<PathBuf, String>);

impl Texts {
    /// The text of a file.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn read(&mut self, path: &Path) -> Result<&String, String> {
        if !self.0.contains_key(path) {
            let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            // Latin-1 comments are common in old code: one byte stays one byte, so that offsets hold.
            let text = String::from_utf8(bytes).unwrap_or_else(|e| {
                e.into_bytes().into_iter().map(|b| if b.is_ascii() { b as char } else { '?' }).collect()
            });
            self.0.insert(path.to_path_buf(), text);
        }
        Ok(&self.0[path])
    }
}

/// Replacements `(start, end, text)` by offsets in one source text; they must not overlap.
pub struct Edits(pub Vec<(u32, u32, String)>);

impl Edits {
    /// The stretch `start..end` of `source` with all edits made.
    ///
    /// # Errors
    /// An edit or the stretch lies outside the text, or two edits overlap.
    pub fn apply(mut self, source: &str, start: u32, end: u32) -> Result<String, String> {
        self.0.sort();
        let mut out = String::new();
        let mut at = start;
        for (from, to, text) in &self.0 {
            if *from < at || *to > end {
                return Err("two renames overlap".into());
            }
            out.push_str(slice(source, at, *from)?);
            out.push_str(text);
            at = *to;
        }
        out.push_str(slice(source, at, end)?);
        Ok(out)
    }
}

fn slice(source: &str, start: u32, end: u32) -> Result<&str, String> {
    source.get(start as usize..end as usize).ok_or_else(|| "an offset lies outside the file".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_replace_from_left_to_right_and_refuse_to_overlap() {
        let edits = Edits(vec![(4, 5, "Y".into()), (1, 2, "XX".into())]);
        assert_eq!(edits.apply("abcdef", 0, 6).unwrap(), "aXXcdYf");
        assert!(Edits(vec![(1, 4, String::new()), (2, 3, String::new())]).apply("abcdef", 0, 6).is_err());
    }
}
