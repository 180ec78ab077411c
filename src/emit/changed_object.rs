//! What a statement of a test changes.

/// What a call of a method is made on, or a member of is set: `object.set(1);`, `list[0].kind = A;`,
/// `list[0] = a;`, `memcpy(&value.u, …);` Calls of functions stay: they may be what makes an object ready.
pub(super) fn changed_object(line: &str) -> Option<&str> {
    if !line.ends_with(';') || line.contains('\n') {
        return None;
    }
    if line.starts_with("(*(") || line.starts_with("((") {
        // A constant member of C: `(*(int *)&box.n) = 3;`.
        let (place, _) = line.split_once(" = ")?;
        let path = &place[place.rfind(")&").max(place.rfind("*)"))? + 2..];
        return path.contains(['.', '-']).then(|| path.split(['.', '-']).next().unwrap_or(path));
    }
    let copied = line.trim_start_matches("std::").strip_prefix("memcpy(&").and_then(|rest| rest.split_once(','));
    let path = match copied {
        Some((member, _)) => member,
        None => line[..line.find(['(', '='])?].trim_end(),
    };
    let is_path = |c: char| c.is_alphanumeric() || "_.[]>-".contains(c);
    // (Numbers of an array are its contents.)
    let is_element = || {
        let value = line[path.len()..].strip_prefix(" = ").unwrap_or_default();
        path.ends_with(']') && value.starts_with(char::is_alphabetic)
    };
    let is_of_object = path.contains('.') || path.contains("->") || is_element();
    let is_one = path.starts_with(char::is_alphabetic) && path.chars().all(is_path) && is_of_object;
    is_one.then(|| path.split(['.', '[', '-']).next().unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::changed_object;

    #[test]
    fn only_objects_are_left_unchanged() {
        assert_eq!(changed_object("json[3].type = JSON_OBJECT;"), Some("json"));
        assert_eq!(changed_object("all[1] = P{};"), Some("all"));
        assert_eq!(changed_object("object->SetText(\"\");"), Some("object"));
        assert_eq!(changed_object("memcpy(&pVal.u, storage, sizeof storage);"), Some("pVal"));
        for line in [
            "(void)init(&a);",
            "memcpy(&value, storage, 4);",
            "rewind(fp);",
            "int value = 0;",
            "a::b c(1);",
            "x = a.b;",
            "b[2] = 7;",
        ] {
            assert_eq!(changed_object(line), None, "{line}");
        }
    }
}
