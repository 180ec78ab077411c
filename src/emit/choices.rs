//! What a test could do without: statements that change what it has made, and values that could be plainer.

use super::array_room::{self, Room};
use super::changed_object::changed_object;
use super::content_lengths::with_lengths;
use super::lines::declared;
use super::on_stack::on_stack;
use super::plainer::literals;
use super::sentinels::{filled, sentinel};
use super::unused::leave_out_unused;
use super::{TestCase, cleared, fewer_arguments, null_arguments, render, written};
use crate::cpp;
use crate::generate::lower::files::MAKES;
use crate::generate::undefined_symbols::FORGETS;
use crate::model::Language;
use crate::outcome::How;
use std::ops::Range;

/// The function that says which choice is made in a trial.
const ASKED: &str = "motif_simpler";
/// The variable of the environment with a digit for each choice.
pub(super) const MADE: &str = "MOTIF_SIMPLER";

/// A part of a test that could be left out, or be plainer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// The statement; none for the call.
    statement: Option<usize>,
    range: Range<usize>,
    /// What could stand there instead; one that is empty leaves the statement out.
    pub(super) simpler: Vec<String>,
    how: Trial,
}

/// What fills an object that is not cleared.
const NOT_ZERO: &str = "0x5a";

/// How a trial makes a choice.
#[derive(Clone, Debug, PartialEq)]
enum Trial {
    /// By a conditional expression or statement.
    Text,
    /// The statement fills an array, of which each way keeps so many elements: a trial clears the others.
    Contents { array: String, kept: Vec<usize> },
    /// The statement declares an array, which a trial gives other values by this statement.
    Filled(String),
    /// The statement constructs an object, with fewer arguments: this builds only where such objects can be moved.
    Arguments,
    /// The statement declares an array, with less room: this builds only where a pointer can stand for it.
    Room(Room),
    /// The test ends an object at last, which it has given away.
    Ending(String),
    /// The argument could be null; whether a mutant tells the difference by a crash.
    Null { by_crash: bool },
    /// The statement clears an object, which may have no need of that: in a trial no byte of it is zero.
    Clearing,
}

impl Choice {
    fn of_statement(number: usize, range: Range<usize>, simpler: Vec<String>) -> Self {
        Self { statement: Some(number), range, simpler, how: Trial::Text }
    }

    /// Whether a trial with this choice may not build, though the test does.
    pub(super) fn may_not_build(&self) -> bool {
        matches!(self.how, Trial::Arguments | Trial::Room(_) | Trial::Null { .. } | Trial::Ending(_))
    }

    /// Whether a mutant may crash by it alone.
    pub(super) fn makes_crash(&self) -> bool {
        matches!(self.how, Trial::Room(_) | Trial::Null { by_crash: false })
    }

    /// Whether it gives an array less room.
    pub(super) fn takes_room(&self) -> bool {
        matches!(self.how, Trial::Room(_))
    }
}

