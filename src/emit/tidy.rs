//! Tests without what nobody reads: variables that nothing uses, names of elements that are only put into their
//! container, notes of stand-ins.

use super::lines::{asked, declared, is_in_text, is_name, mentions, names, pointer_to_function, text};
use super::render::has_word;
use super::unused::{leave_out_removals, leave_out_unused};
use super::{Check, TestCase};
use crate::generate::lower::files::{MAKES, READS};
use crate::generate::undefined_symbols::{CALLS, clears};
use crate::model::Language;
use crate::types::spelling::replace_word;

/// Makes the tests of a unit shorter without changing what they do, as far as can be seen in their text. Gives the
/// places of those that were changed, with what they were. Whether their stand-ins were quiet in an earlier part of the
/// run, `was_quiet` says; `longer` has some of them as they were before anything was left out.
pub(super) fn tidy(
    cases: &mut [TestCase],
    was_quiet: &dyn Fn(&TestCase) -> Option<bool>,
    longer: &[(usize, TestCase)],
) -> Vec<(usize, TestCase)> {
    let before = cases.to_vec();
    for (number, case) in cases.iter_mut().enumerate().filter(|(_, case)| !case.by_hand) {
        let longer = longer.iter().filter(|(known, _)| *known == number).flat_map(|(_, was)| names(was));
        let names: Vec<String> = names(case).into_iter().chain(longer).collect();
        leave_out_empty_writes(case);
        leave_out_null(case);
        look_on(case);
        close_files(case);
        leave_out_removals(case);
        leave_out_unused(case);
        for line in &mut case.statements {
            if let Some(array) = super::on_stack::as_array(line) {
                *line = array;
            }
        }
        super::array_room::put_elements_into_list(&mut case.statements);
        if case.language == Language::C {
            super::designated::put_members_into_initialiser(&mut case.statements);
        }
        put_elements_in_place(case);
        put_functions_in_place(case);
        take_free_names(case, &names);
        leave_out_includes(case);
        leave_out_helpers(case);
        super::radix::write_numbers(case);
    }
    // The tests of a unit share its stand-ins.
    let asks: Vec<&str> = before
        .iter()
        .zip(&*cases)
        .filter(|(_, case)| asks_stand_ins(case))
        .map(|(was, _)| was.unit_slug.as_str())
        .collect();
    let is_quiet = |case: &TestCase| was_quiet(case).unwrap_or_else(|| !asks.contains(&case.unit_slug.as_str()));
    for case in cases.iter_mut().filter(|case| case.stand_ins.is_some() && is_quiet(case)) {
        case.statements.retain(|line| line != clears(case.language));
        case.checks.retain(|check| !is_of_silence(check));
        case.is_quiet = true;
    }
    for case in cases.iter_mut().filter(|case| !case.by_hand && !asks_stand_ins(case)) {
        let said: String = case.statements.iter().chain(&case.call).cloned().collect();
        if case.stand_ins.as_ref().is_some_and(|stand_ins| !stand_ins.are_reached(&said)) {
            case.statements.retain(|line| line != clears(case.language));
            case.checks.retain(|check| !is_of_silence(check));
        }
    }
    let changed = before.into_iter().enumerate().zip(&*cases).filter(|((_, was), case)| was != *case);
    changed.map(|(was, _)| was).collect()
}

/// A check that no stand-in was called.
fn is_of_silence(check: &Check) -> bool {
    matches!(check, Check::Equal { actual, expected, .. } if actual.contains(CALLS) && expected == "\"\"")
}

/// Whether a test depends on what stand-ins note or answer.
fn asks_stand_ins(case: &TestCase) -> bool {
    // That they were not called is asked of a mutant that calls them, or beside something else.
    let is_beside = case.checks.len() > 1 && case.how == crate::outcome::How::Crash;
    let asks = |check: &Check| match check {
        Check::Equal { actual, .. } => actual.contains("stand_ins.") && !(is_beside && is_of_silence(check)),
        Check::Throws { .. } => false,
    };
    case.by_hand
        || case.checks.iter().any(asks)
        || case.statements.iter().chain(&case.call).any(|line| line.contains("stand_ins."))
}

