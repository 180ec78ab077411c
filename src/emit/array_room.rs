//! Arrays with no more elements than are read and written: in a trial an array ends where a page begins that nobody may
//! touch, so that nothing looks further.

use super::TestCase;
use super::lines::{declared, is_in_text};
use super::render::has_word;
use crate::cpp::literal_length;
use crate::model::Language;
use crate::outcome::How;
use crate::types::arithmetic::primitive;
use crate::types::spelling::replace_word;

/// The function of a trial that copies memory to the end of a page.
const GUARDED: &str = "motif_guarded";

/// So many lengths are tried: as many as one digit tells apart.
const MOST_LENGTHS: usize = 8;

/// An array of a test, and the lengths that could do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Room {
    name: String,
    /// The type of its elements.
    of: String,
    elements: usize,
    /// From the least on.
    pub(super) lengths: Vec<usize>,
}

/// The array that a statement declares with more elements than may be needed. What a mutant reads behind an array makes
/// it crash, so crashes say nothing of the room.
pub(super) fn room(case: &TestCase, statement: usize) -> Option<Room> {
    let line = case.statements[statement].as_str();
    if line.contains('\n') || !matches!(case.how, How::Output | How::State | How::Exception) {
        return None;
    }
    let Declared { name, of, elements, used } = array(line, case.language)?;
    let behind = || case.statements[statement + 1..].iter().chain(&case.call).chain(&case.behind_call);
    let others = || behind().chain(&case.take_down);
    let is_measured = |line: &String| has_word(line, "sizeof") && has_word(line, name);
    let is_hidden =
        is_in_text(line, name) || others().any(is_measured) || format!("{:?}", case.checks).contains("sizeof");
    if is_hidden || case.statements[..statement].iter().any(|line| has_word(line, name)) {
        return None;
    }
    let set = behind().filter_map(|line| reaches(line, name)).max().unwrap_or_default();
    // (Of what fills an array to its end nothing says where that begins to be needed.)
    let is_full = used == elements && line.ends_with("};");
    let least = if is_full { set.max(1) } else { used.max(set).max(1) };
    let numbers = behind().flat_map(|line| numbers(line)).flat_map(|number| [number, number.saturating_add(1)]);
    let powers = (1..).map(|power| 1 << power).take_while(|length| *length < elements);
    let mut lengths: Vec<usize> = numbers.filter(|number| (least..elements).contains(number)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths.truncate(MOST_LENGTHS / 2);
    lengths.extend(powers.filter(|length| *length > least));
    lengths.push(least);
    lengths.sort_unstable();
    lengths.dedup();
    lengths.truncate(MOST_LENGTHS);
    (least < elements).then(|| Room { name: name.to_owned(), of: of.to_owned(), elements, lengths })
}

struct Declared<'l> {
    name: &'l str,
    of: &'l str,
    elements: usize,
    /// So many have a value of their own.
    used: usize,
}

/// `char text[100] = "a";`, `int numbers[9] = {1, 2};`, in C `char *text = calloc(100, sizeof *text);`
fn array(line: &str, language: Language) -> Option<Declared<'_>> {
    let name = declared(line)?;
    if let Some((head, rest)) = line.split_once(" = calloc(") {
        let elements = rest.strip_suffix(&format!(", sizeof *{name});"))?.parse().ok()?;
        let of = head.strip_suffix(name)?.strip_suffix(" *")?;
        return (language == Language::C && is_type(of)).then_some(Declared { name, of, elements, used: 0 });
    }
    let (head, value) = line.strip_suffix(';')?.split_once("] = ")?;
    let (declarator, elements) = head.rsplit_once('[')?;
    let of = declarator.strip_suffix(name)?.strip_suffix(' ')?;
    let used = match value.strip_prefix('{').and_then(|list| list.strip_suffix('}')) {
        Some("" | "0") => 0,
        // (A quotation mark among characters begins no text.)
        Some(list) if list.replace("'\"'", "").contains(['{', '"']) => return None,
        Some(list) => list.split(", ").count(),
        None if value.starts_with('"') => literal_length(value) + 1,
        None => return None,
    };
    // In C++ an object may not be such that can be copied byte by byte.
    let is_plain = language == Language::C || primitive(of.strip_prefix("const ").unwrap_or(of)).is_some();
    (is_plain && is_type(of)).then_some(Declared { name, of, elements: elements.parse().ok()?, used })
}

