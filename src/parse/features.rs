//! Feature test macros (POSIX.1-2024, 2.2.1): what a source defines before its first system header decides what all
//! system headers declare.

use super::files::Files;
use clang::{Entity, EntityKind, EntityVisitResult};

/// Name and text of those that a file of the project defines before the first header of the system, in order.
pub(super) fn chosen(root: Entity<'_>, files: &mut Files) -> Vec<(String, String)> {
    let mut chosen = Vec::new();
    root.visit_children(|entity, _| {
        let Some(location) = entity.get_location() else { return EntityVisitResult::Continue };
        match entity.get_kind() {
            EntityKind::InclusionDirective => {
                let system = entity.get_file().is_some_and(|file| file.get_offset_location(0).is_in_system_header());
                if system {
                    return EntityVisitResult::Break;
                }
            }
            EntityKind::MacroDefinition if !location.is_in_system_header() => {
                if let Some(name) = entity.get_name()
                    && is_one(&name)
                    && !entity.is_function_like_macro()
                    && let Some((extent, text, _)) = entity.get_range().and_then(|range| files.extent(range))
                {
                    let text = String::from_utf8_lossy(text.slice(extent.start, extent.end)).into_owned();
                    // One line, whatever the definition's looks like.
                    let value = text[text.len().min(name.len())..].replace("\\\n", " ");
                    chosen.push((name, value.trim().to_owned()));
                }
            }
            // All macros come before all declarations.
            EntityKind::MacroDefinition | EntityKind::MacroExpansion => {}
            _ => return EntityVisitResult::Break,
        }
        EntityVisitResult::Continue
    });
    chosen
}

/// The names that C libraries ask for: `_GNU_SOURCE`, `_XOPEN_SOURCE_EXTENDED`, `_FILE_OFFSET_BITS`,
/// `__STDC_WANT_LIB_EXT1__`.
fn is_one(name: &str) -> bool {
    let about_source = (name.ends_with("_SOURCE") || name.ends_with("_SOURCE_EXTENDED"))
        && name.starts_with('_')
        && !name.starts_with("__");
    let about_size = matches!(name, "_FILE_OFFSET_BITS" | "_TIME_BITS" | "_LARGE_FILES" | "_LARGEFILE");
    let about_threads = matches!(name, "_REENTRANT" | "_THREAD_SAFE");
    about_source || about_size || about_threads || name == "__EXTENSIONS__" || name.starts_with("__STDC_WANT_")
}

#[cfg(test)]
mod tests {
    use super::super::testing::Small;

    #[test]
    fn what_is_defined_before_the_first_system_header_is_chosen_where_its_condition_holds() {
        let config =
            "#ifndef _CONFIG_SOURCE_H\n#define _CONFIG_SOURCE_H\n#define _GNU_SOURCE 1\n#define SIZE 3\n#endif\n";
        let source = "#ifdef __sun\n#define _ALL_SOURCE\n#endif\n#include \"config.h\"\n\
            #define _FILE_OFFSET_BITS \\\n  64\n\
                      #define _XOPEN_SOURCE\n#include <string.h>\n#define _BSD_SOURCE\nint f(void) { return SIZE; }\n";
        let small = Small::new(&[("a.c", source), ("config.h", config)], "-std=c11");
        let unit = &small.model().units[0];
        let expected = [("_GNU_SOURCE", "1"), ("_FILE_OFFSET_BITS", "64"), ("_XOPEN_SOURCE", "")];
        let chosen: Vec<_> = unit.features.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(chosen, expected);
    }
}