/// The choices of a test. Its values are minimised before, those of a crash as far as the search could go on, those of
/// a hang not.
pub(super) fn of(case: &TestCase) -> Vec<Choice> {
    let mut all = Vec::new();
    if case.by_hand {
        return all;
    }
    let as_found = case.as_found || matches!(case.how, How::Crash | How::Sanitizer | How::Hang);
    // What is made last was mostly set last.
    for (number, line) in case.statements.iter().enumerate().rev() {
        // (`a.resize(2, 2);` is for the elements that are set behind it.)
        let is_room = changed_object(line).is_some_and(|object| {
            let sets = |line: &String| ["(", "["].iter().any(|open| line.starts_with(&format!("{object}{open}")));
            !line.contains('=') && case.statements[number + 1..].iter().any(sets)
        });
        if is_room {
            continue;
        }
        let is_set = changed_object(line).is_some_and(|object| is_whole_without(case, number, object))
            || is_told_what_was_made(case, number);
        if is_set || render::sets_failing_call(line) || line == FORGETS {
            all.push(Choice::of_statement(number, 0..line.len(), vec![String::new()]));
        }
        if line == FORGETS {
            continue;
        }
        all.extend(shorter_array(line, case.language, as_found).map(|(array, ways)| {
            let (kept, simpler) = ways.into_iter().unzip();
            let how = Trial::Contents { array, kept };
            Choice { how, ..Choice::of_statement(number, 0..line.len(), simpler) }
        }));
        let may_fill = shorter_array(line, case.language, as_found).is_none();
        all.extend(filled(case, line).filter(|_| may_fill).map(|[sets, filled]| {
            let how = Trial::Filled(sets);
            Choice { how, ..Choice::of_statement(number, 0..line.len(), vec![filled]) }
        }));
        if case.language == Language::C && cleared::is_made_ready_then(&case.statements[number..]) {
            let how = Trial::Clearing;
            all.push(Choice { how, ..Choice::of_statement(number, 0..line.len(), vec![String::new()]) });
        }
        let on_stack = on_stack(line).filter(|_| case.language == Language::C);
        all.extend(on_stack.map(|(range, object)| Choice::of_statement(number, range, vec![object])));
        all.extend(array_room::room(case, number).map(|room| {
            let lengths = room.lengths.iter().map(usize::to_string).collect();
            Choice { how: Trial::Room(room), ..Choice::of_statement(number, 0..line.len(), lengths) }
        }));
        all.extend(empty_file(line).map(|(range, name)| Choice::of_statement(number, range, vec![name])));
        let simpler = case.fewer_arguments.get(line).map(|counts| fewer_arguments::shorter(line, counts));
        if let Some(simpler) = simpler.filter(|ways| !ways.is_empty()) {
            all.push(Choice { how: Trial::Arguments, ..Choice::of_statement(number, 0..line.len(), simpler) });
        }
        if !is_fixed(line) && !render::sets_failing_call(line) {
            // (Which element is set is no value.)
            let place = line.split_once(") = ").map_or(0, |(place, _)| place.len());
            let other = sentinel(case, line);
            let is_held = |range: &Range<usize>| other.as_ref().is_some_and(|(held, _)| held == range);
            let values = literals(line, as_found).filter(|(range, _)| range.start >= place && !is_held(range));
            let values = with_lengths(case, line, values).into_iter();
            let other = other.clone().map(|(range, other)| (range, vec![other]));
            all.extend(values.chain(other).map(|(range, simpler)| Choice::of_statement(number, range, simpler)));
        }
    }
    all.extend(case.may_take_down.iter().map(|line| Choice {
        statement: None,
        range: 0..0,
        simpler: Vec::new(),
        how: Trial::Ending(line.clone()),
    }));
    if let Some(call) = &case.call {
        let values = with_lengths(case, call, literals(call, as_found));
        let of_call = |(range, simpler)| Choice { statement: None, ..Choice::of_statement(0, range, simpler) };
        all.extend(values.into_iter().map(of_call));
    }
    // (What only a sanitizer sees is of the very memory that is passed.)
    let may_be_null = Some(null_arguments::places(case)).filter(|_| case.how != How::Sanitizer);
    all.extend(may_be_null.into_iter().flatten().map(|(statement, range)| Choice {
        statement,
        range,
        simpler: vec![cpp::null(case.language).to_owned()],
        how: Trial::Null { by_crash: case.how == How::Crash },
    }));
    all
}

/// The standard of a trial in which objects are chosen: since C++17 they need not be such that can be moved.
pub(super) fn newer_standard(trial: &str, args: &[String]) -> Option<String> {
    const NEW: [&str; 8] = ["17", "1z", "20", "2a", "23", "2b", "26", "2c"];
    let is_new = |arg: &String| arg.starts_with("-std=") && NEW.iter().any(|year| arg.ends_with(year));
    let chooses = trial.contains(&format!(" = {ASKED}("));
    (chooses && !args.iter().any(is_new)).then(|| "-std=gnu++17".to_owned())
}