fn is_type(text: &str) -> bool {
    !text.starts_with("static ") && text.chars().all(|c| c.is_alphanumeric() || "_: ".contains(c))
}

/// How many elements a line needs that sets some: `text[3] = 'a';`, `strcpy(text, "ab");`, `memcpy(text, "ab", 2);`.
fn reaches(line: &str, name: &str) -> Option<usize> {
    if let Some((place, _)) = line.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.split_once("] = ")) {
        return place.parse::<usize>().ok().map(|place| place + 1);
    }
    copied(line, name).map(|(_, elements)| elements)
}

/// The literal that a line copies into an array, and how many elements that needs.
fn copied<'l>(line: &'l str, name: &str) -> Option<(&'l str, usize)> {
    let arguments = |function: &str| line.strip_prefix(function)?.strip_prefix(name)?.strip_prefix(", ");
    if let Some(literal) = arguments("strcpy(").and_then(|rest| rest.strip_suffix(");")) {
        return literal.starts_with('"').then(|| (literal, literal_length(literal) + 1));
    }
    let (literal, elements) = arguments("memcpy(")?.strip_suffix(");")?.rsplit_once(", ")?;
    literal.starts_with('"').then_some((literal, elements.parse().ok()?))
}

/// The whole numbers in a line.
fn numbers(line: &str) -> impl Iterator<Item = usize> + '_ {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter_map(|word| word.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok())
}

impl Room {
    /// The declaration in a trial: `asked` says which of the lengths is tried.
    pub(super) fn trial(&self, line: &str, asked: &str) -> String {
        let Self { name, of, lengths, .. } = self;
        let whole = format!("motif_whole_{name}");
        let lengths = lengths.iter().enumerate();
        let lengths: String = lengths.map(|(way, length)| format!("{asked} == {} ? {length} : ", way + 1)).collect();
        let cut = format!("{GUARDED}({whole}, ({lengths}0) * sizeof *{whole})");
        format!("{} {of} *const {name} = ({asked} ? ({of} *){cut} : {whole});", replace_word(line, name, &whole))
    }

    /// The declaration with so many elements; without a number where the values say it.
    pub(super) fn cut(&self, line: &str, length: usize) -> String {
        let Self { name, elements, .. } = self;
        let shorter = with_fewer(line, length);
        let line = shorter.as_deref().unwrap_or(line);
        let (was, declared) = (format!("{name}[{elements}] = "), array(line, Language::C));
        // (Nobody writes `= {0}` for an array without a number.)
        let is_said = declared.is_some_and(|declared| declared.used == length);
        let is = if is_said { format!("{name}[] = ") } else { format!("{name}[{length}] = ") };
        if line.contains(&was) {
            return line.replacen(&was, &is, 1);
        }
        let count = line.replacen(&format!("[{elements}]"), &format!("[{length}]"), 1);
        count.replacen(&format!("calloc({elements},"), &format!("calloc({length},"), 1)
    }
}

/// A declaration whose list has more values than so many, with these alone.
fn with_fewer(line: &str, length: usize) -> Option<String> {
    let (head, list) = line.strip_suffix("};")?.split_once(" = {")?;
    let values: Vec<&str> = list.split(", ").collect();
    (values.len() > length).then(|| format!("{head} = {{{}}};", values[..length].join(", ")))
}

