//! Memory that a driver allocates, since the unit may free it, as an object of the test itself: where the unit frees
//! nothing, nobody has to.

use std::ops::Range;

/// The call that allocates an object for somebody who frees it, and an object of the test's own in its place, where
/// nobody does.
pub(super) fn on_stack(line: &str) -> Option<(Range<usize>, String)> {
    let (declared, rest) = line.split_once(" = calloc(")?;
    let (ty, name) = declared.rsplit_once(" *").filter(|(ty, _)| !ty.contains(['*', '(']))?;
    let count = rest.strip_suffix(&format!(", sizeof *{name});"))?;
    let object = match count {
        "1" => format!("&({ty}){{0}}"),
        _ if count.bytes().all(|byte| byte.is_ascii_digit()) => format!("({ty}[{count}]){{0}}"),
        _ => return None,
    };
    Some((declared.len() + " = ".len()..line.len() - 1, object))
}

/// `char *name = (char[100]){0};` as `char name[100] = {0};`
pub(super) fn as_array(line: &str) -> Option<String> {
    let (declared, literal) = line.strip_suffix("]){0};")?.split_once(" = (")?;
    let (ty, name) = declared.rsplit_once(" *")?;
    let count = literal.strip_prefix(ty)?.strip_prefix('[')?;
    Some(format!("{ty} {name}[{count}] = {{0}};"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_declared_as_such() {
        let line = "char *text = calloc(100, sizeof *text);";
        let (range, object) = on_stack(line).unwrap();
        assert_eq!((&line[range], object.as_str()), ("calloc(100, sizeof *text)", "(char[100]){0}"));
        assert_eq!(as_array("char *text = (char[100]){0};").unwrap(), "char text[100] = {0};");
        assert_eq!(as_array("struct item *it = &(struct item){0};"), None);
        assert_eq!(on_stack("struct box *box = calloc(1, sizeof *box + 4 * sizeof box->all[0]);"), None);
    }
}