/// A new file is empty, and read from its beginning. Filling no element does nothing.
fn leave_out_empty_writes(case: &mut TestCase) {
    case.statements.retain(|line| !(line.starts_with("std::fill_n(") && line.contains(", 0, ")));
    let writes = |line: &str| Some(line.strip_prefix("fputs(\"\", ")?.strip_suffix(");")?.to_owned());
    while let Some((at, file)) = case.statements.iter().enumerate().find_map(|(at, line)| Some((at, writes(line)?))) {
        case.statements.remove(at);
        if case.statements.get(at).is_some_and(|next| *next == format!("rewind({file});")) {
            case.statements.remove(at);
        }
    }
}

/// A file in memory is closed, where the call alone knows it and nothing can keep it: who does may write to it later.
fn close_files(case: &mut TestCase) {
    let mut closed = Vec::new();
    for name in case.statements.iter().filter(|line| line.contains("fmemopen(")).filter_map(|line| declared(line)) {
        let is_own = |line: &&String| {
            let fills = ["fputs(", "fwrite(", "rewind(", "FILE *"].iter().any(|begin| line.starts_with(begin));
            fills || !mentions(line, name)
        };
        let is_called = case.call.as_ref().is_some_and(|call| mentions(call, name) && declared(call) != Some("object"));
        if is_called && !case.keeps_files && case.statements.iter().chain(&case.take_down).all(|line| is_own(&line)) {
            closed.push(format!("fclose({name});"));
        }
    }
    case.take_down.splice(0..0, closed);
}

/// `T *object = const_cast<T *>(made.first());` is `const T *object = made.first();`, where all that is done with the
/// object can be done with a constant one, as far as can be seen: the proof builds it.
fn look_on(case: &mut TestCase) {
    if case.language == Language::C || !case.unit_id.ends_with(" const") {
        return;
    }
    let found = case.statements.iter().enumerate().find_map(|(at, line)| {
        let (ty, made) = line.strip_suffix(");")?.split_once("object = const_cast<")?;
        let made = made.strip_prefix(ty.trim_end())?.strip_prefix(">(")?;
        Some((at, format!("const {ty}object = {made};")))
    });
    let Some((at, line)) = found else { return };
    let others = case.statements.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, line)| line);
    let is_asserted = |line: &String| line.starts_with("ASSERT_TRUE(object ");
    if others.chain(&case.take_down).all(|line| !mentions(line, "object") || is_asserted(line)) {
        case.statements[at] = line;
    }
}

/// Nothing is to be taken down where a pointer is null.
fn leave_out_null(case: &mut TestCase) {
    let is_null = |name: &str| {
        let mut lines = case.statements.iter().filter(|line| declared(line) == Some(name));
        lines.any(|line| ["NULL;", "nullptr;"].iter().any(|null| line.ends_with(&format!("{name} = {null}"))))
    };
    let is_for_nothing = |line: &String| {
        let argument = line.strip_suffix(");").and_then(|line| line.rsplit_once('('));
        argument.is_some_and(|(_, name)| {
            let is_changed = |line: &String| mentions(line, name) && line.contains(&format!("&{name}"));
            is_null(name) && !case.statements.iter().chain(&case.call).any(is_changed)
        })
    };
    let left: Vec<String> = case.take_down.iter().filter(|line| !is_for_nothing(line)).cloned().collect();
    case.take_down = left;
}

/// `item4` is `item` where that was left out, and `item2` and `item3` too. `before` are the names that there were.
fn take_free_names(case: &mut TestCase, before: &[String]) {
    for name in names(case) {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = (2..10).map(|number| format!("{base}{number}"));
        let mut lower = std::iter::once(base.to_owned()).chain(numbered).take_while(|lower| *lower != name);
        let is_free = |lower: &String| before.contains(lower) && !text(case).any(|line| has_word(&line, lower));
        let Some(free) = (base != name).then(|| lower.find(|lower| is_free(lower))).flatten() else {
            continue;
        };
        let renamed = |line: &String| replace_word(line, &name, &free);
        // (A member, or a word of a text, may have that name too.)
        if text(case).any(|line| is_in_text(&line, &name) || is_member(&line, &name)) {
            continue;
        }
        case.statements = case.statements.iter().map(renamed).collect();
        case.take_down = case.take_down.iter().map(renamed).collect();
        case.call = case.call.as_ref().map(renamed);
        case.behind_call = case.behind_call.as_ref().map(renamed);
        for check in &mut case.checks {
            if let Check::Equal { actual, .. } = check {
                *actual = renamed(actual);
            }
        }
    }
}

