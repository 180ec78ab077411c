//! The one tokeniser: the words that a name is made of.

/// The words of `outBuf`, `out_buf`, `OutBuf2`, `XMLParserCreate`, `m_size`, in lower case; digits are words of
/// their own. Letters that only say what kind of variable it is (`m_`, `p_`, `kSize`) are none.
pub fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut found: Vec<String> = Vec::new();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at]);
        if before.is_none_or(|before| divides(before, c, &chars[at + 1..])) || found.is_empty() {
            found.push(String::new());
        }
        if let Some(word) = found.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    if found.len() > 1 && matches!(found[0].as_str(), "m" | "p" | "k" | "s" | "g") {
        found.remove(0);
    }
    found
}

/// Whether a word begins with `c`.
fn divides(before: char, c: char, behind: &[char]) -> bool {
    if !before.is_alphanumeric() || before.is_ascii_digit() != c.is_ascii_digit() {
        return true;
    }
    // The last capital of several begins the next word, unless all that follows is the plural of an acronym: `URLs`.
    let is_plural = behind.first() == Some(&'s') && !behind.get(1).is_some_and(|c| c.is_lowercase());
    let begins = || behind.first().is_some_and(|c| c.is_lowercase()) && !is_plural;
    c.is_uppercase() && (before.is_lowercase() || begins())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_read_as_words_however_they_are_written() {
        for (name, expected) in [
            ("list_remove_node", "list remove node"),
            ("listRemoveNode", "list remove node"),
            ("ListRemoveNode", "list remove node"),
            ("list-remove-node", "list remove node"),
            ("XMLParserCreate", "xml parser create"),
            ("cJSON_Delete", "c json delete"),
            ("parseURLs", "parse urls"),
            ("SHA256Init", "sha 256 init"),
            ("OutBuf2", "out buf 2"),
            ("nBytes", "n bytes"),
            ("n_bytes", "n bytes"),
            ("nbytes", "nbytes"),
            ("cbData", "cb data"),
            ("m_size", "size"),
            ("_size", "size"),
            ("p_start_", "start"),
            ("kLength", "length"),
            ("TChar", "t char"),
            ("_CharType", "char type"),
            ("p", "p"),
            ("MAX_LEN", "max len"),
            ("std::vector<int>::const_iterator", "std vector int const iterator"),
            ("", ""),
            ("__", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }
}