/// The test with all choices open, and, if `asks_written`, what the call writes asked for.
pub(super) fn trial(case: &TestCase, choices: &[Choice], asks_written: bool) -> TestCase {
    let open = |number: usize, choice: &Choice, text: &str| match (&choice.how, choice.simpler.as_slice()) {
        (Trial::Clearing, _) => text.replacen(", 0, ", &format!(", {ASKED}({number}) ? {NOT_ZERO} : 0, "), 1),
        (Trial::Ending(line), _) => format!("if ({ASKED}({number})) {line}"),
        (Trial::Room(room), _) => room.trial(text, &format!("{ASKED}({number})")),
        (Trial::Contents { array, kept }, _) => {
            let clear = kept.iter().enumerate().map(|(way, kept)| {
                let size = format!("sizeof {array} - {kept} * sizeof *{array}");
                format!(" if ({ASKED}({number}) == {}) __builtin_memset({array} + {kept}, 0, {size});", way + 1)
            });
            text.to_owned() + &clear.collect::<String>()
        }
        (Trial::Filled(sets), _) => format!("{text} if ({ASKED}({number})) {sets}"),
        (Trial::Arguments, ways) => {
            let ways = ways.iter().enumerate().map(|(way, line)| (format!("{ASKED}({number}) == {}", way + 1), line));
            fewer_arguments::chosen(text, &ways.collect::<Vec<_>>()).unwrap_or_else(|| text.to_owned())
        }
        (Trial::Text, [only]) if only.is_empty() => format!("if (!{ASKED}({number})) {text}"),
        (Trial::Text | Trial::Null { .. }, several) => {
            let ways = several.iter().enumerate();
            let ways: String =
                ways.map(|(way, simple)| format!("{ASKED}({number}) == {} ? {simple} : ", way + 1)).collect();
            format!("({ways}{text})")
        }
    };
    let mut made = with(case, choices, open);
    let mut behind = Vec::new();
    for (number, written) in case.written.iter().enumerate().filter(|_| asks_written) {
        let asked = format!("{ASKED}({})", choices.len() + number);
        if let Some([before, after]) = written::trial(written, &asked, case.language) {
            made.statements.extend(Some(before).filter(|line| !line.is_empty()));
            behind.push(after);
        }
    }
    made.take_down.splice(0..0, behind);
    let header = if case.language == Language::C { "<stdlib.h>" } else { "<cstdlib>" };
    if !made.includes.iter().any(|known| known == header) {
        made.includes.push(header.to_owned());
    }
    made.helpers.push(format!(
        "static int {ASKED}(int number) {{\n  const char *made = getenv(\"{MADE}\");\n  \
         return made ? made[number] - '0' : 0;\n}}"
    ));
    if choices.iter().any(Choice::takes_room) {
        made.helpers.push(array_room::guarded(case.language));
    }
    made
}

/// The test as it is with choices made, without variables that nothing uses any more.
pub(super) fn made(case: &TestCase, choices: &[Choice], made: &str) -> TestCase {
    let way = |number: usize| made.as_bytes().get(number).map_or(0, |digit| usize::from(digit.saturating_sub(b'0')));
    let text = |number: usize, choice: &Choice, text: &str| match (way(number).checked_sub(1), &choice.how) {
        (Some(way), Trial::Room(room)) => room.lengths.get(way).map_or(text.to_owned(), |n| room.cut(text, *n)),
        (Some(_), Trial::Ending(line)) => line.clone(),
        (None, Trial::Ending(_)) => String::new(),
        (Some(way), _) => choice.simpler.get(way).cloned().unwrap_or_default(),
        (None, _) => text.to_owned(),
    };
    let mut shorter = with(case, choices, text);
    shorter.statements.retain(|line| !line.is_empty());
    written::add(&mut shorter, made.as_bytes().get(choices.len()..).unwrap_or_default());
    leave_out_unused(&mut shorter);
    if made.contains(|digit| digit != '0') {
        shorter.left_out = made.to_owned();
    }
    shorter
}

