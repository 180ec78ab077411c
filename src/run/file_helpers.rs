//! What tests of functions that open files have beside them: to make a file, and to read it.

use crate::generate::expect::TestBody;
use crate::generate::lower::files::{MAKES, READS};
use crate::model::Language;

const MAKES_IN_C: &str = "/* Makes a file with this content. */
static const char *file_with(const char *name, const char *content, size_t size) {
  FILE *file = fopen(name, \"wb\");
  if (file) {
    fwrite(content, 1, size, file);
    fclose(file);
  }
  return name;
}";

const READS_IN_C: &str = "/* What is in a file. */
static const char *content_of(const char *name) {
  static char content[4097];
  FILE *file = fopen(name, \"rb\");
  content[file ? fread(content, 1, sizeof content - 1, file) : 0] = 0;
  if (file) fclose(file);
  return content;
}";

const MAKES_IN_CXX: &str = "// Makes a file with this content.
static const char *file_with(const char *name, const char *content, std::size_t size) {
  std::ofstream(name, std::ios::binary).write(content, static_cast<std::streamsize>(size));
  return name;
}";

const READS_IN_CXX: &str = "// What is in a file.
static std::string content_of(const char *name) {
  std::string content(4096, 0);
  std::ifstream file(name, std::ios::binary);
  file.read(&content[0], static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  return content;
}";

/// The helpers that a test calls.
pub(super) fn needed(body: &TestBody, language: Language) -> impl Iterator<Item = &'static str> {
    let text = format!("{:?}{:?}{:?}", body.setup, body.call, body.checks);
    let (makes, reads) = match language {
        Language::C => (MAKES_IN_C, READS_IN_C),
        Language::Cxx => (MAKES_IN_CXX, READS_IN_CXX),
    };
    [(MAKES, makes), (READS, reads)].into_iter().filter(move |(call, _)| text.contains(call)).map(|(_, helper)| helper)
}
