//! Arguments that could be null: arrays and objects that a test makes to pass them once, where nobody looks at them.

use super::TestCase;
use super::lines::{asked, declared, is_in_text, mentions, pointer_to_function};
use super::unused::is_own;
use std::ops::Range;

/// The places of such arguments: the statement, none for the call, and where in it the argument stands.
pub(super) fn places(case: &TestCase) -> Vec<(Option<usize>, Range<usize>)> {
    let checks = asked(case);
    let lines = || case.statements.iter().enumerate().map(|(at, line)| (Some(at), line));
    let all = || lines().chain(case.call.iter().map(|line| (None, line)));
    let place = |(at, made): (Option<usize>, &String)| {
        let name = declared(made)?;
        let mut users = all().filter(|(other, line)| *other != at && mentions(line, name) && !is_own(line, name));
        let (user, line) = users.next().filter(|_| users.next().is_none())?;
        let is_asked =
            mentions(&checks, name) || case.take_down.iter().chain(&case.behind_call).any(|line| mentions(line, name));
        let is_of_library =
            line.starts_with("std::") || ["fputs(", "fwrite(", "rewind("].iter().any(|own| line.starts_with(own));
        if is_asked || is_of_library || line.contains('\n') || is_in_text(line, name) {
            return None;
        }
        argument(line, name, is_pointer(made, name)).map(|range| (user, range))
    };
    lines().filter_map(place).collect()
}

/// Whether a name stands for a place in memory: an array, a pointer, a pointer to a function.
fn is_pointer(made: &str, name: &str) -> bool {
    [format!(" {name}["), format!("*{name} ="), format!("*const {name} =")].iter().any(|it| made.contains(it))
        || pointer_to_function(made).is_some()
}

/// Where a call passes what has a name, once and as it is.
fn argument(line: &str, name: &str, is_pointer: bool) -> Option<Range<usize>> {
    let passed = if is_pointer { name.to_owned() } else { format!("&{name}") };
    let is_argument = |at: usize| {
        let (before, behind) = (&line[..at], &line[at + passed.len()..]);
        let is_call =
            before.rsplit_once('(').is_some_and(|(called, _)| called.ends_with(|c: char| c.is_alphanumeric()));
        is_call && before.ends_with(['(', ' ']) && !before.ends_with("= ") && behind.starts_with([',', ')'])
    };
    let mut places = line.match_indices(&passed).map(|(at, _)| at).filter(|at| is_argument(*at));
    let only = places.next().filter(|_| places.next().is_none())?;
    Some(only..only + passed.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::How;

    fn passed(statements: &[&str], call: &str) -> Vec<String> {
        let owned: Vec<String> = statements.iter().map(|line| (*line).to_owned()).collect();
        let case =
            TestCase { how: How::Output, statements: owned, call: Some(call.to_owned()), ..TestCase::sample("m") };
        let line = |at: Option<usize>| at.map_or(call, |at| statements[at]);
        places(&case).into_iter().map(|(at, range)| line(at)[range].to_owned()).collect()
    }

    #[test]
    fn what_is_made_to_be_passed_once_may_be_null() {
        let lines =
            ["char to[9] = {0};", "int n = 0;", "const char *text = \"a\";", "T t;", "memset(&t, 0, sizeof t);"];
        assert_eq!(passed(&lines, "f(to, &n, text, &t);"), ["to", "&n", "text", "&t"]);
        let kept = ["unsigned char data[1] = {0};", "Q q = q_create(done, data);"];
        assert_eq!(passed(&kept, "run(q);"), ["data"]);
        assert_eq!(passed(&["void (*done)(int) = called_done;"], "run(done);"), ["done"]);
    }

    #[test]
    fn what_has_another_use_or_is_no_pointer_stays() {
        assert_eq!(passed(&["char to[9] = {0};"], "f(to, to);"), [""; 0]);
        assert_eq!(passed(&["int n = 0;", "T t;"], "f(n, t);"), [""; 0]);
        assert_eq!(passed(&["char to[9] = {0};", "char *end = to + 8;"], "f(end);"), ["end"]);
        assert_eq!(passed(&["char to[9] = {0};", "box.to = to;"], "f(&box);"), [""; 0]);
        assert_eq!(passed(&["char to[9] = {0};", "std::string text(to, 3);"], "f(text);"), [""; 0]);
        assert_eq!(passed(&["char to[9] = {0};"], "f(\"to\", to[3]);"), [""; 0]);
    }
}