/// The test with another text in the place of each choice.
fn with(case: &TestCase, choices: &[Choice], text: impl Fn(usize, &Choice, &str) -> String) -> TestCase {
    let mut made = case.clone();
    let mut numbered: Vec<(usize, &Choice)> = choices.iter().enumerate().collect();
    // From the end of a line to its beginning; the line itself behind these, the room of its array last.
    let place = |choice: &Choice| (choice.takes_room(), choice.range.start == 0, std::cmp::Reverse(choice.range.start));
    numbered.sort_by_key(|(_, choice)| place(choice));
    for (number, choice) in numbered {
        if let Trial::Ending(_) = choice.how {
            made.take_down.extend(Some(text(number, choice, "")).filter(|line| !line.is_empty()));
            continue;
        }
        let line = match choice.statement {
            Some(statement) => made.statements.get_mut(statement),
            None => made.call.as_mut(),
        };
        let Some(line) = line else { continue };
        let is_line = matches!(choice.how, Trial::Arguments | Trial::Room(_));
        let is_whole = is_line || choice.simpler[0].is_empty();
        let range = if is_whole { 0..line.len() } else { choice.range.clone() };
        let new = text(number, choice, &line[range.clone()]);
        line.replace_range(range, &new);
    }
    made
}

/// Whether a statement calls a function with an object that another function has made, and that is ready by that:
/// `add(list, 1);` behind `struct list *list = list_new();`.
fn is_told_what_was_made(case: &TestCase, number: usize) -> bool {
    let line = &case.statements[number];
    let Some((called, arguments)) = line.strip_suffix(");").and_then(|line| line.split_once('(')) else { return false };
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let object = arguments.split(',').next().unwrap_or_default();
    // `(handle)object`
    let object = object.strip_prefix('(').and_then(|rest| Some(rest.split_once(')')?.1)).unwrap_or(object);
    let is_pointer = |before: &String| before.contains(" *") || is_checked_for_null(case, object);
    let is_made = |before: &String| declared(before) == Some(object) && is_pointer(before) && before.ends_with(");");
    !called.is_empty()
        && called.chars().all(is_part)
        // (A long text has several lines.)
        && (called.ends_with("strcpy") || !is_fixed(line))
        && called != "rewind"
        && case.statements[..number].iter().any(|before| is_made(before) && before.contains(" = "))
}

/// Whether the test asks of a pointer, be it spelled as one or not, whether it leads anywhere.
fn is_checked_for_null(case: &TestCase, pointer: &str) -> bool {
    case.statements.contains(&format!("assert({pointer} != NULL);"))
}

/// Whether an object has all its values without a statement: a call only adds to them, but a member that is not set
/// has none where nothing has set all of them before.
fn is_whole_without(case: &TestCase, number: usize, object: &str) -> bool {
    let line = &case.statements[number];
    let is_call = !line.contains("memcpy(") && line.find('(').is_some_and(|call| !line[..call].contains('='));
    is_call
        || case.statements[..number].iter().any(|before| {
            let cleared = before.trim_start_matches("std::").strip_prefix("memset(&");
            let is_cleared =
                cleared.and_then(|rest| rest.strip_prefix(object)).is_some_and(|rest| rest.starts_with(','));
            is_cleared || declared(before) == Some(object) && before.contains(['=', '{', '('])
        })
}

/// The array that a line fills with what was found, and its shorter contents, each with the number of elements that it
/// keeps: none, those before the first NUL of a text, and of what was not minimised a few at its beginning.
fn shorter_array(line: &str, language: Language, as_found: bool) -> Option<(String, Vec<(usize, String)>)> {
    let (head, value) = line.strip_suffix(';').filter(|line| !line.contains('\n'))?.split_once("] = ")?;
    let name = declared(line)?;
    let empty = match (value.starts_with('"'), language) {
        (true, _) => "\"\"",
        (false, Language::C) => "{0}",
        (false, Language::Cxx) => "{}",
    };
    let is_number = |c: char| c.is_ascii_hexdigit() || "{}, x'\\\".-uUlLe".contains(c);
    // (Between quotes, any sign.)
    let is_list = value.starts_with('{') && value.split('\'').step_by(2).all(|part| part.chars().all(is_number));
    if !(value.starts_with('"') || is_list) || value == empty {
        return None;
    }
    let mut ways = vec![(0, empty.to_owned())];
    ways.extend(cut_off(value));
    if as_found {
        let elements = elements(value);
        let lengths = (0..).map(|power| 1 << power).take_while(|length| *length < elements.len()).take(MOST_LENGTHS);
        ways.extend(lengths.map(|length| {
            let kept = &elements[..length];
            let text = if is_list { format!("{{{}}}", kept.join(", ")) } else { format!("\"{}\"", kept.concat()) };
            (length, text)
        }));
    }
    let whole = |(kept, value)| (kept, format!("{head}] = {value};"));
    Some((name.to_owned(), ways.into_iter().map(whole).collect()))
}

