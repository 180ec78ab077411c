//! Lines of a compiler's output.

/// A message with its place, as GCC and clang print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message<'l> {
    pub file: &'l str,
    pub line: u32,
    /// 0 if there is none.
    pub column: usize,
    /// Its kind, and its text.
    pub text: &'l str,
}

impl<'l> Message<'l> {
    /// Reads `FILE:LINE:COLUMN: text` or `FILE:LINE: text`.
    pub fn read(line: &'l str) -> Option<Self> {
        let (place, text) = line.split_once(": ")?;
        let (head, last) = place.rsplit_once(':')?;
        let last: u32 = last.parse().ok()?;
        match head.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => Some(Self { file, line, column: last as usize, text }),
            None => Some(Self { file: head, line: last, column: 0, text }),
        }
    }

    /// The text of an error.
    pub fn error(&self) -> Option<&'l str> {
        self.text.strip_prefix("error: ").or_else(|| self.text.strip_prefix("fatal error: "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_places_whatever_the_file_is_called() {
        let read = Message::read("/a b/c:d.cpp:12:7: error: expected ';': here").unwrap();
        assert_eq!((read.file, read.line, read.column), ("/a b/c:d.cpp", 12, 7));
        assert_eq!(read.error(), Some("expected ';': here"));
        let note = Message::read("/a.h:1: note: in instantiation of x").unwrap();
        assert_eq!((note.file, note.line, note.column, note.error()), ("/a.h", 1, 0, None));
        assert_eq!(Message::read("1 error generated."), None);
        assert_eq!(Message::read("clang: error: no such file"), None);
    }
}