/// The function that trials with such arrays have. It declares what it needs, since a project may ask for a standard
/// without it.
pub(super) fn guarded(language: Language) -> String {
    let linkage = if language == Language::C { "extern " } else { "extern \"C\" " };
    format!(
        "{linkage}void *motif_map(void *, __SIZE_TYPE__, int, int, int, long) __asm__(\"mmap\");\n\
         {linkage}int motif_protect(void *, __SIZE_TYPE__, int) __asm__(\"mprotect\");\n\
         static void *{GUARDED}(const void *from, __SIZE_TYPE__ size) {{\n  \
         const __SIZE_TYPE__ page = 65536, room = (size + page - 1) / page * page;\n  \
         char *start = (char *)motif_map(0, room + page, 3, 0x22, -1, 0);\n  \
         if (motif_protect(start + room, page, 0) != 0) __builtin_abort();\n  \
         return __builtin_memcpy(start + room - size, from, size);\n}}"
    )
}

/// `T list[2] = {0};` and a line for each element from the first on as `T list[] = {1, 2};`, with a text that is copied
/// as `T list[] = "text";`, and with all of it filled as `T list[2];`.
pub(super) fn put_elements_into_list(statements: &mut Vec<String>) {
    let mut at = 0;
    while at < statements.len() {
        if let Some((line, lines)) = with_elements(&statements[at..]) {
            statements.splice(at..=at + lines, [line]);
        }
        at += 1;
    }
}