/// So many lengths of an array are tried: as many as one digit tells apart.
const MOST_LENGTHS: usize = 6;

/// The elements of a flat list, or the characters of a plain text. Other contents are not cut.
fn elements(value: &str) -> Vec<&str> {
    if let Some(list) = value.strip_prefix('{').and_then(|list| list.strip_suffix('}')) {
        return if list.contains(['{', '"']) { Vec::new() } else { list.split(", ").collect() };
    }
    let text = value.trim_matches('"');
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && !b"\\\"".contains(&byte));
    if is_plain { (0..text.len()).map(|at| &text[at..=at]).collect() } else { Vec::new() }
}

/// A text without what is behind its first NUL, and the length of that.
fn cut_off(text: &str) -> Option<(usize, String)> {
    let mut escaped = false;
    let nul = text.bytes().position(|byte| {
        let is_nul = escaped && byte == b'0';
        escaped = byte == b'\\' && !escaped;
        is_nul
    })?;
    let kept = text.get(..nul - 1).filter(|kept| kept.starts_with('"') && kept.len() > 1)?;
    let literal = format!("{kept}\"");
    Some((crate::cpp::literal_length(&literal), literal))
}

/// The making of an empty file, and the file's name: what is only written to need not be there before.
fn empty_file(line: &str) -> Option<(Range<usize>, String)> {
    const EMPTY: &str = ", \"\", 0)";
    let (from, end) = (line.find(MAKES)?, line.find(EMPTY)?);
    Some((from..end + EMPTY.len(), line.get(from + MAKES.len()..end)?.to_owned()))
}