/// Headers of what a test does not name any more.
fn leave_out_includes(case: &mut TestCase) {
    if !case.observers.is_empty() {
        return;
    }
    let lines: Vec<&String> =
        case.statements.iter().chain(&case.call).chain(&case.behind_call).chain(&case.take_down).collect();
    let text = format!("{lines:?}{:?}{:?}{:?}", case.checks, case.helpers, case.unkept);
    let is_unused = |include: &String| {
        case.only_for.get(include).is_some_and(|names| !names.iter().any(|name| has_word(&text, name)))
    };
    let left: Vec<String> = case.includes.iter().filter(|include| !is_unused(include)).cloned().collect();
    case.includes = left;
}

/// Functions that make or read files, where a test does not any more.
fn leave_out_helpers(case: &mut TestCase) {
    let text: String = text(case).collect();
    let is_unused = |helper: &String| {
        let defines = |name: &&str| helper.contains(&format!("{name}const char *name"));
        [MAKES, READS].iter().find(|name| defines(name)).is_some_and(|name| !text.contains(*name))
    };
    case.helpers.retain(|helper| !is_unused(helper));
}

/// `void (*done)(int) = called_done; f(done);` is `f(called_done);`.
fn put_functions_in_place(case: &mut TestCase) {
    let is_function = |value: &str| is_name(value.trim_start_matches('&').replace("::", "_").as_str());
    let mut at = 0;
    while let Some(line) = case.statements.get(at) {
        let value = line.rsplit_once(" = ").and_then(|(_, value)| value.strip_suffix(';'));
        let is_made_up = value.is_some_and(|value| value.starts_with("called_"));
        let name = pointer_to_function(line).or_else(|| declared(line).filter(|_| is_made_up));
        let (Some(name), Some(value)) = (name, value.filter(|value| is_function(value))) else {
            at += 1;
            continue;
        };
        let lines = || case.statements.iter().chain(&case.call).chain(&case.take_down).chain(&case.behind_call);
        let users: Vec<&String> = lines().filter(|other| *other != line && mentions(other, name)).collect();
        let is_passed = |user: &str| {
            let places = [format!("({name})"), format!("({name},"), format!(" {name},"), format!(" {name})")];
            places.iter().any(|place| user.contains(place))
        };
        let set = format!(" = {name};");
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let times = |user: &str| user.split(|c| !is_part(c)).filter(|word| *word == name).count();
        let is_once = matches!(users.as_slice(), [user] if user.ends_with(&set) || is_passed(user) && times(user) == 1);
        if !is_once || mentions(&asked(case), name) {
            at += 1;
            continue;
        }
        let (name, value) = (name.to_owned(), value.to_owned());
        case.statements.remove(at);
        for line in case.statements.iter_mut().chain(&mut case.call).filter(|line| mentions(line, &name)) {
            *line = match line.strip_suffix(&set) {
                Some(place) => format!("{place} = {value};"),
                None => replace_word(line, &name, &value),
            };
        }
    }
}

fn is_member(line: &str, name: &str) -> bool {
    [".", "->", "::"].iter().any(|before| has_word(line, name) && line.contains(&format!("{before}{name}")))
}

/// `T element(1, 2); list.push_back(element);` is `list.push_back(T(1, 2));`, where nothing else names the element, and
/// `T value(1, 2); list[0] = value;` is `list[0] = T(1, 2);`.
fn put_elements_in_place(case: &mut TestCase) {
    let mut at = 0;
    while at + 1 < case.statements.len() {
        if let Some(line) = in_place(case, at) {
            case.statements.splice(at..at + 2, [line]);
        } else {
            at += 1;
        }
    }
}