/// The first line with the elements that the next lines set, and how many lines these are.
fn with_elements(lines: &[String]) -> Option<(String, usize)> {
    let (line, rest) = lines.split_first()?;
    let (head, value) = line.split_once("] = ").filter(|(_, value)| matches!(*value, "{0};" | "{};"))?;
    let name = declared(line)?;
    let (declared_so, length) = head.rsplit_once('[')?;
    let length: usize = length.parse().ok()?;
    if rest.first().is_some_and(|line| line.starts_with(&format!("std::fill_n({name}, {length}, "))) {
        return Some((format!("{declared_so}[{length}];"), 0));
    }
    if let Some((literal, elements)) = rest.first().and_then(|line| copied(line, name)) {
        // (What is no text by itself ends without a zero.)
        let is_whole = elements == length && literal_length(literal) < elements;
        let head = if is_whole { format!("{declared_so}[") } else { head.to_owned() };
        return (literal_length(literal) < length).then(|| (format!("{head}] = {literal};"), 1));
    }
    let is_one = |value: &str| value.chars().all(|c| c.is_alphanumeric() || "_.:'-\\".contains(c));
    let element = |(place, line): (usize, &'_ String)| {
        let value = line.strip_prefix(&format!("{name}[{place}] = "))?.strip_suffix(';')?;
        (is_one(value) && !has_word(value, name)).then(|| value.to_owned())
    };
    let values: Vec<String> = rest.iter().enumerate().map_while(element).collect();
    if values.is_empty() || value.is_empty() {
        return None;
    }
    let head = if values.len() == length { format!("{declared_so}[") } else { head.to_owned() };
    Some((format!("{head}] = {{{}}};", values.join(", ")), values.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(language: Language, statements: &[&str], call: &str) -> TestCase {
        let statements = statements.iter().map(|line| (*line).to_owned()).collect();
        TestCase { language, statements, call: Some(call.to_owned()), ..TestCase::sample("m") }
    }

    #[test]
    fn an_array_has_the_length_that_the_call_is_told_or_a_power_of_two() {
        let found = |line: &str, call: &str| room(&case(Language::Cxx, &[line], call), 0).map(|room| room.lengths);
        assert_eq!(found("char text[100] = \"ab\";", "f(text, 5);"), Some(vec![3, 4, 5, 6, 8, 16, 32, 64]));
        assert_eq!(found("unsigned char b[8] = {1, 2, 3};", "f(b, 3UL);"), Some(vec![3, 4]));
        assert_eq!(found("unsigned char b[3] = {1, 2, 3};", "f(b, 3UL);"), Some(vec![1, 2]));
        assert_eq!(found("char b[3] = \"ab\";", "f(b, 3UL);"), None);
        assert_eq!(found("char b[100] = {0, '\"'};", "f(b, 7);"), Some(vec![2, 4, 7, 8, 16, 32, 64]));
        assert_eq!(found("char *b[4] = {\"a\"};", "f(b, 1);"), None);
        assert_eq!(found("char text[100] = \"text\";", "f(text);"), None, "a word of the text");
        assert_eq!(found("char text[100] = \"a\";", "f(text, sizeof text);"), None);
        assert_eq!(found("Point points[100] = {};", "f(points);"), None);
        assert_eq!(found("char *all[100] = {a, b};", "f(all);"), None);
        let lines = ["char *text = calloc(9, sizeof *text);", "text[2] = 'a';"];
        assert_eq!(room(&case(Language::C, &lines, "f(text);"), 0).map(|room| room.lengths), Some(vec![3, 4, 8]));
        let crash = TestCase { how: How::Crash, ..case(Language::C, &lines, "f(text);") };
        assert_eq!(room(&crash, 0), None);
    }

    #[test]
    fn an_array_says_its_length_where_its_values_do_not() {
        let cut = |line: &str, length: usize| {
            let found = room(&case(Language::C, &[line], "f(text);"), 0).unwrap();
            found.cut(line, length)
        };
        assert_eq!(cut("char text[100] = \"ab\";", 3), "char text[] = \"ab\";");
        assert_eq!(cut("char text[100] = \"ab\";", 4), "char text[4] = \"ab\";");
        assert_eq!(cut("int text[9] = {1, 2};", 2), "int text[] = {1, 2};");
        assert_eq!(cut("int text[9] = {0};", 1), "int text[1] = {0};");
        assert_eq!(cut("char text[3] = {'a', 'b', 'c'};", 2), "char text[] = {'a', 'b'};");
        let line = "char *text = calloc(9, sizeof *text);";
        let found = room(&case(Language::C, &[line], "f(text);"), 0).unwrap();
        assert_eq!(found.cut("char *text = (char[9]){0};", 2), "char *text = (char[2]){0};");
        assert_eq!(found.cut(line, 2), "char *text = calloc(2, sizeof *text);");
    }

    #[test]
    fn elements_stand_in_the_list() {
        let folded = |lines: &[&str]| {
            let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            put_elements_into_list(&mut lines);
            lines
        };
        assert_eq!(
            folded(&["char b[2] = {0};", "b[0] = 'a';", "b[1] = -1;", "f(b);"]),
            ["char b[] = {'a', -1};", "f(b);"]
        );
        assert_eq!(folded(&["int b[3] = {};", "b[0] = 7;", "b[2] = 1;"]), ["int b[3] = {7};", "b[2] = 1;"]);
        assert_eq!(folded(&["int b[3] = {0};", "b[1] = 7;"]), ["int b[3] = {0};", "b[1] = 7;"]);
        let texts = ["char b[4] = {0};", "strcpy(b, \"abc\");", "memcpy(c, \"ab\", 2);"];
        assert_eq!(folded(&texts), ["char b[] = \"abc\";", texts[2]]);
        assert_eq!(folded(&["char b[9] = {0};", "memcpy(b, \"abc\", 3);"]), ["char b[9] = \"abc\";"]);
        assert_eq!(folded(&["char b[3] = {0};", "memcpy(b, \"abc\", 3);"]).len(), 2);
        let filled = ["char b[9] = {};", "std::fill_n(b, 9, 'a');"];
        assert_eq!(folded(&filled), ["char b[9];", filled[1]]);
        let begun = ["char b[9] = {};", "std::fill_n(b, 8, 'a');"];
        assert_eq!(folded(&begun), begun);
        assert_eq!(folded(&["P b[1] = {};", "b[0] = P(1, 2);"]), ["P b[1] = {};", "b[0] = P(1, 2);"]);
    }
}
