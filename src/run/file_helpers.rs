//! What tests have beside them: to make a file and to read it, and to keep what is written to standard output.

use crate::generate::expect::{OUTPUT_BEGINS, TestBody};
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

/// Standard output is kept from here on; what ends that follows. The two languages differ in the head and in a prefix.
macro_rules! output_helper {
    ($head:literal, $std:literal, $ends:literal) => {
        concat!(
            $head,
            " {\n  int ends[2] = {-1, -1};\n  ",
            $std,
            "fflush(stdout);\n  if (pipe(ends) != 0) ",
            $std,
            "abort();\n  fcntl(ends[1], F_SETFL, O_NONBLOCK);\n  kept_stdout = ends[0];\n  real_stdout = dup(1);\n  \
             dup2(ends[1], 1);\n  close(ends[1]);\n}\n\n",
            $ends
        )
    };
}

const OUTPUT_IN_C: &str = output_helper!(
    "/* What is written to standard output between these two. */
static int real_stdout, kept_stdout;

static void start_of_output(void)",
    "",
    "static const char *end_of_output(void) {
  static char text[16384];
  size_t length = 0;
  long got;
  fflush(stdout);
  dup2(real_stdout, 1);
  close(real_stdout);
  while ((got = (long)read(kept_stdout, text + length, sizeof text - 1 - length)) > 0) length += (size_t)got;
  close(kept_stdout);
  text[length] = 0;
  return text;
}"
);

const OUTPUT_IN_CXX: &str = output_helper!(
    "// What is written to standard output between these two.
static int real_stdout, kept_stdout;

static void start_of_output()",
    "std::",
    "static std::string end_of_output() {
  std::string text;
  char part[1024];
  std::fflush(stdout);
  dup2(real_stdout, 1);
  close(real_stdout);
  for (ssize_t got; (got = read(kept_stdout, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(got));
  }
  close(kept_stdout);
  return text;
}"
);

/// The helpers that a test calls.
pub(super) fn needed(body: &TestBody, language: Language) -> impl Iterator<Item = &'static str> {
    let text = format!("{:?}{:?}{:?}", body.setup, body.call, body.checks);
    let (makes, reads, output) = match language {
        Language::C => (MAKES_IN_C, READS_IN_C, OUTPUT_IN_C),
        Language::Cxx => (MAKES_IN_CXX, READS_IN_CXX, OUTPUT_IN_CXX),
    };
    [(MAKES, makes), (READS, reads), (OUTPUT_BEGINS, output)]
        .into_iter()
        .filter(move |(call, _)| text.contains(call))
        .map(|(_, helper)| helper)
}
