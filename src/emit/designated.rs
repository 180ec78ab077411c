//! Structures of C that have their members where they are declared: `struct box box = {.n = 1, .inner.k = 2};`.

use super::lines::declared;
use super::render::has_word;

/// Puts what lines set behind the declaration of a structure, or of what a pointer leads to, into its initialiser.
pub(super) fn put_members_into_initialiser(statements: &mut Vec<String>) {
    let mut at = 0;
    while at < statements.len() {
        match with_members(statements, at) {
            // (What stood between comes first now, and may be a structure as well.)
            Some((declaration, range, others)) => {
                drop(statements.splice(range, others.into_iter().chain([declaration])))
            }
            None => at += 1,
        }
    }
}

/// How an object is declared with all its members zero.
struct Zeroed<'l> {
    name: &'l str,
    /// What the declaration has before the list of its members.
    before: String,
    /// What a member of it begins with.
    member: String,
}

fn zeroed(statements: &[String], at: usize) -> Option<Zeroed<'_>> {
    let line = &statements[at];
    let name = declared(line)?;
    let zeroed = |before: &str, member: &str| {
        let (before, member) = (before.to_owned(), format!("{name}{member}"));
        Some(Zeroed { name, before, member })
    };
    if let Some(before) = line.strip_suffix("0};").filter(|before| before.ends_with(&format!(" {name} = {{"))) {
        return zeroed(before, ".");
    }
    if let Some(before) = line.strip_suffix("0};").filter(|before| before.contains(&format!("*{name} = &("))) {
        return zeroed(before, "->");
    }
    None
}

/// The declaration of the structure that the line at `at` declares, with the members that the lines behind it set; the
/// lines that it stands for, and those among them that have nothing to do with it.
fn with_members(statements: &[String], at: usize) -> Option<(String, std::ops::Range<usize>, Vec<String>)> {
    let object = zeroed(statements, at)?;
    let begun = at + 1;
    let (mut members, mut others, mut end): (Vec<(String, String)>, Vec<&String>, usize) = Default::default();
    for (place, line) in statements.iter().enumerate().skip(begun) {
        if !has_word(line, object.name) {
            // (What a member was set to must not change before it is set.)
            if line.split_once(" = ").is_some_and(|(to, _)| members.iter().any(|(_, value)| has_word(value, to))) {
                break;
            }
            others.push(line);
            continue;
        }
        let Some((member, value)) = set(line, &object).filter(|(member, _)| !is_set_already(&members, member)) else {
            break;
        };
        members.push((member.to_owned(), value.to_owned()));
        end = place + 1;
    }
    let between = others.into_iter().take(end.saturating_sub(begun + members.len())).cloned().collect();
    let list: Vec<String> = members.iter().map(|(member, value)| format!(".{member} = {value}")).collect();
    let declaration = format!("{}{}}};", object.before, list.join(", "));
    (!list.is_empty()).then_some((declaration, at..end, between))
}

/// The member that a line sets, and to what: `box.all[1] = 2;`, `strcpy(box.name, "a");`.
fn set(line: &str, object: &Zeroed<'_>) -> Option<(String, String)> {
    let line = line.strip_suffix(';').filter(|line| !line.contains('\n'))?;
    let text = line.strip_prefix("strcpy(").and_then(|rest| rest.strip_suffix(')')?.split_once(", "));
    let text = text.filter(|(_, text)| text.starts_with('"'));
    let (place, value) = text.or_else(|| line.split_once(" = "))?;
    let place = without_casts(place);
    let member = place.strip_prefix(&object.member)?;
    let is_path = member.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
    let is_value = !has_word(value, object.name) && (text.is_some() || !calls(value));
    (is_path && !member.is_empty() && is_value).then(|| (member.to_owned(), value.to_owned()))
}

