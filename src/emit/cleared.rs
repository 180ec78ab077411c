//! Objects of C that a test clears before it makes them ready: `memset(&box, 0, sizeof box); box_init(&box);`.

use super::render::has_word;

/// Whether an object that the first line clears goes to a function next, which may set all of it: `box_init(&box);`
pub(super) fn is_made_ready_then(lines: &[String]) -> bool {
    let Some((object, behind)) = lines.split_first().and_then(|(line, behind)| Some((cleared(line)?, behind))) else {
        return false;
    };
    let next = behind.iter().find(|line| has_word(line, object));
    next.is_some_and(|line| line.ends_with(");") && line.contains(&format!("(&{object}")) && !line.contains(" = "))
}

/// The object that a line clears: `memset(&box, 0, sizeof box);`.
fn cleared(line: &str) -> Option<&str> {
    let (object, rest) = line.strip_prefix("memset(&")?.split_once(", 0, sizeof ")?;
    (rest.strip_suffix(");") == Some(object)).then_some(object)
}

#[cfg(test)]
mod tests {
    use super::is_made_ready_then;

    #[test]
    fn an_object_that_a_function_gets_next_may_be_made_ready_by_it() {
        let is = |lines: &[&str]| is_made_ready_then(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
        let clears = "memset(&box, 0, sizeof box);";
        assert!(is(&[clears, "int n = 1;", "box_init(&box);"]) && is(&[clears, "box_init(&box, n);"]));
        assert!(!is(&[clears, "box.n = 1;", "box_init(&box);"]) && !is(&[clears]));
        assert!(!is(&["memset(&box, 0, 4);", "box_init(&box);"]) && !is(&["box_init(&box);"]));
    }
}