fn in_place(case: &TestCase, at: usize) -> Option<String> {
    let (made, put) = (&case.statements[at], &case.statements[at + 1]);
    let name = declared(made).filter(|_| !made.contains('\n') && case.language == Language::Cxx)?;
    let (container, [before, after], put_in) = match put.split_once(".push_back(") {
        Some((container, rest)) => (container, [".push_back(", ");"], rest.strip_suffix(");")?),
        None => {
            let (element, value) = put.split_once(" = ")?;
            let (container, index) = element.strip_suffix(']')?.split_once('[')?;
            let is_index = index.chars().all(|c| c.is_ascii_digit());
            let place = &put[container.len()..put.len() - value.len()];
            is_index.then_some((container, [place, ";"], value.strip_suffix(';')?))?
        }
    };
    if put_in != name && put_in != format!("std::move({name})") || !is_name(container) {
        return None;
    }
    let (ty, behind) = made.split_once(&format!(" {name}"))?;
    // (`unsigned short(1)` is no expression.)
    let ty = ty.strip_prefix("const ").unwrap_or(ty);
    if ty.contains(' ') && !ty.contains('<') {
        return None;
    }
    let value = match behind.strip_suffix(';')? {
        "" | "{}" => format!("{ty}{{}}"),
        list if list.starts_with('(') && list.ends_with(')') => format!("{ty}{list}"),
        _ => return None,
    };
    let others = case.statements.iter().enumerate().filter(|(other, _)| *other != at && *other != at + 1);
    let others = others.map(|(_, line)| line).chain(&case.call).chain(&case.take_down);
    let is_alone = others.chain(&case.behind_call).all(|line| !mentions(line, name));
    (is_alone && !mentions(&asked(case), name)).then(|| format!("{container}{before}{value}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::lines::without_texts;
    use crate::outcome::How;

    fn case(statements: &[&str], call: &str) -> TestCase {
        let statements = statements.iter().map(|line| (*line).to_owned()).collect();
        TestCase { how: How::Output, statements, call: Some(call.to_owned()), ..TestCase::sample("m") }
    }

    fn tidied(statements: &[&str], call: &str) -> Vec<String> {
        let mut cases = [case(statements, call)];
        tidy(&mut cases, &|_| None, &[]);
        let [case] = cases;
        case.statements
    }

    #[test]
    fn a_name_in_a_text_uses_no_variable() {
        assert_eq!(without_texts(r#"f(count, "count \" count", '"', count);"#), r#"f(count, "", "", count);"#);
        let lines = ["std::vector<int> indices;", "std::string text = \"indices\";"];
        assert_eq!(tidied(&lines, "f(text);"), lines[1..]);
    }

    #[test]
    fn a_function_that_only_an_unused_variable_leads_to_is_left_out_with_it() {
        let lines = ["allocator_fn allocate = &pool_allocate;", "T t = {0};", "auto &same = t;", "T *const next = &t;"];
        assert_eq!(tidied(&lines, "f(&t);"), lines[1..]);
    }

    #[test]
    fn an_element_is_written_where_it_is_put_unless_something_else_names_it() {
        let lines = ["std::vector<P> all;", "P all_element(1, 2);", "all.push_back(all_element);"];
        assert_eq!(tidied(&lines, "f(all);"), [lines[0], "all.push_back(P(1, 2));"]);
        assert_eq!(tidied(&lines, "f(all, all_element);"), lines);
        let array = ["P all[2] = {};", "P value(1, 2);", "all[0] = value;", "P value2;", "all[1] = value2;"];
        assert_eq!(tidied(&array, "f(all);"), [array[0], "all[0] = P(1, 2);", "all[1] = P{};"]);
        let constant = ["std::vector<P> all;", "const P one(1);", "all.push_back(one);"];
        assert_eq!(tidied(&constant, "f(all);"), [lines[0], "all.push_back(P(1));"]);
        let number = ["std::vector<short> all;", "unsigned short one(1);", "all.push_back(one);"];
        assert_eq!(tidied(&number, "f(all);"), number);
        let filled = ["std::vector<P> all;", "P one{};", "one.x = 1;", "all.push_back(one);"];
        assert_eq!(tidied(&filled, "f(all);"), filled);
    }

    #[test]
    fn a_constant_object_that_is_only_looked_on_stays_constant() {
        let lines = ["T *object = const_cast<T *>(list.first());", "ASSERT_TRUE(object != nullptr);"];
        let constant = |unit: &str, more: &[&str]| {
            let case = TestCase { unit_id: unit.to_owned(), ..case(&[&lines[..], more].concat(), "object->get();") };
            let mut cases = [TestCase { language: Language::Cxx, ..case }];
            tidy(&mut cases, &|_| None, &[]);
            cases[0].statements[0].clone()
        };
        assert_eq!(constant("T::get() const", &[]), "const T *object = list.first();");
        assert_eq!(constant("T::get()", &[]), lines[0]);
        assert_eq!(constant("T::get() const", &["object->set(1);"]), lines[0]);
    }

    #[test]
    fn filling_no_element_is_left_out() {
        let lines = ["char a[9] = \"\";", "std::fill_n(a, 0, 'a');", "std::fill_n(a, 8, 'a');"];
        assert_eq!(tidied(&lines, "f(a);"), [lines[0], lines[2]]);
    }

    #[test]
    fn a_name_without_a_number_is_taken_where_it_is_free() {
        let lines = ["T *item = f(1);", "T *item2 = f(2);", "item2->item = 1;"];
        assert_eq!(tidied(&lines, "g(item2);"), ["T *item2 = f(2);", "item2->item = 1;"]);
        assert_eq!(tidied(&lines[..2], "g(item2);"), ["T *item = f(2);"]);
        assert_eq!(tidied(&lines[1..2], "g(item2);"), lines[1..2]);
        // What was left out before has left its name.
        let mut cases = [case(&lines[1..2], "g(item2);")];
        tidy(&mut cases, &|_| None, &[(0, case(&lines[..2], "g(item2);"))]);
        assert_eq!(cases[0].statements, ["T *item = f(2);"]);
    }

    #[test]
    fn a_file_in_memory_is_closed_where_no_object_keeps_it() {
        let closed = |statements: &[&str], call: &str| {
            let mut cases = [case(statements, call)];
            tidy(&mut cases, &|_| None, &[]);
            cases[0].take_down.clone()
        };
        let file = ["FILE *fp = fmemopen(nullptr, 4096, \"w+\");", "fputs(\"a\", fp);", "rewind(fp);"];
        assert_eq!(closed(&file, "const int result = load(fp);"), ["fclose(fp);"]);
        assert!(closed(&file, "Printer object(fp);").is_empty());
        let mut kept = [TestCase { keeps_files: true, ..case(&file, "load(fp);") }];
        tidy(&mut kept, &|_| None, &[]);
        assert!(kept[0].take_down.is_empty());
        assert!(closed(&[&file[..], &["Printer printer(fp);"]].concat(), "load(fp, printer);").is_empty());
        assert_eq!(tidied(&[file[0], "fputs(\"\", fp);", file[2]], "load(fp);"), file[..1]);
    }

    #[test]
    fn what_only_fills_itself_or_points_to_what_nothing_uses_is_left_out() {
        let filled = ["char text[100] = {};", "std::fill_n(text, 99, 'a');", "node next = {0};", "next.value = 1;"];
        let all = [&filled[..], &["const node *next_pointer = &next;"]].concat();
        assert!(tidied(&all, "f();").is_empty());
        assert_eq!(tidied(&all, "f(next_pointer);"), all[2..]);
        assert_eq!(tidied(&all, "f(text);"), all[..2]);
        let set = ["int next = 0;", "int *place = &next;", "place[0] = 1;"];
        assert_eq!(tidied(&set, "f(next);"), set);
    }

    #[test]
    fn a_pointer_to_a_function_that_is_passed_once_is_the_function() {
        let lines = ["hooks h = {0};", "void *(*allocate)(size_t) = &my_malloc;", "h.allocate = allocate;"];
        assert_eq!(tidied(&lines, "f(&h);"), [lines[0], "h.allocate = &my_malloc;"]);
        assert_eq!(tidied(&lines, "f(&h, allocate);"), lines);
        assert_eq!(tidied(&lines[..2], "f(&h, allocate);"), lines[..1]);
        for (call, with_function) in [
            ("each(items, visit, 0);", "each(items, called_visit, 0);"),
            ("do_visit(items, visit);", "do_visit(items, called_visit);"),
            ("each(visit, visit, 0);", "each(visit, visit, 0);"),
        ] {
            let mut cases = [case(&["visitor visit = called_visit;"], call)];
            tidy(&mut cases, &|_| None, &[]);
            assert_eq!(cases[0].call.as_deref(), Some(with_function));
        }
    }

    #[test]
    fn a_pointer_to_a_function_that_nothing_uses_is_left_out() {
        let lines = ["hooks h = {0};", "void *(*allocate)(size_t) = &my_malloc;"];
        assert_eq!(tidied(&lines, "f(&h);"), lines[..1]);
        // What fills another variable stays.
        let fills = ["registry all;", "node *one = make(*config, &all);"];
        assert_eq!(tidied(&fills, "f(all);"), fills);
    }
}
