//! Ids of mutants, which are also the paths of their files, in the papers' naming:
//! `DIR/STEM/STEM.mut.LINE.COLUMN_ENDCOLUMN_NUMBER.OPERATOR.FUNCTION.EXT`.

use sha2::{Digest, Sha256};
use std::path::{Component, Path};

/// The longest file name in bytes; file systems take 255, and tools add extensions.
const MOST: usize = 200;
/// The most bytes of a stem or a function's name.
const MOST_OF_A_PART: usize = 80;

/// The place of a change, and its number among changes with the same start and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line of the first edit.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The column after the last edit.
    pub end_column: u32,
    /// From 1, among the changes of this operator at this place.
    pub number: usize,
}

/// The id of a mutant of `file` (below `root`, or anywhere).
pub fn name(root: &Path, file: &Path, place: Place, operator: &str, function: &str) -> String {
    let inside = file.strip_prefix(root);
    // A file from elsewhere keeps its whole path, below a folder of its own: an id never leaves the folder.
    let mut folder = if inside.is_ok() { String::new() } else { "_outside/".to_owned() };
    let path = inside.unwrap_or(file);
    for part in path.parent().into_iter().flat_map(Path::components) {
        match part {
            Component::Normal(name) => folder.push_str(&name.to_string_lossy()),
            _ => continue,
        }
        folder.push('/');
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let Place { line, column, end_column, number } = place;
    let head = format!("{}.mut.{line}.{column}_{end_column}_{number}.{operator}.", limited(&stem, MOST_OF_A_PART));
    let room = MOST.saturating_sub(head.len() + ending.len()).clamp(24, MOST_OF_A_PART);
    format!("{folder}{stem}/{head}{}{ending}", limited(&safe(function), room))
}

/// A name cut to this many bytes, with a digest that keeps it unique.
fn limited(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let digest: String = Sha256::digest(name).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let mut end = most - digest.len() - 1;
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}-{digest}", &name[..end])
}

/// A function's name as part of a file's name: letters, digits and `_` only.
fn safe(function: &str) -> String {
    if let Some(class) = function.strip_prefix('~') {
        return format!("destroy_{}", safe(class));
    }
    let symbol =
        function.strip_prefix("operator").filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    let Some(symbol) = symbol.map(str::trim) else { return plain(function) };
    let assigns = || Some(format!("{}_assign", word(symbol.strip_suffix('=')?)?));
    let word = word(symbol).map(str::to_owned).or_else(assigns).unwrap_or_else(|| plain(symbol));
    format!("operator_{word}")
}

/// The word for an overloadable operator.
fn word(symbol: &str) -> Option<&'static str> {
    Some(match symbol {
        "+" => "plus",
        "-" => "minus",
        "*" => "times",
        "/" => "divide",
        "%" => "modulo",
        "^" => "xor",
        "&" => "and",
        "|" => "or",
        "~" => "complement",
        "!" => "not",
        "=" => "assign",
        "<" => "less",
        ">" => "greater",
        "<<" => "shift_left",
        ">>" => "shift_right",
        "==" => "equal",
        "!=" => "not_equal",
        "<=" => "less_equal",
        ">=" => "greater_equal",
        "<=>" => "three_way",
        "&&" => "both",
        "||" => "either",
        "++" => "increment",
        "--" => "decrement",
        "," => "comma",
        "->*" => "arrow_star",
        "->" => "arrow",
        "()" => "call",
        "[]" => "index",
        _ => return None,
    })
}

/// Everything but letters, digits and `_` becomes one `_`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' => out.push(c),
            _ if !out.ends_with('_') => out.push('_'),
            _ => {}
        }
    }
    if out.is_empty() { "_".into() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { line: 41, column: 7, end_column: 12, number: 2 };

    fn of(file: &str, function: &str) -> String {
        name(Path::new("/p"), Path::new(file), PLACE, "ROR", function)
    }

    #[test]
    fn a_name_is_that_of_the_papers() {
        assert_eq!(
            of("/p/src/chargeable.cpp", "isAutonomous"),
            "src/chargeable/chargeable.mut.41.7_12_2.ROR.isAutonomous.cpp"
        );
        assert_eq!(of("/p/a.b.c", "f"), "a.b/a.b.mut.41.7_12_2.ROR.f.c");
        assert_eq!(of("/p/Core", "f"), "Core/Core.mut.41.7_12_2.ROR.f");
    }

    #[test]
    fn functions_whatever_they_are_called_give_plain_names() {
        for (function, expected) in [
            ("operator==", "operator_equal"),
            ("operator()", "operator_call"),
            ("operator bool", "operator_bool"),
            ("operator std::vector<int *>", "operator_std_vector_int_"),
            ("operator\"\"_km", "operator___km"),
            ("operator new[]", "operator_new_"),
            ("~Mission", "destroy_Mission"),
            ("operators", "operators"),
            ("max<int, 3>", "max_int_3_"),
            ("größe", "gr_e"),
            ("", "_"),
        ] {
            let found = safe(function);
            assert_eq!(found, expected, "{function}");
            assert!(found.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        }
    }

    #[test]
    fn a_name_never_leaves_the_folder_and_is_never_too_long() {
        assert_eq!(of("/q/../x/a.c", "f"), "_outside/q/x/a/a.mut.41.7_12_2.ROR.f.c");
        let long = format!("/p/{}.cpp", "x".repeat(240));
        for name in [of(&long, "f"), of(&long, &"y".repeat(400)), of("/p/a.c", &"z".repeat(400))] {
            assert!(name.rsplit('/').next().unwrap().len() <= MOST, "{name}");
            assert!(name.ends_with(".cpp") || name.ends_with(".c"));
        }
        // The digest keeps them distinct.
        let (a, b) = (format!("{}a", "y".repeat(300)), format!("{}b", "y".repeat(300)));
        assert_ne!(of("/p/a.c", &a), of("/p/a.c", &b));
    }
}