/// Whether an expression may call something: the order of calls is not that of an initialiser.
fn calls(value: &str) -> bool {
    value.match_indices('(').any(|(at, _)| value[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// `(*(int *)&box.n)` is `box.n`, as which it is set where it is declared; `((short *)box.all)[1]` is `box.all[1]`.
fn without_casts(place: &str) -> String {
    let mut place = place.to_owned();
    while let Some(open) = place.rfind("(*(").or_else(|| place.rfind("((")) {
        let cast = if place[open..].starts_with("(*(") { ")&" } else { "*)" };
        let Some(end) = place[open..].find(cast).map(|at| open + at + cast.len()) else { break };
        let Some(close) = place[end..].find(')').map(|at| end + at) else { break };
        let inner = place[end..close].to_owned();
        place.replace_range(open..=close, &inner);
    }
    place
}

/// Whether a member, or a part of it, has a value already, or is a part of what has one.
fn is_set_already(members: &[(String, String)], member: &str) -> bool {
    let is_part = |of: &str, part: &str| {
        part.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    members.iter().any(|(known, _)| is_part(known, member) || is_part(member, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(lines: &[&str]) -> Vec<String> {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        put_members_into_initialiser(&mut lines);
        lines
    }

    #[test]
    fn what_is_set_behind_a_declaration_stands_in_it() {
        let lines = ["struct box b = {0};", "b.n = 1;", "char name[] = \"a\";", "b.in.name = name;", "f(&b);"];
        assert_eq!(folded(&lines), [lines[2], "struct box b = {.n = 1, .in.name = name};", lines[4]]);
        let text = ["BOX b = {0};", "strcpy(b.text, \"x, (y)\");", "b.all[1] = 'a';"];
        assert_eq!(folded(&text), ["BOX b = {.text = \"x, (y)\", .all[1] = 'a'};"]);
        // (It has a union, of which an initialiser clears one member.)
        let cleared = ["BOX b;", "memset(&b, 0, sizeof b);", "b.n = 1;"];
        assert_eq!(folded(&cleared), cleared);
        let inner = ["BOX a = {0};", "BOX b = {0};", "b.n = 1;", "a.in = &b;"];
        assert_eq!(folded(&inner), ["BOX b = {.n = 1};", "BOX a = {.in = &b};"]);
        let pointer = ["struct item *it = &(struct item){0};", "it->n = 3;", "int k = it->n;"];
        assert_eq!(folded(&pointer), ["struct item *it = &(struct item){.n = 3};", pointer[2]]);
    }

    #[test]
    fn what_uses_the_structure_or_sets_a_member_twice_ends_the_list() {
        let used = ["struct box b = {0};", "b.n = 1;", "fill(&b);", "b.k = 2;"];
        assert_eq!(folded(&used), ["struct box b = {.n = 1};", used[2], used[3]]);
        let twice = ["struct box b = {0};", "b.n = 1;", "b.n = 2;"];
        assert_eq!(folded(&twice), ["struct box b = {.n = 1};", twice[2]]);
        let called = ["struct box b = {0};", "b.n = next();"];
        assert_eq!(folded(&called), called);
        let changed = ["struct box b = {0};", "b.n = n;", "n = 2;", "b.k = n;"];
        assert_eq!(folded(&changed), ["struct box b = {.n = n};", changed[2], changed[3]]);
        let own = ["struct node n = {0};", "n.next = &n;"];
        assert_eq!(folded(&own), own);
        let array = ["int all[2] = {0};", "all[0] = 1;"];
        assert_eq!(folded(&array), array);
    }

    #[test]
    fn constant_members_are_set_without_a_cast() {
        let lines = ["struct box b = {0};", "(*(int *)&b.n) = 3;", "(*(struct in *)&b.in).k = 2;"];
        assert_eq!(folded(&lines), ["struct box b = {.n = 3, .in.k = 2};"]);
        let lines = ["struct box b = {0};", "((short *)b.all)[1] = 1;", "(*(char **)&(*(struct in *)&b.in).s) = s;"];
        assert_eq!(folded(&lines), ["struct box b = {.all[1] = 1, .in.s = s};"]);
    }
}