/// Statements whose values belong together.
fn is_fixed(line: &str) -> bool {
    let starts = ["FILE ", "memset(", "std::memset(", "ASSERT_TRUE(", "assert("];
    line.contains(['{', '[', '\n']) || starts.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(how: How, statements: &[&str], call: &str) -> TestCase {
        let statements = statements.iter().map(|line| (*line).to_owned()).collect();
        TestCase { how, statements, call: Some(call.to_owned()), ..TestCase::sample("m") }
    }

    #[test]
    fn what_is_allocated_may_stand_in_the_test_itself() {
        let lines = ["char *text = calloc(100, sizeof *text);", "struct item *it = calloc(1, sizeof *it);"];
        let case = TestCase { language: Language::C, ..case(How::Output, &lines, "use(text, it);") };
        let choices = of(&case);
        let plain = made(&case, &choices, "11").statements;
        assert_eq!(plain, ["char *text = (char[100]){0};", "struct item *it = &(struct item){0};"]);
        let open = trial(&case, &choices, false).statements.concat();
        assert!(open.contains("? (char[100]){0} : calloc(100, sizeof *motif_whole_text))"), "{open}");
    }

    #[test]
    fn an_object_is_not_cleared_where_a_function_sets_all_of_it_and_is_ended_where_nobody_does() {
        let lines = ["struct box box;", "memset(&box, 0, sizeof box);", "box_init(&box);"];
        let may_take_down = vec!["box_delete(&box);".to_owned()];
        let case = TestCase { language: Language::C, may_take_down, ..case(How::Output, &lines, "use(&box);") };
        let choices = of(&case);
        let open = trial(&case, &choices, false);
        assert_eq!(open.statements[1], "memset(&box, motif_simpler(0) ? 0x5a : 0, sizeof box);");
        assert_eq!(open.take_down, ["if (motif_simpler(1)) box_delete(&box);"]);
        let shorter = made(&case, &choices, "11");
        assert_eq!((shorter.statements.len(), shorter.take_down.len()), (2, 1));
        assert_eq!(made(&case, &choices, "01").statements, lines);
    }

    #[test]
    fn what_is_left_out_takes_along_what_only_it_has_used() {
        let lines = ["A object;", "char start[9] = \"\";", "char *end = start + 8;", "object.Set(start, end);"];
        let case = case(How::Output, &lines, "object.run();");
        let choices = of(&case);
        let open = "if (!motif_simpler(0)) object.Set(start, (motif_simpler(2) == 1 ? nullptr : end));";
        assert_eq!(trial(&case, &choices, false).statements[3], open);
        assert_eq!(made(&case, &choices, "1").statements, ["A object;"]);
        assert_eq!(made(&case, &choices, "0").statements, lines);
    }

    #[test]
    fn values_of_a_crash_are_made_plainer_one_by_one() {
        let crash = case(How::Crash, &["object->SetName(\"a1 b\");"], "object->set(\"\\xff\\xff\", -17, 1, 2.5f);");
        let choices = of(&crash);
        assert_eq!(choices.len(), 5);
        assert_eq!(choices[1].simpler, ["\"\"", "\"a\"", "\"a\"", "\"a1\"", "\"a1 \""]);
        let shorter = made(&crash, &choices, "02121");
        let long = case(How::Output, &["P p = {};", "p.u.x = -1.2773377981022207e-294;"], "f(\"a b c\", 17, 300);");
        assert_eq!(of(&long)[1].simpler[4], "-1000.0");
        assert_eq!(of(&long).len(), 2);
        assert_eq!(shorter.statements, ["object->SetName(\"a\");"]);
        assert_eq!(shorter.call.as_deref(), Some("object->set(\"\", 1, 1, 0.0f);"));
        let open = trial(&crash, &choices, false).statements.concat();
        let least = case(How::Crash, &["int n = (-2147483647 - 1);"], "f(n);");
        assert_eq!(made(&least, &of(&least), "1").statements, ["int n = 0;"]);
        assert!(open.starts_with("if (!motif_simpler(0)) object->SetName((motif_simpler(1) == 1 ? \"\" : "), "{open}");
    }

    #[test]
    fn an_array_of_a_crash_is_emptied() {
        let crash = case(How::Crash, &["char value[9] = \"H9\\0D\";"], "f(value);");
        let choices = of(&crash);
        let open = "char value[9] = \"H9\\0D\"; if (motif_simpler(0) == 1) \
                    __builtin_memset(value + 0, 0, sizeof value - 0 * sizeof *value); if (motif_simpler(0) == 2) \
                    __builtin_memset(value + 2, 0, sizeof value - 2 * sizeof *value);";
        assert_eq!(trial(&crash, &choices, false).statements, [open]);
        assert_eq!(made(&crash, &choices, "1").statements, ["char value[9] = \"\";"]);
        assert_eq!(made(&crash, &choices, "2").statements, ["char value[9] = \"H9\";"]);
        assert!(cut_off("\"C:\\\\0\"").is_none());
        let ways = |line: &str, as_found: bool| -> Vec<String> {
            let ways = shorter_array(line, Language::C, as_found).into_iter().flat_map(|(_, ways)| ways);
            ways.filter_map(|(_, line)| Some(line.split_once(" = ")?.1.to_owned())).collect()
        };
        assert_eq!(ways("unsigned char b[4] = {1, 0x2};", true), ["{0};", "{1};"]);
        assert_eq!(ways("unsigned char b[4] = {'z', 0, '('};", true), ["{0};", "{'z'};", "{'z', 0};"]);
        assert_eq!(ways("unsigned char b[4] = {'z', 0, '('};", false), ["{0};"]);
        assert_eq!(ways("unsigned char b[4] = {',', ' ', 1};", true), ["{0};", "{','};", "{',', ' '};"]);
        assert_eq!(ways("char b[9] = \"a b\";", true), ["\"\";", "\"a\";", "\"a \";"]);
        assert_eq!(ways("A *all[2] = {&a, &b};", true), [""; 0]);
    }

    #[test]
    fn a_file_that_is_only_written_is_not_made_before() {
        let lines = ["const char *out = file_with(\"motif_out\", \"\", 0);", "Writer writer(out);"];
        let hung = case(How::Output, &lines, "writer.end();");
        assert_eq!(
            trial(&hung, &of(&hung), false).statements[0],
            "const char *out = (motif_simpler(0) == 1 ? \"motif_out\" : file_with(\"motif_out\", \"\", 0));"
        );
        assert_eq!(made(&hung, &of(&hung), "1").statements[0], "const char *out = \"motif_out\";");
    }

    #[test]
    fn a_call_with_what_another_function_has_made_may_be_left_out() {
        let offered = |lines: &[&str]| of(&case(How::Output, lines, "f(list);")).len();
        assert_eq!(offered(&["struct list *list = list_new();", "list_add(list, item);"]), 1);
        let handle = ["LIST list = list_new();", "assert(list != NULL);", "list_add(list, item);"];
        assert_eq!((offered(&handle), offered(&[handle[0], handle[2]])), (1, 0));
        assert_eq!(offered(&["struct list list;", "list_init(&list);"]), 0);
        assert_eq!(offered(&["struct list *list = &held;", "list_init(list);"]), 0);
    }

    #[test]
    fn what_makes_room_for_elements_stays_as_it_is() {
        let lines = ["M m;", "m.resize(2, 2);", "m(1, 1) = 4.602891378046629e18;", "m.scale(2.602891378046629e18);"];
        let found = TestCase { as_found: true, ..case(How::Output, &lines, "f(m);") };
        let offered: Vec<Option<usize>> = of(&found).iter().map(|choice| choice.statement).collect();
        assert_eq!(offered, [Some(3), Some(3), Some(2)]);
    }

    #[test]
    fn a_member_is_left_as_it_is_only_where_it_has_a_value_without() {
        let offered = |lines: &[&str]| of(&case(How::Output, lines, "f(node);")).len();
        assert_eq!(offered(&["struct node node;", "node.n = 1;"]), 0);
        assert_eq!(offered(&["struct node node;", "memset(&node, 0, sizeof node);", "node.n = 1;"]), 1);
        assert_eq!(offered(&["struct node node = {0};", "node.n = 1;"]), 1);
        assert_eq!(offered(&["struct node node = {0};", "(*(int *)&node.n) = 1;"]), 1);
        assert_eq!(offered(&["A node;", "node.set(1);"]), 1);
        assert_eq!(offered(&["A all[2] = {};", "all[0] = other;"]), 1);
    }

    #[test]
    fn an_array_that_nobody_looks_at_may_be_null() {
        let lines = ["unsigned char data[1] = {0};", "Q q = q_create(done, data);"];
        let case = TestCase { language: Language::C, ..case(How::Output, &lines, "run(q);") };
        let choices = of(&case);
        let (number, choice) = choices.iter().enumerate().next_back().expect("a choice");
        assert!(choice.makes_crash() && choice.may_not_build());
        let open = format!("Q q = q_create(done, (motif_simpler({number}) == 1 ? NULL : data));");
        assert_eq!(trial(&case, &choices, false).statements[1], open);
        let digits = "0".repeat(number) + "1";
        assert_eq!(made(&case, &choices, &digits).statements, ["Q q = q_create(done, NULL);"]);
    }

    #[test]
    fn what_may_change_another_variable_stays() {
        let lines = ["T held;", "int done = init(&held);", "T *to = &held;", "to->value = 0;", "int n = 1;"];
        let long = case(How::Output, &lines, "f(held);");
        assert_eq!(made(&long, &of(&long), "0").statements, lines[..4]);
    }

    #[test]
    fn what_is_named_like_the_beginning_of_another_leaves_that_alone() {
        let lines = ["struct node node;", "memset(&node, 0, sizeof node);", "int n = 1;", "node.next = &n;"];
        let long = case(How::Output, &lines, "f(&node);");
        assert_eq!(made(&long, &of(&long), "1").statements, lines[..2]);
    }
}
