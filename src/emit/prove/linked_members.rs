//! Which objects a link took, by the linker's map.

use std::path::Path;

/// The part of a linker's map that says which members of archives were taken; empty where the linker says it
/// in another way.
pub(super) fn taken(map: &str) -> &str {
    // LLVM's linker lists what it has put in, and nothing else.
    if map.trim_start().starts_with("VMA") {
        return map;
    }
    let marks = ["\nDiscarded input sections", "\nMemory Configuration", "\nMemory map"];
    let end = marks.iter().filter_map(|mark| map.find(mark)).min();
    end.map_or("", |end| &map[..end])
}

/// Whether the link took `object`: where the map does not tell, it may have.
pub(super) fn is_linked(map: &str, object: &Path) -> bool {
    let name = object.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    map.is_empty() || map.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_that_the_link_took_count() {
        let map = "Archive member included to satisfy reference by file (symbol)\n\n/c/ab12.o\n\
                   \nDiscarded input sections\n .text /c/cd34.o\n";
        assert!(is_linked(taken(map), Path::new("/c/ab12.o")));
        assert!(!is_linked(taken(map), Path::new("/c/cd34.o")));
        assert!(is_linked(taken("a map that nobody knows"), Path::new("/c/cd34.o")));
        let llvm = "             VMA              LMA     Size Align Out     In      Symbol\n\
                    0  0  1  1         /c/x.a(/c/ab12.o):(.text)\n";
        assert!(is_linked(taken(llvm), Path::new("/c/ab12.o")) && !is_linked(taken(llvm), Path::new("/c/cd34.o")));
    }
}
