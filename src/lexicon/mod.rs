//! What names suggest: lengths, ends of ranges, places, functions that create and end.

/// `len`, `bufferSize`, `nBytes`, `count`…: names that the C world gives to lengths.
pub fn looks_like_a_length(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.trim_matches('_');
    ["len", "length", "size", "count", "num", "sz", "nbytes", "bytes", "capacity", "argc", "cnt"]
        .iter()
        .any(|w| name.contains(w))
        || name == "n"
}

/// `begin` and `end`, `p_start` and `p_finish`, `at_` and `end_`…: names that differ in the two words for a range's ends,
/// or whose second says by itself that it is an end. Text may be short about it: `s` and `e`.
pub fn are_the_ends_of_a_range(from: &str, to: &str, is_text: bool) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().trim_matches('_').to_owned();
    let (from, to) = (plain(from), plain(to));
    let pairs = [
        ("begin", "end"),
        ("beg", "end"),
        ("start", "end"),
        ("start", "stop"),
        ("start", "finish"),
        ("first", "last"),
        ("from", "to"),
        ("low", "high"),
    ];
    let is_end = matches!(to.as_str(), "end" | "last" | "finish" | "stop" | "limit")
        || is_text && matches!(to.as_str(), "e" | "pe" | "eof")
        || to.strip_suffix("end").or(to.strip_prefix("end")).is_some_and(|rest| rest.trim_matches('_') == from);
    !from.is_empty()
        && from != to
        && (is_end || pairs.iter().any(|(a, b)| from.contains(a) && from.replacen(a, b, 1) == to))
}

/// `it`, `octet_it`, `pos`, `current_`…: names of something that moves through a range.
pub fn looks_like_a_place(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let last = name.trim_matches('_').rsplit('_').next().unwrap_or_default();
    matches!(last, "it" | "iter" | "iterator" | "pos" | "position" | "at" | "cur" | "current" | "cursor")
}

/// Words in the names of functions that create an object.
pub const CREATES: [&str; 8] = ["create", "new", "init", "alloc", "make", "open", "construct", "build"];

/// Words in the names of functions that create an object from a text.
pub const READS: [&str; 5] = ["parse", "load", "read", "compile", "decode"];

/// Words in the names of functions that destroy an object.
pub const ENDS: [&str; 8] = ["free", "destroy", "delete", "release", "dispose", "close", "term", "unref"];

/// Whether one of the words is a word of the name: `list_new`, `XML_ParserCreate`, `cJSON_Delete`, `newList`, `bufinit`.
pub fn says(name: &str, words: &[&str]) -> bool {
    let lower = name.to_ascii_lowercase();
    let bytes = name.as_bytes();
    words.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let behind = at + word.len();
            let begins = at == 0 || bytes[at - 1] == b'_' || bytes[at].is_ascii_uppercase();
            let ends = behind == name.len() || !bytes[behind].is_ascii_lowercase();
            begins && ends || (behind == name.len() && at > 0)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lengths_are_recognised_and_others_are_not() {
        assert!(looks_like_a_length("nBytes"));
        assert!(looks_like_a_length("len"));
        assert!(!looks_like_a_length("angle"));
    }

    #[test]
    fn a_place_in_a_range_is_told_from_another_text() {
        assert!(["it", "octet_it", "pos_", "cur"].into_iter().all(looks_like_a_place));
        assert!(!["needle", "text", "limit", "bit"].into_iter().any(looks_like_a_place));
    }

    #[test]
    fn the_two_ends_of_a_range_are_told_by_their_names() {
        let pairs = [("srcBegin", "srcEnd"), ("first", "last"), ("current", "end"), ("start_", "end_"), ("x", "xEnd")];
        for (from, to) in pairs {
            assert!(are_the_ends_of_a_range(from, to, false), "{from} {to}");
        }
        for (from, to) in [("first", "second"), ("begin", "begin"), ("end", "end"), ("r", "e"), ("a", "bend")] {
            assert!(!are_the_ends_of_a_range(from, to, false), "{from} {to}");
        }
        assert!(are_the_ends_of_a_range("s", "e", true));
    }
}
