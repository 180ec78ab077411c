//! What a test has and nothing in it uses: variables, classes that it defines, files that it does not make any more.

use super::TestCase;
use super::lines::{asked, declared, is_name, mentions, names, without_texts};

/// Takes out variables that nothing but their own set-up mentions.
pub(super) fn leave_out_unused(case: &mut TestCase) {
    let variables = names(case);
    loop {
        while leave_out_classes(case) {}
        let text = |lines: Vec<&String>| lines.iter().map(|line| without_texts(line)).collect::<String>();
        let behind = text(case.call.iter().collect()) + &asked(case);
        let unused = case.statements.iter().enumerate().find_map(|(at, line)| {
            // What is told the place of another variable may change that, or be another name of it.
            let is_harmless = |name: &&str| !leads_to(line, &variables) || is_place(line, name);
            let name = declared(line).filter(is_harmless)?;
            // What owns another variable's object takes it down.
            if line.contains("_ptr<") && line.ends_with(");") {
                return None;
            }
            let others = case.statements.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, line)| line);
            // (`next[0] = 1;` sets what a pointer is to.)
            let is_own = |line: &String| !is_place(&case.statements[at], name) && is_own(line, name);
            let is_unused = others.filter(|line| mentions(&without_texts(line), name)).all(is_own);
            let is_ended = |line: &&String| mentions(line, name) && !is_end_of(line, name);
            let behind = behind.clone() + &text(case.take_down.iter().filter(is_ended).collect());
            (is_unused && !mentions(&behind, name)).then(|| name.to_owned())
        });
        let Some(name) = unused else { break };
        case.statements.retain(|line| declared(line) != Some(&name) && !is_own(line, &name));
        case.take_down.retain(|line| !is_end_of(line, &name));
    }
    leave_out_answers(case);
}

/// Takes out the answers of what would be called back, and is not passed any more.
fn leave_out_answers(case: &mut TestCase) {
    let is_answer = |line: &&String| answer(line).is_some();
    let others = case.statements.iter().filter(|line| !is_answer(line)).chain(&case.call).chain(&case.take_down);
    let others: String = others.map(|line| without_texts(line) + "\n").collect();
    let words = others.split(|c: char| !c.is_alphanumeric() && c != '_');
    let passed: Vec<String> = words
        .filter_map(|word| word.strip_prefix("called_"))
        .filter(|rest| !rest.is_empty())
        .map(str::to_owned)
        .collect();
    let is_passed = |of: &str| passed.iter().any(|name| of.starts_with(name.as_str()));
    case.statements.retain(|line| answer(line).is_none_or(is_passed));
}

/// What a line sets as the answer of what is called back: who that is, and what follows.
fn answer(line: &str) -> Option<&str> {
    let line = line.strip_prefix("std::").unwrap_or(line);
    line.strip_prefix("memcpy(").unwrap_or(line).strip_prefix("stand_ins.called_")
}

/// Whether a line has the place of one of these variables, as far as can be seen; `&malloc` is none of theirs.
fn leads_to(line: &str, variables: &[String]) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.split('&').skip(1).any(|behind| {
        let name = &behind[..behind.find(|c| !is_part(c)).unwrap_or(behind.len())];
        name.is_empty() || variables.iter().any(|known| known == name)
    })
}

/// Whether a line only gives a variable its value.
pub(super) fn is_own(line: &str, name: &str) -> bool {
    // (What is set behind a pointer may be another variable's.)
    let behind = |rest: &str| [".", "[", " = "].iter().any(|behind| rest.starts_with(behind));
    let own = line.strip_prefix(name).is_some_and(behind);
    let set = ["memset(&", "memset(", "strcpy(", "std::strcpy(", "std::fill_n(", "ASSERT_TRUE(", "assert("];
    own || mentions(line, name) && set.iter().any(|set| line.starts_with(&format!("{set}{name}")))
}

/// Whether a line only ends an object: `node_free(node);`, `node_free(&node);`
fn is_end_of(line: &str, name: &str) -> bool {
    let call = line.strip_suffix(");").and_then(|line| line.split_once('('));
    call.is_some_and(|(function, argument)| is_name(function) && argument.trim_start_matches('&') == name)
}

/// Whether a line says no more than that a pointer is to a variable: `const node *next = &node2;`
fn is_place(line: &str, name: &str) -> bool {
    let to = line.split_once(&format!(" *{name} = &")).and_then(|(_, to)| to.strip_suffix(';'));
    to.is_some_and(is_name)
}

/// Takes out classes that a test defines and does not make an object of: stubs that null took the place of. False where
/// there are none.
fn leave_out_classes(case: &mut TestCase) -> bool {
    let (mut from, before) = (0, case.statements.len());
    while let Some(line) = case.statements.get(from) {
        let name = line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {"));
        let name = name
            .filter(|head| !head.contains('='))
            .and_then(|head| head.split(' ').next())
            .filter(|name| is_name(name))
            .map(str::to_owned);
        let end = case.statements[from..].iter().position(|line| line == "};").map(|lines| from + lines);
        let (Some(name), Some(end)) = (name, end) else {
            from += 1;
            continue;
        };
        let is_remark = from > 0 && case.statements[from - 1].starts_with("// ");
        let first = from - usize::from(is_remark);
        let others = case.statements[..first].iter().chain(&case.statements[end + 1..]);
        let mut others = others.chain(&case.call).chain(&case.behind_call).chain(&case.take_down);
        if others.any(|line| mentions(line, &name)) || mentions(&asked(case), &name) {
            from = end + 1;
        } else {
            case.statements.drain(first..=end);
            from = first;
        }
    }
    case.statements.len() < before
}

/// A file is removed by the test that can have made it: one that says its name.
pub(super) fn leave_out_removals(case: &mut TestCase) {
    let removed = |line: &str| {
        let name = line.strip_prefix("std::").unwrap_or(line).strip_prefix("remove(")?.strip_suffix(");")?;
        name.starts_with('"').then(|| name.to_owned())
    };
    let said = |name: &String| {
        let lines = || case.statements.iter().chain(&case.call).chain(&case.behind_call);
        lines().any(|line| line.contains(name.as_str()))
    };
    let is_needed = |line: &&String| removed(line).is_none_or(|name| said(&name));
    let left: Vec<String> = case.take_down.iter().filter(is_needed).cloned().collect();
    case.take_down = left;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(statements: &[&str], call: &str) -> TestCase {
        let statements = statements.iter().map(|line| (*line).to_owned()).collect();
        TestCase { statements, call: Some(call.to_owned()), ..TestCase::sample("m") }
    }

    #[test]
    fn what_is_called_back_by_nobody_has_no_answers() {
        let lines = [
            "std::memcpy(stand_ins.called_read_of_io_block, \"a\", 1);",
            "stand_ins.called_write_of_io_short = true;",
            "memcpy(stand_ins.called_write_of_io_block, \"a\", 1);",
            "int (*write)(int) = called_write_of_io;",
            "stand_ins.getc[0] = 2;",
        ];
        let statements = lines.iter().map(|line| (*line).to_owned()).collect();
        let mut case = TestCase { statements, call: Some("use(write);".to_owned()), ..TestCase::sample("m") };
        leave_out_unused(&mut case);
        assert_eq!(case.statements, lines[1..]);
    }

    #[test]
    fn a_class_that_nothing_makes_an_object_of_is_left_out() {
        let stub =
            ["std::vector<std::string> notes;", "// Implements Sink.", "struct SinkStub : Sink {", "  int n;", "};"];
        let mut without = case(&stub, "f(nullptr);");
        leave_out_unused(&mut without);
        assert!(without.statements.is_empty(), "{:?}", without.statements);
        let made = [&stub[..], &["SinkStub sink(notes);"]].concat();
        let mut with = case(&made, "f(&sink);");
        leave_out_unused(&mut with);
        assert_eq!(with.statements, made);
    }

    #[test]
    fn an_object_that_is_only_made_and_ended_is_left_out() {
        let lines = ["node *other = node_new();", "assert(other != NULL);", "node *it = node_new();"];
        let ends = ["node_free(it);", "node_free(other);"];
        let left = |call: &str| {
            let mut case = case(&lines, call);
            case.take_down = ends.map(str::to_owned).to_vec();
            leave_out_unused(&mut case);
            (case.statements.len(), case.take_down.join(" "))
        };
        assert_eq!(left("add(it);"), (1, ends[0].to_owned()));
        assert_eq!(left("add(it, other);"), (3, ends.join(" ")));
    }

    #[test]
    fn a_file_that_the_test_does_not_name_any_more_is_not_removed() {
        let left = |call: &str| {
            let mut case = case(&[], call);
            case.take_down = vec!["std::remove(\"motif_in\");".to_owned(), "box_delete(box);".to_owned()];
            leave_out_removals(&mut case);
            case.take_down.len()
        };
        assert_eq!((left("load(\"motif_in\");"), left("load(NULL);")), (2, 1));
    }
}
